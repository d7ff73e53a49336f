//! Positions of playouts, for those who learn what they are worth.

use crate::game::{Chance, Game, Playouts, Roles, Vocabulary};
use std::sync::atomic::{AtomicBool, Ordering};

/// So many positions of a playout are looked at, drawn from all of it.
const POSITIONS: usize = 12;
/// Every so many playouts one is set aside.
const SET_ASIDE: u64 = 5;
/// No more positions are kept.
const MOST_POSITIONS: usize = 400_000;

/// A position of a playout.
pub(super) struct Sample {
    /// Which playout.
    pub(super) playout: u64,
    /// Who moved before it.
    pub(super) moved: Roles,
    /// How many joint moves led there.
    pub(super) plies: usize,
    /// What holds there.
    pub(super) facts: Vec<u32>,
    /// What each role got, from 0 to 1.
    pub(super) goals: Vec<f32>,
    /// Whether values are tested on it instead of learnt from it.
    pub(super) set_aside: bool,
}

/// Positions of so many playouts, none longer than so many joint moves; how many came to their end, and how long they were on average.
pub(super) fn watch<G: Game>(
    game: &G,
    [most, longest]: [u64; 2],
    seed: u64,
    vocabulary: &mut Vocabulary,
    enough: &AtomicBool,
) -> (Vec<Sample>, u64, f64) {
    let (start, mut playouts) = (game.start(), Playouts::new(game));
    let mut samples: Vec<Sample> = Vec::new();
    let (mut ended, mut plies) = (0, 0);
    // Room for the positions of one playout.
    let mut positions: Vec<(Roles, Vec<u32>)> = Vec::new();
    for number in 0..most {
        if enough.load(Ordering::Relaxed) || samples.len() >= MOST_POSITIONS {
            break;
        }
        let mut chance = Chance::stream(seed, number);
        let mut count = 0;
        let playout = playouts.run_watched(&start, longest, &mut chance, vocabulary, &mut |position| {
            if positions.len() == count {
                positions.push((Roles::first(0), Vec::new()));
            }
            let (moved, facts) = &mut positions[count];
            *moved = position.moved;
            facts.clear();
            facts.extend(position.facts.iter().map(|fact| fact.0));
            count += 1;
        });
        let Some(goals) = playout.goals().filter(|_| count > 1) else { continue };
        let goals: Vec<f32> = goals.iter().map(|goal| f32::from(goal.unwrap_or(0)) / 100.0).collect();
        ended += 1;
        plies += playout.plies;
        let set_aside = number.is_multiple_of(SET_ASIDE);
        for _ in 0..POSITIONS.min(count - 1) {
            let plies = 1 + chance.below(count - 1);
            let (moved, facts) = &positions[plies];
            samples.push(Sample {
                playout: number,
                moved: *moved,
                plies,
                facts: facts.clone(),
                goals: goals.clone(),
                set_aside,
            });
        }
    }
    (samples, ended, plies as f64 / ended.max(1) as f64)
}

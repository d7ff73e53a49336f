//! Perft: counting the ways a game can go, the quickest way to find that two move generators differ.

use super::{Game, JointMoves, Role, Truncation, ensure_over};
use rayon::prelude::*;

/// How many ways there are to play 1, 2, ... `depth` joint moves from the start of a game.
///
/// A game that ends earlier adds nothing to later depths. Counts stay at `u64::MAX` instead of overflowing.
///
/// # Errors
///
/// A state on the way is beyond the engine's limits, so the counts would be too small.
pub fn perft<G: Game>(game: &G, depth: usize) -> Result<Vec<u64>, Truncation> {
    perft_from(game, &game.start(), depth)
}

/// The same as [`perft`], the root's joint moves shared out among the threads of the current rayon pool.
///
/// # Errors
///
/// As [`perft`].
pub fn perft_parallel<G: Game>(game: &G, depth: usize) -> Result<Vec<u64>, Truncation> {
    let start = game.start();
    if depth < 2 {
        return perft_from(game, &start, depth);
    }
    let root = count(game, &start)?;
    let mut joints = JointMoves::default();
    joints.begin(game, &start);
    // Joint moves have numbers and are made when their turn comes: with many roles there are too many for a list.
    let below = (0..root).into_par_iter().map(|number| {
        let mut child = start.clone();
        game.play(&mut child, &joints.nth(number));
        perft_from(game, &child, depth - 1)
    });
    let below = below.try_reduce(
        || vec![0; depth - 1],
        |mut sum, counts| {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(count));
            Ok(sum)
        },
    )?;
    Ok(std::iter::once(root).chain(below).collect())
}

/// The same from any state.
///
/// The last joint moves are only counted, and the states on the way are written over each other, so nothing is
/// allocated for a node that the game's own states and moves do not allocate.
///
/// # Errors
///
/// As [`perft`].
pub fn perft_from<G: Game>(game: &G, state: &G::State, depth: usize) -> Result<Vec<u64>, Truncation> {
    let mut counts = vec![0; depth];
    if depth < 2 {
        if depth == 1 {
            counts[0] = count(game, state)?;
        }
        return Ok(counts);
    }
    let mut levels: Vec<DepthLevel<G>> = vec![DepthLevel::with(state)];
    levels[0].begin(game)?;
    let mut ply = 0;
    loop {
        if levels.len() == ply + 1 {
            levels.push(DepthLevel::with(state));
        }
        let [here, next] = &mut levels[ply..ply + 2] else { unreachable!("the level below is always there") };
        let Some(joint) = here.joints.advance() else {
            if ply == 0 {
                return Ok(counts);
            }
            ply -= 1;
            continue;
        };
        next.state.clone_from(&here.state);
        game.play(&mut next.state, joint);
        counts[ply] = counts[ply].saturating_add(1);
        if ply + 2 == depth {
            counts[ply + 1] = counts[ply + 1].saturating_add(count(game, &next.state)?);
        } else {
            next.begin(game)?;
            ply += 1;
        }
    }
}

/// How many joint moves a state has.
fn count<G: Game>(game: &G, state: &G::State) -> Result<u64, Truncation> {
    let count = game.count(state);
    if count == 0 {
        ensure_over(game, state)?;
    }
    Ok(count)
}

/// A state on the way down, and which of its joint moves come next.
struct DepthLevel<G: Game> {
    state: G::State,
    joints: JointMoves<G::Move>,
}

impl<G: Game> DepthLevel<G> {
    fn with(state: &G::State) -> DepthLevel<G> {
        DepthLevel { state: state.clone(), joints: JointMoves::default() }
    }

    fn begin(&mut self, game: &G) -> Result<(), Truncation> {
        self.joints.begin(game, &self.state);
        if self.joints.is_empty() { ensure_over(game, &self.state) } else { Ok(()) }
    }
}

/// What follows one joint move of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The name of each moving role's move.
    pub names: Vec<String>,
    /// How many ways there are to play the remaining joint moves, 1 if there is none left.
    pub leaves: u64,
}

/// The count of [`perft`] for one depth, parted by the joint moves of the start, one after another; none at depth 0.
pub fn divide<G: Game>(game: &G, depth: usize) -> Divisions<'_, G> {
    divide_from(game, &game.start(), depth)
}

/// The same from any state.
pub fn divide_from<'g, G: Game>(game: &'g G, state: &G::State, depth: usize) -> Divisions<'g, G> {
    let mut joints = JointMoves::default();
    let mut names = Vec::new();
    let mut truncated = None;
    if depth > 0 {
        joints.begin(game, state);
        let name = |(place, role): (usize, Role)| game.move_names(state, role, joints.moves(place));
        names.extend(game.to_move(state).iter().enumerate().map(name));
        truncated = if joints.is_empty() { ensure_over(game, state).err() } else { None };
    }
    Divisions { game, state: state.clone(), remaining: depth.saturating_sub(1), joints, names, truncated }
}

/// The parts of a count, worked out as they are asked for. After an error there are no more.
pub struct Divisions<'g, G: Game> {
    game: &'g G,
    state: G::State,
    /// Joint moves below the root.
    remaining: usize,
    joints: JointMoves<G::Move>,
    /// The names of the moves of each place.
    names: Vec<Vec<String>>,
    truncated: Option<Truncation>,
}

impl<G: Game> Iterator for Divisions<'_, G> {
    type Item = Result<Division, Truncation>;

    fn next(&mut self) -> Option<Result<Division, Truncation>> {
        if let Some(truncated) = self.truncated.take() {
            return Some(Err(truncated));
        }
        let mut child = self.state.clone();
        self.game.play(&mut child, self.joints.advance()?);
        match perft_from(self.game, &child, self.remaining) {
            Ok(counts) => {
                let names = self.names.iter().zip(self.joints.picks()).map(|(names, &pick)| names[pick].clone());
                Some(Ok(Division { names: names.collect(), leaves: counts.last().copied().unwrap_or(1) }))
            }
            Err(truncated) => {
                self.joints = JointMoves::default();
                Some(Err(truncated))
            }
        }
    }
}

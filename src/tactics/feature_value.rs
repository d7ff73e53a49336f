//! What a state is worth where no rule says anything: a weighted sum of how often each feature holds for either side, learnt from games of its own.
//!
//! Features that name a player are counted: for k in a line, how many windows have one stone of mine, two, three. Who has just moved and who is to
//! move have weights of their own. They come from a logistic regression on who won games that the function itself played, with
//! some chance, against itself; immediate wins are taken and parried. Nothing in it knows what game it is.

use super::ground::{GroundState, GroundSystem, MoveId};
use super::recogniser::Recogniser;
use crate::game::Chance;
use std::sync::atomic::{AtomicBool, Ordering};

/// A learnt evaluation of states.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureValue {
    features: Vec<Feature>,
}

/// A feature that is counted for each player.
#[derive(Clone, Debug, PartialEq)]
struct Feature {
    /// Where its facts begin, for each player.
    first: [u32; 2],
    /// How many there are.
    size: u32,
    /// What one of them is worth for whoever has just moved, and for the other.
    weights: [f64; 2],
}

/// How the weights are learnt.
const ROUNDS: u64 = 5;
const GAMES: u64 = 60;
/// One of so many moves is made at random, so that games differ.
const CHANCE: usize = 10;
const STEPS: usize = 300;

/// How many moves of either side are looked at, and how far, to tell the best moves apart.
const WIDTH: usize = 6;
const PLIES: u32 = 2;
/// A won game.
const WON: f64 = 1e6;

impl FeatureValue {
    /// Learns the weights; the same for the same system.
    pub fn learn(recogniser: &Recogniser) -> FeatureValue {
        let mut value = FeatureValue { features: features(&recogniser.ground) };
        let mut samples = Vec::new();
        for round in 0..ROUNDS {
            for game in 0..GAMES {
                value.play(recogniser, &mut Chance::stream(round, game), &mut samples);
            }
            value.fit(&samples);
        }
        value
    }

    /// The same weights for a system that has the same features of other objects, such as a larger board; features that are new weigh nothing.
    #[must_use]
    pub fn on(&self, ground: &GroundSystem) -> FeatureValue {
        let mut moved = FeatureValue { features: features(ground) };
        if moved.features.len() == self.features.len() {
            for (feature, known) in moved.features.iter_mut().zip(&self.features) {
                feature.weights = known.weights;
            }
        }
        moved
    }

    /// What a state is worth for the player who has just moved: the log of the odds of winning.
    pub fn of(&self, state: &GroundState, moved: usize) -> f64 {
        let count = |feature: &Feature, player: usize| {
            let words = state.range(feature.first[player], feature.size);
            f64::from(words.iter().map(|word| word.count_ones()).sum::<u32>())
        };
        let worth = |feature: &Feature| {
            feature.weights[0] * count(feature, moved) - feature.weights[1] * count(feature, 1 - moved)
        };
        self.features.iter().map(worth).sum()
    }

    /// The best of some moves, any of the best if there are several.
    pub fn best(
        &self,
        ground: &GroundSystem,
        state: &mut GroundState,
        moves: &[MoveId],
        chance: &mut Chance,
    ) -> Option<MoveId> {
        let mut best: Vec<MoveId> = Vec::new();
        let mut most = f64::NEG_INFINITY;
        for &id in moves {
            let Some(undo) = ground.play(state, id) else { continue };
            let worth = self.of(state, id.0 as usize % 2);
            state.undo(&undo);
            if worth > most {
                (most, best) = (worth, vec![id]);
            } else if worth == most {
                best.push(id);
            }
        }
        (!best.is_empty()).then(|| best[chance.below(best.len())])
    }

    /// The moves from the best to the worst, equal ones in any order. The best are told apart by looking ahead.
    pub fn ranked(
        &self,
        ground: &GroundSystem,
        state: &mut GroundState,
        moves: &[MoveId],
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Vec<MoveId> {
        let mut worth: Vec<(f64, u64, MoveId)> = Vec::new();
        for (value, id) in self.worth(ground, state, moves.iter().copied()) {
            worth.push((value, chance.below(1 << 30) as u64, id));
        }
        let order =
            |a: &(f64, u64, MoveId), b: &(f64, u64, MoveId)| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2)));
        worth.sort_by(order);
        let best = worth.len().min(WIDTH);
        for (value, _, id) in &mut worth[..best] {
            let Some(undo) = ground.play(state, *id) else { continue };
            if ground.winner(state).is_none() {
                *value = -self.outlook(ground, state, 1 - id.0 as usize % 2, PLIES, stop);
            }
            state.undo(&undo);
        }
        worth[..best].sort_by(order);
        worth.into_iter().map(|(_, _, id)| id).collect()
    }

    /// Legal moves with what the state after them is worth for whoever makes them.
    fn worth(
        &self,
        ground: &GroundSystem,
        state: &mut GroundState,
        moves: impl Iterator<Item = MoveId>,
    ) -> Vec<(f64, MoveId)> {
        let mut worth = Vec::new();
        for id in moves {
            let Some(undo) = ground.play(state, id) else { continue };
            let player = id.0 as usize % 2;
            let value = match ground.winner(state) {
                Some(winner) if winner == player => WON,
                Some(_) => -WON,
                None => self.of(state, player),
            };
            worth.push((value, id));
            state.undo(&undo);
        }
        worth
    }

    /// What the best moves of both sides lead to, for the player to move.
    fn outlook(
        &self,
        ground: &GroundSystem,
        state: &mut GroundState,
        player: usize,
        plies: u32,
        stop: &AtomicBool,
    ) -> f64 {
        let mut worth = self.worth(ground, state, ground.all_moves(player));
        let most = |worth: &[(f64, MoveId)]| worth.iter().map(|&(value, _)| value).fold(f64::NEG_INFINITY, f64::max);
        if plies <= 1 || worth.is_empty() || most(&worth) >= WON || stop.load(Ordering::Relaxed) {
            return if worth.is_empty() { 0.0 } else { most(&worth) };
        }
        worth.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        worth.truncate(WIDTH);
        let mut best = f64::NEG_INFINITY;
        for (_, id) in worth {
            let Some(undo) = ground.play(state, id) else { continue };
            best = best.max(-self.outlook(ground, state, 1 - player, plies - 1, stop));
            state.undo(&undo);
        }
        best
    }

    /// Plays a game against itself and adds what it saw.
    fn play(&self, recogniser: &Recogniser, chance: &mut Chance, samples: &mut Vec<Sample>) {
        let ground = &recogniser.ground;
        let mut state = ground.state(&ground.system.start_state());
        let begun = samples.len();
        let mut winner = None;
        for ply in 0..1000 {
            let player = ply % 2;
            let legal = ground.legal(&mut state, player);
            if legal.is_empty() {
                break;
            }
            let forced = recogniser.wins_at_once(&mut state, player).first().copied();
            let forced = forced.or_else(|| {
                let other = recogniser.wins_at_once(&mut state, 1 - player).first().copied()?;
                legal.iter().copied().find(|id| id.0 / 2 == other.0 / 2)
            });
            let id = forced.or_else(|| match ply < 2 || chance.below(CHANCE) == 0 {
                true => Some(legal[chance.below(legal.len())]),
                false => self.best(ground, &mut state, &legal, chance),
            });
            let Some(id) = id.filter(|&id| ground.play(&mut state, id).is_some()) else { break };
            winner = ground.winner(&state);
            if winner.is_some() {
                break;
            }
            debug_assert_eq!(id.0 as usize % 2, player);
            samples.push(self.sample(&state, player));
        }
        match winner {
            Some(winner) => samples[begun..].iter_mut().for_each(|sample| sample.won = sample.player == winner),
            None => samples.truncate(begun),
        }
    }

    fn sample(&self, state: &GroundState, player: usize) -> Sample {
        let count = |feature: &Feature, player: usize| {
            let words = state.range(feature.first[player], feature.size);
            words.iter().map(|word| word.count_ones()).sum::<u32>() as f32
        };
        let counts = self.features.iter().map(|feature| [count(feature, player), count(feature, 1 - player)]).collect();
        Sample { counts, player, won: false }
    }

    /// Logistic regression by gradient descent, each feature in units of its own spread.
    fn fit(&mut self, samples: &[Sample]) {
        if samples.is_empty() {
            return;
        }
        let total = samples.len() as f64;
        let scales: Vec<f64> = (0..self.features.len())
            .map(|at| {
                let squares = samples.iter().flat_map(|sample| sample.counts[at]).map(|count| f64::from(count * count));
                (squares.sum::<f64>() / (2.0 * total)).sqrt().max(1e-3)
            })
            .collect();
        let mut weights: Vec<[f64; 2]> = self
            .features
            .iter()
            .zip(&scales)
            .map(|(feature, scale)| feature.weights.map(|weight| weight * scale))
            .collect();
        let mut speeds = vec![[0.0; 2]; weights.len()];
        for _ in 0..STEPS {
            let mut slopes = vec![[0.0; 2]; weights.len()];
            for sample in samples {
                let parts = sample.counts.iter().zip(&weights).zip(&scales);
                let odds: f64 = parts
                    .map(|((count, weight), scale)| {
                        (weight[0] * f64::from(count[0]) - weight[1] * f64::from(count[1])) / scale
                    })
                    .sum();
                let error = f64::from(u8::from(sample.won)) - 1.0 / (1.0 + (-odds).exp());
                for ((slope, count), scale) in slopes.iter_mut().zip(&sample.counts).zip(&scales) {
                    slope[0] += error * f64::from(count[0]) / scale;
                    slope[1] -= error * f64::from(count[1]) / scale;
                }
            }
            for ((weight, slope), speed) in weights.iter_mut().zip(&slopes).zip(&mut speeds) {
                for side in 0..2 {
                    // With momentum, and drawn to zero a little, so that features that say nothing get no weight.
                    speed[side] = 0.9 * speed[side] + 0.1 * (slope[side] / total - 1e-4 * weight[side]);
                    weight[side] += speed[side];
                }
            }
        }
        for ((feature, weight), scale) in self.features.iter_mut().zip(&weights).zip(&scales) {
            feature.weights = weight.map(|weight| weight / scale);
        }
    }
}

/// A state of a game, and who won.
struct Sample {
    counts: Vec<[f32; 2]>,
    player: usize,
    won: bool,
}

/// The features that name one player, after their first argument.
fn features(ground: &GroundSystem) -> Vec<Feature> {
    let system = &ground.system;
    let buckets = ground.buckets();
    let mut features = Vec::new();
    for (first, size, predicate, rest) in &buckets {
        let own = rest.iter().filter(|name| system.players.contains(name)).count();
        if own != 1 || *predicate == system.input_move || !rest.contains(&system.players[0]) {
            continue;
        }
        let mirrored: Vec<_> =
            rest.iter().map(|&name| if name == system.players[0] { system.players[1] } else { name }).collect();
        let twin = buckets.iter().find(|(_, _, other, rest)| other == predicate && *rest == mirrored);
        if let Some(&(second, ..)) = twin {
            features.push(Feature { first: [*first, second], size: *size, weights: [0.0; 2] });
        }
    }
    features
}

//! Counting the ways a game can go: the quickest way to find that two move generators differ.

use super::{Game, JointMoves};
use rayon::prelude::*;

/// How many ways there are to play 1, 2, ... `depth` joint moves from the start of a game.
///
/// A game that ends earlier adds nothing to later depths. Counts stay at `u64::MAX` instead of overflowing.
pub fn perft<G: Game>(game: &G, depth: usize) -> Vec<u64> {
    perft_from(game, &game.start(), depth)
}

/// The same as [`perft`], the root's joint moves shared out among the threads of the current rayon pool.
pub fn perft_parallel<G: Game>(game: &G, depth: usize) -> Vec<u64> {
    let children = children(game, &game.start());
    if depth < 2 {
        return vec![children.len() as u64; depth];
    }
    let below = children.par_iter().map(|child| perft_from(game, child, depth - 1)).reduce(
        || vec![0; depth - 1],
        |mut sum, counts| {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(count));
            sum
        },
    );
    std::iter::once(children.len() as u64).chain(below).collect()
}

/// The same from any state.
///
/// The last joint moves are only counted, and the states on the way are written over each other, so nothing is
/// allocated for a node that the game's own states and moves do not allocate.
pub fn perft_from<G: Game>(game: &G, state: &G::State, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    if depth < 2 {
        counts.iter_mut().for_each(|count| *count = game.count(state));
        return counts;
    }
    let mut levels: Vec<DepthLevel<G>> = vec![DepthLevel::with(state)];
    levels[0].joints.begin(game, state);
    let mut ply = 0;
    loop {
        if levels.len() == ply + 1 {
            levels.push(DepthLevel::with(state));
        }
        let [here, next] = &mut levels[ply..ply + 2] else { unreachable!("the level below is always there") };
        let Some(joint) = here.joints.advance() else {
            if ply == 0 {
                return counts;
            }
            ply -= 1;
            continue;
        };
        next.state.clone_from(&here.state);
        game.play(&mut next.state, joint);
        counts[ply] = counts[ply].saturating_add(1);
        if ply + 2 == depth {
            counts[ply + 1] = counts[ply + 1].saturating_add(game.count(&next.state));
        } else {
            next.joints.begin(game, &next.state);
            ply += 1;
        }
    }
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
}

fn children<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    let mut joints = JointMoves::default();
    joints.begin(game, state);
    let mut children = Vec::new();
    while let Some(joint) = joints.advance() {
        let mut child = state.clone();
        game.play(&mut child, joint);
        children.push(child);
    }
    children
}

/// What follows one joint move of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The name of each moving role's move.
    pub names: Vec<String>,
    /// How many ways there are to play the remaining joint moves, 1 if there is none left.
    pub leaves: u64,
}

/// The count of [`perft`] for one depth, parted by the joint moves of the start; none at depth 0.
pub fn divide<G: Game>(game: &G, depth: usize) -> Vec<Division> {
    divide_from(game, &game.start(), depth)
}

/// The same from any state.
pub fn divide_from<G: Game>(game: &G, state: &G::State, depth: usize) -> Vec<Division> {
    let Some(remaining) = depth.checked_sub(1) else { return Vec::new() };
    let mut joints = JointMoves::default();
    joints.begin(game, state);
    let roles: Vec<_> = game.to_move(state).iter().collect();
    let names: Vec<Vec<String>> =
        roles.iter().enumerate().map(|(place, &role)| game.move_names(state, role, joints.moves(place))).collect();
    let mut parts = Vec::new();
    while joints.advance().is_some() {
        let mut child = state.clone();
        game.play(&mut child, joints.current());
        let leaves = perft_from(game, &child, remaining).last().copied().unwrap_or(1);
        let names = names.iter().zip(joints.picks()).map(|(names, &pick)| names[pick].clone()).collect();
        parts.push(Division { names, leaves });
    }
    parts
}

//! Playouts: games played to their end by chance alone.

use super::{Chance, Game, Goals};
use std::sync::atomic::{AtomicBool, Ordering};

/// How a playout went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How many joint moves were played.
    pub plies: u64,
    /// Why it stopped.
    pub end: PlayoutEnd,
}

/// Why a playout stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayoutEnd {
    /// The game was over, and each role got this.
    Over(Goals),
    /// As many joint moves had been played as were allowed. A game need not have an end.
    Limit,
}

impl Playout {
    /// What each role got, if the game came to its end.
    pub fn goals(&self) -> Option<&Goals> {
        match &self.end {
            PlayoutEnd::Over(goals) => Some(goals),
            PlayoutEnd::Limit => None,
        }
    }
}

/// Plays out one game again and again in the same room.
#[derive(Clone, Debug)]
pub struct Playouts<'g, G: Game> {
    game: &'g G,
    state: G::State,
    moves: Vec<G::Move>,
    joint: Vec<G::Move>,
}

impl<'g, G: Game> Playouts<'g, G> {
    /// Room for playouts of a game.
    pub fn new(game: &'g G) -> Playouts<'g, G> {
        Playouts { game, state: game.start(), moves: Vec::new(), joint: Vec::new() }
    }

    /// Plays random moves, each joint move as likely as any other, from a state to the end or for `limit` joint moves.
    pub fn run(&mut self, from: &G::State, limit: u64, chance: &mut Chance) -> Playout {
        self.run_until(from, limit, chance, &AtomicBool::new(false)).expect("nobody stops it")
    }

    /// The same, but once `stop` is set, it is given up before the next joint move.
    pub fn run_until(
        &mut self,
        from: &G::State,
        limit: u64,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Option<Playout> {
        self.state.clone_from(from);
        for plies in 0..limit {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if !self.game.play_at_random(&mut self.state, chance, &mut self.moves, &mut self.joint) {
                let goals = self.game.goals(&self.state).expect("no move is played only where the game is over");
                return Some(Playout { plies, end: PlayoutEnd::Over(goals) });
            }
        }
        let end = self.game.goals(&self.state).map_or(PlayoutEnd::Limit, PlayoutEnd::Over);
        Some(Playout { plies: limit, end })
    }

    /// The state in which the last playout stopped.
    pub fn state(&self) -> &G::State {
        &self.state
    }
}

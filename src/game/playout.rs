//! Playouts: games played to their end by chance alone.

use super::{Chance, FactSet, Game, Goals, Halt, Roles, Truncation, Vocabulary};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    /// The state is beyond the engine's limits.
    Truncated(Truncation),
}

impl Playout {
    /// What each role got, if the game came to its end.
    pub fn goals(&self) -> Option<&Goals> {
        match &self.end {
            PlayoutEnd::Over(goals) => Some(goals),
            PlayoutEnd::Limit | PlayoutEnd::Truncated(_) => None,
        }
    }

    /// Why the state in which it stopped is beyond the engine's limits, if so.
    pub fn truncation(&self) -> Option<Truncation> {
        if let PlayoutEnd::Truncated(reason) = self.end { Some(reason) } else { None }
    }
}

/// A state of a playout, as a learner sees it.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutState<'a, S> {
    /// How many joint moves were played before it.
    pub ply: u64,
    /// Who made the last of them; nobody in the first state.
    pub moved: Roles,
    /// The state itself.
    pub state: &'a S,
    /// What holds in it.
    pub facts: &'a FactSet,
}

/// Plays out one game again and again in the same room.
///
/// The game is held by any pointer `R`: an `Arc` if this is to live long, otherwise a plain reference will do.
///
/// ```
/// use onlooker::game::{Chance, Game, Playouts, catalogue_game};
/// use std::sync::Arc;
///
/// let game = Arc::new(catalogue_game("tic-tac-toe").expect("a game of the catalogue"));
/// let mut playouts = Playouts::new(Arc::clone(&game));
/// let playout = playouts.run(&game.start(), 9, &mut Chance::new(1));
/// assert!(playout.plies >= 5 && playout.goals().is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Playouts<G: Game, R: Deref<Target = G> = Arc<G>> {
    game: R,
    state: G::State,
    moves: Vec<G::Move>,
    joint: Vec<G::Move>,
}

impl<G: Game, R: Deref<Target = G>> Playouts<G, R> {
    /// Room for playouts of a game.
    pub fn new(game: R) -> Playouts<G, R> {
        let state = game.start();
        Playouts { game, state, moves: Vec::new(), joint: Vec::new() }
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
        let (state, moves, joint) = (&mut self.state, &mut self.moves, &mut self.joint);
        let (plies, halt) = self.game.play_many_at_random(state, limit, chance, stop, moves, joint);
        let end = match halt {
            Halt::Stopped => return None,
            Halt::NoMove => self.end(),
            Halt::Limit => self.game.goals(&self.state).map_or(PlayoutEnd::Limit, PlayoutEnd::Over),
        };
        Some(Playout { plies, end })
    }

    /// The same as [`Playouts::run`], move by move, and shows every state from the first to the last. Facts that the vocabulary
    /// does not know are added to it.
    pub fn run_watched(
        &mut self,
        from: &G::State,
        limit: u64,
        chance: &mut Chance,
        vocabulary: &mut Vocabulary,
        watch: &mut dyn FnMut(PlayoutState<'_, G::State>),
    ) -> Playout {
        self.state.clone_from(from);
        let mut facts = FactSet::default();
        let mut moved = Roles::first(0);
        for ply in 0.. {
            vocabulary.learn(&*self.game, &self.state, &mut facts);
            watch(PlayoutState { ply, moved, state: &self.state, facts: &facts });
            if ply == limit {
                break;
            }
            moved = self.game.to_move(&self.state);
            if !self.game.play_at_random(&mut self.state, chance, &mut self.moves, &mut self.joint) {
                return Playout { plies: ply, end: self.end() };
            }
        }
        let end = self.game.goals(&self.state).map_or(PlayoutEnd::Limit, PlayoutEnd::Over);
        Playout { plies: limit, end }
    }

    /// Why no move could be played.
    fn end(&self) -> PlayoutEnd {
        match self.game.goals(&self.state) {
            Some(goals) => PlayoutEnd::Over(goals),
            // A game that breaks its contract looks like one without an end.
            None => self.game.truncation(&self.state).map_or(PlayoutEnd::Limit, PlayoutEnd::Truncated),
        }
    }

    /// The state in which the last playout stopped.
    pub fn state(&self) -> &G::State {
        &self.state
    }
}

//! What was learnt of how pieces move, as each player sees the board.

use super::contradiction::Contradiction;
use super::guard::{Guards, Why};
use super::letter::Letter;
use crate::automata::Dfa;
use crate::board::{Cell, Shape};
use crate::budget::StopReason;

/// What was learnt of one kind of piece.
#[derive(Clone, Debug)]
pub(super) struct KindMovement {
    /// The piece as the first player has it, or [`Cell::EMPTY`] for drops.
    pub kind: Cell,
    /// Whether both players move it in the same way, as they see the board.
    pub shared: bool,
    /// What was learnt for each player who has it, as that player sees the board.
    pub players: [Option<PlayerMovement>; 2],
}

impl KindMovement {
    /// Why the search ended: the worse reason, if the players' were two searches.
    pub fn stopped(&self) -> StopReason {
        self.players.iter().flatten().map(|movement| movement.stopped).max().unwrap_or_default()
    }

    /// The same movement as the best so far of a search that was stopped.
    pub fn marked(mut self, stopped: StopReason) -> KindMovement {
        for movement in self.players.iter_mut().flatten() {
            (movement.stopped, movement.consistent) = (stopped, false);
        }
        self
    }
}

/// How one player moves a kind of piece.
#[derive(Clone, Debug)]
pub(super) struct PlayerMovement {
    pub automaton: Dfa<Letter>,
    pub guards: Guards,
    /// For each guard why it is needed.
    pub why: Vec<Option<Why>>,
    pub consistent: bool,
    pub contradictions: Vec<Contradiction>,
    /// Why the search ended. If it did not come to its end, the automaton is the best so far, and has no words if there
    /// was none.
    pub stopped: StopReason,
}

impl PlayerMovement {
    /// No movement, since the search ended too early or everything contradicts it.
    pub fn none(shape: Shape, stopped: StopReason) -> PlayerMovement {
        PlayerMovement {
            automaton: no_words(),
            guards: Guards::none(shape),
            why: Vec::new(),
            consistent: false,
            contradictions: Vec::new(),
            stopped,
        }
    }

    /// Whether the search ended before anything was found.
    pub fn is_missing(&self) -> bool {
        !self.stopped.is_done() && self.automaton.states().iter().all(|state| !state.accepting)
    }
}

/// The automaton that accepts nothing.
pub(super) fn no_words() -> Dfa<Letter> {
    Dfa::prefix_tree([] as [Vec<Letter>; 0])
}

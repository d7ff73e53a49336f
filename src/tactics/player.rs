//! The player: wins by rule if it can, avoids what the opponent could win by, and otherwise leaves the choice to another agent.
//!
//! A move is bad if the opponent wins after it, by a proved rule or by threats that lead to one: the look ahead by one move that the paper's
//! second appendix asks for. If only some moves are not bad, the player is forced, and knows why.

use super::board::GameBoard;
use super::forced_win::{ForcedWin, ForcedWins, Foresight};
use super::language::Name;
use super::library::Library;
use super::state::State;
use super::system::UpdateSystem;
use crate::game::{Chance, Game, Role};
use crate::play::{Agent, Choice};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What rules say about a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The moves that are left to choose from.
    pub squares: Vec<Name>,
    /// Why.
    pub why: Why,
}

/// Why moves are left or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A rule wins.
    Wins(ForcedWin),
    /// All other moves let the opponent win: here is one way.
    Forced(ForcedWin),
    /// All moves do: these hold out longest.
    Lost(ForcedWin),
    /// No rule says anything.
    Free,
}

/// What rules say to a player who is to move and may play on these squares.
pub fn decide(
    system: &UpdateSystem,
    library: &Library,
    state: &State,
    player: Name,
    legal: &[Name],
    foresight: Foresight,
    stop: &AtomicBool,
) -> Decision {
    let mut search = ForcedWins::new(system, library, foresight);
    if let Some(threat) = search.find(state, player).filter(|threat| legal.contains(&threat.square)) {
        return Decision { squares: vec![threat.square], why: Why::Wins(threat) };
    }
    let other = system.other(player);
    let mut losing: Vec<(Name, ForcedWin)> = Vec::new();
    let mut safe = Vec::new();
    for &square in legal {
        if stop.load(Ordering::Relaxed) {
            // What was not looked at is not known to lose.
            safe.push(square);
            continue;
        }
        let Some((after, _)) = state.play(system, square, player) else { continue };
        match search.find(&after, other) {
            Some(threat) => losing.push((square, threat)),
            None => safe.push(square),
        }
    }
    let longest = losing.iter().map(|(_, threat)| threat.depth).max().unwrap_or(0);
    match losing.first().map(|(_, threat)| *threat) {
        None => Decision { squares: legal.to_vec(), why: Why::Free },
        Some(threat) if !safe.is_empty() => Decision { squares: safe, why: Why::Forced(threat) },
        Some(threat) => {
            let squares =
                losing.iter().filter(|(_, threat)| threat.depth == longest).map(|(square, _)| *square).collect();
            Decision { squares, why: Why::Lost(threat) }
        }
    }
}

/// An agent that plays by rules, and asks another one where they leave a choice.
pub struct TacticsPlayer<G: Game> {
    /// The game as features.
    pub system: Arc<UpdateSystem>,
    /// The rules.
    pub library: Arc<Library>,
    /// How the board is read.
    pub board: GameBoard,
    /// How far it looks for forced wins.
    pub foresight: Foresight,
    /// Who chooses where rules leave a choice.
    pub otherwise: Arc<dyn Agent<G>>,
}

impl<G: Game> Agent<G> for TacticsPlayer<G> {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        mut moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        let features = game.position(state).and_then(|position| self.board.state(&self.system, &position));
        let squares = self.board.squares(game, state, role, &moves);
        let (Some(features), true) = (features, squares.iter().all(Option::is_some)) else {
            return self.otherwise.choose_among(game, state, role, moves, chance, stop);
        };
        let legal: Vec<Name> = squares.iter().flatten().copied().collect();
        let player = self.system.players[role.index()];
        let decision = decide(&self.system, &self.library, &features, player, &legal, self.foresight, stop);
        let mut at = 0;
        moves.retain(|_| {
            at += 1;
            decision.squares.contains(&legal[at - 1])
        });
        let (won, proved) = match decision.why {
            Why::Wins(_) => (Some(100.0), true),
            Why::Lost(_) => (Some(0.0), true),
            _ => (None, false),
        };
        let mut choice = match moves.len() {
            1 => Choice::unexamined(moves.swap_remove(0)),
            _ => self.otherwise.choose_among(game, state, role, moves, chance, stop),
        };
        if proved {
            (choice.value, choice.proved) = (won, true);
        }
        choice.nodes += legal.len() as u64;
        choice
    }
}

//! The player: wins by rule if it can, avoids what the opponent could win by, and otherwise leaves the choice to another agent.

use super::adequacy::{BESIDE_GAMES, Inadequate, check_beside};
use super::board::{BoardError, GameBoard};
use super::checker::Refuted;
use super::decision::{Why, decide, decide_first};
use super::feature_value::FeatureValue;
use super::forced_win::Foresight;
use super::ground::MoveId;
use super::ground_checker::{Checker, MOST_INSTANCES};
use super::recogniser::{CompileError, Recogniser};
use super::recognition::Status;
use super::rule_file::RuleFile;
use crate::game::{Chance, Game, Role};
use crate::play::{Agent, Choice, Random};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An agent that plays by rules, and asks another one where they leave a choice.
pub struct TacticsPlayer<G: Game> {
    /// The rules, compiled.
    pub recogniser: Arc<Recogniser>,
    /// How the board is read.
    pub board: GameBoard,
    /// How far it looks for forced wins.
    pub foresight: Foresight,
    /// Who chooses where rules leave a choice.
    pub otherwise: Otherwise<G>,
}

/// Who chooses where rules leave a choice.
pub enum Otherwise<G: Game> {
    /// Another agent.
    Agent(Arc<dyn Agent<G>>),
    /// What the features of the system are worth.
    Value(FeatureValue),
}

/// Rules that a game cannot be played by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesRefused {
    /// The game has another board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The system plays otherwise than the game.
    #[error("found a system of another game: {0}")]
    OtherGame(Inadequate),
    /// A proof does not hold.
    #[error("the proof of rule {rule} is not accepted: {reason}")]
    Proof {
        /// The rule.
        rule: String,
        /// Why.
        reason: Refuted,
    },
    /// They cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
}

/// The rules of a file, compiled for a game. A file may have been edited: only what the checker accepts is relied on.
///
/// # Errors
///
/// They are of another game, or the checker does not accept a proof.
pub fn checked_rules<G: Game>(file: &RuleFile, game: &G) -> Result<(Recogniser, GameBoard), RulesRefused> {
    let board = GameBoard::new(&file.system, game)?;
    check_beside(&file.system, game, BESIDE_GAMES, 1).map_err(RulesRefused::OtherGame)?;
    let recogniser = Recogniser::new(&file.system, &file.library)?.with_events(&file.library)?;
    let checker = match file.library.rules.iter().any(|rule| rule.event.is_some()) {
        true => Checker::new(&file.system),
        false => Checker::of_ground(&recogniser.ground),
    };
    for rule in file.library.rules.iter().filter(|rule| rule.status == Status::Proved) {
        checker
            .check_rule(rule, MOST_INSTANCES)
            .map_err(|reason| RulesRefused::Proof { rule: rule.name.clone(), reason })?;
    }
    Ok((recogniser, board))
}

impl<G: Game> TacticsPlayer<G> {
    /// A player by checked rules. Where they leave a choice `then` chooses, or what the features are worth.
    pub fn new((recogniser, board): (Recogniser, GameBoard), then: Option<Arc<dyn Agent<G>>>) -> TacticsPlayer<G> {
        let otherwise = match then {
            Some(agent) => Otherwise::Agent(agent),
            None => Otherwise::Value(FeatureValue::learn(&recogniser)),
        };
        TacticsPlayer { recogniser: Arc::new(recogniser), board, foresight: Foresight::default(), otherwise }
    }

    fn choose_otherwise(
        &self,
        (game, state, role): (&G, &G::State, Role),
        moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        match &self.otherwise {
            Otherwise::Agent(agent) => agent.choose_among(game, state, role, moves, chance, stop),
            Otherwise::Value(_) => Random.choose_among(game, state, role, moves, chance, stop),
        }
    }
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
        let ground = &self.recogniser.ground;
        let features = self.board.position(game, state).and_then(|position| self.board.state(ground, &position));
        let player = self.board.player(role);
        let squares = self.board.squares(game, state, role, &moves);
        let legal: Option<Vec<MoveId>> =
            squares.iter().map(|&square| square.and_then(|square| ground.move_id(square, player))).collect();
        let (Some(mut features), Some(legal)) = (features, legal) else {
            return self.choose_otherwise((game, state, role), moves, chance, stop);
        };
        let decision = match &self.otherwise {
            Otherwise::Agent(_) => decide(&self.recogniser, &mut features, &legal, self.foresight, stop),
            Otherwise::Value(value) => {
                let liked = value.ranked(ground, &mut features, &legal, chance, stop);
                decide_first(&self.recogniser, &mut features, &liked, self.foresight, stop)
            }
        };
        let mut left = decision.moves;
        if matches!(decision.why, Why::Free | Why::Forced(_))
            && let Some(best) = self.recogniser.preferred(&features, &left)
        {
            // Nobody wins by what is known: then what a rule for an event proves here is better than nothing.
            left = vec![best];
        } else if matches!(self.otherwise, Otherwise::Value(_)) {
            // They are in the order in which they are liked.
            left.truncate(1);
        }
        let mut at = 0;
        moves.retain(|_| {
            at += 1;
            left.contains(&legal[at - 1])
        });
        let (won, proved) = match decision.why {
            Why::Wins(_) => (Some(100.0), true),
            Why::Lost(_) => (Some(0.0), true),
            _ => (None, false),
        };
        let mut choice = match moves.len() {
            1 => Choice::unexamined(moves.swap_remove(0)),
            _ => self.choose_otherwise((game, state, role), moves, chance, stop),
        };
        if proved {
            (choice.value, choice.proved) = (won, true);
        }
        choice.nodes += legal.len() as u64;
        choice
    }
}

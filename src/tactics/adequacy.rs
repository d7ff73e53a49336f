//! Whether a state-update system is adequate: the three requirements of section 7.2, and the invariants that proofs use.
//!
//! *Format* is what the reader of the text form demands. *Legality*: a move that is refused stays in the state, and some rule takes legal ones
//! away. *Applicability*: some rule adds `won`. What cannot be read off the rules is tested in random games, beside the game itself
//! where there is one.

use super::board::{BoardError, GameBoard, systems_for};
use super::language::{Bindings, Fact, Name};
use super::matching::facts_of;
use super::state::State;
use super::system::UpdateSystem;
use crate::game::{AnyGame, Chance, Game, Role};
use std::sync::atomic::AtomicBool;

/// What was tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdequacyReport {
    /// Random games.
    pub games: u64,
    /// States that were looked at.
    pub states: u64,
    /// Games that somebody won.
    pub wins: u64,
}

/// A requirement that a system does not meet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {requirement} requirement is not met: {reason}")]
pub struct Inadequate {
    /// `legality`, `applicability` or `invariant`.
    pub requirement: &'static str,
    /// What is wrong.
    pub reason: String,
}

fn inadequate(requirement: &'static str, reason: impl Into<String>) -> Inadequate {
    Inadequate { requirement, reason: reason.into() }
}

/// Checks a system by its rules and in random games of its own.
///
/// # Errors
///
/// A requirement is not met.
pub fn check_adequacy(system: &UpdateSystem, games: u64, seed: u64) -> Result<AdequacyReport, Inadequate> {
    by_rules(system)?;
    let mut report = AdequacyReport::default();
    for number in 0..games {
        let mut chance = Chance::stream(seed, number);
        let mut state = system.start_state();
        invariants(system, &state)?;
        for ply in 0.. {
            let player = system.players[ply % 2];
            let moves = state.legal(system, player);
            report.states += 1;
            if moves.is_empty() {
                break;
            }
            let square = moves[chance.below(moves.len())];
            let next = state.play(system, square, player);
            let (next, _) = next.ok_or_else(|| inadequate("legality", "the rules never come to rest after a move"))?;
            invariants(system, &next)?;
            if next == state {
                return Err(inadequate("legality", "a move changes nothing"));
            }
            state = next;
            if ply > 10_000 {
                return Err(inadequate("applicability", "a random game never ends"));
            }
        }
        report.games += 1;
        report.wins += u64::from(state.winner(system).is_some());
    }
    Ok(report)
}

fn by_rules(system: &UpdateSystem) -> Result<(), Inadequate> {
    let takes =
        |predicate| system.rules.iter().any(|rule| rule.delete.iter().any(|literal| literal.predicate == predicate));
    let adds =
        |predicate| system.rules.iter().any(|rule| rule.add.iter().any(|literal| literal.predicate == predicate));
    if !takes(system.input_move) {
        return Err(inadequate("legality", "no rule deletes input-move, so that every move ends in the error state"));
    }
    if !adds(system.won) {
        return Err(inadequate("applicability", "no rule adds won, so that nobody ever wins"));
    }
    // A set of which exactly one holds stays one if every rule takes one away for each that it adds.
    for rule in &system.rules {
        for group in &system.groups {
            let keys = |literals: &[super::language::Literal]| {
                let mut keys: Vec<_> = literals
                    .iter()
                    .filter_map(|literal| literal.arguments.get(group.place(literal.predicate)?).copied())
                    .collect();
                keys.sort();
                keys
            };
            if keys(&rule.add) != keys(&rule.delete) {
                let names: Vec<&str> = group.features.iter().map(|&(name, _)| system.names.text(name)).collect();
                let reason = format!("rule {} adds other than it deletes of one-of {}", rule.name, names.join(" "));
                return Err(inadequate("invariant", reason));
            }
        }
    }
    Ok(())
}

fn invariants(system: &UpdateSystem, state: &State) -> Result<(), Inadequate> {
    for group in &system.groups {
        for &key in system.objects(group.kind) {
            let about = |&&(name, place): &&(Name, usize)| match place {
                0 => facts_of(&state.facts, name, Some(key)).count(),
                _ => facts_of(&state.facts, name, None).filter(|fact| fact.arguments[place] == key).count(),
            };
            let holding: usize = group.features.iter().map(|feature| about(&feature)).sum();
            if holding != 1 {
                let reason = format!("{holding} features of one set hold for {}, expected 1", system.names.text(key));
                return Err(inadequate("invariant", reason));
            }
        }
    }
    for tally in &system.tallies {
        for fact in facts_of(&state.facts, tally.feature.predicate, None) {
            let mut bindings = Bindings::default();
            if bindings.unify(&tally.feature, fact).is_none() {
                continue;
            }
            let counted = |place: &&Fact| {
                let mut bindings = bindings.clone();
                let bound = bindings.unify(&tally.place, place).is_some();
                bound && bindings.fact(&tally.counted).is_some_and(|counted| state.facts.contains(&counted))
            };
            let count = system.statics.candidates(&tally.place, &bindings).iter().filter(counted).count();
            let said = fact.arguments.last().map_or("", |&name| system.names.text(name));
            if said != count.to_string() {
                return Err(inadequate("invariant", format!("a tally says {said}, expected {count}")));
            }
        }
    }
    Ok(())
}

/// Checks a system beside its game: the same moves are legal, and the same player wins, in random games.
///
/// # Errors
///
/// They differ, or the game is none that a system can follow.
pub fn check_beside<G: Game>(
    system: &UpdateSystem,
    game: &G,
    games: u64,
    seed: u64,
) -> Result<AdequacyReport, Inadequate> {
    let mut report = AdequacyReport::default();
    let board = GameBoard::new(system, game).map_err(|error| inadequate("legality", error.to_string()))?;
    for number in 0..games {
        let mut chance = Chance::stream(seed, number);
        let mut state = game.start();
        let mut features = system.start_state();
        let mut moves = Vec::new();
        loop {
            report.states += 1;
            let winner = features.winner(system);
            if let Some(goals) = game.goals(&state) {
                let best = (0..2).find(|&role| goals[role] == Some(100) && goals[1 - role] != Some(100));
                if best.map(|role| board.player(Role(role as u8))) != winner {
                    return Err(inadequate("applicability", "the game and the system have different winners"));
                }
                report.wins += u64::from(winner.is_some());
                break;
            }
            if winner.is_some() {
                return Err(inadequate("applicability", "the system has a winner where the game goes on"));
            }
            let mut roles = game.to_move(&state).iter();
            let (Some(role), None) = (roles.next(), roles.next()) else {
                return Err(inadequate("legality", "several players move at the same time"));
            };
            game.legal(&state, role, &mut moves);
            let mut squares = board.squares(game, &state, role, &moves);
            let at = chance.below(moves.len().max(1));
            let (Some(pick), Some(&Some(square))) = (moves.get(at), squares.get(at)) else {
                return Err(inadequate("legality", "a move of the game does not put a piece on an empty square"));
            };
            let player = board.player(role);
            let mut known: Vec<_> = features.legal(system, player).into_iter().map(Some).collect();
            squares.sort();
            known.sort();
            if squares != known {
                let (found, expected) = (known.len(), squares.len());
                let reason = format!("the system has {found} legal moves where the game has {expected}, or others");
                return Err(inadequate("legality", reason));
            }
            let pick = pick.clone();
            let next = features.play(system, square, player);
            features = next.ok_or_else(|| inadequate("legality", "a legal move is refused"))?.0;
            game.play(&mut state, std::slice::from_ref(&pick));
        }
        report.games += 1;
    }
    Ok(report)
}

/// In how many games a system is compared with the game.
pub const BESIDE_GAMES: u64 = 3;

/// A game that none of our systems describes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSystem {
    /// Nothing is known that could.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Those that might play otherwise.
    #[error("no state-update system describes {game}: {}; expected one with --system", reasons.join("; "))]
    Differ {
        /// The game.
        game: String,
        /// Where each differs.
        reasons: Vec<String>,
    },
}

/// The first of our systems that may describe a game and does, unless `stop` is set before it is found.
///
/// # Errors
///
/// None does.
pub fn find_system(game: &AnyGame, stop: &AtomicBool) -> Result<UpdateSystem, NoSystem> {
    let mut reasons = Vec::new();
    for text in systems_for(game, stop)? {
        match UpdateSystem::parse(&text) {
            Ok(system) => match check_beside(&system, game, BESIDE_GAMES, 1) {
                Ok(_) => return Ok(system),
                Err(error) => reasons.push(error.to_string()),
            },
            Err(error) => reasons.push(error.to_string()),
        }
    }
    Err(NoSystem::Differ { game: game.name().to_owned(), reasons })
}

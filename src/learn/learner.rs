//! From evidence to rules: movements by one of the methods, then endings, put together.

use super::decide::{zone_number, zone_of_number};
use super::endings::{areas, endings, zone_name};
use super::evidence::Evidence;
use super::going_on::{GoingOn, Names};
use super::grl::{self, How};
use super::guard::{Guard, SquareSet, Test, Why};
use super::learnt::{Learnt, LearntPiece, Need, NeededGuard, Needs, Unexplained};
use super::movement::{KindMovement, PlayerMovement};
use super::options::{Method, Options, Progress, Task};
use super::perspective::{PLAYERS, cell_of, square_of, symbol_of};
use super::reading::{letters, word};
use super::replay::{Allowance, replay};
use super::sample_set::SampleSet;
use super::sgrl::{self, SgrlLimits};
use super::shortest;
use super::situations::{Situations, sorted};
use super::taken::with_names;
use crate::automata::{Dfa, DfaState};
use crate::board::{Cell, Player, Position, Shape, Square, Word};
use crate::budget::StopReason;
use crate::rules::{Landing, Movement, PieceRecord, Provenance, Rules, Side, Start, Symbol, Zone, phrase};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

/// There are no games to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game to learn from")]
pub struct NoGames;

/// Learns rules from evidence on the threads of the current rayon pool. `watch` is called with where it is.
///
/// Each search for a piece's movement takes at most [`Options::budget`] steps, and all of them end soon after `stop` is
/// raised. Then the rules are the best so far: [`Learnt::stopped`] says why, and [`Learnt::unexplained`] what is missing.
///
/// # Errors
///
/// [`NoGames`] if the evidence has none.
pub fn learn(
    evidence: &Evidence,
    options: &Options,
    stop: &AtomicBool,
    watch: &(dyn Fn(Progress) + Sync),
) -> Result<Learnt, NoGames> {
    let shape = evidence.shape.filter(|_| evidence.counts.games > 0).ok_or(NoGames)?;
    let situations = Situations::of(evidence, shape);
    let mut samples = SampleSet::of(evidence, &situations);
    let going_on = GoingOn::of(&situations, evidence.counts.turns[1] > 0);
    let task = Task { options, stop, watch };
    let limits = |distance, expansions| SgrlLimits { distance, expansions };
    let movements = match options.method {
        Method::Shortest => shortest::movements(&mut samples, evidence, &task),
        Method::Paper { distance, expansions } => {
            sgrl::movements(&samples, evidence, limits(distance, expansions), &task)
        }
        Method::Grl(how) => {
            let how = how.map_or(How::Shortest, |(distance, expansions)| How::Collapse(limits(distance, expansions)));
            grl::movements(&mut samples, evidence, how, &task)
        }
    };
    let rates = samples.rates;
    drop(samples);
    let mut learnt = assemble(evidence, &situations, options, movements, &going_on);
    let games = learnt.unexplained.iter().map(|what| match what {
        Unexplained::Games { games, .. } => *games,
        _ => 0,
    });
    let allowance = Allowance { noise: options.noise, rates, unexplained_games: games.sum() };
    match replay(&situations, &learnt.rules, &allowance, &task.unlimited()) {
        Ok((found, open)) => {
            learnt.unexplained.extend(found);
            learnt.rules.learnt.get_or_insert_default().open = open;
        }
        Err(reason) => {
            learnt.stopped = learnt.stopped.max(reason);
            learnt.unexplained.push(Unexplained::NotChecked);
        }
    }
    Ok(learnt)
}

fn assemble(
    evidence: &Evidence,
    situations: &Situations,
    options: &Options,
    learnt: Vec<KindMovement>,
    going_on: &(Names, [GoingOn; 2]),
) -> Learnt {
    let two = evidence.counts.turns[1] > 0;
    let mut moves = Vec::new();
    let mut pieces = Vec::new();
    let mut unexplained = Vec::new();
    let mut stopped = StopReason::Done;
    let mut zones: Vec<Zone> = Vec::new();
    let setup = setup(evidence, situations.shape);
    for movement in &learnt {
        let (KindMovement { kind, shared, players }, reason) = (movement, movement.stopped());
        stopped = stopped.max(reason);
        if !reason.is_done() {
            unexplained.push(Unexplained::Stopped { kind: *kind, reason, budget: options.budget });
        }
        let start = |player| match cell_of(player, *kind).piece() {
            Some(piece) => Start::Piece(piece),
            None => Start::Empty,
        };
        for player in PLAYERS {
            let Some(movement) = &players[player.index()] else { continue };
            let (automaton, numbers) = {
                let kinds: Vec<Cell> = evidence.packing.kinds.iter().map(|&kind| cell_of(player, kind)).collect();
                let asked = with_names(&movement.guards.automaton(&movement.automaton), &kinds);
                let turned = !shared && player == Player::Second;
                let mut number = |number: usize| {
                    let (guard, way) = zone_of_number(number);
                    zone_of(&mut zones, &movement.guards.list[guard], way, &setup, turned)
                };
                with_zones(&on_the_board(player, &asked), &mut number)
            };
            let needs = needs(movement, &automaton, &numbers, &zones, player);
            if !movement.is_missing() && (!shared || player == Player::First) {
                let side = if *shared { Side::Both } else { Side::Only(player) };
                match phrase(&automaton, &zones, player) {
                    Some(words) => moves.push(Movement { side, start: start(player), words }),
                    None => unexplained.push(Unexplained::TooLarge {
                        piece: cell_of(player, *kind),
                        states: automaton.states().len(),
                    }),
                }
            }
            // Words that come to a square twice, for example, are in no movement that can be learnt.
            let listed = evidence.words.get(&(player, cell_of(player, *kind))).into_iter().flatten();
            let left_out = listed
                .filter(|(word, origins)| {
                    let Some(word) = letters(word, player) else { return false };
                    origins.iter().any(|origin| {
                        let spelt = movement.guards.annotate(&word, square_of(player, situations.shape, origin.0));
                        spelt.is_some_and(|spelt| !movement.automaton.accepts(&spelt))
                    })
                })
                .map(|(word, _)| word);
            if let Some(first) = left_out.clone().min()
                && movement.consistent
                && options.noise == 0.0
            {
                let (piece, count, first) = (cell_of(player, *kind), left_out.count(), first.clone());
                unexplained.push(Unexplained::Words { piece, count, first });
            }
            pieces.push(LearntPiece {
                player,
                start: cell_of(player, *kind),
                automaton,
                needs,
                stopped: movement.stopped,
                consistent: movement.consistent,
                contradictions: movement.contradictions.clone(),
            });
        }
    }
    // Lines for both first, then each player's, so that there is one section for each.
    moves.sort_by_key(|movement: &Movement| match movement.side {
        Side::Both => 0,
        Side::Only(player) => 1 + player.index(),
    });
    pieces.sort_by_key(|piece| (piece.player, piece.start));
    let mut rules = Rules {
        name: options.name.clone(),
        about: String::new(),
        players: ["white", "black"].iter().take(if two { 2 } else { 1 }).map(|&name| name.to_owned()).collect(),
        setup,
        zones,
        moves,
        endings: Vec::new(),
        learnt: None,
    };
    let ended = endings(evidence, situations, going_on, &rules, options.noise);
    unexplained.extend(ended.unexplained);
    unexplained.extend(unsaid(evidence));
    (rules.zones, rules.endings) = (ended.zones, ended.endings);
    rules.learnt = Some(Provenance {
        games: evidence.counts.games,
        positions: evidence.counts.positions,
        pieces: pieces.iter().filter_map(|piece| record(evidence, piece)).collect(),
        endings: ended.games,
        open: Vec::new(),
    });
    Learnt { rules, pieces, unexplained, stopped }
}

/// A player's automaton with every letter as it stands on the board.
fn on_the_board(player: Player, automaton: &Dfa<Symbol>) -> Dfa<Symbol> {
    let states = automaton.states().iter().map(|state| {
        let mut edges: Vec<_> = state.edges.iter().map(|&(letter, to)| (symbol_of(player, letter), to)).collect();
        edges.sort_unstable();
        DfaState { accepting: state.accepting, edges }
    });
    Dfa::trimmed(states.collect())
}

/// An automaton with the numbers of the rules' zones in place of those of its guards, and for each guard that it asks for
/// the number of its zone.
fn with_zones(dfa: &Dfa<Symbol>, zone: &mut dyn FnMut(usize) -> usize) -> (Dfa<Symbol>, BTreeMap<usize, usize>) {
    let mut numbers = BTreeMap::new();
    let mut states = dfa.states().to_vec();
    for (symbol, _) in states.iter_mut().flat_map(|state| &mut state.edges) {
        if let Symbol::Zone { number, .. } = symbol {
            *number = *numbers.entry(*number).or_insert_with(|| zone(*number));
        }
    }
    states.iter_mut().for_each(|state| state.edges.sort_unstable());
    (Dfa::trimmed(states), numbers)
}

fn needs(
    movement: &PlayerMovement,
    automaton: &Dfa<Symbol>,
    numbers: &BTreeMap<usize, usize>,
    zones: &[Zone],
    player: Player,
) -> Needs {
    let symbols: BTreeSet<Symbol> =
        automaton.states().iter().flat_map(|state| &state.edges).map(|edge| edge.0).collect();
    let takes = |symbol: &Symbol| matches!(symbol, Symbol::Step { landing: Landing::Take(_), .. });
    let appears = symbols.iter().filter_map(|symbol| match symbol {
        Symbol::Put(cell) => Some(*cell),
        _ => None,
    });
    let need = |(i, why): (usize, &Option<Why>)| {
        let why = why.as_ref()?;
        let letters: Vec<Symbol> = why.word.iter().map(|&letter| symbol_of(player, letter)).collect();
        let guard = match &movement.guards.list[i].test {
            Test::In(_) => NeededGuard::On(zones.get(*numbers.get(&zone_number(i, 0))?)?.name.clone()),
            Test::Sees(look) => NeededGuard::Sees {
                around: look
                    .around
                    .iter()
                    .map(|&(dx, dy)| (dx, if player == Player::First { dy } else { -dy }))
                    .collect(),
                seen: look.seen.clone(),
                edge: look.edge,
                any: look.any,
            },
        };
        let (listed, played) = ((why.listed, why.possible), (why.played, why.expected));
        Some(Need { guard, word: word(&letters), listed, played })
    };
    Needs {
        takes: symbols.iter().any(takes),
        appears: appears.collect(),
        guards: movement.why.iter().enumerate().filter_map(need).collect(),
    }
}

/// The number of a guard's zone, which is added if it is new. What guards a line for the second player alone is written
/// as it stands on the board.
fn zone_of(zones: &mut Vec<Zone>, guard: &Guard, way: usize, setup: &Position, turned: bool) -> usize {
    let shape = setup.shape();
    let squares = match &guard.test {
        Test::In(squares) => squares.clone(),
        Test::Sees(look) => {
            let mut board = Position::empty(shape);
            let as_seen = |square| if turned { shape.mirrored(square) } else { square };
            shape.all().filter(|&s| setup.at(s) == Cell::HOLE).for_each(|s| board.set(as_seen(s), Cell::HOLE));
            let is_part = |square: &Square| board.at(*square) != Cell::HOLE;
            let (dx, dy) = look.around[way];
            // Where the edge counts, or where the square that is looked at is not part of the board.
            let is_beyond = |&square: &Square| match look.any {
                true => look.sees_edge(shape, square),
                false => shape.step(square, dx, dy).filter(is_part).is_none(),
            };
            let edge = shape.all().filter(is_part).filter(is_beyond);
            SquareSet::of(areas(&edge.collect(), &board), shape)
        }
    };
    let areas = if turned { squares.mirrored(shape).areas } else { squares.areas };
    if let Some(number) = zones.iter().position(|zone| zone.areas == areas) {
        return number;
    }
    let name = zone_name(zones, &areas, shape);
    zones.push(Zone { name, areas });
    zones.len() - 1
}

/// The position at the start; of several, the one that most games began with.
fn setup(evidence: &Evidence, shape: Shape) -> Position {
    let (packing, keys) = sorted(&evidence.packing, &evidence.setups);
    let mut setup = Position::empty(shape);
    // Of equally frequent ones the first.
    if let Some((key, _)) = keys.iter().reduce(|a, b| if b.1 > a.1 { b } else { a }) {
        shape.all().for_each(|square| setup.set(square, packing.kinds[packing.at(key, square.index())]));
    }
    setup
}

/// What was seen of a piece, for the reader of its rules.
fn record(evidence: &Evidence, piece: &LearntPiece) -> Option<PieceRecord> {
    let words = evidence.words.get(&(piece.player, piece.start))?;
    let seen = |word: &Word| -> u64 {
        words[word].iter().map(|origin| u64::from(origin.1.all) + u64::from(origin.1.some)).sum()
    };
    let rarest = words.keys().min_by_key(|&word| (seen(word), std::cmp::Reverse(word.0.len()), word))?;
    Some(PieceRecord {
        piece: piece.start.piece()?,
        moves: words.keys().map(seen).sum(),
        words: words.len() as u64,
        rarest: rarest.clone(),
        rarest_seen: seen(rarest),
    })
}

/// What was seen that rules cannot say.
fn unsaid(evidence: &Evidence) -> Vec<Unexplained> {
    let counts = &evidence.counts;
    let setups = evidence.setups.len() as u64;
    let unread = evidence
        .words
        .iter()
        .flat_map(|((player, _), words)| words.keys().filter(|word| letters(word, *player).is_none()));
    let all = [
        Unexplained::NoMoves(if counts.moves == 0 { counts.games } else { 0 }),
        Unexplained::Setups(if setups > 1 { setups } else { 0 }),
        Unexplained::Passes(counts.passes),
        Unexplained::Hands(counts.hands),
        Unexplained::Turns(if counts.turns[1] > 0 { counts.irregular } else { 0 }),
        Unexplained::Letters(unread.count() as u64),
    ];
    all.into_iter().filter(|unsaid| !unsaid.is_nothing()).collect()
}

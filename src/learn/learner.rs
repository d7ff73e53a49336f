//! From evidence to rules.

use super::boards::Situations;
use super::endings::{GoingOn, areas, endings, seen, zone_name};
use super::guard::{Guard, SquareSet, Test};
use super::guard_search::Why;
use super::movement::{KindMovement, PLAYERS, PlayerMovement, SampleSet, cell_of};
use super::reading::{as_seen_by, letters, word};
use super::{Contradiction, Evidence};
use crate::automata::{Dfa, DfaState};
use crate::board::{Cell, Player, Position, Shape, Square, Word};
use crate::rules::{Landing, Movement, PieceRecord, Provenance, Rules, Side, Start, Symbol, Zone, phrase};
use std::collections::{BTreeMap, BTreeSet};

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The game's name, without spaces.
    pub name: String,
    /// How movements are found.
    pub method: Method,
    /// How much less often than its share a legal kind of move may be played where only some moves are listed.
    pub floor: f64,
    /// The share of records that may be false.
    pub noise: f64,
    /// After how many steps each search for a piece's movement is given up. It counts what is looked at, not the time.
    pub effort: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { name: "learnt".to_owned(), method: Method::Shortest, floor: 0.1, noise: 0.0, effort: EFFORT }
    }
}

/// Many times what any known game takes.
const EFFORT: u64 = 500_000_000;

/// How movements are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The shortest description of the movement and of the records together.
    Shortest,
    /// Algorithms 1 and 2 of the paper: collapses states as long as nothing known speaks against it.
    Paper {
        /// K: how far from each other two states may be to be collapsed.
        distance: usize,
        /// How many automata are looked at.
        expansions: usize,
    },
    /// The system of Gregory, Björnsson and Schiffel (2015): words are cut where pieces appear, the parts are learnt for
    /// each piece, and LOCM learns how parts make a turn. Parts are learnt as in [`Method::Shortest`], or with the
    /// paper's K and number of expansions. Guards, which the paper does not have, are found as in [`Method::Shortest`].
    Grl(Option<(usize, usize)>),
}

impl Method {
    /// The paper's learner with the paper's settings.
    pub const PAPER: Method = Method::Paper { distance: 2, expansions: 20 };
    /// GRL with the same settings.
    pub const PAPERS_GRL: Method = Method::Grl(Some((2, 20)));
}

/// Where a learner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It begins with the movement of a kind of piece, named as the first player has it: of one player, or of both at
    /// once.
    Begun(Cell, Option<Player>),
    /// It has found it.
    Done(Cell, Option<Player>),
    /// It begins with how the parts of the turns make a turn that start on a player's kind of piece.
    TurnsBegun(Cell, Player),
    /// It has found it.
    TurnsDone(Cell, Player),
}

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The rules.
    pub rules: Rules,
    /// How each player's pieces move.
    pub pieces: Vec<LearntPiece>,
    /// What the rules do not account for, in words.
    pub unexplained: Vec<String>,
}

impl Learnt {
    /// Whether the rules account for everything that was seen.
    pub fn is_consistent(&self) -> bool {
        self.unexplained.is_empty() && self.pieces.iter().all(|piece| piece.consistent)
    }
}

/// How one piece moves.
#[derive(Clone, Debug)]
pub struct LearntPiece {
    /// Whose it is.
    pub player: Player,
    /// The piece as it stands on the board, or [`Cell::EMPTY`] for drops.
    pub start: Cell,
    /// Its movement, as it stands on the board.
    pub automaton: Dfa<Symbol>,
    /// What its turns need beyond steps.
    pub needs: Needs,
    /// Whether the search for its movement was given up: then it has none.
    pub given_up: bool,
    /// Whether its movement was found and no records contradict each other on it, beyond the noise that was allowed.
    pub consistent: bool,
    /// On what they do.
    pub contradictions: Vec<Contradiction>,
}

/// What the turns of a piece need beyond steps that find what they say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    /// Whether pieces are taken on squares where the turn does not end.
    pub takes: bool,
    /// Pieces that appear in the course of a turn.
    pub appears: Vec<Cell>,
    /// Where it makes a difference where the piece is, or what is beside it.
    pub guards: Vec<Need>,
}

/// Why a guard is needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// The guard as rules say it, such as `on:far`.
    pub guard: String,
    /// A word on which records contradict each other without the guard; what it removes is not named.
    pub word: Word,
    /// How often it was listed where all moves are, and how often it could have been.
    pub listed: (u64, u64),
    /// How often it was played where only some moves are listed, and how often it was to be expected.
    pub played: (u64, f64),
}

/// There are no games to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game to learn from")]
pub struct NoGames;

/// Learns rules from evidence on the threads of the current rayon pool. `watch` is told where it is.
pub fn learn(evidence: &Evidence, options: &Options, watch: &(dyn Fn(Progress) + Sync)) -> Result<Learnt, NoGames> {
    let shape = evidence.shape.filter(|_| evidence.counts.games > 0).ok_or(NoGames)?;
    let mut situations = Situations::of(evidence, shape);
    let (movements, going_on) = match shape.squares() {
        0..=64 => movements::<1>(evidence, &mut situations, options, watch),
        65..=128 => movements::<2>(evidence, &mut situations, options, watch),
        129..=384 => movements::<6>(evidence, &mut situations, options, watch),
        _ => movements::<16>(evidence, &mut situations, options, watch),
    };
    Ok(assemble(evidence, &situations, options, movements, &going_on))
}

fn movements<const N: usize>(
    evidence: &Evidence,
    situations: &mut Situations,
    options: &Options,
    watch: &(dyn Fn(Progress) + Sync),
) -> (Vec<KindMovement>, GoingOn) {
    let mut ground = SampleSet::<N>::of(evidence, situations);
    // Millions of positions need not be kept twice; endings ask only for the last ones.
    situations.keep_finals();
    let going_on = GoingOn::of(&ground.boards, evidence.counts.turns[1] > 0);
    (ground.movements(evidence, options, watch), going_on)
}

fn assemble(
    evidence: &Evidence,
    situations: &Situations,
    options: &Options,
    learnt: Vec<KindMovement>,
    going_on: &GoingOn,
) -> Learnt {
    let two = evidence.counts.turns[1] > 0;
    let mut moves = Vec::new();
    let mut pieces = Vec::new();
    let mut unexplained = Vec::new();
    let mut zones: Vec<Zone> = Vec::new();
    let setup = setup(evidence, situations.shape);
    for KindMovement { kind, shared, players, given_up } in &learnt {
        if *given_up {
            let what =
                if kind.is_empty() { "where pieces are put down".to_owned() } else { format!("how {kind} moves") };
            unexplained.push(format!("{what}: given up after {} million steps of search", options.effort as f64 / 1e6));
        }
        let start = |player| match cell_of(player, *kind).piece() {
            Some(piece) => Start::Piece(piece),
            None => Start::Empty,
        };
        for player in PLAYERS {
            let Some(movement) = &players[player.index()] else { continue };
            let local: Vec<usize> = (0..movement.guards.list.len()).collect();
            let (automaton, numbers) = {
                let asked = movement.guards.automaton(&movement.automaton, &local);
                let turned = !shared && player == Player::Second;
                let mut number = |local: usize| zone_of(&mut zones, &movement.guards.list[local], &setup, turned);
                with_zones(&on_the_board(player, &asked), &mut number)
            };
            let needs = needs(movement, &automaton, &numbers, &zones, player);
            if !given_up && (!shared || player == Player::First) {
                let side = if *shared { Side::Both } else { Side::Only(player) };
                match phrase(&automaton, &zones, player) {
                    Some(words) => moves.push(Movement { side, start: start(player), words }),
                    None => unexplained.push(format!(
                        "how {} moves: its automaton of {} states is too large to be written as rules",
                        cell_of(player, *kind),
                        automaton.states().len()
                    )),
                }
            }
            // Words that come to a square twice, for example, are in no movement that can be learnt.
            let listed = evidence.words.get(&(player, cell_of(player, *kind))).into_iter().flatten();
            let left_out = listed
                .filter(|(word, origins)| {
                    let Some(word) = letters(word, player) else { return false };
                    origins.iter().any(|origin| {
                        let spelt = movement.guards.annotate(&word, seen(player, situations.shape, origin.0));
                        spelt.is_some_and(|spelt| !movement.automaton.accepts(&spelt))
                    })
                })
                .map(|(word, _)| word);
            if let Some(first) = left_out.clone().min()
                && movement.consistent
                && options.noise == 0.0
            {
                let piece = cell_of(player, *kind);
                unexplained.push(format!("{} words of {piece}, the first {first}", left_out.count()));
            }
            pieces.push(LearntPiece {
                player,
                start: cell_of(player, *kind),
                automaton,
                needs,
                given_up: *given_up,
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
    let ended = endings(evidence, situations, going_on, &rules);
    unexplained.extend(ended.unexplained);
    unexplained.extend(unsaid(evidence));
    (rules.zones, rules.endings) = (ended.zones, ended.endings);
    rules.learnt = Some(Provenance {
        games: evidence.counts.games,
        positions: evidence.counts.positions,
        pieces: pieces.iter().filter_map(|piece| record(evidence, piece)).collect(),
        endings: ended.games,
    });
    Learnt { rules, pieces, unexplained }
}

/// A player's automaton with every letter as it stands on the board.
fn on_the_board(player: Player, automaton: &Dfa<Symbol>) -> Dfa<Symbol> {
    let states = automaton.states().iter().map(|state| {
        let mut edges: Vec<_> = state.edges.iter().map(|&(letter, to)| (as_seen_by(player, letter), to)).collect();
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
        let zone = zones.get(*numbers.get(&i)?)?;
        let letters: Vec<Symbol> = why.word.iter().map(|&letter| as_seen_by(player, letter)).collect();
        let guard = match movement.guards.list[i].test {
            Test::In(_) => format!("on:{}", zone.name),
            Test::SeesNo { dx, dy, seen } => {
                let dy = if player == Player::First { dy } else { -dy };
                format!("not look({dx} {dy} {seen})")
            }
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
fn zone_of(zones: &mut Vec<Zone>, guard: &Guard, setup: &Position, turned: bool) -> usize {
    let shape = setup.shape();
    let squares = match &guard.test {
        Test::In(squares) => squares.clone(),
        // Where the square that is looked at is not part of the board.
        Test::SeesNo { dx, dy, .. } => {
            let mut board = Position::empty(shape);
            let as_seen = |square| if turned { shape.mirrored(square) } else { square };
            shape.all().filter(|&s| setup.at(s) == Cell::HOLE).for_each(|s| board.set(as_seen(s), Cell::HOLE));
            let is_part = |square: &Square| board.at(*square) != Cell::HOLE;
            let edge = shape.all().filter(is_part).filter(|&s| shape.step(s, *dx, *dy).filter(is_part).is_none());
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
    let (packing, keys) = super::boards::sorted(&evidence.packing, &evidence.setups);
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
fn unsaid(evidence: &Evidence) -> Vec<String> {
    let counts = &evidence.counts;
    let mut unsaid = Vec::new();
    let mut tell = |count: u64, what: &str| {
        if count > 0 {
            unsaid.push(format!("{count} {what}"));
        }
    };
    let setups = evidence.setups.len() as u64;
    tell(if setups > 1 { setups } else { 0 }, "different positions at the start; the most frequent one was taken");
    tell(counts.passes, "passes: rules cannot say yet when one may pass");
    tell(counts.hands, "records with pieces in hand: rules know no hands yet");
    let two = counts.turns[1] > 0;
    tell(if two { counts.irregular } else { 0 }, "turns that did not alternate, beginning with the first player");
    let unread = evidence
        .words
        .iter()
        .flat_map(|((player, _), words)| words.keys().filter(|word| letters(word, *player).is_none()));
    tell(unread.count() as u64, "words with letters that rules do not have");
    unsaid
}

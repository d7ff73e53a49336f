//! ResultTable 3 of the paper: how many games it takes where a single move is known.

use super::sgrl::{PieceResult, Study, TrialPlan, columns, label_columns};
use super::{ResultTable, TableCell};
use anyhow::Result;
use onlooker::automata::StateId;
use onlooker::board::{Content, MicroMove, Word};
use onlooker::game::random_game;
use onlooker::learn::{Evidence, Options, learn};
use onlooker::observe::{Listing, Move, Record};
use onlooker::rules::{Landing, Seen, Symbol};
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// After how many games it is looked whether the rules learnt are exact.
const LADDER: [u64; 20] = [1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 1000];

/// For one piece in one trial, after how many games something held; `None` if never.
#[derive(Clone, Copy, Default)]
struct Needed {
    /// The true automaton was consistent for the first time.
    consistent: Option<u64>,
    /// It was consistent from then on.
    stays_consistent: Option<u64>,
    /// What was learnt was exact from then on.
    exact: Option<u64>,
    /// Every transition of the true automaton had been played.
    transitions: Option<u64>,
}

/// Counts games. `done` is called after every trial of every game.
pub fn table(studies: &[Study], plan: &TrialPlan, done: &(dyn Fn() + Sync)) -> Result<ResultTable> {
    let mut rows = Vec::new();
    for study in studies {
        // Nothing is timed here, so that trials may go on side by side.
        let trials = (0..plan.trials).into_par_iter().map(|trial| {
            let needed = needed(study, plan, trial);
            done();
            needed
        });
        let trials = trials.collect::<Result<Vec<_>>>()?;
        for (at, piece) in study.pieces.iter().enumerate() {
            let counts = |of: fn(&Needed) -> Option<u64>| -> Vec<Option<u64>> {
                trials.iter().map(|trial| of(&trial[at])).collect()
            };
            let summary = |of: fn(&Needed) -> Option<u64>| average_least_most(&counts(of), plan.single_games);
            let mut row = piece.labels(study);
            row.extend(piece.printed.games[piece.player.index()].map(TableCell::printed));
            row.extend(summary(|needed| needed.consistent));
            row.extend(summary(|needed| needed.stays_consistent));
            for [average, _, most] in [summary(|needed| needed.exact), summary(|needed| needed.transitions)] {
                row.extend([average, most]);
            }
            rows.push(row);
        }
    }
    let columns = [
        label_columns(),
        columns("the paper", &["avg", "min", "max"]),
        columns("consistent", &["avg", "min", "max"]),
        columns("and stays so", &["avg", "min", "max"]),
        columns("our rules exact", &["avg", "max"]),
        columns("transitions seen", &["avg", "max"]),
    ];
    let notes = [
        "consistent: by Algorithm 1 the true movement is: each of its words that was possible so far is in U, or all",
        "of its z() are, where U has the words that any piece of either player has played; this may be lost again",
        "our rules exact: from here on the default learns the movement exactly; tried after 1, 2, 3, 4, 5, 7, 10, ...",
        "transitions seen: every transition of the true movement's automaton has been played",
    ];
    Ok(ResultTable {
        name: format!("ResultTable 3: games needed when a single move is known (of {})", plan.single_games),
        columns: columns.concat(),
        rows,
        notes: notes.map(str::to_owned).into(),
    })
}

/// One trial: what each piece of a game needed.
fn needed(study: &Study, plan: &TrialPlan, trial: u64) -> Result<Vec<Needed>> {
    let games_plan = plan.games(3, trial, plan.single_games, Listing::All);
    let mut watched: Vec<Watched> = study.pieces.iter().map(Watched::new).collect();
    let mut union = HashSet::new();
    let mut evidence = Evidence::default();
    for game in 1..=plan.single_games {
        let mut records = random_game(&study.game, &games_plan, game - 1)?;
        for record in &mut records {
            see(record, &mut watched, &mut union);
            // Whoever learns gets to know only the move that was played.
            record.moves.truncate(1);
            record.listing = Listing::Some;
        }
        watched.iter_mut().for_each(|piece| piece.after(game, &union));
        evidence.observe(&records)?;
        if LADDER.contains(&game) {
            let exact = study.exact(&learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {})?);
            for (piece, exact) in watched.iter_mut().zip(exact) {
                let since = piece.needed.exact;
                piece.needed.exact = exact.then(|| since.unwrap_or(game));
            }
        }
    }
    Ok(watched.into_iter().map(|piece| piece.needed).collect())
}

/// Takes in all moves of a position, of which the first is played.
fn see(record: &Record, watched: &mut [Watched], union: &mut HashSet<Word>) {
    for (number, choice) in record.moves.iter().enumerate() {
        let Move::Word { start, word } = choice else { continue };
        let cell = record.position.at(*start);
        let piece = watched.iter_mut().find(|piece| piece.piece.start == cell);
        if number == 0 && !union.contains(word) {
            union.insert(word.clone());
        }
        if let Some(piece) = piece {
            if number == 0 {
                piece.played(word);
            }
            if !piece.possible.contains(word) {
                piece.possible.insert(word.clone());
                piece.unknown.push(word.clone());
            }
        }
    }
}

/// What was seen of a piece so far.
struct Watched<'s> {
    piece: &'s PieceResult,
    /// The words that were legal somewhere.
    possible: HashSet<Word>,
    /// Those of them for which U does not speak.
    unknown: Vec<Word>,
    /// The transitions of the true automaton that were not played.
    unplayed: HashSet<(StateId, MicroMove)>,
    needed: Needed,
}

impl<'s> Watched<'s> {
    fn new(piece: &'s PieceResult) -> Watched<'s> {
        let states = piece.truth.states().iter().enumerate();
        let edges = states.flat_map(|(from, state)| {
            let letters = state.edges.iter().filter_map(|edge| letter(edge.0));
            letters.map(move |letter| (StateId(from as u32), letter))
        });
        Watched {
            piece,
            possible: HashSet::new(),
            unknown: Vec::new(),
            unplayed: edges.collect(),
            needed: Needed::default(),
        }
    }

    fn played(&mut self, word: &Word) {
        let mut state = StateId(0);
        for micro in &word.0 {
            self.unplayed.remove(&(state, *micro));
            let edges = &self.piece.truth.states()[state.index()].edges;
            let Some((_, to)) = edges.iter().find(|edge| letter(edge.0) == Some(*micro)) else { return };
            state = *to;
        }
    }

    /// Looks how things are after so many games.
    fn after(&mut self, games: u64, union: &HashSet<Word>) {
        self.unknown.retain(|word| !is_known(word, union));
        let needed = &mut self.needed;
        if self.unknown.is_empty() {
            needed.consistent = needed.consistent.or(Some(games));
            needed.stays_consistent = needed.stays_consistent.or(Some(games));
        } else {
            needed.stays_consistent = None;
        }
        if self.unplayed.is_empty() {
            needed.transitions = needed.transitions.or(Some(games));
        }
    }
}

/// Whether a word is in U, or all of its subsequences with one letter less are.
fn is_known(word: &Word, union: &HashSet<Word>) -> bool {
    let without = |gone: usize| {
        let kept = word.0.iter().enumerate().filter(|(at, _)| *at != gone);
        Word(kept.map(|(_, micro)| *micro).collect())
    };
    union.contains(word) || (0..word.0.len()).all(|gone| union.contains(&without(gone)))
}

/// A step as a log writes it; the paper's games have nothing else.
fn letter(symbol: Symbol) -> Option<MicroMove> {
    let Symbol::Step { dx, dy, landing: Landing::On(seen) } = symbol else { return None };
    let content = match seen {
        Seen::Empty => Content::Empty,
        Seen::Own => Content::Own,
        Seen::Enemy => Content::Opponent,
    };
    Some(MicroMove { dx, dy, content })
}

/// As the paper writes it: there is no average if some trial did not get there.
fn average_least_most(counts: &[Option<u64>], limit: u64) -> [TableCell; 3] {
    let reached: Vec<u64> = counts.iter().copied().flatten().collect();
    let beyond = || TableCell::Text(format!(">{limit}"));
    let count = |count: u64| TableCell::Number(count as f64, 0);
    let least = reached.iter().min().map_or_else(beyond, |&least| count(least));
    if reached.len() < counts.len() {
        return [TableCell::Text("-".to_owned()), least, beyond()];
    }
    let average = reached.iter().sum::<u64>() as f64 / reached.len().max(1) as f64;
    [TableCell::Number(average, 2), least, reached.iter().max().map_or_else(beyond, |&most| count(most))]
}

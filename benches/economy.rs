//! How many games are needed until what is learnt is exact and stays so, piece by piece: the sample economy.
//!
//! `cargo bench --bench economy [-- SEEDS] [zoo]`: the paper's three games, or the pieces of the tests' zoo. For each
//! seed, games are learnt in growing numbers; a piece needs the first of them from which on its movement is exact for
//! all larger ones. Beside it stands when every transition of the true automaton has been played (or listed), and the
//! paper's Table 3.

#[path = "../tests/it/zoo.rs"]
#[allow(dead_code)]
mod zoo;

use onlooker::automata::StateId;
use onlooker::board::{Cell, Content, Player};
use onlooker::game::{RulesGame, catalogue_game};
use onlooker::learn::{Evidence, Options, learn};
use onlooker::observe::{Listing, Move, Record};
use onlooker::rules::{Landing, Seen, Symbol, movement_difference};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use zoo::{ARMIES, AT_RANDOM, Habits, game_of, play};

const LADDER: [u64; 16] = [1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160, 300, 500];
/// Where all moves are listed, everything is known long before.
const LADDER_ALL: [u64; 7] = [1, 2, 3, 5, 10, 20, 50];

/// The paper's averages for the first and the second player: games needed to produce consistent training data.
const TABLE_3: [(&str, &str, &str); 8] = [
    ("breakthrough", "P", "1.40 / 1.3"),
    ("checkers-breakthrough", "C", "> 1000"),
    ("chess-breakthrough", "P", "1.95 / 1.50"),
    ("chess-breakthrough", "K", "6.5 / 5.95"),
    ("chess-breakthrough", "N", "12.55 / 12.50"),
    ("chess-breakthrough", "B", "149.40 / 135.25"),
    ("chess-breakthrough", "R", "85.65 / 85.85"),
    ("chess-breakthrough", "Q", "148.55 / 160.75"),
];

fn main() {
    let seeds: u64 = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(20);
    let catalogue = |name: &'static str| (name, catalogue_game(name).expect("the catalogue has it"));
    let mut games: Vec<(&str, RulesGame)> =
        ["breakthrough", "checkers-breakthrough", "chess-breakthrough"].map(catalogue).into();
    if std::env::args().any(|argument| argument == "zoo") {
        games.clear();
        games.extend(ARMIES.iter().map(|(name, kinds)| (*name, game_of(kinds, 8, 8))));
    }
    let rare = Habits { captures: 0.1, ..AT_RANDOM };
    let often = Habits { captures: 10.0, ..AT_RANDOM };
    for (title, listing, habits) in [
        ("all moves, random play", Listing::All, AT_RANDOM),
        ("single move, random play", Listing::Some, AT_RANDOM),
        ("single move, captures ten times more rarely", Listing::Some, rare),
        ("single move, captures ten times more often", Listing::Some, often),
    ] {
        println!("\n## {title}, {seeds} seeds\n");
        println!("| game | piece | games: median | max | transitions seen: median | max | Table 3, averages |");
        println!("|---|---|---|---|---|---|---|");
        for (name, game) in &games {
            table(name, game, listing, habits, seeds);
        }
    }
}

/// For each piece of both players, when it was exact and when its transitions were seen.
type Needed = BTreeMap<Cell, Times>;

/// After how many games something was so, if ever: exact, and all transitions seen.
type Times = (Option<u64>, Option<u64>);

fn table(name: &str, game: &RulesGame, listing: Listing, habits: Habits, seeds: u64) {
    let needed: Vec<Needed> = (1..=seeds).into_par_iter().map(|seed| one_seed(game, listing, habits, seed)).collect();
    let pieces: BTreeSet<Cell> = needed.iter().flat_map(|needed| needed.keys().copied()).collect();
    for piece in pieces {
        let column = |of: fn(&Times) -> Option<u64>| {
            let mut all: Vec<u64> = needed.iter().map(|needed| of(&needed[&piece]).unwrap_or(u64::MAX)).collect();
            all.sort_unstable();
            let told = |games: u64| if games == u64::MAX { "more".to_owned() } else { games.to_string() };
            // Of an even number of seeds the higher of the two in the middle: not flattering.
            format!("{} | {}", told(all[all.len() / 2]), told(all[all.len() - 1]))
        };
        let letter = piece.to_string();
        let paper = TABLE_3.iter().find(|row| row.0 == name && row.1 == letter.to_uppercase());
        let paper = paper.filter(|_| listing == Listing::Some && habits.captures == 1.0).map_or("", |row| row.2);
        println!("| {name} | {letter} | {} | {} | {paper} |", column(|n| n.0), column(|n| n.1));
    }
}

fn one_seed(game: &RulesGame, listing: Listing, habits: Habits, seed: u64) -> Needed {
    let ladder: &[u64] = if listing == Listing::All { &LADDER_ALL } else { &LADDER };
    let games = play(game, 0..ladder[ladder.len() - 1], listing, habits, seed);
    let mut needed = Needed::new();
    for player in [Player::First, Player::Second] {
        for movement in &game.rules().moves {
            let start = movement.start_for(player);
            needed.insert(start, (None, transitions_seen(game, &games, player, start)));
        }
    }
    let mut evidence = Evidence::default();
    let mut observed = 0;
    for &count in ladder {
        for game in &games[observed..count as usize] {
            evidence.observe(game).expect("games of one kind");
        }
        observed = count as usize;
        let learnt = learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {}).expect("there are games");
        for (&start, (exact_from, _)) in &mut needed {
            let player = start.owner().expect("a piece");
            let movement = game.rules().movement(player, start).expect("the piece moves");
            let truth = game.rules().automaton(movement, player).expect("a small automaton");
            let piece = learnt.pieces.iter().find(|piece| (piece.player, piece.start) == (player, start));
            let shape = game.rules().setup.shape();
            if piece.is_some_and(|piece| movement_difference(&truth, &piece.automaton, shape).is_none()) {
                exact_from.get_or_insert(count);
            } else {
                *exact_from = None;
            }
        }
    }
    needed
}

/// How many games it takes until every transition of the true automaton was in a listed word.
fn transitions_seen(game: &RulesGame, games: &[Vec<Record>], player: Player, start: Cell) -> Option<u64> {
    let movement = game.rules().movement(player, start)?;
    let truth = game.rules().automaton(movement, player).ok()?;
    let transitions = truth.states().iter().zip(0..);
    let mut unseen: BTreeSet<(u32, Symbol)> =
        transitions.flat_map(|(state, number)| state.edges.iter().map(move |edge| (number, edge.0))).collect();
    for (records, number) in games.iter().zip(1..) {
        for record in records.iter().filter(|record| record.turn == player) {
            for choice in &record.moves {
                let Move::Word { start: square, word } = choice else { continue };
                if record.position.at(*square) != start {
                    continue;
                }
                let mut state = StateId(0);
                for micro in &word.0 {
                    let seen = match micro.content {
                        Content::Empty => Seen::Empty,
                        Content::Own => Seen::Own,
                        _ => Seen::Enemy,
                    };
                    let letter = Symbol::Step { dx: micro.dx, dy: micro.dy, landing: Landing::On(seen) };
                    unseen.remove(&(state.0, letter));
                    state = truth.next(state, &letter)?;
                }
            }
        }
        if unseen.is_empty() {
            return Some(number);
        }
    }
    None
}

//! Pieces to learn, players with habits who play with them, and whether what was learnt is what they did.

use onlooker::board::{Content, MicroMove, Player, Square, Word};
use onlooker::game::{Chance, Game, Role, RulesGame};
use onlooker::observe::{Cause, Listing, Move, Outcome, Record};
use onlooker::rules::{Rules, Verdict, movement_difference};

/// Armies of up to four kinds of pieces; pawns stand in front of them.
pub const ARMIES: [(&str, &[(char, &str)]); 6] = [
    (
        "xiangqi",
        &[
            ('C', "orthogonal(empty+ | empty* (own | enemy) empty* enemy)"),
            (
                'H',
                "forward(empty) ((-1 1 empty) | (-1 1 enemy) | (1 1 empty) | (1 1 enemy)) \
                 | backward(empty) ((-1 -1 empty) | (-1 -1 enemy) | (1 -1 empty) | (1 -1 enemy)) \
                 | left(empty) ((-1 1 empty) | (-1 1 enemy) | (-1 -1 empty) | (-1 -1 enemy)) \
                 | right(empty) ((1 1 empty) | (1 1 enemy) | (1 -1 empty) | (1 -1 enemy))",
            ),
            ('E', "diagonal(empty (empty | enemy))"),
            ('N', "leap 1,2(empty* (empty | enemy))"),
        ],
    ),
    (
        "leapers",
        &[
            ('G', "any(empty* (own | enemy) (empty | enemy))"),
            ('Y', "leap 1,3(empty | enemy)"),
            ('Z', "leap 2,3(empty | enemy)"),
            ('S', "orthogonal(empty{0,2} (empty | enemy))"),
        ],
    ),
    (
        "jumpers",
        &[
            ('O', "diagonal(empty* (empty | enemy | own))"),
            ('J', "diagonal(empty) | diagonal((own | enemy) empty)+"),
            ('X', "orthogonal(enemy empty)+ | any(empty)"),
            ('D', "leap 0,2(empty | enemy)"),
        ],
    ),
    (
        "lopsided",
        &[
            ('L', "forward(empty* (empty | enemy))"),
            ('A', "leap 2,2(empty | enemy)"),
            ('B', "(1 2 empty) | (1 2 enemy) | (-1 0 empty)"),
            ('V', "sideways(empty* (empty | enemy)) | vertical(empty | enemy)"),
        ],
    ),
    (
        "short",
        &[
            ('F', "any(empty{1,3})"),
            ('W', "diagonal(empty{0,2} enemy | empty{1,3}) | orthogonal(empty)"),
            ('M', "leap 1,2(empty) | any(empty* enemy)"),
            ('T', "forward(empty empty?) | forward-diagonal(enemy) | backward(empty)"),
        ],
    ),
    (
        "hoppers",
        &[
            ('U', "orthogonal(empty* own empty)"),
            ('I', "orthogonal(own empty)+ | orthogonal(empty)"),
            ('Q', "orthogonal(empty+) | diagonal(empty* enemy)"),
            ('R', "orthogonal(empty* (empty | enemy)) | forward-diagonal(empty)"),
        ],
    ),
];

/// A game on a board of this width and height in which both have these pieces, turned for the second player.
pub fn game_of(kinds: &[(char, &str)], width: usize, height: usize) -> RulesGame {
    let row: String = (0..width).map(|file| kinds[file.min(width - 1 - file) % kinds.len()].0).collect();
    let pawns =
        |first: usize| (0..width).map(move |file| if file % 2 == first { 'P' } else { '.' }).collect::<String>();
    let empty = format!("  {}\n", ".".repeat(width)).repeat(height - 4);
    let lines: String = kinds.iter().map(|(piece, words)| format!("  {piece}  {words}\n")).collect();
    game(&format!(
        "game zoo\nplayers white black\nboard\n  {}\n  {}\n{empty}  {}\n  {row}\nzones\n  far  rank {height}\nmoves\n  \
         P  forward(empty) | forward-diagonal(enemy)\n{lines}ending\n  win when P on far\n  \
         win when the next player cannot move\n  tie when 160 plies are played\n",
        row.to_lowercase(),
        pawns(0).to_lowercase(),
        pawns(1),
    ))
}

pub fn game(text: &str) -> RulesGame {
    RulesGame::new(Rules::parse(text).unwrap()).unwrap()
}

/// How somebody plays.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// How much more often than other moves captures are played.
    pub captures: f64,
    /// The share of false moves: where all moves are listed one of them is replaced, where only the move played is, it
    /// is against the rules.
    pub false_moves: f64,
}

pub const AT_RANDOM: Habits = Habits { captures: 1.0, false_moves: 0.0 };

/// Some games.
pub fn play(
    game: &RulesGame,
    games: std::ops::Range<u64>,
    listing: Listing,
    habits: Habits,
    seed: u64,
) -> Vec<Vec<Record>> {
    games.map(|number| one_game(game, listing, habits, &mut Chance::stream(seed, number))).collect()
}

fn one_game(game: &RulesGame, listing: Listing, habits: Habits, chance: &mut Chance) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut state = game.start();
    let mut legal = Vec::new();
    loop {
        let mut record = Record {
            number: records.len() as u32 + 1,
            position: game.board(&state),
            outcome: game.verdict(&state).map(outcome),
            cause: Cause::Position,
            turn: game.turn(&state),
            listing,
            moves: Vec::new(),
        };
        if record.is_terminal() {
            records.push(record);
            return records;
        }
        game.legal(&state, Role(record.turn.index() as u8), &mut legal);
        let mut words: Vec<(Square, Word)> = legal.iter().map(|choice| game.word(&state, choice)).collect();
        let weights: Vec<f64> =
            words.iter().map(|word| if captures(&word.1) { habits.captures } else { 1.0 }).collect();
        words.swap(0, drawn(&weights, chance));
        let mut next = record.position.clone();
        match listing {
            Listing::All => {
                for place in 1..words.len() {
                    if chance_of(habits.false_moves, chance)
                        && let Some(word) = false_move(&record, &words, chance)
                    {
                        words[place] = word;
                    }
                }
            }
            Listing::Some => {
                if chance_of(habits.false_moves, chance)
                    && let Some(word) = false_move(&record, &words, chance)
                {
                    words[0] = word;
                }
                words.truncate(1);
            }
        }
        let effect = next.effect(record.turn, words[0].0, &words[0].1).unwrap();
        next.apply(&effect, record.turn);
        state = game.state(&next, record.turn.other(), record.number).unwrap();
        record.moves = words.into_iter().map(|(start, word)| Move::Word { start, word }).collect();
        records.push(record);
    }
}

/// How a log writes a verdict.
pub fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Win => Outcome::Won,
        Verdict::Lose => Outcome::Lost,
        Verdict::Tie => Outcome::Tied,
    }
}

fn captures(word: &Word) -> bool {
    word.0.iter().any(|micro| micro.content == Content::Opponent)
}

fn fraction(chance: &mut Chance) -> f64 {
    (chance.bits() >> 11) as f64 / (1u64 << 53) as f64
}

fn chance_of(share: f64, chance: &mut Chance) -> bool {
    share > 0.0 && fraction(chance) < share
}

fn drawn(weights: &[f64], chance: &mut Chance) -> usize {
    let mut left = fraction(chance) * weights.iter().sum::<f64>();
    let found = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    found.unwrap_or(weights.len() - 1)
}

/// A move of one or two steps that fits the position but is not among the legal ones.
fn false_move(record: &Record, legal: &[(Square, Word)], chance: &mut Chance) -> Option<(Square, Word)> {
    let shape = record.position.shape();
    let own: Vec<Square> =
        shape.all().filter(|&square| record.position.at(square).owner() == Some(record.turn)).collect();
    for _ in 0..50 {
        let start = own[chance.below(own.len())];
        let mut word = Word::default();
        let mut at = start;
        for _ in 0..1 + chance.below(2) {
            let (dx, dy) = (chance.below(5) as i8 - 2, chance.below(5) as i8 - 2);
            let Some(next) = shape.step(at, dx, dy).filter(|_| (dx, dy) != (0, 0)) else { break };
            let content = match record.position.at(next).owner() {
                None => Content::Empty,
                Some(owner) if owner == record.turn => Content::Own,
                Some(_) => Content::Opponent,
            };
            word.0.push(MicroMove { dx, dy, content });
            at = next;
        }
        let known = legal.iter().any(|other| *other == (start, word.clone()));
        if at != start && !known && record.position.effect(record.turn, start, &word).is_ok() {
            return Some((start, word));
        }
    }
    None
}

/// The pieces whose movement was not learnt exactly, each with a word that is wrong.
pub fn wrong(game: &RulesGame, learnt: &onlooker::learn::Learnt) -> Vec<String> {
    let rules = game.rules();
    let mut wrong = Vec::new();
    for player in [Player::First, Player::Second] {
        for movement in rules.moves.iter().filter(|movement| movement.side.is_for(player)) {
            let start = movement.start_for(player);
            if !rules.setup.cells().contains(&start) {
                continue;
            }
            let truth = rules.automaton(movement, player).unwrap();
            let Some(piece) = learnt.pieces.iter().find(|piece| (piece.player, piece.start) == (player, start)) else {
                wrong.push(format!("{start} was not learnt"));
                continue;
            };
            if let Some(word) = movement_difference(&truth, &piece.automaton, rules.setup.shape()) {
                let kind = if truth.accepts(&word) { "missing" } else { "extra" };
                wrong.push(format!("{start} {kind} {word:?}"));
            }
        }
    }
    wrong
}

//! Games that follow no rules but those of the log.

use onlooker::board::{Cell, Content, MicroMove, Piece, Player, Position, Shape, Square, Word};
use onlooker::observe::{Cause, Listing, LogWriter, Move, Outcome, Record};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const SHORT: [&str; 8] = ["P", "K", "Q", "Z", "p", "k", "q", "z"];
const UNUSUAL: [&str; 8] = ["+P", "N~", "Ж", "Ab12345", "+p", "n~", "ж", "xyz"];

/// Draws everything from one seed, so that a failure is found again.
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// What a game's positions may hold.
struct Style {
    names: Vec<&'static str>,
    walls: bool,
    hands: bool,
}

/// A game of `length` records on a board of at most this side; whether it ends is left to chance.
pub fn random_game(chance: &mut Chance, side: usize, length: usize) -> Vec<Record> {
    let shape = Shape::new(1 + chance.below(side), 1 + chance.below(side)).unwrap();
    // On one file, a long name cannot be told from several squares, nor a wall from an outcome.
    let narrow = shape.width() == 1;
    let mut style = Style { names: SHORT.to_vec(), walls: !narrow && chance.one_in(3), hands: chance.one_in(3) };
    if !narrow && chance.one_in(3) {
        style.names.extend(UNUSUAL);
    }
    let mut position = random_position(chance, shape, &style);
    let mut records = Vec::new();
    for number in 1..=length as u32 {
        let last = number as usize == length;
        if style.hands {
            position.set_hands([Player::First, Player::Second].map(|player| random_hand(chance, player, &style)));
        }
        let turn = chance.of(&[Player::First, Player::Second]);
        let ended = last && chance.one_in(2);
        let record = Record {
            number,
            outcome: ended.then(|| chance.of(&[Outcome::Lost, Outcome::Tied, Outcome::Won])),
            cause: if chance.one_in(4) { chance.of(&[Cause::People, Cause::Cut]) } else { Cause::Position },
            turn,
            listing: chance.of(&[Listing::All, Listing::Some]),
            moves: if ended { Vec::new() } else { random_moves(chance, &position, turn, &style) },
            position: position.clone(),
        };
        if let Some(played) = record.played() {
            position.apply(&record.effect(played).unwrap(), turn);
        }
        records.push(record);
    }
    records
}

fn random_position(chance: &mut Chance, shape: Shape, style: &Style) -> Position {
    let mut position = Position::empty(shape);
    let holes = chance.one_in(3);
    for square in shape.all() {
        let cell = match chance.below(10) {
            0..=3 => Cell::named(chance.of(&style.names)).unwrap(),
            4 if style.walls => Cell::WALL,
            5 if holes => Cell::HOLE,
            _ => Cell::EMPTY,
        };
        position.set(square, cell);
    }
    position
}

fn random_hand(chance: &mut Chance, player: Player, style: &Style) -> Vec<Piece> {
    let pieces: Vec<Piece> = style.names.iter().map(|name| Piece::named(name).unwrap()).collect();
    (0..chance.below(5)).map(|_| chance.of(&pieces)).filter(|piece| piece.owner() == player).collect()
}

/// At least one move: a pass if nothing else is found.
fn random_moves(chance: &mut Chance, position: &Position, player: Player, style: &Style) -> Vec<Move> {
    let mut moves = Vec::new();
    for _ in 0..1 + chance.below(12) {
        let start = Square(chance.below(position.shape().squares()) as u16);
        let word = random_word(chance, position, player, start, style);
        let listed = if word.is_empty() { Move::Pass } else { Move::Word { start, word } };
        if !moves.contains(&listed) {
            moves.push(listed);
        }
    }
    moves
}

/// Walks about, keeping every step that fits; what begins a word that fits is itself a word that fits.
fn random_word(chance: &mut Chance, position: &Position, player: Player, start: Square, style: &Style) -> Word {
    let mut word = Word::default();
    for _ in 0..chance.below(30) {
        let (dx, dy) = if chance.one_in(4) {
            (0, 0)
        } else {
            let reach = if chance.one_in(4) { 31 } else { 1 };
            let mut offset = || chance.below(2 * reach + 1) as i8 - reach as i8;
            (offset(), offset())
        };
        let any = Some(if style.walls && chance.one_in(4) {
            Cell::WALL
        } else {
            Cell::named(chance.of(&style.names)).unwrap()
        });
        let content = match chance.below(if (dx, dy) == (0, 0) { 7 } else { 6 }) {
            0 | 1 => Content::Empty,
            2 => Content::Own,
            3 => Content::Opponent,
            4 => Content::Remove(None),
            5 => Content::Remove(any),
            _ => Content::Add(any),
        };
        word.0.push(MicroMove { dx, dy, content });
        if position.effect(player, start, &word).is_err() {
            word.0.pop();
        }
    }
    word
}

pub fn written<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<u8> {
    let mut writer = LogWriter::new(Vec::new());
    records.into_iter().for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap()
}

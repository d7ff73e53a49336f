//! Moves as numbers, for programs that want a fixed set of actions (Gymnasium, PettingZoo, OpenSpiel).
//!
//! Where a game can have a table of all its moves, a move always has the same number: for boards by where it starts, where it
//! ends and what it puts down, for sheets by its term. A move that the table has no place of its own for gets a free one, so that
//! in every state different moves have different numbers, and the same state always numbers them alike.

use onlooker::board::{Cell, Content};
use onlooker::game::{AnyGame, AnyMove, AnyState, Chance, Game, Role};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// How the moves of a game are numbered.
pub struct ActionSpace {
    /// How many numbers there are.
    pub size: usize,
    layout: Layout,
}

enum Layout {
    /// A place for each start, end, square where something is put down on the way, and kind that is put down last.
    Board { squares: usize, has_end: bool, has_middle: bool, kinds: Vec<Cell> },
    /// A place for each term.
    Terms(FxHashMap<String, usize>),
}

/// What is looked at to find out which kinds of moves a game has.
const GAMES: u64 = 40;
const PLIES: usize = 200;
const MOVES: usize = 100_000;

impl ActionSpace {
    pub fn of(game: &AnyGame) -> ActionSpace {
        let mut seen = Seen::default();
        let mut moves = Vec::new();
        let mut looked_at = 0;
        for number in 0..GAMES {
            let (mut state, mut chance) = (game.start(), Chance::stream(0, number));
            for _ in 0..PLIES {
                if game.goals(&state).is_some() {
                    break;
                }
                let mut joint = Vec::new();
                for role in game.to_move(&state).iter() {
                    game.legal(&state, role, &mut moves);
                    looked_at += moves.len();
                    moves.iter().for_each(|choice| seen.add(game, &state, role, choice));
                    if !moves.is_empty() {
                        joint.push(moves[chance.below(moves.len())].clone());
                    }
                }
                if joint.len() != game.to_move(&state).len() {
                    break;
                }
                game.play(&mut state, &joint);
            }
            if looked_at > MOVES {
                break;
            }
        }
        seen.space(game)
    }

    /// A number for each of the legal moves of a role, no two alike; `None` if there are more moves than numbers.
    pub fn numbers(&self, game: &AnyGame, state: &AnyState, role: Role, moves: &[AnyMove]) -> Option<Vec<usize>> {
        if moves.len() > self.size {
            return None;
        }
        let mut taken: FxHashMap<usize, usize> = FxHashMap::default();
        let mut numbers = vec![usize::MAX; moves.len()];
        let mut waiting = Vec::new();
        for (at, choice) in moves.iter().enumerate() {
            let place = self.place(game, state, role, choice);
            match place {
                Place::Own(place) if !taken.contains_key(&place) => {
                    taken.insert(place, at);
                    numbers[at] = place;
                }
                Place::Own(place) | Place::Any(place) => waiting.push((at, place)),
            }
        }
        for (at, mut place) in waiting {
            while taken.contains_key(&place) {
                place = (place + 1) % self.size;
            }
            taken.insert(place, at);
            numbers[at] = place;
        }
        Some(numbers)
    }

    fn place(&self, game: &AnyGame, state: &AnyState, role: Role, choice: &AnyMove) -> Place {
        match &self.layout {
            Layout::Board { squares, has_end, has_middle, kinds } => {
                let Some(shape) = BoardMove::of(game, state, choice) else { return Place::Any(0) };
                let kind = kinds.iter().position(|kind| shape.puts == Some(*kind)).map_or(0, |at| at + 1);
                let known = shape.puts.is_none_or(|cell| kinds.is_empty() || kinds.contains(&cell))
                    && (*has_end || shape.end == shape.start)
                    && (*has_middle || shape.middle == shape.start);
                let mut place = if kinds.is_empty() { 0 } else { kind };
                if *has_middle {
                    place = place * squares + shape.middle;
                }
                place = place * squares + shape.start;
                if *has_end {
                    place = place * squares + shape.end;
                }
                if known { Place::Own(place) } else { Place::Any(place) }
            }
            Layout::Terms(terms) => {
                let term = game.move_term(state, role, choice).to_string();
                match terms.get(&term) {
                    Some(&place) => Place::Own(place),
                    None => {
                        let mut hasher = rustc_hash::FxHasher::default();
                        term.hash(&mut hasher);
                        Place::Any((hasher.finish() % self.size as u64) as usize)
                    }
                }
            }
        }
    }
}

enum Place {
    /// The move's own, unless another legal move has the same.
    Own(usize),
    /// Where to begin to look for a free one.
    Any(usize),
}

/// What tells moves of a board game from each other.
struct BoardMove {
    start: usize,
    end: usize,
    /// Where something was put down before the end; the start if nothing was.
    middle: usize,
    /// What is put down last.
    puts: Option<Cell>,
}

impl BoardMove {
    fn of(game: &AnyGame, state: &AnyState, choice: &AnyMove) -> Option<BoardMove> {
        let (AnyGame::Rules(game), AnyState::Rules(state), AnyMove::Rules(choice)) = (game, state, choice) else {
            return None;
        };
        let shape = game.rules().setup.shape();
        let (start, word) = game.word(state, choice);
        let (mut at, mut puts, mut middle) = (start, None, start);
        for micro in &word.0 {
            let next = shape.step(at, micro.dx, micro.dy).unwrap_or(at);
            if let Content::Add(cell) = micro.content {
                puts = cell;
                middle = next;
            }
            at = next;
        }
        // What is put down where the move ends is a promotion or a drop.
        let middle = if middle == at { start } else { middle };
        Some(BoardMove { start: start.index(), end: at.index(), middle: middle.index(), puts })
    }
}

/// The moves that were looked at.
#[derive(Default)]
struct Seen {
    has_end: bool,
    has_middle: bool,
    kinds: BTreeSet<Option<Cell>>,
    terms: BTreeSet<String>,
}

impl Seen {
    fn add(&mut self, game: &AnyGame, state: &AnyState, role: Role, choice: &AnyMove) {
        match BoardMove::of(game, state, choice) {
            Some(shape) => {
                self.has_end |= shape.end != shape.start;
                self.has_middle |= shape.middle != shape.start;
                self.kinds.insert(shape.puts);
            }
            None => {
                self.terms.insert(game.move_term(state, role, choice).to_string());
            }
        }
    }

    fn space(self, game: &AnyGame) -> ActionSpace {
        let AnyGame::Rules(rules) = game else {
            // A quarter more, for moves that were not seen.
            let size = self.terms.len() + (self.terms.len() / 4).max(16);
            return ActionSpace { size, layout: Layout::Terms(self.terms.into_iter().zip(0..).collect()) };
        };
        let squares = rules.rules().setup.shape().squares();
        // Each player puts down pieces of their own: which they are is known from whose turn it is, unless there are several.
        let mut names: Vec<Cell> = self.kinds.into_iter().flatten().collect();
        let first = names.iter().filter(|cell| cell.owner().is_none_or(|owner| owner.index() == 0)).count();
        let second = names.iter().filter(|cell| cell.owner().is_none_or(|owner| owner.index() == 1)).count();
        let has_plain = self.has_end && !self.has_middle;
        if first <= 1 && second <= 1 && !has_plain {
            names.clear();
        }
        let variants = if names.is_empty() { 1 } else { names.len() + 1 };
        let size =
            variants * squares * if self.has_end { squares } else { 1 } * if self.has_middle { squares } else { 1 };
        let (has_end, has_middle) = (self.has_end, self.has_middle);
        // Without names, every piece that is put down is known.
        ActionSpace { size, layout: Layout::Board { squares, has_end, has_middle, kinds: names } }
    }
}

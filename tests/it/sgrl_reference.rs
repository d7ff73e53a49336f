//! Algorithms 1 and 2 of Y. Björnsson, Learning Rules of Simplified Boardgames by Observing (ECAI 2012), straight from
//! the paper: every position is looked at again for every automaton.
//!
//! It knows only records, so that it can tell whether the library's learner, which looks at each word once, does the
//! same; and it is what the library's learners are measured against. The orders that the paper leaves open are those
//! named at the top of `src/learn/sgrl.rs`. Since they depend on how letters are sorted, words are read as the player
//! sees the board: for the second player mirrored from bottom to top.

use onlooker::automata::{Dfa, StateId};
use onlooker::board::{Cell, Content, MicroMove, Player, Position, Square, Word};
use onlooker::observe::{Listing, Move, Record};
use onlooker::rules::{Landing, Seen, Symbol};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// Automata with more states are given up.
const MOST_STATES: usize = 5000;

/// K and MaxExpansions.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub distance: usize,
    pub expansions: usize,
}

/// As in the paper's section 4.
pub const PAPER: Settings = Settings { distance: 2, expansions: 20 };

/// What the log says of one player's pieces of a type, one place for each position and piece.
struct TrainingData<'r> {
    player: Player,
    places: Vec<Place<'r>>,
    /// U: the words of all pieces of both players.
    union: HashSet<Word>,
}

struct Place<'r> {
    position: &'r Position,
    square: Square,
    listing: Listing,
    moves: HashSet<Word>,
}

/// A micro-move as a player sees the board, or the other way round.
fn as_seen_by(player: Player, micro: MicroMove) -> MicroMove {
    if player == Player::First { micro } else { micro.turned() }
}

fn word_seen_by(player: Player, word: &Word) -> Word {
    Word(word.0.iter().map(|&micro| as_seen_by(player, micro)).collect())
}

impl<'r> TrainingData<'r> {
    fn of(records: &'r [Record], player: Player, piece: Cell) -> TrainingData<'r> {
        let mut data = TrainingData { player, places: Vec::new(), union: HashSet::new() };
        for record in records {
            let words = record.moves.iter().filter_map(|choice| match choice {
                Move::Word { start, word } => Some((*start, word_seen_by(player, word))),
                Move::Pass => None,
            });
            let words: Vec<(Square, Word)> = words.collect();
            if record.turn == player && !record.is_terminal() {
                let position = &record.position;
                for square in position.shape().all().filter(|&square| position.at(square) == piece) {
                    let here = words.iter().filter(|(start, _)| *start == square);
                    let moves = here.map(|(_, word)| word.clone()).collect();
                    data.places.push(Place { position, square, listing: record.listing, moves });
                }
            }
            data.union.extend(words.into_iter().map(|(_, word)| word));
        }
        data
    }

    /// Algorithm 1.
    fn is_consistent(&self, dfa: &Dfa<MicroMove>) -> bool {
        self.places.iter().all(|place| {
            let generated = generate_moves(dfa, self.player, place.position, place.square);
            // No word is generated twice, so all listed ones are there if there are as many.
            if generated.iter().filter(|word| place.moves.contains(*word)).count() < place.moves.len() {
                return false;
            }
            match place.listing {
                Listing::All => generated.iter().all(|word| place.moves.contains(word)),
                Listing::Some => generated.iter().all(|word| {
                    self.union.contains(word) || shortened(word).iter().all(|part| self.union.contains(part))
                }),
            }
        })
    }
}

/// z(): the subsequences with one letter less.
fn shortened(word: &Word) -> Vec<Word> {
    let without = |gone: usize| {
        let kept = word.0.iter().enumerate().filter(|(place, _)| *place != gone);
        Word(kept.map(|(_, &micro)| micro).collect())
    };
    (0..word.0.len()).map(without).collect()
}

/// The automaton run depth-first on a position; no word comes to a square twice.
fn generate_moves(dfa: &Dfa<MicroMove>, player: Player, position: &Position, start: Square) -> Vec<Word> {
    let mut walk = Walk { dfa, player, position, path: vec![start], word: Word::default(), moves: Vec::new() };
    walk.go_on_from(StateId(0));
    walk.moves
}

struct Walk<'a> {
    dfa: &'a Dfa<MicroMove>,
    player: Player,
    position: &'a Position,
    path: Vec<Square>,
    word: Word,
    moves: Vec<Word>,
}

impl Walk<'_> {
    fn go_on_from(&mut self, state: StateId) {
        let dfa = self.dfa;
        for &(letter, to) in &dfa.states()[state.index()].edges {
            let micro = as_seen_by(self.player, letter);
            let at = self.path[self.path.len() - 1];
            let Some(next) = self.position.shape().step(at, micro.dx, micro.dy) else { continue };
            if self.path.contains(&next) || self.content(next) != Some(micro.content) {
                continue;
            }
            self.path.push(next);
            self.word.0.push(letter);
            if dfa.states()[to.index()].accepting {
                self.moves.push(self.word.clone());
            }
            self.go_on_from(to);
            self.path.pop();
            self.word.0.pop();
        }
    }

    fn content(&self, square: Square) -> Option<Content> {
        let cell = self.position.at(square);
        match cell.owner() {
            Some(owner) if owner == self.player => Some(Content::Own),
            Some(_) => Some(Content::Opponent),
            None => cell.is_empty().then_some(Content::Empty),
        }
    }
}

/// Algorithm 2: how a player's pieces of a type move, in letters as the player sees the board; `None` if the prefix
/// tree is inconsistent.
pub fn learn_dfa(records: &[Record], player: Player, piece: Cell, settings: Settings) -> Option<Dfa<MicroMove>> {
    let data = TrainingData::of(records, player, piece);
    let words = data.places.iter().flat_map(|place| &place.moves);
    let tree = Dfa::prefix_tree(words.map(|word| word.0.iter().copied()));
    if !data.is_consistent(&tree) {
        return None;
    }
    let mut smallest = tree.minimise();
    let mut inserted = vec![smallest.clone()];
    let mut queue = BinaryHeap::from([Reverse((smallest.states().len(), 0))]);
    let mut expanded = 0;
    while expanded < settings.expansions
        && let Some(Reverse((_, number))) = queue.pop()
    {
        let dfa = inserted[number].clone();
        if dfa.states().len() < smallest.states().len() {
            smallest = dfa.clone();
        }
        for (a, b) in generalizing_candidates(&dfa, settings.distance) {
            let Ok(collapsed) = dfa.collapse(a, b).determinise(MOST_STATES) else { continue };
            if data.is_consistent(&collapsed) {
                let collapsed = collapsed.minimise();
                queue.push(Reverse((collapsed.states().len(), inserted.len())));
                inserted.push(collapsed);
            }
        }
        expanded += 1;
    }
    Some(smallest)
}

/// Pairs of states at most so far from each other that both accept or both do not.
fn generalizing_candidates(dfa: &Dfa<MicroMove>, distance: usize) -> Vec<(StateId, StateId)> {
    let states = dfa.states();
    let is_edge = |from: usize, to: usize| states[from].edges.iter().any(|edge| edge.1.index() == to);
    let beside: Vec<Vec<usize>> =
        (0..states.len()).map(|a| (0..states.len()).filter(|&b| is_edge(a, b) || is_edge(b, a)).collect()).collect();
    let mut pairs = Vec::new();
    for a in 0..states.len() {
        let mut near = HashSet::from([a]);
        for _ in 0..distance {
            let around: Vec<usize> = near.iter().flat_map(|&state| beside[state].iter().copied()).collect();
            near.extend(around);
        }
        let alike = |b: &usize| near.contains(b) && states[a].accepting == states[*b].accepting;
        pairs.extend((a + 1..states.len()).filter(alike).map(|b| (StateId(a as u32), StateId(b as u32))));
    }
    pairs
}

fn letter(symbol: Symbol) -> MicroMove {
    let Symbol::Step { dx, dy, landing: Landing::On(seen) } = symbol else { panic!("{symbol:?} is no plain step") };
    let content = match seen {
        Seen::Empty => Content::Empty,
        Seen::Own => Content::Own,
        Seen::Enemy => Content::Opponent,
    };
    MicroMove { dx, dy, content }
}

/// Whether two automata have the same states and edges, of which the first is written as the player sees the board and
/// the second as it stands: only the order of the letters, and so the numbers of the states, may differ.
pub fn are_the_same(reference: &Dfa<MicroMove>, learnt: &Dfa<Symbol>, player: Player) -> bool {
    let mut number = HashMap::from([(StateId(0), StateId(0))]);
    let mut open = vec![(StateId(0), StateId(0))];
    while let Some((a, b)) = open.pop() {
        let (state, other) = (&reference.states()[a.index()], &learnt.states()[b.index()]);
        if state.accepting != other.accepting || state.edges.len() != other.edges.len() {
            return false;
        }
        for &(symbol, to) in &other.edges {
            let Some(from) = reference.next(a, &as_seen_by(player, letter(symbol))) else { return false };
            match number.insert(from, to) {
                None => open.push((from, to)),
                Some(known) if known == to => {}
                Some(_) => return false,
            }
        }
    }
    number.len() == reference.states().len() && number.len() == learnt.states().len()
}

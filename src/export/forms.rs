//! The forms that the words of a game have: which squares and pieces a word's name lists, and which of these squares can
//! be the same. Found by walking all words that some board allows.

use super::mover::{MoverAutomaton, MoverEdge, What};
use crate::board::{Cell, Offset, Player, Position, Shape, Square, Trace};
use crate::rules::{Landing, Rules, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A named place of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PlaceKind {
    /// A square that is come to.
    To,
    /// A square on which a piece is taken.
    Take,
    /// A square on which a piece is put down, and the new piece.
    Put,
    /// The piece that is dropped on the square where the word starts.
    Drop,
}

/// What an edge of an automaton does, as far as rules for it differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Act {
    Pass,
    Stop,
    Take,
    Put,
    Drop,
    Within,
    Outside,
    Look,
}

/// What is known of words, or beginnings of words, with the same kinds of places.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    pub acts: BTreeMap<Act, Meetings>,
    /// Pairs of places that may be the same square, the smaller number first. Place 0 is the start.
    pub equal: BTreeSet<(usize, usize)>,
    /// Whether a word may end on a square that is not named yet, and on the last one that is.
    pub ends: bool,
    pub rests: bool,
}

/// Where the squares that are gone to, or looked at, can be.
#[derive(Clone, Debug, Default)]
pub(super) struct Meetings {
    /// On squares that are as on the board.
    pub on_board: bool,
    /// On these places, though the board alone would not tell that it is not allowed.
    pub hidden: BTreeSet<usize>,
    /// On these places as the word has made them.
    pub shown: BTreeSet<usize>,
}

/// All forms: of beginnings, and of whole words.
#[derive(Debug, Default)]
pub(super) struct Forms {
    pub begun: BTreeMap<Vec<PlaceKind>, Form>,
    pub whole: BTreeMap<Vec<PlaceKind>, BTreeSet<(usize, usize)>>,
}

/// Why the forms of a movement cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormProblem {
    /// There are too many.
    #[error("its words have more than {MOST_FORMS} forms (which squares they take from, stop on and put pieces on)")]
    Forms,
    /// There are too many words.
    #[error("it has more than {MOST_STEPS} steps over all boards, too many to write rules for")]
    Steps,
    /// A piece is put down again in the same state.
    #[error("it may put down pieces again and again, which rules with a fixed number of places cannot tell")]
    PutsAgain,
    /// A drop does not begin with its piece.
    #[error("its words start on an empty square and do not put a piece there first")]
    EmptyStart,
    /// A guard looks at the square of a piece that is about to be taken.
    #[error("it looks at the square of a piece that it steps on last, which an action that takes it cannot tell")]
    LooksBeneath,
    /// A piece vanishes on a square with another piece, which stays there.
    #[error("its piece vanishes above another one that stays, which no move of a sheet can name")]
    VanishesAbove,
    /// A piece vanishes.
    #[error("its piece vanishes, which the actions of a planning domain do not have")]
    Vanishes,
}

const MOST_FORMS: usize = 200;
const MOST_STEPS: usize = 3_000_000;

impl Forms {
    /// Adds the words of a machine.
    pub fn add(&mut self, rules: &Rules, machine: &MoverAutomaton) -> Result<(), FormProblem> {
        let setup = &rules.setup;
        for square in setup.shape().all().filter(|&square| setup.at(square) != Cell::HOLE) {
            let piece = (!machine.start.is_empty()).then_some(machine.start);
            let mut walk = FormWalk {
                rules,
                setup,
                shape: setup.shape(),
                machine,
                player: machine.player,
                forms: self,
                left: MOST_STEPS / setup.shape().squares(),
                word: FormWord {
                    kinds: Vec::new(),
                    places: vec![square],
                    known: vec![(square, What::The(machine.start))],
                    trace: if piece.is_some() { Trace::lifting((0, Cell::EMPTY)) } else { Trace::dropping() },
                    controlled: piece,
                    puts: Vec::new(),
                },
            };
            walk.from(0, square)?;
        }
        Ok(())
    }
}

impl Forms {
    /// Leaves out beginnings that no word has.
    pub fn prune(&mut self) {
        // Longer forms first, since a form leads to longer ones.
        let mut order: Vec<Vec<PlaceKind>> = self.begun.keys().cloned().collect();
        order.sort_by_key(|kinds| std::cmp::Reverse(kinds.len()));
        for kinds in order {
            let Some(mut form) = self.begun.remove(&kinds) else { continue };
            let leads_on = |act: &Act| {
                let kind = match act {
                    Act::Stop => PlaceKind::To,
                    Act::Take => PlaceKind::Take,
                    Act::Put => PlaceKind::Put,
                    Act::Drop => PlaceKind::Drop,
                    Act::Pass | Act::Within | Act::Outside | Act::Look => return true,
                };
                self.begun.contains_key(&[kinds.as_slice(), &[kind]].concat())
            };
            form.acts.retain(|act, _| leads_on(act));
            let names = |act: &Act| matches!(act, Act::Stop | Act::Take | Act::Put | Act::Drop);
            if form.ends || form.rests || form.acts.keys().any(names) {
                self.begun.insert(kinds, form);
            }
        }
    }
}

/// A word on the way.
#[derive(Clone)]
struct FormWord {
    kinds: Vec<PlaceKind>,
    places: Vec<Square>,
    /// What the board must hold for the word to have come so far.
    known: Vec<(Square, What)>,
    /// A changed square has the place where it was changed last, and what is there now.
    trace: Trace<(usize, Cell)>,
    controlled: Option<Cell>,
    /// The nodes into which pieces were put down.
    puts: Vec<usize>,
}

struct FormWalk<'a> {
    rules: &'a Rules,
    setup: &'a Position,
    shape: Shape,
    machine: &'a MoverAutomaton<'a>,
    player: Player,
    forms: &'a mut Forms,
    left: usize,
    word: FormWord,
}

impl FormWalk<'_> {
    fn form(&mut self) -> Result<&mut Form, FormProblem> {
        if self.forms.begun.len() > MOST_FORMS {
            return Err(FormProblem::Forms);
        }
        if !self.forms.begun.contains_key(&self.word.kinds) {
            self.forms.begun.insert(self.word.kinds.clone(), Form::default());
        }
        self.forms.begun.get_mut(&self.word.kinds).ok_or(FormProblem::Forms)
    }

    fn meetings(&mut self, act: Act) -> Result<&mut Meetings, FormProblem> {
        Ok(self.form()?.acts.entry(act).or_default())
    }

    fn from(&mut self, node: usize, cursor: Square) -> Result<(), FormProblem> {
        let machine = self.machine;
        let here = &machine.nodes[node];
        if here.accepting && (here.has_moved || !self.word.kinds.is_empty()) {
            let form = self.form()?;
            form.ends |= here.has_moved;
            form.rests |= !here.has_moved;
            let mut kinds = self.word.kinds.clone();
            kinds.extend(here.has_moved.then_some(PlaceKind::To));
            let places = &self.word.places;
            let last = here.has_moved.then_some(cursor);
            let all: Vec<Square> = places.iter().copied().chain(last).collect();
            self.forms.whole.entry(kinds).or_default().extend(equal_pairs(&all));
        }
        for edge in &here.edges {
            self.left = self.left.checked_sub(1).ok_or(FormProblem::Steps)?;
            self.follow(edge, cursor)?;
        }
        Ok(())
    }

    fn follow(&mut self, edge: &MoverEdge, cursor: Square) -> Result<(), FormProblem> {
        match edge.symbol {
            Symbol::Zone { number, within } => {
                let turned = self.machine.movement.side.turns_for(self.player);
                let seen = if turned { self.shape.mirrored(cursor) } else { cursor };
                if self.rules.zones[number].contains(self.shape, seen) == within {
                    self.meetings(if within { Act::Within } else { Act::Outside })?.on_board = true;
                    self.from(edge.to, cursor)?;
                }
                Ok(())
            }
            Symbol::Look { dx, dy, seen } => {
                let Some(square) = self.step(cursor, dx, dy) else { return Ok(()) };
                let known = self.word.known.len();
                let offset = self.word.trace.beside(dx, dy);
                if self.meets(Act::Look, square, offset, What::seen(seen))? {
                    self.from(edge.to, cursor)?;
                }
                self.word.known.truncate(known);
                Ok(())
            }
            Symbol::Put(cell) => self.put(edge, cell, cursor),
            Symbol::Vanish => {
                let trace = &self.word.trace;
                let met = self.word.known.iter().rev().find(|known| known.0 == cursor).map(|known| known.1);
                let is_free = trace.changed(trace.at()).map_or(met == Some(What::Blank), |(_, cell)| cell.is_empty());
                if !is_free {
                    return Err(FormProblem::VanishesAbove);
                }
                self.put(edge, Cell::EMPTY, cursor)
            }
            Symbol::Step { dx, dy, landing } => {
                if self.machine.start.is_empty() && self.word.controlled.is_none() {
                    return Err(FormProblem::EmptyStart);
                }
                let Some(square) = self.step(cursor, dx, dy) else { return Ok(()) };
                self.land(edge, landing, (dx, dy), square)
            }
        }
    }

    fn step(&self, from: Square, dx: i8, dy: i8) -> Option<Square> {
        self.shape.step(from, dx, dy).filter(|&square| self.setup.at(square) != Cell::HOLE)
    }

    fn put(&mut self, edge: &MoverEdge, cell: Cell, cursor: Square) -> Result<(), FormProblem> {
        if self.word.puts.contains(&edge.to) {
            return Err(FormProblem::PutsAgain);
        }
        let drops = self.machine.start.is_empty() && self.word.controlled.is_none();
        self.meetings(if drops { Act::Drop } else { Act::Put })?.on_board = true;
        let before = self.word.clone();
        if drops {
            self.word.kinds.push(PlaceKind::Drop);
        } else {
            self.word.kinds.push(PlaceKind::Put);
            self.word.places.push(cursor);
        }
        let put_down = self.word.controlled.replace(cell).map(|put_down| (self.word.places.len() - 1, put_down));
        if !self.word.trace.put(cell, put_down) {
            return Err(FormProblem::PutsAgain);
        }
        self.word.puts.push(edge.to);
        self.places_changed()?;
        self.from(edge.to, cursor)?;
        self.word = before;
        Ok(())
    }

    fn land(
        &mut self,
        edge: &MoverEdge,
        landing: Landing,
        (dx, dy): (i8, i8),
        square: Square,
    ) -> Result<(), FormProblem> {
        let takes = matches!(landing, Landing::Take(_));
        let act = if takes { Act::Take } else { [Act::Pass, Act::Stop][usize::from(edge.is_named)] };
        let offset = self.word.trace.beside(dx, dy);
        if !self.word.trace.may_visit(offset) {
            // Where every square is named, the last place on this one must be told apart from it.
            if self.machine.may_circle
                && let Some(place) = self.word.places.iter().rposition(|&place| place == square)
            {
                self.meetings(act)?.hidden.insert(place);
            } else {
                // It is not allowed since the word has changed the square, which the board does not show.
                self.meets(act, square, offset, What::of(landing))?;
            }
            return Ok(());
        }
        let known = self.word.known.len();
        if !self.meets(act, square, offset, What::of(landing))? {
            return Ok(());
        }
        if act == Act::Pass {
            let before = self.word.trace.clone();
            self.word.trace.step(dx, dy, None);
            self.from(edge.to, square)?;
            self.word.trace = before;
        } else {
            let before = self.word.clone();
            self.word.places.push(square);
            self.word.kinds.push(if takes { PlaceKind::Take } else { PlaceKind::To });
            let taken = takes.then_some((self.word.places.len() - 1, Cell::EMPTY));
            self.word.trace.step(dx, dy, taken);
            self.places_changed()?;
            self.from(edge.to, square)?;
            self.word = before;
        }
        self.word.known.truncate(known);
        Ok(())
    }

    /// Whether a square can hold this on some board on which the word has come so far, and how rules find that out.
    fn meets(&mut self, act: Act, square: Square, offset: Offset, what: What) -> Result<bool, FormProblem> {
        let player = self.player;
        let known = self.word.known.iter().find(|known| known.0 == square).map(|known| known.1);
        let on_board = known.is_none_or(|known| known.agrees(what, player));
        let Some((place, made)) = self.word.trace.changed(offset) else {
            if on_board {
                self.meetings(act)?.on_board = true;
                // What is known more exactly is not forgotten.
                if known.is_none() {
                    self.word.known.push((square, what));
                }
            }
            return Ok(on_board);
        };
        let made = if made.is_empty() { What::Blank } else { What::The(made) };
        let meets = made.agrees(what, player);
        let meetings = self.meetings(act)?;
        if on_board {
            meetings.hidden.insert(place);
        }
        if meets {
            meetings.shown.insert(place);
        }
        Ok(meets)
    }

    fn places_changed(&mut self) -> Result<(), FormProblem> {
        let pairs = equal_pairs(&self.word.places);
        self.form()?.equal.extend(pairs);
        Ok(())
    }
}

fn equal_pairs(places: &[Square]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (later, square) in places.iter().enumerate() {
        pairs.extend((0..later).filter(|&earlier| places[earlier] == *square).map(|earlier| (earlier, later)));
    }
    pairs
}

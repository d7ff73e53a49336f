//! Words as plan traces: what happens in a turn, square by square.
//!
//! After P. Gregory, Y. Björnsson and S. Schiffel, The GRL System (2015), section 3.3: a turn is a plan whose actions are
//! `move_x(from, to)`, `move_over_x(from, via, to)`, `take_x(from, to)`, `take_x(from, via, to)` (the paper's
//! moveAndRemove, which has two arities there; here the one with a square in between is `take_over_x`), `appear_x(square)`.
//! X is the piece that is controlled, or that appears. Squares are numbered as they come, since a trace is the same
//! wherever the turn starts.

use super::letter::{Letter, Tags};
use super::perspective::cell_of;
use super::reading::named_letters;
use crate::board::{Cell, Player, Word};
use crate::locm::Action;
use crate::rules::{Landing, Seen, Symbol};

/// The plan trace of a word of a piece, or of a drop, as the player sees the board; nothing if it has letters that rules
/// do not have.
pub fn plan_trace(word: &Word, start: Cell, player: Player) -> Option<Vec<Action>> {
    let letters = named_letters(word, player)?;
    let letters: Vec<Letter> = letters.into_iter().map(Letter::plain).collect();
    Some(trace(&letters, cell_of(player, start), Tags::default()))
}

/// The plan trace of a word that starts on a kind of piece; actions tell some guards.
pub(super) fn trace(word: &[Letter], kind: Cell, told: Tags) -> Vec<Action> {
    let mut turn = TurnReader::of(kind, told);
    let mut trace = Vec::new();
    let mut squares = Vec::new();
    let (mut at, mut via) = ((0i32, 0i32), None);
    for &letter in word {
        let before = at;
        if let Symbol::Step { dx, dy, .. } = letter.symbol {
            at = (at.0 + i32::from(dx), at.1 + i32::from(dy));
        }
        for act in turn.read(letter) {
            let places = match act.places {
                ActionPlaces::Here => vec![at],
                ActionPlaces::Two if act.is_late => vec![via.unwrap_or(before), before],
                ActionPlaces::Two => vec![before, at],
                ActionPlaces::Three => vec![via.unwrap_or(before), before, at],
            };
            let arguments = places.into_iter().map(|place| square(&mut squares, place)).collect();
            trace.push(Action { name: act.name, arguments });
        }
        via = turn.pending.is_some().then_some(before);
    }
    if let Some(act) = turn.end() {
        let from = via.unwrap_or(at);
        let arguments = [from, at].map(|place| square(&mut squares, place)).to_vec();
        trace.push(Action { name: act.name, arguments });
    }
    trace
}

/// The name of a square: a number in the order in which squares are first named.
fn square(known: &mut Vec<(i32, i32)>, place: (i32, i32)) -> String {
    let number = known.iter().position(|&other| other == place).unwrap_or_else(|| {
        known.push(place);
        known.len() - 1
    });
    format!("square{}", number + 1)
}

/// An action that a letter completes.
pub(super) struct CompletedAction {
    pub name: String,
    places: ActionPlaces,
    /// Whether the action was complete before this letter, as could only be told now.
    is_late: bool,
}

#[derive(Clone, Copy)]
enum ActionPlaces {
    Here,
    Two,
    Three,
}

/// A turn that is read letter by letter: which piece is controlled, and whether it has come to a square with a piece
/// without being told yet what becomes of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TurnReader {
    pub kind: Cell,
    /// The guards that actions tell.
    told: Tags,
    pending: Option<(bool, Tags)>,
}

impl TurnReader {
    pub fn of(kind: Cell, told: Tags) -> TurnReader {
        TurnReader { kind, told, pending: None }
    }

    /// The actions that a letter completes: none, one, or an earlier one and its own.
    pub fn read(&mut self, letter: Letter) -> Vec<CompletedAction> {
        let mut acts = Vec::new();
        let letter = Letter { tags: Tags(letter.tags.0 & self.told.0), ..letter };
        match letter.symbol {
            Symbol::Step { landing: Landing::On(Seen::Empty), .. } => {
                let (verb, places) = match self.pending.take() {
                    None => ("move", ActionPlaces::Two),
                    Some((true, _)) => ("take_over", ActionPlaces::Three),
                    Some((false, _)) => ("move_over", ActionPlaces::Three),
                };
                acts.push(CompletedAction { name: name(verb, self.kind, letter.tags), places, is_late: false });
            }
            Symbol::Step { landing, .. } => {
                acts.extend(self.end());
                self.pending = Some((matches!(landing, Landing::Take(_)), letter.tags));
            }
            Symbol::Put(cell) => {
                acts.extend(self.end());
                self.kind = cell;
                acts.push(CompletedAction {
                    name: name("appear", cell, letter.tags),
                    places: ActionPlaces::Here,
                    is_late: false,
                });
            }
            Symbol::Vanish => {
                acts.extend(self.end());
                acts.push(CompletedAction {
                    name: name("vanish", self.kind, letter.tags),
                    places: ActionPlaces::Here,
                    is_late: false,
                });
            }
            Symbol::Zone { .. } | Symbol::Look { .. } => {}
        }
        acts
    }

    /// The action that is complete if the turn, or this piece's part of it, ends here. A piece that is stepped on last
    /// is taken, too.
    pub fn end(&mut self) -> Option<CompletedAction> {
        let (_, tags) = self.pending.take()?;
        Some(CompletedAction { name: name("take", self.kind, tags), places: ActionPlaces::Two, is_late: true })
    }
}

fn name(verb: &str, cell: Cell, tags: Tags) -> String {
    let piece = if cell.is_empty() { "drop".to_owned() } else { cell.to_string().to_lowercase() };
    let guards = if tags == Tags::default() { String::new() } else { format!("_g{}", tags.0) };
    format!("{verb}_{piece}{guards}")
}

//! The rules of a sheet that walk the automata, for each form that words have.

use super::forms::{Act, Form, Forms, Meetings, PlaceKind};
use super::kif_writer::Kif;
use std::collections::BTreeSet;

/// Writes the rules for possible moves as the board is, or for all moves that could be possible on any board.
pub(super) struct WordRules<'a> {
    pub forms: &'a Forms,
    pub kif: &'a mut Kif,
    pub on_board: bool,
}

/// A form's name: `take2_to` for two squares where pieces are taken and one where the word ends.
fn form_name(kinds: &[PlaceKind]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for run in kinds.chunk_by(|a, b| a == b) {
        let word = match run[0] {
            PlaceKind::To => "to",
            PlaceKind::Take => "take",
            PlaceKind::Put => "put",
            PlaceKind::Drop => "drop",
        };
        parts.push(if run.len() == 1 { word.to_owned() } else { format!("{word}{}", run.len()) });
    }
    parts.join("_")
}

/// The function of moves of a form.
fn move_name(kinds: &[PlaceKind]) -> String {
    if kinds == [PlaceKind::To] { "move".to_owned() } else { form_name(kinds) }
}

/// The variables of a form.
struct FormVariables {
    /// The squares; the first is the start.
    squares: Vec<String>,
    /// All arguments in their order, without the start.
    arguments: Vec<String>,
    /// What the word has made of squares, by their numbers; the latest last.
    changes: Vec<(usize, ChangedTo)>,
    /// From which number on squares have been come to since a piece was taken or put down.
    fresh: usize,
    /// The piece that is controlled at the end.
    controlled: ChangedTo,
}

/// What is on a square that a word has changed.
#[derive(Clone, PartialEq, Eq)]
enum ChangedTo {
    Blank,
    /// The piece that stood on the start.
    Mover,
    /// This variable.
    Piece(String),
}

impl FormVariables {
    fn of(kinds: &[PlaceKind]) -> FormVariables {
        let drops = kinds.first() == Some(&PlaceKind::Drop);
        let mut places = FormVariables {
            squares: vec!["?from".to_owned()],
            arguments: Vec::new(),
            changes: if drops { vec![] } else { vec![(0, ChangedTo::Blank)] },
            fresh: 0,
            controlled: ChangedTo::Mover,
        };
        for (number, &kind) in kinds.iter().enumerate() {
            let piece = format!("?p{}", number + 1);
            if has_square(kind) {
                let square = format!("?s{}", number + 1);
                places.squares.push(square.clone());
                places.arguments.push(square);
            }
            let place = places.squares.len() - 1;
            match kind {
                PlaceKind::To => {}
                PlaceKind::Take => {
                    places.changes.push((place, ChangedTo::Blank));
                    places.fresh = place;
                }
                PlaceKind::Put | PlaceKind::Drop => {
                    let put_down = std::mem::replace(&mut places.controlled, ChangedTo::Piece(piece.clone()));
                    if kind == PlaceKind::Put {
                        places.changes.push((place, put_down));
                    }
                    places.arguments.push(piece);
                    places.fresh = place;
                }
            }
        }
        places
    }

    /// The latest change of a place.
    fn made(&self, place: usize) -> Option<&ChangedTo> {
        self.changes.iter().rev().find(|change| change.0 == place).map(|change| &change.1)
    }

    /// All arguments with a space before each.
    fn listed(&self) -> String {
        self.arguments.iter().map(|argument| format!(" {argument}")).collect()
    }
}

impl WordRules<'_> {
    pub fn write(&mut self) {
        let about = "A player's automaton has come to a state, with its start, the places named so far and the square it is on.";
        if self.on_board {
            self.kif.part("WordRules: how far the automata can go on this board.", about);
            // Whose turn it is comes last, so that an engine need not work out all words anew each turn.
            self.kif.rule("(path ?w ?m ?from 0 ?from)", ["(mover ?w ?p ?m)", "(on ?from ?p)"]);
        } else {
            self.kif.part("All moves that could be legal on some board: the same without looking at the pieces.", "");
            self.kif.rule("(route ?m ?from 0 ?from)", ["(mover ?w ?p ?m)", "(square ?from ?x ?y)"]);
        }
        let forms = self.forms;
        for (kinds, form) in &forms.begun {
            for (&act, meetings) in &form.acts {
                self.act(kinds, form, act, meetings);
            }
            let places = FormVariables::of(kinds);
            if form.ends {
                let name = move_name(&[kinds.as_slice(), &[PlaceKind::To]].concat());
                self.end(kinds, "ends", &format!("({name} ?from{} ?a)", places.listed()));
            }
            if form.rests {
                self.end(kinds, "rests", &format!("({} ?from{})", move_name(kinds), places.listed()));
            }
        }
    }

    fn end(&mut self, kinds: &[PlaceKind], ends: &str, choice: &str) {
        let path = self.path(kinds, "?n", "?a");
        let end = format!("({ends} ?m ?n)");
        if self.on_board {
            self.kif.rule(&format!("(possible ?w {choice})"), [path, end]);
        } else {
            self.kif.rule(&format!("(input ?w {choice})"), ["(mover ?w ?p ?m)".to_owned(), path, end]);
        }
    }

    /// An automaton that has come to a state and a square.
    fn path(&self, kinds: &[PlaceKind], state: &str, at: &str) -> String {
        self.path_with(kinds, &FormVariables::of(kinds).arguments, state, at)
    }

    fn path_with(&self, kinds: &[PlaceKind], arguments: &[String], state: &str, at: &str) -> String {
        let (name, player) = if self.on_board { ("path", "?w ") } else { ("route", "") };
        let name = if kinds.is_empty() { name.to_owned() } else { format!("{name}_{}", form_name(kinds)) };
        let listed: String = arguments.iter().map(|argument| format!("{argument} ")).collect();
        format!("({name} {player}?m ?from {listed}{state} {at})")
    }

    fn act(&mut self, kinds: &[PlaceKind], form: &Form, act: Act, meetings: &Meetings) {
        let places = FormVariables::of(kinds);
        let before = self.path(kinds, "?n", "?a");
        let edges = edges_of(act);
        match act {
            Act::Within | Act::Outside => {
                let zone = if act == Act::Within { "(zone ?z ?a)" } else { "(not (zone ?z ?a))" };
                let after = self.path(kinds, "?k", "?a");
                self.kif.rule(&after, [before, format!("({edges} ?m ?n ?z ?k)"), zone.to_owned()]);
            }
            Act::Put | Act::Drop => {
                let kind = if act == Act::Put { PlaceKind::Put } else { PlaceKind::Drop };
                let square = (act == Act::Put).then(|| "?a".to_owned());
                let arguments: Vec<String> =
                    places.arguments.iter().cloned().chain(square).chain(["?p".to_owned()]).collect();
                let after = self.path_with(&[kinds, &[kind]].concat(), &arguments, "?k", "?a");
                self.kif.rule(&after, [before, format!("({edges} ?m ?n ?p ?k)")]);
            }
            Act::Pass | Act::Stop | Act::Take | Act::Look => {
                if meetings.on_board {
                    let mut conditions = vec![before.clone(), format!("({edges} ?m ?n ?d ?what ?k)")];
                    conditions.push("(step ?d ?a ?b)".to_owned());
                    if self.on_board {
                        conditions.push("(holds ?w ?what ?b)".to_owned());
                    }
                    let hidden =
                        meetings.hidden.iter().map(|&place| format!("(distinct ?b {})", places.squares[place]));
                    conditions.extend(hidden);
                    let after = self.after(kinds, &places, act, "?b");
                    self.kif.rule(&after, conditions);
                }
                for &place in &meetings.shown {
                    self.shown(kinds, form, &places, act, place);
                }
            }
        }
    }

    /// The rule for a square that the word has changed.
    fn shown(&mut self, kinds: &[PlaceKind], form: &Form, places: &FormVariables, act: Act, place: usize) {
        let Some(made) = places.made(place) else { return };
        let square = &places.squares[place];
        let edges = edges_of(act);
        let what = if *made == ChangedTo::Blank { "blank" } else { "?what" };
        let mut conditions = vec![self.path(kinds, "?n", "?a"), format!("({edges} ?m ?n ?d {what} ?k)")];
        conditions.push(format!("(step ?d ?a {square})"));
        match made {
            _ if !self.on_board => {}
            ChangedTo::Blank => {}
            ChangedTo::Mover => conditions.extend(["(on ?from ?p)".to_owned(), "(fits ?w ?what ?p)".to_owned()]),
            ChangedTo::Piece(piece) => conditions.push(format!("(fits ?w ?what {piece})")),
        }
        // What was made of the square later counts, and where the word has just been it may not go again.
        let later: BTreeSet<usize> = places.changes.iter().map(|change| change.0).filter(|&p| p > place).collect();
        let been = if act == Act::Look { BTreeSet::new() } else { (places.fresh..places.squares.len()).collect() };
        for &other in later.union(&been).filter(|&&other| other != place) {
            if form.equal.contains(&(place.min(other), place.max(other))) {
                conditions.push(format!("(distinct {square} {})", places.squares[other]));
            }
        }
        let after = self.after(kinds, places, act, square);
        self.kif.rule(&after, conditions);
    }

    /// What follows when the square is gone to, or was only looked at.
    fn after(&self, kinds: &[PlaceKind], places: &FormVariables, act: Act, square: &str) -> String {
        let kind = match act {
            Act::Look => return self.path(kinds, "?k", "?a"),
            Act::Pass => return self.path(kinds, "?k", square),
            Act::Take => PlaceKind::Take,
            _ => PlaceKind::To,
        };
        let arguments: Vec<String> = places.arguments.iter().cloned().chain([square.to_owned()]).collect();
        self.path_with(&[kinds, &[kind]].concat(), &arguments, "?k", square)
    }
}

/// Writes what a whole word makes of the squares it names.
pub(super) fn becomes(kif: &mut Kif, kinds: &[PlaceKind], equal: &BTreeSet<(usize, usize)>) {
    let places = FormVariables::of(kinds);
    let last = places.squares.len() - 1;
    let does = format!("(does ?w ({} ?from{}))", move_name(kinds), places.listed());
    let mut changes = places.changes.clone();
    changes.push((last, places.controlled.clone()));
    for (number, (place, made)) in changes.iter().enumerate() {
        let later: BTreeSet<usize> = changes[number + 1..].iter().map(|change| change.0).collect();
        if later.contains(place) {
            continue;
        }
        let square = &places.squares[*place];
        let mut conditions = vec![does.clone()];
        let piece = match made {
            ChangedTo::Blank => "blank",
            ChangedTo::Mover => {
                conditions.push("(on ?from ?p)".to_owned());
                "?p"
            }
            ChangedTo::Piece(piece) => piece,
        };
        let same = later.iter().filter(|&&other| equal.contains(&(*place.min(&other), *place.max(&other))));
        conditions.extend(same.map(|&other| format!("(distinct {square} {})", places.squares[other])));
        kif.rule(&format!("(becomes {square} {piece})"), conditions);
    }
}

/// The kinds of places that are written as a square.
fn has_square(kind: PlaceKind) -> bool {
    kind != PlaceKind::Drop
}

/// How a relation over automata's edges is called for each act.
fn edges_of(act: Act) -> &'static str {
    match act {
        Act::Pass => "passes",
        Act::Stop => "stops",
        Act::Take => "takes",
        Act::Put => "puts",
        Act::Drop => "drops",
        Act::Within => "needs",
        Act::Outside => "avoids",
        Act::Look => "looks",
    }
}

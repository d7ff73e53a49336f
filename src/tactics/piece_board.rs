//! Positions of pieces as letters: capital ones for one side, small ones for the other.

use super::checker::{Refuted, each_instance};
use super::language::{Bindings, Fact, Name};
use super::recognition::RecognitionRule;
use super::state::State;
use super::system::UpdateSystem;
use std::collections::BTreeSet;
use std::fmt::Write;

/// So many places of a rule are looked at to find one to show.
const MOST_PLACES: u64 = 300;

/// A board with letters, row by row from the bottom, and the squares that a move goes from and to.
pub(super) struct Letters {
    /// What stands where.
    pub letters: Vec<Option<char>>,
    /// The numbers of the squares of the move.
    pub moved: Vec<usize>,
}

/// One place of a rule as letters: one where the opponent has nothing better, if there is one. `None` if the system has no board.
pub(super) fn pieces_of_rule(system: &UpdateSystem, rule: &RecognitionRule) -> Option<Letters> {
    let derived = rule.event.map(|event| system.for_event(event));
    let system = derived.as_ref().unwrap_or(system);
    let mut found: Option<(BTreeSet<Fact>, Name, Name)> = None;
    let mut tried = 0;
    let _ = each_instance(system, rule, u64::MAX, &mut |known, player, proof| {
        let square = proof.square().and_then(|square| Bindings::default().value(square));
        let Some(square) = square else { return Ok(()) };
        tried += 1;
        let (mut facts, other) = (known.clone(), system.other(player));
        empty_squares(system, &mut facts);
        let answered = match (State { facts: facts.clone() }).play(system, square, player) {
            Some((mut after, _)) => {
                after.facts.remove(&system.won_fact(player));
                !after.winning_moves(system, other).is_empty()
            }
            None => true,
        };
        if !answered || found.is_none() {
            found = Some((facts, square, player));
        }
        if !answered || tried >= MOST_PLACES { Err(Refuted::NoProof.to_string()) } else { Ok(()) }
    });
    let (facts, square, player) = found?;
    letters(system, &facts, Some(square), player)
}

/// Where nothing is known to stand is shown as empty, and is taken to be.
fn empty_squares(system: &UpdateSystem, facts: &mut BTreeSet<Fact>) {
    for group in &system.groups {
        let plain = group.features.iter().find(|(name, _)| system.predicates[name].types.len() == 1);
        for &key in system.objects(group.kind) {
            if let Some(&(predicate, _)) = plain
                && facts.iter().all(|fact| group.key(fact) != Some(key))
            {
                facts.insert(Fact { predicate, arguments: [key].into_iter().collect() });
            }
        }
    }
}

/// Facts as letters: a piece is shown by the first letter of its kind, a knight as `n`; capital letters are those of `player`.
pub(super) fn letters(
    system: &UpdateSystem,
    facts: &BTreeSet<Fact>,
    moved: Option<Name>,
    player: Name,
) -> Option<Letters> {
    let (width, height) = system.board?;
    let squares = super::geometry::squares(width, height);
    let place = |name: Name| squares.iter().position(|square| square == system.names.text(name));
    let related = |relation: &str, object: Name| {
        let relation = system.names.find(relation);
        let mut facts = system.statics.iter().filter(|fact| Some(fact.predicate) == relation);
        facts.find(|fact| fact.arguments.first() == Some(&object)).and_then(|fact| fact.arguments.get(1).copied())
    };
    let mut letters = vec![None; squares.len()];
    for fact in facts {
        if let [square, piece] = fact.arguments[..]
            && let (Some(at), Some(kind)) = (place(square), related("kind", piece))
        {
            let kind = system.names.text(kind);
            let letter = if kind == "knight" { 'n' } else { kind.chars().next().unwrap_or('?') };
            let own = related("owner", piece) == Some(player);
            letters[at] = Some(if own { letter.to_ascii_uppercase() } else { letter });
        }
    }
    let ends = moved.into_iter().flat_map(|moved| [related("from", moved), related("to", moved)]);
    Some(Letters { letters, moved: ends.flatten().filter_map(place).collect() })
}

/// The same as text: `*` is the square that the move goes to, if it is empty.
pub(super) fn letters_as_text(system: &UpdateSystem, shown: &Letters) -> String {
    let (width, height) = system.board.unwrap_or((0, 0));
    let mut text = String::new();
    for rank in (0..height).rev() {
        let _ = write!(text, "    {:>2} ", rank + 1);
        for at in rank * width..(rank + 1) * width {
            let empty = if shown.moved.last() == Some(&at) { '*' } else { '.' };
            text.push(shown.letters[at].unwrap_or(empty));
        }
        text.push('\n');
    }
    let files: String = (0..width).map(|file| char::from(b'a' + file as u8)).collect();
    let _ = writeln!(text, "       {files}");
    text
}

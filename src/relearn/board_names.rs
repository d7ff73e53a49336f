//! Names on a board that was found in a rule sheet: the order of its files and ranks, and the letters of its pieces.

use super::sheet_board::{NoBoard, SquareContent};
use crate::board::{Cell, Player, Position, Square};
use crate::game::Term;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Names in their order: as a relation of the sheet chains them, or as people count.
pub(super) fn in_order(names: &BTreeSet<Term>, pairs: &BTreeMap<String, Vec<(Term, Term)>>) -> Vec<Term> {
    let mut counted: Vec<Term> = names.iter().cloned().collect();
    counted.sort_by_key(counting);
    let chains: Vec<Vec<Term>> = pairs.values().filter_map(|pairs| chain(names, pairs)).collect();
    let counts = |chain: &Vec<Term>| *chain == counted || chain.iter().rev().eq(&counted);
    if chains.is_empty() || chains.iter().any(counts) { counted } else { chains[0].clone() }
}

/// All the names one after another, each the pair of the one before; `None` if the pairs do not say so.
fn chain(names: &BTreeSet<Term>, pairs: &[(Term, Term)]) -> Option<Vec<Term>> {
    let mut next: BTreeMap<&Term, &Term> = BTreeMap::new();
    for (one, other) in pairs.iter().filter(|(one, other)| names.contains(one) && names.contains(other)) {
        if next.insert(one, other).is_some() {
            return None;
        }
    }
    let seconds: BTreeSet<&Term> = next.values().copied().collect();
    let mut firsts = names.iter().filter(|name| !seconds.contains(name));
    let (mut at, None) = (firsts.next()?, firsts.next()) else { return None };
    let mut chain = vec![at.clone()];
    while let Some(&following) = next.get(at) {
        chain.push(following.clone());
        at = following;
    }
    (chain.len() == names.len()).then_some(chain)
}

/// How people count: by what comes before the number, by the number, by the rest.
fn counting(name: &Term) -> (String, u64, String) {
    let text = name.to_string();
    let begin = text.find(|letter: char| letter.is_ascii_digit()).unwrap_or(text.len());
    let rest = &text[begin..];
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    (text[..begin].to_owned(), rest[..end].parse().unwrap_or(0), rest[end..].to_owned())
}

/// Gives pieces letters out of their names. Pieces of both players that are the same kind get the same letter: those that
/// stand opposite each other in the beginning, and those whose names have the same end.
pub(super) fn name_pieces(cells: &mut HashMap<SquareContent, Cell>, setup: &Position) -> Result<(), NoBoard> {
    let kinds = cells.len();
    let mut pieces: [Vec<(Cell, String)>; 2] = Default::default();
    for (content, cell) in cells.iter() {
        if let Some(owner) = cell.owner() {
            let name: Vec<String> = content.iter().map(ToString::to_string).collect();
            pieces[owner.index()].push((*cell, name.join(" ")));
        }
    }
    pieces.iter_mut().for_each(|pieces| pieces.sort());
    let [first, second] = pieces.map(|pieces| {
        let names: Vec<String> = pieces.iter().map(|(_, name)| name.clone()).collect();
        let shared = shared_beginning(&names);
        pieces
            .into_iter()
            .map(move |(cell, name)| NamedPiece { cell, end: name[shared..].to_owned(), name })
            .collect::<Vec<_>>()
    });
    let mut letters: BTreeMap<Cell, char> = BTreeMap::new();
    let mut used: BTreeSet<char> = BTreeSet::new();
    for piece in &first {
        let letter = piece.letter(&used).ok_or(NoBoard::TooManyKinds(kinds))?;
        used.insert(letter);
        letters.insert(piece.cell, letter.to_ascii_uppercase());
    }
    let images = mirror_images(setup);
    let alike = |piece: &NamedPiece, other: &NamedPiece| {
        images.get(&piece.cell).map_or_else(|| piece.end.eq_ignore_ascii_case(&other.end), |image| *image == other.cell)
    };
    for other in &second {
        let same = first.iter().find(|piece| alike(piece, other)).and_then(|piece| letters.get(&piece.cell));
        let letter = same.map(char::to_ascii_lowercase).or_else(|| other.letter(&used));
        let letter = letter.ok_or(NoBoard::TooManyKinds(kinds))?;
        used.insert(letter);
        letters.insert(other.cell, letter);
    }
    for cell in cells.values_mut() {
        if let Some(letter) = letters.get(cell) {
            *cell = Cell::named(&letter.to_string()).map_err(|_| NoBoard::NoSquares)?;
        }
    }
    Ok(())
}

/// A piece with its name in the sheet.
struct NamedPiece {
    cell: Cell,
    name: String,
    /// The name without what all pieces of the player share.
    end: String,
}

impl NamedPiece {
    /// A small letter that is not used yet, out of the name if possible.
    fn letter(&self, used: &BTreeSet<char>) -> Option<char> {
        let own = self.end.chars().chain(self.name.chars()).filter(char::is_ascii_alphabetic);
        own.map(|letter| letter.to_ascii_lowercase()).chain('a'..='z').find(|letter| !used.contains(letter))
    }
}

/// How many bytes all names begin with; none if there is only one name.
fn shared_beginning(names: &[String]) -> usize {
    let [name, _, ..] = names else { return 0 };
    let ends = (0..=name.len()).filter(|&end| name.is_char_boundary(end));
    ends.take_while(|&end| names.iter().all(|other| other.starts_with(&name[..end]))).last().unwrap_or(0)
}

/// For kinds of the first player: the one of the second that stands on all the opposite squares, and nowhere else, the
/// board being mirrored or turned round.
fn mirror_images(setup: &Position) -> BTreeMap<Cell, Cell> {
    let shape = setup.shape();
    let turned = |square: Square| Square((shape.squares() - 1 - square.index()) as u16);
    let mirrored = |square: Square| shape.mirrored(square);
    let images = |opposite: &dyn Fn(Square) -> Square| -> BTreeMap<Cell, Cell> {
        let mut facing: BTreeMap<Cell, BTreeSet<Cell>> = BTreeMap::new();
        for square in shape.all() {
            facing.entry(setup.at(square)).or_default().insert(setup.at(opposite(square)));
        }
        let only = |cell: &Cell| facing.get(cell).filter(|others| others.len() == 1).and_then(|others| others.first());
        let image = |cell: &Cell| only(cell).copied().filter(|other| only(other) == Some(cell));
        let firsts = facing.keys().filter(|cell| cell.owner() == Some(Player::First));
        let images = firsts.filter_map(|cell| image(cell).map(|other| (*cell, other)));
        images.filter(|(_, other)| other.owner() == Some(Player::Second)).collect()
    };
    let mut found = images(&mirrored);
    for (cell, image) in images(&turned) {
        if !found.values().any(|known| *known == image) {
            found.entry(cell).or_insert(image);
        }
    }
    found
}

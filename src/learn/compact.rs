//! Evidence as compact bytes, for processes that hand it to each other: quick to write, to read and to merge.
//!
//! The text of saved evidence (`saved.rs`) is sorted and made to last; these bytes are neither, and only the program that wrote
//! them reads them. They end with a checksum.

use super::evidence::{Counts, Evidence, Listed, RecordHead, Refused, add, at_origin};
use super::packing::Packing;
use crate::board::{Cell, Player, Shape, Square, Word};
use crate::observe::Listing;
use rustc_hash::FxHashMap;

const TITLE: &[u8] = b"onlooker compact evidence 1\n";

/// Bytes that no evidence was written to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompactError {
    /// They are something else, or not all of it, or damaged.
    #[error("these are no bytes of evidence, or they are damaged")]
    Damaged,
    /// The evidence does not go with the evidence it is to be merged into.
    #[error(transparent)]
    Refused(#[from] Refused),
}

impl Evidence {
    /// The evidence as bytes for another process that runs the same program.
    ///
    /// ```
    /// use onlooker::learn::Evidence;
    /// use onlooker::observe::GameReader;
    ///
    /// let mut evidence = Evidence::default();
    /// for game in GameReader::new("1\n.\nK\n*\nw all 1\n0 (0 1 e)\n2\nK\n.\n1\nw all 0\n".as_bytes()) {
    ///     evidence.observe(&game?)?;
    /// }
    /// let bytes = evidence.to_bytes();
    /// evidence.merge_bytes(&bytes)?;
    /// assert_eq!((evidence.games(), evidence.positions()), (2, 4));
    /// assert!(Evidence::default().merge_bytes(&bytes[1..]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = TITLE.to_vec();
        let side = |shape: Option<Shape>| shape.map_or((0, 0), |shape| (shape.width(), shape.height()));
        let (width, height) = side(self.shape);
        number(&mut out, width as u64);
        number(&mut out, height as u64);
        number(&mut out, self.packing.kinds.len() as u64);
        self.packing.kinds.iter().for_each(|kind| text(&mut out, &kind.to_string()));
        let mut counts = self.counts;
        counts.numbers().into_iter().for_each(|count| number(&mut out, *count));
        number(&mut out, u64::from(counts.longest));
        number(&mut out, self.words.values().map(FxHashMap::len).sum::<usize>() as u64);
        for ((player, start), words) in &self.words {
            for (word, origins) in words {
                out.push(player.index() as u8);
                text(&mut out, &start.to_string());
                text(&mut out, &word.to_string());
                number(&mut out, origins.len() as u64);
                for (square, listed) in origins {
                    for part in [u32::from(square.0), listed.all, listed.some] {
                        number(&mut out, u64::from(part));
                    }
                }
            }
        }
        for map in [&self.setups, &self.situations] {
            number(&mut out, map.len() as u64);
            out.reserve(map.len() * (map.keys().next().map_or(0, |key| key.len()) + 4));
            for (key, &count) in map {
                number(&mut out, key.len() as u64);
                out.extend_from_slice(key);
                number(&mut out, u64::from(count));
            }
        }
        let checksum = crc32fast::hash(&out);
        out.extend(checksum.to_le_bytes());
        out
    }

    /// Adds the evidence that was written to these bytes; on an error nothing is added.
    ///
    /// # Errors
    ///
    /// [`CompactError`] if they are damaged, or if the boards or the kinds of pieces do not go together.
    pub fn merge_bytes(&mut self, bytes: &[u8]) -> Result<(), CompactError> {
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(CompactError::Damaged)?;
        if !body.starts_with(TITLE) || crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(CompactError::Damaged);
        }
        let mut reader = Bytes(&body[TITLE.len()..]);
        let head = reader.head().ok_or(CompactError::Damaged)?;
        // Where boards are packed alike, they need not be unpacked, and those that are known need no room.
        if self.shape == head.shape && self.packing.kinds == head.packing.kinds {
            // Counted before anything is added.
            let mut rest = Bytes(reader.0);
            (0..2).try_for_each(|_| rest.keys(&head, |_, _| {})).ok_or(CompactError::Damaged)?;
            for map in [&mut self.setups, &mut self.situations] {
                reader.keys(&head, |key, count| add(map, key, count)).ok_or(CompactError::Damaged)?;
            }
            return self.merge(head).map_err(|(refused, _)| refused.into());
        }
        let mut other = head.clone();
        for map in [&mut other.setups, &mut other.situations] {
            reader.keys(&head, |key, count| add(map, key, count)).ok_or(CompactError::Damaged)?;
        }
        self.merge(other).map_err(|(refused, _)| refused.into())
    }
}

impl Counts {
    fn numbers(&mut self) -> [&mut u64; 8] {
        let Counts { games, positions, moves, turns: [first, second], irregular, passes, hands, .. } = self;
        [games, positions, moves, first, second, irregular, passes, hands]
    }
}

/// Seven bits a byte, the lowest first.
fn number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// What is left to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut sum = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            sum |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(sum);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    fn piece(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        let (piece, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(piece)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.piece()?).ok()
    }

    fn cell(&mut self) -> Option<Cell> {
        Cell::named(self.text()?).ok()
    }

    /// Everything but the positions.
    fn head(&mut self) -> Option<Evidence> {
        let mut evidence = Evidence::default();
        let (width, height) = (self.number()?, self.number()?);
        if (width, height) != (0, 0) {
            evidence.shape = Some(Shape::new(usize::try_from(width).ok()?, usize::try_from(height).ok()?)?);
        }
        evidence.packing.squares = evidence.shape.map_or(0, Shape::squares);
        let kinds: Vec<Cell> = (0..self.small()?).map_while(|_| self.cell()).collect();
        evidence.packing.learn(&kinds, &mut []).ok()?;
        if evidence.packing.kinds != kinds {
            return None;
        }
        for count in evidence.counts.numbers() {
            *count = self.number()?;
        }
        evidence.counts.longest = self.small()?;
        for _ in 0..self.number()? {
            let (&player, rest) = self.0.split_first()?;
            self.0 = rest;
            let player = [Player::First, Player::Second].into_iter().nth(usize::from(player))?;
            let (start, word) = (self.cell()?, self.text()?.parse::<Word>().ok()?);
            let origins = evidence.words.entry((player, start)).or_default().entry(word).or_default();
            for _ in 0..self.number()? {
                let (square, all, some) = (u16::try_from(self.small()?).ok()?, self.small()?, self.small()?);
                if usize::from(square) >= evidence.packing.squares {
                    return None;
                }
                *at_origin(origins, Square(square)) = Listed { all, some };
            }
        }
        Some(evidence)
    }

    /// Boards with their counts.
    fn keys(&mut self, head: &Evidence, mut see: impl FnMut(&[u8], u32)) -> Option<()> {
        for _ in 0..self.number()? {
            let key = self.piece()?;
            if !is_key(&head.packing, key) {
                return None;
            }
            see(key, self.small()?);
        }
        Some(())
    }
}

/// Whether these bytes are a head, a board and, unless they are a setup, what belongs to the head.
fn is_key(packing: &Packing, key: &[u8]) -> bool {
    let board = packing.board_bytes();
    let Some((&first, rest)) = key.split_first() else { return false };
    let head = RecordHead::of(first);
    let tail = match (head.outcome, head.listing) {
        (Some(_), _) => 4,
        (None, Listing::All) => 2,
        (None, Listing::Some) => 6,
    };
    rest.len() == board + tail || (first == 0 && rest.len() == board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{SimulationPlan, catalogue_game, random_game};

    fn watched(game: &str, listing: Listing, numbers: std::ops::Range<u64>) -> Evidence {
        let game = catalogue_game(game).unwrap();
        let plan = SimulationPlan { games: 100, listing, seed: 1, plies: 50 };
        let mut evidence = Evidence::default();
        numbers.for_each(|number| evidence.observe(&random_game(&game, &plan, number).unwrap()).unwrap());
        evidence
    }

    fn saved(evidence: &Evidence) -> Vec<u8> {
        let mut out = Vec::new();
        evidence.write(&mut out).unwrap();
        out
    }

    #[test]
    fn bytes_merge_as_evidence_does() {
        for game in ["checkers", "chess-breakthrough", "amazons", "tic-tac-toe", "peg-solitaire"] {
            for listing in [Listing::All, Listing::Some] {
                let (all, part) = (watched(game, listing, 0..12), watched(game, listing, 0..5));
                let mut merged = watched(game, listing, 5..12);
                merged.merge_bytes(&part.to_bytes()).unwrap();
                assert_eq!(saved(&merged), saved(&all), "{game}");
                let mut fresh = Evidence::default();
                fresh.merge_bytes(&all.to_bytes()).unwrap();
                fresh.merge_bytes(&Evidence::default().to_bytes()).unwrap();
                assert_eq!(saved(&fresh), saved(&all), "{game}");
            }
        }
    }

    #[test]
    fn what_is_damaged_or_does_not_belong_adds_nothing() {
        let mut evidence = watched("tic-tac-toe", Listing::All, 0..3);
        let before = saved(&evidence);
        let good = evidence.to_bytes();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x41;
            assert_eq!(evidence.merge_bytes(&bad), Err(CompactError::Damaged));
            assert_eq!(evidence.merge_bytes(&good[..at]), Err(CompactError::Damaged));
        }
        let other = watched("checkers", Listing::All, 0..2).to_bytes();
        assert!(matches!(evidence.merge_bytes(&other), Err(CompactError::Refused(Refused::Board { .. }))));
        assert_eq!(saved(&evidence), before);
    }
}

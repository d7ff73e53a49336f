//! Evidence as text: a line each for what was seen, in an order that does not depend on how it was seen.

use super::evidence::{Counts, Evidence, Listed, RecordHead};
use super::situations::{Situations, sorted};
use crate::board::{Cell, Player, Position, Shape, Square, Word};
use crate::observe::{Listing, Outcome};
use crate::saved::{Fault, Fields, SavedError, SavedWriter, Title, read_lines};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

const TITLE: Title = Title {
    line: "onlooker evidence 3",
    expected: "'onlooker evidence 3', the first line of saved evidence",
    other_version: (
        "onlooker evidence ",
        "'onlooker evidence 3': another version of the program saved this file, so save the evidence of its logs again",
    ),
};

impl Evidence {
    /// Writes the evidence: the same bytes for the same games, in whatever order they were seen.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = SavedWriter::new(out, TITLE.line)?;
        if let Some(shape) = self.shape {
            self.write_lines(&mut out, shape)?;
        }
        out.finish()
    }

    fn write_lines(&self, out: &mut impl Write, shape: Shape) -> io::Result<()> {
        writeln!(out, "board {} {}", shape.width(), shape.height())?;
        let mut counts = self.counts;
        for (name, count) in numbers(&mut counts) {
            writeln!(out, "count {name} {count}")?;
        }
        writeln!(out, "count longest {}", counts.longest)?;
        let words: BTreeMap<_, _> = self.words.iter().collect();
        for ((player, start), words) in words {
            let words: BTreeMap<_, _> = words.iter().collect();
            for (word, origins) in words {
                write!(out, "word {} {start} {word}", player.letter())?;
                for (square, listed) in origins {
                    write!(out, " {}:{}:{}", shape.name(*square), listed.all, listed.some)?;
                }
                writeln!(out)?;
            }
        }
        let (packing, setups) = sorted(&self.packing, &self.setups);
        for (key, count) in setups.iter() {
            write!(out, "setup {count}")?;
            rows(out, shape, &|square| packing.kinds[packing.at(key, square.index())])?;
        }
        let situations = Situations::of(self, shape);
        for (head, key, count) in situations.iter() {
            let listing = if head.listing == Listing::All { "all" } else { "some" };
            let outcome = match head.outcome {
                None => "*",
                Some(Outcome::Lost) => "-1",
                Some(Outcome::Tied) => "0",
                Some(Outcome::Won) => "1",
            };
            write!(out, "position {} {listing} {outcome} {count}", head.turn.letter())?;
            if let Some(plies) = situations.plies(key) {
                write!(out, " {plies}")?;
            }
            rows(out, shape, &|square| situations.at(key, square))?;
        }
        Ok(())
    }

    /// Reads evidence that was written.
    ///
    /// # Errors
    ///
    /// [`SavedError::Line`] if it is not saved evidence, or if anything of it was cut off or changed.
    pub fn read(input: impl BufRead) -> Result<Evidence, SavedError> {
        let mut evidence = Evidence::default();
        read_lines(input, &TITLE, |line| evidence.read_line(line))?;
        Ok(evidence)
    }

    fn read_line(&mut self, line: &str) -> Result<(), Fault> {
        let mut fields = Fields::of(line);
        let kind = fields.next("a line of evidence")?;
        let board = "a line 'board WIDTH HEIGHT' before this one";
        match (kind, self.shape) {
            ("board", Some(_)) => return Err((0, "only one board")),
            ("board", None) => {
                let (width, height) = (fields.small("a width")?, fields.small("a height")?);
                let shape = Shape::new(width as usize, height as usize)
                    .ok_or((fields.at, "a board of 1 to 32 squares a side"))?;
                self.shape = Some(shape);
                self.packing.squares = shape.squares();
            }
            ("count", _) => {
                let name = fields.next("the name of a count")?;
                let count = fields.number("a number")?;
                if name == "longest" {
                    self.counts.longest = u32::try_from(count).map_err(|_| (fields.before, "a number of plies"))?;
                } else {
                    let mut numbers = numbers(&mut self.counts);
                    let known = numbers.iter_mut().find(|number| number.0 == name);
                    *known.ok_or((0, "a known count such as 'count games'"))?.1 = count;
                }
            }
            ("word", Some(shape)) => {
                let player = fields.player()?;
                let start = fields.cell()?;
                let word = fields.word()?;
                let mut origins = Vec::new();
                while !fields.is_finished() {
                    origins.push(fields.origin(shape)?);
                }
                origins.sort_by_key(|origin| origin.0);
                self.words.entry((player, start)).or_default().insert(word, origins);
            }
            ("setup", Some(shape)) => {
                let count = fields.small("a number of games")?;
                let position = fields.rows(shape)?;
                let key = self.key(0, &position, &fields)?;
                self.setups.insert(key.into(), count);
            }
            ("position", Some(shape)) => {
                let turn = fields.player()?;
                let listing = match fields.next("all or some")? {
                    "all" => Listing::All,
                    "some" => Listing::Some,
                    _ => return Err((fields.before, "all or some")),
                };
                let outcome = match fields.next("an outcome")? {
                    "*" => None,
                    "-1" => Some(Outcome::Lost),
                    "0" => Some(Outcome::Tied),
                    "1" => Some(Outcome::Won),
                    _ => return Err((fields.before, "an outcome: *, -1, 0 or 1")),
                };
                let count = fields.small("how often it was seen")?;
                let plies = match outcome {
                    None => None,
                    Some(_) => Some(fields.small("after how many plies the game was over")?),
                };
                let position = fields.rows(shape)?;
                let mut key = self.key(RecordHead { turn, listing, outcome }.byte(), &position, &fields)?;
                key.extend(plies.into_iter().flat_map(u32::to_le_bytes));
                self.situations.insert(key.into(), count);
            }
            ("word" | "setup" | "position", None) => return Err((0, board)),
            _ => return Err((0, "board, count, word, setup or position")),
        }
        if fields.is_finished() { Ok(()) } else { Err((fields.at, "the end of the line")) }
    }

    fn key(&mut self, head: u8, position: &Position, fields: &Fields) -> Result<Vec<u8>, Fault> {
        let maps = &mut [&mut self.situations, &mut self.setups];
        self.packing.learn(position.cells(), maps).map_err(|_| (fields.at, "at most 256 kinds of pieces"))?;
        let mut key = Vec::new();
        self.packing.encode(head, position.cells(), &mut key);
        Ok(key)
    }
}

/// The counts that are added up, by name.
fn numbers(counts: &mut Counts) -> [(&'static str, &mut u64); 8] {
    let [first, second] = &mut counts.turns;
    [
        ("games", &mut counts.games),
        ("positions", &mut counts.positions),
        ("moves", &mut counts.moves),
        ("first-turns", first),
        ("second-turns", second),
        ("irregular", &mut counts.irregular),
        ("passes", &mut counts.passes),
        ("hands", &mut counts.hands),
    ]
}

/// The rows of a board from the top, each behind a tab: names may hold any sign, but no space.
fn rows(out: &mut impl Write, shape: Shape, at: &dyn Fn(Square) -> Cell) -> io::Result<()> {
    let spaced = shape.all().any(|square| at(square).is_long());
    for rank in (0..shape.height()).rev() {
        out.write_all(b"\t")?;
        for file in 0..shape.width() {
            let cell = shape.square(file, rank).map_or(Cell::EMPTY, at);
            write!(out, "{}{cell}", if spaced && file > 0 { " " } else { "" })?;
        }
    }
    writeln!(out)
}

/// Fields of evidence.
impl<'a> Fields<'a> {
    fn small(&mut self, expected: &'static str) -> Result<u32, Fault> {
        self.read(expected, |field| field.parse().ok())
    }

    fn player(&mut self) -> Result<Player, Fault> {
        self.read("a player, w or b", |field| match field {
            "w" => Some(Player::First),
            "b" => Some(Player::Second),
            _ => None,
        })
    }

    fn cell(&mut self) -> Result<Cell, Fault> {
        self.read("a piece, or '.'", |field| Cell::named(field).ok())
    }

    /// Micro-moves have spaces in them, so a word goes on to its last bracket.
    fn word(&mut self) -> Result<Word, Fault> {
        self.is_finished();
        let rest = &self.line[self.at..];
        let length = rest.rfind(')').map_or(rest.len(), |at| at + 1);
        let word = rest[..length].parse().map_err(|error: crate::board::WordError| {
            let at = self.at + error.at;
            (if self.line.is_char_boundary(at) { at } else { self.at }, error.expected)
        })?;
        self.at += length;
        Ok(word)
    }

    fn origin(&mut self, shape: Shape) -> Result<(Square, Listed), Fault> {
        self.read("a square with how often a word was listed from it, as in a1:3:0", |field| {
            let mut parts = field.split(':');
            let square = shape.named(parts.next()?)?;
            let listed = Listed { all: parts.next()?.parse().ok()?, some: parts.next()?.parse().ok()? };
            parts.next().is_none().then_some((square, listed))
        })
    }

    fn rows(&mut self, shape: Shape) -> Result<Position, Fault> {
        const EXPECTED: &str = "the rows of the board, each behind a tab";
        let rest = self.line[self.at..].strip_prefix('\t').ok_or((self.at, EXPECTED))?;
        let position = Position::from_rows(rest.split('\t')).map_err(|_| (self.at + 1, EXPECTED))?;
        if position.shape() != shape {
            return Err((self.at + 1, "rows of the board's width and height"));
        }
        self.at = self.line.len();
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(evidence: &Evidence) -> String {
        let mut bytes = Vec::new();
        evidence.write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_is_no_evidence_is_refused_where_it_goes_wrong() {
        let good =
            "onlooker evidence 3\nboard 2 2\ncount games 1\nword w P (0 1 e) a1:1:0\nsetup 1\t..\tP.\nend 5 e97ec35c\n";
        assert!(Evidence::read(good.as_bytes()).is_ok());
        for (from, to, line, column) in [
            ("onlooker", "Onlooker", 1, 1),
            ("board 2 2", "board 2", 2, 8),
            ("board 2 2", "board 2 99", 2, 11),
            ("board 2 2\n", "", 3, 1),
            ("count games 1", "board 3 3", 3, 1),
            ("count games 1", "count lames 1", 3, 1),
            ("count games 1", "count games -1", 3, 13),
            ("count games 1", "count games 1 2", 3, 15),
            ("word w", "word x", 4, 6),
            ("(0 1 e)", "(0 1 z)", 4, 15),
            ("a1:1:0", "c1:1:0", 4, 18),
            ("a1:1:0", "a1:1", 4, 18),
            ("\t..\tP.", "\t..", 5, 9),
            ("\t..\tP.", "", 5, 8),
            ("setup", "sétup", 5, 1),
            ("games 1", "games 2", 6, 7),
            ("end 5", "end 4", 6, 5),
            ("end 5", "end 5 ", 6, 1),
            ("evidence 3", "evidence 2", 1, 1),
        ] {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good);
            match Evidence::read(bad.as_bytes()) {
                Err(SavedError::Line { line: l, column: c, .. }) => assert_eq!((l, c), (line, column), "{bad}"),
                other => panic!("{bad}: {other:?}"),
            }
        }
        let not_text = Evidence::read(&b"onlooker evidence 3\n\xff\n"[..]);
        assert!(matches!(not_text, Err(SavedError::Line { line: 2, .. })));
    }

    #[test]
    fn no_games_are_evidence_too() {
        let none = Evidence::default();
        assert_eq!(saved(&Evidence::read(saved(&none).as_bytes()).unwrap()), saved(&none));
    }
}

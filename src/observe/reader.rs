//! Reading logs.

use super::bare::name_bare_adds;
use super::error::{Fault, KeptLine, LogError, Problem};
use super::limits::{MAX_GAME, MAX_LINE};
use super::lines::{Lines, check_text};
use super::seen::SeenMoves;
use super::{Cause, Move, Outcome, Record, syntax};
use crate::board::{Cell, Effect, MAX_SIDE, Misfit, MisfitReason, Shape, Square, read_row};
use std::io::Read;

/// Reads the records of a log one after another and refuses whatever is not as it should be.
///
/// It needs the same little memory however long the log is. What it hands out can be replayed: every move fits its
/// position, no move is listed twice, and each position is the one that the move played before leads to (hands aside,
/// since a word does not tell what a capture adds to them).
///
/// ```
/// use onlooker::observe::{LogReader, Record};
///
/// let log = "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n2\nP.\n..\n1\nb all 0\n";
/// let mut reader = LogReader::new(log.as_bytes());
/// let mut record = Record::default();
/// while reader.read(&mut record)? {
///     println!("{}{}", record.position, record.moves.len());
/// }
/// # assert_eq!(record.number, 2);
///
/// let broken = log.replace("(0 1 e)", "(1 0 e)(0 -1 e)");
/// let error = LogReader::new(broken.as_bytes()).last().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "line 6, column 10: this step leads off the board (game 1, record 1)");
/// assert_eq!(error.excerpt(), "0 (1 0 e)(0 -1 e)\n         ^^^^^^^^");
/// # Ok::<(), onlooker::observe::LogError>(())
/// ```
pub struct LogReader<R> {
    lines: Lines<R>,
    /// The game and the number of the record read last; 0 before the first.
    game: u64,
    number: u32,
    /// Whether that record ended its game.
    terminal: bool,
    /// The number of the last record of the game before, if no terminal record ended that one; otherwise 0.
    unended: u32,
    /// How many moves it listed.
    count: u32,
    /// How many bytes of the game's lines were read.
    game_bytes: usize,
    /// The game and the number of the record that is being read.
    reading: (u64, u32),
    /// Which part of it.
    part: Part,
    /// Whether its outcome was just `1`.
    after_one: bool,
    /// Whether the line `1` of the next record is read already.
    begun: bool,
    shape: Shape,
    /// The rows of the board, top row first.
    drawn: Vec<Cell>,
    /// The position that must come next, by the number of the square.
    follows: Vec<Cell>,
    seen: SeenMoves,
    /// The line of the move played last, if it has a bare `a` that only the next position can name.
    bare: Option<KeptLine>,
    /// The record that was read to name a bare `a` of the one before.
    ahead: Option<Record>,
    /// Records to be filled, instead of fresh ones.
    spare: Record,
    /// Whether a record waits for the one that is being read.
    waiting: bool,
    /// What was found while looking for the next game.
    failure: Option<Fault>,
    done: bool,
}

/// The parts of a record, as far as it matters for getting over an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Number,
    Board,
    Rest,
}

impl<R: Read> LogReader<R> {
    /// Reads from `input`, which need not be buffered.
    pub fn new(input: R) -> LogReader<R> {
        let spare = Record::default();
        LogReader {
            lines: Lines::new(input),
            game: 0,
            number: 0,
            terminal: true,
            unended: 0,
            count: 0,
            game_bytes: 0,
            reading: (1, 1),
            part: Part::Number,
            begun: false,
            after_one: false,
            shape: spare.position.shape(),
            drawn: Vec::new(),
            follows: Vec::new(),
            seen: SeenMoves::default(),
            bare: None,
            ahead: None,
            spare,
            waiting: false,
            failure: None,
            done: false,
        }
    }

    /// Fills the record with the next one; `false` at the end of the log, and after an error.
    ///
    /// # Errors
    ///
    /// [`LogError`] with the place of what does not belong there.
    pub fn read(&mut self, record: &mut Record) -> Result<bool, LogError> {
        if self.done {
            return Ok(false);
        }
        let read = self.read_named(record);
        self.done = !matches!(read, Ok(true));
        read.map_err(|fault| self.error(fault))
    }

    /// The game of the record that was read last, counted from 1.
    pub(super) fn game(&self) -> u64 {
        self.game
    }

    /// Reads a record, and the one after it if only that one can name a bare `a`.
    fn read_named(&mut self, record: &mut Record) -> Result<bool, Fault> {
        match self.ahead.take() {
            Some(ahead) => self.spare = std::mem::replace(record, ahead),
            None if !self.read_next(record, None)? => return Ok(false),
            None => {}
        }
        if self.bare.is_some() {
            let mut ahead = std::mem::take(&mut self.spare);
            self.waiting = true;
            self.read_next(&mut ahead, Some(record))?;
            self.waiting = false;
            self.ahead = Some(ahead);
        }
        Ok(true)
    }

    /// Reads a record, and names the bare `a` of the one before if that one is given.
    fn read_next(&mut self, record: &mut Record, mut before: Option<&mut Record>) -> Result<bool, Fault> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let next = if self.terminal { 1 } else { self.number + 1 };
        self.reading = if self.terminal { (self.game + 1, 1) } else { (self.game, next) };
        self.part = Part::Number;
        let number = self.read_number(next)?;
        if let (Some(before), Some(kept), None | Some(1)) = (&before, &self.bare, number) {
            self.reading = (self.game, before.number);
            let bare = bare_add_in(before);
            let problem = Problem::BareAdd { reason: "no next position tells" };
            return Err(micro_move_fault(kept, bare, problem));
        }
        let Some(number) = number else { return Ok(false) };
        if number == 1 {
            self.game += 1;
            self.game_bytes = 0;
            self.unended = if self.terminal { 0 } else { self.number };
        }
        self.number = number;
        self.reading = (self.game, number);
        self.terminal = false;

        self.part = Part::Board;
        record.number = number;
        if number == 1 {
            self.read_first_board()?;
            record.position.set_rows(&self.drawn, self.shape);
        } else {
            let kept_rows = self.read_board(before.is_some())?;
            record.position.set_rows(&self.drawn, self.shape);
            if let (Some(before), Some(kept)) = (&mut before, self.bare.take()) {
                self.name_played(before, record, &kept, &kept_rows)?;
            }
            self.advance("the outcome")?;
        }
        self.part = Part::Rest;
        if syntax::is_hands(self.lines.line()) {
            record.position.set_hands(syntax::hands(self.lines.line())?);
            self.advance("the outcome")?;
        }
        (record.outcome, record.cause) = syntax::outcome(self.lines.line())?;
        self.after_one = (record.outcome, record.cause) == (Some(Outcome::Won), Cause::Position);
        self.read_moves(record)?;
        self.terminal = record.is_terminal();
        Ok(true)
    }

    /// The record number, or `None` at the end of the log.
    fn read_number(&mut self, next: u32) -> Result<Option<u32>, Fault> {
        if std::mem::take(&mut self.begun) {
            return Ok(Some(1));
        }
        if !self.lines.advance().map_err(|problem| self.line_fault(problem))? {
            return if self.game == 0 { Err(Fault::new(0, 0, Problem::NoRecord)) } else { Ok(None) };
        }
        let line = self.lines.line();
        let number = syntax::number(line);
        if number == Some(1) || number == Some(next) {
            return Ok(number);
        }
        let found = syntax::quoted(line);
        let problem = match number {
            None if self.game == 0 => Problem::NotALog { found },
            None if !self.terminal && syntax::is_move(line) => Problem::ManyMoves { expected: self.count },
            _ => Problem::Number { found, next },
        };
        Err(Fault::new(0, line.len(), problem))
    }

    /// The rows of a game's first position, which also tell how large the board is. Stops at the line after them.
    fn read_first_board(&mut self) -> Result<(), Fault> {
        self.drawn.clear();
        let (mut width, mut height) = (0, 0);
        loop {
            self.advance("a row of the board")?;
            let line = self.lines.line();
            if syntax::is_outcome(line) || syntax::is_hands(line) || syntax::is_turn(line) {
                break;
            }
            let whole = |problem| Fault::new(0, line.len(), problem);
            let found = read_row(line, &mut self.drawn).map_err(name_fault)?;
            if height == 0 {
                width = found;
            }
            height += 1;
            if found != width {
                return Err(whole(Problem::Width { found, expected: width }));
            }
            if width > MAX_SIDE || height > MAX_SIDE {
                return Err(whole(Problem::Large));
            }
        }
        let line = self.lines.line();
        let none = || Fault::new(0, line.len(), Problem::NoRow { found: syntax::quoted(line) });
        self.shape = Shape::new(width, height).ok_or_else(none)?;
        Ok(())
    }

    /// The rows of a later position, each compared with what it must be, unless that is not known yet: then the rows
    /// are kept and returned.
    fn read_board(&mut self, keep: bool) -> Result<Vec<KeptLine>, Fault> {
        self.drawn.clear();
        let mut kept = Vec::new();
        let (width, height) = (self.shape.width(), self.shape.height());
        for row in 0..height {
            self.advance("a row of the board")?;
            let line = self.lines.line();
            let read = read_row(line, &mut self.drawn);
            if !matches!(read, Ok(found) if found == width) {
                let is_later = syntax::number(line).is_some()
                    || syntax::is_outcome(line)
                    || syntax::is_hands(line)
                    || syntax::is_turn(line);
                let problem = if is_later {
                    Problem::MissingRow { found: syntax::quoted(line), rows: row, expected: height }
                } else {
                    Problem::Width { found: read.map_err(name_fault)?, expected: width }
                };
                return Err(Fault::new(0, line.len(), problem));
            }
            if keep {
                kept.push(KeptLine { line: self.lines.number(), text: line.to_vec() });
            } else if let Some(fault) = self.row_fault(row, line) {
                return Err(fault);
            }
        }
        Ok(kept)
    }

    /// Compares a row with what must follow from the move played before.
    fn row_fault(&self, row: usize, line: &[u8]) -> Option<Fault> {
        let (width, height) = (self.shape.width(), self.shape.height());
        let drawn = &self.drawn[row * width..][..width];
        let follows = &self.follows[(height - 1 - row) * width..][..width];
        if drawn == follows {
            return None;
        }
        let file = (0..width).find(|&file| drawn[file] != follows[file])?;
        let (at, length) = syntax::square_in_row(line, file);
        let square = self.shape.square(file, height - 1 - row)?;
        let (found, expected) = (drawn[file], follows[file]);
        Some(Fault::new(at, length, Problem::NotFollowing { shape: self.shape, square, found, expected }))
    }

    /// Names the bare `a`s of the move played from the position that it led to, and makes up for the checks that had
    /// to wait for that.
    fn name_played(
        &mut self,
        before: &mut Record,
        next: &Record,
        kept: &KeptLine,
        kept_rows: &[KeptLine],
    ) -> Result<(), Fault> {
        let reading = std::mem::replace(&mut self.reading, (self.game, before.number));
        let Some((played @ Move::Word { .. }, others)) = before.moves.split_first_mut() else { return Ok(()) };
        if let Move::Word { start, word } = played {
            name_bare_adds(*start, word, &next.position)
                .map_err(|(index, problem)| micro_move_fault(kept, index, problem))?;
        }
        let effect = played.effect(&before.position, before.turn);
        let effect = effect.map_err(|misfit| misfit_fault(misfit, played, self.shape, &kept.text).on(kept))?;
        if let Some(place) = others.iter().position(|other| other == played) {
            return Err(Fault::new(0, kept.text.len(), Problem::Repeated { first: place + 2 }).on(kept));
        }
        self.reading = reading;
        self.expect_next(before, &effect);
        let wrong =
            kept_rows.iter().enumerate().find_map(|(row, kept)| Some(self.row_fault(row, &kept.text)?.on(kept)));
        wrong.map_or(Ok(()), Err)
    }

    /// The turn line and the moves.
    fn read_moves(&mut self, record: &mut Record) -> Result<(), Fault> {
        self.advance("whose turn it is, as in 'w all 20'")?;
        let turn = syntax::turn(self.lines.line())?;
        let count = turn.count;
        match record.outcome {
            Some(_) if count > 0 => return Err(turn.count_field.refuse(|_| Problem::MovesAfterEnd { count })),
            None if count == 0 => return Err(turn.count_field.refuse(|_| Problem::NoMoves)),
            _ => {}
        }
        (record.turn, record.listing) = (turn.player, turn.listing);
        self.count = count;
        self.seen.clear();
        let mut played = Effect::default();
        for index in 0..count as usize {
            self.advance("a move")?;
            let line = self.lines.line();
            if index == record.moves.len() {
                record.moves.push(Move::Pass);
            }
            let listed = &mut record.moves[index];
            if let Err(fault) = syntax::read_move(line, listed, self.shape) {
                let (found, expected) = (index as u32, count);
                return Err(match syntax::number(line) {
                    Some(_) => {
                        Fault::new(0, line.len(), Problem::FewMoves { text: syntax::quoted(line), found, expected })
                    }
                    None => fault,
                });
            }
            match listed.effect(&record.position, record.turn) {
                Ok(effect) if index == 0 => played = effect,
                Ok(_) => {}
                Err(Misfit { reason: MisfitReason::UnknownPiece, .. }) if index == 0 => {
                    self.bare = Some(KeptLine { line: self.lines.number(), text: line.to_vec() });
                }
                Err(misfit) => return Err(misfit_fault(misfit, listed, self.shape, line)),
            }
            if count > 1
                && let Some(place) = self.seen.insert_last(&record.moves[..=index])
            {
                return Err(Fault::new(0, line.len(), Problem::Repeated { first: place + 1 }));
            }
        }
        record.moves.truncate(count as usize);
        self.expect_next(record, &played);
        Ok(())
    }

    fn expect_next(&mut self, record: &Record, played: &Effect) {
        self.follows.clear();
        self.follows.extend_from_slice(record.position.cells());
        for &(square, cell) in played.changes() {
            self.follows[square.index()] = cell;
        }
    }

    /// Goes on to a line that must be there.
    fn advance(&mut self, expected: &'static str) -> Result<(), Fault> {
        match self.lines.advance() {
            Ok(true) => {
                self.game_bytes += self.lines.line().len();
                if self.game_bytes <= MAX_GAME { Ok(()) } else { Err(Fault::new(0, 1, Problem::LongGame)) }
            }
            Ok(false) => Err(Fault::new(0, 0, Problem::Ends { expected })),
            Err(problem) => Err(self.line_fault(problem)),
        }
    }

    /// After an error, goes on to the line that begins the next game, so that reading can go on there.
    ///
    /// It may turn out that it was such a line that was damaged, and that the game before was complete: then the error
    /// is moved to the first record of a game of its own. Or that what looked like a first record was none, and belongs
    /// to the game before.
    pub(super) fn skip_to_next_game(&mut self, error: &mut LogError) {
        let on_move = matches!(error.problem, Problem::ManyMoves { .. } | Problem::BareAdd { .. });
        let at_number = self.part == Part::Number && !on_move;
        // The outcome may have been the next game's first line, if the record ended before its outcome. Then a row
        // follows, which no turn can be taken for, since it has a number.
        self.begun = self.after_one
            && matches!(error.problem, Problem::TurnLine { .. })
            && read_row(self.lines.line(), &mut self.drawn).is_ok();
        self.lines.again();
        let resumed = if self.begun { None } else { self.find_number(at_number || self.part == Part::Board) };
        // A game that is seen to go on with record 2 had its record 1 where the error is. Only two lines together can
        // be no record of the game before: an odd line before record 2 is still that game's.
        let waiting = std::mem::take(&mut self.waiting);
        let hidden = (at_number || self.part == Part::Board) && !waiting && matches!(resumed, Some((2, 3..)));
        if hidden && error.record > 1 {
            (error.game, error.record) = (error.game + 1, 1);
        } else if error.record == 1
            && self.unended > 0
            && matches!(resumed, Some((number, _)) if number == self.unended + 2)
        {
            (error.game, error.record) = (error.game - 1, self.unended + 1);
        }
        self.game = error.game;
        self.terminal = true;
        self.unended = 0;
        self.bare = None;
        self.done = false;
    }

    /// Finds the line `1` that begins a game. Tells the first record number that comes, be it that one or not, and how
    /// many lines there are from the current one. If that is wrong as it stands, it says nothing unless it is a `1`.
    fn find_number(&mut self, current_is_wrong: bool) -> Option<(u32, usize)> {
        let mut first = None;
        let mut passed = 0;
        while self.advance_past_errors() {
            let number = syntax::number(self.lines.line());
            passed += 1;
            let Some(number) = number.filter(|&number| passed > 1 || number == 1 || !current_is_wrong) else {
                continue;
            };
            if !self.advance_past_errors() {
                break;
            }
            // What the turn follows is an outcome, perhaps a damaged one, and what a move follows is a broken line.
            let next = self.lines.line();
            if syntax::is_turn(next) || syntax::is_move(next) {
                passed += 1;
                continue;
            }
            self.lines.again();
            first.get_or_insert((number, passed));
            self.begun = number == 1;
            if self.begun {
                break;
            }
        }
        first
    }

    /// Goes on to the next line, whatever is wrong with those before it. A failing input is kept for the next read.
    fn advance_past_errors(&mut self) -> bool {
        loop {
            match self.lines.advance() {
                Ok(more) => return more,
                Err(problem @ Problem::Input(_)) => {
                    self.failure = Some(self.line_fault(problem));
                    return false;
                }
                Err(_) => {}
            }
        }
    }

    fn line_fault(&self, problem: Problem) -> Fault {
        let at = if matches!(problem, Problem::LongLine) { MAX_LINE } else { 0 };
        Fault::new(at, 1, problem)
    }

    /// Says where a fault is. Whatever is wrong with a line that is no text, that it is none comes first.
    fn error(&self, mut fault: Fault) -> LogError {
        let line = self.lines.line();
        if fault.kept.is_none()
            && let Err(problem) = check_text(line)
        {
            let at = std::str::from_utf8(line).map_or_else(|error| error.valid_up_to(), str::len);
            fault = Fault::new(at, 1, problem);
        }
        LogError::new(fault, self.lines.number(), line, self.reading.0, self.reading.1)
    }
}

/// The records up to the first error. [`LogReader::read`] is faster, since it fills the same record again and again.
impl<R: Read> Iterator for LogReader<R> {
    type Item = Result<Record, LogError>;

    fn next(&mut self) -> Option<Result<Record, LogError>> {
        let mut record = Record::default();
        match self.read(&mut record) {
            Ok(true) => Some(Ok(record)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

fn name_fault((at, reason): (usize, String)) -> Fault {
    Fault::new(at, 1, Problem::Name { reason })
}

/// The first bare `a` of the move played.
fn bare_add_in(record: &Record) -> usize {
    use crate::board::Content;
    match record.played() {
        Some(Move::Word { word, .. }) => {
            word.0.iter().position(|micro| micro.content == Content::Add(None)).unwrap_or_default()
        }
        _ => 0,
    }
}

fn micro_move_fault(kept: &KeptLine, index: usize, problem: Problem) -> Fault {
    let (at, length) = syntax::micro_move_in(&kept.text, index);
    Fault::new(at, length, problem).on(kept)
}

/// Points at what does not fit in a move.
fn misfit_fault(misfit: Misfit, listed: &Move, shape: Shape, line: &[u8]) -> Fault {
    let square = if let Move::Word { start, .. } = listed { *start } else { Square(0) };
    let (at, length) = match misfit.at {
        Some(index) => syntax::micro_move_in(line, index),
        None => syntax::first_field(line),
    };
    let problem = match misfit.reason {
        MisfitReason::Start { found: Cell::HOLE, .. } => Problem::Square { found: u64::from(square.0), shape },
        MisfitReason::Start { found, player } if found.is_empty() => Problem::EmptyStart { shape, square, player },
        MisfitReason::Start { found, player } => Problem::ForeignStart { shape, square, found, player },
        MisfitReason::UnknownPiece => Problem::BareAdd { reason: "this is not the move that was played" },
        reason => Problem::Misfit(reason),
    };
    Fault::new(at, length, problem)
}

//! A log cut into blocks of whole games, so that several readers can share it.
//!
//! A cut is made only where a game surely begins: after a terminal record, whose outcome and turn line `b all 0` stand there
//! in full, a line `1` with something like a row behind it. There [`GameReader`](super::GameReader) begins a new game whatever
//! came before, be it damaged or not; so the games of all blocks, one block after another, are those of the log.

use super::syntax;
use memchr::memchr;
use std::io::{self, Read, Seek, SeekFrom};

/// How much is read at once while looking for a cut.
const STEP: usize = 1 << 16;

/// Cuts a log that can only be read from its beginning, such as a compressed one, into blocks of about the same size.
///
/// ```
/// use onlooker::observe::{GameBlocks, GameReader};
///
/// let log = "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n2\nP.\n..\n1\nb all 0\n".repeat(50);
/// let mut blocks = GameBlocks::new(log.as_bytes(), 500);
/// let mut games = 0;
/// while let Some(block) = blocks.advance() {
///     games += GameReader::new(block).filter(Result::is_ok).count();
/// }
/// assert_eq!(games, 50);
/// ```
pub struct GameBlocks<R> {
    input: R,
    size: usize,
    /// What was read: the block that was handed out last, and what comes after it.
    room: Vec<u8>,
    handed_out: usize,
    ended: bool,
    /// Why nothing can be read after what is there.
    failure: Option<io::Error>,
}

/// Some whole games of a log, to be read; and after the last of them, whatever is wrong with the input.
#[derive(Debug)]
pub struct GameBlock<'a> {
    /// The bytes of the games.
    pub bytes: &'a [u8],
    failure: Option<io::Error>,
}

impl Read for GameBlock<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self.failure.take_if(|_| self.bytes.is_empty()) {
            Some(failure) => Err(failure),
            None => self.bytes.read(room),
        }
    }
}

impl<R: Read> GameBlocks<R> {
    /// Blocks of at least `size` bytes, the last one aside; of more where games are longer.
    pub fn new(input: R, size: usize) -> GameBlocks<R> {
        GameBlocks { input, size: size.max(1), room: Vec::new(), handed_out: 0, ended: false, failure: None }
    }

    /// The next block; `None` at the end of the log. An input that fails ends the log with a block that fails where it does.
    pub fn advance(&mut self) -> Option<GameBlock<'_>> {
        self.room.drain(..self.handed_out);
        let mut wanted = self.size;
        let cut = loop {
            self.fill(wanted);
            match find_cut(&self.room, self.size, self.ended) {
                Some(cut) => break cut,
                None if self.ended => break self.room.len(),
                None => wanted = self.room.len() + (self.room.len() - self.size).max(STEP),
            }
        };
        self.handed_out = cut;
        let failure = if cut == self.room.len() { self.failure.take() } else { None };
        (cut > 0 || failure.is_some()).then_some(GameBlock { bytes: &self.room[..cut], failure })
    }

    /// Reads on until so many bytes are there, or all.
    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.room.len()) as u64;
        if self.ended || missing == 0 {
            return;
        }
        match self.input.by_ref().take(missing).read_to_end(&mut self.room) {
            Ok(read) => self.ended = (read as u64) < missing,
            Err(failure) => (self.ended, self.failure) = (true, Some(failure)),
        }
    }
}

/// Where the first game surely begins at or after an offset of a log that can be read from anywhere; its length if none does.
///
/// The parts between such places, for any offsets, are whole games. Only as much is read as is needed to find the place.
///
/// # Errors
///
/// Those of the input.
pub fn find_game(input: &mut (impl Read + Seek), offset: u64) -> io::Result<u64> {
    if offset == 0 {
        return Ok(0);
    }
    // The byte before tells whether a line begins here.
    input.seek(SeekFrom::Start(offset - 1))?;
    let mut room = Vec::new();
    loop {
        let wanted = room.len().max(STEP) as u64;
        let read = input.by_ref().take(wanted).read_to_end(&mut room)? as u64;
        let ended = read < wanted;
        if let Some(cut) = find_cut(&room, 1, ended) {
            return Ok(offset - 1 + cut as u64);
        }
        if ended {
            return Ok(offset - 1 + room.len() as u64);
        }
    }
}

/// The first cut among the lines that begin at this offset or later, if it is seen. A last line that does not end is one only
/// at the end of the log.
fn find_cut(bytes: &[u8], from: usize, ended: bool) -> Option<usize> {
    let mut at =
        from.checked_sub(1).map_or(Some(0), |before| Some(before + memchr(b'\n', bytes.get(before..)?)? + 1))?;
    let mut seen = Seen::Nothing;
    while at < bytes.len() {
        let (line, next) = match memchr(b'\n', &bytes[at..]) {
            Some(length) => (&bytes[at..at + length], at + length + 1),
            None if ended => (&bytes[at..], bytes.len()),
            None => return None,
        };
        let line = line.trim_ascii();
        if !line.is_empty() && line[0] != b';' {
            seen = match seen {
                Seen::Begin(cut) if !syntax::is_turn(line) && !syntax::is_move(line) => return Some(cut),
                Seen::End if syntax::number(line) == Some(1) => Seen::Begin(at),
                Seen::Outcome if syntax::turn(line).is_ok_and(|turn| turn.count == 0) => Seen::End,
                _ if matches!(syntax::outcome(line), Ok((Some(_), _))) => Seen::Outcome,
                _ => Seen::Nothing,
            };
        }
        at = next;
    }
    None
}

/// How much of a cut the last lines are.
enum Seen {
    Nothing,
    Outcome,
    End,
    /// The line `1`, with its place.
    Begin(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::{GameReader, LogError, Record};
    use std::io::Cursor;

    const GAME: &str = "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n2\nP.\n..\n1\nb all 0\n";

    /// Games, and the errors with their places as they would be in the whole log.
    fn read(bytes: impl Read, lines: u64, games: &mut u64, seen: &mut Vec<Result<Vec<Record>, String>>) {
        let place = |error: LogError, before: u64| {
            format!(
                "{} {} {} {} {}",
                error.line + lines,
                error.column,
                error.game + before,
                error.record,
                error.problem
            )
        };
        let before = *games;
        for game in GameReader::new(bytes) {
            *games += 1;
            seen.push(game.map_err(|error| place(error, before)));
        }
    }

    fn logs() -> Vec<String> {
        let damaged = [
            GAME.replace("(0 1 e)", "(0 1 p)"),
            GAME.replace("2\nP.", "1\nP."),
            GAME.replace("b all 0", "b all 1"),
            GAME.replace("\n1\nb", "\nb"),
            GAME.replace("1\n..\nP.", "x\n..\nP."),
            "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n".to_owned(),
            "; a comment\n\n".to_owned(),
            GAME.replace('\n', "\r\n"),
        ];
        let mut logs = vec![GAME.repeat(9)];
        for damage in &damaged {
            logs.push([GAME, GAME, damage, GAME, damage, damage, GAME, GAME].concat());
        }
        logs.push(damaged.concat());
        logs
    }

    #[test]
    fn blocks_have_the_games_and_the_errors_of_the_log() {
        for log in logs() {
            let (mut whole, mut games) = (Vec::new(), 0);
            read(log.as_bytes(), 0, &mut games, &mut whole);
            for size in 1..log.len() + 2 {
                let mut blocks = GameBlocks::new(log.as_bytes(), size);
                let (mut found, mut games, mut lines, mut bytes) = (Vec::new(), 0, 0, 0);
                while let Some(block) = blocks.advance() {
                    let length = block.bytes.len();
                    let ends = block.bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
                    read(block, lines, &mut games, &mut found);
                    (lines, bytes) = (lines + ends, bytes + length);
                }
                assert_eq!((bytes, &found), (log.len(), &whole), "blocks of {size} of\n{log}");
            }
        }
    }

    #[test]
    fn parts_between_found_games_have_the_games_of_the_log() {
        for log in logs() {
            let (mut whole, mut games) = (Vec::new(), 0);
            read(log.as_bytes(), 0, &mut games, &mut whole);
            for cut in 1..log.len() as u64 {
                let mut input = Cursor::new(log.as_bytes());
                let at = find_game(&mut input, cut).unwrap() as usize;
                assert!(at >= cut as usize || at == log.len());
                let (mut found, mut games) = (Vec::new(), 0);
                read(&log.as_bytes()[..at], 0, &mut games, &mut found);
                let lines = log[..at].matches('\n').count() as u64;
                if at < log.len() {
                    read(&log.as_bytes()[at..], lines, &mut games, &mut found);
                }
                assert_eq!(found, whole, "cut at {cut} of\n{log}");
            }
        }
    }

    #[test]
    fn a_game_that_is_never_ended_is_not_cut() {
        let log = "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n".repeat(30);
        let mut blocks = GameBlocks::new(log.as_bytes(), 10);
        assert_eq!(blocks.advance().map(|block| block.bytes.len()), Some(log.len()));
        assert!(blocks.advance().is_none());
    }

    /// Fails after so many bytes.
    struct Failing<'a>(&'a [u8]);

    impl Read for Failing<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(io::Error::other("gone")) } else { self.0.read(room) }
        }
    }

    #[test]
    fn an_input_that_fails_spoils_the_same_game() {
        let log = GAME.repeat(3);
        for length in 0..=log.len() {
            let (mut whole, mut games) = (Vec::new(), 0);
            read(Failing(&log.as_bytes()[..length]), 0, &mut games, &mut whole);
            for size in [1, 40, 60, 500] {
                let mut blocks = GameBlocks::new(Failing(&log.as_bytes()[..length]), size);
                let (mut found, mut games, mut lines) = (Vec::new(), 0, 0);
                while let Some(block) = blocks.advance() {
                    let ends = block.bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
                    read(block, lines, &mut games, &mut found);
                    lines += ends;
                }
                assert_eq!(found, whole, "{length} bytes in blocks of {size}");
            }
        }
    }
}

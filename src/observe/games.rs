//! Reading whole games, and getting over damaged ones.

use super::{LogError, LogReader, Problem, Record};
use std::collections::VecDeque;
use std::io::Read;

/// Reads the games of a log one after another.
///
/// An error spoils its game and no other: no record of that game is handed out, and the next call goes on with the game
/// after it. So to keep going after an error, call again; to give up, stop calling.
///
/// ```
/// use onlooker::observe::GameReader;
///
/// let good = "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n2\nP.\n..\n1\nb all 0\n";
/// let log = [good, &good.replace("(0 1 e)", "(0 1 p)"), good].concat();
/// let games: Vec<_> = GameReader::new(log.as_bytes()).collect();
/// assert!(matches!(&games[..], [Ok(_), Err(_), Ok(_)]));
/// ```
pub struct GameReader<R> {
    log: LogReader<R>,
    /// Records that were read to tell where a game ends.
    queue: VecDeque<Record>,
    /// The game of the last record that was read, counted from 1.
    game: u64,
    /// What comes after the records in the queue, if it is known.
    stop: Option<Stop>,
    /// Records to be filled again.
    spare: Vec<Record>,
}

enum Stop {
    End,
    Error(LogError),
}

impl<R: Read> GameReader<R> {
    /// Reads from `input`, which need not be buffered.
    pub fn new(input: R) -> GameReader<R> {
        GameReader { log: LogReader::new(input), queue: VecDeque::new(), game: 0, stop: None, spare: Vec::new() }
    }

    /// Replaces `game` by the records of the next game; `false` and no records at the end of the log.
    ///
    /// # Errors
    ///
    /// [`LogError`] with the place of what does not belong there; the games before it have been read.
    pub fn read(&mut self, game: &mut Vec<Record>) -> Result<bool, LogError> {
        self.spare.append(game);
        while self.look_ahead(0) {
            if self.queue[0].number == 1 && !game.is_empty() {
                return self.end_at_another_game(game);
            }
            game.extend(self.queue.pop_front());
            if game.last().is_some_and(Record::is_terminal) {
                return Ok(true);
            }
        }
        match self.stop.take() {
            // The error is in another game, so this one just has no terminal record.
            Some(Stop::Error(error)) if error.game != self.game && !game.is_empty() => {
                self.stop = Some(Stop::Error(error));
                Ok(true)
            }
            Some(Stop::Error(error)) => self.spoil(game, error),
            _ => {
                self.stop = Some(Stop::End);
                Ok(!game.is_empty())
            }
        }
    }

    /// The game in front of another one, without a terminal record; unless it is one game, and the number of a record
    /// within it was damaged into a 1: then the next number goes on as if it had not been, and so does the position.
    fn end_at_another_game(&mut self, game: &mut Vec<Record>) -> Result<bool, LogError> {
        if self.queue[0].is_terminal() || self.look_ahead(1) {
            return Ok(true);
        }
        match self.stop.take() {
            Some(Stop::Error(error)) if goes_on(game, &error) && follows(game.last(), &self.queue[0]) => {
                self.spare.extend(self.queue.drain(..));
                self.spoil(game, error)
            }
            stop => {
                self.stop = stop;
                Ok(true)
            }
        }
    }

    fn spoil(&mut self, game: &mut Vec<Record>, error: LogError) -> Result<bool, LogError> {
        self.spare.append(game);
        Err(error)
    }

    /// Whether there is a record at this place of the queue, reading on if need be.
    fn look_ahead(&mut self, place: usize) -> bool {
        while self.queue.len() <= place && self.stop.is_none() {
            let mut record = self.spare.pop().unwrap_or_default();
            match self.log.read(&mut record) {
                Ok(true) => {
                    self.queue.push_back(record);
                    self.game = self.log.game();
                }
                Ok(false) => self.stop = Some(Stop::End),
                Err(mut error) => {
                    self.log.skip_to_next_game(&mut error);
                    self.stop = Some(Stop::Error(error));
                }
            }
        }
        self.queue.len() > place
    }
}

/// Whether what was refused as a record number is the game's next but one.
fn goes_on(game: &[Record], error: &LogError) -> bool {
    matches!(&error.problem, Problem::Number { found, .. } if found.trim().parse() == Ok(game.len() + 2))
}

/// Whether a position is the one that the move played before leads to.
fn follows(before: Option<&Record>, record: &Record) -> bool {
    let led_to = |before: &Record| {
        let mut position = before.position.clone();
        position.apply(&before.effect(before.played()?).ok()?, before.turn);
        Some(position)
    };
    before.and_then(led_to).is_some_and(|position| position.cells() == record.position.cells())
}

/// The games, with an error in place of each damaged one.
impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<Vec<Record>, LogError>;

    fn next(&mut self) -> Option<Result<Vec<Record>, LogError>> {
        let mut game = Vec::new();
        match self.read(&mut game) {
            Ok(true) => Some(Ok(game)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three games of three records each that no terminal record ends, on boards of different width.
    fn log() -> String {
        let record = |number: usize, width: usize| {
            let row = format!("{}P{}", ".".repeat(number - 1), ".".repeat(width - number));
            format!("{number}\n{row}\n*\nw some 1\n{} (1 0 e)\n", number - 1)
        };
        [5, 6, 7].map(|width| [1, 2, 3].map(|number| record(number, width)).concat()).concat()
    }

    #[test]
    fn only_the_damaged_game_is_lost() {
        for (from, to, widths) in [
            ("", "", "5 6 7"),
            // Within the second game, then its first line, then its last.
            ("2\n.P....\n", "x\n.P....\n", "5 x 7"),
            ("2\n.P....\n", "1\n.P....\n", "5 x 7"),
            ("2\n.P....\n", "2\n.P...\n", "5 x 7"),
            ("2\n.P....\n", ".P....\n", "5 x 7"),
            ("2\n.P....\n", "2\n2\n.P....\n", "5 x 7"),
            ("2\n.P....\n*\nw some 1\n", "2\n.P....\n*\n", "5 x 7"),
            ("2\n.P....\n*\nw some 1\n", "2\n.P....\n*\nw some 2\n", "5 x 7"),
            ("2\n.P....\n*\nw some 1\n", "2\n.P....\n1\nw some 1\n", "5 x 7"),
            ("1\nP.....\n", "P.....\n", "5 x 7"),
            ("1\nP.....\n", "4\nP.....\n", "5 x 7"),
            ("1\nP.....\n", "2\nP.....\n", "5 x 7"),
            ("1\nP.....\n", "1P.....\n", "5 x 7"),
            // What is there twice is whole the second time.
            ("1\nP.....\n", "1\n1\nP.....\n", "5 x 6 7"),
            ("2 (1 0 e)\n1\nP......\n", "1\nP......\n", "5 x 7"),
            ("2 (1 0 e)\n1\nP......\n", "2 (1 0 p)\n1\nP......\n", "5 x 7"),
            ("2 (1 0 e)\n1\nP......\n", "2 (1 0 e)(0 0 a)\n1\nP......\n", "5 x 7"),
            ("2 (1 0 e)\n1\nP......\n", "2 (1 0 e)\npass\n1\nP......\n", "5 x 7"),
            ("w some 1\n2 (1 0 e)\n1\nP......\n", "w some\n1\n2 (1 0 e)\n1\nP......\n", "5 x 7"),
            // The first record waits for the second, which shows the error.
            ("1\nP.....\n*\nw some 1\n0 (1 0 e)\n", "1\nP.....\n*\nw some 1\n0 (1 0 e)(0 0 a)(-1 0 e)\n", "5 x 7"),
            // With the end of the line between them, two games are lost, but not the third.
            ("2 (1 0 e)\n1\nP.....\n", "2 (1 0 e)1\nP.....\n", "x 7"),
        ] {
            let broken = log().replacen(from, to, 1);
            assert!(from == to || broken != log(), "{from:?}");
            let found: Vec<String> = GameReader::new(broken.as_bytes())
                .map(|game| match game {
                    Ok(game) => game[0].position.shape().width().to_string(),
                    Err(_) => "x".to_owned(),
                })
                .collect();
            assert_eq!(found.join(" "), widths, "{from:?} -> {to:?}");
        }
    }
}

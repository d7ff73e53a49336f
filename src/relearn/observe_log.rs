//! The games of a log, added to evidence while more of them are read.

use crate::learn::{Evidence, Refused};
use crate::observe::{GameReader, LogError, Record};
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many games of a log there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogCounts {
    /// Those that were added to the evidence.
    pub games: u64,
    /// Those that were damaged and skipped.
    pub damaged: u64,
}

/// Why a log was not read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ObserveError {
    /// A game is damaged.
    #[error(transparent)]
    Damaged(LogError),
    /// A game does not belong to those before it.
    #[error("game {game}: {reason}")]
    Refused {
        /// Its number in the log, counted from 1.
        game: u64,
        /// What does not belong there.
        reason: Refused,
    },
    /// It was stopped from outside.
    #[error("it was stopped")]
    Interrupted,
}

/// Games that go from the reader to the evidence at once, or as many as list so many moves.
const BATCH: usize = 32;
const MANY_MOVES: usize = 1 << 18;

/// Adds the games of a log to evidence: on the threads of the current rayon pool, one reads and another adds what was read.
///
/// Each damaged game is handed to `damaged`, which either skips it or gives back the error to end with, as `Err` does by
/// itself. Games before an error stay in the evidence.
///
/// ```
/// use onlooker::learn::Evidence;
/// use onlooker::observe::GameReader;
/// use onlooker::relearn::{LogCounts, observe_log};
/// use std::sync::atomic::AtomicBool;
///
/// let good = "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n2\nP.\n..\n1\nb all 0\n";
/// let log = [good, &good.replace("(0 1 e)", "(0 1 p)"), good].concat();
/// let (mut evidence, stop) = (Evidence::default(), AtomicBool::new(false));
/// let counts = observe_log(&mut evidence, GameReader::new(log.as_bytes()), &mut |_| Ok(()), &stop)?;
/// assert_eq!(counts, LogCounts { games: 2, damaged: 1 });
/// assert!(observe_log(&mut evidence, GameReader::new(log.as_bytes()), &mut Err, &stop).is_err());
/// # Ok::<(), onlooker::relearn::ObserveError>(())
/// ```
///
/// # Errors
///
/// The first game that is damaged and not skipped, or that does not belong to those before it; or that `stop` was set.
pub fn observe_log<R: Read + Send>(
    evidence: &mut Evidence,
    games: GameReader<R>,
    damaged: &mut (dyn FnMut(LogError) -> Result<(), LogError> + Send),
    stop: &AtomicBool,
) -> Result<LogCounts, ObserveError> {
    let mut log = NumberedGames { games, read: 0, damaged };
    let mut counts = LogCounts::default();
    let mut batch = log.batch();
    loop {
        let (next, added) = rayon::join(|| batch.goes_on.then(|| log.batch()), || add(evidence, &batch.games));
        counts.games += added?;
        counts.damaged += batch.damaged;
        if let Some(error) = batch.failed {
            return Err(ObserveError::Damaged(error));
        }
        if stop.load(Ordering::Relaxed) {
            return Err(ObserveError::Interrupted);
        }
        match next {
            Some(next) => batch = next,
            None => return Ok(counts),
        }
    }
}

fn add(evidence: &mut Evidence, games: &[(u64, Vec<Record>)]) -> Result<u64, ObserveError> {
    for (game, records) in games {
        evidence.observe(records).map_err(|reason| ObserveError::Refused { game: *game, reason })?;
    }
    Ok(games.len() as u64)
}

/// A log that counts its games.
struct NumberedGames<'a, R> {
    games: GameReader<R>,
    read: u64,
    damaged: &'a mut (dyn FnMut(LogError) -> Result<(), LogError> + Send),
}

/// Some games of a log with their numbers.
#[derive(Default)]
struct Batch {
    games: Vec<(u64, Vec<Record>)>,
    /// How many games between them were skipped.
    damaged: u64,
    /// What comes after these games.
    failed: Option<LogError>,
    goes_on: bool,
}

impl<R: Read> NumberedGames<'_, R> {
    fn batch(&mut self) -> Batch {
        let mut batch = Batch::default();
        let mut moves = 0;
        while batch.games.len() < BATCH && moves < MANY_MOVES {
            let Some(game) = self.games.next() else { return batch };
            self.read += 1;
            match game.or_else(|error| (self.damaged)(error).map(|()| Vec::new())) {
                Ok(records) if records.is_empty() => batch.damaged += 1,
                Ok(records) => {
                    moves += records.iter().map(|record| record.moves.len()).sum::<usize>();
                    batch.games.push((self.read, records));
                }
                Err(error) => {
                    batch.failed = Some(error);
                    return batch;
                }
            }
        }
        batch.goes_on = true;
        batch
    }
}

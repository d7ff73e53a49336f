//! Time: how long each piece took to learn, and how fast games run. The library reads no clock.

use anyhow::Result;
use onlooker::board::{Cell, Player};
use onlooker::game::{Chance, Game, GdlGame, Playouts, RulesGame};
use onlooker::learn::{LearntPiece, Progress};
use onlooker::rules::Rules;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long each piece took to learn.
#[derive(Default)]
pub struct PieceTimes(Mutex<HashMap<Learning, (Instant, Duration)>>);

/// A kind of piece, and whose it is unless both players' are learnt at once.
type Learning = (Cell, Option<Player>);

impl PieceTimes {
    pub fn note(&self, progress: Progress) {
        let Ok(mut times) = self.0.lock() else { return };
        match progress {
            Progress::Begun(kind, player) => {
                times.insert((kind, player), (Instant::now(), Duration::ZERO));
            }
            Progress::Done(kind, player) => {
                if let Some((begun, took)) = times.get_mut(&(kind, player)) {
                    *took = begun.elapsed();
                }
            }
            Progress::TurnsBegun(..) | Progress::TurnsDone(..) => {}
        }
    }

    /// The seconds of a piece; one that was learnt for both players at once took each of them half the time.
    pub fn of(&self, piece: &LearntPiece) -> f64 {
        let kind = if piece.player == Player::First { piece.start } else { piece.start.turned() };
        let Ok(times) = self.0.lock() else { return 0.0 };
        let alone = times.get(&(kind, Some(piece.player))).map(|time| time.1);
        let together = times.get(&(kind, None)).map(|time| time.1 / 2);
        alone.or(together).unwrap_or_default().as_secs_f64()
    }
}

/// A game may have no end; its playouts are then this long.
const MAX_PLIES: u64 = 10_000;

/// How many states a second random play goes through, from a sheet and from rules, each for so many seconds; nothing for 0.
pub fn compare(sheet: &GdlGame, rules: &Rules, seconds: f64, seed: u64) -> Result<Option<(f64, f64)>> {
    if seconds == 0.0 {
        return Ok(None);
    }
    let (rules, limit) = (RulesGame::new(rules.clone())?, Duration::from_secs_f64(seconds));
    Ok(Some((states_per_second(sheet, limit, seed), states_per_second(&rules, limit, seed))))
}

fn states_per_second<G: Game>(game: &G, limit: Duration, seed: u64) -> f64 {
    let start = game.start();
    let (mut chance, mut playouts, mut plies) = (Chance::new(seed), Playouts::new(game), 0);
    let begun = Instant::now();
    while begun.elapsed() < limit {
        plies += playouts.run(&start, MAX_PLIES, &mut chance).plies;
    }
    plies as f64 / begun.elapsed().as_secs_f64()
}

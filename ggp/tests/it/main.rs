//! A player and its server within this process: mutated requests, slow senders, odd managers.

mod ending;
mod memory;
mod requests;
mod sockets;
mod study;

use onlooker_ggp::{Log, Margin, Options, Player, Style};
use std::time::Duration;

/// A player that answers soon.
fn player() -> Player {
    let style = Style::by_the_clock(2);
    let margin = Margin(Duration::from_millis(500));
    Player::new(Options { name: "tested".to_owned(), margin, style, log: Log::none() })
}

/// A small game of two players.
const SHEET: &str = "(role x) (role o) (init (turn x)) (init (n 3)) (succ 2 3) (succ 1 2) (succ 0 1) (takes one) (takes two)
    (<= (legal ?p ?m) (true (turn ?p)) (takes ?m)) (<= (legal x noop) (true (turn o))) (<= (legal o noop) (true (turn x)))
    (<= (next (turn x)) (true (turn o))) (<= (next (turn o)) (true (turn x)))
    (<= (next (n ?b)) (true (n ?a)) (succ ?b ?a)) (<= terminal (true (n 0))) (goal x 50) (goal o 50)";

//! Logs: what is written reads back, what is damaged is found.

mod broken;
mod damage;
mod random_games;
mod round_trip;

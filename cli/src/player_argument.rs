//! The argument --players: several players in one text, each perhaps with options.

use onlooker::play::split_players;
use std::str::FromStr;

/// Players that were given together, as in `mcts:1000,eval=material,random`.
#[derive(Clone)]
pub struct PlayerList<T>(Vec<T>);

impl<T: FromStr> FromStr for PlayerList<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<PlayerList<T>, T::Err> {
        split_players(text).iter().map(|player| player.parse()).collect::<Result<_, _>>().map(PlayerList)
    }
}

/// All players of several lists.
pub fn all<T>(lists: Vec<PlayerList<T>>) -> Vec<T> {
    lists.into_iter().flat_map(|list| list.0).collect()
}

//! Who is connected, and who has to go when there are too many.
//!
//! A manager of matches sends its request at once. So when all places are taken, the place of a connection that has sent
//! nothing complete for longest is given to the newcomer, first among those of the address that has most of them.

use crate::worker::lock;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// How many connections there may be at once.
pub const MOST_CONNECTIONS: usize = 256;

/// All open connections.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    next: u64,
    /// In the order in which they came.
    all: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    address: IpAddr,
    /// Whether its request has come in whole.
    complete: bool,
    close: Arc<Notify>,
}

/// A place among the connections, given back when it is dropped.
#[derive(Debug)]
pub struct Place {
    connections: Connections,
    number: u64,
    close: Arc<Notify>,
}

impl Connections {
    /// A place for a newcomer; another connection has to go if there is none.
    pub fn enter(&self, address: IpAddr) -> Place {
        let mut open = lock(&self.0);
        if open.all.len() >= MOST_CONNECTIONS {
            open.turn_out();
        }
        let number = open.next;
        open.next += 1;
        let close = Arc::new(Notify::new());
        open.all.push(Entry { number, address, complete: false, close: Arc::clone(&close) });
        Place { connections: self.clone(), number, close }
    }
}

impl Open {
    fn turn_out(&mut self) {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for entry in &self.all {
            *counts.entry(entry.address).or_default() += 1;
        }
        let count = |entry: &Entry| counts.get(&entry.address).copied().unwrap_or(0);
        // Those who have not sent a request yet, the oldest first; otherwise the latest of those who wait for an answer.
        let rank = |at: &usize| {
            let entry = &self.all[*at];
            let age = if entry.complete { *at } else { usize::MAX - at };
            (!entry.complete, count(entry), age)
        };
        if let Some(at) = (0..self.all.len()).max_by_key(rank) {
            self.all.remove(at).close.notify_one();
        }
    }
}

impl Place {
    /// Waits until somebody else needs the place.
    pub async fn needed(&self) {
        self.close.notified().await;
    }

    /// The request has come in whole.
    pub fn complete(&self) {
        let mut open = lock(&self.connections.0);
        if let Some(entry) = open.all.iter_mut().find(|entry| entry.number == self.number) {
            entry.complete = true;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.connections.0).all.retain(|entry| entry.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn is_open(place: &Place) -> bool {
        lock(&place.connections.0).all.iter().any(|entry| entry.number == place.number)
    }

    #[test]
    fn newcomers_take_the_place_of_the_oldest_who_sent_nothing() {
        let connections = Connections::default();
        let manager = connections.enter(address(1));
        manager.complete();
        let quiet = connections.enter(address(2));
        let crowd: Vec<Place> = (2..MOST_CONNECTIONS).map(|_| connections.enter(address(3))).collect();
        assert!(crowd.iter().all(is_open));
        let late = connections.enter(address(1));
        // The crowd's own oldest goes, not the only one of another address.
        assert!(is_open(&late) && is_open(&quiet) && is_open(&manager) && !is_open(&crowd[0]));
        // Also if the whole crowd waits for answers.
        crowd.iter().for_each(Place::complete);
        quiet.complete();
        late.complete();
        let later = connections.enter(address(4));
        assert!(is_open(&later) && is_open(&manager) && is_open(&quiet) && is_open(&late) && !is_open(&crowd[254 - 1]));
        assert!(lock(&connections.0).all.len() <= MOST_CONNECTIONS);
        drop(crowd);
        assert_eq!(lock(&connections.0).all.len(), 4);
    }
}

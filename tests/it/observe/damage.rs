//! Damaged logs: any byte may be wrong, and only what is damaged may be lost.

use super::random_games::{Chance, random_game, written};
use onlooker::observe::{GameReader, LogError, LogReader, Record};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Damage {
    Change(u8),
    Insert(u8),
    Delete,
    DeleteLine,
    Cut,
}

/// Bytes that mean something in a log are likelier to do harm.
fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![any::<u8>(), proptest::sample::select(b"\n\r 0123456789*-;().#ewdapPpKkQbs".as_slice()),]
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => byte().prop_map(Damage::Change),
        4 => byte().prop_map(Damage::Insert),
        2 => Just(Damage::Delete),
        2 => Just(Damage::DeleteLine),
        1 => Just(Damage::Cut),
    ]
}

fn damaged(log: &[u8], at: usize, damage: Damage) -> Vec<u8> {
    let mut log = log.to_vec();
    match damage {
        Damage::Change(byte) => log[at] = byte,
        Damage::Insert(byte) => log.insert(at, byte),
        Damage::Delete => drop(log.remove(at)),
        Damage::DeleteLine => {
            let from = log[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
            let to = log[at..].iter().position(|&byte| byte == b'\n').map_or(log.len(), |length| at + length + 1);
            log.drain(from..to);
        }
        Damage::Cut => log.truncate(at),
    }
    log
}

/// What a reader promises of the records it hands out.
fn assert_replays(records: &[Record]) {
    for record in records {
        assert_eq!(record.moves.is_empty(), record.is_terminal());
        for (place, listed) in record.moves.iter().enumerate() {
            record.effect(listed).expect("every move fits");
            assert!(!record.moves[..place].contains(listed), "no move is listed twice");
        }
    }
    assert!(records.first().is_none_or(|record| record.number == 1));
    for pair in records.windows(2) {
        if pair[1].number == 1 {
            continue;
        }
        assert_eq!(pair[1].number, pair[0].number + 1);
        let mut position = pair[0].position.clone();
        position.apply(&pair[0].effect(pair[0].played().expect("a game that goes on")).unwrap(), pair[0].turn);
        assert_eq!(position.cells(), pair[1].position.cells());
    }
}

fn assert_located(error: &LogError) {
    assert!(error.line >= 1 && error.column >= 1 && error.length >= 1 && error.game >= 1 && error.record >= 1);
    assert!(error.mark <= error.text.chars().count() && error.text.chars().count() <= 130);
    assert!(!error.text.contains(char::is_control) && !error.to_string().contains('\n'));
    assert_eq!(error.excerpt().lines().count(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_damaged_log_replays_or_is_refused_with_a_place(
        seed: u64,
        at: proptest::sample::Index,
        damage in damage(),
        side in 1..8usize,
    ) {
        let mut chance = Chance::new(seed);
        let games: Vec<Record> = (0..2).flat_map(|_| random_game(&mut chance, side, 3)).collect();
        let log = written(&games);
        let log = damaged(&log, at.index(log.len()), damage);
        let mut records = Vec::new();
        for record in LogReader::new(log.as_slice()) {
            match record {
                Ok(record) => records.push(record),
                Err(error) => assert_located(&error),
            }
        }
        assert_replays(&records);
        for game in GameReader::new(log.as_slice()) {
            match game {
                Ok(game) => assert_replays(&game),
                Err(error) => assert_located(&error),
            }
        }
    }

    #[test]
    fn keeping_going_loses_the_damaged_game_and_no_other(
        seed: u64,
        at: proptest::sample::Index,
        damage in damage().prop_filter("the rest must be there", |damage| !matches!(damage, Damage::Cut)),
        side in 2..8usize,
    ) {
        let mut chance = Chance::new(seed);
        // On one file a single byte could turn a row into the first line of a game.
        let mut wide_game = || loop {
            // Not 10 to 19: parted within its number, a last record looks like another game's first.
            let length = if chance.below(4) == 0 { 20 } else { 3 + chance.below(7) };
            let game = random_game(&mut chance, side, length);
            if game[0].position.shape().width() > 1 {
                break game;
            }
        };
        let games: Vec<Vec<Record>> = (0..4).map(|_| wide_game()).collect();
        let logs: Vec<Vec<u8>> = games.iter().map(written).collect();
        let hit = at.index(games.len());
        let spot = chance.below(logs[hit].len());
        // Without its last newline a game takes the next one's first line with it.
        prop_assume!(spot + 1 < logs[hit].len() || matches!(damage, Damage::Insert(_) | Damage::DeleteLine));
        let mut broken = logs.clone();
        broken[hit] = damaged(&logs[hit], spot, damage);
        let log = broken.concat();

        let read: Vec<Result<Vec<Record>, LogError>> = GameReader::new(log.as_slice()).collect();
        let good: Vec<&Vec<Record>> = read.iter().flatten().collect();
        let errors: Vec<String> = read.iter().filter_map(|game| Some(game.as_ref().err()?.to_string())).collect();
        let others: Vec<&Vec<Record>> = games.iter().enumerate().filter(|(place, _)| *place != hit).map(|(_, game)| game).collect();
        let text = String::from_utf8_lossy(&broken[hit]).into_owned();
        if errors.is_empty() {
            let kept: Vec<&Vec<Record>> = good.iter().copied().filter(|game| others.contains(game)).collect();
            prop_assert_eq!(kept.len(), others.len(), "{}", text);
        } else {
            prop_assert!(good == others, "{:?}\n{} of {} games from\n{}", errors, good.len(), others.len(), text);
        }
    }
}

//! Any bytes either read to records that replay correctly or give an error with a position.

use onlooker::observe::{Decompressor, GameReader, LogError, LogReader, LogWriter, Record};
use std::io::Read;

/// Fails if that is not so.
pub fn check(bytes: &[u8]) {
    // What cannot begin a log marks bytes to be unpacked first, of which there may be very many.
    let mut unpacked = Vec::new();
    let bytes = match bytes.split_first() {
        Some((0xff, packed)) => {
            if let Ok(input) = Decompressor::new(packed) {
                // Damaged ones count as far as they go.
                let _ = input.take(1 << 16).read_to_end(&mut unpacked);
            }
            unpacked.as_slice()
        }
        _ => bytes,
    };
    let mut records = Vec::new();
    let mut failed = false;
    for record in LogReader::new(bytes) {
        match record {
            Ok(record) => records.push(record),
            Err(error) => {
                failed = true;
                assert_located(&error);
            }
        }
    }
    assert_replays(&records);
    assert!(failed || !records.is_empty(), "an empty log is an error");

    let mut kept = Vec::new();
    for game in GameReader::new(bytes) {
        match game {
            Ok(game) => {
                assert_replays(&game);
                assert!(game[1..].iter().all(|record| record.number != 1), "one game at a time");
                kept.extend(game);
            }
            Err(error) => assert_located(&error),
        }
    }
    if !failed {
        assert_eq!(kept, records);
    }

    let mut writer = LogWriter::new(Vec::new());
    if !records.is_empty() && records.iter().all(|record| writer.write(record).is_ok()) {
        let log = writer.finish().expect("a vector takes everything");
        let read: Vec<Record> = LogReader::new(log.as_slice()).map(|record| record.expect("it was written")).collect();
        assert_eq!(read, records, "what is written reads back");
    }
}

fn assert_located(error: &LogError) {
    assert!(error.line >= 1 && error.column >= 1 && error.length >= 1 && error.game >= 1 && error.record >= 1);
    assert!(error.mark <= error.text.chars().count());
    assert!(!error.to_string().is_empty() && error.excerpt().lines().count() == 2);
}

fn assert_replays(records: &[Record]) {
    for record in records {
        assert_eq!(record.moves.is_empty(), record.is_terminal());
        record.moves.iter().for_each(|listed| drop(record.effect(listed).expect("every move fits")));
    }
    assert!(records.first().is_none_or(|record| record.number == 1));
    for pair in records.windows(2).filter(|pair| pair[1].number != 1) {
        assert_eq!(pair[1].number, pair[0].number + 1);
        let mut position = pair[0].position.clone();
        position.apply(&pair[0].effect(&pair[0].moves[0]).unwrap(), pair[0].turn);
        assert_eq!(position.cells(), pair[1].position.cells());
    }
}

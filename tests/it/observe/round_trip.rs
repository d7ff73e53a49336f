//! What is written reads back equal.

use super::random_games::{Chance, random_game, written};
use onlooker::board::{Position, Square};
use onlooker::observe::{Compression, Compressor, Decompressor, GameReader, LogReader, LogWriter, Move, Record};
use proptest::prelude::*;
use std::io::Write;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn records_are_read_as_they_were_written(seed: u64, games in 1..5usize, side in 1..=32usize) {
        let mut chance = Chance::new(seed);
        let games: Vec<Vec<Record>> = (0..games)
            .map(|_| {
                let length = 1 + chance.below(6);
                random_game(&mut chance, side, length)
            })
            .collect();
        let log = written(games.iter().flatten());
        let read: Result<Vec<Record>, _> = LogReader::new(log.as_slice()).collect();
        prop_assert_eq!(&read.map_err(|error| error.to_string()), &Ok(games.concat()));
        let read: Result<Vec<Vec<Record>>, _> = GameReader::new(log.as_slice()).collect();
        prop_assert_eq!(&read.map_err(|error| error.to_string()), &Ok(games));
    }

    #[test]
    fn a_position_after_a_word_reads_back_as_it_is_shown(seed: u64, side in 1..=32usize) {
        for record in random_game(&mut Chance::new(seed), side, 4) {
            for listed in &record.moves {
                let mut position = record.position.clone();
                position.apply(&record.effect(listed).unwrap(), record.turn);
                let shown = position.to_string();
                let rows = shown.lines().filter(|line| !line.starts_with("hands "));
                let read = Position::from_rows(rows).unwrap();
                prop_assert_eq!(read.cells(), position.cells());
            }
        }
    }

    #[test]
    fn a_log_may_be_spelt_in_many_ways(seed: u64) {
        let records = random_game(&mut Chance::new(seed), 5, 4);
        let log = String::from_utf8(written(&records)).unwrap();
        let odd = log.replace(")(", " )  (").replace('\n', " \t\r\n\r\n; a comment (0 1\n").replace("(", "( ");
        let odd = format!("\u{FEFF}{}", odd.trim_end());
        let read: Result<Vec<Record>, _> = LogReader::new(odd.as_bytes()).collect();
        prop_assert_eq!(read.map_err(|error| error.to_string()), Ok(records));
    }
}

#[test]
fn records_are_read_in_constant_room_whatever_the_reads_return() {
    /// Hands out a few bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl std::io::Read for Trickle<'_> {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            let bytes = self.0.len().min(room.len()).min(self.1);
            room[..bytes].copy_from_slice(&self.0[..bytes]);
            self.0 = &self.0[bytes..];
            Ok(bytes)
        }
    }

    let mut chance = Chance::new(1);
    let records: Vec<Record> = (0..200).flat_map(|_| random_game(&mut chance, 12, 5)).collect();
    let log = written(&records);
    for bytes in [1, 7, 1000, 1 << 20] {
        let read: Vec<Record> = LogReader::new(Trickle(&log, bytes)).map(|record| record.unwrap()).collect();
        assert!(read == records, "{bytes} bytes at a time");
    }
}

#[test]
fn compressed_logs_are_read_like_plain_ones() {
    let records = random_game(&mut Chance::new(3), 8, 6);
    let log = written(&records);
    for compression in [Compression::Plain, Compression::Gzip, Compression::Zstd] {
        let mut output = Compressor::new(Vec::new(), compression).unwrap();
        output.write_all(&log).unwrap();
        let bytes = output.finish().unwrap();
        let read: Vec<Record> =
            LogReader::new(Decompressor::new(bytes.as_slice()).unwrap()).map(Result::unwrap).collect();
        assert_eq!(read, records);
        if compression != Compression::Plain {
            let cut = Decompressor::new(&bytes[..bytes.len() - 2]).unwrap();
            let error = LogReader::new(cut).find_map(Result::err).unwrap();
            assert!(error.to_string().contains("the log cannot be read any further"), "{error}");
        }
    }
}

/// What could not be read back is not written: games that are too long, moves that are too many or too long.
#[test]
fn nothing_is_written_that_is_too_large_to_be_read() {
    let step = "(0 1 e)(0 -1 e)";
    let word = |steps: usize| Move::Word { start: Square(0), word: step.repeat(steps).parse().unwrap() };
    let position = Position::from_rows([".", "P"]).unwrap();
    let record = |number, moves| Record { number, position: position.clone(), moves, ..Record::default() };
    let mut writer = LogWriter::new(Vec::new());
    for refused in [record(1, vec![word(5_000)]), record(1, vec![Move::Pass; 1_000_001])] {
        assert_eq!(writer.write(&refused).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    }
    let large = vec![word(4_000); 200];
    let mut written = 0;
    let refused = loop {
        match writer.write(&record(written + 1, large.clone())) {
            Ok(()) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(refused.to_string().contains("more than 134217728 bytes"), "{refused}");
    // The next game begins anew.
    writer.write(&record(1, vec![Move::Pass])).unwrap();
    let bytes = writer.finish().unwrap();
    assert!(bytes.len() <= 130 << 20 && bytes.len() > 110 << 20, "{}", bytes.len());
}

//! How fast logs are read and written, every check included.
//!
//! The logs come from random play with the chessmen's plain movement, ended by the capture of a king: short words and
//! long ones in about the mixture that real logs have. Throughput counts the uncompressed bytes of the log.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use onlooker::board::{Content, MicroMove, Player, Position, Square, Word};
use onlooker::observe::{
    Cause, Compression, Compressor, Decompressor, GameReader, Listing, LogReader, LogWriter, Move, Outcome, Record,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::hint::black_box;
use std::io::{Read, Write};

const ROWS: [&str; 8] =
    ["rnbqkbnr", "pppppppp", "........", "........", "........", "........", "PPPPPPPP", "RNBQKBNR"];
const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i8, i8); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

fn listed(position: &Position, player: Player) -> Vec<Move> {
    let mut moves = Vec::new();
    for start in position.shape().all() {
        let Some(piece) = position.at(start).piece().filter(|piece| piece.owner() == player) else { continue };
        let forward = if player == Player::First { 1 } else { -1 };
        match piece.to_string().to_ascii_lowercase().as_str() {
            "p" => {
                ride(position, player, start, (0, forward), 1, Some(Content::Empty), &mut moves);
                ride(position, player, start, (1, forward), 1, Some(Content::Opponent), &mut moves);
                ride(position, player, start, (-1, forward), 1, Some(Content::Opponent), &mut moves);
            }
            "n" => JUMPS.iter().for_each(|&step| ride(position, player, start, step, 1, None, &mut moves)),
            kind => {
                let longest = if kind == "k" { 1 } else { 7 };
                let straight = STRAIGHT.iter().filter(|_| kind != "b");
                let diagonal = DIAGONAL.iter().filter(|_| kind != "r");
                straight
                    .chain(diagonal)
                    .for_each(|&step| ride(position, player, start, step, longest, None, &mut moves));
            }
        }
    }
    moves
}

/// Steps on over empty squares up to a piece of the opponent.
fn ride(
    position: &Position,
    player: Player,
    start: Square,
    (dx, dy): (i8, i8),
    longest: usize,
    only: Option<Content>,
    moves: &mut Vec<Move>,
) {
    let mut word = Word::default();
    let mut cursor = start;
    for _ in 0..longest {
        let Some(next) = position.shape().step(cursor, dx, dy) else { return };
        let content = match position.at(next).owner() {
            None => Content::Empty,
            Some(owner) if owner == player => return,
            Some(_) => Content::Opponent,
        };
        if only.is_some_and(|only| only != content) {
            return;
        }
        word.0.push(MicroMove { dx, dy, content });
        moves.push(Move::Word { start, word: word.clone() });
        if content == Content::Opponent {
            return;
        }
        cursor = next;
    }
}

/// Random games until there are so many records.
fn played(records: usize, listing: Listing) -> Vec<Record> {
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut log: Vec<Record> = Vec::new();
    while log.len() < records {
        let mut position = Position::from_rows(ROWS).unwrap();
        let mut turn = Player::First;
        for number in 1.. {
            let king = |name: &str| position.cells().iter().any(|cell| cell.to_string() == name);
            let mut moves = listed(&position, turn);
            let outcome = match (king("K") && king("k"), moves.is_empty() || number > 200) {
                (false, _) => Some(Outcome::Won),
                (true, true) => Some(Outcome::Tied),
                (true, false) => None,
            };
            if outcome.is_some() {
                moves.clear();
            } else {
                let chosen = (chance.next_u64() % moves.len() as u64) as usize;
                moves.swap(0, chosen);
                if listing == Listing::Some {
                    moves.truncate(1);
                }
            }
            let record = Record { number, position, outcome, cause: Cause::Position, turn, listing, moves };
            position = record.position.clone();
            if let Some(played) = record.played() {
                position.apply(&record.effect(played).unwrap(), turn);
            }
            turn = turn.other();
            log.push(record);
            if outcome.is_some() {
                break;
            }
        }
    }
    log
}

fn written(records: &[Record]) -> Vec<u8> {
    let mut writer = LogWriter::new(Vec::new());
    records.iter().for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap()
}

fn packed(log: &[u8], compression: Compression) -> Vec<u8> {
    let mut output = Compressor::new(Vec::new(), compression).unwrap();
    output.write_all(log).unwrap();
    output.finish().unwrap()
}

/// Records and moves.
fn count(input: impl Read) -> (usize, usize) {
    let mut reader = LogReader::new(input);
    let mut record = Record::default();
    let mut counted = (0, 0);
    while reader.read(&mut record).unwrap() {
        counted.0 += 1;
        counted.1 += record.moves.len();
    }
    counted
}

fn logs(criterion: &mut Criterion) {
    for (name, listing, records) in [("all", Listing::All, 5_000), ("single", Listing::Some, 50_000)] {
        let records = played(records, listing);
        let answer = (records.len(), records.iter().map(|record| record.moves.len()).sum());
        let log = written(&records);
        let mut group = criterion.benchmark_group(format!("log-{name}"));
        group.throughput(Throughput::Bytes(log.len() as u64)).sample_size(20);
        group.bench_function("read", |bench| {
            bench.iter(|| assert_eq!(count(black_box(log.as_slice())), answer));
        });
        group.bench_function("read-games", |bench| {
            bench.iter(|| {
                let mut reader = GameReader::new(black_box(log.as_slice()));
                let mut game = Vec::new();
                let mut counted = 0;
                while reader.read(&mut game).unwrap() {
                    counted += game.len();
                }
                assert_eq!(counted, answer.0);
            });
        });
        for (compression, name) in [(Compression::Gzip, "read-gz"), (Compression::Zstd, "read-zst")] {
            let bytes = packed(&log, compression);
            group.bench_function(name, |bench| {
                bench.iter(|| assert_eq!(count(Decompressor::new(black_box(bytes.as_slice())).unwrap()), answer));
            });
        }
        group.bench_function("write", |bench| {
            bench.iter(|| assert_eq!(written(black_box(&records)), log));
        });
        group.finish();
    }
}

criterion_group!(benches, logs);
criterion_main!(benches);

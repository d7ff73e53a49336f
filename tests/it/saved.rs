//! Saved evidence is read whole and unchanged, or refused: cut anywhere, changed anywhere, or joined with other files.

use onlooker::game::{Chance, SimulationPlan, catalogue_game, random_game};
use onlooker::learn;
use onlooker::locm::{self, Action};
use onlooker::observe::Listing;
use onlooker::saved::SavedError;

type Read = fn(&[u8]) -> Result<(), SavedError>;

/// Evidence of both kinds as it is saved, with what reads it.
fn samples() -> Vec<(Vec<u8>, Read)> {
    let game = catalogue_game("tic-tac-toe").unwrap();
    let plan = SimulationPlan { games: 3, listing: Listing::All, seed: 1, plies: 100 };
    let mut games = learn::Evidence::default();
    (0..3).for_each(|number| games.observe(&random_game(&game, &plan, number).unwrap()).unwrap());
    let mut traces = locm::Evidence::with_statics();
    let plans = ["unstack a b", "put-down a", "pick-up b", "stack b a", "swap c c", "nil"];
    let trace: Vec<Action<&str>> = plans
        .iter()
        .map(|text| text.split(' ').collect::<Vec<_>>())
        .map(|words| Action::new(words[0], &words[1..]))
        .collect();
    traces.observe(&trace).unwrap();
    let (mut first, mut second, mut third) = (Vec::new(), Vec::new(), Vec::new());
    games.write(&mut first).unwrap();
    traces.write(&mut second).unwrap();
    learn::Evidence::default().write(&mut third).unwrap();
    let read_games = |bytes: &[u8]| learn::Evidence::read(bytes).map(drop);
    let read_traces = |bytes: &[u8]| locm::Evidence::read(bytes).map(drop);
    vec![(first, read_games), (second, read_traces), (third, read_games)]
}

/// The line of the place where a text is refused.
fn refused(read: Read, bytes: &[u8]) -> u64 {
    match read(bytes) {
        Err(SavedError::Line { line, .. }) => line,
        other => panic!("{other:?}: {}", String::from_utf8_lossy(bytes)),
    }
}

#[test]
fn what_is_cut_off_is_refused() {
    for (text, read) in samples() {
        read(&text).unwrap();
        for length in 0..text.len() {
            let cut = &text[..length];
            // The place is where the text ends: the last line if that is not whole, otherwise the one after it.
            let line = 1 + cut.iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert_eq!(refused(read, cut), line, "{}", String::from_utf8_lossy(cut));
        }
    }
}

#[test]
fn what_lacks_a_line_is_refused() {
    for (text, read) in samples() {
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for missing in 0..lines.len() {
            let rest: String =
                lines.iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, line)| *line).collect();
            refused(read, rest.as_bytes());
            let twice = [&lines[..=missing], &lines[missing..]].concat().concat();
            refused(read, twice.as_bytes());
        }
    }
}

#[test]
fn what_was_changed_is_refused() {
    let mut chance = Chance::new(7);
    for (text, read) in samples() {
        for at in 0..text.len() {
            for byte in [text[at] ^ (1 << chance.below(8)), b' ', b'\n', b'0', b'1', 0xff] {
                if byte != text[at] {
                    let mut changed = text.clone();
                    changed[at] = byte;
                    refused(read, &changed);
                }
            }
            let longer = [&text[..at], &[text[at]], &text[at..]].concat();
            refused(read, &longer);
        }
        for line_end in ["\r\n", "\n\n", " \n"] {
            let other = String::from_utf8(text.clone()).unwrap().replace('\n', line_end);
            refused(read, other.as_bytes());
        }
    }
}

#[test]
fn files_that_were_joined_are_refused() {
    for (text, read) in samples() {
        let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
        assert_eq!(refused(read, &[&text[..], &text].concat()), lines + 1);
        assert_eq!(refused(read, &[&text[..], b"\n"].concat()), lines + 1);
        assert_eq!(refused(read, &[b"\n", &text[..]].concat()), 1);
    }
}

#[test]
fn a_line_without_end_is_refused() {
    for (text, read) in samples() {
        let first = text.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let long = [&text[..first], &vec![b' '; 8 << 20]].concat();
        assert_eq!(refused(read, &long), 2);
    }
}

/// Long lists are broken up, so that no line that is written is too long to be read.
#[test]
fn long_lists_come_back() {
    let mut evidence = locm::Evidence::with_statics();
    let name = "n".repeat(300);
    let objects: Vec<String> = (0..90).map(|number| format!("{name}{number}")).collect();
    for first in &objects {
        let trace: Vec<_> = objects.iter().map(|second| Action::new("go", vec![first.as_str(), second])).collect();
        evidence.observe(&trace).unwrap();
    }
    let mut text = Vec::new();
    evidence.write(&mut text).unwrap();
    assert!(text.len() > 4 << 20, "more than one line may have: {}", text.len());
    assert!(text.split(|&byte| byte == b'\n').all(|line| line.len() < 1 << 17));
    let mut again = Vec::new();
    locm::Evidence::read(text.as_slice()).unwrap().write(&mut again).unwrap();
    assert!(text == again);
}

//! Mutated and random requests, given to a player: it answers all of them and stays alive.

use crate::{SHEET, player};
use onlooker::game::Chance;
use onlooker::play::{Reply, Request};
use std::time::{Duration, Instant};

/// Requests of a match, from which others are made.
fn seeds() -> Vec<String> {
    let growing = "(role x) (legal x a) (legal x b) (init (n 0)) (<= (next (n (f ?y ?y))) (true (n ?y))) (goal x 1) (<= terminal (true z))";
    vec![
        "(INFO)".to_owned(),
        format!("(START m1 x ({SHEET}) 0 0)"),
        format!("(START m1 o ({SHEET}) 0 0)"),
        format!("(START m2 x ({growing}) 0 0)"),
        "(PLAY m1 nil)".to_owned(),
        "(PLAY m1 (one noop))".to_owned(),
        "(PLAY m1 (noop two))".to_owned(),
        "(PLAY m2 (a))".to_owned(),
        "(STOP m1 (one noop))".to_owned(),
        "(ABORT m1)".to_owned(),
        "(ABORT m2)".to_owned(),
        format!("(PREVIEW ({SHEET}) 0)"),
    ]
}

/// A request with some bytes, names or parts changed.
fn mutated(seeds: &[String], chance: &mut Chance) -> Vec<u8> {
    const PIECES: [&[u8]; 14] = [
        b"(",
        b")",
        b" ",
        b"nil",
        b"(role x)",
        b"(true (n ?x))",
        b"?x",
        b"<=",
        b"not",
        b"0",
        b"99999999999",
        b";",
        b"\xff",
        b"\xc3\xa9",
    ];
    let mut bytes = seeds[chance.below(seeds.len())].clone().into_bytes();
    for _ in 0..chance.below(4) {
        let at = chance.below(bytes.len() + 1);
        let until = (at + chance.below(12)).min(bytes.len());
        match chance.below(4) {
            0 => drop(bytes.drain(at..until)),
            1 => drop(bytes.splice(at..at, PIECES[chance.below(PIECES.len())].iter().copied())),
            2 => {
                let copy = bytes[at..until].to_vec();
                let to = chance.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = chance.below(256) as u8;
                }
            }
        }
    }
    bytes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_answers_whatever_it_is_asked() {
    let player = player();
    let (seeds, mut chance) = (seeds(), Chance::new(20));
    let (mut read, mut moves) = (0, 0);
    for number in 0..1500 {
        let bytes = mutated(&seeds, &mut chance);
        let Ok(request) = Request::read(&bytes) else { continue };
        read += 1;
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let answer = player.answer(request, Instant::now());
        let answer = tokio::time::timeout(Duration::from_secs(30), answer).await;
        let answer = answer.unwrap_or_else(|_| panic!("{number}: no answer to {shown}"));
        moves += usize::from(matches!(answer, Reply::Move(_)));
        assert!(answer.to_string().len() < 10_000, "{shown}");
    }
    assert!(read > 500 && moves > 50, "{read} were requests, {moves} asked for moves");
    // Whatever match is on, the player comes back.
    for id in ["m1", "m2"] {
        player.answer(Request::Abort { id: id.to_owned() }, Instant::now()).await;
    }
    let info = player.answer(Request::Info, Instant::now()).await;
    assert!(matches!(info, Reply::Info { .. }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_are_legal_however_short_the_clock_is() {
    let player = player();
    for number in 0..5 {
        let ask = |text: String| player.answer(Request::read(text.as_bytes()).unwrap(), Instant::now());
        assert_eq!(ask(format!("(START m{number} x ({SHEET}) 0 0)")).await, Reply::Ready);
        let first = ask(format!("(PLAY m{number} nil)")).await.to_string();
        assert!(["one", "two"].contains(&first.as_str()), "{first}");
        assert_eq!(ask(format!("(PLAY m{number} ({first} noop))")).await.to_string(), "noop");
        let end = if number % 2 == 0 {
            (format!("(ABORT m{number})"), "aborted")
        } else {
            (format!("(STOP m{number} nil)"), "done")
        };
        assert_eq!(ask(end.0).await.to_string(), end.1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clock_of_a_preview_counts_from_when_it_came() {
    let player = player();
    let request = Request::Preview { rules: SHEET.to_owned(), clock: 5 };
    // It came long ago, so that there is no time left to look at it.
    let came = Instant::now() - Duration::from_secs(60);
    let began = Instant::now();
    let reply = player.answer(request.clone(), came).await;
    assert!(matches!(reply, Reply::Ready | Reply::Busy), "{reply}");
    assert!(began.elapsed() < Duration::from_secs(2));
    assert_eq!(player.answer(request, Instant::now()).await, Reply::Ready);
    let wrong = Request::Preview { rules: "(legal x a)".to_owned(), clock: 5 };
    assert_eq!(player.answer(wrong, Instant::now()).await, Reply::Busy);
}

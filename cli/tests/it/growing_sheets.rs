//! Sheets that grow without bounds, given to every command that takes a sheet, with two gigabytes of memory.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

const REST: &str = "(role a) (legal a go) (legal a stay) (goal a 0) (<= terminal (true over)) ";
/// Kilobytes of address space.
const MEMORY: u32 = 2_000_000;

fn sheets() -> Vec<(&'static str, String)> {
    let wide = format!("(f{})", " ?x".repeat(60));
    let grown: String = (0..12).map(|i| format!("(<= (p{} (f ?x ?x)) (p{i} ?x)) ", i + 1)).collect();
    vec![
        ("doubled", "(init (n 0)) (<= (next (n (f ?x ?x))) (true (n ?x)))".to_owned()),
        ("wide", format!("(init (n 0)) (<= (next (n {wide})) (true (n ?x)))")),
        ("deep", "(init (n 0)) (<= (next (n (s ?x))) (true (n ?x)))".to_owned()),
        (
            "mutual",
            "(init (n 0)) (init (m 0)) (<= (next (n (f ?x ?y))) (true (n ?x)) (true (m ?y))) \
             (<= (next (m (g ?y ?x))) (true (n ?x)) (true (m ?y)))"
                .to_owned(),
        ),
        (
            "moves",
            "(init (n 0)) (<= (legal a (go ?x)) (true (n ?x))) (<= (next (n (f ?x ?x))) (true (n ?x)))".to_owned(),
        ),
        (
            "many",
            "(init (n a)) (init (n b)) (<= (next (n ?x)) (true (n ?x))) \
             (<= (next (n (f ?x ?y))) (true (n ?x)) (true (n ?y)))"
                .to_owned(),
        ),
        ("at once", format!("(init s) (<= (p0 z) (true s)) {grown} (<= (next (big ?x)) (p12 ?x))")),
        ("fixed", format!("(p0 z) {grown} (init s) (<= (next (big ?x)) (p12 ?x))")),
    ]
}

/// Runs the program with little memory; the status, and what it printed.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut child = begin(folder, arguments);
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            child.wait().unwrap();
            return (None, "it does not end".to_owned());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let ran = child.wait_with_output().unwrap();
    (ran.status.code(), String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned())
}

fn begin(folder: &Path, arguments: &[&str]) -> Child {
    crate::begin(folder, &format!("ulimit -v {MEMORY}"), arguments)
}

#[test]
fn every_command_ends_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rules) in sheets() {
        std::fs::write(folder.path().join("grows.kif"), format!("{REST}{rules}")).unwrap();
        for arguments in [
            &["gdl", "grows.kif"][..],
            &["perft", "grows.kif", "20"],
            &["walk", "grows.kif", "--games", "2"],
            &["bench", "grows.kif", "--games", "5"],
            &["match", "grows.kif", "--players", "mcts:50"],
            &["match", "grows.kif", "--players", "alphabeta:5", "--engine", "plain"],
            &["simulate", "grows.kif", "--games", "2"],
            &["learn", "grows.kif"],
        ] {
            let (status, printed) = run(folder.path(), arguments);
            let context = format!("{name}: onlooker {}: {status:?}\n{printed}", arguments.join(" "));
            assert!(matches!(status, Some(0..=2)), "{context}");
            assert!(!printed.contains("panicked") && !printed.contains("memory allocation"), "{context}");
            if !matches!(arguments[0], "gdl" | "learn") && name != "many" {
                assert!(status == Some(2), "a game that is cut off is not the whole truth: {context}");
            }
        }
    }
}

#[test]
fn the_player_survives_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = begin(folder.path(), &["ggp", "--port", "0"]);
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap().trim_end_matches('/').to_owned();
    let ask = |body: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        write!(stream, "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").map(|(_, text)| text.to_owned()).unwrap_or(answer)
    };
    for (number, (name, rules)) in sheets().into_iter().enumerate() {
        let id = format!("m{number}");
        let ready = ask(&format!("(START {id} a ({REST}{rules}) 2 2)"));
        assert!(["ready", "busy"].contains(&ready.as_str()), "{name}: {ready}");
        if ready == "ready" {
            let first = ask(&format!("(PLAY {id} nil)"));
            assert!(first == "go" || first == "stay" || first.starts_with("(go "), "{name}: {first}");
            assert!(!ask(&format!("(PLAY {id} ({first}))")).is_empty(), "{name}");
            assert_eq!(ask(&format!("(ABORT {id})")), "aborted", "{name}");
        }
        assert!(ask("(INFO)").contains("available"), "{name}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

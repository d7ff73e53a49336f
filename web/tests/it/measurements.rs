//! How quickly clicks are answered, and how much memory it takes; to be run by hand on a quiet machine:
//! `cargo test --release -p onlooker-web --test it measurements -- --ignored --nocapture`.

use crate::harness::Server;
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

/// Milliseconds from a click to its answer: the median, the 95th of a hundred, the most.
fn clicks(server: &Server, game: &str, count: usize) -> String {
    let begin = || server.post("/api/tables", &json!({ "game": game, "players": ["person", "person"] })).json();
    let (mut view, mut times) = (begin(), Vec::new());
    for _ in 0..count {
        if !view["over"].is_null() {
            view = begin();
        }
        let path = format!("/api/tables/{}/move", view["id"].as_str().unwrap());
        let name = view["legal"][0]["name"].clone();
        let begun = Instant::now();
        let answer = server.post(&path, &json!({ "name": name }));
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
        view = answer.json();
        std::thread::sleep(Duration::from_millis(20));
    }
    times.sort_by(f64::total_cmp);
    let most = times[times.len() - 1];
    format!("median {:.1} ms, 95th {:.1} ms, most {most:.1} ms", times[count / 2], times[count * 95 / 100])
}

/// What the process takes, in megabytes.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or("VmRSS: ? kB");
    let number: Option<f64> = line.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    number.map_or("?".to_owned(), |kilobytes| format!("{:.0} MB", kilobytes / 1000.0))
}

#[test]
#[ignore = "a measurement"]
fn clicks_while_a_log_of_a_hundred_megabytes_is_learnt_and_memory_after_a_hundred_clients() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("big.log");
    let game = onlooker::game::catalogue_game("chess-breakthrough").unwrap();
    let plan =
        onlooker::game::SimulationPlan { games: 1800, listing: onlooker::observe::Listing::All, seed: 1, plies: 2_000 };
    let mut file = std::io::BufWriter::new(std::fs::File::create(&log).unwrap());
    onlooker::game::simulate(&game, &plan, &mut file, &std::sync::atomic::AtomicBool::new(false), &mut |_| {}).unwrap();
    file.flush().unwrap();
    println!("log: {:.1} MB", std::fs::metadata(&log).unwrap().len() as f64 / 1e6);
    let server = Server::with(None, vec![log.to_str().unwrap().to_owned()]);
    println!("idle: breakthrough {}; amazons {}", clicks(&server, "breakthrough", 100), clicks(&server, "amazons", 40));
    let source = server.get("/api/files").json()["files"][0]["id"].clone();
    let begun = Instant::now();
    let job = server.post("/api/jobs/learn", &json!({ "source": source, "truth": "chess-breakthrough" })).json();
    let job = job["id"].as_str().unwrap().to_owned();
    std::thread::scope(|scope| {
        let learning = scope.spawn(|| server.events(&job));
        std::thread::sleep(Duration::from_millis(500));
        println!(
            "while learning: breakthrough {}; amazons {}",
            clicks(&server, "breakthrough", 150),
            clicks(&server, "amazons", 40)
        );
        println!("still learning then: {}; memory {}", !learning.is_finished(), memory());
        let events = learning.join().unwrap();
        let done = events.iter().find(|event| event["type"] == "done").unwrap();
        println!(
            "learnt in {:.1} s from {} games, check {}",
            begun.elapsed().as_secs_f64(),
            done["games"],
            done["check"]
        );
    });
    let before = memory();
    let clients: Vec<_> = (0..100)
        .map(|number: usize| {
            let mut stream = server.connect();
            let path =
                if number.is_multiple_of(2) { format!("/api/jobs/{job}/events") } else { "/api/games".to_owned() };
            write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port).unwrap();
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_secs(2));
    let with = memory();
    drop(clients);
    std::thread::sleep(Duration::from_secs(1));
    println!("memory before, with and after a hundred clients: {before}, {with}, {}", memory());
}

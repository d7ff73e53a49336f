//! Matches over a network: complete ones, and everything that can be sent instead of a request.

use crate::onlooker;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A player at work, ended when it is dropped.
struct Player {
    child: Child,
    address: String,
}

impl Player {
    fn new(arguments: &[&str]) -> Player {
        let mut child = Command::new(env!("CARGO_BIN_EXE_onlooker"))
            .args(["ggp", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap().trim_end_matches('/').to_owned();
        assert!(address.starts_with("127.0.0.1:"), "only this machine is let in: {address}");
        Player { child, address }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends bytes as they are and reads all that comes back.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // It may be refused before all of it is sent.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request as old managers of matches do; the status and the text of the answer.
    fn post(&self, body: impl AsRef<[u8]>) -> (String, String) {
        let body = body.as_ref();
        let head = format!(
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: x\r\nSender: GAMESERVER\r\nReceiver: you\r\n\
             Content-type: text/acl\r\nContent-length: {}\r\n\r\n",
            body.len()
        );
        let answer = self.raw(&[head.as_bytes(), body].concat());
        let (head, text) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        (head.split_whitespace().nth(1).unwrap_or("none").to_owned(), text.trim().to_owned())
    }

    /// The text of the answer to a request that is one.
    fn ask(&self, body: &str) -> String {
        let (status, text) = self.post(body);
        assert_eq!(status, "200", "{body}: {text}");
        text
    }

    fn is_available(&self) -> bool {
        self.ask("(INFO)").contains("(status available)")
    }

    /// The threads that run for matches.
    #[cfg(target_os = "linux")]
    fn match_threads(&self) -> usize {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
        names.filter(|name| ["search", "propnet", "proof"].contains(&name.trim())).count()
    }

    /// The most memory it ever had, in megabytes.
    fn most_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sheet(name: &str) -> String {
    let shared = repository().join("games").join(format!("{name}.kif"));
    let own = repository().join("tests/testdata/ggp").join(format!("{name}.kif"));
    let path = if shared.exists() { shared } else { own };
    path.to_str().unwrap().to_owned()
}

fn rules(name: &str) -> String {
    std::fs::read_to_string(sheet(name)).unwrap()
}

fn start(id: &str, role: &str, sheet: &str, start_clock: u64, play_clock: u64) -> String {
    format!("(START {id} {role} ({}\n) {start_clock} {play_clock})", rules(sheet))
}

/// Runs a match and returns what it printed; no player may have made an error or have come late.
fn run_match(sheet_name: &str, players: &[&str], start_clock: &str, play_clock: &str) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let sheet = sheet(sheet_name);
    let players = players.join(",");
    let clocks = ["--start-clock", start_clock, "--play-clock", play_clock];
    let arguments = ["ggp-match", &sheet, "--players", &players, "--json", "-o", "game.jsonl"];
    let ran = onlooker(folder.path(), &[&arguments[..], &clocks].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let result: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let seconds: u64 = play_clock.parse().unwrap();
    for player in result["matches"][0]["players"].as_array().unwrap() {
        assert_eq!(player["errors"], serde_json::json!({"timeout": 0, "connection": 0, "illegal": 0}), "{result}");
        assert!(player["slowest_ms"].as_u64().unwrap() <= seconds * 1000 - 500, "{result}");
    }
    // The record is a walk of the game.
    let replay = onlooker(folder.path(), &["walk", &sheet, "--replay", "game.jsonl"]);
    let record = std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
    assert_eq!((replay.status, replay.err.as_str()), (0, ""), "{sheet_name}");
    assert_eq!(replay.out, record, "{sheet_name}");
    assert!(record.lines().last().unwrap().contains("\"terminal\":true"), "{sheet_name}");
    result
}

fn goals(result: &serde_json::Value) -> Vec<u64> {
    result["matches"][0]["players"].as_array().unwrap().iter().map(|player| player["goal"].as_u64().unwrap()).collect()
}

/// That a player can still be trusted: it plays a game as well as it can be played.
fn plays_well(player: &Player) {
    let result = run_match("tic-tac-toe", &[&player.url(), "alphabeta:9"], "5", "2");
    assert_eq!(goals(&result), [50, 50], "{result}");
    assert!(player.is_available());
}

#[test]
fn two_players_play_a_complete_match() {
    let players = [Player::new(&[]), Player::new(&["--threads", "1"])];
    let urls = [players[0].url(), players[1].url()];
    let result = run_match("tic-tac-toe", &[&urls[0], &urls[1]], "5", "2");
    assert_eq!(goals(&result), [50, 50], "{result}");
    // At the same time, with chance, and alone.
    let result = run_match("bids", &[&urls[0], &urls[1]], "5", "2");
    assert_eq!(goals(&result).iter().sum::<u64>(), 100, "{result}");
    let result = run_match("dice-race", &[&urls[0], &urls[1]], "5", "2");
    assert_eq!(goals(&result).iter().sum::<u64>(), 100, "{result}");
    assert_eq!(goals(&run_match("lights", &[&urls[0]], "5", "2")), [100]);
    assert!(players.iter().all(Player::is_available));
}

#[test]
fn players_of_every_kind_take_part() {
    for kind in ["random", "greedy", "alphabeta:2", "mcts:100"] {
        let player = Player::new(&["--player", kind, "--seed", "7"]);
        let result = run_match("connect-four", &[&player.url(), "random"], "5", "2");
        assert_eq!(goals(&result).iter().sum::<u64>(), 100, "{kind}: {result}");
    }
}

#[test]
fn several_games_are_counted_and_roles_change() {
    let player = Player::new(&[]);
    let players = format!("{},random", player.url());
    let sheet = sheet("tic-tac-toe");
    let clocks = ["--start-clock", "2", "--play-clock", "1"];
    let arguments = [&["ggp-match", &sheet, "--players", &players][..], &clocks].concat();
    let ran = onlooker(Path::new("."), &[&arguments[..], &["--games", "4", "--match-id", "series", "--json"]].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let result: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(result["games"], 4);
    assert_eq!(result["wins"][1], 0, "{result}");
    let seat = |game: usize| result["matches"][game]["players"][0]["player"].as_str().unwrap().to_owned();
    assert_eq!((seat(0), seat(1), seat(2)), (player.url(), "random".to_owned(), player.url()));
    assert_eq!(result["matches"][3]["id"], "series.4");
    let ran = onlooker(Path::new("."), &[&arguments[..], &["--games", "2", "--match-id", "series"]].concat());
    assert!(ran.out.contains("series.1: ") && ran.out.contains("draws"), "{}", ran.out);
}

#[test]
fn every_request_has_its_answer() {
    let player = Player::new(&["--name", "Ada"]);
    assert_eq!(player.ask("(INFO)"), "((name Ada) (status available) (species machine))");
    assert_eq!(player.ask(" ( info ) "), player.ask("(INFO)"));
    assert_eq!(player.ask(&format!("(PREVIEW ({}) 5)", rules("bids"))), "ready");
    assert_eq!(player.ask("(PREVIEW ((role)) 5)"), "busy");
    // Nothing is being played yet.
    for request in ["(PLAY m nil)", "(STOP m nil)", "(ABORT m)"] {
        assert_eq!(player.ask(request), "busy", "{request}");
    }
    assert_eq!(player.ask(&start("m", "x", "tic-tac-toe", 5, 2)), "ready");
    assert_eq!(player.ask("(INFO)"), "((name Ada) (status busy) (species machine))");
    // The answer to a start may get lost, so it can be asked for again; everybody else has to wait.
    assert_eq!(player.ask(&start("m", "x", "tic-tac-toe", 5, 2)), "ready");
    assert_eq!(player.ask(&start("m", "o", "tic-tac-toe", 5, 2)), "busy");
    assert_eq!(player.ask(&start("other", "x", "tic-tac-toe", 5, 2)), "busy");
    assert_eq!(player.ask(&start("broken", "x", "bids", 5, 2)), "busy");
    assert_eq!(player.ask("(PREVIEW ((role x)) 5)"), "busy");
    for request in ["(PLAY other nil)", "(STOP other (a b))", "(ABORT other)"] {
        assert_eq!(player.ask(request), "busy", "{request}");
    }
    let first = player.ask("(PLAY m nil)");
    assert!(first.starts_with("(mark "), "{first}");
    // Asked again, it says the same, and it is still the same turn.
    assert_eq!(player.ask("(PLAY m NIL)"), first);
    assert_eq!(player.ask(&format!("(PLAY m ({first} noop))")), "noop");
    assert_eq!(player.ask(&format!("(PLAY m ({first} noop))")), "noop");
    let corner = if first == "(mark 1 1)" { "(mark 3 3)" } else { "(mark 1 1)" };
    let second = player.ask(&format!("(play M (noop {}))", corner.to_uppercase()));
    assert!(second.starts_with("(mark ") && second != first && second != corner, "{second}");
    assert_eq!(player.ask("(STOP m (noop noop))"), "done");
    assert!(player.is_available());
    assert_eq!(player.ask(&start("m", "o", "tic-tac-toe", 5, 2)), "ready");
    assert_eq!(player.ask("(ABORT m)"), "aborted");
    assert!(player.is_available());
}

#[test]
fn moves_that_repeat_are_no_repetition() {
    // The game is over after five presses; the same button again and again is a new move each time.
    let player = Player::new(&["--player", "random"]);
    assert_eq!(player.ask(&start("m", "robot", "lights", 5, 1)), "ready");
    let mut last = player.ask("(PLAY m nil)");
    let mut states = 1;
    // Whatever it says, it is told that it did just that, until it has to say something else than a press.
    while last.starts_with("(press ") && states < 10 {
        last = player.ask(&format!("(PLAY m ({last}))"));
        states += 1;
    }
    assert!(states <= 10);
    assert_eq!(player.ask("(ABORT m)"), "aborted");
}

#[test]
fn starts_that_make_no_sense_are_refused() {
    let player = Player::new(&[]);
    for (role, rules) in [
        ("z", rules("tic-tac-toe")),
        ("(x)", rules("tic-tac-toe")),
        ("x", String::new()),
        ("x", "(role x) (<= (legal x ?m) (true ?n))".to_owned()),
        ("x", "ready".to_owned()),
        ("x", rules("tic-tac-toe").replace("(role x)", "(role x y)")),
        // A loop through a negation.
        ("x", format!("{} (<= odd (not even)) (<= even (not odd)) (<= terminal odd)", rules("tic-tac-toe"))),
    ] {
        assert_eq!(player.ask(&format!("(START m {role} ({rules}\n) 2 1)")), "busy", "{role} {rules}");
        assert!(player.is_available());
    }
    plays_well(&player);
}

#[test]
fn illegal_moves_of_others_are_survived() {
    let player = Player::new(&[]);
    for moves in ["(noop noop)", "((mark 9 9) noop)", "(x)", "(a b c d e f)", "((((x))) ())", "((mark 1 1))"] {
        assert_eq!(player.ask(&start("m", "o", "tic-tac-toe", 5, 1)), "ready");
        assert_eq!(player.ask("(PLAY m nil)"), "noop");
        let answer = player.ask(&format!("(PLAY m {moves})"));
        assert!(answer.starts_with("(mark "), "{moves}: {answer}");
        // Long after the end it still has something to say.
        for _ in 0..6 {
            let answer = player.ask("(PLAY m ((mark 2 2) (mark 2 2)))");
            assert!(!answer.is_empty());
            let answer = player.ask("(PLAY m (nothing ever))");
            assert!(!answer.is_empty());
        }
        assert_eq!(player.ask("(STOP m (nothing))"), "done");
    }
    plays_well(&player);
}

#[test]
fn a_manager_without_lower_case_is_understood() {
    let player = Player::new(&[]);
    // The rules as they are, everything else in capitals.
    assert_eq!(player.ask(&start("M.1", "X", "tic-tac-toe", 5, 1)), "ready");
    let first = player.ask("(PLAY M.1 NIL)");
    assert!(first.starts_with("(mark "));
    assert_eq!(player.ask(&format!("(PLAY M.1 ({} NOOP))", first.to_uppercase())), "noop");
    assert_eq!(player.ask("(ABORT m.1)"), "aborted");
    // All in capitals.
    assert_eq!(player.ask(&start("M", "X", "tic-tac-toe", 5, 1).to_uppercase()), "ready");
    assert!(player.ask("(PLAY M NIL)").starts_with("(MARK "));
    assert_eq!(player.ask("(ABORT M)"), "aborted");
}

#[test]
fn nonsense_is_answered_or_dropped_and_nothing_is_lost() {
    let player = Player::new(&[]);
    // A match goes on all the time.
    assert_eq!(player.ask(&start("m", "x", "connect-four", 5, 2)), "ready");
    for (body, status) in [
        (&b""[..], "400"),
        (b"\0\0\0\0", "400"),
        (b"(PLAY m \0 nil)", "200"),
        (b"\xff\xfe\xfd", "400"),
        (b"(PLAY \xc3\x28 nil)", "400"),
        (b"(", "400"),
        (b")", "400"),
        (b"()", "400"),
        (b"(())", "400"),
        (b"hello", "400"),
        (b"(HELLO)", "400"),
        (b"(PLAY)", "400"),
        (b"(START)", "400"),
        (b"(START m)", "400"),
        (b"(START m x (role x) ten 1)", "400"),
        (b"(START m x () -1 1)", "400"),
        (b"<html><body>(INFO)</body></html>", "400"),
        (b"{\"request\": \"INFO\"}", "400"),
        (b"(((((((((((((((((((((((", "400"),
        ("(".repeat(1_000_000).as_bytes(), "400"),
        ("(INFO ".repeat(100_000).as_bytes(), "400"),
        ("()".repeat(2_000_000).as_bytes(), "400"),
        (&[b'x'; 8_000_000], "400"),
        (&[b'x'; 9_000_000], "413"),
        (&[b'('; 17_000_000], "413"),
        (b"(START m x ((role x)) 100000000000000000000 1)", "400"),
    ] {
        let (found, text) = player.post(body);
        let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        assert_eq!(found, status, "{shown}: {text}");
        assert!(!text.is_empty(), "{shown}");
    }
    for (bytes, begins) in [
        (&b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"[..], "HTTP/1.1 200"),
        (b"GET /%28INFO%29 HTTP/1.0\r\n\r\n", "HTTP/1.0 200"),
        (b"OPTIONS / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 200"),
        (b"OPTIONS / HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\nConnection: close\r\n\r\n", "HTTP/1.0 403"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\nContent-Length: 6\r\n\r\n(INFO)", "HTTP/1.0 403"),
        (b"GET /%28ABORT+m%29 HTTP/1.0\r\n\r\n", "HTTP/1.0 405"),
        (b"HEAD / HTTP/1.0\r\n\r\n", "HTTP/1.0 200"),
        (b"DELETE / HTTP/1.0\r\n\r\n", "HTTP/1.0 405"),
        (b"POST / HTTP/1.0\r\n\r\n(INFO)", "HTTP/1.0 200"),
        (b"POST / HTTP/1.0\r\nContent-Length: no\r\n\r\n(INFO)", "HTTP/1."),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n6\r\n(INFO)\r\n0\r\n\r\n", "HTTP/1.1 200"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n(INFO)", "HTTP/1."),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "HTTP/1."),
        (b"\r\n\r\n\r\n", ""),
        (b"(INFO)", "HTTP/1."),
        (b"\0\0\0\0\0\0\0\0", "HTTP/1."),
        (&[b'a'; 1_000_000], "HTTP/1."),
        (b"", ""),
    ] {
        let answer = player.raw(bytes);
        // Some are closed without a word, or before the word can be read.
        let dropped = answer.is_empty() && begins == "HTTP/1.";
        assert!(dropped || answer.starts_with(begins), "{:?}: {answer}", String::from_utf8_lossy(&bytes[..bytes.len().min(60)]));
    }
    let headers = player.raw(b"OPTIONS / HTTP/1.0\r\n\r\n").to_lowercase();
    assert!(!headers.contains("access-control") && headers.contains("content-type: text/acl"));
    // The match is where it was.
    let first = player.ask("(PLAY m nil)");
    assert!(first.starts_with("(drop "), "{first}");
    assert_eq!(player.ask("(ABORT m)"), "aborted");
    plays_well(&player);
}

#[test]
fn a_hundred_megabytes_of_brackets_take_no_memory() {
    let player = Player::new(&[]);
    assert!(player.is_available());
    let before = player.most_memory();
    let brackets = vec![b'('; 1 << 20];
    for (head, whole) in [
        (format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", 100 << 20), true),
        (format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", 100 << 20), true),
        // A head that never ends.
        ("POST / HTTP/1.1\r\nX: ".to_owned(), false),
    ] {
        let mut stream = player.connect();
        stream.write_all(head.as_bytes()).unwrap();
        let sent = (0..100).take_while(|_| stream.write_all(&brackets).is_ok()).count();
        let mut answer = [0; 200];
        let length = stream.read(&mut answer).unwrap_or(0);
        let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
        if whole {
            assert!(sent == 100 && answer.contains("413"), "{sent}: {answer}");
        }
    }
    let after = player.most_memory();
    assert!(after < before + 40, "{before} MB before, {after} MB after");
    plays_well(&player);
}

#[test]
fn connections_that_break_or_crawl_do_no_harm() {
    let player = Player::new(&[]);
    // Those who send a little now and then, or nothing at all.
    let mut slow: Vec<TcpStream> = (0..20).map(|_| player.connect()).collect();
    for (stream, at) in slow.iter_mut().zip(0..) {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n(PLAY";
        stream.write_all(&head.as_bytes()[..at * 2]).unwrap();
    }
    // Half a request, then nothing more.
    for cut in [5, 20, 60, 66] {
        let whole = "POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: 6\r\n\r\n(INFO)";
        drop(player.connect().write_all(&whole.as_bytes()[..cut]));
        player.raw(&whole.as_bytes()[..cut]);
    }
    assert_eq!(player.ask(&start("m", "x", "connect-four", 5, 2)), "ready");
    // Whoever asks for a move and goes away can come back for it.
    let began = Instant::now();
    let request = "POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n(PLAY m nil)";
    for _ in 0..3 {
        player.connect().write_all(request.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
    }
    let first = player.ask("(PLAY m nil)");
    assert!(first.starts_with("(drop ") && began.elapsed() < Duration::from_secs(2), "{first} {:?}", began.elapsed());
    assert_eq!(player.ask("(PLAY m nil)"), first);
    assert_eq!(player.ask(&format!("(PLAY m ({first} noop))")), "noop");
    slow.iter_mut().for_each(|stream| drop(stream.write_all(b"(")));
    assert_eq!(player.ask("(STOP m (noop noop))"), "done");
    plays_well(&player);
    // After some seconds they are shown out.
    for (number, stream) in slow.iter_mut().enumerate().step_by(5) {
        let mut answer = Vec::new();
        assert!(stream.read_to_end(&mut answer).is_ok() || number > 0, "{number}");
    }
}

/// A sheet of which the second state takes minutes, and the propnet longer.
fn heavy() -> String {
    let digits: String = (0..60).map(|i| format!("(d {i})")).collect();
    format!(
        "{digits} (role a) (legal a go) (legal a stay) (goal a 0) (init s) (<= (next s) (true s)) \
         (<= (next big) (true s)) (<= (n ?x ?y ?z) (d ?x) (d ?y) (d ?z) (true s)) \
         (<= terminal (true big) (d ?u) (d ?v) (d ?w) (d ?x) (d ?y) (d ?z) (not (n ?u ?v ?w)) (not (n ?x ?y ?z)))"
    )
}

#[cfg(target_os = "linux")]
#[test]
fn whatever_runs_for_a_match_ends_with_it() {
    let player = Player::new(&[]);
    assert!(player.is_available());
    let before = player.most_memory();
    for number in 0..12 {
        let id = format!("m{number}");
        // Nobody waits for the answer: the match is ended in the middle of the preparations.
        let start = format!("(START {id} a ({}) 60 60)", heavy());
        let request = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{start}", start.len());
        player.connect().write_all(request.as_bytes()).unwrap();
        let began = Instant::now();
        while player.match_threads() == 0 {
            assert!(began.elapsed() < Duration::from_secs(10), "it begins");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        let (end, answer) = if number % 2 == 0 { ("ABORT", "aborted") } else { ("STOP", "done") };
        assert_eq!(player.ask(&format!("({end} {id} nil)")), answer);
        let ended = Instant::now();
        while player.match_threads() > 0 {
            // A tenth of a second where nothing else runs.
            assert!(ended.elapsed() < Duration::from_secs(1), "{end}: {} threads are left", player.match_threads());
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(player.is_available());
    }
    let after = player.most_memory();
    assert!(after < before + 400, "{before} MB before, {after} MB after");
    plays_well(&player);
}

#[cfg(target_os = "linux")]
#[test]
fn many_large_previews_at_once_take_little_memory() {
    let player = Player::new(&[]);
    let facts: String = (0..440_000).map(|i| format!("(p {i:06} q)\n")).collect();
    let preview = format!("(PREVIEW ((role a) {facts}) 10)");
    assert!(preview.len() > 5_000_000);
    let answers: Vec<(String, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..12).map(|_| scope.spawn(|| player.post(&preview))).collect();
        // Small requests come through all the time.
        for _ in 0..10 {
            assert!(player.is_available());
            std::thread::sleep(Duration::from_millis(20));
        }
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (status, text) in &answers {
        let known = [("200", "ready"), ("200", "busy"), ("503", "too many large requests at once")];
        assert!(known.contains(&(status, text)), "{status} {text}");
    }
    assert!(answers.iter().any(|(status, text)| status == "200" && text == "ready"), "{answers:?}");
    let memory = player.most_memory();
    assert!(memory < 1000, "{memory} MB");
    plays_well(&player);
}

#[test]
fn a_crowd_of_connections_does_not_shut_the_manager_out() {
    let player = Player::new(&[]);
    let mut crowd: Vec<TcpStream> = Vec::new();
    for number in 0..600 {
        let mut stream = player.connect();
        let _ = stream.write_all(if number % 2 == 0 { b"" } else { b"POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n(" });
        crowd.push(stream);
        if number % 100 == 99 {
            let began = Instant::now();
            assert!(player.is_available());
            assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
        }
    }
    assert_eq!(player.ask(&start("m", "x", "connect-four", 5, 2)), "ready");
    assert!(player.ask("(PLAY m nil)").starts_with("(drop "));
    assert_eq!(player.ask("(ABORT m)"), "aborted");
    drop(crowd);
    plays_well(&player);
}

#[test]
fn clocks_of_nothing_get_legal_moves() {
    let player = Player::new(&[]);
    for id in ["m1", "m2"] {
        assert_eq!(player.ask(&start(id, "x", "connect-four", 0, 0)), "ready");
        let first = player.ask(&format!("(PLAY {id} nil)"));
        assert!(first.starts_with("(drop "), "{first}");
        assert_eq!(player.ask(&format!("(PLAY {id} ({first} noop))")), "noop");
        let third = player.ask(&format!("(PLAY {id} (noop {first}))"));
        assert!(third.starts_with("(drop "), "{third}");
        assert_eq!(player.ask(&format!("(STOP {id} ({third} noop))")), "done");
    }
}

#[test]
fn a_turn_is_given_up_for_the_next_one() {
    let player = Player::new(&[]);
    assert_eq!(player.ask(&start("m", "x", "connect-four", 5, 20)), "ready");
    // Nobody waits for the first answer: the manager has gone on without it.
    player.connect().write_all(b"POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n(PLAY m nil)").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    assert_eq!(player.ask("(PLAY m ((drop 1) noop))"), "noop");
    assert!(began.elapsed() < Duration::from_secs(2));
    // A match can be ended while it thinks.
    player.connect().write_all(b"POST / HTTP/1.0\r\nContent-Length: 25\r\n\r\n(PLAY m (noop (drop 1)))").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(player.ask("(ABORT m)"), "aborted");
    plays_well(&player);
}

#[test]
fn what_cannot_be_run_is_refused() {
    let player = Player::new(&[]);
    let port = player.address.rsplit(':').next().unwrap().to_owned();
    let sheet = sheet("tic-tac-toe");
    for (arguments, says) in [
        (&["ggp", "--port", &port][..], &["cannot listen", &port][..]),
        (&["ggp", "--port", "0", "--player", "me"], &["\"me\"", "mcts:PLAYOUTS"]),
        (&["ggp", "--port", "0", "--name", "two words"], &["without spaces"]),
        (&["ggp", "--port", "0", "--margin-ms", "10"], &["10 is not in 500.."]),
        (&["ggp-match", &sheet, "--players", "random"], &["for 2 (x, o), 1 players were given"]),
        (&["ggp-match", &sheet, "--players", "random,http:"], &["\"http:\"", "http://127.0.0.1:9147"]),
        (&["ggp-match", &sheet, "--players", "random,ftp://x"], &["\"ftp://x\"", "http://127.0.0.1:9147"]),
        (&["ggp-match", &sheet, "--players", "random,http://127.0.0.1:1"], &["http://127.0.0.1:1:", "refused"]),
        (&["ggp-match", "none.kif", "--players", "random,random"], &["cannot open none.kif"]),
        (&["ggp-match", &sheet, "--players", "alphabeta:2,eval=none.concepts,random"], &["cannot open none.concepts"]),
    ] {
        let ran = onlooker(Path::new("."), arguments);
        let context = format!("onlooker {}\n{}{}", arguments.join(" "), ran.out, ran.err);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{context}");
        assert!(says.iter().all(|part| ran.err.contains(part)), "{context}");
    }
    // The one who could be reached is free again, and one who is busy is named.
    let players = format!("{},http://127.0.0.1:1", player.url());
    assert_eq!(onlooker(Path::new("."), &["ggp-match", &sheet, "--players", &players]).status, 2);
    assert!(player.is_available());
    assert_eq!(player.ask(&start("m", "x", "bids", 5, 2).replace(" x ", " ann ")), "ready");
    let ran = onlooker(Path::new("."), &["ggp-match", &sheet, "--players", &format!("{},random", player.url())]);
    assert!(ran.status == 2 && ran.err.contains(&player.url()) && ran.err.contains("busy"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn interrupted_players_and_matches_end_cleanly() {
    let interrupt = |child: &Child| {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    };
    let mut player = Player::new(&[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_onlooker"))
        .args(["ggp-match", &sheet("connect-four"), "--play-clock", "30", "--players"])
        .arg(format!("{},random", player.url()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while player.is_available() {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(player.is_available(), "the match was aborted");
    assert_eq!(player.ask(&start("m", "x", "connect-four", 5, 20)), "ready");
    interrupt(&player.child);
    assert_eq!(player.child.wait().unwrap().code(), Some(130));
}

#[test]
fn the_player_of_matches_plays_in_match_too() {
    let players = "ggp:0.1,start=0.5,random";
    let ran = onlooker(Path::new("."), &["match", "tic-tac-toe", "--players", players, "--games", "4", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let result: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((result["games"].as_u64(), result["wins"][1].as_u64()), (Some(4), Some(0)), "{result}");
    let ran = onlooker(Path::new("."), &["match", "tic-tac-toe", "--players", "ggp:0,random", "--games", "1"]);
    assert!(ran.status != 0 && ran.err.contains("must be from 0.001 to 3600 seconds"), "{}", ran.err);
}

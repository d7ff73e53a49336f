//! The page in the browser, as the command line starts and ends it; what it answers is tested where it is made.

use crate::onlooker;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server, its first line, and what it answers.
fn serve(folder: &Path, arguments: &[&str]) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_onlooker"))
        .args(["serve", "--port", "0"])
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim_end_matches('\n').to_owned())
}

fn get(address: &str, path: &str) -> String {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_first_line_is_the_address_and_what_was_given_is_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    let rules = include_str!("../../../games/breakthrough.rules").replace("game breakthrough", "game my-own");
    std::fs::write(folder.path().join("mine/my-own.rules"), rules).unwrap();
    let made =
        onlooker(folder.path(), &["simulate", "tic-tac-toe", "--games", "3", "--moves", "all", "-o", "some.log"]);
    assert_eq!(made.status, 0, "{}", made.err);
    let (mut child, address) = serve(folder.path(), &["--games", "mine", "--save", "kept", "checkers", "some.log"]);
    let port = address.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/'));
    assert!(port.is_some_and(|port| port.parse::<u16>().is_ok()), "{address}");
    assert!(get(&address, "/").contains("<title>Onlooker</title>"));
    assert!(get(&address, "/api/games").contains("\"my-own\""));
    assert!(get(&address, "/api/files").contains("\"some.log\""));
    assert!(get(&address, "/api/status").contains("\"checkers\""));
    assert!(folder.path().join("kept").is_dir());
    let begun = Instant::now();
    #[cfg(unix)]
    {
        let stopped = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        assert!(stopped.success());
        assert_eq!(child.wait().unwrap().code(), Some(143));
    }
    #[cfg(not(unix))]
    child.kill().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5), "it ends soon");
}

#[test]
fn what_cannot_be_served_is_refused_before_anything_listens() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("nothing.txt"), "hello\n").unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for (arguments, told) in [
        (&["serve", "--port", "0", "missing.log"][..], "missing.log"),
        (&["serve", "--port", "0", "nothing.txt"], "nothing.txt: it is none of"),
        (&["serve", "--port", "0", "--games", "nowhere"], "nowhere"),
        (&["serve", "--port", "0", "--save", "file"], "file"),
        (&["serve", "--port", "0", "--host", "not a host"], "cannot listen on"),
        (&["serve", "--port", "x"], "invalid value"),
    ] {
        let ran = onlooker(folder.path(), arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains(told), "{arguments:?}: {}", ran.err);
    }
}

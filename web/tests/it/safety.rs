//! The server stays up and small, whoever comes, and answers only its own page.

use crate::harness::Server;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

#[test]
fn requests_that_are_not_meant_for_us_or_come_from_elsewhere_are_refused() {
    let server = Server::start();
    let own = format!("127.0.0.1:{}", server.port);
    let table = [
        (own.clone(), String::new(), 200),
        (format!("localhost:{}", server.port), String::new(), 200),
        (format!("[::1]:{}", server.port), String::new(), 200),
        (own.clone(), format!("Origin: http://{own}\r\n"), 200),
        ("evil.example".to_owned(), String::new(), 403),
        (format!("evil.example:{}", server.port), String::new(), 403),
        ("127.0.0.1:1".to_owned(), String::new(), 403),
        (own.clone(), "Host: evil.example\r\n".to_owned(), 403),
        (own.clone(), "Origin: http://evil.example\r\n".to_owned(), 403),
        (own.clone(), "Origin: null\r\n".to_owned(), 403),
        (own.clone(), format!("Origin: https://{own}\r\n"), 403),
        (own.clone(), format!("Origin: http://localhost:{}\r\n", server.port), 403),
        (own.clone(), "Sec-Fetch-Site: cross-site\r\n".to_owned(), 403),
        (own.clone(), "Sec-Fetch-Site: same-site\r\n".to_owned(), 403),
    ];
    for (host, more, status) in table {
        for path in ["/api/status", "/api/games/checkers"] {
            let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n");
            let response = server.raw(request.as_bytes());
            assert_eq!(response.status, status, "{request}");
        }
        let request = format!(
            "POST /api/tables HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 22\r\n{more}\r\n{{\"game\":\"tic-tac-toe\"}}"
        );
        assert_eq!(server.raw(request.as_bytes()).status, status, "{request}");
    }
    // A form of another site cannot even be read, should its browser not say where it comes from.
    let form = server.ask("POST", "/api/tables", "Content-Type: text/plain\r\n", b"{\"game\":\"checkers\"}");
    assert_eq!(form.status, 415);
    assert_eq!(server.raw(b"GET /api/status HTTP/1.1\r\nConnection: close\r\n\r\n").status, 403);
}

#[test]
fn what_is_answered_can_neither_be_framed_nor_run_elsewhere() {
    let server = Server::start();
    for path in ["/", "/assets/app.js", "/api/status", "/api/games/checkers/export/html", "/nowhere"] {
        let head = server.get(path).head.to_lowercase();
        for wanted in [
            "x-frame-options: deny",
            "x-content-type-options: nosniff",
            "content-security-policy: default-src 'none'",
            "frame-ancestors 'none'",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(wanted), "{path}: {wanted} in {head}");
        }
        assert!(!head.contains("access-control-allow"), "{path}");
    }
}

#[test]
fn no_path_of_the_machine_is_read_or_shown() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("secret-name.rules");
    std::fs::write(&rules, "game broken\n").unwrap();
    let server = Server::with(Some(folder.path()), vec![rules.to_str().unwrap().to_owned()]);
    let id = server.get("/api/files").json()["files"][0]["id"].as_str().unwrap().to_owned();
    let place = folder.path().to_str().unwrap();
    let paths = [
        "/../../etc/passwd",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e%2fsrc%2flib.rs",
        "/api/files/..%2f..%2fetc%2fpasswd",
        "/api/games/%2fetc%2fpasswd",
        "/api/games/games%2fcheckers.rules",
        "/api/tables/..%2f..%2fetc%2fpasswd",
        "/api/tables/table-x",
        "/api/games/x/export/rules",
    ];
    for path in paths {
        let response = server.get(path);
        assert!((400..500).contains(&response.status), "{path}: {response:?}");
        assert!(!response.body.contains("root:"), "{path}");
    }
    for path in [
        "/api/status".to_owned(),
        "/api/games".to_owned(),
        "/api/files".to_owned(),
        format!("/api/games/{id}"),
        format!("/api/files/{id}"),
    ] {
        assert!(!server.get(&path).body.contains(place), "{path}");
    }
    // Agents read only what is on the page.
    for player in [
        "heuristic:/etc/passwd",
        "alphabeta:2,eval=/etc/passwd",
        "opponent:../../etc/passwd",
        "mcts:10,policy=/etc/hostname",
    ] {
        let refused = server.post("/api/tables", &json!({ "game": "checkers", "players": ["person", player] }));
        assert_eq!(refused.status, 400, "{player}");
        assert!(refused.body.contains("there is no such file on the page"), "{player}: {}", refused.body);
    }
    let uploaded = server.upload("..%2F..%2Fevil.rules", b"game evil\n").json();
    assert_eq!(uploaded["name"], "evil.rules");
}

#[test]
fn what_is_too_large_is_refused_and_half_requests_are_let_go() {
    let server = Server::start();
    let big = "x".repeat(5 << 20);
    assert_eq!(server.post("/api/check", &json!({ "text": big })).status, 413);
    let head = format!(
        "POST /api/files?name=a HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Length: 99999999999\r\n\r\n",
        server.port
    );
    assert_eq!(server.raw(head.as_bytes()).status, 413);
    let many = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n", server.port, "X-A: b\r\n".repeat(20_000));
    assert!((400..500).contains(&server.raw(many.as_bytes()).status));
    assert_eq!(server.raw(b"hello\r\n\r\n").status, 400);
    // Half a head: the server hangs up by itself.
    let mut stream = server.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
    let begun = Instant::now();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(begun.elapsed() < Duration::from_secs(20), "half a request is not waited for");
    // Half a body: nothing is kept of it.
    let before = server.get("/api/files").json();
    let mut stream = server.connect();
    write!(
        stream,
        "POST /api/files?name=half.rules HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 1000\r\n\r\ngame half\n",
        server.port
    )
    .unwrap();
    drop(stream);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(server.get("/api/files").json(), before);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_hundred_clients_come_and_leave_and_jobs_are_few() {
    let server = Server::start();
    let job =
        |delay: u64| server.post("/api/jobs/learn", &json!({ "source": "checkers", "games": 1000, "delay": delay }));
    let first = job(5_000).json()["id"].as_str().unwrap().to_owned();
    let clients: Vec<_> = (0..100)
        .map(|number: usize| {
            let mut stream = server.connect();
            let path =
                if number.is_multiple_of(2) { format!("/api/jobs/{first}/events") } else { "/api/games".to_owned() };
            write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port).unwrap();
            stream
        })
        .collect();
    let begun = Instant::now();
    assert_eq!(server.get("/api/status").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(5), "others are answered meanwhile");
    drop(clients);
    // No more than the stated number of jobs.
    let most = server.get("/api/status").json()["limits"]["jobs"].as_u64().unwrap();
    let more: Vec<u16> = (0..most + 2).map(|_| job(5_000).status).collect();
    assert_eq!(more.iter().filter(|status| **status == 200).count() as u64, most - 1, "{more:?}");
    assert_eq!(more.last(), Some(&429));
    // One is stopped, and there is room again.
    assert_eq!(server.post(&format!("/api/jobs/{first}/control"), &json!({ "what": "stop" })).status, 200);
    let begun = Instant::now();
    while job(5_000).status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(10), "a job that is stopped ends");
        std::thread::sleep(Duration::from_millis(50));
    }
    // Tables are bounded too, and the oldest are found again.
    let table =
        || server.post("/api/tables", &json!({ "game": "tic-tac-toe" })).json()["id"].as_str().unwrap().to_owned();
    let oldest = table();
    let limits = server.get("/api/status").json();
    for _ in 0..limits["limits"]["tables"].as_u64().unwrap() + 20 {
        table();
    }
    let status = server.get("/api/status").json();
    assert!(status["tables"].as_u64() <= status["limits"]["tables"].as_u64());
    assert_eq!(server.get(&format!("/api/tables/{oldest}")).status, 200);
}

#[test]
fn huge_rules_and_evil_sheets_do_no_harm() {
    let server = Server::start();
    let line = "  P  forward(empty{1,31} enemy{0,31}) (on:far | off:far){1,31}";
    let wide = format!(
        "game wide\nplayers a b\nboard\n{}\nmoves\n{line}\nending\n  win when the next player cannot move\n",
        "  P...\n".repeat(30)
    );
    let deep = format!(
        "game deep\nplayers a b\nboard\n  P.\n  ..\nmoves\n  P  {}forward(empty){}\nending\n  win when the next player cannot move\n",
        "(".repeat(5000),
        ")".repeat(5000)
    );
    let wander = "game wander\nplayers a b\nboard\n  ........\n  ........\n  ........\n  ........\n  ........\n  ........\n  ........\n  P.......\nmoves\n  P  any(empty)+\nending\n  win when the next player cannot move\n";
    for text in [wide.as_str(), deep.as_str(), wander] {
        let checked = server.post("/api/check", &json!({ "text": text, "cursor": 120 }));
        assert_eq!(checked.status, 200, "{}", checked.body);
        let kept = server.post("/api/texts", &json!({ "name": "evil", "text": text }));
        if kept.status == 200 {
            let view =
                server.post("/api/tables", &json!({ "game": kept.json()["id"], "players": ["person", "random"] }));
            assert!(view.status == 200 || view.status == 400, "{}", view.body.get(..300).unwrap_or(&view.body));
        }
    }
    let growing = "(role x)\n(init (n z))\n(<= (next (n (s ?a))) (true (n ?a)))\n(legal x go)\n(<= terminal (true (n stop)))\n(goal x 100)\n";
    let product = format!(
        "(role x)\n{}(<= (legal x (go ?a ?b ?c ?d ?e ?f ?g)) (num ?a) (num ?b) (num ?c) (num ?d) (num ?e) (num ?f) (num ?g))\n(<= terminal (true over))\n(<= (next over) (does x (go ?a ?b ?c ?d ?e ?f ?g)))\n(goal x 100)\n",
        (0..60).map(|n| format!("(num {n})\n")).collect::<String>()
    );
    let open = "(".repeat(100_000);
    for sheet in [growing, product.as_str(), open.as_str()] {
        let begun = Instant::now();
        let kept = server.post("/api/texts", &json!({ "name": "evil", "text": sheet, "sheet": true }));
        if kept.status == 200 {
            server.post("/api/tables", &json!({ "game": kept.json()["id"], "players": ["random"] }));
        }
        assert!(begun.elapsed() < Duration::from_secs(60));
        assert_eq!(server.get("/api/status").status, 200);
    }
    for (name, text) in [
        ("a.log", "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n1\n"),
        ("b.session", "{\"format\":\"onlooker-session\",\"version\":9}"),
        ("c.plans", "(a b\n"),
    ] {
        let answer = server.upload(name, text.as_bytes());
        assert!(answer.status == 200 || answer.status == 400, "{answer:?}");
    }
    let requests: [(&str, Value); 5] = [
        ("/api/tables", json!({ "game": "checkers", "players": ["person"] })),
        ("/api/tables", json!({ "game": "checkers", "players": ["alphabeta:99999999999", "person"] })),
        ("/api/tables", json!({ "game": "checkers", "cells": ["x"] })),
        ("/api/games/checkers/reach", json!({ "cells": [], "square": 70 })),
        ("/api/jobs/learn", json!({ "source": "mummy-maze" })),
    ];
    for (path, body) in requests {
        let answer = server.post(path, &body);
        assert!(answer.status == 400 || path.contains("jobs") && answer.status == 200, "{path} {body}: {answer:?}");
    }
}

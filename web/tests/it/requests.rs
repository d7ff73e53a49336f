//! What the server answers, without a browser.

use crate::harness::Server;
use serde_json::json;
use std::time::{Duration, Instant};

fn job_of(response: &crate::harness::Response) -> String {
    response.json()["id"].as_str().unwrap_or_else(|| panic!("{response:?}")).to_owned()
}

#[test]
fn every_game_of_the_catalogue_can_be_played_and_its_rules_taken_away() {
    let server = Server::start();
    let games = server.get("/api/games").json();
    let games = games["games"].as_array().unwrap();
    assert!(games.len() >= 11);
    for game in games {
        let id = game["id"].as_str().unwrap();
        let view = server.post("/api/tables", &json!({ "game": id, "players": [] })).json();
        assert!(view["legal_count"].as_u64().unwrap() > 0, "{id}");
        let table = view["id"].as_str().unwrap();
        let name = view["legal"][0]["name"].as_str().unwrap();
        let after = server.post(&format!("/api/tables/{table}/move"), &json!({ "name": name })).json();
        assert_eq!(after["plies"], 1, "{id}: {after}");
        if game["kind"] == "rules" {
            for (to, sign) in [("rules", "game "), ("dot", "digraph"), ("svg", "<svg"), ("html", "<!DOCTYPE html>")] {
                let text = server.get(&format!("/api/games/{id}/export/{to}")).body;
                assert!(text.contains(sign), "{id} {to}");
            }
            assert!(server.get(&format!("/api/tables/{table}/board.svg?ply=1")).body.starts_with("<svg"), "{id}");
            // What was played is a log that can be learnt from.
            let log = server.get(&format!("/api/tables/{table}/log")).body;
            let games: Vec<_> = onlooker::observe::GameReader::new(log.as_bytes()).collect::<Result<_, _>>().unwrap();
            assert_eq!((games.len(), games[0].len()), (1, 2), "{id}");
        }
    }
    assert!(server.get("/api/games/breakthrough/export/kif").body.contains("(role "));
    assert!(server.get("/api/games/breakthrough/export/pddl").body.contains("(define (domain"));
}

#[test]
fn restarting_loses_nothing_that_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (table, rules) = {
        let server = Server::with(Some(folder.path()), Vec::new());
        let text = server.get("/api/games/breakthrough").json()["text"]
            .as_str()
            .unwrap()
            .replace("game breakthrough", "game mine");
        let rules = job_of(&server.post("/api/texts", &json!({ "name": "mine", "text": text })));
        let view =
            server.post("/api/tables", &json!({ "game": rules, "players": ["person", "random"], "seed": 7 })).json();
        let table = view["id"].as_str().unwrap().to_owned();
        server.post(&format!("/api/tables/{table}/move"), &json!({ "name": "a2-a3" }));
        server.post(&format!("/api/tables/{table}/advance"), &json!({}));
        (server.get(&format!("/api/tables/{table}")).json(), rules)
    };
    let server = Server::with(Some(folder.path()), Vec::new());
    let again = server.get(&format!("/api/tables/{}", table["id"].as_str().unwrap())).json();
    assert_eq!(again["moves"], table["moves"]);
    assert_eq!(again["board"], table["board"]);
    assert_eq!(again["plies"], 2);
    assert_eq!(server.get(&format!("/api/games/{rules}")).json()["name"], "mine");
    assert_eq!(server.get("/api/status").json()["lasting"], true);
}

#[test]
fn learning_says_what_changed_and_which_position_changed_it() {
    let server = Server::start();
    let job = job_of(&server.post("/api/jobs/learn", &json!({ "source": "checkers", "games": 25, "some": true })));
    let events = server.events(&job);
    let rules: Vec<_> = events.iter().filter(|event| event["type"] == "rules").collect();
    assert!(rules.len() > 5, "{}", events.len());
    assert!(
        rules.iter().any(|event| event["changed"] == true && !event["surprise"].is_null()),
        "a position changed the rules"
    );
    assert!(rules.iter().all(|event| event["exact"]["positions"].as_u64() > Some(0)));
    let levels: Vec<&str> =
        rules[0]["lines"].as_array().unwrap().iter().filter_map(|line| line["level"].as_str()).collect();
    assert!(!levels.is_empty());
    let done = events.iter().find(|event| event["type"] == "done").unwrap();
    assert!(done["check"]["positions"].as_u64() > Some(500));
    let text = server.get(&format!("/api/files/{}", done["rules"].as_str().unwrap())).body;
    assert!(text.contains("learnt\n  from 25 games"), "{text}");
    // The same evidence gives the same rules.
    let again = job_of(&server.post("/api/jobs/learn", &json!({ "source": done["evidence"] })));
    let again = server.events(&again);
    let again = again.iter().find(|event| event["type"] == "done").unwrap();
    let other = server.get(&format!("/api/files/{}", again["rules"].as_str().unwrap())).body;
    assert_eq!(other, text);
}

#[test]
fn a_click_is_answered_while_learners_run() {
    let server = Server::start();
    for _ in 0..2 {
        server.post("/api/jobs/learn", &json!({ "source": "chess-breakthrough", "games": 400 }));
    }
    let view = server.post("/api/tables", &json!({ "game": "breakthrough", "players": ["person", "person"] })).json();
    let path = format!("/api/tables/{}/move", view["id"].as_str().unwrap());
    std::thread::sleep(Duration::from_millis(300));
    let mut times = Vec::new();
    let mut view = view;
    for _ in 0..30 {
        let name = view["legal"][0]["name"].as_str().unwrap().to_owned();
        let begun = Instant::now();
        view = server.post(&path, &json!({ "name": name })).json();
        times.push(begun.elapsed());
        std::thread::sleep(Duration::from_millis(20));
    }
    times.sort();
    // Measured in record/ on a quiet machine: here others may be running, so only what is far off is an error.
    assert!(times[times.len() / 2] < Duration::from_millis(250), "{times:?}");
}

#[test]
fn an_agent_that_thinks_can_be_told_to_move_now() {
    let server = Server::start();
    let view =
        server.post("/api/tables", &json!({ "game": "amazons", "players": ["mcts:100000000", "person"] })).json();
    let table = view["id"].as_str().unwrap().to_owned();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let thinking = scope.spawn(|| server.post(&format!("/api/tables/{table}/advance"), &json!({})).json());
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(
            server.get(&format!("/api/tables/{table}")).json()["plies"],
            0,
            "the table can be looked at meanwhile"
        );
        server.post(&format!("/api/tables/{table}/stop"), &json!({}));
        assert_eq!(thinking.join().unwrap()["plies"], 1);
    });
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_saved_game_goes_on_by_the_rules_it_was_played_by() {
    let server = Server::start();
    let text = server.get("/api/games/breakthrough").json()["text"].as_str().unwrap().to_owned();
    let changed = text.replace("forward(empty)", "forward(empty{1,2})");
    assert_ne!(changed, text);
    let own = job_of(&server.post("/api/texts", &json!({ "name": "breakthrough", "text": changed })));
    let saved = |game: &str, name: &str| {
        let view = server.post("/api/tables", &json!({ "game": game, "players": ["person", "person"] })).json();
        let table = view["id"].as_str().unwrap().to_owned();
        server.post(&format!("/api/tables/{table}/move"), &json!({ "name": name }));
        server.get(&format!("/api/tables/{table}/session")).body
    };
    let game_of = |server: &Server, session: &str| {
        let file = job_of(&server.upload("game.json", session.as_bytes()));
        server.get(&format!("/api/files/{file}/game"))
    };
    let (by_own, usual) = (saved(&own, "a2-a3"), saved("breakthrough", "a2-a3"));
    assert_eq!(game_of(&server, &by_own).json()["game"], own.as_str());
    assert_eq!(game_of(&server, &usual).json()["game"], "breakthrough");
    let refused = server.post("/api/tables", &json!({ "game": "breakthrough", "session": by_own }));
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.body.contains("played by other rules"), "{refused:?}");
    // Files that do not say what they were played by go where all of their moves are legal.
    let old = |session: &str| {
        let mut session: serde_json::Value = serde_json::from_str(session).unwrap();
        assert!(session.as_object_mut().unwrap().remove("rules").is_some());
        session.to_string()
    };
    assert_eq!(game_of(&server, &old(&usual)).json()["game"], "breakthrough");
    let far = saved(&own, "a2-a4");
    assert_eq!(game_of(&server, &old(&far)).json()["game"], own.as_str());
    // Where its rules are not, nothing else is taken for them.
    let elsewhere = Server::start();
    for (session, says) in [(&by_own, "other rules than those"), (&old(&far), "does not fit the rules")] {
        let refused = game_of(&elsewhere, session);
        assert!(refused.status >= 400 && refused.body.contains(says), "{refused:?}");
    }
    let unknown = by_own.replace("\"breakthrough\"", "\"nowhere\"");
    assert!(game_of(&elsewhere, &unknown).body.contains("not here"));
}

#[test]
fn other_lines_and_resigning_outlast_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = {
        let server = Server::with(Some(folder.path()), Vec::new());
        let setup = json!({ "game": "breakthrough", "players": ["person", "person"] });
        let path = format!("/api/tables/{}", job_of(&server.post("/api/tables", &setup)));
        let act = |what: &str, body: serde_json::Value| server.post(&format!("{path}/{what}"), &body);
        for name in ["a2-a3", "a7-a6", "b2-b3"] {
            assert_eq!(act("move", json!({ "name": name })).status, 200);
        }
        assert!(act("swap", json!({})).body.contains("no other line"));
        assert_eq!(act("rewind", json!({ "ply": 4 })).status, 400);
        let view = act("rewind", json!({ "ply": 1 })).json();
        assert_eq!((&view["plies"], &view["other"], &view["waiting"]), (&json!(1), &json!(3), &json!(1)));
        assert_eq!(act("resign", json!({})).json()["over"]["text"], "black has resigned: white has won.");
        for (what, body) in [("move", json!({ "name": "a7-a6" })), ("resign", json!({}))] {
            let refused = act(what, body);
            assert!(refused.status == 400 && refused.body.contains("the game is over"), "{refused:?}");
        }
        assert_eq!(act("advance", json!({})).json()["plies"], 1);
        path
    };
    let server = Server::with(Some(folder.path()), Vec::new());
    let again = server.get(&path).json();
    assert_eq!(again["over"]["text"], "black has resigned: white has won.");
    let swapped = server.post(&format!("{path}/swap"), &json!({})).json();
    assert_eq!((&swapped["plies"], &swapped["other"], &swapped["over"]), (&json!(3), &json!(1), &json!(null)));
    assert_eq!(swapped["moves"][2][0]["name"], "b2-b3");
    assert!(server.post(&format!("{path}/swap"), &json!({})).json()["over"]["text"].is_string());
}

#[test]
fn every_refusal_is_json_with_a_sentence() {
    let server = Server::start();
    let table = job_of(&server.post("/api/tables", &json!({ "game": "breakthrough" })));
    let json_type = "Content-Type: application/json\r\n";
    for (method, path, headers, body, status) in [
        ("POST", "/api/tables", json_type, "{\"game\":", 400),
        ("POST", "/api/tables", json_type, "{\"game\": 7}", 422),
        ("POST", "/api/tables", "Content-Type: text/plain\r\n", "{}", 415),
        ("POST", "/api/tables", json_type, "{\"game\": \"nothing\"}", 404),
        ("GET", &format!("/api/tables/{table}?ply=x"), "", "", 400),
        ("DELETE", "/api/status", "", "", 405),
        ("GET", "/api/nothing", "", "", 404),
    ] {
        let refused = server.ask(method, path, headers, body.as_bytes());
        assert_eq!(refused.status, status, "{method} {path} {body}: {refused:?}");
        assert!(refused.json()["error"].as_str().unwrap().len() > 5, "{refused:?}");
    }
    assert_eq!(server.get("/api/status").status, 200);
}

#[test]
fn a_damaged_sheet_is_refused_as_a_sheet_with_its_place() {
    let server = Server::start();
    let sheet = "(role white)\n(init (cell 1 b))\n(legal white (mark 1)\n";
    for name in ["ttt.kif", "ttt.gdl"] {
        let told = server.upload(name, format!("{sheet}; {name}").as_bytes()).json();
        assert_eq!(told["kind"], "kif", "{told}");
        let problem = told["problem"].as_str().unwrap();
        assert!(problem.starts_with(&format!("{name}:3:")), "{problem}");
        let games = server.get("/api/games").json();
        let listed = games["games"].as_array().unwrap().iter().find(|game| game["id"] == told["id"]);
        assert!(listed.unwrap()["error"].as_str().unwrap().len() > 5, "{listed:?}");
    }
}

#[test]
fn files_are_offered_where_they_fit_and_refused_by_name() {
    let server = Server::start();
    let learnt = |what: &str, body: serde_json::Value| {
        let events = server.events(&job_of(&server.post(&format!("/api/jobs/{what}"), &body)));
        let done = events.iter().find(|event| event["type"] == "done").unwrap_or_else(|| panic!("{events:?}"));
        done["document"].as_str().unwrap().to_owned()
    };
    let concepts = learnt("concepts", json!({ "game": "tic-tac-toe", "playouts": 300 }));
    let model = learnt("opponent", json!({ "game": "tic-tac-toe", "player": "greedy", "games": 20 }));
    let tactics = learnt("tactics", json!({ "game": "tic-tac-toe", "player": "alphabeta:9", "games": 20 }));
    let offered = |game: &str| -> Vec<String> {
        let files = server.get(&format!("/api/games/{game}/knowledge")).json();
        files["files"].as_array().unwrap().iter().map(|file| file["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut expected = vec![concepts.clone(), model.clone(), tactics.clone()];
    let mut found = offered("tic-tac-toe");
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(offered("breakthrough"), Vec::<String>::new());
    let seated =
        |game: &str, player: &str| server.post("/api/tables", &json!({ "game": game, "players": ["person", player] }));
    for (id, name) in [(&concepts, "tic-tac-toe.concepts"), (&model, "tic-tac-toe-o.opponent")] {
        let player = if *id == concepts { format!("heuristic:{id}") } else { format!("opponent:{id}") };
        assert_eq!(seated("tic-tac-toe", &player).status, 200);
        let refused = seated("breakthrough", &player);
        assert_eq!(refused.status, 400);
        let why = refused.json()["error"].as_str().unwrap().to_owned();
        assert!(why.contains(name) && !why.contains(id.as_str()), "{why}");
    }
    let why = seated("tic-tac-toe", &format!("heuristic:{model}")).json()["error"].as_str().unwrap().to_owned();
    assert!(why.contains("tic-tac-toe-o.opponent: it is no file for this player"), "{why}");
}

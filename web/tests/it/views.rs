//! What people do on the page, done by a browser: whole games by clicking, learning while watching, changing rules.

use crate::browser::Browser;
use crate::harness::Server;
use serde_json::{Value, json};

fn open(server: &Server, hash: &str) -> Option<Browser> {
    Browser::open(&format!("{}{hash}", server.url()), 1280, 900, false)
}

/// The address of a new table.
fn table(server: &Server, setup: &Value) -> String {
    let view = server.post("/api/tables", setup).json();
    format!("#/table/{}", view["id"].as_str().unwrap_or_else(|| panic!("{view}")))
}

/// What the server says about the table that the page shows.
fn view(browser: &mut Browser) -> Value {
    browser.eval("fetch(`/api/tables/${location.hash.split('/')[2].split('?')[0]}`).then((answer) => answer.json())")
}

fn square_name(square: u64, width: u64) -> String {
    format!("{}{}", char::from(b'a' + (square % width) as u8), square / width + 1)
}

/// Plays a whole game by clicking, both sides, choosing among the legal moves by a fixed rule.
fn play_through(browser: &mut Browser, most: usize) -> Value {
    let mut number = 0_usize;
    loop {
        let now = view(browser);
        if !now["over"].is_null() {
            return now;
        }
        assert!(number < most, "the game comes to an end");
        let legal = now["legal"].as_array().unwrap();
        let width = now["board"]["width"].as_u64().unwrap();
        // Captures first, so that the game ends soon; otherwise something else each time.
        let captures = legal.iter().position(|choice| choice.get("taken").is_some());
        let choice = &legal[captures.unwrap_or(number * 7919 % legal.len())];
        let clicks: Vec<u64> =
            choice["clicks"].as_array().unwrap().iter().map(|click| click.as_u64().unwrap()).collect();
        let plies = now["plies"].as_u64().unwrap();
        for (at, &click) in clicks.iter().enumerate() {
            browser.square(&square_name(click, width));
            if at + 1 < clicks.len() {
                browser.wait("document.querySelectorAll('.square.selected').length === 1 || document.querySelectorAll('.moves button').length > 0");
            }
            if view(browser)["plies"].as_u64() != Some(plies) {
                break;
            }
        }
        // A turn that could go on is ended.
        if view(browser)["plies"].as_u64() == Some(plies) {
            browser.click(".choices .primary");
        }
        browser.wait(&format!("document.querySelectorAll('.moves button').length === {}", plies + 1));
        number += 1;
    }
}

#[test]
fn whole_games_are_played_by_clicking() {
    let server = Server::start();
    let Some(mut browser) = open(&server, "#/") else { return };
    for (game, most) in [("tic-tac-toe", 9), ("amazons", 100), ("checkers", 200)] {
        let address = table(&server, &json!({ "game": game, "players": ["person", "person"] }));
        browser.go(&format!("{}{address}", server.url()));
        browser.wait("document.querySelectorAll('[role=gridcell]').length > 0");
        let end = play_through(&mut browser, most);
        assert!(end["over"]["text"].as_str().unwrap().len() > 3, "{game}");
        assert_eq!(browser.text("#say"), end["over"]["text"].as_str().unwrap(), "{game}");
    }
    browser.assert_quiet();
}

#[test]
fn a_person_plays_an_agent_with_keyboard_and_mouse_takes_back_and_steps_through() {
    let server = Server::start();
    let Some(mut browser) = open(&server, "#/play/tic-tac-toe?players=person;mcts:50&seed=1") else { return };
    // With the keyboard: from a1 to b2, and Enter.
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 9");
    browser.eval("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()");
    browser.key("ArrowRight");
    browser.key("ArrowUp");
    browser.key("Enter");
    browser.wait("document.querySelectorAll('.moves button').length === 2");
    assert!(browser.text("#live").contains("plays"), "moves are said: {}", browser.text("#live"));
    browser.click_text("Undo");
    browser.wait("document.querySelectorAll('.moves button').length === 0");
    browser.click_text("Hint");
    browser.wait("document.querySelector('#say').textContent.includes('would play')");
    browser.square("a1");
    browser.wait("document.querySelectorAll('.moves button').length === 2");
    browser.click("[aria-label='First position']");
    browser.wait("document.querySelector('#say').textContent.startsWith('After 0')");
    assert!(browser.eval("location.hash").as_str().unwrap().ends_with("/0"), "a position has an address");
    browser.click("[aria-label='Last position']");
    browser.click("#assess");
    browser.wait("document.querySelector('.assessment').textContent.includes('Best line')");
    // Any agent can be named.
    browser.eval("(() => { const s = document.querySelectorAll('.seats select')[1]; s.value = ''; s.dispatchEvent(new Event('change')); document.querySelectorAll('.other input')[1].value = 'alphabeta:3'; document.querySelectorAll('.other')[1].requestSubmit(); })()");
    browser.wait("document.querySelectorAll('.seats select')[1].value === 'alphabeta:3'");
    // The same address shows the same game.
    let address = browser.eval("location.href").as_str().unwrap().to_owned();
    browser.go(&address);
    browser.wait("document.querySelectorAll('.moves button').length === 2");
    browser.assert_quiet();
}

#[test]
fn arrow_keys_step_through_a_game_and_it_is_played_on_from_an_earlier_position() {
    let server = Server::start();
    let address = table(&server, &json!({ "game": "breakthrough", "players": ["person", "person"] }));
    let Some(mut browser) = open(&server, &address) else { return };
    let said = |browser: &mut Browser, text: &str| {
        browser.wait(&format!("document.querySelector('#say').textContent.startsWith({})", json!(text)));
    };
    // Pieces that can move are marked, and only those.
    browser.wait("document.querySelectorAll('.square.movable').length === 8");
    let label = "document.querySelector('.square.movable').getAttribute('aria-label')";
    assert!(browser.eval(label).as_str().unwrap().ends_with("can move"));
    for (number, choice) in [("a2", "a3"), ("a7", "a6"), ("b2", "b3"), ("b7", "b6")].iter().enumerate() {
        browser.square(choice.0);
        assert_eq!(browser.eval("document.querySelectorAll('.square.movable').length"), json!(0));
        browser.square(choice.1);
        browser.wait(&format!("document.querySelectorAll('.moves button').length === {}", number + 1));
    }
    // On the board arrow keys go from square to square; elsewhere they step, however fast they come.
    browser.key("ArrowLeft");
    assert_eq!(view(&mut browser)["plies"], 4);
    said(&mut browser, "white to move");
    browser.eval("document.activeElement.blur()");
    // Answers come in any order: in the order of the steps, in the opposite one, and mixed.
    for delays in ["[]", "[600, 500, 400, 300, 200, 100, 0]", "[100, 500, 0, 300, 600, 200, 400]"] {
        browser.eval(&format!(
            "(() => {{ const [real, delays] = [window.real ??= fetch, {delays}]; window.answers = 0; window.fetch = async (...all) => {{ const answer = await real(...all); if (String(all[0]).includes('ply=')) await new Promise((done) => setTimeout(done, delays.shift() ?? 0)); answers += 1; return answer; }}; }})()"
        ));
        for key in ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight"] {
            browser.key(key);
        }
        browser.wait("answers >= 6");
        said(&mut browser, "After 2 of 4");
        browser.click("[aria-label='Last position']");
        said(&mut browser, "white to move");
        browser.eval("document.activeElement.blur()");
    }
    for _ in 0..2 {
        browser.key("ArrowLeft");
    }
    said(&mut browser, "After 2 of 4");
    assert_eq!(browser.eval("document.querySelectorAll('.square.movable').length"), json!(0));
    // In a text field they do what they do there.
    browser.eval("(() => { const i = document.querySelectorAll('.other input')[0]; i.closest('form').hidden = false; i.focus(); })()");
    browser.key("ArrowLeft");
    browser.eval("document.activeElement.blur()");
    said(&mut browser, "After 2 of 4");
    browser.click_text("Play on from here");
    said(&mut browser, "white to move");
    assert_eq!(view(&mut browser)["plies"], 2);
    browser.square("h2");
    browser.square("h3");
    browser.wait("document.querySelectorAll('.moves button').length === 3");
    // What was there before is not lost.
    browser.click_text("To the other line (4 moves)");
    browser.wait("document.querySelectorAll('.moves button').length === 4");
    let names: Vec<String> = view(&mut browser)["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|joint| joint[0]["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["a2-a3", "a7-a6", "b2-b3", "b7-b6"]);
    browser.click_text("To the other line (3 moves)");
    browser.wait("document.querySelectorAll('.moves button').length === 3");
    browser.assert_quiet();
}

#[test]
fn agents_are_held_up_and_persons_resign() {
    let server = Server::start();
    let address = table(&server, &json!({ "game": "breakthrough", "players": ["random", "random"] }));
    let Some(mut browser) = open(&server, &address) else { return };
    browser.wait("document.querySelectorAll('.moves button').length > 1");
    browser.click_text("Pause");
    browser.wait("document.querySelector('#say').textContent === 'Paused.'");
    // What was thought about when it was clicked may still come.
    std::thread::sleep(std::time::Duration::from_millis(700));
    let plies = view(&mut browser)["plies"].as_u64().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert_eq!(view(&mut browser)["plies"].as_u64(), Some(plies));
    assert_eq!(
        browser.eval("[...document.querySelectorAll('button')].find((e) => e.textContent === 'Resign').hidden"),
        json!(true)
    );
    browser.click_text("Go on");
    browser.wait(&format!("document.querySelectorAll('.moves button').length > {plies}"));
    let address = table(&server, &json!({ "game": "breakthrough", "players": ["person", "greedy"] }));
    browser.go(&format!("{}{address}", server.url()));
    browser.square("a2");
    browser.square("a3");
    browser.wait("document.querySelectorAll('.moves button').length === 2");
    browser.click_text("Resign");
    browser.wait("document.querySelector('#say').textContent === 'white has resigned: black has won.'");
    assert_eq!(browser.eval("document.querySelectorAll('.square.movable').length"), json!(0));
    browser.click_text("Undo");
    browser.wait("document.querySelectorAll('.square.movable').length > 0");
    assert_eq!(view(&mut browser)["plies"], 2, "only resigning was taken back");
    browser.assert_quiet();
}

#[test]
fn pieces_are_dragged_and_promoted() {
    let server = Server::start();
    let rules = "game race\nplayers white black\n\nboard\n  k...\n  ....\n  P...\n  ...K\n\nzones\n  far  rank 4\n\nmoves\n  P  forward(empty) (off:far | on:far (put:Q | put:R))\n  K  any(empty)\n  Q  any(empty+)\n  R  orthogonal(empty+)\n\nending\n  tie when 60 plies are played\n  tie when the next player cannot move\n";
    let kept = server.post("/api/texts", &json!({ "name": "race", "text": rules })).json();
    let id = kept["id"].as_str().unwrap_or_else(|| panic!("{kept}"));
    let cells = ". . . K . . . . P . . . . . . k".split(' ').collect::<Vec<_>>();
    let address = table(&server, &json!({ "game": id, "players": ["person", "person"], "cells": cells }));
    let Some(mut browser) = open(&server, &address) else { return };
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 16");
    browser.drag("a3", "a4");
    browser.wait("document.querySelectorAll('.choices .primary').length === 2");
    browser.click_text("Become R");
    browser.wait("document.querySelectorAll('.moves button').length === 1");
    assert_eq!(view(&mut browser)["board"]["cells"][12], "R");
    browser.assert_quiet();
}

#[test]
fn a_game_is_learnt_while_one_looks_on() {
    let server = Server::start();
    let Some(mut browser) = open(&server, "#/learn/breakthrough?games=12") else { return };
    browser.click(".toolbar .primary");
    browser.click_text("Faster");
    browser.wait("document.querySelectorAll('.rule-line').length > 5");
    browser.click_text("Pause");
    browser.click_text("One game");
    browser.click_text("Go on");
    for _ in 0..3 {
        browser.eval(
            "[...document.querySelectorAll('button')].find((e) => e.textContent === 'Faster' && !e.disabled)?.click()",
        );
    }
    browser.wait("document.querySelector('.result')?.innerText.includes('fresh games')");
    let result = browser.text(".result");
    assert!(result.contains("agree with the true rules") || result.contains("moves are exact in"), "{result}");
    assert!(browser.text(".rules-text").contains("forward"), "the rules are shown");
    assert!(browser.eval("!!document.querySelector('.plot svg')") == json!(true));
    browser.click_text("Play it");
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 64");
    browser.assert_quiet();
}

#[test]
fn a_damaged_log_is_dropped_on_the_page() {
    let server = Server::start();
    let log = server.get("/api/games/breakthrough/log?games=6").body;
    let damaged = log.replacen("(0 1 e)", "(0 9 e)", 1);
    let Some(mut browser) = open(&server, "#/") else { return };
    browser.drop_file("games.log", &damaged);
    browser.wait("document.querySelector('.problem')?.innerText.includes('damaged game was skipped')");
    assert!(browser.text(".problem").contains("line "), "{}", browser.text(".problem"));
    browser.wait("document.querySelector('.result')?.innerText.includes('From 5 games')");
    browser.drop_file("nothing.txt", "this is no file that anybody knows");
    browser.wait("document.querySelector('#toasts').innerText.includes('does not begin as any file')");
    // The browser itself notes that the request was refused.
    browser.errors.retain(|error| !error.contains("/api/files"));
    browser.assert_quiet();
}

#[test]
fn rules_are_changed_an_error_is_shown_and_mended() {
    let server = Server::start();
    let Some(mut browser) = open(&server, "#/edit/breakthrough") else { return };
    browser.wait("document.querySelector('#editor-status').textContent.includes('can be played')");
    let change = |from: &str, to: &str| {
        format!(
            "(() => {{ const a = document.querySelector('textarea'); a.value = a.value.replace({}, {}); a.selectionStart = a.selectionEnd = a.value.indexOf('  P  ') + 5; a.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
            json!(from),
            json!(to)
        )
    };
    browser.eval(&change("forward(empty)", "forwrd(empty)"));
    browser.wait("document.querySelectorAll('.underlay mark').length === 1");
    let told = browser.text(".problem-list");
    assert!(told.contains("found \"forwrd\", expected a step"), "{told}");
    assert_eq!(browser.text(".underlay mark"), "forwrd");
    assert_eq!(
        browser.eval("[...document.querySelectorAll('button')].find((e) => e.textContent === 'Play this').disabled"),
        json!(true)
    );
    browser.eval(&change("forwrd(empty)", "forward(empty{1,2})"));
    browser.wait("document.querySelectorAll('.underlay mark').length === 0 && document.querySelectorAll('.piece-diagram img').length > 0");
    assert!(browser.text(".piece-diagram").contains('P'));
    browser.click_text("Play this");
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 64");
    browser.square("a2");
    browser.square("a4");
    browser.wait("document.querySelectorAll('.moves button').length >= 1");
    browser.assert_quiet();
}

#[test]
fn rules_are_read_and_the_diagram_answers() {
    let server = Server::start();
    let Some(mut browser) = open(&server, "#/read/chess-breakthrough") else { return };
    browser.wait("!!document.querySelector('.explanation')?.shadowRoot?.querySelector('svg.graph')");
    browser.click_text("Empty board");
    browser.click("[aria-label='Put R']");
    browser.square("d4");
    browser.click("[aria-label='Look at moves']");
    browser.square("d4");
    browser.wait("document.querySelector('.diagram .say').textContent.includes('14 moves')");
    assert_eq!(browser.eval("document.querySelectorAll('.diagram .target').length"), json!(14));
    browser.assert_quiet();
}

#[test]
fn plans_become_machines_and_concepts_are_shown_on_the_board() {
    let server = Server::start();
    let Some(mut browser) = open(&server, "#/plans") else { return };
    browser.click_text("An example");
    browser
        .wait("!!document.querySelector('.view img.drawing') && document.body.innerText.includes('(define (domain')");
    browser.go(&format!("{}#/know/tic-tac-toe", server.url()));
    browser.click_text("Find concepts");
    browser.click_text("Play with it");
    browser.square("b2");
    // After the agent's answer, too.
    browser.wait("document.querySelectorAll('.knowing[data-ply=\"2\"] .concepts button').length > 0");
    browser.click(".knowing .concepts button");
    browser.wait("document.querySelectorAll('.square.concept').length > 0");
    browser.go(&format!("{}#/know/tic-tac-toe", server.url()));
    browser.click_text("Watch that player");
    browser.click_text("Play with it");
    browser.wait("document.querySelector('.knowing')?.innerText.length > 5");
    // A combination: white has two in a row, and its turn.
    let lesson =
        server.post("/api/jobs/tactics", &json!({ "game": "tic-tac-toe", "player": "alphabeta:9", "games": 20 }));
    let events = server.events(lesson.json()["id"].as_str().unwrap());
    let done = events.iter().find(|event| event["type"] == "done").unwrap_or_else(|| panic!("{events:?}"));
    let cells: Vec<&str> = "X X . o o . . . .".split(' ').collect();
    let address = table(&server, &json!({ "game": "tic-tac-toe", "players": ["person", "person"], "cells": cells }));
    browser.go(&format!("{}{address}?know={}", server.url(), done["document"].as_str().unwrap()));
    browser.wait("document.querySelector('.knowing')?.innerText.includes('wins by force') && document.querySelectorAll('.square.concept').length === 1");
    browser.assert_quiet();
}

#[test]
fn games_of_sheets_are_played_from_a_list_and_on_a_board_of_facts() {
    let server = Server::start();
    let Some(mut browser) = open(&server, "#/play/mummy-maze?players=person;random&seed=3") else { return };
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 64");
    browser.click_text("(move south)");
    browser.wait("document.querySelectorAll('.moves button').length >= 2");
    let sheet = include_str!("../../../games/tic-tac-toe.kif");
    let kept = server.post("/api/texts", &json!({ "name": "ttt", "text": sheet, "sheet": true })).json();
    let address = table(&server, &json!({ "game": kept["id"], "players": ["person", "person"] }));
    browser.go(&format!("{}{address}", server.url()));
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 9");
    browser.square("b2");
    browser.wait("document.querySelectorAll('.moves button').length === 1");
    browser.assert_quiet();
}

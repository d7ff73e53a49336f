//! Every view, looked at by axe-core, light and dark, wide and narrow; and pictures of them for people, if a folder is named.

use crate::browser::Browser;
use crate::harness::Server;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The checker as npm unpacks it, where the script that runs all checks puts it.
fn axe() -> Option<String> {
    let place = std::env::var_os("AXE_CORE").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/axe-core/package/axe.min.js"),
        PathBuf::from,
    );
    let text = std::fs::read_to_string(place).ok();
    if text.is_none() {
        eprintln!("skipped: axe-core is not in target/axe-core (npm pack axe-core)");
    }
    text
}

const WIDTHS: [(u32, u32); 2] = [(1280, 900), (390, 844)];

fn violations(browser: &mut Browser) -> Vec<String> {
    let found = browser.eval("axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + ' :: ' + n.failureSummary.slice(0, 200)).join(' | ')}`))");
    found.as_array().into_iter().flatten().map(|one: &Value| one.as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn every_view_is_accessible_and_fits() {
    let server = Server::start();
    let axe = axe();
    let pictures = std::env::var_os("ONLOOKER_PICTURES").map(PathBuf::from);
    let Some(mut browser) = Browser::open(&server.url(), 1280, 900, false) else { return };
    let table = server.post("/api/tables", &json!({ "game": "amazons", "players": ["person", "random"] })).json();
    let table = format!("#/table/{}", table["id"].as_str().unwrap());
    let lines = server.post("/api/tables", &json!({ "game": "breakthrough", "players": ["person", "person"] })).json();
    let lines = lines["id"].as_str().unwrap();
    for (what, body) in [
        ("move", json!({ "name": "a2-a3" })),
        ("move", json!({ "name": "a7-a6" })),
        ("move", json!({ "name": "b2-b3" })),
        ("rewind", json!({ "ply": 2 })),
    ] {
        assert_eq!(server.post(&format!("/api/tables/{lines}/{what}"), &body).status, 200);
    }
    let (line, earlier) = (format!("#/table/{lines}"), format!("#/table/{lines}/1"));
    let plans = server
        .upload("ferry.plans", b"(board car1 port ferry)\n(sail ferry port island)\n(debark car1 island ferry)\n")
        .json();
    let plans = format!("#/plans/{}", plans["id"].as_str().unwrap());
    let learning = "document.querySelector('.result')?.innerText.includes('fresh games')";
    let views: [(&str, &str, &str, &str); 11] = [
        ("games", "#/", "", "document.querySelectorAll('.game').length > 10"),
        (
            "play",
            table.as_str(),
            "document.querySelector('#assess').click(); document.querySelector('[aria-label^=\"d1,\"]').click()",
            "document.querySelectorAll('.square.target').length > 5 && document.querySelector('.assessment').textContent.length > 9",
        ),
        ("play-line", line.as_str(), "", "document.querySelectorAll('.square.movable').length > 7"),
        (
            "play-earlier",
            earlier.as_str(),
            "",
            "[...document.querySelectorAll('button')].some((e) => e.textContent === 'Play on from here' && !e.hidden)",
        ),
        ("play-sheet", "#/play/mummy-maze", "", "document.querySelectorAll('.legal button').length > 1"),
        (
            "learn",
            "#/learn/checkers?games=8",
            "[...document.querySelectorAll('button')].find((e) => e.textContent === 'Watch and learn').click(); setTimeout(() => { for (let i = 0; i < 4; i++) [...document.querySelectorAll('button')].find((e) => e.textContent === 'Faster').click(); }, 300)",
            learning,
        ),
        (
            "read",
            "#/read/checkers",
            "document.querySelector('[aria-label^=\"c3,\"]').click()",
            "!!document.querySelector('.explanation')?.shadowRoot?.querySelector('svg') && document.querySelectorAll('.square.target').length > 0",
        ),
        (
            "edit",
            "#/edit/checkers",
            "(() => { const a = document.querySelector('textarea'); a.selectionStart = a.selectionEnd = a.value.indexOf('  C  ') + 6; a.dispatchEvent(new Event('input', { bubbles: true })); })()",
            "document.querySelectorAll('.piece-diagram img').length > 0",
        ),
        (
            "edit-error",
            "#/edit",
            "(() => { const a = document.querySelector('textarea'); a.value = a.value.replace('forward(', 'forwrd(').replace('win when P on far', 'win wen P on far'); a.dispatchEvent(new Event('input', { bubbles: true })); })()",
            "document.querySelectorAll('mark').length > 1",
        ),
        ("plans", plans.as_str(), "", "!!document.querySelector('img.drawing')"),
        (
            "know",
            "#/know/tic-tac-toe",
            "[...document.querySelectorAll('button')].find((e) => e.textContent === 'Find concepts').click()",
            "document.querySelectorAll('tbody tr').length > 2",
        ),
    ];
    let mut found = Vec::new();
    for (name, address, act, ready) in views {
        browser.size(1280, 900);
        browser.go(&format!("{}{address}", server.url()));
        if !act.is_empty() {
            browser.wait("!!document.querySelector('.view button')");
            browser.wait("document.querySelectorAll('.square').length > 0 || !location.hash.match(/table|read/)");
            browser.eval(act);
        }
        browser.wait(ready);
        if let Some(axe) = &axe {
            browser.eval(&format!("{axe}; true"));
        }
        for (width, height) in WIDTHS {
            browser.size(width, height);
            for dark in [false, true] {
                browser.dark(dark);
                let wide = browser
                    .eval("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    .as_i64()
                    .unwrap_or(0);
                assert!(wide <= 1, "{name} at {width} is {wide} pixels too wide");
                // Colours are the same at any width, and so is nearly all else.
                if axe.is_some() && (width > 600 || !dark) {
                    found.extend(
                        violations(&mut browser).into_iter().map(|one| format!("{name} {width} {dark}: {one}")),
                    );
                }
                if let Some(folder) = &pictures {
                    let theme = if dark { "dark" } else { "light" };
                    std::fs::write(folder.join(format!("{name}-{width}-{theme}.b64")), browser.screenshot()).unwrap();
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    browser.assert_quiet();
}

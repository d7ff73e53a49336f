//! An explanation as one page of HTML.

use super::english::evidence;
use super::piece_section::{PieceSection, idle};
use crate::board::{Cell, Player};
use crate::explain::english::ending::ending_sentence;
use crate::explain::english::wording::{capitalised, list};
use crate::explain::picture::automata_page::zones;
use crate::explain::picture::diagram::{Diagram, badge, legend_sign};
use crate::explain::picture::drawing::DRAWING_STYLE;
use crate::explain::picture::markup::escaped;
use crate::rules::{Condition, Ending, PieceRecord, Rules, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;

const PAGE_STYLE: &str = include_str!("page.css");

pub(super) fn html(rules: &Rules, sections: &[PieceSection]) -> String {
    let mut out = String::new();
    let name = escaped(&rules.name);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{name}: the rules</title>\n<style>\n{PAGE_STYLE}{DRAWING_STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    head(&mut out, rules);
    let _ = writeln!(out, "<h2>How pieces move</h2>");
    sections.iter().for_each(|section| article(&mut out, rules, section));
    if let Some(idle) = idle(rules) {
        let _ = writeln!(out, "<p>{}</p>", escaped(&idle));
    }
    endings(&mut out, rules);
    origin(&mut out, rules);
    let _ = write!(
        out,
        "<details>\n<summary>The rules in full, as a file</summary>\n<pre>{}</pre>\n</details>\n<footer>Explained by Onlooker from the rules alone.</footer>\n</main>\n</body>\n</html>\n",
        escaped(&rules.to_string())
    );
    out
}

fn head(out: &mut String, rules: &Rules) {
    let shape = rules.setup.shape();
    let _ = writeln!(out, "<h1>{}</h1>", escaped(&capitalised(&rules.name.replace(['-', '_'], " "))));
    if !rules.about.is_empty() {
        let _ = writeln!(out, "<p class=\"lead\">{}</p>", escaped(&rules.about));
    }
    let players = match &rules.players[..] {
        [] | [_] => "One player".to_owned(),
        [first, ..] => format!("Players {}; {first} moves first", list(&rules.players, "and")),
    };
    let board = format!("{} × {} squares", shape.width(), shape.height());
    let source = if rules.learnt.is_some() { "Learnt from play" } else { "Written by hand" };
    let facts = [players, board, source.to_owned()].map(|fact| format!("<li>{}</li>", escaped(&fact))).join("");
    let _ = writeln!(out, "<ul class=\"facts\">{facts}</ul>");
    let drawing = Diagram::new(&rules.setup).drawing();
    let title = format!("The board of {} at the start", rules.name);
    let _ = writeln!(out, "<h2>The start</h2>\n<div class=\"setup\">");
    let _ = writeln!(out, "<figure>\n{}</figure>\n<div>", drawing.element("board", &title));
    let wins = |ending: &&Ending| ending.verdict == Verdict::Win && ending.when != Condition::CannotMove;
    let mut aims: Vec<&Ending> = rules.endings.iter().filter(wins).collect();
    if aims.is_empty() {
        aims = rules.endings.iter().filter(|ending| ending.verdict == Verdict::Win).collect();
    }
    if !aims.is_empty() {
        let _ = writeln!(out, "<h3>The aim</h3>");
        aims.iter().for_each(|aim| {
            let _ = writeln!(out, "<p>{}</p>", escaped(&ending_sentence(rules, aim)));
        });
    }
    for player in rules.sides() {
        let army = army(rules, player);
        let name = escaped(&capitalised(&rules.players[player.index()]));
        if !army.is_empty() {
            let _ = writeln!(out, "<h3>{name}</h3>\n<ul class=\"army\">{army}</ul>");
        }
    }
    let _ = writeln!(out, "</div>\n</div>");
}

/// The pieces that a player has at the start, each kind once with its number.
fn army(rules: &Rules, player: Player) -> String {
    let mut counts: BTreeMap<Cell, usize> = BTreeMap::new();
    for &cell in rules.setup.cells().iter().filter(|cell| cell.owner() == Some(player)) {
        *counts.entry(cell).or_default() += 1;
    }
    let item = |(cell, count): (Cell, usize)| {
        let name = escaped(&cell.to_string());
        format!("<li title=\"{count} of {name}\">{}<span>× {count}</span></li>", badge(cell))
    };
    // In the order in which their movements are told.
    let told = |cell: &Cell| rules.moves.iter().position(|movement| movement.start_for(player) == *cell);
    let mut sorted: Vec<(Cell, usize)> = counts.into_iter().collect();
    sorted.sort_by_key(|(cell, _)| (told(cell).unwrap_or(usize::MAX), *cell));
    sorted.into_iter().map(item).collect()
}

fn article(out: &mut String, rules: &Rules, section: &PieceSection) {
    let _ = writeln!(out, "<article class=\"section\">\n<header>");
    if !section.named.cells.is_empty() {
        let badges: String = section.named.cells.iter().map(|&cell| badge(cell)).collect();
        let _ = writeln!(out, "<span class=\"badges\">{badges}</span>");
    }
    let _ = writeln!(out, "<h3>{}</h3>", escaped(&section.named.name));
    if !section.named.whose.is_empty() {
        let _ = writeln!(out, "<span class=\"whose\">{}</span>", escaped(&section.named.whose));
    }
    let _ = writeln!(out, "</header>\n<div class=\"columns\">\n<div>");
    for sentence in &section.sentences {
        let _ = writeln!(out, "<p>{}</p>", escaped(sentence));
    }
    if let Some(name) = section.familiar {
        let _ = writeln!(out, "<p class=\"familiar\">It moves like {}.</p>", escaped(name));
    }
    let _ = writeln!(out, "<code class=\"expression\">{}</code>", escaped(&section.named.movement.words.to_string()));
    if !section.evidence.is_empty() {
        let seen: String = section.evidence.iter().map(|seen| format!("<p>{}</p>", escaped(seen))).collect();
        let _ = writeln!(out, "<div class=\"evidence\">{seen}</div>");
    }
    let _ = writeln!(out, "</div>");
    boards(out, rules, section);
    let _ = writeln!(out, "</div>");
    automaton(out, rules, section);
    let _ = writeln!(out, "</article>");
}

fn boards(out: &mut String, rules: &Rules, section: &PieceSection) {
    let scenes = section.scenes(rules);
    let _ = writeln!(out, "<div class=\"boards{}\">", if scenes.len() == 1 { " one" } else { "" });
    for scene in &scenes {
        let diagram = Diagram::of_scene(scene);
        let caption = section.caption(rules, scene);
        let title = format!("What {} can do. {caption}", section.named.name);
        let _ =
            writeln!(out, "<figure>\n{}<figcaption>{}", diagram.drawing().element("board", &title), escaped(&caption));
        let keys: String = diagram
            .legend()
            .into_iter()
            .map(|(class, meaning)| format!("<li>{}<span>{}</span></li>", legend_sign(class), escaped(&meaning)))
            .collect();
        if !keys.is_empty() {
            let _ = writeln!(out, "<ul class=\"legend\">{keys}</ul>");
        }
        let _ = writeln!(out, "</figcaption>\n</figure>");
    }
    if scenes.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">There is nothing to show on a board.</p>");
    }
    let _ = writeln!(out, "</div>");
}

fn automaton(out: &mut String, rules: &Rules, section: &PieceSection) {
    let _ = writeln!(out, "<figure class=\"automaton\">");
    match section.drawing(rules) {
        Ok(drawing) => {
            let title = format!("The automaton of {}", section.named.title(rules));
            let _ = writeln!(out, "<div class=\"scroll\">\n{}</div>", drawing.element("graph", &title));
            let states = section.named.automaton.as_ref().map_or(0, |automaton| automaton.states().len());
            let plural = if states == 1 { "" } else { "s" };
            let _ = writeln!(
                out,
                "<figcaption>Its automaton: {states} state{plural}. A move may end where there are two circles.</figcaption>"
            );
        }
        Err(reason) => {
            let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&reason));
            if section.named.automaton.is_some() {
                let _ = writeln!(
                    out,
                    "<details>\n<summary>The automaton in the language of Graphviz</summary>\n<pre>{}</pre>\n</details>",
                    escaped(&section.named.dot(rules))
                );
            }
        }
    }
    let _ = writeln!(out, "</figure>");
}

fn endings(out: &mut String, rules: &Rules) {
    let _ = writeln!(out, "<h2>How the game ends</h2>");
    if rules.endings.len() > 1 {
        let _ = writeln!(out, "<p>After every move these are tried in their order; the first that holds decides.</p>");
    }
    let _ = writeln!(out, "<ol class=\"endings\">");
    for (number, ending) in rules.endings.iter().enumerate() {
        let seen = evidence::of_ending(rules, number);
        let seen = seen.map(|seen| format!(" <span class=\"note\">{}</span>", escaped(&seen))).unwrap_or_default();
        let _ = writeln!(out, "<li>{}{seen}</li>", escaped(&ending_sentence(rules, ending)));
    }
    let _ = writeln!(out, "</ol>");
    let views = zones(rules);
    if !views.is_empty() {
        let _ = writeln!(out, "<div class=\"zones\">");
        for view in &views {
            let caption = format!("{}, {}", view.name(), view.caption);
            let diagram = view.diagram();
            let drawing = diagram.drawing().element("board", &caption);
            let [first, second] = &diagram.zones;
            let mut keys = String::new();
            let mut key = |shown: bool, class: &str, whose: &str| {
                if shown && rules.players.len() > 1 {
                    let _ = write!(keys, "<li>{}<span>{}</span></li>", legend_sign(class), escaped(whose));
                }
            };
            let name = |player: usize| rules.players.get(player).map_or("", String::as_str);
            key(first.difference(second).next().is_some(), "first", name(0));
            key(second.difference(first).next().is_some(), "second", name(1));
            key(first.intersection(second).next().is_some(), "both", "both players");
            let _ = writeln!(
                out,
                "<figure>\n{drawing}<figcaption>{}<ul class=\"legend\">{keys}</ul></figcaption>\n</figure>",
                escaped(&capitalised(&caption))
            );
        }
        let _ = writeln!(out, "</div>");
    }
}

fn origin(out: &mut String, rules: &Rules) {
    let _ = writeln!(out, "<h2>Where these rules come from</h2>\n<p>{}</p>", escaped(&evidence::origin(rules)));
    let Some(learnt) = &rules.learnt else { return };
    if learnt.pieces.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<div class=\"scroll\">\n<table>\n<thead><tr><th>Piece</th><th class=\"amount\">Moves listed</th><th class=\"amount\">Different words</th><th>Rarest word</th><th class=\"amount\">Seen</th></tr></thead>\n<tbody>"
    );
    for PieceRecord { piece, moves, words, rarest, rarest_seen } in &learnt.pieces {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"amount\">{moves}</td><td class=\"amount\">{words}</td><td><code>{}</code></td><td class=\"amount\">{rarest_seen}</td></tr>",
            escaped(&piece.to_string()),
            escaped(&rarest.to_string())
        );
    }
    let _ = writeln!(out, "</tbody>\n</table>\n</div>");
}

//! An explanation as one page of HTML.

use super::card::Card;
use super::diagram::{Diagram, badge, legend_sign};
use super::ending::ending_sentence;
use super::evidence;
use super::markup::escaped;
use super::sheet::{DRAWING_STYLE, zones};
use super::wording::{capitalised, list};
use crate::rules::{PieceRecord, Rules};
use std::fmt::Write;

const PAGE_STYLE: &str = include_str!("page.css");

pub(super) fn html(rules: &Rules, cards: &[Card]) -> String {
    let mut out = String::new();
    let name = escaped(&rules.name);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{name}: the rules</title>\n<style>\n{PAGE_STYLE}{DRAWING_STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    head(&mut out, rules);
    let _ = writeln!(out, "<h2>How pieces move</h2>");
    cards.iter().for_each(|card| article(&mut out, rules, card));
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
        [first, ..] => format!("{}; {first} moves first", capitalised(&list(&rules.players, "and"))),
    };
    let board = format!("{} × {} squares", shape.width(), shape.height());
    let source = if rules.learnt.is_some() { "Learnt from play" } else { "Written by hand" };
    let facts = [players, board, source.to_owned()].map(|fact| format!("<li>{}</li>", escaped(&fact))).join("");
    let _ = writeln!(out, "<ul class=\"facts\">{facts}</ul>");
    let _ = writeln!(out, "<h2>The start</h2>");
    let drawing = Diagram::new(&rules.setup).drawing();
    let title = format!("The board of {} at the start", rules.name);
    let _ = writeln!(out, "<figure class=\"setup\">\n{}</figure>", drawing.element("board", &title));
}

fn article(out: &mut String, rules: &Rules, card: &Card) {
    let _ = writeln!(out, "<article class=\"card\">\n<header>");
    if !card.cells.is_empty() {
        let badges: String = card.cells.iter().map(|&cell| badge(cell)).collect();
        let _ = writeln!(out, "<span class=\"badges\">{badges}</span>");
    }
    let _ = writeln!(out, "<h3>{}</h3>", escaped(&card.name));
    if !card.whose.is_empty() {
        let _ = writeln!(out, "<span class=\"whose\">{}</span>", escaped(&card.whose));
    }
    let _ = writeln!(out, "</header>\n<div class=\"columns\">\n<div>");
    for sentence in &card.sentences {
        let _ = writeln!(out, "<p>{}</p>", escaped(sentence));
    }
    if let Some(name) = card.familiar {
        let _ = writeln!(out, "<p class=\"familiar\">It moves like {}.</p>", escaped(name));
    }
    let _ = writeln!(out, "<code class=\"expression\">{}</code>", escaped(&card.movement.words.to_string()));
    if !card.evidence.is_empty() {
        let seen: String = card.evidence.iter().map(|seen| format!("<p>{}</p>", escaped(seen))).collect();
        let _ = writeln!(out, "<div class=\"evidence\">{seen}</div>");
    }
    let _ = writeln!(out, "</div>");
    boards(out, rules, card);
    let _ = writeln!(out, "</div>");
    automaton(out, rules, card);
    let _ = writeln!(out, "</article>");
}

fn boards(out: &mut String, rules: &Rules, card: &Card) {
    let scenes = card.scenes(rules);
    let _ = writeln!(out, "<div class=\"boards{}\">", if scenes.len() == 1 { " one" } else { "" });
    for scene in &scenes {
        let diagram = Diagram::of_scene(scene);
        let caption = card.caption(rules, scene);
        let title = format!("What {} can do. {caption}", card.name);
        let _ = writeln!(out, "<figure>\n{}<figcaption>{}", diagram.drawing().element("board", &title), escaped(&caption));
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

fn automaton(out: &mut String, rules: &Rules, card: &Card) {
    let _ = writeln!(out, "<figure class=\"automaton\">");
    match card.drawing(rules) {
        Ok(drawing) => {
            let title = format!("The automaton of {}", card.title(rules));
            let _ = writeln!(out, "<div class=\"scroll\">\n{}</div>", drawing.element("graph", &title));
            let states = card.automaton.as_ref().map_or(0, |automaton| automaton.states().len());
            let plural = if states == 1 { "" } else { "s" };
            let _ = writeln!(
                out,
                "<figcaption>Its automaton: {states} state{plural}. A move may end where there are two circles.</figcaption>"
            );
        }
        Err(reason) => {
            let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&reason));
            if card.automaton.is_some() {
                let _ = writeln!(
                    out,
                    "<details>\n<summary>The automaton in the language of Graphviz</summary>\n<pre>{}</pre>\n</details>",
                    escaped(&card.dot(rules))
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
            let drawing = view.diagram().drawing().element("board", &caption);
            let _ = writeln!(out, "<figure>\n{drawing}<figcaption>{}</figcaption>\n</figure>", escaped(&caption));
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

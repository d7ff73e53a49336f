//! An explanation as plain text.

use super::english::evidence;
use super::piece_section::{PieceSection, idle};
use crate::explain::english::ending::ending_sentence;
use crate::explain::english::wording::{capitalised, counted, list};
use crate::explain::picture::automata_page::zones;
use crate::explain::picture::diagram::{Diagram, text_sign};
use crate::rules::Rules;
use std::fmt::Write;

/// How wide the text may get.
const COLUMNS: usize = 100;

pub(super) fn text(rules: &Rules, sections: &[PieceSection]) -> String {
    let mut out = String::new();
    heading(&mut out, &rules.name, '═');
    if !rules.about.is_empty() {
        paragraph(&mut out, &rules.about, "");
    }
    let players = match &rules.players[..] {
        [one] => format!("one player, {one}"),
        players => format!("{}; {} moves first", list(players, "and"), players.first().map_or("?", String::as_str)),
    };
    paragraph(&mut out, &format!("A board of {}, for {players}.", rules.setup.shape()), "");
    paragraph(&mut out, &evidence::origin(rules), "");
    out.push('\n');
    heading(&mut out, "The start", '─');
    out.push_str(&Diagram::new(&rules.setup).text(COLUMNS));
    out.push('\n');
    heading(&mut out, "How pieces move", '─');
    for section in sections {
        tell_card(&mut out, rules, section);
    }
    if let Some(idle) = idle(rules) {
        paragraph(&mut out, &idle, "");
        out.push('\n');
    }
    heading(&mut out, "How the game ends", '─');
    if rules.endings.len() > 1 {
        paragraph(&mut out, "After every move these are tried in their order; the first that holds decides.", "");
        out.push('\n');
    }
    for (number, ending) in rules.endings.iter().enumerate() {
        let seen = evidence::of_ending(rules, number).map(|seen| format!(" {seen}")).unwrap_or_default();
        paragraph(&mut out, &format!("{}. {}{seen}", number + 1, ending_sentence(rules, ending)), "   ");
    }
    for zone in zones(rules) {
        let _ = writeln!(out);
        paragraph(&mut out, &format!("{}, {}.", capitalised(zone.name()), zone.caption), "");
        let diagram = zone.diagram();
        out.push_str(&diagram.text(COLUMNS));
        let signs = ["▲", "▼", "%"];
        let [first, second] = &diagram.zones;
        let shown =
            [first.difference(second).count(), second.difference(first).count(), first.intersection(second).count()];
        let whose = [
            rules.players.first().map_or("?", String::as_str),
            rules.players.get(1).map_or("?", String::as_str),
            "both",
        ];
        let keys = (0..3).filter(|&i| shown[i] > 0).map(|i| format!("{} {}", signs[i], whose[i]));
        paragraph(&mut out, &keys.collect::<Vec<_>>().join("   "), "  ");
    }
    out
}

fn tell_card(out: &mut String, rules: &Rules, section: &PieceSection) {
    let whose = if section.named.whose.is_empty() { String::new() } else { format!(": {}", section.named.whose) };
    let _ = writeln!(out, "{}{whose}\n", section.named.name);
    let mut sentences = section.sentences.clone();
    sentences.extend(section.familiar.map(|name| format!("It moves like {name}.")));
    sentences.iter().for_each(|sentence| paragraph(out, &format!("  {sentence}"), "  "));
    out.push('\n');
    let scenes = section.scenes(rules);
    let blocks: Vec<String> = scenes
        .iter()
        .map(|scene| {
            let diagram = Diagram::of_scene(scene);
            let board = diagram.text(COLUMNS / 2 - 4);
            let width = board.lines().map(|line| line.chars().count()).max().unwrap_or(0).max(36);
            let mut keys = String::new();
            paragraph_within(&mut keys, &section.caption(rules, scene), "  ", width);
            for (class, meaning) in diagram.legend() {
                paragraph_within(&mut keys, &format!("  {:3} {meaning}", text_sign(class)), "      ", width);
            }
            format!("{board}{keys}")
        })
        .collect();
    out.push_str(&side_by_side(&blocks));
    let mut words = String::new();
    paragraph_within(&mut words, &section.named.movement.words.to_string(), "", COLUMNS - 13);
    for (i, line) in words.lines().enumerate() {
        let _ = writeln!(out, "  {:9}  {line}", if i == 0 { "Movement" } else { "" });
    }
    match section.graph(rules) {
        Some(graph) => {
            let (states, edges) = (graph.accepting.len() as u64, graph.edges.len() as u64);
            let _ = writeln!(out, "  Automaton  {}, {}", counted(states, "state"), counted(edges, "edge"));
        }
        None => out.push_str("  Automaton  too large to be made\n"),
    }
    for seen in &section.evidence {
        paragraph(out, &format!("  Evidence   {seen}"), "             ");
    }
    out.push('\n');
}

fn heading(out: &mut String, text: &str, line: char) {
    let _ = writeln!(out, "{text}\n{}\n", String::from(line).repeat(text.chars().count()));
}

/// The text in lines that are not too long, all but the first with an indent.
fn paragraph(out: &mut String, text: &str, indent: &str) {
    paragraph_within(out, text, indent, COLUMNS);
}

fn paragraph_within(out: &mut String, text: &str, indent: &str, columns: usize) {
    // What stands before the first word is kept, gaps within the first line too.
    let lead = text.len() - text.trim_start().len();
    let mut line = text[..lead].to_owned();
    let mut begun = false;
    for word in text[lead..].split(' ') {
        if begun && line.chars().count() + 1 + word.chars().count() > columns {
            let _ = writeln!(out, "{}", line.trim_end().replace('\u{a0}', " "));
            line = indent.to_owned();
            begun = false;
        }
        if begun {
            line.push(' ');
        }
        line.push_str(word);
        begun = true;
    }
    let _ = writeln!(out, "{}", line.trim_end().replace('\u{a0}', " "));
}

/// Blocks of lines beside each other.
fn side_by_side(blocks: &[String]) -> String {
    let width = |block: &String| block.lines().map(|line| line.chars().count()).max().unwrap_or(0) + 4;
    let rows = blocks.iter().map(|block| block.lines().count()).max().unwrap_or(0);
    let mut out = String::new();
    for row in 0..rows {
        let mut line = String::from("  ");
        for block in blocks {
            let part = block.lines().nth(row).unwrap_or("");
            let _ = write!(line, "{part:width$}", width = width(block));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if rows > 0 {
        out.push('\n');
    }
    out
}

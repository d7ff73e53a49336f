//! Whole explanations.

use super::*;
use crate::export::dot;
use crate::game::{CATALOGUE, catalogue_game};
use roxmltree::{Document, ParsingOptions};

fn all_formats(rules: &Rules) -> [String; 4] {
    let told = Explanation::new(rules);
    [told.text(), dot(rules), told.svg(), told.html()]
}

fn check_well_formed(text: &str) {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"));
}

#[test]
fn positions_are_drawn_well_formed_with_every_piece() {
    for (name, _) in CATALOGUE {
        let setup = catalogue_game(name).unwrap().rules().setup.clone();
        let svg = position_svg(&setup);
        check_well_formed(&svg);
        let pieces = setup.cells().iter().filter(|cell| cell.piece().is_some()).count();
        assert_eq!(svg.matches("class=\"disc ").count(), pieces, "{name}");
    }
}

#[test]
fn every_game_of_the_catalogue_is_told_the_same_way_twice_and_well_formed() {
    for (name, _) in CATALOGUE {
        let game = catalogue_game(name).unwrap();
        let all = all_formats(game.rules());
        assert_eq!(all, all_formats(game.rules()), "{name}");
        let [text, dot, svg, html] = all;
        check_well_formed(&svg);
        check_well_formed(&html);
        assert!(svg.starts_with("<svg xmlns=") && html.starts_with("<!DOCTYPE html>"));
        assert_eq!(dot.matches('{').count(), dot.matches('}').count());
        assert_eq!(dot.matches("digraph ").count(), game.rules().moves.len());
        // What is not part of the movement's own text fits the page.
        let long = text.lines().find(|line| line.chars().count() > 100 && !line.starts_with("  Movement"));
        assert_eq!(long, None, "{name}");
        assert!(text.contains("written by hand"));
        for outside in ["http:", "https:", "src=", "<script", "url("] {
            assert!(!html.replace("http://www.w3.org/2000/svg", "").contains(outside), "{name} {outside}");
        }
    }
}

#[test]
fn evidence_is_told_where_there_is_some() {
    let text = CATALOGUE.iter().find(|(name, _)| *name == "chess-breakthrough").unwrap().1;
    let learnt = "\nlearnt\n  from 50 games 5404 positions\n  piece R  8120 moves 52 words, 1 of (0 1 e)(0 1 e)(0 1 p)\n  ending 1  40 games\n  ending 2  0 games\n";
    let rules = Rules::parse(&format!("{text}{learnt}")).unwrap();
    let told = Explanation::new(&rules).text().split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "These rules were learnt by watching 50 games with 5404 positions.",
        "8120 moves of R listed, with 52 different words. The rarest, (0 1 e)(0 1 e)(0 1 p), was seen",
        "40 games ended so.",
        "No game ended so.",
        "No move of it was listed.",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
}

#[test]
fn names_and_texts_are_escaped() {
    let text = CATALOGUE.iter().find(|(name, _)| *name == "tic-tac-toe").unwrap().1;
    let rules = Rules::parse(&text.replace("Three in a row wins.", "<script>alert(\"&\")</script>")).unwrap();
    let told = Explanation::new(&rules);
    assert!(!told.html().contains("<script"));
    assert!(told.html().contains("&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;"));
    check_well_formed(&told.html());
    let odd = "game toy\nplayers a b\nboard\n  P<\" p<\" . .\nmoves\n  P<\"  put:\"Q&<\" any(empty)\nending\n  tie when the next player cannot move\n";
    if let Ok(rules) = Rules::parse(odd) {
        let [_, dot, svg, html] = all_formats(&rules);
        check_well_formed(&svg);
        check_well_formed(&html);
        assert!(dot.contains("Q&<") && !html.contains("Q&<"), "{dot}");
    }
}

#[test]
fn an_automaton_too_large_to_draw_is_given_as_a_text() {
    let text = "game toy\nplayers one\nboard\n  P...\nmoves\n  P  right(empty) left(empty){2,30} (right(empty) forward(empty)){4,30}\nending\n  lose when the next player cannot move\n";
    let rules = Rules::parse(text).unwrap();
    let [text, dot, svg, html] = all_formats(&rules);
    assert!(html.contains("too many to draw") && svg.contains("too many to draw"));
    assert!(html.contains("digraph") && dot.contains("digraph") && text.contains("Automaton"));
    check_well_formed(&html);
}

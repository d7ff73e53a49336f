//! Any rules can be explained.

use crate::rules::rules;
use onlooker::explain::Explanation;
use onlooker::export;
use onlooker::rules::Rules;
use proptest::prelude::*;
use roxmltree::{Document, ParsingOptions};

fn is_well_formed(text: &str) -> Result<(), String> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map(|_| ()).map_err(|error| format!("{error}\n{text}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn made_up_rules_can_be_explained_in_every_format(rules in rules()) {
        let told = Explanation::new(&rules);
        let (text, dot, svg, html) = (told.text(), export::dot(&rules), told.svg(), told.html());
        prop_assert!(text.contains("How the game ends"));
        prop_assert_eq!(dot.matches("digraph ").count(), dot.matches("\n}\n").count());
        is_well_formed(&svg).map_err(TestCaseError::fail)?;
        is_well_formed(&html).map_err(TestCaseError::fail)?;
    }
}

/// Movements that would take for ever if every word of theirs were made.
#[test]
fn movements_with_very_many_words_are_soon_explained() {
    for words in ["any(empty)+", "(any(empty) put:P)+", "(orthogonal(empty* (empty | enemy)) | leap 1,2(empty)){1,9}"] {
        let rules = Rules::parse(&format!(
            "game toy\nplayers white black\nboard\n{}  P.......\nmoves\n  P  {words}\nending\n  win when the next player cannot move\n",
            "  .......p\n".repeat(7)
        ))
        .unwrap();
        let told = Explanation::new(&rules);
        let html = told.html();
        assert!(html.contains("Only its shorter moves are shown."), "{words}\n{html}");
        is_well_formed(&html).unwrap();
    }
}

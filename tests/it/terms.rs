//! The field's own words lead to the file that does it.

use std::fs;
use std::path::Path;

/// A term that somebody would search for, and the file whose opening lines must have it.
const TERMS: [(&str, &str); 41] = [
    ("alpha-beta", "play/alphabeta.rs"),
    ("bitboard", "board/bits.rs"),
    ("common subexpression", "gdl/extract.rs"),
    ("combinatorial number system", "concepts/combinations.rs"),
    ("description length", "learn/description_length.rs"),
    ("DFA minimisation", "automata/minimise.rs"),
    ("grounding", "gdl/ground.rs"),
    ("join order", "gdl/join_order.rs"),
    ("LOCM", "locm/mod.rs"),
    ("logistic regression", "concepts/fit.rs"),
    ("magic sets", "gdl/magic_sets.rs"),
    ("MCTS", "play/mcts.rs"),
    ("micro-move", "board/mod.rs"),
    ("move generat", "rules/generate.rs"),
    ("PDDL", "export/pddl.rs"),
    ("perft", "game/perft.rs"),
    ("playout", "game/playout.rs"),
    ("prefix tree acceptor", "automata/prefix_tree.rs"),
    ("priors", "play/tree.rs"),
    ("propnet", "gdl/propnet.rs"),
    ("prover", "gdl/prover.rs"),
    ("s-expression", "gdl/kif.rs"),
    ("state elimination", "automata/express.rs"),
    ("state merging", "learn/state_merging.rs"),
    ("stratification", "gdl/strata.rs"),
    ("strongly connected components", "gdl/scc.rs"),
    ("subgoal", "gdl/subgoals.rs"),
    ("subset construction", "automata/nfa.rs"),
    ("statistical heuristics", "concepts/statistical.rs"),
    ("tabling", "gdl/tables.rs"),
    ("transposition table", "play/alphabeta.rs"),
    ("UCT", "play/tree.rs"),
    ("Naive Bayes", "opponent/naive_bayes.rs"),
    ("chi-squared", "opponent/chi_squared.rs"),
    ("softmax", "opponent/move_model.rs"),
    ("top-N curves", "opponent/measures.rs"),
    ("opponent-model search", "opponent/search.rs"),
    ("regression", "tactics/back_up.rs"),
    ("subsumption", "tactics/recognition.rs"),
    ("threat-space search", "tactics/forced_win.rs"),
    ("unification", "concepts/ternary.rs"),
];

#[test]
fn the_fields_words_are_found_where_they_are_done() {
    for (term, file) in TERMS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let opening: String = text.lines().take_while(|line| line.starts_with("//!")).collect::<Vec<_>>().join(" ");
        let opening = opening.replace("//! ", "");
        assert!(opening.to_lowercase().contains(&term.to_lowercase()), "{file} does not speak of {term}: {opening}");
    }
}

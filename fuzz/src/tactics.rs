//! Any bytes either read to rules of tactics that are written as they are read, or to a position with moves, or give problems with their places.

use onlooker::tactics::{Example, RuleFile, TacticsError};

/// Fails if that is not so.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match RuleFile::parse(&text) {
        Ok(file) => {
            let written = file.to_string();
            let again = RuleFile::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
            assert_eq!(again.to_string(), written);
        }
        Err(error) => check_problems(&error),
    }
    match Example::parse(&text, None) {
        Ok(example) => assert!(!example.moves.is_empty() && example.moves.len() == example.places.len()),
        Err(error) => check_problems(&error),
    }
}

fn check_problems(error: &TacticsError) {
    assert!(!error.problems.is_empty());
    for problem in &error.problems {
        assert!(error.text.get(problem.span.clone()).is_some() && problem.message.contains("expected"), "{problem:?}");
    }
}

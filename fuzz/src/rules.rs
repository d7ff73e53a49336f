//! Any text either parses to rules that print to a text with the same rules and compile or say why not, or gives
//! problems that lie within the text.

use onlooker::rules::{Engine, Rules};

/// Fails if that is not so.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Rules::parse(text) {
        Ok(rules) => {
            assert_eq!(Rules::parse(&rules.to_string()).as_ref(), Ok(&rules));
            if let Ok(engine) = Engine::compile(&rules) {
                let mut state = engine.start();
                for _ in 0..5 {
                    let _ = engine.play_picked(&mut state, |count| count / 2);
                }
            }
        }
        Err(error) => assert!(error.problems.iter().all(|problem| text.get(problem.span.clone()).is_some())),
    }
}

//! Any text either parses to rules that print to a text with the same rules and compile or say why not, or gives
//! problems that lie within the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use onlooker::rules::{Engine, Rules};

fuzz_target!(|text: &str| {
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
});

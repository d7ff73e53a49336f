//! Any bytes either read to traces from which a model is induced that accepts them all, or give an error with a place.

use onlooker::locm::{Action, Domain, Evidence, Options, PlanReader, induce};
use std::sync::atomic::AtomicBool;

/// Fails if that is not so.
pub fn check(bytes: &[u8]) {
    let mut traces: Vec<Vec<Action>> = Vec::new();
    for trace in PlanReader::new(bytes) {
        match trace {
            Ok(trace) => traces.push(trace),
            Err(error) => {
                assert!(error.line >= 1 && error.column >= 1 && error.length >= 1);
                assert!(error.mark <= error.text.chars().count());
                return;
            }
        }
    }
    let mut evidence = Evidence::default();
    traces.retain(|trace| evidence.observe(trace).is_ok());
    let model = induce(&evidence, &Options { budget: 1000, ..Options::default() }, &AtomicBool::new(false));
    let domain = Domain::new(&model, "any");
    for trace in &traces {
        assert_eq!(model.accepts(trace), Ok(()));
        domain.problem("any", trace).unwrap();
    }
    let mut saved = Vec::new();
    evidence.write(&mut saved).unwrap();
    let read = Evidence::read(saved.as_slice()).unwrap();
    assert_eq!(induce(&read, &Options { budget: 1000, ..Options::default() }, &AtomicBool::new(false)), model);
}

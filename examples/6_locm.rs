//! From action traces to a planning domain.
//!
//! `cargo run --release --example 6_locm [PLANS]`

use onlooker::explain::model_text;
use onlooker::locm::{Domain, Evidence, Options, PlanReader, induce};
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => "(unstack a b)\n(put-down a)\n(pick-up b)\n(stack b a)\n\n(unstack b a)\n(put-down b)\n".to_owned(),
    };
    let mut evidence = Evidence::default();
    for trace in PlanReader::new(text.as_bytes()) {
        evidence.observe(&trace?).map_err(|(_, refused)| refused)?;
    }
    let model = induce(&evidence, &Options::default(), &AtomicBool::new(false));
    println!("{}\n{}", model_text(&model), Domain::new(&model, "learnt"));
    for trace in PlanReader::new(text.as_bytes()) {
        model.accepts(&trace?).map_err(|rejection| rejection.to_string())?;
    }
    Ok(())
}

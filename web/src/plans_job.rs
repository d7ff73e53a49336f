//! A file of plans becomes the machines of a planning model, as pictures and as PDDL.

use crate::error::ApiError;
use crate::jobs::Job;
use crate::store::Document;
use onlooker::explain::{model_svg, model_text};
use onlooker::export::model_dot;
use onlooker::locm::{Domain, Evidence, Options, PlanError, PlanLine, PlanReader, induce};
use serde_json::json;

fn refusal(name: &str, error: &PlanError) -> ApiError {
    ApiError::bad(format!("{name}:{}:{}: {}", error.line, error.column, error.problem))
}

/// Reads the plans and induces the model.
pub fn run(document: &Document, job: &Job) -> Result<(), ApiError> {
    let mut evidence = Evidence::default();
    let mut plans = PlanReader::new(document.open()?);
    let mut lines = 0_u64;
    let mut watcher = evidence.watch();
    while let Some(line) = plans.advance().map_err(|error| refusal(&document.name, &error))? {
        match line {
            PlanLine::End => watcher.end(),
            PlanLine::Action => {
                let (name, arguments) = plans.action();
                watcher.see(name, arguments).map_err(|refused| refusal(&document.name, &plans.refuse(refused)))?;
            }
        }
        lines += 1;
        if lines.is_multiple_of(65_536) {
            if job.is_stopped() {
                return Ok(());
            }
            job.send(&json!({ "type": "progress", "done": lines, "what": "lines" }));
        }
    }
    drop(watcher);
    if evidence.steps() == 0 {
        return Err(ApiError::bad(format!(
            "{}: there is no action, expected plans such as (stack a b)",
            document.name
        )));
    }
    let model = induce(&evidence, &Options::default(), job.stop_flag());
    let name: String = document.name.split('.').next().unwrap_or("learnt").to_owned();
    job.send(&json!({
        "type": "done",
        "svg": model_svg(&model),
        "pddl": Domain::new(&model, &name).to_string(),
        "dot": model_dot(&model),
        "text": model_text(&model),
        "notes": model.notes.iter().map(|note| model.note_text(note)).collect::<Vec<_>>(),
        "traces": model.traces,
        "steps": model.steps,
        "sorts": model.sorts.len(),
        "machines": model.machines.len(),
        "actions": model.actions.len(),
    }));
    Ok(())
}

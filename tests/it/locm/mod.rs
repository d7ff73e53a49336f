//! From action traces to planning models.

mod domains;
mod properties;
mod reference;
mod strips;
mod unified_planning;

use onlooker::locm::{Action, Evidence, PlanReader};
use std::path::{Path, PathBuf};

/// Folders with plans: those that travel with the tests, and larger ones if they are there.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("tests/testdata/plans")];
    let shared = ["../shared/plans", "../../shared/plans"].map(|folder| root.join(folder));
    match shared.into_iter().find(|folder| folder.is_dir()) {
        Some(shared) => folders.push(shared),
        None => eprintln!("skipped: there is no ../shared/plans"),
    }
    folders
}

fn plans(path: &Path) -> Vec<Vec<Action>> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    PlanReader::new(file).map(|trace| trace.unwrap()).collect()
}

fn evidence<S: AsRef<str>>(traces: &[Vec<Action<S>>]) -> Evidence {
    let mut evidence = Evidence::default();
    traces.iter().for_each(|trace| evidence.observe(trace).unwrap());
    evidence
}

fn saved(evidence: &Evidence) -> String {
    let mut bytes = Vec::new();
    evidence.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

//! Inputs that fuzzing once found, and examples to begin with, tried again.

use crate::fuzz;
use std::fs;
use std::path::Path;

type Check = fn(&[u8]);

const TARGETS: [(&str, Check); 9] = [
    ("concepts", fuzz::concepts::check),
    ("evidence", fuzz::evidence::check),
    ("ggp", fuzz::ggp::check),
    ("kif", fuzz::kif::check),
    ("log", fuzz::log::check),
    ("opponent", fuzz::opponent::check),
    ("plans", fuzz::plans::check),
    ("rules", fuzz::rules::check),
    ("tactics", fuzz::tactics::check),
];

#[test]
fn found_inputs_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/found");
    for (target, check) in TARGETS {
        let inputs = fs::read_dir(folder.join(target)).unwrap_or_else(|error| panic!("{target}: {error}"));
        let mut tried = 0;
        for input in inputs {
            let path = input.unwrap().path();
            println!("{}", path.display());
            check(&fs::read(&path).unwrap());
            tried += 1;
        }
        assert!(tried > 0, "{target} has no input");
    }
}

//! The tree itself: imports go down, files stay readable, and the library keeps its manners.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the bottom; modules of one layer do not import each other.
const LAYERS: [&[&str]; 6] = [
    &["board", "automata", "saved"],
    &["observe", "rules", "locm", "gdl"],
    &["learn", "game", "export"],
    &["relearn"],
    &["play"],
    &["explain"],
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn layer(module: &str) -> usize {
    LAYERS.iter().position(|layer| layer.contains(&module)).unwrap_or_else(|| panic!("{module} has no layer"))
}

#[test]
fn imports_go_down() {
    let mut arrows = 0;
    for module in
        fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        let name = module.file_name().unwrap().to_str().unwrap();
        for file in sources(&module) {
            // Tests may use whatever shows that something works.
            let text = fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for import in line.split("crate::").skip(1) {
                    let target: String = import.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    arrows += 1;
                    assert!(
                        target == name || layer(&target) < layer(name),
                        "{}: {name} must not import {target}: {line}",
                        file.display()
                    );
                }
            }
        }
    }
    assert!(arrows > 20, "imports are found at all");
}

#[test]
fn files_are_readable() {
    for folder in ["src", "cli/src", "cli/tests", "ggp/src", "ggp/tests", "tests", "benches"] {
        for file in sources(&root().join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            let lines = text.lines().count();
            assert!(lines <= 800, "{} has {lines} lines: one noun a file?", file.display());
            assert!(text.starts_with("//!"), "{} does not say what it is for", file.display());
        }
    }
}

#[test]
fn the_library_neither_prints_nor_reads_clock_or_environment_nor_talks_to_others() {
    for file in sources(&root().join("src")) {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for word in ["println!", "eprintln!", "print!(", "dbg!", "std::env", "Instant::", "SystemTime", "std::net"]
            {
                assert!(!line.contains(word), "{}: {line}", file.display());
            }
        }
    }
}

//! The tree itself: imports go down, files stay readable, and the library keeps its manners.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the bottom; modules of one layer do not import each other.
const LAYERS: [&[&str]; 7] = [
    &["board", "automata", "budget", "saved"],
    &["observe", "rules", "locm", "gdl"],
    &["learn", "game", "export"],
    &["relearn"],
    &["play"],
    &["concepts", "opponent", "tactics"],
    &["explain"],
];

/// Files of one folder that still import each other in a circle. The list may only shrink.
const CIRCLES: [(&str, &[&str]); 4] = [
    // The checks are made by the constructor of what they check.
    ("gdl", &["check", "clause_index", "program"]),
    // One recursion: a join asks a subgoal, which is answered by joins.
    ("gdl", &["eval_context", "join", "tables"]),
    // A subgoal keeps its plans, and a plan names the subgoals that it calls.
    ("gdl", &["join_plan", "subgoals"]),
    // A prover tries join orders with provers.
    ("gdl", &["join_order", "prover"]),
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
    // A module is a folder, or a file beside `lib.rs`.
    let modules = fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path());
    for module in modules.filter(|path| !path.ends_with("lib.rs")) {
        let name = module.file_stem().unwrap().to_str().unwrap();
        let files = if module.is_dir() { sources(&module) } else { vec![module.clone()] };
        for file in files {
            // Tests may use whatever shows that something works.
            for line in code(&file).lines() {
                for import in line.split("crate::").skip(1) {
                    let target = identifier(import);
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

/// A file's code without its tests and comments, which may name whatever they like.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn identifier(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The parts of a list in braces, or the text itself if it does not begin with one.
fn parts(text: &str) -> Vec<&str> {
    let Some(list) = text.strip_prefix('{') else { return vec![text] };
    let (mut depth, mut begin, mut parts) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                parts.push(&list[begin..at]);
                begin = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    parts
}

/// What follows a prefix of paths, wherever it stands in code: `a` and `b` for `super::{a::x, b}`.
fn named_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let is_whole = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    let places = code.match_indices(prefix).map(|(at, _)| at).filter(|&at| is_whole(at));
    places.flat_map(|at| parts(&code[at + prefix.len()..])).map(identifier).collect()
}

/// For each name that a folder's `mod.rs` takes from one of its files, the file.
fn reexports(folder: &Path, files: &BTreeSet<String>) -> BTreeMap<String, String> {
    let code = code(&folder.join("mod.rs"));
    let mut names = BTreeMap::new();
    for path in code.split("use ").skip(1).filter_map(|statement| statement.split(';').next()) {
        let file = identifier(path);
        if let Some(rest) = path.strip_prefix(&format!("{file}::")).filter(|_| files.contains(&file)) {
            for part in parts(rest) {
                let name = part.rsplit([' ', ':']).find(|name| !name.is_empty()).unwrap();
                names.insert(name.trim().to_owned(), file.clone());
            }
        }
    }
    names
}

/// For each file of a folder the files of that folder which it imports.
fn imports_within(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let names: BTreeSet<String> = files.iter().map(|file| name(file)).filter(|name| name != "mod").collect();
    let exported = reexports(folder, &names);
    let inside = folder.strip_prefix(root().join("src")).unwrap().to_str().unwrap().replace('/', "::");
    let mut imports = BTreeMap::new();
    for file in files.iter().filter(|file| name(file) != "mod") {
        let code = code(file);
        let mut found = named_after(&code, "super::");
        found.extend(named_after(&code, &format!("crate::{inside}::")));
        let found = found.into_iter().filter_map(|found| match names.contains(&found) {
            true => Some(found),
            false => exported.get(&found).cloned(),
        });
        imports.insert(name(file), found.filter(|found| *found != name(file)).collect());
    }
    imports
}

/// The sets of files that import each other in a circle: the strongly connected components with more than one.
fn circles(imports: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<BTreeSet<String>> {
    let reachable = |from: &String| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            open.extend(imports[file].iter().filter(|to| seen.insert((*to).clone())));
        }
        seen
    };
    let reach: BTreeMap<&String, BTreeSet<String>> = imports.keys().map(|file| (file, reachable(file))).collect();
    let component = |file: &String| -> BTreeSet<String> {
        reach[file].iter().filter(|other| reach[other].contains(file)).cloned().collect()
    };
    reach.keys().map(|file| component(file)).filter(|component| component.len() > 1).collect()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let inner: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    inner.iter().flat_map(|inner| folders(inner).into_iter().chain([inner.clone()])).collect()
}

#[test]
fn files_of_a_folder_import_each_other_in_no_circle() {
    let mut known: BTreeSet<(String, BTreeSet<String>)> = CIRCLES
        .iter()
        .map(|(folder, files)| (folder.to_string(), files.iter().map(|f| f.to_string()).collect()))
        .collect();
    let mut arrows = 0;
    for folder in folders(&root().join("src")) {
        let imports = imports_within(&folder);
        arrows += imports.values().map(BTreeSet::len).sum::<usize>();
        let name = folder.strip_prefix(root().join("src")).unwrap().to_str().unwrap().to_owned();
        for circle in circles(&imports) {
            let among = |file: &String| imports[file].intersection(&circle).cloned().collect::<Vec<_>>().join(", ");
            let arrows: Vec<String> = circle.iter().map(|file| format!("{file} -> {}", among(file))).collect();
            assert!(known.remove(&(name.clone(), circle)), "{name}: a circle of imports\n  {}", arrows.join("\n  "));
        }
    }
    assert!(known.is_empty(), "no circles any more, take them off the list: {known:?}");
    assert!(arrows > 200, "imports are found at all: {arrows}");
}

#[test]
fn circles_are_found_whatever_way_files_are_imported() {
    let code = "use super::{a::{x, y}, Name, b};\nlet z = crate::f::c::z(super::d::w);\nuse super::super::e;\n";
    assert_eq!(named_after(code, "super::").into_iter().collect::<Vec<_>>(), ["Name", "a", "b", "d", "super"]);
    assert_eq!(named_after(code, "crate::f::").into_iter().collect::<Vec<_>>(), ["c"]);
    let imports = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")];
    let imports = imports.map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])));
    let found = circles(&imports.into_iter().collect());
    assert_eq!(found, BTreeSet::from([BTreeSet::from(["b".to_owned(), "c".to_owned()])]));
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

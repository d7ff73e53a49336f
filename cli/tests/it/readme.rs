//! Every example of the README prints what the README says.

use crate::onlooker_with;

/// The examples: a command, what is typed into it, and what the README says it prints.
fn examples(readme: &str) -> Vec<(Vec<String>, String, String)> {
    let mut examples = Vec::new();
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("\n```").next().expect("a block ends");
        for example in format!("\n{block}").split("\n$ onlooker ").skip(1) {
            let (command, printed) = example.split_once('\n').unwrap_or((example, ""));
            let arguments = command.split_whitespace().map(str::to_owned).collect();
            // What a person typed stands behind the prompt.
            let typed = printed.lines().filter_map(|line| line.split_once("> ")).map(|(_, typed)| format!("{typed}\n"));
            examples.push((arguments, typed.collect(), printed.trim_end().to_owned()));
        }
    }
    examples
}

#[test]
fn the_readme_tells_the_truth() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // Examples speak of the repository's own files.
    for name in ["games", "tests"] {
        let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        std::os::unix::fs::symlink(own, folder.path().join(name)).unwrap();
    }
    let examples = examples(&readme);
    assert!(examples.len() >= 8, "the README has examples");
    for (arguments, typed, printed) in examples {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let typed = if arguments[0] == "play" { typed } else { String::new() };
        let ran = onlooker_with(folder.path(), &arguments, &typed);
        let all = format!("{}{}", ran.out, ran.err);
        let trimmed: Vec<&str> = all.trim_end().lines().map(str::trim_end).collect();
        assert_eq!(trimmed.join("\n"), printed, "onlooker {}", arguments.join(" "));
    }
}

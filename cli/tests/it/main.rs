//! The command line as people and programs use it.

mod commands;
mod concepts;
mod evidence;
mod explain;
mod export;
mod ggp;
mod gomocup;
mod growing_sheets;
mod learn;
#[cfg(unix)]
mod limits;
mod locm;
mod opponent;
mod readme;
mod reproduce;
mod serve;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod standard_streams;
mod tactics;
#[cfg(unix)]
mod whole_files;
mod wrong_input;

use std::path::Path;
#[cfg(unix)]
use std::process::Child;
use std::process::{Command, Output, Stdio};

/// What a run printed, and its exit status.
struct Ran {
    out: String,
    err: String,
    status: i32,
}

/// Runs the program in a folder with something to read on standard input.
fn onlooker_with(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_onlooker"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let Output { stdout, stderr, status } = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { out: text(stdout), err: text(stderr), status: status.code().expect("an exit status") }
}

/// Runs the program in a folder.
fn onlooker(folder: &Path, arguments: &[&str]) -> Ran {
    onlooker_with(folder, arguments, "")
}

/// The names of all files of a folder, hidden ones too.
#[cfg(unix)]
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Runs a script of the shell in a folder, in which `$0` is the program.
#[cfg(unix)]
fn sh(folder: &Path, script: &str) -> Ran {
    let shell = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_onlooker")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { out: text(shell.stdout), err: text(shell.stderr), status: shell.status.code().unwrap_or(-1) }
}

/// Begins a run of the program in a folder, after commands of the shell that set its limits.
#[cfg(unix)]
fn begin(folder: &Path, limits: &str, arguments: &[&str]) -> Child {
    Command::new("sh")
        .args(["-c", &format!("{limits}\nexec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_onlooker")])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell runs")
}

/// The names of the games that are played on a board.
fn board_games() -> Vec<String> {
    let told = onlooker(Path::new("."), &["games", "--json"]).out;
    let told: serde_json::Value = serde_json::from_str(&told).expect("one JSON object");
    let games = told["games"].as_array().expect("a list of games").iter().filter(|game| !game["board"].is_null());
    let names: Vec<String> = games.filter_map(|game| game["name"].as_str().map(str::to_owned)).collect();
    assert!(names.len() >= 9);
    names
}

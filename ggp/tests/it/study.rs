//! The start clock is used, never overrun, and what was found out in it is reported and kept.

use onlooker::play::{Reply, Request};
use onlooker_ggp::{Log, Margin, Options, Player, Remember, Style};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const SHEET: &str = include_str!("../../../games/breakthrough.kif");

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// Starts a match and asks for a first move; how long both took, the move, the log and the report.
fn first_move(
    sheet: &str,
    role: &str,
    clock: u64,
    study: bool,
    folder: Option<PathBuf>,
) -> ([Duration; 2], String, String, String) {
    let (log, report) = (Lines::default(), Lines::default());
    let remember = folder.map(|folder| Remember { folder, opponent: "unknown".to_owned() });
    let style = Style { study, remember, report: Some(Log::new(report.clone())), ..Style::by_the_clock(1) };
    let margin = Margin(Duration::from_millis(1000));
    let player = Player::new(Options { name: "me".to_owned(), margin, style, log: Log::new(log.clone()) });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let ask = |text: String| {
        let (request, came) = (Request::read(text.as_bytes()).unwrap(), Instant::now());
        let reply = runtime.block_on(player.answer(request, came));
        (reply, came.elapsed())
    };
    let (ready, started) = ask(format!("(START m {role} ({sheet}) {clock} 2)"));
    assert_eq!(ready, Reply::Ready);
    let (reply, moved) = ask("(PLAY m nil)".to_owned());
    let Reply::Move(answer) = reply else { panic!("{reply:?}") };
    // The answer leaves first, the report on it follows.
    for _ in 0..200 {
        if report.text().ends_with('\n') {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    ask("(ABORT m)".to_owned());
    ([started, moved], answer.to_string(), log.text(), report.text())
}

#[test]
fn the_start_clock_is_used_and_reported() {
    let ([started, moved], answer, log, report) = first_move(SHEET, "white", 4, true, None);
    assert!(started > Duration::from_millis(2000) && started < Duration::from_millis(3500), "{started:?}");
    assert!(moved < Duration::from_millis(1500), "{moved:?}");
    assert!(log.contains("studied for"), "{log}");
    let line: serde_json::Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
    assert_eq!((line["answer"].as_str(), line["match"].as_str()), (Some(answer.as_str()), Some("m")));
    assert!(
        line["playouts"].as_u64() > Some(0) && line["nodes"].as_u64() > Some(0) && line["depth"].as_u64() > Some(0)
    );
    assert!(line["knowledge"]["studied"] == true && line["knowledge"]["parts"].is_array(), "{line}");
    // Without, the match begins at once.
    let ([started, _], _, log, report) = first_move(SHEET, "white", 4, false, None);
    assert!(started < Duration::from_millis(3500) && !log.contains("studied for"), "{log}");
    let line: serde_json::Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
    assert_eq!(line["knowledge"]["studied"], false);
}

#[test]
fn what_was_found_out_is_kept_for_sheets_with_other_names() {
    let folder = std::env::temp_dir().join(format!("onlooker-study-it-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (_, _, log, _) = first_move(SHEET, "white", 5, true, Some(folder.clone()));
    assert!(!log.contains("are remembered"), "{log}");
    let scrambled = SHEET.replace("white", "w3").replace("black", "b7").replace("cell", "q").replace("move", "zug");
    let (_, answer, log, _) = first_move(&scrambled, "w3", 5, true, Some(folder.clone()));
    assert!(log.contains("are remembered") && answer.contains("zug"), "{answer} {log}");
    std::fs::remove_dir_all(folder).unwrap();
}

//! Models of opponents are kept between matches, and without them play is as before.

use crate::SHEET;
use onlooker::opponent::OpponentModel;
use onlooker::play::{Reply, Request};
use onlooker_ggp::{Log, Margin, Options, Player, Remember, Style};
use std::path::Path;
use std::time::{Duration, Instant};

/// Plays a match as x against somebody who always takes two, and returns what was answered.
fn play(remember: Option<Remember>, id: &str) -> Vec<Reply> {
    let style = Style { remember, ..Style::by_the_clock(1) };
    let margin = Margin(Duration::from_millis(500));
    let player = Player::new(Options { name: "me".to_owned(), margin, style, log: Log::none() });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let ask = |text: String| {
        let request = Request::read(text.as_bytes()).unwrap();
        runtime.block_on(player.answer(request, Instant::now()))
    };
    let mut replies = vec![ask(format!("(START {id} x ({SHEET}) 5 5)")), ask(format!("(PLAY {id} nil)"))];
    replies.push(ask(format!("(PLAY {id} (one noop))")));
    replies.push(ask(format!("(PLAY {id} (noop two))")));
    replies.push(ask(format!("(STOP {id} (one noop))")));
    // The thread says how it ended, and saves, before it is gone.
    std::thread::sleep(Duration::from_millis(300));
    replies
}

fn models(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    // What was found out about the sheet is another matter.
    let files = files.filter(|path| path.extension().is_none_or(|extension| extension != "study"));
    files.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn opponents_are_remembered() {
    let folder = std::env::temp_dir().join(format!("onlooker-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let remember = || Some(Remember { folder: folder.clone(), opponent: "a/b c".to_owned() });
    for times in 1..=3 {
        play(remember(), &format!("m{times}"));
        let kept = models(&folder);
        assert_eq!(kept.len(), 1);
        let model = OpponentModel::parse(&kept[0]).unwrap();
        assert_eq!((model.role.as_str(), model.turns()), ("o", times));
        assert!(
            kept[0].contains(&format!("move {times} two\n")) && kept[0].contains("learnt opponent a/b c"),
            "{}",
            kept[0]
        );
    }
    // Another opponent has a model of its own; a file that cannot be read is put aside.
    let mut files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let file = files.find(|path| path.extension().is_some_and(|extension| extension == "opponent")).unwrap();
    std::fs::write(&file, "opponent 1\nbroken").unwrap();
    play(remember(), "m4");
    play(Some(Remember { folder: folder.clone(), opponent: "other".to_owned() }), "m5");
    let mut kept = models(&folder);
    kept.sort();
    assert_eq!(kept.len(), 3);
    assert_eq!(kept.iter().filter(|text| text.contains("move 1 two\n")).count(), 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

//! Tactics of the chess fragment: what is learnt from one position, beside a solver that shares nothing with the library.

use onlooker::game::Chance;
use onlooker::tactics::{
    Argument, Checker, Example, LearnOptions, LessonError, Library, Name, Proof, Recogniser, RuleFile, State, Status,
    UpdateSystem, check_adequacy, check_known, check_rule, chess_system, describe_rule, draw_library, explain_lesson,
    in_line_system, learn_from_example,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

const SKEWER: &str = "example skewer\nchess 5 x 5\n\
    state on(e1,white-king) on(b1,white-bishop) on(c4,black-king) on(d5,black-queen)\n\
    moves white b1-a2 black c4-b4 white a2-d5\n";
const FORK: &str = "example fork\nchess 4 x 4\n\
    state on(c1,white-king) on(a1,white-knight) on(a3,black-king) on(d4,black-queen)\n\
    moves white a1-c2 black a3-a4 white c2-d4\n";
const MATE: &str = "example mate\nchess 5 x 5\n\
    state on(c3,white-king) on(e1,white-rook) on(c5,black-king)\n\
    moves white e1-e5 black c5-d5 white e5-d5\n";
const TWO_ROOKS: &str = "example two-rooks\nchess 4 x 4\n\
    state on(a1,white-king) on(d3,white-rook) on(c1,white-rook-2) on(a4,black-king)\n\
    moves white c1-c4 black a4-b4 white c4-b4\n";

/// A chess fragment of our own: pieces with player, kind and square.
#[derive(Clone)]
struct Board {
    width: i32,
    height: i32,
    pieces: Vec<Piece>,
}

/// Player, kind, and where it stands if it is not gone.
type Piece = (usize, char, Option<(i32, i32)>);

type Step = (usize, (i32, i32));

impl Board {
    fn at(&self, square: (i32, i32)) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.2 == Some(square))
    }

    fn moves(&self, player: usize) -> Vec<Step> {
        let mut found = Vec::new();
        for (piece, &(owner, kind, from)) in self.pieces.iter().enumerate() {
            let Some(from) = from.filter(|_| owner == player) else { continue };
            for dx in -2..=2i32 {
                for dy in -2..=2i32 {
                    let (straight, slanted) = ((dx == 0) != (dy == 0), dx.abs() == dy.abs() && dx != 0);
                    let one = dx.abs() <= 1 && dy.abs() <= 1;
                    let (goes, far) = match kind {
                        'k' => ((straight || slanted) && one, false),
                        'q' => ((straight || slanted) && one, true),
                        'r' => (straight && one, true),
                        'b' => (slanted && one, true),
                        _ => (dx.abs() * dy.abs() == 2, false),
                    };
                    let mut to = from;
                    loop {
                        to = (to.0 + dx, to.1 + dy);
                        if !goes || !(0..self.width).contains(&to.0) || !(0..self.height).contains(&to.1) {
                            break;
                        }
                        match self.at(to) {
                            Some(other) if self.pieces[other].0 == player => break,
                            other => found.push((piece, to, other.is_some())),
                        }
                        if !far || self.at(to).is_some() {
                            break;
                        }
                    }
                }
            }
        }
        found.into_iter().map(|(piece, to, _)| (piece, to)).collect()
    }

    /// The board after a move, and what the capture is worth.
    fn after(&self, (piece, to): Step) -> (Board, usize) {
        let (mut next, taken) = (self.clone(), self.at(to));
        let worth = taken.map_or(0, |taken| worth(self.pieces[taken].1));
        if let Some(taken) = taken {
            next.pieces[taken].2 = None;
        }
        next.pieces[piece].2 = Some(to);
        (next, worth)
    }

    fn can_take(&self, player: usize, least: usize) -> bool {
        self.moves(player).into_iter().any(|step| self.after(step).1 >= least)
    }

    /// Whether a move brings a capture of so much about within so many own moves, before the opponent makes one, and so that no answer takes as much;
    /// `None` if the opponent can take as much right after it.
    fn brings(&self, player: usize, step: Step, least: usize, within: u32) -> Option<bool> {
        let (next, worth) = self.after(step);
        if worth == KING {
            return Some(true);
        }
        if next.can_take(1 - player, least) {
            return None;
        }
        if worth >= least {
            return Some(true);
        }
        let replies = next.moves(1 - player);
        let loses = |&reply: &Step| {
            let after = next.after(reply).0;
            after.moves(player).into_iter().any(|step| after.brings(player, step, least, within - 1) == Some(true))
        };
        Some(within > 1 && !replies.is_empty() && replies.iter().all(loses))
    }
}

const KING: usize = 5;

fn worth(kind: char) -> usize {
    ['n', 'b', 'r', 'q', 'k'].iter().position(|known| *known == kind).unwrap() + 1
}

/// What an event is worth; a win if there is none.
fn event_worth(system: &UpdateSystem, event: Option<Name>) -> usize {
    event.map_or(KING, |event| match system.names.text(event) {
        "knight" => worth('n'),
        other => worth(other.chars().next().unwrap()),
    })
}

fn parts(piece: &str) -> (usize, char) {
    let mut words = piece.split('-');
    let player = usize::from(words.next() == Some("black"));
    let kind = words.next().unwrap();
    (player, if kind == "knight" { 'n' } else { kind.chars().next().unwrap() })
}

fn name(system: &UpdateSystem, text: &str) -> Name {
    system.names.find(text).unwrap_or_else(|| panic!("{text}"))
}

fn square_text(square: (i32, i32)) -> String {
    format!("{}{}", char::from(b'a' + square.0 as u8), square.1 + 1)
}

/// The pieces of a system, and the same position for both.
fn pieces(system: &UpdateSystem) -> Vec<String> {
    system.objects(name(system, "piece")).iter().map(|&piece| system.names.text(piece).to_owned()).collect()
}

fn state_of(system: &UpdateSystem, board: &Board) -> State {
    let fact = |predicate: &str, arguments: &[&str]| onlooker::tactics::Fact {
        predicate: name(system, predicate),
        arguments: arguments.iter().map(|text| name(system, text)).collect(),
    };
    let mut facts = BTreeSet::new();
    for (piece, &(_, _, square)) in pieces(system).iter().zip(&board.pieces) {
        facts.insert(match square {
            Some(square) => fact("on", &[&square_text(square), piece]),
            None => fact("gone", &[piece]),
        });
    }
    for x in 0..board.width {
        for y in 0..board.height {
            if board.at((x, y)).is_none() {
                facts.insert(fact("empty", &[&square_text((x, y))]));
            }
        }
    }
    State { facts }
}

/// Any position with the pieces of a system; kings are there, others may be gone.
fn random_board(system: &UpdateSystem, chance: &mut Chance, gone: usize) -> Board {
    let (width, height) = system.board.unwrap();
    let mut board = Board { width: width as i32, height: height as i32, pieces: Vec::new() };
    for piece in pieces(system) {
        let (player, kind) = parts(&piece);
        let square = loop {
            let square = (chance.below(width) as i32, chance.below(height) as i32);
            if board.at(square).is_none() {
                break square;
            }
        };
        let stays = kind == 'k' || chance.below(100) >= gone;
        board.pieces.push((player, kind, Some(square).filter(|_| stays)));
    }
    board
}

/// All positions in which every piece is there.
fn all_boards(system: &UpdateSystem) -> Vec<Board> {
    let (width, height) = system.board.map(|(width, height)| (width as i32, height as i32)).unwrap();
    let mut boards = vec![Board { width, height, pieces: Vec::new() }];
    for piece in pieces(system) {
        let (player, kind) = parts(&piece);
        let mut next = Vec::new();
        for board in &boards {
            for square in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                if board.at(square).is_none() {
                    let mut board = board.clone();
                    board.pieces.push((player, kind, Some(square)));
                    next.push(board);
                }
            }
        }
        boards = next;
    }
    boards
}

fn step_of(board: &Board, text: &str) -> Step {
    let place = |text: &str| {
        let bytes = text.as_bytes();
        (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
    };
    let (from, to) = text.split_once('-').unwrap();
    (board.at(place(from)).unwrap(), place(to))
}

fn learn(text: &str, places: u64) -> (Example, Library) {
    let example = Example::parse(text, None).unwrap();
    let mut library = Library::default();
    let options = LearnOptions { instances: places, ..LearnOptions::default() };
    let (system, state) = (&example.system, &example.state);
    let lessons = learn_from_example(system, &mut library, state, &example.moves, &example.name, &options).unwrap();
    assert!(!lessons.is_empty() && lessons.iter().all(|lesson| !explain_lesson(system, lesson).is_empty()));
    (example, library)
}

/// How often proved rules matched in so many random positions, or in all if that is 0, with either player to move, how often that was excused since the opponent takes as much at once, and where
/// the solver says otherwise.
fn compare(system: &UpdateSystem, library: &Library, positions: u64) -> (usize, usize, Vec<String>) {
    let (mut matched, mut excused, mut wrong) = (0, 0, Vec::new());
    let of = |event: Option<Name>| event.map_or_else(|| system.clone(), |event| system.for_event(event));
    let mut events: Vec<Option<Name>> = library.rules.iter().map(|rule| rule.event).collect();
    events.sort();
    events.dedup();
    for event in events {
        let recogniser = Recogniser::new(&of(event), library).unwrap();
        let least = event_worth(system, event);
        let random = (0..positions).map(|number| random_board(system, &mut Chance::stream(11, number), 10));
        let boards: Vec<Board> = if positions > 0 { random.collect() } else { all_boards(system) };
        for board in boards {
            let ground = recogniser.ground.state(&state_of(system, &board));
            for player in 0..2 {
                recogniser.each_match(&ground, player, &mut |threat| {
                    let rule = &library.rules[threat.rule];
                    if rule.status != Status::Proved {
                        return;
                    }
                    matched += 1;
                    let step = step_of(&board, system.names.text(threat.square));
                    match board.brings(player, step, least, rule.depth) {
                        Some(true) => {}
                        None => excused += 1,
                        Some(false) => wrong.push(format!("{} in {:?}", rule.name, board.pieces)),
                    }
                });
            }
        }
    }
    (matched, excused, wrong)
}

fn assert_sound(system: &UpdateSystem, library: &Library, positions: u64, least: usize) {
    let (matched, excused, wrong) = compare(system, library, positions);
    eprintln!("{}: {positions} positions, {matched} matches, {excused} excused, {} wrong", system.name, wrong.len());
    assert!(wrong.is_empty(), "{} of {matched}: {:?}", wrong.len(), wrong.first());
    assert!(matched - excused >= least, "{matched} matches, {excused} excused");
}

#[test]
fn moves_are_those_of_chess() {
    let text =
        "example all chess 6 x 5 state on(a1,white-king) on(b1,white-queen) on(c1,white-knight) on(d1,white-bishop)
        on(a5,black-king) on(b5,black-rook) on(c5,black-rook-2) moves white a1-a2";
    let system = Example::parse(text, None).unwrap().system;
    let report = check_adequacy(&system, 5, 1).unwrap();
    assert!(report.wins > 0);
    for number in 0..60 {
        let mut chance = Chance::stream(2, number);
        let board = random_board(&system, &mut chance, 30);
        let state = state_of(&system, &board);
        for player in 0..2 {
            let mut found: Vec<String> = state
                .legal(&system, system.players[player])
                .iter()
                .map(|&square| system.names.text(square).to_owned())
                .collect();
            let steps = board.moves(player);
            let mut expected: Vec<String> = steps
                .iter()
                .map(|&(piece, to)| format!("{}-{}", square_text(board.pieces[piece].2.unwrap()), square_text(to)))
                .collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected);
            // What each does is the same, and so is who has won.
            for step in steps {
                let text = format!("{}-{}", square_text(board.pieces[step.0].2.unwrap()), square_text(step.1));
                let mut after = state.play(&system, name(&system, &text), system.players[player]).unwrap().0;
                let (next, worth) = board.after(step);
                let won = after.facts.remove(&system.won_fact(system.players[player]));
                assert_eq!((after, won), (state_of(&system, &next), worth == KING));
            }
        }
    }
}

#[test]
fn the_skewer_is_learnt_from_one_position() {
    let (example, library) = learn(SKEWER, 20_000);
    let system = &example.system;
    let queen = name(system, "queen");
    let rule = library.rules.iter().find(|rule| rule.depth == 2).expect("the skewer");
    assert_eq!((rule.status, rule.event), (Status::Proved, Some(queen)));
    // Every reply loses the queen or the king at once; no flight of the king is named, and none of the queen's moves.
    let Some(Proof::Play { replies, otherwise, .. }) = &rule.proof else { panic!("{rule:?}") };
    assert!(replies.is_empty() && matches!(otherwise.as_deref(), Some(Proof::AtOnce(_))), "{rule:?}");
    assert!(matches!(rule.square, Argument::Variable(_)));
    assert!(describe_rule(system, rule).contains("brings about queen in 2 moves (proved)"));
    assert_sound(system, &library, 40_000, 100);
    // The page has the pieces on it.
    let page = draw_library("skewer", system, &library);
    assert!(page.contains(">Q</text>") && page.contains("queen in 2 moves"));
    // It survives as text, is checked as what it says it is, and is refuted as a win.
    let file = RuleFile { library, ..RuleFile::new("chess-fragment", system.clone()) };
    let text = file.to_string();
    assert!(text.contains("\n  for queen\n  depth 2 proved\n"), "{text}");
    let read = RuleFile::parse(&text).unwrap();
    assert_eq!(read.to_string(), text);
    let checker = Checker::new(&read.system);
    for rule in &read.library.rules {
        let checked = checker.check_rule(rule, 100_000).unwrap();
        assert!(checked.instances >= 8, "{}: {checked:?}", rule.name);
        let mut win = rule.clone();
        win.event = None;
        assert!(checker.check_rule(&win, 100_000).is_err(), "{}", rule.name);
        assert!(check_rule(&read.system, rule, 100_000).is_err(), "a rule for an event says nothing of wins");
    }
    let error = RuleFile::parse(&text.replace("for queen", "for pawn")).unwrap_err();
    assert!(error.problems[0].message.contains("found event \"pawn\", expected queen, bishop"), "{error}");
    assert_eq!(&error.text[error.problems[0].span.clone()], "pawn");
}

#[test]
fn the_fork_is_learnt_from_one_position() {
    let (example, library) = learn(FORK, 20_000);
    let rule = library.rules.iter().find(|rule| rule.depth == 2).expect("the fork");
    assert_eq!((rule.status, rule.event), (Status::Proved, Some(name(&example.system, "queen"))));
    assert_sound(&example.system, &library, 40_000, 100);
}

#[test]
fn mates_are_learnt_from_one_position() {
    for (text, positions, least) in [(MATE, 0, 20), (TWO_ROOKS, 40_000, 20)] {
        let (example, library) = learn(text, 20_000);
        let rule = library.rules.iter().find(|rule| rule.depth == 2).expect("the mate");
        assert_eq!((rule.status, rule.event), (Status::Proved, None), "{}", example.name);
        assert_sound(&example.system, &library, positions, least);
    }
}

/// What rules from random positions came to.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    examples: usize,
    proved: usize,
    per_position: usize,
    unproved: usize,
    matched: usize,
    advised: usize,
    wrong: usize,
}

/// Learns from random positions with random pieces in which the solver finds something that takes two moves, and has the solver judge what was learnt: proved
/// rules wherever they match, and what is advised.
fn rules_of_random_positions(seeds: std::ops::Range<u64>, places: u64, positions: u64) -> Count {
    let kinds = ["queen", "rook", "bishop", "knight"];
    let mut count = Count::default();
    for seed in seeds {
        let mut chance = Chance::stream(23, seed);
        let player = chance.below(2);
        let mut named = vec!["white-king".to_owned(), "black-king".to_owned()];
        named.push(format!("white-{}", kinds[chance.below(4)]));
        named.push(format!("black-{}", kinds[chance.below(4)]));
        let placed: Vec<(&str, &str)> = named.iter().map(String::as_str).zip(["a1", "a2", "a3", "a4"]).collect();
        let text = chess_system("random", 4, 4, &placed).unwrap();
        let system = UpdateSystem::parse(&text).unwrap();
        let prize = named.iter().map(|piece| parts(piece)).find(|&(owner, kind)| owner != player && kind != 'k');
        let prize = worth(prize.unwrap().1);
        // A position in which somebody can force something that no move takes at once.
        let found = (0..400).find_map(|_| {
            let board = random_board(&system, &mut chance, 0);
            let least = if chance.below(3) == 0 { KING } else { prize };
            let forces =
                |step: &Step| board.after(*step).1 < least && board.brings(player, *step, least, 2) == Some(true);
            let step = board.moves(player).into_iter().find(forces)?;
            Some((board, step, least))
        });
        let Some((board, step, least)) = found else { continue };
        let name_of = |board: &Board, (piece, to): Step| {
            name(&system, &format!("{}-{}", square_text(board.pieces[piece].2.unwrap()), square_text(to)))
        };
        let (player_name, other_name) = (system.players[player], system.players[1 - player]);
        let after = board.after(step).0;
        let replies = after.moves(1 - player);
        let reply = replies[chance.below(replies.len())];
        let answered = after.after(reply).0;
        let last =
            answered.moves(player).into_iter().find(|&last| answered.brings(player, last, least, 1) == Some(true));
        let moves = [
            (player_name, name_of(&board, step)),
            (other_name, name_of(&after, reply)),
            (player_name, name_of(&answered, last.unwrap())),
        ];
        let mut library = Library::default();
        let options = LearnOptions { instances: places, ..LearnOptions::default() };
        let state = state_of(&system, &board);
        learn_from_example(&system, &mut library, &state, &moves, "random", &options).unwrap();
        count.examples += 1;
        let of = |status: Status| library.rules.iter().filter(|rule| rule.status == status && rule.depth > 1).count();
        count.proved += of(Status::Proved);
        count.per_position += of(Status::PerPosition);
        count.unproved += of(Status::Unproved);
        let (matched, _, wrong) = compare(&system, &library, positions);
        assert_eq!(wrong, Vec::<String>::new(), "seed {seed}: {named:?}");
        (count.matched, count.wrong) = (count.matched + matched, count.wrong + wrong.len());
        let recogniser = Recogniser::new(&system, &library).unwrap().with_events(&library).unwrap();
        let others = (0..positions / 20).map(|number| random_board(&system, &mut Chance::stream(31, number), 10));
        for board in others.chain([board]) {
            for player in 0..2 {
                for advice in recogniser.advice(&state_of(&system, &board), system.players[player], &library) {
                    let least = event_worth(&system, advice.event);
                    let step = step_of(&board, system.names.text(advice.square));
                    let brings = board.brings(player, step, least, advice.depth);
                    assert_eq!(brings, Some(true), "seed {seed}: {advice:?} in {:?}", board.pieces);
                    count.advised += 1;
                }
            }
        }
    }
    count
}

#[test]
fn rules_from_random_positions_are_sound() {
    let count = rules_of_random_positions(0..16, 1_500, 2_000);
    assert!(count.examples >= 8 && count.proved >= 4 && count.matched > 500 && count.advised > 100, "{count:?}");
}

#[test]
#[ignore = "takes many minutes"]
fn rules_from_many_random_positions_are_sound() {
    let count = rules_of_random_positions(100..220, 6_000, 10_000);
    eprintln!("{count:?}");
    assert!(count.examples >= 60 && count.proved >= 30, "{count:?}");
}

#[test]
fn limited_replies_to_a_check_are_shown_one_by_one() {
    // The king has three squares to go to, and each of them loses to a mate: a ladder of two rooks.
    let text = "example ladder\nchess 6 x 5\n\
        state on(a1,white-king) on(f3,white-rook) on(e1,white-rook-2) on(b4,black-king)\n\
        moves white e1-e4 black b4-b5 white f3-f5 black b5-c5 white f5-c5\n";
    let (example, library) = learn(text, 3_000);
    let depths: Vec<(u32, Status)> = library.rules.iter().map(|rule| (rule.depth, rule.status)).collect();
    let ladder = library.rules.iter().find(|rule| rule.depth == 3).unwrap_or_else(|| panic!("{depths:?}"));
    let Some(Proof::Play { replies, otherwise, .. }) = &ladder.proof else { panic!("{ladder:?}") };
    assert!(!replies.is_empty() && matches!(otherwise.as_deref(), Some(Proof::AtOnce(_))), "{ladder:?}");
    assert!(ladder.status != Status::Unproved, "{depths:?}");
    // What is proved in each position holds in this one.
    let system = &example.system;
    let recogniser = Recogniser::new(system, &library).unwrap();
    let advice = recogniser.advice(&example.state, system.players[0], &library);
    assert!(advice.iter().any(|one| one.depth == 3 && system.names.text(one.square) == "e1-e4"), "{advice:?}");
    let (_, _, wrong) = compare(system, &library, 20_000);
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_was_not_forced_teaches_nothing_more() {
    // The king could have taken the bishop, which stands next to it.
    let text = SKEWER
        .replace("on(b1,white-bishop)", "on(c2,white-bishop)")
        .replace("b1-a2", "c2-b3")
        .replace("a2-d5", "b3-d5");
    let text = text.replace("c4-b4", "c4-c3");
    let example = Example::parse(&text, None).unwrap();
    let (mut library, options) = (Library::default(), LearnOptions::default());
    let (system, state) = (&example.system, &example.state);
    let lessons = learn_from_example(system, &mut library, state, &example.moves, "example", &options).unwrap();
    assert!(library.rules.iter().all(|rule| rule.depth == 1), "{:?}", library.rules);
    let said = explain_lesson(system, &lessons[0]).join(" ");
    assert!(said.contains("After c4-b3 nothing as good was found"), "{said}");
}

#[test]
fn what_was_lost_to_save_something_less_is_learnt_as_the_less() {
    // Black leaves the king in check to save the queen: the win was not forced, but one of both was.
    let text = FORK.replace("black a3-a4 white c2-d4", "black d4-d3 white c2-a3");
    let (example, library) = learn(&text, 5_000);
    let system = &example.system;
    let queen = Some(name(system, "queen"));
    let rules: Vec<(Option<Name>, u32)> = library.rules.iter().map(|rule| (rule.event, rule.depth)).collect();
    assert_eq!(rules, [(None, 1), (queen, 2)]);
    assert_sound(system, &library, 4_000, 100);
}

#[test]
fn advice_rests_on_the_proof_in_the_position() {
    let (example, library) = learn(SKEWER, 20_000);
    let (system, white) = (&example.system, example.system.players[0]);
    let base = Recogniser::new(system, &library).unwrap();
    let mut bits = base.ground.state(&example.state);
    // Nothing about events is relied on as a win.
    assert_eq!((base.winning(&mut bits, 0), base.count(&bits, 0)), (None, 0));
    let recogniser = base.with_events(&library).unwrap();
    let advice = recogniser.advice(&example.state, white, &library);
    let [best, ..] = &advice[..] else { panic!("the skewer is recognised") };
    assert_eq!((best.event, system.names.text(best.square)), (Some(name(system, "queen")), "b1-a2"));
    // The white king on the queen's line: the same rule matches, but the queen takes first.
    let mut board = random_board(system, &mut Chance::new(1), 0);
    board.pieces[0].2 = Some((3, 0));
    board.pieces[1].2 = Some((1, 0));
    board.pieces[2].2 = Some((2, 3));
    board.pieces[3].2 = Some((3, 4));
    assert_eq!(pieces(system), ["white-king", "white-bishop", "black-king", "black-queen"]);
    assert_eq!(recogniser.advice(&state_of(system, &board), white, &library), []);
}

#[test]
fn checkers_agree_where_something_is_not_known() {
    let example = Example::parse(FORK, None).unwrap();
    let queen = name(&example.system, "queen");
    let (mut accepted, mut refused) = (0, 0);
    for system in [example.system.clone(), example.system.for_event(queen)] {
        let checker = Checker::new(&system);
        for number in 0..400 {
            let mut chance = Chance::stream(5, number);
            let board = random_board(&system, &mut chance, 20);
            let mut known = state_of(&system, &board).facts;
            let steps = board.moves(0);
            let moved = |&(piece, to): &Step| {
                let text = format!("{}-{}", square_text(board.pieces[piece].2.unwrap()), square_text(to));
                Argument::Object(name(&system, &text))
            };
            // Moves that come to something are tried more often than others.
            let least = if system.event.is_some() { worth('q') } else { KING };
            let good: Vec<&Step> =
                steps.iter().filter(|&&step| board.brings(0, step, least, 2) == Some(true)).collect();
            let step = if good.is_empty() { steps[chance.below(steps.len())] } else { *good[chance.below(good.len())] };
            let proof = match board.after(step).1 >= least {
                true => Proof::Win(moved(&step)),
                false => Proof::Play {
                    square: moved(&step),
                    replies: Vec::new(),
                    otherwise: Some(Box::new(Proof::AtOnce(Vec::new()))),
                },
            };
            for _ in 0..3 {
                let fast = checker.check_known(&known, system.players[0], &proof);
                let plain = check_known(&system, &known, system.players[0], &proof);
                assert_eq!(fast.is_ok(), plain.is_ok(), "{fast:?} {plain:?} {proof:?} {:?}", board.pieces);
                if known.len() == state_of(&system, &board).facts.len() {
                    let holds = board.brings(0, step, least, proof.depth()) != Some(false);
                    assert_eq!(fast.is_ok(), holds, "{fast:?} {proof:?} {:?}", board.pieces);
                }
                if fast.is_ok() {
                    accepted += 1
                } else {
                    refused += 1
                }
                let gone = known.iter().nth(chance.below(known.len())).unwrap().clone();
                known.remove(&gone);
            }
        }
    }
    assert!(accepted > 50 && refused > 50, "{accepted} {refused}");
}

/// Whether a move brings the event of a system about within so many own moves, by playing everything out; `None` if the opponent can bring as much about right after it.
fn plainly_brings(derived: &UpdateSystem, state: &State, player: Name, square: Name, within: u32) -> Option<bool> {
    let other = derived.other(player);
    let mut after = state.play(derived, square, player)?.0;
    let achieved = after.winner(derived) == Some(player);
    if achieved {
        let outright =
            onlooker::tactics::Fact { predicate: derived.outright.unwrap(), arguments: [player].into_iter().collect() };
        if after.facts.contains(&outright) {
            return Some(true);
        }
        after.facts.remove(&derived.won_fact(player));
    }
    let replies = after.legal(derived, other);
    let answers = |&reply: &Name| after.play(derived, reply, other).unwrap().0.winner(derived) == Some(other);
    if replies.iter().any(answers) {
        return None;
    }
    if achieved || within == 1 || replies.is_empty() {
        return Some(achieved);
    }
    let loses = |&reply: &Name| {
        let next = after.play(derived, reply, other).unwrap().0;
        let mut moves = next.legal(derived, player).into_iter();
        moves.any(|square| plainly_brings(derived, &next, player, square, within - 1) == Some(true))
    };
    Some(replies.iter().all(loses))
}

#[test]
fn events_of_games_with_stones_are_learnt_and_sound_in_every_state() {
    // Two in a line that is still open.
    let text = in_line_system("pairs", ["x", "o"], 3, 3, 3, false) + "\nevent pair count(<w>,<player>,2)\n";
    let system = UpdateSystem::parse(&text).unwrap();
    let derived = system.for_event(name(&system, "pair"));
    let mut library = Library::default();
    for game in 0..25 {
        let (mut chance, mut state, mut moves) = (Chance::stream(9, game), system.start_state(), Vec::new());
        for ply in 0.. {
            let player = system.players[ply % 2];
            let legal = state.legal(&system, player);
            if legal.is_empty() {
                break;
            }
            let square = legal[chance.below(legal.len())];
            moves.push((player, square));
            state = state.play(&system, square, player).unwrap().0;
        }
        let start = system.start_state();
        let _ = learn_from_example(&system, &mut library, &start, &moves, "game", &LearnOptions::default());
    }
    let events: Vec<u32> = library.rules.iter().filter(|rule| rule.event.is_some()).map(|rule| rule.depth).collect();
    assert!(events.contains(&1) && events.iter().any(|&depth| depth > 1), "{events:?}");
    assert!(library.rules.iter().any(|rule| rule.event.is_none()), "wins are learnt beside them");
    let mut states = vec![system.start_state()];
    let mut seen: BTreeSet<BTreeSet<onlooker::tactics::Fact>> = BTreeSet::new();
    let (mut matched, mut wrong) = (0, Vec::new());
    while let Some(state) = states.pop() {
        if state.winner(&system).is_some() || !seen.insert(state.facts.clone()) {
            continue;
        }
        let taken = state.facts.iter().filter(|fact| fact.predicate == name(&system, "taken")).count();
        let player = system.players[taken % 2];
        states.extend(
            state.legal(&system, player).into_iter().map(|square| state.play(&system, square, player).unwrap().0),
        );
        for (number, rule) in library.rules.iter().enumerate() {
            if rule.event.is_none() || rule.status != Status::Proved {
                continue;
            }
            library.each_match(&derived, &state, player, number, &mut |threat| {
                matched += 1;
                if plainly_brings(&derived, &state, player, threat.square, rule.depth) == Some(false) {
                    wrong.push(rule.name.clone());
                }
                ControlFlow::Continue(())
            });
        }
    }
    assert!(seen.len() == 4520 + 16 && matched > 500 && wrong.is_empty(), "{} {matched} {wrong:?}", seen.len());
}

#[test]
fn our_examples_teach_what_they_are_about() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/games");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "example") {
            let example = Example::parse(&std::fs::read_to_string(&path).unwrap(), None).unwrap();
            // Few places are looked at: what is rarer is proved, the rest has its proof checked in each position.
            let (mut library, options) =
                (Library::default(), LearnOptions { instances: 300, ..LearnOptions::default() });
            let (system, state) = (&example.system, &example.state);
            learn_from_example(system, &mut library, state, &example.moves, &example.name, &options).unwrap();
            let recogniser = Recogniser::new(system, &library).unwrap().with_events(&library).unwrap();
            let advice = recogniser.advice(state, example.moves[0].0, &library);
            assert!(advice.iter().any(|one| (one.depth, one.square) == (2, example.moves[0].1)), "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 5, "{count}");
}

#[test]
fn wrong_examples_and_systems_are_refused_with_the_place() {
    for (old, new, at, says) in [
        ("example skewer", "exempel skewer", "exempel", "expected 'example'"),
        ("5 x 5", "5 x 9", "9", "a number from 3 to 8"),
        ("chess 5 x 5\n", "", "state", "expected 'chess' and the board"),
        ("white-bishop", "white-pawn", "on(b1,white-pawn)", "found piece \"white-pawn\""),
        ("on(e1,white-king)", "on(e6,white-king)", "on(e6,white-king)", "expected a free square"),
        ("on(b1,white-bishop)", "on(e1,white-bishop)", "on(e1,white-bishop)", "expected a free square"),
        ("on(b1,white-bishop)", "on(b1,white-king-2)", "on(b1,white-king-2)", "found 2 kings of white"),
        ("on(b1,white-bishop)", "on(b1,white-king)", "on(b1,white-king)", "again"),
        ("on(b1,white-bishop)", "on(b1,white-bishop) empty(b1)", "empty(b1)", "cannot hold beside on(b1,white-bishop)"),
        ("on(b1,white-bishop)", "won(white) on(b1,white-bishop)", "won(white)", "found another feature"),
        ("moves white", "moves green", "green", "expected white or black"),
        ("b1-a2", "b1-b2", "b1-b2", "expected a legal move of white, such as"),
        ("b1-a2", "b1-z9", "b1-z9", "expected a move of the system"),
        ("moves white b1-a2 black c4-b4 white a2-d5\n", "moves", "", "found the end"),
    ] {
        assert!(SKEWER.contains(old), "{old}");
        let text = SKEWER.replacen(old, new, 1);
        let error = Example::parse(&text, None).unwrap_err();
        let problem = &error.problems[0];
        assert!(problem.message.contains(says), "{new}: {}", problem.message);
        assert!(text[problem.span.start..].starts_with(at), "{new}: {:?}", &text[problem.span.start..]);
    }
    let good = Example::parse(SKEWER, None).unwrap().system.text;
    for (old, new, at, says) in [
        ("apart apart", "apart apart apart near", "apart near", "expected it once"),
        ("board 5 x 5", "board 9 x 5", "moves king", "expected one of at most 8 x 8"),
        ("moves king queen bishop", "moves pawn", "pawn", "kinds of pieces: king"),
        ("rim rim", "rim rim moves king", "moves", "expected it once"),
        ("by piece", "by thing", "on", "expected a type"),
        ("by piece", "by number", "on", "expected a feature with a number"),
        ("event bishop", "event queen", "queen gone", "again"),
        ("event bishop", "event won", "won gone", "another name"),
        ("event bishop gone(<x>)", "event bishop lost(<x>)", "lost", "declared above"),
        ("event bishop gone(<x>)", "event bishop kind(<x>,bishop)", "kind", "expected a feature"),
        ("kind(<x>,bishop) owner(<x>,<q>) other(<q>,<player>)", "", "bishop gone", "found no <player>"),
    ] {
        assert!(good.contains(old), "{old}: {good}");
        let text = good.replacen(old, new, 1);
        let error = UpdateSystem::parse(&text).unwrap_err();
        let problem = &error.problems[0];
        assert!(problem.message.contains(says), "{new}: {}", problem.message);
        assert!(text[problem.span.start..].starts_with(at), "{new}: {:?}", &text[problem.span.start..]);
    }
    // A capture that is not one: nothing came about.
    let text = SKEWER.replace(" white a2-d5", "");
    let example = Example::parse(&text, None).unwrap();
    let (system, options) = (&example.system, LearnOptions::default());
    let learnt =
        learn_from_example(system, &mut Library::default(), &example.state, &example.moves, "example", &options);
    assert_eq!(learnt, Err(LessonError::NotLost { moves: 2 }));
}

//! The sheets in `games/` are the catalogue's games: every state, move and goal of random walks, and perft.

use onlooker::game::{Chance, Game, GdlGame, Role, RulesGame, Term, catalogue_game, perft};
use onlooker::gdl::{Engine, GroundingLimits, Program};
use std::collections::BTreeMap;

fn sheet(name: &str, engine: Engine) -> GdlGame {
    let path = format!("{}/games/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let program = Program::read(&std::fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.warnings(), [], "{name}");
    let game = GdlGame::new(name, program, engine, &GroundingLimits::default()).unwrap();
    assert_eq!(game.network().is_ok(), engine == Engine::Fast, "{name}");
    game
}

/// The squares with something on them, in the words of the sheets.
fn cells(facts: &[Term]) -> Vec<String> {
    let cell = |fact: &Term| {
        let [column, row, content] = fact.arguments_of("cell")? else { return None };
        let content = match content.as_name()? {
            "blank" => return None,
            "X" | "p" | "black" => "x",
            "P" | "white" => "o",
            other => other,
        };
        Some(format!("{column} {row} {content}"))
    };
    let mut cells: Vec<String> = facts.iter().filter_map(cell).collect();
    cells.sort();
    cells
}

/// The states after each joint move, by their squares.
fn children<G: Game>(game: &G, state: &G::State) -> BTreeMap<Vec<String>, G::State> {
    let mut moves = Vec::new();
    let role = game.to_move(state).iter().next().unwrap();
    assert_eq!(game.to_move(state).len(), 1);
    game.legal(state, role, &mut moves);
    let child = |choice: &G::Move| {
        let mut child = state.clone();
        game.play(&mut child, std::slice::from_ref(choice));
        (cells(&game.facts(&child)), child)
    };
    let children: BTreeMap<_, _> = moves.iter().map(child).collect();
    assert_eq!(children.len(), moves.len());
    children
}

fn same_walks(rules: &RulesGame, sheet: &GdlGame, walks: u64) {
    for walk in 0..walks {
        let mut chance = Chance::stream(3, walk);
        let (mut one, mut other) = (rules.start(), sheet.start());
        loop {
            assert_eq!(cells(&rules.facts(&one)), cells(&sheet.facts(&other)));
            assert_eq!(rules.goals(&one), sheet.goals(&other));
            if rules.goals(&one).is_some() {
                break;
            }
            let (mut ours, mut theirs) = (children(rules, &one), children(sheet, &other));
            assert!(ours.keys().eq(theirs.keys()), "{:?}\n{:?}", ours.keys(), theirs.keys());
            let pick = ours.keys().nth(chance.below(ours.len())).unwrap().clone();
            one = ours.remove(&pick).unwrap();
            other = theirs.remove(&pick).unwrap();
        }
    }
}

#[test]
fn sheets_play_like_the_catalogue() {
    for (name, walks, depth) in
        [("tic-tac-toe", 50, 9), ("connect-four", 20, 6), ("breakthrough", 5, 3), ("go-moku", 2, 2)]
    {
        let rules = catalogue_game(name).unwrap();
        let fast = sheet(name, Engine::Fast);
        same_walks(&rules, &fast, walks);
        assert_eq!(perft(&fast, depth), perft(&rules, depth), "{name}");
        let plain = sheet(name, Engine::Prover);
        same_walks(&rules, &plain, walks / 5);
        let depth = if name == "go-moku" { 1 } else { 2 };
        assert_eq!(perft(&plain, depth), perft(&rules, depth), "{name}");
    }
}

/// What a game says of itself in a state: facts, legal moves of all roles, goals if it is over, and what is played.
struct Moment<'a> {
    facts: &'a [String],
    legal: &'a [Vec<String>],
    goals: Option<&'a [Option<u8>]>,
    played: &'a [String],
}

/// Shows every state of a random walk. Every other move is one of those that begin with `liked`, if there are any.
fn walk(game: &GdlGame, number: u64, liked: &str, see: &mut dyn FnMut(Moment)) {
    let mut chance = Chance::stream(11, number);
    let mut state = game.start();
    loop {
        let mut facts: Vec<String> = game.facts(&state).iter().map(ToString::to_string).collect();
        facts.sort();
        if let Some(goals) = game.goals(&state) {
            return see(Moment { facts: &facts, legal: &[], goals: Some(&goals), played: &[] });
        }
        let (mut all, mut joint, mut played) = (Vec::new(), Vec::new(), Vec::new());
        for role in (0..game.roles().len()).map(|role| Role(role as u8)) {
            if !game.to_move(&state).contains(role) {
                let only = game.only_move(&state, role).to_string();
                played.push(only.clone());
                all.push(vec![only]);
                continue;
            }
            let mut moves = Vec::new();
            game.legal(&state, role, &mut moves);
            let names = game.move_names(&state, role, &moves);
            let liked: Vec<usize> = (0..moves.len()).filter(|&at| names[at].starts_with(liked)).collect();
            let pick = match chance.below(2) {
                1 if !liked.is_empty() => liked[chance.below(liked.len())],
                _ => chance.below(moves.len()),
            };
            played.push(names[pick].clone());
            joint.push(moves.swap_remove(pick));
            all.push(names);
        }
        all.iter_mut().for_each(|moves| moves.sort());
        see(Moment { facts: &facts, legal: &all, goals: None, played: &played });
        game.play(&mut state, &joint);
    }
}

/// A fact of the form `(name part part)` by its parts.
fn parts<'a>(facts: &'a [String], name: &str) -> Vec<Vec<&'a str>> {
    let inner = facts.iter().map(|fact| fact.trim_matches(['(', ')']).split(' ').collect::<Vec<_>>());
    inner.filter(|parts| parts[0] == name).map(|parts| parts[1..].to_vec()).collect()
}

/// The maze once more, by hand: its walls are read off the sheet, everything else is written anew.
#[test]
fn the_mummy_hunts_as_it_should() {
    let text = std::fs::read_to_string(format!("{}/games/mummy-maze.kif", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let told: Vec<String> = text.lines().filter(|line| line.starts_with("(wall ")).map(str::to_owned).collect();
    let walls: Vec<(i32, i32, &str)> =
        parts(&told, "wall").iter().map(|wall| (wall[0].parse().unwrap(), wall[1].parse().unwrap(), wall[2])).collect();
    assert!(walls.len() > 20);
    let go = |(x, y): (i32, i32), direction: &str| {
        let (to, wall) = match direction {
            "east" => ((x + 1, y), (x, y, "east")),
            "west" => ((x - 1, y), (x - 1, y, "east")),
            "north" => ((x, y + 1), (x, y, "north")),
            "south" => ((x, y - 1), (x, y - 1, "north")),
            _ => return Some((x, y)),
        };
        let inside = (1..=8).contains(&to.0) && (1..=8).contains(&to.1);
        (inside && !walls.contains(&wall)).then_some(to)
    };
    let hunt = |(x, y): (i32, i32), (there, line): (i32, i32)| {
        let across = if there > x { "east" } else { "west" };
        let along = if line > y { "north" } else { "south" };
        if there != x && go((x, y), across).is_some() {
            across
        } else if line != y && go((x, y), along).is_some() {
            along
        } else {
            "nowhere"
        }
    };
    let (mut escaped, mut caught, mut late) = (0, 0, 0);
    for engine in [Engine::Fast, Engine::Prover] {
        let game = sheet("mummy-maze", engine);
        for number in 0..if engine == Engine::Fast { 400 } else { 20 } {
            let mut expected = ((3, 3), (6, 7), true, 0);
            walk(&game, number, "(move", &mut |Moment { facts, legal, goals, played }| {
                let (explorer, mummy, explorers_turn, step) = expected;
                let told = [
                    format!("(at explorer {} {})", explorer.0, explorer.1),
                    format!("(at mummy {} {})", mummy.0, mummy.1),
                    format!("(control {})", if explorers_turn { "explorer" } else { "mummy" }),
                    format!("(step {step})"),
                ];
                assert_eq!(facts, told);
                let over = if explorer == mummy {
                    caught += 1;
                    Some([Some(0), Some(100)])
                } else if explorer == (8, 1) {
                    escaped += 1;
                    Some([Some(100), Some(0)])
                } else if step == 100 {
                    late += 1;
                    Some([Some(50), Some(50)])
                } else {
                    None
                };
                assert_eq!(goals, over.as_ref().map(|goals| goals.as_slice()), "{facts:?}");
                if over.is_some() {
                    return;
                }
                let first = hunt(mummy, explorer);
                let between = go(mummy, first).unwrap();
                let second = hunt(between, explorer);
                let directions = ["east", "north", "nowhere", "south", "west"];
                let free = directions.iter().filter(|direction| go(explorer, direction).is_some());
                let (moves, hunts) = if explorers_turn {
                    (
                        free.map(|direction| format!("(move {direction})")).collect(),
                        "(move2 nowhere nowhere)".to_owned(),
                    )
                } else {
                    (vec!["(move nowhere)".to_owned()], format!("(move2 {first} {second})"))
                };
                assert_eq!(legal, [moves, vec![hunts]]);
                let direction = played[0].trim_end_matches(')').split(' ').next_back().unwrap();
                let mummy = if explorers_turn { mummy } else { go(between, second).unwrap() };
                expected = (go(explorer, direction).unwrap(), mummy, !explorers_turn, step + 1);
            });
        }
    }
    assert!(escaped > 3 && caught > 100 && late > 3, "{escaped} {caught} {late}");
}

/// The race once more, by hand.
#[test]
fn the_race_is_run_as_it_should() {
    #[derive(Clone, PartialEq, Debug)]
    struct Lane {
        pawn: (i32, i32),
        walls: Vec<(i32, String)>,
        supply: usize,
    }
    let ends = |sheet: &GdlGame, walks: u64| {
        let mut ends = BTreeMap::new();
        for number in 0..walks {
            let lane = Lane { pawn: (2, 1), walls: Vec::new(), supply: 4 };
            let mut expected = ([lane.clone(), lane], 0);
            walk(sheet, number, "(move", &mut |Moment { facts, legal, goals, played }| {
                let (lanes, step) = expected.clone();
                let mut told = vec![format!("(step {step})")];
                for (name, lane) in ["white", "black"].iter().zip(&lanes) {
                    told.push(format!("(pawn {name} {} {})", lane.pawn.0, lane.pawn.1));
                    told.push(format!("(walls {name} {})", lane.supply));
                    told.extend(lane.walls.iter().map(|(row, side)| format!("(wall {name} {row} {side})")));
                }
                told.sort();
                assert_eq!(facts, told);
                let home = [0, 1].map(|player: usize| lanes[player].pawn.1 == 5);
                let over = match home {
                    [true, false] => Some([100, 0]),
                    [false, true] => Some([0, 100]),
                    [true, true] => Some(match lanes[0].supply.cmp(&lanes[1].supply) {
                        std::cmp::Ordering::Greater => [100, 0],
                        std::cmp::Ordering::Less => [0, 100],
                        std::cmp::Ordering::Equal => [50, 50],
                    }),
                    [false, false] => (step == 20).then_some([50, 50]),
                };
                assert_eq!(goals, over.map(|goals| goals.map(Some)).as_ref().map(|goals| goals.as_slice()));
                if let Some(goals) = over {
                    *ends.entry((home, goals)).or_insert(0) += 1;
                    return;
                }
                let moves = [0, 1].map(|player: usize| {
                    let (lane, other) = (&lanes[player], &lanes[1 - player]);
                    let (x, y) = lane.pawn;
                    let covers = |side: &str| if side == "left" { [1, 2] } else { [2, 3] };
                    let covered = lane.walls.iter().any(|(row, side)| *row == y && covers(side).contains(&x));
                    let ahead = (!covered).then_some((x, y + 1));
                    let steps = [Some((x - 1, y)), Some((x + 1, y)), ahead].into_iter().flatten();
                    let steps = steps
                        .filter(|to| (1..=3).contains(&to.0))
                        .map(|to| format!("(move {x} {y} {} {})", to.0, to.1));
                    let open = (1..=4).filter(|row| lane.supply > 0 && other.walls.iter().all(|(at, _)| at != row));
                    let builds = open.flat_map(|row| ["left", "right"].map(|side| format!("(build {row} {side})")));
                    let mut moves: Vec<String> = steps.chain(builds).collect();
                    moves.sort();
                    moves
                });
                assert_eq!(legal, moves);
                let mut next = lanes;
                for (player, played) in played.iter().enumerate() {
                    let parts: Vec<&str> = played.trim_matches(['(', ')']).split(' ').collect();
                    if parts[0] == "move" {
                        next[player].pawn = (parts[3].parse().unwrap(), parts[4].parse().unwrap());
                    } else {
                        next[player].supply -= 1;
                        next[1 - player].walls.push((parts[1].parse().unwrap(), parts[2].to_owned()));
                    }
                }
                expected = (next, step + 1);
            });
        }
        ends
    };
    ends(&sheet("racetrack", Engine::Prover), 30);
    let seen = ends(&sheet("racetrack", Engine::Fast), 20_000);
    // Every kind of end was there to be compared.
    for end in [
        ([true, false], [100, 0]),
        ([false, true], [0, 100]),
        ([true, true], [50, 50]),
        ([true, true], [100, 0]),
        ([true, true], [0, 100]),
        ([false, false], [50, 50]),
    ] {
        assert!(seen.contains_key(&end), "{end:?} is not in {seen:?}");
    }
}

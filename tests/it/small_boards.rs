//! Rules on boards of 4 x 4 to 6 x 6, against a solver that knows the game only as stones in lines: no rule in use may be wrong anywhere.

use onlooker::game::Chance;
use onlooker::tactics::{
    ForcedWins, Foresight, GroundState, LearnOptions, Library, MoveId, Name, Recogniser, Status, UpdateSystem,
    in_line_system, learn_from_game,
};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// K in a line on plain arrays, solved without any rules.
struct Lines {
    windows: Vec<u64>,
    squares: u32,
    known: HashMap<(u64, u64), i8>,
    left: u64,
}

impl Lines {
    fn new(side: i32, length: i32) -> Lines {
        let mut windows = Vec::new();
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let at = |step: i32| (x + dx * step, y + dy * step);
                let inside = |(x, y): (i32, i32)| (0..side).contains(&x) && (0..side).contains(&y);
                if inside(at(length - 1)) {
                    windows.push((0..length).map(at).fold(0, |bits, (x, y)| bits | 1 << (y * side + x)));
                }
            }
        }
        Lines { windows, squares: (side * side) as u32, known: HashMap::new(), left: 0 }
    }

    fn has_line(&self, stones: u64) -> bool {
        self.windows.iter().any(|window| stones & window == *window)
    }

    /// The squares that complete a line of `own` where `other` has nothing.
    fn completing(&self, own: u64, other: u64) -> u64 {
        let open = self.windows.iter().filter(|&&window| window & other == 0 && (window & !own).count_ones() == 1);
        open.fold(0, |found, window| found | window & !own)
    }

    /// 1 if the player to move, who has `own`, wins, -1 if it loses, 0 if neither; `None` if that takes too long.
    fn value(&mut self, own: u64, other: u64) -> Option<i8> {
        if self.completing(own, other) != 0 {
            return Some(1);
        }
        let empty = !(own | other) & ((1 << self.squares) - 1);
        if empty == 0 {
            return Some(0);
        }
        if let Some(&value) = self.known.get(&(own, other)) {
            return Some(value);
        }
        self.left = self.left.checked_sub(1)?;
        let urgent = self.completing(other, own);
        let mut moves = if urgent != 0 { urgent } else { empty };
        let mut best = -1;
        // A line that nobody can make any more is worth nothing to anybody.
        if self.windows.iter().all(|window| window & own != 0 && window & other != 0) {
            return Some(0);
        }
        while moves != 0 && best < 1 {
            let square = moves & moves.wrapping_neg();
            moves &= moves - 1;
            best = best.max(-self.value(other, own | square)?);
        }
        self.known.insert((own, other), best);
        Some(best)
    }
}

/// Stones at random, as many of both or one more of the first player.
fn strewn(chance: &mut Chance, squares: usize, stones: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..squares).collect();
    for at in 0..stones {
        order.swap(at, at + chance.below(squares - at));
    }
    order.truncate(stones);
    order
}

/// Learns from games in which both sides look one threat ahead and move at random otherwise.
fn learnt(system: &UpdateSystem, games: u64) -> Library {
    let mut library = Library::default();
    let mut lessons = 0;
    for game in 0..1000 {
        if lessons == games {
            break;
        }
        let mut chance = Chance::stream(5, game);
        let recogniser = Recogniser::new(system, &library).unwrap();
        let ground = &recogniser.ground;
        let mut state = ground.state(&system.start_state());
        let mut moves: Vec<(Name, Name)> = Vec::new();
        while ground.winner(&state).is_none() {
            let player = moves.len() % 2;
            let legal = ground.legal(&mut state, player);
            let Some(&any) = legal.get(chance.below(legal.len().max(1))) else { break };
            let win = recogniser.wins_at_once(&mut state, player).first().copied();
            let parry = recogniser.wins_at_once(&mut state, 1 - player).first().map(|id| MoveId(id.0 ^ 1));
            let id = win.or(parry).unwrap_or(any);
            ground.play(&mut state, id).unwrap();
            moves.push((system.players[player], ground.square(id)));
        }
        if ground.winner(&state).is_some() {
            lessons += 1;
            let options = LearnOptions { instances: 500, ..LearnOptions::default() };
            learn_from_game(system, &mut library, &system.start_state(), &moves, "game", &options).unwrap();
        }
    }
    library
}

/// Positions in which rules of a board claimed a win, all of them right; how often the solver gave up.
fn claims(side: i32, length: i32, games: u64, positions: u64) -> (usize, usize, usize) {
    let text = in_line_system("lines", ["x", "o"], side as usize, side as usize, length as usize, false);
    let system = UpdateSystem::parse(&text).unwrap();
    let library = learnt(&system, games);
    let used = library.rules.iter().filter(|rule| rule.status != Status::Unproved).count();
    let recogniser = Recogniser::new(&system, &library).unwrap();
    let ground = &recogniser.ground;
    let mut lines = Lines::new(side, length);
    let (mut claimed, mut open) = (0, 0);
    for number in 0..positions {
        let mut chance = Chance::stream(6, number);
        let squares = (side * side) as usize;
        let least = if squares > 16 { squares - 13 } else { squares / 4 };
        let stones = least + chance.below(squares - least);
        let order = strewn(&mut chance, squares, stones);
        let mut stones = [0u64; 2];
        let mut state: GroundState = ground.state(&system.start_state());
        for (at, &square) in order.iter().enumerate() {
            stones[at % 2] |= 1 << square;
            ground.play(&mut state, MoveId((square * 2 + at % 2) as u32)).unwrap();
        }
        if stones.iter().any(|&stones| lines.has_line(stones)) {
            continue;
        }
        let player = order.len() % 2;
        let stop = AtomicBool::new(false);
        // By rules alone, by threats that lead to one, and by attacks.
        let foresight = Foresight { threats: 3, attacks: 2, nodes: 500 };
        let mut search = ForcedWins::new(&recogniser, foresight, &stop);
        let by_rule = recogniser.winning(&mut state, player).map(|found| found.best);
        let found = search.find(&mut state, player);
        let found = found.and_then(|win| ground.move_id(win.square, system.players[player]));
        for id in [by_rule, found].into_iter().flatten() {
            claimed += 1;
            lines.left = 50_000;
            let own = stones[player] | 1 << (id.0 / 2);
            if lines.has_line(own) {
                continue;
            }
            match lines.value(stones[1 - player], own) {
                Some(value) => assert_eq!(value, -1, "{side} x {side}, {length} in a line: {order:?}, move {id:?}"),
                None => open += 1,
            }
        }
        if lines.known.len() > 2_000_000 {
            lines.known.clear();
        }
    }
    assert!(used > 0, "no rules on {side} x {side}");
    (used, claimed, open)
}

#[test]
fn no_rule_is_wrong_on_small_boards() {
    for (side, length) in [(4, 3), (4, 4), (5, 4), (6, 4)] {
        let (used, claimed, open) = claims(side, length, 4, 1000);
        println!(
            "{side} x {side}, {length} in a line: {used} rules, {claimed} claims, {open} not decided by the solver"
        );
        assert!(claimed > 20 && open * 5 <= claimed, "{side} x {side}, {length}: {claimed} claims, {open} open");
    }
}

/// `cargo test --release --test it many_positions_of_small_boards -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn no_rule_is_wrong_in_many_positions_of_small_boards() {
    for (side, length) in [(4, 3), (4, 4), (5, 3), (5, 4), (6, 4), (6, 5)] {
        let (used, claimed, open) = claims(side, length, 10, 20_000);
        println!(
            "{side} x {side}, {length} in a line: {used} rules, {claimed} claims, {open} not decided by the solver"
        );
        assert!(open * 5 <= claimed, "{side} x {side}, {length}: {claimed} claims, {open} open");
    }
}

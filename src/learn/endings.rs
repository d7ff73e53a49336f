//! How games end: goal squares, being unable to move, and the longest a game may last.
//!
//! From papers/1, section 3.4 (Björnsson 2012): for every game that was won, the piece that moved last and the square
//! it went to are a goal; more than two goals on a rank or file make the whole line one, unless a piece came there and
//! the game went on.

use super::Evidence;
use super::boards::Situations;
use super::evidence::NO_SQUARE;
use super::movement::{PLAYERS, cell_of};
use crate::board::{Cell, Piece, Player, Position, Shape, Square};
use crate::observe::Outcome;
use crate::rules::{Area, Condition, Ending, Engine, Rules, Side, Verdict, Zone};
use std::collections::{BTreeMap, BTreeSet};

/// The endings, with how many games ended so, and the games that no ending explains.
pub(super) struct Ended {
    pub zones: Vec<Zone>,
    pub endings: Vec<Ending>,
    pub games: Vec<u64>,
    pub unexplained: Vec<String>,
}

/// A position in which games ended.
struct Final {
    just_moved: Player,
    outcome: Outcome,
    /// What the last move moved, and where it went, as that player sees the board.
    last: Option<(Cell, Square)>,
    /// Whether the player to move has no move.
    stuck: bool,
    games: u64,
    position: Position,
}

/// Goals: pieces, as the first player has them, that end the game on some squares, as their player sees the board.
#[derive(Clone, Default)]
struct Goal {
    pieces: BTreeSet<Cell>,
    squares: BTreeSet<Square>,
}

/// Learns the endings of rules that have everything else.
pub(super) fn endings(evidence: &Evidence, situations: &Situations, rules: &Rules) -> Ended {
    let mut finals = finals(situations, rules);
    let mut ended = Ended { zones: Vec::new(), endings: Vec::new(), games: Vec::new(), unexplained: Vec::new() };
    let arrivals = Arrivals { evidence, shape: situations.shape };
    for (outcome, verdict) in [(Outcome::Won, Verdict::Win), (Outcome::Lost, Verdict::Lose)] {
        let decided = |player: Player| {
            let mut wins: BTreeMap<Cell, BTreeSet<Square>> = BTreeMap::new();
            for end in finals.iter().filter(|end| end.outcome == outcome && !end.stuck && end.just_moved == player) {
                if let Some((piece, square)) = end.last.filter(|last| !arrivals.went_on(&[player], last.0, last.1)) {
                    wins.entry(piece).or_default().insert(square);
                }
            }
            wins
        };
        let wins = PLAYERS.map(decided);
        let mut both = wins[0].clone();
        for (piece, squares) in &wins[1] {
            both.entry(*piece).or_default().extend(squares);
        }
        let alike = both
            .iter()
            .all(|(&piece, squares)| squares.iter().all(|&square| !arrivals.went_on(&PLAYERS, piece, square)));
        if alike {
            for goal in arrivals.goals(&PLAYERS, &both) {
                ended.add_goal(Side::Both, verdict, &goal, rules, &mut finals);
            }
        } else {
            for player in PLAYERS {
                for goal in arrivals.goals(&[player], &wins[player.index()]) {
                    ended.add_goal(Side::Only(player), verdict, &goal, rules, &mut finals);
                }
            }
        }
    }
    ended.add_stuck(&mut finals);
    ended.add_plies(evidence, &mut finals);
    let left: u64 = finals.iter().map(|end| end.games).sum();
    if let Some(end) = finals.first() {
        let how = match end.outcome {
            Outcome::Won => "won",
            Outcome::Lost => "lost",
            Outcome::Tied => "tied",
        };
        let games = if left == 1 { "game that ended" } else { "games that ended" };
        let rows = end.position.to_string().lines().collect::<Vec<_>>().join("/");
        ended.unexplained.push(format!("{left} {games} in another way, the first {how} in {rows}"));
    }
    ended
}

fn finals(situations: &Situations, rules: &Rules) -> Vec<Final> {
    let shape = situations.shape;
    let stuck = Ending { side: Side::Both, verdict: Verdict::Win, when: Condition::CannotMove };
    let engine = Engine::compile(&Rules { endings: vec![stuck], learnt: None, ..rules.clone() }).ok();
    let mut finals = Vec::new();
    for (head, key, count) in situations.iter() {
        let Some(outcome) = head.outcome else { continue };
        let mut position = Position::empty(shape);
        shape.all().for_each(|square| position.set(square, situations.at(key, square)));
        let just_moved = if rules.players.len() == 2 { head.turn.other() } else { head.turn };
        let last = match situations.packing.tail(key) {
            [low, high] => Some(u16::from_le_bytes([*low, *high])).filter(|&square| square != NO_SQUARE),
            _ => None,
        };
        let last = last.map(|square| {
            let square = Square(square);
            (cell_of(just_moved, position.at(square)), seen(just_moved, shape, square))
        });
        let state = engine.as_ref().and_then(|engine| engine.state(&position, head.turn, 0).ok());
        let stuck = engine.as_ref().zip(state).is_some_and(|(engine, state)| engine.verdict(&state).is_some());
        finals.push(Final { just_moved, outcome, last, stuck, games: u64::from(count), position });
    }
    finals
}

/// A square as a player sees it, or the other way round.
fn seen(player: Player, shape: Shape, square: Square) -> Square {
    if player == Player::First { square } else { shape.mirrored(square) }
}

/// Where pieces came to while games went on.
struct Arrivals<'e> {
    evidence: &'e Evidence,
    shape: Shape,
}

impl Arrivals<'_> {
    /// Whether a piece of one of the players came to a square, as the player sees both, and the game went on.
    fn went_on(&self, players: &[Player], piece: Cell, square: Square) -> bool {
        players.iter().any(|&player| {
            let arrival = (cell_of(player, piece), seen(player, self.shape, square));
            self.evidence.arrivals.contains_key(&arrival)
        })
    }

    /// Goals that account for the squares on which pieces won: pieces share a goal where nothing speaks against it.
    fn goals(&self, players: &[Player], wins: &BTreeMap<Cell, BTreeSet<Square>>) -> Vec<Goal> {
        let mut wins: Vec<_> = wins.iter().collect();
        wins.sort_by_key(|(_, squares)| std::cmp::Reverse(squares.len()));
        let mut goals: Vec<Goal> = Vec::new();
        for (&piece, squares) in wins {
            let joined = goals.iter().position(|goal| {
                let joined = self.widened(players, goal, piece, squares);
                joined.squares.iter().all(|&s| joined.pieces.iter().all(|&p| !self.went_on(players, p, s)))
            });
            match joined {
                Some(at) => goals[at] = self.widened(players, &goals[at], piece, squares),
                None => goals.push(self.widened(players, &Goal::default(), piece, squares)),
            }
        }
        goals
    }

    /// A goal with a piece and squares more, where three squares of a line stand for the whole line if no piece of the
    /// goal came to another square of it without ending the game.
    fn widened(&self, players: &[Player], goal: &Goal, piece: Cell, squares: &BTreeSet<Square>) -> Goal {
        let mut wide = goal.clone();
        wide.pieces.insert(piece);
        wide.squares.extend(squares);
        let lines = |line_of: fn(Shape, Square) -> usize, count: usize| -> Vec<Vec<Square>> {
            (0..count).map(|n| self.shape.all().filter(|&s| line_of(self.shape, s) == n).collect()).collect()
        };
        let (ranks, files) = (lines(Shape::rank, self.shape.height()), lines(Shape::file, self.shape.width()));
        let seen = wide.squares.clone();
        for line in ranks.into_iter().chain(files) {
            let goals = line.iter().filter(|square| seen.contains(square)).count();
            let free = |&square: &Square| wide.pieces.iter().all(|&piece| !self.went_on(players, piece, square));
            if goals > 2 && line.iter().all(free) {
                wide.squares.extend(line);
            }
        }
        wide
    }
}

impl Ended {
    /// Adds an ending, and takes away the games that it accounts for.
    fn add(&mut self, ending: Ending, finals: &mut Vec<Final>, accounts: impl Fn(&Final) -> bool) {
        let (explained, left) = finals.drain(..).partition(|end| accounts(end));
        *finals = left;
        let explained: Vec<Final> = explained;
        self.games.push(explained.iter().map(|end| end.games).sum());
        self.endings.push(ending);
    }

    fn add_goal(&mut self, side: Side, verdict: Verdict, goal: &Goal, rules: &Rules, finals: &mut Vec<Final>) {
        let shape = rules.setup.shape();
        let known = rules.pieces();
        let owner = if side == Side::Only(Player::Second) { Player::Second } else { Player::First };
        let pieces = goal.pieces.iter().filter_map(|&cell| cell_of(owner, cell).piece());
        let pieces: Vec<Piece> = pieces.filter(|piece| known.contains(piece)).collect();
        // Where the movement was not learnt, the rules may not know how a piece ever came to be there.
        if pieces.is_empty() {
            return;
        }
        let squares: BTreeSet<Square> = goal.squares.iter().map(|&square| seen(owner, shape, square)).collect();
        let areas = areas(&squares, &rules.setup);
        let zone = self.zones.iter().find(|zone| zone.areas == areas).map(|zone| zone.name.clone());
        let zone = zone.unwrap_or_else(|| {
            let last = shape.height() as u8 - 1;
            let far = areas == [Area::Ranks(last, last)];
            let number = self.zones.len() + 1;
            let name = match far {
                true => "far".to_owned(),
                false if number == 1 => "goal".to_owned(),
                false => format!("goal-{number}"),
            };
            self.zones.push(Zone { name: name.clone(), areas });
            name
        });
        let ending = Ending { side, verdict, when: Condition::On { pieces, zone } };
        self.add(ending, finals, |end| {
            let reached = end.last.is_some_and(|(cell, at)| goal.pieces.contains(&cell) && goal.squares.contains(&at));
            reached && side.is_for(end.just_moved) && end.outcome == outcome_of(verdict)
        });
    }

    /// What it means that the next player cannot move: what it meant most often, and if it was never seen, a loss.
    fn add_stuck(&mut self, finals: &mut Vec<Final>) {
        let games = |verdict: Verdict| -> u64 {
            let stuck = finals.iter().filter(|end| end.stuck && end.outcome == outcome_of(verdict));
            stuck.map(|end| end.games).sum()
        };
        let verdicts = [Verdict::Lose, Verdict::Tie, Verdict::Win];
        let verdict = verdicts.into_iter().max_by_key(|&verdict| games(verdict)).unwrap_or(Verdict::Win);
        let ending = Ending { side: Side::Both, verdict, when: Condition::CannotMove };
        self.add(ending, finals, |end| end.stuck && end.outcome == outcome_of(verdict));
    }

    /// A limit, if all other ties came after the same number of plies, and no game went on for longer.
    fn add_plies(&mut self, evidence: &Evidence, finals: &mut Vec<Final>) {
        let left: u64 = finals.iter().filter(|end| end.outcome == Outcome::Tied).map(|end| end.games).sum();
        let limit = evidence.ties.iter().next_back().filter(|(plies, _)| **plies > evidence.counts.longest);
        if let Some((&plies, &games)) = limit
            && left > 0
            && games >= left
        {
            let ending = Ending { side: Side::Both, verdict: Verdict::Tie, when: Condition::Plies(plies) };
            self.add(ending, finals, |end| end.outcome == Outcome::Tied);
        }
    }
}

fn outcome_of(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Win => Outcome::Won,
        Verdict::Lose => Outcome::Lost,
        Verdict::Tie => Outcome::Tied,
    }
}

/// Squares as whole ranks and files as far as they go, and single ones.
fn areas(squares: &BTreeSet<Square>, setup: &Position) -> Vec<Area> {
    let shape = setup.shape();
    let whole = |line_of: fn(Shape, Square) -> usize, n: usize| {
        let mut line = shape.all().filter(|&s| line_of(shape, s) == n && setup.at(s) != Cell::HOLE).peekable();
        line.peek().is_some() && line.all(|square| squares.contains(&square))
    };
    let runs = |line_of: fn(Shape, Square) -> usize, count: usize| {
        let mut runs: Vec<(u8, u8)> = Vec::new();
        for n in (0..count).filter(|&n| whole(line_of, n)) {
            match runs.last_mut() {
                Some(run) if usize::from(run.1) + 1 == n => run.1 = n as u8,
                _ => runs.push((n as u8, n as u8)),
            }
        }
        runs
    };
    let mut areas: Vec<Area> = runs(Shape::rank, shape.height()).iter().map(|run| Area::Ranks(run.0, run.1)).collect();
    let zone = |areas: Vec<Area>| Zone { name: String::new(), areas };
    let ranks = zone(areas.clone());
    let files = runs(Shape::file, shape.width()).into_iter().filter(|&(from, to)| {
        let files = zone(vec![Area::Files(from, to)]);
        squares.iter().any(|&square| files.contains(shape, square) && !ranks.contains(shape, square))
    });
    areas.extend(files.map(|run| Area::Files(run.0, run.1)));
    let lines = zone(areas.clone());
    let single = squares.iter().filter(|&&square| !lines.contains(shape, square));
    let single: Vec<(u8, u8)> = single.map(|&s| (shape.file(s) as u8, shape.rank(s) as u8)).collect();
    if !single.is_empty() {
        areas.push(Area::Squares(single));
    }
    areas
}

//! How games end: lines, goal squares, how many pieces are left, being unable to move, and the longest a game may last.
//!
//! From Y. Björnsson, Learning Rules of Simplified Boardgames by Observing (ECAI 2012), section 3.4: for every game that was won, the piece that moved last and the square
//! it went to are a goal; more than two goals on a rank or file make the whole line one, unless a piece came there and
//! the game went on.

use super::boards::Boards;
use super::evidence::{Evidence, Tail};
use super::learnt::Unexplained;
use super::perspective::{PLAYERS, cell_of, square_of};
use super::situations::Situations;
use crate::board::{Cell, Piece, Player, Position, Shape, Square};
use crate::observe::Outcome;
use crate::rules::{Area, Condition, Ending, Engine, Rules, Side, Start, Verdict, Zone};
use std::collections::{BTreeMap, BTreeSet};

/// The endings, with how many games ended so, and the games that no ending explains.
pub(super) struct Ended {
    pub zones: Vec<Zone>,
    pub endings: Vec<Ending>,
    pub games: Vec<u64>,
    pub unexplained: Vec<Unexplained>,
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

/// What was seen while games went on, for the player who had just moved.
#[derive(Clone, Debug, Default)]
pub(super) struct GoingOn {
    /// The most pieces side by side in a line.
    pub longest_line: [u16; 2],
    /// How many pieces there were.
    pub left: [BTreeSet<u16>; 2],
}

impl GoingOn {
    pub fn of(boards: &[Boards; 2], two: bool) -> GoingOn {
        let mut going_on = GoingOn::default();
        for player in PLAYERS {
            let boards = &boards[if two { player.other() } else { player }.index()];
            let pieces = if two { &boards.enemy } else { &boards.own };
            going_on.longest_line[player.index()] = boards.longest_line(pieces);
            going_on.left[player.index()] = boards.pieces_of(pieces).collect();
        }
        going_on
    }
}

/// Goals: pieces, as the first player has them, that end the game on some squares, as their player sees the board.
#[derive(Clone, Default)]
struct GoalSquares {
    pieces: BTreeSet<Cell>,
    squares: BTreeSet<Square>,
}

/// Learns the endings of rules that have everything else.
pub(super) fn endings(evidence: &Evidence, situations: &Situations, going_on: &GoingOn, rules: &Rules) -> Ended {
    let mut finals = finals(situations, rules);
    let mut ended =
        Ended { zones: rules.zones.clone(), endings: Vec::new(), games: Vec::new(), unexplained: Vec::new() };
    let arrivals = Arrivals { evidence, shape: situations.shape };
    ended.add_line(Verdict::Win, going_on, &mut finals);
    ended.add_line(Verdict::Lose, going_on, &mut finals);
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
    ended.add_left(going_on, rules, &mut finals);
    ended.add_stuck(rules, &mut finals);
    ended.add_plies(evidence, &mut finals);
    let left: u64 = finals.iter().map(|end| end.games).sum();
    if let Some(end) = finals.first() {
        let (outcome, position) = (end.outcome, end.position.clone());
        ended.unexplained.push(Unexplained::Games { games: left, outcome, position });
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
        let Tail::Last(last) = Tail::read(head, situations.packing.tail(key)) else { continue };
        let last = last.map(|square| {
            (cell_of(just_moved, position.at(square)), square_of(just_moved, shape, square))
        });
        let state = engine.as_ref().and_then(|engine| engine.state(&position, head.turn, 0).ok());
        let stuck = engine
            .as_ref()
            .zip(state)
            .is_some_and(|(engine, state)| engine.verdict(&state).is_ok_and(|verdict| verdict.is_some()));
        finals.push(Final { just_moved, outcome, last, stuck, games: u64::from(count), position });
    }
    finals
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
            let arrival = (cell_of(player, piece), square_of(player, self.shape, square));
            self.evidence.arrivals.contains_key(&arrival)
        })
    }

    /// Goals that account for the squares on which pieces won: pieces share a goal where nothing speaks against it.
    fn goals(&self, players: &[Player], wins: &BTreeMap<Cell, BTreeSet<Square>>) -> Vec<GoalSquares> {
        let mut wins: Vec<_> = wins.iter().collect();
        wins.sort_by_key(|(_, squares)| std::cmp::Reverse(squares.len()));
        let mut goals: Vec<GoalSquares> = Vec::new();
        for (&piece, squares) in wins {
            let joined = goals.iter().position(|goal| {
                let joined = self.widened(players, goal, piece, squares);
                joined.squares.iter().all(|&s| joined.pieces.iter().all(|&p| !self.went_on(players, p, s)))
            });
            match joined {
                Some(at) => goals[at] = self.widened(players, &goals[at], piece, squares),
                None => goals.push(self.widened(players, &GoalSquares::default(), piece, squares)),
            }
        }
        goals
    }

    /// A goal with a piece and squares more, where three squares of a line stand for the whole line if no piece of the
    /// goal came to another square of it without ending the game.
    fn widened(&self, players: &[Player], goal: &GoalSquares, piece: Cell, squares: &BTreeSet<Square>) -> GoalSquares {
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

    fn add_goal(&mut self, side: Side, verdict: Verdict, goal: &GoalSquares, rules: &Rules, finals: &mut Vec<Final>) {
        let shape = rules.setup.shape();
        let known = rules.pieces();
        let owner = if side == Side::Only(Player::Second) { Player::Second } else { Player::First };
        let pieces = goal.pieces.iter().filter_map(|&cell| cell_of(owner, cell).piece());
        let pieces: Vec<Piece> = pieces.filter(|piece| known.contains(piece)).collect();
        // Where the movement was not learnt, the rules may not know how a piece ever came to be there.
        if pieces.is_empty() {
            return;
        }
        let squares: BTreeSet<Square> = goal.squares.iter().map(|&square| square_of(owner, shape, square)).collect();
        let areas = areas(&squares, &rules.setup);
        let zone = self.zones.iter().find(|zone| zone.areas == areas).map(|zone| zone.name.clone());
        let zone = zone.unwrap_or_else(|| {
            let name = zone_name(&self.zones, &areas, shape);
            self.zones.push(Zone { name: name.clone(), areas });
            name
        });
        let ending = Ending { side, verdict, when: Condition::On { pieces, zone } };
        self.add(ending, finals, |end| {
            let reached = end.last.is_some_and(|(cell, at)| goal.pieces.contains(&cell) && goal.squares.contains(&at));
            reached && side.is_for(end.just_moved) && end.outcome == outcome_of(verdict)
        });
    }

    /// Lines that win, or lose, if every game that was won had one at its end, and none that went on.
    fn add_line(&mut self, verdict: Verdict, going_on: &GoingOn, finals: &mut Vec<Final>) {
        let outcome = outcome_of(verdict);
        let longest = |end: &Final| longest_line(&end.position, end.just_moved);
        let decided = finals.iter().filter(|end| end.outcome == outcome);
        let Some(count) = decided.map(longest).min() else { return };
        let before = going_on.longest_line[0].max(going_on.longest_line[1]);
        let is_clear = |end: &Final| end.outcome == outcome || longest(end) < count;
        if count > before.max(2) && finals.iter().all(is_clear) {
            let when = Condition::Line { count, pieces: Vec::new() };
            let ending = Ending { side: Side::Both, verdict, when };
            self.add(ending, finals, |end| end.outcome == outcome);
        }
    }

    /// A number of pieces that decides the game, if it accounts for all that being unable to move does not.
    fn add_left(&mut self, going_on: &GoingOn, rules: &Rules, finals: &mut Vec<Final>) {
        let usual = usual_when_stuck(finals, rules);
        let left = |end: &Final| {
            let is_own = |cell: &Cell| cell.owner() == Some(end.just_moved);
            end.position.cells().iter().filter(|cell| is_own(cell)).count() as u16
        };
        for verdict in [Verdict::Win, Verdict::Lose, Verdict::Tie] {
            let outcome = outcome_of(verdict);
            let open = |end: &&Final| end.outcome == outcome && !(end.stuck && outcome == outcome_of(usual));
            let counts: BTreeSet<u16> = finals.iter().filter(open).map(left).collect();
            let [count] = counts.iter().copied().collect::<Vec<_>>()[..] else { continue };
            let clear = finals.iter().all(|end| left(end) != count || end.outcome == outcome);
            if clear && going_on.left.iter().all(|seen| !seen.contains(&count)) {
                let kinds: BTreeSet<Piece> =
                    rules.pieces().into_iter().filter(|piece| piece.owner() == Player::First).collect();
                let pieces = if kinds.len() == 1 { kinds.into_iter().collect() } else { Vec::new() };
                let when = Condition::Left { count, pieces };
                let ending = Ending { side: Side::Both, verdict, when };
                self.add(ending, finals, |end| end.outcome == outcome && left(end) == count);
            }
        }
    }

    /// What it means that the next player cannot move: what it meant most often, and if it was never seen, a loss, or a tie where
    /// pieces are only put down.
    fn add_stuck(&mut self, rules: &Rules, finals: &mut Vec<Final>) {
        let verdict = usual_when_stuck(finals, rules);
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

fn usual_when_stuck(finals: &[Final], rules: &Rules) -> Verdict {
    let games = |verdict: Verdict| -> u64 {
        let stuck = finals.iter().filter(|end| end.stuck && end.outcome == outcome_of(verdict));
        stuck.map(|end| end.games).sum()
    };
    // Of equals the last. A board that is full is seldom won by whoever filled it.
    let drops = rules.moves.iter().all(|movement| movement.start == Start::Empty);
    let verdicts = match drops {
        true => [Verdict::Lose, Verdict::Win, Verdict::Tie],
        false => [Verdict::Lose, Verdict::Tie, Verdict::Win],
    };
    verdicts.into_iter().max_by_key(|&verdict| games(verdict)).unwrap_or(Verdict::Win)
}

/// How many of a player's pieces stand side by side in a row, column or diagonal, at most.
fn longest_line(position: &Position, player: Player) -> u16 {
    let shape = position.shape();
    let is_own = |square: &Square| position.at(*square).owner() == Some(player);
    let mut longest = 0;
    for (dx, dy) in Shape::LINES {
        for square in shape.all().filter(is_own) {
            let line = shape.ray(square, dx, dy).take_while(is_own).count() + 1;
            longest = longest.max(line as u16);
        }
    }
    longest
}

fn outcome_of(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Win => Outcome::Won,
        Verdict::Lose => Outcome::Lost,
        Verdict::Tie => Outcome::Tied,
    }
}

/// A name for a new zone.
pub(super) fn zone_name(zones: &[Zone], areas: &[Area], shape: Shape) -> String {
    let (right, top) = (shape.width() as u8 - 1, shape.height() as u8 - 1);
    let edge = [Area::Ranks(0, 0), Area::Ranks(top, top), Area::Files(0, 0), Area::Files(right, right)];
    let name = match areas {
        [Area::Ranks(from, to)] if from == to && *to == top => "far".to_owned(),
        [Area::Ranks(0, 0)] => "near".to_owned(),
        [Area::Ranks(from, to)] if from == to => format!("rank-{}", from + 1),
        [Area::Ranks(from, to)] => format!("ranks-{}-{}", from + 1, to + 1),
        [Area::Files(from, to)] if from == to => format!("file-{}", Shape::file_name(usize::from(*from))),
        [Area::Files(from, to)] => {
            format!("files-{}-{}", Shape::file_name(usize::from(*from)), Shape::file_name(usize::from(*to)))
        }
        areas if *areas == edge => "edge".to_owned(),
        _ => "zone".to_owned(),
    };
    let is_free = |name: &String| zones.iter().all(|zone| zone.name != *name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}

/// Squares as whole ranks and files as far as they go, and single ones.
pub(super) fn areas(squares: &BTreeSet<Square>, setup: &Position) -> Vec<Area> {
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

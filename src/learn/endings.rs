//! How games end: the shortest list of endings that accounts for the outcomes.
//!
//! Björnsson (ECAI 2012, section 3.4) takes the piece that moved last and the square it went to for a goal. Here endings are
//! a *cover*: conditions on the position after a move (`ending_patterns.rs`, `goal_zones.rs`), none of which ever held while
//! a game went on, together true of every final position. Each must be worth its description by the games that no other
//! explains: if a condition had nothing to do with the end, all n times it held would have been final positions only with a
//! chance of (share of final positions)^n. Which of them make the shortest list, and in which order, is decided in
//! `ending_cover.rs`: the first that holds says how each game ended.
//!
//! What too few games speak for is kept as a guess, and told as one ([`Unexplained::Guess`]).

use super::ending_cover::{Claim, CoverSearch, FinalSet, order};
use super::ending_patterns::{Final, Over, Pattern, names_in, patterns};
use super::evidence::{Evidence, Tail};
use super::goal_zones::{GoalSearch, squares_of};
use super::going_on::{EVERYONE, GoingOn, NameSet, Names};
use super::learnt::Unexplained;
use super::perspective::{PLAYERS, cell_of, square_of};
use super::situations::Situations;
use crate::board::{Cell, Piece, Player, Position, Shape, Square};
use crate::observe::Outcome;
use crate::rules::{Area, Balance, Bound, Condition, Ending, Engine, Rules, Side, Start, Verdict, Whose, Zone};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The endings, with how many games ended so, and the games that no ending explains.
pub(super) struct Ended {
    pub zones: Vec<Zone>,
    pub endings: Vec<Ending>,
    pub games: Vec<u64>,
    pub unexplained: Vec<Unexplained>,
}

/// An ending that may be part of the cover.
#[derive(Clone)]
struct Candidate {
    side: Side,
    verdict: Verdict,
    pattern: Pattern,
    cost: f64,
    /// The final positions in which it holds after a move of its side.
    holds: Rc<[u32]>,
}

/// Fewer games than this never make an ending certain.
const FEWEST: u64 = 3;
/// So many games are many.
const MANY: usize = 20;
/// How much more than its description an ending must be worth to be certain, in nats.
const MARGIN: f64 = 3.0;
/// What it costs that an ending would decide a game in another way than it ended, in nats.
const CONFLICT: f64 = 8.0;
/// What it costs to say that an ending is for one of the players.
const ONE_SIDE: f64 = 1.5;

/// What endings are learnt from.
struct Search<'a> {
    names: &'a Names,
    going_on: &'a [GoingOn; 2],
    finals: Vec<Final>,
    rules: &'a Rules,
    /// Pieces that the rules know, by the numbers of their names.
    known: NameSet,
    noise: f64,
    /// What it is worth to explain one game.
    gain: f64,
}

/// Learns the endings of rules that have everything else.
pub(super) fn endings(
    evidence: &Evidence,
    situations: &Situations,
    (names, going_on): &(Names, [GoingOn; 2]),
    rules: &Rules,
    noise: f64,
) -> Ended {
    let finals = finals(situations, rules, names);
    let games: u64 = finals.iter().map(|end| end.games).sum();
    let boards: u64 = going_on.iter().map(|seen| seen.boards).sum();
    let gain = ((games + boards).max(1) as f64 / games.max(1) as f64).ln() + 3f64.ln();
    let pieces = rules.pieces();
    let is_known = |name: &Cell| pieces.iter().any(|piece| piece.cell() == *name || piece.cell().turned() == *name);
    let known = (0..names.list.len()).filter(|&name| is_known(&names.list[name])).fold(0, |set, name| set | 1 << name);
    let search = Search { names, going_on, finals, rules, known, noise, gain };
    let mut cover = search.cover(&search.candidates(evidence.counts.longest));
    search.complete_balance(&mut cover);
    search.add_stuck(&mut cover);
    search.told(search.ordered(cover), games)
}

fn finals(situations: &Situations, rules: &Rules, names: &Names) -> Vec<Final> {
    let shape = situations.shape;
    let stuck = Ending { side: Side::Both, verdict: Verdict::Win, when: Condition::CannotMove };
    let engine = Engine::compile(&Rules { endings: vec![stuck], learnt: None, ..rules.clone() }).ok();
    let mut finals = Vec::new();
    for (head, key, count) in situations.iter() {
        let Some(outcome) = head.outcome else { continue };
        let mut position = Position::empty(shape);
        shape.all().for_each(|square| position.set(square, situations.at(key, square)));
        let mover = if rules.players.len() == 2 { head.turn.other() } else { head.turn };
        let is_stuck = |turn: Player| {
            let Some(engine) = &engine else { return false };
            let state = engine.state(&position, turn, 0);
            state.is_ok_and(|state| engine.verdict(&state).is_ok_and(|verdict| verdict.is_some()))
        };
        let next = is_stuck(head.turn);
        let stuck = [next, next && is_stuck(mover)];
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for square in shape.all() {
            let cell = position.at(square);
            let Some(owner) = cell.owner() else { continue };
            let name = names.number(cell_of(owner, cell)).unwrap_or(NAMELESS);
            let pieces = if owner == mover { &mut own } else { &mut others };
            pieces.push((name, square_of(mover, shape, square).index()));
        }
        let named: Vec<(usize, usize)> = own.iter().copied().filter(|piece| piece.0 != NAMELESS).collect();
        let runs = Final::runs_of(shape, &named, names.list.len());
        let Tail::Over(plies) = situations.tail(key) else { continue };
        let games = u64::from(count);
        finals.push(Final { mover, outcome, plies, games, stuck, position, own, others, runs });
    }
    finals
}

/// The number of pieces that are too many to have numbers; no set of names has it.
const NAMELESS: usize = 31;

impl Search<'_> {
    fn sides(&self) -> &'static [Side] {
        match self.rules.players.len() {
            2 => &[Side::Both, Side::Only(Player::First), Side::Only(Player::Second)],
            _ => &[Side::Both],
        }
    }

    fn games(&self, numbers: impl IntoIterator<Item = u32>) -> u64 {
        numbers.into_iter().map(|number| self.finals[number as usize].games).sum()
    }

    /// Endings that never held while a game went on, and hold in some final position with their outcome.
    fn candidates(&self, longest: u32) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for pattern in patterns(self.names, self.going_on, &self.finals, &self.rules.setup, longest) {
            if self.is_known(&pattern) {
                self.add(&mut candidates, self.sides(), &VERDICTS, &pattern);
            }
        }
        let (names, going_on, noise, gain) = (self.names, self.going_on, self.noise, self.gain);
        let search = GoalSearch { names, going_on, shape: self.rules.setup.shape(), noise, gain };
        for &side in self.sides() {
            for verdict in VERDICTS {
                let decided = |end: &&Final| side.is_for(end.mover) && end.outcome == outcome_of(verdict);
                let decided: Vec<&Final> = self.finals.iter().filter(decided).collect();
                for goal in search.goals(side, &decided) {
                    let Pattern::On { set, squares, cost } = goal else { continue };
                    // Where a movement was not learnt, the rules may not know how a piece ever came to be there.
                    if set & self.known != 0 {
                        let goal = Pattern::On { set: set & self.known, squares, cost };
                        self.add(&mut candidates, &[side], &[verdict], &goal);
                    }
                }
            }
        }
        candidates
    }

    fn is_known(&self, pattern: &Pattern) -> bool {
        let set = match pattern {
            Pattern::Line { group, .. } if *group > 0 => 1 << (group - 1),
            Pattern::Left { set, .. } if *set != EVERYONE => *set,
            Pattern::Gone { name, .. } => 1 << name,
            _ => 0,
        };
        let opponents = matches!(
            pattern,
            Pattern::Left { whose: Whose::Opponent, .. }
                | Pattern::Gone { whose: Whose::Opponent, .. }
                | Pattern::Over { how: Over::NeitherCanMove, .. }
                | Pattern::Over { balance: Some(_), .. }
        );
        set & !self.known == 0 && (self.rules.players.len() == 2 || !opponents)
    }

    fn add(&self, candidates: &mut Vec<Candidate>, sides: &[Side], verdicts: &[Verdict], pattern: &Pattern) {
        let held = PLAYERS.map(|player| pattern.held(&self.going_on[player.index()]));
        let may = |side: Side, games: u64| {
            let held: u64 = PLAYERS.iter().filter(|player| side.is_for(**player)).map(|p| held[p.index()]).sum();
            held as f64 <= self.noise * games as f64
        };
        // Most are refuted by what was seen while games went on.
        let all: u64 = self.finals.iter().map(|end| end.games).sum();
        if !sides.iter().any(|side| may(*side, all)) {
            return;
        }
        let holds: Vec<u32> = (0..).zip(&self.finals).filter(|(_, end)| pattern.holds(end)).map(|(i, _)| i).collect();
        for &side in sides {
            let here = |number: &&u32| side.is_for(self.finals[**number as usize].mover);
            let holds: Rc<[u32]> = holds.iter().filter(here).copied().collect();
            let one_side = if side == Side::Both { 0.0 } else { ONE_SIDE };
            let cost = pattern.cost(self.names, self.rules.setup.shape()) + one_side;
            for &verdict in verdicts {
                let candidate = Candidate { side, verdict, pattern: pattern.clone(), cost, holds: holds.clone() };
                let games = self.games(holds.iter().copied().filter(|&number| self.agrees(&candidate, number)));
                // It will never be worth more than if nothing else were known.
                if games > 0 && may(side, games) && self.worth(&candidate, games) > cost {
                    candidates.push(candidate);
                }
            }
        }
    }

    /// How many games make an ending certain at least.
    fn fewest(&self, candidate: &Candidate) -> u64 {
        match candidate.pattern {
            // One game is telling enough that is tied after a round number of plies and lasted longer than many others, and
            // so are two that ended after the same number.
            Pattern::Over { how: Over::Plies(plies), balance: None } if plies % 10 == 0 => {
                let many = self.finals.len() >= MANY && candidate.verdict == Verdict::Tie;
                if many { 1 } else { FEWEST - 1 }
            }
            Pattern::Over { how: Over::Plies(_), .. } => FEWEST - 1,
            _ => FEWEST,
        }
    }

    /// What it is worth that an ending explains so many games.
    fn worth(&self, candidate: &Candidate, games: u64) -> f64 {
        // Of all games it is the longest that are over then.
        let limit = games > 0 && matches!(candidate.pattern, Pattern::Over { how: Over::Plies(_), .. });
        games as f64 * self.gain + if limit { (self.finals.len() as f64).ln() } else { 0.0 }
    }

    fn agrees(&self, candidate: &Candidate, number: u32) -> bool {
        self.finals[number as usize].outcome == outcome_of(candidate.verdict)
    }

    /// Chooses endings.
    fn cover(&self, candidates: &[Candidate]) -> Vec<Candidate> {
        let claims: Vec<Claim> = candidates.iter().map(|candidate| self.claim(candidate)).collect();
        let games: Vec<u64> = self.finals.iter().map(|end| end.games).collect();
        let conflict = if self.noise > 0.0 { -self.noise.ln() } else { CONFLICT };
        let search = CoverSearch { claims: &claims, games: &games, gain: self.gain, conflict, margin: MARGIN };
        search.cover().into_iter().map(|number| candidates[number].clone()).collect()
    }

    /// What a candidate says of the final positions.
    fn claim(&self, candidate: &Candidate) -> Claim {
        let holds = || candidate.holds.iter().copied();
        let count = self.finals.len();
        let stuck = candidate.pattern == Pattern::Over { how: Over::CannotMove, balance: None };
        let side = match candidate.side {
            Side::Both => 0,
            Side::Only(player) => 1 + player.index(),
        };
        // A default for both stands behind what was seen of one.
        let last = candidate.cost == 0.0 && candidate.side == Side::Both;
        let verdict = VERDICTS.iter().position(|verdict| *verdict == candidate.verdict);
        Claim {
            right: FinalSet::of(holds().filter(|&number| self.agrees(candidate, number)), count),
            wrong: FinalSet::of(holds().filter(|&number| !self.agrees(candidate, number)), count),
            cost: candidate.cost,
            bonus: self.worth(candidate, 1) - self.gain,
            fewest: (self.noise > 0.0 && !stuck).then(|| self.fewest(candidate)),
            place: (candidate.pattern.place(), last, verdict, side),
        }
    }

    /// How many games only one ending of a cover explains.
    fn alone(&self, cover: &[Candidate], at: usize) -> u64 {
        let by_others = |number: u32| {
            let mut others = cover.iter().enumerate().filter(|(other, _)| *other != at);
            others.any(|(_, other)| self.agrees(other, number) && other.holds.binary_search(&number).is_ok())
        };
        let candidate = &cover[at];
        self.games(candidate.holds.iter().copied().filter(|&n| self.agrees(candidate, n) && !by_others(n)))
    }

    /// If having more pieces decides in one case, then it does in the others: more wins where fewer loses, and as many tie.
    fn complete_balance(&self, cover: &mut Vec<Candidate>) {
        let compared = |candidate: &Candidate| match candidate.pattern {
            Pattern::Over { how, balance: Some(balance) } => Some((how, balance, candidate.verdict, candidate.side)),
            _ => None,
        };
        let known: Vec<_> = cover.iter().filter_map(compared).collect();
        for (how, balance, verdict, side) in known {
            let contrary = match (balance, verdict) {
                (Balance::Fewer, Verdict::Win) => Some((Balance::More, Verdict::Lose)),
                (Balance::More, Verdict::Lose) => Some((Balance::Fewer, Verdict::Win)),
                (Balance::Fewer, Verdict::Lose) => Some((Balance::More, Verdict::Win)),
                (Balance::More, Verdict::Win) => Some((Balance::Fewer, Verdict::Lose)),
                _ => None,
            };
            if let Some((balance, verdict)) = contrary {
                self.compare_too(cover, (how, side), balance, verdict);
            }
            let contrary = contrary.map(|(balance, verdict)| (Some(balance), verdict));
            for (balance, verdict) in contrary.into_iter().chain([(None, Verdict::Tie)]) {
                let pattern = Pattern::Over { how, balance };
                let is_said = cover.iter().any(|other| other.pattern == pattern && other.side.is_for(Player::First));
                let mut new = Vec::new();
                if !is_said {
                    self.add_all(&mut new, side, verdict, pattern);
                }
                // Only if no game that is not explained yet says otherwise.
                let refuted = |candidate: &Candidate| {
                    let mut open = candidate.holds.iter().filter(|&&number| !self.is_explained(cover, number));
                    open.any(|&number| !self.agrees(candidate, number))
                };
                new.retain(|candidate| !refuted(candidate));
                cover.append(&mut new);
            }
        }
    }

    /// "Otherwise it is lost" is said as "who has fewer loses" if that is all that was seen.
    fn compare_too(&self, cover: &mut [Candidate], (how, side): (Over, Side), balance: Balance, verdict: Verdict) {
        let otherwise = Pattern::Over { how, balance: None };
        let is_otherwise =
            |other: &Candidate| (&other.pattern, other.side, other.verdict) == (&otherwise, side, verdict);
        let Some(at) = cover.iter().position(is_otherwise) else { return };
        let mut exact = Vec::new();
        self.add_all(&mut exact, side, verdict, Pattern::Over { how, balance: Some(balance) });
        let Some(exact) = exact.pop() else { return };
        let right = cover[at].holds.iter().filter(|&&number| self.agrees(&cover[at], number));
        if right.clone().all(|number| exact.holds.binary_search(number).is_ok()) {
            cover[at] = Candidate { cost: cover[at].cost, ..exact };
        }
    }

    fn add_all(&self, candidates: &mut Vec<Candidate>, side: Side, verdict: Verdict, pattern: Pattern) {
        let holds = (0..).zip(&self.finals).filter(|(_, end)| side.is_for(end.mover) && pattern.holds(end));
        let holds = holds.map(|(number, _)| number).collect();
        candidates.push(Candidate { side, verdict, pattern, cost: 0.0, holds });
    }

    fn is_explained(&self, cover: &[Candidate], number: u32) -> bool {
        cover.iter().any(|other| self.agrees(other, number) && other.holds.binary_search(&number).is_ok())
    }

    /// What it means that the next player cannot move, where that decided no game: a loss for whoever cannot, or a tie
    /// where pieces are only put down, since a board that is full is seldom won by whoever filled it.
    fn add_stuck(&self, cover: &mut Vec<Candidate>) {
        let pattern = Pattern::Over { how: Over::CannotMove, balance: None };
        let is_said = |player: Player| {
            cover.iter().any(|candidate| candidate.pattern == pattern && candidate.side.is_for(player))
        };
        if self.rules.sides().all(is_said) {
            return;
        }
        let holds: Rc<[u32]> = (0..).zip(&self.finals).filter(|(_, end)| pattern.holds(end)).map(|(i, _)| i).collect();
        let games = |verdict: Verdict| {
            let open = holds.iter().copied().filter(|&number| !self.is_explained(cover, number));
            self.games(open.filter(|&number| self.finals[number as usize].outcome == outcome_of(verdict)))
        };
        let drops = self.rules.moves.iter().all(|movement| movement.start == Start::Empty);
        // Of equals the last.
        let verdicts = match drops {
            true => [Verdict::Lose, Verdict::Win, Verdict::Tie],
            false => [Verdict::Lose, Verdict::Tie, Verdict::Win],
        };
        let verdict = verdicts.into_iter().max_by_key(|&verdict| games(verdict)).unwrap_or(Verdict::Win);
        cover.push(Candidate { side: Side::Both, verdict, pattern, cost: 0.0, holds });
    }

    /// Endings in an order in which the first that holds decides as the games were decided; of all orders that do, one
    /// in which what is to be seen on the board comes before being stuck, and that before a limit.
    fn ordered(&self, cover: Vec<Candidate>) -> Vec<Candidate> {
        let mut cover: Vec<(Claim, Candidate)> = cover.into_iter().map(|known| (self.claim(&known), known)).collect();
        cover.sort_by_key(|(claim, _)| claim.place);
        let games: Vec<u64> = self.finals.iter().map(|end| end.games).collect();
        let claims: Vec<&Claim> = cover.iter().map(|(claim, _)| claim).collect();
        order(&claims, &games).into_iter().map(|at| cover[at].1.clone()).collect()
    }

    /// Endings as rules say them, with what speaks for them and what they do not account for.
    fn told(&self, cover: Vec<Candidate>, games: u64) -> Ended {
        let mut ended =
            Ended { zones: self.rules.zones.clone(), endings: Vec::new(), games: Vec::new(), unexplained: Vec::new() };
        let mut decided = vec![false; self.finals.len()];
        let mut wrong: Vec<u32> = Vec::new();
        for (at, candidate) in cover.iter().enumerate() {
            let new: Vec<u32> = candidate.holds.iter().copied().filter(|&n| !decided[n as usize]).collect();
            let (right, not): (Vec<u32>, Vec<u32>) = new.iter().partition(|number| self.agrees(candidate, **number));
            if right.is_empty() && candidate.cost > 0.0 {
                // Others always come before it.
                continue;
            }
            new.iter().for_each(|&number| decided[number as usize] = true);
            wrong.extend(not);
            let when = self.condition(candidate, &mut ended.zones);
            let ending = Ending { side: candidate.side, verdict: candidate.verdict, when };
            let alone = match candidate.pattern {
                // What having more pieces means is one ending, whatever it takes to say it.
                Pattern::Over { how, .. } => {
                    let same =
                        |other: usize| matches!(cover[other].pattern, Pattern::Over { how: its, .. } if its == how);
                    (0..cover.len()).filter(|&other| same(other)).map(|other| self.alone(&cover, other)).sum()
                }
                _ => self.alone(&cover, at),
            };
            let enough = alone >= self.fewest(candidate) && self.worth(candidate, alone) >= candidate.cost + MARGIN;
            if !enough && ending.when != Condition::CannotMove {
                ended.unexplained.push(Unexplained::Guess { ending: ending.clone(), games: alone });
            }
            ended.endings.push(ending);
            ended.games.push(self.games(right));
        }
        wrong.extend((0..self.finals.len() as u32).filter(|&number| !decided[number as usize]));
        wrong.sort_unstable();
        let left = self.games(wrong.iter().copied());
        if let Some(&first) = wrong.first()
            && left as f64 > self.noise * games as f64
        {
            let Final { outcome, position, .. } = &self.finals[first as usize];
            let (outcome, position) = (*outcome, position.clone());
            ended.unexplained.push(Unexplained::Games { games: left, outcome, position });
        }
        ended
    }

    /// A pattern as rules say it; zones that are new are added.
    fn condition(&self, candidate: &Candidate, zones: &mut Vec<Zone>) -> Condition {
        let shape = self.rules.setup.shape();
        let mover = if candidate.side == Side::Only(Player::Second) { Player::Second } else { Player::First };
        let pieces = |set: NameSet, whose: Whose| -> Vec<Piece> {
            let set = match set {
                EVERYONE if self.names.list.len() == 1 => 1,
                EVERYONE => 0,
                set => set,
            };
            let owner = if whose == Whose::Mover { mover } else { mover.other() };
            names_in(set).filter_map(|name| cell_of(owner, *self.names.list.get(name)?).piece()).collect()
        };
        let mut zone = |squares: Vec<Square>| {
            let squares = squares.into_iter().map(|square| square_of(mover, shape, square)).collect();
            let areas = areas(&squares, &self.rules.setup);
            if let Some(zone) = zones.iter().find(|zone| zone.areas == areas) {
                return zone.name.clone();
            }
            let name = zone_name(zones, &areas, shape);
            zones.push(Zone { name: name.clone(), areas });
            name
        };
        match &candidate.pattern {
            Pattern::Line { group, count, exactly, ways } => {
                let pieces = if *group == 0 { Vec::new() } else { pieces(1 << (group - 1), Whose::Mover) };
                let ways = if mover == Player::Second { ways.mirrored() } else { *ways };
                Condition::Line { count: *count, exactly: *exactly, pieces, ways }
            }
            Pattern::On { set, squares, .. } => {
                Condition::On { pieces: pieces(*set, Whose::Mover), zone: zone(squares_of(squares, shape)) }
            }
            Pattern::Left { whose, set, count, bound } => {
                let (whose, count, bound) = (*whose, *count, *bound);
                Condition::Left { whose, count, bound, pieces: pieces(*set, whose), zone: None }
            }
            Pattern::Gone { whose, name, square } => Condition::Left {
                whose: *whose,
                count: 0,
                bound: Bound::Exactly,
                pieces: pieces(1 << name, *whose),
                zone: Some(zone(vec![Square(*square as u16)])),
            },
            Pattern::Over { how, balance } => {
                let over = match how {
                    Over::NeitherCanMove => Condition::NeitherCanMove,
                    Over::CannotMove => Condition::CannotMove,
                    Over::Plies(plies) => Condition::Plies(*plies),
                };
                match balance {
                    Some(balance) => Condition::All(vec![over, Condition::Balance(*balance)]),
                    None => over,
                }
            }
        }
    }
}

const VERDICTS: [Verdict; 3] = [Verdict::Win, Verdict::Lose, Verdict::Tie];

/// How a log writes what the player who has just moved has got.
pub(super) fn outcome_of(verdict: Verdict) -> Outcome {
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
        [Area::Dark] => "dark".to_owned(),
        [Area::Light] => "light".to_owned(),
        [Area::Corners] => "corners".to_owned(),
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
    if let Some(area) = named_area(squares, setup) {
        return vec![area];
    }
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

/// The area with a name of its own, or the rectangle, that squares are.
fn named_area(squares: &BTreeSet<Square>, setup: &Position) -> Option<Area> {
    let shape = setup.shape();
    let files = || squares.iter().map(|&square| shape.file(square) as u8);
    let ranks = || squares.iter().map(|&square| shape.rank(square) as u8);
    let (left, right, bottom, top) = (files().min()?, files().max()?, ranks().min()?, ranks().max()?);
    // Lines have names of their own.
    let is_wide = right > left && usize::from(right - left) + 1 < shape.width();
    let is_high = top > bottom && usize::from(top - bottom) + 1 < shape.height();
    let rectangle = (is_wide && is_high).then_some(Area::Rectangle((left, bottom), (right, top)));
    [Area::Corners, Area::Dark, Area::Light].into_iter().chain(rectangle).find(|area| {
        let on_the_board = |square: &Square| setup.at(*square) != Cell::HOLE;
        shape.all().filter(on_the_board).all(|square| area.contains(shape, square) == squares.contains(&square))
    })
}

//! The checker of proofs over bits: what `checker.rs` says, for boards on which that takes too long.
//!
//! The meaning is the same, and the tests compare both. What makes it fast: a reply that can delete nothing that is known leaves an
//! immediate win where it is, so that only replies that may matter are played out. Systems whose rules fire after others are left to the plain checker.

use super::checker::{Checked, Refuted, check_known, check_rule, each_instance};
use super::complete_checker::Complete;
use super::ground::{FactId, GroundSystem, MoveId};
use super::language::{Argument, Bindings, Fact, Name};
use super::proof::Proof;
use super::recognition::{RecognitionRule, Status};
use super::system::UpdateSystem;
use smallvec::SmallVec;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Checks proofs for one system.
pub struct Checker {
    system: UpdateSystem,
    fast: Option<Fast>,
    /// Those for the events of the system.
    events: Vec<Checker>,
}

impl Checker {
    /// A checker for a system and all of its events.
    pub fn new(system: &UpdateSystem) -> Checker {
        let ground = GroundSystem::new(system).ok().map(Arc::new);
        let fast = ground.filter(|ground| ground.is_single_round()).map(Fast::new);
        let events = if system.event.is_none() { &system.events[..] } else { &[] };
        let events = events.iter().map(|event| Checker::new(&system.for_event(event.name))).collect();
        Checker { system: system.clone(), fast, events }
    }

    /// A checker for a system that was grounded, without its events.
    pub fn of_ground(ground: &Arc<GroundSystem>) -> Checker {
        let fast = Some(Arc::clone(ground)).filter(|ground| ground.is_single_round()).map(Fast::new);
        Checker { system: ground.system.clone(), fast, events: Vec::new() }
    }

    /// Checks a rule's proof for every way in which the rule lies on the board, `most` at most.
    ///
    /// # Errors
    ///
    /// It is not accepted.
    pub fn check_rule(&self, rule: &RecognitionRule, most: u64) -> Result<Checked, Refuted> {
        if let Some(other) = self.events.iter().find(|other| rule.event.is_some() && other.system.event == rule.event) {
            return other.check_rule(rule, most);
        }
        let Some(fast) = &self.fast else { return check_rule(&self.system, rule, most) };
        each_instance(&self.system, rule, most, &mut |known, player, proof| fast.check(known, player, proof))
    }

    /// The rule with the status that its proof earns; `None` if it does not hold somewhere. With more than `most` places for it, the proof was
    /// accepted in those that were looked at, and has to be checked in each position.
    pub fn accept(&self, rule: RecognitionRule, most: u64) -> Option<RecognitionRule> {
        // Where there are too many places, checking all that may be looked at would say no more than checking a few.
        let places = each_instance(&self.system, &rule, most, &mut |_, _, _| Ok(()));
        let most = if matches!(places, Err(Refuted::TooMany(_))) { most.min(SAMPLE) } else { most };
        match self.check_rule(&rule, most) {
            Ok(_) => Some(RecognitionRule { status: Status::Proved, ..rule }),
            Err(Refuted::TooMany(_)) => Some(RecognitionRule { status: Status::PerPosition, ..rule }),
            Err(_) => None,
        }
    }

    /// Checks a proof without variables in a state of which something is known.
    ///
    /// # Errors
    ///
    /// What does not hold.
    pub fn check_known(&self, known: &BTreeSet<Fact>, player: Name, proof: &Proof) -> Result<(), String> {
        match &self.fast {
            Some(fast) => fast.check(known, player, proof),
            None => check_known(&self.system, known, player, proof),
        }
    }
}

/// In how many places a proof is checked at most.
pub const MOST_INSTANCES: u64 = 10_000_000;

/// In how many places the proof of a rule is checked that lies on the board in too many ways.
const SAMPLE: u64 = 100;

/// A set of facts that is small, and asked often.
#[derive(Clone)]
struct Set {
    bits: Box<[u64]>,
    list: SmallVec<[u32; 64]>,
}

impl Set {
    fn new(words: usize) -> Set {
        Set { bits: vec![0; words].into_boxed_slice(), list: SmallVec::new() }
    }

    #[inline]
    fn contains(&self, fact: u32) -> bool {
        self.bits[fact as usize / 64] >> (fact % 64) & 1 == 1
    }

    fn insert(&mut self, fact: u32) {
        if !self.contains(fact) {
            self.bits[fact as usize / 64] |= 1 << (fact % 64);
            self.list.push(fact);
        }
    }

    fn remove(&mut self, fact: u32) {
        if self.contains(fact) {
            self.bits[fact as usize / 64] &= !(1 << (fact % 64));
            self.list.retain(|known| *known != fact);
        }
    }
}

#[derive(Clone)]
struct World {
    known: Set,
    fresh: Set,
}

struct Moved {
    world: World,
    won: [bool; 2],
    may_win: bool,
}

/// A rule of a move, by the move and its number there.
type RuleOf = (MoveId, u32);

struct Fast {
    ground: Arc<GroundSystem>,
    words: usize,
    /// For each fact the numbers of its sets of rivals: of those exactly one holds.
    rivals_of: Vec<SmallVec<[u32; 2]>>,
    rivals: Vec<Vec<u32>>,
    /// Whether sets lie across each other, so that one may say what is left of another.
    across: bool,
    /// Plays replies out where all is known.
    complete: Option<Complete>,
    /// Facts that hold only if they are known: moves and wins.
    closed: Vec<bool>,
    /// For each fact that counts: the number, and what is counted. Empty for all others.
    tallies: Vec<Vec<(usize, Vec<u32>)>>,
    /// The rules that win, and those that make a move legal, by what they need.
    winning: HashMap<u32, Vec<RuleOf>>,
    permitting: HashMap<u32, Vec<RuleOf>>,
    won: [u32; 2],
}

const NONE: u32 = u32::MAX;

impl Fast {
    fn new(ground: Arc<GroundSystem>) -> Fast {
        let words = ground.words();
        let mut fast = Fast {
            words,
            rivals_of: vec![SmallVec::new(); words * 64],
            rivals: Vec::new(),
            across: ground.system.lies_across(),
            complete: None,
            closed: vec![false; words * 64],
            tallies: vec![Vec::new(); words * 64],
            winning: HashMap::new(),
            permitting: HashMap::new(),
            won: ground.won(),
            ground,
        };
        let ground = Arc::clone(&fast.ground);
        fast.complete = if fast.across { Complete::new(&ground) } else { None };
        let system = &ground.system;
        let mut numbers: HashMap<(usize, Name), u32> = HashMap::new();
        for (first, size, predicate, rest) in fast.ground.buckets() {
            let kind = system.predicates.get(&predicate).and_then(|predicate| predicate.types.first());
            for at in 0..size {
                let fact = first + at;
                fast.closed[fact as usize] =
                    predicate == system.input_move || predicate == system.won || Some(predicate) == system.outright;
                let Some(&key) = kind.and_then(|&kind| system.objects(kind).get(at as usize)) else { continue };
                let arguments: SmallVec<[Name; 3]> = [key].into_iter().chain(rest.iter().copied()).collect();
                let whole = Fact { predicate, arguments };
                for (group, object) in
                    (0..).zip(&system.groups).filter_map(|(at, group)| Some((at, group.key(&whole)?)))
                {
                    let number = *numbers.entry((group, object)).or_insert_with(|| {
                        fast.rivals.push(Vec::new());
                        fast.rivals.len() as u32 - 1
                    });
                    fast.rivals_of[fact as usize].push(number);
                    fast.rivals[number as usize].push(fact);
                }
                for tally in &system.tallies {
                    let mut bindings = Bindings::default();
                    let count = whole.arguments.last().and_then(|&name| system.names.text(name).parse().ok());
                    let (Some(_), Some(count)) = (bindings.unify(&tally.feature, &whole), count) else { continue };
                    let mut counted = Vec::new();
                    for place in system.statics.candidates(&tally.place, &bindings) {
                        let mut bindings = bindings.clone();
                        if bindings.unify(&tally.place, place).is_some() {
                            let fact = bindings.fact(&tally.counted).and_then(|fact| fast.ground.fact(&fact));
                            counted.extend(fact.map(|fact| fact.0));
                        }
                    }
                    fast.tallies[fact as usize].push((count, counted));
                }
            }
        }
        for id in (0..2).flat_map(|player| fast.ground.all_moves(player)) {
            let entered = fast.ground.entered_fact(id);
            for (number, rule) in fast.ground.rules_of(id).iter().enumerate() {
                let wins = rule.add.iter().any(|fact| fast.won.contains(fact));
                let consumes = rule.delete.contains(&entered);
                for &fact in rule.condition.iter().filter(|&&fact| fact != entered) {
                    if wins {
                        fast.winning.entry(fact).or_default().push((id, number as u32));
                    }
                    if consumes {
                        fast.permitting.entry(fact).or_default().push((id, number as u32));
                    }
                }
            }
        }
        fast
    }

    fn check(&self, known: &BTreeSet<Fact>, player: Name, proof: &Proof) -> Result<(), String> {
        let mut world = World { known: Set::new(self.words), fresh: Set::new(self.words) };
        // In the order of the facts, so that the same rule is always checked in the same way.
        known.iter().filter_map(|fact| self.ground.fact(fact)).for_each(|fact| world.known.insert(fact.0));
        if !self.close(&mut world) {
            return Ok(());
        }
        let player = self.ground.player(player);
        if let Some((complete, mut state)) =
            self.complete.as_ref().and_then(|complete| Some((complete, complete.state(&world.known.bits)?)))
        {
            return complete.check(&mut state, player, proof);
        }
        self.wins(&world, player, proof, true)
    }

    #[inline]
    fn excluded(&self, known: &Set, fact: u32) -> bool {
        if self.closed[fact as usize] {
            return !known.contains(fact);
        }
        let held =
            |&number: &u32| self.rivals[number as usize].iter().any(|&rival| rival != fact && known.contains(rival));
        self.rivals_of[fact as usize].iter().any(held)
    }

    /// Adds the only feature that is left of a set of which one holds; `false` if none is.
    fn fill(&self, world: &mut World) -> bool {
        if !self.across {
            return true;
        }
        for rivals in &self.rivals {
            if rivals.iter().any(|&fact| world.known.contains(fact)) {
                continue;
            }
            let mut left = rivals.iter().copied().filter(|&fact| !self.excluded(&world.known, fact));
            match (left.next(), left.next()) {
                (None, _) => return false,
                (Some(only), None) => world.known.insert(only),
                _ => {}
            }
        }
        true
    }

    /// Adds what follows from tallies; `false` if what is known contradicts them.
    fn close(&self, world: &mut World) -> bool {
        loop {
            let before = world.known.list.len();
            let counting: SmallVec<[u32; 32]> =
                world.known.list.iter().copied().filter(|&fact| !self.tallies[fact as usize].is_empty()).collect();
            for fact in counting {
                for (count, counted) in &self.tallies[fact as usize] {
                    let held = counted.iter().filter(|&&fact| world.known.contains(fact)).count();
                    let open: SmallVec<[u32; 8]> = counted
                        .iter()
                        .copied()
                        .filter(|&fact| !world.known.contains(fact) && !self.excluded(&world.known, fact))
                        .collect();
                    if held > *count || held + open.len() < *count {
                        return false;
                    }
                    if held + open.len() == *count {
                        open.iter().for_each(|&fact| world.known.insert(fact));
                    }
                }
            }
            if !self.fill(world) {
                return false;
            }
            if world.known.list.len() == before {
                return true;
            }
        }
    }

    /// What must hold for a move to be legal, each way in which it may be.
    fn permits(&self, world: &World, id: MoveId) -> SmallVec<[SmallVec<[u32; 4]>; 2]> {
        let entered = self.ground.entered_fact(id);
        let mut found: SmallVec<[SmallVec<[u32; 4]>; 2]> = SmallVec::new();
        for rule in self.ground.rules_of(id).iter().filter(|rule| rule.delete.contains(&entered)) {
            let mut facts = rule.condition.iter().copied().filter(|&fact| fact != entered);
            if facts.clone().any(|fact| self.excluded(&world.known, fact)) {
                continue;
            }
            let mut facts: SmallVec<[u32; 4]> = facts.by_ref().collect();
            facts.sort_unstable();
            if !found.contains(&facts) {
                found.push(facts);
            }
        }
        found
    }

    fn advance(&self, world: &World, id: MoveId, opened: bool) -> Moved {
        let entered = self.ground.entered_fact(id);
        let win = self.won[id.0 as usize % 2];
        let mut moved = Moved { world: world.clone(), won: [false; 2], may_win: false };
        let (mut added, mut gone): (SmallVec<[u32; 32]>, SmallVec<[u32; 32]>) = (SmallVec::new(), SmallVec::new());
        let mut doubtful: SmallVec<[u32; 32]> = SmallVec::new();
        for rule in self.ground.rules_of(id) {
            let mut certain = true;
            let possible = rule.condition.iter().all(|&fact| {
                certain &= fact == entered || world.known.contains(fact);
                fact == entered || !self.excluded(&world.known, fact)
            });
            if !possible {
                continue;
            }
            let since = || rule.condition.iter().any(|&fact| world.fresh.contains(fact));
            if rule.add.contains(&win) && (opened || since()) {
                moved.may_win = true;
            }
            rule.add.iter().for_each(|&fact| moved.world.fresh.insert(fact));
            if certain {
                added.extend(rule.add.iter().copied());
                gone.extend(rule.delete.iter().copied());
            } else {
                doubtful.extend(rule.delete.iter().copied().filter(|&fact| fact != entered));
            }
        }
        let known = &mut moved.world.known;
        gone.iter().for_each(|&fact| known.remove(fact));
        added.iter().for_each(|&fact| known.insert(fact));
        doubtful.iter().for_each(|&fact| known.remove(fact));
        known.remove(entered);
        for player in 0..2 {
            moved.won[player] = self.won[player] != NONE && known.contains(self.won[player]);
        }
        moved
    }

    /// Whether a move certainly wins at once.
    fn wins_at_once(&self, world: &World, id: MoveId) -> bool {
        let entered = self.ground.entered_fact(id);
        let certain = |condition: &[u32]| condition.iter().all(|&fact| fact == entered || world.known.contains(fact));
        let rules = self.ground.rules_of(id);
        let legal = rules.iter().any(|rule| rule.delete.contains(&entered) && certain(&rule.condition));
        legal && self.advance(world, id, false).won[id.0 as usize % 2]
    }

    fn named(&self, id: MoveId) -> String {
        let names = &self.ground.system.names;
        format!(
            "{} on {}",
            names.text(self.ground.system.players[id.0 as usize % 2]),
            names.text(self.ground.square(id))
        )
    }

    fn move_of(&self, square: Argument, player: usize) -> Option<MoveId> {
        let Argument::Object(square) = square else { return None };
        self.ground.move_id(square, self.ground.system.players[player])
    }

    /// Whether some move certainly wins at once: one of those that are named, or else any other.
    fn some_wins(&self, world: &World, player: usize, named: &[Argument]) -> Result<(), String> {
        let named = named.iter().filter_map(|&square| self.move_of(square, player));
        let known = world.known.list.iter().filter_map(|fact| self.winning.get(fact)).flatten();
        let known = known.map(|&(id, _)| id).filter(|id| id.0 as usize % 2 == player);
        let mut moves: Vec<MoveId> = known.collect();
        moves.sort_unstable();
        moves.dedup();
        let wins = |id: MoveId| {
            let square = Argument::Object(self.ground.square(id));
            self.wins_at_once(world, id) && self.wins(world, player, &Proof::Win(square), false).is_ok()
        };
        match named.chain(moves).any(wins) {
            true => Ok(()),
            false => {
                let names = &self.ground.system.names;
                let player = names.text(self.ground.system.players[player]);
                Err(format!("{player} may have no move that wins at once"))
            }
        }
    }

    /// Whether what a player has just brought about cannot be answered at once with as much. Only a win needs no such question.
    fn stands(&self, moved: &Moved, player: usize) -> Result<(), String> {
        let Some(outright) = self.ground.outright() else { return Ok(()) };
        let mut world = moved.world.clone();
        if world.known.contains(outright[player]) || !self.close(&mut world) {
            return Ok(());
        }
        for reply in self.ground.all_moves(1 - player) {
            for permit in self.permits(&world, reply) {
                let opened = permit.iter().any(|&fact| world.fresh.contains(fact));
                let mut before = world.clone();
                permit.iter().for_each(|&fact| before.known.insert(fact));
                if self.close(&mut before) && self.advance(&before, reply, opened).may_win {
                    return Err(format!("{} may answer with as much", self.named(reply)));
                }
            }
        }
        Ok(())
    }

    fn wins(&self, world: &World, player: usize, proof: &Proof, first: bool) -> Result<(), String> {
        if let Proof::AtOnce(named) = proof {
            return self.some_wins(world, player, named);
        }
        let id = proof.square().and_then(|square| self.move_of(square, player));
        let id = id.ok_or("the proof plays on a square that nothing says")?;
        let certain =
            self.permits(world, id).iter().any(|permit| permit.iter().all(|&fact| world.known.contains(fact)));
        if !certain {
            return Err(format!("{} may be no legal move", self.named(id)));
        }
        let moved = self.advance(world, id, false);
        let Proof::Play { replies, otherwise, .. } = proof else {
            return match moved.won[player] {
                true if first => Ok(()),
                true => self.stands(&moved, player),
                false => Err(format!("{} may not win", self.named(id))),
            };
        };
        let mut world = moved.world;
        if first {
            world.fresh = Set::new(self.words);
        }
        if !self.close(&mut world) {
            return Ok(());
        }
        let other = 1 - player;
        if first && self.across {
            // Where the opponent certainly has a move that wins at once the claim says nothing.
            let known = world.known.list.iter().filter_map(|fact| self.winning.get(fact)).flatten();
            let mut ids = known.map(|&(id, _)| id).filter(|id| id.0 as usize % 2 == other);
            if ids.any(|id| self.wins_at_once(&world, id)) {
                return Ok(());
            }
        }
        // Replies on which something known, or the reply itself, depends; all others leave what is known as it is.
        let mut matters: BTreeSet<MoveId> =
            replies.iter().filter_map(|(reply, _)| self.move_of(*reply, other)).collect();
        for &fact in &world.known.list {
            matters.extend(
                self.ground.deleters(FactId(fact), other).iter().map(|&square| MoveId(square * 2 + other as u32)),
            );
        }
        let of_other = |rules: &HashMap<u32, Vec<RuleOf>>, facts: &Set| -> Vec<RuleOf> {
            let rules = facts.list.iter().filter_map(|fact| rules.get(fact)).flatten();
            rules.copied().filter(|(id, _)| id.0 as usize % 2 == other).collect()
        };
        matters.extend(of_other(&self.permitting, &world.fresh).into_iter().map(|(id, _)| id));
        if !first {
            matters.extend(of_other(&self.winning, &world.fresh).into_iter().map(|(id, _)| id));
        }
        let settled = match otherwise.as_deref() {
            Some(Proof::Win(square)) if self.ground.outright().is_none() => {
                self.move_of(*square, player).is_some_and(|id| self.wins_at_once(&world, id))
            }
            _ => false,
        };
        let mut must_move = of_other(&self.permitting, &world.known).into_iter().any(|(id, number)| {
            let entered = self.ground.entered_fact(id);
            let rule = &self.ground.rules_of(id)[number as usize];
            rule.condition.iter().all(|&fact| fact == entered || world.known.contains(fact))
        });
        for reply in self.ground.all_moves(other) {
            if settled && !matters.contains(&reply) {
                continue;
            }
            let listed = replies.iter().find(|(listed, _)| self.move_of(*listed, other) == Some(reply));
            let next = listed.map(|(_, proof)| proof).or(otherwise.as_deref());
            for permit in self.permits(&world, reply) {
                must_move |= permit.iter().all(|&fact| world.known.contains(fact));
                let opened = permit.iter().any(|&fact| world.fresh.contains(fact));
                let mut before = world.clone();
                permit.iter().for_each(|&fact| before.known.insert(fact));
                if !self.close(&mut before) {
                    continue;
                }
                let moved = self.advance(&before, reply, opened);
                if !first && moved.may_win {
                    return Err(format!("{} may win first", self.named(reply)));
                }
                if moved.won[other] {
                    // Only right after the rule's own move: that is the exception.
                    continue;
                }
                let mut after = moved.world;
                if !self.close(&mut after) {
                    continue;
                }
                let next = next.ok_or_else(|| format!("there is no answer to {}", self.named(reply)))?;
                self.wins(&after, player, next, false)
                    .map_err(|reason| format!("{reason} after {}", self.named(reply)))?;
            }
        }
        match must_move {
            true => Ok(()),
            false => Err(format!("the opponent may have no move after {}", self.named(id))),
        }
    }
}

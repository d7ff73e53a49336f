//! The checker of proofs: an independent reading of the rules of the game, over what is known of a state.
//!
//! A rule is checked for every way in which it can lie on the board. What its condition says is *known*; everything else is unknown, and may be whatever
//! the invariants of the system (`one-of`, `tally`) do not exclude. A move fires a rule of the game certainly if all of its
//! condition is known, and possibly if none of it is excluded. After a move is known what was known and cannot have been deleted, and
//! what certainly was added. So what is accepted holds in every state that the rule describes. The claim is:
//!
//! > The player to move wins with the rule's move, unless the opponent can win at once right after it.
//!
//! For an event other than a win the system is that of [`UpdateSystem::for_event`], in which whoever brings it about first has won; and what was brought about
//! must stand: the opponent cannot answer it at once with as much. So the claim is:
//!
//! > With the rule's move the player brings the event or a better one about before the opponent does, and the opponent cannot answer that at once with
//! > as much, unless the opponent can bring as much about at once right after the rule's move.
//!
//! The exception needs no proof: whoever uses a rule looks whether the opponent has such a move. Later in the combination the opponent must
//! not get one: that is checked, for wins that rest on something that the combination may have added. No code is shared with the
//! learner but the types of the language.

use super::language::{Argument, Bindings, Fact, Literal, Name, Variable};
use super::proof::Proof;
use super::recognition::RecognitionRule;
use super::system::{UpdateRule, UpdateSystem};
use std::collections::BTreeSet;

/// What an accepted proof rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// In how many ways the rule lies on the board.
    pub instances: u64,
}

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refuted {
    /// There is none.
    #[error("there is no proof")]
    NoProof,
    /// It does not belong to the rule.
    #[error("the proof is of another move or depth than the rule's")]
    OtherClaim,
    /// The rule is about another event than the system.
    #[error("the rule is about another event than the system")]
    OtherEvent,
    /// It does not hold for one way in which the rule lies on the board.
    #[error("{reason}, with {example}")]
    Fails {
        /// What does not hold.
        reason: String,
        /// Where.
        example: String,
    },
    /// There are more ways in which it lies on the board than may be checked.
    #[error("there are more than {0} ways in which the rule lies on the board")]
    TooMany(u64),
}

/// What is known of a state.
#[derive(Clone, Debug)]
struct World {
    known: BTreeSet<Fact>,
    /// What may have been added since the rule's own move.
    fresh: BTreeSet<Fact>,
}

/// What a move did.
struct Moved {
    world: World,
    /// Players that have certainly won.
    won: BTreeSet<Name>,
    /// Whether the mover may have won because of something that was not there right after the rule's own move.
    may_win: bool,
}

/// Checks a rule's proof for every way in which the rule lies on the board, `most` at most.
///
/// # Errors
///
/// It is not accepted.
pub fn check_rule(system: &UpdateSystem, rule: &RecognitionRule, most: u64) -> Result<Checked, Refuted> {
    each_instance(system, rule, most, &mut |known, player, proof| check_known(system, known, player, proof))
}

/// How the proof of one way to lie on the board is checked: what is known, who is to move, and the proof without variables.
type Check<'a> = dyn FnMut(&BTreeSet<Fact>, Name, &Proof) -> Result<(), String> + 'a;

/// Checks a rule's proof for every way in which the rule lies on the board, `most` at most, with `check` for each.
pub(super) fn each_instance(
    system: &UpdateSystem,
    rule: &RecognitionRule,
    most: u64,
    check: &mut Check,
) -> Result<Checked, Refuted> {
    let proof = rule.proof.as_ref().ok_or(Refuted::NoProof)?;
    if rule.event != system.event {
        return Err(Refuted::OtherEvent);
    }
    if proof.square() != Some(rule.square) || proof.depth() != rule.depth {
        return Err(Refuted::OtherClaim);
    }
    let steps = most.saturating_mul(STEPS);
    let mut instances = Instances { system, rule, proof, most, count: 0, steps, check };
    let literals: Vec<&Literal> = rule.condition.literals.iter().collect();
    instances.extend(&literals, &mut Bindings::default(), &mut BTreeSet::new())?;
    Ok(Checked { instances: instances.count })
}

/// Checks a proof without variables in a state of which something is known.
///
/// # Errors
///
/// What does not hold.
pub fn check_known(system: &UpdateSystem, known: &BTreeSet<Fact>, player: Name, proof: &Proof) -> Result<(), String> {
    let mut world = World { known: known.clone(), fresh: BTreeSet::new() };
    if !close(system, &mut world) {
        return Ok(());
    }
    wins(system, &world, player, proof, &Bindings::default(), true)
}

/// How many choices there may be for each way to lie on the board.
const STEPS: u64 = 100;

struct Instances<'a, 'c> {
    system: &'a UpdateSystem,
    rule: &'a RecognitionRule,
    proof: &'a Proof,
    most: u64,
    count: u64,
    /// How many choices may still be made: most of them may lead nowhere.
    steps: u64,
    check: &'a mut Check<'c>,
}

impl Instances<'_, '_> {
    fn extend(
        &mut self,
        left: &[&Literal],
        bindings: &mut Bindings,
        known: &mut BTreeSet<Fact>,
    ) -> Result<(), Refuted> {
        let system = self.system;
        self.steps = self.steps.checked_sub(1).ok_or(Refuted::TooMany(self.most))?;
        if !bindings.respects(&self.rule.condition.unequal) {
            return Ok(());
        }
        if left.is_empty() {
            return self.check(bindings, known);
        }
        // What has the fewest facts to choose from comes first.
        let cost = |literal: &Literal| match system.is_static(literal.predicate) {
            true => system.statics.candidates(literal, bindings).len(),
            false => unbound(system, literal, bindings),
        };
        let mut cheapest = (usize::MAX, 0);
        for (at, literal) in left.iter().enumerate() {
            cheapest = cheapest.min((cost(literal), at));
            if cheapest.0 <= 1 {
                break;
            }
        }
        let at = cheapest.1;
        let literal = left[at];
        let rest: Vec<&Literal> =
            left.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, &rest)| rest).collect();
        if system.is_static(literal.predicate) {
            for fact in system.statics.candidates(literal, bindings) {
                if let Some(bound) = bindings.unify(literal, fact) {
                    let result = self.extend(&rest, bindings, known);
                    bound.iter().for_each(|&variable| bindings.clear(variable));
                    result?;
                }
            }
            return Ok(());
        }
        for fact in possible_facts(system, literal, bindings) {
            // Distinct literals match distinct features, and of a set of which one holds there is only one.
            if known.contains(&fact) || excluded(system, known, &fact) {
                continue;
            }
            if let Some(bound) = bindings.unify(literal, &fact) {
                known.insert(fact.clone());
                let result = self.extend(&rest, bindings, known);
                known.remove(&fact);
                bound.iter().for_each(|&variable| bindings.clear(variable));
                result?;
            }
        }
        Ok(())
    }

    fn check(&mut self, bindings: &Bindings, known: &BTreeSet<Fact>) -> Result<(), Refuted> {
        self.count += 1;
        if self.count > self.most {
            return Err(Refuted::TooMany(self.most));
        }
        let fails = |reason: String| {
            let names = &self.system.names;
            let shown = |fact: &Fact| {
                let arguments: Vec<&str> = fact.arguments.iter().map(|&name| names.text(name)).collect();
                format!("{}({})", names.text(fact.predicate), arguments.join(","))
            };
            let example = known.iter().map(shown).collect::<Vec<_>>().join(" ");
            Refuted::Fails { reason, example }
        };
        let Some(player) = bindings.value(self.rule.player) else {
            return Err(fails("nothing says who is to move".to_owned()));
        };
        let proof = self.proof.ground(bindings);
        (self.check)(known, player, &proof).map_err(fails)
    }
}

/// How many facts a literal may become.
fn unbound(system: &UpdateSystem, literal: &Literal, bindings: &Bindings) -> usize {
    let free = literal.arguments.iter().enumerate().filter(|(_, argument)| bindings.value(**argument).is_none());
    free.map(|(place, _)| system.objects_at(literal.predicate, place).len()).fold(1, usize::saturating_mul)
}

/// All facts that a literal may become.
fn possible_facts(system: &UpdateSystem, literal: &Literal, bindings: &Bindings) -> Vec<Fact> {
    let mut made: Vec<Bindings> = vec![bindings.clone()];
    for (place, &argument) in literal.arguments.iter().enumerate() {
        let Argument::Variable(variable) = argument else { continue };
        if made.first().is_none_or(|bindings| bindings.get(variable).is_some()) {
            continue;
        }
        let objects = system.objects_at(literal.predicate, place);
        let with = |bindings: &Bindings, object: Name| {
            let mut bindings = bindings.clone();
            bindings.set(variable, object);
            bindings
        };
        made = made.iter().flat_map(|bindings| objects.iter().map(move |&object| with(bindings, object))).collect();
    }
    made.iter().filter_map(|bindings| bindings.fact(literal)).collect()
}

/// Whether a fact cannot hold beside those that are known. Moves and wins that are not known are not there.
fn excluded(system: &UpdateSystem, known: &BTreeSet<Fact>, fact: &Fact) -> bool {
    if fact.predicate == system.input_move || fact.predicate == system.won || Some(fact.predicate) == system.outright {
        return !known.contains(fact);
    }
    system.groups.iter().any(|group| {
        let Some(key) = group.key(fact) else { return false };
        group.features.iter().any(|&(predicate, place)| rivals(known, predicate, place, key).any(|other| other != fact))
    })
}

/// The facts that are known of a feature and an object.
fn rivals(known: &BTreeSet<Fact>, predicate: Name, place: usize, key: Name) -> impl Iterator<Item = &Fact> {
    let first = (place == 0).then_some(key);
    let from = Fact { predicate, arguments: first.into_iter().collect() };
    known
        .range(from..)
        .take_while(move |other| other.predicate == predicate && (place > 0 || other.arguments.first() == Some(&key)))
        .filter(move |other| other.arguments.get(place) == Some(&key))
}

/// Adds what follows from tallies; `false` if what is known contradicts them, so that there is no such state.
fn close(system: &UpdateSystem, world: &mut World) -> bool {
    loop {
        let before = world.known.len();
        if !close_once(system, world) || !fill(system, world) {
            return false;
        }
        if world.known.len() == before {
            return true;
        }
    }
}

fn close_once(system: &UpdateSystem, world: &mut World) -> bool {
    for tally in &system.tallies {
        let facts: Vec<Fact> =
            world.known.iter().filter(|fact| fact.predicate == tally.feature.predicate).cloned().collect();
        for fact in facts {
            let mut bindings = Bindings::default();
            if bindings.unify(&tally.feature, &fact).is_none() {
                continue;
            }
            let count = fact.arguments.last().and_then(|&name| system.names.text(name).parse::<usize>().ok());
            let Some(count) = count else { continue };
            let (mut held, mut open) = (0, Vec::new());
            for place in system.statics.candidates(&tally.place, &bindings) {
                let mut bindings = bindings.clone();
                if bindings.unify(&tally.place, place).is_none() {
                    continue;
                }
                let Some(counted) = bindings.fact(&tally.counted) else { continue };
                if world.known.contains(&counted) {
                    held += 1;
                } else if !excluded(system, &world.known, &counted) {
                    open.push(counted);
                }
            }
            if held > count || held + open.len() < count {
                return false;
            }
            if held + open.len() == count {
                world.known.extend(open);
            }
        }
    }
    true
}

/// Adds the only feature that is left of a set of which one holds; `false` if none is. Where sets lie across each other, knowing where all
/// pieces are says which squares are empty. Sets that name their object first say nothing new of each other.
fn fill(system: &UpdateSystem, world: &mut World) -> bool {
    if !system.lies_across() {
        return true;
    }
    for group in &system.groups {
        for &key in system.objects(group.kind) {
            let holds =
                |&(predicate, place): &(Name, usize)| rivals(&world.known, predicate, place, key).next().is_some();
            if group.features.iter().any(holds) {
                continue;
            }
            let mut left = Vec::new();
            for &(predicate, place) in &group.features {
                let types = system.predicates[&predicate].types.len();
                let arguments = (0..types).map(|at| match at == place {
                    true => Argument::Object(key),
                    false => Argument::Variable(Variable(at as u32)),
                });
                let literal = Literal { predicate, arguments: arguments.collect() };
                let facts = possible_facts(system, &literal, &Bindings::default());
                left.extend(facts.into_iter().filter(|fact| !excluded(system, &world.known, fact)));
                if left.len() > 1 {
                    break;
                }
            }
            if left.is_empty() {
                return false;
            }
            if left.len() == 1 {
                world.known.extend(left);
            }
        }
    }
    true
}

/// Whether the player to move wins as the proof says. `first` is the rule's own move, after which the opponent has no immediate win.
fn wins(
    system: &UpdateSystem,
    world: &World,
    player: Name,
    proof: &Proof,
    bindings: &Bindings,
    first: bool,
) -> Result<(), String> {
    let named = |name: Name| system.names.text(name).to_owned();
    if let Proof::AtOnce(named) = proof {
        return wins_at_once(system, world, player, named, bindings);
    }
    let square = proof.square().and_then(|square| bindings.value(square));
    let square = square.ok_or("the proof plays on a square that nothing says")?;
    let certain = permits(system, world, square, player)
        .into_iter()
        .any(|permit| permit.iter().all(|fact| world.known.contains(fact)));
    if !certain {
        return Err(format!("{} may be no legal move of {}", named(square), named(player)));
    }
    let moved = advance(system, world, square, player, false);
    let Proof::Play { replies, otherwise, .. } = proof else {
        if !moved.won.contains(&player) {
            return Err(format!("{} on {} may not win", named(player), named(square)));
        }
        // Right after the rule's own move that is the exception.
        return if first { Ok(()) } else { stands(system, &moved, player) };
    };
    let mut world = moved.world;
    if first {
        world.fresh.clear();
    }
    if !close(system, &mut world) {
        return Ok(());
    }
    let other = system.other(player);
    if first && system.lies_across() && certainly_wins(system, &world, other) {
        return Ok(());
    }
    let mut must_move = false;
    for &reply in system.objects_at(system.input_move, 0) {
        let listed = replies.iter().find(|(listed, _)| bindings.value(*listed) == Some(reply));
        let next = listed.map(|(_, proof)| proof).or(otherwise.as_deref());
        for permit in permits(system, &world, reply, other) {
            must_move |= permit.iter().all(|fact| world.known.contains(fact));
            let mut before = world.clone();
            let opened = permit.iter().any(|fact| world.fresh.contains(fact));
            before.known.extend(permit);
            if !close(system, &mut before) {
                continue;
            }
            let moved = advance(system, &before, reply, other, opened);
            if !first && moved.may_win {
                return Err(format!("{} on {} may win first", named(other), named(reply)));
            }
            if moved.won.contains(&other) {
                // Only right after the rule's own move: that is the exception.
                continue;
            }
            let mut after = moved.world;
            if !close(system, &mut after) {
                continue;
            }
            let next = next.ok_or_else(|| format!("there is no answer to {}", named(reply)))?;
            wins(system, &after, player, next, bindings, false)
                .map_err(|reason| format!("{reason} after {}", named(reply)))?;
        }
    }
    match must_move {
        true => Ok(()),
        false => Err(format!("{} may have no move after {}", named(other), named(square))),
    }
}

/// Whether a player certainly has a move that wins at once, whatever the answer to it is: then the claim says nothing. That is looked for only where sets of features
/// lie across each other, so that much is certain.
fn certainly_wins(system: &UpdateSystem, world: &World, player: Name) -> bool {
    system.objects_at(system.input_move, 0).iter().any(|&square| {
        let mut ways = permits(system, world, square, player).into_iter();
        ways.any(|permit| permit.iter().all(|fact| world.known.contains(fact)))
            && advance(system, world, square, player, false).won.contains(&player)
    })
}

/// Whether some move certainly wins at once: one of those that are named, or else any other.
fn wins_at_once(
    system: &UpdateSystem,
    world: &World,
    player: Name,
    named: &[Argument],
    bindings: &Bindings,
) -> Result<(), String> {
    let named = named.iter().filter_map(|&square| bindings.value(square));
    let mut squares = named.chain(system.objects_at(system.input_move, 0).iter().copied());
    let wins = |square| wins(system, world, player, &Proof::Win(Argument::Object(square)), bindings, false).is_ok();
    match squares.any(wins) {
        true => Ok(()),
        false => Err(format!("{} may have no move that wins at once", system.names.text(player))),
    }
}

/// Whether what a player has just brought about cannot be answered at once with as much. Only a win needs no such question.
fn stands(system: &UpdateSystem, moved: &Moved, player: Name) -> Result<(), String> {
    let Some(outright) = system.outright else { return Ok(()) };
    let mut world = moved.world.clone();
    let won = Fact { predicate: outright, arguments: [player].into_iter().collect() };
    if world.known.contains(&won) || !close(system, &mut world) {
        return Ok(());
    }
    let other = system.other(player);
    for &reply in system.objects_at(system.input_move, 0) {
        for permit in permits(system, &world, reply, other) {
            let mut before = world.clone();
            let opened = permit.iter().any(|fact| world.fresh.contains(fact));
            before.known.extend(permit);
            if close(system, &mut before) && advance(system, &before, reply, other, opened).may_win {
                let (other, reply) = (system.names.text(other), system.names.text(reply));
                return Err(format!("{other} on {reply} may answer with as much"));
            }
        }
    }
    Ok(())
}

/// What must hold for a move to be legal: for every rule that takes the move away, the facts of its condition, where none is excluded.
fn permits(system: &UpdateSystem, world: &World, square: Name, player: Name) -> Vec<BTreeSet<Fact>> {
    let entered = system.move_fact(square, player);
    let mut world = world.clone();
    world.known.insert(entered.clone());
    let mut found: Vec<BTreeSet<Fact>> = Vec::new();
    for rule in &system.rules {
        let consumes = rule.delete.iter().any(|literal| literal.predicate == system.input_move);
        if !consumes {
            continue;
        }
        for firing in firings(system, &world, rule, &BTreeSet::from([entered.clone()])) {
            let facts = firing.condition.into_iter().filter(|fact| *fact != entered).collect();
            if !found.contains(&facts) {
                found.push(facts);
            }
        }
    }
    found
}

/// A rule that may fire.
struct Possible {
    condition: Vec<Fact>,
    adds: Vec<Fact>,
    deletes: Vec<Fact>,
}

/// All ways in which a rule may fire that rest on one of the `hot` facts.
fn firings(system: &UpdateSystem, world: &World, rule: &UpdateRule, hot: &BTreeSet<Fact>) -> Vec<Possible> {
    let mut found: Vec<Bindings> = Vec::new();
    for (at, literal) in rule.condition.iter().enumerate() {
        for fact in hot.iter().filter(|fact| fact.predicate == literal.predicate) {
            let mut bindings = Bindings::default();
            if bindings.unify(literal, fact).is_some() {
                let rest: Vec<&Literal> =
                    rule.condition.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, rest)| rest).collect();
                join(system, world, rule, &rest, &mut bindings, hot, &mut found);
            }
        }
    }
    let facts = |literals: &[Literal], bindings: &Bindings| -> Vec<Fact> {
        literals.iter().filter_map(|literal| bindings.fact(literal)).collect()
    };
    let mut possible = Vec::new();
    for (at, bindings) in found.iter().enumerate() {
        if found[..at].contains(bindings) {
            continue;
        }
        let condition: Vec<Fact> =
            facts(&rule.condition, bindings).into_iter().filter(|fact| !system.is_static(fact.predicate)).collect();
        let distinct: BTreeSet<&Fact> = condition.iter().collect();
        if distinct.len() < condition.len() {
            continue;
        }
        possible.push(Possible { condition, adds: facts(&rule.add, bindings), deletes: facts(&rule.delete, bindings) });
    }
    possible
}

fn join(
    system: &UpdateSystem,
    world: &World,
    rule: &UpdateRule,
    left: &[&Literal],
    bindings: &mut Bindings,
    hot: &BTreeSet<Fact>,
    found: &mut Vec<Bindings>,
) {
    if !bindings.respects(&rule.unequal) {
        return;
    }
    let cost = |literal: &Literal| match system.is_static(literal.predicate) {
        true => system.statics.candidates(literal, bindings).len(),
        false => unbound(system, literal, bindings).saturating_mul(2),
    };
    let Some(at) = (0..left.len()).min_by_key(|&at| cost(left[at])) else {
        found.push(bindings.clone());
        return;
    };
    let literal = left[at];
    let rest: Vec<&Literal> =
        left.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, &rest)| rest).collect();
    let candidates = match system.is_static(literal.predicate) {
        true => system.statics.candidates(literal, bindings).to_vec(),
        false => {
            let mut facts = possible_facts(system, literal, bindings);
            facts.retain(|fact| hot.contains(fact) || !excluded(system, &world.known, fact));
            facts
        }
    };
    for fact in candidates {
        if let Some(bound) = bindings.unify(literal, &fact) {
            join(system, world, rule, &rest, bindings, hot, found);
            bound.iter().for_each(|&variable| bindings.clear(variable));
        }
    }
}

/// What is known after a move; `opened` says that the move has become legal since the rule's own move.
fn advance(system: &UpdateSystem, world: &World, square: Name, player: Name, opened: bool) -> Moved {
    let entered = system.move_fact(square, player);
    let win = system.won_fact(player);
    let mut since = world.fresh.clone();
    let mut may_win = false;
    let mut world = world.clone();
    world.known.insert(entered.clone());
    let mut hot = BTreeSet::from([entered.clone()]);
    let mut seen = hot.clone();
    let mut won = BTreeSet::new();
    while !hot.is_empty() {
        let mut later = BTreeSet::new();
        let (mut added, mut deleted, mut doubtful, mut next) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for rule in &system.rules {
            for firing in firings(system, &world, rule, &hot) {
                let certain = firing.condition.iter().all(|fact| world.known.contains(fact));
                if opened || firing.condition.iter().any(|fact| since.contains(fact)) {
                    may_win |= firing.adds.contains(&win);
                    later.extend(firing.adds.iter().cloned());
                }
                next.extend(firing.adds.iter().filter(|fact| !seen.contains(fact)).cloned());
                world.fresh.extend(firing.adds.iter().cloned());
                if certain {
                    added.extend(firing.adds);
                    deleted.extend(firing.deletes);
                } else {
                    doubtful.extend(firing.deletes.into_iter().filter(|fact| *fact != entered));
                }
            }
        }
        world.known.retain(|fact| !deleted.contains(fact));
        world.known.extend(added);
        world.known.retain(|fact| !doubtful.contains(fact));
        won.extend(
            world.known.iter().filter(|fact| fact.predicate == system.won).filter_map(|fact| fact.arguments.first()),
        );
        seen.extend(next.iter().cloned());
        since.extend(later);
        hot = next;
    }
    world.known.remove(&entered);
    Moved { world, won, may_win }
}

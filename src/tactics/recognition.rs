//! Recognition rules: a description of states that are won for the player to move, and the move that wins.
//!
//! Two rules are equivalent if each subsumes the other: θ-subsumption with distinct literals, the recommended moves included.

use super::group::Group;
use super::language::{Argument, Bindings, Description, Literal, Name, Variable};
use super::proof::Proof;
use super::system::UpdateSystem;

/// Whether a rule may be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The checker accepts its proof for every way in which the rule lies on the board: it is played without further search.
    Proved,
    /// The rule lies on the board in too many ways to check them all: its proof is checked in each position before it is played.
    PerPosition,
    /// Nobody has proved it: it only says which moves to look at first.
    Unproved,
}

/// A rule that recognises a winning combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecognitionRule {
    /// Its name.
    pub name: String,
    /// The states.
    pub condition: Description,
    /// The move that is recommended.
    pub square: Argument,
    /// Who moves.
    pub player: Argument,
    /// What it brings about, if that is not a win: an event of the system.
    pub event: Option<Name>,
    /// How many own moves the win takes at most.
    pub depth: u32,
    /// Why it wins.
    pub proof: Option<Proof>,
    /// Whether the checker accepts that.
    pub status: Status,
    /// The names of its variables.
    pub variables: Vec<String>,
    /// Where it was learnt.
    pub learnt: String,
}

impl RecognitionRule {
    /// The squares that may parry the combination: those on which it may be played, and all of its features' squares.
    pub fn block_set(&self, system: &UpdateSystem) -> Vec<Argument> {
        let mut blocks = self.proof.as_ref().map_or_else(|| vec![self.square], Proof::moves);
        if self.depth > 1 {
            for literal in self.condition.literals.iter().filter(|literal| is_open(system, literal)) {
                if !blocks.contains(&literal.arguments[0]) {
                    blocks.push(literal.arguments[0]);
                }
            }
        }
        blocks
    }

    /// Whether every state of `other` is one of this rule too, with the same move, and the win takes no longer.
    pub fn subsumes(&self, other: &RecognitionRule, system: &UpdateSystem) -> bool {
        if self.event != other.event || self.depth > other.depth || self.status > other.status {
            return false;
        }
        let mut bindings = Bindings::default();
        let ends = [(self.square, other.square), (self.player, other.player)];
        ends.iter().all(|&(a, b)| bind(&mut bindings, a, b))
            && Embedding {
                system,
                general: &self.condition,
                special: &other.condition,
                used: Vec::new(),
                left: MOST_STEPS,
            }
            .extend(&mut bindings, &mut (0..self.condition.literals.len()).collect())
    }

    /// Whether both describe the same states with the same move.
    pub fn is_equivalent(&self, other: &RecognitionRule, system: &UpdateSystem) -> bool {
        self.subsumes(other, system) && other.subsumes(self, system)
    }
}

/// Whether a feature must hold for a move to be legal: such as `is-empty`.
fn is_open(system: &UpdateSystem, literal: &Literal) -> bool {
    let legal =
        system.rules.iter().filter(|rule| rule.delete.iter().any(|deleted| deleted.predicate == system.input_move));
    let mut open = legal.flat_map(|rule| {
        rule.condition.iter().filter(|condition| {
            let square = rule
                .condition
                .iter()
                .find(|input| input.predicate == system.input_move)
                .map(|input| input.arguments[0]);
            condition.predicate != system.input_move && condition.arguments.first().copied() == square
        })
    });
    !system.is_static(literal.predicate) && open.any(|condition| condition.predicate == literal.predicate)
}

/// Variables of the more special description stand for themselves: they get names that no system has.
fn skolem(argument: Argument) -> Name {
    match argument {
        Argument::Object(name) => name,
        Argument::Variable(Variable(number)) => Name(u32::MAX - number),
    }
}

fn bind(bindings: &mut Bindings, general: Argument, special: Argument) -> bool {
    let name = skolem(special);
    match (bindings.value(general), general) {
        (Some(value), _) => value == name,
        (None, Argument::Variable(variable)) => {
            bindings.set(variable, name);
            true
        }
        (None, Argument::Object(_)) => false,
    }
}

/// θ-subsumption is NP-complete: after so many steps a rule counts as not subsumed, and both are kept.
const MOST_STEPS: u32 = 50_000;

/// A search for a place of one description in another.
struct Embedding<'a> {
    system: &'a UpdateSystem,
    general: &'a Description,
    special: &'a Description,
    used: Vec<usize>,
    left: u32,
}

impl Embedding<'_> {
    fn extend(&mut self, bindings: &mut Bindings, open: &mut Vec<usize>) -> bool {
        let system = self.system;
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        // The literal with the fewest places comes first.
        let mut fewest: Option<(usize, Vec<usize>)> = None;
        for (place, &at) in open.iter().enumerate() {
            let literal = &self.general.literals[at];
            let is_static = system.is_static(literal.predicate);
            if is_static && bindings.fact(literal).is_some_and(|fact| system.statics.holds(&fact)) {
                let at = open.swap_remove(place);
                let found = self.extend(bindings, open);
                open.push(at);
                let last = open.len() - 1;
                open.swap(place, last);
                return found;
            }
            let fits = |number: &usize| {
                let other = &self.special.literals[*number];
                let agrees = |(&a, &b): (&Argument, &Argument)| bindings.value(a).is_none_or(|name| name == skolem(b));
                other.predicate == literal.predicate
                    && (is_static || !self.used.contains(number))
                    && literal.arguments.iter().zip(&other.arguments).all(agrees)
            };
            let places: Vec<usize> = (0..self.special.literals.len()).filter(fits).collect();
            let better = fewest.as_ref().is_none_or(|(_, known)| places.len() < known.len());
            if better {
                let none = places.is_empty();
                fewest = Some((place, places));
                if none {
                    return false;
                }
            }
        }
        let Some((place, places)) = fewest else {
            return self.general.unequal.iter().all(|&(a, b)| differs(system, self.special, bindings, a, b));
        };
        let at = open.swap_remove(place);
        let mut found = false;
        for number in places {
            let before = bindings.clone();
            let pairs = self.general.literals[at].arguments.iter().zip(&self.special.literals[number].arguments);
            if pairs.into_iter().all(|(&a, &b)| bind(bindings, a, b)) {
                self.used.push(number);
                found = self.extend(bindings, open);
                self.used.pop();
            }
            if found {
                break;
            }
            *bindings = before;
        }
        open.push(at);
        let last = open.len() - 1;
        open.swap(place, last);
        found
    }
}

/// Whether two arguments of the general description can never be equal in a state of the special one.
fn differs(system: &UpdateSystem, special: &Description, bindings: &Bindings, a: Argument, b: Argument) -> bool {
    let (Some(a), Some(b)) = (bindings.value(a), bindings.value(b)) else { return false };
    let back = |name: Name| match name.0 > u32::MAX / 2 {
        true => Argument::Variable(Variable(u32::MAX - name.0)),
        false => Argument::Object(name),
    };
    cannot_be_equal(system, special, back(a), back(b))
}

/// Whether no state of a description lets two of its arguments be equal.
pub(super) fn cannot_be_equal(system: &UpdateSystem, description: &Description, a: Argument, b: Argument) -> bool {
    match (a, b) {
        (a, b) if a == b => return false,
        (Argument::Object(_), Argument::Object(_)) => return true,
        _ => {}
    }
    if description.unequal.iter().any(|&pair| pair == (a, b) || pair == (b, a)) {
        return true;
    }
    // Literals match distinct features, and of some sets of features exactly one holds.
    let same = |argument: Argument| if argument == a { b } else { argument };
    let features: Vec<Literal> = description
        .literals
        .iter()
        .filter(|literal| !system.is_static(literal.predicate))
        .map(|literal| Literal {
            predicate: literal.predicate,
            arguments: literal.arguments.iter().map(|&argument| same(argument)).collect(),
        })
        .collect();
    let clash = |one: &Literal, two: &Literal| {
        let rivals = |group: &Group| {
            let (one, two) = (group.place(one.predicate).zip(Some(one)), group.place(two.predicate).zip(Some(two)));
            one.zip(two).is_some_and(|((a, one), (b, two))| one.arguments.get(a) == two.arguments.get(b))
        };
        one == two || one.predicate != two.predicate && system.groups.iter().any(rivals)
    };
    features.iter().enumerate().any(|(at, one)| features[at + 1..].iter().any(|two| clash(one, two)))
}

//! A library of recognition rules: which of them match in a state, and which may be used there.

use super::language::{Argument, Bindings, Fact, Name};
use super::matching::matches;
use super::proof::Proof;
use super::recognition::{RecognitionRule, Status};
use super::state::State;
use super::system::UpdateSystem;
use std::ops::ControlFlow;

/// Rules that were learnt, in the order in which they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Library {
    /// The rules.
    pub rules: Vec<RecognitionRule>,
}

/// A rule that matches in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The rule's number.
    pub rule: usize,
    /// What its variables stand for.
    pub bindings: Bindings,
    /// The move.
    pub square: Name,
    /// How many own moves the win takes at most.
    pub depth: u32,
}

/// What adding a rule came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is new, and this many others were special cases of it.
    New {
        /// The rules that are gone.
        replaced: usize,
    },
    /// It was there, or is a special case of a rule that was.
    Known,
}

impl Library {
    /// Adds a rule, unless one that is there subsumes it; special cases of it go.
    pub fn add(&mut self, system: &UpdateSystem, rule: RecognitionRule) -> Added {
        if self.rules.iter().any(|known| known.subsumes(&rule, system)) {
            return Added::Known;
        }
        let before = self.rules.len();
        self.rules.retain(|known| !rule.subsumes(known, system));
        let replaced = before - self.rules.len();
        self.rules.push(rule);
        Added::New { replaced }
    }

    /// A name that no rule has, for a rule that brings about what `what` says.
    pub fn new_name(&self, what: &str, depth: u32) -> String {
        let names = (1..).map(|number| format!("{what}-{depth}-{number}"));
        names.into_iter().find(|name| self.rules.iter().all(|rule| rule.name != *name)).unwrap_or_default()
    }

    /// The rules that may be relied on for what the system asks for, quickest first.
    fn proved(&self, system: &UpdateSystem) -> Vec<usize> {
        let is_usable =
            |&rule: &usize| self.rules[rule].status == Status::Proved && self.rules[rule].event == system.event;
        let mut order: Vec<usize> = (0..self.rules.len()).filter(is_usable).collect();
        order.sort_by_key(|&rule| self.rules[rule].depth);
        order
    }

    /// The quickest win by a proved rule for a player who is to move: one for which the opponent has no immediate win after its move.
    pub fn winning(&self, system: &UpdateSystem, state: &State, player: Name) -> Option<Threat> {
        self.proved(system).into_iter().find_map(|rule| self.instance(system, state, player, rule, Some(player)))
    }

    /// The quickest threat of a player who is not to move, were it to move, among all rules or those that are proved.
    pub fn threat(&self, system: &UpdateSystem, state: &State, player: Name) -> Option<Threat> {
        self.proved(system).into_iter().find_map(|rule| self.instance(system, state, player, rule, None))
    }

    /// The first match of a rule that passes; with `usable` only those that win against every reply.
    fn instance(
        &self,
        system: &UpdateSystem,
        state: &State,
        player: Name,
        rule: usize,
        usable: Option<Name>,
    ) -> Option<Threat> {
        let mut found = None;
        self.each_match(system, state, player, rule, &mut |threat| {
            if usable.is_none() || is_usable(system, state, player, &threat) {
                found = Some(threat);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// All matches of a rule for a player.
    pub fn each_match(
        &self,
        system: &UpdateSystem,
        state: &State,
        player: Name,
        number: usize,
        found: &mut dyn FnMut(Threat) -> ControlFlow<()>,
    ) {
        let rule = &self.rules[number];
        let mut bindings = Bindings::default();
        match rule.player {
            Argument::Variable(variable) => bindings.set(variable, player),
            Argument::Object(name) if name != player => return,
            Argument::Object(_) => {}
        }
        let _ = matches(system, &rule.condition, &state.facts, &bindings, &mut |bindings| {
            let Some(square) = bindings.value(rule.square) else { return ControlFlow::Continue(()) };
            found(Threat { rule: number, bindings: bindings.clone(), square, depth: rule.depth })
        });
    }

    /// The proof of a threat, for the squares that it stands on.
    pub fn proof(&self, threat: &Threat) -> Option<Proof> {
        self.rules[threat.rule].proof.as_ref().map(|proof| proof.ground(&threat.bindings))
    }
}

/// Whether a match may be played: its move is legal, and the opponent cannot win at once after it. For an event: cannot bring as much about.
pub fn is_usable(system: &UpdateSystem, state: &State, player: Name, threat: &Threat) -> bool {
    let Some((mut after, _)) = state.play(system, threat.square, player) else { return false };
    let won = after.winner(system) == Some(player);
    if won {
        let outright = |predicate| Fact { predicate, arguments: [player].into_iter().collect() };
        if system.outright.is_none_or(|predicate| after.facts.contains(&outright(predicate))) {
            return true;
        }
        after.facts.remove(&system.won_fact(player));
    }
    (won || threat.depth > 1) && after.winning_moves(system, system.other(player)).is_empty()
}

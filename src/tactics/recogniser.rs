//! Fast recognition: what a library, and the system itself, say about a state, compiled.
//!
//! Beside the rules of the library two descriptions are derived from the system: what wins at once, and what lets a move threaten to. The
//! second is a win backed up over one move, and only proposes moves: whoever plays one looks what it threatens.

use super::ground::{GroundState, GroundSystem, MoveId, TooLarge};
use super::language::{Argument, Bindings, Description, Literal, Name, Variable, map_argument};
use super::library::{Library, Threat};
use super::recognition::Status;
use super::system::{UpdateRule, UpdateSystem};
use super::trie::{Entry, Frequencies, Leaf, Match, Trie};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A library that was compiled for play.
#[derive(Clone, Debug)]
pub struct Recogniser {
    /// The system without variables.
    pub ground: GroundSystem,
    /// What wins at once; nothing if every move has to be tried.
    wins: Option<Trie>,
    /// What may threaten to win.
    threats: Option<Trie>,
    rules: Trie,
    /// The number in the library of each compiled rule.
    numbers: Vec<usize>,
}

/// A library that cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// The system is too large.
    #[error(transparent)]
    System(#[from] TooLarge),
    /// A rule is too large.
    #[error("a rule has more than 127 variables")]
    Rule,
}

/// A rule that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The rule's number in the library.
    pub rule: usize,
    /// The move.
    pub best: MoveId,
    /// How many own moves the win takes at most.
    pub depth: u32,
}

impl Recogniser {
    /// Compiles the proved rules of a library.
    ///
    /// # Errors
    ///
    /// The system or a rule is too large.
    pub fn new(system: &UpdateSystem, library: &Library) -> Result<Recogniser, CompileError> {
        let proved = |number: &usize| library.rules[*number].status == Status::Proved;
        Recogniser::of_rules(system, library, (0..library.rules.len()).filter(proved).collect())
    }

    /// Compiles these rules of a library.
    ///
    /// # Errors
    ///
    /// The system or a rule is too large.
    pub fn of_rules(system: &UpdateSystem, library: &Library, numbers: Vec<usize>) -> Result<Recogniser, CompileError> {
        let ground = GroundSystem::new(system)?;
        let frequencies = Frequencies::sample(&ground);
        let entries: Vec<Entry> = numbers
            .iter()
            .map(|&number| {
                let rule = &library.rules[number];
                Entry { description: &rule.condition, player: rule.player, square: rule.square, depth: rule.depth }
            })
            .collect();
        let rules = Trie::new(&ground, &frequencies, &entries).ok_or(CompileError::Rule)?;
        let compile = |found: &[Derived]| {
            let entries: Vec<Entry> = found
                .iter()
                .map(|derived| Entry {
                    description: &derived.description,
                    player: derived.player,
                    square: derived.square,
                    depth: 1,
                })
                .collect();
            Trie::new(&ground, &frequencies, &entries).ok_or(CompileError::Rule)
        };
        let wins = wins_of(system);
        let threats = wins.as_ref().map(|wins| threats_of(system, wins));
        let (wins, threats) = (wins.map(|wins| compile(&wins)).transpose()?, threats.map(|t| compile(&t)).transpose()?);
        Ok(Recogniser { ground, wins, threats, rules, numbers })
    }

    /// The moves with which a player wins at once, were it to move, in order.
    pub fn wins_at_once(&self, state: &mut GroundState, player: usize) -> SmallVec<[MoveId; 4]> {
        let mut moves: SmallVec<[MoveId; 4]> = SmallVec::new();
        if self.ground.winner(state).is_some() {
            return moves;
        }
        match &self.wins {
            Some(wins) => {
                let _ = wins.matches(&self.ground, state, player, 1, &mut |leaf, found| {
                    let id = self.ground.move_id(found.square(leaf), self.ground.system.players[player]);
                    moves.extend(id.filter(|id| !moves.contains(id)));
                    ControlFlow::Continue(1)
                });
                moves.sort_unstable();
            }
            None => moves.extend(self.ground.all_moves(player)),
        }
        moves.retain(|id| self.ground.wins(state, *id));
        moves
    }

    /// Whether a player can win at once.
    pub fn can_win(&self, state: &mut GroundState, player: usize) -> bool {
        !self.wins_at_once(state, player).is_empty()
    }

    /// Moves that may threaten to win at once, those that may do so in more ways first.
    pub fn threatening(&self, state: &mut GroundState, player: usize) -> Vec<MoveId> {
        let Some(threats) = &self.threats else { return self.ground.legal(state, player) };
        let mut ways: Vec<(MoveId, u32)> = Vec::new();
        let _ = threats.matches(&self.ground, state, player, 1, &mut |leaf, found| {
            if let Some(id) = self.ground.move_id(found.square(leaf), self.ground.system.players[player]) {
                match ways.iter_mut().find(|(known, _)| *known == id) {
                    Some((_, ways)) => *ways += 1,
                    None => ways.push((id, 1)),
                }
            }
            ControlFlow::Continue(1)
        });
        ways.retain(|(id, _)| self.ground.is_legal(state, *id));
        ways.sort_unstable_by_key(|&(id, ways)| (std::cmp::Reverse(ways), id));
        ways.into_iter().map(|(id, _)| id).collect()
    }

    /// The quickest win by a rule for a player who is to move, for which the opponent has no immediate win after its move.
    pub fn winning(&self, state: &mut GroundState, player: usize) -> Option<Recognised> {
        let mut found: Vec<(u32, u32, MoveId)> = Vec::new();
        let _ = self.rules.matches(&self.ground, state, player, u32::MAX, &mut |leaf, matched| {
            let square = matched.square(leaf);
            let id = self.ground.move_id(square, self.ground.system.players[player]);
            found.extend(id.map(|id| (leaf.depth, leaf.entry, id)).filter(|entry| !found.contains(entry)));
            ControlFlow::Continue(u32::MAX)
        });
        found.sort_unstable();
        let mut refused: SmallVec<[MoveId; 8]> = SmallVec::new();
        for (depth, entry, id) in found {
            if refused.contains(&id) {
                continue;
            }
            if self.is_usable(state, id, depth) {
                return Some(Recognised { rule: self.numbers[entry as usize], best: id, depth });
            }
            if depth > 1 {
                refused.push(id);
            }
        }
        None
    }

    /// Whether a recommended move may be played: it is legal, and the opponent cannot win at once after it.
    fn is_usable(&self, state: &mut GroundState, id: MoveId, depth: u32) -> bool {
        let player = id.0 as usize % 2;
        let Some(undo) = self.ground.play(state, id) else { return false };
        let usable = self.ground.winner(state) == Some(player) || depth > 1 && !self.can_win(state, 1 - player);
        state.undo(&undo);
        usable
    }

    /// Every rule that matches for a player, each way in which it does.
    pub fn each_match(&self, state: &GroundState, player: usize, found: &mut dyn FnMut(Threat)) {
        let _ = self.rules.matches(&self.ground, state, player, u32::MAX, &mut |leaf, matched| {
            found(self.threat(leaf, matched));
            ControlFlow::Continue(u32::MAX)
        });
    }

    /// How many ways there are in which rules match for a player.
    pub fn count(&self, state: &GroundState, player: usize) -> u64 {
        let mut count = 0;
        let _ = self.rules.matches(&self.ground, state, player, u32::MAX, &mut |_, _| {
            count += 1;
            ControlFlow::Continue(u32::MAX)
        });
        count
    }

    fn threat(&self, leaf: &Leaf, matched: Match) -> Threat {
        Threat {
            rule: self.numbers[leaf.entry as usize],
            bindings: matched.bindings(leaf),
            square: matched.square(leaf),
            depth: leaf.depth,
        }
    }
}

/// A description that follows from the system, with the move that it is about.
struct Derived {
    description: Description,
    player: Argument,
    square: Argument,
}

/// What a rule of the game demands beside the move, and the move.
fn without_move(system: &UpdateSystem, rule: &UpdateRule) -> Option<Derived> {
    let input = rule.condition.iter().find(|literal| literal.predicate == system.input_move)?;
    let literals = rule.condition.iter().filter(|literal| *literal != input).cloned().collect();
    let description = Description { literals, unequal: rule.unequal.clone() };
    Some(Derived { description, square: input.arguments[0], player: input.arguments[1] })
}

/// What wins at once; `None` if a win may follow from what a move adds first, so that every move has to be tried.
fn wins_of(system: &UpdateSystem) -> Option<Vec<Derived>> {
    let wins = |rule: &&UpdateRule| rule.add.iter().any(|literal| literal.predicate == system.won);
    let derived: Option<Vec<Derived>> =
        system.rules.iter().filter(wins).map(|rule| without_move(system, rule)).collect();
    // Wins that do not name their square are tried everywhere too.
    derived.filter(|derived| derived.iter().all(names_square))
}

fn names_square(derived: &Derived) -> bool {
    match derived.square {
        Argument::Object(_) => true,
        Argument::Variable(variable) => {
            derived.description.literals.iter().flat_map(Literal::variables).any(|known| known == variable)
        }
    }
}

/// Wins backed up over a move that adds one of the features that they need.
fn threats_of(system: &UpdateSystem, wins: &[Derived]) -> Vec<Derived> {
    /// So that the variables of two rules are kept apart.
    const APART: u32 = 1 << 20;
    let mut found = Vec::new();
    for win in wins {
        for (at, needed) in win.description.literals.iter().enumerate() {
            if system.is_static(needed.predicate) {
                continue;
            }
            for rule in &system.rules {
                let Some(before) = without_move(system, rule) else { continue };
                let mut apart = |Variable(number): Variable| Argument::Variable(Variable(number + APART));
                let moved = |argument: Argument, change: &mut dyn FnMut(Variable) -> Argument| match argument {
                    Argument::Variable(variable) => change(variable),
                    object => object,
                };
                for added in rule.add.iter().filter(|added| added.predicate == needed.predicate) {
                    let mut unifier = Unifier::default();
                    let pairs = needed.arguments.iter().zip(&added.arguments);
                    let fits = pairs.into_iter().all(|(&a, &b)| unifier.unify(a, moved(b, &mut apart)))
                        && unifier.unify(win.player, moved(before.player, &mut apart));
                    if !fits {
                        continue;
                    }
                    let mut description = Description::default();
                    let rest = win.description.literals.iter().enumerate().filter(|(other, _)| *other != at);
                    for literal in rest.map(|(_, literal)| literal.clone()) {
                        description.add(literal);
                    }
                    for literal in &before.description.literals {
                        description.add(literal.map(&mut apart));
                    }
                    for &(a, b) in &win.description.unequal {
                        description.differ(a, b);
                    }
                    for &(a, b) in &before.description.unequal {
                        description.differ(moved(a, &mut apart), moved(b, &mut apart));
                    }
                    let square = moved(before.square, &mut apart);
                    description.differ(win.square, square);
                    let derived = Derived { description, player: win.player, square };
                    found.extend(settled(system, derived, unifier).filter(names_square));
                }
            }
        }
    }
    found
}

/// The description under a unifier, with static literals that only one fact fits taken as read; `None` if one fits none.
fn settled(system: &UpdateSystem, mut derived: Derived, mut unifier: Unifier) -> Option<Derived> {
    loop {
        let mut change = |variable: Variable| unifier.value(Argument::Variable(variable));
        derived = Derived {
            description: derived.description.map(&mut change),
            player: map_argument(derived.player, &mut change),
            square: map_argument(derived.square, &mut change),
        };
        if derived.description.unequal.iter().any(|(a, b)| a == b) {
            return None;
        }
        let mut only = None;
        for literal in derived.description.literals.iter().filter(|literal| system.is_static(literal.predicate)) {
            let fits = |fact: &&super::language::Fact| Bindings::default().unify(literal, fact).is_some();
            let mut facts = system.statics.candidates(literal, &Bindings::default()).iter().filter(fits);
            match (facts.next(), facts.next()) {
                (None, _) => return None,
                (Some(fact), None) => {
                    only = Some((literal.clone(), fact.clone()));
                    break;
                }
                _ => {}
            }
        }
        let Some((literal, fact)) = only else { return Some(derived) };
        derived.description.literals.retain(|other| *other != literal);
        for (&argument, &name) in literal.arguments.iter().zip(&fact.arguments) {
            if !unifier.unify(argument, Argument::Object(name)) {
                return None;
            }
        }
    }
}

/// A most general unifier of arguments.
#[derive(Default)]
struct Unifier(HashMap<Variable, Argument>);

impl Unifier {
    fn value(&self, mut argument: Argument) -> Argument {
        while let Argument::Variable(variable) = argument {
            match self.0.get(&variable) {
                Some(&next) => argument = next,
                None => break,
            }
        }
        argument
    }

    fn unify(&mut self, a: Argument, b: Argument) -> bool {
        match (self.value(a), self.value(b)) {
            (a, b) if a == b => true,
            (Argument::Variable(variable), other) | (other, Argument::Variable(variable)) => {
                self.0.insert(variable, other);
                true
            }
            _ => false,
        }
    }
}

impl Recogniser {
    /// The name of a move's square.
    pub fn square(&self, id: MoveId) -> Name {
        self.ground.square(id)
    }
}

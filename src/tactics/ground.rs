//! Grounding: a state-update system without variables, for play. Facts are bits, a move is a list of rules that may fire.
//!
//! `State` and `matching.rs` are the plain meaning; this is the same, compiled. Facts of a predicate that differ only in their first argument lie side by
//! side (a *bucket*), so that "all windows with three stones of x" is a scan over a few words.

use super::language::{Argument, Bindings, Fact, Literal, Name};
use super::recognition::RecognitionRule;
use super::state::State;
use super::system::{Kind, UpdateRule, UpdateSystem};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};

/// A fact, as the number of its bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(pub u32);

/// A move: a square of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveId(pub u32);

/// A system with more facts, or more ways in which its rules may fire, is not grounded.
const MOST: usize = 4_000_000;

/// A system that is too large to be grounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system has more than {MOST} facts or ways in which its rules may fire")]
pub struct TooLarge;

type Facts = SmallVec<[u32; 2]>;

/// A rule of the game without variables.
#[derive(Clone, Debug)]
pub(super) struct GroundRule {
    /// What must hold, the move included.
    pub condition: Facts,
    /// What is added.
    pub add: Facts,
    /// What is deleted.
    pub delete: Facts,
}

/// Which rules of a move to look at.
#[derive(Clone, Debug, Default)]
struct MoveIndex {
    /// Every rule is found by one fact that it needs beside the move: words of the state with the bits to look at, and where those begin in `ranges`.
    masks: Vec<(u32, u64, u32)>,
    /// For each of those facts, in order, where its rules lie in `numbers`.
    ranges: Vec<(u32, u32)>,
    numbers: Vec<u32>,
    /// The rules that take the move away, so that it is legal.
    consuming: Vec<u32>,
    /// Those, and the ones that win.
    deciding: Vec<u32>,
}

/// Where the facts of a predicate lie.
#[derive(Clone, Debug, Default)]
struct Layout {
    base: u32,
    /// How far apart facts are that differ by one in an argument.
    strides: Vec<u32>,
    /// The type of each argument.
    types: Vec<usize>,
    bits: u32,
}

/// A system without variables.
#[derive(Clone, Debug)]
pub struct GroundSystem {
    /// The system.
    pub system: UpdateSystem,
    layouts: HashMap<Name, Layout>,
    /// For each type the number of each name among its objects, or `NONE`.
    numbers: Vec<Vec<u32>>,
    words: usize,
    /// The rules that look at a move, for each move.
    moves: Vec<Vec<GroundRule>>,
    /// For each move, which of its rules to look at.
    indices: Vec<MoveIndex>,
    /// The rules that look at no move, and for each fact those that need it.
    others: Vec<GroundRule>,
    needing: HashMap<u32, Vec<u32>>,
    /// For each player and fact the squares of moves that may delete it; not known if rules fire after others.
    deleters: Option<[FxHashMap<u32, SmallVec<[u32; 6]>>; 2]>,
    won: [u32; 2],
    /// In the system of an event: what says that a player has won, and not only brought the event about.
    outright: Option<[u32; 2]>,
    direct: bool,
}

const NONE: u32 = u32::MAX;

/// A state as bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroundState {
    words: Box<[u64]>,
}

/// What a move has changed: every fact that was toggled, in order.
pub type Undo = SmallVec<[u32; 48]>;

impl GroundState {
    /// Whether a fact holds.
    #[inline]
    pub fn holds(&self, fact: FactId) -> bool {
        self.words[fact.0 as usize / 64] >> (fact.0 % 64) & 1 == 1
    }

    #[inline]
    fn toggle(&mut self, fact: u32) {
        self.words[fact as usize / 64] ^= 1 << (fact % 64);
    }

    /// Takes a move back.
    pub fn undo(&mut self, undo: &Undo) {
        undo.iter().for_each(|&fact| self.toggle(fact));
    }

    /// The state with these bits.
    pub(super) fn of_words(words: &[u64]) -> GroundState {
        GroundState { words: words.into() }
    }

    /// The words of the bits from `first` on.
    #[inline]
    pub(super) fn range(&self, first: u32, bits: u32) -> &[u64] {
        &self.words[first as usize / 64..(first + bits).div_ceil(64) as usize]
    }
}

impl GroundSystem {
    /// Grounds a system.
    ///
    /// # Errors
    ///
    /// It is too large.
    pub fn new(system: &UpdateSystem) -> Result<GroundSystem, TooLarge> {
        let names = system.names.len();
        let numbers = system.types.iter().map(|(_, objects)| {
            let mut numbers = vec![NONE; names];
            objects.iter().enumerate().for_each(|(at, name)| numbers[name.0 as usize] = at as u32);
            numbers
        });
        let mut ground = GroundSystem {
            system: system.clone(),
            layouts: HashMap::new(),
            numbers: numbers.collect(),
            words: 0,
            moves: Vec::new(),
            indices: Vec::new(),
            others: Vec::new(),
            needing: HashMap::new(),
            deleters: None,
            won: [NONE; 2],
            outright: None,
            direct: super::state::is_direct(system),
        };
        ground.lay_out()?;
        for (at, &player) in system.players.iter().enumerate() {
            ground.won[at] = ground.fact(&system.won_fact(player)).map_or(NONE, |fact| fact.0);
        }
        ground.outright = system.outright.map(|predicate| {
            let fact = |player| Fact { predicate, arguments: [player].into_iter().collect() };
            system.players.map(|player| ground.fact(&fact(player)).map_or(NONE, |fact| fact.0))
        });
        ground.ground_rules()?;
        Ok(ground)
    }

    fn lay_out(&mut self) -> Result<(), TooLarge> {
        let mut predicates: Vec<_> = self.system.predicates.iter().collect();
        predicates.sort_by_key(|(name, _)| **name);
        let mut base = 0usize;
        for (&name, predicate) in predicates {
            if predicate.kind != Kind::Feature {
                continue;
            }
            let types: Option<Vec<usize>> = predicate
                .types
                .iter()
                .map(|kind| self.system.types.iter().position(|(name, _)| name == kind))
                .collect();
            let types = types.unwrap_or_default();
            let size = |&kind: &usize| self.system.types[kind].1.len();
            let mut stride = types.first().map_or(1, size).next_multiple_of(64);
            let mut strides = vec![1];
            for kind in types.iter().skip(1) {
                strides.push(stride as u32);
                stride = stride.checked_mul(size(kind)).filter(|&stride| stride <= MOST).ok_or(TooLarge)?;
            }
            self.layouts.insert(name, Layout { base: base as u32, strides, types, bits: stride as u32 });
            base += stride;
            if base > MOST {
                return Err(TooLarge);
            }
        }
        self.words = base / 64;
        Ok(())
    }

    fn ground_rules(&mut self) -> Result<(), TooLarge> {
        let system = self.system.clone();
        let squares = system.objects_at(system.input_move, 0);
        let mut left = MOST;
        for &square in squares {
            for player in system.players {
                let entered = system.move_fact(square, player);
                let mut rules = Vec::new();
                for rule in &system.rules {
                    for literal in rule.condition.iter().filter(|literal| literal.predicate == system.input_move) {
                        let mut bindings = Bindings::default();
                        if bindings.unify(literal, &entered).is_some() {
                            self.instances(rule, &mut bindings, &mut rules, &mut left)?;
                        }
                    }
                }
                self.moves.push(rules);
            }
        }
        self.indices = (0..self.moves.len() as u32).map(|number| self.index(MoveId(number))).collect();
        let mut others = Vec::new();
        let unmoved = |rule: &&UpdateRule| rule.condition.iter().all(|literal| literal.predicate != system.input_move);
        for rule in system.rules.iter().filter(unmoved) {
            self.instances(rule, &mut Bindings::default(), &mut others, &mut left)?;
        }
        for (number, rule) in others.iter().enumerate() {
            for &fact in &rule.condition {
                self.needing.entry(fact).or_default().push(number as u32);
            }
        }
        self.others = others;
        let never_unwon =
            system.rules.iter().flat_map(|rule| &rule.delete).all(|literal| literal.predicate != system.won);
        if self.others.is_empty() && never_unwon {
            let mut deleters = [FxHashMap::default(), FxHashMap::default()];
            for (number, rules) in self.moves.iter().enumerate() {
                let (square, player) = (number as u32 / 2, number % 2);
                for &fact in rules.iter().flat_map(|rule| &rule.delete) {
                    let squares: &mut SmallVec<[u32; 6]> = deleters[player].entry(fact).or_default();
                    if !squares.contains(&square) {
                        squares.push(square);
                    }
                }
            }
            self.deleters = Some(deleters);
        }
        Ok(())
    }

    fn index(&self, id: MoveId) -> MoveIndex {
        let Some(entered) = self.entered(id) else { return MoveIndex::default() };
        let (rules, win) = (&self.moves[id.0 as usize], self.won[id.0 as usize % 2]);
        let key = |rule: &GroundRule| rule.condition.iter().copied().find(|&fact| fact != entered).unwrap_or(entered);
        let which = |wanted: &dyn Fn(&GroundRule) -> bool| -> Vec<u32> {
            (0..).zip(rules).filter(|(_, rule)| wanted(rule)).map(|(number, _)| number).collect()
        };
        let mut by_key: Vec<(u32, u32)> = (0..).zip(rules).map(|(number, rule)| (key(rule), number)).collect();
        by_key.sort_unstable();
        let mut masks: Vec<(u32, u64, u32)> = Vec::new();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for same in by_key.chunk_by(|a, b| a.0 == b.0) {
            let (word, bit) = (same[0].0 / 64, 1u64 << (same[0].0 % 64));
            match masks.last_mut().filter(|mask| mask.0 == word) {
                Some(mask) => mask.1 |= bit,
                None => masks.push((word, bit, ranges.len() as u32)),
            }
            let from = ranges.last().map_or(0, |&(_, to)| to);
            ranges.push((from, from + same.len() as u32));
        }
        MoveIndex {
            masks,
            ranges,
            numbers: by_key.iter().map(|&(_, number)| number).collect(),
            consuming: which(&|rule| rule.delete.contains(&entered)),
            deciding: which(&|rule| rule.delete.contains(&entered) || rule.add.contains(&win)),
        }
    }

    /// All ways in which a rule may fire under bindings.
    fn instances(
        &self,
        rule: &UpdateRule,
        bindings: &mut Bindings,
        found: &mut Vec<GroundRule>,
        left: &mut usize,
    ) -> Result<(), TooLarge> {
        let is_bound = |literal: &&Literal, bindings: &Bindings| {
            literal.arguments.iter().all(|&argument| bindings.value(argument).is_some())
        };
        if !bindings.respects(&rule.unequal) {
            return Ok(());
        }
        let system = &self.system;
        let relations = rule.condition.iter().filter(|literal| system.is_static(literal.predicate));
        for literal in relations.clone() {
            if bindings.fact(literal).is_some_and(|fact| !system.statics.holds(&fact)) {
                return Ok(());
            }
        }
        let open = relations.filter(|literal| !is_bound(literal, bindings));
        if let Some(literal) = open.min_by_key(|literal| system.statics.candidates(literal, bindings).len()) {
            for fact in system.statics.candidates(literal, bindings) {
                if let Some(bound) = bindings.unify(literal, fact) {
                    let result = self.instances(rule, bindings, found, left);
                    bound.iter().for_each(|&variable| bindings.clear(variable));
                    result?;
                }
            }
            return Ok(());
        }
        // What only features bind may be any object of its type.
        for literal in &rule.condition {
            for (place, &argument) in literal.arguments.iter().enumerate() {
                let (None, Argument::Variable(variable)) = (bindings.value(argument), argument) else { continue };
                for &object in system.objects_at(literal.predicate, place) {
                    bindings.set(variable, object);
                    let result = self.instances(rule, bindings, found, left);
                    bindings.clear(variable);
                    result?;
                }
                return Ok(());
            }
        }
        let facts = |literals: &[Literal]| -> Option<Facts> {
            let features = literals.iter().filter(|literal| !system.is_static(literal.predicate));
            features.map(|literal| Some(self.fact(&bindings.fact(literal)?)?.0)).collect()
        };
        let (Some(condition), Some(add), Some(delete)) =
            (facts(&rule.condition), facts(&rule.add), facts(&rule.delete))
        else {
            return Ok(());
        };
        // Distinct literals match distinct facts.
        if condition.iter().enumerate().all(|(at, fact)| !condition[..at].contains(fact)) {
            *left = left.checked_sub(1).ok_or(TooLarge)?;
            found.push(GroundRule { condition, add, delete });
        }
        Ok(())
    }

    /// The bit of a fact; `None` for one that can never hold.
    pub fn fact(&self, fact: &Fact) -> Option<FactId> {
        let layout = self.layouts.get(&fact.predicate)?;
        let mut bit = layout.base;
        for ((&name, &stride), &kind) in fact.arguments.iter().zip(&layout.strides).zip(&layout.types) {
            let number = self.number(kind, name);
            if number == NONE {
                return None;
            }
            bit += number * stride;
        }
        Some(FactId(bit))
    }

    /// The number of a name among the objects of a type.
    #[inline]
    pub(super) fn number(&self, kind: usize, name: Name) -> u32 {
        self.numbers[kind][name.0 as usize]
    }

    /// Where the facts of a predicate lie: the first bit, and for each argument its type and how far apart facts are.
    pub(super) fn layout(&self, predicate: Name) -> Option<(u32, impl Iterator<Item = (usize, u32)> + '_)> {
        let layout = self.layouts.get(&predicate)?;
        Some((layout.base, layout.types.iter().copied().zip(layout.strides.iter().copied())))
    }

    /// The buckets of all predicates: where each begins, its facts' predicate, and the arguments after the first.
    pub(super) fn buckets(&self) -> Vec<(u32, u32, Name, Vec<Name>)> {
        let mut buckets = Vec::new();
        let mut layouts: Vec<_> = self.layouts.iter().collect();
        layouts.sort_by_key(|(_, layout)| layout.base);
        for (&predicate, layout) in layouts {
            let mut rests: Vec<(u32, Vec<Name>)> = vec![(layout.base, Vec::new())];
            for (&kind, &stride) in layout.types.iter().zip(&layout.strides).skip(1) {
                let objects = &self.system.types[kind].1;
                rests = rests
                    .iter()
                    .flat_map(|(bit, rest)| {
                        objects.iter().enumerate().map(move |(at, &object)| {
                            (bit + at as u32 * stride, rest.iter().copied().chain([object]).collect())
                        })
                    })
                    .collect();
            }
            let size = layout.types.first().map_or(1, |&kind| self.system.types[kind].1.len() as u32);
            buckets.extend(rests.into_iter().map(|(bit, rest)| (bit, size, predicate, rest)));
        }
        debug_assert!(self.layouts.values().all(|layout| layout.bits.is_multiple_of(64)));
        buckets
    }

    /// A state as bits; facts that no rule of the system can ever talk about are left out.
    pub fn state(&self, state: &State) -> GroundState {
        let mut ground = GroundState { words: vec![0; self.words].into_boxed_slice() };
        for fact in state.facts.iter().filter_map(|fact| self.fact(fact)) {
            if !ground.holds(fact) {
                ground.toggle(fact.0);
            }
        }
        ground
    }

    /// The facts of a state.
    pub(super) fn plain(&self, state: &GroundState) -> State {
        let mut facts = std::collections::BTreeSet::new();
        for (first, size, predicate, rest) in self.buckets() {
            let kind = self.system.predicates.get(&predicate).and_then(|predicate| predicate.types.first());
            let objects = kind.map_or(&[][..], |&kind| self.system.objects(kind));
            for (_, &key) in (0..size).zip(objects).filter(|&(at, _)| state.holds(FactId(first + at))) {
                facts.insert(Fact { predicate, arguments: [key].into_iter().chain(rest.iter().copied()).collect() });
            }
        }
        State { facts }
    }

    /// The number of a player: 0 or 1.
    pub fn player(&self, player: Name) -> usize {
        usize::from(player == self.system.players[1])
    }

    /// A move by its square and player; `None` if there is no such square.
    pub fn move_id(&self, square: Name, player: Name) -> Option<MoveId> {
        let squares = self.layouts.get(&self.system.input_move)?.types.first().copied()?;
        let number = self.number(squares, square);
        (number != NONE).then(|| MoveId(number * 2 + self.player(player) as u32))
    }

    /// The square of a move.
    pub fn square(&self, id: MoveId) -> Name {
        self.system.objects_at(self.system.input_move, 0)[id.0 as usize / 2]
    }

    /// All moves of a player, legal or not.
    pub fn all_moves(&self, player: usize) -> impl Iterator<Item = MoveId> {
        (0..self.moves.len() as u32 / 2).map(move |square| MoveId(square * 2 + player as u32))
    }

    /// The player who has won.
    #[inline]
    pub fn winner(&self, state: &GroundState) -> Option<usize> {
        (0..2).find(|&player| self.won[player] != NONE && state.holds(FactId(self.won[player])))
    }

    /// Plays a move and returns how to take it back; `None`, and nothing changed, if it is illegal or the rules never come to rest.
    pub fn play(&self, state: &mut GroundState, id: MoveId) -> Option<Undo> {
        let (rules, index) = (&self.moves[id.0 as usize], &self.indices[id.0 as usize]);
        let entered = self.entered(id)?;
        let mut undo = Undo::new();
        state.toggle(entered);
        undo.push(entered);
        let mut triggered: SmallVec<[u32; 8]> = SmallVec::new();
        for round in 0.. {
            let moving = state.holds(FactId(entered));
            let fires = |rule: &&GroundRule| {
                rule.condition.iter().all(|&fact| state.holds(FactId(fact)))
                    && (!rule.delete.is_empty() || rule.add.iter().any(|&fact| !state.holds(FactId(fact))))
            };
            let mut firing: SmallVec<[&GroundRule; 40]> = SmallVec::new();
            if moving {
                for &(word, mask, first) in &index.masks {
                    let mut held = state.words[word as usize] & mask;
                    while held != 0 {
                        let below = (held & held.wrapping_neg()) - 1;
                        held &= held - 1;
                        let (from, to) = index.ranges[(first + (mask & below).count_ones()) as usize];
                        let numbers = &index.numbers[from as usize..to as usize];
                        firing.extend(numbers.iter().map(|&number| &rules[number as usize]).filter(fires));
                    }
                }
            }
            firing.extend(triggered.iter().map(|&number| &self.others[number as usize]).filter(fires));
            if firing.is_empty() {
                break;
            }
            if round == super::state::MOST_ROUNDS {
                state.undo(&undo);
                return None;
            }
            let begin = undo.len();
            for &fact in firing.iter().flat_map(|rule| &rule.delete) {
                if state.holds(FactId(fact)) {
                    state.toggle(fact);
                    undo.push(fact);
                }
            }
            for &fact in firing.iter().flat_map(|rule| &rule.add) {
                if !state.holds(FactId(fact)) {
                    state.toggle(fact);
                    undo.push(fact);
                }
            }
            let round = &undo[begin..];
            let net = |fact: &&u32| round.iter().filter(|other| other == fact).count() == 1;
            let changed: SmallVec<[u32; 40]> =
                if self.others.is_empty() { SmallVec::new() } else { round.iter().filter(net).copied().collect() };
            if self.others.is_empty() {
                if !state.holds(FactId(entered)) {
                    break;
                }
                if round.iter().all(|fact| !net(&fact)) {
                    break;
                }
            } else if changed.is_empty() {
                break;
            }
            for fact in changed.iter().filter(|&&fact| state.holds(FactId(fact))) {
                for &rule in self.needing.get(fact).into_iter().flatten() {
                    if !triggered.contains(&rule) {
                        triggered.push(rule);
                    }
                }
            }
            // In the order of the rules, as in the plain meaning: the order in which facts come and go does not matter, but
            // the same moves give the same trace of changes.
            triggered.sort_unstable();
        }
        if state.holds(FactId(entered)) {
            state.undo(&undo);
            return None;
        }
        Some(undo)
    }

    fn entered(&self, id: MoveId) -> Option<u32> {
        let layout = self.layouts.get(&self.system.input_move)?;
        Some(layout.base + id.0 / 2 + (id.0 % 2) * layout.strides[1])
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, state: &mut GroundState, id: MoveId) -> bool {
        if self.winner(state).is_some() {
            return false;
        }
        if !self.direct {
            let undo = self.play(state, id);
            return undo.is_some_and(|undo| {
                state.undo(&undo);
                true
            });
        }
        let Some(entered) = self.entered(id) else { return false };
        let rules = &self.moves[id.0 as usize];
        self.indices[id.0 as usize].consuming.iter().any(|&number| {
            let rule = &rules[number as usize];
            rule.condition.iter().all(|&fact| fact == entered || state.holds(FactId(fact)))
        })
    }

    /// The legal moves of a player, were it to move.
    pub fn legal(&self, state: &mut GroundState, player: usize) -> Vec<MoveId> {
        self.all_moves(player).filter(|&id| self.is_legal(state, id)).collect()
    }

    /// Whether a move is known to win at once; for an event, whether it brings it about so that it stands.
    pub fn wins(&self, state: &mut GroundState, id: MoveId) -> bool {
        let Some(undo) = self.play_if_moving(state, id) else { return false };
        let player = id.0 as usize % 2;
        let won = self.winner(state) == Some(player) && self.stands(state, player);
        state.undo(&undo);
        won
    }

    /// Whether a move wins at once, or brings an event about, whatever the answer to it is.
    pub(super) fn achieves(&self, state: &mut GroundState, id: MoveId) -> bool {
        let Some(undo) = self.play_if_moving(state, id) else { return false };
        let won = self.winner(state) == Some(id.0 as usize % 2);
        state.undo(&undo);
        won
    }

    /// Whether what a player has just brought about cannot be answered at once with as much. Only a win needs no such question.
    pub(super) fn stands(&self, state: &mut GroundState, player: usize) -> bool {
        let Some(outright) = self.outright else { return true };
        if outright[player] != NONE && state.holds(FactId(outright[player])) {
            return true;
        }
        // The game goes on after an event: what says that it does not is taken away for the question.
        state.toggle(self.won[player]);
        let answered = self.all_moves(1 - player).any(|id| self.achieves(state, id));
        state.toggle(self.won[player]);
        !answered
    }

    /// Whether some move of a player wins at once as [`GroundSystem::wins`] says.
    pub(super) fn can_win_by(&self, state: &mut GroundState, player: usize, first: &[MoveId]) -> bool {
        first.iter().copied().chain(self.all_moves(player)).any(|id| self.wins(state, id))
    }

    /// Plays a move if some rule may make it legal: most moves of a board with few pieces start where nothing stands.
    pub(super) fn play_if_moving(&self, state: &mut GroundState, id: MoveId) -> Option<Undo> {
        let masks = &self.indices[id.0 as usize].masks;
        let entered = self.entered(id)?;
        let may = masks.iter().any(|&(word, mask, _)| {
            word == entered / 64 && mask >> (entered % 64) & 1 == 1 || state.words[word as usize] & mask != 0
        });
        if may { self.play(state, id) } else { None }
    }

    /// In the system of an event the facts that say that a player has won.
    pub(super) fn outright(&self) -> Option<[u32; 2]> {
        self.outright
    }

    /// The moves of the other player that may take away what lets a move win at once: all others do not. `None` if any move may.
    pub(super) fn parries(&self, state: &GroundState, id: MoveId) -> Option<SmallVec<[MoveId; 8]>> {
        // What must stand may fall to a move that takes nothing away.
        let deleters = self.deleters.as_ref().filter(|_| self.outright.is_none())?;
        let (player, other) = (id.0 as usize % 2, 1 - id.0 as usize % 2);
        let entered = self.entered(id)?;
        let mut parries: SmallVec<[MoveId; 8]> = SmallVec::new();
        let (mut winning, mut legal) = (false, false);
        let rules = &self.moves[id.0 as usize];
        for rule in self.indices[id.0 as usize].deciding.iter().map(|&number| &rules[number as usize]) {
            let (wins, consumes) = (rule.add.contains(&self.won[player]), rule.delete.contains(&entered));
            if !(wins || consumes) || !rule.condition.iter().all(|&fact| fact == entered || state.holds(FactId(fact))) {
                continue;
            }
            (winning, legal) = (winning || wins, legal || consumes);
            for fact in rule.condition.iter().filter(|&&fact| fact != entered) {
                for &square in deleters[other].get(fact).into_iter().flatten() {
                    let parry = MoveId(square * 2 + other as u32);
                    if !parries.contains(&parry) {
                        parries.push(parry);
                    }
                }
            }
        }
        parries.sort_unstable();
        // A win that takes several rounds of rules is not understood here.
        (winning && legal).then_some(parries)
    }

    /// Whether no move of a player adds anything that a win of the other one may ever rest on.
    pub(super) fn is_unhelpful(&self, player: usize) -> bool {
        let other = 1 - player;
        let mut needed: HashSet<u32> = HashSet::from([self.won[other]]);
        loop {
            let before = needed.len();
            for id in self.all_moves(other) {
                let entered = self.entered_fact(id);
                let rules = self.moves[id.0 as usize].iter();
                let useful = |rule: &&GroundRule| {
                    rule.delete.contains(&entered) || rule.add.iter().any(|fact| needed.contains(fact))
                };
                let conditions: Vec<u32> = rules.filter(useful).flat_map(|rule| &rule.condition).copied().collect();
                needed.extend(conditions);
            }
            if needed.len() == before {
                break;
            }
        }
        let mut added = self.all_moves(player).flat_map(|id| &self.moves[id.0 as usize]).flat_map(|rule| &rule.add);
        added.all(|fact| !needed.contains(fact))
    }

    /// Whether no move of the opponent adds a feature that a rule asks for.
    pub(super) fn only_own_moves_add_to(&self, rule: &RecognitionRule) -> bool {
        let features = |literal: &&Literal| !self.system.is_static(literal.predicate);
        (0..2).all(|player| {
            let mut bindings = Bindings::default();
            match rule.player {
                Argument::Variable(variable) => bindings.set(variable, self.system.players[player]),
                Argument::Object(name) if name != self.system.players[player] => return true,
                Argument::Object(_) => {}
            }
            let mut added: HashSet<u32> = HashSet::new();
            for id in self.all_moves(1 - player) {
                added.extend(self.moves[id.0 as usize].iter().flat_map(|rule| &rule.add));
            }
            let asked = rule.condition.literals.iter().filter(features);
            asked
                .flat_map(|literal| self.buckets_of(literal, &bindings))
                .all(|(first, size)| (first..first + size).all(|fact| !added.contains(&fact)))
        })
    }

    /// The facts that a literal may match: buckets with their sizes.
    fn buckets_of(&self, literal: &Literal, bindings: &Bindings) -> Vec<(u32, u32)> {
        let buckets = self.buckets().into_iter().filter(|(_, _, predicate, rest)| {
            let agree =
                |(&argument, name): (&Argument, &Name)| bindings.value(argument).is_none_or(|value| value == *name);
            *predicate == literal.predicate && literal.arguments.iter().skip(1).zip(rest).all(agree)
        });
        buckets.map(|(first, size, ..)| (first, size)).collect()
    }

    /// What the wins of a player in the state after its move rest on, before that move: the replies of the other player that may take it away.
    /// Only for systems in which a move is one round of rules.
    pub(super) fn disturbing(
        &self,
        before: &GroundState,
        id: MoveId,
        after: &GroundState,
        wins: &[MoveId],
    ) -> Vec<MoveId> {
        let (player, other) = (id.0 as usize % 2, 1 - id.0 as usize % 2);
        let mut needed: HashSet<u32> = HashSet::new();
        for &win in wins {
            let entered = self.entered_fact(win);
            for rule in &self.moves[win.0 as usize] {
                let matters = rule.add.contains(&self.won[player]) || rule.delete.contains(&entered);
                if matters && rule.condition.iter().all(|&fact| fact == entered || after.holds(FactId(fact))) {
                    needed.extend(rule.condition.iter().filter(|&&fact| fact != entered));
                }
            }
        }
        // What the move itself has added rests on what let it do so.
        let entered = self.entered_fact(id);
        let mut rests: HashSet<u32> = needed.iter().copied().filter(|&fact| before.holds(FactId(fact))).collect();
        for rule in &self.moves[id.0 as usize] {
            let fires = rule.condition.iter().all(|&fact| fact == entered || before.holds(FactId(fact)));
            if fires && (rule.delete.contains(&entered) || rule.add.iter().any(|fact| needed.contains(fact))) {
                rests.extend(rule.condition.iter().filter(|&&fact| fact != entered));
            }
        }
        let squares = rests.iter().flat_map(|&fact| self.deleters(FactId(fact), other));
        let mut moves: Vec<MoveId> = squares.map(|&square| MoveId(square * 2 + other as u32)).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// Whether no rule fires because of what others have added, so that a move is one round of rules.
    pub(super) fn is_single_round(&self) -> bool {
        self.deleters.is_some() && self.direct
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// `won` of each player, `u32::MAX` if there is none.
    pub(super) fn won(&self) -> [u32; 2] {
        self.won
    }

    /// The squares of a player's moves that may delete a fact.
    pub(super) fn deleters(&self, fact: FactId, player: usize) -> &[u32] {
        let deleters = self.deleters.as_ref().and_then(|deleters| deleters[player].get(&fact.0));
        deleters.map_or(&[], |squares| squares)
    }

    /// The fact that a move adds.
    pub(super) fn entered_fact(&self, id: MoveId) -> u32 {
        self.entered(id).unwrap_or(u32::MAX)
    }

    /// The rules that a move may fire.
    pub(super) fn rules_of(&self, id: MoveId) -> &[GroundRule] {
        &self.moves[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::in_line::in_line_system;
    use super::*;
    use crate::game::Chance;

    #[test]
    fn only_parries_take_an_immediate_win_away() {
        let mut parried = 0;
        for (width, height, length, falling) in [(3, 3, 3, false), (5, 5, 4, false), (4, 4, 3, true), (7, 6, 4, true)] {
            let text = in_line_system("lines", ["x", "o"], width, height, length, falling);
            let ground = GroundSystem::new(&UpdateSystem::parse(&text).unwrap()).unwrap();
            for game in 0..60 {
                let mut chance = Chance::stream(3, game);
                let mut state = ground.state(&ground.system.start_state());
                for ply in 0.. {
                    let legal = ground.legal(&mut state, ply % 2);
                    if legal.is_empty() {
                        break;
                    }
                    for id in ground.all_moves((ply + 1) % 2).filter(|&id| ground.wins(&mut state.clone(), id)) {
                        let parries = ground.parries(&state, id).expect("one round of rules");
                        for &reply in &legal {
                            let mut after = state.clone();
                            ground.play(&mut after, reply).expect("a legal move");
                            let stands = ground.winner(&after).is_some() || ground.wins(&mut after, id);
                            assert!(stands || parries.contains(&reply));
                            parried += usize::from(!stands);
                        }
                    }
                    ground.play(&mut state, legal[chance.below(legal.len())]).expect("a legal move");
                }
            }
        }
        assert!(parried > 100, "{parried}");
    }
}

//! Fast recognition: what a library, and the system itself, say about a state, compiled.
//!
//! Beside the rules of the library two descriptions are derived from the system: what wins at once, and what lets a move threaten to. The
//! second is a win backed up over one move, and only proposes moves: whoever plays one looks what it threatens.

use super::ground::{GroundState, GroundSystem, MoveId, TooLarge};
use super::language::{Argument, Bindings, Description, Literal, Name, Variable, map_argument};
use super::library::{Library, Threat};
use super::proof::Proof;
use super::recognition::{RecognitionRule, Status};
use super::state::State;
use super::system::{UpdateRule, UpdateSystem};
use super::trie::{Entry, Frequencies, Leaf, Match, Trie};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A library that was compiled for play.
#[derive(Clone, Debug)]
pub struct Recogniser {
    /// The system without variables.
    pub ground: Arc<GroundSystem>,
    frequencies: Arc<Frequencies>,
    /// What wins at once; nothing if every move has to be tried.
    wins: Option<Arc<Trie>>,
    /// What may threaten to win.
    threats: Option<Arc<Trie>>,
    /// Whether a player can only do harm to what rules say of the other one: then nobody has to fear after a move what was not there before.
    pub(super) harmless: bool,
    /// Whether whoever is about to win at once has just made a move of [`Recogniser::threatening`], and no move helps the opponent.
    pub(super) separate: bool,
    rules: Trie,
    /// Rules that are cheap to rely on: proved ones, and those whose first move threatens to win at once.
    forcing: Trie,
    /// Rules whose proof has to be checked in each position, against any reply.
    quiet: Trie,
    /// What may threaten to win by a rule that takes two moves.
    rule_threats: Trie,
    /// The compiled rules.
    compiled: Vec<Compiled>,
    /// Those for the events of the system for which the library has rules, the best first; see [`Recogniser::with_events`].
    events: Vec<Recogniser>,
}

/// A compiled rule.
#[derive(Clone, Debug)]
struct Compiled {
    /// Its number in the library.
    number: usize,
    /// Whether it is one of the quiet ones.
    quiet: bool,
    /// Its proof, if that has to be checked in each position.
    proof: Option<Proof>,
    /// Its proof.
    all: Option<Proof>,
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

/// For how many places of one rule with the same move a proof is tried in a position.
const MOST_PLACES: usize = 8;

/// How many steps of matching are taken to find a win in a position: rules that lie in very many places are then not all looked at, which can
/// only miss a win.
const MOST_STEPS: u64 = 20_000;

/// A rule that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The rule's number in the library.
    pub rule: usize,
    /// The move.
    pub best: MoveId,
    /// How many own moves the win takes at most.
    pub depth: u32,
    /// What the rule's variables stand for.
    pub bindings: Bindings,
}

/// What a rule recommends in a state, where its proof holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What it brings about, if that is not a win.
    pub event: Option<Name>,
    /// The move.
    pub square: Name,
    /// How many own moves it takes at most.
    pub depth: u32,
    /// The rule's number in the library.
    pub rule: usize,
}

/// So many ways in which rules match are looked at for advice.
const MOST_ADVICE: usize = 200;

impl Recogniser {
    /// Compiles a system, and the rules of a library that have a proof.
    ///
    /// # Errors
    ///
    /// The system or a rule is too large.
    pub fn new(system: &UpdateSystem, library: &Library) -> Result<Recogniser, CompileError> {
        let ground = GroundSystem::new(system)?;
        let frequencies = Frequencies::sample(&ground);
        let compile = |found: &[Derived]| compiled_trie(&ground, &frequencies, found);
        let wins = wins_of(system);
        // Where moves are objects of their own nearly every move may threaten: listing the ways takes longer than to look.
        let threats = wins.as_ref().filter(|_| !system.has_moves).map(|wins| threats_of(system, wins, 1));
        let wins = wins.map(|wins| compile(&wins)).transpose()?.map(Arc::new);
        let threats = threats.map(|threats| compile(&threats)).transpose()?.map(Arc::new);
        let separate = ground.is_single_round() && threats.is_some() && is_separate(system, &ground);
        let rules = Trie::new(&ground, &frequencies, &[]).ok_or(CompileError::Rule)?;
        let (forcing, quiet, rule_threats) = (rules.clone(), rules.clone(), rules.clone());
        let (ground, frequencies) = (Arc::new(ground), Arc::new(frequencies));
        let (harmless, compiled) = (separate, Vec::new());
        Recogniser {
            ground,
            frequencies,
            wins,
            threats,
            harmless,
            separate,
            rules,
            forcing,
            quiet,
            rule_threats,
            compiled,
            events: Vec::new(),
        }
        .with(library)
    }

    /// The same with what the library knows about events other than winning.
    ///
    /// # Errors
    ///
    /// The system or a rule is too large.
    pub fn with_events(mut self, library: &Library) -> Result<Recogniser, CompileError> {
        let known = |event: Name| library.rules.iter().any(|rule| rule.event == Some(event));
        let system = self.ground.system.clone();
        let events = system.events.iter().filter(|event| known(event.name));
        self.events =
            events.map(|event| Recogniser::new(&system.for_event(event.name), library)).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// The moves that rules recommend to a player who is to move and whose proofs hold in this state: wins first, then events, the best first, and the
    /// quickest of each. No rule is believed without its proof here.
    pub fn advice(&self, state: &State, player: Name, library: &Library) -> Vec<Advice> {
        let mut found = self.own_advice(state, player, library);
        for other in &self.events {
            let more = other.own_advice(state, player, library);
            found.extend(more);
        }
        found
    }

    fn own_advice(&self, state: &State, player: Name, library: &Library) -> Vec<Advice> {
        let (event, player) = (self.ground.system.event, self.ground.player(player));
        let mut bits = self.ground.state(state);
        let mut threats: Vec<Threat> = Vec::new();
        self.matches_within(&bits, player, MOST_STEPS, &mut |threat| {
            if threats.len() < MOST_ADVICE {
                threats.push(threat);
            }
        });
        threats.sort_by_key(|threat| (threat.depth, threat.square, threat.rule));
        let mut found: Vec<Advice> = Vec::new();
        for threat in threats {
            if found.iter().any(|known| known.square == threat.square) {
                continue;
            }
            let proof = library.proof(&threat);
            if proof.is_some_and(|proof| self.holds(&mut bits, player, &proof)) {
                found.push(Advice { event, square: threat.square, depth: threat.depth, rule: threat.rule });
            }
        }
        found
    }

    /// The best of some moves to bring an event about, if rules for events recommend one of them and its proof holds.
    pub(super) fn preferred(&self, state: &GroundState, moves: &[MoveId]) -> Option<MoveId> {
        let player = moves.first()?.0 as usize % 2;
        self.events.iter().find_map(|other| {
            // Systems of events have the same moves; their facts lie elsewhere.
            let state = self.ground.plain(state);
            let mut bits = other.ground.state(&state);
            let found = other.winning(&mut bits, player)?;
            let compiled = other.compiled.iter().find(|compiled| compiled.number == found.rule)?;
            let holds = other.holds(&mut bits, player, &compiled.all.as_ref()?.ground(&found.bindings));
            moves.iter().copied().find(|&id| holds && id == found.best)
        })
    }

    /// The same for the rules of another library.
    ///
    /// # Errors
    ///
    /// A rule is too large.
    pub fn with(&self, library: &Library) -> Result<Recogniser, CompileError> {
        // A rule for an event is nothing to rely on where a win is asked for.
        let usable = |rule: &RecognitionRule| rule.status != Status::Unproved && rule.event == self.ground.system.event;
        let used: Vec<(usize, &RecognitionRule)> =
            library.rules.iter().enumerate().filter(|(_, rule)| usable(rule)).collect();
        let compiled = used.iter().map(|&(number, rule)| {
            let proof = rule.proof.clone().filter(|_| rule.status == Status::PerPosition);
            Compiled { number, quiet: proof.as_ref().is_some_and(Proof::is_quiet), proof, all: rule.proof.clone() }
        });
        let compiled: Vec<Compiled> = compiled.collect();
        let entries: Vec<(u32, Entry)> = (0..)
            .zip(&used)
            .map(|(number, (_, rule))| {
                let (player, square, depth) = (rule.player, rule.square, rule.depth);
                (number, Entry { description: &rule.condition, player, square, depth })
            })
            .collect();
        let compile = |keep: &dyn Fn(&Compiled) -> bool| {
            let kept = entries.iter().filter(|(number, _)| keep(&compiled[*number as usize]));
            let kept: Vec<&(u32, Entry)> = kept.collect();
            Trie::numbered(&self.ground, &self.frequencies, &kept).ok_or(CompileError::Rule)
        };
        let rules = compile(&|_| true)?;
        let (forcing, quiet) = (compile(&|rule| !rule.quiet)?, compile(&|rule| rule.quiet)?);
        let two: Vec<Derived> = used
            .iter()
            .filter(|(_, rule)| rule.depth == 2)
            .map(|(_, rule)| Derived { description: rule.condition.clone(), player: rule.player, square: rule.square })
            .collect();
        let rule_threats = match self.separate {
            true => compiled_trie(&self.ground, &self.frequencies, &threats_of(&self.ground.system, &two, 2))?,
            false => compiled_trie(&self.ground, &self.frequencies, &[])?,
        };
        Ok(Recogniser {
            ground: Arc::clone(&self.ground),
            frequencies: Arc::clone(&self.frequencies),
            wins: self.wins.clone(),
            threats: self.threats.clone(),
            harmless: self.separate && used.iter().all(|(_, rule)| self.ground.only_own_moves_add_to(rule)),
            separate: self.separate,
            rules,
            forcing,
            quiet,
            rule_threats,
            compiled,
            events: Vec::new(),
        })
    }

    /// The moves with which a player wins at once, were it to move, in order; for an event, those that bring it about so that it stands.
    pub fn wins_at_once(&self, state: &mut GroundState, player: usize) -> SmallVec<[MoveId; 4]> {
        let mut moves = self.may_win_at_once(state, player);
        moves.retain(|id| self.ground.wins(state, *id));
        moves
    }

    /// The moves that may win at once: all that do are among them.
    fn may_win_at_once(&self, state: &mut GroundState, player: usize) -> SmallVec<[MoveId; 4]> {
        let mut moves: SmallVec<[MoveId; 4]> = SmallVec::new();
        if self.ground.winner(state).is_some() {
            return moves;
        }
        match &self.wins {
            Some(wins) => {
                let _ = wins.matches(&self.ground, state, player, 1, u64::MAX, &mut |leaf, found| {
                    let id = self.ground.move_id(found.square(leaf), self.ground.system.players[player]);
                    moves.extend(id.filter(|id| !moves.contains(id)));
                    ControlFlow::Continue(1)
                });
                moves.sort_unstable();
            }
            None => moves.extend(self.ground.all_moves(player)),
        }
        moves
    }

    /// Whether a player can win at once; or bring an event about, whatever the answer to it is.
    pub fn can_win(&self, state: &mut GroundState, player: usize) -> bool {
        self.may_win_at_once(state, player).into_iter().any(|id| self.ground.achieves(state, id))
    }

    /// Moves that may threaten to win at once, those that may do so in more ways first.
    pub fn threatening(&self, state: &mut GroundState, player: usize) -> Vec<MoveId> {
        match &self.threats {
            Some(threats) => self.proposed(threats, state, player, u64::MAX),
            None => self.ground.legal(state, player),
        }
    }

    /// Moves that may threaten to win by a rule that takes two moves, those that may do so in more ways first.
    pub(super) fn threatening_rules(&self, state: &mut GroundState, player: usize) -> Vec<MoveId> {
        self.proposed(&self.rule_threats, state, player, MOST_STEPS)
    }

    /// The legal moves that descriptions are about, each with how many ways there are, the one with the most first.
    fn proposed(&self, trie: &Trie, state: &mut GroundState, player: usize, steps: u64) -> Vec<MoveId> {
        let mut ways: Vec<(MoveId, u32)> = Vec::new();
        let _ = trie.matches(&self.ground, state, player, 1, steps, &mut |leaf, found| {
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

    /// The moves that quiet rules recommend, each with the number of its rule and how many own moves the win takes at most, the quickest first.
    pub(super) fn quiet_moves(&self, state: &GroundState, player: usize) -> Vec<(u32, usize, MoveId)> {
        let mut found: Vec<(u32, usize, MoveId)> = Vec::new();
        let _ = self.quiet.matches(&self.ground, state, player, u32::MAX, MOST_STEPS, &mut |leaf, matched| {
            let id = self.ground.move_id(matched.square(leaf), self.ground.system.players[player]);
            if let Some(id) = id.filter(|&id| found.iter().all(|&(depth, _, known)| (leaf.depth, id) != (depth, known)))
            {
                found.push((leaf.depth, self.compiled[leaf.entry as usize].number, id));
            }
            ControlFlow::Continue(u32::MAX)
        });
        found.sort_unstable_by_key(|&(depth, rule, id)| (depth, id, rule));
        found
    }

    /// The quickest win by a rule for a player who is to move, for which the opponent has no immediate win after its move. Quiet rules that are not
    /// proved for every place are left to [`super::ForcedWins`].
    pub fn winning(&self, state: &mut GroundState, player: usize) -> Option<Recognised> {
        self.winning_within(state, player, u32::MAX)
    }

    /// The same in at most so many own moves.
    pub(super) fn winning_within(&self, state: &mut GroundState, player: usize, most: u32) -> Option<Recognised> {
        let mut found: Vec<(u32, u32, MoveId, Bindings)> = Vec::new();
        let _ = self.forcing.matches(&self.ground, state, player, most, MOST_STEPS, &mut |leaf, matched| {
            let square = matched.square(leaf);
            if let Some(id) = self.ground.move_id(square, self.ground.system.players[player]) {
                let per_position = self.compiled[leaf.entry as usize].proof.is_some();
                let same = |known: &&(u32, u32, MoveId, Bindings)| (known.1, known.2) == (leaf.entry, id);
                let most = if per_position { MOST_PLACES } else { 1 };
                if found.iter().filter(same).count() < most {
                    found.push((leaf.depth, leaf.entry, id, matched.bindings(leaf)));
                }
            }
            ControlFlow::Continue(most)
        });
        // Matches come in the order of the tree, which does not change; the quickest first.
        found.sort_by_key(|&(depth, entry, id, _)| (depth, entry, id));
        let mut refused: SmallVec<[MoveId; 8]> = SmallVec::new();
        for (depth, entry, id, bindings) in found {
            if refused.contains(&id) {
                continue;
            }
            if !self.is_usable(state, id, depth) {
                if depth > 1 {
                    refused.push(id);
                }
                continue;
            }
            let compiled = &self.compiled[entry as usize];
            let holds = match &compiled.proof {
                Some(proof) => self.holds(state, player, &proof.ground(&bindings)),
                None => true,
            };
            if holds {
                return Some(Recognised { rule: compiled.number, best: id, depth, bindings });
            }
        }
        None
    }

    /// Whether a proof without variables holds in a state for the player to move: every reply that may matter is played, and must lose as the proof
    /// says, or by a rule that takes fewer moves.
    pub fn holds(&self, state: &mut GroundState, player: usize, proof: &Proof) -> bool {
        let ground = &self.ground;
        let move_of = |square: Argument, player: usize| match square {
            Argument::Object(square) => ground.move_id(square, ground.system.players[player]),
            Argument::Variable(_) => None,
        };
        let Some(square) = proof.square() else { return !self.wins_at_once(state, player).is_empty() };
        let Some(id) = move_of(square, player) else { return false };
        let Some(undo) = ground.play(state, id) else { return false };
        let holds = match proof {
            Proof::Win(_) | Proof::AtOnce(_) => ground.winner(state) == Some(player) && ground.stands(state, player),
            Proof::Play { .. } if ground.winner(state).is_some() => {
                ground.winner(state) == Some(player) && ground.stands(state, player)
            }
            Proof::Play { .. } if self.can_win(state, 1 - player) => false,
            Proof::Play { replies, otherwise, .. } => {
                let other = 1 - player;
                // Where an immediate win threatens, only what may parry it matters.
                let threat = self.wins_at_once(state, player).first().copied();
                let parries = threat.and_then(|threat| ground.parries(state, threat));
                let candidates = match parries {
                    Some(parries) => parries.to_vec(),
                    None => ground.all_moves(other).collect(),
                };
                let mut moved = false;
                let all = candidates.into_iter().all(|reply| {
                    if !ground.is_legal(state, reply) {
                        return true;
                    }
                    let Some(undo) = ground.play(state, reply) else { return true };
                    moved = true;
                    let listed = replies.iter().find(|(listed, _)| move_of(*listed, other) == Some(reply));
                    let next = listed.map(|(_, proof)| proof).or(otherwise.as_deref());
                    // What the proof does not answer may be answered by a rule that takes less.
                    let holds = ground.winner(state).is_none()
                        && (!self.wins_at_once(state, player).is_empty()
                            || next.is_some_and(|next| self.holds(state, player, next))
                            || self.winning_within(state, player, proof.depth() - 1).is_some());
                    state.undo(&undo);
                    holds
                });
                all && (moved || ground.all_moves(other).any(|id| ground.is_legal(state, id)))
            }
        };
        state.undo(&undo);
        holds
    }

    /// Whether a recommended move may be played: it is legal, and the opponent cannot win at once after it.
    fn is_usable(&self, state: &mut GroundState, id: MoveId, depth: u32) -> bool {
        let player = id.0 as usize % 2;
        let Some(undo) = self.ground.play(state, id) else { return false };
        let usable = match self.ground.winner(state) {
            Some(winner) => winner == player && self.ground.stands(state, player),
            None => depth > 1 && !self.can_win(state, 1 - player),
        };
        state.undo(&undo);
        usable
    }

    /// Every rule that matches for a player, each way in which it does.
    pub fn each_match(&self, state: &GroundState, player: usize, found: &mut dyn FnMut(Threat)) {
        self.matches_within(state, player, u64::MAX, found);
    }

    /// The same until so many steps of matching are taken: some rules lie in a position in more ways than can be looked at.
    pub(super) fn matches_within(&self, state: &GroundState, player: usize, steps: u64, found: &mut dyn FnMut(Threat)) {
        let _ = self.rules.matches(&self.ground, state, player, u32::MAX, steps, &mut |leaf, matched| {
            found(self.threat(leaf, matched));
            ControlFlow::Continue(u32::MAX)
        });
    }

    /// How many ways there are in which rules match for a player.
    pub fn count(&self, state: &GroundState, player: usize) -> u64 {
        let mut count = 0;
        let _ = self.rules.matches(&self.ground, state, player, u32::MAX, u64::MAX, &mut |_, _| {
            count += 1;
            ControlFlow::Continue(u32::MAX)
        });
        count
    }

    fn threat(&self, leaf: &Leaf, matched: Match) -> Threat {
        Threat {
            rule: self.compiled[leaf.entry as usize].number,
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

fn compiled_trie(ground: &GroundSystem, frequencies: &Frequencies, found: &[Derived]) -> Result<Trie, CompileError> {
    let entries: Vec<Entry> = found
        .iter()
        .map(|derived| Entry {
            description: &derived.description,
            player: derived.player,
            square: derived.square,
            depth: 1,
        })
        .collect();
    Trie::new(ground, frequencies, &entries).ok_or(CompileError::Rule)
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

/// Whether a move can add only one of the features that let its player win next, and none that the other player's wins rest on.
fn is_separate(system: &UpdateSystem, ground: &GroundSystem) -> bool {
    let wins = |rule: &&UpdateRule| rule.add.iter().any(|literal| literal.predicate == system.won);
    let added: Vec<Name> = system.rules.iter().flat_map(|rule| &rule.add).map(|literal| literal.predicate).collect();
    let single = system.rules.iter().filter(wins).all(|rule| {
        let addable = rule.condition.iter().filter(|literal| added.contains(&literal.predicate));
        addable.count() <= 1
    });
    single && (0..2).all(|player| ground.is_unhelpful(player))
}

fn names_square(derived: &Derived) -> bool {
    match derived.square {
        Argument::Object(_) => true,
        Argument::Variable(variable) => {
            derived.description.literals.iter().flat_map(Literal::variables).any(|known| known == variable)
        }
    }
}

/// So that the variables of two rules are kept apart.
const APART: u32 = 1 << 20;

/// Wins backed up over a move that adds one or more of the features that they need, `most` at most.
fn threats_of(system: &UpdateSystem, wins: &[Derived], most: usize) -> Vec<Derived> {
    let mut found = Vec::new();
    for win in wins {
        let needed: Vec<usize> = (0..win.description.literals.len())
            .filter(|&at| !system.is_static(win.description.literals[at].predicate))
            .collect();
        let mover = (Argument::Variable(Variable(APART - 1)), win.player);
        backed_up(system, win, mover, &needed, &[], Description::default(), &Unifier::default(), most, &mut found);
    }
    found
}

/// Lets a move add some of the features that are needed: each by a rule of its own, all by the same move.
#[expect(clippy::too_many_arguments, reason = "what is chosen so far")]
fn backed_up(
    system: &UpdateSystem,
    win: &Derived,
    (square, player): (Argument, Argument),
    needed: &[usize],
    added: &[usize],
    before: Description,
    unifier: &Unifier,
    most: usize,
    found: &mut Vec<Derived>,
) {
    if !added.is_empty() {
        let mut description = Description::default();
        let rest = win.description.literals.iter().enumerate().filter(|(at, _)| !added.contains(at));
        rest.for_each(|(_, literal)| description.add(literal.clone()));
        before.literals.iter().for_each(|literal| description.add(literal.clone()));
        win.description.unequal.iter().chain(&before.unequal).for_each(|&(a, b)| description.differ(a, b));
        description.differ(win.square, square);
        let derived = Derived { description, player: win.player, square };
        found.extend(settled(system, derived, unifier.clone()).filter(names_square));
    }
    if added.len() == most {
        return;
    }
    for (place, &at) in needed.iter().enumerate() {
        let literal = &win.description.literals[at];
        for rule in &system.rules {
            let Some(fires) = without_move(system, rule) else { continue };
            let number = (added.len() as u32 + 1) * APART;
            let mut apart = |Variable(own): Variable| Argument::Variable(Variable(own + number));
            for addition in rule.add.iter().filter(|addition| addition.predicate == literal.predicate) {
                let mut unifier = unifier.clone();
                let addition = addition.map(&mut apart);
                let pairs = literal.arguments.iter().zip(&addition.arguments);
                let fits = pairs.into_iter().all(|(&a, &b)| unifier.unify(a, b))
                    && unifier.unify(player, map_argument(fires.player, &mut apart))
                    && unifier.unify(square, map_argument(fires.square, &mut apart));
                if !fits {
                    continue;
                }
                let mut before = before.clone();
                fires.description.literals.iter().for_each(|literal| before.add(literal.map(&mut apart)));
                for &(a, b) in &fires.description.unequal {
                    before.differ(map_argument(a, &mut apart), map_argument(b, &mut apart));
                }
                let added: Vec<usize> = added.iter().copied().chain([at]).collect();
                let mover = (square, player);
                backed_up(system, win, mover, &needed[place + 1..], &added, before, &unifier, most, found);
            }
        }
    }
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
#[derive(Clone, Default)]
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

#[cfg(test)]
mod tests {
    use super::super::example::{Example, learn_from_example};
    use super::super::learner::LearnOptions;
    use super::*;

    #[test]
    fn an_event_is_preferred_where_its_proof_holds_and_nowhere_else() {
        let text =
            "example fork chess 4 x 4 state on(c1,white-king) on(a1,white-knight) on(a3,black-king) on(d4,black-queen)
            moves white a1-c2 black a3-a4 white c2-d4";
        // The queen stands where the knight does not reach it.
        let other = text.replace("on(d4,black-queen)", "on(d3,black-queen)").replace("white a1-c2", "white a1-b3");
        let other = &other[..other.find(" black a3-a4").unwrap()];
        let (example, mut library) = (Example::parse(text, None).unwrap(), Library::default());
        let (system, options) = (&example.system, LearnOptions { instances: 500, ..LearnOptions::default() });
        learn_from_example(system, &mut library, &example.state, &example.moves, "fork", &options).unwrap();
        // Few places are looked at, so that the proof has to be checked in each position.
        let fork = library.rules.iter().find(|rule| rule.depth == 2).unwrap();
        assert_eq!(fork.status, Status::PerPosition);
        let recogniser = Recogniser::new(system, &library).unwrap().with_events(&library).unwrap();
        for (example, expected) in [(&example, Some("a1-c2")), (&Example::parse(other, None).unwrap(), None)] {
            let mut state = recogniser.ground.state(&example.state);
            assert_eq!(recogniser.ground.plain(&state), example.state);
            let legal = recogniser.ground.legal(&mut state, 0);
            let best = recogniser.preferred(&state, &legal).map(|id| system.names.text(recogniser.ground.square(id)));
            assert_eq!(best, expected);
        }
    }
}

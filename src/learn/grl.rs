//! The learner of P. Gregory, Y. Björnsson and S. Schiffel, The GRL System: Learning Board Game Rules With Piece-Move
//! Interactions (IJCAI 2015).
//!
//! A turn's word is cut where a piece appears. The parts of each piece are learnt by SGRL (SGRL+), the order of the parts
//! by LOCM from the turns as plan traces, and the words of both together (Algorithm 1) are those of a product automaton:
//! its states are a state of the controlled piece's automaton with the states of the zero machines. What the paper leaves
//! open: a part is refuted if it was possible where all moves are listed and is a part of no word; a machine starts where
//! some trace starts and may end where some trace ends; an automaton whose piece appears accepts nothing at once unless a
//! word ended there. Guards are told by the letters, and so by the names of the actions.

use super::boards::Boards;
use super::contradiction::Contradiction;
use super::description_length::DescriptionLength;
use super::evidence::Evidence;
use super::guard::{Guards, Why};
use super::hits::Source;
use super::letter::{Letter, Tags};
use super::movement::{KindMovement, PlayerMovement, no_words};
use super::options::{Progress, Task};
use super::perspective::PLAYERS;
use super::piece_samples::PieceSamples;
use super::sample_set::{PieceTables, SampleSet};
use super::samples::{AnnotatedWords, WordCount, annotate};
use super::sgrl::{Collapsed, Judge, SgrlLimits, collapse};
use super::state_merging::induce;
use super::trace::{TurnReader, trace};
use super::trie::Trie;
use crate::automata::{Dfa, DfaState, StateId};
use crate::board::{Cell, Player};
use crate::budget::{Budget, StopReason};
use crate::locm;
use crate::rules::{Landing, Symbol};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

/// Boards in mid-turn that are looked at, at most: they tell enough.
const MOST_BOARDS: usize = 200_000;

/// Guards of all pieces together, at most: more than any known game needs.
const MOST_GUARDS: usize = 6;

/// Boards in mid-turn, with the share that one move has on each.
type MidTurn = (Boards, Vec<f64>);

/// How the automata of parts are found.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    /// As the shortest description.
    Shortest,
    /// As in SGRL.
    Collapse(SgrlLimits),
}

/// The parts of one player's words, by the piece that is controlled.
struct Parts<'g> {
    player: Player,
    /// The guards of all pieces: what appears in mid-turn is told by the guards of the piece that moved first.
    guards: Guards,
    /// For each piece which of them are its own.
    own: BTreeMap<Cell, Tags>,
    words: BTreeMap<Cell, AnnotatedWords>,
    parts: BTreeMap<Cell, BTreeSet<Vec<Letter>>>,
    /// Pieces after whose appearance a turn may be over.
    ends_at_once: BTreeSet<Cell>,
    /// Boards in mid-turn, with the square where a piece has appeared.
    mid_turn: BTreeMap<Cell, MidTurn>,
    ground: &'g SampleSet,
}

impl<'g> Parts<'g> {
    /// Cuts the words of a player; `guards` are those of each starting piece.
    fn of(ground: &'g SampleSet, player: Player, guards: BTreeMap<Cell, Guards>) -> Parts<'g> {
        let mut all = Guards::none(ground.shape());
        let mut own = BTreeMap::new();
        for (kind, guards) in guards {
            let mut tags = Tags::default();
            for guard in guards.list {
                let at = all.list.iter().position(|other| *other == guard).unwrap_or_else(|| {
                    all.list.push(guard);
                    all.list.len() - 1
                });
                tags = tags.with(at, true);
            }
            own.insert(kind, tags);
        }
        all.list.truncate(MOST_GUARDS);
        let mut parts = Parts {
            player,
            guards: all,
            own,
            words: BTreeMap::new(),
            parts: BTreeMap::new(),
            ends_at_once: BTreeSet::new(),
            mid_turn: BTreeMap::new(),
            ground,
        };
        for (kind, tables) in &ground.tables {
            let Some(table) = &tables[player.index()] else { continue };
            let words = annotate(table, &parts.guards);
            let mut prefixes: BTreeSet<&[Letter]> = BTreeSet::new();
            for word in words.keys() {
                let mut controlled = *kind;
                let mut begin = 0;
                for (i, letter) in word.iter().enumerate() {
                    if let Symbol::Put(cell) = letter.symbol {
                        parts.add(controlled, &word[begin..i], begin > 0);
                        // Where the turn is over once the piece has appeared, nothing is to be learnt of it.
                        if matches!(word.get(i + 1), Some(Letter { symbol: Symbol::Step { .. }, .. })) {
                            prefixes.insert(&word[..=i]);
                        }
                        (controlled, begin) = (cell, i + 1);
                    }
                }
                parts.add(controlled, &word[begin..], begin > 0);
            }
            let mid_turn = mid_turn(ground, player, *kind, &prefixes, &parts.guards);
            for (cell, (boards, share)) in mid_turn {
                let known = parts.mid_turn.entry(cell).or_insert_with(|| (Boards::none(boards.shape), Vec::new()));
                known.0.append(boards);
                known.1.extend(share);
            }
            parts.words.insert(*kind, words);
        }
        parts
    }

    fn add(&mut self, controlled: Cell, part: &[Letter], appeared: bool) {
        let parts = self.parts.entry(controlled).or_default();
        if part.is_empty() {
            if appeared {
                self.ends_at_once.insert(controlled);
            }
        } else {
            parts.insert(part.to_vec());
        }
    }

    /// The pieces that are controlled at some time.
    fn kinds(&self) -> impl Iterator<Item = Cell> {
        self.parts.keys().copied()
    }

    /// SGRL+: the automaton of a piece's parts; none if they contradict the records, or if the search ends too early.
    fn automaton(&self, kind: Cell, how: How, model: &DescriptionLength, budget: &mut Budget) -> Collapsed {
        let Some(parts) = self.parts.get(&kind).filter(|parts| !parts.is_empty()) else {
            return Collapsed { automaton: None, stopped: StopReason::Done };
        };
        let mut letters: Vec<Letter> = parts.iter().flatten().copied().collect();
        letters.sort_unstable();
        letters.dedup();
        let mut sources = vec![self.ground.source(self.player, kind)];
        if let Some((boards, share)) = self.mid_turn.get(&kind) {
            sources.push(Source { boards, starts: boards.starts_of_appeared(), share });
        }
        match how {
            How::Shortest => {
                let words = parts.iter().map(|part| (part.clone(), WordCount { all: 1, some: 1 })).collect();
                let guards = self.guards.clone();
                let piece = PieceSamples::annotated(sources, &words, guards, kind.is_empty(), model, budget);
                match piece.and_then(|mut piece| induce(&mut piece, model, budget)) {
                    Ok(induced) => Collapsed { automaton: Some(induced.automaton), stopped: StopReason::Done },
                    Err(stopped) => Collapsed { automaton: None, stopped },
                }
            }
            How::Collapse(limits) => {
                let trie = Trie::new(sources, &letters, &self.guards, kind.is_empty());
                let judge = Judge { listed: &|part, _| parts.contains(part), known: &|part| self.is_known(part) };
                collapse(trie, &letters, parts.iter().cloned(), judge, limits, budget)
            }
        }
    }

    /// Whether a part is one of any piece, or all its subsequences with one letter less are.
    fn is_known(&self, part: &[Letter]) -> bool {
        let is_part = |part: &[Letter]| self.parts.values().any(|parts| parts.contains(part));
        let without = |gone: usize| [&part[..gone], &part[gone + 1..]].concat();
        is_part(part) || part.len() > 1 && (0..part.len()).all(|gone| is_part(&without(gone)))
    }

    fn own_of(&self, kind: Cell) -> Tags {
        self.own.get(&kind).copied().unwrap_or_default()
    }

    /// LOCM's model of the turns that start on a kind of piece.
    fn turns(&self, kind: Cell, stop: &AtomicBool) -> Option<locm::Model> {
        let mut evidence = locm::Evidence::default();
        for word in self.words.get(&kind)?.keys() {
            // A word with more squares or actions than plans may have is left out; none of a real game has so many.
            let _ = evidence.observe(&trace(word, kind, self.own_of(kind)));
        }
        Some(locm::induce(&evidence, &locm::Options::default(), stop))
    }

    /// Algorithm 1 as an automaton: the words that both the pieces' automata and the machines allow.
    fn product(&self, kind: Cell, pieces: &BTreeMap<Cell, Dfa<Letter>>, turns: &locm::Model) -> Option<Dfa<Letter>> {
        let machines = Machines::of(turns)?;
        let start =
            At { turn: TurnReader::of(kind, self.own_of(kind)), piece: Some(StateId(0)), machines: machines.start() };
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let mut open = vec![start];
        let mut states = Vec::new();
        while states.len() < open.len() {
            let at = open[states.len()].clone();
            let mut edges = Vec::new();
            for (letter, to) in self.steps(&at, pieces) {
                let mut next = At { turn: at.turn, piece: to, machines: at.machines.clone() };
                let acts = next.turn.read(letter);
                if !acts.iter().all(|act| machines.act(&mut next.machines, &act.name)) {
                    continue;
                }
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    open.push(next);
                    open.len() as u32 - 1
                });
                edges.push((letter, StateId(number)));
            }
            edges.sort_unstable();
            states.push(DfaState { accepting: self.may_end(&at, pieces, &machines), edges });
        }
        // Nothing is a move that does nothing.
        states[0].accepting = false;
        Some(Dfa::trimmed(states).minimise())
    }

    /// The letters that the controlled piece may make, and those with which another one appears.
    fn steps(&self, at: &At, pieces: &BTreeMap<Cell, Dfa<Letter>>) -> Vec<(Letter, Option<StateId>)> {
        let mut steps = Vec::new();
        let automaton = pieces.get(&at.turn.kind);
        let state = at.piece.unwrap_or(StateId(0));
        if let Some(automaton) = automaton {
            let edges = automaton.states()[state.index()].edges.iter();
            steps.extend(edges.map(|&(letter, to)| (letter, Some(to))));
        }
        let is_part = self.accepts(at, pieces) || at.turn.kind.is_empty() && at.piece == Some(StateId(0));
        if is_part {
            let letters: BTreeSet<Letter> =
                self.words.values().flat_map(|words| words.keys().flatten()).copied().collect();
            let puts = letters.into_iter().filter(|letter| matches!(letter.symbol, Symbol::Put(_)));
            steps.extend(puts.map(|letter| (letter, None)));
        }
        steps
    }

    /// Whether the controlled piece's part may end here.
    fn accepts(&self, at: &At, pieces: &BTreeMap<Cell, Dfa<Letter>>) -> bool {
        match at.piece {
            Some(state) => {
                pieces.get(&at.turn.kind).is_some_and(|automaton| automaton.states()[state.index()].accepting)
            }
            None => self.ends_at_once.contains(&at.turn.kind),
        }
    }

    fn may_end(&self, at: &At, pieces: &BTreeMap<Cell, Dfa<Letter>>, machines: &Machines) -> bool {
        let mut end = at.clone();
        let act = end.turn.end();
        self.accepts(at, pieces)
            && act.is_none_or(|act| machines.act(&mut end.machines, &act.name))
            && machines.are_final(&end.machines)
    }
}

/// Where a turn is: the state of the controlled piece's automaton, `None` if it has just appeared, and the states in
/// which each machine may be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    turn: TurnReader,
    piece: Option<StateId>,
    machines: SmallVec<[u64; 2]>,
}

/// The zero machines of a model, which say how a turn goes on.
struct Machines {
    /// For each machine, where each action leads from and to.
    edges: Vec<BTreeMap<String, (u64, u64)>>,
    initial: SmallVec<[u64; 2]>,
    finals: SmallVec<[u64; 2]>,
    known: BTreeSet<String>,
}

impl Machines {
    /// `None` if there are too many states for any turn.
    fn of(model: &locm::Model) -> Option<Machines> {
        let mut machines = Machines {
            edges: Vec::new(),
            initial: SmallVec::new(),
            finals: SmallVec::new(),
            known: model.actions.iter().map(|action| action.name.clone()).collect(),
        };
        for machine in model.machines.iter().filter(|machine| machine.sort.is_none()) {
            if machine.states.len() >= 63 {
                return None;
            }
            let set = |wanted: &dyn Fn(&locm::State) -> bool| -> u64 {
                (0..).zip(&machine.states).filter(|(_, state)| wanted(state)).map(|(i, _)| 1u64 << i).sum()
            };
            machines.initial.push(UNTOUCHED | set(&|state: &locm::State| state.is_initial));
            machines.finals.push(UNTOUCHED | set(&|state: &locm::State| state.is_final));
            let edges = machine.edges.iter().map(|edge| {
                let name = model.actions[edge.transition.action.index()].name.clone();
                (name, (1 << edge.from.index(), 1 << edge.to.index()))
            });
            machines.edges.push(edges.collect());
        }
        Some(machines)
    }

    fn start(&self) -> SmallVec<[u64; 2]> {
        self.initial.clone()
    }

    /// Makes an action, if every machine that knows it can.
    fn act(&self, at: &mut SmallVec<[u64; 2]>, name: &str) -> bool {
        let mut moves = self.edges.iter().zip(at.iter_mut());
        self.known.contains(name)
            && moves.all(|(edges, states)| match edges.get(name) {
                None => true,
                Some((from, to)) => {
                    let can = *states & from != 0;
                    *states = *to;
                    can
                }
            })
    }

    fn are_final(&self, at: &[u64]) -> bool {
        at.iter().zip(&self.finals).all(|(states, finals)| states & finals != 0)
    }
}

/// Stands for a machine that has not moved: one that knows only some of the actions says nothing of turns without them.
const UNTOUCHED: u64 = 1 << 63;

/// The boards after each of some beginnings of words, by the piece that has appeared then.
fn mid_turn(
    ground: &SampleSet,
    player: Player,
    kind: Cell,
    prefixes: &BTreeSet<&[Letter]>,
    guards: &Guards,
) -> BTreeMap<Cell, MidTurn> {
    let mut letters: Vec<Letter> = prefixes.iter().copied().flatten().copied().collect();
    letters.sort_unstable();
    letters.dedup();
    let source = ground.source(player, kind);
    let (base, base_share) = (source.boards, source.share);
    let mut trie = Trie::new(vec![source], &letters, guards, kind.is_empty());
    let mut found: BTreeMap<Cell, MidTurn> = BTreeMap::new();
    for prefix in prefixes {
        let Some(Letter { symbol: Symbol::Put(cell), .. }) = prefix.last() else { continue };
        let numbers = prefix.iter().map(|letter| letters.partition_point(|other| other < letter));
        let Some(node) = trie.find(numbers) else { continue };
        let (boards, share) = found.entry(*cell).or_insert_with(|| (Boards::none(base.shape), Vec::new()));
        trie.each_result(node, &mut |board, changes, cursor| {
            if boards.len() < MOST_BOARDS {
                boards.push_changed(base, board, changes, cursor);
                share.push(base_share[board]);
            }
        });
    }
    found
}

/// What GRL finds for the turns that start on a kind of a player's pieces.
struct TurnMovement {
    automaton: Option<Dfa<Letter>>,
    guards: Guards,
    stopped: StopReason,
}

/// Learns all turns of a player.
fn turn_movements(
    ground: &SampleSet,
    player: Player,
    guards: BTreeMap<Cell, Guards>,
    (how, model): (How, &DescriptionLength),
    task: &Task,
) -> BTreeMap<Cell, TurnMovement> {
    let parts = Parts::of(ground, player, guards);
    let mut pieces = BTreeMap::new();
    let mut refuted = BTreeSet::new();
    let mut stops: BTreeMap<Cell, StopReason> = BTreeMap::new();
    for kind in parts.kinds() {
        (task.watch)(Progress::Begun(kind, Some(player)));
        let Collapsed { automaton, stopped } = parts.automaton(kind, how, model, &mut task.budget());
        stops.insert(kind, stopped);
        match automaton {
            Some(automaton) => drop(pieces.insert(kind, automaton)),
            // A drop's own part has no letters.
            None if parts.parts[&kind].is_empty() => {}
            None => drop(refuted.insert(kind)),
        }
        (task.watch)(Progress::Done(kind, Some(player)));
    }
    let mut found = BTreeMap::new();
    for (&kind, words) in &parts.words {
        let is_turn = |letter: &Letter| !matches!(letter.symbol, Symbol::Step { landing: Landing::On(_), .. });
        let guards = parts.guards.clone();
        let puts = words.keys().flatten().filter_map(|letter| match letter.symbol {
            Symbol::Put(cell) => Some(cell),
            _ => None,
        });
        let controlled: BTreeSet<Cell> = puts.chain([kind]).collect();
        let mut stopped = controlled.iter().filter_map(|kind| stops.get(kind)).copied().max().unwrap_or_default();
        if controlled.iter().any(|kind| refuted.contains(kind)) {
            found.insert(kind, TurnMovement { automaton: None, guards, stopped });
            continue;
        }
        // Where pieces only step and capture by landing, and do so in no other piece's turn, their automaton is the
        // movement.
        let is_alone = parts.parts.get(&kind).is_some_and(|parts| parts.iter().all(|part| words.contains_key(part)));
        if is_alone && !words.keys().flatten().any(is_turn) {
            found.insert(kind, TurnMovement { automaton: pieces.get(&kind).cloned(), guards, stopped });
            continue;
        }
        (task.watch)(Progress::TurnsBegun(kind, player));
        let turns = parts.turns(kind, task.stop);
        (task.watch)(Progress::TurnsDone(kind, player));
        // A sort that takes too long to split has one machine, and the turns are learnt all the same.
        if turns.as_ref().is_some_and(|turns| turns.stopped == StopReason::Interrupted) {
            stopped = StopReason::Interrupted;
        }
        let automaton = turns.and_then(|turns| parts.product(kind, &pieces, &turns));
        found.insert(kind, TurnMovement { automaton, guards, stopped });
    }
    found
}

/// What GRL finds, for each player alone.
pub(super) fn movements(samples: &mut SampleSet, evidence: &Evidence, how: How, task: &Task) -> Vec<KindMovement> {
    // Where only some moves are listed, whether something was to be expected depends on how many moves there are.
    let weighed = if samples.lists_some() {
        let listed: BTreeMap<(Player, Cell), _> = PLAYERS
            .into_iter()
            .flat_map(|player| samples.tables.iter().map(move |(kind, tables)| (player, *kind, tables)))
            .filter_map(|(player, kind, tables)| {
                Some(((player, kind), samples.listed(tables[player.index()].as_ref()?)))
            })
            .collect();
        samples.weigh(task, &|player, kind| listed.get(&(player, kind)).cloned())
    } else {
        Ok(())
    };
    let weighed = weighed.err().unwrap_or_default();
    let samples = &*samples;
    let clean = DescriptionLength::exact(samples.rates);
    let found = PLAYERS.map(|player| {
        let mut guards = BTreeMap::new();
        let mut stops = BTreeMap::new();
        for (kind, tables) in &samples.tables {
            match samples.piece(player, *kind, tables, &clean, task) {
                Ok(piece) => drop(piece.map(|piece| guards.insert(*kind, piece.guards))),
                Err(stopped) => drop(stops.insert(*kind, stopped)),
            }
        }
        let mut found = turn_movements(samples, player, guards, (how, &clean), task);
        for (kind, movement) in &mut found {
            // Without its guards a movement may be too wide.
            let guards = stops.get(kind).copied().unwrap_or_default();
            movement.stopped = movement.stopped.max(guards).max(weighed);
        }
        found
    });
    let learn = |(kind, tables): &(Cell, PieceTables)| {
        let players = PLAYERS.map(|player| {
            let found = found[player.index()].get(kind)?;
            let consistent = found.automaton.is_some();
            tables[player.index()].as_ref()?;
            // Without it nothing is known of guards and contradictions; there are none if the search was stopped.
            let piece = samples.piece(player, *kind, tables, &clean, task).ok().flatten();
            let disagreements = piece.as_ref().map_or(Vec::new(), |piece| piece.disagreements());
            let disagreements = disagreements.iter().filter(|_| !consistent);
            Some(PlayerMovement {
                automaton: found.automaton.clone().unwrap_or_else(no_words),
                why: piece.map_or(vec![None; found.guards.list.len()], |piece| why_of(&piece, &found.guards)),
                guards: found.guards.clone(),
                consistent: consistent && found.stopped.is_done(),
                contradictions: disagreements.map(|found| Contradiction::of(evidence, player, *kind, found)).collect(),
                stopped: found.stopped,
            })
        });
        KindMovement { kind: *kind, shared: false, players }
    };
    samples.tables.iter().map(learn).collect()
}

/// Why a piece needs its guards, in the order of other guards; nothing is said of those that are not its own.
fn why_of(piece: &PieceSamples, guards: &Guards) -> Vec<Option<Why>> {
    let place = |guard| piece.guards.list.iter().position(|own| own == guard);
    guards.list.iter().map(|guard| piece.why.get(place(guard)?).cloned()).collect()
}

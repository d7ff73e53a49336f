//! The method of the shortest description (MDL): the movements of all pieces, learnt together.
//!
//! Where records list only the move played, what a word costs depends on how many legal moves a board has. So everything
//! is learnt twice: with the legal moves counted from the listed words, and then from the movements of the first round.

use super::contradiction::Contradiction;
use super::description_length::{DescriptionLength, WORD_KINDS};
use super::evidence::Evidence;
use super::guard::{Guards, Test};
use super::guard_search::guarded;
use super::movement::{KindMovement, PlayerMovement};
use super::options::{Progress, Task};
use super::perspective::PLAYERS;
use super::piece_samples::PieceSamples;
use super::sample_set::{GuardedMovement, PieceTables, SampleSet};
use super::samples::{add_origins, annotate};
use super::state_merging::{Induced, induce};
use crate::automata::Dfa;
use crate::board::{Cell, Player};
use crate::budget::StopReason;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Learns the movement of every kind of piece.
pub(super) fn movements(samples: &mut SampleSet, evidence: &Evidence, task: &Task) -> Vec<KindMovement> {
    if !samples.lists_some() {
        return round(samples, Some(evidence), task);
    }
    let first = match first_round(samples, task) {
        Ok(first) => first,
        Err(stopped) => return unknown(samples, stopped),
    };
    let learnt = |player: Player, kind: Cell| {
        let movement = first.iter().find(|movement| movement.kind == kind)?;
        let movement = movement.players[player.index()].as_ref()?;
        Some((movement.automaton.clone(), movement.guards.clone()))
    };
    let second = match samples.weigh(task, &learnt) {
        Ok(()) => round(samples, Some(evidence), task),
        Err(stopped) => unknown(samples, stopped),
    };
    // What was interrupted in the second round is known from the first.
    let best = second.into_iter().zip(first).map(|(second, first)| match second.stopped() {
        StopReason::Interrupted if first.stopped().is_done() => first.marked(StopReason::Interrupted),
        _ => second,
    });
    best.collect()
}

/// Learns with the legal moves counted from the listed words.
fn first_round(samples: &mut SampleSet, task: &Task) -> Result<Vec<KindMovement>, StopReason> {
    // Every word counts the same until something is known of how evenly they are played.
    let even = DescriptionLength::noisy([1.0; WORD_KINDS], task.options.noise);
    let mut believed: BTreeMap<(Player, Cell), GuardedMovement> = BTreeMap::new();
    for (kind, tables) in &samples.tables {
        for player in PLAYERS {
            let Some(table) = &tables[player.index()] else { continue };
            let noisy = (even.noise > 0.0).then(|| samples.piece(player, *kind, tables, &even, task));
            let tree = match noisy.and_then(|piece| piece.ok().flatten()) {
                Some(piece) => (Dfa::prefix_tree(piece.kept_words()), piece.guards),
                None => samples.listed(table),
            };
            believed.insert((player, *kind), tree);
        }
    }
    samples.weigh(task, &|player, kind| believed.get(&(player, kind)).cloned())?;
    Ok(round(samples, None, &Task { watch: &|_| {}, ..*task }))
}

/// Nothing is known of any piece, since something before it was stopped.
fn unknown(samples: &SampleSet, stopped: StopReason) -> Vec<KindMovement> {
    let unknown = |(kind, tables): &(Cell, PieceTables)| {
        let none = |table: &Option<_>| table.as_ref().map(|_| PlayerMovement::none(samples.shape(), stopped));
        KindMovement { kind: *kind, shared: false, players: tables.each_ref().map(none) }
    };
    samples.tables.iter().map(unknown).collect()
}

/// Learns every kind once. Only with the evidence it looks for contradictions, which a first round need not know.
fn round(samples: &SampleSet, evidence: Option<&Evidence>, task: &Task) -> Vec<KindMovement> {
    let learn = |(kind, tables): &(Cell, PieceTables)| {
        (task.watch)(Progress::Begun(*kind, None));
        let movement = KindSearch { samples, evidence, task, kind: *kind, tables }.movement();
        (task.watch)(Progress::Done(*kind, None));
        movement
    };
    samples.tables.par_iter().map(learn).collect()
}

/// The search for how one kind of piece moves.
struct KindSearch<'a> {
    samples: &'a SampleSet,
    evidence: Option<&'a Evidence>,
    task: &'a Task<'a>,
    kind: Cell,
    tables: &'a PieceTables,
}

/// One of each player's.
type Both<T> = [Option<T>; 2];

impl<'a> KindSearch<'a> {
    fn movement(&self) -> KindMovement {
        let mut contradictions = [Vec::new(), Vec::new()];
        let searched = self.search(&mut contradictions);
        let stopped = searched.as_ref().err().copied().unwrap_or_default();
        let (mut induced, shared) = searched.unwrap_or_else(|stopped| match stopped {
            StopReason::BudgetSpent => (self.words_seen(), false),
            _ => ([None, None], false),
        });
        let players = [0, 1].map(|player: usize| {
            self.tables[player].as_ref()?;
            let contradictions = std::mem::take(&mut contradictions[player]);
            let consistent = stopped.is_done() && (contradictions.is_empty() || self.task.options.noise > 0.0);
            let none = PlayerMovement::none(self.samples.shape(), stopped);
            Some(match induced[player].take() {
                Some(Induced { automaton, guards, why, .. }) => {
                    let why = why.into_iter().map(Some).collect();
                    PlayerMovement { automaton, guards, why, consistent, contradictions, stopped }
                }
                None => PlayerMovement { consistent, contradictions, ..none },
            })
        });
        KindMovement { kind: self.kind, shared, players }
    }

    /// Words that were seen and nothing else: what is certain if the search is given up.
    fn words_seen(&self) -> Both<Induced> {
        self.tables.each_ref().map(|table| {
            let (automaton, guards) = self.samples.listed_most(table.as_ref()?);
            Some(Induced { automaton, guards, why: Vec::new(), description: f64::INFINITY, surprise: 0.0 })
        })
    }

    /// Each player's piece with its guards.
    fn pieces(&self, model: &DescriptionLength) -> Result<Both<PieceSamples<'a>>, StopReason> {
        let piece = |player| self.samples.piece(player, self.kind, self.tables, model, self.task);
        let (first, second) = rayon::join(|| piece(Player::First), || piece(Player::Second));
        Ok([first?, second?])
    }

    /// How each player who has it moves the kind, and whether both do alike. Contradictions of the records are reported
    /// even if the search ends too early.
    fn search(&self, contradictions: &mut [Vec<Contradiction>; 2]) -> Result<(Both<Induced>, bool), StopReason> {
        let noise = self.task.options.noise;
        let mut model = DescriptionLength::noisy(self.samples.rates, noise);
        let mut alone = self.pieces(&model)?;
        *contradictions = PLAYERS.map(|player| {
            let (Some(evidence), Some(piece)) = (self.evidence, &alone[player.index()]) else { return Vec::new() };
            let found = piece.disagreements();
            found.iter().map(|found| Contradiction::of(evidence, player, self.kind, found)).collect::<Vec<_>>()
        });
        let mut together = self.together(&mut alone, &model)?;
        let contradictory = alone.iter().flatten().any(|piece| piece.ground_cost() == f64::INFINITY);
        // What contradicts itself in one player's records may be explained by those of both.
        if noise == 0.0 && together.is_none() && contradictory {
            model = DescriptionLength::contradictory(self.samples.rates);
            alone = self.pieces(&model)?;
            together = self.together(&mut alone, &model)?;
        }
        let shared = together.as_ref().is_some_and(|(induced, ground)| {
            // To write the movement twice would cost another description.
            let apart: f64 = alone.iter().flatten().map(|piece| piece.ground_cost()).sum();
            let apart = if model.noise > 0.0 { apart } else { 0.0 };
            induced.surprise + ground - apart <= induced.description
        });
        let induce = |piece: &mut Option<PieceSamples>| {
            piece.as_mut().map(|piece| induce(piece, &model, &mut self.task.budget())).transpose()
        };
        let [first, second] = &mut alone;
        let (first, second) =
            if shared { (Ok(None), Ok(None)) } else { rayon::join(|| induce(first), || induce(second)) };
        let apart = [first?, second?];
        let total = |induced: &Induced, ground: f64| induced.description + induced.surprise + ground;
        let both: f64 = (apart.iter().zip(&alone))
            .filter_map(|(induced, piece)| Some(total(induced.as_ref()?, piece.as_ref()?.ground_cost())))
            .sum();
        Ok(match together.filter(|(induced, ground)| shared || total(induced, *ground) <= both) {
            Some((induced, _)) => {
                if model.noise == 0.0 {
                    *contradictions = [Vec::new(), Vec::new()];
                }
                ([Some(induced.clone()), Some(induced)], true)
            }
            None => (apart, false),
        })
    }

    /// The movement of the kind if both players move it alike, with what it costs in any case; nothing if they cannot.
    fn together(
        &self,
        alone: &mut Both<PieceSamples>,
        model: &DescriptionLength,
    ) -> Result<Option<(Induced, f64)>, StopReason> {
        let (samples, kind) = (self.samples, self.kind);
        let [Some(first), Some(second)] = self.tables else { return Ok(None) };
        // Who drops other pieces does not drop alike.
        if kind.is_empty() && !first.keys().any(|word| second.contains_key(word)) {
            return Ok(None);
        }
        let mut budget = self.task.budget();
        let mut table = first.clone();
        for (word, origins) in second {
            add_origins(table.entry(word.clone()).or_default(), origins.iter().copied());
        }
        let sources = PLAYERS.map(|player| samples.source(player, kind)).into();
        let mut piece = guarded(sources, &table, kind.is_empty(), model, &mut budget)?;
        // Where each player looks around, and both together do not, they look in different directions.
        let looks = |guards: &Guards| guards.list.iter().filter(|guard| matches!(guard.test, Test::Sees(_))).count();
        let blind = alone.iter().flatten().any(|own| looks(&own.guards) > looks(&piece.guards));
        if blind || piece.ground_cost() == f64::INFINITY {
            return Ok(None);
        }
        let mut induced = induce(&mut piece, model, &mut budget)?;
        // Words that only the other player was seen to play.
        for (player, table) in PLAYERS.into_iter().zip([first, second]) {
            let own = alone[player.index()].as_mut().filter(|own| own.guards == piece.guards);
            let mut cost = own.and_then(|own| own.cost_of_foreign(&piece, model));
            if cost.is_none() {
                let mut known = annotate(table, &piece.guards);
                piece.kept_words().for_each(|word| {
                    known.entry(word).or_default();
                });
                let source = vec![samples.source(player, kind)];
                let guards = piece.guards.clone();
                let mut own = PieceSamples::annotated(source, &known, guards, kind.is_empty(), model, &budget)?;
                cost = own.cost_of_foreign(&piece, model);
            }
            let Some(cost) = cost else { return Ok(None) };
            induced.surprise += cost;
        }
        Ok(Some((induced, piece.ground_cost())))
    }
}

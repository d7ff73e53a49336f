//! Watching playouts: from a game to evidence, on all cores, with the same result on any number of them.

use super::evidence::Evidence;
use crate::budget::StopReason;
use crate::game::{Chance, FactSet, Game, JointMoves, Role, Roles, Truncation, Vocabulary};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which playouts to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutPlan {
    /// At most so many.
    pub playouts: u64,
    /// Enough once each role has won so many; `u64::MAX` if there are never enough.
    pub wins: u64,
    /// Fixes them all.
    pub seed: u64,
    /// A playout that lasts longer is broken off.
    pub plies: u64,
    /// All playouts together have at most about so many joint moves, those that were only tried included.
    pub steps: u64,
    /// How moves are drawn.
    pub policy: PlayoutPolicy,
}

/// How the moves of playouts are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// Each as likely as the others.
    Random,
    /// A move that wins at once if there is one; otherwise each as likely as the others.
    Greedy,
}

/// How watching went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchReport {
    /// Joint moves that were played or tried.
    pub steps: u64,
    /// Why it ended; spending the budget of playouts is no reason to worry, that of steps is.
    pub stop: StopReason,
    /// Why a state could not be worked out, if there was one.
    pub truncated: Option<Truncation>,
}

/// The most playouts that one piece of work has, and pieces that are begun together.
const MOST_PIECE: u64 = 32;
const PIECES: u64 = 16;

/// Plays until there is enough, and says what was seen. Once `stop` is set, it ends soon.
pub fn watch_playouts<G: Game>(
    game: &G,
    plan: &PlayoutPlan,
    stop: &AtomicBool,
    progress: &(dyn Fn(u64) + Sync),
) -> (Evidence, WatchReport) {
    let vocabulary = Vocabulary::new(game);
    let numbered = !vocabulary.is_empty();
    let mut evidence = Evidence::new(game.name(), game.roles(), vocabulary.terms().to_vec());
    let mut report = WatchReport { steps: 0, stop: StopReason::Done, truncated: None };
    let enough = |evidence: &Evidence| {
        let roles = 0..evidence.roles().len();
        let chance = game.chance_roles();
        roles.filter(|role| !chance.contains(Role(*role as u8))).all(|role| evidence.wins(role) >= plan.wins)
    };
    // Where few wins are enough, no more playouts than needed shall count.
    let size = (plan.wins / 16).clamp(1, MOST_PIECE);
    let mut next = 0;
    'all: while next < plan.playouts {
        let begins = (0..PIECES).map(|piece| next + piece * size).filter(|begin| *begin < plan.playouts);
        let pieces: Vec<(Evidence, u64, Option<Truncation>)> = begins
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|begin| {
                let mut piece = Piece::new(game, &vocabulary, plan);
                (begin..plan.playouts.min(begin + size)).for_each(|number| piece.playout(number, stop));
                piece.finish()
            })
            .collect();
        let stopped = stop.load(Ordering::Relaxed);
        for (piece, steps, truncated) in pieces {
            let merged = evidence.merge(piece);
            debug_assert!(merged.is_ok(), "it is the same game");
            report.steps += steps;
            report.truncated = report.truncated.or(truncated);
            if enough(&evidence) || report.truncated.is_some() {
                break 'all;
            }
            if report.steps >= plan.steps {
                report.stop = StopReason::BudgetSpent;
                break 'all;
            }
        }
        if stopped {
            report.stop = StopReason::Interrupted;
            break;
        }
        next += PIECES * size;
        progress(evidence.playouts().0);
    }
    if !numbered {
        evidence = evidence.sorted();
    }
    (evidence, report)
}

/// Room for the playouts of one thread.
struct Piece<'a, G: Game> {
    game: &'a G,
    plan: &'a PlayoutPlan,
    vocabulary: Vocabulary,
    evidence: Evidence,
    states: Vec<(Roles, FactSet)>,
    moves: Vec<G::Move>,
    joint: Vec<G::Move>,
    joints: JointMoves<G::Move>,
    state: G::State,
    child: G::State,
    steps: u64,
    truncated: Option<Truncation>,
}

/// Where there are more joint moves than this, no win is looked for.
const MOST_JOINT: u64 = 1000;

impl<'a, G: Game> Piece<'a, G> {
    fn new(game: &'a G, vocabulary: &Vocabulary, plan: &'a PlayoutPlan) -> Piece<'a, G> {
        Piece {
            game,
            plan,
            vocabulary: vocabulary.clone(),
            evidence: Evidence::new(game.name(), game.roles(), Vec::new()),
            states: Vec::new(),
            moves: Vec::new(),
            joint: Vec::new(),
            joints: JointMoves::default(),
            state: game.start(),
            child: game.start(),
            steps: 0,
            truncated: None,
        }
    }

    fn playout(&mut self, number: u64, stop: &AtomicBool) {
        // Pieces that are too long are cut in the same place, whoever does them.
        if self.steps >= self.plan.steps || self.truncated.is_some() {
            return;
        }
        let game = self.game;
        let mut chance = Chance::stream(self.plan.seed, number);
        self.state = game.start();
        let mut moved = Roles::first(0);
        let mut length = 0;
        loop {
            if self.states.len() == length {
                self.states.push((moved, FactSet::default()));
            }
            let (who, facts) = &mut self.states[length];
            *who = moved;
            self.vocabulary.learn(game, &self.state, facts);
            length += 1;
            if stop.load(Ordering::Relaxed) {
                // Half a playout says nothing.
                return;
            }
            if length as u64 > self.plan.plies {
                break;
            }
            moved = game.to_move(&self.state);
            if !self.play(moved, &mut chance) {
                break;
            }
            self.steps += 1;
        }
        let goals = game.goals(&self.state);
        if goals.is_none() && length as u64 <= self.plan.plies {
            self.truncated = game.truncation(&self.state);
        }
        self.evidence.observe(number, &self.states[..length], goals.as_deref());
    }

    /// Plays a joint move; `false` if there is none.
    fn play(&mut self, to_move: Roles, chance: &mut Chance) -> bool {
        let game = self.game;
        if self.plan.policy == PlayoutPolicy::Greedy && game.goals(&self.state).is_none() && self.win(to_move, chance) {
            return true;
        }
        game.play_at_random(&mut self.state, chance, &mut self.moves, &mut self.joint)
    }

    /// Plays a joint move with which one of those who made it wins, if there is one. Where several move at the same time and one can win,
    /// one of those joint moves is drawn.
    fn win(&mut self, to_move: Roles, chance: &mut Chance) -> bool {
        let game = self.game;
        if to_move.len() > 1 && game.count(&self.state) > MOST_JOINT {
            return false;
        }
        self.joints.begin(game, &self.state);
        self.joints.restart(None);
        let mut found = 0;
        self.joint.clear();
        while let Some(joint) = self.joints.advance() {
            self.child.clone_from(&self.state);
            game.play(&mut self.child, joint);
            self.steps += 1;
            let goals = game.goals(&self.child);
            if goals.is_some_and(|goals| to_move.iter().any(|role| goals[role.index()] == Some(100))) {
                found += 1;
                // Each as likely as the others, without keeping them all.
                if chance.below(found) == 0 {
                    self.joint.clear();
                    self.joint.extend_from_slice(joint);
                }
            }
        }
        if found > 0 {
            game.play(&mut self.state, &self.joint);
        }
        found > 0
    }

    fn finish(mut self) -> (Evidence, u64, Option<Truncation>) {
        self.evidence.set_terms(self.vocabulary.terms().to_vec());
        (self.evidence, self.steps, self.truncated)
    }
}

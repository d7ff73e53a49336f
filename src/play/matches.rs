//! Matches: agents against each other, many games on all cores.

use super::Agent;
use crate::game::{Chance, Game, Goals, Role, played_roles};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Which games to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchPlan {
    /// How many.
    pub games: u64,
    /// Fixes them all: the same seed, the same games, on any number of threads.
    pub seed: u64,
    /// A game that lasts longer than this many joint moves is broken off, and nobody has won it.
    pub plies: u64,
}

/// How a match went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// The games in the order of their numbers. If the match was stopped, those before the first that was not finished.
    pub games: Vec<GameResult>,
    /// Games won, by agent.
    pub wins: Vec<u64>,
    /// Games that no agent won. In a game for one there is none: it is won or lost.
    pub draws: u64,
    /// Whether the match was stopped before all its games were played.
    pub stopped: bool,
}

/// How one game of a match went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Which agent played each role; `None` for chance.
    pub agents: Vec<Option<usize>>,
    /// What each role got; `None` if the game was broken off.
    pub goals: Option<Goals>,
    /// Joint moves played.
    pub plies: u64,
    /// The agent that has won: more than all others, or in a game for one more than 50. What chance has got does not count.
    pub winner: Option<usize>,
}

/// A match that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is for {roles} players, {agents} were given")]
pub struct MatchError {
    /// What the game needs.
    pub roles: usize,
    /// What was given.
    pub agents: usize,
}

/// Plays a match on the threads of the current rayon pool, one agent for each role of the game that is not chance.
///
/// In game number `n` (from 0), agent `(role + n) % agents` plays a role, those of chance left out, so that over the games
/// everybody plays everything.
/// After each game `progress` is told how many are finished. Once `stop` is set, games that have begun are given up.
pub fn play_match<G: Game>(
    game: &G,
    agents: &[Agent],
    plan: &MatchPlan,
    stop: &AtomicBool,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<MatchResult, MatchError> {
    let roles = played_roles(game).len();
    if agents.len() != roles {
        return Err(MatchError { roles, agents: agents.len() });
    }
    // Games are begun in the order of their numbers, so that a match that is stopped has few finished games to leave out.
    let next = AtomicU64::new(0);
    let finished = Mutex::new(Vec::new());
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.games {
                break;
            }
            if let Some(result) = play_game(game, agents, plan, number, stop) {
                let mut finished = finished.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                finished.push((number, result));
                progress(finished.len() as u64);
            }
        }
    };
    rayon::scope(|scope| (0..rayon::current_num_threads()).for_each(|_| scope.spawn(|_| work())));
    let mut finished = finished.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    finished.sort_by_key(|&(number, _)| number);
    let games: Vec<GameResult> =
        finished.into_iter().zip(0..).take_while(|((number, _), n)| number == n).map(|((_, game), _)| game).collect();
    let mut wins = vec![0; agents.len()];
    games.iter().filter_map(|game| game.winner).for_each(|winner| wins[winner] += 1);
    let undecided = games.iter().filter(|game| game.winner.is_none()).count() as u64;
    let stopped = (games.len() as u64) < plan.games;
    Ok(MatchResult { games, wins, draws: if roles == 1 { 0 } else { undecided }, stopped })
}

/// One game of a match; `None` if it was given up.
fn play_game<G: Game>(
    game: &G,
    agents: &[Agent],
    plan: &MatchPlan,
    number: u64,
    stop: &AtomicBool,
) -> Option<GameResult> {
    let mut chance = Chance::stream(plan.seed, number);
    let turned = (number % agents.len() as u64) as usize;
    let mut seats = vec![None; game.roles().len()];
    let players = played_roles(game);
    for (place, role) in players.iter().enumerate() {
        seats[role.index()] = Some((place + turned) % agents.len());
    }
    let mut state = game.start();
    let mut joint = Vec::new();
    let mut plies = 0;
    let goals = loop {
        if let Some(goals) = game.goals(&state) {
            break Some(goals);
        }
        if plies == plan.plies {
            break None;
        }
        joint.clear();
        for role in game.to_move(&state).iter() {
            let agent = seats[role.index()].map_or(Agent::Random, |agent| agents[agent]);
            joint.push(agent.choose_until(game, &state, role, &mut chance, stop)?.pick);
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        game.play(&mut state, &joint);
        plies += 1;
    };
    let winner = goals.as_ref().and_then(|goals| winning_role(goals, &players)).and_then(|role| seats[role.index()]);
    Some(GameResult { agents: seats, goals, plies, winner })
}

/// The player with strictly the highest goal, or the only one if it has more than 50. An open goal is none.
pub fn winning_role(goals: &Goals, players: &[Role]) -> Option<Role> {
    let goal = |role: Role| goals[role.index()].unwrap_or(0);
    let best = *players.iter().max_by_key(|&&role| goal(role))?;
    let alone = match players {
        [only] => goal(*only) > 50,
        _ => players.iter().all(|&role| role == best || goal(role) < goal(best)),
    };
    alone.then_some(best)
}

//! Matches: agents against each other, many games on all cores.

use super::{Agent, Random};
use crate::game::{Chance, Game, Goals, Role, Truncation, played_roles};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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
    /// How many games count. If the match was stopped, those before the first that was not finished.
    pub games: u64,
    /// Games won, by agent.
    pub wins: Vec<u64>,
    /// Games that no agent won. In a game for one there is none: it is won or lost.
    pub draws: u64,
    /// By agent: its score in each role that somebody plays, in the order of the roles.
    pub sides: Vec<Vec<Score>>,
    /// By agent: how much it has looked at.
    pub effort: Vec<Effort>,
    /// Whether the match was stopped before all its games were played.
    pub stopped: bool,
    /// Why a state could not be worked out, if there was one, in the last game that counts: the match ends with it, and that
    /// game is not what the rules would have made of it.
    pub truncated: Option<Truncation>,
}

impl MatchResult {
    /// Adds the games that came after these, by the same agents. Games after one that was stopped or truncated do not count.
    pub fn merge(&mut self, later: &MatchResult) {
        if self.stopped || self.truncated.is_some() {
            return;
        }
        self.games += later.games;
        self.draws += later.draws;
        self.wins.iter_mut().zip(&later.wins).for_each(|(sum, more)| *sum += more);
        for (sum, more) in self.sides.iter_mut().flatten().zip(later.sides.iter().flatten()) {
            sum.won += more.won;
            sum.drawn += more.drawn;
            sum.lost += more.lost;
        }
        self.effort.iter_mut().zip(&later.effort).for_each(|(sum, more)| sum.add(*more));
        (self.stopped, self.truncated) = (later.stopped, later.truncated);
    }
}

/// How an agent did in one role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games it has won.
    pub won: u64,
    /// Games that nobody has won.
    pub drawn: u64,
    /// Games that it has not won and that are no draws.
    pub lost: u64,
}

/// How much an agent has looked at to choose its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves that it chose among several.
    pub choices: u64,
    /// States that it looked at.
    pub nodes: u64,
    /// The depths that its searches finished, added up; see [`Choice::depth`](super::Choice::depth).
    pub depths: u64,
}

impl Effort {
    fn add(&mut self, other: Effort) {
        self.choices += other.choices;
        self.nodes += other.nodes;
        self.depths += other.depths;
    }

    /// States for a move, on average.
    pub fn nodes_per_choice(&self) -> f64 {
        self.nodes as f64 / self.choices.max(1) as f64
    }

    /// The mean depth of a search.
    pub fn mean_depth(&self) -> f64 {
        self.depths as f64 / self.choices.max(1) as f64
    }
}

/// How one game of a match went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Which agent played each role; `None` for chance.
    pub agents: Vec<Option<usize>>,
    /// Why it stopped.
    pub end: GameEnd,
    /// Joint moves played.
    pub plies: u64,
    /// The agent that has won: more than all others, or in a game for one more than 50. What chance has got does not count.
    pub winner: Option<usize>,
    /// By agent: how much it has looked at.
    pub effort: Vec<Effort>,
    /// Why a state that an agent looked at, or the last one, could not be worked out, if so.
    pub truncated: Option<Truncation>,
}

/// Why a game of a match stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// It was over, and each role got this.
    Over(Goals),
    /// As many joint moves had been played as were allowed.
    Limit,
    /// The state was beyond the engine's limits.
    Truncated(Truncation),
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

/// How far games may be ahead of the first that is not finished: they have to be kept until it is.
const MOST_AHEAD: u64 = 4096;

/// Plays a match on the threads of the current rayon pool, one agent for each role of the game that is not chance.
///
/// In game number `n` (from 0), agent `(role + n) % agents` plays a role, those of chance left out, so that over the games
/// everybody plays everything. `watch` gets every game with its number, in the order of their numbers; nothing else of a
/// game is kept but its score. Once `stop` is set, games that have begun are given up.
///
/// ```
/// use onlooker::game::catalogue_game;
/// use onlooker::play::{MatchPlan, Mcts, play_match};
/// use std::sync::atomic::AtomicBool;
///
/// let game = catalogue_game("tic-tac-toe").expect("a game of the catalogue");
/// let plan = MatchPlan { games: 20, seed: 1, plies: 100 };
/// let agents = [Mcts::new(100), Mcts::new(2)];
/// let result = play_match(&game, &agents, &plan, &AtomicBool::new(false), &|_, _| {})?;
/// assert_eq!(result.games, 20);
/// assert!(result.wins[0] > result.wins[1]);
/// # Ok::<(), onlooker::play::MatchError>(())
/// ```
///
/// # Errors
///
/// There are more or fewer agents than the game has roles for.
pub fn play_match<G: Game, A: Agent<G>>(
    game: &G,
    agents: &[A],
    plan: &MatchPlan,
    stop: &AtomicBool,
    watch: &(dyn Fn(u64, &GameResult) + Sync),
) -> Result<MatchResult, MatchError> {
    play_match_part(game, agents, plan, 0..plan.games, stop, watch)
}

/// Plays some games of a match by their numbers, as [`play_match`] does all of them: for those who share a match out among
/// several machines. [`MatchResult::merge`] puts the parts together.
///
/// # Errors
///
/// There are more or fewer agents than the game has roles for.
pub fn play_match_part<G: Game, A: Agent<G>>(
    game: &G,
    agents: &[A],
    plan: &MatchPlan,
    numbers: Range<u64>,
    stop: &AtomicBool,
    watch: &(dyn Fn(u64, &GameResult) + Sync),
) -> Result<MatchResult, MatchError> {
    let players = played_roles(game);
    if agents.len() != players.len() {
        return Err(MatchError { roles: players.len(), agents: agents.len() });
    }
    let table = Table {
        game,
        agents,
        players,
        plan,
        stop,
        watch,
        next: AtomicU64::new(numbers.start),
        numbers: numbers.clone(),
        tally: Mutex::new(Tally {
            result: MatchResult {
                games: 0,
                wins: vec![0; agents.len()],
                draws: 0,
                sides: vec![vec![Score::default(); agents.len()]; agents.len()],
                effort: vec![Effort::default(); agents.len()],
                stopped: false,
                truncated: None,
            },
            waiting: BTreeMap::new(),
            ended: false,
        }),
        counted: Condvar::new(),
    };
    rayon::scope(|scope| (0..rayon::current_num_threads()).for_each(|_| scope.spawn(|_| table.work())));
    let mut result = table.tally.into_inner().unwrap_or_else(PoisonError::into_inner).result;
    result.stopped = result.truncated.is_none() && result.games < numbers.end.saturating_sub(numbers.start);
    Ok(result)
}

/// What the threads of a match share.
struct Table<'a, G: Game, A> {
    game: &'a G,
    agents: &'a [A],
    players: Vec<Role>,
    plan: &'a MatchPlan,
    numbers: Range<u64>,
    stop: &'a AtomicBool,
    watch: &'a (dyn Fn(u64, &GameResult) + Sync),
    /// The number of the next game to begin.
    next: AtomicU64,
    tally: Mutex<Tally>,
    counted: Condvar,
}

/// The games so far.
struct Tally {
    result: MatchResult,
    /// Finished games that cannot be counted before others are.
    waiting: BTreeMap<u64, GameResult>,
    /// Whether no game is begun any more.
    ended: bool,
}

impl<G: Game, A: Agent<G>> Table<'_, G, A> {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays games in the order of their numbers, so that a match that is stopped has few finished games to leave out.
    fn work(&self) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.numbers.end || !self.may_begin(number) {
                return;
            }
            match self.play(number) {
                Some(game) => self.count(number, game),
                None => {
                    // Games after one that was given up never count; nobody shall wait for it.
                    self.tally().ended = true;
                    self.counted.notify_all();
                    return;
                }
            }
        }
    }

    /// Waits until a game is not too far ahead; whether it is still wanted then.
    fn may_begin(&self, number: u64) -> bool {
        let mut tally = self.tally();
        while !tally.ended && number - self.numbers.start - tally.result.games > MOST_AHEAD {
            tally = self.counted.wait(tally).unwrap_or_else(PoisonError::into_inner);
        }
        !tally.ended && !self.stop.load(Ordering::Relaxed)
    }

    /// Takes in a game, and counts all games whose turn it is.
    fn count(&self, number: u64, game: GameResult) {
        let mut tally = self.tally();
        tally.waiting.insert(number, game);
        while tally.result.truncated.is_none() {
            let next = self.numbers.start + tally.result.games;
            let Some(game) = tally.waiting.remove(&next) else { break };
            (self.watch)(next, &game);
            self.add(&mut tally.result, &game);
        }
        tally.ended |= tally.result.truncated.is_some();
        self.counted.notify_all();
    }

    fn add(&self, result: &mut MatchResult, game: &GameResult) {
        result.games += 1;
        result.truncated = game.truncated;
        result.effort.iter_mut().zip(&game.effort).for_each(|(sum, more)| sum.add(*more));
        // In a game for one there is no draw.
        let draw = game.winner.is_none() && self.agents.len() > 1;
        result.draws += u64::from(draw);
        if let Some(winner) = game.winner {
            result.wins[winner] += 1;
        }
        for (place, role) in self.players.iter().enumerate() {
            let Some(agent) = game.agents[role.index()] else { continue };
            let score = &mut result.sides[agent][place];
            match game.winner {
                Some(winner) if winner == agent => score.won += 1,
                _ if draw => score.drawn += 1,
                _ => score.lost += 1,
            }
        }
    }

    /// One game of a match; `None` if it was given up.
    fn play(&self, number: u64) -> Option<GameResult> {
        let (game, agents) = (self.game, self.agents);
        let mut chance = Chance::stream(self.plan.seed, number);
        let turned = (number % agents.len() as u64) as usize;
        let mut seats = vec![None; game.roles().len()];
        for (place, role) in self.players.iter().enumerate() {
            seats[role.index()] = Some((place + turned) % agents.len());
        }
        let mut state = game.start();
        let mut joint = Vec::new();
        let mut plies = 0;
        let mut truncated = None;
        let mut effort = vec![Effort::default(); agents.len()];
        let end = 'game: loop {
            if let Some(goals) = game.goals(&state) {
                break GameEnd::Over(goals);
            }
            if plies == self.plan.plies {
                break GameEnd::Limit;
            }
            joint.clear();
            for role in game.to_move(&state).iter() {
                let choice = match seats[role.index()] {
                    Some(agent) => agents[agent].choose_until(game, &state, role, &mut chance, self.stop),
                    None => Random.choose_until(game, &state, role, &mut chance, self.stop),
                };
                let Some(choice) = choice else {
                    // Every role that is to move has a move, unless the state is beyond the engine's limits.
                    break 'game GameEnd::Truncated(game.truncation(&state)?);
                };
                truncated = truncated.or(choice.truncated);
                // A move without a choice takes no looking.
                if let Some(agent) = seats[role.index()].filter(|_| choice.nodes > 0) {
                    let (nodes, depths) = (choice.nodes, u64::from(choice.depth));
                    effort[agent].add(Effort { choices: 1, nodes, depths });
                }
                joint.push(choice.pick);
            }
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            game.play(&mut state, &joint);
            plies += 1;
        };
        let winner = match &end {
            GameEnd::Over(goals) => winning_role(goals, &self.players).and_then(|role| seats[role.index()]),
            GameEnd::Limit | GameEnd::Truncated(_) => None,
        };
        if let GameEnd::Truncated(reason) = end {
            truncated.get_or_insert(reason);
        }
        Some(GameResult { agents: seats, end, plies, winner, effort, truncated })
    }
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

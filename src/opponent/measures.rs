//! How good predictions are: top-N curves with bootstrap intervals, log-loss, calibration, and the ceiling that ties put on any model.

use super::model::{OpponentModel, Predictor};
use super::turn::Turn;
use crate::game::{Chance, Game, Role, Term};
use rayon::prelude::*;

/// How a model did in one turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnOutcome {
    /// The game it is from.
    pub game: u64,
    /// How many moves were ranked before the one that was played.
    pub rank: usize,
    /// The same among all moves that the model knows, legal or not; `None` if the model cannot tell.
    pub rank_of_all: Option<usize>,
    /// The same in a ranking by how often moves were played in training; those never played in the game's order.
    pub frequency_rank: usize,
    /// How many legal moves there were.
    pub options: usize,
    /// How likely the model thought the move that was played.
    pub share: f64,
    /// How likely it thought its first move, and whether that was played.
    pub first: (f64, bool),
    /// For N = 1, 2, ..., up to the number of options: how likely the player is to play one of N moves, if they are chosen by somebody who
    /// has seen it play here again and again.
    pub ceiling: Vec<f64>,
}

/// Predicts turns.
///
/// The model has to be bound to the game.
pub fn predict_turns<G: Game>(model: &OpponentModel, game: &G, role: Role, turns: &[&Turn<G>]) -> Vec<TurnOutcome> {
    turns.par_iter().map(|turn| predict_turn(model, game, role, turn)).collect()
}

fn predict_turn<G: Game>(model: &OpponentModel, game: &G, role: Role, turn: &Turn<G>) -> TurnOutcome {
    let prediction = model.predict(game, &turn.state, role, &turn.options);
    let rank = prediction.ranking.iter().position(|&option| option == turn.played).unwrap_or(0);
    let terms = &turn.options.terms;
    let rank_of_all = match &model.predictor {
        Predictor::Bayes(bayes) => {
            let scores = bayes.all_scores(game, &turn.state, terms);
            let known = bayes.move_terms().iter().position(|term| *term == terms[turn.played]);
            // A move that was never seen comes after all others.
            Some(known.map_or(scores.len(), |at| {
                let before = |(other, score): (usize, &f64)| *score > scores[at] || *score == scores[at] && other < at;
                scores.iter().enumerate().filter(|&it| before(it)).count()
            }))
        }
        Predictor::Moves(_) => None,
    };
    let times: Vec<u64> = terms.iter().map(|term| model.times_played(term)).collect();
    let own = times[turn.played];
    let oftener = |(at, &other): (usize, &u64)| other > own || other == own && at < turn.played;
    let first = prediction.ranking.first().copied().unwrap_or(0);
    TurnOutcome {
        game: turn.game,
        rank,
        rank_of_all,
        frequency_rank: times.iter().enumerate().filter(|&it| oftener(it)).count(),
        options: terms.len(),
        share: prediction.shares[turn.played],
        first: (prediction.shares[first], first == turn.played),
        ceiling: ceiling(terms, turn.played, &turn.again),
    }
}

/// What the best model can reach, from what a player did when it was asked again: half of the answers rank the moves, the other half says how
/// often the first N were played, and the other way round. Between moves that are ties it makes no difference which is ranked first, so few answers are enough.
fn ceiling(terms: &[Term], played: usize, again: &[usize]) -> Vec<f64> {
    let count = terms.len();
    let all: Vec<usize> = std::iter::once(played).chain(again.iter().copied()).collect();
    if all.iter().all(|&choice| choice == played) {
        return vec![1.0; count];
    }
    let tally = |answers: &mut dyn Iterator<Item = usize>| {
        let mut times = vec![0_u32; count];
        answers.for_each(|choice| times[choice] += 1);
        times
    };
    let halves = [tally(&mut all.iter().copied().step_by(2)), tally(&mut all.iter().copied().skip(1).step_by(2))];
    let mut curve = vec![0.0; count];
    for (ranking, judge) in [(&halves[0], &halves[1]), (&halves[1], &halves[0])] {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&one, &other| ranking[other].cmp(&ranking[one]));
        let sum: u32 = judge.iter().sum();
        let mut reached = 0;
        for (place, &option) in order.iter().enumerate() {
            reached += judge[option];
            curve[place] += f64::from(reached) / f64::from(sum.max(1)) / 2.0;
        }
    }
    curve
}

/// A share with the interval in which 95 % of bootstrap samples lie, whole games being drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The share.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Predictions that were as certain as each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationBin {
    /// How many there were.
    pub turns: u64,
    /// How likely the model thought its first move, on average.
    pub said: f64,
    /// How often it was played.
    pub found: f64,
}

/// How a model did in many turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// How many turns.
    pub turns: u64,
    /// For N = 1, 2, ...: the share of turns in which the move played was among the first N legal ones.
    pub top: Vec<Estimate>,
    /// The same among all moves that the model knows, if it can rank them.
    pub top_of_all: Option<Vec<f64>>,
    /// What the best possible model would reach.
    pub ceiling: Vec<f64>,
    /// What a ranking by chance would reach.
    pub uniform: Vec<f64>,
    /// What a ranking by how often moves were played in training reaches.
    pub frequent: Vec<f64>,
    /// The mean of the negative natural logarithm of the probability of the move that was played.
    pub log_loss: f64,
    /// The same for a model by which all moves are equally likely.
    pub uniform_log_loss: f64,
    /// By how likely the first move was said to be, in tenths; empty tenths left out.
    pub calibration: Vec<CalibrationBin>,
}

const BOOTSTRAPS: u64 = 1000;

impl Measures {
    /// Adds up outcomes. The seed fixes the bootstrap samples.
    pub fn of(outcomes: &[TurnOutcome], seed: u64) -> Measures {
        let longest = outcomes.iter().map(|outcome| outcome.options).max().unwrap_or(0);
        let turns = outcomes.len().max(1) as f64;
        let share = |of: &dyn Fn(&TurnOutcome) -> f64| outcomes.iter().map(of).sum::<f64>() / turns;
        let curve = |of: &dyn Fn(&TurnOutcome, usize) -> f64| -> Vec<f64> {
            (1..=longest).map(|n| share(&|outcome| of(outcome, n))).collect()
        };
        let top = curve(&|outcome, n| within(outcome.rank, n));
        let intervals = bootstrap(outcomes, longest, seed);
        let widest = outcomes.iter().filter_map(|outcome| outcome.rank_of_all).max();
        let all_ranked = !outcomes.is_empty() && outcomes.iter().all(|outcome| outcome.rank_of_all.is_some());
        Measures {
            turns: outcomes.len() as u64,
            top: top.iter().zip(intervals).map(|(&value, (low, high))| Estimate { value, low, high }).collect(),
            top_of_all: widest.filter(|_| all_ranked).map(|widest| {
                let among = |n: usize| share(&|outcome| outcome.rank_of_all.map_or(0.0, |rank| within(rank, n)));
                (1..=widest.max(longest.saturating_sub(1)) + 1).map(among).collect()
            }),
            ceiling: curve(&|outcome, n| outcome.ceiling.get(n - 1).copied().unwrap_or(1.0)),
            uniform: curve(&|outcome, n| (n as f64 / outcome.options as f64).min(1.0)),
            frequent: curve(&|outcome, n| within(outcome.frequency_rank, n)),
            // Added to 0, so that it is not -0.
            log_loss: 0.0 + share(&|outcome| -outcome.share.ln()),
            uniform_log_loss: share(&|outcome| (outcome.options as f64).ln()),
            calibration: calibration(outcomes),
        }
    }
}

fn within(rank: usize, n: usize) -> f64 {
    f64::from(u8::from(rank < n))
}

/// For every N the interval of the share.
fn bootstrap(outcomes: &[TurnOutcome], longest: usize, seed: u64) -> Vec<(f64, f64)> {
    // By game: how many turns had each rank.
    let mut games: Vec<(u64, Vec<u32>)> = Vec::new();
    let mut sorted: Vec<&TurnOutcome> = outcomes.iter().collect();
    sorted.sort_by_key(|outcome| outcome.game);
    for outcome in sorted {
        if games.last().is_none_or(|(game, _)| *game != outcome.game) {
            games.push((outcome.game, vec![0; longest]));
        }
        if let Some((_, ranks)) = games.last_mut() {
            ranks[outcome.rank] += 1;
        }
    }
    if games.is_empty() {
        return Vec::new();
    }
    let sample = |number: u64| {
        let mut chance = Chance::stream(seed, number);
        let mut ranks = vec![0_u64; longest];
        for _ in 0..games.len() {
            let (_, drawn) = &games[chance.below(games.len())];
            ranks.iter_mut().zip(drawn).for_each(|(sum, &count)| *sum += u64::from(count));
        }
        let all = ranks.iter().sum::<u64>().max(1) as f64;
        let mut reached = 0;
        let curve: Vec<f64> = ranks
            .iter()
            .map(|count| {
                reached += count;
                reached as f64 / all
            })
            .collect();
        curve
    };
    let samples: Vec<Vec<f64>> = (0..BOOTSTRAPS).map(sample).collect();
    let interval = |n: usize| {
        let mut shares: Vec<f64> = samples.iter().map(|curve| curve[n]).collect();
        shares.sort_by(f64::total_cmp);
        let at = |share: f64| shares[((shares.len() - 1) as f64 * share).round() as usize];
        (at(0.025), at(0.975))
    };
    (0..longest).map(interval).collect()
}

fn calibration(outcomes: &[TurnOutcome]) -> Vec<CalibrationBin> {
    let bin = |tenth: usize| {
        let inside = outcomes.iter().filter(|outcome| ((outcome.first.0 * 10.0) as usize).min(9) == tenth);
        let (mut turns, mut said, mut found) = (0, 0.0, 0.0);
        for outcome in inside {
            turns += 1;
            said += outcome.first.0;
            found += f64::from(u8::from(outcome.first.1));
        }
        (turns > 0).then(|| CalibrationBin { turns, said: said / turns as f64, found: found / turns as f64 })
    };
    (0..10).filter_map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(count: usize) -> Vec<Term> {
        (0..count).map(Term::name).collect()
    }

    #[test]
    fn ties_put_a_ceiling() {
        assert_eq!(ceiling(&terms(3), 1, &[1, 1, 1]), [1.0, 1.0, 1.0]);
        // Two moves, each half of the time.
        let answers: Vec<usize> = (0..63).map(|at| (at / 2) % 2).collect();
        let curve = ceiling(&terms(3), 0, &answers);
        assert!((curve[0] - 0.5).abs() < 0.05 && curve[1] == 1.0, "{curve:?}");
        assert_eq!(ceiling(&terms(1), 0, &[]), [1.0]);
    }

    #[test]
    fn nothing_predicted_is_measured_without_dividing_by_it() {
        let none = Measures::of(&[], 1);
        assert!(none.top.is_empty() && none.log_loss == 0.0 && none.top_of_all.is_none());
    }

    #[test]
    fn shares_lie_within_their_intervals() {
        let outcome = |game: u64, rank: usize| TurnOutcome {
            game,
            rank,
            rank_of_all: Some(rank),
            frequency_rank: 2,
            options: 3,
            share: 0.5,
            first: (0.55, rank == 0),
            ceiling: vec![1.0; 3],
        };
        let outcomes: Vec<TurnOutcome> = (0..40).map(|game| outcome(game, usize::from(game % 4 == 0))).collect();
        let measures = Measures::of(&outcomes, 1);
        assert_eq!(measures.top[0].value, 0.75);
        assert!(measures.top[0].low > 0.5 && measures.top[0].low < 0.75 && measures.top[0].high > 0.75);
        assert_eq!((measures.top[1].value, measures.top[2].low), (1.0, 1.0));
        assert_eq!(measures.frequent, [0.0, 0.0, 1.0]);
        assert_eq!(
            measures.calibration,
            [CalibrationBin { turns: 40, said: 0.55, found: 0.75 }]
                .map(|bin| CalibrationBin { said: measures.calibration[0].said, ..bin })
        );
        assert_eq!(measures.top_of_all.as_deref(), Some(&[0.75, 1.0, 1.0][..]));
        assert_eq!(Measures::of(&outcomes, 1), measures);
    }
}

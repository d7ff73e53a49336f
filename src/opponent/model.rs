//! A model of how somebody plays a role: what it was learnt from, and one of two ways to predict.

use super::bayes_model::{BayesModel, BayesOptions};
use super::move_features::MoveView;
use super::move_model::{MoveModel, softmax};
use super::turn::{Options, Turn, waiting_moves};
use crate::game::{Game, Role, Term};
use std::collections::BTreeSet;

/// A model of how a player plays one role of a game.
///
/// It predicts, for every legal move, how likely it is to be played; it is trained with the turns of many games, and goes on
/// learning turn by turn.
///
/// ```
/// use onlooker::game::{AnyGame, Role};
/// use onlooker::opponent::{ModelOptions, OpponentModel, Options, watch_matches};
/// use onlooker::play::{Greedy, MatchPlan, Random};
/// use std::sync::atomic::AtomicBool;
///
/// let game = AnyGame::catalogue("tic-tac-toe").expect("a game of the catalogue");
/// let plan = MatchPlan { games: 50, seed: 1, plies: 100 };
/// let role = Role(1);
/// let turns = watch_matches(&game, role, &Greedy, &Random, &plan, 0, &AtomicBool::new(false), &|| {})?;
/// let mut model = OpponentModel::new("tic-tac-toe", "o", ModelOptions::default());
/// model.train(&game, role, &turns, 1);
/// let turn = &turns[7];
/// let shares = model.predict(&game, &turn.state, role, &turn.options).shares;
/// assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
/// # Ok::<(), onlooker::game::Truncation>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpponentModel {
    /// The game, by a name or a path that leads to it.
    pub game: String,
    /// The role, by its name.
    pub role: String,
    /// Who plays it, if known, and against whom: agents by name.
    pub player: Option<String>,
    /// Who played the other roles.
    pub against: Option<String>,
    /// What else is known about where it comes from.
    pub learnt: Vec<(String, String)>,
    /// What the role plays while it waits for others.
    pub waits: BTreeSet<Term>,
    /// By how much scores are divided before they are made probabilities: above 1, predictions are less certain than scores say.
    pub temperature: f64,
    /// How it predicts.
    pub predictor: Predictor,
}

/// A way to predict.
#[derive(Clone, Debug)]
pub enum Predictor {
    /// The paper's.
    Bayes(BayesModel),
    /// By features of moves.
    Moves(MoveModel),
}

/// Which model to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModelOptions {
    /// The paper's.
    Bayes(BayesOptions),
    /// By features of moves.
    Moves(MoveView),
}

impl Default for ModelOptions {
    fn default() -> ModelOptions {
        ModelOptions::Bayes(BayesOptions::default())
    }
}

/// What a model says about a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// How likely each option is; they add up to 1.
    pub shares: Vec<f64>,
    /// The options, the likeliest first; of equally likely ones the first.
    pub ranking: Vec<usize>,
    /// States that were looked at for it.
    pub nodes: u64,
}

/// The games of every so many are set aside to find the temperature.
const HELD_OUT: u64 = 5;
/// A mean log-loss that is good enough not to look further.
const GOOD: f64 = 0.02;
/// By how much looking further must lower it.
const WORTH_IT: f64 = 0.01;
const COLDEST: f64 = 0.25;
const HOTTEST: f64 = 20.0;

impl OpponentModel {
    /// A model that has seen nothing.
    pub fn new(game: &str, role: &str, options: ModelOptions) -> OpponentModel {
        OpponentModel {
            game: game.to_owned(),
            role: role.to_owned(),
            player: None,
            against: None,
            learnt: Vec::new(),
            waits: BTreeSet::new(),
            temperature: 1.0,
            predictor: match options {
                ModelOptions::Bayes(options) => Predictor::Bayes(BayesModel::new(options)),
                ModelOptions::Moves(view) => Predictor::Moves(MoveModel::new(view)),
            },
        }
    }

    /// Gets ready for a game. Has to be called before the first prediction, and again if the game is another one.
    pub fn bind<G: Game>(&mut self, game: &G) {
        match &mut self.predictor {
            Predictor::Bayes(model) => model.bind(game),
            Predictor::Moves(model) => model.bind(game),
        }
    }

    /// How many turns it has seen.
    pub fn turns(&self) -> u64 {
        match &self.predictor {
            Predictor::Bayes(model) => model.counts().total(),
            Predictor::Moves(model) => model.turns(),
        }
    }

    /// How often it has seen a move.
    pub fn times_played(&self, term: &Term) -> u64 {
        match &self.predictor {
            Predictor::Bayes(model) => model.times_played(term),
            Predictor::Moves(model) => model.played().get(term).copied().unwrap_or(0),
        }
    }

    /// How many features it looks at.
    pub fn feature_count(&self) -> usize {
        match &self.predictor {
            Predictor::Bayes(model) => model.selected().count(),
            Predictor::Moves(model) => model.weights().len(),
        }
    }

    /// Takes in the role's own turns of recorded games. Some are set aside first, to find out how certain predictions may be.
    pub fn train<G: Game>(&mut self, game: &G, role: Role, turns: &[Turn<G>], seed: u64) {
        self.waits.extend(waiting_moves(turns));
        self.bind(game);
        let own: Vec<&Turn<G>> = turns.iter().filter(|turn| turn.is_own(&self.waits)).collect();
        self.train_on(game, role, &own, seed);
    }

    /// The same with all of the turns that are given, own or not.
    pub fn train_on<G: Game>(&mut self, game: &G, role: Role, turns: &[&Turn<G>], seed: u64) {
        self.bind(game);
        let wanted = self.clone();
        if let Predictor::Moves(model) = &mut self.predictor {
            // Looking ahead takes long, so it has to be worth it.
            model.set_view(MoveView { ahead: 0, ..model.view() });
        }
        let (loss, mut temperature) = self.try_out(game, role, turns, seed);
        if loss > GOOD && matches!(&wanted.predictor, Predictor::Moves(model) if model.view().looks_ahead()) {
            let (further, its_temperature) = wanted.try_out(game, role, turns, seed);
            if further < loss - WORTH_IT {
                *self = wanted;
                temperature = its_temperature;
            }
        }
        self.temperature = temperature;
        self.fit(game, role, turns.iter().copied(), seed);
    }

    /// Trains a copy with some of the turns; the mean log-loss of the others with the best temperature, and that.
    fn try_out<G: Game>(&self, game: &G, role: Role, turns: &[&Turn<G>], seed: u64) -> (f64, f64) {
        let is_held_out = |turn: &&&Turn<G>| turn.game % HELD_OUT == HELD_OUT - 1;
        let mut trial = self.clone();
        trial.fit(game, role, turns.iter().filter(|turn| !is_held_out(turn)).copied(), seed);
        let scores: Vec<(Vec<f64>, usize)> = turns
            .iter()
            .filter(is_held_out)
            .filter(|turn| turn.options.terms.len() > 1)
            .map(|turn| (trial.scores(game, &turn.state, role, &turn.options).0, turn.played))
            .collect();
        best_temperature(&scores)
    }

    fn fit<'a, G: Game>(&mut self, game: &G, role: Role, turns: impl Iterator<Item = &'a Turn<G>>, seed: u64) {
        match &mut self.predictor {
            Predictor::Bayes(model) => model.train(game, turns),
            Predictor::Moves(model) => model.train(game, role, turns, seed),
        }
    }

    /// Takes in one turn while play goes on.
    pub fn observe<G: Game>(&mut self, game: &G, state: &G::State, role: Role, options: &Options<G>, played: usize) {
        match &mut self.predictor {
            Predictor::Bayes(model) => model.observe(game, state, &options.terms, played),
            Predictor::Moves(model) => model.observe(game, state, role, options, played),
        }
    }

    fn scores<G: Game>(&self, game: &G, state: &G::State, role: Role, options: &Options<G>) -> (Vec<f64>, u64) {
        let mut scores = Vec::new();
        let nodes = match &self.predictor {
            Predictor::Bayes(model) => {
                model.scores(game, state, &options.terms, &mut scores);
                0
            }
            Predictor::Moves(model) => model.scores(game, state, role, options, &mut scores),
        };
        (scores, nodes)
    }

    /// How likely each option is.
    pub fn predict<G: Game>(&self, game: &G, state: &G::State, role: Role, options: &Options<G>) -> Prediction {
        let (mut shares, nodes) = self.scores(game, state, role, options);
        let mut ranking: Vec<usize> = (0..shares.len()).collect();
        ranking.sort_by(|&one, &other| shares[other].total_cmp(&shares[one]));
        softmax(&mut shares, self.temperature);
        let surprise = self.surprise();
        let equal = surprise / shares.len().max(1) as f64;
        shares.iter_mut().for_each(|share| *share = *share * (1.0 - surprise) + equal);
        Prediction { shares, ranking, nodes }
    }

    /// How much of what it says is kept for whatever it does not expect.
    fn surprise(&self) -> f64 {
        match &self.predictor {
            Predictor::Bayes(model) => model.surprise(),
            Predictor::Moves(model) => 1.0 / (model.turns() as f64 + 2.0),
        }
    }
}

/// The least mean log-loss of scores, and the temperature with which they have it: golden-section search on the logarithm.
fn best_temperature(scores: &[(Vec<f64>, usize)]) -> (f64, f64) {
    if scores.is_empty() {
        return (0.0, 1.0);
    }
    let loss = |log: f64| {
        let mut sum = 0.0;
        for (scores, played) in scores {
            let mut shares = scores.clone();
            softmax(&mut shares, log.exp());
            sum -= shares[*played].max(1e-6).ln();
        }
        sum / scores.len() as f64
    };
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (COLDEST.ln(), HOTTEST.ln());
    for _ in 0..24 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if loss(left) <= loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    let best = (low + high) / 2.0;
    // A few digits, so that it is the same wherever it is written.
    (loss(best), (best.exp() * 1000.0).round() / 1000.0)
}

//! Learning rules from a rule sheet: it is played at random, watched like any other game, and what was learnt is checked on
//! games that nobody has seen.

use crate::game_argument::{EngineName, SheetText};
use crate::output;
use anyhow::Result;
use onlooker::game::{
    Chance, CheckReport, Game, GdlGame, NoBoard, Playouts, RulesGame, SheetBoard, SimulationPlan, check_game,
};
use onlooker::learn::Learnt;
use onlooker::observe::{HopReading, Listing, Record, reinterpret};
use onlooker::rules::Rules;
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// What only matters when a rule sheet is learnt from.
#[derive(clap::Args)]
#[command(next_help_heading = "With a rule sheet")]
pub struct Options {
    /// How many random games of a rule sheet to learn from; 1000 if left out, or fewer that list 300000 moves
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// How many other games to check the rules on that were learnt from a rule sheet; 1000 if left out, or fewer that list
    /// 300000 moves
    #[arg(long, value_name = "N")]
    check_games: Option<u64>,
    /// The same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// For how many seconds to measure random play, from the sheet and from the rules; 0 leaves it out
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    speed: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.0..=3600.0).contains(seconds))
        .ok_or("expected seconds from 0 to 3600".to_owned())
}

/// How many games there are if nobody says; after how many moves listed there are enough, or after how much work.
const GAMES: u64 = 1000;
const ENOUGH_MOVES: u64 = 300_000;
const ENOUGH_WORK: u64 = 2_000_000_000;
/// Games that are checked on have numbers from here on, far from those that are learnt from.
const FRESH: u64 = 1 << 40;
/// Games that last longer are cut short; where few moves are enough, after one turn for so many of them.
const MAX_PLIES: u32 = 10_000;
const TURNS: u64 = 20;
/// Mismatches that are shown.
const SHOWN: usize = 5;

/// A rule sheet and the games of it that were watched.
pub struct Watched {
    sheet: SheetText,
    game: Arc<GdlGame>,
    board: SheetBoard,
    pub games: Vec<Vec<Record>>,
    /// Other games, once they have been asked for. How moves are told makes no difference to them.
    fresh: Arc<OnceLock<Result<Vec<Vec<Record>>, NoBoard>>>,
}

/// A rule sheet that no rules on a board can stand for.
pub struct Misfit {
    sheet: String,
    reason: String,
}

impl Watched {
    /// Plays a sheet and watches.
    pub fn new(sheet: SheetText, options: &Options) -> Result<Result<Watched, Misfit>> {
        let game = Arc::new(sheet.game(EngineName::Fast)?);
        let mut watched = Err(NoBoard::NoSquares);
        for walks in [SheetBoard::FEW, SheetBoard::MANY] {
            watched = SheetBoard::find(&game, options.seed, walks).and_then(|board| {
                let games = play(&game, &board, options.seed, 0, options.games)?;
                Ok((board, games))
            });
            if !matches!(watched, Err(NoBoard::Unseen(_))) {
                break;
            }
        }
        Ok(match watched {
            Ok((board, games)) => Ok(Watched { sheet, game, board, games, fresh: Arc::default() }),
            Err(reason) => Err(Misfit { sheet: sheet.path.display().to_string(), reason: reason.to_string() }),
        })
    }

    /// The same games told in another way, if that makes a difference.
    pub fn told_as(&self, telling: HopReading) -> Option<Watched> {
        let reinterpret =
            |game: &Vec<Record>| game.iter().map(|record| reinterpret(record, telling)).collect::<Option<_>>();
        let games: Vec<Vec<Record>> = self.games.par_iter().map(reinterpret).collect::<Option<_>>()?;
        (games != self.games).then(|| Watched {
            sheet: self.sheet.clone(),
            game: self.game.clone(),
            board: self.board.clone(),
            games,
            fresh: self.fresh.clone(),
        })
    }

    /// The sheet, if its games cannot be learnt from for a reason.
    pub fn misfit(&self, reason: String) -> Misfit {
        Misfit { sheet: self.sheet.path.display().to_string(), reason }
    }

    /// What is seen as the board, for a person.
    pub fn told(&self) -> String {
        let (relation, shape) = (self.board.relation(), self.board.shape());
        let first = &self.game.roles()[self.board.roles()[0].index()];
        format!("Facts of '{relation}' in {} are a board of {shape}; {first} moves first.", self.sheet.path.display())
    }

    /// Gives the rules the names that the sheet has, as far as rules may be called so.
    pub fn name(&self, rules: &mut Rules) {
        let mut named = rules.clone();
        named.name = self.sheet.name.clone();
        if named.flaws().is_empty() {
            *rules = named.clone();
        }
        named.name = rules.name.clone();
        named.players = self.board.roles().iter().map(|role| self.game.roles()[role.index()].clone()).collect();
        if named.players.len() == rules.players.len() && named.flaws().is_empty() {
            *rules = named;
        }
    }

    /// Compares rules that were learnt with the sheet.
    pub fn compare(&self, learnt: &Learnt, options: &Options) -> Comparison {
        let rules = match RulesGame::new(learnt.rules.clone()) {
            Ok(rules) => rules,
            Err(error) => {
                return Comparison { check: Err(format!("what was learnt does not run: {error}")), speed: None };
            }
        };
        let fresh = || play(&self.game, &self.board, options.seed, FRESH, options.check_games);
        let fresh = self.fresh.get_or_init(fresh).as_ref().map_err(NoBoard::to_string);
        let check = fresh.map(|games| {
            let reports: Vec<CheckReport> =
                games.par_iter().enumerate().map(|(at, game)| check_game(&rules, game, at as u64 + 1, SHOWN)).collect();
            let mut all = CheckReport::default();
            reports.into_iter().for_each(|report| all.merge(report, SHOWN));
            all
        });
        // How fast other rules are than the sheet's tells nothing.
        let fits = check.as_ref().is_ok_and(CheckReport::holds);
        let speed = (fits && options.speed > 0.0).then(|| {
            let limit = Duration::from_secs_f64(options.speed);
            (states_per_second(&*self.game, limit, options.seed), states_per_second(&rules, limit, options.seed))
        });
        Comparison { check, speed }
    }
}

/// How learnt rules compare with their sheet.
pub struct Comparison {
    /// On other games, or why it could not be checked.
    check: Result<CheckReport, String>,
    /// States a second, of the sheet and of the rules.
    speed: Option<(f64, f64)>,
}

impl Comparison {
    pub fn holds(&self) -> bool {
        self.check.as_ref().is_ok_and(CheckReport::holds)
    }

    pub fn moves_hold(&self) -> bool {
        self.check.as_ref().is_ok_and(|check| check.exact == check.positions)
    }

    /// For a person, on standard error.
    pub fn print(&self) {
        match &self.check {
            Err(reason) => eprintln!("The sheet does not fit: {reason}."),
            Ok(check) if check.holds() => eprintln!(
                "Checked on {} other games: all {} positions agree with the sheet, moves and outcomes.",
                check.games, check.positions
            ),
            Ok(check) => {
                let CheckReport { games, positions, exact, outcomes_exact, .. } = check;
                eprintln!(
                    "The sheet does not fit: of {positions} positions of {games} other games, moves agree in {exact} and outcomes in \
                     {outcomes_exact}."
                );
                check.mismatches.iter().for_each(|mismatch| eprintln!("  {mismatch}"));
            }
        }
        if let Some((sheet, rules)) = self.speed {
            eprintln!(
                "Random play: {sheet:.0} states/s from the sheet, {rules:.0} from the learnt rules: {:.1} times as fast.",
                rules / sheet
            );
        }
    }

    pub fn json(&self) -> serde_json::Value {
        let check = self.check.as_ref().ok();
        serde_json::json!({
            "fits": self.holds(),
            "reason": self.check.as_ref().err(),
            "check_games": check.map(|check| check.games),
            "positions": check.map(|check| check.positions),
            "exact": check.map(|check| check.exact),
            "outcomes_exact": check.map(|check| check.outcomes_exact),
            "sheet_states_per_s": self.speed.map(|speed| speed.0),
            "rules_states_per_s": self.speed.map(|speed| speed.1),
            "speed_up": self.speed.map(|(sheet, rules)| rules / sheet),
        })
    }
}

impl Misfit {
    pub fn print(&self, json: bool) -> Result<()> {
        eprintln!("{} does not fit: {}.", self.sheet, self.reason);
        if json {
            let sheet = serde_json::json!({ "fits": false, "reason": self.reason });
            output::line(serde_json::json!({ "pieces": [], "seconds": 0.0, "sheet": sheet }))?;
        }
        Ok(())
    }
}

/// So many games of a sheet as records, or as many as are enough.
fn play(
    game: &GdlGame,
    board: &SheetBoard,
    seed: u64,
    first: u64,
    games: Option<u64>,
) -> Result<Vec<Vec<Record>>, NoBoard> {
    let enough = ENOUGH_MOVES.min(ENOUGH_WORK / game.work_of_a_state());
    let plies = MAX_PLIES.min((enough / TURNS) as u32);
    let plan = SimulationPlan { games: u64::MAX, listing: Listing::All, seed, plies };
    let (wanted, mut listed) = (games.unwrap_or(GAMES), 0);
    let mut played: Vec<Vec<Record>> = Vec::new();
    while (played.len() as u64) < wanted && (games.is_some() || listed < enough) {
        // Nobody knows how long they are, so that there are not many at first.
        let begin = played.len() as u64;
        let batch = begin..wanted.min(begin + begin.div_ceil(2).max(2));
        let batch: Result<Vec<Vec<Record>>, NoBoard> =
            batch.into_par_iter().map(|number| board.random_game(game, &plan, first + number)).collect();
        let batch = batch?;
        listed += batch.iter().flatten().map(|record| record.moves.len() as u64).sum::<u64>();
        played.extend(batch);
    }
    Ok(played)
}

/// How many states random playouts go through in a second.
fn states_per_second<G: Game>(game: &G, limit: Duration, seed: u64) -> f64 {
    let start = game.start();
    let (mut chance, mut playouts, mut plies) = (Chance::new(seed), Playouts::new(game), 0);
    let begun = Instant::now();
    while begun.elapsed() < limit {
        plies += playouts.run(&start, u64::from(MAX_PLIES), &mut chance).plies;
    }
    plies as f64 / begun.elapsed().as_secs_f64()
}

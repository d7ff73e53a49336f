//! Preparing for a game by the clock: what its facts are worth is learnt from playouts, and what helps the search is found out in short
//! matches against itself.
//!
//! A rule sheet is learnt as rules on a board first. Where that succeeds and they run faster, the game is studied and searched in them.
//!
//! A part of the search (playouts that learn, a learnt evaluation, ...) is tried against the search as it is without it, in the same time: a
//! side whose playouts are slower has fewer of them. What earlier matches of the same game have found counts too.

use super::compile::CompiledHeuristic;
use super::fact_values::{FactValuesPlan, learn_fact_values};
use super::heuristic::Heuristic;
use crate::game::{Chance, Game, GdlGame, Role, played_roles};
use crate::learn::Options;
use crate::play::{Clock, LeafEvaluation, MatchPlan, Mcts, PlayoutMoves, Tree, TreeOptions, Trees, play_match_part};
use crate::relearn::{SheetPlan, SheetTwin, learn_sheet};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A part of the search that may help or not, by the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Playouts that learn which moves are good, and after which others.
    Nst,
    /// Nodes that equal states share.
    Transpositions,
    /// Moves that are also judged by what pieces are worth, if both sides play by that as far as the tree goes.
    Pieces,
    /// Playouts that are cut off and evaluated by what was learnt.
    Evaluation,
    /// Moves that count wherever they were played.
    Rave,
}

impl Part {
    /// All parts, in the order in which they are tried.
    pub const ALL: [Part; 5] = [Part::Pieces, Part::Nst, Part::Rave, Part::Evaluation, Part::Transpositions];
    /// The parts that are used as long as nothing speaks against them: those that helped in most games that were tried.
    pub const USUAL: [Part; 3] = [Part::Pieces, Part::Nst, Part::Rave];

    /// What it is called in reports and files.
    pub fn name(self) -> &'static str {
        match self {
            Part::Nst => "nst",
            Part::Transpositions => "transpositions",
            Part::Pieces => "pieces",
            Part::Evaluation => "evaluation",
            Part::Rave => "rave",
        }
    }

    /// The part with a name.
    pub fn named(name: &str) -> Option<Part> {
        Part::ALL.into_iter().find(|part| part.name() == name)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How the search with a part did against the search without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that the part has won.
    pub won: u64,
    /// Games that nobody has won.
    pub drawn: u64,
    /// Games that the part has lost.
    pub lost: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }

    /// By how many standard deviations it is ahead; negative if it is behind.
    pub fn lead(&self) -> f64 {
        (self.won as f64 - self.lost as f64) / ((self.won + self.lost).max(1) as f64).sqrt()
    }
}

/// How to study.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyPlan {
    /// It ends at this time of the clock.
    pub until: Duration,
    /// Fixes what is left to chance.
    pub seed: u64,
    /// What was found out before.
    pub earlier: Vec<(Part, Tally)>,
    /// What was learnt before, if it was.
    pub heuristic: Option<Heuristic>,
}

/// What was found out.
pub struct Study {
    /// What facts of the game are worth, if that could be learnt.
    pub heuristic: Option<Heuristic>,
    /// The same for the game that was studied, or for the rules if it was those.
    compiled: Option<Arc<CompiledHeuristic>>,
    /// What kinds of its facts are worth, if that tells who wins.
    pieces: Option<Arc<CompiledHeuristic>>,
    /// The rules that were learnt from the game's sheet, if they are faster.
    pub twin: Option<Arc<SheetTwin>>,
    /// After how many joint moves playouts are cut off where they are evaluated.
    pub cutoff: u32,
    /// By how much, as a share, the results of playouts are predicted better with what was learnt.
    pub gain: f64,
    /// How each part did, earlier matches included.
    pub tallies: Vec<(Part, Tally)>,
    /// The parts that are used.
    pub parts: Vec<Part>,
}

/// How much of the time goes at most to learning the sheet as rules.
const RELEARNING: f64 = 0.5;
/// What is learnt from so many games of a sheet, and checked on so many others, is used.
const RELEARNT_GAMES: u64 = 120;
const CHECKED_GAMES: u64 = 60;
/// Rules are used if playouts in them are faster by this.
const FASTER: f64 = 1.2;
/// How much of the time goes to watching playouts.
const WATCHING: f64 = 0.2;
/// The most playouts that are watched.
const MOST_PLAYOUTS: u64 = 20_000;
/// A playout that is longer is not watched.
const MOST_PLIES: u64 = 1000;
/// What was learnt is of no use if it predicts results by less.
const LEAST_GAIN: f64 = 0.02;
/// A part that is not usual is used if it leads by so much; one that is usual is not if it is behind by so much.
const LEAD: f64 = 1.0;
/// Fewer games that were not drawn decide nothing.
const LEAST_GAMES: u64 = 8;
/// A trial is decided early with a lead of so much.
const DECIDED: f64 = 3.0;
/// How long a game of a trial should take.
const GAME: Duration = Duration::from_millis(300);
/// With fewer playouts a move a trial says nothing.
const LEAST_PLAYOUTS: f64 = 24.0;
/// More say no more.
const TRIAL_PLAYOUTS: f64 = 2000.0;
/// How speeds are measured: in so many slices, the last of which take about so long.
const SLICES: usize = 12;
const SLICE: Duration = Duration::from_millis(4);
/// How much what pieces are worth counts for the promise of a move, in percent.
const MINIMAX: u8 = 50;
/// How RAVE is tried.
const RAVE: u32 = 300;

impl Study {
    /// Nothing was studied: the usual parts.
    pub fn none() -> Study {
        let parts = Part::USUAL.into_iter().filter(|part| *part != Part::Pieces).collect();
        Study {
            heuristic: None,
            compiled: None,
            pieces: None,
            twin: None,
            cutoff: 1,
            gain: 0.0,
            tallies: Vec::new(),
            parts,
        }
    }

    /// How to grow trees of the game itself with what was found out.
    pub fn options<G: Game>(&self) -> TreeOptions<G> {
        // What facts of the rules are worth says nothing of those of the game.
        self.options_with(&self.parts, self.twin.is_none())
    }

    /// So many trees of a state that grow with what was found out, after so many turns, if that is known.
    pub fn trees<G: Game, R: Deref<Target = G> + Clone + Send>(
        &self,
        game: R,
        state: G::State,
        role: Role,
        plies: Option<u32>,
        number: usize,
    ) -> Trees<G, R> {
        let trees = Trees::new(game, state, role, self.options(), number);
        match &self.twin {
            Some(twin) => trees.in_rules(twin, plies, &self.options_with(&self.parts, true)),
            None => trees,
        }
    }

    /// Options for the game that was studied, with these parts, or without what is known of its facts.
    fn options_with<G: Game>(&self, parts: &[Part], facts: bool) -> TreeOptions<G> {
        let has = |part| parts.contains(&part);
        let pieces = self.pieces.as_ref().filter(|_| facts && has(Part::Pieces));
        let cut_off = self.compiled.as_ref().filter(|_| facts && has(Part::Evaluation) && pieces.is_none());
        let leaf = |compiled: &Arc<CompiledHeuristic>, share| LeafEvaluation { evaluation: compiled.clone(), share };
        TreeOptions {
            evaluation: pieces.map(|pieces| leaf(pieces, 0)).or(cut_off.map(|compiled| leaf(compiled, 50))),
            minimax: if pieces.is_some() { MINIMAX } else { 0 },
            cutoff: cut_off.map(|_| self.cutoff),
            transpositions: has(Part::Transpositions),
            playouts: if has(Part::Nst) { PlayoutMoves::Nst } else { PlayoutMoves::Uniform },
            rave: has(Part::Rave).then_some(RAVE),
            ..TreeOptions::default()
        }
    }

    fn is_possible(&self, part: Part) -> bool {
        match part {
            // A tree has one evaluation.
            Part::Evaluation => self.compiled.is_some() && !self.parts.contains(&Part::Pieces),
            Part::Pieces => self.pieces.is_some(),
            Part::Nst | Part::Rave | Part::Transpositions => true,
        }
    }

    fn tally(&self, part: Part) -> Tally {
        self.tallies.iter().find(|(known, _)| *known == part).map(|(_, tally)| *tally).unwrap_or_default()
    }

    /// Uses what leads, and what is usual unless it is behind.
    fn decide(&mut self) {
        self.parts.clear();
        // Pieces come first, and decide whether the evaluation may be used.
        for part in Part::ALL {
            let tally = self.tally(part);
            // A few games prove nothing.
            let lead = if tally.won + tally.lost < LEAST_GAMES { 0.0 } else { tally.lead() };
            let leads = if Part::USUAL.contains(&part) { lead > -LEAD } else { lead > LEAD };
            if leads && self.is_possible(part) {
                self.parts.push(part);
            }
        }
    }
}

/// Studies a game until it is time, or `stop` is set, on so many threads of its own: whoever asks may be a thread for which others wait.
pub fn study<G: Game>(game: &G, plan: &StudyPlan, threads: usize, clock: &dyn Clock, stop: &Arc<AtomicBool>) -> Study {
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else { return Study::none() };
    std::thread::scope(|scope| {
        let work = scope.spawn(|| pool.install(|| study_fastest(game, plan, clock, stop)));
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Studies the game in the rules that can be learnt from its sheet if they are faster, otherwise as it is.
fn study_fastest<G: Game>(game: &G, plan: &StudyPlan, clock: &dyn Clock, stop: &Arc<AtomicBool>) -> Study {
    let Some(twin) = game.sheet().and_then(|sheet| relearn(sheet, plan, clock, stop)) else {
        return study_here(game, plan, clock, stop);
    };
    let in_rules = StudyPlan { heuristic: None, ..plan.clone() };
    let found = study_here(&**twin.rules(), &in_rules, clock, stop);
    // Values of the facts of rules are of no use to others.
    Study { twin: Some(Arc::new(twin)), heuristic: plan.heuristic.clone(), ..found }
}

/// Learns a sheet as rules on a board, if that takes no more than its share of the time; `None` if it does not fit or would not be faster.
fn relearn(sheet: &GdlGame, plan: &StudyPlan, clock: &dyn Clock, stop: &Arc<AtomicBool>) -> Option<SheetTwin> {
    let begun = clock.now();
    let end = clock.alarm(begun + plan.until.saturating_sub(begun).mul_f64(RELEARNING), stop);
    if end.load(Ordering::Relaxed) {
        return None;
    }
    let games = SheetPlan {
        games: Some(RELEARNT_GAMES),
        check_games: Some(CHECKED_GAMES),
        seed: plan.seed,
        ..SheetPlan::default()
    };
    let report = learn_sheet(sheet, &games, &Options::default(), &end, &|_| {}).ok()?;
    if end.load(Ordering::Relaxed) {
        return None;
    }
    let twin = SheetTwin::new(sheet, report)?;
    let usual = Study::none();
    let (rules, sheet_options) = (&**twin.rules(), usual.options());
    let mut in_rules = Tree::with_options(rules, rules.start(), Role(0), usual.options());
    let mut in_sheet = Tree::with_options(sheet, sheet.start(), twin.mover(0), sheet_options);
    let (mut chance, mut other) = (Chance::new(1), Chance::new(1));
    let mut in_rules = |playouts| in_rules.grow(playouts, &mut chance, &end);
    let mut in_sheet = |playouts| in_sheet.grow(playouts, &mut other, &end);
    let speeds = speeds([&mut in_rules, &mut in_sheet], clock);
    (speeds[0] > FASTER * speeds[1]).then_some(twin)
}

fn study_here<G: Game>(game: &G, plan: &StudyPlan, clock: &dyn Clock, stop: &Arc<AtomicBool>) -> Study {
    let mut study = Study { tallies: plan.earlier.clone(), ..Study::none() };
    let begun = clock.now();
    let time = plan.until.saturating_sub(begun);
    let end = clock.alarm(plan.until, stop);
    let enough = clock.alarm(begun + time.mul_f64(WATCHING), stop);
    let watch = FactValuesPlan { playouts: MOST_PLAYOUTS, plies: MOST_PLIES, seed: plan.seed };
    let learnt = learn_fact_values(game, &watch, &enough, &end);
    let plies = learnt.as_ref().map_or(50.0, |learnt| learnt.plies);
    let pieces = learnt.as_ref().and_then(|learnt| learnt.pieces.as_ref());
    study.pieces = pieces.and_then(|pieces| CompiledHeuristic::new(pieces, game).ok()).map(Arc::new);
    if let Some(learnt) = learnt.filter(|learnt| learnt.gain >= LEAST_GAIN) {
        study.gain = learnt.gain;
        study.heuristic = Some(learnt.heuristic);
    }
    // What earlier matches have learnt rests on no fewer playouts, if it was kept.
    let kept =
        plan.heuristic.as_ref().filter(|kept| playouts_of(kept) >= study.heuristic.as_ref().map_or(0, playouts_of));
    study.heuristic = kept.cloned().or(study.heuristic);
    study.compiled =
        study.heuristic.as_ref().and_then(|heuristic| CompiledHeuristic::new(heuristic, game).ok()).map(Arc::new);
    study.cutoff = (plies / 8.0).clamp(2.0, 30.0) as u32;
    study.decide();
    if played_roles(game).len() == 2 && !end.load(Ordering::Relaxed) {
        try_parts(game, &mut study, plan, plies, clock, &end);
    }
    study
}

fn playouts_of(heuristic: &Heuristic) -> u64 {
    heuristic.learnt("playouts").and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// Tries the parts that are possible, those first about which least is known.
fn try_parts<G: Game>(
    game: &G,
    study: &mut Study,
    plan: &StudyPlan,
    plies: f64,
    clock: &dyn Clock,
    end: &Arc<AtomicBool>,
) {
    let mut parts: Vec<Part> = Part::ALL.into_iter().filter(|part| study.is_possible(*part)).collect();
    parts.sort_by_key(|part| {
        let tally = study.tally(*part);
        tally.won + tally.lost
    });
    // Where time is short, one part is tried properly rather than all for less than a game; other matches try the others.
    let needed = GAME.mul_f64(LEAST_GAMES as f64 / rayon::current_num_threads() as f64);
    let trials = plan.until.saturating_sub(clock.now()).div_duration_f64(needed) as usize;
    parts.truncate(trials.max(1));
    for (at, &part) in parts.iter().enumerate() {
        let now = clock.now();
        let time = plan.until.saturating_sub(now) / (parts.len() - at) as u32;
        let until = clock.alarm(now + time, end);
        let without: Vec<Part> = study.parts.iter().copied().filter(|used| *used != part).collect();
        let with: Vec<Part> = without.iter().copied().chain([part]).collect();
        let sides = [with, without].map(|parts| study.options_with::<G>(&parts, true));
        let before = study.tally(part);
        // No game is played twice.
        let seed = plan.seed.wrapping_add((before.won + before.drawn + before.lost).wrapping_mul(0x9E37_79B9));
        if let Some(tally) = try_part(game, &sides, plies, seed ^ part as u64, clock, &until) {
            match study.tallies.iter_mut().find(|(known, _)| *known == part) {
                Some((_, sum)) => sum.add(tally),
                None => study.tallies.push((part, tally)),
            }
            study.decide();
        }
        if end.load(Ordering::Relaxed) {
            return;
        }
    }
}

/// Lets two ways of searching play against each other in the same time; `None` if they are too slow.
fn try_part<G: Game>(
    game: &G,
    sides: &[TreeOptions<G>; 2],
    plies: f64,
    seed: u64,
    clock: &dyn Clock,
    until: &AtomicBool,
) -> Option<Tally> {
    let role = played_roles(game).first().copied().unwrap_or(Role(0));
    let [mut one, mut other] = [0, 1].map(|side| {
        let mut tree = Tree::with_options(game, game.start(), role, sides[side].clone());
        let mut chance = Chance::new(1);
        move |playouts| tree.grow(playouts, &mut chance, until)
    });
    let speeds = speeds([&mut one, &mut other], clock);
    let playouts = (speeds[1] * GAME.as_secs_f64() / plies.max(1.0)).min(TRIAL_PLAYOUTS);
    let shares = [playouts * speeds[0] / speeds[1].max(1.0), playouts];
    if until.load(Ordering::Relaxed) || shares.iter().any(|&playouts| playouts < LEAST_PLAYOUTS) {
        return None;
    }
    let agents = [0, 1].map(|side| Mcts { playouts: shares[side] as u32, options: sides[side].clone() });
    let plan = MatchPlan { games: u64::MAX, seed, plies: MOST_PLIES };
    let mut tally = Tally::default();
    let (mut next, pair) = (0, 2 * rayon::current_num_threads().div_ceil(2) as u64);
    while !until.load(Ordering::Relaxed) && (tally.lead().abs() < DECIDED || tally.won + tally.lost < LEAST_GAMES) {
        let result = play_match_part(game, &agents, &plan, next..next + pair, until, &|_, _| {}).ok()?;
        // Both had both roles as often.
        if result.games < pair || result.stopped || result.truncated.is_some() {
            break;
        }
        tally.add(Tally { won: result.wins[0], drawn: result.draws, lost: result.wins[1] });
        next += pair;
    }
    Some(tally)
}

/// Playouts a second of two trees that grow by so many. They are measured in turn, and what each does at its best counts: others may use the machine
/// too.
fn speeds(mut trees: [&mut dyn FnMut(u64) -> u64; 2], clock: &dyn Clock) -> [f64; 2] {
    let (mut best, mut playouts) = ([0.0_f64; 2], 8);
    for slice in 0..SLICES {
        let mut longest = Duration::ZERO;
        for (grow, best) in trees.iter_mut().zip(&mut best) {
            let begun = clock.now();
            let made = grow(playouts);
            let took = clock.now().saturating_sub(begun);
            *best = best.max(made as f64 / took.as_secs_f64().max(1e-6));
            longest = longest.max(took);
        }
        if longest < SLICE && slice < SLICES / 2 {
            playouts *= 2;
            // What is over too soon says little.
            best = [0.0; 2];
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::TreeOptions;

    /// A clock that stands still until it is asked so often, and alarms that go off at once or never.
    struct Asked(std::sync::atomic::AtomicU64);

    impl Clock for Asked {
        fn now(&self) -> Duration {
            Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
        }

        fn alarm(&self, at: Duration, stop: &Arc<AtomicBool>) -> Arc<AtomicBool> {
            let late = Duration::from_millis(self.0.load(Ordering::Relaxed)) >= at;
            Arc::new(AtomicBool::new(late || stop.load(Ordering::Relaxed)))
        }
    }

    #[test]
    fn without_time_the_usual_parts_are_used() {
        let game = crate::game::catalogue_game("tic-tac-toe").unwrap();
        let plan = StudyPlan { until: Duration::ZERO, seed: 1, earlier: Vec::new(), heuristic: None };
        let found = study(&game, &plan, 1, &Asked(1.into()), &Arc::default());
        assert!(found.parts == [Part::Nst, Part::Rave] && found.heuristic.is_none() && found.tallies.is_empty());
        let options: TreeOptions<crate::game::RulesGame> = found.options();
        assert!(options.rave.is_some() && options.playouts == PlayoutMoves::Nst && !options.transpositions);
    }

    #[test]
    fn earlier_matches_decide_which_parts_are_used() {
        let game = crate::game::catalogue_game("tic-tac-toe").unwrap();
        let tally = |won, lost| Tally { won, drawn: 0, lost };
        let earlier = vec![(Part::Nst, tally(2, 12)), (Part::Transpositions, tally(14, 3)), (Part::Rave, tally(0, 3))];
        let plan = StudyPlan { until: Duration::ZERO, seed: 1, earlier, heuristic: None };
        let found = study(&game, &plan, 1, &Asked(1.into()), &Arc::default());
        assert_eq!(found.parts, [Part::Rave, Part::Transpositions], "three games against RAVE prove nothing");
        assert!(tally(14, 3).lead() > 2.0 && tally(3, 14).lead() < -2.0 && tally(0, 0).lead() == 0.0);
    }
}

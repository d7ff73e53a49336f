//! What was learnt, for a person and for a program.

use crate::stopwatch::PieceTimes;
use crate::{input, output};
use anyhow::Result;
use onlooker::game::{CheckReport, Game, GdlGame};
use onlooker::learn::{Learnt, LearntPiece, Need, Needs};
use onlooker::relearn::{Lesson, Misfit, SheetReport, Unchecked};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// What was learnt, and how long it took.
pub struct LessonText<'a> {
    pub lesson: &'a Lesson,
    /// What it was learnt from.
    pub logs: &'a [PathBuf],
    pub times: PieceTimes,
    pub seconds: f64,
    /// How the rules compare with their sheet, if they were learnt from one.
    pub sheet: Option<SheetResult<'a>>,
}

/// What was learnt from a sheet.
pub struct SheetResult<'a> {
    pub game: &'a GdlGame,
    pub path: &'a Path,
    pub report: &'a SheetReport,
    /// States a second, of the sheet and of the rules.
    pub speed: Option<(f64, f64)>,
}

impl LessonText<'_> {
    /// Prints what was learnt and writes the rules, which come last, where a person looks; with `json` to a file or nowhere.
    pub fn print(&self, rules: Option<&Path>, json: bool) -> Result<()> {
        self.problems().iter().for_each(|line| eprintln!("{line}"));
        if !json {
            self.summary().iter().for_each(|line| eprintln!("{line}"));
        }
        if rules.is_some() || !json {
            output::write(rules, &self.lesson.learnt.rules.to_string())?;
        }
        if json {
            output::line(self.json())?;
        }
        Ok(())
    }

    /// What the rules do not account for, a line each.
    fn problems(&self) -> Vec<String> {
        let Lesson { learnt, contradictions, .. } = self.lesson;
        let logs: Vec<String> = self.logs.iter().map(|path| input::name(path)).collect();
        let mut lines: Vec<String> = contradictions.shown.iter().map(|one| one.describe(&logs)).collect();
        if contradictions.more > 0 {
            lines.push(format!("and {} more words on which records contradict each other", contradictions.more));
        }
        if !lines.is_empty() && self.sheet.is_none() {
            lines.push("If some records may be false, --noise 0.01 tolerates one in a hundred.".to_owned());
        }
        lines.extend(learnt.unexplained.iter().map(|what| format!("not accounted for: {what}")));
        if learnt.pieces.iter().any(|piece| piece.given_up()) {
            lines.push("With a larger --effort it searches on.".to_owned());
        }
        lines
    }

    /// What was learnt from what, a line each.
    fn summary(&self) -> Vec<String> {
        let Lesson { evidence, learnt, .. } = self.lesson;
        let (games, positions, moves) = (evidence.games(), evidence.positions(), evidence.moves());
        // Only a person wants to know how long it took; other readers of the same log get the same text.
        let took = if std::io::stderr().is_terminal() { format!(" in {:.2} s", self.seconds) } else { String::new() };
        let mut lines: Vec<String> = self.sheet.iter().map(SheetResult::board).collect();
        lines.push(format!("Learnt from {games} games, {positions} positions and {moves} moves{took}."));
        lines.push(format!("States: {}", learnt.pieces.iter().map(states).collect::<Vec<_>>().join(", ")));
        lines.extend(needed(learnt));
        let open = learnt.rules.learnt.as_ref().map_or(0, |learnt| learnt.open.len());
        if open > 0 {
            let many = if open == 1 { "1 question" } else { &format!("{open} questions") };
            lines.push(format!("Never tested: {many}, in the lines of the rules that begin with 'open'."));
        }
        lines.extend(self.sheet.iter().flat_map(SheetResult::summary));
        lines
    }

    fn json(&self) -> Value {
        let Lesson { evidence, learnt, .. } = self.lesson;
        let piece = |piece: &LearntPiece| {
            json!({
                "player": piece.player.letter().to_string(),
                "piece": piece.start.to_string(),
                "states": piece.automaton.states().len(),
                "seconds": self.times.of(piece),
                "consistent": piece.consistent,
                "given_up": piece.given_up(),
                "uses": uses(piece),
            })
        };
        json!({
            "pieces": learnt.pieces.iter().map(piece).collect::<Vec<_>>(),
            "seconds": self.seconds,
            "games": evidence.games(),
            "positions": evidence.positions(),
            "moves": evidence.moves(),
            "unexplained": learnt.unexplained.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "open": learnt.rules.learnt.iter().flat_map(|from| &from.open).map(ToString::to_string).collect::<Vec<_>>(),
            "sheet": self.sheet.as_ref().map(SheetResult::json),
        })
    }
}

impl SheetResult<'_> {
    /// What is seen as the board.
    fn board(&self) -> String {
        let board = &self.report.board;
        let (relation, shape, path) = (board.relation(), board.shape(), self.path.display());
        let first = &self.game.roles()[board.roles()[0].index()];
        format!("Facts of '{relation}' in {path} are a board of {shape}; {first} moves first.")
    }

    fn summary(&self) -> Vec<String> {
        let mut lines = match &self.report.comparison.check {
            Err(Unchecked::Interrupted) => vec![format!("Not checked: {}.", Unchecked::Interrupted)],
            Err(reason) => vec![format!("The sheet does not fit: {reason}.")],
            Ok(check) if check.holds() => vec![format!(
                "Checked on {} other games: all {} positions agree with the sheet, moves and outcomes.",
                check.games, check.positions
            )],
            Ok(check) => {
                let CheckReport { games, positions, exact, outcomes_exact, .. } = check;
                let mut lines = vec![format!(
                    "The sheet does not fit: of {positions} positions of {games} other games, moves agree in {exact} and outcomes in \
                     {outcomes_exact}."
                )];
                lines.extend(check.mismatches.iter().map(|mismatch| format!("  {mismatch}")));
                lines
            }
        };
        lines.extend(self.speed.map(|(sheet, rules)| {
            let ratio = rules / sheet;
            format!(
                "Random play: {sheet:.0} states/s from the sheet, {rules:.0} from the learnt rules: {ratio:.1} times as fast."
            )
        }));
        lines
    }

    fn json(&self) -> Value {
        let check = self.report.comparison.check.as_ref();
        let reason = check.err().map(ToString::to_string);
        let check = check.ok();
        json!({
            "fits": self.report.comparison.holds(),
            "reason": reason,
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

/// Prints why nothing is learnt from a sheet.
pub fn print_misfit(path: &Path, misfit: &Misfit, json: bool) -> Result<()> {
    eprintln!("{} does not fit: {misfit}.", path.display());
    if json {
        let sheet = json!({ "fits": false, "reason": misfit.to_string() });
        output::line(json!({ "pieces": [], "seconds": 0.0, "sheet": sheet }))?;
    }
    Ok(())
}

fn states(piece: &LearntPiece) -> String {
    let doubt = if piece.consistent { "" } else { "?" };
    format!("{}{doubt} {}", piece.start, piece.automaton.states().len())
}

/// The layers of rules that a piece needs.
fn uses(piece: &LearntPiece) -> Vec<&'static str> {
    let Needs { takes, appears, guards } = &piece.needs;
    let layers = [("movement", true), ("turns", *takes || !appears.is_empty()), ("guards", !guards.is_empty())];
    layers.into_iter().filter(|layer| layer.1).map(|layer| layer.0).collect()
}

/// Which layers of rules the games need, and why.
fn needed(learnt: &Learnt) -> Vec<String> {
    let mut lines = Vec::new();
    for piece in &learnt.pieces {
        let Needs { takes, appears, guards } = &piece.needs;
        let start = if piece.start.is_empty() { "a drop".to_owned() } else { piece.start.to_string() };
        let mut turns = Vec::new();
        if *takes {
            turns.push("takes pieces on its way".to_owned());
        }
        let others: Vec<String> = appears.iter().map(|cell| cell.to_string()).collect();
        if !others.is_empty() && !piece.start.is_empty() {
            turns.push(format!("lets {} appear", others.join(" or ")));
        }
        if !turns.is_empty() {
            lines.push(format!("Turns: {start} {}.", turns.join(" and ")));
        }
        lines.extend(guards.iter().map(|need| format!("Guard {} for {start}: {}.", need.guard, reason(need))));
    }
    if lines.is_empty() {
        lines.push(
            "Movement alone: nothing is taken or appears in mid-turn, and no move depends on the place.".to_owned(),
        );
    }
    lines
}

fn reason(need: &Need) -> String {
    let Need { word, listed, played, .. } = need;
    match listed {
        (_, 0) => {
            format!("{word} was played {} times where about {:.0} were to be expected", played.0, played.1)
        }
        (listed, possible) => format!("{word} was listed {listed} times of {possible} where its steps found the same"),
    }
}

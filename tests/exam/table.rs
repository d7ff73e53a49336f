//! Results as tables: by recipe and mode, by class, and the list of failures.

use super::game::Game;
use super::grade::{Class, Grade, Mark, Mode, Question};
use onlooker::observe::Listing;
use onlooker::rules::Topic;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// One answer of the learner.
pub struct Answer {
    pub question: Question,
    pub game: Game,
    pub grade: Grade,
}

/// Counts of a group of answers.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: usize,
    exact: usize,
    doubted: usize,
    moves: usize,
    says_so: usize,
    silent: usize,
    asked: usize,
    /// Of exact games: open questions, lines of the rules, and how many of these a question is about.
    questions: usize,
    lines: usize,
    open_lines: usize,
}

impl Tally {
    fn of<'a>(grades: impl Iterator<Item = &'a Grade>) -> Tally {
        let mut tally = Tally::default();
        for grade in grades {
            tally.games += 1;
            tally.exact += usize::from(matches!(grade.mark, Mark::Exact | Mark::ExactDoubted));
            tally.doubted += usize::from(grade.mark == Mark::ExactDoubted);
            tally.moves += usize::from(grade.moves_exact);
            tally.says_so += usize::from(grade.mark == Mark::SaysSo);
            tally.silent += usize::from(grade.mark == Mark::Silent);
            tally.asked += usize::from(grade.mark == Mark::Silent && grade.is_asked);
            if matches!(grade.mark, Mark::Exact | Mark::ExactDoubted) {
                let rules = &grade.learnt.rules;
                let open = || rules.learnt.iter().flat_map(|learnt| &learnt.open);
                tally.questions += open().count();
                tally.lines += rules.moves.len() + rules.endings.len();
                let topics: Vec<Topic> = open().map(|question| question.about).collect();
                tally.open_lines += (0..topics.len()).filter(|&at| !topics[..at].contains(&topics[at])).count();
            }
        }
        tally
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Tally { games, exact, doubted, moves, says_so, silent, asked, questions, lines, open_lines } = self;
        let each = |count: &usize, of: &usize| *count as f64 / (*of).max(1) as f64;
        write!(
            f,
            "{games} | {exact} | {moves} | {says_so} | {silent} | {asked} | {doubted} | {:.1} | {:.0} %",
            each(questions, exact),
            100.0 * each(open_lines, lines)
        )
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let listing = if self.listing == Listing::All { "all moves" } else { "single moves" };
        write!(f, "{} games, {listing}", self.games)
    }
}

/// All tables in Markdown.
pub fn tables(answers: &[Answer]) -> String {
    let mut out = String::new();
    let mut modes: Vec<Mode> = Vec::new();
    answers.iter().map(|answer| answer.question.mode).for_each(|mode| {
        if !modes.contains(&mode) {
            modes.push(mode);
        }
    });
    summary(&mut out, answers, &modes).expect("strings take all text");
    by_recipe(&mut out, answers, &modes).expect("strings take all text");
    by_class(&mut out, answers, &modes).expect("strings take all text");
    out
}

fn summary(out: &mut String, answers: &[Answer], modes: &[Mode]) -> fmt::Result {
    writeln!(
        out,
        "| shown | games | exact | moves exact | says so | silently wrong | of these asked about | exact but doubted | questions in an exact game | its lines asked about |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    type Group = (&'static str, fn(&Answer) -> bool);
    let groups: [Group; 3] = [
        ("", |_| true),
        (", can be said", |answer| answer.game.can_be_said()),
        (", can be said and all cases shown", |answer| answer.game.can_be_said() && answer.grade.covered),
    ];
    for (name, is_in) in groups {
        for mode in modes {
            let group = answers.iter().filter(|answer| answer.question.mode == *mode && is_in(answer));
            writeln!(out, "| {mode}{name} | {} |", Tally::of(group.map(|answer| &answer.grade)))?;
        }
    }
    Ok(())
}

/// Exact, says so and silently wrong for each recipe.
fn by_recipe(out: &mut String, answers: &[Answer], modes: &[Mode]) -> fmt::Result {
    let mut rows: BTreeMap<String, Vec<&Answer>> = BTreeMap::new();
    for answer in answers {
        answer.game.recipes().into_iter().for_each(|recipe| rows.entry(recipe).or_default().push(answer));
    }
    let heads: Vec<String> = modes.iter().map(ToString::to_string).collect();
    writeln!(out, "\nFor each recipe: games, then exact / says so / silently wrong.\n")?;
    writeln!(out, "| recipe | games | {} |", heads.join(" | "))?;
    writeln!(out, "|---|---|{}", "---|".repeat(modes.len()))?;
    for (recipe, group) in rows {
        let tallies: Vec<Tally> = modes
            .iter()
            .map(|mode| Tally::of(group.iter().filter(|answer| answer.question.mode == *mode).map(|a| &a.grade)))
            .collect();
        let cells: Vec<String> =
            tallies.iter().map(|t| format!("{} / {} / {}", t.exact, t.says_so, t.silent)).collect();
        writeln!(out, "| {recipe} | {} | {} |", tallies[0].games, cells.join(" | "))?;
    }
    Ok(())
}

fn by_class(out: &mut String, answers: &[Answer], modes: &[Mode]) -> fmt::Result {
    writeln!(out, "\nWhy those that are wrong are wrong: says so / silently wrong, by the first difference.\n")?;
    let heads: Vec<String> = modes.iter().map(ToString::to_string).collect();
    writeln!(out, "| class | {} |", heads.join(" | "))?;
    writeln!(out, "|---|{}", "---|".repeat(modes.len()))?;
    let classes = [
        Class::CannotBeSaid,
        Class::Search,
        Class::ContradictsEvidence,
        Class::NotInEvidence,
        Class::NotGeneralised,
        Class::Other,
    ];
    for part in ["moves", "outcomes"] {
        for class in classes {
            let count = |mode: &Mode, mark: Mark| {
                let is_in = |answer: &&Answer| {
                    let grade = &answer.grade;
                    let here = (part == "outcomes") == grade.moves_exact;
                    answer.question.mode == *mode && here && grade.class == Some(class) && grade.mark == mark
                };
                answers.iter().filter(is_in).count()
            };
            let cells =
                modes.iter().map(|mode| format!("{} / {}", count(mode, Mark::SaysSo), count(mode, Mark::Silent)));
            writeln!(out, "| {part}: {class} | {} |", cells.collect::<Vec<_>>().join(" | "))?;
        }
    }
    Ok(())
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Class::CannotBeSaid => "cannot be said",
            Class::Search => "search given up",
            Class::ContradictsEvidence => "contradicts what was shown",
            Class::NotInEvidence => "not in the evidence",
            Class::NotGeneralised => "not generalised",
            Class::Other => "other",
        })
    }
}

/// The answers with a mark, a line for each game and class, with the modes in which it came out so.
pub fn list(answers: &[Answer], mark: Mark) -> String {
    let mut groups: BTreeMap<(u64, bool, Option<Class>), Vec<&Answer>> = BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer.grade.mark == mark) {
        let key = (answer.question.number, answer.grade.moves_exact, answer.grade.class);
        groups.entry(key).or_default().push(answer);
    }
    let mut out = String::new();
    for ((number, ..), group) in groups {
        let modes: Vec<String> = group.iter().map(|answer| answer.question.mode.to_string()).collect();
        writeln!(out, "- game {number} ({}):{}", modes.join("; "), verdict(&group[0].grade))
            .expect("strings take all text");
    }
    out
}

/// One line: which question, and what is wrong.
pub fn line(answer: &Answer) -> String {
    let Answer { question, grade, .. } = answer;
    let mark = match grade.mark {
        Mark::Exact => "exact",
        Mark::ExactDoubted => "exact but doubted",
        Mark::SaysSo => "wrong, says so",
        Mark::Silent => "SILENTLY WRONG",
    };
    format!("game {}, {}: {mark}{}", question.number, question.mode, verdict(grade))
}

fn verdict(grade: &Grade) -> String {
    let asked = if grade.is_asked { " (open question)" } else { "" };
    grade.class.map_or(String::new(), |class| format!("{asked} [{class}] {}", grade.difference))
}

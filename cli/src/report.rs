//! Errors shown to a person: the file, the line with what is wrong in it, what was found and what was expected.

use crate::input;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use onlooker::concepts::HeuristicError;
use onlooker::gdl::{Problem, Severity};
use onlooker::locm::PlanError;
use onlooker::observe::LogError;
use onlooker::opponent::ModelError;
use onlooker::rules::ParseError;
use onlooker::tactics::TacticsError;
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// An error with its picture already drawn.
#[derive(Debug)]
pub struct Drawn(String);

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Drawn {}

/// Prints an error on standard error, with colours if that is a terminal.
pub fn print(error: &anyhow::Error) {
    match error.downcast_ref::<Drawn>() {
        Some(Drawn(picture)) => eprintln!("{picture}"),
        None => {
            let bold = anstyle::AnsiColor::Red.on_default().bold();
            eprintln!("{bold}error{bold:#}: {error:#}");
        }
    }
}

/// What is wrong with a log.
pub fn log(path: &Path, error: &LogError) -> Drawn {
    let place = format!("game {}, record {}", error.game, error.record);
    let wrong =
        Wrong { line: error.line, column: error.column, text: &error.text, mark: error.mark, length: error.length };
    wrong.drawn(path, &error.problem.to_string(), Some(&place))
}

/// What is wrong with a plan.
pub fn plan(path: &Path, error: &PlanError) -> Drawn {
    let wrong =
        Wrong { line: error.line, column: error.column, text: &error.text, mark: error.mark, length: error.length };
    wrong.drawn(path, &error.problem.to_string(), None)
}

/// Characters of a line, or of the part of it that is shown.
struct Wrong<'a> {
    line: u64,
    column: usize,
    text: &'a str,
    mark: usize,
    length: usize,
}

impl Wrong<'_> {
    fn drawn(&self, path: &Path, problem: &str, label: Option<&str>) -> Drawn {
        let name = input::name(path);
        // Of a very long line only a part is shown, so that its columns are not those of the picture.
        let shortened = if self.mark + 1 == self.column { String::new() } else { format!(" (column {})", self.column) };
        let title = format!("{problem}{shortened}");
        // The mark counts characters, a snippet bytes.
        let byte = |characters: usize| self.text.char_indices().nth(characters).map_or(self.text.len(), |(at, _)| at);
        let span = byte(self.mark)..byte(self.mark + self.length);
        let mut annotation = AnnotationKind::Primary.span(span);
        if let Some(label) = label {
            annotation = annotation.label(label);
        }
        let snippet = Snippet::source(self.text).line_start(self.line as usize).path(name).annotation(annotation);
        Drawn(Renderer::styled().render(&[Level::ERROR.primary_title(title.as_str()).element(snippet)]).to_string())
    }
}

/// How many problems of a rules file are shown.
const SHOWN: usize = 5;

/// What is wrong with a rules file: every problem with its line.
pub fn rules(path: &Path, error: &ParseError) -> Drawn {
    marked(path, &error.text, error.problems.iter().map(|problem| (problem.span.clone(), problem.message.as_str())))
}

/// What is wrong with a file of heuristics: every problem with its line.
pub fn heuristic(path: &Path, error: &HeuristicError) -> Drawn {
    marked(path, &error.text, error.problems.iter().map(|problem| (problem.span.clone(), problem.message.as_str())))
}

/// What is wrong with a model of an opponent: every problem with its line.
pub fn opponent(path: &Path, error: &ModelError) -> Drawn {
    marked(path, &error.text, error.problems.iter().map(|problem| (problem.span.clone(), problem.message.as_str())))
}

/// What is wrong with rules of tactics or a state-update system: every problem with its line.
pub fn tactics(path: &Path, error: &TacticsError) -> Drawn {
    marked(path, &error.text, error.problems.iter().map(|problem| (problem.span.clone(), problem.message.as_str())))
}

fn marked<'a>(path: &Path, text: &str, problems: impl ExactSizeIterator<Item = (Range<usize>, &'a str)>) -> Drawn {
    let name = input::name(path);
    let more = problems.len().saturating_sub(SHOWN);
    let mut drawn = Vec::new();
    for (span, message) in problems.take(SHOWN) {
        let snippet = Snippet::source(text).path(name.as_str()).annotation(AnnotationKind::Primary.span(span));
        let report = [Level::ERROR.primary_title(message).element(snippet)];
        drawn.push(Renderer::styled().render(&report).to_string());
    }
    if more > 0 {
        drawn.push(format!("and {more} more problems in {name}"));
    }
    Drawn(drawn.join("\n"))
}

/// What is wrong with a rule sheet: every problem with its line and how to mend it, errors first.
pub fn sheet(path: &Path, text: &str, problems: &[Problem]) -> Drawn {
    let name = input::name(path);
    let mut sorted: Vec<&Problem> = problems.iter().collect();
    sorted.sort_by_key(|problem| std::cmp::Reverse(problem.severity));
    let mut drawn = Vec::new();
    for problem in sorted.iter().take(SHOWN) {
        let snippet = Snippet::source(text)
            .path(name.as_str())
            .annotation(AnnotationKind::Primary.span(first_line(text, &problem.span)));
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mend = Level::HELP.message(problem.mend.as_str());
        let report = [level.primary_title(problem.message.as_str()).element(snippet).element(mend)];
        drawn.push(Renderer::styled().render(&report).to_string());
    }
    let more = sorted.len().saturating_sub(SHOWN);
    if more > 0 {
        drawn.push(format!("and {more} more problems in {name}"));
    }
    Drawn(drawn.join("\n"))
}

/// A span up to the end of its first line: a whole rule would fill the screen.
fn first_line(text: &str, span: &Range<usize>) -> Range<usize> {
    let end = text[span.clone()].find(['\r', '\n']).map_or(span.end, |at| span.start + at);
    span.start..end
}

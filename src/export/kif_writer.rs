//! Writing rule sheets: facts, rules and comments, broken into lines.

use std::fmt::Write;

/// Lines are broken before this column where they can be.
const WIDTH: usize = 110;

/// A sheet on the way.
#[derive(Default)]
pub(super) struct Kif(String);

impl Kif {
    /// A heading with what there is to say about the part that follows.
    pub fn part(&mut self, title: &str, about: &str) {
        self.0.push('\n');
        self.comment(title);
        for line in about.lines() {
            self.comment(line);
        }
        self.0.push('\n');
    }

    pub fn comment(&mut self, line: &str) {
        let _ = writeln!(self.0, "{}", format!("; {line}").trim_end());
    }

    pub fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// Facts, as many on a line as fit.
    pub fn facts(&mut self, facts: impl IntoIterator<Item = String>) {
        let mut line = String::new();
        for fact in facts {
            if !line.is_empty() && line.len() + 1 + fact.len() > WIDTH {
                self.line(&line);
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&fact);
        }
        if !line.is_empty() {
            self.line(&line);
        }
    }

    /// What holds if all conditions do.
    pub fn rule<S: AsRef<str>>(&mut self, head: &str, conditions: impl IntoIterator<Item = S>) {
        let conditions: Vec<S> = conditions.into_iter().collect();
        if conditions.is_empty() {
            return self.line(head);
        }
        let mut line = format!("(<= {head}");
        let whole = line.len() + conditions.iter().map(|condition| condition.as_ref().len() + 1).sum::<usize>() + 1;
        let first_apart = whole > WIDTH;
        for (i, condition) in conditions.iter().enumerate() {
            let condition = condition.as_ref();
            if i == 0 && first_apart || line.len() + condition.len() + 2 > WIDTH {
                self.line(&line);
                line = "   ".to_owned();
            }
            line.push(' ');
            line.push_str(condition);
        }
        line.push(')');
        self.line(&line);
    }

    pub fn finish(self) -> String {
        self.0
    }
}

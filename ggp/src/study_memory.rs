//! What was found out about a game, kept in a folder for the next match of the same sheet, whatever its names are then.

use crate::log::Log;
use crate::memory::write_whole;
use onlooker::concepts::{Argument, Heuristic, Literal, Part, RoleRules, Rule, Study, Sum, Tally};
use onlooker::game::Term;
use onlooker::gdl::{Sheet, SheetForm};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The first line of a file.
const FIRST: &str = "onlooker study 1";
/// No file is larger by far.
const MOST_BYTES: u64 = 16 << 20;

/// Where what is found out about one sheet is kept.
pub struct StudyMemory {
    path: PathBuf,
    form: SheetForm,
    log: Log,
}

/// What was found out in earlier matches.
#[derive(Default)]
pub struct Earlier {
    pub tallies: Vec<(Part, Tally)>,
    pub heuristic: Option<Heuristic>,
}

impl StudyMemory {
    /// The place for a sheet; `None` if the text is none.
    pub fn open(folder: &Path, rules: &str, log: Log) -> Option<StudyMemory> {
        let form = SheetForm::of(&Sheet::parse(rules).ok()?);
        let path = folder.join(format!("sheet-{:032x}.study", form.hash()));
        Some(StudyMemory { path, form, log })
    }

    /// What earlier matches have found out; nothing if there is no file that can be read.
    pub fn load(&self) -> Earlier {
        let text = match fs::metadata(&self.path) {
            Ok(found) if found.len() <= MOST_BYTES => fs::read_to_string(&self.path).map_err(|error| error.to_string()),
            Ok(_) => Err("it is too large".to_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Earlier::default(),
            Err(error) => Err(error.to_string()),
        };
        let read = text.and_then(|text| self.parse(&text).ok_or_else(|| "it is no study of this sheet".to_owned()));
        match read {
            Ok(earlier) => {
                let games: u64 = earlier.tallies.iter().map(|(_, tally)| tally.won + tally.drawn + tally.lost).sum();
                self.log.line(format!("{}: {games} games of trials are remembered", self.path.display()));
                earlier
            }
            Err(reason) => {
                let aside = self.path.with_extension("unreadable");
                let moved = fs::rename(&self.path, &aside).is_ok();
                let what = if moved { format!("; it is now {}", aside.display()) } else { String::new() };
                self.log.line(format!("{}: {reason}, so it is begun anew{what}", self.path.display()));
                Earlier::default()
            }
        }
    }

    /// Keeps what was found out: the file is the old one or the new one.
    pub fn save(&self, study: &Study) {
        if let Err(error) = write_whole(&self.path, &self.text(study)) {
            self.log.line(format!("{}: cannot be written: {error}", self.path.display()));
        }
    }

    fn text(&self, study: &Study) -> String {
        let mut text = format!("{FIRST}\n");
        for (part, tally) in &study.tallies {
            let _ = writeln!(text, "part {part} {} {} {}", tally.won, tally.drawn, tally.lost);
        }
        let Some(heuristic) = &study.heuristic else { return text };
        let _ = writeln!(text, "playouts {}", heuristic.learnt("playouts").unwrap_or("0"));
        let number = |name: &str| self.form.number(name).map(|number| format!("n{number}"));
        for role in &heuristic.roles {
            let Some(name) = number(&role.role) else { continue };
            for rule in &role.rules {
                match &rule.body[..] {
                    [] => drop(writeln!(text, "constant {name} {}", rule.value)),
                    [literal] => {
                        if let Some(term) = term_of(literal).and_then(|term| rename(&term, &number)) {
                            let _ = writeln!(text, "value {name} {} {term}", rule.value);
                        }
                    }
                    _ => {}
                }
            }
        }
        text
    }

    fn parse(&self, text: &str) -> Option<Earlier> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST) {
            return None;
        }
        let name = |numbered: &str| {
            let number = numbered.strip_prefix('n')?.parse().ok()?;
            self.form.name(number).map(str::to_owned)
        };
        let value = |text: &str| {
            let value: f64 = text.parse().ok()?;
            (value.abs() <= Heuristic::MOST_VALUE).then_some(value)
        };
        let mut earlier = Earlier::default();
        let (mut roles, mut playouts): (Vec<RoleRules>, u64) = (Vec::new(), 0);
        for line in lines {
            let mut words = line.splitn(4, ' ');
            let mut next = || words.next();
            match next()? {
                "part" => {
                    let part = Part::named(next()?)?;
                    let won = next()?.parse().ok()?;
                    let (drawn, lost) = next()?.split_once(' ')?;
                    let tally = Tally { won, drawn: drawn.parse().ok()?, lost: lost.parse().ok()? };
                    earlier.tallies.push((part, tally));
                }
                "playouts" => playouts = next()?.parse().ok()?,
                kind @ ("constant" | "value") => {
                    let role = name(next()?)?;
                    let value = value(next()?)?;
                    let body = match kind {
                        "constant" => Vec::new(),
                        _ => vec![Literal::of_term(&rename(&next()?.parse().ok()?, &name)?)],
                    };
                    let rule = Rule { value, body, note: String::new() };
                    match roles.last_mut().filter(|last| last.role == role) {
                        Some(last) => last.rules.push(rule),
                        None => roles.push(RoleRules { role, rules: vec![rule] }),
                    }
                }
                _ => return None,
            }
        }
        if !roles.is_empty() {
            let learnt = vec![("playouts".to_owned(), playouts.to_string())];
            let heuristic = Heuristic { game: String::new(), sum: Sum::Odds, learnt, concepts: Vec::new(), roles };
            earlier.heuristic = Some(heuristic);
        }
        Some(earlier)
    }
}

/// The fact that a literal without variables speaks of.
fn term_of(literal: &Literal) -> Option<Term> {
    let part = |argument: &Argument| match argument {
        Argument::Number(number) => Some(Term::name(number)),
        // A compound argument is written as a term.
        Argument::Name(text) => text.parse().ok(),
        Argument::Variable(..) => None,
    };
    let arguments: Option<Vec<Term>> = literal.arguments.iter().map(part).collect();
    let arguments = arguments?;
    Some(if arguments.is_empty() { Term::name(&literal.name) } else { Term::apply(&literal.name, arguments) })
}

/// A term with other names.
fn rename(term: &Term, name: &dyn Fn(&str) -> Option<String>) -> Option<Term> {
    Some(match term {
        Term::Name(old) => Term::Name(name(old)?),
        Term::List(parts) => Term::List(parts.iter().map(|part| rename(part, name)).collect::<Option<_>>()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = "(role x) (role o) (init (cell 1 b)) (init (cell 2 b)) (succ 1 2) (init (control x))
        (<= (next (cell ?c ?r)) (does ?r (mark ?c))) (<= (goal ?r 100) (true (cell 1 ?r)))";

    fn heuristic(names: [&str; 2]) -> Heuristic {
        let rule = |value, body| Rule { value, body, note: String::new() };
        let fact = |text: &str| vec![Literal::of_term(&text.parse().unwrap())];
        let rules = vec![rule(-0.5, Vec::new()), rule(1.25, fact(names[0])), rule(-2.0, fact(names[1]))];
        let learnt = vec![("playouts".to_owned(), "77".to_owned())];
        let roles = vec![RoleRules { role: names[1].split([' ', ')']).nth(2).unwrap().to_owned(), rules }];
        Heuristic { game: String::new(), sum: Sum::Odds, learnt, concepts: Vec::new(), roles }
    }

    #[test]
    fn what_was_found_out_is_known_again_under_other_names() {
        let folder = tempfile();
        let open = |text: &str| StudyMemory::open(&folder, text, Log::none()).unwrap();
        let tallies = vec![(Part::Nst, Tally { won: 5, drawn: 1, lost: 2 })];
        let mut study = Study::none();
        (study.heuristic, study.tallies) = (Some(heuristic(["(cell 2 b)", "(cell 1 o)"])), tallies);
        open(SHEET).save(&study);
        let scrambled =
            SHEET.replace("cell", "w7").replace(" x)", " red)").replace(" o)", " blue)").replace(" b)", " z)");
        let earlier = open(&scrambled).load();
        assert_eq!(earlier.tallies, study.tallies);
        assert_eq!(earlier.heuristic, Some(heuristic(["(w7 2 z)", "(w7 1 blue)"])));
        // Another sheet has a file of its own.
        let other = open(&SHEET.replace("(goal ?r 100)", "(goal ?r 50)")).load();
        assert!(other.tallies.is_empty() && other.heuristic.is_none());
        fs::write(&open(SHEET).path, "onlooker study 1\npart nst 5 1\n").unwrap();
        assert!(open(SHEET).load().tallies.is_empty() && !open(SHEET).path.exists());
        fs::remove_dir_all(folder).unwrap();
    }

    fn tempfile() -> PathBuf {
        let folder = std::env::temp_dir().join(format!("onlooker-study-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }
}

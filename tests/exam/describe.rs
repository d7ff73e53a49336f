//! Games in words, and by which recipes they are made.

use super::ending::{Ending, When};
use super::game::Game;
use super::recipe::{Clause, DROP, FAR, Form, Kind, Landing, Near, Tail, Whose};
use super::zone::{Pair, View, Zone};
use onlooker::observe::Outcome;
use std::collections::BTreeSet;
use std::fmt;

impl Game {
    /// The names of everything that the game is made of, for tables.
    pub fn recipes(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut add = |name: &str| names.insert(name.to_owned());
        for clause in self.kinds.iter().flat_map(|kind| &kind.clauses) {
            add(&format!("piece: {}", clause.name()));
            for (what, zone) in [("from", &clause.from), ("to", &clause.to)] {
                if let Some(zone) = zone {
                    add(&format!("{what} zone: {}", zone.name()));
                }
            }
            for tail in &clause.tails {
                add(match tail {
                    Tail::Promote { optional: false, .. } => "turn: promotion",
                    Tail::Promote { optional: true, .. } => "turn: promotion at will",
                    Tail::Stone => "turn: leaves a stone",
                    Tail::Shoot { .. } => "turn: shoots a stone",
                });
            }
        }
        if self
            .kinds
            .iter()
            .any(|kind| kind.clauses.len() > 1 && kind.clauses.iter().any(|c| c.landing == Landing::Capture))
        {
            add("piece: divergent capture");
        }
        add(match (self.players, self.has_different_armies(), self.second) {
            (1, ..) => "army: one player",
            (_, true, _) => "army: different",
            (_, _, View::Turned) => "army: turned",
            _ => "army: mirrored",
        });
        if self.setup.contains(&b'#') {
            add("board: holes");
        }
        if self.must_capture {
            add(&format!("must capture{}", unsaid(false)));
        }
        self.endings.iter().for_each(|ending| {
            add(&format!("ending: {}{}", ending.name(), unsaid(ending.can_be_said())));
        });
        names
    }

    /// Whether the players' kinds are not the same.
    pub fn has_different_armies(&self) -> bool {
        self.kinds.iter().any(|kind| kind.owner.is_some())
    }

    /// Whether rules have words for all of it.
    pub fn can_be_said(&self) -> bool {
        !self.must_capture && self.endings.iter().all(Ending::can_be_said)
    }

    /// A board as people draw it.
    pub fn drawn(&self, cells: &[u8]) -> String {
        let rows = cells.rchunks(self.size.0 as usize).map(|row| String::from_utf8_lossy(row).into_owned());
        rows.collect::<Vec<_>>().join("/")
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "{}x{}, {} player(s), the second sees it {:?}",
            self.size.0, self.size.1, self.players, self.second
        )?;
        writeln!(f, "  {}", self.drawn(&self.setup))?;
        for kind in &self.kinds {
            write!(f, "{kind}")?;
        }
        if self.must_capture {
            writeln!(f, "  Who can capture must.")?;
        }
        self.endings.iter().try_for_each(|ending| writeln!(f, "  {ending}"))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let owner = match self.owner {
            None => "",
            Some(0) => " of the first",
            Some(_) => " of the second",
        };
        for (number, clause) in self.clauses.iter().enumerate() {
            let name = if self.letter == DROP { "drop".to_owned() } else { char::from(self.letter).to_string() };
            writeln!(f, "  {}{owner}: {clause}", if number == 0 { name } else { "  or".to_owned() })?;
        }
        Ok(())
    }
}

fn unsaid(can_be_said: bool) -> &'static str {
    if can_be_said { "" } else { " (cannot be said)" }
}

fn steps(steps: &[Pair]) -> String {
    steps.iter().map(|step| format!("{},{}", step.0, step.1)).collect::<Vec<_>>().join(" ")
}

fn whose(whose: Whose) -> &'static str {
    match whose {
        Whose::Own => "an own piece",
        Whose::Enemy => "an enemy",
        Whose::Anyone => "a piece",
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} [{}]", self.name(), steps(&self.steps))?;
        match self.form {
            Form::Ride { min, max } if max < FAR => write!(f, " {min} to {max} steps")?,
            Form::Hop { over, .. } | Form::HopChain { over } => write!(f, " over {}", whose(over))?,
            Form::Locust { takes, far, .. } => write!(f, " taking {}{}", whose(takes), if far { " afar" } else { "" })?,
            Form::Bent { short: false } => f.write_str(" not stopping at the bend")?,
            Form::Swap { with } => write!(f, " with {}", whose(with))?,
            Form::Rifle { range } => write!(f, " of range {range}")?,
            Form::Drop { letter, near } => {
                write!(f, " of {}", char::from(letter))?;
                match near {
                    Near::Nothing => {}
                    Near::Support => f.write_str(" on the floor or on a piece")?,
                    Near::Beside(beside) => write!(f, " beside {}", whose(beside))?,
                }
            }
            _ => {}
        }
        match self.landing {
            Landing::Both => f.write_str(", to empty squares or capturing")?,
            Landing::Capture => f.write_str(", capturing only")?,
            Landing::Move => {}
        }
        if let Some(zone) = &self.from {
            write!(f, ", from {zone}")?;
        }
        if let Some(zone) = &self.to {
            write!(f, ", ending on {zone}")?;
        }
        for tail in &self.tails {
            match tail {
                Tail::Promote { zone, into, optional } => {
                    let may = if *optional { "may become" } else { "becomes" };
                    write!(f, "; {may} {} on {zone}", char::from(*into))?;
                }
                Tail::Stone => f.write_str("; leaves a stone behind")?,
                Tail::Shoot { steps: ways, max } => write!(f, "; shoots a stone {max} steps along [{}]", steps(ways))?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self.outcome {
            Outcome::Won => "Won",
            Outcome::Lost => "Lost",
            Outcome::Tied => "Tied",
        })?;
        let names = |letters: &[u8]| {
            letters.iter().map(|&letter| char::from(letter).to_string()).collect::<Vec<_>>().join(", ")
        };
        match &self.when {
            When::Reach { letters, zone } => write!(f, " when one of {} is on {zone}", names(letters)),
            When::Line { count, exactly, ways } => {
                write!(f, " with {}{count} in line along [{}]", if *exactly { "exactly " } else { "" }, steps(ways))
            }
            When::EnemyLeft { count, letters } => {
                write!(f, " when the opponent has {count} or fewer of {}", names(letters))
            }
            When::OwnLeft { count } => write!(f, " with exactly {count} own pieces"),
            When::Stuck => f.write_str(" when the next player cannot move"),
            When::Plies(limit) => write!(f, " after {limit} plies"),
            When::LineOf { count, letters } => write!(f, " with {count} in line of one of {}", names(letters)),
            When::OwnFew { count, letters } => write!(f, " with {count} or fewer own pieces of {}", names(letters)),
            When::MoreWhenStuck => {
                f.write_str(" when the next player cannot move, but won with more pieces and lost with fewer")
            }
            When::NobodyMoves => f.write_str(" when nobody can move"),
            When::Leaves { letters, square } => {
                write!(f, " when none of {} is on {}", names(letters), Zone::Square(square.0, square.1))
            }
            When::MoreAtLimit(limit) => write!(f, " after {limit} plies, but won with more pieces and lost with fewer"),
        }
    }
}

//! Evidence as text: a line each for what was seen, in an order that does not depend on how it was seen.
//!
//! Transitions are numbered in the order of the `action` lines, for each action first the imagined argument 0. A set of
//! transitions is written `3+7`, the empty one `-`.

use super::evidence::{Agreement, Evidence, MAX_ARGUMENTS, shape};
use super::family::{Family, Set};
use super::tuples::{Seen, Tuples};
use crate::saved::{Fault, Fields, SavedError, SavedWriter, Title, read_lines};
use std::io::{self, BufRead, Write};

const TITLE: Title = Title {
    line: "onlooker traces 2",
    expected: "'onlooker traces 2', the first line of saved evidence",
    other_version: (
        "onlooker traces ",
        "'onlooker traces 2': another version of the program saved this file, so save the evidence of its plans again",
    ),
};

/// Lists that get longer than this go on in another line that begins in the same way.
const LONG: usize = 1 << 16;

impl Evidence {
    /// Writes the evidence: the same bytes for the same traces, in whatever order they were seen.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = SavedWriter::new(out, TITLE.line)?;
        self.canonical().write_lines(&mut out)?;
        out.finish()
    }

    /// Writes evidence whose numbers depend on nothing but what was seen.
    fn write_lines(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "count traces {}\ncount steps {}", self.traces, self.steps)?;
        if self.tuples.is_some() {
            writeln!(out, "statics")?;
        }
        for kind in &self.actions {
            write!(out, "action {} {}", escaped(&kind.name), kind.count)?;
            kind.shape.iter().try_for_each(|object| write!(out, " {}", object + 1))?;
            writeln!(out)?;
        }
        for (number, slot) in self.slots.iter().enumerate() {
            for (what, family) in [("begins", &slot.before), ("ends", &slot.after)] {
                if !family.is_empty() {
                    write_list(out, &format!("{what} {number}"), sets(family))?;
                }
            }
            match &slot.stems {
                None => writeln!(out, "names {number} *")?,
                Some(stems) if stems.is_empty() => {}
                Some(stems) => write_list(out, &format!("names {number}"), stems.iter().map(|stem| escaped(stem)))?,
            }
        }
        for pair in &self.pairs {
            write_list(out, &format!("follows {} {}", pair.before, pair.after), sets(&pair.between))?;
            for known in &pair.agreeing {
                let (written, read) = (known.written + 1, known.read + 1);
                let head = format!("differs {} {written} {} {read}", pair.before, pair.after);
                write_list(out, &head, sets(&known.differed))?;
            }
        }
        for ((action, k, l), tuples) in self.tuples.iter().flat_map(Tuples::sorted) {
            let head = format!("pairs {action} {} {}", k + 1, l + 1);
            match tuples {
                None => writeln!(out, "{head} *")?,
                Some(tuples) => {
                    let entries = tuples.into_iter().map(|((first, second), seen)| {
                        let mark = if seen == Seen::Once { '1' } else { '+' };
                        format!("{mark} {} {}", escaped(first), escaped(second))
                    });
                    write_list(out, &head, entries)?;
                }
            }
        }
        Ok(())
    }

    /// Reads evidence that was written.
    ///
    /// # Errors
    ///
    /// [`SavedError::Line`] if it is not saved evidence, or if anything of it was cut off or changed.
    pub fn read(input: impl BufRead) -> Result<Evidence, SavedError> {
        let mut evidence = Evidence::default();
        read_lines(input, &TITLE, |line| evidence.read_line(line))?;
        Ok(evidence)
    }

    fn read_line(&mut self, line: &str) -> Result<(), Fault> {
        let mut fields = Fields::of(line);
        match fields.next("a line of evidence")? {
            "count" => match fields.next("traces or steps")? {
                "traces" => self.traces = fields.number("a number of traces")?,
                "steps" => self.steps = fields.number("a number of actions")?,
                _ => return Err((fields.before, "traces or steps")),
            },
            "statics" => self.tuples = Some(Tuples::default()),
            "action" => {
                let name = fields.text("the name of an action")?;
                let count = fields.number("how often it was seen")?;
                let mut objects: Vec<u64> = Vec::new();
                while !fields.is_finished() {
                    objects.push(fields.number("the number of an object")?);
                }
                let expected = "the numbers of an action's objects in order of appearance";
                let shape = shape(&objects, |a, b| a == b).ok_or((fields.before, expected))?;
                if objects.iter().zip(&shape).any(|(&object, &number)| object != u64::from(number) + 1) {
                    return Err((fields.before, expected));
                }
                let known = self.actions.len();
                let kind = self.kind(&name, &shape).map_err(|_| (fields.before, "an action that fits the others"))?;
                if (kind as usize) < known {
                    return Err((0, "each action once"));
                }
                self.actions[kind as usize].count = count;
            }
            what @ ("begins" | "ends") => {
                let slot = self.slot(&mut fields)?;
                let family = self.family(slot, &mut fields)?;
                let slot = &mut self.slots[slot as usize];
                if what == "begins" { &mut slot.before } else { &mut slot.after }.merge(&family);
            }
            "names" => {
                let slot = self.slot(&mut fields)? as usize;
                while !fields.is_finished() {
                    match fields.text("the beginning of a name")?.as_str() {
                        "*" => self.slots[slot].stems = None,
                        stem => self.slots[slot].add_stem(stem),
                    }
                }
            }
            "follows" => {
                let (before, after) = (self.slot(&mut fields)?, self.slot(&mut fields)?);
                self.check_alike(before, after, &fields)?;
                let family = self.family(before, &mut fields)?;
                let pair = self.pair(before, after);
                pair.between.merge(&family);
                let (adjacent, settled) = (pair.between.is_settled(), pair.is_settled());
                if adjacent {
                    self.same_sort(before, after);
                }
                if settled {
                    self.settle(before, after);
                }
            }
            "differs" => self.read_difference(&mut fields)?,
            "pairs" => self.read_pairs(&mut fields)?,
            _ => return Err((0, "count, statics, action, begins, ends, names, follows, differs or pairs")),
        }
        if fields.is_finished() { Ok(()) } else { Err((fields.at, "the end of the line")) }
    }

    fn read_difference(&mut self, fields: &mut Fields) -> Result<(), Fault> {
        let before = self.slot(fields)?;
        let written = self.object(self.slots[before as usize].action, fields)?;
        let after = self.slot(fields)?;
        let read = self.object(self.slots[after as usize].action, fields)?;
        self.check_alike(before, after, fields)?;
        let differed = self.family(before, fields)?;
        let pair = self.pair(before, after);
        if pair.between.is_empty() {
            return Err((0, "a line 'follows' for the same transitions before this one"));
        }
        match pair.agreeing.iter_mut().find(|known| (known.written, known.read) == (written, read)) {
            Some(known) => known.differed.merge(&differed),
            None => pair.agreeing.push(Agreement { written, read, differed }),
        }
        pair.tidy();
        // The pair is to be looked at again, if it was not before.
        if !pair.is_settled() {
            self.rows[after as usize][before as usize] &= !1;
        }
        Ok(())
    }

    fn read_pairs(&mut self, fields: &mut Fields) -> Result<(), Fault> {
        let action = fields.number("the number of an action")?;
        if action >= self.actions.len() as u64 {
            return Err((fields.before, "the number of an action"));
        }
        let action = action as u32;
        let (k, l) = (self.object(action, fields)?, self.object(action, fields)?);
        if k >= l {
            return Err((fields.before, "an argument after the first one"));
        }
        let tuples = self.tuples.as_mut().ok_or((0, "a line 'statics' before this one"))?;
        let mut read = Vec::new();
        while !fields.is_finished() {
            let seen = match fields.next("1, + or *")? {
                "1" => Seen::Once,
                "+" => Seen::Often,
                "*" => {
                    tuples.restore((action, k, l), None);
                    continue;
                }
                _ => return Err((fields.before, "1, + or *")),
            };
            read.push((fields.text("the name of an object")?, fields.text("the name of an object")?, seen));
        }
        let read = read.iter().map(|(first, second, seen)| (first.as_str(), second.as_str(), *seen)).collect();
        tuples.restore((action, k, l), Some(read));
        Ok(())
    }

    fn slot(&self, fields: &mut Fields) -> Result<u32, Fault> {
        let number = fields.number("the number of a transition")?;
        if number < self.slots.len() as u64 {
            Ok(number as u32)
        } else {
            Err((fields.before, "the number of a transition"))
        }
    }

    /// One of an action's different objects, counted from 0.
    fn object(&self, action: u32, fields: &mut Fields) -> Result<u8, Fault> {
        let objects = self.actions[action as usize].objects() as u64;
        let number = fields.number("the number of an argument")?;
        if (1..=objects.min(MAX_ARGUMENTS as u64)).contains(&number) {
            Ok(number as u8 - 1)
        } else {
            Err((fields.before, "the number of an argument"))
        }
    }

    /// The imagined object makes no transitions of others.
    fn check_alike(&self, a: u32, b: u32, fields: &Fields) -> Result<(), Fault> {
        let is_zero = |slot: u32| self.slots[slot as usize].argument == 0;
        if is_zero(a) == is_zero(b) { Ok(()) } else { Err((fields.before, "a transition of the same object")) }
    }

    fn family(&self, slot: u32, fields: &mut Fields) -> Result<Family, Fault> {
        let mut family = Family::default();
        while !fields.is_finished() {
            let field = fields.next("a set of transitions")?;
            let mut set = Set::default();
            for number in field.split('+').filter(|_| field != "-") {
                let number = number.parse().ok().filter(|&number: &usize| number < self.slots.len());
                let number = number.ok_or((fields.before, "a set of transitions as in 3+7, or -"))?;
                self.check_alike(slot, number as u32, fields)?;
                set.insert(number);
            }
            family.insert(set.words());
        }
        Ok(family)
    }
}

/// Writes a line with a list, or several if it is long.
fn write_list(out: &mut impl Write, head: &str, entries: impl Iterator<Item = String>) -> io::Result<()> {
    let mut line = head.to_owned();
    for entry in entries {
        if line.len() > LONG {
            writeln!(out, "{line}")?;
            line.truncate(head.len());
        }
        line.push(' ');
        line.push_str(&entry);
    }
    writeln!(out, "{line}")
}

/// The sets of a family as fields.
fn sets(family: &Family) -> impl Iterator<Item = String> + '_ {
    family.sets().iter().map(|set| {
        let members: Vec<String> = set.iter().map(|member| member.to_string()).collect();
        if members.is_empty() { "-".to_owned() } else { members.join("+") }
    })
}

/// A name as one field: what would end it is written as `%` and two hexadecimal digits for each byte.
fn escaped(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_whitespace() || c.is_control() || c == '%' || c == '*' {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02x}")));
        } else {
            out.push(c);
        }
    }
    // A field is never empty.
    if out.is_empty() { "%".to_owned() } else { out }
}

fn unescaped(field: &str) -> Option<String> {
    if field == "%" {
        return Some(String::new());
    }
    let mut bytes = Vec::new();
    let mut rest = field.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            bytes.push((digit(rest.next())? * 16 + digit(rest.next())?) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Fields of evidence.
impl Fields<'_> {
    fn text(&mut self, expected: &'static str) -> Result<String, Fault> {
        let field = self.next(expected)?;
        if field == "*" { Ok(field.to_owned()) } else { unescaped(field).ok_or((self.before, expected)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locm::Action;

    fn saved(evidence: &Evidence) -> String {
        let mut bytes = Vec::new();
        evidence.write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn sample() -> Evidence {
        let mut evidence = Evidence::with_statics();
        let trace = ["unstack a b", "put-down a", "pick-up b", "stack b a", "swap c c", "an%od*d a ", "nil"];
        let actions: Vec<Action<&str>> = trace
            .iter()
            .map(|text| text.split(' ').collect::<Vec<_>>())
            .map(|words| Action::new(words[0], &words[1..]))
            .collect();
        evidence.observe(&actions).unwrap();
        evidence
    }

    #[test]
    fn what_is_written_is_read() {
        for evidence in [Evidence::default(), sample()] {
            let text = saved(&evidence);
            assert_eq!(saved(&Evidence::read(text.as_bytes()).unwrap()), text);
        }
    }

    #[test]
    fn what_is_no_evidence_is_refused_where_it_goes_wrong() {
        let good = "onlooker traces 2\ncount traces 1\naction a 2 1 2\naction b 1 1\nfollows 1 4 -\ndiffers 1 2 4 1\nend 6 1358e24f\n";
        assert!(Evidence::read(good.as_bytes()).is_ok());
        for (from, to, line, column) in [
            ("onlooker", "Onlooker", 1, 1),
            ("count traces 1", "count races 1", 2, 7),
            ("count traces 1", "count traces -1", 2, 14),
            ("a 2 1 2", "a 2 1 3", 3, 14),
            ("action b", "action a", 4, 12),
            ("follows 1 4", "follows 1 9", 5, 11),
            ("follows 1 4", "follows 0 4", 5, 11),
            ("4 -", "4 0", 5, 13),
            ("4 -", "4 x", 5, 13),
            ("differs 1 2 4 1", "differs 1 3 4 1", 6, 11),
            ("differs 1 2 4 1", "differs 2 1 4 1", 6, 1),
            ("count", "pairs 0 1 2\ncount", 2, 7),
            ("traces 1", "traces 2", 7, 7),
            ("end 6", "end 5", 7, 5),
            ("traces 2", "traces 1", 1, 1),
        ] {
            let bad = good.replacen(from, to, 1);
            match Evidence::read(bad.as_bytes()) {
                Err(SavedError::Line { line: l, column: c, .. }) => assert_eq!((l, c), (line, column), "{bad}"),
                other => panic!("{bad}: {other:?}"),
            }
        }
        let not_text = Evidence::read(&b"onlooker traces 2\n\xff\n"[..]);
        assert!(matches!(not_text, Err(SavedError::Line { line: 2, .. })));
    }
}

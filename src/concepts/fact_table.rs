//! The facts of a game taken apart, so that literals can be matched with them without comparing strings.

use super::literal::{Argument, Literal};
use crate::game::{FactId, Term};
use rustc_hash::FxHashMap;

/// A constant: a number, or a name by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Value {
    Number(i64),
    Name(u32),
}

/// A fact: what it says and of what.
pub(super) type Atom = (u32, Vec<Value>);

/// All facts of a vocabulary, by number, by content and by shape.
#[derive(Clone, Debug, Default)]
pub struct FactTable {
    names: FxHashMap<String, u32>,
    atoms: Vec<Atom>,
    ids: FxHashMap<Atom, FactId>,
    /// Facts by name and number of arguments.
    shapes: FxHashMap<(u32, usize), Vec<FactId>>,
}

/// What matching a conjunction found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instances {
    /// For each way to match: the facts, in the order of the literals.
    pub found: Vec<Vec<FactId>>,
    /// Whether there were more than were wanted.
    pub truncated: bool,
}

impl FactTable {
    /// The table of facts in the order of their numbers.
    pub fn new(terms: &[Term]) -> FactTable {
        let mut table = FactTable::default();
        for (number, term) in terms.iter().enumerate() {
            let literal = Literal::of_term(term);
            let name = table.intern(&literal.name);
            let values = literal.arguments.iter().map(|argument| match argument {
                Argument::Number(number) => Value::Number(*number),
                Argument::Name(name) => Value::Name(table.intern(name)),
                Argument::Variable(..) => unreachable!("facts have no variables"),
            });
            let values: Vec<Value> = values.collect();
            let fact = FactId(number as u32);
            table.shapes.entry((name, values.len())).or_default().push(fact);
            table.ids.insert((name, values.clone()), fact);
            table.atoms.push((name, values));
        }
        table
    }

    fn intern(&mut self, name: &str) -> u32 {
        let next = self.names.len() as u32;
        *self.names.entry(name.to_owned()).or_insert(next)
    }

    pub(super) fn atom(&self, fact: FactId) -> &Atom {
        &self.atoms[fact.index()]
    }

    /// The fact that a literal without variables is.
    pub fn fact(&self, literal: &Literal) -> Option<FactId> {
        let name = *self.names.get(&literal.name)?;
        let values = literal.arguments.iter().map(|argument| self.value(argument)).collect::<Option<Vec<Value>>>()?;
        self.ids.get(&(name, values)).copied()
    }

    fn value(&self, argument: &Argument) -> Option<Value> {
        match argument {
            Argument::Number(number) => Some(Value::Number(*number)),
            Argument::Name(name) => self.names.get(name).map(|name| Value::Name(*name)),
            Argument::Variable(..) => None,
        }
    }

    /// All ways, at most `most`, in which different facts match a conjunction.
    pub fn instances(&self, body: &[Literal], most: usize) -> Instances {
        let arguments = body.iter().flat_map(|literal| &literal.arguments);
        let variables = arguments.map(|argument| match argument {
            Argument::Variable(number, _) => usize::from(*number) + 1,
            _ => 0,
        });
        let bound = vec![None; variables.max().unwrap_or(0)];
        let mut search = Search { table: self, body, most, bound, facts: Vec::new(), out: Instances::default() };
        search.go();
        search.out
    }
}

struct Search<'a> {
    table: &'a FactTable,
    body: &'a [Literal],
    most: usize,
    bound: Vec<Option<Value>>,
    facts: Vec<FactId>,
    out: Instances,
}

impl Search<'_> {
    fn go(&mut self) {
        let Some(literal) = self.body.get(self.facts.len()) else {
            if self.out.found.len() < self.most {
                self.out.found.push(self.facts.clone());
            } else {
                self.out.truncated = true;
            }
            return;
        };
        let table = self.table;
        let Some(&name) = table.names.get(&literal.name) else { return };
        // With every variable known, there is only one fact to look for.
        if let Some(values) = self.all_bound(literal) {
            if let Some(&fact) = table.ids.get(&(name, values)) {
                self.enter(fact);
            }
            return;
        }
        let Some(facts) = table.shapes.get(&(name, literal.arguments.len())) else { return };
        for &fact in facts {
            if self.out.truncated {
                return;
            }
            let before = self.bound.clone();
            if self.bind(literal, &table.atom(fact).1) {
                self.enter(fact);
            }
            self.bound = before;
        }
    }

    fn enter(&mut self, fact: FactId) {
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
            self.go();
            self.facts.pop();
        }
    }

    fn all_bound(&self, literal: &Literal) -> Option<Vec<Value>> {
        let value = |argument: &Argument| match argument {
            Argument::Variable(variable, plus) => match self.bound[usize::from(*variable)]? {
                Value::Number(number) => Some(Value::Number(number.checked_add(*plus)?)),
                name if *plus == 0 => Some(name),
                Value::Name(_) => None,
            },
            constant => self.table.value(constant),
        };
        literal.arguments.iter().map(value).collect()
    }

    fn bind(&mut self, literal: &Literal, values: &[Value]) -> bool {
        literal.arguments.iter().zip(values).all(|(argument, value)| match argument {
            Argument::Variable(variable, plus) => {
                let wanted = match value {
                    Value::Number(number) => number.checked_sub(*plus).map(Value::Number),
                    name => (*plus == 0).then_some(*name),
                };
                let place = &mut self.bound[usize::from(*variable)];
                wanted.is_some_and(|wanted| *place.get_or_insert(wanted) == wanted)
            }
            constant => self.table.value(constant) == Some(*value),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::concept::tests::concept;

    #[test]
    fn conjunctions_are_matched_in_all_ways() {
        let terms: Vec<Term> = (1..=3)
            .flat_map(|x| (1..=3).flat_map(move |y| ["x", "o"].map(move |mark| (x, y, mark))))
            .map(|(x, y, mark)| format!("(cell {x} {y} {mark})").parse().unwrap())
            .collect();
        let table = FactTable::new(&terms);
        for (body, count) in [
            ("cell(A,B,C), cell(A,B+1,C)", 12),
            ("cell(A,B,C), cell(A+1,B+1,C), cell(A+2,B+2,C)", 2),
            ("cell(A,B,x), cell(A,B,C)", 9),
            ("cell(2,2,x)", 1),
            ("cell(2,2,z)", 0),
            ("hand(A)", 0),
            ("cell(A,A,C)", 6),
        ] {
            assert_eq!(table.instances(concept(body).body(), 1000).found.len(), count, "{body}");
        }
        let few = table.instances(concept("cell(A,B,C)").body(), 5);
        assert!(few.truncated && few.found.len() == 5);
    }
}

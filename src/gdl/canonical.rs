//! What a sheet is like whatever its names are: whoever runs matches may scramble them, and write rules and conditions in another order.
//!
//! Names, variables, expressions and rules are the vertices of a graph. Their colours are refined until nothing more is told apart (colour
//! refinement); where names are still alike, one is singled out, each in turn, and the outcome with the smallest hash is taken (individualisation,
//! as in McKay's nauty, without its pruning). So names get numbers that are the same for every scrambled form of the sheet.

use super::sheet::{Atom, Formula, Pattern, Sheet};
use super::term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// The form of a sheet: a hash, and its names in an order that does not depend on what they are called.
///
/// ```
/// use onlooker::gdl::{Sheet, SheetForm};
///
/// let sheet = Sheet::parse("(role x) (init (lamp off)) (<= (next (lamp on)) (does x push))")?;
/// let scrambled = Sheet::parse("(role q) (<= (next (zz b)) (does q w)) (init (zz a))")?;
/// let (form, other) = (SheetForm::of(&sheet), SheetForm::of(&scrambled));
/// assert_eq!(form.hash(), other.hash());
/// assert_eq!(form.translate(&"(lamp on)".parse()?, &other), Some("(zz b)".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetForm {
    hash: u128,
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

/// The language's own words keep their meaning.
const KEYWORDS: [&str; 16] = [
    "role", "init", "true", "next", "does", "legal", "goal", "terminal", "base", "input", "sees", "distinct", "not",
    "or", "and", "random",
];
/// After so many refinements the first of several names that are alike is singled out, without trying the others: then a scrambled sheet
/// may not be known again.
const MOST_REFINEMENTS: usize = 600;
/// The most rounds of one refinement.
const MOST_ROUNDS: usize = 200;

/// Vertices with colours, and edges with labels from each to its parts.
#[derive(Default)]
struct Graph {
    colours: Vec<u64>,
    /// From, to, label.
    edges: Vec<(u32, u32, u64)>,
    names: FxHashMap<String, u32>,
    order: Vec<String>,
    fixed: FxHashSet<String>,
}

impl SheetForm {
    /// The form of a sheet.
    pub fn of(sheet: &Sheet) -> SheetForm {
        let mut graph = Graph::default();
        // What roles get are numbers that mean themselves.
        for rule in sheet.rules.iter().filter(|rule| rule.head.relation == "goal") {
            if let Some(Pattern::Name(value)) = rule.head.arguments.get(1) {
                graph.fixed.insert(value.clone());
            }
        }
        sheet.rules.iter().for_each(|rule| graph.rule(&rule.head, &rule.body));
        let vertices: Vec<u32> = graph.order.iter().map(|name| graph.names[name]).collect();
        let mut left = MOST_REFINEMENTS;
        let mut colours = graph.refine(graph.colours.clone());
        while let Some(alike) = smallest_class(&vertices, &colours) {
            let mut best: Option<(u128, Vec<u64>)> = None;
            for &vertex in &alike {
                let mut single = colours.clone();
                single[vertex as usize] = mix(single[vertex as usize], 0x51);
                let refined = graph.refine(single);
                let hash = hash_of(&refined);
                if best.as_ref().is_none_or(|(least, _)| hash < *least) {
                    best = Some((hash, refined));
                }
                left = left.saturating_sub(1);
                if left == 0 {
                    break;
                }
            }
            let Some((_, refined)) = best else { break };
            colours = refined;
        }
        let mut names = graph.order.clone();
        names.sort_by_key(|name| colours[graph.names[name] as usize]);
        let numbers = names.iter().cloned().zip(0..).collect();
        SheetForm { hash: hash_of(&colours), names, numbers }
    }

    /// The same for every sheet that differs in names and order only; with next to no chance the same for any other.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// The number of a name.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The name with a number.
    pub fn name(&self, number: u32) -> Option<&str> {
        self.names.get(number as usize).map(String::as_str)
    }

    /// A term of this sheet with the names that it has in another sheet of the same form; `None` if it has a name that the sheet has not.
    pub fn translate(&self, term: &Term, other: &SheetForm) -> Option<Term> {
        match term {
            Term::Name(name) => self.number(name).and_then(|number| other.name(number)).map(Term::name),
            Term::List(parts) => {
                let parts: Option<Vec<Term>> = parts.iter().map(|part| self.translate(part, other)).collect();
                parts.map(Term::List)
            }
        }
    }
}

/// Of the names that share a colour, the class with the fewest, and of those the one with the least colour; `None` if all are told apart.
fn smallest_class(names: &[u32], colours: &[u64]) -> Option<Vec<u32>> {
    let mut classes: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    names.iter().for_each(|&name| classes.entry(colours[name as usize]).or_default().push(name));
    let alike = classes.into_iter().filter(|(_, members)| members.len() > 1);
    alike.min_by_key(|(colour, members)| (members.len(), *colour)).map(|(_, members)| members)
}

fn mix(one: u64, other: u64) -> u64 {
    let mut bits = one.rotate_left(23) ^ other.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

fn word(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A hash of all colours, in whatever order.
fn hash_of(colours: &[u64]) -> u128 {
    let sum = |salt| colours.iter().fold(0_u64, |sum, &colour| sum.wrapping_add(mix(colour, salt)));
    u128::from(sum(1)) << 64 | u128::from(sum(2))
}

impl Graph {
    fn vertex(&mut self, colour: u64) -> u32 {
        self.colours.push(colour);
        (self.colours.len() - 1) as u32
    }

    fn edge(&mut self, from: u32, to: u32, label: u64) {
        self.edges.push((from, to, label));
    }

    /// The vertex of a name: its own colour if it means something by itself.
    fn name(&mut self, name: &str) -> u32 {
        if let Some(&vertex) = self.names.get(name) {
            return vertex;
        }
        let keyword = KEYWORDS.iter().find(|keyword| keyword.eq_ignore_ascii_case(name));
        let colour = match keyword {
            Some(keyword) => word(keyword),
            None if self.fixed.contains(name) => mix(word(name), 7),
            None => 1,
        };
        let vertex = self.vertex(colour);
        self.names.insert(name.to_owned(), vertex);
        self.order.push(name.to_owned());
        vertex
    }

    fn rule(&mut self, head: &Atom, body: &[Formula]) {
        let rule = self.vertex(2);
        let mut variables = FxHashMap::default();
        let head = self.application(&head.relation, &head.arguments, &mut variables);
        self.edge(rule, head, 1);
        for formula in body {
            let condition = self.formula(formula, &mut variables);
            self.edge(rule, condition, 2);
        }
    }

    fn formula(&mut self, formula: &Formula, variables: &mut FxHashMap<String, u32>) -> u32 {
        let (colour, parts): (u64, Vec<u32>) = match formula {
            Formula::Atom(atom) => return self.application(&atom.relation, &atom.arguments, variables),
            Formula::Not(inner) => (10, vec![self.formula(inner, variables)]),
            Formula::And(all) => (11, all.iter().map(|one| self.formula(one, variables)).collect()),
            Formula::Or(any) => (12, any.iter().map(|one| self.formula(one, variables)).collect()),
            Formula::Distinct(one, other, _) => {
                (13, vec![self.pattern(one, variables), self.pattern(other, variables)])
            }
        };
        let vertex = self.vertex(colour);
        parts.into_iter().for_each(|part| self.edge(vertex, part, 3));
        vertex
    }

    /// A name applied to things, in their order.
    fn application(&mut self, name: &str, arguments: &[Pattern], variables: &mut FxHashMap<String, u32>) -> u32 {
        let vertex = self.vertex(20 + arguments.len() as u64);
        let name = self.name(name);
        self.edge(vertex, name, 4);
        for (argument, place) in arguments.iter().zip(100..) {
            let argument = self.pattern(argument, variables);
            self.edge(vertex, argument, place);
        }
        vertex
    }

    fn pattern(&mut self, pattern: &Pattern, variables: &mut FxHashMap<String, u32>) -> u32 {
        match pattern {
            Pattern::Variable(variable) => match variables.get(variable) {
                Some(&vertex) => vertex,
                None => {
                    let vertex = self.vertex(3);
                    variables.insert(variable.clone(), vertex);
                    vertex
                }
            },
            Pattern::Name(name) => self.name(name),
            Pattern::Compound(name, arguments) => self.application(name, arguments, variables),
        }
    }

    /// Colours that take in those of all neighbours, until no more vertices are told apart.
    fn refine(&self, mut colours: Vec<u64>) -> Vec<u64> {
        let count = |colours: &[u64]| colours.iter().collect::<FxHashSet<_>>().len();
        let mut classes = count(&colours);
        for _ in 0..MOST_ROUNDS {
            let mut sums = vec![0_u64; colours.len()];
            for &(from, to, label) in &self.edges {
                let (from, to) = (from as usize, to as usize);
                sums[from] = sums[from].wrapping_add(mix(colours[to], label));
                sums[to] = sums[to].wrapping_add(mix(colours[from], label ^ 0xffff_0000));
            }
            colours.iter_mut().zip(&sums).for_each(|(colour, &sum)| *colour = mix(*colour, sum));
            let now = count(&colours);
            if now == classes {
                break;
            }
            classes = now;
        }
        colours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> SheetForm {
        SheetForm::of(&Sheet::parse(text).unwrap())
    }

    #[test]
    fn what_differs_in_more_than_names_is_told_apart() {
        let sheet = "(role x) (role o) (init (cell 1 b)) (<= (next (cell 1 x)) (does x (mark 1)) (true (cell 1 b))) (goal x 100) (goal o 0)";
        let same = form(sheet).hash();
        for (other, alike) in [
            (sheet.replace("cell", "field").replace(" b)", " empty)").replace("mark", "put"), true),
            (sheet.replace("(goal x 100) (goal o 0)", "(goal o 0) (goal x 100)"), true),
            (sheet.replace("(goal x 100)", "(goal x 90)"), false),
            (sheet.replace("(goal x 100) (goal o 0)", "(goal x 0) (goal o 100)"), false),
            (sheet.replace("(true (cell 1 b))", "(not (true (cell 1 b)))"), false),
            (sheet.replace("(true (cell 1 b))", "(true (cell b 1))"), false),
        ] {
            assert_eq!(form(&other).hash() == same, alike, "{other}");
        }
    }

    #[test]
    fn names_that_are_alike_get_numbers_all_the_same() {
        // Nothing tells a from b, or c from d; but those that go together stay together.
        let one = form("(role x) (p a c) (p b d) (q c) (q d)");
        let other = form("(role x) (q u) (p v w) (p t u) (q w)");
        assert_eq!(one.hash(), other.hash());
        let meant: Vec<Term> = ["(p a c)", "(p b d)"]
            .map(|term| one.translate(&term.parse().unwrap(), &other).unwrap())
            .into_iter()
            .collect();
        for term in meant {
            assert!(["(p v w)", "(p t u)"].contains(&term.to_string().as_str()), "{term}");
        }
        assert_ne!(one.hash(), form("(role x) (p a c) (p b c) (q c) (q d)").hash());
    }
}

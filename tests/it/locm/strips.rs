//! The true domains: a small reader of PDDL, and a judge of plans.
//!
//! A plan is true if some initial state lets it be carried out in which the domain's invariants hold: of each of these
//! groups of facts exactly one is true at any time. Facts that no action changes (static relations) count as true, since
//! traces without states do not show them.

use onlooker::locm::Action;
use std::collections::{HashMap, HashSet};

/// A fact or its pattern.
type Atom = Vec<String>;

pub struct Strips {
    operators: HashMap<String, Operator>,
    groups: Vec<Vec<Atom>>,
}

#[derive(Default)]
struct Operator {
    variables: Vec<String>,
    needs: Vec<Atom>,
    different: Vec<(String, String)>,
    adds: Vec<Atom>,
    deletes: Vec<Atom>,
}

#[derive(Debug, Clone)]
enum Node {
    Word(String),
    List(Vec<Node>),
}

impl Node {
    fn parse(words: &mut impl Iterator<Item = String>) -> Option<Node> {
        match words.next()?.as_str() {
            "(" => {
                let mut list = Vec::new();
                while let Some(node) = Node::parse(words) {
                    list.push(node);
                }
                Some(Node::List(list))
            }
            ")" => None,
            word => Some(Node::Word(word.to_owned())),
        }
    }

    fn word(&self) -> &str {
        if let Node::Word(word) = self { word } else { "" }
    }

    fn list(&self) -> &[Node] {
        if let Node::List(list) = self { list } else { &[] }
    }

    fn atom(&self) -> Atom {
        self.list().iter().map(|node| node.word().to_owned()).collect()
    }

    /// The parts of a conjunction, or the only one.
    fn parts(&self) -> Vec<Node> {
        match self.list() {
            [Node::Word(and), rest @ ..] if and == "and" => rest.to_vec(),
            _ => vec![self.clone()],
        }
    }
}

impl Strips {
    /// Reads a domain; a group is written as `on x _ | holding x`, where `_` is anything and other letters must agree.
    pub fn new(text: &str, groups: &[&str]) -> Strips {
        let spaced = text.to_lowercase().replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace().map(str::to_owned);
        let domain = Node::parse(&mut words).expect("a domain");
        let mut operators = HashMap::new();
        for action in domain.list().iter().filter(|node| node.list().first().is_some_and(|n| n.word() == ":action")) {
            let action = action.list();
            let part = |name: &str| {
                let at = action.iter().position(|node| node.word() == name).expect("a part of an action");
                action[at + 1].clone()
            };
            let mut operator = Operator::default();
            let names = part(":parameters").atom();
            operator.variables = names.into_iter().filter(|name| name.starts_with('?')).collect();
            for need in part(":precondition").parts() {
                match need.list() {
                    [not, equal] if not.word() == "not" => {
                        let equal = equal.atom();
                        operator.different.push((equal[1].clone(), equal[2].clone()));
                    }
                    _ => operator.needs.push(need.atom()),
                }
            }
            for effect in part(":effect").parts() {
                match effect.list() {
                    [not, atom] if not.word() == "not" => operator.deletes.push(atom.atom()),
                    _ => operator.adds.push(effect.atom()),
                }
            }
            operators.insert(action[1].word().to_owned(), operator);
        }
        let groups = groups
            .iter()
            .map(|group| group.split('|').map(|atom| atom.split_whitespace().map(str::to_owned).collect()).collect());
        Strips { operators, groups: groups.collect() }
    }

    /// The groups a fact is in: their number, and the objects that they are about.
    fn groups(&self, fact: &Atom) -> Vec<(usize, Vec<String>)> {
        let mut found = Vec::new();
        for (number, group) in self.groups.iter().enumerate() {
            for pattern in group.iter().filter(|p| p[0] == fact[0] && p.len() == fact.len()) {
                let about =
                    pattern.iter().zip(fact).skip(1).filter(|(p, _)| *p != "_").map(|(_, object)| object.clone());
                found.push((number, about.collect()));
            }
        }
        found
    }

    /// Whether some initial state lets the plan be carried out.
    pub fn is_true(&self, plan: &[Action]) -> bool {
        let mut known: HashMap<(usize, Vec<String>), Option<Atom>> = HashMap::new();
        for action in plan {
            let operator = &self.operators[&action.name];
            let values: HashMap<&str, &str> = operator
                .variables
                .iter()
                .map(String::as_str)
                .zip(action.arguments.iter().map(String::as_str))
                .collect();
            let ground = |atom: &Atom| -> Atom {
                atom.iter().map(|word| values.get(word.as_str()).map_or(word.clone(), |v| (*v).to_owned())).collect()
            };
            if operator.different.iter().any(|(a, b)| values[a.as_str()] == values[b.as_str()]) {
                return false;
            }
            for fact in operator.needs.iter().map(ground) {
                for group in self.groups(&fact) {
                    if *known.entry(group).or_insert(Some(fact.clone())) != Some(fact.clone()) {
                        return false;
                    }
                }
            }
            for fact in operator.deletes.iter().map(ground) {
                self.groups(&fact).into_iter().for_each(|group| drop(known.insert(group, None)));
            }
            for fact in operator.adds.iter().map(ground) {
                self.groups(&fact).into_iter().for_each(|group| drop(known.insert(group, Some(fact.clone()))));
            }
        }
        true
    }

    /// Predicates that actions change and that no group speaks of.
    pub fn ungrouped(&self) -> HashSet<String> {
        let effects = self.operators.values().flat_map(|operator| operator.adds.iter().chain(&operator.deletes));
        let grouped: HashSet<&String> = self.groups.iter().flatten().map(|atom| &atom[0]).collect();
        effects.map(|atom| atom[0].clone()).filter(|name| !grouped.contains(name)).collect()
    }
}

//! The language of rules: terms, literals, facts and descriptions.
//!
//! A *feature* is a predicate with its arguments. One without variables is a [`Fact`]; a state is a set of them. A [`Description`] is a conjunction
//! of [`Literal`]s: it describes a state if its literals match *distinct* facts of the state under one substitution, and if no pair that
//! must not be equal is. Literals of static relations may share a fact: they say what holds on the board whatever happens.

use smallvec::SmallVec;
use std::collections::HashMap;

/// A predicate or an object, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub u32);

/// The texts of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    texts: Vec<String>,
    numbers: HashMap<String, Name>,
}

impl Names {
    /// The number of a text, a new one if it has none yet.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.numbers.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), name);
        name
    }

    /// The number of a text, if it has one.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "there are always some")]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The text of a number.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
}

/// A variable of a rule, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// An argument of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Argument {
    /// An object.
    Object(Name),
    /// Any object.
    Variable(Variable),
}

/// A feature that may have variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// The predicate.
    pub predicate: Name,
    /// Its arguments.
    pub arguments: SmallVec<[Argument; 3]>,
}

/// A feature without variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The predicate.
    pub predicate: Name,
    /// Its arguments.
    pub arguments: SmallVec<[Name; 3]>,
}

impl Fact {
    /// The fact as a literal.
    pub fn literal(&self) -> Literal {
        Literal {
            predicate: self.predicate,
            arguments: self.arguments.iter().map(|&name| Argument::Object(name)).collect(),
        }
    }
}

/// A conjunction of literals and of pairs that must not be equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The literals.
    pub literals: Vec<Literal>,
    /// `not-equals`
    pub unequal: Vec<(Argument, Argument)>,
}

/// What variables stand for; those that are not here are free.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings(Vec<Option<Name>>);

impl Bindings {
    /// What a variable stands for.
    pub fn get(&self, variable: Variable) -> Option<Name> {
        self.0.get(variable.0 as usize).copied().flatten()
    }

    /// Lets a variable stand for an object.
    pub fn set(&mut self, variable: Variable, name: Name) {
        let at = variable.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some(name);
    }

    /// Frees a variable.
    pub fn clear(&mut self, variable: Variable) {
        if let Some(place) = self.0.get_mut(variable.0 as usize) {
            *place = None;
        }
    }

    /// What an argument stands for.
    pub fn value(&self, argument: Argument) -> Option<Name> {
        match argument {
            Argument::Object(name) => Some(name),
            Argument::Variable(variable) => self.get(variable),
        }
    }

    /// The fact that a literal becomes, if nothing in it is free.
    pub fn fact(&self, literal: &Literal) -> Option<Fact> {
        let arguments = literal.arguments.iter().map(|&argument| self.value(argument)).collect::<Option<_>>()?;
        Some(Fact { predicate: literal.predicate, arguments })
    }

    /// Whether every pair that must not be equal differs; pairs with something free do.
    pub fn respects(&self, unequal: &[(Argument, Argument)]) -> bool {
        unequal.iter().all(|&(a, b)| match (self.value(a), self.value(b)) {
            (Some(a), Some(b)) => a != b,
            _ => a != b,
        })
    }

    /// Unifies a literal with a fact and returns the variables that were bound for it; `None` (and nothing bound) if it does not fit.
    pub fn unify(&mut self, literal: &Literal, fact: &Fact) -> Option<SmallVec<[Variable; 3]>> {
        let mut bound: SmallVec<[Variable; 3]> = SmallVec::new();
        let fits = literal.predicate == fact.predicate && literal.arguments.len() == fact.arguments.len();
        let fits = fits
            && literal.arguments.iter().zip(&fact.arguments).all(|(&argument, &name)| {
                match (self.value(argument), argument) {
                    (Some(value), _) => value == name,
                    (None, Argument::Variable(variable)) => {
                        self.set(variable, name);
                        bound.push(variable);
                        true
                    }
                    (None, Argument::Object(_)) => false,
                }
            });
        if fits {
            return Some(bound);
        }
        bound.iter().for_each(|&variable| self.clear(variable));
        None
    }
}

impl Literal {
    /// The literal with every variable replaced as `change` says.
    #[must_use]
    pub fn map(&self, change: &mut impl FnMut(Variable) -> Argument) -> Literal {
        let arguments = self.arguments.iter().map(|&argument| map_argument(argument, change)).collect();
        Literal { predicate: self.predicate, arguments }
    }

    /// Its variables, in order, with repetitions.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Variable(variable) => Some(*variable),
            Argument::Object(_) => None,
        })
    }
}

/// An argument with its variable replaced as `change` says.
pub fn map_argument(argument: Argument, change: &mut impl FnMut(Variable) -> Argument) -> Argument {
    match argument {
        Argument::Variable(variable) => change(variable),
        object => object,
    }
}

impl Description {
    /// The description with every variable replaced as `change` says, literals that become equal taken once.
    #[must_use]
    pub fn map(&self, change: &mut impl FnMut(Variable) -> Argument) -> Description {
        let mut mapped = Description::default();
        self.literals.iter().for_each(|literal| mapped.add(literal.map(change)));
        for &(a, b) in &self.unequal {
            mapped.differ(map_argument(a, change), map_argument(b, change));
        }
        mapped
    }

    /// Adds a literal, if it is not there.
    pub fn add(&mut self, literal: Literal) {
        if !self.literals.contains(&literal) {
            self.literals.push(literal);
        }
    }

    /// Demands that two arguments differ; objects that do need no saying.
    pub fn differ(&mut self, a: Argument, b: Argument) {
        let pair = if a <= b { (a, b) } else { (b, a) };
        let plain = matches!(pair, (Argument::Object(a), Argument::Object(b)) if a != b);
        if !plain && !self.unequal.contains(&pair) {
            self.unequal.push(pair);
        }
    }

    /// All variables, each once, in the order in which they are met.
    pub fn variables(&self) -> Vec<Variable> {
        let mut found = Vec::new();
        let pairs = self.unequal.iter().flat_map(|&(a, b)| [a, b]).filter_map(|argument| match argument {
            Argument::Variable(variable) => Some(variable),
            Argument::Object(_) => None,
        });
        for variable in self.literals.iter().flat_map(Literal::variables).chain(pairs) {
            if !found.contains(&variable) {
                found.push(variable);
            }
        }
        found
    }
}

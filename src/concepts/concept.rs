//! Concepts: conjunctions of literals with variables, each in one canonical form, so that the same concept is found only once.

use super::literal::{Argument, Literal, write_body};
use std::fmt;

/// A conjunction of literals, such as `cell(X0,X1,X2), cell(X0,X1+1,X2)`: a cell and the one after it hold the same.
///
/// Its literals are in order, variables are numbered as they come, and each comes first with nothing added to it: two concepts that
/// say the same are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Concept {
    body: Vec<Literal>,
}

impl Concept {
    /// The most literals a concept may have: more orders of them would have to be tried than is sensible.
    pub const MOST_LITERALS: usize = 6;

    /// The concept of a conjunction; literals that are there twice count once. `None` if it has none or too many.
    pub fn new(literals: &[Literal]) -> Option<Concept> {
        let mut literals = literals.to_vec();
        literals.sort();
        literals.dedup();
        if literals.is_empty() || literals.len() > Concept::MOST_LITERALS {
            return None;
        }
        // The smallest of the forms in which its literals can be ordered, additions before subtractions.
        let mut order: Vec<usize> = (0..literals.len()).collect();
        let mut best: Option<(usize, Vec<Literal>)> = None;
        permutations(&mut order, 0, &mut |order| {
            let form = numbered(order.iter().map(|&at| &literals[at]));
            let arguments = form.iter().flat_map(|literal| &literal.arguments);
            let less =
                arguments.filter(|argument| matches!(argument, Argument::Variable(_, plus) if *plus < 0)).count();
            if best.as_ref().is_none_or(|best| (less, &form) < (best.0, &best.1)) {
                best = Some((less, form));
            }
        });
        best.map(|(_, body)| Concept { body })
    }

    /// Its literals.
    pub fn body(&self) -> &[Literal] {
        &self.body
    }

    /// How many variables it has.
    pub fn variables(&self) -> usize {
        let arguments = self.body.iter().flat_map(|literal| &literal.arguments);
        let numbers = arguments.filter_map(|argument| match argument {
            Argument::Variable(number, _) => Some(usize::from(*number) + 1),
            _ => None,
        });
        numbers.max().unwrap_or(0)
    }

    /// The names that are its own: it says something only about games that have them.
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        self.body.iter().flat_map(|literal| &literal.arguments).filter_map(|argument| match argument {
            Argument::Name(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl fmt::Display for Concept {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write_body(f, &self.body)
    }
}

/// The literals with their variables numbered anew as they come; what is added to each is counted from its first place.
fn numbered<'a>(literals: impl Iterator<Item = &'a Literal>) -> Vec<Literal> {
    let mut seen: Vec<(u8, i64)> = Vec::new();
    let mut rename = |argument: &Argument| match *argument {
        Argument::Variable(variable, plus) => {
            let at = seen.iter().position(|(known, _)| *known == variable).unwrap_or_else(|| {
                seen.push((variable, plus));
                seen.len() - 1
            });
            Argument::Variable(at as u8, plus.saturating_sub(seen[at].1))
        }
        _ => argument.clone(),
    };
    literals
        .map(|literal| Literal {
            name: literal.name.clone(),
            arguments: literal.arguments.iter().map(&mut rename).collect(),
        })
        .collect()
}

fn permutations(order: &mut Vec<usize>, from: usize, see: &mut dyn FnMut(&[usize])) {
    if from + 1 >= order.len() {
        return see(order);
    }
    for at in from..order.len() {
        order.swap(from, at);
        permutations(order, from + 1, see);
        order.swap(from, at);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::concepts::Heuristic;

    /// The concept of a text.
    pub(in crate::concepts) fn concept(body: &str) -> Concept {
        let text = format!("concepts(1).\ngame(g).\nsum(odds).\nconcept1 :- {body}.\n");
        Heuristic::parse(&text).unwrap().concepts[0].clone()
    }

    #[test]
    fn what_says_the_same_is_the_same_concept() {
        for (one, other) in [
            ("cell(A,B,C), cell(A,B+1,C)", "cell(P,Q,R), cell(P,Q-1,R)"),
            ("cell(A,B,x), cell(A+2,B,o)", "cell(A,B,o), cell(A-2,B,x)"),
            ("p(A+5), q(A+7)", "q(B+2), p(B)"),
            ("p(A), p(A)", "p(B)"),
        ] {
            assert_eq!(concept(one), concept(other));
        }
        assert_ne!(concept("cell(A,B,C), cell(A,B+1,C)"), concept("cell(A,B,C), cell(A,B+1,D)"));
        assert_eq!(concept("cell(A,B,C), cell(A,B+1,C)").to_string(), "cell(X0,X1,X2), cell(X0,X1+1,X2)");
    }
}

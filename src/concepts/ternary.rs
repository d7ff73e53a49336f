//! Ternary concepts (Algorithm 4 of the paper): two binary concepts that share a literal, found by unification.

use super::concept::Concept;
use super::literal::{Argument, Literal};
use std::collections::BTreeSet;

/// What variables stand for.
type Substitution = Vec<Option<Argument>>;

/// All concepts of three literals that two concepts of two make when a literal of one unifies with one of the other, each
/// once; at most `most`. A concept is also put together with itself.
pub fn ternary_concepts(concepts: &[Concept], most: usize) -> Vec<Concept> {
    let mut found = BTreeSet::new();
    for (at, one) in concepts.iter().enumerate() {
        for other in &concepts[at..] {
            let shifted = shifted(other, one.variables());
            let variables = one.variables() + other.variables();
            for first in one.body() {
                for second in &shifted {
                    if found.len() >= most {
                        return found.into_iter().collect();
                    }
                    found.extend(joined(one.body(), &shifted, first, second, variables));
                }
            }
        }
    }
    found.into_iter().collect()
}

/// The conjunction of two bodies in which two literals are made the same.
fn joined(one: &[Literal], other: &[Literal], first: &Literal, second: &Literal, variables: usize) -> Option<Concept> {
    if first.name != second.name || first.arguments.len() != second.arguments.len() {
        return None;
    }
    let mut substitution: Substitution = vec![None; variables];
    let mut pairs = first.arguments.iter().zip(&second.arguments);
    if !pairs.all(|(a, b)| unify(a, b, &mut substitution)) {
        return None;
    }
    let apply = |literal: &Literal| -> Option<Literal> {
        let arguments = literal.arguments.iter().map(|argument| resolved(argument, &substitution));
        Some(Literal { name: literal.name.clone(), arguments: arguments.collect::<Option<_>>()? })
    };
    let bodies = one.iter().chain(other).map(apply).collect::<Option<Vec<Literal>>>()?;
    let distinct: BTreeSet<&Literal> = bodies.iter().collect();
    if distinct.len() == 3 { Concept::new(&bodies) } else { None }
}

/// The body of a concept with its variables numbered from somewhere else.
fn shifted(concept: &Concept, by: usize) -> Vec<Literal> {
    let shift = |argument: &Argument| match argument {
        Argument::Variable(variable, plus) => Argument::Variable(variable.saturating_add(by as u8), *plus),
        other => other.clone(),
    };
    let literal = |literal: &Literal| Literal {
        name: literal.name.clone(),
        arguments: literal.arguments.iter().map(shift).collect(),
    };
    concept.body().iter().map(literal).collect()
}

/// What an argument is when all is put in; `None` if something would be added to a name.
fn resolved(argument: &Argument, substitution: &Substitution) -> Option<Argument> {
    let Argument::Variable(variable, plus) = argument else { return Some(argument.clone()) };
    let Some(stands_for) = &substitution[usize::from(*variable)] else { return Some(argument.clone()) };
    match resolved(stands_for, substitution)? {
        Argument::Number(number) => Some(Argument::Number(number.checked_add(*plus)?)),
        Argument::Variable(other, more) => Some(Argument::Variable(other, more.checked_add(*plus)?)),
        Argument::Name(name) => (*plus == 0).then_some(Argument::Name(name)),
    }
}

fn unify(one: &Argument, other: &Argument, substitution: &mut Substitution) -> bool {
    let (Some(one), Some(other)) = (resolved(one, substitution), resolved(other, substitution)) else { return false };
    match (one, other) {
        (Argument::Variable(a, plus), Argument::Variable(b, more)) if a == b => plus == more,
        (Argument::Variable(a, plus), Argument::Variable(b, more)) => {
            substitution[usize::from(b)] = Some(Argument::Variable(a, plus - more));
            true
        }
        (Argument::Variable(variable, plus), Argument::Number(number))
        | (Argument::Number(number), Argument::Variable(variable, plus)) => {
            substitution[usize::from(variable)] = Some(Argument::Number(number - plus));
            true
        }
        (Argument::Variable(variable, plus), Argument::Name(name))
        | (Argument::Name(name), Argument::Variable(variable, plus)) => {
            substitution[usize::from(variable)] = Some(Argument::Name(name));
            plus == 0
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::concept::tests::concept;

    #[test]
    fn lines_and_mixed_marks_are_found() {
        let lines = ternary_concepts(&[concept("cell(A,B,C), cell(A,B+1,C)")], 100);
        let row = concept("cell(A,B,C), cell(A,B+1,C), cell(A,B+2,C)");
        assert_eq!(lines, [row]);
        let binary = ["cell(A,B,C), cell(A+1,B+1,C)", "cell(A,B,x), cell(A+2,B+2,o)"].map(concept);
        let found = ternary_concepts(&binary, 100);
        for wanted in [
            "cell(A,B,C), cell(A+1,B+1,C), cell(A+2,B+2,C)",
            "cell(A,B,x), cell(A+1,B+1,x), cell(A+2,B+2,o)",
            "cell(A,B,x), cell(A+1,B+1,o), cell(A+2,B+2,o)",
            "cell(A,B,x), cell(A-1,B-1,x), cell(A+2,B+2,o)",
            "cell(A,B,x), cell(A+2,B+2,o), cell(A+3,B+3,o)",
        ] {
            assert!(found.contains(&concept(wanted)), "{wanted}");
        }
        // The two literals of the second concept have different marks, so only its ends of one mark go together with itself.
        assert!(found.iter().all(|concept| concept.body().len() == 3));
        assert_eq!(ternary_concepts(&binary, 2).len(), 2);
    }
}

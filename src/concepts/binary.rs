//! Binary concepts (Algorithm 2 of the paper): what pairs of facts in rules have in common, with variables put in.

use super::concept::Concept;
use super::heuristic::Heuristic;
use super::literal::{Argument, Literal};
use std::collections::BTreeSet;

/// The concept of two facts: numbers in corresponding places become a variable and what is added to it, equal names
/// become a variable, everything else stays. `None` if there is nothing to put a variable for.
pub fn pair_concept(one: &Literal, other: &Literal) -> Option<Concept> {
    let (mut first, mut second) = (one.clone(), other.clone());
    let mut variables = 0;
    for (a, b) in first.arguments.iter_mut().zip(&mut second.arguments) {
        let plus = match (&*a, &*b) {
            (Argument::Number(a), Argument::Number(b)) => b.checked_sub(*a),
            (Argument::Name(a), Argument::Name(b)) if a == b => Some(0),
            _ => None,
        };
        if let (Some(plus), Ok(variable)) = (plus, u8::try_from(variables)) {
            *a = Argument::Variable(variable, 0);
            *b = Argument::Variable(variable, plus);
            variables += 1;
        }
    }
    if variables == 0 { None } else { Concept::new(&[first, second]) }
}

/// The concepts of all pairs of facts in the rules of a heuristic, each once.
pub fn binary_concepts(heuristic: &Heuristic) -> Vec<Concept> {
    let mut concepts = BTreeSet::new();
    for rule in heuristic.roles.iter().flat_map(|role| &role.rules) {
        for (at, one) in rule.body.iter().enumerate().filter(|(_, one)| one.is_ground()) {
            let others = rule.body[at + 1..].iter().filter(|other| other.is_ground());
            concepts.extend(others.filter_map(|other| pair_concept(one, other)));
        }
    }
    concepts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::concept::tests::concept;

    #[test]
    fn the_papers_concepts_are_found() {
        let text = "concepts(1). game(g). sum(frequencies).\nrole(x).\n\
            evaluation(0.2) :- cell(1,1,x), cell(1,2,x).\nevaluation(0.2) :- cell(2,2,o), cell(2,3,o).\n\
            evaluation(0.1) :- cell(1,1,x), cell(3,3,x), cell(2,2,o).\nevaluation(0.1) :- cell(1,1,x).\n";
        let found = binary_concepts(&Heuristic::parse(text).unwrap());
        let expected: BTreeSet<Concept> = [
            "cell(A,B,C), cell(A,B+1,C)",
            "cell(A,B,C), cell(A+2,B+2,C)",
            "cell(A,B,x), cell(A+1,B+1,o)",
            "cell(A,B,x), cell(A-1,B-1,o)",
        ]
        .map(concept)
        .into();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
        let apart = Literal { name: "done".to_owned(), arguments: Vec::new() };
        assert_eq!(pair_concept(&apart, &apart), None);
    }
}

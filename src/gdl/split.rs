//! Rule decomposition before grounding, so that conditions that share few variables are not multiplied out.
//!
//! In "a cell keeps its content if somebody makes a move that does not touch it", the content and the move have nothing in
//! common but the cell. Ground, that would be one clause for each cell, content and move. So the conditions about the move
//! become a relation of their own, of cells: one clause for each cell and move, and one for each cell and content.

use super::program::{Clause, Literal, Pat, Phase, Relation};
use super::terms::Terms;

/// The clauses taken apart; relations are added for that.
pub(super) fn split(rules: Vec<Clause>, terms: &mut Terms, relations: &mut Vec<Relation>) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for clause in rules {
        let mut rest = clause;
        while let Some(part) = part(&rest, relations) {
            let (made, changed) = separate(&rest, &part, clauses.len(), terms, relations);
            clauses.push(made);
            rest = changed;
        }
        clauses.push(rest);
    }
    clauses
}

fn variables(literal: &Literal) -> Vec<usize> {
    let mut found = Vec::new();
    match literal {
        Literal::Holds(pat, _) | Literal::Fails(pat, _) => pat.variables(&mut found),
        Literal::Distinct(one, other, _) | Literal::Same(one, other, _) => {
            one.variables(&mut found);
            other.variables(&mut found);
        }
    }
    found
}

fn phase(literal: &Literal, relations: &[Relation]) -> Phase {
    match literal {
        Literal::Holds(pat, _) | Literal::Fails(pat, _) => relations[pat.functor().index()].phase,
        Literal::Distinct(..) | Literal::Same(..) => Phase::Fixed,
    }
}

/// The numbers of conditions that have variables of their own, and share with the rest fewer variables than the rest has.
fn part(clause: &Clause, relations: &[Relation]) -> Option<Vec<usize>> {
    let used: Vec<Vec<usize>> = clause.body.iter().map(variables).collect();
    let mut in_head = Vec::new();
    clause.head.variables(&mut in_head);
    let mut seen = vec![false; clause.body.len()];
    for begin in 0..clause.body.len() {
        if seen[begin] || used[begin].iter().all(|variable| in_head.contains(variable)) {
            continue;
        }
        // All that hangs together by variables that are not in the head.
        let mut members = vec![begin];
        seen[begin] = true;
        let mut at = 0;
        while at < members.len() {
            for other in 0..clause.body.len() {
                let shared = |variable: &usize| !in_head.contains(variable) && used[members[at]].contains(variable);
                if !seen[other] && used[other].iter().any(shared) {
                    seen[other] = true;
                    members.push(other);
                }
            }
            at += 1;
        }
        members.sort_unstable();
        let inside = |variable: usize| members.iter().any(|&member| used[member].contains(&variable));
        let bound = |variable: usize| {
            members.iter().any(|&m| matches!(clause.body[m], Literal::Holds(..)) && used[m].contains(&variable))
        };
        let interface: Vec<usize> = in_head.iter().copied().filter(|&variable| inside(variable)).collect();
        let left = (0..clause.body.len()).filter(|literal| !members.contains(literal));
        let richer = left.flat_map(|literal| &used[literal]).any(|variable| !interface.contains(variable));
        let changes = members.iter().any(|&member| phase(&clause.body[member], relations) != Phase::Fixed);
        if richer && changes && interface.iter().all(|&variable| bound(variable)) {
            return Some(members);
        }
    }
    None
}

/// Makes a clause of its own from some conditions of another.
fn separate(
    clause: &Clause,
    part: &[usize],
    number: usize,
    terms: &mut Terms,
    relations: &mut Vec<Relation>,
) -> (Clause, Clause) {
    let mut in_head = Vec::new();
    clause.head.variables(&mut in_head);
    let inside = |variable: &usize| part.iter().any(|&member| variables(&clause.body[member]).contains(variable));
    let interface: Vec<Pat> = in_head.iter().copied().filter(|v| inside(v)).map(Pat::Variable).collect();
    // No name of a sheet has a space in it.
    let functor = terms.functor(&format!("part {number}"), Some(interface.len() as u32));
    let phase = part.iter().map(|&member| phase(&clause.body[member], relations)).max().unwrap_or_default();
    relations.resize(terms.functors(), Relation::default());
    relations[functor.index()] = Relation { used: true, phase };
    let head = Pat::Apply(functor, interface);
    let is_own = |literal: &usize| part.contains(literal);
    let own = (0..clause.body.len()).filter(is_own).map(|literal| clause.body[literal].clone());
    let made = Clause { head: head.clone(), body: own.collect(), ..clause.clone() };
    let rest = (0..clause.body.len()).filter(|literal| !is_own(literal)).map(|literal| clause.body[literal].clone());
    let condition = Literal::Holds(head, clause.span.clone());
    let changed = Clause { body: rest.chain([condition]).collect(), ..clause.clone() };
    (made, changed)
}

//! Resolving the moves that others report to legal moves of the game.
//!
//! Names of sheets are case-sensitive, but programs that run matches may write everything in upper or lower case. So
//! a word is what it says exactly, or otherwise what it says without regard to case, if that is one thing only.

use crate::game::{Game, Role, Roles, Term};

/// The role that somebody means.
pub fn find_role(roles: &[String], found: &Term) -> Option<Role> {
    let found = found.to_string();
    let likeness = |role: &String| likeness(role, &found);
    the_one(roles.iter().map(likeness)).map(|role| Role(role as u8))
}

/// A reported move that is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// Whose move it is.
    pub role: Role,
    /// What was reported; `None` if nothing was.
    pub found: Option<Term>,
    /// What was taken instead: the role's first legal move.
    pub instead: Term,
}

/// The joint move that is meant by a term for each role, with all that does not fit.
///
/// It can be played wherever the game is not over and no limit of its engine is reached. What matches no legal move is replaced
/// by the first one.
pub fn joint_move<G: Game>(game: &G, state: &G::State, named: &[Term]) -> (Vec<G::Move>, Vec<Unresolved>) {
    let to_move = game.to_move(state);
    let mut joint = Vec::new();
    let mut misfits = Vec::new();
    let mut moves = Vec::new();
    for role in Roles::first(game.roles().len()).iter() {
        let found = named.get(role.index());
        let text = found.map(ToString::to_string).unwrap_or_default();
        if !to_move.contains(role) {
            let only = game.only_move(state, role);
            if likeness(&only.to_string(), &text).is_none() {
                misfits.push(Unresolved { role, found: found.cloned(), instead: only });
            }
            continue;
        }
        game.legal(state, role, &mut moves);
        let likenesses = moves.iter().map(|legal| likeness(&game.move_term(state, role, legal).to_string(), &text));
        match the_one(likenesses) {
            Some(pick) => joint.push(moves.swap_remove(pick)),
            None if moves.is_empty() => {}
            None => {
                let first = moves.swap_remove(0);
                misfits.push(Unresolved { role, found: found.cloned(), instead: game.move_term(state, role, &first) });
                joint.push(first);
            }
        }
    }
    (joint, misfits)
}

/// How well a text says something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    But,
    Exact,
}

fn likeness(meant: &str, found: &str) -> Option<Likeness> {
    if meant == found { Some(Likeness::Exact) } else { meant.eq_ignore_ascii_case(found).then_some(Likeness::But) }
}

/// The only one that fits exactly, or otherwise the only one that fits but for case.
fn the_one(likenesses: impl Iterator<Item = Option<Likeness>>) -> Option<usize> {
    let fits: Vec<(usize, Likeness)> = likenesses.enumerate().filter_map(|(at, fit)| Some((at, fit?))).collect();
    let best = fits.iter().map(|&(_, fit)| fit).max()?;
    let mut found = fits.iter().filter(|&&(_, fit)| fit == best);
    let (at, _) = found.next()?;
    found.next().is_none().then_some(*at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GdlGame;
    use crate::gdl::{Engine, GroundingLimits, Program};

    const SHEET: &str = "(role Left) (role left) (role right) (init start)
        (legal Left a) (legal Left A) (legal Left (b C)) (legal left wait) (legal right x) (legal right y)
        (<= (next done) (does Left ?m)) (<= terminal (true done)) (goal Left 1) (goal left 1) (goal right 1)";

    #[test]
    fn roles_and_moves_are_made_out_if_they_are_one_thing_only() {
        let program = Program::read(SHEET).unwrap();
        let game = GdlGame::new("", program, Engine::Prover, &GroundingLimits::default()).unwrap();
        let role = |text: &str| find_role(game.roles(), &Term::name(text)).map(|role| role.0);
        assert_eq!(["Left", "left", "LEFT", "RIGHT", "up"].map(role), [Some(0), Some(1), None, Some(2), None]);
        let state = game.start();
        for (named, meant, misfits) in [
            (&["a", "wait", "x"][..], ["a", "x"], &[][..]),
            (&["A", "WAIT", "Y"], ["A", "y"], &[]),
            (&["(B c)", "wait", "x"], ["(b C)", "x"], &[]),
            (&["b", "wait", "X"], ["(b C)", "x"], &[0]),
            (&["a", "go", "(x)"], ["a", "x"], &[1, 2]),
            (&["a"], ["a", "x"], &[1, 2]),
            (&["a", "wait", "y", "more"], ["a", "y"], &[]),
        ] {
            let named: Vec<Term> = named.iter().map(|text| text.parse().unwrap()).collect();
            let (joint, found) = joint_move(&game, &state, &named);
            let terms: Vec<String> = [0, 2]
                .iter()
                .zip(&joint)
                .map(|(&role, choice)| game.move_term(&state, Role(role), choice).to_string())
                .collect();
            assert_eq!(terms, meant, "{named:?}");
            let found: Vec<u8> = found.iter().map(|misfit| misfit.role.0).collect();
            assert_eq!(found, misfits, "{named:?}");
        }
    }
}

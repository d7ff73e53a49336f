//! Moves that ground rules name, grouped: "one of these" is "none of the others", whichever is shorter.

use super::circuit::Lit;
use super::propositions::Builder;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How many lists of conditions may be left where some were opened, and how many conditions may be opened in all.
const MOST_LEFT: usize = 64;
const MOST_OPENED: usize = 2_000_000;

/// Lists of conditions that differ only in which move a role makes.
struct MoveGroup {
    role: usize,
    /// What they have in common.
    rest: Vec<Lit>,
    /// The literals that say what is done: moves, or gates for one of several.
    ways: Vec<Lit>,
    /// All these moves, sorted.
    moves: Vec<Lit>,
}

impl Builder<'_> {
    /// Joins lists that differ only in which move a role makes.
    ///
    /// A role makes exactly one move. So "one of these" is the same as "none of the others", whichever is shorter: this is
    /// what turns rules such as "whatever is not moved stays where it is", written out for every move, into one gate.
    pub(super) fn gather_moves(&mut self, bodies: &mut Vec<Vec<Lit>>) {
        let opened = self.open_choices(bodies);
        let (mut choices, mut others) = self.choices(bodies, false);
        let most = |choices: &[MoveGroup]| choices.iter().filter(|choice| self.is_most(choice)).count();
        let mut most_so_far = most(&choices);
        for lists in [Some(&*bodies), opened.as_ref()].into_iter().flatten() {
            let found = self.choices(lists, true);
            // If little is gained by it, gates that others share are better left as they are.
            if most(&found.0) > most_so_far && found.0.len() + found.1.len() <= MOST_LEFT {
                most_so_far = most(&found.0);
                (choices, others) = found;
            }
        }
        for choice in choices {
            let with = |lit: Lit| {
                let mut body: Vec<Lit> =
                    choice.rest.iter().copied().chain([lit]).filter(|&lit| lit != Lit::TRUE).collect();
                body.sort_unstable();
                body
            };
            if self.is_most(&choice) {
                let all = self.moves[choice.role].iter().map(|choice| self.lits[choice.does_atom.index()]);
                let mut left: Vec<Lit> = all.filter(|does| choice.moves.binary_search(does).is_err()).collect();
                left.iter_mut().for_each(|does| *does = !*does);
                others.push(with(self.circuit.and(&mut left)));
            } else {
                let (mut single, several): (Vec<Lit>, Vec<Lit>) = choice.ways.iter().partition(|way| !way.denied());
                others.extend(several.into_iter().map(with));
                if !single.is_empty() {
                    others.push(with(self.circuit.or(&mut single)));
                }
            }
        }
        *bodies = others;
        bodies.sort_unstable();
        bodies.dedup();
    }

    fn is_most(&self, choice: &MoveGroup) -> bool {
        choice.moves.len() * 2 > self.moves[choice.role].len()
    }

    /// The choices of moves among some lists of conditions, and the lists that are left. A list that names moves of several
    /// roles goes where most moves of a role come together, or is left. Gates for one of several moves count if asked for.
    fn choices(&self, bodies: &[Vec<Lit>], gates: bool) -> (Vec<MoveGroup>, Vec<Vec<Lit>>) {
        let names =
            |lit: &Lit| if gates { self.one_of(*lit).is_some() } else { !lit.denied() && self.role_of(*lit).is_some() };
        let ways: Vec<SmallVec<[Lit; 2]>> =
            bodies.iter().map(|body| body.iter().copied().filter(names).collect()).collect();
        let mut choices = Vec::new();
        let mut taken = vec![false; bodies.len()];
        if ways.iter().any(|ways| ways.len() > 1) {
            let all = (0..bodies.len()).flat_map(|body| ways[body].iter().map(move |&way| (body, way)));
            for (choice, members) in self.grouped(bodies, all) {
                if self.is_most(&choice) && members.iter().all(|&body| !taken[body]) {
                    members.iter().for_each(|&body| taken[body] = true);
                    choices.push(choice);
                }
            }
        }
        let left = (0..bodies.len()).filter(|&body| !taken[body]);
        let single = left.clone().filter(|&body| ways[body].len() == 1).map(|body| (body, ways[body][0]));
        choices.extend(self.grouped(bodies, single).into_iter().map(|(choice, _)| choice));
        let others = left.filter(|&body| ways[body].len() != 1).map(|body| bodies[body].clone());
        (choices, others.collect())
    }

    /// The choices of some lists, each with a literal by which it names moves, and the numbers of the lists.
    fn grouped(&self, bodies: &[Vec<Lit>], ways: impl Iterator<Item = (usize, Lit)>) -> Vec<(MoveGroup, Vec<usize>)> {
        let mut found: Vec<(MoveGroup, Vec<usize>)> = Vec::new();
        let mut places: FxHashMap<(usize, Vec<Lit>), usize> = FxHashMap::default();
        for (body, way) in ways {
            let Some((role, moves)) = self.one_of(way) else { continue };
            let rest = bodies[body].iter().copied().filter(|&lit| lit != way).collect();
            let place = *places.entry((role, rest)).or_insert_with_key(|(_, rest)| {
                found.push((MoveGroup { role, rest: rest.clone(), ways: Vec::new(), moves: Vec::new() }, Vec::new()));
                found.len() - 1
            });
            let (choice, members) = &mut found[place];
            choice.ways.push(way);
            // A gate says that none is made; a move stands for itself.
            if moves.is_empty() {
                choice.moves.push(way);
            }
            choice.moves.extend(moves.iter().map(|&lit| !lit));
            members.push(body);
        }
        for (choice, _) in &mut found {
            choice.moves.sort_unstable();
            choice.moves.dedup();
        }
        found
    }

    /// If a literal says that a role makes one of some moves: the role, and that none is made, unless it is a move itself.
    fn one_of(&self, lit: Lit) -> Option<(usize, &[Lit])> {
        if let Some(role) = self.role_of(lit) {
            return (!lit.denied()).then_some((role, &[]));
        }
        let inputs = self.circuit.inputs(lit.node());
        let role = self.role_of(*inputs.first().filter(|_| lit.denied())?)?;
        let of_role = |&input: &Lit| input.denied() && self.role_of(input) == Some(role);
        inputs.iter().all(of_role).then_some((role, inputs))
    }

    /// The role of a move.
    fn role_of(&self, lit: Lit) -> Option<usize> {
        let number = lit.node().checked_sub(self.first_move)?;
        self.move_roles.get(number).copied()
    }

    /// Opens conditions that stand alone and say that one of several things is done: "a piece stays if something else is
    /// moved, or jumps twice elsewhere" are lists of moves that are most moves only together. `None` if there are none.
    fn open_choices(&mut self, bodies: &[Vec<Lit>]) -> Option<Vec<Vec<Lit>>> {
        let (circuit, mut left) = (&self.circuit, MOST_OPENED.saturating_sub(self.opened));
        let mut ways_of = |body: &[Lit]| {
            let [only] = body[..] else { return None };
            let ways = circuit.inputs(only.node());
            let opens = only.denied() && ways.len() <= left && ways.iter().any(|&way| self.one_of(!way).is_some());
            left -= if opens { ways.len() } else { 0 };
            opens.then_some(ways)
        };
        if !bodies.iter().any(|body| ways_of(body).is_some()) {
            return None;
        }
        let mut opened: Vec<Vec<Lit>> = Vec::new();
        let mut closed = bodies.to_vec();
        while let Some(body) = closed.pop() {
            let Some(ways) = ways_of(&body) else {
                opened.push(body);
                continue;
            };
            closed.extend(ways.iter().map(|&way| match circuit.inputs(way.node()) {
                conditions if way.denied() && !conditions.is_empty() => conditions.to_vec(),
                _ => vec![!way],
            }));
        }
        self.opened = MOST_OPENED - left;
        Some(opened)
    }
}

#[cfg(test)]
mod tests {
    use crate::gdl::{GroundingLimits, Program, PropNet, Prover};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// Squares stay as they are unless a move touches them, however the rules say so.
    #[test]
    fn what_most_moves_leave_alone_rests() {
        let squares: String = (0..12).map(|square| format!("(square {square}) (init (cell {square} w)) ")).collect();
        let rest = "(role a) (role b) (init (control a)) (goal a 0) (goal b 0) (<= terminal (true over)) \
             (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a))) \
             (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) \
             (<= (legal ?r (step ?x)) (true (control ?r)) (square ?x)) \
             (<= (legal ?r (jump ?x ?y ?how)) (true (control ?r)) (square ?x) (square ?y) (square ?how)) \
             (<= (next (cell ?x g)) (does ?r (step ?x))) (<= (next (cell ?y g)) (does ?r (jump ?x ?y ?how))) ";
        for stays in [
            "(<= (next (cell ?x ?p)) (true (cell ?x ?p)) (not (touched ?x))) \
             (<= (touched ?x) (does ?r (step ?x))) (<= (touched ?y) (does ?r (jump ?x ?y ?how)))",
            "(<= (next (cell ?x ?p)) (true (cell ?x ?p)) (does ?r (step ?y)) (distinct ?x ?y)) \
             (<= (next (cell ?x ?p)) (true (cell ?x ?p)) (does ?r (jump ?z ?y ?how)) (distinct ?x ?y))",
            "(<= (next (cell ?x ?p)) (true (cell ?x ?p)) (elsewhere ?x)) \
             (<= (elsewhere ?x) (does ?r (step ?y)) (square ?x) (distinct ?x ?y)) (<= (elsewhere ?x) (jumps ?y) (square ?x) (distinct ?x ?y)) \
             (<= (jumps ?y) (does ?r (jump ?x ?y ?how)))",
        ] {
            let program = Program::read(&format!("{squares}{rest}{stays}")).unwrap();
            let prover = Prover::new(Arc::new(program)).unwrap();
            let network = PropNet::build(&prover, &GroundingLimits::default(), &AtomicBool::new(false)).unwrap();
            let restless = network.at_rest.iter().zip(&network.facts).filter(|(rest, _)| rest.is_some());
            let restless: Vec<String> = restless.map(|(_, &fact)| network.terms.term(fact).to_string()).collect();
            assert_eq!(restless, ["(control a)"], "{stays}");
        }
    }
}

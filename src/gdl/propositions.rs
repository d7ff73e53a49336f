//! From ground clauses to a circuit: facts and moves become leaves, everything else gates or recursive components.

use super::circuit::{Circuit, Lit, NodeKind, RecursiveComponent, RecursiveRule};
use super::extract::extracted;
use super::factor::factored;
use super::ground::Ground;
use super::limits::{NoPropNet, TooLarge, check_stop};
use super::program::{Phase, Program};
use super::scc::components;
use super::terms::{Functor, TermId};
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicBool;

/// What the rules say of states and moves, as literals of a circuit.
#[derive(Debug)]
pub(super) struct Propositions {
    pub circuit: Circuit,
    /// The facts that may change, by number: what they say, their literals, and what they will be.
    pub bases: Vec<Base>,
    /// What holds in every state.
    pub always: Vec<TermId>,
    /// Facts that are always the same as another, or the contrary of one.
    pub mirrors: Vec<(TermId, Lit)>,
    /// Each role's moves, sorted by how they are written.
    pub moves: Vec<Vec<LegalMove>>,
    pub terminal: Lit,
    /// Each role's goals: the number and when it is reached.
    pub goals: Vec<Vec<(Option<u8>, Lit)>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    pub fact: TermId,
    pub lit: Lit,
    pub next: Lit,
    pub first: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LegalMove {
    pub term: TermId,
    pub does_atom: TermId,
    /// The leaf for the move. A move that is forced has one too, which nothing uses.
    pub does: Lit,
    pub legal: Lit,
    /// The condition that most moves of the role share, and what is left without it.
    pub guard: Lit,
    pub left: Lit,
}

/// How often the circuit is made again with what was learnt from it.
const ROUNDS: usize = 6;

/// What was learnt from a circuit, so that the next one can be simpler.
#[derive(Debug, Default)]
struct KnownFacts {
    /// Facts that never change.
    constant: FxHashMap<TermId, bool>,
    /// Facts that are always the same as another, or always the contrary.
    like: FxHashMap<TermId, (TermId, bool)>,
    /// Atoms of moves that are the only legal one whenever they are legal, and the atom that says they are.
    forced: FxHashMap<TermId, TermId>,
}

impl KnownFacts {
    fn len(&self) -> usize {
        self.constant.len() + self.like.len() + self.forced.len()
    }
}

impl Propositions {
    pub fn new(
        program: &Program,
        ground: &Ground,
        roles: &[TermId],
        stop: &AtomicBool,
    ) -> Result<Propositions, NoPropNet> {
        let order = AtomOrder::new(ground)?;
        let mut known = KnownFacts::default();
        for round in 1.. {
            check_stop(stop)?;
            let mut builder = Builder::new(program, ground, roles, &known);
            builder.gates(&order, &order.of_state, stop)?;
            for (&does, &legal) in &known.forced {
                builder.lits[does.index()] = builder.lits[legal.index()];
            }
            builder.gates(&order, &order.of_moves, stop)?;
            let mut made = builder.finish();
            let before = known.len();
            made.learn(program, ground, roles, &mut known, stop)?;
            if known.len() == before || round == ROUNDS {
                made.remake(|circuit, outputs| circuit.tidied(outputs, stop))?;
                made.remake(|circuit, outputs| factored(circuit, outputs, stop))?;
                made.choose_guards();
                made.extract(stop)?;
                return Ok(made);
            }
        }
        unreachable!("the loop ends by returning")
    }

    /// Finds facts that never change or mirror each other, and moves that are made whenever they are legal.
    ///
    /// All of it holds in every state that can be reached: in the first one, and from each state to the next.
    fn learn(
        &self,
        program: &Program,
        ground: &Ground,
        roles: &[TermId],
        known: &mut KnownFacts,
        stop: &AtomicBool,
    ) -> Result<(), TooLarge> {
        let by_lit: FxHashMap<Lit, &Base> = self.bases.iter().map(|base| (base.lit, base)).collect();
        let mut by_next: FxHashMap<usize, &Base> = FxHashMap::default();
        let mut toggle: Option<&Base> = None;
        for base in &self.bases {
            if base.next == base.lit || base.next == if base.first { Lit::TRUE } else { Lit::FALSE } {
                known.constant.insert(base.fact, base.first);
                continue;
            }
            // Two that change places, such as whose turn it is, two that turn around, or two that become the same.
            let swapped = by_lit.get(&base.next).filter(|other| other.next == base.lit && other.first != base.first);
            let turned = if base.next == !base.lit { Some(*toggle.get_or_insert(base)) } else { None };
            let same = *by_next.entry(base.next.node()).or_insert(base);
            let agree = same.first == base.first;
            let likeness = match (swapped, turned) {
                (Some(other), _) if other.lit < base.lit => Some((other.fact, true)),
                (None, Some(other)) if other.lit < base.lit => Some((other.fact, other.first != base.first)),
                (None, None) if same.lit < base.lit && base.next.node() != 0 && agree == (same.next == base.next) => {
                    Some((same.fact, !agree))
                }
                _ => None,
            };
            if let Some(likeness) = likeness {
                known.like.insert(base.fact, likeness);
            }
        }
        let (terms, words) = (&ground.terms, program.words);
        for (moves, &role) in self.moves.iter().zip(roles) {
            for (at, choice) in moves.iter().enumerate() {
                check_stop(stop)?;
                let excludes = |(other, m): (usize, &LegalMove)| other == at || self.implies(m.legal, !choice.legal);
                if choice.legal != Lit::FALSE && moves.iter().enumerate().all(excludes) {
                    let atom = |word| terms.find(word, &[role, choice.term]);
                    if let (Some(does), Some(legal)) = (atom(words.does), atom(words.legal)) {
                        known.forced.insert(does, legal);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a literal cannot hold without another, as far as conjunctions show.
    fn implies(&self, lit: Lit, other: Lit) -> bool {
        if lit == other || lit == Lit::FALSE {
            return true;
        }
        let is_and = !lit.denied() && self.circuit.kind(lit.node()) == NodeKind::And;
        is_and
            && self.circuit.inputs(lit.node()).iter().any(|&input| {
                let inner = !input.denied() && self.circuit.kind(input.node()) == NodeKind::And;
                input == other || inner && self.circuit.inputs(input.node()).contains(&other)
            })
    }

    /// Makes another circuit that says the same.
    fn remake(
        &mut self,
        make: impl FnOnce(&Circuit, &mut [&mut Lit]) -> Result<Circuit, TooLarge>,
    ) -> Result<(), TooLarge> {
        let mut outputs: Vec<&mut Lit> = self.moves.iter_mut().flatten().map(|choice| &mut choice.legal).collect();
        outputs.extend(others(&mut self.terminal, &mut self.bases, &mut self.mirrors, &mut self.goals));
        self.circuit = make(&self.circuit, &mut outputs)?;
        self.rename_moves();
        Ok(())
    }

    /// Takes out of each move's conditions the one that most moves of the role share: usually whose turn it is.
    fn choose_guards(&mut self) {
        let conditions = |circuit: &Circuit, legal: Lit| {
            let plain = !legal.denied() && circuit.kind(legal.node()) == NodeKind::And;
            if plain { circuit.inputs(legal.node()).to_vec() } else { vec![legal] }
        };
        for moves in &mut self.moves {
            let mut frequency: FxHashMap<Lit, u32> = FxHashMap::default();
            for choice in moves.iter() {
                for input in conditions(&self.circuit, choice.legal) {
                    *frequency.entry(input).or_default() += 1;
                }
            }
            for choice in moves {
                let mut inputs = conditions(&self.circuit, choice.legal);
                let best = inputs.iter().copied().max_by_key(|input| (frequency[input], std::cmp::Reverse(*input)));
                choice.guard = best.filter(|guard| frequency[guard] > 1).unwrap_or(Lit::TRUE);
                inputs.retain(|&input| input != choice.guard);
                choice.left = self.circuit.and(&mut inputs);
            }
        }
    }

    /// Makes gates of shared conditions. That a move is legal is a gate no more, unless something else needs it.
    fn extract(&mut self, stop: &AtomicBool) -> Result<(), TooLarge> {
        let moves = self.moves.iter_mut().flatten();
        let mut outputs: Vec<&mut Lit> = moves.flat_map(|choice| [&mut choice.guard, &mut choice.left]).collect();
        outputs.extend(others(&mut self.terminal, &mut self.bases, &mut self.mirrors, &mut self.goals));
        self.circuit = extracted(&self.circuit, &mut outputs, stop)?;
        self.rename_moves();
        Ok(())
    }

    /// Leaves keep their order when a circuit is made anew, but not their nodes.
    fn rename_moves(&mut self) {
        let circuit = &self.circuit;
        let leaves = (0..circuit.len()).filter(|&node| matches!(circuit.kind(node), NodeKind::Does(_)));
        self.moves.iter_mut().flatten().zip(leaves).for_each(|(choice, leaf)| choice.does = Lit::of(leaf));
    }
}

/// All literals that matter but those of moves.
fn others<'a>(
    terminal: &'a mut Lit,
    bases: &'a mut [Base],
    mirrors: &'a mut [(TermId, Lit)],
    goals: &'a mut [Vec<(Option<u8>, Lit)>],
) -> impl Iterator<Item = &'a mut Lit> {
    let bases = bases.iter_mut().flat_map(|base| [&mut base.lit, &mut base.next]);
    let mirrors = mirrors.iter_mut().map(|(_, lit)| lit);
    let goals = goals.iter_mut().flatten().map(|(_, lit)| lit);
    std::iter::once(terminal).chain(bases).chain(mirrors).chain(goals)
}

/// The atoms that clauses are about, each after all that it needs.
struct AtomOrder {
    /// The clauses' numbers, those of one head together.
    clauses: Vec<u32>,
    /// For each head in order: the atom and where its clauses are. Those that do not depend on moves, and those that do.
    of_state: Vec<RuleHead>,
    of_moves: Vec<RuleHead>,
}

/// An atom that clauses are about.
#[derive(Clone, Copy, Debug)]
struct RuleHead {
    atom: TermId,
    /// Where its clauses are.
    begin: u32,
    end: u32,
    /// With the first of a component, how many heads it has. They come one after the other.
    component: u32,
}

impl AtomOrder {
    fn new(ground: &Ground) -> Result<AtomOrder, NoPropNet> {
        const NONE: u32 = u32::MAX;
        let mut number = vec![NONE; ground.terms.len()];
        let mut heads: Vec<TermId> = Vec::new();
        for clause in &ground.clauses {
            if number[clause.head.index()] == NONE {
                number[clause.head.index()] = heads.len() as u32;
                heads.push(clause.head);
            }
        }
        let mut clauses: Vec<u32> = (0..ground.clauses.len() as u32).collect();
        clauses.sort_by_key(|&clause| number[ground.clauses[clause as usize].head.index()]);
        let head_of = |clause: u32| number[ground.clauses[clause as usize].head.index()];
        let mut ends = vec![0u32; heads.len() + 1];
        clauses.iter().for_each(|&clause| ends[head_of(clause) as usize + 1] += 1);
        (0..heads.len()).for_each(|head| ends[head + 1] += ends[head]);
        let mut edges: Vec<u32> = Vec::new();
        let mut edge_ends = vec![0u32];
        for head in 0..heads.len() {
            let begin = edges.len();
            for &clause in &clauses[ends[head] as usize..ends[head + 1] as usize] {
                let clause = ground.clauses[clause as usize];
                let literals = &ground.literals[clause.begin as usize..clause.end as usize];
                edges.extend(literals.iter().map(|literal| number[(literal >> 1) as usize]).filter(|&n| n != NONE));
            }
            edges[begin..].sort_unstable();
            let mut kept = begin;
            for at in begin..edges.len() {
                if at == begin || edges[at] != edges[kept - 1] {
                    edges[kept] = edges[at];
                    kept += 1;
                }
            }
            edges.truncate(kept);
            edge_ends.push(edges.len() as u32);
        }
        let needs = |head: usize| &edges[edge_ends[head] as usize..edge_ends[head + 1] as usize];
        let groups = components(heads.len(), needs);
        let phase = |head: TermId| ground.relations[ground.terms.functor_of(head).index()].phase;
        let (mut of_state, mut of_moves) = (Vec::new(), Vec::new());
        for group in &groups {
            let is_recursive = group.len() > 1 || needs(group[0]).contains(&(group[0] as u32));
            let moves = group.iter().any(|&head| phase(heads[head]) == Phase::Moves);
            if is_recursive && moves {
                return Err(NoPropNet::RecursiveMoves);
            }
            for (at, &head) in group.iter().enumerate() {
                let component = if is_recursive && at == 0 { group.len() as u32 } else { 0 };
                let head = RuleHead { atom: heads[head], begin: ends[head], end: ends[head + 1], component };
                if moves { of_moves.push(head) } else { of_state.push(head) }
            }
        }
        Ok(AtomOrder { clauses, of_state, of_moves })
    }
}

/// Makes a circuit.
pub(super) struct Builder<'a> {
    program: &'a Program,
    ground: &'a Ground,
    pub(super) circuit: Circuit,
    /// By term, the literal of an atom; what is never reached is false.
    pub(super) lits: Vec<Lit>,
    bases: Vec<Base>,
    always: Vec<TermId>,
    mirrors: Vec<(TermId, Lit)>,
    pub(super) moves: Vec<Vec<LegalMove>>,
    /// The node of the first move, and by move its role.
    pub(super) first_move: usize,
    pub(super) move_roles: Vec<usize>,
    roles: &'a [TermId],
    /// How many conditions were opened to gather moves.
    pub(super) opened: usize,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, ground: &'a Ground, roles: &'a [TermId], known: &KnownFacts) -> Builder<'a> {
        let (terms, words) = (&ground.terms, program.words);
        let mut builder = Builder {
            program,
            ground,
            circuit: Circuit::new(),
            lits: vec![Lit::FALSE; terms.len()],
            bases: Vec::new(),
            always: Vec::new(),
            mirrors: Vec::new(),
            moves: Vec::new(),
            first_move: 0,
            move_roles: Vec::new(),
            roles,
            opened: 0,
        };
        // What is the same in all states is asked only of the language's own relations.
        for word in [words.legal, words.next, words.goal, words.terminal] {
            if program.relations[word.index()].phase == Phase::Fixed {
                ground.reached.rows(word).iter().for_each(|atom| builder.lits[atom.index()] = Lit::TRUE);
            }
        }
        let first: rustc_hash::FxHashSet<TermId> = ground.start.iter().copied().collect();
        for &atom in ground.reached.rows(words.holds) {
            let fact = terms.arguments(atom)[0];
            builder.lits[atom.index()] = match known.constant.get(&fact) {
                Some(true) => {
                    builder.always.push(fact);
                    Lit::TRUE
                }
                Some(false) => Lit::FALSE,
                None if known.like.contains_key(&fact) => Lit::FALSE,
                None => {
                    let lit = builder.circuit.leaf(NodeKind::Base(builder.bases.len() as u32));
                    builder.bases.push(Base { fact, lit, next: Lit::FALSE, first: first.contains(&fact) });
                    lit
                }
            };
        }
        for &atom in ground.reached.rows(words.holds) {
            let mut fact = terms.arguments(atom)[0];
            if known.constant.contains_key(&fact) || !known.like.contains_key(&fact) {
                continue;
            }
            let (own, mut contrary) = (fact, false);
            while let Some(&(other, turned)) = known.like.get(&fact) {
                fact = other;
                contrary ^= turned;
            }
            let model = terms.find(words.holds, &[fact]).map_or(Lit::FALSE, |atom| builder.lits[atom.index()]);
            let lit = if contrary { !model } else { model };
            builder.lits[atom.index()] = lit;
            match lit {
                Lit::TRUE => builder.always.push(own),
                Lit::FALSE => {}
                _ => builder.mirrors.push((own, lit)),
            }
        }
        builder.first_move = builder.circuit.len();
        for (role, &name) in roles.iter().enumerate() {
            let own = ground.reached.rows(words.does).iter().filter(|&&atom| terms.arguments(atom)[0] == name);
            let mut own: Vec<(String, TermId)> = own.map(|&atom| (written(ground, atom), atom)).collect();
            own.sort();
            let mut moves = Vec::new();
            for (_, atom) in own {
                let does = builder.circuit.leaf(NodeKind::Does(builder.move_roles.len() as u32));
                builder.move_roles.push(role);
                builder.lits[atom.index()] = does;
                moves.push(LegalMove {
                    term: terms.arguments(atom)[1],
                    does_atom: atom,
                    does,
                    legal: Lit::FALSE,
                    guard: Lit::TRUE,
                    left: Lit::TRUE,
                });
            }
            builder.moves.push(moves);
        }
        builder
    }

    fn gates(&mut self, order: &AtomOrder, heads: &[RuleHead], stop: &AtomicBool) -> Result<(), TooLarge> {
        let ground = self.ground;
        let mut bodies: Vec<Vec<Lit>> = Vec::new();
        let mut left = heads;
        while let Some((&RuleHead { atom: head, begin, end, component }, rest)) = left.split_first() {
            check_stop(stop)?;
            if component > 0 {
                let (members, rest) = left.split_at(component as usize);
                self.component(order, members);
                left = rest;
                continue;
            }
            left = rest;
            bodies.clear();
            for &clause in &order.clauses[begin as usize..end as usize] {
                let clause = ground.clauses[clause as usize];
                let literals = &ground.literals[clause.begin as usize..clause.end as usize];
                let lit = |&literal: &u32| Lit(self.lits[(literal >> 1) as usize].0 ^ (literal & 1));
                let mut body: Vec<Lit> = literals.iter().map(lit).filter(|&lit| lit != Lit::TRUE).collect();
                body.sort_unstable();
                body.dedup();
                let contrary = body.windows(2).any(|pair| pair[0] == !pair[1]);
                if !contrary && body.first() != Some(&Lit::FALSE) {
                    bodies.push(body);
                }
            }
            self.lits[head.index()] = match self.own_fact(head) {
                Some(own) => self.any_around(own, &mut bodies),
                None => self.any(&mut bodies),
            };
        }
        Ok(())
    }

    /// Makes a component of heads that need each other.
    fn component(&mut self, order: &AtomOrder, heads: &[RuleHead]) {
        let ground = self.ground;
        let own: FxHashMap<u32, u32> = heads.iter().zip(0..).map(|(head, number)| (head.atom.0, number)).collect();
        let mut component = RecursiveComponent { rules: Vec::new(), members: heads.len() as u32 };
        for (head, number) in heads.iter().zip(0..) {
            for &clause in &order.clauses[head.begin as usize..head.end as usize] {
                let clause = ground.clauses[clause as usize];
                let (mut inside, mut outside) = (Vec::new(), Vec::new());
                for &literal in &ground.literals[clause.begin as usize..clause.end as usize] {
                    // Nothing depends on its own contrary, so that a member is never denied here.
                    match own.get(&(literal >> 1)) {
                        Some(&member) => inside.push(member),
                        None => outside.push(Lit(self.lits[(literal >> 1) as usize].0 ^ (literal & 1))),
                    }
                }
                inside.sort_unstable();
                inside.dedup();
                let outside = self.circuit.and(&mut outside);
                // What needs itself says nothing.
                if outside != Lit::FALSE && !inside.contains(&number) {
                    component.rules.push(RecursiveRule { head: number, outside, inside });
                }
            }
        }
        let lits = self.circuit.component(component);
        heads.iter().zip(lits).for_each(|(head, lit)| self.lits[head.atom.index()] = lit);
    }

    /// What a fact is now, for the head that says what it will be.
    fn own_fact(&self, head: TermId) -> Option<Lit> {
        let (terms, words) = (&self.ground.terms, self.program.words);
        let fact = (terms.functor_of(head) == words.next).then(|| terms.arguments(head)[0])?;
        Some(self.lits[terms.find(words.holds, &[fact])?.index()])
    }

    /// The same as `any`, with the conditions under which a fact stays gathered around the fact itself. So it can be seen
    /// that it stays as it is while nobody moves.
    fn any_around(&mut self, own: Lit, bodies: &mut Vec<Vec<Lit>>) -> Lit {
        let (mut staying, mut others): (Vec<_>, Vec<_>) = bodies.drain(..).partition(|body| body.contains(&own));
        staying.iter_mut().for_each(|body| body.retain(|&lit| lit != own));
        let stays = self.any(&mut staying);
        let stays = self.circuit.and(&mut vec![own, stays]);
        let becomes = self.any(&mut others);
        self.circuit.or(&mut vec![stays, becomes])
    }

    /// Whether at least one of some lists of conditions holds.
    fn any(&mut self, bodies: &mut Vec<Vec<Lit>>) -> Lit {
        bodies.sort_unstable();
        bodies.dedup();
        if bodies.first().is_some_and(Vec::is_empty) {
            return Lit::TRUE;
        }
        if bodies.len() > 1 {
            self.gather_moves(bodies);
        }
        self.open_shared(bodies);
        let mut common = bodies.first().cloned().unwrap_or_default();
        if bodies.len() > 1 {
            bodies[1..].iter().for_each(|body| common.retain(|lit| body.binary_search(lit).is_ok()));
        } else {
            common.clear();
        }
        let mut ways: Vec<Lit> = Vec::with_capacity(bodies.len());
        for body in bodies.iter() {
            let mut rest: Vec<Lit> = body.iter().copied().filter(|lit| common.binary_search(lit).is_err()).collect();
            ways.push(self.circuit.and(&mut rest));
        }
        let way = self.circuit.or(&mut ways);
        common.push(way);
        self.circuit.and(&mut common)
    }

    /// Opens single conjunctions that all have a condition in common, so that it can be asked once: "somebody whose turn it
    /// is can move" need not look at all moves again whenever the turn changes.
    fn open_shared(&self, bodies: &mut [Vec<Lit>]) {
        let opened = |body: &Vec<Lit>| match body[..] {
            [only] if !only.denied() && self.circuit.kind(only.node()) == NodeKind::And => {
                Some(self.circuit.inputs(only.node()))
            }
            _ => None,
        };
        let Some(mut common) = bodies.first().and_then(opened).map(<[Lit]>::to_vec) else { return };
        for body in bodies.iter() {
            match opened(body) {
                Some(inputs) => common.retain(|lit| inputs.binary_search(lit).is_ok()),
                None => return,
            }
        }
        if !common.is_empty() && bodies.len() > 2 {
            for body in bodies {
                *body = opened(body).unwrap_or_default().to_vec();
            }
        }
    }

    fn finish(mut self) -> Propositions {
        let (terms, words) = (&self.ground.terms, self.program.words);
        let find = |functor: Functor, parts: &[TermId]| terms.find(functor, parts);
        let lits = &self.lits;
        let lit = |atom: Option<TermId>| atom.map_or(Lit::FALSE, |atom| lits[atom.index()]);
        for base in &mut self.bases {
            base.next = lit(find(words.next, &[base.fact]));
        }
        for (&role, moves) in self.roles.iter().zip(&mut self.moves) {
            for choice in moves {
                choice.legal = lit(find(words.legal, &[role, choice.term]));
            }
        }
        let goals = |&role: &TermId| {
            let own = self.ground.reached.rows(words.goal).iter().filter(|&&atom| terms.arguments(atom)[0] == role);
            let goal = |&atom: &TermId| {
                let value = terms.term(terms.arguments(atom)[1]);
                (value.as_name().and_then(|value| value.parse().ok()), lits[atom.index()])
            };
            own.map(goal).filter(|&(_, lit)| lit != Lit::FALSE).collect()
        };
        Propositions {
            goals: self.roles.iter().map(goals).collect(),
            terminal: lit(find(words.terminal, &[])),
            circuit: self.circuit,
            bases: self.bases,
            always: self.always,
            mirrors: self.mirrors,
            moves: self.moves,
        }
    }
}

/// How a move is written.
fn written(ground: &Ground, does: TermId) -> String {
    ground.terms.term(ground.terms.arguments(does)[1]).to_string()
}

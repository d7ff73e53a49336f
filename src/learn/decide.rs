//! From annotated letters to an automaton over symbols that tests a guard only where the result makes a difference.

use super::guard::{GuardPlace, Guards, Test};
use super::letter::{Letter, Tags};
use crate::automata::{Dfa, DfaState, StateId};
use crate::board::Square;
use crate::rules::{Seen, Symbol};
use std::collections::BTreeMap;

/// Where a letter leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Branch {
    /// It can never be made, so any way would do.
    Any,
    Nowhere,
    To(StateId),
}

/// Which tests to make, one after the other, and what follows then.
enum Decision {
    Settled(Vec<Branch>),
    Test { guard: usize, holds: Box<Decision>, fails: Box<Decision> },
}

impl Decision {
    /// The fewest tests that tell these rows apart.
    fn between(rows: &[(Tags, Vec<Branch>)], guards: &[usize]) -> Decision {
        if let Some(row) = common(rows) {
            return Decision::Settled(row);
        }
        let tests = guards.iter().filter_map(|&guard| {
            let (holds, fails): (Vec<_>, Vec<_>) = rows.iter().cloned().partition(|row| row.0.holds(guard));
            let rest: Vec<usize> = guards.iter().copied().filter(|&other| other != guard).collect();
            (!holds.is_empty() && !fails.is_empty()).then(|| Decision::Test {
                guard,
                holds: Box::new(Decision::between(&holds, &rest)),
                fails: Box::new(Decision::between(&fails, &rest)),
            })
        });
        // Rows with the same tags are the same row, so some test parts them.
        tests.min_by_key(Decision::size).unwrap_or(Decision::Settled(Vec::new()))
    }

    fn size(&self) -> usize {
        match self {
            Decision::Settled(_) => 0,
            Decision::Test { holds, fails, .. } => 1 + holds.size() + fails.size(),
        }
    }
}

/// A row that does for all of these, if there is one.
fn common(rows: &[(Tags, Vec<Branch>)]) -> Option<Vec<Branch>> {
    let mut all = rows.first()?.1.clone();
    for (_, row) in rows {
        for (way, other) in all.iter_mut().zip(row) {
            match (*way, *other) {
                (Branch::Any, _) => *way = *other,
                (_, Branch::Any) => {}
                (a, b) if a == b => {}
                _ => return None,
            }
        }
    }
    Some(all)
}

struct DecisionBuilder<'a> {
    guards: &'a Guards,
    states: Vec<DfaState<Symbol>>,
    /// States that only test, by what they do, so that none is made twice.
    tests: BTreeMap<Vec<(Symbol, StateId)>, StateId>,
    /// For states that test where a step has landed: the squares where it may have.
    landings: BTreeMap<StateId, Vec<bool>>,
}

/// A state from which letters are made, on some squares.
struct From<'a> {
    state: &'a DfaState<Letter>,
    first: bool,
    squares: &'a [bool],
}

impl Guards {
    /// The automaton over symbols that does what one over letters does, with the guards as symbols where they matter.
    /// Their zones have the numbers of [`zone_number`].
    pub fn automaton(&self, dfa: &Dfa<Letter>) -> Dfa<Symbol> {
        // The start comes first, since it is not the same as its state when a word comes there again.
        let mut states = vec![DfaState { accepting: false, edges: Vec::new() }];
        states.extend(dfa.states().iter().map(|state| DfaState { accepting: state.accepting, edges: Vec::new() }));
        let squares = self.squares_of(dfa);
        let everywhere = vec![true; self.shape.squares()];
        let mut making = DecisionBuilder { guards: self, states, tests: BTreeMap::new(), landings: BTreeMap::new() };
        for (number, state) in dfa.states().iter().enumerate() {
            let symbols = symbols(state);
            let from = From { state, first: false, squares: &squares[number] };
            let row = making.row(&from, &symbols, Tags::default());
            making.states[number + 1].edges = edges(&symbols, &row);
        }
        let symbols = symbols(&dfa.states()[0]);
        let from = From { state: &dfa.states()[0], first: true, squares: &everywhere };
        let at_start = self.at(GuardPlace::Start);
        let rows: Vec<(Tags, Vec<Branch>)> = self
            .values(&at_start)
            .map(|tags| (tags, making.row(&from, &symbols, tags)))
            .filter(|(_, row)| row.iter().any(|way| *way != Branch::Any))
            .collect();
        let decision = Decision::between(&rows, &at_start);
        making.states[0].edges = making.realise(&decision, &symbols);
        making.lift();
        Dfa::trimmed(making.states).minimise()
    }

    /// For each state the squares on which the cursor can be when a word comes there, as far as the board's edges and the
    /// guards decide.
    fn squares_of(&self, dfa: &Dfa<Letter>) -> Vec<Vec<bool>> {
        let mut squares = vec![vec![false; self.shape.squares()]; dfa.states().len()];
        let mut open: Vec<(usize, Square, bool)> = self.shape.all().map(|square| (0, square, true)).collect();
        while let Some((state, square, first)) = open.pop() {
            for &(letter, to) in &dfa.states()[state].edges {
                if !self.can_stand_on(letter, first, square) {
                    continue;
                }
                let landing = match letter.symbol {
                    Symbol::Step { dx, dy, .. } => self.shape.step(square, dx, dy),
                    _ => Some(square),
                };
                let Some(landing) = landing else { continue };
                if !std::mem::replace(&mut squares[to.index()][landing.index()], true) {
                    open.push((to.index(), landing, false));
                }
            }
        }
        squares
    }

    fn at(&self, place: GuardPlace) -> Vec<usize> {
        (0..self.list.len()).filter(|&guard| self.list[guard].place == place).collect()
    }

    /// All that some guards can say together.
    fn values(&self, guards: &[usize]) -> impl Iterator<Item = Tags> {
        let guards = guards.to_vec();
        (0..1u8 << guards.len()).map(move |bits| {
            (0..).zip(&guards).fold(Tags::default(), |tags, (i, &guard)| tags.with(guard, bits >> i & 1 == 1))
        })
    }
}

fn symbols(state: &DfaState<Letter>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = state.edges.iter().map(|edge| edge.0.symbol).collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}

fn edges(symbols: &[Symbol], row: &[Branch]) -> Vec<(Symbol, StateId)> {
    let edge = |(&symbol, way): (&Symbol, &Branch)| match way {
        Branch::To(to) => Some((symbol, *to)),
        _ => None,
    };
    symbols.iter().zip(row).filter_map(edge).collect()
}

impl DecisionBuilder<'_> {
    /// Where each symbol leads from a state, if the guards on the start say this.
    fn row(&mut self, from: &From, symbols: &[Symbol], start: Tags) -> Vec<Branch> {
        symbols.iter().map(|&symbol| self.way(from, symbol, start)).collect()
    }

    fn way(&mut self, from: &From, symbol: Symbol, start: Tags) -> Branch {
        let landing = self.guards.at(GuardPlace::Landing);
        let shape = self.guards.shape;
        let mut rows = Vec::new();
        let mut landings = vec![false; shape.squares()];
        for tags in self.guards.values(&landing) {
            let letter = Letter { symbol, tags: Tags(tags.0 | start.0) };
            let stands = shape
                .all()
                .filter(|&square| from.squares[square.index()] && self.guards.can_stand_on(letter, from.first, square));
            let mut stands = stands.peekable();
            if stands.peek().is_none() {
                continue;
            }
            if let Symbol::Step { dx, dy, .. } = symbol {
                let lands = stands.filter_map(|square| shape.step(square, dx, dy));
                lands.for_each(|square| landings[square.index()] = true);
            }
            let edge = from.state.edges.iter().find(|edge| edge.0 == letter);
            rows.push((tags, vec![edge.map_or(Branch::Nowhere, |edge| Branch::To(StateId(edge.1.0 + 1)))]));
        }
        if rows.is_empty() {
            return Branch::Any;
        }
        match Decision::between(&rows, &landing) {
            Decision::Settled(row) => row[0],
            decision => {
                let edges = self.realise(&decision, &[]);
                let test = self.state(edges);
                let known = self.landings.entry(test).or_insert_with(|| vec![false; shape.squares()]);
                known.iter_mut().zip(&landings).for_each(|(known, lands)| *known |= lands);
                Branch::To(test)
            }
        }
    }

    /// Steps that can only be made where a test holds, or only where it fails, because of the board's edges, need not
    /// wait for the test: so a chain of jumps goes on whatever comes after its end.
    fn lift(&mut self) {
        for (&test, landings) in &self.landings {
            let [(Symbol::Zone { number, within: false }, out), (Symbol::Zone { number: n, within: true }, inside)] =
                self.states[test.index()].edges[..]
            else {
                continue;
            };
            let (guard, _) = zone_of_number(number);
            let Some(Test::In(zone)) = (n == number).then(|| &self.guards.list[guard].test) else { continue };
            let shape = self.guards.shape;
            let mut lifted = Vec::new();
            for (branch, other_is_within) in [(out, true), (inside, false)] {
                let elsewhere =
                    shape.all().filter(|at| landings[at.index()] && zone.within[at.index()] == other_is_within);
                let elsewhere: Vec<Square> = elsewhere.collect();
                let is_free = |symbol: Symbol| match symbol {
                    Symbol::Step { dx, dy, .. } => elsewhere.iter().all(|&at| shape.step(at, dx, dy).is_none()),
                    _ => false,
                };
                let state = self.states[branch.index()].clone();
                let (free, bound): (Vec<_>, Vec<_>) = state.edges.into_iter().partition(|edge| is_free(edge.0));
                if !free.is_empty() {
                    let rest = StateId(self.states.len() as u32);
                    self.states.push(DfaState { accepting: state.accepting, edges: bound });
                    let edge = (Symbol::Zone { number, within: !other_is_within }, rest);
                    self.states[test.index()].edges.retain(|known| known.0 != edge.0);
                    self.states[test.index()].edges.push(edge);
                    lifted.extend(free);
                }
            }
            let edges = &mut self.states[test.index()].edges;
            edges.extend(lifted);
            edges.sort_unstable();
            // A step that is free in both branches can be made in neither.
            edges.dedup_by_key(|edge| edge.0);
        }
    }

    /// What leaves a state that makes a decision. Without symbols, a settled decision is the state it leads to.
    fn realise(&mut self, decision: &Decision, symbols: &[Symbol]) -> Vec<(Symbol, StateId)> {
        let Decision::Test { guard, holds, fails } = decision else {
            let Decision::Settled(row) = decision else { return Vec::new() };
            return edges(symbols, row);
        };
        let mut made = Vec::new();
        for (branch, within) in [(holds, true), (fails, false)] {
            let to = match &**branch {
                Decision::Settled(row) if symbols.is_empty() => match row[0] {
                    Branch::To(to) => to,
                    _ => continue,
                },
                decision => {
                    let edges = self.realise(decision, symbols);
                    if edges.is_empty() {
                        continue;
                    }
                    self.state(edges)
                }
            };
            made.extend(self.test(*guard, within, to));
        }
        made.sort_unstable();
        made
    }

    fn state(&mut self, edges: Vec<(Symbol, StateId)>) -> StateId {
        if let Some(&state) = self.tests.get(&edges) {
            return state;
        }
        let state = StateId(self.states.len() as u32);
        self.states.push(DfaState { accepting: false, edges: edges.clone() });
        self.tests.insert(edges, state);
        state
    }

    /// How rules say that a guard holds, or that it does not, and go on to a state: the edges of the state that tests it.
    fn test(&mut self, guard: usize, holds: bool, to: StateId) -> Vec<(Symbol, StateId)> {
        let guards = self.guards;
        let look = match &guards.list[guard].test {
            Test::In(_) => return vec![(Symbol::Zone { number: zone_number(guard, 0), within: holds }, to)],
            Test::Sees(look) => look,
        };
        if look.any == holds {
            // One of the squares is enough.
            let ways = look.around.iter().flat_map(|&(dx, dy)| look.seen.iter().map(move |&seen| (dx, dy, seen)));
            let mut edges: Vec<_> = ways.map(|(dx, dy, seen)| (Symbol::Look { dx, dy, seen }, to)).collect();
            if look.edge {
                edges.push((Symbol::Zone { number: zone_number(guard, 0), within: true }, to));
            }
            return edges;
        }
        // All of the squares must hold something else, or lie beyond the edge.
        let mut edges = Vec::new();
        let mut next = to;
        for (way, &(dx, dy)) in look.around.iter().enumerate() {
            if way > 0 {
                next = self.state(std::mem::take(&mut edges));
            }
            let others = [Seen::Empty, Seen::Own, Seen::Enemy].into_iter().filter(|other| !look.seen.contains(other));
            edges.extend(others.map(|seen| (Symbol::Look { dx, dy, seen }, next)));
            edges.push((Symbol::Zone { number: zone_number(guard, way), within: true }, next));
            edges.sort_unstable();
        }
        edges
    }
}

/// The number of a guard's zone until the rules' zones are known. A look in several ways has a zone for each: where the
/// square that is looked at is not part of the board.
pub(super) fn zone_number(guard: usize, way: usize) -> usize {
    guard + Guards::MOST * way
}

/// The guard and the way of a number.
pub(super) fn zone_of_number(number: usize) -> (usize, usize) {
    (number % Guards::MOST, number / Guards::MOST)
}

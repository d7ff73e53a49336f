//! Small games written by hand, one of each kind, so that the suites do not depend on any rules that are read.

use onlooker::board::Position;
use onlooker::game::{FactsError, Game, Goals, Role, Roles, Term};
use smallvec::smallvec;

fn refuse(fact: Option<&Term>, reason: &str) -> FactsError {
    FactsError { fact: fact.cloned(), reason: reason.to_owned() }
}

/// A number as it is written, so that `01` is none.
fn number(term: &Term, most: usize) -> Option<usize> {
    term.as_name()?.parse::<usize>().ok().filter(|&n| n <= most && term.as_name() == Some(&n.to_string()))
}

/// `(name 1 2 ...)` of numbers.
fn numbers(name: &str, numbers: &[usize]) -> Term {
    Term::apply(name, numbers.iter().map(Term::name))
}

/// The numbers of the only fact that is applied to this name.
fn the_numbers(facts: &[Term], name: &str, count: usize, most: usize) -> Result<Vec<usize>, FactsError> {
    let mut found = facts.iter().filter(|fact| fact.arguments_of(name).is_some());
    let fact = found.next().ok_or_else(|| refuse(None, name))?;
    if let Some(second) = found.next() {
        return Err(refuse(Some(second), "this may be there only once"));
    }
    let values: Option<Vec<usize>> =
        fact.arguments_of(name).unwrap_or(&[]).iter().map(|term| number(term, most)).collect();
    values.filter(|values| values.len() == count).ok_or_else(|| refuse(Some(fact), "numbers were expected"))
}

/// Tic-tac-toe: turns, two roles, draws. Its facts are those of the well-known rule sheet.
pub struct TicTacToe(Vec<String>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Marks {
    pub cells: [u8; 9],
    pub mover: u8,
}

impl TicTacToe {
    pub fn new() -> TicTacToe {
        TicTacToe(vec!["xplayer".to_owned(), "oplayer".to_owned()])
    }

    fn has_line(cells: &[u8; 9], mark: u8) -> bool {
        const LINES: [[usize; 3]; 8] =
            [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        LINES.iter().any(|line| line.iter().all(|&at| cells[at] == mark))
    }
}

impl Game for TicTacToe {
    type State = Marks;
    type Move = u8;

    fn name(&self) -> &str {
        "ticTacToe"
    }
    fn roles(&self) -> &[String] {
        &self.0
    }
    fn start(&self) -> Marks {
        Marks { cells: [0; 9], mover: 0 }
    }
    fn to_move(&self, state: &Marks) -> Roles {
        Roles::one(Role(state.mover))
    }
    fn legal(&self, state: &Marks, _: Role, moves: &mut Vec<u8>) {
        moves.clear();
        if self.goals(state).is_none() {
            moves.extend((0..9).filter(|&at| state.cells[usize::from(at)] == 0));
        }
    }
    fn play(&self, state: &mut Marks, joint: &[u8]) {
        state.cells[usize::from(joint[0])] = state.mover + 1;
        state.mover = 1 - state.mover;
    }
    fn goals(&self, state: &Marks) -> Option<Goals> {
        match [1, 2].map(|mark| TicTacToe::has_line(&state.cells, mark)) {
            [true, _] => Some(smallvec![Some(100), Some(0)]),
            [_, true] => Some(smallvec![Some(0), Some(100)]),
            _ => (!state.cells.contains(&0)).then(|| smallvec![Some(50), Some(50)]),
        }
    }
    fn facts(&self, state: &Marks) -> Vec<Term> {
        let cell = |at: usize| {
            let [x, y, mark] =
                [(at / 3 + 1).to_string(), (at % 3 + 1).to_string(), ["b", "x", "o"][state.cells[at] as usize].into()];
            Term::apply("cell", [x, y, mark].map(Term::Name))
        };
        let control = Term::apply("control", [Term::name(&self.0[usize::from(state.mover)])]);
        (0..9).map(cell).chain([control]).collect()
    }
    fn state_with(&self, facts: &[Term]) -> Result<Marks, FactsError> {
        let mut cells = [None; 9];
        let mut mover = None;
        for fact in facts {
            let odd = || refuse(Some(fact), "this does not fit");
            let once = if let Some([x, y, mark]) = fact.arguments_of("cell") {
                let at = |term| number(term, 3).and_then(|n| n.checked_sub(1)).ok_or_else(odd);
                let mark = ["b", "x", "o"].iter().position(|&name| mark.as_name() == Some(name)).ok_or_else(odd)?;
                cells[at(x)? * 3 + at(y)?].replace(mark as u8).is_none()
            } else if let Some([Term::Name(role)]) = fact.arguments_of("control") {
                mover.replace(self.0.iter().position(|name| name == role).ok_or_else(odd)? as u8).is_none()
            } else {
                false
            };
            once.then_some(()).ok_or_else(odd)?;
        }
        let missing = || refuse(None, "a cell or whose turn it is is missing");
        let mut state = Marks { cells: [0; 9], mover: mover.ok_or_else(missing)? };
        for (cell, found) in state.cells.iter_mut().zip(cells) {
            *cell = found.ok_or_else(missing)?;
        }
        Ok(state)
    }
    fn move_term(&self, _: &Marks, _: Role, &at: &u8) -> Term {
        numbers("mark", &[usize::from(at) / 3 + 1, usize::from(at) % 3 + 1])
    }
    fn move_names(&self, _: &Marks, _: Role, moves: &[u8]) -> Vec<String> {
        moves.iter().map(|&at| format!("{}{}", ["a", "b", "c"][usize::from(at) / 3], at % 3 + 1)).collect()
    }
    fn position(&self, _: &Marks) -> Option<Position> {
        None
    }
}

/// Goofspiel with a few cards: both bid at the same time for prizes of 1, 2, 3, ...; equal bids lose the prize.
pub struct Goofspiel {
    pub cards: u8,
    roles: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bids {
    /// The cards each still has, as bits.
    hands: [u16; 2],
    scores: [u8; 2],
    round: u8,
}

impl Goofspiel {
    pub fn new(cards: u8) -> Goofspiel {
        Goofspiel { cards, roles: vec!["left".to_owned(), "right".to_owned()] }
    }
}

impl Game for Goofspiel {
    type State = Bids;
    type Move = u8;

    fn name(&self) -> &str {
        "goofspiel"
    }
    fn roles(&self) -> &[String] {
        &self.roles
    }
    fn start(&self) -> Bids {
        let hand = (1 << self.cards) - 1;
        Bids { hands: [hand; 2], scores: [0; 2], round: 0 }
    }
    fn to_move(&self, _: &Bids) -> Roles {
        Roles::first(2)
    }
    fn legal(&self, state: &Bids, role: Role, moves: &mut Vec<u8>) {
        moves.clear();
        moves.extend((0..self.cards).filter(|card| state.hands[role.index()] >> card & 1 == 1));
    }
    fn play(&self, state: &mut Bids, joint: &[u8]) {
        state.round += 1;
        for role in 0..2 {
            state.hands[role] &= !(1 << joint[role]);
            if joint[role] > joint[1 - role] {
                state.scores[role] += state.round;
            }
        }
    }
    fn goals(&self, state: &Bids) -> Option<Goals> {
        let [left, right] = state.scores;
        (state.round == self.cards).then(|| match left.cmp(&right) {
            std::cmp::Ordering::Greater => smallvec![Some(100), Some(0)],
            std::cmp::Ordering::Less => smallvec![Some(0), Some(100)],
            std::cmp::Ordering::Equal => smallvec![Some(50), Some(50)],
        })
    }
    fn facts(&self, state: &Bids) -> Vec<Term> {
        let pair = |name, pair: [usize; 2]| numbers(name, &pair);
        vec![
            pair("hands", state.hands.map(usize::from)),
            pair("scores", state.scores.map(usize::from)),
            numbers("round", &[usize::from(state.round)]),
        ]
    }
    fn state_with(&self, facts: &[Term]) -> Result<Bids, FactsError> {
        let hands = the_numbers(facts, "hands", 2, (1 << self.cards) - 1)?;
        let scores = the_numbers(facts, "scores", 2, 100)?;
        let round = the_numbers(facts, "round", 1, usize::from(self.cards))?[0];
        if facts.len() != 3 || hands.iter().any(|hand| hand.count_ones() as usize + round != usize::from(self.cards)) {
            return Err(refuse(None, "the facts do not fit together"));
        }
        let bids = |values: Vec<usize>| [values[0] as u16, values[1] as u16];
        Ok(Bids { hands: bids(hands), scores: bids(scores).map(|score| score as u8), round: round as u8 })
    }
    fn move_term(&self, _: &Bids, _: Role, &card: &u8) -> Term {
        numbers("bid", &[usize::from(card) + 1])
    }
    fn move_names(&self, _: &Bids, _: Role, moves: &[u8]) -> Vec<String> {
        moves.iter().map(|card| format!("bid {}", card + 1)).collect()
    }
    fn position(&self, _: &Bids) -> Option<Position> {
        None
    }
}

/// Nim for three in turn with one heap, 1 to 3 at a time: who takes the last wins, who moved before gets half, and the
/// third gets nothing that the rules define.
pub struct ThreeNim(Vec<String>);

/// What is left, and whose turn it is.
pub type Heap = (u8, u8);

impl ThreeNim {
    pub fn new() -> ThreeNim {
        ThreeNim(["red", "green", "blue"].map(str::to_owned).to_vec())
    }
}

impl Game for ThreeNim {
    type State = Heap;
    type Move = u8;

    fn name(&self) -> &str {
        "three nim"
    }
    fn roles(&self) -> &[String] {
        &self.0
    }
    fn start(&self) -> Heap {
        (10, 0)
    }
    fn to_move(&self, &(_, mover): &Heap) -> Roles {
        Roles::one(Role(mover))
    }
    fn legal(&self, &(left, _): &Heap, _: Role, moves: &mut Vec<u8>) {
        moves.clear();
        moves.extend(1..=left.min(3));
    }
    fn play(&self, state: &mut Heap, joint: &[u8]) {
        *state = (state.0 - joint[0], (state.1 + 1) % 3);
    }
    fn goals(&self, &(left, mover): &Heap) -> Option<Goals> {
        (left == 0).then(|| {
            let mut goals: Goals = smallvec![None; 3];
            goals[usize::from((mover + 2) % 3)] = Some(100);
            goals[usize::from((mover + 1) % 3)] = Some(50);
            goals
        })
    }
    fn facts(&self, &(left, mover): &Heap) -> Vec<Term> {
        vec![numbers("heap", &[usize::from(left)]), numbers("turn", &[usize::from(mover)])]
    }
    fn state_with(&self, facts: &[Term]) -> Result<Heap, FactsError> {
        if facts.len() != 2 {
            return Err(refuse(None, "a heap and a turn were expected"));
        }
        Ok((the_numbers(facts, "heap", 1, 10)?[0] as u8, the_numbers(facts, "turn", 1, 2)?[0] as u8))
    }
    fn move_term(&self, _: &Heap, _: Role, &taken: &u8) -> Term {
        numbers("take", &[usize::from(taken)])
    }
    fn move_names(&self, _: &Heap, _: Role, moves: &[u8]) -> Vec<String> {
        moves.iter().map(|taken| format!("take {taken}")).collect()
    }
    fn position(&self, _: &Heap) -> Option<Position> {
        None
    }
}

/// A puzzle for one: from 1 to 37 in at most seven steps of doubling, adding one and adding three.
pub struct Puzzle(Vec<String>);

/// The number reached, and how many steps it took.
pub type Sum = (u16, u8);

const STEPS: [&str; 3] = ["double", "Add 1", "Add 3"];

impl Puzzle {
    pub fn new() -> Puzzle {
        Puzzle(vec!["you".to_owned()])
    }
}

impl Game for Puzzle {
    type State = Sum;
    type Move = u8;

    fn name(&self) -> &str {
        "puzzle"
    }
    fn roles(&self) -> &[String] {
        &self.0
    }
    fn start(&self) -> Sum {
        (1, 0)
    }
    fn to_move(&self, _: &Sum) -> Roles {
        Roles::first(1)
    }
    fn legal(&self, state: &Sum, _: Role, moves: &mut Vec<u8>) {
        moves.clear();
        if self.goals(state).is_none() {
            moves.extend(0..3);
        }
    }
    fn play(&self, state: &mut Sum, joint: &[u8]) {
        *state = ([state.0 * 2, state.0 + 1, state.0 + 3][usize::from(joint[0])], state.1 + 1);
    }
    fn goals(&self, &(sum, steps): &Sum) -> Option<Goals> {
        match sum {
            37 => Some(smallvec![Some(100)]),
            _ => (steps == 7).then(|| smallvec![Some(40 - sum.abs_diff(37).min(40) as u8)]),
        }
    }
    fn facts(&self, &(sum, steps): &Sum) -> Vec<Term> {
        vec![numbers("sum", &[usize::from(sum)]), numbers("steps", &[usize::from(steps)])]
    }
    fn state_with(&self, facts: &[Term]) -> Result<Sum, FactsError> {
        if facts.len() != 2 {
            return Err(refuse(None, "a sum and steps were expected"));
        }
        Ok((the_numbers(facts, "sum", 1, 512)?[0] as u16, the_numbers(facts, "steps", 1, 7)?[0] as u8))
    }
    fn move_term(&self, _: &Sum, _: Role, &step: &u8) -> Term {
        Term::name(["double", "one", "three"][usize::from(step)])
    }
    fn move_names(&self, _: &Sum, _: Role, moves: &[u8]) -> Vec<String> {
        moves.iter().map(|&step| STEPS[usize::from(step)].to_owned()).collect()
    }
    fn position(&self, _: &Sum) -> Option<Position> {
        None
    }
}

/// A puzzle that never ends: back and forth between two places.
pub struct Pendulum(Vec<String>);

impl Pendulum {
    pub fn new() -> Pendulum {
        Pendulum(vec!["swinger".to_owned()])
    }
}

impl Game for Pendulum {
    type State = bool;
    type Move = bool;

    fn name(&self) -> &str {
        "pendulum"
    }
    fn roles(&self) -> &[String] {
        &self.0
    }
    fn start(&self) -> bool {
        false
    }
    fn to_move(&self, _: &bool) -> Roles {
        Roles::first(1)
    }
    fn legal(&self, _: &bool, _: Role, moves: &mut Vec<bool>) {
        moves.clear();
        moves.extend([false, true]);
    }
    fn play(&self, state: &mut bool, joint: &[bool]) {
        *state = joint[0];
    }
    fn goals(&self, _: &bool) -> Option<Goals> {
        None
    }
    fn facts(&self, state: &bool) -> Vec<Term> {
        vec![Term::name(state)]
    }
    fn state_with(&self, facts: &[Term]) -> Result<bool, FactsError> {
        match facts {
            [fact] => fact.to_string().parse().map_err(|_| refuse(Some(fact), "true or false was expected")),
            _ => Err(refuse(None, "one fact was expected")),
        }
    }
    fn move_term(&self, _: &bool, _: Role, choice: &bool) -> Term {
        Term::name(choice)
    }
    fn move_names(&self, _: &bool, _: Role, moves: &[bool]) -> Vec<String> {
        moves.iter().map(|choice| if *choice { "right" } else { "left" }.to_owned()).collect()
    }
    fn position(&self, _: &bool) -> Option<Position> {
        None
    }
}

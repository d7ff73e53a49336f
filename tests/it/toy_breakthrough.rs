//! Breakthrough on a small board, written by hand: long enough that playing well shows, and with a board to look at.

use onlooker::board::{Cell, Position, Shape, Square};
use onlooker::game::{FactsError, Game, Goals, Role, Roles, Term};
use smallvec::smallvec;

/// Pawns step forward, straight or aslant, and capture aslant; who reaches the other side first wins, or who takes
/// everything.
pub struct Breakthrough {
    width: usize,
    height: usize,
    roles: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pawns {
    /// 0 nothing, 1 the first role's, 2 the second's, by the number of the square.
    cells: [u8; 64],
    mover: u8,
}

/// From where to where, by the numbers of the squares.
pub type Step = (u8, u8);

impl Breakthrough {
    pub fn new(width: usize, height: usize) -> Breakthrough {
        let roles = ["white", "black"].map(str::to_owned).to_vec();
        Breakthrough { width, height, roles }
    }

    fn shape(&self) -> Shape {
        Shape::new(self.width, self.height).expect("a board of this size")
    }

    fn row(&self, rank: usize) -> std::ops::Range<usize> {
        rank * self.width..(rank + 1) * self.width
    }
}

impl Game for Breakthrough {
    type State = Pawns;
    type Move = Step;

    fn name(&self) -> &str {
        "breakthrough"
    }
    fn roles(&self) -> &[String] {
        &self.roles
    }
    fn start(&self) -> Pawns {
        let mut cells = [0; 64];
        let squares = self.width * self.height;
        cells[..2 * self.width].fill(1);
        cells[squares - 2 * self.width..squares].fill(2);
        Pawns { cells, mover: 0 }
    }
    fn to_move(&self, state: &Pawns) -> Roles {
        Roles::one(Role(state.mover))
    }
    fn legal(&self, state: &Pawns, _: Role, moves: &mut Vec<Step>) {
        moves.clear();
        if self.goals(state).is_some() {
            return;
        }
        let (own, up) = (state.mover + 1, if state.mover == 0 { 1 } else { -1 });
        for from in self.shape().all().filter(|from| state.cells[from.index()] == own) {
            for dx in [-1, 0, 1] {
                let to = self.shape().step(from, dx, up);
                let free = |to: &Square| state.cells[to.index()] == 0 || dx != 0 && state.cells[to.index()] != own;
                moves.extend(to.filter(free).map(|to| (from.0 as u8, to.0 as u8)));
            }
        }
    }
    fn play(&self, state: &mut Pawns, joint: &[Step]) {
        let (from, to) = joint[0];
        state.cells[usize::from(to)] = std::mem::take(&mut state.cells[usize::from(from)]);
        state.mover = 1 - state.mover;
    }
    fn goals(&self, state: &Pawns) -> Option<Goals> {
        let first = state.cells[self.row(self.height - 1)].contains(&1) || !state.cells.contains(&2);
        let second = state.cells[self.row(0)].contains(&2) || !state.cells.contains(&1);
        (first || second).then(|| smallvec![Some(if first { 100 } else { 0 }), Some(if first { 0 } else { 100 })])
    }
    fn facts(&self, state: &Pawns) -> Vec<Term> {
        let shape = self.shape();
        let pawn = |square: Square| {
            let name = ["none", "white", "black"][usize::from(state.cells[square.index()])];
            Term::apply(name, [Term::name(shape.name(square))])
        };
        let pawns = shape.all().filter(|square| state.cells[square.index()] != 0).map(pawn);
        pawns.chain([Term::apply("turn", [Term::name(&self.roles[usize::from(state.mover)])])]).collect()
    }
    fn state_with(&self, facts: &[Term]) -> Result<Pawns, FactsError> {
        let mut state = Pawns { cells: [0; 64], mover: 2 };
        for fact in facts {
            let odd = || FactsError { fact: Some(fact.clone()), reason: "this does not fit".to_owned() };
            let owner = |name: &str| self.roles.iter().position(|role| role == name);
            match fact {
                Term::List(parts) => match parts.as_slice() {
                    [Term::Name(turn), Term::Name(role)] if turn == "turn" && state.mover == 2 => {
                        state.mover = owner(role).ok_or_else(odd)? as u8;
                    }
                    [Term::Name(role), Term::Name(square)] => {
                        let square = self.shape().named(square).ok_or_else(odd)?;
                        let before =
                            std::mem::replace(&mut state.cells[square.index()], owner(role).ok_or_else(odd)? as u8 + 1);
                        (before == 0).then_some(()).ok_or_else(odd)?;
                    }
                    _ => return Err(odd()),
                },
                Term::Name(_) => return Err(odd()),
            }
        }
        if state.mover == 2 {
            return Err(FactsError { fact: None, reason: "whose turn it is is missing".to_owned() });
        }
        Ok(state)
    }
    fn move_term(&self, _: &Pawns, _: Role, &(from, to): &Step) -> Term {
        let name = |square: u8| Term::name(self.shape().name(Square(u16::from(square))));
        Term::apply("move", [name(from), name(to)])
    }
    fn move_names(&self, state: &Pawns, _: Role, moves: &[Step]) -> Vec<String> {
        let name = |square: u8| self.shape().name(Square(u16::from(square)));
        let sign = |to: u8| if state.cells[usize::from(to)] == 0 { '-' } else { 'x' };
        moves.iter().map(|&(from, to)| format!("{}{}{}", name(from), sign(to), name(to))).collect()
    }
    fn position(&self, state: &Pawns) -> Option<Position> {
        let mut position = Position::empty(self.shape());
        for square in self.shape().all() {
            let name = [".", "P", "p"][usize::from(state.cells[square.index()])];
            position.set(square, Cell::named(name).unwrap_or(Cell::EMPTY));
        }
        Some(position)
    }
}

//! Reads the positions of a rule sheet fast: what each numbered fact says of the board is worked out once.

use super::{NoBoard, SheetBoard};
use crate::board::{Cell, Position, Square};
use crate::game::{Fact, Game, GdlGame};

/// The board of a rule sheet, with what each of its numbered facts says.
#[derive(Debug)]
pub struct SheetReader {
    board: SheetBoard,
    numbered: Vec<Result<Option<(Square, Cell)>, NoBoard>>,
}

impl SheetReader {
    /// Reads a board that was found in the facts of a sheet.
    pub fn new(board: SheetBoard, game: &GdlGame) -> SheetReader {
        let numbered = game.fact_terms().iter().map(|fact| board.square_of(fact)).collect();
        SheetReader { board, numbered }
    }

    /// The board that is read.
    pub fn board(&self) -> &SheetBoard {
        &self.board
    }

    /// The position in a state; `None` if one of its facts was not seen while the board was found. The game is the sheet's, however it is held.
    pub fn position<G: Game>(&self, game: &G, state: &G::State) -> Option<Position> {
        let mut position = Some(self.board.bare().clone());
        game.for_each_fact(state, &mut |fact| {
            let said = match fact {
                Fact::Numbered(number) => self.numbered.get(number.index()).cloned(),
                Fact::Unnumbered(fact) => Some(self.board.square_of(fact)),
            };
            match (said, &mut position) {
                (Some(Ok(Some((square, cell)))), Some(position)) => position.set(square, cell),
                (Some(Ok(None)), _) => {}
                _ => position = None,
            }
        });
        position
    }
}

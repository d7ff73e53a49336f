//! Bare `a`s: pieces that appeared without being named.

use super::error::Problem;
use crate::board::{Cell, Content, MisfitReason, Position, Square, Word};

/// Names the pieces of bare `a`s by what stands, in the next position, where each was finally put down.
///
/// A piece is put down where the next one appears, or where the word ends. A refusal tells which micro-move is in the
/// way, and why.
pub(super) fn name_bare_adds(start: Square, word: &mut Word, next: &Position) -> Result<(), (usize, Problem)> {
    let unnamed = |index: usize, reason| (index, Problem::BareAdd { reason });
    let found_on = |square: Square, index: usize| match next.at(square) {
        Cell::EMPTY | Cell::HOLE => Err(unnamed(index, "the next position has nothing where it was put down")),
        cell => Ok(Content::Add(Some(cell))),
    };
    let mut cursor = start;
    let mut carried: Option<usize> = None;
    for index in 0..word.0.len() {
        let micro = word.0[index];
        let Some(square) = next.shape().step(cursor, micro.dx, micro.dy) else {
            return Err((index, Problem::Misfit(MisfitReason::OffBoard)));
        };
        match (micro.content, carried) {
            (Content::Add(name), _) => {
                if let Some(bare) = carried {
                    word.0[bare].content = found_on(square, bare)?;
                }
                carried = name.is_none().then_some(index);
            }
            (Content::Remove(_), Some(bare)) if square == cursor => {
                return Err(unnamed(bare, "it is removed before it is put down"));
            }
            _ => {}
        }
        cursor = square;
    }
    if let Some(bare) = carried {
        word.0[bare].content = found_on(cursor, bare)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_add_is_what_stands_where_it_was_put_down() {
        for (start, word, next, named) in [
            (0, "(0 1 e)(0 0 a)", "Q/.", Ok("(0 1 e)(0 0 aQ)")),
            (0, "(1 0 e)(0 0 a)(-1 0 e)", "AQ", Ok("(1 0 e)(0 0 aA)(-1 0 e)")),
            (0, "(0 0 a)(1 0 e)(0 0 a)(1 0 e)", "RPK", Ok("(0 0 aP)(1 0 e)(0 0 aK)(1 0 e)")),
            (0, "(0 0 a)(1 0 e)(0 0 aK)", "R.", Err(0)),
            (0, "(0 0 a)(0 0 d)", "RP", Err(0)),
            (0, "(0 0 a)(0 0 aX)(-1 0 e)", "RP", Err(2)),
            (1, "(0 0 a)", ".*", Ok("(0 0 a*)")),
            (1, "(0 0 a)", ".#", Err(0)),
        ] {
            let mut read: Word = word.parse().unwrap();
            let next = Position::from_rows(next.split('/')).unwrap();
            let found = name_bare_adds(Square(start), &mut read, &next).map_err(|(index, _)| index);
            assert_eq!(found.map(|()| read.to_string()), named.map(str::to_owned), "{word}");
        }
    }
}

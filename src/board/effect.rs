//! What a word does to a position.

use super::word::is_side;
use super::{Cell, Content, Piece, Player, Position, Square, Word};
use smallvec::SmallVec;
use std::fmt;

/// The squares that a word changes, and the piece it drops from the hand: all that a move is, whatever its word.
///
/// Two words with equal effects are the same move read in two ways.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Effect {
    /// Sorted by square; only squares whose content is another one afterwards.
    changes: SmallVec<[(Square, Cell); 3]>,
    dropped: Option<Piece>,
}

impl Effect {
    /// The squares that are different afterwards, with what is then on them, sorted by square.
    pub fn changes(&self) -> &[(Square, Cell)] {
        &self.changes
    }

    /// The piece that was dropped on an empty square, if the word began with that.
    pub fn dropped(&self) -> Option<Piece> {
        self.dropped
    }
}

impl Position {
    /// Changes the squares as a word did that was played, and takes a dropped piece from the player's hand.
    ///
    /// What capturing adds to a hand is a matter of the game's rules, which a word does not tell.
    pub fn apply(&mut self, effect: &Effect, player: Player) {
        for &(square, cell) in effect.changes() {
            self.set(square, cell);
        }
        if let (Some(dropped), Some(hands)) = (effect.dropped(), &mut self.hands) {
            let hand = &mut hands[player.index()];
            if let Some(at) = hand.iter().position(|&piece| piece == dropped) {
                hand.remove(at);
            }
        }
    }

    /// What the player's word does, starting from a square, or why it does not fit this position.
    ///
    /// The piece on the start square is lifted, so its square counts as empty from then on. It is the controlled piece
    /// until `a` puts it down and makes a new piece the controlled one, or `(0 0 d)` removes it. At the end the
    /// controlled piece stands where the cursor is, and whatever stood there is gone.
    ///
    /// # Errors
    ///
    /// [`Misfit`] with the micro-move that does not fit, and why.
    pub fn effect(&self, player: Player, start: Square, word: &Word) -> Result<Effect, Misfit> {
        let misfit = |at, reason| Err(Misfit { at, reason });
        let found = self.at(start);
        let drops = matches!(word.0.first(), Some(micro) if matches!(micro.content, Content::Add(_)));
        if word.0.is_empty() {
            return misfit(None, MisfitReason::NoMicroMoves);
        }
        if !(found.owner() == Some(player) || found.is_empty() && drops) {
            return misfit(None, MisfitReason::Start { found, player });
        }
        let mut run = Execution { position: self, changed: SmallVec::new() };
        let mut controlled = found;
        if !found.is_empty() {
            run.put(start, Cell::EMPTY);
        }
        let mut cursor = start;
        // The cursor's file and rank go along, since dividing for them at every step is what took longest.
        let (mut file, mut rank) = (self.shape().file(start) as i32, self.shape().rank(start) as i32);
        for (index, micro) in word.0.iter().enumerate() {
            let at = Some(index);
            file += i32::from(micro.dx);
            rank += i32::from(micro.dy);
            // What is negative is far off the board as `usize`.
            let next = self.shape().square(file as usize, rank as usize);
            let Some(next) = next.filter(|&square| self.at(square) != Cell::HOLE) else {
                return misfit(at, MisfitReason::OffBoard);
            };
            let on_the_spot = next == cursor;
            cursor = next;
            let found = run.at(cursor);
            match micro.content {
                Content::Empty if found.is_empty() => {}
                Content::Own | Content::Opponent if is_side(micro.content, found.owner(), player) => {}
                Content::Add(None) => return misfit(at, MisfitReason::UnknownPiece),
                Content::Add(Some(piece)) => {
                    if !controlled.is_empty() {
                        run.put(cursor, controlled);
                    }
                    controlled = piece;
                }
                // The controlled piece is in the player's fingers, so on its own square it is what `d` finds.
                Content::Remove(name) if on_the_spot && !controlled.is_empty() => {
                    if name.is_some_and(|name| name != controlled) {
                        return misfit(at, MisfitReason::Found { found: controlled, expected: micro.content });
                    }
                    controlled = Cell::EMPTY;
                }
                Content::Remove(name) if !found.is_empty() && name.is_none_or(|name| name == found) => {
                    run.put(cursor, Cell::EMPTY);
                }
                expected => return misfit(at, MisfitReason::Found { found, expected }),
            }
        }
        if !controlled.is_empty() {
            run.put(cursor, controlled);
        }
        let mut effect = run.finish();
        if drops && found.is_empty() {
            effect.dropped = self.dropped(player, word)?;
        }
        Ok(effect)
    }

    /// The piece a drop takes from the hand. Games without hands drop from nowhere.
    fn dropped(&self, player: Player, word: &Word) -> Result<Option<Piece>, Misfit> {
        let Some(Content::Add(Some(cell))) = word.0.first().map(|micro| micro.content) else { return Ok(None) };
        match (cell.piece(), self.hand(player)) {
            (Some(piece), Some(hand)) if !hand.contains(&piece) => {
                Err(Misfit { at: Some(0), reason: MisfitReason::NotInHand { piece } })
            }
            (piece, _) => Ok(piece),
        }
    }
}

/// The position as it is while a word goes on.
struct Execution<'a> {
    position: &'a Position,
    /// A word changes few squares, so looking through them beats copying the board.
    changed: SmallVec<[(Square, Cell); 3]>,
}

impl Execution<'_> {
    fn at(&self, square: Square) -> Cell {
        self.changed
            .iter()
            .find(|change| change.0 == square)
            .map_or_else(|| self.position.at(square), |change| change.1)
    }

    fn put(&mut self, square: Square, cell: Cell) {
        match self.changed.iter_mut().find(|change| change.0 == square) {
            Some(change) => change.1 = cell,
            None => self.changed.push((square, cell)),
        }
    }

    fn finish(mut self) -> Effect {
        let stays = |&(square, cell): &(Square, Cell)| self.position.at(square) == cell;
        if self.changed.iter().any(stays) {
            self.changed.retain(|change| !stays(change));
        }
        // Nearly every move changes two squares.
        match self.changed.as_mut_slice() {
            [first, second] => {
                if first > second {
                    std::mem::swap(first, second);
                }
            }
            changed => changed.sort_unstable(),
        }
        Effect { changes: self.changed, dropped: None }
    }
}

/// Why a word cannot be played in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Which micro-move does not fit; `None` if it is the start square.
    pub at: Option<usize>,
    /// Why not.
    pub reason: MisfitReason,
}

/// Why a word, or one micro-move of it, does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MisfitReason {
    /// There is nothing to do.
    NoMicroMoves,
    /// The start square holds no piece of the player to move.
    Start {
        /// What it holds.
        found: Cell,
        /// Who is to move.
        player: Player,
    },
    /// The step leads off the board or into a hole.
    OffBoard,
    /// Something else is there.
    Found {
        /// What is there.
        found: Cell,
        /// What the micro-move says is there.
        expected: Content,
    },
    /// A bare `a` does not say which piece appears.
    UnknownPiece,
    /// A piece that is not in hand is dropped.
    NotInHand {
        /// The piece.
        piece: Piece,
    },
}

impl fmt::Display for MisfitReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            MisfitReason::NoMicroMoves => f.write_str("the word has no micro-moves"),
            MisfitReason::Start { found, player } if found.is_empty() => {
                write!(f, "the start square is empty, expected a piece of the player to move ({})", player.letter())
            }
            MisfitReason::Start { found, player } => {
                write!(
                    f,
                    "the start square holds {found}, expected a piece of the player to move ({})",
                    player.letter()
                )
            }
            MisfitReason::OffBoard => f.write_str("this step leads off the board"),
            MisfitReason::Found { found, expected } => {
                let expected = match expected {
                    Content::Empty => "an empty square".to_owned(),
                    Content::Own => "a piece of the player to move".to_owned(),
                    Content::Opponent => "a piece of the opponent".to_owned(),
                    Content::Remove(Some(cell)) => format!("{cell} to be removed"),
                    _ => "a piece to be removed".to_owned(),
                };
                let found = if found.is_empty() { "an empty square".to_owned() } else { found.to_string() };
                write!(f, "this step comes to {found}, expected {expected}")
            }
            MisfitReason::UnknownPiece => {
                f.write_str("a bare 'a' does not say which piece appears, expected a name as in (0 0 aQ)")
            }
            MisfitReason::NotInHand { piece } => write!(f, "{piece} is dropped, but it is not in the player's hand"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows before, player, square and word, rows after. Rows are parted by `/`.
    const PLAYED: &[(&str, Player, u16, &str, &str)] = &[
        ("..../.P..", Player::First, 1, "(0 1 e)", ".P../...."),
        ("..r./.P..", Player::First, 1, "(1 1 p)", "..P./...."),
        (".../.N.", Player::First, 1, "(1 1 e)(-2 0 e)", "N../..."),
        // A capture of one's own, and a piece passed over that stays.
        ("RR", Player::First, 0, "(1 0 w)", ".R"),
        ("C.../.c../....", Player::First, 8, "(1 -1 p)(1 -1 e)", "..../.c../..C."),
        // Removal, of the opponent's and one's own, named and bare.
        ("C.../.c../....", Player::First, 8, "(1 -1 dc)(1 -1 e)", "..../..../..C."),
        ("C.../.c../....", Player::First, 8, "(1 -1 d)(1 -1 e)", "..../..../..C."),
        ("PP.", Player::First, 0, "(1 0 dP)(1 0 e)", "..P"),
        // Promotion in both spellings of the paper.
        ("./P", Player::First, 0, "(0 1 e)(0 0 aQ)", "Q/."),
        ("./P", Player::First, 0, "(0 0 dP)(0 1 e)(0 0 aQ)", "Q/."),
        // The arrow comes back over the square that the amazon left.
        ("Q...", Player::First, 0, "(1 0 e)(0 0 aA)(-1 0 e)", "AQ.."),
        ("..q.", Player::Second, 2, "(-1 0 e)(0 0 aa)(1 0 e)(1 0 e)", ".q.a"),
        ("K..R", Player::First, 0, "(1 0 e)(1 0 e)(0 0 aR)(1 0 dR)(-2 0 e)", ".RK."),
        (".../Pp.", Player::First, 0, "(1 0 dp)(0 1 e)", ".P./..."),
        ("...", Player::Second, 1, "(0 0 ao)", ".o."),
        ("...", Player::First, 1, "(0 0 a*)", ".*."),
        // A man goes round and comes back to where it began: nothing but the taken pieces changes.
        ("..../.cc./C.../.cc.", Player::First, 4, "(1 1 dc)(1 1 e)", "..C./..c./..../.cc."),
        ("Kc", Player::First, 0, "(1 0 dc)(-1 0 e)", "K."),
    ];

    fn rows(text: &str) -> Position {
        Position::from_rows(text.trim().split('/')).unwrap()
    }

    #[test]
    fn a_word_does_what_the_format_says() {
        for &(before, player, square, word, after) in PLAYED {
            let mut position = rows(before);
            let effect = position.effect(player, Square(square), &word.parse().unwrap());
            position.apply(&effect.unwrap_or_else(|misfit| panic!("{before} {word}: {}", misfit.reason)), player);
            assert_eq!(position, rows(after), "{before} {word}");
        }
    }

    #[test]
    fn a_word_that_does_not_fit_is_refused_at_its_micro_move() {
        for (before, square, word, at) in [
            (".P", 0, "(1 0 w)", None),
            ("p.", 0, "(1 0 e)", None),
            ("P.", 0, "(-1 0 e)", Some(0)),
            ("P#", 0, "(1 0 e)", Some(0)),
            ("P.R", 0, "(1 0 e)(1 0 e)", Some(1)),
            ("P.R", 0, "(1 0 e)(1 0 p)", Some(1)),
            ("P*", 0, "(1 0 p)", Some(0)),
            ("Pp", 0, "(1 0 dq)", Some(0)),
            ("P.", 0, "(1 0 d)", Some(0)),
            ("P.", 0, "(0 0 dQ)", Some(0)),
            ("P.", 0, "(1 0 e)(0 0 a)", Some(1)),
            (".P", 0, "(1 0 w)(0 0 aP)", None),
        ] {
            let refused = rows(before).effect(Player::First, Square(square), &word.parse().unwrap());
            assert_eq!(refused.map_err(|misfit| misfit.at), Err(at), "{before} {word}");
        }
    }

    #[test]
    fn drops_come_from_the_hand_where_there_is_one() {
        let mut position = rows("..");
        position.set_hands([vec![Piece::named("N").unwrap()], vec![]]);
        let drop_of =
            |position: &Position, word: &str| position.effect(Player::First, Square(0), &word.parse().unwrap());
        assert!(matches!(drop_of(&position, "(0 0 aP)").unwrap_err().reason, MisfitReason::NotInHand { .. }));
        let effect = drop_of(&position, "(0 0 aN)").unwrap();
        position.apply(&effect, Player::First);
        assert_eq!(position.hand(Player::First), Some(&[][..]));
        assert_eq!(position.at(Square(0)).to_string(), "N");
    }
}

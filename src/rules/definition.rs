//! A game's rules as one value.

use super::{Atom, Balance, Condition, Ending, Landing, Movement, Provenance, Side, Start, Taken, Whose, Zone};
use crate::board::{Cell, Piece, Player, Position};
use crate::saved::digest;
use std::collections::BTreeSet;

/// The rules of a board game for one or two players: the hub between those who learn or write rules and those who run,
/// explain or translate them.
///
/// A plain value: what has no sense in it is found by [`Rules::flaws`] before an engine is made of it.
///
/// ```
/// use onlooker::rules::Rules;
///
/// let rules = Rules::parse(include_str!("../../games/breakthrough.rules"))?;
/// assert_eq!(rules.players, ["white", "black"]);
/// assert!(rules.flaws().is_empty());
/// assert_eq!(Rules::parse(&rules.to_string())?, rules);
/// # Ok::<(), onlooker::rules::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The game's name, without spaces.
    pub name: String,
    /// A sentence about the game, or nothing.
    pub about: String,
    /// The names of the one or two players, the first to move first.
    pub players: Vec<String>,
    /// Where the pieces stand at the start.
    pub setup: Position,
    /// Sets of squares that guards and endings speak of.
    pub zones: Vec<Zone>,
    /// Which turns may start where.
    pub moves: Vec<Movement>,
    /// How the game ends, in the order in which endings are tried.
    pub endings: Vec<Ending>,
    /// What they were learnt from, if they were.
    pub learnt: Option<Provenance>,
}

/// A part of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The name.
    Name,
    /// The players.
    Players,
    /// The board at the start.
    Setup,
    /// A zone, by its number.
    Zone(usize),
    /// A movement, by its number.
    Movement(usize),
    /// An ending, by its number.
    Ending(usize),
    /// All endings together.
    Endings,
    /// What the rules were learnt from.
    Learnt,
}

/// Something in the rules that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Where.
    pub place: Place,
    /// What is wrong, and what was expected.
    pub reason: String,
}

/// Whether a text can stand as a name in a rules file: letters, digits, `-` and `_`, beginning with a letter.
pub(super) fn is_name(text: &str) -> bool {
    let inner = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    text.starts_with(char::is_alphabetic) && text.chars().all(inner)
}

impl Rules {
    /// Sixteen digits that stand for how the game is played: the same however the text is laid out, whatever is said about
    /// the game, and whether or not it was learnt; next to surely others for any other rules.
    ///
    /// ```
    /// use onlooker::rules::Rules;
    ///
    /// let text = include_str!("../../games/breakthrough.rules");
    /// let digest = Rules::parse(text)?.digest();
    /// assert_eq!(Rules::parse(&format!("; A comment.\n{text}"))?.digest(), digest);
    /// assert_ne!(Rules::parse(&text.replace("forward(empty)", "forward(empty | enemy)"))?.digest(), digest);
    /// # Ok::<(), onlooker::rules::ParseError>(())
    /// ```
    pub fn digest(&self) -> String {
        digest(&Rules { about: String::new(), learnt: None, ..self.clone() })
    }

    /// Every piece that can be on the board: those of the setup and those that moves put there, sorted.
    pub fn pieces(&self) -> Vec<Piece> {
        self.cells().into_iter().filter_map(Cell::piece).collect()
    }

    /// Pieces and walls that can be on the board, sorted.
    pub(super) fn cells(&self) -> BTreeSet<Cell> {
        let mut cells: BTreeSet<Cell> = self.setup.cells().iter().copied().collect();
        for movement in &self.moves {
            movement.words.letters(&mut |atom| {
                if let Atom::Put(cell) = atom {
                    let turned = (movement.side == Side::Both && self.players.len() == 2).then(|| cell.turned());
                    cells.extend([*cell].into_iter().chain(turned));
                }
            });
        }
        cells.retain(|&cell| cell != Cell::EMPTY && cell != Cell::HOLE);
        cells
    }

    /// The zone with a name.
    pub fn zone(&self, name: &str) -> Option<&Zone> {
        self.zones.iter().find(|zone| zone.name == name)
    }

    /// Whose rules these are: the first player, and the second if there is one.
    pub fn sides(&self) -> impl Iterator<Item = Player> {
        [Player::First, Player::Second].into_iter().take(self.players.len())
    }

    /// Everything that makes no sense in these rules. Rules without flaws can be written and read back, and compile
    /// unless their automata get too large.
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        let mut flaw = |place, reason: String| flaws.push(Flaw { place, reason });
        if !is_name(&self.name) {
            flaw(Place::Name, format!("{:?} is not a name of letters, digits, '-' and '_'", self.name));
        }
        if self.about.contains(['\n', '\r']) || self.about.trim() != self.about {
            flaw(Place::Name, "what the game is about must be one line".to_owned());
        }
        if !(1..=2).contains(&self.players.len()) || !self.players.iter().all(|name| is_name(name)) {
            flaw(Place::Players, "expected the names of one or two players".to_owned());
        } else if self.players.len() == 2 && self.players[0] == self.players[1] {
            flaw(Place::Players, format!("both players are called {}", self.players[0]));
        }
        if self.setup.hand(Player::First).is_some() {
            flaw(Place::Setup, "pieces in hand are not part of rules".to_owned());
        }
        for (i, zone) in self.zones.iter().enumerate() {
            if !is_name(&zone.name) || self.zones[..i].iter().any(|other| other.name == zone.name) {
                flaw(Place::Zone(i), format!("{:?} is not a name, or there is such a zone already", zone.name));
            }
            if zone.areas.is_empty() || zone.reaches_beyond(self.setup.shape()) {
                flaw(Place::Zone(i), format!("zone {} has squares that the board does not have, or none", zone.name));
            }
        }
        for (i, movement) in self.moves.iter().enumerate() {
            self.movement_flaws(i, movement).into_iter().for_each(|reason| flaw(Place::Movement(i), reason));
        }
        for (i, ending) in self.endings.iter().enumerate() {
            self.ending_flaws(ending).into_iter().for_each(|reason| flaw(Place::Ending(i), reason));
        }
        for player in self.sides() {
            if !self.decides_being_stuck(player) {
                let name = &self.players[player.index()];
                flaw(
                    Place::Endings,
                    format!("no ending says what it means for {name} that the next player cannot move"),
                );
            }
        }
        if let Some(learnt) = &self.learnt
            && learnt.endings.len() > self.endings.len()
        {
            flaw(Place::Learnt, format!("there are only {} endings", self.endings.len()));
        }
        flaws
    }

    /// Whether endings say what happens when this player is to move and cannot: in any case, or for fewer, as many and more
    /// pieces.
    fn decides_being_stuck(&self, player: Player) -> bool {
        let is_stuck = |condition: &Condition| *condition == Condition::CannotMove;
        let mine = || self.endings.iter().filter(|ending| ending.side.is_for(player));
        let with = |balance: Balance| {
            let is_part = |part: &Condition| is_stuck(part) || *part == Condition::Balance(balance);
            let says = |when: &Condition| matches!(when, Condition::All(parts) if parts.iter().any(is_stuck) && parts.iter().all(is_part));
            mine().any(|ending| says(&ending.when))
        };
        mine().any(|ending| is_stuck(&ending.when))
            || [Balance::Fewer, Balance::Same, Balance::More].into_iter().all(with)
    }

    fn movement_flaws(&self, number: usize, movement: &Movement) -> Vec<String> {
        let mut reasons = self.side_flaws(movement.side);
        let owner_fits = |piece: Piece| match movement.side {
            Side::Both => piece.owner() == Player::First,
            Side::Only(player) => piece.owner() == player,
        };
        if let Start::Piece(piece) = movement.start
            && !owner_fits(piece)
        {
            reasons.push(format!("{piece} is not a piece of the player for whom this line is; lines for both are written for the first player, in UPPERCASE"));
        }
        if self.moves[..number].iter().any(|other| other.start == movement.start && other.side == movement.side) {
            reasons.push("there is a line for this already: write both as one, with | between them".to_owned());
        }
        let too_far = |dx: i8, dy: i8| dx.unsigned_abs() > 31 || dy.unsigned_abs() > 31;
        let nowhere = |dx: i8, dy: i8| (dx, dy) == (0, 0) || too_far(dx, dy);
        movement.words.letters(&mut |atom| match atom {
            Atom::Step { dx, dy, landing } => {
                if nowhere(*dx, *dy) {
                    reasons.push(format!("the step ({dx} {dy} ..) leads nowhere: expected a step of 1 to 31 squares"));
                }
                reasons.extend(landing_flaw(landing));
            }
            Atom::Along(directions, path) => {
                if directions.steps().iter().any(|&(dx, dy)| nowhere(dx, dy)) {
                    reasons.push(format!("{directions} leads nowhere: expected leaps of 1 to 31 squares"));
                }
                path.letters(&mut |landing| reasons.extend(landing_flaw(landing)));
            }
            Atom::Put(cell) => reasons.extend(cell_flaw(*cell)),
            Atom::Zone { name, .. } if self.zone(name).is_none() => reasons.push(format!("there is no zone {name}")),
            Atom::Look { dx, dy, .. } if too_far(*dx, *dy) => reasons.push("this looks beyond any board".to_owned()),
            Atom::Vanish if movement.start == Start::Empty => {
                reasons.push("a piece that is dropped cannot vanish: it would be no turn".to_owned());
            }
            Atom::Zone { .. } | Atom::Look { .. } | Atom::Vanish => {}
        });
        reasons
    }

    fn ending_flaws(&self, ending: &Ending) -> Vec<String> {
        let mut reasons = self.side_flaws(ending.side);
        if let Condition::All(parts) = &ending.when
            && (parts.len() < 2 || parts.iter().any(|part| matches!(part, Condition::All(_))))
        {
            reasons.push("expected two or more plain conditions with 'and' between them".to_owned());
        }
        let mover = if ending.side == Side::Only(Player::Second) { Player::Second } else { Player::First };
        ending.when.parts().iter().for_each(|part| self.condition_flaws(part, mover, &mut reasons));
        reasons
    }

    fn condition_flaws(&self, when: &Condition, mover: Player, reasons: &mut Vec<String>) {
        let (pieces, count): (&[Piece], u32) = match when {
            Condition::On { pieces, .. } | Condition::Left { pieces, .. } => (pieces, 1),
            Condition::Line { count, pieces, .. } => (pieces, u32::from(*count)),
            Condition::CannotMove | Condition::NeitherCanMove | Condition::Balance(_) | Condition::All(_) => (&[], 1),
            Condition::Plies(plies) => (&[], *plies),
        };
        if let Some(zone) = when.zone().filter(|zone| self.zone(zone).is_none()) {
            reasons.push(format!("there is no zone {zone}"));
        }
        if count == 0 {
            reasons.push("expected a number greater than 0".to_owned());
        }
        let opponents = matches!(when, Condition::Left { whose: Whose::Opponent, .. });
        if self.players.len() < 2 && (opponents || matches!(when, Condition::Balance(_) | Condition::NeitherCanMove)) {
            reasons.push("there is no opponent".to_owned());
        }
        let expected = if opponents { mover.other() } else { mover };
        let known = self.cells();
        for piece in pieces {
            if piece.owner() != expected && opponents {
                reasons.push(format!("{piece} is not a piece of the opponent, whose pieces are written as they stand on the board; lines for both are written for the first player"));
            } else if piece.owner() != expected {
                reasons.push(format!("{piece} is not a piece of the player for whom this line is; lines for both are written for the first player, in UPPERCASE"));
            } else if !known.contains(&piece.cell()) && !known.contains(&piece.turned().cell()) {
                reasons.push(format!("no piece {piece} is ever on the board"));
            }
        }
    }

    fn side_flaws(&self, side: Side) -> Vec<String> {
        let nobody = side == Side::Only(Player::Second) && self.players.len() < 2;
        nobody.then(|| "there is no second player".to_owned()).into_iter().collect()
    }
}

fn landing_flaw(landing: &Landing) -> Option<String> {
    match landing {
        Landing::Take(Taken::The(cell)) => cell_flaw(*cell),
        _ => None,
    }
}

fn cell_flaw(cell: Cell) -> Option<String> {
    (cell.piece().is_none() && cell != Cell::WALL).then(|| format!("{cell} is neither a piece nor a wall"))
}

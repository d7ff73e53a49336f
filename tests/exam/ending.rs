//! Endings: when a game is over, and for whom.

use super::game::Game;
use super::recipe::DROP;
use super::zone::{Pair, Zone};
use onlooker::observe::Outcome;

/// One way in which a game ends. They are tried in their order after every turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    pub when: When,
    /// What it means for the player who has just moved.
    pub outcome: Outcome,
}

/// A condition after a turn; letters as the first player has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// One of the mover's pieces of a letter stands in the zone.
    Reach { letters: Vec<u8>, zone: Zone },
    /// So many of the mover's pieces, or more unless `exactly`, stand side by side along one of the ways.
    Line { count: usize, exactly: bool, ways: Vec<Pair> },
    /// The opponent has no more than so many pieces of these letters.
    EnemyLeft { count: usize, letters: Vec<u8> },
    /// The mover has exactly so many pieces.
    OwnLeft { count: usize },
    /// The next player has no turn.
    Stuck,
    /// So many turns have been made.
    Plies(usize),
    /// So many turns have been made: whoever has more pieces wins, whatever the outcome of the ending says.
    MoreAtLimit(usize),
    /// So many of the mover's pieces of one of the letters, or more, stand side by side in any of the four ways.
    LineOf { count: usize, letters: Vec<u8> },
    /// The mover has no more than so many pieces of these letters.
    OwnFew { count: usize, letters: Vec<u8> },
    /// The next player has no turn: whoever has more pieces wins.
    MoreWhenStuck,
    /// Nobody has a turn.
    NobodyMoves,
    /// None of the mover's pieces of these letters stands on the square, as the mover sees it.
    Leaves { letters: Vec<u8>, square: Pair },
}

/// The four ways of lines.
pub const WAYS: [Pair; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Ending {
    /// The kind of ending, for tables.
    pub fn name(&self) -> String {
        let when = match &self.when {
            When::Reach { zone, .. } => format!("reach {}", zone.name()),
            When::Line { exactly: true, .. } => "exact line".to_owned(),
            When::Line { ways, .. } if ways.len() < 4 => "line one way".to_owned(),
            When::Line { .. } => "line".to_owned(),
            When::EnemyLeft { .. } => "enemy left".to_owned(),
            When::OwnLeft { .. } => "own left".to_owned(),
            When::Stuck => "stuck".to_owned(),
            When::Plies(_) => "limit".to_owned(),
            When::MoreAtLimit(_) => "more at limit".to_owned(),
            When::LineOf { .. } => "line of a kind".to_owned(),
            When::OwnFew { .. } => "own few".to_owned(),
            When::MoreWhenStuck => "more when stuck".to_owned(),
            When::NobodyMoves => "nobody moves".to_owned(),
            When::Leaves { .. } => "leaves a square".to_owned(),
        };
        match (&self.when, self.outcome) {
            (When::MoreAtLimit(_) | When::MoreWhenStuck | When::Plies(_), _) => when,
            (_, Outcome::Won) => format!("{when} wins"),
            (_, Outcome::Lost) => format!("{when} loses"),
            (_, Outcome::Tied) => format!("{when} ties"),
        }
    }

    /// Whether rules have words for it: see the README's list of endings.
    pub fn can_be_said(&self) -> bool {
        true
    }
}

impl Game {
    /// The first ending that holds after `mover`'s turn, by its number, with what it means for the mover; `stuck` is
    /// whether the next player has no turn.
    pub fn over(&self, cells: &[u8], mover: usize, plies: usize, stuck: bool) -> Option<(usize, Outcome)> {
        self.endings.iter().enumerate().find_map(|(number, ending)| {
            let outcome = self.holds(ending, cells, mover, plies, stuck)?;
            Some((number, outcome))
        })
    }

    fn holds(&self, ending: &Ending, cells: &[u8], mover: usize, plies: usize, stuck: bool) -> Option<Outcome> {
        let next = (mover + 1) % self.players;
        let count = |player: usize, letters: Option<&[u8]>| {
            let wanted = |cell: &u8| letters.is_none_or(|letters| letters.contains(&cell.to_ascii_uppercase()));
            cells
                .iter()
                .filter(|cell| cell.is_ascii_alphabetic() && self.owner(**cell) == player && wanted(cell))
                .count()
        };
        let holds = match &ending.when {
            When::Reach { letters, zone } => cells.iter().enumerate().any(|(square, &cell)| {
                let wanted = cell != DROP && letters.iter().any(|&letter| self.letter(letter, mover) == cell);
                wanted && self.is_in(zone, self.place(square), mover)
            }),
            When::Line { count, exactly, ways } => {
                ways.iter().any(|&way| self.has_line(cells, mover, None, way, *count, *exactly))
            }
            When::LineOf { count, letters } => letters
                .iter()
                .any(|letter| WAYS.iter().any(|&way| self.has_line(cells, mover, Some(*letter), way, *count, false))),
            When::OwnFew { count: most, letters } => count(mover, Some(letters)) <= *most,
            When::NobodyMoves => stuck && self.turns(cells, mover).is_empty(),
            When::Leaves { letters, square } => {
                let (x, y) = self.view(mover).square(*square, self.size);
                let stands = cells[(y * self.size.0 + x) as usize];
                !letters.iter().any(|&letter| self.letter(letter, mover) == stands)
            }
            When::EnemyLeft { count: most, letters } => count(next, Some(letters)) <= *most,
            When::OwnLeft { count: wanted } => count(mover, None) == *wanted,
            When::Stuck => stuck,
            When::Plies(limit) => plies >= *limit,
            When::MoreAtLimit(_) | When::MoreWhenStuck if self.is_time(&ending.when, plies, stuck) => {
                return Some(match count(mover, None).cmp(&count(next, None)) {
                    std::cmp::Ordering::Greater => Outcome::Won,
                    std::cmp::Ordering::Equal => Outcome::Tied,
                    std::cmp::Ordering::Less => Outcome::Lost,
                });
            }
            When::MoreAtLimit(_) | When::MoreWhenStuck => false,
        };
        holds.then_some(ending.outcome)
    }

    fn is_time(&self, when: &When, plies: usize, stuck: bool) -> bool {
        match when {
            When::MoreAtLimit(limit) => plies >= *limit,
            _ => stuck,
        }
    }

    fn has_line(&self, cells: &[u8], mover: usize, letter: Option<u8>, way: Pair, count: usize, exactly: bool) -> bool {
        let wanted = |cell: u8| letter.is_none_or(|letter| letter == cell.to_ascii_uppercase());
        let own = |place: Pair| {
            self.square(place).is_some_and(|at| {
                cells[at].is_ascii_alphabetic() && self.owner(cells[at]) == mover && wanted(cells[at])
            })
        };
        (0..cells.len()).map(|square| self.place(square)).any(|(x, y)| {
            let begins = own((x, y)) && !own((x - way.0, y - way.1));
            let length = (0..).take_while(|&n| own((x + n * way.0, y + n * way.1))).count();
            begins && if exactly { length == count } else { length >= count }
        })
    }
}

//! A board for games of rule sheets that are no board games to the learner: facts that name squares by two numbers are drawn there.

use onlooker::game::{AnyGame, AnyState, Game, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Which facts are drawn, and how large the board is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactBoard {
    relation: String,
    arguments: usize,
    /// Which arguments are the file and the rank.
    places: (usize, usize),
    /// The smallest file and rank.
    least: (i64, i64),
    pub width: usize,
    pub height: usize,
    /// What stands on most squares at the start, so that it is nothing.
    blank: Option<String>,
    /// The names of roles, which become pieces of theirs.
    roles: Vec<String>,
}

/// Boards are not larger than this, and facts of more than so many things have other things to say.
const LARGEST: i64 = 40;
const MOST_ARGUMENTS: usize = 4;

fn number(term: &Term) -> Option<i64> {
    term.as_name().and_then(|name| name.parse().ok())
}

fn parts(term: &Term) -> Option<(&str, &[Term])> {
    let Term::List(parts) = term else { return None };
    Some((parts.first()?.as_name()?, &parts[1..]))
}

impl FactBoard {
    /// Looks for two arguments of a relation that are always numbers: those that name most squares.
    pub fn find(game: &AnyGame) -> Option<FactBoard> {
        let mut relations: BTreeMap<(String, usize), Vec<Vec<Term>>> = BTreeMap::new();
        for term in game.fact_terms() {
            if let Some((name, arguments)) = parts(&term)
                && (2..=MOST_ARGUMENTS).contains(&arguments.len())
            {
                relations.entry((name.to_owned(), arguments.len())).or_default().push(arguments.to_vec());
            }
        }
        let mut best: Option<(usize, FactBoard)> = None;
        for ((relation, arguments), facts) in &relations {
            for first in 0..*arguments {
                for second in first + 1..*arguments {
                    let pairs: Option<BTreeSet<(i64, i64)>> =
                        facts.iter().map(|fact| number(&fact[first]).zip(number(&fact[second]))).collect();
                    let Some(pairs) = pairs else { continue };
                    let range = |of: fn(&(i64, i64)) -> i64| {
                        let least = pairs.iter().map(of).min().unwrap_or(0);
                        (least, pairs.iter().map(of).max().unwrap_or(0).saturating_sub(least).saturating_add(1))
                    };
                    let ((file, width), (rank, height)) = (range(|pair| pair.0), range(|pair| pair.1));
                    let fits = (2..=LARGEST).contains(&width) && (2..=LARGEST).contains(&height);
                    if !fits || best.as_ref().is_some_and(|(squares, _)| *squares >= pairs.len()) {
                        continue;
                    }
                    let board = FactBoard {
                        relation: relation.clone(),
                        arguments: *arguments,
                        places: (first, second),
                        least: (file, rank),
                        width: width as usize,
                        height: height as usize,
                        blank: None,
                        roles: game.roles().to_vec(),
                    };
                    best = Some((pairs.len(), board));
                }
            }
        }
        let mut board = best?.1;
        let start = game.start();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        board.contents(game, &start).into_iter().for_each(|(_, content)| *counts.entry(content).or_default() += 1);
        let (content, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        board.blank = (count * 2 > board.width * board.height).then_some(content);
        Some(board)
    }

    /// What stands where.
    fn contents(&self, game: &AnyGame, state: &AnyState) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for fact in game.facts(state) {
            let Some((name, arguments)) = parts(&fact) else { continue };
            if name != self.relation || arguments.len() != self.arguments {
                continue;
            }
            let (first, second) = self.places;
            let Some((file, rank)) = number(&arguments[first]).zip(number(&arguments[second])) else { continue };
            let (x, y) = (file - self.least.0, rank - self.least.1);
            if (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y) {
                let rest = arguments.iter().enumerate().filter(|(at, _)| *at != first && *at != second);
                let rest: Vec<String> = rest.map(|(_, term)| term.to_string()).collect();
                let content = if rest.is_empty() { self.relation.clone() } else { rest.join(" ") };
                found.push((y as usize * self.width + x as usize, content));
            }
        }
        found
    }

    /// The board in a state, square by square.
    pub fn cells(&self, game: &AnyGame, state: &AnyState) -> Vec<String> {
        let mut cells = vec![".".to_owned(); self.width * self.height];
        for (square, content) in self.contents(game, state) {
            if Some(&content) == self.blank.as_ref() {
                continue;
            }
            let sign = self.sign(&content);
            let cell = &mut cells[square];
            if cell == "." { *cell = sign } else { cell.push_str(&sign) }
        }
        cells
    }

    /// A short name: roles become pieces of theirs, the first in upper case and the second in lower case.
    fn sign(&self, content: &str) -> String {
        let initial = |text: &str| text.chars().next().unwrap_or('?');
        match self.roles.iter().position(|role| role == content) {
            Some(0) => initial(content).to_uppercase().collect(),
            Some(_) => initial(content).to_lowercase().collect(),
            None => content.chars().filter(|c| !c.is_whitespace()).take(3).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explorer_and_a_mummy_stand_in_their_maze() {
        let game = AnyGame::catalogue("mummy-maze").unwrap();
        let board = FactBoard::find(&game).unwrap();
        assert_eq!((board.relation.as_str(), board.width, board.height), ("at", 8, 8));
        let cells = board.cells(&game, &game.start());
        assert_eq!((cells[2 * 8 + 2].as_str(), cells[6 * 8 + 5].as_str()), ("E", "m"));
        assert_eq!(cells.iter().filter(|cell| *cell != ".").count(), 2);
    }
}

//! Small positions that show what a movement can do.

use super::reach::{Reach, reach};
use crate::automata::Dfa;
use crate::board::{Cell, Player, Position, Shape, Square};
use crate::rules::walk::Walk;
use crate::rules::{Landing, Movement, Rules, Side, Start, Symbol, Taken};

/// A position with what a piece can do in it, and the part of the board that is worth showing.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub position: Position,
    pub window: Window,
    /// Where the piece stands; nowhere if it is dropped.
    pub start: Option<Square>,
    pub reach: Reach,
    /// Whether other pieces stand on the board.
    pub helped: bool,
}

/// A part of a board: files and ranks counted from 0, the last ones included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub files: (usize, usize),
    pub ranks: (usize, usize),
}

impl Window {
    pub fn whole(shape: Shape) -> Window {
        Window { files: (0, shape.width() - 1), ranks: (0, shape.height() - 1) }
    }

    /// A window of at most so many squares a side around a square.
    fn around(shape: Shape, square: Square, side: usize) -> Window {
        let span = |at: usize, count: usize| {
            let first = at.saturating_sub(side / 2).min(count.saturating_sub(side));
            (first, (first + side).min(count) - 1)
        };
        Window { files: span(shape.file(square), shape.width()), ranks: span(shape.rank(square), shape.height()) }
    }

    pub fn contains(self, shape: Shape, square: Square) -> bool {
        let within = |at: usize, (from, to): (usize, usize)| (from..=to).contains(&at);
        within(shape.file(square), self.files) && within(shape.rank(square), self.ranks)
    }
}

/// No diagram has more squares a side.
const SIDE: usize = 9;
/// How many configurations are walked for a scene that is shown, and for one that is only tried.
const SHOWN: usize = 20_000;
const TRIED: usize = 400;
/// How many for a piece that only blocks, of which one is looked for once.
const BLOCKED: usize = 2_000;
/// How many are walked in all before the search for helpers ends with those it has.
const SEARCHED: usize = 60_000;
/// The most pieces that are put on a board to show something.
const HELPERS: usize = 7;

/// The scenes of a movement: the empty board, and one with other pieces if they make a difference.
pub(crate) fn scenes(rules: &Rules, movement: &Movement, automaton: &Dfa<Symbol>) -> Vec<Scene> {
    let stage = Stage::new(rules, movement, automaton);
    let Some(stage) = stage else { return Vec::new() };
    let empty = stage.scene(&[]);
    let helpers = stage.helpers();
    let mut scenes = Vec::new();
    if !empty.reach.marks.is_empty() {
        scenes.push(empty);
    }
    if !helpers.is_empty() {
        scenes.push(stage.scene(&helpers));
    }
    scenes
}

/// What all scenes of a movement share.
struct Stage<'a> {
    rules: &'a Rules,
    movement: &'a Movement,
    automaton: &'a Dfa<Symbol>,
    player: Player,
    /// The board with nothing on it but its holes.
    bare: Position,
    lifted: Option<Cell>,
    start: Option<Square>,
    window: Window,
}

impl<'a> Stage<'a> {
    fn new(rules: &'a Rules, movement: &'a Movement, automaton: &'a Dfa<Symbol>) -> Option<Stage<'a>> {
        let player = match movement.side {
            Side::Both => Player::First,
            Side::Only(player) => player,
        };
        let shape = rules.setup.shape();
        let mut bare = Position::empty(shape);
        let holes = shape.all().filter(|&square| rules.setup.at(square) == Cell::HOLE);
        holes.for_each(|square| bare.set(square, Cell::HOLE));
        // What only goes forward starts near its own side, so that there is something to show.
        let mut ups = (false, false);
        for edge in automaton.states().iter().flat_map(|state| &state.edges) {
            if let Symbol::Step { dy, .. } = edge.0 {
                ups = (ups.0 || dy > 0, ups.1 || dy < 0);
            }
        }
        let top = shape.height() - 1;
        let rank = match ups {
            (true, false) => top / 4,
            (false, true) => top - top / 4,
            _ => top / 2,
        };
        let wish = (shape.width().saturating_sub(1) / 2, rank);
        let distance =
            |square: Square| shape.file(square).abs_diff(wish.0).pow(2) + shape.rank(square).abs_diff(wish.1).pow(2);
        let middle =
            shape.all().filter(|&square| bare.at(square) != Cell::HOLE).min_by_key(|&square| distance(square))?;
        let lifted = match movement.start {
            Start::Piece(_) => Some(movement.start_for(player)),
            Start::Empty => None,
        };
        let start = lifted.map(|_| middle);
        let window = Window::around(shape, middle, SIDE);
        Some(Stage { rules, movement, automaton, player, bare, lifted, start, window })
    }

    fn position(&self, helpers: &[(Square, Cell)]) -> Position {
        let mut position = self.bare.clone();
        helpers.iter().for_each(|&(square, cell)| position.set(square, cell));
        if let (Some(start), Some(lifted)) = (self.start, self.lifted) {
            position.set(start, lifted);
        }
        position
    }

    fn reach(&self, position: &Position, limit: usize) -> Reach {
        let walk = Walk::new(self.rules, self.movement, self.automaton, self.player, position);
        match self.start {
            Some(start) => reach(&walk, position, &[start], limit),
            None => {
                let starts: Vec<Square> =
                    position.shape().all().filter(|&square| position.at(square).is_empty()).collect();
                reach(&walk, position, &starts, limit)
            }
        }
    }

    fn scene(&self, helpers: &[(Square, Cell)]) -> Scene {
        let position = self.position(helpers);
        let reach = self.reach(&position, SHOWN);
        Scene { position, window: self.window, start: self.start, reach, helped: !helpers.is_empty() }
    }

    /// Other pieces that make new kinds of words possible: each time the one that adds most.
    fn helpers(&self) -> Vec<(Square, Cell)> {
        let mut helpers: Vec<(Square, Cell)> = Vec::new();
        let mut walked = 0;
        let mut value = |helpers: &[(Square, Cell)]| {
            let reach = self.reach(&self.position(helpers), TRIED);
            walked += reach.walked;
            // Once the search has gone on for long, nothing is worth anything any more.
            let captures = reach.marks.values().any(|mark| mark.capture || mark.taken);
            if walked > SEARCHED { 0 } else { 4 * reach.accepted.len() + reach.begun.len() + 6 * usize::from(captures) }
        };
        let cells = self.cells();
        let mut best = value(&helpers);
        while helpers.len() < HELPERS {
            let mut found: Option<(usize, usize, (Square, Cell))> = None;
            for square in self.free(&helpers) {
                for &cell in &cells {
                    helpers.push((square, cell));
                    let worth = value(&helpers);
                    helpers.pop();
                    let cost = self.cost(square, &helpers);
                    let better =
                        found.is_none_or(|(w, c, _)| (worth, std::cmp::Reverse(cost)) > (w, std::cmp::Reverse(c)));
                    if worth > best && better {
                        found = Some((worth, cost, (square, cell)));
                    }
                }
            }
            let Some((worth, _, helper)) = found else { break };
            best = worth;
            helpers.push(helper);
        }
        self.prune(&mut helpers);
        helpers.extend(self.blocker(&helpers));
        helpers
    }

    /// Takes away what was put up in hope but makes no word possible.
    fn prune(&self, helpers: &mut Vec<(Square, Cell)>) {
        let accepted = |helpers: &[(Square, Cell)]| self.reach(&self.position(helpers), TRIED).accepted;
        for i in (0..helpers.len()).rev() {
            let before = accepted(helpers);
            let helper = helpers.remove(i);
            if !accepted(helpers).is_superset(&before) {
                helpers.insert(i, helper);
            }
        }
    }

    /// Squares where something can be put.
    fn free(&self, helpers: &[(Square, Cell)]) -> Vec<Square> {
        let shape = self.bare.shape();
        let taken = |square: Square| {
            Some(square) == self.start
                || self.bare.at(square) == Cell::HOLE
                || helpers.iter().any(|helper| helper.0 == square)
        };
        shape.all().filter(|&square| self.window.contains(shape, square) && !taken(square)).collect()
    }

    /// The pieces that a movement tells apart: one of the opponent's, one's own, and those it speaks of by name.
    fn cells(&self) -> Vec<Cell> {
        let common = |player: Player| {
            let pieces = self.rules.pieces();
            let count = |cell: Cell| self.rules.setup.cells().iter().filter(|&&c| c == cell).count();
            let own = pieces.iter().map(|piece| piece.cell()).filter(|cell| cell.owner() == Some(player));
            own.max_by_key(|&cell| (Some(cell) != self.lifted, count(cell), std::cmp::Reverse(cell)))
        };
        let turned =
            |player: Player| self.lifted.map(|cell| if cell.owner() == Some(player) { cell } else { cell.turned() });
        let mut cells: Vec<Cell> = [self.player.other(), self.player]
            .into_iter()
            .filter(|player| player.index() < self.rules.players.len())
            .filter_map(|player| common(player).or_else(|| turned(player)))
            .collect();
        for edge in self.automaton.states().iter().flat_map(|state| &state.edges) {
            if let Symbol::Step { landing: Landing::Take(Taken::The(cell)), .. } = edge.0
                && !cells.contains(&cell)
            {
                cells.push(cell);
            }
        }
        cells
    }

    /// How little a square is wished for: near but not next to the piece, and away from other helpers.
    fn cost(&self, square: Square, helpers: &[(Square, Cell)]) -> usize {
        let shape = self.bare.shape();
        let apart =
            |a: Square, b: Square| (shape.file(a).abs_diff(shape.file(b))).max(shape.rank(a).abs_diff(shape.rank(b)));
        let far = self.start.map_or(0, |start| apart(square, start).abs_diff(2));
        let crowd: usize = helpers.iter().map(|helper| 4usize.saturating_sub(apart(helper.0, square))).sum();
        2 * far + crowd
    }

    /// A piece of one's own that shows what stops a slide, where nothing else does.
    fn blocker(&self, helpers: &[(Square, Cell)]) -> Option<(Square, Cell)> {
        let own = self.cells().into_iter().find(|cell| cell.owner() == Some(self.player))?;
        if self.start.is_none() || helpers.iter().any(|helper| helper.1 == own) {
            return None;
        }
        let before = self.reach(&self.position(helpers), BLOCKED);
        let lost = |square: Square| {
            let with: Vec<(Square, Cell)> = helpers.iter().copied().chain([(square, own)]).collect();
            let after = self.reach(&self.position(&with), BLOCKED);
            (after.accepted == before.accepted).then(|| before.marks.len() as isize - after.marks.len() as isize)
        };
        let shown = self.free(helpers).into_iter().filter(|&square| lost(square).is_some_and(|n| n > 0));
        // Best is a square that the piece cannot stop on and still must pass, as the horse of xiangqi has them.
        shown
            .min_by_key(|square| (before.marks.contains_key(square), self.cost(*square, helpers)))
            .map(|square| (square, own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Movements, and whether their scenes show a capture where the piece ends, one on its way, and a promotion.
    const SHOWN_IN_SCENES: &[(&str, bool, bool, bool)] = &[
        ("orthogonal(empty* (empty | enemy))", true, false, false),
        ("orthogonal(empty+ | empty* (own | enemy) empty* enemy)", true, false, false),
        ("any(empty* (own | enemy) (empty | enemy))", true, false, false),
        ("leap 1,2(empty* (empty | enemy))", true, false, false),
        ("(0 1 empty) ((1 1 empty) | (1 1 enemy))", true, false, false),
        ("(forward-diagonal(empty) | forward-diagonal(take:enemy empty)+) (off:far | on:far put:Q)", false, true, true),
        ("diagonal(empty* own)", true, false, false),
        ("forward(take:n empty)", false, true, false),
        ("any(empty+) put:Q any(empty+)", false, false, false),
    ];

    #[test]
    fn scenes_show_what_a_piece_can_do() {
        for (words, captures, takes, becomes) in SHOWN_IN_SCENES {
            let text = format!(
                "game toy\nplayers white black\nboard\n{}  PQ......\nzones\n  far  rank 8\nmoves\n  P  {words}\nending\n  win when the next player cannot move\n",
                "  .....pqn\n".repeat(7)
            );
            let rules = Rules::parse(&text).unwrap_or_else(|error| panic!("{words}: {error}"));
            let automaton = rules.automaton(&rules.moves[0], Player::First).unwrap();
            let scenes = scenes(&rules, &rules.moves[0], &automaton);
            let any = |is: fn(&super::super::reach::Mark) -> bool| {
                scenes.iter().any(|scene| scene.reach.marks.values().any(is))
            };
            let found = (any(|m| m.capture), any(|m| m.taken), any(|m| m.becomes.is_some()));
            assert_eq!(found, (*captures, *takes, *becomes), "{words}");
            assert!(scenes.iter().all(|scene| scene.reach.complete));
        }
    }

    #[test]
    fn windows_lie_on_the_board() {
        for (width, height) in [(1, 1), (8, 8), (19, 19), (32, 3)] {
            let shape = Shape::new(width, height).unwrap();
            for square in shape.all() {
                let window = Window::around(shape, square, SIDE);
                assert!(window.contains(shape, square));
                assert!(window.files.1 < width && window.ranks.1 < height);
                assert_eq!(window.files.1 - window.files.0 + 1, width.min(SIDE));
            }
        }
    }
}

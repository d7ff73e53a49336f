//! The turns of a position: every recipe writes its words, and what becomes of the board.

use super::game::Game;
use super::recipe::{Clause, DROP, FAR, Form, Kind, Landing, Near, STONE, Tail, Whose};
use super::turn::{Case, TOO_MANY, Turn, cell};
use super::zone::Pair;
use onlooker::board::{Content, MicroMove, Word};
use std::collections::BTreeSet;

/// What a square holds for the player to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Empty,
    Own,
    Enemy,
    /// A stone, a hole or the world beyond the edge.
    Closed,
}

/// Someone on the way: a word so far.
#[derive(Clone)]
struct Walk {
    cells: Vec<u8>,
    at: Pair,
    word: Vec<MicroMove>,
}

struct Generator<'a> {
    game: &'a Game,
    player: usize,
    kind: &'a Kind,
    clause: &'a Clause,
    /// Of the kind and of the clause.
    numbers: (usize, usize),
    /// The direction that is being tried.
    step: usize,
    start: Pair,
    /// How many pieces the board has before the turn.
    before: usize,
    turns: &'a mut Vec<Turn>,
}

impl Game {
    /// Every turn of a player, each word once, whatever endings say.
    pub fn turns(&self, cells: &[u8], player: usize) -> Vec<Turn> {
        let mut turns = Vec::new();
        let before = cells.iter().filter(|cell| cell.is_ascii_alphabetic()).count();
        let is_for = |kind: &Kind| kind.owner.is_none_or(|owner| owner == player);
        for (n, kind) in self.kinds.iter().enumerate().filter(|(_, kind)| is_for(kind)) {
            let letter = self.letter(kind.letter, player);
            for (m, clause) in kind.clauses.iter().enumerate() {
                for square in (0..cells.len()).filter(|&square| cells[square] == letter) {
                    let start = self.place(square);
                    let inside = clause.from.as_ref().is_none_or(|zone| self.is_in(zone, start, player));
                    if inside && turns.len() <= TOO_MANY {
                        let (numbers, turns) = ((n, m), &mut turns);
                        Generator { game: self, player, kind, clause, numbers, step: 0, start, before, turns }
                            .run(cells);
                    }
                }
            }
        }
        let mut seen = BTreeSet::new();
        turns.retain(|turn| seen.insert((turn.start, turn.word.clone())));
        if self.must_capture && turns.iter().any(|turn| turn.case.captures) {
            turns.retain(|turn| turn.case.captures);
        }
        turns
    }
}

impl Generator<'_> {
    fn run(&mut self, cells: &[u8]) {
        let mut walk = Walk { cells: cells.to_vec(), at: self.start, word: Vec::new() };
        let view = self.game.view(self.player);
        let steps: Vec<Pair> = self.clause.steps.iter().map(|&step| view.step(step)).collect();
        if let Form::Drop { letter, near } = self.clause.form {
            return self.drop_piece(walk, letter, near, &steps);
        }
        self.put(&mut walk, DROP);
        for (number, &step) in steps.iter().enumerate() {
            self.step = number;
            match self.clause.form {
                Form::Leap => self.end(walk.clone(), step),
                Form::Ride { min, max } => self.ride(walk.clone(), step, min, max),
                Form::Lame => {
                    let longest = step.0.abs().max(step.1.abs());
                    let part = |d: i32| if d.abs() == longest { d.signum() } else { 0 };
                    let leg = (part(step.0), part(step.1));
                    let mut walk = walk.clone();
                    if self.go(&mut walk, leg, Seen::Empty) {
                        self.end(walk, (step.0 - leg.0, step.1 - leg.1));
                    }
                }
                Form::Hop { far, over } => {
                    let mut walk = walk.clone();
                    while far && self.go(&mut walk, step, Seen::Empty) {}
                    if self.over(&mut walk, step, over) {
                        self.end(walk, step);
                    }
                }
                Form::Cannon => {
                    let mut walk = walk.clone();
                    while self.go(&mut walk, step, Seen::Empty) {}
                    if self.over(&mut walk, step, Whose::Anyone) {
                        self.ride(walk, step, 1, FAR);
                    }
                }
                Form::Bent { short } => self.bent(&walk, step, short),
                Form::Locust { .. } => self.locust(walk.clone(), number, &steps),
                Form::HopChain { over } => self.hop_chain(walk.clone(), number, &steps, over, &mut vec![self.start]),
                Form::Swap { with } => self.swap(walk.clone(), step, with),
                Form::Push => self.push(walk.clone(), step),
                Form::Rifle { range } => self.rifle(walk.clone(), step, range),
                Form::Explode => self.explode(walk.clone(), step),
                Form::Drop { .. } => {}
            }
        }
    }

    fn seen(&self, walk: &Walk, step: Pair) -> Seen {
        let at = (walk.at.0 + step.0, walk.at.1 + step.1);
        let Some(square) = self.game.square(at) else { return Seen::Closed };
        match walk.cells[square] {
            DROP => Seen::Empty,
            letter if letter.is_ascii_alphabetic() => {
                if self.game.owner(letter) == self.player {
                    Seen::Own
                } else {
                    Seen::Enemy
                }
            }
            _ => Seen::Closed,
        }
    }

    fn is(&self, walk: &Walk, step: Pair, whose: Whose) -> bool {
        match self.seen(walk, step) {
            Seen::Own => whose != Whose::Enemy,
            Seen::Enemy => whose != Whose::Own,
            _ => false,
        }
    }

    fn put(&self, walk: &mut Walk, cell: u8) {
        let square = self.game.square(walk.at).expect("a walk is on the board");
        walk.cells[square] = cell;
    }

    fn here(&self, walk: &Walk) -> u8 {
        walk.cells[self.game.square(walk.at).expect("a walk is on the board")]
    }

    fn write(&self, walk: &mut Walk, step: Pair, content: Content) {
        walk.word.push(MicroMove { dx: step.0 as i8, dy: step.1 as i8, content });
        walk.at = (walk.at.0 + step.0, walk.at.1 + step.1);
    }

    /// Goes a step if it finds that.
    fn go(&self, walk: &mut Walk, step: Pair, wanted: Seen) -> bool {
        let content = match wanted {
            Seen::Empty => Content::Empty,
            Seen::Own => Content::Own,
            Seen::Enemy => Content::Opponent,
            Seen::Closed => return false,
        };
        let found = self.seen(walk, step) == wanted;
        if found {
            self.write(walk, step, content);
        }
        found
    }

    fn over(&self, walk: &mut Walk, step: Pair, whose: Whose) -> bool {
        self.is(walk, step, whose) && (self.go(walk, step, Seen::Own) || self.go(walk, step, Seen::Enemy))
    }

    /// Removes a piece a step away, of which the letter is returned.
    fn take(&self, walk: &mut Walk, step: Pair, whose: Whose) -> Option<u8> {
        if !self.is(walk, step, whose) {
            return None;
        }
        let square = self.game.square((walk.at.0 + step.0, walk.at.1 + step.1))?;
        let taken = walk.cells[square];
        self.write(walk, step, Content::Remove(Some(cell(taken))));
        self.put(walk, DROP);
        Some(taken)
    }

    fn add(&self, walk: &mut Walk, letter: u8) {
        self.write(walk, (0, 0), Content::Add(Some(cell(letter))));
    }

    /// The last step, to whatever the clause allows.
    fn end(&mut self, mut walk: Walk, step: Pair) {
        let fits = match self.seen(&walk, step) {
            Seen::Empty => self.clause.landing != Landing::Capture && self.go(&mut walk, step, Seen::Empty),
            Seen::Enemy => self.clause.landing != Landing::Move && self.go(&mut walk, step, Seen::Enemy),
            _ => false,
        };
        if fits {
            self.land(walk);
        }
    }

    fn ride(&mut self, mut walk: Walk, step: Pair, min: i32, max: i32) {
        for steps in 1..=max {
            if steps >= min {
                self.end(walk.clone(), step);
            }
            if !self.go(&mut walk, step, Seen::Empty) {
                break;
            }
        }
    }

    fn bent(&mut self, walk: &Walk, step: Pair, short: bool) {
        if short {
            self.end(walk.clone(), step);
        }
        let mut walk = walk.clone();
        if self.go(&mut walk, step, Seen::Empty) {
            let sides = match step {
                (x, 0) => [(x, 1), (x, -1)],
                (0, y) => [(1, y), (-1, y)],
                (x, y) => [(x, 0), (0, y)],
            };
            sides.into_iter().for_each(|side| self.ride(walk.clone(), side, 1, FAR));
        }
    }

    fn locust(&mut self, mut walk: Walk, number: usize, steps: &[Pair]) {
        let Form::Locust { far, chain, takes } = self.clause.form else { return };
        if self.turns.len() > TOO_MANY {
            return;
        }
        let step = steps[number];
        while far && self.go(&mut walk, step, Seen::Empty) {}
        if self.take(&mut walk, step, takes).is_some() && self.go(&mut walk, step, Seen::Empty) {
            self.land(walk.clone());
            // Back over the square of what it has just taken it does not go.
            let back = (-step.0, -step.1);
            for next in (0..steps.len()).filter(|&next| chain && steps[next] != back) {
                self.locust(walk.clone(), next, steps);
            }
        }
    }

    fn hop_chain(&mut self, mut walk: Walk, number: usize, steps: &[Pair], over: Whose, visited: &mut Vec<Pair>) {
        let step = steps[number];
        let known = visited.len();
        if self.turns.len() > TOO_MANY || !self.over(&mut walk, step, over) || visited.contains(&walk.at) {
            return;
        }
        visited.push(walk.at);
        if self.go(&mut walk, step, Seen::Empty) && !visited.contains(&walk.at) {
            visited.push(walk.at);
            self.land(walk.clone());
            (0..steps.len()).for_each(|next| self.hop_chain(walk.clone(), next, steps, over, visited));
        }
        visited.truncate(known);
    }

    fn swap(&mut self, mut walk: Walk, step: Pair, with: Whose) {
        let mover = self.game.letter(self.kind.letter, self.player);
        if let Some(other) = self.take(&mut walk, step, with) {
            self.put(&mut walk, mover);
            self.add(&mut walk, other);
            self.write(&mut walk, (-step.0, -step.1), Content::Empty);
            self.put(&mut walk, other);
            self.keep(walk, None);
        }
    }

    fn push(&mut self, mut walk: Walk, step: Pair) {
        let mover = self.game.letter(self.kind.letter, self.player);
        if let Some(other) = self.take(&mut walk, step, Whose::Enemy) {
            self.put(&mut walk, mover);
            self.add(&mut walk, other);
            if self.go(&mut walk, step, Seen::Empty) {
                self.put(&mut walk, other);
                self.keep(walk, None);
            }
        }
    }

    fn rifle(&mut self, mut walk: Walk, step: Pair, range: i32) {
        for distance in 1..=range {
            let mut shot = walk.clone();
            if self.take(&mut shot, step, Whose::Enemy).is_some() {
                self.write(&mut shot, (-step.0 * distance, -step.1 * distance), Content::Empty);
                self.land(shot);
            }
            if !self.go(&mut walk, step, Seen::Empty) {
                break;
            }
        }
    }

    fn explode(&mut self, mut walk: Walk, step: Pair) {
        let mover = self.game.letter(self.kind.letter, self.player);
        if self.take(&mut walk, step, Whose::Enemy).is_some() {
            self.write(&mut walk, (0, 0), Content::Remove(Some(cell(mover))));
            self.keep(walk, None);
        }
    }

    fn drop_piece(&mut self, mut walk: Walk, letter: u8, near: Near, steps: &[Pair]) {
        let fits = match near {
            Near::Nothing => true,
            // Things fall the same way for both players.
            Near::Support => walk.at.1 == 0 || self.is(&walk, (0, -1), Whose::Anyone),
            Near::Beside(whose) => steps.iter().any(|&step| self.is(&walk, step, whose)),
        };
        let inside = self.clause.to.as_ref().is_none_or(|zone| self.game.is_in(zone, walk.at, self.player));
        if fits && inside {
            let letter = self.game.letter(letter, self.player);
            self.add(&mut walk, letter);
            self.put(&mut walk, letter);
            self.keep(walk, None);
        }
    }

    /// The piece has come to its square: what else happens there.
    fn land(&mut self, mut walk: Walk) {
        let mover = self.game.letter(self.kind.letter, self.player);
        if self.clause.to.as_ref().is_some_and(|zone| !self.game.is_in(zone, walk.at, self.player)) {
            return;
        }
        if self.clause.tails.contains(&Tail::Stone) {
            // It is put down and a stone appears; the stone is put down there and the piece appears again, and goes.
            let added =
                [STONE, mover].map(|letter| MicroMove { dx: 0, dy: 0, content: Content::Add(Some(cell(letter))) });
            walk.word.splice(0..0, added);
            let start = self.game.square(self.start).expect("a turn starts on the board");
            walk.cells[start] = STONE;
        }
        let mut ends = Vec::new();
        let promotion = self.clause.tails.iter().find_map(|tail| match tail {
            Tail::Promote { zone, into, optional } if self.game.is_in(zone, walk.at, self.player) => {
                Some((*into, *optional))
            }
            _ => None,
        });
        if promotion.is_none_or(|(_, optional)| optional) {
            let mut plain = walk.clone();
            self.put(&mut plain, mover);
            ends.push((plain, None));
        }
        if let Some((into, _)) = promotion {
            let into = self.game.letter(into, self.player);
            self.add(&mut walk, into);
            self.put(&mut walk, into);
            ends.push((walk, Some(into)));
        }
        for (walk, becomes) in ends {
            let shoots = self.clause.tails.iter().find_map(|tail| match tail {
                Tail::Shoot { steps, max } => Some((steps.clone(), *max)),
                _ => None,
            });
            match shoots {
                Some((steps, max)) => self.shoot(&walk, becomes, &steps, max),
                None => self.keep(walk, becomes),
            }
        }
    }

    fn shoot(&mut self, walk: &Walk, becomes: Option<u8>, steps: &[Pair], max: i32) {
        let mut armed = walk.clone();
        self.add(&mut armed, STONE);
        let view = self.game.view(self.player);
        for step in steps.iter().map(|&step| view.step(step)) {
            let mut flying = armed.clone();
            for _ in 0..max {
                if !self.go(&mut flying, step, Seen::Empty) {
                    break;
                }
                let mut hit = flying.clone();
                self.put(&mut hit, STONE);
                self.keep(hit, becomes);
            }
        }
    }

    fn keep(&mut self, walk: Walk, becomes: Option<u8>) {
        let left = walk.cells.iter().filter(|cell| cell.is_ascii_alphabetic()).count();
        let (kind, clause) = self.numbers;
        let becomes = becomes.map(|letter| letter.to_ascii_uppercase());
        let case = Case { kind, clause, step: self.step, captures: left < self.before, becomes };
        let start = self.game.square(self.start).expect("a turn starts on the board");
        debug_assert!(self.here(&walk) != b'#', "nobody stands in a hole");
        self.turns.push(Turn { start, word: Word(walk.word.into_iter().collect()), after: walk.cells, case });
    }
}

//! The search for the board of a rule sheet in random games; `sheet_board.rs` says what counts as one.
//!
//! There is one policy, whoever needs the board. It is looked for in few games, always the same ones, so that it does not
//! depend on the seed of the games that are watched later. If some legal move in the first of them puts something on the
//! board that was in none of them, it is looked for in many games. If the games that are watched later do, likewise
//! ([`SheetBoard::widen`], [`SheetBoard::extend`]).

use super::board_names::{in_order, name_pieces};
use super::sheet_board::{BoardLayout, NoBoard, SheetBoard, SquareContent, check_turn, parts_of};
use crate::board::{Cell, MAX_SIDE, Player, Position, Shape, Square};
use crate::game::{Chance, Game, GdlGame, Role, SimulationPlan, Term};
use crate::observe::{HopReading, Listing, Move, Record, infer_moves};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

/// Games that show the board unless something is rare, and games that show most of what is.
const FEW: u64 = 60;
const MANY: u64 = 300;

/// The seed of these games.
const SEED: u64 = 1;

/// The length of games that are looked at.
const SAMPLE_PLIES: usize = 300;

/// How many moves are looked at that were legal in these games.
const SAMPLE_MOVES: usize = 3000;

/// How many atoms may be looked at for a state, on average: more would take minutes.
const MOST_WORK: u64 = 200_000;

/// The states of a game, and who moved from each to the next.
struct SampleWalk {
    states: Vec<Vec<Term>>,
    movers: Vec<Role>,
}

impl SheetBoard {
    /// Looks for the board in random games, on the threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// Why there is none, or [`NoBoard::Interrupted`] once `stop` is set.
    pub fn find(game: &GdlGame, stop: &AtomicBool) -> Result<SheetBoard, NoBoard> {
        match SheetBoard::find_in(game, FEW, stop) {
            Ok(board) if board.shows_all_moves(game, stop) => Ok(board),
            Ok(_) | Err(NoBoard::Unseen(_)) => SheetBoard::find_in(game, MANY, stop),
            Err(reason) => Err(reason),
        }
    }

    /// Whether what the first legal moves do to the board can be read. What else speaks against the board comes up in play.
    fn shows_all_moves(&self, game: &GdlGame, stop: &AtomicBool) -> bool {
        let plan = SimulationPlan { games: FEW, listing: Listing::All, seed: SEED, plies: SAMPLE_PLIES as u32 };
        let mut listed = 0;
        let mut see = |record: &Record| {
            listed += record.moves.len();
            listed < SAMPLE_MOVES && !stop.load(Ordering::Relaxed)
        };
        let ends =
            (0..FEW).map(|number| self.for_each_record(game, &plan, number, &mut see)).find(|end| *end != Ok(true));
        !matches!(ends, Some(Err(NoBoard::Unseen(_))))
    }

    /// The board to begin anew with after a game did not fit on this one: if it has something that was in none of the few
    /// games that this board was found from, the board that many games show. It may name pieces otherwise.
    ///
    /// # Errors
    ///
    /// The reason itself if it is another one or there is no wider board, or why that has not been found.
    pub fn widen(&self, game: &GdlGame, reason: NoBoard, stop: &AtomicBool) -> Result<SheetBoard, NoBoard> {
        match reason {
            NoBoard::Unseen(_) if self.walks < MANY => SheetBoard::find_in(game, MANY, stop),
            reason => Err(reason),
        }
    }

    /// The board to go on with after a game did not fit on this one: like [`SheetBoard::widen`], but it reads everything that
    /// this one reads in the same way, so that games that were read before stay as they are.
    ///
    /// # Errors
    ///
    /// The reason itself if there is no such board, or why that has not been found.
    pub fn extend(&self, game: &GdlGame, reason: NoBoard, stop: &AtomicBool) -> Result<SheetBoard, NoBoard> {
        let wider = self.widen(game, reason.clone(), stop)?;
        if wider.extends(self) { Ok(wider) } else { Err(reason) }
    }

    fn find_in(game: &GdlGame, walks: u64, stop: &AtomicBool) -> Result<SheetBoard, NoBoard> {
        let roles = game.roles().len();
        if !(1..=2).contains(&roles) {
            return Err(NoBoard::Roles(roles));
        }
        if game.work_of_a_state() > MOST_WORK {
            return Err(NoBoard::TooSlow(game.work_of_a_state()));
        }
        let first = first_to_choose(game)?;
        let order: Vec<Role> = (0..roles).map(|turn| Role(((first.index() + turn) % roles) as u8)).collect();
        let walks: Result<Vec<SampleWalk>, NoBoard> =
            (0..walks).into_par_iter().map(|number| walk(game, &order, Chance::stream(SEED, number), stop)).collect();
        let walks = walks?;
        let mut refused = NoBoard::NoSquares;
        for candidate in Candidate::all(&walks) {
            match candidate.board(game, &walks, &order) {
                Ok(board) => return Ok(board),
                // The largest board is the one to report on.
                Err(reason) if refused == NoBoard::NoSquares => refused = reason,
                Err(_) => {}
            }
        }
        Err(refused)
    }

    /// How many moves of the walks can be written as words, with how many micro-moves, and a move that cannot.
    fn described(&self, walks: &[SampleWalk]) -> Result<(usize, usize, Option<u32>), NoBoard> {
        let (mut words, mut micro_moves, mut example) = (0, 0, None);
        for walk in walks {
            for (i, pair) in walk.states.windows(2).enumerate() {
                let turn = self.turn(i as u32);
                let (before, after) = (self.position(&pair[0])?, self.position(&pair[1])?);
                match infer_moves(&before, &after, turn, HopReading::Straight).first() {
                    Some(Move::Word { word, .. }) => {
                        words += 1;
                        micro_moves += word.0.len();
                    }
                    Some(Move::Pass) | None => {
                        example.get_or_insert(i as u32 + 1);
                    }
                }
            }
        }
        Ok((words, micro_moves, example))
    }
}

/// The role that moves first: the first that has a choice, counted back in turns.
fn first_to_choose(game: &GdlGame) -> Result<Role, NoBoard> {
    let roles = game.roles().len();
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    for number in 0..FEW {
        let mut chance = Chance::stream(SEED, number);
        let mut state = game.start();
        for ply in 0..SAMPLE_PLIES {
            let to_move = game.to_move(&state);
            let name = |role: Role| game.roles()[role.index()].clone();
            if to_move.len() > 1 {
                return Err(NoBoard::AtTheSameTime(to_move.iter().map(name).collect()));
            }
            if let Some(role) = to_move.iter().next() {
                game.legal(&state, role, &mut moves);
                if moves.len() > 1 {
                    return Ok(Role(((role.index() + roles - ply % roles) % roles) as u8));
                }
            }
            if !game.play_at_random(&mut state, &mut chance, &mut moves, &mut joint) {
                break;
            }
        }
    }
    Ok(Role(0))
}

/// A random game, whose roles must take turns.
fn walk(game: &GdlGame, order: &[Role], mut chance: Chance, stop: &AtomicBool) -> Result<SampleWalk, NoBoard> {
    let mut walk = SampleWalk { states: Vec::new(), movers: Vec::new() };
    let mut state = game.start();
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    for ply in 0..SAMPLE_PLIES {
        if stop.load(Ordering::Relaxed) {
            return Err(NoBoard::Interrupted);
        }
        walk.states.push(game.facts(&state));
        // Every further game would take as long to find out the same.
        if let Some(reason) = game.truncation(&state) {
            return Err(reason.into());
        }
        let role = order[ply % order.len()];
        if game.goals(&state).is_none() {
            check_turn(game, &state, role)?;
        }
        if !game.play_at_random(&mut state, &mut chance, &mut moves, &mut joint) {
            return Ok(walk);
        }
        walk.movers.push(role);
    }
    walk.states.push(game.facts(&state));
    Ok(walk)
}

/// A relation whose facts may name squares.
struct Candidate {
    relation: String,
    arguments: usize,
    places: [usize; 2],
    /// The names at both places.
    names: [BTreeSet<Term>; 2],
    squares: usize,
}

impl Candidate {
    /// All of them, those with the most squares first.
    fn all(walks: &[SampleWalk]) -> Vec<Candidate> {
        let states = || walks.iter().flat_map(|walk| &walk.states);
        let relations: BTreeSet<(&str, usize)> = states().flatten().filter_map(shape_of).collect();
        let mut all = Vec::new();
        for (relation, arguments) in relations {
            for one in 0..arguments {
                for other in one + 1..arguments {
                    all.extend(Candidate::new(relation, arguments, [one, other], states()));
                }
            }
        }
        all.sort_by_key(|candidate| Reverse(candidate.squares));
        all
    }

    /// Whether in each state there is at most one thing on each square, and there is more than one file and rank.
    fn new<'a>(
        relation: &str,
        arguments: usize,
        places: [usize; 2],
        states: impl Iterator<Item = &'a Vec<Term>>,
    ) -> Option<Candidate> {
        let mut names: [BTreeSet<Term>; 2] = Default::default();
        let mut squares: BTreeSet<(&Term, &Term)> = BTreeSet::new();
        for facts in states {
            let mut taken: BTreeSet<(&Term, &Term)> = BTreeSet::new();
            for parts in facts.iter().filter_map(|fact| parts_of(fact, relation, arguments)) {
                let square = (&parts[places[0]], &parts[places[1]]);
                if !taken.insert(square) {
                    return None;
                }
            }
            squares.extend(taken);
        }
        for (one, other) in &squares {
            names[0].insert((*one).clone());
            names[1].insert((*other).clone());
        }
        let sides = names.iter().all(|names| (2..=MAX_SIDE).contains(&names.len()));
        let squares = squares.len();
        // Squares that are mostly not there are no board.
        let filled = squares * 2 > names[0].len() * names[1].len();
        (sides && filled).then(|| Candidate { relation: relation.to_owned(), arguments, places, names, squares })
    }

    /// The board that this relation describes, if moves change it as pieces do.
    fn board(&self, game: &GdlGame, walks: &[SampleWalk], order: &[Role]) -> Result<SheetBoard, NoBoard> {
        let pairs = game.program().pairs();
        let [files, ranks] = [0, 1].map(|place| numbered(in_order(&self.names[place], &pairs)));
        let shape = Shape::new(files.len(), ranks.len()).ok_or(NoBoard::NoSquares)?;
        let mut layout = BoardLayout {
            relation: self.relation.clone(),
            arguments: self.arguments,
            places: self.places,
            files,
            ranks,
        };
        let seen = SeenContents::new(&layout, shape, walks, game);
        let mut refused = None;
        let mut best: Option<((usize, Reverse<usize>), Blank)> = None;
        for blank in seen.blanks() {
            let described = seen.board(&layout, &blank, order).and_then(|board| board.described(walks));
            let (words, micro_moves, ply) = match described {
                Ok(described) => described,
                Err(reason) => {
                    refused.get_or_insert(reason);
                    continue;
                }
            };
            // Of two readings that describe as many moves, the one with shorter words is meant.
            let worth = (words, Reverse(micro_moves));
            if words == 0 {
                refused.get_or_insert(NoBoard::NoPieces { relation: self.relation.clone(), ply });
            } else if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, blank));
            }
        }
        let Some((_, blank)) = best else {
            return Err(refused.unwrap_or(NoBoard::NoSquares));
        };
        // Now that it is known whose pieces are whose, the board can be turned so that the first player sits below.
        layout.turn_to(seen.board(&layout, &blank, order)?.position(&walks[0].states[0])?);
        let shape = Shape::new(layout.files.len(), layout.ranks.len()).ok_or(NoBoard::NoSquares)?;
        let mut board = SeenContents::new(&layout, shape, walks, game).board(&layout, &blank, order)?;
        let setup = board.position(&walks[0].states[0])?;
        name_pieces(&mut board.cells, &setup)?;
        Ok(board)
    }
}

impl BoardLayout {
    /// Turns the board so that the pieces of the first player are below those of the second.
    fn turn_to(&mut self, start: Position) {
        let shape = start.shape();
        let mean = |player: Player, side: &dyn Fn(Square) -> usize| {
            let own: Vec<usize> =
                shape.all().filter(|&square| start.at(square).owner() == Some(player)).map(side).collect();
            (!own.is_empty()).then(|| own.iter().sum::<usize>() as f64 / own.len() as f64)
        };
        let apart = |side: &dyn Fn(Square) -> usize| {
            mean(Player::Second, side).zip(mean(Player::First, side)).map_or(0.0, |(second, first)| second - first)
        };
        let across = apart(&|square| shape.file(square));
        let up = apart(&|square| shape.rank(square));
        let up = if across.abs() > up.abs() {
            self.places.swap(0, 1);
            std::mem::swap(&mut self.files, &mut self.ranks);
            across
        } else {
            up
        };
        if up < 0.0 {
            let last = self.ranks.len() - 1;
            self.ranks.values_mut().for_each(|rank| *rank = last - *rank);
        }
    }
}

/// How empty squares are written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Blank {
    /// By no fact at all.
    Nothing,
    /// By this content.
    SquareContent(SquareContent),
}

/// What walks show of a board: contents by number, squares by theirs.
struct SeenContents {
    contents: Vec<SquareContent>,
    /// For each square, whether it ever was without a fact, and whether it ever had one.
    bare: Vec<(bool, bool)>,
    /// By content and role: on how many squares it appeared when the role moved.
    appeared: Vec<[u32; 2]>,
    /// By content: on how many squares of all states it was.
    counts: Vec<u32>,
    /// By square: what was on it first, and whether that ever changed.
    first: Vec<(Option<usize>, bool)>,
    /// Squares that facts of another relation mark in all states.
    marked: BTreeSet<Square>,
    /// How many walks there were.
    walks: u64,
}

impl SeenContents {
    fn new(layout: &BoardLayout, shape: Shape, walks: &[SampleWalk], game: &GdlGame) -> SeenContents {
        let mut seen = SeenContents {
            contents: Vec::new(),
            bare: vec![(false, false); shape.squares()],
            appeared: Vec::new(),
            counts: Vec::new(),
            first: vec![(None, false); shape.squares()],
            marked: marked_squares(layout, shape, walks),
            walks: walks.len() as u64,
        };
        let mut numbers: HashMap<SquareContent, usize> = HashMap::new();
        for walk in walks {
            let mut before: Vec<Option<usize>> = Vec::new();
            for (i, facts) in walk.states.iter().enumerate() {
                let mut now: Vec<Option<usize>> = vec![None; shape.squares()];
                for (square, content) in facts.iter().filter_map(|fact| layout.read(fact, shape)) {
                    let number = *numbers.entry(content).or_insert_with_key(|content| {
                        seen.contents.push(content.clone());
                        seen.appeared.push([0; 2]);
                        seen.counts.push(0);
                        seen.contents.len() - 1
                    });
                    if let Some(square) = square {
                        now[square.index()] = Some(number);
                        seen.counts[number] += 1;
                    }
                }
                for (square, content) in now.iter().enumerate() {
                    seen.bare[square].0 |= content.is_none();
                    seen.bare[square].1 |= content.is_some();
                }
                if i > 0 {
                    let mover = walk.movers[i - 1].index().min(game.roles().len() - 1);
                    let changed = before.iter().zip(&now).filter(|(was, is)| was != is);
                    for appeared in changed.filter_map(|(_, is)| *is) {
                        seen.appeared[appeared][mover] += 1;
                    }
                }
                if i == 0 {
                    seen.first.iter_mut().zip(&now).for_each(|(first, now)| first.0 = *now);
                }
                seen.first.iter_mut().zip(&now).for_each(|(first, now)| first.1 |= first.0 != *now);
                before = now;
            }
        }
        seen
    }

    /// Whether something is on a square that never moves and is nowhere else a thing that moves.
    fn is_fixed(&self, square: Square) -> bool {
        let (first, changed) = self.first[square.index()];
        first.is_some_and(|content| {
            !changed
                && self.appeared[content] == [0; 2]
                && self.first.iter().all(|&(other, changed)| other != Some(content) || !changed)
        })
    }

    fn is_blank(&self, square: Square, blank: &Blank) -> bool {
        let (first, _) = self.first[square.index()];
        first.map(|content| Blank::SquareContent(self.contents[content].clone())).as_ref() == Some(blank)
    }

    /// What may stand for an empty square, the likeliest first.
    fn blanks(&self) -> Vec<Blank> {
        let comes_and_goes = self.bare.iter().any(|&(without, with)| without && with);
        let mut numbers: Vec<usize> = (0..self.contents.len()).collect();
        numbers.sort_by_key(|&number| Reverse(self.counts[number]));
        let contents = numbers.into_iter().map(|number| Blank::SquareContent(self.contents[number].clone()));
        comes_and_goes.then_some(Blank::Nothing).into_iter().chain(contents).collect()
    }

    /// The board with nothing on it: what never is a square is none.
    fn bare(&self, blank: &Blank, shape: Shape) -> Position {
        let mut bare = Position::empty(shape);
        for square in shape.all() {
            let (_, with) = self.bare[square.index()];
            let hole = match blank {
                Blank::SquareContent(_) => !with,
                Blank::Nothing => !with && self.marked.contains(&square),
            };
            let hole = hole || self.is_fixed(square) && !self.is_blank(square, blank);
            if hole {
                bare.set(square, Cell::HOLE);
            }
        }
        bare
    }

    /// The board as it is read if this is how empty squares are written.
    fn board(&self, layout: &BoardLayout, blank: &Blank, order: &[Role]) -> Result<SheetBoard, NoBoard> {
        let shape = Shape::new(layout.files.len(), layout.ranks.len()).ok_or(NoBoard::NoSquares)?;
        Ok(SheetBoard {
            layout: layout.clone(),
            cells: self.cells(blank, order)?,
            bare: self.bare(blank, shape),
            roles: order.to_vec(),
            walks: self.walks,
        })
    }

    /// What each content is, with letters that only distinguish the owner and the kind.
    fn cells(&self, blank: &Blank, order: &[Role]) -> Result<HashMap<SquareContent, Cell>, NoBoard> {
        let mut cells = HashMap::new();
        let mut kinds = [0u8; 2];
        for (number, content) in self.contents.iter().enumerate() {
            let appeared = |turn: usize| order.get(turn).is_some_and(|role| self.appeared[number][role.index()] > 0);
            let owner = match (appeared(0), appeared(1)) {
                _ if *blank == Blank::SquareContent(content.clone()) => {
                    cells.insert(content.clone(), Cell::EMPTY);
                    continue;
                }
                (true, true) => return Err(NoBoard::Neutral(name_of(content))),
                (true, false) => 0,
                (false, true) => 1,
                (false, false) => {
                    cells.insert(content.clone(), Cell::WALL);
                    continue;
                }
            };
            if kinds[owner] == 26 {
                return Err(NoBoard::TooManyKinds(self.contents.len()));
            }
            let letter = (if owner == 0 { b'A' } else { b'a' }) + kinds[owner];
            kinds[owner] += 1;
            let cell = Cell::named(&char::from(letter).to_string()).map_err(|_| NoBoard::NoSquares)?;
            cells.insert(content.clone(), cell);
        }
        Ok(cells)
    }
}

/// The relation and the number of arguments of a fact that has any.
fn shape_of(fact: &Term) -> Option<(&str, usize)> {
    match fact {
        Term::List(parts) => Some((parts.first()?.as_name()?, parts.len() - 1)),
        Term::Name(_) => None,
    }
}

fn name_of(content: &SquareContent) -> String {
    if content.is_empty() {
        return "what stands on a square".to_owned();
    }
    content.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The squares that facts of other relations mark, and nothing else, in all states.
fn marked_squares(layout: &BoardLayout, shape: Shape, walks: &[SampleWalk]) -> BTreeSet<Square> {
    let always = |fact: &&Term| walks.iter().flat_map(|walk| &walk.states).all(|state| state.contains(fact));
    let start = &walks[0].states[0];
    let square = |fact: &Term| match fact {
        Term::List(parts) if parts.len() == 3 => {
            let (file, rank) = if layout.places[0] < layout.places[1] { (1, 2) } else { (2, 1) };
            shape.square(*layout.files.get(&parts[file])?, *layout.ranks.get(&parts[rank])?)
        }
        _ => None,
    };
    let candidates = start.iter().filter(|fact| shape_of(fact).is_some_and(|(name, _)| name != layout.relation));
    candidates.filter(|fact| square(fact).is_some()).filter(always).filter_map(square).collect()
}

fn numbered(names: Vec<Term>) -> HashMap<Term, usize> {
    names.into_iter().zip(0..).collect()
}

//! A rule sheet and the rules that were learnt from it, side by side: a state of the sheet is found in the rules, and each move of one in the other.
//!
//! Rules on a board run several times as fast as their sheet, so that a player thinks in them and answers in the words of the sheet. That both agree was
//! tested in random games, not proved. So the moves of a state are paired by the boards that they lead to, and where one has no fellow, or ends the game
//! otherwise, there is no pair at all: what is not legal in the sheet can never be chosen.

use super::{SheetReader, SheetReport};
use crate::board::{Player, Position};
use crate::game::{Chance, Game, GdlGame, Goals, Role, RulesGame};
use crate::rules::{Move, State};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// So many games are played to see how they end, and none is played for longer.
const ENDINGS: u64 = 50;
const MOST_PLIES: u64 = 1000;

/// Rules beside the sheet that they were learnt from.
///
/// ```
/// use onlooker::game::{Game, GdlGame, Role};
/// use onlooker::gdl::{Engine, GroundingLimits, Program};
/// use onlooker::learn::Options;
/// use onlooker::relearn::{SheetPlan, SheetTwin, learn_sheet};
/// use std::sync::atomic::AtomicBool;
///
/// let program = Program::read(include_str!("../../games/tic-tac-toe.kif"))?;
/// let game = GdlGame::new("noughts", program, Engine::Fast, &GroundingLimits::default())?;
/// let plan = SheetPlan { games: Some(60), check_games: Some(20), ..SheetPlan::default() };
/// let report = learn_sheet(&game, &plan, &Options::default(), &AtomicBool::new(false), &|_| {})?;
/// let twin = SheetTwin::new(&game, report).expect("the rules account for all games");
/// let state = twin.state(&game, &game.start(), Role(0), Some(0)).expect("the same board");
/// assert_eq!(twin.pairs(&game, &game.start(), &state).expect("the same moves").len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SheetTwin {
    reader: SheetReader,
    rules: Arc<RulesGame>,
    /// Whether states of the rules say how many turns were played.
    counts_plies: bool,
}

/// A move of the rules, and the joint move of the sheet that leads to the same board.
#[derive(Clone, Debug)]
pub struct MovePair<M> {
    /// In the rules.
    pub own: Move,
    /// In the sheet: a move of each role that is to move there.
    pub sheet: Vec<M>,
}

/// What a joint move of the sheet leads to.
struct Successor<M> {
    joint: Vec<M>,
    goals: Option<Goals>,
    /// Whether a move of the rules leads there too.
    paired: bool,
}

impl SheetTwin {
    /// The rules that a report speaks of; `None` if they do not account for everything that was seen of the sheet, or its goals are others than those of a
    /// win, a tie and a loss.
    pub fn new(sheet: &GdlGame, report: SheetReport) -> Option<SheetTwin> {
        if !report.holds() || !ends_like_rules(sheet, report.board.roles()) {
            return None;
        }
        let rules = RulesGame::new(report.lesson.learnt.rules).ok()?;
        let counts_plies = rules.rules().endings.iter().any(|ending| ending.when.plies().is_some());
        Some(SheetTwin { reader: SheetReader::new(report.board, sheet), rules: Arc::new(rules), counts_plies })
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<RulesGame> {
        &self.rules
    }

    /// The role of the rules that a role of the sheet is; `None` if it has no turns.
    pub fn role(&self, role: Role) -> Option<Role> {
        self.reader.board().roles().iter().position(|&own| own == role).map(|at| Role(at as u8))
    }

    /// The role of the sheet whose turn it is after so many turns.
    pub fn mover(&self, plies: u32) -> Role {
        self.reader.board().roles()[self.reader.board().turn(plies).index()]
    }

    /// The state of the rules in which the sheet's board is seen and this role of the sheet is to move; `None` if there is none, or if the rules count
    /// turns and nobody says how many were played. The game is the sheet's, however it is held.
    pub fn state<G: Game>(&self, game: &G, state: &G::State, mover: Role, plies: Option<u32>) -> Option<State> {
        let turn = [Player::First, Player::Second][self.role(mover)?.index()];
        let plies = if self.counts_plies { plies? } else { 0 };
        let own = self.rules.state(&self.reader.position(game, state)?, turn, plies).ok()?;
        self.end_alike(game.goals(state), self.rules.goals(&own)).then_some(own)
    }

    /// The legal moves of a state, in the order of the rules, none if it is over; `None` if the sheet has others there or they lead elsewhere.
    pub fn pairs<G: Game>(&self, game: &G, state: &G::State, own: &State) -> Option<Vec<MovePair<G::Move>>> {
        if game.goals(state).is_some() {
            return Some(Vec::new());
        }
        let turn = self.rules.turn(own);
        let mut sheet: FxHashMap<Position, Successor<G::Move>> = FxHashMap::default();
        for joint in joint_moves(game, state, self.reader.board().roles()[turn.index()])? {
            let mut next = state.clone();
            game.play(&mut next, &joint);
            let position = self.reader.position(game, &next)?;
            // Of moves that do the same the first one stands for all.
            let goals = game.goals(&next);
            sheet.entry(position).or_insert_with(|| Successor { joint, goals, paired: false });
        }
        let (mut moves, mut pairs) = (Vec::new(), Vec::new());
        self.rules.legal(own, Role(turn.index() as u8), &mut moves);
        for choice in moves {
            let mut next = own.clone();
            self.rules.play(&mut next, std::slice::from_ref(&choice));
            let successor = sheet.get_mut(&self.rules.board(&next))?;
            if !self.end_alike(successor.goals.clone(), self.rules.goals(&next)) {
                return None;
            }
            successor.paired = true;
            pairs.push(MovePair { own: choice, sheet: successor.joint.clone() });
        }
        sheet.values().all(|successor| successor.paired).then_some(pairs)
    }

    /// Whether both go on, or both end with the same goals.
    fn end_alike(&self, sheet: Option<Goals>, own: Option<Goals>) -> bool {
        match (sheet, own) {
            (None, None) => true,
            (Some(sheet), Some(own)) => {
                let roles = self.reader.board().roles();
                roles.iter().enumerate().all(|(at, role)| sheet[role.index()] == own[at])
            }
            _ => false,
        }
    }
}

/// Whether some games played at random end with goals that rules on a board know: they say who is ahead, and not by how much.
fn ends_like_rules(sheet: &GdlGame, roles: &[Role]) -> bool {
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    let never = AtomicBool::new(false);
    (0..ENDINGS).all(|number| {
        let (mut state, mut chance) = (sheet.start(), Chance::stream(1, number));
        sheet.play_many_at_random(&mut state, MOST_PLIES, &mut chance, &never, &mut moves, &mut joint);
        let goals = sheet.goals(&state).map(|goals| roles.iter().map(|role| goals[role.index()]).collect::<Vec<_>>());
        match goals.as_deref() {
            // It goes on for long.
            None => true,
            Some([Some(one), Some(other)]) => matches!((one, other), (100, 0) | (50, 50) | (0, 100)),
            Some([Some(only)]) => matches!(only, 0 | 50 | 100),
            Some(_) => false,
        }
    })
}

/// The joint moves of a state in which one role chooses; `None` if another one has something to choose as well.
fn joint_moves<G: Game>(game: &G, state: &G::State, mover: Role) -> Option<Vec<Vec<G::Move>>> {
    let mut joints = vec![Vec::new()];
    let mut moves = Vec::new();
    for role in game.to_move(state).iter() {
        game.legal(state, role, &mut moves);
        if moves.len() != 1 && role != mover {
            return None;
        }
        joints = joints
            .iter()
            .flat_map(|joint: &Vec<G::Move>| moves.iter().map(|choice| joint.iter().chain([choice]).cloned().collect()))
            .collect();
    }
    Some(joints)
}

//! Y. Björnsson, Learning Rules of Simplified Boardgames by Observing (ECAI 2012): what was studied, what was printed.

use super::{Column, TableCell};
use anyhow::{Context, Result};
use onlooker::automata::Dfa;
use onlooker::board::{Cell as BoardCell, Player};
use onlooker::game::{Chance, RulesGame, SimulationPlan, catalogue_game};
use onlooker::learn::Learnt;
use onlooker::observe::Listing;
use onlooker::rules::{Symbol, movement_difference};

/// Games that end later are cut short; those of the paper all end by their rules.
const PLIES: u32 = 1000;

/// How the experiments are run.
pub struct TrialPlan {
    /// How often each is repeated with new games.
    pub trials: u64,
    /// Fixes the games.
    pub seed: u64,
    /// In how many games all moves are known.
    pub all_games: u64,
    /// In how many games a single move is known.
    pub single_games: u64,
}

impl TrialPlan {
    /// The games of one trial of one of the experiments.
    pub fn games(&self, experiment: u64, trial: u64, games: u64, listing: Listing) -> SimulationPlan {
        let seed = Chance::stream(self.seed, experiment << 32 | trial).bits();
        SimulationPlan { games, listing, seed, plies: PLIES }
    }
}

/// One of the paper's games.
pub struct Study {
    pub name: &'static str,
    pub game: RulesGame,
    /// First all pieces of the first player, then of the second.
    pub pieces: Vec<PieceResult>,
}

/// A piece of one player.
pub struct PieceResult {
    pub name: &'static str,
    pub player: Player,
    /// As the first player has it.
    pub kind: BoardCell,
    /// As it stands on the board.
    pub start: BoardCell,
    /// How it really moves.
    pub truth: Dfa<Symbol>,
    pub printed: &'static PaperFigures,
}

/// What the paper has of a kind of piece: for each player average, minimum and maximum.
pub struct PaperFigures {
    game: &'static str,
    letter: &'static str,
    name: &'static str,
    /// ResultTable 1.
    pub all_moves: [[&'static str; 3]; 2],
    /// ResultTable 2.
    pub single_move: [[&'static str; 3]; 2],
    /// ResultTable 3.
    pub games: [[&'static str; 3]; 2],
}

const AT_ONCE: [[&str; 3]; 2] = [["< 0.01"; 3]; 2];

/// The figures as they are printed; "(!)" marks what cannot be right.
static PRINTED: [PaperFigures; 8] = [
    PaperFigures {
        game: "BT",
        letter: "P",
        name: "Pawn",
        all_moves: AT_ONCE,
        single_move: AT_ONCE,
        games: [["1.40", "1", "3"], ["1.3", "1", "2"]],
    },
    PaperFigures {
        game: "CheckBT",
        letter: "C",
        name: "Checker",
        all_moves: [["0.45", "0.09", "0.83"], ["0.62", "0.18", "0.87"]],
        single_move: [["-"; 3]; 2],
        games: [["-", ">1000", "-"], ["-", ">1000", "-"]],
    },
    PaperFigures {
        game: "ChessBT",
        letter: "P",
        name: "Pawn",
        all_moves: AT_ONCE,
        single_move: AT_ONCE,
        games: [["1.95", "1", "5"], ["1.50", "1", "3"]],
    },
    PaperFigures {
        game: "ChessBT",
        letter: "K",
        name: "King",
        all_moves: AT_ONCE,
        single_move: AT_ONCE,
        games: [["6.5", "1", "17"], ["5.95", "1", "17"]],
    },
    PaperFigures {
        game: "ChessBT",
        letter: "N",
        name: "Knight",
        all_moves: AT_ONCE,
        single_move: AT_ONCE,
        games: [["12.55", "4", "28"], ["12.50", "3", "28"]],
    },
    PaperFigures {
        game: "ChessBT",
        letter: "B",
        name: "Bishop",
        all_moves: [["10.25", "7.38", "12.42"], ["10.32", "8.66", "13.08"]],
        single_move: [["104.82", "115.64 (!)", "114.74"], ["104.78", "87.81", "116.94"]],
        games: [["149.40", "10", "448"], ["135.25", "14", "353"]],
    },
    PaperFigures {
        game: "ChessBT",
        letter: "R",
        name: "Rook",
        all_moves: [["11.65", "10.18", "13.56"], ["11.58", "10.00", "13.21"]],
        single_move: [["121.01", "115.64", "127.88"], ["121.28", "113.60", "128.77"]],
        games: [["85.65", "22", "249"], ["85.85", "19", "249"]],
    },
    PaperFigures {
        game: "ChessBT",
        letter: "Q",
        name: "Queen",
        all_moves: [["40.22", "32.40", "47.05"], ["40.73", "30.61", "49.01"]],
        single_move: [["421.69", "369.35", "457.82"], ["412.64", "368.28", "454.32"]],
        games: [["148.55", "29", "448"], ["160.75", "15", "416"]],
    },
];

/// The paper's games as it calls them, with their names in the catalogue.
const GAMES: [(&str, &str); 3] =
    [("BT", "breakthrough"), ("CheckBT", "checkers-breakthrough"), ("ChessBT", "chess-breakthrough")];

/// All games of the paper.
pub fn studies() -> Result<Vec<Study>> {
    GAMES.iter().map(|&(name, catalogue)| study(name, catalogue)).collect()
}

fn study(name: &'static str, catalogue: &str) -> Result<Study> {
    let game = catalogue_game(catalogue).with_context(|| format!("the catalogue has no {catalogue}"))?;
    let rules = game.rules();
    let mut pieces = Vec::new();
    for player in [Player::First, Player::Second] {
        for printed in PRINTED.iter().filter(|printed| printed.game == name) {
            let kind = BoardCell::named(printed.letter)?;
            let start = if player == Player::First { kind } else { kind.turned() };
            let movement = rules.movement(player, start).with_context(|| format!("{start} does not move"))?;
            let truth = rules.automaton(movement, player)?;
            pieces.push(PieceResult { name: printed.name, player, kind, start, truth, printed });
        }
    }
    Ok(Study { name, game, pieces })
}

impl Study {
    /// For each piece, whether its movement was learnt exactly.
    pub fn exact(&self, learnt: &Learnt) -> Vec<bool> {
        let shape = self.game.rules().setup.shape();
        let is_exact = |piece: &PieceResult| {
            let found = learnt.pieces.iter().find(|found| (found.player, found.start) == (piece.player, piece.start));
            found.is_some_and(|found| movement_difference(&piece.truth, &found.automaton, shape).is_none())
        };
        self.pieces.iter().map(is_exact).collect()
    }
}

impl PieceResult {
    /// The labels of a row about this piece.
    pub fn labels(&self, study: &Study) -> Vec<TableCell> {
        let player = if self.player == Player::First { "first" } else { "second" };
        [study.name, self.name, player].map(|label| TableCell::Text(label.to_owned())).into()
    }
}

/// The columns of [`PieceResult::labels`].
pub fn label_columns() -> Vec<Column> {
    ["game", "piece", "player"].map(Column::label).into()
}

/// Columns of a group.
pub fn columns(group: &'static str, names: &[&'static str]) -> Vec<Column> {
    names.iter().map(|&name| Column { group, name }).collect()
}

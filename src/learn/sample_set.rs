//! What is known of all pieces before any is learnt: boards, tables of words, and how evenly the players play.

use super::boards::Boards;
use super::description_length::{DescriptionLength, WORD_KINDS, rates};
use super::evidence::Evidence;
use super::guard::Guards;
use super::guard_search::guarded;
use super::hits::Source;
use super::letter::Letter;
use super::options::Task;
use super::perspective::{PLAYERS, cell_of, square_of};
use super::piece_samples::PieceSamples;
use super::reading::letters;
use super::samples::{WordCount, WordTable, add_origins};
use super::situations::Situations;
use super::trie::count_moves;
use crate::automata::Dfa;
use crate::board::{Cell, Player, Shape, Square};
use crate::budget::StopReason;
use crate::rules::Symbol;
use rayon::prelude::*;
use std::cmp::Reverse;

/// What is known of all pieces.
pub(super) struct SampleSet {
    pub boards: [Boards; 2],
    /// For each kind, the words of each player who has it.
    pub tables: Vec<(Cell, PieceTables)>,
    /// For each player and board, the share that one of its legal moves has.
    share: [Vec<f64>; 2],
    pub rates: [f64; WORD_KINDS],
}

/// The words of a kind, for each player who has it.
pub(super) type PieceTables = [Option<WordTable>; 2];

/// A movement with its guards.
pub(super) type GuardedMovement = (Dfa<Letter>, Guards);

impl SampleSet {
    pub fn of(evidence: &Evidence, situations: &Situations) -> SampleSet {
        let boards = PLAYERS.map(|player| Boards::of(situations, player));
        let mut kinds: Vec<Cell> = evidence.words.keys().map(|&(player, start)| cell_of(player, start)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let table = |player: Player, kind: Cell| {
            let start = cell_of(player, kind);
            let words = evidence.words.get(&(player, start));
            (words.is_some() || !start.is_empty() && boards[player.index()].has(start)).then(|| {
                let mut table = WordTable::new();
                for (word, origins) in words.into_iter().flatten() {
                    let Some(word) = letters(word, player) else { continue };
                    let seen = origins.iter().map(|(start, listed)| {
                        let count = WordCount { all: u64::from(listed.all), some: u64::from(listed.some) };
                        (square_of(player, situations.shape, *start), count)
                    });
                    add_origins(table.entry(word).or_default(), seen);
                }
                table
            })
        };
        let tables = kinds.into_iter().map(|kind| (kind, PLAYERS.map(|player| table(player, kind)))).collect();
        let share = [0, 1].map(|player: usize| vec![0.0; boards[player].len()]);
        SampleSet { boards, tables, share, rates: [1.0; WORD_KINDS] }
    }

    pub fn shape(&self) -> Shape {
        self.boards[0].shape
    }

    /// Whether some records list only some of the legal moves.
    pub fn lists_some(&self) -> bool {
        self.boards.iter().any(|boards| boards.all.iter().any(|&all| !all))
    }

    /// The boards on which a player's turns start on a kind of piece.
    pub fn source(&self, player: Player, kind: Cell) -> Source<'_> {
        let boards = &self.boards[player.index()];
        Source { boards, starts: boards.starts(cell_of(player, kind)), share: &self.share[player.index()] }
    }

    /// One player's piece of a kind with the guards that it needs, if the player has any.
    pub fn piece(
        &self,
        player: Player,
        kind: Cell,
        tables: &PieceTables,
        model: &DescriptionLength,
        task: &Task,
    ) -> Result<Option<PieceSamples<'_>>, StopReason> {
        let Some(table) = &tables[player.index()] else { return Ok(None) };
        guarded(vec![self.source(player, kind)], table, kind.is_empty(), model, &mut task.budget()).map(Some)
    }

    /// Counts the share of each board's legal moves, if these are the movements; and how evenly the players play then.
    pub fn weigh(
        &mut self,
        task: &Task,
        movement: &(dyn Fn(Player, Cell) -> Option<GuardedMovement> + Sync),
    ) -> Result<(), StopReason> {
        let share = PLAYERS.into_par_iter().map(|player| {
            let boards = &self.boards[player.index()];
            let mut moves = vec![0.0; boards.len()];
            for (kind, _) in &self.tables {
                if let Some((automaton, guards)) = movement(player, *kind) {
                    let start = cell_of(player, *kind);
                    count_moves(boards, start, (&automaton, &guards), &mut moves, &mut task.unlimited())?;
                }
            }
            let share = moves.iter().zip(&boards.all).map(|(&b, &all)| if all { 0.0 } else { 1.0 / b.max(1.0) });
            Ok(share.collect())
        });
        let share: Vec<Vec<f64>> = share.collect::<Result<_, StopReason>>()?;
        (0..).zip(share).for_each(|(player, share): (usize, _)| self.share[player] = share);
        let even = DescriptionLength::noisy([1.0; WORD_KINDS], task.options.noise);
        let plays = self.tables.par_iter().map(|(kind, tables)| {
            let mut plays = Vec::new();
            for player in PLAYERS {
                let (Some((_, guards)), Some(table)) = (movement(player, *kind), &tables[player.index()]) else {
                    continue;
                };
                let source = vec![self.source(player, *kind)];
                let piece = PieceSamples::new(source, table, guards, kind.is_empty(), &even, &task.unlimited())?;
                plays.extend(piece.plays());
            }
            Ok(plays)
        });
        let plays: Vec<Vec<(usize, f64, f64)>> = plays.collect::<Result<_, StopReason>>()?;
        self.rates = rates(&plays.concat(), task.options.floor);
        Ok(())
    }

    /// The words of a table as a movement without guards.
    pub fn listed(&self, table: &WordTable) -> GuardedMovement {
        (Dfa::prefix_tree(table.keys().map(|word| plain(word))), Guards::none(self.shape()))
    }

    /// The same with no more words than rules can be written of: those that were listed most.
    pub fn listed_most(&self, table: &WordTable) -> GuardedMovement {
        let times =
            |counts: &[(Square, WordCount)]| counts.iter().map(|(_, count)| count.all + count.some).sum::<u64>();
        let mut words: Vec<(u64, &Vec<Symbol>)> = table.iter().map(|(word, counts)| (times(counts), word)).collect();
        words.sort_by_key(|&(times, word)| (Reverse(times), word.len(), word));
        let mut letters = 0;
        let fits = |(_, word): &&(u64, &Vec<Symbol>)| {
            letters += word.len();
            letters <= MOST_LETTERS
        };
        let most = words.iter().take_while(fits).map(|(_, word)| plain(word));
        (Dfa::prefix_tree(most), Guards::none(self.shape()))
    }
}

/// So many letters of words make a line of rules that can still be written.
const MOST_LETTERS: usize = 600;

fn plain(word: &[Symbol]) -> Vec<Letter> {
    word.iter().copied().map(Letter::plain).collect()
}

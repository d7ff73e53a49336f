//! Positions and moves as the page gets them: squares row by row from the bottom, moves as the squares one clicks on.

use crate::games::LoadedGame;
use crate::limits::LISTED_MOVES;
use onlooker::board::{Content, Position, Square, Word};
use onlooker::game::{AnyGame, AnyMove, AnyState, Game, Role};
use serde_json::{Value, json};

/// A board.
pub fn board(position: &Position) -> Value {
    let cells: Vec<String> = position.cells().iter().map(ToString::to_string).collect();
    json!({ "width": position.shape().width(), "height": position.shape().height(), "cells": cells })
}

/// The squares that two boards differ on.
pub fn changed(before: &Value, after: &Value) -> Vec<u16> {
    let cells = |board: &Value| board["cells"].as_array().cloned().unwrap_or_default();
    let differ = cells(before).into_iter().zip(cells(after)).enumerate().filter(|(_, (before, after))| before != after);
    differ.map(|(square, _)| square as u16).collect()
}

/// What a person does to enter a move, part by part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClickPath {
    /// The squares to click on, one after another.
    pub clicks: Vec<u16>,
    /// For each click the squares that are empty afterwards, because something was taken on the way.
    pub taken: Vec<Vec<u16>>,
    /// For each click what appears in the player's hand there.
    pub puts: Vec<Option<String>>,
}

impl ClickPath {
    fn click(&mut self, square: Square, taken: &mut Vec<u16>) {
        self.clicks.push(square.0);
        self.taken.push(std::mem::take(taken));
        self.puts.push(None);
    }

    /// The clicks of a word: its start, every square where a piece is put down before the turn goes on, every landing in a chain of
    /// captures, and its end.
    pub fn of_word(position: &Position, start: Square, word: &Word) -> ClickPath {
        let shape = position.shape();
        let mut path = ClickPath::default();
        let mut taken = Vec::new();
        path.click(start, &mut taken);
        let mut at = start;
        let mut since_click = false;
        for micro in &word.0 {
            match micro.content {
                Content::Add(cell) => {
                    if since_click {
                        path.click(at, &mut taken);
                        since_click = false;
                    }
                    *path.puts.last_mut().expect("there is a click") = cell.map(|cell| cell.to_string());
                }
                Content::Remove(_) => {
                    // A chain of captures: one lands before the next.
                    if !taken.is_empty() && since_click {
                        path.click(at, &mut taken);
                        since_click = false;
                    }
                    at = shape.step(at, micro.dx, micro.dy).unwrap_or(at);
                    taken.push(at.0);
                }
                _ => {
                    at = shape.step(at, micro.dx, micro.dy).unwrap_or(at);
                    since_click = true;
                }
            }
        }
        if since_click || !taken.is_empty() {
            path.click(at, &mut taken);
        }
        path
    }

    /// The clicks of a move that changes one board into another: the square that is left, the square that is reached.
    fn of_change(before: &Value, after: &Value) -> ClickPath {
        let mut path = ClickPath::default();
        let at = |board: &Value, square: u16| board["cells"][usize::from(square)].as_str().unwrap_or(".").to_owned();
        let squares = changed(before, after);
        let left = squares.iter().copied().find(|&s| at(before, s) != "." && at(after, s) == ".");
        let moved = left.map(|square| at(before, square));
        // What was left is reached again, perhaps as something else.
        let same = squares.iter().copied().find(|&s| Some(at(after, s)) == moved);
        let reached = same.or_else(|| squares.iter().copied().find(|&s| at(after, s) != "."));
        for square in [left, reached].into_iter().flatten() {
            path.click(Square(square), &mut Vec::new());
        }
        path
    }

    fn json(&self, name: &str) -> Value {
        let mut value = json!({ "name": name, "clicks": self.clicks });
        if self.taken.iter().any(|taken| !taken.is_empty()) {
            value["taken"] = json!(self.taken);
        }
        if self.puts.iter().any(Option::is_some) {
            value["puts"] = json!(self.puts);
        }
        value
    }
}

/// More moves than this of a sheet are not tried one by one to see what they do on the board.
const TRIED: usize = 400;

/// The legal moves of a role, with their names.
pub fn named_moves(game: &AnyGame, state: &AnyState, role: Role) -> Vec<(String, AnyMove)> {
    let mut moves = Vec::new();
    game.legal(state, role, &mut moves);
    game.move_names(state, role, &moves).into_iter().zip(moves).collect()
}

/// Moves with their names and clicks as the page gets them.
pub fn legal_moves(loaded: &LoadedGame, state: &AnyState, moves: &[(String, AnyMove)]) -> Vec<Value> {
    let game = &*loaded.game;
    let position = game.position(state);
    let before = if position.is_some() { None } else { loaded.board(state) };
    let alone = game.to_move(state).len() == 1 && moves.len() <= TRIED;
    let path = |choice: &AnyMove| -> ClickPath {
        match (game, state, choice, &position, &before) {
            (AnyGame::Rules(rules), AnyState::Rules(state), AnyMove::Rules(choice), Some(position), _) => {
                let (start, word) = rules.word(state, choice);
                ClickPath::of_word(position, start, &word)
            }
            (.., Some(before)) if alone => {
                let mut after = state.clone();
                game.play(&mut after, std::slice::from_ref(choice));
                loaded.board(&after).map(|after| ClickPath::of_change(before, &after)).unwrap_or_default()
            }
            _ => ClickPath::default(),
        }
    };
    moves.iter().take(LISTED_MOVES).map(|(name, choice)| path(choice).json(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(rows: &[&str], start: u16, word: &str) -> ClickPath {
        let position = Position::from_rows(rows.iter().copied()).unwrap();
        ClickPath::of_word(&position, Square(start), &word.parse().unwrap())
    }

    #[test]
    fn turns_are_entered_part_by_part() {
        let empty = ["......", "......", "......", "......", "......", "......"];
        for (word, clicks) in [
            // A slide is two clicks, however far it goes.
            ("(1 1 e)(1 1 e)(1 1 e)", vec![0, 21]),
            // A queen, then her arrow.
            ("(1 0 e)(1 0 e)(0 0 aA)(0 1 e)", vec![0, 2, 8]),
            // A chain of jumps.
            ("(1 1 dc)(1 1 e)(1 1 dc)(1 1 e)", vec![0, 14, 28]),
            // A jump and a promotion.
            ("(1 1 dc)(1 1 e)(0 0 aK)", vec![0, 14]),
            // A drop.
            ("(0 0 aX)", vec![0]),
            // Castling: the king, then the rook.
            ("(1 0 e)(1 0 e)(0 0 aR)(1 0 dR)(-2 0 e)", vec![0, 2, 1]),
        ] {
            assert_eq!(path(&empty, 0, word).clicks, clicks, "{word}");
        }
        let jumps = path(&empty, 0, "(1 1 dc)(1 1 e)(1 1 dc)(1 1 e)");
        assert_eq!(jumps.taken, [vec![], vec![7], vec![21]]);
        assert_eq!(path(&empty, 0, "(1 0 e)(0 0 aA)(0 1 e)").puts, [None, Some("A".to_owned()), None]);
    }
}

//! How long it takes to generate the moves of a position of Breakthrough (section 4 of the paper).

use super::{Column, ResultTable, TableCell};
use anyhow::{Context, Result};
use onlooker::game::{Chance, catalogue_game};
use onlooker::rules::{Engine, State};
use std::hint::black_box;
use std::time::{Duration, Instant};

const POSITIONS: usize = 2000;
/// How long is measured.
const TIME: Duration = Duration::from_millis(300);

/// Generates the moves of positions of random games again and again.
pub fn table(seed: u64) -> Result<ResultTable> {
    let game = catalogue_game("breakthrough").context("the catalogue has no breakthrough")?;
    let engine = Engine::compile(game.rules())?;
    let positions = positions(&engine, seed)?;
    let mut moves = Vec::new();
    let mut generated = 0;
    let begin = Instant::now();
    while begin.elapsed() < TIME {
        for state in &positions {
            engine.moves(black_box(state), &mut moves)?;
            black_box(&moves);
        }
        generated += positions.len();
    }
    let micros = begin.elapsed().as_secs_f64() * 1e6 / generated as f64;
    let row = |what: &str, micros: TableCell| vec![TableCell::Text(what.to_owned()), micros];
    Ok(ResultTable {
        name: "Move generation in Breakthrough".to_owned(),
        columns: vec![Column::label("who"), Column { group: "microseconds", name: "a position" }],
        rows: vec![
            row("the paper's player of general games", TableCell::printed("159")),
            row("the paper's automata", TableCell::printed("7")),
            row("here", TableCell::Number(micros, 3)),
        ],
        notes: vec![format!("here: all moves written out, over {POSITIONS} positions of random games, one thread")],
    })
}

/// Positions of random games, none of them over.
fn positions(engine: &Engine, seed: u64) -> Result<Vec<State>> {
    let mut chance = Chance::new(seed);
    let mut positions = Vec::with_capacity(POSITIONS);
    let mut state = engine.start();
    while positions.len() < POSITIONS {
        let before = state.clone();
        if engine.play_picked(&mut state, |moves| chance.below(moves))? {
            positions.push(before);
        } else {
            state = engine.start();
        }
    }
    Ok(positions)
}

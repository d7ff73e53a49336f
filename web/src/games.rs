//! Games by name: those of the catalogue, and those of files; each is made ready once and kept for a while.

use crate::error::ApiError;
use crate::fact_board::FactBoard;
use crate::limits::GAMES;
use crate::position_view;
use crate::store::{Document, Kind, SharedStore};
use onlooker::board::Position;
use onlooker::game::{AnyGame, AnyState, CATALOGUE, Game, GameError, SHEETS};
use onlooker::gdl::Engine;
use onlooker::relearn::SheetBoard;
use onlooker::rules::Rules;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// A game that is ready to run.
pub struct LoadedGame {
    /// What addresses call it: a name of the catalogue, or the id of a file.
    pub id: String,
    pub game: Arc<AnyGame>,
    /// The text of its rules.
    pub text: String,
    /// How the facts of a sheet are read as a board, if they are one.
    board: OnceLock<Option<SheetBoard>>,
    /// The board on which some of its facts can be drawn, if there is no other.
    facts: OnceLock<Option<FactBoard>>,
}

impl LoadedGame {
    /// Reads a text of rules or of a sheet.
    pub fn new(id: &str, name: &str, kind: Kind, text: String) -> Result<LoadedGame, GameError> {
        let game = match kind {
            Kind::Sheet => AnyGame::from_sheet(name, &text, Engine::Fast)?,
            _ => AnyGame::from_rules(&text)?,
        };
        Ok(LoadedGame { id: id.to_owned(), game: Arc::new(game), text, board: OnceLock::new(), facts: OnceLock::new() })
    }

    /// Its rules, if it is a board game that runs from some.
    pub fn rules(&self) -> Option<&Rules> {
        match &*self.game {
            AnyGame::Rules(game) => Some(game.rules()),
            AnyGame::Sheet(_) => None,
        }
    }

    /// How a sheet's facts are read as a board. The first question may take seconds.
    pub fn sheet_board(&self) -> Option<&SheetBoard> {
        let AnyGame::Sheet(game) = &*self.game else { return None };
        self.board.get_or_init(|| within(Duration::from_secs(5), |stop| SheetBoard::find(game, stop).ok())).as_ref()
    }

    /// The board in a state, if there is one.
    pub fn position(&self, state: &AnyState) -> Option<Position> {
        self.game.position(state).or_else(|| self.sheet_board()?.position(&self.game.facts(state)).ok())
    }

    /// The board in a state as the page gets it, whatever it is made of.
    pub fn board(&self, state: &AnyState) -> Option<Value> {
        if let Some(position) = self.position(state) {
            return Some(position_view::board(&position));
        }
        if self.rules().is_some() {
            return None;
        }
        let board = self.facts.get_or_init(|| FactBoard::find(&self.game)).as_ref()?;
        Some(json!({ "width": board.width, "height": board.height, "cells": board.cells(&self.game, state) }))
    }

    /// What lists of games show.
    pub fn summary(&self) -> Value {
        let kind = if self.rules().is_some() { "rules" } else { "sheet" };
        json!({ "id": self.id, "name": self.game.name(), "about": self.game.about(), "kind": kind, "roles": self.game.roles() })
    }
}

/// Does something that looks at a flag, which is set once the time is over.
pub fn within<T>(time: Duration, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    let ended = Arc::new(AtomicBool::new(false));
    let watcher = {
        let (stop, ended) = (Arc::clone(&stop), Arc::clone(&ended));
        std::thread::spawn(move || {
            let begun = std::time::Instant::now();
            while !ended.load(Ordering::Relaxed) && begun.elapsed() < time {
                std::thread::park_timeout(time.saturating_sub(begun.elapsed()));
            }
            stop.store(true, Ordering::Relaxed);
        })
    };
    let result = work(&stop);
    ended.store(true, Ordering::Relaxed);
    watcher.thread().unpark();
    result
}

/// What is wrong with a text of rules or of a sheet, each with its place: characters as the page counts them.
pub fn problems(text: &str, error: &GameError) -> Vec<Value> {
    let mut found = Vec::new();
    let mut add = |span: &std::ops::Range<usize>, message: &str, mend: Option<&str>, severity: &str| {
        let before = &text[..span.start.min(text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let units = |part: &str| part.encode_utf16().count();
        let from = units(before);
        let to = from + units(text.get(span.clone()).unwrap_or_default());
        found.push(json!({ "from": from, "to": to, "line": line, "column": column, "message": message, "mend": mend, "severity": severity }));
    };
    match error {
        GameError::Rules(error) => error.problems.iter().for_each(|one| add(&one.span, &one.message, None, "error")),
        GameError::Sheet(error) => {
            for one in &error.problems {
                let severity = if one.severity == onlooker::gdl::Severity::Error { "error" } else { "warning" };
                add(&one.span, &one.message, Some(&one.mend), severity);
            }
        }
        other => add(&(0..0), &other.to_string(), None, "error"),
    }
    found
}

/// What a page is shown of a text that is no game.
pub fn refusal(name: &str, text: &str, error: &GameError) -> ApiError {
    let problems = problems(text, error);
    let first = problems.first();
    let place = first.map(|one| format!("{}:{}: ", one["line"], one["column"])).unwrap_or_default();
    let message = first.and_then(|one| one["message"].as_str()).map_or_else(|| error.to_string(), str::to_owned);
    ApiError::bad(format!("{name}:{place}{message}")).with("problems", Value::from(problems))
}

/// Games that are ready, those asked for last at the end.
pub struct Games {
    store: SharedStore,
    ready: Mutex<Vec<Arc<LoadedGame>>>,
}

impl Games {
    pub fn new(store: SharedStore) -> Games {
        Games { store, ready: Mutex::default() }
    }

    /// The game of this id. It may take long the first time: sheets are compiled.
    pub fn get(&self, id: &str) -> Result<Arc<LoadedGame>, ApiError> {
        if let Some(found) = self.find(id) {
            return Ok(found);
        }
        let of_catalogue =
            CATALOGUE.iter().map(|entry| (entry, Kind::Rules)).chain(SHEETS.iter().map(|entry| (entry, Kind::Sheet)));
        let loaded = match of_catalogue.into_iter().find(|((name, _), _)| *name == id) {
            Some(((name, text), kind)) => {
                LoadedGame::new(id, name, kind, (*text).to_owned()).map_err(|error| refusal(name, text, &error))?
            }
            None => {
                let document = self.store.get(id).filter(|document| matches!(document.kind, Kind::Rules | Kind::Sheet));
                let document = document.ok_or_else(|| ApiError::missing("there is no such game"))?;
                self.load(&document)?
            }
        };
        let loaded = Arc::new(loaded);
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if ready.len() >= GAMES {
            ready.remove(0);
        }
        ready.push(Arc::clone(&loaded));
        Ok(loaded)
    }

    fn find(&self, id: &str) -> Option<Arc<LoadedGame>> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let at = ready.iter().position(|game| game.id == id)?;
        let found = ready.remove(at);
        ready.push(Arc::clone(&found));
        Some(found)
    }

    fn load(&self, document: &Document) -> Result<LoadedGame, ApiError> {
        let text = document.text()?;
        LoadedGame::new(&document.id, document.game_name(), document.kind, text.clone())
            .map_err(|error| refusal(&document.name, &text, &error))
    }
}

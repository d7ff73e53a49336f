//! Games in progress: each at a table of its own that has an address, in memory while somebody looks at it, and in the folder
//! where things are saved.

use crate::error::ApiError;
use crate::games::{Games, LoadedGame};
use crate::knowledge::StoredKnowledge;
use crate::limits::{PLIES, SAVED_TABLES, TABLES, THINKING_TIME};
use crate::position_view::{changed, legal_moves, named_moves};
use crate::rules_api;
use crate::store::{SharedStore, Store};
use axum::http::StatusCode;
use onlooker::game::{AnyGame, AnyMove, AnyState, Chance, Game, Role, played_roles};
use onlooker::observe::{Cause, Listing, LogWriter, Move as Logged, Outcome, Record};
use onlooker::play::{AgentSpec, Player, PlayerSpec, Session, Tree};
use onlooker::rules::Verdict;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A game in progress.
pub struct Table {
    loaded: Arc<LoadedGame>,
    line: Line,
    /// What went on otherwise from a position that somebody went back to, so that he can go back to it.
    other: Option<Line>,
    /// What was played, as people say it: for each joint move the role and the name of each move.
    names: Vec<Vec<(Role, String)>>,
    /// The moves of the person who is waited for, with their names, after so many joint moves: naming thousands takes its time.
    offered: Option<(usize, Role, Offer)>,
    /// Goes up with every change, so that nobody overwrites what he has not seen.
    version: u64,
    /// Ends the thinking that goes on.
    stop: Arc<AtomicBool>,
    touched: Instant,
}

/// What was played, and the role whose player has resigned.
struct Line {
    session: Session<AnyGame>,
    resigned: Option<Role>,
}

/// Moves with their names.
type Offer = Arc<Vec<(String, AnyMove)>>;

/// All tables.
pub struct Tables {
    store: SharedStore,
    games: Arc<Games>,
    tables: Mutex<HashMap<String, Arc<Mutex<Table>>>>,
    /// How many are in the folder.
    saved: AtomicUsize,
}

/// What a table is set up with.
#[derive(Debug, Deserialize)]
pub struct Setup {
    pub game: String,
    #[serde(default)]
    pub players: Vec<String>,
    #[serde(default = "one")]
    pub seed: u64,
    /// The state to begin with, as facts; the game's own if left out.
    #[serde(default)]
    pub facts: Option<Vec<String>>,
    /// The board to begin with, square by square, and the number of the role to move.
    #[serde(default)]
    pub cells: Option<Vec<String>>,
    #[serde(default)]
    pub turn: u8,
    /// A session that was saved.
    #[serde(default)]
    pub session: Option<String>,
}

fn one() -> u64 {
    1
}

/// How a table is kept in the folder.
#[derive(Serialize, Deserialize)]
struct SavedTable {
    game: String,
    session: String,
    #[serde(default)]
    resigned: Option<u8>,
    /// The other line, and who resigned in it.
    #[serde(default)]
    other: Option<(String, Option<u8>)>,
}

/// A number that nobody can guess, as text.
pub fn unguessable() -> String {
    let part = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", part(), part())
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Agents that are offered: the name, and what a person reads.
pub const AGENTS: [(&str, &str); 10] = [
    ("random", "Random"),
    ("greedy", "Greedy"),
    ("alphabeta:2,eval=material", "Alpha-beta, 2 moves ahead, counts pieces"),
    ("alphabeta:4,eval=material", "Alpha-beta, 4 moves ahead, counts pieces"),
    ("alphabeta:6,eval=material", "Alpha-beta, 6 moves ahead, counts pieces"),
    ("mcts:100", "Playouts: 100"),
    ("mcts:1000", "Playouts: 1000"),
    ("mcts:5000", "Playouts: 5000"),
    ("mcts:20000", "Playouts: 20000"),
    ("ggp:1,start=3", "Studies the game for 3 seconds, then thinks for one"),
];

/// The state of a board that somebody has set up.
fn state_of(loaded: &LoadedGame, cells: &[String], turn: u8) -> Result<AnyState, ApiError> {
    let AnyGame::Rules(game) = &*loaded.game else {
        return Err(ApiError::bad("only games that run from rules begin with any position"));
    };
    let position = rules_api::position(game.rules(), cells)?;
    let turn = if turn == 0 || game.rules().players.len() == 1 {
        onlooker::board::Player::First
    } else {
        onlooker::board::Player::Second
    };
    Ok(AnyState::Rules(game.state(&position, turn, 0).map_err(ApiError::bad)?))
}

fn players(loaded: &LoadedGame, names: &[String], store: &Store) -> Result<Vec<Player<AnyGame>>, ApiError> {
    let knowledge = StoredKnowledge { store, game: &loaded.game };
    let roles = played_roles(&*loaded.game).len();
    let usual = |role: usize| if role == 0 { "person" } else { "mcts:1000" };
    let name = |role: usize| names.get(role).map_or(usual(role), String::as_str);
    let count = if names.is_empty() { roles } else { names.len() };
    (0..count)
        .map(|role| {
            let spec: PlayerSpec = name(role).parse().map_err(ApiError::bad)?;
            spec.build(&knowledge).map_err(ApiError::bad)
        })
        .collect()
}

impl Tables {
    pub fn new(store: SharedStore, games: Arc<Games>) -> Tables {
        let saved = AtomicUsize::new(store.count_beside("table-"));
        Tables { store, games, tables: Mutex::default(), saved }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Mutex<Table>>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are in memory.
    pub fn count(&self) -> usize {
        self.all().len()
    }

    /// Sets up a table and returns its id.
    pub fn create(&self, setup: &Setup) -> Result<String, ApiError> {
        if self.saved.load(Ordering::Relaxed) >= SAVED_TABLES {
            let why = format!("there is no room for another game in progress: {SAVED_TABLES} are kept");
            return Err(ApiError::new(StatusCode::INSUFFICIENT_STORAGE, why));
        }
        let loaded = self.games.get(&setup.game)?;
        let knowledge = StoredKnowledge { store: &self.store, game: &loaded.game };
        let begin = match &setup.cells {
            Some(cells) => Some(state_of(&loaded, cells, setup.turn)?),
            None => None,
        };
        let session = match (&setup.session, &setup.facts) {
            (Some(text), _) => Session::from_json(Arc::clone(&loaded.game), text, &knowledge).map_err(ApiError::bad)?,
            (None, facts) => {
                let players = players(&loaded, &setup.players, &self.store)?;
                match facts {
                    None if begin.is_some() => {
                        let state = begin.unwrap_or_else(|| loaded.game.start());
                        Session::from_state(Arc::clone(&loaded.game), players, setup.seed, state)
                    }
                    None => Session::new(Arc::clone(&loaded.game), players, setup.seed),
                    Some(facts) => {
                        let facts = facts.iter().map(|fact| fact.parse()).collect::<Result<Vec<_>, _>>();
                        let state = loaded.game.state_with(&facts.map_err(ApiError::bad)?).map_err(ApiError::bad)?;
                        Session::from_state(Arc::clone(&loaded.game), players, setup.seed, state)
                    }
                }
                .map_err(ApiError::bad)?
            }
        };
        let id = unguessable();
        let table = Table::new(loaded, Line { session, resigned: None }, None);
        self.saved.fetch_add(1, Ordering::Relaxed);
        self.save(&id, &table);
        self.insert(&id, table);
        Ok(id)
    }

    fn insert(&self, id: &str, table: Table) -> Arc<Mutex<Table>> {
        let table = Arc::new(Mutex::new(table));
        let mut all = self.all();
        while all.len() >= TABLES {
            // A table that somebody holds is not the oldest.
            let touched =
                |table: &Arc<Mutex<Table>>| table.try_lock().map_or_else(|_| Instant::now(), |table| table.touched);
            let Some(oldest) = all.iter().min_by_key(|(_, table)| touched(table)).map(|(id, _)| id.clone()) else {
                break;
            };
            all.remove(&oldest);
        }
        all.insert(id.to_owned(), Arc::clone(&table));
        table
    }

    /// Writes a table to the folder, where it can be found again. Where nothing lasts, it goes with the server.
    fn save(&self, id: &str, table: &Table) {
        let saved_line = |line: &Line| (line.session.to_json(), line.resigned.map(|role| role.0));
        let (session, resigned) = saved_line(&table.line);
        let other = table.other.as_ref().map(saved_line);
        let saved = SavedTable { game: table.loaded.id.clone(), session, resigned, other };
        let text = serde_json::to_string(&saved).unwrap_or_default();
        // Should the folder be full, the table is still in memory.
        let _ = self.store.write_beside(&format!("table-{id}.json"), &text);
    }

    /// The table of an id, from memory or from the folder.
    fn get(&self, id: &str) -> Result<Arc<Mutex<Table>>, ApiError> {
        if let Some(found) = self.all().get(id) {
            return Ok(Arc::clone(found));
        }
        let missing = || ApiError::missing("there is no such game in progress any more");
        if id.len() != 32 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(missing());
        }
        let text = self.store.read_beside(&format!("table-{id}.json")).map_err(|_| missing())?;
        let saved: SavedTable = serde_json::from_str(&text).map_err(|_| missing())?;
        let loaded = self.games.get(&saved.game)?;
        let knowledge = StoredKnowledge { store: &self.store, game: &loaded.game };
        let read = |text: &str, resigned: Option<u8>| {
            let session = Session::from_json(Arc::clone(&loaded.game), text, &knowledge).map_err(ApiError::bad)?;
            let roles = loaded.game.roles().len();
            let resigned = resigned.map(Role).filter(|role| role.index() < roles);
            Ok::<_, ApiError>(Line { session, resigned })
        };
        let line = read(&saved.session, saved.resigned)?;
        let other = saved.other.map(|(text, resigned)| read(&text, resigned)).transpose()?;
        Ok(self.insert(id, Table::new(Arc::clone(&loaded), line, other)))
    }

    /// What a table shows after so many joint moves, or now.
    pub fn view(&self, id: &str, ply: Option<usize>) -> Result<Value, ApiError> {
        let table = self.get(id)?;
        let mut table = lock(&table);
        table.touched = Instant::now();
        Ok(table.view(id, ply))
    }

    /// The session as a file.
    pub fn session(&self, id: &str) -> Result<String, ApiError> {
        Ok(lock(&*self.get(id)?).line.session.to_json())
    }

    /// What was played as a log, every legal move listed; a game that goes on is cut short where it is.
    pub fn log(&self, id: &str) -> Result<Vec<u8>, ApiError> {
        let session = lock(&*self.get(id)?).line.session.clone();
        let AnyGame::Rules(game) = &**session.game() else {
            return Err(ApiError::bad("only games on a board have logs"));
        };
        let mut writer = LogWriter::new(Vec::new());
        let played = session.history().map(|(_, joint)| joint.first()).chain([None]);
        for (number, (state, played)) in session.states().iter().zip(played).enumerate() {
            let AnyState::Rules(state) = state else { continue };
            let word = |choice: &onlooker::rules::Move| {
                let (start, word) = game.word(state, choice);
                Logged::Word { start, word }
            };
            let mut moves = Vec::new();
            if let Some(AnyMove::Rules(played)) = played {
                game.legal(state, Role(game.turn(state).index() as u8), &mut moves);
                moves.retain(|choice| choice != played);
                moves.insert(0, played.clone());
            }
            let verdict = game.verdict(state).map(|verdict| match verdict {
                Verdict::Win => Outcome::Won,
                Verdict::Lose => Outcome::Lost,
                Verdict::Tie => Outcome::Tied,
            });
            let cut = verdict.is_none() && moves.is_empty();
            let record = Record {
                number: number as u32 + 1,
                position: game.board(state),
                outcome: verdict.or(cut.then_some(Outcome::Tied)),
                cause: if cut { Cause::Cut } else { Cause::Position },
                turn: game.turn(state),
                listing: Listing::All,
                moves: moves.iter().map(word).collect(),
            };
            writer.write(&record).map_err(ApiError::defect)?;
        }
        writer.finish().map_err(ApiError::defect)
    }

    /// The game of a table, and one of its states.
    pub fn state(&self, id: &str, ply: Option<usize>) -> Result<(Arc<LoadedGame>, AnyState), ApiError> {
        let table = self.get(id)?;
        let table = lock(&table);
        let states = table.line.session.states();
        let ply = ply.unwrap_or(states.len() - 1).min(states.len() - 1);
        Ok((Arc::clone(&table.loaded), states[ply].clone()))
    }

    /// Plays a person's move; agents are asked by [`Tables::advance`].
    pub fn choose(&self, id: &str, name: &str) -> Result<Value, ApiError> {
        let table = self.get(id)?;
        let mut table = lock(&table);
        if table.line.session.states().len() > PLIES {
            return Err(ApiError::bad(format!("a game of more than {PLIES} moves is not kept")));
        }
        table.stop.store(true, Ordering::Relaxed);
        if table.line.resigned.is_some() {
            return Err(ApiError::bad("the game is over"));
        }
        let offered = table.offer().and_then(|(_, offer)| offer.iter().find(|(known, _)| known == name).cloned());
        match offered {
            Some((_, choice)) => table.line.session.choose_move(choice),
            None => table.line.session.choose(name),
        }
        .map_err(ApiError::bad)?;
        table.changed();
        self.save(id, &table);
        Ok(table.view(id, None))
    }

    /// Takes the last move of a person back.
    pub fn undo(&self, id: &str) -> Result<Value, ApiError> {
        let table = self.get(id)?;
        let mut table = lock(&table);
        table.stop.store(true, Ordering::Relaxed);
        // Who has resigned takes that back first.
        if table.line.resigned.take().is_none() && !table.line.session.undo() {
            return Err(ApiError::bad("There is no move of yours to take back."));
        }
        table.changed();
        self.save(id, &table);
        Ok(table.view(id, None))
    }

    /// Goes on from an earlier position. What was played from there on is kept as the other line.
    pub fn rewind(&self, id: &str, ply: usize) -> Result<Value, ApiError> {
        let table = self.get(id)?;
        let mut table = lock(&table);
        table.stop.store(true, Ordering::Relaxed);
        let mut session = table.line.session.clone();
        if !session.rewind(ply) {
            return Err(ApiError::bad("the game has no such position"));
        }
        let left = std::mem::replace(&mut table.line, Line { session, resigned: None });
        table.other = Some(left);
        table.replaced();
        self.save(id, &table);
        Ok(table.view(id, None))
    }

    /// Goes back to what was played before [`Tables::rewind`]; what is there now becomes the other line.
    pub fn swap(&self, id: &str) -> Result<Value, ApiError> {
        let table = self.get(id)?;
        let mut table = lock(&table);
        table.stop.store(true, Ordering::Relaxed);
        let other = table.other.take().ok_or_else(|| ApiError::bad("there is no other line"))?;
        let left = std::mem::replace(&mut table.line, other);
        table.other = Some(left);
        table.replaced();
        self.save(id, &table);
        Ok(table.view(id, None))
    }

    /// Ends the game for the person who is to move, or for the only one there is.
    pub fn resign(&self, id: &str) -> Result<Value, ApiError> {
        let table = self.get(id)?;
        let mut table = lock(&table);
        if table.line.session.goals().is_some() || table.line.resigned.is_some() {
            return Err(ApiError::bad("the game is over"));
        }
        let players = table.line.session.players().iter().zip(0..);
        let mut people = players.filter(|(player, _)| matches!(player, Player::Person)).map(|(_, role)| Role(role));
        let only = people.next().filter(|_| people.next().is_none());
        let role = table.line.session.waiting_for().or(only);
        let role = role.ok_or_else(|| ApiError::bad("no person is to move"))?;
        table.stop.store(true, Ordering::Relaxed);
        table.line.resigned = Some(role);
        table.changed();
        self.save(id, &table);
        Ok(table.view(id, None))
    }

    /// Lets agents move once, if it is their turn. Nobody else has to wait while they think.
    pub fn advance(&self, id: &str) -> Result<Value, ApiError> {
        let table = self.get(id)?;
        let (mut session, over, version, stop) = {
            let mut table = lock(&table);
            table.stop = Arc::new(AtomicBool::new(false));
            let over = table.line.resigned.is_some();
            (table.line.session.clone(), over, table.version, Arc::clone(&table.stop))
        };
        if session.states().len() <= PLIES && !over {
            until(THINKING_TIME, &stop, || session.advance_until(&stop));
        }
        let mut table = lock(&table);
        // If somebody has taken a move back meanwhile, what was thought about is no longer there.
        if table.version == version && session.states().len() > table.line.session.states().len() {
            table.line.session = session;
            table.changed();
            self.save(id, &table);
        }
        Ok(table.view(id, None))
    }

    /// Ends the thinking at a table: the agent plays the best it has found.
    pub fn stop(&self, id: &str) -> Result<(), ApiError> {
        lock(&*self.get(id)?).stop.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Other players go on with the game.
    pub fn seat(&self, id: &str, names: &[String]) -> Result<Value, ApiError> {
        let table = self.get(id)?;
        let mut table = lock(&table);
        table.stop.store(true, Ordering::Relaxed);
        let text = table.line.session.to_json();
        let mut document: Value = serde_json::from_str(&text).map_err(ApiError::defect)?;
        document["players"] = json!(names);
        let knowledge = StoredKnowledge { store: &self.store, game: &table.loaded.game };
        let session = Session::from_json(Arc::clone(&table.loaded.game), &document.to_string(), &knowledge);
        table.line.session = session.map_err(ApiError::bad)?;
        table.version += 1;
        self.save(id, &table);
        Ok(table.view(id, None))
    }
}

impl Table {
    fn new(loaded: Arc<LoadedGame>, line: Line, other: Option<Line>) -> Table {
        let (stop, touched) = (Arc::new(AtomicBool::new(false)), Instant::now());
        let mut table = Table { loaded, line, other, names: Vec::new(), offered: None, version: 0, stop, touched };
        table.changed();
        table
    }

    /// Another line was put in the place of this one.
    fn replaced(&mut self) {
        self.names.clear();
        self.offered = None;
        self.changed();
    }

    /// Keeps the names of what was played up to date.
    fn changed(&mut self) {
        self.version += 1;
        let game = &*self.loaded.game;
        self.names.truncate(self.line.session.history().len());
        let known = self.names.len();
        for (at, (state, joint)) in self.line.session.history().enumerate().skip(known) {
            let named = game.to_move(state).iter().zip(joint).map(|(role, choice)| {
                let moves = match &self.offered {
                    Some((ply, to, moves)) if (*ply, *to) == (at, role) => Arc::clone(moves),
                    _ => Arc::new(named_moves(game, state, role)),
                };
                let name = moves.iter().find(|(_, legal)| legal == choice).map_or("?", |(name, _)| name);
                (role, name.to_owned())
            });
            let named = named.collect();
            self.names.push(named);
        }
        self.offered = None;
    }

    /// The moves of the person who is waited for.
    fn offer(&mut self) -> Option<(Role, Offer)> {
        if self.line.resigned.is_some() {
            return None;
        }
        let role = self.line.session.waiting_for()?;
        let ply = self.line.session.states().len() - 1;
        if let Some((known, to, moves)) = &self.offered
            && (*known, *to) == (ply, role)
        {
            return Some((role, Arc::clone(moves)));
        }
        let moves = Arc::new(named_moves(&self.loaded.game, self.line.session.state(), role));
        self.offered = Some((ply, role, Arc::clone(&moves)));
        Some((role, moves))
    }

    fn view(&mut self, id: &str, ply: Option<usize>) -> Value {
        let offer = self.offer();
        let (game, states) = (&*self.loaded.game, self.line.session.states());
        let now = states.len() - 1;
        let ply = ply.unwrap_or(now).min(now);
        let state = &states[ply];
        let board = self.loaded.board(state);
        let before = ply.checked_sub(1).and_then(|before| self.loaded.board(&states[before]));
        let last = before.zip(board.as_ref()).map(|(before, after)| changed(&before, after)).unwrap_or_default();
        // Where the board does not say everything, what holds is shown too.
        let partial = self.loaded.position(state).is_none();
        let offer = offer.filter(|_| ply == now);
        let waiting = offer.as_ref().map(|(role, _)| *role);
        let count = offer.as_ref().map_or(0, |(_, moves)| moves.len());
        let legal = offer.map(|(_, moves)| legal_moves(&self.loaded, state, &moves)).unwrap_or_default();
        let goals = game.goals(state);
        let resigned = self.line.resigned.filter(|_| ply == now);
        let over = match (&goals, resigned) {
            (Some(goals), _) => json!({ "goals": goals.as_slice(), "text": self.outcome(goals) }),
            (None, Some(role)) => json!({ "goals": null, "text": self.resignation(role) }),
            (None, None) => Value::Null,
        };
        let moves: Vec<Value> = self
            .names
            .iter()
            .map(|joint| joint.iter().map(|(role, name)| json!({ "role": role.0, "name": name })).collect())
            .collect();
        let played = played_roles(game);
        let players: Vec<String> =
            played.iter().map(|role| self.line.session.players()[role.index()].to_string()).collect();
        json!({
            "id": id,
            "game": self.loaded.summary(),
            "players": players,
            "played": played.iter().map(|role| role.0).collect::<Vec<_>>(),
            "ply": ply,
            "plies": now,
            "board": board,
            "pictured": !partial,
            "last": last,
            "facts": if partial { facts(game, state) } else { Vec::new() },
            "to_move": game.to_move(state).iter().map(|role| role.0).collect::<Vec<_>>(),
            "waiting": waiting.map(|role| role.0),
            "thinks": ply == now && over.is_null() && waiting.is_none(),
            "other": self.other.as_ref().map(|line| line.session.history().len()),
            "legal": legal,
            "legal_count": count,
            "over": over,
            "beyond": if goals.is_none() && ply == now { self.line.session.truncation().map(|why| why.to_string()) } else { None },
            "moves": moves,
        })
    }

    /// The same where somebody has resigned.
    fn resignation(&self, role: Role) -> String {
        let (roles, played) = (self.loaded.game.roles(), played_roles(&*self.loaded.game));
        let others: Vec<&str> =
            played.iter().filter(|other| **other != role).map(|other| roles[other.index()].as_str()).collect();
        let who = &roles[role.index()];
        match others[..] {
            [] => format!("{who} has given up."),
            [other] => format!("{who} has resigned: {other} has won."),
            _ => format!("{who} has resigned."),
        }
    }

    /// How the game ended, in a sentence.
    fn outcome(&self, goals: &[Option<u8>]) -> String {
        let players = played_roles(&*self.loaded.game);
        let goal = |role: &Role| goals[role.index()];
        let best = players.iter().map(goal).max().flatten();
        let winners: Vec<Role> = players.iter().copied().filter(|role| goal(role) == best).collect();
        match (players.as_slice(), winners.as_slice()) {
            ([_], _) => if best > Some(50) { "Solved!" } else { "No move is left." }.to_owned(),
            (_, [winner]) => format!("{} has won.", self.loaded.game.roles()[winner.index()]),
            _ => "A tie.".to_owned(),
        }
    }
}

/// The facts of a state in the order of their texts.
pub fn facts(game: &AnyGame, state: &AnyState) -> Vec<String> {
    let mut facts: Vec<String> = game.facts(state).iter().map(ToString::to_string).collect();
    facts.sort_unstable();
    facts
}

/// Does something that looks at a flag; the flag is set once the time is over.
pub fn until<T>(time: std::time::Duration, stop: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    let (stop, ended) = (Arc::clone(stop), Arc::new(AtomicBool::new(false)));
    let watcher = {
        let ended = Arc::clone(&ended);
        std::thread::spawn(move || {
            let begun = Instant::now();
            while !ended.load(Ordering::Relaxed) {
                let Some(left) = time.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) else {
                    stop.store(true, Ordering::Relaxed);
                    return;
                };
                std::thread::park_timeout(left);
            }
        })
    };
    let result = work();
    ended.store(true, Ordering::Relaxed);
    watcher.thread().unpark();
    result
}

/// How an agent sees a state: what it expects the first role to get, and its best line.
pub fn assessment(loaded: &LoadedGame, state: &AnyState, playouts: u64, stop: &Arc<AtomicBool>) -> Value {
    const LINE: usize = 8;
    let game = &loaded.game;
    let by = AgentSpec::mcts(playouts as u32).to_string();
    if let Some(goals) = game.goals(state) {
        return json!({ "by": by, "role": 0, "value": goals.first().copied().flatten(), "line": [], "proved": true });
    }
    let Some(role) = game.to_move(state).iter().find(|role| !game.chance_roles().contains(*role)) else {
        return Value::Null;
    };
    let mut tree = Tree::new(Arc::clone(game), state.clone(), role);
    let mut chance = Chance::new(1);
    let made = until(THINKING_TIME, stop, || tree.grow(playouts, &mut chance, stop));
    let Some(choice) = tree.choice(&mut chance) else { return Value::Null };
    let mut at = state.clone();
    let mut line = Vec::new();
    for joint in tree.line(LINE) {
        let mut names = Vec::new();
        for (role, choice) in game.to_move(&at).iter().zip(&joint) {
            let mut moves = Vec::new();
            game.legal(&at, role, &mut moves);
            let all = game.move_names(&at, role, &moves);
            names.extend(moves.iter().position(|legal| legal == choice).map(|at| all[at].clone()));
        }
        line.push(names.join(" / "));
        game.play(&mut at, &joint);
    }
    let mut moves = Vec::new();
    game.legal(state, role, &mut moves);
    let names = game.move_names(state, role, &moves);
    let best = moves.iter().position(|legal| *legal == choice.pick).map(|at| names[at].clone());
    json!({ "by": by, "role": role.0, "value": tree.mean(), "line": line, "best": best, "proved": choice.proved, "playouts": made })
}

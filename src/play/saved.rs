//! Sessions as JSON documents.

use super::session::{PlayerError, PlayerSpec, Session};
use super::{AgentError, Knowledge, KnowledgeError};
use crate::game::{Game, Role, Term, joint_terms, played_roles};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// What the document says it is.
const FORMAT: &str = "onlooker-session";
/// The newest version we write and read.
const VERSION: u64 = 1;

/// What every version begins with.
#[derive(Deserialize)]
struct Envelope {
    format: String,
    version: u64,
}

#[derive(Serialize, Deserialize)]
struct Document {
    format: String,
    version: u64,
    game: String,
    /// What stands for the game's rules; files that were written before there was such a thing have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    seed: u64,
    players: Vec<String>,
    /// The facts of the state that it began with, if that is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Vec<String>>,
    /// For each joint move the terms of all roles, also of those that were not to move.
    moves: Vec<Vec<String>>,
}

impl<G: Game, R: Deref<Target = G>> Session<G, R> {
    /// The session as a JSON document of one line.
    ///
    /// What one of several people who move at the same time has already chosen is not saved: they are asked again.
    pub fn to_json(&self) -> String {
        let game = &**self.game();
        let terms = |(state, joint): (&G::State, &[G::Move])| {
            joint_terms(game, state, joint).iter().map(ToString::to_string).collect()
        };
        let start = &self.states()[0];
        let facts = || game.facts(start).iter().map(ToString::to_string).collect();
        let document = Document {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: game.name().to_owned(),
            rules: game.digest(),
            seed: self.seed(),
            players: played_roles(game).iter().map(|role| self.players()[role.index()].to_string()).collect(),
            start: (*start != game.start()).then(facts),
            moves: self.history().map(terms).collect(),
        };
        serde_json::to_string(&document).expect("texts and numbers are always written")
    }

    /// The session that was saved in a document, for the same game.
    ///
    /// # Errors
    ///
    /// The document is none of a session, or of another game or other rules, or what it says cannot have been played.
    pub fn from_json(game: R, text: &str, knowledge: &dyn Knowledge<G>) -> Result<Session<G, R>, LoadError> {
        let envelope: Envelope = serde_json::from_str(text)?;
        if envelope.format != FORMAT {
            return Err(LoadError::Format { found: envelope.format });
        }
        if !(1..=VERSION).contains(&envelope.version) {
            return Err(LoadError::Version { found: envelope.version });
        }
        let document: Document = serde_json::from_str(text)?;
        if document.game != game.name() {
            return Err(LoadError::Game { found: document.game, expected: game.name().to_owned() });
        }
        if let (Some(found), Some(expected)) = (&document.rules, game.digest())
            && *found != expected
        {
            return Err(LoadError::Rules { game: document.game });
        }
        let build = |name: &String| Ok(name.parse::<PlayerSpec>()?.build(knowledge)?);
        let players = document.players.iter().map(build).collect::<Result<_, LoadError>>()?;
        let mut session = match &document.start {
            None => Session::new(game, players, document.seed)?,
            Some(facts) => {
                let state = start_of(&*game, facts)?;
                Session::from_state(game, players, document.seed, state)?
            }
        };
        for (index, terms) in document.moves.iter().enumerate() {
            let game = &**session.game();
            let illegal = |role: Option<usize>, found: String| LoadError::Move {
                number: index + 1,
                role: role.and_then(|role| game.roles().get(role).cloned()),
                found: shortened(found),
            };
            if terms.len() != game.roles().len() || session.goals().is_some() {
                return Err(illegal(None, terms.join(" ")));
            }
            let state = session.state().clone();
            let to_move = game.to_move(&state);
            let mut joint = Vec::new();
            for (role, term) in terms.iter().enumerate() {
                let id = Role(role as u8);
                if to_move.contains(id) {
                    let mut moves = Vec::new();
                    game.legal(&state, id, &mut moves);
                    let pick = moves.into_iter().find(|pick| game.move_term(&state, id, pick).to_string() == *term);
                    joint.push(pick.ok_or_else(|| illegal(Some(role), term.clone()))?);
                } else if *term != game.only_move(&state, id).to_string() {
                    return Err(illegal(Some(role), term.clone()));
                }
            }
            session.push(state, joint);
        }
        Ok(session)
    }
}

/// The state that a session began with.
fn start_of<G: Game>(game: &G, facts: &[String]) -> Result<G::State, LoadError> {
    let read = |fact: &String| fact.parse().map_err(|_| LoadError::Start { reason: format!("{fact:?} is no fact") });
    let facts = facts.iter().map(read).collect::<Result<Vec<Term>, LoadError>>()?;
    game.state_with(&facts).map_err(|error| LoadError::Start { reason: shortened(error.to_string()) })
}

/// As much of a text as a message needs.
fn shortened(text: String) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Why a session cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is not JSON, or not of the expected form.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It is something else.
    #[error("this is a {found:?}, an \"onlooker-session\" was expected")]
    Format {
        /// What it says it is.
        found: String,
    },
    /// It was written by a newer program, or by none.
    #[error("the session has version {found}; versions 1 to 1 can be read, so a newer program may have written it")]
    Version {
        /// What it says.
        found: u64,
    },
    /// It is about another game.
    #[error("the session is a game of {found:?}, not of {expected:?}")]
    Game {
        /// What it says.
        found: String,
        /// The game it was to be loaded for.
        expected: String,
    },
    /// It is about a game of the same name with other rules.
    #[error("the session was played by other rules that are called {game:?} too, and goes on only by those")]
    Rules {
        /// What both are called.
        game: String,
    },
    /// A player is unknown.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// What a player needs to know is not there.
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
    /// There are too many or too few players.
    #[error(transparent)]
    Players(#[from] PlayerError),
    /// It began with no state of the game.
    #[error("the session begins with no state of the game: {reason}")]
    Start {
        /// What is wrong.
        reason: String,
    },
    /// A move is not legal.
    #[error("move {number}{}: {found:?} is not legal", .role.as_ref().map(|role| format!(" of {role}")).unwrap_or_default())]
    Move {
        /// Which joint move, the first being 1.
        number: usize,
        /// The role whose move it is, if it is one role's.
        role: Option<String>,
        /// What the document says.
        found: String,
    },
}

//! Which game a saved session is of: the one with the rules it was played by, not just any with the same name.

use crate::error::{Answer, ApiError};
use crate::games::Games;
use crate::knowledge::StoredKnowledge;
use crate::store::{Document, Kind, Store};
use onlooker::game::{CATALOGUE, SHEETS};
use onlooker::gdl::Sheet;
use onlooker::play::Session;
use onlooker::rules::Rules;
use serde::Deserialize;
use std::sync::Arc;

/// What a saved session says about its game.
#[derive(Deserialize)]
struct Head {
    game: String,
    /// What stands for its rules; older files have none.
    #[serde(default)]
    rules: Option<String>,
}

/// A game that may be meant.
struct Candidate {
    id: String,
    name: String,
    digest: String,
}

impl Candidate {
    /// Reads a text as far as its name and its digest need: nothing is compiled.
    fn read(id: &str, name: &str, kind: Kind, text: &str) -> Option<Candidate> {
        let id = id.to_owned();
        match kind {
            Kind::Rules => {
                let rules = Rules::parse(text).ok()?;
                Some(Candidate { id, digest: rules.digest(), name: rules.name })
            }
            _ => Some(Candidate { id, name: name.to_owned(), digest: Sheet::parse(text).ok()?.digest() }),
        }
    }

    fn of_document(document: &Document) -> Option<Candidate> {
        Candidate::read(&document.id, document.game_name(), document.kind, &document.text().ok()?)
    }
}

/// The id of the game that a saved session goes on with.
///
/// # Errors
///
/// It is none of the games that are here; the sentence says what to do.
pub fn find(file: &str, text: &str, store: &Store, games: &Games) -> Answer<String> {
    let head: Head = serde_json::from_str(text).map_err(|error| ApiError::bad(format!("{file}: {error}")))?;
    let known =
        CATALOGUE.iter().map(|entry| (entry, Kind::Rules)).chain(SHEETS.iter().map(|entry| (entry, Kind::Sheet)));
    let of_catalogue = known.filter(|((name, _), _)| *name == head.game);
    let of_catalogue = of_catalogue.filter_map(|((name, text), kind)| Candidate::read(name, name, kind, text));
    let documents = store.all().into_iter().filter(|document| match document.kind {
        Kind::Rules => true,
        // A sheet does not say what it is called.
        Kind::Sheet => document.game_name() == head.game,
        _ => false,
    });
    let of_store = documents.filter_map(|document| Candidate::of_document(&document));
    let mut found: Vec<Candidate> = of_catalogue.chain(of_store).filter(|game| game.name == head.game).collect();
    if found.is_empty() {
        let why = format!("{file} is of a game that is not here, {:?}: drop its rules first", head.game);
        return Err(ApiError::missing(why));
    }
    if let Some(digest) = &head.rules {
        found.retain(|game| game.digest == *digest);
        let other = || {
            let why = "was played by other rules than those of this name that are here: drop the rules it was played by first";
            ApiError::missing(format!("{file} is a game of {:?} that {why}", head.game))
        };
        return found.into_iter().next().map(|game| game.id).ok_or_else(other);
    }
    // An older file: the first game by whose rules all of it can have been played.
    let mut refused = None;
    for candidate in found {
        let fits = games.get(&candidate.id).and_then(|loaded| {
            let knowledge = StoredKnowledge { store, game: &loaded.game };
            Session::from_json(Arc::clone(&loaded.game), text, &knowledge).map(|_| ()).map_err(ApiError::bad)
        });
        match fits {
            Ok(()) => return Ok(candidate.id),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    let why = refused.map(|error| error.to_string()).unwrap_or_default();
    Err(ApiError::bad(format!("{file} does not fit the rules of {:?} that are here: {why}", head.game)))
}

//! What agents and the board know besides the rules, from files of the store and from nowhere else.

use crate::error::ApiError;
use crate::games::LoadedGame;
use crate::store::{Document, Kind, Store};
use onlooker::concepts::{ClockedPlayer, CompiledHeuristic, FactTable, Heuristic, Literal};
use onlooker::explain::concept_words;
use onlooker::game::{AnyGame, AnyState, Game, Role};
use onlooker::opponent::{OpponentModel, OpponentSearch, Options};
use onlooker::play::{Agent, ClockedSpec, Evaluation, Knowledge, KnowledgeError, OpponentSpec, Policy};
use onlooker::tactics::{
    Foresight, GameBoard, Recogniser, RuleFile, TacticsPlayer, Why, check_beside, checked_rules, decide, describe_rule,
};
use onlooker_ggp::SystemClock;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// Models are larger than rules.
const MODEL_BYTES: u64 = 64 << 20;

/// Reads files of the store for a game: `eval=ID`, where the id is that of a file that was learnt or dropped on the page.
pub struct StoredKnowledge<'a> {
    pub store: &'a Store,
    pub game: &'a AnyGame,
}

/// Why a file cannot be used. `file` is its id, which says nothing to people; the reason names it.
fn refuse(file: &str, reason: impl std::fmt::Display) -> KnowledgeError {
    KnowledgeError { file: file.to_owned(), reason: reason.to_string() }
}

/// The heuristic in a file.
pub fn heuristic(document: &Document) -> Result<Heuristic, ApiError> {
    Heuristic::parse(&document.text_up_to(MODEL_BYTES)?).map_err(|error| {
        let first = error.problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
        ApiError::bad(format!("{}: {first}", document.name))
    })
}

/// The model in a file.
pub fn opponent(document: &Document, game: &AnyGame) -> Result<OpponentModel, ApiError> {
    let mut model = OpponentModel::parse(&document.text_up_to(MODEL_BYTES)?).map_err(|error| {
        let first = error.problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
        ApiError::bad(format!("{}: {first}", document.name))
    })?;
    if !game.roles().contains(&model.role) {
        let (found, roles) = (&model.role, game.roles().join(", "));
        return Err(ApiError::bad(format!(
            "{}: found a model of role {found}, expected one of {roles}",
            document.name
        )));
    }
    model.bind(game);
    Ok(model)
}

impl StoredKnowledge<'_> {
    fn document(&self, file: &str, kinds: &[Kind]) -> Result<Document, KnowledgeError> {
        let found = self.store.get(file).filter(|document| kinds.contains(&document.kind));
        found.ok_or_else(|| match self.store.get(file) {
            Some(other) => refuse(file, format!("{}: it is no file for this player", other.name)),
            None => refuse(file, format!("{file:?}: there is no such file on the page")),
        })
    }

    fn compiled(&self, file: &str) -> Result<Arc<CompiledHeuristic>, KnowledgeError> {
        let document = self.document(file, &[Kind::Heuristic])?;
        let heuristic = heuristic(&document).map_err(|error| refuse(file, error))?;
        let compiled = CompiledHeuristic::new(&heuristic, self.game);
        compiled.map(Arc::new).map_err(|error| refuse(file, format!("{}: {error}", document.name)))
    }
}

impl Knowledge<AnyGame> for StoredKnowledge<'_> {
    fn evaluation(&self, file: &str) -> Result<Arc<dyn Evaluation<AnyGame>>, KnowledgeError> {
        Ok(self.compiled(file)?)
    }

    fn policy(&self, file: &str) -> Result<Arc<dyn Policy<AnyGame>>, KnowledgeError> {
        let document = self.document(file, &[Kind::Heuristic, Kind::Opponent])?;
        if document.kind == Kind::Opponent {
            return Ok(Arc::new(opponent(&document, self.game).map_err(|error| refuse(file, error))?));
        }
        Ok(self.compiled(file)?)
    }

    fn opponent(
        &self,
        spec: &OpponentSpec,
        evaluation: Arc<dyn Evaluation<AnyGame>>,
    ) -> Result<Arc<dyn Agent<AnyGame>>, KnowledgeError> {
        let document = self.document(&spec.file, &[Kind::Opponent])?;
        let model = opponent(&document, self.game).map_err(|error| refuse(&spec.file, error))?;
        Ok(Arc::new(OpponentSearch::new(Arc::new(model), spec, evaluation)))
    }

    fn tactics(
        &self,
        file: &str,
        then: Option<Arc<dyn Agent<AnyGame>>>,
    ) -> Result<Arc<dyn Agent<AnyGame>>, KnowledgeError> {
        let document = self.document(file, &[Kind::Tactics])?;
        let (_, recogniser, board) = tactics(&document, self.game).map_err(|error| refuse(file, error))?;
        Ok(Arc::new(TacticsPlayer::new((recogniser, board), then)))
    }

    fn clocked(&self, spec: &ClockedSpec) -> Result<Arc<dyn Agent<AnyGame>>, KnowledgeError> {
        Ok(Arc::new(ClockedPlayer::new(spec.clone(), Arc::new(SystemClock::new()))))
    }
}

/// Whether a file of knowledge can be of use in a game: it was learnt from a game with that name, or all that it speaks of is there.
pub fn fits(document: &Document, loaded: &LoadedGame) -> bool {
    let game = &*loaded.game;
    let is_named = |name: &str| {
        let stem = std::path::Path::new(name).file_stem().is_some_and(|stem| stem == game.name());
        name == game.name() || name == loaded.id || stem
    };
    let by_text = || match document.kind {
        Kind::Heuristic => {
            let heuristic = heuristic(document).ok()?;
            let compiled = CompiledHeuristic::new(&heuristic, game).ok()?;
            Some(is_named(&heuristic.game) || compiled.unmatched() == 0)
        }
        Kind::Opponent => Some(is_named(&opponent(document, game).ok()?.game)),
        Kind::Tactics => {
            let file = RuleFile::parse(&document.text_up_to(MODEL_BYTES).ok()?).ok()?;
            GameBoard::new(&file.system, game).ok()?;
            check_beside(&file.system, game, 1, 1).ok()?;
            Some(true)
        }
        _ => None,
    };
    by_text().unwrap_or(false)
}

/// The rules of tactics in a file, ready for a game. A file may have been edited: only what the checker accepts is relied on.
pub fn tactics(document: &Document, game: &AnyGame) -> Result<(RuleFile, Recogniser, GameBoard), ApiError> {
    let refuse = |why: String| ApiError::bad(format!("{}: {why}", document.name));
    let file = RuleFile::parse(&document.text_up_to(MODEL_BYTES)?).map_err(|error| refuse(error.to_string()))?;
    let (recogniser, board) = checked_rules(&file, game).map_err(|error| refuse(error.to_string()))?;
    Ok((file, recogniser, board))
}

/// Rules of tactics that were checked, by the ids of the file and of the game: checking takes longer than using them.
#[derive(Default)]
pub struct CheckedTactics(Mutex<Vec<(String, String, Arc<Tactics>)>>);

type Tactics = (RuleFile, Recogniser, GameBoard);

impl CheckedTactics {
    const MOST: usize = 8;

    fn get(&self, document: &Document, loaded: &LoadedGame) -> Result<Arc<Tactics>, ApiError> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., found)) = lock().iter().find(|(file, game, _)| *file == document.id && *game == loaded.id) {
            return Ok(Arc::clone(found));
        }
        let made = Arc::new(tactics(document, &loaded.game)?);
        let mut kept = lock();
        if kept.len() >= CheckedTactics::MOST {
            kept.remove(0);
        }
        kept.push((document.id.clone(), loaded.id.clone(), Arc::clone(&made)));
        Ok(made)
    }
}

/// What rules of tactics make of a state, in words.
pub fn combination(
    checked: &CheckedTactics,
    document: &Document,
    loaded: &LoadedGame,
    state: &AnyState,
    stop: &AtomicBool,
) -> Result<Value, ApiError> {
    let made = checked.get(document, loaded)?;
    let (file, recogniser, board) = &*made;
    let game = &*loaded.game;
    let Some(role) = game.to_move(state).iter().next().filter(|_| game.goals(state).is_none()) else {
        return Ok(Value::Null);
    };
    let mut moves = Vec::new();
    game.legal(state, role, &mut moves);
    let ground = &recogniser.ground;
    let player = board.player(role);
    let features = board.position(game, state).and_then(|position| board.state(ground, &position));
    let squares = board.squares(game, state, role, &moves);
    let legal: Option<Vec<_>> =
        squares.iter().map(|&square| square.and_then(|square| ground.move_id(square, player))).collect();
    let (Some(mut features), Some(legal)) = (features, legal) else { return Ok(Value::Null) };
    let decision = decide(recogniser, &mut features, &legal, Foresight::default(), stop);
    let names = game.move_names(state, role, &moves);
    let left = legal.iter().zip(&names).filter(|(id, _)| decision.moves.contains(id)).map(|(_, name)| name.clone());
    let left: Vec<String> = left.collect();
    let who = &game.roles()[role.index()];
    let (kind, win, words) = match decision.why {
        Why::Wins(win) => {
            ("wins", Some(win), format!("{who} wins by force, in at most {} moves of its own", win.depth))
        }
        Why::Forced(win) => ("forced", Some(win), format!("{who} is forced: every other move lets the opponent win")),
        Why::Lost(win) => (
            "lost",
            Some(win),
            format!("Whatever {who} plays, the opponent wins by force; these moves hold out longest"),
        ),
        Why::Free => ("free", None, "No combination is known in this position".to_owned()),
    };
    let rule = win
        .and_then(|win| win.rule)
        .and_then(|rule| file.library.rules.get(rule))
        .map(|rule| describe_rule(&file.system, rule));
    let moves = if kind == "free" { Vec::new() } else { left };
    Ok(json!({ "kind": kind, "words": words, "moves": moves, "rule": rule }))
}

/// The most rules that are shown at once.
const SHOWN: usize = 12;
/// The most places of one rule.
const PLACES: usize = 64;

/// The squares that facts of a board game speak of.
fn squares(facts: &[&Literal], width: usize) -> Vec<usize> {
    use onlooker::concepts::Argument::Number;
    let square = |fact: &&Literal| match fact.arguments[..] {
        [Number(file), Number(rank), ..] if file > 0 && rank > 0 => {
            Some((rank as usize - 1) * width + file as usize - 1)
        }
        _ => None,
    };
    facts.iter().filter_map(square).collect()
}

/// Which rules of a heuristic hold in a state, with their places on the board, those that say most first.
pub fn holding(heuristic: &Heuristic, game: &AnyGame, state: &AnyState) -> Value {
    let terms = game.facts(state);
    let literals: Vec<Literal> = terms.iter().map(Literal::of_term).collect();
    let table = FactTable::new(&terms);
    let width = game.position(state).map(|position| position.shape().width());
    let mut roles = Vec::new();
    for role in &heuristic.roles {
        let mut found = Vec::new();
        let mut sum = 0.0;
        for rule in &role.rules {
            let places = if rule.body.is_empty() { 1 } else { table.instances(&rule.body, PLACES).found.len() };
            sum += rule.value * places as f64;
            if places > 0 && !rule.body.is_empty() {
                found.push((rule.value * places as f64, rule));
            }
        }
        found.sort_by(|one, other| other.0.abs().total_cmp(&one.0.abs()));
        let shown: Vec<Value> = found
            .iter()
            .take(SHOWN)
            .map(|(value, rule)| {
                let instances = table.instances(&rule.body, PLACES).found;
                let places: Vec<Vec<usize>> = instances
                    .iter()
                    .map(|facts| facts.iter().map(|fact| &literals[fact.0 as usize]).collect::<Vec<_>>())
                    .filter_map(|facts| width.map(|width| squares(&facts, width)))
                    .collect();
                let body: Vec<String> = rule.body.iter().map(ToString::to_string).collect();
                json!({ "text": body.join(", "), "words": concept_words(&rule.body), "value": value, "places": places })
            })
            .collect();
        roles.push(json!({ "role": role.role, "sum": sum, "rules": shown, "more": found.len().saturating_sub(SHOWN) }));
    }
    Value::from(roles)
}

/// What a model expects its role to play in a state: moves with their shares, the likeliest first.
pub fn expected(model: &OpponentModel, game: &AnyGame, state: &AnyState) -> Value {
    let role = game.roles().iter().position(|name| *name == model.role).map(|at| Role(at as u8));
    let Some((role, options)) = role.and_then(|role| Some((role, Options::of(game, state, role)?))) else {
        return Value::Null;
    };
    if options.moves.is_empty() {
        return Value::Null;
    }
    let prediction = model.predict(game, state, role, &options);
    let names = game.move_names(state, role, &options.moves);
    let moves = prediction
        .ranking
        .iter()
        .take(5)
        .filter_map(|&at| Some(json!({ "name": names.get(at)?, "share": prediction.shares[at] })));
    json!({ "role": model.role, "turns": model.turns(), "moves": moves.collect::<Vec<_>>() })
}

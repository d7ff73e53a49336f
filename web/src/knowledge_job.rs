//! Learning to play, as jobs: concepts from playouts, and a model of how somebody plays.

use crate::error::ApiError;
use crate::games::LoadedGame;
use crate::jobs::Job;
use crate::knowledge::StoredKnowledge;
use crate::store::{Kind, Store};
use onlooker::concepts::{Heuristic, LessonOptions, PlayoutPlan, PlayoutPolicy, learn_heuristic, watch_playouts};
use onlooker::explain::concept_words;
use onlooker::game::{Game, Role};
use onlooker::opponent::{ModelOptions, OpponentModel, watch_matches};
use onlooker::play::{AgentSpec, MatchPlan};
use onlooker::tactics::{
    GameBoard, LearnOptions, RuleFile, Status, UpdateSystem, check_beside, describe_rule, learn_by_playing, systems_for,
};
use rayon::ThreadPool;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What to learn about a game.
#[derive(Clone, Debug, Deserialize)]
pub struct KnowledgeRequest {
    pub game: String,
    /// For a model: whom to model, in which role, against whom.
    #[serde(default)]
    pub player: Option<String>,
    #[serde(default)]
    pub role: Option<u8>,
    #[serde(default)]
    pub games: Option<u64>,
}

/// What such a job needs.
pub struct KnowledgeJob {
    pub request: KnowledgeRequest,
    pub loaded: Arc<LoadedGame>,
    pub store: Arc<Store>,
    pub workers: Arc<ThreadPool>,
}

const PLAYOUTS: u64 = 3_000;
const STEPS: u64 = 5_000_000;
const SHOWN: usize = 30;

impl KnowledgeJob {
    /// Concepts from playouts.
    pub fn concepts(self, job: &Job) -> Result<(), ApiError> {
        let game = &*self.loaded.game;
        let playouts = self.request.games.unwrap_or(PLAYOUTS).min(100_000);
        let plan = PlayoutPlan {
            playouts,
            wins: u64::MAX,
            seed: 1,
            plies: 2_000,
            steps: STEPS,
            policy: PlayoutPolicy::Random,
        };
        let progress =
            |done: u64| job.send(&json!({ "type": "progress", "done": done, "of": playouts, "what": "playouts" }));
        let (evidence, report) = self.workers.install(|| watch_playouts(game, &plan, job.stop_flag(), &progress));
        if let Some(why) = report.truncated {
            return Err(ApiError::bad(why));
        }
        job.send(&json!({ "type": "progress", "done": evidence.playouts().0, "of": playouts, "what": "playouts, now weighing what they have in common" }));
        let options = LessonOptions { cutoff: 2, most_features: 8_000_000, ..LessonOptions::default() };
        let lesson = self.workers.install(|| learn_heuristic(game, &evidence, &options, job.stop_flag()));
        let heuristic = lesson.map_err(ApiError::bad)?.heuristic;
        let name = format!("{}.concepts", game.name());
        let document = self.store.add_text(&name, Kind::Heuristic, &heuristic.to_string())?;
        job.send(&json!({
            "type": "done", "document": document.id, "kind": "concepts", "playouts": evidence.playouts().0,
            "rules": heuristic.rule_count(), "concepts": strongest(&heuristic),
        }));
        Ok(())
    }

    /// A model of a player.
    pub fn opponent(self, job: &Job) -> Result<(), ApiError> {
        let game = &*self.loaded.game;
        let role = Role(self.request.role.unwrap_or(1));
        if role.index() >= game.roles().len() {
            return Err(ApiError::bad("there is no such role"));
        }
        let knowledge = StoredKnowledge { store: &self.store, game };
        let name = self.request.player.clone().unwrap_or_else(|| "greedy".to_owned());
        let build = |name: &str| -> Result<_, ApiError> {
            let spec: AgentSpec = name.parse().map_err(ApiError::bad)?;
            spec.build(&knowledge).map_err(ApiError::bad)
        };
        let (player, others) = (build(&name)?, build("random")?);
        let games = self.request.games.unwrap_or(200).min(5_000);
        let plan = MatchPlan { games, seed: 1, plies: 1_000 };
        let played = AtomicU64::new(0);
        let done = || {
            let done = played.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(10) || done == games {
                job.send(&json!({ "type": "progress", "done": done, "of": games, "what": "games" }));
            }
        };
        let stop = job.stop_flag();
        let turns = self
            .workers
            .install(|| watch_matches(game, role, &player, &others, &plan, 0, stop, &done))
            .map_err(ApiError::bad)?;
        if job.is_stopped() {
            return Ok(());
        }
        let role_name = &game.roles()[role.index()];
        let mut model = OpponentModel::new(game.name(), role_name, ModelOptions::default());
        model.player = Some(name.clone());
        model.against = Some("random".to_owned());
        model.learnt.push(("games".to_owned(), games.to_string()));
        self.workers.install(|| model.train(game, role, &turns, 1));
        let document = self.store.add_text(
            &format!("{}-{role_name}.opponent", game.name()),
            Kind::Opponent,
            &model.to_string(),
        )?;
        job.send(&json!({ "type": "done", "document": document.id, "kind": "opponent", "turns": model.turns(), "role": role_name, "player": name }));
        Ok(())
    }

    /// Winning combinations from games that were lost against a player.
    pub fn tactics(self, job: &Job) -> Result<(), ApiError> {
        let game = &*self.loaded.game;
        let mut reasons = Vec::new();
        let fits = |system: &UpdateSystem| check_beside(system, game, 3, 1);
        let mut found = None;
        for text in systems_for(game, job.stop_flag()).map_err(ApiError::bad)? {
            let system = UpdateSystem::parse(&text).map_err(ApiError::defect)?;
            match fits(&system) {
                Ok(_) => {
                    found = Some(system);
                    break;
                }
                Err(error) => reasons.push(error.to_string()),
            }
        }
        let system = found.ok_or_else(|| {
            ApiError::bad(format!("no state-update system describes {}: {}", game.name(), reasons.join("; ")))
        })?;
        let board = GameBoard::new(&system, game).map_err(ApiError::bad)?;
        let mut file = RuleFile::new(&self.request.game, system);
        let name = self.request.player.clone().unwrap_or_else(|| "mcts:1000".to_owned());
        let spec: AgentSpec = name.parse().map_err(ApiError::bad)?;
        let against = spec.build(&StoredKnowledge { store: &self.store, game }).map_err(ApiError::bad)?;
        let games = self.request.games.unwrap_or(30).min(1_000);
        let progress = |done: u64| job.send(&json!({ "type": "progress", "done": done, "of": games, "what": "games" }));
        let stop = job.stop_flag();
        let options = LearnOptions::default();
        let learn =
            || learn_by_playing(game, &mut file, &board, &against, 0..games, (1_000, 1), &options, stop, &progress);
        let report = self.workers.install(learn).map_err(ApiError::bad)?;
        file.learnt.push(("against".to_owned(), name));
        file.learnt.push(("games".to_owned(), report.games.to_string()));
        file.learnt.push(("losses".to_owned(), report.losses.to_string()));
        let rules: Vec<String> =
            file.library.rules.iter().take(SHOWN).map(|rule| describe_rule(&file.system, rule)).collect();
        if rules.is_empty() {
            return Err(ApiError::bad(format!(
                "of {} games none was lost in a way that could be explained",
                report.games
            )));
        }
        let proved = file.library.rules.iter().filter(|rule| rule.status == Status::Proved).count();
        let document = self.store.add_text(&format!("{}.tactics", game.name()), Kind::Tactics, &file.to_string())?;
        job.send(&json!({
            "type": "done", "document": document.id, "kind": "tactics", "games": report.games, "losses": report.losses,
            "rules": file.library.rules.len(), "proved": proved, "shown": rules,
        }));
        Ok(())
    }
}

/// The rules of each role that say most, in words.
fn strongest(heuristic: &Heuristic) -> Vec<Value> {
    let mut all = Vec::new();
    for role in &heuristic.roles {
        let mut rules: Vec<_> = role.rules.iter().filter(|rule| !rule.body.is_empty()).collect();
        rules.sort_by(|one, other| other.value.abs().total_cmp(&one.value.abs()));
        all.extend(rules.iter().take(SHOWN).map(|rule| {
            let body: Vec<String> = rule.body.iter().map(ToString::to_string).collect();
            json!({ "role": role.role, "words": concept_words(&rule.body), "text": body.join(", "), "value": rule.value })
        }));
    }
    all
}

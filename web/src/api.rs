//! What the page can ask for: one small function a request, which reads it, hands it on and answers.

use crate::error::{Answer, ApiError};
use crate::games::{Games, LoadedGame, within};
use crate::guard::PICTURE_POLICY;
use crate::jobs::{Jobs, events};
use crate::knowledge::{CheckedTactics, combination, expected, fits, heuristic, holding, opponent};
use crate::knowledge_job::{KnowledgeJob, KnowledgeRequest};
use crate::learn_job::{LearnJob, LearnRequest, Source};
use crate::limits;
use crate::plans_job;
use crate::position_view::board;
use crate::rules_api::{self, Diagram, Draft};
use crate::saved_game;
use crate::store::{Document, Kind, SharedStore};
use crate::tables::{AGENTS, Setup, Tables, assessment, facts};
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing};
use onlooker::explain::position_svg;
use onlooker::game::{AnyGame, AnyState, CATALOGUE, Game, SHEETS, SimulationPlan, simulate};
use onlooker::gdl::Sheet;
use onlooker::observe::Listing;
use onlooker::rules::Rules;
use rayon::ThreadPool;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

/// All that requests share.
pub struct App {
    pub store: SharedStore,
    pub games: Arc<Games>,
    pub tables: Arc<Tables>,
    pub jobs: Arc<Jobs>,
    pub workers: Arc<ThreadPool>,
    /// Rules of tactics that are in use.
    pub tactics: CheckedTactics,
    /// Who may think at the same time.
    pub thinkers: Arc<Semaphore>,
    /// Who may read and compile texts at the same time, so that threads are left for those who click.
    pub loaders: Arc<Semaphore>,
    /// Games and files that were given on the command line, by their ids.
    pub given: Vec<String>,
}

type Shared = State<Arc<App>>;

/// Everything under `/api/`.
pub fn routes() -> Router<Arc<App>> {
    use routing::{get, post};
    Router::new()
        .route("/status", get(status))
        .route("/games", get(games))
        .route("/games/{id}", get(game))
        .route("/games/{id}/export/{to}", get(export))
        .route("/games/{id}/log", get(simulated_log))
        .route("/games/{id}/board.svg", get(game_svg))
        .route("/games/{id}/knowledge", get(knowing))
        .route("/games/{id}/reach", post(reach))
        .route("/check", post(check))
        .route("/texts", post(add_text))
        .route("/files", get(files).post(add_file))
        .route("/files/{id}", get(file))
        .route("/files/{id}/game", get(file_game))
        .route("/tables", post(create_table))
        .route("/tables/{id}", get(table))
        .route("/tables/{id}/move", post(choose))
        .route("/tables/{id}/undo", post(undo))
        .route("/tables/{id}/rewind", post(rewind))
        .route("/tables/{id}/swap", post(swap))
        .route("/tables/{id}/resign", post(resign))
        .route("/tables/{id}/advance", post(advance))
        .route("/tables/{id}/stop", post(stop_thinking))
        .route("/tables/{id}/players", post(seat))
        .route("/tables/{id}/think", post(think))
        .route("/tables/{id}/know", post(know))
        .route("/tables/{id}/session", get(session))
        .route("/tables/{id}/log", get(table_log))
        .route("/tables/{id}/board.svg", get(table_svg))
        .route("/jobs", get(jobs))
        .route("/jobs/learn", post(learn))
        .route("/jobs/concepts", post(concepts))
        .route("/jobs/opponent", post(model))
        .route("/jobs/tactics", post(tactics))
        .route("/jobs/plans", post(plans))
        .route("/jobs/{id}/events", get(job_events))
        .route("/jobs/{id}/control", post(control))
}

/// Does work that takes more than a moment where it holds nobody up.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Answer<T> + Send + 'static) -> Answer<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(ApiError::defect("this is a defect of the program, and nothing was done")))
}

/// The same for search, of which only so much goes on at once.
async fn thinking<T: Send + 'static>(app: &App, work: impl FnOnce() -> Answer<T> + Send + 'static) -> Answer<T> {
    let permit = Arc::clone(&app.thinkers).acquire_owned().await.map_err(ApiError::defect)?;
    blocking(move || {
        let done = work();
        drop(permit);
        done
    })
    .await
}

/// The same for texts that are read and compiled, which may be large.
async fn loading(app: &App, work: impl FnOnce() -> Answer<Value> + Send + 'static) -> Answer {
    let permit = Arc::clone(&app.loaders).acquire_owned().await.map_err(ApiError::defect)?;
    let done = blocking(move || {
        let done = work();
        drop(permit);
        done
    });
    done.await.map(Json)
}

async fn json_of(work: impl FnOnce() -> Answer<Value> + Send + 'static) -> Answer {
    blocking(work).await.map(Json)
}

async fn status(State(app): Shared) -> Json<Value> {
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "lasting": app.store.is_lasting(),
        "given": app.given,
        "agents": AGENTS.map(|(name, title)| json!({ "name": name, "title": title })),
        "tables": app.tables.count(),
        "jobs": app.jobs.list(),
        "limits": {
            "file_bytes": limits::FILE_BYTES, "text_bytes": limits::TEXT_BYTES, "store_bytes": limits::STORE_BYTES,
            "tables": limits::TABLES, "saved_tables": limits::SAVED_TABLES, "jobs": limits::JOBS, "job_seconds": limits::JOB_TIME.as_secs(),
            "thinking_seconds": limits::THINKING_TIME.as_secs(), "connections": limits::CONNECTIONS,
        },
    }))
}

/// A line of the list of games: made without running anything, since there may be many.
fn listed(id: &str, name: &str, kind: Kind, text: &str, from: &str) -> Value {
    let mut value = json!({ "id": id, "name": name, "kind": kind.name(), "from": from, "about": "", "board": null });
    if kind == Kind::Rules {
        match Rules::parse(text) {
            Ok(rules) => {
                value["name"] = json!(rules.name);
                value["about"] = json!(rules.about);
                value["board"] = board(&rules.setup);
                value["learnt"] = json!(rules.learnt.as_ref().map(|learnt| learnt.games));
            }
            Err(error) => value["error"] = json!(error.to_string()),
        }
    } else {
        if let Err(error) = Sheet::parse(text) {
            value["error"] = json!(error.to_string());
        }
        // What a sheet's author wrote above it.
        let about: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with(';'))
            .map(|line| line.trim_start_matches([';', ' ']))
            .collect();
        let about = about.join(" ");
        let sentence = about.split_inclusive(['.', ':']).next().unwrap_or_default().trim_end_matches(':');
        value["about"] = json!(sentence.chars().take(160).collect::<String>());
    }
    value
}

/// Files that the list of games shows.
const LISTED: usize = 500;

async fn games(State(app): Shared) -> Answer {
    let own = Arc::clone(&app);
    loading(&own, move || {
        let catalogue = CATALOGUE.iter().map(|(name, text)| listed(name, name, Kind::Rules, text, "catalogue"));
        let sheets = SHEETS.iter().map(|(name, text)| listed(name, name, Kind::Sheet, text, "catalogue"));
        let documents =
            app.store.all().into_iter().filter(|document| matches!(document.kind, Kind::Rules | Kind::Sheet));
        let listed_documents = documents.take(LISTED);
        let own = listed_documents.filter_map(|document| {
            let text = document.text().ok()?;
            // A folder may hold what the catalogue has.
            if CATALOGUE.iter().chain(&SHEETS).any(|(_, known)| *known == text) {
                return None;
            }
            let from = if document.given { "given" } else { "dropped" };
            let name = document.name.split('.').next().unwrap_or_default().to_owned();
            Some(listed(&document.id, &name, document.kind, &text, from))
        });
        Ok(json!({ "games": own.collect::<Vec<_>>().into_iter().chain(catalogue).chain(sheets).collect::<Vec<_>>() }))
    })
    .await
}

async fn game(State(app): Shared, Path(id): Path<String>) -> Answer {
    let own = Arc::clone(&app);
    loading(&own, move || {
        let loaded = app.games.get(&id)?;
        let state = loaded.game.start();
        let mut value = loaded.summary();
        value["text"] = json!(loaded.text);
        value["source"] = json!(rules_api::source_kind(&loaded).name());
        value["board"] = json!(loaded.board(&state));
        value["pieces"] =
            json!(loaded.rules().map(|rules| rules.pieces().iter().map(ToString::to_string).collect::<Vec<_>>()));
        value["played"] =
            json!(onlooker::game::played_roles(&*loaded.game).iter().map(|role| role.0).collect::<Vec<_>>());
        value["facts"] = json!(facts(&loaded.game, &state));
        Ok(value)
    })
    .await
}

/// A file to take away, or a picture to look at.
fn taken_away(text: impl Into<Body>, kind: &str, name: &str, download: bool) -> Response {
    let place = if download { "attachment" } else { "inline" };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("{place}; filename=\"{}\"", name.replace(['"', '\\'], "").replace(|c: char| !c.is_ascii(), "_")),
        ),
        (header::CONTENT_SECURITY_POLICY, PICTURE_POLICY.to_owned()),
    ];
    (headers, text.into()).into_response()
}

#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    download: bool,
    #[serde(default)]
    ply: Option<usize>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    games: Option<u64>,
    #[serde(default)]
    some: bool,
}

async fn export(
    State(app): Shared,
    Path((id, to)): Path<(String, String)>,
    Query(wanted): Query<Wanted>,
) -> Answer<Response> {
    let (text, kind, name) = blocking(move || rules_api::export(&*app.games.get(&id)?, &to)).await?;
    Ok(taken_away(text, kind, &name, wanted.download))
}

async fn simulated_log(State(app): Shared, Path(id): Path<String>, Query(wanted): Query<Wanted>) -> Answer<Response> {
    const MOST: u64 = 200;
    let own = Arc::clone(&app);
    let (bytes, name) = thinking(&app, move || {
        let loaded = own.games.get(&id)?;
        let AnyGame::Rules(game) = &*loaded.game else { return Err(ApiError::bad("only games on a board have logs")) };
        let listing = if wanted.some { Listing::Some } else { Listing::All };
        let plan = SimulationPlan { games: wanted.games.unwrap_or(20).min(MOST), listing, seed: 1, plies: 2_000 };
        let mut log = Vec::new();
        own.workers
            .install(|| simulate(game, &plan, &mut log, &AtomicBool::new(false), &mut |_| {}))
            .map_err(ApiError::bad)?;
        Ok((log, game.name().to_owned()))
    })
    .await?;
    Ok(taken_away(bytes, "text/plain; charset=utf-8", &format!("{name}.log"), true))
}

fn picture(loaded: &LoadedGame, state: &AnyState) -> Answer<String> {
    let position = loaded.position(state).ok_or_else(|| ApiError::missing("the game has no board"))?;
    Ok(position_svg(&position))
}

async fn game_svg(State(app): Shared, Path(id): Path<String>, Query(wanted): Query<Wanted>) -> Answer<Response> {
    let svg = blocking(move || {
        let loaded = app.games.get(&id)?;
        picture(&loaded, &loaded.game.start())
    })
    .await?;
    Ok(taken_away(svg, "image/svg+xml", "board.svg", wanted.download))
}

async fn table_svg(State(app): Shared, Path(id): Path<String>, Query(wanted): Query<Wanted>) -> Answer<Response> {
    let svg = blocking(move || {
        let (loaded, state) = app.tables.state(&id, wanted.ply)?;
        picture(&loaded, &state)
    })
    .await?;
    Ok(taken_away(svg, "image/svg+xml", "board.svg", wanted.download))
}

/// The files about play that fit a game.
async fn knowing(State(app): Shared, Path(id): Path<String>) -> Answer {
    let own = Arc::clone(&app);
    loading(&own, move || {
        let loaded = app.games.get(&id)?;
        let files = app.store.all().into_iter().filter(|document| fits(document, &loaded));
        Ok(json!({ "files": files.take(LISTED).map(|document| document_json(&document)).collect::<Vec<_>>() }))
    })
    .await
}

async fn reach(State(app): Shared, Path(id): Path<String>, Json(diagram): Json<Diagram>) -> Answer {
    let own = Arc::clone(&app);
    loading(&own, move || rules_api::reach(&*app.games.get(&id)?, &diagram)).await
}

async fn check(State(app): Shared, Json(draft): Json<Draft>) -> Answer {
    loading(&app, move || rules_api::check(&draft)).await
}

#[derive(Deserialize)]
struct NewText {
    name: String,
    text: String,
    #[serde(default)]
    sheet: bool,
}

async fn add_text(State(app): Shared, Json(new): Json<NewText>) -> Answer {
    let own = Arc::clone(&app);
    loading(&own, move || {
        let kind = if new.sheet { Kind::Sheet } else { Kind::Rules };
        // What cannot be run is not kept.
        let loaded = LoadedGame::new("", &new.name, kind, new.text.clone())
            .map_err(|error| crate::games::refusal(&new.name, &new.text, &error))?;
        let name = if new.sheet { new.name.as_str() } else { loaded.game.name() };
        Ok(document_json(&app.store.add_text(&format!("{name}.{}", kind.name()), kind, &new.text)?))
    })
    .await
}

fn document_json(document: &Document) -> Value {
    json!({ "id": document.id, "name": document.name, "kind": document.kind.name(), "bytes": document.bytes, "given": document.given })
}

async fn files(State(app): Shared) -> Json<Value> {
    Json(json!({ "files": app.store.all().iter().map(document_json).collect::<Vec<_>>() }))
}

async fn add_file(State(app): Shared, Query(wanted): Query<Wanted>, request: Request) -> Answer {
    let most =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if most.is_some_and(|most| most > limits::FILE_BYTES) {
        let why = format!("the file is too large: at most {} bytes are taken", limits::FILE_BYTES);
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, why));
    }
    let name = wanted.name.unwrap_or_default();
    let store = Arc::clone(&app.store);
    let mut incoming = blocking(move || store.begin()).await?;
    let mut body = request.into_body().into_data_stream();
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|_| ApiError::bad("the file did not come as a whole"))?;
        // Small pieces: writing them takes no longer than handing them over would.
        incoming.write(&piece)?;
    }
    json_of(move || {
        let document = app.store.finish(incoming, &name, None)?;
        let mut value = document_json(&document);
        if matches!(document.kind, Kind::Rules | Kind::Sheet) {
            // So that the page can say at once what is wrong, and show the text.
            match app.games.get(&document.id) {
                Ok(_) => {}
                Err(error) => value["problem"] = json!(error.to_string()),
            }
        }
        Ok(value)
    })
    .await
}

/// The game that a saved session goes on with.
async fn file_game(State(app): Shared, Path(id): Path<String>) -> Answer {
    let own = Arc::clone(&app);
    loading(&own, move || {
        let document = app.store.get(&id).filter(|document| document.kind == Kind::Session);
        let document = document.ok_or_else(|| ApiError::missing("there is no such saved game"))?;
        let text = document.text()?;
        Ok(json!({ "game": saved_game::find(&document.name, &text, &app.store, &app.games)? }))
    })
    .await
}

async fn file(State(app): Shared, Path(id): Path<String>) -> Answer<Response> {
    let document = app.store.get(&id).ok_or_else(|| ApiError::missing("there is no such file"))?;
    let name = document.name.clone();
    let mut reader = blocking(move || document.open()).await?;
    // Piece by piece, as fast as they are taken: a log may be larger than the memory.
    let (sender, receiver) = tokio::sync::mpsc::channel::<std::io::Result<Vec<u8>>>(4);
    tokio::task::spawn_blocking(move || {
        loop {
            let mut piece = vec![0; 64 << 10];
            let read = reader.read(&mut piece).map(|count| {
                piece.truncate(count);
                piece
            });
            let last = read.as_ref().map_or(true, Vec::is_empty);
            if read.as_ref().is_ok_and(Vec::is_empty) || sender.blocking_send(read).is_err() || last {
                return;
            }
        }
    });
    let body = Body::from_stream(ReceiverStream::new(receiver));
    Ok(taken_away(body, "text/plain; charset=utf-8", &name, true))
}

async fn create_table(State(app): Shared, Json(setup): Json<Setup>) -> Answer {
    let own = Arc::clone(&app);
    loading(&own, move || {
        let id = app.tables.create(&setup)?;
        app.tables.view(&id, None)
    })
    .await
}

async fn table(State(app): Shared, Path(id): Path<String>, Query(wanted): Query<Wanted>) -> Answer {
    json_of(move || app.tables.view(&id, wanted.ply)).await
}

#[derive(Deserialize)]
struct Choice {
    name: String,
}

async fn choose(State(app): Shared, Path(id): Path<String>, Json(choice): Json<Choice>) -> Answer {
    json_of(move || app.tables.choose(&id, &choice.name)).await
}

async fn undo(State(app): Shared, Path(id): Path<String>) -> Answer {
    json_of(move || app.tables.undo(&id)).await
}

#[derive(Deserialize)]
struct Earlier {
    ply: usize,
}

async fn rewind(State(app): Shared, Path(id): Path<String>, Json(earlier): Json<Earlier>) -> Answer {
    json_of(move || app.tables.rewind(&id, earlier.ply)).await
}

async fn swap(State(app): Shared, Path(id): Path<String>) -> Answer {
    json_of(move || app.tables.swap(&id)).await
}

async fn resign(State(app): Shared, Path(id): Path<String>) -> Answer {
    json_of(move || app.tables.resign(&id)).await
}

async fn advance(State(app): Shared, Path(id): Path<String>) -> Answer {
    let own = Arc::clone(&app);
    thinking(&app, move || own.tables.advance(&id)).await.map(Json)
}

async fn stop_thinking(State(app): Shared, Path(id): Path<String>) -> Answer {
    json_of(move || app.tables.stop(&id).map(|()| json!({}))).await
}

#[derive(Deserialize)]
struct Seats {
    players: Vec<String>,
}

async fn seat(State(app): Shared, Path(id): Path<String>, Json(seats): Json<Seats>) -> Answer {
    json_of(move || app.tables.seat(&id, &seats.players)).await
}

#[derive(Deserialize)]
struct Question {
    #[serde(default)]
    ply: Option<usize>,
    #[serde(default)]
    playouts: Option<u64>,
    #[serde(default)]
    document: String,
}

async fn think(State(app): Shared, Path(id): Path<String>, Json(question): Json<Question>) -> Answer {
    const MOST: u64 = 20_000;
    let own = Arc::clone(&app);
    let answer = thinking(&app, move || {
        let (loaded, state) = own.tables.state(&id, question.ply)?;
        Ok(assessment(&loaded, &state, question.playouts.unwrap_or(1_000).clamp(1, MOST), &Arc::default()))
    });
    answer.await.map(Json)
}

async fn know(State(app): Shared, Path(id): Path<String>, Json(question): Json<Question>) -> Answer {
    let own = Arc::clone(&app);
    let answer = thinking(&app, move || {
        let (loaded, state) = own.tables.state(&id, question.ply)?;
        let document = own.store.get(&question.document).ok_or_else(|| ApiError::missing("there is no such file"))?;
        match document.kind {
            Kind::Heuristic => {
                Ok(json!({ "kind": "concepts", "roles": holding(&heuristic(&document)?, &loaded.game, &state) }))
            }
            Kind::Opponent => {
                let model = opponent(&document, &loaded.game)?;
                Ok(json!({ "kind": "opponent", "expected": expected(&model, &loaded.game, &state) }))
            }
            Kind::Tactics => {
                let found =
                    within(limits::THINKING_TIME, |stop| combination(&own.tactics, &document, &loaded, &state, stop))?;
                Ok(json!({ "kind": "tactics", "combination": found }))
            }
            _ => Err(ApiError::bad("that file holds nothing about play")),
        }
    });
    answer.await.map(Json)
}

async fn session(State(app): Shared, Path(id): Path<String>) -> Answer<Response> {
    let text = blocking(move || app.tables.session(&id)).await?;
    Ok(taken_away(format!("{text}\n"), "application/json", "game.json", true))
}

async fn table_log(State(app): Shared, Path(id): Path<String>) -> Answer<Response> {
    let log = blocking(move || app.tables.log(&id)).await?;
    Ok(taken_away(log, "text/plain; charset=utf-8", "game.log", true))
}

async fn jobs(State(app): Shared) -> Json<Value> {
    Json(json!({ "jobs": app.jobs.list() }))
}

async fn learn(State(app): Shared, Json(request): Json<LearnRequest>) -> Answer {
    json_of(move || {
        let source = match app.store.get(&request.source) {
            Some(document) if document.kind == Kind::Log => Source::Log(document),
            Some(document) if document.kind == Kind::Evidence => Source::Evidence(document),
            _ => Source::Game(app.games.get(&request.source)?),
        };
        let truth =
            request.truth.as_ref().filter(|truth| !truth.is_empty()).map(|truth| app.games.get(truth)).transpose()?;
        let title = match &source {
            Source::Game(game) => format!("learning {}", game.game.name()),
            Source::Log(document) | Source::Evidence(document) => format!("learning from {}", document.name),
        };
        let delay = Duration::from_millis(request.delay.unwrap_or(0).min(10_000));
        let (store, workers) = (Arc::clone(&app.store), Arc::clone(&app.workers));
        let work = LearnJob { request, source, truth, store, workers };
        let job = app.jobs.start(title, delay, move |job| work.run(job))?;
        Ok(json!({ "id": job.id }))
    })
    .await
}

/// A job that learns to play a game.
async fn knowledge(app: Arc<App>, request: KnowledgeRequest, what: &'static str) -> Answer {
    json_of(move || {
        let loaded = app.games.get(&request.game)?;
        let title = format!("{what} of {}", loaded.game.name());
        let work = KnowledgeJob { request, loaded, store: Arc::clone(&app.store), workers: Arc::clone(&app.workers) };
        let job = app.jobs.start(title, Duration::ZERO, move |job| match what {
            "concepts" => work.concepts(job),
            "tactics" => work.tactics(job),
            _ => work.opponent(job),
        })?;
        Ok(json!({ "id": job.id }))
    })
    .await
}

async fn concepts(State(app): Shared, Json(request): Json<KnowledgeRequest>) -> Answer {
    knowledge(app, request, "concepts").await
}

async fn model(State(app): Shared, Json(request): Json<KnowledgeRequest>) -> Answer {
    knowledge(app, request, "a model of a player").await
}

async fn tactics(State(app): Shared, Json(request): Json<KnowledgeRequest>) -> Answer {
    knowledge(app, request, "tactics").await
}

async fn plans(State(app): Shared, Json(question): Json<Question>) -> Answer {
    json_of(move || {
        let document = app.store.get(&question.document).filter(|document| document.kind == Kind::Plans);
        let document = document.ok_or_else(|| ApiError::missing("there are no such plans"))?;
        let job = app.jobs.start(format!("machines of {}", document.name), Duration::ZERO, move |job| {
            plans_job::run(&document, job)
        })?;
        Ok(json!({ "id": job.id }))
    })
    .await
}

async fn job_events(State(app): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer<Response> {
    let job = app.jobs.get(&id)?;
    let from = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok()).unwrap_or(0);
    let stream = ReceiverStream::new(events(job, from));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))).into_response())
}

#[derive(Deserialize)]
struct Control {
    what: String,
    #[serde(default)]
    value: Option<u64>,
}

async fn control(State(app): Shared, Path(id): Path<String>, Json(control): Json<Control>) -> Answer {
    app.jobs.get(&id)?.control(&control.what, control.value)?;
    Ok(Json(json!({})))
}

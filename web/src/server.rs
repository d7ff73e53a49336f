//! The server on its socket: who is let in, how much at once, and how it ends.

use crate::api::{self, App};
use crate::assets;
use crate::error::{ApiError, in_one_form};
use crate::games::Games;
use crate::guard::{self, Hosts};
use crate::jobs::Jobs;
use crate::knowledge::CheckedTactics;
use crate::limits::{BODY_TIME, CONNECTIONS, HEAD_TIME, REQUEST_BYTES};
use crate::store::{Store, StoreError};
use crate::tables::Tables;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::{Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use onlooker::game::AnyGame;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

/// What is served, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on.
    pub host: String,
    /// The port; 0 takes one that is free.
    pub port: u16,
    /// A folder of rules and rule sheets that are shown beside the catalogue.
    pub games: Option<PathBuf>,
    /// Where files and games in progress are kept, so that a restart loses nothing; nowhere for longer than the server runs if
    /// left out.
    pub save: Option<PathBuf>,
    /// Names of games, and files of any kind that the page knows.
    pub given: Vec<String>,
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A file or a folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address cannot be used.
    #[error("cannot listen on {address}: {reason}")]
    Listen {
        /// The host and the port.
        address: String,
        /// Why.
        reason: std::io::Error,
    },
    /// The system gives no threads.
    #[error("there are no threads to work with: {0}")]
    Threads(String),
}

/// Serves the page until `stop` is set; `ready` is called with the address once requests are answered.
///
/// # Errors
///
/// A file cannot be used, or the address cannot be listened on.
pub fn serve(options: &Options, stop: &AtomicBool, ready: impl FnOnce(&str)) -> Result<(), ServeError> {
    let app = Arc::new(set_up(options)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(64)
        .enable_all()
        .build()
        .map_err(|error| ServeError::Threads(error.to_string()))?;
    let served = runtime.block_on(run(options, Arc::clone(&app), stop, ready));
    app.jobs.stop_all();
    // Whoever still thinks is not waited for.
    runtime.shutdown_timeout(Duration::from_millis(500));
    served
}

fn set_up(options: &Options) -> Result<App, ServeError> {
    let store = Arc::new(Store::open(options.save.as_deref())?);
    let mut given = Vec::new();
    for text in &options.given {
        if AnyGame::names().any(|name| name == text) {
            given.push(text.clone());
        } else {
            given.push(store.add_given(Path::new(text))?.id);
        }
    }
    if let Some(folder) = &options.games {
        let entries = std::fs::read_dir(folder).map_err(|error| StoreError::new(folder, error))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let is_game = |path: &PathBuf| {
            path.extension().is_some_and(|extension| ["rules", "kif", "gdl"].iter().any(|known| extension == *known))
        };
        for path in paths.iter().filter(|path| path.is_file() && is_game(path)) {
            store.add_given(path)?;
        }
    }
    let games = Arc::new(Games::new(Arc::clone(&store)));
    let tables = Arc::new(Tables::new(Arc::clone(&store), Arc::clone(&games)));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    // One processor is left for those who click.
    let workers = rayon::ThreadPoolBuilder::new().num_threads(processors.saturating_sub(1).max(1)).build();
    let workers = Arc::new(workers.map_err(|error| ServeError::Threads(error.to_string()))?);
    Ok(App {
        store,
        games,
        tables,
        jobs: Arc::new(Jobs::default()),
        workers,
        tactics: CheckedTactics::default(),
        loaders: Arc::new(Semaphore::new(8)),
        thinkers: Arc::new(Semaphore::new(processors)),
        given,
    })
}

fn router(app: Arc<App>, hosts: Hosts) -> Router {
    let nothing = async || ApiError::missing("there is no such page").into_response();
    let panicked = |_: Box<dyn std::any::Any + Send>| {
        let why = "this is a defect of the program, and nothing was done";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, why).into_response()
    };
    Router::new()
        .route("/", axum::routing::get(assets::page))
        .route("/assets/{name}", axum::routing::get(assets::file))
        .nest("/api", api::routes())
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(REQUEST_BYTES))
        .layer(RequestBodyTimeoutLayer::new(BODY_TIME))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::map_response(in_one_form))
        .layer(middleware::from_fn_with_state(hosts, guard::check))
        .with_state(app)
}

async fn run(options: &Options, app: Arc<App>, stop: &AtomicBool, ready: impl FnOnce(&str)) -> Result<(), ServeError> {
    let refuse =
        |reason: std::io::Error| ServeError::Listen { address: format!("{}:{}", options.host, options.port), reason };
    let listener = TcpListener::bind((options.host.as_str(), options.port)).await.map_err(refuse)?;
    let address = listener.local_addr().map_err(refuse)?;
    let service = router(Arc::clone(&app), Hosts { host: options.host.clone(), port: address.port() });
    ready(&format!("http://{address}/"));
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut clock = tokio::time::interval(Duration::from_millis(100));
    let mut ticks = 0_u32;
    loop {
        tokio::select! {
            _ = clock.tick() => {
                ticks = ticks.wrapping_add(1);
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if ticks.is_multiple_of(10) {
                    app.jobs.supervise();
                }
            }
            accepted = accept(&listener, &places) => {
                let Some((stream, place)) = accepted else { continue };
                let service = TowerToHyperService::new(service.clone());
                tokio::spawn(async move {
                    let mut server = http1::Builder::new();
                    server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(64 << 10);
                    // Whoever leaves in the middle of something is of no concern to others.
                    let _ = server.serve_connection(TokioIo::new(stream), service).await;
                    drop(place);
                });
            }
        }
    }
}

/// The next connection, once there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            let _ = stream.set_nodelay(true);
            Some((stream, place))
        }
        Err(_) => {
            // There may be no more files for sockets; some will be free soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}

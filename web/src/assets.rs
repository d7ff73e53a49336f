//! The page itself: files inside the binary. Nothing is fetched from elsewhere.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

macro_rules! assets {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../assets/", $name)))),*] };
}

/// Names and texts.
const ASSETS: [(&str, &str); 15] = assets![
    "index.html",
    "style.css",
    "app.js",
    "api.js",
    "dom.js",
    "board.js",
    "games.js",
    "play.js",
    "learn.js",
    "read.js",
    "edit.js",
    "plans.js",
    "know.js",
    "drop.js",
    "icon.svg",
];

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    }
}

fn asset(name: &str) -> Response {
    match ASSETS.iter().find(|(known, _)| *known == name) {
        // The program may be another one tomorrow, at the same address.
        Some((name, text)) => {
            ([(header::CONTENT_TYPE, kind(name)), (header::CACHE_CONTROL, "no-cache")], *text).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}

/// The page.
pub async fn page() -> Response {
    asset("index.html")
}

/// A file of the page.
pub async fn file(Path(name): Path<String>) -> Response {
    asset(&name)
}

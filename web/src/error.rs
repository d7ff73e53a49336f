//! What a request is answered that cannot be done: a status, and a sentence that says why.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::fmt::Display;

/// Why a request was refused.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    /// What goes out: at least a member `error`.
    body: Value,
}

/// What a request is answered.
pub type Answer<T = Json<Value>> = Result<T, ApiError>;

impl ApiError {
    /// A refusal with a sentence.
    pub fn new(status: StatusCode, why: impl Display) -> ApiError {
        ApiError { status, body: json!({ "error": why.to_string() }) }
    }

    /// What was sent makes no sense.
    pub fn bad(why: impl Display) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, why)
    }

    /// There is no such thing.
    pub fn missing(why: impl Display) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, why)
    }

    /// There is no room for more.
    pub fn busy(why: impl Display) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, why)
    }

    /// The program has done something wrong.
    pub fn defect(why: impl Display) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }

    /// The same with more for the page to show.
    pub fn with(mut self, name: &str, value: Value) -> ApiError {
        self.body[name] = value;
        self
    }
}

/// The most of a sentence that others have written about a request.
const MOST_BYTES: usize = 64 << 10;

/// What the framework refuses by itself, such as bodies that are not JSON, in the form of all other refusals.
pub async fn in_one_form(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_own = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_own || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, MOST_BYTES).await.unwrap_or_default();
    let why = String::from_utf8_lossy(&bytes).trim().to_owned();
    let why = if why.is_empty() { status.canonical_reason().unwrap_or("refused").to_lowercase() } else { why };
    let told = ApiError::new(status, why).into_response();
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        parts.headers.remove(&name);
        if let Some(value) = told.headers().get(&name) {
            parts.headers.insert(name, value.clone());
        }
    }
    Response::from_parts(parts, told.into_body())
}

impl Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.body["error"].as_str().unwrap_or_default())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

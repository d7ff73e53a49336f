//! What a request is answered that cannot be done: a status, and a sentence that says why.

use axum::Json;
use axum::http::StatusCode;
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

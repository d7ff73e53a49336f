//! Who may ask: requests that name another host or come from another site's page are refused, and nothing that is answered can
//! be framed or run elsewhere.
//!
//! A page of another site cannot read our answers, but it could post to us, and with a name that it lets point to this machine
//! (DNS rebinding) it could read them too. So the `Host` must be an address of ours, and an `Origin` must be ours.

use crate::error::ApiError;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{StatusCode, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;

/// Whom the server answers to.
#[derive(Clone, Debug)]
pub struct Hosts {
    /// The name or address that it was told to listen on.
    pub host: String,
    pub port: u16,
}

impl Hosts {
    /// Whether a request to this host is meant for us. A name could be anybody's; a number cannot be bound to another machine.
    pub fn admits(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if authority.as_str().contains('@') || authority.port_u16().unwrap_or(80) != self.port {
            return false;
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let own = self.host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let address = name.parse::<IpAddr>().ok();
        let is_local = name == "localhost" || address.is_some_and(|address| address.is_loopback());
        let listens_to_all = own.parse::<IpAddr>().is_ok_and(|own| own.is_unspecified());
        is_local || name == own || listens_to_all && address.is_some()
    }

    fn refusal(&self, headers: &HeaderMap) -> Option<&'static str> {
        let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) {
            (Some(host), None) if self.admits(host) => host,
            _ => return Some("requests to another host are not answered"),
        };
        if let Some(origin) = text(header::ORIGIN)
            && origin.strip_prefix("http://") != Some(host)
        {
            return Some("requests from another site are not answered");
        }
        None
    }
}

/// Refuses requests that are not meant for us, or that another site's page makes.
pub async fn check(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let foreign_call = request.uri().path().starts_with("/api/")
        && headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none");
    let refusal = hosts.refusal(headers);
    let mut response = match refusal.or(foreign_call.then_some("requests from another site are not answered")) {
        Some(why) => ApiError::new(StatusCode::FORBIDDEN, why).into_response(),
        None => next.run(request).await,
    };
    protect(response.headers_mut());
    response
}

const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; \
                           form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
/// Pictures and pages that were made by the program carry their style with them, and nothing that runs.
pub const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

fn protect(headers: &mut HeaderMap) {
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(PAGE_POLICY));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_admitted() {
        let table = [
            ("127.0.0.1", "127.0.0.1:80", true),
            ("127.0.0.1", "localhost:80", true),
            ("127.0.0.1", "LOCALHOST:80", true),
            ("127.0.0.1", "[::1]:80", true),
            ("127.0.0.1", "localhost", true),
            ("127.0.0.1", "localhost:81", false),
            ("127.0.0.1", "evil.example:80", false),
            ("127.0.0.1", "127.0.0.1.evil.example:80", false),
            ("127.0.0.1", "localhost.evil.example:80", false),
            ("127.0.0.1", "localhost@evil.example:80", false),
            ("127.0.0.1", "evil@localhost:80", false),
            ("127.0.0.1", "192.168.0.5:80", false),
            ("127.0.0.1", "", false),
            ("0.0.0.0", "192.168.0.5:80", true),
            ("0.0.0.0", "evil.example:80", false),
            ("my.machine", "my.machine:80", true),
            ("my.machine", "other.machine:80", false),
        ];
        for (own, host, admitted) in table {
            let hosts = Hosts { host: own.to_owned(), port: 80 };
            assert_eq!(hosts.admits(host), admitted, "{own} {host}");
        }
    }
}

//! What the process answers over HTTP: whether it lives, whether it is ready, what it has counted.
//!
//! Docs: Configure Liveness, Readiness and Startup Probes; Prometheus, "Exposition formats". The metrics themselves are in `metrics.rs`.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use http::header::CONTENT_TYPE;
use http::{Method, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;
use tokio::net::TcpListener;

use crate::serving::{self, plain, refused};

/// Whether the process does what it is there for, and if not, why.
#[derive(Debug, Default)]
pub struct Health {
    /// What is missing, by what it is missing for.
    missing: Mutex<BTreeMap<String, String>>,
}

impl Health {
    /// Something is missing, for a reason.
    pub fn lacks(&self, what: &str, reason: impl Into<String>) {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).insert(what.to_owned(), reason.into());
    }

    /// It is missing no more.
    pub fn has(&self, what: &str) {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).remove(what);
    }

    /// What is missing, one a line; empty if the process is ready.
    #[must_use]
    pub fn missing(&self) -> String {
        let missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        missing.iter().map(|(what, reason)| format!("{what}: {reason}\n")).collect()
    }
}

/// What is answered.
pub struct Site {
    /// Whether the process is ready.
    pub health: Arc<Health>,
    /// All metrics as text.
    pub metrics: Box<dyn Fn() -> String + Send + Sync>,
}

/// Answers `/livez`, `/readyz` and `/metrics` at an address, for as long as the process lives.
///
/// # Errors
/// If the address cannot be listened at.
pub async fn serve(address: SocketAddr, site: Arc<Site>) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    tokio::spawn(serving::serve(listener, move |request| site.answer(request.method(), request.uri().path())));
    Ok(())
}

impl Site {
    fn answer(&self, method: &Method, path: &str) -> Response<Full<Bytes>> {
        if let Some(refusal) = refused(method) {
            return refusal;
        }
        match path {
            // A process that answers lives: all is done by one thread.
            "/livez" | "/healthz" => plain(StatusCode::OK, "ok"),
            "/readyz" => match self.health.missing() {
                missing if missing.is_empty() => plain(StatusCode::OK, "ok"),
                missing => plain(StatusCode::SERVICE_UNAVAILABLE, missing),
            },
            "/metrics" => {
                let mut answer = plain(StatusCode::OK, (self.metrics)());
                let text = http::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
                answer.headers_mut().insert(CONTENT_TYPE, text);
                answer
            }
            _ => plain(StatusCode::NOT_FOUND, "not found; there are /livez, /readyz and /metrics\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_is_what_misses_nothing() {
        let site = Site { health: Arc::default(), metrics: Box::new(|| "a 1\n".to_owned()) };
        let status = |path: &str| site.answer(&Method::GET, path).status().as_u16();
        assert_eq!((status("/livez"), status("/readyz"), status("/metrics"), status("/")), (200, 200, 200, 404));
        site.health.lacks("pods", "they are not listed yet");
        assert_eq!((status("/livez"), status("/readyz"), &*site.health.missing()), (200, 503, "pods: they are not listed yet\n"));
        site.health.has("pods");
        assert_eq!(status("/readyz"), 200);
        assert_eq!(site.answer(&Method::POST, "/livez").status(), 405);
    }
}

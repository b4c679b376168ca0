//! The HTTP endpoints of the process: liveness, readiness, metrics.
//!
//! Docs: Configure Liveness, Readiness and Startup Probes; Prometheus, "Exposition formats". The metrics themselves are in `host/embed/src/metrics.rs`.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use host_serving::{plain, refused};
use http::header::CONTENT_TYPE;
use http::{Method, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;
use tokio::net::TcpListener;

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

/// What is answered at an address.
pub struct Site {
    /// Whether the process is ready, for `/livez` and `/readyz` if they are answered.
    pub health: Option<Arc<Health>>,
    /// All metrics as text, for `/metrics` if it is answered.
    pub metrics: Option<Box<dyn Fn() -> String + Send + Sync>>,
}

/// Answers at an address, for as long as the process lives.
///
/// # Errors
/// If the address cannot be listened at.
pub async fn serve(address: SocketAddr, site: Site) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    tokio::spawn(host_serving::serve(listener, move |request| site.answer(request.method(), request.uri().path())));
    Ok(())
}

impl Site {
    fn answer(&self, method: &Method, path: &str) -> Response<Full<Bytes>> {
        if let Some(refusal) = refused(method) {
            return refusal;
        }
        match (path, &self.health, &self.metrics) {
            // A process that responds is alive: everything is done by one thread.
            ("/livez" | "/healthz", Some(_), _) => plain(StatusCode::OK, "ok"),
            ("/readyz", Some(health), _) => match health.missing() {
                missing if missing.is_empty() => plain(StatusCode::OK, "ok"),
                missing => plain(StatusCode::SERVICE_UNAVAILABLE, missing),
            },
            ("/metrics", _, Some(metrics)) => {
                let mut answer = plain(StatusCode::OK, metrics());
                let text = http::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
                answer.headers_mut().insert(CONTENT_TYPE, text);
                answer
            }
            _ => plain(StatusCode::NOT_FOUND, format!("not found; this address serves {}\n", self.paths().join(" and "))),
        }
    }

    fn paths(&self) -> Vec<&'static str> {
        let (health, metrics) = (self.health.as_ref().map(|_| ["/livez", "/readyz"]), self.metrics.as_ref().map(|_| "/metrics"));
        health.into_iter().flatten().chain(metrics).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_is_what_misses_nothing() {
        let health = Arc::new(Health::default());
        let site = Site { health: Some(health.clone()), metrics: Some(Box::new(|| "a 1\n".to_owned())) };
        let status = |path: &str| site.answer(&Method::GET, path).status().as_u16();
        assert_eq!((status("/livez"), status("/readyz"), status("/metrics"), status("/")), (200, 200, 200, 404));
        health.lacks("pods", "they are not listed yet");
        assert_eq!((status("/livez"), status("/readyz"), &*health.missing()), (200, 503, "pods: they are not listed yet\n"));
        health.has("pods");
        assert_eq!(status("/readyz"), 200);
        assert_eq!(site.answer(&Method::POST, "/livez").status(), 405);
    }

    #[test]
    fn an_address_serves_only_what_it_is_for() {
        let health = Site { health: Some(Arc::default()), metrics: None };
        let metrics = Site { health: None, metrics: Some(Box::new(String::new)) };
        let statuses =
            |site: &Site| ["/livez", "/healthz", "/readyz", "/metrics"].map(|path| site.answer(&Method::GET, path).status().as_u16());
        assert_eq!((statuses(&health), statuses(&metrics)), ([200, 200, 200, 404], [404, 404, 404, 200]));
        assert_eq!((health.paths(), metrics.paths()), (vec!["/livez", "/readyz"], vec!["/metrics"]));
    }
}

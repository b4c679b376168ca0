//! Answers requests over HTTP, each from memory and at once.
//!
//! Docs: HTTP Semantics (RFC 9110). What is answered is in `host/cluster/src/health.rs` and `host/jobsmith/src/playground/server.rs`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

/// How long to wait after a connection that cannot be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers all who connect, for as long as the process lives.
pub async fn serve(listener: TcpListener, answer: impl Fn(&Request<Incoming>) -> Response<Full<Bytes>> + Send + Sync + 'static) {
    let answer = Arc::new(answer);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Without a free file descriptor, the next attempt would fail at once.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let answer = Arc::clone(&answer);
        let service = service_fn(move |request| {
            let answered = answer(&request);
            async { Ok::<_, Infallible>(answered) }
        });
        tokio::spawn(http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service));
    }
}

/// The answer to methods that do not only read.
pub fn refused(method: &Method) -> Option<Response<Full<Bytes>>> {
    if matches!(*method, Method::GET | Method::HEAD) {
        return None;
    }
    let mut answer = plain(StatusCode::METHOD_NOT_ALLOWED, "only GET\n");
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    Some(answer)
}

/// An answer in plain text.
pub fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::new(text.into()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}

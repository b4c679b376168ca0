//! Proxies between controllers and an API server, one for each controller, that fail, delay and cut what goes through them.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes". What goes wrong follows from a seed and the order of requests; who may write is noted in `ledger.rs`.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use cluster::rng::Rng;
use http::{HeaderMap, Request, Response, StatusCode, header};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use kube::Client;
use kube::client::Body;
use tokio::net::TcpListener;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::ledger::Ledger;
use crate::cluster::{client, kubeconfig};

/// Proxies to one API server.
pub(super) struct Proxies {
    pub(super) addresses: Vec<SocketAddr>,
    shared: Arc<Shared>,
}

struct Shared {
    client: Client,
    rng: Mutex<Rng>,
    /// This many of a hundred requests fail.
    rate: AtomicU64,
    faults: AtomicU64,
    /// Whether pods' creations wait before they reach the server.
    holds: AtomicBool,
    /// How many of them wait.
    held: AtomicU64,
    ledger: Arc<Ledger>,
}

/// What happens to a request.
enum Treatment {
    Passes,
    /// It is late by this many milliseconds.
    Late(u64),
    /// It is answered in the server's place.
    Answered(StatusCode),
    /// It does not arrive.
    Lost,
    /// It arrives, but its answer does not.
    Unanswered,
}

impl Proxies {
    /// Starts this many proxies to the cluster that a kubeconfig names; they live as long as this process.
    pub(super) fn start(kubeconfig: &Path, count: usize, seed: u64, ledger: Arc<Ledger>) -> Self {
        let kubeconfig = kubeconfig.to_owned();
        let (ready, started) = mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("there is room for a runtime");
            runtime.block_on(async {
                let client = client(&kubeconfig).await;
                let (rate, faults) = (AtomicU64::new(0), AtomicU64::new(0));
                let (holds, held) = (AtomicBool::new(false), AtomicU64::new(0));
                let shared = Arc::new(Shared { client, rng: Mutex::new(Rng::new(seed)), rate, faults, holds, held, ledger });
                let mut addresses = Vec::new();
                for replica in 0..count {
                    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback can be listened at");
                    addresses.push(listener.local_addr().expect("it listens"));
                    tokio::spawn(serve(listener, replica, shared.clone()));
                }
                ready.send(Self { addresses, shared }).expect("it is waited for");
                std::future::pending::<()>().await;
            });
        });
        started.recv().expect("the proxies start")
    }

    /// From here on, this many of a hundred requests fail.
    pub(super) fn fail(&self, rate: u64) {
        self.shared.rate.store(rate, Ordering::Relaxed);
    }

    /// How much went wrong so far.
    pub(super) fn faults(&self) -> u64 {
        self.shared.faults.load(Ordering::Relaxed)
    }

    /// From here on, pods' creations wait, or wait no longer.
    pub(super) fn hold_creations(&self, holds: bool) {
        self.shared.holds.store(holds, Ordering::Relaxed);
    }

    /// How many pods' creations wait.
    pub(super) fn held(&self) -> u64 {
        self.shared.held.load(Ordering::Relaxed)
    }

    /// Writes a kubeconfig that leads through one of the proxies.
    pub(super) fn kubeconfig(&self, replica: usize, folder: &Path) -> PathBuf {
        let file = folder.join(format!("kubeconfig-{replica}"));
        let text = kubeconfig(&self.addresses[replica].to_string());
        std::fs::write(&file, text).expect("the folder is there");
        file
    }
}

async fn serve(listener: TcpListener, replica: usize, shared: Arc<Shared>) {
    loop {
        let (stream, _) = listener.accept().await.expect("there are files enough");
        let shared = shared.clone();
        let answer = service_fn(move |request| {
            let shared = shared.clone();
            async move { shared.pass(request, replica).await.ok_or("cut") }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
    }
}

impl Shared {
    /// Passes a request on; without an answer the connection is cut.
    async fn pass(&self, request: Request<Incoming>, replica: usize) -> Option<Response<UnsyncBoxBody<Bytes, kube::Error>>> {
        let watch = request.uri().query().is_some_and(|query| query.contains("watch=true"));
        let (treatment, life) = self.treatment(watch);
        match treatment {
            Treatment::Lost => return None,
            Treatment::Answered(status) => {
                let body = Full::new(Bytes::from_static(b"the proxy refuses")).map_err(|never: Infallible| match never {});
                return Some(Response::builder().status(status).body(body.boxed_unsync()).expect("it is an answer"));
            }
            Treatment::Late(milliseconds) => sleep(Duration::from_millis(milliseconds)).await,
            Treatment::Passes | Treatment::Unanswered => {}
        }
        let (parts, body) = request.into_parts();
        let body = body.collect().await.ok()?.to_bytes();
        let (method, path) = (parts.method.clone(), parts.uri.path().to_owned());
        if method == http::Method::POST && path.ends_with("/pods") {
            self.wait_while_held().await;
        }
        self.ledger.requested(replica, &method, &path);
        let mut sent = Request::builder().method(parts.method).uri(parts.uri);
        *sent.headers_mut()? = kept(parts.headers);
        let answer = self.client.send(sent.body(Body::from(body.to_vec())).ok()?).await.ok()?;
        self.ledger.answered(replica, &method, &path, answer.status(), &body);
        if matches!(treatment, Treatment::Unanswered) {
            return None;
        }
        let (parts, body) = answer.into_parts();
        let mut response = Response::builder().status(parts.status);
        *response.headers_mut()? = kept(parts.headers);
        let body = Mortal { body, end: Box::pin(sleep_until(life.map_or_else(far, |life| Instant::now() + life))) };
        response.body(body.boxed_unsync()).ok()
    }

    async fn wait_while_held(&self) {
        self.held.fetch_add(1, Ordering::Relaxed);
        while self.holds.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(10)).await;
        }
        self.held.fetch_sub(1, Ordering::Relaxed);
    }

    /// What happens to the next request, and how long its answer may last.
    fn treatment(&self, watch: bool) -> (Treatment, Option<Duration>) {
        let mut rng = self.rng.lock().expect("nobody panics with it");
        let goes_wrong = rng.below(100) < self.rate.load(Ordering::Relaxed);
        if !goes_wrong {
            return (Treatment::Passes, None);
        }
        self.faults.fetch_add(1, Ordering::Relaxed);
        let statuses = [
            StatusCode::SERVICE_UNAVAILABLE,
            StatusCode::INTERNAL_SERVER_ERROR,
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::GATEWAY_TIMEOUT,
        ];
        match rng.below(5) {
            0 => (Treatment::Answered(*rng.pick(&statuses)), None),
            1 => (Treatment::Lost, None),
            2 if !watch => (Treatment::Unanswered, None),
            3 if watch => (Treatment::Passes, Some(Duration::from_millis(rng.below(3000)))),
            _ => (Treatment::Late(rng.below(1000)), None),
        }
    }
}

/// The headers that are not the connection's own.
fn kept(mut headers: HeaderMap) -> HeaderMap {
    for name in [header::HOST, header::CONNECTION, header::TRANSFER_ENCODING, header::CONTENT_LENGTH] {
        headers.remove(name);
    }
    headers
}

fn far() -> Instant {
    Instant::now() + Duration::from_secs(86_400)
}

/// A body that breaks off at a time.
struct Mortal {
    body: Body,
    end: Pin<Box<Sleep>>,
}

impl hyper::body::Body for Mortal {
    type Data = Bytes;
    type Error = kube::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, kube::Error>>> {
        if self.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err(kube::Error::LinesCodecMaxLineLengthExceeded)));
        }
        Pin::new(&mut self.body).poll_frame(context)
    }
}

//! One request, and its outcome.
//!
//! Docs: Kubernetes API Concepts, "Receiving resources as Tables" and "Alternate representations": of what was written only the metadata is requested
//! back. When a request is sent is decided by `driver.rs`.

use std::borrow::Cow;

use api::request::{Outcome, Request, Written};
use http::header::{ACCEPT, CONTENT_TYPE};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use kube::client::Body;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::time::timeout;

use super::RemoteCluster;
use super::failure::{Failure, chain};

/// Only the metadata of an object; whole objects from servers that cannot do that.
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const JSON: &str = "application/json";

impl RemoteCluster {
    /// Waits until the throttle lets one more request through.
    pub async fn pass(&self) {
        if let Some(throttle) = &self.throttle {
            throttle.pass().await;
        }
    }

    /// Sends a request that has passed the throttle, and waits for the outcome; it is unknown after 30 s.
    pub async fn carry_out(&self, request: &Request) -> Outcome {
        match self.exchange(request, METADATA).await {
            Ok(answer) => Outcome::Done(written(&answer)),
            Err(failure) => Outcome::Failed(failure.into_error()),
        }
    }

    /// The text at a path; the path may have a query.
    ///
    /// # Errors
    /// If it is refused, or no answer comes within 30 s.
    pub async fn read(&self, path: &str) -> Result<Vec<u8>, Failure> {
        self.pass().await;
        self.exchange(&Request::get(path.to_owned()), JSON).await
    }

    async fn exchange(&self, request: &Request, accept: &'static str) -> Result<Vec<u8>, Failure> {
        let answered = async {
            let answer = self.send(request, accept).await?;
            let body = answer.into_body().collect().await.map_err(|error| Failure::NoAnswer(chain(&error)))?;
            Ok(body.to_bytes().into())
        };
        self.in_time(answered).await
    }

    /// Reads a path whose response may go on without end; returns as soon as it begins.
    pub(super) async fn open(&self, path: String) -> Result<http::Response<Incoming>, Failure> {
        self.pass().await;
        self.in_time(self.send(&Request::get(path), JSON)).await
    }

    async fn in_time<T>(&self, answered: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        timeout(self.patience, answered)
            .await
            .unwrap_or_else(|_| Err(Failure::NoAnswer(format!("{} did not answer within {} s", self.address, self.patience.as_secs()))))
    }

    async fn send(&self, request: &Request, accept: &'static str) -> Result<http::Response<Incoming>, Failure> {
        let mut sent = http::Request::builder().method(request.method.name()).uri(&request.path).header(ACCEPT, accept);
        if !request.body.is_empty() {
            sent = sent.header(CONTENT_TYPE, request.content_type.name());
        }
        let sent = sent.body(Body::from(request.body.clone().into_bytes())).map_err(|error| Failure::NoAnswer(chain(&error)))?;
        let answer = self.transport.send(sent).await;
        let code = answer.as_ref().map_or(0, |answer| answer.status().as_u16());
        self.requests.answered(request, code);
        let answer = answer.map_err(|error| self.no_answer(&*error))?;
        if code < 300 {
            return Ok(answer);
        }
        let body = answer.into_body().collect().await.map_err(|error| Failure::NoAnswer(chain(&error)))?;
        Err(Failure::of_answer(code, &body.to_bytes()))
    }
}

/// What an answer holds of the object that was written; of a `Status` nothing.
fn written(answer: &[u8]) -> Written {
    let Ok(WrittenObject { metadata }) = serde_json::from_slice(answer) else { return Written::default() };
    Written {
        name: metadata.name.into_owned(),
        uid: metadata.uid.into_owned(),
        resource_version: metadata.resource_version.into_owned(),
        deleting: metadata.deletion_timestamp.is_some(),
    }
}

#[derive(Deserialize)]
struct WrittenObject<'a> {
    #[serde(borrow, default)]
    metadata: WrittenMetadata<'a>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WrittenMetadata<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    uid: Cow<'a, str>,
    #[serde(borrow)]
    resource_version: Cow<'a, str>,
    deletion_timestamp: Option<IgnoredAny>,
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use host_serving::plain;

    use super::super::Throttle;
    use super::super::tests::{answering, silent};
    use super::*;

    #[tokio::test]
    async fn the_wait_for_the_throttle_is_no_silence_of_the_server() {
        let mut cluster = answering(|_| plain(http::StatusCode::OK, "{}")).await;
        cluster.patience = Duration::from_millis(300);
        cluster.throttle = Some(Arc::new(Throttle::new(2.0, 1)));
        for _ in 0..2 {
            assert_eq!(cluster.read("/version").await, Ok(b"{}".to_vec()));
        }
        assert!(cluster.open("/version".to_owned()).await.is_ok());
    }

    #[tokio::test]
    async fn a_silent_server_is_not_waited_for() {
        let (mut cluster, _listener) = silent().await;
        cluster.patience = Duration::from_millis(50);
        let failed = cluster.read("/version").await.unwrap_err().to_string();
        assert!(failed.ends_with("did not answer within 0 s"), "{failed}");
        assert!(cluster.open("/version".to_owned()).await.is_err());
    }

    #[test]
    fn of_an_answer_the_metadata_matter() {
        let answer = br#"{"kind":"Pod","metadata":{"name":"a","uid":"u","resourceVersion":"7","deletionTimestamp":"2026-01-02T03:04:05Z","labels":{}},"spec":{}}"#;
        assert_eq!(written(answer), Written { name: "a".into(), uid: "u".into(), resource_version: "7".into(), deleting: true });
        assert_eq!(written(br#"{"kind":"Status","metadata":{},"status":"Success"}"#), Written::default());
        assert_eq!(written(b""), Written::default());
    }
}

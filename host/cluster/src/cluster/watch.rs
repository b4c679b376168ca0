//! The watch of a resource in a namespace, or in all: each change as the text that came.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes", "Watch bookmarks", "Streaming lists". When a watch begins and what follows when it ends is in `reflector.rs`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use api::Text;
use contract::ApiResource;
use http_body_util::BodyExt as _;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::{Instant, timeout_at};

use super::RemoteCluster;
use super::failure::Failure;
use super::lines::BodyLines;

/// How long the server keeps a watch open at least, in seconds; up to a quarter more, so that not all end together.
const LENGTH: u64 = 240;
/// How much later than promised a watch may end.
const GRACE: Duration = Duration::from_secs(15);

/// A watch that is open.
pub(super) struct Watch {
    lines: BodyLines,
    /// When the server has ended it long since.
    over_at: Instant,
    seen: WatchPosition,
}

/// How far a watch has come.
#[derive(Debug, Clone)]
pub(super) enum WatchPosition {
    /// Nothing yet: the watch is to begin with all objects there are.
    Nothing,
    /// This version.
    Version(String),
    /// The version of this object, which is not read yet.
    In(Text),
}

/// One line of a watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WatchEvent {
    /// The object is there, in this state.
    Applied(Text),
    /// The object is gone.
    Deleted(Text),
    /// All up to a version was sent; whether that was the list that the watch began with.
    Bookmark { ends_list: bool },
}

impl Watch {
    /// Watches from what was seen on.
    pub(super) async fn open(
        cluster: &RemoteCluster,
        resource: &ApiResource,
        namespace: &str,
        seen: WatchPosition,
    ) -> Result<Self, Failure> {
        let length = LENGTH
            + u64::from(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().subsec_millis()) * LENGTH / 4000;
        let mut path = resource.path(namespace);
        let wanted = write!(path, "?watch=true&allowWatchBookmarks=true&timeoutSeconds={length}").and_then(|()| match seen.version() {
            None => write!(path, "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"),
            Some(version) => write!(path, "&resourceVersion={version}"),
        });
        wanted.expect("a string takes all that is written");
        let answer = cluster.open(path).await.map_err(expired)?;
        let over_at = Instant::now() + Duration::from_secs(length) + GRACE;
        Ok(Self { lines: BodyLines::new(answer.into_body().boxed_unsync()), over_at, seen })
    }

    /// What comes next; `None` when the server has ended the watch.
    pub(super) async fn next(&mut self) -> Result<Option<WatchEvent>, Failure> {
        let line = timeout_at(self.over_at, self.lines.next()).await;
        let Some(line) = line.unwrap_or_else(|_| Err(Failure::NoAnswer("a watch timed out".to_owned())))? else { return Ok(None) };
        let torn = |reason: String| Failure::NoAnswer(format!("cannot read a watch: {reason}"));
        let line = std::str::from_utf8(line).map_err(|error| torn(error.to_string()))?;
        let (kind, object) = parts(line).map_err(|error| torn(error.to_string()))?;
        let event = match kind {
            "ADDED" | "MODIFIED" => WatchEvent::Applied(object.into()),
            "DELETED" => WatchEvent::Deleted(object.into()),
            "BOOKMARK" => {
                let bookmark = metadata(object).ok_or_else(|| torn("a bookmark has no version".to_owned()))?;
                self.seen = WatchPosition::Version(bookmark.resource_version.into_owned());
                return Ok(Some(WatchEvent::Bookmark { ends_list: bookmark.annotations.is_some_and(|notes| notes.ends_list.is_some()) }));
            }
            "ERROR" => return Err(error(object)),
            other => return Err(torn(format!("unknown type of change {other}"))),
        };
        if let WatchEvent::Applied(object) | WatchEvent::Deleted(object) = &event {
            self.seen = WatchPosition::In(object.clone());
        }
        Ok(Some(event))
    }

    /// How far it has come.
    pub(super) fn seen(&self) -> &WatchPosition {
        &self.seen
    }
}

impl WatchPosition {
    /// The version to go on from.
    pub(super) fn version(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Nothing => None,
            Self::Version(version) => Some(version.into()),
            Self::In(object) => Some(metadata(object)?.resource_version),
        }
    }
}

/// The type and the object of a line. An API server writes them in one way, in which the object's end can be found without parsing it: whether
/// that is JSON, its reader finds out.
fn parts(line: &str) -> serde_json::Result<(&str, &str)> {
    let usual = || line.strip_prefix(r#"{"type":""#)?.strip_suffix('}')?.split_once(r#"","object":"#);
    if let Some(parts) = usual() {
        return Ok(parts);
    }
    let WatchLine { r#type, object } = serde_json::from_str(line)?;
    Ok((r#type, object.get()))
}

fn metadata(object: &str) -> Option<WatchedMetadata<'_>> {
    serde_json::from_str::<WatchedObject<'_>>(object).ok().map(|object| object.metadata)
}

fn error(status: &str) -> Failure {
    let code = serde_json::from_str::<Code>(status).map_or(0, |status| status.code);
    expired(Failure::of_answer(code, status.as_bytes()))
}

fn expired(failure: Failure) -> Failure {
    match failure {
        Failure::Refused(error) if error.code == 410 => Failure::Expired,
        other @ (Failure::Refused(_) | Failure::NoAnswer(_) | Failure::Expired) => other,
    }
}

#[derive(Deserialize)]
struct WatchLine<'a> {
    r#type: &'a str,
    #[serde(borrow)]
    object: &'a RawValue,
}

#[derive(Deserialize)]
struct Code {
    #[serde(default)]
    code: u16,
}

#[derive(Deserialize)]
struct WatchedObject<'a> {
    #[serde(borrow)]
    metadata: WatchedMetadata<'a>,
}

#[derive(Deserialize)]
struct WatchedMetadata<'a> {
    #[serde(borrow, rename = "resourceVersion")]
    resource_version: Cow<'a, str>,
    #[serde(default)]
    annotations: Option<Annotations>,
}

#[derive(Deserialize)]
struct Annotations {
    #[serde(rename = "k8s.io/initial-events-end", default)]
    ends_list: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::stream;
    use super::*;

    fn watch(text: &str) -> Watch {
        let lines = BodyLines::new(stream(text.as_bytes()));
        Watch { lines, over_at: Instant::now() + GRACE, seen: WatchPosition::Nothing }
    }

    #[tokio::test]
    async fn lines_hold_changes_and_how_far_the_watch_is() {
        let mut watch = watch(
            r#"{"type":"ADDED","object":{"metadata":{"resourceVersion":"5"}}}
{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}}
{"type":"DELETED","object":{"metadata":{"resourceVersion":"9","annotations":{"a":"b"}}}}
{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"12","creationTimestamp":null}}}
"#,
        );
        assert_eq!(watch.next().await.unwrap(), Some(WatchEvent::Applied(r#"{"metadata":{"resourceVersion":"5"}}"#.into())));
        assert_eq!(watch.seen().version().as_deref(), Some("5"));
        assert_eq!(watch.next().await.unwrap(), Some(WatchEvent::Bookmark { ends_list: true }));
        assert_eq!(watch.seen().version().as_deref(), Some("7"));
        assert!(matches!(watch.next().await.unwrap(), Some(WatchEvent::Deleted(_))));
        assert_eq!(watch.seen().version().as_deref(), Some("9"));
        assert_eq!(watch.next().await.unwrap(), Some(WatchEvent::Bookmark { ends_list: false }));
        assert_eq!((watch.next().await.unwrap(), watch.seen().version().as_deref()), (None, Some("12")));
    }

    #[test]
    fn a_line_may_be_written_in_any_way() {
        let lines = [
            r#"{"type":"ADDED","object":{"a":{}}}"#,
            r#"{"object":{"a":{}},"type":"ADDED"}"#,
            r#" { "type": "ADDED", "object": {"a":{}} } "#,
        ];
        assert_eq!(lines.map(|line| parts(line).unwrap()), [("ADDED", r#"{"a":{}}"#); 3]);
    }

    #[tokio::test]
    async fn an_error_ends_it() {
        let gone = r#"{"type":"ERROR","object":{"kind":"Status","reason":"Expired","code":410,"message":"too old"}}"#;
        assert_eq!(watch(&format!("{gone}\n")).next().await, Err(Failure::Expired));
        let broken = watch("{\"type\":\"ADDED\",\"obj\n").next().await.unwrap_err();
        assert!(broken.to_string().starts_with("cannot read a watch: "), "{broken}");
    }
}

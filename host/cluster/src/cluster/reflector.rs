//! Sends all that a cluster stores of a resource: a list first, then each change, for as long as there is a receiver.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes", "Streaming lists", "410 Gone responses". `driver.rs` receives it; nothing is kept here but how far it has come.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use api::Text;
use contract::{ApiResource, Change, Event, Listing, ObjectJson, Part};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep};

use super::list::ListPage;
use super::watch::{Watch, WatchEvent, WatchPosition};
use super::{Failure, RemoteCluster, Scope};
use crate::backoff::RetryBackoff;

/// How much of a streamed list is sent at a time, in bytes.
const PART: usize = 256 * 1024;
/// How long to wait after a failure; then twice as long, and so on.
const PAUSE: Duration = Duration::from_millis(500);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A watch that lived this long did not fail.
const LIVED: Duration = Duration::from_secs(1);

/// What a reflector sends.
#[derive(Debug)]
pub enum Update {
    /// An event for the controllers.
    Event(Event),
    /// The resource is being watched: after its list, or again from where a watch had come to.
    Watching(Arc<ApiResource>),
    /// The resource cannot be read for now.
    Interrupted {
        /// The resource.
        resource: Arc<ApiResource>,
        /// The reason.
        failure: Failure,
        /// How long until the next try.
        pause: Duration,
    },
}

/// Lists and watches one resource.
pub struct Reflector {
    cluster: RemoteCluster,
    resource: Arc<ApiResource>,
    scope: Scope,
    updates: Sender<Update>,
    /// Whether the server is known to send a list as the beginning of a watch.
    streams: bool,
}

/// Why a reflector ends what it does.
enum Over {
    /// Something went wrong.
    Failed(Failure),
    /// The receiver is gone.
    Closed,
}

impl From<Failure> for Over {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Reflector {
    /// Prepares to send what the cluster stores of a resource.
    #[must_use]
    pub fn new(cluster: RemoteCluster, resource: ApiResource, scope: Scope, updates: Sender<Update>) -> Self {
        Self { cluster, resource: Arc::new(resource), scope, updates, streams: true }
    }

    /// Sends until the receiver is gone.
    pub async fn run(mut self) {
        let mut backoff = RetryBackoff::new(PAUSE, LONGEST_PAUSE);
        loop {
            let begin = Instant::now();
            let Err(Over::Failed(failure)) = self.reflect(&mut backoff).await else { return };
            // A list that is too old to continue from is not an error: it is made again, at once if it lasted.
            let trouble = failure != Failure::Expired || begin.elapsed() < LIVED;
            if trouble && self.pause(failure, &mut backoff).await.is_err() {
                return;
            }
        }
    }

    /// Lists, then watches until that cannot go on.
    async fn reflect(&mut self, backoff: &mut RetryBackoff) -> Result<Infallible, Over> {
        let watches = self.list().await?;
        backoff.reset();
        let this = &*self;
        let mut watching: FuturesUnordered<_> = watches.into_iter().map(|(namespace, watch)| this.follow(namespace, watch)).collect();
        match watching.next().await {
            Some(Err(over)) => Err(over),
            Some(Ok(never)) => match never {},
            None => Err(Over::Closed),
        }
    }

    /// Sends a complete list, and returns the watches that continue from it.
    async fn list(&mut self) -> Result<Vec<(String, Watch)>, Over> {
        let mut parts = Parts { kind: self.resource.kind.clone(), updates: self.updates.clone(), held: None, begun: false };
        let (mut watches, mut version) = (Vec::new(), String::new());
        for namespace in self.scope.parts(&self.resource) {
            let watch = self.list_part(&namespace, &mut parts).await?;
            // The first list is the oldest: all writes up to it are in every list.
            if version.is_empty() {
                version = watch.seen().version().unwrap_or_default().into_owned();
            }
            watches.push((namespace, watch));
        }
        parts.end(version).await?;
        self.send(Update::Watching(self.resource.clone())).await?;
        Ok(watches)
    }

    /// Lists a namespace, or all, in the way that the server knows.
    async fn list_part(&mut self, namespace: &str, parts: &mut Parts) -> Result<Watch, Over> {
        if self.streams {
            match self.stream_list(namespace, parts).await {
                Err(Over::Failed(Failure::Refused(error))) if matches!(error.code, 400 | 422) => self.streams = false,
                watch => return watch,
            }
        }
        self.page_list(namespace, parts).await
    }

    /// Lists by a watch that begins with all objects.
    async fn stream_list(&self, namespace: &str, parts: &mut Parts) -> Result<Watch, Over> {
        let mut watch = Watch::open(&self.cluster, &self.resource, namespace, WatchPosition::Nothing).await?;
        let (mut objects, mut size) = (Vec::new(), 0);
        loop {
            match watch.next().await? {
                Some(WatchEvent::Applied(object)) => {
                    size += object.len();
                    objects.push(object);
                    if size >= PART {
                        parts.push(std::mem::take(&mut objects)).await?;
                        size = 0;
                    }
                }
                Some(WatchEvent::Bookmark { ends_list: true }) => {
                    parts.push(objects).await?;
                    return Ok(watch);
                }
                // The server's cache may be older than the list has to be: what happened since then comes before the list's end.
                Some(WatchEvent::Deleted(object)) => {
                    parts.push(std::mem::take(&mut objects)).await?;
                    parts.delete(object).await?;
                    size = 0;
                }
                Some(WatchEvent::Bookmark { ends_list: false }) => {}
                None => return Err(Failure::NoAnswer("a list is incomplete".to_owned()).into()),
            }
        }
    }

    /// Lists page by page, and watches from there.
    async fn page_list(&self, namespace: &str, parts: &mut Parts) -> Result<Watch, Over> {
        let mut from: Option<String> = None;
        loop {
            let page = ListPage::read(&self.cluster, &self.resource.path(namespace), "", from.as_deref()).await?;
            parts.push(page.objects).await?;
            from = page.next;
            if from.is_none() {
                return Ok(Watch::open(&self.cluster, &self.resource, namespace, WatchPosition::Version(page.version)).await?);
            }
        }
    }

    /// Sends each change of a watch; one that ends continues from where it stopped, at once if it showed any changes.
    async fn follow(&self, namespace: String, mut watch: Watch) -> Result<Infallible, Over> {
        let mut backoff = RetryBackoff::new(PAUSE, LONGEST_PAUSE);
        loop {
            let begin = Instant::now();
            let (useful, ended) = self.send_changes(&mut watch).await?;
            let mut failure = None;
            if useful || begin.elapsed() >= LIVED {
                backoff.reset();
            } else {
                failure = Some(ended.unwrap_or_else(|| Failure::NoAnswer("a watch ended as soon as it began".to_owned())));
            }
            watch = loop {
                if let Some(failure) = failure {
                    self.pause(failure, &mut backoff).await?;
                }
                match Watch::open(&self.cluster, &self.resource, &namespace, watch.seen().clone()).await {
                    Ok(next) => break next,
                    Err(Failure::Expired) => return Err(Failure::Expired.into()),
                    Err(other) => failure = Some(other),
                }
            };
            self.send(Update::Watching(self.resource.clone())).await?;
        }
    }

    /// Sends changes until the watch ends; returns whether there were any, and why it ended, unless the server closed it.
    async fn send_changes(&self, watch: &mut Watch) -> Result<(bool, Option<Failure>), Over> {
        let mut useful = false;
        loop {
            let json = |text: Text| ObjectJson { kind: self.resource.kind.clone(), json: text };
            let change = match watch.next().await {
                Ok(Some(WatchEvent::Applied(object))) => Change::Applied(json(object)),
                Ok(Some(WatchEvent::Deleted(object))) => Change::Deleted(json(object)),
                Ok(Some(WatchEvent::Bookmark { .. })) => continue,
                Ok(None) => return Ok((useful, None)),
                Err(Failure::Expired) => return Err(Failure::Expired.into()),
                Err(failure) => return Ok((useful, Some(failure))),
            };
            useful = true;
            self.send(Update::Event(Event::Changed(change))).await?;
        }
    }

    /// Reports what failed, and waits before the next try.
    async fn pause(&self, failure: Failure, backoff: &mut RetryBackoff) -> Result<(), Over> {
        let pause = backoff.pause();
        self.send(Update::Interrupted { resource: self.resource.clone(), failure, pause }).await?;
        sleep(pause).await;
        Ok(())
    }

    async fn send(&self, update: Update) -> Result<(), Over> {
        self.updates.send(update).await.map_err(|_| Over::Closed)
    }
}

/// A list that is sent in parts; one is held back, since the last one is marked.
struct Parts {
    kind: Text,
    updates: Sender<Update>,
    held: Option<Vec<Text>>,
    begun: bool,
}

impl Parts {
    async fn push(&mut self, objects: Vec<Text>) -> Result<(), Over> {
        self.flush().await?;
        self.held = Some(objects);
        Ok(())
    }

    /// Takes an object away that a part before may have had.
    async fn delete(&mut self, object: Text) -> Result<(), Over> {
        self.flush().await?;
        self.send(Event::Changed(Change::Deleted(ObjectJson { kind: self.kind.clone(), json: object }))).await
    }

    async fn flush(&mut self) -> Result<(), Over> {
        let Some(held) = self.held.take() else { return Ok(()) };
        let part = if self.begun { Part::Middle } else { Part::First };
        self.begun = true;
        self.send(self.listed(part, String::new(), held)).await
    }

    async fn end(mut self, version: String) -> Result<(), Over> {
        let part = if self.begun { Part::Last } else { Part::Whole };
        let held = self.held.take().unwrap_or_default();
        self.send(self.listed(part, version, held)).await
    }

    fn listed(&self, part: Part, version: String, objects: Vec<Text>) -> Event {
        Event::Listed(Listing { kind: self.kind.clone(), resource_version: version.into(), objects, part })
    }

    async fn send(&self, event: Event) -> Result<(), Over> {
        self.updates.send(Update::Event(event)).await.map_err(|_| Over::Closed)
    }
}

#[cfg(test)]
mod tests {
    use api::Kind;
    use host_serving::plain;
    use tokio::sync::mpsc::channel;

    use super::super::tests::answering;
    use super::*;

    #[tokio::test]
    async fn what_is_deleted_while_a_list_is_streamed_does_not_survive_it() {
        let line = |kind: &str, metadata: &str| format!("{{\"type\":\"{kind}\",\"object\":{{\"metadata\":{{{metadata}}}}}}}\n");
        let stream = [
            line("ADDED", r#""name":"a","resourceVersion":"5""#),
            line("ADDED", r#""name":"b","resourceVersion":"6""#),
            line("DELETED", r#""name":"a","resourceVersion":"7""#),
            line("ADDED", r#""name":"c","resourceVersion":"8""#),
            line("BOOKMARK", r#""resourceVersion":"8","annotations":{"k8s.io/initial-events-end":"true"}"#),
        ];
        let cluster = answering(move |_| plain(http::StatusCode::OK, stream.concat())).await;
        let (sender, mut updates) = channel(100);
        Reflector::new(cluster, Kind::Pod.into(), Scope::of(Vec::new()), sender).list().await.ok().unwrap();

        let pod =
            |name: &str, version: u32| -> Text { format!(r#"{{"metadata":{{"name":"{name}","resourceVersion":"{version}"}}}}"#).into() };
        let listed = |part, version: &str, objects: Vec<Text>| {
            Event::Listed(Listing { kind: "Pod".into(), resource_version: version.into(), objects, part })
        };
        let events: Vec<Event> = std::iter::from_fn(|| match updates.try_recv() {
            Ok(Update::Event(event)) => Some(event),
            _ => None,
        })
        .collect();
        let deleted = Event::Changed(Change::Deleted(ObjectJson { kind: "Pod".into(), json: pod("a", 7) }));
        let (first, last) = (vec![pod("a", 5), pod("b", 6)], vec![pod("c", 8)]);
        assert_eq!(events, [listed(Part::First, "", first), deleted, listed(Part::Last, "8", last)]);
    }
}

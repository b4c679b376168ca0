//! Tells all that a cluster stores of a kind: a list first, then each change, for as long as somebody listens.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes", "Streaming lists", "410 Gone responses". Who listens is `driver.rs`; nothing is kept here but how far it has come.

use std::convert::Infallible;
use std::time::Duration;

use api::{Kind, Text};
use contract::{Change, Event, Json, Part};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep};

use super::list::Page;
use super::watch::{Said, Seen, Watch};
use super::{Cluster, Failure, Scope};
use crate::backoff::Backoff;

/// How much of a streamed list is told at a time, in bytes.
const PART: usize = 256 * 1024;
/// After a failure nothing is asked for so long, then twice as long, and so on.
const PAUSE: Duration = Duration::from_millis(500);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A watch that lived so long was no failure.
const LIVED: Duration = Duration::from_secs(1);

/// What a reflector tells.
#[derive(Debug)]
pub enum Told {
    /// Something that the controllers are to know.
    Event(Event),
    /// Why a kind cannot be read for now, and when that is tried again.
    Trouble {
        /// The kind.
        kind: Kind,
        /// The reason.
        failure: Failure,
        /// How long nothing is asked.
        pause: Duration,
    },
    /// The watch of a kind began again where it had come to.
    Resumed(Kind),
}

/// Lists and watches one kind.
pub struct Reflector {
    cluster: Cluster,
    kind: Kind,
    scope: Scope,
    listener: Sender<Told>,
    /// Whether the server can send a list as the beginning of a watch, as far as is known.
    streams: bool,
}

/// Why a reflector ends what it does.
enum Over {
    /// Something went wrong.
    Failed(Failure),
    /// Nobody listens.
    Unheard,
}

impl From<Failure> for Over {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Reflector {
    /// Prepares to tell a listener of a kind.
    #[must_use]
    pub fn new(cluster: Cluster, kind: Kind, scope: Scope, listener: Sender<Told>) -> Self {
        Self { cluster, kind, scope, listener, streams: true }
    }

    /// Tells until nobody listens.
    pub async fn run(mut self) {
        let mut backoff = Backoff::new(PAUSE, LONGEST_PAUSE);
        loop {
            let begin = Instant::now();
            let Err(Over::Failed(failure)) = self.reflect(&mut backoff).await else { return };
            // A list that is too old to go on from is no trouble: it is made again, at once if it lasted.
            let trouble = failure != Failure::Expired || begin.elapsed() < LIVED;
            if trouble && self.pause(failure, &mut backoff).await.is_err() {
                return;
            }
        }
    }

    /// Lists, then watches until that cannot go on.
    async fn reflect(&mut self, backoff: &mut Backoff) -> Result<Infallible, Over> {
        let watches = self.list().await?;
        backoff.reset();
        let this = &*self;
        let mut watching: FuturesUnordered<_> = watches.into_iter().map(|(namespace, watch)| this.follow(namespace, watch)).collect();
        match watching.next().await {
            Some(Err(over)) => Err(over),
            Some(Ok(never)) => match never {},
            None => Err(Over::Unheard),
        }
    }

    /// Tells a complete list, and answers the watches that go on from it.
    async fn list(&mut self) -> Result<Vec<(String, Watch)>, Over> {
        let mut parts = Parts { kind: self.kind, listener: self.listener.clone(), held: None, begun: false };
        let (mut watches, mut version) = (Vec::new(), String::new());
        for namespace in self.scope.parts() {
            let watch = self.list_part(&namespace, &mut parts).await?;
            // The first list is the oldest: all writes up to it are in every list.
            if version.is_empty() {
                version = watch.seen().version().unwrap_or_default().into_owned();
            }
            watches.push((namespace, watch));
        }
        parts.end(version).await?;
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
        let mut watch = Watch::open(&self.cluster, self.kind, namespace, Seen::Nothing).await?;
        let (mut objects, mut size) = (Vec::new(), 0);
        loop {
            match watch.next().await? {
                Some(Said::Applied(object)) => {
                    size += object.len();
                    objects.push(object);
                    if size >= PART {
                        parts.push(std::mem::take(&mut objects)).await?;
                        size = 0;
                    }
                }
                Some(Said::Bookmark { ends_list: true }) => {
                    parts.push(objects).await?;
                    return Ok(watch);
                }
                Some(Said::Bookmark { ends_list: false } | Said::Deleted(_)) => {}
                None => return Err(Failure::NoAnswer("a list ended in the middle".to_owned()).into()),
            }
        }
    }

    /// Lists page by page, and watches from there.
    async fn page_list(&self, namespace: &str, parts: &mut Parts) -> Result<Watch, Over> {
        let mut from: Option<String> = None;
        loop {
            let page = Page::read(&self.cluster, self.kind, namespace, from.as_deref()).await?;
            parts.push(page.objects).await?;
            from = page.next;
            if from.is_none() {
                return Ok(Watch::open(&self.cluster, self.kind, namespace, Seen::Version(page.version)).await?);
            }
        }
    }

    /// Tells each change of a watch; one that ends goes on where it had come to, at once if it was of any use.
    async fn follow(&self, namespace: String, mut watch: Watch) -> Result<Infallible, Over> {
        let mut backoff = Backoff::new(PAUSE, LONGEST_PAUSE);
        loop {
            let begin = Instant::now();
            let (useful, ended) = self.tell_changes(&mut watch).await?;
            let mut failure = None;
            if useful || begin.elapsed() >= LIVED {
                backoff.reset();
            } else {
                failure = Some(ended.unwrap_or_else(|| Failure::NoAnswer("a watch ended as soon as it had begun".to_owned())));
            }
            watch = loop {
                if let Some(failure) = failure {
                    self.pause(failure, &mut backoff).await?;
                }
                match Watch::open(&self.cluster, self.kind, &namespace, watch.seen().clone()).await {
                    Ok(next) => break next,
                    Err(Failure::Expired) => return Err(Failure::Expired.into()),
                    Err(other) => failure = Some(other),
                }
            };
            self.tell(Told::Resumed(self.kind)).await?;
        }
    }

    /// Tells changes until the watch ends; answers whether there were any, and why it ended, if it was not the server's will.
    async fn tell_changes(&self, watch: &mut Watch) -> Result<(bool, Option<Failure>), Over> {
        let mut useful = false;
        loop {
            let json = |text: Text| Json { kind: self.kind, text };
            let change = match watch.next().await {
                Ok(Some(Said::Applied(object))) => Change::Applied(json(object)),
                Ok(Some(Said::Deleted(object))) => Change::Deleted(json(object)),
                Ok(Some(Said::Bookmark { .. })) => continue,
                Ok(None) => return Ok((useful, None)),
                Err(Failure::Expired) => return Err(Failure::Expired.into()),
                Err(failure) => return Ok((useful, Some(failure))),
            };
            useful = true;
            self.tell(Told::Event(Event::Changed(change))).await?;
        }
    }

    /// Tells what failed, and waits before the next try.
    async fn pause(&self, failure: Failure, backoff: &mut Backoff) -> Result<(), Over> {
        let pause = backoff.pause();
        self.tell(Told::Trouble { kind: self.kind, failure, pause }).await?;
        sleep(pause).await;
        Ok(())
    }

    async fn tell(&self, told: Told) -> Result<(), Over> {
        self.listener.send(told).await.map_err(|_| Over::Unheard)
    }
}

/// A list that is told in parts; one is held back, since the last is told as such.
struct Parts {
    kind: Kind,
    listener: Sender<Told>,
    held: Option<Vec<Text>>,
    begun: bool,
}

impl Parts {
    async fn push(&mut self, objects: Vec<Text>) -> Result<(), Over> {
        let Some(held) = self.held.replace(objects) else { return Ok(()) };
        let part = if self.begun { Part::Middle } else { Part::First };
        self.begun = true;
        self.tell(part, String::new(), held).await
    }

    async fn end(mut self, version: String) -> Result<(), Over> {
        let part = if self.begun { Part::Last } else { Part::Whole };
        let held = self.held.take().unwrap_or_default();
        self.tell(part, version, held).await
    }

    async fn tell(&self, part: Part, version: String, objects: Vec<Text>) -> Result<(), Over> {
        let event = Event::Listed { kind: self.kind, resource_version: version.into(), objects, part };
        self.listener.send(Told::Event(event)).await.map_err(|_| Over::Unheard)
    }
}

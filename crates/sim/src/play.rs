//! A play: Jobs on a cluster whose pods follow a script, on virtual time.
//!
//! Docs: `jobsmith simulate`; scenario files (`scenario.rs`). What pods do and what happens is in `script/`, what is seen of it in `trace/`.

use api::request::Request;
use api::{Duration, Job, Kind, Text, Timestamp, time};
use contract::Manager;
use serde::Deserialize;

use crate::apiserver::ApiServer;
use crate::cluster::Cluster;
use crate::garbage_collector::Dependence;
use crate::naming::Names;
use crate::script::{Action, Script, Scripted};
use crate::trace::{Entry, Trace, What};

/// The namespace of objects that name none.
pub const DEFAULT_NAMESPACE: &str = "default";

/// Jobs, their pods and what happens to them, from one moment at which something is due to the next.
#[derive(Debug)]
pub struct Play<M> {
    cluster: Cluster<M, Scripted>,
    trace: Trace,
    /// What happens from outside, the last thing first.
    actions: Vec<(Timestamp, Action)>,
    /// The namespace and name of the first Job: what actions on a Job mean if they name none.
    first_job: (Text, Text),
    now: Timestamp,
    begun: bool,
}

impl<M: Manager> Play<M> {
    /// A cluster to which the Jobs were applied at `start`, each given as the JSON of its manifest.
    ///
    /// # Errors
    /// The place of the first Job that the API server refuses, and its words.
    pub fn new(manager: M, script: &Script, jobs: &[Text], start: Timestamp) -> Result<Self, (usize, api::request::ApiError)> {
        let server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        let mut cluster = Cluster::new(server, manager, Scripted::new(script.clone()), start);
        let mut first_job = None;
        for (at, job) in jobs.iter().enumerate() {
            let (namespace, name) = named(job);
            let request = Request::create(Kind::Job, &namespace, job.to_string());
            let answer = cluster.request(&request, start).map_err(|error| (at, error))?;
            first_job.get_or_insert((namespace, if name.is_empty() { answer.written().name.into() } else { name }));
        }
        let mut actions: Vec<_> = script.actions.iter().map(|(after, action)| (time::after(start, *after), action.clone())).collect();
        actions.sort_by_key(|(at, _)| *at);
        actions.reverse();
        Ok(Self { cluster, trace: Trace::default(), actions, first_job: first_job.unwrap_or_default(), now: start, begun: false })
    }

    /// What happens at the next moment at which something does, not after `end`; `None` if nothing does.
    pub fn next_moment(&mut self, end: Timestamp) -> Option<Vec<Entry>> {
        if self.begun {
            let action = self.actions.last().map(|(at, _)| *at);
            let next = self.cluster.next_due().into_iter().chain(action).min().filter(|at| *at <= end)?;
            self.now = next.max(self.now);
        }
        self.begun = true;
        let mut entries = Vec::new();
        while let Some((_, action)) = self.actions.pop_if(|(at, _)| *at <= self.now) {
            entries.extend(self.act(&action).map(|message| Entry { at: self.now, what: What::Complaint { message } }));
        }
        let happened = self.cluster.turn(self.now);
        entries.extend(self.trace.entries(&happened, self.now));
        Some(entries)
    }

    /// The time of the last moment.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// What the controllers wait for.
    pub fn next_wakeup(&mut self) -> Option<contract::Wakeup> {
        self.cluster.next_wakeup()
    }

    /// The Jobs as they are stored, by namespace and name.
    pub fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.cluster.world.server.objects(Kind::Job).filter_map(|stored| stored.job())
    }

    /// The API server.
    #[must_use]
    pub fn server(&self) -> &ApiServer {
        &self.cluster.world.server
    }

    /// Does what happens from outside; answers what went wrong with it.
    fn act(&mut self, action: &Action) -> Option<Text> {
        let now = self.now;
        match action {
            Action::Job { .. } => {
                let request = action.request(&self.first_job.0, &self.first_job.1)?;
                let refused = self.cluster.request(&request, now).err()?;
                return Some(format!("refused: {action}: {refused}").into());
            }
            Action::RestartController => self.cluster.restart_controllers(now),
            Action::RefuseNextWrite(refusal) => self.cluster.refusals.push_back(*refusal),
            Action::Advance(length) => self.now = time::after(now, *length),
            Action::DeletePods(_) | Action::Evict(_) | Action::Exit { .. } | Action::LoseNode | Action::RemoveNode => {
                let world = &mut self.cluster.world;
                let met = self.cluster.kubelet.act(action, &mut world.server, now);
                let about_pods = !matches!(action, Action::LoseNode | Action::RemoveNode);
                return (about_pods && met.is_empty()).then(|| format!("{action}: there is no such pod").into());
            }
        }
        None
    }

    /// How long the play has lasted.
    #[must_use]
    pub fn lasted(&self, start: Timestamp) -> Duration {
        self.now.duration_since(start)
    }
}

/// The namespace and name in a manifest.
fn named(json: &str) -> (Text, Text) {
    #[derive(Default, Deserialize)]
    struct Named {
        #[serde(default)]
        metadata: Metadata,
    }
    #[derive(Default, Deserialize)]
    struct Metadata {
        #[serde(default)]
        namespace: Option<Text>,
        #[serde(default)]
        name: Option<Text>,
    }
    let Metadata { namespace, name } = serde_json::from_str::<Named>(json).unwrap_or_default().metadata;
    (namespace.filter(|namespace| !namespace.is_empty()).unwrap_or_else(|| DEFAULT_NAMESPACE.into()), name.unwrap_or_default())
}

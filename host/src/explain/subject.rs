//! One Job and the pods that matter to it, as the cluster shows them.
//!
//! Docs: Jobs, "Pod selector"; Owners and Dependents. What is decided about them is asked in `mod.rs`.

use std::collections::BTreeMap;

use api::{Job, Kind, Malformed, Object, Pod, Text};
use contract::{Change, Event, Json, Part};

/// A Job and its pods: those that it controls, and those without a controller that its selector selects.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The Job, as far as it is read.
    pub job: Job,
    pub(super) job_text: Text,
    /// The pods by name.
    pub(super) pods: BTreeMap<Text, Text>,
    /// Which kinds were listed to the end.
    listed: [bool; Kind::ALL.len()],
    /// Whether the Job was in the list that is being told.
    mentioned: bool,
    gone: bool,
}

impl Subject {
    /// A Job of whose pods nothing is known yet.
    ///
    /// # Errors
    /// If it cannot be understood.
    pub fn new(text: Text) -> Result<Self, Malformed> {
        let job = decode_job(&text)?;
        Ok(Self { job, job_text: text, pods: BTreeMap::new(), listed: [false; Kind::ALL.len()], mentioned: false, gone: false })
    }

    /// Whether Jobs and pods were listed.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.listed.iter().all(|listed| *listed)
    }

    /// Whether the Job is gone, or another one has its name.
    #[must_use]
    pub fn gone(&self) -> bool {
        self.gone
    }

    /// The newest version among what is known.
    pub(super) fn version(&self) -> String {
        let version = |text: &Text, kind| Object::decode(kind, text).ok()?.metadata().resource_version.parse::<u64>().ok();
        let pods = self.pods.values().filter_map(|pod| version(pod, Kind::Pod));
        pods.chain(version(&self.job_text, Kind::Job)).max().unwrap_or_default().to_string()
    }

    /// Takes in what the cluster shows; answers whether that matters to the Job. What cannot be understood is left out.
    pub fn take_in(&mut self, event: &Event) -> bool {
        match event {
            Event::Changed(Change::Applied(Json { kind, text })) => self.put(*kind, text),
            Event::Changed(Change::Deleted(Json { kind, text })) => self.take(*kind, text),
            Event::Listed { kind, part, objects, .. } => self.list(*kind, *part, objects),
            Event::Finished { .. } => false,
        }
    }

    fn list(&mut self, kind: Kind, part: Part, objects: &[Text]) -> bool {
        if matches!(part, Part::Whole | Part::First) {
            self.listed[kind as usize] = false;
            match kind {
                Kind::Job => self.mentioned = false,
                Kind::Pod => self.pods.clear(),
            }
        }
        for object in objects {
            self.put(kind, object);
        }
        if matches!(part, Part::Whole | Part::Last) {
            self.listed[kind as usize] = true;
            self.gone |= kind == Kind::Job && !self.mentioned;
            return true;
        }
        false
    }

    fn put(&mut self, kind: Kind, text: &Text) -> bool {
        match Object::decode(kind, text) {
            Ok(Object::Job(job)) if self.same(&job) => {
                self.mentioned = true;
                (self.job, self.job_text) = (*job, text.clone());
                true
            }
            Ok(Object::Pod(pod)) if self.matters(&pod) => self.pods.insert(pod.metadata.name.clone(), text.clone()).as_ref() != Some(text),
            Ok(Object::Pod(pod)) => self.pods.remove(&pod.metadata.name).is_some(),
            Ok(Object::Job(_)) | Err(_) => false,
        }
    }

    fn take(&mut self, kind: Kind, text: &Text) -> bool {
        match Object::decode(kind, text) {
            Ok(Object::Job(job)) if self.same(&job) => {
                self.gone = true;
                true
            }
            Ok(Object::Pod(pod)) => self.pods.remove(&pod.metadata.name).is_some(),
            Ok(Object::Job(_)) | Err(_) => false,
        }
    }

    fn same(&self, job: &Job) -> bool {
        job.metadata.uid == self.job.metadata.uid
    }

    fn matters(&self, pod: &Pod) -> bool {
        match pod.metadata.controller() {
            Some(owner) => owner.uid == self.job.metadata.uid,
            None => self.job.spec.selector.as_ref().is_some_and(|selector| selector.matches(&pod.metadata.labels)),
        }
    }
}

fn decode_job(text: &Text) -> Result<Job, Malformed> {
    match Object::decode(Kind::Job, text)? {
        Object::Job(job) => Ok(*job),
        Object::Pod(_) => unreachable!("a Job is decoded as one"),
    }
}

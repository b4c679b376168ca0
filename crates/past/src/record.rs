//! What is left of a Job: the Job itself, its pods, and what they show of what happened when.
//!
//! Docs: Jobs, "Job API"; Pod Lifecycle. The life of a pod is read in `life.rs`; what happens again from it all, in `reconstruction.rs`.

use std::collections::{BTreeMap, BTreeSet};

use api::json::{self};
use api::meta::names;
use api::{CronJob, Duration, Job, JobCondition, Kind, ObjectMeta, Text, Timestamp, time};
use cluster::apiserver::{last_moment, stopped_at};
use serde_json::{Map, Value, json};

use crate::agenda::announced;
use crate::fields::{items, moment, text, transition};
use crate::judged::JudgedPod;
use crate::life::{Frame, frames};
use crate::notes::RecordedRefusal;
use crate::older::complete_conditions;

/// What is left of a Job.
#[derive(Debug, Clone)]
pub struct RecordedJob {
    /// The Job as it was when it was recorded.
    pub job: Job,
    /// Its pods, in the order in which they were created.
    pub pods: Vec<RecordedPod>,
    /// Its CronJob, if that is there.
    pub cron_job: Option<CronJob>,
    /// The refusals in its Events.
    pub(crate) refusals: Vec<RecordedRefusal>,
    /// The suspensions and resumptions that its Events report, in order: when, and whether it was suspended.
    pub(crate) announced: Vec<(Timestamp, bool)>,
    /// The Events about it and its pods, as JSON.
    pub(crate) events: Vec<Text>,
    /// The pod for which a rule failed it.
    pub(crate) judged: Option<JudgedPod>,
    /// The Job as JSON.
    pub(crate) value: Value,
    /// The last time that is recorded of it.
    pub(crate) end: Timestamp,
}

/// What is left of a pod.
#[derive(Debug, Clone)]
pub struct RecordedPod {
    /// The pod's metadata as it was when it was recorded.
    pub metadata: ObjectMeta,
    /// Its completion index.
    pub index: Option<u32>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was deleted and how many seconds it had, if it was.
    pub(crate) deletion: Option<PodDeletion>,
    pub(crate) value: Value,
    /// Its statuses one after the other.
    pub(crate) frames: Vec<Frame>,
    /// Whether it has ended.
    pub(crate) ended: bool,
    /// Whether a finalizer still waits for its Job to count it.
    pub(crate) uncounted: bool,
    /// Whether nothing is left of it: all of it is estimated.
    pub(crate) estimated: bool,
}

/// The deletion of a pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PodDeletion {
    /// When it was asked for.
    pub(crate) at: Timestamp,
    /// Seconds that the pod had when it was recorded.
    pub(crate) grace: i64,
    /// Whether a condition says why.
    pub(crate) explained: bool,
}

impl RecordedJob {
    /// What is left of each Job among objects, JSON texts as `kubectl get -o json` prints them, Events included; Jobs that no controller has acted on have
    /// no past.
    #[must_use]
    pub fn all(objects: &[Text]) -> Vec<Self> {
        let values: Vec<Value> = objects.iter().filter_map(|object| serde_json::from_str(object).ok()).collect();
        let of_kind = |kind: Kind| values.iter().filter(move |value| value["kind"] == kind.name());
        let of_owner = |pod: &Value| -> Vec<Text> { items(&pod["metadata"]["ownerReferences"]).map(|owner| text(&owner["uid"])).collect() };
        let (mut pods, mut events) = (BTreeMap::<Text, Vec<&Value>>::new(), BTreeMap::<Text, Vec<&Value>>::new());
        for pod in of_kind(Kind::Pod) {
            of_owner(pod).into_iter().for_each(|owner| pods.entry(owner).or_default().push(pod));
        }
        for event in values.iter().filter(|value| value["kind"] == "Event") {
            let about = ["involvedObject", "regarding"].map(|field| text(&event[field]["uid"]));
            about.into_iter().filter(|uid| !uid.is_empty()).for_each(|uid| events.entry(uid).or_default().push(event));
        }
        let cron_job = |value: &Value| json::from_str::<CronJob>(&value.to_string()).ok();
        let cron_jobs: Vec<CronJob> = of_kind(Kind::CronJob).filter_map(cron_job).collect();
        let read = |job: &Value| {
            let uid = text(&job["metadata"]["uid"]);
            let [pods, own] = [&pods, &events].map(|all| all.get(&uid).map(Vec::as_slice).unwrap_or_default());
            let of_pods = pods.iter().filter_map(|pod| events.get(&text(&pod["metadata"]["uid"]))).flatten();
            let events: Vec<&Value> = own.iter().chain(of_pods).copied().collect();
            let record = Self::read(job, pods, &events)?;
            let owner = record.job.metadata.controller().map(|owner| &owner.uid);
            let cron_job = owner.and_then(|uid| cron_jobs.iter().find(|cron_job| cron_job.metadata.uid == *uid)).cloned();
            Some(Self { cron_job, ..record })
        };
        of_kind(Kind::Job).filter_map(read).collect()
    }

    fn read(value: &Value, pods: &[&Value], events: &[&Value]) -> Option<Self> {
        let mut job: Job = json::from_str(&value.to_string()).ok()?;
        if job.metadata.namespace.is_empty() {
            job.metadata.namespace = api::DEFAULT_NAMESPACE.into();
        }
        let created_at = job.metadata.creation_timestamp?;
        // A server can read what it stored, but not all that people make of it.
        cluster::apiserver::stored(Kind::Job, &value.to_string()).ok()?;
        if job.metadata.uid.is_empty() || value["status"].as_object().is_none_or(Map::is_empty) {
            return None;
        }
        let namespace = |value: &Value| value["metadata"]["namespace"].as_str().unwrap_or(api::DEFAULT_NAMESPACE).to_owned();
        let mine: Vec<&Value> = pods.iter().copied().filter(|pod| namespace(pod) == namespace(value)).collect();
        let all = mine.iter().chain(events).copied().chain([value]);
        let end = all.filter_map(|object| last_moment(&object.to_string())).max().unwrap_or(created_at).max(created_at);
        let mut pods: Vec<RecordedPod> = mine.into_iter().filter_map(|pod| RecordedPod::read(pod, created_at, end)).collect();
        let there: BTreeSet<Text> = pods.iter().map(|pod| pod.metadata.name.clone()).collect();
        let gone = events.iter().filter_map(|event| RecordedPod::of_event(event, value)).filter(|pod| !there.contains(&pod.metadata.name));
        let gone: Vec<RecordedPod> = gone.filter(|pod| pod.created_at >= created_at).collect();
        pods.extend(gone);
        pods.sort_by(|one, other| (one.created_at, &one.metadata.name).cmp(&(other.created_at, &other.metadata.name)));
        let refusals = events.iter().filter_map(|event| RecordedRefusal::read(event)).filter(|refusal| refusal.at >= created_at).collect();
        let judged = JudgedPod::of(&job);
        let mut record = Self {
            job,
            pods,
            cron_job: None,
            refusals,
            announced: announced(events, created_at),
            judged,
            events: events.iter().map(|event| event.to_string().into()).collect(),
            value: value.clone(),
            end,
        };
        if !record.without_pods() {
            complete_conditions(&mut record.job);
        }
        Some(record)
    }

    /// The time zone of its CronJob, if that is there and names one.
    #[must_use]
    pub fn time_zone(&self) -> Option<&Text> {
        self.cron_job.as_ref()?.spec.time_zone.as_ref()
    }

    /// When it was scheduled as a run of a CronJob: its annotation says so, and on older clusters its name, in minutes. `None` if it is no run, or was
    /// started by hand.
    #[must_use]
    pub fn scheduled_at(&self) -> Option<Timestamp> {
        let metadata = &self.job.metadata;
        if let Some(annotated) = metadata.annotations.get(names::SCHEDULED_TIMESTAMP) {
            return time::parse(annotated);
        }
        let minutes: i64 = metadata.name.strip_prefix(&*metadata.controller()?.name)?.strip_prefix('-')?.parse().ok()?;
        Timestamp::from_second(minutes.checked_mul(60)?).ok()
    }

    /// The command that gets the Job with its pods.
    #[must_use]
    pub fn pods_command(&self) -> String {
        let ObjectMeta { namespace, name, .. } = &self.job.metadata;
        format!("kubectl get jobs,pods -n {namespace} -l batch.kubernetes.io/job-name={name} -o yaml")
    }

    /// When the Job was created.
    #[must_use]
    pub fn created_at(&self) -> Timestamp {
        self.job.metadata.creation_timestamp.unwrap_or(self.end)
    }

    /// Whether a pod ended in this second.
    pub(crate) fn ends_in(&self, second: Timestamp) -> bool {
        self.pods.iter().any(|pod| pod.ended_at() == Some(second))
    }

    /// The same with pods that end late in these seconds.
    pub(crate) fn with_late_ends(&self, seconds: &BTreeSet<Timestamp>) -> Self {
        let mut record = self.clone();
        for pod in record.pods.iter_mut().filter(|pod| pod.ended_at().is_some_and(|at| seconds.contains(&at))) {
            if let Some(last) = pod.frames.last_mut() {
                last.at = time::after(time::whole_seconds(last.at), WITHIN_A_SECOND);
            }
        }
        record
    }

    /// The pod for which a rule failed the Job, if it is gone.
    pub(crate) fn judged_and_gone(&self) -> Option<&JudgedPod> {
        self.judged.as_ref().filter(|judged| self.pods.iter().all(|pod| pod.estimated || pod.metadata.name != judged.pod))
    }

    /// Whether pods that the Job counts did not come with it.
    #[must_use]
    pub fn without_pods(&self) -> bool {
        let status = &self.job.status;
        self.pods.is_empty() && [status.active, status.succeeded, status.failed].into_iter().any(|pods| pods > 0)
    }

    /// Whether its status counts more active pods than are among these objects: the others did not come with it.
    pub(crate) fn lacks_pods(&self) -> bool {
        // The status may be older than the end or the deletion of a pod.
        let there = self.pods.iter().filter(|pod| !pod.estimated && (!pod.ended || pod.uncounted)).count();
        usize::try_from(self.job.status.active).is_ok_and(|counted| counted > there)
    }

    /// The Job for these controllers, which decide in the place of another one of its kind.
    pub(crate) fn decided_here(&self) -> Value {
        let mut value = self.value.clone();
        if let Some(spec) = value["spec"].as_object_mut().filter(|_| !self.foreign()) {
            spec.remove("managedBy");
        }
        value
    }

    /// Whether controllers other than these decide about it.
    #[must_use]
    pub fn foreign(&self) -> bool {
        self.job.managed_elsewhere()
    }

    /// The recorded condition of this type and status.
    pub(crate) fn condition(&self, kind: &str, status: &str) -> Option<&JobCondition> {
        self.job.status.conditions.iter().find(|condition| &*condition.kind == kind && &*condition.status == status)
    }
}

impl RecordedPod {
    fn read(value: &Value, job_created_at: Timestamp, end: Timestamp) -> Option<Self> {
        let mut metadata: ObjectMeta = json::from_str(&value["metadata"].to_string()).ok()?;
        if metadata.namespace.is_empty() {
            metadata.namespace = api::DEFAULT_NAMESPACE.into();
        }
        let created_at = metadata.creation_timestamp.unwrap_or(job_created_at).max(job_created_at);
        let status = &value["status"];
        let ended = matches!(status["phase"].as_str(), Some("Succeeded" | "Failed"));
        let uncounted = tracked(&metadata);
        let deletion = metadata.deletion_requested_at().map(|at| {
            let (at, grace) = (at.max(created_at), metadata.deletion_grace().as_secs());
            PodDeletion { at, grace, explained: transition(status, "DisruptionTarget").is_some() }
        });
        let assigned = value["spec"]["nodeName"].as_str().is_some_and(|node| !node.is_empty());
        let mut frames = frames(status, assigned, created_at, stopped_at(value), end);
        if deletion.is_some() {
            // Of pods that rank equal, the controllers delete those that have been ready for a shorter time: within a second, it became ready last.
            frames.iter_mut().for_each(|frame| frame.ready_late(WITHIN_A_SECOND));
        }
        if let Some(last) = frames.last_mut().filter(|_| ended && uncounted) {
            // Nobody had counted it yet: within its second, it ended after all that the controllers did.
            last.at = time::after(last.at, WITHIN_A_SECOND);
        }
        let index = script::completion_index(&metadata);
        Some(Self { metadata, index, created_at, deletion, value: value.clone(), frames, ended, uncounted, estimated: false })
    }

    /// The pod whose creation an Event of its Job reports: nothing else is left of it.
    fn of_event(event: &Value, job: &Value) -> Option<Self> {
        let message = if event["message"].is_null() { &event["note"] } else { &event["message"] };
        let name = message.as_str().filter(|_| event["reason"] == "SuccessfulCreate")?.strip_prefix(CREATED)?;
        let created_at = ["firstTimestamp", "deprecatedFirstTimestamp", "eventTime"].into_iter().find_map(|field| moment(&event[field]))?;
        let (template, of) = (&job["spec"]["template"], &job["metadata"]);
        let mut metadata = template["metadata"].clone();
        if !metadata.is_object() {
            metadata = json!({});
        }
        let owner = json!([{"apiVersion": "batch/v1", "kind": "Job", "name": of["name"], "uid": of["uid"], "controller": true, "blockOwnerDeletion": true}]);
        (metadata["name"], metadata["namespace"], metadata["uid"]) = (name.into(), of["namespace"].clone(), format!("gone-{name}").into());
        metadata["ownerReferences"] = owner;
        let index = name.strip_prefix(of["name"].as_str()?).and_then(|rest| rest.strip_prefix('-')?.split_once('-'));
        if let Some((index, _)) = index.filter(|_| job["spec"]["completionMode"] == "Indexed") {
            metadata["annotations"][names::COMPLETION_INDEX] = index.into();
            metadata["labels"][names::COMPLETION_INDEX] = index.into();
        }
        let value = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]});
        let metadata: ObjectMeta = json::from_str(&value["metadata"].to_string()).ok()?;
        let index = script::completion_index(&metadata);
        let frames = Vec::new();
        let whole = time::whole_seconds(created_at);
        Some(Self { metadata, index, created_at: whole, deletion: None, value, frames, ended: false, uncounted: false, estimated: true })
    }

    /// When it ended, if it did and that is known.
    #[must_use]
    pub fn ended_at(&self) -> Option<Timestamp> {
        self.frames.last().filter(|_| self.ended).map(|frame| time::whole_seconds(frame.at))
    }
}

/// What the message of the Event begins with that reports the creation of a pod.
const CREATED: &str = "Created pod: ";

/// What comes late in a second.
const WITHIN_A_SECOND: Duration = Duration::from_millis(1);

/// Whether a finalizer keeps a pod until its Job has counted it.
pub(crate) fn tracked(metadata: &ObjectMeta) -> bool {
    names::TRACKING_FINALIZERS.iter().any(|finalizer| metadata.has_finalizer(finalizer))
}

//! One CronJob or Job of a cluster and the objects that matter to it, listed into a component so that it can explain what it decides about it.
//!
//! Docs: `jobsmith explain --help`; `crates/component/wit/controllers.wit`, `explain`. Which object is meant is read in
//! `host/jobsmith/src/on_cluster/target.rs`, the explanation is written in `host/jobsmith/src/on_cluster/explain/`.

use std::collections::{BTreeMap, BTreeSet};

use api::meta::Labels;
use api::meta::names::{BUILT_IN_CONTROLLER, JOB_TRACKING};
use api::syntax::check_manager;
use api::{Job, Kind, Malformed, Object, ObjectMeta, Text, Timestamp};
use contract::{ApiResource, Change, Event, Explanation, Forecast, Listing, Manager as _, ObjectJson, ObjectRef, Part};
use host_embed::Guest;
use schedule::Zone;
use serde::Deserialize;
use serde_json::{Value, json};

/// An object and those that matter to it: those that it controls, those without a controller that its selector selects, and Jobs that have names
/// which a CronJob may want.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The decoded fields of the object.
    pub object: Object,
    /// Which kinds were listed to the end.
    listed: BTreeSet<Text>,
    /// The objects as JSON, by kind and name; the explained one is among them.
    objects: BTreeMap<Text, BTreeMap<Text, Text>>,
    /// Events of type `Warning` in the namespace, as JSON; empty as long as they are not read.
    pub warnings: Vec<Text>,
    /// The annotations that all Jobs have that do not have them themselves.
    pub defaults: Labels,
    gone: bool,
    /// Whether the pods are left out.
    podless: bool,
}

/// All controllers of the component.
const CONTROLLERS: [&str; 3] = ["job", "cronjob", "ttl"];
/// The domain of the names under which `jobsmith controller` acts unless another is chosen.
const OWN_DOMAIN: &str = "jobsmith.dev/";

/// Whether a manager of Jobs decides as this component does: Kubernetes' own controller, or ours.
pub(crate) fn known(manager: &str) -> bool {
    manager == BUILT_IN_CONTROLLER || manager.starts_with(OWN_DOMAIN)
}

/// The configuration under which the component decides about Jobs and CronJobs of these managers; without one, it is Kubernetes' own.
pub(crate) fn configuration(job_manager: Option<&str>, cron_job_manager: Option<&str>, zone: &Zone) -> Value {
    let name = |manager: Option<&str>| manager.unwrap_or(BUILT_IN_CONTROLLER).to_owned();
    let cron_job = json!({"name": name(cron_job_manager), "timeZone": zone.name()});
    json!({"controllers": CONTROLLERS, "job": {"name": name(job_manager)}, "cronjob": cron_job})
}

/// Adds the annotations that all Jobs have to a configuration, if there are any.
pub(crate) fn add_defaults(configuration: &mut Value, defaults: &Labels) {
    if !defaults.is_empty() {
        configuration["job"]["defaults"] = json!(defaults);
    }
}

/// The part of every object that names what it belongs to.
#[derive(Deserialize)]
struct Owned {
    metadata: ObjectMeta,
}

impl Explained {
    /// An object before anything is listed.
    ///
    /// # Errors
    /// If the object is malformed.
    pub fn new(kind: Kind, object: &str) -> Result<Self, Malformed> {
        let object = Object::decode(kind, object)?;
        Ok(Self {
            object,
            listed: BTreeSet::new(),
            objects: BTreeMap::new(),
            warnings: Vec::new(),
            defaults: Labels::new(),
            gone: false,
            podless: false,
        })
    }

    /// The kinds whose objects may matter to it: its own, and those that it controls.
    #[must_use]
    pub fn kinds(&self) -> &'static [Kind] {
        match self.object {
            Object::CronJob(_) => &[Kind::CronJob, Kind::Job, Kind::Pod],
            Object::Job(_) => &[Kind::Job, Kind::Pod],
            Object::Pod(_) => &[Kind::Pod],
        }
    }

    /// The Job, if it is one.
    #[must_use]
    pub fn job(&self) -> Option<&Job> {
        self.object.job()
    }

    /// Whether everything that may matter is listed.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.kinds().iter().all(|kind| self.listed.contains(kind.name()))
    }

    /// Whether the object is gone, or another one has its name.
    #[must_use]
    pub fn gone(&self) -> bool {
        self.gone
    }

    /// The manager that decides about a Job: the one that it names, or Kubernetes' own; about a CronJob, the one of its annotation (X-1), unless no
    /// controller can have that name.
    #[must_use]
    pub fn manager(&self) -> Option<&str> {
        match &self.object {
            Object::Job(job) => Some(job.spec.managed_by.as_deref().unwrap_or(BUILT_IN_CONTROLLER)),
            Object::CronJob(cron_job) => cron_job.managed_by().map(|name| &**name).filter(|name| check_manager(name).is_ok()),
            Object::Pod(_) => None,
        }
    }

    /// One of the objects as JSON.
    #[must_use]
    pub fn object(&self, object: &ObjectRef) -> Option<&Text> {
        self.objects.get(&object.kind)?.get(&object.name)
    }

    /// The objects of a kind as JSON.
    pub fn objects(&self, kind: Kind) -> impl Iterator<Item = &Text> {
        self.objects.get(kind.name()).into_iter().flat_map(BTreeMap::values)
    }

    /// Whether somebody else's controller decides about the object.
    #[must_use]
    pub fn foreign(&self) -> bool {
        self.job().is_some() && self.manager().is_some_and(|manager| !known(manager))
    }

    /// Goes on without the pods of a CronJob's Jobs, which may not be read; returns whether that is possible and was not known.
    pub fn leave_out_pods(&mut self) -> bool {
        self.object.kind() == Kind::CronJob && self.listed.insert(Kind::Pod.name().into()) && !std::mem::replace(&mut self.podless, true)
    }

    /// What the component decides about the object at a moment; schedules of CronJobs without a time zone are in this one. Of a Job that somebody else's
    /// controller manages, it says who that is, and what Kubernetes' controller would decide only if `as_if_built_in`.
    ///
    /// # Errors
    /// If the component refuses its configuration, does not know the object, or traps.
    pub fn explain(&self, guest: &mut Guest, as_if_built_in: bool, zone: &Zone, now: Timestamp) -> Result<Explanation, String> {
        let mut explanation = self.ask(guest, &self.configuration(zone), now)?;
        if let Some(manager) = self.manager().filter(|_| self.foreign()) {
            let other = match as_if_built_in {
                true => json!({"controllers": CONTROLLERS, "job": {"name": manager, "trackingFinalizer": JOB_TRACKING}}),
                // A Job's TTL counts no matter who manages the Job.
                false => json!({"controllers": ["ttl"]}),
            };
            let decided = self.ask(guest, &other, now).ok();
            explanation = match decided {
                Some(decided) => Explanation { headline: explanation.headline, obstacles: explanation.obstacles, ..decided },
                None => {
                    let (now, next) = (Forecast::default(), None);
                    Explanation { controllers: Vec::new(), now, requeue_at: None, next, related: Vec::new(), ..explanation }
                }
            };
        }
        Ok(explanation)
    }

    /// The configuration under which the component decides about the object.
    fn configuration(&self, zone: &Zone) -> Value {
        let own = self.manager().filter(|manager| known(manager) || self.object.kind() == Kind::CronJob);
        let mut configuration = match self.object.kind() {
            Kind::CronJob => {
                let jobs = self.objects(Kind::Job).filter_map(|text| Object::decode(Kind::Job, text).ok());
                let of_jobs = jobs.filter_map(|object| object.job()?.spec.managed_by.clone()).find(|manager| known(manager));
                configuration(of_jobs.as_deref().or(own), own, zone)
            }
            Kind::Job | Kind::Pod => configuration(own, None, zone),
        };
        add_defaults(&mut configuration, &self.defaults);
        if self.podless {
            // Without its pods, a Job seems to lack them.
            configuration["controllers"] = json!(["cronjob"]);
        }
        configuration
    }

    /// What the component decides about the object under a configuration.
    fn ask(&self, guest: &mut Guest, configuration: &Value, now: Timestamp) -> Result<Explanation, String> {
        guest.configure(&configuration.to_string())?;
        let metadata = self.object.metadata();
        for ApiResource { kind, .. } in guest.resources() {
            // What does not matter is not listed from the cluster, and is as good as not there.
            let objects = self.objects.get(&kind).into_iter().flat_map(BTreeMap::values).cloned().collect();
            let resource_version = metadata.resource_version.clone();
            // A malformed object is left alone, as a controller leaves it alone.
            let _ = guest.handle(Event::Listed(Listing { kind, part: Part::Whole, resource_version, objects }), now);
        }
        let explained = guest.explain(&ObjectRef::of(self.object.kind().name(), metadata), &self.warnings, now);
        guest.lost().map_or(explained, |reason| Err(format!("the controllers crashed, which is a bug: {reason}")))
    }

    /// Handles what the cluster shows; returns whether that matters to the object.
    pub fn handle(&mut self, event: &Event) -> bool {
        match event {
            Event::Changed(Change::Applied(ObjectJson { kind, json: text })) => self.apply(kind, text),
            Event::Changed(Change::Deleted(ObjectJson { kind, json: text })) => self.delete(kind, text),
            Event::Listed(Listing { kind, part, objects, .. }) => self.list(kind, *part, objects),
            Event::Finished(_) => false,
        }
    }

    fn list(&mut self, kind: &Text, part: Part, objects: &[Text]) -> bool {
        if part.begins() {
            self.listed.remove(kind);
            self.objects.remove(kind);
        }
        for object in objects {
            self.apply(kind, object);
        }
        if part.ends() {
            self.listed.insert(kind.clone());
            let own = self.object.kind().name();
            self.gone |= **kind == *own && self.object(&ObjectRef::of(own, self.object.metadata())).is_none();
        }
        part.ends()
    }

    fn apply(&mut self, kind: &Text, text: &Text) -> bool {
        let Ok(Owned { metadata }) = serde_json::from_str(text) else { return false };
        if metadata.uid == self.object.metadata().uid
            && let Ok(object) = Object::decode(self.object.kind(), text)
        {
            self.object = object;
        } else if !matters(&self.object, &metadata) {
            return self.objects.get_mut(kind).is_some_and(|known| known.remove(&metadata.name).is_some());
        }
        self.objects.entry(kind.clone()).or_default().insert(metadata.name, text.clone()).as_ref() != Some(text)
    }

    fn delete(&mut self, kind: &Text, text: &Text) -> bool {
        let Ok(Owned { metadata }) = serde_json::from_str(text) else { return false };
        let gone = metadata.uid == self.object.metadata().uid;
        self.gone |= gone;
        self.objects.get_mut(kind).is_some_and(|known| known.remove(&metadata.name).is_some()) || gone
    }
}

/// Whether an object belongs to this one or to a Job of it, this one may adopt it, or it may have taken a name that this one needs.
fn matters(object: &Object, metadata: &ObjectMeta) -> bool {
    if metadata.controller_uid() == &*object.metadata().uid {
        return true;
    }
    match object {
        Object::CronJob(cron_job) => {
            let own = |name: &Text| name.strip_prefix(&*cron_job.metadata.name).is_some_and(|rest| rest.starts_with('-'));
            // A pod may come before its Job, which may have any name if it was started by hand.
            metadata.controller().is_some_and(|controller| *controller.kind == *Kind::Job.name()) || own(&metadata.name)
        }
        Object::Job(job) => {
            metadata.controller().is_none() && job.spec.selector.as_ref().is_some_and(|selector| selector.matches(&metadata.labels))
        }
        Object::Pod(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use contract::{Decision, Forecast};
    use play::Play;
    use play::trace::What;
    use script::Script;

    use super::*;

    fn guest() -> Guest {
        Guest::new(&crate::tests::component()).unwrap()
    }

    fn start() -> Timestamp {
        "2026-01-02T12:00:00Z".parse().unwrap()
    }

    fn manifest(spec: &str) -> Text {
        format!(
            r#"{{"metadata":{{"name":"pi"}},"spec":{{{spec}"template":{{"spec":{{"restartPolicy":"Never","containers":[{{"name":"main","image":"none"}}]}}}}}}}}"#
        )
        .into()
    }

    /// The explanation of a Job that was played for this many seconds, and the last decision with this code that was really made.
    fn played(spec: &str, script: &str, seconds: i64, code: &str) -> (Explanation, Option<Decision>) {
        let mut play = Play::new(guest(), &Script::parse(script).unwrap(), &[manifest(spec)], start()).unwrap();
        let (now, mut last) = (start() + api::Duration::from_secs(seconds), None);
        while let Some(moment) = play.next_moment(now) {
            let decisions = moment
                .into_iter()
                .flat_map(|step| step.entries)
                .filter_map(|entry| if let What::Decision { decision, .. } = entry.what { Some(decision) } else { None });
            last = decisions.filter(|decision| decision.code() == code).last().or(last);
        }
        let objects = |kind| play.server().objects(kind).map(|stored| stored.json()).collect::<Vec<_>>();
        let mut subject = Explained::new(Kind::Job, &objects(Kind::Job)[0]).unwrap();
        for kind in subject.kinds() {
            assert!(!subject.complete());
            let event = Event::Listed(Listing {
                kind: kind.name().into(),
                part: Part::Whole,
                resource_version: "0".into(),
                objects: objects(*kind),
            });
            subject.handle(&event);
        }
        assert!(subject.complete() && !subject.gone());
        (subject.explain(&mut guest(), true, &Zone::utc(), now).unwrap(), last)
    }

    fn codes(forecast: &Forecast) -> Vec<&str> {
        forecast.decisions.iter().map(Decision::code).collect()
    }

    #[test]
    fn back_off_is_known_although_the_failed_pods_are_counted() {
        let (explanation, taken) = played("", "pods: exit 3 after 2s", 25, "BacksOff");
        let explained = explanation.now.decisions.iter().find(|decision| decision.code() == "BacksOff").unwrap();
        assert_eq!(Some(explained), taken.as_ref());
        let waits = explanation.requeue_at.unwrap();
        assert_eq!(explained.value("until"), Some(&contract::Value::Time(waits.at)));
        let next = explanation.next.unwrap();
        assert!(codes(&next).contains(&"Creates") && next.batches.concat().len() == 2, "{next:#?}");
        let failed: Vec<&str> = explanation.related.iter().map(|related| related.decision.code()).collect();
        assert_eq!(failed, ["CountsFailure"; 2]);
    }

    #[test]
    fn a_success_ends_the_row_of_failures() {
        let script = "pod pi-00001: exit 3 after 2s\npod pi-00002: succeed after 2s\npods: runs forever";
        let (explanation, taken) = played(r#""completions":3,"#, script, 40, "Creates");
        assert!(taken.is_some() && codes(&explanation.now).contains(&"HasEnough"), "{:?}", codes(&explanation.now));
        assert_eq!((explanation.related.len(), explanation.requeue_at), (1, None));
    }

    #[test]
    fn each_failed_pod_is_explained_by_the_rule_that_judged_it() {
        let policy = r#""completionMode":"Indexed","completions":3,"parallelism":3,"backoffLimitPerIndex":1,"podFailurePolicy":{"rules":[
            {"action":"Ignore","onExitCodes":{"operator":"In","values":[42]}},{"action":"FailIndex","onExitCodes":{"operator":"In","values":[43]}}]},"#;
        let script =
            "index 0 attempt 1: exit 42 after 2s\nindex 1: exit 43 after 2s\nindex 2 attempt 1: exit 1 after 2s\npods: runs forever";
        let (explanation, _) = played(policy, script, 60, "");
        let explained: Vec<&str> = explanation.related.iter().map(|related| related.decision.code()).collect();
        assert_eq!(explained, ["IgnoresFailure", "CountsFailureByPolicy", "CountsFailure"], "{:#?}", explanation.related);
    }

    #[test]
    fn a_job_is_explained_as_its_manager_decides() {
        let finalizers = |explanation: &Explanation, finalizer: &str| {
            explanation.now.batches.iter().flatten().any(|command| command.request.body.contains(finalizer))
        };
        let (explanation, _) = played(r#""managedBy":"jobsmith.dev/controller","#, "", 5, "");
        assert_eq!(codes(&explanation.now), ["StartsClock", "Creates", "WritesStatus"]);
        assert!(finalizers(&explanation, "jobsmith.dev/job-tracking"));
        assert_eq!(explanation.next, None, "what follows depends on the requests");
        let (explanation, _) = played(r#""managedBy":"example.com/jobs","#, "", 5, "");
        assert_eq!(codes(&explanation.now), ["StartsClock", "Creates", "WritesStatus"]);
        assert!(finalizers(&explanation, JOB_TRACKING));
        let headline = explanation.headline.to_string();
        assert!(headline.contains("example.com/jobs manages it"), "{headline}");
    }

    #[test]
    fn of_the_job_of_another_controller_nothing_is_said_but_who_manages_it() {
        let job = r#"{"metadata":{"name":"pi","namespace":"default","uid":"u","creationTimestamp":"2026-01-02T12:00:00Z"},
            "spec":{"managedBy":"example.com/jobs","ttlSecondsAfterFinished":60,"template":{}}STATUS}"#;
        let explained = |status: &str| {
            let job = job.replace("STATUS", status);
            let mut subject = Explained::new(Kind::Job, &job).unwrap();
            subject.apply(&Kind::Job.name().into(), &job.into());
            assert!(subject.foreign());
            subject.explain(&mut guest(), false, &Zone::utc(), start()).unwrap()
        };
        let unfinished = explained("");
        assert_eq!((codes(&unfinished.now), unfinished.requeue_at, unfinished.obstacles.len()), (vec![], None, 1));
        let finished =
            explained(r#","status":{"conditions":[{"type":"Complete","status":"True","lastTransitionTime":"2026-01-02T12:00:00Z"}]}"#);
        assert_eq!((codes(&finished.now).len(), finished.controllers), (1, vec!["ttl".to_owned()]), "its TTL counts");
    }

    #[test]
    fn the_pods_of_a_cron_job_can_be_left_out() {
        let mut subject = each_morning("");
        assert!(subject.leave_out_pods() && !subject.leave_out_pods());
        let explanation = subject.explain(&mut guest(), false, &Zone::utc(), "2026-01-01T00:00:00Z".parse().unwrap()).unwrap();
        assert_eq!(codes(&explanation.now), ["NotDue"]);
        assert!(!Explained::new(Kind::Job, &manifest("")).unwrap().leave_out_pods(), "a Job is nothing without its pods");
    }

    #[test]
    fn of_a_finished_job_nothing_follows() {
        let (explanation, _) = played(r#""backoffLimit":0,"#, "pods: exit 3 after 2s", 60, "");
        assert_eq!((codes(&explanation.now), explanation.requeue_at), (vec!["AlreadyFinished"], None));
        assert_eq!(explanation.related.len(), 1);
    }

    /// The explanation of a CronJob with this spec that runs each minute, after this many seconds; with the states of its last runs.
    fn scheduled(spec: &str, seconds: i64) -> (Explanation, Vec<String>) {
        let template = r#"{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"none"}]}}}}"#;
        let manifest = format!(
            r#"{{"kind":"CronJob","metadata":{{"name":"each"}},"spec":{{"schedule":"* * * * *",{spec}"jobTemplate":{template}}}}}"#
        );
        let mut play = Play::new(guest(), &Script::parse("pods: succeed after 2s").unwrap(), &[manifest.into()], start()).unwrap();
        let now = start() + api::Duration::from_secs(seconds);
        while play.next_moment(now).is_some() {}
        let objects = |kind| play.server().objects(kind).map(|stored| stored.json()).collect::<Vec<_>>();
        let mut subject = Explained::new(Kind::CronJob, &objects(Kind::CronJob)[0]).unwrap();
        for kind in subject.kinds() {
            assert!(!subject.complete());
            let (kind, objects) = (kind.name().into(), objects(*kind));
            subject.handle(&Event::Listed(Listing { kind, part: Part::Whole, resource_version: "0".into(), objects }));
        }
        assert!(subject.complete() && !subject.gone() && subject.manager().is_none());
        let explanation = subject.explain(&mut guest(), true, &Zone::utc(), now).unwrap();
        let runs = explanation.related.iter().map(|related| {
            let state = related.decision.value("state").map(|state| format!("{state:?}")).unwrap_or_default();
            format!("{} {state}", related.decision.code())
        });
        let runs = runs.collect();
        (explanation, runs)
    }

    #[test]
    fn a_cron_job_has_last_runs_and_a_next_one() {
        let (explanation, runs) = scheduled("", 150);
        assert_eq!(runs, [r#"HasJob Text("Complete")"#; 2]);
        assert_eq!((codes(&explanation.now), explanation.controllers), (vec!["NotDue"], vec!["cronjob".to_owned()]));
        assert_eq!(codes(&explanation.next.unwrap()), ["StartsJob"]);
        let (_, runs) = scheduled(r#""successfulJobsHistoryLimit":1,"#, 150);
        assert_eq!(runs, [r#"LeftNoRecord "#, r#"HasJob Text("Complete")"#]);
    }

    /// A CronJob that runs each morning and has these annotations.
    fn each_morning(annotations: &str) -> Explained {
        let template = r#"{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"none"}]}}}}"#;
        let metadata = r#""name":"each","namespace":"default","uid":"u","creationTimestamp":"2026-01-01T00:00:00Z""#;
        let cron_job = format!(
            r#"{{"metadata":{{{metadata},"annotations":{{{annotations}}}}},"spec":{{"schedule":"0 9 * * *","jobTemplate":{template}}}}}"#
        );
        let mut subject = Explained::new(Kind::CronJob, &cron_job).unwrap();
        subject.apply(&Kind::CronJob.name().into(), &cron_job.into());
        subject
    }

    #[test]
    fn a_schedule_without_a_time_zone_is_in_the_one_that_is_given() {
        let subject = each_morning("");
        let next = |zone: &str| {
            let explanation = subject.explain(&mut guest(), true, &Zone::named(zone).unwrap(), "2026-01-01T00:00:00Z".parse().unwrap());
            api::time::text(api::time::whole_seconds(explanation.unwrap().requeue_at.unwrap().at))
        };
        assert_eq!(["UTC", "America/New_York"].map(next), ["2026-01-01T09:00:00Z", "2026-01-01T14:00:00Z"]);
    }

    #[test]
    fn kubernetes_decides_about_a_cron_job_whose_annotation_no_controller_can_have_as_its_name() {
        let subject = each_morning(r#""jobsmith.dev/managed-by":"nobody""#);
        let explanation = subject.explain(&mut guest(), true, &Zone::utc(), "2026-01-01T00:00:00Z".parse().unwrap()).unwrap();
        assert_eq!((subject.manager(), codes(&explanation.now)), (None, vec!["NotDue"]));
        assert_eq!(each_morning(r#""jobsmith.dev/managed-by":"example.com/jobs""#).manager(), Some("example.com/jobs"));
    }

    #[test]
    fn jobs_that_a_cron_job_may_want_the_names_of_matter_to_it() {
        let cron_job = r#"{"metadata":{"name":"each","namespace":"default","uid":"u"},"spec":{"schedule":"* * * * *"}}"#;
        let mut subject = Explained::new(Kind::CronJob, cron_job).unwrap();
        let job = |name: &str| {
            let text = format!(r#"{{"metadata":{{"name":"{name}","namespace":"default","uid":"{name}"}}}}"#).into();
            Event::Changed(Change::Applied(ObjectJson { kind: Kind::Job.name().into(), json: text }))
        };
        assert!(subject.handle(&job("each-29455980")) && !subject.handle(&job("every-29455980")));
    }

    #[test]
    fn pods_of_others_do_not_matter_and_a_job_can_go() {
        let play = Play::new(guest(), &Script::default(), &[manifest("")], start()).unwrap();
        let job = play.server().objects(Kind::Job).next().unwrap().json();
        let mut subject = Explained::new(Kind::Job, &job).unwrap();
        let pod = |name: &str, owner: &str| {
            format!(
                r#"{{"metadata":{{"name":"{name}","ownerReferences":[{{"kind":"Job","name":"pi","uid":"{owner}","controller":true}}]}}}}"#
            )
            .into()
        };
        let json = |kind: Kind, text| ObjectJson { kind: kind.name().into(), json: text };
        let change = |text| Event::Changed(Change::Applied(json(Kind::Pod, text)));
        assert!(!subject.handle(&change(pod("a", "another"))));
        let own = change(pod("a", &subject.object.metadata().uid));
        assert!(subject.handle(&own) && !subject.handle(&own));
        assert!(subject.handle(&change(pod("a", "another"))), "it was taken from the Job");
        subject.handle(&Event::Changed(Change::Applied(json(Kind::Job, job.clone()))));
        assert!(subject.handle(&Event::Changed(Change::Deleted(json(Kind::Job, job)))) && subject.gone());
    }
}

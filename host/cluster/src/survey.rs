//! All Jobs and CronJobs of a namespace and their pods, listed into one instance, which explains each of them.
//!
//! Docs: `jobsmith explain --help`. A single object, which may be watched, is in `explain.rs`.

use std::collections::{BTreeMap, HashMap};

use api::meta::Labels;
use api::syntax::check_manager;
use api::{Kind, Object, ObjectMeta, Text, Timestamp, WarningEvent};
use contract::{Event, Explanation, Listing, Manager as _, ObjectRef, Part};
use host_embed::Guest;
use schedule::Zone;
use serde::Deserialize;

use crate::explain::{add_defaults, configuration, known};

/// How many objects an instance is given at a time.
const PART: usize = 1000;

/// What is there, as JSON.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// The CronJobs.
    pub cron_jobs: Vec<Text>,
    /// The Jobs.
    pub jobs: Vec<Text>,
    /// The pods, those of others too.
    pub pods: Vec<Text>,
    /// Events of type `Warning`.
    pub warnings: Vec<Text>,
    /// The annotations that all Jobs have that do not have them themselves.
    pub defaults: Labels,
}

/// A Job or CronJob and its explanation.
#[derive(Debug, Clone)]
pub struct Surveyed {
    /// The object.
    pub object: Object,
    /// What it is stuck on, and what is decided about it.
    pub explanation: Explanation,
}

/// The managers of a Job, or of a CronJob's Jobs, and of the CronJob: `None` is Kubernetes' own.
type Managers = (Option<Text>, Option<Text>);

/// The metadata of any object.
#[derive(Deserialize)]
struct Described {
    metadata: ObjectMeta,
}

impl Survey {
    /// The Jobs and CronJobs that can be decoded.
    #[must_use]
    pub fn objects(&self) -> Vec<Object> {
        let decoded = |kind: Kind, texts: &[Text]| texts.iter().filter_map(|text| Object::decode(kind, text).ok()).collect::<Vec<_>>();
        [decoded(Kind::CronJob, &self.cron_jobs), decoded(Kind::Job, &self.jobs)].concat()
    }

    /// Explains these of its objects, each as its manager decides if that is Kubernetes' own controller, or ours.
    ///
    /// # Errors
    /// If the component refuses its configuration, or traps.
    pub fn explain(&self, guest: &mut Guest, objects: Vec<Object>, zone: &Zone, now: Timestamp) -> Result<Vec<Surveyed>, String> {
        let warnings = self.warnings_by_object(&objects);
        let mut groups: BTreeMap<Managers, Vec<Object>> = BTreeMap::new();
        let of_jobs = managers_of_jobs(&objects);
        for object in objects {
            groups.entry(managers(&object, &of_jobs)).or_default().push(object);
        }
        let mut surveyed = Vec::new();
        for ((of_jobs, of_cron_jobs), objects) in groups {
            let mut configuration = configuration(of_jobs.as_deref(), of_cron_jobs.as_deref(), zone);
            add_defaults(&mut configuration, &self.defaults);
            guest.configure(&configuration.to_string())?;
            self.list(guest, now);
            for object in objects {
                let reference = ObjectRef::of(object.kind().name(), object.metadata());
                let warnings = warnings.get(&object.metadata().uid).map_or(&[][..], |warnings| &warnings[..]);
                let explanation = guest.explain(&reference, warnings, now);
                if let Some(reason) = guest.lost() {
                    return Err(format!("the controllers crashed, which is a bug: {reason}"));
                }
                // A malformed object is left alone, as a controller leaves it alone.
                surveyed.extend(explanation.ok().map(|explanation| Surveyed { object, explanation }));
            }
        }
        Ok(surveyed)
    }

    /// Hands all objects to an instance.
    fn list(&self, guest: &mut Guest, now: Timestamp) {
        for (kind, objects) in [(Kind::CronJob, &self.cron_jobs), (Kind::Job, &self.jobs), (Kind::Pod, &self.pods)] {
            let last = objects.len().div_ceil(PART).max(1);
            for number in 1..=last {
                let objects = &objects[(number - 1) * PART..objects.len().min(number * PART)];
                let part = match (number == 1, number == last) {
                    (true, true) => Part::Whole,
                    (true, false) => Part::First,
                    (false, false) => Part::Middle,
                    (false, true) => Part::Last,
                };
                let listing = Listing { kind: kind.name().into(), part, resource_version: "1".into(), objects: objects.to_vec() };
                let _ = guest.handle(Event::Listed(listing), now);
            }
        }
    }

    /// The Events about each object, about those that it controls, and about those that they control, by its UID.
    fn warnings_by_object(&self, objects: &[Object]) -> HashMap<Text, Vec<Text>> {
        let mut owners: HashMap<Text, Text> = HashMap::new();
        let mut owned = |metadata: &ObjectMeta| owners.insert(metadata.uid.clone(), metadata.controller_uid().into());
        objects.iter().for_each(|object| drop(owned(object.metadata())));
        if !self.warnings.is_empty() {
            let pods = self.pods.iter().filter_map(|text| serde_json::from_str::<Described>(text).ok());
            pods.for_each(|pod| drop(owned(&pod.metadata)));
        }
        let mut warnings: HashMap<Text, Vec<Text>> = HashMap::new();
        for text in &self.warnings {
            let about = WarningEvent::read(text).map(|warning| warning.uid);
            for uid in std::iter::successors(about, |uid| owners.get(uid).cloned()).take_while(|uid| !uid.is_empty()) {
                warnings.entry(uid).or_default().push(text.clone());
            }
        }
        warnings
    }
}

/// The managers of CronJobs' Jobs that decide as this component does, by the UID of the CronJob.
fn managers_of_jobs(objects: &[Object]) -> HashMap<Text, Text> {
    let managed = |object: &Object| {
        let job = object.job()?;
        let manager = job.spec.managed_by.clone().filter(|manager| known(manager))?;
        Some((job.metadata.controller()?.uid.clone(), manager))
    };
    objects.iter().filter_map(managed).collect()
}

fn managers(object: &Object, of_jobs: &HashMap<Text, Text>) -> Managers {
    match object {
        Object::Job(job) => (job.spec.managed_by.clone().filter(|manager| known(manager)), None),
        Object::CronJob(cron_job) => {
            let own = cron_job.managed_by().filter(|name| check_manager(name).is_ok()).cloned();
            (of_jobs.get(&cron_job.metadata.uid).or(own.as_ref()).cloned(), own)
        }
        Object::Pod(_) => (None, None),
    }
}

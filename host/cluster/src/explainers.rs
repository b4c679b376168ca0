//! Instances that explain Jobs for as long as they are watched: one for each manager that decides as this component does.
//!
//! Docs: `jobsmith wait --help`. A single object is explained in `explain.rs`, all of a namespace once in `survey.rs`.

use std::collections::BTreeMap;

use api::{Job, Kind, Text, Timestamp};
use contract::{Event, Explanation, Manager as _, ObjectRef};
use host_embed::{Component, Guest};
use schedule::Zone;
use serde_json::json;

use crate::explain::{configuration, known};

/// Instances by the manager of the Jobs that they explain; `None` is Kubernetes' own.
pub struct Explainers(BTreeMap<Option<Text>, Guest>);

impl Explainers {
    /// Makes the instances that explain these Jobs.
    ///
    /// # Errors
    /// If this machine has no room for them.
    pub fn new<'a>(component: &Component, jobs: impl Iterator<Item = &'a Job>) -> Result<Self, String> {
        let mut guests = BTreeMap::new();
        for manager in jobs.map(manager) {
            let mut guest = Guest::new(component)?;
            let mut configuration = configuration(manager.as_deref(), None, &Zone::utc());
            configuration["controllers"] = json!(["job"]);
            guest.configure(&configuration.to_string())?;
            guests.insert(manager, guest);
        }
        Ok(Self(guests))
    }

    /// Handles what the cluster shows of Jobs and pods.
    pub fn handle(&mut self, event: &Event, now: Timestamp) {
        for guest in self.0.values_mut() {
            // A malformed object is left alone, as a controller leaves it alone.
            let _ = guest.handle(event.clone(), now);
        }
    }

    /// What is decided about a Job; `None` if that is not known, for example because not everything is listed yet.
    pub fn explain(&mut self, job: &Job, warnings: &[Text], now: Timestamp) -> Option<Explanation> {
        let guest = self.0.get_mut(&manager(job))?;
        guest.explain(&ObjectRef::of(Kind::Job.name(), &job.metadata), warnings, now).ok()
    }
}

fn manager(job: &Job) -> Option<Text> {
    job.spec.managed_by.clone().filter(|manager| known(manager))
}

//! The manager: what is known of the cluster, and a router to the controllers.
//!
//! Docs: `crates/component/wit/controllers.wit`. What the cluster stores is in `runtime/informer.rs`, what a controller makes of it in its folder.

use api::{Kind, Malformed, Text, Timestamp, WarningEvent};
use contract::decision::TextPart;
use contract::metrics::Family;
use contract::{ApiResource, Event, Explanation, Listing, ObjectRef, Plan, Report, Wakeup};

use crate::config::Config;
use crate::registry::CONTROLLERS;
use crate::runtime::{Context, Informer, Issuer, Run, Store, StoreChange, WatchProgress, order};

/// The controllers of one cluster.
pub struct ControllerManager {
    informer: Informer,
    controllers: Vec<Box<dyn Run>>,
    kinds: Vec<Kind>,
    issuer: Issuer,
}

impl ControllerManager {
    /// A manager that knows nothing of the cluster yet.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let chosen = CONTROLLERS.iter().filter(|controller| config.controllers.iter().any(|name| **name == *controller.name));
        let controllers: Vec<Box<dyn Run>> = chosen.flat_map(|controller| (controller.workers)(config)).collect();
        let watched = |kind: &Kind| controllers.iter().any(|controller| controller.kinds().contains(kind));
        let kinds = Kind::ALL.into_iter().filter(watched).collect();
        Self { informer: Informer::default(), controllers, kinds, issuer: Issuer::new(config.decisions) }
    }

    /// What is known of the cluster.
    #[cfg(test)]
    pub(crate) fn informer(&self) -> &Informer {
        &self.informer
    }

    /// What to list and watch.
    pub fn resources(&self) -> Vec<ApiResource> {
        self.kinds.iter().copied().map(ApiResource::from).collect()
    }

    /// Handles one event.
    ///
    /// # Errors
    /// If an object is malformed; what holds then is in the WIT.
    pub fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        let Self { informer, controllers, issuer, .. } = self;
        let mut route = |change: &StoreChange<'_>, store: &Store, progress: &WatchProgress| {
            controllers.iter_mut().for_each(|controller| controller.changed(change, &Context { store, progress, now }));
        };
        let (progressed, result) = match event {
            Event::Changed(change) => (informer.changed(&change, &mut route)?, Ok(())),
            Event::Listed(Listing { kind, part, resource_version, objects }) => {
                informer.listed(&kind, part, &resource_version, &objects, &mut route)
            }
            Event::Finished(Report { plan, outcomes }) => {
                let context = informer.context(now);
                controllers.iter_mut().for_each(|controller| controller.finished(plan, &outcomes, issuer, &context));
                (None, Ok(()))
            }
        };
        if let Some((kind, namespace)) = progressed {
            let context = informer.context(now);
            controllers.iter_mut().for_each(|controller| controller.shown(kind, namespace.as_ref(), &context));
        }
        result
    }

    /// The next plan that is due and not empty; none before each kind was listed to the end (J-05).
    pub fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        loop {
            let plan = self.next_sync(now)?;
            if !plan.is_empty() {
                return Some(plan);
            }
        }
    }

    /// The plan of the next sync. It is empty if there is nothing to do, and what was decided is not reported.
    fn next_sync(&mut self, now: Timestamp) -> Option<Plan> {
        if !self.informer.lists.complete(&self.kinds) {
            return None;
        }
        self.informer.progress.settle();
        let Self { informer, controllers, issuer, .. } = self;
        let context = informer.context(now);
        if let Some(plan) = controllers.iter_mut().find_map(|controller| controller.next_rest(issuer, &context)) {
            return Some(plan);
        }
        let earliest = |controllers: &[Box<dyn Run>]| {
            let due = controllers.iter().enumerate().filter_map(|(at, controller)| Some((controller.next_due()?, at)));
            due.min().filter(|(due, _)| *due <= now)
        };
        while let Some((_, at)) = earliest(controllers) {
            if let Some(plan) = controllers[at].next_due_plan(issuer, &context) {
                return Some(plan);
            }
        }
        controllers.iter_mut().find_map(|controller| controller.next_waiting(issuer, &context))
    }

    /// When to call [`next_plan`](Self::next_plan) again if nothing else happens, and why.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Wakeup> {
        if !self.informer.lists.complete(&self.kinds) {
            return None;
        }
        self.controllers.iter().filter_map(|controller| controller.next_wakeup(&self.informer.store)).min_by_key(|wakeup| wakeup.at)
    }

    /// What is decided about an object.
    ///
    /// # Errors
    /// If a kind is not listed yet, or no controller knows the object.
    pub fn explain(&self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        if !self.informer.lists.complete(&self.kinds) {
            return Err("the cluster is not listed yet".to_owned());
        }
        let context = self.informer.context(now);
        let warnings: Vec<WarningEvent> = warnings.iter().filter_map(|text| WarningEvent::read(text)).collect();
        let explanations = self.controllers.iter().filter_map(|controller| controller.explain(object, &warnings, &context));
        let explanation = explanations.reduce(Explanation::and);
        let explanation = explanation.ok_or_else(|| format!("no controller knows {} {}/{}", object.kind, object.namespace, object.name))?;
        Ok(self.followed(explanation, object, &warnings, &context))
    }

    /// The explanation with what keeps the objects that this one waits for: of a CronJob, its Job that does not finish.
    fn followed(&self, mut explanation: Explanation, object: &ObjectRef, warnings: &[WarningEvent], context: &Context<'_>) -> Explanation {
        let others =
            explanation.obstacles.iter().enumerate().filter(|(_, obstacle)| obstacle.objects.iter().any(|other| other.kind != object.kind));
        let Some((place, other)) = others.map(|(place, obstacle)| (place, obstacle.objects[0].clone())).next() else { return explanation };
        let followed =
            self.controllers.iter().filter_map(|controller| controller.explain(&other, warnings, context)).reduce(Explanation::and);
        let Some(followed) = followed.filter(|followed| !followed.obstacles.is_empty()) else { return explanation };
        if place == 0 {
            explanation.headline.0.push(TextPart::Text("; ".into()));
            explanation.headline.0.extend(followed.headline.0);
        }
        let nearest = &followed.obstacles[0];
        (explanation.obstacles[place].passes, explanation.obstacles[place].remedy) = (nearest.passes, nearest.remedy.clone());
        explanation.obstacles.splice(place + 1..place + 1, followed.obstacles);
        explanation
    }

    /// All that was counted, and how long the queues are at this time, by name.
    #[must_use]
    pub fn metrics(&self, now: Timestamp) -> Vec<Family> {
        let depth = Family {
            name: "workqueue_depth".to_owned(),
            help: "Keys that are due but not being processed, by queue".to_owned(),
            samples: self.controllers.iter().map(|controller| controller.depth(now)).collect(),
        };
        let counted = self.controllers.iter().flat_map(|controller| controller.metrics());
        let families: Vec<Family> = counted.chain([depth]).collect();
        order::sorted(&families, |one, other| one.name.cmp(&other.name))
    }
}

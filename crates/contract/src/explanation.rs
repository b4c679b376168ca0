//! The explanation of an object: what is decided about an object, what it waits for, and what comes next.
//!
//! Docs: `crates/component/wit/controllers.wit`, `explanation`; `jobsmith explain`. Nothing of it is carried out.

use api::{Text, Timestamp};
use serde::Serialize;

use crate::decision::{Decision, Sentence};
use crate::plan::{Command, ObjectRef, Requeue};

/// What is decided about one object at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The controllers that decide.
    pub controllers: Vec<String>,
    /// The answer in one sentence: how the object ended, what it is stuck on, or what it waits for.
    pub headline: Sentence,
    /// What keeps the object from making progress, the nearest cause first.
    pub obstacles: Vec<Obstacle>,
    /// What they decide at this moment.
    pub now: Forecast,
    /// When the first of them syncs the object again, if nothing changes before.
    pub requeue_at: Option<Requeue>,
    /// What it decides then; none if that depends on the outcomes of the requests in `now`.
    pub next: Option<Forecast>,
    /// What is decided, or was, about other objects that belong to this one: of a Job, about each failed pod that is there; of a CronJob, about the
    /// Job of each of its last scheduled times, the earliest first, whether it is there or not.
    pub related: Vec<Related>,
}

impl Explanation {
    /// The obstacles that the headline does not name.
    pub fn beside_headline(&self) -> impl Iterator<Item = &Obstacle> {
        let headline = self.headline.to_string();
        self.obstacles.iter().filter(move |obstacle| !headline.contains(&obstacle.sentence.to_string()))
    }

    /// Whether the object gets no further without somebody's help.
    #[must_use]
    pub fn stuck(&self) -> bool {
        self.obstacles.first().is_some_and(|first| !first.passes)
    }

    /// Whether it gets no further because somebody wants it so: it is suspended or wants no pods, or another controller decides about it.
    #[must_use]
    pub fn held(&self) -> bool {
        self.obstacles.first().is_some_and(|first| matches!(&*first.code, "Suspended" | "NoPodsWanted" | "ManagedByOther"))
    }

    /// The same with what another controller decides about the object.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let Self { controllers, headline, obstacles, now, requeue_at, next, related } = other;
        self.controllers.extend(controllers);
        if self.headline.0.is_empty() {
            self.headline = headline;
        }
        self.obstacles.extend(obstacles);
        self.now.decisions.extend(now.decisions);
        self.now.batches.extend(now.batches);
        self.related.extend(related);
        let earlier = |requeue: &Requeue| self.requeue_at.as_ref().is_none_or(|own| requeue.at < own.at);
        if requeue_at.as_ref().is_some_and(earlier) {
            (self.requeue_at, self.next) = (requeue_at, next);
        }
        self
    }
}

/// Something that keeps an object from making progress.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Obstacle {
    /// Which obstacle, in one stable word: `Unschedulable`.
    pub code: Text,
    /// The objects that are stuck, by name: of more than 20, the first 20.
    pub objects: Vec<ObjectRef>,
    /// How many objects are stuck.
    pub count: u32,
    /// Since when, if that is known.
    pub since: Option<Timestamp>,
    /// When it passes; `None` if that is not known, or if it does not pass by itself.
    pub until: Option<Timestamp>,
    /// Whether it passes without anybody's help.
    pub passes: bool,
    /// The obstacle in words, without a full stop.
    pub sentence: Sentence,
    /// What helps on a cluster, in words; may be empty.
    pub remedy: Sentence,
}

/// What is decided at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Forecast {
    /// Why.
    pub decisions: Vec<Decision>,
    /// The requests that would be sent, batch by batch.
    pub batches: Vec<Vec<Command>>,
}

/// A decision about an object that belongs to another one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Related {
    /// The object.
    pub object: ObjectRef,
    /// The decision.
    pub decision: Decision,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation(controller: &str, requeue_at: Option<i64>) -> Explanation {
        let at = |second| Timestamp::from_second(second).unwrap();
        let requeue_at = requeue_at.map(|second| Requeue { at: at(second), reason: controller.to_owned() });
        let next = requeue_at.is_some().then(Forecast::default);
        Explanation {
            controllers: vec![controller.to_owned()],
            headline: Sentence::default(),
            obstacles: Vec::new(),
            now: Forecast::default(),
            requeue_at,
            next,
            related: Vec::new(),
        }
    }

    #[test]
    fn of_two_controllers_the_one_that_looks_again_first_comes_next() {
        let next = |one, other| {
            let both = explanation("job", one).and(explanation("ttl", other));
            assert_eq!(both.controllers, ["job", "ttl"]);
            assert_eq!(both.next.is_some(), both.requeue_at.is_some());
            both.requeue_at.map(|requeue| requeue.reason)
        };
        assert_eq!(next(None, None), None);
        assert_eq!(next(Some(1), None).as_deref(), Some("job"));
        assert_eq!(next(None, Some(1)).as_deref(), Some("ttl"));
        assert_eq!(next(Some(2), Some(1)).as_deref(), Some("ttl"));
        assert_eq!(next(Some(1), Some(2)).as_deref(), Some("job"));
    }
}

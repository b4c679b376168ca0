//! A Job that is waited for: how it ended, what it is stuck on, and since when.
//!
//! Docs: `jobsmith wait --help`; `crates/component/wit/controllers.wit`, `obstacle`. What the cluster shows is received in `mod.rs`.

use std::time::Duration;

use api::{Job, Kind, Object, Text, Timestamp};
use contract::{Change, Event, Explanation, Listing, ObjectJson};

use super::super::explain::clock;
use super::super::target::ObjectTarget;
use crate::zone_clock::ZoneClock;
use crate::{CommandEnd, output};

/// How long a Job gets on before what it was stuck on counts as gone: a container that crashes runs now and then.
const RECOVERED: Duration = Duration::from_secs(60);

/// A Job that is waited for.
pub(super) struct AwaitedJob {
    target: ObjectTarget,
    /// The Job as it was seen last.
    pub(super) job: Job,
    /// How it ended.
    pub(super) end: Option<CommandEnd>,
    gone: bool,
    /// Whether a list that is being received has had it.
    listed: bool,
    explanation: Option<Explanation>,
    /// The obstacles that were printed last.
    printed: Vec<Text>,
    stuck: Option<StuckSpell>,
}

/// Prints how each Job ended, as soon as it has; returns whether all have.
pub(super) fn report_ended(jobs: &mut [AwaitedJob]) -> bool {
    let mut all = true;
    for job in jobs {
        all &= job.report_ended();
    }
    all
}

/// An obstacle that does not pass by itself.
struct StuckSpell {
    code: Text,
    since: Timestamp,
    seen_at: Timestamp,
}

impl AwaitedJob {
    pub(super) fn new(target: ObjectTarget, job: Job) -> Self {
        Self { target, job, end: None, gone: false, listed: false, explanation: None, printed: Vec::new(), stuck: None }
    }

    /// Prints how it ended, once it has; returns whether it has.
    fn report_ended(&mut self) -> bool {
        if self.end.is_none() && self.job.finished() {
            let condition = self.job.finished_by();
            let how = condition.map(|condition| format!("{}: {}: {}", condition.kind, condition.reason, condition.message));
            output::text(&format!("{} is {}\n", self.target, how.unwrap_or_default().trim_end_matches([' ', ':'])));
            self.end = Some(CommandEnd::of(&self.job));
        } else if self.end.is_none() && self.gone {
            output::error(&format!("{} was deleted before it finished", self.target));
            self.end = Some(CommandEnd::Failed);
        }
        self.end.is_some()
    }

    /// Handles what the cluster shows.
    pub(super) fn handle(&mut self, event: &Event) {
        match event {
            Event::Changed(Change::Applied(object)) => {
                self.apply(object);
            }
            Event::Changed(Change::Deleted(object)) => self.gone |= self.apply(object),
            Event::Listed(Listing { kind, part, objects, .. }) if **kind == *Kind::Job.name() => {
                self.listed &= !part.begins();
                for json in objects {
                    self.listed |= self.apply(&ObjectJson { kind: kind.clone(), json: json.clone() });
                }
                self.gone |= part.ends() && !self.listed;
            }
            Event::Listed(_) | Event::Finished(_) => {}
        }
    }

    /// Takes over the Job's state; returns whether it is this Job.
    fn apply(&mut self, ObjectJson { kind, json }: &ObjectJson) -> bool {
        let own = **kind == *Kind::Job.name() && json.contains(&*self.job.metadata.uid);
        match own.then(|| Object::decode(Kind::Job, json)) {
            Some(Ok(Object::Job(job))) if job.metadata.uid == self.job.metadata.uid => {
                self.job = *job;
                true
            }
            _ => false,
        }
    }

    /// Takes over what the Job is stuck on, and prints it if it is new; returns whether it is.
    pub(super) fn explained(&mut self, explanation: Explanation, now: Timestamp) -> bool {
        let lasting = || explanation.obstacles.iter().filter(|obstacle| !obstacle.passes);
        let codes: Vec<Text> = lasting().map(|obstacle| obstacle.code.clone()).collect();
        match lasting().next() {
            Some(first) => {
                let since = first.since.unwrap_or(now).min(now);
                let before = self.stuck.take().filter(|stuck| stuck.code == first.code).map_or(since, |stuck| stuck.since.min(since));
                self.stuck = Some(StuckSpell { code: first.code.clone(), since: before, seen_at: now });
            }
            None => self.stuck = self.stuck.take().filter(|stuck| now.duration_since(stuck.seen_at).unsigned_abs() < RECOVERED),
        }
        let new = !codes.is_empty() && codes != self.printed;
        if new {
            let help = lasting().next().map(|first| first.remedy.render(time(now))).filter(|help| !help.is_empty());
            let help = help.map(|help| format!("  help: {help}\n")).unwrap_or_default();
            output::complain(&format!("{}\n{help}", explanation.headline.render(time(now))));
            self.printed = codes;
        }
        self.explanation = Some(explanation);
        new
    }

    /// Whether it has been stuck for this long; prints so if it has.
    pub(super) fn stuck_for(&self, patience: Duration, now: Timestamp) -> bool {
        let stuck = self.stuck.as_ref().filter(|stuck| stuck.seen_at == now && now.duration_since(stuck.since).unsigned_abs() >= patience);
        if let Some(StuckSpell { since, .. }) = stuck {
            output::complain(&format!("{} has been stuck for {}\n", self.target, kubectl::between(*since, now)));
        }
        stuck.is_some()
    }

    /// Prints that the time is over, and what the Job waits for.
    pub(super) fn complain_of_time(&self) {
        let first = self.explanation.as_ref().and_then(|explanation| explanation.obstacles.first());
        let waits = first.map(|first| format!(": {}", first.sentence.render(time(Timestamp::now())))).unwrap_or_default();
        output::complain(&format!("{} has not finished{waits}\n", self.target));
    }
}

fn time(now: Timestamp) -> impl Fn(Timestamp) -> String {
    let here = ZoneClock::new(None);
    move |at| clock(at, now, &here)
}

#[cfg(test)]
mod tests {
    use contract::decision::Sentence;
    use contract::{Forecast, Obstacle};

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// An explanation with this obstacle, or with one that passes.
    fn explanation(code: &str, since: Option<i64>) -> Explanation {
        let (sentence, remedy) = (Sentence::default(), Sentence::default());
        let (since, passes) = (since.map(at), code.is_empty());
        let obstacle = Obstacle { code: code.into(), objects: Vec::new(), count: 1, since, until: None, passes, sentence, remedy };
        let (controllers, headline, now) = (Vec::new(), Sentence::default(), Forecast::default());
        Explanation { controllers, headline, obstacles: vec![obstacle], now, requeue_at: None, next: None, related: Vec::new() }
    }

    /// Whether a Job whose obstacles are these at these seconds has then been stuck for a minute.
    fn check(seen: &[(i64, &str, Option<i64>)], expected: bool) {
        let mut job = AwaitedJob::new(ObjectTarget { kind: Kind::Job, name: "pi".to_owned() }, Job::default());
        for (now, code, since) in seen {
            job.explained(explanation(code, *since), at(*now));
        }
        let last = seen.last().map_or(0, |(now, ..)| *now);
        assert_eq!(job.stuck_for(Duration::from_secs(60), at(last)), expected, "{seen:?}");
    }

    #[test]
    fn a_job_is_stuck_for_as_long_as_one_obstacle_stays() {
        check(&[(100, "A", Some(30))], true);
        check(&[(100, "A", Some(50))], false);
        check(&[(100, "A", None)], false);
        check(&[(100, "A", None), (160, "A", Some(150))], true);
        check(&[(100, "A", None), (160, "B", None)], false);
        check(&[(100, "A", None), (150, "", None), (170, "A", None)], true);
        check(&[(100, "A", None), (150, "", None), (170, "", None)], false);
        check(&[(100, "A", None), (110, "", None), (180, "", None), (190, "A", None)], false);
    }

    #[test]
    fn an_obstacle_is_printed_once() {
        let mut job = AwaitedJob::new(ObjectTarget { kind: Kind::Job, name: "pi".to_owned() }, Job::default());
        let mut printed = |code: &str, second| job.explained(explanation(code, None), at(second));
        assert_eq!([printed("A", 1), printed("A", 2), printed("", 3), printed("A", 4), printed("B", 5)], [true, false, false, false, true]);
    }
}

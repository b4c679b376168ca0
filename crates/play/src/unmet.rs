//! Which assertions a play does not meet, and what was observed instead.
//!
//! Docs: the language of assertions is described in `script`. What was observed is in `observed.rs`; work that runs twice is found in `overlap.rs`.

use std::collections::{BTreeMap, BTreeSet};

use api::{Duration, Text, Timestamp, time};
use script::{Asserted, AssertedCount, AssertedEnding, Assertion, Bound, Countable, Each, ObjectName, Selector, Statement, WhichRuns};

use crate::observed::{Observed, ObservedJob, ObservedPod, StepTime};
use crate::overlap::twice_at_once;
use crate::trace::Clock;

/// How many Jobs a sentence names at most.
const MOST_NAMES: usize = 3;

/// Of how many Jobs a summary says how each ended.
const MOST_ENDINGS: usize = 10;

/// An assertion that is not met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmetAssertion {
    /// The line and the column at which it is written, from 1.
    pub place: (usize, usize),
    /// The assertion, as the language writes it.
    pub expected: String,
    /// What was observed instead, in a sentence without its end.
    pub seen: String,
}

/// What was observed, and when the play ended.
pub(crate) struct Observation<'o> {
    pub(crate) observed: &'o Observed,
    pub(crate) clock: Clock,
    pub(crate) end: Timestamp,
}

/// Jobs and pods, by which an assertion is met together or not.
#[derive(Default)]
struct AssertedGroup<'o> {
    /// The Job, and the index of it; `None` if it is all that the assertion is about.
    of: Option<(&'o ObservedJob, Option<u32>)>,
    jobs: Vec<&'o ObservedJob>,
    pods: Vec<&'o ObservedPod>,
}

impl<'o> Observation<'o> {
    /// The assertions that are not met, in their order.
    pub(crate) fn unmet(&self, assertions: &[Statement<Assertion>]) -> Vec<UnmetAssertion> {
        let unmet = |statement: &Statement<Assertion>| {
            let Statement { line, column, what } = statement;
            let seen = self.instead(what)?;
            Some(UnmetAssertion { place: (*line, *column), expected: what.to_string(), seen })
        };
        assertions.iter().filter_map(unmet).collect()
    }

    /// How each Job ended, as assertions that are met, and how many pods there were at most; of a CronJob with many runs, how many ended how.
    pub(crate) fn summary(&self) -> String {
        let Observed { jobs, pods, .. } = self.observed;
        let alone = |job: &ObservedJob| jobs.iter().filter(|other| named(other) == named(job) && !self.replaced(other)).count() == 1;
        let ending = |job: &ObservedJob| {
            let Some((complete, reason)) = job.finish.clone().filter(|_| alone(job)) else {
                return job.ended.is_none().then_some(Asserted::NotFinished);
            };
            let within = job.ended.map(|ended| whole_seconds(ended.at.duration_since(job.created.at)));
            let reason = Some(reason).filter(|reason| !complete && !reason.is_empty());
            Some(Asserted::Ending(AssertedEnding { complete, reason, within }))
        };
        let about = |job: &ObservedJob| match &job.run_of {
            _ if jobs.len() == 1 => String::new(),
            Some((cron_job, run)) => {
                format!("cronjob {} run {run}: ", ObjectName::among(&job.namespace, cron_job, self.observed.namespaces.iter()))
            }
            None => format!("job {}: ", ObjectName::among(&job.namespace, &job.name, self.observed.namespaces.iter())),
        };
        let mut summary = String::new();
        if jobs.len() <= MOST_ENDINGS {
            summary.extend(jobs.iter().filter_map(|job| Some(format!("{}{}\n", about(job), ending(job)?))));
        } else {
            let all = AssertedGroup { of: None, jobs: jobs.iter().collect(), pods: Vec::new() };
            for of in [Countable::Jobs, Countable::CompleteJobs, Countable::FailedJobs] {
                let count = AssertedCount { bound: Bound::Exactly, number: total(&all, of), of, at_once: false };
                summary += &format!("{count}\n");
            }
        }
        summary + &format!("at most {}\n", Countable::Pods.words(u32::try_from(pods.len()).unwrap_or(u32::MAX)))
    }

    /// What was observed instead of what was expected.
    fn instead(&self, Assertion { which, each, what }: &Assertion) -> Option<String> {
        let jobs: BTreeSet<usize> = (0..self.observed.jobs.len()).filter(|place| self.is_about(which, *place)).collect();
        let of_jobs = which.job.is_some() || which.cron_job.is_some() || which.run.is_some() || each.is_some();
        let counts_all = matches!(what, Asserted::Count(_) | Asserted::NeverTwiceAtOnce) && !of_jobs;
        if jobs.is_empty() && !counts_all {
            return Some(self.no_job(which));
        }
        let pods = self.observed.pods.iter().filter(|pod| match pod.job {
            Some(job) => jobs.contains(&job) && indexed(which, pod),
            None => counts_all && which.index.is_none(),
        });
        let all = AssertedGroup { of: None, jobs: jobs.iter().map(|place| &self.observed.jobs[*place]).collect(), pods: pods.collect() };
        match what {
            Asserted::Ending(ending) => {
                list(all.jobs.iter().filter(|job| !self.replaced(job)).filter_map(|job| self.other_ending(job, ending)))
            }
            Asserted::NotFinished => list(all.jobs.iter().filter(|job| job.finish.is_some()).map(|job| self.ended(job))),
            Asserted::Count(count) => {
                let groups = self.groups(all, &jobs, *each, which);
                if groups.is_empty() {
                    return Some("no Job here has indexes: completionMode is not Indexed".to_owned());
                }
                list(groups.iter().filter_map(|group| self.other_count(group, *count)))
            }
            Asserted::NeverTwiceAtOnce => twice_at_once(self, &all.pods),
        }
    }

    /// Whether a Job was deleted before it finished, and another one of its name was created, which takes its place.
    fn replaced(&self, job: &ObservedJob) -> bool {
        let again = |other: &ObservedJob| named(other) == named(job) && other.created > job.created;
        job.finish.is_none() && job.ended.is_some() && self.observed.jobs.iter().any(again)
    }

    /// Whether a selector is about a Job, by its place.
    fn is_about(&self, which: &Selector, place: usize) -> bool {
        let ObservedJob { namespace, name, run_of, .. } = &self.observed.jobs[place];
        let of_run = |wanted: &WhichRuns| match (wanted, run_of) {
            (_, None) => false,
            (WhichRuns::Numbered(numbers), Some((_, run))) => numbers.contain(*run),
            // A run's Job is named after the minute for which it is scheduled (C-30).
            (WhichRuns::ScheduledAt(at), Some((cron_job, _))) => **name == format!("{cron_job}-{}", at.as_second().div_euclid(60)),
        };
        let of_cron_job = |wanted: &ObjectName| run_of.as_ref().is_some_and(|(cron_job, _)| wanted.is(namespace, cron_job));
        which.cron_job.as_ref().is_none_or(of_cron_job)
            && which.run.as_ref().is_none_or(of_run)
            && which.job.as_ref().is_none_or(|wanted| wanted.is(namespace, name))
    }

    /// That there is no Job that an assertion is about, and which there are.
    fn no_job(&self, which: &Selector) -> String {
        let names: Vec<String> = self.observed.jobs.iter().map(|job| self.name(job)).collect();
        if names.is_empty() {
            "no Job was created".to_owned()
        } else {
            format!("there is no {which}; there are {}", shortened(&names, ", "))
        }
    }

    /// The groups that meet an assertion about these Jobs, by their places, each by itself.
    fn groups(&self, all: AssertedGroup<'o>, jobs: &BTreeSet<usize>, each: Option<Each>, which: &Selector) -> Vec<AssertedGroup<'o>> {
        let Some(each) = each else { return vec![all] };
        let mut groups = BTreeMap::<(usize, Option<u32>), AssertedGroup<'o>>::new();
        for place in jobs {
            let job = &self.observed.jobs[*place];
            match each {
                Each::Job => _ = groups.insert((*place, None), AssertedGroup { of: Some((job, None)), jobs: vec![job], pods: Vec::new() }),
                Each::Index => {
                    let wanted = |index: &u32| which.index.as_ref().is_none_or(|numbers| numbers.contain(*index));
                    let group = |index| ((*place, Some(index)), AssertedGroup { of: Some((job, Some(index))), ..AssertedGroup::default() });
                    groups.extend((0..job.indexes.unwrap_or_default()).filter(wanted).map(group));
                }
            }
        }
        for pod in all.pods {
            let index = pod.index.filter(|_| each == Each::Index);
            if let Some(group) = pod.job.and_then(|job| groups.get_mut(&(job, index))) {
                group.pods.push(pod);
            }
        }
        groups.into_values().collect()
    }

    /// How a Job ended, if that is not as expected.
    fn other_ending(&self, job: &ObservedJob, AssertedEnding { complete, reason, within }: &AssertedEnding) -> Option<String> {
        let as_expected = job
            .finish
            .as_ref()
            .is_some_and(|(is_complete, is_reason)| is_complete == complete && reason.as_ref().is_none_or(|reason| reason == is_reason));
        if !as_expected {
            return Some(self.ended(job));
        }
        let took = job.ended.map_or(Duration::ZERO, |ended| ended.at.duration_since(job.created.at));
        let late = within.is_some_and(|within| took > within);
        let after = if job.created.at == self.clock.start { String::new() } else { format!(", {} after its creation", time::length(took)) };
        late.then(|| format!("{}{after}", self.ended(job)))
    }

    /// How a Job ended, or how it stands.
    fn ended(&self, job: &ObservedJob) -> String {
        let name = self.name(job);
        match (&job.finish, job.ended) {
            (Some((complete, reason)), Some(StepTime { at, .. })) => {
                let condition = if *complete { "Complete" } else { "Failed" };
                let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
                format!("{name} is {condition} at {}{reason}", self.clock.time(at))
            }
            (_, Some(StepTime { at, .. })) => format!("{name} was deleted at {}, before it finished", self.clock.time(at)),
            (_, None) => format!("{name} has not finished at {}, when the play ends", self.clock.time(self.end)),
        }
    }

    /// How many there are of something, if that is not as expected.
    fn other_count(&self, group: &AssertedGroup<'_>, AssertedCount { bound, number, of, at_once }: AssertedCount) -> Option<String> {
        let (count, at) = if at_once {
            let pods = group.pods.iter().map(|pod| (pod.created, pod.ended));
            if of == Countable::Jobs { peak(group.jobs.iter().map(|job| (job.created, job.ended))) } else { peak(pods) }
        } else {
            (total(group, of), None)
        };
        let had = || match group.of {
            Some((job, Some(index))) => format!("index {index} of {} had", self.name(job)),
            Some((job, None)) => format!("{} had", self.name(job)),
            None if count == 1 => "there was".to_owned(),
            None => "there were".to_owned(),
        };
        let at = at.map(|StepTime { at, .. }| format!(" at once at {}", self.clock.time(at))).unwrap_or_default();
        (!bound.allows(count, number)).then(|| format!("{} {}{at}", had(), of.words(count)))
    }

    /// The name of a Job: `job pi`, `run 2 (job nightly-29453880)`.
    pub(crate) fn name(&self, job: &ObservedJob) -> String {
        let name = ObjectName::among(&job.namespace, &job.name, self.observed.namespaces.iter());
        match &job.run_of {
            Some((_, run)) => format!("run {run} (job {name})"),
            None => format!("job {name}"),
        }
    }
}

fn named(job: &ObservedJob) -> (&Text, &Text) {
    (&job.namespace, &job.name)
}

/// Sentences as one; `None` if there are none.
fn list(sentences: impl Iterator<Item = String>) -> Option<String> {
    let sentences: Vec<String> = sentences.collect();
    (!sentences.is_empty()).then(|| shortened(&sentences, "; "))
}

/// The first of some texts, and how many more there are.
fn shortened(texts: &[String], separator: &str) -> String {
    let shown = texts.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(separator);
    match texts.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown}{separator}and {more} more"),
    }
}

/// A length of time without its fraction of a second, rounded up.
fn whole_seconds(length: Duration) -> Duration {
    let fraction = i64::from(length.subsec_nanos() > 0);
    Duration::from_secs(length.as_secs() + fraction)
}

/// Whether a selector is about the index of a pod.
fn indexed(which: &Selector, pod: &ObservedPod) -> bool {
    which.index.as_ref().is_none_or(|numbers| pod.index.is_some_and(|index| numbers.contain(index)))
}

/// How many there were in all.
fn total(group: &AssertedGroup<'_>, of: Countable) -> u32 {
    let pods = |is: fn(&ObservedPod) -> bool| group.pods.iter().filter(|pod| is(pod)).count();
    let jobs = |is: fn(&ObservedJob) -> bool| group.jobs.iter().filter(|job| is(job)).count();
    let count = match of {
        Countable::Pods => pods(|_| true),
        Countable::FailedPods => pods(|pod| pod.succeeded == Some(false)),
        Countable::SucceededPods => pods(|pod| pod.succeeded == Some(true)),
        Countable::Jobs => jobs(|_| true),
        Countable::FailedJobs => jobs(|job| job.finish.as_ref().is_some_and(|(complete, _)| !complete)),
        Countable::CompleteJobs => jobs(|job| job.finish.as_ref().is_some_and(|(complete, _)| *complete)),
        Countable::Restarts => return group.pods.iter().map(|pod| pod.restarts).sum(),
    };
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// How many spans overlap at most, and when first; what ends in the step in which something else begins does not overlap it.
fn peak(spans: impl Iterator<Item = (StepTime, Option<StepTime>)>) -> (u32, Option<StepTime>) {
    let mut changes: Vec<(StepTime, bool)> =
        spans.flat_map(|(begin, end)| [(begin, true)].into_iter().chain(end.map(|end| (end, false)))).collect();
    changes.sort_unstable();
    let (mut current, mut most, mut when) = (0_u32, 0, None);
    for (moment, begins) in changes {
        current = if begins { current + 1 } else { current.saturating_sub(1) };
        if current > most {
            (most, when) = (current, Some(moment));
        }
    }
    (most, when)
}

//! Differential: our controllers and upstream's go through the same random histories, and must agree at every quiet point.
//!
//! Docs: the session protocol, in the head comment of the oracle's `session.go`. Jobs' status, pods, finalizers and events by reason are
//! compared, and the number of API writes, which may not be larger than upstream's.

mod cron_jobs;
mod death;
mod refused;
mod scenario;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use api::indexes::IndexSet;
use api::meta::names::JOB_TRACKING;
use core_tests::dialogue::Dialogue;
use core_tests::history;
use core_tests::oracle::Oracle;
use core_tests::summary::{Progress, grouped, number, print};
use serde_json::{Map, Value};

/// How many histories are gone through, unless `JOBSMITH_HISTORIES` is set.
const HISTORIES: u64 = 2000;
/// How often upstream is run again where it answers otherwise: it goes through pods in no order, so some of its answers are chance.
const REPEATS: usize = 20;

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn our_controllers_do_what_upstreams_do() {
    compare("histories of Jobs", HISTORIES, history::history);
}

/// Goes through histories, unless `JOBSMITH_HISTORIES` says how many, and holds each against upstream.
fn compare(what: &'static str, histories: u64, history: fn(u64) -> Vec<Value>) {
    let oracle = Oracle::start();
    let (first, histories) = (number("JOBSMITH_SEED", 0), number("JOBSMITH_HISTORIES", histories));
    let mut sides = Sides { ours: Dialogue::with_jobsmith(), theirs: oracle };
    let (mut sum, mut chance, mut failures) = (Agreement::default(), 0, Vec::new());
    let progress = Progress::new("differential", what, histories);
    for seed in first..first + histories {
        progress.at(seed - first, failures.len() as u64);
        let operations = history(seed);
        match sides.compare(&operations) {
            Verdict::Same(agreement) => sum.add(&agreement),
            Verdict::Chance => chance += 1,
            // Many runs of a history show what matters in it: the first one that differs is worth them.
            Verdict::Different(_) if failures.is_empty() => failures.push((seed, sides.shortest(operations))),
            Verdict::Different(difference) => failures.push((seed, difference)),
        }
    }
    let [all, points, ours, theirs] = [histories, sum.quiet_points, sum.our_writes, sum.their_writes].map(grouped);
    print(&format!("differential: {all} {what}, {points} quiet points, API writes {ours} of upstream's {theirs}"));
    if chance > 0 {
        print(&format!("differential: in {} of them upstream's own answers differ from run to run", grouped(chance)));
    }
    if sum.ended_early > 0 {
        print(&format!("differential: {} of them are compared up to a known difference", grouped(sum.ended_early)));
    }
    if sum.known > 0 {
        print(&format!("differential: at {} of the quiet points the pods differ in a known way", grouped(sum.known)));
    }
    assert!(failures.is_empty(), "{} of {histories} histories differ\n{}", failures.len(), report(&failures));
    assert!((chance + sum.ended_early) * 50 < histories, "too many histories are chance, or not compared to their end, to prove much");
    assert!(sum.known * 100 <= sum.quiet_points, "at too many quiet points the pods differ in a known way to prove much");
}

/// Two runs of a history that agree.
#[derive(Default)]
struct Agreement {
    quiet_points: u64,
    our_writes: u64,
    their_writes: u64,
    /// Histories that are not compared to their end.
    ended_early: u64,
    /// Quiet points at which the pods differ in a known way.
    known: u64,
}

impl Agreement {
    fn add(&mut self, other: &Self) {
        self.quiet_points += other.quiet_points;
        self.our_writes += other.our_writes;
        self.their_writes += other.their_writes;
        self.ended_early += other.ended_early;
        self.known += other.known;
    }
}

enum Verdict {
    /// They agree.
    Same(Agreement),
    /// Upstream itself does not answer the same each time.
    Chance,
    /// How they differ.
    Different(String),
}

/// Who is compared: the program as it is built, and the oracle.
struct Sides {
    ours: Dialogue,
    theirs: Oracle,
}

impl Sides {
    fn compare(&mut self, operations: &[Value]) -> Verdict {
        let questions: Vec<String> = operations.iter().map(Value::to_string).collect();
        let (ours, theirs) = (read(&self.ours.request_all(&questions)), read(&self.theirs.history(&questions)));
        let difference = match agree(operations, &ours, &theirs) {
            Ok(agreement) => return Verdict::Same(agreement),
            Err(difference) => difference,
        };
        let mut differs_from_itself = false;
        for _ in 0..REPEATS {
            let again = read(&self.theirs.history(&questions));
            if let Ok(agreement) = agree(operations, &ours, &again) {
                return Verdict::Same(agreement);
            }
            differs_from_itself |= agree(operations, &theirs, &again).is_err();
        }
        if differs_from_itself { Verdict::Chance } else { Verdict::Different(difference) }
    }

    /// A history that still differs, where no operation can be left out.
    fn shortest(&mut self, mut operations: Vec<Value>) -> String {
        let mut differs = |operations: &[Value]| match self.compare(operations) {
            Verdict::Different(difference) => Some(difference),
            Verdict::Same(_) | Verdict::Chance => None,
        };
        let mut difference = differs(&operations).unwrap_or_else(|| "differed once, and not again".to_owned());
        for at in (1..operations.len()).rev() {
            let mut fewer = operations.clone();
            fewer.remove(at);
            if let Some(still) = differs(&fewer) {
                (operations, difference) = (fewer, still);
            }
        }
        difference
    }
}

fn read(answers: &[String]) -> Vec<Value> {
    answers.iter().map(|answer| serde_json::from_str(answer).unwrap_or_else(|error| panic!("the answer was {answer:?}: {error}"))).collect()
}

/// Whether two runs of a history agree; if not, where and how.
fn agree(operations: &[Value], ours: &[Value], theirs: &[Value]) -> Result<Agreement, String> {
    let mut sum = Agreement::default();
    // Whether the pods differed in a known way at the last quiet point.
    let mut known = false;
    for (at, (our, their)) in ours.iter().zip(theirs).enumerate() {
        let differs = |what: &str, ours: &dyn std::fmt::Display, theirs: &dyn std::fmt::Display| {
            let mut text = String::new();
            for operation in &operations[..=at] {
                writeln!(text, "    {operation}").expect("a string takes all");
            }
            Err(format!("{text}  {what}\n    ours   {ours}\n    theirs {theirs}\n"))
        };
        if let (Some(our), Some(their)) = (our.get("state"), their.get("state")) {
            if is_refused_for_ever(their) {
                return Ok(Agreement { ended_early: 1, ..sum });
            }
            let (our_jobs, their_jobs) = (with_lists_in_order(&our["jobs"]), with_lists_in_order(&their["jobs"]));
            if our_jobs != their_jobs {
                return differs("jobs", &our_jobs, &their_jobs);
            }
            // After the long calm at its end a history has no difference that time explains.
            known = at + 1 < operations.len() && refused::frees_at_another_time(&operations[..=at], our, their);
            for part in ["now", "pods", "stuck"] {
                if our.get(part) != their.get(part) && !(part == "pods" && known) {
                    return differs(part, &our[part], &their[part]);
                }
            }
            let (our_cron_jobs, their_cron_jobs) = (without_versions(&our["cronjobs"]), without_versions(&their["cronjobs"]));
            if our_cron_jobs != their_cron_jobs {
                return differs("cronjobs", &our_cron_jobs, &their_cron_jobs);
            }
            let (our_events, their_events) = (reasons(&our["events"]), reasons(&their["events"]));
            if our_events != their_events {
                return differs("events", &format!("{our_events:?}"), &format!("{their_events:?}"));
            }
            let writes = |state: &Value| state["writes"].as_array().map_or(0, |writes| writes.len() as u64);
            sum.add(&Agreement {
                quiet_points: 1,
                our_writes: writes(our),
                their_writes: writes(their),
                known: u64::from(known),
                ended_early: 0,
            });
            if sum.our_writes > sum.their_writes {
                return differs("more writes", &our["writes"], &their["writes"]);
            }
        } else if our != their && !(known && operations[at]["op"] == "pod") {
            return differs("answer", our, their);
        }
    }
    Ok(sum)
}

/// Whether upstream repeats a request that the API server refuses: that an index which has failed succeeds too, through a pod that somebody else created.
/// Ours lets the pod go uncounted.
fn is_refused_for_ever(state: &Value) -> bool {
    let failed = |job: &Value| IndexSet::parse_leniently(job["status"]["failedIndexes"].as_str().unwrap_or_default(), u32::MAX);
    let pods = state["pods"].as_array().into_iter().flatten();
    let tracked = |pod: &&Value| pod["finalizers"].as_array().is_some_and(|held| held.iter().any(|held| held == JOB_TRACKING));
    pods.filter(|pod| pod["phase"] == "Succeeded").filter(tracked).any(|pod| {
        let index = pod["index"].as_str().and_then(|index| index.parse().ok());
        let job = pod["owner"].as_str().map(|owner| &state["jobs"][owner]);
        index.zip(job).is_some_and(|(index, job)| failed(job).contains(index))
    })
}

/// Jobs with the UIDs of uncounted pods in order: upstream lists them in the order of a map, which is chance.
fn with_lists_in_order(jobs: &Value) -> Value {
    let mut jobs = jobs.clone();
    for job in jobs.as_object_mut().into_iter().flat_map(Map::values_mut) {
        let lists = job["status"]["uncountedTerminatedPods"].as_object_mut().into_iter().flat_map(Map::values_mut);
        lists.filter_map(Value::as_array_mut).for_each(|list| list.sort_unstable_by(|one, other| one.as_str().cmp(&other.as_str())));
    }
    jobs
}

/// CronJobs without the versions of their active Jobs: the two sides write at different times.
fn without_versions(cron_jobs: &Value) -> Value {
    let mut cron_jobs = cron_jobs.clone();
    for cron_job in cron_jobs.as_object_mut().into_iter().flat_map(Map::values_mut) {
        for active in cron_job["status"]["active"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            active.remove("resourceVersion");
        }
    }
    cron_jobs
}

/// How often each type and reason occurs among events.
fn reasons(events: &Value) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for event in events.as_array().into_iter().flatten().filter_map(Value::as_str) {
        *reasons.entry(event.split(' ').take(2).collect::<Vec<_>>().join(" ")).or_default() += 1;
    }
    reasons
}

fn report(failures: &[(u64, String)]) -> String {
    failures.iter().take(3).map(|(seed, difference)| format!("seed {seed}\n{difference}")).collect()
}

//! The future after a past: it is that of the play from which the past was made.
//!
//! Docs: `jobsmith simulate --help`, "the simulation continues from that state". The past itself is compared in `mod.rs`; scripts for which the controllers
//! have nothing to remember, second by second, in `tests/core/continuing.rs`. `JOBSMITH_PASTS` sets how many seeds, `JOBSMITH_SEED` where they start.

use api::{Duration, Job, Kind, Text, Timestamp, time};
use cluster::ApiServer;
use cluster::rng::Rng;
use core_tests::native::Native;
use core_tests::summary::{number, print};
use expect_test::expect;
use past::{Past, RecordedJob};
use play::Play;
use play::step::Step;
use play::trace::{Entry, Transcript, What};
use script::Script;
use serde_json::json;
use simulation::{RandomPlay, random_play};

use super::gaps::{at, job, running};
use super::{BOUNDS, PLAYS, objects};
use crate::continuing::{played, rest};

/// How far the future is compared.
const FAR: Duration = Duration::from_hours(2);

#[test]
fn futures_are_as_those_of_the_plays() {
    let (first, plays) = (number("JOBSMITH_SEED", 0), number("JOBSMITH_PASTS", PLAYS));
    let (mut alike, mut gone, mut rounded, mut failures) = (0, 0, 0, Vec::new());
    for seed in first..first + plays {
        match Recorded::of(seed).map(|recorded| recorded.check()) {
            None => {}
            Some(Ok(Future::Alike)) => alike += 1,
            Some(Ok(Future::AfterGonePods)) => gone += 1,
            Some(Ok(Future::AfterFractions)) => rounded += 1,
            Some(Err(failure)) => failures.push(format!("seed {seed}: {failure}")),
        }
    }
    print(&format!(
        "futures: {plays} plays, of those that went on when they were recorded {alike} go on alike, {gone} differently because pods were gone, {rounded} because of less than a second, {} wrong",
        failures.len()
    ));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(gone * 5 <= alike && rounded * 50 <= alike, "{gone} and {rounded} futures differ");
}

#[test]
fn a_sidecar_waits_as_long_as_reported_and_keeps_the_others_waiting() {
    let mut pod = running("pi-a", 0);
    let end = json!({"terminated": {"exitCode": 1, "reason": "Error", "startedAt": at(0), "finishedAt": at(3600)}});
    let waiting = |reason: &str, message: &str| json!({"waiting": {"reason": reason, "message": message}});
    let back_off = waiting("CrashLoopBackOff", "back-off 10s restarting failed container=log");
    pod["spec"]["initContainers"] = json!([{"name": "log", "image": "pi", "restartPolicy": "Always"}]);
    pod["status"]["phase"] = "Pending".into();
    pod["status"]["containerStatuses"][0]["state"] = waiting("PodInitializing", "");
    pod["status"]["initContainerStatuses"] =
        json!([{"name": "log", "image": "pi", "restartCount": 3, "state": back_off, "lastState": end}]);
    let now = time::parse(at(3600).as_str().expect("it is a text")).expect("it is a time");
    let objects = [job(json!({}), json!({"active": 1})), pod].map(|object| Text::from(object.to_string()));
    let script = Script::parse("container log: runs forever\npods: succeed after 5s").expect("the script is valid");
    let mut play = Play::new(Native::default(), &script, &objects, now).expect("the objects can be read");
    let steps = played(&mut play, time::after(now, Duration::from_secs(16)));
    let mut transcript = Transcript::new(now);
    let lines: Vec<String> = steps
        .iter()
        .flat_map(|step| &step.entries)
        .filter_map(|entry| Some(transcript.line(entry, false)?.trim_start().to_owned()))
        .collect();
    expect![[r#"
           0:00 job pi: found
           0:00 pod pi-a Pending
           0:10 pod pi-a: container main started
           0:10 pod pi-a Restarted: start 5 of container log
           0:10 pod pi-a Ready
           0:15 pod pi-a: container main exited with code 0 after 5 s
           0:15 pod pi-a: start 5 of container log was sent TERM and has until 0:45 to exit
           0:15 pod pi-a: start 5 of container log terminated after 5 s (exit code 143)
           0:15 pod pi-a Succeeded after 1h15s
           0:16 ● The Job succeeds: 1 of 1 completion reached, and no pod is active (J-49)
           0:16 ● Counting pod pi-a as succeeded (J-124)
           0:16 job pi: SuccessCriteriaMet: CompletionsReached
           0:16 ● The Job is Complete (CompletionsReached) (J-127)
           0:16 job pi: Complete: CompletionsReached"#]]
    .assert_eq(&lines.join("\n"));
}

/// How a play goes on from what was recorded.
enum Future {
    /// As it did.
    Alike,
    /// Otherwise: how often pods had failed that were gone is in no object.
    AfterGonePods,
    /// Otherwise: pods had started or ended within a second, and objects have whole ones; or the controllers waited a second before a sync.
    AfterFractions,
}

/// A play that was recorded while something was still to happen.
struct Recorded {
    play: RandomPlay,
    end: Timestamp,
    objects: Vec<Text>,
    /// Whether pods had gone.
    gone: bool,
    /// Whether something became of pods within a second.
    within_seconds: bool,
    future: Vec<Step>,
    fate: Vec<String>,
}

impl Recorded {
    fn of(seed: u64) -> Option<Self> {
        let random = random_play(seed);
        let mut play =
            Play::new(Native::default(), &random.script, std::slice::from_ref(&random.job), play::start()).expect("it can be played");
        play.bounds = BOUNDS;
        let length = i64::try_from(Rng::new(!seed).below(60_000)).expect("it is not long");
        let end = time::after(play::start(), Duration::from_millis(length));
        let before = played(&mut play, end);
        let objects = objects(play.server());
        let finished = play.jobs().all(Job::finished);
        if finished || RecordedJob::all(&objects).is_empty() {
            return None;
        }
        let gone = before.iter().flat_map(|step| &step.touched).any(|touched| touched.gone);
        let recent = time::after(end, Duration::from_secs(-1));
        let of_pods = |entry: &&Entry| matches!(entry.what, What::Pod(_) | What::Container(_));
        let mut of_pods = before.iter().flat_map(|step| &step.entries).filter(of_pods);
        let within_seconds = of_pods.any(|entry| entry.at != time::whole_seconds(entry.at) || entry.at > recent);
        let future = played(&mut play, time::after(end, FAR));
        Some(Self { play: random, end, objects, gone, within_seconds, future, fate: fate(play.server()) })
    }

    /// Whether the future after the past is that of the play, or why it need not be.
    fn check(&self) -> Result<Future, String> {
        let record = RecordedJob::all(&self.objects).pop().expect("there is one");
        let (_, manager) = Past::new(Native::default(), record);
        let rest = rest(&self.play.script, self.end.duration_since(play::start()));
        let mut continued = Play::new(manager, &rest, &self.objects, self.end).expect("the objects were stored before");
        continued.bounds = BOUNDS;
        let steps = played(&mut continued, time::after(self.end, FAR));
        let (was, reconstructed) = (changes(&self.future, self.end), changes(&steps, self.end));
        let (before, after) = (&self.fate, fate(continued.server()));
        if was == reconstructed && *before == after {
            return Ok(Future::Alike);
        }
        if self.gone {
            return Ok(Future::AfterGonePods);
        }
        if self.within_seconds {
            return Ok(Future::AfterFractions);
        }
        let RandomPlay { job, script, .. } = &self.play;
        let [one, other] = [(&self.future, before), (&steps, &after)].map(|(steps, fate)| super::lines(steps) + &fate.join("\n"));
        Err(format!("{job}\n{script}recorded at {}\n{one}\n--- goes on as\n{other}", time::text(self.end)))
    }
}

/// What happens to the Job after a time, and in which second.
fn changes(steps: &[Step], after: Timestamp) -> Vec<String> {
    let one = |Entry { at, what, .. }: &Entry| match what {
        What::Job { change, .. } => Some(format!("{} {change}", time::text(time::whole_seconds(*at)))),
        What::CronJob { .. } | What::Pod(_) | What::Decision { .. } | What::Request { .. } | What::Action { .. } | What::Sync { .. } => {
            None
        }
        What::Container(_) | What::Starts(_) | What::Event(_) | What::Difference { .. } | What::Complaint { .. } => None,
    };
    steps.iter().filter(|step| step.at > after).flat_map(|step| &step.entries).filter_map(one).collect()
}

/// How the Jobs stand in the end: the verdict, the counts and the times.
fn fate(server: &ApiServer) -> Vec<String> {
    let one = |job: &Job| {
        let status = &job.status;
        let second = |at: Option<Timestamp>| at.map(|at| time::text(time::whole_seconds(at)));
        let mut conditions: Vec<String> = status
            .conditions
            .iter()
            .map(|held| format!("{}={} {} {} {:?}", held.kind, held.status, held.reason, held.message, second(held.last_transition_time)))
            .collect();
        conditions.sort();
        format!(
            "{} failed, {} succeeded ({}), {} active, failed indexes {:?}, {:?} to {:?}: {}",
            status.failed,
            status.succeeded,
            status.completed_indexes,
            status.active,
            status.failed_indexes,
            second(status.start_time),
            second(status.completion_time),
            conditions.join("; ")
        )
    };
    server.objects(Kind::Job).filter_map(|stored| stored.job()).map(one).collect()
}

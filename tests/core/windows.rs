//! Windows that delay runs, on random CronJobs: no run starts in one, however starts are spread and the controllers are restarted.
//!
//! Docs: README, "Beyond Kubernetes". When each run starts is tested in `crates/schedule/src/windows.rs`.

use api::annotation::{DELAY_DURING, SPREAD_SECONDS, Windows};
use api::{Duration, Timestamp, time};
use cluster::rng::Rng;
use contract::Value;
use core_tests::native::Native;
use play::trace::What;
use play::{Play, start};
use schedule::{CronJobTimetable, Zone};
use script::Script;
use serde_json::json;

/// How many CronJobs are played.
const CASES: u64 = 150;
/// For how long each.
const LENGTH: Duration = Duration::from_hours(60);

#[test]
fn x_18_no_run_starts_in_a_window_however_starts_are_spread() {
    let mut delayed = 0;
    for seed in 0..CASES {
        delayed += Case::new(seed).check();
    }
    assert!(delayed > 100, "only {delayed} runs were delayed");
}

struct Case {
    cron_job: String,
    windows: Windows,
    script: Script,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut dice = Rng::new(seed);
        let (from, length) = (dice.below(1440), 10 + dice.below(600));
        let clock = |minute: u64| format!("{:02}:{:02}", minute % 1440 / 60, minute % 60);
        let after = from + length + dice.below(60);
        let windows = format!("{}-{}, {}-{}", clock(from), clock(from + length), clock(after), clock(after + 1 + dice.below(200)));
        let schedule = *dice.pick(&["*/20 * * * *", "7 * * * *", "0 */5 * * *", "30 12 * * *"]);
        let spread = dice.below(3) * dice.below(4000);
        let cron_job = json!({
            "apiVersion": "batch/v1", "kind": "CronJob",
            "metadata": {"name": "hello", "annotations": {DELAY_DURING: windows, SPREAD_SECONDS: spread.to_string()}},
            "spec": {"schedule": schedule, "jobTemplate": {"spec": {"template": {
                "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}]}}}}},
        });
        let restarts: String = (0..dice.below(3)).map(|_| format!("at {}m: restart controller\n", dice.below(3600))).collect();
        let script = Script::parse(&format!("pods: succeed after 5s\n{restarts}")).expect("the script is valid");
        Self { cron_job: cron_job.to_string(), windows: Windows::read(&windows).expect("the windows are valid"), script }
    }

    /// Plays it, and returns how many runs were delayed.
    fn check(&self) -> usize {
        let zone = Zone::utc();
        let mut play = Play::new(Native::default(), &self.script, &[self.cron_job.as_str().into()], start()).expect("the CronJob is valid");
        let end = time::after(start(), LENGTH);
        let mut started: Vec<(Timestamp, Timestamp)> = Vec::new();
        while let Some(moment) = play.next_moment(end) {
            for step in moment {
                let decisions = step
                    .entries
                    .iter()
                    .filter_map(|entry| if let What::Decision { decision, .. } = &entry.what { Some(decision) } else { None });
                let scheduled =
                    decisions.filter(|decision| decision.code() == "StartsJob").filter_map(|decision| decision.value("scheduledAt"));
                started.extend(scheduled.filter_map(|value| if let Value::Time(at) = value { Some((*at, step.at)) } else { None }));
            }
        }
        let cron_job = play.server().objects(api::Kind::CronJob).find_map(|stored| stored.cron_job()).expect("it is there");
        let timetable = CronJobTimetable::read(cron_job, &zone).expect("it can be read");
        assert!(!started.is_empty(), "{} starts nothing", self.cron_job);
        for (scheduled_at, at) in &started {
            assert_eq!(zone.end_of(&self.windows, *at), None, "{} starts the run of {scheduled_at} at {at}", self.cron_job);
            assert!(
                time::whole_seconds(*at) >= timetable.starts_at(*scheduled_at),
                "{} starts the run of {scheduled_at} at {at}",
                self.cron_job
            );
        }
        started.iter().filter(|(scheduled_at, _)| timetable.delayed_until(*scheduled_at).is_some()).count()
    }
}

//! A CronJob that runs every minute for days, and in `cargo xtask soak` for a year: each minute has one Job, the limits of the history hold, and memory is
//! none the fuller for it.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones", "Jobs history limits". `JOBSMITH_DAYS` sets how many days; they begin before Europe sets its clocks back.

use std::time::Instant;

use api::request::Request;
use api::{Duration, Kind, Timestamp, time};
use cluster::naming::Names;
use cluster::{ApiServer, Dependence};
use core_tests::summary::{Progress, grouped, number, print};
use host_embed::Guest;
use play::Cluster;
use script::{Script, Scripted};

use crate::loaded::guest;
use crate::program::memory;

/// How many days pass, unless `JOBSMITH_DAYS` is set.
const DAYS: u64 = 3;
/// From this day on memory stays as it is: names and Events are remembered for a while.
const SETTLED: u64 = 20;
/// By how much memory may grow after that, in KiB.
const GROWTH: u64 = 4096;

const CRON_JOB: &str = r#"{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"tick"},"spec":{"schedule":"* * * * *",
"timeZone":"Europe/Paris","successfulJobsHistoryLimit":2,"jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
"containers":[{"name":"main","image":"busybox"}]}}}}}}"#;

#[test]
fn each_minute_has_one_job() {
    let days = number("JOBSMITH_DAYS", DAYS);
    let start = time::parse("2026-10-24T00:00:30Z").expect("the beginning is a time");
    let mut year = Year::begin(start);
    let (begin, progress) = (Instant::now(), Progress::new("a CronJob every minute", "days", days));
    let mut settled = None;
    for day in 0..days {
        progress.at(day, 0);
        year.pass(time::after(start, Duration::from_hours(24 * (day as i64 + 1))));
        if day == SETTLED {
            settled = Some(memory("self"));
        }
    }
    assert_eq!(year.started, days * 24 * 60, "runs in {days} days");
    let grown = settled.map(|settled| memory("self").saturating_sub(settled));
    assert!(grown.is_none_or(|grown| grown < GROWTH), "memory grew by {grown:?} KiB after {SETTLED} days");
    let (runs, seconds) = (grouped(year.started), begin.elapsed().as_secs_f64());
    print(&format!("a CronJob every minute: {runs} runs in {days} days, one for each minute, in {seconds:.0} s"));
}

/// A cluster with the component's controllers and one CronJob.
struct Year {
    cluster: Cluster<Guest, Scripted>,
    now: Timestamp,
    /// The minute of the last run, as the name of its Job has it.
    minute: Option<i64>,
    started: u64,
}

impl Year {
    fn begin(now: Timestamp) -> Self {
        let mut guest = guest();
        guest.configure(r#"{"decisions":"actions"}"#).expect("the configuration is one");
        let server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        let mut cluster = Cluster::new(server, guest, Scripted::new(Script::default()), now);
        cluster.request(&Request::create(Kind::CronJob, "default", CRON_JOB.to_owned()), now).expect("the CronJob is admitted");
        Self { cluster, now, minute: None, started: 0 }
    }

    /// Time passes until `end`.
    fn pass(&mut self, end: Timestamp) {
        loop {
            let effects = self.cluster.turn(self.now);
            for write in effects.iter().flat_map(|effect| effect.writes()) {
                let metadata = write.after.metadata();
                if write.before.is_none() && write.after.job().is_some() {
                    self.starts(&metadata.name);
                }
                if write.gone {
                    self.cluster.kubelet.runtime.forget_job(&metadata.uid);
                }
            }
            let finished =
                self.cluster.world.server.objects(Kind::Job).filter(|stored| stored.job().is_some_and(api::Job::finished)).count();
            assert!(finished <= 2, "{finished} finished Jobs at {}", time::text(self.now));
            let Some(next) = self.cluster.next_due().filter(|at| *at <= end) else { return };
            self.now = next.max(self.now);
        }
    }

    /// A Job was created: it is that of the minute after the last one.
    fn starts(&mut self, job: &str) {
        let minute: i64 = job.strip_prefix("tick-").and_then(|minute| minute.parse().ok()).expect("the name ends in a minute");
        assert!(self.minute.is_none_or(|last| minute == last + 1), "{job} comes after the Job of minute {:?}", self.minute);
        assert_eq!(minute, self.now.as_second() / 60, "{job} starts at {}", time::text(self.now));
        (self.minute, self.started) = (Some(minute), self.started + 1);
    }
}

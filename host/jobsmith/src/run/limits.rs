//! When a run ends that would go on forever: at a time, or after a number of runs of each CronJob.
//!
//! Docs: `jobsmith run --help`, `--until` and `--runs`. How it ends is in `mod.rs`.

use api::{Timestamp, time};
use schedule::Zone;

use super::super::input::BadInput;
use super::super::output;
use super::super::until::read_until;

/// The options.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Stop at this time: a duration such as `10m` or `2d`, a clock time such as `18:30`, a date, or a time such as 2026-03-27T18:30 or 2026-03-27T18:30:00Z
    #[arg(long, value_name = "TIME", long_help = UNTIL_HELP)]
    until: Option<String>,

    /// Stop once each CronJob has started N Jobs and they have finished
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
}

const UNTIL_HELP: &str = "\
Stop at this time, as Ctrl-C does: Jobs that have not finished are deleted, and their pods get their grace periods. The exit status covers
only what has finished by then.
  --until 10m                    after a duration; days are allowed, as in 2d
  --until 18:30                  at a clock time in the time zone of --time-zone, today or tomorrow; a time that a clock change
                                 skips means the moment of the change
  --until 2026-03-27T18:30       at a local time in that time zone; a date means its beginning
  --until 2026-03-27T18:30:00Z   at an RFC 3339 time";

/// When the run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunLimits {
    /// At the latest.
    pub(crate) until: Option<Timestamp>,
    /// After this many runs of each CronJob.
    pub(crate) runs: Option<usize>,
}

impl Arguments {
    /// Reads the options; what is wrong with them is printed.
    pub(crate) fn read(&self, zone: &Zone, now: Timestamp) -> Result<RunLimits, BadInput> {
        let read = |text: &String| match read_until(text, zone, now)? {
            at if at > now => Ok(at),
            _ => Err(format!("{text} is in the past; it is now {}", time::text(time::whole_seconds(now)))),
        };
        let until = self.until.as_ref().map(read).transpose().map_err(|error| {
            output::error(&format!("--until: {error}"));
            BadInput
        })?;
        Ok(RunLimits { until, runs: self.runs.map(|runs| runs as usize) })
    }
}

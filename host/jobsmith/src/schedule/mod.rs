//! `jobsmith schedule`: when a CronJob runs next, with what changes of the clock do to it.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones". What a schedule means is in the crate `schedule`; what happens to a run that is due, in the component.
//! The CronJobs of a file, and what their other fields do to runs, are in `schedule/cron_jobs.rs`.

mod cron_jobs;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use api::{Timestamp, time};
use jiff::tz::Offset;
use schedule::{Schedule, SkippedTime, Zone, schedule_remedy, surprises};
use serde_json::json;
use story::timetable::{NO_RUN, NO_RUN_STARTS, clock_text, zone};

use super::output::{self, Format};
use super::{CommandEnd, ending};

/// The arguments of `jobsmith schedule`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, override_usage = "jobsmith schedule [OPTIONS] <CRON|FILE>")]
pub(crate) struct Arguments {
    /// The schedule, in quotes: five fields (minute, hour, day of the month, month, day of the week), or @hourly, @daily, @weekly, @monthly, @yearly, '@every 90m'; or a file with CronJobs in YAML or JSON (`-` is standard input)
    #[arg(value_name = "CRON|FILE", required = true)]
    schedule: Vec<String>,

    /// The time zone of schedules and CronJobs without one, by its IANA name
    #[arg(long, value_name = "ZONE", default_value = "UTC", value_parser = zone)]
    time_zone: Zone,

    /// Show the runs after this time: `now`, a date, a local time such as 2026-03-27T14:00 in the time zone of the schedule, or a time with its offset [default: now]
    #[arg(long, value_name = "TIME")]
    from: Option<String>,

    /// Show the runs up to this time, written like that of --from
    #[arg(long, value_name = "TIME")]
    until: Option<String>,

    /// How many runs to show at most [default: 20; with --until, all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    count: Option<u16>,

    /// What to print
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "text")]
    output: Format,
}

/// How many runs are shown unless another number is wanted.
const USUAL: u16 = 20;
/// How many runs are shown at most where all up to a time are wanted.
const MOST: usize = 1_000_000;

const EXAMPLES: &str = "\
The schedule is parsed as Kubernetes parses a CronJob's. Runs that a clock change skips or repeats are marked.

  jobsmith schedule '*/10 9-17 * * 1-5'
  jobsmith schedule '30 2 * * *' --time-zone Europe/Paris --from 2026-03-27

For the CronJobs in a file, it also shows how other fields and annotations affect their runs: startingDeadlineSeconds, concurrencyPolicy, suspend,
the history limits, and windows in which runs are skipped or delayed.

  jobsmith schedule cronjob.yaml --count 5
  kubectl get cronjobs -o yaml | jobsmith schedule -

  jobsmith schedule '0 9 * * 1-5' --until 2026-12-31 -o json

Exit status:
  0  there are runs
  1  a schedule has no runs up to --until
  2  the schedule, the file, the time zone or a time cannot be read, or the API server would refuse a CronJob
  3  a schedule has no run within five years, such as one on 31 February";

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// When the run is, or would be.
    at: Timestamp,
    /// What the clock shows then, as a time in UTC.
    clock: Timestamp,
    change: ClockChange,
    window: WindowEffect,
}

/// What a change of the clock does to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClockChange {
    /// Nothing.
    None,
    /// The clock was set back, and shows the run's time once more.
    Again,
    /// The clock is set forward past the run's time.
    Skipped(SkippedTime),
}

/// What the windows of an annotation do to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WindowEffect {
    /// Nothing.
    None,
    /// It is in one, and skipped (X-17), or delayed until it is not started any more (X-18): why.
    Skips(&'static str),
    /// It is in one, and starts when that ends (X-18).
    Delays(Timestamp),
}

/// Prints the next runs.
pub(crate) fn run(arguments: &Arguments) -> CommandEnd {
    let now = Timestamp::now();
    let text = match &arguments.schedule[..] {
        [text] => text,
        several => {
            output::error(several_words(&several[0]));
            return CommandEnd::BadInput;
        }
    };
    if let Some(file) = file(text) {
        return cron_jobs::run(&file, arguments, now);
    }
    let schedule = match parsed(text, &arguments.time_zone) {
        Ok(schedule) => schedule,
        Err(error) => {
            output::error(&error);
            return CommandEnd::BadInput;
        }
    };
    match NextRuns::of(text, &schedule, &|_| WindowEffect::None, arguments, now) {
        Ok(runs) => {
            output::text(&match arguments.output {
                Format::Text => runs.table(),
                Format::Json => runs.json_lines(None),
            });
            runs.end()
        }
        Err(error) => {
            output::error(&error);
            CommandEnd::BadInput
        }
    }
}

/// The error for more than one argument, by the first of them.
fn several_words(first: &str) -> &'static str {
    match file(first) {
        Some(_) => "there is more than one file: pass one; it may have several CronJobs",
        None => {
            "the schedule is not in quotes, so that the shell splits it and replaces each * with file names: write it as in jobsmith schedule '0 3 * * *'"
        }
    }
}

/// The file that is meant, if it is one: it exists, or it has a manifest's ending.
fn file(text: &str) -> Option<PathBuf> {
    let path = Path::new(text);
    let manifest = path.extension().is_some_and(|extension| ["yaml", "yml", "json"].iter().any(|known| extension == *known));
    (text == "-" || manifest || path.exists()).then(|| path.to_owned())
}

/// Whether a text that is not a schedule looks like the name of a file.
fn path_like(text: &str) -> bool {
    let letters = text.contains(|letter: char| letter.is_alphabetic());
    letters && text.contains(['/', '.']) && !text.contains(char::is_whitespace) && !text.starts_with('@') && !text.contains("TZ=")
}

/// A schedule in this time zone; one that names its own is refused, as the API server refuses it in a CronJob.
fn parsed(text: &str, zone: &Zone) -> Result<Schedule, String> {
    let schedule = Schedule::parse(text, zone).map_err(|error| match path_like(text) {
        true => format!("there is no file {text:?}: check its name, or write a schedule in quotes, as in '30 2 * * *'"),
        false => format!("{text:?} is not a schedule: {error}\n  help: {}", schedule_remedy(text)),
    })?;
    let Some((named, rest)) = text.split_once('=').and_then(|(_, named)| named.split_once(' ')).filter(|_| !text.starts_with('@')) else {
        return Ok(schedule);
    };
    let (refused, rest) = ("cannot use TZ or CRON_TZ in schedule, use timeZone field instead", rest.trim());
    let help = format!("write `schedule: {rest:?}` and `timeZone: {named}`; here, pass '{rest}' --time-zone {named}");
    Err(format!("the API server refuses {text:?} in a CronJob: {refused}\n  help: {help}"))
}

/// The next runs of a schedule.
struct NextRuns<'s> {
    text: &'s str,
    schedule: &'s Schedule,
    rows: Vec<Row>,
    until: Option<Timestamp>,
    /// The first run that starts, if there is one at any time.
    next: Option<Timestamp>,
}

impl<'s> NextRuns<'s> {
    /// Those of a schedule, each with what windows do to it that delay runs.
    fn of(
        text: &'s str,
        schedule: &'s Schedule,
        delay: &dyn Fn(Timestamp) -> WindowEffect,
        arguments: &Arguments,
        now: Timestamp,
    ) -> Result<Self, String> {
        let read = |time: &Option<String>| time.as_deref().map(|time| read_time(time, schedule.zone())).transpose();
        let (from, until) = (read(&arguments.from)?.unwrap_or(now), read(&arguments.until)?);
        let all = until.filter(|_| arguments.count.is_none());
        let count = arguments.count.map_or(if all.is_some() { MOST + 1 } else { USUAL.into() }, usize::from);
        let mut rows: Vec<Row> =
            runs(schedule, delay, from).take_while(|row| until.is_none_or(|until| row.at <= until)).take(count).collect();
        if let Some(until) = all.filter(|_| rows.len() > MOST) {
            return Err(format!("{text:?} has more than {MOST} runs up to {}: pass an earlier --until, or --count", time::text(until)));
        }
        let end = until.filter(|_| rows.len() < count).unwrap_or_else(|| rows.last().map_or(from, |row| row.at));
        let skipped = |skipped: SkippedTime| Row {
            at: skipped.at,
            clock: skipped.clock,
            change: ClockChange::Skipped(skipped),
            window: WindowEffect::None,
        };
        rows.extend(schedule.skipped(from, end).into_iter().map(skipped));
        rows.sort_by_key(|row| (row.at, row.clock));
        Ok(Self { text, schedule, rows, until, next: schedule.next(from) })
    }

    /// How the command ends: with a run, without one until a time, or without any at all, in which case it waits for none.
    fn end(&self) -> CommandEnd {
        let end = match () {
            () if self.any() => CommandEnd::Reached,
            () if self.next.is_none() => CommandEnd::Unfinished,
            () => CommandEnd::Failed,
        };
        ending::cut_short().unwrap_or(end)
    }

    /// Whether there is a run that starts.
    fn any(&self) -> bool {
        self.next.is_some_and(|next| self.until.is_none_or(|until| next <= until))
    }

    /// As a table for people.
    fn table(&self) -> String {
        let zone = self.schedule.zone();
        let mut table = format!("{}: {}\n", self.text, self.schedule.words_in_zone());
        if self.schedule.either_day() {
            table.push_str(EITHER_DAY);
        }
        surprises(self.text).iter().for_each(|surprise| table.extend([surprise, "\n"]));
        if !self.rows.is_empty() {
            write!(table, "\n{:<23}  {:<6}  UTC\n", "LOCAL", "OFFSET").expect("a string takes all");
        }
        self.rows.iter().for_each(|row| table.extend([&*row.line(zone), "\n"]));
        if !self.any() {
            let skipped = self.rows.iter().any(|row| matches!(row.window, WindowEffect::Skips(_)));
            let (lead, never) = if skipped { ("No run starts", NO_RUN_STARTS) } else { ("It has no runs", NO_RUN) };
            let within = self.until.filter(|_| self.next.is_some()).map(|until| format!("{lead} up to {}.", time::text(until)));
            table.push_str(&format!("\n{}\n", within.as_deref().unwrap_or(never)));
        }
        if let Some(next) = self.next.filter(|next| self.any() && self.rows.iter().all(|row| row.at < *next)) {
            let clock = clock_text(time::whole_seconds(zone.clock(next)));
            table.push_str(&format!("\nThese runs are all skipped; the first one that starts is that of {clock}.\n"));
        }
        table
    }

    /// As JSON, a line for each run; `name`: the namespace and the name of its CronJob.
    fn json_lines(&self, name: Option<(&str, &str)>) -> String {
        let zone = self.schedule.zone();
        let line = |row: &Row| {
            let local = clock_text(time::whole_seconds(row.clock)).replace(' ', "T");
            let mut object = json!({"schedule": self.text, "timeZone": zone.name(), "at": time::text(row.at), "local": local});
            if let Some((namespace, name)) = name {
                (object["namespace"], object["cronJob"]) = (namespace.into(), name.into());
            }
            match row.change {
                ClockChange::None => {}
                ClockChange::Again => object["again"] = true.into(),
                ClockChange::Skipped(skipped) => object["skipped"] = skipped.words().into(),
            }
            match row.window {
                WindowEffect::None => {}
                WindowEffect::Skips(reason) => object["skipped"] = reason.into(),
                WindowEffect::Delays(until) => object["delayedUntil"] = time::text(until).into(),
            }
            format!("{object}\n")
        };
        self.rows.iter().map(line).collect()
    }
}

/// What surprises people who know it from no other field.
const EITHER_DAY: &str = "Day of month and day of week are both restricted: it runs on each day that matches one of them. For days that match both, restrict one of them, and test the other in the command.\n";

/// Why a run is skipped that is in a window.
const IN_WINDOW: &str = "in a window of jobsmith.dev/skip-during";
/// Why a run is skipped whose deadline passes before the window that delays it ends.
const PAST_DEADLINE: &str = "delayed past its deadline by jobsmith.dev/delay-during";
/// Why a run is skipped if another one is due by the time the window that delays it ends.
const PASSED_OVER: &str = "delayed by jobsmith.dev/delay-during until a later run starts";

impl Row {
    fn line(&self, zone: &Zone) -> String {
        let weekday = Offset::UTC.to_datetime(self.clock).strftime("%a").to_string();
        let plain = |at: Timestamp| clock_text(time::whole_seconds(at));
        let local = format!("{weekday} {}", plain(self.clock));
        let shown = || format!("{local:<23}  {}  {}", time::offset_text(zone.offset(self.at)), plain(self.at));
        let window = match self.window {
            WindowEffect::None => String::new(),
            WindowEffect::Skips(reason) => format!("   skipped: {reason}"),
            WindowEffect::Delays(until) => format!("   delayed to {} by jobsmith.dev/delay-during", plain(zone.clock(until))),
        };
        match self.change {
            ClockChange::None => format!("{}{window}", shown()),
            ClockChange::Again => format!("{}   again: the clock was set back{window}", shown()),
            ClockChange::Skipped(skipped) => format!("{local:<23}  {:<6}  {:<19}   skipped: {}", "", "-", skipped.words()),
        }
    }
}

/// The next runs; one for which the clock shows a time a second time is marked, and so is one in a window.
fn runs(schedule: &Schedule, delay: impl Fn(Timestamp) -> WindowEffect, from: Timestamp) -> impl Iterator<Item = Row> {
    let zone = schedule.zone();
    let marked = schedule.clock_times().is_some();
    let row = move |at: Timestamp| {
        let again = marked && schedule.repeats(at);
        let window = if schedule.leaves_out(at) { WindowEffect::Skips(IN_WINDOW) } else { delay(at) };
        Row { at, clock: zone.clock(at), change: if again { ClockChange::Again } else { ClockChange::None }, window }
    };
    std::iter::successors(schedule.next_of_all(from), |last| schedule.next_of_all(*last)).map(row)
}

/// Reads a date, a time that the clock of the zone shows, or a time with its offset. Where the clock shows a time twice, the first one is meant, and
/// where it skips a time, the moment at which it is set forward.
pub(crate) fn read_time(text: &str, zone: &Zone) -> Result<Timestamp, String> {
    if text == "now" {
        return Ok(time::whole_seconds(Timestamp::now()));
    }
    if let Some(at) = time::parse(text) {
        return Ok(at);
    }
    let forms = [format!("{text}T00:00:00Z"), format!("{text}:00Z"), format!("{text}Z")];
    let clock = forms.iter().find_map(|form| time::parse(form));
    let clock = clock.ok_or_else(|| format!("{text:?} is not a time: write it as 2026-03-27, 2026-03-27T14:00 or 2026-03-27T14:00:00Z"))?;
    let [first, _] = zone.showing(clock).times();
    Ok(first)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(schedule: &str, time_zone: &str, from: &str, count: u16, expected: Expect) {
        let (time_zone, from) = (Zone::named(time_zone).unwrap(), Some(from.to_owned()));
        let arguments =
            Arguments { schedule: vec![schedule.to_owned()], time_zone, from, until: None, count: Some(count), output: Format::Text };
        let shown = parsed(schedule, &arguments.time_zone)
            .and_then(|read| Ok(NextRuns::of(schedule, &read, &|_| WindowEffect::None, &arguments, Timestamp::UNIX_EPOCH)?.table()));
        expected.assert_eq(&shown.unwrap_or_else(|error| error));
    }

    #[test]
    fn a_run_that_a_clock_change_skips_is_shown() {
        check(
            "30 2 * * *",
            "Europe/Paris",
            "2026-03-27",
            3,
            expect![[r#"
            30 2 * * *: at 02:30, every day, in Europe/Paris

            LOCAL                    OFFSET  UTC
            Fri 2026-03-27 02:30:00  +01:00  2026-03-27 01:30:00
            Sat 2026-03-28 02:30:00  +01:00  2026-03-28 01:30:00
            Sun 2026-03-29 02:30:00          -                     skipped: the clock is set forward by 60 min
            Mon 2026-03-30 02:30:00  +02:00  2026-03-30 00:30:00
        "#]],
        );
        check(
            "30 2,3 * * *",
            "America/New_York",
            "2024-03-09T12:00",
            3,
            expect![[r#"
                30 2,3 * * *: at 02:30 and 03:30, every day, in America/New_York

                LOCAL                    OFFSET  UTC
                Sun 2024-03-10 02:30:00          -                     skipped: the clock is set forward by 60 min
                Sun 2024-03-10 03:30:00  -04:00  2024-03-10 07:30:00
                Mon 2024-03-11 02:30:00  -04:00  2024-03-11 06:30:00
                Mon 2024-03-11 03:30:00  -04:00  2024-03-11 07:30:00
            "#]],
        );
        check(
            "45 1,2 * * *",
            "Australia/Lord_Howe",
            "2024-10-05T00:00",
            3,
            expect![[r#"
            45 1,2 * * *: at 01:45 and 02:45, every day, in Australia/Lord_Howe

            LOCAL                    OFFSET  UTC
            Sat 2024-10-05 01:45:00  +10:30  2024-10-04 15:15:00
            Sat 2024-10-05 02:45:00  +10:30  2024-10-04 16:15:00
            Sun 2024-10-06 01:45:00  +10:30  2024-10-05 15:15:00
        "#]],
        );
    }

    #[test]
    fn a_local_time_that_comes_twice_or_never_can_be_read() {
        let zone = Zone::named("Europe/Paris").unwrap();
        let check = |text, expected| assert_eq!(read_time(text, &zone).unwrap().to_string(), expected, "{text}");
        check("2026-03-29", "2026-03-28T23:00:00Z");
        check("2026-03-29T02:30", "2026-03-29T01:00:00Z");
        check("2026-03-29T03:00", "2026-03-29T01:00:00Z");
        check("2026-10-25T02:30", "2026-10-25T00:30:00Z");
        check("2026-10-25T02:30:00+01:00", "2026-10-25T01:30:00Z");
    }

    #[test]
    fn a_run_that_comes_twice_is_marked() {
        check(
            "30 1 * * *",
            "America/New_York",
            "2024-11-02",
            4,
            expect![[r#"
            30 1 * * *: at 01:30, every day, in America/New_York

            LOCAL                    OFFSET  UTC
            Sat 2024-11-02 01:30:00  -04:00  2024-11-02 05:30:00
            Sun 2024-11-03 01:30:00  -04:00  2024-11-03 05:30:00
            Sun 2024-11-03 01:30:00  -05:00  2024-11-03 06:30:00   again: the clock was set back
            Mon 2024-11-04 01:30:00  -05:00  2024-11-04 06:30:00
        "#]],
        );
    }

    #[test]
    fn a_run_later_on_the_day_of_a_change_is_not_marked() {
        check(
            "0 9 * * *",
            "America/New_York",
            "2024-11-03T08:00",
            1,
            expect![[r#"
            0 9 * * *: at 09:00, every day, in America/New_York

            LOCAL                    OFFSET  UTC
            Sun 2024-11-03 09:00:00  -05:00  2024-11-03 14:00:00
        "#]],
        );
    }

    #[test]
    fn what_fires_each_hour_goes_on_as_ever() {
        check(
            "0 * * * *",
            "America/New_York",
            "2024-11-03T00:30",
            3,
            expect![[r#"
                0 * * * *: every hour, on the hour, in America/New_York

                LOCAL                    OFFSET  UTC
                Sun 2024-11-03 01:00:00  -04:00  2024-11-03 05:00:00
                Sun 2024-11-03 01:00:00  -05:00  2024-11-03 06:00:00
                Sun 2024-11-03 02:00:00  -05:00  2024-11-03 07:00:00
            "#]],
        );
        check(
            "@every 90m",
            "Europe/Paris",
            "2026-03-29T01:00:00+01:00",
            2,
            expect![[r#"
            @every 90m: every 1h 30m, counted from the last run, in Europe/Paris

            LOCAL                    OFFSET  UTC
            Sun 2026-03-29 03:30:00  +02:00  2026-03-29 01:30:00
            Sun 2026-03-29 05:00:00  +02:00  2026-03-29 03:00:00
        "#]],
        );
        check(
            "0 0 30 2 *",
            "UTC",
            "2026-01-01",
            2,
            expect![[r#"
            0 0 30 2 *: at 00:00, on day 30 of the month, in February, in UTC

            It has no runs within five years.
        "#]],
        );
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        check(
            "61 * * * *",
            "UTC",
            "2026-01-01",
            1,
            expect![[r#"
                "61 * * * *" is not a schedule: end of range (61) above maximum (59): 61
                  help: minutes are 0 to 59"#]],
        );
        check(
            "@reboot",
            "UTC",
            "2026-01-01",
            1,
            expect![[r#"
            "@reboot" is not a schedule: unrecognized descriptor: @reboot
              help: Kubernetes does not support @reboot: use a Job, which runs once when you create it"#]],
        );
        check(
            "* * * * * *",
            "UTC",
            "2026-01-01",
            1,
            expect![[r#"
                "* * * * * *" is not a schedule: expected exactly 5 fields, found 6: [* * * * * *]
                  help: Kubernetes schedules have no seconds field, and cannot run more than once a minute: without the first field, `* * * * *` runs every minute"#]],
        );
        check(
            "TZ=Europe/Berlin 0 3 * * *",
            "UTC",
            "2026-01-01",
            1,
            expect![[r#"
                the API server refuses "TZ=Europe/Berlin 0 3 * * *" in a CronJob: cannot use TZ or CRON_TZ in schedule, use timeZone field instead
                  help: write `schedule: "0 3 * * *"` and `timeZone: Europe/Berlin`; here, pass '0 3 * * *' --time-zone Europe/Berlin"#]],
        );
        check(
            "CRON_TZ=Nowhere @daily",
            "UTC",
            "2026-01-01",
            1,
            expect![[r#"
            "CRON_TZ=Nowhere @daily" is not a schedule: provided bad location Nowhere: unknown time zone Nowhere
              help: use five fields (minute, hour, day of month, month and day of week), as in `*/5 * * * *`, or a shorthand such as @daily"#]],
        );
        check(
            "no/such/file",
            "UTC",
            "2026-01-01",
            1,
            expect![[r#"there is no file "no/such/file": check its name, or write a schedule in quotes, as in '30 2 * * *'"#]],
        );
        check(
            "*/5",
            "UTC",
            "2026-01-01",
            1,
            expect![[r#"
            "*/5" is not a schedule: expected exactly 5 fields, found 1: [*/5]
              help: use five fields (minute, hour, day of month, month and day of week), as in `*/5 * * * *`, or a shorthand such as @daily"#]],
        );
        check(
            "* * * * *",
            "UTC",
            "tomorrow",
            1,
            expect![[r#""tomorrow" is not a time: write it as 2026-03-27, 2026-03-27T14:00 or 2026-03-27T14:00:00Z"#]],
        );
    }
}

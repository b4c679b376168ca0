//! The runs of CronJobs as people and programs read them: a table for each CronJob with a line for each run, or for several that went alike.
//!
//! Docs: `jobsmith simulate --help`. Which runs are kept one by one is decided in `history.rs`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use api::{Duration, Timestamp, time};
use schedule::Zone;
use script::ObjectName;
use serde_json::json;

use super::super::timetable::{clock_text, local_time};
use super::cron_job::CronJobRuns;
use super::history::{Group, PastRun, RunResult, Totals};
use super::{CronJobName, Runs};

/// How wide the columns before the last are at least.
const WIDTHS: [usize; 3] = [28, 12, 9];
/// How many spaces are between a column and the longest cell of the one before it.
const GAP: usize = 2;

/// A line of a table.
pub(super) enum TableLine {
    /// A run, or the headings.
    Cells([String; 4]),
    /// What is the same for several runs.
    Note(String),
}

impl Runs {
    /// The table of each CronJob, with an empty line before it.
    pub(crate) fn tables(&self) -> String {
        let table = |(name, runs): (&CronJobName, &CronJobRuns)| format!("\n{}", table(&self.name(name), runs));
        self.all().map(table).collect()
    }
}

fn table(name: &ObjectName, runs: &CronJobRuns) -> String {
    let words = runs.timetable.as_ref().map_or_else(|| "a schedule that cannot be read".to_owned(), |timetable| timetable.words());
    let mut text = format!("Runs of cronjob {name}: {words}\n");
    let zone = runs.timetable.as_ref().map_or_else(Zone::utc, |timetable| timetable.zone().clone());
    if let (0, Some(next)) = (runs.history.totals.scheduled, runs.next()) {
        let _ = writeln!(text, "No run is due in this time: the next one is at {}.", local_time(next, &zone));
    }
    let mut lines = Vec::new();
    if runs.history.totals.scheduled > 0 {
        lines.push(TableLine::Cells(["SCHEDULED", "STARTED", "TOOK", "RESULT"].map(str::to_owned)));
    }
    if let Some(few) = runs.history.few() {
        lines.extend(few.iter().map(|run| row(run, &zone)));
    } else {
        let (first, between, last) = runs.history.groups();
        lines.extend(first.iter().flat_map(|group| rows(group, &zone)));
        lines.extend(in_between(between));
        lines.extend(last.iter().flat_map(|group| rows(group, &zone)));
    }
    text.push_str(&aligned(&lines));
    for (rule, sentence) in &runs.reasons {
        let _ = writeln!(text, "Example of {rule}: {sentence}");
    }
    let _ = writeln!(text, "{}", totals(&runs.history.totals));
    text
}

fn row(run: &PastRun, zone: &Zone) -> TableLine {
    TableLine::Cells(cells(run, zone))
}

/// A run in columns.
pub(super) fn cells(run: &PastRun, zone: &Zone) -> [String; 4] {
    let started = match (&run.job, run.late()) {
        (Some(_), Some(late)) => format!("{} late", span(late)),
        (Some(_), None) => "on time".to_owned(),
        (None, _) => "-".to_owned(),
    };
    let took = run.took().map_or_else(|| "-".to_owned(), span);
    [scheduled(run, zone), started, took, words(&run.result)]
}

/// The scheduled time on the clock of its zone; one that the clock never shows has no offset.
fn scheduled(run: &PastRun, zone: &Zone) -> String {
    run.skipped_clock.map_or_else(|| local_time(run.scheduled_at, zone), clock_text)
}

/// The lines below each other, each column as wide as its longest cell needs.
pub(super) fn aligned(lines: &[TableLine]) -> String {
    let mut widths = WIDTHS;
    for line in lines {
        let TableLine::Cells(cells) = line else { continue };
        widths.iter_mut().zip(cells).for_each(|(width, cell)| *width = (*width).max(cell.chars().count() + GAP));
    }
    let [first, second, third] = widths;
    let line = |line: &TableLine| match line {
        TableLine::Cells([scheduled, started, took, result]) => format!("{scheduled:<first$}{started:<second$}{took:<third$}{result}\n"),
        TableLine::Note(note) => format!("{note}\n"),
    };
    lines.iter().map(line).collect()
}

/// The first run of a group, and a line for the others.
fn rows(group: &Group, zone: &Zone) -> Vec<TableLine> {
    let mut lines = vec![row(&group.first, zone)];
    match group.runs {
        0 | 1 => {}
        2 => lines.push(row(&group.last, zone)),
        runs => {
            let took = match group.took {
                Some((shortest, longest)) if span(shortest) == span(longest) => format!(", {} each", span(longest)),
                Some((shortest, longest)) => format!(", {} to {} each", span(shortest), span(longest)),
                None => String::new(),
            };
            let (more, last) = (grouped(runs - 1), scheduled(&group.last, zone));
            let late = if group.first.late().is_some() { "late, " } else { "" };
            lines.push(TableLine::Note(format!("… {more} more until {last}, all {late}{}{took}", words(&group.first.result))));
        }
    }
    lines
}

/// The line for the runs between the first groups and the last.
fn in_between(between: &BTreeMap<RunResult, usize>) -> Option<TableLine> {
    let parts: Vec<String> = between.iter().map(|(result, runs)| format!("{} {}", grouped(*runs), words(result))).collect();
    (!parts.is_empty()).then(|| TableLine::Note(format!("… {} more: {}", grouped(between.values().sum()), parts.join(", "))))
}

/// The outcome of a run.
fn words(result: &RunResult) -> String {
    match result {
        RunResult::Due => "due".to_owned(),
        RunResult::Running => "still running".to_owned(),
        RunResult::Complete => "Complete".to_owned(),
        RunResult::Failed(reason) if reason.is_empty() => "Failed".to_owned(),
        RunResult::Failed(reason) => format!("Failed: {reason}"),
        RunResult::Replaced => "replaced by the next run".to_owned(),
        RunResult::Deleted => "deleted".to_owned(),
        RunResult::Skipped(reason) => format!("skipped: {reason}"),
    }
}

fn totals(totals: &Totals) -> String {
    let Totals { scheduled, started, succeeded, failed, skipped, unfinished, longest, .. } = totals;
    let [scheduled, started, succeeded, failed, skipped] = [scheduled, started, succeeded, failed, skipped].map(|runs| grouped(*runs));
    let others = if *unfinished > 0 { format!(", {} did not finish", grouped(*unfinished)) } else { String::new() };
    let took = totals.average().map(|average| format!("; a run took {} on average, {} at most", span(average), span(*longest)));
    format!(
        "Total: {scheduled} scheduled, {started} started: {succeeded} succeeded, {failed} failed{others}; {skipped} skipped{}",
        took.unwrap_or_default()
    )
}

/// A length of time: `5 s`, `2m5s`, `1h0m5s`.
pub(crate) fn span(length: Duration) -> String {
    let (hours, minutes, seconds) = (length.as_secs() / 3600, length.as_secs() / 60 % 60, length.as_secs() % 60);
    match (hours, minutes) {
        (0, 0 | 1) => time::length(Duration::from_secs(length.as_secs())),
        (0, _) => format!("{minutes}m{seconds}s"),
        _ => format!("{hours}h{minutes}m{seconds}s"),
    }
}

/// A number with its thousands set apart: `8,640`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let comma = |(place, digit): (usize, char)| {
        let comma = place > 0 && (digits.len() - place).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(comma).collect()
}

/// A run as a line of JSON.
pub(crate) fn json_line((namespace, name): &CronJobName, run: &PastRun) -> String {
    let (result, reason) = match &run.result {
        RunResult::Due => ("Due", None),
        RunResult::Running => ("Running", None),
        RunResult::Complete => ("Complete", None),
        RunResult::Failed(reason) => ("Failed", Some(reason)),
        RunResult::Replaced => ("Replaced", None),
        RunResult::Deleted => ("Deleted", None),
        RunResult::Skipped(reason) => ("Skipped", Some(reason)),
    };
    let text = |at: Timestamp| time::text(at);
    let mut line = json!({"type": "run", "cronJob": name, "namespace": namespace, "scheduledAt": text(run.scheduled_at), "result": result});
    let more = [
        ("job", run.job.as_ref().map(|job| job.name.to_string())),
        ("startedAt", run.job.as_ref().map(|job| text(job.at))),
        ("endedAt", run.ended_at.map(text)),
        ("reason", reason.map(ToString::to_string)),
        ("localTime", run.skipped_clock.map(clock_text)),
    ];
    for (field, value) in more {
        if let Some(value) = value {
            line[field] = value.into();
        }
    }
    format!("{line}\n")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_longest_cells_need() {
        let cells = |started: &str, took: &str| TableLine::Cells(["12:00", started, took, "Complete"].map(str::to_owned));
        let lines = [cells("on time", "2 s"), TableLine::Note("… 3 more".to_owned()), cells("10h30m5s late", "101h30m5s")];
        expect![[r#"
            12:00                       on time        2 s        Complete
            … 3 more
            12:00                       10h30m5s late  101h30m5s  Complete
        "#]]
        .assert_eq(&aligned(&lines));
    }
}

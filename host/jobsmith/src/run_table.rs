//! The runs of CronJobs as people and programs read them: a table for each CronJob with a line for each run, or for several that went alike.
//!
//! Docs: `jobsmith simulate --help`. The runs and their words are those of `story::runs`, where it is decided which are kept one by one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use api::{Timestamp, time};
use schedule::Zone;
use script::ObjectName;
use serde_json::json;
use story::runs::{CronJobName, CronJobRuns, Group, PastRun, RunResult, Runs, grouped, span};
use story::timetable::{NO_RUN, NO_RUN_STARTS, clock_text, local_time, meaning};

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

/// The table of each CronJob, with an empty line before it.
pub(crate) fn tables(all: &Runs) -> String {
    let table = |(name, runs): (&CronJobName, &CronJobRuns)| format!("\n{}", table(&all.name(name), runs));
    all.all().map(table).collect()
}

fn table(name: &ObjectName, runs: &CronJobRuns) -> String {
    let mut text = format!("Runs of cronjob {name}: {}\n", meaning(&runs.cron_job, runs.timetable()));
    let zone = runs.timetable().map_or_else(Zone::utc, |timetable| timetable.zone().clone());
    if let (0, Some(next)) = (runs.history.totals.scheduled, runs.next()) {
        let _ = writeln!(text, "No run is due in this time: the next one is at {}.", local_time(next, &zone));
    }
    if runs.never_due() {
        let _ = writeln!(text, "{}", if runs.all_skipped() { NO_RUN_STARTS } else { NO_RUN });
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
    let _ = writeln!(text, "{}", runs.history.totals.words());
    text
}

fn row(run: &PastRun, zone: &Zone) -> TableLine {
    TableLine::Cells(cells(run, zone))
}

/// A run in columns.
pub(super) fn cells(run: &PastRun, zone: &Zone) -> [String; 4] {
    [run.scheduled_words(zone), run.started_words(), run.took_words(), run.result_words()]
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
            let (more, last) = (grouped(runs - 1), group.last.scheduled_words(zone));
            let manner = group.first.manner().words();
            lines.push(TableLine::Note(format!("… {more} more until {last}, all {manner}{}{took}", group.first.result.words())));
        }
    }
    lines
}

/// The line for the runs between the first groups and the last.
fn in_between(between: &BTreeMap<RunResult, usize>) -> Option<TableLine> {
    let parts: Vec<String> = between.iter().map(|(result, runs)| format!("{} {}", grouped(*runs), result.words())).collect();
    (!parts.is_empty()).then(|| TableLine::Note(format!("… {} more: {}", grouped(between.values().sum()), parts.join(", "))))
}

/// A run as a line of JSON.
pub(crate) fn json_line((namespace, name): &CronJobName, run: &PastRun) -> String {
    let text = |at: Timestamp| time::text(at);
    let mut line =
        json!({"type": "run", "cronJob": name, "namespace": namespace, "scheduledAt": text(run.scheduled_at), "result": run.result.name()});
    let more = [
        ("job", run.job.as_ref().map(|job| job.name.to_string())),
        ("startedAt", run.job.as_ref().map(|job| text(job.at))),
        ("endedAt", run.ended_at.map(text)),
        ("reason", run.reason().map(ToString::to_string)),
        ("localTime", run.skipped_clock.map(clock_text)),
    ];
    for (field, value) in more {
        if let Some(value) = value {
            line[field] = value.into();
        }
    }
    if run.by_hand {
        line["byHand"] = true.into();
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

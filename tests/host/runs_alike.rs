//! The runs of CronJobs are the same in the program's table and on the page: which there were, how late they started, what came of them.
//!
//! Docs: `jobsmith simulate --help`; `web/src/views.ts`, `RunView`. Both are told by the crate `story`; the program prints a table, the page draws.

use std::collections::BTreeMap;

use browser::playing::Playing;
use core_tests::native::Native;
use serde_json::Value;

use crate::program::Folder;

/// The length of each play.
const MINUTES: u32 = 20;

/// A row of the table: when it was scheduled, in milliseconds since the beginning, when it started and what came of it.
type Row = (i64, String, String);

fn check(annotations: &str, spec: &str, script: &str, expected: &str) {
    let manifest = format!(
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: hello, annotations: {{{annotations}}}}}\nspec:\n  jobTemplate: {{spec: {{backoffLimit: 0, \
         template: {{spec: {{restartPolicy: Never, containers: [{{name: main, image: busybox}}]}}}}}}}}\n  {spec}\n"
    );
    let (mut table, mut page) = (table(&manifest, script), page(&manifest, script));
    // At its end, the table no longer waits for a run that is due.
    if page.pop_if(|(_, _, result)| result == "due").is_some() {
        assert!(table.pop().is_some_and(|(_, _, result)| result.starts_with("skipped: ")), "{spec}");
    }
    let shown = |rows: &[Row]| rows.iter().map(|(at, started, result)| format!("{at} {started}, {result}\n")).collect::<String>();
    assert_eq!(shown(&table), shown(&page), "{spec}\n{script}");
    assert!(shown(&table).contains(expected), "{expected:?} is not in\n{}", shown(&table));
}

/// What the program prints.
fn table(manifest: &str, script: &str) -> Vec<Row> {
    let folder = Folder::new();
    folder.write("cronjob.yaml", manifest);
    folder.write("script", script);
    let ended = folder.run(&["simulate", "cronjob.yaml", "--for", &format!("{MINUTES}m"), "--script-file", "script"]);
    let (_, table) = ended.stdout.split_once("SCHEDULED").unwrap_or_else(|| panic!("{}\n{}", ended.stdout, ended.stderr));
    let rows = table.lines().skip(1).take_while(|line| line.starts_with("20"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let [scheduled, started, _, result] = cells[..] else { panic!("{row}") };
        let at: api::Timestamp = format!("{}Z", scheduled[..19].replace(' ', "T")).parse().expect("a scheduled time");
        (api::time::since(play::start(), at), started.to_owned(), result.to_owned())
    })
    .collect()
}

/// What the page is given, each run as it came to be in the end.
fn page(manifest: &str, script: &str) -> Vec<Row> {
    let mut playing = Playing::new(Native::default(), manifest, script).unwrap_or_else(|found| panic!("{found:?}"));
    playing.play_ahead(0, f64::from(MINUTES * 60_000));
    let progress = serde_json::to_value(playing.run(usize::MAX)).expect("progress is JSON");
    let steps = progress["steps"].as_array().expect("steps are a list");
    let runs = steps.iter().flat_map(|step| step["runs"].as_array().into_iter().flatten());
    let last: BTreeMap<i64, &Value> = runs.map(|run| (run["scheduledAt"].as_i64().expect("a time"), run)).collect();
    let row = |(at, run): (&i64, &&Value)| {
        let text = |field: &str| run[field].as_str().unwrap_or_default().to_owned();
        (*at, text("started"), text("words"))
    };
    last.iter().map(row).collect()
}

#[test]
fn runs_are_the_same_in_the_table_and_on_the_page() {
    check("", "schedule: '*/5 * * * *'", "", "on time, Complete");
    check("", "schedule: '*/5 * * * *'", "pods: exit 3", "Failed: BackoffLimitExceeded");
    check("", "schedule: '* * * * *'\n  concurrencyPolicy: Forbid", "pods: succeed after 150s", " late, Complete");
    check("", "schedule: '* * * * *'\n  concurrencyPolicy: Replace", "pods: runs forever", "replaced by the next run");
    check("", "schedule: '* * * * *'\n  suspend: true", "at 5m: resume cronjob hello", "skipped: suspend");
    check(
        "",
        "schedule: '*/5 * * * *'\n  startingDeadlineSeconds: 30",
        "at 4m: pause controller for 3m",
        "skipped: startingDeadlineSeconds 30",
    );
    check("", "schedule: '*/5 * * * *'", "at 4m: pause controller for 3m", "2m late, Complete");
}

#[test]
fn a_start_that_is_spread_is_late_in_neither() {
    check("jobsmith.dev/spread-seconds: \"120\"", "schedule: '*/5 * * * *'", "", "delayed 95 s, Complete");
}

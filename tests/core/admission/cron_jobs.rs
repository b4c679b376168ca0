//! Admission of CronJobs: defaults, preparation, validation and warnings are upstream's, error by error.
//!
//! Docs: CronJob, "Writing a CronJob spec" (A-31…A-34, A-150…A-162, A-170…A-173). The Jobs in their templates are those of `requests.rs`, and
//! so are the edits of these Jobs. A status has no rules, and upstream's strategy none to compare.

use cluster::rng::Rng;
use core_tests::oracle::Oracle;
use serde_json::{Value, json};

use super::requests::{self, Choice, Edit, edited, edits};
use super::{Compared, REQUESTS, choices};

/// Fields of a CronJob, and what they may be set to. No zone is a folder of the time zone database: upstream's text about those depends on the
/// machine's file system.
const FIELDS: &[Choice<'static>] = &[
    (
        "metadata name",
        r#"["pi-2","Pi","a.b","aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]"#,
    ),
    ("metadata generateName", r#"["pi-","-","Pi-"]"#),
    ("metadata namespace", r#"["other","Other","a.b"]"#),
    ("metadata uid", r#"["11111111-1111-1111-1111-111111111111"]"#),
    ("metadata labels", r#"[null,{"a":"b"},{"a b":"c"},{"a":"-"}]"#),
    ("metadata annotations", r#"[{"a":"any text"},{"a b":""}]"#),
    ("metadata finalizers", r#"[["example.com/a"],["mine"],["orphan","foregroundDeletion"],[]]"#),
    ("spec schedule", r#"["@daily","@hourly","*/5 * * * *","0 3 * * mon-fri","30 8-18/2 1,15 * ?","0 0 31 2 *","@every 90s","@every 0s"]"#),
    (
        "spec schedule",
        r#"["",null,"* * * *","* * * * * *","60 * * * *","* 24 * * *","* * 0 * *","* * * 13 *","* * * * 7","@reboot","@Daily"]"#,
    ),
    (
        "spec schedule",
        r#"["5-1 * * * *","*/0 * * * *","*/-5 * * * *","L * * * *","1-2-3 * * * *","1/2/3 * * * *","@every 1d","@every","1,,2 * * * *"]"#,
    ),
    (
        "spec schedule",
        r#"["TZ=Europe/Paris 0 3 * * *","CRON_TZ=UTC @daily","TZ=UTC","TZ=","TZ= @daily","TZ=Nowhere/City @daily","0 3 * * * TZ","TZ=Local @daily"]"#,
    ),
    (
        "spec schedule",
        r#"[" 0 3 * * *","0  3 * *\t*","é * * * *","@","+1 * * * *","01 * * * *","99999999999999999999 * * * *","* * * * * "]"#,
    ),
    ("spec timeZone", r#"[null,"UTC","Europe/Paris","US/Pacific","Etc/GMT+3","EST","America/Argentina/Ushuaia","GMT0","Zulu"]"#),
    (
        "spec timeZone",
        r#"["","utc","Local","LOCAL","local","GMT+3","Europe//Paris","/UTC","UTC/","./UTC","../UTC","a..b","-UTC","a b","é","Paris","Nowhere/City",
        "Antarctica/DumontDUrville","America/North_Dakota/New_Salem","Europe/AVeryLongCityName"]"#,
    ),
    ("spec startingDeadlineSeconds", "[0,1,-1,null]"),
    ("spec concurrencyPolicy", r#"["Allow","Forbid","Replace","","allow","Other",null]"#),
    ("spec suspend", "[true,false,null]"),
    ("spec successfulJobsHistoryLimit", "[0,1,-1,null]"),
    ("spec failedJobsHistoryLimit", "[0,1,-1,null]"),
    ("spec jobTemplate", "[null,{}]"),
    (
        "spec jobTemplate metadata",
        r#"[{"labels":{"a":"b"},"annotations":{"c":"d"}},{"labels":{"a b":"c d"},"finalizers":["mine"]},{"name":"A"},null]"#,
    ),
    ("spec jobTemplate spec", "[null,{}]"),
    ("status lastScheduleTime", r#"["2026-01-02T12:00:00Z",null]"#),
    ("status active", r#"[[{"kind":"Job","name":"x"}],[{}],[]]"#),
];

/// Edits of a plain CronJob that chance seldom makes up.
const CREATIONS: &[&[Edit<'static>]] = &[
    // A-150, with A-170
    &[("metadata name", r#""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#)],
    &[("metadata name", r#""a.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#)],
    &[("metadata name", r#""a.b""#), ("spec jobTemplate spec completionMode", r#""Indexed""#), ("spec jobTemplate spec completions", "3")],
    // A-153, A-155
    &[("spec schedule", r#""TZ=UTC @daily""#), ("spec timeZone", r#""UTC""#)],
    &[("spec schedule", r#""TZ=0""#), ("spec timeZone", r#""""#)],
    // A-158, A-159
    &[("spec jobTemplate spec selector", "{}"), ("spec jobTemplate spec manualSelector", "true")],
    &[("spec jobTemplate spec selector", r#"{"matchLabels":{"a b":"c d"}}"#)],
    &[("spec jobTemplate spec manualSelector", "false")],
    // A-171
    &[
        ("spec jobTemplate spec completionMode", r#""Indexed""#),
        ("spec jobTemplate spec completions", "100001"),
        ("spec jobTemplate spec parallelism", "10001"),
    ],
    // A-157, A-161
    &[("spec jobTemplate spec template metadata labels", r#"{"a b":"c d"}"#), ("spec jobTemplate metadata labels", r#"{"a b":"c d"}"#)],
];

/// Updates: edits of a plain CronJob that is stored, and those of the request.
const UPDATES: &[(&[Edit<'static>], &[Edit<'static>])] = &[
    (&[], &[]),
    // A-14
    (&[], &[("spec jobTemplate spec template spec tolerations", "[]"), ("status active", r#"[{"name":"x"}]"#)]),
    (&[], &[("spec jobTemplate spec template spec containers 0 resources", r#"{"limits":{"cpu":"1"}}"#)]),
    (
        &[("spec jobTemplate spec template spec containers 0 resources", r#"{"limits":{"cpu":"1000m"}}"#)],
        &[("spec jobTemplate spec template spec containers 0 resources", r#"{"limits":{"cpu":"1"}}"#)],
    ),
    // A-150
    (&[LONG_NAME], &[("spec suspend", "true")]),
    // A-152
    (&[("spec schedule", r#""daily""#)], &[]),
    // A-153, A-173
    (&[ZONED], &[]),
    (&[ZONED], &[("spec schedule", r#""CRON_TZ=Europe/Paris @weekly""#)]),
    (&[ZONED], &[("spec timeZone", r#""UTC""#)]),
    (&[ZONED], &[("spec schedule", r#""@weekly""#), ("spec timeZone", r#""UTC""#)]),
    (&[], &[ZONED]),
    (&[], &[ZONED, ("spec timeZone", r#""UTC""#)]),
    // A-155
    (&[("spec timeZone", r#""Nowhere/City""#)], &[("spec suspend", "true")]),
    (&[("spec timeZone", r#""Nowhere/City""#)], &[("spec timeZone", r#""Nowhere/Town""#)]),
    (&[("spec timeZone", r#""UTC""#)], &[("spec timeZone", "null")]),
    (&[], &[("spec timeZone", r#""""#)]),
    // A-171
    (&[INDEXED, ("spec jobTemplate spec completions", "100001")], &[("spec jobTemplate spec parallelism", "10001")]),
    (
        &[INDEXED, ("spec jobTemplate spec completions", "100001"), ("spec jobTemplate spec parallelism", "10001")],
        &[("metadata labels", r#"{"a":"b"}"#)],
    ),
    // A-110, A-162
    (&[], &[("metadata name", r#""e""#), ("metadata uid", r#""11111111-1111-1111-1111-111111111111""#)]),
    (&[], &[("spec jobTemplate spec template spec containers 0 image", r#""busybox:2""#), ("spec jobTemplate spec completions", "5")]),
];

const LONG_NAME: Edit<'static> = ("metadata name", r#""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#);
const ZONED: Edit<'static> = ("spec schedule", r#""TZ=Europe/Paris @daily""#);
const INDEXED: Edit<'static> = ("spec jobTemplate spec completionMode", r#""Indexed""#);

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn creations_of_cron_jobs_are_admitted_as_upstream_does() {
    let mut oracle = Oracle::start();
    let mut compared = Compared::new();
    for edits in CREATIONS {
        compared.creation(&mut oracle, &edited(&plain(), edits));
    }
    for seed in 0..REQUESTS {
        let mut dice = Rng::new(seed);
        let cron_job = cron_job(&mut dice);
        compared.creation(&mut oracle, &changed(&mut dice, &cron_job));
    }
    compared.print("creations of CronJobs");
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn updates_of_cron_jobs_are_admitted_as_upstream_does() {
    let mut oracle = Oracle::start();
    let mut compared = Compared::new();
    for (before, edits) in UPDATES {
        let stored = edited(&requests::stored(&mut oracle, &plain()), before);
        compared.update(&mut oracle, &stored, &edited(&stored, edits));
    }
    for seed in 0..REQUESTS {
        let mut dice = Rng::new(seed);
        let cron_job = cron_job(&mut dice);
        let mut stored = requests::stored(&mut oracle, &cron_job);
        if dice.one_in(4) {
            stored = edited(&stored, &[ZONED]);
        }
        compared.update(&mut oracle, &stored, &changed(&mut dice, &stored));
    }
    compared.print("updates of CronJobs");
}

/// A CronJob with no more than it must have.
fn plain() -> Value {
    of_job(requests::plain())
}

/// A valid CronJob of one of many shapes.
fn cron_job(dice: &mut Rng) -> Value {
    of_jobs_like(requests::job(dice))
}

/// A CronJob whose Jobs are like this one, but for a selector of their own, which they do not have.
pub(super) fn of_jobs_like(mut job: Value) -> Value {
    for field in ["selector", "manualSelector"] {
        job["spec"].as_object_mut().expect("a Job has a spec").remove(field);
    }
    of_job(job)
}

/// A CronJob whose Jobs are like this one.
fn of_job(mut job: Value) -> Value {
    let (metadata, spec) = (job["metadata"].take(), job["spec"].take());
    json!({
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "pi"},
        "spec": {"schedule": "@daily", "jobTemplate": {"metadata": metadata, "spec": spec}},
    })
}

/// A CronJob with a few edits, of itself and of its Jobs.
fn changed(dice: &mut Rng, cron_job: &Value) -> Value {
    let own = edits(dice, FIELDS);
    let of_jobs: Vec<(String, String)> = match dice.below(3) {
        0 => edits(dice, choices::FIELDS).into_iter().map(|(field, value)| (format!("spec jobTemplate {field}"), value)).collect(),
        _ => Vec::new(),
    };
    edited(&edited(cron_job, &of_jobs), &own)
}

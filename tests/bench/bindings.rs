//! What the component costs in each language, beside the native core: to load it, to handle a change of a pod, and to make a large plan.
//!
//! Docs: `tests/plugins/README.md`. Each language measures itself, on the same objects; `cargo xtask test --all` builds what is started here.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use api::Timestamp;
use contract::{Change, Event, Listing, Manager, ObjectJson, Part};
use controllers::Config;
use core_tests::built::component_path;
use core_tests::native::Native;
use core_tests::summary::grouped;
use host_embed::{Component, Guest};
use serde_json::{Value, json};

use crate::table::{Row, median, rendered, timed};

/// How many bytes a pod's JSON has, about.
const POD_BYTES: usize = 1600;
/// How many pods the large plan creates. One more command writes the status.
const PODS: usize = 500;
/// How often it changes; an event with a version that was seen before would be ignored.
const EVENTS: usize = 10_000;
const PLANS: usize = 20;
/// How long a large plan may take everywhere.
const LONGEST_PLAN: Duration = Duration::from_millis(40);
/// How many bytes the package for npm may have.
const LARGEST_TARBALL: u64 = 570_000;
const CONFIG: &str = r#"{"controllers": ["job"]}"#;

/// A language: its name, how its program is started from `tests/plugins`, and how many microseconds an event may take.
struct Language {
    name: &'static str,
    folder: &'static str,
    command: &'static str,
    longest_event: u64,
}

const LANGUAGES: [Language; 4] = [
    Language { name: "Go", folder: "go", command: "go run ./bench", longest_event: 50 },
    Language { name: "Node", folder: "node", command: "node bench.mjs", longest_event: 50 },
    Language { name: "Python", folder: "python", command: "../../../target/bindings/python/bin/python bench.py", longest_event: 400 },
    Language {
        name: "Java",
        folder: "java",
        command: "java -cp target/test-classes:$(cat target/classpath) dev.jobsmith.plugins.Bench",
        longest_event: 400,
    },
];

/// All figures.
pub(crate) fn rows() -> Vec<Row> {
    let objects = Objects::new();
    let native = objects.measured("native", || Native::new(Config::from_json(CONFIG).expect("it is valid")));
    let (load, component) = timed(|| Component::from_file(&component_path()).expect("`cargo xtask build` made it"));
    let wasmtime = objects.measured("Rust, wasmtime", || {
        let mut guest = Guest::new(&component).expect("there is room for an instance");
        guest.configure(CONFIG).expect("it is valid");
        guest
    });
    let mut rows: Vec<Row> = native.into_iter().chain([Row::plain("Rust, wasmtime: load", rendered(load))]).chain(wasmtime).collect();
    rows.extend(LANGUAGES.iter().flat_map(|language| objects.rows(language)));
    rows.extend(packages());
    rows
}

/// What each language is given.
struct Objects {
    now: Timestamp,
    job: String,
    large: String,
    /// One pod, as it changes.
    pods: Vec<String>,
}

impl Objects {
    fn new() -> Self {
        let labels = json!({"batch.kubernetes.io/controller-uid": "u1"});
        let job = |pods: usize| {
            let pod = json!({"restartPolicy": "Never", "containers": [{"name": "pi", "image": "perl"}]});
            let spec = json!({"parallelism": pods, "completions": pods, "backoffLimit": 6, "completionMode": "NonIndexed",
                "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}});
            let metadata = json!({"name": "pi", "namespace": "default", "uid": "u1", "resourceVersion": "10", "generation": 1,
                "creationTimestamp": "2026-09-21T00:00:00Z"});
            json!({"metadata": metadata, "spec": spec}).to_string()
        };
        let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "pi", "uid": "u1", "controller": true});
        let pod = |version: usize, image: &str| {
            json!({"metadata": {"name": "pi-x", "namespace": "default", "uid": "p1", "resourceVersion": version.to_string(), "labels": labels,
                "ownerReferences": [owner], "finalizers": ["batch.kubernetes.io/job-tracking"]},
                "spec": {"containers": [{"name": "pi", "image": image}]}, "status": {"phase": "Running"}})
            .to_string()
        };
        let filling = "i".repeat(POD_BYTES - pod(EVENTS, "").len());
        let pods = (EVENTS..2 * EVENTS).map(|version| pod(version, &filling)).collect();
        Self { now: "2026-09-21T00:00:10Z".parse().expect("a time"), job: job(2), large: job(PODS), pods }
    }

    /// What an event and a plan cost in this process.
    fn measured<M: Manager>(&self, name: &str, new: impl Fn() -> M) -> [Row; 2] {
        let listed = |job: &str| {
            let mut manager = new();
            for (kind, objects) in [("Job", vec![job.into()]), ("Pod", Vec::new())] {
                let listed = Event::Listed(Listing { kind: kind.into(), part: Part::Whole, resource_version: "10".into(), objects });
                manager.handle(listed, self.now).expect("all can be understood");
            }
            manager
        };
        let mut manager = listed(&self.job);
        let events = self.pods.iter().map(|pod| {
            let text = pod.as_str().into();
            let event = Event::Changed(Change::Applied(ObjectJson { kind: "Pod".into(), json: text }));
            timed(|| manager.handle(event, self.now).expect("it can be understood")).0
        });
        let event = median(events.collect());
        let mut commands = 0;
        let plans = (0..PLANS).map(|_| {
            let mut manager = listed(&self.large);
            let (took, plan) = timed(|| manager.next_plan(self.now));
            commands = plan.map_or(0, |plan| plan.batches.iter().map(Vec::len).sum());
            took
        });
        let plan = median(plans.collect());
        [
            Row::plain(format!("{name}: an event with a pod of {POD_BYTES} bytes"), rendered(event)),
            Row::plain(format!("{name}: a plan with {commands} commands"), rendered(plan)),
        ]
    }

    /// What a language measured, or that it was not built.
    fn rows(&self, language: &Language) -> Vec<Row> {
        let Some(figures) = self.figures(language) else {
            let what = format!("{}: not there, or not built by `cargo xtask test --all`", language.name);
            return vec![Row::plain(what, "SKIPPED")];
        };
        let figure = |name: &str| Duration::from_secs_f64(figures[name].as_f64().expect("a number of microseconds") / 1e6);
        let within = |what: &str, took: Duration, most: Duration| Row {
            what: format!("{}: {what}", language.name),
            figure: rendered(took),
            goal: format!("≤ {}", rendered(most)),
            met: took <= most,
        };
        vec![
            Row::plain(format!("{}: load", language.name), rendered(figure("load"))),
            within("the same event", figure("event"), Duration::from_micros(language.longest_event)),
            within(&format!("a plan with {} commands", figures["commands"]), figure("plan"), LONGEST_PLAN),
        ]
    }

    fn figures(&self, language: &Language) -> Option<Value> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins").join(language.folder);
        let command = format!("{} ../../../target/component/controllers.wasm", language.command);
        let mut program = Command::new("sh");
        program.args(["-c", &command]).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut program = program.spawn().expect("there is a shell");
        // Python reads no Z before version 3.11.
        let now = self.now.to_string().replace('Z', "+00:00");
        let given = json!({"now": now, "job": self.job, "large": self.large, "pods": self.pods}).to_string();
        // A program that does not start reads nothing; its exit status tells.
        let _ = program.stdin.take().expect("it is piped").write_all(given.as_bytes());
        let ended = program.wait_with_output().expect("it ends");
        ended.status.success().then(|| serde_json::from_slice(&ended.stdout).expect("it prints JSON"))
    }
}

/// How large the packages are.
fn packages() -> impl Iterator<Item = Row> {
    let version = env!("CARGO_PKG_VERSION");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bindings/packages");
    let names = [
        (format!("jobsmith-controllers-{version}.tgz"), Some(LARGEST_TARBALL)),
        (format!("jobsmith-{version}-py3-none-any.whl"), None),
        (format!("controllers-{version}.jar"), None),
    ];
    names.into_iter().filter_map(move |(name, most)| {
        let size = folder.join(&name).metadata().ok()?.len();
        Some(Row {
            figure: format!("{} bytes", grouped(size)),
            goal: most.map_or_else(String::new, |most| format!("≤ {}", grouped(most))),
            met: most.is_none_or(|most| size <= most),
            what: name,
        })
    })
}

//! The picture of a run: a head for each CronJob and each Job, a line for each pod, what is waited for.
//!
//! Docs: Jobs; Pod Lifecycle. It is drawn in `live.rs`; which Jobs of a CronJob are in it, and what its head has, is decided in `section.rs`.

use std::collections::{BTreeMap, BTreeSet};

use api::{Duration, Job, Text, Timestamp};
use console::{Style, style};
use contract::{Decision, ObjectRef, Period, Role};
use manifest::ManifestObject;
use play::job_name;
use play::trace::{Clock, Entry, PodEntry, PodState, What};
use story::runs::{Runs, owner_of};

use super::super::input::Inputs;
use super::Upcoming;
use super::section::{self, Section};

/// What is shown of Jobs and pods.
pub(crate) struct Board {
    inputs: Inputs<ManifestObject>,
    clock: Clock,
    pods: BTreeMap<RowKey, Row>,
    /// What is waited for since and until a known time, by Job and index.
    waiting: BTreeMap<(JobName, Option<u32>), PodWait>,
    /// The latest decision.
    latest: Option<String>,
}

/// Namespace and name of a Job.
type JobName = (Text, Text);
/// Where a pod's line stands: by Job, index and attempt.
type RowKey = (JobName, Option<u32>, u32);

struct Row {
    entry: PodEntry,
    /// When it ended.
    ended_at: Option<Timestamp>,
    /// What was decided about it last, if it failed.
    note: String,
}

struct PodWait {
    since: Timestamp,
    until: Timestamp,
    note: String,
}

impl Board {
    pub(crate) fn new(inputs: Inputs<ManifestObject>, start: Timestamp) -> Self {
        Self { inputs, clock: Clock { start }, pods: BTreeMap::new(), waiting: BTreeMap::new(), latest: None }
    }

    /// Records what happened.
    pub(crate) fn record<'e>(&mut self, entries: impl IntoIterator<Item = &'e Entry>) {
        for entry in entries {
            match &entry.what {
                What::Pod(pod) => self.pod(pod, entry.at),
                What::Decision { about, decision, minor } => {
                    self.decision(about, decision);
                    if !minor {
                        self.latest = Some(self.render(decision, about));
                    }
                }
                What::Complaint { message } | What::Difference { message, .. } => self.latest = Some(message.to_string()),
                What::CronJob { .. } | What::Job { .. } | What::Starts(_) | What::Container(_) => {}
                What::Action { .. } | What::Sync { .. } | What::Request { .. } | What::Event(_) => {}
            }
        }
    }

    /// Forgets what is known of other Jobs than these.
    pub(crate) fn forget_others(&mut self, jobs: &[Job]) {
        let names: BTreeSet<(&Text, &Text)> = jobs.iter().map(|job| (&job.metadata.namespace, &job.metadata.name)).collect();
        let known = |(namespace, name): &JobName| names.contains(&(namespace, name));
        self.pods.retain(|(job, ..), _| known(job));
        self.waiting.retain(|(job, _), _| known(job));
    }

    /// The picture: at most this many lines, with heads of at most this many columns.
    pub(crate) fn lines(&self, jobs: &[Job], runs: &Runs, next: Option<&Upcoming>, now: Timestamp, size: (usize, usize)) -> Vec<String> {
        let (height, width) = size;
        let mut lines = Vec::new();
        let sections = section::sections(jobs, runs, height);
        let shown = sections.iter().map(|section| section.jobs.len()).sum::<usize>().max(1);
        let room = height.saturating_sub(2 * shown + sections.len() + 1) / shown;
        for Section { cron_job, jobs: shown } in &sections {
            lines.extend(cron_job.map(|(name, cron_job)| section::head(&runs.name(name), cron_job, now)));
            for job in shown {
                let name = job_name(&job.metadata, jobs.iter().map(|job| &job.metadata.namespace));
                lines.push(self.head(job, &name.to_string(), now, width));
                lines.extend(self.rows(job, now, room.max(1)));
            }
        }
        if let Some(latest) = &self.latest {
            lines.push(format!("{} {latest}", style("why").dim()));
        }
        if let Some(next) = next {
            let left = seconds(next.at.duration_since(now));
            lines.push(format!("{} in {left}: {}", style("next").dim(), next.what));
        }
        // More Jobs than lines: a picture that is higher than the terminal could not be redrawn.
        lines.truncate(height);
        lines
    }

    fn pod(&mut self, pod: &PodEntry, at: Timestamp) {
        let job = (pod.namespace.clone(), pod.job.clone());
        if pod.state == PodState::Pending {
            self.waiting.remove(&(job.clone(), pod.index));
        }
        let place = (job, pod.index, pod.attempt);
        let ended = matches!(pod.state, PodState::Succeeded | PodState::Failed | PodState::Gone);
        match self.pods.get_mut(&place) {
            Some(row) => {
                let over = matches!(row.entry.state, PodState::Succeeded | PodState::Failed);
                if !over {
                    row.entry = pod.clone();
                }
                row.ended_at = row.ended_at.or(ended.then_some(at));
            }
            None => _ = self.pods.insert(place, Row { entry: pod.clone(), ended_at: ended.then_some(at), note: String::new() }),
        }
    }

    fn decision(&mut self, about: &ObjectRef, decision: &Decision) {
        if let Role::Wait(Period { since: Some(since), until: Some(until) }) = decision.role {
            let index = match decision.value("index") {
                Some(contract::Value::Integer(index)) => u32::try_from(*index).ok(),
                _ => None,
            };
            let note = self.render(decision, about);
            self.waiting.insert(((about.namespace.clone(), about.name.clone()), index), PodWait { since, until, note });
        }
        for (_, value) in decision.values.iter().filter(|_| decision.role != Role::Routine) {
            let contract::Value::Object(object) = value else { continue };
            if let Some(row) = self
                .pods
                .values_mut()
                .find(|row| *object.kind == *"Pod" && (&row.entry.namespace, &row.entry.pod) == (&object.namespace, &object.name))
            {
                row.note = decision.sentence.render(|at| self.clock.time(at));
            }
        }
    }

    /// A decision with the place of the field that it rests on.
    fn render(&self, Decision { kind, sentence, .. }: &Decision, about: &ObjectRef) -> String {
        let sentence = sentence.render(|at| self.clock.time(at));
        let place = kind.fields.iter().find_map(|field| Some((field, self.inputs.line(about, field)?)));
        match place {
            Some((field, line)) => format!("{sentence}   {}", style(format!("({field}, line {line})")).dim()),
            None => sentence,
        }
    }

    /// A Job's line; in a narrow terminal, without the settings of the manifest.
    fn head(&self, job: &Job, name: &str, now: Timestamp, width: usize) -> String {
        let (spec, status) = (&job.spec, &job.status);
        let mode = if job.indexed() { "Indexed" } else { "NonIndexed" };
        let completions = spec
            .completions
            .map_or("work queue".to_owned(), |number| format!("{number} {}", if number == 1 { "completion" } else { "completions" }));
        let goal = spec.completions.unwrap_or(1).max(1);
        let failed = if status.failed > 0 { style(format!("   {} failed", status.failed)).red().to_string() } else { String::new() };
        let end = job.status.conditions.last().filter(|condition| &*condition.status == "True").map(|condition| {
            let colour = if condition.complete() { Style::new().green() } else { Style::new().yellow() };
            format!("   {}", colour.apply_to(&condition.kind))
        });
        let name = style(format!("job/{name}")).bold();
        let settings = format!("  {mode} · {completions} · parallelism {}", spec.parallelism.unwrap_or(1));
        let (bar, done) = (bar(status.succeeded, goal), status.succeeded);
        let progress = format!("   {bar} {done}/{goal}{failed}{}   {}", end.unwrap_or_default(), minutes(self.lasted(job, now)));
        let whole = format!("{name}{settings}{progress}");
        if console::measure_text_width(&whole) <= width { whole } else { format!("{name}{progress}") }
    }

    /// How long a Job has been there: that of a CronJob, from its creation to its end.
    fn lasted(&self, job: &Job, now: Timestamp) -> Duration {
        let created = job.metadata.creation_timestamp.filter(|_| owner_of(&job.metadata).is_some());
        let Some(created) = created else { return now.duration_since(self.clock.start) };
        job.finished_by().and_then(|condition| condition.last_transition_time).unwrap_or(now).duration_since(created)
    }

    /// The lines of a Job's pods: all, or, in a small terminal, those that ended last and those that have not ended.
    fn rows(&self, job: &Job, now: Timestamp, room: usize) -> Vec<String> {
        let (finished, job) = (job.finished(), &(job.metadata.namespace.clone(), job.metadata.name.clone()));
        let own = self.pods.iter().filter(|((of, ..), _)| of == job);
        let mut lines: Vec<(Option<Timestamp>, Option<u32>, String)> =
            own.map(|((_, index, attempt), row)| (row.ended_at, *index, row.line(*index, *attempt, now))).collect();
        for ((of, index), waiting) in self.waiting.iter().filter(|(_, waiting)| !finished && waiting.until > now) {
            if of == job {
                let attempt =
                    self.pods.keys().filter(|(of, at, _)| of == job && at == index).map(|(.., attempt)| *attempt).max().unwrap_or(0) + 1;
                lines.push((None, *index, waiting.line(*index, attempt, now)));
            }
        }
        let hidden = lines.len().saturating_sub(room);
        if hidden > 0 {
            let mut ends: Vec<_> = lines.iter().map(|(ended_at, ..)| ended_at.unwrap_or(Timestamp::MAX)).collect();
            ends.sort_unstable();
            let first_shown = ends[hidden];
            lines.retain(|(ended_at, ..)| ended_at.is_none_or(|at| at >= first_shown));
            lines.truncate(room);
        }
        lines.sort_by_key(|(_, index, _)| *index);
        let mut texts: Vec<String> = lines.into_iter().map(|(.., text)| text).collect();
        if hidden > 0 {
            texts.push(style(format!("      … and {hidden} more")).dim().to_string());
        }
        texts
    }
}

impl Row {
    fn line(&self, index: Option<u32>, attempt: u32, now: Timestamp) -> String {
        let PodEntry { state, restarts, exit_code, created_at, reason, .. } = &self.entry;
        let lived = seconds(self.ended_at.unwrap_or(now).duration_since(*created_at));
        let exit = exit_code.map(|code| format!("exit {code}")).unwrap_or_default();
        let restarted = if *restarts > 0 { format!("restarted {restarts}×  ") } else { String::new() };
        let reason = if reason.is_empty() { String::new() } else { format!("{reason}  ") };
        let (word, colour) = match state {
            PodState::Pending => ("Pending", Style::new().dim()),
            PodState::Running | PodState::Ready | PodState::Restarted => ("Running", Style::new().blue()),
            PodState::CrashLoopBackOff => ("CrashLoopBackOff", Style::new().yellow()),
            PodState::Terminating => ("Terminating", Style::new().yellow()),
            PodState::Succeeded => ("Succeeded", Style::new().green()),
            PodState::Failed => ("Failed", Style::new().red()),
            PodState::Gone => ("gone", Style::new().dim()),
        };
        format!(
            "{}{} {exit:<9} {lived:>7}   {restarted}{reason}{}",
            place(index, attempt),
            colour.apply_to(format!("{word:<11}")),
            if *state == PodState::Failed { &*self.note } else { "" }
        )
    }
}

impl PodWait {
    fn line(&self, index: Option<u32>, attempt: u32, now: Timestamp) -> String {
        let left = seconds(self.until.duration_since(now));
        let waited = seconds(now.duration_since(self.since));
        let word = Style::new().yellow().apply_to(format!("{:<11}", "waiting"));
        format!("{}{word} {:<9} {waited:>7}   {}", place(index, attempt), format!("{left} left"), self.note)
    }
}

fn place(index: Option<u32>, attempt: u32) -> String {
    match index {
        Some(index) => format!("{index:>5} {:<4}", format!("#{attempt}")),
        None => format!("{:>5} {:<4}", format!("#{attempt}"), ""),
    }
}

fn bar(done: i32, goal: i32) -> String {
    const WIDTH: usize = 14;
    let share = f64::from(done.clamp(0, goal)) / f64::from(goal);
    let full = (share * WIDTH as f64) as usize;
    format!("▕{}{}▏", "█".repeat(full), "░".repeat(WIDTH - full))
}

/// Whole seconds, or minutes and seconds: `17 s`, `2:05`.
fn seconds(length: Duration) -> String {
    let seconds = length.as_secs();
    if seconds < 60 { format!("{} s", seconds.max(0)) } else { minutes(length) }
}

/// Minutes and seconds, with hours where there are any: `0:42`.
pub(super) fn minutes(length: Duration) -> String {
    let seconds = length.as_secs().max(0);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use contract::decision::TextPart;
    use contract::{DecisionKind, Sentence, Value};
    use expect_test::{Expect, expect};
    use schedule::Zone;
    use serde_json::{Value as Json, json};

    use super::super::super::input::{Input, InputFile};
    use super::*;

    const MANIFEST: &str = "apiVersion: batch/v1
kind: Job
metadata: {name: flaky, namespace: default}
spec:
  completionMode: Indexed
  completions: 5
  parallelism: 2
  backoffLimitPerIndex: 2
";

    fn at(second: i64) -> Timestamp {
        api::time::after("2026-01-01T00:00:00Z".parse().unwrap(), Duration::from_secs(second))
    }

    fn pod(index: u32, attempt: u32, state: PodState, exit_code: Option<i32>) -> What {
        What::Pod(PodEntry {
            namespace: "default".into(),
            pod: format!("flaky-{index}-{attempt}").into(),
            job: "flaky".into(),
            index: Some(index),
            attempt,
            state,
            restarts: 0,
            starts: Vec::new(),
            ends: Vec::new(),
            exit_code,
            container: None,
            found: false,
            created_at: at(0),
            disruption: None,
            reason: String::new(),
        })
    }

    fn decision(role: Role, sentence: &[TextPart], name: &str, value: Value) -> What {
        let kind = Arc::new(DecisionKind { fields: vec!["spec.backoffLimitPerIndex".into()], ..DecisionKind::default() });
        let decision = Decision { kind, role, sentence: Sentence(sentence.to_vec()), values: vec![(name.into(), value)] };
        let about = ObjectRef { kind: "Job".into(), namespace: "default".into(), name: "flaky".into(), uid: "".into() };
        What::Decision { about, decision, minor: false }
    }

    /// A Job whose index 1 failed once and waits.
    fn board() -> Board {
        console::set_colors_enabled(false);
        let manifest = manifest::workloads(MANIFEST).unwrap().remove(0);
        let source = InputFile { name: "flaky.yaml".to_owned(), text: MANIFEST.to_owned() };
        let mut board =
            Board::new(Inputs { sources: vec![source], objects: vec![Input { source: 0, object: manifest }], others: Vec::new() }, at(0));
        let until = |until| Role::Wait(Period { since: Some(at(2)), until });
        let retry = [TextPart::Text("Retrying index 1 at ".into()), TextPart::Time(at(12)), TextPart::Text(": back-off".into())];
        let failed = ObjectRef { kind: "Pod".into(), namespace: "default".into(), name: "flaky-1-1".into(), uid: "".into() };
        let keeps = [TextPart::Text("Keeping pod ".into()), TextPart::Object(failed.clone())];
        let happened = [
            (0, pod(0, 1, PodState::Pending, None)),
            (0, pod(1, 1, PodState::Pending, None)),
            (2, pod(1, 1, PodState::Failed, Some(42))),
            (3, decision(until(None), &keeps, "pod", Value::Object(failed))),
            (3, decision(until(Some(at(12))), &retry, "index", Value::Integer(1))),
            (4, pod(0, 1, PodState::Succeeded, Some(0))),
            (5, pod(2, 1, PodState::Pending, None)),
            (5, pod(2, 1, PodState::Running, None)),
        ];
        board.record(&happened.map(|(second, what)| Entry { at: at(second), estimated: false, what }));
        board
    }

    fn check(status: Json, second: i64, (height, width): (usize, usize), expected: Expect) {
        let mut job: Json = manifest::read(MANIFEST).unwrap().remove(0).value().clone();
        job["status"] = status;
        let jobs = [serde_json::from_value(job).unwrap()];
        let next = Upcoming { at: at(20), what: "resume".to_owned() };
        let lines = board().lines(&jobs, &Runs::new(Zone::utc()), Some(&next), at(second), (height, width));
        expected.assert_eq(&lines.iter().map(|line| format!("{}\n", line.trim_end())).collect::<String>());
    }

    #[test]
    fn a_line_for_each_pod_and_what_is_waited_for() {
        check(
            json!({"succeeded": 1, "failed": 1}),
            8,
            (24, 110),
            expect![[r#"
                job/flaky  Indexed · 5 completions · parallelism 2   ▕██░░░░░░░░░░░░▏ 1/5   1 failed   0:08
                    0 #1  Succeeded   exit 0        4 s
                    1 #1  Failed      exit 42       2 s   Keeping pod flaky-1-1
                    1 #2  waiting     4 s left      6 s   Retrying index 1 at 0:12: back-off   (spec.backoffLimitPerIndex, line 8)
                    2 #1  Running                   8 s
                why Retrying index 1 at 0:12: back-off   (spec.backoffLimitPerIndex, line 8)
                next in 12 s: resume
            "#]],
        );
    }

    #[test]
    fn a_narrow_terminal_gets_what_changes() {
        check(
            json!({"succeeded": 1}),
            8,
            (24, 60),
            expect![[r#"
                job/flaky   ▕██░░░░░░░░░░░░▏ 1/5   0:08
                    0 #1  Succeeded   exit 0        4 s
                    1 #1  Failed      exit 42       2 s   Keeping pod flaky-1-1
                    1 #2  waiting     4 s left      6 s   Retrying index 1 at 0:12: back-off   (spec.backoffLimitPerIndex, line 8)
                    2 #1  Running                   8 s
                why Retrying index 1 at 0:12: back-off   (spec.backoffLimitPerIndex, line 8)
                next in 12 s: resume
            "#]],
        );
    }

    #[test]
    fn with_few_lines_those_that_run_and_those_that_ended_last() {
        check(
            json!({"succeeded": 1}),
            8,
            (6, 110),
            expect![[r#"
                job/flaky  Indexed · 5 completions · parallelism 2   ▕██░░░░░░░░░░░░▏ 1/5   0:08
                    1 #2  waiting     4 s left      6 s   Retrying index 1 at 0:12: back-off   (spec.backoffLimitPerIndex, line 8)
                    2 #1  Running                   8 s
                      … and 2 more
                why Retrying index 1 at 0:12: back-off   (spec.backoffLimitPerIndex, line 8)
                next in 12 s: resume
            "#]],
        );
    }

    #[test]
    fn a_job_that_has_ended_waits_for_nothing() {
        let condition = json!({"type": "Failed", "status": "True", "reason": "DeadlineExceeded"});
        check(
            json!({"succeeded": 1, "failed": 2, "conditions": [condition]}),
            9,
            (24, 110),
            expect![[r#"
                job/flaky  Indexed · 5 completions · parallelism 2   ▕██░░░░░░░░░░░░▏ 1/5   2 failed   Failed   0:09
                    0 #1  Succeeded   exit 0        4 s
                    1 #1  Failed      exit 42       2 s   Keeping pod flaky-1-1
                    2 #1  Running                   9 s
                why Retrying index 1 at 0:12: back-off   (spec.backoffLimitPerIndex, line 8)
                next in 11 s: resume
            "#]],
        );
    }
}

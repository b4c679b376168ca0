//! The session protocol: controllers on a small cluster whose clock moves only by `advance`; one operation a line, as JSON.
//!
//! Docs: `upstream/cmd/oracle/session.go`, whose controllers are upstream's. What a node does to a pod is in `node.rs`, which requests are refused in
//! `refusals.rs`, the answer to `advance` in `state.rs`, the cluster in `cluster::apiserver`.

mod node;
mod operation;
mod question;
mod refusals;
mod state;

use std::sync::Arc;

use api::request::Outcome;
use api::{DEFAULT_NAMESPACE, Duration, Kind, Malformed, Timestamp};
use cluster::Dependence;
use cluster::apiserver::{ApiServer, Propagation, Target};
use cluster::naming::Names;
use cluster::stored::Stored;
use contract::execution::Executed;
use contract::{Command, Manager};
use manifest::FieldProblem;
use play::World;
use play::world::send;
use serde::Deserialize;
use serde_json::{Map, Value};

use self::operation::{Op, Operation, known_kind};
use self::refusals::RefusalRules;

/// Plans in one `advance`; with more, the controllers never fall quiet.
const MOST_PLANS: usize = 2000;
/// Controllers on a small cluster, driven line by line.
#[derive(Debug)]
pub struct Session<M> {
    world: World<M>,
    now: Timestamp,
    begun: bool,
    refusals: RefusalRules,
    /// Since the last `advance`.
    writes: Vec<String>,
    /// Since the last `advance`.
    events: Vec<String>,
    stuck: bool,
}

/// The answer to an operation.
enum Reply {
    Nothing,
    State,
    Answer(question::OracleAnswer),
}

impl<M: Manager> Session<M> {
    /// A session that has not begun: its first operation is `session`.
    pub fn new(manager: M) -> Self {
        let world = World::new(cluster(), manager);
        let refusals = RefusalRules::default();
        Self { world, now: Timestamp::UNIX_EPOCH, begun: false, refusals, writes: Vec::new(), events: Vec::new(), stuck: false }
    }

    /// Carries out one operation, and returns one line of JSON: `{}`, `{"warnings":[…]}`, `{"state":…}`, the answer to a question or
    /// `{"error":…}`.
    pub fn serve(&mut self, line: &str) -> String {
        match Operation::read(line).and_then(|operation| self.carry_out(&operation)) {
            Ok(Reply::Answer(answer)) => serde_json::to_string(&answer).expect("its keys are text"),
            Ok(Reply::Nothing) => self.warnings(),
            Ok(Reply::State) => self.state(),
            Err(error) => format!(r#"{{"error":{}}}"#, Value::from(error)),
        }
    }

    fn carry_out(&mut self, operation: &Operation<'_>) -> Result<Reply, String> {
        if !self.begun && !operation.op.stands_alone() {
            return Err(r#"there is no session yet; begin one with {"op":"session"}"#.to_owned());
        }
        match operation.op {
            Op::Session => self.begin(operation.now()),
            Op::Apply => self.apply(operation.object()),
            Op::Edit => self.edit(operation),
            Op::Remove => self.remove(operation),
            Op::Pod => node::act(&mut self.world.server, operation, self.now),
            Op::Refuse => self.refusals.add(&self.world.server, operation, self.now),
            Op::Restart => all_understood(&self.world.restart(self.now)),
            Op::Advance => return self.advance(operation.seconds()?).map(|()| Reply::State),
            Op::Create => return question::create(operation.object()).map(Reply::Answer),
            Op::Update => return question::update(operation.old(), operation.object()).map(Reply::Answer),
            Op::Status => return question::status(operation.old(), operation.object()).map(Reply::Answer),
            Op::Decode => return question::decode(operation.object()).map(Reply::Answer),
            Op::Yaml => return question::yaml(operation.yaml()).map(Reply::Answer),
            Op::Schedule => return question::times(operation).map(Reply::Answer),
        }
        .map(|()| Reply::Nothing)
    }

    /// What the API server warned of, if anything: `{"warnings":["…"]}`.
    fn warnings(&mut self) -> String {
        let warnings: Vec<String> = self.world.server.take_warnings().into_iter().map(|warning| warning.text).collect();
        if warnings.is_empty() { "{}".to_owned() } else { serde_json::json!({ "warnings": warnings }).to_string() }
    }

    /// A new, empty cluster, and controllers that have just started.
    fn begin(&mut self, now: Result<Timestamp, String>) -> Result<(), String> {
        self.now = now?;
        self.begun = true;
        self.refusals = RefusalRules::default();
        self.writes.clear();
        self.events.clear();
        self.stuck = false;
        self.world.losses.clear();
        self.world.server = cluster();
        all_understood(&self.world.restart(self.now))
    }

    fn apply(&mut self, object: &str) -> Result<(), String> {
        let applied: Applied = serde_json::from_str(object).map_err(|error| error.to_string())?;
        let kind = known_kind(applied.kind.as_deref().unwrap_or_default())?;
        check_fields(kind, object)?;
        let AppliedMetadata { name, namespace } = applied.metadata.unwrap_or_default();
        let (name, namespace) = (name.unwrap_or_default(), namespace.unwrap_or_default());
        if !matches!(&*namespace, "" | DEFAULT_NAMESPACE) {
            return Err(format!(
                "a session has only the namespace {DEFAULT_NAMESPACE:?}: leave out metadata.namespace, which is {namespace:?}"
            ));
        }
        if self.world.server.object(kind, DEFAULT_NAMESPACE, &name).is_some() {
            // The protocol looks for the name before it looks at the rest, and names the group of Jobs for pods too.
            return Err(format!("{}.batch {name:?} already exists", kind.resource()));
        }
        self.world.server.create(kind, DEFAULT_NAMESPACE, object, self.now).map(|_| ()).map_err(|error| error.message)
    }

    fn edit(&mut self, operation: &Operation<'_>) -> Result<(), String> {
        let stored = self.named(operation)?;
        let merge = operation.merge();
        if !merge.starts_with('{') {
            return Err("Invalid JSON Patch".to_owned());
        }
        check_fields(stored.kind(), merge)?;
        self.world.server.merge(&stored, merge, self.now).map_err(|error| error.message)
    }

    fn remove(&mut self, operation: &Operation<'_>) -> Result<(), String> {
        let stored = self.named(operation)?;
        let propagation = match operation.propagation.unwrap_or_default() {
            operation::RemovalPropagation::Background => Propagation::Background,
            operation::RemovalPropagation::Foreground => Propagation::Foreground,
            operation::RemovalPropagation::Orphan => Propagation::Orphan,
        };
        self.world.server.begin_deletion(&stored, Some(propagation), None, self.now);
        Ok(())
    }

    /// The object that an operation names.
    fn named(&self, operation: &Operation<'_>) -> Result<Arc<Stored>, String> {
        let kind = Kind::of(operation.kind());
        let stored = kind.and_then(|kind| self.world.server.object(kind, DEFAULT_NAMESPACE, operation.name()));
        stored.cloned().ok_or_else(|| "no such object".to_owned())
    }

    /// Lets time pass: whatever is due runs, in the order of time.
    fn advance(&mut self, length: Duration) -> Result<(), String> {
        let end = self.now.checked_add(length).map_err(|_| "time ends with the year 9999".to_owned())?;
        let mut plans = 0;
        loop {
            all_understood(&self.world.deliver(self.now))?;
            if let Some(loss) = self.world.losses.pop() {
                return Err(format!("the controllers crashed and lost their in-memory state: {loss}"));
            }
            if end < self.now {
                break;
            }
            if plans > MOST_PLANS {
                self.stuck = true;
                break;
            }
            let (refusals, now) = (&self.refusals, self.now);
            let carry_out = |server: &mut ApiServer, command: &Command| match refusals.of(&command.request, now) {
                Some(error) => Outcome::Failed(error),
                None => send(server, command, now),
            };
            if let Some(executed) = self.world.step_with(now, carry_out) {
                self.note(&executed);
                plans += 1;
                continue;
            }
            match self.world.next_due() {
                Some(wakeup) if wakeup.at > self.now && wakeup.at <= end => self.now = wakeup.at,
                Some(_) | None => break,
            }
        }
        self.now = end;
        Ok(())
    }

    /// Notes the writes and the Kubernetes Events of a plan.
    fn note(&mut self, Executed { plan, outcomes }: &Executed) {
        for (command, outcome) in plan.commands().zip(outcomes) {
            let Some(target) = Target::read(&command.request.path) else { continue };
            let verb = command.request.method.verb();
            let name = match outcome {
                Outcome::Skipped => continue,
                Outcome::Done(written) if target.name.is_empty() => &*written.name,
                Outcome::Failed(_) if target.name.is_empty() || self.refusals.of(&command.request, self.now).is_some() => "(refused)",
                Outcome::Done(_) | Outcome::Failed(_) => target.name,
            };
            if verb != "get" {
                let status = if target.status { "/status" } else { "" };
                self.writes.push(format!("{verb} {}{status} {name}", target.kind.name()));
            }
        }
        for notice in &plan.notices {
            let kind = if notice.warning { "Warning" } else { "Normal" };
            self.events.push(format!("{kind} {} {}", notice.reason, notice.message));
        }
    }
}

/// Whether a line begins a session, so that no line before it has any bearing on it and those that follow.
#[must_use]
pub fn begins(line: &str) -> bool {
    // Most lines need not be taken apart to know that they do not.
    line.contains(r#""session""#) && Operation::read(line).is_ok_and(|operation| operation.op == Op::Session && operation.now().is_ok())
}

/// Checks that objects of this kind have the fields of this one, JSON text, as the API server does with strict field validation.
fn check_fields(kind: Kind, object: &str) -> Result<(), String> {
    let fields: Map<String, Value> = serde_json::from_str(object).map_err(|error| error.to_string())?;
    let mut checked = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "apiVersion" | "kind"));
    let checked = checked.try_for_each(|(name, value)| manifest::check_field(kind, name, value));
    checked.map_err(|FieldProblem { message, remedy }| match remedy {
        Some(remedy) => format!("{message}; {remedy}"),
        None => message,
    })
}

/// An empty cluster as the protocol has it.
fn cluster() -> ApiServer {
    ApiServer::new(Names::predictable(), Dependence::OnController)
}

fn all_understood(malformed: &[Malformed]) -> Result<(), String> {
    malformed.first().map_or(Ok(()), |malformed| Err(malformed.to_string()))
}

/// What `apply` reads before the server reads the rest.
#[derive(Deserialize)]
struct Applied {
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    metadata: Option<AppliedMetadata>,
}

#[derive(Default, Deserialize)]
struct AppliedMetadata {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    namespace: Option<String>,
}

#[cfg(test)]
mod tests {
    use contract::{Notice, ObjectRef};
    use expect_test::{Expect, expect};

    use super::*;
    use play::testing::Puppet;

    const BEGIN: &str = r#"{"op":"session","now":"2026-01-02T12:00:00.25Z"}"#;
    const JOB: &str = r#"{"op":"apply","object":{"kind":"Job","metadata":{"name":"pi"},"spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"i"}]}}}}}"#;

    fn check(manager: Puppet, lines: &[&str], expected: Expect) {
        let mut session = Session::new(manager);
        let answers: Vec<String> = lines.iter().map(|line| session.serve(line)).collect();
        expected.assert_eq(&answers.join("\n"));
    }

    fn pod(name: &str, more: &str) -> String {
        format!(
            r#"{{"op":"apply","object":{{"kind":"Pod","metadata":{{"name":"{name}"{more}}},"spec":{{"containers":[{{"name":"main"}}]}}}}}}"#
        )
    }

    #[test]
    fn a_session_begins_empty_and_keeps_time() {
        let lines = [
            r#"{"op":"advance","seconds":0}"#,
            BEGIN,
            r#"{"op":"advance","seconds":1.5}"#,
            r#"{"op":"session"}"#,
            r#"{"op":"advance","seconds":0}"#,
        ];
        check(
            Puppet::default(),
            &lines,
            expect![[r#"
                {"error":"there is no session yet; begin one with {\"op\":\"session\"}"}
                {}
                {"state":{"now":"2026-01-02T12:00:01.75Z","jobs":{},"cronjobs":{},"pods":null,"writes":null,"events":null}}
                {}
                {"state":{"now":"0001-01-01T00:00:00Z","jobs":{},"cronjobs":{},"pods":null,"writes":null,"events":null}}"#]],
        );
    }

    #[test]
    fn the_answer_has_what_the_api_server_warns_of() {
        check(
            Puppet::default(),
            &[BEGIN, &JOB.replace("\"pi\"", "\"a.b\""), JOB],
            expect![[r#"
                {}
                {"warnings":["metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]"]}
                {}"#]],
        );
    }

    #[test]
    fn questions_need_no_session() {
        let job = r#"{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"pi"},"spec":{"template":{"spec":{"containers":[{"name":"main","image":"i"}]}}}}"#;
        let question = |op: &str| format!(r#"{{"op":"{op}","object":{job}}}"#);
        let change = |op: &str, from: &str, to: &str| {
            let stored = job.replace("\"spec\":{\"containers", "\"spec\":{\"restartPolicy\":\"Never\",\"containers");
            let answer: Value = serde_json::from_str(&serve(&format!(r#"{{"op":"create","object":{stored}}}"#))).expect("it is JSON");
            let stored = answer["object"].to_string().replace("\"metadata\":{", "\"metadata\":{\"resourceVersion\":\"1\",");
            format!(r#"{{"op":"{op}","old":{stored},"object":{}}}"#, stored.replace(from, to))
        };
        let errors = |line: &str| {
            let answer: Value = serde_json::from_str(&serve(line)).expect("it is JSON");
            assert_eq!(answer["error"], Value::Null, "{line}");
            answer["errors"].to_string()
        };
        assert_eq!(
            errors(&question("create")),
            r#"["spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\""]"#
        );
        assert_eq!(
            errors(&change("update", "\"completions\":1", "\"completions\":2")),
            r#"["spec.completions: Invalid value: 2: field is immutable"]"#
        );
        check(
            Puppet::default(),
            &[
                &question("decode").replace("\"spec\":{\"template", "\"spec\":{\"foo\":1,\"template"),
                &question("decode").replace("{\"name\":\"pi\"}", "3"),
                r#"{"op":"decode","object":{"kind":"Pod"}}"#,
                r#"{"op":"yaml","yaml":"a: yes"}"#,
                r#"{"op":"yaml","yaml":"a: 'yes"}"#,
                r#"{"op":"schedule","schedule":"0 3 * * *","timeZone":"Europe/Paris","from":"2026-03-28T12:00:00Z","count":2}"#,
                r#"{"op":"schedule","schedule":"0 3 * *","from":"2026-03-28T12:00:00Z","count":2}"#,
                r#"{"op":"schedule","schedule":"0 3 * * *"}"#,
            ],
            expect![[r#"
                {"errors":["unknown field \"spec.foo\""]}
                {"error":"1:50: metadata: expected a map, found the number 3; put its fields on separate lines below, indented, as in `name: value`"}
                {"error":"a Job or a CronJob is needed, not a Pod"}
                {"object":{"a":true}}
                {"error":"invalid YAML: found unexpected end of stream"}
                {"times":["2026-03-29T01:00:00Z","2026-03-30T01:00:00Z"]}
                {"error":"expected exactly 5 fields, found 4: [0 3 * *]"}
                {"error":"\"schedule\" needs \"from\""}"#]],
        );
    }

    fn serve(line: &str) -> String {
        Session::new(Puppet::default()).serve(line)
    }

    #[test]
    fn a_session_has_one_namespace() {
        check(
            Puppet::default(),
            &[BEGIN, &pod("a", r#","namespace":"team-a""#), &pod("a", r#","namespace":"default""#), &pod("b", r#","namespace":"""#)],
            expect![[r#"
                {}
                {"error":"a session has only the namespace \"default\": leave out metadata.namespace, which is \"team-a\""}
                {}
                {}"#]],
        );
    }

    #[test]
    fn only_a_session_that_begins_makes_all_before_it_forgotten() {
        assert!(begins(BEGIN));
        for line in [JOB, "", r#"{"op":"session","now":"noon"}"#, r#"{"op":"remove","kind":"Job","name":"session"}"#] {
            assert!(!begins(line), "{line}");
        }
    }

    #[test]
    fn cron_jobs_are_applied_edited_and_removed() {
        let job = r#"{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"m","image":"i"}]}}}"#;
        let spec = format!(r#"{{"schedule":"@daily","jobTemplate":{{"spec":{job}}}}}"#);
        check(
            Puppet::default(),
            &[
                BEGIN,
                &format!(r#"{{"op":"apply","object":{{"kind":"CronJob","metadata":{{"name":"c"}},"spec":{spec}}}}}"#),
                &format!(r#"{{"op":"apply","object":{{"kind":"CronJob","metadata":{{"name":"c"}},"spec":{spec}}}}}"#),
                r#"{"op":"edit","kind":"CronJob","name":"c","merge":{"spec":{"backoffLimit":1}}}"#,
                r#"{"op":"edit","kind":"CronJob","name":"c","merge":{"spec":{"schedule":"daily"}}}"#,
                r#"{"op":"edit","kind":"CronJob","name":"c","merge":{"spec":{"suspend":true}}}"#,
                r#"{"op":"advance","seconds":0}"#,
                r#"{"op":"remove","kind":"CronJob","name":"c","propagation":"Foreground"}"#,
                r#"{"op":"advance","seconds":0}"#,
            ],
            expect![[r#"
                {}
                {}
                {"error":"cronjobs.batch \"c\" already exists"}
                {"error":"spec.backoffLimit: unknown field \"backoffLimit\"; backoffLimit belongs to the Job: move it to spec.jobTemplate.spec.backoffLimit"}
                {"error":"CronJob.batch \"c\" is invalid: spec.schedule: Invalid value: \"daily\": expected exactly 5 fields, found 1: [daily]"}
                {}
                {"state":{"now":"2026-01-02T12:00:00.25Z","jobs":{},"cronjobs":{"c":{"status":{}}},"pods":null,"writes":null,"events":null}}
                {}
                {"state":{"now":"2026-01-02T12:00:00.25Z","jobs":{},"cronjobs":{},"pods":null,"writes":null,"events":null}}"#]],
        );
    }

    #[test]
    fn what_is_wrong_is_an_error() {
        let lines = [
            BEGIN,
            JOB,
            JOB,
            r#"{"op":"apply","object":{"kind":"Job","metadata":{"name":"e"},"spec":{"parallelism":-1,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"m","image":"i"}]}}}}}"#,
            r#"{"op":"apply","object":{"kind":"CronJob"}}"#,
            r#"{"op":"apply","object":{"kind":"Node"}}"#,
            r#"{"op":"apply"}"#,
            r#"{"op":"edit","kind":"Job","name":"e"}"#,
            r#"{"op":"edit","kind":"Job","name":"e","merge":{}}"#,
            r#"{"op":"edit","kind":"Job","name":"pi","merge":3}"#,
            r#"{"op":"edit","kind":"Job","name":"pi","merge":{"spec":{"completionMode":"Indexed"}}}"#,
            r#"{"op":"remove","kind":"CronJob","name":"pi"}"#,
            r#"{"op":"pod","do":"start"}"#,
            r#"{"op":"pod","do":"explode"}"#,
            r#"{"op":"pod","do":"start","select":{"indx":1}}"#,
            r#"{"op":"remove","kind":"Job","name":"pi","propagation":"background"}"#,
            r#"{"op":"sing"}"#,
            "{}",
            "sing",
            "[]",
        ];
        check(
            Puppet::default(),
            &lines,
            expect![[r#"
                {}
                {}
                {"error":"jobs.batch \"pi\" already exists"}
                {"error":"Job.batch \"e\" is invalid: spec.parallelism: Invalid value: -1: must be greater than or equal to 0"}
                {"error":"CronJob.batch \"\" is invalid: [metadata.name: Required value: name or generateName is required, spec.schedule: Required value, spec.jobTemplate.spec.template.spec.containers: Required value, spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"]"}
                {"error":"no kind \"Node\"; the kinds are CronJob, Job and Pod"}
                {"error":"\"apply\" needs \"object\""}
                {"error":"\"edit\" needs \"merge\""}
                {"error":"no such object"}
                {"error":"Invalid JSON Patch"}
                {"error":"Job.batch \"pi\" is invalid: spec.completionMode: Invalid value: \"Indexed\": field is immutable"}
                {"error":"no such object"}
                {"error":"no such pod"}
                {"error":"unknown value `explode`, expected one of `start`, `ready`, `restart`, `succeed`, `fail`, `delete`, `gone`"}
                {"error":"unknown field `indx`, expected one of `job`, `index`, `phase`, `deleting`, `nth`"}
                {"error":"unknown value `background`, expected one of `Background`, `Foreground`, `Orphan`"}
                {"error":"unknown value `sing`, expected one of `session`, `apply`, `edit`, `remove`, `pod`, `refuse`, `advance`, `restart`, `create`, `update`, `status`, `decode`, `yaml`, `schedule`"}
                {"error":"missing field `op`"}
                {"error":"the line is not valid JSON: expected value in column 1"}
                {"error":"the line is not a JSON object"}"#]],
        );
    }

    #[test]
    fn requests_are_refused_for_a_time() {
        let mut manager = Puppet::default();
        manager.plan(0, &[&["DELETE pods/a", "DELETE pods/b"]]);
        manager.plan(1, &[&["DELETE pods/a", "POST pods {}"]]);
        let refuse = |more: &str| format!(r#"{{"op":"refuse","kind":"Pod",{more}}}"#);
        check(
            manager,
            &[
                r#"{"op":"session","now":"2026-01-02T12:00:00Z"}"#,
                &pod("a", ""),
                &pod("b", ""),
                &refuse(r#""verb":"delete","select":{"nth":0},"seconds":1,"code":403"#),
                &refuse(r#""verb":"create","seconds":5,"code":429"#),
                r#"{"op":"advance","seconds":0.5}"#,
                r#"{"op":"advance","seconds":1}"#,
                &refuse(r#""verb":"delete","seconds":1,"code":403"#),
                &refuse(r#""verb":"delete","seconds":1,"code":404"#),
                &refuse(r#""verb":"watch","seconds":1,"code":403"#),
                &refuse(r#""verb":"create","code":403"#),
                r#"{"op":"refuse","kind":"Node","verb":"create","seconds":1,"code":403}"#,
            ],
            expect![[r#"
                {}
                {}
                {}
                {}
                {}
                {"state":{"now":"2026-01-02T12:00:00.5Z","jobs":{},"cronjobs":{},"pods":[{"name":"a","phase":"Pending"}],"writes":["delete Pod (refused)","delete Pod b"],"events":null}}
                {"state":{"now":"2026-01-02T12:00:01.5Z","jobs":{},"cronjobs":{},"pods":null,"writes":["delete Pod a","create Pod (refused)"],"events":null}}
                {"error":"no such pod"}
                {"error":"\"code\" is 404, but must be one of 403, 409, 429, 500"}
                {"error":"unknown value `watch`, expected one of `create`, `update`, `patch`, `delete`"}
                {"error":"\"refuse\" needs \"seconds\""}
                {"error":"no kind \"Node\"; the kinds are CronJob, Job and Pod"}"#]],
        );
    }

    #[test]
    fn what_is_refused_is_chosen_in_one_way() {
        let refuse = |more: &str| format!(r#"{{"op":"refuse",{more},"seconds":1,"code":403}}"#);
        let lines = [
            BEGIN,
            &pod("a", ""),
            &refuse(r#""kind":"Pod","verb":"patch""#),
            &refuse(r#""kind":"Pod","verb":"patch","select":{"job":"pi"}"#),
            &refuse(r#""kind":"Pod","verb":"patch","name":"a""#),
            &refuse(r#""kind":"Pod","verb":"create","select":{}"#),
            &refuse(r#""kind":"Job","verb":"create","name":"pi""#),
            &refuse(r#""kind":"Job","verb":"update""#),
            &refuse(r#""kind":"Job","verb":"update","name":"""#),
            &refuse(r#""kind":"CronJob","verb":"update","select":{}"#),
            &refuse(r#""kind":"Job","verb":"update","name":"later""#),
        ];
        check(
            Puppet::default(),
            &lines,
            expect![[r#"
                {}
                {}
                {}
                {"error":"no such pod"}
                {"error":"a pod is chosen by \"select\": leave out \"name\""}
                {"error":"with \"create\", all creations of the kind are refused: leave out \"name\" and \"select\""}
                {"error":"with \"create\", all creations of the kind are refused: leave out \"name\" and \"select\""}
                {"error":"\"refuse\" needs \"name\", the name of the Job"}
                {"error":"\"refuse\" needs \"name\", the name of the Job"}
                {"error":"a CronJob is chosen by \"name\": leave out \"select\""}
                {}"#]],
        );
    }

    #[test]
    fn time_passes_by_a_number_of_seconds_alone() {
        let lines = [
            BEGIN,
            r#"{"op":"advance"}"#,
            r#"{"op":"advance","seconds":null}"#,
            r#"{"op":"advance","secs":5}"#,
            r#"{"op":"advance","seconds":1,"name":"pi"}"#,
            r#"{"op":"advance","seconds":"5"}"#,
            r#"{"op":"advance","seconds":-1}"#,
            r#"{"op":"advance","seconds":100000000000}"#,
            r#"{"op":"session","now":"9999-01-01T00:00:00Z"}"#,
            r#"{"op":"advance","seconds":40000000}"#,
        ];
        check(
            Puppet::default(),
            &lines,
            expect![[r#"
                {}
                {"error":"\"advance\" needs \"seconds\""}
                {"error":"\"advance\" needs \"seconds\""}
                {"error":"\"advance\" takes no field \"secs\"; its fields are \"op\", \"seconds\""}
                {"error":"\"advance\" takes no field \"name\"; its fields are \"op\", \"seconds\""}
                {"error":"invalid type: string \"5\", expected a number"}
                {"error":"\"seconds\" must be from 0 to 9000000000"}
                {"error":"\"seconds\" must be from 0 to 9000000000"}
                {}
                {"error":"time ends with the year 9999"}"#]],
        );
    }

    #[test]
    fn fields_that_do_not_exist_are_refused() {
        let lines = [
            BEGIN,
            &JOB.replace("suspend", "suspended"),
            &JOB.replace("true", r#""true""#),
            JOB,
            r#"{"op":"edit","kind":"Job","name":"pi","merge":{"spec":{"parallelsm":1}}}"#,
            &pod("a", "").replace("containers", "container"),
        ];
        check(
            Puppet::default(),
            &lines,
            expect![[r#"
            {}
            {"error":"spec.suspended: unknown field \"suspended\"; did you mean suspend?"}
            {"error":"spec.suspend: expected true or false, found text; write it without quotes: true"}
            {}
            {"error":"spec.parallelsm: unknown field \"parallelsm\"; did you mean parallelism?"}
            {"error":"spec.container: unknown field \"container\"; did you mean containers?"}"#]],
        );
    }

    #[test]
    fn objects_come_change_and_go() {
        let owned = pod(
            "b",
            r#","finalizers":["x.y/z"],"annotations":{"batch.kubernetes.io/job-completion-index":"1","batch.kubernetes.io/job-index-failure-count":"2"},
               "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"pi","uid":"job-pi-1","controller":true}]"#,
        )
        .replace('\n', "");
        let lines = [
            BEGIN,
            JOB,
            &pod("a", ""),
            &owned,
            r#"{"op":"edit","kind":"Job","name":"pi","merge":{"spec":{"suspend":false}}}"#,
            r#"{"op":"edit","kind":"Pod","name":"a","merge":{"status":{"phase":"Running"}}}"#,
            r#"{"op":"advance","seconds":0}"#,
            r#"{"op":"remove","kind":"Job","name":"pi","propagation":"Foreground"}"#,
            r#"{"op":"remove","kind":"Pod","name":"a"}"#,
            r#"{"op":"advance","seconds":0}"#,
        ];
        check(
            Puppet::default(),
            &lines,
            expect![[r#"
            {}
            {}
            {}
            {}
            {}
            {}
            {"state":{"now":"2026-01-02T12:00:00.25Z","jobs":{"pi":{"deleting":false,"status":{},"suspend":false}},"cronjobs":{},"pods":[{"name":"a","phase":"Running"},{"name":"b","owner":"pi","phase":"Pending","finalizers":["x.y/z"],"index":"1","failureCounts":{"batch.kubernetes.io/job-index-failure-count":"2"}}],"writes":null,"events":null}}
            {}
            {}
            {"state":{"now":"2026-01-02T12:00:00.25Z","jobs":{"pi":{"deleting":true,"status":{},"suspend":false}},"cronjobs":{},"pods":[{"name":"b","owner":"pi","phase":"Pending","deleting":true,"finalizers":["x.y/z"],"index":"1","failureCounts":{"batch.kubernetes.io/job-index-failure-count":"2"}}],"writes":null,"events":null}}"#]],
        );
    }

    #[test]
    fn plans_run_when_they_are_due_and_are_noted() {
        let mut manager = Puppet::default();
        manager.plan(1, &[&["GET jobs/pi", r#"POST pods {"metadata":{"generateName":"pi-"}}"#, "POST pods []"], &["DELETE jobs/pi"]]);
        manager.plan(1, &[&[r#"PUT jobs/pi/status {"metadata":{"name":"pi"},"status":{"active":1}}"#, r#"?PATCH pods/x merge {}"#]]);
        manager.plan(9, &[&["DELETE pods/pi-00001"]]);
        let regarding = ObjectRef { kind: "Job".into(), namespace: "default".into(), name: "pi".into(), uid: "job-pi-1".into() };
        let notice = Notice {
            regarding,
            reporting_controller: "puppet".into(),
            warning: true,
            reason: "Odd".to_owned(),
            message: "it is odd".to_owned(),
        };
        manager.plans[1].1.notices = vec![Notice { warning: false, ..notice.clone() }, notice];
        let lines = [
            BEGIN,
            JOB,
            r#"{"op":"advance","seconds":5}"#,
            r#"{"op":"advance","seconds":5}"#,
            r#"{"op":"restart"}"#,
            r#"{"op":"advance","seconds":0}"#,
        ];
        check(
            manager,
            &lines,
            expect![[r#"
                {}
                {}
                {"state":{"now":"2026-01-02T12:00:05.25Z","jobs":{"pi":{"deleting":false,"status":{"active":1},"suspend":true}},"cronjobs":{},"pods":[{"name":"pi-00001","phase":"Pending"}],"writes":["create Pod pi-00001","create Pod (refused)","update Job/status pi","patch Pod x"],"events":["Normal Odd it is odd","Warning Odd it is odd"]}}
                {"state":{"now":"2026-01-02T12:00:10.25Z","jobs":{"pi":{"deleting":false,"status":{"active":1},"suspend":true}},"cronjobs":{},"pods":null,"writes":["delete Pod pi-00001"],"events":null}}
                {}
                {"state":{"now":"2026-01-02T12:00:10.25Z","jobs":{"pi":{"deleting":false,"status":{"active":1},"suspend":true}},"cronjobs":{},"pods":null,"writes":null,"events":null}}"#]],
        );
    }

    #[test]
    fn who_never_falls_quiet_is_stuck() {
        let mut manager = Puppet::default();
        for _ in 0..=MOST_PLANS + 1 {
            manager.plan(0, &[]);
        }
        check(
            manager,
            &[BEGIN, r#"{"op":"advance","seconds":0}"#],
            expect![[r#"
            {}
            {"state":{"now":"2026-01-02T12:00:00.25Z","jobs":{},"cronjobs":{},"pods":null,"writes":null,"events":null,"stuck":"the controllers never fall quiet"}}"#]],
        );
    }

    #[test]
    fn an_object_that_the_controllers_refuse_is_an_error() {
        check(
            Puppet::default(),
            &[BEGIN, &pod("odd", ""), r#"{"op":"advance","seconds":0}"#],
            expect![[r#"
            {}
            {}
            {"error":"Pod default/odd is malformed: it is odd"}"#]],
        );
        let mut fragile = Puppet::default();
        fragile.fragile = true;
        check(
            fragile,
            &[BEGIN, r#"{"op":"advance","seconds":0}"#],
            expect![[r#"
            {}
            {"error":"the controllers crashed and lost their in-memory state: a trap"}"#]],
        );
    }
}

//! Reading what happens to a cluster.
//!
//! Docs: none; the language is described in `lib.rs`. Rules are read in `parse.rs`.

use api::{Duration, Kind, Text};
use cluster::Refusal;
use cluster::apiserver::Propagation;
use manifest::FieldProblem;
use serde_json::{Deserializer, Value};

use super::action::{Action, JobChange};
use super::cursor::{Cursor, REFUSE_CREATION};
use super::error::ScriptError;
use super::object_name::ObjectName;
use super::parse::{ONE_A_LINE, meant, selector};
use super::parse_annotation::annotation;
use super::selector::Selector;

const HAPPENS: &str = "write one of: suspend, resume, scale to 3, set spec.parallelism=2, annotate jobsmith.dev/hold=true, create job NAME, delete job NAME, delete pod NAME, \
                       set pod NAME metadata.labels={}, evict index 1, evict index 1 by the kubelet, preempt index 1, exit 3 in index 0, make index 0 ready, lose node, remove node, restart controller, \
                       pause controller for 10s, refuse next write with conflict, refuse pod creations for 30s, refuse the 3rd pod creation, accept pods, delay watch by 5s, cut watch for 5s, overwrite spec.completionMode=\"\", advance 1h, suspend cronjob NAME, resume all, end";

/// Reads what happens.
pub(super) fn action(cursor: &mut Cursor<'_>) -> Result<Action, ScriptError> {
    let before = cursor.clone();
    let word = cursor.peek();
    cursor.pass(word.len());
    let on_job = |job, change| Ok(Action::Job { job, change });
    if matches!(word, "suspend" | "resume" | "set" | "annotate") && cursor.accept(&["cronjob"]) {
        return on_cron_job(word, cursor);
    }
    match word {
        "suspend" if cursor.accept(&["all"]) => Ok(Action::SuspendAll),
        "resume" if cursor.accept(&["all"]) => Ok(Action::ResumeAll),
        "suspend" => on_job(named_job(cursor)?, JobChange::Suspend),
        "resume" => on_job(named_job(cursor)?, JobChange::Resume),
        "annotate" => on_job(named_job(cursor)?, annotation(cursor)?),
        "scale" => {
            let job = named_job(cursor)?;
            cursor.expect("to", "write it as \"scale to 3\"")?;
            on_job(job, JobChange::Scale(cursor.number(0, u32::MAX, "write how many pods may run at a time")?))
        }
        "set" if cursor.accept(&["pod"]) => {
            let pod = cursor.object("pod")?;
            let (path, value) = set(cursor, Kind::Pod)?;
            Ok(Action::SetPod { pod, path, value })
        }
        "set" => {
            let job = named_job(cursor)?;
            let (path, value) = set(cursor, Kind::Job)?;
            on_job(job, JobChange::Set { path, value })
        }
        "overwrite" => overwriting(cursor),
        "create" if cursor.accept(&["job"]) => cursor.object("job").map(Action::CreateJob),
        "delete" => deletion(cursor),
        "evict" => {
            let which = pods(cursor)?;
            let by_kubelet = cursor.accept_all(&["by", "the", "kubelet"]);
            Ok(if by_kubelet { Action::EvictByKubelet(which) } else { Action::Evict(which) })
        }
        "preempt" => Ok(Action::Preempt(pods(cursor)?)),
        "exit" => exiting(cursor),
        "make" => {
            let which = pods(cursor)?;
            cursor.expect("ready", "write it as \"make index 0 ready\"")?;
            Ok(Action::MakeReady(which))
        }
        "lose" if cursor.accept(&["node"]) => Ok(Action::LoseNode),
        "remove" if cursor.accept(&["node"]) => Ok(Action::RemoveNode),
        "restart" if cursor.accept(&["controller"]) => Ok(Action::RestartController),
        "pause" if cursor.accept_all(&["controller", "for"]) => cursor.length().map(Action::PauseController),
        "cut" if cursor.accept(&["watch"]) => {
            let length = if cursor.accept(&["for"]) { cursor.length()? } else { Duration::ZERO };
            Ok(Action::CutWatch(length))
        }
        "delay" if cursor.accept_all(&["watch", "by"]) => cursor.length().map(Action::DelayWatch),
        "refuse" => refusing(cursor, &before),
        "accept" if cursor.accept(&["pods"]) => Ok(Action::AcceptPods),
        "advance" => cursor.length().map(Action::Advance),
        "end" => Ok(Action::End),
        "kubectl" => Err(before.error("a script has no commands of kubectl", KUBECTL)),
        "create" if cursor.accept(&["cronjob"]) => Err(before.error("a script cannot create a CronJob", CREATE_CRON_JOB)),
        _ => Err(before.expected("an action", &meant(word, &VERBS, HAPPENS))),
    }
}

/// Reads which containers exit, and how.
fn exiting(cursor: &mut Cursor<'_>) -> Result<Action, ScriptError> {
    let code = cursor.number(0, u8::MAX, "write an exit code from 0 to 255")?;
    cursor.expect("in", "write in which pods or containers, as in \"exit 3 in index 0\"")?;
    let before = cursor.clone();
    let which = selector(cursor)?;
    if which.start.is_some() {
        return Err(before.error("a past start cannot exit", "leave out \"start\""));
    }
    Ok(Action::Exit { code, which })
}

/// Reads what the API server refuses, after the first word; `before` is the place of that.
fn refusing(cursor: &mut Cursor<'_>, before: &Cursor<'_>) -> Result<Action, ScriptError> {
    if cursor.accept_all(&["next", "write", "with"]) {
        return refusal(cursor).map(Action::RefuseNextWrite);
    }
    if cursor.accept_all(&["pod", "creations"]) {
        cursor.expect("for", "write for how long, as in \"refuse pod creations for 30s\"")?;
        let length = cursor.length()?;
        return Ok(Action::RefuseCreations { length, refusal: creation_refusal(cursor)? });
    }
    if cursor.accept(&["the"]) {
        let number = cursor.ordinal()?;
        cursor.accept(&["pod"]);
        cursor.expect("creation", REFUSE_CREATION)?;
        return Ok(Action::RefuseCreation { number, refusal: creation_refusal(cursor)? });
    }
    Err(before.expected("an action", HAPPENS))
}

/// Reads what is stored past all validation.
fn overwriting(cursor: &mut Cursor<'_>) -> Result<Action, ScriptError> {
    let job = named_job(cursor)?;
    let before = cursor.clone();
    let (path, value) = field(cursor)?;
    manifest::check_path(Kind::Job, &path).map_err(|problem| field_error(&before, problem))?;
    Ok(Action::Overwrite { job, path, value })
}

/// The first words of actions.
const VERBS: [&str; 22] = [
    "suspend",
    "resume",
    "scale",
    "set",
    "annotate",
    "overwrite",
    "create",
    "delete",
    "evict",
    "preempt",
    "exit",
    "make",
    "lose",
    "remove",
    "restart",
    "pause",
    "cut",
    "delay",
    "refuse",
    "accept",
    "advance",
    "end",
];

const CREATE_CRON_JOB: &str = "a CronJob is there from the beginning: to have it start Jobs later, write `suspend: true` into its spec and \"at 5s: resume cronjob NAME\"";
const KUBECTL: &str = "write what it does as an action: suspend, resume, scale to 3, annotate jobsmith.dev/hold=true, delete job NAME, or for a patch set spec.parallelism=2";

/// Reads what happens to a CronJob.
fn on_cron_job(word: &str, cursor: &mut Cursor<'_>) -> Result<Action, ScriptError> {
    let cron_job = cursor.object("CronJob")?;
    let change = match word {
        "suspend" => JobChange::Suspend,
        "resume" => JobChange::Resume,
        "annotate" => annotation(cursor)?,
        _ => {
            let (path, value) = set(cursor, Kind::CronJob)?;
            JobChange::Set { path, value }
        }
    };
    Ok(Action::CronJob { cron_job, change })
}

fn named_job(cursor: &mut Cursor<'_>) -> Result<Option<ObjectName>, ScriptError> {
    if cursor.accept(&["job"]) { cursor.object("job").map(Some) } else { Ok(None) }
}

/// Reads a field of a kind and the value that it is set to.
fn set(cursor: &mut Cursor<'_>, kind: Kind) -> Result<(Text, Value), ScriptError> {
    let before = cursor.clone();
    if let Some(error) = unquoted(cursor.clone(), kind) {
        return Err(error);
    }
    let (path, value) = field(cursor)?;
    manifest::check_field(kind, &path, &value).map_err(|problem| match kind {
        Kind::Job if manifest::check_field(Kind::CronJob, &path, &value).is_ok() => {
            before.error(problem.message, format!("name the CronJob: set cronjob NAME {path}={value}"))
        }
        Kind::CronJob | Kind::Job | Kind::Pod => field_error(&before, problem),
    })?;
    Ok((path, value))
}

/// The error for text without the quotation marks of JSON, if a field is set to that: all that is left of the line.
fn unquoted(mut cursor: Cursor<'_>, kind: Kind) -> Option<ScriptError> {
    let path = cursor.peek();
    cursor.pass(path.len());
    if !cursor.accept_sign('=') {
        return None;
    }
    let text = cursor.rest().trim();
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let json = values.next().and_then(Result::ok);
    let rest = text[values.byte_offset()..].trim_start_matches([' ', '(', ')']);
    // What stands behind text in quotation marks is not part of it.
    if json.is_some_and(|value| value.is_string() || rest.is_empty() || rest.starts_with('#')) {
        return None;
    }
    let quotes = ['"', '\'', '“', '”', '‘', '’'];
    let value = Value::from(text.trim_matches(quotes));
    let takes = |kind| manifest::check_field(kind, path, &value).is_ok();
    let name = match kind {
        Kind::Job if !takes(Kind::Job) && takes(Kind::CronJob) => "set cronjob NAME ",
        _ if takes(kind) => "",
        Kind::CronJob | Kind::Job | Kind::Pod => return None,
    };
    Some(cursor.error("the value is not valid JSON", format!("write text in double quotes: {name}{path}={value}")))
}

fn field_error(at: &Cursor<'_>, FieldProblem { message, remedy }: FieldProblem) -> ScriptError {
    at.error(message, remedy.unwrap_or_default())
}

/// Reads a field's path and its value.
fn field(cursor: &mut Cursor<'_>) -> Result<(Text, Value), ScriptError> {
    let remedy = "write it as spec.parallelism=2, with a value in JSON";
    let path = cursor.peek();
    if path.is_empty() || path.split('.').any(str::is_empty) {
        return Err(cursor.expected("the path of a field", remedy));
    }
    cursor.pass(path.len());
    if !cursor.accept_sign('=') {
        return Err(cursor.expected("\"=\"", remedy));
    }
    let mut values = Deserializer::from_str(cursor.rest()).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => {
            cursor.pass(values.byte_offset());
            Ok((path.into(), value))
        }
        Some(Err(_)) | None => {
            let remedy = if cursor.rest().contains(';') { ONE_A_LINE } else { remedy };
            Err(cursor.error("the value is not valid JSON", remedy))
        }
    }
}

fn deletion(cursor: &mut Cursor<'_>) -> Result<Action, ScriptError> {
    let before = cursor.clone();
    let which = selector(cursor)?;
    let rest = Selector { cron_job: None, job: None, ..which.clone() };
    let change = |cursor| JobChange::Delete(propagation(cursor));
    match (which.cron_job.clone(), which.job.clone()) {
        (Some(cron_job), None) if rest == Selector::default() => Ok(Action::CronJob { cron_job, change: change(cursor) }),
        (None, Some(job)) if rest == Selector::default() => Ok(Action::Job { job: Some(job), change: change(cursor) }),
        _ if which.names_containers() => Err(containers(&before)),
        _ => Ok(Action::DeletePods(which)),
    }
}

/// Reads what happens to the dependents of what is deleted.
fn propagation(cursor: &mut Cursor<'_>) -> Propagation {
    let modes = [("background", Propagation::Background), ("foreground", Propagation::Foreground), ("orphan", Propagation::Orphan)];
    let mode = modes.into_iter().find(|(word, _)| cursor.accept(&[word]));
    // As kubectl does, unlike the API itself (A-11).
    mode.map_or(Propagation::Background, |(_, propagation)| propagation)
}

/// Reads which pods something happens to.
fn pods(cursor: &mut Cursor<'_>) -> Result<Selector, ScriptError> {
    let before = cursor.clone();
    let which = selector(cursor)?;
    if which.names_containers() { Err(containers(&before)) } else { Ok(which) }
}

fn containers(cursor: &Cursor<'_>) -> ScriptError {
    cursor.error("this applies to the whole pod", "leave out \"container\" and \"start\"")
}

/// Reads how creations of pods are refused; a quota forbids them.
fn creation_refusal(cursor: &mut Cursor<'_>) -> Result<Refusal, ScriptError> {
    if cursor.accept(&["with"]) { refusal(cursor) } else { Ok(Refusal::Forbidden) }
}

fn refusal(cursor: &mut Cursor<'_>) -> Result<Refusal, ScriptError> {
    let written = |refusal: &Refusal| cursor.accept_all(&refusal.words().split(' ').collect::<Vec<_>>());
    let refusal = Refusal::ALL.into_iter().find(written);
    let remedy = || format!("write one of: {}", Refusal::ALL.map(Refusal::words).join(", "));
    refusal.ok_or_else(|| cursor.expected("a kind of refusal", &remedy()))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::parse::tests::check;

    #[test]
    fn there_is_more_than_one_way_to_write_it() {
        check(
            &[
                "at 90s: delete job pi (foreground)",
                "at 1s: delete job pi",
                "at 1s: set spec.parallelism = 1 # one",
                "at 1s: set metadata.labels={\"b\": \"#\"} # two",
            ],
            expect![[r##"
                at 1m30s: delete job pi foreground
                at 1s: delete job pi background
                at 1s: set spec.parallelism=1
                at 1s: set metadata.labels={"b":"#"}
            "##]],
        );
    }

    #[test]
    fn text_without_quotation_marks_is_refused_with_what_to_write() {
        check(
            &[
                "at 1s: set spec.schedule=\"0 5 * * *\"",
                "at 1s: set spec.schedule=0 5 * * *",
                "at 1s: set spec.schedule='0 5 * * *'",
                "at 1s: set cronjob c spec.schedule=0 5 * * *",
                "at 1s: set cronjob c spec.schedule=\"0 5 * * *",
                "at 1s: set cronjob c spec.timeZone=Europe/Paris",
                "at 1s: set cronjob c spec.timeZone=\"UTC\" now",
                "at 1s: set spec.managedBy=example.com/mine",
            ],
            expect![[r#"
                at 1s: set spec.schedule="0 5 * * *"
                           ^ unknown field "spec.schedule"; name the CronJob: set cronjob NAME spec.schedule="0 5 * * *"
                at 1s: set spec.schedule=0 5 * * *
                                         ^ the value is not valid JSON; write text in double quotes: set cronjob NAME spec.schedule=
                at 1s: set spec.schedule='0 5 * * *'
                                         ^ the value is not valid JSON; write text in double quotes: set cronjob NAME spec.schedule=
                at 1s: set cronjob c spec.schedule=0 5 * * *
                                                   ^ the value is not valid JSON; write text in double quotes: spec.schedule="0 5 * * *"
                at 1s: set cronjob c spec.schedule="0 5 * * *
                                                   ^ the value is not valid JSON; write text in double quotes: spec.schedule="0 5 * * *"
                at 1s: set cronjob c spec.timeZone=Europe/Paris
                                                   ^ the value is not valid JSON; write text in double quotes: spec.timeZone="Europe/Paris"
                at 1s: set cronjob c spec.timeZone="UTC" now
                                                         ^ unexpected "now"; write one rule or action per line, with commas between the p
                at 1s: set spec.managedBy=example.com/mine
                                          ^ the value is not valid JSON; write text in double quotes: spec.managedBy="example.com/min
            "#]],
        );
    }

    #[test]
    fn what_happens_to_jobs_is_refused_with_its_place_and_a_remedy() {
        check(
            &[
                "at noon: suspend",
                "at 1s suspend",
                "at 1s: explode",
                "at 1s:",
                "at 1s: suspend everything",
                "at 1s: scale 3",
                "at 1s: scale to all",
                "at 1s: set spec.parallelism",
                "at 1s: set spec..x=1",
                "at 1s: set spec.x=one",
                "at 1s: set spec.x=1",
                "at 1s: set job pi spec.parallelism=1.5",
                "at 1s: set pod pi-1 metadata.lables={}",
                "at 1s: overwrite spec.completionmode=\"\"",
                "at 1s: set spec.parallelism=1 2",
                "at 1s: suspnd",
                "at 1s: kubectl patch job pi",
            ],
            expect![[r#"
                at noon: suspend
                   ^ invalid duration "noon"; write it as "500ms", "90s", "1h30m", "30d" or "1y"
                at 1s suspend
                      ^ expected ":", found "suspend"; write a colon after the pods or the time, as in "pods: succe
                at 1s: explode
                       ^ expected an action, found "explode"; write one of: suspend, resume, scale to 3, set spec.parallel
                at 1s:
                      ^ expected an action, found the end of the line; write one of: suspend, resume, scale to 3, set spec.parallel
                at 1s: suspend everything
                               ^ unexpected "everything"; write one rule or action per line, with commas between the p
                at 1s: scale 3
                             ^ expected "to", found "3"; write it as "scale to 3"
                at 1s: scale to all
                                ^ invalid number "all"; write how many pods may run at a time
                at 1s: set spec.parallelism
                                           ^ expected "=", found the end of the line; write it as spec.parallelism=2, with a value in JSON
                at 1s: set spec..x=1
                           ^ expected the path of a field, found "spec..x"; write it as spec.parallelism=2, with a value in JSON
                at 1s: set spec.x=one
                                  ^ the value is not valid JSON; write it as spec.parallelism=2, with a value in JSON
                at 1s: set spec.x=1
                           ^ unknown field "spec.x"; the fields here are activeDeadlineSeconds, backoffLimit, bac
                at 1s: set job pi spec.parallelism=1.5
                                  ^ spec.parallelism: expected a whole number (int32), found 1.5, which has a fraction; use a whole number
                at 1s: set pod pi-1 metadata.lables={}
                                    ^ unknown field "metadata.lables"; did you mean labels?
                at 1s: overwrite spec.completionmode=""
                                 ^ unknown field "spec.completionmode"; did you mean completionMode?
                at 1s: set spec.parallelism=1 2
                                              ^ unexpected "2"; write one rule or action per line, with commas between the p
                at 1s: suspnd
                       ^ expected an action, found "suspnd"; did you mean "suspend"?
                at 1s: kubectl patch job pi
                       ^ a script has no commands of kubectl; write what it does as an action: suspend, resume, scale to 3
            "#]],
        );
    }

    #[test]
    fn what_begins_in_the_way_of_others_is_put_into_words() {
        check(
            &["1s: suspend", "job/pi: exit 1", "index 1,2: exit 1", "index 1-2: exit 1", "kubectl patch job/pi --patch {}"],
            expect![[r#"
                1s: suspend
                ^ expected pods or containers, found "1s"; for an action, write "at 1s: suspend"
                job/pi: exit 1
                ^ expected pods or containers, found "job/pi"; write "job pi"
                indexes 1,2: exit 1 after 5s
                indexes 1-2: exit 1 after 5s
                kubectl patch job/pi --patch {}
                ^ expected pods or containers, found "kubectl"; write what kubectl does as an action: "at 5s: suspend", "at 
            "#]],
        );
    }

    #[test]
    fn what_happens_to_pods_is_refused_with_its_place_and_a_remedy() {
        check(
            &[
                "at 1s: delete",
                "at 1s: delete job pi sideways",
                "at 1s: delete index 1 container log",
                "at 1s: evict start 1",
                "at 1s: exit 1",
                "at 1s: exit 1 in start 2",
                "at 1s: lose hope",
                "at 1s: refuse next write with grace",
                "at 1s: refuse pod creations",
                "at 1s: refuse the last creation",
                "at 1s: refuse everything",
                "at 1s: advance",
            ],
            expect![[r#"
                at 1s: delete
                             ^ expected pods or containers, found the end of the line; write "pods", or one or more of: cronjob NAME, run N, job NA
                at 1s: delete job pi sideways
                                     ^ unexpected "sideways"; write one rule or action per line, with commas between the p
                at 1s: delete index 1 container log
                              ^ this applies to the whole pod; leave out "container" and "start"
                at 1s: evict start 1
                             ^ this applies to the whole pod; leave out "container" and "start"
                at 1s: exit 1
                             ^ expected "in", found the end of the line; write in which pods or containers, as in "exit 3 in index 0"
                at 1s: exit 1 in start 2
                                 ^ a past start cannot exit; leave out "start"
                at 1s: lose hope
                       ^ expected an action, found "lose"; write one of: suspend, resume, scale to 3, set spec.parallel
                at 1s: refuse next write with grace
                                              ^ expected a kind of refusal, found "grace"; write one of: conflict, forbidden, namespace terminating, se
                at 1s: refuse pod creations
                                           ^ expected "for", found the end of the line; write for how long, as in "refuse pod creations for 30s"
                at 1s: refuse the last creation
                                  ^ invalid number "last"; write which of the next creations, as in "refuse the 3rd pod
                at 1s: refuse everything
                       ^ expected an action, found "refuse"; write one of: suspend, resume, scale to 3, set spec.parallel
                at 1s: advance
                              ^ expected a duration, found the end of the line; write it as "500ms", "90s", "1h30m", "30d" or "1y"
            "#]],
        );
    }
}

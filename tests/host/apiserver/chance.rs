//! Sequences of requests that chance makes up from a seed: few objects, many writes, some of them about what is not there any more.
//!
//! Docs: API Concepts, "API verbs". Those that need thought are in `cases.txt`.

use cluster::rng::Rng;

use super::Sequence;

/// How many requests a sequence has.
const REQUESTS: usize = 25;

/// Names few enough that requests meet.
const CRON_JOBS: [&str; 1] = ["cronjobs/c"];
const JOBS: [&str; 2] = ["jobs/a", "jobs/b"];
const PODS: [&str; 3] = ["pods/p", "pods/q", "pods/r"];

/// What CronJobs are created with, beside their name.
const CRON_JOB_SPECS: [&str; 6] = [
    r#""spec":{"schedule":"@daily","jobTemplate":$jobTemplate}"#,
    r#""spec":{"schedule":"*/5 * * * *","timeZone":"Europe/Paris","concurrencyPolicy":"Forbid","suspend":true,"jobTemplate":$jobTemplate}"#,
    r#""spec":{"schedule":"0 3 * * mon","startingDeadlineSeconds":10,"failedJobsHistoryLimit":0,"jobTemplate":{"metadata":{"labels":{"a":"b"}},"spec":{"completions":3,"template":$template}}}"#,
    r#""spec":{"schedule":"@hourly","jobTemplate":{"spec":{"backoffLimitPerIndex":1,"completions":3,"completionMode":"Indexed","template":$template}}}"#,
    r#""spec":{"schedule":"TZ=UTC @daily","jobTemplate":$jobTemplate}"#,
    r#""spec":{"schedule":"@daily","concurrencyPolicy":"Other","jobTemplate":{"spec":{"completions":-1,"template":$template}}}"#,
];

/// What Jobs are created with, beside their name.
const JOB_SPECS: [&str; 6] = [
    r#""spec":{"template":$template}"#,
    r#""spec":{"completions":3,"parallelism":2,"template":$template}"#,
    r#""spec":{"completions":4,"completionMode":"Indexed","backoffLimitPerIndex":1,"template":$template}"#,
    r#""spec":{"suspend":true,"parallelism":2,"template":$template}"#,
    r#""spec":{"managedBy":"example.com/other","activeDeadlineSeconds":9,"template":$template}"#,
    r#""spec":{"completions":-1,"template":$template}"#,
];

/// Metadata, with labels: for a Job that was created without any, there is a known difference.
const METADATA: [&str; 5] = [
    r#","labels":{"l":"m"}"#,
    r#","labels":{"a":"b"}"#,
    r#","labels":{"l":"m"},"finalizers":["x.y/z"]"#,
    r#","labels":{"l":"m"},"finalizers":["x.y/z","x.y/q"],"annotations":{"c":"d"}"#,
    r#","labels":{"a":"not a label"}"#,
];

const POD_SPECS: [&str; 3] = [
    r#""spec":$spec"#,
    r#""spec":{"nodeName":"node","restartPolicy":"Never","containers":[{"name":"main","image":"i"}]}"#,
    r#""spec":{"nodeName":"node","terminationGracePeriodSeconds":3,"restartPolicy":"Never","containers":[{"name":"main","image":"i"}]}"#,
];

/// Changes of any object's metadata.
const METADATA_CHANGES: [&str; 13] = [
    r#"{"metadata":{"labels":{"a":"b"}}}"#,
    r#"{"metadata":{"labels":{"a":null,"c":"d"}}}"#,
    r#"{"metadata":{"annotations":{"c":"d"}}}"#,
    r#"{"metadata":{"annotations":null}}"#,
    r#"{"metadata":{"finalizers":["x.y/z"]}}"#,
    r#"{"metadata":{"finalizers":["x.y/q","x.y/z"]}}"#,
    r#"{"metadata":{"finalizers":null}}"#,
    r#"{"metadata":{"finalizers":[]}}"#,
    r#"{"metadata":{"resourceVersion":"$first(KEY)","labels":{"a":"z"}}}"#,
    r#"{"metadata":{"resourceVersion":"$version(KEY)","labels":{"a":"y"}}}"#,
    r#"{"metadata":{"uid":"$uid(KEY)","labels":{"a":"x"}}}"#,
    r#"{"metadata":{"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"a","uid":"$uid(jobs/a)","controller":true,"blockOwnerDeletion":true}]}}"#,
    r#"{"metadata":{"ownerReferences":[{"apiVersion":"batch/v1","kind":"CronJob","name":"c","uid":"$uid(cronjobs/c)","blockOwnerDeletion":true}]}}"#,
];

const STRATEGIC_CHANGES: [&str; 4] = [
    r#"{"metadata":{"$deleteFromPrimitiveList/finalizers":["x.y/z"]}}"#,
    r#"{"metadata":{"$deleteFromPrimitiveList/finalizers":["x.y/q"],"uid":"$uid(KEY)"}}"#,
    r#"{"metadata":{"$setElementOrder/finalizers":["x.y/z","x.y/r"],"finalizers":["x.y/r"]}}"#,
    r#"{"metadata":{"labels":{"$patch":"replace","x":"y"}}}"#,
];

const CRON_JOB_CHANGES: [&str; 9] = [
    r#"{"spec":{"suspend":true}}"#,
    r#"{"spec":{"suspend":null,"concurrencyPolicy":"Replace"}}"#,
    r#"{"spec":{"schedule":"0 3 * * *","timeZone":"Etc/UTC"}}"#,
    r#"{"spec":{"schedule":"0 25 * * *","timeZone":"Nowhere/City"}}"#,
    r#"{"spec":{"schedule":"CRON_TZ=UTC @daily"}}"#,
    r#"{"spec":{"jobTemplate":{"metadata":{"annotations":{"a":"b"}},"spec":{"parallelism":2}}}}"#,
    r#"{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"OnFailure"}}}}}}"#,
    r#"{"spec":{"jobTemplate":{"spec":{"selector":{"matchLabels":{"a":"b"}}}},"successfulJobsHistoryLimit":-1}}"#,
    r#"{"spec":{"startingDeadlineSeconds":30},"status":{"lastScheduleTime":"2026-01-02T12:00:00Z"}}"#,
];

const CRON_JOB_STATUSES: [&str; 6] = [
    r#"{"status":{"lastScheduleTime":"2026-01-02T12:00:00Z"}}"#,
    r#"{"status":{"active":[{"apiVersion":"batch/v1","kind":"Job","name":"a","namespace":"x","uid":"u","resourceVersion":"7"}]}}"#,
    r#"{"status":{"active":[{"name":"a"},{"name":"a"},{}]}}"#,
    r#"{"status":{"active":null,"lastSuccessfulTime":"2026-01-02T12:01:00Z"}}"#,
    r#"{"spec":{"suspend":true},"status":{"lastScheduleTime":null}}"#,
    r#"{"metadata":{"finalizers":null},"status":{"active":[]}}"#,
];

const JOB_CHANGES: [&str; 7] = [
    r#"{"spec":{"parallelism":3}}"#,
    r#"{"spec":{"parallelism":0,"suspend":true}}"#,
    r#"{"spec":{"suspend":false}}"#,
    r#"{"spec":{"completions":5,"parallelism":5}}"#,
    r#"{"spec":{"backoffLimit":2,"ttlSecondsAfterFinished":3}}"#,
    r#"{"spec":{"parallelism":-1}}"#,
    r#"{"spec":{"activeDeadlineSeconds":null},"status":{"active":4}}"#,
];

const JOB_STATUSES: [&str; 11] = [
    r#"{"status":{"startTime":"2026-01-02T12:00:00Z","active":2,"ready":1}}"#,
    r#"{"status":{"active":0,"ready":0,"terminating":1,"failed":1}}"#,
    r#"{"status":{"uncountedTerminatedPods":{"succeeded":["u1"],"failed":["u2","u3"]}}}"#,
    r#"{"status":{"uncountedTerminatedPods":{}}}"#,
    r#"{"status":{"succeeded":1,"completedIndexes":"0"}}"#,
    r#"{"status":{"conditions":[{"type":"SuccessCriteriaMet","status":"True"}]}}"#,
    r#"{"status":{"conditions":[{"type":"FailureTarget","status":"True","reason":"BackoffLimitExceeded"}]}}"#,
    r#"{"status":{"active":0,"ready":0,"terminating":0,"conditions":[{"type":"FailureTarget","status":"True"},{"type":"Failed","status":"True"}]}}"#,
    r#"{"status":{"completionTime":"2026-01-02T12:01:00Z","conditions":[{"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True"}]}}"#,
    r#"{"spec":{"parallelism":8},"status":{"startTime":null}}"#,
    r#"{"metadata":{"finalizers":null},"status":{"active":1}}"#,
];

const POD_STATUSES: [&str; 5] = [
    r#"{"status":{"phase":"Running","startTime":"2026-01-02T12:00:00Z"}}"#,
    r#"{"status":{"phase":"Succeeded"}}"#,
    r#"{"status":{"phase":"Failed","reason":"Evicted"}}"#,
    r#"{"status":{"conditions":[{"type":"DisruptionTarget","status":"True"}]}}"#,
    r#"{"metadata":{"finalizers":null,"labels":{"s":"t"}},"status":{"phase":"Failed"}}"#,
];

const DELETIONS: [&str; 11] = [
    "",
    r#"{"propagationPolicy":"Background"}"#,
    r#"{"propagationPolicy":"Background"}"#,
    r#"{"propagationPolicy":"Foreground"}"#,
    r#"{"propagationPolicy":"Orphan"}"#,
    r#"{"gracePeriodSeconds":0}"#,
    r#"{"gracePeriodSeconds":2}"#,
    r#"{"preconditions":{"uid":"$uid(KEY)"}}"#,
    r#"{"preconditions":{"resourceVersion":"$first(KEY)"}}"#,
    r#"{"preconditions":{"resourceVersion":"$version(KEY)"},"propagationPolicy":"Background"}"#,
    r#"{"orphanDependents":false}"#,
];

/// A sequence of requests.
pub(super) fn sequence(seed: u64) -> Sequence {
    let mut dice = Rng::new(seed);
    let mut lines: Vec<String> = CRON_JOBS.iter().chain(&JOBS).chain(&PODS[..1]).map(|key| creation(&mut dice, key)).collect();
    lines.extend((lines.len()..REQUESTS).map(|_| request(&mut dice)));
    lines.extend(["GET cronjobs".to_owned(), "GET jobs".to_owned(), "GET pods".to_owned()]);
    Sequence { title: format!("chance, seed {seed}"), lines }
}

fn request(dice: &mut Rng) -> String {
    let key = *match dice.below(6) {
        0 | 1 => dice.pick(&CRON_JOBS),
        2 | 3 => dice.pick(&JOBS),
        _ => dice.pick(&PODS),
    };
    let (changes, statuses): (&[&str], &[&str]) = match resource(key) {
        "cronjobs" => (&CRON_JOB_CHANGES, &CRON_JOB_STATUSES),
        "jobs" => (&JOB_CHANGES, &JOB_STATUSES),
        _ => (&[], &POD_STATUSES),
    };
    let line = match dice.below(10) {
        0 | 1 => creation(dice, key),
        2 => format!("DELETE {key} {}", dice.pick(&DELETIONS)),
        3 => format!("GET {key}"),
        4 => format!("PATCH {key} strategic {}", dice.pick(&STRATEGIC_CHANGES)),
        5 if !changes.is_empty() => format!("PUT {key} put {}", dice.pick(changes)),
        5 | 6 => {
            let change = *dice.pick(&METADATA_CHANGES);
            format!("{} {change}", dice.pick(&[format!("PATCH {key} merge"), format!("PATCH {key} strategic"), format!("PUT {key} put")]))
        }
        7 if !changes.is_empty() => format!("PATCH {key} {} {}", dice.pick(&["merge", "strategic"]), dice.pick(changes)),
        _ => {
            let verb = dice.pick(&["PATCH KEY/status merge", "PATCH KEY/status strategic", "PUT KEY/status put"]);
            format!("{verb} {}", dice.pick(statuses))
        }
    };
    line.replace("KEY", key)
}

fn creation(dice: &mut Rng, key: &str) -> String {
    let (resource, name) = (resource(key), &key[resource(key).len() + 1..]);
    let metadata = *dice.pick(&METADATA);
    let (owners, specs): (&[&str], &[&str]) = match resource {
        "cronjobs" => (&[], &CRON_JOB_SPECS),
        "jobs" => (&CRON_JOBS, &JOB_SPECS),
        _ => (&JOBS, &POD_SPECS),
    };
    let spec = dice.pick(specs);
    let owner = if owners.is_empty() { String::new() } else { owner(dice, owners) };
    format!(r#"POST {resource} {{"metadata":{{"name":"{name}"{metadata}{owner}}},{spec}}}"#)
}

/// A reference to one of these owners, or none.
fn owner(dice: &mut Rng, owners: &[&str]) -> String {
    let key = *dice.pick(owners);
    let (kind, name) = (if resource(key) == "jobs" { "Job" } else { "CronJob" }, &key[resource(key).len() + 1..]);
    match dice.below(3) {
        0 => String::new(),
        blocks => format!(
            r#","ownerReferences":[{{"apiVersion":"batch/v1","kind":"{kind}","name":"{name}","uid":"$uid({key})","controller":true,"blockOwnerDeletion":{}}}]"#,
            blocks == 1
        ),
    }
}

fn resource(key: &str) -> &str {
    key.split_once('/').map_or(key, |(resource, _)| resource)
}

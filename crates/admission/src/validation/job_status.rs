//! A Job whose status is written: which statuses contradict themselves, and which changes take back what was reported.
//!
//! Docs: Jobs, "Job termination and cleanup" (A-120…A-149, in the order of the checks). Rules marked Δ look only at what the write changes,
//! so that a status which broke them before can still be written. The spec is that of the stored Job.

use std::collections::BTreeSet;

use api::indexes::IndexSet;
use api::job::conditions::{COMPLETE, FAILED, FAILURE_TARGET, SUCCESS_CRITERIA_MET, SUSPENDED};
use api::{Job, JobStatus, Text};

use super::{FieldError, Path, immutable, metadata, non_negative};

/// Finds all that is wrong with a Job that is to replace the stored one's status.
#[must_use]
pub fn update(new: &Job, stored: &Job) -> Vec<FieldError> {
    let write = JobStatusWrite { new, was: Ends::of(stored), is: Ends::of(new), status: &new.status, before: &stored.status };
    let mut errors = Vec::new();
    metadata::check_update(&new.metadata, &stored.metadata, &mut errors);
    check_counters(&new.status, &mut errors);
    check_uncounted(&new.status, &mut errors);
    check_ends(&write, &mut errors);
    check_completion_time(&write, &mut errors);
    check_foregoing(&write, &mut errors);
    check_finished(&write, &mut errors);
    check_indexes(&write, &mut errors);
    check_pods(&write, &mut errors);
    check_success_criteria(&write, &mut errors);
    check_taken_back(&write, &mut errors);
    check_start_time(&write, stored, &mut errors);
    check_success_criteria_taken_back(&write, &mut errors);
    errors
}

const STATUS: Path = Path::of("status");
const CONDITIONS: Path = STATUS.field("conditions");

/// One write of a status.
struct JobStatusWrite<'a> {
    new: &'a Job,
    status: &'a JobStatus,
    before: &'a JobStatus,
    is: Ends,
    was: Ends,
}

/// Which of the conditions hold that end a Job.
#[derive(Clone, Copy)]
struct Ends {
    complete: bool,
    failed: bool,
    failure_target: bool,
    success_criteria_met: bool,
}

impl Ends {
    fn of(job: &Job) -> Self {
        let holds = |kind| job.condition(kind).is_some();
        Self {
            complete: holds(COMPLETE),
            failed: holds(FAILED),
            failure_target: holds(FAILURE_TARGET),
            success_criteria_met: holds(SUCCESS_CRITERIA_MET),
        }
    }

    fn finished(self) -> bool {
        self.complete || self.failed
    }
}

/// Counters start from 0 (A-120).
fn check_counters(status: &JobStatus, errors: &mut Vec<FieldError>) {
    non_negative(&STATUS.field("active"), Some(status.active), errors);
    non_negative(&STATUS.field("succeeded"), Some(status.succeeded), errors);
    non_negative(&STATUS.field("failed"), Some(status.failed), errors);
    non_negative(&STATUS.field("ready"), status.ready, errors);
    non_negative(&STATUS.field("terminating"), status.terminating, errors);
}

/// Each pod is on its way into the counters once (A-121).
fn check_uncounted(status: &JobStatus, errors: &mut Vec<FieldError>) {
    let Some(uncounted) = &status.uncounted_terminated_pods else { return };
    let mut seen: BTreeSet<&Text> = BTreeSet::new();
    let lists = [
        (STATUS.field("uncountedTerminatedPods.succeeded"), &uncounted.succeeded),
        (STATUS.field("uncountedTerminatedPods.failed"), &uncounted.failed),
    ];
    for (path, pods) in lists {
        for (at, uid) in pods.iter().enumerate() {
            if uid.is_empty() {
                errors.push(FieldError::invalid(path.index(at), uid, "must not be empty"));
            } else if !seen.insert(uid) {
                errors.push(FieldError::duplicate(path.index(at), uid));
            }
        }
    }
}

/// A Job has one end (A-122, A-123).
fn check_ends(JobStatusWrite { is, was, .. }: &JobStatusWrite, errors: &mut Vec<FieldError>) {
    let complete = is.complete != was.complete;
    if (complete || is.failed != was.failed) && is.complete && is.failed {
        errors.push(FieldError::contradiction(CONDITIONS, "cannot set Complete=True and Failed=true conditions"));
    }
    if (complete || is.failure_target != was.failure_target) && is.complete && is.failure_target {
        errors.push(FieldError::contradiction(CONDITIONS, "cannot set Complete=True and FailureTarget=true conditions"));
    }
}

/// A Job has a completion time if and only if it is complete, and it is not before its start (A-124…A-126).
fn check_completion_time(JobStatusWrite { is, was, status, before, .. }: &JobStatusWrite, errors: &mut Vec<FieldError>) {
    let path = STATUS.field("completionTime");
    let changed = status.completion_time != before.completion_time;
    if changed || is.complete != was.complete {
        match status.completion_time {
            Some(_) if !is.complete => {
                let detail = "cannot set completionTime when there is no Complete=True condition";
                errors.push(FieldError::invalid(path, &status.completion_time, detail));
            }
            None if is.complete => errors.push(FieldError::required(path, "completionTime is required for Complete jobs")),
            Some(_) | None => (),
        }
    }
    if (changed || status.start_time != before.start_time)
        && let (Some(start), Some(completion)) = (status.start_time, status.completion_time)
        && completion < start
    {
        errors.push(FieldError::invalid(path, &completion, "must be equal to or after `startTime`"));
    }
}

/// An end is announced by another condition first (A-127, A-128).
fn check_foregoing(JobStatusWrite { is, was, status, before, .. }: &JobStatusWrite, errors: &mut Vec<FieldError>) {
    if (is.failed != was.failed || status.failed_indexes != before.failed_indexes) && is.failed && !is.failure_target {
        let detail = "cannot set Failed=True condition without the FailureTarget=true condition";
        errors.push(FieldError::contradiction(CONDITIONS, detail));
    }
    let changed = is.complete != was.complete || is.success_criteria_met != was.success_criteria_met;
    if changed && is.complete && !is.success_criteria_met {
        let detail = "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
        errors.push(FieldError::contradiction(CONDITIONS, detail));
    }
}

/// A Job that has ended has been started, and its pods have ended and are counted (A-129…A-131).
fn check_finished(JobStatusWrite { new, is, was, status, before }: &JobStatusWrite, errors: &mut Vec<FieldError>) {
    if !is.finished() {
        return;
    }
    let just = !was.finished();
    if (just || status.active != before.active) && status.active > 0 {
        errors.push(FieldError::invalid(STATUS.field("active"), &status.active, "active>0 is invalid for finished job"));
    }
    let never_to_start = new.suspended() && new.spec.completions == Some(0);
    if (just || status.start_time != before.start_time) && status.start_time.is_none() && !never_to_start {
        errors.push(FieldError::required(STATUS.field("startTime"), "startTime is required for finished job"));
    }
    if let Some(uncounted) = status.uncounted_terminated_pods.as_ref().filter(|uncounted| !uncounted.is_empty())
        && (just || status.uncounted_terminated_pods != before.uncounted_terminated_pods)
    {
        errors.push(FieldError::invalid(STATUS.field("uncountedTerminatedPods"), uncounted, "must be empty for finished job"));
    }
}

/// Lists of indexes can be read, belong to the kind of Job, and have no index in common (A-132…A-136).
fn check_indexes(JobStatusWrite { new, status, before, .. }: &JobStatusWrite, errors: &mut Vec<FieldError>) {
    let completed_changed = status.completed_indexes != before.completed_indexes;
    let failed_changed = status.failed_indexes != before.failed_indexes;
    if !completed_changed && !failed_changed {
        return;
    }
    let (completed_path, failed_path) = (STATUS.field("completedIndexes"), STATUS.field("failedIndexes"));
    let (completed, failed) = (&status.completed_indexes, status.failed_indexes.as_ref());
    let completions = new.spec.completions.map(|completions| u32::try_from(completions).unwrap_or(0));
    let by_index = new.spec.backoff_limit_per_index.is_some();
    let unreadable = |text: &str| completions.and_then(|completions| IndexSet::parse_strictly(text, completions).err());
    if let Some(reason) = Some(completed).filter(|_| completed_changed).and_then(|text| unreadable(text)) {
        errors.push(FieldError::invalid(completed_path, completed, format!("error parsing completedIndexes: {reason}")));
    }
    if let Some(failed) = failed.filter(|_| failed_changed && by_index)
        && let Some(reason) = unreadable(failed)
    {
        errors.push(FieldError::invalid(failed_path, failed, format!("error parsing failedIndexes: {reason}")));
    }
    if completed_changed && !completed.is_empty() && !new.indexed() {
        let detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
        errors.push(FieldError::invalid(completed_path, completed, detail));
    }
    let Some(failed) = failed else { return };
    if failed_changed && !by_index {
        errors.push(FieldError::invalid(failed_path, failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null"));
    }
    if let Some(index) = completions.and_then(|completions| common_index(completed, failed, completions)) {
        errors.push(FieldError::invalid(failed_path, failed, format!("failedIndexes and completedIndexes overlap at index: {index}")));
    }
}

/// The first index that both lists have; what of a list cannot be read is passed over.
fn common_index(completed: &str, failed: &str, completions: u32) -> Option<u32> {
    let readable = |text: &str| {
        let items: Vec<&str> = text.split(',').filter(|item| IndexSet::parse_strictly(item, completions).is_ok()).collect();
        IndexSet::parse_leniently(&items.join(","), completions)
    };
    readable(completed).first_common(&readable(failed))
}

/// No pod is on its way out of a finished Job, and no pod is ready that is not active (A-137, A-138).
fn check_pods(JobStatusWrite { is, was, status, before, .. }: &JobStatusWrite, errors: &mut Vec<FieldError>) {
    let just = is.finished() != was.finished();
    if let Some(terminating) = status.terminating.filter(|pods| *pods > 0)
        && (just || status.terminating != before.terminating)
        && is.finished()
    {
        errors.push(FieldError::invalid(STATUS.field("terminating"), &terminating, "terminating>0 is invalid for finished job"));
    }
    if let Some(ready) = status.ready.filter(|ready| *ready > status.active)
        && (status.ready != before.ready || status.active != before.active)
    {
        errors.push(FieldError::invalid(STATUS.field("ready"), &ready, "cannot set more ready pods than active"));
    }
}

/// A Job that meets its success criteria does not fail, and with a success policy completes in no other way (A-139…A-141).
fn check_success_criteria(JobStatusWrite { new, is, .. }: &JobStatusWrite, errors: &mut Vec<FieldError>) {
    if is.success_criteria_met && is.failed {
        errors.push(FieldError::contradiction(CONDITIONS, "cannot set SuccessCriteriaMet=True and Failed=true conditions"));
    }
    if is.success_criteria_met && is.failure_target {
        errors.push(FieldError::contradiction(CONDITIONS, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"));
    }
    if new.spec.success_policy.is_some() && is.complete && !is.success_criteria_met {
        let detail = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
        errors.push(FieldError::contradiction(CONDITIONS, detail));
    }
}

/// What was reported about the end stays true, and counters do not fall (A-142…A-145).
fn check_taken_back(JobStatusWrite { new, is, was, status, before }: &JobStatusWrite, errors: &mut Vec<FieldError>) {
    for (kind, was, is) in
        [(FAILED, was.failed, is.failed), (COMPLETE, was.complete, is.complete), (FAILURE_TARGET, was.failure_target, is.failure_target)]
    {
        if was && !is {
            errors.push(FieldError::contradiction(CONDITIONS, format!("cannot disable the terminal {kind}=True condition")));
        }
    }
    if status.failed < before.failed {
        errors.push(FieldError::invalid(STATUS.field("failed"), &status.failed, "cannot decrease the failed counter"));
    }
    // A Job that is scaled down loses the completions beyond its last index.
    let scalable = new.indexed() && new.spec.completions.is_some() && new.spec.completions == new.spec.parallelism;
    if status.succeeded < before.succeeded && !scalable {
        errors.push(FieldError::invalid(STATUS.field("succeeded"), &status.succeeded, "cannot decrease the succeeded counter"));
    }
    if status.completion_time.is_some() && before.completion_time.is_some() {
        immutable(&STATUS.field("completionTime"), &status.completion_time, &before.completion_time, errors);
    }
}

/// The start changes only while the Job is suspended or is resumed (A-146).
fn check_start_time(JobStatusWrite { new, status, before, .. }: &JobStatusWrite, stored: &Job, errors: &mut Vec<FieldError>) {
    let runs = status.conditions.iter().any(|condition| &*condition.kind == SUSPENDED && &*condition.status == "False");
    let resumed = stored.condition(SUSPENDED).is_some() && runs;
    if before.start_time.is_some() && status.start_time != before.start_time && !new.suspended() && !resumed {
        let detail = "field is immutable for unsuspended job once set";
        errors.push(FieldError::invalid(STATUS.field("startTime"), &status.start_time, detail));
    }
}

/// Success criteria stay met, and are not met after the fact (A-147, A-148).
fn check_success_criteria_taken_back(JobStatusWrite { is, was, .. }: &JobStatusWrite, errors: &mut Vec<FieldError>) {
    if was.success_criteria_met && !is.success_criteria_met {
        errors.push(FieldError::contradiction(CONDITIONS, "cannot disable the SuccessCriteriaMet=True condition"));
    }
    if was.complete && !was.success_criteria_met && is.success_criteria_met {
        let detail = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
        errors.push(FieldError::contradiction(CONDITIONS, detail));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPLETED: &str = r#""startTime":"2026-01-01T00:00:00Z","completionTime":"2026-01-01T00:01:00Z",
        "conditions":[{"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True"}]"#;
    const FAILURE: &str = r#""startTime":"2026-01-01T00:00:00Z",
        "conditions":[{"type":"FailureTarget","status":"True"},{"type":"Failed","status":"True"}]"#;

    fn job(spec: &str, status: &str) -> Job {
        let metadata = r#"{"name":"pi","namespace":"default","uid":"u","resourceVersion":"5"}"#;
        serde_json::from_str(&format!(r#"{{"metadata":{metadata},"spec":{{{spec}}},"status":{{{status}}}}}"#)).unwrap()
    }

    #[track_caller]
    fn check_write(spec: &str, before: &str, status: &str, expected: &[&str]) {
        let errors = update(&job(spec, status), &job(spec, before));
        let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected);
    }

    #[track_caller]
    fn check(before: &str, status: &str, expected: &[&str]) {
        check_write(r#""completions":1,"parallelism":1"#, before, status, expected);
    }

    #[test]
    fn a_120_a_121_counters() {
        check("", r#""active":1,"ready":1,"uncountedTerminatedPods":{"succeeded":["a"],"failed":["b"]}"#, &[]);
        check("", r#""active":-1"#, &["status.active: Invalid value: -1: must be greater than or equal to 0"]);
        check(
            "",
            r#""uncountedTerminatedPods":{"succeeded":["a",""],"failed":["a"]}"#,
            &[
                r#"status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty"#,
                r#"status.uncountedTerminatedPods.failed[0]: Duplicate value: "a""#,
            ],
        );
    }

    #[test]
    fn a_122_to_a_128_an_end_is_one_and_announced() {
        check("", COMPLETED, &[]);
        check("", FAILURE, &[]);
        check(
            "",
            r#""startTime":"2026-01-01T00:00:00Z","conditions":[{"type":"Failed","status":"True"},{"type":"Complete","status":"True"}]"#,
            &[
                "status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions",
                "status.completionTime: Required value: completionTime is required for Complete jobs",
                "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
                "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
            ],
        );
        check(
            "",
            r#""startTime":"2026-01-02T00:00:00Z","completionTime":"2026-01-01T00:00:00Z""#,
            &[
                r#"status.completionTime: Invalid value: "2026-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition"#,
                r#"status.completionTime: Invalid value: "2026-01-01T00:00:00Z": must be equal to or after `startTime`"#,
            ],
        );
    }

    #[test]
    fn a_129_to_a_131_a_137_a_finished_job_has_no_pods() {
        let pods = r#""active":1,"terminating":1,"uncountedTerminatedPods":{"failed":["a"]}"#;
        let refused = [
            "status.active: Invalid value: 1: active>0 is invalid for finished job",
            r#"status.uncountedTerminatedPods: Invalid value: {"failed":["a"]}: must be empty for finished job"#,
            "status.terminating: Invalid value: 1: terminating>0 is invalid for finished job",
        ];
        check("", &format!("{FAILURE},{pods}"), &refused);
        check(&format!("{FAILURE},{pods}"), &format!("{FAILURE},{pods}"), &[]);
        let unstarted = FAILURE.split_once(',').unwrap().1;
        check("", unstarted, &["status.startTime: Required value: startTime is required for finished job"]);
        check_write(r#""completions":0,"suspend":true"#, "", unstarted, &[]);
    }

    #[test]
    fn a_132_to_a_136_lists_of_indexes() {
        let indexed = r#""completionMode":"Indexed","completions":5,"parallelism":2,"backoffLimitPerIndex":1"#;
        check_write(indexed, "", r#""completedIndexes":"0-1,3","failedIndexes":"2,4""#, &[]);
        check_write(
            indexed,
            "",
            r#""completedIndexes":"0-2,x","failedIndexes":"2-5""#,
            &[
                r#"status.completedIndexes: Invalid value: "0-2,x": error parsing completedIndexes: cannot convert string to integer for index: "x""#,
                r#"status.failedIndexes: Invalid value: "2-5": error parsing failedIndexes: too large index: "5""#,
            ],
        );
        check_write(
            indexed,
            r#""completedIndexes":"0-2""#,
            r#""completedIndexes":"0-2","failedIndexes":"1-2""#,
            &[r#"status.failedIndexes: Invalid value: "1-2": failedIndexes and completedIndexes overlap at index: 1"#],
        );
        check(
            "",
            r#""completedIndexes":"0","failedIndexes":"""#,
            &[
                r#"status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode"#,
                r#"status.failedIndexes: Invalid value: "": cannot set non-null failedIndexes when backoffLimitPerIndex is null"#,
            ],
        );
    }

    #[test]
    fn a_138_to_a_141_ready_pods_and_success_criteria() {
        check("", r#""ready":1"#, &["status.ready: Invalid value: 1: cannot set more ready pods than active"]);
        check(r#""ready":1"#, r#""ready":1"#, &[]);
        check(
            "",
            r#""conditions":[{"type":"SuccessCriteriaMet","status":"True"},{"type":"FailureTarget","status":"True"}]"#,
            &["status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"],
        );
    }

    #[test]
    fn a_142_to_a_145_nothing_is_taken_back() {
        check(
            FAILURE,
            r#""startTime":"2026-01-01T00:00:00Z""#,
            &[
                "status.conditions: Invalid value: cannot disable the terminal Failed=True condition",
                "status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition",
            ],
        );
        let fallen = [
            "status.failed: Invalid value: 1: cannot decrease the failed counter",
            "status.succeeded: Invalid value: 1: cannot decrease the succeeded counter",
        ];
        check(r#""failed":2,"succeeded":2"#, r#""failed":1,"succeeded":1"#, &fallen);
        let scalable = r#""completionMode":"Indexed","completions":1,"parallelism":1"#;
        check_write(scalable, r#""failed":2,"succeeded":2"#, r#""failed":1,"succeeded":1"#, &fallen[..1]);
        let later = COMPLETED.replace("00:01:00", "00:02:00");
        check(COMPLETED, &later, &[r#"status.completionTime: Invalid value: "2026-01-01T00:02:00Z": field is immutable"#]);
    }

    #[test]
    fn a_146_the_start_moves_only_across_a_suspension() {
        let (start, later) = (r#""startTime":"2026-01-01T00:00:00Z""#, r#""startTime":"2026-01-02T00:00:00Z""#);
        let refused = r#"status.startTime: Invalid value: "2026-01-02T00:00:00Z": field is immutable for unsuspended job once set"#;
        check(start, later, &[refused]);
        let suspended = |status: &str| format!(r#","conditions":[{{"type":"Suspended","status":"{status}"}}]"#);
        check(&format!("{start}{}", suspended("True")), &format!("{later}{}", suspended("False")), &[]);
        check(&format!("{start}{}", suspended("True")), later, &[refused]);
        check_write(r#""suspend":true"#, start, "", &[]);
    }

    #[test]
    fn a_147_a_148_success_criteria_stay_as_they_are() {
        let met = r#""conditions":[{"type":"SuccessCriteriaMet","status":"True"}]"#;
        check(met, "", &["status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition"]);
        let bare = COMPLETED.replace(r#"{"type":"SuccessCriteriaMet","status":"True"},"#, "");
        let refused = "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
        check(&bare, COMPLETED, &[refused]);
    }
}

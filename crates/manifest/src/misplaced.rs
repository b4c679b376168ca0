//! Misplaced fields: where a field belongs that its level does not have, or what its name was meant to be.
//!
//! Docs: Jobs, "Writing a Job spec"; CronJob, "Writing a CronJob spec"; Pods, "Pod templates". Unknown fields are found in `strict.rs`.

use api::Kind;
use schema::FieldType;

use crate::meant_names::meant;
use crate::node::{Content, MapEntry};
use crate::{Fix, path, slips};

/// A level of an object that people write by hand: the type, its path, and what has its fields.
type Level = (&'static str, &'static str, &'static str);

/// The levels of a Job.
const JOB: [Level; 7] = [
    ("Job", "", "the Job"),
    ("ObjectMeta", "metadata", "the metadata"),
    ("JobSpec", "spec", "the Job"),
    ("PodTemplateSpec", "spec.template", "the pod template"),
    ("ObjectMeta", "spec.template.metadata", "the pod template's metadata"),
    ("PodSpec", "spec.template.spec", "the pod"),
    ("Container", "spec.template.spec.containers[]", "a container"),
];

/// The levels of a CronJob.
const CRON_JOB: [Level; 10] = [
    ("CronJob", "", "the CronJob"),
    ("ObjectMeta", "metadata", "the metadata"),
    ("CronJobSpec", "spec", "the CronJob"),
    ("JobTemplateSpec", "spec.jobTemplate", "the Job template"),
    ("ObjectMeta", "spec.jobTemplate.metadata", "the Job template's metadata"),
    ("JobSpec", "spec.jobTemplate.spec", "the Job"),
    ("PodTemplateSpec", "spec.jobTemplate.spec.template", "the pod template"),
    ("ObjectMeta", "spec.jobTemplate.spec.template.metadata", "the pod template's metadata"),
    ("PodSpec", "spec.jobTemplate.spec.template.spec", "the pod"),
    ("Container", "spec.jobTemplate.spec.template.spec.containers[]", "a container"),
];

/// Fields that other kinds than a Job have.
const NOT_OF_A_JOB: [(&str, &str); 9] = [
    ("replicas", "a Job has no replicas: spec.parallelism is the number of pods at a time, spec.completions the number that must succeed"),
    ("strategy", "a Job has no update strategy: create another Job instead"),
    ("schedule", "schedule belongs to a CronJob: a Job runs once"),
    ("timeZone", "timeZone belongs to a CronJob: a Job runs once"),
    ("concurrencyPolicy", "concurrencyPolicy belongs to a CronJob: a Job runs once"),
    ("jobTemplate", "jobTemplate belongs to a CronJob: use its spec as the Job's spec"),
    ("startingDeadlineSeconds", "startingDeadlineSeconds belongs to a CronJob: a Job runs once"),
    (
        "successfulJobsHistoryLimit",
        "successfulJobsHistoryLimit belongs to a CronJob: ttlSecondsAfterFinished deletes a Job after it has finished",
    ),
    ("failedJobsHistoryLimit", "failedJobsHistoryLimit belongs to a CronJob: ttlSecondsAfterFinished deletes a Job after it has finished"),
];

/// Fields that other kinds than a CronJob have.
const NOT_OF_A_CRON_JOB: [(&str, &str); 2] = [
    (
        "replicas",
        "a CronJob has no replicas: spec.jobTemplate.spec.parallelism is the number of pods at a time, spec.jobTemplate.spec.completions the \
         number that must succeed",
    ),
    ("strategy", "a CronJob has no update strategy: Jobs created after a change use the new template"),
];

/// What patches have among the fields: `$patch: delete`, `$setElementOrder/containers`.
const DIRECTIVES: [&str; 4] = ["$patch", "$retainKeys", "$setElementOrder", "$deleteFromPrimitiveList"];

/// What is known about the fields of a kind: its levels, and the fields of other kinds. Of pods, which people do not write, nothing is known.
fn knowledge(kind: Kind) -> (&'static [Level], &'static [(&'static str, &'static str)]) {
    match kind {
        Kind::CronJob => (&CRON_JOB, &NOT_OF_A_CRON_JOB),
        Kind::Job => (&JOB, &NOT_OF_A_JOB),
        Kind::Pod => (&[], &[]),
    }
}

/// What to do about a field, in words, and what does it.
pub(crate) struct Remedy {
    pub(crate) words: String,
    pub(crate) fix: Option<Fix>,
}

impl Remedy {
    fn words(words: impl Into<String>) -> Self {
        Self { words: words.into(), fix: None }
    }

    fn to(words: String, path: String) -> Self {
        Self { words, fix: Some(Fix::Move { to: path }) }
    }
}

/// What to do about an entry among others, at this path of an object of this kind, if their type does not have it.
pub(crate) fn remedy_among(kind: Kind, owner: &str, path: &str, entries: &[MapEntry], entry: &MapEntry) -> Option<Remedy> {
    let name = &*entry.key;
    if DIRECTIVES.iter().any(|directive| name.split('/').next() == Some(directive)) {
        let words = format!("{name} is a directive of a strategic merge patch: apply the patch, and use what `kubectl kustomize` prints");
        return Some(Remedy::words(words));
    }
    let known = template_of_jobs(owner, path, entry)
        .or_else(|| written_twice(owner, path, entry))
        .or_else(|| slips::unknown_variable(owner, entries, entry).map(Remedy::words))
        .or_else(|| remedy(kind, owner, path, name));
    let Some(holder) = slips::not_indented(owner, entries, name) else { return known };
    let to = format!("{}{holder}.{name}", path.strip_suffix(name).unwrap_or_default());
    // A level is called what it is, and not by its field.
    match known.filter(|known| known.fix == Some(Fix::Move { to: to.clone() })) {
        Some(known) => Some(known),
        None => Some(Remedy::to(format!("{name} belongs to {holder}: move it to {to}"), to)),
    }
}

/// What to do about the `template` of a CronJob that is a template of Jobs: what it holds has a template of its own.
fn template_of_jobs(owner: &str, path: &str, MapEntry { key, node, .. }: &MapEntry) -> Option<Remedy> {
    let inner = || node.entry("spec")?.node.entry("template");
    inner().filter(|_| owner == "CronJobSpec" && key == "template")?;
    let outer = path.strip_suffix(key.as_str()).unwrap_or_default();
    Some(Remedy::to("did you mean jobTemplate?".to_owned(), format!("{outer}jobTemplate")))
}

/// What to do about a field within the field of the same name, if it holds what that one should.
fn written_twice(owner: &str, path: &str, MapEntry { key, node, .. }: &MapEntry) -> Option<Remedy> {
    let outer = path.strip_suffix(key.as_str())?.strip_suffix('.').filter(|outer| path::steps(outer).last() == Some(&key.as_str()))?;
    let Content::Map(fields) = &node.content else { return None };
    let known = fields.iter().all(|field| schema::of(owner).has(&field.key));
    known.then(|| Remedy::words(format!("{key} is written twice: move what it holds up to {outer}")))
}

/// What to do about a field at this path of an object of this kind, if the field's type does not have it.
pub(crate) fn remedy(kind: Kind, owner: &str, path: &str, name: &str) -> Option<Remedy> {
    let (levels, elsewhere) = knowledge(kind);
    let outer = path.strip_suffix(name).unwrap_or_default();
    if let Some(meant) = meant(owner, name) {
        return Some(Remedy::to(format!("did you mean {meant}?"), format!("{outer}{meant}")));
    }
    if (owner, name) == ("Container", "value") {
        return Some(Remedy::words("value belongs to a variable: write it as an item of env, as in `- {name: FOO, value: bar}`"));
    }
    if owner == "SecurityContext" && schema::of("PodSecurityContext").has(name) {
        let (_, pod, home) = levels.iter().find(|(kind, ..)| *kind == "PodSpec")?;
        let target = format!("{pod}.securityContext.{name}");
        return Some(Remedy::to(format!("{name} belongs to {home}: move it to {target}"), target));
    }
    // Where people write no fields by hand, a field is more likely in the wrong part than at the wrong level.
    let part = !levels.iter().any(|(kind, _, _)| *kind == owner);
    if let Some((first, second)) = two_below(owner, name).filter(|_| part) {
        return Some(Remedy::words(format!("{name} belongs to {first} or {second}: indent it under one of them")));
    }
    if let Some((level, home)) = home(levels, path, name) {
        let target = path::join(&level_in(level, path), name);
        return Some(Remedy::to(format!("{name} belongs to {home}: move it to {target}"), target));
    }
    if let Some(inner) = below(owner, name) {
        let target = format!("{outer}{inner}.{name}");
        return Some(Remedy::to(format!("{name} belongs to {inner}: move it to {target}"), target));
    }
    if let Some((_, remedy)) = elsewhere.iter().find(|(field, _)| *field == name) {
        return Some(Remedy::words(*remedy));
    }
    if let Some(meant) = nearest(name, schema::of(owner).names()) {
        return Some(Remedy::to(format!("did you mean {meant}?"), format!("{outer}{meant}")));
    }
    let near = levels.iter().find_map(|(kind, level, _)| Some((level, nearest(name, schema::of(kind).names())?)));
    if let Some((level, meant)) = near {
        let target = path::join(level, meant);
        return Some(Remedy::to(format!("did you mean {target}?"), target));
    }
    let known: Vec<&str> = schema::of(owner).names().collect();
    (known.len() <= 20).then(|| Remedy::words(format!("the fields here are {}", known.join(", "))))
}

/// The two fields of a type that hold a field of this name, if it is two.
fn two_below(owner: &str, name: &str) -> Option<(&'static str, &'static str)> {
    match holders(owner, name)[..] {
        [first, second] => Some((first, second)),
        _ => None,
    }
}

/// The only field of a type that holds a field of this name.
fn below(owner: &str, name: &str) -> Option<&'static str> {
    match holders(owner, name)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The fields of a type that hold a field of this name.
pub(crate) fn holders(owner: &str, name: &str) -> Vec<&'static str> {
    let holds = |kind: &FieldType| matches!(kind, FieldType::Fields(inner) if inner.has(name));
    schema::of(owner).fields.iter().filter(|field| holds(&field.kind)).map(|field| field.name).collect()
}

/// The level that has a field of this name and is the nearest to this path, and what that level is.
fn home(levels: &[Level], path: &str, name: &str) -> Option<(&'static str, &'static str)> {
    let from = steps(path);
    let from = &from[..from.len().saturating_sub(1)];
    let distance = |level: &str| {
        let to = steps(level);
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        from.len() + to.len() - 2 * shared
    };
    // What is within a field cannot move to the place of that field.
    let within = |level: &str| from.starts_with(&steps(&path::join(level, name)));
    let having = levels.iter().filter(|(kind, level, _)| schema::of(kind).has(name) && !within(level));
    having.min_by_key(|(_, level, _)| distance(level)).map(|(_, level, home)| (*level, *home))
}

/// The steps of a path, without the numbers of items.
fn steps(path: &str) -> Vec<&str> {
    path::steps(path).into_iter().filter(|step| !step.is_empty() && step.parse::<usize>().is_err()).collect()
}

/// A level as it is called from this path: with the number of the container, if the path has one.
fn level_in(level: &str, path: &str) -> String {
    let Some(before) = level.strip_suffix("[]") else { return level.to_owned() };
    match path.strip_prefix(before).and_then(|rest| rest.split_once(']')) {
        Some((number, _)) if number.starts_with('[') => format!("{before}{number}]"),
        _ => level.to_owned(),
    }
}

/// The name that differs least, if it differs little: by letters that are missing, too many, others, or swapped with their neighbours.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let lower = name.to_ascii_lowercase();
    let length = name.chars().count();
    let most = (length / 3).min(3);
    // The distance is at least the difference in length, which is found sooner.
    let alike = known.filter(|known| known.chars().count().abs_diff(length) <= most);
    let near =
        alike.map(|known| (strsim::osa_distance(&lower, &known.to_ascii_lowercase()), known)).filter(|(distance, _)| *distance <= most);
    near.min().map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(fields: &[(&str, &str)], expected: Expect) {
        check_kind(Kind::Job, fields, expected);
    }

    fn check_kind(kind: Kind, fields: &[(&str, &str)], expected: Expect) {
        let line = |(owner, path): &(&str, &str)| {
            let name = path::steps(path).pop().unwrap_or_default();
            format!("{path}: {}\n", remedy(kind, owner, path, name).map(|remedy| remedy.words).unwrap_or_default())
        };
        expected.assert_eq(&fields.iter().map(line).collect::<String>());
    }

    #[test]
    fn fields_at_the_wrong_level() {
        check(
            &[
                ("PodSpec", "spec.template.spec.backoffLimit"),
                ("JobSpec", "spec.restartPolicy"),
                ("PodSpec", "spec.template.spec.command"),
                ("PodSpec", "spec.template.spec.image"),
                ("JobSpec", "spec.containers"),
                ("PodTemplateSpec", "spec.template.containers"),
                ("Job", "parallelism"),
                ("Job", "name"),
                ("Container", "spec.template.spec.containers[1].volumes"),
                ("SecurityContext", "spec.template.spec.containers[1].securityContext.image"),
                ("SecurityContext", "spec.template.spec.containers[1].securityContext.fsGroup"),
                ("Volume", "spec.template.spec.volumes[0].pvc"),
                ("PodTemplateSpec", "spec.template.labels"),
                ("PodFailurePolicyRule", "spec.podFailurePolicy.rules[0].containerName"),
                ("PodFailurePolicyRule", "spec.podFailurePolicy.rules[0].values"),
                ("Container", "spec.template.spec.containers[0].limits"),
            ],
            expect![[r#"
                spec.template.spec.backoffLimit: backoffLimit belongs to the Job: move it to spec.backoffLimit
                spec.restartPolicy: restartPolicy belongs to the pod: move it to spec.template.spec.restartPolicy
                spec.template.spec.command: command belongs to a container: move it to spec.template.spec.containers[].command
                spec.template.spec.image: image belongs to a container: move it to spec.template.spec.containers[].image
                spec.containers: containers belongs to the pod: move it to spec.template.spec.containers
                spec.template.containers: containers belongs to the pod: move it to spec.template.spec.containers
                parallelism: parallelism belongs to the Job: move it to spec.parallelism
                name: name belongs to the metadata: move it to metadata.name
                spec.template.spec.containers[1].volumes: volumes belongs to the pod: move it to spec.template.spec.volumes
                spec.template.spec.containers[1].securityContext.image: image belongs to a container: move it to spec.template.spec.containers[1].image
                spec.template.spec.containers[1].securityContext.fsGroup: fsGroup belongs to the pod: move it to spec.template.spec.securityContext.fsGroup
                spec.template.spec.volumes[0].pvc: did you mean persistentVolumeClaim?
                spec.template.labels: labels belongs to the pod template's metadata: move it to spec.template.metadata.labels
                spec.podFailurePolicy.rules[0].containerName: containerName belongs to onExitCodes: move it to spec.podFailurePolicy.rules[0].onExitCodes.containerName
                spec.podFailurePolicy.rules[0].values: values belongs to onExitCodes: move it to spec.podFailurePolicy.rules[0].onExitCodes.values
                spec.template.spec.containers[0].limits: limits belongs to resources: move it to spec.template.spec.containers[0].resources.limits
            "#]],
        );
    }

    #[test]
    fn fields_of_other_kinds() {
        check(
            &[("JobSpec", "spec.replicas"), ("JobSpec", "spec.schedule")],
            expect![[r#"
            spec.replicas: a Job has no replicas: spec.parallelism is the number of pods at a time, spec.completions the number that must succeed
            spec.schedule: schedule belongs to a CronJob: a Job runs once
        "#]],
        );
    }

    #[test]
    fn fields_of_cron_jobs() {
        check_kind(
            Kind::CronJob,
            &[
                ("CronJob", "schedule"),
                ("CronJob", "jobTemplate"),
                ("CronJobSpec", "spec.backoffLimit"),
                ("CronJobSpec", "spec.template"),
                ("CronJobSpec", "spec.containers"),
                ("CronJobSpec", "spec.ttlSecondsAfterFinished"),
                ("CronJobSpec", "spec.labels"),
                ("CronJobSpec", "spec.replicas"),
                ("JobTemplateSpec", "spec.jobTemplate.template"),
                ("JobTemplateSpec", "spec.jobTemplate.parallelism"),
                ("JobTemplateSpec", "spec.jobTemplate.schedule"),
                ("JobSpec", "spec.jobTemplate.spec.concurrencyPolicy"),
                ("JobSpec", "spec.jobTemplate.spec.restartPolicy"),
                ("PodSpec", "spec.jobTemplate.spec.template.spec.successfulJobsHistoryLimit"),
                ("PodSpec", "spec.jobTemplate.spec.template.spec.completions"),
                ("Container", "spec.jobTemplate.spec.template.spec.containers[1].volumes"),
                ("CronJobSpec", "spec.timezone"),
                ("CronJobSpec", "spec.foo"),
            ],
            expect![[r#"
                schedule: schedule belongs to the CronJob: move it to spec.schedule
                jobTemplate: jobTemplate belongs to the CronJob: move it to spec.jobTemplate
                spec.backoffLimit: backoffLimit belongs to the Job: move it to spec.jobTemplate.spec.backoffLimit
                spec.template: template belongs to the Job: move it to spec.jobTemplate.spec.template
                spec.containers: containers belongs to the pod: move it to spec.jobTemplate.spec.template.spec.containers
                spec.ttlSecondsAfterFinished: ttlSecondsAfterFinished belongs to the Job: move it to spec.jobTemplate.spec.ttlSecondsAfterFinished
                spec.labels: labels belongs to the metadata: move it to metadata.labels
                spec.replicas: a CronJob has no replicas: spec.jobTemplate.spec.parallelism is the number of pods at a time, spec.jobTemplate.spec.completions the number that must succeed
                spec.jobTemplate.template: template belongs to the Job: move it to spec.jobTemplate.spec.template
                spec.jobTemplate.parallelism: parallelism belongs to the Job: move it to spec.jobTemplate.spec.parallelism
                spec.jobTemplate.schedule: schedule belongs to the CronJob: move it to spec.schedule
                spec.jobTemplate.spec.concurrencyPolicy: concurrencyPolicy belongs to the CronJob: move it to spec.concurrencyPolicy
                spec.jobTemplate.spec.restartPolicy: restartPolicy belongs to the pod: move it to spec.jobTemplate.spec.template.spec.restartPolicy
                spec.jobTemplate.spec.template.spec.successfulJobsHistoryLimit: successfulJobsHistoryLimit belongs to the CronJob: move it to spec.successfulJobsHistoryLimit
                spec.jobTemplate.spec.template.spec.completions: completions belongs to the Job: move it to spec.jobTemplate.spec.completions
                spec.jobTemplate.spec.template.spec.containers[1].volumes: volumes belongs to the pod: move it to spec.jobTemplate.spec.template.spec.volumes
                spec.timezone: did you mean timeZone?
                spec.foo: the fields here are concurrencyPolicy, failedJobsHistoryLimit, jobTemplate, schedule, startingDeadlineSeconds, successfulJobsHistoryLimit, suspend, timeZone
            "#]],
        );
    }

    #[test]
    fn names_of_other_types_and_tools() {
        check_kind(
            Kind::CronJob,
            &[
                ("SecretVolumeSource", "spec.jobTemplate.spec.template.spec.volumes[0].secret.name"),
                ("PersistentVolumeClaimVolumeSource", "spec.jobTemplate.spec.template.spec.volumes[0].persistentVolumeClaim.name"),
                ("EnvVarSource", "spec.jobTemplate.spec.template.spec.containers[0].env[0].valueFrom.configMapRef"),
                ("PodSpec", "spec.jobTemplate.spec.template.spec.priorityClass"),
                ("Container", "spec.jobTemplate.spec.template.spec.containers[0].value"),
                ("CronJobSpec", "spec.cron"),
            ],
            expect![[r#"
                spec.jobTemplate.spec.template.spec.volumes[0].secret.name: did you mean secretName?
                spec.jobTemplate.spec.template.spec.volumes[0].persistentVolumeClaim.name: did you mean claimName?
                spec.jobTemplate.spec.template.spec.containers[0].env[0].valueFrom.configMapRef: did you mean configMapKeyRef?
                spec.jobTemplate.spec.template.spec.priorityClass: did you mean priorityClassName?
                spec.jobTemplate.spec.template.spec.containers[0].value: value belongs to a variable: write it as an item of env, as in `- {name: FOO, value: bar}`
                spec.cron: did you mean schedule?
            "#]],
        );
    }

    #[test]
    fn misspelt_fields() {
        check(
            &[
                ("JobSpec", "spec.parralelism"),
                ("JobSpec", "spec.backOffLimit"),
                ("Container", "spec.template.spec.containers[0].imagePullpolicy"),
                ("PodSpec", "spec.template.spec.backofLimit"),
                ("Container", "spec.template.spec.containers[0].cmd"),
                ("EnvVar", "spec.template.spec.containers[0].env[0].foo"),
                ("JobSpec", "spec.foo"),
            ],
            expect![[r#"
                spec.parralelism: did you mean parallelism?
                spec.backOffLimit: did you mean backoffLimit?
                spec.template.spec.containers[0].imagePullpolicy: did you mean imagePullPolicy?
                spec.template.spec.backofLimit: did you mean spec.backoffLimit?
                spec.template.spec.containers[0].cmd: 
                spec.template.spec.containers[0].env[0].foo: the fields here are name, value, valueFrom
                spec.foo: the fields here are activeDeadlineSeconds, backoffLimit, backoffLimitPerIndex, completionMode, completions, managedBy, manualSelector, maxFailedIndexes, parallelism, podFailurePolicy, podReplacementPolicy, scheduling, selector, successPolicy, suspend, template, ttlSecondsAfterFinished
            "#]],
        );
    }
}

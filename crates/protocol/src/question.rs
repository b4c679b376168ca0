//! Questions that stand by themselves, without a session: what strict decoding finds, what admission makes of an object, what YAML means, when a
//! schedule fires. Answers have the oracle's form.
//!
//! Docs: `upstream/cmd/oracle/main.go`, the comment at its head. The rules are in `manifest`, `admission` and `schedule`; sessions are in `lib.rs`.

use admission::validation::{self, FieldError};
use admission::{defaults, preparation, warnings};
use api::{CronJob, DEFAULT_NAMESPACE, Job, Kind, ObjectMeta};
use manifest::RuleName;
use schedule::{Schedule, Zone};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::operation::{Operation, known_kind};

/// The UID that a Job is admitted with; its labels and its selector name it.
const UID: &str = "00000000-0000-0000-0000-000000000000";

/// The answer to a question about a pod.
const NO_PODS: &str = "a Job or a CronJob is needed, not a Pod";

/// What is answered; what is empty is left out.
#[derive(Debug, Default, Serialize)]
pub(super) struct OracleAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times: Vec<String>,
}

/// Whether an object is admitted as a new one.
pub(super) fn create(object: &str) -> Result<OracleAnswer, String> {
    admit(object, |job| Ok(create_job(job)), |cron_job| Ok(create_cron_job(cron_job)))
}

/// Whether an object is admitted in place of another.
pub(super) fn update(old: &str, object: &str) -> Result<OracleAnswer, String> {
    admit(object, |job| Ok(update_job(job, &stored_job(old)?)), |cron_job| Ok(update_cron_job(cron_job, &stored_cron_job(old)?)))
}

/// Whether the status of a Job is admitted in place of another's.
pub(super) fn status(old: &str, object: &str) -> Result<OracleAnswer, String> {
    admit(object, |job| Ok(update_job_status(job, &stored_job(old)?)), |_| Err("a CronJob's status has no rules".to_owned()))
}

/// Admits an object of either kind.
fn admit(
    object: &str,
    job: impl FnOnce(Job) -> Result<OracleAnswer, String>,
    cron_job: impl FnOnce(CronJob) -> Result<OracleAnswer, String>,
) -> Result<OracleAnswer, String> {
    match kind(object)? {
        Kind::Job => job(read(object, |job: &mut Job| &mut job.metadata)?),
        Kind::CronJob => cron_job(read(object, |cron_job: &mut CronJob| &mut cron_job.metadata)?),
        Kind::Pod => Err(NO_PODS.to_owned()),
    }
}

fn create_job(mut job: Job) -> OracleAnswer {
    job.metadata.uid = UID.into();
    preparation::prepare_create(&mut job);
    let (errors, warnings) = (validation::job::create(&job), warnings::create(&job));
    admitted_job(job, &errors, warnings)
}

fn create_cron_job(mut cron_job: CronJob) -> OracleAnswer {
    preparation::prepare_cron_job_create(&mut cron_job);
    let (errors, warnings) = (validation::cron_job::create(&cron_job), warnings::create_cron_job(&cron_job));
    admitted_cron_job(cron_job, &errors, warnings)
}

fn update_job(mut job: Job, stored: &Job) -> OracleAnswer {
    preparation::prepare_update(&mut job, stored);
    let (errors, warnings) = (validation::job_update::update(&job, stored), warnings::update(&job, stored));
    admitted_job(job, &errors, warnings)
}

fn update_cron_job(mut cron_job: CronJob, stored: &CronJob) -> OracleAnswer {
    preparation::prepare_cron_job_update(&mut cron_job, stored);
    let (errors, warnings) = (validation::cron_job::update(&cron_job, stored), warnings::update_cron_job(&cron_job, stored));
    admitted_cron_job(cron_job, &errors, warnings)
}

fn update_job_status(mut job: Job, stored: &Job) -> OracleAnswer {
    preparation::prepare_status_update(&mut job, stored);
    let errors = validation::job_status::update(&job, stored);
    admitted_job(job, &errors, Vec::new())
}

/// What admission made of a Job, with the defaults that it has once it is read from storage.
fn admitted_job(mut job: Job, errors: &[FieldError], warnings: Vec<String>) -> OracleAnswer {
    defaults::apply(&mut job);
    admitted(Kind::Job, &job, errors, warnings)
}

fn admitted_cron_job(mut cron_job: CronJob, errors: &[FieldError], warnings: Vec<String>) -> OracleAnswer {
    defaults::apply_to_cron_job(&mut cron_job);
    admitted(Kind::CronJob, &cron_job, errors, warnings)
}

fn admitted(kind: Kind, object: &impl Serialize, errors: &[FieldError], warnings: Vec<String>) -> OracleAnswer {
    let mut object = serde_json::to_value(object).expect("its keys are text");
    object["apiVersion"] = kind.api_version().into();
    object["kind"] = kind.name().into();
    let mut errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    errors.sort();
    OracleAnswer { object: Some(object), errors, warnings, ..OracleAnswer::default() }
}

/// A Job as the API server reads it from storage.
fn stored_job(object: &str) -> Result<Job, String> {
    let mut job = read(object, |job: &mut Job| &mut job.metadata)?;
    defaults::apply(&mut job);
    Ok(job)
}

fn stored_cron_job(object: &str) -> Result<CronJob, String> {
    let mut cron_job = read(object, |cron_job: &mut CronJob| &mut cron_job.metadata)?;
    defaults::apply_to_cron_job(&mut cron_job);
    Ok(cron_job)
}

/// An object as a client sends it into the namespace `default`, unless it names another one.
fn read<T: DeserializeOwned>(object: &str, metadata: fn(&mut T) -> &mut ObjectMeta) -> Result<T, String> {
    let mut object: T = serde_json::from_str(object).map_err(|error| error.to_string())?;
    let namespace = &mut metadata(&mut object).namespace;
    if namespace.is_empty() {
        *namespace = DEFAULT_NAMESPACE.into();
    }
    Ok(object)
}

/// What strict decoding finds in a Job or a CronJob: all unknown fields. A value of the wrong type is an error instead.
pub(super) fn decode(object: &str) -> Result<OracleAnswer, String> {
    if kind(object)? == Kind::Pod {
        return Err(NO_PODS.to_owned());
    }
    let found = manifest::workloads(object).err().unwrap_or_default();
    let errors = found.into_iter().map(|problem| {
        let strict = [(RuleName::UNKNOWN_FIELD, "unknown field"), (RuleName::DUPLICATE_FIELD, "duplicate field")];
        let refused = strict.iter().find(|(rule, _)| *rule == problem.rule);
        refused.map(|(_, words)| format!("{words} {:?}", problem.path)).ok_or_else(|| problem.to_string())
    });
    Ok(OracleAnswer { errors: errors.collect::<Result<_, _>>()?, ..OracleAnswer::default() })
}

/// The JSON of the first YAML document, in a text whose last line ends as it does.
pub(super) fn yaml(text: &str) -> Result<OracleAnswer, String> {
    let documents = manifest::read_part(text).map_err(|problem| problem.message)?;
    Ok(OracleAnswer { object: Some(documents.first().map_or(Value::Null, |document| document.value().clone())), ..OracleAnswer::default() })
}

/// The times at which a schedule fires after another.
pub(super) fn times(operation: &Operation<'_>) -> Result<OracleAnswer, String> {
    let zone = match operation.time_zone() {
        "" => Zone::utc(),
        name => Zone::named(name).ok_or_else(|| format!("provided bad location {name}: unknown time zone {name}"))?,
    };
    let schedule = Schedule::parse(operation.schedule(), &zone)?;
    let times = std::iter::successors(schedule.next(operation.from()?), |last| schedule.next(*last)).take(operation.count());
    Ok(OracleAnswer { times: times.map(|time| time.to_string()).collect(), ..OracleAnswer::default() })
}

fn kind(object: &str) -> Result<Kind, String> {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        kind: Option<String>,
    }
    let Named { kind } = serde_json::from_str(object).map_err(|error| error.to_string())?;
    known_kind(&kind.unwrap_or_default())
}

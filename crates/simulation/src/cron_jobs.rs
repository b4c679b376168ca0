//! CronJobs as people write them and what people do with them, drawn from a seed; and the TTL of Jobs.
//!
//! Docs: CronJob, "Writing a CronJob spec"; Automatic Cleanup for Finished Jobs. What their Jobs look like is drawn in `jobs.rs`; their schedules are read in
//! `timetable.rs`.

use api::request::{ContentType, Method, Request, path};
use api::{Kind, Text, Timestamp};
use cluster::ApiServer;
use cluster::rng::Rng;
use serde_json::{Value, json};

use crate::interventions::{Intervention, NAMESPACE};
use crate::jobs;
use crate::timetable::ZONES;

/// The names of CronJobs.
pub(crate) const CRON_JOBS: [&str; 2] = ["x", "y"];

const SCHEDULES: [&str; 9] =
    ["* * * * *", "* * * * *", "* * * * *", "*/2 * * * *", "1-59/2 * * * *", "*/5 * * * *", "@hourly", "@every 20s", "@every 90s"];

const POLICIES: [&str; 3] = ["Allow", "Forbid", "Replace"];

/// The request that creates a CronJob of this name.
pub(crate) fn creation(dice: &mut Rng, name: &str) -> Request {
    let mut job: Value = serde_json::from_str(&job_creation(dice, name).body).expect("a Job is JSON");
    let spec = job["spec"].as_object_mut().expect("a Job has a spec");
    // The API server generates the selectors of a CronJob's Jobs.
    for field in ["manualSelector", "selector", "managedBy"] {
        spec.remove(field);
    }
    let mut spec = json!({
        "schedule": dice.pick(&SCHEDULES),
        "concurrencyPolicy": dice.pick(&POLICIES),
        "successfulJobsHistoryLimit": limit(dice),
        "failedJobsHistoryLimit": limit(dice),
        "jobTemplate": {"spec": spec},
    });
    if dice.one_in(3) {
        spec["startingDeadlineSeconds"] = deadline(dice);
    }
    if dice.one_in(4) {
        spec["timeZone"] = dice.pick(&ZONES).0.into();
    }
    if dice.one_in(8) {
        spec["suspend"] = true.into();
    }
    let cron_job = json!({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name}, "spec": spec});
    Request::create(Kind::CronJob, NAMESPACE, cron_job.to_string())
}

/// The request that creates a Job of this name, perhaps with a TTL.
pub(crate) fn job_creation(dice: &mut Rng, name: &str) -> Request {
    let mut request = jobs::creation(dice, name);
    if dice.one_in(2) {
        let mut job: Value = serde_json::from_str(&request.body).expect("a Job is JSON");
        job["spec"]["ttlSecondsAfterFinished"] = ttl(dice);
        request.body = job.to_string();
    }
    request
}

/// Draws something that can be done to a CronJob or its Jobs, if there are any.
pub(crate) fn intervention(dice: &mut Rng, server: &ApiServer, now: Timestamp) -> Option<Intervention> {
    let name = *dice.pick(&CRON_JOBS);
    let Some(cron_job) = server.object(Kind::CronJob, NAMESPACE, name).and_then(|stored| stored.cron_job()) else {
        return Some(Intervention::Request(creation(dice, name)));
    };
    let spec = match dice.below(20) {
        0..4 => json!({"suspend": !cron_job.suspended()}),
        4..6 => json!({"schedule": dice.pick(&SCHEDULES)}),
        6..8 => json!({"concurrencyPolicy": dice.pick(&POLICIES)}),
        8 => json!({"startingDeadlineSeconds": deadline(dice)}),
        9 => json!({"successfulJobsHistoryLimit": limit(dice), "failedJobsHistoryLimit": limit(dice)}),
        10 => json!({"timeZone": dice.pick(&ZONES).0}),
        11 => {
            // Jobs that are there keep the labels that they have.
            let labels = json!({"labels": {"touched": dice.below(9).to_string()}});
            return Some(patch(Kind::CronJob, name, &json!({"metadata": labels, "spec": {"jobTemplate": {"metadata": labels}}})));
        }
        12 => {
            let options = json!({"propagationPolicy": dice.pick(&["Background", "Foreground", "Orphan"])});
            return Some(Intervention::Request(Request::delete(Kind::CronJob, NAMESPACE, name, options.to_string())));
        }
        13 | 14 => return Some(start_by_hand(dice, name, &cron_job.metadata.uid)),
        15 => {
            // A person takes the name of the next run's Job.
            let next = format!("{name}-{}", now.as_second().div_euclid(60) + 1);
            return Some(Intervention::Request(job_creation(dice, &next)));
        }
        _ => return change_ttl(dice, server),
    };
    Some(patch(Kind::CronJob, name, &json!({"spec": spec})))
}

/// The request that suspends a CronJob.
pub(crate) fn suspension(name: &str) -> Intervention {
    patch(Kind::CronJob, name, &json!({"spec": {"suspend": true}}))
}

/// A person starts a Job of a CronJob, as `kubectl create job --from` does.
fn start_by_hand(dice: &mut Rng, name: &str, uid: &Text) -> Intervention {
    let request = job_creation(dice, &format!("{name}-by-hand-{}", dice.clone().below(1000)));
    let mut job: Value = serde_json::from_str(&request.body).expect("a Job is JSON");
    job["metadata"]["annotations"] = json!({"cronjob.kubernetes.io/instantiate": "manual"});
    job["metadata"]["ownerReferences"] =
        json!([{"apiVersion": "batch/v1", "kind": "CronJob", "name": name, "uid": uid, "controller": true}]);
    Intervention::Request(Request { body: job.to_string(), ..request })
}

fn change_ttl(dice: &mut Rng, server: &ApiServer) -> Option<Intervention> {
    let names: Vec<&Text> = server.objects(Kind::Job).map(|job| &job.metadata().name).collect();
    if names.is_empty() {
        return None;
    }
    let name = (*dice.pick(&names)).clone();
    let ttl = if dice.one_in(4) { Value::Null } else { ttl(dice) };
    Some(patch(Kind::Job, &name, &json!({"spec": {"ttlSecondsAfterFinished": ttl}})))
}

fn ttl(dice: &mut Rng) -> Value {
    (*dice.pick(&[0, 0, 1, 5, 20, 100, 4000])).into()
}

fn limit(dice: &mut Rng) -> Value {
    dice.pick(&[json!(0), json!(1), json!(1), json!(2), json!(null)]).clone()
}

fn deadline(dice: &mut Rng) -> Value {
    dice.pick(&[json!(null), json!(0), json!(5), json!(30), json!(200)]).clone()
}

fn patch(kind: Kind, name: &str, patch: &Value) -> Intervention {
    let content_type = ContentType::MergePatch;
    Intervention::Request(Request { method: Method::Patch, path: path(kind, NAMESPACE, name, ""), content_type, body: patch.to_string() })
}

#[cfg(test)]
mod tests {
    use cluster::Dependence;
    use cluster::naming::Names;

    use super::*;
    use crate::timetable::RunPattern;

    #[test]
    fn cron_jobs_are_admitted_and_their_schedules_are_read() {
        let now = "2026-01-02T12:00:00Z".parse().unwrap();
        for seed in 0..500 {
            let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
            let request = creation(&mut Rng::new(seed), "x");
            let refused = server.execute(&request, now).err();
            assert!(refused.is_none(), "{}: {refused:?}", request.body);
            let stored = server.object(Kind::CronJob, NAMESPACE, "x").unwrap();
            assert!(RunPattern::of(stored.cron_job().unwrap()).is_some(), "{}", request.body);
        }
    }
}

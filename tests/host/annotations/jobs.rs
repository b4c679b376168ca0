//! Rules on pods that do not start and on pods that fail: their words are those of the kubelet, and the API server has the last word on what a pod gets.
//!
//! Docs: README, "Beyond Kubernetes"; Limit Ranges.

use std::collections::BTreeSet;

use api::request::{ContentType, Method, Request};
use api::{Kind, Timestamp, time};
use serde_json::{Value, json};

use super::{ALONE, MINUTE, Stage, before, name, stop, template};
use crate::program::wait_until;

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_job_fails_when_its_image_has_not_been_pulled_for_ten_minutes() {
    let stage = Stage::new();
    let (folder, controller) = stage.start_controller(&ALONE);
    for job in ["late", "early"] {
        let rules = json!({"jobsmith.dev/on-pending": "image 10m: fail the Job"});
        stage.create(Kind::Job, job, &rules, &json!({"template": template(&json!({}))}));
    }
    let waiting = json!({"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image \"worker\""}});
    let pods = ["late", "early"].map(|job| stage.active_pod(job));
    pods.iter().for_each(|pod| stage.bind(pod));
    // By the kubelet's clock, one pod was scheduled a minute ago, and the other one will have been for ten minutes in two seconds.
    let now = time::whole_seconds(Timestamp::now());
    stage.report(&pods[1], "Pending", before(now, MINUTE), &waiting);
    stage.report(&pods[0], "Pending", before(now, 10 * MINUTE - 2), &waiting);
    stage.let_go(&pods[0]);
    let waited = stage.run("wait job/late --timeout 1m", 1).stdout;

    let [late, early] = pods.each_ref().map(name);
    let waited_for = "has waited 10m for an image (ImagePullBackOff";
    let message =
        format!("Pod default/{late} {waited_for}: Back-off pulling image \"worker\"), matching line 1 of jobsmith.dev/on-pending");
    assert_eq!(waited, format!("job late is Failed: PodPendingDeadline: {message}\n"));
    let status = &stage.read(Kind::Job, "late")["status"];
    assert_eq!((&status["failed"], &status["active"]), (&json!(1), &Value::Null));
    for (condition, kind) in ["FailureTarget", "Failed"].iter().enumerate() {
        let condition = &status["conditions"][condition];
        let expected = json!([kind, "PodPendingDeadline", message]);
        assert_eq!(json!([condition["type"], condition["reason"], condition["message"]]), expected);
        let at = condition["lastTransitionTime"].as_str().expect("it has a time");
        assert!(*at >= *time::text(before(now, -2)), "not before the ten minutes are over: {at}");
    }
    assert_eq!(stage.event("late", "PodPendingDeadline"), message);

    let fails = |pod: &str| {
        format!("The Job fails: pod {pod} {waited_for}), which matches line 1 of the annotation jobsmith.dev/on-pending (fail the Job)")
    };
    let explained = stage.run("explain job/late", 0).stdout;
    assert!(explained.starts_with("Job late has been Failed since ") && explained.contains(&format!(": {message} (")), "{explained}");
    let explained = stage.run("explain job/early", 0).stdout;
    let stuck = format!("Job early is stuck: pod {early} cannot pull the image of container main (ImagePullBackOff since ");
    assert!(explained.starts_with(&stuck) && explained.contains(": the deadline of a pod that has not started passes\n"), "{explained}");
    assert!(explained.contains(&format!("it then decides:\n  ● {}\n", fails(early))), "{explained}");
    assert_eq!(stage.read(Kind::Job, "early")["status"]["conditions"], Value::Null);

    let log = stop(controller);
    assert!(log.contains(&fails(late)) && !log.contains(&fails(early)), "{log}");
    let replayed = folder.run(&["replay", "tape.jsonl", "--why"]).with_status(0);
    assert!(
        replayed.stdout.contains(&fails(late)) && replayed.stderr.ends_with(": all as recorded\n"),
        "{}{}",
        replayed.stdout,
        replayed.stderr
    );
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_pod_that_ran_out_of_memory_gets_more_unless_the_api_server_refuses_that() {
    let stage = Stage::new();
    let (_folder, controller) = stage.start_controller(&ALONE);
    let rules = json!({"jobsmith.dev/on-failure": "reason OOMKilled: retry, memory x2 up to 16Gi"});
    let resources = json!({"limits": {"memory": "64Mi"}});
    stage.create(Kind::Job, "hungry", &rules, &json!({"template": template(&resources)}));
    // The attempt, what matched before, and the memory.
    let carries = |pod: &Value| {
        let annotation = |key: &str| pod["metadata"]["annotations"][format!("jobsmith.dev/{key}")].clone();
        let matches = annotation("rule-matches").as_str().map(|matches| matches.split_once('/').expect("a rule is named").1.to_owned());
        json!([annotation("attempt"), matches, pod["spec"]["containers"][0]["resources"]["limits"]["memory"]])
    };
    let first = stage.active_pod("hungry");
    assert_eq!(carries(&first), json!(["1", null, "64Mi"]));
    stage.end(&first, 137, "OOMKilled");
    let second = stage.active_pod("hungry");
    assert_eq!(carries(&second), json!(["2", "main=1", "128Mi"]));

    let range = json!({"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "most"},
        "spec": {"limits": [{"type": "Container", "max": {"memory": "200Mi"}}]}});
    let ranges = "/api/v1/namespaces/default/limitranges";
    let request = |method, path: &str, body: String| Request { method, path: path.to_owned(), content_type: ContentType::Json, body };
    stage.eyes.ask(&request(Method::Post, ranges, range.to_string()));
    stage.end(&second, 137, "OOMKilled");
    wait_until(|| stage.events("hungry", "FailedCreate").len() > 1, || "the API server refuses the pod twice".to_owned());
    let refusal = " is forbidden: maximum memory usage per Container is 200Mi, but limit is 256Mi";
    for (_, refused) in stage.events("hungry", "FailedCreate") {
        assert!(refused.starts_with("Error creating: pods \"hungry-") && refused.ends_with(refusal), "{refused}");
    }
    let explained = stage.run("explain job/hungry", 0).stdout;
    assert!(explained.starts_with("Job hungry is stuck: the API server has refused to create its pods since "), "{explained}");
    assert!(explained.lines().next().is_some_and(|headline| headline.ends_with(refusal)), "{explained}");
    let status = &stage.read(Kind::Job, "hungry")["status"];
    assert_eq!((&status["failed"], &status["active"], &status["conditions"]), (&json!(2), &Value::Null, &Value::Null), "{status}");

    stage.eyes.ask(&request(Method::Delete, &format!("{ranges}/most"), String::new()));
    let third = stage.active_pod("hungry");
    assert_eq!(carries(&third), json!(["3", "main=2", "256Mi"]));
    stage.end(&third, 0, "Completed");
    stage.run("wait job/hungry --timeout 1m", 0);
    let status = &stage.read(Kind::Job, "hungry")["status"];
    assert_eq!((&status["failed"], &status["succeeded"]), (&json!(2), &json!(1)), "{status}");
    // What was refused did not grow.
    let more = |pod: &Value, to: &str| (1, format!("Container main of pod {} has {to} of memory instead of 64Mi", name(pod)));
    let grown = stage.events("hungry", "MemoryIncreased");
    assert_eq!(BTreeSet::from_iter(grown), BTreeSet::from([more(&second, "128Mi"), more(&third, "256Mi")]));
    stop(controller);
}

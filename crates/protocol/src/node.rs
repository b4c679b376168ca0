//! What a node does to a pod in a session: starts it, ends it, stops it.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states". Nodes with a mind of their own are the kubelet's business.

use std::sync::Arc;

use api::meta::names;
use api::{Kind, Timestamp, time};
use cluster::apiserver::{ApiServer, PodParts, Propagation};
use cluster::stored::Stored;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::operation::{NodeAction, Operation, Select};

/// The exit code of a container that was killed.
const KILLED: i32 = 137;

/// Carries out the operation on the selected pod.
pub(super) fn act(server: &mut ApiServer, operation: &Operation<'_>, now: Timestamp) -> Result<(), String> {
    let Some(stored) = pick(server, operation.select.as_ref().unwrap_or(&Select::default())) else {
        return Err("no such pod".to_owned());
    };
    let pod = stored.pod().expect("only pods are picked");
    let ended = pod.ended();
    let action = operation.action.expect("an operation on a pod is read only with its action");
    if ended && !matches!(action, NodeAction::Delete | NodeAction::Gone) {
        return Err("the pod has ended".to_owned());
    }
    let container = first_container(pod.spec.unassigned());
    let seconds = Value::from(time::whole_seconds(now).to_string());
    let change: &dyn Fn(&mut PodParts) = match action {
        NodeAction::Start => &|parts| start(parts, &container, &seconds),
        NodeAction::Ready => &|parts| ready(parts, &container, &seconds),
        NodeAction::Restart => &|parts| restart(parts, &container),
        NodeAction::Succeed => &|parts| stop(parts, &container, "Succeeded", 0, &seconds),
        NodeAction::Fail => &|parts| {
            stop(parts, &container, "Failed", operation.exit_code(), &seconds);
            list(&mut parts.status, "conditions").extend_from_slice(operation.conditions());
        },
        NodeAction::Delete => {
            server.begin_deletion(&stored, Some(Propagation::Background), None, now);
            return Ok(());
        }
        NodeAction::Gone if !stored.metadata().deleting() => return Err("the pod is not being deleted".to_owned()),
        NodeAction::Gone => &|parts| {
            if !ended {
                stop(parts, &container, "Failed", KILLED, &seconds);
            }
            parts.metadata.deletion_grace_period_seconds = Some(0);
        },
    };
    let metadata = stored.metadata();
    server.update_pod(&metadata.namespace, &metadata.name, now, change);
    Ok(())
}

/// The pod that is selected: of those that match, the `nth` in order of creation, then name.
fn pick(server: &ApiServer, select: &Select<'_>) -> Option<Arc<Stored>> {
    let job = select.job.as_deref().unwrap_or_default();
    let phase = select.phase.as_deref().unwrap_or_default();
    let index = select.index.map(|index| index.to_string());
    let matches = |stored: &&Arc<Stored>| {
        let metadata = stored.metadata();
        (job.is_empty() || metadata.controller().is_some_and(|owner| &*owner.name == job))
            && (index.is_none() || metadata.annotations.get(names::COMPLETION_INDEX).map(|held| &**held) == index.as_deref())
            && (phase.is_empty() || stored.pod().is_some_and(|pod| &**pod.status.phase() == phase))
            && select.deleting.is_none_or(|deleting| deleting == metadata.deleting())
    };
    let nth = usize::try_from(select.nth.unwrap_or(0)).ok()?;
    let mut pods: Vec<&Arc<Stored>> = server.objects(Kind::Pod).filter(matches).collect();
    pods.sort_by(|a, b| {
        let (a, b) = (a.metadata(), b.metadata());
        a.creation_timestamp.cmp(&b.creation_timestamp).then_with(|| a.name.cmp(&b.name))
    });
    pods.get(nth).map(|pod| Arc::clone(pod))
}

/// The name of the container whose status the protocol changes.
fn first_container(spec: &str) -> String {
    #[derive(Deserialize)]
    struct Spec {
        #[serde(default)]
        containers: Vec<ContainerName>,
    }
    #[derive(Deserialize)]
    struct ContainerName {
        name: String,
    }
    let spec: Option<Spec> = serde_json::from_str(spec).ok();
    spec.and_then(|spec| spec.containers.into_iter().next()).map_or_else(|| "main".to_owned(), |container| container.name)
}

fn start(parts: &mut PodParts, container: &str, now: &Value) {
    parts.node_name = "node".into();
    parts.status.insert("phase".to_owned(), "Running".into());
    parts.status.insert("startTime".to_owned(), now.clone());
    status_of(parts, container).insert("state".to_owned(), json!({"running": {"startedAt": now}}));
}

fn ready(parts: &mut PodParts, container: &str, now: &Value) {
    status_of(parts, container).insert("ready".to_owned(), true.into());
    set_ready(parts, "True", now);
}

fn restart(parts: &mut PodParts, container: &str) {
    let status = status_of(parts, container);
    let restarts = status.get("restartCount").and_then(Value::as_i64).unwrap_or(0);
    status.insert("restartCount".to_owned(), (restarts + 1).into());
}

fn stop(parts: &mut PodParts, container: &str, phase: &str, exit_code: i32, now: &Value) {
    parts.status.insert("phase".to_owned(), phase.into());
    let status = status_of(parts, container);
    status.insert("state".to_owned(), json!({"terminated": {"exitCode": exit_code, "finishedAt": now}}));
    status.insert("ready".to_owned(), false.into());
    set_ready(parts, "False", now);
}

/// Sets the condition Ready; one that is not there is added only if it is true.
fn set_ready(parts: &mut PodParts, status: &str, now: &Value) {
    let conditions = list(&mut parts.status, "conditions");
    match conditions.iter_mut().find(|condition| condition["type"] == "Ready") {
        Some(ready) if ready["status"] != status => {
            ready["status"] = status.into();
            ready["lastTransitionTime"] = now.clone();
        }
        None if status == "True" => conditions.push(json!({"type": "Ready", "status": status, "lastTransitionTime": now})),
        Some(_) | None => {}
    }
}

/// The status of the first container; it is made if there is none.
fn status_of<'a>(parts: &'a mut PodParts, container: &str) -> &'a mut Map<String, Value> {
    let statuses = list(&mut parts.status, "containerStatuses");
    if statuses.is_empty() {
        statuses.push(json!({"name": container, "ready": false, "restartCount": 0}));
    }
    object(&mut statuses[0])
}

fn list<'a>(fields: &'a mut Map<String, Value>, name: &str) -> &'a mut Vec<Value> {
    let held = fields.entry(name).or_insert(Value::Null);
    if !held.is_array() {
        *held = Value::Array(Vec::new());
    }
    held.as_array_mut().expect("what is no list was replaced by one")
}

fn object(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("what is no object was replaced by one")
}

#[cfg(test)]
mod tests {
    use cluster::Dependence;
    use cluster::testing::{noon, send_line, server};
    use expect_test::{Expect, expect};

    use super::*;

    fn check(operations: &[&str], expected: Expect) {
        let mut server = server(Dependence::OnController);
        let pod = r#"POST pods {"metadata":{"name":"a","finalizers":["x.y/z"]},"spec":{"containers":[{"name":"c"}]}}"#;
        send_line(&mut server, pod, 0);
        let act = |doing: &&str| act(&mut server, &Operation::read(&doing.replacen('{', r#"{"op":"pod","#, 1)).unwrap(), noon());
        let mut lines: Vec<String> = operations.iter().map(act).filter_map(Result::err).collect();
        let pod = server.object(Kind::Pod, "default", "a").unwrap().pod().unwrap();
        lines.push(format!("{} {}", pod.spec.node_name(), pod.status.json()));
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_pod_starts_is_ready_and_ends() {
        check(
            &[r#"{"do":"start"}"#, r#"{"do":"ready"}"#, r#"{"do":"restart"}"#],
            expect![[
                r#"node {"conditions":[{"lastTransitionTime":"2026-01-02T12:00:00Z","status":"True","type":"Ready"}],"containerStatuses":[{"name":"c","ready":true,"restartCount":1,"state":{"running":{"startedAt":"2026-01-02T12:00:00Z"}}}],"phase":"Running","startTime":"2026-01-02T12:00:00Z"}"#
            ]],
        );
        check(
            &[r#"{"do":"start"}"#, r#"{"do":"ready"}"#, r#"{"do":"succeed"}"#, r#"{"do":"restart"}"#],
            expect![[r#"
            the pod has ended
            node {"conditions":[{"lastTransitionTime":"2026-01-02T12:00:00Z","status":"False","type":"Ready"}],"containerStatuses":[{"name":"c","ready":false,"restartCount":0,"state":{"terminated":{"exitCode":0,"finishedAt":"2026-01-02T12:00:00Z"}}}],"phase":"Succeeded","startTime":"2026-01-02T12:00:00Z"}"#]],
        );
        check(
            &[r#"{"do":"fail","exitCode":3,"conditions":[{"type":"DisruptionTarget","status":"True"}]}"#],
            expect![[
                r#" {"conditions":[{"status":"True","type":"DisruptionTarget"}],"containerStatuses":[{"name":"c","ready":false,"restartCount":0,"state":{"terminated":{"exitCode":3,"finishedAt":"2026-01-02T12:00:00Z"}}}],"phase":"Failed"}"#
            ]],
        );
    }

    #[test]
    fn a_pod_is_gone_once_it_is_being_deleted() {
        check(
            &[r#"{"do":"gone"}"#, r#"{"do":"start"}"#, r#"{"do":"delete"}"#, r#"{"do":"gone"}"#],
            expect![[r#"
            the pod is not being deleted
            node {"conditions":[],"containerStatuses":[{"name":"c","ready":false,"restartCount":0,"state":{"terminated":{"exitCode":137,"finishedAt":"2026-01-02T12:00:00Z"}}}],"phase":"Failed","startTime":"2026-01-02T12:00:00Z"}"#]],
        );
    }

    #[test]
    fn pods_are_selected() {
        let mut server = server(Dependence::OnController);
        for (name, index) in [("b", 0), ("a", 1), ("c", 0)] {
            let metadata = format!(
                r#"{{"name":"{name}","annotations":{{"batch.kubernetes.io/job-completion-index":"{index}"}},"ownerReferences":[{{"apiVersion":"batch/v1","kind":"Job","name":"pi{index}","uid":"u","controller":true}}]}}"#
            );
            send_line(&mut server, &format!(r#"POST pods {{"metadata":{metadata}}}"#), 0);
        }
        let pick = |select: &str| pick(&server, &serde_json::from_str(select).unwrap()).map(|pod| pod.metadata().name.to_string());
        assert_eq!(pick("{}").unwrap(), "a");
        assert_eq!(pick(r#"{"nth":2}"#).unwrap(), "c");
        assert_eq!(pick(r#"{"nth":3}"#), None);
        assert_eq!(pick(r#"{"nth":-1}"#), None);
        assert_eq!(pick(r#"{"job":"pi0","nth":1}"#).unwrap(), "c");
        assert_eq!(pick(r#"{"index":1,"phase":"Pending","deleting":false}"#).unwrap(), "a");
        assert_eq!(pick(r#"{"phase":"Running"}"#), None);
    }
}

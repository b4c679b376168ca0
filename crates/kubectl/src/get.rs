//! `kubectl get cronjobs,jobs,pods`: a table of each kind, and the objects as a List.
//!
//! Docs: kubectl get. The cells are made in `cron_job_row.rs`, `job_row.rs` and `pod_row.rs`.

use api::Timestamp;
use serde_json::{Value, json};

use crate::columns;
use crate::value::text;
use crate::{cron_job_row, job_row, pod_row};

/// Which columns a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// Those that `kubectl get` shows.
    Short,
    /// Those that `kubectl get -o wide` shows.
    Wide,
}

/// What `kubectl get jobs,pods` prints of these objects at this time.
#[must_use]
pub fn get(jobs: &[Value], pods: &[Value], columns: Columns, now: Timestamp) -> String {
    get_with_cron_jobs(&[], jobs, pods, columns, now)
}

/// What `kubectl get cronjobs,jobs,pods` prints of these objects at this time: a table for each kind that there are objects of, each sorted by
/// name. Where there are objects of more than one namespace, it is what `kubectl get cronjobs,jobs,pods -A` prints.
#[must_use]
pub fn get_with_cron_jobs(cron_jobs: &[Value], jobs: &[Value], pods: &[Value], columns: Columns, now: Timestamp) -> String {
    let namespace = |object: &Value| text(&object["metadata"]["namespace"]).to_owned();
    let mut namespaces = cron_jobs.iter().chain(jobs).chain(pods).map(namespace);
    let first = namespaces.next();
    let several = namespaces.any(|other| Some(other) != first);
    let tables = [
        table("cronjob.batch", &columns.of(&cron_job_row::COLUMNS, 6), cron_jobs, several, |cron_job| {
            cron_job_row::cells(cron_job, now).to_vec()
        }),
        table("job.batch", &columns.of(&job_row::COLUMNS, 4), jobs, several, |job| job_row::cells(job, now).to_vec()),
        table("pod", &columns.of(&pod_row::COLUMNS, 4), pods, several, |pod| pod_row::cells(pod, now).to_vec()),
    ];
    tables.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

impl Columns {
    /// The names of the columns to show: the first `short`, or all of them in a wide table.
    fn of<'a>(self, names: &'a [&str], short: usize) -> Vec<&'a str> {
        names[..if self == Self::Wide { names.len() } else { short }].to_vec()
    }
}

/// A table with the objects of one kind; none if there are none.
fn table(kind: &str, names: &[&str], objects: &[Value], several: bool, cells: impl Fn(&Value) -> Vec<String>) -> Option<String> {
    if objects.is_empty() {
        return None;
    }
    let row = |namespace: &str, name: String, cells: Vec<String>| {
        let namespace = several.then(|| namespace.to_owned());
        namespace.into_iter().chain([name]).chain(cells.into_iter().take(names.len())).collect::<Vec<_>>().join("\t") + "\n"
    };
    let mut objects: Vec<(&str, &str, &Value)> =
        objects.iter().map(|object| (text(&object["metadata"]["namespace"]), text(&object["metadata"]["name"]), object)).collect();
    objects.sort_by_key(|(namespace, name, _)| (*namespace, *name));
    let head = row("NAMESPACE", "NAME".to_owned(), names.iter().map(|name| (*name).to_owned()).collect());
    let rows = objects.into_iter().map(|(namespace, name, object)| row(namespace, format!("{kind}/{name}"), cells(object)));
    Some(columns::align(&(head + &rows.collect::<String>()), 3))
}

/// The objects as `kubectl get -o yaml` and `-o json` list them.
#[must_use]
pub fn list(objects: Vec<Value>) -> Value {
    json!({"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": objects})
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(jobs: &[Value], pods: &[Value], columns: Columns, expected: Expect) {
        expected.assert_eq(&get(jobs, pods, columns, api::time::parse("2026-01-01T00:10:00Z").unwrap()));
    }

    fn job(namespace: &str, name: &str, status: &Value) -> Value {
        json!({"metadata": {"name": name, "namespace": namespace, "creationTimestamp": "2026-01-01T00:00:00Z"},
               "spec": {"completions": 2, "selector": {"matchLabels": {"a": "b"}},
                        "template": {"spec": {"containers": [{"name": "c", "image": "perl"}, {"name": "d", "image": "log"}]}}},
               "status": status})
    }

    fn pod(name: &str, containers: &Value) -> Value {
        json!({"metadata": {"name": name, "namespace": "default", "creationTimestamp": "2026-01-01T00:09:50Z"},
               "spec": {"nodeName": "n1", "containers": [{}]},
               "status": {"phase": "Running", "podIPs": [{"ip": "10.0.0.1"}], "containerStatuses": containers}})
    }

    #[test]
    fn jobs_and_pods_have_a_table_each() {
        let jobs = [
            job(
                "default",
                "pi",
                &json!({"startTime": "2026-01-01T00:00:00Z", "succeeded": 1, "conditions": [{"type": "Failed", "status": "True"}]}),
            ),
            job("default", "a", &json!({"conditions": [{"type": "Suspended", "status": "True"}]})),
        ];
        let pods = [
            pod(
                "pi-1",
                &json!([{"restartCount": 2, "state": {"waiting": {"reason": "CrashLoopBackOff"}},
                                 "lastState": {"terminated": {"finishedAt": "2026-01-01T00:09:55Z"}}}]),
            ),
            pod("pi-0", &json!([{"ready": true, "state": {"running": {}}}])),
        ];
        check(
            &jobs,
            &pods,
            Columns::Short,
            expect![[r#"
            NAME           STATUS      COMPLETIONS   DURATION   AGE
            job.batch/a    Suspended   0/2                      10m
            job.batch/pi   Failed      1/2           10m        10m

            NAME       READY   STATUS             RESTARTS     AGE
            pod/pi-0   1/1     Running            0            10s
            pod/pi-1   0/1     CrashLoopBackOff   2 (5s ago)   10s
        "#]],
        );
        check(
            &jobs,
            &pods,
            Columns::Wide,
            expect![[r#"
            NAME           STATUS      COMPLETIONS   DURATION   AGE   CONTAINERS   IMAGES     SELECTOR
            job.batch/a    Suspended   0/2                      10m   c,d          perl,log   a=b
            job.batch/pi   Failed      1/2           10m        10m   c,d          perl,log   a=b

            NAME       READY   STATUS             RESTARTS     AGE   IP         NODE   NOMINATED NODE   READINESS GATES
            pod/pi-0   1/1     Running            0            10s   10.0.0.1   n1     <none>           <none>
            pod/pi-1   0/1     CrashLoopBackOff   2 (5s ago)   10s   10.0.0.1   n1     <none>           <none>
        "#]],
        );
    }

    #[test]
    fn cron_jobs_have_a_table_with_columns_of_their_own() {
        let cron_job = |name: &str, spec: Value, status: Value| {
            let mut spec = spec;
            spec["jobTemplate"] = json!({"spec": {"template": {"spec": {"containers": [{"name": "c", "image": "perl"}]}}}});
            json!({"metadata": {"name": name, "namespace": "default", "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": spec, "status": status})
        };
        let cron_jobs = [
            cron_job(
                "hello",
                json!({"schedule": "* * * * *", "suspend": false}),
                json!({"active": [{}, {}], "lastScheduleTime": "2026-01-01T00:09:00Z"}),
            ),
            cron_job("a", json!({"schedule": "@daily", "timeZone": "Europe/Paris", "suspend": true}), json!({})),
        ];
        let table = |columns| get_with_cron_jobs(&cron_jobs, &[], &[], columns, api::time::parse("2026-01-01T00:10:00Z").unwrap());
        expect![[r#"
            NAME                  SCHEDULE    TIMEZONE       SUSPEND   ACTIVE   LAST SCHEDULE   AGE
            cronjob.batch/a       @daily      Europe/Paris   True      0        <none>          10m
            cronjob.batch/hello   * * * * *   <none>         False     2        60s             10m
        "#]]
        .assert_eq(&table(Columns::Short));
        expect![[r#"
            NAME                  SCHEDULE    TIMEZONE       SUSPEND   ACTIVE   LAST SCHEDULE   AGE   CONTAINERS   IMAGES   SELECTOR
            cronjob.batch/a       @daily      Europe/Paris   True      0        <none>          10m   c            perl     <none>
            cronjob.batch/hello   * * * * *   <none>         False     2        60s             10m   c            perl     <none>
        "#]]
        .assert_eq(&table(Columns::Wide));
    }

    #[test]
    fn several_namespaces_have_a_column() {
        check(
            &[job("b", "pi", &Value::Null), job("a", "rho", &Value::Null)],
            &[],
            Columns::Short,
            expect![[r#"
            NAMESPACE   NAME            STATUS    COMPLETIONS   DURATION   AGE
            a           job.batch/rho   Running   0/2                      10m
            b           job.batch/pi    Running   0/2                      10m
        "#]],
        );
    }
}

//! What of a pod template local processes cannot honour: all of it at once, before anything starts.
//!
//! Docs: Jobs, "Pod Template"; Pods, "Pod templates". How each field is treated is in `fields.rs`; whether Kubernetes would accept the
//! template at all is decided by `admission::validation`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::environment::is_field;
use super::fields::{CONTAINER, Concern, FieldTable, POD_SPEC, RESTART_RULE, SOURCE, Treatment, Unsupported, VARIABLE};

/// What was found in a pod template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Examined {
    /// What cannot be honoured and changes the result; if there is anything, nothing may start.
    pub refusals: Vec<UnsupportedField>,
    /// What does not apply here, one entry for each kind of thing.
    pub warnings: Vec<Warning>,
}

/// A field that cannot be honoured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsupportedField {
    /// Where it is in the object: `spec.template.spec.containers[0].volumeMounts`.
    pub path: String,
    /// Why it cannot be honoured.
    pub reason: String,
    /// What to do instead.
    pub remedy: String,
}

/// Something that does not apply to local processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The fields that want it.
    pub paths: Vec<String>,
    /// What does not apply, in a sentence.
    pub what: &'static str,
}

/// Examines a pod template, which is in a Job or a CronJob at this path; whether working directories exist is looked up on this machine.
#[must_use]
pub fn examine(pod_template: &Value, path: &str) -> Examined {
    let mut examination = Examination::default();
    examination.pod_spec(&pod_template["spec"], &format!("{path}.spec"));
    let warnings = examination.concerns.into_iter().map(|(concern, paths)| Warning { paths, what: concern.sentence() }).collect();
    Examined { refusals: examination.refusals, warnings }
}

#[derive(Default)]
struct Examination {
    refusals: Vec<UnsupportedField>,
    concerns: BTreeMap<Concern, Vec<String>>,
}

impl Examination {
    fn pod_spec(&mut self, spec: &Value, path: &str) {
        for (field, value, path) in self.settle(POD_SPEC, spec, path) {
            match field {
                "containers" | "initContainers" => {
                    for (container, path) in items(value, &path) {
                        self.container(container, &path);
                    }
                }
                "volumes" => {
                    for (volume, path) in items(value, &path) {
                        // An empty directory that is not mounted is as good as none, and mounts are refused where they are.
                        if !fields(volume).all(|field| field == "name" || field == "emptyDir") {
                            self.refuse(path, Unsupported::Mount);
                        }
                    }
                }
                "os" if value["name"] == std::env::consts::OS => {}
                "os" => self.refuse_because(path, "this machine runs another operating system", "remove it"),
                _ => unreachable!("{path} is not examined"),
            }
        }
    }

    fn container(&mut self, container: &Value, path: &str) {
        if absent(&container["command"]) {
            let reason = "this container has no command, and its image, which would define one, is not pulled";
            let remedy = if absent(&container["args"]) {
                "write what to run, as in `command: [\"sh\", \"-c\", \"echo hello\"]`"
            } else {
                "write the program to run as `command`; if `args` begins with it, rename args to command"
            };
            self.refuse_because(format!("{path}.command"), reason, remedy);
        }
        for (field, value, path) in self.settle(CONTAINER, container, path) {
            match field {
                "env" => {
                    for (variable, path) in items(value, &path) {
                        self.variable(variable, &path);
                    }
                }
                "restartPolicyRules" => {
                    for (rule, path) in items(value, &path) {
                        self.restart_rule(rule, &path);
                    }
                }
                "workingDir" => self.working_dir(value, path),
                _ => unreachable!("{path} is not examined"),
            }
        }
    }

    fn restart_rule(&mut self, rule: &Value, path: &str) {
        for (_, action, path) in self.settle(RESTART_RULE, rule, path) {
            if action == "RestartAllContainers" {
                self.refuse(path, Unsupported::RestartAll);
            }
        }
    }

    fn variable(&mut self, variable: &Value, path: &str) {
        for (_, source, path) in self.settle(VARIABLE, variable, path) {
            for (_, reference, path) in self.settle(SOURCE, source, &path) {
                if !reference["fieldPath"].as_str().is_some_and(is_field) {
                    let remedy = "use metadata.name, .namespace, .uid, .labels['…'] or .annotations['…'], spec.nodeName or .serviceAccountName, status.podIP or .hostIP";
                    self.refuse_because(format!("{path}.fieldPath"), "a variable cannot refer to this field of the pod", remedy);
                }
            }
        }
    }

    fn working_dir(&mut self, value: &Value, path: String) {
        let directory = Path::new(value.as_str().unwrap_or_default());
        if !directory.is_absolute() {
            self.refuse_because(path, "it is not an absolute path", "write it from the root: /…");
        } else if !directory.is_dir() {
            self.refuse_because(path, "this machine has no such directory", "create the directory, or remove the field");
        }
    }

    /// Deals with the fields of an object that are there, except with those that depend on their values: these are handed back, with
    /// their paths.
    fn settle<'a>(&mut self, table: &FieldTable, object: &'a Value, path: &str) -> Vec<(&'static str, &'a Value, String)> {
        let mut open = Vec::new();
        for (field, treatment) in table {
            let value = &object[field];
            if absent(value) {
                continue;
            }
            let path = format!("{path}.{field}");
            match *treatment {
                Treatment::Honoured | Treatment::Harmless => {}
                Treatment::Warned(concern) => self.concerns.entry(concern).or_default().push(path),
                Treatment::WarnedUnless(default, _) if value == default => {}
                Treatment::WarnedUnless(_, concern) => self.concerns.entry(concern).or_default().push(path),
                Treatment::Refused(obstacle) => self.refuse(path, obstacle),
                Treatment::Examined => open.push((*field, value, path)),
            }
        }
        for field in fields(object).filter(|field| table.iter().all(|(known, _)| known != field)) {
            self.refuse(format!("{path}.{field}"), Unsupported::Unknown);
        }
        open
    }

    fn refuse(&mut self, path: String, obstacle: Unsupported) {
        let (reason, remedy) = obstacle.explained();
        self.refuse_because(path, reason, remedy);
    }

    fn refuse_because(&mut self, path: String, reason: &str, remedy: &str) {
        self.refusals.push(UnsupportedField { path, reason: reason.to_owned(), remedy: remedy.to_owned() });
    }
}

/// The names of the fields of an object that have values.
fn fields(object: &Value) -> impl Iterator<Item = &str> {
    object.as_object().into_iter().flatten().filter(|(_, value)| !absent(value)).map(|(field, _)| field.as_str())
}

/// The items of a list, each with its path.
fn items<'a>(list: &'a Value, path: &str) -> impl Iterator<Item = (&'a Value, String)> {
    list.as_array().into_iter().flatten().enumerate().map(move |(index, item)| (item, format!("{path}[{index}]")))
}

/// Whether a value is as good as no value, as all of the zero values in a pod template are.
fn absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(spec: Value, expected: Expect) {
        use std::fmt::Write as _;
        let Examined { refusals, warnings } = examine(&json!({ "spec": spec }), "spec.template");
        let mut found = String::new();
        for UnsupportedField { path, reason, remedy } in refusals {
            writeln!(found, "REFUSED {path}: {reason}; {remedy}").unwrap();
        }
        for Warning { paths, what } in warnings {
            writeln!(found, "{what}: {}", paths.join(", ")).unwrap();
        }
        expected.assert_eq(&found.replace("spec.template.spec.", "~"));
    }

    fn container(fields: Value) -> Value {
        let mut container = json!({"name": "main", "command": ["true"]});
        container.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({"containers": [container]})
    }

    #[test]
    fn a_common_job_as_the_api_server_stores_it() {
        check(
            json!({
                "containers": [{
                    "name": "pi", "image": "perl:5.34.0", "command": ["perl", "-Mbignum=bpi", "-wle", "print bpi(2000)"], "resources": {},
                    "env": [{"name": "JOB_COMPLETION_INDEX", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.labels['batch.kubernetes.io/job-completion-index']"}}}],
                    "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File", "imagePullPolicy": "IfNotPresent", "workingDir": "/",
                }],
                "restartPolicy": "Never", "terminationGracePeriodSeconds": 30, "dnsPolicy": "ClusterFirst", "securityContext": {}, "schedulerName": "default-scheduler",
            }),
            expect![[r#"
                images are not pulled: commands run with the programs and files of this machine: ~containers[0].image
            "#]],
        );
    }

    #[test]
    fn a_container_without_command() {
        check(
            json!({"containers": [{"name": "a", "args": ["x"]}, {"name": "b", "command": []}, {"name": "c", "command": ["true"]}], "initContainers": [{"name": "d"}]}),
            expect![[r#"
                REFUSED ~containers[0].command: this container has no command, and its image, which would define one, is not pulled; write the program to run as `command`; if `args` begins with it, rename args to command
                REFUSED ~containers[1].command: this container has no command, and its image, which would define one, is not pulled; write what to run, as in `command: ["sh", "-c", "echo hello"]`
                REFUSED ~initContainers[0].command: this container has no command, and its image, which would define one, is not pulled; write what to run, as in `command: ["sh", "-c", "echo hello"]`
            "#]],
        );
    }

    #[test]
    fn volumes_and_their_mounts() {
        let mut spec = container(
            json!({"volumeMounts": [{"name": "scratch", "mountPath": "/scratch"}], "volumeDevices": [{"name": "disk", "devicePath": "/dev/x"}]}),
        );
        spec["volumes"] = json!([{"name": "scratch", "emptyDir": {"medium": "Memory"}}, {"name": "plain"}, {"name": "settings", "configMap": {"name": "settings"}}]);
        check(
            spec,
            expect![[r#"
                REFUSED ~containers[0].volumeDevices: devices are not allocated; remove it, and let the command use this machine's devices
                REFUSED ~containers[0].volumeMounts: a local process has no file system of its own to mount volumes into; use paths on this machine in the command
                REFUSED ~volumes[2]: a local process has no file system of its own to mount volumes into; use paths on this machine in the command
            "#]],
        );
    }

    #[test]
    fn variables_from_elsewhere() {
        check(
            container(json!({
                "env": [
                    {"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": true}}},
                    {"name": "B", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}},
                    {"name": "C", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
                    {"name": "D", "valueFrom": {"fieldRef": {"fieldPath": "status.phase"}}},
                    {"name": "E", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
                    {"name": "F", "value": "x", "valueFrom": null},
                ],
                "envFrom": [{"secretRef": {"name": "s"}}],
            })),
            expect![[r#"
                REFUSED ~containers[0].envFrom: there are no ConfigMaps, Secrets or env files on this machine; set the variables to plain values
                REFUSED ~containers[0].env[0].valueFrom.secretKeyRef: there are no ConfigMaps, Secrets or env files on this machine; set the variables to plain values
                REFUSED ~containers[0].env[1].valueFrom.configMapKeyRef: there are no ConfigMaps, Secrets or env files on this machine; set the variables to plain values
                REFUSED ~containers[0].env[2].valueFrom.resourceFieldRef: a local process has no limits that a variable could refer to; write the value
                REFUSED ~containers[0].env[3].valueFrom.fieldRef.fieldPath: a variable cannot refer to this field of the pod; use metadata.name, .namespace, .uid, .labels['…'] or .annotations['…'], spec.nodeName or .serviceAccountName, status.podIP or .hostIP
            "#]],
        );
    }

    #[test]
    fn a_working_directory_that_is_not_there() {
        check(
            json!({"containers": [
                {"name": "a", "command": ["true"], "workingDir": "/no/such/directory"},
                {"name": "b", "command": ["true"], "workingDir": "here"},
                {"name": "c", "command": ["true"], "workingDir": "/"},
            ]}),
            expect![[r#"
                REFUSED ~containers[0].workingDir: this machine has no such directory; create the directory, or remove the field
                REFUSED ~containers[1].workingDir: it is not an absolute path; write it from the root: /…
            "#]],
        );
    }

    #[test]
    fn containers_have_restart_policies_and_rules_of_their_own() {
        check(
            json!({
                "initContainers": [
                    {"name": "a", "command": ["true"], "restartPolicy": "Always"},
                    {"name": "b", "command": ["true"], "restartPolicy": "Never"},
                    {"name": "c", "command": ["true"]},
                ],
                "containers": [{"name": "d", "command": ["true"], "restartPolicy": "Always", "restartPolicyRules": [
                    {"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}},
                    {"action": "RestartAllContainers", "exitCodes": {"operator": "In", "values": [43]}},
                    {"action": "Restart", "signals": [9]},
                ]}],
            }),
            expect![[r#"
                REFUSED ~containers[0].restartPolicyRules[1].action: the containers of a pod are restarted one by one, not all together; use the action Restart
                REFUSED ~containers[0].restartPolicyRules[2].signals: the PodSpec of Kubernetes v1.37 has no such field; check its spelling and its place, or remove it
            "#]],
        );
    }

    #[test]
    fn unknown_fields_at_every_level() {
        let mut spec =
            container(json!({"comand": ["x"], "env": [{"name": "A", "val": "x"}, {"name": "B", "valueFrom": {"vaultRef": {"key": "k"}}}]}));
        spec["restartpolicy"] = json!("Never");
        check(
            spec,
            expect![[r#"
                REFUSED ~restartpolicy: the PodSpec of Kubernetes v1.37 has no such field; check its spelling and its place, or remove it
                REFUSED ~containers[0].comand: the PodSpec of Kubernetes v1.37 has no such field; check its spelling and its place, or remove it
                REFUSED ~containers[0].env[0].val: the PodSpec of Kubernetes v1.37 has no such field; check its spelling and its place, or remove it
                REFUSED ~containers[0].env[1].valueFrom.vaultRef: the PodSpec of Kubernetes v1.37 has no such field; check its spelling and its place, or remove it
            "#]],
        );
    }

    #[test]
    fn what_does_not_apply_is_noted_once_for_each_kind() {
        let probe = json!({"exec": {"command": ["true"]}});
        let mut spec = container(json!({
            "image": "a", "resources": {"limits": {"cpu": "1"}}, "livenessProbe": probe, "readinessProbe": probe, "securityContext": {"runAsUser": 1000},
            "ports": [{"containerPort": 80}], "terminationMessagePolicy": "FallbackToLogsOnError",
        }));
        let more = json!({
            "imagePullSecrets": [{"name": "s"}], "nodeSelector": {"disk": "ssd"}, "tolerations": [{"operator": "Exists"}], "priority": 0, "priorityClassName": "low",
            "serviceAccountName": "robot", "serviceAccount": "default", "runtimeClassName": "gvisor", "schedulerName": "other", "os": {"name": "linux"},
            "hostNetwork": true,
        });
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check(
            spec,
            expect![[r#"
                images are not pulled: commands run with the programs and files of this machine: ~imagePullSecrets, ~containers[0].image
                requests and limits are not enforced: commands share what this machine has: ~containers[0].resources
                probes and readiness gates are ignored: a running container is ready: ~containers[0].livenessProbe, ~containers[0].readinessProbe
                security settings do not apply: commands run unconfined, as the user who started them: ~runtimeClassName, ~containers[0].securityContext
                pods are not scheduled: they all run on this machine, at once: ~nodeSelector, ~priorityClassName, ~schedulerName, ~tolerations
                there is no service account: no token is mounted: ~serviceAccountName
                pods share the network of this machine: its name, its addresses, its ports: ~containers[0].ports
                termination messages are not read: ~containers[0].terminationMessagePolicy
            "#]],
        );
    }

    #[test]
    fn the_rest_of_what_is_refused() {
        let mut spec =
            container(json!({"lifecycle": {"preStop": {"sleep": {"seconds": 1}}}, "stdin": true, "tty": true, "stdinOnce": false}));
        let more = json!({
            "ephemeralContainers": [{"name": "debug"}], "hostAliases": [{"ip": "10.0.0.1"}], "schedulingGates": [{"name": "g"}], "resourceClaims": [{"name": "gpu"}],
            "shareProcessNamespace": true, "os": {"name": "windows"}, "subdomain": "s",
        });
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let refused: Vec<String> = examine(&json!({ "spec": spec }), "spec.template")
            .refusals
            .into_iter()
            .map(|refusal| refusal.path.replace("spec.template.spec.", ""))
            .collect();
        let expected = ["containers[0].lifecycle", "containers[0].stdin", "containers[0].tty"];
        let expected: Vec<&str> = ["ephemeralContainers", "hostAliases", "resourceClaims", "schedulingGates", "shareProcessNamespace"]
            .into_iter()
            .chain(["os", "subdomain"])
            .chain(expected)
            .collect();
        let sorted = |mut list: Vec<String>| {
            list.sort();
            list
        };
        assert_eq!(sorted(refused), sorted(expected.into_iter().map(str::to_owned).collect()));
    }
}

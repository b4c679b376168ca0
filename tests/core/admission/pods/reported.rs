//! What people found accepted of pod templates that the API server refuses, each in a container, an init container, and the template of a CronJob.
//!
//! Docs: Jobs, "Pod Template". That all other templates are admitted as upstream admits them is tested beside this.

use api::Timestamp;
use check::CheckDepth;
use core_tests::oracle::Oracle;
use manifest::{Diagnostic, Severity};
use serde_json::json;

/// A field of a container, and what is refused of it: the path below the container, and how the message begins.
const OF_CONTAINERS: &[(&str, &str)] = &[
    ("securityContext: {runAsUser: -1}", "securityContext.runAsUser: Invalid value: -1: must be between 0"),
    ("securityContext: {privileged: true, allowPrivilegeEscalation: false}", "securityContext: Invalid value: {"),
    (
        "securityContext: {seccompProfile: {type: Localhost}}",
        "securityContext.seccompProfile.localhostProfile: Required value: must be set",
    ),
    ("livenessProbe: {periodSeconds: 5}", "livenessProbe: Required value: must specify a handler type"),
    ("livenessProbe: {httpGet: {path: /}}", "livenessProbe.httpGet.port: Invalid value: 0: must be between 1"),
    ("livenessProbe: {httpGet: {port: 99999}}", "livenessProbe.httpGet.port: Invalid value: 99999: must be between 1"),
    ("livenessProbe: {httpGet: {port: 80}, tcpSocket: {port: 80}}", "livenessProbe.tcpSocket: Forbidden: may not specify more than 1"),
    ("livenessProbe: {tcpSocket: {port: 80}, successThreshold: 3}", "livenessProbe.successThreshold: Invalid value: 3: must be 1"),
    ("lifecycle: {preStop: {}}", "lifecycle.preStop: Required value: must specify a handler type"),
    (
        "lifecycle: {preStop: {exec: {command: [a]}, sleep: {seconds: 1}}}",
        "lifecycle.preStop.sleep: Forbidden: may not specify more than 1",
    ),
    ("resources: {limits: {gpu: 1}}", "resources.limits[gpu]: Invalid value: \"gpu\": must be a standard resource"),
    ("resources: {requests: {cpus: 1}}", "resources.requests[cpus]: Invalid value: \"cpus\": must be a standard resource"),
    ("resources: {requests: {nvidia.com/gpu: 1}}", "resources.limits: Required value: Limit must be set"),
    (
        "resources: {requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 2}}",
        "resources.requests: Invalid value: \"1\": must be equal to nvidia.com/gpu limit of 2",
    ),
    (
        "env: [{name: A, value: b, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]",
        "env[0].valueFrom: Invalid value: \"\": may not be specified when `value`",
    ),
    (
        "env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.foo}}}]",
        "env[0].valueFrom.fieldRef.fieldPath: Invalid value: \"metadata.foo\": error converting",
    ),
    ("envFrom: [{configMapRef: {}}]", "envFrom[0].configMapRef.name: Required value"),
    ("volumeMounts: [{name: work, mountPath: /a, subPath: ../x}]", "volumeMounts.subPath: Invalid value: \"../x\": must not contain '..'"),
    (
        "restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [42]}}]",
        "restartPolicy: Required value: must specify restartPolicy when",
    ),
];

/// A field of a pod's spec, and what is refused of it.
const OF_PODS: &[(&str, &str)] = &[
    ("securityContext: {fsGroup: -5}", "securityContext.fsGroup: Invalid value: -5: must be between 0"),
    (
        "securityContext: {sysctls: [{name: Bad Name, value: '1'}]}",
        "securityContext.sysctls[0].name: Invalid value: \"Bad Name\": must have at most",
    ),
    (
        "initContainers: [{name: first, image: a, readinessProbe: {tcpSocket: {port: 80}}}]",
        "initContainers[0].readinessProbe: Forbidden: may not be set for init containers",
    ),
    (
        "volumes: [{name: work}, {name: a, emptyDir: {}, configMap: {name: a}}]",
        "volumes[1].configMap: Forbidden: may not specify more than 1 volume type",
    ),
    ("volumes: [{name: a, emptyDir: {sizeLimit: '-1'}}]", "volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field"),
    ("volumes: [{name: a, hostPath: {path: /x, type: Dir}}]", "volumes[0].hostPath.type: Unsupported value: \"Dir\""),
    ("volumes: [{name: a, hostPath: {path: /x/../y}}]", "volumes[0].hostPath.path: Invalid value: \"/x/../y\": must not contain '..'"),
    (
        "volumes: [{name: a, projected: {sources: [{serviceAccountToken: {path: t, expirationSeconds: 1}}]}}]",
        "volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 1: may not",
    ),
    ("tolerations: [{key: a, operator: Equals}]", "tolerations[0].operator: Unsupported value: \"Equals\""),
    ("tolerations: [{key: a, operator: Exists, effect: NoRun}]", "tolerations[0].effect: Unsupported value: \"NoRun\""),
    (
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: in, values: [b]}]}]}}}",
        "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: \"in\": not a valid",
    ),
    (
        "topologySpreadConstraints: [{maxSkew: 0, topologyKey: z, whenUnsatisfiable: DoNotSchedule}]",
        "topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater",
    ),
    (
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: Foo}]",
        "topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: \"Foo\"",
    ),
    ("hostAliases: [{ip: 300.1.1.1, hostnames: [a]}]", "hostAliases[0].ip: Invalid value: \"300.1.1.1\": must be a valid IP address"),
    ("os: {name: macos}", "os: Unsupported value: \"macos\""),
    ("schedulingGates: [{name: bad gate}]", "schedulingGates[0]: Invalid value: \"bad gate\": name part must"),
];

/// What the API server only warns of.
const WARNED: &[(&str, &str)] = &[
    ("terminationGracePeriodSeconds: -1", "terminationGracePeriodSeconds: must be >= 0"),
    ("imagePullSecrets: [{}]", "imagePullSecrets[0].name: invalid empty name"),
];

/// Where a template is, and a manifest with these lines in the spec of its pod.
fn manifests(pod: &str) -> [(&'static str, String); 2] {
    let template = format!("template: {{spec: {{restartPolicy: Never, {pod}}}}}");
    let head = |kind: &str| format!("apiVersion: batch/v1\nkind: {kind}\nmetadata: {{name: pi}}\nspec:\n");
    [
        ("spec.template.spec", format!("{}  {template}\n", head("Job"))),
        (
            "spec.jobTemplate.spec.template.spec",
            format!("{}  schedule: '@daily'\n  jobTemplate: {{spec: {{{template}}}}}\n", head("CronJob")),
        ),
    ]
}

/// All cases: a manifest, and the one thing that is wrong with it.
fn cases() -> Vec<(String, String)> {
    let (main, work) = ("containers: [{name: main, image: a}]", "volumes: [{name: work, emptyDir: {}}]");
    let container = |(line, wrong): &(&str, &str)| {
        // Only containers beside the others have probes.
        let sidecar = if line.starts_with("restartPolicy") { "" } else { "restartPolicy: Always, " };
        let init = format!("initContainers: [{{name: first, image: a, {sidecar}{line}}}], {main}, {work}");
        [
            (format!("containers: [{{name: main, image: a, {line}}}], {work}"), format!("containers[0].{wrong}")),
            (init, format!("initContainers[0].{wrong}")),
        ]
    };
    let pod = |(line, wrong): &(&str, &str)| (format!("{main}, {line}"), (*wrong).to_owned());
    let of_pods = OF_CONTAINERS.iter().flat_map(container).chain(OF_PODS.iter().map(pod));
    of_pods.flat_map(|(pod, wrong)| manifests(&pod).map(|(path, text)| (text, format!("{path}.{wrong}")))).collect()
}

fn found(text: &str, severity: Severity) -> Vec<Diagnostic> {
    let found = check::check(text, CheckDepth::Mistakes, Timestamp::UNIX_EPOCH).diagnostics;
    found.into_iter().filter(|found| found.severity == severity).collect()
}

/// What was found, at the place that the API server names: it may leave out which item of a list and which resource is meant.
fn as_the_server_says(found: &Diagnostic) -> String {
    without_places(&format!("{}: {}", found.path, found.message))
}

/// A path and a message without what stands in brackets in the path.
fn without_places(found: &str) -> String {
    let (path, message) = found.split_once(": ").expect("a message follows the path");
    let parts = path.split('[').map(|part| part.split_once(']').map_or(part, |(_, after)| after));
    format!("{}: {message}", parts.collect::<String>())
}

#[test]
fn what_people_found_accepted_is_refused_with_its_place_and_a_remedy() {
    let mut wrong = Vec::new();
    for (text, expected) in cases() {
        let found = found(&text, Severity::Error);
        let right = |found: &Diagnostic| as_the_server_says(found).starts_with(&without_places(&expected)) && found.remedy.is_some();
        if found.len() != 1 || !found.iter().all(right) {
            wrong.push(format!("{text}expected {expected}\nfound {found:#?}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn what_people_missed_a_warning_of_is_warned_of() {
    for (line, expected) in WARNED {
        for (path, text) in manifests(&format!("containers: [{{name: main, image: a}}], {line}")) {
            let found = found(&text, Severity::Warning);
            assert!(
                found.iter().any(|found| format!("{}: {}", found.path, found.message).starts_with(&format!("{path}.{expected}"))),
                "{text}{found:#?}"
            );
        }
    }
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn upstream_refuses_it_in_the_same_words() {
    let mut oracle = Oracle::start();
    for (text, expected) in cases() {
        let object = manifest::read(&text).expect("it is YAML")[0].value().clone();
        let answer = oracle.request(&json!({"op": "create", "object": object}));
        let errors: Vec<&str> = answer["errors"].as_array().into_iter().flatten().filter_map(|error| error.as_str()).collect();
        assert!(errors.iter().any(|error| error.starts_with(&expected)), "{text}expected {expected}\nfound {errors:#?}");
    }
}

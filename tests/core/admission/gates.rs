//! Fields behind feature gates that are off: API servers drop them from new objects, and keep all others.
//!
//! Docs: Feature Gates, "Feature stages". Which fields these are is a fact of the table of fields, `crates/schema/overlay.txt`.

use api::Kind;
use core_tests::oracle::Oracle;
use manifest::given;
use serde_json::{Value, json};

/// A Job with each field that is behind a gate that is off, and with others that have been.
const JOB: &str = r#"
apiVersion: batch/v1
kind: Job
metadata: {name: a, namespace: default}
spec:
  parallelism: 2
  completions: 2
  completionMode: Indexed
  scheduling: {schedulingPolicy: {gang: {minCount: 2}}}
  template:
    spec:
      restartPolicy: Never
      os: {name: linux}
      hostUsers: false
      hostnameOverride: h
      resources: {requests: {cpu: "1"}}
      resourceClaims: [{name: r, resourceClaimName: c}]
      schedulingGroup: {podGroupName: g}
      securityContext: {supplementalGroupsPolicy: Strict, seLinuxChangePolicy: Recursive}
      evictionResponders: [{name: example.com/a, priority: 10}]
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, matchLabelKeys: [k], labelSelector: {matchLabels: {a: b}}}
      initContainers:
      - name: grpc
        image: i
        restartPolicy: Always
        livenessProbe: {grpc: {port: 1, mode: TLS}}
      containers:
      - name: main
        image: i
        restartPolicy: Never
        restartPolicyRules: [{action: RestartAllContainers, exitCodes: {operator: In, values: [42]}}]
        resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}]
        resources: {claims: [{name: r, request: x}]}
        securityContext: {procMount: Unmasked}
        env: [{name: A, valueFrom: {fileKeyRef: {path: a, volumeName: empty, key: k}}}]
        lifecycle:
          stopSignal: SIGUSR1
          preStop: {sleep: {seconds: 5}}
        livenessProbe: {httpGet: {port: 1, protocol: HTTP2}}
        volumeMounts: [{name: empty, mountPath: /empty, readOnly: true, recursiveReadOnly: Enabled, bindMountOptions: [noexec]}]
      volumes:
      - {name: empty, emptyDir: {mode: 448}}
      - {name: image, image: {reference: r}}
      - {name: secret, secret: {secretName: s, defaultUser: 5, items: [{key: k, path: p, user: 5}]}}
      - {name: config, configMap: {name: c, defaultUser: 5}}
      - {name: down, downwardAPI: {defaultUser: 5, items: [{path: p, user: 5, fieldRef: {fieldPath: metadata.name}}]}}
      - name: all
        projected:
          defaultUser: 5
          sources:
          - serviceAccountToken: {path: t, user: 5}
          - clusterTrustBundle: {path: b, name: x, user: 5}
          - podCertificate: {credentialBundlePath: c, signerName: example.com/x, keyType: ED25519, user: 5}
"#;

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn fields_behind_gates_that_are_off_are_dropped() {
    let Some(mut oracle) = Oracle::start_with_schema() else { return };
    let document = &manifest::read(JOB).expect("it is a manifest")[0];
    let answer = oracle.request(&json!({"op": "create", "object": document.value()}));
    assert_eq!(answer["errors"], Value::Null);
    let mut dropped = Vec::new();
    lost(document.value(), &answer["object"], "", &mut dropped);
    let mut gated: Vec<String> = given(Kind::Job, document, |field| field.gated).into_iter().map(|(path, _)| path).collect();
    dropped.sort_unstable();
    gated.sort_unstable();
    assert_eq!(dropped, gated);
}

/// The outermost fields that are in a value and not in another one.
fn lost(sent: &Value, stored: &Value, path: &str, into: &mut Vec<String>) {
    match sent {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = format!("{path}.{name}").trim_start_matches('.').to_owned();
                match stored.get(name) {
                    Some(stored) => lost(value, stored, &path, into),
                    None => into.push(path),
                }
            }
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| lost(item, &stored[at], &format!("{path}[{at}]"), into)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

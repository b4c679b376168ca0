//! Hints: what people ran into with manifests, and the sentence that helps: of `jobsmith check`, and where a manifest is refused before it is run or simulated.
//!
//! Docs: Jobs, "Writing a Job spec"; CronJob, "Schedule syntax". The hints of each reader are tested beside it, in `crates/manifest` and `crates/schedule`.

use api::Timestamp;
use check::CheckDepth;
use expect_test::{Expect, expect};
use manifest::Severity;

/// What is found in each text, by the rule; below, in brackets, what it is refused with besides where it is read to be simulated.
fn check(texts: &[&str], expected: Expect) {
    let shown = |text: &&str| {
        let found = check::check(text, CheckDepth::Advice, Timestamp::UNIX_EPOCH).diagnostics;
        let of_reading = |rule: &str| ["api-warning", "invalid-image", "not-checked"].contains(&rule);
        let found = found.iter().filter(|found| found.severity == Severity::Error || of_reading(found.rule.as_str()));
        let lines: Vec<String> = found.map(|found| format!("[{}] {found}", found.rule.as_str())).collect();
        let read = manifest::objects(text).err().unwrap_or_default();
        let besides = read.iter().filter(|refused| !lines.iter().any(|line| line.ends_with(&refused.to_string())));
        let besides: Vec<String> = besides.map(|refused| format!("  ({refused})")).collect();
        let all = [lines, besides].concat();
        if all.is_empty() { "nothing\n".to_owned() } else { all.join("\n") + "\n" }
    };
    expected.assert_eq(&texts.iter().map(shown).collect::<String>());
}

/// A CronJob with this line in its spec.
fn cron_job(line: &str) -> String {
    format!(
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: a}}\nspec:\n  {line}\n  jobTemplate:\n    spec: {{template: {{spec: {{restartPolicy: Never, containers: [{{name: c, image: c}}]}}}}}}\n"
    )
}

/// A Job of this name, with this line in its spec and this one in its container.
fn job(name: &str, spec: &str, container: &str) -> String {
    format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {name}\nspec:\n  {spec}\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n      - name: main\n        image: busybox\n        {container}\n"
    )
}

#[test]
fn templates_that_are_not_rendered() {
    check(
        &[
            &job("{{ name }}", "backoffLimit: 1", ""),
            &cron_job("schedule: \"{{ .Values.backup.schedule }}\""),
            &job("pi", "backoffLimit: \"{{ .Values.retries }}\"", ""),
            &job("'{{ include \"name\" . }}'", "backoffLimit: 1", ""),
            "{{- if .Values.enabled }}\nkind: Job\n{{- end }}\n",
        ],
        expect![[r#"
            [not-rendered] 4:9: this is a template; render it first, and use the result
            [not-rendered] 5:13: spec.schedule: Invalid value: "{{ .Values.backup.schedule }}": expected exactly 5 fields, found 3: [{{ .Values.backup.schedule }}]; this is a Helm template: use what `helm template` prints
            [not-rendered] 6:18: this is a Helm template; use what `helm template` prints
            [not-rendered] 4:9: metadata.name: Invalid value: "{{ include \"name\" . }}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); this is a Helm template: use what `helm template` prints
            [invalid] 7:3: spec.template.labels: Invalid value: "{{ include \"name\" . }}": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'); use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit
            [not-rendered] 1:1: this is a Helm template; use what `helm template` prints
        "#]],
    );
}

#[test]
fn what_stands_for_a_value() {
    check(
        &[
            &job("<NAME>", "backoffLimit: 1", ""),
            &job("work-${TAG}", "backoffLimit: ${RETRIES}", "command: ..."),
            &job("pi", "backoffLimit: …", "image: <image>").replace("image: busybox\n        ", ""),
            &job("pi", "backoffLimit: 1", "..."),
        ],
        expect![[r#"
            [invalid] 4:9: metadata.name: Invalid value: "<NAME>": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); replace <NAME> with a value of your own
            [invalid] 4:9: metadata.name: Invalid value: "work-${TAG}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); put a value in place of ${TAG}, as `envsubst` does
            [wrong-type] 6:17: spec.backoffLimit: expected a whole number (int32), found text; put a value in place of ${RETRIES}, as `envsubst` does
            [wrong-type] 13:18: spec.template.spec.containers[0].command: expected a list, found text; replace `...`: it stands for what a page leaves out
            [wrong-type] 6:17: spec.backoffLimit: expected a whole number (int32), found text; replace `...`: it stands for what a page leaves out
            [invalid-image] 12:16: spec.template.spec.containers[0].image: no pod can start (InvalidImageName): in "<image>", the name is not valid; use a name such as registry.example/team/work:1.0: lowercase letters and digits, with ., _ and - between them
            [unreadable] 13:9: spec.template.spec.containers[0]: invalid YAML: could not find expected ':'; replace `...`: it stands for what a page leaves out
        "#]],
    );
}

#[test]
fn patches_and_objects_of_other_tools() {
    let head = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly}\nspec:\n  suspend: true\n  schedule: 0 4 * * *\n";
    check(
        &[
            &format!("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../base]\n---\n{head}"),
            "- op: replace\n  path: /spec/suspend\n  value: true\n",
            "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: \"${NAME}-cronjob\"}\nobjects:\n- kind: CronJob\n  apiVersion: batch/v1\n  metadata: {name: \"${NAME}-${TAG}\"}\n",
            "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: two-roles}\nspec: {replicatedJobs: []}\n",
            "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: train}\nspec: {minAvailable: 3}\n",
            "apiVersion: batch/v2alpha1\nkind: ScheduledJob\nmetadata: {name: ancient}\nspec: {schedule: '0/1 * * * ?', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}}}}\n",
        ],
        expect![[r#"
            [invalid] 8:1: spec.jobTemplate: the CronJob has no template for its Jobs; give the CronJob a spec.jobTemplate: a template for its Jobs, with a spec like that of a Job; if this is a Kustomize patch, use what `kubectl kustomize` prints
              (1:1: this is a JSON patch, not an object; apply it to its Job first, and use what `kubectl kustomize` prints)
            [not-checked] 2:7: kind: the objects of this Template are not checked: CronJob ${NAME}-${TAG}; process the template first: `oc process --local -f FILE -o yaml`
              (2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a Template with CronJob ${NAME}-${TAG}; process the template first: `oc process --local -f FILE -o yaml`)
            [not-checked] 2:7: kind: the Jobs of this JobSet are not checked; write its Jobs one by one: each spec.replicatedJobs[].template is a Job without apiVersion and kind
              (2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a JobSet; write its Jobs one by one: each spec.replicatedJobs[].template is a Job without apiVersion and kind)
              (2:7: kind: jobsmith runs Jobs and CronJobs of batch/v1: it cannot run a Job of batch.volcano.sh/v1alpha1; pass a file with a Job or a CronJob)
            [removed-version] 1:13: apiVersion: there is no CronJob in apiVersion "batch/v2alpha1"; set `apiVersion: batch/v1`
            [removed-version] 2:7: kind: Kubernetes no longer has the kind ScheduledJob; use `kind: CronJob`
        "#]],
    );
}

#[test]
fn what_kubectl_prints() {
    let list = "apiVersion: batch/v1\nkind: JobList\nmetadata: {resourceVersion: \"3\"}\nitems:\n- metadata: {name: from-list}\n  spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}}\n";
    check(
        &[
            list,
            &format!("$ kubectl get job pi -o yaml\n{}", job("pi", "backoffLimit: 1", "")),
            &job("pi", "backoffLimit: 1", "").replace("  name: pi", "\u{a0}\u{a0}name: pi"),
            "Error from server (NotFound): jobs.batch \"pi\" not found\n",
            "Name:             pi\nNamespace:        default\nLabels:           a=b\nParallelism:      1\n",
            "job.batch/pi\n",
        ],
        expect![[r#"
            nothing
            [unreadable] 1:1: this line is a command; remove the lines that are no part of the manifest
            [unreadable] 4:1: YAML does not take the non-breaking space on this line (U+00A0) for a space; replace the non-breaking spaces with spaces
            [unreadable] 1:1: this is an error of kubectl: Error from server (NotFound): jobs.batch "pi" not found; run `kubectl get jobs,pods -o yaml` in the right namespace, and use what it prints
            [unreadable] 1:1: this is what `kubectl describe` prints for people; use `kubectl get jobs,pods -o yaml` instead
            [unreadable] 1:1: these are only the names of objects; use `-o yaml` instead of `-o name`
        "#]],
    );
}

#[test]
fn schedules_without_quotes() {
    let schedules = ["*/5 * * * *", "* * * * *", "@daily", "? * * * *", "%5 * * * *", "*/15 9-17 * * 1-5 # office hours"];
    let texts = schedules.map(|schedule| cron_job(&format!("schedule: {schedule}")));
    check(
        &texts.each_ref().map(String::as_str),
        expect![[r#"
        [unreadable] 5:14: spec: invalid YAML: did not find expected alphabetic or numeric character; write the value in quotes: "*/5 * * * *"
        [unreadable] 5:14: spec: invalid YAML: did not find expected alphabetic or numeric character; write the value in quotes: "* * * * *"
        [unreadable] 5:13: spec: invalid YAML: found character that cannot start any token; write the value in quotes: "@daily"
        [unreadable] 5:13: spec: invalid YAML: mapping keys are not allowed in this context; write the value in quotes: "? * * * *"
        [unreadable] 5:13: spec: invalid YAML: found character that cannot start any token; write the value in quotes: "%5 * * * *"
        [unreadable] 5:14: spec: invalid YAML: did not find expected alphabetic or numeric character; write the value in quotes: "*/15 9-17 * * 1-5"
    "#]],
    );
}

#[test]
fn values_that_are_not_there() {
    check(
        &[
            &job("pi", "podReplacementPolicy: Always", ""),
            &job("pi", "podReplacementPolicy: Sometimes\n  podFailurePolicy: {rules: []}", ""),
            &job("my.job.v1", "completionMode: Indexed\n  completions: 2", ""),
            &job("pi", "backoffLimit: 1", "command: \"sleep 5\""),
            &job("pi", "backoffLimit: 1", "resources: {requests: {nvidia.com/gpu: 1, memory: 8Gi}}"),
            &job("pi", "backoffLimit: 1", "image: Foo Bar:1.0").replace("image: busybox\n        ", ""),
            &job("pi", "backoffLimit: 1", "image: ' busybox'").replace("image: busybox\n        ", ""),
        ],
        expect![[r#"
            [invalid] 6:25: spec.podReplacementPolicy: Unsupported value: "Always": supported values: "Failed", "TerminatingOrFailed"; use Failed to replace a pod once it has failed, or TerminatingOrFailed to replace it as soon as it is being deleted
            [invalid] 6:25: spec.podReplacementPolicy: Unsupported value: "Sometimes": supported values: "Failed"; use Failed: with spec.podFailurePolicy, a pod is replaced only once it has failed
            [invalid] 4:9: metadata.name: Invalid value: "my.job.v1": will not able to create pod with invalid DNS label: my.job.v1-1; use no dots: with a hyphen and an index added, the name becomes a pod's hostname, which has none
            [wrong-type] 13:18: spec.template.spec.containers[0].command: expected a list, found text; use a list: ["sleep", "5"]
            [invalid] 13:9: spec.template.spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources; add a limit of the same amount: this resource cannot be shared
            [invalid-image] 12:16: spec.template.spec.containers[0].image: no pod can start (InvalidImageName): in "Foo Bar:1.0", the name has capital letters; use lowercase letters
            [invalid-image] 12:16: spec.template.spec.containers[0].image: the API server refuses each pod: there are spaces around the name of the image; remove the spaces
        "#]],
    );
}

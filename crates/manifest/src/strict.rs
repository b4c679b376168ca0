//! Strict decoding: fields that an object does not have, values of other types, numbers out of range; all of them, with remedies.
//!
//! Docs: Kubernetes API Concepts, "Field validation". The fields are in the crate `schema`, the types of words in `leaf.rs`; where an unknown
//! field belongs is decided in `misplaced.rs`, duplicate ones are refused while reading. What the values must be is validation, in `admission`.

use api::Kind;
use schema::{FieldType, SchemaType};
use serde_json::{Map, Value};

use crate::misplaced::{self, Remedy};
use crate::node::{Content, MapEntry, SourceNode};
use crate::{Diagnostic, RuleName, already_set, leaf, path};

/// The value of an object of this kind as the API server decodes it, with the diagnostics for all that it refuses.
pub(crate) fn decode(kind: Kind, object: &SourceNode) -> (Value, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let value = Decoder { object: kind, found: &mut found }.typed(object, &FieldType::Fields(schema::of(kind.name())), "");
    already_set::choose(object, &mut found);
    (value, found)
}

/// All that keeps a node from being a value of a type; `path` is where it stands in an object of this kind.
pub(crate) fn problems(object: Kind, node: &SourceNode, kind: &FieldType, path: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    Decoder { object, found: &mut found }.typed(node, kind, path);
    found
}

/// What decodes the parts of one object.
struct Decoder<'f> {
    /// The object's kind.
    object: Kind,
    found: &'f mut Vec<Diagnostic>,
}

impl Decoder<'_> {
    /// The value of a node as a type has it; `null` is what the type has where nothing is given.
    fn typed(&mut self, node: &SourceNode, kind: &FieldType, path: &str) -> Value {
        match (kind, &node.content) {
            _ if node.null() => Value::Null,
            (FieldType::Fields(owner), Content::Map(entries)) => self.fields(entries, owner, path),
            (FieldType::List(kind), Content::List(items)) => {
                let item = |(index, item): (usize, &SourceNode)| self.present(item, kind, &path::entry(path, index));
                items.iter().enumerate().map(item).collect()
            }
            (FieldType::Map(kind), Content::Map(entries)) => {
                let entry = |entry: &MapEntry| (entry.key.clone(), self.present(&entry.node, kind, &path::entry(path, &entry.key)));
                entries.iter().map(entry).collect()
            }
            (_, Content::Scalar { value, written, .. }) => match leaf::check(kind, value, written, path) {
                Ok(()) => value.clone(),
                Err(refused) => {
                    self.found.push(refused.diagnostic(node.position, path));
                    Value::Null
                }
            },
            (FieldType::Any, _) => node.value(),
            (_, content) => {
                self.found.push(leaf::refuse_shape(kind, content).diagnostic(node.position, path));
                Value::Null
            }
        }
    }

    /// The value of an item of a list or map, where `null` is the least value of the type.
    fn present(&mut self, node: &SourceNode, kind: &FieldType, path: &str) -> Value {
        match kind {
            _ if !node.null() => self.typed(node, kind, path),
            FieldType::Text => "".into(),
            FieldType::Boolean => false.into(),
            FieldType::Int32 | FieldType::Int64 | FieldType::Quantity | FieldType::IntOrString => 0.into(),
            FieldType::Fields(_) | FieldType::Map(_) => Map::new().into(),
            FieldType::List(_) => Value::Array(Vec::new()),
            FieldType::Time | FieldType::Any => Value::Null,
        }
    }

    /// The value of a map with these fields only.
    fn fields(&mut self, entries: &[MapEntry], owner: &'static SchemaType, path: &str) -> Value {
        let mut value = Map::new();
        for entry in entries {
            let path = path::join(path, &entry.key);
            match owner.field(&entry.key) {
                Some(field) => {
                    let known = self.found.len();
                    value.insert(entry.key.clone(), self.typed(&entry.node, &field.kind, &path));
                    self.found[known..].iter_mut().for_each(|refused| leaf::name_values(refused, owner.name, field, &entry.node));
                }
                None => {
                    let diagnostic =
                        Diagnostic::error(entry.position, format!("unknown field {:?}", entry.key)).rule(RuleName::UNKNOWN_FIELD).at(&path);
                    self.found.push(match misplaced::remedy_among(self.object, owner.name, &path, entries, entry) {
                        Some(Remedy { words, fix }) => diagnostic.remedy(words).fix(fix),
                        None => diagnostic,
                    });
                }
            }
        }
        Value::Object(value)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        check_kind(Kind::Job, text, expected);
    }

    fn check_kind(kind: Kind, text: &str, expected: Expect) {
        let documents = crate::read(text).unwrap();
        let (value, found) = decode(kind, documents[0].root());
        let shown = if found.is_empty() { format!("{value}\n") } else { found.iter().map(|found| format!("{found}\n")).collect() };
        expected.assert_eq(&shown);
    }

    #[test]
    fn unknown_fields_are_found_at_all_levels() {
        check(
            "
spec:
  parralelism: 2
  restartPolicy: Never
  template:
    spec:
      backoffLimit: 3
      containers:
      - name: pi
        envs: []
",
            expect![[r#"
                3:3: spec.parralelism: unknown field "parralelism"; did you mean parallelism?
                4:3: spec.restartPolicy: unknown field "restartPolicy"; restartPolicy belongs to the pod: move it to spec.template.spec.restartPolicy
                7:7: spec.template.spec.backoffLimit: unknown field "backoffLimit"; backoffLimit belongs to the Job: move it to spec.backoffLimit
                10:9: spec.template.spec.containers[0].envs: unknown field "envs"; did you mean env?
            "#]],
        );
    }

    #[test]
    fn unknown_fields_of_a_cron_job() {
        check_kind(
            Kind::CronJob,
            "
schedule: '@daily'
spec:
  scheduel: '@daily'
  backoffLimit: 3
  jobTemplate:
    template: {}
    spec:
      timeZone: UTC
      template:
        spec:
          startingDeadlineSeconds: 10
          containers: [{name: main, args: [1]}]
status:
  active: [{kind: Job, nmae: pi}]
",
            expect![[r#"
                2:1: schedule: unknown field "schedule"; schedule belongs to the CronJob: move it to spec.schedule
                4:3: spec.scheduel: unknown field "scheduel"; did you mean schedule?
                5:3: spec.backoffLimit: unknown field "backoffLimit"; backoffLimit belongs to the Job: move it to spec.jobTemplate.spec.backoffLimit
                7:5: spec.jobTemplate.template: unknown field "template"; move what it holds into spec.jobTemplate.spec.template, which is there already
                9:7: spec.jobTemplate.spec.timeZone: unknown field "timeZone"; timeZone belongs to the CronJob: move it to spec.timeZone
                12:11: spec.jobTemplate.spec.template.spec.startingDeadlineSeconds: unknown field "startingDeadlineSeconds"; startingDeadlineSeconds belongs to the CronJob: move it to spec.startingDeadlineSeconds
                13:44: spec.jobTemplate.spec.template.spec.containers[0].args[0]: expected text, found the number 1; write it in quotes: "1"
                15:24: status.active[0].nmae: unknown field "nmae"; did you mean name?
            "#]],
        );
    }

    #[test]
    fn levels_that_are_written_twice_or_skipped() {
        check_kind(
            Kind::CronJob,
            "spec: {schedule: 0 1 * * *, template: {spec: {activeDeadlineSeconds: 9, template: {spec: {}}}}}",
            expect![[r#"
                1:29: spec.template: unknown field "template"; did you mean jobTemplate?
            "#]],
        );
        check_kind(
            Kind::CronJob,
            "spec: {schedule: 0 1 * * *, template: {spec: {containers: []}}}",
            expect![[r#"
            1:29: spec.template: unknown field "template"; template belongs to the Job: move it to spec.jobTemplate.spec.template
        "#]],
        );
        check(
            "spec: {template: {template: {spec: {}}}}",
            expect![[r#"
            1:19: spec.template.template: unknown field "template"; template is written twice: move what it holds up to spec.template
        "#]],
        );
        check(
            "spec: {spec: {template: {spec: {}}}}",
            expect![[r#"
            1:8: spec.spec: unknown field "spec"; spec is written twice: move what it holds up to spec
        "#]],
        );
        check(
            "spec: {spec: {containers: []}}",
            expect![[r#"
            1:8: spec.spec: unknown field "spec"; spec belongs to the pod template: move it to spec.template.spec
        "#]],
        );
    }

    #[test]
    fn words_where_one_of_a_few_texts_is_wanted() {
        check(
            "
spec:
  completionMode: 1
  podFailurePolicy: {rules: [{onPodConditions: [{type: DisruptionTarget, status: true}]}, {onPodConditions: [{status: no}]}]}
  template: {spec: {restartPolicy: false}}
",
            expect![[r#"
                3:19: spec.completionMode: expected text, found the number 1; use NonIndexed or Indexed
                4:82: spec.podFailurePolicy.rules[0].onPodConditions[0].status: expected text, found the boolean true; use "True"
                4:119: spec.podFailurePolicy.rules[1].onPodConditions[0].status: expected text, found no, which is the boolean false in YAML 1.1; use "False"
                5:36: spec.template.spec.restartPolicy: expected text, found the boolean false; use Never or OnFailure
            "#]],
        );
    }

    #[test]
    fn types() {
        check(
            "
metadata:
  labels: {version: 1.0, retry: no}
spec:
  completions: \"3\"
  activeDeadlineSeconds: 1m
  template:
    spec:
      containers:
        name: pi
      tolerations:
      - key: a
        tolerationSeconds: 99999999999999999999
      nodeSelector: [a]
      volumes:
",
            expect![[r#"
                3:21: metadata.labels[version]: expected text, found 1.0, which is the number 1 in YAML 1.1; write it in quotes: "1.0"
                3:33: metadata.labels[retry]: expected text, found no, which is the boolean false in YAML 1.1; write it in quotes: "no"
                5:16: spec.completions: expected a whole number (int32), found text; write it without quotes: 3
                6:26: spec.activeDeadlineSeconds: expected a whole number (int64), found text; use a number of seconds: 60
                10:9: spec.template.spec.containers: expected a list, found a map; start each item of the list with `- `
                13:28: spec.template.spec.tolerations[0].tolerationSeconds: 99999999999999999999 is out of range for a whole number of 64 bits; the maximum is 9223372036854775807
                14:21: spec.template.spec.nodeSelector: expected a map, found a list; remove the `- ` before its fields
            "#]],
        );
    }

    /// A Job whose container has these lines.
    fn with_lines(lines: &str) -> String {
        format!("spec:\n  template:\n    spec:\n      containers:\n      - name: main\n{lines}")
    }

    #[test]
    fn fields_that_are_not_indented_belong_to_the_one_above() {
        check(
            &with_lines(
                "        envFrom:\n        - configMapRef:\n          name: cfg\n        - secretRef:\n          name: s\n          optional: true\n        - name: cfg\n",
            ),
            expect![[r#"
                8:11: spec.template.spec.containers[0].envFrom[0].name: unknown field "name"; name belongs to configMapRef: move it to spec.template.spec.containers[0].envFrom[0].configMapRef.name
                10:11: spec.template.spec.containers[0].envFrom[1].name: unknown field "name"; name belongs to secretRef: move it to spec.template.spec.containers[0].envFrom[1].secretRef.name
                11:11: spec.template.spec.containers[0].envFrom[1].optional: unknown field "optional"; optional belongs to secretRef: move it to spec.template.spec.containers[0].envFrom[1].secretRef.optional
                12:11: spec.template.spec.containers[0].envFrom[2].name: unknown field "name"; name belongs to configMapRef or secretRef: indent it under one of them
            "#]],
        );
        check(
            &with_lines(
                "        env:\n        - name: A\n          valueFrom:\n            configMapKeyRef:\n            name: cfg\n            key: k\n        - name: B\n          valueFrom:\n            secretKeyRef:\n              name: cfg\n            key: k\n",
            ),
            expect![[r#"
                10:13: spec.template.spec.containers[0].env[0].valueFrom.name: unknown field "name"; name belongs to configMapKeyRef: move it to spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef.name
                11:13: spec.template.spec.containers[0].env[0].valueFrom.key: unknown field "key"; key belongs to configMapKeyRef: move it to spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef.key
                16:13: spec.template.spec.containers[0].env[1].valueFrom.key: unknown field "key"; key belongs to secretKeyRef: move it to spec.template.spec.containers[0].env[1].valueFrom.secretKeyRef.key
            "#]],
        );
        check(
            "spec:\n  template:\n  spec:\n    containers: []\n",
            expect![[r#"
                3:3: spec.spec: unknown field "spec"; spec belongs to the pod template: move it to spec.template.spec
            "#]],
        );
    }

    #[test]
    fn variables_and_references_are_maps_with_a_name() {
        check(
            &with_lines("        env:\n          FOO: bar\n          PORT: 8080\n        envFrom:\n          configMapRef: {name: cfg}\n"),
            expect![[r#"
                7:11: spec.template.spec.containers[0].env: expected a list, found a map; write each variable as an item of its own, as in `- {name: FOO, value: bar}`
                10:11: spec.template.spec.containers[0].envFrom: expected a list, found a map; start each item of the list with `- `
            "#]],
        );
        check(
            &with_lines(
                "        env:\n        - FOO=bar\n        - PORT=8080\n        - URL=a=b c\n        - name=FOO\n        - FOO\n        - FOO: bar\n          PORT: 8080\n        - \
                 nmae: FOO\n        - EMPTY:\n",
            ),
            expect![[r#"
                7:11: spec.template.spec.containers[0].env[0]: expected a map, found text; use a map: {name: FOO, value: bar}
                8:11: spec.template.spec.containers[0].env[1]: expected a map, found text; use a map: {name: PORT, value: "8080"}
                9:11: spec.template.spec.containers[0].env[2]: expected a map, found text; use a map: {name: URL, value: "a=b c"}
                10:11: spec.template.spec.containers[0].env[3]: expected a map, found text; put its fields on separate lines below, indented, as in `name: value`
                11:11: spec.template.spec.containers[0].env[4]: expected a map, found text; put its fields on separate lines below, indented, as in `name: value`
                12:11: spec.template.spec.containers[0].env[5].FOO: unknown field "FOO"; write each variable as an item of its own, as in `- {name: FOO, value: bar}`
                13:11: spec.template.spec.containers[0].env[5].PORT: unknown field "PORT"; write each variable as an item of its own, as in `- {name: PORT, value: "8080"}`
                14:11: spec.template.spec.containers[0].env[6].nmae: unknown field "nmae"; did you mean name?
                15:11: spec.template.spec.containers[0].env[7].EMPTY: unknown field "EMPTY"; write each variable as an item of its own, as in `- {name: EMPTY, value: ""}`
            "#]],
        );
        check(
            &(with_lines(
                "        envFrom:\n        - configMapRef: cfg\n        - secretRef: 'on'\n        - cfg\n        env:\n        - name: A\n          valueFrom: {secretKeyRef: s}\n",
            ) + "      imagePullSecrets: [regcred]\n      volumes:\n      - {name: a, configMap: cfg}\n      - {name: b, secret: s}\n      - {name: c, persistentVolumeClaim: data}\n"),
            expect![[r#"
                7:25: spec.template.spec.containers[0].envFrom[0].configMapRef: expected a map, found text; use a map: {name: cfg}
                8:22: spec.template.spec.containers[0].envFrom[1].secretRef: expected a map, found text; use a map: {name: "on"}
                9:11: spec.template.spec.containers[0].envFrom[2]: expected a map, found text; put its fields on separate lines below, indented, as in `name: value`
                12:37: spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef: expected a map, found text; put its fields on separate lines below, indented, as in `name: value`
                13:26: spec.template.spec.imagePullSecrets[0]: expected a map, found text; use a map: {name: regcred}
                15:30: spec.template.spec.volumes[0].configMap: expected a map, found text; use a map: {name: cfg}
                16:27: spec.template.spec.volumes[1].secret: expected a map, found text; use a map: {secretName: s}
                17:42: spec.template.spec.volumes[2].persistentVolumeClaim: expected a map, found text; use a map: {claimName: data}
            "#]],
        );
    }

    #[test]
    fn null_is_what_a_type_has_where_nothing_is_given() {
        check(
            "metadata: {labels: {a: }, finalizers: [null]}\nspec: {parallelism: , template: {spec: {containers: [null]}}}",
            expect![[r#"
                {"metadata":{"finalizers":[""],"labels":{"a":""}},"spec":{"parallelism":null,"template":{"spec":{"containers":[{}]}}}}
            "#]],
        );
    }
}

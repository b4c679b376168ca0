//! Fixes: how a text is changed so that a diagnostic is gone and everything else stays as it is written.
//!
//! Docs: Kubernetes API Concepts, "Field validation". What helps is decided where a diagnostic is made; how entries are taken out and put in is in `edit.rs`.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::edit::{self, Edit, Piece};
use crate::lines::SourceLines;
use crate::node::{Content, SourceNode};
use crate::read::FileReading;
use crate::{Diagnostic, Document, Position, jobs, path};

/// Longer texts are not repaired: each repair reads the text again.
const LONGEST: usize = 200_000;

/// What makes a diagnostic go away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// The field belongs at this path, or was meant to have its name.
    Move {
        /// The path.
        to: String,
    },
    /// The value is to be written like this.
    Write {
        /// The value in YAML.
        value: String,
    },
    /// A field is missing.
    Add {
        /// Its path.
        path: String,
        /// Its value in YAML.
        value: String,
    },
    /// The field is there already.
    Remove,
    /// The field is not wanted.
    TakeOut,
    /// The text becomes a manifest.
    Clean {
        /// What is done.
        label: String,
        /// The changes of the text.
        edits: Vec<Edit>,
    },
}

/// A change of a text that makes a diagnostic go away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// What is done: `Move backoffLimit to spec`.
    pub label: String,
    /// The changes of the text, which do not overlap.
    pub edits: Vec<Edit>,
}

/// A text that is repaired.
#[derive(Debug)]
pub struct Repairs<'t> {
    text: &'t str,
    lines: SourceLines<'t>,
    /// The objects in it that can be read.
    objects: Vec<SourceNode>,
    /// How much is wrong with the rest of it.
    problems: usize,
}

impl Repair {
    /// The text with its changes; `None` if it is another text.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<String> {
        edit::apply(text, &self.edits)
    }
}

impl<'t> Repairs<'t> {
    /// Reads the text.
    #[must_use]
    pub fn of(text: &'t str) -> Self {
        let (objects, problems) = if text.len() > LONGEST { (Vec::new(), 0) } else { objects(text) };
        Self { text, lines: SourceLines::of(text), objects, problems }
    }

    /// The repair for a diagnostic of the text, if there is one that changes nothing else.
    #[must_use]
    pub fn repair(&self, found: &Diagnostic) -> Option<Repair> {
        let fix = found.fix.as_deref().filter(|_| self.text.len() <= LONGEST)?;
        let mut edits = self.edits(found, fix)?;
        if self.text.contains("\r\n") {
            edits.iter_mut().for_each(|edit| edit.text = edit.text.replace("\r\n", "\n").replace('\n', "\r\n"));
        }
        let changed = edit::apply(self.text, &edits)?;
        self.meant(found, fix, &changed).then(|| Repair { label: label(found, fix), edits })
    }

    /// The change of a field of an object of the text, where nothing else changes with it.
    #[must_use]
    pub fn change(&self, object: &Document, path: &str, fix: Fix) -> Option<Repair> {
        self.repair(&Diagnostic::error(object.position(""), "").at(path).fix(Some(fix)))
    }

    fn edits(&self, found: &Diagnostic, fix: &Fix) -> Option<Vec<Edit>> {
        if let Fix::Clean { edits, .. } = fix {
            return Some(edits.clone());
        }
        let key = self.lines.bytes(found.position);
        if *fix == Fix::Remove {
            let before = &self.text[..key.start];
            let line = before.rsplit('\n').next().unwrap_or_default().trim_start_matches([' ', '-']);
            let braces = line.ends_with(['{', ',', ' ']) || line.is_empty() && self.text.trim_start().starts_with('{');
            return Some(vec![edit::take(self.text, key, braces)?.0]);
        }
        let root = &self.objects[self.object(found)?];
        match fix {
            Fix::Move { to } => self.moved(root, found, to),
            Fix::Write { value } => {
                let node = path::steps(&found.path).into_iter().try_fold(root, below)?;
                let written = matches!(node.content, Content::Scalar { .. }) && !node.null();
                written.then(|| vec![Edit { range: self.lines.bytes(node.position), text: self.written(value) }])
            }
            Fix::Add { path, value } => {
                let (parents, name) = parent(path)?;
                let piece = Piece { comments: String::new(), key: name.to_owned(), rest: format!(": {}", self.written(value)) };
                Some(vec![edit::put(self.text, root, &parents, &piece, |position| self.start(position))?])
            }
            Fix::TakeOut => {
                let (parents, name) = parent(&found.path)?;
                let holder = parents.into_iter().try_fold(root, below)?;
                let braces = self.text[self.start(holder.position)..].starts_with('{');
                Some(vec![edit::take(self.text, self.lines.bytes(holder.entry(name)?.position), braces)?.0])
            }
            Fix::Remove | Fix::Clean { .. } => None,
        }
    }

    /// A value as this text has values: in JSON, words are in quotation marks.
    fn written(&self, value: &str) -> String {
        let json = self.text.trim_start().starts_with('{') && serde_json::from_str::<Value>(value).is_err();
        if json { read_value(value).unwrap_or_default().to_string() } else { value.to_owned() }
    }

    fn moved(&self, root: &SourceNode, found: &Diagnostic, to: &str) -> Option<Vec<Edit>> {
        let ((from, old), (parents, name)) = (parent(&found.path)?, parent(to)?);
        let named = from.iter().copied().try_fold(root, below).and_then(|holder| holder.entry(old));
        let key = self.lines.bytes(named.map_or(found.position, |entry| entry.position));
        let written = &self.text[key.clone()];
        let quote = written.chars().next().filter(|letter| matches!(letter, '"' | '\'')).map(String::from).unwrap_or_default();
        let name = format!("{quote}{name}{quote}");
        if from == parents {
            return Some(vec![Edit { range: key, text: name }]);
        }
        let holder = from.into_iter().try_fold(root, below)?;
        let braces = self.text[self.start(holder.position)..].starts_with('{');
        let (taken, piece) = edit::take(self.text, key, braces)?;
        let mut put = edit::put(self.text, root, &parents, &Piece { key: name, ..piece }, |position| self.start(position))?;
        // What is taken out at the end of a text leaves the end of the line before it.
        if taken.range.end == put.range.start && put.text.starts_with('\n') {
            put.text.remove(0);
        }
        Some(vec![taken, put])
    }

    /// The object in which a diagnostic is.
    fn object(&self, found: &Diagnostic) -> Option<usize> {
        let place = |position: Position| (position.line, position.column);
        self.objects.iter().rposition(|object| place(object.position) <= place(found.position))
    }

    fn start(&self, position: Position) -> usize {
        self.lines.bytes(position).start
    }

    /// Whether a changed text has all that the text has, but for what is fixed.
    fn meant(&self, found: &Diagnostic, fix: &Fix, changed: &str) -> bool {
        let (objects, problems) = objects(changed);
        if matches!(fix, Fix::Clean { .. }) {
            return problems == 0 && !objects.is_empty();
        }
        if *fix == Fix::Remove {
            return problems < self.problems && !objects.is_empty();
        }
        let mut wanted: Vec<Value> = self.objects.iter().map(SourceNode::value).collect();
        let fixed = self.object(found).and_then(|number| fixed(&mut wanted[number], &found.path, fix));
        let values = |objects: Vec<SourceNode>| objects.iter().map(|object| simple(object.value())).collect::<Vec<_>>();
        fixed.is_some() && problems == self.problems && values(objects) == wanted.into_iter().map(simple).collect::<Vec<_>>()
    }
}

/// All objects of a text that can be read, those of lists too, and how much is wrong with the rest.
fn objects(text: &str) -> (Vec<SourceNode>, usize) {
    let FileReading { documents, unreadable, .. } = FileReading::of(text);
    let problems = unreadable.len() + documents.iter().map(|(_, duplicates)| duplicates.len()).sum::<usize>();
    let objects = documents.iter().flat_map(|(document, _)| jobs::each(document.root())).map(Cow::into_owned).collect();
    (objects, problems)
}

/// The steps to the map that holds a field, and the field's name.
fn parent(path: &str) -> Option<(Vec<&str>, &str)> {
    let mut steps = path::steps(path);
    let name = steps.pop()?;
    Some((steps, name))
}

/// The node one step further.
fn below<'n>(node: &'n SourceNode, step: &str) -> Option<&'n SourceNode> {
    match &node.content {
        Content::List(items) => items.get(step.parse::<usize>().ok()?),
        Content::Map(_) | Content::Scalar { .. } => node.entry(step).map(|entry| &entry.node),
    }
}

/// Makes of an object's value what a fix is to make of it.
fn fixed(object: &mut Value, path: &str, fix: &Fix) -> Option<()> {
    match fix {
        Fix::Move { to } => {
            let (parents, name) = parent(path)?;
            let value = holder(object, &parents, false)?.as_object_mut()?.remove(name)?;
            insert(object, to, value)
        }
        Fix::Write { value } => {
            let (parents, name) = parent(path)?;
            *below_value(holder(object, &parents, false)?, name)? = read_value(value)?;
            Some(())
        }
        Fix::Add { path, value } => insert(object, path, read_value(value)?),
        Fix::TakeOut => {
            let (parents, name) = parent(path)?;
            holder(object, &parents, false)?.as_object_mut()?.remove(name).map(|_| ())
        }
        Fix::Remove | Fix::Clean { .. } => None,
    }
}

/// Puts a value where none is.
fn insert(object: &mut Value, path: &str, value: Value) -> Option<()> {
    let (parents, name) = parent(path)?;
    let fields = holder(object, &parents, true)?.as_object_mut()?;
    fields.insert(name.to_owned(), value).is_none().then_some(())
}

/// The value at these steps, with the maps that are missing if that is wanted.
fn holder<'v>(object: &'v mut Value, steps: &[&str], make: bool) -> Option<&'v mut Value> {
    steps.iter().try_fold(object, |value, step| {
        if make && let Value::Object(fields) = value {
            let below = fields.entry(*step).or_insert(Value::Null);
            if below.is_null() {
                *below = Map::new().into();
            }
        }
        below_value(value, step)
    })
}

/// The value one step further; without a number, the only item of a list.
fn below_value<'v>(value: &'v mut Value, step: &str) -> Option<&'v mut Value> {
    match value {
        Value::Array(items) => {
            let number = if step.is_empty() && items.len() == 1 { 0 } else { step.parse::<usize>().ok()? };
            items.get_mut(number)
        }
        Value::Object(fields) => fields.get_mut(step),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn read_value(text: &str) -> Option<Value> {
    crate::read(text).ok()?.first().map(|document| document.value().clone())
}

/// The value with nothing where a map is empty: a key whose last field is taken out has no value.
fn simple(value: Value) -> Value {
    match value {
        Value::Object(fields) if fields.is_empty() => Value::Null,
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, simple(value))).collect(),
        Value::Array(items) => items.into_iter().map(simple).collect(),
        word @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => word,
    }
}

/// What a fix does, in words.
fn label(found: &Diagnostic, fix: &Fix) -> String {
    let name = path::steps(&found.path).pop().unwrap_or_default();
    match fix {
        Fix::Move { to } => match to.rsplit_once('.').unwrap_or(("", to)) {
            (parent, meant) if path::steps(parent) == parent_steps(&found.path) => format!("Change to {meant}"),
            ("", meant) => format!("Move {meant} to the top level"),
            (parent, meant) => format!("Move {meant} to {}", parent.replace("[]", "[0]")),
        },
        Fix::Write { value } => format!("Change to {value}"),
        Fix::Add { path, value } => format!("Add {}: {value}", path::steps(path).pop().unwrap_or_default()),
        Fix::Remove => format!("Remove the second {name}"),
        Fix::TakeOut => format!("Remove {name}"),
        Fix::Clean { label, .. } => label.clone(),
    }
}

fn parent_steps(path: &str) -> Vec<&str> {
    parent(path).map(|(parents, _)| parents).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn problems(text: &str) -> Vec<Diagnostic> {
        jobs::workloads(text).err().unwrap_or_default()
    }

    /// The label of the first problem's repair, and the text after it, in which the problem is gone.
    fn check(text: &str, expected: Expect) {
        let found = problems(text);
        let Some(Repair { label, edits }) = Repairs::of(text).repair(&found[0]) else {
            return expected.assert_eq(&format!("{}\nno repair\n", found[0]));
        };
        let changed = edit::apply(text, &edits).unwrap();
        let left = problems(&changed);
        assert!(left.len() < found.len() || left.iter().all(|other| other.message != found[0].message), "{left:?}\n{changed}");
        expected.assert_eq(&format!("{label}\n{changed}"));
    }

    /// A Job with these lines in its spec and in its pod's.
    fn job(spec: &str, pod: &str) -> String {
        format!(
            "apiVersion: batch/v1\nkind: Job\nspec:\n  completions: 2 # all\n{spec}  # The pods.\n  template:\n    spec:\n{pod}      containers:\n      - name: main\n"
        )
    }

    /// A Job whose container has these lines.
    fn container(lines: &str) -> String {
        job("", "").replace("name: main\n", &format!("name: main\n{lines}"))
    }

    #[test]
    fn what_is_not_indented_moves_below_the_line_above() {
        check(
            &container("        envFrom:\n        - configMapRef:\n          name: cfg\n        - secretRef: {name: s}\n"),
            expect![[r#"
                Move name to spec.template.spec.containers[0].envFrom[0].configMapRef
                apiVersion: batch/v1
                kind: Job
                spec:
                  completions: 2 # all
                  # The pods.
                  template:
                    spec:
                      containers:
                      - name: main
                        envFrom:
                        - configMapRef:
                            name: cfg
                        - secretRef: {name: s}
            "#]],
        );
        check(
            &container(
                "        env:\n        - name: A\n          valueFrom:\n            configMapKeyRef:\n            name: cfg\n            key: k\n",
            ),
            expect![[r#"
                Move name to spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef
                apiVersion: batch/v1
                kind: Job
                spec:
                  completions: 2 # all
                  # The pods.
                  template:
                    spec:
                      containers:
                      - name: main
                        env:
                        - name: A
                          valueFrom:
                            configMapKeyRef:
                              name: cfg
                            key: k
            "#]],
        );
        check(
            &container(
                "        env:\n        - name: A\n          valueFrom:\n            configMapKeyRef:\n              name: cfg\n            key: k\n",
            ),
            expect![[r#"
                Move key to spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef
                apiVersion: batch/v1
                kind: Job
                spec:
                  completions: 2 # all
                  # The pods.
                  template:
                    spec:
                      containers:
                      - name: main
                        env:
                        - name: A
                          valueFrom:
                            configMapKeyRef:
                              name: cfg
                              key: k
            "#]],
        );
    }

    #[test]
    fn references_and_variables_become_maps() {
        check(
            &container("        envFrom:\n        - configMapRef: cfg\n"),
            expect![[r#"
            Change to {name: cfg}
            apiVersion: batch/v1
            kind: Job
            spec:
              completions: 2 # all
              # The pods.
              template:
                spec:
                  containers:
                  - name: main
                    envFrom:
                    - configMapRef: {name: cfg}
        "#]],
        );
        check(
            &container("        env:\n        - FOO=bar\n"),
            expect![[r#"
            Change to {name: FOO, value: bar}
            apiVersion: batch/v1
            kind: Job
            spec:
              completions: 2 # all
              # The pods.
              template:
                spec:
                  containers:
                  - name: main
                    env:
                    - {name: FOO, value: bar}
        "#]],
        );
    }

    #[test]
    fn a_field_moves_up_with_its_comments() {
        check(
            &job("", "      # Tries.\n      backoffLimit: 3   # three\n\n"),
            expect![[r#"
                Move backoffLimit to spec
                apiVersion: batch/v1
                kind: Job
                spec:
                  completions: 2 # all
                  # Tries.
                  backoffLimit: 3   # three
                  # The pods.
                  template:
                    spec:

                      containers:
                      - name: main
            "#]],
        );
    }

    #[test]
    fn a_field_moves_down() {
        check(
            &job("  restartPolicy: Never\n", ""),
            expect![[r#"
                Move restartPolicy to spec.template.spec
                apiVersion: batch/v1
                kind: Job
                spec:
                  completions: 2 # all
                  # The pods.
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                      - name: main
            "#]],
        );
    }

    #[test]
    fn a_list_moves_with_its_items() {
        check(
            "apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    containers:\n    - name: main\n      # What runs.\n      image: busybox\n\n    - name: side\nstatus: {}\n",
            expect![[r#"
                Move containers to spec.template.spec
                apiVersion: batch/v1
                kind: Job
                spec:
                  template:
                    spec:
                      containers:
                      - name: main
                        # What runs.
                        image: busybox

                      - name: side
                status: {}
            "#]],
        );
    }

    #[test]
    fn a_name_stays_text() {
        let container =
            "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: 12-, image: a}]}}}\n";
        let objects = crate::read(container).unwrap();
        let message = "Invalid value: \"12-\": a lowercase RFC 1123 label must consist of …";
        let found = crate::locate(&objects[0], "spec.template.spec.containers[0].name", message);
        assert_eq!(found.fix, Some(Box::new(Fix::Write { value: "\"12\"".to_owned() })));
    }

    #[test]
    fn parts_that_are_missing_are_written() {
        check(
            "apiVersion: batch/v1\nkind: CronJob\nspec:\n  schedule: '@daily'\n  backoffLimit: 3",
            expect![[r#"
                Move backoffLimit to spec.jobTemplate.spec
                apiVersion: batch/v1
                kind: CronJob
                spec:
                  schedule: '@daily'
                  jobTemplate:
                    spec:
                      backoffLimit: 3"#]],
        );
        check(
            "apiVersion: batch/v1\nkind: Job\nname: pi\nmetadata:\nspec: {}\n",
            expect![[r#"
                Move name to metadata
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: pi
                spec: {}
            "#]],
        );
    }

    #[test]
    fn the_first_field_of_an_item_moves() {
        check(
            &job("", "").replace("- name: main\n", "- backoffLimit: 3\n        name: main\n"),
            expect![[r#"
                Move backoffLimit to spec
                apiVersion: batch/v1
                kind: Job
                spec:
                  completions: 2 # all
                  backoffLimit: 3
                  # The pods.
                  template:
                    spec:
                      containers:
                      - name: main
            "#]],
        );
    }

    #[test]
    fn a_field_moves_into_the_only_container() {
        check(
            &job("", "      image: busybox\n"),
            expect![[r#"
                Move image to spec.template.spec.containers[0]
                apiVersion: batch/v1
                kind: Job
                spec:
                  completions: 2 # all
                  # The pods.
                  template:
                    spec:
                      containers:
                      - name: main
                        image: busybox
            "#]],
        );
        check(
            &job("", "      image: busybox\n").replace("- name: main\n", "- name: main\n      - name: side\n"),
            expect![[r#"
                8:7: spec.template.spec.image: unknown field "image"; image belongs to a container: move it to spec.template.spec.containers[].image
                no repair
            "#]],
        );
    }

    #[test]
    fn a_field_that_is_there_already_stays() {
        check(
            &job("  backoffLimit: 1\n", "      backoffLimit: 3\n"),
            expect![[r#"
                9:7: spec.template.spec.backoffLimit: unknown field "backoffLimit"; keep one of the two: spec.backoffLimit is already 1
                no repair
            "#]],
        );
    }

    #[test]
    fn fields_in_braces() {
        check(
            "apiVersion: batch/v1\nkind: Job\nspec: {template: {spec: {backoffLimit: 3, containers: []}}}\n",
            expect![[r#"
                Move backoffLimit to spec
                apiVersion: batch/v1
                kind: Job
                spec: {backoffLimit: 3, template: {spec: {containers: []}}}
            "#]],
        );
        check(
            "{\n  \"apiVersion\": \"batch/v1\",\n  \"kind\": \"Job\",\n  \"spec\": {\n    \"template\": {\n      \"spec\": {\n        \"containers\": [],\n        \"backoffLimit\": 3\n      }\n    }\n  }\n}\n",
            expect![[r#"
                Move backoffLimit to spec
                {
                  "apiVersion": "batch/v1",
                  "kind": "Job",
                  "spec": {
                    "backoffLimit": 3,
                    "template": {
                      "spec": {
                        "containers": []
                      }
                    }
                  }
                }
            "#]],
        );
        check(
            "{\"apiVersion\": \"batch/v1\", \"metadata\": {}}",
            expect![[r#"
            Add kind: Job
            {"kind": "Job", "apiVersion": "batch/v1", "metadata": {}}"#]],
        );
    }

    #[test]
    fn misspelt_words() {
        check(
            &job("  \"parralelism\": 2\n", ""),
            expect![[r#"
            Change to parallelism
            apiVersion: batch/v1
            kind: Job
            spec:
              completions: 2 # all
              "parallelism": 2
              # The pods.
              template:
                spec:
                  containers:
                  - name: main
        "#]],
        );
        check(
            "apiVersion: batch/v1\nkind: Jbo # a Job\n",
            expect![[r#"
            Change to Job
            apiVersion: batch/v1
            kind: Job # a Job
        "#]],
        );
        check(
            "kind: Job\napiVersion: batch/v1beta1\n",
            expect![[r#"
            Change to batch/v1
            kind: Job
            apiVersion: batch/v1
        "#]],
        );
        check(
            "kind: Job\nspec: {}\n",
            expect![[r#"
            Add apiVersion: batch/v1
            kind: Job
            apiVersion: batch/v1
            spec: {}
        "#]],
        );
    }

    #[test]
    fn values_of_another_type() {
        check(
            &job("  parallelism: \"2\" # two\n", "").replace("completions", "backoffLimit"),
            expect![[r#"
            Change to 2
            apiVersion: batch/v1
            kind: Job
            spec:
              backoffLimit: 2 # all
              parallelism: 2 # two
              # The pods.
              template:
                spec:
                  containers:
                  - name: main
        "#]],
        );
        check(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, labels: {v: 1.0}}\n",
            expect![[r#"
            Change to "1.0"
            apiVersion: batch/v1
            kind: Job
            metadata: {name: a, labels: {v: "1.0"}}
        "#]],
        );
    }

    #[test]
    fn a_key_that_comes_twice() {
        check(
            "apiVersion: batch/v1\nkind: Job\nspec:\n  parallelism: 2\n  parallelism: 3 # more\n  suspend: true\n",
            expect![[r#"
            Remove the second parallelism
            apiVersion: batch/v1
            kind: Job
            spec:
              parallelism: 2
              suspend: true
        "#]],
        );
        check(
            "{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\",\n \"kind\": \"Job\"}",
            expect![[r#"
            Remove the second kind
            {"apiVersion": "batch/v1", "kind": "Job"}"#]],
        );
    }

    #[test]
    fn what_the_api_server_refuses() {
        let text = job("  completionMode: indexed\n", "      restartPolicy: Always\n");
        let documents = crate::read(&text).unwrap();
        let repair = |field: &str, message: &str| {
            let Repair { label, edits } = Repairs::of(&text).repair(&crate::locate(&documents[0], field, message)).unwrap();
            format!("{label}: {}", &text[edits[0].range.clone()])
        };
        assert_eq!(
            repair("spec.completionMode", "Unsupported value: \"indexed\": supported values: \"NonIndexed\", \"Indexed\""),
            "Change to Indexed: indexed"
        );
        assert_eq!(
            repair("spec.template.spec.restartPolicy", "Unsupported value: \"Always\": supported values: \"Never\""),
            "Change to Never: Always"
        );
        let text = job("", "");
        let missing = crate::locate(&crate::read(&text).unwrap()[0], "spec.template.spec.restartPolicy", "Required value: valid values");
        let Repair { label, edits } = Repairs::of(&text).repair(&missing).unwrap();
        assert_eq!((&*label, &*edits[0].text), ("Add restartPolicy: Never", "      restartPolicy: Never\n"));
    }

    #[test]
    fn other_documents_and_lists_stay_as_they_are() {
        let item = job("", "      backoffLimit: 3\n").trim_end().replace('\n', "\n  ");
        check(
            &format!("# first\n---\napiVersion: v1\nkind: List\nitems:\n- {item}\n- apiVersion: batch/v1\n  kind: Job\n"),
            expect![[r#"
            Move backoffLimit to spec
            # first
            ---
            apiVersion: v1
            kind: List
            items:
            - apiVersion: batch/v1
              kind: Job
              spec:
                completions: 2 # all
                backoffLimit: 3
                # The pods.
                template:
                  spec:
                    containers:
                    - name: main
            - apiVersion: batch/v1
              kind: Job
        "#]],
        );
    }
}

//! A restart policy that stands in a container, while the pod of the Job has none: it was meant for the pod.
//!
//! Docs: Jobs, "Pod template"; Pod Lifecycle, "Container restarts". Other fields at the wrong level are unknown there: they are found in `misplaced.rs`.

use serde_json::Value;

use crate::{Diagnostic, Document, Fix, RuleName, path};

/// What is wrong where a pod has no restart policy, as this field, and one of its containers has one; `None` if no container has.
pub(crate) fn of_container(document: &Document, field: &str) -> Option<Diagnostic> {
    let pod = field.strip_suffix(".restartPolicy")?;
    let containers = path::join(pod, "containers");
    let written = |at: usize| path::join(&path::entry(&containers, at), "restartPolicy");
    let value = |at: usize| document.get(&written(at)).and_then(Value::as_str).filter(|policy| ["Never", "OnFailure"].contains(policy));
    let count = document.get(&containers)?.as_array()?.len();
    let at = (0..count).find(|at| value(*at).is_some())?;
    let path = written(at);
    let error = Diagnostic::error(document.position(&path), "this is the restart policy of one container, and the pod has none");
    let meant = error.rule(RuleName::RESTART_POLICY_LEVEL).at(path).remedy(format!("move it to {field}"));
    Some(meant.fix(Some(Fix::Move { to: field.to_owned() })))
}

#[cfg(test)]
mod tests {
    use crate::{Fix, Repairs, locate, objects};

    #[test]
    fn a_restart_policy_of_a_container_is_moved_to_the_pod() {
        let job = |pod: &str, container: &str| {
            format!(
                "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec:\n  template:\n    spec:\n{pod}      containers:\n      - name: main\n        image: i\n{container}"
            )
        };
        let text = job("", "        restartPolicy: OnFailure\n");
        let refused = |text: &str| {
            let objects = objects(text).unwrap();
            locate(objects[0].document(), "spec.template.spec.restartPolicy", "Required value: valid values: \"OnFailure\", \"Never\"")
        };
        let found = refused(&text);
        assert_eq!(
            found.to_string(),
            "10:24: spec.template.spec.containers[0].restartPolicy: this is the restart policy of one container, and the pod has none; \
             move it to spec.template.spec.restartPolicy"
        );
        assert!(found.safe());
        let repair = Repairs::of(&text).repair(&found).unwrap();
        assert_eq!(repair.apply(&text).unwrap(), job("      restartPolicy: OnFailure\n", ""));
        let sidecar = job("      initContainers:\n      - {name: a, image: i, restartPolicy: Always}\n", "");
        assert!(matches!(refused(&sidecar).fix.as_deref(), Some(Fix::Add { .. })));
    }
}

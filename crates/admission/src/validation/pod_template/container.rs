//! One container of a pod template: what its parts must look like, and which parts go together.
//!
//! Docs: Pods, "Pod templates" (A-70). Its parts have files of their own here; the pod as a whole is in `mod.rs`.

use super::{Surroundings, environment, mounts, ports, resources, restart, security};
use crate::pod_template::Container;
use crate::validation::{FieldError, Path, names, one_of, required};

/// Checks a container apart from what it shares with others, and from its probes and hooks.
pub(super) fn check(path: &Path, container: &Container, around: &Surroundings, errors: &mut Vec<FieldError>) {
    if required(&path.field("name"), &container.name, errors) {
        names::check_label(&path.field("name"), &container.name, errors);
    }
    required(&path.field("image"), &container.image, errors);
    let policy = path.field("terminationMessagePolicy");
    if required(&policy, &container.termination_message_policy, errors) {
        one_of(&policy, &container.termination_message_policy, schema::values("Container", "terminationMessagePolicy"), errors);
    }
    ports::check(&path.field("ports"), &container.ports, errors);
    environment::check(&path.field("env"), &container.env, around, errors);
    environment::check_from(&path.field("envFrom"), &container.env_from, errors);
    mounts::check(path, container, around, errors);
    let policy = path.field("imagePullPolicy");
    if required(&policy, &container.image_pull_policy, errors) {
        one_of(&policy, &container.image_pull_policy, schema::values("Container", "imagePullPolicy"), errors);
    }
    resources::check(&path.field("resources"), &container.resources, around, errors);
    restart::check_resize(&path.field("resizePolicy"), &container.resize_policy, &*around.pod.restart_policy == "Never", errors);
    security::check_container(&path.field("securityContext"), container, around.pod, errors);
    restart::check(path, container, errors);
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_container;

    #[test]
    fn a_70_names_and_images_are_required() {
        check_container(r#""stdin":true"#, &[]);
        check_container(r#""name":"","image":"""#, &["containers[0].name: Required value", "containers[0].image: Required value"]);
        check_container(r#""name":"a.b""#, &[r#"containers[0].name: Invalid value: "a.b": must not contain dots"#]);
        check_container(
            r#""imagePullPolicy":"Now","terminationMessagePolicy":"x""#,
            &[
                r#"containers[0].terminationMessagePolicy: Unsupported value: "x": supported values: "File", "FallbackToLogsOnError""#,
                r#"containers[0].imagePullPolicy: Unsupported value: "Now": supported values: "Always", "IfNotPresent", "Never""#,
            ],
        );
    }
}

//! Annotations of pods that say what fields say today.
//!
//! Docs: Well-Known Labels, Annotations and Taints (A-70). Keys and size of annotations are checked in `validation/labels.rs`.

use api::meta::Labels;

use crate::pod_template::{PodSpec, SecurityProfile};
use crate::validation::{FieldError, Path, file_paths};

pub(crate) const SECCOMP_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
pub(crate) const SECCOMP_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";
pub(crate) const APP_ARMOR_CONTAINER: &str = "container.apparmor.security.beta.kubernetes.io/";
const MIRROR: &str = "kubernetes.io/config.mirror";
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";

/// Checks annotations, and that they do not contradict the fields; `path` is the template's.
pub(super) fn check(path: &Path, annotations: &Labels, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let own = path.field("annotations");
    for (key, value) in annotations {
        let at = own.key(key);
        match &**key {
            MIRROR if spec.node_name.is_empty() => {
                errors.push(FieldError::invalid(at, value, "must set spec.nodeName if mirror pod annotation is set"));
            }
            DELETION_COST if !is_cost(value) => errors.push(FieldError::invalid(at, value, "must be a 32bit integer")),
            key if key == SECCOMP_POD || key.starts_with(SECCOMP_CONTAINER) => check_seccomp(&own.field(key), value, errors),
            key => {
                let Some(name) = key.strip_prefix(APP_ARMOR_CONTAINER) else { continue };
                if !spec.all_containers().any(|(_, _, container)| &*container.name == name) {
                    errors.push(FieldError::invalid(at, name, "container not found"));
                }
                if !matches!(&**value, "" | "runtime/default" | "unconfined") && !value.starts_with("localhost/") {
                    errors.push(FieldError::invalid(at, value, format!("invalid AppArmor profile name: {value:?}")));
                }
            }
        }
    }
    check_beside_fields(&path.field("spec"), annotations, spec, errors);
}

/// Whether the text is an integer of 32 bits as it is printed.
fn is_cost(text: &str) -> bool {
    text.parse::<i32>().is_ok_and(|number| number.to_string() == text)
}

fn check_seccomp(path: &Path, profile: &str, errors: &mut Vec<FieldError>) {
    match profile.strip_prefix("localhost/") {
        Some(file) => file_paths::check_descending(path, file, errors),
        None if matches!(profile, "runtime/default" | "docker/default" | "unconfined") => (),
        None => errors.push(FieldError::invalid(path, profile, "must be a valid seccomp profile")),
    }
}

fn check_beside_fields(path: &Path, annotations: &Labels, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let context = &spec.security_context;
    let annotated = annotations.get(SECCOMP_POD).map(|text| &**text);
    check_same(&path.field("securityContext.seccompProfile"), "seccomp", annotated, context.seccomp_profile.as_ref(), errors);
    for (field, at, container) in spec.all_containers() {
        let path = path.field(field);
        let path = path.index(at);
        let path = path.field("securityContext");
        let own = &container.security_context;
        let annotated = |prefix: &str| annotations.get(&*format!("{prefix}{}", container.name)).map(|text| &**text);
        let seccomp = annotated(SECCOMP_CONTAINER);
        check_same(&path.field("seccompProfile"), "seccomp", seccomp, own.seccomp_profile.as_ref(), errors);
        let profile = own.app_armor_profile.as_ref().or(context.app_armor_profile.as_ref());
        check_same(&path.field("appArmorProfile"), "apparmor", annotated(APP_ARMOR_CONTAINER), profile, errors);
    }
}

/// Checks that an annotation, where there is one, names the same profile as the field.
fn check_same(path: &Path, what: &str, annotated: Option<&str>, field: Option<&SecurityProfile>, errors: &mut Vec<FieldError>) {
    let (Some(annotated), Some(field)) = (annotated, field) else { return };
    let file = annotated.strip_prefix("localhost/");
    let same_type = match &*field.kind {
        "Unconfined" => annotated == "unconfined",
        "RuntimeDefault" => matches!(annotated, "runtime/default" | "docker/default"),
        "Localhost" => file.is_some(),
        // The field is wrong by itself.
        _ => return,
    };
    if !same_type {
        errors.push(FieldError::forbidden(path.field("type"), format!("{what} type in annotation and field must match")));
    } else if file.is_some() && file != field.localhost_profile.as_deref() {
        let detail = format!("{what} profile in annotation and field must match");
        errors.push(FieldError::forbidden(path.field("localhostProfile"), detail));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_template;

    #[test]
    fn a_70_annotations_with_a_meaning() {
        check_template(
            "",
            "",
            r#"{"kubernetes.io/config.mirror":"x","controller.kubernetes.io/pod-deletion-cost":"+1","seccomp.security.alpha.kubernetes.io/pod":"x",
                "container.seccomp.security.alpha.kubernetes.io/any":"localhost//a","container.apparmor.security.beta.kubernetes.io/none":"x"}"#,
            &[
                r#"t.annotations[container.apparmor.security.beta.kubernetes.io/none]: Invalid value: "none": container not found"#,
                r#"t.annotations[container.apparmor.security.beta.kubernetes.io/none]: Invalid value: "x": invalid AppArmor profile name: "x""#,
                r#"t.annotations.container.seccomp.security.alpha.kubernetes.io/any: Invalid value: "/a": must be a relative path"#,
                r#"t.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer"#,
                r#"t.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set"#,
                r#"t.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "x": must be a valid seccomp profile"#,
            ],
        );
    }

    #[test]
    fn a_70_annotations_and_fields_agree() {
        let profiles =
            r#","securityContext":{"seccompProfile":{"type":"Localhost","localhostProfile":"a"},"appArmorProfile":{"type":"Unconfined"}}"#;
        let annotations = |seccomp: &str, app_armor: &str| {
            format!(
                r#"{{"seccomp.security.alpha.kubernetes.io/pod":"{seccomp}","container.apparmor.security.beta.kubernetes.io/main":"{app_armor}"}}"#
            )
        };
        check_template(profiles, "", &annotations("localhost/a", "unconfined"), &[]);
        check_template(
            profiles,
            "",
            &annotations("localhost/b", "runtime/default"),
            &[
                "securityContext.seccompProfile.localhostProfile: Forbidden: seccomp profile in annotation and field must match",
                "containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match",
            ],
        );
    }
}

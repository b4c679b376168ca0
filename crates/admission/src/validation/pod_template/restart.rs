//! When a container of its own accord is restarted, and what a change of its resources does to it.
//!
//! Docs: Pod Lifecycle, "Individual container restart policy and rules"; Resize CPU and Memory Resources assigned to Containers (A-70). The policy of
//! the pod is in `mod.rs`.

use std::collections::BTreeSet;

use crate::pod_template::{Container, ResizePolicy};
use crate::validation::{FieldError, Path, one_of, one_of_optional, required};

/// The most rules, and the most exit codes of one.
const RULES: usize = 20;
const EXIT_CODES: usize = 255;

pub(super) fn check(path: &Path, container: &Container, errors: &mut Vec<FieldError>) {
    let rules = path.field("restartPolicyRules");
    let policy = path.field("restartPolicy");
    one_of_optional(&policy, container.restart_policy.as_deref(), schema::values("Container", "restartPolicy"), errors);
    if container.restart_policy_rules.is_empty() {
        return;
    }
    if container.restart_policy.is_none() {
        errors.push(FieldError::required(policy, "must specify restartPolicy when restart rules are used"));
    }
    if container.restart_policy_rules.len() > RULES {
        errors.push(FieldError::too_many(rules, container.restart_policy_rules.len(), RULES));
    }
    for (at, rule) in container.restart_policy_rules.iter().enumerate() {
        let path = rules.index(at);
        one_of(&path.field("action"), &rule.action, schema::values("ContainerRestartRule", "action"), errors);
        let codes = path.field("exitCodes");
        let Some(on) = &rule.exit_codes else {
            errors.push(FieldError::required(codes, "must be specified"));
            continue;
        };
        one_of(&codes.field("operator"), &on.operator, schema::values("ContainerRestartRuleOnExitCodes", "operator"), errors);
        if on.values.len() > EXIT_CODES {
            errors.push(FieldError::too_many(codes.field("values"), on.values.len(), EXIT_CODES));
        }
    }
}

/// Checks what changes of resources do; `never`: whether containers of the pod are never restarted.
pub(super) fn check_resize(path: &Path, policies: &[ResizePolicy], never: bool, errors: &mut Vec<FieldError>) {
    let mut seen = BTreeSet::new();
    for (at, policy) in policies.iter().enumerate() {
        if !seen.insert(&policy.resource_name) {
            errors.push(FieldError::duplicate(path.index(at), &policy.resource_name));
        }
        for (value, supported) in
            [(&policy.resource_name, ["cpu", "memory"]), (&policy.restart_policy, ["NotRequired", "RestartContainer"])]
        {
            if required(path, value, errors) {
                one_of(path, value, &supported, errors);
            }
        }
        if never && &*policy.restart_policy != "NotRequired" {
            let detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
            errors.push(FieldError::invalid(path, &policy.restart_policy, detail));
        }
    }
}

/// Checks that no change restarts an init container that ends by itself.
pub(super) fn check_no_restart(path: &Path, policies: &[ResizePolicy], errors: &mut Vec<FieldError>) {
    for (at, policy) in policies.iter().enumerate().filter(|(_, policy)| &*policy.restart_policy == "RestartContainer") {
        let detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
        errors.push(FieldError::invalid(path.index(at).field("restartPolicy"), &policy.restart_policy, detail));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_container, check_pod};

    #[test]
    fn a_70_rules_of_containers() {
        check_container(
            r#""restartPolicy":"Never","restartPolicyRules":[{"action":"Restart","exitCodes":{"operator":"In","values":[1]}}]"#,
            &[],
        );
        check_container(
            r#""restartPolicyRules":[{"action":"x","exitCodes":{"operator":"Is"}},{"action":"Restart"}]"#,
            &[
                "containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used",
                r#"containers[0].restartPolicyRules[0].action: Unsupported value: "x": supported values: "Restart", "RestartAllContainers""#,
                r#"containers[0].restartPolicyRules[0].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn""#,
                "containers[0].restartPolicyRules[1].exitCodes: Required value: must be specified",
            ],
        );
        let rule = r#"{"action":"Restart","exitCodes":{"operator":"In","values":[1]}}"#;
        check_container(
            &format!(r#""restartPolicy":"Never","restartPolicyRules":[{}]"#, [rule; 21].join(",")),
            &["containers[0].restartPolicyRules: Too many: 21: must have at most 20 items"],
        );
    }

    #[test]
    fn a_70_changes_of_resources() {
        check_container(
            r#""resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"},{"resourceName":"cpu","restartPolicy":"RestartContainer"}]"#,
            &[
                r#"containers[0].resizePolicy[1]: Duplicate value: "cpu""#,
                r#"containers[0].resizePolicy: Invalid value: "RestartContainer": must be 'NotRequired' when pod `restartPolicy` is 'Never'"#,
            ],
        );
        check_pod(
            r#""restartPolicy":"OnFailure","initContainers":[{"name":"init","image":"x","imagePullPolicy":"Always","terminationMessagePolicy":"File",
                "resizePolicy":[{"resourceName":"cpu","restartPolicy":"RestartContainer"}]}]"#,
            &[
                r#"initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers"#,
            ],
        );
    }
}

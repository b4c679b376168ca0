//! Pod failure policy: whether its rules are complete and do not contradict each other.
//!
//! Docs: Jobs, "Pod failure policy" (A-80…A-94). What a rule means for a failed pod is decided in `controllers`.

use std::collections::BTreeSet;

use api::JobSpec;
use api::job::{OnExitCodes, PodFailurePolicyRule};

use super::{FieldError, Path, labels, one_of};
use crate::pod_template::PodTemplateSpec;

/// The most rules, and the most conditions of one rule.
const RULES: usize = 20;
const CONDITIONS: usize = 20;
/// The most exit codes of one rule.
const EXIT_CODES: usize = 255;

/// Checks the policy, if there is one.
pub(super) fn check(path: &Path, spec: &JobSpec, template: &PodTemplateSpec, errors: &mut Vec<FieldError>) {
    let Some(policy) = &spec.pod_failure_policy else { return };
    let rules = path.field("rules");
    if policy.rules.len() > RULES {
        errors.push(FieldError::too_many(rules, policy.rules.len(), RULES));
    }
    for (at, rule) in policy.rules.iter().enumerate() {
        check_rule(&rules.index(at), rule, spec, template, errors);
    }
}

fn check_rule(path: &Path, rule: &PodFailurePolicyRule, spec: &JobSpec, template: &PodTemplateSpec, errors: &mut Vec<FieldError>) {
    let action = path.field("action");
    match &*rule.action {
        "" => errors.push(FieldError::required(action, r#"valid values: ["Count" "FailIndex" "FailJob" "Ignore"]"#)),
        "FailIndex" if spec.backoff_limit_per_index.is_none() => {
            errors.push(FieldError::invalid(action, "FailIndex", "requires the backoffLimitPerIndex to be set"));
        }
        other => one_of(&action, other, schema::values("PodFailurePolicyRule", "action"), errors),
    }
    if let Some(exit_codes) = &rule.on_exit_codes {
        check_exit_codes(&path.field("onExitCodes"), exit_codes, template, errors);
    }
    check_conditions(&path.field("onPodConditions"), rule, errors);
    match (&rule.on_exit_codes, rule.on_pod_conditions.as_slice()) {
        (Some(_), [_, ..]) => {
            errors.push(FieldError::contradiction(path, "specifying both OnExitCodes and OnPodConditions is not supported"));
        }
        (None, []) => errors.push(FieldError::contradiction(path, "specifying one of OnExitCodes and OnPodConditions is required")),
        (Some(_), []) | (None, [_, ..]) => (),
    }
}

fn check_exit_codes(path: &Path, on: &OnExitCodes, template: &PodTemplateSpec, errors: &mut Vec<FieldError>) {
    let operator = path.field("operator");
    match &*on.operator {
        "" => errors.push(FieldError::required(operator, r#"valid values: ["In" "NotIn"]"#)),
        other => one_of(&operator, other, schema::values("PodFailurePolicyOnExitCodesRequirement", "operator"), errors),
    }
    if let Some(name) = &on.container_name
        && !template.spec.containers.iter().chain(&template.spec.init_containers).any(|container| container.name == *name)
    {
        let detail = "must be one of the container or initContainer names in the pod template";
        errors.push(FieldError::invalid(path.field("containerName"), name, detail));
    }
    let values = path.field("values");
    if on.values.is_empty() {
        errors.push(FieldError::invalid(values, &on.values, "at least one value is required"));
    } else if on.values.len() > EXIT_CODES {
        errors.push(FieldError::too_many(values, on.values.len(), EXIT_CODES));
    }
    let mut seen = BTreeSet::new();
    for (at, value) in on.values.iter().enumerate() {
        if *value == 0 && &*on.operator == "In" {
            errors.push(FieldError::invalid(values.index(at), value, "must not be 0 for the In operator"));
        }
        if !seen.insert(value) {
            errors.push(FieldError::duplicate(values.index(at), value));
        }
    }
    if !on.values.is_sorted() {
        errors.push(FieldError::invalid(values, &on.values, "must be ordered"));
    }
}

fn check_conditions(path: &Path, rule: &PodFailurePolicyRule, errors: &mut Vec<FieldError>) {
    if rule.on_pod_conditions.len() > CONDITIONS {
        errors.push(FieldError::too_many(path, rule.on_pod_conditions.len(), CONDITIONS));
    }
    for (at, condition) in rule.on_pod_conditions.iter().enumerate() {
        let path = path.index(at);
        labels::check_key(&path.field("type"), &condition.kind, errors);
        let status = path.field("status");
        match &*condition.status {
            "" => errors.push(FieldError::required(status, r#"valid values: ["False" "True" "Unknown"]"#)),
            "False" | "True" | "Unknown" => (),
            other => errors.push(FieldError::not_supported(status, other, &["False", "True", "Unknown"])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_rules(rules: &str, expected: &[&str]) {
        let spec: JobSpec = serde_json::from_str(&format!(r#"{{"podFailurePolicy":{{"rules":{rules}}}}}"#)).unwrap();
        let template: PodTemplateSpec = api::json::from_str(r#"{"spec":{"containers":[{"name":"main"}]}}"#).unwrap();
        let mut errors = Vec::new();
        check(&Path::of("policy"), &spec, &template, &mut errors);
        let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_80_to_a_83_rules_and_actions() {
        check_rules("[]", &[]);
        check_rules(
            "[{}]",
            &[
                r#"policy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]"#,
                "policy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
            ],
        );
        check_rules(
            r#"[{"action":"FailIndex","onPodConditions":[{"type":"A","status":"True"}]}]"#,
            &[r#"policy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set"#],
        );
        let rule = r#"{"action":"Count","onPodConditions":[{"type":"A","status":"True"}]}"#;
        check_rules(&format!("[{}]", [rule; 21].join(",")), &["policy.rules: Too many: 21: must have at most 20 items"]);
    }

    #[test]
    fn a_84_to_a_89_exit_codes() {
        check_rules(r#"[{"action":"Count","onExitCodes":{"containerName":"main","operator":"NotIn","values":[-1,0,300]}}]"#, &[]);
        check_rules(
            r#"[{"action":"Count","onExitCodes":{"containerName":"x","operator":"In","values":[1,0,1]}}]"#,
            &[
                "policy.rules[0].onExitCodes.containerName: Invalid value: \"x\": must be one of the container or initContainer names in the pod template",
                "policy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator",
                "policy.rules[0].onExitCodes.values[2]: Duplicate value: 1",
                "policy.rules[0].onExitCodes.values: Invalid value: [1,0,1]: must be ordered",
            ],
        );
    }

    #[test]
    fn a_90_to_a_94_conditions() {
        check_rules(
            r#"[{"action":"Count","onExitCodes":{"operator":"In","values":[1]},"onPodConditions":[{"type":"A","status":"Maybe"}]}]"#,
            &[
                r#"policy.rules[0].onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown""#,
                "policy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported",
            ],
        );
    }
}

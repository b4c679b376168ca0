//! Tolerations, topology spread, and gates.
//!
//! Docs: Taints and Tolerations; Pod Topology Spread Constraints; Pod Scheduling Readiness (A-70). Affinity is in `affinity.rs`.

use std::collections::BTreeSet;

use super::affinity;
use crate::pod_template::{PodSpec, Toleration, TopologySpreadConstraint};
use crate::validation::{FieldError, Path, labels, one_of, one_of_optional, selector};

pub(super) fn check_tolerations(path: &Path, tolerations: &[Toleration], errors: &mut Vec<FieldError>) {
    for (at, toleration) in tolerations.iter().enumerate() {
        check_toleration(&path.index(at), toleration, errors);
    }
}

fn check_toleration(path: &Path, toleration: &Toleration, errors: &mut Vec<FieldError>) {
    let Toleration { key, operator, value, effect, toleration_seconds } = toleration;
    let (operator_path, effect_path) = (path.field("operator"), path.field("effect"));
    if !key.is_empty() {
        labels::check_key(&path.field("key"), key, errors);
    } else if &**operator != "Exists" {
        let detail = "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
        errors.push(FieldError::invalid(operator_path, operator, detail));
    }
    if toleration_seconds.is_some() && &**effect != "NoExecute" {
        errors.push(FieldError::invalid(effect_path, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    match &**operator {
        "Equal" | "" => labels::check_value(&operator_path, value, errors),
        "Exists" if !value.is_empty() => {
            errors.push(FieldError::invalid(operator_path, value, "value must be empty when `operator` is 'Exists'"));
        }
        "Exists" => (),
        // They are known, but not yet in use.
        "Lt" | "Gt" => errors.push(FieldError::not_supported(operator_path, operator, &["Equal", "Exists", "Lt", "Gt"])),
        other => errors.push(FieldError::not_supported(operator_path, other, &["Equal", "Exists"])),
    }
    if !effect.is_empty() {
        one_of(&effect_path, effect, schema::values("Toleration", "effect"), errors);
    }
}

pub(super) fn check_spread(path: &Path, constraints: &[TopologySpreadConstraint], errors: &mut Vec<FieldError>) {
    for (at, constraint) in constraints.iter().enumerate() {
        let path = path.index(at);
        check_constraint(&path, constraint, errors);
        let same = |other: &TopologySpreadConstraint| {
            (&other.topology_key, &other.when_unsatisfiable) == (&constraint.topology_key, &constraint.when_unsatisfiable)
        };
        if constraints[at + 1..].iter().any(same) {
            let pair = format!("{{{}, {}}}", constraint.topology_key, constraint.when_unsatisfiable);
            errors.push(FieldError::duplicate(path.field("{topologyKey, whenUnsatisfiable}"), &pair));
        }
    }
}

fn check_constraint(path: &Path, constraint: &TopologySpreadConstraint, errors: &mut Vec<FieldError>) {
    let when = &constraint.when_unsatisfiable;
    check_positive(&path.field("maxSkew"), constraint.max_skew, errors);
    if constraint.topology_key.is_empty() {
        errors.push(FieldError::required(path.field("topologyKey"), "can not be empty"));
    }
    one_of(&path.field("whenUnsatisfiable"), when, schema::values("TopologySpreadConstraint", "whenUnsatisfiable"), errors);
    if let Some(domains) = constraint.min_domains {
        let path = path.field("minDomains");
        check_positive(&path, domains, errors);
        if &**when != "DoNotSchedule" {
            let detail = format!("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {when}");
            errors.push(FieldError::invalid(path, &domains, detail));
        }
    }
    one_of_optional(
        &path.field("nodeAffinityPolicy"),
        constraint.node_affinity_policy.as_deref(),
        schema::values("TopologySpreadConstraint", "nodeAffinityPolicy"),
        errors,
    );
    one_of_optional(
        &path.field("nodeTaintsPolicy"),
        constraint.node_taints_policy.as_deref(),
        schema::values("TopologySpreadConstraint", "nodeTaintsPolicy"),
        errors,
    );
    affinity::check_label_keys(&path.field("matchLabelKeys"), &constraint.match_label_keys, constraint.label_selector.is_some(), errors);
    if let Some(chosen) = &constraint.label_selector {
        selector::check(&path.field("labelSelector"), chosen, false, errors);
    }
}

fn check_positive(path: &Path, number: i32, errors: &mut Vec<FieldError>) {
    if number <= 0 {
        errors.push(FieldError::invalid(path, &number, "must be greater than zero"));
    }
}

pub(super) fn check_gates(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    for (at, gate) in spec.readiness_gates.iter().enumerate() {
        labels::check_key(&path.field("readinessGates").index(at).field("conditionType"), &gate.condition_type, errors);
    }
    let mut seen = BTreeSet::new();
    for (at, gate) in spec.scheduling_gates.iter().enumerate() {
        let path = path.field("schedulingGates");
        let path = path.index(at);
        labels::check_key(&path, &gate.name, errors);
        if !seen.insert(&gate.name) {
            errors.push(FieldError::duplicate(path, &gate.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_pod;

    #[test]
    fn a_70_tolerations() {
        let check = |toleration: &str, expected: &[&str]| {
            let expected: Vec<String> = expected.iter().map(|text| format!("tolerations[0].{text}")).collect();
            check_pod(&format!(r#""tolerations":[{toleration}]"#), &expected.iter().map(String::as_str).collect::<Vec<_>>());
        };
        check(r#"{"operator":"Exists"}"#, &[]);
        check(r#"{"key":"a","value":"b","effect":"NoExecute","tolerationSeconds":-1}"#, &[]);
        check(
            r#"{"value":"b"}"#,
            &[r#"operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys""#],
        );
        check(
            r#"{"key":"a","operator":"Exists","value":"b","tolerationSeconds":1}"#,
            &[
                r#"effect: Invalid value: "": effect must be 'NoExecute' when `tolerationSeconds` is set"#,
                r#"operator: Invalid value: "b": value must be empty when `operator` is 'Exists'"#,
            ],
        );
        check(
            r#"{"key":"a","operator":"Gt","effect":"x"}"#,
            &[
                r#"operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt""#,
                r#"effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute""#,
            ],
        );
    }

    #[test]
    fn a_70_topology_spread() {
        let spread = r#"{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"ScheduleAnyway"}"#;
        check_pod(
            &format!(r#""topologySpreadConstraints":[{spread},{spread}]"#),
            &[r#"topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, ScheduleAnyway}""#],
        );
        check_pod(
            r#""topologySpreadConstraints":[{"maxSkew":0,"whenUnsatisfiable":"x","minDomains":1,"nodeTaintsPolicy":"y"}]"#,
            &[
                "topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero",
                "topologySpreadConstraints[0].topologyKey: Required value: can not be empty",
                r#"topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "x": supported values: "DoNotSchedule", "ScheduleAnyway""#,
                "topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not x",
                r#"topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "y": supported values: "Honor", "Ignore""#,
            ],
        );
    }

    #[test]
    fn a_70_gates() {
        check_pod(r#""schedulingGates":[{"name":"a"},{"name":"a"}]"#, &[r#"schedulingGates[1]: Duplicate value: "a""#]);
        check_pod(r#""readinessGates":[{"conditionType":"example.com/a"}]"#, &[]);
    }
}

//! Label selectors: whether one is well-formed, and what of a selector that is stored already stays acceptable.
//!
//! Docs: Labels and Selectors, "Resources that support set-based requirements" (A-42, A-117). What a selector selects is in `api::selector`.

use api::selector::{LabelSelector, Requirement};

use super::{FieldError, Path, labels};

/// Checks a selector. `any_values`: requirements may have values that no label has (A-117).
pub(super) fn check(path: &Path, selector: &LabelSelector, any_values: bool, errors: &mut Vec<FieldError>) {
    labels::check_labels(&path.field("matchLabels"), &selector.match_labels, errors);
    for (at, requirement) in selector.match_expressions.iter().enumerate() {
        check_requirement(&path.field("matchExpressions").index(at), requirement, any_values, errors);
    }
}

/// Whether the selector can select at all; the rules about what it selects look only at one that can.
pub(super) fn usable(selector: &LabelSelector) -> bool {
    let mut errors = Vec::new();
    check(&Path::of("selector"), selector, false, &mut errors);
    errors.is_empty()
}

/// Whether a requirement has a value that no label has (A-117).
pub(super) fn has_impossible_values(selector: &LabelSelector) -> bool {
    let mut errors = Vec::new();
    for value in selector.match_expressions.iter().flat_map(|requirement| &requirement.values) {
        labels::check_value(&Path::of("values"), value, &mut errors);
    }
    !errors.is_empty()
}

/// Checks a requirement on its own; also one of nodes.
pub(super) fn check_requirement(path: &Path, requirement: &Requirement, any_values: bool, errors: &mut Vec<FieldError>) {
    let values = path.field("values");
    match &*requirement.operator {
        "In" | "NotIn" if requirement.values.is_empty() => {
            errors.push(FieldError::required(values, "must be specified when `operator` is 'In' or 'NotIn'"));
        }
        "Exists" | "DoesNotExist" if !requirement.values.is_empty() => {
            errors.push(FieldError::forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" => (),
        other => errors.push(FieldError::invalid(path.field("operator"), other, "not a valid selector operator")),
    }
    labels::check_key(&path.field("key"), &requirement.key, errors);
    if !any_values {
        for (at, value) in requirement.values.iter().enumerate() {
            labels::check_value(&values.index(at), value, errors);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_json(selector: &str, any_values: bool, expected: &[&str]) {
        let selector: LabelSelector = serde_json::from_str(selector).unwrap();
        let mut errors = Vec::new();
        check(&Path::of("spec.selector"), &selector, any_values, &mut errors);
        let fields: Vec<_> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, expected);
    }

    #[test]
    fn a_42_operators_decide_about_values() {
        check_json("{}", false, &[]);
        check_json(r#"{"matchExpressions":[{"key":"k","operator":"Exists"},{"key":"k","operator":"In","values":["a"]}]}"#, false, &[]);
        check_json(r#"{"matchExpressions":[{"key":"k","operator":"In"}]}"#, false, &["spec.selector.matchExpressions[0].values"]);
        check_json(
            r#"{"matchExpressions":[{"key":"k","operator":"Exists","values":["a"]}]}"#,
            false,
            &["spec.selector.matchExpressions[0].values"],
        );
        check_json(r#"{"matchExpressions":[{"key":"k","operator":"Gt"}]}"#, false, &["spec.selector.matchExpressions[0].operator"]);
    }

    #[test]
    fn a_117_impossible_values_may_stay() {
        let selector = r#"{"matchExpressions":[{"key":"k","operator":"In","values":["a b"]}]}"#;
        check_json(selector, false, &["spec.selector.matchExpressions[0].values[0]"]);
        check_json(selector, true, &[]);
        let selector = serde_json::from_str(selector).unwrap();
        assert!(has_impossible_values(&selector) && !usable(&selector));
    }
}

//! Success policy: whether its rules can be met by the indexes that the Job has.
//!
//! Docs: Jobs, "Success policy" (A-95…A-100, A-103). When a rule is met is decided in `controllers`.

use api::JobSpec;
use api::indexes::IndexSet;
use api::job::{INDEXED, SuccessPolicyRule};

use super::{FieldError, Path, non_negative};

/// The most rules.
const RULES: usize = 20;
/// The most bytes of a rule's list of indexes.
const INDEXES_LENGTH: usize = 64 * 1024;

/// Checks the policy, if there is one.
pub(super) fn check(path: &Path, spec: &JobSpec, errors: &mut Vec<FieldError>) {
    let Some(policy) = &spec.success_policy else { return };
    if spec.completion_mode.as_deref() != Some(INDEXED) {
        errors.push(FieldError::invalid(path, policy, "requires indexed completion mode"));
        return;
    }
    let rules = path.field("rules");
    match policy.rules.len() {
        0 => errors.push(FieldError::required(rules, "at least one rules must be specified when the successPolicy is specified")),
        items if items > RULES => errors.push(FieldError::too_many(rules, items, RULES)),
        _ => (),
    }
    // Without completions that they could be held against, the Job is refused for that (A-60, A-103).
    let Some(completions) = spec.completions else { return };
    for (at, rule) in policy.rules.iter().enumerate() {
        check_rule(&rules.index(at), rule, completions, errors);
    }
}

fn check_rule(path: &Path, rule: &SuccessPolicyRule, completions: i32, errors: &mut Vec<FieldError>) {
    if rule.succeeded_count.is_none() && rule.succeeded_indexes.is_none() {
        errors.push(FieldError::required(path, "at least one of succeededCount or succeededIndexes must be specified"));
    }
    let listed = rule.succeeded_indexes.as_deref().map(|text| check_indexes(&path.field("succeededIndexes"), text, completions, errors));
    let path = path.field("succeededCount");
    non_negative(&path, rule.succeeded_count, errors);
    let Some(count) = rule.succeeded_count else { return };
    if count > completions {
        let detail = format!("must be less than or equal to {completions} (the number of specified completions)");
        errors.push(FieldError::invalid(path, &count, detail));
    }
    if let Some(listed) = listed.filter(|listed| i64::from(count) > i64::from(*listed)) {
        let detail = format!("must be less than or equal to {listed} (the number of indexes in the specified succeededIndexes field)");
        errors.push(FieldError::invalid(path, &count, detail));
    }
}

/// Checks a list of indexes and counts them; a list that cannot be read has none.
fn check_indexes(path: &Path, text: &str, completions: i32, errors: &mut Vec<FieldError>) -> u32 {
    if text.len() > INDEXES_LENGTH {
        errors.push(FieldError::too_long(path, INDEXES_LENGTH));
    }
    match IndexSet::parse_strictly(text, u32::try_from(completions).unwrap_or(0)) {
        Ok(indexes) => indexes.len(),
        Err(reason) => {
            errors.push(FieldError::invalid(path, text, format!("error parsing succeededIndexes: {reason}")));
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_rules(mode: &str, rules: &str, expected: &[&str]) {
        let spec = format!(r#"{{"completionMode":"{mode}","completions":5,"successPolicy":{{"rules":{rules}}}}}"#);
        let spec: JobSpec = serde_json::from_str(&spec).unwrap();
        let mut errors = Vec::new();
        check(&Path::of("policy"), &spec, &mut errors);
        let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_95_to_a_97_rules() {
        check_rules("NonIndexed", "[]", &[r#"policy: Invalid value: {"rules":[]}: requires indexed completion mode"#]);
        check_rules(
            "Indexed",
            "[]",
            &["policy.rules: Required value: at least one rules must be specified when the successPolicy is specified"],
        );
        check_rules(
            "Indexed",
            "[{}]",
            &["policy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified"],
        );
    }

    #[test]
    fn a_98_to_a_100_indexes_and_counts() {
        check_rules("Indexed", r#"[{"succeededIndexes":"0-2,4","succeededCount":4},{"succeededCount":0}]"#, &[]);
        check_rules(
            "Indexed",
            r#"[{"succeededIndexes":"5","succeededCount":6}]"#,
            &[
                r#"policy.rules[0].succeededIndexes: Invalid value: "5": error parsing succeededIndexes: too large index: "5""#,
                "policy.rules[0].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)",
                "policy.rules[0].succeededCount: Invalid value: 6: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)",
            ],
        );
    }
}

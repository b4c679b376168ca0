//! `managedBy`: a domain, a slash and a path.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller" (A-55…A-58).

use api::syntax::{MANAGER_LENGTH, is_path};

use super::{FieldError, Path, names};

/// Checks the field, if it is there.
pub(super) fn check(path: &Path, manager: Option<&str>, errors: &mut Vec<FieldError>) {
    let Some(manager) = manager else { return };
    if manager.is_empty() {
        errors.push(FieldError::required(path, ""));
        return;
    }
    match manager.split_once('/') {
        Some((host, rest)) if !host.is_empty() && !rest.is_empty() => {
            names::check_subdomain(path, host, errors);
            if !is_path(rest) {
                let detail = r"Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')";
                errors.push(FieldError::invalid(path, rest, detail));
            }
        }
        _ => errors.push(FieldError::invalid(path, manager, r#"must be a domain-prefixed path (such as "acme.io/foo")"#)),
    }
    if manager.len() > MANAGER_LENGTH {
        errors.push(FieldError::too_long(path, MANAGER_LENGTH));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_55_to_a_58() {
        let check = |manager: &str, expected: &[&str]| {
            let mut errors = Vec::new();
            check(&Path::of("m"), Some(manager), &mut errors);
            let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
            assert_eq!(texts, expected);
        };
        check("kubernetes.io/job-controller", &[]);
        check("a/b/c", &[]);
        check("", &["m: Required value"]);
        check("a/", &[r#"m: Invalid value: "a/": must be a domain-prefixed path (such as "acme.io/foo")"#]);
        check("a/b?", &[r#"m: Invalid value: "b?": Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')"#]);
        check(&format!("a/{}", "b".repeat(62)), &["m: Too long: may not be more than 63 bytes"]);
    }
}

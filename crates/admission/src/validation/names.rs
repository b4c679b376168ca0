//! Names: what is a DNS name, and what of a name is wrong.
//!
//! Docs: Object Names and IDs, "DNS Subdomain Names", "RFC 1123 Label Names". Their syntax is in `api::syntax`; label keys and values are in `labels.rs`.

use api::syntax::{LABEL_LENGTH, SUBDOMAIN_LENGTH, is_label, is_subdomain};

use super::{FieldError, Path};

pub(super) const NO_SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', \
     and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NO_LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', \
     and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/// What is wrong with a DNS subdomain.
pub(super) fn subdomain_faults(name: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if name.len() > SUBDOMAIN_LENGTH {
        faults.push(format!("must be no more than {SUBDOMAIN_LENGTH} characters"));
    }
    if !is_subdomain(name) {
        faults.push(NO_SUBDOMAIN.to_owned());
    }
    faults
}

/// What is wrong with a DNS label.
pub(crate) fn label_faults(name: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if name.len() > LABEL_LENGTH {
        faults.push(format!("must be no more than {LABEL_LENGTH} characters"));
    }
    if !is_label(name) {
        faults.push(if is_subdomain(name) { "must not contain dots" } else { NO_LABEL }.to_owned());
    }
    faults
}

/// Checks that a name is a DNS subdomain.
pub(super) fn check_subdomain(path: &Path, name: &str, errors: &mut Vec<FieldError>) {
    errors.extend(subdomain_faults(name).into_iter().map(|fault| FieldError::invalid(path, name, fault)));
}

/// Checks that a name is a DNS label.
pub(super) fn check_label(path: &Path, name: &str, errors: &mut Vec<FieldError>) {
    errors.extend(label_faults(name).into_iter().map(|fault| FieldError::invalid(path, name, fault)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subdomains_have_labels_between_dots() {
        for name in ["a", "a-b", "0", "a.b-c.1", &"a".repeat(253)] {
            assert_eq!(subdomain_faults(name), Vec::<String>::new(), "{name}");
        }
        for name in ["", "-", "a-", "a..b", ".a", "A", "a_b", "é"] {
            assert_eq!(subdomain_faults(name), [NO_SUBDOMAIN], "{name}");
        }
        assert_eq!(subdomain_faults(&"a".repeat(254)), ["must be no more than 253 characters"]);
    }

    #[test]
    fn labels_have_no_dots_and_63_bytes() {
        assert_eq!(label_faults(&"a".repeat(63)), Vec::<String>::new());
        assert_eq!(label_faults("a.b"), ["must not contain dots"]);
        assert_eq!(label_faults("a b"), [NO_LABEL]);
        assert_eq!(label_faults(&"a.".repeat(40)), ["must be no more than 63 characters", NO_LABEL]);
    }
}

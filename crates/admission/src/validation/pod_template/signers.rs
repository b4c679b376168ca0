//! Names of signers of certificates, and of bundles of certificates.
//!
//! Docs: Certificates and Certificate Signing Requests, "Signers", "Cluster trust bundles" (A-70). The volumes that name them are in `files.rs`.

use api::syntax::{LABEL_LENGTH, SUBDOMAIN_LENGTH};

use crate::validation::{FieldError, Path, names, required};

/// The most bytes of a signer's name.
const LENGTH: usize = SUBDOMAIN_LENGTH + 1 + SUBDOMAIN_LENGTH + 1 + LABEL_LENGTH;
const NO_SIGNER: &str = "must be a fully qualified domain and path of the form 'example.com/signer-name'";

/// Checks a name like `example.com/signer`.
pub(super) fn check(path: &Path, signer: &str, errors: &mut Vec<FieldError>) {
    if !required(path, signer, errors) {
        return;
    }
    let Some((domain, name)) = signer.split_once('/').filter(|(_, name)| !name.contains('/')) else {
        errors.push(FieldError::invalid(path, signer, NO_SIGNER));
        return;
    };
    let labels: Vec<&str> = domain.split('.').collect();
    if labels.len() < 2 {
        errors.push(FieldError::invalid(path, domain, "should be a domain with at least two segments separated by dots"));
    }
    for label in labels {
        for fault in names::label_faults(label) {
            errors.push(FieldError::invalid(path, domain, format!("validating label {label:?}: {fault}")));
        }
    }
    for label in name.split('.') {
        for fault in names::subdomain_faults(label) {
            errors.push(FieldError::invalid(path, name, format!("validating label {label:?}: {fault}")));
        }
    }
    if signer.len() > LENGTH {
        errors.push(FieldError::too_long(path, LENGTH));
    }
}

/// Checks the name of a bundle: one that belongs to a signer begins with it, as in `example.com:signer:name`.
pub(super) fn check_bundle_name(path: &Path, name: &str, errors: &mut Vec<FieldError>) {
    let own = name.rsplit(':').next().unwrap_or(name);
    for fault in names::subdomain_faults(own) {
        errors.push(FieldError::invalid(path, name, format!("not a valid clustertrustbundlename: {fault}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_70_signers_have_a_domain_and_a_name() {
        let faults = |signer: &str| {
            let mut errors = Vec::new();
            check(&Path::of("s"), signer, &mut errors);
            errors.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(faults("example.com/a.b"), Vec::<String>::new());
        assert_eq!(faults(""), ["s: Required value"]);
        assert_eq!(faults("a.b/c/d"), [format!(r#"s: Invalid value: "a.b/c/d": {NO_SIGNER}"#)]);
        assert_eq!(faults("a/b"), [r#"s: Invalid value: "a": should be a domain with at least two segments separated by dots"#]);
        assert_eq!(faults("a.b/C"), [format!(r#"s: Invalid value: "C": validating label "C": {}"#, names::NO_SUBDOMAIN)]);
    }

    #[test]
    fn a_70_bundles_may_begin_with_their_signer() {
        let valid = |name: &str| {
            let mut errors = Vec::new();
            check_bundle_name(&Path::of("n"), name, &mut errors);
            errors.is_empty()
        };
        assert!(valid("a") && valid("a.b:c:d") && !valid("A") && !valid("a:"));
    }
}

//! The syntax of names: DNS labels and subdomains, words, and names with a domain.
//!
//! Docs: Object Names and IDs, "DNS Subdomain Names", "RFC 1123 Label Names"; Labels and Selectors, "Syntax and character set"; Jobs, "Delegation of
//! managing a Job object to external controller". What the API server reports about names that break it is in `admission`.

/// The most bytes that a DNS label, and the part of a name after its domain, has.
pub const LABEL_LENGTH: usize = 63;
/// The most bytes that a DNS subdomain has.
pub const SUBDOMAIN_LENGTH: usize = 253;
/// The most bytes that `spec.managedBy` of a Job has.
pub const MANAGER_LENGTH: usize = 63;

/// Checks that a Job can have a name in `spec.managedBy` (A-55…A-58).
///
/// # Errors
/// What to write instead.
pub fn check_manager(name: &str) -> Result<(), &'static str> {
    let has_domain = name.split_once('/').is_some_and(|(domain, path)| is_subdomain(domain) && is_path(path));
    if has_domain && name.len() <= MANAGER_LENGTH {
        Ok(())
    } else {
        Err("write a domain in lower case, a slash and a path, as in example.com/jobs, of at most 63 characters")
    }
}

/// Whether the text has the form of what is after the domain in `spec.managedBy`.
#[must_use]
pub fn is_path(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || br"/-._~%!$&'()*+,;=:".contains(&byte))
}

/// Whether the text has the form of a DNS subdomain, however long it is.
#[must_use]
pub fn is_subdomain(name: &str) -> bool {
    name.split('.').all(is_label)
}

/// Whether the text has the form of a DNS label, however long it is.
#[must_use]
pub fn is_label(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    enclosed(name, inner, |byte| inner(byte) || byte == b'-')
}

/// Whether the text has the form of a label's value, or of the part of a key after its domain, however long it is.
#[must_use]
pub fn is_word(text: &str) -> bool {
    enclosed(text, |byte| byte.is_ascii_alphanumeric(), |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Whether the text begins and ends with a byte that `outer` admits, and has only those that `inner` admits between.
fn enclosed(text: &str, outer: impl Fn(u8) -> bool, inner: impl Fn(u8) -> bool) -> bool {
    match text.as_bytes() {
        [] => false,
        [only] => outer(*only),
        [first, between @ .., last] => outer(*first) && outer(*last) && between.iter().all(|byte| inner(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manager_has_a_domain_and_a_path() {
        let longest = format!("a/{}", "b".repeat(61));
        for name in ["kubernetes.io/job-controller", "a/b/C", "0.a-b/~", &longest] {
            assert_eq!(check_manager(name), Ok(()), "{name}");
        }
        let long = format!("{longest}b");
        for name in ["", "x", "/x", "x/", "X.Y/z", "a_b/c", "a./b", "a/b?", "a/é", &long] {
            assert!(check_manager(name).is_err(), "{name}");
        }
    }
}

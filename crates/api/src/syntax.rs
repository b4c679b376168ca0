//! The syntax of names: DNS labels and subdomains, words, and names with a domain.
//!
//! Docs: Object Names and IDs, "DNS Subdomain Names", "RFC 1123 Label Names"; Labels and Selectors, "Syntax and character set". What the API server
//! reports about names that break it is in `admission`.

/// The most bytes that a DNS label, and the part of a name after its domain, has.
pub const LABEL_LENGTH: usize = 63;
/// The most bytes that a DNS subdomain has.
pub const SUBDOMAIN_LENGTH: usize = 253;

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

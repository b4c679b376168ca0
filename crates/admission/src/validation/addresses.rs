//! IP addresses: which are valid, and how they should be written.
//!
//! Docs: API conventions, "Validation". Who has them: `pod_template/network.rs`; the warnings are in `warnings/`.

use std::net::{IpAddr, Ipv6Addr};

use super::{FieldError, Path};

/// Checks that a text is an IP address.
pub(super) fn check(path: &Path, text: &str, errors: &mut Vec<FieldError>) {
    let fault = match parse(text) {
        Some((IpAddr::V6(address), _)) if address.to_ipv4_mapped().is_some() => "must not be an IPv4-mapped IPv6 address",
        Some((_, true)) => "must not have leading 0s",
        Some((_, false)) => return,
        None => "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
    };
    errors.push(FieldError::invalid(path, text, fault));
}

/// What is odd about how an address is written.
pub(crate) fn oddity(text: &str) -> Option<String> {
    let (address, zeros) = parse(text)?;
    let nonstandard = |address: &dyn std::fmt::Display| format!("non-standard IP address {text:?} is invalid: use \"{address}\"");
    match address {
        IpAddr::V6(six) => match six.to_ipv4_mapped() {
            Some(four) => Some(nonstandard(&four)),
            None => canonical(text, six),
        },
        IpAddr::V4(four) => zeros.then(|| nonstandard(&four)),
    }
}

fn canonical(text: &str, address: Ipv6Addr) -> Option<String> {
    let canonical = address.to_string();
    (canonical != text).then(|| format!("IPv6 address {text:?} should be in RFC 5952 canonical format ({canonical:?})"))
}

/// The address, and whether it is written with leading zeros.
fn parse(text: &str) -> Option<(IpAddr, bool)> {
    if let Ok(address) = text.parse() {
        return Some((address, false));
    }
    let stripped: Vec<&str> = text
        .split('.')
        .map(|part| match part.trim_start_matches('0') {
            "" if !part.is_empty() => "0",
            stripped => stripped,
        })
        .collect();
    Some((stripped.join(".").parse().ok()?, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_no_leading_zeros_and_are_not_mapped() {
        let fault = |text: &str| {
            let mut errors = Vec::new();
            check(&Path::of("ip"), text, &mut errors);
            errors.pop().map(|error| error.detail)
        };
        for text in ["10.0.0.1", "::1", "2001:DB8::1", "0.0.0.0"] {
            assert_eq!(fault(text), None, "{text}");
        }
        for text in ["", "a", "1.2.3", "1.2.3.256", "é", "1.2.3.é", "fe80::1%eth0"] {
            assert_eq!(fault(text).as_deref(), Some("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"), "{text}");
        }
        assert_eq!(fault("010.0.0.00").as_deref(), Some("must not have leading 0s"));
        assert_eq!(fault("::ffff:1.2.3.4").as_deref(), Some("must not be an IPv4-mapped IPv6 address"));
    }

    #[test]
    fn odd_ways_of_writing_have_a_better_one() {
        assert_eq!(oddity("::1"), None);
        assert_eq!(oddity("x"), None);
        assert_eq!(oddity("01.1.1.1").as_deref(), Some(r#"non-standard IP address "01.1.1.1" is invalid: use "1.1.1.1""#));
        assert_eq!(oddity("::ffff:1.2.3.4").as_deref(), Some(r#"non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4""#));
        assert_eq!(oddity("::00A1").as_deref(), Some(r#"IPv6 address "::00A1" should be in RFC 5952 canonical format ("::a1")"#));
    }
}

//! Labels and annotations: what their keys and values look like.
//!
//! Docs: Labels and Selectors, "Syntax and character set"; Annotations, "Syntax and character set". Selectors are in `selector.rs`.

use api::meta::Labels;
use api::syntax::{LABEL_LENGTH, SUBDOMAIN_LENGTH, is_subdomain, is_word};

use super::names::NO_SUBDOMAIN;
use super::{FieldError, Path};

/// The most bytes that all annotations of an object have together.
const ANNOTATIONS_LENGTH: usize = 256 * 1024;

const NO_NAME_PART: &str = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
     alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
     '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
pub(super) const NO_KEY: &str = "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
     alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
     '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const NO_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start \
     and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is \
     '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/// Checks labels.
pub(super) fn check_labels(path: &Path, labels: &Labels, errors: &mut Vec<FieldError>) {
    for (label, text) in labels {
        check_key(path, label, errors);
        check_value(path, text, errors);
    }
}

/// Checks annotations: their keys, in which upper case is as good as lower case, and their size.
pub(super) fn check_annotations(path: &Path, annotations: &Labels, errors: &mut Vec<FieldError>) {
    for annotation in annotations.keys() {
        let faults = key_faults(&annotation.to_ascii_lowercase());
        errors.extend(faults.into_iter().map(|fault| FieldError::invalid(path, annotation, fault)));
    }
    if annotations.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>() > ANNOTATIONS_LENGTH {
        errors.push(FieldError::too_long(path, ANNOTATIONS_LENGTH));
    }
}

/// Checks a label's key, which the API calls a qualified name: `example.com/name` or `name`.
pub(super) fn check_key(path: &Path, key: &str, errors: &mut Vec<FieldError>) {
    errors.extend(key_faults(key).into_iter().map(|fault| FieldError::invalid(path, key, fault)));
}

/// Checks a label's value.
pub(super) fn check_value(path: &Path, value: &str, errors: &mut Vec<FieldError>) {
    errors.extend(value_faults(value).into_iter().map(|fault| FieldError::invalid(path, value, fault)));
}

fn key_faults(key: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let name = match key.split_once('/') {
        None => key,
        Some((_, name)) if name.contains('/') => return vec![NO_KEY.to_owned()],
        Some((prefix, name)) => {
            faults.extend(prefix_faults(prefix).into_iter().map(|fault| format!("prefix part {fault}")));
            name
        }
    };
    if name.is_empty() {
        faults.push("name part must be non-empty".to_owned());
    } else if name.len() > LABEL_LENGTH {
        faults.push(format!("name part must be no more than {LABEL_LENGTH} bytes"));
    }
    if !is_word(name) {
        faults.push(NO_NAME_PART.to_owned());
    }
    faults
}

fn prefix_faults(prefix: &str) -> Vec<String> {
    if prefix.is_empty() {
        return vec!["must be non-empty".to_owned()];
    }
    let mut faults = Vec::new();
    if prefix.len() > SUBDOMAIN_LENGTH {
        faults.push(format!("must be no more than {SUBDOMAIN_LENGTH} bytes"));
    }
    if !is_subdomain(prefix) {
        faults.push(NO_SUBDOMAIN.to_owned());
    }
    faults
}

/// What is wrong with a label's value.
pub(crate) fn value_faults(value: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if value.len() > LABEL_LENGTH {
        faults.push(format!("must be no more than {LABEL_LENGTH} bytes"));
    }
    if !value.is_empty() && !is_word(value) {
        faults.push(NO_VALUE.to_owned());
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_an_optional_prefix() {
        let check = |key: &str, expected: &[&str]| assert_eq!(key_faults(key), expected, "{key}");
        check("a", &[]);
        check("example.com/My_name.1", &[]);
        check("", &["name part must be non-empty", NO_NAME_PART]);
        check("a/", &["name part must be non-empty", NO_NAME_PART]);
        check("/a", &["prefix part must be non-empty"]);
        check("a/b/c", &[NO_KEY]);
        check("A/b", &[&format!("prefix part {NO_SUBDOMAIN}")]);
        check("a b", &[NO_NAME_PART]);
        check(&"a".repeat(64), &["name part must be no more than 63 bytes"]);
    }

    #[test]
    fn values_may_be_empty() {
        assert_eq!(value_faults(""), Vec::<String>::new());
        assert_eq!(value_faults("My_value.1"), Vec::<String>::new());
        assert_eq!(value_faults("-a"), [NO_VALUE]);
        assert_eq!(value_faults(&"a".repeat(64)), ["must be no more than 63 bytes"]);
    }

    #[test]
    fn annotations_are_measured_together() {
        let path = Path::of("metadata.annotations");
        let mut errors = Vec::new();
        check_annotations(&path, &Labels::from([("Example.com/a".into(), "any text: ü".into())]), &mut errors);
        assert_eq!(errors, []);
        check_annotations(&path, &Labels::from([("a".into(), "x".repeat(ANNOTATIONS_LENGTH).into())]), &mut errors);
        assert_eq!(errors[0].to_string(), "metadata.annotations: Too long: may not be more than 262144 bytes");
    }
}

//! Names as Go has them: in camel case, with abbreviations in capitals.
//!
//! Docs: Effective Go, "MixedCaps"; Go Code Review Comments, "Initialisms".

/// Abbreviations that Go writes in capitals.
const INITIALISMS: [&str; 9] = ["api", "http", "id", "ip", "json", "ttl", "uid", "uri", "url"];

/// The name of a type, a field or a method.
pub(super) fn pascal(kebab: &str) -> String {
    kebab.split('-').map(capitalized).collect()
}

/// The name of a parameter.
pub(super) fn variable(kebab: &str) -> String {
    let (first, rest) = kebab.split_once('-').unwrap_or((kebab, ""));
    format!("{first}{}", pascal(rest))
}

fn capitalized(word: &str) -> String {
    if INITIALISMS.contains(&word) {
        return word.to_uppercase();
    }
    word.get(..1).map_or_else(String::new, |first| format!("{}{}", first.to_uppercase(), &word[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_in_capitals() {
        let names = ["api-resource", "requeue-at", "uid", "json", "object"];
        assert_eq!(names.map(pascal), ["APIResource", "RequeueAt", "UID", "JSON", "Object"]);
        assert_eq!(["now", "api-error", "error-url"].map(variable), ["now", "apiError", "errorURL"]);
    }
}

//! Globs: texts in which `*` stands for any characters.
//!
//! Docs: README, "Beyond Kubernetes".

use crate::Text;

use super::part::{AnnotationPart, AnnotationProblem};

/// A text in which each `*` stands for any characters, also for none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: Text,
}

impl Glob {
    /// Reads a glob, which has quotes if it has commas or colons.
    pub(super) fn read(part: AnnotationPart<'_>) -> Result<Self, AnnotationProblem> {
        let text = part.text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(part.text);
        if text.is_empty() {
            return Err(part.problem("`message` has no text", "write a part of the message between asterisks: `message *invalid token*`"));
        }
        if text.contains('"') {
            return Err(part.problem("the text contains a quote", "put an asterisk in its place: it matches any characters"));
        }
        Ok(Self { text: text.into() })
    }

    /// The glob for all texts with this one in them, as a rule has it; `None` if this one has an asterisk.
    #[must_use]
    pub fn widened(&self) -> Option<String> {
        let quote = if self.text.contains([',', ':']) || self.text.contains(" at most ") { "\"" } else { "" };
        (!self.text.contains('*')).then(|| format!("{quote}*{}*{quote}", self.text))
    }

    /// Whether it matches the whole of a text but for line breaks at its end, with which commands end what they print. Others are characters like any.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let text = text.trim_end_matches(['\r', '\n']);
        let mut parts = self.text.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = text.strip_prefix(first) else { return false };
        let Some(last) = parts.next_back() else { return rest.is_empty() };
        for part in parts {
            let Some(at) = rest.find(part) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_is_widened_to_what_it_is_a_part_of() {
        let widened = |glob: &str| Glob::read(AnnotationPart::whole(glob)).unwrap().widened();
        assert_eq!(widened("a b").as_deref(), Some("*a b*"));
        assert_eq!(widened("\"a: b\"").as_deref(), Some("\"*a: b*\""));
        assert_eq!(widened("a*"), None);
    }

    #[test]
    fn asterisks_stand_for_any_characters() {
        let matches = |glob: &str, text: &str| Glob::read(AnnotationPart::whole(glob)).unwrap().matches(text);
        assert!(
            matches("a", "a")
                && matches("*", "")
                && matches("*", "a\nb")
                && matches("*quota exceeded", "error: quota exceeded\n")
                && matches("a*", "a")
                && matches("*a*b*", "xaxbx")
        );
        assert!(matches("\"a, b: *\"", "a, b: c") && matches("a*a", "aa") && matches("**", "a"));
        assert!(!matches("a", "ab") && !matches("a*a", "a") && !matches("a*b", "abc") && !matches("*ab*ab*", "ab") && !matches("A", "a"));
    }
}

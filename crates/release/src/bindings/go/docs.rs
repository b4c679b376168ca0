//! Documentation in Go's form: comments that begin with the name, links in brackets, code that is indented.
//!
//! Docs: Go Doc Comments, "Syntax". What is documented is written in `mod.rs`.

use std::collections::BTreeMap;

use super::super::interface::{Interface, Shape};
use super::names::pascal;

/// A sentence without a verb begins with one of these.
const NOUNS: [&str; 13] = ["A", "All", "An", "How", "One", "Something", "That", "The", "What", "When", "Where", "Which", "Why"];

/// What stands between a list and code, which would be a part of the list without it.
const AS_CODE: &str = "In code:";

/// What the names in backticks are in Go.
pub(super) struct Docs(BTreeMap<String, String>);

impl Docs {
    /// Functions, types, and the cases whose names are unique.
    pub(super) fn of(interface: &Interface) -> Self {
        let mut cases: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for named in &interface.types {
            if let Shape::Variant(members) | Shape::Enum(members) = &named.shape {
                for member in members {
                    cases.entry(&member.name).or_default().push(format!("[{}{}]", pascal(&named.name), pascal(&member.name)));
                }
            }
        }
        let mut links: BTreeMap<String, String> =
            cases.into_iter().filter(|(_, links)| links.len() == 1).map(|(name, links)| (name.to_owned(), links.concat())).collect();
        links.extend(interface.types.iter().map(|named| (named.name.clone(), format!("[{}]", pascal(&named.name)))));
        links.extend(interface.functions.iter().map(|function| (function.name.clone(), format!("[Manager.{}]", pascal(&function.name)))));
        links.insert("none".to_owned(), "nil".to_owned());
        Self(links)
    }

    /// Documentation that begins with the name that it is of: `verb` stands between them where the sentence has none.
    pub(super) fn subject(&self, name: &str, verb: &str, docs: &str) -> String {
        let first = docs.split([' ', '.']).next().unwrap_or_default();
        match first {
            _ if docs.is_empty() || first == name => docs.to_owned(),
            noun if NOUNS.contains(&noun) => after(&format!("{name}{verb}"), docs),
            _ => after(&format!("{name} "), docs),
        }
    }

    /// A comment; nothing without documentation.
    pub(super) fn comment(&self, indent: &str, docs: &str) -> String {
        let mut comment = String::new();
        let (mut code, mut listed, mut follows_list) = (false, false, false);
        for line in docs.lines() {
            if line.starts_with("```") {
                code = !code;
                if code && follows_list {
                    comment += &format!("{indent}// {AS_CODE}\n{indent}//\n");
                }
                continue;
            }
            listed = !line.is_empty() && (listed || item(line).is_some());
            follows_list = listed || follows_list && line.is_empty();
            let line = match item(line) {
                _ if line.is_empty() => String::new(),
                _ if code => format!("\t{line}"),
                Some((mark, text)) => format!("{:>4}{}", format!("{mark} "), self.linked(text)),
                None if listed => format!("    {}", self.linked(line.trim_start())),
                None => self.linked(line),
            };
            comment += format!("{indent}// {line}").replace("// \t", "//\t").trim_end();
            comment.push('\n');
        }
        comment
    }

    /// A line with what is in backticks as Go names it.
    fn linked(&self, line: &str) -> String {
        let part = |(number, part): (usize, &str)| match self.0.get(part) {
            _ if number % 2 == 0 => part.to_owned(),
            Some(link) => link.clone(),
            None => format!("`{part}`"),
        };
        line.split('`').enumerate().map(part).collect()
    }
}

/// A sentence after words that it goes on from.
pub(super) fn after(words: &str, docs: &str) -> String {
    let mut letters = docs.chars();
    let Some(first) = letters.next() else { return words.trim_end_matches([':', ' ']).to_owned() + "." };
    let word = docs.split(' ').next().unwrap_or_default();
    let abbreviated = word.chars().count() > 1 && word.chars().all(|letter| letter.is_ascii_uppercase());
    let first = if abbreviated { first.to_string() } else { first.to_lowercase().to_string() };
    format!("{words}{first}{}", letters.as_str())
}

/// The mark and the text of an item of a list.
fn item(line: &str) -> Option<(&str, &str)> {
    let (mark, text) = line.split_once(' ')?;
    let number = mark.strip_suffix('.').is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()));
    (mark == "-" || number).then_some((mark, text))
}

#[cfg(test)]
mod tests {
    use super::super::super::interface::{Member, Named};
    use super::*;

    fn docs() -> Docs {
        let case = |name: &str| Member { name: name.into(), docs: String::new(), ty: None };
        let variant = |name: &str, cases: &[&str]| Named {
            name: name.into(),
            docs: String::new(),
            shape: Shape::Variant(cases.iter().map(|name| case(name)).collect()),
        };
        let types = vec![variant("text-part", &["text", "field"]), variant("value", &["text"])];
        Docs::of(&Interface { name: String::new(), docs: String::new(), types, functions: Vec::new() })
    }

    #[test]
    fn names_become_links_where_they_mean_one_thing() {
        let comment = docs().comment("", "A `text-part` is `field` or `text`; `none`: `spec.x`.");
        assert_eq!(comment, "// A [TextPart] is [TextPartField] or `text`; nil: `spec.x`.\n");
    }

    #[test]
    fn lists_and_code_are_as_gofmt_leaves_them() {
        let comment = docs().comment("\t", "One:\n\n- a\n  b\n- c\n\n1. d\n   e\n\nX:\n\n```json\n{\n  1\n```");
        let expected =
            "\t// One:\n\t//\n\t//   - a\n\t//     b\n\t//   - c\n\t//\n\t//  1. d\n\t//     e\n\t//\n\t// X:\n\t//\n\t//\t{\n\t//\t  1\n";
        assert_eq!(comment, expected);
        assert_eq!(docs().comment("", "- a\n\n```\nb\n```"), "//   - a\n//\n// In code:\n//\n//\tb\n");
    }

    #[test]
    fn a_sentence_begins_with_the_name() {
        let subject = |docs: &str| self::docs().subject("Plan", " is ", docs);
        assert_eq!(subject("What to do."), "Plan is what to do.");
        assert_eq!(subject("Makes one."), "Plan makes one.");
        assert_eq!((subject("Plan."), subject("")), ("Plan.".to_owned(), String::new()));
        assert_eq!(after("X is a [Y]: ", "JSON text."), "X is a [Y]: JSON text.");
        assert_eq!(after("X is a [Y]: ", ""), "X is a [Y].");
    }
}

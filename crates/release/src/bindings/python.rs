//! The types in Python: dataclasses and enums with the WIT's documentation, and the table that the package's converter is made from.
//!
//! Docs: PEP 557, PEP 257, PEP 604; `host/bindings/python/jobsmith/schema.py`, whose classes the table consists of. The file is as `ruff format` leaves it.

use super::interface::{Function, Interface, Member, Named, Shape, Type};

/// How long a line may be, as `host/bindings/python/pyproject.toml` says.
const WIDTH: usize = 100;
/// Names that a field or a parameter cannot have: Python's keywords, and the types that annotations are made of.
const TAKEN: [&str; 42] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "bool", "break", "class", "continue", "def", "del", "elif", "else",
    "except", "finally", "float", "for", "from", "global", "if", "import", "in", "int", "is", "lambda", "list", "nonlocal", "not", "or",
    "pass", "raise", "return", "str", "try", "tuple", "type", "while", "with", "yield",
];

/// The file of types.
pub(super) fn types(interface: &Interface) -> String {
    let title = "The values that cross the boundary of a component.\n\n\
         Written by ``cargo xtask bindings`` from ``crates/component/wit/controllers.wit``.";
    let docs = format!("{title}\n\n{}", restructured(&interface.docs));
    let mut text = docstring(0, &docs);
    text += "\nfrom __future__ import annotations\n\n\
         from dataclasses import dataclass\n\
         from enum import Enum\n\
         from typing import TypeAlias\n\n\
         from . import schema\n";
    for named in &interface.types {
        text += &definition(named);
    }
    text + &table(interface)
}

fn definition(Named { name, docs, shape }: &Named) -> String {
    let class_name = class(name);
    match shape {
        Shape::Record(fields) => {
            let fields =
                fields.iter().filter_map(|field| Some(self::field(&attribute(&field.name), field.ty.as_ref()?) + &docs_of_member(field)));
            dataclass(&class_name, docs, &fields.collect::<String>())
        }
        Shape::Enum(cases) => {
            let cases = cases.iter().map(|case| {
                let line = format!("    {} = \"{}\"\n", case.name.replace('-', "_").to_uppercase(), case.name);
                line + &docs_of_member(case)
            });
            format!("\n\nclass {class_name}(Enum):\n{}{}", docstring_and_gap(docs), cases.collect::<String>())
        }
        Shape::Variant(cases) => {
            let mut text = String::new();
            for case in cases {
                let value = case.ty.as_ref().map_or_else(String::new, |ty| field("value", ty));
                text += &dataclass(&case_class(name, &case.name), &case.docs, &value);
            }
            let names: Vec<_> = cases.iter().map(|case| case_class(name, &case.name)).collect();
            text + &format!("\n\n{}{}", union(&class_name, &names), docstring(0, &restructured(docs)))
        }
    }
}

fn dataclass(name: &str, docs: &str, fields: &str) -> String {
    let body = match (docs.is_empty(), fields.is_empty()) {
        (true, true) => "    pass\n".to_owned(),
        (false, true) => docstring(4, &restructured(docs)),
        (_, false) => docstring_and_gap(docs) + fields,
    };
    format!("\n\n@dataclass(frozen=True, slots=True)\nclass {name}:\n{body}")
}

fn field(name: &str, ty: &Type) -> String {
    format!("    {name}: {}\n", annotation(ty))
}

/// A name for one of these classes.
fn union(name: &str, classes: &[String]) -> String {
    let joined = classes.join(" | ");
    let one = format!("{name}: TypeAlias = {joined}\n");
    if one.len() <= WIDTH + 1 {
        return one;
    }
    if joined.len() + 4 <= WIDTH {
        return format!("{name}: TypeAlias = (\n    {joined}\n)\n");
    }
    format!("{name}: TypeAlias = (\n    {}\n)\n", classes.join("\n    | "))
}

/// What the converter reads.
fn table(interface: &Interface) -> String {
    let mut text = format!("\n\nINTERFACE = schema.Interface(\n    \"{}\",\n    {{\n", interface.name);
    for Named { name, shape, .. } in &interface.types {
        let class_name = class(name);
        text += &match shape {
            Shape::Enum(_) => format!("        \"{name}\": schema.Enumeration({class_name}),\n"),
            Shape::Record(fields) => {
                let rows = fields
                    .iter()
                    .filter_map(|field| Some([quoted(&field.name), quoted(&attribute(&field.name)), described(field.ty.as_ref()?)]));
                exploded(&format!("\"{name}\": schema.Record"), Some(&class_name), rows)
            }
            Shape::Variant(cases) => {
                let rows = cases.iter().map(|case| {
                    let ty = case.ty.as_ref().map_or_else(|| "None".to_owned(), described);
                    [quoted(&case.name), case_class(name, &case.name), ty]
                });
                exploded(&format!("\"{name}\": schema.Variant"), None, rows)
            }
        };
    }
    text += "    },\n    {\n";
    for Function { name, parameters, result, .. } in &interface.functions {
        let parameters: Vec<_> = parameters.iter().map(|(_, ty)| described(ty)).collect();
        let parameters = match &*parameters {
            [] => "()".to_owned(),
            [one] => format!("({one},)"),
            more => format!("({})", more.join(", ")),
        };
        let result = result.as_ref().map_or_else(|| "None".to_owned(), described);
        text += &call(8, &format!("\"{name}\": schema.Function"), &[parameters, result]);
    }
    text + "    },\n)\n"
}

/// An entry of the table with one row for each field or case.
fn exploded(head: &str, class: Option<&str>, rows: impl Iterator<Item = [String; 3]>) -> String {
    let class = class.map_or_else(String::new, |class| format!("            {class},\n"));
    let rows: String = rows.map(|row| call(16, "", &row)).collect();
    format!("        {head}(\n{class}            (\n{rows}            ),\n        ),\n")
}

/// Values in parentheses: on one line, on a second, or on one each.
fn call(indent: usize, head: &str, values: &[String]) -> String {
    let margin = " ".repeat(indent);
    let joined = values.join(", ");
    let one = format!("{margin}{head}({joined}),\n");
    if one.len() <= WIDTH + 1 {
        return one;
    }
    // The formatter leaves a tuple no second line.
    if !head.is_empty() && indent + 4 + joined.len() <= WIDTH {
        return format!("{margin}{head}(\n{margin}    {joined}\n{margin}),\n");
    }
    let lines: String = values.iter().map(|value| format!("{margin}    {value},\n")).collect();
    format!("{margin}{head}(\n{lines}{margin}),\n")
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// A type as an annotation.
fn annotation(ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::U16 | Type::U32 | Type::U64 | Type::S64 => "int".to_owned(),
        Type::F64 => "float".to_owned(),
        Type::String => "str".to_owned(),
        Type::Named(name) => class(name),
        Type::List(item) => format!("list[{}]", annotation(item)),
        Type::Option(value) => format!("{} | None", annotation(value)),
        Type::Tuple(types) => format!("tuple[{}]", types.iter().map(annotation).collect::<Vec<_>>().join(", ")),
        Type::Result(ok, error) => {
            format!("schema.Ok[{}] | schema.Err[{}]", ok.as_ref().map_or_else(|| "None".to_owned(), |ok| annotation(ok)), annotation(error))
        }
    }
}

/// A type in the table.
fn described(ty: &Type) -> String {
    match ty {
        Type::Bool => "schema.BOOL".to_owned(),
        Type::U16 => "schema.U16".to_owned(),
        Type::U32 => "schema.U32".to_owned(),
        Type::U64 => "schema.U64".to_owned(),
        Type::S64 => "schema.S64".to_owned(),
        Type::F64 => "schema.F64".to_owned(),
        Type::String => "schema.STRING".to_owned(),
        Type::Named(name) => format!("schema.Named(\"{name}\")"),
        Type::List(item) => format!("schema.List({})", described(item)),
        Type::Option(value) => format!("schema.Option({})", described(value)),
        Type::Tuple(types) => format!("schema.Tuple({})", types.iter().map(described).collect::<Vec<_>>().join(", ")),
        Type::Result(ok, error) => {
            format!("schema.Result({}, {})", ok.as_ref().map_or_else(|| "None".to_owned(), |ok| described(ok)), described(error))
        }
    }
}

fn class(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// The class of a case stands beside all others: `RoleWait`.
fn case_class(variant: &str, case: &str) -> String {
    class(variant) + &class(case)
}

fn attribute(name: &str) -> String {
    let name = name.replace('-', "_");
    if TAKEN.contains(&&*name) { name + "_" } else { name }
}

fn docs_of_member(member: &Member) -> String {
    if member.docs.is_empty() { String::new() } else { docstring(4, &restructured(&member.docs)) }
}

/// The documentation of a class that has members.
fn docstring_and_gap(docs: &str) -> String {
    if docs.is_empty() { String::new() } else { docstring(4, &restructured(docs)) + "\n" }
}

/// Text between three quotes: on one line if there is room.
fn docstring(indent: usize, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let margin = " ".repeat(indent);
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    // A quote at the end would be taken for one of the three.
    let gap = if text.ends_with('"') { " " } else { "" };
    // Both ends have quotes.
    let width = WIDTH - indent - 6;
    if !text.contains('\n') && text.chars().count() + gap.len() <= width {
        return format!("{margin}\"\"\"{text}{gap}\"\"\"\n");
    }
    let lines = text.lines().flat_map(|line| wrapped(line, width));
    let mut written = String::new();
    for (position, line) in lines.enumerate() {
        let opening = if position == 0 { "\"\"\"" } else { "" };
        written += format!("{margin}{opening}{line}").trim_end();
        written.push('\n');
    }
    format!("{written}{margin}\"\"\"\n")
}

/// A line of prose in lines that are not too long; those that follow keep its indentation.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let text = line.trim_start();
    let margin = " ".repeat(line.len() - text.len());
    let hanging = margin.clone() + &" ".repeat(bullet(text));
    let mut lines = vec![margin];
    for word in text.split_inclusive(' ') {
        let last = lines.last_mut().expect("there is a first line");
        if last.chars().count() + word.trim_end().chars().count() > width && !last.trim().is_empty() {
            *last = last.trim_end().to_owned();
            lines.push(format!("{hanging}{word}"));
        } else {
            last.push_str(word);
        }
    }
    lines
}

/// How long the mark is with which an item of a list begins; 0 if the text is not an item.
fn bullet(text: &str) -> usize {
    let mark = text.split_inclusive(' ').next().unwrap_or_default();
    let numbered = mark.strip_suffix(". ").is_some_and(|number| number.parse::<u32>().is_ok());
    if mark == "- " || numbered { mark.len() } else { 0 }
}

/// Markdown as reStructuredText: paragraphs in one line each, literals, headings and literal blocks.
fn restructured(markdown: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut block = false;
    let mut begins = true;
    for line in markdown.lines() {
        if line.starts_with("```") {
            if !block {
                lines.push("::".to_owned());
                lines.push(String::new());
            }
            block = !block;
            begins = true;
        } else if block {
            lines.push(if line.is_empty() { String::new() } else { format!("    {line}") });
        } else if let Some(heading) = line.strip_prefix("# ") {
            lines.push(heading.to_owned());
            lines.push("-".repeat(heading.chars().count()));
            begins = true;
        } else {
            let text = line.replace('`', "``");
            match lines.last_mut() {
                Some(last) if !begins && bullet(line) == 0 && !line.is_empty() => *last = format!("{last} {}", text.trim_start()),
                _ => lines.push(text),
            }
            begins = line.is_empty();
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, docs: &str, ty: Option<Type>) -> Member {
        Member { name: name.to_owned(), docs: docs.to_owned(), ty }
    }

    fn named(name: &str, docs: &str, shape: Shape) -> Named {
        Named { name: name.to_owned(), docs: docs.to_owned(), shape }
    }

    fn written(named: Named) -> [String; 2] {
        let types = definition(&named);
        let interface = Interface { name: "a:b/c@1.2.3".to_owned(), docs: String::new(), types: vec![named], functions: Vec::new() };
        [types, table(&interface)]
    }

    #[test]
    fn a_record_is_a_dataclass_and_no_field_has_a_name_that_python_takes() {
        let tolerates = Type::List(Box::new(Type::U16));
        let fields = vec![member("from", "Which, as in `a`.", Some(Type::U64)), member("x-y", "", Some(tolerates))];
        let [types, table] = written(named("api-error", "What it is.", Shape::Record(fields)));
        let expected = "\n
@dataclass(frozen=True, slots=True)
class ApiError:
    \"\"\"What it is.\"\"\"

    from_: int
    \"\"\"Which, as in ``a``.\"\"\"
    x_y: list[int]
";
        assert_eq!(types, expected);
        let expected = "
        \"api-error\": schema.Record(
            ApiError,
            (
                (\"from\", \"from_\", schema.U64),
                (\"x-y\", \"x_y\", schema.List(schema.U16)),
            ),
        ),
    },
";
        assert!(table.contains(expected), "{table}");
    }

    #[test]
    fn a_variant_is_a_union_of_dataclasses() {
        let period = Type::Option(Box::new(Type::Named("period".to_owned())));
        let cases = vec![member("wait", "It waits.", Some(period)), member("none", "", None)];
        let [types, table] = written(named("role", "A role.", Shape::Variant(cases)));
        let expected = "\n
@dataclass(frozen=True, slots=True)
class RoleWait:
    \"\"\"It waits.\"\"\"

    value: Period | None


@dataclass(frozen=True, slots=True)
class RoleNone:
    pass


Role: TypeAlias = RoleWait | RoleNone
\"\"\"A role.\"\"\"
";
        assert_eq!(types, expected);
        assert!(table.contains("(\"wait\", RoleWait, schema.Option(schema.Named(\"period\"))),"), "{table}");
        assert!(table.contains("(\"none\", RoleNone, None),"), "{table}");
    }

    #[test]
    fn an_enum_has_the_values_of_the_wit() {
        let cases = vec![member("merge-patch", "`application/x`", None), member("json", "", None)];
        let [types, table] = written(named("content-type", "", Shape::Enum(cases)));
        assert_eq!(
            types,
            "\n\nclass ContentType(Enum):\n    MERGE_PATCH = \"merge-patch\"\n    \"\"\"``application/x``\"\"\"\n    JSON = \"json\"\n"
        );
        assert!(table.contains("\"content-type\": schema.Enumeration(ContentType),"), "{table}");
    }

    #[test]
    fn functions_are_rows_of_the_table() {
        let function = Function {
            name: "next-plan".to_owned(),
            docs: String::new(),
            parameters: vec![("now".to_owned(), Type::S64)],
            result: Some(Type::Result(None, Box::new(Type::Tuple(vec![Type::Bool, Type::F64])))),
        };
        let interface = Interface { name: "a:b/c@1.2.3".to_owned(), docs: String::new(), types: Vec::new(), functions: vec![function] };
        let expected = "\"next-plan\": schema.Function(\n            (schema.S64,), schema.Result(None, schema.Tuple(schema.BOOL, schema.F64))\n        ),\n";
        assert!(table(&interface).contains(expected), "{}", table(&interface));
    }

    #[test]
    fn documentation_becomes_restructured_text() {
        let markdown = "It is `so`\nand so.\n\n# Order\n\n1. One\n   more.\n2. Two.\n\n```text\na `b`\n\n  c\n```";
        let expected = "It is ``so`` and so.\n\nOrder\n-----\n\n1. One more.\n2. Two.\n\n::\n\n    a `b`\n\n      c";
        assert_eq!(restructured(markdown), expected);
    }

    #[test]
    fn long_documentation_is_wrapped_and_quotes_do_not_end_it() {
        let words = "word ".repeat(30);
        let written = docstring(4, words.trim());
        assert!(written.lines().all(|line| line.chars().count() <= WIDTH), "{written}");
        assert_eq!(written.lines().count(), 3, "{written}");
        assert_eq!(docstring(0, "Why: \"so\""), "\"\"\"Why: \"so\" \"\"\"\n");
    }

    #[test]
    fn long_rows_are_written_as_the_formatter_leaves_them() {
        let values = |length| ["a".repeat(length), "b".repeat(length)];
        assert_eq!(call(4, "F", &values(2)), "    F(aa, bb),\n");
        assert!(call(4, "schema.F", &values(44)).starts_with("    schema.F(\n        aaa"));
        assert!(call(4, "schema.F", &values(44)).ends_with("b\n    ),\n"));
        assert!(call(4, "", &values(46)).ends_with("b,\n    ),\n"));
        assert!(call(4, "F", &values(60)).ends_with("b,\n    ),\n"));
    }

    #[test]
    fn long_unions_are_written_as_the_formatter_leaves_them() {
        let classes = |count| vec!["ABCDEFGHIJ".to_owned(); count];
        assert_eq!(union("A", &classes(2)), "A: TypeAlias = ABCDEFGHIJ | ABCDEFGHIJ\n");
        assert!(union("A", &classes(7)).starts_with("A: TypeAlias = (\n    ABCDEFGHIJ | "));
        assert!(union("A", &classes(9)).starts_with("A: TypeAlias = (\n    ABCDEFGHIJ\n    | "));
    }
}

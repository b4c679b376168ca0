//! Writes the types of `fields.txt`, with what `overlay.txt` says of them, as statics in Rust, so that nothing is parsed when a program starts.
//!
//! Docs: the format is in `tests/upstream/cmd/schema/main.go`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

const FIELDS: &str = "fields.txt";
const OVERLAY: &str = "overlay.txt";

fn main() {
    println!("cargo::rerun-if-changed={FIELDS}");
    println!("cargo::rerun-if-changed={OVERLAY}");
    let [fields, overlay] = [FIELDS, OVERLAY].map(|file| fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}")));
    let stated = overlay.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut more: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, facts) in stated.filter_map(|line| line.split_once(' ')) {
        more.entry(path).or_default().extend(facts.split(' '));
    }
    let mut types: Vec<(&str, String)> = Vec::new();
    for line in fields.lines() {
        let (path, facts) = line.split_once(' ').unwrap_or((line, ""));
        let (owner, name) = path.split_once('.').unwrap_or((path, ""));
        if types.last().is_none_or(|(last, _)| *last != owner) {
            types.push((owner, String::new()));
        }
        if let Some((_, code)) = types.last_mut().filter(|_| !name.is_empty()) {
            *code += &field(name, facts, &more.remove(path).unwrap_or_default());
        }
    }
    assert!(more.is_empty(), "{OVERLAY} is about fields that are not there: {more:?}");
    let mut code = String::new();
    for (name, fields) in &types {
        writeln!(code, "static {}: SchemaType = SchemaType {{ name: {name:?}, fields: &[\n{fields}] }};", constant(name))
            .expect("memory is enough");
    }
    let all: String = types.iter().map(|(name, _)| format!("&{}, ", constant(name))).collect();
    writeln!(code, "/// All types, sorted by name.\npub static TYPES: &[&SchemaType] = &[{all}];").expect("memory is enough");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("types.rs"), code).expect("cargo made the folder");
}

/// The code for a field: `string enum A,B` becomes `SchemaField { name: "image", kind: FieldType::Text, values: &["A", "B"], ..PLAIN },`.
fn field(name: &str, facts: &str, more: &[&str]) -> String {
    let mut known: BTreeMap<&str, String> = BTreeMap::new();
    let mut words = facts.split(' ');
    let kind = kind(words.next().unwrap_or_default());
    let mut words = words.chain(more.iter().copied());
    while let Some(fact) = words.next() {
        let mut next = || words.next().unwrap_or_else(|| panic!("{fact} of {name} has no value"));
        let (member, code) = match fact {
            "pointer" => ("pointer", "true".to_owned()),
            "required" => ("required", "true".to_owned()),
            "retainKeys" => ("retain_keys", "true".to_owned()),
            "enum" => ("values", format!("&{:?}", next().split(',').collect::<Vec<_>>())),
            "default" => ("default", format!("Some({})", default(next()))),
            "merge" => ("patched", format!("ListPatch::Merged({:?})", next())),
            "set" => ("patched", "ListPatch::Set".to_owned()),
            "mutable" => ("mutable", format!("Some(Mutable::{})", mutable(next()))),
            "range" => ("range", range(next())),
            "gated" => ("gated", "true".to_owned()),
            "since" => ("since", format!("Some({:?})", next())),
            other => panic!("{name} has the unknown fact {other:?}"),
        };
        known.insert(member, code);
    }
    let known: String = known.iter().map(|(member, code)| format!("{member}: {code}, ")).collect();
    format!("    SchemaField {{ name: {name:?}, kind: {kind}, {known}..PLAIN }},\n")
}

/// The variant that says when a field may change.
fn mutable(when: &str) -> &'static str {
    match when {
        "always" => "Always",
        "never" => "Never",
        "suspended" => "Suspended",
        "parallelism" => "WithParallelism",
        other => panic!("{OVERLAY} has a field that is mutable {other:?}"),
    }
}

/// The code for a range of numbers: `0..` or `1..100`.
fn range(bounds: &str) -> String {
    let (least, most) = bounds.split_once("..").unwrap_or_else(|| panic!("{OVERLAY} has the range {bounds:?}"));
    format!("Some(&({least}, {}))", if most.is_empty() { "i64::MAX" } else { most })
}

/// The code for a default, which is JSON.
fn default(json: &str) -> String {
    match json {
        "?" => "Default::Depends".to_owned(),
        "{}" => "Default::Empty".to_owned(),
        "true" | "false" => format!("Default::Boolean({json})"),
        _ if json.starts_with('"') => format!("Default::Text({json})"),
        _ => format!("Default::Number({json})"),
    }
}

/// The code for a type: `[Container]` becomes `FieldType::List(&FieldType::Fields(&CONTAINER))`.
fn kind(name: &str) -> String {
    let inner = |ends: [char; 2]| name.strip_prefix(ends[0])?.strip_suffix(ends[1]).map(kind);
    if let Some(item) = inner(['[', ']']) {
        return format!("FieldType::List(&{item})");
    }
    if let Some(value) = inner(['{', '}']) {
        return format!("FieldType::Map(&{value})");
    }
    match name {
        "string" => "FieldType::Text".to_owned(),
        "bool" => "FieldType::Boolean".to_owned(),
        "int32" => "FieldType::Int32".to_owned(),
        "int64" => "FieldType::Int64".to_owned(),
        "Time" => "FieldType::Time".to_owned(),
        "Quantity" => "FieldType::Quantity".to_owned(),
        "IntOrString" => "FieldType::IntOrString".to_owned(),
        "any" => "FieldType::Any".to_owned(),
        _ => format!("FieldType::Fields(&{})", constant(name)),
    }
}

/// `PodSpec` as `POD_SPEC`, `CSIVolumeSource` as `CSIVOLUME_SOURCE`.
fn constant(name: &str) -> String {
    let mut constant = String::new();
    let mut before = 'A';
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !before.is_ascii_uppercase() {
            constant.push('_');
        }
        constant.push(letter.to_ascii_uppercase());
        before = letter;
    }
    constant
}

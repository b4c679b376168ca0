//! Random values of every type of the interface, as lines for a driver of the component `echo`.
//!
//! Docs: `tests/plugins/README.md`, "Values as JSON". The types are those that the component itself exports.

use cluster::rng::Rng;
use core_tests::built;
use serde_json::{Map, Value, json};
use wit_component::DecodedWasm;
use wit_parser::{Resolve, Type, TypeDefKind};

use super::tape::Lines;

/// Texts that codecs get wrong.
const TEXTS: [&str; 9] = ["", "a", "naïve", "日本", "🦀🦀", "\0", "\u{feff}x", "\"\\\n\u{2028}", "\u{10ffff}"];
/// Whole numbers that codecs get wrong.
const NUMBERS: [u64; 8] = [0, 1, (1 << 53) - 1, (1 << 53) + 1, 1 << 63, (1 << 63) - 1, u64::MAX, 1 << 32];
/// Floating-point numbers that codecs get wrong.
const FLOATS: [f64; 8] = [0.0, -0.0, 1.5, 0.1, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
/// Text with a lone surrogate as JSON escapes it, and what it becomes.
const LONE_SURROGATE: [&str; 2] = [r#""a\ud800b""#, r#""a\ufffdb""#];

/// Writes this many values for each function of the component.
pub(super) fn values(each: u64, lines: &Lines) {
    let line = |line: String| writeln!(lines.borrow_mut(), "{line}").expect("it is read to the end");
    line(json!({"history": "new"}).to_string());
    let wit = interface();
    let functions = wit.interfaces.iter().flat_map(|(_, interface)| &interface.functions);
    for (name, function) in functions {
        let ty = function.params.first().expect("each function has a parameter").ty;
        for seed in 0..each {
            let value = value(&wit, ty, &mut Rng::new(seed));
            line(json!({"call": name, "arguments": [value], "answer": value}).to_string());
        }
    }
    let [lone, replaced] = LONE_SURROGATE.map(|text| format!(r#"{{"tag":"text","val":{text}}}"#));
    line(format!(r#"{{"call":"echo-value","arguments":[{lone}],"answer":{replaced}}}"#));
}

/// What the component exports.
fn interface() -> Resolve {
    let path = built::component_path().with_file_name("echo.wasm");
    let component = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask test`", path.display()));
    match wit_component::decode(&component).expect("it is one of ours") {
        DecodedWasm::Component(wit, _) | DecodedWasm::WitPackage(wit, _) => wit,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "WIT has many types, and this is what remains")]
fn value(wit: &Resolve, ty: Type, rng: &mut Rng) -> Value {
    match ty {
        Type::Bool => json!(rng.one_in(2)),
        Type::U16 => json!(*rng.pick(&[0_u16, 1, 404, u16::MAX])),
        Type::U32 => json!(*rng.pick(&[0_u32, 1, 999_999_999, u32::MAX])),
        Type::U64 => json!({"i64": rng.pick(&NUMBERS).to_string()}),
        Type::S64 => json!({"i64": rng.pick(&NUMBERS).cast_signed().to_string()}),
        Type::F64 => json!({"f64": format!("{:016x}", rng.pick(&FLOATS).to_bits())}),
        Type::String => json!(*rng.pick(&TEXTS)),
        Type::Id(id) => compound(wit, &wit.types[id].kind, rng),
        other => panic!("the interface has a {other:?}, which is not in the table of the README"),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "WIT has many kinds of types, and this is what remains")]
fn compound(wit: &Resolve, kind: &TypeDefKind, rng: &mut Rng) -> Value {
    match kind {
        TypeDefKind::Type(ty) => value(wit, *ty, rng),
        TypeDefKind::List(item) => (0..rng.below(4)).map(|_| value(wit, *item, rng)).collect(),
        TypeDefKind::Tuple(tuple) => tuple.types.iter().map(|ty| value(wit, *ty, rng)).collect(),
        TypeDefKind::Option(some) if rng.one_in(2) => value(wit, *some, rng),
        TypeDefKind::Option(_) => Value::Null,
        TypeDefKind::Record(record) => {
            let fields = record.fields.iter().map(|field| (camel(&field.name), value(wit, field.ty, rng)));
            fields.collect::<Map<_, _>>().into()
        }
        TypeDefKind::Enum(cases) => json!(rng.pick(&cases.cases).name),
        TypeDefKind::Variant(variant) => {
            let case = rng.pick(&variant.cases);
            tagged(&case.name, case.ty.map(|ty| value(wit, ty, rng)))
        }
        TypeDefKind::Result(result) if rng.one_in(2) => tagged("err", result.err.map(|ty| value(wit, ty, rng))),
        TypeDefKind::Result(result) => tagged("ok", result.ok.map(|ty| value(wit, ty, rng))),
        other => panic!("the interface has a {}, which is not in the table of the README", other.as_str()),
    }
}

fn tagged(tag: &str, value: Option<Value>) -> Value {
    match value {
        Some(value) => json!({"tag": tag, "val": value}),
        None => json!({"tag": tag}),
    }
}

/// `requeue-at` as `requeueAt`.
fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

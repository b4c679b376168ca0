//! Random values of every type of the interface, as lines for a driver of the component `echo`.
//!
//! Docs: `tests/plugins/README.md`, "Values as JSON". The types are those that the component itself exports.

use cluster::rng::Rng;
use core_tests::built;
use serde_json::{Map, Value, json};
use wasmtime::Engine;
use wasmtime::component::Component;
use wasmtime::component::types::{ComponentFunc, ComponentItem, Type};

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
    for (name, function) in functions() {
        let (_, ty) = function.params().next().expect("each function has a parameter");
        for seed in 0..each {
            let value = value(&ty, &mut Rng::new(seed));
            line(json!({"call": name, "arguments": [value], "answer": value}).to_string());
        }
    }
    let [lone, replaced] = LONE_SURROGATE.map(|text| format!(r#"{{"tag":"text","val":{text}}}"#));
    line(format!(r#"{{"call":"echo-value","arguments":[{lone}],"answer":{replaced}}}"#));
}

/// All functions of the component.
fn functions() -> Vec<(String, ComponentFunc)> {
    let engine = Engine::default();
    let path = built::component_path().with_file_name("echo.wasm");
    let component =
        Component::from_file(&engine, &path).unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask test`", path.display()));
    let exports: Vec<_> = component.component_type().exports(&engine).map(|(_, export)| export.ty).collect();
    let interface =
        exports.into_iter().find_map(|item| if let ComponentItem::ComponentInstance(interface) = item { Some(interface) } else { None });
    let interface = interface.expect("the component exports an interface");
    let functions = interface.exports(&engine).filter_map(|(name, export)| {
        if let ComponentItem::ComponentFunc(function) = export.ty { Some((name.to_owned(), function)) } else { None }
    });
    functions.collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the component model has many types, and this is what remains")]
fn value(ty: &Type, rng: &mut Rng) -> Value {
    match ty {
        Type::Bool => json!(rng.one_in(2)),
        Type::U16 => json!(*rng.pick(&[0_u16, 1, 404, u16::MAX])),
        Type::U32 => json!(*rng.pick(&[0_u32, 1, 999_999_999, u32::MAX])),
        Type::U64 => json!({"i64": rng.pick(&NUMBERS).to_string()}),
        Type::S64 => json!({"i64": rng.pick(&NUMBERS).cast_signed().to_string()}),
        Type::Float64 => json!({"f64": format!("{:016x}", rng.pick(&FLOATS).to_bits())}),
        Type::String => json!(*rng.pick(&TEXTS)),
        Type::List(list) => (0..rng.below(4)).map(|_| value(&list.ty(), rng)).collect(),
        Type::Tuple(tuple) => tuple.types().map(|ty| value(&ty, rng)).collect(),
        Type::Option(option) if rng.one_in(2) => value(&option.ty(), rng),
        Type::Option(_) => Value::Null,
        Type::Record(record) => {
            let fields = record.fields().map(|field| (camel(field.name), value(&field.ty, rng)));
            fields.collect::<Map<_, _>>().into()
        }
        Type::Enum(cases) => json!(*rng.pick(&cases.names().collect::<Vec<_>>())),
        Type::Variant(variant) => {
            let cases: Vec<_> = variant.cases().collect();
            let case = rng.pick(&cases);
            tagged(case.name, case.ty.as_ref().map(|ty| value(ty, rng)))
        }
        Type::Result(result) if rng.one_in(2) => tagged("err", result.err().map(|ty| value(&ty, rng))),
        Type::Result(result) => tagged("ok", result.ok().map(|ty| value(&ty, rng))),
        other => panic!("the interface has a {other:?}, which is not in the table of the README"),
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

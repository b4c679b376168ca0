//! Functions: those that the component exports, and the calls of them that hosts make.
//!
//! Docs: Component Model, "Canonical ABI Explainer", "lift". What an export calls is in `crates/component/src/lib.rs`; how a host makes a call is up to
//! its `contract::canonical::CoreInstance`.

use anyhow::{Context as _, ensure};
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{Function, Type};

use super::{Contract, TIMESTAMP, TypeUse, capitalized, head, pascal, snake};

/// The functions that the component exports.
pub(super) fn exports(wit: &Contract) -> anyhow::Result<String> {
    let docs = "The functions that are called are in `lib.rs`.";
    let mut file = head("The functions that the component exports: parameters are read, and results are written.", docs);
    file += "use contract::canonical::{Parameters, lift_flat, lower};\n\nuse crate::memory::{OwnMemory, keep, release, sent};\n";
    for function in wit.interface().functions.values() {
        let rust = snake(&function.name);
        let name = format!("{}#{}", wit.name(), function.name);
        let slots = slots(wit, function)?;
        let parameters: Vec<String> =
            slots.iter().enumerate().map(|(number, wide)| format!("p{number}: {}", if *wide { "u64" } else { "u32" })).collect();
        file += &format!("\n{}extern \"C\" fn {rust}({}) -> u32 {{\n", exported(&name), parameters.join(", "));
        if !slots.is_empty() {
            let values: Vec<String> =
                slots.iter().enumerate().map(|(number, wide)| format!("p{number}{}", if *wide { "" } else { ".into()" })).collect();
            file += &format!("let slots = [{}];\nlet from = &mut Parameters::new(&slots, &OwnMemory);\n", values.join(", "));
        }
        for parameter in &function.params {
            let value = match wit.type_use(&parameter.ty)? {
                TypeUse::Named(name, _) => format!("lift_flat::{}(from)", snake(&name)),
                TypeUse::Text => "from.text()".to_owned(),
                TypeUse::List(item) => format!("from.list({}, {})", wit.element(&item), wit.lifting("lift::", &item)?),
                TypeUse::Plain(_) | TypeUse::Option(_) | TypeUse::Tuple(_) | TypeUse::Result(..) => {
                    return Err(unsupported(function));
                }
            };
            file += &format!("let {} = sent({value});\n", snake(&parameter.name));
        }
        let names: Vec<String> = function.params.iter().map(|parameter| snake(&parameter.name)).collect();
        let result = result(function)?;
        file += &format!("keep(crate::{rust}({}), {}, {})\n}}\n", names.join(", "), wit.size(result), wit.lowering("lower::", result)?);
        file += &format!("\n{}extern \"C\" fn post_{rust}(_: u32) {{\nrelease({name:?});\n}}\n", exported(&format!("cabi_post_{name}")));
    }
    Ok(file)
}

/// An attribute: linkers of other platforms refuse these names.
fn exported(name: &str) -> String {
    format!("#[cfg_attr(target_family = \"wasm\", unsafe(export_name = \"{name}\"))]\n")
}

/// The functions as an enumeration, and the calls that hosts make.
pub(super) fn calls(wit: &Contract) -> anyhow::Result<String> {
    let docs = "How a call is made is up to the `CoreInstance`.";
    let mut file = head("The functions of the interface, and their calls: parameters are written, and results are read.", docs);
    let functions = || wit.interface().functions.values();
    let mut names = Vec::new();
    for ty in functions().flat_map(|function| function.params.iter().map(|parameter| &parameter.ty).chain(&function.result)) {
        wit.names(ty, &mut names)?;
    }
    names.retain(|name| name != "Timestamp" && name != "Family");
    names.sort_unstable();
    names.dedup();
    file += "use api::{Text, Timestamp};\n\nuse super::CoreType::{I32, I64};\nuse super::{CoreInstance, CoreType, lift, lower_flat};\nuse crate::metrics::Family;\n";
    file += &format!("use crate::{{{}}};\n\n", names.join(", "));

    let cases: Vec<(String, &str)> = functions().map(|function| (capitalized(&function.name), &*function.name)).collect();
    let each = |line: &dyn Fn(&str, &str) -> String| cases.iter().map(|(case, name)| line(case, name)).collect::<String>();
    file += "/// A function of the interface.\n#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub enum ExportedFunction {\n";
    file += &each(&|case, name| format!("/// `{name}`\n{case},\n"));
    file += "}\n\nimpl ExportedFunction {\n/// All of them, in the order of the WIT.\n";
    file += &format!("pub const ALL: [Self; {}] = [{}];\n\n", cases.len(), each(&|case, _| format!("Self::{case},")));
    file += "/// Its name in the WIT.\n#[must_use]\npub fn name(self) -> &'static str {\nmatch self {\n";
    file += &each(&|case, name| format!("Self::{case} => \"{name}\",\n"));
    file += "}\n}\n\n/// The types of its parameters, as a core module has them.\n#[must_use]\npub fn parameters(self) -> &'static [CoreType] {\nmatch self {\n";
    for function in functions() {
        let types: Vec<&str> = slots(wit, function)?.iter().map(|wide| if *wide { "I64" } else { "I32" }).collect();
        file += &format!("Self::{} => &[{}],\n", capitalized(&function.name), types.join(", "));
    }
    file += "}\n}\n}\n";
    for function in functions() {
        file += &call(wit, function)?;
    }
    Ok(file)
}

fn call(wit: &Contract, function: &Function) -> anyhow::Result<String> {
    let (mut parameters, mut lower) = (String::new(), Vec::new());
    for parameter in &function.params {
        let name = snake(&parameter.name);
        let (ty, write) = match wit.type_use(&parameter.ty)? {
            TypeUse::Named(ty, _) if ty == TIMESTAMP => ("Timestamp".to_owned(), format!("lower_flat::timestamp(&{name}, to);")),
            TypeUse::Named(ty, _) => (format!("&{}", pascal(&ty)), format!("lower_flat::{}({name}, to);", snake(&ty))),
            TypeUse::Text => ("&str".to_owned(), format!("to.text({name});")),
            TypeUse::List(item) => {
                let ty = if matches!(wit.type_use(&item)?, TypeUse::Text) { "Text".to_owned() } else { wit.rust(&item)? };
                (format!("&[{ty}]"), format!("to.list({}, {name}, {});", wit.element(&item), wit.lowering("lower::", &item)?))
            }
            TypeUse::Plain(_) | TypeUse::Option(_) | TypeUse::Tuple(_) | TypeUse::Result(..) => {
                return Err(unsupported(function));
            }
        };
        parameters += &format!(", {name}: {ty}");
        lower.push(write);
    }
    let result = result(function)?;
    let lower = match &lower[..] {
        [] => "|_| ()".to_owned(),
        [one] => format!("|to| {}", one.trim_end_matches(';')),
        _ => format!("|to| {{ {} }}", lower.concat()),
    };
    let docs = format!("/// Calls `{}`.\n///\n/// # Errors\n/// If the instance traps.", function.name);
    Ok(format!(
        "\n{docs}\npub fn {}<I: CoreInstance>(instance: &mut I{parameters}) -> Result<{}, I::Trap> {{\n\
         instance.call(ExportedFunction::{}, {lower}, {}, {})\n}}\n",
        snake(&function.name),
        wit.rust(result)?,
        capitalized(&function.name),
        wit.size(result),
        wit.lifting("lift::", result)?,
    ))
}

/// Which parameters of a core function are 64 bits wide; the others have 32.
fn slots(wit: &Contract, function: &Function) -> anyhow::Result<Vec<bool>> {
    let signature = wit.resolve.wasm_signature(AbiVariant::GuestExport, function);
    let floats = signature.params.iter().any(|ty| matches!(ty, WasmType::F32 | WasmType::F64));
    ensure!(!signature.indirect_params && signature.retptr && !floats, unsupported(function));
    Ok(signature.params.iter().map(|ty| matches!(ty, WasmType::I64 | WasmType::PointerOrI64)).collect())
}

fn result(function: &Function) -> anyhow::Result<&Type> {
    function.result.as_ref().with_context(|| format!("{} returns nothing", function.name))
}

fn unsupported(function: &Function) -> anyhow::Error {
    anyhow::anyhow!("{} has a parameter or a result of a kind that the Rust bindings do not support", function.name)
}

//! The Rust by which values of the contract cross the boundary: read from a memory and written there, the component's functions, and their calls.
//!
//! Docs: Component Model, "Canonical ABI Explainer". What the files use is in `crates/contract/src/canonical/`. Reading is in `lift.rs`, writing in
//! `lower.rs`, functions in `calls.rs`; where a field lies is computed by `wit_parser`.

mod calls;
mod lift;
mod lower;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use wit_parser::abi::{FlatTypes, WasmType};
use wit_parser::{Int, Interface, InterfaceId, Resolve, SizeAlign, Type, TypeDefKind, TypeId};

/// All files, by their paths in the workspace, whose root this is.
pub(super) fn files(root: &Path, path: &str, text: &str) -> anyhow::Result<[(&'static str, String); 6]> {
    let wit = &Contract::parse(path, text)?;
    Ok([
        ("crates/contract/src/canonical/lift.rs", formatted(root, &lift::from_memory(wit)?)?),
        ("crates/contract/src/canonical/lift_flat.rs", formatted(root, &lift::from_slots(wit)?)?),
        ("crates/contract/src/canonical/lower.rs", formatted(root, &lower::to_memory(wit)?)?),
        ("crates/contract/src/canonical/lower_flat.rs", formatted(root, &lower::to_slots(wit)?)?),
        ("crates/contract/src/canonical/calls.rs", formatted(root, &calls::calls(wit)?)?),
        ("crates/component/src/exports.rs", formatted(root, &calls::exports(wit)?)?),
    ])
}

/// A file as `cargo fmt` leaves it.
fn formatted(root: &Path, text: &str) -> anyhow::Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("rustfmt cannot be started")?;
    rustfmt.stdin.take().context("it was piped")?.write_all(text.as_bytes())?;
    let output = rustfmt.wait_with_output()?;
    ensure!(output.status.success(), "rustfmt refuses this:\n{text}");
    Ok(String::from_utf8(output.stdout)?)
}

/// The interface, and how its values lie in memory.
struct Contract {
    resolve: Resolve,
    id: InterfaceId,
    sizes: SizeAlign,
}

impl Contract {
    /// Reads the one interface of a package.
    fn parse(path: &str, text: &str) -> anyhow::Result<Self> {
        let mut resolve = Resolve::default();
        resolve.push_source(path, text)?;
        let id = resolve.interfaces.iter().next().context("the package has an interface")?.0;
        let mut sizes = SizeAlign::default();
        sizes.fill(&resolve)?;
        Ok(Self { resolve, id, sizes })
    }

    fn interface(&self) -> &Interface {
        &self.resolve.interfaces[self.id]
    }

    /// The name under which a component exports the interface.
    fn name(&self) -> String {
        self.resolve.id_of(self.id).expect("the interface has a name")
    }

    /// A type as the generators know it.
    #[expect(clippy::wildcard_enum_match_arm, reason = "WIT has many types, and this is what remains")]
    fn type_use(&self, ty: &Type) -> anyhow::Result<TypeUse> {
        Ok(match ty {
            Type::Bool => TypeUse::Plain("bool"),
            Type::U16 => TypeUse::Plain("u16"),
            Type::U32 => TypeUse::Plain("u32"),
            Type::U64 => TypeUse::Plain("u64"),
            Type::S64 => TypeUse::Plain("s64"),
            Type::F64 => TypeUse::Plain("f64"),
            Type::String => TypeUse::Text,
            Type::Id(id) => match (&self.resolve.types[*id].name, &self.resolve.types[*id].kind) {
                (Some(name), _) => TypeUse::Named(name.clone(), *id),
                (None, TypeDefKind::List(item)) => TypeUse::List(*item),
                (None, TypeDefKind::Option(value)) => TypeUse::Option(*value),
                (None, TypeDefKind::Tuple(tuple)) => TypeUse::Tuple(tuple.types.clone()),
                (None, TypeDefKind::Result(result)) => TypeUse::Result(result.ok, result.err),
                (None, other) => bail!("the Rust bindings do not support {}", other.as_str()),
            },
            other => bail!("the Rust bindings do not support {other:?}"),
        })
    }

    /// What a type with a name is made of.
    #[expect(clippy::wildcard_enum_match_arm, reason = "WIT has many kinds, and this is what remains")]
    fn made_of(&self, id: TypeId) -> anyhow::Result<Made> {
        Ok(match &self.resolve.types[id].kind {
            TypeDefKind::Record(record) => {
                let offsets = self.offsets(record.fields.iter().map(|field| &field.ty));
                let fields = record.fields.iter().zip(offsets);
                Made::Record(fields.map(|(field, offset)| Field { name: snake(&field.name), ty: field.ty, offset }).collect())
            }
            TypeDefKind::Variant(variant) => {
                let payload = self.sizes.payload_offset(variant.tag(), variant.cases.iter().map(|case| case.ty.as_ref()));
                Made::Variant(variant.cases.iter().map(|case| (capitalized(&case.name), case.ty)).collect(), payload.size_wasm32())
            }
            TypeDefKind::Enum(cases) => Made::Variant(cases.cases.iter().map(|case| (capitalized(&case.name), None)).collect(), 0),
            other => bail!("the Rust bindings do not support {}", other.as_str()),
        })
    }

    fn offsets<'a>(&self, types: impl IntoIterator<Item = &'a Type>) -> Vec<usize> {
        self.sizes.field_offsets(types).into_iter().map(|(offset, _)| offset.size_wasm32()).collect()
    }

    fn size(&self, ty: &Type) -> usize {
        self.sizes.size(ty).size_wasm32()
    }

    /// Size and alignment of a list's elements, as arguments.
    fn element(&self, ty: &Type) -> String {
        format!("{}, {}", self.size(ty), self.sizes.align(ty).align_wasm32())
    }

    /// Where the value of an option or a result lies.
    fn payload<'a>(&self, cases: impl IntoIterator<Item = Option<&'a Type>>) -> usize {
        self.sizes.payload_offset(Int::U8, cases).size_wasm32()
    }

    /// How many slots a type takes as a parameter.
    fn slots(&self, ty: &Type) -> usize {
        let mut room = [WasmType::I32; Resolve::MAX_FLAT_PARAMS];
        let mut slots = FlatTypes::new(&mut room);
        self.resolve.push_flat(ty, &mut slots);
        slots.to_vec().len()
    }

    /// The types with a name that parameters are made of where no list lies between, in the order of the WIT.
    fn of_parameters(&self) -> anyhow::Result<Vec<(&str, TypeId)>> {
        let mut found = FoundTypes::default();
        for parameter in self.interface().functions.values().flat_map(|function| &function.params) {
            self.find(&parameter.ty, false, &mut found)?;
        }
        Ok(self.named(&found.flat))
    }

    /// The types with a name whose values lie in memory, in the order of the WIT.
    fn in_memory(&self) -> anyhow::Result<Vec<(&str, TypeId)>> {
        let mut found = FoundTypes::default();
        for function in self.interface().functions.values() {
            function.params.iter().try_for_each(|parameter| self.find(&parameter.ty, false, &mut found))?;
            function.result.iter().try_for_each(|result| self.find(result, true, &mut found))?;
        }
        Ok(self.named(&found.stored))
    }

    fn named(&self, found: &[TypeId]) -> Vec<(&str, TypeId)> {
        self.interface().types.iter().map(|(name, id)| (&**name, *id)).filter(|(_, id)| found.contains(id)).collect()
    }

    /// Finds all types with a name in a type; `stored` says whether a value of it lies in memory.
    fn find(&self, ty: &Type, stored: bool, found: &mut FoundTypes) -> anyhow::Result<()> {
        match self.type_use(ty)? {
            TypeUse::Plain(_) | TypeUse::Text => Ok(()),
            TypeUse::List(item) => self.find(&item, true, found),
            TypeUse::Option(value) => self.find(&value, stored, found),
            TypeUse::Tuple(types) => types.iter().try_for_each(|ty| self.find(ty, stored, found)),
            TypeUse::Result(value, error) => value.iter().chain(&error).try_for_each(|ty| self.find(ty, stored, found)),
            TypeUse::Named(_, id) => {
                let known = if stored { &mut found.stored } else { &mut found.flat };
                if known.contains(&id) {
                    return Ok(());
                }
                known.push(id);
                match self.made_of(id)? {
                    Made::Record(fields) => fields.iter().try_for_each(|field| self.find(&field.ty, stored, found)),
                    Made::Variant(cases, _) => {
                        cases.iter().filter_map(|(_, ty)| ty.as_ref()).try_for_each(|ty| self.find(ty, stored, found))
                    }
                }
            }
        }
    }

    /// Adds the names of the types in a type, as Rust spells them.
    fn names(&self, ty: &Type, names: &mut Vec<String>) -> anyhow::Result<()> {
        match self.type_use(ty)? {
            TypeUse::Plain(_) | TypeUse::Text => Ok(()),
            TypeUse::Named(name, _) => {
                names.push(pascal(&name));
                Ok(())
            }
            TypeUse::List(inner) | TypeUse::Option(inner) => self.names(&inner, names),
            TypeUse::Tuple(types) => types.iter().try_for_each(|ty| self.names(ty, names)),
            TypeUse::Result(value, error) => value.iter().chain(&error).try_for_each(|ty| self.names(ty, names)),
        }
    }

    /// A type as Rust spells it.
    fn rust(&self, ty: &Type) -> anyhow::Result<String> {
        Ok(match self.type_use(ty)? {
            TypeUse::Plain("s64") => "i64".to_owned(),
            TypeUse::Plain(name) => name.to_owned(),
            TypeUse::Text => "String".to_owned(),
            TypeUse::Named(name, _) => pascal(&name),
            TypeUse::List(item) => format!("Vec<{}>", self.rust(&item)?),
            TypeUse::Option(value) => format!("Option<{}>", self.rust(&value)?),
            TypeUse::Tuple(types) => format!("({})", types.iter().map(|ty| self.rust(ty)).collect::<anyhow::Result<Vec<_>>>()?.join(", ")),
            TypeUse::Result(value, error) => {
                let either = |ty: Option<Type>| ty.map_or_else(|| Ok("()".to_owned()), |ty| self.rust(&ty));
                format!("Result<{}, {}>", either(value)?, either(error)?)
            }
        })
    }
}

/// The types with a name that functions use.
#[derive(Default)]
struct FoundTypes {
    /// In slots of parameters.
    flat: Vec<TypeId>,
    /// In memory.
    stored: Vec<TypeId>,
}

/// A type where it is used.
enum TypeUse {
    /// A number or a truth value, as the WIT spells it.
    Plain(&'static str),
    Text,
    Named(String, TypeId),
    List(Type),
    Option(Type),
    Tuple(Vec<Type>),
    Result(Option<Type>, Option<Type>),
}

/// What a type with a name is made of.
enum Made {
    Record(Vec<Field>),
    /// Cases and what they carry, and where that lies.
    Variant(Vec<(String, Option<Type>)>, usize),
}

/// A field of a record, and where it lies.
struct Field {
    name: String,
    ty: Type,
    offset: usize,
}

/// The point in time is the crates' own type.
const TIMESTAMP: &str = "timestamp";

/// Fields of one record that are a record of their own in Rust: a cluster in memory accepts requests that belong to no plan, too.
const REQUEST: (&str, [&str; 4]) = ("command", ["method", "path", "content_type", "body"]);

/// Fields, of whichever record, that are a sentence.
const SENTENCES: [&str; 3] = ["sentence", "headline", "remedy"];

/// Where a field of the contract is in the type in Rust.
///
/// Two more differ for the sake of views: a decision has its kind at hand instead of the code by which the kind is found, and a sentence displays.
fn place(record: &str, field: &str) -> String {
    match (record, field) {
        (record, field) if record == REQUEST.0 && REQUEST.1.contains(&field) => format!("request.{field}"),
        ("decision", "code") => "kind.code".to_owned(),
        (_, field) if SENTENCES.contains(&field) => format!("{field}.0"),
        (_, field) => field.to_owned(),
    }
}

/// A type's or a case's name. Objects of the cluster have types of their own in other crates, so the text of one is called so.
fn pascal(name: &str) -> String {
    if name == "object" { "ObjectJson".to_owned() } else { capitalized(name) }
}

fn capitalized(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// What each file begins with.
fn head(what: &str, docs: &str) -> String {
    format!(
        "//! {what}\n//!\n//! Docs: `crates/component/wit/controllers.wit`. {docs}\n\
         //! Generated from it by `cargo xtask bindings`; do not edit.\n\n"
    )
}

/// Declares the use of types of the contract.
fn uses(types: &[(&str, TypeId)], more: &[&str]) -> String {
    const METRICS: [&str; 4] = ["Family", "Histogram", "Measure", "Sample"];
    let names = types.iter().map(|(name, _)| pascal(name)).filter(|name| name != "Timestamp");
    let (metrics, names): (Vec<_>, Vec<_>) = names.chain(more.iter().map(ToString::to_string)).partition(|name| METRICS.contains(&&**name));
    let (decision, mut names): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| name == "TextPart");
    names.sort_unstable();
    let line = |module: &str, names: &[String]| match names {
        [] => String::new(),
        _ => format!("use crate::{module}{{{}}};\n", names.join(", ")),
    };
    line("decision::", &decision) + &line("metrics::", &metrics) + &line("", &names)
}

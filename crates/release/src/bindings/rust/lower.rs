//! Writing: a function for each type, to a memory or to the parameters of a call.
//!
//! Docs: Component Model, "Canonical ABI Explainer", "Storing", "Flat Lowering". Reading is in `lift.rs`.

use wit_parser::Type;

use super::{Contract, Field, Made, TIMESTAMP, TypeUse, head, pascal, place, snake, uses};

const DOCS: &str = "Single values are written in `target.rs`.";

/// The functions that write to a memory.
pub(super) fn to_memory(wit: &Contract) -> anyhow::Result<String> {
    let mut file = head("Writes the contract's values to a memory.", DOCS);
    let types = wit.in_memory()?;
    file += &format!("use api::{{Timestamp, time}};\n\nuse super::AbiTarget;\n{}", uses(&types, &[]));
    for (name, id) in types {
        let body = match wit.made_of(id)? {
            Made::Record(fields) => record(name, &fields, &|field, value| wit.lower("", &field.ty, field.offset, value))?,
            Made::Variant(cases, payload) => variant("case", name, &cases, &|ty| wit.lower("", ty, payload, "*carried"))?,
        };
        file += &function(name, "mut to: AbiTarget<'_>", &body);
    }
    Ok(file)
}

/// The functions that write parameters.
pub(super) fn to_slots(wit: &Contract) -> anyhow::Result<String> {
    let mut file = head("Writes the parameters of the contract's functions.", DOCS);
    let types = wit.of_parameters()?;
    file += &format!("use api::{{Timestamp, time}};\n\nuse super::{{Slots, lower}};\n{}", uses(&types, &[]));
    for (name, id) in types {
        let slots = wit.slots(&Type::Id(id));
        let body = match wit.made_of(id)? {
            Made::Record(fields) => record(name, &fields, &|field, value| wit.lower_flat(&field.ty, value))?,
            Made::Variant(cases, _) if slots == 1 => variant("u32", name, &cases, &|ty| wit.lower_flat(ty, "*carried"))?,
            Made::Variant(cases, _) => {
                let body = variant("u32", name, &cases, &|ty| wit.lower_flat(ty, "*carried"))?;
                format!("to.variant({slots}, |to| {body});")
            }
        };
        file += &function(name, "to: &mut Slots<'_>", &body);
    }
    Ok(file)
}

fn function(name: &str, to: &str, body: &str) -> String {
    format!("\n/// Writes a value of the type `{name}`.\npub fn {}(from: &{}, {to}) {{\n{body}\n}}\n", snake(name), pascal(name))
}

/// Writes the fields of a record so.
fn record(name: &str, fields: &[Field], write: &dyn Fn(&Field, &str) -> anyhow::Result<String>) -> anyhow::Result<String> {
    if name == TIMESTAMP {
        let [seconds, nanoseconds] = [write(&fields[0], "seconds")?, write(&fields[1], "nanoseconds")?];
        return Ok(format!("let (seconds, nanoseconds) = time::parts(*from);\n{seconds};\n{nanoseconds};"));
    }
    fields.iter().map(|field| Ok(format!("{};\n", write(field, &format!("from.{}", place(name, &field.name)))?))).collect()
}

/// Writes the number of a case as the `number_as` of the target, and what the case carries so.
fn variant(
    number_as: &str,
    name: &str,
    cases: &[(String, Option<Type>)],
    write: &dyn Fn(&Type) -> anyhow::Result<String>,
) -> anyhow::Result<String> {
    if cases.iter().all(|(_, ty)| ty.is_none()) {
        let arms = cases.iter().enumerate().map(|(number, (case, _))| format!("{}::{case} => {number},\n", pascal(name)));
        return Ok(format!("to.{number_as}(match from {{\n{}}});", arms.collect::<String>()));
    }
    let mut arms = String::new();
    for (number, (case, ty)) in cases.iter().enumerate() {
        let case = format!("{}::{case}", pascal(name));
        arms += &match ty {
            None => format!("{case} => to.{number_as}({number}),\n"),
            Some(ty) => format!("{case}(carried) => {{\nto.{number_as}({number});\n{};\n}}\n", write(ty)?),
        };
    }
    Ok(format!("match from {{\n{arms}}}"))
}

impl Contract {
    /// Writes a value to this offset; `value` is its place in Rust, and the functions of types with a name are in `module`.
    fn lower(&self, module: &str, ty: &Type, offset: usize, value: &str) -> anyhow::Result<String> {
        Ok(match self.type_use(ty)? {
            TypeUse::Plain(kind) => format!("to.{kind}({offset}, {value})"),
            TypeUse::Text => format!("to.text({offset}, {})", borrowed(value)),
            TypeUse::Named(name, _) => format!("{module}{}({}, to.at({offset}))", snake(&name), borrowed(value)),
            TypeUse::List(item) => {
                format!("to.list({offset}, {}, {}, {})", self.element(&item), borrowed(value), self.lowering(module, &item)?)
            }
            TypeUse::Option(inner) => {
                let payload = offset + self.payload([Some(&inner)]);
                let value = value.strip_prefix('*').unwrap_or(value);
                format!("to.option({offset}, {payload}, {value}.as_ref(), {})", self.lowering(module, &inner)?)
            }
            TypeUse::Result(ok, error) => {
                let either = |ty: Option<Type>| ty.map_or_else(|| Ok("|_, _| ()".to_owned()), |ty| self.lowering(module, &ty));
                let payload = self.payload([ok.as_ref(), error.as_ref()]);
                anyhow::ensure!(offset == 0, "results are supported as results of functions alone");
                format!("to.result({payload}, {}, {}, {})", borrowed(value), either(ok)?, either(error)?)
            }
            TypeUse::Tuple(_) => anyhow::bail!("tuples are supported in lists alone"),
        })
    }

    /// What writes a value from its first byte on: a function, or a closure.
    pub(super) fn lowering(&self, module: &str, ty: &Type) -> anyhow::Result<String> {
        Ok(match self.type_use(ty)? {
            TypeUse::Named(name, _) => format!("{module}{}", snake(&name)),
            TypeUse::Tuple(types) => {
                let names = &["one", "two", "three"][..types.len()];
                let fields = types.iter().zip(self.offsets(&types)).zip(names);
                let writes = fields.map(|((ty, offset), name)| Ok(format!("{};\n", self.lower(module, ty, offset, &format!("*{name}"))?)));
                format!("|({}), mut to| {{\n{}}}", names.join(", "), writes.collect::<anyhow::Result<String>>()?)
            }
            TypeUse::Plain(_) | TypeUse::Text | TypeUse::List(_) | TypeUse::Option(_) | TypeUse::Result(..) => {
                format!("|from, mut to| {}", self.lower(module, ty, 0, "*from")?)
            }
        })
    }

    /// Writes a parameter; `value` is its place in Rust.
    fn lower_flat(&self, ty: &Type, value: &str) -> anyhow::Result<String> {
        Ok(match self.type_use(ty)? {
            TypeUse::Plain(kind) => format!("to.{kind}({value})"),
            TypeUse::Text => format!("to.text({})", borrowed(value)),
            TypeUse::Named(name, _) => format!("{}({}, to)", snake(&name), borrowed(value)),
            TypeUse::List(item) => format!("to.list({}, {}, {})", self.element(&item), borrowed(value), self.lowering("lower::", &item)?),
            TypeUse::Option(_) | TypeUse::Tuple(_) | TypeUse::Result(..) => anyhow::bail!("no parameter is an option, a tuple or a result"),
        })
    }
}

/// A reference to a value.
fn borrowed(value: &str) -> String {
    value.strip_prefix('*').map_or_else(|| format!("&{value}"), str::to_owned)
}

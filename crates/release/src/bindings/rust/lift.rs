//! Reading: a function for each type, from a memory or from the parameters of a call.
//!
//! Docs: Component Model, "Canonical ABI Explainer", "Loading", "Flat Lifting". Writing is in `lower.rs`.

use wit_parser::Type;

use super::{Contract, Field, Made, REQUEST, SENTENCES, TIMESTAMP, TypeUse, head, pascal, snake, uses};

const DOCS: &str = "Single values are read in `source.rs`.";

/// The functions that read from a memory.
pub(super) fn from_memory(wit: &Contract) -> anyhow::Result<String> {
    let mut file = head("Reads the contract's values from a memory.", DOCS);
    let types = wit.in_memory()?;
    file += &format!("use api::Timestamp;\n\nuse super::{{AbiError, AbiSource, source}};\n{}", uses(&types, &["Request", "Sentence"]));
    for (name, id) in types {
        let body = match wit.made_of(id)? {
            Made::Record(fields) => record(name, &fields, &|field| wit.lift("", &field.ty, field.offset))?,
            Made::Variant(cases, payload) => {
                let carried = |ty: &Type| wit.lift("", ty, payload);
                format!("Ok(match from.case() {{\n{}}})", arms(name, &cases, &carried)?)
            }
        };
        file += &function(name, "from: AbiSource<'_>", &body);
    }
    Ok(file)
}

/// The functions that read parameters.
pub(super) fn from_slots(wit: &Contract) -> anyhow::Result<String> {
    let mut file = head("Reads the parameters of the contract's functions.", DOCS);
    let types = wit.of_parameters()?;
    file += &format!("use api::Timestamp;\n\nuse super::{{AbiError, Parameters, lift, source}};\n{}", uses(&types, &[]));
    for (name, id) in types {
        let body = match wit.made_of(id)? {
            Made::Record(fields) => record(name, &fields, &|field| wit.lift_flat(&field.ty))?,
            Made::Variant(cases, _) => {
                let slots = wit.slots(&Type::Id(id));
                let own = if slots > 1 { format!("let from = &mut from.variant({slots});\n") } else { String::new() };
                format!("{own}Ok(match from.u32() {{\n{}}})", arms(name, &cases, &|ty| wit.lift_flat(ty))?)
            }
        };
        file += &function(name, "from: &mut Parameters<'_>", &body);
    }
    Ok(file)
}

fn function(name: &str, from: &str, body: &str) -> String {
    let error = "///\n/// # Errors\n/// If the other side of the boundary wrote something else.";
    format!(
        "\n/// Reads a value of the type `{name}`.\n{error}\npub fn {}({from}) -> Result<{}, AbiError> {{\n{body}\n}}\n",
        snake(name),
        pascal(name)
    )
}

/// The value of a record, whose fields are read so.
fn record(name: &str, fields: &[Field], read: &dyn Fn(&Field) -> anyhow::Result<String>) -> anyhow::Result<String> {
    if name == TIMESTAMP {
        return Ok(format!("source::timestamp({}, {})", read(&fields[0])?, read(&fields[1])?));
    }
    let (mut own, mut request) = (String::new(), String::new());
    for field in fields {
        let value = read(field)?;
        match (name, &*field.name) {
            (name, field) if name == REQUEST.0 && REQUEST.1.contains(&field) => request += &format!("{field}: {value},\n"),
            ("decision", "code") => own += &format!("kind: from.kind({})?,\n", field.offset),
            (_, name) if SENTENCES.contains(&name) => own += &format!("{name}: Sentence({value}),\n"),
            (_, name) => own += &format!("{name}: {value},\n"),
        }
    }
    let request = if request.is_empty() { request } else { format!("request: Request {{ {request} }},\n") };
    Ok(format!("Ok({} {{ {request}{own} }})", pascal(name)))
}

/// The cases of a variant, whose values are read so.
fn arms(name: &str, cases: &[(String, Option<Type>)], read: &dyn Fn(&Type) -> anyhow::Result<String>) -> anyhow::Result<String> {
    let mut arms = String::new();
    for (number, (case, ty)) in cases.iter().enumerate() {
        let carried = ty.as_ref().map(read).transpose()?.map(|value| format!("({value})")).unwrap_or_default();
        arms += &format!("{number} => {}::{case}{carried},\n", pascal(name));
    }
    Ok(arms + &format!("case => return Err(AbiError::Case {{ name: \"{name}\", case }}),\n"))
}

impl Contract {
    /// Reads a value that lies at this offset; the functions of types with a name are in `module`.
    fn lift(&self, module: &str, ty: &Type, offset: usize) -> anyhow::Result<String> {
        Ok(match self.type_use(ty)? {
            TypeUse::Plain(kind) => format!("from.{kind}({offset})"),
            TypeUse::Text => format!("from.text({offset})?"),
            TypeUse::Named(name, _) if offset == 0 => format!("{module}{}(from)?", snake(&name)),
            TypeUse::Named(name, _) => format!("{module}{}(from.at({offset}))?", snake(&name)),
            TypeUse::List(item) => format!("from.list({offset}, {}, {})?", self.element(&item), self.lifting(module, &item)?),
            TypeUse::Option(value) => {
                let payload = offset + self.payload([Some(&value)]);
                format!("from.option({offset}, {payload}, {})?", self.lifting(module, &value)?)
            }
            TypeUse::Tuple(types) => {
                let fields = types.iter().zip(self.offsets(&types)).map(|(ty, field)| self.lift(module, ty, offset + field));
                format!("({})", fields.collect::<anyhow::Result<Vec<_>>>()?.join(", "))
            }
            TypeUse::Result(value, error) => {
                let either = |ty: Option<Type>| ty.map_or_else(|| Ok("|_| Ok(())".to_owned()), |ty| self.lifting(module, &ty));
                let payload = self.payload([value.as_ref(), error.as_ref()]);
                anyhow::ensure!(offset == 0, "results are supported as results of functions alone");
                format!("from.result({payload}, {}, {})?", either(value)?, either(error)?)
            }
        })
    }

    /// What reads a value from its first byte on: a function, or a closure.
    pub(super) fn lifting(&self, module: &str, ty: &Type) -> anyhow::Result<String> {
        if let TypeUse::Named(name, _) = self.type_use(ty)? {
            return Ok(format!("{module}{}", snake(&name)));
        }
        let value = self.lift(module, ty, 0)?;
        Ok(value.strip_suffix('?').map_or_else(|| format!("|from| Ok({value})"), |fallible| format!("|from| {fallible}")))
    }

    /// Reads a parameter, whose type's function is in this module.
    fn lift_flat(&self, ty: &Type) -> anyhow::Result<String> {
        Ok(match self.type_use(ty)? {
            TypeUse::Plain(kind) => format!("from.{kind}()"),
            TypeUse::Text => "from.text()?".to_owned(),
            TypeUse::Named(name, _) => format!("{}(from)?", snake(&name)),
            TypeUse::List(item) => format!("from.list({}, {})?", self.element(&item), self.lifting("lift::", &item)?),
            TypeUse::Option(_) | TypeUse::Tuple(_) | TypeUse::Result(..) => anyhow::bail!("no parameter is an option, a tuple or a result"),
        })
    }
}

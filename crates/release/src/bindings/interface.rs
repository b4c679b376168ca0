//! The interface of the WIT, as the generators of the bindings read it: names, shapes and documentation, and nothing that they do not need.
//!
//! Docs: `crates/component/wit/controllers.wit`; the Component Model, "WIT". What each language makes of it is in the files beside this one.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Context as _, bail};
use wit_parser::{Docs, Resolve, TypeDefKind, TypeId};

/// An interface: all names are as the WIT spells them, in kebab case.
pub(super) struct Interface {
    /// The name under which a component exports it: `jobsmith:controllers/manager@0.3.0`.
    pub(super) name: String,
    /// Its documentation, in Markdown.
    pub(super) docs: String,
    /// Its types, each after those that it is made of.
    pub(super) types: Vec<Named>,
    /// Its functions, in their order.
    pub(super) functions: Vec<Function>,
}

/// A type with a name.
pub(super) struct Named {
    /// Its name.
    pub(super) name: String,
    /// Its documentation.
    pub(super) docs: String,
    /// What it is made of.
    pub(super) shape: Shape,
}

/// What a type with a name is made of.
pub(super) enum Shape {
    /// Fields, each with its type.
    Record(Vec<Member>),
    /// Cases, which may have types.
    Variant(Vec<Member>),
    /// Cases without types.
    Enum(Vec<Member>),
}

/// A field of a record, or a case.
pub(super) struct Member {
    /// Its name.
    pub(super) name: String,
    /// Its documentation.
    pub(super) docs: String,
    /// The type of a field, or what a case carries.
    pub(super) ty: Option<Type>,
}

/// A type where it is used.
pub(super) enum Type {
    Bool,
    U16,
    U32,
    U64,
    S64,
    F64,
    String,
    /// A type with this name.
    Named(String),
    List(Box<Type>),
    Option(Box<Type>),
    Tuple(Vec<Type>),
    /// The result of a function that may fail; nothing where it returns no value.
    Result(Option<Box<Type>>, Box<Type>),
}

/// A function.
pub(super) struct Function {
    /// Its name.
    pub(super) name: String,
    /// Its documentation.
    pub(super) docs: String,
    /// The names and types of its parameters.
    pub(super) parameters: Vec<(String, Type)>,
    /// What it returns.
    pub(super) result: Option<Type>,
}

impl Interface {
    /// Reads the one interface of a package.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        Self::parse(&path.to_string_lossy(), &text)
    }

    fn parse(path: &str, text: &str) -> anyhow::Result<Self> {
        let mut resolve = Resolve::default();
        resolve.push_source(path, text)?;
        let (id, interface) = resolve.interfaces.iter().next().context("the package has an interface")?;
        let types = interface.types.iter().map(|(name, id)| named(&resolve, name, *id)).collect::<anyhow::Result<_>>()?;
        let functions = interface.functions.values().map(|function| {
            let parameters = function.params.iter().map(|parameter| Ok((parameter.name.clone(), used(&resolve, parameter.ty)?)));
            Ok(Function {
                name: function.name.clone(),
                docs: markdown(&function.docs),
                parameters: parameters.collect::<anyhow::Result<_>>()?,
                result: function.result.map(|result| used(&resolve, result)).transpose()?,
            })
        });
        Ok(Self {
            name: resolve.id_of(id).context("the interface has a name")?,
            docs: markdown(&interface.docs),
            types,
            functions: functions.collect::<anyhow::Result<_>>()?,
        })
    }

    /// The lengths of all tuples, for languages that have none of their own.
    pub(super) fn tuple_lengths(&self) -> BTreeSet<usize> {
        let of_members = self.types.iter().flat_map(|named| match &named.shape {
            Shape::Record(members) | Shape::Variant(members) | Shape::Enum(members) => {
                members.iter().filter_map(|member| member.ty.as_ref())
            }
        });
        let of_functions = self.functions.iter().flat_map(|f| f.parameters.iter().map(|(_, ty)| ty).chain(&f.result));
        let mut lengths = BTreeSet::new();
        of_members.chain(of_functions).for_each(|ty| ty.tuple_lengths(&mut lengths));
        lengths
    }
}

impl Type {
    fn tuple_lengths(&self, lengths: &mut BTreeSet<usize>) {
        match self {
            Self::List(inner) | Self::Option(inner) => inner.tuple_lengths(lengths),
            Self::Result(value, error) => value.iter().chain([error]).for_each(|ty| ty.tuple_lengths(lengths)),
            Self::Tuple(types) => {
                lengths.insert(types.len());
                types.iter().for_each(|ty| ty.tuple_lengths(lengths));
            }
            Self::Bool | Self::U16 | Self::U32 | Self::U64 | Self::S64 | Self::F64 | Self::String | Self::Named(_) => {}
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "WIT has many kinds, and this is what remains")]
fn named(resolve: &Resolve, name: &str, id: TypeId) -> anyhow::Result<Named> {
    let definition = &resolve.types[id];
    let shape = match &definition.kind {
        TypeDefKind::Record(record) => {
            Shape::Record(members(resolve, record.fields.iter().map(|field| (&field.name, &field.docs, Some(field.ty))))?)
        }
        TypeDefKind::Variant(variant) => {
            Shape::Variant(members(resolve, variant.cases.iter().map(|case| (&case.name, &case.docs, case.ty)))?)
        }
        TypeDefKind::Enum(cases) => Shape::Enum(members(resolve, cases.cases.iter().map(|case| (&case.name, &case.docs, None)))?),
        other => bail!("{name} is a {}, which the bindings do not support", other.as_str()),
    };
    Ok(Named { name: name.to_owned(), docs: markdown(&definition.docs), shape })
}

fn members<'a>(
    resolve: &Resolve,
    members: impl Iterator<Item = (&'a String, &'a Docs, Option<wit_parser::Type>)>,
) -> anyhow::Result<Vec<Member>> {
    let member = |(name, docs, ty): (&String, &Docs, Option<wit_parser::Type>)| {
        let ty = ty.map(|ty| used(resolve, ty)).transpose()?;
        Ok(Member { name: name.clone(), docs: markdown(docs), ty })
    };
    members.map(member).collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "WIT has many types, and this is what remains")]
fn used(resolve: &Resolve, ty: wit_parser::Type) -> anyhow::Result<Type> {
    use wit_parser::Type as Wit;
    let inner = |ty: &Wit| used(resolve, *ty).map(Box::new);
    Ok(match ty {
        Wit::Bool => Type::Bool,
        Wit::U16 => Type::U16,
        Wit::U32 => Type::U32,
        Wit::U64 => Type::U64,
        Wit::S64 => Type::S64,
        Wit::F64 => Type::F64,
        Wit::String => Type::String,
        Wit::Id(id) => match (&resolve.types[id].name, &resolve.types[id].kind) {
            (Some(name), _) => Type::Named(name.clone()),
            (None, TypeDefKind::List(item)) => Type::List(inner(item)?),
            (None, TypeDefKind::Option(value)) => Type::Option(inner(value)?),
            (None, TypeDefKind::Tuple(tuple)) => {
                Type::Tuple(tuple.types.iter().map(|ty| used(resolve, *ty)).collect::<anyhow::Result<_>>()?)
            }
            (None, TypeDefKind::Result(result)) => {
                let error = result.err.as_ref().context("a result has an error")?;
                Type::Result(result.ok.as_ref().map(inner).transpose()?, inner(error)?)
            }
            (None, other) => bail!("the bindings do not support {}", other.as_str()),
        },
        other => bail!("the bindings do not support {other:?}"),
    })
}

/// The documentation without headings such as `// ---- Calls`, which the parser takes for a part of it.
fn markdown(docs: &Docs) -> String {
    let lines = docs.contents.as_deref().unwrap_or_default().lines().filter(|line| !line.starts_with("---- "));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> anyhow::Result<Interface> {
        Interface::parse("test.wit", &format!("package a:b@1.2.3;\n/// All.\ninterface c {{ {body} }}"))
    }

    #[test]
    fn shapes_names_and_documentation_are_read() {
        let read = read(
            "// ---- Calls\n\n /// What it does.\n f: func(a: list<r>, b: option<u64>) -> result<_, string>;\n /// What it is.\n record r { /// Which.\n x-y: e, z: tuple<s64, f64> }\n\
             enum e { one }\n variant v { none, some(r) }",
        );
        let Interface { name, docs, types, functions } = read.unwrap();
        assert_eq!((&*name, &*docs), ("a:b/c@1.2.3", "All."));
        assert_eq!(types.iter().map(|ty| (&*ty.name, &*ty.docs)).collect::<Vec<_>>(), [("e", ""), ("r", "What it is."), ("v", "")]);
        let Shape::Record(fields) = &types[1].shape else { panic!("r is a record") };
        assert_eq!((&*fields[0].name, &*fields[0].docs), ("x-y", "Which."));
        assert!(matches!(&fields[0].ty, Some(Type::Named(name)) if name == "e"));
        let Shape::Variant(cases) = &types[2].shape else { panic!("v is a variant") };
        assert!(cases[0].ty.is_none() && cases[1].ty.is_some());
        assert_eq!((&*functions[0].name, &*functions[0].docs, functions[0].parameters.len()), ("f", "What it does.", 2));
        assert!(matches!(&functions[0].result, Some(Type::Result(None, error)) if matches!(**error, Type::String)));
    }

    #[test]
    fn a_shape_that_no_binding_has_is_refused() {
        let error = read("f: func(a: list<u8>);").err().unwrap();
        assert_eq!(error.to_string(), "the bindings do not support U8");
    }
}

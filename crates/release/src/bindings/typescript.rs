//! The types in TypeScript: interfaces, discriminated unions and string literals, as jco gives and takes them, with the WIT's documentation as TSDoc.
//!
//! Docs: `host/bindings/node/README.md`; TSDoc, "Doc fragment syntax"; jco, "Type mapping". The file is as Prettier leaves it.

use super::interface::{Function, Interface, Member, Named, Shape, Type};

/// How long a line may be, as `host/bindings/node/package.json` says.
const WIDTH: usize = 140;
/// Globals of JavaScript that annotations and modules use: a type of the WIT must not hide them.
const TAKEN: [&str; 10] = ["Array", "Date", "Error", "Function", "Map", "Number", "Object", "Promise", "Set", "String"];

/// The file of types.
pub(super) fn types(interface: &Interface) -> String {
    let mut text = "/**\n * The values that cross the boundary of a component, and the functions of one.\n *\n \
         * Written by `cargo xtask bindings` from `crates/component/wit/controllers.wit`.\n */\n\n\
         /** The name under which a component exports these functions. */\n"
        .to_owned();
    text += &format!("export const INTERFACE = '{}';\n", interface.name);
    for named in &interface.types {
        text += &definition(named);
    }
    let functions: Vec<_> = interface.functions.iter().map(function).collect();
    text += &format!("\n{}export interface Manager {{\n{}}}\n", comment(0, &interface.docs), functions.join("\n"));
    native(text, interface)
}

/// The text with fields, functions and `none` in its documentation named as they are in TypeScript.
fn native(text: String, interface: &Interface) -> String {
    let functions = interface.functions.iter().map(|function| &function.name);
    let fields = interface.types.iter().flat_map(|named| match &named.shape {
        Shape::Record(fields) => &fields[..],
        Shape::Variant(_) | Shape::Enum(_) => &[],
    });
    let text = text.replace("`none`", "`undefined`");
    functions
        .chain(fields.map(|field| &field.name))
        .fold(text, |text, name| text.replace(&format!("`{name}`"), &format!("`{}`", camel(name))))
}

fn definition(Named { name, docs, shape }: &Named) -> String {
    let type_name = pascal(name);
    match shape {
        Shape::Record(fields) => {
            let fields = fields.iter().map(|field| {
                let ty = annotation(field.ty.as_ref().expect("a field has a type"));
                format!("{}  {}: {ty};\n", comment(2, &field.docs), camel(&field.name))
            });
            format!("\n{}export interface {type_name} {{\n{}}}\n", comment(0, docs), fields.collect::<String>())
        }
        Shape::Enum(cases) => {
            let cases: Vec<_> = cases.iter().map(|case| (&*case.docs, format!("'{}'", case.name))).collect();
            union(&type_name, docs, &cases)
        }
        Shape::Variant(cases) => {
            let names: Vec<_> = cases.iter().map(|case| ("", case_name(name, &case.name))).collect();
            cases.iter().map(|case| case_definition(name, case)).collect::<String>() + &union(&type_name, docs, &names)
        }
    }
}

/// A case of a variant, as a type of its own.
fn case_definition(variant: &str, Member { name, docs, ty }: &Member) -> String {
    let value = ty.as_ref().map_or_else(String::new, |ty| format!("  val: {};\n", annotation(ty)));
    format!("\n{}export interface {} {{\n  tag: '{name}';\n{value}}}\n", comment(0, docs), case_name(variant, name))
}

/// A name for one of several types: on one line if there is room, and no case has documentation.
fn union(name: &str, docs: &str, cases: &[(&str, String)]) -> String {
    let head = format!("\n{}export type {name} =", comment(0, docs));
    let joined = cases.iter().map(|(_, case)| &**case).collect::<Vec<_>>().join(" | ");
    let room = "export type  = ;".len() + name.len() + joined.chars().count() <= WIDTH;
    if room && cases.iter().all(|(docs, _)| docs.is_empty()) {
        return format!("{head} {joined};\n");
    }
    let cases: String = cases.iter().map(|(docs, case)| format!("\n{}  | {case}", comment(2, docs))).collect();
    format!("{head}{cases};\n")
}

fn function(Function { name, docs, parameters, result }: &Function) -> String {
    let parameters: Vec<_> = parameters.iter().map(|(name, ty)| format!("{}: {}", camel(name), annotation(ty))).collect();
    let (value, error) = match result {
        Some(Type::Result(value, error)) => (value.as_deref(), Some(&**error)),
        value => (value.as_ref(), None),
    };
    let docs = match error {
        None => docs.clone(),
        Some(Type::Named(error)) => format!("{docs}\n\n@throws {{@link {}}}", pascal(error)),
        Some(error) => format!("{docs}\n\n@throws A `{}`.", annotation(error)),
    };
    let value = value.map_or_else(|| "void".to_owned(), annotation);
    format!("{}  {}({}): {value};\n", comment(2, &docs), camel(name), parameters.join(", "))
}

/// A type where it is used. Lists of numbers are typed arrays.
fn annotation(ty: &Type) -> String {
    match ty {
        Type::Bool => "boolean".to_owned(),
        Type::U16 | Type::U32 | Type::F64 => "number".to_owned(),
        Type::U64 | Type::S64 => "bigint".to_owned(),
        Type::String => "string".to_owned(),
        Type::Named(name) => pascal(name),
        Type::List(item) => match &**item {
            Type::U16 => "Uint16Array".to_owned(),
            Type::U32 => "Uint32Array".to_owned(),
            Type::U64 => "BigUint64Array".to_owned(),
            Type::S64 => "BigInt64Array".to_owned(),
            Type::F64 => "Float64Array".to_owned(),
            option @ Type::Option(_) => format!("({})[]", annotation(option)),
            Type::Bool | Type::String | Type::Named(_) | Type::List(_) | Type::Tuple(_) | Type::Result(..) => {
                format!("{}[]", annotation(item))
            }
        },
        Type::Option(value) => format!("{} | undefined", annotation(value)),
        Type::Tuple(types) => format!("[{}]", types.iter().map(annotation).collect::<Vec<_>>().join(", ")),
        Type::Result(value, error) => {
            let value = value.as_deref().map_or_else(|| "undefined".to_owned(), annotation);
            format!("{{ tag: 'ok'; val: {value} }} | {{ tag: 'err'; val: {} }}", annotation(error))
        }
    }
}

/// A name in Pascal case, which hides no global.
fn pascal(name: &str) -> String {
    let name = capitalized(name);
    if TAKEN.contains(&&*name) { format!("Cluster{name}") } else { name }
}

/// The type of a case stands beside all others: `RoleWait`.
fn case_name(variant: &str, case: &str) -> String {
    capitalized(variant) + &capitalized(case)
}

fn camel(name: &str) -> String {
    let name = capitalized(name);
    name[..1].to_lowercase() + &name[1..]
}

fn capitalized(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// Text as a doc comment: on one line if it is one that leaves room.
fn comment(indent: usize, text: &str) -> String {
    let margin = " ".repeat(indent);
    let text = text.replace("*/", "*\\/");
    let mut lines = text.lines();
    match (lines.next(), lines.next()) {
        (None, _) => String::new(),
        (Some(line), None) if indent + line.chars().count() + "/**  */".len() <= WIDTH => format!("{margin}/** {line} */\n"),
        _ => {
            let lines: String = text.lines().map(|line| format!("{margin} * {line}").trim_end().to_owned() + "\n").collect();
            format!("{margin}/**\n{lines}{margin} */\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, docs: &str, ty: Option<Type>) -> Member {
        Member { name: name.to_owned(), docs: docs.to_owned(), ty }
    }

    fn named(name: &str, shape: Shape) -> String {
        definition(&Named { name: name.to_owned(), docs: "What it is.".to_owned(), shape })
    }

    #[test]
    fn a_record_is_an_interface() {
        let fields = vec![
            member("x-y", "Which.", Some(Type::Option(Box::new(Type::U64)))),
            member("of", "", Some(Type::List(Box::new(Type::Tuple(vec![Type::F64, Type::Named("object".to_owned())]))))),
        ];
        assert_eq!(
            named("a-b", Shape::Record(fields)),
            "\n/** What it is. */\nexport interface AB {\n  /** Which. */\n  xY: bigint | undefined;\n  of: [number, ClusterObject][];\n}\n"
        );
    }

    #[test]
    fn a_variant_is_a_discriminated_union() {
        let cases = vec![member("one-two", "One.", Some(Type::S64)), member("none", "", None)];
        assert_eq!(
            named("v", Shape::Variant(cases)),
            "\n/** One. */\nexport interface VOneTwo {\n  tag: 'one-two';\n  val: bigint;\n}\n\n\
             export interface VNone {\n  tag: 'none';\n}\n\n/** What it is. */\nexport type V = VOneTwo | VNone;\n"
        );
    }

    #[test]
    fn an_enum_is_a_union_of_literals() {
        let cases = |docs| Shape::Enum(vec![member("a-b", docs, None), member("c", docs, None)]);
        assert_eq!(named("e", cases("")), "\n/** What it is. */\nexport type E = 'a-b' | 'c';\n");
        assert_eq!(named("e", cases("It.")), "\n/** What it is. */\nexport type E =\n  /** It. */\n  | 'a-b'\n  /** It. */\n  | 'c';\n");
    }

    #[test]
    fn what_a_function_fails_with_it_throws() {
        let checked = |result| {
            let parameters = vec![("a-b".to_owned(), Type::Bool)];
            function(&Function { name: "do-it".to_owned(), docs: "Does it.".to_owned(), parameters, result })
        };
        assert_eq!(checked(None), "  /** Does it. */\n  doIt(aB: boolean): void;\n");
        let result = Type::Result(Some(Box::new(Type::List(Box::new(Type::U16)))), Box::new(Type::Named("e".to_owned())));
        assert_eq!(checked(Some(result)), "  /**\n   * Does it.\n   *\n   * @throws {@link E}\n   */\n  doIt(aB: boolean): Uint16Array;\n");
        let result = Type::Result(None, Box::new(Type::String));
        assert_eq!(checked(Some(result)), "  /**\n   * Does it.\n   *\n   * @throws A `string`.\n   */\n  doIt(aB: boolean): void;\n");
    }

    #[test]
    fn a_comment_does_not_end_early() {
        assert_eq!(comment(2, "a */ b"), "  /** a *\\/ b */\n");
        assert_eq!(comment(0, "a\n\nb"), "/**\n * a\n *\n * b\n */\n");
        assert_eq!(comment(0, ""), "");
    }
}

//! The types in Java: a record for each record, a sealed interface with a record for each case, an enum, and the interface with its functions.
//!
//! Docs: `host/bindings/java/README.md`. The codec reads names, order and widths from them by reflection; how documentation becomes Javadoc is in `javadoc.rs`.

mod javadoc;

use std::fmt::Write as _;

use self::javadoc::javadoc;
use super::interface::{Function, Interface, Member, Named, Shape, Type};

/// How far a line may go, as google-java-format has it.
const WIDTH: usize = 100;
/// Names that classes have everywhere in Java, or in the file of types.
const TAKEN: &str = "Boolean Byte Character Class Comparable Double Enum Error Exception Float Integer Iterable List Long Math Module Number \
    Object Optional Override Package Process Record Result Runtime Short String Thread Types Unsigned Void";
/// What no field and no function may be called.
const RESERVED: &str = "_ abstract assert boolean break byte case catch char class clone const continue default do double else enum equals extends \
    false final finalize finally float for getClass goto hashCode if implements import instanceof int interface long native new \
    notify notifyAll null package private protected public return short static strictfp super switch synchronized this throw \
    throws toString transient true try void volatile wait while record var yield";
/// What the values of a tuple are called.
const PLACES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];

/// The file of types.
pub(super) fn types(interface: &Interface) -> String {
    let mut text = String::from(
        "// Written by `cargo xtask bindings` from crates/component/wit/controllers.wit.\n\
         package dev.jobsmith;\n\n\
         import java.util.List;\n\
         import java.util.Optional;\n\n\
         /** The values that cross a component's boundary, and the functions that take and return them. */\n\
         public final class Types {\n    \
         private Types() {}\n",
    );
    text += &functions(interface);
    for named in &interface.types {
        text += &definition(named);
    }
    for arity in interface.tuple_lengths() {
        text += &tuple(arity);
    }
    text + "}\n"
}

/// The interface with its functions.
fn functions(interface: &Interface) -> String {
    let (_, name) = interface.name.split_once('/').unwrap_or_default();
    let name = class(name.split('@').next().unwrap_or_default());
    let mut text = format!("\n{}    public interface {name} {{\n", javadoc(4, &interface.docs, &[]));
    text += &javadoc(8, "The name under which a component exports it.", &[]);
    writeln!(text, "        String NAME = \"{}\";", interface.name).expect("a String takes all");
    for Function { name, docs, parameters, result } in &interface.functions {
        let result = result.as_ref().map_or_else(|| "void".to_owned(), |ty| used(ty, &[]));
        let parameters: Vec<_> = parameters.iter().map(|(name, ty)| format!("{} {}", used(ty, &[]), identifier(name))).collect();
        text += &format!("\n{}{}", javadoc(8, docs, &[]), declaration(8, &format!("{result} {}", identifier(name)), &parameters, ";"));
    }
    text + "    }\n"
}

fn definition(Named { name, docs, shape }: &Named) -> String {
    let name = class(name);
    match shape {
        Shape::Record(fields) => format!("\n{}", record(4, &format!("public record {name}"), docs, fields, "{}", &[])),
        Shape::Variant(cases) => variant(&name, docs, cases),
        Shape::Enum(cases) => {
            let cases = cases.iter().map(|case| format!("{}        {}", javadoc(8, &case.docs, &[]), constant(&case.name)));
            format!(
                "\n{}    public enum {name} {{\n{}\n    }}\n",
                javadoc(4, docs, &[]),
                cases.collect::<Vec<_>>().join(if docs_of_cases(shape) { ",\n\n" } else { ",\n" })
            )
        }
    }
}

fn docs_of_cases(shape: &Shape) -> bool {
    matches!(shape, Shape::Enum(cases) if cases.iter().any(|case| !case.docs.is_empty()))
}

fn record(indent: usize, head: &str, docs: &str, fields: &[Member], tail: &str, scope: &[String]) -> String {
    let documented: Vec<_> = fields.iter().map(|field| (identifier(&field.name), field.docs.clone())).collect();
    let components = fields.iter().filter_map(|field| Some(format!("{} {}", used(field.ty.as_ref()?, scope), identifier(&field.name))));
    javadoc(indent, docs, &documented) + &declaration(indent, head, &components.collect::<Vec<_>>(), &format!(" {tail}"))
}

fn variant(name: &str, docs: &str, cases: &[Member]) -> String {
    let scope: Vec<String> = cases.iter().map(|case| case_class(&case.name)).collect();
    let permitted: Vec<String> = scope.iter().map(|case| format!("{name}.{case}")).collect();
    let head = format!("    public sealed interface {name}");
    let one = format!("{head} permits {} {{\n", permitted.join(", "));
    let two = format!("            permits {} {{\n", permitted.join(", "));
    let mut text = format!("\n{}", javadoc(4, docs, &[]));
    text += &match (one.len() <= WIDTH + 1, two.len() <= WIDTH + 1) {
        (true, _) => one,
        (false, true) => format!("{head}\n{two}"),
        (false, false) => format!("{head}\n            permits {} {{\n", permitted.join(",\n                    ")),
    };
    for (position, (case, class)) in cases.iter().zip(&scope).enumerate() {
        let component: Vec<_> = case.ty.iter().map(|ty| format!("{} value", used(ty, &scope))).collect();
        let documented: Vec<_> = case.ty.iter().map(|_| ("value".to_owned(), "What it carries.".to_owned())).collect();
        let separator = if position == 0 { "" } else { "\n" };
        let docs = javadoc(8, &case.docs, &documented);
        text +=
            &format!("{separator}{docs}{}", declaration(8, &format!("record {class}"), &component, &format!(" implements {name} {{}}")));
    }
    text + "    }\n"
}

fn tuple(arity: usize) -> String {
    let letters: Vec<String> = ('A'..).take(arity).map(String::from).collect();
    let components: Vec<_> = letters.iter().zip(PLACES).map(|(letter, place)| format!("{letter} {place}")).collect();
    let head = format!("public record Tuple{arity}<{}>", letters.join(", "));
    format!("\n{}{}", javadoc(4, &format!("A tuple of {arity} values."), &[]), declaration(4, &head, &components, " {}"))
}

/// A declaration with components or parameters: on one line, on a second, or on one each.
fn declaration(indent: usize, head: &str, components: &[String], tail: &str) -> String {
    let (outer, inner) = (" ".repeat(indent), " ".repeat(indent + 8));
    let joined = components.join(", ");
    let one = format!("{outer}{head}({joined}){tail}\n");
    if one.trim_end().chars().count() <= WIDTH {
        return one;
    }
    let two = format!("{inner}{joined}){tail}");
    if two.chars().count() <= WIDTH {
        return format!("{outer}{head}(\n{two}\n");
    }
    format!("{outer}{head}(\n{inner}{}){tail}\n", components.join(&format!(",\n{inner}")))
}

/// A type where it is used; `scope` has the names that mean something else there.
fn used(ty: &Type, scope: &[String]) -> String {
    match ty {
        Type::Bool => "boolean".to_owned(),
        Type::U16 => "@Unsigned(16) int".to_owned(),
        Type::U32 => "@Unsigned(32) long".to_owned(),
        Type::U64 => "@Unsigned(64) long".to_owned(),
        Type::S64 => "long".to_owned(),
        Type::F64 => "double".to_owned(),
        Type::String | Type::Named(_) | Type::List(_) | Type::Option(_) | Type::Tuple(_) | Type::Result(..) => boxed(ty, scope),
    }
}

/// A type as an argument of another one.
fn boxed(ty: &Type, scope: &[String]) -> String {
    let of =
        |package: &str, name: &str| if scope.iter().any(|taken| taken == name) { format!("{package}.{name}") } else { name.to_owned() };
    let unsigned = |width: usize, name: &str| {
        let package = if scope.iter().any(|taken| taken == name) { "java.lang." } else { "" };
        format!("{package}@Unsigned({width}) {name}")
    };
    match ty {
        Type::Bool => of("java.lang", "Boolean"),
        Type::U16 => unsigned(16, "Integer"),
        Type::U32 => unsigned(32, "Long"),
        Type::U64 => unsigned(64, "Long"),
        Type::S64 => of("java.lang", "Long"),
        Type::F64 => of("java.lang", "Double"),
        Type::String => of("java.lang", "String"),
        Type::Named(name) => of("Types", &class(name)),
        Type::List(item) => format!("{}<{}>", of("java.util", "List"), boxed(item, scope)),
        Type::Option(value) => format!("{}<{}>", of("java.util", "Optional"), boxed(value, scope)),
        Type::Tuple(types) => {
            let types: Vec<_> = types.iter().map(|ty| boxed(ty, scope)).collect();
            format!("{}<{}>", of("Types", &format!("Tuple{}", types.len())), types.join(", "))
        }
        Type::Result(ok, error) => {
            let ok = ok.as_ref().map_or_else(|| of("java.lang", "Void"), |ok| boxed(ok, scope));
            format!("{}<{ok}, {}>", of("dev.jobsmith", "Result"), boxed(error, scope))
        }
    }
}

/// The name of a type, with a prefix if it would hide a class that Java imports everywhere: `ClusterObject`.
fn class(name: &str) -> String {
    let name = case_class(name);
    if TAKEN.split(' ').any(|taken| taken == name) { format!("Cluster{name}") } else { name }
}

/// The name of a case, which is always written with that of its variant.
fn case_class(name: &str) -> String {
    name.split('-').map(capitalized).collect()
}

fn identifier(name: &str) -> String {
    let name = case_class(name);
    let name = name[..1].to_lowercase() + &name[1..];
    if RESERVED.split(' ').any(|word| word == name) { name + "_" } else { name }
}

fn constant(name: &str) -> String {
    name.replace('-', "_").to_uppercase()
}

fn capitalized(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, docs: &str, ty: Option<Type>) -> Member {
        Member { name: name.to_owned(), docs: docs.to_owned(), ty }
    }

    fn defined(name: &str, shape: Shape) -> String {
        definition(&Named { name: name.to_owned(), docs: "What it is.".to_owned(), shape })
    }

    #[test]
    fn a_record_says_how_wide_its_numbers_are() {
        let tolerates = Type::List(Box::new(Type::U16));
        let fields = vec![member("default", "Which.", Some(Type::U64)), member("x-y", "", Some(tolerates))];
        let expected = "
    /**
     * What it is.
     *
     * @param default_ Which.
     */
    public record ApiError(@Unsigned(64) long default_, List<@Unsigned(16) Integer> xY) {}
";
        assert_eq!(defined("api-error", Shape::Record(fields)), expected);
    }

    #[test]
    fn a_case_does_not_hide_the_type_that_it_carries() {
        let carried = Type::Tuple(vec![Type::Named("histogram".to_owned()), Type::String]);
        let cases = vec![member("histogram", "", Some(carried)), member("string", "None.", None)];
        let expected = "
    /** What it is. */
    public sealed interface Measure permits Measure.Histogram, Measure.String {
        /**
         * @param value What it carries.
         */
        record Histogram(Tuple2<Types.Histogram, java.lang.String> value) implements Measure {}

        /** None. */
        record String() implements Measure {}
    }
";
        assert_eq!(defined("measure", Shape::Variant(cases)), expected);
    }

    #[test]
    fn enums_have_constants_and_no_type_hides_one_of_javas() {
        let cases = || Shape::Enum(vec![member("merge-patch", "", None), member("json", "", None)]);
        assert_eq!(
            defined("object", cases()),
            "\n    /** What it is. */\n    public enum ClusterObject {\n        MERGE_PATCH,\n        JSON\n    }\n"
        );
    }

    #[test]
    fn functions_stand_in_an_interface_with_the_name_of_the_components() {
        let f = Function {
            name: "next-plan".to_owned(),
            docs: "What it does.".to_owned(),
            parameters: vec![("now".to_owned(), Type::S64)],
            result: Some(Type::Result(None, Box::new(Type::Tuple(vec![Type::Bool, Type::U32])))),
        };
        let interface = Interface { name: "a:b/c@1.2.3".to_owned(), docs: "All.".to_owned(), types: Vec::new(), functions: vec![f] };
        let text = types(&interface);
        let expected = "
    /** All. */
    public interface C {
        /** The name under which a component exports it. */
        String NAME = \"a:b/c@1.2.3\";

        /** What it does. */
        Result<Void, Tuple2<Boolean, @Unsigned(32) Long>> nextPlan(long now);
    }

    /** A tuple of 2 values. */
    public record Tuple2<A, B>(A first, B second) {}
}
";
        assert!(text.ends_with(expected), "{text}");
    }
}

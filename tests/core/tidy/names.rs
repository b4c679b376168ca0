//! Names of types: no two crates declare a type of the same name, so that a name has one meaning wherever it is read.
//!
//! Docs: `crates/README.md`, "Rules". What counts as a test is decided in `source.rs`.

use std::collections::{BTreeMap, BTreeSet};

use core_tests::files::{File, files};

use super::none;
use super::source::{test_modules, without_tests};

#[test]
fn no_two_crates_have_types_of_the_same_name() {
    none(&shared_names(&files(&["rs"])));
}

/// The names of types that several crates declare, private ones too. Unit tests, test programs and the plugins of the tests have names of their own.
fn shared_names(all: &[File]) -> Vec<String> {
    let only_tests: BTreeSet<String> = all.iter().flat_map(test_modules).collect();
    let mut places: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for File { path, text } in all {
        let Some((package, _)) = path.split_once("/src/") else { continue };
        if package.starts_with("tests") || only_tests.iter().any(|tests| path.starts_with(tests)) {
            continue;
        }
        for name in without_tests(text).lines().filter_map(declared) {
            places.entry(name).or_default().entry(package).or_insert(path);
        }
    }
    let shared = places.into_iter().filter(|(_, packages)| packages.len() > 1);
    shared.map(|(name, packages)| format!("`{name}`: {}", packages.into_values().collect::<Vec<_>>().join(", "))).collect()
}

/// The name of the type that a line declares in a module, not in a function.
fn declared(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) => {
            rest.strip_prefix('(').map_or(rest, |scope| scope.split_once(')').map_or(rest, |(_, rest)| rest)).strip_prefix(' ')?
        }
        None => line,
    };
    let name = ["struct ", "enum ", "trait ", "type ", "union "].iter().find_map(|keyword| line.strip_prefix(keyword))?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

#[test]
fn shared_names_are_found() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let planted = [
        file("crates/a/src/lib.rs", "pub(crate) struct Line<'a> {\n}\n\npub enum Part {\n    Whole,\n}\n\n#[cfg(test)]\nmod random;\n"),
        file("crates/a/src/random.rs", "struct Dice;\n"),
        file("crates/b/src/dice.rs", "pub trait Dice {\n    type Part;\n}\n\nfn f() {\n    struct Part;\n}\n"),
        file("host/c/src/c.rs", "type Line = u8;\n\n#[cfg(test)]\nmod tests {\nstruct Part;\n}\n"),
        file("tests/src/part.rs", "struct Part;\n"),
    ];
    assert_eq!(shared_names(&planted), ["`Line`: crates/a/src/lib.rs, host/c/src/c.rs"]);
}

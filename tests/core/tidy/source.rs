//! What every source file must meet: its length, those of its functions, its head, and what is not to be in it.
//!
//! Docs: `crates/README.md`, "Rules". Clippy checks more of it (`crates/clippy.toml`).

use std::collections::BTreeSet;

use super::{File, files, none};

/// How many lines a function may have.
const LONGEST_FUNCTION: usize = 70;
/// How many lines a file may have, without its unit tests.
const LONGEST_FILE: usize = 400;

#[test]
fn files_and_functions_are_short() {
    none(&files(&["rs"]).iter().flat_map(too_long).collect::<Vec<_>>());
}

#[test]
fn every_file_begins_with_what_it_decides_and_where_its_neighbours_are() {
    let all = files(&["rs", "wit", "md", "toml", "yaml", "patch"]);
    let paths: Vec<&str> = all.iter().map(|file| file.path.as_str()).collect();
    none(&all.iter().filter(|file| file.path.ends_with(".rs")).flat_map(|file| headless(file, &paths)).collect::<Vec<_>>());
}

#[test]
fn nothing_is_unwrapped_outside_tests() {
    let all = files(&["rs"]);
    let only_tests: BTreeSet<String> = all.iter().flat_map(test_modules).collect();
    let is_test = |path: &str| path.contains("tests/") || only_tests.iter().any(|tests| path.starts_with(tests));
    none(&all.iter().filter(|file| !is_test(&file.path)).flat_map(unwrapping).collect::<Vec<_>>());
}

#[test]
fn nothing_is_left_to_do() {
    none(&files(&["rs", "wit", "md", "toml", "yaml"]).iter().flat_map(unfinished).collect::<Vec<_>>());
}

/// A file without the unit tests at its end.
pub(super) fn without_tests(text: &str) -> &str {
    let module = |start: &usize| text[*start..].lines().nth(1).is_some_and(|line| line.contains("mod ") && line.ends_with('{'));
    text.match_indices("#[cfg(test)]\n").map(|(start, _)| start).find(module).map_or(text, |start| &text[..start])
}

fn too_long(file: &File) -> Vec<String> {
    let File { path, text } = file;
    let mut found = Vec::new();
    let length = without_tests(text).lines().count();
    if length > LONGEST_FILE {
        found.push(format!("{path}: {length} lines without tests; split it at a concept"));
    }
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let length = function_length(&lines[at..]);
        if length > LONGEST_FUNCTION {
            found.push(format!("{path}:{}: `{name}` has {length} lines; split it", at + 1));
        }
    }
    found
}

/// The name of the function that begins in a line.
fn function(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    while let Some(word) =
        ["pub ", "pub(crate) ", "pub(super) ", "const ", "async ", "unsafe "].into_iter().find(|word| rest.starts_with(word))
    {
        rest = &rest[word.len()..];
    }
    rest.strip_prefix("fn ")?.split(['(', '<']).next()
}

/// The lines of a function: rustfmt puts the brace that ends it below its first letter.
fn function_length(lines: &[&str]) -> usize {
    let indent = lines[0].len() - lines[0].trim_start().len();
    let closing = |line: &&str| line.strip_prefix(&lines[0][..indent]) == Some("}");
    let declared = |line: &str| line.ends_with(';') || line.ends_with('}');
    if declared(lines[0]) {
        return 1;
    }
    lines.iter().position(closing).map_or(1, |end| end + 1)
}

/// What is wrong with the head of a file; `paths` are all that it may name.
fn headless(file: &File, paths: &[&str]) -> Vec<String> {
    let File { path, text } = file;
    let head: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let mut found = Vec::new();
    if head.first().is_none_or(|line| line.trim().is_empty()) {
        found.push(format!("{path}: begin with `//!` and a sentence on what the file decides or does"));
    }
    if !head.windows(2).any(|lines| lines[0].is_empty() && lines[1].starts_with(" Docs: ")) {
        found.push(format!("{path}: the head has no line `//! Docs:`, below an empty one"));
    }
    for name in head.iter().flat_map(|line| line.split('`').skip(1).step_by(2)).filter(|name| names_file(name)) {
        if !is_there(name, path, paths) {
            found.push(format!("{path}: its head names `{name}`, which is not there"));
        }
    }
    found
}

/// Whether a file or folder is there that the head of a file names: from the file's folder on, if the name begins with `../`; or else anywhere in its package,
/// or by its path in the workspace.
fn is_there(name: &str, file: &str, paths: &[&str]) -> bool {
    let leads_to = |target: &str, path: &str| path == target || (target.ends_with('/') && path.starts_with(target));
    let (mut folder, mut rest) = (parent(file), name);
    while let Some(above) = rest.strip_prefix("../") {
        (folder, rest) = (parent(folder), above);
    }
    if rest != name {
        let target = format!("{folder}/{rest}");
        return paths.iter().any(|path| leads_to(&target, path));
    }
    let package = file.match_indices('/').nth(1).map_or(file, |(end, _)| &file[..=end]);
    let named = format!("/{name}");
    let is_inside = |path: &str| path.starts_with(package) && (path.ends_with(&named) || (name.ends_with('/') && path.contains(&named)));
    paths.iter().any(|path| leads_to(name, path) || is_inside(path))
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a word in a head is the path of a file or folder of the workspace.
fn names_file(name: &str) -> bool {
    let of_sources = name.ends_with(".rs") || name.ends_with(".wit") || name.ends_with('/');
    of_sources && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte))
}

/// The paths, or beginnings of paths, of modules that are compiled for tests alone.
pub(super) fn test_modules(file: &File) -> Vec<String> {
    let folder = match file.path.rsplit_once('/') {
        Some((folder, "mod.rs" | "lib.rs" | "main.rs")) => folder.to_owned(),
        _ => file.path.trim_end_matches(".rs").to_owned(),
    };
    let declared = file.text.split("#[cfg(test)]\n").skip(1).filter_map(|rest| rest.lines().next());
    let names = declared.filter_map(|line| line.strip_suffix(';')?.rsplit_once("mod ").map(|(_, name)| name));
    names.flat_map(|name| [format!("{folder}/{name}.rs"), format!("{folder}/{name}/")]).collect()
}

fn unwrapping(file: &File) -> Vec<String> {
    let lines = without_tests(&file.text).lines().enumerate();
    let unwraps = lines.filter(|(_, line)| line.contains(".unwrap()") && !line.trim_start().starts_with("//"));
    unwraps
        .map(|(at, _)| format!("{}:{}: `unwrap` gives no reason; use `expect(\"why it holds\")` or let-else", file.path, at + 1))
        .collect()
}

fn unfinished(file: &File) -> Vec<String> {
    let marks = ["TO DO", "FIX ME", "XX X"].map(|mark| mark.replace(' ', ""));
    let lines = file.text.lines().enumerate();
    let marked =
        lines.filter(|(_, line)| marks.iter().any(|mark| line.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == mark)));
    marked
        .map(|(at, line)| format!("{}:{}: `{}`: finish it, or list what is missing as a known difference", file.path, at + 1, line.trim()))
        .collect()
}

mod planted {
    use super::*;

    fn file(text: impl Into<String>) -> File {
        File { path: "crates/a/src/b.rs".to_owned(), text: text.into() }
    }

    #[test]
    fn long_functions_and_files_are_found() {
        let function = |lines: usize| file(format!("    pub const fn f(\n{}    }}\n", "        x;\n".repeat(lines - 2)));
        assert_eq!(too_long(&function(70)), [""; 0]);
        assert_eq!(too_long(&function(71)), ["crates/a/src/b.rs:1: `f` has 71 lines; split it"]);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "    \n".repeat(500));
        assert_eq!(too_long(&file("use a;\n".repeat(400) + &tests)), [""; 0]);
        assert_eq!(too_long(&file("use a;\n".repeat(401) + &tests)).len(), 1);
        assert_eq!(too_long(&file("#[cfg(test)]\nmod tests;\n".to_owned() + &"use a;\n".repeat(400))).len(), 1, "that is no end");
        assert_eq!(too_long(&file("trait T {\n    fn f();\n".to_owned() + &"    use a;\n".repeat(80) + "}\n")), [""; 0]);
    }

    #[test]
    fn incomplete_heads_are_found() {
        let paths = ["crates/a/src/b.rs", "crates/a/src/c/mod.rs", "crates/f/src/g.rs"];
        let check = |text: &str, found: usize| assert_eq!(headless(&file(text), &paths).len(), found, "{text}");
        check("//! It does.\n//!\n//! Docs: Jobs. More is in `b.rs`, `c/` and `src/b.rs`.\n", 0);
        check("//! It does.\n//! Docs: Jobs.\n", 1);
        check("//!\n//!\n//! Docs: Jobs.\n", 1);
        check("use a;\n", 2);
        check("//! It does.\n//!\n//! Docs: Jobs. More is in `d.rs` and `e/`.\n", 2);
        check("//! It does.\n//!\n//! Docs: Jobs. More is in `../src/c/`, `../../f/src/g.rs`, `crates/f/` and `crates/f/src/g.rs`.\n", 0);
        check("//! It does.\n//!\n//! Docs: Jobs. More is in `../c/`, `g.rs`, `f/src/g.rs` and `src/g.rs`.\n", 4);
    }

    #[test]
    fn unwraps_and_unfinished_things_are_found() {
        assert_eq!(unwrapping(&file("// a.unwrap()\nlet a = b.unwrap();\n#[cfg(test)]\nmod tests {\n a.unwrap()\n}\n")).len(), 1);
        assert_eq!(unfinished(&file(format!("// {}: more\nlet todo = METHOD;\n", ["TO", "DO"].concat()))).len(), 1);
        assert_eq!(test_modules(&file("#[cfg(test)]\npub(crate) mod c;\nmod d;\n")), ["crates/a/src/b/c.rs", "crates/a/src/b/c/"]);
    }
}

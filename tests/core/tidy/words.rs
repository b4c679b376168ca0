//! The words of comments: phrases that a native engineer would not write.
//!
//! Docs: `crates/README.md`, "Vocabulary", has the words to use instead. What else a source file must meet is in `source.rs`.

use super::{File, files, none};

/// Phrases that fail, and what to write instead.
const PHRASES: [(&str, &str); 28] = [
    ("anew", "again"),
    ("answers how", "returns how"),
    ("answers what", "returns what"),
    ("answers when", "returns when"),
    ("answers whether", "returns whether"),
    ("answers which", "returns which"),
    ("answers why", "returns why"),
    ("answers with", "returns"),
    ("are looked at", "are checked, read or synced"),
    ("as far as", "if, where, or up to"),
    ("cannot be had", "is not available"),
    ("for ever", "forever"),
    ("gone by it", "removed by it"),
    ("has it be", "makes it"),
    ("is looked at", "is checked, read or synced; on the page: current"),
    ("looked at again", "checked or synced again"),
    ("so long the", "this long"),
    ("somebody who", "a person who"),
    ("taken in", "handled"),
    ("takes in", "handles, reads or records"),
    ("that is no", "that is not a"),
    ("therefrom", "from it"),
    ("what became of", "the outcome of, or what happened to"),
    ("what is no", "what is not a"),
    ("whatever lies", "what is"),
    ("which is no", "which is not a"),
    ("who lacks", "that lacks"),
    ("whoever", "the caller, or the reader"),
];

#[test]
fn comments_are_in_plain_english() {
    let sources = files(&["rs", "wit", "ts", "tsx", "mjs", "py", "go", "java"]);
    none(&sources.iter().filter(|file| !file.path.ends_with("tidy/words.rs")).flat_map(stilted).collect::<Vec<_>>());
}

/// The comment lines of a file that hold one of the phrases.
fn stilted(file: &File) -> Vec<String> {
    let comments = file.text.lines().enumerate().filter(|(_, line)| is_comment(line));
    let found = comments.flat_map(|(at, line)| {
        let text = words(line);
        let found = PHRASES.iter().filter(move |(phrase, _)| text.contains(&format!(" {phrase} ")));
        found.map(move |(phrase, instead)| (at + 1, phrase, instead))
    });
    found.map(|(line, phrase, instead)| format!("{}:{line}: \"{phrase}\": write {instead}", file.path)).collect()
}

/// Whether a line is a comment, or a line of one, in any of the languages.
fn is_comment(line: &str) -> bool {
    ["//", "/*", "*", "#", "\"\"\""].iter().any(|start| line.trim_start().starts_with(start))
}

/// The words and punctuation of a line in lower case, with a space before and after each.
fn words(line: &str) -> String {
    let text = line.to_lowercase().replace([',', ';', ':', '.'], " . ").replace(['/', '*', '#', '"', '`', '(', ')'], " ");
    format!(" {} ", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn stilted_comments_are_found() {
    let file = |text: &str| File { path: "a.rs".to_owned(), text: text.to_owned() };
    let comment = "/// Takes in a change; answers whether it\nfn f() {}\n";
    assert_eq!(
        stilted(&file(comment)),
        ["a.rs:1: \"answers whether\": write returns whether", "a.rs:1: \"takes in\": write handles, reads or records"]
    );
    assert_eq!(stilted(&file("let text = \"what became of it\"; // handles a change\n")), [""; 0]);
}

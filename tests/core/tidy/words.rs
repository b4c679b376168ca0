//! The words of comments and Markdown: phrases that a native engineer would not write.
//!
//! Docs: `crates/README.md`, "Vocabulary", has the words to use instead. What else a source file must meet is in `source.rs`.

use super::{File, files, none};

/// Phrases that fail, and what to write instead.
const PHRASES: [(&str, &str); 29] = [
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
    ("what becomes of", "the outcome of, or what happens to"),
    ("what is no", "what is not a"),
    ("whatever lies", "what is"),
    ("which is no", "which is not a"),
    ("who lacks", "that lacks"),
    ("whoever", "the caller, or the reader"),
];

#[test]
fn comments_and_markdown_are_in_plain_english() {
    let sources = files(&["rs", "wit", "md", "ts", "tsx", "mjs", "py", "go", "java"]);
    none(&sources.iter().filter(|file| !file.path.ends_with("tidy/words.rs")).flat_map(stilted).collect::<Vec<_>>());
}

/// The lines of a file's comments, or of the paragraphs of a page, in which one of the phrases begins.
fn stilted(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    for passage in passages(file) {
        let mut text = " ".to_owned();
        let mut lines = Vec::new();
        for (line, words) in passage {
            lines.push((text.len(), line));
            text += &words;
        }
        for (phrase, instead) in PHRASES {
            for (at, _) in text.match_indices(&format!(" {phrase} ")) {
                let line = lines.iter().rfind(|(start, _)| *start <= at + 1).map_or(0, |(_, line)| *line);
                found.push(format!("{}:{line}: \"{phrase}\": write {instead}", file.path));
            }
        }
    }
    found
}

/// The comments of a source and the paragraphs of a page: the number of each line, and its words.
fn passages(file: &File) -> Vec<Vec<(usize, String)>> {
    let is_page = file.path.ends_with(".md");
    let (mut passages, mut passage, mut is_code) = (Vec::new(), Vec::new(), false);
    for (at, line) in file.text.lines().enumerate() {
        let fence = is_page && line.trim_start().starts_with("```");
        is_code ^= fence;
        let belongs = if is_page { !is_code && !fence && !line.trim().is_empty() } else { is_comment(line) };
        if belongs {
            passage.push((at + 1, words(line)));
        } else if !passage.is_empty() {
            passages.push(std::mem::take(&mut passage));
        }
    }
    passages.push(passage);
    passages
}

/// Whether a line is a comment, or a line of one, in any of the languages.
fn is_comment(line: &str) -> bool {
    ["//", "/*", "*", "#", "\"\"\""].iter().any(|start| line.trim_start().starts_with(start))
}

/// The words and punctuation of a line in lower case, with a space after each.
fn words(line: &str) -> String {
    let text = line.to_lowercase().replace([',', ';', ':', '.'], " . ").replace(['/', '*', '#', '"', '`', '(', ')'], " ");
    text.split_whitespace().flat_map(|word| [word, " "]).collect()
}

#[test]
fn stilted_comments_and_pages_are_found() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let comment = "/// Takes in a change; answers whether it\nfn f() {}\n// that is\n// no change\n";
    assert_eq!(
        stilted(&file("a.rs", comment)),
        [
            "a.rs:1: \"answers whether\": write returns whether",
            "a.rs:1: \"takes in\": write handles, reads or records",
            "a.rs:3: \"that is no\": write that is not a",
        ]
    );
    assert_eq!(stilted(&file("a.rs", "let text = \"what became of it\"; // handles a change\n")), [""; 0]);
    let page = "What becomes\nof it, whoever\n\ntakes\n\nin\n```\nwhoever\n```\n";
    let expected =
        ["a.md:1: \"what becomes of\": write the outcome of, or what happens to", "a.md:2: \"whoever\": write the caller, or the reader"];
    assert_eq!(stilted(&file("a.md", page)), expected);
}

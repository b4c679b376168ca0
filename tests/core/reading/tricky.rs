//! Tricky files: made up of all that readers of YAML disagree about, a seed for each.
//!
//! Docs: YAML 1.1; kubectl apply. What is read of them is compared in `mod.rs`.

use cluster::rng::Rng;

use super::words::{BAD_WORDS, KEYS, LOOSE_WORDS, SPOILS, TEXTS, WORDS};

/// A file.
pub(super) struct TrickyFile {
    pub(super) text: String,
    /// Whether a map in it sets a key twice. Upstream reads the last value of such a key.
    pub(super) repeats: bool,
}

/// The file of a seed.
pub(super) fn file(seed: u64) -> TrickyFile {
    let mut maker = Maker { random: Rng::new(seed), text: String::new(), anchors: Vec::new(), repeats: false };
    maker.file();
    let Maker { mut random, mut text, repeats, .. } = maker;
    if !repeats && random.one_in(6) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        if !places.is_empty() {
            let spoil = *random.pick(SPOILS);
            text.insert_str(*random.pick(&places), spoil);
        }
    }
    if random.one_in(12) {
        text = text.replace('\n', "\r\n");
    }
    if random.one_in(12) {
        text.insert(0, '\u{feff}');
    }
    if random.one_in(8) {
        text.truncate(text.trim_end().len());
    }
    TrickyFile { text, repeats }
}

/// An anchor that is complete.
struct MadeAnchor {
    name: String,
    /// Whether it names a map.
    map: bool,
}

struct Maker {
    random: Rng,
    text: String,
    /// The anchors of the document.
    anchors: Vec<MadeAnchor>,
    repeats: bool,
}

impl Maker {
    fn file(&mut self) {
        let documents = if self.random.one_in(3) { 2 + self.random.place(3) } else { 1 };
        for number in 0..documents {
            if number > 0 || self.random.one_in(4) {
                self.pick(&["---\n", "---\n", "--- # next\n", "---  \n", "---\t\n", "---#\n"]);
            }
            self.anchors.clear();
            match self.random.place(14) {
                0 => self.pick(&["", "\n", "# only\n", "null\n", "~\n", "...\n", "%YAML 1.1\n"]),
                1 => self.json(),
                2 => {
                    self.flow(3, " ");
                    self.push("\n");
                }
                3 => self.list(0, 3, false),
                4 => self.deep(),
                _ => self.map(0, 3, false),
            }
            if self.random.one_in(15) {
                self.pick(&["...\n", "# end\n", "\n\n", "... # end\n"]);
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn pick(&mut self, from: &[&str]) {
        let picked = *self.random.pick(from);
        self.push(picked);
    }

    fn margin(&mut self, indent: usize) {
        self.push(&" ".repeat(indent));
    }

    /// The end of a line, perhaps with a comment.
    fn end_line(&mut self) {
        self.pick(&["\n", "\n", "\n", "\n", "\n", " # c\n", "\t# c: d\n", "  \n"]);
    }

    /// Lines between others.
    fn between(&mut self, indent: usize) {
        if self.random.one_in(6) {
            match self.random.place(3) {
                0 => self.push("\n"),
                1 => self.push("# at the margin: [\n"),
                _ => {
                    self.margin(indent);
                    self.push("# 'here\n");
                }
            }
        }
    }

    /// A map in lines; `begun`: its first line is indented already.
    fn map(&mut self, indent: usize, depth: usize, begun: bool) {
        let mut used: Vec<&str> = Vec::new();
        let entries = 1 + self.random.place(4);
        for number in 0..entries {
            if number > 0 || !begun {
                self.between(indent);
                self.margin(indent);
            }
            if self.random.one_in(7) {
                self.pick(&["<<:", "<<:", "<<:", "<< :", "!!merge <<:"]);
                self.merged(indent, depth);
                continue;
            }
            let key = self.key(&mut used);
            match self.random.place(20) {
                0 => {
                    self.push(&format!("? {key}\n"));
                    self.margin(indent);
                    self.push(":");
                }
                1 => {
                    let name = self.name();
                    self.push(&format!("&{name} {key}:"));
                    self.anchors.push(MadeAnchor { name, map: false });
                }
                2 => self.push(&format!("{key} :")),
                _ => self.push(&format!("{key}:")),
            }
            self.value(indent, depth);
        }
    }

    /// A key that a map has not used yet, or now and then one that it has.
    fn key(&mut self, used: &mut Vec<&'static str>) -> String {
        if !used.is_empty() && self.random.one_in(100) {
            self.repeats = true;
            return (*self.random.pick(used)).to_owned();
        }
        if self.random.one_in(200) {
            return self.random.pick(&["~", "null", "[a]", "{a: 1}", "18446744073709551615", "1e30"]).to_string();
        }
        let key = loop {
            let key = *self.random.pick(KEYS);
            if !used.contains(&key) {
                break key;
            }
        };
        used.push(key);
        key.to_owned()
    }

    fn name(&mut self) -> String {
        format!("{}{}", self.random.pick(&["x", "base", "a-b_c", "1"]), self.random.place(4))
    }

    /// The alias of an anchor, if there is one that fits.
    fn alias(&mut self, map: Option<bool>) -> Option<String> {
        let fitting: Vec<String> = self
            .anchors
            .iter()
            .enumerate()
            // A later anchor of the same name replaces it.
            .filter(|(at, anchor)| !self.anchors[at + 1..].iter().any(|later| later.name == anchor.name))
            .filter(|(_, anchor)| map.is_none_or(|map| anchor.map == map))
            .map(|(_, anchor)| format!("*{}", anchor.name))
            .collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting).clone())
    }

    /// What a merge key brings.
    fn merged(&mut self, indent: usize, depth: usize) {
        let alias = self.alias(Some(true)).unwrap_or_else(|| "{a: x, b: {c: y}}".to_owned());
        match self.random.place(10) {
            0 => {
                let other = self.alias(Some(true)).unwrap_or_else(|| "{b: z, 1: w}".to_owned());
                self.push(&format!(" [{alias}, {other}, {{c: v, a: v}}]"));
            }
            1 => self.push(" [{a: 1, yes: 2}, {b: 3, a: 4}]"),
            2 if self.random.one_in(4) => {
                let wrong = self.alias(Some(false)).unwrap_or_else(|| "a".to_owned());
                self.pick(&[" 1", " [1]", "", " [[a]]", " [{a: 1}, b]", " {}", " []"]);
                if self.random.one_in(3) {
                    self.push(&format!(" {wrong}"));
                }
            }
            3 if depth > 0 => {
                self.push("\n");
                return self.map(indent + 2, depth - 1, false);
            }
            _ => self.push(&format!(" {alias}")),
        }
        self.end_line();
    }

    /// What stands behind the colon or the dash of a line with this indentation, up to the end of the line or of the lines below.
    fn value(&mut self, indent: usize, depth: usize) {
        let kind = self.random.place(if depth > 0 { 18 } else { 12 });
        let anchor = if self.random.one_in(4) { Some(self.name()) } else { None };
        let alias = if kind == 1 { self.alias(None) } else { None };
        if let Some(alias) = alias {
            self.push(&format!(" {alias}"));
            return self.end_line();
        }
        if let Some(name) = &anchor {
            self.push(&format!(" &{name}"));
        }
        match kind {
            0 => self.end_line(),
            2 | 3 => self.block_scalar(indent),
            4 => self.lines_of_words(indent),
            5 => {
                self.push(" ");
                self.flow(2, &" ".repeat(indent + 1));
                self.end_line();
            }
            12..=15 => {
                self.pick(&["", "", "", "", " !!map", " !own"]);
                self.end_line();
                let deeper = 1 + self.random.place(4);
                self.map(indent + deeper, depth - 1, false);
            }
            16 | 17 => {
                self.pick(&["", "", "", "", " !!seq", " !own"]);
                self.end_line();
                let deeper = self.random.place(4);
                self.list(indent + deeper, depth - 1, false);
            }
            _ => {
                let words = if self.random.one_in(100) {
                    BAD_WORDS
                } else if self.random.one_in(6) {
                    LOOSE_WORDS
                } else {
                    WORDS
                };
                let word = if self.random.one_in(60) { "x y".repeat(2_000) } else { (*self.random.pick(words)).to_owned() };
                self.push(&format!(" {word}"));
                self.end_line();
            }
        }
        self.anchors.extend(anchor.map(|name| MadeAnchor { name, map: (12..=15).contains(&kind) }));
    }

    fn list(&mut self, indent: usize, depth: usize, begun: bool) {
        for number in 0..=self.random.place(3) {
            if number > 0 || !begun {
                self.between(indent);
                self.margin(indent);
            }
            self.push("-");
            match self.random.place(5) {
                0 if depth > 0 => {
                    self.push(" ");
                    self.map(indent + 2, depth - 1, true);
                }
                1 if depth > 0 => {
                    self.push("   ");
                    self.list(indent + 4, depth - 1, true);
                }
                _ => self.value(indent, depth),
            }
        }
    }

    /// Text after `|` or `>`, with all that may stand behind these.
    fn block_scalar(&mut self, indent: usize) {
        let step = 1 + self.random.place(4);
        self.pick(&[" |", " |", " >", " !!str |"]);
        let digit = if self.random.one_in(4) { step.to_string() } else { String::new() };
        let chomp = *self.random.pick(&["", "", "-", "+"]);
        let header = if self.random.one_in(2) { format!("{digit}{chomp}") } else { format!("{chomp}{digit}") };
        self.push(&header);
        self.end_line();
        for _ in 0..self.random.place(6) {
            if self.random.one_in(60) {
                self.margin(indent);
            } else {
                self.margin(indent + step);
            }
            self.pick(TEXTS);
            self.push("\n");
        }
        if self.random.one_in(5) {
            self.pick(&["\n", "\n\n", "  \n", "# behind\n"]);
        }
    }

    /// Words in several lines, in quotes or not.
    fn lines_of_words(&mut self, indent: usize) {
        let (open, close) = *self.random.pick(&[(" ", ""), (" \"", "\""), (" '", "'"), (" !!str ", "")]);
        self.push(open);
        self.push("one");
        for _ in 0..=self.random.place(3) {
            self.pick(&["\n", "\n", "\n\n", " \n", if open == " \"" { "\\\n" } else { "\n" }]);
            let deeper = 1 + self.random.place(3);
            self.margin(indent + deeper);
            self.pick(&["two", "yes", "3", "é", "- four", "five:six", "#seven"]);
        }
        self.push(close);
        self.end_line();
    }

    /// A value in brackets, or a word in them; further lines have this margin.
    fn flow(&mut self, depth: usize, margin: &str) {
        match self.random.place(if depth > 0 { 6 } else { 3 }) {
            3 | 4 => {
                self.push("{");
                let mut used = Vec::new();
                for _ in 0..self.random.place(4) {
                    if self.random.one_in(8) {
                        let alias = self.alias(Some(true)).unwrap_or_else(|| "{a: 1}".to_owned());
                        self.push(&format!("<<: {alias}"));
                    } else {
                        let key = self.key(&mut used);
                        let colon = if key.starts_with(['"', '\'']) { ":" } else { ": " };
                        self.push(&key);
                        if !self.random.one_in(10) {
                            self.push(colon);
                            self.flow(depth - 1, margin);
                        }
                    }
                    self.comma(margin);
                }
                self.push("}");
            }
            5 => {
                self.push("[");
                for _ in 0..self.random.place(4) {
                    self.flow(depth - 1, margin);
                    self.comma(margin);
                }
                self.push("]");
            }
            0 => {
                let alias = self.alias(None).unwrap_or_else(|| "a".to_owned());
                self.push(&alias);
                self.push(" ");
            }
            _ => {
                let words = if self.random.one_in(50) { BAD_WORDS } else { WORDS };
                self.pick(words);
            }
        }
    }

    /// A comma, or what there may be in its place, and the space behind it.
    fn comma(&mut self, margin: &str) {
        self.pick(&[", ", ", ", ",", " , "]);
        if self.random.one_in(6) {
            self.pick(&["\n", "# c\n", " # [{'\n", "\n\n"]);
            self.push(margin);
        }
    }

    /// Lists and maps that lie deep in one another, or keys of about the longest length.
    fn deep(&mut self) {
        let depth = self.random.place(80);
        match self.random.place(4) {
            0 => self.push(&format!("a: {}b{}\n", "[".repeat(depth), "]".repeat(depth))),
            1 => self.push(&format!("{}b{}\n", "{a: ".repeat(depth), "}".repeat(depth))),
            2 => self.push(&format!("{}b\n", "- ".repeat(depth))),
            _ => self.push(&format!("{}: a\n", "k".repeat(980 + depth))),
        }
    }

    /// JSON, sometimes with what editors take for JSON.
    fn json(&mut self) {
        let objects = 1 + usize::from(self.random.one_in(4));
        for _ in 0..objects {
            let value = *self.random.pick(&[
                "1",
                "1.0",
                "-0.5e3",
                "1e21",
                "\"a\\u0041\\ud83d\\ude00\\/\"",
                "true",
                "null",
                "[1, {\"b\": []}]",
                "{\"c\": {}, \"d\": \"é\"}",
            ]);
            let space = *self.random.pick(&["", " ", "\n  ", "\n\t", "\r\n"]);
            let end = *self.random.pick(&["", "", "", "", ",", " // c\n", " /* c */", "]"]);
            self.push(&format!("{{{space}\"a\":{space}{value},{space}\"b c\" : [{value}{space}]{end}{space}}}\n"));
        }
    }
}

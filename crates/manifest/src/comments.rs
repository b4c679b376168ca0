//! Comments: where `#` begins one. In a block scalar, in quotes and within a word it is a part of the value.
//!
//! Docs: YAML 1.1, "Comments". They are found line by line, also in a text that is not YAML; which lines block scalars have is decided in `block_scalars.rs`.

use crate::block_scalars::lines_outside;

/// What stands before a quotation mark that begins a value.
const BEFORE_VALUES: [char; 6] = [':', '-', ',', '[', '{', '?'];

/// The comments of a text: the number of the line, from 0, and the comment, from its `#` to the end of the line.
#[must_use]
pub fn comments(text: &str) -> Vec<(usize, &str)> {
    let (mut quote, mut found) = (None, Vec::new());
    for (number, line) in lines_outside(text) {
        let line = text[line].trim_end_matches(['\n', '\r']);
        found.extend(comment(line, &mut quote).map(|comment| (number, comment)));
    }
    found
}

/// The comment of a line; `quote`: the mark of the quotes in which the line starts, and in which it ends.
fn comment<'t>(line: &'t str, quote: &mut Option<char>) -> Option<&'t str> {
    // What stands before: directly, and behind all space.
    let (mut before, mut word) = (' ', ':');
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        match *quote {
            Some('"') if letter == '\\' => drop(letters.next()),
            Some(mark) => *quote = quote.filter(|_| letter != mark),
            None if letter == '#' && before.is_whitespace() => return Some(&line[at..]),
            None if matches!(letter, '"' | '\'') && (BEFORE_VALUES.contains(&word) || before == letter) => *quote = Some(letter),
            None => {}
        }
        before = letter;
        if !letter.is_whitespace() {
            word = letter;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_hash_begins_a_comment_behind_a_space_outside_of_values() {
        let text = "# a\nb: c # d # e\nf: g#h\ni: |\n  # j\n  k\n# l\nm: 'n # o' # p\nq: \"r \\\" # s\n  # t\" # u\nv: it's # w\nx: [\"#\",'#', # y\r\n  z] # äß\n'it''s # A': B 'C # D\n";
        let found: Vec<String> = super::comments(text).into_iter().map(|(line, comment)| format!("{line} {comment}")).collect();
        assert_eq!(found, ["0 # a", "1 # d # e", "6 # l", "7 # p", "9 # u", "10 # w", "11 # y", "12 # äß", "13 # D"]);
    }
}

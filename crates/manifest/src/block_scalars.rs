//! Block scalars: which lines of a text belong to a value that `|` or `>` begins. Nothing in them is YAML.
//!
//! Docs: none of Kubernetes'. They are found by their indentation, also in a text that is not YAML; what one says is read in `yaml.rs`.

use std::ops::Range;

use crate::pasted::lines;

/// The lines that belong to no block scalar: their numbers, from 0, and their bytes.
pub(crate) fn lines_outside(text: &str) -> impl Iterator<Item = (usize, Range<usize>)> {
    lines(text).enumerate().zip(lines_within(text)).filter(|(_, within)| !within).map(|(line, _)| line)
}

/// For each line, whether it belongs to a block scalar.
fn lines_within(text: &str) -> Vec<bool> {
    let mut open: Option<usize> = None;
    let within = |line: &str| {
        let line = line.trim_end_matches(['\n', '\r']);
        if open.is_some_and(|parent| line.trim_start_matches(' ').is_empty() || indentation(line) > parent) {
            return true;
        }
        open = opened(line);
        false
    };
    text.split_inclusive('\n').map(within).collect()
}

/// How many spaces a line begins with.
pub(crate) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The column of the key, or of the dash, whose value is a block scalar that begins on this line.
pub(crate) fn opened(line: &str) -> Option<usize> {
    let line = line.split(" #").next()?.trim_end();
    let (before, header) = line.rsplit_once(' ')?;
    let modifiers = header.strip_prefix(['|', '>'])?;
    let mut before = before.trim_end();
    while let Some((rest, _)) = before.rsplit_once(' ').filter(|(_, word)| word.starts_with(['&', '!'])) {
        before = rest.trim_end();
    }
    if !before.ends_with([':', '-']) || !modifiers.chars().all(|letter| matches!(letter, '+' | '-' | '1'..='9')) {
        return None;
    }
    let mut column = indentation(before);
    while let Some(item) = before[column..].strip_prefix("- ") {
        column = before.len() - item.trim_start_matches(' ').len();
    }
    Some(column)
}

#[cfg(test)]
mod tests {
    /// The lines that belong to block scalars have a bar in front.
    #[test]
    fn lines_that_are_indented_deeper_than_the_key_belong_to_its_block() {
        let text = "a: |\n  x\n\n   y\nb:\n- |-\n z\n- c: >2+ # folded\n    d: 1\n  j: !!str &k |\n    # x\n  e: |x\n  f: |\n    g\n  h: 'a |'\n    i\n";
        let marked = super::lines_within(text)
            .into_iter()
            .zip(text.lines())
            .map(|(within, line)| if within { format!("|{line}\n") } else { format!(" {line}\n") });
        expect_test::expect![[r#"
             a: |
            |  x
            |
            |   y
             b:
             - |-
            | z
             - c: >2+ # folded
            |    d: 1
               j: !!str &k |
            |    # x
               e: |x
               f: |
            |    g
               h: 'a |'
                 i
        "#]]
        .assert_eq(&marked.collect::<String>());
    }
}

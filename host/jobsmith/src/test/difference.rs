//! How two texts differ, as a unified diff.
//!
//! Docs: diff(1), "unified". The texts are what blocks of scenario files state, and what was seen instead; they are compared in `play::claim`.

use similar::TextDiff;

/// How many lines are shown on each side of what differs.
const NEIGHBOURS: usize = 3;
/// How many lines are shown at most.
const MOST: usize = 200;

/// The lines in which what was seen differs from what is expected, with their neighbours.
pub(super) fn difference(expected: &str, seen: &str) -> String {
    let compared = TextDiff::from_lines(expected, seen);
    let unified = compared.unified_diff().context_radius(NEIGHBOURS).missing_newline_hint(false).header("expected", "actual").to_string();
    let mut lines: Vec<&str> = unified.lines().collect();
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    let shown: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let s = if more == 1 { " follows" } else { "s follow" };
    if more > 0 { format!("{shown}… {more} more line{s}\n") } else { shown }
}

/// The same with colours.
pub(super) fn coloured(difference: &str) -> String {
    let line = |line: &str| {
        let colour = match line.as_bytes().first() {
            Some(b'-') => "31",
            Some(b'+') => "32",
            Some(b'@') => "36",
            _ => return format!("{line}\n"),
        };
        format!("\x1b[{colour}m{line}\x1b[0m\n")
    };
    difference.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn lines_that_are_alike_are_mostly_left_out() {
        let lines = |words: &str| words.split(' ').map(|word| format!("{word}\n")).collect::<String>();
        let shown = difference(&lines("a b c d e f g h i"), &lines("a b c d x f g h i"));
        expect![[r#"
            --- expected
            +++ actual
            @@ -2,7 +2,7 @@
             b
             c
             d
            -e
            +x
             f
             g
             h
        "#]]
        .assert_eq(&shown);
        assert!(coloured(&shown).contains("\n\x1b[31m-e\x1b[0m\n\x1b[32m+x\x1b[0m\n f\n"));
    }

    #[test]
    fn of_many_lines_the_last_are_counted() {
        let shown = difference("", &"line\n".repeat(MOST + 5));
        assert!(shown.ends_with("+line\n… 8 more lines follow\n"), "{shown}");
        let (many, others) = ("a\n".repeat(3000), "b\n".repeat(3000));
        assert!(difference(&many, &others).starts_with("--- expected\n+++ actual\n@@ -1,3000 +1,3000 @@\n-a\n"));
    }
}

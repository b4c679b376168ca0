//! How two texts differ, line by line.
//!
//! Docs: `tests/scenarios/README.md`. The texts are the blocks of scenario files, which are compared in `claims.rs`.

use similar::{Change, ChangeTag, TextDiff};

/// How many lines are shown on each side of what differs.
const NEIGHBOURS: usize = 3;
/// How many lines are shown at most.
const MOST: usize = 200;

/// The lines of two texts, aligned, without most of those that are alike.
pub(super) fn difference(expected: &str, seen: &str) -> String {
    let compared = TextDiff::from_lines(expected, seen);
    let lines: Vec<Change<&str>> = compared.iter_all_changes().collect();
    let differs = |place: usize| {
        let around = place.saturating_sub(NEIGHBOURS)..lines.len().min(place + NEIGHBOURS + 1);
        lines[around].iter().any(|line| line.tag() != ChangeTag::Equal)
    };
    let (mut shown, mut alike) = (Vec::new(), 0);
    for (place, line) in lines.iter().enumerate() {
        if differs(place) {
            shown.extend(left_out(&mut alike));
            shown.push(format!("  {} {}\n", line.tag(), line.value().trim_end_matches('\n')));
        } else {
            alike += 1;
        }
    }
    shown.extend(left_out(&mut alike));
    let more = shown.len().saturating_sub(MOST);
    shown.truncate(MOST);
    shown.extend((more > 0).then(|| format!("  … {more} more {} here\n", if more == 1 { "line follows" } else { "lines follow" })));
    shown.concat()
}

/// A line for those that are left out, if any are.
fn left_out(alike: &mut usize) -> Option<String> {
    let lines = std::mem::take(alike);
    (lines > 0).then(|| format!("  … {lines} {}\n", if lines == 1 { "line is the same" } else { "lines are the same" }))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(expected: &str, seen: &str, shown: Expect) {
        let lines = |words: &str| words.split(' ').map(|word| format!("{word}\n")).collect::<String>();
        // The first line keeps `expect!` from taking the indentation away.
        shown.assert_eq(&("shown:\n".to_owned() + &difference(&lines(expected), &lines(seen))));
    }

    #[test]
    fn lines_in_common_are_aligned_and_mostly_left_out() {
        check(
            "a b c d e f g h i",
            "a b c d x f g h i",
            expect![[r#"
                shown:
                  … 1 line is the same
                    b
                    c
                    d
                  - e
                  + x
                    f
                    g
                    h
                  … 1 line is the same
            "#]],
        );
        check(
            "one two old three four five six seven eight nine ten",
            "one two three four five six seven eight nine new ten",
            expect![[r#"
                shown:
                    one
                    two
                  - old
                    three
                    four
                    five
                  … 1 line is the same
                    seven
                    eight
                    nine
                  + new
                    ten
            "#]],
        );
    }

    #[test]
    fn of_many_lines_the_last_are_counted() {
        let shown = difference("", &"line\n".repeat(MOST + 5));
        assert!(shown.starts_with("  + line\n") && shown.ends_with("  + line\n  … 5 more lines follow here\n"), "{shown}");
        let (many, others) = ("a\n".repeat(3000), "b\n".repeat(3000));
        assert!(difference(&many, &others).starts_with("  - a\n"));
    }
}

//! How two texts differ, line by line.
//!
//! Docs: `tests/scenarios/README.md`. The texts are the blocks of scenario files, which are compared in `claims.rs`.

/// How many lines are shown on each side of what differs.
const NEIGHBOURS: usize = 3;
/// How many lines are shown at most.
const MOST: usize = 200;
/// How large the table is at most in which the lines of the texts are aligned; without it, all lines of one come before all of the other.
const LARGEST: usize = 4_000_000;

/// A line of one text or of both.
#[derive(Debug, Clone, Copy)]
struct ComparedLine<'t> {
    /// `-`: only of the first text; `+`: only of the second; a blank: of both.
    sign: char,
    text: &'t str,
}

/// The lines of two texts, aligned, without most of those that are alike.
pub(super) fn difference(expected: &str, seen: &str) -> String {
    let lines = aligned(&expected.lines().collect::<Vec<_>>(), &seen.lines().collect::<Vec<_>>());
    let differs = |place: usize| {
        let around = place.saturating_sub(NEIGHBOURS)..lines.len().min(place + NEIGHBOURS + 1);
        lines[around].iter().any(|line| line.sign != ' ')
    };
    let (mut shown, mut alike) = (Vec::new(), 0);
    for (place, ComparedLine { sign, text }) in lines.iter().enumerate() {
        if differs(place) {
            shown.extend(left_out(&mut alike));
            shown.push(format!("  {sign} {text}\n"));
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

/// The lines of both texts, with as many as possible in common.
fn aligned<'t>(expected: &[&'t str], seen: &[&'t str]) -> Vec<ComparedLine<'t>> {
    let same = expected.iter().zip(seen).take_while(|(expected, seen)| expected == seen).count();
    let (head, expected, seen) = (&expected[..same], &expected[same..], &seen[same..]);
    let same = expected.iter().rev().zip(seen.iter().rev()).take_while(|(expected, seen)| expected == seen).count();
    let (expected, tail) = expected.split_at(expected.len() - same);
    let seen = &seen[..seen.len() - same];
    let with = |sign: char| move |text: &&'t str| ComparedLine { sign, text };
    head.iter().map(with(' ')).chain(changed(expected, seen)).chain(tail.iter().map(with(' '))).collect()
}

/// The lines where texts differ: by the longest common subsequence of their ends, for each pair of places where those begin.
fn changed<'t>(expected: &[&'t str], seen: &[&'t str]) -> Vec<ComparedLine<'t>> {
    let width = seen.len() + 1;
    let mut common = vec![0_u32; if (expected.len() + 1) * width > LARGEST { 0 } else { (expected.len() + 1) * width }];
    if !common.is_empty() {
        for (at, line) in expected.iter().enumerate().rev() {
            for (beside, other) in seen.iter().enumerate().rev() {
                let [below, right] = [common[(at + 1) * width + beside], common[at * width + beside + 1]];
                common[at * width + beside] = if line == other { common[(at + 1) * width + beside + 1] + 1 } else { below.max(right) };
            }
        }
    }
    let (mut lines, mut at, mut beside) = (Vec::new(), 0, 0);
    while at < expected.len() || beside < seen.len() {
        let length = |at: usize, beside: usize| common.get(at * width + beside).copied().unwrap_or_default();
        if at < expected.len() && beside < seen.len() && !common.is_empty() && expected[at] == seen[beside] {
            lines.push(ComparedLine { sign: ' ', text: expected[at] });
            (at, beside) = (at + 1, beside + 1);
        } else if at < expected.len() && (beside == seen.len() || length(at + 1, beside) >= length(at, beside + 1)) {
            lines.push(ComparedLine { sign: '-', text: expected[at] });
            at += 1;
        } else {
            lines.push(ComparedLine { sign: '+', text: seen[beside] });
            beside += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(expected: &str, seen: &str, shown: Expect) {
        let lines = |words: &str| words.split(' ').map(|word| format!("{word}\n")).collect::<String>();
        shown.assert_eq(&difference(&lines(expected), &lines(seen)));
    }

    #[test]
    fn lines_in_common_are_aligned_and_mostly_left_out() {
        check(
            "a b c d e f g h i",
            "a b c d x f g h i",
            expect![[r#"
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

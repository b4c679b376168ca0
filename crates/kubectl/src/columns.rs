//! Columns: text whose cells end in tabs, with the cells that stand below each other made equally wide.
//!
//! Docs: none of Kubernetes'. A column goes on for as long as line after line has it, so tables that follow each other without a line between
//! share their columns.

/// The text with spaces instead of tabs, and `gap` of them between the widest cell of a column and the next.
///
/// What would move a terminal's cursor is written out: `\r` and `^[`.
pub(crate) fn align(text: &str, gap: usize) -> String {
    let text = text.replace('\r', "\\r").replace('\u{1b}', "^[");
    let lines: Vec<Vec<&str>> = text.split('\n').map(|line| line.split('\t').collect()).collect();
    let mut widths: Vec<Vec<usize>> = lines.iter().map(|cells| vec![0; cells.len()]).collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or_default();
    for column in 0..columns {
        // The last cell of a line belongs to no column.
        let has_it = |line: &Vec<&str>| line.len() > column + 1;
        let mut start = 0;
        while start < lines.len() {
            let length = lines[start..].iter().take_while(|line| has_it(line)).count();
            let block = start..start + length;
            let widest = lines[block.clone()].iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
            widths[block].iter_mut().for_each(|widths| widths[column] = widest + gap);
            start += length + 1;
        }
    }
    let line = |(cells, widths): (&Vec<&str>, &Vec<usize>)| -> String {
        cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect()
    };
    lines.iter().zip(&widths).map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&align(text, 2).replace(' ', "·"));
    }

    #[test]
    fn cells_below_each_other_are_equally_wide() {
        check(
            "a:\tb\nlonger:\tc\tend\ngrün\t\n",
            expect![[r#"
                a:·······b
                longer:··c··end
                grün·····
            "#]],
        );
    }

    #[test]
    fn a_line_without_a_column_ends_it() {
        check(
            "first\tb\nnothing\na\tb\n",
            expect![[r#"
                first··b
                nothing
                a··b
            "#]],
        );
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        check(
            "a\r\u{1b}[31m\tb\n",
            expect![[r#"
                a\r^[[31m··b
            "#]],
        );
    }
}

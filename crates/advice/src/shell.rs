//! Shell scripts, as rules read them: which commands come one after the other at the top level, and what joins them.
//!
//! Docs: POSIX, "Shell Command Language". What is not understood for certain is not read at all. Scripts are found in `container.rs`.

/// How deep substitutions may be nested in each other; a script that goes deeper is not read.
const MOST_NESTED: usize = 64;

/// Commands joined by pipes, and what follows them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pipeline {
    /// The commands, in order.
    pub(crate) commands: Vec<ShellCommand>,
    /// What comes after them.
    pub(crate) joint: Joint,
}

/// One command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ShellCommand {
    /// Its words, as they are written; redirections are among them.
    pub(crate) words: Vec<String>,
    /// Whether it is a loop, a condition, a group or a function.
    pub(crate) compound: bool,
    /// The line of the script on which it begins, from 0.
    pub(crate) line: usize,
}

/// What stands between two pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    /// `;` or the end of a line.
    Next,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `&`.
    Background,
}

/// What stands between two words.
#[derive(Debug, PartialEq, Eq)]
enum ShellToken {
    Word(String),
    Joint(Joint),
    Pipe,
    Open,
    Close,
}

/// A here-document whose text has not begun: it follows the line.
struct HereDocument<'s> {
    /// The line that ends it.
    end: &'s str,
    /// Whether tabs may stand before its end: `<<-`.
    indented: bool,
}

/// The pipelines of a script at its top level; `None` if it cannot be read for certain.
pub(crate) fn pipelines(script: &str) -> Option<Vec<Pipeline>> {
    let (mut lines, mut commands, mut command, mut depth) = (Vec::new(), Vec::new(), ShellCommand::default(), 0_usize);
    let mut begins = true;
    for (line, token) in tokens(script)? {
        let inside = depth > 0;
        if command.words.is_empty() && !command.compound {
            command.line = line;
        }
        match token {
            ShellToken::Word(word) => {
                match &*word {
                    "case" | "select" | "function" if begins => return None,
                    "if" | "while" | "until" | "for" | "{" if begins => (depth, command.compound) = (depth + 1, true),
                    "fi" | "done" | "}" if begins => depth = depth.checked_sub(1)?,
                    _ => {}
                }
                begins = begins && ["if", "while", "until", "then", "do", "else", "elif", "{", "!", "time"].contains(&&*word);
                command.words.push(word);
                continue;
            }
            ShellToken::Open => (depth, command.compound) = (depth + 1, true),
            ShellToken::Close => {
                depth = depth.checked_sub(1)?;
                // A function's body follows.
                begins = true;
                continue;
            }
            ShellToken::Joint(_) | ShellToken::Pipe if inside => {}
            ShellToken::Pipe => commands.push(std::mem::take(&mut command)),
            ShellToken::Joint(joint) => {
                if !command.words.is_empty() || command.compound {
                    commands.push(std::mem::take(&mut command));
                    lines.push(Pipeline { commands: std::mem::take(&mut commands), joint });
                }
            }
        }
        begins = true;
    }
    if !command.words.is_empty() || command.compound {
        commands.push(command);
        lines.push(Pipeline { commands, joint: Joint::Next });
    }
    (depth == 0).then_some(lines)
}

/// The words of a script and what stands between them, each with the line on which it begins, from 0.
fn tokens(script: &str) -> Option<Vec<(usize, ShellToken)>> {
    let (mut tokens, mut rest, mut documents) = (Vec::new(), script, Vec::<HereDocument<'_>>::new());
    let (mut lines, mut line) = (Vec::new(), 0);
    while let Some(letter) = rest.chars().next() {
        let before = rest;
        let after = &rest[letter.len_utf8()..];
        rest = match letter {
            '\n' => {
                tokens.push(ShellToken::Joint(Joint::Next));
                documents.drain(..).try_fold(after, |rest, document| behind_document(rest, &document))?
            }
            ' ' | '\t' | '\r' => after,
            '\\' if after.starts_with('\n') => &after[1..],
            '#' => after.find('\n').map_or("", |end| &after[end..]),
            ';' if after.starts_with(';') => return None,
            ';' => push(&mut tokens, ShellToken::Joint(Joint::Next), after),
            '&' if after.starts_with('&') => push(&mut tokens, ShellToken::Joint(Joint::And), &after[1..]),
            '&' if after.starts_with('>') => word(rest, &mut tokens)?,
            '&' => push(&mut tokens, ShellToken::Joint(Joint::Background), after),
            '|' if after.starts_with('|') => push(&mut tokens, ShellToken::Joint(Joint::Or), &after[1..]),
            '|' => push(&mut tokens, ShellToken::Pipe, after.strip_prefix('&').unwrap_or(after)),
            '(' => push(&mut tokens, ShellToken::Open, after),
            ')' => push(&mut tokens, ShellToken::Close, after),
            '<' if after.starts_with('<') && !after.starts_with("<<") => {
                let (document, rest) = here_document(&after[1..])?;
                documents.push(document);
                rest
            }
            _ => word(rest, &mut tokens)?,
        };
        lines.resize(tokens.len(), line);
        line += before[..before.len() - rest.len()].matches('\n').count();
    }
    documents.is_empty().then(|| lines.into_iter().zip(tokens).collect())
}

fn push<'s>(tokens: &mut Vec<ShellToken>, token: ShellToken, rest: &'s str) -> &'s str {
    tokens.push(token);
    rest
}

/// Reads how a here-document ends, behind `<<`, and returns what is behind that.
fn here_document(text: &str) -> Option<(HereDocument<'_>, &str)> {
    let (text, indented) = text.strip_prefix('-').map_or((text, false), |text| (text, true));
    let text = text.trim_start_matches([' ', '\t']);
    let (end, rest) = match text.strip_prefix('\'').map(|text| (text, '\'')).or_else(|| text.strip_prefix('"').map(|text| (text, '"'))) {
        Some((text, quote)) => text.split_once(quote)?,
        None => {
            let text = text.strip_prefix('\\').unwrap_or(text);
            text.split_at(text.find(|letter: char| letter.is_whitespace() || ";&|()<>".contains(letter)).unwrap_or(text.len()))
        }
    };
    // Quotes that are only around a part of it are read nowhere else.
    let certain = !end.is_empty() && !end.contains(['\'', '"', '\\', '$', '`']);
    certain.then_some((HereDocument { end, indented }, rest))
}

/// What is behind a here-document.
fn behind_document<'s>(rest: &'s str, document: &HereDocument<'_>) -> Option<&'s str> {
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if document.end == if document.indented { line.trim_start_matches('\t') } else { line } {
            return Some(&rest[at..]);
        }
    }
    None
}

/// Reads a word, and returns what is behind it.
fn word<'s>(text: &'s str, tokens: &mut Vec<ShellToken>) -> Option<&'s str> {
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        rest = match letter {
            '\'' => &after[after.find('\'')? + 1..],
            '"' => behind_quoted(after, MOST_NESTED)?,
            '\\' => after.char_indices().nth(1).map_or("", |(at, _)| &after[at..]),
            '$' if after.starts_with('(') => behind_brackets(after, '(', ')', MOST_NESTED)?,
            '$' if after.starts_with('{') => behind_brackets(after, '{', '}', MOST_NESTED)?,
            '`' => &after[after.find('`')? + 1..],
            '=' if after.starts_with('(') => behind_brackets(after, '(', ')', MOST_NESTED)?,
            '<' if after.starts_with("<<") => &after[2..],
            // A here-document: it is no part of the word.
            '<' if after.starts_with('<') => break,
            '>' | '<' if after.starts_with('&') => &after[1..],
            '&' if after.starts_with('>') => &after[1..],
            ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' => break,
            _ => after,
        };
    }
    tokens.push(ShellToken::Word(text[..text.len() - rest.len()].to_owned()));
    Some(rest)
}

/// What is behind a text in double quotes, after the first of them; `None` if more is nested in it than this.
fn behind_quoted(text: &str, nested: usize) -> Option<&str> {
    let (mut rest, nested) = (text, nested.checked_sub(1)?);
    loop {
        let letter = rest.chars().next()?;
        let after = &rest[letter.len_utf8()..];
        rest = match letter {
            '"' => return Some(after),
            '\\' => &after[after.chars().next()?.len_utf8()..],
            '$' if after.starts_with('(') => behind_brackets(after, '(', ')', nested)?,
            _ => after,
        };
    }
}

/// What is behind the bracket that closes the one at the beginning; `None` if more is nested in it than this.
fn behind_brackets(text: &str, open: char, close: char, nested: usize) -> Option<&str> {
    let (mut rest, mut depth, nested) = (text, 0_usize, nested.checked_sub(1)?);
    loop {
        let letter = rest.chars().next()?;
        let after = &rest[letter.len_utf8()..];
        rest = match letter {
            '\'' => &after[after.find('\'')? + 1..],
            '"' => behind_quoted(after, nested)?,
            '\\' => &after[after.chars().next()?.len_utf8()..],
            '<' if after.starts_with("<<") => &after[2..],
            // The brackets and the quotes of a here-document are only text.
            '<' if after.starts_with('<') => return None,
            _ => after,
        };
        depth += usize::from(letter == open);
        if letter == close {
            depth -= 1;
            if depth == 0 {
                return Some(rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expected: &str) {
        let shown = pipelines(script).map(|lines| {
            let command = |command: &ShellCommand| if command.compound { "{…}".to_owned() } else { command.words.join("·") };
            let line = |line: &Pipeline| format!("{} {:?}", line.commands.iter().map(command).collect::<Vec<_>>().join(" | "), line.joint);
            lines.iter().map(line).collect::<Vec<_>>().join("; ")
        });
        assert_eq!(shown.as_deref().unwrap_or("?"), expected, "{script}");
    }

    #[test]
    fn scripts_come_apart_into_their_commands() {
        check("", "");
        check("date; echo Hello from the Kubernetes cluster", "date Next; echo·Hello·from·the·Kubernetes·cluster Next");
        check("a && b || c & d", "a And; b Or; c Background; d Next");
        check(
            "pg_dump -U \"$USER\" 'a;b' | gzip > /backup/$(date +%F).gz\n# done; now\n",
            "pg_dump·-U·\"$USER\"·'a;b' | gzip·>·/backup/$(date +%F).gz Next",
        );
        check("if [ -f a ]; then b; else c | d; fi\ne 2>&1 &> f", "{…} Next; e·2>&1·&>·f Next");
        check("for x in a b; do echo $x; done && y", "{…} And; y Next");
        check("items=(foo bar); echo ${items[$I]} > f", "items=(foo bar) Next; echo·${items[$I]}·>·f Next");
        check("cat <<EOF | psql\nselect 1; drop\nEOF\nvacuum", "cat | psql Next; vacuum Next");
        check("psql<<EOF\nselect 1; drop\nEOF\nvacuum", "psql Next; vacuum Next");
        check("cat >/etc/app.conf<<EOF\nport 80\nEOF\nexec app", "cat·>/etc/app.conf Next; exec·app Next");
        check("cat <<'EOF'>f;b\n\tEOF\n EOF\nEOF\nc", "cat·>f Next; b Next; c Next");
        check("cat <<-\"END OF\" <<\\B\n\t\tEND OF\na; b\nB\nc", "cat Next; c Next");
        check("bc<<<\"1+1\"; tr a b <<<$X\nd \"$(cat <<< x)\"", "bc<<<\"1+1\" Next; tr·a·b·<<<$X Next; d·\"$(cat <<< x)\" Next");
        check("f() { a; b; }\nf", "{…} Next; f Next");
        check("(cd /x; make)\ntest \"$(a; b)\" = \"\\\"\"", "{…} Next; test·\"$(a; b)\"·=·\"\\\"\" Next");
        check("a \\\n  b", "a·b Next");
    }

    #[test]
    fn commands_know_their_lines() {
        let script = "set -x # a\n\ncat <<EOF | psql\nselect\nEOF\nif a\nthen b\nfi\nc 'd\ne'; f \\\n  g\n  h";
        let lines = pipelines(script).unwrap_or_default();
        let shown = lines.iter().flat_map(|line| &line.commands).map(|command| format!("{} {}", command.line, command.words[0]));
        assert_eq!(shown.collect::<Vec<_>>(), ["0 set", "2 cat", "2 psql", "5 if", "8 c", "9 f", "11 h"]);
    }

    #[test]
    fn what_is_not_understood_is_not_read() {
        for script in
            ["case $x in a) b;; esac", "echo 'a", "done", "a )", "cat <<EOF\nb", "cat <<EOF", "cat <<\n", "a \"$(cat <<EOF\n)\nEOF\n)\""]
        {
            check(script, "?");
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_not_read() {
        let nested = |depth: usize| format!("echo {}a{}", "\"$(".repeat(depth), ")\"".repeat(depth));
        assert!(pipelines(&nested(MOST_NESTED / 2)).is_some());
        for open in ["\"$(", "$(\"", "(", "{ ", "\"$(("] {
            assert!(pipelines(&open.repeat(100_000)).is_none(), "{open}");
        }
        assert!(pipelines(&nested(100_000)).is_none());
    }
}

//! Documentation as Javadoc: Markdown becomes the HTML that Javadoc reads, wrapped as google-java-format wraps it.
//!
//! Docs: JDK, "Documentation Comment Specification for the Standard Doclet". What is documented is in `mod.rs`.

use super::WIDTH;

/// A doc comment with the documentation of parameters; nothing if there is none.
pub(super) fn javadoc(indent: usize, docs: &str, parameters: &[(String, String)]) -> String {
    let width = WIDTH - indent - " * ".len();
    let mut lines = body(docs, width);
    let documented = parameters.iter().filter(|(_, docs)| !docs.is_empty());
    let tags: Vec<String> =
        documented.flat_map(|(name, docs)| wrapped(&format!("@param {name} {}", inline(docs)), "", "    ", width)).collect();
    let margin = " ".repeat(indent);
    if tags.is_empty() && lines.is_empty() {
        return String::new();
    }
    if let ([line], []) = (&lines[..], &tags[..])
        && indent + "/**  */".len() + line.chars().count() <= WIDTH
    {
        return format!("{margin}/** {line} */\n");
    }
    if !tags.is_empty() && !lines.is_empty() {
        lines.push(String::new());
    }
    lines.extend(tags);
    let text: String = lines.iter().map(|line| format!("{margin} * {line}").trim_end().to_owned() + "\n").collect();
    format!("{margin}/**\n{text}{margin} */\n")
}

/// A block of Markdown.
enum Block {
    Paragraph(String),
    Heading(String),
    /// Its tag and its items.
    List(&'static str, Vec<String>),
    Code(Vec<String>),
}

fn body(docs: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for block in blocks(docs) {
        let first = lines.is_empty();
        if !first {
            lines.push(String::new());
        }
        match block {
            Block::Paragraph(text) if first => lines.extend(wrapped(&inline(&text), "", "", width)),
            Block::Paragraph(text) => lines.extend(wrapped(&format!("<p>{}", inline(&text)), "", "", width)),
            Block::Heading(text) => lines.push(format!("<h2>{}</h2>", inline(&text))),
            Block::List(tag, items) => {
                lines.push(format!("<{tag}>"));
                lines.extend(items.iter().flat_map(|item| wrapped(&format!("<li>{}", inline(item)), "  ", "      ", width)));
                lines.push(format!("</{tag}>"));
            }
            Block::Code(code) => {
                lines.push("<pre>{@code".to_owned());
                lines.extend(code);
                lines.push("}</pre>".to_owned());
            }
        }
    }
    lines
}

fn blocks(docs: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = docs.lines();
    let mut fresh = true;
    while let Some(line) = lines.next() {
        let text = line.trim().to_owned();
        let item = text.strip_prefix("- ").map(|item| ("ul", item)).or_else(|| numbered(&text).map(|item| ("ol", item)));
        if text.starts_with("```") {
            blocks.push(Block::Code(lines.by_ref().take_while(|line| !line.trim().starts_with("```")).map(str::to_owned).collect()));
        } else if let Some(heading) = text.strip_prefix("# ") {
            blocks.push(Block::Heading(heading.to_owned()));
        } else if let Some((tag, item)) = item {
            match blocks.last_mut() {
                Some(Block::List(_, items)) => items.push(item.to_owned()),
                _ => blocks.push(Block::List(tag, vec![item.to_owned()])),
            }
        } else if !text.is_empty() {
            match blocks.last_mut() {
                Some(Block::Paragraph(before)) if !fresh => *before += &format!(" {text}"),
                Some(Block::List(_, items)) if !fresh => *items.last_mut().expect("a list has items") += &format!(" {text}"),
                _ => blocks.push(Block::Paragraph(text.clone())),
            }
        }
        fresh = text.is_empty();
    }
    blocks
}

/// What follows `1. `.
fn numbered(text: &str) -> Option<&str> {
    let (number, item) = text.split_once(". ")?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(item)
}

/// Code spans and characters that mean something in HTML.
fn inline(text: &str) -> String {
    let spans = text.split('`').enumerate().map(|(position, span)| {
        if position % 2 == 1 { format!("{{@code {span}}}") } else { span.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;") }
    });
    spans.collect()
}

/// Words on lines of this width, the first with one indent and the others with another one.
fn wrapped(text: &str, first: &str, others: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = first.to_owned();
    for word in text.split_whitespace() {
        let empty = line.trim().is_empty();
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, others.to_owned() + word));
        } else {
            line += if empty { "" } else { " " };
            line += word;
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        let docs =
            "One `a<b>`, and\ntwo & three.\n\n# Order\n\n1. First\n   goes on.\n2. Second.\n\n```text\nx < {}\n```\n\n- Only.\n\nEnd.";
        let expected = "
/**
 * One {@code a<b>}, and two &amp; three.
 *
 * <h2>Order</h2>
 *
 * <ol>
 *   <li>First goes on.
 *   <li>Second.
 * </ol>
 *
 * <pre>{@code
 * x < {}
 * }</pre>
 *
 * <ul>
 *   <li>Only.
 * </ul>
 *
 * <p>End.
 */
";
        assert_eq!(format!("\n{}", javadoc(0, docs, &[])), expected);
    }

    #[test]
    fn long_lines_are_wrapped() {
        let docs = "word ".repeat(20);
        let parameters = [("x".to_owned(), docs.clone()), ("y".to_owned(), String::new())];
        let text = javadoc(4, &docs, &parameters);
        assert!(text.lines().all(|line| line.len() <= WIDTH) && text.contains("word\n     *     word"), "{text}");
        assert_eq!(javadoc(4, "", &[]), "");
    }
}

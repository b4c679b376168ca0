//! Containers that have no end: their last command waits or loops forever.
//!
//! Docs: none of Kubernetes'. Scripts are read in `shell.rs`; what follows from it is decided in `rules/sidecar_blocks.rs` and `rules/endless_command.rs`.

use crate::container::TemplateContainer;
use crate::shell::pipelines;

/// Whether a container ends in a command that has no end.
pub(crate) fn endless(container: &TemplateContainer<'_>) -> bool {
    let words: Vec<&str> = container.words().into_iter().map(|(_, word)| word).collect();
    let script = container.script().and_then(|script| pipelines(script.text));
    let last = script.and_then(|mut lines| lines.pop()?.commands.pop());
    match last {
        Some(command) if command.compound => {
            matches!(&command.words[..], [first, second, ..] if first == "while" && ["true", ":"].contains(&&**second))
                && !command.words.iter().any(|word| ["break", "exit"].contains(&&**word))
        }
        Some(command) => without_end(&command.words.iter().map(String::as_str).collect::<Vec<_>>()),
        None => without_end(&words),
    }
}

fn without_end(words: &[&str]) -> bool {
    match words {
        ["exec", rest @ ..] => without_end(rest),
        ["sleep", length, ..] => ["infinity", "inf"].contains(length),
        ["tail", options @ ..] => {
            options.iter().any(|option| ["-f", "-F", "--follow"].contains(option))
                && !options.iter().any(|option| option.starts_with("--pid"))
        }
        _ => false,
    }
}

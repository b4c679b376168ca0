//! Containers: one container of a pod template, as rules read it.
//!
//! Docs: Init Containers; Sidecar Containers; Define a Command and Arguments for a Container. Scripts in commands are read in `shell.rs`.

use serde_json::Value;

/// Programs that run a script.
const SHELLS: [&str; 6] = ["sh", "bash", "ash", "dash", "zsh", "ksh"];

/// One container of a pod template.
pub(crate) struct TemplateContainer<'w> {
    /// Its path.
    pub(crate) path: String,
    /// When it runs.
    pub(crate) role: ContainerKind,
    value: &'w Value,
}

/// When a container runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContainerKind {
    /// Before the regular ones, to its end.
    Init,
    /// Beside the regular ones, which do not wait for its end.
    Sidecar,
    /// The pod ends with these.
    Regular,
}

/// A shell that runs a script.
pub(crate) struct ShellScript<'w> {
    /// Its path: that of an item of `command` or `args`.
    pub(crate) path: String,
    /// The name of the shell, without its folder.
    pub(crate) shell: &'w str,
    /// The options before the script.
    pub(crate) options: Vec<&'w str>,
    /// The script.
    pub(crate) text: &'w str,
}

impl<'w> TemplateContainer<'w> {
    pub(crate) fn new(path: String, list: &str, value: &'w Value) -> Self {
        let role = match list {
            "containers" => ContainerKind::Regular,
            _ if value["restartPolicy"] == "Always" => ContainerKind::Sidecar,
            _ => ContainerKind::Init,
        };
        Self { path, role, value }
    }

    pub(crate) fn name(&self) -> &'w str {
        self.value["name"].as_str().unwrap_or_default()
    }

    pub(crate) fn image(&self) -> &'w str {
        self.value["image"].as_str().unwrap_or_default()
    }

    /// A field of the container.
    pub(crate) fn field(&self, field: &str) -> &'w Value {
        &self.value[field]
    }

    /// The words of its command and its arguments, each with its path.
    pub(crate) fn words(&self) -> Vec<(String, &'w str)> {
        let of_list = |list: &'static str| {
            let values = self.value[list].as_array().map(Vec::as_slice).unwrap_or_default();
            values.iter().enumerate().filter_map(move |(at, word)| Some((format!("{}.{list}[{at}]", self.path), word.as_str()?)))
        };
        of_list("command").chain(of_list("args")).collect()
    }

    /// The script, if its command is a shell with one: `["sh", "-c", "…"]`.
    pub(crate) fn script(&self) -> Option<ShellScript<'w>> {
        let mut words = self.words().into_iter().skip_while(|(_, word)| program(word) == "env");
        let shell = words.next().map(|(_, word)| program(word)).filter(|program| SHELLS.contains(program))?;
        let mut options = Vec::new();
        let mut script = false;
        for (path, word) in words {
            if script && !word.starts_with('-') && !options.last().is_some_and(|last: &&str| takes_value(last)) {
                return Some(ShellScript { path, shell, options, text: word });
            }
            script |= word.starts_with('-') && !word.starts_with("--") && word.contains('c');
            options.push(word);
        }
        None
    }
}

/// Whether an option of a shell has a value as its next word: `-o pipefail`.
fn takes_value(option: &str) -> bool {
    option.starts_with('-') && option.ends_with('o')
}

/// A program without its folder.
pub(crate) fn program(word: &str) -> &str {
    let word = word.trim();
    word.rsplit('/').next().unwrap_or(word)
}

/// Whether a program is a shell.
pub(crate) fn is_shell(word: &str) -> bool {
    SHELLS.contains(&program(word))
}

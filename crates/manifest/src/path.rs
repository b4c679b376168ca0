//! Paths of API fields, as the API server writes them: `spec.template.metadata.labels[app]`.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Where a path stands in a text is decided in `document.rs`.

/// The path of an item of a list, or of a key of a map.
pub(crate) fn entry(path: &str, key: impl std::fmt::Display) -> String {
    format!("{path}[{key}]")
}

/// The step to an unknown key: as a name if it looks like one.
pub(crate) fn step(key: &str) -> String {
    let name = !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric());
    if name { key.to_owned() } else { entry("", key) }
}

/// The path of a field, or of a further path, below another one.
pub(crate) fn join(outer: &str, inner: &str) -> String {
    let dot = if outer.is_empty() || inner.is_empty() || inner.starts_with('[') { "" } else { "." };
    format!("{outer}{dot}{inner}")
}

/// The steps of a path: names, keys and numbers.
pub(crate) fn steps(path: &str) -> Vec<&str> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (step, after) = if let Some(key) = rest.strip_prefix('[') {
            key.split_once(']').unwrap_or((key, ""))
        } else {
            rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()))
        };
        steps.push(step);
        rest = after.strip_prefix('.').unwrap_or(after);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_apart_into_steps() {
        assert_eq!(steps("spec.template.spec.containers[0].image"), ["spec", "template", "spec", "containers", "0", "image"]);
        assert_eq!(steps("metadata.labels[app.kubernetes.io/name]"), ["metadata", "labels", "app.kubernetes.io/name"]);
        assert_eq!(steps("a[0][b].c"), ["a", "0", "b", "c"]);
        assert_eq!(steps(""), [""; 0]);
        assert_eq!(steps("a["), ["a", ""]);
        assert_eq!(steps("a..b"), ["a", "", "b"]);
    }

    #[test]
    fn paths_are_put_together() {
        assert_eq!(join("", "spec"), "spec");
        assert_eq!(join("spec", "template"), "spec.template");
        assert_eq!(entry("spec.containers", 0), "spec.containers[0]");
        assert_eq!(join("spec", "[0].a"), "spec[0].a");
    }
}

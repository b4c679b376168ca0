//! `$(VAR)` in `command`, `args` and the values of `env`.
//!
//! Docs: Define a Command and Arguments for a Container, "Use environment variables to define arguments"; Define Dependent Environment
//! Variables. Which variables there are is decided in `environment.rs`.

/// Replaces `$(NAME)` by the variable's value and `$$` by `$`; a reference to no variable stays as it is, as does every other `$`.
pub(super) fn expand<'a>(text: &str, value: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        expanded.push_str(before);
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            expanded.push('$');
            rest = after;
            continue;
        }
        let Some((name, after)) = rest.strip_prefix('(').and_then(|inner| inner.split_once(')')) else {
            expanded.push('$');
            continue;
        };
        match value(name) {
            Some(value) => expanded.push_str(value),
            None => expanded.extend(["$(", name, ")"]),
        }
        rest = after;
    }
    expanded + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expanded: &str) {
        let value = |name: &str| match name {
            "A" => Some("one"),
            "B" => Some("$(A)$$"),
            "EMPTY" => Some(""),
            "with space" => Some("two"),
            _ => None,
        };
        assert_eq!(expand(text, value), expanded, "{text}");
    }

    #[test]
    fn references_become_values() {
        check("$(A)", "one");
        check("x$(A)y$(A)", "xoneyone");
        check("[$(EMPTY)]", "[]");
        check("$(with space)", "two");
        check("é$(A)é", "éoneé");
    }

    #[test]
    fn values_are_not_expanded_again() {
        check("$(B)", "$(A)$$");
    }

    #[test]
    fn unknown_variables_stay() {
        check("$(NONE)", "$(NONE)");
        check("$()", "$()");
        check("$(NONE)$(A)", "$(NONE)one");
    }

    #[test]
    fn two_dollars_are_one() {
        check("$$", "$");
        check("$$(A)", "$(A)");
        check("$$$(A)", "$one");
        check("$$$$(A)", "$$(A)");
        check("$$A$$B", "$A$B");
    }

    #[test]
    fn everything_else_stays() {
        check("", "");
        check("$", "$");
        check("a$", "a$");
        check("$A ${A} $1", "$A ${A} $1");
        check("$(A", "$(A");
        check("$(A $(A)", "$(A $(A)");
        check("$(A$(A))", "$(A$(A))");
        check("$((1+2))", "$((1+2))");
    }
}

//! Which rules a silence names, with reasons between the names: `logs-lost: kept in Loki, for a year`.
//!
//! Docs: `jobsmith lint unused-silence`. What is silenced by them is decided in `silence.rs`.

use advice::{RULES, rule};

/// The rules that a text names, and words that stand where a rule should. A name stands in front, or behind a comma or a line's end, or with a colon
/// anywhere, since YAML joins lines; everything behind its colon is a reason up to the next name.
pub(super) fn named(text: &str) -> Vec<&str> {
    let (mut names, mut in_reason) = (Vec::new(), false);
    for part in text.split([',', '\n']).map(str::trim).filter(|part| !part.is_empty()) {
        let head = part.split(':').next().unwrap_or_default().trim_end();
        let explained = head.len() < part.len();
        let words = head.split_whitespace().count();
        let known: Vec<&str> = head.split_whitespace().take_while(|word| rule(word).is_some()).collect();
        let skipped = known.len();
        if skipped == words || skipped > 0 && !in_reason {
            in_reason = explained || skipped < words;
            names.extend(known);
        } else if !in_reason || words == 1 && meant(head).is_some() {
            in_reason |= explained;
            names.push(head);
        }
        let with_colon = part.split_whitespace().skip(skipped).filter_map(|word| word.strip_suffix(':'));
        names.extend(with_colon.filter(|word| rule(word).is_some()));
    }
    names
}

/// The rule that a word may be meant to name.
pub(super) fn meant(word: &str) -> Option<&'static str> {
    manifest::nearest(word, RULES.iter().map(|rule| rule.name.as_str()))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn reasons_have_commas_and_lines() {
        let texts = [
            "logs-lost, latest-tag",
            "logs-lost latest-tag\n",
            "logs-lost: kept in Loki, for a year, never-ends: by hand, latest-tag",
            "logs-lost: kept in Loki,\n  for a year\nlatest-tag:pinned\n",
            // As `>` joins lines.
            "logs-lost: kept in Loki latest-tag: pinned",
            "logs-lost kept in Loki, for a year",
            "logs-lost: kept, latest-tag in tests only, log-lost",
            "log-lost: kept, latest",
            "latest, never ends: x",
            "logs-lost: see https://wiki.example/a:b, page 2",
            " , \n",
        ];
        let line = |text: &&str| format!("{text:?}: {}\n", super::named(text).join(" | "));
        expect![[r#"
            "logs-lost, latest-tag": logs-lost | latest-tag
            "logs-lost latest-tag\n": logs-lost | latest-tag
            "logs-lost: kept in Loki, for a year, never-ends: by hand, latest-tag": logs-lost | never-ends | latest-tag
            "logs-lost: kept in Loki,\n  for a year\nlatest-tag:pinned\n": logs-lost | latest-tag
            "logs-lost: kept in Loki latest-tag: pinned": logs-lost | latest-tag
            "logs-lost kept in Loki, for a year": logs-lost
            "logs-lost: kept, latest-tag in tests only, log-lost": logs-lost | log-lost
            "log-lost: kept, latest": log-lost
            "latest, never ends: x": latest | never ends
            "logs-lost: see https://wiki.example/a:b, page 2": logs-lost
            " , \n": 
        "#]]
        .assert_eq(&texts.iter().map(line).collect::<String>());
    }
}

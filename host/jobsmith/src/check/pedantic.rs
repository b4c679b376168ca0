//! Which pedantic rules are wanted: all, or those that are named.
//!
//! Docs: `jobsmith check --help`. Which rules are pedantic is decided in the crate `advice`.

use std::str::FromStr;

use advice::{AdviceRule, RULES};
use manifest::RuleName;

/// The word for all of them.
pub(super) const ALL: &str = "all";

/// The pedantic rules that are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PedanticRules(pub(super) Vec<RuleName>);

impl FromStr for PedanticRules {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pedantic = || RULES.iter().filter(|rule| rule.is_pedantic());
        if text == ALL {
            return Ok(Self(pedantic().map(|rule| rule.name).collect()));
        }
        let named = |name: &str| {
            let rule = pedantic().find(|rule| rule.name.as_str() == name);
            rule.map(|rule| rule.name).ok_or_else(|| unknown(name, &pedantic().collect::<Vec<_>>()))
        };
        text.split(',').map(str::trim).map(named).collect::<Result<_, _>>().map(Self)
    }
}

/// That a name is none of a pedantic rule, and what is.
fn unknown(name: &str, pedantic: &[&AdviceRule]) -> String {
    let names: Vec<&str> = pedantic.iter().map(|rule| rule.name.as_str()).collect();
    match advice::rule(name) {
        Some(_) => format!("{name} is always reported; pedantic rules are {}", names.join(", ")),
        None => format!("no rule is called {name:?}; pedantic rules are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_named_or_all() {
        let names = |text: &str| text.parse().map(|PedanticRules(rules)| rules.iter().map(|rule| rule.as_str()).collect::<Vec<_>>());
        assert_eq!(names("all"), Ok(vec!["token-mounted", "evictable", "herd"]));
        assert_eq!(names("herd, evictable"), Ok(vec!["herd", "evictable"]));
        let known = "pedantic rules are token-mounted, evictable, herd";
        assert_eq!(names("heard"), Err(format!("no rule is called \"heard\"; {known}")));
        assert_eq!(names("logs-lost"), Err(format!("logs-lost is always reported; {known}")));
    }
}

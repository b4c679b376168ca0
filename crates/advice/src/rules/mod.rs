//! All rules, by their numbers.
//!
//! Docs: `jobsmith lint`. What is common to them is in `../rule.rs`. The conditions of those that read or admit manifests are in `manifest`, `cluster` and `check`.

mod cannot_reapply;
mod deadline_on_pod;
mod deadline_under_10;
mod elsewhere;
mod every_minute;
mod every_run_refused;
mod evictions_count;
mod exit_code_masked;
mod injected_proxy;
mod limit_without_effect;
mod logs_lost;
mod never_ends;
mod never_fires;
mod never_removed;
mod no_shell;
mod one_stuck_blocks_all;
mod overlapping_selectors;
mod quotes_in_value;
mod retries_for_ever;
mod rule_never_matches;
mod rule_shadowed;
mod runs_pile_up;
mod service_selects_pods;
mod sidecar_blocks;
mod ttl_against_history;
mod ttl_too_short;
mod utc;

use crate::rule::Rule;

/// All rules, by their numbers.
pub static RULES: [Rule; 37] = [
    elsewhere::UNREADABLE,
    elsewhere::UNKNOWN_FIELD,
    elsewhere::DUPLICATE_FIELD,
    elsewhere::WRONG_TYPE,
    elsewhere::INVALID,
    elsewhere::API_WARNING,
    quotes_in_value::RULE,
    elsewhere::MISSING_JOBS,
    elsewhere::UNUSED_SILENCE,
    logs_lost::RULE,
    never_ends::RULE,
    deadline_on_pod::RULE,
    retries_for_ever::RULE,
    limit_without_effect::RULE,
    evictions_count::RULE,
    overlapping_selectors::RULE,
    sidecar_blocks::RULE,
    injected_proxy::RULE,
    elsewhere::RESTART_POLICY_LEVEL,
    service_selects_pods::RULE,
    rule_never_matches::RULE,
    rule_shadowed::RULE,
    never_fires::RULE,
    deadline_under_10::RULE,
    runs_pile_up::RULE,
    one_stuck_blocks_all::RULE,
    utc::RULE,
    every_minute::RULE,
    every_run_refused::RULE,
    never_removed::RULE,
    ttl_against_history::RULE,
    ttl_too_short::RULE,
    cannot_reapply::RULE,
    elsewhere::NOT_RENDERED,
    elsewhere::REMOVED_VERSION,
    no_shell::RULE,
    exit_code_masked::RULE,
];

/// The rule of this name.
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name.as_str() == name)
}

//! All rules, by their numbers.
//!
//! Docs: `jobsmith lint`. What is common to them is in `../rule.rs`. The conditions of those that read or admit manifests are in `manifest`, `cluster` and `check`.

mod annotation_without_effect;
mod both_limits;
mod cannot_reapply;
mod clock_change;
mod day_or_weekday;
mod deadline_cuts_retries;
mod deadline_on_pod;
mod deadline_under_10;
mod decimal_file_mode;
mod dropped_field;
mod elsewhere;
mod endless_command;
mod env_reference;
mod every_minute;
mod every_run_refused;
mod evictable;
mod evictions_count;
mod exit_code_masked;
mod foreign_manager;
mod generate_name_apply;
mod grace_exceeds_deadline;
mod herd;
mod hook_blocks_next;
mod hook_deletes_logs;
mod host_port_parallel;
mod init_waits_forever;
mod injected_proxy;
mod invalid_annotation;
mod invalid_image;
mod kill_is_bug;
mod latest_tag;
mod limit_counts_all;
mod limit_without_effect;
mod liveness_ends_attempt;
mod logs_lost;
mod longer_than_period;
mod memory_volume;
mod never_ends;
mod never_fires;
mod never_removed;
mod no_failed_history;
mod no_headless_service;
mod no_memory_limit;
mod no_shell;
mod one_stuck_blocks_all;
mod overlapping_selectors;
mod per_index_unbounded;
mod policy_without_effect;
mod quotes_in_value;
mod retries_for_ever;
mod rule_never_matches;
mod rule_shadowed;
mod runs_nothing;
mod runs_pile_up;
mod rwo_overlap;
mod service_selects_pods;
mod shell_swallows_term;
mod shell_variable;
mod short_months;
mod sidecar_blocks;
mod sidecar_failure_ignored;
mod spread_matches_nothing;
mod starts_on_resume;
mod success_unreachable;
mod surplus_parallelism;
mod token_mounted;
mod ttl_against_history;
mod ttl_too_short;
mod ttl_with_gitops;
mod two_pods_at_once;
mod uneven_step;
mod utc;
mod whole_message;
mod window_exceeds_deadline;
mod work_queue;

pub use cannot_reapply::replaced_by;

use crate::rule::{AdviceRule, CHAPTERS};

/// All rules, by their numbers.
pub static RULES: [AdviceRule; 87] = [
    elsewhere::UNREADABLE,
    elsewhere::UNKNOWN_FIELD,
    elsewhere::DUPLICATE_FIELD,
    elsewhere::WRONG_TYPE,
    elsewhere::INVALID,
    elsewhere::API_WARNING,
    quotes_in_value::RULE,
    elsewhere::MISSING_JOBS,
    elsewhere::UNUSED_SILENCE,
    elsewhere::NOT_CHECKED,
    elsewhere::IMMUTABLE,
    logs_lost::RULE,
    never_ends::RULE,
    deadline_cuts_retries::RULE,
    deadline_on_pod::RULE,
    limit_counts_all::RULE,
    both_limits::RULE,
    per_index_unbounded::RULE,
    retries_for_ever::RULE,
    limit_without_effect::RULE,
    evictions_count::RULE,
    two_pods_at_once::RULE,
    surplus_parallelism::RULE,
    work_queue::RULE,
    runs_nothing::RULE,
    foreign_manager::RULE,
    grace_exceeds_deadline::RULE,
    overlapping_selectors::RULE,
    sidecar_blocks::RULE,
    injected_proxy::RULE,
    endless_command::RULE,
    init_waits_forever::RULE,
    sidecar_failure_ignored::RULE,
    elsewhere::RESTART_POLICY_LEVEL,
    liveness_ends_attempt::RULE,
    latest_tag::RULE,
    no_memory_limit::RULE,
    memory_volume::RULE,
    rwo_overlap::RULE,
    host_port_parallel::RULE,
    service_selects_pods::RULE,
    no_headless_service::RULE,
    env_reference::RULE,
    spread_matches_nothing::RULE,
    dropped_field::RULE,
    token_mounted::RULE,
    evictable::RULE,
    invalid_image::RULE,
    decimal_file_mode::RULE,
    rule_never_matches::RULE,
    rule_shadowed::RULE,
    kill_is_bug::RULE,
    success_unreachable::RULE,
    policy_without_effect::RULE,
    invalid_annotation::RULE,
    annotation_without_effect::RULE,
    whole_message::RULE,
    never_fires::RULE,
    clock_change::RULE,
    deadline_under_10::RULE,
    runs_pile_up::RULE,
    one_stuck_blocks_all::RULE,
    longer_than_period::RULE,
    utc::RULE,
    every_minute::RULE,
    uneven_step::RULE,
    day_or_weekday::RULE,
    short_months::RULE,
    herd::RULE,
    starts_on_resume::RULE,
    every_run_refused::RULE,
    window_exceeds_deadline::RULE,
    never_removed::RULE,
    ttl_against_history::RULE,
    ttl_too_short::RULE,
    no_failed_history::RULE,
    cannot_reapply::RULE,
    generate_name_apply::RULE,
    hook_deletes_logs::RULE,
    ttl_with_gitops::RULE,
    hook_blocks_next::RULE,
    elsewhere::NOT_RENDERED,
    elsewhere::REMOVED_VERSION,
    no_shell::RULE,
    exit_code_masked::RULE,
    shell_swallows_term::RULE,
    shell_variable::RULE,
];

// Each rule is in a chapter.
const _: () = {
    let mut at = 0;
    while at < RULES.len() {
        assert!(RULES[at].chapter_number() < CHAPTERS.len(), "a rule has a number of no chapter");
        at += 1;
    }
};

/// The rule of this name.
#[must_use]
pub fn rule(name: &str) -> Option<&'static AdviceRule> {
    RULES.iter().find(|rule| rule.name.as_str() == name)
}

//! The pages of the rules, as `jobsmith lint NAME` prints them.
//!
//! Docs: `jobsmith lint`. A page is a scenario file: what is bad, what is good and what is excepted are its claims. They are apart from the rules, so that
//! what needs no page carries none.

/// The page of the rule of this name.
#[must_use]
pub fn page(name: &str) -> Option<&'static str> {
    PAGES.iter().find(|(known, _)| *known == name).map(|(_, page)| *page)
}

const PAGES: [(&str, &str); 56] = [
    ("unreadable", include_str!("rules/unreadable.md")),
    ("unknown-field", include_str!("rules/unknown_field.md")),
    ("duplicate-field", include_str!("rules/duplicate_field.md")),
    ("wrong-type", include_str!("rules/wrong_type.md")),
    ("invalid", include_str!("rules/invalid.md")),
    ("api-warning", include_str!("rules/api_warning.md")),
    ("quotes-in-value", include_str!("rules/quotes_in_value.md")),
    ("missing-jobs", include_str!("rules/missing_jobs.md")),
    ("unused-silence", include_str!("rules/unused_silence.md")),
    ("logs-lost", include_str!("rules/logs_lost.md")),
    ("never-ends", include_str!("rules/never_ends.md")),
    ("deadline-cuts-retries", include_str!("rules/deadline_cuts_retries.md")),
    ("deadline-on-pod", include_str!("rules/deadline_on_pod.md")),
    ("both-limits", include_str!("rules/both_limits.md")),
    ("retries-for-ever", include_str!("rules/retries_for_ever.md")),
    ("limit-without-effect", include_str!("rules/limit_without_effect.md")),
    ("evictions-count", include_str!("rules/evictions_count.md")),
    ("surplus-parallelism", include_str!("rules/surplus_parallelism.md")),
    ("runs-nothing", include_str!("rules/runs_nothing.md")),
    ("overlapping-selectors", include_str!("rules/overlapping_selectors.md")),
    ("sidecar-blocks", include_str!("rules/sidecar_blocks.md")),
    ("injected-proxy", include_str!("rules/injected_proxy.md")),
    ("endless-command", include_str!("rules/endless_command.md")),
    ("restart-policy-level", include_str!("rules/restart_policy_level.md")),
    ("host-port-parallel", include_str!("rules/host_port_parallel.md")),
    ("service-selects-pods", include_str!("rules/service_selects_pods.md")),
    ("env-reference", include_str!("rules/env_reference.md")),
    ("duplicate-env", include_str!("rules/duplicate_env.md")),
    ("rule-never-matches", include_str!("rules/rule_never_matches.md")),
    ("rule-shadowed", include_str!("rules/rule_shadowed.md")),
    ("kill-is-bug", include_str!("rules/kill_is_bug.md")),
    ("policy-without-effect", include_str!("rules/policy_without_effect.md")),
    ("never-fires", include_str!("rules/never_fires.md")),
    ("deadline-under-10", include_str!("rules/deadline_under_10.md")),
    ("runs-pile-up", include_str!("rules/runs_pile_up.md")),
    ("one-stuck-blocks-all", include_str!("rules/one_stuck_blocks_all.md")),
    ("utc", include_str!("rules/utc.md")),
    ("every-minute", include_str!("rules/every_minute.md")),
    ("uneven-step", include_str!("rules/uneven_step.md")),
    ("day-or-weekday", include_str!("rules/day_or_weekday.md")),
    ("starts-on-resume", include_str!("rules/starts_on_resume.md")),
    ("every-run-refused", include_str!("rules/every_run_refused.md")),
    ("never-removed", include_str!("rules/never_removed.md")),
    ("ttl-against-history", include_str!("rules/ttl_against_history.md")),
    ("ttl-too-short", include_str!("rules/ttl_too_short.md")),
    ("no-failed-history", include_str!("rules/no_failed_history.md")),
    ("cannot-reapply", include_str!("rules/cannot_reapply.md")),
    ("generate-name-apply", include_str!("rules/generate_name_apply.md")),
    ("hook-deletes-logs", include_str!("rules/hook_deletes_logs.md")),
    ("ttl-with-gitops", include_str!("rules/ttl_with_gitops.md")),
    ("hook-blocks-next", include_str!("rules/hook_blocks_next.md")),
    ("not-rendered", include_str!("rules/not_rendered.md")),
    ("removed-version", include_str!("rules/removed_version.md")),
    ("no-shell", include_str!("rules/no_shell.md")),
    ("exit-code-masked", include_str!("rules/exit_code_masked.md")),
    ("shell-variable", include_str!("rules/shell_variable.md")),
];

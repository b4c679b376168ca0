//! The rules whose conditions are elsewhere: what reading and admission refuse, what the API server warns of, and silences without effect.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Their names are those of `manifest::RuleName`; reading is in `manifest`, admission in `cluster`, and silences
//! are read in `check`.

use manifest::{RuleName, Severity};

use crate::rule::{AdviceRule, Finder};

const fn elsewhere(name: RuleName, code: u16, severity: Severity, summary: &'static str) -> AdviceRule {
    AdviceRule { name, code, severity, summary, finder: Finder::Elsewhere }
}

const fn refused(name: RuleName, code: u16, summary: &'static str) -> AdviceRule {
    elsewhere(name, code, Severity::Error, summary)
}

pub(super) const UNREADABLE: AdviceRule = refused(RuleName::UNREADABLE, 1, "The text is not a manifest");
pub(super) const UNKNOWN_FIELD: AdviceRule = refused(RuleName::UNKNOWN_FIELD, 2, "An object does not have a field of this name");
pub(super) const DUPLICATE_FIELD: AdviceRule = refused(RuleName::DUPLICATE_FIELD, 3, "A field is set twice");
pub(super) const WRONG_TYPE: AdviceRule = refused(RuleName::WRONG_TYPE, 4, "A value is of another type than its field");
pub(super) const INVALID: AdviceRule = refused(RuleName::INVALID, 5, "The API server refuses a value, or a required value is missing");
pub(super) const API_WARNING: AdviceRule =
    elsewhere(RuleName::API_WARNING, 6, Severity::Warning, "The API server accepts the object, and warns about it");
pub(super) const MISSING_JOBS: AdviceRule =
    elsewhere(RuleName::MISSING_JOBS, 8, Severity::Warning, "A CronJob counts Jobs as active that the file does not contain");
pub(super) const UNUSED_SILENCE: AdviceRule =
    elsewhere(RuleName::UNUSED_SILENCE, 9, Severity::Warning, "A silence names no rule, or silences nothing");
pub(super) const NOT_CHECKED: AdviceRule =
    elsewhere(RuleName::NOT_CHECKED, 10, Severity::Note, "An object of another kind holds Jobs, which are not checked");
pub(super) const IMMUTABLE: AdviceRule =
    refused(RuleName::IMMUTABLE, 11, "A field differs from that of the object that exists, and cannot change");
pub(super) const RESTART_POLICY_LEVEL: AdviceRule =
    refused(RuleName::RESTART_POLICY_LEVEL, 206, "A container has the restartPolicy that its pod needs");
pub(super) const NOT_RENDERED: AdviceRule = refused(RuleName::NOT_RENDERED, 606, "The text is a template of Helm or Jinja");
pub(super) const REMOVED_VERSION: AdviceRule = refused(RuleName::REMOVED_VERSION, 607, "Kubernetes no longer serves this API version");

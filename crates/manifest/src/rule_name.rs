//! The names of rules: what each diagnostic is about, and how a warning is silenced.
//!
//! Docs: `jobsmith lint` lists them all. Diagnostics are in `diagnostic.rs`; all rules, with what they are about, are in the crate `advice`, and silences are read
//! by the crate `check`.

/// The name of the rule by which something is found: `never-fires`. Behind a reference, it keeps diagnostics small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleName(&'static &'static str);

impl RuleName {
    /// The text is not a manifest.
    pub const UNREADABLE: Self = Self(&"unreadable");
    /// The text is a template that has yet to be rendered.
    pub const NOT_RENDERED: Self = Self(&"not-rendered");
    /// An object does not have this field.
    pub const UNKNOWN_FIELD: Self = Self(&"unknown-field");
    /// A field is there twice.
    pub const DUPLICATE_FIELD: Self = Self(&"duplicate-field");
    /// A value is of another type.
    pub const WRONG_TYPE: Self = Self(&"wrong-type");
    /// The API server's validation refuses it.
    pub const INVALID: Self = Self(&"invalid");
    /// The field of an object that exists cannot change.
    pub const IMMUTABLE: Self = Self(&"immutable");
    /// The restart policy of a container is meant for its pod.
    pub const RESTART_POLICY_LEVEL: Self = Self(&"restart-policy-level");
    /// An API version that Kubernetes no longer serves.
    pub const REMOVED_VERSION: Self = Self(&"removed-version");
    /// The API server warns of it.
    pub const API_WARNING: Self = Self(&"api-warning");
    /// Jobs that a CronJob counts are not there.
    pub const MISSING_JOBS: Self = Self(&"missing-jobs");
    /// Jobs in an object of another kind, which are not checked.
    pub const NOT_CHECKED: Self = Self(&"not-checked");
    /// Objects that are not simulated.
    pub const SKIPPED: Self = Self(&"skipped");
    /// A silence without effect.
    pub const UNUSED_SILENCE: Self = Self(&"unused-silence");

    /// The name of a rule.
    #[must_use]
    pub const fn new(name: &'static &'static str) -> Self {
        Self(name)
    }

    /// As it is written: `never-fires`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

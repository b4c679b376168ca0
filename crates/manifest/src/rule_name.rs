//! The names of rules: what each diagnostic is about, and how a warning is silenced.
//!
//! Docs: `jobsmith check --help`. Diagnostics are in `diagnostic.rs`; silences are read by the crate `check`.

/// A rule by which something is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleName {
    /// The text is not a manifest.
    Unreadable,
    /// An object does not have this field.
    UnknownField,
    /// A field is there twice.
    DuplicateField,
    /// A value is of another type.
    WrongType,
    /// The API server's validation refuses it.
    Invalid,
    /// The API server warns of it.
    ApiWarning,
    /// `backoffLimitPerIndex` where containers restart in their pod.
    LimitWithoutEffect,
    /// Jobs that a CronJob counts are not there.
    MissingJobs,
    /// A schedule has no run within five years.
    NeverFires,
    /// A command with blanks in the name of its program.
    NoShell,
    /// A selector that matches the pods of another Job.
    OverlappingSelectors,
    /// Typographic quotation marks, which are part of a value.
    QuotesInValue,
    /// A rule of a pod failure policy for a condition that no pod gets.
    RuleNeverMatches,
    /// Objects that are not simulated.
    Skipped,
    /// A silence without effect.
    UnusedSilence,
}

impl RuleName {
    /// All rules that warn, by which a warning can be silenced.
    pub const OF_WARNINGS: [Self; 9] = [
        Self::ApiWarning,
        Self::LimitWithoutEffect,
        Self::MissingJobs,
        Self::NeverFires,
        Self::NoShell,
        Self::OverlappingSelectors,
        Self::QuotesInValue,
        Self::RuleNeverMatches,
        Self::UnusedSilence,
    ];

    /// As it is written: `never-fires`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::UnknownField => "unknown-field",
            Self::DuplicateField => "duplicate-field",
            Self::WrongType => "wrong-type",
            Self::Invalid => "invalid",
            Self::ApiWarning => "api-warning",
            Self::LimitWithoutEffect => "limit-without-effect",
            Self::MissingJobs => "missing-jobs",
            Self::NeverFires => "never-fires",
            Self::NoShell => "no-shell",
            Self::OverlappingSelectors => "overlapping-selectors",
            Self::QuotesInValue => "quotes-in-value",
            Self::RuleNeverMatches => "rule-never-matches",
            Self::Skipped => "skipped",
            Self::UnusedSilence => "unused-silence",
        }
    }
}

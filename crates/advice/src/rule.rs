//! Rule: one thing that can be found in a manifest, with its name, how bad it is, and its condition.
//!
//! Docs: `jobsmith lint`. What a condition reads is in `workload.rs`, what it returns in `finding.rs`; all rules are listed in `rules/mod.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::workload::Advised;

/// One thing that can be found in a manifest.
pub struct AdviceRule {
    /// Its name, by which it is silenced.
    pub name: RuleName,
    /// Its number, in hundreds by chapter: `L-101` in tables.
    pub code: u16,
    /// How bad it is, where a finding does not differ.
    pub severity: Severity,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// Who finds it.
    pub(crate) finder: Finder,
}

/// What the rules of each chapter are about: those with numbers below 100, those from 100 on, and so on.
pub(crate) const CHAPTERS: [&str; 8] = [
    "Reading and admission",
    "How long and how often",
    "Pods and containers",
    "Policies",
    "Schedules",
    "What remains",
    "Delivery",
    "Commands",
];

/// Who finds what a rule is about.
pub(crate) enum Finder {
    /// Reading, admission or the reader of silences, outside of this crate.
    Elsewhere,
    /// A condition on a Job or CronJob that is a mistake whatever is meant: it is also reported before a manifest is run or simulated.
    Mistake(RuleCondition),
    /// A condition on a Job or CronJob.
    Advice(RuleCondition),
    /// A condition that only some want to hear of: it is reported where somebody asks for it.
    Pedantic(RuleCondition),
}

/// What a rule finds in a Job or CronJob.
pub(crate) type RuleCondition = fn(&Advised<'_>, &ObjectSet<'_>) -> Vec<Finding>;

impl AdviceRule {
    /// Whether what it finds is a mistake whatever is meant: it is also reported before a manifest is run or simulated.
    #[must_use]
    pub fn is_mistake(&self) -> bool {
        !self.is_advice()
    }

    /// Whether what it finds is reported only by `jobsmith check`: the object can be meant so.
    #[must_use]
    pub fn is_advice(&self) -> bool {
        matches!(self.finder, Finder::Advice(_) | Finder::Pedantic(_))
    }

    /// Whether what it finds is reported only where somebody asks for it.
    #[must_use]
    pub fn is_pedantic(&self) -> bool {
        matches!(self.finder, Finder::Pedantic(_))
    }

    /// Its condition, unless that is outside of this crate.
    pub(crate) fn condition(&self) -> Option<RuleCondition> {
        match self.finder {
            Finder::Elsewhere => None,
            Finder::Mistake(condition) | Finder::Advice(condition) | Finder::Pedantic(condition) => Some(condition),
        }
    }

    /// What the rules of its chapter are about.
    #[must_use]
    pub fn chapter(&self) -> &'static str {
        CHAPTERS[self.chapter_number()]
    }

    /// The number of its chapter: its own one in hundreds.
    pub(crate) const fn chapter_number(&self) -> usize {
        self.code as usize / 100
    }

    /// The number as it is written: `L-101`.
    #[must_use]
    pub fn number(&self) -> String {
        format!("L-{:03}", self.code)
    }
}

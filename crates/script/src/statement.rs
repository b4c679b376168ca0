//! A statement of a script: a rule or an action, and where it is written.
//!
//! Docs: none; the language is described in `lib.rs`. Statements are read in `parse.rs`.

use std::fmt;

use api::{Duration, duration};

use super::Rule;
use super::action::Action;

/// A rule or an action of a script. Its line identifies it: there is one statement a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement<T> {
    /// Its line in the script, from 1.
    pub line: usize,
    /// The character of the line at which the rule or the action begins, from 1.
    pub column: usize,
    /// What it states.
    pub what: T,
}

/// An action and when it happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedAction {
    /// How long after the beginning.
    pub after: Duration,
    /// What happens.
    pub action: Action,
}

impl<T> Statement<T> {
    /// The same statement with something else in its place: names that are resolved, for example.
    pub(super) fn with<U>(&self, what: U) -> Statement<U> {
        Statement { line: self.line, column: self.column, what }
    }
}

impl Statement<Rule> {
    /// A rule on a line of its own.
    pub(super) fn rule(line: usize, what: Rule) -> Self {
        Self { line, column: 1, what }
    }
}

impl Statement<TimedAction> {
    /// An action on a line of its own.
    pub(super) fn action(line: usize, what: TimedAction) -> Self {
        let written = what.to_string().chars().count();
        Self { line, column: 1 + written - what.action.to_string().chars().count(), what }
    }
}

impl fmt::Display for TimedAction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "at {}: {}", duration::text(self.after), self.action)
    }
}

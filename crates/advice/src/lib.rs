//! Advice: what the API server accepts of Jobs and CronJobs, and what they will do that hardly anybody means.
//!
//! Docs: `jobsmith lint`. Each rule is a file in `rules/` with its condition, and beside it its page, whose claims are played in tests. What is refused
//! is found by decoding and by admission; those rules only have their names and pages here.

mod annotations;
mod container;
mod endless;
mod finding;
mod image;
mod object_set;
mod origin;
mod pages;
mod rule;
mod rules;
mod run_times;
mod shell;
mod workload;

#[cfg(test)]
mod testing;

pub use object_set::ObjectSet;
pub use origin::Origin;
pub use pages::page;
pub use rule::AdviceRule;
pub use rules::{RULES, replaced_by, rule};

//! The answer about an object, and below it what helps and what else keeps it from making progress.
//!
//! Docs: `crates/component/wit/controllers.wit`, `explanation`. `jobsmith explain` begins with it, and the past of a Job that has not finished.

use api::Timestamp;
use contract::{Obstacle, Sentence};

/// The answer, what helps with what it names, and the obstacles beside it.
pub(crate) fn with_help<'o>(
    answer: &str,
    remedy: Option<&Sentence>,
    beside: impl Iterator<Item = &'o Obstacle>,
    time: impl Fn(Timestamp) -> String + Copy,
) -> String {
    let help = |remedy: &Sentence| match remedy.render(time) {
        remedy if remedy.is_empty() => String::new(),
        remedy => format!("  help: {remedy}\n"),
    };
    let also = |obstacle: &Obstacle| format!("  also: {}\n{}", obstacle.sentence.render(time), help(&obstacle.remedy));
    format!("{answer}\n{}{}", remedy.map(help).unwrap_or_default(), beside.map(also).collect::<String>())
}

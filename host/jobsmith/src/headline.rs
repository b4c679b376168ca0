//! The answer about an object, and below it what helps and what else keeps it from getting on.
//!
//! Docs: `crates/component/wit/controllers.wit`, `explanation`. `jobsmith explain` begins with it, and the past of a Job that has not finished.

use api::Timestamp;
use contract::{Explanation, Obstacle};

/// The answer, what helps with the first obstacle, and the obstacles that the answer does not name; it `names` the first one if it is the controllers'
/// headline.
pub(crate) fn with_help(answer: &str, explanation: &Explanation, names: bool, time: impl Fn(Timestamp) -> String + Copy) -> String {
    let help = |obstacle: &Obstacle| match obstacle.remedy.render(time) {
        remedy if remedy.is_empty() => String::new(),
        remedy => format!("  help: {remedy}\n"),
    };
    let also = |obstacle: &Obstacle| format!("  also: {}\n{}", obstacle.sentence.render(time), help(obstacle));
    if !names {
        return format!("{answer}\n{}", explanation.obstacles.iter().map(also).collect::<String>());
    }
    let first = explanation.obstacles.first().map(help).unwrap_or_default();
    format!("{answer}\n{first}{}", explanation.beside_headline().map(also).collect::<String>())
}

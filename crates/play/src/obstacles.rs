//! Obstacles in a play: why a Job or CronJob makes no progress, and which action of the script would move it.
//!
//! Docs: `crates/component/wit/controllers.wit`, `obstacle`. The controllers find them; what helps on a cluster is in each of them, and what helps in a play
//! is found here, because the controllers know no scripts.

use api::{Kind, ObjectMeta, Text, Timestamp};
use contract::decision::{Sentence, TextPart};
use contract::{Manager, ObjectRef, Obstacle};

/// What keeps an object from making progress, the nearest cause first; nothing if the controllers do not know it. The warnings are Events of its cluster.
pub fn obstacles<M: Manager>(manager: &mut M, kind: Kind, metadata: &ObjectMeta, warnings: &[Text], now: Timestamp) -> Vec<Obstacle> {
    manager.explain(&ObjectRef::of(kind.name(), metadata), warnings, now).map(|explanation| explanation.obstacles).unwrap_or_default()
}

/// The obstacles in words, with times as `clock` writes them; `None` if there are none to name.
#[must_use]
pub fn reason(obstacles: &[Obstacle], still: bool, clock: impl Fn(Timestamp) -> String) -> Option<String> {
    sentence(obstacles, still).map(|sentence| sentence.render(clock))
}

/// The same as a sentence. Where nothing is due any more (`still`), obstacles that would pass by themselves are named too, because nothing in the play ends
/// them.
#[must_use]
pub fn sentence(obstacles: &[Obstacle], still: bool) -> Option<Sentence> {
    let mut parts = Vec::new();
    for obstacle in obstacles.iter().filter(|obstacle| still || !obstacle.passes) {
        if !parts.is_empty() {
            parts.push(TextPart::Text("; ".into()));
        }
        parts.extend(obstacle.sentence.0.iter().cloned());
        // What ends a hold is in its sentence.
        if obstacle.passes && obstacle.until.is_none() && &*obstacle.code != "HeldByAnnotation" {
            let them = if obstacle.count == 1 { ", and nothing will end it" } else { ", and nothing will end them" };
            parts.push(TextPart::Text(them.into()));
        }
    }
    (!parts.is_empty()).then_some(Sentence(parts))
}

/// What would move the object, as in `resume it`, and the action of the script language that does so; `of` is the object in that language where an action
/// needs it: ` job pi`.
#[must_use]
pub fn action(obstacles: &[Obstacle], of: &str) -> Option<(&'static str, String)> {
    obstacles.iter().find_map(|obstacle| {
        let (one, several) = (obstacle.count == 1, obstacle.count != 1);
        let (what, action) = match &*obstacle.code {
            "Suspended" => ("resume it", format!("resume{of}")),
            "NoPodsWanted" => ("scale it", format!("scale{of} to 1")),
            "CreationsRefused" => ("have them accepted", "accept pods".to_owned()),
            "NodeLost" => ("remove the node", "remove node".to_owned()),
            "PodRunning" | "PodInitializing" if one => ("end it", "exit 0 in pods".to_owned()),
            "PodRunning" | "PodInitializing" if several => ("end them", "exit 0 in pods".to_owned()),
            _ => return None,
        };
        Some((what, action))
    })
}

/// What to change in the manifest, where that helps in a play as on a cluster: a container that keeps its pod is restarted if it always is, and else it is
/// still no sidecar; and a limit may be too high to end a Job.
#[must_use]
pub fn change(obstacles: &[Obstacle]) -> Option<String> {
    let helped = obstacles.iter().find(|obstacle| ["ContainerKeepsPod", "LimitOutOfReach"].contains(&&*obstacle.code))?;
    Some(helped.remedy.to_string())
}

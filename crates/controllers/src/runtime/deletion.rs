//! Deletion: that an object is being deleted, and what holds it, as an obstacle.
//!
//! Docs: Finalizers; Garbage Collection, "Foreground cascading deletion". What its dependents do is up to each controller.

use api::meta::names::DELETION_FINALIZERS;
use api::{Kind, ObjectMeta};
use contract::Obstacle;

use super::obstacle::{ObstacleParts, Prose, Stuck};

/// That an object is being deleted, and what holds it: finalizers of others, or what its dependents, in words, wait for.
pub(crate) fn deletion(kind: Kind, metadata: &ObjectMeta, dependents: &str, of_dependents: &[Obstacle]) -> Obstacle {
    let own = Stuck::of(kind, [metadata].into_iter());
    let foreign: Vec<&str> =
        metadata.finalizers.iter().map(|finalizer| &**finalizer).filter(|finalizer| !DELETION_FINALIZERS.contains(finalizer)).collect();
    let began_at = metadata.deletion_requested_at();
    let sentence = Prose::new("its deletion was requested").since(" at ", began_at);
    if !foreign.is_empty() {
        let names = foreign.join(" and ");
        let (finalizers_hold, remedy) = match foreign.len() {
            1 => (format!("finalizer {names} holds"), format!("the controller that set {names} has to remove it: is it running?")),
            _ => (format!("finalizers {names} hold"), format!("the controllers that set {names} have to remove them: are they running?")),
        };
        let (sentence, remedy) = (sentence.text(&format!(", but the {finalizers_hold} it")), Prose::new(&remedy));
        return own.obstacle("BeingDeleted", sentence).since(began_at).remedy(remedy);
    }
    let (sentence, passes) = match of_dependents.first() {
        Some(first) => (
            sentence.text(&format!("; its {dependents} are deleted first: ")).sentence(&first.sentence),
            of_dependents.iter().all(|obstacle| obstacle.passes),
        ),
        None => (sentence, true),
    };
    let remedy = of_dependents.first().map(|first| Prose::default().sentence(&first.remedy)).unwrap_or_default();
    let obstacle = own.obstacle("BeingDeleted", sentence).since(began_at).remedy(remedy);
    if passes { obstacle.passes(None) } else { obstacle }
}

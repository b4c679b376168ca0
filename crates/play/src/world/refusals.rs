//! How the API server refuses what the controllers send, as a script has it.
//!
//! Docs: Resource Quotas; API Concepts, "Error responses". What a refusal looks like is in `cluster::Refusal`.

use std::collections::VecDeque;

use api::Timestamp;
use api::request::{Method, Request};
use cluster::Refusal;

/// What is refused from here on.
#[derive(Debug, Clone, Default)]
pub struct ScriptedRefusals {
    /// How the next writes are refused.
    pub next: VecDeque<Refusal>,
    /// How all creations of pods are refused, and until when.
    pub creations: Option<(Refusal, Timestamp)>,
    /// How single creations of pods are refused, each with its number from 1 among those that are to come.
    pub numbered: Vec<(u32, Refusal)>,
}

impl ScriptedRefusals {
    /// How a request is refused, if it is.
    pub(crate) fn take(&mut self, request: &Request, now: Timestamp) -> Option<Refusal> {
        if request.method == Method::Get {
            return None;
        }
        let numbered = if creates_pod(request) { self.count() } else { None };
        let lasting = || self.creations.filter(|(_, until)| now < *until && creates_pod(request)).map(|(refusal, _)| refusal);
        self.next.pop_front().or(numbered).or_else(lasting)
    }

    /// Counts a creation; returns how it is refused because of its number.
    fn count(&mut self) -> Option<Refusal> {
        self.numbered.iter_mut().for_each(|(number, _)| *number -= 1);
        self.numbered.extract_if(.., |(number, _)| *number == 0).map(|(_, refusal)| refusal).last()
    }
}

/// Whether a request creates a pod.
pub(crate) fn creates_pod(request: &Request) -> bool {
    request.method == Method::Post && request.path.ends_with("/pods")
}

#[cfg(test)]
mod tests {
    use api::{Duration, Kind, time};

    use super::*;

    #[test]
    fn creations_of_pods_are_refused_by_their_number_and_for_a_time() {
        let at = |second| time::after(Timestamp::UNIX_EPOCH, Duration::from_secs(second));
        let mut refusals =
            ScriptedRefusals { numbered: vec![(2, Refusal::Conflict), (3, Refusal::ServerError)], ..ScriptedRefusals::default() };
        let create = |kind| Request::create(kind, "default", String::new());
        let mut take = |kind, second| refusals.take(&create(kind), at(second)).map_or("sent", Refusal::words);
        assert_eq!(
            [Kind::Pod, Kind::Job, Kind::Pod, Kind::Pod, Kind::Pod].map(|kind| take(kind, 0)),
            ["sent", "sent", "conflict", "server error", "sent"]
        );
        let mut refusals = ScriptedRefusals { creations: Some((Refusal::Forbidden, at(30))), ..ScriptedRefusals::default() };
        let mut take = |kind, second| refusals.take(&create(kind), at(second)).map_or("sent", Refusal::words);
        assert_eq!(
            [(Kind::Pod, 0), (Kind::Job, 0), (Kind::Pod, 29), (Kind::Pod, 30)].map(|(kind, second)| take(kind, second)),
            ["forbidden", "sent", "forbidden", "sent"]
        );
    }
}

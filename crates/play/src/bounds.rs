//! Bounds: how many pods and steps a play may have before it counts as running away and stops.
//!
//! Docs: `jobsmith simulate`. What happens in a play is in `play.rs`; why a Job goes no further otherwise, in `obstacles.rs`.

use api::{Duration, Kind, Text};

use crate::world::turn::Effect;

/// How far a play may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// How many pods there may be at once.
    pub pods: usize,
    /// How many steps there may be. A look at the cluster when nothing is due counts as one.
    pub steps: usize,
}

impl Default for Bounds {
    /// More than people read, and less than what fills the memory of their machines.
    fn default() -> Self {
        Self { pods: 500_000, steps: 5_000_000 }
    }
}

impl Bounds {
    /// The same for each day of a play of this length, where that does not take memory.
    #[must_use]
    pub fn over(self, length: Duration) -> Self {
        let days = usize::try_from(length.as_hours() / 24 + 1).unwrap_or(1);
        Self { steps: self.steps.saturating_mul(days), ..self }
    }
}

/// How far a play has gone.
#[derive(Debug, Default)]
pub(crate) struct Distance {
    pods: usize,
    steps: usize,
}

impl Distance {
    /// Adds what happened. Returns why the play stops, if it has gone too far.
    pub(crate) fn add(&mut self, happened: &[Effect], bounds: Bounds) -> Option<Text> {
        let steps = happened.chunk_by(Effect::in_one_step);
        for write in happened.iter().flat_map(Effect::writes).filter(|write| write.after.kind() == Kind::Pod) {
            self.pods = (self.pods + usize::from(write.before.is_none())).saturating_sub(usize::from(write.gone));
        }
        self.steps += steps.count().max(1);
        let Self { pods, steps } = self;
        let reason = if *pods > bounds.pods {
            format!(
                "there are {pods} pods, more than the limit of {}; make pods run longer or fail less often, or lower completions",
                bounds.pods
            )
        } else if *steps > bounds.steps {
            format!("{steps} steps exceed the limit of {}; shorten the simulation or simplify its script", bounds.steps)
        } else {
            return None;
        };
        Some(reason.into())
    }
}

#[cfg(test)]
mod tests {
    use api::time;
    use cluster::testing::{job, noon, pod};
    use expect_test::{Expect, expect};

    use super::*;
    use crate::Play;
    use crate::testing::Puppet;
    use crate::trace::Transcript;
    use script::Script;

    /// Plays a Job within bounds: the manager creates three pods at once, and the Job changes every second.
    fn check(bounds: Bounds, expected: Expect) {
        let mut manager = Puppet::default();
        let pods = ["a", "b", "c"].map(|name| pod(name, "", ""));
        manager.plan(0, &[&pods.each_ref().map(String::as_str)]);
        let applied: Text = job("pi", "").trim_start_matches("POST jobs ").into();
        let script = Script::parse("pods: runs forever\nat 1s: suspend\nat 2s: resume\nat 3s: suspend\nat 4s: resume").unwrap();
        let mut play = Play::new(manager, &script, &[applied], noon()).unwrap();
        play.bounds = bounds;
        let (mut transcript, mut lines) = (Transcript::new(noon()), Vec::new());
        while let Some(moment) = play.next_moment(time::after(noon(), Duration::from_mins(1))) {
            lines.extend(moment.iter().flat_map(|step| &step.entries).filter_map(|entry| transcript.line(entry, false)));
        }
        assert_eq!((play.next_due(), play.next_wakeup()), (None, None));
        lines.push(format!("stopped: {}", play.stopped().map_or("no", |reason| reason)));
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_play_that_creates_too_many_pods_stops() {
        check(
            Bounds { pods: 2, ..Bounds::default() },
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod b Pending
                   0:00 pod c Pending
                   0:00 ! the simulation stops: there are 3 pods, more than the limit of 2; make pods run longer or fail less often, or lower completions
                stopped: there are 3 pods, more than the limit of 2; make pods run longer or fail less often, or lower completions"#]],
        );
        check(
            Bounds { pods: 3, ..Bounds::default() },
            expect![[r#"
               0:00 job pi: created
               0:00 pod a Pending
               0:00 pod b Pending
               0:00 pod c Pending
               0:00 pod a Ready
               0:00 pod b Ready
               0:00 pod c Ready
               0:01 job pi: spec.suspend is true
               0:02 job pi: spec.suspend is false
               0:03 job pi: spec.suspend is true
               0:04 job pi: spec.suspend is false
            stopped: no"#]],
        );
    }

    #[test]
    fn a_play_of_too_many_steps_stops() {
        check(
            Bounds { steps: 6, ..Bounds::default() },
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod b Pending
                   0:00 pod c Pending
                   0:00 pod a Ready
                   0:00 pod b Ready
                   0:00 pod c Ready
                   0:01 job pi: spec.suspend is true
                   0:02 job pi: spec.suspend is false
                   0:03 job pi: spec.suspend is true
                   0:04 job pi: spec.suspend is false
                   0:04 ! the simulation stops: 7 steps exceed the limit of 6; shorten the simulation or simplify its script
                stopped: 7 steps exceed the limit of 6; shorten the simulation or simplify its script"#]],
        );
    }
}

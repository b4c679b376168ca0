//! The runs of one container of a pod: what its status shows of them, and the least that must have happened before.
//!
//! Docs: Pod Lifecycle, "Container states", "Container restarts". A status has the last two runs and how many there were; those before are spread over
//! the time that is left for them, with the back-off of kubelets between them.

use api::{Duration, Timestamp, time};
use serde_json::{Value, json};

use crate::fields::moment;

/// The wait before the second restart of a container; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(10);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_mins(5);
/// After a longer run, a container is restarted without a wait, and the next wait is the shortest again.
const FORGIVEN: Duration = Duration::from_mins(10);

/// How many runs before the last two are shown: of more, the last ones.
const MOST: usize = 100;

/// One run of a container.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RecordedRun {
    /// When it started.
    pub(crate) start: Timestamp,
    /// When and how it ended, as `terminated` of a state, if it has.
    pub(crate) end: Option<(Timestamp, Value)>,
    /// Whether nothing recorded its times.
    pub(crate) estimated: bool,
    /// How often the container was started before.
    pub(crate) restarts: usize,
    /// Whether it ran at all: its command may not be there.
    pub(crate) ran: bool,
}

/// The runs of a container with this status, in their order; `from`: none began before, `until`: those whose end is not known ended by then.
pub(crate) fn runs(status: &Value, from: Timestamp, until: Timestamp) -> Vec<RecordedRun> {
    let restarts = status["restartCount"].as_u64().unwrap_or_default();
    let mut known: Vec<RecordedRun> =
        [&status["lastState"], &status["state"]].into_iter().filter_map(|state| run(state, from, until)).collect();
    let waiting = status["state"]["running"].is_null() && status["state"]["terminated"].is_null();
    let started = if waiting && known.is_empty() { restarts } else { restarts.saturating_add(1) };
    let unknown = usize::try_from(started).unwrap_or_default().saturating_sub(known.len());
    let skipped = unknown.saturating_sub(MOST);
    let to = known.first().map_or(until, |run| run.start);
    let mut all = spread(unknown - skipped, from, to, known.first());
    all.append(&mut known);
    (skipped..).zip(&mut all).for_each(|(restarts, run)| run.restarts = restarts);
    all
}

/// The run that a state is of, if it is of one.
fn run(state: &Value, from: Timestamp, until: Timestamp) -> Option<RecordedRun> {
    if let Some(running) = state.get("running").filter(|running| running.is_object()) {
        let start = moment(&running["startedAt"]);
        return Some(RecordedRun { start: start.unwrap_or(from).max(from), end: None, estimated: start.is_none(), restarts: 0, ran: true });
    }
    let end = state.get("terminated").filter(|end| end.is_object())?;
    let (start, finish) = (moment(&end["startedAt"]), moment(&end["finishedAt"]));
    let finished_at = finish.unwrap_or(until).max(from);
    // It never ran, or nothing is known of it.
    let started_at = start.unwrap_or(finished_at).max(from).min(finished_at);
    Some(RecordedRun {
        start: started_at,
        end: Some((finished_at, end.clone())),
        estimated: finish.is_none(),
        restarts: 0,
        ran: start.is_some() || finish.is_none(),
    })
}

/// So many runs between two times, each as long as the others, with the back-off of kubelets after each.
fn spread(count: usize, from: Timestamp, to: Timestamp, next: Option<&RecordedRun>) -> Vec<RecordedRun> {
    let (alike, ran) = (next.and_then(|next| Some(&next.end.as_ref()?.1)), next.is_none_or(|next| next.ran));
    let span = to.duration_since(from).max(Duration::ZERO);
    let runs = i32::try_from(count).unwrap_or(i32::MAX).max(1);
    let forgiven = ran && span / runs > FORGIVEN;
    let waits: Vec<Duration> = (0..count).map(|run| if forgiven { Duration::ZERO } else { wait(run) }).collect();
    let waited = waits.iter().copied().sum::<Duration>();
    let length = if ran { (span - waited).max(Duration::ZERO) / runs } else { Duration::ZERO };
    let fits = waited <= span || waited.is_zero();
    let scaled = |wait: Duration| if fits { wait } else { span.mul_f64(wait.as_secs_f64() / waited.as_secs_f64()) };
    let mut start = from;
    let mut runs = Vec::with_capacity(count);
    for wait in waits {
        let end = time::after(start, length);
        let mut terminated = alike.cloned().unwrap_or_else(|| json!({"exitCode": 1, "reason": "Error"}));
        if ran {
            terminated["startedAt"] = time::text(time::whole_seconds(start)).into();
        }
        terminated["finishedAt"] = time::text(time::whole_seconds(end)).into();
        runs.push(RecordedRun { start, end: Some((end, terminated)), estimated: true, restarts: 0, ran });
        start = time::after(end, scaled(wait));
    }
    runs
}

/// How long a container waits after its run of this number, from 0.
fn wait(run: usize) -> Duration {
    let doubled = u32::try_from(run).unwrap_or(u32::MAX).saturating_sub(1).min(10);
    if run == 0 { Duration::ZERO } else { (FIRST_WAIT * (1 << doubled)).min(LONGEST_WAIT) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// The runs of a container whose pod began at 0 and that has no record after 1000 s: start, end and `~` if they are estimated.
    fn check(status: Value, expected: &str) {
        let shown = |run: &RecordedRun| {
            let end = run.end.as_ref().map_or("".to_owned(), |(at, end)| format!("{}:{}", at.as_second(), end["exitCode"]));
            format!("{}{}-{end}", if run.estimated { "~" } else { "" }, run.start.as_second())
        };
        assert_eq!(runs(&status, at(0), at(1000)).iter().map(shown).collect::<Vec<_>>().join(" "), expected, "{status}");
    }

    fn terminated(start: i64, end: i64, code: i32) -> Value {
        json!({"terminated": {"exitCode": code, "startedAt": time::text(at(start)), "finishedAt": time::text(at(end))}})
    }

    #[test]
    fn what_a_status_tells_is_known() {
        check(json!({"state": {"waiting": {}}}), "");
        check(json!({"state": terminated(3, 9, 1)}), "3-9:1");
        check(
            json!({"restartCount": 1, "state": {"running": {"startedAt": time::text(at(20))}}, "lastState": terminated(3, 9, 2)}),
            "3-9:2 20-",
        );
        check(json!({"state": {"terminated": {"exitCode": 137, "reason": "ContainerStatusUnknown"}}}), "~1000-1000:137");
        let never = json!({"exitCode": 128, "reason": "StartError", "startedAt": "1970-01-01T00:00:00Z", "finishedAt": time::text(at(9))});
        check(json!({"state": {"terminated": never}}), "9-9:128");
    }

    #[test]
    fn runs_before_are_spread_with_back_offs_between_them() {
        check(
            json!({"restartCount": 3, "state": {"waiting": {}}, "lastState": terminated(90, 95, 7)}),
            "~0-20:7 ~20-40:7 ~50-70:7 90-95:7",
        );
        check(
            json!({"restartCount": 3, "state": {"running": {"startedAt": time::text(at(3000))}}}),
            "~0-1000:1 ~1000-2000:1 ~2000-3000:1 3000-",
        );
        let unlike = json!({"restartCount": 3, "state": {"waiting": {}}, "lastState": terminated(15, 95, 7)});
        check(unlike, "~0-0:7 ~0-0:7 ~5-5:7 15-95:7");
    }
}

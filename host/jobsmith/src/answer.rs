//! The answer that a command ends with: how each Job ended, why, and where to look.
//!
//! Docs: Jobs, "Job termination and cleanup". How a Job ended is read by the crate `past`; why one has not finished is in `ending.rs`.

use api::Timestamp;
use contract::Sentence;
use contract::decision::TextPart;
use past::{JobEnding, JobState, PodEnding, RecordedJob};
use script::ObjectName;
use story::runs::{grouped, owner_of};

/// How many Jobs that are Complete have a line each; of more, the number is shown.
const MOST_COMPLETE: usize = 10;
/// How many Jobs that failed have a line each; of more, the number is shown.
const MOST_FAILED: usize = 100;

/// How the finished ones of these Jobs ended, a line each, those that failed last; `look`
/// names what to look at, by the last pod that failed. Jobs of CronJobs are in the tables of their runs. An empty line comes first unless nothing else was
/// printed (`alone`).
pub(crate) fn answer(
    endings: Vec<(RecordedJob, JobEnding)>,
    time: impl Fn(Timestamp) -> String + Copy,
    look: impl Fn(Option<&PodEnding>) -> Option<String>,
    alone: bool,
) -> String {
    let endings: Vec<(RecordedJob, JobEnding)> =
        endings.into_iter().filter(|(record, _)| owner_of(&record.job.metadata).is_none()).collect();
    let in_state = |state: JobState| endings.iter().filter(move |(_, ending)| ending.state == state).collect::<Vec<_>>();
    let line = |(record, ending): &(RecordedJob, JobEnding)| {
        let metadata = &record.job.metadata;
        let name = ObjectName::among(&metadata.namespace, &metadata.name, endings.iter().map(|(other, _)| &other.job.metadata.namespace));
        with_name(&ending.sentence(), &metadata.name, &name, time) + "\n"
    };
    let complete = in_state(JobState::Complete);
    let mut text: String = if complete.len() > MOST_COMPLETE {
        format!("{} Jobs are Complete\n", grouped(complete.len()))
    } else {
        complete.into_iter().map(line).collect()
    };
    let failed = in_state(JobState::Failed);
    let (shown, more) = failed.split_at(failed.len().min(MOST_FAILED));
    for ended in shown {
        text.push_str(&line(ended));
        text.extend(look(ended.1.pods.last()).map(|look| format!("  {look}\n")));
    }
    if !more.is_empty() {
        text.push_str(&format!("{} more Jobs are Failed\n", grouped(more.len())));
    }
    if alone || text.is_empty() { text } else { format!("\n{text}") }
}

/// A sentence in which a Job has a longer name: that with its namespace.
pub(crate) fn with_name(sentence: &Sentence, own: &str, shown: &ObjectName, time: impl Fn(Timestamp) -> String) -> String {
    let is_own =
        |part: &TextPart| matches!(part, TextPart::Object(object) if *object.kind == *api::Kind::Job.name() && *object.name == *own);
    sentence.0.iter().map(|part| if is_own(part) { shown.to_string() } else { part.render(&time) }).collect()
}

//! What the page shows of a session as a whole: the outcome of each object, and what is waited for at its end, in the words of the program.
//!
//! Docs: `web/src/views.ts`. The rules are tested in the crate `story`; here, controllers decide and are asked.

use browser::playing::Playing;
use core_tests::native::Native;
use serde_json::Value;

use crate::playing::{playing, recorded};
use crate::program::Folder;
use crate::simulate::{JOB, last_night};

/// A sentence in parts.
fn words(parts: &Value) -> String {
    let part = |part: &Value| part.as_str().or(part["text"].as_str()).unwrap_or_default().to_owned();
    parts.as_array().into_iter().flatten().map(part).collect()
}

/// The outcomes, a line each: their state, their facts, and the question with the step that answers it; and what is waited for at the end.
fn seen(mut playing: Playing) -> (Vec<String>, String) {
    let progress = serde_json::to_value(playing.run(usize::MAX)).expect("progress is JSON");
    assert_eq!(progress["ended"], true);
    let line = |outcome: &Value| {
        let facts: Vec<String> = outcome["facts"].as_array().into_iter().flatten().map(words).collect();
        let decided = &outcome["decided"];
        let question = if decided.is_null() { String::new() } else { format!(" | {}: {}", words(&decided["question"]), decided["step"]) };
        format!("{}: {}{question}", outcome["state"].as_str().unwrap_or_default(), facts.join(" · "))
    };
    let outcomes = progress["outcomes"].as_array().into_iter().flatten().map(line).collect();
    let last = progress["steps"].as_array().and_then(|steps| steps.last()).cloned().unwrap_or_default();
    (outcomes, words(&last["awaits"]))
}

/// What the program says of a Job that does not finish, without what would help.
fn reason(script: &str) -> String {
    let folder = Folder::new();
    folder.write("job.yaml", JOB);
    let stderr = folder.run(&["simulate", "job.yaml", "-s", script]).with_status(3).stderr;
    let line = stderr.lines().find_map(|line| line.strip_prefix("job pi will not finish: ")).expect("the Job does not finish").to_owned();
    ["; end it with", "; scale it with", "; remove the node with"]
        .iter()
        .fold(line, |line, remedy| line.split_once(remedy).map_or(line.clone(), |(reason, _)| reason.to_owned()))
}

#[test]
fn a_job_that_gets_no_further_has_the_reason_that_the_program_names() {
    for (script, before, after) in [
        ("pods: runs forever", "running: Still running", "1 pod"),
        ("pods: never scheduled", "stuck: Stuck since 0:00", "1 pod | Why it is stuck: 1"),
        ("pods: never starts", "stuck: Stuck since 0:00", "1 pod | Why it is stuck: 1"),
        ("pods: exit 1 after 1s\nat 0s: scale to 0", "stuck: Stuck since 0:01", "0 pods | Why it is stuck: 3"),
        ("pods: runs forever\nat 1s: lose node", "running: Still running", "2 pods"),
    ] {
        let reason = reason(script);
        let (outcomes, awaits) = seen(playing(JOB, script));
        assert_eq!(outcomes, [format!("{before} · {reason} · {after}")], "{script}");
        assert_eq!(awaits, format!("job/pi will not finish: {reason}."), "{script}");
    }
}

#[test]
fn while_something_is_due_the_state_of_all_objects_says_what_is_waited_for() {
    let mut playing = playing(JOB, "pods: succeed after 5s");
    let progress = serde_json::to_value(playing.run(usize::MAX)).expect("progress is JSON");
    let mut sentences: Vec<String> = progress["steps"].as_array().into_iter().flatten().map(|step| words(&step["awaits"])).collect();
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.dedup();
    assert_eq!(sentences, ["Waiting for 1 pod to finish.", "Nothing left to do: every Job has finished."]);
}

#[test]
fn a_recording_has_outcomes_and_nothing_is_known_of_what_it_waits_for() {
    let (text, _) = recorded(JOB, "pods: never scheduled");
    let open = Playing::open(text, |_| Ok(Native::default())).expect("it is a recording");
    assert_eq!(seen(open), (vec!["stuck: Stuck since 0:00 · 1 pod still Pending · 1 pod | Why it is stuck: 1".to_owned()], String::new()));
}

#[test]
fn a_job_of_a_cluster_that_has_finished_has_the_outcome_of_its_past() {
    let dump = last_night::list(&[&[last_night::job()], &last_night::pods()[..]].concat());
    let progress = serde_json::to_value(playing(&dump, "").run(usize::MAX)).expect("progress is JSON");
    let decided = progress["outcomes"][0]["decided"]["step"].as_u64().and_then(|step| usize::try_from(step).ok());
    let entries = progress["steps"][decided.expect("a step decided it")]["entries"].to_string();
    assert!(entries.contains("The Job fails: 3 pods failed; backoffLimit allows 2"), "{entries}");
    let (outcomes, awaits) = seen(playing(&dump, ""));
    assert!(outcomes[0].starts_with("failed: Failed at 7:13 · backoffLimit (2) exceeded · 3 pods | Why it failed: "), "{outcomes:?}");
    assert_eq!((outcomes.len(), &*awaits), (1, "Nothing left to do: every Job has finished."));
}

//! Recordings: what is recorded of a manager, in worlds with faults, is gone through alike; what was changed in a recording is found.
//!
//! Docs: `jobsmith replay --help`. That the component answers the same calls alike is tested in `component.rs`.

use std::fs::File;

use api::Timestamp;
use contract::{Event, Listing, Manager, Part};
use core_tests::summary::{grouped, print};
use expect_test::expect;
use host_embed::Guest;
use host_embed::record::{self, Recorded, Tape};
use play::recording::{Header, Line};
use simulation::{Settings, Simulation};

use crate::loaded::{COMPONENT, guest};
use crate::program::{Ended, Folder};

/// How many worlds are recorded.
const SEEDS: u64 = 24;
/// The file that they are recorded in.
const FILE: &str = "recording.jsonl";
/// Limits that are reached.
const SMALL: &str = r#"{"job":{"limits":{"maxPodsPerSync":2,"maxUncountedPods":2}}}"#;

#[test]
fn worlds_with_faults_are_gone_through_alike() {
    let folder = Folder::new();
    let (mut events, mut plans) = (0, 0);
    for seed in 0..SEEDS {
        let settings = Settings { pods_per_plan: 2, uncounted_pods: 2, lists_in_parts: seed.is_multiple_of(2), ..Settings::default() };
        // Whether the invariants hold is tested in `tests/core/simulation/`.
        let _ = Simulation::new(seed, recorded(&folder, SMALL), settings).run();
        let ended = replay(&folder, 0);
        let numbers: Vec<u64> = ended.stderr.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert!(ended.stderr.ends_with("plans: all as recorded\n") && ended.stdout.contains(" ● "), "{}{}", ended.stdout, ended.stderr);
        (events, plans) = (events + numbers[0], plans + numbers[1]);
    }
    assert!(events > 1000 && plans > 500, "{events} {plans}");
    print(&format!("recordings: {} events and {} plans of {SEEDS} worlds gone through alike", grouped(events), grouped(plans)));
}

#[test]
fn a_breakdown_is_recorded_and_repeated() {
    let folder = Folder::new();
    break_down(&mut recorded(&folder, "{}"));
    replay(&folder, 0);
    let without: Vec<String> =
        folder.read(FILE).lines().filter(|line| !line.starts_with(r#"{"lost""#)).map(|line| format!("{line}\n")).collect();
    folder.write(FILE, without.concat());
    let stderr = replay(&folder, 1).stderr;
    assert!(
        stderr.starts_with(
            "error: recording.jsonl:3: the replay differs from here on: the component\n  recorded: running\n  replayed: crashed"
        ),
        "{stderr}"
    );
    assert!(stderr.ends_with("the host sent a part of a list of kind Pod that it has not begun\n"), "{stderr}");
}

#[test]
fn what_was_changed_is_found() {
    let folder = Folder::new();
    let _ = Simulation::new(1, recorded(&folder, "{}"), Settings::default()).run();
    let original = folder.read(FILE);
    folder.write(FILE, original.replacen(r#""method":"POST""#, r#""method":"PUT""#, 1));
    expect![[r#"
        error: recording.jsonl:6: the replay differs from here on: batches[0][0].request.method
          recorded: "PUT"
          replayed: "POST"
    "#]]
    .assert_eq(&replay(&folder, 1).stderr);

    let shown = original.lines().position(|line| line.contains(r#""finished""#)).expect("a plan was carried out");
    let without: Vec<&str> = original.lines().enumerate().filter(|(at, _)| *at != shown).map(|(_, line)| line).collect();
    folder.write(FILE, without.join("\n"));
    assert!(replay(&folder, 1).stderr.contains("the replay differs from here on: "));
}

#[test]
fn a_recording_that_was_cut_off_or_made_with_another_component_is_gone_through_with_a_word() {
    let folder = Folder::new();
    let _ = Simulation::new(1, recorded(&folder, "{}"), Settings::default()).run();
    let original = folder.read(FILE);
    folder.write(FILE, &original[..original.len() - 9]);
    assert!(
        replay(&folder, 0)
            .stderr
            .contains("is incomplete, as the program that wrote it was stopped there; everything before it was replayed\n")
    );
    folder.write(FILE, original.replacen(COMPONENT.sha256(), "cafe", 1));
    assert!(replay(&folder, 0).stderr.starts_with("warning: recorded with component sha256:cafe of jobsmith "));
}

#[test]
fn what_is_not_a_recording_is_refused() {
    let folder = Folder::new();
    let check = |content: &str, expected: &str| {
        folder.write(FILE, content);
        let expected = format!("error: cannot replay recording.jsonl: {expected}\n");
        assert_eq!(replay(&folder, 2).stderr, expected);
    };
    check("", "it is empty");
    check("kind: Job\n", "it is not a recording; `jobsmith controller --record FILE` makes one");
    check("{\"restarted\":null}\n", "it is not a recording; `jobsmith controller --record FILE` makes one");
    let header = serde_json::to_string(&Line::Recording(header(r#"{"colour":"red"}"#))).expect("it is JSON");
    check(
        &format!("{header}\n"),
        "invalid configuration: colour: unknown field; expected one of controllers, decisions, memory, job, cronjob, ttl",
    );
    assert!(folder.run(&["replay", "nowhere.jsonl"]).with_status(2).stderr.contains("cannot replay nowhere.jsonl: No such file"));
}

#[test]
fn each_line_of_json_is_an_object_and_names_what_it_is_about() {
    let folder = Folder::new();
    let _ = Simulation::new(1, recorded(&folder, "{}"), Settings::default()).run();
    let ended = folder.run(&["replay", FILE, "-o", "json"]).with_status(0);
    let objects = ended.objects();
    assert!(
        objects
            .iter()
            .all(|object| object["object"]["namespace"] == "default" && object["object"]["name"].is_string() && object["at"].is_string())
    );
    for kind in ["decision", "request", "event"] {
        assert!(objects.iter().any(|object| object["type"] == kind), "{kind}");
    }
}

/// Goes through the recording.
fn replay(folder: &Folder, status: i32) -> Ended {
    folder.run(&["replay", FILE, "--why"]).with_status(status)
}

fn header(configuration: &str) -> Header {
    record::header(&COMPONENT, configuration, "2026-01-02T12:00:00.25Z".parse().expect("a time")).expect("the configuration is JSON")
}

/// A component that is recorded.
fn recorded(folder: &Folder, configuration: &str) -> Recorded<Guest> {
    let mut guest = guest();
    guest.configure(configuration).expect("the configuration is one");
    let file = File::create(folder.path().join(FILE)).expect("the folder can be written to");
    Recorded::new(guest, Some(Tape::begin(file, &header(configuration)).expect("the file can be written to")))
}

/// Makes a host's mistake, over which the component breaks down.
fn break_down(manager: &mut impl Manager) {
    let now = Timestamp::UNIX_EPOCH;
    let listing = |part| Event::Listed(Listing { kind: "Pod".into(), part, resource_version: "1".into(), objects: Vec::new() });
    manager.handle(listing(Part::Last), now).expect("a breakdown is shown otherwise");
    manager.lost().expect("a part follows none");
    manager.handle(listing(Part::Whole), now).expect("all is understood");
    assert_eq!(manager.next_plan(now), None);
}

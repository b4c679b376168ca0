//! What people and programs are shown of a run: lines, JSON, decisions, log files.
//!
//! Docs: `jobsmith run --help`; Logging Architecture, "Pod and container logs".

use std::fs;
use std::process::Command;

use core_tests::built::binary;
use serde_json::{Value, json};

use super::{container, folder, pod};

#[test]
fn each_line_of_json_is_an_object_and_nothing_is_missing() {
    let ended = folder("shown", json!({}), pod("echo out; echo err >&2")).run(&["run", "job.yaml", "-o", "json"]).with_status(0);
    let objects = ended.objects();
    let of = |kind: &'static str| objects.iter().filter(move |object| object["type"] == kind);
    let texts =
        |kind: &'static str, field: &'static str| of(kind).map(move |object| object[field].as_str().unwrap_or("")).collect::<Vec<_>>();
    assert_eq!(texts("job", "change"), ["created", "SuccessCriteriaMet: CompletionsReached", "Complete: CompletionsReached"]);
    assert_eq!(texts("pod", "state"), ["Pending", "Ready", "Succeeded"]);
    assert_eq!(texts("event", "reason"), ["SuccessfulCreate", "Completed"]);
    let mut output: Vec<[&Value; 2]> = of("output").map(|object| [&object["stream"], &object["line"]]).collect();
    output.sort_by_key(|[stream, _]| stream.as_str());
    assert_eq!(json!(output), json!([["stderr", "err"], ["stdout", "out"]]));
    let decisions = texts("decision", "code");
    let expected = ["StartsClock", "Creates", "CompletionsReached", "CountsSuccess", "Finishes"];
    assert!(of("decision").all(|object| object["sentence"].is_string() && object["rule"].is_string()));
    assert_eq!(decisions.iter().filter(|code| expected.contains(code)).copied().collect::<Vec<_>>(), expected, "{decisions:?}");
    let last = objects.last().expect("there is a last line");
    assert_eq!((&last["type"], &last["job"], &last["status"]["succeeded"]), (&json!("status"), &json!("shown"), &json!(1)));
    assert!(objects.iter().all(|object| object["at"].is_string() || ["output", "status"].contains(&object["type"].as_str().unwrap_or(""))));
}

#[test]
fn why_shows_every_decision_request_and_event() {
    let folder = folder("routine", json!({}), pod("true"));
    let [short, long] =
        [&["run", "job.yaml"][..], &["run", "job.yaml", "--why"]].map(|arguments| folder.run(arguments).with_status(0).stdout);
    for shown in ["POST /api/v1/namespaces/default/pods: done", "Event Normal SuccessfulCreate: Created pod: routine-", "PATCH /"] {
        assert_eq!((long.contains(shown), short.contains(shown)), (true, false), "{shown}: {long}");
    }
    assert!(short.contains("● Creating 1 pod"), "{short}");
}

#[test]
fn log_files_keep_what_each_container_printed() {
    let pod = json!({
        "restartPolicy": "OnFailure",
        "containers": [container("main", "echo try; mkdir $TMPDIR/tried"), container("other", "echo other; printf end >&2")],
    });
    let folder = folder("kept", json!({}), pod);
    let ended = folder.run(&["run", "job.yaml", "--log-dir", "logs/of/kept"]).with_status(0);
    let name = |path: &fs::DirEntry| path.file_name().into_string().expect("names of pods are text");
    let logs =
        fs::read_dir(folder.path().join("logs/of/kept")).expect("the folder was made").map(|entry| name(&entry.expect("it is read")));
    let mut logs: Vec<String> = logs.collect();
    logs.sort_unstable();
    let pod = ended.stdout.lines().find_map(|line| line.split_once(" | ")).expect("a pod printed").0.split('/').next().expect("a name");
    assert_eq!(logs, [format!("{pod}_main.log"), format!("{pod}_other.log")]);
    assert_eq!(folder.read(&format!("logs/of/kept/{pod}_main.log")), "try\n");
    let other = folder.read(&format!("logs/of/kept/{pod}_other.log"));
    assert!(other == "other\nend\n" || other == "end\nother\n", "{other}");
}

#[test]
fn what_does_not_apply_here_is_noted_once() {
    let mut pod = json!({"restartPolicy": "Never", "containers": [container("first", "true"), container("second", "true")]});
    pod["containers"][1]["resources"] = json!({"limits": {"cpu": "1"}});
    let ended = folder("noted", json!({}), pod).run(&["run", "job.yaml"]).with_status(0);
    assert_eq!(
        ended.stderr,
        "note: images are not pulled: commands run with the programs and files of this machine (spec.template.spec.containers[0].image, spec.template.spec.containers[1].image)\n\
         note: requests and limits are not enforced: commands share what this machine has (spec.template.spec.containers[1].resources)\n"
    );
}

#[test]
fn many_events_are_recorded_as_a_cluster_records_them() {
    let folder = folder("many", json!({"completions": 30, "parallelism": 30}), pod("true"));
    let ended = folder.run(&["run", "job.yaml", "-o", "describe"]).with_status(0);
    let (_, events) = ended.stdout.split_once("Events:\n").expect("there are Events");
    assert_eq!(events.lines().filter(|line| line.starts_with("  Normal")).count(), 10, "{events}");
    assert!(events.contains(" (x16 over ") && events.contains("(combined from similar events): Created pod: many-"), "{events}");
    assert!(events.contains("\n6 more Events were dropped, as on a cluster; --why shows all of them\n"), "{events}");
}

#[test]
fn tables_are_those_of_kubectl() {
    let ended = folder("listed", json!({}), pod("true")).run(&["run", "job.yaml", "-o", "wide"]).with_status(0);
    let heads = ["NAME  ", "job.batch/listed   Complete   1/1 ", "NAME  ", "pod/listed-"];
    let rows: Vec<&str> = ended.stdout.lines().filter(|line| heads.iter().any(|head| line.starts_with(head))).collect();
    assert!(rows.len() == 4 && rows[2].ends_with("   IP          NODE     NOMINATED NODE   READINESS GATES"), "{}", ended.stdout);
    assert!(rows[3].contains("   0/1     Completed   0          "), "{}", ended.stdout);
}

#[test]
fn objects_are_printed_as_yaml_and_nothing_else() {
    let ended = folder("stored", json!({}), pod("echo hello")).run(&["run", "job.yaml", "-o", "yaml"]).with_status(0);
    let (list, _) = ended.stdout.split_once("\nkind: List\n").expect("it is a List");
    assert!(list.starts_with("apiVersion: v1\nitems:\n- apiVersion: batch/v1\n  kind: Job\n"), "{list}");
    assert!(list.contains("\n- apiVersion: v1\n  kind: Pod\n"), "{list}");
    assert!(!ended.stdout.contains(" | "), "{}", ended.stdout);
}

#[test]
fn containers_control_no_terminal() {
    let script = r"printf '\033[2J\033[31mred\n1 %%\r2 %%\r\n\033]0;title\007'; printf '\033[?25lend'";
    let folder = folder("loud", json!({}), pod(script));
    // `script` of util-linux: standard output is a terminal, standard error is not, so no picture is drawn.
    let shown = |options: &str| {
        let mut shell = Command::new("script");
        let command = format!("'{}' run job.yaml {options} 2>errors", binary().display());
        shell.args(["--quiet", "--return", "--command", &command, "typescript"]).env("TERM", "xterm");
        let shown = folder.start_by(&mut shell).end().with_status(0).stdout;
        shown.lines().filter_map(|line| Some(line.split_once(" | ")?.1.to_owned())).collect::<Vec<_>>()
    };
    for options in ["-o logs", ""] {
        assert_eq!(shown(options), ["\x1b[31mred\x1b[0m", "2 %", "end"], "{options}");
    }
    assert_eq!(shown("-o logs --plain"), ["\x1b[2J\x1b[31mred", "1 %\r2 %\r", "\x1b]0;title\x07\x1b[?25lend"]);
}

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let folder = folder("shown", json!({}), pod("true"));
    folder.write("stdin", r#"{"op":"session"}"#);
    for command in ["simulate job.yaml", "simulate job.yaml -o json", "run job.yaml", "step", "--version"] {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("exec '{}' {command} > /dev/full", binary().display()));
        let ended = folder.start_by(&mut shell).end().with_status(1);
        assert_eq!(
            ended.stderr.matches("error: cannot write to standard output: No space left on device").count(),
            1,
            "{command}: {}",
            ended.stderr
        );
    }
}

#[test]
fn other_kinds_in_a_file_are_named_and_not_used() {
    let folder = folder("pi", json!({}), pod("echo 3"));
    let settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n";
    folder.write("all.yaml", format!("{settings}---\n{}\n", folder.read("job.yaml")));
    let ended = folder.run(&["run", "all.yaml"]).with_status(0);
    assert_eq!(ended.printed(), ["3"]);
    let warning = "warning: Skipped: ConfigMap settings\n --> all.yaml:1:1\n";
    assert!(ended.stderr.starts_with(warning) && ended.stderr.contains("only Jobs, CronJobs and their pods are used"), "{}", ended.stderr);
    folder.write("none.yaml", settings);
    folder.run(&["run", "none.yaml"]).with_status(2);
    folder.write("pod.yaml", format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: a, uid: u}}\n---\n{}\n", folder.read("job.yaml")));
    folder.run(&["run", "pod.yaml"]).with_status(2);
}

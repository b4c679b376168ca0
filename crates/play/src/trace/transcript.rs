//! A trace in lines: times since its beginning, and each object named as precisely as it takes to distinguish it.
//!
//! Docs: the same lines are in scenario files, in `jobsmith simulate` and, without a terminal, in `jobsmith run`.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use api::time::length;
use api::{Duration, Kind, Text, Timestamp, listed};
use contract::Decision;

use super::{
    ContainerBackOff, ContainerChange, ContainerEnding, ContainerEntry, EndedBy, Entry, PodEntry, PodState, StartAgain, Subject, What,
};
use script::ObjectName;

/// Writes entries as lines.
///
/// As soon as there is more than one Job, or other object that pods belong to, each line begins with the one that it is about; as soon as
/// they are in more than one namespace, names are written as `namespace/name`.
#[derive(Debug, Clone)]
pub struct Transcript {
    times: TimeStyle,
    /// The objects that lines were about so far, apart from pods, until there are two.
    owners: BTreeSet<(Text, Text, Text)>,
    namespaces: BTreeSet<Text>,
}

/// An entry in words without its time, in the parts in which views show it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryWords {
    /// What it is about, where that stands before its mark: `job pi: `.
    pub about: String,
    /// The mark of decisions, of what was done and of what is wrong.
    pub mark: Option<char>,
    /// What happened.
    pub text: String,
    /// The rule of a decision: ` (J-84)`.
    pub rule: String,
}

impl EntryWords {
    /// What stands before the text: what it is about, and its mark.
    #[must_use]
    pub fn lead(&self) -> String {
        let Self { about, mark, .. } = self;
        mark.map_or_else(|| about.clone(), |mark| format!("{about}{mark} "))
    }
}

impl fmt::Display for EntryWords {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}{}", self.lead(), self.text, self.rule)
    }
}

impl Transcript {
    /// The transcript of what begins at this time.
    #[must_use]
    pub fn new(start: Timestamp) -> Self {
        Self::with(move |at| Clock { start }.time(at))
    }

    /// A transcript whose times are written so.
    #[must_use]
    pub fn with(times: impl Fn(Timestamp) -> String + Send + Sync + 'static) -> Self {
        Self { times: TimeStyle(Arc::new(times)), owners: BTreeSet::new(), namespaces: BTreeSet::new() }
    }

    /// The entry as a line, without a line break; `None` if it is routine.
    ///
    /// With `all`, every decision, request and Event has a line.
    pub fn line(&mut self, entry: &Entry, all: bool) -> Option<String> {
        let line = self.text(entry);
        (all || !entry.routine()).then_some(line)
    }

    /// The entry as a line, routine or not.
    pub fn text(&mut self, entry: &Entry) -> String {
        let words = self.words(entry);
        format!("{:>7} {words}", self.times.of(entry.at))
    }

    /// The entry as a line without its time.
    pub fn words(&mut self, entry: &Entry) -> String {
        self.parts(entry).to_string()
    }

    /// The same in its parts.
    pub fn parts(&mut self, entry: &Entry) -> EntryWords {
        let subject = entry.subject();
        self.owners.extend(
            subject
                .filter(|subject| subject.kind != Kind::Pod.name() && self.owners.len() < 2)
                .map(|Subject { kind, namespace, name }| (kind.into(), namespace.clone(), name.clone())),
        );
        self.namespaces.extend(subject.map(|subject| subject.namespace.clone()));
        let own = || subject.map(|subject| self.named(subject)).unwrap_or_default();
        let about = if self.owners.len() > 1 && subject.is_some() { format!("{}: ", own()) } else { String::new() };
        let marked = |mark, text: String| EntryWords { about: about.clone(), mark: Some(mark), text, rule: String::new() };
        let text = match &entry.what {
            What::CronJob { change, .. } | What::Job { change, .. } => format!("{}: {change}", own()),
            What::Starts(starts) => format!("{}: {}", own(), starts.count.sentence(length)),
            What::Pod(pod) if pod.job.is_empty() => pod_line(&own(), pod, entry.at, &self.times),
            What::Pod(pod) => format!("{about}{}", pod_line(&format!("pod {}", pod.pod), pod, entry.at, &self.times)),
            What::Container(container) if container.job.is_empty() => container_line(&own(), container, &self.times),
            What::Container(container) => format!("{about}{}", container_line(&format!("pod {}", container.pod), container, &self.times)),
            What::Action { text, .. } => return EntryWords { about: String::new(), ..marked('◆', text.to_string()) },
            What::Sync { because, .. } => format!("{about}Reconciling: {because}"),
            What::Decision { decision, .. } => return EntryWords { about, ..decision_words(decision, |at| self.times.of(at)) },
            What::Request { method, path, outcome, because, .. } => {
                let because = because.map(|because| format!(": {because}")).unwrap_or_default();
                format!("{about}{} {path}: {outcome}{because}", method.name())
            }
            What::Event(notice) => {
                let kind = if notice.warning { "Warning" } else { "Normal" };
                format!("{about}Event {kind} {}: {}", notice.reason, notice.message)
            }
            What::Difference { message, because, .. } if because.is_empty() => return marked('≠', message.to_string()),
            What::Difference { message, because, .. } => return marked('≠', format!("{message}: {because}")),
            What::Complaint { message } => return marked('!', message.to_string()),
        };
        EntryWords { text, ..EntryWords::default() }
    }

    /// `job pi`, or `job b/pi` where there are objects of other namespaces.
    fn named(&self, Subject { kind, namespace, name }: Subject<'_>) -> String {
        let namespace = (self.namespaces.len() > 1).then(|| namespace.clone());
        format!("{} {}", kind.to_lowercase(), ObjectName { namespace, name: name.clone() })
    }
}

/// How times are written.
#[derive(Clone)]
struct TimeStyle(Arc<dyn Fn(Timestamp) -> String + Send + Sync>);

impl TimeStyle {
    fn of(&self, at: Timestamp) -> String {
        (self.0)(at)
    }
}

impl fmt::Debug for TimeStyle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TimeStyle")
    }
}

/// Writes times as lengths of time since a beginning.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    /// The beginning.
    pub start: Timestamp,
}

impl Clock {
    /// A decision: its mark, its sentence with times of this clock, and its rule.
    #[must_use]
    pub fn decision(&self, decision: &Decision) -> String {
        decision_words(decision, |at| self.time(at)).to_string()
    }

    /// `m:ss`, or `h:mm:ss`, with tenths of a second where there are any; `5:00 before the start` of a time before the beginning.
    #[must_use]
    pub fn time(&self, at: Timestamp) -> String {
        let since = at.duration_since(self.start);
        // Objects have whole seconds: a time within the first one is not before the beginning.
        let since = if since.is_negative() && since.as_secs() == 0 { Duration::ZERO } else { since };
        let (seconds, tenths) = (since.as_secs().unsigned_abs(), since.subsec_millis().unsigned_abs() / 100);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let mut text = if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") };
        if tenths > 0 {
            let _ = write!(text, ".{tenths}");
        }
        if since.is_negative() {
            text.push_str(" before the start");
        }
        text
    }
}

fn decision_words(Decision { kind, role, sentence, .. }: &Decision, time: impl Fn(Timestamp) -> String) -> EntryWords {
    // Other components than ours need not number their rules.
    let rule = if kind.rule.is_empty() { String::new() } else { format!(" ({})", kind.rule) };
    EntryWords { about: String::new(), mark: Some(role.mark()), text: sentence.render(time), rule }
}

fn pod_line(name: &str, pod: &PodEntry, at: Timestamp, times: &TimeStyle) -> String {
    let after = if pod.found { String::new() } else { format!(" after {}", length(at.duration_since(pod.created_at))) };
    match pod.state {
        PodState::Pending => match pod.index {
            Some(index) => format!("{name} Pending: attempt {} of index {index}", pod.attempt),
            None => format!("{name} Pending"),
        },
        PodState::Running | PodState::Ready => format!("{name} {:?}", pod.state),
        PodState::Restarted => {
            let starts = pod.starts.iter().map(|StartAgain { container, number, exit_code, reason, ran }| match exit_code {
                Some(code) => {
                    let (why, ran) = (in_brackets(reason), for_as_long(*ran));
                    format!("container {container} exited with code {code}{why}{ran}; restarting immediately (start {number})")
                }
                None => format!("start {number} of container {container}"),
            });
            format!("{name} Restarted: {}", starts.collect::<Vec<_>>().join("; "))
        }
        PodState::CrashLoopBackOff => {
            let ends = pod.ends.iter().map(|ContainerBackOff { container, exit_code, reason, ran, number, until }| {
                let code = exit_code.map(|code| format!(" with code {code}")).unwrap_or_default();
                let wait = until.map(|until| format!(" at {}, back-off of {}", times.of(until), length(until.duration_since(at))));
                let ran = in_brackets(reason) + &for_as_long(*ran);
                format!("container {container} exited{code}{ran}; start {number}{}", wait.unwrap_or_else(|| " after a back-off".to_owned()))
            });
            format!("{name} CrashLoopBackOff: {}", ends.collect::<Vec<_>>().join("; "))
        }
        PodState::Terminating => format!("{name} Terminating{}", why_ended(pod)),
        PodState::Succeeded => format!("{name} Succeeded{after}"),
        PodState::Failed => {
            let code = pod.exit_code.map(|code| format!(" with exit code {code}")).unwrap_or_default();
            let container = pod.container.as_ref().map(|container| format!(" of container {container}")).unwrap_or_default();
            format!("{name} Failed{code}{container}{after}{}", why_ended(pod))
        }
        PodState::Gone => format!("{name} gone"),
    }
}

/// `: OOMKilled`, `: evicted (DisruptionTarget: EvictionByEvictionAPI)`, or nothing.
fn why_ended(PodEntry { reason, disruption, .. }: &PodEntry) -> String {
    let by = match disruption.as_deref() {
        Some("EvictionByEvictionAPI") => "evicted",
        Some("PreemptionByScheduler") => "preempted",
        Some(_) | None => "",
    };
    match (if reason.is_empty() { by } else { reason }, disruption) {
        ("", None) => String::new(),
        ("", Some(disruption)) if disruption.is_empty() => ": DisruptionTarget".to_owned(),
        ("", Some(disruption)) => format!(": DisruptionTarget ({disruption})"),
        (why, None) => format!(": {why}"),
        (why, Some(disruption)) => format!(": {why} (DisruptionTarget: {disruption})"),
    }
}

fn container_line(pod: &str, ContainerEntry { container, start, change, .. }: &ContainerEntry, times: &TimeStyle) -> String {
    let which = if *start > 1 { format!("start {start} of container {container}") } else { format!("container {container}") };
    match change {
        ContainerChange::NotStarting { reason } => format!("{pod}: {which} cannot be started: {reason}"),
        ContainerChange::Started => format!("{pod}: {which} started"),
        ContainerChange::SentTerm { kill_at } => format!("{pod}: {which} was sent TERM and has until {} to exit", times.of(*kill_at)),
        ContainerChange::Ended(ContainerEnding { exit_code, reason, ran, by, keepers }) => {
            let ran = for_as_long(*ran);
            let how = match (by, exit_code) {
                (EndedBy::Itself, Some(code)) => format!("exited with code {code}{ran}"),
                (EndedBy::Itself, None) => format!("exited{ran}"),
                (EndedBy::Term, _) => format!("terminated{ran}"),
                (EndedBy::Kill, _) => format!("was killed{ran}"),
            };
            let code = exit_code.filter(|_| *by != EndedBy::Itself).map(|code| format!(" (exit code {code})")).unwrap_or_default();
            let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            let keepers = match &keepers[..] {
                [] => String::new(),
                [one] => format!("; container {one} keeps the pod running"),
                several => format!("; containers {} keep the pod running", listed(several, "and")),
            };
            format!("{pod}: {which} {how}{code}{reason}{keepers}")
        }
    }
}

/// ` after 5 s`, or nothing where that is not known.
fn for_as_long(ran: Option<Duration>) -> String {
    ran.map(|ran| format!(" after {}", length(ran))).unwrap_or_default()
}

/// ` (OOMKilled)`, or nothing.
fn in_brackets(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(" ({reason})") }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use api::request::Method;
    use cluster::testing::noon;
    use contract::decision::TextPart;
    use contract::{DecisionKind, Notice, ObjectRef, Role, Sentence};
    use expect_test::{Expect, expect};

    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        api::time::after(noon(), Duration::from_millis(milliseconds))
    }

    #[test]
    fn times_are_since_the_beginning() {
        let clock = Clock { start: noon() };
        let times = [-5500, 0, 1300, 59_990, 61_000, 3_600_000, 360_000_500].map(|milliseconds| clock.time(at(milliseconds)));
        expect!["0:05.5 before the start|0:00|0:01.3|0:59.9|1:01|1:00:00|100:00:00.5"].assert_eq(&times.join("|"));
    }

    fn pod() -> PodEntry {
        PodEntry {
            namespace: "default".into(),
            pod: "pi-00001".into(),
            job: "pi".into(),
            index: None,
            attempt: 1,
            state: PodState::Pending,
            restarts: 0,
            starts: Vec::new(),
            ends: Vec::new(),
            exit_code: None,
            container: None,
            found: false,
            created_at: noon(),
            reason: String::new(),
            disruption: None,
        }
    }

    fn check(change: impl FnOnce(&mut PodEntry), expected: Expect) {
        let mut entry = pod();
        change(&mut entry);
        expected
            .assert_eq(&Transcript::new(noon()).line(&Entry { at: at(2500), estimated: false, what: What::Pod(entry) }, false).unwrap());
    }

    #[test]
    fn pods_are_shown_by_their_states() {
        check(|_| {}, expect![" 0:02.5 pod pi-00001 Pending"]);
        check(|pod| (pod.index, pod.attempt) = (Some(3), 2), expect![" 0:02.5 pod pi-00001 Pending: attempt 2 of index 3"]);
        check(|pod| pod.state = PodState::Ready, expect![" 0:02.5 pod pi-00001 Ready"]);
        check(
            |pod| (pod.state, pod.exit_code, pod.reason) = (PodState::Failed, Some(9), "Evicted".to_owned()),
            expect![" 0:02.5 pod pi-00001 Failed with exit code 9 after 2.5 s: Evicted"],
        );
        let disrupted = |state, reason: &str, disruption: &str, expected| {
            let fill = |pod: &mut PodEntry| {
                (pod.state, pod.reason, pod.disruption) = (state, reason.to_owned(), Some(disruption.into()));
            };
            check(fill, expected);
        };
        disrupted(
            PodState::Terminating,
            "",
            "EvictionByEvictionAPI",
            expect![" 0:02.5 pod pi-00001 Terminating: evicted (DisruptionTarget: EvictionByEvictionAPI)"],
        );
        disrupted(
            PodState::Failed,
            "",
            "PreemptionByScheduler",
            expect![" 0:02.5 pod pi-00001 Failed after 2.5 s: preempted (DisruptionTarget: PreemptionByScheduler)"],
        );
        disrupted(
            PodState::Failed,
            "Evicted",
            "TerminationByKubelet",
            expect![" 0:02.5 pod pi-00001 Failed after 2.5 s: Evicted (DisruptionTarget: TerminationByKubelet)"],
        );
        disrupted(
            PodState::Terminating,
            "",
            "DeletionByTaintManager",
            expect![" 0:02.5 pod pi-00001 Terminating: DisruptionTarget (DeletionByTaintManager)"],
        );
        check(|pod| (pod.state, pod.exit_code) = (PodState::Succeeded, Some(0)), expect![" 0:02.5 pod pi-00001 Succeeded after 2.5 s"]);
        let start = |container: &str, number| StartAgain {
            container: Text::from(container),
            number,
            exit_code: (number > 2).then_some(3),
            reason: if number > 4 { "OOMKilled".into() } else { Text::default() },
            ran: None,
        };
        check(
            |pod| (pod.state, pod.starts) = (PodState::Restarted, vec![start("main", 2), start("log", 5)]),
            expect![
                " 0:02.5 pod pi-00001 Restarted: start 2 of container main; container log exited with code 3 (OOMKilled); restarting immediately (start 5)"
            ],
        );
        check(|pod| pod.state = PodState::Gone, expect![" 0:02.5 pod pi-00001 gone"]);
    }

    fn object(namespace: &str, kind: &str, name: &str) -> ObjectRef {
        ObjectRef { kind: kind.into(), namespace: namespace.into(), name: name.into(), uid: Text::default() }
    }

    fn job(namespace: &str, name: &str) -> What {
        What::Job { namespace: namespace.into(), job: name.into(), change: "created".to_owned() }
    }

    fn decision(about: ObjectRef) -> What {
        let kind = DecisionKind { rule: "J-1".into(), ..DecisionKind::default() };
        let sentence = Sentence(vec![TextPart::Text("Retrying at ".into()), TextPart::Time(at(9000))]);
        What::Decision {
            about,
            decision: Decision { kind: Arc::new(kind), role: Role::Action, sentence, values: Vec::new() },
            minor: false,
        }
    }

    fn notice(regarding: ObjectRef) -> What {
        let (reason, message) = ("Created".to_owned(), "it is".to_owned());
        What::Event(Notice { regarding, reporting_controller: Text::default(), warning: false, reason, message })
    }

    fn request(about: ObjectRef) -> What {
        What::Request { about, method: Method::Get, path: "/x".to_owned(), batch: 1, outcome: "done".to_owned(), because: None }
    }

    #[test]
    fn lines_name_the_job_as_soon_as_there_is_another_and_its_namespace_as_soon_as_there_is_another() {
        let loose = PodEntry { pod: "loose".into(), job: Text::default(), ..pod() };
        let of_rho = PodEntry { namespace: "b".into(), pod: "rho-00001".into(), job: "rho".into(), ..pod() };
        let mut transcript = Transcript::new(noon());
        let lines = [
            job("default", "pi"),
            What::Pod(pod()),
            What::Pod(loose.clone()),
            decision(object("default", "Job", "pi")),
            decision(object("default", "Pod", "loose")),
            notice(object("default", "Job", "pi")),
            job("default", "rho"),
            What::Pod(pod()),
            decision(object("default", "Job", "pi")),
            job("b", "rho"),
            What::Pod(of_rho),
            What::Pod(loose),
            decision(object("b", "Job", "rho")),
            decision(object("default", "Pod", "loose")),
            notice(object("b", "Job", "rho")),
            request(object("b", "CronJob", "rho")),
            What::Complaint { message: "odd".into() },
        ]
        .map(|what| transcript.text(&Entry { at: noon(), estimated: false, what }).trim_start().to_owned());
        expect![[r#"
               0:00 job pi: created
               0:00 pod pi-00001 Pending
               0:00 pod loose Pending
               0:00 ● Retrying at 0:09 (J-1)
               0:00 ● Retrying at 0:09 (J-1)
               0:00 Event Normal Created: it is
               0:00 job rho: created
               0:00 job pi: pod pi-00001 Pending
               0:00 job pi: ● Retrying at 0:09 (J-1)
               0:00 job b/rho: created
               0:00 job b/rho: pod rho-00001 Pending
               0:00 pod default/loose Pending
               0:00 job b/rho: ● Retrying at 0:09 (J-1)
               0:00 pod default/loose: ● Retrying at 0:09 (J-1)
               0:00 job b/rho: Event Normal Created: it is
               0:00 cronjob b/rho: GET /x: done
               0:00 ! odd"#]]
        .assert_eq(&lines.join("\n"));
    }
}

//! What pods do and what happens to a cluster, in a small language: one rule or action a line, `#` starts a comment.
//!
//! Docs: Pod Lifecycle; the words are those of its page. Reading is in `parse.rs` and `parse_action.rs`, playing in `scripted.rs` and
//! `acting.rs`.
//!
//! ```text
//! pods: succeed after 5s                            # without any rule, all do
//! index 1: exit 42 after 2s                         # every pod of index 1
//! index 1 attempt 2: succeed after 3s               # the second pod of that index, or of the Job if it has no indexes
//! index 2 attempts 1-3: exit 42 after 2s            # the first three pods of that index
//! index 3: exit 42 twice                            # the first two tries of that index: pods, or starts in a pod
//! pod pi-00003: never scheduled
//! container log: runs forever, ends 2s after TERM with 0
//! start 3: succeed after 1s                         # the third start of a container in its pod
//! job pi: scheduled after 1s, starts after 500ms, ready after 2s, exit 1 after 20s
//! cronjob nightly: succeed after 26h                # every pod of every Job that this CronJob controls
//! run 3: exit 1 after 5s                            # the third Job of its CronJob; also by its scheduled time: run 2026-01-03T02:00:00Z
//! indexes 1,4-6: exit 1                             # several indexes; attempts, starts and runs are listed alike
//! at 12s: scale to 3
//! ```
//!
//! A rule has two parts: **which**: `pods` for all, or one or more of `cronjob NAME`, `run N`, `job NAME`, `pod NAME`, `index N`, `attempt N`, `container NAME`, `start N`,
//! which must all fit, with ranges and lists as in `attempts 1-2` and `indexes 1,3`; and **what**, separated by commas. CronJobs, Jobs and pods are named as `NAME` or `NAMESPACE/NAME`; without a namespace it is the
//! one in the namespace `default`, or else the only one of that name. Lengths of time are written as Go writes them, and may begin with days: `1d12h`.
//!
//! What pods and containers do:
//!
//! | about | what | without a rule |
//! |---|---|---|
//! | the pod | `scheduled after 1s`, `never scheduled` | at once |
//! | | `evicted after 10s`, `preempted after 10s`, `evicted by the kubelet after 10s`: after it was scheduled | never |
//! | | `condition ConfigIssue after 2s`: after it was scheduled, this condition becomes True | never |
//! | a container | `starts after 500ms`, `never starts (image cannot be pulled)` | at once |
//! | | `ready after 2s`, `never ready` | at once |
//! | | `succeed after 5s`, `exit 1 after 5s`, `killed by signal 9 after 4s`, `OOMKilled after 5s`, `runs forever` | `succeed after 5s` |
//! | | `message "retry-after 30"`: its termination message, if it ends by itself | none |
//! | | `ends 2s after TERM with 0`, `ignores TERM` | `ends 0s after TERM with 143` |
//!
//! For each of these, the first rule that fits and covers it wins, so special rules come before general ones. What a rule
//! sets for containers applies to the regular ones, unless it names a container: init containers succeed at once and sidecars run forever
//! if no rule names them. `at once` is another word for `after 0s`; without either, a container ends after 5s. With `once`, `twice` or `3 times` at its
//! end, a rule holds for the first attempts of each index (or of the Job if it has no indexes) and the first starts in each pod, and for no more.
//!
//! An action happens at a time after the beginning:
//!
//! | about | what |
//! |---|---|
//! | a Job, the only one if it is not named | `suspend`, `resume`, `scale to 3`, `set spec.parallelism=2`, or with `job NAME` after the first word |
//! | | `delete job NAME`, with `background`, `foreground` or `orphan` |
//! | | `create job NAME`: that manifest is applied then, and not at the beginning unless the Job is deleted before |
//! | | `annotate jobsmith.dev/hold=true`, or with `job NAME` after the first word; `annotate jobsmith.dev/hold-` removes it |
//! | | `overwrite spec.completionMode="Weekly"`, or with `job NAME` after the first word, past all validation |
//! | a CronJob | `suspend cronjob NAME`, `resume cronjob NAME`, `set cronjob NAME spec.schedule="@hourly"`, `annotate cronjob NAME jobsmith.dev/resumed-at=2026-01-01T00:05:00Z`, `delete cronjob NAME` |
//! | every Job and CronJob | `suspend all`, `resume all` |
//! | pods | `delete`, `evict`, `preempt` or `exit 3 in`, followed by which; `evict index 0 by the kubelet`; `make index 0 ready`; `set pod NAME metadata.labels={}` |
//! | nodes | `lose node`, `remove node` |
//! | the controllers | `restart controller`; `pause controller for 10s` |
//! | the API server | `refuse next write with conflict`, `forbidden`, `namespace terminating`, `server error`, `timeout before` or `timeout after` it took effect |
//! | | `refuse pod creations for 30s with forbidden`: all of them, for that long; without `with …` they are forbidden |
//! | | `refuse the 3rd pod creation with server error`: only that one of those that are still to come |
//! | | `accept pods`: it creates pods again that it was found to refuse, or that the script has it refuse |
//! | | `delay watch by 5s`: the controllers are shown nothing for that long, and then each change |
//! | | `cut watch for 5s`: the same, but then they list what there is; without `for 5s` at once |
//! | the clock | `advance 1h`, `advance 2d` |
//! | the play | `end`: a CronJob would go on forever |
//!
//! What is expected of a play is written in the same way, one assertion a line. It is about all Jobs and pods, or about what comes before a colon: `job NAME`,
//! `cronjob NAME`, `run N`, `index N` (several of them narrow each other), `each job` or `each index`.
//!
//! | assertion | it is met if |
//! |---|---|
//! | `Complete`, `Failed`, with or without `with REASON` and `within 10m` | each Job ends so, not later than that after its creation |
//! | `not finished` | no Job has finished when the play ends |
//! | `at most 8 pods`, `at least 1 failed pod`, `exactly 3 succeeded pods`, `no Failed Jobs`, `exactly 3 Complete Jobs`, `at most 2 restarts` | so many were created, or came to this |
//! | `at most 2 pods at once`, `at most 1 Job at once` | never more of them have not finished |
//! | `no Job runs twice at once` | no two pods do the same work at once: pods of different Jobs of a CronJob, of one index, or more pods of a Job than its parallelism |

mod acting;
mod action;
mod assertion;
mod course;
mod cursor;
mod error;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod lives;
mod numbers;
mod object_name;
mod parse;
mod parse_action;
mod parse_annotation;
mod parse_assertion;
#[cfg(test)]
mod random;
mod resolve;
mod scripted;
mod selector;
mod statement;
mod unmatched;

use std::fmt;

pub use self::acting::{act, none_met};
pub use self::action::{Action, JobChange, merge_patch};
pub use self::assertion::{Asserted, AssertedCount, AssertedEnding, Assertion, Bound, Countable, Each};
pub use self::course::{ContainerEnd, Course, OnTerm};
pub use self::error::ScriptError;
pub use self::numbers::NumberList;
pub use self::object_name::ObjectName;
pub use self::resolve::{Ambiguous, Objects};
pub use self::scripted::Scripted;
pub use self::selector::{Lineage, Selector, WhichRuns, completion_index, job_of};
pub use self::statement::{Statement, TimedAction};
pub use self::unmatched::Unmatched;

/// What pods do, and what happens. Written out, it reads as the same script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// The rules, in order.
    pub rules: Vec<Statement<Rule>>,
    /// The actions in the order in which they are written.
    pub actions: Vec<Statement<TimedAction>>,
}

/// What some pods or containers do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Which.
    pub which: Selector,
    /// What; at least one thing.
    pub course: Course,
    /// How often from the beginning: the first attempts of an index, or of a Job without indexes, and the first starts in each pod; absent: always.
    pub times: Option<u32>,
}

impl Rule {
    /// Whether this rule covers an attempt.
    #[must_use]
    pub fn covers_attempt(&self, attempt: Option<u32>) -> bool {
        self.times.is_none_or(|times| attempt.is_some_and(|attempt| attempt <= times))
    }

    /// Whether this rule covers a start of a container in its pod.
    #[must_use]
    pub fn covers_start(&self, number: u32) -> bool {
        self.times.is_none_or(|times| number <= times)
    }

    /// Whether a rule that comes after this one never applies, because this one decides all that it is about.
    pub(crate) fn overrules(&self, later: &Self) -> bool {
        self.times.is_none() && self.which.covers(&later.which) && self.course.covers(&later.course)
    }

    /// What the pods do, and how often.
    #[must_use]
    pub fn what(&self) -> String {
        match self.times {
            None => self.course.to_string(),
            Some(1) => format!("{} once", self.course),
            Some(2) => format!("{} twice", self.course),
            Some(times) => format!("{} {times} times", self.course),
        }
    }
}

impl Script {
    /// A script of rules and actions, on the lines on which it is written out.
    #[must_use]
    pub fn of(rules: Vec<Rule>, actions: Vec<TimedAction>) -> Self {
        let mut lines = 1..;
        Self {
            rules: rules.into_iter().zip(&mut lines).map(|(rule, line)| Statement::rule(line, rule)).collect(),
            actions: actions.into_iter().zip(&mut lines).map(|(action, line)| Statement::action(line, action)).collect(),
        }
    }

    /// Whether a Job, whose name has its namespace, is created only later: nothing else happens to it before.
    #[must_use]
    pub fn creates_later(&self, name: &ObjectName) -> bool {
        let actions = self.actions.iter().map(|statement| &statement.what);
        let deletes = |action: &Action| matches!(action, Action::Job { job: Some(job), change: JobChange::Delete(_) } if job == name);
        let creates = |action: &Action| matches!(action, Action::CreateJob(job) if job == name);
        let about = actions.filter(|timed| deletes(&timed.action) || creates(&timed.action));
        about.min_by_key(|timed| timed.after).is_some_and(|first| creates(&first.action))
    }

    /// The highest number of a start in a pod that a rule is about: those after it are all alike.
    #[must_use]
    pub fn last_start(&self) -> u32 {
        let named = |rule: &Rule| rule.which.start.as_ref().map(NumberList::last).max(rule.times);
        self.rules.iter().filter_map(|rule| named(&rule.what)).max().unwrap_or_default()
    }

    /// Adds the statements of another script, on lines below its own.
    pub fn append(&mut self, mut other: Self) {
        let last = self.lines().max().unwrap_or_default();
        other.rules.iter_mut().for_each(|rule| rule.line += last);
        other.actions.iter_mut().for_each(|action| action.line += last);
        self.rules.extend(other.rules);
        self.actions.extend(other.actions);
    }

    /// The lines of all statements.
    fn lines(&self) -> impl Iterator<Item = usize> {
        self.rules.iter().map(|rule| rule.line).chain(self.actions.iter().map(|action| action.line))
    }

    /// Reads a script.
    ///
    /// # Errors
    /// The first thing that cannot be understood: where, what, and what to write instead.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        parse::script(text)
    }
}

impl fmt::Display for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            writeln!(formatter, "{}", rule.what)?;
        }
        for action in &self.actions {
            writeln!(formatter, "{}", action.what)?;
        }
        Ok(())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.which, self.what())
    }
}

#[cfg(test)]
mod tests {
    use cluster::rng::Rng;

    use super::*;

    /// A script as it is written out.
    const WRITTEN: &str = "\
pods: succeed after 5s
index 1: exit 42 after 2s
index 1 attempt 2: succeed after 3s
index 1 attempts 2-4: exit 42 after 2s
index 1 attempts 1-2 starts 1-3: exit 42 after 2s
index 1: exit 42 after 2s, ignores TERM once
index 1: exit 42 after 2s twice
index 1: exit 75 after 2s, message \"retry-after 30, \\\"please\\\" #\" once
index 1: evicted after 2s 3 times
index 1: preempted after 2s, condition ConfigIssue at once
pods: OOMKilled after 5s, evicted by the kubelet after 3s, condition example.com/a after 2s once
pod b/pi-00003: never scheduled
pod pi-00003: never starts (image cannot be pulled)
job pi: runs forever, ignores TERM
container log: runs forever, ends 2s after TERM with 0
container log start 3: killed by signal 9 after 1m30s
start 3: succeed at once
cronjob b/nightly index 0: succeed after 26h
cronjob nightly run 3: exit 1 after 5s
run 2026-01-03T02:00:00Z index 1: exit 1 after 5s
runs 1,3-4: runs forever
indexes 0-2,5 attempts 1,3: exit 1 after 5s
job pi index 0: scheduled after 1s, starts after 500ms, ready after 2s, exit 1 after 20s, evicted after 1h
index 2: never ready
at 0s: suspend
at 1s: suspend job pi
at 2s: resume
at 12s: scale to 3
at 12s: scale job pi to 3
at 12s: set spec.parallelism=2
at 12s: set job pi spec.template.metadata.labels={\"a\":\"#, b\"}
at 12s: delete job pi background
at 12s: delete job pi foreground
at 12s: delete job pi orphan
at 12s: create job pi
at 12s: overwrite spec.completionMode=\"Weekly\"
at 12s: overwrite job b/pi spec.completionMode=\"Weekly\"
at 12s: create job b/pi
at 12s: set pod b/pi-00001 metadata.labels={}
at 12s: evict job b/pi index 2
at 12s: set pod pi-00001 metadata.labels={}
at 12s: delete pod pi-00001
at 12s: delete job pi index 2
at 12s: delete cronjob pi index 2
at 12s: evict cronjob b/pi
at 12s: delete pods
at 12s: evict index 1 attempt 2
at 12s: evict run 2 indexes 0,2
at 12s: evict pod b/pi-00001 by the kubelet
at 12s: preempt pod pi-00001
at 12s: exit 3 in index 0
at 12s: exit 3 in index 0 container log
at 12s: lose node
at 12s: remove node
at 12s: restart controller
at 12s: refuse next write with conflict
at 12s: refuse next write with forbidden
at 12s: refuse next write with namespace terminating
at 12s: refuse next write with server error
at 12s: refuse next write with timeout before
at 12s: refuse next write with timeout after
at 12s: refuse pod creations for 30s with forbidden
at 12s: refuse the 3rd pod creation with server error
at 12s: accept pods
at 12s: suspend all
at 12s: resume all
at 12s: delay watch by 5s
at 12s: cut watch
at 12s: cut watch for 5s
at 12s: pause controller for 10s
at 12s: make index 0 ready
at 12s: make pods ready
at 12s: advance 1h
at 12s: suspend cronjob hello
at 12s: resume cronjob b/hello
at 12s: set cronjob hello spec.suspend=false
at 12s: annotate jobsmith.dev/hold=true
at 12s: annotate job b/pi jobsmith.dev/hold-
at 12s: annotate cronjob b/hello jobsmith.dev/skip-during=\"Sat, Sun\"
at 12s: delete cronjob hello foreground
at 12s: end
";

    #[test]
    fn rules_are_written_as_they_are_read() {
        assert_eq!(Script::parse(WRITTEN).unwrap().to_string(), WRITTEN);
    }

    #[test]
    fn any_script_written_out_reads_as_the_same() {
        for seed in 0..2000 {
            let script = random::script(&mut Rng::new(seed));
            assert_eq!(Script::parse(&script.to_string()).as_ref(), Ok(&script), "seed {seed}:\n{script}");
        }
    }

    #[test]
    fn any_text_is_read_or_refused() {
        for seed in 0..2000 {
            let mut rng = Rng::new(seed);
            let mut text: Vec<char> = random::script(&mut rng).to_string().chars().collect();
            for _ in 0..3 {
                let place = rng.below(text.len() as u64 + 1) as usize;
                let letters = ['#', ':', ',', '=', '(', ' ', '\n', '0', 'ä', '{', '"'];
                text.insert(place, letters[rng.below(letters.len() as u64) as usize]);
            }
            let text: String = text.into_iter().collect();
            if let Ok(script) = Script::parse(&text) {
                let written = Script::parse(&script.to_string()).map(statements);
                assert_eq!(written, Ok(statements(script)), "seed {seed}:\n{text}");
            }
        }
    }

    /// What a script states, wherever it is written.
    fn statements(Script { rules, actions }: Script) -> (Vec<Rule>, Vec<TimedAction>) {
        (rules.into_iter().map(|rule| rule.what).collect(), actions.into_iter().map(|action| action.what).collect())
    }

    #[test]
    fn each_statement_has_its_place() {
        let mut script = Script::parse("# flaky\nindex 1: exit 42\n\n  at 5s : suspend # why\n\tpods: succeed").unwrap();
        script.append(Script::parse("pods: runs forever\nat 1h: end").unwrap());
        let rules: Vec<_> = script.rules.iter().map(|rule| (rule.line, rule.column, rule.what.which.to_string())).collect();
        assert_eq!(rules, [(2, 1, "index 1".to_owned()), (5, 2, "pods".to_owned()), (6, 1, "pods".to_owned())]);
        let actions: Vec<_> = script.actions.iter().map(|action| (action.line, action.column, action.what.to_string())).collect();
        assert_eq!(actions, [(4, 11, "at 5s: suspend".to_owned()), (7, 8, "at 1h: end".to_owned())]);
    }
}

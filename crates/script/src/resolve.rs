//! Which objects the names of a script mean: a name without a namespace is that of the object in the namespace `default`, or else of the only one.
//!
//! Docs: Namespaces; the language is described in `lib.rs`. How names are written is in `object_name.rs`.

use std::collections::BTreeSet;

use api::{Kind, Text};

use super::action::Action;
use super::object_name::ObjectName;
use super::selector::Selector;
use super::statement::{Statement, TimedAction};
use super::{Rule, Script};
use api::DEFAULT_NAMESPACE;

/// How many names a remedy proposes at most.
const MOST_NAMES: usize = 3;

/// A rule or an action that may be about several objects.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}; {remedy}", statement.what)]
pub struct Ambiguous {
    /// The rule or action, as the language writes it.
    pub statement: Statement<String>,
    /// Why it is ambiguous.
    pub message: String,
    /// What to write.
    pub remedy: String,
}

/// The objects of a session, by which names are resolved: kind, namespace and name of each.
#[derive(Debug, Clone, Default)]
pub struct Objects(BTreeSet<(Kind, Text, Text)>);

impl FromIterator<(Kind, Text, Text)> for Objects {
    fn from_iter<I: IntoIterator<Item = (Kind, Text, Text)>>(objects: I) -> Self {
        Self(objects.into_iter().collect())
    }
}

impl Objects {
    /// The script with the namespace of each object that it names.
    ///
    /// # Errors
    /// The first statement that could be about several objects.
    pub fn script(&self, script: &Script) -> Result<Script, Ambiguous> {
        let rules = script.rules.iter().map(|rule| self.rule(rule)).collect::<Result<_, _>>()?;
        let actions = script.actions.iter().map(|action| self.action(action)).collect::<Result<_, _>>()?;
        Ok(Script { rules, actions })
    }

    /// The action with the namespace of each object that it names.
    ///
    /// # Errors
    /// If it could be about several objects.
    pub fn action(&self, statement: &Statement<TimedAction>) -> Result<Statement<TimedAction>, Ambiguous> {
        let TimedAction { after, mut action } = statement.what.clone();
        let text = action.to_string();
        let result = match &mut action {
            Action::Job { job, .. } | Action::Overwrite { job, .. } => self.only_job(job, &text),
            Action::CreateJob(job) => self.job(job),
            Action::CronJob { cron_job, .. } => self.cron_job(cron_job),
            Action::SetPod { pod, .. } => self.pod(pod),
            Action::DeletePods(which)
            | Action::Evict(which)
            | Action::EvictByKubelet(which)
            | Action::Preempt(which)
            | Action::Exit { which, .. }
            | Action::MakeReady(which) => self.selector(which).map(|resolved| *which = resolved),
            Action::ResumeAll
            | Action::SuspendAll
            | Action::AcceptPods
            | Action::LoseNode
            | Action::RemoveNode
            | Action::RestartController
            | Action::RefuseNextWrite(_)
            | Action::RefuseCreations { .. }
            | Action::RefuseCreation { .. }
            | Action::DelayWatch(_)
            | Action::CutWatch(_)
            | Action::PauseController(_)
            | Action::Advance(_)
            | Action::End => Ok(()),
        };
        match result {
            Ok(()) => Ok(statement.with(TimedAction { after, action })),
            Err(unclear) => Err(unclear.within(statement.with(text))),
        }
    }

    fn rule(&self, statement: &Statement<Rule>) -> Result<Statement<Rule>, Ambiguous> {
        let rule = &statement.what;
        match self.selector(&rule.which) {
            Ok(which) => Ok(statement.with(Rule { which, ..rule.clone() })),
            Err(unclear) => Err(unclear.within(statement.with(rule.to_string()))),
        }
    }

    fn selector(&self, which: &Selector) -> Result<Selector, Unclear> {
        let mut which = which.clone();
        which.cron_job.iter_mut().try_for_each(|cron_job| self.cron_job(cron_job))?;
        which.job.iter_mut().try_for_each(|job| self.job(job))?;
        which.pod.iter_mut().try_for_each(|pod| self.pod(pod))?;
        Ok(which)
    }

    /// The Job that an action names, or else the only one.
    fn only_job(&self, job: &mut Option<ObjectName>, action: &str) -> Result<(), Unclear> {
        if let Some(job) = job {
            return self.job(job);
        }
        let jobs: Vec<(&Text, &Text)> = self.of(Kind::Job).collect();
        match jobs.as_slice() {
            [(namespace, name)] => *job = Some(ObjectName::of(namespace, name)),
            [] => {}
            several => {
                let namespaces = || several.iter().map(|(namespace, _)| *namespace);
                let names: Vec<ObjectName> =
                    several.iter().map(|(namespace, name)| ObjectName::among(namespace, name, namespaces())).collect();
                let (verb, rest) = action.split_once(' ').map_or((action, String::new()), |(verb, rest)| (verb, format!(" {rest}")));
                let mut remedy = one_of(&names, |name| format!("{verb} job {name}{rest}"));
                if matches!(action, "resume" | "suspend") {
                    remedy.push_str(&format!("; for every Job and CronJob, \"{action} all\""));
                }
                return Err(Unclear { message: "there are several Jobs".to_owned(), remedy });
            }
        }
        Ok(())
    }

    fn job(&self, job: &mut ObjectName) -> Result<(), Unclear> {
        let named = self.of(Kind::Job).filter(|(namespace, name)| job.is(namespace, name)).map(|(namespace, _)| namespace);
        resolve("job", job, named.collect())
    }

    fn cron_job(&self, cron_job: &mut ObjectName) -> Result<(), Unclear> {
        let named = self.of(Kind::CronJob).filter(|(namespace, name)| cron_job.is(namespace, name)).map(|(namespace, _)| namespace);
        resolve("cronjob", cron_job, named.collect())
    }

    /// A pod that is there from the beginning, or else one of a Job with whose name its own begins.
    fn pod(&self, pod: &mut ObjectName) -> Result<(), Unclear> {
        let mut namespaces: Vec<&Text> =
            self.of(Kind::Pod).filter(|(namespace, name)| pod.is(namespace, name)).map(|(namespace, _)| namespace).collect();
        if namespaces.is_empty() {
            let made = |job: &str| pod.name.strip_prefix(job).is_some_and(|rest| rest.starts_with('-'));
            namespaces = self.of(Kind::Job).filter(|(_, job)| made(job)).map(|(namespace, _)| namespace).collect();
        }
        resolve("pod", pod, namespaces)
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = (&Text, &Text)> {
        self.0.iter().filter(move |(known, ..)| *known == kind).map(|(_, namespace, name)| (namespace, name))
    }
}

/// Gives a name that has none the namespace that it means, of those in which it could be.
fn resolve(kind: &str, object: &mut ObjectName, mut namespaces: Vec<&Text>) -> Result<(), Unclear> {
    if object.namespace.is_some() {
        return Ok(());
    }
    namespaces.dedup();
    let name = &object.name;
    let namespace = match namespaces.as_slice() {
        [] => DEFAULT_NAMESPACE.into(),
        [only] => Text::clone(only),
        several if several.iter().any(|namespace| ***namespace == *DEFAULT_NAMESPACE) => DEFAULT_NAMESPACE.into(),
        several => {
            let found: Vec<ObjectName> = several.iter().map(|namespace| ObjectName::of(namespace, name)).collect();
            let namespaces = several.iter().map(|namespace| &***namespace).collect::<Vec<_>>().join(" and ");
            let message = format!("{kind} {name} could be in the namespaces {namespaces}");
            return Err(Unclear { message, remedy: one_of(&found, |name| format!("{kind} {name}")) });
        }
    };
    object.namespace = Some(namespace);
    Ok(())
}

/// What to write with one of several names.
fn one_of(names: &[ObjectName], text: impl Fn(&ObjectName) -> String) -> String {
    let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("\"{}\"", text(name))).collect();
    let more = if names.len() > MOST_NAMES { " or another" } else { "" };
    format!("write {}{more}", shown.join(" or "))
}

/// Why a name is ambiguous, and what to write.
struct Unclear {
    message: String,
    remedy: String,
}

impl Unclear {
    fn within(self, statement: Statement<String>) -> Ambiguous {
        Ambiguous { statement, message: self.message, remedy: self.remedy }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn objects(names: &[&str]) -> Objects {
        let object = |name: &&str| {
            let (kind, name) = name.split_once(' ').unwrap();
            let (namespace, name) = name.split_once('/').unwrap();
            (if kind == "pod" { Kind::Pod } else { Kind::Job }, namespace.into(), name.into())
        };
        names.iter().map(object).collect()
    }

    fn check(names: &[&str], statement: &str, expected: Expect) {
        let resolved = objects(names).script(&Script::parse(statement).unwrap());
        expected.assert_eq(&resolved.map_or_else(|error| error.to_string(), |script| script.to_string()));
    }

    #[test]
    fn a_name_without_a_namespace_means_the_default_one_or_the_only_object() {
        let jobs = ["job default/pi", "job b/pi", "job b/rho", "job c/tau", "job d/tau"];
        check(
            &jobs,
            "job pi: runs forever",
            expect![[r#"
            job default/pi: runs forever
        "#]],
        );
        check(
            &jobs,
            "at 1s: delete job rho",
            expect![[r#"
            at 1s: delete job b/rho background
        "#]],
        );
        check(
            &jobs,
            "job nu index 1: runs forever",
            expect![[r#"
            job default/nu index 1: runs forever
        "#]],
        );
        check(
            &jobs,
            "at 1s: create job c/tau",
            expect![[r#"
            at 1s: create job c/tau
        "#]],
        );
        check(
            &jobs,
            "at 1s: evict job tau index 2",
            expect![[r#"evict job tau index 2: job tau could be in the namespaces c and d; write "job c/tau" or "job d/tau""#]],
        );
        check(
            &jobs,
            "job tau: runs forever",
            expect![[r#"job tau: runs forever: job tau could be in the namespaces c and d; write "job c/tau" or "job d/tau""#]],
        );
    }

    #[test]
    fn an_ambiguous_statement_has_its_place_however_it_is_written() {
        let place = |script: &str| {
            let ambiguous = objects(&["job c/tau", "job d/tau"]).script(&Script::parse(script).unwrap()).unwrap_err();
            (ambiguous.statement.line, ambiguous.statement.column)
        };
        assert_eq!(place("pods: succeed\n# why\n at  1000ms : evict  index 2 job tau"), (3, 15));
        assert_eq!(place("at 1s: suspend job c/tau\n\n  job tau attempts 1-1: exit 0"), (3, 3));
    }

    #[test]
    fn a_pod_is_known_or_has_the_name_of_its_job() {
        let objects = ["job a/pi", "job b/pi", "job b/rho", "pod c/pi-00001"];
        check(
            &objects,
            "pod rho-00001: runs forever",
            expect![[r#"
            pod b/rho-00001: runs forever
        "#]],
        );
        check(
            &objects,
            "pod pi-00001: runs forever",
            expect![[r#"
            pod c/pi-00001: runs forever
        "#]],
        );
        check(
            &objects,
            "pod other: runs forever",
            expect![[r#"
            pod default/other: runs forever
        "#]],
        );
        check(
            &objects,
            "at 1s: set pod pi-00002 metadata.labels={}",
            expect![[
                r#"set pod pi-00002 metadata.labels={}: pod pi-00002 could be in the namespaces a and b; write "pod a/pi-00002" or "pod b/pi-00002""#
            ]],
        );
    }

    #[test]
    fn an_action_on_a_job_that_is_not_named_is_about_the_only_one() {
        check(
            &["job b/pi", "pod b/pi-1"],
            "at 1s: suspend",
            expect![[r#"
            at 1s: suspend job b/pi
        "#]],
        );
        check(
            &["job b/pi", "job b/rho"],
            "at 1s: overwrite spec.completionMode=\"\"",
            expect![[
                r#"overwrite spec.completionMode="": there are several Jobs; write "overwrite job pi spec.completionMode=""" or "overwrite job rho spec.completionMode=""""#
            ]],
        );
        check(
            &["job b/pi", "job b/rho"],
            "at 1s: resume",
            expect![[
                r#"resume: there are several Jobs; write "resume job pi" or "resume job rho"; for every Job and CronJob, "resume all""#
            ]],
        );
        check(
            &[],
            "at 1s: resume",
            expect![[r#"
            at 1s: resume
        "#]],
        );
    }
}

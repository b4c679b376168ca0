//! The annotations of jobsmith that people write: what each is for, what it means, and whether a value of it can be read.
//!
//! Docs: README, "Beyond Kubernetes"; the values are described in `README.md` beside this file. Each is read by the same code as controllers read it with.

use crate::job::conditions;
use crate::{CronJob, CronJobSpec, Job, Kind, ObjectMeta};

use super::part::AnnotationPart;
use super::{ATTEMPT_ENV, HOLD, ON_FAILURE, ON_PENDING, RETRY_DELAY, RETRY_JITTER, RETRY_WITHIN, START_RATE};
use super::{AnnotationProblem, InvalidAnnotation, MOST_BYTES, WrongAnnotationValue};
use super::{DELAY_DURING, MAX_ACTIVE, PAUSE_AFTER_FAILURES, RESUMED_AT, SKIP_DURING};
use super::{DST, MANAGED_BY, SPREAD_SECONDS, SUSPEND, TTL_AFTER_COMPLETE, TTL_AFTER_FAILED};

/// What the keys of all annotations of jobsmith begin with.
pub const DOMAIN: &str = "jobsmith.dev/";
/// The rules of `jobsmith check` that report nothing about an object.
pub const IGNORE: &str = "jobsmith.dev/ignore";

/// Those whose lines are read one by one.
const READ_BY_LINE: [&str; 4] = [ON_FAILURE, ON_PENDING, SKIP_DURING, DELAY_DURING];

/// An annotation that people write.
#[derive(Debug)]
pub struct KnownAnnotation {
    /// Its key: `jobsmith.dev/retry-delay`.
    pub key: &'static str,
    /// The kinds of objects that it is for; none: any.
    pub kinds: &'static [Kind],
    /// A value, in YAML: `30s x1.5 up to 5m`.
    pub example: &'static str,
    /// What it means, in a sentence without its end.
    pub meaning: &'static str,
}

/// All of them, those of CronJobs first, by their numbers.
pub static KNOWN: [KnownAnnotation; 20] = [
    of_cron_jobs(MANAGED_BY, "NAME", "The controller with this name manages the CronJob in place of the built-in one (X-1)"),
    of_cron_jobs(SUSPEND, "\"true\"", "Suspends a CronJob that jobsmith manages, whose own suspend is always true (X-2)"),
    of_cron_jobs(SPREAD_SECONDS, "\"600\"", "Each run starts up to this many seconds after its scheduled time (X-3)"),
    of_cron_jobs(DST, "once", "A time that occurs twice when the clock is set back has one run, the first (X-4)"),
    of_cron_jobs(SKIP_DURING, "\"Sat, Sun, 22:00-06:00\"", "Runs that are scheduled in these windows are skipped (X-17)"),
    of_cron_jobs(DELAY_DURING, "\"22:00-06:00\"", "Runs that are due in these windows start when the window ends (X-18)"),
    of_cron_jobs(MAX_ACTIVE, "\"3\"", "How many Jobs of the CronJob may be active at once (X-19)"),
    of_cron_jobs(PAUSE_AFTER_FAILURES, "\"3\"", "How many failed runs in a row pause the CronJob (X-20)"),
    of_jobs(TTL_AFTER_COMPLETE, "\"3600\"", "How many seconds the Job is kept once it is Complete (X-5)"),
    of_jobs(TTL_AFTER_FAILED, "\"604800\"", "How many seconds the Job is kept once it is Failed (X-5)"),
    of_jobs(ON_FAILURE, "\"exit 75: retry uncounted after 5m\"", "What happens after a pod fails, one rule per line (X-6)"),
    of_jobs(ON_PENDING, "\"image 10m: fail the Job\"", "What happens to a pod that does not start, one rule per line (X-7)"),
    of_jobs(RETRY_DELAY, "30s x1.5 up to 5m", "How long to wait after a failed pod before creating the next one (X-8)"),
    of_jobs(RETRY_JITTER, "20%", "How much is added to a delay before a retry, at most (X-9)"),
    of_jobs(RETRY_WITHIN, "2h", "How long after its start the Job still replaces failed pods; a later failure fails it (X-10)"),
    of_jobs(ATTEMPT_ENV, "JOB_ATTEMPT", "The environment variable in which containers find the number of the attempt, from 1 (X-11)"),
    of_jobs(START_RATE, "10/1m", "How many pods the Job creates in a given time, at most (X-12)"),
    of_jobs(HOLD, "\"true\"", "The Job creates no pods, and leaves running pods alone (X-13)"),
    KnownAnnotation {
        key: RESUMED_AT,
        kinds: &[Kind::CronJob, Kind::Job],
        example: "\"2026-12-01T08:00:00Z\"",
        meaning: "Failures up to this time no longer pause the CronJob, or hold the Job (X-13, X-20)",
    },
    KnownAnnotation {
        key: IGNORE,
        kinds: &[],
        example: "\"RULE: REASON\"",
        meaning: "Rules of `jobsmith check` that report nothing about the object, with the reason",
    },
];

const fn of_cron_jobs(key: &'static str, example: &'static str, meaning: &'static str) -> KnownAnnotation {
    KnownAnnotation { key, kinds: &[Kind::CronJob], example, meaning }
}

const fn of_jobs(key: &'static str, example: &'static str, meaning: &'static str) -> KnownAnnotation {
    KnownAnnotation { key, kinds: &[Kind::Job], example, meaning }
}

impl KnownAnnotation {
    /// The annotation with this key.
    #[must_use]
    pub fn of(key: &str) -> Option<&'static Self> {
        KNOWN.iter().find(|known| known.key == key)
    }

    /// Whether it is for objects of this kind.
    #[must_use]
    pub fn is_for(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Those for the annotations at this path of an object of a kind: its own, or those of its Jobs or pods.
    pub fn at(kind: Kind, path: &str) -> impl Iterator<Item = &'static Self> {
        let of = match path {
            "metadata.annotations" => Some(kind),
            "spec.jobTemplate.metadata.annotations" => Some(Kind::Job),
            path if path.ends_with(".template.metadata.annotations") => Some(Kind::Pod),
            _ => None,
        };
        KNOWN.iter().filter(move |known| of.is_some_and(|of| known.is_for(of)))
    }

    /// Reads a value of it on an object of this kind: on a CronJob, beside this spec.
    ///
    /// # Errors
    /// The first thing that is wrong with it, which is what controllers report.
    pub fn check(&self, value: &str, on: Kind, cron_job: &CronJobSpec) -> Result<(), InvalidAnnotation> {
        let metadata = ObjectMeta { annotations: [(self.key.into(), value.into())].into_iter().collect(), ..ObjectMeta::default() };
        match on {
            Kind::CronJob => read_cron_job(&CronJob { metadata, spec: cron_job.clone(), ..CronJob::default() }),
            Kind::Job => read_job(&Job { metadata, ..Job::default() }),
            Kind::Pod => Ok(()),
        }
    }

    /// All that is wrong with a value of it, read in the same way: in lines that are read one by one, the first thing in each.
    #[must_use]
    pub fn problems(&self, value: &str, on: Kind, cron_job: &CronJobSpec) -> Vec<InvalidAnnotation> {
        let Err(first) = self.check(value, on, cron_job) else { return Vec::new() };
        let of_line = |line: AnnotationPart<'_>| {
            let mut invalid = self.check(line.text, on, cron_job).err()?;
            if let WrongAnnotationValue::Problem(problem) = &mut invalid.wrong {
                problem.line = line.line;
                problem.column += line.column - 1;
            }
            Some(invalid)
        };
        let lines = AnnotationPart::lines(value).filter(|_| READ_BY_LINE.contains(&self.key) && value.len() <= MOST_BYTES);
        let mut found: Vec<InvalidAnnotation> = lines.filter_map(of_line).collect();
        if !found.contains(&first) {
            // It is about the lines together.
            found.insert(0, first);
        }
        found
    }
}

/// Reads all annotations of a CronJob.
fn read_cron_job(cron_job: &CronJob) -> Result<(), InvalidAnnotation> {
    cron_job.suspended_by_annotation()?;
    cron_job.extensions()?;
    Ok(())
}

/// Reads all annotations of a Job.
fn read_job(job: &Job) -> Result<(), InvalidAnnotation> {
    job.time_to_live(conditions::COMPLETE)?;
    job.time_to_live(conditions::FAILED)?;
    job.extensions()?;
    Ok(())
}

impl AnnotationProblem {
    /// How many characters of the value it is about: those that the message begins with, or else a word; none at the end of a line.
    #[must_use]
    pub fn length(&self, value: &str) -> usize {
        let line = value.lines().nth(self.line - 1).unwrap_or_default();
        let rest: String = line.chars().skip(self.column - 1).collect();
        let named = self.message.strip_prefix('`').and_then(|message| message.split('`').next());
        if let Some(named) = named.filter(|named| rest.starts_with(named)) {
            return named.chars().count();
        }
        let mut quoted = false;
        let within = |letter: &char| {
            quoted ^= *letter == '"';
            quoted || !(letter.is_whitespace() || [',', '|'].contains(letter))
        };
        let word: String = rest.chars().take_while(within).collect();
        word.strip_suffix(':').unwrap_or(&word).chars().count()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::annotation::FailureRules;

    #[test]
    fn all_annotations_are_known() {
        let source = concat!(include_str!("mod.rs"), include_str!("known.rs"));
        let keys =
            source.lines().filter_map(|line| line.strip_prefix("pub const ")?.split_once("= \"jobsmith.dev/")?.1.strip_suffix("\";"));
        let names: Vec<&str> = keys.filter(|name| !name.is_empty()).collect();
        let unknown = names.iter().filter(|name| KnownAnnotation::of(&format!("{DOMAIN}{name}")).is_none());
        assert_eq!(unknown.collect::<Vec<_>>(), [&""; 0]);
        assert_eq!(names.len(), KNOWN.len());
    }

    #[test]
    fn examples_can_be_read_and_wrong_values_cannot() {
        let spec = CronJobSpec::default();
        for known in &KNOWN {
            let on = *known.kinds.first().unwrap_or(&Kind::Job);
            assert_eq!(known.check(known.example.trim_matches('"'), on, &spec), Ok(()), "{}", known.key);
            let anything = [MANAGED_BY, IGNORE].contains(&known.key);
            assert_eq!(known.check("?", on, &spec).map_err(|invalid| invalid.key), if anything { Ok(()) } else { Err(known.key) });
        }
    }

    #[test]
    fn each_wrong_line_has_its_problem() {
        let problems = |key: &str, value: &str| {
            let known = KnownAnnotation::of(key).unwrap();
            let found = known.problems(value, known.kinds[0], &CronJobSpec::default());
            found.iter().map(|invalid| invalid.to_string().split_once(", ").unwrap().1.to_owned() + "\n").collect::<String>()
        };
        expect![[""]].assert_eq(&problems(ON_FAILURE, "exit 1: retry\nany: hold"));
        expect![[r#"
            line 2, column 8: `300` is not an exit code; write a whole number from 0 to 255
            line 5, column 15: the rule has no action; write `exit 2: retry`
            line 6, column 6: the quote is not closed; end the text with a "
        "#]]
        .assert_eq(&problems(ON_FAILURE, "exit 1: retry\n  exit 300: retry\n# exit 300\n\r\n- exit 2 retry\nany: \"a"));
        expect![[r#"
            line 1, column 6: the deadline is missing; write `image 10m`
            line 2, column 5: `1s` is too short; write a deadline from 10s to 168h, as in `90s`, `5m` or `1h30m`
        "#]]
        .assert_eq(&problems(ON_PENDING, "image: fail\nany 1s: fail\nany 1h: fail"));
        expect![[r#"
            line 1, column 6: `Saturday` is not a day of the week; write Sat
            line 2, column 1: `22:00` has no end; write when it begins and ends: 22:00-06:00
            line 3, column 6: a window is missing; write 2026-12-24, 2026-12-24..2027-01-01, Sat, Mon-Fri, 22:00-06:00 or Sat 22:00-06:00
        "#]]
        .assert_eq(&problems(SKIP_DURING, "Sat, Saturday,\n22:00,\n Sun,,"));
        // What is wrong with all lines together is one problem, and so is what is wrong with a list over several lines.
        expect![[r#"
            line 1, column 1: the windows leave no time free in a week; leave out some
        "#]]
        .assert_eq(&problems(SKIP_DURING, "Mon-Thu\nFri-Sun"));
        expect![[r#"
            line 33, column 1: there are more than 32 rules; remove some
            line 33, column 4: the rule has no action; write one after a colon, as in `exit 137: retry, memory x2 up to 16Gi`
        "#]]
        .assert_eq(&problems(ON_FAILURE, &("any: retry\n".repeat(32) + "any")));
        expect![[r#"
            line 1, column 1: the rules are longer than 8192 bytes; remove some
        "#]]
        .assert_eq(&problems(ON_FAILURE, &"any\n".repeat(2049)));
        expect![[r#"
            line 2, column 1: `5` has no unit; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
        "#]]
        .assert_eq(&problems(RETRY_DELAY, "1m,\n5,\n30"));
    }

    #[test]
    fn problems_are_about_words() {
        let length = |value: &str| FailureRules::read(value).unwrap_err().length(value);
        assert_eq!(length("exit 1: rety"), "rety".len());
        assert_eq!(length("any: retry\nexit 300|1: retry"), "300".len());
        assert_eq!(length("foo: retry"), "foo".len());
        assert_eq!(length("any: hold now"), "now".len());
        assert_eq!(length("any: hold, another node"), "another".len());
        assert_eq!(length("exit 5-3: retry"), "5-3".len());
        assert_eq!(length("exit 1"), 0);
    }
}

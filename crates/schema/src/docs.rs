//! What fields mean, in a sentence or two, for those that people write into Jobs and CronJobs.
//!
//! Docs: Kubernetes API reference, "CronJob", "Job" and "PodSpec". The words are in `docs.txt`.

/// What a field of a type means; `None` if only the API reference says so.
#[must_use]
pub fn text(owner: &str, field: &str) -> Option<&'static str> {
    lines().find(|((known, name), _)| (*known, *name) == (owner, field)).map(|(_, text)| text)
}

/// Each field that has a text, as its type and name.
fn lines() -> impl Iterator<Item = ((&'static str, &'static str), &'static str)> {
    include_str!("../docs.txt").lines().filter_map(|line| {
        let (path, text) = line.split_once(' ')?;
        Some((path.split_once('.')?, text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_about_fields_that_are_there_and_are_sentences() {
        let mut all: Vec<_> = lines().collect();
        assert!(all.len() > 100);
        for ((owner, field), text) in &all {
            assert!(crate::of(owner).has(field), "{owner}.{field}");
            assert!(text.ends_with('.') && !text.contains("  "), "{owner}.{field}: {text}");
        }
        assert!(all.is_sorted_by_key(|(path, _)| *path));
        all.dedup_by_key(|(path, _)| *path);
        assert_eq!(all.len(), lines().count());
    }

    #[test]
    fn all_fields_of_jobs_and_cron_jobs_have_a_text() {
        for owner in
            ["CronJobSpec", "JobSpec", "CronJobStatus", "JobStatus", "JobTemplateSpec", "PodFailurePolicyRule", "SuccessPolicyRule"]
        {
            let missing: Vec<_> = crate::of(owner).names().filter(|name| text(owner, name).is_none()).collect();
            assert!(missing.is_empty(), "{owner}: {missing:?}");
        }
    }
}

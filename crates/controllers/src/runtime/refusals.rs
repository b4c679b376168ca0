//! Refusals: creations that the API server refused, as Events report them, and what helps.
//!
//! Docs: Event v1; Resource Quotas; Limit Ranges; Dynamic Admission Control. When a key is synced again after a refusal is in `workqueue.rs`.

use api::{Duration, Timestamp, WarningEvent, time};

use super::obstacle::{Prose, in_one_line};

/// Creations that the API server refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CreationRefusals {
    /// When the first of them was refused, if an Event began with it.
    pub(crate) since: Option<Timestamp>,
    /// Why, according to the newest Event.
    pub(crate) message: String,
}

impl CreationRefusals {
    /// The refusals that Events about the object with this UID report, without those before a creation that succeeded, or was not yet wanted, at `from`.
    #[inline(never)]
    pub(crate) fn of(warnings: &[WarningEvent], uid: &str, from: Option<Timestamp>) -> Option<Self> {
        let open = |warning: &&WarningEvent| from.is_none_or(|from| warning.last_at.is_some_and(|last_at| last_at >= from));
        let own = || warnings.iter().filter(|warning| &*warning.uid == uid).filter(open);
        let refusals = || own().filter_map(|warning| Some((warning, warning.creation_refusal()?)));
        let (_, message) = refusals().max_by_key(|(warning, _)| warning.last_at)?;
        // An Event may go on from refusals before.
        let since =
            refusals().filter_map(|(warning, _)| warning.first_at).min().filter(|first_at| from.is_none_or(|from| from <= *first_at));
        Some(Self { since, message: in_one_line(message) })
    }

    /// What helps, by the message where that is known, and that creation is then tried again, after this length at the latest. `template`: these words as a
    /// change of the Pod template.
    #[inline(never)]
    pub(crate) fn remedy(&self, namespace: &str, longest: Duration, template: &dyn Fn(&str) -> String) -> Prose {
        let between = |before: &str, end: &str| Some(self.message.split_once(before)?.1.split_once(end)?.0);
        let longest = time::length(longest);
        let remedy = if let Some(webhook) = between("admission webhook \"", "\" denied the request") {
            format!("the message says what the webhook {webhook} wants")
        } else if let Some(quota) = between("exceeded quota: ", ",") {
            format!("raise the quota, or lower what is requested: kubectl describe quota {quota} -n {namespace}")
        } else if self.message.contains(": must specify ") {
            format!("add a LimitRange with defaults, or {}", template("set these resources on each container"))
        } else if let Some((namespace, name)) =
            between("error looking up service account ", ":").and_then(|account| account.split_once('/'))
        {
            format!("create the ServiceAccount: kubectl create serviceaccount {name} -n {namespace}")
        } else if let Some(class) = between("no PriorityClass with name ", " was found") {
            format!("create PriorityClass {class}, or {}", template("correct priorityClassName"))
        } else {
            return Prose::new(&format!("creation is retried within {longest} of each refusal, and succeeds once the cause is fixed"));
        };
        Prose::new(&format!("{remedy}; creation is retried within {longest} of each refusal"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creations_have_been_refused_since_the_first_refusal_after_the_last_success() {
        let at = |minute: i64| Timestamp::from_second(60 * minute).expect("a time");
        let warning = |minutes: [i64; 2], message: &str| WarningEvent {
            uid: "u".into(),
            reason: "FailedCreate".into(),
            message: message.into(),
            first_at: Some(at(minutes[0])),
            last_at: Some(at(minutes[1])),
            ..WarningEvent::default()
        };
        let warnings = [
            warning([1, 2], "Error creating: quota"),
            warning([4, 4], "Error creating: webhook"),
            warning([5, 9], "(combined from similar events): Error creating: no\n more"),
        ];
        let refused = |from: Option<i64>| CreationRefusals::of(&warnings, "u", from.map(at));
        let since = |minute: Option<i64>| Some(CreationRefusals { since: minute.map(at), message: "no more".to_owned() });
        assert_eq!([None, Some(3), Some(4), Some(6)].map(refused), [Some(1), Some(4), Some(4), None].map(since));
        assert_eq!((refused(Some(10)), CreationRefusals::of(&warnings, "another", None)), (None, None));
    }
}

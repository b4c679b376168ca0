//! W6 and W9: lists of indexes are well formed and earned, and counters do not fall.
//!
//! Docs: Jobs, "Completion mode", "Elastic Indexed Jobs", "Backoff limit per index" (J-105, J-106, J-113, J-115, J-133).

use std::collections::BTreeSet;

use super::{Checked, CheckedWrite, hold};
use crate::ledger::{PodRecord, indexes};
use crate::page;

/// W6: completed and failed indexes are disjoint, in range and written as the page writes them.
pub(super) fn well_formed(write: &CheckedWrite<'_>) -> Checked {
    let (status, name) = (&write.after.status, write.name());
    let failed = status.failed_indexes.as_deref().unwrap_or_default();
    for text in [&*status.completed_indexes, failed] {
        let set = indexes(text);
        let completions = i64::from(write.after.spec.completions.unwrap_or(0));
        let in_range = set.last().is_none_or(|last| i64::from(*last) < completions);
        hold(in_range, "W6", || format!("job {name} has {completions} completions and the indexes {text}"))?;
        hold(written(&set) == text, "W6", || format!("job {name} writes the indexes {text} instead of {}", written(&set)))?;
    }
    let both = indexes(&status.completed_indexes).intersection(&indexes(failed)).next().copied();
    hold(both.is_none(), "W6", || format!("index {both:?} of job {name} both succeeded and failed"))
}

/// Indexes as the page writes them: `1,3-5,7`, and a run of two as `1,2`.
fn written(set: &BTreeSet<u32>) -> String {
    let starts = set.iter().filter(|index| index.checked_sub(1).is_none_or(|before| !set.contains(&before)));
    let run = |first: &u32| {
        let last = (*first..).take_while(|index| set.contains(index)).last().unwrap_or(*first);
        match last - first {
            0 => format!("{first}"),
            1 => format!("{first},{last}"),
            _ => format!("{first}-{last}"),
        }
    };
    starts.map(run).collect::<Vec<_>>().join(",")
}

/// W9: `failed` never falls, and `succeeded` only where an Indexed Job has fewer completions than before.
pub(super) fn nothing_falls(write: &CheckedWrite<'_>) -> Checked {
    let (before, after) = (&write.before.status, &write.after.status);
    hold(before.failed <= after.failed, "W9", || format!("job {}: failed falls from {} to {}", write.name(), before.failed, after.failed))?;
    let elastic = write.after.indexed() && write.record.elastic;
    hold(before.succeeded <= after.succeeded || elastic, "W9", || {
        format!("job {}: succeeded falls from {} to {}", write.name(), before.succeeded, after.succeeded)
    })
}

/// W6: an index fails only by a pod of that index that is over the limit or that a rule fails, and does not recover.
pub(super) fn failures_are_earned(write: &CheckedWrite<'_>) -> Checked {
    let set = |text: &Option<api::Text>| indexes(text.as_deref().unwrap_or_default());
    let (before, after) = (set(&write.before.status.failed_indexes), set(&write.after.status.failed_indexes));
    let pods = || write.ledger.pods_of(&write.after.metadata.uid);
    for index in after.difference(&before) {
        let fails = |pod: &PodRecord| pod.states().any(|state| page::fails_index(write.after, state));
        let earned = pods().any(|pod| pod.touched || pod.index() == Some(*index) && fails(pod));
        hold(earned || write.record.other_replacement, "W6", || {
            format!("index {index} of job {} fails without a pod that makes it fail", write.name())
        })?;
    }
    let recovered = before.difference(&after).find(|index| i64::from(**index) < i64::from(write.after.spec.completions.unwrap_or(0)));
    hold(recovered.is_none(), "W6", || format!("index {recovered:?} of job {} had failed and does not any more", write.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_written_as_on_the_page() {
        for text in ["", "0", "0,1", "0-2", "1,3-5,7", "0,1,3,4,6-9"] {
            assert_eq!(written(&indexes(text)), text);
        }
    }
}

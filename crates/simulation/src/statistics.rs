//! What happened in simulations, counted.
//!
//! Docs: none; it shows whether a simulation exercises what it should.

use std::collections::BTreeMap;
use std::fmt;

/// Numbers of what happened, of one simulation or of many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Things that happened before calm.
    pub steps: u64,
    /// Plans of the controllers.
    pub plans: u64,
    /// Requests of the controllers that were sent.
    pub requests: u64,
    /// Seconds of the cluster's time.
    pub seconds: u64,
    /// How often the controllers were lost and restarted.
    pub restarts: u64,
    /// How often a watch was opened again, or a kind listed again.
    pub reconnections: u64,
    /// How many lists in parts were begun, and how many of them were finished.
    pub parted_lists: (u64, u64),
    /// Faults of requests.
    pub faults: BTreeMap<String, u64>,
    /// What people did.
    pub interventions: BTreeMap<String, u64>,
    /// How Jobs ended: condition and reason; or how they stood in the end.
    pub endings: BTreeMap<String, u64>,
    /// Decisions of the controllers by their code.
    pub decisions: BTreeMap<String, u64>,
}

impl Statistics {
    /// Adds what happened elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.plans += other.plans;
        self.requests += other.requests;
        self.seconds += other.seconds;
        self.restarts += other.restarts;
        self.reconnections += other.reconnections;
        self.parted_lists.0 += other.parted_lists.0;
        self.parted_lists.1 += other.parted_lists.1;
        let Self { faults, interventions, endings, decisions, .. } = self;
        for (ours, theirs) in
            [(faults, &other.faults), (interventions, &other.interventions), (endings, &other.endings), (decisions, &other.decisions)]
        {
            theirs.iter().for_each(|(name, number)| *ours.entry(name.clone()).or_default() += number);
        }
    }
}

/// Counts one more under a name.
pub(crate) fn count(numbers: &mut BTreeMap<String, u64>, name: &str) {
    match numbers.get_mut(name) {
        Some(number) => *number += 1,
        None => drop(numbers.insert(name.to_owned(), 1)),
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { steps, plans, requests, seconds, restarts, reconnections, parted_lists, faults, interventions, endings, decisions } =
            self;
        writeln!(
            formatter,
            "{steps} steps before calm; {plans} plans, {requests} requests, {} hours of the clusters' time",
            seconds / 3600
        )?;
        writeln!(formatter, "{restarts} restarts, {reconnections} reconnections and new lists")?;
        writeln!(formatter, "{} lists begun in parts, {} of them finished", parted_lists.0, parted_lists.1)?;
        for (title, numbers) in [("faults", faults), ("interventions", interventions), ("endings", endings), ("decisions", decisions)] {
            let listed: Vec<String> = numbers.iter().map(|(name, number)| format!("{name} {number}")).collect();
            writeln!(formatter, "{title}: {}", listed.join(", "))?;
        }
        Ok(())
    }
}

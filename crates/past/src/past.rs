//! The past: of all reconstructions, the one that agrees best with the record.
//!
//! Docs: Jobs. It is made in `reconstruction.rs`; what may be assumed where the record has gaps is in `gaps.rs`.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

use api::{Duration, Timestamp, time};
use cluster::ApiServer;
use contract::Manager;
use play::World;
use play::step::Step;

use crate::gaps::Assumptions;
use crate::reconstruction::Reconstruction;
use crate::record::RecordedJob;

/// What happened to a Job, from one moment to the next, up to the time at which it was recorded.
#[derive(Debug)]
pub struct Past {
    record: RecordedJob,
    reconstructed: Reconstructed,
}

/// In how many seconds it is tried whether pods ended after what the controllers did then.
const MOST_TIES: usize = 8;

/// The past as it was reconstructed under some assumptions.
#[derive(Debug)]
struct Reconstructed {
    moments: VecDeque<Vec<Step>>,
    /// How much differs from the record: what the controllers would not do, and what they would do later.
    misfits: (usize, usize),
    /// When the first of it was.
    first: Option<Timestamp>,
    server: ApiServer,
    end: Timestamp,
}

impl Past {
    /// Begins when the Job was created, with controllers that have just started; they come back without anything in memory.
    pub fn new<M: Manager>(manager: M, record: RecordedJob) -> (Self, M) {
        let (assumed, mut best, mut manager) = likeliest(manager, &record);
        let mut late = BTreeSet::new();
        for _ in 0..MOST_TIES {
            let (better, again) = with_a_tie(manager, &record, assumed, &best, &late);
            manager = again;
            let Some((second, reconstructed)) = better else { break };
            late.insert(second);
            best = reconstructed;
        }
        manager.restart();
        (Self { record, reconstructed: best }, manager)
    }

    /// What is left of the Job.
    #[must_use]
    pub fn record(&self) -> &RecordedJob {
        &self.record
    }

    /// When it begins.
    #[must_use]
    pub fn start(&self) -> Timestamp {
        self.record.created_at()
    }

    /// When it ends: at the last time in them.
    #[must_use]
    pub fn end(&self) -> Timestamp {
        self.reconstructed.end
    }

    /// The API server at its end.
    #[must_use]
    pub fn server(&self) -> &ApiServer {
        &self.reconstructed.server
    }

    /// How many differences there are between the record and what the controllers decide.
    #[must_use]
    pub fn differences(&self) -> usize {
        self.reconstructed.misfits.0
    }

    /// What happened at the next moment at which something did, in order; `None` at the end of the past.
    pub fn next_moment(&mut self) -> Option<Vec<Step>> {
        self.reconstructed.moments.pop_front()
    }
}

impl Reconstructed {
    /// Whether it agrees better with the record.
    fn better(&self, than: &Self) -> bool {
        (self.misfits, Reverse(self.first)) < (than.misfits, Reverse(than.first))
    }
}

/// The past under the assumptions that agree best with the record.
fn likeliest<M: Manager>(mut manager: M, record: &RecordedJob) -> (Assumptions, Reconstructed, M) {
    let mut assumptions = Assumptions::all();
    let mut assumed = Assumptions::likeliest();
    let (mut best, gaps);
    (manager, best, gaps) = reconstruct(manager, record, assumed);
    while let Some(next) = assumptions.next().filter(|_| gaps && best.misfits > (0, 0)) {
        let reconstructed;
        (manager, reconstructed, _) = reconstruct(manager, record, next);
        if reconstructed.better(&best) {
            (assumed, best) = (next, reconstructed);
        }
    }
    (assumed, best, manager)
}

/// The same with pods that ended after what the controllers did in the same second, if that agrees better: times in objects are whole seconds.
fn with_a_tie<M: Manager>(
    mut manager: M,
    record: &RecordedJob,
    assumed: Assumptions,
    best: &Reconstructed,
    late: &BTreeSet<Timestamp>,
) -> (Option<(Timestamp, Reconstructed)>, M) {
    let Some(first) = best.first else { return (None, manager) };
    let seconds = (0..=2).map(|before| time::after(time::whole_seconds(first), Duration::from_secs(-before)));
    for second in seconds.filter(|second| !late.contains(second) && record.ends_in(*second)) {
        let late: BTreeSet<Timestamp> = late.iter().copied().chain([second]).collect();
        let reconstructed;
        (manager, reconstructed, _) = reconstruct(manager, &record.with_late_ends(&late), assumed);
        if reconstructed.better(best) {
            return (Some((second, reconstructed)), manager);
        }
    }
    (None, manager)
}

/// Tells the past under some assumptions; returns whether there was anything to assume.
fn reconstruct<M: Manager>(mut manager: M, record: &RecordedJob, assumed: Assumptions) -> (M, Reconstructed, bool) {
    manager.restart();
    let mut reconstruction = Reconstruction::new(manager, record.clone(), assumed);
    let (gaps, mut moments) = (reconstruction.assumes(), VecDeque::new());
    let mut first = None;
    while let Some(steps) = reconstruction.next_moment() {
        moments.push_back(steps);
        first = first.or((reconstruction.misfits() > (0, 0)).then_some(reconstruction.now));
    }
    let (misfits, end) = (reconstruction.misfits(), reconstruction.now);
    let World { manager, server, .. } = reconstruction.world;
    (manager, Reconstructed { moments, misfits, first, server, end }, gaps)
}

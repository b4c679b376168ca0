//! The past: of all the ways to tell it, the one that agrees best with the record.
//!
//! Docs: Jobs. It is told in `retelling.rs`; what may be assumed where the record has gaps is in `gaps.rs`.

use std::collections::VecDeque;

use api::Timestamp;
use cluster::ApiServer;
use contract::Manager;
use play::World;
use play::step::Step;

use crate::gaps::Assumptions;
use crate::record::RecordedJob;
use crate::retelling::Retelling;

/// What happened to a Job, from one moment to the next, up to the time at which it was recorded.
#[derive(Debug)]
pub struct Past {
    record: RecordedJob,
    telling: Telling,
}

/// The past as it was told once.
#[derive(Debug)]
struct Telling {
    moments: VecDeque<Vec<Step>>,
    differences: usize,
    server: ApiServer,
    end: Timestamp,
}

impl Past {
    /// Begins when the Job was created, with controllers that have just started; they come back without anything in memory.
    pub fn new<M: Manager>(mut manager: M, record: RecordedJob) -> (Self, M) {
        let mut best: Option<Telling> = None;
        for assumed in Assumptions::all() {
            let (again, telling, gaps) = tell(manager, &record, assumed);
            manager = again;
            let done = telling.differences == 0 || !gaps;
            if best.as_ref().is_none_or(|best| telling.differences < best.differences) {
                best = Some(telling);
            }
            if done {
                break;
            }
        }
        manager.restart();
        (Self { record, telling: best.expect("there are assumptions") }, manager)
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

    /// When it ends: at the last time that they tell of.
    #[must_use]
    pub fn end(&self) -> Timestamp {
        self.telling.end
    }

    /// The API server at its end.
    #[must_use]
    pub fn server(&self) -> &ApiServer {
        &self.telling.server
    }

    /// How many differences there are between the record and what the controllers decide.
    #[must_use]
    pub fn differences(&self) -> usize {
        self.telling.differences
    }

    /// What happened at the next moment at which something did, in order; `None` at the end of the past.
    pub fn next_moment(&mut self) -> Option<Vec<Step>> {
        self.telling.moments.pop_front()
    }
}

/// Tells the past under some assumptions; returns whether there was anything to assume.
fn tell<M: Manager>(mut manager: M, record: &RecordedJob, assumed: Assumptions) -> (M, Telling, bool) {
    manager.restart();
    let mut retelling = Retelling::new(manager, record.clone(), assumed);
    let (gaps, mut moments) = (retelling.assumes(), VecDeque::new());
    while let Some(steps) = retelling.next_moment() {
        moments.push_back(steps);
    }
    let (differences, end) = (retelling.differences, retelling.now);
    let World { manager, server, .. } = retelling.world;
    (manager, Telling { moments, differences, server, end }, gaps)
}

//! Clock changes that a schedule meets, as steps of a play: local times at which a CronJob has no run, or two.
//!
//! Docs: CronJob, "Time zones" (C-61…C-63). Which changes a schedule meets is in the crate `schedule`.

use api::{Kind, Text};
use contract::ObjectRef;
use play::step::{Step, Trigger};
use play::trace::{Entry, What};
use schedule::MetClockChange;

use crate::runs::CronJobName;

/// A clock change that a CronJob meets as a step of a play, which touches no object.
#[must_use]
pub fn step(change: &MetClockChange, (namespace, cron_job): &CronJobName) -> Step {
    let (namespace, cron_job): (Text, Text) = (namespace.clone(), cron_job.clone());
    let (kind, uid) = (Kind::CronJob.name().into(), Text::default());
    let object = ObjectRef { kind, namespace: namespace.clone(), name: cron_job.clone(), uid };
    let what = What::CronJob { namespace, cron_job, change: change.words() };
    let entries = vec![Entry { at: change.at, estimated: false, what }];
    let trigger = Trigger::ClockChange { object, forward: change.forward(), times: change.times.len() };
    Step { at: change.at, trigger, entries, touched: Vec::new() }
}

//! The runs of CronJobs that left Jobs on a cluster, as a table.
//!
//! Docs: CronJob, "Jobs history limits". Runs that are played are those of `story::runs`; what happened in one of these is shown by `history.rs`.

use api::{CronJob, Kind, Object, Text, Timestamp};
use past::{JobStanding, RecordedJob};
use schedule::Zone;
use script::ObjectName;
use story::runs::PastRun;
use story::timetable::{CronJobTimetable, local_time, meaning};

use super::run_table::{TableLine, aligned, cells};

/// How many runs have a line: of more, the last.
const SHOWN: usize = 20;
/// How many runs are looked for that left no Job.
const MOST_GONE: usize = 1000;

/// The tables of the CronJobs among objects that have several recorded Jobs.
pub(crate) struct RecordedRuns<'r> {
    cron_jobs: Vec<(CronJob, Vec<&'r (RecordedJob, JobStanding)>)>,
    /// The zone of schedules that name none.
    zone: Zone,
}

impl<'r> RecordedRuns<'r> {
    pub(crate) fn new(objects: &[Text], records: &'r [(RecordedJob, JobStanding)], zone: Zone) -> Self {
        let read = |text: &Text| match Object::decode(Kind::CronJob, text) {
            Ok(Object::CronJob(cron_job)) => Some(*cron_job),
            Ok(Object::Job(_) | Object::Pod(_)) | Err(_) => None,
        };
        let of_kind =
            |text: &&Text| serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| value["kind"] == Kind::CronJob.name());
        let own = |cron_job: CronJob| {
            let uid = &cron_job.metadata.uid;
            let mut own: Vec<_> = records.iter().filter(|(record, _)| record.job.metadata.controller_uid() == &**uid).collect();
            own.sort_by_key(|(record, _)| (record.scheduled_at().unwrap_or(record.created_at()), record.created_at()));
            // Of a single one, the heading has it all.
            (own.len() > 1 && !uid.is_empty()).then_some((cron_job, own))
        };
        Self { cron_jobs: objects.iter().filter(of_kind).filter_map(read).filter_map(own).collect(), zone }
    }

    /// Whether a Job has a line in them.
    pub(crate) fn cover(&self, record: &RecordedJob) -> bool {
        self.cron_jobs.iter().any(|(cron_job, _)| record.job.metadata.controller_uid() == &*cron_job.metadata.uid)
    }

    /// The table of each CronJob, with an empty line after it.
    pub(crate) fn tables(&self) -> String {
        self.cron_jobs.iter().map(|(cron_job, own)| format!("{}\n", self.table(cron_job, own))).collect()
    }

    fn table(&self, cron_job: &CronJob, own: &[&(RecordedJob, JobStanding)]) -> String {
        let timetable = CronJobTimetable::read(cron_job, &self.zone).ok();
        let zone = timetable.as_ref().map_or_else(Zone::utc, |timetable| timetable.zone().clone());
        let namespaces = self.cron_jobs.iter().map(|(other, _)| &other.metadata.namespace);
        let name = ObjectName::among(&cron_job.metadata.namespace, &cron_job.metadata.name, namespaces);
        let schedule = meaning(cron_job, timetable.as_ref());
        let mut lines = vec![TableLine::Cells(["SCHEDULED", "STARTED", "TOOK", "RESULT"].map(str::to_owned))];
        let earlier = own.len().saturating_sub(SHOWN);
        if earlier > 0 {
            lines.push(TableLine::Note(format!("… {earlier} earlier ones")));
        }
        lines.extend(own[earlier..].iter().map(|(record, standing)| line(record, standing, &zone)));
        let gone = timetable.as_ref().map_or(0, |timetable| gone(cron_job, own, timetable));
        if gone > 0 {
            let (runs, were, have) = if gone == 1 { ("1 more run", "was", "has") } else { (&*format!("{gone} more runs"), "were", "have") };
            lines.push(TableLine::Note(format!("{runs} {were} due in this time and {have} no Job: skipped, or the Job has been deleted")));
        }
        format!("Recorded runs of cronjob {name}: {schedule}\n{}", aligned(&lines))
    }
}

/// The line of a run.
fn line(record: &RecordedJob, standing: &JobStanding, zone: &Zone) -> TableLine {
    let mut cells = cells(&PastRun::recorded(record, zone), zone);
    if record.scheduled_at().is_none() {
        (cells[0], cells[1]) = ("by hand".to_owned(), local_time(record.created_at(), zone));
    }
    let stuck = standing.explanation.as_ref().filter(|explanation| !standing.ending.finished() && explanation.stuck());
    if let Some(first) = stuck.and_then(|explanation| explanation.obstacles.first()) {
        cells[3] = format!("stuck: {}", first.sentence.render(|at| local_time(at, zone)));
    }
    TableLine::Cells(cells)
}

/// How many runs were due between the first recorded one and the last that was started, and left no Job.
fn gone(cron_job: &CronJob, own: &[&(RecordedJob, JobStanding)], timetable: &CronJobTimetable) -> usize {
    let there: Vec<Timestamp> = own.iter().filter_map(|(record, _)| record.scheduled_at()).collect();
    let (Some(first), Some(last)) = (there.first(), cron_job.status.last_schedule_time) else { return 0 };
    let due = std::iter::successors(Some(*first), |at| timetable.next(*at)).take_while(|at| *at <= last).take(MOST_GONE);
    due.filter(|at| !there.contains(at)).count()
}

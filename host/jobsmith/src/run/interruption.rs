//! What a person reads of an interrupted run: what is waited for and for how long, and which pods did not end in time.
//!
//! Docs: Pod Lifecycle, "Termination of Pods"; `jobsmith run --help`. Objects are deleted in `mod.rs`, and how each Job ended is printed in `finish.rs`.

use std::sync::Arc;

use api::{Duration, Kind, Text, time};
use cluster::ApiServer;
use cluster::stored::Stored;

use super::super::CommandEnd;

/// How many pods that were killed have a line each; of more, the number is shown.
const MOST_KILLED: usize = 10;

/// That all objects are deleted, and for how long pods may go on.
pub(super) fn announcement(why: &str, end: CommandEnd, server: &ApiServer) -> String {
    let what = if server.objects(Kind::CronJob).next().is_some() { "CronJobs and Jobs" } else { "Jobs" };
    let again = if matches!(end, CommandEnd::Interrupted(2)) { "again " } else { "" };
    let patience = longest_grace(server)
        .map(|longest| format!(" and waiting up to {longest} for their pods to end; press Ctrl-C {again}to kill them"));
    format!("{why}: deleting the {what}{}", patience.unwrap_or_default())
}

/// The longest grace period of the pods that have not ended, in words; `None` if there are none.
fn longest_grace(server: &ApiServer) -> Option<String> {
    let pods = server.objects(Kind::Pod).filter_map(|stored| stored.pod());
    let graces = pods.filter(|pod| !matches!(&**pod.status.phase(), "Succeeded" | "Failed")).map(|pod| pod.spec.grace_period_seconds());
    graces.max().map(|longest| time::length(Duration::from_secs(longest)))
}

/// Which pods did not end within their grace periods, where nobody waited for them any longer.
pub(super) fn killed(server: &ApiServer) -> String {
    let running = |pod: &&Arc<Stored>| pod.pod().is_some_and(|pod| &**pod.status.phase() == "Running");
    let names: Vec<&Text> = server.objects(Kind::Pod).filter(running).map(|pod| &pod.metadata().name).collect();
    match names.as_slice() {
        [] => String::new(),
        names if names.len() > MOST_KILLED => format!("{} pods were killed, because they had not ended yet\n", names.len()),
        names => names.iter().map(|name| format!("pod {name} was killed, because it had not ended yet\n")).collect(),
    }
}

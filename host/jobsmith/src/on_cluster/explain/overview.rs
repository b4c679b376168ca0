//! All Jobs and CronJobs of a namespace, a line each: those that are stuck first, those that have finished last.
//!
//! Docs: `jobsmith explain --help`. Everything is listed once and explained by one instance: `host_cluster::survey`.

use std::collections::BTreeSet;

use api::job::conditions;
use api::meta::Labels;
use api::{Job, Kind, Object, Text, Timestamp};
use host_cluster::cluster::Failure;
use host_cluster::survey::{Survey, Surveyed};
use host_embed::Guest;
use serde::Deserialize;
use serde_json::json;
use tokio::join;

use super::super::target::{self, ClusterNamespace};
use super::super::warnings::WarningEvents;
use super::Arguments;
use super::text::clock;
use crate::CommandEnd;
use crate::output::{self, Format};
use crate::zone_clock::ZoneClock;

/// With more finished Jobs than this, they are counted.
const FINISHED: usize = 20;

/// Explains all objects of these kinds.
pub(super) async fn run(arguments: &Arguments, kinds: &[Kind], mut guest: Guest) -> anyhow::Result<CommandEnd> {
    let Some(mut place) = arguments.place.place().await else { return Ok(CommandEnd::BadInput) };
    if arguments.all_namespaces {
        place.namespace.clear();
    }
    let (mut survey, selected, complaints) = match read(&place, arguments.selector.as_deref()).await {
        Ok(read) => read,
        Err((kind, failure)) => {
            output::error(&format!("cannot list {}: {failure}", kind.resource()));
            return Ok(CommandEnd::BadInput);
        }
    };
    let wanted = |object: &Object| {
        let selected = selected.as_ref().is_none_or(|selected| selected.contains(&object.metadata().uid));
        kinds.contains(&object.kind()) && selected
    };
    let (over, open): (Vec<Object>, Vec<Object>) = survey.objects().into_iter().filter(wanted).partition(over);
    let counted = over.len() > FINISHED && arguments.output == Format::Text;
    let objects = if counted { open } else { [open, over.clone()].concat() };
    let now = Timestamp::now();
    survey.defaults = arguments.fallbacks.defaults.annotations();
    let mut surveyed = survey.explain(&mut guest, objects, &arguments.fallbacks.zone(), now).map_err(anyhow::Error::msg)?;
    surveyed.sort_by_key(order);
    match arguments.output {
        Format::Text => {
            surveyed.iter().for_each(|surveyed| output::text(&line(surveyed, arguments.all_namespaces, now)));
            if counted {
                output::text(&count(&over));
            }
        }
        Format::Json => surveyed.iter().for_each(|surveyed| output::text(&value(surveyed))),
    }
    if surveyed.is_empty() && !counted {
        let place = if arguments.all_namespaces { "the cluster".to_owned() } else { format!("namespace {}", place.namespace) };
        let kinds: Vec<String> = kinds.iter().map(|kind| format!("{}s", kind.name())).collect();
        let selected = arguments.selector.as_ref().map(|selector| format!(" with the labels {selector}")).unwrap_or_default();
        output::complain(&format!("there are no {}{selected} in {place}\n", kinds.join(" or ")));
    }
    output::complain(&complaints);
    Ok(CommandEnd::Reached)
}

/// What is there, the UIDs of what is selected, and what could not be read, a line each.
type Reading = (Survey, Option<BTreeSet<Text>>, String);

async fn read(place: &ClusterNamespace, selector: Option<&str>) -> Result<Reading, (Kind, Failure)> {
    let list = async |kind: Kind, selector: Option<&str>| {
        place.cluster.list(&kind.into(), &place.namespace, selector).await.map_err(|failure| (kind, failure))
    };
    let mut events = WarningEvents::default();
    let (cron_jobs, jobs, pods, _) = join!(list(Kind::CronJob, None), list(Kind::Job, None), list(Kind::Pod, None), events.read(place));
    let (jobs, pods) = (jobs?, pods?);
    let mut complaints = events.complaint();
    let cron_jobs = match cron_jobs {
        Err((_, failure)) if failure.forbidden() => {
            complaints += &format!("CronJobs are not shown: {failure}\n");
            Vec::new()
        }
        cron_jobs => cron_jobs?,
    };
    let mut selected = None;
    if selector.is_some() {
        let mut texts = list(Kind::Job, selector).await?;
        if !cron_jobs.is_empty() {
            texts.append(&mut list(Kind::CronJob, selector).await?);
        }
        selected = Some(texts.iter().filter_map(|text| uid(text)).collect());
    }
    Ok((Survey { cron_jobs, jobs, pods, warnings: events.texts, defaults: Labels::new() }, selected, complaints))
}

fn uid(text: &str) -> Option<Text> {
    #[derive(Deserialize)]
    struct Identified {
        metadata: api::ObjectMeta,
    }
    serde_json::from_str(text).ok().map(|Identified { metadata }| metadata.uid)
}

/// Whether a Job has finished, and nothing more is to be said of it.
fn over(object: &Object) -> bool {
    object.job().is_some_and(|job| job.finished() && !job.metadata.deleting())
}

/// What is stuck comes first, then what is only suspended or left to another controller, then Jobs that are under way, then CronJobs that are on schedule,
/// then what has finished.
fn order(Surveyed { object, explanation }: &Surveyed) -> (u8, Text, Text) {
    let rank = match object {
        _ if explanation.held() => 1,
        _ if explanation.stuck() => 0,
        Object::CronJob(_) => 3,
        Object::Job(job) if job.condition(conditions::FAILED).is_some() => 4,
        Object::Job(job) if job.finished() => 5,
        Object::Job(_) | Object::Pod(_) => 2,
    };
    (rank, object.metadata().namespace.clone(), object.metadata().name.clone())
}

fn line(Surveyed { object, explanation }: &Surveyed, with_namespace: bool, now: Timestamp) -> String {
    let here = ZoneClock::new(None);
    let namespace = if with_namespace { format!("{}: ", object.metadata().namespace) } else { String::new() };
    format!("{namespace}{}\n", explanation.headline.render(|at| clock(at, now, &here)))
}

/// How many Jobs have finished, and how.
fn count(over: &[Object]) -> String {
    let failed = over.iter().filter_map(Object::job).filter(|job: &&Job| job.condition(conditions::FAILED).is_some()).count();
    format!("{} Jobs have finished: {} Complete, {failed} Failed\n", over.len(), over.len() - failed)
}

fn value(Surveyed { object, explanation }: &Surveyed) -> String {
    let metadata = object.metadata();
    let value = json!({
        target::word(object.kind()): metadata.name,
        "namespace": metadata.namespace,
        "stuck": explanation.stuck(),
        "finished": object.job().is_some_and(Job::finished),
        "headline": explanation.headline,
        "obstacles": explanation.obstacles,
    });
    format!("{value}\n")
}

//! `jobsmith controller`: the controllers on a real cluster.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller"; kube-controller-manager's options, where ours mean the same. What it does is in `host_cluster::controller`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use api::{Timestamp, syntax};
use clap::ValueEnum;
use contract::metrics::Family;
use contract::{ApiResource, Manager as _};
use host_cluster::cluster::{RemoteCluster, Scope, Throttle};
use host_cluster::controller::Replica;
use host_cluster::driver::Driver;
use host_cluster::execution::Executor;
use host_cluster::health::{self, Health, Site};
use host_cluster::journal::{self, Form};
use host_cluster::leader::Election;
use host_cluster::notices::Notices;
use host_cluster::shared::SharedControllers;
use host_embed::metrics;
use host_embed::record::{self, Recorded, Tape};
use host_embed::{Component, Guest};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::access;
use crate::{CommandEnd, configuration, output};

/// How many requests are under way at once.
const REQUESTS: usize = 64;

/// The arguments of `jobsmith controller`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Manage the Jobs with this spec.managedBy; kubernetes.io/job-controller takes the built-in controller's place
    #[arg(long, value_name = "NAME", default_value = "jobsmith.dev/controller", value_parser = manager_name)]
    name: String,

    /// Watch this namespace only; may be repeated [default: all namespaces]
    #[arg(short, long = "namespace", value_name = "NAME", value_delimiter = ',')]
    namespaces: Vec<String>,

    /// The controllers of the component to run: `job`, `cronjob`, `ttl` (TTL-after-finished), or those of --component
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "job")]
    controllers: Vec<String>,

    /// Decide and explain, but write nothing to the cluster
    #[arg(long)]
    dry_run: bool,

    /// How many objects to sync at a time
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u16).range(1..))]
    workers: u16,

    /// The TTL of finished Jobs for which neither ttlSecondsAfterFinished nor an annotation sets one, unless a CronJob or another object controls them; needs the ttl controller
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    default_ttl: Option<String>,

    #[command(flatten)]
    configuration: configuration::Arguments,

    #[command(flatten)]
    throttle: ThrottleArguments,

    #[command(flatten)]
    election: ElectionArguments,

    #[command(flatten)]
    observing: ObservingArguments,

    #[command(flatten)]
    limits: LimitArguments,

    #[command(flatten)]
    access: access::Arguments,
}

const EXAMPLES: &str = "\
It manages the Jobs that name it in spec.managedBy, alongside the built-in controller, and runs until SIGTERM or SIGINT. CronJobs have no
managedBy. Alongside the built-in controller, it manages those that name it in the annotation jobsmith.dev/managed-by and have spec.suspend set
to true, so that the built-in controller leaves them alone. To suspend one of them, set the annotation jobsmith.dev/suspend to \"true\".

  jobsmith controller                                       on the cluster that kubectl uses
  jobsmith controller -n team-a -n team-b                   with permissions in two namespaces only
  jobsmith controller --name kubernetes.io/job-controller --dry-run
                                                            what would the built-in controller do, and why?
  jobsmith controller --controllers job,ttl                 also delete finished Jobs when their TTL expires, no matter which controller manages them
  jobsmith controller --controllers job,cronjob             also manage CronJobs that are annotated with its name
  jobsmith controller --controllers job,cronjob,ttl --name kubernetes.io/job-controller
                                                            in place of the built-in controllers, which must be off
  jobsmith controller --controllers job,ttl --default-ttl 24h
                                                            delete finished Jobs after a day, unless they have a TTL or belong to another object
  jobsmith controller --default jobsmith.dev/retry-delay=1m --default jobsmith.dev/retry-jitter=20%
                                                            wait a minute or more before each retry, unless a Job has these annotations itself
  jobsmith controller --component labels.wasm --controllers labels --name example.com/labels
                                                            run the controllers of another component

Exit status: 0 stopped by SIGTERM or SIGINT, 2 bad input.";

#[derive(clap::Args)]
#[command(next_help_heading = "Limits on requests")]
struct ThrottleArguments {
    /// The maximum number of requests per second, on average; 0 leaves the limit to the server
    #[arg(long, value_name = "N", default_value = "0", value_parser = rate)]
    qps: f64,

    /// The maximum number of requests to send at once after a pause [default: as many as --qps]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    burst: Option<u32>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Leader election")]
struct ElectionArguments {
    /// Acquire a Lease before acting, so that only one of several replicas acts
    #[arg(long, value_name = "BOOL", default_value = "true", num_args = 0..=1, default_missing_value = "true", require_equals = true, action = clap::ArgAction::Set)]
    leader_elect: bool,

    /// The namespace of the Lease [default: that of the pod this runs in, or of the kubeconfig's context]
    #[arg(long, value_name = "NAME")]
    leader_elect_resource_namespace: Option<String>,

    /// The name of the Lease [default: derived from --name]
    #[arg(long, value_name = "NAME")]
    leader_elect_resource_name: Option<String>,

    /// How long other replicas wait after the last renewal before they take over
    #[arg(long, value_name = "DURATION", default_value = "15s", value_parser = super::duration)]
    leader_elect_lease_duration: Duration,

    /// How long the leader keeps acting when it cannot renew its Lease
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = super::duration)]
    leader_elect_renew_deadline: Duration,

    /// How long to wait between attempts to acquire or renew the Lease
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = super::duration)]
    leader_elect_retry_period: Duration,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Observability")]
struct ObservingArguments {
    /// Serve /livez and /readyz on this address
    #[arg(long, value_name = "ADDRESS:PORT")]
    health_addr: Option<SocketAddr>,

    /// Serve /metrics on this address, in the Prometheus text format
    #[arg(long, value_name = "ADDRESS:PORT")]
    metrics_addr: Option<SocketAddr>,

    /// Record all events and plans with their times, for `jobsmith replay`; overwrites the file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// The format of the log, on standard error
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    log_format: LogFormat,

    /// What to log: `info` logs the decisions that change something, `debug` also those to wait
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log_level: tracing::Level,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Limits of the Job controller")]
struct LimitArguments {
    /// How long to collect changes to a Job's pods before syncing the Job
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = duration)]
    sync_batch_period: String,

    /// The back-off after the first failed pod; it doubles with each further failure
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration)]
    pod_failure_backoff: String,

    /// The longest back-off after failed pods
    #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = duration)]
    pod_failure_backoff_max: String,

    /// The maximum number of finished pods that a status lists as not counted yet
    #[arg(long, value_name = "N", default_value = "500")]
    max_uncounted_pods: u32,

    /// The maximum number of pods to create or delete in one sync
    #[arg(long, value_name = "N", default_value = "500")]
    max_pods_per_sync: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

/// Runs the controllers until a signal comes.
///
/// # Errors
/// If this machine has no room for what it takes.
pub(crate) fn run(arguments: &Arguments, component: &Component, mut guest: Guest) -> anyhow::Result<CommandEnd> {
    if arguments.default_ttl.is_some() && arguments.controllers.iter().all(|name| name != "ttl") {
        output::error("--default-ttl needs the TTL-after-finished controller: add ttl to --controllers");
        return Ok(CommandEnd::BadInput);
    }
    if !arguments.configuration.fallbacks.defaults.is_empty() && arguments.controllers.iter().all(|name| name != "job") {
        output::error("--default needs the Job controller: add job to --controllers");
        return Ok(CommandEnd::BadInput);
    }
    let configuration = arguments.configuration();
    let Ok(()) = configuration::configure(&mut guest, &configuration) else { return Ok(CommandEnd::BadInput) };
    let resources = guest.resources();
    if let Some(reason) = guest.lost() {
        anyhow::bail!("the component crashed, which is a bug: {reason}");
    }
    let tape = match &arguments.observing.record {
        Some(file) => Tape::create(file, &record::header(component, &configuration, Timestamp::now())?).map(Some),
        None => Ok(None),
    };
    let tape = match tape {
        Ok(tape) => tape,
        Err(error) => {
            output::error(&format!("cannot write the --record file: {error}; choose another file"));
            return Ok(CommandEnd::BadInput);
        }
    };
    let form = match arguments.observing.log_format {
        LogFormat::Text => Form::Text,
        LogFormat::Json => Form::Json,
    };
    journal::begin(form, arguments.observing.log_level);
    // One thread: all that takes time is waiting, and it costs the least.
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(control(arguments, resources, Recorded::new(guest, tape)))
}

async fn control(arguments: &Arguments, resources: Vec<ApiResource>, manager: Recorded<Guest>) -> anyhow::Result<CommandEnd> {
    if arguments.election.leader_elect_renew_deadline >= arguments.election.leader_elect_lease_duration {
        output::error(
            "--leader-elect-renew-deadline must be less than --leader-elect-lease-duration: a leader has to stop before another one takes over",
        );
        return Ok(CommandEnd::BadInput);
    }
    let Some(cluster) = arguments.access.connect(arguments.throttle.throttle()).await else { return Ok(CommandEnd::BadInput) };
    let controllers = SharedControllers::new(manager);
    let health = Arc::new(Health::default());
    if let Err((address, error)) = serve(arguments, &cluster, &controllers, &health).await {
        output::error(&format!("cannot listen on {address}: {error}; choose another address"));
        return Ok(CommandEnd::BadInput);
    }
    tracing::info!(
        "starting controllers ({}) as {} on {}{}",
        arguments.controllers.join(", "),
        arguments.name,
        cluster.address,
        if arguments.dry_run { ", as a dry run" } else { "" }
    );
    let election = (arguments.election.leader_elect && !arguments.dry_run).then(|| arguments.election.election(&cluster, &arguments.name));
    if election.is_some() {
        health.lacks("election", "the leader is not known yet");
    }
    let executor = if arguments.dry_run { Executor::idle() } else { Executor::new(cluster.clone(), REQUESTS) };
    let notices = if arguments.dry_run { Notices::discarded() } else { Notices::recorded(cluster.clone(), &resources) };
    let driver = Driver {
        cluster,
        scope: Scope::of(arguments.namespaces.clone()),
        resources,
        controllers,
        workers: arguments.workers.into(),
        executor,
        notices,
        health,
    };
    let (stopper, stop) = watch::channel(false);
    let (mut terminated, mut interrupted) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let controller = Replica { driver, election };
    let mut running = std::pin::pin!(controller.run(stop));
    loop {
        let number = tokio::select! {
            () = &mut running => return Ok(CommandEnd::Reached),
            _ = terminated.recv() => SignalKind::terminate().as_raw_value(),
            _ = interrupted.recv() => SignalKind::interrupt().as_raw_value(),
        };
        if stopper.send_replace(true) {
            return Ok(CommandEnd::Interrupted(u8::try_from(number).unwrap_or_default()));
        }
        tracing::info!("shutting down after the requests in flight; send the signal again to stop at once");
    }
}

/// Serves health and metrics, each at its own address.
async fn serve(
    arguments: &Arguments,
    cluster: &RemoteCluster,
    controllers: &SharedControllers,
    health: &Arc<Health>,
) -> Result<(), (SocketAddr, std::io::Error)> {
    let (requests, controllers) = (cluster.requests.clone(), controllers.clone());
    let count = move || {
        let mut families: Vec<Family> = controllers.metrics();
        families.push(requests.family());
        metrics::text(&families)
    };
    let ObservingArguments { health_addr, metrics_addr, .. } = arguments.observing;
    let mut addresses: Vec<SocketAddr> = health_addr.into_iter().chain(metrics_addr).collect();
    addresses.dedup();
    for address in addresses {
        let health = (health_addr == Some(address)).then(|| health.clone());
        let metrics = (metrics_addr == Some(address)).then(|| Box::new(count.clone()) as Box<dyn Fn() -> String + Send + Sync>);
        health::serve(address, Site { health, metrics }).await.map_err(|error| (address, error))?;
    }
    Ok(())
}

impl Arguments {
    /// What the controllers are configured with.
    fn configuration(&self) -> String {
        let mut configuration = json!({"controllers": self.controllers});
        if self.observing.log_level < tracing::Level::DEBUG && self.observing.record.is_none() {
            // No more than the log shows.
            configuration["decisions"] = json!("actions");
        }
        if self.controllers.iter().any(|name| name == "job") {
            let limits = &self.limits;
            configuration["job"] = json!({
                "name": self.name,
                "limits": {
                    "syncBatchPeriod": limits.sync_batch_period,
                    "podFailureBackOff": limits.pod_failure_backoff,
                    "podFailureBackOffMax": limits.pod_failure_backoff_max,
                    "maxUncountedPods": limits.max_uncounted_pods,
                    "maxPodsPerSync": limits.max_pods_per_sync,
                },
            });
        }
        if self.controllers.iter().any(|name| name == "cronjob") {
            configuration["cronjob"] = json!({"name": self.name});
        }
        if let Some(default_ttl) = &self.default_ttl {
            configuration["ttl"] = json!({"defaultTtl": default_ttl});
        }
        self.configuration.over(configuration).to_string()
    }
}

impl ThrottleArguments {
    fn throttle(&self) -> Option<Throttle> {
        let in_a_second = self.qps.ceil() as u32;
        (self.qps > 0.0).then(|| Throttle::new(self.qps, self.burst.unwrap_or(in_a_second)))
    }
}

impl ElectionArguments {
    fn election(&self, cluster: &RemoteCluster, name: &str) -> Election {
        let namespace = self.leader_elect_resource_namespace.as_deref().unwrap_or_else(|| cluster.default_namespace());
        let lease = self.leader_elect_resource_name.clone().unwrap_or_else(|| name.replace('/', "-"));
        Election {
            lease_duration: self.leader_elect_lease_duration,
            renew_deadline: self.leader_elect_renew_deadline,
            retry_period: self.leader_elect_retry_period,
            ..Election::new(cluster, namespace, lease, identity())
        }
    }
}

/// A name that no other process has: the host's, and when this one began.
fn identity() -> String {
    let host = rustix::system::uname();
    format!("{}_{:x}-{}", host.nodename().to_string_lossy(), Timestamp::now().as_nanosecond(), std::process::id())
}

/// A name that Jobs can have in `managedBy` (A-55…A-58).
fn manager_name(text: &str) -> Result<String, &'static str> {
    syntax::check_manager(text).map(|()| text.to_owned())
}

/// A duration that the component reads.
fn duration(text: &str) -> Result<String, String> {
    super::duration(text).map(|_| text.to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|rate: &f64| rate.is_finite() && *rate >= 0.0 && *rate <= 1e6)
        .ok_or_else(|| "write a number of requests per second, from 0 to 1000000".to_owned())
}

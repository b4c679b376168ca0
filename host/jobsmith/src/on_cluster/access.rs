//! How a command reaches a cluster: the options that they all share.
//!
//! Docs: Organizing Cluster Access Using kubeconfig Files. What is made of them is in `host_cluster::cluster`.

use std::path::PathBuf;

use host_cluster::cluster::{Access, RemoteCluster, Throttle};

use crate::output;

/// Where the cluster is.
#[derive(clap::Args)]
#[command(next_help_heading = "Cluster")]
pub(crate) struct Arguments {
    /// The kubeconfig file [default: $KUBECONFIG, ~/.kube/config, or the service account of the pod this runs in]; a proxy is found as kubectl finds it
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// The kubeconfig context [default: its current context]
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
}

impl Arguments {
    /// The context that was given.
    pub(crate) fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    /// The kubectl that reaches the same cluster.
    pub(crate) fn kubectl(&self) -> String {
        let kubeconfig = self.kubeconfig.iter().map(|file| format!(" --kubeconfig {}", file.display()));
        let context = self.context.iter().map(|context| format!(" --context {context}"));
        kubeconfig.chain(context).fold("kubectl".to_owned(), |command, option| command + &option)
    }

    /// Prepares to reach the cluster; prints why if that is not possible.
    pub(crate) async fn connect(&self, throttle: Option<Throttle>) -> Option<RemoteCluster> {
        let access = Access { kubeconfig: self.kubeconfig.clone(), context: self.context.clone() };
        RemoteCluster::connect(&access, throttle).await.inspect_err(|error| output::error(&error.to_string())).ok()
    }
}

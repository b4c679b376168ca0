//! A real cluster: how it is reached, and requests to it.
//!
//! Docs: Organizing Cluster Access Using kubeconfig Files; Accessing the API from a Pod. Which cluster is meant is read in `kubeconfig.rs`, what a request
//! becomes is in `send.rs`; what the cluster stores comes through `reflector.rs`.

mod credentials;
mod failure;
mod kubeconfig;
mod lines;
mod list;
mod proxy;
pub mod reflector;
mod scope;
mod send;
mod throttle;
mod transport;
mod watch;

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use host_embed::metrics::Requests;
use kube::Client;

use self::credentials::CredentialPlugin;
use self::failure::root;
pub use self::failure::{Failure, chain};
pub use self::scope::Scope;
pub use self::throttle::Throttle;
use self::transport::Transport;

/// How long a request may take until its outcome counts as unknown.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long connecting may take.
const CONNECTING: Duration = Duration::from_secs(10);

/// Where a cluster is, and with which credentials.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The kubeconfig file; without one `$KUBECONFIG`, `~/.kube/config`, or the service account of the pod that this runs in.
    pub kubeconfig: Option<PathBuf>,
    /// The context in it, if not the current one.
    pub context: Option<String>,
}

/// A cluster that requests can be sent to.
#[derive(Clone)]
pub struct RemoteCluster {
    transport: Transport,
    default_namespace: String,
    /// Where it is, for messages.
    pub address: String,
    /// The way to it, for messages: its address, and the proxy if there is one.
    way: String,
    plugin: Option<CredentialPlugin>,
    /// The requests that were sent to it, counted.
    pub requests: Arc<Requests>,
    throttle: Option<Arc<Throttle>>,
    /// How long an answer is waited for.
    patience: Duration,
}

/// Why a cluster cannot be reached; retrying does not help.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    /// A file is not a kubeconfig, or lacks what is needed.
    #[error("{file}: {reason}; pass --kubeconfig a file that `kubectl config view` can read")]
    File {
        /// The file, or several as in `$KUBECONFIG`.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The kubeconfig names something that it lacks.
    #[error("{file}: {what}; {known}")]
    Lacking {
        /// The file, or several as in `$KUBECONFIG`.
        file: String,
        /// What it lacks, and where that is named.
        what: String,
        /// What it has instead.
        known: String,
    },
    /// There is neither a kubeconfig nor a service account.
    #[error(
        "no cluster is configured: there is no ~/.kube/config, and this is not running in a pod; pass --kubeconfig FILE, or set KUBECONFIG"
    )]
    Unknown,
    /// jobsmith cannot speak to the proxy that is named.
    #[error("cannot use the proxy: {0}; write http://, https:// or socks5://, HOST:PORT")]
    Proxy(String),
    /// The configuration was read, but no client can be made of it.
    #[error("cannot use the cluster: {0}")]
    Unusable(String),
}

impl RemoteCluster {
    /// Prepares to speak to a cluster; nothing is sent yet. At most as many requests a second are sent as the throttle lets through, if there is one.
    ///
    /// # Errors
    /// If the configuration is missing or wrong.
    pub async fn connect(access: &Access, throttle: Option<Throttle>) -> Result<Self, Unreachable> {
        let (mut config, proxy) = kubeconfig::read(access).await?;
        // Whether a failed request is sent again is decided by the controllers.
        config.default_retry = false;
        config.connect_timeout = Some(CONNECTING);
        let address = config.cluster_url.to_string().trim_end_matches('/').to_owned();
        let way = proxy.as_ref().map_or_else(|| address.clone(), |proxy| format!("{address} through the proxy {proxy}"));
        let plugin = CredentialPlugin::of(&config.auth_info);
        let transport = Transport::new(&config, proxy).map_err(|error| {
            let failure = plugin.as_ref().and_then(|plugin| plugin.failure(&error));
            Unreachable::Unusable(failure.unwrap_or_else(|| chain(&error)))
        })?;
        Ok(Self {
            transport,
            default_namespace: config.default_namespace,
            address,
            way,
            plugin,
            requests: Arc::default(),
            throttle: throttle.map(Arc::new),
            patience: PATIENCE,
        })
    }

    /// The namespace that the kubeconfig's context, or the pod that this runs in, names.
    #[must_use]
    pub fn default_namespace(&self) -> &str {
        &self.default_namespace
    }

    /// A client for objects with types.
    #[must_use]
    pub fn client(&self) -> Client {
        self.transport.client(&self.default_namespace)
    }

    /// That no answer came to a request, for a reason.
    pub(crate) fn no_answer(&self, error: &(dyn Error + 'static)) -> Failure {
        Failure::NoAnswer(match self.plugin.as_ref().and_then(|plugin| plugin.failure(error)) {
            Some(failure) => format!("cannot authenticate to {}: {failure}", self.address),
            None => format!("cannot reach {}: {}", self.way, root(error)),
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use http::{Request, Response};
    use http_body_util::Full;
    use hyper::body::{Bytes, Incoming};
    use kube::Config;
    use tokio::net::TcpListener;

    use super::*;

    /// A cluster whose API server gives these responses.
    pub(crate) async fn answering(answer: impl Fn(&Request<Incoming>) -> Response<Full<Bytes>> + Send + Sync + 'static) -> RemoteCluster {
        let (cluster, listener) = silent().await;
        tokio::spawn(host_serving::serve(listener, answer));
        cluster
    }

    /// A cluster whose API server accepts connections and never responds, while the listener exists.
    pub(crate) async fn silent() -> (RemoteCluster, TcpListener) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let mut config = Config::new(address.parse().unwrap());
        config.default_retry = false;
        let transport = Transport::new(&config, None).unwrap();
        (
            RemoteCluster {
                transport,
                default_namespace: config.default_namespace,
                way: address.clone(),
                address,
                plugin: None,
                requests: Arc::default(),
                throttle: None,
                patience: PATIENCE,
            },
            listener,
        )
    }
}

//! A real cluster: how it is reached, and requests to it.
//!
//! Docs: Organizing Cluster Access Using kubeconfig Files; Accessing the API from a Pod. What a request becomes is in `send.rs`; what the cluster
//! stores comes through `reflector.rs`.

mod failure;
mod lines;
mod list;
pub mod reflector;
mod scope;
mod send;
mod throttle;
mod transport;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use host_embed::metrics::Requests;
use kube::config::{KubeConfigOptions, Kubeconfig, KubeconfigError};
use kube::{Client, Config};

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
    /// The kubeconfig has no such context.
    #[error("{file}: there is no context {context}; it has {known}")]
    Context {
        /// The file, or several as in `$KUBECONFIG`.
        file: String,
        /// The context that was asked for.
        context: String,
        /// The contexts that there are.
        known: String,
    },
    /// There is neither a kubeconfig nor a service account.
    #[error(
        "no cluster is configured: there is no ~/.kube/config, and this is not running in a pod; pass --kubeconfig FILE, or set KUBECONFIG"
    )]
    Unknown,
    /// The cluster is to be reached through a proxy.
    #[error(
        "jobsmith cannot use the proxy {0}: remove proxy-url from the kubeconfig and unset HTTPS_PROXY and https_proxy, if the cluster can be reached without it"
    )]
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
        let mut config = configuration(access).await?;
        // Whether a failed request is sent again is decided by the controllers.
        config.default_retry = false;
        config.connect_timeout = Some(CONNECTING);
        let address = config.cluster_url.to_string().trim_end_matches('/').to_owned();
        if let Some(proxy) = &config.proxy_url {
            return Err(Unreachable::Proxy(proxy.to_string()));
        }
        let transport = Transport::new(&config).map_err(|error| Unreachable::Unusable(chain(&error)))?;
        Ok(Self {
            transport,
            default_namespace: config.default_namespace,
            address,
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
}

async fn configuration(access: &Access) -> Result<Config, Unreachable> {
    let files = access.kubeconfig.clone().map_or_else(usual_files, |file| vec![file]);
    if files.is_empty() && access.context.is_some() {
        return Err(Unreachable::Unknown);
    }
    if files.is_empty() {
        return Config::incluster().map_err(|_| Unreachable::Unknown);
    }
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let wrong = |error: KubeconfigError| Unreachable::File { file: names.join(":"), reason: chain(&error) };
    let mut kubeconfig = Kubeconfig::default();
    for file in &files {
        kubeconfig = kubeconfig.merge(read(file)?).map_err(wrong)?;
    }
    if let Some(context) = &access.context
        && !kubeconfig.contexts.iter().any(|known| known.name == *context)
    {
        let known: Vec<String> = kubeconfig.contexts.into_iter().map(|context| context.name).collect();
        return Err(Unreachable::Context { file: names.join(":"), context: context.clone(), known: known.join(", ") });
    }
    let options = KubeConfigOptions { context: access.context.clone(), ..KubeConfigOptions::default() };
    Config::from_custom_kubeconfig(kubeconfig, &options).await.map_err(wrong)
}

/// The files that `$KUBECONFIG` names, or the one in the home directory if it is there.
fn usual_files() -> Vec<PathBuf> {
    let named: Vec<PathBuf> = std::env::var_os("KUBECONFIG").iter().flat_map(std::env::split_paths).collect();
    let named: Vec<PathBuf> = named.into_iter().filter(|file| !file.as_os_str().is_empty()).collect();
    // As kubectl does; where none of them is there, the error names the first.
    if named.iter().any(|file| file.exists()) {
        named.into_iter().filter(|file| file.exists()).collect()
    } else if named.is_empty() {
        std::env::home_dir().map(|home| home.join(".kube/config")).into_iter().filter(|file| file.exists()).collect()
    } else {
        named
    }
}

fn read(file: &Path) -> Result<Kubeconfig, Unreachable> {
    let wrong = |reason: String| Unreachable::File { file: file.display().to_string(), reason };
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    if text.trim().is_empty() {
        return Err(wrong("it is empty".to_owned()));
    }
    // The first line has what is wrong and where; a picture of the place follows.
    Kubeconfig::read_from(file).map_err(|error| wrong(chain(&error).lines().next().unwrap_or_default().to_owned()))
}

#[cfg(test)]
pub(crate) mod tests {
    use http::{Request, Response};
    use http_body_util::Full;
    use hyper::body::{Bytes, Incoming};
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
        let transport = Transport::new(&config).unwrap();
        (
            RemoteCluster {
                transport,
                default_namespace: config.default_namespace,
                address,
                requests: Arc::default(),
                throttle: None,
                patience: PATIENCE,
            },
            listener,
        )
    }
}

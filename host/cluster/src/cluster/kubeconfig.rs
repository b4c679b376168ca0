//! Which cluster is meant: that of a kubeconfig's context, or of the pod that this runs in; and which proxy is on the way.
//!
//! Docs: Organizing Cluster Access Using kubeconfig Files; Accessing the API from a Pod. The credentials in it are used in `credentials.rs`, the proxy is in
//! `proxy.rs`.

use std::path::{Path, PathBuf};

use kube::Config;
use kube::config::{Cluster, Context, InClusterError, KubeConfigOptions, Kubeconfig, KubeconfigError};

use super::failure::chain;
use super::proxy::Proxy;
use super::{Access, Unreachable};

/// The configuration that access leads to, and the proxy to use with it: the one that the kubeconfig names for the cluster, or that of the environment.
///
/// # Errors
/// If there is no configuration, or something is wrong with it.
pub(super) async fn read(access: &Access) -> Result<(Config, Option<Proxy>), Unreachable> {
    let variable = |name: &str| std::env::var(name).ok();
    let files = access.kubeconfig.clone().map_or_else(usual_files, |file| vec![file]);
    if files.is_empty() && access.context.is_some() {
        return Err(Unreachable::Unknown);
    }
    if files.is_empty() {
        let config = Config::incluster().map_err(|_: InClusterError| Unreachable::Unknown)?;
        let proxy = Proxy::of_environment(&config.cluster_url, variable)?;
        return Ok((config, proxy));
    }
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let wrong = |error: KubeconfigError| Unreachable::File { file: names.join(":"), reason: chain(&error) };
    let mut kubeconfig = Kubeconfig::default();
    for file in &files {
        kubeconfig = kubeconfig.merge(read_file(file)?).map_err(wrong)?;
    }
    let lacking = |(what, known)| Unreachable::Lacking { file: names.join(":"), what, known };
    let cluster = cluster_of(&mut kubeconfig, access.context.as_deref()).map_err(lacking)?;
    let named = cluster.proxy_url.take().filter(|url| !url.is_empty());
    // Where a cluster has no proxy of its own, kube takes any of the environment, and refuses what is not a URL.
    cluster.proxy_url.clone_from(&cluster.server);
    let options = KubeConfigOptions { context: access.context.clone(), ..KubeConfigOptions::default() };
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &options).await.map_err(wrong)?;
    if let Some(cluster) = config.auth_info.exec.as_mut().and_then(|plugin| plugin.cluster.as_mut()) {
        cluster.proxy_url.clone_from(&named);
    }
    let proxy = match named {
        Some(url) => Some(Proxy::at(&url)?),
        None => Proxy::of_environment(&config.cluster_url, variable)?,
    };
    Ok((config, proxy))
}

/// The cluster of a context, or of the current one; if something is named that the kubeconfig lacks, what that is, and what it has.
fn cluster_of<'a>(kubeconfig: &'a mut Kubeconfig, wanted: Option<&str>) -> Result<&'a mut Cluster, (String, String)> {
    let contexts = || kubeconfig.contexts.iter().map(|context| &*context.name).collect::<Vec<_>>();
    let Some(name) = wanted.or(kubeconfig.current_context.as_deref()).filter(|name| !name.is_empty()) else {
        return Err(("no current-context is set".to_owned(), format!("pass --context; it has {}", listed(&contexts()))));
    };
    let Some(context) = kubeconfig.contexts.iter().find(|known| known.name == name) else {
        let what = if wanted.is_some() {
            format!("there is no context {name}")
        } else {
            format!("there is no context {name}, its current-context")
        };
        return Err((what, format!("it has {}", listed(&contexts()))));
    };
    let Context { cluster, user, .. } = context.context.clone().unwrap_or_default();
    let lacks = |kind: &str, lacking: &str, known: Vec<&str>| {
        (format!("context {name} names the {kind} {lacking}, which the kubeconfig lacks"), format!("it has {}", listed(&known)))
    };
    let Some(place) = kubeconfig.clusters.iter().position(|known| known.name == cluster) else {
        return Err(lacks("cluster", &cluster, kubeconfig.clusters.iter().map(|cluster| &*cluster.name).collect()));
    };
    let secure = kubeconfig.clusters[place]
        .cluster
        .as_ref()
        .and_then(|cluster| cluster.server.as_deref())
        .is_some_and(|url| url.starts_with("https:"));
    // Without TLS there is nobody to authenticate to: kubectl does not ask for a user then, either.
    let user = user.filter(|user| secure && !user.is_empty() && kubeconfig.auth_infos.iter().all(|known| known.name != *user));
    if let Some(user) = user {
        return Err(lacks("user", &user, kubeconfig.auth_infos.iter().map(|user| &*user.name).collect()));
    }
    Ok(kubeconfig.clusters[place].cluster.get_or_insert_default())
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
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

fn read_file(file: &Path) -> Result<Kubeconfig, Unreachable> {
    let wrong = |reason: String| Unreachable::File { file: file.display().to_string(), reason };
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    if text.trim().is_empty() {
        return Err(wrong("it is empty".to_owned()));
    }
    // The first line has what is wrong and where; a picture of the place follows.
    Kubeconfig::read_from(file).map_err(|error| wrong(chain(&error).lines().next().unwrap_or_default().to_owned()))
}

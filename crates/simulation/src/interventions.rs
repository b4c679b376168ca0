//! What people and the rest of the cluster do to Jobs, pods and nodes.
//!
//! Docs: Jobs; Disruptions; Nodes. Which of it is done is drawn in `people.rs`.

use std::fmt;

use api::request::Request;
use api::{Kind, Text, Timestamp};
use cluster::ApiServer;
use cluster::apiserver::Target;
use cluster::kubelet::{Kubelet, PodDisruption, disrupt};
use script::Scripted;

use crate::story;

/// The namespace in which all happens.
pub(crate) const NAMESPACE: &str = "default";

/// Something that a person does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intervention {
    /// A person sends a request.
    Request(Request),
    /// A pod is evicted.
    Evict(Text),
    /// A pod's running containers exit, sidecars apart.
    Exit {
        /// The pod's name.
        pod: Text,
        /// Their exit code.
        code: u8,
    },
    /// The node is lost: nothing more is heard of it and its pods.
    LoseNode,
    /// The nodes that were lost are removed.
    RemoveNodes,
    /// A quota is used up: no further pods may be created.
    UseUpQuota,
    /// The quota is raised.
    RaiseQuota,
}

impl Intervention {
    /// Does it; if its object is gone, nothing happens. Returns what was refused.
    pub(crate) fn perform(&self, server: &mut ApiServer, kubelet: &mut Kubelet<Scripted>, now: Timestamp) -> Option<String> {
        match self {
            Self::Request(request) => return server.execute(request, now).err().map(|error| error.message),
            Self::Evict(pod) => drop(disrupt(server, NAMESPACE, pod, PodDisruption::Eviction, now)),
            Self::Exit { pod, code } => {
                let id = server.object(Kind::Pod, NAMESPACE, pod).and_then(|pod| kubelet.pod_id(&pod.metadata().uid));
                if let Some(id) = id {
                    kubelet.runtime.exit(id, None, *code, now);
                }
            }
            Self::LoseNode => kubelet.lose_node(now),
            Self::RemoveNodes => kubelet.remove_node(server, now),
            // Requests are refused where they are sent.
            Self::UseUpQuota | Self::RaiseQuota => {}
        }
        None
    }

    /// The intervention in a few words, without names and numbers.
    pub(crate) fn kind(&self) -> String {
        match self {
            Self::Request(request) => {
                let kind = Target::read(&request.path).map_or(Kind::Pod, |target| target.kind);
                let status = if request.path.ends_with("/status") { " status" } else { "" };
                format!("{} {}{status}", request.method.name(), kind.name())
            }
            Self::Evict(_) => "evict a pod".to_owned(),
            Self::Exit { .. } => "end a pod's containers".to_owned(),
            Self::LoseNode => "lose the node".to_owned(),
            Self::RemoveNodes => "remove the lost nodes".to_owned(),
            Self::UseUpQuota => "use up the quota".to_owned(),
            Self::RaiseQuota => "raise the quota".to_owned(),
        }
    }
}

impl fmt::Display for Intervention {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(request) => write!(formatter, "{} {}", story::described(request), request.body),
            Self::Evict(pod) => write!(formatter, "evicts pod {pod}"),
            Self::Exit { pod, code } => write!(formatter, "ends the containers of pod {pod} with exit code {code}"),
            Self::LoseNode => formatter.write_str("loses the node"),
            Self::RemoveNodes => formatter.write_str("removes the lost nodes"),
            Self::UseUpQuota => formatter.write_str("uses up the quota of pods"),
            Self::RaiseQuota => formatter.write_str("raises the quota of pods"),
        }
    }
}

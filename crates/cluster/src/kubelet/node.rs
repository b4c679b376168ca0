//! The nodes of a kubelet, one after another: their names and the addresses of their pods, which are made up.
//!
//! Docs: Nodes, "Addresses"; Cluster Networking. When a node is lost is decided in `mod.rs`.

use std::net::Ipv4Addr;

use api::Text;

use super::runtime::PodId;

/// The number of a node, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node(pub(super) u16);

impl Node {
    /// `node-1` is the first.
    pub(super) fn name(self) -> Text {
        format!("node-{}", self.0).into()
    }

    /// The node of this name, if it is one of these.
    pub(super) fn named(name: &str) -> Option<Self> {
        name.strip_prefix("node-")?.parse().ok().filter(|number| *number > 0).map(Self)
    }

    /// The node that comes after it.
    pub(super) fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// The node's address, in 10.0.0.0/16.
    pub(super) fn address(self) -> Ipv4Addr {
        let [high, low] = self.0.to_be_bytes();
        Ipv4Addr::new(10, 0, high, low)
    }

    /// The address of a pod on whatever node, in the rest of 10.0.0.0/8; those of pods far apart may be the same.
    pub(super) fn pod_address(pod: PodId) -> Ipv4Addr {
        let [.., third, second, low] = pod.0.to_be_bytes();
        Ipv4Addr::new(10, 1 + third % 255, second, low)
    }
}

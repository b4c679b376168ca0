//! What a kubelet reads of a pod's spec.
//!
//! Docs: Pod Lifecycle, "Container restarts"; Sidecar Containers, "Differences from init containers". What it does with it is in
//! `resident.rs`.

use api::json::{Read, ReadError};
use api::{Duration, Text};

use super::container::KubeletContainer;
use super::runtime::ContainerRole;

/// The fields of a pod's spec that the kubelet follows.
#[derive(Default)]
pub(super) struct KubeletSpec {
    /// The containers; init containers come first.
    pub(super) containers: Vec<KubeletContainer>,
    /// The first scheduling gate: a pod with one is not scheduled.
    pub(super) gate: Option<Text>,
    /// How long the pod may be on its node.
    pub(super) active_deadline: Option<Duration>,
}

/// Which ends of a container are followed by another start of it in place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum RestartPolicy {
    /// All of them.
    #[default]
    Always,
    /// Those with another exit code than 0.
    OnFailure,
    /// None.
    Never,
}

impl RestartPolicy {
    /// Whether a container that ended with this exit code is started again.
    pub(super) fn restarts(self, exit_code: i32) -> bool {
        match self {
            Self::Always => true,
            Self::OnFailure => exit_code != 0,
            Self::Never => false,
        }
    }
}

impl KubeletSpec {
    /// Reads a spec, JSON text.
    pub(super) fn read(json: &str) -> Result<Self, String> {
        let wire: WireSpec = api::json::from_str(json).map_err(|error| error.to_string())?;
        if wire.containers.is_empty() {
            return Err("there are no containers".to_owned());
        }
        let pod_policy = wire.restart_policy.unwrap_or_default();
        let init = wire.init_containers.into_iter().map(|container| {
            // An init container that has succeeded is done, also where others are restarted always.
            let (role, policy) = match (container.restart_policy, pod_policy) {
                (Some(RestartPolicy::Always), _) => (ContainerRole::Sidecar, RestartPolicy::Always),
                (Some(RestartPolicy::Never), _) | (None, RestartPolicy::Never) => (ContainerRole::Init, RestartPolicy::Never),
                (Some(RestartPolicy::OnFailure), _) | (None, RestartPolicy::Always | RestartPolicy::OnFailure) => {
                    (ContainerRole::Init, RestartPolicy::OnFailure)
                }
            };
            KubeletContainer::new(container.name, container.image, role, policy)
        });
        let regular = wire.containers.into_iter().map(|container| {
            let policy = container.restart_policy.unwrap_or(pod_policy);
            KubeletContainer::new(container.name, container.image, ContainerRole::Regular, policy)
        });
        Ok(Self {
            containers: init.chain(regular).collect(),
            gate: wire.scheduling_gates.into_iter().next().map(|gate| gate.name),
            active_deadline: wire.active_deadline_seconds.map(Duration::from_secs),
        })
    }
}

#[derive(Default, Read)]
struct WireGate {
    name: Text,
}

#[derive(Default, Read)]
struct WireSpec {
    restart_policy: Option<RestartPolicy>,
    active_deadline_seconds: Option<i64>,
    scheduling_gates: Vec<WireGate>,
    init_containers: Vec<WireContainer>,
    containers: Vec<WireContainer>,
}

#[derive(Default, Read)]
struct WireContainer {
    name: Text,
    image: Text,
    restart_policy: Option<RestartPolicy>,
}

impl Read for RestartPolicy {
    fn wanted(&self) -> &'static str {
        "Always, OnFailure or Never"
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        *self = match value {
            "Always" => Self::Always,
            "OnFailure" => Self::OnFailure,
            "Never" => Self::Never,
            _ => return Err(self.unfit(&format!("{value:?}"))),
        };
        Ok(())
    }
}

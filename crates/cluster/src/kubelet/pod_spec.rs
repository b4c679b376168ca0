//! What a kubelet reads of a pod's spec.
//!
//! Docs: Pod Lifecycle, "Container restarts", "Individual container restart policy and rules"; Sidecar Containers, "Differences from init containers". What it does with it is in
//! `resident.rs`.

use api::json::{Read, ReadError};
use api::{Duration, Text};

use super::container::KubeletContainer;
use super::runtime::ContainerRole;

/// The action of a rule that has all containers of the pod started again.
const RESTART_ALL: &str = "RestartAllContainers";

/// The fields of a pod's spec that the kubelet follows.
#[derive(Debug, Default)]
pub struct KubeletSpec {
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

/// Which ends of one container are followed by another start of it in place: those that one of its rules lists, and else those of its policy.
#[derive(Debug, Clone, Default)]
pub(super) struct ContainerRestarts {
    policy: RestartPolicy,
    rules: Vec<RestartRule>,
}

impl ContainerRestarts {
    /// Whether a container that ended with this exit code is started again.
    pub(super) fn restarts(&self, exit_code: i32) -> bool {
        let by_policy = match self.policy {
            RestartPolicy::Always => true,
            RestartPolicy::OnFailure => exit_code != 0,
            RestartPolicy::Never => false,
        };
        by_policy || self.rules.iter().any(|rule| rule.exit_codes.list(exit_code))
    }
}

impl KubeletSpec {
    /// Reads a spec, JSON text.
    ///
    /// # Errors
    /// Why no node can carry it out.
    pub fn read(json: &str) -> Result<Self, String> {
        let wire: WireSpec = api::json::from_str(json).map_err(|error| error.to_string())?;
        if wire.containers.is_empty() {
            return Err("there are no containers".to_owned());
        }
        let pod_policy = wire.restart_policy.unwrap_or_default();
        if let Some(container) = wire.init_containers.iter().chain(&wire.containers).find(|container| container.restarts_all()) {
            return Err(format!("container {} has the restart rule {RESTART_ALL}, which this node does not carry out", container.name));
        }
        let init = wire.init_containers.into_iter().map(|container| {
            // An init container that has succeeded is done, also where others are restarted always.
            let (role, policy) = match (container.restart_policy, pod_policy) {
                (Some(RestartPolicy::Always), _) => (ContainerRole::Sidecar, RestartPolicy::Always),
                (Some(RestartPolicy::Never), _) | (None, RestartPolicy::Never) => (ContainerRole::Init, RestartPolicy::Never),
                (Some(RestartPolicy::OnFailure), _) | (None, RestartPolicy::Always | RestartPolicy::OnFailure) => {
                    (ContainerRole::Init, RestartPolicy::OnFailure)
                }
            };
            container.kubelet_container(role, policy)
        });
        let regular = wire.containers.into_iter().map(|container| {
            let policy = container.restart_policy.unwrap_or(pod_policy);
            container.kubelet_container(ContainerRole::Regular, policy)
        });
        Ok(Self {
            containers: init.chain(regular).collect(),
            gate: wire.scheduling_gates.into_iter().next().map(|gate| gate.name),
            active_deadline: wire.active_deadline_seconds.map(Duration::from_secs),
        })
    }

    /// How long a pod may be on its node.
    #[must_use]
    pub fn active_deadline(&self) -> Option<Duration> {
        self.active_deadline
    }

    /// The names of the containers of a role, in order.
    pub fn names(&self, role: ContainerRole) -> impl Iterator<Item = &Text> {
        self.of_role(role).map(|container| &container.name)
    }

    /// Whether the first regular container is started again in place when it ends with this exit code.
    #[must_use]
    pub fn first_restarts(&self, exit_code: i32) -> bool {
        self.of_role(ContainerRole::Regular).next().is_some_and(|first| first.restarts.restarts(exit_code))
    }

    fn of_role(&self, role: ContainerRole) -> impl Iterator<Item = &KubeletContainer> {
        self.containers.iter().filter(move |container| container.role == role)
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
    restart_policy_rules: Vec<RestartRule>,
}

impl WireContainer {
    /// Whether it may have all containers of its pod started again.
    fn restarts_all(&self) -> bool {
        self.restart_policy_rules.iter().any(|rule| *rule.action == *RESTART_ALL)
    }

    fn kubelet_container(self, role: ContainerRole, policy: RestartPolicy) -> KubeletContainer {
        KubeletContainer::new(self.name, self.image, role, ContainerRestarts { policy, rules: self.restart_policy_rules })
    }
}

/// Exit codes after which a container is started again, whatever its policy is.
#[derive(Debug, Clone, Default, Read)]
struct RestartRule {
    action: Text,
    exit_codes: RestartExitCodes,
}

#[derive(Debug, Clone, Default, Read)]
struct RestartExitCodes {
    operator: Text,
    values: Vec<i32>,
}

impl RestartExitCodes {
    /// Whether it is about containers that ended with this exit code.
    fn list(&self, exit_code: i32) -> bool {
        match &*self.operator {
            "In" => self.values.contains(&exit_code),
            "NotIn" => !self.values.contains(&exit_code),
            _ => false,
        }
    }
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

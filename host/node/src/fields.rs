//! Every field of a pod template, and how it is treated where containers are local processes.
//!
//! Docs: Kubernetes API, PodSpec, Container and EnvVar of v1.37. What is reported about a field is put together in `admission.rs`.

use Treatment::{Examined, Harmless, Honoured, Refused, Warned, WarnedUnless};

/// How a field is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    /// It does what the API defines.
    Honoured,
    /// It does nothing here, and the result is the same.
    Harmless,
    /// It does nothing here, which is worth a word.
    Warned(Concern),
    /// The same, except for this value, which is the default.
    WarnedUnless(&'static str, Concern),
    /// It changes the result and cannot be done.
    Refused(Unsupported),
    /// It depends on its value.
    Examined,
}

/// What people are warned of, once each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Concern {
    Images,
    Resources,
    Probes,
    Isolation,
    Scheduling,
    Identity,
    Network,
    TerminationMessages,
}

impl Concern {
    /// The warning in a sentence.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::Images => "images are not pulled: commands run with the programs and files of this machine",
            Self::Resources => "requests and limits are not enforced: commands share what this machine has",
            Self::Probes => "probes and readiness gates are ignored: a running container is ready",
            Self::Isolation => "security settings do not apply: commands run unconfined, as the user who started them",
            Self::Scheduling => "pods are not scheduled: they all run on this machine, at once",
            Self::Identity => "there is no service account: no token is mounted",
            Self::Network => "pods share the network of this machine: its name, its addresses, its ports",
            Self::TerminationMessages => "termination messages are not read",
        }
    }
}

/// Why a field cannot be honoured, and what to do instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsupported {
    Mount,
    ConfigurationObject,
    Limits,
    Hook,
    Terminal,
    SharedProcesses,
    EphemeralContainer,
    RestartAll,
    HostAliases,
    DnsName,
    Gate,
    Device,
    Unknown,
}

impl Unsupported {
    /// The reason, and the remedy.
    pub(super) fn explained(self) -> (&'static str, &'static str) {
        match self {
            Self::Mount => {
                ("a local process has no file system of its own to mount volumes into", "use paths on this machine in the command")
            }
            Self::ConfigurationObject => {
                ("there are no ConfigMaps, Secrets or env files on this machine", "set the variables to plain values")
            }
            Self::Limits => ("a local process has no limits that a variable could refer to", "write the value"),
            Self::Hook => ("lifecycle hooks and stop signals are not supported", "do it in the command: it gets TERM before it is killed"),
            Self::Terminal => ("a local process has neither a terminal nor an input", "remove it, and give the command a file to read"),
            Self::SharedProcesses => ("the containers of a pod do not see one another as they would in the cluster", "remove it"),
            Self::EphemeralContainer => ("ephemeral containers are not run", "remove it"),
            Self::RestartAll => ("the containers of a pod are restarted one by one, not all together", "use the action Restart"),
            Self::HostAliases => {
                ("names are resolved by this machine", "write the addresses, or add the names to this machine's hosts file")
            }
            Self::DnsName => (
                "a local process has no DNS name: a command that waits for another pod's name to resolve would wait forever",
                "remove it, and reach the other pods at 127.0.0.1",
            ),
            Self::Gate => ("the pod would wait forever, because nothing here removes the gate", "remove it"),
            Self::Device => ("devices are not allocated", "remove it, and let the command use this machine's devices"),
            Self::Unknown => ("the PodSpec of Kubernetes v1.37 has no such field", "check its spelling and its place, or remove it"),
        }
    }
}

/// Fields and their treatment, sorted by name.
pub(super) type FieldTable = [(&'static str, Treatment)];

/// `spec` of a pod template.
pub(super) const POD_SPEC: &FieldTable = &[
    ("activeDeadlineSeconds", Honoured),
    ("affinity", Warned(Concern::Scheduling)),
    ("automountServiceAccountToken", Warned(Concern::Identity)),
    ("containers", Examined),
    ("dnsConfig", Warned(Concern::Network)),
    ("dnsPolicy", Harmless),
    ("enableServiceLinks", Harmless),
    ("ephemeralContainers", Refused(Unsupported::EphemeralContainer)),
    ("evictionResponders", Harmless),
    ("hostAliases", Refused(Unsupported::HostAliases)),
    ("hostIPC", Harmless),
    ("hostNetwork", Harmless),
    ("hostPID", Harmless),
    ("hostUsers", Harmless),
    ("hostname", Honoured),
    ("hostnameOverride", Honoured),
    ("imagePullSecrets", Warned(Concern::Images)),
    ("initContainers", Examined),
    ("nodeName", Warned(Concern::Scheduling)),
    ("nodeSelector", Warned(Concern::Scheduling)),
    ("os", Examined),
    ("overhead", Warned(Concern::Resources)),
    ("preemptionPolicy", WarnedUnless("PreemptLowerPriority", Concern::Scheduling)),
    ("priority", Warned(Concern::Scheduling)),
    ("priorityClassName", Warned(Concern::Scheduling)),
    ("readinessGates", Warned(Concern::Probes)),
    ("resourceClaims", Refused(Unsupported::Device)),
    ("resources", Warned(Concern::Resources)),
    ("restartPolicy", Honoured),
    ("runtimeClassName", Warned(Concern::Isolation)),
    ("schedulerName", WarnedUnless("default-scheduler", Concern::Scheduling)),
    ("schedulingGates", Refused(Unsupported::Gate)),
    ("schedulingGroup", Warned(Concern::Scheduling)),
    ("securityContext", Warned(Concern::Isolation)),
    ("serviceAccount", WarnedUnless("default", Concern::Identity)),
    ("serviceAccountName", WarnedUnless("default", Concern::Identity)),
    ("setHostnameAsFQDN", Warned(Concern::Network)),
    ("shareProcessNamespace", Refused(Unsupported::SharedProcesses)),
    ("subdomain", Refused(Unsupported::DnsName)),
    ("terminationGracePeriodSeconds", Honoured),
    ("tolerations", Warned(Concern::Scheduling)),
    ("topologySpreadConstraints", Warned(Concern::Scheduling)),
    ("volumes", Examined),
];

/// An entry of `containers` or `initContainers`.
pub(super) const CONTAINER: &FieldTable = &[
    ("args", Honoured),
    ("command", Honoured),
    ("env", Examined),
    ("envFrom", Refused(Unsupported::ConfigurationObject)),
    ("image", Warned(Concern::Images)),
    ("imagePullPolicy", Harmless),
    ("lifecycle", Refused(Unsupported::Hook)),
    ("livenessProbe", Warned(Concern::Probes)),
    ("name", Honoured),
    ("ports", Warned(Concern::Network)),
    ("readinessProbe", Warned(Concern::Probes)),
    ("resizePolicy", Harmless),
    ("resources", Warned(Concern::Resources)),
    ("restartPolicy", Honoured),
    ("restartPolicyRules", Examined),
    ("securityContext", Warned(Concern::Isolation)),
    ("startupProbe", Warned(Concern::Probes)),
    ("stdin", Refused(Unsupported::Terminal)),
    ("stdinOnce", Harmless),
    ("terminationMessagePath", WarnedUnless("/dev/termination-log", Concern::TerminationMessages)),
    ("terminationMessagePolicy", WarnedUnless("File", Concern::TerminationMessages)),
    ("tty", Refused(Unsupported::Terminal)),
    ("volumeDevices", Refused(Unsupported::Device)),
    ("volumeMounts", Refused(Unsupported::Mount)),
    ("workingDir", Examined),
];

/// An entry of `restartPolicyRules`.
pub(super) const RESTART_RULE: &FieldTable = &[("action", Examined), ("exitCodes", Honoured)];

/// An entry of `env`.
pub(super) const VARIABLE: &FieldTable = &[("name", Honoured), ("value", Honoured), ("valueFrom", Examined)];

/// `valueFrom` of an entry of `env`.
pub(super) const SOURCE: &FieldTable = &[
    ("configMapKeyRef", Refused(Unsupported::ConfigurationObject)),
    ("fieldRef", Examined),
    ("fileKeyRef", Refused(Unsupported::ConfigurationObject)),
    ("resourceFieldRef", Refused(Unsupported::Limits)),
    ("secretKeyRef", Refused(Unsupported::ConfigurationObject)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_fields_of_their_types() {
        let tables = [
            ("PodSpec", POD_SPEC),
            ("Container", CONTAINER),
            ("ContainerRestartRule", RESTART_RULE),
            ("EnvVar", VARIABLE),
            ("EnvVarSource", SOURCE),
        ];
        for (name, table) in tables {
            let treated: Vec<&str> = table.iter().map(|(field, _)| *field).collect();
            assert_eq!(treated, schema::of(name).names().collect::<Vec<_>>(), "of {name}");
        }
    }
}

//! What a container runs: its arguments, environment and working directory, made of the pod as it is stored.
//!
//! Docs: Define a Command and Arguments for a Container, "Run a command in a shell". The environment is in `environment.rs`, running it in
//! `processes.rs`; a container that cannot be run this way is refused before, in `admission.rs`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use super::environment::LocalNode;
use super::environment::{Facts, Variable, variables};
use super::expansion::expand;

/// A command, ready to be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerCommand {
    /// The program and its arguments. Without a slash, the program is looked for in `PATH` of `env`.
    pub argv: Vec<String>,
    /// The whole environment.
    pub env: BTreeMap<String, String>,
    /// Where it runs; absent: where this program runs.
    pub working_dir: Option<PathBuf>,
}

/// A container that cannot be run as a local process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unrunnable {
    /// It leaves its command to the image.
    #[error("container {container} has no command, and its image is not pulled: write spec.containers[].command")]
    NoCommand {
        /// The container's name.
        container: String,
    },
    /// A variable comes from somewhere that does not exist on this machine.
    #[error("cannot set variable {variable} of container {container} on this machine: write its value")]
    NoValue {
        /// The container's name.
        container: String,
        /// The variable's name.
        variable: String,
    },
    /// The pod is not as the API writes it.
    #[error("cannot read the pod: {0}")]
    Malformed(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContainerSpec {
    name: String,
    command: Option<Vec<String>>,
    args: Option<Vec<String>>,
    env: Option<Vec<Variable>>,
    working_dir: Option<PathBuf>,
}

impl ContainerCommand {
    /// The command of one container of a pod on a node; `container` is the entry of `spec.containers` or `spec.initContainers`.
    ///
    /// # Errors
    /// If the container cannot be run as a local process; none of these is left once the pod template is admitted.
    pub fn of(pod: &Value, container: &Value, node: &LocalNode) -> Result<Self, Unrunnable> {
        let malformed = |error: serde_json::Error| Unrunnable::Malformed(error.to_string());
        let facts = Facts::deserialize(pod).map_err(malformed)?;
        let ContainerSpec { name, command, args, env, working_dir } = ContainerSpec::deserialize(container).map_err(malformed)?;
        let Some(command) = command.filter(|command| !command.is_empty()) else { return Err(Unrunnable::NoCommand { container: name }) };

        let own =
            variables(&env.unwrap_or_default(), &facts, node).map_err(|variable| Unrunnable::NoValue { container: name, variable })?;
        // Only the manifest's variables can be referred to: those of the machine would differ from one to the next.
        let value = |name: &str| own.get(name).map(String::as_str);
        let argv = command.iter().chain(args.iter().flatten()).map(|text| expand(text, value)).collect();

        let mut environment = node.environment.clone();
        environment.insert("HOSTNAME".to_owned(), facts.hostname().to_owned());
        environment.extend(own);
        Ok(Self { argv, env: environment, working_dir: working_dir.filter(|path| !path.as_os_str().is_empty()) })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn node() -> LocalNode {
        LocalNode {
            name: "here".into(),
            address: [127, 0, 0, 1].into(),
            environment: BTreeMap::from([("PATH".into(), "/bin".into()), ("HOME".into(), "/me".into())]),
        }
    }

    fn check(container: Value) -> Result<ContainerCommand, Unrunnable> {
        ContainerCommand::of(&json!({"metadata": {"name": "pi-0-abcde"}, "spec": {"hostname": "pi-0"}, "status": {}}), &container, &node())
    }

    #[test]
    fn arguments_follow_the_command_and_variables_are_replaced() {
        let command = check(json!({
            "name": "main", "command": ["echo", "$(GREETING)"], "args": ["$(HOME)", "$$(GREETING)", "$(GREETING)!"],
            "env": [{"name": "GREETING", "value": "hello"}], "workingDir": "/tmp",
        }))
        .unwrap();
        assert_eq!(command.argv, ["echo", "hello", "$(HOME)", "$(GREETING)", "hello!"]);
        assert_eq!(command.working_dir, Some(PathBuf::from("/tmp")));
    }

    #[test]
    fn the_environment_is_what_the_machine_lends_the_host_name_and_the_manifest() {
        let command = check(
            json!({"name": "main", "command": ["env"], "env": [{"name": "HOME", "value": "/home/job"}, {"name": "A", "value": "1"}]}),
        )
        .unwrap();
        let expected = [("A", "1"), ("HOME", "/home/job"), ("HOSTNAME", "pi-0"), ("PATH", "/bin")];
        assert_eq!(command.env, expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
        assert_eq!(command.working_dir, None);
    }

    #[test]
    fn the_host_name_is_the_pods_name_unless_it_has_one() {
        let hostname = |spec: Value| {
            let pod = json!({"metadata": {"name": "pi-abcde"}, "spec": spec});
            ContainerCommand::of(&pod, &json!({"name": "main", "command": ["env"]}), &node()).unwrap().env["HOSTNAME"].clone()
        };
        assert_eq!(hostname(json!({})), "pi-abcde");
        assert_eq!(hostname(json!({"hostname": "pi-0"})), "pi-0");
        assert_eq!(hostname(json!({"hostname": "pi-0", "hostnameOverride": "other.example"})), "other.example");
    }

    #[test]
    fn commands_that_cannot_run_are_refused() {
        let no_command = Unrunnable::NoCommand { container: "main".into() };
        assert_eq!(check(json!({"name": "main", "args": ["x"]})), Err(no_command.clone()));
        assert_eq!(check(json!({"name": "main", "command": [], "args": null})), Err(no_command));
        let secret = json!([{"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]);
        let error = check(json!({"name": "main", "command": ["x"], "env": secret})).unwrap_err();
        assert_eq!(error.to_string(), "cannot set variable KEY of container main on this machine: write its value");
    }
}

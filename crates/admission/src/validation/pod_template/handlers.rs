//! Probes and hooks: what is run or called, and how often.
//!
//! Docs: Liveness, Readiness, and Startup Probes; Container Lifecycle Hooks (A-70).

use super::{Surroundings, ports};
use crate::pod_template::{Container, Handler, HttpGet, PortReference, Probe};
use crate::validation::{FieldError, Path, non_negative, one_of, required};

const NO_HEADER: &str = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation \
     is '[-A-Za-z0-9]+')";

/// Checks the probes and hooks of a container that may have some.
pub(super) fn check(path: &Path, container: &Container, around: &Surroundings, errors: &mut Vec<FieldError>) {
    if let Some(lifecycle) = &container.lifecycle {
        for (field, hook) in [("postStart", &lifecycle.post_start), ("preStop", &lifecycle.pre_stop)] {
            if let Some(hook) = hook {
                check_handler(&path.field("lifecycle").field(field), hook, around, errors);
            }
        }
    }
    for (field, probe) in probes(container) {
        check_probe(&path.field(field), field, probe, around, errors);
    }
}

/// Checks that an init container that ends by itself has none.
pub(super) fn check_none(path: &Path, container: &Container, errors: &mut Vec<FieldError>) {
    let lifecycle = container.lifecycle.as_ref().map(|_| "lifecycle");
    for field in lifecycle.into_iter().chain(probes(container).map(|(field, _)| field)) {
        errors.push(FieldError::forbidden(path.field(field), "may not be set for init containers without restartPolicy=Always"));
    }
}

fn probes(container: &Container) -> impl Iterator<Item = (&'static str, &Probe)> {
    let probes = [
        ("livenessProbe", &container.liveness_probe),
        ("readinessProbe", &container.readiness_probe),
        ("startupProbe", &container.startup_probe),
    ];
    probes.into_iter().filter_map(|(field, probe)| Some((field, probe.as_ref()?)))
}

fn check_probe(path: &Path, field: &str, probe: &Probe, around: &Surroundings, errors: &mut Vec<FieldError>) {
    check_handler(path, &probe.handler, around, errors);
    for (field, number) in [
        ("initialDelaySeconds", probe.initial_delay_seconds),
        ("timeoutSeconds", probe.timeout_seconds),
        ("periodSeconds", probe.period_seconds),
        ("successThreshold", probe.success_threshold),
        ("failureThreshold", probe.failure_threshold),
    ] {
        non_negative(&path.field(field), Some(number), errors);
    }
    let grace = path.field("terminationGracePeriodSeconds");
    if let Some(seconds) = probe.termination_grace_period_seconds.filter(|seconds| *seconds <= 0) {
        errors.push(FieldError::invalid(grace, &seconds, "must be greater than 0"));
    }
    if field == "readinessProbe" {
        if let Some(seconds) = probe.termination_grace_period_seconds {
            errors.push(FieldError::invalid(grace, &seconds, "must not be set for readinessProbes"));
        }
    } else if !matches!(probe.success_threshold, 0 | 1) {
        errors.push(FieldError::invalid(path.field("successThreshold"), &probe.success_threshold, "must be 1"));
    }
}

/// Checks that there is one handler, and what it is.
fn check_handler(path: &Path, handler: &Handler, around: &Surroundings, errors: &mut Vec<FieldError>) {
    let mut first = true;
    let mut counts = |field: &str, errors: &mut Vec<FieldError>| {
        if !first {
            errors.push(FieldError::forbidden(path.field(field), "may not specify more than 1 handler type"));
        }
        std::mem::replace(&mut first, false)
    };
    if let Some(exec) = &handler.exec
        && counts("exec", errors)
        && exec.command.is_empty()
    {
        errors.push(FieldError::required(path.field("exec.command"), ""));
    }
    if let Some(request) = &handler.http_get
        && counts("httpGet", errors)
    {
        check_request(&path.field("httpGet"), request, errors);
    }
    for (field, socket) in [("tcpSocket", &handler.tcp_socket), ("grpc", &handler.grpc)] {
        if let Some(socket) = socket
            && counts(field, errors)
        {
            check_port(&path.field(field).field("port"), &socket.port, errors);
        }
    }
    if let Some(sleep) = &handler.sleep
        && counts("sleep", errors)
    {
        let grace = around.pod.termination_grace_period_seconds.unwrap_or_default();
        if !(0..=grace).contains(&sleep.seconds) {
            let detail = format!("must be non-negative and less than terminationGracePeriodSeconds ({grace})");
            errors.push(FieldError::invalid(path.field("sleep"), &sleep.seconds, detail));
        }
    }
    if first {
        errors.push(FieldError::required(path, "must specify a handler type"));
    }
}

fn check_request(path: &Path, request: &HttpGet, errors: &mut Vec<FieldError>) {
    required(&path.field("path"), &request.path, errors);
    check_port(&path.field("port"), &request.port, errors);
    one_of(&path.field("scheme"), &request.scheme, schema::values("HTTPGetAction", "scheme"), errors);
    for header in &request.http_headers {
        let name = &*header.name;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            errors.push(FieldError::invalid(path.field("httpHeaders"), name, NO_HEADER));
        }
    }
}

fn check_port(path: &Path, port: &PortReference, errors: &mut Vec<FieldError>) {
    match port {
        PortReference::Number(number) => ports::check_number(path, *number, errors),
        PortReference::Name(name) => ports::check_name(path, name, errors),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_container, check_pod};
    use super::*;

    #[test]
    fn a_70_probes() {
        check_container(r#""livenessProbe":{"httpGet":{"path":"/","port":"http","scheme":"HTTP"},"successThreshold":1}"#, &[]);
        check_container(r#""livenessProbe":{}"#, &["containers[0].livenessProbe: Required value: must specify a handler type"]);
        check_container(
            r#""livenessProbe":{"exec":{},"tcpSocket":{"port":0},"grpc":{"port":1},"timeoutSeconds":-1,"successThreshold":2,
                "terminationGracePeriodSeconds":0}"#,
            &[
                "containers[0].livenessProbe.exec.command: Required value",
                "containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type",
                "containers[0].livenessProbe.grpc: Forbidden: may not specify more than 1 handler type",
                "containers[0].livenessProbe.timeoutSeconds: Invalid value: -1: must be greater than or equal to 0",
                "containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0",
                "containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1",
            ],
        );
        check_container(
            r#""readinessProbe":{"grpc":{"port":1},"successThreshold":2,"terminationGracePeriodSeconds":1}"#,
            &["containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes"],
        );
    }

    #[test]
    fn a_70_requests() {
        let header = format!(r#"containers[0].startupProbe.httpGet.httpHeaders: Invalid value: "a b": {NO_HEADER}"#);
        check_container(
            r#""startupProbe":{"httpGet":{"path":"/","port":"A","scheme":"x","httpHeaders":[{"name":"a b"}]},"successThreshold":1}"#,
            &[
                r#"containers[0].startupProbe.httpGet.port: Invalid value: "A": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"#,
                r#"containers[0].startupProbe.httpGet.port: Invalid value: "A": must contain at least one letter (a-z)"#,
                r#"containers[0].startupProbe.httpGet.scheme: Unsupported value: "x": supported values: "HTTP", "HTTPS""#,
                &header,
            ],
        );
    }

    #[test]
    fn a_70_hooks() {
        check_container(r#""lifecycle":{"preStop":{"sleep":{"seconds":30}}}"#, &[]);
        check_container(
            r#""lifecycle":{"postStart":{},"preStop":{"sleep":{"seconds":31}}}"#,
            &[
                "containers[0].lifecycle.postStart: Required value: must specify a handler type",
                "containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)",
            ],
        );
    }

    #[test]
    fn a_70_only_sidecars_among_init_containers_have_probes() {
        let init = |policy: &str| {
            let required = r#""name":"init","image":"x","imagePullPolicy":"Always","terminationMessagePolicy":"File""#;
            format!(r#""initContainers":[{{{required},"lifecycle":{{}},"startupProbe":{{"grpc":{{"port":1}}}}{policy}}}]"#)
        };
        check_pod(&init(r#","restartPolicy":"Always""#), &[]);
        check_pod(
            &init(""),
            &[
                "initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always",
                "initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
            ],
        );
    }
}

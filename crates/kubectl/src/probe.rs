//! A probe on one line: what it does, and how often.
//!
//! Docs: Configure Liveness, Readiness and Startup Probes.

use serde_json::Value;

use crate::value::{joined, number, text};

/// The line.
pub(crate) fn line(probe: &Value) -> String {
    let [delay, timeout, period, success, failure] =
        ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"]
            .map(|field| number(&probe[field]));
    format!("{} delay={delay}s timeout={timeout}s period={period}s successThreshold={success} failureThreshold={failure}", action(probe))
}

fn action(probe: &Value) -> String {
    let (exec, get, socket, grpc) = (&probe["exec"], &probe["httpGet"], &probe["tcpSocket"], &probe["grpc"]);
    if exec.is_object() {
        return format!("exec [{}]", joined(&exec["command"], " "));
    }
    if get.is_object() {
        let path = text(&get["path"]);
        let slash = if path.is_empty() || path.starts_with('/') { "" } else { "/" };
        let scheme = text(&get["scheme"]).to_ascii_lowercase();
        return format!("http-get {scheme}://{}:{}{slash}{}", text(&get["host"]), port(&get["port"]), escaped(path));
    }
    if socket.is_object() {
        return format!("tcp-socket {}:{}", text(&socket["host"]), port(&socket["port"]));
    }
    if grpc.is_object() {
        return format!("grpc <pod>:{} {}", number(&grpc["port"]), text(&grpc["service"]));
    }
    "unknown".to_owned()
}

/// A port's number or name.
fn port(port: &Value) -> String {
    port.as_str().map_or_else(|| number(port).to_string(), str::to_owned)
}

/// A path as it stands in a URL.
fn escaped(path: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ if b"-_.~$&+,/:;=@!'()*".contains(&byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.bytes().map(escape).collect()
}

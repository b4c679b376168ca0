//! Probes and hooks of containers: what the kubelet runs or calls.
//!
//! Docs: Liveness, Readiness, and Startup Probes; Container Lifecycle Hooks.

use api::Text;
use api::json::{JsonValue, Read, ReadError};

use super::LocalObjectReference;

/// A probe.
#[derive(Debug, Clone, Default)]
pub(crate) struct Probe {
    pub(crate) handler: Handler,
    pub(crate) initial_delay_seconds: i32,
    pub(crate) timeout_seconds: i32,
    pub(crate) period_seconds: i32,
    pub(crate) success_threshold: i32,
    pub(crate) failure_threshold: i32,
    pub(crate) termination_grace_period_seconds: Option<i64>,
}

impl Read for Probe {
    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        match name {
            "initialDelaySeconds" => value.read(&mut self.initial_delay_seconds),
            "timeoutSeconds" => value.read(&mut self.timeout_seconds),
            "periodSeconds" => value.read(&mut self.period_seconds),
            "successThreshold" => value.read(&mut self.success_threshold),
            "failureThreshold" => value.read(&mut self.failure_threshold),
            "terminationGracePeriodSeconds" => value.read(&mut self.termination_grace_period_seconds),
            _ => self.handler.field(name, value),
        }
    }
}

/// Hooks of a container.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Lifecycle {
    pub(crate) post_start: Option<Handler>,
    pub(crate) pre_stop: Option<Handler>,
}

/// What is run or called; one of these.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Handler {
    pub(crate) exec: Option<Exec>,
    pub(crate) http_get: Option<HttpGet>,
    pub(crate) tcp_socket: Option<TcpSocket>,
    pub(crate) grpc: Option<TcpSocket>,
    pub(crate) sleep: Option<Sleep>,
}

/// A command.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Exec {
    pub(crate) command: Vec<Text>,
}

/// A request over HTTP.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct HttpGet {
    pub(crate) path: Text,
    pub(crate) port: PortReference,
    pub(crate) scheme: Text,
    pub(crate) http_headers: Vec<LocalObjectReference>,
}

/// A connection to a port.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct TcpSocket {
    pub(crate) port: PortReference,
}

/// A pause.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Sleep {
    pub(crate) seconds: i64,
}

/// A port, by its number or its name.
#[derive(Debug, Clone)]
pub(crate) enum PortReference {
    Number(i32),
    Name(Text),
}

impl Default for PortReference {
    fn default() -> Self {
        Self::Number(0)
    }
}

impl Read for PortReference {
    fn wanted(&self) -> &'static str {
        "a number or a name"
    }

    fn integer(&mut self, value: i64) -> Result<(), ReadError> {
        let mut number = 0;
        number.integer(value)?;
        *self = Self::Number(number);
        Ok(())
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        *self = Self::Name(value.into());
        Ok(())
    }
}

//! Containers that have no end: they are known to serve until they are ended, or their last command waits or loops forever.
//!
//! Docs: none of Kubernetes'. Scripts are read in `shell.rs`; what follows from it is decided in `rules/sidecar_blocks.rs`, `rules/endless_command.rs` and
//! `rules/sidecar_failure_ignored.rs`.

use crate::container::TemplateContainer;
use crate::image::ImageName;
use crate::shell::pipelines;

/// What the images of helpers end with, without their tags: programs that serve until they are ended.
const HELPERS: [&str; 24] = [
    "alloy",
    "cloud-sql-proxy",
    "cloudsql-docker/gce-proxy",
    "datadog/agent",
    "dind",
    "envoy",
    "filebeat",
    "fluent-bit",
    "fluentd",
    "gcs-fuse-csi-driver-sidecar-mounter",
    "istio/proxyv2",
    "linkerd/proxy",
    "linkerd2-proxy",
    "oauth2-proxy",
    "opentelemetry-collector",
    "opentelemetry-collector-contrib",
    "pgbouncer",
    "promtail",
    "proxyv2",
    "statsd-exporter",
    "stunnel",
    "tailscale",
    "telegraf",
    "vector",
];

/// Whether a container is known or seen to serve forever.
pub(crate) fn serves_forever(container: &TemplateContainer<'_>) -> bool {
    let image = ImageName::of(container.image());
    let in_docker = image.name() == "docker" && image.tag.is_some_and(|tag| tag.contains("dind"));
    in_docker || HELPERS.iter().any(|helper| image.ends_in(helper)) || endless(container)
}

/// Whether a container ends in a command that has no end.
pub(crate) fn endless(container: &TemplateContainer<'_>) -> bool {
    let words: Vec<&str> = container.words().into_iter().map(|(_, word)| word).collect();
    let script = container.script().and_then(|script| pipelines(script.text));
    let last = script.and_then(|mut lines| lines.pop()?.commands.pop());
    match last {
        Some(command) if command.compound => {
            matches!(&command.words[..], [first, second, ..] if first == "while" && ["true", ":"].contains(&&**second))
                && !command.words.iter().any(|word| ["break", "exit"].contains(&&**word))
        }
        Some(command) => without_end(&command.words.iter().map(String::as_str).collect::<Vec<_>>()),
        None => without_end(&words),
    }
}

fn without_end(words: &[&str]) -> bool {
    match words {
        ["exec", rest @ ..] => without_end(rest),
        ["sleep", length, ..] => ["infinity", "inf"].contains(length),
        ["tail", options @ ..] => {
            options.iter().any(|option| ["-f", "-F", "--follow"].contains(option))
                && !options.iter().any(|option| option.starts_with("--pid"))
        }
        _ => false,
    }
}

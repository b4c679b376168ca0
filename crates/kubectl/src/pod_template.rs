//! The pod template in `kubectl describe job`: metadata, containers, volumes, and where the Pods may run.
//!
//! Docs: Jobs, "Pod Template". Containers are written in `container.rs`, volumes in `volumes.rs`, what concerns nodes in `scheduling.rs`.

use std::fmt::Write as _;

use serde_json::Value;

use crate::labels::{write_annotations, write_labels};
use crate::value::{entries, text};
use crate::{container, scheduling, volumes};

/// Writes a template.
pub(crate) fn write(out: &mut String, template: &Value) {
    let (metadata, spec) = (&template["metadata"], &template["spec"]);
    out.push_str("Pod Template:\n");
    write_labels(out, "  Labels", &metadata["labels"], "");
    if entries(&metadata["annotations"]).next().is_some() {
        write_annotations(out, "  Annotations", &metadata["annotations"], "");
    }
    if !text(&spec["serviceAccountName"]).is_empty() {
        let _ = writeln!(out, "  Service Account:\t{}", text(&spec["serviceAccountName"]));
    }
    container::write(out, "  Init Containers:\n", &spec["initContainers"]);
    container::write(out, "  Containers:\n", &spec["containers"]);
    volumes::write(out, &spec["volumes"]);
    scheduling::write(out, spec);
}

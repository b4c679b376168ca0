//! injected-proxy: a service mesh adds a proxy to the pods, and the proxy does not end.
//!
//! Docs: Sidecar Containers, "Jobs with sidecar containers"; Istio, "Installing the Sidecar"; Linkerd, "Automatic Proxy Injection". Proxies in the
//! manifest itself are in `sidecar_blocks.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"injected-proxy"),
    code: 202,
    severity: Severity::Warning,
    summary: "A service mesh adds a proxy that can keep the pod from completing",
    finder: Finder::Advice(find),
};

/// A mesh: its name, the label or annotation that asks for its proxy with its value, and those that make it a sidecar that ends.
struct Mesh {
    name: &'static str,
    key: &'static str,
    value: &'static str,
    native: &'static [&'static str],
}

const MESHES: [Mesh; 2] = [
    Mesh { name: "Istio", key: "sidecar.istio.io/inject", value: "true", native: &["sidecar.istio.io/nativeSidecar"] },
    Mesh {
        name: "Linkerd",
        key: "linkerd.io/inject",
        value: "enabled",
        native: &["config.alpha.linkerd.io/proxy-enable-native-sidecar", "config.beta.linkerd.io/proxy-enable-native-sidecar"],
    },
];

/// What stands in commands that end the proxy after the work.
const ENDINGS: [&str; 3] = ["quitquitquit", "linkerd-await", "/shutdown"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let words = || workload.containers().into_iter().flat_map(|container| container.words());
    if words().any(|(_, word)| ENDINGS.iter().any(|ending| word.contains(ending))) {
        return Vec::new();
    }
    let finding = |Mesh { name, key, value, native }: &Mesh| {
        let map = ["labels", "annotations"].into_iter().find(|map| workload.pod_mark(map, key) == Some(value))?;
        if native.iter().any(|native| workload.pod_mark("annotations", native) == Some("true")) {
            return None;
        }
        let message =
            format!("{name} adds a proxy to the pods, which keeps running after the work: they only complete if it is a native sidecar");
        let (off, native) = (if *value == "true" { "\"false\"" } else { "disabled" }, native.last().unwrap_or(key));
        let remedy = format!("set it to {off}, or add the annotation `{native}: \"true\"` to the pod template");
        Some(Finding::at(workload.pod_metadata(map, key), message, remedy))
    };
    MESHES.iter().filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn marked(metadata: &str, command: &str) -> String {
        let template = format!("  template:\n    metadata: {{{metadata}}}\n");
        job(&[], &[], &[&format!("command: {command}")]).replace("  template:\n", &template)
    }

    #[test]
    fn meshes_that_add_a_proxy_are_found() {
        check(
            &RULE,
            &[
                &marked("labels: {sidecar.istio.io/inject: 'true'}", "[a]"),
                &marked("annotations: {sidecar.istio.io/inject: 'true'}", "[a]"),
                &marked("annotations: {linkerd.io/inject: enabled}", "[a]"),
            ],
            expect![[r#"
                0: 6:50 Warning spec.template.metadata.labels[sidecar.istio.io/inject]: Istio adds a proxy to the pods, which keeps running after the work: they only complete if it is a native sidecar; set it to "false", or add the annotation `sidecar.istio.io/nativeSidecar: "true"` to the pod template
                1: 6:55 Warning spec.template.metadata.annotations[sidecar.istio.io/inject]: Istio adds a proxy to the pods, which keeps running after the work: they only complete if it is a native sidecar; set it to "false", or add the annotation `sidecar.istio.io/nativeSidecar: "true"` to the pod template
                2: 6:49 Warning spec.template.metadata.annotations[linkerd.io/inject]: Linkerd adds a proxy to the pods, which keeps running after the work: they only complete if it is a native sidecar; set it to disabled, or add the annotation `config.beta.linkerd.io/proxy-enable-native-sidecar: "true"` to the pod template
            "#]],
        );
        check(
            &RULE,
            &[
                &marked("labels: {sidecar.istio.io/inject: 'false'}", "[a]"),
                &marked("annotations: {sidecar.istio.io/inject: 'true', sidecar.istio.io/nativeSidecar: 'true'}", "[a]"),
                &marked("annotations: {linkerd.io/inject: disabled}", "[a]"),
                &marked("labels: {sidecar.istio.io/inject: 'true'}", "[sh, -c, 'a; curl -X POST localhost:15020/quitquitquit']"),
                &marked("annotations: {linkerd.io/inject: enabled}", "[linkerd-await, --shutdown, --, a]"),
            ],
            expect![[""]],
        );
    }
}

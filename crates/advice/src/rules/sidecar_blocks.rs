//! sidecar-blocks: a helper beside the work that never ends, so that its pod never completes.
//!
//! Docs: Sidecar Containers, "Jobs with sidecar containers". Helpers that a mesh adds itself are in `injected_proxy.rs`.

use manifest::{RuleName, Severity};

use crate::container::{ContainerKind, TemplateContainer};
use crate::endless::serves_forever;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"sidecar-blocks"),
    code: 201,
    severity: Severity::Warning,
    summary: "A helper container never ends, so its pod never completes",
    finder: Finder::Advice(find),
};

/// What stands in commands that end a helper after the work.
const ENDINGS: [&str; 6] = ["quitquitquit", "pkill", "killall", "kill ", "/shutdown", "linkerd-await"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let regular: Vec<&TemplateContainer<'_>> = containers.iter().filter(|container| container.role == ContainerKind::Regular).collect();
    let (restarted, others): (Vec<_>, Vec<_>) = regular.into_iter().partition(|container| container.field("restartPolicy") == "Always");
    if !restarted.is_empty() {
        return restarted.iter().map(|container| always_restarted(workload, container, others.is_empty())).collect();
    }
    let (helpers, work): (Vec<_>, Vec<_>) = others.into_iter().partition(|container| serves_forever(container));
    let words = || work.iter().chain(&helpers).flat_map(|container| container.words());
    let ended = words().any(|(_, word)| ENDINGS.iter().any(|ending| word.contains(ending)));
    if work.is_empty() || ended {
        return Vec::new();
    }
    let finding = |container: &&TemplateContainer<'_>| {
        let message = format!("container {} does not end when the others have: the pod, and so the Job, never completes", container.name());
        let remedy = format!("move it to {} and add `restartPolicy: Always`", workload.pod_field("initContainers"));
        Finding::at(format!("{}.name", container.path), message, remedy)
    };
    helpers.iter().map(finding).collect()
}

/// A regular container that has the restart policy of a sidecar, `alone` or beside others.
fn always_restarted(workload: &Advised<'_>, container: &TemplateContainer<'_>, alone: bool) -> Finding {
    let message = format!(
        "container {} restarts whenever it exits, so the pod and the Job never complete: `restartPolicy: Always` makes a sidecar only of an init container",
        container.name()
    );
    let remedy = if alone { "remove it".to_owned() } else { format!("move the container to {}", workload.pod_field("initContainers")) };
    Finding::at(format!("{}.restartPolicy", container.path), message, remedy)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn beside(helper: &str) -> String {
        job(&[], &[], &["command: [work]"]) + &format!("      - {helper}\n")
    }

    #[test]
    fn helpers_that_never_end_are_found() {
        check(
            &RULE,
            &[
                &beside("{name: proxy, image: 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.14'}"),
                &beside("{name: docker, image: 'docker:27-dind'}"),
                &beside("{name: idle, image: busybox, command: [sleep, infinity]}"),
                &beside("{name: logs, image: busybox, command: [sh, -c, 'touch a; exec tail -f /var/log/app.log']}"),
                &beside("{name: loop, image: busybox, args: [], command: [sh, -c, 'while true; do date; sleep 5; done']}"),
                &beside("{name: envoy, image: 'envoyproxy/envoy@sha256:0'}"),
            ],
            expect![[r#"
                0: 12:16 Warning spec.template.spec.containers[1].name: container proxy does not end when the others have: the pod, and so the Job, never completes; move it to spec.template.spec.initContainers and add `restartPolicy: Always`
                1: 12:16 Warning spec.template.spec.containers[1].name: container docker does not end when the others have: the pod, and so the Job, never completes; move it to spec.template.spec.initContainers and add `restartPolicy: Always`
                2: 12:16 Warning spec.template.spec.containers[1].name: container idle does not end when the others have: the pod, and so the Job, never completes; move it to spec.template.spec.initContainers and add `restartPolicy: Always`
                3: 12:16 Warning spec.template.spec.containers[1].name: container logs does not end when the others have: the pod, and so the Job, never completes; move it to spec.template.spec.initContainers and add `restartPolicy: Always`
                4: 12:16 Warning spec.template.spec.containers[1].name: container loop does not end when the others have: the pod, and so the Job, never completes; move it to spec.template.spec.initContainers and add `restartPolicy: Always`
                5: 12:16 Warning spec.template.spec.containers[1].name: container envoy does not end when the others have: the pod, and so the Job, never completes; move it to spec.template.spec.initContainers and add `restartPolicy: Always`
            "#]],
        );
        check(
            &RULE,
            &[
                &beside("{name: browser, image: chrome, restartPolicy: Always}"),
                &job(&[], &[], &["restartPolicy: Always"]),
                &beside("{name: again, image: b, restartPolicy: OnFailure}"),
            ],
            expect![[r#"
                0: 12:55 Warning spec.template.spec.containers[1].restartPolicy: container browser restarts whenever it exits, so the pod and the Job never complete: `restartPolicy: Always` makes a sidecar only of an init container; move the container to spec.template.spec.initContainers
                1: 11:24 Warning spec.template.spec.containers[0].restartPolicy: container main restarts whenever it exits, so the pod and the Job never complete: `restartPolicy: Always` makes a sidecar only of an init container; remove it
            "#]],
        );
        let only = job(&[], &[], &[]).replace("image: i", "image: fluent/fluent-bit:3");
        let ends = beside("{name: proxy, image: envoyproxy/envoy}")
            .replace("[work]", "[sh, -c, 'work; curl -XPOST localhost:15000/quitquitquit']");
        let native = job(&[], &["initContainers: [{name: envoy, image: envoyproxy/envoy, restartPolicy: Always}]"], &[]);
        check(
            &RULE,
            &[
                &only,
                &ends,
                &native,
                &beside("{name: two, image: my-envoy-tools}"),
                &beside("{name: loop, image: b, command: [sh, -c, 'while true; do test -f /done && break; sleep 1; done']}"),
                &beside("{name: logs, image: b, command: [tail, -f, --pid=1, log]}"),
            ],
            expect![[""]],
        );
    }
}

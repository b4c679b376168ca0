//! What the next pod has that its Job's template does not say: more of a resource, other nodes, the number of its attempt.
//!
//! Docs: README, "Beyond Kubernetes" (X-6, X-11). What all pods of a Job have is in `pod_template.rs`.

use api::annotation::{Factor, GrowingResource, GrowthStep};
use api::quantity::Quantity;
use api::{Text, attempt};

use super::fields::{self, OrderedFields, quoted};
use super::pod_template::{change_containers, with_variable};

/// What the next pod has that its template does not say (X-6, X-11).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PodChanges {
    /// What its containers have more of; what concerns the same resource compounds in this order.
    pub(crate) growth: Vec<Growth>,
    /// The names of the nodes that it rather does not run on.
    pub(crate) avoided_nodes: Vec<Text>,
    /// The labels that its node has, with their values.
    pub(crate) node_labels: Vec<(Text, Text)>,
    /// The environment variable with the number of the attempt.
    pub(crate) attempt_env: Option<Text>,
}

/// A resource that has grown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Growth {
    /// The container; `None`: every regular one.
    pub(crate) container: Option<Text>,
    /// The resource.
    pub(crate) resource: GrowingResource,
    /// By how much, each time.
    pub(crate) by: GrowthStep,
    /// At most so much; what is more by the template, or by other growth, stays as it is.
    pub(crate) up_to: Option<Quantity>,
    /// How often.
    pub(crate) times: u32,
}

/// The spec with the changes, and what has grown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangedSpec {
    /// The spec, as JSON.
    pub(crate) spec: String,
    /// What has grown, by container in their order in the spec.
    pub(crate) grown: Vec<Grown>,
}

/// A container whose resource is more than in the template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grown {
    /// Its name.
    pub(crate) container: Text,
    /// The resource.
    pub(crate) resource: GrowingResource,
    /// The limit in the template; the request where no limit has grown.
    pub(crate) from: Quantity,
    /// What has become of it.
    pub(crate) to: Quantity,
}

impl Grown {
    /// What an Event reports of memory that grew with a pod.
    pub(crate) fn message(&self, pod: &str) -> String {
        let Self { container, from, to, .. } = self;
        format!("Container {container} of pod {pod} has {to} of memory instead of {from}")
    }
}

/// The most that an amount grows to without a bound of its own: what the API server can count.
const MOST: &str = "9223372036854775807";
/// The affinity that prefers nodes and requires none.
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

impl PodChanges {
    /// Whether the pod is as its template says.
    pub(crate) fn is_empty(&self) -> bool {
        self.growth.is_empty() && self.avoided_nodes.is_empty() && self.node_labels.is_empty() && self.attempt_env.is_none()
    }

    /// The changed spec; what they do not concern stays as it is, in its order.
    pub(crate) fn apply(&self, spec: &str) -> ChangedSpec {
        let mut grown = Vec::new();
        let Ok(mut fields) = serde_json::from_str::<OrderedFields<'_>>(spec) else {
            return ChangedSpec { spec: spec.to_owned(), grown };
        };
        if !self.growth.is_empty() {
            change_containers(&mut fields, |list, container| self.with_growth(list, container, &mut grown));
        }
        if let Some(name) = &self.attempt_env {
            let path = format!("metadata.annotations['{}']", attempt::ATTEMPT);
            change_containers(&mut fields, |_, container| with_variable(container, name, &path));
        }
        if !self.avoided_nodes.is_empty() {
            avoid(&mut fields, &self.avoided_nodes);
        }
        if !self.node_labels.is_empty() {
            let mut selector = OrderedFields::read(fields.get("nodeSelector"));
            for (key, value) in &self.node_labels {
                selector.set(key, quoted(value));
            }
            let selector = selector.json();
            fields.set("nodeSelector", selector);
        }
        ChangedSpec { spec: fields.json(), grown }
    }

    /// A container of one of the spec's lists with what it has more of, which is added to `grown`.
    fn with_growth(&self, list: &str, json: &str, grown: &mut Vec<Grown>) -> String {
        let mut container = OrderedFields::read(Some(json));
        let name = container.get("name").and_then(|name| serde_json::from_str::<String>(name).ok()).unwrap_or_default();
        let before = grown.len();
        let mut resources = OrderedFields::read(container.get("resources"));
        for resource in [GrowingResource::Cpu, GrowingResource::Memory] {
            let concerns = |growth: &&Growth| {
                growth.resource == resource && growth.container.as_ref().map_or(list == "containers", |named| **named == *name)
            };
            let growth: Vec<&Growth> = self.growth.iter().filter(concerns).collect();
            let request = grow(&mut resources, "requests", resource, &growth);
            let limit = grow(&mut resources, "limits", resource, &growth);
            if let Some((from, to)) = limit.or(request) {
                grown.push(Grown { container: name.as_str().into(), resource, from, to });
            }
        }
        if grown.len() == before {
            return json.to_owned();
        }
        let resources = resources.json();
        container.set("resources", resources);
        container.json()
    }
}

/// Lets a request or a limit grow, if there is one: what it was and what it is, if that is more.
fn grow(resources: &mut OrderedFields<'_>, part: &str, resource: GrowingResource, growth: &[&Growth]) -> Option<(Quantity, Quantity)> {
    let mut amounts = OrderedFields::read(resources.get(part));
    let own = amounts.get(resource.name()).and_then(Quantity::from_json)?;
    let amount = growth.iter().fold(own.clone(), |amount, growth| growth.of(amount));
    if amount <= own {
        return None;
    }
    amounts.set(resource.name(), quoted(&amount.to_string()));
    let amounts = amounts.json();
    resources.set(part, amounts);
    Some((own, amount))
}

impl Growth {
    /// What an amount has grown to, in a unit that the resource has: bytes, or thousandths of a CPU.
    fn of(&self, amount: Quantity) -> Quantity {
        let most = self.up_to.clone().or_else(|| Quantity::parse(MOST)).filter(|most| *most > amount);
        let Some(most) = most else { return amount };
        let grown = match &self.by {
            GrowthStep::Plus(step) => amount.plus(&step.scaled(u64::from(self.times) * 1000)),
            GrowthStep::Times(Factor(thousandths)) => {
                let mut grown = amount;
                for _ in 0..self.times {
                    let next = grown.scaled(u64::from(*thousandths));
                    if next == grown || grown >= most {
                        break;
                    }
                    grown = next;
                }
                grown
            }
        };
        let whole = match self.resource {
            GrowingResource::Cpu => grown.in_thousandths(),
            GrowingResource::Memory => grown.in_whole_units(),
        };
        if whole > most { most } else { whole }
    }
}

/// Prefers other nodes to these: by name, as the label with the host's name may say something else.
fn avoid(spec: &mut OrderedFields<'_>, nodes: &[Text]) {
    let unlike = |node: &Text| format!(r#"{{"key":"metadata.name","operator":"NotIn","values":[{}]}}"#, quoted(node));
    let names: Vec<String> = nodes.iter().map(unlike).collect();
    let term = format!(r#"{{"weight":100,"preference":{{"matchFields":{}}}}}"#, fields::list(&names));
    let mut affinity = OrderedFields::read(spec.get("affinity"));
    let mut of_nodes = OrderedFields::read(affinity.get("nodeAffinity"));
    let mut terms = fields::items(of_nodes.get(PREFERRED));
    terms.push(&term);
    let terms = fields::list(&terms);
    of_nodes.set(PREFERRED, terms);
    let of_nodes = of_nodes.json();
    affinity.set("nodeAffinity", of_nodes);
    let affinity = affinity.json();
    spec.set("affinity", affinity);
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const SPEC: &str = r#"{"initContainers":[{"name":"init","resources":{"limits":{"memory":"64Mi"}}}],"containers":[{"name":"a", "image":"x","resources":{"claims":[],"limits":{"cpu":"500m","memory":"1Gi"},"requests":{"memory":"1024Mi","cpu":0.25}}},{"name":"b","env":[{"name":"ATTEMPT","value":"own"}]}],"hostname": null}"#;

    fn growth(container: Option<&str>, resource: GrowingResource, by: &str, times: u32, up_to: Option<&str>) -> Growth {
        let by = match by.split_at(1) {
            ("x", factor) => GrowthStep::Times(Factor(factor.parse().unwrap())),
            (_, more) => GrowthStep::Plus(Quantity::parse(more).unwrap()),
        };
        let up_to = up_to.map(|up_to| Quantity::parse(up_to).unwrap());
        Growth { container: container.map(Text::from), resource, by, up_to, times }
    }

    fn check(spec: &str, changes: &PodChanges, expected: Expect) {
        let ChangedSpec { spec, grown } = changes.apply(spec);
        let line = |grown: &Grown| format!("{} {} {} -> {}\n", grown.container, grown.resource.name(), grown.from, grown.to);
        let lines: String = grown.iter().map(line).collect();
        expected.assert_eq(&format!("{spec}\n{lines}"));
    }

    fn grows(growth: Vec<Growth>) -> PodChanges {
        PodChanges { growth, ..PodChanges::default() }
    }

    #[test]
    fn without_changes_a_spec_stays_as_it_is() {
        let changes = PodChanges::default();
        assert!(changes.is_empty());
        assert_eq!(changes.apply("no object").spec, "no object");
        let unmet = grows(vec![growth(Some("c"), GrowingResource::Memory, "x2000", 1, None)]);
        assert!(!unmet.is_empty());
        check(
            SPEC,
            &unmet,
            expect![[r#"
            {"initContainers":[{"name":"init","resources":{"limits":{"memory":"64Mi"}}}],"containers":[{"name":"a", "image":"x","resources":{"claims":[],"limits":{"cpu":"500m","memory":"1Gi"},"requests":{"memory":"1024Mi","cpu":0.25}}},{"name":"b","env":[{"name":"ATTEMPT","value":"own"}]}],"hostname":null}
        "#]],
        );
    }

    #[test]
    fn requests_and_limits_grow_together() {
        check(
            SPEC,
            &grows(vec![growth(None, GrowingResource::Memory, "x1500", 2, None)]),
            expect![[r#"
            {"initContainers":[{"name":"init","resources":{"limits":{"memory":"64Mi"}}}],"containers":[{"name":"a","image":"x","resources":{"claims":[],"limits":{"cpu":"500m","memory":"2304Mi"},"requests":{"memory":"2304Mi","cpu":0.25}}},{"name":"b","env":[{"name":"ATTEMPT","value":"own"}]}],"hostname":null}
            a memory 1Gi -> 2304Mi
        "#]],
        );
        check(
            SPEC,
            &grows(vec![growth(Some("init"), GrowingResource::Memory, "+32Mi", 3, None)]),
            expect![[r#"
            {"initContainers":[{"name":"init","resources":{"limits":{"memory":"160Mi"}}}],"containers":[{"name":"a", "image":"x","resources":{"claims":[],"limits":{"cpu":"500m","memory":"1Gi"},"requests":{"memory":"1024Mi","cpu":0.25}}},{"name":"b","env":[{"name":"ATTEMPT","value":"own"}]}],"hostname":null}
            init memory 64Mi -> 160Mi
        "#]],
        );
    }

    #[test]
    fn a_bound_takes_nothing_from_what_another_line_gave() {
        let more = growth(None, GrowingResource::Memory, "+1Gi", 2, None);
        let bounded = growth(Some("a"), GrowingResource::Memory, "x2000", 3, Some("2Gi"));
        let grown = grows(vec![more, bounded]).apply(SPEC).grown;
        let memory = grown.iter().map(|Grown { container, from, to, .. }| format!("{container} {from} -> {to}"));
        assert_eq!(memory.collect::<Vec<_>>(), ["a 1Gi -> 3Gi"]);
    }

    #[test]
    fn growths_compound_in_their_order_and_keep_their_bounds() {
        let twice = growth(Some("a"), GrowingResource::Memory, "x2000", 3, Some("6Gi"));
        let more = growth(None, GrowingResource::Memory, "+1Gi", 2, None);
        let cpu = growth(None, GrowingResource::Cpu, "x1333", 1, Some("300m"));
        check(
            SPEC,
            &grows(vec![twice.clone(), more.clone(), cpu.clone()]),
            expect![[r#"
            {"initContainers":[{"name":"init","resources":{"limits":{"memory":"64Mi"}}}],"containers":[{"name":"a","image":"x","resources":{"claims":[],"limits":{"cpu":"500m","memory":"8Gi"},"requests":{"memory":"8Gi","cpu":"300m"}}},{"name":"b","env":[{"name":"ATTEMPT","value":"own"}]}],"hostname":null}
            a cpu 0.25 -> 300m
            a memory 1Gi -> 8Gi
        "#]],
        );
        check(
            SPEC,
            &grows(vec![more, cpu, twice]),
            expect![[r#"
            {"initContainers":[{"name":"init","resources":{"limits":{"memory":"64Mi"}}}],"containers":[{"name":"a","image":"x","resources":{"claims":[],"limits":{"cpu":"500m","memory":"6Gi"},"requests":{"memory":"6Gi","cpu":"300m"}}},{"name":"b","env":[{"name":"ATTEMPT","value":"own"}]}],"hostname":null}
            a cpu 0.25 -> 300m
            a memory 1Gi -> 6Gi
        "#]],
        );
    }

    #[test]
    fn amounts_are_whole_and_never_too_large_to_count() {
        let to = |own: &str, resource: GrowingResource, by: &str, times: u32| {
            let grown = growth(None, resource, by, times, None).of(Quantity::parse(own).unwrap());
            grown.to_string()
        };
        use GrowingResource::{Cpu, Memory};
        assert_eq!(to("1Gi", Memory, "x1100", 1), "1181116007");
        assert_eq!(to("1e3", Memory, "x1500", 1), "1500");
        assert_eq!(to("3", Cpu, "x1001", 2), "3007m");
        assert_eq!(to("0", Cpu, "x2000", u32::MAX), "0");
        assert_eq!(to("1", Memory, "x1000", u32::MAX), "1");
        assert_eq!(to("1", Memory, "x1001", u32::MAX), "9223372036854775807");
        assert_eq!(to("1Ei", Memory, "+1Ei", u32::MAX), "9223372036854775807");
    }

    #[test]
    fn nodes_are_avoided_beside_what_the_template_prefers() {
        let changes = PodChanges { avoided_nodes: vec!["node-1".into(), "node-2".into()], ..PodChanges::default() };
        check(
            r#"{"containers": []}"#,
            &changes,
            expect![[r#"
                {"containers":[],"affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"preference":{"matchFields":[{"key":"metadata.name","operator":"NotIn","values":["node-1"]},{"key":"metadata.name","operator":"NotIn","values":["node-2"]}]}}]}}}
            "#]],
        );
        let preferred = r#"{"affinity":{"podAffinity":{},"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight": 1,"preference":{}}],"requiredDuringSchedulingIgnoredDuringExecution":{}}},"containers":[]}"#;
        check(
            preferred,
            &changes,
            expect![[r#"
                {"affinity":{"podAffinity":{},"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight": 1,"preference":{}},{"weight":100,"preference":{"matchFields":[{"key":"metadata.name","operator":"NotIn","values":["node-1"]},{"key":"metadata.name","operator":"NotIn","values":["node-2"]}]}}],"requiredDuringSchedulingIgnoredDuringExecution":{}}},"containers":[]}
            "#]],
        );
    }

    #[test]
    fn labels_of_the_node_win_over_the_template() {
        let node_labels = vec![("pool".into(), "large".into()), ("zone".into(), "b".into())];
        let changes = PodChanges { node_labels, ..PodChanges::default() };
        check(
            r#"{"nodeSelector":{"arch":"arm64","pool":"small"},"containers":[]}"#,
            &changes,
            expect![[r#"
            {"nodeSelector":{"arch":"arm64","pool":"large","zone":"b"},"containers":[]}
        "#]],
        );
        check(
            r#"{"nodeSelector":null}"#,
            &changes,
            expect![[r#"
            {"nodeSelector":{"pool":"large","zone":"b"}}
        "#]],
        );
    }

    #[test]
    fn all_containers_know_their_attempt_unless_they_have_a_variable_of_that_name() {
        let changes = PodChanges { attempt_env: Some("ATTEMPT".into()), ..PodChanges::default() };
        check(
            SPEC,
            &changes,
            expect![[r#"
            {"initContainers":[{"name":"init","resources":{"limits":{"memory":"64Mi"}},"env":[{"name":"ATTEMPT","valueFrom":{"fieldRef":{"fieldPath":"metadata.annotations['jobsmith.dev/attempt']"}}}]}],"containers":[{"name":"a","image":"x","resources":{"claims":[],"limits":{"cpu":"500m","memory":"1Gi"},"requests":{"memory":"1024Mi","cpu":0.25}},"env":[{"name":"ATTEMPT","valueFrom":{"fieldRef":{"fieldPath":"metadata.annotations['jobsmith.dev/attempt']"}}}]},{"name":"b","env":[{"name":"ATTEMPT","value":"own"}]}],"hostname":null}
        "#]],
        );
    }
}

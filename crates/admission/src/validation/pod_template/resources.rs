//! Resources: which there are, and how limits and requests go together, in a container and in a pod.
//!
//! Docs: Resource Management for Pods and Containers; Manage HugePages; Dynamic Resource Allocation (A-70). Quantities are in `api::quantity`.

use std::collections::{BTreeMap, BTreeSet};

use api::Text;
use api::quantity::{Quantities, Quantity};
use serde_json::json;

use super::Surroundings;
use crate::pod_template::{Container, DeviceRequest, PodSpec, ResourceClaim, Resources};
use crate::validation::{FieldError, Path, labels, names, required};

/// The resources that every node has.
const OF_CONTAINERS: [&str; 3] = ["cpu", "ephemeral-storage", "memory"];
/// Resources that have no domain either, but that are not a container's.
const OF_NAMESPACES: [&str; 15] = [
    "configmaps",
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "persistentvolumeclaims",
    "pods",
    "replicationcontrollers",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
    "requests.storage",
    "resourcequotas",
    "secrets",
    "services",
    "storage",
];
const HUGE_PAGES: &str = "hugepages-";
const NO_NEGATIVE: &str = "must be greater than or equal to 0";

/// Checks what a container needs.
pub(super) fn check(path: &Path, resources: &Resources, around: &Surroundings, errors: &mut Vec<FieldError>) {
    check_claims(&path.field("claims"), resources, around, errors);
    check_quantities(path, resources, errors);
}

/// Checks what starting a pod needs besides: the server takes it for limits, and says so in errors.
pub(super) fn check_overhead(path: &Path, overhead: &Quantities, errors: &mut Vec<FieldError>) {
    check_quantities(path, &Resources { limits: overhead.clone(), ..Resources::default() }, errors);
}

fn check_quantities(path: &Path, resources: &Resources, errors: &mut Vec<FieldError>) {
    for (field, Quantities(quantities)) in [("limits", &resources.limits), ("requests", &resources.requests)] {
        let path = path.field(field);
        for (resource, quantity) in quantities {
            check_quantity(&path.key(resource), resource, quantity, errors);
        }
    }
    check_together(path, resources, errors);
}

/// Checks what all containers of a pod need together.
pub(super) fn check_pod(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let Some(resources) = &spec.resources else { return };
    if spec.os.as_ref().is_some_and(|os| &*os.name == "windows") {
        errors.push(FieldError::forbidden(path, "may not be set for a windows pod"));
    }
    if !resources.claims.is_empty() {
        errors.push(FieldError::forbidden(path.field("claims"), "claims may not be set for Resources at pod-level"));
    }
    for (field, Quantities(quantities)) in [("limits", &resources.limits), ("requests", &resources.requests)] {
        let path = path.field(field);
        for (resource, quantity) in quantities {
            let path = path.key(resource);
            let before = errors.len();
            check_name(&path, resource, errors);
            if errors.len() == before && !matches!(&**resource, "cpu" | "memory") && !resource.starts_with(HUGE_PAGES) {
                errors.push(FieldError::not_supported(path, resource, &["cpu", HUGE_PAGES, "memory"]));
            }
            check_value(&path, resource, quantity, errors);
        }
    }
    check_together(path, resources, errors);
    check_sums(path, spec, resources, errors);
}

fn check_claims(path: &Path, resources: &Resources, around: &Surroundings, errors: &mut Vec<FieldError>) {
    for (at, claim) in resources.claims.iter().enumerate() {
        let path = path.index(at);
        if !required(&path, &claim.name, errors) {
            continue;
        }
        if !claim.request.is_empty() {
            names::check_label(&path.field("request"), &claim.request, errors);
        }
        let earlier = &resources.claims[..at];
        let same = |other: &&DeviceRequest| other.name == claim.name;
        let whole = claim.request.is_empty() || earlier.iter().filter(same).any(|other| other.request.is_empty());
        if earlier.iter().filter(same).any(|other| whole || other.request == claim.request) {
            let taken = if whole { claim.name.to_string() } else { format!("{}/{}", claim.name, claim.request) };
            errors.push(FieldError::duplicate(path, &taken));
        }
        if !around.claims.contains(&*claim.name) {
            let known: Vec<&str> = around.claims.iter().copied().collect();
            let which = if known.is_empty() { " which is empty".to_owned() } else { format!(": {}", known.join(", ")) };
            let detail = format!("must be one of the names in pod.spec.resourceClaims{which}");
            errors.push(FieldError { detail, ..FieldError::not_found(path, &claim.name) });
        }
    }
}

fn check_quantity(path: &Path, resource: &str, quantity: &Quantity, errors: &mut Vec<FieldError>) {
    check_name(path, resource, errors);
    if !resource.contains('/') {
        if !OF_CONTAINERS.contains(&resource) && !resource.starts_with(HUGE_PAGES) {
            errors.push(FieldError::invalid(path, resource, "must be a standard resource for containers"));
        }
    } else if !native(resource) && !extended(resource) {
        errors.push(FieldError::invalid(path, resource, "doesn't follow extended resource name standard"));
    }
    check_value(path, resource, quantity, errors);
}

fn check_name(path: &Path, resource: &str, errors: &mut Vec<FieldError>) {
    let before = errors.len();
    labels::check_key(path, resource, errors);
    let standard = resource.contains('/')
        || OF_CONTAINERS.contains(&resource)
        || OF_NAMESPACES.contains(&resource)
        || ["", "requests."].iter().any(|prefix| resource.strip_prefix(prefix).is_some_and(|name| name.starts_with(HUGE_PAGES)));
    if errors.len() == before && !standard {
        errors.push(FieldError::invalid(path, resource, "must be a standard resource type or fully qualified"));
    }
}

fn check_value(path: &Path, resource: &str, quantity: &Quantity, errors: &mut Vec<FieldError>) {
    let shown = quantity.canonical();
    if quantity.negative() {
        errors.push(FieldError::invalid(path, &shown, NO_NEGATIVE));
    }
    if extended(resource) && quantity.whole().is_none() {
        errors.push(FieldError::invalid(path, &shown, "must be an integer"));
    }
    if let Some(size) = resource.strip_prefix(HUGE_PAGES) {
        let page = Quantity::parse(size).and_then(|size| size.whole()).filter(|size| *size != 0);
        let whole_pages = page.zip(quantity.whole()).is_some_and(|(page, bytes)| bytes % page == 0);
        if !whole_pages {
            errors.push(FieldError::invalid(path, &shown, format!("{shown} is not positive integer multiple of {resource}")));
        }
    }
}

/// Whether the resource is Kubernetes' own.
fn native(resource: &str) -> bool {
    !resource.contains('/') || resource.contains("kubernetes.io/")
}

/// Whether the resource is one that a device plugin may offer.
fn extended(resource: &str) -> bool {
    let mut errors = Vec::new();
    labels::check_key(&Path::of("resource"), &format!("requests.{resource}"), &mut errors);
    !native(resource) && !resource.starts_with("requests.") && errors.is_empty()
}

/// Whether containers may use more than they ask for.
fn overcommittable(resource: &str) -> bool {
    native(resource) && !resource.starts_with(HUGE_PAGES)
}

/// Checks that requests are below limits, or at them.
fn check_together(path: &Path, resources: &Resources, errors: &mut Vec<FieldError>) {
    let (Quantities(limits), Quantities(requests)) = (&resources.limits, &resources.requests);
    for (resource, request) in requests {
        let requests = path.field("requests");
        match limits.get(resource) {
            Some(limit) if request != limit && !overcommittable(resource) => {
                let detail = format!("must be equal to {resource} limit of {}", limit.canonical());
                errors.push(FieldError::invalid(requests, &request.canonical(), detail));
            }
            Some(limit) if request > limit => {
                let detail = format!("must be less than or equal to {resource} limit of {}", limit.canonical());
                errors.push(FieldError::invalid(requests, &request.canonical(), detail));
            }
            None if !overcommittable(resource) => {
                errors.push(FieldError::required(path.field("limits"), "Limit must be set for non overcommitable resources"));
            }
            Some(_) | None => (),
        }
    }
    let has = |wanted: &dyn Fn(&str) -> bool| limits.keys().chain(requests.keys()).any(|resource| wanted(resource));
    if has(&|resource| resource.starts_with(HUGE_PAGES)) && !has(&|resource| matches!(resource, "cpu" | "memory")) {
        errors.push(FieldError::forbidden(path, "HugePages require cpu or memory"));
    }
}

/// Checks that what a pod has is enough for its containers.
fn check_sums(path: &Path, spec: &PodSpec, resources: &Resources, errors: &mut Vec<FieldError>) {
    let requested = needed(spec, |container| &container.resources.requests);
    for (resource, request) in &resources.requests.0 {
        check_sum(&path.field("requests").key(resource), "requests", request, requested.get(resource), errors);
    }
    let limited = needed(spec, |container| &container.resources.limits);
    for (resource, limit) in resources.limits.0.iter().filter(|(resource, _)| resource.starts_with(HUGE_PAGES)) {
        check_sum(&path.field("limits").key(resource), "limits", limit, limited.get(resource), errors);
    }
    for (at, container) in spec.containers.iter().enumerate() {
        for (resource, limit) in &container.resources.limits.0 {
            if let Some(most) = resources.limits.0.get(resource).filter(|most| limit > *most) {
                let detail = format!("must be less than or equal to pod limits of {}", most.canonical());
                let path = path.field("containers");
                errors.push(FieldError::invalid(path.index(at).key(resource).field("limits"), &limit.canonical(), detail));
            }
        }
    }
}

fn check_sum(path: &Path, what: &str, of_pod: &Quantity, needed: Option<&Quantity>, errors: &mut Vec<FieldError>) {
    if let Some(needed) = needed.filter(|needed| *needed > of_pod) {
        let detail = format!("must be greater than or equal to aggregate container {what} of {}", needed.canonical());
        errors.push(FieldError::invalid(path, &of_pod.canonical(), detail));
    }
}

/// What the containers need together: all at once, or an init container with the sidecars that run by then.
fn needed(spec: &PodSpec, of: fn(&Container) -> &Quantities) -> BTreeMap<Text, Quantity> {
    let mut together = BTreeMap::new();
    for container in &spec.containers {
        add(&mut together, of(container));
    }
    let (mut beside, mut most) = (BTreeMap::new(), BTreeMap::new());
    for container in &spec.init_containers {
        if container.sidecar() {
            add(&mut together, of(container));
            add(&mut beside, of(container));
        } else {
            let mut with = beside.clone();
            add(&mut with, of(container));
            raise(&mut most, with);
        }
        raise(&mut most, beside.clone());
    }
    raise(&mut together, most);
    together
}

fn add(sum: &mut BTreeMap<Text, Quantity>, Quantities(quantities): &Quantities) {
    for (resource, quantity) in quantities {
        let more = sum.get(resource).map_or_else(|| quantity.clone(), |known| known.plus(quantity));
        sum.insert(resource.clone(), more);
    }
}

fn raise(most: &mut BTreeMap<Text, Quantity>, others: BTreeMap<Text, Quantity>) {
    for (resource, quantity) in others {
        if most.get(&resource).is_none_or(|known| *known < quantity) {
            most.insert(resource, quantity);
        }
    }
}

/// Checks the claims that a pod brings along.
pub(super) fn check_pod_claims(path: &Path, claims: &[ResourceClaim], errors: &mut Vec<FieldError>) {
    let mut seen = BTreeSet::new();
    for (at, claim) in claims.iter().enumerate() {
        let path = path.index(at);
        if required(&path.field("name"), &claim.name, errors) {
            names::check_label(&path.field("name"), &claim.name, errors);
            if !seen.insert(&claim.name) {
                errors.push(FieldError::duplicate(path.field("name"), &claim.name));
            }
        }
        let sources =
            [("resourceClaimName", &claim.resource_claim_name), ("resourceClaimTemplateName", &claim.resource_claim_template_name)];
        for (field, name) in sources {
            if let Some(name) = name {
                names::check_subdomain(&path.field(field), name, errors);
            }
        }
        let detail = match sources {
            [(_, Some(_)), (_, Some(_))] => "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
            [(_, None), (_, None)] => "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`",
            [_, _] => continue,
        };
        errors.push(FieldError::invalid(path, &json!({"name": &*claim.name}), detail));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_container, check_pod, check_template};
    use super::*;

    #[track_caller]
    fn check_resources(resources: &str, expected: &[&str]) {
        let expected: Vec<String> = expected.iter().map(|text| format!("containers[0].resources{text}")).collect();
        check_container(&format!(r#""resources":{resources}"#), &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn a_70_requests_stay_below_limits() {
        check_resources(r#"{"requests":{"cpu":"1500m"},"limits":{"cpu":1.5}}"#, &[]);
        check_resources(
            r#"{"requests":{"cpu":"2"},"limits":{"cpu":"-1"}}"#,
            &[
                r#".limits[cpu]: Invalid value: "-1": must be greater than or equal to 0"#,
                r#".requests: Invalid value: "2": must be less than or equal to cpu limit of -1"#,
            ],
        );
    }

    #[test]
    fn a_70_some_resources_cannot_be_shared() {
        check_resources(r#"{"limits":{"example.com/gpu":1,"kubernetes.io/x":"1m"}}"#, &[]);
        check_resources(
            r#"{"requests":{"example.com/a":1,"example.com/b":1},"limits":{"example.com/b":"1500m"}}"#,
            &[
                r#".limits[example.com/b]: Invalid value: "1500m": must be an integer"#,
                ".limits: Required value: Limit must be set for non overcommitable resources",
                r#".requests: Invalid value: "1": must be equal to example.com/b limit of 1500m"#,
            ],
        );
        check_resources(
            r#"{"limits":{"hugepages-2Mi":"3Mi"}}"#,
            &[
                r#".limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi"#,
                ": Forbidden: HugePages require cpu or memory",
            ],
        );
    }

    #[test]
    fn a_70_resources_have_a_domain_unless_nodes_have_them() {
        check_resources(
            r#"{"limits":{"gpu":1,"pods":1,"requests.example.com/x":1}}"#,
            &[
                r#".limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified"#,
                r#".limits[gpu]: Invalid value: "gpu": must be a standard resource for containers"#,
                r#".limits[pods]: Invalid value: "pods": must be a standard resource for containers"#,
                r#".limits[requests.example.com/x]: Invalid value: "requests.example.com/x": doesn't follow extended resource name standard"#,
            ],
        );
        check_pod(
            r#""overhead":{"x/y/z":"-1"}"#,
            &[
                &format!(r#"overhead.limits[x/y/z]: Invalid value: "x/y/z": {}"#, labels::NO_KEY),
                r#"overhead.limits[x/y/z]: Invalid value: "x/y/z": doesn't follow extended resource name standard"#,
                r#"overhead.limits[x/y/z]: Invalid value: "-1": must be greater than or equal to 0"#,
            ],
        );
    }

    #[test]
    fn a_70_claims_of_devices() {
        let claims = r#","resourceClaims":[{"name":"b","resourceClaimName":"x"},{"name":"a","resourceClaimTemplateName":"y"}]"#;
        check_template(
            claims,
            r#","resources":{"claims":[{},{"name":"a","request":"r"},{"name":"a","request":"r"},{"name":"a"},{"name":"c"}]}"#,
            "{}",
            &[
                "containers[0].resources.claims[0]: Required value",
                r#"containers[0].resources.claims[2]: Duplicate value: "a/r""#,
                r#"containers[0].resources.claims[3]: Duplicate value: "a""#,
                r#"containers[0].resources.claims[4]: Not found: "c": must be one of the names in pod.spec.resourceClaims: a, b"#,
            ],
        );
        check_pod(
            r#""resourceClaims":[{"name":"a"},{"name":"a","resourceClaimName":"x","resourceClaimTemplateName":"y"}]"#,
            &[
                r#"resourceClaims[0]: Invalid value: {"name":"a"}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"#,
                r#"resourceClaims[1].name: Duplicate value: "a""#,
                r#"resourceClaims[1]: Invalid value: {"name":"a"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"#,
            ],
        );
    }

    #[test]
    fn a_70_a_pod_has_what_its_containers_need() {
        let init = r#""name":"init","image":"x","imagePullPolicy":"Always","terminationMessagePolicy":"File""#;
        let sidecar = r#","restartPolicy":"Always","resources":{"requests":{"cpu":"300m"}}"#;
        let first = r#","resources":{"requests":{"cpu":"900m"}}"#;
        let pod =
            |more: &str| format!(r#","initContainers":[{{{init}{more}}}],"resources":{{"requests":{{"cpu":1}},"limits":{{"cpu":2}}}}"#);
        let container = r#","resources":{"requests":{"cpu":"800m"},"limits":{"cpu":3}}"#;
        let limit = r#"resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2"#;
        check_template(&pod(first), container, "{}", &[limit]);
        check_template(
            &pod(sidecar),
            container,
            "{}",
            &[
                r#"resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1100m"#,
                limit,
            ],
        );
        check_pod(
            r#""resources":{"limits":{"ephemeral-storage":1,"hugepages-2Mi":"2Mi"},"claims":[{"name":"a"}]},"os":{"name":"windows"}"#,
            &[
                "resources: Forbidden: may not be set for a windows pod",
                "resources.claims: Forbidden: claims may not be set for Resources at pod-level",
                r#"resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory""#,
                "resources: Forbidden: HugePages require cpu or memory",
            ],
        );
    }
}

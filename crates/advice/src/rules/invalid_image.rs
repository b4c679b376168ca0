//! invalid-image: the name of an image that no node can pull, as it is none, or with which no pod can be created.
//!
//! Docs: Images, "Image names"; the grammar is that of the distribution project's references, which container runtimes share. The API server checks only that
//! there is a name, and of pods that no spaces are around it.

use manifest::{RuleName, Severity};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"invalid-image"),
    code: 221,
    severity: Severity::Warning,
    summary: "The name of an image is not valid, so that no pod can start",
    finder: Finder::Mistake(find),
};

/// How long a name may be, without its tag and its digest.
const LONGEST: usize = 255;
/// How long a tag may be.
const LONGEST_TAG: usize = 128;

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let of_containers = containers.iter().filter_map(|container| {
        let image = container.image();
        let path = format!("{}.image", container.path);
        if image.trim() != image {
            let message = "the API server refuses each pod: there are spaces around the name of the image";
            return Some(Finding::at(path, message, "remove the spaces"));
        }
        finding(path, image)
    });
    let volumes = workload.pod("volumes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let of_volumes = volumes.iter().enumerate().filter_map(|(at, volume)| {
        finding(workload.pod_field(&format!("volumes[{at}].image.reference")), volume["image"]["reference"].as_str()?)
    });
    of_containers.chain(of_volumes).collect()
}

fn finding(path: String, image: &str) -> Option<Finding> {
    let (what, remedy) = wrong(image).filter(|_| !image.is_empty())?;
    Some(Finding::at(path, format!("no pod can start (InvalidImageName): in {image:?}, {what}"), remedy))
}

/// What is wrong with the name of an image, and what to do; `None` if it is valid.
fn wrong(image: &str) -> Option<(&'static str, &'static str)> {
    let (rest, digest) = image.split_once('@').map_or((image, None), |(rest, digest)| (rest, Some(digest)));
    let (name, tag) = match rest.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => (name, Some(tag)),
        _ => (rest, None),
    };
    let (registry, path) = match name.split_once('/') {
        Some((registry, path)) if is_registry(registry) => (Some(registry), path),
        _ => (None, name),
    };
    if path.chars().any(|letter| letter.is_ascii_uppercase()) {
        Some(("the name has capital letters", "use lowercase letters"))
    } else if !path.split('/').all(is_component) || registry.is_some_and(|registry| !is_host(registry)) || name.len() > LONGEST {
        let remedy = "use a name such as registry.example/team/work:1.0: lowercase letters and digits, with ., _ and - between them";
        Some(("the name is not valid", remedy))
    } else if tag.is_some_and(|tag| !is_tag(tag)) {
        let remedy = "use letters, digits, _, . and - in the tag, at most 128 of them, beginning with none of . and -";
        Some(("the tag is not valid", remedy))
    } else if digest.is_some_and(|digest| !is_digest(digest)) {
        Some(("the digest is not valid", "use a digest such as sha256: and 64 hexadecimal digits"))
    } else {
        None
    }
}

/// Whether the first part of a name is that of a registry.
fn is_registry(part: &str) -> bool {
    part == "localhost" || part.contains(['.', ':']) || part.chars().any(|letter| letter.is_ascii_uppercase())
}

/// Whether this is a host, with or without a port.
fn is_host(registry: &str) -> bool {
    let (host, port) = match registry.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (registry, None),
    };
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let label = |label: &str| {
        let edge = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
        edge(label.chars().next())
            && edge(label.chars().last())
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    };
    let named = host.split('.').all(label);
    let addressed =
        address.is_some_and(|address| !address.is_empty() && address.chars().all(|letter| letter.is_ascii_hexdigit() || letter == ':'));
    (named || addressed) && port.is_none_or(|port| !port.is_empty() && port.chars().all(|letter| letter.is_ascii_digit()))
}

/// Whether this is a part of a path: lowercase letters and digits, and between them a dot, one or two underscores or any number of hyphens.
fn is_component(component: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let separators: Vec<&str> = component.split(plain).filter(|between| !between.is_empty()).collect();
    let separates = |between: &&str| [".", "_", "__"].contains(between) || between.chars().all(|letter| letter == '-');
    component.starts_with(plain) && component.ends_with(plain) && separators.iter().all(separates)
}

fn is_tag(tag: &str) -> bool {
    let word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    tag.len() <= LONGEST_TAG && tag.starts_with(word) && tag.chars().all(|letter| word(letter) || ['.', '-'].contains(&letter))
}

fn is_digest(digest: &str) -> bool {
    let Some((algorithm, digits)) = digest.split_once(':') else { return false };
    let named = |part: &str| {
        part.starts_with(|letter: char| letter.is_ascii_alphabetic()) && part.chars().all(|letter| letter.is_ascii_alphanumeric())
    };
    algorithm.split(['-', '_', '+', '.']).all(named) && digits.len() >= 32 && digits.chars().all(|letter| letter.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::{RULE, wrong};
    use crate::testing::{check, cron_job, job};

    #[test]
    fn images_that_no_node_can_pull_are_found() {
        let named = |image: &str| job(&[], &[&format!("initContainers: [{{name: first, image: {image}}}]")], &[]);
        check(
            &RULE,
            &[
                &named("'Foo Bar:1.0'"),
                &named("MyRegistry/App"),
                &named("' busybox'"),
                &cron_job(&["schedule: '@daily'"], &[]).replace("image: i", "image: a:b:c"),
                &job(&[], &["volumes: [{name: a, image: {reference: a/B}}, {name: b, image: {reference: a/b}}, {name: c}]"], &[]),
            ],
            expect![[r#"
                0: 8:45 Warning spec.template.spec.initContainers[0].image: no pod can start (InvalidImageName): in "Foo Bar:1.0", the name has capital letters; use lowercase letters
                1: 8:45 Warning spec.template.spec.initContainers[0].image: no pod can start (InvalidImageName): in "MyRegistry/App", the name has capital letters; use lowercase letters
                2: 8:45 Warning spec.template.spec.initContainers[0].image: the API server refuses each pod: there are spaces around the name of the image; remove the spaces
                3: 13:20 Warning spec.jobTemplate.spec.template.spec.containers[0].image: no pod can start (InvalidImageName): in "a:b:c", the name is not valid; use a name such as registry.example/team/work:1.0: lowercase letters and digits, with ., _ and - between them
                4: 8:46 Warning spec.template.spec.volumes[0].image.reference: no pod can start (InvalidImageName): in "a/B", the name has capital letters; use lowercase letters
            "#]],
        );
    }

    #[test]
    fn names_are_read_as_container_runtimes_read_them() {
        let digest = format!("busybox@sha256:{}", "0a".repeat(32));
        let valid = [
            "busybox",
            "busybox:1",
            "a/b/c",
            "localhost/a",
            "localhost:5000/a:v1.0_x-y",
            "MyRegistry/app",
            "REGISTRY:80/a",
            "gcr.io/a/b.c__d---e:L",
            "[::1]:5000/a",
            "a/localhost:1",
            "1",
            "registry.k8s.io/pause@sha256:0123456789abcdef0123456789abcdef",
            &digest,
        ];
        assert_eq!(valid.iter().copied().filter(|image| wrong(image).is_some()).collect::<Vec<_>>(), [""; 0]);
        let invalid = [
            "A",
            "a/B",
            "a//b",
            "/a",
            "a/",
            "a:",
            "a:.b",
            "a:b c",
            "a b",
            "a___b",
            "a._b",
            "-a",
            "a-",
            "${IMAGE}",
            "<image>",
            "...",
            "a@b",
            "a@sha256:0a",
            "host:x/a",
            "http://a.b/c",
            "-a.b/c",
            "a:b:c",
            "a\\b",
            "é",
            " a",
            "a\n",
        ];
        assert_eq!(invalid.iter().copied().filter(|image| wrong(image).is_none()).collect::<Vec<_>>(), [""; 0]);
        assert!(wrong(&format!("a:{}", "b".repeat(129))).is_some() && wrong(&"a".repeat(256)).is_some());
        assert!(wrong(&format!("a:{}", "b".repeat(128))).is_none() && wrong(&"a".repeat(255)).is_none());
    }
}

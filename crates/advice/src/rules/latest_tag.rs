//! latest-tag: an image whose name means another one after the next release.
//!
//! Docs: Images, "Image names", "Updating images". Programs that serve forever are known by their images in `../endless.rs`.

use std::collections::BTreeSet;

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::image::ImageName;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"latest-tag"),
    code: 208,
    severity: Severity::Note,
    summary: "Attempts of one Job may run different code: the tag of its image moves",
    finder: Finder::Advice(find),
};

/// Images that are only a shell and small tools, which hardly change.
const SHELLS: [&str; 3] = ["alpine", "bash", "busybox"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let what = if workload.cron_job.is_some() { "runs of this CronJob" } else { "attempts of this Job" };
    let mut known = BTreeSet::new();
    let mut moving = Vec::new();
    for container in workload.containers() {
        let image = ImageName::of(container.image());
        let moves = image.digest.is_none() && matches!(image.tag, None | Some("latest")) && !image.repository.is_empty();
        if !moves || SHELLS.contains(&image.name()) || !known.insert(image.repository) {
            continue;
        }
        let message = format!("{what} may run different code: {} is what was released last when a node pulls it", container.image());
        let remedy = format!("name a version, as in {}:1.2, or a digest", image.repository);
        moving.push(Finding::at(format!("{}.image", container.path), message, remedy));
    }
    moving
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job, job};

    #[test]
    fn images_whose_tags_move_are_found_once() {
        let image = |image: &str| job(&[], &[], &[]).replace("image: i", &format!("image: {image}"));
        let twice = job(&[], &["initContainers: [{name: a, image: 'work:latest'}]"], &[]).replace("image: i", "image: work");
        check(
            &RULE,
            &[&image("localhost:5000/work"), &twice, &cron_job(&["schedule: '@daily'"], &[])],
            expect![[r#"
                0: 10:16 Note spec.template.spec.containers[0].image: attempts of this Job may run different code: localhost:5000/work is what was released last when a node pulls it; name a version, as in localhost:5000/work:1.2, or a digest
                1: 8:41 Note spec.template.spec.initContainers[0].image: attempts of this Job may run different code: work:latest is what was released last when a node pulls it; name a version, as in work:1.2, or a digest
                2: 13:20 Note spec.jobTemplate.spec.template.spec.containers[0].image: runs of this CronJob may run different code: i is what was released last when a node pulls it; name a version, as in i:1.2, or a digest
            "#]],
        );
        check(
            &RULE,
            &[&image("work:1"), &image("work@sha256:0"), &image("docker.io/library/busybox"), &image("work:latest@sha256:0")],
            expect![[""]],
        );
    }
}

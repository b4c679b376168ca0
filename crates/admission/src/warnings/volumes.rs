//! Warnings about volumes: kinds that are deprecated, and files that are written over each other.
//!
//! Docs: Volumes, "Types of volumes"; Projected Volumes (A-172). What is refused of them is in `validation/pod_template/volumes.rs`.

use crate::pod_template::{DownwardApiSource, Files, Volume, VolumeProjection, VolumeSource};
use crate::validation::path::Path;

use super::containers;

/// Kinds of volumes that are deprecated: what the server calls them, and since when.
const DEPRECATED: [(&str, &str, &str); 9] = [
    ("gitRepo", "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
    ("glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"),
    ("cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"),
    ("photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    ("scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"),
];

/// A file of a volume, with the source that writes it.
type WrittenFile<'a> = (&'a str, String);

/// Finds what to warn of in volumes.
pub(super) fn warn(path: &Path, volumes: &[Volume], warnings: &mut Vec<String>) {
    for (at, volume) in volumes.iter().enumerate() {
        let path = path.index(at);
        for (kind, source) in &volume.sources {
            if let Some((_, shown, since)) = DEPRECATED.iter().find(|(deprecated, ..)| deprecated == kind) {
                warnings.push(format!("{}: {since}", path.field(shown)));
            }
            about_source(&path, &volume.name, source, warnings);
        }
    }
}

fn about_source(path: &Path, volume: &str, source: &VolumeSource, warnings: &mut Vec<String>) {
    match source {
        VolumeSource::Secret(files) => about_files(volume, &format!("(Secret {:?})", &*files.secret_name), keys(files), warnings),
        VolumeSource::ConfigMap(files) => about_files(volume, &format!("(ConfigMap {:?})", &*files.name), keys(files), warnings),
        VolumeSource::DownwardApi(source) => about_files(volume, "(DownwardAPI)", facts(source), warnings),
        VolumeSource::Projected(source) => {
            let mut files = Vec::new();
            for projection in &source.sources {
                let written = written_files(projection);
                if written.is_none() {
                    warnings.push(format!("volume {volume:?} (Projected) has no sources provided"));
                }
                files.extend(written.into_iter().flatten());
            }
            overlaps(volume, "(Projected)", &files, true, warnings);
        }
        VolumeSource::Ephemeral(source) => {
            let path = path.field("ephemeral.volumeClaimTemplate.spec.resources");
            for resources in source.volume_claim_template.iter().map(|template| &template.spec.resources) {
                containers::about_bytes(&path.field("requests"), &resources.requests, warnings);
                containers::about_bytes(&path.field("limits"), &resources.limits, warnings);
            }
        }
        VolumeSource::EmptyDir(_)
        | VolumeSource::HostPath(_)
        | VolumeSource::Claim(_)
        | VolumeSource::Csi(_)
        | VolumeSource::Image(_)
        | VolumeSource::Older(_) => (),
    }
}

fn about_files<'a>(volume: &str, source: &str, files: impl Iterator<Item = &'a str>, warnings: &mut Vec<String>) {
    let files: Vec<WrittenFile> = files.map(|file| (file, String::new())).collect();
    overlaps(volume, source, &files, false, warnings);
}

fn keys(files: &Files) -> impl Iterator<Item = &str> {
    files.items.iter().map(|item| &*item.path)
}

fn facts(source: &DownwardApiSource) -> impl Iterator<Item = &str> {
    source.items.iter().map(|file| &*file.path)
}

/// The files of one of several sources; `None` if it is none.
fn written_files(projection: &VolumeProjection) -> Option<Vec<WrittenFile<'_>>> {
    let by = |source: String| move |file| (file, source.clone());
    if let Some(files) = &projection.secret {
        return Some(keys(files).map(by(format!("(Secret {:?})", &*files.name))).collect());
    }
    if let Some(files) = &projection.config_map {
        return Some(keys(files).map(by(format!("(ConfigMap {:?})", &*files.name))).collect());
    }
    if let Some(source) = &projection.downward_api {
        return Some(facts(source).map(by("(DownwardAPI)".to_owned())).collect());
    }
    if let Some(token) = &projection.service_account_token {
        return Some(vec![(&*token.path, "(ServiceAccountToken)".to_owned())]);
    }
    if let Some(bundle) = &projection.cluster_trust_bundle {
        let name = bundle.name.as_ref().or(bundle.signer_name.as_ref()).map_or("", |name| &**name);
        return Some(vec![(&*bundle.path, format!("(ClusterTrustBundle {name:?})"))]);
    }
    let certificate = projection.pod_certificate.as_ref()?;
    let [bundle, key, chain] = certificate.paths();
    let files = [(bundle, "credential bundle"), (chain, "chain"), (key, "key")];
    Some(files.into_iter().map(|((_, file), what)| (file, format!("(PodCertificate {what})"))).collect())
}

/// Warns of each file that is also a folder of another, or the same.
fn overlaps(volume: &str, source: &str, files: &[WrittenFile<'_>], by_source: bool, warnings: &mut Vec<String>) {
    let trimmed: Vec<(&str, &str)> = files.iter().map(|(file, by)| (file.trim_end_matches('/'), by.as_str())).collect();
    for (at, (file, by)) in trimmed.iter().enumerate().filter(|(_, (file, _))| !file.is_empty()) {
        let within = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        for (other, other_by) in trimmed[..at].iter().filter(|(other, _)| !other.is_empty() && (within(file, other) || within(other, file)))
        {
            let overlap = if by_source { format!("{file:?} {by} with {other:?} {other_by}") } else { format!("{file:?} with {other:?}") };
            warnings.push(format!("volume {volume:?} {source}: overlapping paths: {overlap}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pod_template::testing::check;

    #[test]
    fn a_172_kinds_that_are_deprecated() {
        check(
            "{}",
            r#""volumes":[{"name":"a","gitRepo":{}},{"name":"b","storageos":{}},{"name":"c","nfs":{}}]"#,
            &[
                "volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
                "volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+",
            ],
        );
        check(
            "{}",
            r#""volumes":[{"name":"a","ephemeral":{"volumeClaimTemplate":{"spec":{"resources":{"requests":{"storage":1.5}}}}}}]"#,
            &[
                r#"volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer"#,
            ],
        );
    }

    #[test]
    fn a_172_files_in_the_way_of_others() {
        check(
            "{}",
            r#""volumes":[{"name":"v","secret":{"secretName":"s","items":[{"path":"a/b"},{"path":"a/"},{"path":"ab"},{}]}},
                {"name":"w","downwardAPI":{"items":[{"path":"c"},{"path":"c"}]}}]"#,
            &[
                r#"volume "v" (Secret "s"): overlapping paths: "a" with "a/b""#,
                r#"volume "w" (DownwardAPI): overlapping paths: "c" with "c""#,
            ],
        );
        let certificate = r#"{"podCertificate":{"credentialBundlePath":"p","keyPath":"k","certificateChainPath":"k/c"}}"#;
        check(
            "{}",
            &format!(
                r#""volumes":[{{"name":"v","projected":{{"sources":[{{}},{{"configMap":{{"name":"c","items":[{{"path":"p"}}]}}}},
                {{"serviceAccountToken":{{"path":"p/t"}}}},{{"clusterTrustBundle":{{"signerName":"a.b/c","path":"x"}}}},{certificate}]}}}}]"#
            ),
            &[
                r#"volume "v" (Projected) has no sources provided"#,
                r#"volume "v" (Projected): overlapping paths: "p/t" (ServiceAccountToken) with "p" (ConfigMap "c")"#,
                r#"volume "v" (Projected): overlapping paths: "p" (PodCertificate credential bundle) with "p" (ConfigMap "c")"#,
                r#"volume "v" (Projected): overlapping paths: "p" (PodCertificate credential bundle) with "p/t" (ServiceAccountToken)"#,
                r#"volume "v" (Projected): overlapping paths: "k" (PodCertificate key) with "k/c" (PodCertificate chain)"#,
            ],
        );
    }
}

//! Volumes whose files the kubelet writes: keys of Secrets and ConfigMaps, facts about the pod, tokens and certificates.
//!
//! Docs: Secrets; ConfigMaps; Downward API; Projected Volumes (A-70). Other volumes are in `volumes.rs`.

use std::collections::BTreeSet;

use super::{references, signers};
use crate::pod_template::{
    ClusterTrustBundle, DownwardApiFile, DownwardApiSource, Files, PodCertificate, ProjectedSource, ServiceAccountToken, VolumeProjection,
};
use crate::validation::{FieldError, Path, file_paths, one_of, required, selector};

/// The highest mode of a file.
const HIGHEST_MODE: i32 = 0o777;
/// How long a token is valid, in seconds: at least, and at most.
const TOKEN_SECONDS: std::ops::RangeInclusive<i64> = 600..=1 << 32;
/// The same for a certificate, and for one that the cluster itself signs.
const CERTIFICATE_SECONDS: std::ops::RangeInclusive<i32> = 3600..=7_862_400;
const OWN_CERTIFICATE_SECONDS: i32 = 86_400;
/// The fields that a file can have the value of.
const FIELDS: [&str; 5] = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

/// Checks a volume with keys of a Secret or a ConfigMap, and in which field it is named.
pub(super) fn check(path: &Path, field: &str, name: &str, files: &Files, errors: &mut Vec<FieldError>) {
    required(&path.field(field), name, errors);
    check_mode(&path.field("defaultMode"), files.default_mode, errors);
    check_items(path, files, errors);
}

fn check_items(path: &Path, files: &Files, errors: &mut Vec<FieldError>) {
    for (at, item) in files.items.iter().enumerate() {
        let path = path.field("items");
        let path = path.index(at);
        required(&path.field("key"), &item.key, errors);
        if required(&path.field("path"), &item.path, errors) {
            file_paths::check_file(&path.field("path"), &item.path, errors);
        }
        check_mode(&path.field("mode"), item.mode, errors);
    }
}

fn check_mode(path: &Path, mode: Option<i32>, errors: &mut Vec<FieldError>) {
    if let Some(mode) = mode.filter(|mode| !(0..=HIGHEST_MODE).contains(mode)) {
        errors.push(FieldError::invalid(path, &mode, "must be a number between 0 and 0777 (octal), both inclusive"));
    }
}

/// Checks a volume with facts about the pod.
pub(super) fn check_downward(path: &Path, source: &DownwardApiSource, errors: &mut Vec<FieldError>) {
    check_mode(&path.field("defaultMode"), source.default_mode, errors);
    for file in &source.items {
        check_downward_file(path, file, errors);
    }
}

/// Checks a fact. Its errors name the volume, not the item.
fn check_downward_file(path: &Path, file: &DownwardApiFile, errors: &mut Vec<FieldError>) {
    if required(&path.field("path"), &file.path, errors) {
        file_paths::check_file(&path.field("path"), &file.path, errors);
    }
    match (&file.field_ref, &file.resource_field_ref) {
        (Some(field), resource) => {
            references::check_field(&path.field("fieldRef"), field, &FIELDS, errors);
            if resource.is_some() {
                let detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
                errors.push(FieldError::invalid(path, "resource", detail));
            }
        }
        (None, Some(resource)) => references::check_resource(&path.field("resourceFieldRef"), resource, true, errors),
        (None, None) => errors.push(FieldError::required(path, "one of fieldRef and resourceFieldRef is required")),
    }
    check_mode(&path.field("mode"), file.mode, errors);
}

/// Checks a volume with several sources.
pub(super) fn check_projected(path: &Path, source: &ProjectedSource, errors: &mut Vec<FieldError>) {
    check_mode(&path.field("defaultMode"), source.default_mode, errors);
    let mut taken = BTreeSet::new();
    for (at, projection) in source.sources.iter().enumerate() {
        let item = path.field("sources");
        let item = item.index(at);
        check_projection(path, &item, projection, errors);
        for (file, shown) in written_files(projection) {
            if !file.is_empty() && !taken.insert(file) {
                errors.push(FieldError::invalid(path, shown, "conflicting duplicate paths"));
            }
        }
    }
}

/// The files that a source writes, each with the name that an error about a conflict shows. Tokens are left out.
fn written_files(projection: &VolumeProjection) -> Vec<(&str, &str)> {
    let keys = [&projection.secret, &projection.config_map].into_iter().flatten();
    let keys = keys.flat_map(|files| files.items.iter().map(|item| (&*item.path, &*files.name)));
    let facts = projection.downward_api.iter().flat_map(|source| source.items.iter().map(|file| &*file.path));
    let bundle = projection.cluster_trust_bundle.iter().map(|bundle| &*bundle.path);
    let certificate = projection.pod_certificate.iter().flat_map(|certificate| certificate.paths().map(|(_, path)| path));
    keys.chain(facts.chain(bundle).chain(certificate).map(|path| (path, path))).collect()
}

fn check_projection(volume: &Path, path: &Path, projection: &VolumeProjection, errors: &mut Vec<FieldError>) {
    let mut sources = 0;
    for (field, files) in [("secret", &projection.secret), ("configMap", &projection.config_map)] {
        if let Some(files) = files {
            sources += 1;
            required(&path.field(field).field("name"), &files.name, errors);
            check_items(&path.field(field), files, errors);
        }
    }
    if let Some(source) = &projection.downward_api {
        sources += 1;
        for file in &source.items {
            check_downward_file(&path.field("downwardAPI"), file, errors);
        }
    }
    if let Some(token) = &projection.service_account_token {
        sources += 1;
        check_token(volume, &path.field("serviceAccountToken"), token, errors);
    }
    if let Some(bundle) = &projection.cluster_trust_bundle {
        sources += 1;
        check_bundle(&path.field("clusterTrustBundle"), bundle, errors);
    }
    if let Some(certificate) = &projection.pod_certificate {
        sources += 1;
        check_certificate(&path.field("podCertificate"), certificate, errors);
    }
    if sources > 1 {
        errors.push(FieldError::forbidden(path, "may not specify more than 1 volume type per source"));
    }
}

fn check_token(volume: &Path, path: &Path, token: &ServiceAccountToken, errors: &mut Vec<FieldError>) {
    let seconds = path.field("expirationSeconds");
    match token.expiration_seconds {
        Some(short) if short < *TOKEN_SECONDS.start() => {
            errors.push(FieldError::invalid(seconds, &short, "may not specify a duration less than 10 minutes"));
        }
        Some(long) if long > *TOKEN_SECONDS.end() => {
            errors.push(FieldError::invalid(seconds, &long, "may not specify a duration larger than 2^32 seconds"));
        }
        Some(_) | None => (),
    }
    if required(&volume.field("path"), &token.path, errors) {
        file_paths::check_file(&volume.field("path"), &token.path, errors);
    }
}

fn check_bundle(path: &Path, bundle: &ClusterTrustBundle, errors: &mut Vec<FieldError>) {
    match (&bundle.name, &bundle.signer_name) {
        (Some(name), Some(signer)) => {
            let value = serde_json::json!({"name": &**name, "signerName": &**signer});
            errors.push(FieldError::invalid(path, &value, "only one of name and signerName may be used"));
        }
        (Some(name), None) => {
            if name.is_empty() {
                errors.push(FieldError::required(path.field("name"), "must be a valid object name"));
            }
            signers::check_bundle_name(&path.field("name"), name, errors);
            if let Some(chosen) = &bundle.label_selector {
                errors.push(FieldError::invalid(path.field("labelSelector"), chosen, "labelSelector must be unset if name is specified"));
            }
        }
        (None, Some(signer)) => {
            if signer.is_empty() {
                errors.push(FieldError::required(path.field("signerName"), "must be a valid signer name"));
            }
            signers::check(&path.field("signerName"), signer, errors);
            if let Some(chosen) = &bundle.label_selector {
                selector::check(&path.field("labelSelector"), chosen, false, errors);
            }
        }
        (None, None) => errors.push(FieldError::required(path, "either name or signerName must be specified")),
    }
    if required(&path.field("path"), &bundle.path, errors) {
        file_paths::check_file(&path.field("path"), &bundle.path, errors);
    }
}

fn check_certificate(path: &Path, certificate: &PodCertificate, errors: &mut Vec<FieldError>) {
    signers::check(&path.field("signerName"), &certificate.signer_name, errors);
    one_of(&path.field("keyType"), &certificate.key_type, schema::values("PodCertificateProjection", "keyType"), errors);
    if let Some(seconds) = certificate.max_expiration_seconds {
        let (least, mut most) = (*CERTIFICATE_SECONDS.start(), *CERTIFICATE_SECONDS.end());
        if certificate.signer_name.starts_with("kubernetes.io/") {
            most = OWN_CERTIFICATE_SECONDS;
        }
        let bound = if seconds < least { format!(">= {least}") } else { format!("<= {most}") };
        if !(least..=most).contains(&seconds) {
            let detail = format!("if provided, maxExpirationSeconds must be {bound}");
            errors.push(FieldError::invalid(path.field("maxExpirationSeconds"), &seconds, detail));
        }
    }
    if certificate.paths().iter().all(|(_, file)| file.is_empty()) {
        errors.push(FieldError::required(path, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath"));
    }
    for (field, file) in certificate.paths() {
        file_paths::check_file(&path.field(field), file, errors);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_volume;

    #[test]
    fn a_70_keys_as_files() {
        check_volume(r#""secret":{"secretName":"s","items":[{"key":"a","path":"b/c","mode":256}]}"#, &[]);
        check_volume(
            r#""configMap":{"defaultMode":512,"items":[{"path":"/a","mode":-1},{"key":"a","path":"..a"}]}"#,
            &[
                "configMap.name: Required value",
                "configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
                "configMap.items[0].key: Required value",
                r#"configMap.items[0].path: Invalid value: "/a": must be a relative path"#,
                "configMap.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive",
                r#"configMap.items[1].path: Invalid value: "..a": must not start with '..'"#,
            ],
        );
    }

    #[test]
    fn a_70_facts_as_files() {
        let (field, resource) = (r#""fieldRef":{"fieldPath":"metadata.labels"}"#, r#""resourceFieldRef":{"resource":"limits.cpu"}"#);
        check_volume(
            &format!(
                r#""downwardAPI":{{"items":[{{"path":"a",{field}}},{{{field},{resource}}},{{"path":"b",{resource}}},{{"path":"c"}},
                {{"path":"d","fieldRef":{{"fieldPath":"status.podIP"}}}}]}}"#
            ),
            &[
                "downwardAPI.path: Required value",
                r#"downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously"#,
                "downwardAPI.resourceFieldRef.containerName: Required value",
                "downwardAPI: Required value: one of fieldRef and resourceFieldRef is required",
                r#"downwardAPI.fieldRef.fieldPath: Unsupported value: "status.podIP": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid""#,
            ],
        );
    }

    #[test]
    fn a_70_projected_sources() {
        check_volume(
            r#""projected":{"sources":[{"secret":{"name":"s","items":[{"key":"a","path":"p"}]}},{"configMap":{"name":"c","items":[{"key":"a","path":"p"}]}},
                {"serviceAccountToken":{"path":"p","expirationSeconds":599}},{"serviceAccountToken":{"path":"q"},"clusterTrustBundle":{"name":"n","path":"p"}}]}"#,
            &[
                r#"projected: Invalid value: "c": conflicting duplicate paths"#,
                "projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes",
                "projected.sources[3]: Forbidden: may not specify more than 1 volume type per source",
                r#"projected: Invalid value: "p": conflicting duplicate paths"#,
            ],
        );
    }

    #[test]
    fn a_70_bundles_and_certificates() {
        check_volume(
            r#""projected":{"sources":[{"clusterTrustBundle":{"path":"a"}},{"clusterTrustBundle":{"name":"n","labelSelector":{},"path":"b"}},
                {"podCertificate":{"signerName":"kubernetes.io/x","keyType":"x","maxExpirationSeconds":86401}},
                {"podCertificate":{"signerName":"a.b/c","keyType":"ED25519","keyPath":"../k","maxExpirationSeconds":1}}]}"#,
            &[
                "projected.sources[0].clusterTrustBundle: Required value: either name or signerName must be specified",
                r#"projected.sources[1].clusterTrustBundle.labelSelector: Invalid value: {}: labelSelector must be unset if name is specified"#,
                r#"projected.sources[2].podCertificate.keyType: Unsupported value: "x": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519""#,
                "projected.sources[2].podCertificate.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400",
                "projected.sources[2].podCertificate: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath",
                "projected.sources[3].podCertificate.maxExpirationSeconds: Invalid value: 1: if provided, maxExpirationSeconds must be >= 3600",
                r#"projected.sources[3].podCertificate.keyPath: Invalid value: "../k": must not contain '..'"#,
            ],
        );
    }
}

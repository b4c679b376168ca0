//! Volumes, and where their contents come from.
//!
//! Docs: Volumes, "Types of volumes"; Projected Volumes; Ephemeral Volumes. Where containers see them is in `container.rs`.

use api::Text;
use api::json::{JsonValue, Read, ReadError};
use api::meta::Labels;
use api::quantity::Quantity;
use api::selector::LabelSelector;
use serde_json::{Map, Value};

use super::{FieldRef, LocalObjectReference, ResourceFieldRef, Resources};

/// The fields of a JSON object.
pub(crate) type JsonFields = Map<String, Value>;

/// All sources of volumes, in the order in which the API server looks at them.
const SOURCES: [&str; 30] = [
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "flocker",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "quobyte",
    "downwardAPI",
    "fc",
    "flexVolume",
    "configMap",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "storageos",
    "projected",
    "scaleIO",
    "csi",
    "ephemeral",
    "image",
];

/// A volume; it should have one source.
#[derive(Debug, Clone, Default)]
pub(crate) struct Volume {
    pub(crate) name: Text,
    /// In the order in which the API server looks at them.
    pub(crate) sources: Vec<(&'static str, VolumeSource)>,
}

impl Volume {
    /// The source that counts.
    pub(crate) fn source(&self) -> Option<&VolumeSource> {
        self.sources.first().map(|(_, source)| source)
    }
}

/// Where the contents of a volume come from.
#[derive(Debug, Clone)]
pub(crate) enum VolumeSource {
    EmptyDir(EmptyDir),
    HostPath(HostPath),
    Secret(Files),
    ConfigMap(Files),
    Claim(Claim),
    DownwardApi(DownwardApiSource),
    Projected(ProjectedSource),
    Csi(CsiSource),
    Ephemeral(Box<EphemeralSource>),
    Image(ImageSource),
    /// One of the older kinds: nodes no longer support most of them.
    Older(JsonFields),
}

impl Read for Volume {
    fn begin(&mut self) {
        *self = Self::default();
    }

    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        if name == "name" {
            return value.read(&mut self.name);
        }
        let Some(rank) = SOURCES.iter().position(|source| *source == name) else { return Ok(()) };
        let source = match name {
            "emptyDir" => read(value, VolumeSource::EmptyDir),
            "hostPath" => read(value, VolumeSource::HostPath),
            "secret" => read(value, VolumeSource::Secret),
            "configMap" => read(value, VolumeSource::ConfigMap),
            "persistentVolumeClaim" => read(value, VolumeSource::Claim),
            "downwardAPI" => read(value, VolumeSource::DownwardApi),
            "projected" => read(value, VolumeSource::Projected),
            "csi" => read(value, VolumeSource::Csi),
            "ephemeral" => read(value, |source| VolumeSource::Ephemeral(Box::new(source))),
            "image" => read(value, VolumeSource::Image),
            _ => value.raw().map(|raw| raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).map(VolumeSource::Older)),
        };
        if let Some(source) = source? {
            let place = self.sources.partition_point(|(other, _)| SOURCES.iter().take(rank).any(|source| source == other));
            self.sources.insert(place, (SOURCES[rank], source));
        }
        Ok(())
    }
}

fn read<T: Read + Default>(value: JsonValue<'_>, source: fn(T) -> VolumeSource) -> Result<Option<VolumeSource>, ReadError> {
    let mut read = None;
    value.read(&mut read)?;
    Ok(read.map(source))
}

/// A folder that lives as long as the pod.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct EmptyDir {
    #[read(with = Quantity::read)]
    pub(crate) size_limit: Option<Quantity>,
}

/// A path of the node.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct HostPath {
    pub(crate) path: Text,
    #[serde(rename = "type")]
    pub(crate) kind: Text,
}

/// Keys of a Secret or a ConfigMap as files; only a Secret as a volume has its name in `secretName`.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Files {
    pub(crate) name: Text,
    pub(crate) secret_name: Text,
    pub(crate) items: Vec<KeyToPath>,
    pub(crate) default_mode: Option<i32>,
}

/// A key as a file.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct KeyToPath {
    pub(crate) key: Text,
    pub(crate) path: Text,
    pub(crate) mode: Option<i32>,
}

/// A claim of a PersistentVolume.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Claim {
    pub(crate) claim_name: Text,
}

/// Facts about the pod as files.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct DownwardApiSource {
    pub(crate) items: Vec<DownwardApiFile>,
    pub(crate) default_mode: Option<i32>,
}

/// A fact as a file.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct DownwardApiFile {
    pub(crate) path: Text,
    pub(crate) field_ref: Option<FieldRef>,
    pub(crate) resource_field_ref: Option<ResourceFieldRef>,
    pub(crate) mode: Option<i32>,
}

/// Several sources in one folder.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ProjectedSource {
    pub(crate) sources: Vec<VolumeProjection>,
    pub(crate) default_mode: Option<i32>,
}

/// One of several sources.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct VolumeProjection {
    pub(crate) secret: Option<Files>,
    pub(crate) config_map: Option<Files>,
    #[serde(rename = "downwardAPI")]
    pub(crate) downward_api: Option<DownwardApiSource>,
    pub(crate) service_account_token: Option<ServiceAccountToken>,
    pub(crate) cluster_trust_bundle: Option<ClusterTrustBundle>,
    pub(crate) pod_certificate: Option<PodCertificate>,
}

/// A token of the pod's service account.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ServiceAccountToken {
    pub(crate) expiration_seconds: Option<i64>,
    pub(crate) path: Text,
}

/// Certificates of authorities.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ClusterTrustBundle {
    pub(crate) name: Option<Text>,
    pub(crate) signer_name: Option<Text>,
    pub(crate) label_selector: Option<LabelSelector>,
    pub(crate) path: Text,
}

/// A key and a certificate of the pod's own.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct PodCertificate {
    pub(crate) signer_name: Text,
    pub(crate) key_type: Text,
    pub(crate) max_expiration_seconds: Option<i32>,
    pub(crate) credential_bundle_path: Text,
    pub(crate) key_path: Text,
    pub(crate) certificate_chain_path: Text,
}

impl PodCertificate {
    /// The paths of its files, by field.
    pub(crate) fn paths(&self) -> [(&'static str, &str); 3] {
        [
            ("credentialBundlePath", &self.credential_bundle_path),
            ("keyPath", &self.key_path),
            ("certificateChainPath", &self.certificate_chain_path),
        ]
    }
}

/// What a driver provides.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct CsiSource {
    pub(crate) driver: Text,
    pub(crate) node_publish_secret_ref: Option<LocalObjectReference>,
}

/// A PersistentVolume that lives as long as the pod.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct EphemeralSource {
    pub(crate) volume_claim_template: Option<ClaimTemplate>,
}

/// The claim that is made for a pod.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ClaimTemplate {
    pub(crate) metadata: ClaimMetadata,
    pub(crate) spec: ClaimSpec,
}

/// Metadata of a claim.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClaimMetadata {
    pub(crate) labels: Labels,
    pub(crate) annotations: Labels,
    /// What is not for a template to set.
    pub(crate) others: Vec<Text>,
}

impl Read for ClaimMetadata {
    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        match name {
            "labels" => return value.read(&mut self.labels),
            "annotations" => return value.read(&mut self.annotations),
            _ => (),
        }
        if value.raw()?.is_some_and(|raw| !["\"\"", "0", "[]", "{}"].contains(&raw.get())) {
            self.others.push(name.into());
        }
        Ok(())
    }
}

/// What a claim asks for.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ClaimSpec {
    pub(crate) access_modes: Vec<Text>,
    pub(crate) selector: Option<LabelSelector>,
    pub(crate) resources: Resources,
    pub(crate) storage_class_name: Option<Text>,
    pub(crate) volume_mode: Option<Text>,
    pub(crate) data_source: Option<DataSource>,
    pub(crate) data_source_ref: Option<DataSource>,
    pub(crate) volume_attributes_class_name: Option<Text>,
}

/// What a claim is filled with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read)]
pub(crate) struct DataSource {
    pub(crate) api_group: Option<Text>,
    pub(crate) kind: Text,
    pub(crate) name: Text,
}

/// An image whose files are the volume.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ImageSource {
    pub(crate) reference: Text,
    pub(crate) pull_policy: Text,
}

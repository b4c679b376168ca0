//! The volumes of a pod template, each with the details of its kind.
//!
//! Docs: Volumes; Ephemeral Volumes; Projected Volumes. Mounts are written in `container.rs`.

use std::fmt::Write as _;

use api::quantity::Quantity;
use serde_json::Value;

use crate::labels::{write_annotations, write_labels};
use crate::value::{entries, items, joined, number, text};

/// A kind of volume: its field, what it is called and described as, and its own fields with their names.
type VolumeKind = (&'static str, &'static str, &'static [(&'static str, &'static str, FieldForm)]);

/// How a field is written.
enum FieldForm {
    /// Text as it is.
    Text,
    /// Text, or `<none>` where the field is missing.
    TextOrNone,
    /// A whole number.
    Number,
    /// A whole number, or `<none>` where the field is missing.
    NumberOrNone,
    /// `true` or `false`.
    Flag,
    /// Texts in brackets.
    Texts,
    /// Texts with commas between them.
    Listed,
    /// A map in brackets.
    Map,
    /// The name of a Secret, in the form of Go's structures.
    Secret,
    /// A quantity, or `<unset>`.
    Size,
}

use FieldForm::{Flag, Listed, Map, Number, NumberOrNone, Secret, Size, Text, TextOrNone, Texts};

const KINDS: [VolumeKind; 29] = [
    ("hostPath", "HostPath (bare host directory volume)", &[("Path:", "path", Text), ("HostPathType:", "type", TextOrNone)]),
    (
        "emptyDir",
        "EmptyDir (a temporary directory that shares a pod's lifetime)",
        &[("Medium:", "medium", Text), ("SizeLimit:", "sizeLimit", Size)],
    ),
    (
        "gcePersistentDisk",
        "GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)",
        &[("PDName:", "pdName", Text), ("FSType:", "fsType", Text), ("Partition:", "partition", Number), ("ReadOnly:", "readOnly", Flag)],
    ),
    (
        "awsElasticBlockStore",
        "AWSElasticBlockStore (a Persistent Disk resource in AWS)",
        &[
            ("VolumeID:", "volumeID", Text),
            ("FSType:", "fsType", Text),
            ("Partition:", "partition", Number),
            ("ReadOnly:", "readOnly", Flag),
        ],
    ),
    (
        "gitRepo",
        "GitRepo (a volume that is pulled from git when the pod is created)",
        &[("Repository:", "repository", Text), ("Revision:", "revision", Text)],
    ),
    ("secret", "Secret (a volume populated by a Secret)", &[("SecretName:", "secretName", Text), ("Optional:", "optional", Flag)]),
    ("configMap", "ConfigMap (a volume populated by a ConfigMap)", &[("Name:", "name", Text), ("Optional:", "optional", Flag)]),
    (
        "nfs",
        "NFS (an NFS mount that lasts the lifetime of a pod)",
        &[("Server:", "server", Text), ("Path:", "path", Text), ("ReadOnly:", "readOnly", Flag)],
    ),
    (
        "iscsi",
        "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
        &[
            ("TargetPortal:", "targetPortal", Text),
            ("IQN:", "iqn", Text),
            ("Lun:", "lun", Number),
            // kubectl writes no colon here.
            ("ISCSIInterface", "iscsiInterface", Text),
            ("FSType:", "fsType", Text),
            ("ReadOnly:", "readOnly", Flag),
            ("Portals:", "portals", Texts),
            ("DiscoveryCHAPAuth:", "chapAuthDiscovery", Flag),
            ("SessionCHAPAuth:", "chapAuthSession", Flag),
            ("SecretRef:", "secretRef", Secret),
            ("InitiatorName:", "initiatorName", TextOrNone),
        ],
    ),
    (
        "glusterfs",
        "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
        &[("EndpointsName:", "endpoints", Text), ("Path:", "path", Text), ("ReadOnly:", "readOnly", Flag)],
    ),
    (
        "persistentVolumeClaim",
        "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)",
        &[("ClaimName:", "claimName", Text), ("ReadOnly:", "readOnly", Flag)],
    ),
    (
        "rbd",
        "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)",
        &[
            ("CephMonitors:", "monitors", Texts),
            ("RBDImage:", "image", Text),
            ("FSType:", "fsType", Text),
            ("RBDPool:", "pool", Text),
            ("RadosUser:", "user", Text),
            ("Keyring:", "keyring", Text),
            ("SecretRef:", "secretRef", Secret),
            ("ReadOnly:", "readOnly", Flag),
        ],
    ),
    (
        "quobyte",
        "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
        &[("Registry:", "registry", Text), ("Volume:", "volume", Text), ("ReadOnly:", "readOnly", Flag)],
    ),
    ("downwardAPI", "DownwardAPI (a volume populated by information about the pod)", &[]),
    (
        "azureDisk",
        "AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)",
        &[
            ("DiskName:", "diskName", Text),
            ("DiskURI:", "diskURI", Text),
            ("Kind:", "kind", Text),
            ("FSType:", "fsType", Text),
            ("CachingMode:", "cachingMode", Text),
            ("ReadOnly:", "readOnly", Flag),
        ],
    ),
    (
        "vsphereVolume",
        "vSphereVolume (a Persistent Disk resource in vSphere)",
        &[("VolumePath:", "volumePath", Text), ("FSType:", "fsType", Text), ("StoragePolicyName:", "storagePolicyName", Text)],
    ),
    (
        "cinder",
        "Cinder (a Persistent Disk resource in OpenStack)",
        &[
            ("VolumeID:", "volumeID", Text),
            ("FSType:", "fsType", Text),
            ("ReadOnly:", "readOnly", Flag),
            ("SecretRef:", "secretRef", Secret),
        ],
    ),
    (
        "photonPersistentDisk",
        "PhotonPersistentDisk (a Persistent Disk resource in photon platform)",
        &[("PdID:", "pdID", Text), ("FSType:", "fsType", Text)],
    ),
    ("portworxVolume", "PortworxVolume (a Portworx Volume resource)", &[("VolumeID:", "volumeID", Text)]),
    (
        "scaleIO",
        "ScaleIO (a persistent volume backed by a block device in ScaleIO)",
        &[
            ("Gateway:", "gateway", Text),
            ("System:", "system", Text),
            ("Protection Domain:", "protectionDomain", Text),
            ("Storage Pool:", "storagePool", Text),
            ("Storage Mode:", "storageMode", Text),
            ("VolumeName:", "volumeName", Text),
            ("FSType:", "fsType", Text),
            ("ReadOnly:", "readOnly", Flag),
        ],
    ),
    (
        "cephfs",
        "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
        &[
            ("Monitors:", "monitors", Texts),
            ("Path:", "path", Text),
            ("User:", "user", Text),
            ("SecretFile:", "secretFile", Text),
            ("SecretRef:", "secretRef", Secret),
            ("ReadOnly:", "readOnly", Flag),
        ],
    ),
    (
        "storageos",
        "StorageOS (a StorageOS Persistent Disk resource)",
        &[
            ("VolumeName:", "volumeName", Text),
            ("VolumeNamespace:", "volumeNamespace", Text),
            ("FSType:", "fsType", Text),
            ("ReadOnly:", "readOnly", Flag),
        ],
    ),
    (
        "fc",
        "FC (a Fibre Channel disk)",
        &[
            ("TargetWWNs:", "targetWWNs", Listed),
            ("LUN:", "lun", NumberOrNone),
            ("FSType:", "fsType", Text),
            ("ReadOnly:", "readOnly", Flag),
        ],
    ),
    (
        "azureFile",
        "AzureFile (an Azure File Service mount on the host and bind mount to the pod)",
        &[("SecretName:", "secretName", Text), ("ShareName:", "shareName", Text), ("ReadOnly:", "readOnly", Flag)],
    ),
    (
        "flexVolume",
        "FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)",
        &[
            ("Driver:", "driver", Text),
            ("FSType:", "fsType", Text),
            ("SecretRef:", "secretRef", Secret),
            ("ReadOnly:", "readOnly", Flag),
            ("Options:", "options", Map),
        ],
    ),
    (
        "flocker",
        "Flocker (a Flocker volume mounted by the Flocker agent)",
        &[("DatasetName:", "datasetName", Text), ("DatasetUUID:", "datasetUUID", Text)],
    ),
    ("projected", "Projected (a volume that contains injected data from multiple sources)", &[]),
    (
        "csi",
        "CSI (a Container Storage Interface (CSI) volume source)",
        &[("Driver:", "driver", Text), ("FSType:", "fsType", Text), ("ReadOnly:", "readOnly", Flag)],
    ),
    ("image", "Image (a container image or OCI artifact)", &[("Reference:", "reference", Text), ("PullPolicy:", "pullPolicy", Text)]),
];

/// Writes volumes.
pub(crate) fn write(out: &mut String, volumes: &Value) {
    let volumes = items(volumes);
    out.push_str(if volumes.is_empty() { "  Volumes:\t<none>\n" } else { "  Volumes:\n" });
    for volume in volumes {
        let _ = writeln!(out, "   {}:", text(&volume["name"]));
        write_volume(out, volume);
    }
}

fn write_volume(out: &mut String, volume: &Value) {
    if volume["ephemeral"].is_object() {
        return write_ephemeral(out, &volume["ephemeral"]["volumeClaimTemplate"]);
    }
    let Some((kind, description, fields)) = KINDS.iter().find(|(kind, ..)| volume[*kind].is_object()) else {
        out.push_str("  <unknown>\n");
        return;
    };
    let source = &volume[*kind];
    let _ = writeln!(out, "    Type:\t{description}");
    for (name, field, form) in *fields {
        let _ = writeln!(out, "    {name}\t{}", form.written(&source[*field]));
    }
    match *kind {
        "downwardAPI" => write_items(out, items(&source["items"])),
        "projected" => items(&source["sources"]).iter().for_each(|source| write_projection(out, source)),
        "csi" => {
            let attributes = &source["volumeAttributes"];
            let inset = if entries(attributes).next().is_some() { "    " } else { "" };
            write_labels(out, "    VolumeAttributes", attributes, inset);
        }
        _ => {}
    }
}

impl FieldForm {
    fn written(&self, value: &Value) -> String {
        match self {
            Text => text(value).to_owned(),
            TextOrNone => value.as_str().unwrap_or("<none>").to_owned(),
            Number => number(value).to_string(),
            NumberOrNone => value.as_i64().map_or_else(|| "<none>".to_owned(), |number| number.to_string()),
            Flag => (*value == true).to_string(),
            Texts => format!("[{}]", joined(value, " ")),
            Listed => joined(value, ", "),
            Map => format!("map[{}]", entries(value).map(|(key, value)| format!("{key}:{}", text(value))).collect::<Vec<_>>().join(" ")),
            Secret if value.is_object() => format!("&LocalObjectReference{{Name:{},}}", text(&value["name"])),
            Secret => "nil".to_owned(),
            Size => Quantity::of(value).map_or_else(|| "<unset>".to_owned(), |size| size.canonical()),
        }
    }
}

/// Writes what of a pod is in which file.
fn write_items(out: &mut String, files: &[Value]) {
    out.push_str("    Items:\n");
    for file in files {
        let (field, resource) = (&file["fieldRef"], &file["resourceFieldRef"]);
        let what = if field.is_object() { text(&field["fieldPath"]) } else { text(&resource["resource"]) };
        let _ = writeln!(out, "      {what} -> {}", text(&file["path"]));
    }
}

/// Writes one source of a projected volume.
fn write_projection(out: &mut String, source: &Value) {
    for (field, name) in [("secret", "SecretName"), ("configMap", "ConfigMapName")] {
        if source[field].is_object() {
            let _ = writeln!(out, "    {name}:\t{}", text(&source[field]["name"]));
            let _ = writeln!(out, "    Optional:\t{}", source[field]["optional"] == true);
        }
    }
    if source["downwardAPI"].is_object() {
        out.push_str("    DownwardAPI:\ttrue\n");
    }
    if source["serviceAccountToken"].is_object() {
        let _ = writeln!(out, "    TokenExpirationSeconds:\t{}", number(&source["serviceAccountToken"]["expirationSeconds"]));
    }
}

/// Writes a volume that is claimed for each pod. There is no claim yet, so neither volume nor capacity are known.
fn write_ephemeral(out: &mut String, claim: &Value) {
    let (metadata, spec) = (&claim["metadata"], &claim["spec"]);
    out.push_str("    Type:\tEphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)\n");
    let _ = writeln!(out, "    StorageClass:\t{}\n    Volume:\t", text(&spec["storageClassName"]));
    write_labels(out, "    Labels", &metadata["labels"], "    ");
    write_annotations(out, "    Annotations", &metadata["annotations"], "    ");
    out.push_str("    Capacity:\t\n    Access Modes:\t\n");
    if let Some(mode) = spec["volumeMode"].as_str() {
        let _ = writeln!(out, "    VolumeMode:\t{mode}");
    }
    let source = &spec["dataSource"];
    if !source.is_object() {
        return;
    }
    out.push_str("    DataSource:\n");
    for (name, field) in [("APIGroup", "apiGroup"), ("Kind", "kind"), ("Name", "name")] {
        if let Some(value) = source[field].as_str() {
            let _ = writeln!(out, "      {name}:\t{value}");
        }
    }
}

//! Environment variables, and where their values come from.
//!
//! Docs: Define Environment Variables for a Container; Expose Pod Information to Containers Through Environment Variables. Volumes of the downward API
//! refer to fields and resources in the same way: `volumes.rs`.

use api::Text;
use api::json::Read;
use api::quantity::Quantity;

use super::LocalObjectReference;

/// An environment variable.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct EnvVar {
    pub(crate) name: Text,
    pub(crate) value: Text,
    pub(crate) value_from: Option<EnvSource>,
}

/// Where the value of a variable comes from.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct EnvSource {
    pub(crate) field_ref: Option<FieldRef>,
    pub(crate) resource_field_ref: Option<ResourceFieldRef>,
    pub(crate) config_map_key_ref: Option<KeyRef>,
    pub(crate) secret_key_ref: Option<KeyRef>,
    pub(crate) file_key_ref: Option<FileKeyRef>,
}

/// A field of the pod.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct FieldRef {
    pub(crate) api_version: Text,
    pub(crate) field_path: Text,
}

/// A resource of a container.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ResourceFieldRef {
    pub(crate) container_name: Text,
    pub(crate) resource: Text,
    #[read(with = Quantity::read)]
    pub(crate) divisor: Option<Quantity>,
}

/// A key of a ConfigMap or a Secret.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct KeyRef {
    pub(crate) name: Text,
    pub(crate) key: Text,
}

/// A key of a file in a volume.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct FileKeyRef {
    pub(crate) volume_name: Text,
    pub(crate) path: Text,
    pub(crate) key: Text,
}

/// A ConfigMap or a Secret whose keys all become variables.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct EnvFrom {
    pub(crate) prefix: Text,
    pub(crate) config_map_ref: Option<LocalObjectReference>,
    pub(crate) secret_ref: Option<LocalObjectReference>,
}

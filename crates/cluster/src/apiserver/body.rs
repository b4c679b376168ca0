//! Bodies of requests: an object in parts, each read only where it is needed.
//!
//! Docs: Objects in Kubernetes, "Describing a Kubernetes object". The parts are used in `create.rs` and `update.rs`.

use std::borrow::Cow;

use ::admission::job_template;
use api::request::ApiError;
use api::{CronJobSpec, Kind, ObjectMeta};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::errors;

/// An object as it stands in a body.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    #[serde(borrow, default)]
    api_version: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    kind: Option<Cow<'a, str>>,
    #[serde(default)]
    metadata: Option<ObjectMeta>,
    #[serde(borrow, default)]
    spec: Option<&'a RawValue>,
    #[serde(borrow, default)]
    status: Option<&'a RawValue>,
}

/// What a client wants an object to be.
pub(crate) struct DesiredObject<'a> {
    pub(crate) metadata: ObjectMeta,
    pub(crate) spec: BodyPart<'a>,
    pub(crate) status: BodyPart<'a>,
}

/// A part of an object as a client gives it.
pub(crate) enum BodyPart<'a> {
    /// As it is stored.
    Unchanged,
    /// Not given, which means empty.
    Empty,
    /// As JSON text.
    Text(&'a str),
    /// As a value that a patch made.
    Value(Value),
}

impl<'a> BodyPart<'a> {
    fn of(given: Option<&'a RawValue>) -> Self {
        given.map_or(Self::Empty, |raw| Self::Text(raw.get()))
    }

    /// Reads the part of an object of this kind; `None` if it is unchanged.
    pub(crate) fn read<T: DeserializeOwned + Default>(self, kind: Kind) -> Result<Option<T>, ApiError> {
        match self {
            Self::Unchanged => Ok(None),
            Self::Empty | Self::Value(Value::Null) => Ok(Some(T::default())),
            Self::Text(text) => serde_json::from_str(text).map(Some).map_err(|error| errors::unreadable(kind, error)),
            Self::Value(value) => serde_json::from_value(value).map(Some).map_err(errors::unreadable_patch),
        }
    }
}

impl BodyPart<'_> {
    /// Reads the spec of a CronJob down to that of its Jobs, which stays JSON text; `None` if it is unchanged.
    pub(crate) fn read_cron_job_spec(self) -> Result<Option<CronJobSpec>, ApiError> {
        let patched = matches!(self, Self::Value(_));
        let Some(spec) = self.read::<CronJobSpec>(Kind::CronJob)? else { return Ok(None) };
        match job_template::read(&spec.job_template) {
            Ok(_) => Ok(Some(spec)),
            Err(error) if patched => Err(errors::unreadable_patch(error)),
            Err(error) => Err(errors::unreadable(Kind::CronJob, error)),
        }
    }
}

impl<'a> DesiredObject<'a> {
    /// Reads a whole object from a body, which is about an object in this namespace.
    pub(crate) fn read(kind: Kind, namespace: &str, body: &'a str) -> Result<Self, ApiError> {
        let draft = Self::whole(kind, body)?;
        if !draft.metadata.namespace.is_empty() && *draft.metadata.namespace != *namespace {
            return Err(errors::other_namespace());
        }
        Ok(draft)
    }

    /// Reads a whole object.
    pub(crate) fn whole(kind: Kind, body: &'a str) -> Result<Self, ApiError> {
        if !body.trim_start().starts_with('{') {
            return Err(errors::unreadable(kind, "the body is not a JSON object"));
        }
        let envelope: Envelope<'a> = serde_json::from_str(body).map_err(|error| errors::unreadable(kind, error))?;
        let given_kind = envelope.kind.as_deref().unwrap_or(kind.name());
        if given_kind != kind.name() {
            return Err(errors::unreadable(kind, format_args!("it is a {given_kind}")));
        }
        let version = envelope.api_version.as_deref().unwrap_or(kind.api_version());
        if version != kind.api_version() {
            return Err(errors::unreadable(kind, format_args!("no kind {given_kind:?} is registered for version {version:?}")));
        }
        Ok(Self {
            metadata: envelope.metadata.unwrap_or_default(),
            spec: BodyPart::of(envelope.spec),
            status: BodyPart::of(envelope.status),
        })
    }
}

//! One REST request as data, and its outcome.
//!
//! Docs: Kubernetes API Concepts, "API verbs", "Patches". A host needs HTTP and nothing else.

use serde::{Deserialize, Serialize};

use crate::ObjectMeta;
use crate::object::Kind;

/// The HTTP method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Reads one object or lists many.
    Get,
    /// Creates an object.
    Post,
    /// Replaces an object, or its subresource.
    Put,
    /// Changes parts of an object.
    Patch,
    /// Deletes an object.
    Delete,
}

impl Method {
    /// The method as HTTP writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// The verb that authorization and clients of the API have for it. A `GET` of many objects has another one: `list` or `watch`.
    #[must_use]
    pub fn verb(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "create",
            Self::Put => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }
}

/// What the body of a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContentType {
    /// An object, or options.
    #[serde(rename = "application/json")]
    Json,
    /// A JSON merge patch (RFC 7386).
    #[serde(rename = "application/merge-patch+json")]
    MergePatch,
    /// A strategic merge patch, which merges lists by key.
    #[serde(rename = "application/strategic-merge-patch+json")]
    StrategicMergePatch,
}

impl ContentType {
    /// The media type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::MergePatch => "application/merge-patch+json",
            Self::StrategicMergePatch => "application/strategic-merge-patch+json",
        }
    }
}

/// One request to the API server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The path from the server's root, without a query.
    pub path: String,
    /// What the body is; of no meaning without a body.
    pub content_type: ContentType,
    /// The body, JSON text; empty: none.
    pub body: String,
}

impl Request {
    /// Reads the resource at a path; the path may have a query.
    #[must_use]
    pub fn get(path: String) -> Self {
        Self { method: Method::Get, path, content_type: ContentType::Json, body: String::new() }
    }

    /// Reads one object.
    #[must_use]
    pub fn read(kind: Kind, namespace: &str, name: &str) -> Self {
        Self::get(path(kind, namespace, name, ""))
    }

    /// Creates an object.
    #[must_use]
    pub fn create(kind: Kind, namespace: &str, body: String) -> Self {
        Self { method: Method::Post, path: path(kind, namespace, "", ""), content_type: ContentType::Json, body }
    }

    /// Replaces an object's status; the API server keeps the rest of the object as it is.
    #[must_use]
    pub fn write_status(kind: Kind, metadata: &ObjectMeta, status: &impl Serialize) -> Self {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Body<'a, S> {
            api_version: &'static str,
            kind: &'static str,
            metadata: &'a ObjectMeta,
            status: &'a S,
        }
        let body = Body { api_version: kind.api_version(), kind: kind.name(), metadata, status };
        let body = serde_json::to_string(&body).expect("metadata and a status have text keys only");
        let path = path(kind, &metadata.namespace, &metadata.name, "status");
        Self { method: Method::Put, path, content_type: ContentType::Json, body }
    }

    /// Changes parts of an object by a strategic merge patch.
    #[must_use]
    pub fn patch(kind: Kind, namespace: &str, name: &str, body: String) -> Self {
        let content_type = ContentType::StrategicMergePatch;
        Self { method: Method::Patch, path: path(kind, namespace, name, ""), content_type, body }
    }

    /// Deletes an object; `body` holds DeleteOptions, or is empty.
    #[must_use]
    pub fn delete(kind: Kind, namespace: &str, name: &str, body: String) -> Self {
        Self { method: Method::Delete, path: path(kind, namespace, name, ""), content_type: ContentType::Json, body }
    }
}

/// How an object is deleted: what happens to its dependents, and what must hold of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeleteOptions<'a> {
    /// `Background`, `Foreground` or `Orphan`.
    pub propagation_policy: &'a str,
    /// What must hold of the object.
    pub preconditions: Preconditions<'a>,
}

/// What must hold of an object that is deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preconditions<'a> {
    /// Its UID.
    pub uid: &'a str,
    /// Its version, if that matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_version: Option<&'a str>,
}

impl DeleteOptions<'_> {
    /// The options as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("options have text keys only")
    }
}

/// The path of a collection (of all namespaces if `namespace` is empty), an object (`name` not empty) or its subresource (not empty either).
#[must_use]
pub fn path(kind: Kind, namespace: &str, name: &str, subresource: &str) -> String {
    let mut path = if kind.group().is_empty() { "/api/".to_owned() } else { "/apis/".to_owned() };
    path.push_str(kind.api_version());
    let scope = if namespace.is_empty() { "" } else { "namespaces" };
    for part in [scope, namespace, kind.resource(), name, subresource] {
        if !part.is_empty() {
            path.push('/');
            path.push_str(part);
        }
    }
    path
}

/// The outcome of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It took effect, or read what it was to read.
    Done(Written),
    /// It was refused, perhaps with a status that its sender tolerates, or its outcome is unknown.
    Failed(ApiError),
    /// It was not sent, because one of an earlier batch failed.
    Skipped,
}

/// The relevant fields of the object in the server's response. All are empty if the response held no object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// Its name.
    pub name: String,
    /// Its UID.
    pub uid: String,
    /// Its version after the request.
    pub resource_version: String,
    /// Whether it is being deleted.
    pub deleting: bool,
}

/// Why a request failed, from the `Status` object in the server's response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// The HTTP status code; 0 if there was no response, so it is unknown whether the request took effect.
    pub code: u16,
    /// The reason in one word, as in `NotFound`; may be empty.
    pub reason: String,
    /// The message for people.
    pub message: String,
    /// Single causes.
    pub causes: Vec<Cause>,
}

/// One cause of a refusal: of an invalid object, one wrong field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The kind of the error, as in `FieldValueInvalid`.
    pub reason: String,
    /// The field's path.
    pub field: String,
    /// The message without the path.
    pub message: String,
}

impl ApiError {
    /// Whether it is unknown if the request took effect: there was no response, or only a gateway's.
    #[must_use]
    pub fn outcome_unknown(&self) -> bool {
        matches!(self.code, 0 | 504)
    }

    /// Whether the object is not there.
    #[must_use]
    pub fn not_found(&self) -> bool {
        self.code == 404
    }
}

//! Refusals in the API server's words.
//!
//! Docs: API Concepts, "Error responses"; A-17. Invalid Jobs are worded in `admission::validation`; when a request is refused is decided beside it.

use api::Kind;
use api::request::{ApiError, Cause};

/// The resource with its group, as in `jobs.batch`.
fn resource(kind: Kind) -> String {
    with_group(kind.resource(), kind)
}

/// The kind with its group, as in `Job.batch`.
fn kind_with_group(kind: Kind) -> String {
    with_group(kind.name(), kind)
}

fn with_group(word: &str, kind: Kind) -> String {
    if kind.group().is_empty() { word.to_owned() } else { format!("{word}.{}", kind.group()) }
}

fn refusal(code: u16, reason: &str, message: String) -> ApiError {
    ApiError { code, reason: reason.to_owned(), message, causes: Vec::new() }
}

pub(crate) fn not_found(kind: Kind, name: &str) -> ApiError {
    refusal(404, "NotFound", format!("{} {name:?} not found", resource(kind)))
}

/// The name is taken, perhaps by an object that is going.
pub(crate) fn already_exists(kind: Kind, name: &str, deleting: bool) -> ApiError {
    let going = if deleting { "object is being deleted: " } else { "" };
    refusal(409, "AlreadyExists", format!("{going}{} {name:?} already exists", resource(kind)))
}

/// The object has another version than the request is about.
pub(crate) fn modified(kind: Kind, name: &str) -> ApiError {
    conflict(&resource(kind), name, "the object has been modified; please apply your changes to the latest version and try again")
}

/// The object has another UID than its replacement.
pub(crate) fn other_uid(kind: Kind, namespace: &str, name: &str, wanted: &str, held: &str) -> ApiError {
    let key = format!("/registry/{}/{namespace}/{name}", kind.resource());
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, \
         AdditionalErrorMsg: Precondition failed: UID in precondition: {wanted}, UID in object meta: {held}"
    );
    conflict(&resource(kind), name, &why)
}

/// The object has another UID than the one that is to be deleted.
pub(crate) fn other_uid_to_delete(kind: Kind, name: &str, wanted: &str, held: &str) -> ApiError {
    let why = format!(
        "the UID in the precondition ({wanted}) does not match the UID in record ({held}). \
         The object might have been deleted and then recreated"
    );
    conflict(&kind_with_group(kind), name, &why)
}

/// The object has another version than the one that is to be deleted.
pub(crate) fn other_version_to_delete(kind: Kind, name: &str, wanted: &str, held: &str) -> ApiError {
    let why = format!(
        "the ResourceVersion in the precondition ({wanted}) does not match the ResourceVersion in record ({held}). \
         The object might have been modified"
    );
    conflict(&kind_with_group(kind), name, &why)
}

fn conflict(subject: &str, name: &str, why: &str) -> ApiError {
    refusal(409, "Conflict", format!("Operation cannot be fulfilled on {subject} {name:?}: {why}"))
}

/// A refusal with the status 403, 409, 429 or 500 for which the server has no reason of its own.
#[must_use]
pub fn refused(code: u16, kind: Kind, name: &str) -> ApiError {
    match code {
        409 => conflict(&resource(kind), name, "refused"),
        429 => refusal(429, "TooManyRequests", "refused".to_owned()),
        500 => refusal(500, "InternalError", "Internal error occurred: refused".to_owned()),
        _ => refusal(code, "Forbidden", format!("{} {name:?} is forbidden: refused", resource(kind))),
    }
}

/// One field of an object is wrong; `message` is without the field.
pub(crate) fn invalid(subject: &str, name: &str, field: &str, reason: &str, message: &str) -> ApiError {
    let cause = Cause { reason: reason.to_owned(), field: field.to_owned(), message: message.to_owned() };
    ApiError { causes: vec![cause], ..refusal(422, "Invalid", format!("{subject} {name:?} is invalid: {field}: {message}")) }
}

pub(crate) fn bad_request(message: impl Into<String>) -> ApiError {
    refusal(400, "BadRequest", message.into())
}

/// The body cannot be read as an object of the kind.
pub(crate) fn unreadable(kind: Kind, why: impl std::fmt::Display) -> ApiError {
    bad_request(format!("{} in version \"v1\" cannot be handled as a {}: {why}", kind.name(), kind.name()))
}

/// A patch gives an object that cannot be read as one of its kind.
pub(crate) fn unreadable_patch(why: impl std::fmt::Display) -> ApiError {
    invalid("", "", "patch", "FieldValueInvalid", &format!("Invalid value: {why}"))
}

pub(crate) fn no_such_path() -> ApiError {
    refusal(404, "NotFound", "the server could not find the requested resource".to_owned())
}

pub(crate) fn method_not_allowed() -> ApiError {
    refusal(405, "MethodNotAllowed", "the server does not allow this method on the requested resource".to_owned())
}

pub(crate) fn unsupported_media_type() -> ApiError {
    refusal(415, "UnsupportedMediaType", "415: Unsupported Media Type".to_owned())
}

/// The server does not know what to do with a request that it should have refused before.
pub(crate) fn internal(message: impl Into<String>) -> ApiError {
    refusal(500, "", message.into())
}

pub(crate) fn other_namespace() -> ApiError {
    bad_request("the namespace of the provided object does not match the namespace sent on the request")
}

pub(crate) fn other_name(given: &str, wanted: &str) -> ApiError {
    if given.is_empty() {
        return bad_request(format!("the name of the object ({wanted} based on URL) was undeterminable: name must be provided"));
    }
    bad_request(format!("the name of the object ({given}) does not match the name on the URL ({wanted})"))
}

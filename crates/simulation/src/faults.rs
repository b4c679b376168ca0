//! What goes wrong with a request of the controllers.
//!
//! Docs: Kubernetes API Concepts, "Error responses"; Resource Quotas; Namespaces, "Automatic labelling". When it goes wrong is drawn in `scheduler.rs`.

use api::request::{ApiError, Method};

use cluster::Refusal;
use cluster::rng::Rng;

/// What goes wrong with one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestFault {
    /// It is refused because the object has been modified: 409.
    Conflict,
    /// It is refused because a quota is used up: 403.
    Quota,
    /// It is refused because the namespace is being deleted: 403 with that cause (J-88).
    NamespaceTerminating,
    /// It is refused because the namespace is not there: 404.
    NamespaceMissing,
    /// It is refused because there are too many requests: 429.
    TooManyRequests,
    /// The server fails: 500.
    ServerError,
    /// There is no response, and the request has no effect.
    LostRequest,
    /// There is no response, and the request takes effect.
    LostAnswer,
    /// A gateway answers 504, and the request takes effect.
    LateAnswer,
}

/// What can happen to any request.
const ALWAYS: [RequestFault; 6] = [
    RequestFault::Conflict,
    RequestFault::TooManyRequests,
    RequestFault::ServerError,
    RequestFault::LostRequest,
    RequestFault::LostAnswer,
    RequestFault::LateAnswer,
];
/// What can happen to a creation only.
const OF_CREATIONS: [RequestFault; 4] =
    [RequestFault::Quota, RequestFault::Quota, RequestFault::NamespaceTerminating, RequestFault::NamespaceMissing];

impl RequestFault {
    /// Draws a fault for a request of this method.
    pub(crate) fn draw(dice: &mut Rng, method: Method) -> Self {
        let of_creations = method == Method::Post && dice.one_in(3);
        *dice.pick(if of_creations { &OF_CREATIONS } else { &ALWAYS })
    }

    /// Whether the request does what it is to do all the same.
    pub(crate) fn takes_effect(self) -> bool {
        matches!(self, Self::LostAnswer | Self::LateAnswer)
    }

    /// What the sender hears.
    pub(crate) fn error(self) -> ApiError {
        let error = |code, reason: &str, message: &str| ApiError {
            code,
            reason: reason.to_owned(),
            message: message.to_owned(),
            causes: Vec::new(),
        };
        match self {
            Self::Conflict => Refusal::Conflict.error(),
            Self::NamespaceTerminating => Refusal::NamespaceTerminating.error(),
            Self::ServerError => Refusal::ServerError.error(),
            Self::LostRequest => Refusal::TimeoutBefore.error(),
            Self::LostAnswer => Refusal::TimeoutAfter.error(),
            Self::Quota => error(403, "Forbidden", "exceeded quota: pods"),
            Self::NamespaceMissing => error(404, "NotFound", "the namespace is not found"),
            Self::TooManyRequests => error(429, "TooManyRequests", "there are too many requests, try again later"),
            Self::LateAnswer => error(504, "Timeout", "the server did not answer the gateway in time"),
        }
    }

    /// The fault in a few words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Quota => "quota",
            Self::NamespaceTerminating => "namespace terminating",
            Self::NamespaceMissing => "namespace missing",
            Self::TooManyRequests => "too many requests",
            Self::ServerError => "server error",
            Self::LostRequest => "lost before it took effect",
            Self::LostAnswer => "answer lost after it took effect",
            Self::LateAnswer => "gateway timeout after it took effect",
        }
    }
}

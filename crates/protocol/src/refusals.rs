//! Requests that the API server refuses for a time, because an operation says so.
//!
//! Docs: `upstream/cmd/oracle/session.go`, the comment at its head. They are named and not counted, as two managers send their requests in different
//! orders. What the server refuses by its own rules is in `cluster::apiserver`.

use api::request::{ApiError, Method, Request};
use api::{Kind, Timestamp, time};
use cluster::apiserver::{ApiServer, Target, refused};

use super::node;
use super::operation::{Operation, Select, Verb, known_kind};

/// What is refused.
#[derive(Debug, Default)]
pub(super) struct RefusalRules {
    all: Vec<RefusalRule>,
}

#[derive(Debug)]
struct RefusalRule {
    kind: Kind,
    method: Method,
    /// The object's name; empty for creations.
    name: String,
    until: Timestamp,
    code: u16,
}

impl RefusalRules {
    /// Adds what an operation says.
    ///
    /// # Errors
    /// What is wrong with the operation.
    pub(super) fn add(&mut self, server: &ApiServer, operation: &Operation<'_>, now: Timestamp) -> Result<(), String> {
        let kind = known_kind(operation.kind())?;
        let code = operation.code.unwrap_or_default();
        if ![403, 409, 429, 500].contains(&code) {
            return Err(format!(r#""code" is {code}, but must be one of 403, 409, 429, 500"#));
        }
        let until = time::after(now, operation.seconds()?);
        let method = match operation.verb.expect("a refusal is read only with its verb") {
            Verb::Create => Method::Post,
            Verb::Update => Method::Put,
            Verb::Patch => Method::Patch,
            Verb::Delete => Method::Delete,
        };
        let (named, selected) = (!operation.name().is_empty(), operation.select.is_some());
        let name = match (method, kind) {
            (Method::Post, _) if named || selected => {
                return Err(r#"with "create", all creations of the kind are refused: leave out "name" and "select""#.to_owned());
            }
            (Method::Post, _) => String::new(),
            (_, Kind::Pod) if named => return Err(r#"a pod is chosen by "select": leave out "name""#.to_owned()),
            (_, Kind::Pod) => {
                let pod = node::pick(server, operation.select.as_ref().unwrap_or(&Select::default()));
                pod.ok_or_else(|| "no such pod".to_owned())?.metadata().name.to_string()
            }
            (_, Kind::Job | Kind::CronJob) if selected => {
                return Err(format!(r#"a {} is chosen by "name": leave out "select""#, kind.name()));
            }
            (_, Kind::Job | Kind::CronJob) if !named => return Err(format!(r#""refuse" needs "name", the name of the {}"#, kind.name())),
            // It need not exist yet.
            (_, Kind::Job | Kind::CronJob) => operation.name().to_owned(),
        };
        self.all.push(RefusalRule { kind, method, name, until, code });
        Ok(())
    }

    /// What a request is answered if it is refused.
    pub(super) fn of(&self, request: &Request, now: Timestamp) -> Option<ApiError> {
        let target = Target::read(&request.path)?;
        let refuses = |refusal: &&RefusalRule| {
            (refusal.kind, refusal.method, &*refusal.name) == (target.kind, request.method, target.name) && now < refusal.until
        };
        self.all.iter().find(refuses).map(|refusal| refused(refusal.code, target.kind, target.name))
    }
}

//! Objects of the kinds that the controllers read, and how they come in: JSON, decoded once.
//!
//! Docs: Kubernetes API Concepts, "Resource URIs". What an object holds is in `cron_job.rs`, `job.rs` and `pod.rs`.

use serde::{Deserialize, Serialize};

use crate::json::{self, JsonValue, Read, ReadError};
use crate::{CronJob, Job, ObjectMeta, Pod, Text, pod};

/// The kinds of objects that are watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `batch/v1` CronJob.
    CronJob,
    /// `batch/v1` Job.
    Job,
    /// `v1` Pod.
    Pod,
}

impl Kind {
    /// All of them, in the order in which they are listed at the start.
    pub const ALL: [Self; 3] = [Self::CronJob, Self::Job, Self::Pod];

    /// The kind's name, as in `kind:`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CronJob => "CronJob",
            Self::Job => "Job",
            Self::Pod => "Pod",
        }
    }

    /// The kind's resource, as in paths: `jobs`.
    #[must_use]
    pub fn resource(self) -> &'static str {
        match self {
            Self::CronJob => "cronjobs",
            Self::Job => "jobs",
            Self::Pod => "pods",
        }
    }

    /// The API group; empty for the core group.
    #[must_use]
    pub fn group(self) -> &'static str {
        match self {
            Self::CronJob | Self::Job => "batch",
            Self::Pod => "",
        }
    }

    /// Group and version, as in `apiVersion:`.
    #[must_use]
    pub fn api_version(self) -> &'static str {
        match self {
            Self::CronJob | Self::Job => "batch/v1",
            Self::Pod => "v1",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// An object that was decoded.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// A CronJob.
    CronJob(Box<CronJob>),
    /// A Job.
    Job(Box<Job>),
    /// A Pod.
    Pod(Box<Pod>),
}

impl Object {
    /// Decodes one object.
    ///
    /// # Errors
    /// If the text is not JSON, is an object of another kind or one without a name, or a field that is read has another type than the API gives it.
    pub fn decode(kind: Kind, json: &str) -> Result<Self, Malformed> {
        let decoded = match kind {
            Kind::CronJob => read(kind, json).map(|object| Self::CronJob(Box::new(object))),
            Kind::Job => read(kind, json).map(|object| Self::Job(Box::new(object))),
            Kind::Pod => read::<pod::Whole>(kind, json).map(|whole| Self::Pod(Box::new(whole.into()))),
        };
        named(kind, json, decoded, Self::metadata)
    }

    /// Decodes the metadata of one object, which is all that matters of one that is gone.
    ///
    /// # Errors
    /// As for a whole object, but for the fields that are not read.
    pub fn decode_metadata(kind: Kind, json: &str) -> Result<ObjectMeta, Malformed> {
        named(kind, json, read::<Head>(kind, json).map(|head| head.metadata), |metadata| metadata)
    }

    /// The object's kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::CronJob(_) => Kind::CronJob,
            Self::Job(_) => Kind::Job,
            Self::Pod(_) => Kind::Pod,
        }
    }

    /// The object, if it is a CronJob.
    #[must_use]
    pub fn cron_job(&self) -> Option<&CronJob> {
        if let Self::CronJob(cron_job) = self { Some(cron_job) } else { None }
    }

    /// The object, if it is a Job.
    #[must_use]
    pub fn job(&self) -> Option<&Job> {
        if let Self::Job(job) = self { Some(job) } else { None }
    }

    /// The object, if it is a Pod.
    #[must_use]
    pub fn pod(&self) -> Option<&Pod> {
        if let Self::Pod(pod) = self { Some(pod) } else { None }
    }

    /// Whether the object has ended for good and nothing holds it back: a pod that has ended and has no finalizer.
    #[must_use]
    pub fn closed(&self) -> bool {
        self.pod().is_some_and(|pod| pod.phase.ended() && pod.metadata.finalizers.is_empty())
    }

    /// Takes over each text that a like object has in the same place.
    pub fn share(&mut self, sibling: &Self) {
        if let (Self::Pod(pod), Self::Pod(sibling)) = (self, sibling) {
            pod.share(sibling);
        }
    }

    /// The object's metadata.
    #[must_use]
    pub fn metadata(&self) -> &ObjectMeta {
        match self {
            Self::CronJob(cron_job) => &cron_job.metadata,
            Self::Job(job) => &job.metadata,
            Self::Pod(pod) => &pod.metadata,
        }
    }
}

/// What was decoded, if it could be and has a name.
fn named<T>(kind: Kind, json: &str, decoded: serde_json::Result<T>, metadata: fn(&T) -> &ObjectMeta) -> Result<T, Malformed> {
    let malformed = |reason: String| Malformed { kind: kind.name().into(), name: name_in(json), reason };
    let decoded = decoded.map_err(|error| malformed(error.to_string()))?;
    if metadata(&decoded).name.is_empty() {
        return Err(malformed("metadata.name: required, but it is missing or empty".to_owned()));
    }
    Ok(decoded)
}

/// An object reduced to its metadata.
#[derive(Default, Read)]
struct Head {
    metadata: ObjectMeta,
}

/// Reads an object that must be of this kind, if it says what it is: in a list it need not.
fn read<T: Read + Default>(kind: Kind, text: &str) -> serde_json::Result<T> {
    let mut object = T::default();
    json::read_str(text, &mut OfKind { kind, object: &mut object })?;
    Ok(object)
}

/// An object of a known kind, while it is read.
struct OfKind<'a> {
    kind: Kind,
    object: &'a mut dyn Read,
}

impl Read for OfKind<'_> {
    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        if name != "kind" {
            return self.object.field(name, value);
        }
        let mut found = Text::default();
        value.read(&mut found)?;
        let fits = found.is_empty() || *found == *self.kind.name();
        if fits { Ok(()) } else { Err(ReadError::new(format!("expected {}, found {found}", self.kind.name()))) }
    }
}

/// A malformed object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{kind} {name} is malformed: {reason}")]
pub struct Malformed {
    /// Its kind: `Pod`.
    pub kind: Text,
    /// `namespace/name` if they can be read; otherwise empty.
    pub name: String,
    /// What is wrong, and where.
    pub reason: String,
}

/// The name of an object whose other fields cannot be read.
fn name_in(json: &str) -> String {
    json::from_str(json).map(|NamedObject { metadata: MetadataName { namespace, name } }| format!("{namespace}/{name}")).unwrap_or_default()
}

/// An object reduced to its name.
#[derive(Default, Read)]
struct NamedObject {
    metadata: MetadataName,
}

#[derive(Default, Read)]
struct MetadataName {
    namespace: Text,
    name: Text,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_fields_are_reported_with_their_place() {
        let check = |kind, json: &str, expected: &str| assert_eq!(Object::decode(kind, json).unwrap_err().to_string(), expected);
        let named = r#"{"metadata":{"namespace":"default","name":"pi"},"#;
        check(
            Kind::Job,
            &format!(r#"{named}"spec":{{"parallelism":"3"}}}}"#),
            "Job default/pi is malformed: spec.parallelism: expected a whole number, found text",
        );
        check(
            Kind::Job,
            &format!(r#"{named}"spec":{{"podFailurePolicy":{{"rules":[{{}},{{"onExitCodes":{{"values":[1,2147483648]}}}}]}}}}}}"#),
            "Job default/pi is malformed: spec.podFailurePolicy.rules[1].onExitCodes.values[1]: 2147483648 does not fit into 32 bits",
        );
        check(
            Kind::Pod,
            &format!(r#"{named}"status":{{"conditions":[{{"lastTransitionTime":"now"}}]}}}}"#),
            "Pod default/pi is malformed: status.conditions[0].lastTransitionTime: expected an RFC 3339 time, found \"now\"",
        );
        assert!(Object::decode(Kind::Pod, "{").unwrap_err().to_string().contains("EOF"));
    }

    #[test]
    fn objects_of_another_kind_or_without_a_name_are_malformed() {
        let check = |json: &str, expected: &str| assert_eq!(Object::decode(Kind::Job, json).unwrap_err().to_string(), expected);
        check(
            r#"{"kind":"Pod","metadata":{"namespace":"default","name":"pi"}}"#,
            "Job default/pi is malformed: kind: expected Job, found Pod",
        );
        check(
            r#"{"metadata":{"namespace":"default","uid":"u"}}"#,
            "Job default/ is malformed: metadata.name: required, but it is missing or empty",
        );
        check("{}", "Job / is malformed: metadata.name: required, but it is missing or empty");
        for said in ["", r#""kind":"Job","#, r#""kind":null,"#, r#""kind":"","#] {
            assert!(Object::decode(Kind::Job, &format!(r#"{{{said}"metadata":{{"name":"pi"}}}}"#)).is_ok(), "{said}");
        }
    }

    #[test]
    fn null_is_as_good_as_absent_and_unknown_fields_are_passed_over() {
        let json = r#"{"metadata":{"name":"pi","labels":null},"spec":{"completions":null,"selector":{},"unknown":[{"a":1}],"template":null},"status":{"conditions":null}}"#;
        let Object::Job(job) = Object::decode(Kind::Job, json).unwrap() else { panic!("a Job was read") };
        assert_eq!((job.spec.completions, job.spec.selector.is_some(), job.spec.template.json()), (None, true, "{}"));
    }
}

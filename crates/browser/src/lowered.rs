//! What crosses the border to the component: events and questions, written into its memory as the canonical ABI has them.
//!
//! Docs: `crates/component/wit/controllers.wit`, "What happened"; Component Model, "Canonical ABI Explainer". What crosses the other way is in
//! `border.rs`. What is written belongs to the instance, which frees it.

use api::request::{ApiError, Outcome};
use contract::{Change, Event, Listing, ObjectRef, Report};
use wasm_bindgen::JsValue;

use crate::canonical::Memory;

/// An event as the parameters of a call: the number of its case, and the values of that case, at most seven.
pub(crate) struct FlatEvent {
    pub(crate) case: u32,
    pub(crate) first: i64,
    pub(crate) rest: [u32; 6],
}

/// The address and the length of a text or a list.
type Part = [u32; 2];

/// How many words of four bytes an outcome takes: the number of its case, and its largest case.
pub(crate) const OUTCOME: usize = 8;

/// Writes values into the memory of an instance. Each call fails if the instance traps while it makes room.
pub(crate) struct Lowering<'a> {
    pub(crate) memory: &'a Memory,
    /// Allocates this many bytes, at a multiple of an alignment; returns the address.
    pub(crate) room: &'a dyn Fn(u32, u32) -> Result<u32, JsValue>,
}

impl Lowering<'_> {
    pub(crate) fn event(&self, event: &Event) -> Result<FlatEvent, JsValue> {
        Ok(match event {
            Event::Changed(change) => {
                let (case, object) = match change {
                    Change::Applied(object) => (0, object),
                    Change::Deleted(object) => (1, object),
                };
                let ([kind, kind_length], [json, json_length]) = (self.text(&object.kind)?, self.text(&object.json)?);
                FlatEvent { case: 0, first: case, rest: [kind, kind_length, json, json_length, 0, 0] }
            }
            Event::Listed(Listing { kind, part, resource_version, objects }) => {
                let ([kind, kind_length], [version, version_length]) = (self.text(kind)?, self.text(resource_version)?);
                let texts = objects.iter().map(|object| self.text(object)).collect::<Result<Vec<Part>, _>>()?;
                let [list, length] = self.list(&texts)?;
                FlatEvent { case: 1, first: kind.into(), rest: [kind_length, *part as u32, version, version_length, list, length] }
            }
            Event::Finished(Report { plan, outcomes }) => {
                let outcomes = outcomes.iter().map(|outcome| self.outcome(outcome)).collect::<Result<Vec<_>, _>>()?;
                let [list, length] = self.list(&outcomes)?;
                FlatEvent { case: 2, first: plan.cast_signed(), rest: [list, length, 0, 0, 0, 0] }
            }
        })
    }

    /// An object by its name, as parameters.
    pub(crate) fn object(&self, ObjectRef { kind, namespace, name, uid }: &ObjectRef) -> Result<[Part; 4], JsValue> {
        Ok([self.text(kind)?, self.text(namespace)?, self.text(name)?, self.text(uid)?])
    }

    pub(crate) fn text(&self, text: &str) -> Result<Part, JsValue> {
        let length = u32::try_from(text.len()).expect("the memory is addressed by 32 bits");
        self.bytes(text.as_bytes(), 1).map(|at| [at, length])
    }

    fn outcome(&self, outcome: &Outcome) -> Result<[u32; OUTCOME], JsValue> {
        Ok(match outcome {
            Outcome::Done(written) => {
                let ([name, name_length], [uid, uid_length]) = (self.text(&written.name)?, self.text(&written.uid)?);
                let [version, version_length] = self.text(&written.resource_version)?;
                [0, name, name_length, uid, uid_length, version, version_length, written.deleting.into()]
            }
            Outcome::Failed(ApiError { code, reason, message, causes }) => {
                let ([reason, reason_length], [message, message_length]) = (self.text(reason)?, self.text(message)?);
                let causes =
                    causes.iter().map(|cause| Ok([self.text(&cause.reason)?, self.text(&cause.field)?, self.text(&cause.message)?]));
                let causes: Vec<[u32; 6]> = causes.map(|parts| parts.map(flattened)).collect::<Result<_, JsValue>>()?;
                let [list, length] = self.list(&causes)?;
                [1, (*code).into(), reason, reason_length, message, message_length, list, length]
            }
            Outcome::Skipped => [2, 0, 0, 0, 0, 0, 0, 0],
        })
    }

    /// Writes a list whose elements are words of four bytes.
    fn list<const WORDS: usize>(&self, elements: &[[u32; WORDS]]) -> Result<Part, JsValue> {
        let bytes: Vec<u8> = elements.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
        let length = u32::try_from(elements.len()).expect("the memory is addressed by 32 bits");
        self.bytes(&bytes, 4).map(|at| [at, length])
    }

    /// Writes bytes; returns their address.
    fn bytes(&self, bytes: &[u8], align: u32) -> Result<u32, JsValue> {
        let at = (self.room)(u32::try_from(bytes.len()).expect("the memory is addressed by 32 bits"), align)?;
        self.memory.write(at, bytes);
        Ok(at)
    }
}

fn flattened([one, two, three]: [Part; 3]) -> [u32; 6] {
    [one[0], one[1], two[0], two[1], three[0], three[1]]
}

//! What crosses the border from the component: the types of its interface, as they lie in its memory.
//!
//! Docs: `crates/component/wit/controllers.wit`, whose order of fields and cases this is. How single values lie there is in `canonical.rs`, what crosses
//! the other way in `lowered.rs`; the same for wasmtime is `host/src/border.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Duration, Malformed, Text, Timestamp};
use contract::decision::TextPart;
use contract::{
    ApiResource, Command, ContentType, Decision, DecisionKind, Explanation, Forecast, Method, Notice, ObjectRef, Period, Plan, Related,
    Request, Requeue, Role, Sentence, Value, Wakeup,
};
use serde::Serialize;

use crate::canonical::{Layout, Lift, Source};

/// The kinds of decisions that a component knows, by their codes.
pub(crate) type Kinds = BTreeMap<Text, Arc<DecisionKind>>;

/// All kinds of decisions, by their codes.
pub(crate) fn kinds(kinds: Vec<DecisionKind>) -> Kinds {
    kinds.into_iter().map(|kind| (kind.code.clone(), Arc::new(kind))).collect()
}

const TEXT: Layout = Layout::LIST;

impl Lift for ApiResource {
    const LAYOUT: Layout = Layout::record(&[TEXT, TEXT, TEXT, TEXT, bool::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self { group: fields.next(), version: fields.next(), kind: fields.next(), plural: fields.next(), namespaced: fields.next() }
    }
}

impl Lift for ObjectRef {
    const LAYOUT: Layout = Layout::record(&[TEXT, TEXT, TEXT, TEXT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self { kind: fields.next(), namespace: fields.next(), name: fields.next(), uid: fields.next() }
    }
}

impl Lift for Malformed {
    const LAYOUT: Layout = Layout::record(&[TEXT, TEXT, TEXT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self { kind: fields.next(), name: fields.next(), reason: fields.next() }
    }
}

impl Lift for Plan {
    const LAYOUT: Layout =
        Layout::record(&[u64::LAYOUT, TEXT, ObjectRef::LAYOUT, Layout::LIST, Layout::LIST, Layout::LIST, Option::<Requeue>::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self {
            id: fields.next(),
            controller: fields.next(),
            object: fields.next(),
            batches: fields.next(),
            decisions: fields.next(),
            notices: fields.next(),
            requeue_at: fields.next(),
        }
    }
}

impl Lift for Command {
    const LAYOUT: Layout = Layout::record(&[u8::LAYOUT, TEXT, u8::LAYOUT, TEXT, Layout::LIST]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        let method = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete][usize::from(fields.next::<u8>())];
        let path = fields.next();
        let content_type = [ContentType::Json, ContentType::MergePatch, ContentType::StrategicMergePatch][usize::from(fields.next::<u8>())];
        Self { request: Request { method, path, content_type, body: fields.next() }, tolerates: fields.next() }
    }
}

impl Lift for Decision {
    const LAYOUT: Layout = Layout::record(&[TEXT, Role::LAYOUT, Layout::LIST, Layout::LIST]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        let code: Text = fields.next();
        // A component may forget to list a kind; the plan must not be lost for that.
        let kind = source.kinds.get(&code).cloned().unwrap_or_else(|| DecisionKind { code, ..DecisionKind::default() }.into());
        Self { kind, role: fields.next(), sentence: Sentence(fields.next()), values: fields.next() }
    }
}

impl Lift for Role {
    const LAYOUT: Layout = Layout::variant(&[Layout::NOTHING, Period::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        match source.case(Self::LAYOUT) {
            (0, _) => Self::Action,
            (1, period) => Self::Wait(period.lift()),
            (2, _) => Self::Invalid,
            _ => Self::Routine,
        }
    }
}

impl Lift for Period {
    const LAYOUT: Layout = Layout::record(&[Option::<Timestamp>::LAYOUT, Option::<Timestamp>::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self { since: fields.next(), until: fields.next() }
    }
}

impl Lift for TextPart {
    const LAYOUT: Layout = Layout::variant(&[TEXT, Timestamp::LAYOUT, Duration::LAYOUT, ObjectRef::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        match source.case(Self::LAYOUT) {
            (0, text) => Self::Text(text.lift()),
            (1, time) => Self::Time(time.lift()),
            (2, length) => Self::Duration(length.lift()),
            (3, object) => Self::Object(object.lift()),
            (_, path) => Self::Field(path.lift()),
        }
    }
}

impl Lift for Value {
    const LAYOUT: Layout = Layout::variant(&[bool::LAYOUT, i64::LAYOUT, TEXT, Timestamp::LAYOUT, ObjectRef::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        match source.case(Self::LAYOUT) {
            (0, boolean) => Self::Boolean(boolean.lift()),
            (1, number) => Self::Integer(number.lift()),
            (2, text) => Self::Text(text.lift()),
            (3, time) => Self::Time(time.lift()),
            (4, length) => Self::Duration(length.lift()),
            (_, object) => Self::Object(object.lift()),
        }
    }
}

impl Lift for DecisionKind {
    const LAYOUT: Layout = Layout::record(&[TEXT, TEXT, TEXT, TEXT, TEXT, Layout::LIST]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        let (code, page, heading) = (fields.next(), fields.next(), fields.next());
        Self { code, page, heading, url: fields.next(), rule: fields.next(), fields: fields.next() }
    }
}

impl Lift for Notice {
    const LAYOUT: Layout = Layout::record(&[ObjectRef::LAYOUT, TEXT, bool::LAYOUT, TEXT, TEXT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        let (regarding, reporting_controller) = (fields.next(), fields.next());
        Self { regarding, reporting_controller, warning: fields.next(), reason: fields.next(), message: fields.next() }
    }
}

impl Lift for Requeue {
    const LAYOUT: Layout = Layout::record(&[Timestamp::LAYOUT, TEXT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self { at: fields.next(), reason: fields.next() }
    }
}

impl Lift for Wakeup {
    const LAYOUT: Layout = Layout::record(&[Timestamp::LAYOUT, TEXT, ObjectRef::LAYOUT, TEXT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self { at: fields.next(), controller: fields.next(), object: fields.next(), reason: fields.next() }
    }
}

impl Lift for Explanation {
    const LAYOUT: Layout =
        Layout::record(&[Layout::LIST, Forecast::LAYOUT, Option::<Requeue>::LAYOUT, Option::<Forecast>::LAYOUT, Layout::LIST]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        let (controllers, now) = (fields.next(), fields.next());
        Self { controllers, now, requeue_at: fields.next(), next: fields.next(), related: fields.next() }
    }
}

impl Lift for Forecast {
    const LAYOUT: Layout = Layout::record(&[Layout::LIST, Layout::LIST]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self { decisions: fields.next(), batches: fields.next() }
    }
}

impl Lift for Related {
    const LAYOUT: Layout = Layout::record(&[ObjectRef::LAYOUT, Decision::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self { object: fields.next(), decision: fields.next() }
    }
}

/// What a component is, and what it follows.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Versions {
    component: String,
    kubernetes: String,
    time_zones: Option<String>,
}

impl Lift for Versions {
    const LAYOUT: Layout = Layout::record(&[TEXT, TEXT, Option::<String>::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        Self { component: fields.next(), kubernetes: fields.next(), time_zones: fields.next() }
    }
}

impl Lift for Timestamp {
    const LAYOUT: Layout = Layout::record(&[i64::LAYOUT, u32::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        let seconds: i64 = fields.next();
        let nanoseconds = i32::try_from(fields.next::<u32>()).unwrap_or(i32::MAX);
        Self::new(seconds, nanoseconds).unwrap_or_else(|_| panic!("the component answers with a time that does not exist: {seconds} s"))
    }
}

impl Lift for Duration {
    const LAYOUT: Layout = i64::LAYOUT;

    fn lift(source: Source<'_>) -> Self {
        Self::from_millis(source.lift())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use wit_parser::{Resolve, SizeAlign, Type, TypeDefKind};

    use super::*;
    use crate::lowered::OUTCOME;

    fn interface() -> Resolve {
        let mut wit = Resolve::default();
        wit.push_path(Path::new("../component/wit")).expect("the interface can be read");
        wit
    }

    /// They are read and written by number, here and in `lowered.rs`.
    #[test]
    fn cases_have_the_numbers_of_the_interface() {
        let wit = interface();
        let names = |name: &str| {
            let (_, ty) = wit.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect("the interface has the type");
            let names: Vec<&str> = if let TypeDefKind::Variant(variant) = &ty.kind {
                variant.cases.iter().map(|case| case.name.as_str()).collect()
            } else if let TypeDefKind::Enum(cases) = &ty.kind {
                cases.cases.iter().map(|case| case.name.as_str()).collect()
            } else {
                panic!("{name} has no cases");
            };
            names.join(" ")
        };
        let types = [
            ("role", "action wait invalid routine"),
            ("text-part", "text time duration object field"),
            ("value", "boolean integer text time duration object"),
            ("method", "get post put patch delete"),
            ("content-type", "json merge-patch strategic-merge-patch"),
            ("part", "whole first middle last"),
            ("change", "applied deleted"),
            ("event", "changed listed finished"),
            ("outcome", "done failed skipped"),
        ];
        for (name, known) in types {
            assert_eq!(names(name), known, "{name}");
        }
    }

    #[test]
    fn each_type_lies_in_memory_as_the_interface_has_it() {
        let wit = interface();
        let mut sizes = SizeAlign::default();
        sizes.fill(&wit).expect("all its types have a size");
        let layout = |name: &str| {
            let (id, _) = wit.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect("the interface has the type");
            let ty = Type::Id(id);
            Layout { size: sizes.size(&ty).size_wasm32(), align: sizes.align(&ty).align_wasm32() }
        };
        let types = [
            ("api-resource", ApiResource::LAYOUT),
            ("object-ref", ObjectRef::LAYOUT),
            ("malformed", Malformed::LAYOUT),
            ("plan", Plan::LAYOUT),
            ("command", Command::LAYOUT),
            ("decision", Decision::LAYOUT),
            ("role", Role::LAYOUT),
            ("period", Period::LAYOUT),
            ("text-part", TextPart::LAYOUT),
            ("value", Value::LAYOUT),
            ("decision-kind", DecisionKind::LAYOUT),
            ("notice", Notice::LAYOUT),
            ("requeue", Requeue::LAYOUT),
            ("wakeup", Wakeup::LAYOUT),
            ("explanation", Explanation::LAYOUT),
            ("forecast", Forecast::LAYOUT),
            ("related", Related::LAYOUT),
            ("versions", Versions::LAYOUT),
            ("timestamp", Timestamp::LAYOUT),
            ("outcome", Layout { size: 4 * OUTCOME, align: 4 }),
        ];
        for (name, known) in types {
            assert_eq!(known, layout(name), "{name}");
        }
    }
}

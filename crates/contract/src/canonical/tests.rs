//! What is written is read as it was, and what the interface does not have is refused.
//!
//! Docs: Component Model, "Canonical ABI Explainer". Whether component, page and hosts of other languages agree is tested where they are.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use api::{Duration, Timestamp};

use super::{AbiError, AbiMemory, AbiRoom, AbiSource, AbiTarget, Parameters, Slots, lift, lift_flat, lower, lower_flat};
use crate::decision::TextPart;
use crate::metrics::{Family, Histogram, Measure, Sample};
use crate::{
    ApiError, Cause, Change, Command, ContentType, Decision, DecisionKind, Event, Explanation, Forecast, Listing, Method, Notice,
    ObjectJson, ObjectRef, Obstacle, Outcome, Part, Period, Plan, Related, Report, Request, Requeue, Role, Sentence, Value, Written,
};

/// A memory that only grows.
#[derive(Default)]
struct Grown(Vec<u8>);

impl AbiRoom for Grown {
    fn text(&mut self, text: &str) -> u32 {
        self.list(text.as_bytes(), 1)
    }

    fn list(&mut self, elements: &[u8], align: usize) -> u32 {
        let at = self.0.len().next_multiple_of(align);
        self.0.resize(at, 0xff);
        self.0.extend(elements);
        at.try_into().unwrap()
    }
}

impl AbiMemory for Grown {
    fn bytes(&self, at: u32, length: usize) -> Option<Cow<'_, [u8]>> {
        self.0.get(at as usize..)?.get(..length).map(Cow::Borrowed)
    }

    fn kind(&self, code: &str) -> Arc<DecisionKind> {
        Arc::new(DecisionKind { code: code.into(), rule: "J-94".into(), ..DecisionKind::default() })
    }
}

fn check<T: Debug + PartialEq>(
    value: &T,
    size: usize,
    lower: impl Fn(&T, AbiTarget<'_>),
    lift: impl Fn(AbiSource<'_>) -> Result<T, AbiError>,
) {
    let (mut memory, mut bytes) = (Grown::default(), vec![0xff; size]);
    lower(value, AbiTarget::new(&mut bytes, &mut memory));
    assert_eq!(&lift(AbiSource::new(&bytes, &memory)).unwrap(), value);
}

fn check_event(event: &Event) {
    let mut memory = Grown::default();
    let mut slots = Slots::new(&mut memory);
    lower_flat::event(event, &mut slots);
    lower_flat::timestamp(&at(7), &mut slots);
    let slots = slots.finish();
    assert_eq!(slots.len(), 10);
    let mut parameters = Parameters::new(&slots, &memory);
    assert_eq!(&lift_flat::event(&mut parameters).unwrap(), event);
    assert_eq!(lift_flat::timestamp(&mut parameters), Ok(at(7)));
}

fn at(second: i64) -> Timestamp {
    Timestamp::new(second, 5).unwrap()
}

fn object() -> ObjectRef {
    ObjectRef { kind: "Job".into(), namespace: "default".into(), name: "π".into(), uid: "".into() }
}

fn decision(role: Role) -> Decision {
    let parts = [
        TextPart::Text("7 pods of ".into()),
        TextPart::Object(object()),
        TextPart::Time(at(-1)),
        TextPart::Duration(Duration::from_millis(-3)),
        TextPart::Field("spec.backoffLimit".into()),
    ];
    let values = [
        Value::Boolean(true),
        Value::Integer(i64::MIN),
        Value::Text("".into()),
        Value::Time(at(1)),
        Value::Duration(Duration::from_millis(1 << 40)),
        Value::Object(object()),
    ];
    let values = values.into_iter().enumerate().map(|(number, value)| (number.to_string().into(), value)).collect();
    let kind = Arc::new(DecisionKind { code: "Failed".into(), rule: "J-94".into(), ..DecisionKind::default() });
    Decision { kind, role, sentence: Sentence(parts.into()), values }
}

fn decisions() -> Vec<Decision> {
    let wait = Role::Wait(Period { since: Some(at(1)), until: None });
    [Role::Action, wait, Role::Invalid, Role::Routine].map(decision).into()
}

fn batches() -> Vec<Vec<Command>> {
    let methods = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];
    let command = |method| Command {
        request: Request { method, path: "/api".into(), content_type: ContentType::StrategicMergePatch, body: "{}".into() },
        tolerates: vec![404, 409],
        after: (method == Method::Put).then_some(u32::MAX),
    };
    vec![methods.map(command).into(), Vec::new()]
}

#[test]
fn plans_are_read_as_they_were_written() {
    let notice = Notice {
        regarding: object(),
        reporting_controller: "job-controller".into(),
        warning: true,
        reason: "SuccessfulCreate".into(),
        message: "Created pod: pi-1".into(),
    };
    let requeue_at = Some(Requeue { at: at(9), reason: "the back-off ends".into() });
    let plan = Plan {
        id: u64::MAX,
        controller: "job".into(),
        object: object(),
        batches: batches(),
        decisions: decisions(),
        notices: vec![notice],
        requeue_at,
    };
    check(&plan, 104, lower::plan, lift::plan);
    check(&Plan::default(), 104, lower::plan, lift::plan);
}

#[test]
fn explanations_are_read_as_they_were_written() {
    let now = Forecast { decisions: decisions(), batches: batches() };
    let related = vec![Related { object: object(), decision: decision(Role::Routine) }];
    let sentence = || Sentence(vec![TextPart::Text("it is stuck".into())]);
    let (since, until) = (Some(Timestamp::UNIX_EPOCH), None);
    let obstacle = Obstacle {
        code: "Stuck".into(),
        objects: vec![object()],
        count: 1,
        since,
        until,
        passes: true,
        sentence: sentence(),
        remedy: sentence(),
    };
    let (controllers, headline, obstacles) = (vec!["job".into()], sentence(), vec![obstacle]);
    let explanation = Explanation { controllers, headline, obstacles, now: now.clone(), requeue_at: None, next: Some(now), related };
    check(&explanation, 104, lower::explanation, lift::explanation);
}

#[test]
fn metrics_are_read_as_they_were_written() {
    let histogram = Histogram { buckets: vec![(0.5, 1), (f64::INFINITY, u64::MAX)], sum: -0.0, count: 2 };
    let samples = [Measure::Counter(1), Measure::Gauge(-1), Measure::Histogram(histogram)];
    let samples = samples.map(|value| Sample { labels: vec![("queue".into(), "job".into())], value }).into();
    check(&Family { name: "depth".into(), help: "Length".into(), samples }, 24, lower::family, lift::family);
}

#[test]
fn events_are_read_as_they_were_written() {
    let json = || ObjectJson { kind: "Pod".into(), json: r#"{"a":"\u0000"}"#.into() };
    check_event(&Event::Changed(Change::Applied(json())));
    check_event(&Event::Changed(Change::Deleted(json())));
    for part in [Part::Whole, Part::First, Part::Middle, Part::Last] {
        let objects = vec!["{}".into(), "".into(), "[]".into()];
        check_event(&Event::Listed(Listing { kind: "Pod".into(), part, resource_version: "7".into(), objects }));
    }
    let cause = Cause { reason: "FieldValueInvalid".into(), field: "spec".into(), message: "no".into() };
    let error = ApiError { code: 422, reason: "Invalid".into(), message: "it is invalid".into(), causes: vec![cause] };
    let written = Written { name: "pi".into(), uid: "u".into(), resource_version: "9".into(), deleting: true };
    let outcomes = vec![Outcome::Done(written), Outcome::Failed(error), Outcome::Skipped];
    check_event(&Event::Finished(Report { plan: 1 << 40, outcomes }));
}

#[test]
fn what_the_interface_does_not_have_is_refused() {
    let memory = Grown(b"\xff".into());
    let text = |at: u32, length: u32| {
        let bytes = [at.to_le_bytes(), length.to_le_bytes()].concat();
        AbiSource::new(&bytes, &memory).text::<String>(0)
    };
    assert_eq!(text(0, 0), Ok(String::new()));
    assert_eq!(text(0, 1), Err(AbiError::Text));
    assert_eq!([text(0, 2), text(2, 0), text(u32::MAX, u32::MAX)], [const { Err(AbiError::Address) }; 3]);

    let list = [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
    assert_eq!(AbiSource::new(&list, &memory).list(0, 104, 8, lift::plan), Err(AbiError::Address));

    assert_eq!(lift::method(AbiSource::new(&[5], &memory)), Err(AbiError::Case { name: "method", case: 5 }));
    assert_eq!(lift_flat::part(&mut Parameters::new(&[4], &memory)), Err(AbiError::Case { name: "part", case: 4 }));
    for [seconds, nanoseconds] in [[i64::MAX.cast_unsigned(), 0], [0, 1_000_000_000], [0, u32::MAX.into()]] {
        let time = lift_flat::timestamp(&mut Parameters::new(&[seconds, nanoseconds], &memory));
        assert_eq!(time, Err(AbiError::Time(seconds.cast_signed())));
    }
}

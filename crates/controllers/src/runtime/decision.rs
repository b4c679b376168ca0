//! Reasons: how a controller's decisions become values and sentences, and the two that every controller shares.
//!
//! Docs: each decision names a page of the Kubernetes documentation, its heading and its rule. The only place where a reason becomes a sentence.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use api::{Duration, Kind, Text, Timestamp};
use contract::ObjectRef;
use contract::decision::{Decision, DecisionKind, Period, Role, Sentence, TextPart, Value};
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};

/// Kinds of decisions by their codes.
pub(crate) type Kinds = BTreeMap<&'static str, Arc<DecisionKind>>;

/// A reason of a controller.
pub(crate) trait Decide: std::fmt::Debug {
    /// What it is about.
    fn topic(&self) -> &dyn Topic;
}

/// What one topic of decisions has for each of its own.
pub(crate) trait Topic {
    /// The decision in one stable word.
    fn code(&self) -> &'static str;
    /// The decision in words, with its values.
    fn wording(&self) -> Wording;
    /// Where decisions of its kind come from.
    fn source(&self) -> Source;
    /// What it means for what happens next.
    fn role(&self) -> Role {
        self.source().role
    }
    /// Where its kind is found.
    fn kinds(&self) -> &'static Kinds;
}

/// Where a decision comes from, and what it means for what happens next.
pub(crate) struct Source {
    role: Role,
    heading: &'static str,
    rule: &'static str,
    fields: &'static [&'static str],
}

impl Source {
    /// Something is done.
    pub(crate) const fn action(heading: &'static str, rule: &'static str, fields: &'static [&'static str]) -> Self {
        Self { role: Role::Action, heading, rule, fields }
    }

    /// Something is left alone, or waited for.
    pub(crate) const fn wait(heading: &'static str, rule: &'static str, fields: &'static [&'static str]) -> Self {
        Self { role: Role::Wait(Period { since: None, until: None }), heading, rule, fields }
    }

    /// Something in the object is invalid, and what it asks for is not done.
    pub(crate) const fn invalid(heading: &'static str, rule: &'static str, fields: &'static [&'static str]) -> Self {
        Self { role: Role::Invalid, heading, rule, fields }
    }

    /// It follows from what can be seen anyway.
    pub(crate) const fn routine(heading: &'static str, rule: &'static str, fields: &'static [&'static str]) -> Self {
        Self { role: Role::Routine, heading, rule, fields }
    }

    /// The same, while something is waited for since and until these times.
    pub(crate) const fn during(self, since: Option<Timestamp>, until: Option<Timestamp>) -> Self {
        Self { role: Role::Wait(Period { since, until }), ..self }
    }
}

/// A page of the Kubernetes documentation.
pub(crate) struct Page {
    /// Its title: "Jobs".
    pub(crate) title: &'static str,
    /// Its place below the site's root.
    pub(crate) path: &'static str,
}

impl Page {
    /// Where a heading of the page is on the web.
    fn url(&self, heading: &str) -> String {
        let letters = heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-'));
        let anchor: String = letters.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect();
        format!("https://kubernetes.io/docs/{}#{anchor}", self.path)
    }
}

/// Adds the kinds of a topic, all on this page.
pub(crate) fn collect<T: Topic + IntoEnumIterator>(kinds: &mut Kinds, page: &Page) {
    for decision in T::iter() {
        kinds.insert(decision.code(), kind(decision.code(), decision.source(), page));
    }
}

/// What decisions of this code have in common.
#[inline(never)]
fn kind(code: &str, source: Source, page: &Page) -> Arc<DecisionKind> {
    let Source { heading, rule, fields, .. } = source;
    Arc::new(DecisionKind {
        code: code.into(),
        page: page.title.into(),
        heading: heading.into(),
        url: page.url(heading).into(),
        rule: rule.into(),
        fields: fields.iter().map(|&field| field.into()).collect(),
    })
}

/// A decision of a topic as it leaves the controllers; `namespace` is that of the object that it is about.
pub(crate) fn decision(topic: &dyn Topic, namespace: &Text) -> Decision {
    let (wording, role, kind) = (topic.wording(), topic.role(), Arc::clone(&topic.kinds()[topic.code()]));
    let mut values: Vec<(Text, Value)> =
        wording.values.into_iter().map(|(name, value)| (name.into(), value.into_value(namespace))).collect();
    let sentence = sentence(wording.template, &values, &kind);
    if let Some(template) = wording.verdict {
        values.push((VERDICT.into(), Value::Text(self::sentence(template, &values, &kind).to_string().into())));
    }
    Decision { kind, role, sentence, values }
}

/// A decision in words: a template with the values that it names.
///
/// In a template `{name}` is a value, `{name:noun}` a number with its noun (`1 pod`, `2 pods`), and `[name]` a field of the manifest, by its last name.
pub(crate) struct Wording {
    template: &'static str,
    /// Of a decision that ends its object's work: what it comes to, in a few words.
    verdict: Option<&'static str>,
    values: Vec<(&'static str, Named)>,
}

/// The value that has the verdict.
const VERDICT: &str = "verdict";

/// A value of a wording.
pub(crate) enum Named {
    /// It is what it is.
    Plain(Value),
    /// An object of this kind and name, in the namespace that the decision is about.
    Object(&'static str, Text),
}

impl Named {
    fn into_value(self, namespace: &Text) -> Value {
        match self {
            Self::Plain(value) => value,
            Self::Object(kind, name) => {
                Value::Object(ObjectRef { kind: kind.into(), namespace: namespace.clone(), name, uid: Text::default() })
            }
        }
    }
}

/// A template without values yet.
pub(crate) fn words(template: &'static str) -> Wording {
    Wording { template, verdict: None, values: Vec::new() }
}

impl Wording {
    /// Adds a value.
    pub(crate) fn with(mut self, name: &'static str, value: impl IntoNamed) -> Self {
        self.add(name, value.into_named());
        self
    }

    /// Adds the verdict, a template too.
    pub(crate) fn verdict(self, template: &'static str) -> Self {
        Self { verdict: Some(template), ..self }
    }

    /// Adds a pod.
    pub(crate) fn pod(self, name: &Text) -> Self {
        self.object("pod", Kind::Pod, name)
    }

    /// Adds an object in the namespace that the decision is about.
    pub(crate) fn object(mut self, value: &'static str, kind: Kind, name: &Text) -> Self {
        self.add(value, Some(Named::Object(kind.name(), name.clone())));
        self
    }

    /// Inlined, this would be most of the code of all wordings.
    #[inline(never)]
    fn add(&mut self, name: &'static str, value: Option<Named>) {
        self.values.extend(value.map(|value| (name, value)));
    }
}

/// What can be a value of a wording; an option may be none.
pub(crate) trait IntoNamed {
    /// The value.
    fn into_named(self) -> Option<Named>;
}

impl<T: IntoNamed> IntoNamed for Option<T> {
    fn into_named(self) -> Option<Named> {
        self.and_then(IntoNamed::into_named)
    }
}

impl IntoNamed for &str {
    #[inline(never)]
    fn into_named(self) -> Option<Named> {
        Some(Named::Plain(Value::Text(self.into())))
    }
}

impl IntoNamed for i64 {
    fn into_named(self) -> Option<Named> {
        Some(Named::Plain(Value::Integer(self)))
    }
}

impl IntoNamed for i32 {
    fn into_named(self) -> Option<Named> {
        i64::from(self).into_named()
    }
}

impl IntoNamed for u32 {
    fn into_named(self) -> Option<Named> {
        i64::from(self).into_named()
    }
}

impl IntoNamed for u64 {
    fn into_named(self) -> Option<Named> {
        i64::try_from(self).unwrap_or(i64::MAX).into_named()
    }
}

impl IntoNamed for usize {
    fn into_named(self) -> Option<Named> {
        i64::try_from(self).unwrap_or(i64::MAX).into_named()
    }
}

impl IntoNamed for Timestamp {
    fn into_named(self) -> Option<Named> {
        Some(Named::Plain(Value::Time(self)))
    }
}

impl IntoNamed for Duration {
    fn into_named(self) -> Option<Named> {
        Some(Named::Plain(Value::Duration(self)))
    }
}

/// The parts of a sentence.
fn sentence(template: &str, values: &[(Text, Value)], kind: &DecisionKind) -> Sentence {
    let mut parts: Vec<TextPart> = Vec::new();
    let mut plain = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '[']) {
        plain.push_str(&rest[..at]);
        let length = rest[at..].find(['}', ']']).expect("each bracket of a template is closed");
        let (name, bracket) = (&rest[at + 1..at + length], rest.as_bytes()[at]);
        let part = if bracket == b'[' { field(name, kind) } else { part(name, values) };
        match part {
            TextPart::Text(text) => plain.push_str(&text),
            TextPart::Time(_) | TextPart::Duration(_) | TextPart::Object(_) | TextPart::Field(_) => {
                flush(&mut plain, &mut parts);
                parts.push(part);
            }
        }
        rest = &rest[at + length + 1..];
    }
    plain.push_str(rest);
    flush(&mut plain, &mut parts);
    Sentence(parts)
}

fn flush(plain: &mut String, parts: &mut Vec<TextPart>) {
    if !plain.is_empty() {
        parts.push(TextPart::Text(std::mem::take(plain).into()));
    }
}

/// The whole path of a field that a decision rests on.
fn field(name: &str, kind: &DecisionKind) -> TextPart {
    let named = |path: &&Text| path.rsplit('.').next() == Some(name);
    TextPart::Field(kind.fields.iter().find(named).expect("a template names fields that its kind lists").clone())
}

fn part(name: &str, values: &[(Text, Value)]) -> TextPart {
    let (name, noun) = name.split_once(':').map_or((name, None), |(name, noun)| (name, Some(noun)));
    let (_, value) = values.iter().find(|(known, _)| **known == *name).expect("a template names values that are there");
    match value {
        Value::Boolean(boolean) => TextPart::Text(boolean.to_string().into()),
        Value::Integer(number) => TextPart::Text(noun.map_or_else(|| number.to_string(), |noun| count(*number, noun)).into()),
        Value::Text(text) => TextPart::Text(text.clone()),
        Value::Time(at) => TextPart::Time(*at),
        Value::Duration(length) => TextPart::Duration(*length),
        Value::Object(object) => TextPart::Object(object.clone()),
    }
}

/// `1 pod`, `2 pods`; `1 index`, `2 indexes`.
fn count(number: i64, noun: &str) -> String {
    let ending = match number {
        1 => "",
        _ if noun.ends_with("index") => "es",
        _ => "s",
    };
    format!("{number} {noun}{ending}")
}

/// What the runtime decides for every controller.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Shared {
    /// A write is not in the watch yet.
    WaitsForWatch {
        /// The kind of the written object.
        kind: &'static str,
        /// The version that was written.
        written: u64,
        /// The newest version that the watch showed.
        seen: u64,
    },
    /// A plan is being carried out.
    WaitsForRequests {
        /// How many requests it has.
        requests: usize,
    },
    /// A request failed: what it was for is tried again.
    RequestFailed {
        /// What the request was for.
        what: &'static str,
        /// The API server's words.
        error: String,
        /// When it is tried again.
        at: Timestamp,
    },
    /// An annotation means nothing: what it is about is not done.
    InvalidAnnotation {
        /// What is not done, as the beginning of a sentence.
        undone: &'static str,
        /// Its key.
        annotation: &'static str,
        /// Its value.
        value: Text,
        /// What its value must be.
        expected: &'static str,
    },
}

static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let mut kinds = Kinds::new();
    collect::<Shared>(&mut kinds, &Page { title: "Kubernetes API Concepts", path: "reference/using-api/api-concepts/" });
    kinds
});

impl Decide for Shared {
    fn topic(&self) -> &dyn Topic {
        self
    }
}

impl Topic for Shared {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::WaitsForWatch { kind, written, seen } => {
                words("Waiting for the watch: {kind} version {written} was written, and the watch has shown up to {seen}")
                    .with("kind", *kind)
                    .with("written", *written)
                    .with("seen", *seen)
            }
            Self::WaitsForRequests { requests } => {
                words("Waiting for the outcome of {requests:request} of the sync under way").with("requests", *requests)
            }
            Self::RequestFailed { what, error, at } => {
                words("Retrying at {at}: {what} failed: {error}").with("what", *what).with("error", error.as_str()).with("at", *at)
            }
            Self::InvalidAnnotation { undone, annotation, value, expected } => {
                words("{undone}: the annotation {annotation} must be {expected}, not {value}")
                    .with("undone", *undone)
                    .with("annotation", *annotation)
                    .with("value", &**value)
                    .with("expected", *expected)
            }
        }
    }

    fn source(&self) -> Source {
        match self {
            Self::WaitsForWatch { .. } => Source::wait("Efficient detection of changes", "J-35", &[]),
            Self::WaitsForRequests { .. } => Source::wait("API terminology", "J-01", &[]),
            Self::RequestFailed { at, .. } => Source::wait("API terminology", "J-03", &[]).during(None, Some(*at)),
            Self::InvalidAnnotation { .. } => Source::invalid("API terminology", "X-0", &["metadata.annotations"]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        &KINDS
    }
}

impl Shared {
    /// The kinds of these decisions.
    pub(crate) fn all() -> &'static Kinds {
        &KINDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_made_of_a_template_and_its_values() {
        let kind = DecisionKind { fields: vec!["spec.backoffLimit".into()], ..DecisionKind::default() };
        let pod = ObjectRef { kind: "Pod".into(), name: "pi-1".into(), ..ObjectRef::default() };
        let values = [
            ("pods".into(), Value::Integer(2)),
            ("at".into(), Value::Time(Timestamp::UNIX_EPOCH)),
            ("pod".into(), Value::Object(pod.clone())),
        ];
        let parts = sentence("Retrying at {at}: {pods:pod} failed, {pod} last; [backoffLimit] allows 1", &values, &kind);
        assert_eq!(
            parts.0,
            [
                TextPart::Text("Retrying at ".into()),
                TextPart::Time(Timestamp::UNIX_EPOCH),
                TextPart::Text(": 2 pods failed, ".into()),
                TextPart::Object(pod),
                TextPart::Text(" last; ".into()),
                TextPart::Field("spec.backoffLimit".into()),
                TextPart::Text(" allows 1".into()),
            ]
        );
        assert_eq!(parts.to_string(), "Retrying at 1970-01-01T00:00:00Z: 2 pods failed, pi-1 last; backoffLimit allows 1");
    }

    #[test]
    fn a_heading_has_its_place_on_the_web() {
        let page = Page { title: "Jobs", path: "concepts/workloads/controllers/job/" };
        assert_eq!(page.url("Pod Template"), "https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-template");
    }
}

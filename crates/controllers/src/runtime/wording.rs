//! Wordings: a decision as a template with its values, and the sentence that it becomes.
//!
//! Docs: [`Wording`] says what a template may name. What a decision rests on is in `decision.rs`.

use api::{Duration, Kind, Text, Timestamp};
use contract::ObjectRef;
use contract::decision::{DecisionKind, Sentence, TextPart, Value};

/// A decision in words: a template with the values that it names.
///
/// In a template `{name}` is a value, `{name:noun}` a number with its noun (`1 pod`, `2 pods`), and `[name]` a field of the manifest, by its last name.
/// `<…>` is left out unless all values in it are there.
pub(crate) struct Wording {
    pub(crate) template: &'static str,
    pub(crate) values: Vec<(&'static str, WordingValue)>,
}

/// A value of a wording.
pub(crate) enum WordingValue {
    /// It is what it is.
    Plain(Value),
    /// An object of this kind and name, in the namespace that the decision is about.
    Object(&'static str, Text),
}

impl WordingValue {
    pub(crate) fn into_value(self, namespace: &Text) -> Value {
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
    Wording { template, values: Vec::new() }
}

impl Wording {
    /// Adds a value.
    pub(crate) fn with(mut self, name: &'static str, value: impl IntoNamed) -> Self {
        self.add(name, value.into_named());
        self
    }

    /// Adds a pod.
    pub(crate) fn pod(self, name: &Text) -> Self {
        self.object("pod", Kind::Pod, name)
    }

    /// Adds an object in the namespace that the decision is about.
    pub(crate) fn object(mut self, value: &'static str, kind: Kind, name: &Text) -> Self {
        self.add(value, Some(WordingValue::Object(kind.name(), name.clone())));
        self
    }

    /// Inlined, this would be most of the code of all wordings.
    #[inline(never)]
    fn add(&mut self, name: &'static str, value: Option<WordingValue>) {
        self.values.extend(value.map(|value| (name, value)));
    }
}

/// What can be a value of a wording; an option may be none.
pub(crate) trait IntoNamed {
    /// The value.
    fn into_named(self) -> Option<WordingValue>;
}

impl<T: IntoNamed> IntoNamed for Option<T> {
    fn into_named(self) -> Option<WordingValue> {
        self.and_then(IntoNamed::into_named)
    }
}

impl IntoNamed for &str {
    #[inline(never)]
    fn into_named(self) -> Option<WordingValue> {
        Some(WordingValue::Plain(Value::Text(self.into())))
    }
}

impl IntoNamed for i64 {
    fn into_named(self) -> Option<WordingValue> {
        Some(WordingValue::Plain(Value::Integer(self)))
    }
}

impl IntoNamed for i32 {
    fn into_named(self) -> Option<WordingValue> {
        i64::from(self).into_named()
    }
}

impl IntoNamed for u32 {
    fn into_named(self) -> Option<WordingValue> {
        i64::from(self).into_named()
    }
}

impl IntoNamed for u64 {
    fn into_named(self) -> Option<WordingValue> {
        i64::try_from(self).unwrap_or(i64::MAX).into_named()
    }
}

impl IntoNamed for usize {
    fn into_named(self) -> Option<WordingValue> {
        i64::try_from(self).unwrap_or(i64::MAX).into_named()
    }
}

impl IntoNamed for Timestamp {
    fn into_named(self) -> Option<WordingValue> {
        Some(WordingValue::Plain(Value::Time(self)))
    }
}

impl IntoNamed for Duration {
    fn into_named(self) -> Option<WordingValue> {
        Some(WordingValue::Plain(Value::Duration(self)))
    }
}

/// The parts of a sentence.
pub(crate) fn sentence(template: &str, values: &[(Text, Value)], kind: &DecisionKind) -> Sentence {
    let mut parts: Vec<TextPart> = Vec::new();
    let mut plain = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '[', '<', '>']) {
        plain.push_str(&rest[..at]);
        let bracket = rest.as_bytes()[at];
        if let b'<' | b'>' = bracket {
            let end = rest.find('>').expect("each bracket of a template is closed");
            let kept = bracket == b'>' || whole(&rest[at..end], values);
            rest = &rest[if kept { at } else { end } + 1..];
            continue;
        }
        let length = rest[at..].find(['}', ']']).expect("each bracket of a template is closed");
        let name = &rest[at + 1..at + length];
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

/// Whether all values are there that this piece of a template names.
fn whole(piece: &str, values: &[(Text, Value)]) -> bool {
    let mut names = piece.split('{').skip(1).map(|rest| rest.split([':', '}']).next().unwrap_or_default());
    names.all(|name| values.iter().any(|(known, _)| **known == *name))
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
    fn a_piece_of_a_template_is_left_out_without_its_values() {
        let values = [("pods".into(), Value::Integer(2)), ("index".into(), Value::Integer(7))];
        let text = |template| sentence(template, &values, &DecisionKind::default()).to_string();
        assert_eq!(text("Creating {pods:pod}< in batches of {batches}>< for index {index}>: go"), "Creating 2 pods for index 7: go");
        assert_eq!(text("{pods}< of {pods:pod} at {at}>"), "2");
        assert_eq!(text("{pods}< of {pods:pod}>"), "2 of 2 pods");
    }
}

//! An entry of a step as the page shows it: in words, and a decision with what leads to its reasons.
//!
//! Docs: `web/src/views.ts` is generated from these types. The words are those of `play::trace::Transcript`; steps are in `step_view.rs`.

use api::{Kind, Text, Timestamp, time};
use contract::decision::{ANNOTATION, LINE, RULE, TextPart};
use contract::{Decision, DecisionKind, ObjectRef, Period, Role, Sentence, Value};
use play::trace::{Clock, Entry, EntryWords, What};
use serde::{Serialize, Serializer};

/// The value of a decision that is the scheduled time of the run that it is about.
const SCHEDULED_AT: &str = "scheduledAt";

/// The fields that have rules.
const POLICIES: [&str; 2] = ["spec.podFailurePolicy", "spec.successPolicy"];
/// The field that has annotations.
const ANNOTATIONS: &str = "metadata.annotations";

/// One thing that happened, in words without their time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Entry"))]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum EntryView {
    /// Something became of a CronJob.
    CronJob { text: String },
    /// Something became of a Job.
    Job {
        text: String,
        /// Whether nothing recorded it: it is the least that must have happened.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        estimated: bool,
    },
    /// Something became of a pod, or of one of its containers.
    Pod {
        text: String,
        /// Whether nothing recorded it.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        estimated: bool,
    },
    /// The controllers decided something.
    Decision(Box<DecisionView>),
    /// The controllers sent a request.
    Request(RequestView),
    /// A Kubernetes Event was recorded.
    Event { text: String },
    /// What a record cannot show, or has otherwise than the controllers decide.
    Difference { text: String },
    /// Something is wrong that no controller decided.
    Complaint { text: String },
}

/// A request to the API server.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RequestView {
    text: String,
    method: &'static str,
    path: String,
    /// Its outcome: `done`, `skipped` or the error.
    outcome: String,
}

/// A decision of the controllers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DecisionView {
    /// Its mark, the sentence and the rule, after what it is about where that must be named.
    text: String,
    /// What it is about, where that stands before its mark: `job pi: `.
    named: String,
    /// What the text has before the sentence, and after it.
    frame: [String; 2],
    about: ObjectView,
    /// Which decision, in one stable word.
    code: Text,
    role: RoleView,
    /// Since when it waits, if known, in milliseconds since the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    since: Option<i64>,
    /// Until when it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    until: Option<i64>,
    /// When the run of a CronJob was scheduled that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    run: Option<i64>,
    /// If it ends its object's work: what it comes to, in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    verdict: Option<Text>,
    /// The sentence.
    parts: Vec<PartView>,
    /// The values in it, by name. Lengths of time are milliseconds.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    values: Vec<(Text, Value)>,
    /// The rule of the specification.
    rule: Text,
    /// The heading of the Kubernetes documentation.
    heading: Text,
    /// Where the heading is on the web; may be empty.
    url: Text,
    /// The fields of the manifest that it rests on: of a policy, the rule; of an annotation, its line, as in `metadata.annotations[KEY]:1`.
    fields: Vec<Text>,
    /// Whether it is routine, or waits for what it waited for before.
    minor: bool,
}

/// Whether something is done (●), is left alone or waited for (○), is invalid (✗), or follows from what can be seen anyway (·).
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Role"))]
#[serde(rename_all = "camelCase")]
pub(crate) enum RoleView {
    Action,
    Wait,
    Invalid,
    Routine,
}

/// A part of a sentence: plain text, or something else with its text.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Part"))]
#[serde(untagged)]
pub(crate) enum PartView {
    Plain(String),
    /// A point in time, as the API writes it.
    Time {
        text: String,
        time: String,
    },
    Object {
        text: String,
        object: ObjectView,
    },
    /// A field of the manifest, by its path.
    Field {
        text: String,
        field: Text,
    },
}

/// One object of the cluster.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ObjectRef"))]
pub(crate) struct ObjectView {
    kind: Text,
    namespace: Text,
    name: Text,
}

impl EntryView {
    /// An entry with its words, in a session that began then; `None` if its step has it: what was done, or why the controllers act.
    pub(crate) fn of(entry: Entry, words: EntryWords, start: Timestamp) -> Option<Self> {
        let (estimated, text) = (entry.estimated, words.to_string());
        Some(match entry.what {
            What::Action { .. } | What::Sync { .. } => return None,
            What::CronJob { .. } => Self::CronJob { text },
            What::Job { .. } | What::Starts(_) => Self::Job { text, estimated },
            What::Pod(_) | What::Container(_) => Self::Pod { text, estimated },
            What::Decision { about, decision, minor } => {
                Self::Decision(Box::new(DecisionView::of(about.into(), decision, minor, words, start)))
            }
            What::Request { method, path, outcome, .. } => Self::Request(RequestView { text, method: method.name(), path, outcome }),
            What::Event(_) => Self::Event { text },
            What::Difference { .. } => Self::Difference { text: words.about + &words.text },
            What::Complaint { .. } => Self::Complaint { text: words.about + &words.text },
        })
    }
}

impl DecisionView {
    fn of(about: ObjectView, decision: Decision, minor: bool, words: EntryWords, start: Timestamp) -> Self {
        let (verdict, place) = (decision.verdict().cloned(), RestsOn::of(&decision));
        let Decision { kind, role, sentence, values } = decision;
        let DecisionKind { code, heading, url, rule, fields, .. } = DecisionKind::clone(&kind);
        let (role, period) = match role {
            Role::Action => (RoleView::Action, Period::default()),
            Role::Wait(period) => (RoleView::Wait, period),
            Role::Invalid => (RoleView::Invalid, Period::default()),
            Role::Routine => (RoleView::Routine, Period::default()),
        };
        let scheduled = values.iter().find(|(name, _)| **name == *SCHEDULED_AT && *about.kind == *Kind::CronJob.name());
        let run = if let Some((_, Value::Time(at))) = scheduled { Some(time::since(start, *at)) } else { None };
        Self {
            text: words.to_string(),
            frame: [words.lead(), words.rule],
            named: words.about,
            about,
            code,
            role,
            run,
            verdict,
            since: period.since.map(|at| time::since(start, at)),
            until: period.until.map(|at| time::since(start, at)),
            parts: sentence.0.into_iter().map(|part| PartView::of(part, start, &place)).collect(),
            values,
            rule,
            heading,
            url,
            fields: fields.into_iter().map(|field| place.exact(field)).collect(),
            minor,
        }
    }
}

impl PartView {
    /// A sentence that rests on no rule of a policy, in a session that began then.
    pub(crate) fn all(sentence: &Sentence, start: Timestamp) -> Vec<Self> {
        sentence.0.iter().map(|part| Self::of(part.clone(), start, &RestsOn::default())).collect()
    }

    fn of(part: TextPart, start: Timestamp, place: &RestsOn) -> Self {
        let text = part.render(|at| Clock { start }.time(at));
        match part {
            TextPart::Text(_) | TextPart::Duration(_) => Self::Plain(text),
            TextPart::Time(at) => Self::Time { text, time: time::text(at) },
            TextPart::Object(object) => Self::Object { text, object: object.into() },
            TextPart::Field(field) => Self::Field { text, field: place.exact(field) },
        }
    }
}

/// The part of a field on which a decision rests, as its values name it.
#[derive(Default)]
struct RestsOn {
    /// The number of a policy's rule.
    rule: Option<i64>,
    /// The key of an annotation.
    annotation: Option<Text>,
    /// Its line, from 1.
    line: Option<i64>,
}

impl RestsOn {
    fn of(decision: &Decision) -> Self {
        let number = |name| if let Some(Value::Integer(number)) = decision.value(name) { Some(*number) } else { None };
        let annotation = if let Some(Value::Text(key)) = decision.value(ANNOTATION) { Some(key.clone()) } else { None };
        Self { rule: number(RULE), annotation, line: number(LINE) }
    }

    /// The field, or this part of it.
    fn exact(&self, field: Text) -> Text {
        match self {
            Self { rule: Some(number), .. } if POLICIES.contains(&&*field) => format!("{field}.rules[{number}]").into(),
            Self { annotation: Some(key), line, .. } if *field == *ANNOTATIONS => {
                let line = line.map(|line| format!(":{line}")).unwrap_or_default();
                format!("{field}[{key}]{line}").into()
            }
            _ => field,
        }
    }
}

impl From<ObjectRef> for ObjectView {
    fn from(ObjectRef { kind, namespace, name, .. }: ObjectRef) -> Self {
        Self { kind, namespace, name }
    }
}

fn as_map<S: Serializer>(values: &[(Text, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_that_rests_on_a_rule_has_its_field() {
        let fields = |values: Vec<(Text, Value)>| {
            let kind = DecisionKind { fields: vec!["spec.podFailurePolicy".into(), "spec.backoffLimit".into()], ..DecisionKind::default() };
            let field = TextPart::Field("spec.podFailurePolicy".into());
            let decision = Decision { kind: kind.into(), role: Role::Action, sentence: Sentence(vec![field]), values };
            let about = ObjectView { kind: "Job".into(), namespace: "default".into(), name: "pi".into() };
            let view = DecisionView::of(about, decision, false, EntryWords::default(), Timestamp::UNIX_EPOCH);
            let [PartView::Field { field, .. }] = &view.parts[..] else { panic!("the sentence is one field") };
            [&view.fields[0], &view.fields[1], field].map(ToString::to_string)
        };
        let rule = "spec.podFailurePolicy.rules[1]";
        assert_eq!(fields(vec![("rule".into(), Value::Integer(1))]), [rule, "spec.backoffLimit", rule]);
        assert_eq!(fields(Vec::new()), ["spec.podFailurePolicy", "spec.backoffLimit", "spec.podFailurePolicy"]);
    }

    #[test]
    fn a_decision_that_rests_on_an_annotation_has_its_line() {
        let of = |values: Vec<(Text, Value)>| {
            let decision = Decision { kind: DecisionKind::default().into(), role: Role::Action, sentence: Sentence::default(), values };
            let place = RestsOn::of(&decision);
            ["metadata.annotations", "spec.suspend"].map(|field| place.exact(field.into()).to_string())
        };
        let key = (Text::from("annotation"), Value::Text("jobsmith.dev/on-failure".into()));
        assert_eq!(of(vec![key.clone()]), ["metadata.annotations[jobsmith.dev/on-failure]", "spec.suspend"]);
        assert_eq!(of(vec![key, ("line".into(), Value::Integer(2))]), ["metadata.annotations[jobsmith.dev/on-failure]:2", "spec.suspend"]);
        assert_eq!(of(Vec::new()), ["metadata.annotations", "spec.suspend"]);
    }

    #[test]
    fn the_text_of_a_decision_is_its_sentence_in_its_frame() {
        let sentence = Sentence(vec![TextPart::Text("Retrying".into())]);
        let decision = Decision { kind: DecisionKind::default().into(), role: Role::Wait(Period::default()), sentence, values: Vec::new() };
        let about = ObjectView { kind: "Job".into(), namespace: "default".into(), name: "pi".into() };
        let words = EntryWords { about: "job pi: ".to_owned(), mark: Some('○'), text: "Retrying".to_owned(), rule: " (J-84)".to_owned() };
        let view = DecisionView::of(about, decision, false, words, Timestamp::UNIX_EPOCH);
        assert_eq!((&*view.named, &*view.text), ("job pi: ", "job pi: ○ Retrying (J-84)"));
        assert_eq!(view.frame.join("Retrying"), view.text);
    }
}

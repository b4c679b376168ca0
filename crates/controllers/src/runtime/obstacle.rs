//! Obstacles: what keeps an object from making progress, as an explanation has them; and the sentences that they are made of.
//!
//! Docs: `crates/component/wit/controllers.wit`, `obstacle`. Which obstacles there are is up to each controller: `job/obstacles/`, `cronjob/obstacles.rs`.

use api::{Kind, ObjectMeta, Text, Timestamp};
use contract::decision::{Sentence, TextPart};
use contract::{ObjectRef, Obstacle};

/// How many objects of an obstacle are listed.
const LISTED: usize = 20;
/// How many objects a sentence names.
const NAMED: usize = 3;

/// A sentence that is being put together. Its methods are not inlined: there are a hundred calls of them, and none is in a hurry.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prose(Vec<TextPart>);

impl Prose {
    /// A sentence that begins so.
    #[inline(never)]
    pub(crate) fn new(text: &str) -> Self {
        Self::default().text(text)
    }

    /// Goes on with plain text.
    #[inline(never)]
    pub(crate) fn text(mut self, text: &str) -> Self {
        match self.0.last_mut() {
            Some(TextPart::Text(last)) => *last = format!("{last}{text}").into(),
            _ if text.is_empty() => {}
            _ => self.0.push(TextPart::Text(text.into())),
        }
        self
    }

    /// Goes on with a point in time after these words, if it is known.
    #[inline(never)]
    pub(crate) fn since(mut self, words: &str, at: Option<Timestamp>) -> Self {
        if let Some(at) = at {
            self = self.text(words);
            self.0.push(TextPart::Time(at));
        }
        self
    }

    /// Goes on with a field of the manifest.
    #[inline(never)]
    pub(crate) fn field(mut self, path: &str) -> Self {
        self.0.push(TextPart::Field(path.into()));
        self
    }

    /// Goes on with an object.
    #[inline(never)]
    pub(crate) fn object(mut self, object: ObjectRef) -> Self {
        self.0.push(TextPart::Object(object));
        self
    }

    /// Goes on with objects of a kind: `pod a`, `pods a and b`, `pods a, b, c and 4 more`.
    #[inline(never)]
    pub(crate) fn objects(self, noun: &str, objects: &[ObjectRef], count: usize) -> Self {
        let shown = if count > NAMED { &objects[..NAMED.min(objects.len())] } else { objects };
        let mut prose = self.text(noun).text(if count == 1 { " " } else { "s " });
        for (place, object) in shown.iter().enumerate() {
            prose = prose.text(match place {
                0 => "",
                _ if place + 1 == count => " and ",
                _ => ", ",
            });
            prose = prose.object(object.clone());
        }
        if count > shown.len() { prose.text(&format!(" and {} more", count - shown.len())) } else { prose }
    }

    /// Goes on with a whole sentence, as a clause of this one: it begins with a small letter, unless with the name of a kind.
    pub(crate) fn clause(self, sentence: &Sentence) -> Self {
        let Some((TextPart::Text(first), rest)) = sentence.0.split_first() else { return self.sentence(sentence) };
        let named = Kind::ALL.iter().any(|kind| first.split(' ').next() == Some(kind.name()));
        let mut letters = first.chars();
        let begin = match letters.next() {
            Some(letter) if !named => letter.to_lowercase().chain(letters).collect(),
            _ => first.to_string(),
        };
        self.text(&begin).sentence(&Sentence(rest.to_vec()))
    }

    /// Goes on with another sentence.
    #[inline(never)]
    pub(crate) fn sentence(mut self, other: &Sentence) -> Self {
        for part in &other.0 {
            match part {
                TextPart::Text(text) => self = self.text(text),
                TextPart::Time(_) | TextPart::Duration(_) | TextPart::Object(_) | TextPart::Field(_) => self.0.push(part.clone()),
            }
        }
        self
    }
}

/// A message of somebody else, as a part of a sentence: without line breaks and other control characters.
pub(crate) fn in_one_line(message: &str) -> String {
    let printable = message.split(|letter: char| letter.is_whitespace() || letter.is_control());
    printable.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

impl From<Prose> for Sentence {
    fn from(prose: Prose) -> Self {
        Self(prose.0)
    }
}

/// Objects for which one sentence holds.
#[derive(Debug, Clone)]
pub(crate) struct Stuck {
    /// The first of them.
    pub(crate) objects: Vec<ObjectRef>,
    /// How many there are.
    pub(crate) count: usize,
}

impl Stuck {
    /// These objects of a kind.
    #[inline(never)]
    pub(crate) fn of<'a>(kind: Kind, objects: impl ExactSizeIterator<Item = &'a ObjectMeta>) -> Self {
        let count = objects.len();
        Self { objects: objects.take(LISTED).map(|metadata| ObjectRef::of(kind.name(), metadata)).collect(), count }
    }

    /// `pod a`, `pods a and b`.
    #[inline(never)]
    pub(crate) fn pods(&self) -> Prose {
        Prose::default().objects("pod", &self.objects, self.count)
    }

    /// The form of a word for one of them, or for several.
    pub(crate) fn form(&self, one: &'static str, several: &'static str) -> &'static str {
        if self.count == 1 { one } else { several }
    }

    /// An obstacle that they meet.
    #[inline(never)]
    pub(crate) fn obstacle(self, code: &str, sentence: Prose) -> Obstacle {
        Obstacle {
            code: Text::from(code),
            objects: self.objects,
            count: self.count.try_into().unwrap_or(u32::MAX),
            since: None,
            until: None,
            passes: false,
            sentence: sentence.into(),
            remedy: Sentence::default(),
        }
    }
}

/// What an obstacle has besides.
pub(crate) trait ObstacleParts {
    /// Since when it is there.
    fn since(self, at: Option<Timestamp>) -> Self;
    /// It passes by itself, then if a time is known.
    fn passes(self, until: Option<Timestamp>) -> Self;
    /// What helps on a cluster.
    fn remedy(self, remedy: Prose) -> Self;
}

impl ObstacleParts for Obstacle {
    #[inline(never)]
    fn since(self, since: Option<Timestamp>) -> Self {
        Self { since, ..self }
    }

    #[inline(never)]
    fn passes(self, until: Option<Timestamp>) -> Self {
        Self { until, passes: true, ..self }
    }

    #[inline(never)]
    fn remedy(self, remedy: Prose) -> Self {
        Self { remedy: remedy.into(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_named_and_of_many_the_first() {
        let sentence = |count: usize| {
            let names: Vec<ObjectMeta> =
                (0..count).map(|number| ObjectMeta { name: format!("p{number}").into(), ..ObjectMeta::default() }).collect();
            Sentence::from(Stuck::of(Kind::Pod, names.iter()).pods()).to_string()
        };
        assert_eq!(
            [1, 2, 3, 4, 30].map(sentence),
            ["pod p0", "pods p0 and p1", "pods p0, p1 and p2", "pods p0, p1, p2 and 1 more", "pods p0, p1, p2 and 27 more"]
        );
    }
}

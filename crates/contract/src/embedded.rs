//! JSON texts embedded in JSON: readable for people, and the same byte for byte when they are read back.
//!
//! Docs: RFC 8259. What holds such texts is in `lib.rs`.

use api::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;

/// Text that is written as raw JSON if it is JSON on one line other than a string, and as a string otherwise.
struct EmbeddedJson(Text);

impl Serialize for EmbeddedJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let plain = !self.0.starts_with('"') && !self.0.contains(['\n', '\r']);
        match serde_json::from_str::<&RawValue>(&self.0) {
            Ok(json) if plain && json.get() == &*self.0 => json.serialize(serializer),
            Ok(_) | Err(_) => serializer.serialize_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for EmbeddedJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = <&RawValue>::deserialize(deserializer)?.get();
        if json.starts_with('"') { serde_json::from_str(json).map(Self).map_err(de::Error::custom) } else { Ok(Self(json.into())) }
    }
}

pub(crate) fn serialize<S: Serializer>(text: &Text, serializer: S) -> Result<S::Ok, S::Error> {
    EmbeddedJson(text.clone()).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
    EmbeddedJson::deserialize(deserializer).map(|embedded| embedded.0)
}

/// The same for many texts.
pub(crate) mod many {
    use super::{Deserialize as _, Deserializer, EmbeddedJson, Serializer, Text};

    pub(crate) fn serialize<S: Serializer>(texts: &[Text], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(texts.iter().cloned().map(EmbeddedJson))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Text>, D::Error> {
        Ok(Vec::<EmbeddedJson>::deserialize(deserializer)?.into_iter().map(|embedded| embedded.0).collect())
    }
}

#[cfg(test)]
mod tests {

    use crate::{Change, Event, Listing, ObjectJson, Part};

    #[test]
    fn texts_come_back_byte_for_byte_from_one_line() {
        let check = |text: &str, written: &str| {
            let texts = [
                Event::Changed(Change::Applied(ObjectJson { kind: "Pod".into(), json: text.into() })),
                Event::Listed(Listing {
                    kind: "Pod".into(),
                    part: Part::First,
                    resource_version: "7".into(),
                    objects: vec![text.into(); 2],
                }),
            ];
            for event in texts {
                let line = serde_json::to_string(&event).unwrap();
                assert!(line.contains(written) && !line.contains('\n'), "{line}");
                assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
            }
        };
        check(r#"{"b": 1.0, "a":"ä\u00e4"}"#, r#"{"b": 1.0, "a":"ä\u00e4"}"#);
        check(" {}", r#"" {}""#);
        check("{\n}", r#""{\n}""#);
        check("{", r#""{""#);
        check(r#""text""#, r#""\"text\"""#);
        check("", r#""""#);
    }
}

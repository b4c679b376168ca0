//! A JSON object taken apart into its fields, each kept as the text that came.
//!
//! Docs: none of Kubernetes'. Unknown fields pass through unchanged: `job/pod_template.rs` changes a few fields and no others.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The fields of an object, in their order, with their JSON text.
#[derive(Debug)]
pub(crate) struct OrderedFields<'a>(pub(crate) Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl OrderedFields<'_> {
    /// The fields of an object; none if it is not there, or something else.
    pub(crate) fn read(json: Option<&str>) -> OrderedFields<'_> {
        json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_else(|| OrderedFields(Vec::new()))
    }

    /// The value of a field.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| &**value)
    }

    /// Gives a field a value, in its place, or as the last.
    pub(crate) fn set(&mut self, name: &str, value: String) {
        match self.0.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = Cow::Owned(value),
            None => self.0.push((Cow::Owned(name.to_owned()), Cow::Owned(value))),
        }
    }

    /// The object as JSON.
    pub(crate) fn json(&self) -> String {
        let mut json = String::from("{");
        for (name, value) in &self.0 {
            if json.len() > 1 {
                json.push(',');
            }
            json.push_str(&quoted(name));
            json.push(':');
            json.push_str(value);
        }
        json.push('}');
        json
    }
}

/// The items of a list, each as the text that came; none if it is not there, or something else.
pub(crate) fn items(json: Option<&str>) -> Vec<&str> {
    let items: Option<Vec<&RawValue>> = json.and_then(|json| serde_json::from_str::<Option<_>>(json).ok().flatten());
    items.unwrap_or_default().into_iter().map(RawValue::get).collect()
}

/// Items as a list.
pub(crate) fn list(items: &[impl AsRef<str>]) -> String {
    let mut json = String::from("[");
    for item in items {
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(item.as_ref());
    }
    json.push(']');
    json
}

/// Text as JSON writes it.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("text can be written")
}

/// A name, copied only if it is not in the input as it is meant.
struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl<'de> Deserialize<'de> for OrderedFields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = OrderedFields<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OrderedFields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
                    fields.push((name, Cow::Borrowed(value.get())));
                }
                Ok(OrderedFields(fields))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_put_together_as_it_was() {
        for json in ["{}", r#"{"a":1}"#, r#"{"b":{"x":[1, 2.50]},"a\"":"\u00e9","c":null}"#] {
            assert_eq!(serde_json::from_str::<OrderedFields<'_>>(json).unwrap().json(), json);
        }
        assert!(serde_json::from_str::<OrderedFields<'_>>("[]").is_err());
    }
}

//! Reading JSON into objects: each type decides what it does with a field, and one reader serves them all.
//!
//! Docs: API conventions, "Primitive types". Absent, `null` and empty are the same and unknown fields are passed over, unless a type is strict; of a field that comes twice the last one counts.
//!
//! The reader is `serde_json`'s. What derived code would do for each type by itself is here done through trait objects: that makes the component a third smaller.

mod plain;

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

pub use self::plain::Present;
pub use derive::Read;

/// Something that is read from JSON. It refuses what it does not override.
pub trait Read {
    /// What is wanted, in words: `a whole number`.
    fn wanted(&self) -> &'static str {
        "an object"
    }

    /// Whether only an object will do, where others take `null` and an empty list for one without fields.
    fn strict(&self) -> bool {
        false
    }

    /// Reads `true` or `false`.
    ///
    /// # Errors
    /// If something else is wanted; as with all others.
    fn boolean(&mut self, _value: bool) -> Result<(), ReadError> {
        Err(self.unfit("a boolean"))
    }

    /// Reads an integer.
    ///
    /// # Errors
    /// If something else is wanted, or a smaller one.
    fn integer(&mut self, _value: i64) -> Result<(), ReadError> {
        Err(self.unfit("a number"))
    }

    /// Reads a string.
    ///
    /// # Errors
    /// If something else is wanted, or other text.
    fn text(&mut self, _value: &str) -> Result<(), ReadError> {
        Err(self.unfit("text"))
    }

    /// Begins to read a list or an object, whose items or fields follow.
    fn begin(&mut self) {}

    /// Reads an item of a list.
    ///
    /// # Errors
    /// If no list is wanted, or the item does not fit.
    fn item(&mut self, _item: JsonValue<'_>) -> Result<(), ReadError> {
        Err(self.unfit("a list"))
    }

    /// Reads a field of an object; unknown fields are skipped.
    ///
    /// # Errors
    /// If no object is wanted, or the value does not fit.
    fn field(&mut self, _name: &str, _value: JsonValue<'_>) -> Result<(), ReadError> {
        Err(self.unfit("an object"))
    }

    /// That something does not fit.
    fn unfit(&self, found: &str) -> ReadError {
        ReadError { path: String::new(), reason: format!("expected {}, found {found}", self.wanted()) }
    }
}

/// Why something cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The field, as in `spec.parallelism`.
    path: String,
    reason: String,
}

impl ReadError {
    /// What is wrong, without its place.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { path: String::new(), reason: reason.into() }
    }

    fn within(self, name: &str) -> Self {
        let separator = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("{name}{separator}{}", self.path), reason: self.reason }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.path.is_empty() { "" } else { ": " };
        write!(formatter, "{}{separator}{}", self.path, self.reason)
    }
}

/// A value that waits to be read.
pub struct JsonValue<'a>(&'a mut dyn JsonSource);

impl JsonValue<'_> {
    /// Reads the value; `null` leaves everything as it is, unless that is strict.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn read(self, into: &mut dyn Read) -> Result<(), ReadError> {
        self.0.read(into)
    }

    /// Keeps the value as it came; `None` for `null`.
    ///
    /// # Errors
    /// If it is not valid JSON.
    pub fn raw(self) -> Result<Option<Box<RawValue>>, ReadError> {
        self.0.raw()
    }
}

/// Reads a whole object, list or value by any deserializer.
///
/// # Errors
/// If it does not have the expected shape, or is not JSON.
pub fn deserialize<'de, D: Deserializer<'de>, T: Read + Default>(deserializer: D) -> Result<T, D::Error> {
    let mut value = T::default();
    Once(Some(deserializer)).read(&mut value).map_err(D::Error::custom)?;
    Ok(value)
}

/// Reads a whole object from text.
///
/// # Errors
/// If it does not have the expected shape, or is not JSON.
pub fn from_str<T: Read + Default>(text: &str) -> serde_json::Result<T> {
    let mut value = T::default();
    read_str(text, &mut value)?;
    Ok(value)
}

/// Reads a whole object from text into something. Not generic, so that the reader is compiled once, and not again in each crate that reads text.
pub(crate) fn read_str(text: &str, into: &mut dyn Read) -> serde_json::Result<()> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Once(Some(&mut deserializer)).read(into).map_err(serde_json::Error::custom)?;
    deserializer.end()
}

/// Where a value comes from.
trait JsonSource {
    fn read(&mut self, into: &mut dyn Read) -> Result<(), ReadError>;
    fn raw(&mut self) -> Result<Option<Box<RawValue>>, ReadError>;
}

/// A deserializer that has not been used, or has.
struct Once<D>(Option<D>);

impl<'de, D: Deserializer<'de>> JsonSource for Once<D> {
    fn read(&mut self, into: &mut dyn Read) -> Result<(), ReadError> {
        let Some(deserializer) = self.0.take() else { return Ok(()) };
        let mut fault = None;
        let read = deserializer.deserialize_any(ValueReader { into, fault: &mut fault });
        read.map_err(|error| fault.unwrap_or_else(|| ReadError::new(error.to_string())))
    }

    fn raw(&mut self) -> Result<Option<Box<RawValue>>, ReadError> {
        let Some(deserializer) = self.0.take() else { return Ok(None) };
        let raw = Box::<RawValue>::deserialize(deserializer).map_err(|error| ReadError::new(error.to_string()))?;
        Ok(Some(raw).filter(|raw| raw.get() != "null"))
    }
}

/// Reads a value into something; a fault is left where it is found again, as the library's errors hold no more than text.
struct ValueReader<'a> {
    into: &'a mut dyn Read,
    fault: &'a mut Option<ReadError>,
}

impl ValueReader<'_> {
    fn fail<E: Error>(self, result: Result<(), ReadError>) -> Result<(), E> {
        result.map_err(|fault| {
            *self.fault = Some(fault);
            E::custom("")
        })
    }
}

impl<'de> Visitor<'de> for ValueReader<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.into.wanted())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        let result = if self.into.strict() { Err(self.into.unfit("null")) } else { Ok(()) };
        self.fail(result)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        let result = self.into.boolean(value);
        self.fail(result)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        let result = self.into.integer(value);
        self.fail(result)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.visit_i64(i64::try_from(value).unwrap_or(i64::MAX))
    }

    fn visit_f64<E: Error>(self, _value: f64) -> Result<(), E> {
        let result = Err(self.into.unfit("a number with a fraction"));
        self.fail(result)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        let result = self.into.text(value);
        self.fail(result)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        if self.into.strict() {
            let refusal = Err(self.into.unfit("a list"));
            return self.fail(refusal);
        }
        self.into.begin();
        let mut place = 0;
        while list.next_element_seed(JsonPart { whole: &mut self, name: None, place })?.is_some() {
            place += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.into.begin();
        while let Some(FieldName(name)) = map.next_key()? {
            map.next_value_seed(JsonPart { whole: &mut self, name: Some(&name), place: 0 })?;
        }
        Ok(())
    }
}

/// A field of an object, or, without a name, an item of a list.
struct JsonPart<'a, 'b> {
    whole: &'a mut ValueReader<'b>,
    name: Option<&'a str>,
    place: usize,
}

impl<'de> DeserializeSeed<'de> for JsonPart<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self { whole, name, place } = self;
        let mut source = Once(Some(deserializer));
        let result = match name {
            Some(name) => whole.into.field(name, JsonValue(&mut source)).map_err(|fault| fault.within(name)),
            None => whole.into.item(JsonValue(&mut source)).map_err(|fault| fault.within(&format!("[{place}]"))),
        };
        if let Err(fault) = result {
            *whole.fault = Some(fault);
            return Err(D::Error::custom(""));
        }
        source.0.map_or(Ok(()), |unread| IgnoredAny::deserialize(unread).map(|_| ()))
    }
}

/// The name of a field, copied only if it is not in the input as it is meant.
struct FieldName<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for FieldName<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsText;
        impl<'de> Visitor<'de> for AsText {
            type Value = FieldName<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name")
            }
            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<FieldName<'de>, E> {
                Ok(FieldName(Cow::Borrowed(name)))
            }
            fn visit_str<E>(self, name: &str) -> Result<FieldName<'de>, E> {
                Ok(FieldName(Cow::Owned(name.to_owned())))
            }
        }
        deserializer.deserialize_str(AsText)
    }
}

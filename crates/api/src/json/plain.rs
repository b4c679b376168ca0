//! What plain values do with what is read: truth values, numbers, texts, times, lists, maps, and what may be absent.
//!
//! Docs: API conventions, "Primitive types". The reader is in `mod.rs`.

use std::collections::BTreeMap;

use super::{JsonValue, Read, ReadError};
use crate::{Duration, Text, Timestamp, duration, sharing, time};

/// Something whose presence alone matters.
#[derive(Debug, Clone, Copy, Default)]
pub struct Present;

impl Read for Present {
    fn boolean(&mut self, _: bool) -> Result<(), ReadError> {
        Ok(())
    }

    fn integer(&mut self, _: i64) -> Result<(), ReadError> {
        Ok(())
    }

    fn text(&mut self, _: &str) -> Result<(), ReadError> {
        Ok(())
    }

    fn item(&mut self, _: JsonValue<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn field(&mut self, _: &str, _: JsonValue<'_>) -> Result<(), ReadError> {
        Ok(())
    }
}

impl Read for bool {
    fn wanted(&self) -> &'static str {
        "true or false"
    }

    fn boolean(&mut self, value: bool) -> Result<(), ReadError> {
        *self = value;
        Ok(())
    }
}

impl Read for i64 {
    fn wanted(&self) -> &'static str {
        "a whole number"
    }

    fn integer(&mut self, value: i64) -> Result<(), ReadError> {
        *self = value;
        Ok(())
    }
}

impl Read for i32 {
    fn wanted(&self) -> &'static str {
        "a whole number"
    }

    fn integer(&mut self, value: i64) -> Result<(), ReadError> {
        *self = value.try_into().map_err(|_| ReadError::new(format!("{value} does not fit into 32 bits")))?;
        Ok(())
    }
}

impl Read for usize {
    fn wanted(&self) -> &'static str {
        "a whole number"
    }

    fn integer(&mut self, value: i64) -> Result<(), ReadError> {
        *self = value.try_into().map_err(|_| ReadError::new(format!("{value} is too small or too large")))?;
        Ok(())
    }
}

impl Read for Duration {
    fn wanted(&self) -> &'static str {
        "a duration"
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        *self = duration::parse(value).ok_or_else(|| ReadError::new(format!("invalid duration {value:?}: {}", duration::GRAMMAR)))?;
        Ok(())
    }
}

impl Read for Text {
    fn wanted(&self) -> &'static str {
        "text"
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        *self = sharing::text(value);
        Ok(())
    }
}

impl Read for Timestamp {
    fn wanted(&self) -> &'static str {
        "an RFC 3339 time"
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        *self = time::parse(value).ok_or_else(|| self.unfit(&format!("{value:?}")))?;
        Ok(())
    }
}

/// `null` leaves it as it is; anything else is there.
impl<T: Read + Default> Read for Option<T> {
    fn wanted(&self) -> &'static str {
        T::default().wanted()
    }

    fn boolean(&mut self, value: bool) -> Result<(), ReadError> {
        self.insert(T::default()).boolean(value)
    }

    fn integer(&mut self, value: i64) -> Result<(), ReadError> {
        self.insert(T::default()).integer(value)
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        self.insert(T::default()).text(value)
    }

    fn item(&mut self, item: JsonValue<'_>) -> Result<(), ReadError> {
        self.get_or_insert_default().item(item)
    }

    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        self.get_or_insert_default().field(name, value)
    }

    fn begin(&mut self) {
        self.insert(T::default()).begin();
    }
}

impl<T: Read + Default> Read for Vec<T> {
    fn wanted(&self) -> &'static str {
        "a list"
    }

    fn begin(&mut self) {
        self.clear();
    }

    fn item(&mut self, item: JsonValue<'_>) -> Result<(), ReadError> {
        let mut read = T::default();
        item.read(&mut read)?;
        self.push(read);
        Ok(())
    }
}

impl Read for BTreeMap<Text, Text> {
    fn begin(&mut self) {
        self.clear();
    }

    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        let mut read = Text::default();
        value.read(&mut read)?;
        self.insert(sharing::text(name), read);
        Ok(())
    }
}

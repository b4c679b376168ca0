//! Reads values: numbers, texts and lists at an offset in the bytes of a value, and parameters one after the other.
//!
//! Docs: Component Model, "Canonical ABI Explainer", "Loading", "Flat Lifting". The offsets are in `lift.rs`; values are written in `target.rs`.

use std::borrow::Cow;
use std::sync::Arc;

use api::Timestamp;

use super::{AbiError, Signed};
use crate::DecisionKind;

/// A memory with values that the other side of the boundary wrote.
pub trait AbiMemory {
    /// A part of it; none if it has no such part.
    fn bytes(&self, at: u32, length: usize) -> Option<Cow<'_, [u8]>>;

    /// Frees a text or a list after it was read, if it belongs to the reader.
    fn free(&self, at: u32, size: usize, align: usize) {
        let _ = (at, size, align);
    }

    /// What all decisions of this code have in common.
    fn kind(&self, code: &str) -> Arc<DecisionKind> {
        unlisted(code)
    }
}

/// A kind of decision that a component forgot to list; the plan must not be lost for that.
#[must_use]
pub fn unlisted(code: &str) -> Arc<DecisionKind> {
    DecisionKind { code: code.into(), ..DecisionKind::default() }.into()
}

/// The bytes of a value, in a memory to which its addresses lead.
#[derive(Clone, Copy)]
pub struct AbiSource<'a> {
    bytes: &'a [u8],
    memory: &'a dyn AbiMemory,
}

impl<'a> AbiSource<'a> {
    /// A value that begins with these bytes, which are as many as its type has.
    #[must_use]
    pub fn new(bytes: &'a [u8], memory: &'a dyn AbiMemory) -> Self {
        Self { bytes, memory }
    }

    /// The value at this offset.
    #[must_use]
    pub fn at(self, offset: usize) -> Self {
        Self { bytes: &self.bytes[offset..], ..self }
    }

    fn number<const SIZE: usize>(self, offset: usize) -> [u8; SIZE] {
        *self.bytes[offset..].first_chunk().expect("a value has all its bytes")
    }

    /// A truth value.
    #[must_use]
    pub fn bool(self, offset: usize) -> bool {
        self.bytes[offset] != 0
    }

    /// A number.
    #[must_use]
    pub fn u16(self, offset: usize) -> u16 {
        u16::from_le_bytes(self.number(offset))
    }

    /// A number.
    #[must_use]
    pub fn u32(self, offset: usize) -> u32 {
        u32::from_le_bytes(self.number(offset))
    }

    /// A number.
    #[must_use]
    pub fn u64(self, offset: usize) -> u64 {
        u64::from_le_bytes(self.number(offset))
    }

    /// A number, or a length of time.
    #[must_use]
    pub fn s64<T: Signed>(self, offset: usize) -> T {
        T::from_number(i64::from_le_bytes(self.number(offset)))
    }

    /// A number.
    #[must_use]
    pub fn f64(self, offset: usize) -> f64 {
        f64::from_le_bytes(self.number(offset))
    }

    /// A text.
    ///
    /// # Errors
    /// If it is outside the memory or not UTF-8.
    pub fn text<T: for<'t> From<&'t str>>(self, offset: usize) -> Result<T, AbiError> {
        text(self.memory, self.u32(offset), self.u32(offset + 4))
    }

    /// A list whose elements have this size and alignment.
    ///
    /// # Errors
    /// If it is outside the memory, or an element cannot be read.
    pub fn list<T>(
        self,
        offset: usize,
        size: usize,
        align: usize,
        lift: impl Fn(AbiSource<'_>) -> Result<T, AbiError>,
    ) -> Result<Vec<T>, AbiError> {
        list(self.memory, [self.u32(offset), self.u32(offset + 4)], [size, align], lift)
    }

    /// What all decisions have in common whose code this is.
    ///
    /// # Errors
    /// If the code cannot be read.
    pub fn kind(self, offset: usize) -> Result<Arc<DecisionKind>, AbiError> {
        Ok(self.memory.kind(&self.text::<String>(offset)?))
    }

    /// The number of a variant's or an enum's case.
    #[must_use]
    pub fn case(self) -> u32 {
        self.bytes[0].into()
    }

    /// An optional value, which lies at `payload` if it is there.
    ///
    /// # Errors
    /// If the value cannot be read.
    pub fn option<T>(self, offset: usize, payload: usize, lift: impl Fn(Self) -> Result<T, AbiError>) -> Result<Option<T>, AbiError> {
        self.bool(offset).then(|| lift(self.at(payload))).transpose()
    }

    /// A result, whose value or error lies at `payload`.
    ///
    /// # Errors
    /// If the value or the error cannot be read.
    pub fn result<T, E>(
        self,
        payload: usize,
        value: impl Fn(Self) -> Result<T, AbiError>,
        error: impl Fn(Self) -> Result<E, AbiError>,
    ) -> Result<Result<T, E>, AbiError> {
        let at = self.at(payload);
        Ok(if self.bool(0) { Err(error(at)?) } else { Ok(value(at)?) })
    }
}

/// The parameters of a call, one after the other: a slot for each number, two for each text or list.
pub struct Parameters<'a> {
    slots: &'a [u64],
    memory: &'a dyn AbiMemory,
}

impl<'a> Parameters<'a> {
    /// The parameters in these slots.
    #[must_use]
    pub fn new(slots: &'a [u64], memory: &'a dyn AbiMemory) -> Self {
        Self { slots, memory }
    }

    /// A number.
    ///
    /// # Panics
    /// If no slot is left.
    pub fn u64(&mut self) -> u64 {
        let (first, rest) = self.slots.split_first().expect("a call has all its parameters");
        self.slots = rest;
        *first
    }

    /// A number, or a length of time.
    pub fn s64<T: Signed>(&mut self) -> T {
        T::from_number(self.u64().cast_signed())
    }

    /// A number of 32 bits. In a slot that other cases need whole, nothing else is set.
    #[expect(clippy::cast_possible_truncation, reason = "the upper half is empty")]
    pub fn u32(&mut self) -> u32 {
        self.u64() as u32
    }

    /// A text.
    ///
    /// # Errors
    /// If it is outside the memory or not UTF-8.
    pub fn text<T: for<'t> From<&'t str>>(&mut self) -> Result<T, AbiError> {
        let (at, length) = (self.u32(), self.u32());
        text(self.memory, at, length)
    }

    /// A list whose elements have this size and alignment.
    ///
    /// # Errors
    /// If it is outside the memory, or an element cannot be read.
    pub fn list<T>(&mut self, size: usize, align: usize, lift: impl Fn(AbiSource<'_>) -> Result<T, AbiError>) -> Result<Vec<T>, AbiError> {
        let part = [self.u32(), self.u32()];
        list(self.memory, part, [size, align], lift)
    }

    /// The slots of a variant, which are as many whichever its case is.
    pub fn variant(&mut self, slots: usize) -> Self {
        let (own, rest) = self.slots.split_at(slots);
        self.slots = rest;
        Self { slots: own, memory: self.memory }
    }
}

/// A point in time, from the seconds since 1970 and the nanoseconds since that second.
///
/// # Errors
/// If it is outside the range that the WIT names.
pub(super) fn timestamp(seconds: i64, nanoseconds: u32) -> Result<Timestamp, AbiError> {
    let nanoseconds = i32::try_from(nanoseconds).unwrap_or(i32::MAX);
    Timestamp::new(seconds, nanoseconds).map_err(|_| AbiError::Time(seconds))
}

fn text<T: for<'t> From<&'t str>>(memory: &dyn AbiMemory, at: u32, length: u32) -> Result<T, AbiError> {
    let length = length as usize;
    let bytes = memory.bytes(at, length).ok_or(AbiError::Address)?;
    let text = str::from_utf8(&bytes).map_err(|_| AbiError::Text)?.into();
    memory.free(at, length, 1);
    Ok(text)
}

fn list<T>(
    memory: &dyn AbiMemory,
    [at, length]: [u32; 2],
    [size, align]: [usize; 2],
    lift: impl Fn(AbiSource<'_>) -> Result<T, AbiError>,
) -> Result<Vec<T>, AbiError> {
    let bytes = (length as usize).checked_mul(size).and_then(|length| memory.bytes(at, length)).ok_or(AbiError::Address)?;
    let list = bytes.chunks_exact(size).map(|bytes| lift(AbiSource { bytes, memory })).collect::<Result<_, _>>()?;
    memory.free(at, bytes.len(), align);
    Ok(list)
}

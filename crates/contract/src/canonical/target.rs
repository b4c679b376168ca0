//! Writes values: numbers, texts and lists at an offset in the bytes of a value, and parameters one after the other.
//!
//! Docs: Component Model, "Canonical ABI Explainer", "Storing", "Flat Lowering". The offsets are in `lower.rs`; values are read in `source.rs`.

use super::Signed;

/// Room for texts and lists where the other side of the boundary finds them.
pub trait AbiRoom {
    /// Where this text is for the other side.
    fn text(&mut self, text: &str) -> u32;

    /// Where the elements of a list are for the other side, at a multiple of this alignment.
    fn list(&mut self, elements: &[u8], align: usize) -> u32;
}

/// The bytes of a value, and room for what it leads to.
pub struct AbiTarget<'a> {
    bytes: &'a mut [u8],
    room: &'a mut dyn AbiRoom,
}

impl<'a> AbiTarget<'a> {
    /// A value that begins with these bytes.
    pub fn new(bytes: &'a mut [u8], room: &'a mut dyn AbiRoom) -> Self {
        Self { bytes, room }
    }

    /// The value at this offset.
    pub fn at(&mut self, offset: usize) -> AbiTarget<'_> {
        AbiTarget { bytes: &mut self.bytes[offset..], room: self.room }
    }

    fn number<const SIZE: usize>(&mut self, offset: usize, bytes: [u8; SIZE]) {
        self.bytes[offset..offset + SIZE].copy_from_slice(&bytes);
    }

    /// The number of a variant's or an enum's case.
    pub fn case(&mut self, case: u8) {
        self.bytes[0] = case;
    }

    /// A truth value.
    pub fn bool(&mut self, offset: usize, value: bool) {
        self.bytes[offset] = value.into();
    }

    /// A number.
    pub fn u16(&mut self, offset: usize, value: u16) {
        self.number(offset, value.to_le_bytes());
    }

    /// A number.
    pub fn u32(&mut self, offset: usize, value: u32) {
        self.number(offset, value.to_le_bytes());
    }

    /// A number.
    pub fn u64(&mut self, offset: usize, value: u64) {
        self.number(offset, value.to_le_bytes());
    }

    /// A number, or a length of time.
    pub fn s64(&mut self, offset: usize, value: impl Signed) {
        self.number(offset, value.number().to_le_bytes());
    }

    /// A number.
    pub fn f64(&mut self, offset: usize, value: f64) {
        self.number(offset, value.to_le_bytes());
    }

    /// A text.
    pub fn text(&mut self, offset: usize, text: &str) {
        let at = self.room.text(text);
        self.part(offset, at, text.len());
    }

    /// A list whose elements have this size and alignment.
    pub fn list<T>(&mut self, offset: usize, size: usize, align: usize, items: &[T], lower: impl Fn(&T, AbiTarget<'_>)) {
        let at = list(self.room, [size, align], items, lower);
        self.part(offset, at, items.len());
    }

    fn part(&mut self, offset: usize, at: u32, length: usize) {
        self.u32(offset, at);
        self.u32(offset + 4, narrow(length));
    }

    /// An optional value, which lies at `payload` if it is there.
    pub fn option<T>(&mut self, offset: usize, payload: usize, value: Option<&T>, lower: impl Fn(&T, AbiTarget<'_>)) {
        self.bool(offset, value.is_some());
        if let Some(value) = value {
            lower(value, self.at(payload));
        }
    }

    /// A result, whose value or error lies at `payload`.
    pub fn result<T, E>(
        &mut self,
        payload: usize,
        result: &Result<T, E>,
        value: impl Fn(&T, AbiTarget<'_>),
        error: impl Fn(&E, AbiTarget<'_>),
    ) {
        self.bool(0, result.is_err());
        match result {
            Ok(result) => value(result, self.at(payload)),
            Err(result) => error(result, self.at(payload)),
        }
    }
}

/// The parameters of a call, one after the other: a slot for each number, two for each text or list.
pub struct Slots<'a> {
    slots: Vec<u64>,
    room: &'a mut dyn AbiRoom,
}

impl<'a> Slots<'a> {
    /// No parameters yet.
    pub fn new(room: &'a mut dyn AbiRoom) -> Self {
        Self { slots: Vec::new(), room }
    }

    /// The parameters.
    #[must_use]
    pub fn finish(self) -> Vec<u64> {
        self.slots
    }

    /// A number.
    pub fn u64(&mut self, value: u64) {
        self.slots.push(value);
    }

    /// A number, or a length of time.
    pub fn s64(&mut self, value: impl Signed) {
        self.u64(value.number().cast_unsigned());
    }

    /// A number, or the number of a case.
    pub fn u32(&mut self, value: u32) {
        self.u64(value.into());
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        let at = self.room.text(text);
        self.u32(at);
        self.u32(narrow(text.len()));
    }

    /// A list whose elements have this size and alignment.
    pub fn list<T>(&mut self, size: usize, align: usize, items: &[T], lower: impl Fn(&T, AbiTarget<'_>)) {
        let at = list(self.room, [size, align], items, lower);
        self.u32(at);
        self.u32(narrow(items.len()));
    }

    /// A variant, which takes this many slots whichever its case is.
    pub fn variant(&mut self, slots: usize, lower: impl FnOnce(&mut Self)) {
        let end = self.slots.len() + slots;
        lower(self);
        self.slots.resize(end, 0);
    }
}

fn list<T>(room: &mut dyn AbiRoom, [size, align]: [usize; 2], items: &[T], lower: impl Fn(&T, AbiTarget<'_>)) -> u32 {
    let mut bytes = vec![0; size * items.len()];
    for (item, bytes) in items.iter().zip(bytes.chunks_exact_mut(size)) {
        lower(item, AbiTarget { bytes, room });
    }
    room.list(&bytes, align)
}

fn narrow(length: usize) -> u32 {
    u32::try_from(length).expect("the memory is addressed by 32 bits")
}

//! The canonical ABI: how values of the interface lie in the memory of an instance of the component's core module.
//!
//! Docs: Component Model, "Canonical ABI Explainer". Which values those are is in `border.rs`; the calls are in `instance.rs`. A page loads no
//! components, and through JavaScript objects the same values take three times as long.

use std::cell::RefCell;

use api::Text;
use js_sys::{Uint8Array, WebAssembly};

use crate::border::Kinds;

/// How the values of a type lie in memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) size: usize,
    pub(crate) align: usize,
}

impl Layout {
    /// Nothing: what a case without a value holds.
    pub(crate) const NOTHING: Self = Self { size: 0, align: 1 };
    /// An address and a length: texts and lists.
    pub(crate) const LIST: Self = Self { size: 8, align: 4 };

    const fn number(size: usize) -> Self {
        Self { size, align: size }
    }

    /// Fields one after the other, each at a multiple of its alignment.
    pub(crate) const fn record(fields: &[Self]) -> Self {
        let (mut size, mut align, mut place) = (0usize, 1, 0);
        while place < fields.len() {
            let field = fields[place];
            size = size.next_multiple_of(field.align) + field.size;
            align = if field.align > align { field.align } else { align };
            place += 1;
        }
        Self { size: size.next_multiple_of(align), align }
    }

    /// The number of a case, and then the value of that case; there are at most 256 cases.
    pub(crate) const fn variant(cases: &[Self]) -> Self {
        let (mut largest, mut place) = (Self::NOTHING, 0);
        while place < cases.len() {
            let case = cases[place];
            largest.size = if case.size > largest.size { case.size } else { largest.size };
            largest.align = if case.align > largest.align { case.align } else { largest.align };
            place += 1;
        }
        Self::record(&[Self::number(1), largest])
    }
}

/// A type whose values can be read from an instance's memory.
pub(crate) trait Lift: Sized {
    const LAYOUT: Layout;

    /// Reads a value; `source` has all its bytes.
    fn lift(source: Source<'_>) -> Self;
}

/// The memory of an instance, which is written and read in bytes.
pub(crate) struct Memory {
    memory: WebAssembly::Memory,
    /// What was read last, so that room for it is made once.
    read: RefCell<Vec<u8>>,
}

impl Memory {
    pub(crate) fn new(memory: WebAssembly::Memory) -> Self {
        Self { memory, read: RefCell::default() }
    }

    /// A part of the memory as it is: it may be another one after the next call of the instance, when the memory has grown.
    fn view(&self, at: u32, length: usize) -> Uint8Array {
        let length = u32::try_from(length).expect("the memory is addressed by 32 bits");
        Uint8Array::new_with_byte_offset_and_length(&self.memory.buffer(), at, length)
    }

    pub(crate) fn write(&self, at: u32, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.view(at, bytes.len()).copy_from(bytes);
        }
    }

    fn read(&self, at: u32, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        if length > 0 {
            self.view(at, length).copy_to(&mut bytes);
        }
        bytes
    }

    /// Reads a value.
    pub(crate) fn lift<T: Lift>(&self, at: u32, kinds: &Kinds) -> T {
        T::lift(Source { bytes: &self.read(at, T::LAYOUT.size), memory: self, kinds })
    }

    /// Reads a text without keeping its bytes.
    fn text<T>(&self, at: u32, length: usize, take: impl FnOnce(&str) -> T) -> T {
        let mut bytes = self.read.borrow_mut();
        bytes.resize(length, 0);
        if length > 0 {
            self.view(at, length).copy_to(&mut bytes);
        }
        take(str::from_utf8(&bytes).expect("the component's texts are UTF-8"))
    }
}

/// The bytes of a value, in a memory to which its addresses lead.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    bytes: &'a [u8],
    memory: &'a Memory,
    /// What decisions have in common, by their codes.
    pub(crate) kinds: &'a Kinds,
}

impl<'a> Source<'a> {
    /// The fields of a record, in order.
    pub(crate) fn fields(self) -> Fields<'a> {
        Fields { source: self, at: 0 }
    }

    /// The number of a variant's case, and where its value is; `layout` is that of the variant.
    pub(crate) fn case(self, layout: Layout) -> (u8, Self) {
        (self.bytes[0], Self { bytes: &self.bytes[layout.align..], ..self })
    }

    /// The value at the beginning of the bytes.
    pub(crate) fn lift<T: Lift>(self) -> T {
        T::lift(Self { bytes: &self.bytes[..T::LAYOUT.size], ..self })
    }

    fn number<const SIZE: usize>(self) -> [u8; SIZE] {
        self.bytes.try_into().expect("a number has as many bytes as its layout")
    }

    /// The address and the length of a text or a list.
    fn part(self) -> (u32, usize) {
        let (at, length) = self.lift::<(u32, u32)>();
        (at, usize::try_from(length).expect("the memory is addressed by 32 bits"))
    }
}

/// The fields of a record.
pub(crate) struct Fields<'a> {
    source: Source<'a>,
    at: usize,
}

impl Fields<'_> {
    /// The value of the next field.
    pub(crate) fn next<T: Lift>(&mut self) -> T {
        let start = self.at.next_multiple_of(T::LAYOUT.align);
        self.at = start + T::LAYOUT.size;
        Source { bytes: &self.source.bytes[start..], ..self.source }.lift()
    }
}

impl Lift for bool {
    const LAYOUT: Layout = Layout::number(1);

    fn lift(source: Source<'_>) -> Self {
        source.bytes[0] != 0
    }
}

impl Lift for u8 {
    const LAYOUT: Layout = Layout::number(1);

    fn lift(source: Source<'_>) -> Self {
        source.bytes[0]
    }
}

impl Lift for u16 {
    const LAYOUT: Layout = Layout::number(2);

    fn lift(source: Source<'_>) -> Self {
        Self::from_le_bytes(source.number())
    }
}

impl Lift for u32 {
    const LAYOUT: Layout = Layout::number(4);

    fn lift(source: Source<'_>) -> Self {
        Self::from_le_bytes(source.number())
    }
}

impl Lift for u64 {
    const LAYOUT: Layout = Layout::number(8);

    fn lift(source: Source<'_>) -> Self {
        Self::from_le_bytes(source.number())
    }
}

impl Lift for i64 {
    const LAYOUT: Layout = Layout::number(8);

    fn lift(source: Source<'_>) -> Self {
        Self::from_le_bytes(source.number())
    }
}

impl Lift for String {
    const LAYOUT: Layout = Layout::LIST;

    fn lift(source: Source<'_>) -> Self {
        let (at, length) = source.part();
        source.memory.text(at, length, |text| text.into())
    }
}

impl Lift for Text {
    const LAYOUT: Layout = Layout::LIST;

    fn lift(source: Source<'_>) -> Self {
        let (at, length) = source.part();
        source.memory.text(at, length, |text| text.into())
    }
}

impl<T: Lift> Lift for Vec<T> {
    const LAYOUT: Layout = Layout::LIST;

    fn lift(source: Source<'_>) -> Self {
        let (at, length) = source.part();
        let bytes = source.memory.read(at, length * T::LAYOUT.size);
        bytes.chunks_exact(T::LAYOUT.size).map(|bytes| T::lift(Source { bytes, ..source })).collect()
    }
}

impl<T: Lift> Lift for Option<T> {
    const LAYOUT: Layout = Layout::variant(&[Layout::NOTHING, T::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        let (case, value) = source.case(Self::LAYOUT);
        (case == 1).then(|| value.lift())
    }
}

impl<T: Lift, E: Lift> Lift for Result<T, E> {
    const LAYOUT: Layout = Layout::variant(&[T::LAYOUT, E::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        let (case, value) = source.case(Self::LAYOUT);
        if case == 0 { Ok(value.lift()) } else { Err(value.lift()) }
    }
}

impl Lift for () {
    const LAYOUT: Layout = Layout::NOTHING;

    fn lift(_: Source<'_>) -> Self {}
}

impl<A: Lift, B: Lift> Lift for (A, B) {
    const LAYOUT: Layout = Layout::record(&[A::LAYOUT, B::LAYOUT]);

    fn lift(source: Source<'_>) -> Self {
        let mut fields = source.fields();
        (fields.next(), fields.next())
    }
}

//! The sections of a WebAssembly binary: a component's core modules and exports, and the labels in its custom sections.
//!
//! Docs: WebAssembly specification, "Binary Format", "Modules"; a component has the same frame. What they mean to this host is in `component.rs`.

/// How many bytes stand before the first section: the magic number and the version.
const PREAMBLE: usize = 8;
/// The number of sections that have a name instead.
const CUSTOM: u8 = 0;

/// All sections up to the first one that is cut short: the number of each, and what is in it.
pub fn sections(binary: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = after_preamble(binary);
    std::iter::from_fn(move || {
        let (id, section, after) = first_section(rest)?;
        rest = after;
        Some((id, section))
    })
}

/// Whether the binary ends within a section.
pub(crate) fn cut_short(binary: &[u8]) -> bool {
    let mut rest = after_preamble(binary);
    while let Some((_, _, after)) = first_section(rest) {
        rest = after;
    }
    !rest.is_empty()
}

fn after_preamble(binary: &[u8]) -> &[u8] {
    binary.get(PREAMBLE..).unwrap_or_default()
}

/// The number of the section at the beginning, what is in it, and the bytes after it; `None` if there is none, or it is cut short.
fn first_section(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (id, after) = bytes.split_first()?;
    let (section, after) = counted(after)?;
    Some((*id, section, after))
}

/// The text of the custom section of this name.
#[must_use]
pub fn label<'a>(binary: &'a [u8], name: &str) -> Option<&'a str> {
    let custom = sections(binary).filter(|(id, _)| *id == CUSTOM).filter_map(|(_, section)| counted(section));
    let text = custom.filter(|(known, _)| *known == name.as_bytes()).map(|(_, text)| text).next()?;
    str::from_utf8(text).ok()
}

/// Bytes that stand after their number, and the bytes after those.
pub(crate) fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = leb128(bytes)?;
    rest.split_at_checked(length)
}

/// A number as WebAssembly writes it, seven bits a byte, the lowest first; and the bytes after it.
pub(crate) fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let last = bytes.iter().take(5).position(|byte| *byte < 0x80)?;
    let (number, rest) = bytes.split_at(last + 1);
    Some((number.iter().rev().fold(0, |number, byte| number << 7 | usize::from(byte & 0x7f)), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The preamble, a section 1 of 200 bytes, and a label.
    fn binary() -> Vec<u8> {
        [b"\0asm\x0d\0\x01\0\x01\xc8\x01", &[7; 200][..], b"\0\x0b\x06sourcehere"].concat()
    }

    #[test]
    fn sections_come_in_order() {
        let binary = binary();
        let lengths: Vec<(u8, usize)> = sections(&binary).map(|(id, section)| (id, section.len())).collect();
        assert_eq!(lengths, [(1, 200), (0, 11)]);
    }

    #[test]
    fn a_label_is_found_by_its_name() {
        assert_eq!(label(&binary(), "source"), Some("here"));
        assert_eq!(label(&binary(), "revision"), None);
    }

    #[test]
    fn a_binary_that_is_cut_short_has_the_sections_before() {
        let binary = binary();
        assert_eq!(sections(&binary[..binary.len() - 1]).count(), 1);
        assert_eq!(sections(&binary[..100]).count(), 0);
        let whole = [binary.len(), binary.len() - 13, PREAMBLE];
        assert_eq!(whole.map(|length| cut_short(&binary[..length])), [false; 3]);
        assert_eq!([binary.len() - 1, 100, PREAMBLE + 1].map(|length| cut_short(&binary[..length])), [true; 3]);
        assert_eq!(sections(b"\0asm").count(), 0);
        assert_eq!(leb128(&[0x80; 9]), None);
    }
}

//! Texts of errors as they can be compared with upstream's.
//!
//! Docs: rules A-…, whose errors show values. What is compared is in `../admission/` and in `tests/host/apiserver/`.

use serde_json::Value;

/// The text of an error in which a value that is an object, a list or `null` is replaced by `…`: upstream shows its own representation of it.
pub fn without_composite(text: &str) -> String {
    let marker = " value: ";
    let Some(at) = text.find(marker).map(|at| at + marker.len()) else { return text.to_owned() };
    let (start, shown) = text.split_at(at);
    if !shown.starts_with(['{', '[']) && !shown.starts_with("null:") {
        return text.to_owned();
    }
    let mut values = serde_json::Deserializer::from_str(shown).into_iter::<Value>();
    match values.next() {
        Some(Ok(_)) => format!("{start}…{}", &shown[values.byte_offset()..]),
        Some(Err(_)) | None => text.to_owned(),
    }
}

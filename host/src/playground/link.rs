//! A session of the playground as the fragment of a link.
//!
//! Docs: `web/src/session.ts` reads and writes the same; RFC 1951; RFC 4648, "base64url".

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// The letters of base64url.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// All that a tab of the playground is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Session {
    /// The version of this form: 1.
    version: u32,
    manifest: String,
    script: String,
    /// The step that is looked at.
    cursor: usize,
}

impl Session {
    /// A session at its beginning, of a manifest in YAML and a script.
    #[must_use]
    pub fn new(manifest: String, script: String) -> Self {
        Self { version: 1, manifest, script, cursor: 0 }
    }

    /// What stands behind `#` in a link: the version, a dot, and the session as JSON, compressed, in letters that a link may have.
    ///
    /// # Panics
    /// Never: memory takes all that is written.
    #[must_use]
    pub fn fragment(&self) -> String {
        let json = serde_json::to_vec(self).expect("a session has text keys only");
        let mut compressed = DeflateEncoder::new(Vec::new(), Compression::best());
        compressed.write_all(&json).expect("memory takes all that is written");
        let compressed = compressed.finish().expect("memory takes all that is written");
        format!("1.{}", base64url(&compressed))
    }
}

/// Three bytes become four letters; what is left at the end, as many as it needs.
fn base64url(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, place| bits << 8 | u32::from(chunk.get(place).copied().unwrap_or(0)));
        for place in 0..=chunk.len() {
            text.push(char::from(LETTERS[(bits >> (18 - 6 * place) & 63) as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn bytes_are_written_in_letters_of_links() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64url(text.as_bytes()));
        assert_eq!(texts, ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy"]);
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn a_link_holds_the_session() {
        let fragment = Session::new("kind: Job\n".repeat(50), "pods: succeed after 5s".to_owned()).fragment();
        let letters = fragment.strip_prefix("1.").unwrap().bytes().map(|letter| LETTERS.iter().position(|known| *known == letter).unwrap());
        let bits: Vec<bool> = letters.flat_map(|letter| (0..6).rev().map(move |place| letter >> place & 1 == 1)).collect();
        let bytes: Vec<u8> = bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit))).collect();
        let mut json = String::new();
        flate2::read::DeflateDecoder::new(&*bytes).read_to_string(&mut json).unwrap();
        assert!(
            json.starts_with(r#"{"version":1,"manifest":"kind: Job\nkind:"#)
                && json.ends_with(r#""script":"pods: succeed after 5s","cursor":0}"#),
            "{json}"
        );
    }
}

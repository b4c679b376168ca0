//! A session of the playground as the fragment of a link.
//!
//! Docs: `web/src/session.ts` reads and writes the same; RFC 1951; RFC 4648, "base64url".

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// All that a tab of the playground is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkedSession {
    /// The version of this form: 1.
    version: u32,
    manifest: String,
    script: String,
    /// The current step.
    cursor: usize,
}

impl LinkedSession {
    /// A session at its beginning, of a manifest in YAML and a script.
    #[must_use]
    pub fn new(manifest: String, script: String) -> Self {
        Self { version: 1, manifest, script, cursor: 0 }
    }

    /// The session as a file of the playground.
    ///
    /// # Panics
    /// Never: a session has text keys only.
    #[must_use]
    pub fn json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a session has text keys only")
    }

    /// What stands behind `#` in a link: the version, a dot, and the session as JSON, compressed, in letters that a link may have.
    ///
    /// # Panics
    /// Never: memory takes all that is written.
    #[must_use]
    pub fn fragment(&self) -> String {
        let mut compressed = DeflateEncoder::new(Vec::new(), Compression::best());
        compressed.write_all(&self.json()).expect("memory takes all that is written");
        let compressed = compressed.finish().expect("memory takes all that is written");
        format!("1.{}", URL_SAFE_NO_PAD.encode(compressed))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_link_holds_the_session() {
        let fragment = LinkedSession::new("kind: Job\n".repeat(50), "pods: succeed after 5s".to_owned()).fragment();
        let bytes = URL_SAFE_NO_PAD.decode(fragment.strip_prefix("1.").unwrap()).unwrap();
        let mut json = String::new();
        flate2::read::DeflateDecoder::new(&*bytes).read_to_string(&mut json).unwrap();
        assert!(
            json.starts_with(r#"{"version":1,"manifest":"kind: Job\nkind:"#)
                && json.ends_with(r#""script":"pods: succeed after 5s","cursor":0}"#),
            "{json}"
        );
    }
}

//! The playground's page as this program carries it: its files, compressed, in one pack.
//!
//! Docs: `web/package.json`. `cargo xtask web` builds the page, and `cargo xtask build` packs it; it is served in `server.rs`, and sessions become links in `link.rs`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use sha2::{Digest as _, Sha256};

/// The built page.
#[derive(Debug)]
pub(super) struct BuiltPage {
    /// By their paths, without a slash at the beginning.
    pub(super) files: BTreeMap<Cow<'static, str>, File>,
}

/// One file of the page.
#[derive(Debug)]
pub(super) struct File {
    /// What is in it, in the format of gzip.
    pub(super) gzip: Bytes,
    /// What a browser recognizes it by.
    pub(super) tag: String,
}

impl BuiltPage {
    /// Unpacks the page: of each file the name and what is in it, in the format of gzip, each behind its length in four bytes, the lowest first.
    /// `None` if the page was not built when the program was.
    #[must_use]
    pub(super) fn unpack(pack: &'static [u8]) -> Option<Self> {
        let (mut files, mut rest) = (BTreeMap::new(), pack);
        while !rest.is_empty() {
            let (name, gzip);
            (name, rest) = part(rest)?;
            (gzip, rest) = part(rest)?;
            files.insert(std::str::from_utf8(name).ok()?.into(), File::new(Bytes::from_static(gzip)));
        }
        files.contains_key("index.html").then_some(Self { files })
    }

    /// The page with a further file beside it.
    ///
    /// # Errors
    /// If it cannot be compressed.
    pub(super) fn with(mut self, name: String, content: &[u8]) -> std::io::Result<Self> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(content)?;
        self.files.insert(name.into(), File::new(gzip.finish()?.into()));
        Ok(self)
    }
}

impl File {
    fn new(gzip: Bytes) -> Self {
        let mut tag = String::new();
        for byte in &Sha256::digest(&gzip)[..8] {
            write!(tag, "{byte:02x}").expect("a string takes all that is written");
        }
        Self { gzip, tag: format!("\"{tag}\"") }
    }
}

/// The part at the beginning, and what comes behind it.
fn part(pack: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = pack.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A pack of files, as `cargo xtask build` makes it.
    pub(crate) fn pack(files: &[(&str, &str)]) -> &'static [u8] {
        let mut pack = Vec::new();
        for (name, text) in files {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
            gzip.write_all(text.as_bytes()).unwrap();
            for part in [name.as_bytes(), &gzip.finish().unwrap()] {
                pack.extend(u32::try_from(part.len()).unwrap().to_le_bytes());
                pack.extend(part);
            }
        }
        pack.leak()
    }

    #[test]
    fn a_pack_without_a_page_is_none() {
        assert!(BuiltPage::unpack(b"").is_none());
        assert!(BuiltPage::unpack(pack(&[("other.html", "")])).is_none());
        assert!(BuiltPage::unpack(b"\xff\xff\xff\xff").is_none());
        let page = BuiltPage::unpack(pack(&[("index.html", "a"), ("assets/b.js", "b")])).unwrap();
        assert_eq!(page.files.keys().collect::<Vec<_>>(), ["assets/b.js", "index.html"]);
        assert_ne!(page.files["index.html"].tag, page.files["assets/b.js"].tag);
        assert_eq!(page.with("c.jsonl".to_owned(), b"c").unwrap().files.len(), 3);
    }
}

//! Lines of a body that goes on for as long as the server likes.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes": one change a line. What a line holds is read in `watch.rs`.

use http_body_util::BodyExt as _;

use super::failure::{Failure, chain};
use super::transport::BodyStream;

/// A body, read line by line.
pub(super) struct BodyLines {
    body: BodyStream,
    /// What was read: lines that were handed out, and what comes next.
    text: Vec<u8>,
    /// Where the next line begins.
    begin: usize,
    /// Up to where no line has ended.
    searched: usize,
}

/// Memory for lines longer than this is given back, in bytes.
const ROOM: usize = 64 * 1024;

impl BodyLines {
    pub(super) fn new(body: BodyStream) -> Self {
        Self { body, text: Vec::new(), begin: 0, searched: 0 }
    }

    /// The next line without its end; `None` after the last.
    pub(super) async fn next(&mut self) -> Result<Option<&[u8]>, Failure> {
        loop {
            if let Some(length) = self.text[self.searched..].iter().position(|&byte| byte == b'\n') {
                let (begin, end) = (self.begin, self.searched + length);
                (self.begin, self.searched) = (end + 1, end + 1);
                return Ok(Some(&self.text[begin..end]));
            }
            self.make_room();
            let Some(frame) = self.body.frame().await else { return Ok(None) };
            let frame = frame.map_err(|error| Failure::NoAnswer(chain(&error)))?;
            if let Ok(data) = frame.into_data() {
                self.text.extend_from_slice(&data);
            }
        }
    }

    /// Forgets the lines that were handed out.
    fn make_room(&mut self) {
        self.text.drain(..self.begin);
        (self.begin, self.searched) = (0, self.text.len());
        if self.text.is_empty() && self.text.capacity() > ROOM {
            self.text.shrink_to(ROOM);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use http_body_util::Full;
    use hyper::body::Bytes;

    use super::*;

    /// The body of an answer with this text.
    pub(in super::super) fn stream(text: &[u8]) -> BodyStream {
        Full::new(Bytes::copy_from_slice(text)).map_err(|never| match never {}).boxed_unsync()
    }

    #[tokio::test]
    async fn lines_come_whole_and_a_torn_one_does_not_come() {
        let mut lines = BodyLines::new(stream(b"one\n\ntwo\nthr"));
        for expected in ["one", "", "two"] {
            assert_eq!(lines.next().await.unwrap().unwrap(), expected.as_bytes());
        }
        assert_eq!(lines.next().await.unwrap(), None);
    }
}

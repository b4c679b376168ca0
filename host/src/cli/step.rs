//! `jobsmith step`: the session protocol on standard input and output.
//!
//! Docs: `sim::Session`. It is how the controllers are compared with upstream's: both go through the same histories.

use std::io::{BufRead as _, BufReader, BufWriter, Write as _};

use jobsmith::Guest;
use sim::Session;

use super::End;

/// Expectations grow old by the real clock, which a session does not move (J-31).
const CONFIGURATION: &str = r#"{"limits":{"expectationTimeout":"200000h"}}"#;

/// Answers each line with a line, until there are no more.
pub(crate) fn run(mut guest: Guest) -> anyhow::Result<End> {
    guest.configure(CONFIGURATION).map_err(anyhow::Error::msg)?;
    let mut session = Session::new(guest);
    let mut input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if !line.trim().is_empty() {
            let answered = writeln!(output, "{}", session.serve(&line));
            // Whoever asks line by line gets each answer at once; whoever sends many at once, many at once.
            let flushed = if input.buffer().contains(&b'\n') { Ok(()) } else { output.flush() };
            if answered.and(flushed).is_err() {
                return Ok(End::Reached);
            }
        }
        line.clear();
    }
    Ok(End::Reached)
}

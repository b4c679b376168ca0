//! `jobsmith step`: the session protocol on standard input and output.
//!
//! Docs: `protocol::Session`. It is how the controllers are compared with upstream's: both go through the same histories. What can be answered at once and
//! on which cores is decided in `step/chunk.rs`.

mod chunk;

use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};

use host_embed::{Component, Guest};

use self::chunk::Sessions;
use super::input::BadInput;
use super::{CommandEnd, configuration, ending};

/// The arguments of `jobsmith step`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    configuration: configuration::Arguments,
}

/// The protocol in short.
const HELP: &str = r#"Operations; a session begins with `session`:
  {"op":"session","now":"2026-01-01T00:00:00Z"}          an empty cluster at this time
  {"op":"apply","object":{…}}                            creates a CronJob, Job or pod in the namespace default
  {"op":"edit","kind":"Job","name":"pi","merge":{…}}     a merge patch
  {"op":"remove","kind":"Job","name":"pi"}               with "propagation":"Background", Foreground or Orphan
  {"op":"pod","select":{"job":"pi","nth":0},"do":"fail","exitCode":42}
                                                         "do" is one of start, ready, restart, succeed, fail, delete, gone;
                                                         "select" narrows by job, index, phase, deleting, and takes the nth
  {"op":"refuse","kind":"Pod","verb":"patch","select":{…},"seconds":30,"code":403}
                                                         refuses these requests of the controllers for a time: "verb" is one of
                                                         create (all of them), update, patch, delete; a CronJob or Job is given by
                                                         "name" and need not exist yet, a pod by "select" and must exist; "code"
                                                         is 403, 409, 429 or 500
  {"op":"advance","seconds":10}                          advances the clock and returns the state of the cluster
  {"op":"restart"}                                       restarts the controllers with empty memory
Questions, which need no session:
  {"op":"create","object":{…}}                           whether the API server admits this new Job or CronJob: with which errors,
                                                         warnings and defaults
  {"op":"update","old":{…},"object":{…}}                 whether it admits this change of a Job or CronJob
  {"op":"status","old":{…},"object":{…}}                 whether it admits this change of a Job's status
  {"op":"decode","object":{…}}                           what strict decoding of a Job or CronJob finds
  {"op":"yaml","yaml":"…"}                               the JSON that kubectl reads from one YAML document
  {"op":"schedule","schedule":"*/5 * * * *","timeZone":"Europe/Paris","from":"2026-01-01T00:00:00Z","count":5}
                                                         when a schedule fires next
Their answers have what applies of {"object":{…},"errors":["…"],"warnings":["…"],"times":["…"]}.

Answers to operations are {}, {"state":{…}}, {"error":"…"}, or {"warnings":["…"]} with the API server's warnings.

Exit status: 0 at the end of the input, 1 if it cannot be read or the answers cannot be written, 2 bad input,
141 standard output was closed."#;

/// How many bytes are read at once at most.
const CHUNK: usize = 1 << 18;

/// Answers each line with a line, until there are no more. A line that comes alone is answered at once; lines that come together, together.
pub(crate) fn run(arguments: &Arguments, component: &Component) -> anyhow::Result<CommandEnd> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let guests: anyhow::Result<Result<Vec<Guest>, BadInput>> = (0..cores).map(|_| arguments.configuration.guest(component)).collect();
    let Ok(guests) = guests? else { return Ok(CommandEnd::BadInput) };
    let mut sessions = Sessions::new(guests);
    let mut input = BufReader::with_capacity(CHUNK, std::io::stdin().lock());
    let mut output = std::io::stdout().lock();
    let mut lines = String::new();
    while input.read_line(&mut lines)? > 0 {
        let whole = input.buffer().iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        lines.push_str(std::str::from_utf8(&input.buffer()[..whole])?);
        input.consume(whole);
        let answered = sessions.serve(&lines).iter().try_for_each(|answers| output.write_all(answers.as_bytes()));
        match answered.and_then(|()| output.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(ending::CLOSED),
            Err(error) => anyhow::bail!("cannot write to standard output: {error}"),
        }
        lines.clear();
    }
    Ok(CommandEnd::Reached)
}

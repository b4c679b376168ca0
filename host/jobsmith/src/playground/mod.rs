//! `jobsmith playground`: the page on which Jobs are played step by step, served to a browser on this machine.
//!
//! Docs: `README.md`. What is served is in `page.rs` and `server.rs`; sessions on the command line are played by `simulate/`.

mod link;
mod page;
mod server;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use self::page::BuiltPage;
use self::server::serve;
use super::{CommandEnd, output};

pub(crate) use self::link::LinkedSession;

/// The arguments of `jobsmith playground`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Serve on this port [default: any free port]
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    port: u16,

    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
}

const EXAMPLES: &str = "\
The page is served to this machine only, until Ctrl-C. It needs no network.

  jobsmith playground                                              open it in the browser
  jobsmith playground --port 8000 --no-open                        only print the address
  jobsmith simulate job.yaml -s 'index 1: exit 42 after 2s' --open open a session in it
  jobsmith simulate job.yaml --default jobsmith.dev/retry-delay=1m --open
                                                                   with an annotation that its Jobs do not have
  jobsmith replay today.jsonl --open                               look through a recording in it";

/// Programs that open a link in the user's browser.
const OPENERS: [&str; 2] = ["xdg-open", "open"];

/// Serves the page until a signal ends it.
pub(crate) fn run(arguments: &Arguments, pack: &'static [u8]) -> anyhow::Result<CommandEnd> {
    open(pack, arguments.port, None, !arguments.no_open)
}

/// What is opened in the page.
pub(crate) enum Opening {
    /// A session: its link holds it.
    Session(LinkedSession),
    /// A file, which is served beside the page: its name, and what is in it.
    File(String, Vec<u8>),
}

/// The longest link that browsers and the programs that open them take for certain.
const LONGEST_LINK: usize = 30_000;

impl Opening {
    /// What stands behind `#` in the address, and the file that is served for it. A session that is too long for a link becomes a file.
    fn parts(self) -> (String, Option<(String, Vec<u8>)>) {
        let (name, content) = match self {
            Self::Session(session) => {
                let fragment = session.fragment();
                if fragment.len() <= LONGEST_LINK {
                    return (fragment, None);
                }
                ("session.jobsmith".to_owned(), session.json())
            }
            Self::File(name, content) => (name, content),
        };
        let plain = |letter: char| if letter.is_ascii_alphanumeric() || ".-_".contains(letter) { letter } else { '-' };
        let name: String = name.chars().map(plain).collect();
        (format!("open={name}"), Some((name, content)))
    }
}

/// Serves the page, and opens something in it, if there is something.
pub(crate) fn open(pack: &'static [u8], port: u16, opening: Option<Opening>, browser: bool) -> anyhow::Result<CommandEnd> {
    let Some(mut page) = BuiltPage::unpack(pack) else {
        output::error(
            "this program was built without the playground's page; install Node, then run `cargo xtask web` and `cargo xtask build`",
        );
        return Ok(CommandEnd::BadInput);
    };
    let mut fragment = String::new();
    if let Some((behind, file)) = opening.map(Opening::parts) {
        fragment = format!("#{behind}");
        if let Some((name, content)) = file {
            page = page.with(name, &content)?;
        }
    }
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let listener = match TcpListener::bind(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)).await {
            Ok(listener) => listener,
            Err(error) => {
                output::error(&format!("cannot listen on port {port}: {error}; choose another port, or leave out --port"));
                return Ok(CommandEnd::BadInput);
            }
        };
        let address = format!("http://{}/{fragment}", listener.local_addr()?);
        output::text(&format!("{address}\n"));
        if browser && !opened(&address) {
            output::complain("cannot open a browser; open this address in yours\n");
        }
        let (mut terminated, mut interrupted) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let number = tokio::select! {
            () = serve(listener, Arc::new(page)) => return Ok(CommandEnd::Reached),
            _ = terminated.recv() => SignalKind::terminate().as_raw_value(),
            _ = interrupted.recv() => SignalKind::interrupt().as_raw_value(),
        };
        Ok(CommandEnd::Interrupted(u8::try_from(number).unwrap_or_default()))
    })
}

/// Whether some program was found that opens the address in a browser.
fn opened(address: &str) -> bool {
    OPENERS
        .iter()
        .any(|name| Command::new(name).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok())
}

//! An API server whose responses a test sets, and one request to any server.
//!
//! Docs: Kubernetes API Concepts, "Streaming lists". A real one is in `cluster.rs`; responses that a real one never gives come from here.

use std::collections::BTreeMap;
use std::io::{BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What is answered to a method and a path, when it is requested the so-and-so-manieth time, from 0: a status code and a body.
pub(crate) type Answers = fn(&str, &str, usize) -> (u16, String);

/// A server that lives as long as this process.
pub(crate) struct Server {
    pub(crate) address: String,
    requests: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Server {
    pub(crate) fn start(answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback can be listened at");
        let address = listener.local_addr().expect("it listens").to_string();
        let requests = Arc::new(Mutex::new(BTreeMap::new()));
        let noted = requests.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let noted = noted.clone();
                // A client that goes in the middle of an answer is none of this test's business.
                thread::spawn(move || answer(stream, &noted, answers).ok());
            }
        });
        Self { address, requests }
    }

    /// How often this was requested.
    pub(crate) fn count(&self, request: &str) -> usize {
        self.requests.lock().expect("nobody panics with it").get(request).copied().unwrap_or(0)
    }
}

fn answer(mut stream: TcpStream, requests: &Mutex<BTreeMap<String, usize>>, answers: Answers) -> std::io::Result<()> {
    let (head, _) = message(&mut BufReader::new(&stream))?;
    let mut words = head.split([' ', '?']);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let times = {
        let mut requests = requests.lock().expect("nobody panics with it");
        let times = requests.entry(format!("{method} {path}")).or_insert(0);
        *times += 1;
        *times - 1
    };
    let (code, body) = answers(method, path, times);
    // What has no length lasts until the connection ends.
    let watch = code == 200 && head.lines().next().is_some_and(|line| line.contains("watch=true"));
    let length = if watch { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    write!(stream, "HTTP/1.1 {code} .\r\nContent-Type: application/json\r\n{length}Connection: close\r\n\r\n{body}")?;
    if watch {
        thread::park();
    }
    Ok(())
}

/// The head and the body of a message; without a length all that comes is the body.
fn message(from: &mut impl std::io::BufRead) -> std::io::Result<(String, String)> {
    let (mut head, mut length) = (String::new(), None);
    loop {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = text.trim().parse().ok();
        }
        head += &line;
    }
    let (mut body, limit) = (Vec::new(), if head.starts_with("HTTP/") { u64::MAX } else { 0 });
    from.take(length.unwrap_or(limit)).read_to_end(&mut body)?;
    Ok((head, String::from_utf8_lossy(&body).into_owned()))
}

/// The status code and the body of a server's response.
pub(crate) fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap_or_else(|error| panic!("{address}: {error}"));
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("it listens");
    let (head, body) = message(&mut BufReader::new(stream)).expect("it answers");
    (head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0), body.trim_end().to_owned())
}

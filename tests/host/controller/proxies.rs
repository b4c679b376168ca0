//! A cluster behind a proxy: HTTP CONNECT and SOCKS5, from the kubeconfig and from the environment, with what is said when the proxy does not help.
//!
//! Docs: Use an HTTP Proxy to Access the Kubernetes API; Use a SOCKS5 Proxy to Access the Kubernetes API. What `NO_PROXY` means is tested beside
//! `host/cluster/src/cluster/proxy.rs`.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use core_tests::built::binary;
use serde_json::json;

use super::Stage;
use super::server::Server;
use crate::cluster::kubeconfig;
use crate::program::{Ended, Folder};

/// What a proxy speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speech {
    Connect,
    Socks,
}

/// A proxy that lives as long as this process and leads to one place, whatever it is asked for.
struct TestProxy {
    address: String,
    /// What it was asked for: host, port and credentials.
    asked: Arc<Mutex<Vec<String>>>,
}

impl TestProxy {
    /// A proxy that leads to an address, or refuses if there is none.
    fn start(speech: Speech, leads_to: Option<&str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback can be listened at");
        let (address, leads_to) = (listener.local_addr().expect("it listens").to_string(), leads_to.map(str::to_owned));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (noted, leads_to) = (noted.clone(), leads_to.clone());
                // A connection that ends in the middle of it is none of this test's business.
                thread::spawn(move || {
                    let opened = if speech == Speech::Connect { connect } else { socks };
                    let there = |asked: String| {
                        noted.lock().expect("nobody panics with it").push(asked);
                        leads_to.as_ref().and_then(|address| TcpStream::connect(address).ok())
                    };
                    opened(&stream, &there).and_then(|there| there.map_or(Ok(()), |there| pass(stream, there))).ok()
                });
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("nobody panics with it").clone()
    }
}

type Opens<'a> = &'a dyn Fn(String) -> Option<TcpStream>;

/// Answers a CONNECT.
fn connect(mut stream: &TcpStream, open: Opens<'_>) -> io::Result<Option<TcpStream>> {
    let (mut target, mut credentials) = (String::new(), String::new());
    for line in BufReader::new(stream).lines() {
        let line = line?;
        if line.is_empty() {
            break;
        }
        if let Some(of) = line.strip_prefix("CONNECT ") {
            target = of.trim_end_matches(" HTTP/1.1").to_owned();
        }
        if let Some(basic) = line.strip_prefix("Proxy-Authorization: ") {
            credentials = format!(" {basic}");
        }
    }
    let opened = open(target + &credentials);
    let answer = if opened.is_some() { "200 Connection established" } else { "407 Proxy Authentication Required" };
    write!(stream, "HTTP/1.1 {answer}\r\n\r\n")?;
    Ok(opened)
}

/// Answers as a SOCKS5 server; it wants a password if it is offered one.
fn socks(mut stream: &TcpStream, open: Opens<'_>) -> io::Result<Option<TcpStream>> {
    let methods = counted(stream, 1)?;
    let mut credentials = String::new();
    if methods.contains(&2) {
        stream.write_all(&[5, 2])?;
        let (user, password) = (counted(stream, 1)?, counted(stream, 0)?);
        credentials = format!(" {}:{}", String::from_utf8_lossy(&user), String::from_utf8_lossy(&password));
        stream.write_all(&[1, 0])?;
    } else {
        stream.write_all(&[5, 0])?;
    }
    // A domain, or the four bytes of an address.
    let kind = bytes(stream, 4)?[3];
    let host = if kind == 3 {
        String::from_utf8_lossy(&counted(stream, 0)?).into_owned()
    } else {
        bytes(stream, 4)?.iter().map(u8::to_string).collect::<Vec<_>>().join(".")
    };
    let port = bytes(stream, 2)?;
    let opened = open(format!("{host}:{}{credentials}", u16::from_be_bytes([port[0], port[1]])));
    stream.write_all(&[5, u8::from(opened.is_none()), 0, 1, 0, 0, 0, 0, 0, 0])?;
    Ok(opened)
}

fn bytes(mut stream: &TcpStream, number: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; number];
    stream.read_exact(&mut bytes).map(|()| bytes)
}

/// The bytes after their number, which follows this many others.
fn counted(stream: &TcpStream, after: usize) -> io::Result<Vec<u8>> {
    let number = bytes(stream, after + 1)?[after];
    bytes(stream, number.into())
}

/// Passes on all that comes from either side.
fn pass(here: TcpStream, there: TcpStream) -> io::Result<()> {
    let (mut from_here, mut to_there) = (here.try_clone()?, there.try_clone()?);
    thread::spawn(move || io::copy(&mut from_here, &mut to_there).and_then(|_| to_there.shutdown(std::net::Shutdown::Write)).ok());
    let (mut from_there, mut to_here) = (there, here);
    io::copy(&mut from_there, &mut to_here)?;
    to_here.shutdown(std::net::Shutdown::Both)
}

/// An API server that has one CronJob.
fn nightly(_: &str, _: &str, _: usize) -> (u16, String) {
    let template = json!({"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "none"}], "restartPolicy": "Never"}}}});
    let metadata = json!({"name": "nightly", "namespace": "default", "uid": "u"});
    (200, json!({"metadata": metadata, "spec": {"schedule": "0 3 * * *", "jobTemplate": template}}).to_string())
}

/// Reads a CronJob of a cluster at an address.
fn read(cluster: &str, proxy_url: Option<&str>, variables: &[(&str, &str)]) -> Ended {
    let folder = Folder::new();
    let server = "server: ";
    let named = proxy_url.map_or_else(|| server.to_owned(), |url| format!("proxy-url: '{url}', {server}"));
    folder.write("config", kubeconfig(cluster).replace(server, &named));
    let mut command = Command::new(binary());
    command.args(["trigger", "cronjob/nightly", "--dry-run", "--kubeconfig", "config"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    folder.start_by(&mut command).end()
}

fn check_read(ended: Ended) {
    let ended = ended.with_status(0);
    assert!(ended.stdout.contains("generateName: nightly-manual-"), "{}", ended.stdout);
}

#[test]
fn a_kubeconfig_names_a_proxy() {
    let server = Server::start(nightly);
    let http = TestProxy::start(Speech::Connect, Some(&server.address));
    let at = |scheme: &str, proxy: &TestProxy| format!("{scheme}://{}", proxy.address);
    check_read(read("api.example.com:6443", Some(&at("http", &http)), &[]));
    // It wins over the environment, and over the way to this machine itself.
    let environment = [("HTTP_PROXY", "http://127.0.0.1:1"), ("NO_PROXY", "*")];
    check_read(read(&server.address, Some(&at("http", &http)), &environment));
    check_read(read("api.example.com", Some(&format!("http://me:p%40ss@{}", http.address)), &[]));
    assert_eq!(http.asked(), ["api.example.com:6443", &server.address, "api.example.com:80 Basic bWU6cEBzcw=="]);

    let socks = TestProxy::start(Speech::Socks, Some(&server.address));
    check_read(read("api.example.com:6443", Some(&at("socks5", &socks)), &[]));
    check_read(read("192.0.2.1:6443", Some(&at("socks5", &socks)), &[]));
    check_read(read("api.example.com", Some(&format!("socks5h://me:p%40ss@{}", socks.address)), &[]));
    assert_eq!(socks.asked(), ["api.example.com:6443", "192.0.2.1:6443", "api.example.com:80 me:p@ss"]);
}

#[test]
fn the_environment_names_a_proxy_and_what_does_not_need_it() {
    let server = Server::start(nightly);
    let http = TestProxy::start(Speech::Connect, Some(&server.address));
    let address = &*http.address;
    check_read(read("api.example.com:6443", None, &[("HTTP_PROXY", address)]));
    check_read(read("192.0.2.1:6443", None, &[("http_proxy", address), ("no_proxy", "192.0.3.0/24,.example.com")]));
    assert_eq!(http.asked(), ["api.example.com:6443", "192.0.2.1:6443"]);
    check_read(read(&server.address, None, &[("HTTP_PROXY", address), ("HTTPS_PROXY", address)]));
    let direct = read("192.0.2.1.invalid:6443", None, &[("HTTP_PROXY", address), ("NO_PROXY", "*.invalid")]).with_status(2).stderr;
    assert!(direct.starts_with("error: cannot read cronjob default/nightly: cannot reach http://192.0.2.1.invalid:6443: "), "{direct}");
    assert_eq!(http.asked().len(), 2);
}

#[test]
fn a_proxy_that_does_not_help_is_named_without_its_password() {
    let check = |proxy: &str, expected: &str| {
        let printed = read("api.example.com:6443", Some(proxy), &[]).with_status(2).stderr;
        assert_eq!(printed, format!("error: {expected}\n"));
    };
    let unreachable = "cannot read cronjob default/nightly: cannot reach http://api.example.com:6443 through the proxy";
    check("http://me:secret@127.0.0.1:1", &format!("{unreachable} http://127.0.0.1:1: Connection refused (os error 111)"));
    let [http, socks] = [Speech::Connect, Speech::Socks].map(|speech| TestProxy::start(speech, None).address);
    let refused = "the proxy did not connect to it: ";
    check(&format!("http://{http}"), &format!("{unreachable} http://{http}: {refused}tunnel error: proxy authorization required"));
    let failed = format!("{unreachable} socks5://{socks}: {refused}");
    let printed = read("api.example.com:6443", Some(&format!("socks5://me:secret@{socks}")), &[]).with_status(2).stderr;
    assert!(printed.starts_with(&format!("error: {failed}SOCKS error: ")) && !printed.contains("secret"), "{printed}");
    let remedy = "write http://, https:// or socks5://, HOST:PORT";
    check("ftp://me:secret@proxy", &format!("cannot use the proxy: its scheme is ftp; {remedy}"));
    check("http://me:secret@the proxy", &format!("cannot use the proxy: what it is given is not a URL; {remedy}"));
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_job_is_run_and_awaited_through_a_proxy() {
    let stage = Stage::new();
    let config = stage.folder.read("config");
    let server = config.lines().find_map(|line| line.trim().strip_prefix("server: https://")).expect("it names the server").to_owned();
    let proxies = [Speech::Connect, Speech::Socks].map(|speech| TestProxy::start(speech, Some(&server)));
    let through = |proxy: String| config.replace("server: ", &format!("proxy-url: {proxy}\n    server: "));
    stage.folder.write("config", through(format!("http://{}", proxies[0].address)));
    let controller = stage.start("controller");
    let here = Stage { folder: Folder::new(), ..stage };
    here.folder.write("config", through(format!("socks5://{}", proxies[1].address)));
    here.create("default", "pi", json!({"managedBy": "jobsmith.dev/controller"}));
    let awaited = here.run("wait job/pi", 0).stdout;
    assert!(awaited.starts_with("job pi is Complete: "), "{awaited}");
    controller.signal("TERM");
    controller.end().with_status(0);
    assert!(proxies.iter().all(|proxy| proxy.asked().contains(&server)));
}

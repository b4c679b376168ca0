//! A real API server on this machine, and requests to it.
//!
//! Docs: `tests/upstream/README.md`, "A cluster". What is held against it is in `apiserver/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use api::request::Request;
use core_tests::built;
use core_tests::dialogue::Dialogue;
use host_cluster::cluster::Access;
use http_body_util::BodyExt as _;
use kube::Client;
use kube::client::Body;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::program::Folder;

/// A running cluster: API server, etcd, and nodes that play pods. It ends when it is dropped.
pub(crate) struct Cluster {
    dialogue: Dialogue,
    /// The file that leads its administrator to it.
    pub(crate) kubeconfig: PathBuf,
}

impl Cluster {
    /// Starts a cluster with these flags.
    pub(crate) fn start(flags: &[&str]) -> Self {
        let programs = built::upstream("cluster");
        let folder = programs.to_str().expect("the path is text");
        let mut dialogue = Dialogue::start(&programs.join("cluster"), &[&["-bin", folder, "-stop-on-eof"], flags].concat());
        let kubeconfig = dialogue.receive()["kubeconfig"].as_str().expect("it names its kubeconfig").into();
        Self { dialogue, kubeconfig }
    }

    /// Writes its kubeconfig to a folder, as `config`.
    pub(crate) fn give_kubeconfig(&self, folder: &Folder) {
        folder.write("config", fs::read(&self.kubeconfig).expect("the cluster wrote it"));
    }

    /// Runs kubectl, of the version that is followed, as the cluster's administrator; returns its output, and whether it succeeded.
    pub(crate) fn kubectl(&self, arguments: &[&str]) -> (String, bool) {
        let ended = self.kubectl_command().args(arguments).env("TZ", "UTC").output().expect("it is a program");
        (String::from_utf8_lossy(&ended.stdout).into_owned() + &String::from_utf8_lossy(&ended.stderr), ended.status.success())
    }

    /// kubectl for the cluster's administrator; its arguments follow.
    pub(crate) fn kubectl_command(&self) -> Command {
        let mut command = Command::new(kubectl());
        command.arg("--kubeconfig").arg(&self.kubeconfig);
        command
    }

    /// The output of a kubectl that succeeds.
    pub(crate) fn kubectl_output(&self, arguments: &[&str]) -> String {
        let (output, succeeded) = self.kubectl(arguments);
        assert!(succeeded, "kubectl {arguments:?}: {output}");
        output
    }

    /// Kills `etcd` or `apiserver`, starts it again, after a pause if one follows as in `apiserver 5s`, and waits until all is ready.
    pub(crate) fn restart(&mut self, part: &str) {
        self.dialogue.send(&format!("restart {part}"));
        let answer = self.dialogue.receive();
        assert!(answer["done"].is_string(), "restart {part}: {answer}");
    }
}

/// A client of the cluster that a kubeconfig leads to; it sends each request once.
pub(crate) async fn client(kubeconfig: &Path) -> Client {
    let access = Access { kubeconfig: Some(kubeconfig.to_owned()), context: None };
    host_cluster::cluster::RemoteCluster::connect(&access, None).await.expect("the kubeconfig is one").client()
}

/// A kubeconfig for an address that needs no authentication.
pub(crate) fn kubeconfig(address: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\nclusters: [{{name: a, cluster: {{server: 'http://{address}'}}}}]\nusers: [{{name: a, user: {{}}}}]\n\
         contexts: [{{name: a, context: {{cluster: a, user: a}}}}]\ncurrent-context: a\n"
    )
}

/// A client that sends requests as they are.
pub(crate) struct PlainClient {
    runtime: Runtime,
    client: Client,
}

impl PlainClient {
    /// A client of a cluster's administrator.
    pub(crate) fn new(cluster: &Cluster) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("there is room for a runtime");
        let client = runtime.block_on(client(&cluster.kubeconfig));
        Self { runtime, client }
    }

    /// Sends a request that succeeds; returns the body.
    pub(crate) fn ask(&self, request: &Request) -> Value {
        let (code, answer) = self.send(request);
        assert!(code < 300, "{request:?}: {answer}");
        answer
    }

    /// Sends a request; returns the status code and the body.
    pub(crate) fn send(&self, request: &Request) -> (u16, Value) {
        let (code, _, body) = self.send_for_warnings(request);
        (code, body)
    }

    /// Sends a request; returns the status code, the warnings and the body.
    pub(crate) fn send_for_warnings(&self, request: &Request) -> (u16, Vec<String>, Value) {
        let body = Body::from(request.body.clone().into_bytes());
        let content_type = request.content_type.name();
        let sent = http::Request::builder().method(request.method.name()).uri(&*request.path).header("Content-Type", content_type);
        let sent = sent.body(body).expect("the request is one");
        self.runtime.block_on(async {
            let answer = self.client.send(sent).await.unwrap_or_else(|error| panic!("{request:?}: {error}"));
            let code = answer.status().as_u16();
            let warnings = answer.headers().get_all("Warning").iter().filter_map(|header| warning(header.to_str().ok()?)).collect();
            let body = answer.into_body().collect().await.unwrap_or_else(|error| panic!("{request:?}: {error}")).to_bytes();
            let body = serde_json::from_slice(&body).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&body).into_owned()));
            (code, warnings, body)
        })
    }
}

/// The text in a header `Warning: 299 - "…"`.
fn warning(header: &str) -> Option<String> {
    header.strip_prefix("299 - \"")?.strip_suffix('"').map(|text| text.replace("\\\"", "\""))
}

/// kubectl of the version that is followed. What it prints is its own, whichever version the API server has: ours is held against no older one.
fn kubectl() -> PathBuf {
    built::of_version(built::FOLLOWED, "kubectl").join("kubectl")
}

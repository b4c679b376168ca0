//! The samples of the READMEs that speak to a cluster: each runs its own Jobs, and writes to no object of the built-in controllers.
//!
//! Docs: `host/bindings/*/README.md`, `tests/plugins/go/README.md`, `README.md`, "On a cluster". They run on one real API server with upstream's controllers
//! beside them. What a sample needs around it is in the file of its language.

use std::process::Command;

use core_tests::built;
use core_tests::summary::print;

use super::{go, java, node, python};
use crate::cluster::{self, Cluster};
use crate::program::{Folder, Program, wait_until};

/// The name in the samples of the bindings.
const NAME: &str = "acme.example/jobs";
/// Where nothing belongs to a sample.
const FOREIGN: &str = "foreign";

/// A program that is to be safe beside the built-in controllers.
struct Sample {
    /// What it is called, and the Job that it is to run.
    name: &'static str,
    /// The manager that it acts for.
    manager: &'static str,
    command: Command,
}

#[test]
#[ignore = "needs Go, Java, Node and Python: `cargo xtask test --all`"]
fn samples_write_to_no_object_of_the_built_in_controllers() {
    let programs = built::upstream("reference-controller");
    let stage = Stage::new(Cluster::start(&["-nodes", "1", "-run-for", "100ms"]));
    let mut reference = Command::new(programs.join("reference-controller"));
    let place = Folder::new();
    let reference = place.start_by(reference.args(["--sync-batch-period=100ms", "--kubeconfig"]).arg(&stage.cluster.kubeconfig));
    stage.create_foreign_objects(&reference);

    let mut samples = stage.samples();
    for sample in &mut samples {
        stage.run(sample);
    }
    stage.notice_a_sample_without_a_name();

    reference.signal("CONT");
    stage.wait_for_upstream();
    stage.upstream_left_alone(&samples);
    let names: Vec<&str> = samples.iter().map(|sample| sample.name).collect();
    print(&format!("samples beside the built-in controllers: {}", names.join(", ")));
}

/// A cluster, and the address at which `kubectl proxy` leads to it.
struct Stage {
    cluster: Cluster,
    folder: Folder,
    address: String,
    /// Ends with the test.
    _proxy: Program,
}

impl Stage {
    fn new(cluster: Cluster) -> Self {
        let folder = Folder::new();
        let proxy = folder.start_by(cluster.kubectl_command().args(["proxy", "--port=0"]));
        proxy.wait_for("Starting to serve on ");
        let printed = folder.read("stdout");
        let (_, address) = printed.trim().rsplit_once(' ').expect("its address comes last");
        let address = address.to_owned();
        folder.write("kubeconfig", cluster::kubeconfig(&address));
        Self { cluster, folder, address, _proxy: proxy }
    }

    /// Creates what upstream's controllers would act on, and stops them before they do.
    fn create_foreign_objects(&self, reference: &Program) {
        self.cluster.kubectl_output(&["create", "namespace", FOREIGN]);
        self.create(&job("finished", FOREIGN, ""));
        self.cluster.kubectl_output(&["wait", "job/finished", "-n", FOREIGN, "--for=condition=Complete", "--timeout=60s"]);
        reference.signal("STOP");
        self.cluster.kubectl_output(&["patch", "job/finished", "-n", FOREIGN, "-p", r#"{"spec":{"ttlSecondsAfterFinished":0}}"#]);
        self.create(&job("fresh", FOREIGN, ""));
        self.create(&job("of-others", FOREIGN, "managedBy: example.com/other"));
        self.create(CRON_JOB);
    }

    fn create(&self, manifest: &str) {
        self.folder.write("manifest.yaml", manifest);
        let file = self.folder.path().join("manifest.yaml");
        self.cluster.kubectl_output(&["create", "-f", file.to_str().expect("the path is text")]);
    }

    /// All samples.
    fn samples(&self) -> Vec<Sample> {
        let url = format!("http://{}", self.address);
        let kubeconfig = self.folder.path().join("kubeconfig");
        let mut jobsmith = Command::new(built::binary());
        jobsmith.arg("controller").arg("--kubeconfig").arg(&kubeconfig);
        [
            ("jobsmith", "jobsmith.dev/controller", jobsmith),
            ("python", NAME, python::sample(&url)),
            ("node", NAME, node::sample(&url)),
            ("go", NAME, go::sample(&self.folder, &url)),
            ("go-controller", NAME, go::controller(&self.folder, &kubeconfig)),
            ("java", NAME, java::sample(&self.folder, &url)),
        ]
        .into_iter()
        .map(|(name, manager, command)| Sample { name, manager, command })
        .collect()
    }

    /// Runs a sample until its Job is complete, and asserts that it has changed nothing else.
    fn run(&self, sample: &mut Sample) {
        let before = self.foreign_objects();
        self.create(&job(sample.name, "default", &format!("managedBy: {}", sample.manager)));
        let here = Folder::new();
        let program = here.start_by(&mut sample.command);
        let complete = || {
            let conditions = "jsonpath={.status.conditions[?(@.status==\"True\")].type}";
            self.cluster.kubectl_output(&["get", "job", sample.name, "-o", conditions]).contains("Complete")
        };
        wait_until(complete, || format!("{} completes its Job: {}{}", sample.name, here.read("stdout"), here.read("stderr")));
        drop(program);
        let after = self.foreign_objects();
        assert_eq!(after, before, "{} changed something: {}{}", sample.name, here.read("stdout"), here.read("stderr"));
    }

    /// Everything that a sample must leave alone.
    fn foreign_objects(&self) -> String {
        self.cluster.kubectl_output(&["get", "cronjobs,jobs,pods,events", "-n", FOREIGN, "-o", "json"])
    }

    /// What is compared does change if the sample has Kubernetes' name.
    fn notice_a_sample_without_a_name(&self) {
        let url = format!("http://{}", self.address);
        let mut command = python::edited_sample(&url, r#"job={"name": "acme.example/jobs"}"#, "");
        let here = Folder::new();
        let _program = here.start_by(&mut command);
        let acted = || {
            let there = self.foreign_objects();
            ["\"deletionTimestamp\"", "\"kind\": \"Pod\"", "every-second-"].iter().all(|sign| there.contains(sign))
        };
        wait_until(acted, || format!("it takes over, but these are there: {}{}", self.foreign_objects(), here.read("stderr")));
    }

    /// Waits until upstream's controllers have done their work.
    fn wait_for_upstream(&self) {
        self.cluster.kubectl_output(&["wait", "job/fresh", "-n", FOREIGN, "--for=condition=Complete", "--timeout=60s"]);
        let others = self.cluster.kubectl_output(&["get", "job/of-others", "-n", FOREIGN, "-o", "jsonpath={.status}"]);
        assert_eq!(others, "{}", "nobody acts for this one");
    }

    /// Asserts that upstream's controllers have not written to the Jobs of the samples.
    fn upstream_left_alone(&self, samples: &[Sample]) {
        for sample in samples {
            let writers = "jsonpath={.metadata.managedFields[*].manager}";
            let writers = self.cluster.kubectl_output(&["get", "job", sample.name, "-o", writers, "--show-managed-fields"]);
            assert!(!writers.contains("reference-controller"), "{}: {writers}", sample.name);
        }
    }
}

/// A small Job.
fn job(name: &str, namespace: &str, more: &str) -> String {
    format!(
        "\
apiVersion: batch/v1
kind: Job
metadata: {{name: {name}, namespace: {namespace}}}
spec:
  completions: 2
  {more}
  template:
    spec: {{restartPolicy: Never, containers: [{{name: main, image: busybox}}]}}
"
    )
}

/// A CronJob with a run in each second.
const CRON_JOB: &str = "\
apiVersion: batch/v1
kind: CronJob
metadata: {name: every-second, namespace: foreign}
spec:
  schedule: '@every 1s'
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
";

//! Bad input: each kind of it gets a message with file, line, column, field and remedy, exit status 2, and nothing is started.
//!
//! Docs: Jobs, "Writing a Job spec"; Kubernetes API Concepts, "Field validation". The rules behind the messages are tested where they are.

mod cron_jobs;
mod fields;
mod objects;
mod options;
mod texts;

use expect_test::Expect;

use crate::program::Folder;

/// A Job whose parts can be replaced to make it a bad one; it would leave a mark if it were started.
const JOB: &str = "\
apiVersion: batch/v1
kind: Job
metadata:
  name: pi
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: busybox
        command: [sh, -c, 'touch $TMPDIR/started']
";

/// What is printed about a file of this content.
fn check(content: impl AsRef<[u8]>, expected: Expect) {
    let folder = Folder::new();
    folder.write("job.yaml", content);
    check_arguments(&folder, &["run", "job.yaml"], expected);
}

/// What is printed about the Job with one part replaced.
fn check_job(part: &str, replacement: &str, expected: Expect) {
    assert!(JOB.contains(part), "{part}");
    check(JOB.replace(part, replacement), expected);
}

/// What is printed about a command line.
fn check_arguments(folder: &Folder, arguments: &[&str], expected: Expect) {
    let ended = folder.run(arguments).with_status(2);
    assert_eq!(ended.stdout, "");
    assert!(!folder.path().join("started").exists());
    expected.assert_eq(&ended.stderr.replace(&*folder.path().to_string_lossy(), "FOLDER"));
}

fn good_folder() -> Folder {
    let folder = Folder::new();
    folder.write("job.yaml", JOB);
    folder
}

//! What `jobsmith test --help` says at length: the format, exit statuses, examples.
//!
//! Docs: `tests/scenarios/README.md` has the format in full. The options are in `mod.rs`.

/// The format in short, how the command ends, and examples.
pub(super) const HELP: &str = "\
A scenario file is Markdown. Below each heading `## …`, a claim, it has what is played and what is expected of it:

  # Nightly backup
  ```files
  ../nightly.yaml
  ```
  ## A failed backup is retried and done within two hours
  ```script
  run 1: exit 1 after 10m once
  at 1d: end
  ```
  ```expect
  run 1: Complete within 2h
  at most 2 pods
  ```
  ```status
  succeeded: 1
  ```

  files    manifests in other files, a path a line; before the first claim, they are for all claims
  yaml     manifests in the scenario file itself
  script   what pods do and what happens, as in `jobsmith simulate --script`, one a line; without it, every pod succeeds after 5 s
           A CronJob never ends: with one, the script needs a line such as `at 3d: end`
  expect   assertions, one a line
  trace    lines of what happens, in order, as `jobsmith simulate` prints them, with their times or without, whole or up to `…`
  status   fields of the Job's status at the end; with several Jobs, under their names

A trace and a status state only what matters. With `exact` behind the word, they state everything. A claim needs one of the last three.

Assertions are about everything, or about what stands before a colon: `job NAME`, `cronjob NAME`, `run N`, `index N`, `each job`, `each index`.
  Complete within 10m                    every Job; also `Complete`, `Complete with SuccessPolicy`
  Failed with BackoffLimitExceeded       also `Failed`, `Failed within 1h`
  not finished                           when the play ends
  at most 8 pods                         also at least, exactly, no; failed pods, succeeded pods, restarts, Jobs, Failed Jobs, Complete Jobs
  at most 2 pods at once                 that have not finished; also Jobs
  no Job runs twice at once              not in two Jobs of a CronJob, nor in two pods of an index, nor in more pods than parallelism allows
  each index: at least 1 succeeded pod
  cronjob nightly run 3: Failed with DeadlineExceeded

Exit status:
  0    all claims hold
  1    a claim failed
  2    a file cannot be read or written, or a claim cannot be played or expects nothing
  141  standard output was closed

Examples:
  jobsmith test k8s/tests/
  jobsmith test nightly.md --claim 'retried'       the claims with this word
  jobsmith test nightly.md --update                write what happens into the file
  jobsmith test k8s/tests/ --list                  the claims, without a test
  jobsmith test k8s/tests/ -o junit > report.xml
  jobsmith test k8s/tests/ -o github               annotations in a workflow of GitHub Actions
  jobsmith simulate job.yaml -s 'pods: exit 1 after 5s' --save retries.md    write a scenario file
  jobsmith simulate nightly.md --claim 'retried'   show everything that happens in a claim";

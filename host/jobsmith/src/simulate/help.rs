//! What `jobsmith simulate --help` says at length: the script language, exit statuses, examples.
//!
//! Docs: the language is described in `script`. The options are in `mod.rs`.

/// The script language in short.
pub(super) const SCRIPT_HELP: &str = "\
What pods do, or what happens and when; may be repeated. Without rules, every pod succeeds after 5 s.

Which pods or containers, then what they do. For each aspect, the first rule that matches wins:
  pods: succeed after 5s
  index 1: exit 42 after 2s
  indexes 0-2,5: exit 1                    several indexes; attempts, starts and runs are listed alike
  index 1 attempt 2: succeed after 3s      the second pod of that index
  index 2 attempts 1-3: exit 42            the first three pods of that index
  index 3: exit 42 twice                   its first two attempts, or starts in a pod; also once, 3 times
  start 3: succeed after 1s                the third start in the same pod, with restartPolicy OnFailure
  container log: runs forever, ends 2s after TERM with 0
  pod pi-00003: never scheduled
  cronjob nightly: succeed after 26h       the pods of every Job of that CronJob
  run 3: exit 1 after 5s                   the third Job of its CronJob; also `cronjob nightly run 3`
  run 2026-01-03T02:00:00Z: exit 1         the Job that is scheduled for this time
  job pi: scheduled after 1s, starts after 500ms, ready after 2s, exit 1 after 20s
Other behaviours: killed by signal 9 after 4s, OOMKilled after 5s, never starts (image cannot be pulled), never ready,
ignores TERM, evicted after 10s, preempted after 10s, evicted by the kubelet after 10s,
condition ConfigIssue after 2s (the pod gets that condition), message \"retry-after 30\" (the container's termination message). `at once` means `after 0s`.

When, then what happens:
  at 12s: suspend
  at 20s: resume
  at 30s: scale to 3
  at 30s: set spec.backoffLimit=2
  at 30s: set spec={\"parallelism\": 5, \"completions\": 5}      scales an elastic Indexed Job
  at 30s: annotate jobsmith.dev/hold=true      also annotate jobsmith.dev/hold-, which removes it
  at 40s: delete job pi
  at 50s: create job pi                    from its manifest: again after `delete job pi`, or for the first time
  at 12s: evict index 1                    also preempt, and evict index 1 by the kubelet
  at 12s: delete pod pi-00001
  at 12s: exit 3 in index 0
  at 12s: lose node
  at 12s: restart controller
  at 12s: pause controller for 10s
  at 12s: refuse next write with conflict
  at 12s: refuse pod creations for 30s     as when a quota is exceeded; also with conflict, with server error and so on
  at 12s: refuse the 3rd pod creation      of those that are still to come
  at 12s: accept pods                      that the API server refuses, or was found to refuse
  at 12s: cut watch for 5s
  at 12s: make index 0 ready
  at 12s: advance 1h                       days are allowed, as in 2d
  at 12s: suspend cronjob hello            also resume, set, annotate and delete
  at 5m: annotate cronjob hello jobsmith.dev/resumed-at=2026-01-01T00:05:00Z      after failures paused it
  at 12s: resume all                       every suspended Job and CronJob; also suspend all
  at 12m: end
Name CronJobs, Jobs and pods as NAME or NAMESPACE/NAME. With several Jobs, name the one that an action changes:
  at 12s: suspend job team-a/pi";

/// How it ends, and examples.
pub(super) const EXIT_STATUS: &str = "\
Of a scenario file, the manifests and the script of one claim are simulated; `jobsmith test` compares with what it expects.

Exit status:
  0    every Job is Complete (for a CronJob: the Job of every run that ended)
  1    a Job is Failed (also one that a CronJob started, or that was Failed when the simulation began), an action of the script was not
       carried out (it was refused, or no pod matched), or a jobsmith.dev annotation is invalid
  2    bad input: the reason is printed, and nothing is simulated
  3    a Job did not finish, and none is Failed; or a CronJob has no run within five years, as on 31 February
  141  standard output was closed

Examples:
  jobsmith simulate job.yaml
  jobsmith simulate job.yaml --script 'pods: exit 1 after 3s' --for 10m --why
  jobsmith simulate job.yaml -s 'index 1 attempt 1: exit 42 after 2s' -s 'at 12s: suspend' -s 'at 1m: resume'
  jobsmith simulate job.yaml -o describe                      with the output of kubectl get jobs,pods and kubectl describe
  jobsmith simulate job.yaml --quiet                          only how each Job ends
  jobsmith simulate job.yaml --for 1m -o yaml > later.yaml    the objects as they are after a minute
  jobsmith simulate job.yaml -o json
  jobsmith simulate cronjob.yaml --from 2026-03-27 --for 7d   across a clock change
  jobsmith simulate cronjob.yaml --for 30d --script 'pods: succeed after 90s'    a month of runs as a table; --why shows all
  kubectl get cronjobs,jobs,pods -o yaml | jobsmith simulate -        what happened to the Job that failed or hangs, and how the Jobs will continue
  jobsmith simulate job.yaml --script-file rules.txt --open
  jobsmith simulate session.jobsmith                          what the playground saved with Share
  jobsmith simulate retries.md --claim 'pod is replaced'      one claim of a scenario file
  jobsmith simulate job.yaml -s 'pods: exit 1' --save retries.md    a claim that `jobsmith test retries.md` tests";

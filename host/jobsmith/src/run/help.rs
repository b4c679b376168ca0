//! What `jobsmith run --help` explains at length: actions, exit statuses, examples.
//!
//! Docs: none of Kubernetes'. The options are in `mod.rs` and `limits.rs`.

/// What `--do` takes.
pub(super) const ACTIONS: &str = "\
Change a Job or a CronJob at a given time; may be repeated. The time, then the action:
  at 5s: suspend
  at 9s: resume
  at 3s: scale to 4
  at 3s: set spec.backoffLimit=2
  at 3s: set spec={\"parallelism\": 5, \"completions\": 5}      scales an elastic Indexed Job
  at 20s: delete job pi
  at 1d: suspend cronjob hello                               also resume, set and delete
  at 1d: suspend all                                         every Job and CronJob; also resume all
With several Jobs, name one: at 5s: suspend job pi, or: at 5s: suspend job team-a/pi";

/// How a run ends, and examples.
pub(super) const EXIT_STATUS: &str = "\
Exit status:
  0      every Job is Complete (for a CronJob: the Job of every run that ended)
  1      a Job is Failed, an action of --do was refused, or a jobsmith.dev annotation is invalid
  2      bad input: the reason is printed, and nothing is started
  3      a Job did not finish: it stays suspended, was deleted, or is managed by another controller; or a CronJob cannot
         start any Jobs, or has no run within five years
  128+N  if stopped by signal N (130 for Ctrl-C, 143 for SIGTERM)
  141    standard output was closed

With a CronJob, jobsmith keeps running until Ctrl-C, --until or --runs. With --runs N, a CronJob is suspended once it has started N Jobs,
and jobsmith exits once they have finished. A run that --now starts counts. Schedules without spec.timeZone are in UTC, unless --time-zone names another zone.

Ctrl-C deletes the CronJobs and Jobs and gives the pods their grace periods; a second Ctrl-C kills them. No container
process outlives jobsmith, even if it is killed with SIGKILL.

Containers' commands run as local processes of the current user; images are not pulled. They get PATH,
HOME, LANG, LC_ALL, LC_CTYPE, LOGNAME, TMPDIR, TZ and USER of this machine, and what the manifest sets.

Examples:
  jobsmith run job.yaml
  jobsmith run job.yaml --why --log-dir logs
  jobsmith run job.yaml -o describe                            with the output of kubectl get jobs,pods and kubectl describe
  jobsmith run job.yaml -o logs                                only what containers print
  jobsmith run job.yaml -o yaml > ended.yaml                   the final objects; only --log-dir keeps the output of containers
  jobsmith run - -o json < job.yaml
  jobsmith run job.yaml --do 'at 5s: suspend' --do 'at 20s: resume'
  jobsmith run cronjob.yaml --now --runs 1                     one run, at once
  jobsmith run cronjob.yaml --runs 3                           until three runs have finished
  jobsmith run cronjob.yaml --time-zone Europe/Paris --until 18:30";

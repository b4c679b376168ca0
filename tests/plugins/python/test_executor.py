"""The local executor: Jobs as processes of this machine, with what Kubernetes does about them.

Docs: Jobs, "Pod backoff failure policy", "Completion mode", "Job termination and cleanup".
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

from executor import LocalExecutor


def job(name: str, script: str, *arguments: object, **spec: Any) -> dict[str, Any]:
    """A Job whose container runs a few lines of Python."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    pod = {"restartPolicy": "Never", "containers": [{"name": "main", "command": command}]}
    return {"metadata": {"name": name}, "spec": {**spec, "template": {"spec": pod}}}


def run(*jobs: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs Jobs with short back-offs; returns their statuses."""
    limits = {"podFailureBackOff": "50ms", "syncBatchPeriod": "10ms"}
    return asyncio.run(asyncio.wait_for(LocalExecutor(**limits).run(*jobs), 60))


def condition(status: dict[str, Any], type: str) -> dict[str, Any]:
    return next(each for each in status["conditions"] if each["type"] == type)


def test_a_job_succeeds_after_a_retry(tmp_path: Path) -> None:
    script = "import sys; open(sys.argv[1], 'x').close(); sys.exit(1)"
    script = f"try: exec({script!r})\nexcept FileExistsError: pass"
    [status] = run(job("retried", script, tmp_path / "tried"))
    assert (status["failed"], status["succeeded"]) == (1, 1)
    assert condition(status, "Complete")["status"] == "True"


def test_a_job_fails_when_it_has_no_retries_left() -> None:
    [status] = run(job("hopeless", "raise SystemExit(3)", backoffLimit=2))
    assert status["failed"] == 3
    assert condition(status, "Failed")["reason"] == "BackoffLimitExceeded"


def test_a_program_that_does_not_exist_is_a_failure() -> None:
    missing = job("missing", "", backoffLimit=0)
    missing["spec"]["template"]["spec"]["containers"][0]["command"] = ["/no/such/program"]
    [status] = run(missing)
    assert condition(status, "Failed")["reason"] == "BackoffLimitExceeded"


def test_jobs_run_side_by_side() -> None:
    statuses = run(job("one", "pass"), job("two", "raise SystemExit(1)", backoffLimit=0))
    assert [status.get("succeeded", 0) for status in statuses] == [1, 0]


def test_each_process_of_an_indexed_job_has_an_index(tmp_path: Path) -> None:
    script = "import os, sys; open(sys.argv[1] + '/' + os.environ['JOB_COMPLETION_INDEX'], 'x')"
    indexed = {"completionMode": "Indexed", "completions": 3, "parallelism": 2}
    [status] = run(job("indexed", script, tmp_path, **indexed))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1", "2"]
    assert (status["succeeded"], status["completedIndexes"]) == (3, "0-2")


def test_a_deadline_ends_a_job_and_its_process(tmp_path: Path) -> None:
    began = time.monotonic()
    script = "import sys, time; time.sleep(30); open(sys.argv[1], 'x')"
    [status] = run(job("late", script, tmp_path / "finished", activeDeadlineSeconds=1))
    assert condition(status, "Failed")["reason"] == "DeadlineExceeded"
    assert time.monotonic() - began < 20
    assert not (tmp_path / "finished").exists()

"""What a manifest does, asserted without a cluster and without waiting: the time is virtual.

Docs: Jobs, "Pod failure policy". Copy ``Play`` into the tests of your own manifests.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from jobsmith import Controllers, outcome, times

from executor import Memory


class Play:
    """A Job under the controllers, at a time that only the test moves."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.time = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
        self.memory = Memory(self._changed, clock=lambda: self.time)
        self.controllers = Controllers(controllers=["job"])
        self.kinds = {each.plural: each.kind for each in self.controllers.resources()}
        self.decisions: list[str] = []
        for kind in self.kinds.values():
            self.controllers.listed(kind, [], "0", now=self.time)
        self.name = self.memory.submit(job)["metadata"]["name"]
        self.settle()

    @property
    def status(self) -> dict[str, Any]:
        """The status of the Job."""
        return self.memory.objects["jobs"][self.name].get("status", {})

    def pods(self, phase: str = "Pending") -> list[str]:
        """The names of the pods in a phase."""
        pods = self.memory.objects["pods"].items()
        return [
            name for name, pod in pods if pod.get("status", {}).get("phase", "Pending") == phase
        ]

    def exit(self, pod: str, code: int) -> None:
        """A pod's container ends with an exit code."""
        container = {"name": "main", "state": {"terminated": {"exitCode": code}}}
        phase = "Failed" if code else "Succeeded"
        status = {"phase": phase, "containerStatuses": [container]}
        object = self.memory.objects["pods"][pod]
        self.memory.store("MODIFIED", "pods", object, {}, status=status)
        self.settle()

    def pass_time(self, **length: int) -> None:
        """Time passes, and everything that is due on the way happens in its order."""
        end = self.time + timedelta(**length)
        while (due := self._due()) and due <= end:
            self.time = max(self.time, due)
            self.settle()
        self.time = end

    def settle(self) -> None:
        """Carries out all plans that are due at this moment."""
        for plan in self.controllers.plans(self.time):
            self.decisions += [decision.code for decision in plan.decisions]
            answers = [self.memory.send(command) for batch in plan.batches for command in batch]
            self.controllers.finished(plan, [outcome(*answer) for answer in answers], self.time)

    def _due(self) -> datetime | None:
        wakeup = self.controllers.wakeup()
        if wakeup is None:
            return None
        # A wake-up may fall between two microseconds; then the second of them is due.
        between = wakeup.at.nanoseconds % 1000 > 0
        return times.to_datetime(wakeup.at) + timedelta(microseconds=between)

    def _changed(self, plural: str, type: str, object: dict[str, Any]) -> None:
        handle = self.controllers.deleted if type == "DELETED" else self.controllers.applied
        handle(self.kinds[plural], object, now=self.time)


POLICY = {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}}]}
JOB = {
    "metadata": {"name": "pi"},
    "spec": {
        "backoffLimit": 6,
        "podFailurePolicy": POLICY,
        "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main"}]}},
    },
}


def failed(play: Play) -> str | None:
    """Why the Job has failed, if it has."""
    conditions = play.status.get("conditions", [])
    return next((each["reason"] for each in conditions if each["type"] == "Failed"), None)


def test_the_job_fails_at_once_on_exit_code_42() -> None:
    play = Play(JOB)
    [pod] = play.pods()
    play.exit(pod, 42)
    play.pass_time(seconds=1)
    assert failed(play) == "PodFailurePolicy"
    play.pass_time(hours=1)
    assert play.pods() == [], "no pod replaces the one that failed"


def test_any_other_exit_code_is_retried_after_a_back_off() -> None:
    play = Play(JOB)
    play.exit(*play.pods(), 1)
    play.pass_time(seconds=9)
    assert play.pods() == [], "the back-off of 10 s is not over"
    play.pass_time(seconds=3)
    assert len(play.pods()) == 1
    assert failed(play) is None


def test_the_seventh_failure_is_the_last() -> None:
    play = Play(JOB)
    for failures in range(1, 8):
        play.exit(*play.pods(), 1)
        play.pass_time(hours=1)
        assert play.status["failed"] == failures
    assert (failed(play), play.pods()) == ("BackoffLimitExceeded", [])
    assert "BackoffLimitExceeded" in play.decisions

"""The loop, with threads and with asyncio, on clusters that misbehave.

Docs: ``crates/component/wit/controllers.wit``, "What a host does"; ``executor.py`` is a cluster
that does not misbehave.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from jobsmith import AsyncLoop, Controllers, Loop, UsageError, loop, outcome
from jobsmith.types import ApiResource, Command, ContentType, Method, Plan

from conftest import job, list_all, trap


class FakeCluster:
    """A cluster with one Job, which answers each request with what it is given."""

    def __init__(self) -> None:
        self.jobs: list[Any] = [job()]
        self.lists: list[str] = []
        self.sent: list[tuple[Method, str]] = []
        self.answers: dict[Method, tuple[int, Any]] = {}
        self.events: dict[str, queue.Queue[Any]] = {}
        self.at_list: dict[str, list[Any]] = {}
        self.recorded = 0

    def list(self, resource: ApiResource) -> tuple[list[Any], str]:
        self.lists.append(resource.plural)
        self.events[resource.plural] = queue.Queue()
        for event in self.at_list.pop(resource.plural, []):
            self.events[resource.plural].put(event)
        return self.jobs if resource.kind == "Job" else [], "1"

    def watch(self, resource: ApiResource, version: str) -> Iterator[Any]:
        while (event := self.events[resource.plural].get()) is not None:
            if isinstance(event, Exception):
                raise event
            yield event

    def send(self, command: Command) -> tuple[int, Any]:
        if command.path.endswith("/events"):
            self.recorded += 1
            return 201, command.body
        self.sent.append((command.method, command.path.rpartition("/namespaces/")[2]))
        answer = self.answers.get(command.method, (200, command.body))
        if isinstance(answer, Exception):
            raise answer
        return answer(command) if callable(answer) else answer


class AsyncFakeCluster(FakeCluster):
    """The same cluster for asyncio."""

    async def list(self, resource: ApiResource) -> Any:
        return super().list(resource)

    async def watch(self, resource: ApiResource, version: str) -> Any:
        while True:
            try:
                event = self.events[resource.plural].get_nowait()
            except queue.Empty:
                await asyncio.sleep(0.01)
                continue
            if event is None:
                return
            if isinstance(event, Exception):
                raise event
            yield event

    async def send(self, command: Command) -> Any:
        return super().send(command)


class Driven:
    """A loop on a thread, until the end of the test."""

    def __init__(self, cluster: FakeCluster, pause: float = 0.05) -> None:
        self.cluster = cluster
        self.plans: list[Plan] = []
        self.controllers = Controllers(job={"limits": {"syncBatchPeriod": "10ms"}})
        self.sent_before_the_second_plan: list[tuple[Method, str]] = []
        options: Any = {"decided": self.decided, "pause": pause}
        self.failures: list[BaseException] = []
        if isinstance(cluster, AsyncFakeCluster):
            self.loop: Any = AsyncLoop(self.controllers, cluster, **options)
        else:
            self.loop = Loop(self.controllers, cluster, **options)
        self.thread = threading.Thread(target=self._run, daemon=True)

    def decided(self, plan: Plan) -> None:
        if len(self.plans) == 1:
            self.sent_before_the_second_plan = list(self.cluster.sent)
        self.plans.append(plan)

    def _run(self) -> None:
        try:
            run(self.loop)
        except BaseException as failure:
            self.failures.append(failure)

    def __enter__(self) -> Driven:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.stop()
        self.thread.join(20)
        assert not self.thread.is_alive(), "stop() does not end the loop"
        assert self.failures == []

    def until(self, holds: Any) -> None:
        """Waits until something is true."""
        end = time.monotonic() + 30
        while not holds():
            assert time.monotonic() < end, (self.cluster.lists, self.cluster.sent)
            time.sleep(0.005)


@pytest.fixture(params=[FakeCluster, AsyncFakeCluster])
def driven(request: pytest.FixtureRequest) -> Driven:
    return Driven(request.param())


POST = (Method.POST, "default/pods")
PUT = (Method.PUT, "default/jobs/pi/status")


def test_plans_are_carried_out_and_their_decisions_delivered(driven: Driven) -> None:
    with driven:
        driven.until(lambda: POST in driven.cluster.sent and PUT in driven.cluster.sent)
        assert driven.cluster.sent[:2] == [POST, PUT], "batches are sent one after the other"
        driven.until(lambda: any("PodCreated" in codes(plan) for plan in driven.plans))
        driven.until(lambda: driven.cluster.recorded > 0)
    assert driven.cluster.lists == ["cronjobs", "jobs", "pods"], "in the order of resources()"


def test_later_batches_are_skipped_after_a_refusal(driven: Driven) -> None:
    status = {"reason": "Forbidden", "message": "exceeded quota"}
    driven.cluster.answers = {Method.POST: (403, status)}
    with driven:
        driven.until(lambda: len(driven.plans) > 1)
    [first] = [plan for plan in driven.plans[:1] if len(plan.batches) == 2]
    assert driven.sent_before_the_second_plan == [POST], first


def test_a_command_depends_on_all_batches_before_its_own_or_on_one_command() -> None:
    def may_run(after: int | None, *before: bool) -> bool:
        return loop.may_run(Command(Method.PUT, "", ContentType.JSON, "", [], after), before)

    assert may_run(None)
    assert may_run(None, True, True)
    assert not may_run(None, True, False)
    assert may_run(0, True, False)
    assert not may_run(1, True, False)
    assert not may_run(2, True, False), "it is in no batch before"


def test_a_request_without_an_answer_is_a_failure(driven: Driven) -> None:
    driven.cluster.answers = {Method.POST: ConnectionError("reset")}  # type: ignore[dict-item]
    with driven:
        driven.until(lambda: driven.cluster.sent.count(POST) == 1)
        driven.until(lambda: len(driven.plans) > 1)


def test_an_answer_that_is_none_is_logged(driven: Driven, caplog: pytest.LogCaptureFixture) -> None:
    driven.cluster.answers = {Method.POST: None}  # type: ignore[dict-item]
    with driven:
        driven.until(lambda: len(driven.plans) > 1)
    path = "/api/v1/namespaces/default/pods"
    assert any(record.message.startswith(f"POST {path}: ") for record in caplog.records)
    assert driven.sent_before_the_second_plan == [POST]


def test_what_is_waited_for_is_logged_for_debugging_alone(
    controllers: Controllers, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "jobsmith")
    list_all(controllers, job("pi", suspend=True), job("rho", managedBy="example.com/other"))
    for plan in controllers.plans():
        loop.log(plan)
        commands = [command for batch in plan.batches for command in batch]
        controllers.finished(plan, [outcome(200, command.body) for command in commands])
    [waits] = [each for each in caplog.records if "example.com/other" in each.message]
    assert waits.levelno == logging.DEBUG
    assert any(each.levelno == logging.INFO for each in caplog.records)


@pytest.mark.parametrize("error", [KeyError("token"), ConnectionError("reset")])
def test_a_bug_in_the_cluster_is_logged_with_its_traceback(
    driven: Driven, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    driven.cluster.answers = {Method.POST: error}  # type: ignore[dict-item]
    driven.cluster.at_list = {"pods": [error]}
    with driven:
        driven.until(lambda: driven.cluster.lists.count("pods") == 2)
        driven.until(lambda: len(driven.plans) > 1)
    for start in ("pods: ", "POST /api/v1/namespaces/default/pods: "):
        [record, *_] = [each for each in caplog.records if each.message.startswith(start)]
        assert record.message.startswith(f"{start}{type(error).__name__}: {error}")
        assert bool(record.exc_info) == isinstance(error, KeyError)


@pytest.mark.parametrize("kind", [Loop, AsyncLoop])
def test_a_cluster_that_lacks_a_method_is_refused(kind: Any, controllers: Controllers) -> None:
    with pytest.raises(TypeError, match="the cluster has no method list: implement list, watch"):
        kind(controllers, object())
    with pytest.raises(TypeError, match="no method send"):
        kind(controllers, SimpleNamespace(list=list, watch=list))


def test_a_list_as_a_whole_in_place_of_its_items_is_logged(
    driven: Driven, caplog: pytest.LogCaptureFixture
) -> None:
    driven.cluster.jobs = {"items": [job()]}  # type: ignore[assignment]
    with driven:
        driven.until(lambda: driven.cluster.lists.count("jobs") == 2)
    assert any('received dict; pass its "items"' in record.message for record in caplog.records)


@pytest.mark.parametrize(
    ("end", "logged"),
    [
        (None, None),
        (ConnectionError("reset"), "ConnectionError: reset"),
        (("ERROR", {"code": 410}), "the server ended the watch: {'code': 410}"),
        (("ADDED",), "ValueError: not enough values to unpack"),
    ],
)
def test_a_watch_that_breaks_is_listed_again(
    driven: Driven, caplog: pytest.LogCaptureFixture, end: Any, logged: str | None
) -> None:
    driven.cluster.at_list = {"pods": [("BOOKMARK", {}), end]}
    with driven:
        driven.until(lambda: driven.cluster.lists.count("pods") == 2)
    assert driven.cluster.lists.count("jobs") == 1, "other watches go on"
    warnings = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert len(warnings) == (0 if logged is None else 1)
    assert logged is None or logged in warnings[0]


def test_a_list_that_breaks_off_begins_again(driven: Driven) -> None:
    readers: list[threading.Thread] = []

    def broken() -> Iterator[Any]:
        readers.append(threading.current_thread())
        yield job("half")
        raise ConnectionError("reset")

    driven.cluster.jobs = broken()  # type: ignore[assignment]
    with driven:
        driven.until(lambda: driven.cluster.lists.count("jobs") == 1)
        driven.cluster.jobs = [job()]
        driven.until(lambda: POST in driven.cluster.sent)
    assert driven.cluster.lists == ["cronjobs", "jobs", "jobs", "pods"]
    assert all(plan.object.name == "pi" for plan in driven.plans)
    blocking = not isinstance(driven.cluster, AsyncFakeCluster)
    assert (driven.thread not in readers) == blocking, "reading must not hold up the loop"


def test_events_of_a_watch_are_handled(driven: Driven) -> None:
    driven.cluster.jobs = []
    # More than may wait between a watch's thread and the loop.
    bookmarks = [("BOOKMARK", {})] * 300
    driven.cluster.at_list = {"jobs": [*bookmarks, ("ADDED", written(job(), "2"))]}
    with driven:
        driven.until(lambda: POST in driven.cluster.sent)


def test_a_malformed_object_is_logged_once_and_the_loop_goes_on(
    driven: Driven, caplog: pytest.LogCaptureFixture
) -> None:
    broken = written({**job("broken"), "spec": 7}, "2")
    driven.cluster.jobs = []
    events = [("ADDED", broken), ("MODIFIED", broken), ("ADDED", written(job(), "3"))]
    driven.cluster.at_list = {"jobs": events}
    with caplog.at_level(logging.ERROR, "jobsmith"), driven:
        driven.until(lambda: POST in driven.cluster.sent)
    assert [record.message.count("default/broken is malformed") for record in caplog.records] == [1]


def test_everything_is_listed_again_after_a_trap(driven: Driven) -> None:
    with driven:
        driven.until(lambda: PUT in driven.cluster.sent)
        before = len(driven.cluster.sent)
        trap(driven.controllers)
        driven.cluster.events["pods"].put(("BOOKMARK", {}))
        driven.cluster.events["jobs"].put(("MODIFIED", job()))
        driven.until(lambda: len(driven.cluster.lists) == 6)
        driven.until(lambda: len(driven.cluster.sent) > before)


def test_what_is_under_way_at_a_trap_is_not_reported(driven: Driven) -> None:
    def answer(command: Command) -> tuple[int, Any]:
        driven.cluster.answers = {}
        trap(driven.controllers)
        return 201, command.body

    driven.cluster.answers = {Method.POST: answer}  # type: ignore[dict-item]
    with driven:
        driven.until(lambda: driven.cluster.sent.count(PUT) == 2)
    assert driven.cluster.sent[:4] == [POST, PUT, POST, PUT]
    assert len(driven.cluster.lists) == 6


def test_controllers_begin_with_a_restart(driven: Driven) -> None:
    list_all(driven.controllers, job())
    assert any(plan.batches for plan in driven.controllers.plans()), "their outcomes stay unknown"
    with driven:
        driven.until(lambda: PUT in driven.cluster.sent)


def test_a_pause_ends_when_the_loop_is_stopped() -> None:
    for cluster in (FakeCluster(), AsyncFakeCluster()):
        driven = Driven(cluster, pause=3600)
        with driven:
            driven.until(lambda driven=driven: PUT in driven.cluster.sent)
            trap(driven.controllers)
            driven.cluster.events["jobs"].put(("MODIFIED", job()))
            driven.cluster.events["pods"].put(None)
            time.sleep(0.1)


def test_a_request_that_hangs_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_FINISHING", 0.2)
    driven = Driven(FakeCluster())
    released = threading.Event()
    driven.cluster.answers = {Method.POST: lambda _: released.wait(30)}  # type: ignore[dict-item]
    with driven:
        driven.until(lambda: POST in driven.cluster.sent)
        began = time.monotonic()
        driven.loop.stop()
        driven.thread.join(20)
        assert 0.1 < time.monotonic() - began < 10
    released.set()


def test_a_loop_runs_once_and_not_on_closed_controllers(driven: Driven) -> None:
    with driven:
        driven.until(lambda: PUT in driven.cluster.sent)
        for _ in range(2):
            with pytest.raises(UsageError, match="has run already"):
                run(driven.loop)
        driven.cluster.events["jobs"].put(("ADDED", written(job("other"), "2")))
        driven.until(lambda: (Method.PUT, "default/jobs/other/status") in driven.cluster.sent)
    driven.loop.stop()
    with pytest.raises(UsageError, match="has run already"):
        run(driven.loop)
    driven.controllers.close()
    with pytest.raises(UsageError, match="closed"):
        run(type(driven.loop)(driven.controllers, driven.cluster))


def run(loop: Any) -> None:
    """Runs either loop on this thread."""
    asyncio.run(loop.run()) if isinstance(loop, AsyncLoop) else loop.run()


def written(object: dict[str, Any], version: str) -> dict[str, Any]:
    """An object that was written after the list, which has the version 1."""
    return {**object, "metadata": {**object["metadata"], "resourceVersion": version}}


def codes(plan: Plan) -> list[str]:
    return [decision.code for decision in plan.decisions]

"""The loop of the contract: what a cluster shows goes in, and what the controllers plan is sent.

Docs: ``crates/component/wit/controllers.wit``, "What a host does". This is the loop for asyncio;
``threads.py`` runs the same one for clusters whose methods block.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from . import times
from .cluster import AsyncCluster, check, outcome, unanswered
from .controllers import Controllers, Json
from .errors import Lost, Malformed, UsageError
from .notices import recording
from .sentences import sentence
from .types import (
    ApiResource,
    Command,
    Notice,
    Outcome,
    OutcomeDone,
    OutcomeFailed,
    OutcomeSkipped,
    Plan,
    RoleRoutine,
    RoleWait,
    Timestamp,
)

logger = logging.getLogger("jobsmith")

_FINISHING = 4.0
"""For how many seconds requests that are under way are waited for in the end."""
_WAITING = 1000
"""How many Events may wait to be recorded, and how many malformed objects are remembered."""


def log(plan: Plan) -> None:
    """Logs what a plan decides; what it waits for and what is routine, only for debugging."""
    for decision in plan.decisions:
        level = logging.DEBUG if isinstance(decision.role, RoleRoutine | RoleWait) else logging.INFO
        if logger.isEnabledFor(level):
            where = f"{plan.object.kind} {plan.object.namespace}/{plan.object.name}"
            logger.log(level, "%s: %s: %s", where, decision.code, sentence(decision))


class AsyncLoop:
    """Drives controllers on a cluster, until it is stopped or cancelled. It runs only once.

    The controllers begin with a restart. While the loop runs, nothing else may hand events to them.
    ``decided`` is called with each plan before it is carried out; what it raises ends the loop. At
    most ``plans`` are under way at once, and ``requests`` requests. ``pause`` is for how many
    seconds the loop waits before it lists again, after a watch that broke or an instance that was
    lost. What the cluster raises is logged, with a traceback unless it is an ``OSError``.
    """

    def __init__(
        self,
        controllers: Controllers,
        cluster: AsyncCluster,
        *,
        decided: Callable[[Plan], None] = log,
        plans: int = 100,
        requests: int = 50,
        pause: float = 1.0,
        clock: Callable[[], Timestamp] = times.current,
    ) -> None:
        check(cluster)
        self.controllers = controllers
        self.cluster = cluster
        self._decided = decided
        self._most_plans = plans
        self._most_requests = requests
        self._pause = pause
        self._clock = clock
        self._begun = False
        self._stopped = False
        self._event_loop: asyncio.AbstractEventLoop | None = None
        self._known_malformed: set[str] = set()

    def stop(self) -> None:
        """Ends ``run`` after the requests under way, 4 s at the most. Any thread may call it."""
        self._stopped = True
        if event_loop := self._event_loop:
            # It may be closed at this very moment.
            with suppress(RuntimeError):
                event_loop.call_soon_threadsafe(self._changed.set)

    async def run(self) -> None:
        """Lists, watches, carries out plans and waits, until it is stopped.

        Raises :class:`UsageError` if it has run before, or the controllers are closed.
        """
        if self._begun:
            raise UsageError("the loop has run already: make another one with AsyncLoop or Loop")
        self._begun = True
        self._changed = asyncio.Event()
        self._places = asyncio.Semaphore(self._most_requests)
        self._event_loop = asyncio.get_running_loop()
        self._recording: set[asyncio.Task[None]] = set()
        try:
            while not self._stopped:
                try:
                    self.controllers.restart()
                    await self._drive()
                except Lost as lost:
                    logger.error("%s; listing everything again in %s s", lost, self._pause)
                    self._changed.clear()
                    if not self._stopped:
                        await self._wait(self._pause)
        finally:
            self._event_loop = None
            for task in self._recording:
                task.cancel()

    async def _drive(self) -> None:
        """Drives one instance until it is lost."""
        self._resources = self.controllers.resources()
        following = self._follow_all()
        executing: set[asyncio.Task[None]] = set()
        try:
            while not self._stopped:
                self._changed.clear()
                while len(executing) < self._most_plans:
                    plan = self.controllers.next_plan(self._clock())
                    if plan is None:
                        break
                    self._decided(plan)
                    self._record(plan.notices)
                    if any(plan.batches):
                        executing.add(self._begin(self._execute(plan)))
                busy = len(executing) >= self._most_plans
                await self._wait(None if busy else self._idle())
                for task in [task for task in following | executing if task.done()]:
                    executing.discard(task)
                    task.result()
        finally:
            for task in following:
                task.cancel()
            if executing:
                await asyncio.wait(executing, timeout=_FINISHING)
            for task in executing:
                task.cancel()
            await asyncio.gather(*following, *executing, return_exceptions=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        task.add_done_callback(lambda _: self._changed.set())
        return task

    async def _wait(self, seconds: float | None) -> None:
        """Waits until something has changed, but no longer than this."""
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    def _idle(self) -> float | None:
        """For how many seconds nothing is due; ``None``: forever."""
        wakeup = self.controllers.wakeup()
        if wakeup is None:
            return None
        left = times.to_nanoseconds(wakeup.at) - times.to_nanoseconds(self._clock())
        return max(left / 1e9, 0)

    def _follow_all(self) -> set[asyncio.Task[None]]:
        """Follows each resource, and begins when the one before it has been listed."""
        tasks = set()
        turn = asyncio.Event()
        turn.set()
        for resource in self._resources:
            listed = asyncio.Event()
            tasks.add(self._begin(self._follow(resource, turn, listed)))
            turn = listed
        return tasks

    async def _follow(
        self, resource: ApiResource, turn: asyncio.Event, listed: asyncio.Event
    ) -> None:
        """Lists and watches a resource, and lists it again when the watch breaks."""
        await turn.wait()
        while True:
            try:
                objects, version = await self.cluster.list(resource)
                self._take(self.controllers.listed, resource, objects, version)
                listed.set()
                async for type, object in self.cluster.watch(resource, version):
                    self._see(resource, type, object)
                    # Plans are made between the events of a busy watch, too.
                    await asyncio.sleep(0)
                logger.info("%s: the watch has ended; listing again", resource.plural)
            except (Lost, UsageError):
                raise
            except Exception as error:
                logger.warning(
                    "%s: %s; listing again in %s s",
                    resource.plural,
                    _reason(error),
                    self._pause,
                    exc_info=_traceback(error),
                )
            await asyncio.sleep(self._pause)

    def _see(self, resource: ApiResource, type: str, object: Json) -> None:
        """Handles an event of a watch."""
        match type:
            case "ADDED" | "MODIFIED":
                self._take(self.controllers.applied, resource, object)
            case "DELETED":
                self._take(self.controllers.deleted, resource, object)
            case "ERROR":
                raise ConnectionError(f"the server ended the watch: {object!r}")

    def _take(self, handle: Callable[..., None], *arguments: Any) -> None:
        """Hands something over, and logs once if there is a malformed object in it."""
        try:
            handle(*arguments, now=self._clock())
        except Malformed as malformed:
            text = str(malformed)
            if text not in self._known_malformed:
                if len(self._known_malformed) >= _WAITING:
                    self._known_malformed.clear()
                self._known_malformed.add(text)
                logger.error("%s; ignoring it until it changes", text)
        self._changed.set()

    async def _execute(self, plan: Plan) -> None:
        """Carries out a plan: batches one after the other, the commands of a batch in parallel."""
        outcomes: list[Outcome] = []
        went_well: list[bool] = []
        for batch in plan.batches:
            before = tuple(went_well)
            came = await asyncio.gather(*(self._send_after(before, command) for command in batch))
            outcomes += came
            went_well += map(succeeded, batch, came)
        self.controllers.finished(plan, outcomes, self._clock())

    async def _send_after(self, before: Sequence[bool], command: Command) -> Outcome:
        """Sends a command, unless one that it depends on did not succeed."""
        return await self._send(command) if may_run(command, before) else OutcomeSkipped()

    async def _send(self, command: Command) -> Outcome:
        async with self._places:
            try:
                return outcome(*await self.cluster.send(command))
            except Exception as error:
                logger.warning(
                    "%s %s: %s",
                    command.method.name,
                    command.path,
                    _reason(error),
                    exc_info=_traceback(error),
                )
                return unanswered(error)

    def _record(self, notices: list[Notice]) -> None:
        """Records Kubernetes Events; what is too much or fails is dropped."""
        for notice in notices[: _WAITING - len(self._recording)]:
            command = recording(notice, self._resources, self._clock())
            task = asyncio.ensure_future(self._record_one(command))
            self._recording.add(task)
            task.add_done_callback(self._recording.discard)

    async def _record_one(self, command: Command) -> None:
        if isinstance(failed := await self._send(command), OutcomeFailed):
            logger.debug("cannot record an Event: %s", failed.value.message)


def may_run(command: Command, before: Sequence[bool]) -> bool:
    """Whether all that a command depends on succeeded.

    ``before`` has, for each command of the batches before its own, whether that one did.
    """
    if command.after is None:
        return all(before)
    return command.after < len(before) and before[command.after]


def succeeded(command: Command, outcome: Outcome) -> bool:
    """Whether the outcome of a command lets those that depend on it run."""
    match outcome:
        case OutcomeDone():
            return True
        case OutcomeFailed(error):
            return error.code in command.tolerates
        case _:
            return False


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _traceback(error: Exception) -> Exception | None:
    """What to log with a traceback: network trouble is not a bug in the cluster."""
    return None if isinstance(error, OSError) else error

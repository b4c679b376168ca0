"""The loop for clusters whose methods block: each watch and each request has a thread.

Docs: ``loop.py``, whose loop it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Semaphore, Thread

from . import times
from .cluster import Cluster, Listed, Response, WatchEvent, check
from .controllers import Controllers, items
from .loop import AsyncLoop, log
from .types import ApiResource, Command, Plan, Timestamp

_AHEAD = 100
"""How many events of a watch may wait; the watch waits with the rest."""


class Loop:
    """Drives controllers on a cluster, until it is stopped. It runs only once.

    Its options are those of :class:`AsyncLoop`.
    """

    def __init__(
        self,
        controllers: Controllers,
        cluster: Cluster,
        *,
        decided: Callable[[Plan], None] = log,
        plans: int = 100,
        requests: int = 50,
        pause: float = 1.0,
        clock: Callable[[], Timestamp] = times.current,
    ) -> None:
        check(cluster)
        self._loop = AsyncLoop(
            controllers,
            _Blocking(cluster, requests),
            decided=decided,
            plans=plans,
            requests=requests,
            pause=pause,
            clock=clock,
        )

    def run(self) -> None:
        """Lists, watches, carries out plans and waits, until it is stopped.

        Raises :class:`UsageError` if it has run before, or the controllers are closed.
        """
        asyncio.run(self._loop.run())

    def stop(self) -> None:
        """Ends ``run`` after the requests under way, 4 s at the most. Any thread may call it."""
        self._loop.stop()


class _Blocking:
    """A cluster whose methods block, as one for asyncio."""

    def __init__(self, cluster: Cluster, requests: int) -> None:
        self._cluster = cluster
        self._pool = ThreadPoolExecutor(requests, thread_name_prefix="jobsmith")

    async def list(self, resource: ApiResource) -> Listed:
        def read() -> Listed:
            # The objects may be a generator that waits for the server.
            objects, version = self._cluster.list(resource)
            return items(objects), version

        return await asyncio.get_running_loop().run_in_executor(self._pool, read)

    async def send(self, command: Command) -> Response:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._cluster.send, command)

    async def watch(self, resource: ApiResource, version: str) -> AsyncIterator[WatchEvent]:
        """Watches on a thread. It is a daemon, as it may wait for an event when the loop ends."""
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[WatchEvent | Exception | None] = asyncio.Queue()
        room = Semaphore(_AHEAD)
        abandoned = False

        def put(event: WatchEvent | Exception | None) -> None:
            room.acquire()
            if not abandoned:
                loop.call_soon_threadsafe(events.put_nowait, event)

        def read() -> None:
            end: Exception | None = None
            try:
                for event in self._cluster.watch(resource, version):
                    put(event)
                    if abandoned:
                        return
            except Exception as error:
                end = error
            # The loop may be closed at this very moment.
            with suppress(RuntimeError):
                put(end)

        Thread(target=read, name=f"jobsmith-{resource.plural}", daemon=True).start()
        try:
            while (event := await events.get()) is not None:
                room.release()
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            abandoned = True
            # A thread that waits for room goes on, and ends.
            room.release()

"""The loop for clusters whose methods block: each watch and each request has a thread.

Docs: ``loop.py``, whose loop it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import Any

from .cluster import Cluster, Listed, Response, WatchEvent
from .controllers import Controllers
from .loop import AsyncLoop
from .types import ApiResource, Command

_AHEAD = 100
"""How many events of a watch may wait; the watch waits with the rest."""


class Loop:
    """Drives controllers on a cluster, until it is stopped.

    Its options are those of :class:`AsyncLoop`.
    """

    def __init__(
        self, controllers: Controllers, cluster: Cluster, *, requests: int = 50, **options: Any
    ) -> None:
        self._pool = ThreadPoolExecutor(requests, thread_name_prefix="jobsmith")
        blocking = _Blocking(cluster, self._pool)
        self._loop = AsyncLoop(controllers, blocking, requests=requests, **options)

    def run(self) -> None:
        """Lists, watches, carries out plans and waits; returns when it is stopped."""
        try:
            asyncio.run(self._loop.run())
        finally:
            self._pool.shutdown(wait=False)

    def stop(self) -> None:
        """Ends ``run`` after the requests under way, 4 s at the most. Any thread may call it."""
        self._loop.stop()


class _Blocking:
    """A cluster whose methods block, as one for asyncio."""

    def __init__(self, cluster: Cluster, pool: ThreadPoolExecutor) -> None:
        self._cluster = cluster
        self._pool = pool

    async def list(self, resource: ApiResource) -> Listed:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._cluster.list, resource)

    async def send(self, command: Command) -> Response:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._cluster.send, command)

    async def watch(self, resource: ApiResource, version: str) -> AsyncIterator[WatchEvent]:
        """Watches on a thread. It is a daemon, as it may wait for an event when the loop ends."""
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[WatchEvent | Exception | None] = asyncio.Queue(_AHEAD)

        def put(event: WatchEvent | Exception | None) -> None:
            asyncio.run_coroutine_threadsafe(events.put(event), loop).result()

        def read() -> None:
            try:
                for event in self._cluster.watch(resource, version):
                    if abandoned:
                        return
                    put(event)
                put(None)
            except Exception as error:
                if not abandoned:
                    put(error)

        abandoned = False
        Thread(target=read, name=f"jobsmith-{resource.plural}", daemon=True).start()
        try:
            while (event := await events.get()) is not None:
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            abandoned = True
            # A thread that waits to put one more event goes on, and ends.
            while not events.empty():
                events.get_nowait()

"""What the loop needs of a cluster: three methods, with threads or with asyncio.

Docs: Kubernetes API Concepts, "Efficient detection of changes". ``loop.py`` calls them.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Protocol, TypeAlias

from .controllers import Json
from .types import (
    ApiError,
    ApiResource,
    Cause,
    Command,
    ContentType,
    Outcome,
    OutcomeDone,
    OutcomeFailed,
    Written,
)

Listed: TypeAlias = tuple[Iterable[Json], str]
"""The items of a list and its ``metadata.resourceVersion``."""
WatchEvent: TypeAlias = tuple[str, Json]
"""The ``type`` of a watch event and its ``object``: ``("ADDED", {…})``."""
Response: TypeAlias = tuple[int, Json | None]
"""The HTTP status and the body of an answer."""


class Cluster(Protocol):
    """A cluster whose methods block. The loop calls them on threads of its own.

    Give ``list`` and ``send`` a time limit: the program does not exit while one of them waits.
    """

    def list(self, resource: ApiResource) -> Listed:
        """Lists all objects of a resource."""

    def watch(self, resource: ApiResource, version: str) -> Iterator[WatchEvent]:
        """Shows changes from a resource version on. When it ends, the resource is listed again."""

    def send(self, command: Command) -> Response:
        """Sends a request. An exception means that it is unknown whether it took effect."""


class AsyncCluster(Protocol):
    """A cluster for asyncio, with the same three methods."""

    async def list(self, resource: ApiResource) -> Listed:
        """Lists all objects of a resource."""

    def watch(self, resource: ApiResource, version: str) -> AsyncIterator[WatchEvent]:
        """Shows changes from a resource version on. When it ends, the resource is listed again."""

    async def send(self, command: Command) -> Response:
        """Sends a request. An exception means that it is unknown whether it took effect."""


def check(cluster: object) -> None:
    """Raises ``TypeError`` if a cluster lacks a method."""
    for method in ("list", "watch", "send"):
        if not callable(getattr(cluster, method, None)):
            raise TypeError(f"the cluster has no method {method}: implement list, watch and send")


def media_type(content_type: ContentType) -> str:
    """The value of the header ``Content-Type``, which a ``PATCH`` must have."""
    if content_type is ContentType.JSON:
        return "application/json"
    return f"application/{content_type.value}+json"


def outcome(status: int, body: Json | None) -> Outcome:
    """What an answer of the API server means for the command that was sent."""
    content = _parsed(body)
    if 200 <= status < 300:
        metadata = content.get("metadata") or {}
        return OutcomeDone(
            Written(
                name=metadata.get("name", ""),
                uid=metadata.get("uid", ""),
                resource_version=metadata.get("resourceVersion", ""),
                deleting="deletionTimestamp" in metadata,
            )
        )
    causes = [
        Cause(cause.get("reason", ""), cause.get("field", ""), cause.get("message", ""))
        for cause in (content.get("details") or {}).get("causes") or []
    ]
    return OutcomeFailed(
        ApiError(status, content.get("reason", ""), content.get("message", ""), causes)
    )


def unanswered(error: Exception) -> OutcomeFailed:
    """What it means for a command that no answer came."""
    return OutcomeFailed(ApiError(0, "", f"{type(error).__name__}: {error}", []))


def _parsed(body: Json | None) -> Any:
    if isinstance(body, (str, bytes)):
        try:
            body = json.loads(body)
        except ValueError:
            return {"message": str(body)[:500]}
    return body if isinstance(body, dict) else {}

"""The controllers: events in, plans out.

Docs: ``crates/component/wit/controllers.wit``. Who lists, watches and carries out plans is in
``loop.py``; the values are in ``types.py``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from threading import RLock
from typing import Any, TypeAlias

from . import times
from .component import Component, Instance
from .errors import ConfigError, Lost, Malformed, NoExplanation, UsageError
from .rules import Rules
from .schema import Err
from .types import (
    ApiResource,
    ChangeApplied,
    ChangeDeleted,
    DecisionKind,
    Event,
    EventChanged,
    EventFinished,
    EventListed,
    Explanation,
    Family,
    Listing,
    Object,
    ObjectRef,
    Outcome,
    Part,
    Plan,
    Report,
    Timestamp,
    Versions,
    Wakeup,
)

Time: TypeAlias = Timestamp | datetime | None
"""A time; ``None`` is that of this machine's clock."""
Json: TypeAlias = Mapping[str, Any] | str | bytes
"""An object: a ``dict`` or its JSON text, which is handed over as it is."""


class Controllers:
    """One controller manager. It does no IO and has no clock: it plans, and its host acts.

    All methods may be called from any thread; one call waits for the other. ``now`` may go
    backwards, which makes waits longer. After :class:`Lost` only :meth:`restart` and :meth:`close`
    are of use.
    """

    def __init__(
        self,
        config: Mapping[str, Any] | str | None = None,
        *,
        component: bytes | str | os.PathLike[str] | None = None,
        **sections: Any,
    ) -> None:
        """Makes an instance of the bundled component, or of another one that exports its interface.

        The configuration is a mapping, JSON text or its sections as keywords, as in
        ``Controllers(ttl={"defaultTtl": "1h"})``. Raises :class:`ConfigError` if it is refused.
        """
        self._lock = RLock()
        self._component = Component.load(component)
        self._config = _configuration(config, sections)
        self._instance: Instance | None = None
        self._closed = False
        self.restart()

    def __enter__(self) -> Controllers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the instance. Every other call raises :class:`UsageError` from then on."""
        with self._lock:
            self._closed = True
            self._drop()

    def restart(self) -> None:
        """Makes another instance with the same configuration: it knows nothing, so list again.

        Plans of the instance before are void: their outcomes are refused.
        """
        with self._lock:
            self._refuse_closed()
            self._drop()
            self._start(self._config)

    def configure(self, config: Mapping[str, Any] | str | None = None, **sections: Any) -> None:
        """Changes the configuration and forgets everything else, as :meth:`restart` does.

        Raises :class:`ConfigError` if the component refuses it: then everything is as it was.
        """
        with self._lock:
            self._refuse_closed()
            text, before = _configuration(config, sections), self._instance
            self._start(text)
            self._config = text
            if before:
                before.close()

    def resources(self) -> list[ApiResource]:
        """What to list and watch, in the order in which to list it."""
        return self._call("resources")

    def listed(
        self,
        resource: ApiResource | str,
        objects: Iterable[Json],
        version: str,
        part: Part = Part.WHOLE,
        now: Time = None,
    ) -> None:
        """Handles a list of a resource, or a part of one, with the list's ``resourceVersion``.

        Raises :class:`Malformed` for the first malformed object; all others are taken in.
        Raises ``TypeError`` if ``objects`` is text or a mapping: pass the ``items`` of a list.
        """
        texts = [_text(object) for object in items(objects)]
        listing = Listing(_kind(resource), part, version, texts)
        self.handle(EventListed(listing), now)

    def applied(self, resource: ApiResource | str, object: Json, now: Time = None) -> None:
        """Handles an object that a watch showed as added or modified."""
        self.handle(EventChanged(ChangeApplied(Object(_kind(resource), _text(object)))), now)

    def deleted(self, resource: ApiResource | str, object: Json, now: Time = None) -> None:
        """Handles an object that a watch showed as deleted, in its last state."""
        self.handle(EventChanged(ChangeDeleted(Object(_kind(resource), _text(object)))), now)

    def handle(self, event: Event, now: Time = None) -> None:
        """Handles any event. Raises :class:`Malformed` if an object in it is malformed."""
        with self._lock:
            self._refuse_unusable()
            self._rules.check(event)
            answer = self._call("handle", event, _timestamp(now))
            # A list with a malformed object in it is a list, too.
            self._rules.record(event)
        if isinstance(answer, Err):
            error = answer.value
            raise Malformed(error.kind, error.name, error.reason)

    def next_plan(self, now: Time = None) -> Plan | None:
        """The next plan that is due; ``None`` if there is no more to do at this time."""
        with self._lock:
            plan: Plan | None = self._call("next-plan", _timestamp(now))
            if plan:
                self._rules.handed_out(plan)
            return plan

    def plans(self, now: Time = None) -> Iterator[Plan]:
        """All plans that are due, one after the other."""
        while plan := self.next_plan(now):
            yield plan

    def finished(self, plan: Plan, outcomes: Sequence[Outcome], now: Time = None) -> None:
        """Reports what came of a plan: one outcome for each command, batch by batch.

        ``plan`` is the very object that was handed out, not a copy. A plan without commands is over
        when it is handed out; there is nothing to report of it.
        """
        with self._lock:
            self._refuse_unusable()
            self._rules.check_plan(plan, len(outcomes))
            if any(plan.batches):
                self.handle(EventFinished(Report(plan.id, list(outcomes))), now)

    def wakeup(self) -> Wakeup | None:
        """When to ask for plans again if nothing else happens; ``None``: never."""
        return self._call("next-wakeup")

    def explain(
        self, object: ObjectRef, now: Time = None, warnings: list[str] | None = None
    ) -> Explanation:
        """What an object is stuck on, what is decided about it now, and what comes next.

        Changes nothing. ``warnings`` are Events of type ``Warning`` about it and about objects that
        belong to it, in JSON, if you have read them.
        Raises :class:`NoExplanation` if no controller knows it, or something is not listed yet.
        """
        answer = self._call("explain", object, warnings or [], _timestamp(now))
        if isinstance(answer, Err):
            raise NoExplanation(answer.value)
        return answer.value

    def metrics(self, now: Time = None) -> list[Family]:
        """All that was counted since the instance was made."""
        return self._call("metrics", _timestamp(now))

    def decision_kinds(self) -> list[DecisionKind]:
        """All kinds of decisions that there are, with their pages of the documentation."""
        return self._call("decision-kinds")

    def about(self) -> Versions:
        """What the component is, and what it follows."""
        return self._call("about")

    def _start(self, config: str) -> None:
        instance = Instance(self._component)
        answer = instance.call("configure", config)
        if isinstance(answer, Err):
            instance.close()
            raise ConfigError(answer.value)
        self._instance = instance
        self._rules = Rules(instance.call("resources"))

    def _call(self, name: str, *arguments: Any) -> Any:
        with self._lock:
            try:
                return self._refuse_unusable().call(name, *arguments)
            except Lost:
                self._drop()
                raise

    def _drop(self) -> None:
        if self._instance is not None:
            self._instance.close()
            self._instance = None

    def _refuse_closed(self) -> None:
        if self._closed:
            raise UsageError("these controllers are closed: create new ones with Controllers(…)")

    def _refuse_unusable(self) -> Instance:
        self._refuse_closed()
        if self._instance is None:
            raise Lost("the instance was lost: call restart() and list everything again")
        return self._instance


def _configuration(config: Mapping[str, Any] | str | None, sections: Mapping[str, Any]) -> str:
    if isinstance(config, str):
        if sections:
            raise UsageError("a configuration is either text or sections, not both")
        return config
    return json.dumps({**(config or {}), **sections})


def _kind(resource: ApiResource | str) -> str:
    return resource if isinstance(resource, str) else resource.kind


def items(objects: Iterable[Json]) -> list[Json]:
    """The objects of a list. Raises ``TypeError`` for text or a mapping."""
    if isinstance(objects, (str, bytes, bytearray, Mapping)):
        hint = '; pass its "items"' if isinstance(objects, Mapping) else ""
        raise TypeError(f"objects: expected a list, received {type(objects).__name__}{hint}")
    return list(objects)


def _text(object: Json) -> str:
    match object:
        case str():
            return object
        case bytes():
            return object.decode(errors="replace")
        case _:
            return json.dumps(object, ensure_ascii=False, separators=(",", ":"))


def _timestamp(now: Time) -> Timestamp:
    at = times.current() if now is None else now
    if isinstance(at, datetime):
        at = times.from_datetime(at)
    return times.in_range(at)

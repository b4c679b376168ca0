"""What a program has to keep to, checked before the component would trap or misunderstand a call.

Docs: ``crates/component/wit/controllers.wit``, ``event``, ``part`` and ``plan``.
"""

from __future__ import annotations

from collections.abc import Iterable

from .errors import UsageError
from .types import (
    ApiResource,
    Event,
    EventChanged,
    EventFinished,
    EventListed,
    Listing,
    Part,
    Plan,
    Report,
)


class Rules:
    """What one instance watches, which lists have begun, and which plans are not finished."""

    def __init__(self, resources: Iterable[ApiResource]) -> None:
        self._kinds = [resource.kind for resource in resources]
        self._begun: set[str] = set()
        """The kinds whose list has begun and not ended."""
        self._open: dict[int, Plan] = {}
        """The plans that have commands and no outcomes."""
        self._last = -1
        """The largest number of a plan so far: plans are numbered in ascending order."""

    def handed_out(self, plan: Plan) -> None:
        """Remembers a plan until it is finished, unless it is over already."""
        self._last = max(self._last, plan.id)
        if any(plan.batches):
            self._open[plan.id] = plan

    def check_plan(self, plan: Plan, outcomes: int) -> None:
        """Refuses a plan of another instance, and outcomes that are not one for each command."""
        if self._open.get(plan.id, plan) is not plan:
            raise _not_in_flight(plan.id)
        _refuse_count(plan, outcomes)

    def check(self, event: Event) -> None:
        """Refuses an event that breaks a rule."""
        match event:
            case EventChanged(change):
                self._check_kind(change.value.kind)
            case EventListed(listing):
                self._check_listing(listing)
            case EventFinished(report):
                self._check_report(report)

    def record(self, event: Event) -> None:
        """Remembers an event that was handled."""
        match event:
            case EventListed(listing) if listing.part is Part.FIRST:
                self._begun.add(listing.kind)
            case EventListed(listing) if listing.part in (Part.LAST, Part.WHOLE):
                self._begun.discard(listing.kind)
            case EventFinished(report):
                del self._open[report.plan]

    def _check_kind(self, kind: str) -> None:
        if kind not in self._kinds:
            kinds = ", ".join(self._kinds)
            raise UsageError(f"the controllers do not watch {kind}: resources() names {kinds}")

    def _check_listing(self, listing: Listing) -> None:
        self._check_kind(listing.kind)
        if listing.part in (Part.MIDDLE, Part.LAST) and listing.kind not in self._begun:
            raise UsageError(
                f"the list of {listing.kind} has not begun: hand over Part.FIRST before"
                f" Part.{listing.part.name}"
            )

    def _check_report(self, report: Report) -> None:
        if plan := self._open.get(report.plan):
            _refuse_count(plan, len(report.outcomes))
        elif report.plan <= self._last:
            raise UsageError(f"plan {report.plan} is finished already: report each plan once")
        else:
            raise _not_in_flight(report.plan)


def _not_in_flight(plan: int) -> UsageError:
    return UsageError(f"plan {plan} is not in flight: report only plans of this instance")


def _refuse_count(plan: Plan, outcomes: int) -> None:
    commands = sum(map(len, plan.batches))
    if outcomes != commands:
        raise UsageError(
            f"plan {plan.id} has {commands} commands and {outcomes} outcomes were reported:"
            " report one for each command, batch by batch"
        )

"""Plans that are handed out and not finished: what is reported of them is checked.

Docs: ``crates/component/wit/controllers.wit``, ``plan``. The component takes a report that it does
not expect in silence, and a program that sends one is wrong.
"""

from __future__ import annotations

from .errors import UsageError
from .types import Plan, Report


class OpenPlans:
    """The plans of one instance that have commands and no outcomes."""

    def __init__(self) -> None:
        self._open: dict[int, Plan] = {}
        self._last = -1

    def open(self, plan: Plan) -> None:
        """Remembers a plan until it is finished, unless it is over already."""
        self._last = max(self._last, plan.id)
        if any(plan.batches):
            self._open[plan.id] = plan

    def check(self, plan: Plan, outcomes: int) -> None:
        """Refuses a plan of another instance, and outcomes that are not one for each command."""
        if (known := self._open.get(plan.id, plan)) is not plan and known != plan:
            raise UsageError(
                f"plan {plan.id} about {plan.object.kind} {plan.object.name} is of an instance that"
                " is gone: drop it, as the next lists show what became of it"
            )
        self._refuse_count(plan, outcomes)

    def check_report(self, report: Report) -> None:
        """Refuses a report of a plan that is not open."""
        if plan := self._open.get(report.plan):
            self._refuse_count(plan, len(report.outcomes))
        elif report.plan <= self._last:
            raise UsageError(f"plan {report.plan} is finished already: report each plan once")
        else:
            raise UsageError(
                f"plan {report.plan} was not handed out: report the plans of next_plan() only"
            )

    def close(self, id: int) -> None:
        """Forgets a plan that is finished."""
        del self._open[id]

    def _refuse_count(self, plan: Plan, outcomes: int) -> None:
        commands = sum(map(len, plan.batches))
        if outcomes != commands:
            raise UsageError(
                f"plan {plan.id} has {commands} commands and {outcomes} outcomes were reported:"
                " report one for each command, batch by batch"
            )

"""Measures the binding, and prints microseconds as JSON: ``bench.py COMPONENT < OBJECTS``.

Docs: ``../README.md``. Each figure is the median of several runs.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

from jobsmith import Controllers
from jobsmith.types import Plan


def measured(runs: int, run: Callable[[], Any], prepare: Callable[[], Any] = lambda: None) -> float:
    """How many microseconds a run takes after its preparation."""
    times = []
    for _ in range(runs):
        prepare()
        began = time.perf_counter_ns()
        run()
        times.append((time.perf_counter_ns() - began) / 1000)
    return median(times)


def main() -> None:
    component = Path(sys.argv[1])
    given = json.load(sys.stdin)
    now = datetime.fromisoformat(given["now"])

    def listed(job: str) -> Controllers:
        controllers = Controllers(component=component, controllers=["job"])
        controllers.listed("Job", [job], "10", now=now)
        controllers.listed("Pod", [], "10", now=now)
        return controllers

    load = measured(1, lambda: listed(given["job"]))
    controllers = listed(given["job"])
    pods = iter(given["pods"])
    event = measured(len(given["pods"]), lambda: controllers.applied("Pod", next(pods), now))
    plan: Plan | None = None

    def prepare() -> None:
        nonlocal controllers
        controllers = listed(given["large"])

    def take() -> None:
        nonlocal plan
        plan = controllers.next_plan(now)

    took = measured(20, take, prepare)
    commands = sum(map(len, plan.batches)) if plan else 0
    print(json.dumps({"load": load, "event": event, "plan": took, "commands": commands}))


if __name__ == "__main__":
    main()

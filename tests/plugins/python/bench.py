"""Measures the binding: loading, one event, one large plan. Prints microseconds as JSON.

Docs: ``README.md`` beside this file. Each figure is the median of its runs.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import wasmtime.component
from jobsmith import Controllers
from jobsmith.component import BUNDLED, Component, Instance
from jobsmith.types import Timestamp
from wasmtime import Engine

from conftest import job, list_all, pod, text_of

NOW = Timestamp(1_790_000_000, 0)


def measured(
    runs: int, run: Callable[..., Any], prepare: Callable[[], Any] = lambda: None
) -> float:
    """How many microseconds a run takes after its preparation."""
    times = []
    for _ in range(runs):
        prepare()
        began = time.perf_counter_ns()
        run()
        times.append((time.perf_counter_ns() - began) / 1000)
    return round(median(times), 1)


def main() -> None:
    binary = BUNDLED.read_bytes()
    component = Component(binary)
    controllers = Controllers()
    text = text_of(pod("pi-x"), 1600)
    list_all(controllers, job(), now=NOW)
    figures = {
        "compile_us": measured(3, lambda: wasmtime.component.Component(Engine(), binary)),
        "load_from_cache_us": measured(5, lambda: Component(binary)),
        "instance_us": measured(100, lambda: Instance(component)),
        "event_1600_bytes_us": measured(5000, lambda: controllers.applied("Pod", text, NOW)),
    }
    wide = job(parallelism=500, completions=500)

    def list_again() -> None:
        controllers.restart()
        list_all(controllers, wide, now=NOW)

    list_again()
    plan = controllers.next_plan(NOW)
    figures["commands"] = sum(map(len, plan.batches)) if plan else 0
    figures["plan_us"] = measured(20, lambda: controllers.next_plan(NOW), list_again)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()

"""Values on their way in and out: types and times that are refused, sentences, and Events.

Docs: ``host/bindings/python/README.md``, "Errors", "Times".
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest
from jobsmith import Controllers, sentence, times
from jobsmith.notices import recording
from jobsmith.types import (
    ApiResource,
    Decision,
    Notice,
    ObjectRef,
    RoleAction,
    TextPartDuration,
    TextPartField,
    TextPartObject,
    TextPartText,
    TextPartTime,
    Timestamp,
)

NOW = Timestamp(1_790_000_000, 1)


def test_times_are_exact() -> None:
    exact = times.from_nanoseconds(-1)
    assert exact == Timestamp(-1, 999_999_999)
    assert times.to_nanoseconds(exact) == -1
    assert times.to_datetime(exact).microsecond == 999_999
    aware = datetime(9999, 12, 30, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=5)))
    assert times.to_datetime(times.from_datetime(aware)) == aware
    with pytest.raises(ValueError, match="has no time zone"):
        times.from_datetime(datetime(2026, 1, 1))
    with pytest.raises(OverflowError):
        times.to_datetime(Timestamp(2**40, 0))


def test_values_of_other_types_are_refused_before_anything_happens(
    controllers: Controllers,
) -> None:
    for wrong, error in (
        (lambda: controllers.next_plan("now"), TypeError),
        (lambda: controllers.next_plan(Timestamp("1", 0)), TypeError),
        (lambda: controllers.next_plan(Timestamp(2**63, 0)), OverflowError),
        (lambda: controllers.next_plan(Timestamp(0, -1)), OverflowError),
        (lambda: controllers.next_plan(Timestamp(0, 10**9)), OverflowError),
        (lambda: controllers.next_plan(Timestamp(1_790_000_000_000, 0)), OverflowError),
        (lambda: controllers.next_plan(datetime.max.replace(tzinfo=timezone.utc)), OverflowError),
        (lambda: controllers.next_plan(datetime(2026, 1, 1)), ValueError),
        (lambda: controllers.applied("Job", {"spec": object()}), TypeError),
        (lambda: controllers.explain({"kind": "Job"}), TypeError),
        (lambda: controllers.explain(ObjectRef("Job", "default", None, "")), TypeError),
    ):
        with pytest.raises(error):
            wrong()
    for edge in (Timestamp(-377_705_023_201, 0), Timestamp(253_402_207_200, 10**9 - 1)):
        assert controllers.next_plan(edge) is None, "the instance lives"


def test_a_sentence_is_written_as_the_controllers_write_it() -> None:
    parts = [
        TextPartObject(ObjectRef("Job", "default", "pi", "")),
        TextPartText(" waits "),
        TextPartDuration(12_340),
        TextPartText(" until "),
        TextPartTime(Timestamp(0, 500_000_000)),
        TextPartText(": "),
        TextPartField("spec.backoffLimit"),
    ]
    words = "pi waits 12.3 s until 1970-01-01T00:00:00.500000Z: backoffLimit"
    assert sentence(Decision("Waits", RoleAction(), parts, [])) == words
    lengths = ((-2_000, "-2 s"), (10**10, "115d17h46m40s"), (-150, "-0.1 s"), (160_500, "2m40.5s"), (-(3_600_000), "-1h"))
    for milliseconds, length in lengths:
        parts = [TextPartDuration(milliseconds)]
        assert sentence(Decision("Waits", RoleAction(), parts, [])) == length


@pytest.mark.parametrize("namespace", ["batch", ""])
def test_a_notice_is_recorded_in_the_namespace_of_its_object(namespace: str) -> None:
    resources = [ApiResource("batch", "v1", "Job", "jobs", True)]
    notice = Notice(ObjectRef("Job", namespace, "pi", "1"), "c", True, "Failed", "It failed")
    command = recording(notice, resources, NOW)
    event = json.loads(command.body)
    expected = namespace or "default"
    assert command.path == f"/api/v1/namespaces/{expected}/events"
    assert event["metadata"]["namespace"] == expected
    assert event["involvedObject"]["namespace"] == namespace
    assert event["involvedObject"]["apiVersion"] == "batch/v1"
    assert (event["type"], event["firstTimestamp"]) == ("Warning", "2026-09-21T14:13:20Z")

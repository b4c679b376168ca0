"""Decisions in words.

Docs: ``crates/component/wit/controllers.wit``, ``decision``. A program that wants links or its own
clock goes through ``decision.sentence`` itself.
"""

from __future__ import annotations

from .times import to_datetime
from .types import (
    Decision,
    TextPart,
    TextPartDuration,
    TextPartField,
    TextPartObject,
    TextPartTime,
    Timestamp,
)


def sentence(decision: Decision) -> str:
    """The decision in words, with times in UTC."""
    return "".join(_words(part) for part in decision.sentence)


def _words(part: TextPart) -> str:
    match part:
        case TextPartTime(at):
            return _time(at)
        case TextPartDuration(milliseconds):
            return _duration(milliseconds)
        case TextPartObject(object):
            return object.name
        case TextPartField(path):
            return path.rpartition(".")[2]
        case _:
            return str(part.value)


def _duration(milliseconds: int) -> str:
    """A length of time: `90 s`, and from two minutes on `2m40s`, `1h`, `1d12h`."""
    sign, left = "-" if milliseconds <= -100 else "", abs(milliseconds) // 100
    if left < 1200:
        return f"{sign}{_seconds(left)} s"
    words = sign
    for unit, tenths in (("d", 864_000), ("h", 36_000), ("m", 600)):
        count, left = divmod(left, tenths)
        words += f"{count}{unit}" if count else ""
    return words + (f"{_seconds(left)}s" if left else "")


def _seconds(tenths: int) -> str:
    return str(tenths / 10).removesuffix(".0")


def _time(at: Timestamp) -> str:
    try:
        return to_datetime(at).isoformat().replace("+00:00", "Z")
    except OverflowError:
        return f"{at.seconds} s after 1970-01-01T00:00:00Z"

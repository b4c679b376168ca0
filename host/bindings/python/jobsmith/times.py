"""Times: between the exact ``Timestamp`` of the contract and Python's ``datetime``.

A ``Timestamp`` has nanoseconds and years beyond 9999, a ``datetime`` has microseconds. So values
keep their ``Timestamp``, and a program converts where microseconds are enough.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta, timezone

from .types import Timestamp

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NANOSECONDS = 1_000_000_000
_FIRST = -377_705_023_201
"""The second -9999-01-02T01:59:59Z, the first one that a component takes."""
_LAST = 253_402_207_200
"""The second 9999-12-30T22:00:00Z, the last one that a component takes."""


def current() -> Timestamp:
    """The time of this machine's clock."""
    return from_nanoseconds(time.time_ns())


def from_nanoseconds(nanoseconds: int) -> Timestamp:
    """The time this many nanoseconds after 1970-01-01T00:00:00Z."""
    return Timestamp(*divmod(nanoseconds, _NANOSECONDS))


def to_nanoseconds(at: Timestamp) -> int:
    """How many nanoseconds after 1970-01-01T00:00:00Z a time is."""
    return at.seconds * _NANOSECONDS + at.nanoseconds


def from_datetime(at: datetime) -> Timestamp:
    """The same time, exactly. Raises ``ValueError`` if it has no time zone."""
    if at.utcoffset() is None:
        raise ValueError(f"{at!r} has no time zone: use datetime.now(timezone.utc)")
    return from_nanoseconds((at - _EPOCH) // timedelta(microseconds=1) * 1000)


def to_datetime(at: Timestamp) -> datetime:
    """The same time in UTC, rounded down to microseconds.

    Raises ``OverflowError`` outside of the years 1 to 9999.
    """
    return _EPOCH + timedelta(seconds=at.seconds, microseconds=at.nanoseconds // 1000)


def in_range(at: Timestamp) -> Timestamp:
    """The same time. Raises ``OverflowError`` if a component would trap on it."""
    match at:
        case Timestamp(int(seconds), int(nanoseconds)):
            if not (_FIRST <= seconds <= _LAST and 0 <= nanoseconds < _NANOSECONDS):
                raise OverflowError(
                    f"{at} is out of range: pass whole seconds from -9999-01-02T01:59:59Z to"
                    " 9999-12-30T22:00:00Z, and less than 1,000,000,000 nanoseconds"
                )
    return at

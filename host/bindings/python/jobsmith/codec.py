"""Converts values between the classes of the generated table and those of wasmtime.

Docs: the Component Model, "Canonical ABI"; ``wasmtime.component``. One converter is made for each
type when it is used for the first time; from then on a value costs a few calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from wasmtime.component import Record as WasmRecord
from wasmtime.component import Variant as WasmVariant

from . import schema

Convert = Callable[[Any], Any]
Cases = list[tuple[str, "schema.Type | None"]]


class Codec:
    """The converters of one interface, made when they are used for the first time."""

    def __init__(self, interface: schema.Interface) -> None:
        self._types = interface.types
        self._lowers: dict[schema.Type, Convert] = {}
        self._lifts: dict[schema.Type, Convert] = {}

    def lower(self, type: schema.Type) -> Convert:
        """The converter of a type on its way into the component."""
        if type not in self._lowers:
            self._lowers[type] = self._make_lower(type)
        return self._lowers[type]

    def lift(self, type: schema.Type) -> Convert:
        """The converter of a type on its way out of the component."""
        if type not in self._lifts:
            self._lifts[type] = self._make_lift(type)
        return self._lifts[type]

    def _make_lower(self, type: schema.Type) -> Convert:
        match type:
            case schema.Primitive(cls):
                return {str: _text, float: _float}.get(cls) or _checked(cls)
            case schema.Integer():
                return _integer(type)
            case schema.List(item):
                return _list_lower(self.lower(item))
            case schema.Tuple(items):
                return _tuple_lower([self.lower(item) for item in items])
            case schema.Option(value):
                lower = self.lower(value)
                if self._tagged([("none", None), ("some", value)]):
                    return lambda value: (
                        WasmVariant("none") if value is None else WasmVariant("some", lower(value))
                    )
                return lambda value: None if value is None else lower(value)
            case schema.Result(ok, err):
                return self._cases_lower([("ok", schema.Ok, ok), ("err", schema.Err, err)])
            case schema.Named(name):
                return self._named_lower(self._types[name])
        raise TypeError(f"{type} is not a type")

    def _make_lift(self, type: schema.Type) -> Convert:
        match type:
            case schema.Primitive() | schema.Integer():
                return _same
            case schema.List(item):
                return _list_lift(self.lift(item))
            case schema.Tuple(items):
                return _tuple_lift([self.lift(item) for item in items])
            case schema.Option(value):
                lift = self.lift(value)
                if self._tagged([("none", None), ("some", value)]):
                    return lambda value: None if value.tag == "none" else lift(value.payload)
                return lambda value: None if value is None else lift(value)
            case schema.Result(ok, err):
                return self._cases_lift(
                    [("ok", schema.Ok, ok), ("err", schema.Err, err)], always=True
                )
            case schema.Named(name):
                return self._named_lift(self._types[name])
        raise TypeError(f"{type} is not a type")

    def _named_lower(self, definition: schema.Definition) -> Convert:
        match definition:
            case schema.Record(cls, fields):
                return _record_lower(
                    cls, [(name, attribute, self.lower(type)) for name, attribute, type in fields]
                )
            case schema.Variant(cases):
                return self._cases_lower(cases)
            case schema.Enumeration(cls):
                checked = _checked(cls)
                return lambda value: checked(value).value

    def _named_lift(self, definition: schema.Definition) -> Convert:
        match definition:
            case schema.Record(cls, fields):
                return _record_lift(cls, [(name, self.lift(type)) for name, _, type in fields])
            case schema.Variant(cases):
                return self._cases_lift(cases)
            case schema.Enumeration(cls):
                return {member.value: member for member in cls}.__getitem__

    def _cases_lower(self, cases: Iterable[tuple[str, type, schema.Type | None]]) -> Convert:
        cases = list(cases)
        tagged = self._tagged([(tag, type) for tag, _, type in cases])
        known = {cls: (tag, self.lower(type) if type else None) for tag, cls, type in cases}

        def lower(value: Any) -> Any:
            try:
                tag, payload = known[type(value)]
            except KeyError:
                names = ", ".join(cls.__name__ for cls in known)
                raise TypeError(f"expected one of {names}, got {type(value).__name__}") from None
            lowered = None if payload is None else payload(value.value)
            return WasmVariant(tag, lowered) if tagged else lowered

        return lower

    def _cases_lift(
        self, cases: Iterable[tuple[str, type, schema.Type | None]], always: bool = False
    ) -> Convert:
        """Lifts a case; with ``always`` a case that carries nothing carries ``None``."""
        cases = list(cases)

        def constructor(cls: type, type: schema.Type | None) -> Convert:
            if type is None:
                return (lambda _: cls(None)) if always else (lambda _: cls())
            lift = self.lift(type)
            return lambda payload: cls(lift(payload))

        if self._tagged([(tag, type) for tag, _, type in cases]):
            by_tag = {tag: constructor(cls, type) for tag, cls, type in cases}
            return lambda value: by_tag[value.tag](value.payload)
        by_class = {
            met: constructor(cls, case) for _, cls, case in cases for met in self._classes(case)
        }
        return lambda value: by_class[type(value)](value)

    def _tagged(self, cases: Cases) -> bool:
        """Whether wasmtime wraps the cases, as the class of a value does not tell its case."""
        met: set[type] = set()
        for _, case in cases:
            classes = self._classes(case)
            if classes & met:
                return True
            met |= classes
        return False

    def _classes(self, case: schema.Type | None) -> set[type]:
        """The classes that values of a type have in wasmtime; nothing is ``None``."""
        match case:
            case None:
                return {type(None)}
            case schema.Primitive(cls):
                return {cls}
            case schema.Integer():
                return {int}
            case schema.List():
                return {list}
            case schema.Tuple():
                return {tuple}
            case schema.Option(value):
                return self._classes_of_cases([("none", None), ("some", value)])
            case schema.Result(ok, err):
                return self._classes_of_cases([("ok", ok), ("err", err)])
            case schema.Named(name):
                match self._types[name]:
                    case schema.Record():
                        return {WasmRecord}
                    case schema.Enumeration():
                        return {str}
                    case schema.Variant(cases):
                        return self._classes_of_cases([(tag, type) for tag, _, type in cases])
        raise TypeError(f"{case} is not a type")

    def _classes_of_cases(self, cases: Cases) -> set[type]:
        if self._tagged(cases):
            return {WasmVariant}
        return set().union(*(self._classes(case) for _, case in cases))


def _same(value: Any) -> Any:
    return value


def _checked(cls: type) -> Convert:
    def lower(value: Any) -> Any:
        if type(value) is not cls:
            raise TypeError(f"expected {cls.__name__}, got {type(value).__name__}")
        return value

    return lower


def _float(value: Any) -> float:
    if type(value) not in (float, int):
        raise TypeError(f"expected float, got {type(value).__name__}")
    return float(value)


def _text(value: Any) -> str:
    """Text that is valid Unicode: a lone surrogate becomes U+FFFD."""
    if not isinstance(value, str):
        raise TypeError(f"expected str, got {type(value).__name__}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return value


def _integer(type_: schema.Integer) -> Convert:
    lowest, highest, name = type_.lowest, type_.highest, type_.name

    def lower(value: Any) -> int:
        if type(value) is not int:
            raise TypeError(f"expected int, got {type(value).__name__}")
        if not lowest <= value <= highest:
            raise OverflowError(f"{value} does not fit into {name}: {lowest} to {highest}")
        return value

    return lower


def _list_lower(lower: Convert) -> Convert:
    def lower_all(values: Any) -> list[Any]:
        if not isinstance(values, (list, tuple)):
            raise TypeError(f"expected list, got {type(values).__name__}")
        return [lower(value) for value in values]

    return lower_all


def _list_lift(lift: Convert) -> Convert:
    if lift is _same:
        return _same
    return lambda values: [lift(value) for value in values]


def _tuple_lower(lowers: list[Convert]) -> Convert:
    def lower_all(values: Any) -> tuple[Any, ...]:
        if not isinstance(values, tuple) or len(values) != len(lowers):
            raise TypeError(f"expected tuple of {len(lowers)}, got {values!r:.80}")
        return tuple(lower(value) for lower, value in zip(lowers, values, strict=True))

    return lower_all


def _tuple_lift(lifts: list[Convert]) -> Convert:
    return lambda values: tuple(lift(value) for lift, value in zip(lifts, values, strict=True))


def _record_lower(cls: type, fields: list[tuple[str, str, Convert]]) -> Convert:
    def lower(value: Any) -> WasmRecord:
        if type(value) is not cls:
            raise TypeError(f"expected {cls.__name__}, got {type(value).__name__}")
        record = WasmRecord()
        members = record.__dict__
        for name, attribute, convert in fields:
            members[name] = convert(getattr(value, attribute))
        return record

    return lower


def _record_lift(cls: type, fields: list[tuple[str, Convert]]) -> Convert:
    def lift(record: Any) -> Any:
        members = record.__dict__
        return cls(*[convert(members[name]) for name, convert in fields])

    return lift

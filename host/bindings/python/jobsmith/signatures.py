"""The types of a component's functions as wasmtime has them, read once.

Docs: ``wasmtime.component``. wasmtime asks its library for the type of each value that it converts,
which takes four times as long as the conversion. The classes here answer from memory.
"""

from __future__ import annotations

from typing import Any

from wasmtime import Store
from wasmtime.component import (
    Func,
    ListType,
    OptionType,
    RecordType,
    ResultType,
    TupleType,
    ValType,
    VariantType,
)


def remember(function: Func, store: Store) -> Func:
    """The function, which remembers its types instead of asking for them."""
    signature = _Signature(function, store)
    function.type = lambda _store: signature  # type: ignore[method-assign, assignment, return-value]
    return function


class _Signature:
    def __init__(self, function: Func, store: Store) -> None:
        signature = function.type(store)
        self.params = [(name, _remembered(type)) for name, type in signature.params]
        self.result = _remembered(signature.result)


def _remembered(type: ValType | None) -> Any:
    """The same type, with all types that it is made of in memory."""
    match type:
        case RecordType():
            return _Record([(name, _remembered(field)) for name, field in type.fields])
        case ListType():
            return _List(_remembered(type.element))
        case TupleType():
            return _Tuple([_remembered(element) for element in type.elements])
        case VariantType():
            return _Variant([(name, _remembered(case)) for name, case in type.cases])
        case OptionType():
            return _Option(_remembered(type.payload))
        case ResultType():
            return _Result(_remembered(type.ok), _remembered(type.err))
        case _:
            return type


class _Record(RecordType):
    fields: Any = None

    def __init__(self, fields: list[tuple[str, Any]]) -> None:
        self.fields = fields


class _List(ListType):
    element: Any = None

    def __init__(self, element: Any) -> None:
        self.element = element


class _Tuple(TupleType):
    elements: Any = None

    def __init__(self, elements: list[Any]) -> None:
        self.elements = elements


class _Variant(VariantType):
    cases: Any = None

    def __init__(self, cases: list[tuple[str, Any]]) -> None:
        self.cases = cases


class _Option(OptionType):
    payload: Any = None

    def __init__(self, payload: Any) -> None:
        self.payload = payload


class _Result(ResultType):
    ok: Any = None
    err: Any = None

    def __init__(self, ok: Any, err: Any) -> None:
        self.ok = ok
        self.err = err

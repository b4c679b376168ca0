"""What the generated table of types consists of: the types of the WIT, as data.

Docs: the Component Model, "WIT". The table is in ``types.py``; ``codec.py`` makes converters of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ok(Generic[T]):
    """The result of a function that may fail, when it succeeds."""

    value: T


@dataclass(frozen=True, slots=True)
class Err(Generic[T]):
    """The result of a function that may fail, when it fails."""

    value: T


@dataclass(frozen=True)
class Primitive:
    """A value that is a single one in Python, too."""

    cls: type


@dataclass(frozen=True)
class Integer:
    """A whole number between two bounds."""

    name: str
    lowest: int
    highest: int


BOOL = Primitive(bool)
F64 = Primitive(float)
STRING = Primitive(str)
U16 = Integer("u16", 0, 2**16 - 1)
U32 = Integer("u32", 0, 2**32 - 1)
U64 = Integer("u64", 0, 2**64 - 1)
S64 = Integer("s64", -(2**63), 2**63 - 1)


@dataclass(frozen=True)
class Named:
    """A type of the table, by its name in the WIT."""

    name: str


@dataclass(frozen=True)
class List:
    """A list of items of one type."""

    item: Type


@dataclass(frozen=True)
class Option:
    """A value or ``None``."""

    value: Type


@dataclass(frozen=True, init=False)
class Tuple:
    """One value of each of these types."""

    items: tuple[Type, ...]

    def __init__(self, *items: Type) -> None:
        object.__setattr__(self, "items", items)


@dataclass(frozen=True)
class Result:
    """An :class:`Ok` or an :class:`Err`; one without a type carries ``None``."""

    ok: Type | None
    err: Type | None


Type: TypeAlias = Primitive | Integer | Named | List | Option | Tuple | Result


@dataclass(frozen=True)
class Record:
    """A dataclass; of each field its name in the WIT, its attribute and its type."""

    cls: type
    fields: tuple[tuple[str, str, Type], ...]


@dataclass(frozen=True)
class Variant:
    """One of several dataclasses; of each its name in the WIT, and the type that it carries."""

    cases: tuple[tuple[str, type, Type | None], ...]


@dataclass(frozen=True)
class Enumeration:
    """An enum, whose values are the names in the WIT."""

    cls: type[Enum]


Definition: TypeAlias = Record | Variant | Enumeration


@dataclass(frozen=True)
class Function:
    """A function: the types of its parameters, and of its answer if it has one."""

    parameters: tuple[Type, ...]
    result: Type | None


@dataclass(frozen=True)
class Interface:
    """An interface as a component exports it: its name, its types and its functions."""

    name: str
    types: Mapping[str, Definition]
    functions: Mapping[str, Function]

    def cases(self, name: str) -> dict[str, Any]:
        """The classes or members of a variant or an enum by their names in the WIT."""
        definition = self.types[name]
        if isinstance(definition, Variant):
            return {case: cls for case, cls, _ in definition.cases}
        if isinstance(definition, Enumeration):
            return {member.value: member for member in definition.cls}
        raise TypeError(f"{name} is a record and has no cases")

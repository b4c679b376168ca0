"""Values of the binding's types as the JSON that drivers read.

Docs: ``tests/plugins/README.md``, "Values as JSON". Which types there are is read from the table
of the binding.
"""

from __future__ import annotations

import struct
from typing import Any

from jobsmith import schema


class Values:
    """Reads and writes the values of one interface."""

    def __init__(self, interface: schema.Interface) -> None:
        self._types = interface.types

    def read(self, type: schema.Type, value: Any) -> Any:
        """A value from JSON."""
        match type:
            case schema.Integer(name):
                return int(value["i64"]) if name in ("u64", "s64") else value
            case schema.Primitive(cls):
                return (
                    struct.unpack(">d", bytes.fromhex(value["f64"]))[0] if cls is float else value
                )
            case schema.List(item):
                return [self.read(item, each) for each in value]
            case schema.Tuple(items):
                return tuple(self.read(item, each) for item, each in zip(items, value, strict=True))
            case schema.Option(inner):
                return None if value is None else self.read(inner, value)
            case schema.Result(ok, err):
                cls, carried = {"ok": (schema.Ok, ok), "err": (schema.Err, err)}[value["tag"]]
                return cls(self.read(carried, value["val"]) if carried else None)
            case schema.Named(name):
                return self._read_named(self._types[name], value)
        raise TypeError(f"{type} is not a type")

    def _read_named(self, definition: schema.Definition, value: Any) -> Any:
        match definition:
            case schema.Record(cls, fields):
                return cls(*(self.read(type, value.get(camel(name))) for name, _, type in fields))
            case schema.Variant(cases):
                cls, carried = {tag: (cls, type) for tag, cls, type in cases}[value["tag"]]
                return cls(self.read(carried, value["val"])) if carried else cls()
            case schema.Enumeration(cls):
                return cls(value)

    def write(self, type: schema.Type, value: Any) -> Any:
        """A value as JSON, without members that are ``None``."""
        match type:
            case schema.Integer(name):
                return {"i64": str(value)} if name in ("u64", "s64") else value
            case schema.Primitive(cls):
                return {"f64": struct.pack(">d", value).hex()} if cls is float else value
            case schema.List(item):
                return [self.write(item, each) for each in value]
            case schema.Tuple(items):
                return [self.write(item, each) for item, each in zip(items, value, strict=True)]
            case schema.Option(inner):
                return None if value is None else self.write(inner, value)
            case schema.Result(ok, err):
                carried = ok if isinstance(value, schema.Ok) else err
                written = self.write(carried, value.value) if carried else None
                return tagged("ok" if isinstance(value, schema.Ok) else "err", written)
            case schema.Named(name):
                return self._write_named(self._types[name], value)
        raise TypeError(f"{type} is not a type")

    def _write_named(self, definition: schema.Definition, value: Any) -> Any:
        match definition:
            case schema.Record(cls, fields) if type(value) is cls:
                members = (
                    (camel(name), self.write(type, getattr(value, attribute)))
                    for name, attribute, type in fields
                )
                return {name: member for name, member in members if member is not None}
            case schema.Variant(cases):
                tag, carried = {cls: (tag, type) for tag, cls, type in cases}[type(value)]
                return tagged(tag, self.write(carried, value.value) if carried else None)
            case schema.Enumeration(cls) if type(value) is cls:
                return value.value
        raise TypeError(f"{value!r:.80} is no value of {definition}")


def tagged(tag: str, value: Any) -> dict[str, Any]:
    """A case as JSON."""
    return {"tag": tag} if value is None else {"tag": tag, "val": value}


def camel(name: str) -> str:
    """A name of the WIT as the name of a member."""
    first, *others = name.split("-")
    return first + "".join(word.capitalize() for word in others)

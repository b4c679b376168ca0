"""Replays what the native core answered, through the binding's codec and types.

Docs: ``tests/plugins/README.md``. Usage: ``python driver.py COMPONENT < CALLS``.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from jobsmith import schema
from jobsmith.component import Component, Instance
from jobsmith.types import INTERFACE

from values import Values


def interface() -> schema.Interface:
    """The interface of the controllers, with the functions of the component that echoes."""
    functions = dict(INTERFACE.functions)
    for name in INTERFACE.types:
        functions[f"echo-{name}"] = schema.Function((schema.Named(name),), schema.Named(name))
    result = schema.Result(schema.Named("plan"), schema.Named("malformed"))
    functions["echo-result"] = schema.Function((result,), result)
    return replace(INTERFACE, functions=functions)


def main(path: str) -> int:
    """Carries out one line after the other; returns the exit status."""
    component = Component(Path(path).read_bytes(), interface())
    values = Values(component.interface)
    instance = Instance(component)
    calls = 0
    for number, line in enumerate(sys.stdin.buffer, 1):
        step = json.loads(line)
        if "history" in step:
            instance.close()
            instance = Instance(component)
            continue
        calls += 1
        signature = component.interface.functions[step["call"]]
        arguments = [
            values.read(type, value)
            for type, value in zip(signature.parameters, step["arguments"], strict=True)
        ]
        answer = instance.call(step["call"], *arguments)
        came = values.write(signature.result, answer) if signature.result else None
        if came != (expected := without_nulls(step.get("answer"))):
            print(
                f"line {number}: {step['call']}\nexpected: {text(expected)}\ncame:     {text(came)}"
            )
            return 1
    print(f"{calls} calls alike")
    return 0


def without_nulls(value: Any) -> Any:
    """The value without the members that are ``null``, which may as well be missing."""
    match value:
        case dict():
            kept = {name: without_nulls(member) for name, member in value.items()}
            return {name: member for name, member in kept.items() if member is not None}
        case list():
            return [without_nulls(item) for item in value]
        case _:
            return value


def text(value: Any) -> str:
    """The value in JSON, in a form that any terminal takes."""
    return json.dumps(value, sort_keys=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

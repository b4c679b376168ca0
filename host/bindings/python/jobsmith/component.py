"""A component, compiled, and its instances.

Docs: ``wasmtime.component``. What the functions mean is in ``controllers.py``, how values are
converted in ``codec.py``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import wasmtime
from wasmtime import Config, Engine, Store, Trap, WasmtimeError
from wasmtime.component import Linker

from .codec import Codec
from .errors import IncompatibleComponent, Lost
from .schema import Function, Interface
from .signatures import remember
from .types import INTERFACE

BUNDLED = Path(__file__).with_name("controllers.wasm")
"""The component with the controllers of Kubernetes that this package carries."""


class Component:
    """A component that exports one interface. Any number of instances and threads may share it."""

    def __init__(self, binary: bytes, interface: Interface = INTERFACE) -> None:
        self.interface = interface
        self.codec = Codec(interface)
        self.engine = _engine()
        try:
            self.compiled = wasmtime.component.Component(self.engine, binary)
        except WasmtimeError as error:
            raise IncompatibleComponent(f"the file is not a component: {error}") from error

    @classmethod
    def load(cls, source: bytes | str | os.PathLike[str] | None = None) -> Component:
        """The component in these bytes or this file, or the bundled one; compiled once a process.

        The machine code is kept in wasmtime's cache folder, too, if it can be written.
        """
        binary = source if isinstance(source, bytes) else Path(source or BUNDLED).read_bytes()
        return _compiled(binary)


class Instance:
    """One instance of a component: it must be used by one thread at a time."""

    def __init__(self, component: Component) -> None:
        self._component = component
        self._store = Store(component.engine)
        try:
            self._instance = Linker(component.engine).instantiate(self._store, component.compiled)
        except WasmtimeError as error:
            raise IncompatibleComponent(f"the component cannot be instantiated: {error}") from error
        self._exports = component.compiled.get_export_index(component.interface.name)
        if self._exports is None:
            raise IncompatibleComponent(f"the component does not export {component.interface.name}")
        self._calls: dict[str, Callable[..., Any]] = {}

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls a function of the interface.

        Raises ``TypeError`` or ``OverflowError`` if an argument has another type: then nothing
        has happened. Raises :class:`Lost` if the instance traps, and at each call after that.
        """
        if name not in self._calls:
            self._calls[name] = self._bind(name, self._component.interface.functions[name])
        return self._calls[name](*arguments)

    def close(self) -> None:
        """Frees the memory of the instance."""
        self._calls.clear()
        self._store.close()

    def _bind(self, name: str, signature: Function) -> Callable[..., Any]:
        index = self._component.compiled.get_export_index(name, self._exports)
        exported = self._instance.get_func(self._store, index) if index else None
        if exported is None:
            interface = self._component.interface.name
            raise IncompatibleComponent(f"the component's {interface} has no function {name}")
        function = remember(exported, self._store)
        codec, store = self._component.codec, self._store
        lowers = [codec.lower(parameter) for parameter in signature.parameters]
        lift = codec.lift(signature.result) if signature.result else lambda _: None

        def call(*arguments: Any) -> Any:
            lowered = [lower(value) for lower, value in zip(lowers, arguments, strict=True)]
            try:
                answer = function(store, *lowered)
            except (Trap, WasmtimeError) as error:
                raise Lost(f"the instance trapped in {name}: {_last_line(error)}") from error
            return lift(answer)

        return call


@lru_cache(maxsize=4)
def _compiled(binary: bytes) -> Component:
    return Component(binary)


@lru_cache(maxsize=1)
def _engine() -> Engine:
    """An engine with wasmtime's cache of machine code, or without one if it has no folder."""
    config = Config()
    try:
        config.cache = True
    except WasmtimeError:
        config = Config()
    return Engine(config)


def _last_line(error: Exception) -> str:
    return str(error).strip().rpartition("\n")[2].strip()

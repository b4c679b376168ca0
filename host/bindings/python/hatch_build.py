"""Refuses to build a package without the component, and names what writes it.

Docs: hatchling, "Custom build hook".
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPONENT = "jobsmith/controllers.wasm"


class ComponentHook(BuildHookInterface[Any]):
    """Runs before each build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Ends the build if a checkout of the repository has no component yet."""
        path = Path(self.root, COMPONENT)
        if not path.exists():
            sys.exit(
                f"{path} is missing: a checkout has no component. To write it with the program: "
                f"`jobsmith component export {path}`; to build all: `cargo xtask package python`"
            )

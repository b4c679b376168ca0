"""What the tests have in common: where files are, and objects to begin with."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jobsmith
import pytest
from jobsmith import Controllers, Lost
from jobsmith.controllers import Time
from jobsmith.types import EventListed, Listing, Part, Timestamp

ROOT = Path(__file__).parents[3]
COMPONENTS = ROOT / "target" / "component"
README = ROOT / "host" / "bindings" / "python" / "README.md"


def job(name: str = "pi", **spec: Any) -> dict[str, Any]:
    """A Job as the API server has stored it."""
    labels = {"job-name": name}
    containers = [{"name": "main", "image": "perl"}]
    template = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
    metadata = {"name": name, "namespace": "default", "uid": f"uid-{name}", "resourceVersion": "1"}
    defaults = {"parallelism": 1, "completions": 1, "backoffLimit": 6, "suspend": False}
    own = {"selector": {"matchLabels": labels}, "template": template}
    return {"metadata": metadata, "spec": {**defaults, **own, **spec}}


def pod(name: str, owner: str = "pi", size: int = 0, phase: str = "Running") -> dict[str, Any]:
    """A pod of a Job; ``size`` makes it longer."""
    reference = {"apiVersion": "batch/v1", "kind": "Job", "name": owner, "uid": f"uid-{owner}"}
    metadata = {
        "name": name,
        "namespace": "default",
        "uid": f"uid-{name}",
        "resourceVersion": "2",
        "labels": {"job-name": owner},
        "ownerReferences": [{**reference, "controller": True}],
        "finalizers": ["batch.kubernetes.io/job-tracking"],
    }
    containers = [{"name": "main", "image": "x" * size}]
    return {"metadata": metadata, "spec": {"containers": containers}, "status": {"phase": phase}}


def text_of(object: dict[str, Any], length: int) -> str:
    """An object in JSON, of exactly this length."""
    filled = {**object, "spec": {"containers": [{"name": "main", "image": ""}]}}
    missing = length - len(json.dumps(filled))
    filled["spec"]["containers"][0]["image"] = "x" * missing
    return json.dumps(filled)


def list_all(controllers: Controllers, *jobs: dict[str, Any], now: Time = None) -> None:
    """Hands over lists of everything: these Jobs, and nothing else."""
    for resource in controllers.resources():
        controllers.listed(resource, jobs if resource.kind == "Job" else [], "1", now=now)


def trap(controllers: Controllers) -> None:
    """Makes the component panic, past the checks of the binding: the list has not begun."""
    event = EventListed(Listing("Job", Part.LAST, "1", []))
    with pytest.raises(Lost, match=r"trapped in handle.*unreachable"):
        controllers._call("handle", event, Timestamp(0, 0))


def readme_blocks(heading: str) -> list[str]:
    """The Python code under a heading of the README."""
    section = README.read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


@pytest.fixture
def controllers() -> Any:
    with Controllers() as controllers:
        yield controllers


def pytest_report_header() -> str:
    return f"jobsmith: {Path(jobsmith.__file__).parent}"

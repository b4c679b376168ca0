"""Kubernetes' Job, CronJob and TTL-after-finished controllers as a library.

Docs: ``README.md``. The values that go in and come out are in ``jobsmith.types``.
"""

from . import times, types
from .cluster import AsyncCluster, Cluster, media_type, outcome
from .controllers import Controllers
from .errors import (
    ConfigError,
    IncompatibleComponent,
    JobsmithError,
    Lost,
    Malformed,
    NoExplanation,
    UsageError,
)
from .loop import AsyncLoop
from .sentences import sentence
from .threads import Loop

__all__ = [
    "AsyncCluster",
    "AsyncLoop",
    "Cluster",
    "ConfigError",
    "Controllers",
    "IncompatibleComponent",
    "JobsmithError",
    "Loop",
    "Lost",
    "Malformed",
    "NoExplanation",
    "UsageError",
    "media_type",
    "outcome",
    "sentence",
    "times",
    "types",
]

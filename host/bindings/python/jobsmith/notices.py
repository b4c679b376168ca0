"""Notices as the requests that record them: Kubernetes Events.

Docs: Event v1. Equal Events are not counted together: a program that wants that has the notices of
each plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from uuid import uuid4

from .times import to_datetime
from .types import ApiResource, Command, ContentType, Method, Notice, Timestamp


def recording(notice: Notice, resources: Iterable[ApiResource], now: Timestamp) -> Command:
    """The request that records a notice."""
    regarding = notice.regarding
    # An Event about an object without a namespace is in the default one.
    namespace = regarding.namespace or "default"
    resource = {resource.kind: resource for resource in resources}.get(regarding.kind)
    api_version = "/".join(filter(None, [resource.group, resource.version])) if resource else ""
    at = to_datetime(now).strftime("%Y-%m-%dT%H:%M:%SZ")
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {
            "name": f"{regarding.name}.{uuid4().hex[:16]}",
            "namespace": namespace,
        },
        "involvedObject": {
            "apiVersion": api_version,
            "kind": regarding.kind,
            "namespace": regarding.namespace,
            "name": regarding.name,
            "uid": regarding.uid,
        },
        "type": "Warning" if notice.warning else "Normal",
        "reason": notice.reason,
        "message": notice.message,
        "source": {"component": notice.reporting_controller},
        "reportingComponent": notice.reporting_controller,
        "reportingInstance": "",
        "firstTimestamp": at,
        "lastTimestamp": at,
        "count": 1,
    }
    path = f"/api/v1/namespaces/{namespace}/events"
    return Command(Method.POST, path, ContentType.JSON, json.dumps(event), [], None)

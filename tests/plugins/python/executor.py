"""Runs Jobs as local processes: retries, indexes and deadlines are those of Kubernetes.

Docs: Jobs. ``Memory`` keeps objects as an API server does; ``LocalExecutor`` is the kubelet.
"""

import asyncio
import json
import os
from datetime import datetime, timezone
from uuid import uuid4

from jobsmith import AsyncLoop, Controllers
from jobsmith.types import Method

DEFAULTS = {"parallelism": 1, "completions": 1, "backoffLimit": 6, "completionMode": "NonIndexed"}


class Memory:
    """Jobs and pods as dicts. ``changed`` is called with each change."""

    def __init__(self, changed, clock=lambda: datetime.now(timezone.utc)):
        self.changed, self.now = changed, lambda: clock().strftime("%Y-%m-%dT%H:%M:%SZ")
        self.objects, self.version = {"jobs": {}, "pods": {}, "events": {}}, 0

    def submit(self, job):
        """Creates a Job with the defaults that an API server gives it."""
        uid = str(uuid4())
        template = {**job["spec"]["template"], "metadata": {"labels": {"job-uid": uid}}}
        own = {"selector": {"matchLabels": {"job-uid": uid}}, "template": template}
        return self.create("jobs", {**job, "spec": {**DEFAULTS, **job["spec"], **own}}, uid)

    def create(self, plural, object, uid):
        name = object["metadata"].get("name") or object["metadata"]["generateName"] + uid[:8]
        own = {"name": name, "namespace": "default", "uid": uid, "creationTimestamp": self.now()}
        return self.store("ADDED", plural, object, own)

    def store(self, type, plural, object, metadata, **members):
        """Keeps an object with these members, unless it is deleted and nothing holds it."""
        self.version += 1
        own = {**object["metadata"], **metadata, "resourceVersion": str(self.version)}
        object = self.objects[plural][own["name"]] = {**object, **members, "metadata": own}
        ended = object.get("status", {}).get("phase") in ("Succeeded", "Failed")
        if "deletionTimestamp" in own and ended and not own["finalizers"]:
            type, _ = "DELETED", self.objects[plural].pop(own["name"])
        self.changed(plural, type, object)
        return object

    def send(self, command):
        """Carries out a request, and returns a status and an object."""
        plural, name, *_ = [*command.path.split("/namespaces/default/")[1].split("/"), ""]
        body = json.loads(command.body or "{}")
        if command.method is Method.POST:
            return 201, self.create(plural, body, str(uuid4()))
        if (object := self.objects[plural].get(name)) is None:
            return 404, {"reason": "NotFound", "message": f"{plural} {name} not found"}
        if command.method is Method.PUT:
            return 200, self.store("MODIFIED", plural, object, {}, status=body["status"])
        own = {"deletionTimestamp": self.now()}
        if command.method is Method.PATCH:
            gone = body["metadata"]["$deleteFromPrimitiveList/finalizers"]
            own = {"finalizers": [f for f in object["metadata"]["finalizers"] if f not in gone]}
        return 200, self.store("MODIFIED", plural, object, own)


class LocalExecutor:
    """The cluster of the loop; ``limits`` are those of the controllers' configuration."""

    def __init__(self, **limits):
        self.controllers = Controllers(controllers=["job"], job={"limits": limits})
        self.memory, self.events = Memory(self.changed), {}
        self.processes, self.pods = {}, []

    async def run(self, *jobs):
        """Runs Jobs to their ends, and returns their statuses."""
        self.loop = AsyncLoop(self.controllers, self)
        names = [self.memory.submit(job)["metadata"]["name"] for job in jobs]
        await self.loop.run()
        await asyncio.gather(*self.pods)
        return [self.memory.objects["jobs"][name]["status"] for name in names]

    async def list(self, resource):
        self.events[resource.plural] = asyncio.Queue()
        return self.memory.objects[resource.plural].values(), str(self.memory.version)

    async def watch(self, resource, version):
        while True:
            yield await self.events[resource.plural].get()

    async def send(self, command):
        return self.memory.send(command)

    def changed(self, plural, type, object):
        name, jobs = object["metadata"]["name"], self.memory.objects["jobs"].values()
        self.events.setdefault(plural, asyncio.Queue()).put_nowait((type, object))
        if plural == "pods" and type == "ADDED":
            self.pods.append(asyncio.create_task(self.execute(name, **object["spec"])))
        if "deletionTimestamp" in object["metadata"] and name in self.processes:
            self.processes.pop(name).terminate()
        conditions = [c for job in jobs for c in job.get("status", {}).get("conditions", [])]
        if sum(c["type"] in ("Complete", "Failed") for c in conditions) == len(jobs):
            self.loop.stop()

    async def execute(self, pod, containers, **_):
        """Runs a pod's first container as a process. ``env`` exits with 127 if it is missing."""
        labels, env = self.memory.objects["pods"][pod]["metadata"]["labels"], dict(os.environ)
        for each in containers[0].get("env", []):
            field = each.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath", "")
            env[each["name"]] = each.get("value") or labels[field.split("'")[1]]
        process = await asyncio.create_subprocess_exec("env", *containers[0]["command"], env=env)
        self.processes[pod] = process
        self.report(pod, "Running", {"running": {}})
        code = await process.wait()
        self.processes.pop(pod, None)
        self.report(pod, "Failed" if code else "Succeeded", {"terminated": {"exitCode": code}})

    def report(self, name, phase, state):
        pod = self.memory.objects["pods"][name]
        statuses = [{"name": pod["spec"]["containers"][0]["name"], "state": state}]
        status = {"phase": phase, "startTime": self.memory.now(), "containerStatuses": statuses}
        self.memory.store("MODIFIED", "pods", pod, {}, status=status)

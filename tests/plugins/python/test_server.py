"""The README's cluster over HTTP, against a server that answers as ``kubectl proxy`` does.

Docs: ``host/bindings/python/README.md``, "Drive a cluster"; Kubernetes API Concepts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Condition, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from jobsmith.types import Command, ContentType, Method

from conftest import readme_blocks
from executor import Memory


class Server(ThreadingHTTPServer):
    """Jobs and pods of ``Memory`` over HTTP. Each pod succeeds at once."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.changes: list[tuple[str, str, Any]] = []
        self.changed = Condition()
        self.memory = Memory(self._change)
        self.content_types: dict[str, str] = {}
        self.memory.objects["cronjobs"] = {}

    def _change(self, plural: str, type: str, object: Any) -> None:
        self.changes.append((plural, type, object))
        self.changed.notify_all()

    def send(self, command: Command) -> tuple[int, Any]:
        with self.changed:
            status, answer = self.memory.send(command)
            if command.method is Method.POST and command.path.endswith("/pods"):
                terminated = {"name": "main", "state": {"terminated": {"exitCode": 0}}}
                ended = {"phase": "Succeeded", "containerStatuses": [terminated]}
                self.memory.store("MODIFIED", "pods", answer, {}, status=ended)
        return status, answer


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        plural, query = parts.path.rpartition("/")[2], parse_qs(parts.query)
        if "watch" in query:
            self._watch(plural, int(query["resourceVersion"][0]))
            return
        with self.server.changed:
            items = list(self.server.memory.objects[plural].values())
            metadata = {"resourceVersion": str(self.server.memory.version)}
        self._answer(200, {"metadata": metadata, "items": items})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.server.content_types[self.command] = self.headers["Content-Type"]
        method = Method[self.command]
        self._answer(*self.server.send(Command(method, self.path, ContentType.JSON, body, [], None)))

    do_PUT = do_PATCH = do_DELETE = do_POST

    def _watch(self, plural: str, version: int) -> None:
        self.send_response(200)
        self.end_headers()
        seen = 0
        while True:
            with self.server.changed:
                while len(self.server.changes) == seen:
                    self.server.changed.wait()
                fresh, seen = self.server.changes[seen:], len(self.server.changes)
            for changed, type, object in fresh:
                if changed == plural and int(object["metadata"]["resourceVersion"]) > version:
                    line = json.dumps({"type": type, "object": object}) + "\n"
                    self.wfile.write(line.encode())
                    self.wfile.flush()

    def _answer(self, status: int, body: Any) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: Any) -> None:
        """Logs nothing."""


def test_the_loop_of_the_readme_completes_a_job_over_http(tmp_path: Path) -> None:
    [program] = readme_blocks("Drive a cluster")
    server = Server()
    Thread(target=server.serve_forever, daemon=True).start()
    address = "http://127.0.0.1:8001"
    assert address in program
    (tmp_path / "drive.py").write_text(
        program.replace(address, f"http://127.0.0.1:{server.server_port}")
    )
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "main"}]}}
    spec = {"managedBy": "acme.example/jobs", "completions": 2, "template": template}
    with server.changed:
        name = server.memory.submit({"metadata": {"name": "pi"}, "spec": spec})["metadata"]["name"]
    driving = subprocess.Popen(
        [sys.executable, "drive.py"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    try:
        with server.changed:
            complete = server.changed.wait_for(lambda: completed(server.memory, name), 30)
    finally:
        driving.terminate()
        _, logged = driving.communicate()
        server.shutdown()
        server.server_close()
    assert complete, logged
    assert server.content_types["PATCH"] == "application/strategic-merge-patch+json"
    assert "INFO:jobsmith:Job default/pi: Creates: Creating 1 pod" in logged
    assert "WARNING" not in logged


def completed(memory: Memory, name: str) -> bool:
    conditions = memory.objects["jobs"][name].get("status", {}).get("conditions", [])
    return any(each["type"] == "Complete" for each in conditions)

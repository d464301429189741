"""A world that is all in a test's hands, a server on a real socket, and GitHub's own reading of outputs."""

import io
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from generator.harness.cli import main
from generator.harness.world import World

NOW = datetime(2026, 11, 30, 18, 0, tzinfo=timezone.utc).timestamp()


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A world, and what came out of it."""

    world: World
    out: io.StringIO
    folder: Path
    slept: list[float]

    def run(self, *argv: str) -> int:
        return main(argv, self.world)

    @property
    def log(self) -> str:
        return self.out.getvalue()

    @property
    def outputs(self) -> dict[str, str]:
        file = self.folder / "github_output"
        return outputs_as_github_reads_them(file.read_bytes().decode()) if file.exists() else {}

    @property
    def summary(self) -> str:
        file = self.folder / "github_summary"
        return file.read_text(encoding="utf-8") if file.exists() else ""


def bench(folder: Path, environment: Mapping[str, str], now: float = NOW) -> Bench:
    out = io.StringIO()
    slept: list[float] = []
    clock = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    world = World(
        environment={
            "GITHUB_OUTPUT": str(folder / "github_output"),
            "GITHUB_STEP_SUMMARY": str(folder / "github_summary"),
            "GITHUB_ACTIONS": "true",
            **environment,
        },
        folder=folder,
        now=lambda: now,
        monotonic=lambda: clock[0],
        sleep=sleep,
        out=out,
    )
    return Bench(world=world, out=out, folder=folder, slept=slept)


def outputs_as_github_reads_them(text: str) -> dict[str, str]:
    """The rules of GitHub's runner: `name=value`, or `name<<delimiter`, lines, delimiter."""
    outputs: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if equals >= 0 and (heredoc < 0 or equals < heredoc):
            outputs[line[:equals]] = line[equals + 1 :]
        else:
            assert heredoc > 0, f"GitHub refuses the line {line!r}"
            name, delimiter = line[:heredoc], line[heredoc + 2 :]
            value = []
            for inner in lines:
                if inner == delimiter:
                    break
                value.append(inner)
            else:
                raise AssertionError(f"the delimiter of {name} never comes")
            outputs[name] = "\n".join(value)
    return outputs


@dataclass(frozen=True, kw_only=True)
class Asked:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """`way`: how the answer leaves the server: whole, hang (never), close (nothing), cut (half), drip."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    way: str = "whole"


def reply_json(value: object, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(status=status, body=json.dumps(value).encode(), headers=named)


@dataclass(frozen=True, kw_only=True)
class Server:
    address: str
    asked: list[Asked]


class Listening(ThreadingHTTPServer):
    """A server that remembers what it was asked."""

    def __init__(self, respond: Callable[[Asked], Reply]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.respond = respond
        self.asked: list[Asked] = []
        self.over = threading.Event()

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


class Handler(BaseHTTPRequestHandler):
    server: Listening

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        request = Asked(
            method=self.command,
            path=parts.path,
            query={name: values[0] for name, values in parse_qs(parts.query).items()},
            headers={name.lower(): value for name, value in self.headers.items()},
        )
        self.server.asked.append(request)
        reply = self.server.respond(request)
        if reply.way == "hang":
            self.server.over.wait(20)
        elif reply.way != "close":
            self.send(reply)

    do_HEAD = do_GET  # noqa: N815  # the standard library's name

    def send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if reply.way == "drip":
            for byte in reply.body:
                self.wfile.write(bytes([byte]))
                self.server.over.wait(0.05)
            return
        self.wfile.write(reply.body[: len(reply.body) // 2] if reply.way == "cut" else reply.body)

    def log_message(self, *_: object) -> None:
        """A test's output is its asserts."""


@contextmanager
def serving(respond: Callable[[Asked], Reply]) -> Iterator[Server]:
    """A server on a real socket of this machine."""
    server = Listening(respond)
    thread = threading.Thread(target=lambda: server.serve_forever(0.02), daemon=True)
    thread.start()
    try:
        yield Server(address=f"http://127.0.0.1:{server.server_port}", asked=server.asked)
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def put_tool(folder: Path, name: str, script: str) -> None:
    """A program on PATH that does what a shell script says."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def printing(text: str) -> str:
    """A script that prints a text, with nothing but the shell itself."""
    quoted = text.replace("'", "'\\''")
    return f"printf '%s' '{quoted}'"


def night_json(jobs: list[dict[str, object]], **more: object) -> str:
    night: dict[str, object] = {
        "workflow": "nightly",
        "repository": "sgl-project/sglang",
        "continue_on_error": False,
        "lookup": {"timeout_s": 0.3, "attempts": 2},
        "images": {},
        "jobs": jobs,
    }
    return json.dumps({**night, **more})


def job(id_: str, **more: object) -> dict[str, object]:
    return {"id": id_, "name": id_, "hardware": "mi30x", "limit_minutes": 60, **more}


def tonight(*jobs: dict[str, object], **more: object) -> str:
    return json.dumps({"jobs": jobs, **more})


def entry(id_: str, expected: str = "run", **more: object) -> dict[str, object]:
    return {"id": id_, "hardware": "mi30x", "expected": expected, "why": "", "limit_minutes": 140, **more}


def result(word: str, **outputs: str) -> dict[str, object]:
    return {"result": word, "outputs": outputs}

"""A real HTTP server in a thread that answers as a test tells it to, byte for byte if need be."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request as it came; `number` counts all requests of the peer, from 1."""

    method: str
    path: str
    body: Any
    number: int
    headers: str


Script = Callable[[Asked], bytes]


def answer(record: object, status: int = 200, extra: str = "") -> bytes:
    """A whole HTTP answer with JSON in it."""
    body = json.dumps(record).encode()
    return f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\n{extra}\r\n".encode() + body


def completion(text: str, finish: str = "stop", tokens: int = 7) -> bytes:
    """An answer as of /v1/completions."""
    return answer(
        {"choices": [{"text": text, "finish_reason": finish}], "usage": {"completion_tokens": tokens}}
    )


def chat(content: str | None, reasoning: str = "", finish: str = "stop") -> bytes:
    """An answer as of /v1/chat/completions."""
    message = {"role": "assistant", "content": content, "reasoning_content": reasoning}
    return answer(
        {"choices": [{"message": message, "finish_reason": finish}], "usage": {"completion_tokens": 7}}
    )


@dataclass(kw_only=True)
class Peer:
    """The server; `hang` as an answer keeps the client waiting, an empty answer closes the connection."""

    script: Script
    listener: socket.socket
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _open: list[socket.socket] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    @property
    def posts(self) -> list[Asked]:
        """The questions among what was asked."""
        return [asked for asked in self.asked if asked.method == "POST"]

    def serve(self) -> None:
        """Accept until closed."""
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with self._lock:
                self.connections += 1
                self._open.append(connection)
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            file = connection.makefile("rb")
            while True:
                first = file.readline().decode()
                if not first:
                    return
                head = ""
                while (line := file.readline().decode()) not in {"\r\n", ""}:
                    head += line
                length = next(
                    (
                        int(line.split(":")[1])
                        for line in head.splitlines()
                        if line.lower().startswith("content-le")
                    ),
                    0,
                )
                data = file.read(length)
                method, path, _ = first.split(" ")
                with self._lock:
                    asked = Asked(
                        method=method,
                        path=path,
                        body=json.loads(data) if data else None,
                        number=len(self.asked) + 1,
                        headers=head,
                    )
                    self.asked.append(asked)
                reply = self.script(asked)
                if not reply:
                    return
                if reply == HANG:
                    threading.Event().wait(30)
                    return
                connection.sendall(reply)
                if b"Connection: close" in reply or b"HTTP/1.0" in reply:
                    return

    def close(self) -> None:
        """End it and all its connections."""
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


HANG = b"hang"


@contextlib.contextmanager
def peer(script: Script) -> Iterator[Peer]:
    """A peer that runs while the test does."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    made = Peer(script=script, listener=listener)
    thread = threading.Thread(target=made.serve, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.close()
        thread.join(5)


def healthy(script: Script) -> Script:
    """The script for POST; GET is answered as a healthy server without a version does."""

    def both(asked: Asked) -> bytes:
        if asked.method == "POST":
            return script(asked)
        if asked.path == "/v1/models":
            return answer({"data": [{"id": "tiny"}]})
        return answer({}) if asked.path == "/health" else answer({}, status=404)

    return both

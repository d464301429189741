"""The hot path: HTTP/1.1 POSTs by hand over asyncio streams, one kept connection a worker.

Measured beside http.client in threads, aiohttp and requests (benchmarks/client.py): the least wall time and
the least CPU of them, and CPU spent here is taken from the server on the same machine.
"""

import asyncio
import contextlib
import socket
import ssl
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_HEAD_LIMIT = 64 * 1024
_BODY_LIMIT = 256 * 1024 * 1024
_CONNECT_TIMEOUT_S = 10.0


class ConnectionLostError(Exception):
    """No connection, or one that broke before the whole answer was there. It may pass."""


class RequestTimeoutError(Exception):
    """The whole answer was not there within the time of a request."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where requests go.

    Attributes:
        address: the resolved address to connect to.
        port: its TCP port.
        host: as in the URL, for the head.
        prefix: the path of the URL, put before every path.
        tls: None for plain HTTP.
        headers: lines of the head that every request carries, each ended by CRLF.
    """

    address: str
    port: int
    host: str
    prefix: str
    tls: ssl.SSLContext | None
    headers: str


def resolve(url: str, headers: str = "") -> Target:
    """The target of a URL, looked up once for all connections.

    Raises:
        ConnectionLostError: the name is unknown.
        ValueError: the URL is none.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"{url} is not an http or https URL")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except OSError as problem:
        raise ConnectionLostError(f"{parts.hostname}: {problem}") from problem
    # Servers that listen on 127.0.0.1 alone are the rule; `localhost` often names ::1 first.
    addresses = sorted(found, key=lambda entry: entry[0] != socket.AF_INET)
    return Target(
        address=str(addresses[0][4][0]),
        port=port,
        host=parts.netloc.rpartition("@")[2],
        prefix=parts.path.rstrip("/"),
        tls=ssl.create_default_context() if parts.scheme == "https" else None,
        headers=headers,
    )


def encode_post(target: Target, path: str, body: bytes) -> bytes:
    """A whole request with a JSON body, as bytes for the wire."""
    head = (
        f"POST {target.prefix}{path} HTTP/1.1\r\nHost: {target.host}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json\r\n{target.headers}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("latin-1") + body


@dataclass(frozen=True, kw_only=True)
class Reply:
    """An answer, whatever its status; `retry_after_s` is 0 when the server names no time."""

    status: int
    body: bytes
    retry_after_s: float


@dataclass(frozen=True, kw_only=True)
class _Head:
    status: int
    length: int  # -1: not said
    is_chunked: bool
    closes: bool
    retry_after_s: float


def _parse_head(data: bytes) -> _Head:
    lines = data.decode("latin-1").split("\r\n")
    words = lines[0].split(" ", 2)
    if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
        raise ConnectionLostError(f"not HTTP: {lines[0][:80]!r}")
    fields = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        fields[name.strip().lower()] = value.strip()
    connection = fields.get("connection", "").lower()
    length = fields.get("content-length", "")
    retry_after = fields.get("retry-after", "")
    return _Head(
        status=int(words[1]),
        length=int(length) if length.isdigit() else -1,
        is_chunked="chunked" in fields.get("transfer-encoding", "").lower(),
        closes="close" in connection or (words[0] == "HTTP/1.0" and "keep-alive" not in connection),
        retry_after_s=float(retry_after) if retry_after.isdigit() else 0.0,
    )


@dataclass(kw_only=True)
class Connection:
    """One kept connection; not for two requests at once.

    Attributes:
        target: where it goes.
        limit_s: seconds for a whole request.
    """

    target: Target
    limit_s: float
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None
    _late: bool = field(default=False)

    async def send(self, request: bytes) -> Reply:
        """Send an encoded request and read its whole answer.

        Raises:
            ConnectionLostError: the connection could not be made, or broke.
            RequestTimeoutError: the answer took longer than a request may.
        """
        was_kept = self._writer is not None
        try:
            return await self._send_once(request)
        except _ClosedWhileIdleError:
            if not was_kept:
                raise ConnectionLostError("closed without an answer") from None
        # llama-server closes a kept connection after 100 requests, others when it was idle: no failure.
        try:
            return await self._send_once(request)
        except _ClosedWhileIdleError:
            raise ConnectionLostError("closed without an answer") from None

    async def _send_once(self, request: bytes) -> Reply:
        reader, writer = await self._open()
        self._late = False
        # A timer that cuts the connection costs a tenth of what wait_for with its task costs.
        timer = asyncio.get_running_loop().call_later(self.limit_s, self._cut_off)
        is_done = False
        try:
            writer.write(request)
            reply, closes = await _read_reply(reader)
            is_done = not closes
            return reply  # noqa: TRY300 the finally clause reads what was set above
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError) as problem:
            if self._late:
                raise RequestTimeoutError(f"no whole answer within {self.limit_s:g} s") from None
            if isinstance(problem, asyncio.IncompleteReadError) and not problem.partial:
                raise _ClosedWhileIdleError from None
            if isinstance(problem, BrokenPipeError | ConnectionResetError):
                raise _ClosedWhileIdleError from None
            raise ConnectionLostError(f"{type(problem).__name__}: {problem}") from problem
        finally:
            timer.cancel()
            if not is_done:
                self.close()

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._reader is not None and self._writer is not None:
            return self._reader, self._writer
        target = self.target
        try:
            reader, writer = await asyncio.wait_for(
                asyncio.open_connection(
                    target.address,
                    target.port,
                    limit=_HEAD_LIMIT,
                    ssl=target.tls,
                    server_hostname=urlsplit(f"//{target.host}").hostname if target.tls else None,
                ),
                min(_CONNECT_TIMEOUT_S, self.limit_s),
            )
        except (OSError, asyncio.TimeoutError) as problem:
            raise ConnectionLostError(f"{type(problem).__name__}: {problem}") from problem
        self._reader, self._writer = reader, writer
        return reader, writer

    def _cut_off(self) -> None:
        self._late = True
        if self._writer is not None:
            self._writer.transport.abort()
        if self._reader is not None:
            self._reader.feed_eof()

    def close(self) -> None:
        """Give the connection back, whatever state it is in."""
        if self._writer is not None:
            with contextlib.suppress(OSError, RuntimeError):
                self._writer.transport.abort()
        self._reader = self._writer = None


class _ClosedWhileIdleError(Exception):
    """The server closed before the first byte of an answer."""


async def _read_reply(reader: asyncio.StreamReader) -> tuple[Reply, bool]:
    head = _parse_head(await reader.readuntil(b"\r\n\r\n"))
    while head.status < 200:
        head = _parse_head(await reader.readuntil(b"\r\n\r\n"))
    closes = head.closes
    if head.is_chunked:
        body = await _read_chunks(reader)
    elif head.length >= 0:
        if head.length > _BODY_LIMIT:
            raise ConnectionLostError(f"an answer of {head.length} bytes")
        body = await reader.readexactly(head.length)
    elif head.status == 204:
        body = b""
    else:
        body, closes = await reader.read(_BODY_LIMIT), True
    return Reply(status=head.status, body=body, retry_after_s=head.retry_after_s), closes


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    chunks = []
    total = 0
    while True:
        line = await reader.readuntil(b"\r\n")
        size = int(line.split(b";")[0], 16)
        if size == 0:
            break
        total += size
        if total > _BODY_LIMIT:
            raise ConnectionLostError(f"an answer of more than {_BODY_LIMIT} bytes")
        chunks.append(await reader.readexactly(size))
        await reader.readexactly(2)
    while (await reader.readuntil(b"\r\n")) != b"\r\n":
        continue
    return b"".join(chunks)

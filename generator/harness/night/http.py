"""Questions to servers that may be slow, busy, broken or gone, with an end to the waiting."""

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit

from generator.harness.night.night_file import Lookup
from generator.harness.night.text import count, one_line
from generator.harness.world import World

BODY_LIMIT_BYTES = 32 * 1024 * 1024
CHUNK_BYTES = 64 * 1024
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0

# Answers that say "not now" and are worth a second attempt.
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})


class Wanted(Enum):
    """What a good answer holds."""

    JSON = "JSON"
    HEADERS = "headers"
    STATUS = "status"


@dataclass(frozen=True, kw_only=True)
class Question:
    """One request; an Authorization header is not sent on to another host when the server redirects."""

    url: str
    wanted: Wanted = Wanted.JSON
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A definite answer, good or bad.

    Attributes:
        headers: their names in lower case.
        body: the parsed JSON of a good answer.
    """

    status: int
    headers: Mapping[str, str]
    body: object = None


@dataclass(frozen=True, kw_only=True)
class Silence:
    """No definite answer after all attempts, and how the last one ended."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Passing:
    """One attempt that failed in a way that may pass; `pause_s` is what the server asked to wait, or 0."""

    why: str
    pause_s: float = 0.0


class SameHostRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, and keeps a token on the host that it was meant for."""

    def redirect_request(  # noqa: PLR0913, PLR0917  # the standard library's signature
        self,
        req: urllib.request.Request,
        fp: object,
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """The request to follow up with."""
        follow_up = super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]
        if follow_up is not None and host_of(newurl) != host_of(req.full_url):
            follow_up.remove_header("Authorization")
        if follow_up is not None:
            follow_up.method = req.get_method()
        return follow_up


class Asker:
    """Asks, again where it helps; a host that stayed silent once is not waited for a second time."""

    def __init__(self, world: World, lookup: Lookup) -> None:
        self.world = world
        self.lookup = lookup
        self.silent: dict[str, Silence] = {}
        self.opener = urllib.request.build_opener(SameHostRedirects())

    def ask(self, question: Question) -> Answer | Silence:
        """The answer, or after `attempts` attempts the silence."""
        host = host_of(question.url)
        if not question.url.startswith(("http://", "https://")):
            return Silence(why=f"'{one_line(question.url, 80)}' is no http address")
        why = ""
        for attempt in range(self.lookup.attempts):
            if host in self.silent:
                return self.silent[host]
            outcome = self.attempt(question)
            if isinstance(outcome, Answer):
                return outcome
            why = outcome.why
            if attempt + 1 < self.lookup.attempts:
                pause_s = max(outcome.pause_s, FIRST_PAUSE_S * 2**attempt)
                self.world.sleep(min(pause_s, LONGEST_PAUSE_S))
        silence = Silence(why=f"{host}: {why} ({count(self.lookup.attempts, 'attempt')})")
        if question.wanted is Wanted.JSON:
            self.silent[host] = silence
        return silence

    def attempt(self, question: Question) -> Answer | Passing:
        """One attempt."""
        method = "HEAD" if question.wanted is Wanted.HEADERS else "GET"
        request = urllib.request.Request(  # noqa: S310  # `ask` lets only http and https through
            question.url, headers={"User-Agent": "nightgrid", **dict(question.headers)}, method=method
        )
        try:
            with self.opener.open(request, timeout=self.lookup.timeout_s) as response:
                return self.good_answer(question, response)
        except urllib.error.HTTPError as problem:
            with problem:
                return bad_answer(problem)
        except (OSError, http.client.HTTPException, ValueError) as problem:
            return Passing(why=self.reason(problem))

    def good_answer(self, question: Question, response: http.client.HTTPResponse) -> Answer | Passing:
        """The answer that a response with a good status holds."""
        headers = {name.lower(): value for name, value in response.headers.items()}
        if question.wanted is not Wanted.JSON:
            return Answer(status=response.status, headers=headers)
        data = b"".join(self.chunks(response))
        try:
            return Answer(status=response.status, headers=headers, body=json.loads(data))
        except (ValueError, RecursionError):
            return Passing(why=f"it answered with something that is not JSON ({count(len(data), 'byte')})")

    def chunks(self, response: http.client.HTTPResponse) -> Iterator[bytes]:
        """The body piece by piece: a server that drips bytes gets no more time than a silent one."""
        end_s = self.world.monotonic() + self.lookup.timeout_s
        size_bytes = 0
        while chunk := response.read1(CHUNK_BYTES):
            size_bytes += len(chunk)
            if size_bytes > BODY_LIMIT_BYTES:
                raise OSError(f"it answered with more than {BODY_LIMIT_BYTES // 1024**2} MiB")
            if self.world.monotonic() > end_s:
                raise TimeoutError
            yield chunk
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)

    def reason(self, problem: Exception) -> str:
        """Why an attempt failed, for a person."""
        cause = problem.reason if isinstance(problem, urllib.error.URLError) else problem
        if isinstance(cause, TimeoutError):
            return f"it did not answer within {self.lookup.timeout_s:g} s"
        if isinstance(
            cause, http.client.IncompleteRead | http.client.RemoteDisconnected | ConnectionResetError
        ):
            return "it closed the connection in the middle of its answer"
        if isinstance(cause, OSError) and cause.strerror:
            return one_line(cause.strerror, 120)
        return one_line(str(cause), 120) or type(cause).__name__


def bad_answer(problem: urllib.error.HTTPError) -> Answer | Passing:
    """What a status of 300 and more means: come again, or a definite no."""
    headers = {name.lower(): value for name, value in problem.headers.items()}
    if problem.code not in PASSING:
        return Answer(status=problem.code, headers=headers)
    wait = headers.get("retry-after", "").strip()
    pause_s = float(wait) if wait.isascii() and wait.isdigit() else 0.0
    return Passing(
        why=f"it answered {problem.code} {one_line(str(problem.reason), 60)}".rstrip(), pause_s=pause_s
    )


def host_of(url: str) -> str:
    """The host of an address, with its scheme and port where they are given."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.netloc.rpartition("@")[2] if parts.scheme == "https" else f"{parts.scheme}://{parts.netloc}"

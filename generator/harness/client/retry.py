"""Asking again what can pass, with longer and longer waits, and nothing else."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from generator.harness.client.http import Connection, ConnectionLostError, Reply, RequestTimeoutError

PASSING_STATUS = frozenset({429, 502, 503, 504})


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """How often and how long.

    Attributes:
        attempts: in all, the first included.
        first_s: the wait behind the first attempt; it doubles.
        longest_s: no wait is longer, whatever the server asks for.
    """

    attempts: int
    first_s: float
    longest_s: float

    def wait_s(self, attempt: int, asked_s: float) -> float:
        """Seconds to wait behind attempt `attempt`, counted from 1; up to a half is left to chance."""
        wait_s: float = self.first_s * 2.0 ** (attempt - 1)
        # All that failed together must not come again together.
        spread = random.uniform(0.5, 1.0)  # noqa: S311 not a secret
        return min(self.longest_s, max(wait_s * spread, asked_s))


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A reply with status 200; latency in seconds is that of the last attempt."""

    body: bytes
    latency_s: float
    attempts: int


@dataclass(frozen=True, kw_only=True)
class Failed:
    """No answer; `status` is 0 when there was none at all."""

    reason: str
    status: int
    attempts: int


async def ask(
    connection: Connection,
    request: bytes,
    backoff: Backoff,
    on_trouble: Callable[[str], Awaitable[None]],
) -> Answered | Failed:
    """Send until there is an answer, or none can be had; `on_trouble` is told of each attempt that broke.

    Whatever `on_trouble` raises ends it.
    """
    clock = asyncio.get_running_loop().time
    outcome = Failed(reason="not asked", status=0, attempts=0)
    for attempt in range(1, backoff.attempts + 1):
        asked_s = 0.0
        began = clock()
        try:
            reply = await connection.send(request)
        except RequestTimeoutError as problem:
            # Not again: the server may still be at work on it, and would have it twice.
            return Failed(reason=str(problem), status=0, attempts=attempt)
        except ConnectionLostError as problem:
            outcome = Failed(reason=f"connection: {problem}", status=0, attempts=attempt)
            await on_trouble(outcome.reason)
        else:
            if reply.status == 200:
                return Answered(body=reply.body, latency_s=clock() - began, attempts=attempt)
            outcome = Failed(reason=_reason(reply), status=reply.status, attempts=attempt)
            if reply.status not in PASSING_STATUS:
                return outcome
            asked_s = reply.retry_after_s
        if attempt < backoff.attempts:
            await asyncio.sleep(backoff.wait_s(attempt, asked_s))
    return outcome


def _reason(reply: Reply) -> str:
    text = reply.body[:500].decode("utf-8", errors="replace")
    return f"status {reply.status}: {' '.join(text.split())}"

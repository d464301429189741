import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from generator.harness.client.http import (
    Connection,
    ConnectionLostError,
    Reply,
    RequestTimeoutError,
    encode_post,
    resolve,
)
from generator.harness.client.retry import Answered, Backoff, Failed, ask
from unit.harness.fake_peer import HANG, Asked, answer, peer

QUICK = Backoff(attempts=3, first_s=0.001, longest_s=0.01)


async def nothing(_reason: str) -> None:
    return


def exchange(url: str, bodies: tuple[bytes, ...], limit_s: float = 5.0) -> list[Reply]:
    target = resolve(url)

    async def go() -> list[Reply]:
        connection = Connection(target=target, limit_s=limit_s)
        try:
            return [await connection.send(encode_post(target, "/v1", body)) for body in bodies]
        finally:
            connection.close()

    return asyncio.run(go())


def asked(
    url: str,
    backoff: Backoff = QUICK,
    on_trouble: Callable[[str], Awaitable[None]] = nothing,
    limit_s: float = 5.0,
) -> Answered | Failed:
    target = resolve(url)

    async def go() -> Answered | Failed:
        connection = Connection(target=target, limit_s=limit_s)
        try:
            return await ask(connection, encode_post(target, "/v1", b"{}"), backoff, on_trouble)
        finally:
            connection.close()

    return asyncio.run(go())


def test_one_connection_serves_many_requests() -> None:
    with peer(lambda one: answer({"number": one.number})) as server:
        replies = exchange(server.url, (b"{}",) * 50)
        assert [reply.status for reply in replies] == [200] * 50
        assert replies[49].body == b'{"number": 50}'
        assert server.connections == 1


def test_a_body_arrives_as_it_was_sent() -> None:
    with peer(lambda one: answer(one.body)) as server:
        (reply,) = exchange(server.url, ('{"text": "é\\u0000\\n"}'.encode(),))
        assert reply.body == b'{"text": "\\u00e9\\u0000\\n"}'
        assert server.posts[0].path == "/v1"


def test_a_prefix_in_the_url_is_kept() -> None:
    with peer(lambda _: answer({})) as server:
        exchange(f"{server.url}/proxy/", (b"{}",))
        assert server.posts[0].path == "/proxy/v1"


def test_chunked_answers_are_put_together() -> None:
    chunked = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        b'4\r\n{"a"\r\n3;x=y\r\n: 1\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n'
    )
    with peer(lambda _: chunked) as server:
        replies = exchange(server.url, (b"{}", b"{}"))
        assert [reply.body for reply in replies] == [b'{"a": 1}', b'{"a": 1}']
        assert server.connections == 1


def test_an_answer_without_a_length_ends_with_the_connection() -> None:
    with peer(lambda _: b"HTTP/1.0 200 OK\r\n\r\n{}") as server:
        assert [reply.body for reply in exchange(server.url, (b"{}", b"{}"))] == [b"{}", b"{}"]
        assert server.connections == 2


def test_a_continue_in_front_is_skipped() -> None:
    with peer(lambda _: b"HTTP/1.1 100 Continue\r\n\r\n" + answer({"a": 1})) as server:
        assert exchange(server.url, (b"{}",))[0].body == b'{"a": 1}'


def test_a_server_that_closes_a_kept_connection_is_asked_again_on_a_new_one() -> None:
    def closes_every_third(one: Asked) -> bytes:
        return answer({}, extra="Connection: close\r\n") if one.number % 3 == 0 else answer({})

    def closes_silently(one: Asked) -> bytes:
        return b"" if one.number % 3 == 0 else answer({})

    with peer(closes_every_third) as server:
        assert len(exchange(server.url, (b"{}",) * 10)) == 10
        assert server.connections == 4
    with peer(closes_silently) as server:
        assert len(exchange(server.url, (b"{}",) * 10)) == 10


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\n{}",
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n{}",
    ],
)
def test_a_broken_answer_is_a_lost_connection(broken: bytes) -> None:
    with peer(lambda _: broken) as server, pytest.raises(ConnectionLostError):
        exchange(server.url, (b"{}",))


def test_nobody_there_is_a_lost_connection() -> None:
    with peer(lambda _: b"") as server:
        url = server.url
    with pytest.raises(ConnectionLostError):
        exchange(url, (b"{}",))


def test_an_answer_that_takes_too_long_is_a_timeout_and_the_next_request_works() -> None:
    with peer(lambda one: HANG if one.number == 1 else answer({})) as server:
        began = time.monotonic()
        with pytest.raises(RequestTimeoutError, match=r"0\.2 s"):
            exchange(server.url, (b"{}",), limit_s=0.2)
        assert time.monotonic() - began < 5
        assert exchange(server.url, (b"{}",))[0].status == 200


@pytest.mark.parametrize("url", ["localhost:30000", "ftp://localhost", "http://", ""])
def test_what_is_no_url_is_said_to_be_none(url: str) -> None:
    with pytest.raises(ValueError, match="not an http"):
        resolve(url)


def test_an_unknown_name_is_a_lost_connection() -> None:
    with pytest.raises(ConnectionLostError):
        resolve("http://no-such-host.invalid")


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_can_pass_is_asked_again(status: int) -> None:
    with peer(lambda one: answer({}, status=status) if one.number < 3 else answer({"a": 1})) as server:
        got = asked(server.url)
    assert isinstance(got, Answered)
    assert got.attempts == 3


@pytest.mark.parametrize("status", [400, 401, 404, 413, 500])
def test_what_cannot_pass_is_asked_once_and_its_reason_kept(status: int) -> None:
    with peer(lambda _: answer({"error": {"message": "too  long"}}, status=status)) as server:
        got = asked(server.url)
        assert len(server.posts) == 1
    assert got == Failed(
        reason=f'status {status}: {{"error": {{"message": "too long"}}}}', status=status, attempts=1
    )


def test_a_lost_connection_is_asked_again_until_the_attempts_are_used_up() -> None:
    troubles = []

    async def note(reason: str) -> None:
        troubles.append(reason)

    with peer(lambda _: b"") as server:
        got = asked(server.url, on_trouble=note)
    assert isinstance(got, Failed)
    assert got.attempts == 3
    assert len(troubles) == 3


def test_a_timeout_is_not_asked_again() -> None:
    with peer(lambda _: HANG) as server:
        got = asked(server.url, limit_s=0.1)
        assert isinstance(got, Failed)
        assert len(server.posts) == 1


def test_waits_double_up_to_the_longest_and_heed_the_server() -> None:
    backoff = Backoff(attempts=9, first_s=1, longest_s=10)
    assert 0.5 <= backoff.wait_s(1, 0) <= 1
    assert 2 <= backoff.wait_s(3, 0) <= 4
    assert backoff.wait_s(30, 0) == 10
    assert backoff.wait_s(1, 7) == 7
    assert backoff.wait_s(1, 3600) == 10


def test_retry_after_is_read() -> None:
    with peer(lambda _: answer({}, status=503, extra="Retry-After: 7\r\n")) as server:
        assert exchange(server.url, (b"{}",))[0].retry_after_s == 7
    with peer(lambda _: answer({}, status=503, extra="Retry-After: tomorrow\r\n")) as server:
        assert exchange(server.url, (b"{}",))[0].retry_after_s == 0

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from generator.harness.night.http import Answer, Asker, Question, Silence, Wanted, host_of
from generator.harness.night.night_file import Lookup
from unit.harness.night.night_fakes import Asked, Bench, Reply, bench, reply_json, serving


def asker(here: Bench, attempts: int = 3, timeout_s: float = 0.3) -> Asker:
    return Asker(here.world, Lookup(timeout_s=timeout_s, attempts=attempts))


def in_turn(*replies: Reply) -> Callable[[Asked], Reply]:
    turns: Iterator[Reply] = iter(replies)
    return lambda _: next(turns)


@pytest.mark.parametrize(
    "first",
    [
        Reply(status=500),
        Reply(status=503),
        Reply(status=429),
        Reply(way="close"),
        Reply(way="hang"),
        Reply(way="cut", body=b'{"a": "' + b"x" * 100 + b'"}'),
        Reply(body=b"<html>log in to the wireless network</html>"),
        Reply(body=b""),
        Reply(body=b"\xff\xfe\x00"),
        Reply(body=b"[" * 100_000),
    ],
)
def test_what_may_pass_is_asked_again(tmp_path: Path, first: Reply) -> None:
    here = bench(tmp_path, {})
    with serving(in_turn(first, reply_json({"a": 1}))) as server:
        answer = asker(here).ask(Question(url=server.address))
    assert answer == Answer(
        status=200, headers=answer.headers if isinstance(answer, Answer) else {}, body={"a": 1}
    )
    assert here.slept == [1.0]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(status=500), "it answered 500 Internal Server Error (3 attempts)"),
        (Reply(status=429), "it answered 429 Too Many Requests (3 attempts)"),
        (Reply(way="hang"), "it did not answer within 0.3 s (3 attempts)"),
        (Reply(way="close"), "it closed the connection in the middle of its answer (3 attempts)"),
        (
            Reply(way="cut", body=b"x" * 99),
            "it closed the connection in the middle of its answer (3 attempts)",
        ),
        (Reply(body=b"oops"), "it answered with something that is not JSON (4 bytes) (3 attempts)"),
    ],
)
def test_a_server_that_stays_broken_ends_in_silence_with_its_reason(
    tmp_path: Path, reply: Reply, why: str
) -> None:
    here = bench(tmp_path, {})
    with serving(lambda _: reply) as server:
        answer = asker(here).ask(Question(url=server.address))
        assert answer == Silence(why=f"{server.address}: {why}")
        assert len(server.asked) == 3
    assert here.slept == [1.0, 2.0]


def test_a_port_without_a_server(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    answer = asker(bench(tmp_path, {})).ask(Question(url=address))
    assert answer == Silence(why=f"{address}: Connection refused (3 attempts)")


def test_a_host_that_no_name_server_knows(tmp_path: Path) -> None:
    answer = asker(bench(tmp_path, {}), attempts=1).ask(Question(url="http://no-such-host.invalid"))
    assert isinstance(answer, Silence)
    assert answer.why.startswith("http://no-such-host.invalid: ")


def test_the_server_says_how_long_to_wait_but_not_for_ever(tmp_path: Path) -> None:
    here = bench(tmp_path, {})
    replies = in_turn(
        Reply(status=429, headers={"Retry-After": "7"}),
        Reply(status=503, headers={"Retry-After": "86400"}),
        reply_json({}),
    )
    with serving(replies) as server:
        assert isinstance(asker(here).ask(Question(url=server.address)), Answer)
    assert here.slept == [7.0, 30.0]


def test_a_definite_no_is_not_asked_again(tmp_path: Path) -> None:
    with serving(lambda _: Reply(status=404)) as server:
        answer = asker(bench(tmp_path, {})).ask(Question(url=server.address))
        assert len(server.asked) == 1
    assert isinstance(answer, Answer)
    assert answer.status == 404


def test_a_host_that_was_silent_is_not_waited_for_again(tmp_path: Path) -> None:
    with serving(lambda _: Reply(status=500)) as server:
        questions = asker(bench(tmp_path, {}))
        first = questions.ask(Question(url=f"{server.address}/a"))
        assert questions.ask(Question(url=f"{server.address}/b")) == first
        assert len(server.asked) == 3


def test_a_body_that_drips_gets_no_more_time_than_a_silent_server(tmp_path: Path) -> None:
    here = bench(tmp_path, {})
    patient = replace(here, world=replace(here.world, monotonic=time.monotonic))
    with serving(lambda _: Reply(way="drip", body=b"[" + b" " * 200 + b"]")) as server:
        start = time.monotonic()
        answer = asker(patient, attempts=1).ask(Question(url=server.address))
        assert time.monotonic() - start < 3
    assert answer == Silence(why=f"{server.address}: it did not answer within 0.3 s (1 attempt)")


def test_an_answer_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.harness.night.http.BODY_LIMIT_BYTES", 1024**2)
    with serving(lambda _: Reply(body=b" " * (1024**2 + 1))) as server:
        answer = asker(bench(tmp_path, {}), attempts=1).ask(Question(url=server.address))
    assert answer == Silence(why=f"{server.address}: it answered with more than 1 MiB (1 attempt)")


def test_a_token_follows_a_redirect_on_its_host_and_no_further(tmp_path: Path) -> None:
    signed = (("Authorization", "Bearer secret"),)
    with serving(lambda _: reply_json({"far": True})) as far, serving(redirecting(far.address)) as near:
        questions = asker(bench(tmp_path, {}))
        questions.ask(Question(url=f"{near.address}/here", headers=signed))
        questions.ask(Question(url=f"{near.address}/there", headers=signed))
        assert [asked.headers.get("authorization") for asked in near.asked] == ["Bearer secret"] * 3
        assert [asked.headers.get("authorization") for asked in far.asked] == [None]


def redirecting(far: str) -> Callable[[Asked], Reply]:
    def respond(asked: Asked) -> Reply:
        if asked.path == "/here":
            return Reply(status=307, headers={"Location": "/moved"})
        if asked.path == "/there":
            return Reply(status=302, headers={"Location": far})
        return reply_json({})

    return respond


def test_a_circle_of_redirects_comes_to_an_end(tmp_path: Path) -> None:
    with serving(lambda _: Reply(status=302, headers={"Location": "/again"})) as server:
        answer = asker(bench(tmp_path, {})).ask(Question(url=server.address))
    assert isinstance(answer, Answer)
    assert answer.status == 302


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "", "x"])
def test_only_http_is_asked(tmp_path: Path, url: str) -> None:
    assert asker(bench(tmp_path, {})).ask(Question(url=url)) == Silence(why=f"'{url}' is no http address")


def test_a_question_for_headers_alone_reads_no_body(tmp_path: Path) -> None:
    with serving(lambda _: Reply(headers={"X-Name": "v"}, body=b"no json")) as server:
        answer = asker(bench(tmp_path, {})).ask(Question(url=server.address, wanted=Wanted.HEADERS))
        assert server.asked[0].method == "HEAD"
    assert isinstance(answer, Answer)
    assert answer.headers["x-name"] == "v"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://user:word@hub.example/x", "hub.example"),
        ("http://127.0.0.1:1/x", "http://127.0.0.1:1"),
        ("http://[bad", ""),
    ],
)
def test_a_host_is_shown_without_a_password(url: str, host: str) -> None:
    assert host_of(url) == host

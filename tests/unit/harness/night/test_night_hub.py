from collections.abc import Callable
from pathlib import Path

import pytest

from generator.harness.night.http import Asker
from generator.harness.night.hub import Hub, OutOfReach, Reachable, Unknown
from generator.harness.night.night_file import Lookup
from unit.harness.night.night_fakes import Asked, Reply, bench, reply_json, serving

TOKEN = "hf_" + "s" * 20


def hub(folder: Path, address: str, token: str = "") -> Hub:
    environment = {"HF_ENDPOINT": f"{address}/", "HF_TOKEN": token}
    return Hub(Asker(bench(folder, environment).world, Lookup(timeout_s=0.3, attempts=2)))


def gated(way_in: Reply) -> Callable[[Asked], Reply]:
    return lambda asked: way_in if asked.path.endswith("/auth-check") else reply_json({"gated": "manual"})


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        (reply_json({"id": "o/m", "gated": False}), Reachable()),
        (Reply(status=404), OutOfReach(why="o/m: no such model repository, or it is private (404)")),
        (Reply(status=401), OutOfReach(why="o/m: no such model repository, or it is private (401)")),
        (Reply(status=403), OutOfReach(why="o/m: no access to the model repository (403)")),
        (reply_json({"disabled": True}), OutOfReach(why="o/m: the hub has disabled the model repository")),
        (reply_json([]), Unknown(why="o/m: the model hub answered 200, which says nothing")),
        (Reply(status=410), Unknown(why="o/m: the model hub answered 410, which says nothing")),
    ],
)
def test_what_the_hub_says_of_a_model(
    tmp_path: Path, reply: Reply, verdict: Reachable | OutOfReach | Unknown
) -> None:
    with serving(lambda _: reply) as server:
        assert hub(tmp_path, server.address).look_up(["o/m"]) == {"o/m": verdict}
        assert server.asked[0].path == "/api/models/o/m"


@pytest.mark.parametrize(
    "reply", [Reply(status=500), Reply(way="hang"), Reply(way="close"), Reply(body=b"{")]
)
def test_a_hub_that_does_not_answer_decides_nothing(tmp_path: Path, reply: Reply) -> None:
    with serving(lambda _: reply) as server:
        verdict = hub(tmp_path, server.address).look_up(["o/m"])["o/m"]
    assert isinstance(verdict, Unknown)
    assert verdict.why.startswith("the model hub did not answer: ")


@pytest.mark.parametrize(
    ("token", "way_in", "verdict"),
    [
        ("", Reply(), OutOfReach(why="o/m: the model is gated, and preflight has no HF_TOKEN that opens it")),
        (TOKEN, Reply(body=b"OK, not JSON"), Reachable()),
        (
            TOKEN,
            Reply(status=403),
            OutOfReach(why="o/m: the model is gated, and HF_TOKEN's account has not been let in"),
        ),
        (
            TOKEN,
            Reply(status=404),
            Unknown(why="o/m: the model is gated, and the hub does not say whether HF_TOKEN opens it"),
        ),
    ],
)
def test_a_gated_model_needs_a_token_that_opens_it(
    tmp_path: Path, token: str, way_in: Reply, verdict: Reachable | OutOfReach | Unknown
) -> None:
    with serving(gated(way_in)) as server:
        assert hub(tmp_path, server.address, token).look_up(["o/m"])["o/m"] == verdict


def test_an_expired_token_does_not_block_what_everyone_can_have(tmp_path: Path) -> None:
    def respond(asked: Asked) -> Reply:
        return Reply(status=401) if "authorization" in asked.headers else reply_json({"gated": False})

    with serving(respond) as server:
        verdict = hub(tmp_path, server.address, TOKEN).look_up(["o/m"])["o/m"]
    assert verdict == Reachable(note="the hub refuses HF_TOKEN: it has expired or is wrong")


@pytest.mark.parametrize("token", ["a\r\nX-Evil: 1", "süß"])
def test_a_token_that_is_no_header_is_left_out(tmp_path: Path, token: str) -> None:
    with serving(lambda _: reply_json({})) as server:
        assert hub(tmp_path, server.address, token).look_up(["o/m"])["o/m"] == Reachable()
        assert "authorization" not in server.asked[0].headers
        assert "x-evil" not in server.asked[0].headers


def test_a_path_on_the_machine_is_not_asked_about(tmp_path: Path) -> None:
    verdict = hub(tmp_path, "http://127.0.0.1:9").look_up(["/data/m"])["/data/m"]
    assert verdict == Reachable(note="/data/m is a path on the machine and was not looked up")


def test_sixty_models_and_a_dead_hub_take_no_hour(tmp_path: Path) -> None:
    with serving(lambda _: Reply(status=503)) as server:
        verdicts = hub(tmp_path, server.address).look_up(f"o/m{number}" for number in range(60))
        assert len(server.asked) <= 16
    assert len(verdicts) == 60
    assert all(isinstance(verdict, Unknown) for verdict in verdicts.values())


def test_a_model_is_asked_about_once(tmp_path: Path) -> None:
    with serving(lambda _: reply_json({})) as server:
        hub(tmp_path, server.address).look_up(["o/m", "o/m", "o/n"])
        assert len(server.asked) == 2


def test_a_gate_that_does_not_answer_decides_nothing(tmp_path: Path) -> None:
    with serving(gated(Reply(status=503))) as server:
        assert isinstance(hub(tmp_path, server.address, TOKEN).look_up(["o/m"])["o/m"], Unknown)

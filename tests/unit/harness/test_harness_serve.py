import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from generator.harness.cli import main
from generator.harness.serve import processes, state
from generator.harness.world import World

ENGINE = Path(__file__).with_name("fake_engine.py")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Desk:
    """Runs `serve` in one folder and remembers what was said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.worker_file = folder / "worker.pid"
        self.port = free_port()

    def world(self, out: io.StringIO) -> World:
        environment = {**os.environ, "WORKER_FILE": str(self.worker_file)}
        return World(folder=self.folder, out=out, environment=environment)

    def start(self, behaviour: str, *options: str, limit_s: float = 20) -> tuple[int, str]:
        out = io.StringIO()
        words = [
            "serve",
            "start",
            "--engine",
            "openai",
            "--model",
            "m",
            "--state",
            "server",
            "--port",
            str(self.port),
            "--launch-timeout-s",
            str(limit_s),
            "--program",
            f"{sys.executable} {ENGINE} {behaviour}",
            *options,
        ]
        return int(main(words, self.world(out))), out.getvalue()

    def stop(self) -> tuple[int, str]:
        out = io.StringIO()
        code = main(["serve", "stop", "--state", "server", "--grace-s", "1"], self.world(out))
        return int(code), out.getvalue()

    @property
    def state(self) -> state.ServerState:
        return state.load(self.folder / "server")

    @property
    def left(self) -> tuple[processes.Identity, ...]:
        return processes.marked(state.marker(self.folder / "server"))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.stop()


def test_start_waits_for_a_token_and_stop_leaves_nothing(desk: Desk) -> None:
    code, text = desk.start("well", "--", "--some-flag", "1")
    assert code == 0, text
    assert "openai 1.2.3 is ready" in text
    assert "loading weights" in text
    assert "weights loaded" in text
    known = desk.state
    assert known.phase is state.Phase.READY
    assert known.served_model == "fake"
    assert known.arguments == ("--some-flag", "1")
    assert known.healthy_after_s >= 0.3
    assert processes.is_running(known.process)
    assert os.getpgid(known.process.pid) == known.process.pid
    code, text = desk.stop()
    assert code == 0
    assert "server stopped" in text
    assert not desk.left
    assert desk.state.phase is state.Phase.STOPPED
    assert (desk.folder / "server" / "server.tail.log").read_text().splitlines()[-1] == "load weight end"


def test_stop_twice_and_stop_of_nothing_succeed(desk: Desk) -> None:
    assert desk.stop()[0] == 0
    desk.start("well")
    assert desk.stop()[0] == 0
    code, text = desk.stop()
    assert (code, text.strip()) == (0, "no server is running here")


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("dies-out-of-memory", "likely reason: out of memory (torch.OutOfMemoryError: HIP out of memory"),
        ("dies-of-argument", "likely reason: unknown argument"),
        ("dies-of-disk", "likely reason: disk full"),
        ("dies-of-nothing", "with exit code 1"),
        ("killed", "by signal 9"),
    ],
)
def test_a_death_is_noticed_at_once_with_its_likely_reason(desk: Desk, behaviour: str, reason: str) -> None:
    began = time.monotonic()
    code, text = desk.start(behaviour, limit_s=60)
    assert time.monotonic() - began < 10
    assert code == 4
    assert reason in text
    assert "help: " in text
    record = json.loads((desk.folder / "server" / "results.json").read_text())
    assert record["verdict"] == "not measured"
    assert reason in record["summary"]
    assert not desk.left


def test_the_last_lines_of_the_log_are_shown(desk: Desk) -> None:
    _, text = desk.start("dies-of-nothing")
    assert "  | bye" in text
    assert "loading weights: 50%" in text


def test_a_server_that_is_never_healthy_is_ended_in_time(desk: Desk) -> None:
    code, text = desk.start("never-healthy", limit_s=1)
    assert code == 4
    assert "not ready after 1 s: it did not say that it is healthy" in text
    assert not desk.left


def test_a_hang_behind_a_healthy_page_is_no_success(desk: Desk) -> None:
    code, text = desk.start("hangs", limit_s=2)
    assert code == 4
    assert "says that it is healthy and makes no token" in text
    assert not desk.left


@pytest.mark.parametrize("behaviour", ["family", "stubborn", "bare-worker"])
def test_workers_are_ended_too_in_another_group_or_without_the_mark(desk: Desk, behaviour: str) -> None:
    assert desk.start(behaviour)[0] == 0
    worker = processes.identify(int(desk.worker_file.read_text()))
    assert processes.is_running(worker)
    assert desk.stop()[0] == 0
    assert not processes.is_running(worker)
    assert not desk.left


def test_workers_are_ended_when_their_leader_was_killed(desk: Desk) -> None:
    desk.start("stubborn")
    worker = processes.identify(int(desk.worker_file.read_text()))
    os.kill(desk.state.process.pid, signal.SIGKILL)
    assert desk.stop()[0] == 0
    assert not processes.is_running(worker)


@pytest.mark.parametrize("text", ["", "{", '{"schema": 1, "phase": "rea', "[]", '{"schema": 99}', "\0" * 100])
def test_a_half_written_state_does_not_hide_the_server(desk: Desk, text: str) -> None:
    desk.start("family")
    leader = desk.state.process
    (desk.folder / "server" / "server.json").write_text(text)
    code, said = desk.start("well")
    assert code == 2
    assert "running already" in said
    code, said = desk.stop()
    assert code == 0
    assert "by their mark" in said
    assert not processes.is_running(leader)


def test_a_number_that_belongs_to_another_process_by_now_is_left_alone(desk: Desk) -> None:
    desk.start("well")
    desk.stop()
    known = state.load(desk.folder / "server")
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        stale = processes.Identity(pid=other.pid, started="1")
        state.save(desk.folder / "server", replace(known, process=stale, phase=state.Phase.READY))
        code, text = desk.stop()
        assert code == 0
        assert "left alone" in text
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_a_server_is_found_after_the_harness_itself_was_killed_while_starting_it(desk: Desk) -> None:
    words = [
        sys.executable,
        "-m",
        "generator.harness",
        "serve",
        "start",
        "--engine",
        "openai",
        "--model",
        "m",
        "--state",
        "server",
        "--port",
        str(desk.port),
        "--program",
        f"{sys.executable} {ENGINE} never-healthy",
    ]
    root = Path(__file__).parents[3]
    harness = subprocess.Popen(
        words, cwd=desk.folder, env={**os.environ, "PYTHONPATH": str(root)}, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 20
    while not desk.left and time.monotonic() < deadline:
        time.sleep(0.05)
    assert desk.left
    harness.kill()
    harness.wait()
    assert desk.left
    assert desk.stop()[0] == 0
    assert not desk.left


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_starting_ends_the_server_too(desk: Desk, number: signal.Signals) -> None:
    words = [
        sys.executable,
        "-m",
        "generator.harness",
        "serve",
        "start",
        "--engine",
        "openai",
        "--model",
        "m",
        "--state",
        "server",
        "--port",
        str(desk.port),
        "--program",
        f"{sys.executable} {ENGINE} never-healthy",
    ]
    root = Path(__file__).parents[3]
    harness = subprocess.Popen(
        words, cwd=desk.folder, env={**os.environ, "PYTHONPATH": str(root)}, stdout=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 20
    while not desk.left and time.monotonic() < deadline:
        time.sleep(0.05)
    harness.send_signal(number)
    text, _ = harness.communicate(timeout=20)
    assert harness.returncode == 4
    assert "interrupted" in text
    assert not desk.left


def test_a_port_in_use_is_told_before_the_launch(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", desk.port)):
        code, text = desk.start("well")
    assert code == 4
    assert f"port {desk.port}" in text
    assert not desk.left


def test_a_second_start_is_refused_and_the_first_server_lives_on(desk: Desk) -> None:
    desk.start("well")
    leader = desk.state.process
    code, text = desk.start("well")
    assert code == 2
    assert "serve stop --state" in text
    assert processes.is_running(leader)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--model", "/no/such/model"), 4, "checkpoint missing"),
        (("--program", "/no/such/program"), 4, "cannot be started"),
        (("--program", ""), 2, "no usual program"),
    ],
)
def test_what_cannot_be_started_says_so(desk: Desk, options: tuple[str, ...], code: int, words: str) -> None:
    got, text = desk.start("well", *options)
    assert got == code
    assert words in text


@pytest.mark.parametrize(
    "options", [("--port", "0"), ("--port", "x"), ("--launch-timeout-s", "-1"), ("--bogus",)]
)
def test_wrong_options_are_wrong_usage(desk: Desk, options: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ended:
        desk.start("well", *options)
    assert ended.value.code == 2


def test_a_failed_start_leaves_no_verdict_for_the_next(desk: Desk) -> None:
    desk.start("dies-of-nothing")
    assert (desk.folder / "server" / "results.json").exists()
    assert desk.start("well")[0] == 0
    assert not (desk.folder / "server" / "results.json").exists()

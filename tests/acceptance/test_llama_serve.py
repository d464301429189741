import socket
from pathlib import Path

import pytest

from acceptance.llama import MODELS, PROGRAM, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(folder=tmp_path)


def test_an_unknown_argument_is_named(bench: Bench) -> None:
    said = bench.start("--bogus-argument")
    assert said.code == 4
    assert "likely reason: unknown argument (error: invalid argument: --bogus-argument)" in said.text
    assert bench.is_clear


def test_a_file_that_is_no_checkpoint_is_named(bench: Bench) -> None:
    (bench.folder / "broken.gguf").write_bytes(b"GGUF" + b"\0" * 100)
    said = bench.start(model=str(bench.folder / "broken.gguf"))
    assert said.code == 4
    assert "likely reason: checkpoint" in said.text
    missing = bench.start(model="nowhere.gguf")
    assert missing.code == 4
    assert "checkpoint missing" in missing.text


def test_a_port_that_another_took_meanwhile_is_named(bench: Bench) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = bench.call(
            "serve",
            "start",
            "--engine",
            "llama.cpp",
            "--model",
            str(MODELS / "tiny-target.gguf"),
            "--state",
            "server",
            "--program",
            str(PROGRAM),
            "--port",
            str(port),
            "--launch-timeout-s",
            "20",
            "--",
            "--device",
            "none",
        )
    assert said.code == 4
    assert f"port {port}" in said.text
    assert bench.is_clear


def test_a_server_that_is_gone_is_told_before_any_question(bench: Bench) -> None:
    assert bench.start().code == 0
    assert bench.stop().code == 0
    said = bench.accuracy("--gate", "0.9")
    assert said.code == 4
    assert "is stopped, not ready" in said.text

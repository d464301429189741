import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
import requests

from acceptance.llama import PROTOCOL, Bench
from generator.harness.serve import processes


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    bench = Bench(folder=tmp_path_factory.mktemp("llama"))
    started = bench.start()
    assert started.code == 0, started.text
    yield bench
    assert bench.stop().code == 0
    assert bench.is_clear


def test_it_starts_in_a_moment_and_its_facts_are_kept(running: Bench) -> None:
    known = running.state
    assert known.healthy_after_s < 10
    assert known.version
    assert "--metrics" in known.command


def test_the_target_model_solves_nearly_all_and_passes(running: Bench) -> None:
    said = running.accuracy("--questions", "60", "--gate", "0.98")
    assert said.code == 0, said.text
    results = running.results()
    schema = json.loads((resources.files("generator.harness.reports") / "results.schema.json").read_text())
    jsonschema.validate(results, schema)
    assert results["counts"]["correct"] >= 59
    assert results["counts"]["ran_past_stop"] == 0
    assert results["server"]["version"] == running.state.version
    assert running.samples()[0]["evidence"]["timings"]["predicted_n"] > 0


def test_twice_the_same_is_the_same(running: Bench) -> None:
    for output in ("first", "second"):
        assert (
            running.accuracy("--questions", "30", "--gate", "0.9", "--concurrency", "1", output=output).code
            == 0
        )
    texts = [[sample["text"] for sample in running.samples(output)] for output in ("first", "second")]
    assert texts[0] == texts[1]


def test_a_hundred_requests_over_one_connection_lose_none(running: Bench) -> None:
    # llama-server closes a kept connection after a hundred requests.
    said = running.accuracy(
        "--questions", "130", "--gate", "0.9", "--concurrency", "1", "--attempts", "1", output="long"
    )
    assert said.code == 0, said.text
    assert running.results("long")["counts"]["failed"] == 0


def test_real_questions_of_gsm8k_go_from_end_to_end_twice_the_same(running: Bench) -> None:
    # So small a model solves none of them; that it is asked, read and scored the same twice is what counts.
    options = ("--data", "gsm8k", "--shots-from", "train", "--shots", "1", "--questions", "12", "--gate", "0")
    for output in ("gsm-1", "gsm-2"):
        said = running.accuracy(
            *options,
            "--gate-invalid-rate",
            "1",
            "--max-new-tokens",
            "48",
            "--concurrency",
            "1",
            output=output,
        )
        assert said.code in (0, 3), said.text
    first, second = running.samples("gsm-1"), running.samples("gsm-2")
    assert [sample["text"] for sample in first] == [sample["text"] for sample in second]
    assert first[0]["expected"] == "18"
    assert running.results("gsm-1")["protocol"]["data"] == "gsm8k/test"
    assert running.results("gsm-1")["protocol"]["shots_from"] == "gsm8k/train"


def test_a_limit_that_cuts_every_answer_ends_the_run_early(running: Bench) -> None:
    said = running.accuracy("--gate", "0.9", "--max-new-tokens", "4", output="short")
    assert said.code == 3
    assert running.results("short")["end"] == "all answers cut off"
    assert running.results("short")["counts"]["answered"] < 40


def test_the_chat_path_is_asked_too(running: Bench) -> None:
    # The model knows no conversations: what is shown is that the path works and says what it finds.
    said = running.accuracy(
        "--questions", "8", "--gate", "0", "--path", "chat", "--gate-invalid-rate", "1", output="chat"
    )
    assert said.code in (0, 3), said.text
    assert running.results("chat")["protocol"]["path"] == "chat"


class ForgetsStops(BaseHTTPRequestHandler):
    """Hands requests on without their stops, as a server does that runs past them."""

    upstream = ""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        return

    def _send(self, got: requests.Response) -> None:
        self.send_response(got.status_code)
        self.send_header("Content-Length", str(len(got.content)))
        self.end_headers()
        self.wfile.write(got.content)

    def do_GET(self) -> None:
        self._send(requests.get(self.upstream + self.path, timeout=10))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        del body["stop"]
        self._send(requests.post(self.upstream + self.path, json=body, timeout=60))


def test_a_stop_that_the_server_ignores_costs_no_accuracy_and_is_told(running: Bench) -> None:
    handler = type("Handler", (ForgetsStops,), {"upstream": running.state.url})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        said = running.call(
            "accuracy",
            "--url",
            f"http://127.0.0.1:{server.server_port}",
            "--engine",
            "llama.cpp",
            *PROTOCOL,
            "--questions",
            "30",
            "--gate",
            "0.95",
            "--concurrency",
            "4",
            "--output",
            "past",
        )
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert said.code == 0, said.text
    counts = running.results("past")["counts"]
    assert counts["ran_past_stop"] > 20
    assert "ran past the stop" in said.text
    uncut = [sample for sample in running.samples("past") if sample["ran_past_stop"]]
    assert all("\n\nQuestion" in sample["text"] for sample in uncut)


def test_the_draft_model_alone_regresses(tmp_path: Path) -> None:
    bench = Bench(folder=tmp_path)
    assert bench.start(model="tiny-draft.gguf").code == 0
    try:
        said = bench.accuracy("--questions", "40", "--gate", "0.9")
        assert said.code == 1, said.text
        assert bench.results()["verdict"] == "regressed"
        merged = bench.call("verdict", ".")
        assert merged.code == 1
        assert "| regressed | accuracy |" in merged.text
    finally:
        assert bench.stop().code == 0


def test_killed_server_and_killed_harness_lose_nothing(tmp_path: Path) -> None:
    bench = Bench(folder=tmp_path)
    assert bench.start().code == 0
    words = (
        "accuracy",
        "--server",
        "server",
        "--output",
        "out",
        *PROTOCOL,
        "--gate",
        "0.95",
        "--concurrency",
        "2",
        "--questions",
        "200",
        "--resume",
    )
    try:
        harness = bench.spawn(*words)
        first = wait_for_samples(bench, 15, harness)
        harness.kill()
        harness.communicate()
        # Half a line at the end, as a machine that loses power leaves it.
        with (bench.folder / "out" / "samples.jsonl").open("a") as file:
            file.write('{"index": 9, "quest')
        harness = bench.spawn(*words)
        wait_for_samples(bench, first + 15, harness)
        leader = bench.state.process
        processes.send((leader,), signal.SIGKILL)
        text, _ = harness.communicate(timeout=60)
        assert harness.returncode == 4, text
        assert "server died" in text
        assert "--resume" in text
        answered = len(bench.samples())
        assert bench.stop().code == 0
        assert bench.start().code == 0
        said = bench.call(*words)
        assert said.code == 0, said.text
        assert f"going on with an earlier run: {answered} of 200" in said.text
        assert [sample["index"] for sample in bench.samples()] == list(range(200))
        assert bench.results()["timing"]["resumed"] == answered
    finally:
        assert bench.stop().code == 0
        assert bench.is_clear


def wait_for_samples(bench: Bench, count: int, harness: subprocess.Popen[str]) -> int:
    deadline = time.monotonic() + 60
    path = bench.folder / "out" / "samples.jsonl"
    while time.monotonic() < deadline and harness.poll() is None:
        lines = path.read_bytes().count(b"\n") if path.exists() else 0
        if lines >= count:
            return lines
        time.sleep(0.02)
    raise AssertionError(f"no {count} answers in time: {harness.poll()}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_in_order(running: Bench, number: signal.Signals) -> None:
    output = f"signal-{number.name}"
    harness = running.spawn(
        "accuracy",
        "--server",
        "server",
        "--output",
        output,
        *PROTOCOL,
        "--gate",
        "0.95",
        "--concurrency",
        "2",
    )
    path = running.folder / output / "samples.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (path.exists() and path.stat().st_size):
        time.sleep(0.02)
    harness.send_signal(number)
    text, _ = harness.communicate(timeout=30)
    assert harness.returncode == 4, text
    results = running.results(output)
    assert results["end"] == "interrupted"
    assert results["verdict"] == "not measured"
    assert results["counts"]["answered"] == len(running.samples(output)) > 0


def test_the_program_runs_without_the_rest_of_the_package() -> None:
    code = (
        "import sys; from generator.harness.cli import build_parser; build_parser(); "
        "print(sorted({name.split('.')[0] for name in sys.modules} & "
        "{'typer', 'jinja2', 'ruamel', 'jsonschema', 'jsonschema_rs'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

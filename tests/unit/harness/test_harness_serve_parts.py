import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.harness.serve import gpu_memory, processes, state
from generator.harness.serve.diagnosis import diagnose, ending
from generator.harness.serve.engines import EngineName, Launch, command_line
from generator.harness.serve.logs import LogFollower, Milestone, MilestoneFilter, milestones, tail


def launch(engine: EngineName, program: str = "", arguments: tuple[str, ...] = ()) -> Launch:
    return Launch(engine=engine, model="m", host="127.0.0.1", port=1, program=program, arguments=arguments)


def test_each_engine_is_started_in_its_own_words() -> None:
    assert command_line(launch(EngineName.SGLANG, arguments=("--tp", "8"))) == (
        "python3",
        "-m",
        "sglang.launch_server",
        "--model-path",
        "m",
        "--host",
        "127.0.0.1",
        "--port",
        "1",
        "--tp",
        "8",
    )
    assert command_line(launch(EngineName.VLLM)) == (
        "python3",
        "-m",
        "vllm.entrypoints.openai.api_server",
        "--model",
        "m",
        "--host",
        "127.0.0.1",
        "--port",
        "1",
    )
    assert command_line(launch(EngineName.LLAMA_CPP, program="'/a b/llama' -x")) == (
        "/a b/llama",
        "-x",
        "--model",
        "m",
        "--host",
        "127.0.0.1",
        "--port",
        "1",
        "--metrics",
    )
    assert command_line(launch(EngineName.LLAMA_CPP, arguments=("--metrics",))).count("--metrics") == 1
    assert command_line(launch(EngineName.OPENAI)) == ()
    assert "m" not in command_line(launch(EngineName.OPENAI, program="x"))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate", "out of memory"),
        ("RuntimeError: HIP out of memory", "out of memory"),
        ("RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.", "out of memory"),
        ("ValueError: No available memory for the cache blocks.", "out of memory"),
        ("ggml_vulkan: Device memory allocation failed: ErrorOutOfDeviceMemory", "out of memory"),
        (
            "ValueError: Free memory on device (10/192 GiB) is less than desired GPU memory utilization",
            "out of memory",
        ),
        ("launch_server.py: error: unrecognized arguments: --foo", "unknown argument"),
        ("error: invalid argument: --bogus-arg", "unknown argument"),
        ("api_server.py: error: argument --dtype: invalid choice: 'x'", "unknown argument"),
        ("ValueError: Unknown quantization method: mxfp9", "quantization not supported here"),
        (
            "ValueError: The quantization method mxfp4 is not supported for the current GPU.",
            "quantization not supported here",
        ),
        ("hipErrorNoBinaryForGpu: no kernel image is available", "quantization not supported here"),
        ("OSError: [Errno 98] error while attempting to bind: address already in use", "port in use"),
        ("E srv start: couldn't bind HTTP server socket, hostname: 127.0.0.1", "port in use"),
        ("OSError: [Errno 28] No space left on device", "disk full"),
        (
            "E gguf_init_from_file: failed to open GGUF file '/x.gguf' (No such file or directory)",
            "checkpoint missing",
        ),
        ("OSError: org/name is not a local folder and is not a valid model identifier", "checkpoint missing"),
        ("huggingface_hub.errors.RepositoryNotFoundError: 401 Client Error.", "checkpoint missing"),
        ("ModuleNotFoundError: No module named 'sglang'", "program or module missing"),
    ],
)
def test_a_line_of_the_log_gives_the_likely_reason(line: str, reason: str) -> None:
    found = diagnose(["fine so far", line, "Traceback"], 1)
    assert (found.reason, found.evidence) == (reason, line)
    assert found.help


def test_the_cause_outweighs_its_consequence() -> None:
    lines = ["RuntimeError: CUDA out of memory", "OSError: [Errno 28] No space left on device"]
    assert diagnose(lines, 1).reason == "disk full"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (-9, "killed from outside"),
        (137, "killed from outside"),
        (-11, "crashed"),
        (-4, "built for another processor"),
    ],
)
def test_without_a_line_the_exit_code_speaks(code: int, reason: str) -> None:
    assert diagnose([], code).reason == reason
    assert diagnose(["All fine."], 1).reason == "unknown"


def test_an_unknown_reason_shows_the_last_error() -> None:
    found = diagnose(["ValueError: first", "RuntimeError: operator does not exist", "bye"], 1)
    assert (found.reason, found.evidence) == ("unknown", "RuntimeError: operator does not exist")


def test_endings_in_words() -> None:
    assert ending(-9) == "by signal 9"
    assert ending(3) == "with exit code 3"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "Loading safetensors checkpoint shards:  12% Completed | 20/163 [00:01<00:09]",
            "loading weights: 12%",
        ),
        ("[2026-01-01 TP0] Load weight begin. avail mem=190.2 GB", "loading weights"),
        ("Load weight end. type=DeepseekV3ForCausalLM", "weights loaded"),
        ("Capturing batches (bs=128 avail_mem=20 GB):  50%|#####     | 10/20", "capturing graphs: 50%"),
        ("Capturing CUDA graphs (decode, FULL):  66%|######6   | 2/3", "capturing graphs: 66%"),
        ("INFO Graph capturing finished in 20 secs", "graphs captured"),
        ("The server is fired up and ready to roll!", "listening"),
        ("INFO:     Application startup complete.", "listening"),
        ("srv llama_server: listening on http://127.0.0.1:18111", "listening"),
    ],
)
def test_milestones_of_three_engines(line: str, text: str) -> None:
    assert [str(milestone) for milestone in milestones(line)] == [text]


def test_ordinary_lines_are_no_milestones() -> None:
    assert not list(milestones("INFO: 127.0.0.1 - GET /health 200 OK"))


def test_a_percentage_is_told_each_ten() -> None:
    filter_ = MilestoneFilter()
    told = [
        p for p in (0, 4, 9, 10, 11, 55, 56, 99, 100, 100) if filter_.is_news(Milestone(text="x", percent=p))
    ]
    assert told == [0, 10, 55, 99, 100]


def test_a_log_is_followed_by_whole_lines_without_colours(tmp_path: Path) -> None:
    path = tmp_path / "log"
    follower = LogFollower(path=path)
    assert follower.new_lines() == ()
    path.write_bytes(b"\x1b[32mone\x1b[0m\r\ntw")
    assert follower.new_lines() == ("one",)
    with path.open("ab") as file:
        file.write(b"o\rthree\n\xff\n")
    assert follower.new_lines() == ("two", "three", "\ufffd")
    assert follower.new_lines() == ()


def test_the_end_of_a_huge_log_is_read_alone(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * 5_000_000 + b"\n" + b"".join(b"line %d\n" % n for n in range(1000)))
    assert tail(path, 2) == ("line 998", "line 999")
    assert tail(tmp_path / "none", 2) == ()


def test_a_process_is_told_from_a_later_one_with_its_number() -> None:
    own = processes.identify(os.getpid())
    assert processes.is_running(own)
    assert not processes.is_running(processes.Identity(pid=own.pid, started="1"))
    assert processes.identify(2**22 + 1) == processes.NOBODY
    assert not processes.is_running(processes.NOBODY)


def test_a_zombie_does_not_run() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert processes.identify(child.pid) == processes.NOBODY
    child.wait()


def test_the_family_of_a_reused_number_is_not_found() -> None:
    own = processes.identify(os.getpid())
    assert processes.family(processes.Identity(pid=own.pid, started="1")) == ()
    assert own in processes.family(own)


def test_state_survives_being_written_and_read(tmp_path: Path) -> None:
    one = state.ServerState(
        phase=state.Phase.READY,
        engine=EngineName.SGLANG,
        model="m",
        url="http://x",
        command=("a",),
        arguments=("b",),
        process=processes.Identity(pid=5, started="6"),
        version="1",
        served_model="s",
        healthy_after_s=1.5,
        gpu_memory_used_mib=(1, 2),
    )
    state.save(tmp_path / "new", one)
    assert state.load(tmp_path / "new") == one
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["server.json"]
    with pytest.raises(state.NoStateError):
        state.load(tmp_path / "none")


def test_gpu_memory_is_read_from_the_tool_that_is_there(tmp_path: Path) -> None:
    assert gpu_memory.parse_nvidia("1024\n 12 \n") == (1024, 12)
    assert gpu_memory.parse_nvidia("No devices were found\n") == ()
    cards = ", ".join(f'"card{n}": {{"VRAM Total Used Memory (B)": "{n * 1048576}"}}' for n in (10, 2))
    assert gpu_memory.parse_rocm(f'{{{cards}, "system": {{}}}}') == (2, 10)
    assert gpu_memory.parse_rocm("") == ()
    assert gpu_memory.parse_rocm('{"card0": {}}') == ()
    assert gpu_memory.used_mib({"PATH": str(tmp_path)}) == ()
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 77\n")
    tool.chmod(0o755)
    assert gpu_memory.used_mib({"PATH": str(tmp_path)}) == (77,)
    tool.write_text("#!/bin/sh\necho 77\nexit 9\n")
    assert gpu_memory.used_mib({"PATH": str(tmp_path)}) == ()

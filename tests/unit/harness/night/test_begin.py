from pathlib import Path

import pytest

from unit.harness.night.night_fakes import Bench, bench, printing, put_tool

AMD_SMI = '{"gpu_data": [%s]}'
AMD_GPU = (
    '{"gpu": %d, "mem_usage": {"total_vram": {"value": 196592, "unit": "MB"},'
    ' "used_vram": {"value": %d, "unit": "MB"}, "free_vram": {"value": 0, "unit": "MB"}}}'
)
SHOWPIDS = """

============================ ROCm System Management Interface ============================
===================================== KFD Processes ======================================
KFD process information:
PID    \tPROCESS NAME\tGPU(s)\tVRAM USED\tSDMA USED\tCU OCCUPANCY\t
3722222\ttest_ref        0\t0               0               0
1168514 pt_main_thread  1       177386942464    0               4
==========================================================================================
================================== End of ROCm SMI Log ===================================
"""


def amd_smi(*used_mb: int) -> str:
    return AMD_SMI % ", ".join(AMD_GPU % (index, used) for index, used in enumerate(used_mb))


def begin(folder: Path, *argv: str, **environment: str) -> tuple[int, Bench]:
    (folder / "sys").mkdir(exist_ok=True)
    here = bench(
        folder,
        {"PATH": str(folder / "bin"), "NIGHTGRID_SYS": str(folder / "sys"), **environment},
    )
    code = here.run("begin", "--results", "results", "--wait-s", "12", "--tool-timeout-s", "5", *argv)
    return code, here


def mi30x(folder: Path, gpus: int = 8, *used_mb: int) -> None:
    put_tool(folder / "bin", "rocm_agent_enumerator", printing("gfx000\n" + "gfx942\n" * gpus))
    put_tool(folder / "bin", "amd-smi", printing(amd_smi(*(used_mb or (300,) * gpus))))


def test_a_machine_as_its_label_says(tmp_path: Path) -> None:
    mi30x(tmp_path)
    code, here = begin(tmp_path, "--isa", "gfx942", "--gpus", "8", "--min-free-memory", "0.9")
    assert code == 0
    assert here.outputs == {"started": "1796061600"}
    assert here.log == "begin: the machine is as its label says: 8 x gfx942\n"
    assert list((tmp_path / "results").iterdir()) == []


def test_a_label_that_lies(tmp_path: Path) -> None:
    mi30x(tmp_path)
    argv = ("--isa", "gfx950", "--gpus", "8", "--hardware", "mi35x")
    code, here = begin(tmp_path, *argv, RUNNER_NAME="amd-07")
    assert code == 4
    message = (
        "runner amd-07: the label says mi35x (gfx950), this machine has 8 x gfx942: the runner label lies"
    )
    assert f"error: {message}" in here.log
    assert here.outputs == {"started": "1796061600", "why": message}
    assert "::error title=The machine::runner amd-07" in here.log
    assert "the runner label lies" in here.summary


def test_too_few_gpus(tmp_path: Path) -> None:
    mi30x(tmp_path, 6)
    code, here = begin(tmp_path, "--isa", "GFX942", "--gpus", "8")
    assert code == 4
    assert "this job needs 8 x GFX942, this machine shows 6 x gfx942" in here.log


def test_memory_that_a_killed_job_left_behind_names_its_process(tmp_path: Path) -> None:
    mi30x(tmp_path, 2, 300, 180_000)
    put_tool(tmp_path / "bin", "rocm-smi", printing(SHOWPIDS))
    code, here = begin(tmp_path, "--isa", "gfx942", "--gpus", "2", "--min-free-memory", "0.9")
    assert code == 4
    assert (
        "error: 2 GPUs must have 90% of memory free, but GPU 1 has 8%; "
        "held by process 1168514 (pt_main_thread, 177.4 GB)"
    ) in here.log
    assert here.slept == [5.0, 5.0, 5.0]


def test_memory_that_comes_free_in_time_is_waited_for(tmp_path: Path) -> None:
    mi30x(tmp_path, 1)
    flag = tmp_path / "asked"
    first = f': > "{flag}"; {printing(amd_smi(190_000))}'
    script = f'if [ -e "{flag}" ]; then {printing(amd_smi(0))}; else {first}; fi'
    put_tool(tmp_path / "bin", "amd-smi", script)
    code, here = begin(tmp_path, "--isa", "gfx942", "--min-free-memory", "0.9")
    assert code == 0
    assert here.slept == [5.0]


@pytest.mark.parametrize(("visible", "code"), [("0", 0), ("1", 4), ("GPU-uuid", 0), ("", 0), ("7", 4)])
def test_a_job_on_a_shared_machine_looks_at_its_own_gpu(tmp_path: Path, visible: str, code: int) -> None:
    mi30x(tmp_path, 2, 300, 180_000)
    argv = ("--isa", "gfx942", "--gpus", "1", "--min-free-memory", "0.9")
    assert begin(tmp_path, *argv, ROCR_VISIBLE_DEVICES=visible)[0] == code


def test_a_machine_without_any_tool_or_gpu(tmp_path: Path) -> None:
    code, here = begin(tmp_path, "--isa", "gfx942", "--gpus", "8", "--hardware", "mi30x")
    assert code == 4
    assert (
        "error: the label says mi30x (gfx942), and no GPU was found on this machine: "
        "rocm_agent_enumerator is not installed; rocminfo is not installed; the kernel lists no AMD GPU; "
        "nvidia-smi is not installed"
    ) in here.log


def test_tools_that_see_no_gpu(tmp_path: Path) -> None:
    put_tool(tmp_path / "bin", "rocm_agent_enumerator", printing("gfx000\n"))
    put_tool(
        tmp_path / "bin", "rocminfo", 'echo "ROCk module is NOT loaded, possibly no GPU devices" >&2; exit 1'
    )
    code, here = begin(tmp_path, "--isa", "gfx942")
    assert code == 4
    assert "rocm_agent_enumerator lists no GPU; rocminfo ended with 1: ROCk module is NOT loaded" in here.log


def test_a_hung_driver_is_named_and_not_waited_for(tmp_path: Path) -> None:
    put_tool(tmp_path / "bin", "rocm_agent_enumerator", "/bin/sleep 60 & wait")
    code, here = begin(tmp_path, "--isa", "gfx942", "--tool-timeout-s", "0.2")
    assert code == 4
    assert "rocm_agent_enumerator did not come back within 0.2 s: its driver hangs" in here.log


def test_a_tool_that_is_no_program(tmp_path: Path) -> None:
    put_tool(tmp_path / "bin", "rocm_agent_enumerator", "")
    (tmp_path / "bin" / "rocm_agent_enumerator").write_bytes(b"\x7fELF garbage")
    code, here = begin(tmp_path, "--isa", "gfx942")
    assert code == 4
    assert "rocm_agent_enumerator cannot be started: Exec format error" in here.log


def test_amd_was_asked_for_and_nvidia_is_there(tmp_path: Path) -> None:
    put_tool(tmp_path / "bin", "nvidia-smi", printing("0, 9.0, 143771, 1\n"))
    code, here = begin(tmp_path, "--isa", "gfx942")
    assert code == 4
    assert "the label says gfx942, this machine has 1 x sm_90: the runner label lies" in here.log


def nvidia(folder: Path, gpus: str, processes: str = "") -> None:
    script = f'case "$1" in *compute-apps*) {printing(processes)};; *) {printing(gpus)};; esac'
    put_tool(folder / "bin", "nvidia-smi", script)


def test_an_nvidia_machine(tmp_path: Path) -> None:
    nvidia(tmp_path, "0, 10.3, 275040, 4\n1, 10.3, 275040, 4\n")
    argv = ("--isa", "sm_103", "--gpus", "2", "--min-free-memory", "0.95")
    code, here = begin(tmp_path, *argv)
    assert code == 0
    assert "2 x sm_103" in here.log


def test_nvidia_memory_that_is_held(tmp_path: Path) -> None:
    nvidia(
        tmp_path,
        "0, 10.3, 275040, 270000\n",
        "4321, /usr/bin/python3, 270000\n77, /opt/a,b/server, [N/A]\nNo running processes\n",
    )
    code, here = begin(tmp_path, "--isa", "sm_103", "--min-free-memory", "0.9")
    assert code == 4
    assert (
        "GPU 0 has 2%; held by process 4321 (python3, 263.7 GiB), 77 (server, an unknown amount)" in here.log
    )


def test_memory_that_nobody_tells_is_no_pass(tmp_path: Path) -> None:
    nvidia(tmp_path, "0, 12.1, [N/A], [N/A]\n")
    code, here = begin(tmp_path, "--isa", "sm_121", "--min-free-memory", "0.9")
    assert code == 4
    assert "nobody tells how much GPU memory is free" in here.log
    assert here.slept == []
    assert begin(tmp_path, "--isa", "sm_121", "--min-free-memory", "0")[0] == 0


def test_a_job_without_gpus_looks_at_nothing(tmp_path: Path) -> None:
    code, here = begin(tmp_path, "--isa", "none", "--gpus", "0")
    assert code == 0
    assert here.outputs == {"started": "1796061600"}


def test_results_of_an_earlier_job_are_gone(tmp_path: Path) -> None:
    old = tmp_path / "results" / "accuracy" / "summary.md"
    old.parent.mkdir(parents=True)
    old.write_text("yesterday")
    assert begin(tmp_path, "--isa", "none")[0] == 0
    assert list((tmp_path / "results").iterdir()) == []


def test_a_link_is_removed_and_what_it_points_to_is_kept(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "model").write_text("1.5 TB")
    (tmp_path / "results").symlink_to(tmp_path / "kept")
    assert begin(tmp_path, "--isa", "none")[0] == 0
    assert (tmp_path / "kept" / "model").exists()
    assert not (tmp_path / "results").is_symlink()


@pytest.mark.parametrize("name", [".", "..", "/", "~here/..", "repo", "file"])
def test_what_is_more_than_results_is_never_emptied(tmp_path: Path, name: str) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "~here").mkdir()
    (tmp_path / "file").write_text("x")
    here = bench(tmp_path, {})
    assert here.run("begin", "--isa", "none", "--results", name) == 2
    assert (tmp_path / "repo" / ".git").exists()
    assert (tmp_path / "file").read_text() == "x"
    assert here.outputs["started"] == "1796061600"


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("--isa",),
        ("--isa", "gfx942", "--gpus", "eight"),
        ("--isa", "gfx942", "--gpus", "-1"),
        ("--isa", "gfx942", "--min-free-memory", "90"),
        ("--isa", "gfx942", "--min-free-memory", "nan"),
        ("--isa", "gfx942", "--wait-s", "inf"),
    ],
)
def test_wrong_usage(tmp_path: Path, argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        begin(tmp_path, *argv)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_nvidia_smi_without_a_gpu(tmp_path: Path) -> None:
    nvidia(tmp_path, "No devices were found\n")
    code, here = begin(tmp_path, "--isa", "sm_103")
    assert code == 4
    assert "nvidia-smi lists no GPU" in here.log


def test_a_results_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    here = bench(tmp_path, {})
    assert here.run("begin", "--isa", "none", "--results", "file/results") == 4
    assert "error: the results folder file/results cannot be emptied" in here.log


def test_a_link_to_the_working_folder_itself_is_only_removed(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("x")
    (tmp_path / "results").symlink_to(tmp_path)
    assert begin(tmp_path, "--isa", "none")[0] == 0
    assert (tmp_path / "kept").exists()
    assert list((tmp_path / "results").iterdir()) == []

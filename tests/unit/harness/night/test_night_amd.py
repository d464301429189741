from pathlib import Path

import pytest

from generator.harness.night.amd import (
    probe_amd,
    read_amd_smi,
    read_enumerator,
    read_processes,
    read_rocm_smi,
    read_rocminfo,
)
from generator.harness.night.gpus import Holder, Memory
from generator.harness.night.kernel import isa_of, kernel_holders, kernel_isas, kernel_memories
from generator.harness.night.nvidia import read_gpus
from generator.harness.night.tools import Toolbox
from unit.harness.night.night_fakes import bench, printing, put_tool

ROCMINFO = """ROCk module version 6.10.5 is loaded
=====================
HSA System Attributes
=====================
Runtime Version:         1.15
==========
HSA Agents
==========
*******
Agent 1
*******
  Name:                    AMD EPYC 9654 96-Core Processor
  Uuid:                    CPU-XX
  Device Type:             CPU
*******
Agent 2
*******
  Name:                    gfx950
  Uuid:                    GPU-1a2b3c
  Marketing Name:          AMD Instinct MI355X
  Device Type:             GPU
  ISA Info:
    ISA 1
      Name:                    amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-
    ISA 2
      Name:                    amdgcn-amd-amdhsa--gfx9-4-generic:sramecc+:xnack-
*** Done ***
"""


def test_rocminfo_counts_agents_and_not_isas() -> None:
    assert read_rocminfo(ROCMINFO) == ("gfx950",)
    assert read_rocminfo(ROCMINFO.replace("\n", "\r\n")) == ("gfx950",)


@pytest.mark.parametrize(
    ("text", "isas"),
    [
        ("gfx000\ngfx942\ngfx942\n", ("gfx942", "gfx942")),
        ("gfx90a:sramecc+:xnack-\r\n", ("gfx90a",)),
        ("", ()),
        ("Traceback (most recent call last):\n  gfx942 broke\n", ()),
    ],
)
def test_the_enumerator(text: str, isas: tuple[str, ...]) -> None:
    assert read_enumerator(text) == isas


@pytest.mark.parametrize(
    "text",
    [
        '[{"mem_usage": {"total_vram": {"value": 1000}, "used_vram": {"value": 250, "unit": "MB"}}}]',
        '{"gpu_data": [{"mem_usage": {"total_vram": {"value": 1, "unit": "GB"}, "used_vram": 250}}]}',
        'WARNING: you miss the group render\n[{"mem_usage": {"total_vram": 1000, "used_vram": 250}}]',
    ],
)
def test_amd_smi_of_several_releases(text: str) -> None:
    assert read_amd_smi(text)[0].free_fraction == pytest.approx(0.75)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        "not json",
        '{"gpu_data": 5}',
        '[{"mem_usage": {"total_vram": "N/A", "used_vram": "N/A"}}]',
        '[{"mem_usage": {"total_vram": 0, "used_vram": 0}}]',
        '[{"mem_usage": {"total_vram": true, "used_vram": 1}}]',
        "[" * 50_000,
    ],
)
def test_amd_smi_that_tells_nothing(text: str) -> None:
    assert read_amd_smi(text) == ()


def test_rocm_smi_memory() -> None:
    text = (
        "WARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status\n\n"
        '{"card0": {"VRAM Total Memory (B)": "206141652992", "VRAM Total Used Memory (B)": "0"},'
        ' "card10": {"VRAM Total Memory (B)": "100", "VRAM Total Used Memory (B)": "40"},'
        ' "system": {"Driver version": "6.10.5"}, "card2": {"VRAM Total Memory (B)": "N/A"}}'
    )
    assert read_rocm_smi(text) == (
        Memory(index=0, total=206141652992, used=0),
        Memory(index=10, total=100, used=40),
    )


def test_processes_that_hold_nothing_do_not_count() -> None:
    text = (
        "get_compute_process_info_by_pid, Not supported on the given system\n"
        "PID     PROCESS NAME    GPU(s)  VRAM USED       SDMA USED       CU OCCUPANCY\n"
        "1       idle            0       0               0               0\n"
        "55573   gmx mpi         1       UNKNOWN         UNKNOWN         UNKNOWN\n"
    )
    assert read_processes(text) == (Holder(pid=55573, name="gmx mpi", held="an unknown amount"),)


@pytest.mark.parametrize(
    ("version", "isa"), [(90402, "gfx942"), (90500, "gfx950"), (90010, "gfx90a"), (110501, "gfx1151")]
)
def test_the_kernels_number_of_an_isa(version: int, isa: str) -> None:
    assert isa_of(version) == isa


def put(sysfs: Path, name: str, text: str) -> None:
    file = sysfs / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def kernel(sysfs: Path) -> None:
    nodes = "class/kfd/kfd/topology/nodes"
    put(sysfs, f"{nodes}/0/properties", "cpu_cores_count 96\nsimd_count 0\ngfx_target_version 0\n")
    for node in ("1", "2", "10"):
        put(sysfs, f"{nodes}/{node}/properties", "simd_count 1216\ngfx_target_version 90402\n")
    for card in ("card1", "card2", "card10"):
        put(sysfs, f"class/drm/{card}/device/mem_info_vram_total", "1000\n")
        put(sysfs, f"class/drm/{card}/device/mem_info_vram_used", "100\n")
    put(sysfs, "class/drm/card0/device/vendor", "0x1a03\n")
    put(sysfs, "class/drm/card1-DP-1/status", "connected\n")
    put(sysfs, "class/kfd/kfd/proc/4242/vram_1", "3000000000\n")
    put(sysfs, "class/kfd/kfd/proc/4242/vram_2", "2000000000\n")
    put(sysfs, "class/kfd/kfd/proc/17/vram_1", "0\n")


def test_the_kernel_needs_no_tool(tmp_path: Path) -> None:
    kernel(tmp_path)
    assert kernel_isas(tmp_path) == ("gfx942",) * 3
    assert [memory.free_fraction for memory in kernel_memories(tmp_path)] == pytest.approx([0.9] * 3)
    assert kernel_holders(tmp_path) == (Holder(pid=4242, name="", held="5.0 GB"),)


def test_a_kernel_without_gpus(tmp_path: Path) -> None:
    assert kernel_isas(tmp_path) == ()
    assert kernel_memories(tmp_path) == ()
    assert kernel_holders(tmp_path) == ()


def test_each_question_goes_on_to_the_next_source(tmp_path: Path) -> None:
    kernel(tmp_path / "sys")
    bin_ = tmp_path / "bin"
    put_tool(bin_, "rocm_agent_enumerator", "exit 3")
    put_tool(bin_, "rocminfo", printing(ROCMINFO))
    put_tool(bin_, "amd-smi", printing("[]"))
    world = bench(tmp_path, {"PATH": str(bin_)}).world
    probe = probe_amd(Toolbox(world=world, timeout_s=5), tmp_path / "sys")
    assert probe.isas == ("gfx950",)
    assert len(probe.memories) == 3
    assert probe.holders[0].pid == 4242
    assert probe.troubles == (
        "rocm_agent_enumerator ended with 3",
        "amd-smi tells no memory",
        "rocm-smi is not installed",
    )


def test_nvidia_lines_that_are_none() -> None:
    assert read_gpus("Failed to initialize NVML: Driver/library version mismatch\n") == ((), ())
    assert read_gpus("0, [N/A], 1, 0\n") == ((), (Memory(index=0, total=1, used=0),))

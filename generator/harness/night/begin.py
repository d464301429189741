"""`begin`: the first step of a job, on the runner itself.

Empties the results folder, notes the time, and refuses a machine that is not what its label says before
anything expensive starts. NIGHTGRID_SYS, where set, is read instead of /sys.
"""

import argparse
from pathlib import Path

from generator.harness.night.amd import probe_amd
from generator.harness.night.console import annotate, say
from generator.harness.night.github_files import append_summary, write_outputs
from generator.harness.night.gpus import Probe
from generator.harness.night.machine import Complaint, Demand, complaint_on_gpus, complaint_on_memory, listed
from generator.harness.night.nvidia import probe_nvidia
from generator.harness.night.results_folder import clear_results
from generator.harness.night.text import cell, one_line
from generator.harness.night.tools import Toolbox
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.world import World

NO_GPUS = "none"
PAUSE_S = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--isa", required=True, help="such as gfx942 or sm_103; none: a machine without GPUs")
    parser.add_argument("--gpus", type=gpu_count, default=0, help="how many GPUs the job needs")
    parser.add_argument(
        "--min-free-memory",
        type=fraction,
        default=0.0,
        metavar="PART",
        help="the part of each GPU's memory that must be free, such as 0.9; 0: do not look",
    )
    parser.add_argument("--hardware", default="", help="the name of the hardware, for messages")
    parser.add_argument("--results", required=True, metavar="FOLDER", help="the folder to empty")
    parser.add_argument(
        "--wait-s", type=seconds, default=30.0, help="how long to wait for an ended job's memory (default 30)"
    )
    parser.add_argument(
        "--tool-timeout-s", type=seconds, default=60.0, help="how long one tool may take (default 60)"
    )


def run(arguments: argparse.Namespace, world: World) -> Outcome:
    """Note the start, then look at the machine."""
    write_outputs(world, {"started": str(int(world.now()))})
    try:
        clear_results(world, arguments.results)
        found = look_at_machine(arguments, world)
    except HarnessError as problem:
        write_outputs(world, {"why": one_line(problem.message)})
        append_summary(world, f"**{cell(problem.message)}** {cell(problem.help)}\n\n")
        annotate(world, "error", "The machine", f"{problem.message} {problem.help}")
        raise
    say(world, found)
    return Outcome.FINE


def look_at_machine(arguments: argparse.Namespace, world: World) -> str:
    """A sentence on a machine that is as it should be.

    Raises:
        HarnessError: OUTSIDE, for a machine that is not.
    """
    if arguments.isa.casefold() == NO_GPUS:
        return "begin: the job needs no GPU; nothing was looked at"
    demand = Demand(
        isa=arguments.isa,
        gpus=max(1, arguments.gpus),
        min_free_memory=arguments.min_free_memory,
        hardware=arguments.hardware,
    )
    toolbox = Toolbox(world=world, timeout_s=arguments.tool_timeout_s)
    probes = probe_all(toolbox, demand)
    refuse(complaint_on_gpus(demand, probes), world)
    wait_for_memory(demand, toolbox, probes[0], arguments.wait_s)
    isas = [isa for probe in probes for isa in probe.isas]
    return f"begin: the machine is as its label says: {listed(isas)}"


def probe_all(toolbox: Toolbox, demand: Demand) -> tuple[Probe, ...]:
    """The demanded vendor first; the other one only where the first has nothing, to name what is there."""
    first = probe_demanded(toolbox, demand)
    if first.isas:
        return (first,)
    other = probe_amd(toolbox, sysfs_of(toolbox)) if is_nvidia(demand) else probe_nvidia(toolbox)
    return (first, other)


def probe_demanded(toolbox: Toolbox, demand: Demand) -> Probe:
    """What the tools of the demanded vendor say."""
    return probe_nvidia(toolbox) if is_nvidia(demand) else probe_amd(toolbox, sysfs_of(toolbox))


def is_nvidia(demand: Demand) -> bool:
    """Whether the ISA is one of NVIDIA's."""
    return demand.isa.casefold().startswith("sm_")


def sysfs_of(toolbox: Toolbox) -> Path:
    """The folder that the kernel speaks through."""
    return Path(toolbox.world.environment.get("NIGHTGRID_SYS", "") or "/sys")


def wait_for_memory(demand: Demand, toolbox: Toolbox, probe: Probe, wait_s: float) -> None:
    """Look at the memory until it is free: a driver needs seconds to take back what a killed job held."""
    if demand.min_free_memory <= 0:
        return
    world = toolbox.world
    end_s = world.monotonic() + wait_s
    complaint = complaint_on_memory(demand, probe, world.environment)
    while complaint and probe.memories and world.monotonic() < end_s:
        say(world, f"begin: waiting, for {complaint[0].message}")
        world.sleep(PAUSE_S)
        probe = probe_demanded(toolbox, demand)
        complaint = complaint_on_memory(demand, probe, world.environment)
    refuse(complaint, world)


def refuse(complaints: tuple[Complaint, ...], world: World) -> None:
    """End the job where there is something to complain about."""
    for complaint in complaints:
        runner = world.environment.get("RUNNER_NAME", "")
        place = f"runner {one_line(runner, 80)}: " if runner else ""
        raise HarnessError(Outcome.OUTSIDE, f"{place}{complaint.message}", complaint.help)


def gpu_count(text: str) -> int:
    """A number of GPUs from the command line."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return number


def fraction(text: str) -> float:
    """A part from 0 to 1 from the command line."""
    part = float(text)
    if not 0 <= part <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return part


def seconds(text: str) -> float:
    """A time from the command line."""
    time_s = float(text)
    if not 0 <= time_s < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no number of seconds")
    return time_s

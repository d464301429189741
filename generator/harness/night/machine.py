"""Whether a machine is what its runner label says."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from generator.harness.night.gpus import Holder, Memory, Probe
from generator.harness.night.text import count, one_line

# A job that shares a machine is told by one of these which GPUs are its own.
VISIBLE = ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES")
NAMED = 5


@dataclass(frozen=True, kw_only=True)
class Demand:
    """What a job needs of its machine.

    Attributes:
        hardware: the name behind the label, for messages; may be empty.
        min_free_memory: the part of each GPU's memory that must be free, 0 to 1.
    """

    isa: str
    gpus: int
    min_free_memory: float
    hardware: str


@dataclass(frozen=True, kw_only=True)
class Complaint:
    """What is wrong with a machine, and what to do about it."""

    message: str
    help: str


def complaint_on_gpus(demand: Demand, probes: tuple[Probe, ...]) -> tuple[Complaint, ...]:
    """What is wrong with the kind and the number of the GPUs; empty when nothing is."""
    isas = [isa for probe in probes for isa in probe.isas]
    label = f"{demand.hardware} ({demand.isa})" if demand.hardware else demand.isa
    if not isas:
        troubles = "; ".join(trouble for probe in probes for trouble in probe.troubles)
        return (
            Complaint(
                message=f"the label says {label}, and no GPU was found on this machine: {troubles}",
                help="Take the machine out of the pool until its driver lists its GPUs again.",
            ),
        )
    matching = sum(isa.casefold() == demand.isa.casefold() for isa in isas)
    if matching == 0:
        return (
            Complaint(
                message=f"the label says {label}, this machine has {listed(isas)}: the runner label lies",
                help="Mend the labels of this runner. A night on the wrong part tests something else.",
            ),
        )
    if matching < demand.gpus:
        return (
            Complaint(
                message=f"this job needs {demand.gpus} x {demand.isa}, this machine shows {listed(isas)}",
                help="A GPU has dropped out, or the runner hands on fewer: look at the machine's kernel log.",
            ),
        )
    return ()


def complaint_on_memory(
    demand: Demand, probe: Probe, environment: Mapping[str, str]
) -> tuple[Complaint, ...]:
    """What is wrong with the free memory of the GPUs that are this job's own; empty when nothing is."""
    memories = own_memories(probe.memories, environment)
    if not memories:
        return (
            Complaint(
                message=f"nobody tells how much GPU memory is free: {'; '.join(probe.troubles) or 'no tool'}",
                help="Install amd-smi, rocm-smi or nvidia-smi, or do not look: --min-free-memory 0.",
            ),
        )
    free = [memory for memory in memories if memory.free_fraction >= demand.min_free_memory]
    if len(free) >= demand.gpus:
        return ()
    held = [memory for memory in memories if memory.free_fraction < demand.min_free_memory]
    named = ", ".join(f"GPU {memory.index} has {memory.free_fraction:.0%}" for memory in held)
    few = named or f"it is told of {count(len(memories), 'GPU')} only"
    return (
        Complaint(
            message=f"{count(demand.gpus, 'GPU')} must have {demand.min_free_memory:.0%} of memory free, "
            f"but {few}; {holders_text(probe.holders)}",
            help="A killed job left something behind: end these processes or reset the GPUs; start again.",
        ),
    )


def own_memories(memories: tuple[Memory, ...], environment: Mapping[str, str]) -> tuple[Memory, ...]:
    """The GPUs that the environment gives to this job; all where it names none by number."""
    named = next((environment[name] for name in VISIBLE if environment.get(name)), "")
    parts = [part.strip() for part in named.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        return memories
    return tuple(memory for memory in memories if memory.index in set(map(int, parts)))


def holders_text(holders: tuple[Holder, ...]) -> str:
    """Who holds memory."""
    if not holders:
        return "no process can be named that holds it"
    named = [f"{holder.pid} ({one_line(holder.name, 60) or 'unnamed'}, {holder.held})" for holder in holders]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return f"held by process {', '.join(named[:NAMED])}{more}"


def listed(isas: list[str]) -> str:
    """`8 x gfx942`."""
    return ", ".join(f"{number} x {isa}" for isa, number in sorted(Counter(isas).items()))

"""NVIDIA GPUs, by nvidia-smi."""

from generator.harness.night.gpus import Holder, Memory, Probe
from generator.harness.night.tools import Said, Toolbox

GPUS = "--query-gpu=index,compute_cap,memory.total,memory.used"
PROCESSES = "--query-compute-apps=pid,process_name,used_memory"
FORMAT = "--format=csv,noheader,nounits"


def probe_nvidia(toolbox: Toolbox) -> Probe:
    """All that is known of the NVIDIA GPUs."""
    answer = toolbox.run("nvidia-smi", GPUS, FORMAT)
    if not isinstance(answer, Said):
        return Probe(troubles=(answer.why,))
    isas, memories = read_gpus(answer.text)
    if not isas:
        return Probe(troubles=("nvidia-smi lists no GPU",))
    processes = toolbox.run("nvidia-smi", PROCESSES, FORMAT)
    holders = read_processes(processes.text) if isinstance(processes, Said) else ()
    return Probe(isas=isas, memories=memories, holders=holders)


def read_gpus(text: str) -> tuple[tuple[str, ...], tuple[Memory, ...]]:
    """Lines such as `0, 10.3, 275040, 4`; a compute capability of 10.3 is sm_103."""
    rows = [[field.strip() for field in line.split(",")] for line in text.splitlines()]
    rows = [row for row in rows if len(row) == 4 and row[0].isdigit()]
    isas = tuple(f"sm_{capability.replace('.', '')}" for _, capability, _, _ in rows if is_number(capability))
    memories = tuple(
        Memory(index=int(index), total=float(total), used=float(used))
        for index, _, total, used in rows
        if is_number(total) and is_number(used) and float(total) > 0
    )
    return isas, memories


def is_number(text: str) -> bool:
    """Whether a field holds a number and not `[N/A]`."""
    return text.isascii() and text.replace(".", "", 1).isdigit()


def read_processes(text: str) -> tuple[Holder, ...]:
    """Lines such as `12345, /usr/bin/python3, 70000`, in MiB; a name may hold commas."""
    rows = [line.split(",") for line in text.splitlines() if line.count(",") >= 2]
    return tuple(
        Holder(
            pid=int(row[0].strip()),
            name=",".join(row[1:-1]).strip().rpartition("/")[2],
            held=f"{float(row[-1]) / 1024:.1f} GiB" if is_number(row[-1].strip()) else "an unknown amount",
        )
        for row in rows
        if row[0].strip().isdigit()
    )

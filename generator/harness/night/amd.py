"""AMD GPUs, by ROCm's tools and, where there are none, by the kernel itself."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from generator.harness.night.gpus import Holder, Memory, Probe
from generator.harness.night.kernel import kernel_holders, kernel_isas, kernel_memories
from generator.harness.night.tools import Said, Toolbox

# gfx000 is how ROCm's enumerator lists the processor.
PROCESSOR = "gfx000"
UNITS_IN_MB = {"B": 1e-6, "KB": 1e-3, "MB": 1.0, "GB": 1e3, "KIB": 1e-3, "MIB": 1.0, "GIB": 1e3}
PROCESS = re.compile(r"^\s*(\d+)\s+(\S.*?)\s+\d+\s+(\d+|UNKNOWN)\s+(?:\d+|UNKNOWN)\b")

# A way to learn something: the tool's command line, and what its output says.
AskIsas = tuple[tuple[str, ...], Callable[[str], tuple[str, ...]]]
AskMemories = tuple[tuple[str, ...], Callable[[str], tuple[Memory, ...]]]


def probe_amd(toolbox: Toolbox, sysfs: Path) -> Probe:
    """All that is known of the AMD GPUs; each question goes to the next source where one does not answer."""
    troubles: list[str] = []
    isas = ask_for_isas(toolbox, troubles) or kernel_isas(sysfs)
    if not isas:
        return Probe(troubles=(*troubles, "the kernel lists no AMD GPU"))
    memories = ask_for_memories(toolbox, troubles) or kernel_memories(sysfs)
    processes = toolbox.run("rocm-smi", "--showpids")
    holders = read_processes(processes.text) if isinstance(processes, Said) else ()
    return Probe(
        isas=isas, memories=memories, holders=holders or kernel_holders(sysfs), troubles=tuple(troubles)
    )


def ask_for_isas(toolbox: Toolbox, troubles: list[str]) -> tuple[str, ...]:
    """The ISAs by the first tool that names any."""
    ways: tuple[AskIsas, ...] = (
        (("rocm_agent_enumerator",), read_enumerator),
        (("rocminfo",), read_rocminfo),
    )
    for command, read in ways:
        answer = toolbox.run(*command)
        isas = read(answer.text) if isinstance(answer, Said) else ()
        if isas:
            return isas
        troubles.append(f"{command[0]} lists no GPU" if isinstance(answer, Said) else answer.why)
    return ()


def ask_for_memories(toolbox: Toolbox, troubles: list[str]) -> tuple[Memory, ...]:
    """The memories by the first tool that names any."""
    ways: tuple[AskMemories, ...] = (
        (("amd-smi", "metric", "--mem-usage", "--json"), read_amd_smi),
        (("rocm-smi", "--showmeminfo", "vram", "--json"), read_rocm_smi),
    )
    for command, read in ways:
        answer = toolbox.run(*command)
        memories = read(answer.text) if isinstance(answer, Said) else ()
        if memories:
            return memories
        troubles.append(f"{command[0]} tells no memory" if isinstance(answer, Said) else answer.why)
    return ()


def read_enumerator(text: str) -> tuple[str, ...]:
    """One line an agent, such as `gfx942`; features after a colon do not count."""
    names = (line.strip().split(":")[0] for line in text.splitlines())
    return tuple(name for name in names if re.fullmatch(r"gfx[0-9a-f]+", name) and name != PROCESSOR)


def read_rocminfo(text: str) -> tuple[str, ...]:
    """The `Name:` of each agent; the ISAs below an agent carry a longer name and do not match."""
    names = re.findall(r"^\s*Name:\s+(gfx[0-9a-f]+)\s*$", text, re.MULTILINE)
    return tuple(name for name in names if name != PROCESSOR)


def read_amd_smi(text: str) -> tuple[Memory, ...]:
    """`amd-smi metric --mem-usage --json`: a list, since ROCm 7 inside `gpu_data`."""
    body = json_in(text)
    entries = body.get("gpu_data") if isinstance(body, dict) else body
    return tuple(
        Memory(index=index, total=total, used=used)
        for index, entry in enumerate(entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(usage := entry.get("mem_usage"), dict)
        for total in megabytes(usage.get("total_vram"))
        for used in megabytes(usage.get("used_vram"))
        if total > 0
    )


def megabytes(value: object) -> Iterator[float]:
    """A size of amd-smi, `{"value": 196592, "unit": "MB"}`; nothing for `N/A`."""
    number = value.get("value") if isinstance(value, dict) else value
    unit = value.get("unit", "MB") if isinstance(value, dict) else "MB"
    if isinstance(number, int | float) and not isinstance(number, bool):
        yield number * UNITS_IN_MB.get(str(unit).upper(), 1.0)


def read_rocm_smi(text: str) -> tuple[Memory, ...]:
    """`rocm-smi --showmeminfo vram --json`: bytes as texts, one member a card."""
    body = json_in(text)
    cards = body if isinstance(body, dict) else {}
    return tuple(
        Memory(index=int(name.removeprefix("card")), total=total, used=used)
        for name, card in cards.items()
        if re.fullmatch(r"card\d+", name) and isinstance(card, dict)
        for total in digits(card, "VRAM Total Memory (B)")
        for used in digits(card, "VRAM Total Used Memory (B)")
        if total > 0
    )


def digits(card: Mapping[str, object], name: str) -> Iterator[float]:
    """A number that rocm-smi writes as a text; nothing where it is none."""
    text = str(card.get(name, ""))
    if text.isascii() and text.isdigit():
        yield float(text)


def read_processes(text: str) -> tuple[Holder, ...]:
    """`rocm-smi --showpids`; it lists processes that hold no memory as well, which do not count."""
    return tuple(
        Holder(pid=int(match[1]), name=match[2], held=gigabytes(match[3]))
        for line in text.splitlines()
        if (match := PROCESS.match(line)) and match[3] != "0"
    )


def gigabytes(text: str) -> str:
    """Bytes as text, for a person."""
    return f"{int(text) / 1e9:.1f} GB" if text.isdigit() else "an unknown amount"


def json_in(text: str) -> object:
    """The first JSON object or array in a tool's output: warnings may stand before it."""
    starts = (match.start() for match in re.finditer(r"^\s*[\[{]", text, re.MULTILINE))
    return next((value for start in starts for value in decoded(text[start:].lstrip())), None)


def decoded(text: str) -> Iterator[object]:
    """The JSON value at the start of a text, where there is one."""
    try:
        yield json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return

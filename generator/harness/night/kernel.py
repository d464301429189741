"""AMD GPUs as the kernel lists them under /sys; needs no tool."""

import re
from collections.abc import Iterator
from pathlib import Path

from generator.harness.night.gpus import Holder, Memory

NODES = "class/kfd/kfd/topology/nodes"
PROCESSES = "class/kfd/kfd/proc"
CARDS = "class/drm"


def kernel_isas(sysfs: Path) -> tuple[str, ...]:
    """The ISA of each GPU node; a processor's node has version 0."""
    return tuple(
        isa_of(int(match[1]))
        for node in numbered(sysfs / NODES, r"\d+")
        if (match := re.search(r"^gfx_target_version (\d+)$", read(node / "properties"), re.MULTILINE))
        if int(match[1]) > 0
    )


def isa_of(version: int) -> str:
    """90402 is gfx942, 90010 is gfx90a: major in decimal, minor and stepping in hexadecimal."""
    return f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}"


def kernel_memories(sysfs: Path) -> tuple[Memory, ...]:
    """The memory of each card, in bytes."""
    cards = [card / "device" for card in numbered(sysfs / CARDS, r"card\d+")]
    sizes = [(number(card / "mem_info_vram_total"), number(card / "mem_info_vram_used")) for card in cards]
    known = [(total, used) for total, used in sizes if total > 0]
    return tuple(Memory(index=index, total=total, used=used) for index, (total, used) in enumerate(known))


def kernel_holders(sysfs: Path) -> tuple[Holder, ...]:
    """The processes that hold GPU memory; their names are not told here."""
    held = {
        int(folder.name): sum(number(file) for file in folder.glob("vram_*"))
        for folder in numbered(sysfs / PROCESSES, r"\d+")
    }
    return tuple(
        Holder(pid=pid, name="", held=f"{size / 1e9:.1f} GB") for pid, size in held.items() if size > 0
    )


def numbered(folder: Path, pattern: str) -> Iterator[Path]:
    """The entries of a folder whose name matches, in the order of their numbers."""
    try:
        entries = [entry for entry in folder.iterdir() if re.fullmatch(pattern, entry.name)]
    except OSError:
        return
    yield from sorted(entries, key=lambda entry: int(re.sub(r"\D", "", entry.name)))


def number(file: Path) -> int:
    """The number in a file; 0 where there is none."""
    text = read(file).strip()
    return int(text) if text.isascii() and text.isdigit() else 0


def read(file: Path) -> str:
    """The text of a file of the kernel; empty where it cannot be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

"""How much memory of each GPU is used, by the tool that the machine has."""

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping

_MIB = 1024 * 1024
_TOOL_TIMEOUT_S = 20.0


def _output(command: tuple[str, ...], environment: Mapping[str, str]) -> str:
    program = shutil.which(command[0], path=environment.get("PATH", ""))
    if program is None:
        return ""
    try:
        done = subprocess.run(
            (program, *command[1:]),
            capture_output=True,
            text=True,
            timeout=_TOOL_TIMEOUT_S,
            check=False,
            env=dict(environment),
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def parse_nvidia(text: str) -> tuple[int, ...]:
    """MiB of each GPU from `nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits`."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return tuple(int(line) for line in lines) if all(line.isdigit() for line in lines) else ()


def parse_rocm(text: str) -> tuple[int, ...]:
    """MiB of each GPU from `rocm-smi --showmeminfo vram --json`."""
    try:
        cards = json.loads(text)
        return tuple(
            int(cards[card]["VRAM Total Used Memory (B)"]) // _MIB
            for card in sorted(cards, key=lambda name: (len(name), name))
            if card.startswith("card")
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return ()


_TOOLS: tuple[tuple[tuple[str, ...], Callable[[str], tuple[int, ...]]], ...] = (
    (("rocm-smi", "--showmeminfo", "vram", "--json"), parse_rocm),
    (("nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"), parse_nvidia),
)


def used_mib(environment: Mapping[str, str]) -> tuple[int, ...]:
    """Used memory of each GPU in MiB; empty when no tool can tell."""
    for command, parse in _TOOLS:
        if used := parse(_output(command, environment)):
            return used
    return ()

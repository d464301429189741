"""What was measured on: processor, memory, and the versions of everything that takes part."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks.peers import Peer


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The facts that a number means nothing without.

    Attributes:
        versions: name and version of each program and library.
        load: average over the last minute when the measuring began.
    """

    processor: str
    cores: int
    system: str
    versions: tuple[tuple[str, str], ...]
    load: float


def this_machine(peers: Iterable[Peer]) -> Machine:
    ours = ("nightgrid", "jinja2", "jsonschema-rs", "ruamel.yaml", "ruamel.yaml.clib", "typer")
    peers = tuple(peers)
    node: tuple[tuple[str, str], ...] = ()
    if any(peer.program.endswith(".cjs") for peer in peers):
        said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
        node = (("Node.js", said.strip().removeprefix("v")),)
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)),
        system=f"{platform.system()} {platform.release()}",
        versions=(
            ("Python", sys.version.split()[0]),
            *((name, version(name)) for name in ours),
            *node,
            *((peer.name, peer.version) for peer in peers),
        ),
        load=os.getloadavg()[0],
    )


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "unknown")

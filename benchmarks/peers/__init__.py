"""Other generators of workflows: each pinned, in a folder of its own, and given the very same jobs."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

INSTALLED = Path(__file__).parents[2] / ".benchmarks"
_PROGRAMS = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A generator that this project is compared with.

    Attributes:
        program: file in this folder that builds its objects and writes its files.
    """

    name: str
    version: str
    program: str

    @property
    def folder(self) -> Path:
        return INSTALLED / f"{self.name}-{self.version}"

    def command(self, jobs_file: Path, root: Path) -> list[str]:
        """What writes the planned jobs in a file as the workflows of a project; to be run in `folder`."""
        program = [str(_PROGRAMS / self.program), str(jobs_file), str(root)]
        return ["node" if self._is_node else str(self.folder / "bin/python"), *program]

    def install(self) -> None:
        """Install it, unless it is there; what was left half done is done again."""
        ready = self.folder / "ready"
        if ready.exists():
            return
        print(f"installing {self.name} {self.version}", file=sys.stderr)
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._is_node:
            package = {"private": True, "dependencies": {self.name: self.version}}
            (self.folder / "package.json").write_text(json.dumps(package), encoding="utf-8")
            subprocess.run(
                ["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=self.folder, check=True
            )
        else:
            subprocess.run([sys.executable, "-m", "venv", "--clear", self.folder], check=True)
            pip = [str(self.folder / "bin/python"), "-m", "pip", "install", "--quiet"]
            subprocess.run([*pip, f"{self.name}=={self.version}"], check=True)
        ready.touch()

    @property
    def _is_node(self) -> bool:
        return self.program.endswith(".cjs")


PEERS = (
    Peer(name="yamloom", version="0.6.1", program="with_yamloom.py"),
    Peer(name="ghagen", version="0.5.0", program="with_ghagen.py"),
    Peer(name="projen", version="0.103.25", program="with_projen.cjs"),
)

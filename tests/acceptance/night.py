"""A night replayed: the emitted workflow, GitHub's own evaluator, and the real first and last job."""

import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from generator.config.compose import compose
from generator.config.source import Source, source_of
from generator.config.tree import JsonValue, Tree, to_data
from generator.harness.cli import main
from generator.harness.world import World
from peers.github import Case, Form, ParsedJob, Status, github_evaluate, github_holds, github_workflows

PREFLIGHT, SUM = "preflight", "check-all-jobs"
Context = dict[str, object]


@dataclass(frozen=True, kw_only=True)
class Start:
    """How a night is started; `inputs` is None on a schedule and a push, as it is for GitHub."""

    event: str = "schedule"
    inputs: Mapping[str, object] | None = None
    repository: str = "owner/name"


@dataclass(frozen=True, kw_only=True)
class Told:
    """What became of a night: the result of each job, and the exit code and words of the last one."""

    results: Mapping[str, str]
    exit_code: int
    words: str

    @property
    def ran(self) -> frozenset[str]:
        """The jobs between the first and the last that were not skipped."""
        return frozenset(
            id_ for id_, result in self.results.items() if result != "skipped" and id_ not in (PREFLIGHT, SUM)
        )


@dataclass(kw_only=True)
class Night:
    """An emitted workflow, ready to be replayed; each replay is one night."""

    folder: Path
    path: Path
    jobs: tuple[ParsedJob, ...] = ()
    data: dict[str, JsonValue] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path, folder: Path) -> "Night":
        """Read a workflow with GitHub's own parser."""
        (parsed,) = github_workflows([path])
        assert not parsed.diagnostics, parsed.diagnostics
        source = source_of(path.read_bytes(), path.name)
        assert isinstance(source, Source)
        tree = compose(source)
        assert isinstance(tree, Tree)
        data = to_data(tree.root)
        assert isinstance(data, dict)
        return cls(folder=folder, path=path, jobs=parsed.jobs, data=data)

    def replay(self, start: Start, ends: Mapping[str, str] | None = None, cancelled_before: str = "") -> Told:
        """Play one night.

        Args:
            start: how it is started.
            ends: what each job that runs ends with; success where it is not named.
            cancelled_before: a person presses cancel before this job is looked at.
        """
        github: Context = {
            "event_name": start.event,
            "repository": start.repository,
            "sha": "0" * 40,
            "run_id": "1",
        }
        base: Context = {"github": github, "inputs": start.inputs}
        results, needs = self._preflight(base)
        pressed = False
        waiting = [job for job in self.jobs if job.id not in (PREFLIGHT, SUM)]
        while waiting:
            ready = [job for job in waiting if all(need in results for need in job.needs)]
            cases = []
            for job in ready:
                pressed = pressed or job.id == cancelled_before
                contexts: Context = {**base, "needs": {need: needs[need] for need in job.needs}}
                holding = self._holding(job, results, pressed=pressed)
                cases.append(Case(text=job.condition, contexts=contexts, holding=holding))
            for job, runs in zip(ready, github_holds(cases), strict=True):
                results[job.id] = (ends or {}).get(job.id, "success") if runs else "skipped"
                needs[job.id] = {"result": results[job.id], "outputs": {}}
            waiting = [job for job in waiting if job not in ready]
        assert {*results, SUM} == {job.id for job in self.jobs}
        return self._sum(results, needs)

    def step(self, job: str, id_: str) -> dict[str, JsonValue]:
        """A step as it is written."""
        jobs = self.data["jobs"]
        assert isinstance(jobs, dict)
        of_job = jobs[job]
        assert isinstance(of_job, dict)
        steps = of_job["steps"]
        assert isinstance(steps, list)
        return next(step for step in steps if isinstance(step, dict) and step["id"] == id_)

    def _preflight(self, base: Context) -> tuple[dict[str, str], Context]:
        written = self.step(PREFLIGHT, "night")["env"]
        assert isinstance(written, dict)
        values = github_evaluate(
            [Case(text=str(text), contexts=base, form=Form.TEMPLATE) for text in written.values()]
        )
        environment = {
            name: _as_text(getattr(value, "value", None)) for name, value in zip(written, values, strict=True)
        }
        code, _, outputs = self._harness([PREFLIGHT], environment)
        result = "success" if code == 0 else "failure"
        return {PREFLIGHT: result}, {PREFLIGHT: {"result": result, "outputs": outputs}}

    def _sum(self, results: dict[str, str], needs: Context) -> Told:
        code, words, _ = self._harness([SUM], {"NEEDS": json.dumps(needs)})
        return Told(results=results, exit_code=code, words=words)

    def _harness(self, argv: list[str], environment: dict[str, str]) -> tuple[int, str, dict[str, str]]:
        outputs, summary = self.folder / "outputs", self.folder / "summary"
        outputs.write_text("")
        summary.write_text("")
        out = io.StringIO()
        files = {"GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(summary)}
        code = main(argv, World(environment={**environment, **files}, folder=self.folder, out=out))
        return int(code), out.getvalue() + summary.read_text(), _outputs(outputs.read_text())

    def _holding(self, job: ParsedJob, results: Mapping[str, str], *, pressed: bool) -> frozenset[Status]:
        by_id = {each.id: each for each in self.jobs}
        ancestors: set[str] = set()
        waiting = list(job.needs)
        while waiting:
            id_ = waiting.pop()
            if id_ not in ancestors:
                ancestors.add(id_)
                waiting.extend(by_id[id_].needs)
        ended = {results[id_] for id_ in ancestors}
        holding = set()
        if pressed:
            holding.add(Status.CANCELLED)
        elif "failure" in ended:
            holding.add(Status.FAILURE)
        elif ended <= {"success"}:
            holding.add(Status.SUCCESS)
        return frozenset(holding)


def _outputs(text: str) -> dict[str, str]:
    found = {}
    for name, delimiter, long, short in re.findall(
        r"^([\w-]+)(?:<<(\S+)\n(.*?)\n\2|=([^\n]*))$", text, re.MULTILINE | re.DOTALL
    ):
        found[name] = long if delimiter else short
    return found


def _as_text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)

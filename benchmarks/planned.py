"""The planned jobs of a matrix as plain JSON: what the peers are given, and what their files are held to.

    python -m benchmarks.planned dump matrix.yaml jobs.json
    python -m benchmarks.planned compare jobs.json ROOT

`compare` reads the workflow files of a project and wants each planned job with each of its steps, with the
same conditions, needs, limits, environment and scripts; it prints how many jobs and steps there are.
"""

import json
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from generator.config.matrix_file import read_matrix
from generator.domain.job import Job, RunStep, Step
from generator.domain.matrix import Matrix
from generator.plan.workflows import plan


def dump(matrix_file: Path, jobs_file: Path) -> None:
    matrix = read_matrix(matrix_file, matrix_file.name)
    if not isinstance(matrix, Matrix):
        raise SystemExit("\n".join(f"{finding.location}: {finding.message}" for finding in matrix))
    workflows = [
        {
            "file": Path(workflow.path).name,
            "name": workflow.name,
            "jobs": {job.id: _job(job) for job in workflow.jobs},
        }
        for workflow in plan(matrix)
    ]
    jobs_file.write_text(json.dumps(workflows), encoding="utf-8")


def _job(job: Job) -> dict[str, Any]:
    data = {
        "name": job.name,
        "needs": list(job.needs),
        "if": job.condition,
        "runs-on": job.runs_on,
        "timeout-minutes": job.timeout_minutes,
        "permissions": dict(job.permissions),
        "outputs": dict(job.outputs),
        "env": dict(job.env),
        "steps": [_step(step) for step in job.steps],
    }
    return {key: value for key, value in data.items() if value}


def _step(step: Step) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": step.id,
        "name": step.name,
        "if": step.condition,
        "timeout-minutes": step.timeout_minutes,
    }
    if isinstance(step, RunStep):
        data |= {"run": step.run, "env": dict(step.env), "continue-on-error": step.advisory}
    else:
        data |= {"uses": step.uses, "with": dict(step.inputs)}
    return {key: value for key, value in data.items() if value}


def compare(jobs_file: Path, root: Path) -> None:
    jobs = steps = 0
    for workflow in json.loads(jobs_file.read_text(encoding="utf-8")):
        text = (root / ".github/workflows" / workflow["file"]).read_text(encoding="utf-8")
        read = YAML(typ="safe").load(text)["jobs"]
        for id_, job in workflow["jobs"].items():
            if _plain(read.get(id_)) != _plain(job):
                raise SystemExit(f"{workflow['file']}: {id_} is {read.get(id_)}\nand should be {job}")
            jobs += 1
            steps += len(job["steps"])
        if len(read) != len(workflow["jobs"]):
            raise SystemExit(f"{workflow['file']}: {len(read)} jobs instead of {len(workflow['jobs'])}")
    print(json.dumps({"jobs": jobs, "steps": steps}))


def _plain(value: object) -> object:
    """What GitHub makes of a value: a list of one text is that text; a last line break is nothing."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return _plain(value[0]) if len(value) == 1 else [_plain(item) for item in value]
    return value.rstrip("\n") if isinstance(value, str) else value


if __name__ == "__main__":
    {"dump": dump, "compare": compare}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))

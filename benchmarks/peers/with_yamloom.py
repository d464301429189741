"""The planned jobs as workflow files, by yamloom.

python with_yamloom.py jobs.json FOLDER
"""

import json
import sys
from pathlib import Path
from typing import Any

from yamloom import Events, Job, Permissions, Workflow, WorkflowDispatchEvent, action, script


def step_of(step: dict[str, Any]) -> object:
    shared = {
        "id": step["id"],
        "condition": step.get("if"),
        "timeout_minutes": step["timeout-minutes"],
    }
    if "uses" in step:
        name, _, ref = step["uses"].partition("@")
        return action(step["name"], name, ref=ref, with_opts=step.get("with"), **shared)
    return script(
        step["run"],
        name=step["name"],
        env=step.get("env"),
        continue_on_error=step.get("continue-on-error"),
        **shared,
    )


def job_of(job: dict[str, Any]) -> object:
    return Job(
        name=job["name"],
        needs=job.get("needs"),
        condition=job.get("if"),
        runs_on=job["runs-on"],
        timeout_minutes=job["timeout-minutes"],
        permissions=Permissions(**job["permissions"]),
        use_recommended_permissions=False,
        outputs=job.get("outputs"),
        env=job.get("env"),
        steps=[step_of(step) for step in job["steps"]],
    )


def main() -> None:
    folder = Path(sys.argv[2], ".github/workflows")
    folder.mkdir(parents=True)
    for workflow in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
        made = Workflow(
            name=workflow["name"],
            on=Events(workflow_dispatch=WorkflowDispatchEvent()),
            jobs={id_: job_of(job) for id_, job in workflow["jobs"].items()},
        )
        made.dump(folder / workflow["file"])


main()

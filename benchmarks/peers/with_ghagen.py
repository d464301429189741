"""The planned jobs as workflow files, by ghagen.

python with_ghagen.py jobs.json FOLDER
"""

import json
import sys
from pathlib import Path
from typing import Any

from ghagen import App, Job, On, Permissions, Step, Workflow, WorkflowDispatchTrigger


def step_of(step: dict[str, Any]) -> object:
    return Step(
        id=step["id"],
        name=step["name"],
        if_=step.get("if"),
        timeout_minutes=step["timeout-minutes"],
        uses=step.get("uses"),
        with_=step.get("with"),
        run=step.get("run"),
        env=step.get("env"),
        continue_on_error=step.get("continue-on-error"),
    )


def job_of(job: dict[str, Any]) -> object:
    return Job(
        name=job["name"],
        needs=job.get("needs"),
        if_=job.get("if"),
        runs_on=job["runs-on"],
        timeout_minutes=job["timeout-minutes"],
        permissions=Permissions(**job["permissions"]),
        outputs=job.get("outputs"),
        env=job.get("env"),
        steps=[step_of(step) for step in job["steps"]],
    )


def main() -> None:
    root = Path(sys.argv[2])
    (root / ".github").mkdir(parents=True)
    # A script is content: its continued lines keep their blanks.
    (root / ".github/ghagen.toml").write_text("[options]\nauto_dedent = false\n", encoding="utf-8")
    app = App(root=root)
    for workflow in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
        made = Workflow(
            name=workflow["name"],
            on=On(workflow_dispatch=WorkflowDispatchTrigger()),
            jobs={id_: job_of(job) for id_, job in workflow["jobs"].items()},
        )
        app.add_workflow(made, workflow["file"])
    app.synth()


main()

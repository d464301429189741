"""Runs an emitted workflow on this machine with `act`: no Docker, no network, every runner label this host.

What `act` 0.2.89 does as GitHub does: `needs`, conditions with `!cancelled()`, `always()` and results, the
skipping of all that waits for a skipped job, job and step outputs, `fromJSON` and `contains`, dispatch inputs
(null on a schedule and a push), step summaries, `steps.x.outcome`, time limits of steps in whole minutes.

What it gets wrong, so that no test may lean on it:

- The time limit of a job is ignored, and so is a limit that is no whole number of minutes.
- A cancelled run (SIGINT) kills the step and runs what says `always()`, but the job ends as a failure and not
  as cancelled, `cancelled()` stays false, and the jobs behind it end as successes without having run a step.
- `continue-on-error` of a job does not turn its result into a success.
- An output of a skipped job is the text of its expression (`${{ steps.x.outputs.y }}`), not empty.
- A condition that breaks down (`fromJSON('')`) ends the whole run; GitHub fails that job alone.
- A job whose label is mapped to nothing never runs and has the result ``""``. Here all labels are mapped.
- A skipped job leaves no line in the log. Here it is each job of the file that the log does not name.
- `concurrency`, `permissions` and `schedule` are not looked at; `github.workflow_ref` and `runner.name` are
  empty; the environment of the host shines through, so it is cut down here.
- It replaces `actions/checkout` by a copy of the working tree; here a stand-in fetches the commit.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from peers.github import ParsedWorkflow, github_workflows
from peers.tools import PEERS, PeerFailedError, installed, run_tool

_STAND_INS = PEERS / "actions"
_ACTION = re.compile(r"(?P<name>[\w.-]+/[\w.-]+)@(?P<ref>.+)")
# Of the host's environment jobs get no more than this; a secret of the host must not decide a test.
_ENVIRONMENT = ("PATH", "LANG", "TMPDIR")


class JobResult(Enum):
    """How a job ended; `act` knows no `cancelled`."""

    SUCCESS = "success"
    FAILURE = "failure"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """What to run.

    Attributes:
        workflow: the file.
        repository: a git repository; jobs get the commit that is checked out there.
        scratch: an empty folder that outlives the run; all that it writes lies in it.
        event: what started it.
        inputs: of a dispatch.
        environment: variables for every step.
        slug: `owner/name` of the repository on GitHub.
    """

    workflow: Path
    repository: Path
    scratch: Path
    event: str = "workflow_dispatch"
    inputs: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    slug: str = "example/nightly"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEnd:
    """A step that ran, by its name or, where it has none, its command."""

    name: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEnd:
    """A job.

    Attributes:
        id: its key.
        result: how it ended.
        steps: those that ran; a skipped step is not among them.
        log: what they printed.
        summary: their step summaries, one after another.
        step_outputs: of all its steps, by name; the last step that sets a name wins.
    """

    id: str
    result: JobResult
    steps: tuple[StepEnd, ...]
    log: str
    summary: str
    step_outputs: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightEnd:
    """A run: 0 or 1, each job of the file, and the folder with its artifacts, one folder a name."""

    exit_code: int
    jobs: Mapping[str, JobEnd]
    artifacts: Path


def run_night(night: Night) -> NightEnd:
    """Runs the workflow to its end.

    Raises:
        PeerFailedError: the workflow is not one, an action has no stand-in, or `act` itself broke down.
    """
    (workflow,) = github_workflows([night.workflow])
    if workflow.diagnostics:
        raise PeerFailedError(f"GitHub would not read it: {workflow.diagnostics}")
    for folder in ("artifacts", "home"):
        (night.scratch / folder).mkdir()
    answer = run_tool(
        [*_environment(night), *_command(night), *_mappings(workflow)], {0, 1}, cwd=night.repository
    )
    entries = [json.loads(line) for line in answer.output.splitlines()]
    jobs = {
        job.id: _job_end(job.id, [e for e in entries if e.get("jobID") == job.id]) for job in workflow.jobs
    }
    failed = any(job.result is JobResult.FAILURE for job in jobs.values())
    if failed != bool(answer.exit_code):
        raise PeerFailedError(f"act broke down: {answer.errors[-2000:]}")
    return NightEnd(exit_code=answer.exit_code, jobs=jobs, artifacts=night.scratch / "artifacts")


def _environment(night: Night) -> list[str]:
    kept = [f"{name}={os.environ[name]}" for name in _ENVIRONMENT if name in os.environ]
    home = f"HOME={(night.scratch / 'home').absolute()}"
    return ["env", "--ignore-environment", *kept, home, "GIT_CONFIG_NOSYSTEM=1"]


def _command(night: Night) -> list[str]:
    scratch = night.scratch.absolute()
    empty = scratch / "empty"
    empty.touch()
    command = [installed("act"), night.event, "--workflows", str(night.workflow.absolute()), "--json"]
    command += ["--no-skip-checkout", "--no-cache-server", "--action-cache-path", str(scratch / "cache")]
    for kind in ("env", "secret", "var", "input"):
        command += [f"--{kind}-file", str(empty)]
    environment = {
        **night.environment,
        "ACT_REPOSITORY": str(night.repository.absolute()),
        "ACT_ARTIFACTS": str(scratch / "artifacts"),
        "GITHUB_REPOSITORY": night.slug,
    }
    command += [part for name, value in night.inputs.items() for part in ("--input", f"{name}={value}")]
    return command + [part for name, value in environment.items() for part in ("--env", f"{name}={value}")]


def _mappings(workflow: ParsedWorkflow) -> list[str]:
    labels = sorted({label for job in workflow.jobs for label in job.labels})
    actions = sorted({action for job in workflow.jobs for action in job.uses if not action.startswith("./")})
    flags = [part for label in labels for part in ("--platform", f"{label}=-self-hosted")]
    return flags + [part for action in actions for part in ("--local-repository", _stand_in(action))]


def _stand_in(action: str) -> str:
    match = _ACTION.fullmatch(action)
    folder = _STAND_INS / match["name"] if match else _STAND_INS
    if not (folder / "action.yml").is_file():
        raise PeerFailedError(f"{action} has no stand-in under tests/peers/actions, and there is no network")
    return f"{action}={folder}"


def _job_end(id_: str, entries: Iterable[dict[str, Any]]) -> JobEnd:
    result = JobResult.SKIPPED
    steps: list[StepEnd] = []
    log: list[str] = []
    summary: list[str] = []
    outputs: dict[str, str] = {}
    for entry in entries:
        if "jobResult" in entry:
            result = JobResult(entry["jobResult"])
        # A step of a composite action carries two ids; the action's own entry comes after them.
        if "stepResult" in entry and entry.get("stage") == "Main" and len(entry["stepID"]) == 1:
            steps.append(StepEnd(name=entry["step"], result=entry["stepResult"]))
        if entry.get("raw_output"):
            log.append(entry["msg"])
        match entry.get("command"):
            case "summary":
                summary.append(entry["content"])
            case "set-output":
                outputs[entry["name"]] = entry["arg"]
    return JobEnd(
        id=id_,
        result=result,
        steps=tuple(steps),
        log="".join(log),
        summary="".join(summary),
        step_outputs=outputs,
    )

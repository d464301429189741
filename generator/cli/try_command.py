"""nightgrid try: the steps of one job, on this machine, in their order, as the night would run them."""

import json
import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import typer

from generator.cli.build import Build, build
from generator.cli.jobs import find_job
from generator.cli.session import Session
from generator.domain.exit_code import ExitCode
from generator.domain.job import Job, RunStep
from generator.outside.scripts import TIMED_OUT, run_script

_OUTCOME = re.compile(r"steps\.([\w-]+)\.outcome (==|!=) '(\w+)'")
_EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


def try_(session: Session, id_: str, image: str) -> ExitCode:
    """Run the steps of a job here.

    Args:
        session: where the matrix is.
        id_: id of the job.
        image: what preflight would have found; empty where the job needs none.
    """
    result = build(session)
    if not isinstance(result, Build):
        session.show(result)
        return ExitCode.INVALID
    job = find_job(result, id_)
    if job is None:
        return ExitCode.INVALID
    with tempfile.TemporaryDirectory(prefix="nightgrid-") as scratch:
        return _Trial(session=session, job=job, image=image, scratch=Path(scratch)).run()


@dataclass(kw_only=True)
class _Trial:
    """One run of a job; `outcomes` is what GitHub calls the steps context."""

    session: Session
    job: Job
    image: str
    scratch: Path
    outcomes: dict[str, dict[str, object]] = field(default_factory=dict)

    def run(self) -> ExitCode:
        """Run every step that GitHub would run, and print the step summary."""
        failed = False
        for step in self.job.steps:
            if not isinstance(step, RunStep):
                self.session.say(f"— {step.name}: left out, {step.uses.split('@')[0]} is GitHub's")
            elif not self._runs(step, failed=failed):
                self.session.say(f"— {step.name}: skipped")
                self._note(step, "skipped", "skipped", {})
            else:
                failed = not self._step(step) or failed
        summary = self.scratch / "summary"
        if summary.exists():
            typer.echo(f"\n{summary.read_text(encoding='utf-8')}")
        return ExitCode.FINDINGS if failed else ExitCode.FINE

    def _runs(self, step: RunStep, *, failed: bool) -> bool:
        """Whether GitHub would run a step: its conditions are conjunctions of what `_OUTCOME` finds."""
        if failed and not any(function in step.condition for function in ("always()", "!cancelled()")):
            return False
        return all(
            (self.outcomes.get(id_, {}).get("outcome") == outcome) is (operator == "==")
            for id_, operator, outcome in _OUTCOME.findall(step.condition)
        )

    def _step(self, step: RunStep) -> bool:
        self.session.say(f"— {step.name}")
        outputs = self.scratch / step.id
        outputs.touch()
        environment = {
            **os.environ,
            **{name: self._filled(text) for name, text in (*self.job.env, *step.env)},
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(self.scratch / "summary"),
        }
        code = run_script(step.run, environment, self.session.root.resolve(), step.timeout_minutes * 60)
        if code:
            reason = f"limit of {step.timeout_minutes} minutes" if code == TIMED_OUT else f"exit code {code}"
            self.session.say(f"— {step.name}: failed ({reason})")
        passed = not code or step.advisory
        self._note(
            step,
            "failure" if code else "success",
            "success" if passed else "failure",
            _outputs(outputs.read_text(encoding="utf-8")),
        )
        return passed

    def _note(self, step: RunStep, outcome: str, conclusion: str, outputs: dict[str, str]) -> None:
        self.outcomes[step.id] = {"outcome": outcome, "conclusion": conclusion, "outputs": outputs}

    def _filled(self, text: str) -> str:
        if "toJSON(steps)" in text:
            return json.dumps(self.outcomes)
        if "outputs.images" in text:
            return self.image
        return _EXPRESSION.sub("false", text) if "continue_on_error" in text else text


def _outputs(text: str) -> dict[str, str]:
    lines = (line.partition("=") for line in text.splitlines())
    return {name: value for name, separator, value in lines if separator}

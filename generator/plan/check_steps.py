"""The steps of a job that measure: the server, once, and every check of the cell."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.domain.cell import Cell, Server
from generator.domain.check import Check, CheckKind, Harness, Runner, Weight
from generator.domain.job import Pairs, RunStep
from generator.domain.matrix import Margins
from generator.plan import conditions, limits
from generator.plan.commands import HARNESS, entered, filled, folded

RESULTS = "results"
SERVE, STOP = "serve", "stop"
CONTINUE = ("CONTINUE_ON_ERROR", "${{ needs.preflight.outputs.continue_on_error }}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSteps:
    """Writes the steps that measure.

    Attributes:
        setup: id of the last step that makes the machine ready.
        variables: names of the job's environment variables.
    """

    cell: Cell
    margins: Margins
    setup: str
    variables: tuple[str, ...]

    def steps(self) -> Iterator[RunStep]:
        """The server around the checks that it serves, and the other checks, in order."""
        holding: list[str] = []
        served = [check for check in self.cell.checks if isinstance(check.by, Harness)]
        for check in _contiguous(self.cell.checks):
            if served and check is served[0] and self.cell.server is not None:
                yield self._serve(self.cell.server, served, tuple(holding))
                holding.append(SERVE)
            yield self._check(check, tuple(holding))
            if conditions.holds_back(check):
                holding.append(check.key)
            if served and check is served[-1]:
                yield self._stop()

    def _serve(self, server: Server, served: list[Check], holding: tuple[str, ...]) -> RunStep:
        program = ("--program", server.program) if server.program else ()
        words = (
            *HARNESS, "serve", "start",
            "--engine", server.engine,
            *program,
            "--model", server.model,
            "--port", str(server.port),
            "--state", f"{RESULTS}/server",
            "--launch-timeout-s", str(server.launch_timeout_s),
            *(("--", *server.arguments) if server.arguments else ()),
        )  # fmt: skip
        wanted = self._wanted(served[0].kind) if len({check.kind for check in served}) == 1 else ""
        return RunStep(
            id=SERVE,
            name=f"Start {server.engine} with {server.model}",
            run=self._entered(folded(words), ()),
            timeout_minutes=limits.launch_minutes(server, self.margins),
            condition=self._condition(served[0], wanted, self.setup, holding),
        )

    def _stop(self) -> RunStep:
        words = (*HARNESS, "serve", "stop", "--state", f"{RESULTS}/server")
        return RunStep(
            id=STOP,
            name="Stop the server",
            run=self._entered(folded(words), ()),
            timeout_minutes=limits.STOP_MINUTES,
            condition=conditions.of_stop(SERVE),
        )

    def _check(self, check: Check, holding: tuple[str, ...]) -> RunStep:
        if isinstance(check.by, Harness):
            setup, name = SERVE, f"Measure {check.kind.value} on {check.by.data}"
            run = self._entered(folded(_harness_words(check, check.by)), tuple(check.env))
            env: Pairs = tuple(check.env.items())
        else:
            setup, name = self.setup, f"Run {check.by.asked}"
            run, env = self._runner_script(check, check.by)
        return RunStep(
            id=check.key,
            name=name,
            run=run,
            timeout_minutes=limits.step_minutes(check, self.margins),
            condition=self._condition(check, self._wanted(check.kind), setup, holding),
            env=env,
            advisory=check.weight is Weight.ADVISORY,
        )

    def _runner_script(self, check: Check, runner: Runner) -> tuple[str, Pairs]:
        inner = str(limits.inner_seconds(check, self.margins))
        values = {"suite": runner.asked, "file": runner.asked, "per_file_timeout_s": inner}
        command = self._entered(filled(runner.command, values), tuple(check.env))
        pairs: Pairs = tuple(check.env.items())
        if not runner.continue_flag:
            return command, pairs
        script = (
            "carry_on=()\n"
            f'if [ "$CONTINUE_ON_ERROR" = true ]; then carry_on+=({runner.continue_flag}); fi\n'
            f'{command} "${{carry_on[@]}}"'
        )
        return script, (*pairs, CONTINUE)

    def _entered(self, command: str, more: tuple[str, ...]) -> str:
        return entered(self.cell.site.entry, command, (*self.variables, *more))

    def _wanted(self, kind: CheckKind) -> str:
        return conditions.of_kind(frozenset(check.kind for check in self.cell.checks), kind)

    def _condition(self, check: Check, wanted: str, setup: str, holding: tuple[str, ...]) -> str:
        if not holding:
            return conditions.of_first(wanted)
        return conditions.of_later(check, wanted, setup, tuple(id_ for id_ in holding if id_ != setup))


def _contiguous(checks: tuple[Check, ...]) -> Iterator[Check]:
    """The checks in order, those that share the server together at the place of the first of them."""
    served = [check for check in checks if isinstance(check.by, Harness)]
    for check in checks:
        if not isinstance(check.by, Harness):
            yield check
        elif check is served[0]:
            yield from served


def _number(value: float) -> str:
    """Every digit that the matrix holds: a gate is compared with what it says, not with something near it."""
    return f"{value:.15g}"


def _harness_words(check: Check, harness: Harness) -> tuple[str, ...]:
    shots_from = ("--shots-from", harness.shots_from) if harness.shots_from else ()
    return (
        *HARNESS, "accuracy",
        "--server", f"{RESULTS}/server",
        "--data", harness.data,
        "--questions", str(harness.questions),
        "--shots", str(harness.shots),
        *shots_from,
        "--path", harness.path.value,
        "--max-new-tokens", str(harness.max_new_tokens),
        "--concurrency", str(harness.concurrency),
        "--extraction", harness.extraction,
        "--gate", _number(check.gate),
        "--gate-invalid-rate", _number(harness.invalid_rate),
        "--deadline-minutes", str(harness.deadline_minutes),
        "--output", f"{RESULTS}/{check.key}",
    )  # fmt: skip

"""How each job of the night stands: what was expected, what came, and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from generator.harness.night.needs import JobResult, Result
from generator.harness.night.tonight import Expected, JobTonight

# A job's own clock starts after GitHub's set-up, so a job that was cut off shows a little less.
SET_UP_MINUTES = 5


class Standing(Enum):
    """From worst to best; the table is in this order."""

    FAILED = "failed"
    CUT_OFF = "cut off"
    NOT_RUN = "not run"
    ASTRAY = "astray"
    BLOCKED = "blocked"
    ADVISORY = "passed with a failed advisory step"
    PASSED = "passed"
    OFF = "off"
    NOT_SELECTED = "not selected"


ORDER = tuple(Standing)
RED = frozenset(ORDER[: ORDER.index(Standing.BLOCKED) + 1])


@dataclass(frozen=True, kw_only=True)
class Row:
    """One job of the table."""

    id: str
    hardware: str
    expected: str
    result: str
    why: str
    minutes: str
    standing: Standing


def rows_of(jobs: tuple[JobTonight, ...], results: Mapping[str, JobResult]) -> tuple[Row, ...]:
    """Every job of the night and every job that nobody expected, worst first."""
    known = {job.id for job in jobs}
    rows = [row_of(job, jobs, results) for job in jobs]
    rows += [stranger(id_, result) for id_, result in results.items() if id_ not in known]
    return tuple(sorted(rows, key=lambda row: ORDER.index(row.standing)))


def row_of(job: JobTonight, jobs: tuple[JobTonight, ...], results: Mapping[str, JobResult]) -> Row:
    """How one job of the night stands."""
    result = results.get(job.id)
    if job.expected is Expected.RUN:
        standing, why = ran(job, {other.id: other for other in jobs}, results)
    else:
        standing, why = did_not_run(job, result)
    advisory = result.advisory if result else ""
    return Row(
        id=job.id,
        hardware=job.hardware,
        expected=job.expected.value,
        result=result.result.value if result else "missing",
        why="; ".join(filter(None, [why, f"advisory only: {advisory}" if advisory else ""])),
        minutes=result.minutes if result else "",
        standing=standing,
    )


def ran(
    job: JobTonight, jobs: Mapping[str, JobTonight], results: Mapping[str, JobResult]
) -> tuple[Standing, str]:
    """How a job stands that should have run; only `success` with nothing held against it passes."""
    result = results.get(job.id)
    if result is None:
        return (Standing.NOT_RUN, "it is not among the needs of this job: the workflow was edited by hand")
    if result.result is Result.SUCCESS and result.why:
        return (Standing.FAILED, f"its result says success, but {result.why} (continue-on-error hides it)")
    if result.result is Result.SUCCESS:
        return (Standing.ADVISORY if result.advisory else Standing.PASSED, job.why)
    if result.result is Result.FAILURE:
        return (
            Standing.FAILED,
            result.why or "it ended before its last step and left no reason: see its log",
        )
    if result.result is Result.CANCELLED:
        return (Standing.CUT_OFF, cut_off(job, result))
    return (Standing.NOT_RUN, f"skipped: {skipped(job, jobs, results)}")


def cut_off(job: JobTonight, result: JobResult) -> str:
    """Why a job was cancelled, as far as it can be told."""
    limit = f"its limit of {job.limit_minutes:g} minutes"
    if minutes_of(result) >= job.limit_minutes - SET_UP_MINUTES:
        reason = f"cut off at {limit}"
    elif result.minutes:
        reason = (
            f"cancelled after {result.minutes} of {job.limit_minutes:g} minutes: a person or a lost runner"
        )
    else:
        reason = f"cancelled: {limit} was hit, no machine came in 24 hours, or a person pressed cancel"
    return f"{reason}; {result.why}" if result.why else reason


def minutes_of(result: JobResult) -> float:
    """The minutes that a job took; none where it does not say."""
    try:
        return float(result.minutes)
    except ValueError:
        return 0.0


def skipped(job: JobTonight, jobs: Mapping[str, JobTonight], results: Mapping[str, JobResult]) -> str:
    """Which needed job is behind a skipped one; the first of a chain, not the one before."""
    for need in chain(job, jobs):
        result = results.get(need)
        if result and result.result in {Result.FAILURE, Result.CANCELLED}:
            word = "failed" if result.result is Result.FAILURE else "was cancelled"
            return f"it needs {need}, which {word}"
    if any(result.result is Result.CANCELLED for result in results.values()):
        return "the run was cancelled before its turn"
    return "nothing that it needs failed, so its condition in the workflow is wrong: render it again"


def chain(job: JobTonight, jobs: Mapping[str, JobTonight]) -> Iterator[str]:
    """The jobs that a job needs tonight, directly or not, each once."""
    seen: set[str] = set()
    waiting = list(job.needs)
    while waiting:
        need = waiting.pop(0)
        if need not in seen:
            seen.add(need)
            yield need
            waiting += jobs[need].needs if need in jobs else ()


def did_not_run(job: JobTonight, result: JobResult | None) -> tuple[Standing, str]:
    """How a job stands that should not have run."""
    if result and result.result in {Result.SUCCESS, Result.FAILURE}:
        return (
            Standing.ASTRAY,
            f"it ran although it was {job.expected.value}: its condition in the workflow is wrong",
        )
    standing = {
        Expected.BLOCKED: Standing.BLOCKED,
        Expected.OFF: Standing.OFF,
        Expected.NOT_SELECTED: Standing.NOT_SELECTED,
    }[job.expected]
    return (standing, job.why)


def stranger(id_: str, result: JobResult) -> Row:
    """A job among the needs that preflight knows nothing of; it may pass, it may not fail."""
    fine = result.result in {Result.SUCCESS, Result.SKIPPED} and not result.why
    return Row(
        id=id_,
        hardware="",
        expected="unknown",
        result=result.result.value,
        why=result.why or "preflight does not know this job",
        minutes=result.minutes,
        standing=Standing.PASSED if fine else Standing.ASTRAY,
    )

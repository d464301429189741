"""Which jobs run tonight, and why the others do not."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from generator.harness.night.hub import OutOfReach, Reachable, Unknown
from generator.harness.night.images import Found, Missing, Undecided
from generator.harness.night.night_file import NightJob
from generator.harness.night.text import one_line
from generator.harness.night.tonight import Expected, JobTonight, expected_ids
from generator.harness.outcome import HarnessError, Outcome


@dataclass(frozen=True, kw_only=True)
class LookUps:
    """What the world outside said of images (by key) and models (by name)."""

    images: Mapping[str, Found | Missing | Undecided]
    models: Mapping[str, Reachable | OutOfReach | Unknown]


def reason_off(job: NightJob, today: date) -> str:
    """Why the job is switched off today, or nothing; the last day is a day off, too."""
    for off in job.off:
        if today <= off.until:
            return f"off until {off.until}: {off.because}"
    return ""


def wanted_jobs(jobs: tuple[NightJob, ...], ids: frozenset[str], today: date) -> tuple[NightJob, ...]:
    """The jobs that were asked for and are not switched off.

    Raises:
        HarnessError: NOT_MEASURED, when none is left.
    """
    wanted = tuple(job for job in jobs if job.id in ids and not reason_off(job, today))
    if not wanted:
        off = "; ".join(f"{job.id} is {reason_off(job, today)}" for job in jobs if job.id in ids)
        raise HarnessError(
            Outcome.NOT_MEASURED,
            f"nothing selected: all that was asked for is switched off ({one_line(off)})",
            "Ask for another job, or take the `off` out of the matrix.",
        )
    return wanted


def blocks_of(
    wanted: tuple[NightJob, ...], look_ups: LookUps, needs: Mapping[str, frozenset[str]]
) -> dict[str, str]:
    """Why each blocked job is blocked: for its own sake, or for a blocked job that it needs."""
    own = {job.id: why for job in wanted if (why := own_block(job, look_ups))}
    blocks = dict(own)
    for job in wanted:
        blocked_needs = sorted(needs[job.id] & own.keys())
        if job.id not in own and blocked_needs:
            blocks[job.id] = f"it needs {blocked_needs[0]}, which is blocked: {own[blocked_needs[0]]}"
    return blocks


def own_block(job: NightJob, look_ups: LookUps) -> str:
    """Why this job is blocked, or nothing."""
    image = look_ups.images.get(job.image)
    reasons = [image.why] if isinstance(image, Missing | Undecided) else []
    found = (look_ups.models.get(model) for model in job.models)
    reasons += [model.why for model in found if isinstance(model, OutOfReach)]
    return "; ".join(reasons)


def warning_of(job: NightJob, look_ups: LookUps, today: date) -> str:
    """What a person should know about a job that runs."""
    found = (look_ups.models.get(model) for model in job.models)
    words = []
    for model in found:
        if isinstance(model, Unknown):
            words.append(f"runs without a look at its model: {model.why}")
        elif isinstance(model, Reachable) and model.note:
            words.append(model.note)
    words += [f"was off until {off.until} and runs again" for off in job.off if today > off.until]
    return "; ".join(dict.fromkeys(words))


def all_needs(jobs: tuple[NightJob, ...]) -> dict[str, frozenset[str]]:
    """For each job, all that it needs, and what that needs in turn."""
    direct = {job.id: frozenset(job.needs) for job in jobs}
    return {job.id: reach(job.id, direct) for job in jobs}


def reach(start: str, direct: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """All that is reached from `start`; a circle ends the walk and does no harm."""
    reached: set[str] = set()
    waiting = list(direct[start])
    while waiting:
        need = waiting.pop()
        if need not in reached:
            reached.add(need)
            waiting += direct[need]
    return frozenset(reached - {start})


def night_jobs(
    jobs: tuple[NightJob, ...], ids: frozenset[str], look_ups: LookUps, today: date
) -> tuple[JobTonight, ...]:
    """The decision on every job of the night."""
    wanted = wanted_jobs(jobs, ids, today)
    blocks = blocks_of(wanted, look_ups, all_needs(jobs))
    running = {job.id for job in wanted} - blocks.keys()
    decided = []
    for job in jobs:
        expected, why = Expected.NOT_SELECTED, ""
        if job.id in running:
            expected, why = Expected.RUN, warning_of(job, look_ups, today)
        elif job.id in blocks:
            expected, why = Expected.BLOCKED, blocks[job.id]
        elif job.id in ids:
            expected, why = Expected.OFF, reason_off(job, today)
        decided.append(
            JobTonight(
                id=job.id,
                hardware=job.hardware,
                expected=expected,
                why=why,
                limit_minutes=job.limit_minutes,
                needs=tuple(need for need in job.needs if job.id in running and need in running),
            )
        )
    return tuple(decided)


def nothing_decided(decided: tuple[JobTonight, ...], look_ups: LookUps) -> str:
    """Why nothing at all could be decided, or nothing when at least one job runs or has a definite no."""
    definite = any(isinstance(image, Missing) for image in look_ups.images.values()) or any(
        isinstance(model, OutOfReach) for model in look_ups.models.values()
    )
    if definite or expected_ids(decided):
        return ""
    return next((image.why for image in look_ups.images.values() if isinstance(image, Undecided)), "")

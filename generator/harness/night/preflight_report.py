"""What preflight decided, for the step summary, the log and the run's page."""

from dataclasses import dataclass

from generator.harness.night.console import annotate, say
from generator.harness.night.decide import LookUps
from generator.harness.night.github_files import append_summary
from generator.harness.night.images import Found, Missing, Undecided
from generator.harness.night.request import Request
from generator.harness.night.table import markdown_table, plain_table
from generator.harness.night.text import cell, count, one_line
from generator.harness.night.tonight import Expected, JobTonight, Tonight
from generator.harness.outcome import HarnessError
from generator.harness.world import World

HEAD = ("job", "hardware", "expected", "why")
IMAGE_HEAD = ("image", "tag", "handed on as", "note")
ORDER = (Expected.BLOCKED, Expected.RUN, Expected.OFF)


@dataclass(frozen=True, kw_only=True)
class Extras:
    """What stands beside the table of jobs."""

    look_ups: LookUps
    notes: tuple[str, ...]


def decided(world: World, request: Request, tonight: Tonight, extras: Extras) -> None:
    """Report a night that was decided."""
    shown = sorted(
        (job for job in tonight.jobs if job.expected in ORDER), key=lambda job: ORDER.index(job.expected)
    )
    rows = [(job.id, job.hardware, job.expected.value, job.why) for job in shown]
    images = [image_row(key, image) for key, image in extras.look_ups.images.items()]
    sentence = counts(tonight)
    parts = [f"## Preflight\n\n{cell(asked(request))} {cell(sentence)}\n\n", markdown_table(HEAD, rows)]
    if images:
        parts.append("\n" + markdown_table(IMAGE_HEAD, images))
    parts += [f"\n- {cell(note)}\n" for note in extras.notes]
    append_summary(world, "".join(parts) + "\n")
    for line in [
        asked(request),
        *plain_table(HEAD, rows),
        "",
        *(plain_table(IMAGE_HEAD, images) if images else []),
    ]:
        say(world, line)
    for note in extras.notes:
        say(world, f"note: {note}")
        annotate(world, "warning", "Preflight", note)
    for job in shown:
        warn(world, job)
    say(world, sentence)


def image_row(key: str, image: Found | Missing | Undecided) -> tuple[str, str, str, str]:
    """An image in the table."""
    if isinstance(image, Found):
        return (key, image.tag, image.reference, image.note)
    return (key, "none", "none", image.why)


def warn(world: World, job: JobTonight) -> None:
    """Say on the run's page what keeps a job from running."""
    if job.expected is Expected.BLOCKED:
        annotate(world, "warning", f"{job.id} is blocked", job.why)


def give_up(world: World, request: Request, problem: HarnessError) -> None:
    """Report a night that cannot be run."""
    append_summary(
        world,
        f"## Preflight: nothing runs\n\n{cell(asked(request))}\n\n"
        f"**{cell(problem.message)}**\n\n{cell(problem.help)}\n\n",
    )
    say(world, asked(request))
    annotate(world, "error", "Preflight: nothing runs", f"{problem.message} {problem.help}".strip())


def asked(request: Request) -> str:
    """The request in a sentence."""
    event = one_line(request.event, 60) or "hand"
    select = one_line(request.select, 120) or "all"
    filter_ = one_line(request.filter, 200)
    return f"Started by {event}: select '{select}', " + (f"filter '{filter_}'." if filter_ else "no filter.")


def counts(tonight: Tonight) -> str:
    """How many jobs there are of each kind."""
    numbers = {expected: len(tonight.ids(expected)) for expected in Expected}
    return (
        f"{count(numbers[Expected.RUN], 'job')} will run, {numbers[Expected.BLOCKED]} blocked, "
        f"{numbers[Expected.OFF]} off, {numbers[Expected.NOT_SELECTED]} not selected."
    )

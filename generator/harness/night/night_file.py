"""The night as the workflow describes it: its jobs, their images and models, and how to look them up."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from generator.harness.night.names import did_you_mean
from generator.harness.night.reading import Place, read_json

HELP = "The workflow hands NIGHT on as it was rendered: render it again and commit it unedited."

# A job id as GitHub takes it.
JOB_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,98}")


@dataclass(frozen=True, kw_only=True)
class Lookup:
    """How patiently the outside world is asked: seconds for one attempt, and attempts."""

    timeout_s: float
    attempts: int


@dataclass(frozen=True, kw_only=True)
class FixedImage:
    """An image that is written in the matrix and not looked up."""

    reference: str


@dataclass(frozen=True, kw_only=True)
class ImageRule:
    """How tonight's image is found among the tags of a repository.

    Attributes:
        repository: as in `docker pull`, without a tag.
        tag: must match a whole tag; its group `date` holds the day as eight digits.
        max_age_days: an older image is refused.
    """

    repository: str
    tag: re.Pattern[str]
    max_age_days: float


@dataclass(frozen=True, kw_only=True)
class Off:
    """A job that is switched off: why, and the last day (UTC) on which it is."""

    because: str
    until: date


@dataclass(frozen=True, kw_only=True)
class NightJob:
    """One job that the night can run.

    Attributes:
        image: the key of its image rule, or empty.
        off: empty, or the one reason for which it is switched off.
    """

    id: str
    name: str
    hardware: str
    limit_minutes: float
    groups: tuple[str, ...] = ()
    image: str = ""
    models: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    off: tuple[Off, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Night:
    """All that preflight is told.

    Attributes:
        repository: the one repository in which the night may run; empty where any may.
    """

    workflow: str
    repository: str
    continue_on_error: bool
    lookup: Lookup
    images: Mapping[str, FixedImage | ImageRule]
    jobs: tuple[NightJob, ...]


def read_night(text: str) -> Night:
    """Parse NIGHT.

    Raises:
        HarnessError: INVALID, with the path of what is wrong.
    """
    place = read_json(text, "NIGHT", HELP)
    lookup = place.member("lookup")
    images = {key: read_image(rule) for key, rule in place.member("images").mapping().items()}
    jobs = tuple(read_job(job) for job in place.member("jobs").items())
    check_ids(place.member("jobs"), jobs)
    check_images(place.member("jobs"), jobs, images)
    return Night(
        workflow=place.member("workflow").text(),
        repository="".join(entry.text() for entry in place.optional("repository")),
        continue_on_error=any(entry.flag() for entry in place.optional("continue_on_error")),
        lookup=Lookup(
            timeout_s=lookup.member("timeout_s").number(),
            attempts=max(1, int(lookup.member("attempts").number())),
        ),
        images=images,
        jobs=jobs,
    )


def read_image(place: Place) -> FixedImage | ImageRule:
    """One entry of `images`."""
    fixed = place.optional("fixed")
    if fixed:
        return FixedImage(reference=fixed[0].text())
    pattern = place.member("tag")
    try:
        tag = re.compile(pattern.text())
    except re.error as problem:
        raise pattern.wrong(f"not a regular expression: {problem}") from problem
    if "date" not in tag.groupindex:
        raise pattern.wrong("the expression has no group (?P<date>...), by which the newest tag is known")
    return ImageRule(
        repository=place.member("repository").text(),
        tag=tag,
        max_age_days=place.member("max_age_days").number(),
    )


def read_job(place: Place) -> NightJob:
    """One entry of `jobs`."""
    id_ = place.member("id").text()
    if not JOB_ID.fullmatch(id_):
        raise place.member("id").wrong(
            "a job id is a letter or _, then letters, digits, _ or -; at most 99 of them"
        )
    return NightJob(
        id=id_,
        name="".join(entry.text() for entry in place.optional("name")) or id_,
        hardware=place.member("hardware").text(),
        limit_minutes=place.member("limit_minutes").number(),
        groups=place.texts("groups"),
        image="".join(entry.text() for entry in place.optional("image")),
        models=place.texts("models"),
        needs=place.texts("needs"),
        off=tuple(read_off(entry) for entry in place.optional("off")),
    )


def read_off(place: Place) -> Off:
    """Why a job is switched off, and until when."""
    until = place.member("until")
    try:
        last_day = date.fromisoformat(until.text())
    except ValueError as problem:
        raise until.wrong(f"not a date such as 2026-12-31: {problem}") from problem
    return Off(because=place.member("because").text(), until=last_day)


def check_ids(place: Place, jobs: tuple[NightJob, ...]) -> None:
    """Every id once, whatever its case (GitHub compares without case), and every need known."""
    seen: set[str] = set()
    for index, job in enumerate(jobs):
        if job.id.casefold() in seen:
            raise place.items()[index].wrong(f"the job id '{job.id}' stands twice")
        seen.add(job.id.casefold())
    ids = {job.id for job in jobs}
    for index, job in enumerate(jobs):
        for need in job.needs:
            if need not in ids:
                raise place.items()[index].wrong(
                    f"it needs '{need}', which is no job. {did_you_mean(need, ids)}"
                )


def check_images(
    place: Place, jobs: tuple[NightJob, ...], images: Mapping[str, FixedImage | ImageRule]
) -> None:
    """Every image key is known; with no images at all the look-up is off and keys say nothing."""
    for index, job in enumerate(jobs):
        if images and job.image and job.image not in images:
            raise place.items()[index].wrong(
                f"the image '{job.image}' is not among the images. {did_you_mean(job.image, images)}"
            )

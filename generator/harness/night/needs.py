"""GitHub's `needs` context as the last job of the night gets it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from generator.harness.night.reading import Place, read_json
from generator.harness.night.text import one_line

HELP = "The step hands NEEDS on as ${{ toJSON(needs) }}: render the workflow again and commit it unedited."
PREFLIGHT = "preflight"


class Result(str, Enum):
    """GitHub's four results of a job."""

    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class JobResult:
    """What a job left behind; the texts are empty where the job did not get to its last step."""

    result: Result
    minutes: str = ""
    why: str = ""
    advisory: str = ""


@dataclass(frozen=True, kw_only=True)
class Needs:
    """All results of the night.

    Attributes:
        night: preflight's output, still as text; may be empty.
    """

    preflight: Result
    night: str
    jobs: Mapping[str, JobResult]


def read_needs(text: str) -> Needs:
    """Parse NEEDS.

    Raises:
        HarnessError: INVALID, with the path of what is wrong.
    """
    place = read_json(text, "NEEDS", HELP)
    first = place.member(PREFLIGHT)
    return Needs(
        preflight=read_result(first.member("result")),
        night=output(first, "night"),
        jobs={
            id_: JobResult(
                result=read_result(job.member("result")),
                minutes=one_line(output(job, "minutes")),
                why=one_line(output(job, "why")),
                advisory=one_line(output(job, "advisory")),
            )
            for id_, job in place.mapping().items()
            if id_ != PREFLIGHT
        },
    )


def read_result(place: Place) -> Result:
    """One of GitHub's four words."""
    word = place.text()
    if word not in {entry.value for entry in Result}:
        raise place.wrong(f"'{one_line(word, 60)}' is none of {', '.join(entry.value for entry in Result)}")
    return Result(word)


def output(job: Place, name: str) -> str:
    """An output of a job; empty where it was not set."""
    return "".join(
        value if isinstance(value, str) else str(value)
        for outputs in job.optional("outputs")
        for value in (entry.value for entry in outputs.optional(name))
    )

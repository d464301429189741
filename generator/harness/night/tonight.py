"""What preflight decided for each job, as it is handed on to the last job of the night."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from generator.harness.night.reading import Place, read_json
from generator.harness.night.text import one_line

HELP = "Preflight writes this output; look at the end of its log."

# A job's outputs hold at most 1 MB, and the last job takes all of them in one environment variable.
WHY_LIMIT = 200


class Expected(str, Enum):
    """What should become of a job tonight."""

    RUN = "run"
    BLOCKED = "blocked"
    OFF = "off"
    NOT_SELECTED = "not selected"


@dataclass(frozen=True, kw_only=True)
class JobTonight:
    """One job of the night.

    Attributes:
        why: why it does not run, or a warning on one that does; may be empty.
        needs: the jobs it waits for that run tonight.
    """

    id: str
    hardware: str
    expected: Expected
    why: str
    limit_minutes: float
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Tonight:
    """The whole night; `problem` says why preflight gave up, and is empty when it did not."""

    jobs: tuple[JobTonight, ...]
    problem: str = ""

    def ids(self, expected: Expected) -> tuple[str, ...]:
        """The ids of which this is expected, in the night's order."""
        return tuple(job.id for job in self.jobs if job.expected is expected)


def write_tonight(tonight: Tonight) -> str:
    """The night as one line of JSON, in ASCII, so that no console or shell on its way can harm it."""
    body: dict[str, object] = {"jobs": [written(job) for job in tonight.jobs]}
    if tonight.problem:
        body["problem"] = one_line(tonight.problem)
    return json.dumps(body, separators=(",", ":"))


def written(job: JobTonight) -> dict[str, object]:
    """One job for the JSON."""
    minutes = job.limit_minutes
    entry: dict[str, object] = {
        "id": job.id,
        "hardware": job.hardware,
        "expected": job.expected.value,
        "why": one_line(job.why, WHY_LIMIT),
        "limit_minutes": int(minutes) if minutes == int(minutes) else minutes,
    }
    return {**entry, "needs": list(job.needs)} if job.needs else entry


def read_tonight(text: str) -> Tonight:
    """Parse preflight's output `night`.

    Raises:
        HarnessError: INVALID, with the path of what is wrong.
    """
    place = read_json(text, "needs.preflight.outputs.night", HELP)
    problem = "".join(entry.text() for entry in place.optional("problem"))
    jobs = tuple(read_job(job) for job in place.member("jobs").items())
    if len({job.id for job in jobs}) < len(jobs):
        raise place.member("jobs").wrong("a job stands in it twice")
    return Tonight(jobs=jobs, problem=problem)


def read_job(place: Place) -> JobTonight:
    """One job of the JSON."""
    return JobTonight(
        id=place.member("id").text(),
        hardware=place.member("hardware").text(),
        expected=read_expected(place.member("expected")),
        why="".join(str(entry.value) for entry in place.optional("why")),
        limit_minutes=place.member("limit_minutes").number(),
        needs=place.texts("needs"),
    )


def read_expected(place: Place) -> Expected:
    """One of the four words."""
    word = place.text()
    if word not in {entry.value for entry in Expected}:
        raise place.wrong(f"'{one_line(word, 60)}' is none of {', '.join(entry.value for entry in Expected)}")
    return Expected(word)


def expected_ids(jobs: Iterable[JobTonight]) -> frozenset[str]:
    """The ids of the jobs that should run."""
    return frozenset(job.id for job in jobs if job.expected is Expected.RUN)

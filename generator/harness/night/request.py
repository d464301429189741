"""What was asked for tonight; one meaning on schedule, push, dispatch and call."""

from collections.abc import Mapping
from dataclasses import dataclass

from generator.harness.night.night_file import Night
from generator.harness.night.text import one_line
from generator.harness.outcome import HarnessError, Outcome

YES = frozenset({"true", "yes", "on", "1"})
NO = frozenset({"false", "no", "off", "0"})


@dataclass(frozen=True, kw_only=True)
class Request:
    """The request of one run.

    Attributes:
        event: GitHub's name of what started the run; only shown.
        select: `all`, a group or a job id, as typed; empty means all.
        filter: names and globs, as typed; empty means no filter.
        continue_on_error: as typed; empty means the night's own default.
        repository: where the run takes place; empty away from GitHub.
    """

    event: str
    select: str
    filter: str
    continue_on_error: str
    repository: str


def read_request(environment: Mapping[str, str]) -> Request:
    """The request from the environment; a null input arrives empty and means its default."""
    return Request(
        event=environment.get("EVENT", "") or environment.get("GITHUB_EVENT_NAME", ""),
        select=environment.get("JOB_SELECT", ""),
        filter=environment.get("JOB_FILTER", ""),
        continue_on_error=environment.get("CONTINUE_ON_ERROR", ""),
        repository=environment.get("REPOSITORY", "") or environment.get("GITHUB_REPOSITORY", ""),
    )


def continues_on_error(request: Request, night: Night) -> bool:
    """Whether a chain goes on after a failure.

    Raises:
        HarnessError: INVALID, for a word that is neither yes nor no.
    """
    word = request.continue_on_error.strip().casefold()
    if not word:
        return night.continue_on_error
    if word in YES | NO:
        return word in YES
    raise HarnessError(
        Outcome.INVALID,
        f"CONTINUE_ON_ERROR is '{one_line(word, 60)}'; it can be true, false or empty",
        "Start the run again with one of these.",
    )


def check_repository(request: Request, home: str) -> None:
    """Refuse to run in a fork, which has neither the runners nor the secrets of the night.

    Raises:
        HarnessError: NOT_MEASURED, so that the night is red and says why, not green with nothing run.
    """
    here = request.repository.strip()
    if home and here and here.casefold() != home.casefold():
        raise HarnessError(
            Outcome.NOT_MEASURED,
            f"this is {one_line(here)}, and the night runs only in {home}: nothing was run",
            f"In a fork there are no GPU runners. Start the workflow in {home}, or switch it off here.",
        )

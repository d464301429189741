"""Which jobs a request asks for. No name is dropped silently: it selects, is an error, or is noted."""

import fnmatch
import re
from collections.abc import Iterable
from dataclasses import dataclass

from generator.harness.night.names import did_you_mean, folded
from generator.harness.night.night_file import NightJob
from generator.harness.night.request import Request
from generator.harness.night.text import count, one_line
from generator.harness.outcome import HarnessError, Outcome

ALL = "all"
CHECK_GROUP = "check:"
GLOB_SIGNS = frozenset("*?[")


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The ids asked for, and what a person should know about names that added nothing."""

    ids: frozenset[str]
    notes: tuple[str, ...]


def select(jobs: tuple[NightJob, ...], request: Request) -> Selection:
    """The intersection of the select and the filter.

    Raises:
        HarnessError: INVALID, for a name that no job of the night has; NOT_MEASURED, when nothing is left.
    """
    chosen = ids_of_select(jobs, request.select)
    matches = [(entry, ids_of_filter_entry(jobs, entry)) for entry in filter_entries(jobs, request.filter)]
    unknown = [entry for entry, ids in matches if not ids]
    if unknown:
        raise unknown_filter(jobs, unknown)
    filtered = frozenset(id_ for _, ids in matches for id_ in ids) if matches else chosen
    if not chosen & filtered:
        raise HarnessError(
            Outcome.NOT_MEASURED,
            f"nothing selected: no job is both in '{one_line(request.select) or ALL}' "
            f"and in the filter '{one_line(request.filter)}'",
            "Widen one of the two and start again.",
        )
    notes = tuple(
        f"'{one_line(entry)}' adds nothing: it is in the filter but not in '{one_line(request.select)}'"
        for entry, ids in matches
        if not ids & chosen
    )
    return Selection(ids=chosen & filtered, notes=notes)


def checks_asked_for(jobs: tuple[NightJob, ...], select_: str) -> tuple[str, ...]:
    """The kinds of check to run inside the jobs: one where its group is asked for, else all of the night."""
    groups = dict.fromkeys(group for job in jobs for group in job.groups if group.startswith(CHECK_GROUP))
    asked = [group for group in groups if folded(group) == folded(select_)]
    return tuple(group.removeprefix(CHECK_GROUP).strip() for group in asked or groups)


def ids_of_select(jobs: tuple[NightJob, ...], select_: str) -> frozenset[str]:
    """The ids behind `all`, a job id or a group; an id goes before a group of the same name."""
    wanted = folded(select_)
    if wanted in {"", ALL}:
        chosen = frozenset(job.id for job in jobs)
        if not chosen:
            raise HarnessError(Outcome.NOT_MEASURED, "nothing selected: the night has no jobs")
        return chosen
    named = frozenset(job.id for job in jobs if wanted in {folded(job.id), folded(job.name)})
    grouped = frozenset(job.id for job in jobs if wanted in map(folded, job.groups))
    if named or grouped:
        return named or grouped
    known = [ALL, *dict.fromkeys(group for job in jobs for group in job.groups), *(job.id for job in jobs)]
    raise HarnessError(
        Outcome.INVALID,
        f"job_select: there is no job or group '{one_line(select_)}'",
        did_you_mean(select_, known),
    )


def filter_entries(jobs: tuple[NightJob, ...], filter_: str) -> tuple[str, ...]:
    """The names and globs in a filter.

    They stand between commas, line breaks and blanks; a display name with blanks in it may stand whole.
    """
    names = {folded(job.name) for job in jobs}
    entries: list[str] = []
    for part in re.split(r"[,\r\n]", filter_):
        entries += [part.strip()] if folded(part) in names else part.split()
    return tuple(dict.fromkeys(entries))


def ids_of_filter_entry(jobs: tuple[NightJob, ...], entry: str) -> frozenset[str]:
    """The ids of the jobs that one entry of the filter names; none when it names no job."""
    wanted = folded(entry)
    if wanted == ALL:
        return frozenset(job.id for job in jobs)
    exact = frozenset(job.id for job in jobs if wanted in {folded(job.id), folded(job.name)})
    if exact or not GLOB_SIGNS & set(wanted):
        return exact
    return frozenset(
        job.id
        for job in jobs
        if fnmatch.fnmatchcase(folded(job.id), wanted) or fnmatch.fnmatchcase(folded(job.name), wanted)
    )


def unknown_filter(jobs: tuple[NightJob, ...], unknown: Iterable[str]) -> HarnessError:
    """The error for entries of the filter that match no job at all."""
    ids = [job.id for job in jobs]
    names = list(unknown)
    hints = []
    for name in names:
        within = sum(folded(name) in folded(id_) for id_ in ids)
        hints.append(
            f"'*{one_line(name, 60)}*' would match {count(within, 'job')}."
            if within
            else did_you_mean(name, ids)
        )
    return HarnessError(
        Outcome.INVALID,
        f"job_filter: no job of this night matches {', '.join(repr(one_line(name, 100)) for name in names)}",
        " ".join(hint for hint in hints if hint),
    )

"""Writing files so that each is whole at any moment, and none is written over unread."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.outside.draft import Draft, sweep
from generator.outside.lock import Hold, only_writer
from generator.outside.place import place_of
from generator.outside.problem import OutsideError, failed

_VERBS = ("write", "change", "remove")
_WAIT_S = 10.0
_AGAIN = "run the command again, so that it sees what is there now"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A file that is written, changed or removed.

    Attributes:
        verb: `write`, `change` or `remove`.
        path: from the root, with forward slashes.
        old: the bytes that were read; empty for a new file.
        new: the bytes to be; empty for a file to be removed.
    """

    verb: str
    path: str
    old: bytes
    new: bytes

    def __post_init__(self) -> None:
        if self.verb not in _VERBS:
            raise ValueError(f"unknown verb {self.verb!r}")


def write_all(root: Path, changes: Sequence[Change], wait_s: float = _WAIT_S) -> None:
    """Make all changes; every new byte is on the disk before the first file is replaced, each at one stroke.

    So a full disk or a kill leaves each file as it was or as it is to be, and most often all as they were.
    Permission bits are kept. A symbolic link is never written through.

    Args:
        root: the folder that the paths start from, made where there is none.
        changes: to be made, one a path; removals come last.
        wait_s: for another writer to finish.

    Raises:
        OutsideError: a file could not be written, or is no longer what was read; says what was done.
        ValueError: two changes of one path.
    """
    if not changes:
        return
    if len({change.path for change in changes}) < len(changes):
        raise ValueError("two changes of one file")
    _make_root(root)
    with only_writer(root, wait_s) as hold:
        places = {change.path: place_of(root, change.path) for change in changes}
        for change in changes:
            _expect_unchanged(places[change.path], change)
        if hold is Hold.ALONE:
            _sweep_all(root, places)
        drafts: dict[str, Draft] = {}
        try:
            for change in changes:
                if change.verb != "remove":
                    drafts[change.path] = _draft(places[change.path], change)
            _replace_all(places, changes, drafts)
        finally:
            for draft in drafts.values():
                draft.discard()


def _make_root(root: Path) -> None:
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise failed(str(root), problem) from problem


def _sweep_all(root: Path, places: Mapping[str, Path]) -> None:
    try:
        for folder in {place.parent for place in places.values()}:
            sweep(folder)
    except OSError as problem:
        raise failed(str(problem.filename or root), problem) from problem


def _draft(place: Path, change: Change) -> Draft:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        return Draft.write(place, change.new)
    except OSError as problem:
        raise OutsideError(f"{failed(change.path, problem)}\nNothing was changed.") from problem


def _replace_all(places: Mapping[str, Path], changes: Sequence[Change], drafts: Mapping[str, Draft]) -> None:
    done: list[str] = []
    in_order = sorted(changes, key=lambda change: change.verb == "remove")
    try:
        for change in in_order:
            _expect_unchanged(places[change.path], change)
            _apply(places[change.path], change, drafts)
            done.append(change.path)
        for folder in {place.parent for place in places.values()}:
            _keep_names(folder)
    except OutsideError as problem:
        left = [change.path for change in in_order if change.path not in done]
        raise OutsideError(f"{problem}\n{_account(done, left)}") from problem


def _apply(place: Path, change: Change, drafts: Mapping[str, Draft]) -> None:
    try:
        if change.verb == "remove":
            place.unlink(missing_ok=True)
        else:
            drafts[change.path].replace()
    except OSError as problem:
        raise failed(change.path, problem) from problem


def _expect_unchanged(place: Path, change: Change) -> None:
    try:
        now = place.read_bytes()
    except FileNotFoundError as problem:
        if change.verb == "change":
            raise OutsideError(f"{change.path} was removed since it was read; {_AGAIN}") from problem
        return
    except OSError as problem:
        raise failed(change.path, problem) from problem
    if change.verb == "write" and now != change.new:
        raise OutsideError(f"{change.path} was made by somebody else meanwhile; {_AGAIN}")
    if change.verb != "write" and now != change.old:
        raise OutsideError(f"{change.path} was changed since it was read; {_AGAIN}")


def _keep_names(folder: Path) -> None:
    """The names are on the disk too, where the system can promise that."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        return
    finally:
        os.close(handle)


def _account(done: Sequence[str], left: Sequence[str]) -> str:
    if not done:
        return "Nothing was changed."
    return f"Changed before that: {', '.join(done)}. Not changed: {', '.join(left)}."

"""Processes of this machine: telling one from a later one with the same number, and ending a whole tree."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
_STATE, _PARENT, _GROUP, _STARTED = 0, 1, 2, 19  # fields of /proc/PID/stat behind the name


@dataclass(frozen=True, kw_only=True)
class Identity:
    """One process and no other: numbers are given again, a number with its start time is not.

    Attributes:
        pid: the process number; 0 stands for no process.
        started: the start time in clock ticks since boot, as text; empty where the system does not say.
    """

    pid: int
    started: str


NOBODY = Identity(pid=0, started="")


def _stat_fields(pid: int) -> tuple[str, ...]:
    try:
        text = (PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return ()
    # The name stands in brackets and may hold blanks and brackets itself.
    return tuple(text.rpartition(")")[2].split())


def identify(pid: int) -> Identity:
    """The identity of the running process `pid`; `NOBODY` when there is none, or only a zombie."""
    fields = _stat_fields(pid)
    if not fields:
        return NOBODY if PROC.is_dir() else _identify_by_signal(pid)
    if fields[_STATE] in {"Z", "X"}:
        return NOBODY
    return Identity(pid=pid, started=fields[_STARTED])


def _identify_by_signal(pid: int) -> Identity:
    if pid <= 0:
        return NOBODY
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError, OverflowError):
        return NOBODY
    return Identity(pid=pid, started="")


def is_running(identity: Identity) -> bool:
    """Whether exactly this process still runs."""
    return identity != NOBODY and identify(identity.pid) == identity


def _pids() -> tuple[int, ...]:
    if not PROC.is_dir():
        return ()
    return tuple(int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit())


def _namespace(pid: str) -> str:
    try:
        return str((PROC / pid / "ns" / "pid").readlink())
    except OSError:
        return ""


def marked(marker: str) -> tuple[Identity, ...]:
    """The processes of this PID namespace whose environment holds `marker`, a `NAME=value`."""
    wanted = marker.encode()
    own = _namespace("self")
    found = []
    for pid in _pids():
        try:
            environment = (PROC / str(pid) / "environ").read_bytes()
        except OSError:
            continue
        if wanted in environment.split(b"\0") and pid != os.getpid() and _namespace(str(pid)) == own:
            found.append(identify(pid))
    return tuple(identity for identity in found if identity != NOBODY)


def family(root: Identity) -> tuple[Identity, ...]:
    """The process, those of its process group, and all that descend from it."""
    if not is_running(root):
        return _group_of_dead_leader(root)
    members = {root.pid}
    facts = {pid: fields for pid in _pids() if (fields := _stat_fields(pid))}
    grown = True
    while grown:
        kin = {pid for pid, fields in facts.items() if {int(fields[_PARENT]), int(fields[_GROUP])} & members}
        grown = bool(kin - members)
        members |= kin
    return tuple(identity for pid in sorted(members) if (identity := identify(pid)) != NOBODY)


def _group_of_dead_leader(root: Identity) -> tuple[Identity, ...]:
    """A group keeps its number while it has members, and no new process is given that number."""
    if root == NOBODY or identify(root.pid) != NOBODY:
        return ()
    found = []
    for pid in _pids():
        fields = _stat_fields(pid)
        if fields and int(fields[_GROUP]) == root.pid:
            found.append(identify(pid))
    return tuple(identity for identity in found if identity != NOBODY)


def send(identities: Iterable[Identity], number: signal.Signals) -> None:
    """Send a signal to each that still runs."""
    for identity in identities:
        if is_running(identity) and identity.pid != os.getpid():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(identity.pid, number)


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long to wait for what.

    Attributes:
        grace_s: seconds between the request to end and the order to.
        kill_s: seconds that the kernel gets to carry the order out.
        sleep: waits for so many seconds.
        monotonic: a clock in seconds.
    """

    grace_s: float
    kill_s: float
    sleep: Callable[[float], None]
    monotonic: Callable[[], float]


def end_all(find: Callable[[], tuple[Identity, ...]], patience: Patience) -> tuple[Identity, ...]:
    """End all that `find` finds, looking again until none is left; returns those that would not go."""
    for number, limit_s in ((signal.SIGTERM, patience.grace_s), (signal.SIGKILL, patience.kill_s)):
        deadline = patience.monotonic() + limit_s
        told: set[Identity] = set()
        while alive := find():
            # A process that is born meanwhile is told too, each only once: some end harder when told twice.
            send((identity for identity in alive if identity not in told), number)
            told |= set(alive)
            if patience.monotonic() >= deadline:
                break
            patience.sleep(0.05)
        else:
            return ()
    return find()

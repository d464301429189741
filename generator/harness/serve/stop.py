"""Ending a server with all that it started, whatever state its file is in."""

from pathlib import Path

from generator.harness.serve import gpu_memory, logs, processes, state
from generator.harness.serve.processes import NOBODY, Identity, Patience
from generator.harness.world import World

_KILL_S = 20.0
_TAIL_LINES = 200
_MEMORY_SLACK_MIB = 1024


def patience(world: World, grace_s: float) -> Patience:
    """The waiting of a stop in this world."""
    return Patience(grace_s=grace_s, kill_s=_KILL_S, sleep=world.sleep, monotonic=world.monotonic)


def find_processes(folder: Path, leader: Identity) -> tuple[Identity, ...]:
    """All processes of the server of this folder.

    Found by the mark in their environment, which every descendant carries, and by the leader's group and
    children; so those are found too whose state file was never written, or that left the group.
    """
    found = {*processes.marked(state.marker(folder)), *processes.family(leader)}
    return tuple(sorted(found, key=lambda identity: identity.pid))


def _leader(folder: Path, world: World) -> tuple[Identity, tuple[int, ...]]:
    try:
        known = state.load(folder)
    except state.NoStateError:
        return NOBODY, ()
    except state.UnreadableStateError as problem:
        world.say(f"{problem}; looking for the server's processes by their mark instead")
        return NOBODY, ()
    if known.process != NOBODY and not processes.is_running(known.process):
        other = processes.identify(known.process.pid)
        if other != NOBODY:
            world.say(f"process {other.pid} is another program's by now and is left alone")
    return known.process, known.gpu_memory_used_mib


def _wait_for_memory(before: tuple[int, ...], world: World, limit_s: float) -> None:
    if not before:
        return
    deadline = world.monotonic() + limit_s
    while True:
        now = gpu_memory.used_mib(world.environment)
        held = [
            index
            for index, (old, new) in enumerate(zip(before, now, strict=False))
            if new > old + _MEMORY_SLACK_MIB
        ]
        if not held:
            world.say("GPU memory is free again")
            return
        if world.monotonic() >= deadline:
            world.say(
                f"warning: memory of GPU {', '.join(map(str, held))} is still held: "
                f"{now} MiB, before {before}"
            )
            return
        world.sleep(1.0)


def stop_server(folder: Path, world: World, grace_s: float, memory_limit_s: float) -> tuple[Identity, ...]:
    """End the server of this folder; returns the processes that could not be ended, most often none."""
    leader, memory_before = _leader(folder, world)
    found = find_processes(folder, leader)
    if not found:
        world.say("no server is running here")
    survivors = processes.end_all(lambda: find_processes(folder, leader), patience(world, grace_s))
    if found and not survivors:
        world.say(f"server stopped ({len(found)} process{'es' if len(found) > 1 else ''})")
        _wait_for_memory(memory_before, world, memory_limit_s)
    _leave_tail(folder)
    _mark_stopped(folder)
    return survivors


def _leave_tail(folder: Path) -> None:
    lines = logs.tail(folder / state.LOG_NAME, _TAIL_LINES)
    if not lines:
        return
    try:
        state.write_atomically(folder / state.TAIL_NAME, "\n".join(lines) + "\n")
    except OSError:
        return  # a full disk must not keep a stop from succeeding


def _mark_stopped(folder: Path) -> None:
    try:
        state.save(folder, state.stopped(state.load(folder)))
    except (state.NoStateError, state.UnreadableStateError, OSError):
        return

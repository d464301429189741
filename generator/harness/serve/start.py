"""Starting a server and waiting until it answers, watching its process and its log meanwhile."""

import os
import socket
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path

from generator.harness.outcome import HarnessError, Outcome
from generator.harness.serve import ask, gpu_memory, logs, processes, state
from generator.harness.serve.diagnosis import diagnose, ending
from generator.harness.serve.engines import ENGINES, Engine, EngineName, Launch, command_line
from generator.harness.serve.stop import find_processes, patience
from generator.harness.world import World

_POLL_S = 0.1
_LINE_EVERY_S = 60.0
_HEALTH_EVERY_S = 1.0
_TAIL_LINES = 40
_GRACE_AFTER_FAILURE_S = 10.0


@dataclass(kw_only=True)
class Watch:
    """A server that is being started."""

    folder: Path
    launch: Launch
    process: subprocess.Popen[bytes]
    world: World
    limit_s: float
    began: float
    follower: logs.LogFollower
    filter_: logs.MilestoneFilter = field(default_factory=logs.MilestoneFilter)
    last_line: float = 0.0

    @property
    def waited_s(self) -> float:
        """Seconds since the launch."""
        return self.world.monotonic() - self.began


def _check_port(launch: Launch) -> None:
    family = socket.AF_INET6 if ":" in launch.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((launch.host, launch.port))
        except OSError as problem:
            raise HarnessError(
                Outcome.OUTSIDE,
                f"port {launch.port} of {launch.host} cannot be used: {problem.strerror}",
                "Another server may still run: end it (`serve stop --state …`), or give another --port.",
            ) from problem


def _check_model(launch: Launch, world: World) -> None:
    is_path = launch.model.startswith(("/", "./", "../")) or launch.model.endswith(".gguf")
    if is_path and not (world.folder / launch.model).exists():
        raise HarnessError(
            Outcome.OUTSIDE,
            f"checkpoint missing: {launch.model} does not exist",
            "Is the model's path right, and is its disk mounted in this container?",
        )


def _check_free(folder: Path) -> None:
    try:
        known = state.load(folder)
    except (state.NoStateError, state.UnreadableStateError):
        leader = processes.NOBODY
    else:
        leader = known.process
    if running := find_processes(folder, leader):
        raise HarnessError(
            Outcome.INVALID,
            f"a server of {folder} is running already (process {running[0].pid})",
            f"Stop it first: serve stop --state {folder}",
        )


def _spawn(folder: Path, words: tuple[str, ...], world: World) -> subprocess.Popen[bytes]:
    name, _, value = state.marker(folder).partition("=")
    environment = {**world.environment, name: value, "PYTHONUNBUFFERED": "1"}
    with (folder / state.LOG_NAME).open("wb") as log:
        try:
            return subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=environment,
                cwd=world.folder,
            )
        except OSError as problem:
            raise HarnessError(
                Outcome.OUTSIDE,
                f"{words[0]} cannot be started: {problem.strerror or problem}",
                "Is the engine in this image? --program names another path.",
            ) from problem


def _show_milestones(watch: Watch) -> None:
    for line in watch.follower.new_lines():
        for milestone in logs.milestones(line):
            if watch.filter_.is_news(milestone):
                watch.world.say(f"[{watch.waited_s:6.1f} s] {milestone}")


def _show_waiting(watch: Watch) -> None:
    now = watch.world.monotonic()
    if now - watch.last_line >= _LINE_EVERY_S:
        watch.last_line = now
        watch.world.say(
            f"[{watch.waited_s:6.1f} s] waiting for {watch.launch.url} (at most {watch.limit_s:.0f} s)"
        )


def _fail_dead(watch: Watch, exit_code: int) -> HarnessError:
    lines = logs.tail(watch.folder / state.LOG_NAME, _TAIL_LINES)
    for line in lines:
        watch.world.say(f"  | {line}")
    why = diagnose(logs.tail(watch.folder / state.LOG_NAME, 400), exit_code)
    evidence = f" ({why.evidence})" if why.evidence else ""
    return HarnessError(
        Outcome.OUTSIDE,
        f"the server ended {ending(exit_code)} after {watch.waited_s:.0f} s; "
        f"likely reason: {why.reason}{evidence}",
        why.help,
    )


def _fail_late(watch: Watch, what: str) -> HarnessError:
    for line in logs.tail(watch.folder / state.LOG_NAME, _TAIL_LINES):
        watch.world.say(f"  | {line}")
    return HarnessError(
        Outcome.OUTSIDE,
        f"the server was not ready after {watch.limit_s:.0f} s: {what}",
        "Look at the last milestone: slow loading wants a longer launch limit, a hang does not.",
    )


def _raise_if_dead(watch: Watch) -> None:
    exit_code = watch.process.poll()
    if exit_code is not None:
        raise _fail_dead(watch, exit_code)


def _wait_until_healthy(watch: Watch, engine: Engine) -> None:
    asked = -_HEALTH_EVERY_S
    watch.last_line = watch.began
    while True:
        _show_milestones(watch)
        _raise_if_dead(watch)
        if watch.waited_s >= watch.limit_s:
            raise _fail_late(watch, "it did not say that it is healthy")
        every_s = _HEALTH_EVERY_S if watch.waited_s > 5 * _HEALTH_EVERY_S else _POLL_S
        if watch.waited_s - asked >= every_s:
            asked = watch.waited_s
            if ask.is_healthy(watch.launch.url, engine):
                return
        _show_waiting(watch)
        watch.world.sleep(_POLL_S)


def _wait_until_alive(watch: Watch, engine: Engine, facts: ask.ServerFacts) -> None:
    left_s = max(1.0, watch.limit_s - watch.waited_s)
    try:
        ask.prove_life(watch.launch.url, engine, facts.served_model or watch.launch.model, left_s)
    except ask.NoAnswerError as problem:
        watch.world.sleep(_POLL_S)
        _raise_if_dead(watch)
        raise _fail_late(watch, f"it says that it is healthy and makes no token: {problem}") from problem
    _show_milestones(watch)
    _raise_if_dead(watch)


def start_server(folder: Path, launch: Launch, world: World, limit_s: float) -> state.ServerState:
    """Start a server and return when it has made its first token.

    Raises:
        HarnessError: it cannot be started, died, or was not ready in time; nothing of it is left then.
    """
    known = _prepare(folder, launch, world)
    watch = Watch(
        folder=folder,
        launch=launch,
        process=_spawn(folder, known.command, world),
        world=world,
        limit_s=limit_s,
        began=world.monotonic(),
        follower=logs.LogFollower(path=folder / state.LOG_NAME),
    )
    try:
        known = replace(known, process=processes.identify(watch.process.pid))
        state.save(folder, known)
        ready = _bring_up(watch, known)
    except BaseException:
        _clear_away(watch)
        raise
    # The server outlives this program on purpose; Popen would warn of it when it is collected.
    watch.process.returncode = 0
    return ready


def _prepare(folder: Path, launch: Launch, world: World) -> state.ServerState:
    """Look at all that can be known to be wrong before the launch, and write down what is to be launched."""
    words = command_line(launch)
    if not words:
        raise HarnessError(
            Outcome.INVALID,
            f"there is no usual program for the engine {launch.engine.value}",
            "Name it: --program 'my-server'",
        )
    _check_free(folder)
    _check_model(launch, world)
    _check_port(launch)
    folder.mkdir(parents=True, exist_ok=True)
    known = state.ServerState(
        phase=state.Phase.STARTING,
        engine=launch.engine,
        model=launch.model,
        url=launch.url,
        command=words,
        arguments=launch.arguments,
        gpu_memory_used_mib=gpu_memory.used_mib(world.environment),
    )
    # Before the launch: should the harness be killed in between, `serve stop` still knows the folder.
    state.save(folder, known)
    return known


def _bring_up(watch: Watch, known: state.ServerState) -> state.ServerState:
    engine = ENGINES[EngineName(watch.launch.engine)]
    _wait_until_healthy(watch, engine)
    facts = ask.facts(watch.launch.url, engine)
    _wait_until_alive(watch, engine, facts)
    ready = replace(
        known,
        phase=state.Phase.READY,
        version=facts.version,
        served_model=facts.served_model,
        healthy_after_s=round(watch.waited_s, 2),
    )
    state.save(watch.folder, ready)
    return ready


def _clear_away(watch: Watch) -> None:
    leader = processes.Identity(pid=watch.process.pid, started=processes.identify(watch.process.pid).started)
    processes.end_all(
        lambda: find_processes(watch.folder, leader), patience(watch.world, _GRACE_AFTER_FAILURE_S)
    )
    watch.process.poll()
    if os.path.exists(watch.folder / state.FILE_NAME):  # noqa: PTH110 a plain question
        try:
            state.save(watch.folder, state.stopped(state.load(watch.folder)))
        except (state.NoStateError, state.UnreadableStateError, OSError):
            return

"""`serve start` and `serve stop`."""

import argparse
import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

from generator.harness.interruption import term_as_interrupt
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.reports.failure import write_failure
from generator.harness.serve.engines import EngineName, Launch
from generator.harness.serve.start import start_server
from generator.harness.serve.stop import stop_server
from generator.harness.world import World

_RESULTS_NAME = "results.json"
_SUMMARY_NAME = "summary.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the two verbs and their options."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="start|stop")
    start = verbs.add_parser(
        "start", help="start a server, wait until it makes tokens, leave it running", allow_abbrev=False
    )
    start.add_argument("--engine", required=True, choices=[name.value for name in EngineName])
    start.add_argument("--model", required=True, help="folder, file or repository name")
    start.add_argument("--port", type=_port, default=30000)
    start.add_argument("--host", default="127.0.0.1")
    start.add_argument("--state", default="results/server", help="folder for the log and for what is known")
    start.add_argument("--launch-timeout-s", type=_positive, default=1800.0)
    start.add_argument(
        "--program", default="", help="the words before the arguments, if not the engine's usual"
    )
    start.add_argument("engine_arguments", nargs="*", metavar="-- ENGINE ARGUMENTS")
    stop = verbs.add_parser("stop", help="end the server and all that it started", allow_abbrev=False)
    stop.add_argument("--state", default="results/server")
    stop.add_argument("--grace-s", type=_positive, default=20.0, help="before the processes are killed")
    stop.add_argument("--memory-timeout-s", type=_positive, default=60.0, help="wait for free GPU memory")


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds above 0")
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 < value < 65536:
        raise argparse.ArgumentTypeError(f"{text} is not a port (1 to 65535)")
    return value


def run(arguments: argparse.Namespace, world: World) -> Outcome:
    """Start or stop."""
    folder = world.folder / arguments.state
    if arguments.verb == "stop":
        return _stop(folder, arguments, world)
    launch = Launch(
        engine=EngineName(arguments.engine),
        model=arguments.model,
        host=arguments.host,
        port=arguments.port,
        program=arguments.program,
        arguments=tuple(arguments.engine_arguments),
    )
    return _start(folder, launch, world, arguments.launch_timeout_s)


def _start(folder: Path, launch: Launch, world: World, limit_s: float) -> Outcome:
    with _alone(folder), term_as_interrupt():
        for name in (_RESULTS_NAME, _SUMMARY_NAME):
            (folder / name).unlink(missing_ok=True)
        try:
            ready = start_server(folder, launch, world, limit_s)
        except HarnessError as problem:
            failed = HarnessError(
                problem.outcome, f"the server did not start: {problem.message}", problem.help
            )
            write_failure(folder, "server", failed)
            raise
    version = f" {ready.version}" if ready.version else ""
    world.say(f"{ready.engine.value}{version} is ready at {ready.url} after {ready.healthy_after_s:.1f} s")
    return Outcome.FINE


def _stop(folder: Path, arguments: argparse.Namespace, world: World) -> Outcome:
    survivors = stop_server(folder, world, arguments.grace_s, arguments.memory_timeout_s)
    if survivors:
        numbers = ", ".join(str(identity.pid) for identity in survivors)
        raise HarnessError(
            Outcome.OUTSIDE,
            f"these processes did not end, even when killed: {numbers}",
            "They hang in the kernel, most often in a driver: the machine wants a reset.",
        )
    return Outcome.FINE


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two starts in one folder at once would each take the other's server for their own."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise HarnessError(
                Outcome.INVALID,
                f"another `serve start` works in {folder}",
                "Wait for it, or use another --state.",
            ) from None
        yield

"""The command line of the harness: which commands there are, and how an error becomes an exit code."""

import argparse
import importlib
import traceback
from collections.abc import Sequence
from typing import Protocol, cast

from generator.harness.outcome import HarnessError, Outcome
from generator.harness.world import World

# name, module, what it is for. A module is imported only when its command is asked for.
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("begin", "generator.harness.night.begin", "first step of a job: the machine is what its label says"),
    ("end", "generator.harness.night.end", "last step of a job: why it failed, and its summaries"),
    ("preflight", "generator.harness.night.preflight", "first job of a night: which jobs run"),
    ("check-all-jobs", "generator.harness.night.check_all_jobs", "last job of a night: green, or why not"),
    ("serve", "generator.harness.serve.command", "start a server and leave it running, or end it"),
    (
        "accuracy",
        "generator.harness.evaluate.command",
        "ask questions with known answers and judge the share of right ones",
    ),
    (
        "verdict",
        "generator.harness.verdict.command",
        "merge the results of a night into one table and exit code",
    ),
)


class Command(Protocol):
    """What a command's module offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""

    def run(self, arguments: argparse.Namespace, world: World) -> Outcome:
        """Do it."""


def load(name: str) -> Command:
    """The module behind the command `name`."""
    module = next(module for command, module, _ in COMMANDS if command == name)
    return cast("Command", importlib.import_module(module))


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser of all commands; with `only`, the options of that one alone are declared."""
    parser = argparse.ArgumentParser(prog="python3 -m generator.harness", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, _, help_ in COMMANDS:
        command = commands.add_parser(name, help=help_, description=help_)
        if only in (None, name):
            load(name).add_arguments(command)
    return parser


def main(argv: Sequence[str], world: World) -> int:
    """Run one command line and return its exit code."""
    known = {name for name, _, _ in COMMANDS}
    first = argv[0] if argv and argv[0] in known else None
    arguments = build_parser(first).parse_args(argv)
    try:
        return load(arguments.command).run(arguments, world)
    except HarnessError as problem:
        world.say(f"error: {problem.message}")
        if problem.help:
            world.say(f"help: {problem.help}")
        return problem.outcome
    except OSError as problem:
        world.say(f"error: {problem}")
        return Outcome.OUTSIDE
    except Exception:  # noqa: BLE001 a fault of the harness must not look like a regression, which is what 1 is
        world.say(traceback.format_exc())
        world.say("error: this is a fault of the harness itself, nothing was measured")
        return Outcome.NOT_MEASURED
    except KeyboardInterrupt:
        world.say("error: interrupted")
        return Outcome.OUTSIDE

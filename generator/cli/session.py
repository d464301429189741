"""One run of a command: where it works, how it speaks, and how a problem becomes an exit code."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import wraps
from pathlib import Path
from typing import ParamSpec

import typer

from generator.cli.options import Format
from generator.domain.exit_code import ExitCode
from generator.domain.finding import Finding, Severity
from generator.domain.layout_error import LayoutError
from generator.outside.problem import OutsideError
from generator.report.colour import Colour, Output, choose_colour

P = ParamSpec("P")


class Voice(IntEnum):
    """How much a command says."""

    QUIET = 0
    NORMAL = 1
    VERBOSE = 2


def voice_of(*, quiet: bool, verbose: bool) -> Voice:
    """The voice that two flags ask for; verbose wins."""
    if verbose:
        return Voice.VERBOSE
    return Voice.QUIET if quiet else Voice.NORMAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of a command.

    Attributes:
        matrix: the matrix as it was named.
        format: form of the findings.
        environment: the process environment.
    """

    matrix: Path
    format: Format = Format.TEXT
    voice: Voice = Voice.NORMAL
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    @property
    def root(self) -> Path:
        """The root of the repository: where the matrix lies."""
        return self.matrix.parent

    @property
    def colour(self) -> Colour:
        """Colour on a terminal, and nowhere else unless it is asked for."""
        return choose_colour(self.environment, Output.TERMINAL if sys.stdout.isatty() else Output.OTHER)

    def say(self, text: str, at_least: Voice = Voice.NORMAL) -> None:
        """Print a line for a person; in the machine-readable forms it goes to standard error."""
        if self.voice >= at_least:
            typer.echo(text, err=self.format is not Format.TEXT)

    def show(self, findings: Iterable[Finding]) -> ExitCode:
        """Print findings, and tell what they make of the exit code."""
        findings = tuple(findings)
        errors = any(finding.severity is Severity.ERROR for finding in findings)
        if findings or self.format is not Format.TEXT:
            # Where all is well nothing is shown, and the forms are not imported.
            from generator.cli.show import shown

            typer.echo(shown(findings, self.format, self.colour), nl=False)
        return ExitCode.FINDINGS if errors else ExitCode.FINE


def guarded(command: Callable[P, ExitCode]) -> Callable[P, None]:
    """A command whose exit code is what it returns, and 4 where the world outside fails."""

    @wraps(command)
    def run(*arguments: P.args, **options: P.kwargs) -> None:
        try:
            code = command(*arguments, **options)
        except OutsideError as problem:
            typer.echo(f"error: {problem}", err=True)
            code = ExitCode.OUTSIDE
        except LayoutError as problem:
            typer.echo(f"error: {problem}\nhelp: a template does not lay out what was planned", err=True)
            code = ExitCode.INVALID
        except BrokenPipeError:
            # Whoever reads has gone; nothing more can be said to anyone.
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - lives to the end
            code = ExitCode.OUTSIDE
        raise typer.Exit(code)

    return run

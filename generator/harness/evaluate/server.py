"""The server that is asked: found by its state folder or by its URL."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.harness.outcome import HarnessError, Outcome
from generator.harness.serve import ask, logs, processes, state
from generator.harness.serve.diagnosis import diagnose
from generator.harness.serve.engines import ENGINES, Engine, EngineName

_ADDRESS_FLAGS = frozenset({"--host", "--port"})


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server to ask.

    Attributes:
        engine: its kind.
        url: where it answers.
        model: the checkpoint, as given.
        served_model: the name that requests use.
        version: as it says; may be empty.
        arguments: those that it was started with, as far as known, without its address.
        folder: its state folder; the empty path when it was not started here.
        obituary: says why it is dead; empty while it lives or when that cannot be told.
    """

    engine: Engine
    url: str
    model: str
    served_model: str
    version: str
    arguments: tuple[str, ...]
    folder: Path
    obituary: Callable[[], str]

    def as_record(self) -> dict[str, Any]:
        """What makes it this server and no other: not its address, which changes when it is started again."""
        return {
            "engine": self.engine.name.value,
            "version": self.version,
            "model": self.model,
            "served_model": self.served_model,
            "arguments": list(self.arguments),
        }


def _without_address(arguments: tuple[str, ...]) -> tuple[str, ...]:
    kept = []
    skip = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if skip:
            skip = False
        elif name in _ADDRESS_FLAGS:
            skip = not equals
        else:
            kept.append(argument)
    return tuple(kept)


def by_state(folder: Path) -> Server:
    """The server that `serve start` left running.

    Raises:
        HarnessError: none was started here, it was not ready, or it is dead.
    """
    try:
        known = state.load(folder)
    except (state.NoStateError, state.UnreadableStateError) as problem:
        raise HarnessError(
            Outcome.INVALID, str(problem), f"Start a server first: serve start --state {folder}"
        ) from None
    obituary = _obituary(folder, known.process)
    if known.phase is not state.Phase.READY:
        raise HarnessError(
            Outcome.OUTSIDE, f"the server of {folder} is {known.phase.value}, not ready", "Look at its log."
        )
    if why := obituary():
        raise HarnessError(Outcome.OUTSIDE, f"the server of {folder} is dead: {why}", "Start it again.")
    return Server(
        engine=ENGINES[known.engine],
        url=known.url,
        model=known.model,
        served_model=known.served_model or known.model,
        version=known.version,
        arguments=_without_address(known.arguments),
        folder=folder,
        obituary=obituary,
    )


def _obituary(folder: Path, process: processes.Identity) -> Callable[[], str]:
    def why() -> str:
        if process == processes.NOBODY or processes.is_running(process):
            return ""
        found = diagnose(logs.tail(folder / state.LOG_NAME, 400), 0)
        last = logs.tail(folder / state.LOG_NAME, 1)
        reason = f"its process is gone; likely reason: {found.reason}"
        evidence = found.evidence or (f"last line of its log: {last[0]}" if last else "")
        return f"{reason} ({evidence})" if evidence else reason

    return why


def by_url(url: str, engine: EngineName, model: str) -> Server:
    """A server that somebody else started.

    Raises:
        HarnessError: it does not answer.
    """
    kind = ENGINES[engine]
    clean = url.rstrip("/")
    if not ask.is_healthy(clean, kind):
        raise HarnessError(
            Outcome.OUTSIDE,
            f"{clean} does not answer as a healthy {engine.value} server",
            "Is it up, and is this its URL?",
        )
    facts = ask.facts(clean, kind)
    served = model or facts.served_model
    return Server(
        engine=kind,
        url=clean,
        model=served,
        served_model=served,
        version=facts.version,
        arguments=(),
        folder=Path(),
        obituary=lambda: "",
    )

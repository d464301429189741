"""From the settings of a cell to what is measured in it, and to the server that serves it."""

import re
from collections.abc import Iterable

from generator.config.levels import Settings
from generator.config.names import Problems
from generator.domain.cell import Server
from generator.domain.check import After, By, Check, CheckKind, Harness, Path, Runner, Weight
from generator.domain.location import Location
from generator.domain.model import Model

_PLACEHOLDER = re.compile(r"(?<!\$)\{(\w*)\}")
_PORT = 30000
_LAUNCH_TIMEOUT_S = 3600


class CellSettings:
    """Typed reading of a cell's merged settings; the schema has approved each value's type."""

    def __init__(self, settings: Settings, place: Location) -> None:
        self.settings = settings
        self.place = place

    def text(self, path: str, default: str = "") -> str:
        """A text."""
        return str(self.settings[path].value) if path in self.settings else default

    def integer(self, path: str, default: int = 0) -> int:
        """A whole number."""
        value = self.settings[path].value if path in self.settings else default
        return int(value) if isinstance(value, int | float) else default

    def number(self, path: str, default: float = 0.0) -> float:
        """A number."""
        value = self.settings[path].value if path in self.settings else default
        return float(value) if isinstance(value, int | float) else default

    def texts(self, path: str) -> tuple[str, ...]:
        """A list of texts."""
        value = self.settings[path].value if path in self.settings else ()
        return value if isinstance(value, tuple) else ()

    def below(self, path: str) -> dict[str, str]:
        """What a mapping of texts holds, by name."""
        start = f"{path}."
        return {
            name[len(start) :]: str(setting.value)
            for name, setting in self.settings.items()
            if name.startswith(start)
        }

    def at(self, *paths: str) -> Location:
        """Where the first of the paths that is written is written."""
        return next((self.settings[path].location for path in paths if path in self.settings), self.place)


def read_checks(
    kinds: Iterable[tuple[str, str]], values: CellSettings, problems: Problems
) -> tuple[Check, ...]:
    """The checks of a cell, in their order."""
    return tuple(_read_check(key, CheckKind(kind), values, problems) for key, kind in kinds)


def _read_check(key: str, kind: CheckKind, values: CellSettings, problems: Problems) -> Check:
    base = f"checks.{key}"
    advisory = values.text(f"{base}.advisory") == "True"
    anyway = values.text(f"{base}.even_after_failure") == "True"
    return Check(
        key=key,
        kind=kind,
        by=_read_by(base, kind, values, problems),
        gate=values.number(f"{base}.gate"),
        weight=Weight.ADVISORY if advisory else Weight.GATING,
        after=After.ANYTHING if anyway else After.SUCCESS,
        timeout_minutes=values.integer(f"{base}.timeout_minutes"),
        env=values.below(f"{base}.env"),
        location=values.at(f"{base}.suite", f"{base}.file", f"{base}.gate"),
    )


def _read_by(base: str, kind: CheckKind, values: CellSettings, problems: Problems) -> By:
    asked_as = next((name for name in ("suite", "file") if f"{base}.{name}" in values.settings), "")
    if asked_as:
        return _read_runner(base, asked_as, values, problems)
    if kind is not CheckKind.ACCURACY:
        problems.add(
            "check-without-runner",
            values.at(f"{base}.check"),
            f"`{base}` measures {kind.value}, and nobody is named who would",
            "Name a `suite` or a `file` of the project; the bundled harness measures accuracy.",
        )
    elif f"{base}.gate" not in values.settings:
        problems.add(
            "gate-missing",
            values.place,
            f"`{base}` has no gate, so it could only ever pass",
            "Write the lowest accuracy that passes as `gate`.",
        )
    return Harness(
        data=values.text(f"{base}.data", "gsm8k"),
        questions=values.integer(f"{base}.questions", 1319),
        shots=values.integer(f"{base}.shots", 5),
        shots_from=values.text(f"{base}.shots_from"),
        max_new_tokens=values.integer(f"{base}.max_new_tokens", 512),
        concurrency=values.integer(f"{base}.concurrency", 64),
        path=Path(values.text(f"{base}.path", "completion")),
        extraction=values.text(f"{base}.extraction", "flexible"),
        invalid_rate=values.number(f"{base}.invalid_rate", 0.05),
        deadline_minutes=values.integer(f"{base}.deadline_minutes", 60),
    )


def _read_runner(base: str, asked_as: str, values: CellSettings, problems: Problems) -> Runner:
    setting = f"{asked_as}_command"
    command = values.text(setting)
    place = values.at(setting, f"{base}.{asked_as}")
    if not command:
        problems.add(
            "missing-key",
            place,
            f"`{base}` asks for a {asked_as}, and there is no `{setting}` that could run it",
            f"Write `{setting}` under `defaults`.",
        )
    for name in _PLACEHOLDER.findall(command):
        if name not in (asked_as, "per_file_timeout_s"):
            problems.add(
                "wrong-value",
                place,
                f"`{setting}` holds {{{name}}}, which stands for nothing",
                f"It may hold {{{asked_as}}} and {{per_file_timeout_s}}; a shell variable is written ${{…}}.",
            )
    inner, outer = f"{base}.per_file_timeout_s", f"{base}.timeout_minutes"
    if inner not in values.settings and outer not in values.settings:
        problems.add(
            "missing-key",
            values.at(f"{base}.{asked_as}"),
            f"`{base}` has no limit: neither of its step nor of one file",
            "Write `per_file_timeout_s`; the limits around it are derived.",
        )
    return Runner(
        command=command,
        continue_flag=values.text("continue_flag") if asked_as == "suite" else "",
        asked=values.text(f"{base}.{asked_as}"),
        per_file_timeout_s=values.integer(inner),
        launch_timeout_s=values.integer(f"{base}.launch_timeout_s"),
        launches=values.integer(f"{base}.launches", 1),
    )


def read_server(model: Model | None, values: CellSettings, problems: Problems) -> Server | None:
    """How the model is served for the bundled harness; nothing where that cannot be told, which is noted."""
    engine = values.text("server.engine")
    served = values.text("server.model", model.repository if model is not None else "")
    if not engine or not served:
        missing = "server.engine" if not engine else "server.model"
        problems.add(
            "missing-key",
            values.place,
            f"the bundled harness measures here, and `{missing}` does not say what it serves",
            f"Write `{missing}` in the cell, in its model's `defaults`, or wider.",
        )
        return None
    return Server(
        engine=engine,
        program=values.text("server.program"),
        model=served,
        arguments=_arguments(values.settings),
        port=values.integer("server.port", _PORT),
        launch_timeout_s=values.integer("server.launch_timeout_s", _LAUNCH_TIMEOUT_S),
    )


def _arguments(settings: Settings) -> tuple[str, ...]:
    start = "server.arguments."
    words: list[str] = []
    for path, setting in settings.items():
        if not path.startswith(start):
            continue
        value = setting.value
        if value is False:
            continue
        words.append(f"--{path[len(start) :]}")
        if value is not True:
            words.append(str(value))
    return tuple(words)

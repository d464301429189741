"""What is measured in a cell, by whom, and what it must reach."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from generator.domain.location import Location


class CheckKind(Enum):
    """What is measured."""

    ACCURACY = "accuracy"
    SPECULATIVE = "speculative"
    PERFORMANCE = "performance"
    SUITE = "suite"


class Weight(Enum):
    """Whether a failed check turns the night red, or is shown and no more."""

    GATING = "gating"
    ADVISORY = "advisory"


class After(Enum):
    """When a check runs that is not the first of its job."""

    SUCCESS = "success"
    ANYTHING = "anything"


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Tests of the project under test, started by its own command.

    Attributes:
        command: the command, with {suite} or {file}, and {per_file_timeout_s}.
        continue_flag: what is added when the night carries on after a failure; empty for nothing.
        asked: the suite or file that is asked for, as the project calls it.
        per_file_timeout_s: the command's own limit in seconds for one file; 0 to derive it from the step's.
        launch_timeout_s: seconds that the tests allow a server to start; 0 where they start none.
        launches: how many times a server may be started within that limit.
    """

    command: str
    continue_flag: str
    asked: str
    per_file_timeout_s: int
    launch_timeout_s: int
    launches: int


class Path(Enum):
    """How questions reach the model: as a raw prompt, or as a conversation."""

    COMPLETION = "completion"
    CHAT = "chat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """An accuracy that the bundled harness measures.

    Attributes:
        data: name of a data set, or path of a JSONL file.
        questions, shots: how many are asked, and how many are shown before each.
        shots_from: a JSONL file with the shown questions; empty for the data set's own.
        max_new_tokens: longest answer.
        concurrency: requests at a time.
        extraction: the rule that finds the answer in the text.
        invalid_rate: highest share of answers in which the rule finds nothing.
        deadline_minutes: when the run ends by itself, in order.
    """

    data: str
    questions: int
    shots: int
    shots_from: str
    max_new_tokens: int
    concurrency: int
    path: Path
    extraction: str
    invalid_rate: float
    deadline_minutes: int


By: TypeAlias = Runner | Harness


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that is measured in a cell.

    Attributes:
        key: its name within the cell; also the id of its step.
        gate: lowest value that passes; 0 where the project's own tests hold it or none is known.
        timeout_minutes: limit of its step as the matrix says it; 0 to derive it.
        env: variables for this check alone.
    """

    key: str
    kind: CheckKind
    by: By
    gate: float
    weight: Weight
    after: After
    timeout_minutes: int
    env: Mapping[str, str]
    location: Location

"""What makes two accuracies comparable: same data, same shots, same way of asking, same rule of reading."""

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from enum import Enum
from typing import Any

from generator.harness.evaluate.extraction import Extraction

TEMPLATE = "question-answer-1"


class AskPath(str, Enum):
    """How a question is put: as raw text to go on with, or as a conversation."""

    COMPLETION = "completion"
    CHAT = "chat"


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """Every value that changes what an accuracy means. Results of two protocols are never compared.

    Attributes:
        data: name of the data set and split.
        data_sha256: of the file, unpacked.
        questions: how many are asked, from the first on.
        shots: how many worked examples go before.
        shots_from: name of the data that they come from.
        shots_sha256: of that file.
        path: completion or chat.
        template: the version of the wording around question and answer.
        stops: texts at which an answer ends.
        max_new_tokens: an answer that is longer is cut off.
        temperature: 0 for greedy.
        extraction: the rule that reads the number.
        chat_template_arguments: JSON handed to the model's chat template; empty for none.
    """

    data: str
    data_sha256: str
    questions: int
    shots: int
    shots_from: str
    shots_sha256: str
    path: AskPath
    template: str
    stops: tuple[str, ...]
    max_new_tokens: int
    temperature: float
    extraction: Extraction
    chat_template_arguments: str

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        record = dataclasses.asdict(self)
        record["path"], record["extraction"] = self.path.value, self.extraction.value
        record["stops"] = list(self.stops)
        return record

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that differ when any value differs."""
        text = json.dumps(self.as_record(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def differences(before: dict[str, Any], now: dict[str, Any]) -> tuple[str, ...]:
    """What differs between two records, each as `key: before → now`."""
    keys = sorted({*before, *now})
    return tuple(
        f"{key}: {before.get(key)!r} → {now.get(key)!r}" for key in keys if before.get(key) != now.get(key)
    )

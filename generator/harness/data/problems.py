"""Word problems with a worked answer, as GSM8K writes them: one JSON object a line."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from generator.harness.evaluate.extraction import Number, legacy, strict
from generator.harness.outcome import HarnessError, Outcome


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One question.

    Attributes:
        index: its place in its file, from 0.
        question: as written.
        answer: the worked answer, ending in `#### number`.
        expected: the number after the mark.
        expected_legacy: the last run of digits of the answer, as old few-shot scripts read it.
    """

    index: int
    question: str
    answer: str
    expected: Number
    expected_legacy: Number

    @property
    def id(self) -> str:
        """Twelve hexadecimal digits that stand for the question's text in any file."""
        return hashlib.sha256(self.question.strip().encode()).hexdigest()[:12]


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """The problems of one file.

    Attributes:
        name: how it is called in results.
        sha256: of the file's bytes, unpacked.
        problems: in the file's order.
    """

    name: str
    sha256: str
    problems: tuple[Problem, ...]


def _problem(index: int, line: str, origin: str) -> Problem:
    where = f"{origin}:{index + 1}"
    try:
        record = json.loads(line)
    except ValueError as problem:
        raise HarnessError(
            Outcome.INVALID, f"{where}: not JSON: {problem}", "One JSON object a line."
        ) from None
    question = record.get("question") if isinstance(record, dict) else None
    answer = record.get("answer") if isinstance(record, dict) else None
    if not isinstance(question, str) or not isinstance(answer, str) or not question.strip():
        raise HarnessError(
            Outcome.INVALID,
            f"{where}: no question and answer",
            'Each line: {"question": "…", "answer": "… #### 18"}',
        )
    expected, by_legacy = strict(answer), legacy(answer)
    if expected is None or by_legacy is None:
        raise HarnessError(
            Outcome.INVALID,
            f"{where}: the answer does not end in `#### number`",
            "Without it nothing can be scored.",
        )
    return Problem(
        index=index, question=question, answer=answer, expected=expected, expected_legacy=by_legacy
    )


def parse(data: bytes, name: str, origin: str) -> DataSet:
    """Problems from the bytes of a JSON-lines file; `origin` is what errors call it.

    Raises:
        HarnessError: not UTF-8, not JSON, or a line without question and answer.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise HarnessError(Outcome.INVALID, f"{origin}: not UTF-8: {problem}", "Save it as UTF-8.") from None
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        raise HarnessError(Outcome.INVALID, f"{origin} holds no question", "Is it the right file?")
    problems = tuple(_problem(index, line, origin) for index, line in enumerate(lines))
    return DataSet(name=name, sha256=hashlib.sha256(data).hexdigest(), problems=problems)


def read(path: Path, name: str) -> DataSet:
    """Problems from a file.

    Raises:
        HarnessError: it cannot be read, or holds something else.
    """
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise HarnessError(
            Outcome.INVALID, f"{path} cannot be read: {problem.strerror}", "Is the path right?"
        ) from None
    return parse(data, name, str(path))

"""One answer as it is kept: a line of `samples.jsonl`."""

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from generator.harness.data.problems import Problem
from generator.harness.evaluate.extraction import RULES, Extraction, Number, written
from generator.harness.evaluate.protocol import Protocol
from generator.harness.evaluate.stops import cut
from generator.harness.evaluate.wire import Answer


class Status(str, Enum):
    """Whether there is an answer. A failed request is no wrong answer."""

    ANSWERED = "answered"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One question and what came of it.

    Attributes:
        index: the question's place in the data.
        question_id: stands for the question's text.
        status: answered or failed.
        question: as asked.
        text: the answer as received, not cut.
        reasoning: what the server put into a field for thinking.
        useful_characters: length of the answer up to its first stop.
        useful_tokens: tokens up to the first stop; estimated by length where the server ran past it.
        completion_tokens: as the server counts; -1 when it does not say.
        extracted: the number read, written out; empty for none.
        expected: the right number.
        is_correct: whether they are equal.
        is_cut_off: the token limit ended it, and no stop came before.
        ran_past_stop: the server went on behind a stop.
        finish_reason: in the server's word.
        started_s: seconds since the epoch.
        latency_s: of the last attempt.
        attempts: how often it was sent.
        error: why it failed; empty when answered.
        evidence: the server's own counters of this answer, untouched.
    """

    index: int
    question_id: str
    status: Status
    question: str
    expected: str
    started_s: float
    attempts: int
    text: str = ""
    reasoning: str = ""
    useful_characters: int = 0
    useful_tokens: int = -1
    completion_tokens: int = -1
    extracted: str = ""
    is_correct: bool = False
    is_cut_off: bool = False
    ran_past_stop: bool = False
    finish_reason: str = ""
    latency_s: float = 0.0
    error: str = ""
    evidence: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def as_line(self) -> str:
        """One line of JSON, ended."""
        record = {**dataclasses.asdict(self), "status": self.status.value}
        return json.dumps(record, ensure_ascii=True) + "\n"


def expected_of(problem: Problem, extraction: Extraction) -> Number:
    """The right number: by the legacy rule the old scripts read the key with that rule too."""
    return problem.expected_legacy if extraction is Extraction.LEGACY else problem.expected


def judge(problem: Problem, answer: Answer, protocol: Protocol, timing: tuple[float, float, int]) -> Sample:
    """Cut, read and compare an answer; `timing` is its start (epoch), latency (seconds) and attempts."""
    part = cut(answer.text, protocol.stops)
    number = RULES[protocol.extraction](part.text)
    expected = expected_of(problem, protocol.extraction)
    tokens = answer.completion_tokens
    useful = tokens
    if tokens >= 0 and part.ran_past:
        useful = math.ceil(tokens * len(part.text) / len(answer.text))
    started_s, latency_s, attempts = timing
    return Sample(
        index=problem.index,
        question_id=problem.id,
        status=Status.ANSWERED,
        question=problem.question,
        text=answer.text,
        reasoning=answer.reasoning,
        useful_characters=len(part.text),
        useful_tokens=useful,
        completion_tokens=tokens,
        extracted=written(number),
        expected=written(expected),
        is_correct=number is not None and number == expected,
        is_cut_off=answer.finish_reason == "length" and not part.is_complete,
        ran_past_stop=part.ran_past,
        finish_reason=answer.finish_reason,
        started_s=round(started_s, 3),
        latency_s=round(latency_s, 4),
        attempts=attempts,
        evidence=answer.evidence,
    )


def failed(problem: Problem, protocol: Protocol, reason: str, timing: tuple[float, int]) -> Sample:
    """A question without an answer; `timing` is its start (epoch) and its attempts."""
    return Sample(
        index=problem.index,
        question_id=problem.id,
        status=Status.FAILED,
        question=problem.question,
        expected=written(expected_of(problem, protocol.extraction)),
        started_s=round(timing[0], 3),
        attempts=timing[1],
        error=reason,
    )


def parse_line(line: str) -> Sample:
    """A sample from its line.

    Raises:
        ValueError: the line is not one.
    """
    try:
        record = json.loads(line)
        return Sample(**{**record, "status": Status(record["status"])})
    except (TypeError, KeyError) as problem:
        raise ValueError(f"not a sample: {problem}") from problem

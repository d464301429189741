"""Counts over samples, and what they allow to be said."""

from collections.abc import Iterable
from dataclasses import dataclass

from generator.harness.evaluate.samples import Sample, Status
from generator.harness.evaluate.statistics import Interval, share, standard_error, wilson


@dataclass(frozen=True, kw_only=True)
class Tally:
    """What came of the questions so far.

    Attributes:
        planned: questions of the protocol.
        answered: with an answer, right or wrong.
        correct: of those.
        invalid: answered without a number.
        cut_off: answered and ended by the token limit.
        ran_past_stop: answered, and the server went on behind a stop.
        failed: requests without an answer; they count as nothing else.
    """

    planned: int
    answered: int
    correct: int
    invalid: int
    cut_off: int
    ran_past_stop: int
    failed: int

    @property
    def pending(self) -> int:
        """Questions that may still get an answer."""
        return self.planned - self.answered - self.failed

    @property
    def accuracy(self) -> float:
        """Right answers of all answers."""
        return share(self.correct, self.answered)

    @property
    def standard_error(self) -> float:
        """Of the accuracy."""
        return standard_error(self.correct, self.answered)

    @property
    def interval(self) -> Interval:
        """Wilson's 95% interval of the accuracy."""
        return wilson(self.correct, self.answered)

    @property
    def invalid_rate(self) -> float:
        """Answers without a number of all answers."""
        return share(self.invalid, self.answered)

    @property
    def cut_off_rate(self) -> float:
        """Answers ended by the token limit of all answers."""
        return share(self.cut_off, self.answered)

    @property
    def ran_past_stop_rate(self) -> float:
        """Answers in which the server went on behind a stop of all answers."""
        return share(self.ran_past_stop, self.answered)

    @property
    def failed_share(self) -> float:
        """Requests that failed of those that ended."""
        return share(self.failed, self.answered + self.failed)


@dataclass(kw_only=True)
class Counter:
    """Counts samples as they come; each question once."""

    planned: int
    answered: int = 0
    correct: int = 0
    invalid: int = 0
    cut_off: int = 0
    ran_past_stop: int = 0
    failed: int = 0

    def add(self, sample: Sample) -> None:
        """Count one more."""
        if sample.status is Status.FAILED:
            self.failed += 1
            return
        self.answered += 1
        self.correct += sample.is_correct
        self.invalid += not sample.extracted
        self.cut_off += sample.is_cut_off
        self.ran_past_stop += sample.ran_past_stop

    def tally(self) -> Tally:
        """The counts so far."""
        return Tally(
            planned=self.planned,
            answered=self.answered,
            correct=self.correct,
            invalid=self.invalid,
            cut_off=self.cut_off,
            ran_past_stop=self.ran_past_stop,
            failed=self.failed,
        )


def count(samples: Iterable[Sample], planned: int) -> Tally:
    """The tally of samples."""
    counter = Counter(planned=planned)
    for sample in samples:
        counter.add(sample)
    return counter.tally()

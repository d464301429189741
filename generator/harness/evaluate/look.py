"""A look at the first answers: what is wrong with all of them is not worth an hour of asking on."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.harness.evaluate.ending import End
from generator.harness.evaluate.samples import Sample, Status

FIRST_ANSWERS = 16


@dataclass(frozen=True, kw_only=True)
class Concern:
    """What all the first answers have in common."""

    end: End
    detail: str


def _excerpt(text: str) -> str:
    shown = " ".join(text.split())
    return f"…{shown[-120:]}" if len(shown) > 120 else shown


def look(samples: Sequence[Sample], planned: int) -> tuple[Concern, ...]:
    """The concern with the first answers, at most one; none before there are enough of them."""
    first = [sample for sample in samples if sample.status is Status.ANSWERED][:FIRST_ANSWERS]
    if not first or len(first) < min(FIRST_ANSWERS, planned):
        return ()
    count = f"the first {len(first)} answers" if len(first) > 1 else "the first answer"
    if all(sample.reasoning and not sample.text.strip() for sample in first):
        detail = f"{count}: the text is empty and the reasoning is not, e.g. {_excerpt(first[0].reasoning)!r}"
        return (Concern(end=End.REASONING_ONLY, detail=detail),)
    if all(sample.is_cut_off for sample in first):
        detail = f"{count} ran into the token limit, e.g. {_excerpt(first[0].text)!r}"
        return (Concern(end=End.ALL_CUT_OFF, detail=detail),)
    if all(not sample.extracted for sample in first):
        detail = f"{count} give no number, e.g. {_excerpt(first[0].text)!r}"
        return (Concern(end=End.ALL_INVALID, detail=detail),)
    return ()

"""The verdict: what was measured against what was asked for."""

from dataclasses import dataclass
from enum import Enum

from generator.harness.evaluate.tally import Tally


class Verdict(str, Enum):
    """The three things that can be said of a check."""

    PASSED = "passed"
    REGRESSED = "regressed"
    NOT_MEASURED = "not measured"


class Certainty(Enum):
    """Whether the answers still to come can change the gate on accuracy."""

    CERTAIN_YES = "will pass"
    CERTAIN_NO = "will fail"
    OPEN = "open"


@dataclass(frozen=True, kw_only=True)
class Gates:
    """What is asked for; rates and shares between 0 and 1.

    Attributes:
        accuracy: the least accuracy; an equal one passes.
        invalid_rate: the highest share of answers without a number.
        cut_off_rate: the highest share of answers ended by the token limit.
        failed_share: above this share of failed requests nothing has been measured.
    """

    accuracy: float
    invalid_rate: float
    cut_off_rate: float
    failed_share: float


@dataclass(frozen=True, kw_only=True)
class GateResult:
    """One gate: `measured` must be at least (or at most) `bound`."""

    name: str
    sign: str
    bound: float
    measured: float
    is_met: bool


def judge_gates(tally: Tally, gates: Gates) -> tuple[GateResult, ...]:
    """Each gate beside what was measured."""
    upper = (
        ("invalid rate", gates.invalid_rate, tally.invalid_rate),
        ("cut-off rate", gates.cut_off_rate, tally.cut_off_rate),
    )
    accuracy = GateResult(
        name="accuracy",
        sign="≥",
        bound=gates.accuracy,
        measured=tally.accuracy,
        is_met=_at_least(tally.accuracy, gates.accuracy),
    )
    return (
        accuracy,
        *(
            GateResult(name=name, sign="≤", bound=bound, measured=measured, is_met=_at_least(bound, measured))
            for name, bound, measured in upper
        ),
    )


def _at_least(value: float, bound: float) -> bool:
    # 0.92 as a gate and 1,213.48 ÷ 1,319 as a share are both rounded: equal must pass.
    return value >= bound - 1e-12


def certainty(tally: Tally, gates: Gates) -> Certainty:
    """Whether the gate on accuracy is decided, whatever the pending answers are; failures do not upset it."""
    reach = tally.answered + tally.pending
    if not reach or not tally.answered:
        return Certainty.OPEN
    if _at_least(tally.correct / reach, gates.accuracy):
        return Certainty.CERTAIN_YES
    if not _at_least((tally.correct + tally.pending) / reach, gates.accuracy):
        return Certainty.CERTAIN_NO
    return Certainty.OPEN


def enough_answered(tally: Tally, gates: Gates) -> bool:
    """Whether few enough requests failed for anything to be said."""
    return tally.answered > 0 and _at_least(gates.failed_share, tally.failed_share)

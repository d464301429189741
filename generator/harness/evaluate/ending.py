"""How a run of questions ended, and what that means for its verdict."""

from dataclasses import dataclass
from enum import Enum

from generator.harness.evaluate.gates import (
    Certainty,
    GateResult,
    Gates,
    Verdict,
    certainty,
    enough_answered,
    judge_gates,
)
from generator.harness.evaluate.tally import Tally
from generator.harness.outcome import Outcome


class End(str, Enum):
    """Why no more questions were asked."""

    COMPLETE = "complete"
    EARLY = "gate certain"
    DEADLINE = "deadline"
    INTERRUPTED = "interrupted"
    SERVER_DIED = "server died"
    NOT_ANSWERING = "server not answering"
    CANNOT_WRITE = "results could not be written"
    REASONING_ONLY = "answers in the reasoning field"
    ALL_CUT_OFF = "all answers cut off"
    ALL_INVALID = "no answer readable"


_HELP: dict[End, str] = {
    End.COMPLETE: "",
    End.EARLY: "",
    End.DEADLINE: "Go on with --resume, or give it more time (--deadline-minutes) or a higher --concurrency.",
    End.INTERRUPTED: "Go on with --resume.",
    End.SERVER_DIED: "Start the server again and go on with --resume.",
    End.NOT_ANSWERING: "Look at the server's log; then go on with --resume.",
    End.CANNOT_WRITE: "Free space on the disk of --output, then go on with --resume.",
    End.REASONING_ONLY: "The model thinks and its answer does not reach the text: more --max-new-tokens, or "
    "switch thinking off (--chat-template-arguments '{\"enable_thinking\": false}'), or check the reasoning "
    "parser.",
    End.ALL_CUT_OFF: "More --max-new-tokens; a model that thinks needs thousands, and --path chat.",
    End.ALL_INVALID: "Read the answers in samples.jsonl: is it the right path (--path), and the right "
    "extraction? Or does the model write nonsense?",
}

_OUTSIDE = frozenset({End.INTERRUPTED, End.SERVER_DIED, End.NOT_ANSWERING, End.CANNOT_WRITE})
_DECIDABLE = frozenset({End.COMPLETE, End.EARLY})


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What a run has shown.

    Attributes:
        verdict: passed, regressed or not measured.
        outcome: the exit code.
        summary: one line for a person.
        help: what a person can do; empty when nothing needs doing.
        gates: each gate beside what was measured.
        end: why no more was asked.
    """

    verdict: Verdict
    outcome: Outcome
    summary: str
    help: str
    gates: tuple[GateResult, ...]
    end: End


def describe(tally: Tally) -> str:
    """The accuracy in one line."""
    interval = tally.interval
    return (
        f"accuracy {tally.accuracy:.4f} ({tally.correct} of {tally.answered}, 95% interval "
        f"{interval.low:.4f} to {interval.high:.4f})"
    )


def judge_run(tally: Tally, gates: Gates, end: End, detail: str) -> Judgement:
    """The verdict of a run that ended so; `detail` is what is known of an end before its time."""
    results = judge_gates(tally, gates)
    if end not in _DECIDABLE:
        return _not_measured(tally, results, end, detail)
    if not enough_answered(tally, gates):
        return _too_many_failed(tally, results, gates)
    if end is End.EARLY:
        return _certain(tally, results, gates)
    unmet = tuple(gate for gate in results if not gate.is_met)
    facts = describe(tally)
    if unmet:
        reasons = ", ".join(
            f"{gate.name} {gate.measured:.4f} against {gate.sign} {gate.bound:g}" for gate in unmet
        )
        return Judgement(
            verdict=Verdict.REGRESSED,
            outcome=Outcome.REGRESSED,
            summary=f"regressed: {reasons}; {facts}",
            help="Compare the answers in samples.jsonl with those of the last good night.",
            gates=results,
            end=end,
        )
    return Judgement(
        verdict=Verdict.PASSED,
        outcome=Outcome.FINE,
        summary=f"passed: {facts}, gate {gates.accuracy:g}",
        help="",
        gates=results,
        end=end,
    )


def _certain(tally: Tally, results: tuple[GateResult, ...], gates: Gates) -> Judgement:
    rest = f"the {tally.pending} questions that were not asked cannot change that (early stop)"
    rates = tuple(gate for gate in results[1:] if not gate.is_met)
    if certainty(tally, gates) is Certainty.CERTAIN_YES and not rates:
        verdict, outcome, word = Verdict.PASSED, Outcome.FINE, "passed"
    else:
        verdict, outcome, word = Verdict.REGRESSED, Outcome.REGRESSED, "regressed"
    return Judgement(
        verdict=verdict,
        outcome=outcome,
        summary=f"{word}: {describe(tally)}, gate {gates.accuracy:g}; {rest}",
        help="",
        gates=results,
        end=End.EARLY,
    )


def _not_measured(tally: Tally, results: tuple[GateResult, ...], end: End, detail: str) -> Judgement:
    so_far = f"; {tally.answered} of {tally.planned} questions answered, {tally.correct} right so far"
    return Judgement(
        verdict=Verdict.NOT_MEASURED,
        outcome=Outcome.OUTSIDE if end in _OUTSIDE else Outcome.NOT_MEASURED,
        summary=f"not measured: {end.value}{f': {detail}' if detail else ''}{so_far}",
        help=_HELP[end],
        gates=results,
        end=end,
    )


def _too_many_failed(tally: Tally, results: tuple[GateResult, ...], gates: Gates) -> Judgement:
    return Judgement(
        verdict=Verdict.NOT_MEASURED,
        outcome=Outcome.OUTSIDE,
        summary=f"not measured: {tally.failed} of {tally.answered + tally.failed} requests failed, "
        f"more than the allowed share of {gates.failed_share:g}",
        help="The errors stand in samples.jsonl; when their cause is gone, --resume asks those again.",
        gates=results,
        end=End.COMPLETE,
    )

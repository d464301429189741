"""`results.json`: everything that a run of questions has shown, in one versioned form."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.harness.evaluate.ending import Judgement
from generator.harness.evaluate.samples import Sample, Status
from generator.harness.evaluate.statistics import percentile
from generator.harness.evaluate.tally import Tally

SCHEMA = 1
_PERCENTS = (50, 90, 99)


@dataclass(frozen=True, kw_only=True)
class Timing:
    """When and how long.

    Attributes:
        started_s: seconds since the epoch.
        wall_s: seconds of this run, earlier ones that it went on with left out.
        resumed: answers taken over from an earlier run.
    """

    started_s: float
    wall_s: float
    resumed: int


@dataclass(frozen=True, kw_only=True)
class Finished:
    """A run of questions and what it has shown."""

    check: str
    tally: Tally
    judgement: Judgement
    samples: Sequence[Sample]
    protocol: Mapping[str, Any]
    fingerprint: str
    server: Mapping[str, Any]
    run: Mapping[str, Any]
    timing: Timing
    notes: Sequence[str]


def latencies_s(samples: Sequence[Sample]) -> tuple[float, ...]:
    """Seconds of each answered request."""
    return tuple(sample.latency_s for sample in samples if sample.status is Status.ANSWERED)


def _tokens(samples: Sequence[Sample]) -> dict[str, int]:
    known = [sample for sample in samples if sample.completion_tokens >= 0]
    return {
        "answers_counted": len(known),
        "completion": sum(sample.completion_tokens for sample in known),
        "useful": sum(sample.useful_tokens for sample in known),
    }


def _counts(tally: Tally) -> dict[str, int]:
    return {
        "planned": tally.planned,
        "answered": tally.answered,
        "correct": tally.correct,
        "invalid": tally.invalid,
        "cut_off": tally.cut_off,
        "ran_past_stop": tally.ran_past_stop,
        "failed": tally.failed,
        "pending": tally.pending,
    }


def _rates(tally: Tally) -> dict[str, float]:
    return {
        "invalid": round(tally.invalid_rate, 6),
        "cut_off": round(tally.cut_off_rate, 6),
        "ran_past_stop": round(tally.ran_past_stop_rate, 6),
        "failed": round(tally.failed_share, 6),
    }


def _gates(judgement: Judgement) -> list[dict[str, Any]]:
    return [{**dataclasses.asdict(gate), "measured": round(gate.measured, 6)} for gate in judgement.gates]


def _timing(finished: Finished) -> dict[str, Any]:
    latencies = latencies_s(finished.samples)
    return {
        "started_s": round(finished.timing.started_s, 3),
        "wall_s": round(finished.timing.wall_s, 3),
        "resumed": finished.timing.resumed,
        "latency_s": {f"p{percent}": round(percentile(latencies, percent), 4) for percent in _PERCENTS},
    }


def as_record(finished: Finished) -> dict[str, Any]:
    """For JSON; the shape is `results.schema.json`."""
    tally, judgement = finished.tally, finished.judgement
    return {
        "schema": SCHEMA,
        "check": finished.check,
        "verdict": judgement.verdict.value,
        "exit_code": int(judgement.outcome),
        "summary": judgement.summary,
        "help": judgement.help,
        "end": judgement.end.value,
        "accuracy": round(tally.accuracy, 6),
        "standard_error": round(tally.standard_error, 6),
        "interval_95": [round(tally.interval.low, 6), round(tally.interval.high, 6)],
        "counts": _counts(tally),
        "rates": _rates(tally),
        "gates": _gates(judgement),
        "protocol": dict(finished.protocol),
        "protocol_fingerprint": finished.fingerprint,
        "server": dict(finished.server),
        "run": dict(finished.run),
        "timing": _timing(finished),
        "tokens": _tokens(finished.samples),
        "notes": list(finished.notes),
    }

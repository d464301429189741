"""`report.html`: one file that opens from disk without a network; answers to browse and to filter."""

import html
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from generator.harness.evaluate.samples import Sample, Status
from generator.harness.reports.record import Finished, latencies_s

_BINS = 30
_TEXT_LIMIT = 6000


def histogram(values: Sequence[float], bins: int) -> tuple[tuple[float, int], ...]:
    """The lower end of each bin and how many values lie in it; empty for no value."""
    if not values:
        return ()
    low, high = min(values), max(values)
    width = (high - low) / bins or 1.0
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / width))] += 1
    return tuple((low + index * width, count) for index, count in enumerate(counts))


def _svg(values: Sequence[float]) -> str:
    bars = histogram(values, _BINS)
    if not bars:
        return "<p>No answer, so no latency.</p>"
    highest = max(count for _, count in bars)
    shapes = []
    for index, (start, count) in enumerate(bars):
        height = 120 * count / highest
        shapes.append(
            f'<rect x="{index * 20 + 2}" y="{130 - height:.1f}" width="17" height="{height:.1f}">'
            f"<title>from {start:.3f} s: {count}</title></rect>"
        )
    return (
        f'<svg viewBox="0 0 {_BINS * 20 + 4} 150" role="img" aria-label="Histogram of latencies">'
        f"{''.join(shapes)}"
        f'<text x="2" y="146">{min(values):.2f} s</text>'
        f'<text x="{_BINS * 20}" y="146" text-anchor="end">{max(values):.2f} s</text></svg>'
    )


def _kinds(sample: Sample) -> list[str]:
    if sample.status is Status.FAILED:
        return ["failed"]
    kinds = ["right" if sample.is_correct else "wrong"]
    for is_so, kind in (
        (not sample.extracted, "without a number"),
        (sample.is_cut_off, "cut off"),
        (sample.ran_past_stop, "ran past the stop"),
    ):
        if is_so:
            kinds.append(kind)
    return kinds


def _row(sample: Sample) -> dict[str, Any]:
    return {
        "index": sample.index,
        "kinds": _kinds(sample),
        "question": sample.question[:_TEXT_LIMIT],
        "text": (sample.text or sample.error)[:_TEXT_LIMIT],
        "useful": sample.useful_characters,
        "reasoning": sample.reasoning[:_TEXT_LIMIT],
        "extracted": sample.extracted,
        "expected": sample.expected,
        "latency_s": sample.latency_s,
        "tokens": sample.completion_tokens,
    }


def _embedded(rows: list[dict[str, Any]]) -> str:
    # `</script>` in an answer would end the script; so would a comment's start confuse it.
    return json.dumps(rows).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page(finished: Finished) -> str:
    """The page."""
    tally, judgement = finished.tally, finished.judgement
    gates = "".join(
        f"<tr><td>{html.escape(gate.name)}</td><td>{gate.measured:.4f}</td>"
        f"<td>{gate.sign} {gate.bound:g}</td><td>{'met' if gate.is_met else 'not met'}</td></tr>"
        for gate in judgement.gates
    )
    template = (resources.files("generator.harness.reports") / "report.html.template").read_text(
        encoding="utf-8"
    )
    values = {
        "TITLE": html.escape(f"{finished.check}: {judgement.verdict.value}"),
        "VERDICT": html.escape(judgement.verdict.value),
        "SUMMARY": html.escape(judgement.summary),
        "HELP": html.escape(judgement.help),
        "ACCURACY": f"{tally.accuracy:.4f}",
        "ERROR": f"{tally.standard_error:.4f}",
        "INTERVAL": f"{tally.interval.low:.4f} to {tally.interval.high:.4f}",
        "COUNTS": html.escape(
            f"{tally.correct} right of {tally.answered} answers; {tally.invalid} without a number, "
            f"{tally.cut_off} cut off, {tally.ran_past_stop} past the stop, {tally.failed} failed"
        ),
        "SERVER": html.escape(json.dumps(dict(finished.server), indent=1)),
        "PROTOCOL": html.escape(json.dumps(dict(finished.protocol), indent=1)),
        "GATES": gates,
        "HISTOGRAM": _svg(latencies_s(finished.samples)),
        "ROWS": _embedded([_row(sample) for sample in finished.samples]),
    }
    # In one pass: an answer may hold the very words that stand for another place.
    return re.sub(r"%%([A-Z]+)%%", lambda found: values[found[1]], template)

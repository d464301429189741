"""`summary.md`: what a person reads on the page of the run."""

from collections.abc import Sequence

from generator.harness.evaluate.gates import Verdict
from generator.harness.evaluate.samples import Sample, Status
from generator.harness.reports.record import Finished

_SHOWN_ANSWERS = 5
_SHOWN_CHARACTERS = 1200
LIMIT_BYTES = 200_000
_SIGN = {Verdict.PASSED: "✅", Verdict.REGRESSED: "❌", Verdict.NOT_MEASURED: "⚠️"}


def cell(text: str) -> str:
    """A text that cannot break a Markdown table, nor become a mention or HTML."""
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("@", "@\u200b")
    return " ".join(safe.split())


def fenced(text: str) -> str:
    """A text as a code block that it cannot end, cut to a sensible length."""
    shown = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
    fence = "```"
    while fence in shown:
        fence += "`"
    return f"{fence}text\n{shown}\n{fence}"


def _gate_rows(finished: Finished) -> list[str]:
    rows = ["| gate | measured | asked for | |", "|---|---:|---:|---|"]
    was_measured = finished.judgement.verdict is not Verdict.NOT_MEASURED
    for gate in finished.judgement.gates:
        met = ("✅" if gate.is_met else "❌") if was_measured else "not judged"
        rows.append(f"| {gate.name} | {gate.measured:.4f} | {gate.sign} {gate.bound:g} | {met} |")
    return rows


def _fact_rows(finished: Finished) -> list[str]:
    tally = finished.tally
    interval = tally.interval
    protocol = finished.protocol
    server = finished.server
    facts = (
        (
            "accuracy",
            f"{tally.accuracy:.4f} ± {tally.standard_error:.4f} ({tally.correct} of {tally.answered})",
        ),
        ("95% interval (Wilson)", f"{interval.low:.4f} to {interval.high:.4f}"),
        ("without a number", f"{tally.invalid} ({tally.invalid_rate:.2%})"),
        ("cut off at the token limit", f"{tally.cut_off} ({tally.cut_off_rate:.2%})"),
        ("ran past the stop", f"{tally.ran_past_stop} ({tally.ran_past_stop_rate:.2%})"),
        ("failed requests", f"{tally.failed} ({tally.failed_share:.2%})"),
        ("not asked", f"{tally.pending}"),
        ("model", f"{server.get('model', '')}"),
        ("server", f"{server.get('engine', '')} {server.get('version', '')}"),
        (
            "protocol",
            (
                f"{protocol['data']}, {protocol['questions']} questions, {protocol['shots']} shots, "
                f"{protocol['path']}, {protocol['extraction']}, at most {protocol['max_new_tokens']} tokens "
                f"({finished.fingerprint})"
            ),
        ),
        ("time", f"{finished.timing.wall_s:.0f} s, {finished.timing.resumed} answers taken over"),
    )
    return ["| | |", "|---|---|", *(f"| {name} | {cell(value)} |" for name, value in facts)]


def worst(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """A few answers that a person should see: wrong ones first, then failed requests."""
    wrong = [sample for sample in samples if sample.status is Status.ANSWERED and not sample.is_correct]
    lost = [sample for sample in samples if sample.status is Status.FAILED]
    return tuple((wrong + lost)[:_SHOWN_ANSWERS])


def _shown_sample(sample: Sample) -> str:
    if sample.status is Status.FAILED:
        return f"**Question {sample.index}** failed: {cell(sample.error[:500])}\n"
    read = sample.extracted or "nothing"
    marks = "".join(
        text
        for is_so, text in ((sample.is_cut_off, ", cut off"), (sample.ran_past_stop, ", ran past the stop"))
        if is_so
    )
    return (
        f"**Question {sample.index}**: read {read}, right is {sample.expected}{marks}\n\n"
        f"{fenced(sample.question)}\n\n{fenced(sample.text or f'(reasoning) {sample.reasoning}')}\n"
    )


def summary(finished: Finished) -> str:
    """Markdown, at most `LIMIT_BYTES` bytes of it."""
    judgement = finished.judgement
    parts = [
        f"### {_SIGN[judgement.verdict]} {finished.check}: {judgement.verdict.value}",
        "",
        cell(judgement.summary),
    ]
    if judgement.help:
        parts += ["", f"**What to do:** {cell(judgement.help)}"]
    parts += ["", *_gate_rows(finished), "", *_fact_rows(finished)]
    parts += [f"\n> {cell(note)}" for note in finished.notes]
    shown = worst(finished.samples)
    if shown:
        parts += ["", f"<details><summary>{len(shown)} answers to look at</summary>", ""]
        parts += [_shown_sample(sample) for sample in shown]
        parts += ["</details>"]
    return clip("\n".join(parts) + "\n", LIMIT_BYTES)


def clip(text: str, limit_bytes: int) -> str:
    """A text of at most so many bytes of UTF-8; what is left out is said."""
    data = text.encode("utf-8", errors="replace")
    if len(data) <= limit_bytes:
        return data.decode("utf-8")
    end = "\n\n(cut: too long for a summary)\n"
    return data[: limit_bytes - len(end.encode())].decode("utf-8", errors="ignore") + end

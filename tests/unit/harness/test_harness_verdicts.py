import io
import json
from pathlib import Path

import pytest

from generator.harness.cli import main
from generator.harness.evaluate.ending import End, judge_run
from generator.harness.evaluate.gates import (
    Certainty,
    Gates,
    Verdict,
    certainty,
    enough_answered,
    judge_gates,
)
from generator.harness.evaluate.progress import Progress, describe
from generator.harness.evaluate.tally import Tally
from generator.harness.outcome import Outcome
from generator.harness.world import World

GATES = Gates(accuracy=0.9, invalid_rate=0.05, cut_off_rate=1.0, failed_share=0.01)


def tally(answered: int, correct: int, planned: int = 100, invalid: int = 0, failed: int = 0) -> Tally:
    return Tally(
        planned=planned,
        answered=answered,
        correct=correct,
        invalid=invalid,
        cut_off=0,
        ran_past_stop=0,
        failed=failed,
    )


def test_equal_to_the_gate_is_enough() -> None:
    assert judge_gates(tally(100, 90), GATES)[0].is_met
    assert not judge_gates(tally(100, 89), GATES)[0].is_met
    # 0.1 + 0.2 is not 0.3 in floating point: a share that is equal on paper must pass.
    assert judge_gates(tally(10, 3, planned=10), Gates(**{**GATES.__dict__, "accuracy": 0.1 + 0.2}))[0].is_met


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (tally(0, 0), Certainty.OPEN),
        (tally(90, 90), Certainty.CERTAIN_YES),
        (tally(89, 89), Certainty.OPEN),
        (tally(11, 0), Certainty.CERTAIN_NO),
        (tally(10, 0), Certainty.OPEN),
        (tally(89, 89, failed=10), Certainty.CERTAIN_YES),
        (tally(100, 90), Certainty.CERTAIN_YES),
        (tally(100, 89), Certainty.CERTAIN_NO),
    ],
)
def test_certainty_is_arithmetic(state: Tally, expected: Certainty) -> None:
    assert certainty(state, GATES) is expected


def test_enough_answered() -> None:
    assert enough_answered(tally(99, 99, failed=1), GATES)
    assert not enough_answered(tally(98, 98, failed=2), GATES)
    assert not enough_answered(tally(0, 0), GATES)


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        (End.DEADLINE, Outcome.NOT_MEASURED),
        (End.INTERRUPTED, Outcome.OUTSIDE),
        (End.SERVER_DIED, Outcome.OUTSIDE),
        (End.NOT_ANSWERING, Outcome.OUTSIDE),
        (End.CANNOT_WRITE, Outcome.OUTSIDE),
        (End.REASONING_ONLY, Outcome.NOT_MEASURED),
        (End.ALL_CUT_OFF, Outcome.NOT_MEASURED),
        (End.ALL_INVALID, Outcome.NOT_MEASURED),
    ],
)
def test_an_end_before_its_time_is_never_a_pass(end: End, outcome: Outcome) -> None:
    judged = judge_run(tally(95, 95), GATES, end, "why")
    assert judged.verdict is Verdict.NOT_MEASURED
    assert judged.outcome is outcome
    assert judged.summary == f"not measured: {end.value}: why; 95 of 100 questions answered, 95 right so far"
    assert judged.help


def test_an_early_stop_does_not_hide_another_gate() -> None:
    assert judge_run(tally(90, 90), GATES, End.EARLY, "").outcome is Outcome.FINE
    assert judge_run(tally(90, 90, invalid=9), GATES, End.EARLY, "").outcome is Outcome.REGRESSED


def test_every_end_is_in_the_schema() -> None:
    path = Path(judge_run.__code__.co_filename).parents[1] / "reports" / "results.schema.json"
    listed = json.loads(path.read_text())["then"]["properties"]["end"]["enum"]
    assert listed == [end.value for end in End]


def result(folder: Path, verdict: str, check: str = "accuracy", summary: str = "so it is") -> None:
    folder.mkdir(parents=True)
    record = {"schema": 1, "check": check, "verdict": verdict, "exit_code": 0, "summary": summary}
    (folder / "results.json").write_text(json.dumps(record))


def merged(folder: Path, *words: str) -> tuple[int, str]:
    out = io.StringIO()
    return int(main(["verdict", *words], World(folder=folder, out=out, environment={}))), out.getvalue()


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (("passed", "passed"), 0),
        (("passed", "regressed"), 1),
        (("passed", "not measured"), 3),
        (("not measured", "regressed"), 1),
    ],
)
def test_a_night_is_as_bad_as_its_worst(tmp_path: Path, verdicts: tuple[str, ...], code: int) -> None:
    for number, verdict in enumerate(verdicts):
        result(tmp_path / f"job-{number}" / "results" / "accuracy", verdict)
    assert merged(tmp_path, ".")[0] == code


def test_the_table_shows_the_worst_first_and_cannot_be_broken(tmp_path: Path) -> None:
    result(tmp_path / "a", "passed")
    result(tmp_path / "b", "regressed", summary="a|b\n<b>@you</b>")
    code, text = merged(tmp_path, "a", "b", "a", "--summary", "step.md")
    assert code == 1
    assert text.splitlines()[2] == "| regressed | accuracy | b |  | a\\|b &lt;b>@\u200byou&lt;/b> |"
    assert "2 results: 1 regressed, 1 passed" in text
    assert (tmp_path / "step.md").read_text().startswith("| verdict |")


def test_no_results_are_no_pass(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert merged(tmp_path, "empty")[0] == 3
    assert merged(tmp_path, "nowhere")[0] == 2


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"check": "a", "verdict": "fine", "summary": ""}', "null"]
)
def test_a_damaged_result_is_told_and_no_pass(tmp_path: Path, text: str) -> None:
    result(tmp_path / "a", "passed")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "results.json").write_text(text)
    code, said = merged(tmp_path, ".")
    assert code == 2
    assert "b/results.json is no result" in said


def test_progress_is_a_line_a_minute_in_a_log_and_a_bar_on_a_terminal() -> None:
    now = 0.0

    def clock() -> float:
        return now

    log, terminal = io.StringIO(), io.StringIO()
    shown = [
        Progress(out=out, monotonic=clock, began=0.0, done_before=0, is_terminal=is_terminal)
        for out, is_terminal in ((log, False), (terminal, True))
    ]
    for second in range(1, 181):
        now = float(second)
        for progress in shown:
            progress(tally(second, second, planned=360))
    for progress in shown:
        progress.finish()
    lines = log.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[2] == "180/360 · 1.0/s · 3:00 left · accuracy so far 1.000"
    assert "[████████████░░░░░░░░░░░░] 180/360" in terminal.getvalue()


def test_the_rate_leaves_out_what_an_earlier_run_did() -> None:
    assert describe(tally(60, 60), done_before=50, elapsed_s=10) == (
        "60/100 · 1.0/s · 0:40 left · accuracy so far 1.000"
    )
    assert "no rate yet" in describe(tally(0, 0), 0, 0)
    assert describe(tally(1, 1, planned=9000), 0, 1).split(" · ")[2] == "2:29:59 left"

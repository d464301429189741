import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from generator.harness.evaluate.ending import End, judge_run
from generator.harness.evaluate.gates import Gates
from generator.harness.evaluate.samples import Sample, Status, parse_line
from generator.harness.evaluate.tally import count
from generator.harness.reports.html import histogram, page
from generator.harness.reports.junit import junit
from generator.harness.reports.record import Finished, Timing
from generator.harness.reports.summary import LIMIT_BYTES, clip, fenced, summary
from generator.harness.reports.write import write_results

NASTY = "</script><script>alert(1)</script> | `` ``` ` \x00 \ud800 @someone <b> %%ROWS%% ]]>"
PROTOCOL = {
    "data": "gsm8k/test",
    "questions": 3,
    "shots": 5,
    "path": "completion",
    "extraction": "flexible",
    "max_new_tokens": 512,
}


def sample(index: int, text: str, **changes: object) -> Sample:
    values: dict[str, object] = {
        "index": index,
        "question_id": "a",
        "status": Status.ANSWERED,
        "question": text,
        "expected": "1",
        "text": text,
        "started_s": 1.0,
        "attempts": 1,
        "latency_s": 0.5 + index,
        "extracted": "2",
        "useful_characters": len(text),
    } | changes
    return Sample(**values)  # type: ignore[arg-type]


def finished(samples: list[Sample], end: End = End.COMPLETE, notes: tuple[str, ...] = ()) -> Finished:
    tally = count(samples, max(3, len(samples)))
    gates = Gates(accuracy=0.9, invalid_rate=0.05, cut_off_rate=1, failed_share=0.5)
    return Finished(
        check="accuracy",
        tally=tally,
        judgement=judge_run(tally, gates, end, NASTY),
        samples=samples,
        protocol=PROTOCOL,
        fingerprint="0" * 12,
        server={"engine": "sglang", "version": "1", "model": NASTY},
        run={},
        timing=Timing(started_s=1, wall_s=2, resumed=0),
        notes=notes,
    )


NASTY_RUN = finished(
    [
        sample(0, NASTY),
        sample(1, NASTY, is_correct=True, is_cut_off=True, ran_past_stop=True, reasoning=NASTY),
        sample(2, "", status=Status.FAILED, error=NASTY),
    ],
    End.SERVER_DIED,
    (NASTY,),
)


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.loads: list[str] = []
        self.data: list[str] = []
        self.in_rows = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.in_rows = ("id", "rows") in attrs
        self.loads += [value or "" for name, value in attrs if name in {"src", "href"}]

    def handle_data(self, data: str) -> None:
        if self.in_rows:
            self.data.append(data)

    def handle_endtag(self, tag: str) -> None:
        self.in_rows = self.in_rows and tag != "script"


def test_the_page_holds_every_answer_loads_nothing_and_no_answer_escapes() -> None:
    text = page(NASTY_RUN)
    parsed = Page()
    parsed.feed(text)
    assert parsed.scripts == 2
    assert parsed.loads == []
    # A `<!--` inside a script changes how a browser reads the rest of it.
    assert not set("<>&") & set("".join(parsed.data))
    rows = json.loads("".join(parsed.data))
    assert [row["kinds"] for row in rows] == [
        ["wrong"],
        ["right", "cut off", "ran past the stop"],
        ["failed"],
    ]
    assert rows[0]["text"] == NASTY
    assert "%%" not in text.replace("%%ROWS%% ]]", "").replace("%%ROWS%% \\u003e", "")


def test_the_summary_survives_nasty_answers() -> None:
    text = summary(NASTY_RUN)
    assert "<script>" not in re.sub(r"(?s)````+text\n.*?\n````+", "", text)
    assert "@someone" not in re.sub(r"(?s)````+text\n.*?\n````+", "", text)
    assert text.startswith("### ⚠️ accuracy: not measured")
    assert "not judged" in text
    assert "<details>" in text


def test_a_fence_is_longer_than_any_in_the_text() -> None:
    assert fenced("a```b").startswith("````text\n")
    assert len(fenced("x" * 10_000)) < 1300


def test_a_summary_is_never_above_its_limit() -> None:
    huge = finished([sample(n, "é" * 100_000) for n in range(50)], notes=("x" * 500_000,))
    assert len(summary(huge).encode()) <= LIMIT_BYTES
    assert clip("é" * 100, 50).encode().endswith(b"(cut: too long for a summary)\n")
    assert clip("short", 50) == "short"


def test_junit_is_xml_with_a_case_a_gate() -> None:
    tree = ET.fromstring(junit(NASTY_RUN))  # noqa: S314 our own text
    assert tree.attrib["errors"] == "3"
    assert len(tree) == 3
    good = ET.fromstring(junit(finished([sample(n, "x", is_correct=True) for n in range(3)])))  # noqa: S314
    assert (good.attrib["failures"], good.attrib["errors"]) == ("0", "0")


def test_every_file_is_written_though_one_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "summary.md").mkdir()
    troubles = write_results(tmp_path, NASTY_RUN)
    assert len(troubles) == 1
    assert "summary.md could not be written" in troubles[0]
    assert {path.name for path in tmp_path.iterdir()} == {
        "results.json",
        "summary.md",
        "junit.xml",
        "report.html",
    }


def test_a_sample_survives_being_written_and_read() -> None:
    for one in NASTY_RUN.samples:
        assert parse_line(one.as_line()) == one
        assert one.as_line().count("\n") == 1


@pytest.mark.parametrize(
    "line", ["", "{", "[]", "1", "null", "{}", '{"status": "x"}', '{"status": "answered"}']
)
def test_what_is_no_sample_is_told(line: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_line(line)


def test_a_histogram_counts_every_value() -> None:
    assert histogram([], 3) == ()
    assert [count for _, count in histogram([1.0], 3)] == [1, 0, 0]
    bars = histogram([0, 1, 2, 3, 3], 3)
    assert [count for _, count in bars] == [1, 1, 3]
    assert bars[0][0] == 0

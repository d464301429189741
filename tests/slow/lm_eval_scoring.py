"""Question by question: the harness's rules beside lm-eval's two filters, on the same outputs.

    pip install lm-eval pytest requests
    pytest tests/slow/lm_eval_scoring.py

The outputs are those of a real model (SmolLM2-135M-Instruct on the first 60 questions of GSM8K), and awkward
ones. Where the two differ, the difference is one of those that docs/harness.md lists.
"""

import importlib
import json
from pathlib import Path

import pytest

from generator.harness.evaluate.extraction import flexible, strict

# By name: what checks the types of this project need not have lm-eval.
exact_match_fn = importlib.import_module("lm_eval.api.metrics").exact_match_fn
RegexFilter = importlib.import_module("lm_eval.filters.extraction").RegexFilter

RECORDED = [
    json.loads(line) for line in Path(__file__).with_name("smollm2-outputs.jsonl").read_text().splitlines()
]
# As in lm-eval's tasks/gsm8k/gsm8k.yaml, version 3.
FILTERS = {
    "strict": RegexFilter(regex_pattern=r"#### (\-?[0-9\.\,]+)"),
    "flexible": RegexFilter(regex_pattern=r"(-?[$0-9.,]{2,})|(-?[0-9]+)", group_select=-1),
}
IGNORED = [",", r"\$", r"(?s).*#### ", r"\.$"]
OURS = {"strict": strict, "flexible": flexible}

# text, right number, who says right: lm-eval strict, ours strict, lm-eval flexible, ours flexible
DIFFERENCES = (
    ("#### 18.00", 18, False, True, False, True, "decimals are compared as numbers"),
    ("#### $18", 18, False, True, True, True, "a currency sign behind the mark"),
    ("#### **18**", 18, False, True, True, True, "bold"),
    ("####18", 18, False, True, True, True, "no blank behind the mark"),
    ("#### \u22123", -3, False, True, False, True, "a Unicode minus"),
    ("#### 018", 18, False, True, False, True, "a leading zero"),
    ("See #### 7 above.\n#### 18", 18, False, True, True, True, "the last mark, not the first"),
    ("#### 18 (9 * 2)", 18, True, True, False, True, "the number at the mark, not the last one"),
    ("#### 18%", 18, True, True, True, True, "a percent sign: no difference"),
    (r"\boxed{18}. I checked 3 times.", 18, False, False, False, True, "a box is a mark"),
    (r"\boxed{70{,}000}", 70000, False, False, False, True, "LaTeX's thousands"),
    ("It is 1/2", 2, False, False, True, False, "a fraction is one number"),
    ("16-3", -3, False, False, True, False, "a minus between numbers is no sign"),
    ("<think>18</think> I give up", 18, False, False, True, False, "thinking is not read"),
    ("The answer is 18 (9 times 2).", 18, False, False, False, True, "a remark in brackets behind it"),
    ("#### 18.", 18, True, True, True, True, "a full stop: no difference"),
    ("#### 70,000", 70000, True, True, True, True, "thousands: no difference"),
    ("The answer is 18...", 18, False, False, False, True, "dots behind the number"),
)  # fmt: skip


def by_lm_eval(rule: str, text: str, target: str) -> bool:
    (filtered,) = FILTERS[rule].apply([[text]], [{}])
    scored = exact_match_fn(
        predictions=[filtered[0]], references=[target], regexes_to_ignore=IGNORED, ignore_case=True
    )
    return bool(scored["exact_match"])


@pytest.mark.parametrize("rule", ["strict", "flexible"])
def test_ordinary_outputs_are_scored_alike(rule: str) -> None:
    assert len(RECORDED) == 60
    for one in RECORDED:
        number = OURS[rule](one["text"])
        assert by_lm_eval(rule, one["text"], f"#### {one['expected']}") == (str(number) == one["expected"]), (
            one
        )


@pytest.mark.parametrize("rule", ["strict", "flexible"])
def test_right_answers_are_scored_alike(rule: str) -> None:
    # The model is hardly ever right; its own answer as the key shows the other half of the agreement.
    numbers = [(one["text"], OURS[rule](one["text"])) for one in RECORDED]
    whole = [(text, number) for text, number in numbers if number is not None and number.denominator == 1]
    assert len(whole) > 40
    for text, number in whole:
        assert by_lm_eval(rule, text, f"#### {number}"), text


@pytest.mark.parametrize("case", DIFFERENCES, ids=[case[-1] for case in DIFFERENCES])
def test_the_listed_differences_are_all_there_is(
    case: tuple[str, int, bool, bool, bool, bool, str],
) -> None:
    text, right, their_strict, our_strict, their_flexible, our_flexible, _ = case
    got = (
        by_lm_eval("strict", text, f"#### {right}"),
        strict(text) == right,
        by_lm_eval("flexible", text, f"#### {right}"),
        flexible(text) == right,
    )
    assert got == (their_strict, our_strict, their_flexible, our_flexible)

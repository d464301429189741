"""Each check against its cases.

To take over a change that is meant, and then read the difference:
PYTHONPATH=tests .venv/bin/python -m checks.rewrite
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from checks.case import HERE, Said, beside, cases, checked, expected, lay_out, said
from generator.checks.registry import BEFORE_RENDERING
from generator.domain.exit_code import ExitCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    case: Path
    said: Said

    @property
    def id(self) -> str:
        return self.case.parent.name


@pytest.fixture(scope="module", params=cases(), ids=lambda case: f"{case.parent.name}/{case.name}")
def heard(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Heard:
    case: Path = request.param
    return Heard(case=case, said=said(case, tmp_path_factory.mktemp(case.name)))


def test_check_says_exactly_what_the_case_expects(heard: Heard) -> None:
    assert heard.said.by_id.get(heard.id, "") == expected(heard.case)


def test_nothing_but_drift_is_found_beside(heard: Heard) -> None:
    assert set(heard.said.by_id) - {heard.id} <= beside(heard.case)


def test_the_exit_code_tells_errors_from_none(heard: Heard) -> None:
    if not any("error[" in text for text in heard.said.by_id.values()):
        assert heard.said.code is ExitCode.FINE
    elif BEFORE_RENDERING.isdisjoint(heard.said.by_id):
        assert heard.said.code is ExitCode.FINDINGS
    else:
        assert heard.said.code is ExitCode.INVALID


def test_a_case_is_ok_or_err_and_expects_so(heard: Heard) -> None:
    kind = heard.case.name.split("-")[0]

    assert kind in {"ok", "err"}
    assert bool(expected(heard.case)) == (kind == "err")


@pytest.mark.parametrize(
    ("case", "lines"),
    [
        (
            "stale/err-suite-renamed",
            ["  | -        name: Run performance-old", "  | +        name: Run performance-of-old"],
        ),
        ("hand-edited/err-limit-changed", ["  | -    timeout-minutes: 77", "  | +    timeout-minutes: 35"]),
    ],
)
def test_drift_is_shown_as_a_difference(case: str, lines: list[str], tmp_path: Path) -> None:
    lay_out(HERE / case, tmp_path)

    _, text = checked(tmp_path)

    assert "\n".join(lines) in text

import pytest

from generator.domain.finding import Finding, Severity, error, warning
from generator.domain.location import Location
from generator.report.findings import FindingFormat, render_findings
from generator.report.presentation import Presentation


def lines(*findings: Finding) -> list[str]:
    return render_findings(findings, FindingFormat.GITHUB, Presentation()).splitlines()


def test_a_finding_is_a_command_and_the_count_is_not() -> None:
    assert lines(error("isa-coverage", Location("matrix.yaml", 41, 5), "no gate", "add one")) == [
        "::error file=matrix.yaml,line=41,col=5,title=isa-coverage::no gate%0Aadd one",
        "1 error",
    ]


@pytest.mark.parametrize(
    ("location", "properties"),
    [
        (Location("a.yaml"), "file=a.yaml,title=w"),
        (Location("a.yaml", 3), "file=a.yaml,line=3,title=w"),
        (Location(""), "title=w"),
    ],
)
def test_what_is_not_known_is_left_out(location: Location, properties: str) -> None:
    assert lines(warning("w", location, "m"))[0] == f"::warning {properties}::m"


def test_a_message_keeps_its_colons_and_commas_and_loses_its_percents() -> None:
    assert lines(error("w", Location("a"), "100%: a, b"))[0] == "::error file=a,title=w::100%25: a, b"


def test_a_property_cannot_begin_another() -> None:
    line = lines(error("w", Location("a,line=9::b%.yaml", 1, 2), "m"))[0]
    assert line == "::error file=a%2Cline=9%3A%3Ab%25.yaml,line=1,col=2,title=w::m"


def test_a_line_break_ends_no_command() -> None:
    rendered = lines(
        error("w", Location("a\r\nb", 1, 1), "one\r\n::set-output name=x::y", "help\n::error::z")
    )
    assert rendered == [
        r"::error file=a\r\nb,line=1,col=1,title=w::one\r\n::set-output name=x::y%0Ahelp%0A::error::z",
        "1 error",
    ]


def test_a_long_detail_is_cut_and_says_so() -> None:
    def noted(count: int) -> str:
        detail = "".join(f"line {number}\n" for number in range(count))
        finding = Finding(id="w", severity=Severity.ERROR, location=Location("a"), message="m", detail=detail)
        return lines(finding)[0]

    assert noted(30).endswith("%0Aline 29")
    assert noted(1_100).endswith("%0Aline 29%0A(1,070 more lines in the log)")

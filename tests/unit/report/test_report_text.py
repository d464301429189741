from generator.domain.finding import Finding, Severity, error, warning
from generator.domain.location import Location
from generator.report.colour import Colour
from generator.report.findings import FindingFormat, render_findings
from generator.report.presentation import Presentation

PLAIN = Presentation()
PLACE = Location("matrix.yaml", 41, 5)


def text(*findings: Finding, presentation: Presentation = PLAIN) -> str:
    return render_findings(findings, FindingFormat.TEXT, presentation)


def test_a_finding_has_its_place_its_help_and_its_detail() -> None:
    stale = Finding(
        id="stale",
        severity=Severity.ERROR,
        location=Location(".github/workflows/nightly.yml"),
        message="the workflow is not what the matrix says",
        help="run `nightgrid render`",
        detail="--- committed\n+++ rendered\n\n-a\n+b\n",
    )
    assert text(stale, warning("waiver-ends", PLACE, "the waiver ends in 3 days")) == (
        ".github/workflows/nightly.yml: error[stale]: the workflow is not what the matrix says\n"
        "  help: run `nightgrid render`\n"
        "  | --- committed\n"
        "  | +++ rendered\n"
        "  |\n"
        "  | -a\n"
        "  | +b\n"
        "matrix.yaml:41:5: warning[waiver-ends]: the waiver ends in 3 days\n"
        "1 error, 1 warning\n"
    )


def test_the_last_line_counts() -> None:
    assert text() == "no findings\n"
    assert text(error("a", PLACE, "x"), error("a", PLACE, "y")).endswith("\n2 errors\n")
    assert text(*[warning("a", PLACE, "x")] * 1_200).endswith("\n1,200 warnings\n")


def test_the_order_is_the_callers() -> None:
    later, earlier = error("b", Location("b", 2, 1), "later"), error("a", Location("a", 1, 1), "earlier")
    assert text(later, earlier).index("later") < text(later, earlier).index("earlier")


def test_a_generator_of_findings_is_read_once() -> None:
    findings = (error("a", PLACE, name) for name in ("x", "y"))
    assert render_findings(findings, FindingFormat.TEXT, PLAIN).count("error[a]") == 2


def test_nothing_in_a_file_can_move_the_cursor_or_break_a_line() -> None:
    rendered = text(error("a", Location("a\nb.yaml", 1, 1), "name \x1b[2Jx\r\nnext \u202egnp"))
    assert rendered.splitlines()[0] == (r"a\nb.yaml:1:1: error[a]: name \x1b[2Jx\r\nnext \u202egnp")
    assert len(rendered.splitlines()) == 2


def test_no_line_of_a_detail_or_a_help_is_a_command_to_the_runner() -> None:
    finding = Finding(
        id="a",
        severity=Severity.ERROR,
        location=PLACE,
        message="m",
        help="one\n::stop-commands::x",
        detail="::add-mask::e",
    )
    assert not [line for line in text(finding).splitlines() if line.strip().startswith("::")]


def test_colour_is_where_it_helps_and_nowhere_else() -> None:
    finding = Finding(
        id="a", severity=Severity.ERROR, location=PLACE, message="m", help="h", detail="-old\n+new\n same"
    )
    coloured = text(finding, presentation=Presentation(colour=Colour.ANSI))
    assert "\x1b[31merror[a]\x1b[0m: m\n" in coloured
    assert "\x1b[31m-old\x1b[0m\n  | \x1b[32m+new\x1b[0m\n  |  same\n" in coloured
    assert "\x1b" not in text(finding)
    warned = text(warning("a", PLACE, "m"), presentation=Presentation(colour=Colour.ANSI))
    assert "\x1b[33mwarning[a]\x1b[0m" in warned

"""Registrations and lists of suites in Python sources, as people write them."""

import pytest

from generator.config.suite_source import read_suites
from generator.domain.suite import Registration, SuiteRegistry


def read(*texts: str, **named: str) -> SuiteRegistry:
    sources = [(f"t/test_{number}.py", text.encode()) for number, text in enumerate(texts)]
    return read_suites("t", [*sources, *((f"t/{name}.py", text.encode()) for name, text in named.items())])


def one(text: str) -> Registration:
    (found,) = read(text).registrations
    return found


@pytest.mark.parametrize(
    "text",
    [
        'register_amd_ci(est_time=60, suite="s", nightly=True)',
        'register_amd_ci(60, "s", True)',
        'ci.register_amd_ci(est_time=60.0, suite="s", nightly=True)',
        'S = "s"\nT: int = 30 * 2\nregister_amd_ci(est_time=T, suite=S, nightly=True)',
        'BASE = "s"\nS = BASE\nif True:\n    register_amd_ci(est_time=30 + 30, suite=S, nightly=True)',
        'register_amd_ci(\n    est_time=60,\n    suite="" + "s",\n    nightly=True,\n)',
    ],
)
def test_a_registration_is_read_however_it_is_written(text: str) -> None:
    found = one(text)

    assert (found.suite, found.backend, found.estimate_s, found.nightly, found.disabled) == (
        "s",
        "amd",
        60.0,
        True,
        "",
    )


def test_what_is_left_out_reads_as_each_change_and_no_estimate() -> None:
    found = one('register_cuda_ci(suite="s")')

    assert (found.backend, found.estimate_s, found.nightly) == ("cuda", 0.0, False)


def test_a_reason_for_being_off_is_kept() -> None:
    assert one('register_amd_ci(est_time=1, suite="s", disabled="broken by #1")').disabled == "broken by #1"


def test_a_stage_and_a_runner_make_a_suite() -> None:
    found = one('register_cuda_ci(est_time=1, stage="nightly", runner_config="8-gpu-b200")')

    assert (found.suite, found.nightly) == ("nightly-test-8-gpu-b200", True)


def test_a_constant_of_another_file_is_found_unless_two_files_give_it() -> None:
    test = "from names import S\nregister_amd_ci(est_time=1, suite=S)"
    names = 'S = "s"\nALL_SUITES = [S]'

    assert read(test, names=names).registrations[0].suite == "s"
    assert read(test, names=names, more='S = "other"\nMORE_SUITES = []').registrations == ()


@pytest.mark.parametrize(
    "text",
    [
        'register_amd_ci(est_time=1, suite=f"s-{1}")',
        "register_amd_ci(est_time=1, suite=name())",
        "register_amd_ci(est_time=1)",
        "S = S\nregister_amd_ci(est_time=1, suite=S)",
        'register_amd_ci(**{"suite": "s"})',
        'register_amd_ci(est_time=1, stage="a", runner_config=x())',
    ],
)
def test_a_computed_suite_is_a_finding(text: str) -> None:
    registry = read(text)

    assert registry.registrations == ()
    (finding,) = registry.unreadable
    assert finding.severity.value == "warning"
    assert "is computed" in finding.message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n\ndef register_amd_ci(:\n", 3),
        ("register_amd_ci(\x00)", 0),
        ("register_amd_ci(" + "(" * 100_000, 0),
    ],
)
def test_a_source_that_is_no_python_is_a_finding_and_the_others_are_read(text: str, line: int) -> None:
    registry = read(text, 'register_amd_ci(est_time=1, suite="s")')

    assert [each.suite for each in registry.registrations] == ["s"]
    (finding,) = registry.unreadable
    assert finding.id == "suite-unreadable"
    assert finding.location.path == "t/test_0.py"
    assert finding.location.line >= line


def test_bytes_that_are_no_utf8_are_a_finding() -> None:
    registry = read_suites("t", [("t/a.py", b'register_amd_ci(suite="\xff")')])

    assert [each.id for each in registry.unreadable] == ["suite-unreadable"]


def test_empty_and_unrelated_sources_are_nothing() -> None:
    assert read("", "import os\n", "x = (") == SuiteRegistry(path="t")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('NIGHTLY_SUITES = {HW.AMD: ["a", "b"], HW.CUDA: []}', {"a", "b"}),
        ('suites = {"a": [TestFile("x.py", 3)], "b": [TestFile("y.py")]}', {"a", "b"}),
        ('NIGHTLY_SUITES: dict = {"amd": ("a",), "cuda": {"b"}}', {"a", "b"}),
        ('ALL_SUITES = ["a", "b", other()]', {"a", "b"}),
        ("SUITES = make()", set[str]()),
        ('SUITES_OF_CLOTHES = ["a"]', set[str]()),
    ],
)
def test_lists_of_the_runner_are_read(text: str, names: set[str]) -> None:
    assert read(text).known == names


def test_nothing_of_a_source_is_run() -> None:
    registry = read('raise SystemExit\nregister_amd_ci(est_time=1, suite="s")')

    assert registry.registrations[0].location.line == 2


def test_a_call_inside_a_function_registers_nothing() -> None:
    text = 'register_amd_ci(est_time=1, suite="s")'

    assert read(f"def later():\n    {text}\n").registrations == ()
    assert len(read(f"try:\n    {text}\nfinally:\n    for i in x:\n        {text}\n").registrations) == 2

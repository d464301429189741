"""The commands that hold a matrix against other people's sources."""

import contextlib
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from generator.cli.env_command import env
from generator.cli.main import app
from generator.cli.options import ListFormat
from generator.cli.session import Session
from generator.cli.suites_command import suites
from generator.domain.exit_code import ExitCode
from generator.outside.problem import OutsideError
from unit.swap.small import TEXT, Place, Told

SETS = TEXT.replace(
    "cells:\n",
    "variables:\n  FAST: {read_by: server}\n  DEEP: {read_by: kernels}\n  IDLE: {read_by: server}\ncells:\n",
).replace(
    "    hardware: [mi30x, mi35x] # both\n", '    hardware: [mi30x, mi35x]\n    env: {FAST: "1", DEEP: "2"}\n'
)


def heard(place: Place, *sources: str, format_: ListFormat = ListFormat.TABLE) -> Told:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = env(Session(matrix=place.matrix, environment={}), sources, format_)
    return Told(code=code, out=out.getvalue(), err=err.getvalue())


def tree(root: Path, **files: str) -> Path:
    for name, text in files.items():
        file = root / name.replace("__", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def test_each_variable_is_shown_with_its_values_and_reader(tmp_path: Path) -> None:
    told = heard(Place.of(tmp_path, SETS))

    rows = [line.split() for line in told.out.splitlines()]
    assert [row[:3] for row in rows[1:3]] == [["FAST", "1", "server"], ["DEEP", "2", "kernels"]]
    assert told.code is ExitCode.FINE
    assert "warning[variable-not-set]: `IDLE` is declared, and nothing sets it" in told.err


def test_a_variable_is_looked_for_in_its_readers_tree_alone(tmp_path: Path) -> None:
    server = tree(tmp_path / "server", a__py='x = 1\nos.environ["FAST"]', b__cc='getenv("IDLE")')

    told = heard(Place.of(tmp_path, SETS), str(server), format_=ListFormat.JSON)

    found = {each["name"]: each["found_at"] for each in json.loads(told.out)}
    assert found == {"FAST": "a.py:2", "DEEP": "", "IDLE": "b.cc:1"}
    assert told.code is ExitCode.FINE


@pytest.mark.parametrize("near", ["FASTER", "UNFAST", "FAST_2"])
def test_a_name_inside_another_is_not_found(tmp_path: Path, near: str) -> None:
    server = tree(tmp_path / "src", a__py=f'"{near}" "IDLE"')

    told = heard(Place.of(tmp_path, SETS), f"server={server}")

    assert told.code is ExitCode.FINDINGS
    assert "error[variable-not-read]: `FAST` is not named anywhere in the tree of server" in told.err


def test_a_wrong_reader_is_told_who_names_it(tmp_path: Path) -> None:
    server, kernels = tree(tmp_path / "s", a__py="FAST IDLE DEEP"), tree(tmp_path / "k", a__py="")

    told = heard(Place.of(tmp_path, SETS), f"server={server}", f"kernels={kernels}")

    assert "`DEEP` is not named anywhere in the tree of kernels; server (a.py:1) names it" in told.err


def test_a_file_that_only_sets_it_reads_nothing(tmp_path: Path) -> None:
    server = tree(tmp_path / "server", a__yml="FAST: 1", b__md="FAST", c__py="IDLE")

    assert heard(Place.of(tmp_path, SETS), str(server)).code is ExitCode.FINDINGS


def test_two_sources_of_one_name_are_refused(tmp_path: Path) -> None:
    told = heard(Place.of(tmp_path, SETS), f"a={tmp_path}", f"a={tmp_path}")

    assert told.code is ExitCode.INVALID


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutsideError, match="there is no such folder"):
        heard(Place.of(tmp_path, SETS), f"server={tmp_path / 'none'}")


def test_suites_are_compared_with_a_folder_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place.of(tmp_path)
    folder = tree(
        tmp_path / "t", a__py='register_amd_ci(est_time=1, suite="accuracy-old")\n', b__py="register_amd_ci(:"
    )

    code = suites(Session(matrix=place.matrix, environment={}), folder)

    said = capsys.readouterr().out
    assert code is ExitCode.FINDINGS
    assert "error[suite-unknown]: no test runs in suite `tests`" in said
    assert "error[suite-unreadable]: this is no Python that can be read" in said
    assert "2 suites are asked for" in said


def test_a_folder_without_registrations_compares_nothing(tmp_path: Path) -> None:
    place = Place.of(tmp_path)

    assert suites(Session(matrix=place.matrix), tree(tmp_path / "t", a__py="")) is ExitCode.NOTHING


def test_without_a_folder_nothing_can_be_compared(tmp_path: Path) -> None:
    assert suites(Session(matrix=Place.of(tmp_path).matrix), None) is ExitCode.INVALID


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["swap", "old", "new"], 0),
        (["swap", "old", "odd"], 2),
        (["disable", "mi30x", "--until", "2000-01-01", "--because", "x"], 2),
        (["suites"], 2),
        (["suites", "--registry", "nowhere"], 4),
        (["env"], 0),
    ],
)
def test_the_program_has_the_commands(tmp_path: Path, words: list[str], code: int) -> None:
    place = Place.of(tmp_path)

    result = CliRunner().invoke(app, [*words, "--matrix", str(place.matrix)])

    assert result.exit_code == code, result.output

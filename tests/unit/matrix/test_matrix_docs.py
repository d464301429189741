"""The page on matrix.yaml: a heading a section, and examples that are one matrix that renders and checks."""

import datetime as dt
import json
import re
from pathlib import Path

import pytest

from acceptance.pages import blocks, with_sections
from generator.cli.check_command import check
from generator.cli.render_command import Foreign, render
from generator.cli.session import Session, Voice
from generator.cli.version import __version__
from generator.config.matrix_file import schema_text
from generator.domain.check import CheckKind
from generator.domain.exit_code import ExitCode
from generator.domain.setting import Level

PAGE = Path(__file__).parents[3] / "docs" / "matrix.md"
TEXT = PAGE.read_text(encoding="utf-8")
SCHEMA = json.loads(schema_text())
EXAMPLES = [block for block in blocks(PAGE) if block.language == "yaml" and block.keys]


def test_every_section_of_the_schema_has_a_heading() -> None:
    headings = set(re.findall(r"^## (.+)$", TEXT, re.MULTILINE))

    assert set(SCHEMA["properties"]) <= headings
    assert {"except and overrides"} <= set(re.findall(r"^### (.+)$", TEXT, re.MULTILINE))


def test_every_section_of_the_schema_has_an_example() -> None:
    assert {key for block in EXAMPLES for key in block.keys} == set(SCHEMA["properties"])


def test_every_level_that_may_say_a_value_is_named_in_its_order() -> None:
    numbered = re.findall(r"^\d\. (.+)$", TEXT, re.MULTILINE)

    words = ("of the matrix", "of the lane", "of the hardware", "of the model", "the row in", "overrides")
    assert len(numbered) == len(Level) == len(words)
    assert all(word in line for word, line in zip(words, numbered, strict=True))


def test_every_kind_of_check_is_named() -> None:
    assert all(f"`{kind.value}`" in TEXT for kind in CheckKind)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_are_a_matrix_that_renders_and_checks(number: int, tmp_path: Path) -> None:
    seen: set[str] = set()
    text = ""
    # The first example of each section, and this one in the place of whichever it changes.
    for block in EXAMPLES:
        if not seen & set(block.keys):
            text += block.text + "\n"
            seen |= set(block.keys)
    text = with_sections(text, EXAMPLES[number].text)
    (tmp_path / "matrix.yaml").write_text(re.sub(r'nightgrid: "[^"]*"', f'nightgrid: "{__version__}"', text))
    session = Session(matrix=tmp_path / "matrix.yaml", voice=Voice.QUIET)

    assert render(session, dry_run=False, foreign=Foreign.KEEP) is ExitCode.FINE
    assert check(session, clock=lambda: dt.date(2030, 1, 1)) is ExitCode.FINE

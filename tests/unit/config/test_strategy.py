import pytest

from generator.config.source import Source, source_of
from generator.config.workflow_file import read_workflow
from generator.domain.workflow_facts import WorkflowFacts


def jobs_of(strategy: str) -> int:
    text = f"jobs:\n  a:\n    runs-on: x\n    strategy: {strategy}\n"
    source = source_of(text.encode(), "w.yml")
    assert isinstance(source, Source)
    facts = read_workflow(source)
    assert isinstance(facts, WorkflowFacts)
    return facts.jobs[0].matrix_jobs


@pytest.mark.parametrize(
    ("matrix", "jobs"),
    [
        ("{}", 1),
        ("{matrix: {a: [1, 2, 3]}}", 3),
        ("{matrix: {a: [1, 2, 3], b: [x, y]}}", 6),
        ("{matrix: {a: [1, 2, 3], b: [x, y], exclude: [{a: 1}]}}", 4),
        ("{matrix: {a: [1, 2, 3], b: [x, y], exclude: [{a: 1, b: x}, {a: 9}]}}", 5),
        ("{matrix: {a: [1, 2], include: [{a: 1, c: 5}]}}", 2),
        ("{matrix: {a: [1, 2], include: [{c: 5}]}}", 2),
        ("{matrix: {a: [1, 2], include: [{a: 3}]}}", 3),
        ("{matrix: {include: [{a: 1}, {a: 2}]}}", 2),
        ('{matrix: "${{ fromJSON(needs.x.outputs.y) }}"}', 1),
    ],
)
def test_the_number_of_jobs_is_the_one_that_github_makes(matrix: str, jobs: int) -> None:
    assert jobs_of(matrix) == jobs


def test_a_matrix_past_counting_is_still_too_large() -> None:
    hundred = str(list(range(100)))

    assert jobs_of(f"{{matrix: {{a: {hundred}, b: {hundred}, c: {hundred}, include: [{{a: 1}}]}}}}") > 256


def test_a_fraction_anywhere_in_the_file_is_seen() -> None:
    source = source_of(b"env: {ROCM: 7.20}\njobs: {}\n", "w.yml")
    assert isinstance(source, Source)
    facts = read_workflow(source)

    assert isinstance(facts, WorkflowFacts)
    assert [each.text for each in facts.floats] == ["7.20"]

"""From the matrix file to the bytes of every workflow, or to what is wrong on the way."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from generator.checks import duplicate_job, pin_missing
from generator.cli.session import Session
from generator.config.matrix_file import matrix_of, read_tree
from generator.config.tree import Tree
from generator.domain.finding import Finding
from generator.domain.job import Workflow
from generator.domain.matrix import Matrix
from generator.plan.workflows import plan
from generator.render.read_back import verify
from generator.render.text import render


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What a matrix comes to.

    Attributes:
        expected: path of each workflow from the root, and its bytes.
    """

    tree: Tree
    matrix: Matrix
    workflows: tuple[Workflow, ...]
    expected: Mapping[str, bytes]


def build(session: Session) -> Build | tuple[Finding, ...]:
    """Read, plan and render."""
    tree = read_tree(session.matrix, session.matrix.name or str(session.matrix))
    return tree if isinstance(tree, tuple) else build_tree(tree)


def build_tree(tree: Tree) -> Build | tuple[Finding, ...]:
    """The same from a tree that was read already."""
    matrix = matrix_of(tree)
    if isinstance(matrix, tuple):
        return matrix
    missing = tuple(pin_missing.check(matrix))
    return missing or _built(tree, matrix)


def _built(tree: Tree, matrix: Matrix) -> Build | tuple[Finding, ...]:
    """Plan and render a matrix, unless two jobs of a workflow would have one id."""
    workflows = plan(matrix)
    clashes = tuple(duplicate_job.check(workflows))
    if clashes:
        return clashes
    expected = {}
    for workflow in workflows:
        rendered = render(workflow, matrix.path, matrix.generator_version)
        expected[rendered.path] = rendered.data
    return Build(tree=tree, matrix=matrix, workflows=workflows, expected=expected)


def prove(result: Build, paths: Collection[str]) -> None:
    """Read rendered workflows back: they hold the planned jobs, exactly.

    Bytes that are committed already were proved when they were written; so only new ones are given here.

    Args:
        result: the build.
        paths: of the workflows whose bytes are new.

    Raises:
        LayoutError: a template lost or changed something.
    """
    for workflow in result.workflows:
        if workflow.path in paths:
            verify(workflow, result.expected[workflow.path].decode())

"""Everything that a check may look at; a check itself reads nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from generator.domain.job import Job, Workflow
from generator.domain.matrix import Matrix
from generator.domain.suite import NO_SUITES, SuiteRegistry
from generator.domain.workflow_facts import WorkflowFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionsLock:
    """GitHub's own lock file of actions: for each workflow that takes part, what it may use.

    Attributes:
        path: the file; empty where the repository has none.
        workflows: path of a workflow, and the actions, as owner/name@ref, that are locked for it.
    """

    path: str = ""
    workflows: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The matrix, what follows from it, and what is committed.

    Attributes:
        workflows: what was planned.
        expected: path of each planned file, and its bytes.
        committed: path of each file in the workflows folder, and its bytes.
        read: facts of the committed files that are not, byte for byte, what is expected.
        today: ISO 8601.
        running_version: version of the generator that runs.
        suites: what the tests of the project register, where the matrix names their folder.
    """

    matrix: Matrix
    workflows: tuple[Workflow, ...]
    expected: Mapping[str, bytes]
    committed: Mapping[str, bytes]
    read: Mapping[str, WorkflowFacts]
    lock: ActionsLock
    today: str
    running_version: str
    suites: SuiteRegistry = NO_SUITES

    def measuring(self) -> tuple[Job, ...]:
        """The planned jobs that measure, without the first and the last of each night."""
        return tuple(job for workflow in self.workflows for job in workflow.jobs if job.cell is not None)

    def ours(self) -> tuple[WorkflowFacts, ...]:
        """Facts of the committed files that stand where a planned file should."""
        return tuple(facts for path, facts in self.read.items() if path in self.expected)

"""From the text of a workflow file, whoever wrote it, to its facts."""

from collections.abc import Iterator

from generator.config.compose import compose
from generator.config.entry import Entry
from generator.config.source import Source
from generator.config.strategy import matrix_jobs
from generator.config.tree import MappingNode, Node, ScalarNode, SequenceNode, Tree
from generator.domain.finding import Finding
from generator.domain.location import Location
from generator.domain.workflow_facts import JobFacts, Named, StepFacts, WorkflowFacts


def read_workflow(source: Source) -> WorkflowFacts | tuple[Finding, ...]:
    """The facts of a workflow, or why it is no YAML; what is not shaped like a workflow reads as absent."""
    tree = compose(source)
    if isinstance(tree, tuple):
        return tree
    if tree.findings:
        return tree.findings
    if not isinstance(tree.root, MappingNode):
        root = Entry(tree, MappingNode((), {}, 0, 0))
    else:
        root = Entry(tree, tree.root)
    dispatch = root.entry("on").entry("workflow_dispatch").entry("inputs").entry("job_select")
    jobs = tuple(root.entries("jobs"))
    return WorkflowFacts(
        path=source.path,
        jobs=tuple(_job(id_, entry, root.entry("jobs").key_location(id_)) for id_, entry in jobs),
        options=tuple(
            Named(text=str(node.value), location=tree.at(node)) for node in dispatch.scalars("options")
        ),
        floats=tuple(Named(text=node.text, location=tree.at(node)) for node in _floats(root.node)),
        uses=tuple(_uses(tree, jobs)),
        location=Location(source.path),
    )


def _job(id_: str, entry: Entry, location: Location) -> JobFacts:
    return JobFacts(
        id=id_,
        name=Named(text=entry.text("name", id_), location=entry.location_of("name")),
        needs=_texts(entry, "needs"),
        condition=Named(text=entry.text("if"), location=entry.location_of("if")),
        runs_on=_texts(entry, "runs-on"),
        timeout_minutes=entry.integer("timeout-minutes"),
        continue_on_error=Named(
            text=entry.text("continue-on-error"), location=entry.location_of("continue-on-error")
        ),
        matrix_jobs=matrix_jobs(entry.entry("strategy").entry("matrix")),
        steps=tuple(_step(step) for step in entry.items("steps")),
        location=location,
    )


def _step(entry: Entry) -> StepFacts:
    environment = "\n".join(str(node.value) for _, node in entry.pairs("env"))
    return StepFacts(
        id=entry.text("id"),
        run="\n".join(text for text in (entry.text("run"), environment) if text),
        timeout_minutes=entry.integer("timeout-minutes"),
        location=entry.location,
        timeout_location=entry.location_of("timeout-minutes"),
    )


def _texts(entry: Entry, name: str) -> tuple[Named, ...]:
    scalar = entry.scalar(name)
    nodes = entry.scalars(name) if scalar is None else (scalar,)
    return tuple(Named(text=str(node.value), location=entry.tree.at(node)) for node in nodes)


def _floats(node: Node) -> Iterator[ScalarNode]:
    match node:
        case ScalarNode(value=float()):
            yield node
        case MappingNode(values=values):
            for value in values.values():
                yield from _floats(value)
        case SequenceNode(items=items):
            for item in items:
                yield from _floats(item)
        case _:
            pass


def _uses(tree: Tree, jobs: tuple[tuple[str, Entry], ...]) -> Iterator[Named]:
    for _, entry in jobs:
        for step in (entry, *entry.items("steps")):
            node = step.scalar("uses")
            if node is not None:
                yield Named(text=str(node.value), location=tree.at(node))

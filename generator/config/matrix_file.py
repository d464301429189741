"""From the text of matrix.yaml to the domain: everything that is wrong with it is said at once."""

import json
from functools import cache
from pathlib import Path

from generator.config.cells import read_cells
from generator.config.chains import look_at_chains
from generator.config.coverage import read_required, read_waivers
from generator.config.cron import look_at_cron
from generator.config.days import look_at_days
from generator.config.document import document_of, read_document
from generator.config.entry import Entry
from generator.config.expressions import look_at_expressions, look_at_prefixes
from generator.config.lanes import read_lanes, read_workflows
from generator.config.machines import read_hardware, read_isas, read_pools, read_quantizations
from generator.config.models import read_models
from generator.config.named import Named
from generator.config.names import Problems
from generator.config.sites import read_sites
from generator.config.source import Source
from generator.config.tree import MappingNode, Tree
from generator.config.variables import read_variables
from generator.domain.finding import Finding, by_place
from generator.domain.hardware import Isa
from generator.domain.lane import WorkflowFile
from generator.domain.matrix import HarnessSource, Lookup, Margins, Matrix, Pin, Project


@cache
def schema_text() -> str:
    """The JSON Schema of matrix.yaml (draft 2020-12), as it is published."""
    return Path(__file__).with_name("matrix.schema.json").read_text(encoding="utf-8")


def read_tree(file: Path, shown_as: str) -> Tree | tuple[Finding, ...]:
    """The located tree of a matrix file that the schema approves, or everything that is wrong with it."""
    return read_document(file, shown_as, json.loads(schema_text()))


def read_matrix(file: Path, shown_as: str) -> Matrix | tuple[Finding, ...]:
    """The matrix in a file, or everything that is wrong with it."""
    tree = read_tree(file, shown_as)
    return tree if isinstance(tree, tuple) else matrix_of(tree)


def matrix_from(source: Source) -> Matrix | tuple[Finding, ...]:
    """The same from a text in memory."""
    tree = document_of(source, json.loads(schema_text()))
    return tree if isinstance(tree, tuple) else matrix_of(tree)


def matrix_of(tree: Tree) -> Matrix | tuple[Finding, ...]:
    """The matrix in a tree that the schema has approved, or every name in it that stands for nothing."""
    if not isinstance(tree.root, MappingNode):
        raise TypeError(tree.root)  # the schema refuses anything else
    root, problems = Entry(tree, tree.root), Problems(tree)
    look_at_expressions(tree.root, problems)
    look_at_prefixes(root, problems)
    look_at_days(root, problems)
    look_at_cron(root, problems)
    isas = read_isas(root)
    workflows = read_workflows(root)
    named = _named(root, isas, workflows, problems)
    cells = read_cells(root, named, problems)
    look_at_chains(root, cells, problems)
    required = read_required(root, isas, named, problems)
    waivers = read_waivers(root, isas, named, problems)
    if problems.findings:
        return by_place(dict.fromkeys(problems.findings))
    return Matrix(
        path=tree.source.path,
        generator_version=root.text("nightgrid"),
        version_location=root.location_of("nightgrid"),
        project=_project(root),
        harness=_harness(root),
        lookup=_lookup(root),
        margins=_margins(root),
        pins=_pins(root),
        hardware=tuple(named.hardware.values()),
        pools=tuple(named.pools.values()),
        lanes=tuple(named.lanes.values()),
        workflows=tuple(workflows.values()),
        cells=cells,
        required=required,
        waivers=waivers,
    )


def _named(
    root: Entry, isas: dict[str, Isa], workflows: dict[str, WorkflowFile], problems: Problems
) -> Named:
    hardware = read_hardware(root, isas, problems)
    pools = read_pools(root, hardware, problems)
    return Named(
        hardware=hardware,
        pools=pools,
        lanes=read_lanes(root, pools, workflows, problems),
        models=read_models(root, read_quantizations(root, isas, problems), problems),
        sites=read_sites(root, problems),
        variables=read_variables(root, problems),
    )


def _project(root: Entry) -> Project:
    entry = root.entry("project")
    return Project(
        repository=entry.text("repository"),
        hosted_runner=entry.text("hosted_runner", "ubuntu-24.04"),
        suites=entry.text("suites"),
    )


def _harness(root: Entry) -> HarnessSource:
    entry = root.entry("harness")
    return HarnessSource(repository=entry.text("repository"), commit=entry.text("commit"))


def _lookup(root: Entry) -> Lookup:
    entry = root.entry("lookup")
    return Lookup(
        timeout_s=entry.integer("timeout_s", 20),
        attempts=entry.integer("attempts", 3),
        images=entry.flag("images", default=True),
        models=entry.flag("models", default=True),
    )


def _margins(root: Entry) -> Margins:
    entry = root.entry("margins")
    return Margins(check=entry.integer("check_minutes", 10), job=entry.integer("job_minutes", 10))


def _pins(root: Entry) -> tuple[Pin, ...]:
    return tuple(
        Pin(
            action=action,
            commit=entry.text("commit"),
            version=entry.text("version"),
            location=root.entry("pins").key_location(action),
            commit_location=entry.location_of("commit"),
            version_location=entry.location_of("version"),
        )
        for action, entry in root.entries("pins")
    )

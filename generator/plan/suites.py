"""Which suites the night's steps ask for, and what the project's tests register under each name."""

from collections.abc import Iterable

from generator.domain.cell import Cell
from generator.domain.check import Runner
from generator.domain.matrix import Matrix
from generator.domain.suite import AskedSuite, Registration, SuiteRegistry
from generator.plan.ids import job_id
from generator.plan.limits import inner_seconds, step_minutes

_BACKENDS = {"amd": "amd", "nvidia": "cuda", "none": "cpu"}


def asked_suites(matrix: Matrix) -> tuple[AskedSuite, ...]:
    """Every step that runs a suite."""
    return tuple(
        AskedSuite(
            suite=check.by.asked,
            job=job_id(cell),
            backend=backend_of(cell),
            nightly="--nightly" in check.by.command.split(),
            step_s=step_minutes(check, matrix.margins) * 60,
            per_file_s=inner_seconds(check, matrix.margins),
            location=cell.place(f"checks.{check.key}.suite"),
        )
        for cell in matrix.cells
        for check in cell.checks
        if isinstance(check.by, Runner) and "{suite}" in check.by.command
    )


def asked_files(matrix: Matrix) -> frozenset[str]:
    """The test files that steps run one by one."""
    return frozenset(
        check.by.asked
        for cell in matrix.cells
        for check in cell.checks
        if isinstance(check.by, Runner) and "{suite}" not in check.by.command
    )


def backend_of(cell: Cell) -> str:
    """What the project calls the machines of the cell's vendor."""
    vendor = cell.hardware.isa.vendor
    return _BACKENDS.get(vendor, vendor)


def run_by(asked: AskedSuite, registry: SuiteRegistry) -> tuple[Registration, ...]:
    """The registrations that the step would run."""
    return tuple(
        each
        for each in registry.registrations
        if each.suite == asked.suite
        and each.backend == asked.backend
        and each.nightly == asked.nightly
        and not each.disabled
    )


def never_asked(
    asked: Iterable[AskedSuite], files: frozenset[str], registry: SuiteRegistry
) -> dict[str, tuple[Registration, ...]]:
    """Nightly suites that no step runs, on machines for which the matrix asks for others."""
    there = {(each.suite, each.backend) for each in asked}
    backends = {backend for _, backend in there}
    found: dict[str, tuple[Registration, ...]] = {}
    for each in registry.registrations:
        runs_alone = any(each.location.path.endswith(f"/{file}") for file in files)
        wanted = each.nightly and not each.disabled and each.backend in backends
        if wanted and not runs_alone and (each.suite, each.backend) not in there:
            found[each.suite] = (*found.get(each.suite, ()), each)
    return found

"""The checks that every run makes, by their ids; those of edited workflows are in `edited`."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from generator.checks import (
    action_not_locked,
    carriage_returns,
    coverage_missing,
    disabled_out_of_date,
    duplicate_job,
    duplicate_name,
    file_too_large,
    generator_version,
    hand_edited,
    illegal_job,
    isa_label,
    isa_refuses,
    matrix_too_large,
    missing,
    orphaned,
    outer_not_above_inner,
    pin_missing,
    stale,
    step_over_job,
    suite_never_asked,
    suite_over_limit,
    suite_unknown,
    waiver_out_of_date,
)
from generator.domain.facts import Facts
from generator.domain.finding import Finding, by_place

Check: TypeAlias = Callable[[Facts], Iterator[Finding]]

# What keeps workflows from being written at all; looked at on the way to them, before there are facts.
BEFORE_RENDERING = frozenset({duplicate_job.ID, pin_missing.ID})

# What is wrong with the matrix as a whole, whatever is committed.
OF_MATRIX: dict[str, Check] = {
    module.ID: module.check
    for module in (
        coverage_missing,
        disabled_out_of_date,
        generator_version,
        illegal_job,
        isa_label,
        isa_refuses,
        outer_not_above_inner,
        step_over_job,
        waiver_out_of_date,
    )
}

# What is wrong with the files of the repository.
OF_FILES: dict[str, Check] = {
    module.ID: module.check
    for module in (
        action_not_locked,
        carriage_returns,
        duplicate_name,
        file_too_large,
        hand_edited,
        matrix_too_large,
        missing,
        orphaned,
        stale,
        suite_never_asked,
        suite_over_limit,
        suite_unknown,
    )
}

# Findings that `render` mends by itself.
MENDED_BY_RENDER = frozenset({missing.ID, stale.ID, hand_edited.ID, carriage_returns.ID, orphaned.ID})


def run(checks: dict[str, Check], facts: Facts) -> tuple[Finding, ...]:
    """What the checks find, in the order of places, each finding once."""
    found = dict.fromkeys(finding for check in checks.values() for finding in check(facts))
    return by_place(found)

"""Findings counted, in numbers and in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.domain.finding import Finding, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many findings of each severity there are."""

    errors: int
    warnings: int


def count(findings: Sequence[Finding]) -> Count:
    """The findings by severity."""
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    return Count(errors=errors, warnings=len(findings) - errors)


def in_words(counted: Count) -> str:
    """Such as "2 errors, 1 warning"; a severity without a finding is left out."""
    parts = [
        quantity(number, noun)
        for number, noun in ((counted.errors, "error"), (counted.warnings, "warning"))
        if number
    ]
    return ", ".join(parts) or "no findings"


def quantity(number: int, noun: str) -> str:
    """A number with its noun, in the plural where English wants it: "1 error", "1,200 errors"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"

"""A workflow that GitHub ignores without a word, because it is too large."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error, warning
from generator.domain.location import Location

ID = "file-too-large"

# GitHub's limit for one workflow file, in bytes.
LIMIT = 512_000
_NEAR = 0.9
_HELP = "Write some of its lanes to another workflow."


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each planned or committed file over the limit, and a warning near it."""
    sizes = {path: len(data) for path, data in facts.committed.items()}
    for path, data in facts.expected.items():
        sizes[path] = max(len(data), sizes.get(path, 0))
    for path, size in sizes.items():
        if size > LIMIT:
            yield error(
                ID,
                Location(path),
                f"{size:,} bytes: GitHub ignores a workflow of more than {LIMIT:,}, and no job would run",
                _HELP,
            )
        elif size > LIMIT * _NEAR and path in facts.expected:
            yield warning(
                ID,
                Location(path),
                f"{size:,} bytes: little room is left to {LIMIT:,}, over which GitHub ignores a workflow",
                _HELP,
            )

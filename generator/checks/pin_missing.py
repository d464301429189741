"""An action that the workflows need and the matrix does not pin."""

from collections.abc import Iterator

from generator.domain.finding import Finding, error
from generator.domain.location import Location
from generator.domain.matrix import Matrix

ID = "pin-missing"

NEEDED = ("actions/checkout", "actions/upload-artifact")


def check(matrix: Matrix) -> Iterator[Finding]:
    """A finding for each action without a commit; nothing can be planned before it has one."""
    pinned = {pin.action for pin in matrix.pins}
    for action in NEEDED:
        if action not in pinned:
            yield error(
                ID,
                Location(matrix.path),
                f"`pins` has no {action}, which every job uses",
                "Add it with its `version` and the `commit` behind that version.",
            )

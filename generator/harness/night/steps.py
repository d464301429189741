"""GitHub's `steps` context as the last step of a job gets it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.harness.night.reading import Place, read_json

HELP = "The step hands STEPS on as ${{ toJSON(steps) }}: render the workflow again and commit it unedited."
GOOD = frozenset({"success", "skipped"})
CANCELLED = "cancelled"


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step with an id.

    Attributes:
        outcome: what it did, in GitHub's words.
        conclusion: what GitHub made of it: after continue-on-error a failure concludes as success.
    """

    id: str
    outcome: str
    conclusion: str = ""
    outputs: Mapping[str, str] = field(default_factory=dict)

    def went_wrong(self) -> bool:
        """Whether the step itself failed or was cut off."""
        return self.outcome not in GOOD

    def is_excused(self, advisory: frozenset[str]) -> bool:
        """Whether its failure leaves the job green."""
        return self.conclusion in GOOD if self.conclusion else self.id in advisory


def read_steps(text: str) -> tuple[Step, ...]:
    """Parse STEPS, in the order in which the steps ran.

    Raises:
        HarnessError: INVALID, with the path of what is wrong.
    """
    return tuple(
        Step(
            id=id_,
            outcome=word(step, "outcome"),
            conclusion=word(step, "conclusion"),
            outputs={
                name: str(value.value)
                for outputs in step.optional("outputs")
                for name, value in outputs.mapping().items()
            },
        )
        for id_, step in read_json(text, "STEPS", HELP).mapping().items()
    )


def word(step: Place, name: str) -> str:
    """A word of a step; empty where it is absent, which is no good outcome."""
    return "".join(entry.text() for entry in step.optional(name)).casefold()

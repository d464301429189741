"""What the formats need to know beside the findings."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.report.colour import Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """How findings are shown.

    Attributes:
        colour: for the text form; the other forms carry none.
        version: of the program, for the forms that name it.
        summaries: one sentence for each finding id that has one, for the forms that describe their rules.
    """

    colour: Colour = Colour.PLAIN
    version: str = ""
    summaries: Mapping[str, str] = field(default_factory=dict)

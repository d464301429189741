"""Number formats of weights, and on which ISAs they are what they say."""

from dataclasses import dataclass
from enum import Enum

from generator.domain.location import Location


class Support(Enum):
    """How an ISA treats a quantization."""

    NATIVE = "native"
    RUNS = "runs"
    CONVERTED = "converted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantization:
    """A number format of weights.

    Attributes:
        runs_on: ISAs on which a checkpoint in this format loads.
        native: ISAs whose matrix units compute in this format.
        converted: (ISA, format) pairs: there the weights become another format while loading.
        because: why it is so.
        source: where that can be read.
    """

    key: str
    runs_on: frozenset[str]
    native: frozenset[str]
    converted: tuple[tuple[str, str], ...]
    because: str
    source: str
    location: Location

    def support(self, isa: str) -> Support:
        """How the ISA treats this format."""
        if isa in self.native:
            return Support.NATIVE
        if any(isa == where for where, _ in self.converted):
            return Support.CONVERTED
        return Support.RUNS if isa in self.runs_on else Support.REFUSED

    def tested_as(self, isa: str) -> str:
        """The format that a test on this ISA really tests."""
        return dict(self.converted).get(isa, self.key)

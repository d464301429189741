"""Checkpoints: what they are called, how heavy they are, how they are served."""

from dataclasses import dataclass

from generator.domain.location import Location
from generator.domain.quantization import Quantization


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A checkpoint.

    Attributes:
        family: the line in which one model can take another's place.
        repository: where the weights are; empty where it is not public.
        quantization: None where the facts do not tell: such a model covers a family, and no format.
        checkpoint_gb: size of the weights in GB; 0 where nobody has said.
        requires: (software, lowest version) pairs.
    """

    key: str
    title: str
    family: str
    repository: str
    quantization: Quantization | None
    checkpoint_gb: float
    requires: tuple[tuple[str, str], ...]
    location: Location

"""What the rows of the matrix refer to by name."""

from collections.abc import Mapping
from dataclasses import dataclass

from generator.domain.hardware import Hardware, Pool
from generator.domain.lane import Lane
from generator.domain.model import Model
from generator.domain.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Everything that rows refer to by name."""

    hardware: Mapping[str, Hardware]
    pools: Mapping[str, Pool]
    lanes: Mapping[str, Lane]
    models: Mapping[str, Model]
    sites: Mapping[str, Site]
    variables: Mapping[str, object]

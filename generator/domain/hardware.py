"""Machines: what instruction set they have, and behind which runner label they wait."""

from dataclasses import dataclass

from generator.domain.location import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Isa:
    """An instruction set of a GPU, such as gfx942, and the family that it belongs to, such as gfx94x."""

    key: str
    family: str
    vendor: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A GPU that one can buy, and its memory in GB."""

    key: str
    hbm_gb: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """A class of machines with one ISA.

    Attributes:
        id_part: how job ids name it; empty for the class that ids leave out.
    """

    key: str
    title: str
    isa: Isa
    products: tuple[Product, ...]
    id_part: str
    location: Location

    @property
    def hbm_gb(self) -> int:
        """GB of memory per GPU on the smallest product of the class."""
        return min(product.hbm_gb for product in self.products)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The runners behind one label.

    Attributes:
        gpus: GPUs per machine.
        machines: how many machines there are; 0 where nobody has said.
        product: which product the machines carry.
    """

    key: str
    label: str
    hardware: Hardware
    product: Product
    gpus: int
    machines: int
    location: Location
    label_location: Location

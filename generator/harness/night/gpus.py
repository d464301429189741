"""What is known of a machine's GPUs."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Memory:
    """The memory of one GPU; both numbers in one unit."""

    index: int
    total: float
    used: float

    @property
    def free_fraction(self) -> float:
        """The part that is free, from 0 to 1."""
        return max(0.0, 1 - self.used / self.total)


@dataclass(frozen=True, kw_only=True)
class Holder:
    """A process that holds GPU memory; `name` may be empty, `held` is for a person."""

    pid: int
    name: str
    held: str


@dataclass(frozen=True, kw_only=True)
class Probe:
    """What one vendor's tools and the kernel say.

    Attributes:
        isas: one entry a GPU.
        memories: empty where no tool tells.
        troubles: the tools that are missing, failed or cannot be understood.
    """

    isas: tuple[str, ...] = ()
    memories: tuple[Memory, ...] = ()
    holders: tuple[Holder, ...] = ()
    troubles: tuple[str, ...] = ()

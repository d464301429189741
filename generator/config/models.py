"""Models of a matrix."""

from generator.config.entry import Entry
from generator.config.names import Problems
from generator.domain.model import Model
from generator.domain.quantization import Quantization


def read_models(root: Entry, quantizations: dict[str, Quantization], problems: Problems) -> dict[str, Model]:
    """Models by key; an unknown quantization is noted and read as not known."""
    found = {}
    for key, entry in root.entries("models"):
        named = entry.scalar("quantization")
        found[key] = Model(
            key=key,
            title=entry.text("title", key),
            family=entry.text("family"),
            repository=entry.text("repository"),
            quantization=(None if named is None else problems.look_up("quantization", named, quantizations)),
            checkpoint_gb=entry.number("checkpoint_gb"),
            requires=tuple((name, str(node.value)) for name, node in entry.pairs("requires")),
            location=root.entry("models").key_location(key),
        )
    return found

"""Names of hardware in labels and ids, and the ISAs that they stand for."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.domain.hardware import Hardware

_WORD = re.compile(r"[a-z0-9]+")
# MI300X is also written MI300, and mi35x as mi35.
_WITH_X = re.compile(r"(mi\d+)x?")
# A count that is grown together with a name, as in 8xmi300 and mi325x8.
_COUNT_BEFORE = re.compile(r"^\d+x(?=[a-z])")
_COUNT_AFTER = re.compile(r"(?<=\d)x\d+(gpus?)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name in a text, and the ISAs that it may stand for."""

    name: str
    isas: frozenset[str]

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(sorted(self.isas))})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Every spelling of hardware, ISAs and families, and the ISAs behind it.

    Attributes:
        words: spellings of one word.
        phrases: spellings of several words with a blank between them, such as `sm 103`.
    """

    words: Mapping[str, Mention]
    phrases: Mapping[str, Mention]

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """What a text names, each once, in its order; phrases last."""
        words = [_COUNT_AFTER.sub("", _COUNT_BEFORE.sub("", word)) for word in _WORD.findall(text.lower())]
        found = [self.words[word] for word in words if word in self.words]
        if self.phrases:
            whole = f" {' '.join(words)} "
            found += [mention for phrase, mention in self.phrases.items() if f" {phrase} " in whole]
        return tuple(dict.fromkeys(found))


def names_of(hardware: Iterable[Hardware]) -> Names:
    """The names that the hardware of a matrix goes by."""
    isas: dict[str, set[str]] = {}
    for each in hardware:
        # What a machine without GPUs is called by (cpu, x86_64) says nothing about the GPUs of another.
        if each.isa.vendor == "none":
            continue
        for name in (each.key, each.isa.key, each.isa.family, *(product.key for product in each.products)):
            for spelling in _spellings(name):
                isas.setdefault(spelling, set()).add(each.isa.key)
    mentions = {name: Mention(name=name, isas=frozenset(each)) for name, each in isas.items()}
    return Names(
        words={name: mention for name, mention in mentions.items() if " " not in name},
        phrases={name: mention for name, mention in mentions.items() if " " in name},
    )


def _spellings(name: str) -> set[str]:
    words = _WORD.findall(name.lower())
    short = _WITH_X.fullmatch("".join(words))
    more = {short.group(1), f"{short.group(1)}x"} if short else set()
    return ({" ".join(words), "".join(words)} | more) - {""}

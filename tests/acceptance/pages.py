"""Pages in Markdown, as GitHub reads them: their blocks, headings, links, and the commands that they name."""

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (?P<text>.+)$", re.MULTILINE)
_COMMAND = re.compile(r"(?:^|&& |\| |\$ )nightgrid (?P<name>[a-z]+)(?P<rest>[^&|\n]*)", re.MULTILINE)
_SECTION = re.compile(r"^(?P<key>[a-z_]+):", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(_SECTION.findall(self.text))

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text()
    for found in _BLOCK.finditer(text):
        yield Block(
            page=page,
            line=text.count("\n", 0, found.start()) + 1,
            language=found["language"],
            text=textwrap.dedent(found["text"]),
        )


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _BLOCK.sub("", page.read_text())


def anchors(page: Path) -> frozenset[str]:
    """What GitHub makes of the headings of a page."""
    seen: Counter[str] = Counter()
    found = set()
    for heading in _HEADING.finditer(prose(page)):
        plain = _LINK.sub("", heading["text"]).replace("[", "")
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return frozenset(found)


def spans(page: Path) -> list[str]:
    """What stands between single backticks."""
    return _SPAN.findall(prose(page))


def links(page: Path) -> Iterator[str]:
    """Where the links of a page lead, as they are written."""
    for link in _LINK.finditer(_SPAN.sub("", prose(page))):
        yield link["target"]


def with_sections(matrix: str, part: str) -> str:
    """A matrix whose sections are those of `part` where it has them."""
    theirs = sections(part)
    kept = {key: text for key, text in sections(matrix).items() if key not in theirs}
    return "".join((*kept.values(), *theirs.values()))


def sections(text: str) -> Mapping[str, str]:
    starts = [*_SECTION.finditer(text)]
    ends = [start.start() for start in starts[1:]] + [len(text)]
    return {start["key"]: text[start.start() : end] for start, end in zip(starts, ends, strict=True)}


def said_commands(page: Path) -> Iterator[tuple[str, str]]:
    """Each `nightgrid COMMAND` of a page, and what is written behind it."""
    texts = [block.text for block in blocks(page) if block.language in {"", "sh", "console"}]
    for text in (*texts, *spans(page)):
        yield from ((found["name"], found["rest"]) for found in _COMMAND.finditer(text))

"""Texts as YAML: whatever a value holds, a reader of YAML 1.1 or 1.2 gets that very text back."""

import json
import re
from functools import lru_cache

# Plain where no reader could take it for anything but this text: starts with a letter or a slash, holds no
# `: ` and no ` #`, and is no word that YAML 1.1 or 1.2 gives a meaning to.
_PLAIN = re.compile(r"[A-Za-z/$][A-Za-z0-9_./@+()$!?;*%^~=<>-]*(?:[ ,:][A-Za-z0-9_./@+()$!?;*%^~=<>-]+)*")
_MEANINGS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})
# Blanks that no reader sees, and that an editor may take away.
_TRAILING = re.compile(r"[ \t](?:\n|\Z)")
# What nobody can see: control characters, line ends that are some only to YAML 1.1 (U+2028, U+2029), blanks
# of no width, and marks that turn the direction, under which a script reads as another one than it is.
_HIDDEN = re.compile(
    r"[^\t\n\x20-\x7e\u00a0-\u200a\u2010-\u2027\u202f-\u205f\u2070-\ud7ff\ue000-\ufefe\uff00-\ufffd"
    r"\U00010000-\U0010ffff]"
)


@lru_cache(maxsize=65536)
def value(text: str) -> str:
    """The text as a scalar on one line."""
    if _PLAIN.fullmatch(text) and text.lower() not in _MEANINGS:
        return text
    if "'" not in text and "\n" not in text and text and not _HIDDEN.search(text) and '"' in text:
        return f"'{text}'"
    return _escaped(text)


@lru_cache(maxsize=65536)
def block(text: str, indent: int) -> str:
    """The text as a scalar; one of several lines keeps them, each indented by so many blanks."""
    if "\n" not in text or _HIDDEN.search(text) or text[0] in " \n\t" or _TRAILING.search(text):
        return value(text)
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    if ends > 1:
        return value(text)
    margin = " " * indent
    lines = "".join(f"{margin}{line}\n" if line else "\n" for line in body.split("\n"))
    return f"{'|' if ends else '|-'}\n{lines}"[:-1]


def _escaped(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _HIDDEN.sub(lambda match: _escape(match.group()), quoted)


def _escape(character: str) -> str:
    number = ord(character)
    return f"\\U{number:08x}" if number > 0xFFFF else f"\\u{number:04x}"

"""The words for what stands between correct YAML and a tree that can be used."""

from collections.abc import Iterable
from typing import Final

from generator.config.ids import InputId
from generator.config.source import Source
from generator.config.suggest import one_of
from generator.config.tree import ScalarNode
from generator.domain.finding import Finding, error

MAX_DEPTH: Final = 64
"""A matrix is six deep; what is deeper than this is an attack or an accident."""

MAX_NODES: Final = 1_000_000
"""Five times what 10,000 cells need; an alias counts as the copy that it stands for, so a bomb ends."""

_ANOTHER_FILE: Final = "is this the file that you meant?"


class Refusals:
    """What one pass over a source found: `fatal` makes its tree unusable, `duplicates` do not."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.fatal: list[Finding] = []
        self.duplicates: list[Finding] = []

    def _refuse(self, id_: InputId, offset: int, message: str, help_: str) -> None:
        self.fatal.append(error(id_, self.source.location(offset), message, help_))

    def empty(self) -> None:
        """The file holds no document."""
        blank = not self.source.text.strip()
        message = "the file is empty" if blank else "the file holds no data, only comments"
        self._refuse(InputId.FILE_UNREADABLE, 0, message, _ANOTHER_FILE)

    def second_document(self, offset: int) -> None:
        """Another document follows the first."""
        message = "a second document starts here, and the file may hold only one"
        self._refuse(InputId.YAML_SYNTAX, offset, message, "remove the `---` or what follows it")

    def too_deep(self, offset: int) -> None:
        """Collections are nested beyond the limit."""
        message = f"this is nested deeper than {MAX_DEPTH} levels"
        self._refuse(InputId.YAML_SYNTAX, offset, message, _ANOTHER_FILE)

    def tag(self, offset: int, tag: str) -> None:
        """A tag asks for something else than plain data."""
        shown = tag.replace("tag:yaml.org,2002:", "!!")
        message = f"the tag `{shown}` cannot stand here: the file is plain data"
        self._refuse(InputId.YAML_TAG, offset, message, "remove the tag, or put the text in quotes")

    def endless(self, offset: int, text: str) -> None:
        """A number has no finite value, and so no place in JSON."""
        message = f"`{text}` is a number without a finite value, which has no use here"
        self._refuse(InputId.WRONG_VALUE, offset, message, f'write "{text}" if it is a text')

    def key(self, offset: int) -> None:
        """A key is no text."""
        message = "a key must be a text: this one is empty, a list or a mapping"
        self._refuse(InputId.YAML_KEY, offset, message, "write `key: value`, and quotes around odd keys")

    def alias_in_itself(self, offset: int, name: str) -> None:
        """An alias stands inside the node of its anchor."""
        message = f"the alias `*{name}` stands inside its own anchor `&{name}`, so it would never end"
        self._refuse(InputId.YAML_ALIAS, offset, message, "write out what is meant here")

    def unknown_alias(self, offset: int, name: str, anchors: Iterable[str]) -> None:
        """No anchor above bears the name."""
        known = tuple(anchors)
        help_ = one_of(name, known) if known else f"write `&{name}` in front of the value that is meant"
        message = f"the alias `*{name}` has no anchor `&{name}` above it"
        self._refuse(InputId.YAML_ALIAS, offset, message, help_)

    def too_many_aliased(self, offset: int) -> None:
        """Aliases of aliases multiply beyond the limit."""
        message = f"the aliases up to here stand for more than {MAX_NODES:,} values"
        self._refuse(InputId.YAML_ALIAS, offset, message, "do not nest aliases in aliases")

    def too_many(self, offset: int) -> None:
        """The file itself goes beyond the limit."""
        message = f"the file holds more than {MAX_NODES:,} values"
        self._refuse(InputId.FILE_UNREADABLE, offset, message, _ANOTHER_FILE)

    def merge(self, offset: int) -> None:
        """A merge is given something else than mappings."""
        message = "`<<` merges mappings, and this is none"
        self._refuse(InputId.YAML_ALIAS, offset, message, "write `<<: *name` or `<<: [*one, *two]`")

    def duplicate(self, key: ScalarNode, first: ScalarNode) -> None:
        """A key stands twice in one mapping."""
        message = f"the key `{key.text}` is written twice; first at {self.source.location(first.start)}"
        self.duplicates.append(
            error(InputId.DUPLICATE_KEY, self.source.location(key.start), message, "keep one of the two")
        )

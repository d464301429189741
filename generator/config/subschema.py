"""What a JSON Schema says about one place: titles, descriptions, the keys that are known there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from generator.config.pointer import real_key

Schema: TypeAlias = Mapping[str, Any]
Subschema: TypeAlias = Schema | bool
EvaluationPath: TypeAlias = Sequence[str | int]
"""The way of a validator from the root of the schema to a keyword, through each `$ref` that it took."""

_NOTHING: Final[Schema] = {}
_SIDE_BY_SIDE: Final = ("allOf", "anyOf", "oneOf")
_CONDITIONAL: Final = ("if", "then", "else")


class SchemaReader:
    """One schema document, with references inside itself only."""

    def __init__(self, document: Schema) -> None:
        self._document = document

    def at(self, path: EvaluationPath) -> Schema:
        """The subschema at a path; an empty one where a `true`, a `false` or nothing stands."""
        place: Any = self._document
        for step in path:
            try:
                place = place[real_key(place, step)] if isinstance(place, Mapping) else place[step]
            except (LookupError, TypeError):
                return _NOTHING
            if step == "$ref" and isinstance(place, str):
                place = self._target(place)
        return place if isinstance(place, Mapping) else _NOTHING

    def holder(self, keyword: EvaluationPath) -> Schema:
        """The subschema that holds the keyword at the end of a path."""
        return self.at(keyword[:-1])

    def said_of(self, keyword: EvaluationPath, word: str) -> str:
        """A title, description or message from around a keyword; the outermost of a chain of references."""
        path = list(keyword[:-1])
        said = str(self.at(path).get(word, ""))
        while path and path[-1] == "$ref":
            path.pop()
            said = str(self.at(path).get(word, said))
        return said

    def purpose(self, keyword: EvaluationPath) -> str:
        """The first sentence of the description of the place that a keyword judges."""
        return _first_sentence(self.said_of(keyword, "description"))

    def purpose_of_key(self, keyword: EvaluationPath, key: str) -> str:
        """The first sentence on a key, from the nearest schema around a keyword that knows it."""
        for length in range(len(keyword) - 1, -1, -1):
            properties = self.at(keyword[:length]).get("properties", _NOTHING)
            if key in properties:
                texts = (str(schema.get("description", "")) for schema in self._chain(properties[key]))
                return _first_sentence(next(filter(None, texts), ""))
        return ""

    def known_keys(self, schema: Subschema) -> tuple[str, ...]:
        """Every key that a schema names for a mapping, in its order."""
        return tuple(dict.fromkeys(self._keys(schema, frozenset())))

    def _keys(self, schema: Subschema, seen: frozenset[int]) -> Iterator[str]:
        for candidate in self._chain(schema):
            if id(candidate) in seen:
                return
            inner = seen | {id(candidate)}
            yield from candidate.get("properties", ())
            for keyword in _SIDE_BY_SIDE:
                for part in candidate.get(keyword, ()):
                    yield from self._keys(part, inner)
            for keyword in _CONDITIONAL:
                yield from self._keys(candidate.get(keyword, True), inner)

    def _chain(self, schema: Subschema) -> Iterator[Schema]:
        """A schema, then what it refers to, and so on; a circle ends where it closes."""
        seen: set[int] = set()
        while isinstance(schema, Mapping) and id(schema) not in seen:
            seen.add(id(schema))
            yield schema
            schema = self._target(schema.get("$ref", ""))

    def _target(self, reference: str) -> Schema:
        place: Any = self._document
        if not reference.startswith("#"):
            return _NOTHING
        for step in filter(None, reference.removeprefix("#").split("/")):
            place = place[step.replace("~1", "/").replace("~0", "~")]
        return place if isinstance(place, Mapping) else _NOTHING


def _first_sentence(text: str) -> str:
    return text.split(". ", maxsplit=1)[0].rstrip(".")

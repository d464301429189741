"""A second validator of the schema agrees, and whatever it refuses is explained."""

import json
from collections.abc import Iterator

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from generator.config.compose import compose
from generator.config.ids import InputId
from generator.config.source import Source
from generator.config.structure import check_structure
from generator.config.tree import JsonValue, Tree

KEYS = ("title", "pages", "lent", "form", "device", "Extra", "10", "007")
SCALARS = (
    st.integers(-(10**20), 10**20)
    | st.floats(-1e6, 1e6)
    | st.booleans()
    | st.none()
    | st.text("abc 7.é😀", max_size=5)
    | st.sampled_from(("up", "down", "paper", "sun"))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)
SHELF = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "shelf",
    "type": "object",
    "additionalProperties": False,
    "required": ["books"],
    "properties": {
        "books": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"$ref": "#/$defs/book"}},
        "rooms": {
            "type": "object",
            "propertyNames": {"pattern": "^[a-z]*$"},
            "additionalProperties": {"type": "integer"},
        },
        "place": {
            "anyOf": [
                {"enum": ["up", "down"]},
                {"$ref": "#/$defs/book"},
                {"type": "array", "items": {"type": "string"}},
            ]
        },
    },
    "$defs": {
        "book": {
            "type": "object",
            "additionalProperties": False,
            "required": ["title"],
            "properties": {
                "title": {"type": "string", "minLength": 1},
                "pages": {"type": "integer", "minimum": 1, "maximum": 5000},
                "lent": {"type": ["boolean", "null"]},
                "form": {
                    "oneOf": [
                        {"const": "paper"},
                        {"type": "object", "required": ["device"]},
                        {"type": "number", "minimum": 2},
                    ]
                },
            },
            "not": {"required": ["lent", "form"]},
        }
    },
}
GOOD = {
    "books": [{"title": "one", "pages": 3, "lent": None}, {"title": "two", "form": "paper"}],
    "rooms": {"hall": 3},
    "place": {"title": "x"},
}


@st.composite
def mutated(draw: st.DrawFn) -> JsonValue:
    """A good document with a few places of it changed, renamed, emptied or taken out."""
    data: JsonValue = json.loads(json.dumps(GOOD))
    for _ in range(draw(st.integers(0, 4))):
        places = list(containers(data))
        place = draw(st.sampled_from(places))
        if not place:
            continue
        if isinstance(place, dict):
            change_mapping(draw, place)
        else:
            change_list(draw, place)
    return data


def change_mapping(draw: st.DrawFn, place: dict[str, JsonValue]) -> None:
    key, new_key = draw(st.sampled_from(list(place))), draw(st.sampled_from(KEYS))
    match draw(st.sampled_from(("replace", "rename", "remove", "copy"))):
        case "replace":
            place[key] = draw(VALUES)
        case "remove":
            del place[key]
        case "rename":
            place[new_key] = place.pop(key)
        case _:
            place[new_key] = json.loads(json.dumps(place[key]))


def change_list(draw: st.DrawFn, place: list[JsonValue]) -> None:
    index = draw(st.integers(0, len(place) - 1))
    match draw(st.sampled_from(("replace", "remove", "copy"))):
        case "replace":
            place[index] = draw(VALUES)
        case "remove":
            del place[index]
        case _:
            place.append(json.loads(json.dumps(place[index])))


def containers(data: JsonValue) -> Iterator[dict[str, JsonValue] | list[JsonValue]]:
    if isinstance(data, dict | list):
        yield data
        for inner in data.values() if isinstance(data, dict) else data:
            yield from containers(inner)


@given(mutated())
def test_a_second_validator_agrees_and_each_refusal_is_explained(data: JsonValue) -> None:
    tree = compose(Source(path="m.yaml", text="# shelf\n" + json.dumps(data, ensure_ascii=False)))
    assert isinstance(tree, Tree)
    findings = check_structure(tree, SHELF)
    other = list(jsonschema.Draft202012Validator(SHELF).iter_errors(data))
    assert bool(findings) == bool(other)
    assert len(set(findings)) == len(findings)
    assert list(findings) == sorted(findings, key=lambda finding: finding.location)
    for finding in findings:
        assert finding.id != InputId.SCHEMA_MISMATCH
        assert finding.location.line == 2
        assert "schemas" not in finding.message

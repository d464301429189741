"""Which branch of an anyOf or oneOf a person had in mind, so that only its errors are told."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from jsonschema_rs import ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

Branch: TypeAlias = Sequence[ValidationError]

_TYPE_NAMES: Final[dict[type, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def likely(outer: ValidationError, branches: Sequence[Branch]) -> Branch:
    """The errors of the branch that fits best; the first of those that fit equally well."""
    return min((_expanded(outer, branch) for branch in branches), key=lambda branch: _distance(outer, branch))


def wanted_types(outer: ValidationError, branches: Sequence[Branch]) -> tuple[str, ...]:
    """The types that the branches would have taken, when the type was wrong for every one of them."""
    names: list[str] = []
    for branch in branches:
        own = [name for error in _here(outer, _expanded(outer, branch)) for name in _missed_types(error)]
        if not own:
            return ()
        names.extend(own)
    return tuple(dict.fromkeys(names))


def wanted_options(outer: ValidationError, branches: Sequence[Branch]) -> tuple[object, ...]:
    """The values that branches list for the place itself."""
    return tuple(
        option
        for branch in branches
        for error in _here(outer, _expanded(outer, branch))
        for option in _options(error.kind)
    )


def wanted_keys(branches: Sequence[Branch]) -> tuple[str, ...]:
    """The keys of which one would do, when nothing else was wrong in any branch."""
    keys: list[str] = []
    for branch in branches:
        match [error.kind for error in branch]:
            case [Kind.Required(property=key)]:
                keys.append(key)
            case _:
                return ()
    return tuple(dict.fromkeys(keys))


def without_echoes(errors: Iterable[ValidationError]) -> Sequence[ValidationError]:
    """The errors less those that only follow from a wrong type of the same place."""
    every = tuple(errors)
    mistyped = {tuple(error.instance_path) for error in every if isinstance(error.kind, Kind.Type)}
    return [
        error
        for error in every
        if isinstance(error.kind, Kind.Type) or tuple(error.instance_path) not in mistyped
    ]


def _expanded(outer: ValidationError, branch: Branch) -> Branch:
    """A branch whose choices for the same place are replaced by the likely one of each."""
    found: list[ValidationError] = []
    for error in without_echoes(branch):
        match error.kind:
            case Kind.AnyOf(context=inner) | Kind.OneOfNotValid(context=inner) if (
                error.instance_path == outer.instance_path
            ):
                found.extend(likely(error, inner))
            case _:
                found.append(error)
    return found


def _here(outer: ValidationError, branch: Branch) -> Iterable[ValidationError]:
    return (error for error in branch if error.instance_path == outer.instance_path)


def _options(kind: Kind) -> Sequence[object]:
    match kind:
        case Kind.Enum(options=options):
            return options
        case Kind.Constant(expected_value=value):
            return (value,)
        case _:
            return ()


def _missed_types(error: ValidationError) -> Sequence[str]:
    """The types that would have been right for a place of the wrong one; none where its type is right."""
    if isinstance(error.kind, Kind.Type):
        return error.kind.types
    instance: Any = error.instance
    types = [_TYPE_NAMES[type(option)] for option in _options(error.kind)]
    return [] if _TYPE_NAMES[type(instance)] in types else types


def _distance(outer: ValidationError, branch: Branch) -> tuple[int, int, int, int]:
    """How far a place is from a branch: its type first, then the values that tell branches apart."""
    depth = len(outer.instance_path)
    wrong_types = wrong_tags = strange_keys = 0
    for error in branch:
        levels_below = len(error.instance_path) - depth
        if levels_below == 0 and _missed_types(error):
            wrong_types += 1
        elif levels_below <= 1 and _options(error.kind):
            wrong_tags += 1
        elif isinstance(error.kind, Kind.AdditionalProperties):
            strange_keys += len(error.kind.unexpected)
        elif isinstance(error.kind, Kind.Required):
            strange_keys += 1
    return wrong_types, wrong_tags, strange_keys, len(branch)

"""What Python sources say of suites, read from their syntax trees; nothing of them is run or imported."""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from generator.domain.finding import Finding, error, warning
from generator.domain.location import Location
from generator.domain.suite import Registration, SuiteRegistry

Constants: TypeAlias = Mapping[str, ast.expr]

_WORTH_READING: Final = re.compile(rb"register_\w+_ci\s*\(|suites\b[^\n]{0,80}=", re.IGNORECASE)
_REGISTERS: Final = re.compile(r"register_(\w+)_ci")
_LISTS: Final = re.compile(r"(?:.*_)?suites", re.IGNORECASE)
_POSITIONS: Final = ("est_time", "suite", "nightly", "disabled")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Module:
    path: str
    tree: ast.Module
    constants: Constants


def read_suites(path: str, sources: Iterable[tuple[str, bytes]]) -> SuiteRegistry:
    """What the sources, as (path, bytes), register and list; what cannot be read becomes a finding."""
    modules, findings = [], list[Finding]()
    for name, data in sources:
        if _WORTH_READING.search(data) is None:
            continue
        module = _parsed(name, data)
        if isinstance(module, Finding):
            findings.append(module)
        else:
            modules.append(module)
    shared = _shared(modules)
    registrations: list[Registration] = []
    known: set[str] = set()
    for module in modules:
        constants = {**shared, **module.constants}
        known |= _listed(module.tree)
        for call, backend in _calls(module.tree):
            found = _registration(call, backend, module.path, constants)
            if isinstance(found, Finding):
                findings.append(found)
            else:
                registrations.append(found)
    return SuiteRegistry(
        path=path, registrations=tuple(registrations), known=frozenset(known), unreadable=tuple(findings)
    )


def _parsed(path: str, data: bytes) -> _Module | Finding:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # theirs to mend, and no fault of the matrix
            tree = ast.parse(data, filename=path)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        line = getattr(problem, "lineno", None) or 0
        reason = getattr(problem, "msg", None) or str(problem) or type(problem).__name__
        return error(
            "suite-unreadable",
            Location(path, line, 1 if line else 0),
            f"this is no Python that can be read: {reason}",
            "The project's own runner would not find the tests in it either.",
        )
    return _Module(path=path, tree=tree, constants=_constants(tree))


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = value
            case _:
                pass
    return found


def _shared(modules: Iterable[_Module]) -> dict[str, ast.expr]:
    """Constants that another file may import: those that only one file gives."""
    found: dict[str, ast.expr] = {}
    twice: set[str] = set()
    for module in modules:
        twice |= found.keys() & module.constants.keys()
        found |= module.constants
    return {name: value for name, value in found.items() if name not in twice}


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Calls that are made when the file is imported: not those inside functions and classes."""
    waiting: list[ast.AST] = list(reversed(tree.body))
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                continue
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                named = _REGISTERS.fullmatch(name)
                if named is not None:
                    yield node, named[1]
            case _:
                pass
        waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _registration(call: ast.Call, backend: str, path: str, constants: Constants) -> Registration | Finding:
    given = dict(zip(_POSITIONS, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    values = {name: _value(node, constants) for name, node in given.items()}
    suite = values.get("suite")
    if "suite" not in given and "stage" in given:
        stage, runner = values["stage"], values.get("runner_config")
        suite = f"{stage}-test-{runner}" if isinstance(stage, str) and isinstance(runner, str) else None
    location = Location(path, call.lineno, call.col_offset + 1)
    if not isinstance(suite, str):
        return warning(
            "suite-unreadable",
            location,
            "the suite of this registration is computed, so it is not known here",
            "Write it as a text, or as a constant of a file that is read.",
        )
    estimate, nightly, disabled = values.get("est_time"), values.get("nightly"), values.get("disabled")
    return Registration(
        suite=suite,
        backend=backend,
        estimate_s=float(estimate) if isinstance(estimate, int | float) else 0.0,
        nightly=nightly is True or values.get("stage") == "nightly",
        disabled=str(disabled) if disabled else "",
        location=location,
    )


def _value(node: ast.expr, constants: Constants, depth: int = 0) -> object:
    """The constant that an expression stands for; None where it is not one."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in constants and depth < 8:
            return _value(constants[name], constants, depth + 1)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Add() as operator, right=right) if depth < 8:
            one, other = _value(left, constants, depth + 1), _value(right, constants, depth + 1)
            if isinstance(one, int | float) and isinstance(other, int | float):
                return one * other if isinstance(operator, ast.Mult) else one + other
            if isinstance(one, str) and isinstance(other, str) and isinstance(operator, ast.Add):
                return one + other
            return None
        case _:
            return None


def _listed(tree: ast.Module) -> set[str]:
    """Names of suites in the module's lists: `…SUITES = {…: [names]}`, `{name: tests}` or `[names]`."""
    found: set[str] = set()
    for name, value in _constants(tree).items():
        if _LISTS.fullmatch(name) is not None:
            found |= _names_in(value)
    return found


def _names_in(node: ast.expr) -> set[str]:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return {
                item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)
            }
        case ast.Dict(keys=keys, values=values):
            found: set[str] = set()
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and not _is_names(value):
                    found.add(key.value)
                else:
                    found |= _names_in(value)
            return found
        case _:
            return set()


def _is_names(node: ast.expr) -> bool:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return all(isinstance(item, ast.Constant) and isinstance(item.value, str) for item in items)
        case _:
            return False

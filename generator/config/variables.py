"""Environment variables of a matrix: who reads each, and which names are not free."""

from generator.config.entry import Entry
from generator.config.names import Problems

_TAKEN_BY = {
    "GITHUB_": "GitHub, which lets nobody change it",
    "RUNNER_": "GitHub's runner",
    "NIGHTGRID_": "nightgrid",
}


def read_variables(root: Entry, problems: Problems) -> dict[str, Entry]:
    """Variables by name; one that somebody else sets, or that differs from another in case alone, is noted.

    To GitHub two keys that differ in case alone are one key twice, and it rejects the whole file.
    """
    found = dict(root.entries("variables"))
    by_likeness: dict[str, str] = {}
    for name in found:
        place = root.entry("variables").key_location(name)
        by = _taken_by(name, root)
        if by:
            problems.add("wrong-value", place, f"the variable `{name}` is set by {by}", "Use another name.")
        first = by_likeness.setdefault(name.upper(), name)
        if first != name:
            message = f"the variables `{first}` and `{name}` differ in case alone, and are one to GitHub"
            problems.add("wrong-value", place, message, "Rename one of them, or take it out.")
    return found


def _taken_by(name: str, root: Entry) -> str:
    upper = name.upper()
    if upper == "CONTINUE_ON_ERROR" or (upper == "PYTHONPATH" and "harness" in root):
        return "nightgrid"
    return next((by for start, by in _TAKEN_BY.items() if upper.startswith(start)), "")

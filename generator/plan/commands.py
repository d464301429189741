"""Command lines of steps: every value quoted for bash, one option a line so that a person can copy them."""

from collections.abc import Iterable, Sequence
from shlex import quote

from generator.domain.site import Entry, GithubContainer, OnHost, Prefix

HARNESS = ("python3", "-m", "generator.harness")


def folded(words: Sequence[str]) -> str:
    """A command line with each option on a line of its own.

    Args:
        words: the words of the command, not yet quoted.
    """
    lines: list[list[str]] = [[]]
    past_options = False
    for word in words:
        starts = word.startswith("--") and (not past_options or word != "--")
        if starts and lines[-1]:
            lines.append([])
        past_options = past_options or word == "--"
        lines[-1].append(quote(word))
    return " \\\n  ".join(" ".join(line) for line in lines)


def entered(entry: Entry, command: str, variables: Iterable[str]) -> str:
    """The command as it is written on the host, to run where the entry leads.

    Args:
        entry: how a command gets into the container.
        command: bash, already quoted.
        variables: names of the environment variables that the command must see.
    """
    match entry:
        case Prefix(command=prefix, variable=option):
            options = " ".join(option.replace("{name}", quote(name)) for name in variables)
            return f"{prefix.replace('{env}', options)} \\\n  {command}"
        case GithubContainer() | OnHost():
            return command


def entered_script(entry: Entry, script: str, variables: Iterable[str]) -> str:
    """The same for a script of several lines."""
    match entry:
        case Prefix():
            return entered(entry, f"bash -eo pipefail -c {quote(script.strip())}", variables)
        case GithubContainer() | OnHost():
            return script


def filled(template: str, values: dict[str, str]) -> str:
    """A command with its placeholders replaced by quoted values."""
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", quote(value))
    return template

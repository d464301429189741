"""Sites of a matrix: what runs around the checks, and how a command enters the container."""

from generator.config.entry import Entry
from generator.config.names import Problems
from generator.domain.site import Entry as ContainerEntry
from generator.domain.site import GithubContainer, OnHost, Prefix, Site, SiteStep, Where

RESERVED_STEPS = frozenset({"begin", "checkout", "harness", "serve", "stop", "upload", "end"})


def read_sites(root: Entry, problems: Problems) -> dict[str, Site]:
    """Sites by key; two steps with one id, or with an id of ours, are noted."""
    found = {}
    for key, entry in root.entries("sites"):
        found[key] = Site(
            key=key,
            entry=_container(entry),
            clean=_steps(entry, "clean"),
            before=_steps(entry, "before"),
            after=_steps(entry, "after"),
        )
        _look_at_ids(entry, problems)
    return found


def _container(entry: Entry) -> ContainerEntry:
    container = entry.entry("container")
    if "prefix" in container:
        return Prefix(command=container.text("prefix"), variable=container.text("variable"))
    if "github" in container:
        github = container.entry("github")
        return GithubContainer(options=github.text("options"), volumes=github.texts("volumes"))
    return OnHost()


def _steps(entry: Entry, part: str) -> tuple[SiteStep, ...]:
    return tuple(
        SiteStep(
            id=step.text("id"),
            name=step.text("name"),
            run=step.text("run"),
            where=Where(step.text("where", "host")),
            timeout_minutes=step.integer("timeout_minutes"),
            option=step.text("option"),
        )
        for step in entry.items(part)
    )


def _look_at_ids(entry: Entry, problems: Problems) -> None:
    seen: set[str] = set()
    for part in ("clean", "before", "after"):
        for step in entry.items(part):
            id_ = step.text("id").lower()
            if id_ in seen or id_ in RESERVED_STEPS:
                whose = "another step of the site" if id_ in seen else "a step that every job has"
                problems.add(
                    "duplicate-step",
                    step.location_of("id"),
                    f"the step id `{step.text('id')}` is taken by {whose}",
                    "Choose another id.",
                )
            seen.add(id_)

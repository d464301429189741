"""What a person reads in the log of a step."""

from generator.harness.night.text import annotation, printable
from generator.harness.world import World


def say(world: World, line: str) -> None:
    """Write one line, whatever the console's encoding can or cannot show."""
    world.say(printable(line, world.out.encoding or "utf-8"))


def annotate(world: World, level: str, title: str, message: str) -> None:
    """Show a message on the run's page; outside GitHub nothing is shown twice."""
    if world.environment.get("GITHUB_ACTIONS", "").casefold() == "true":
        say(world, annotation(level, title, message))

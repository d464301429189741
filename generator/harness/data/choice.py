"""Which questions are asked, and which examples are shown: never those that are scored, unless by name."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from generator.harness.data.problems import DataSet, Problem, read
from generator.harness.data.sources import Places, Split, cache_folder, gsm8k, package_folder
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.world import World

GSM8K_NAME = "gsm8k"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Questions and examples.

    Attributes:
        data: where the questions come from.
        questions: those that are asked.
        shots_data: where the examples come from.
        shots: those that are shown.
        notes: what a reader of the results must know about them.
    """

    data: DataSet
    questions: tuple[Problem, ...]
    shots_data: DataSet
    shots: tuple[Problem, ...]
    notes: tuple[str, ...]


def _places(arguments: argparse.Namespace, world: World) -> Places:
    given = str(world.folder / arguments.data_folder) if arguments.data_folder else ""
    return Places(
        given=given,
        cache=cache_folder(world.environment),
        package=package_folder(),
        say=world.say,
        sleep=world.sleep,
    )


def _own_file(text: str, world: World) -> DataSet:
    return read(world.folder / text, Path(text).name)


def _questions_data(arguments: argparse.Namespace, world: World) -> DataSet:
    if arguments.data == GSM8K_NAME:
        return gsm8k(Split.TEST, _places(arguments, world))
    return _own_file(arguments.data, world)


def _shots_data(arguments: argparse.Namespace, world: World, data: DataSet) -> DataSet:
    source = arguments.shots_from
    if source == Split.TEST.value or not arguments.shots:
        return data
    if source != Split.TRAIN.value:
        return _own_file(source, world)
    if arguments.data == GSM8K_NAME:
        return gsm8k(Split.TRAIN, _places(arguments, world))
    raise HarnessError(
        Outcome.INVALID,
        f"{arguments.data} has no train split to take {arguments.shots} examples from",
        "Give a file of examples: --shots-from FILE; or none: --shots 0",
    )


def _first(problems: tuple[Problem, ...], wanted: int, what: str) -> tuple[Problem, ...]:
    if wanted > len(problems):
        raise HarnessError(
            Outcome.INVALID,
            f"{wanted} {what} asked for, the data has {len(problems)}",
            f"Ask for fewer {what}.",
        )
    return problems[:wanted]


def choose(arguments: argparse.Namespace, world: World) -> Choice:
    """Questions and examples as the options say.

    Raises:
        HarnessError: there are not enough, or a question would be scored that is shown as an example.
    """
    data = _questions_data(arguments, world)
    shots_data = _shots_data(arguments, world, data)
    questions = _first(data.problems, arguments.questions or len(data.problems), "questions")
    shots = _first(shots_data.problems, arguments.shots, "shots")
    asked = {problem.id for problem in questions}
    shown = [shot for shot in shots if shot.id in asked]
    notes: tuple[str, ...] = ()
    if shown and arguments.shots_from != Split.TEST.value:
        raise HarnessError(
            Outcome.INVALID,
            f"question {shown[0].index} of {shots_data.name} is shown as an example and scored",
            "Take examples from other data; --shots-from test scores them on purpose, to compare with "
            "old numbers.",
        )
    if shown:
        notes = (
            f"{len(shown)} of the questions are shown as examples, with their answers (--shots-from test).",
        )
    return Choice(data=data, questions=questions, shots_data=shots_data, shots=shots, notes=notes)

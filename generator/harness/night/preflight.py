"""`preflight`: reads the request, looks up images and models, and decides which jobs run tonight.

It works from environment variables: NIGHT (the night as JSON), EVENT, JOB_SELECT, JOB_FILTER,
CONTINUE_ON_ERROR and REPOSITORY; HF_TOKEN and HF_ENDPOINT for the model hub, NIGHTGRID_REGISTRY for a mirror
of the image registry.
"""

import argparse
import json
from collections.abc import Mapping
from datetime import datetime, timezone

from generator.harness.night import decide, preflight_report
from generator.harness.night.github_files import write_outputs
from generator.harness.night.http import Asker
from generator.harness.night.hub import Hub
from generator.harness.night.images import Found, Missing, Undecided, find_images
from generator.harness.night.night_file import Night, NightJob, read_night
from generator.harness.night.request import Request, check_repository, continues_on_error, read_request
from generator.harness.night.selection import checks_asked_for, select
from generator.harness.night.sources import read_source
from generator.harness.night.tonight import Expected, Tonight, write_tonight
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.world import World


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--night", default="", metavar="FILE", help="read the night from a file, not from the variable NIGHT"
    )


def run(arguments: argparse.Namespace, world: World) -> Outcome:
    """Decide, and hand the decision on; a problem is handed on too, so that the last job can name it."""
    request = read_request(world.environment)
    try:
        night = read_night(read_source(world, "NIGHT", arguments.night))
        decide_night(night, request, world)
    except HarnessError as problem:
        preflight_report.give_up(world, request, problem)
        nothing = Tonight(jobs=(), problem=problem.message)
        write_outputs(world, {**outputs_of(nothing, {}), "checks": "[]", "continue_on_error": "false"})
        raise
    return Outcome.FINE


def decide_night(night: Night, request: Request, world: World) -> None:
    """All decisions of the night, written to the outputs and the summary."""
    check_repository(request, night.repository)
    continues = continues_on_error(request, night)
    selection = select(night.jobs, request)
    today = datetime.fromtimestamp(world.now(), timezone.utc).date()
    wanted = decide.wanted_jobs(night.jobs, selection.ids, today)
    look_ups = look_up(night, wanted, world)
    tonight = Tonight(jobs=decide.night_jobs(night.jobs, selection.ids, look_ups, today))
    silence = decide.nothing_decided(tonight.jobs, look_ups)
    if silence:
        raise HarnessError(
            Outcome.OUTSIDE,
            f"no job can be decided: {silence}",
            "Start the night again when the registry answers, or fix the images in the matrix.",
        )
    outputs = {
        **outputs_of(tonight, look_ups.images),
        "checks": json.dumps(checks_asked_for(night.jobs, request.select)),
        "continue_on_error": "true" if continues else "false",
    }
    write_outputs(world, outputs)
    extras = preflight_report.Extras(look_ups=look_ups, notes=selection.notes)
    preflight_report.decided(world, request, tonight, extras)


def look_up(night: Night, wanted: tuple[NightJob, ...], world: World) -> decide.LookUps:
    """Ask the world outside about what the wanted jobs use, each thing once."""
    asker = Asker(world, night.lookup)
    keys = tuple(dict.fromkeys(job.image for job in wanted if job.image in night.images))
    images = find_images(night.images, keys, asker)
    models = Hub(asker).look_up(model for job in wanted for model in job.models)
    return decide.LookUps(images=images, models=models)


def outputs_of(tonight: Tonight, images: Mapping[str, Found | Missing | Undecided]) -> dict[str, str]:
    """The outputs; with nothing decided they are empty lists, which a condition can still read."""
    references = {key: image.reference for key, image in images.items() if isinstance(image, Found)}
    return {
        "jobs": json.dumps(list(tonight.ids(Expected.RUN)), separators=(",", ":")),
        "images": json.dumps(references, separators=(",", ":")),
        "night": write_tonight(tonight),
    }

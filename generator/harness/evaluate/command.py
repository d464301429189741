"""`accuracy`: ask a server questions with known answers and hold the share of right ones against a gate."""

import argparse
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.harness.data.choice import Choice, choose
from generator.harness.evaluate import assemble, journal, options
from generator.harness.evaluate.asking import Ended, Plan, Surroundings, ask_all
from generator.harness.evaluate.ending import End, Judgement, judge_run
from generator.harness.evaluate.journal import Header, Journal
from generator.harness.evaluate.progress import Progress
from generator.harness.evaluate.samples import Sample, Status
from generator.harness.evaluate.server import Server
from generator.harness.evaluate.tally import Tally, count
from generator.harness.interruption import term_as_interrupt
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.reports.failure import write_failure
from generator.harness.reports.record import Finished, Timing
from generator.harness.reports.write import clear_results, copy_server_log_tail, write_results
from generator.harness.world import World

CHECK = "accuracy"
_CUT_OFF_NOTE_SHARE = 0.02
add_arguments = options.add_arguments


@dataclass(frozen=True, kw_only=True)
class Task:
    """All that a run is given, put together."""

    server: Server
    choice: Choice
    plan: Plan
    folder: Path
    began: float
    started_s: float
    options: Mapping[str, Any]

    @property
    def header(self) -> Header:
        """What only this run may be gone on with."""
        return Header(protocol=self.plan.protocol.as_record(), server=self.server.as_record())


def run(arguments: argparse.Namespace, world: World) -> Outcome:
    """Ask, write the results, say the verdict."""
    folder = world.folder / arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    with journal.lock(folder), term_as_interrupt():
        try:
            return _run(arguments, world, folder)
        except HarnessError as problem:
            clear_results(folder)
            write_failure(folder, CHECK, problem)
            raise
        except KeyboardInterrupt:
            clear_results(folder)
            write_failure(folder, CHECK, HarnessError(Outcome.OUTSIDE, "interrupted", "Go on with --resume."))
            raise


def _run(arguments: argparse.Namespace, world: World, folder: Path) -> Outcome:
    began, started_s = world.monotonic(), world.now()
    server = assemble.find_server(arguments, world)
    choice = choose(arguments, world)
    protocol = assemble.protocol_of(arguments, choice)
    task = Task(
        server=server,
        choice=choice,
        plan=assemble.plan_of(arguments, world, server, choice, protocol),
        folder=folder,
        began=began,
        started_s=started_s,
        options=_options_record(arguments),
    )
    earlier = _take_over(task, world) if arguments.resume else _start_afresh(task, world)
    with journal.open_journal(folder) as kept:
        ended = _ask(task, world, kept, earlier)
    return _conclude(task, world, ended, len(earlier))


def _options_record(arguments: argparse.Namespace) -> dict[str, Any]:
    deadline = arguments.deadline_minutes
    return {
        "concurrency": arguments.concurrency,
        "request_timeout_s": arguments.request_timeout_s,
        "attempts": arguments.attempts,
        "deadline_minutes": None if deadline == float("inf") else deadline,
        "early_stop": arguments.early_stop,
        "allowed_failed_share": arguments.allowed_failed_share,
    }


def _start_afresh(task: Task, world: World) -> dict[int, Sample]:
    if aside := journal.set_aside(task.folder):
        world.say(f"the answers of an earlier run are kept as {aside}")
    clear_results(task.folder)
    journal.begin(task.folder, task.header)
    return {}


def _take_over(task: Task, world: World) -> dict[int, Sample]:
    samples, damaged = journal.read_samples(task.folder)
    if not samples:
        return _start_afresh(task, world)
    journal.check_same_run(task.folder, task.header)
    known = {problem.index: problem.id for problem in task.choice.questions}
    kept = {
        index: sample
        for index, sample in samples.items()
        if sample.status is Status.ANSWERED and known.get(index) == sample.question_id
    }
    journal.rewrite(task.folder, kept)
    clear_results(task.folder)
    half = f", {damaged} half-written line(s) dropped" if damaged else ""
    world.say(f"going on with an earlier run: {len(kept)} of {len(known)} answers are there{half}")
    return kept


def _ask(task: Task, world: World, kept: Journal, earlier: dict[int, Sample]) -> Ended:
    protocol = task.plan.protocol
    world.say(
        f"{protocol.questions} questions of {protocol.data}, {protocol.shots} shots, "
        f"{protocol.path.value} path, {task.plan.concurrency} at a time, "
        f"to {task.server.model} at {task.server.url}"
    )
    progress = Progress(
        out=world.out,
        monotonic=world.monotonic,
        began=world.monotonic(),
        done_before=len(earlier),
        is_terminal=world.out.isatty() and not world.environment.get("CI"),
    )
    around = Surroundings(journal=kept, obituary=task.server.obituary, now=world.now, report=progress)
    used_s = world.monotonic() - task.began
    plan = dataclasses.replace(task.plan, deadline_s=max(0.001, task.plan.deadline_s - used_s))
    try:
        return ask_all(plan, around, task.choice.questions, earlier)
    finally:
        progress.finish()


def _notes(task: Task, tally: Tally, ended: Ended) -> tuple[str, ...]:
    notes = list(task.choice.notes)
    if tally.ran_past_stop:
        notes.append(
            f"The server ran past the stop in {tally.ran_past_stop} of {tally.answered} answers; they were "
            "cut at the first stop and then read. Clients that trust the server's stop score it lower."
        )
    if tally.cut_off_rate > _CUT_OFF_NOTE_SHARE:
        notes.append(
            f"{tally.cut_off} of {tally.answered} answers ran into the limit of "
            f"{task.plan.protocol.max_new_tokens} tokens and are read as far as they go."
        )
    if ended.end is End.EARLY:
        notes.append(f"Ended early, with {tally.pending} questions not asked, as the gate was certain.")
    if tally.failed:
        first = next(sample for sample in ended.samples.values() if sample.status is Status.FAILED)
        notes.append(
            f"{tally.failed} requests failed and count as no answers; one of them: {first.error[:300]}"
        )
    return tuple(notes)


def _conclude(task: Task, world: World, ended: Ended, resumed: int) -> Outcome:
    samples = [sample for _, sample in sorted(ended.samples.items())]
    protocol = task.plan.protocol
    tally = count(samples, protocol.questions)
    judgement = judge_run(tally, task.plan.gates, ended.end, ended.detail)
    finished = Finished(
        check=CHECK,
        tally=tally,
        judgement=judgement,
        samples=samples,
        protocol=protocol.as_record(),
        fingerprint=protocol.fingerprint,
        server={**task.server.as_record(), "url": task.server.url},
        run=task.options,
        timing=Timing(started_s=task.started_s, wall_s=world.monotonic() - task.began, resumed=resumed),
        notes=_notes(task, tally, ended),
    )
    troubles = write_results(task.folder, finished)
    if task.server.folder != Path():
        copy_server_log_tail(task.server.folder, task.folder)
    _say(world, judgement, finished.notes)
    if troubles:
        raise HarnessError(Outcome.OUTSIDE, "; ".join(troubles), "Free space on the disk of --output.")
    return judgement.outcome


def _say(world: World, judgement: Judgement, notes: Sequence[str]) -> None:
    world.say(judgement.summary)
    for note in notes:
        world.say(f"note: {note}")
    if judgement.help:
        world.say(f"help: {judgement.help}")

"""Asking all questions: so many at a time, each answer kept at once, ended in order whatever happens."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from generator.harness.client.http import Connection, Target, encode_post
from generator.harness.client.retry import Answered, Backoff, Failed, ask
from generator.harness.data.problems import Problem
from generator.harness.evaluate.ending import End
from generator.harness.evaluate.gates import Certainty, Gates, certainty
from generator.harness.evaluate.journal import CannotWriteError, Journal
from generator.harness.evaluate.look import look
from generator.harness.evaluate.protocol import Protocol
from generator.harness.evaluate.samples import Sample, Status, failed, judge
from generator.harness.evaluate.tally import Counter, Tally
from generator.harness.evaluate.wire import UnreadableAnswerError, read_answer

_FAILURES_IN_A_ROW = 16
_REFUSALS_IN_A_ROW = 3


class EarlyStop(Enum):
    """Whether a run ends when its gate is decided before its last question."""

    OFF = "off"
    WHEN_CERTAIN = "when certain"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How the questions are asked.

    Attributes:
        target: where.
        path: the path that they are posted to.
        body: the JSON of a question.
        protocol: what the answers are read by.
        gates: what decides early.
        early_stop: whether it may.
        concurrency: requests in flight.
        request_limit_s: seconds for one request.
        deadline_s: seconds for all; infinity for no deadline.
        backoff: how often a request is sent again.
    """

    target: Target
    path: str
    body: Callable[[Problem], bytes]
    protocol: Protocol
    gates: Gates
    early_stop: EarlyStop
    concurrency: int
    request_limit_s: float
    deadline_s: float
    backoff: Backoff


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What a run is connected to.

    Attributes:
        journal: where answers are kept.
        obituary: says why the server is dead; empty while it lives, or when that cannot be told.
        now: seconds since the epoch.
        report: told of the counts after every answer.
    """

    journal: Journal
    obituary: Callable[[], str]
    now: Callable[[], float]
    report: Callable[[Tally], None]


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How it ended, with a detail where there is one, and all samples by index."""

    end: End
    detail: str
    samples: dict[int, Sample]


class _StopError(Exception):
    """No more is to be asked."""

    def __init__(self, end: End, detail: str = "") -> None:
        super().__init__(end.value)
        self.end = end
        self.detail = detail


@dataclass(kw_only=True)
class _Run:
    plan: Plan
    around: Surroundings
    samples: dict[int, Sample]
    counter: Counter
    in_order: list[Sample] = field(default_factory=list)
    failures_in_a_row: int = 0
    looked: bool = False

    async def worker(self, queue: list[Problem], delay_s: float) -> None:
        await asyncio.sleep(delay_s)
        connection = Connection(target=self.plan.target, limit_s=self.plan.request_limit_s)
        try:
            while queue:
                self.take(await self.ask_one(connection, queue.pop()))
        finally:
            connection.close()

    async def ask_one(self, connection: Connection, problem: Problem) -> Sample:
        request = encode_post(self.plan.target, self.plan.path, self.plan.body(problem))
        started_s = self.around.now()
        got = await ask(connection, request, self.plan.backoff, self.on_trouble)
        if isinstance(got, Failed):
            self.refused_at_once(got)
            return failed(problem, self.plan.protocol, got.reason, (started_s, got.attempts))
        return self.read(problem, got, started_s)

    def read(self, problem: Problem, got: Answered, started_s: float) -> Sample:
        try:
            answer = read_answer(got.body)
        except UnreadableAnswerError as trouble:
            return failed(
                problem, self.plan.protocol, f"answer unreadable: {trouble}", (started_s, got.attempts)
            )
        return judge(problem, answer, self.plan.protocol, (started_s, got.latency_s, got.attempts))

    async def on_trouble(self, _reason: str) -> None:
        # A dead process takes a moment to be one; its connections break first.
        for _ in range(3):
            if why := self.around.obituary():
                raise _StopError(End.SERVER_DIED, why)
            await asyncio.sleep(0.05)

    def refused_at_once(self, got: Failed) -> None:
        """A request that the server finds wrong will be wrong 1,319 times."""
        has_answered = self.counter.answered > 0
        if 400 <= got.status < 500 and not has_answered and self.failures_in_a_row + 1 >= _REFUSALS_IN_A_ROW:
            raise _StopError(End.NOT_ANSWERING, f"it refuses every request: {got.reason}")

    def take(self, sample: Sample) -> None:
        try:
            self.around.journal.append(sample)
        except CannotWriteError as trouble:
            raise _StopError(End.CANNOT_WRITE, str(trouble)) from trouble
        self.samples[sample.index] = sample
        self.counter.add(sample)
        self.in_order.append(sample)
        self.around.report(self.counter.tally())
        self.watch_failures(sample)
        self.look_at_first()
        self.stop_when_certain()

    def watch_failures(self, sample: Sample) -> None:
        if sample.status is Status.ANSWERED:
            self.failures_in_a_row = 0
            return
        self.failures_in_a_row += 1
        if self.failures_in_a_row >= max(_FAILURES_IN_A_ROW, min(self.plan.concurrency, 64)):
            if why := self.around.obituary():
                raise _StopError(End.SERVER_DIED, why)
            raise _StopError(
                End.NOT_ANSWERING,
                f"{self.failures_in_a_row} requests in a row failed, the last: {sample.error}",
            )

    def look_at_first(self) -> None:
        if self.looked:
            return
        concerns = look(self.in_order, self.plan.protocol.questions)
        if concerns:
            raise _StopError(concerns[0].end, concerns[0].detail)
        self.looked = self.counter.answered >= 16

    def stop_when_certain(self) -> None:
        if self.plan.early_stop is EarlyStop.OFF:
            return
        tally = self.counter.tally()
        if tally.pending and certainty(tally, self.plan.gates) is not Certainty.OPEN:
            raise _StopError(End.EARLY)


async def _gather(run: _Run, questions: Sequence[Problem], interrupted: "asyncio.Future[End]") -> Ended:
    queue = list(reversed(questions))
    workers = min(run.plan.concurrency, len(queue))
    # A thousand connections in one instant overflow a server's backlog and wait a second for it.
    tasks = [asyncio.ensure_future(run.worker(queue, index * 0.0001)) for index in range(workers)]
    timer = asyncio.ensure_future(_deadline(run.plan.deadline_s))
    work = asyncio.gather(*tasks)
    try:
        await asyncio.wait((work, timer, interrupted), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            end = interrupted.result() if interrupted.done() else timer.result()
            return Ended(end=end, detail="", samples=run.samples)
        work.result()
    except _StopError as stop:
        return Ended(end=stop.end, detail=stop.detail, samples=run.samples)
    finally:
        timer.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, timer, work, return_exceptions=True)
    return Ended(end=End.COMPLETE, detail="", samples=run.samples)


async def _deadline(limit_s: float) -> End:
    if limit_s == float("inf"):
        await asyncio.get_running_loop().create_future()
    await asyncio.sleep(limit_s)
    return End.DEADLINE


async def _with_signals(run: _Run, questions: Sequence[Problem]) -> Ended:
    loop = asyncio.get_running_loop()
    interrupted: asyncio.Future[End] = loop.create_future()

    def interrupt() -> None:
        if not interrupted.done():
            interrupted.set_result(End.INTERRUPTED)

    handled = []
    for number in (signal.SIGINT, signal.SIGTERM):
        # Only the main thread may; a test that runs in another is not interrupted by signals.
        with contextlib.suppress(RuntimeError, ValueError):
            loop.add_signal_handler(number, interrupt)
            handled.append(number)
    try:
        return await _gather(run, questions, interrupted)
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
        if not interrupted.done():
            interrupted.cancel()


def ask_all(
    plan: Plan, around: Surroundings, questions: Sequence[Problem], earlier: dict[int, Sample]
) -> Ended:
    """Ask what is missing; `earlier` holds the answers that are there already."""
    counter = Counter(planned=plan.protocol.questions)
    for sample in earlier.values():
        counter.add(sample)
    run = _Run(plan=plan, around=around, samples=dict(earlier), counter=counter)
    run.in_order.extend(earlier.values())
    missing = [problem for problem in questions if problem.index not in earlier]
    if not missing:
        return Ended(end=End.COMPLETE, detail="", samples=run.samples)
    return asyncio.run(_with_signals(run, missing))

"""From the options of `accuracy` to the parts of a run."""

import argparse

from generator.harness.client.http import ConnectionLostError, Target, resolve
from generator.harness.client.retry import Backoff
from generator.harness.data.choice import Choice
from generator.harness.data.problems import Problem
from generator.harness.evaluate.asking import EarlyStop, Plan
from generator.harness.evaluate.extraction import Extraction
from generator.harness.evaluate.gates import Gates
from generator.harness.evaluate.options import stops_of
from generator.harness.evaluate.protocol import TEMPLATE, AskPath, Protocol
from generator.harness.evaluate.server import Server, by_state, by_url
from generator.harness.evaluate.wire import request_body, request_path
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.serve.engines import EngineName
from generator.harness.world import World

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0


def find_server(arguments: argparse.Namespace, world: World) -> Server:
    """The server of `--server` or `--url`."""
    if arguments.server:
        return by_state(world.folder / arguments.server)
    if not arguments.engine:
        raise HarnessError(Outcome.INVALID, "--url needs --engine", "Which kind of server is it?")
    return by_url(arguments.url, EngineName(arguments.engine), arguments.model)


def protocol_of(arguments: argparse.Namespace, choice: Choice) -> Protocol:
    """The protocol that the options and the data make."""
    return Protocol(
        data=choice.data.name,
        data_sha256=choice.data.sha256,
        questions=len(choice.questions),
        shots=len(choice.shots),
        shots_from=choice.shots_data.name if choice.shots else "",
        shots_sha256=choice.shots_data.sha256 if choice.shots else "",
        path=AskPath(arguments.path),
        template=TEMPLATE,
        stops=stops_of(arguments),
        max_new_tokens=arguments.max_new_tokens,
        temperature=arguments.temperature,
        extraction=Extraction(arguments.extraction),
        chat_template_arguments=arguments.chat_template_arguments,
    )


def gates_of(arguments: argparse.Namespace) -> Gates:
    """The gates that the options name."""
    return Gates(
        accuracy=arguments.gate,
        invalid_rate=arguments.gate_invalid_rate,
        cut_off_rate=arguments.gate_cut_off_rate,
        failed_share=arguments.allowed_failed_share,
    )


def _target(server: Server, arguments: argparse.Namespace, world: World) -> Target:
    headers = ""
    if arguments.api_key_variable:
        key = world.environment.get(arguments.api_key_variable, "")
        if not key or not key.isprintable():
            raise HarnessError(
                Outcome.INVALID,
                f"the variable {arguments.api_key_variable} holds no key",
                "Set it, or leave it out.",
            )
        headers = f"Authorization: Bearer {key}\r\n"
    try:
        return resolve(server.url, headers)
    except ConnectionLostError as problem:
        raise HarnessError(Outcome.OUTSIDE, f"{server.url}: {problem}", "Is the name right?") from None
    except ValueError as problem:
        raise HarnessError(
            Outcome.INVALID, str(problem), "For example --url http://127.0.0.1:30000"
        ) from None


def plan_of(
    arguments: argparse.Namespace, world: World, server: Server, choice: Choice, protocol: Protocol
) -> Plan:
    """How the questions will be asked."""

    def body(problem: Problem) -> bytes:
        return request_body(server.engine, protocol, server.served_model, choice.shots, problem)

    return Plan(
        target=_target(server, arguments, world),
        path=request_path(server.engine, protocol),
        body=body,
        protocol=protocol,
        gates=gates_of(arguments),
        early_stop=EarlyStop.WHEN_CERTAIN if arguments.early_stop else EarlyStop.OFF,
        concurrency=arguments.concurrency,
        request_limit_s=arguments.request_timeout_s,
        deadline_s=arguments.deadline_minutes * 60,
        backoff=Backoff(attempts=arguments.attempts, first_s=_FIRST_WAIT_S, longest_s=_LONGEST_WAIT_S),
    )

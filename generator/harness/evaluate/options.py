"""The options of `accuracy`: one declaration, and what they mean together."""

import argparse
import json

from generator.harness.evaluate.extraction import Extraction
from generator.harness.evaluate.protocol import AskPath
from generator.harness.serve.engines import EngineName

DEFAULT_STOP = "\\n\\nQuestion"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare all options."""
    _add_server(parser)
    _add_protocol(parser)
    _add_gates(parser)
    _add_running(parser)


def _add_server(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("server")
    which = group.add_mutually_exclusive_group(required=True)
    which.add_argument("--server", help="state folder of `serve start`")
    which.add_argument("--url", help="a server that runs already; with --engine")
    group.add_argument("--engine", choices=[name.value for name in EngineName], help="with --url")
    group.add_argument("--model", default="", help="with --url: the name to ask for, if not the first served")
    group.add_argument("--api-key-variable", default="", help="environment variable with a bearer token")


def _add_protocol(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("protocol")
    group.add_argument("--data", default="gsm8k", help="gsm8k, or a JSON-lines file with question and answer")
    group.add_argument("--data-folder", default="", help="folder with GSM8K's test.jsonl and train.jsonl")
    group.add_argument("--questions", type=_count, default=0, help="the first so many; default: all")
    group.add_argument("--shots", type=_count_or_zero, default=5, help="worked examples before the question")
    group.add_argument(
        "--shots-from",
        default="train",
        help="train, test (shows questions that it scores) or a JSON-lines file",
    )
    group.add_argument("--path", choices=[path.value for path in AskPath], default=AskPath.COMPLETION.value)
    group.add_argument(
        "--stop",
        action="append",
        help=f"an answer ends here; \\n is a line end; default {DEFAULT_STOP}, chat none",
    )
    group.add_argument("--max-new-tokens", type=_count, default=512)
    group.add_argument("--temperature", type=_not_negative, default=0.0)
    group.add_argument("--extraction", choices=[rule.value for rule in Extraction], default="flexible")
    group.add_argument("--chat-template-arguments", type=_json_object, default="", help="JSON object")


def _add_gates(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("gates")
    group.add_argument("--gate", type=_share, required=True, help="least accuracy; equal passes")
    group.add_argument("--gate-invalid-rate", type=_share, default=0.05, help="answers without a number")
    group.add_argument(
        "--gate-cut-off-rate", type=_share, default=1.0, help="answers ended by the token limit"
    )
    group.add_argument(
        "--allowed-failed-share", type=_share, default=0.01, help="above it the verdict is `not measured`"
    )


def _add_running(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("running")
    group.add_argument("--output", default="results/accuracy", help="folder for the results")
    group.add_argument("--concurrency", type=_count, default=64, help="requests in flight")
    group.add_argument("--request-timeout-s", type=_positive, default=600.0)
    group.add_argument("--attempts", type=_count, default=5, help="of a request that may pass later")
    group.add_argument(
        "--deadline-minutes", type=_positive, default=float("inf"), help="end in order by then"
    )
    group.add_argument("--resume", action="store_true", help="ask only what is missing in --output")
    group.add_argument("--early-stop", action="store_true", help="end when the gate is certain either way")


def stops_of(arguments: argparse.Namespace) -> tuple[str, ...]:
    r"""The stops, with `\n`, `\t`, `\r` and `\\` read as what they stand for."""
    if arguments.stop is not None:
        return tuple(_unescaped(stop) for stop in arguments.stop if stop)
    # Inside a conversation the model ends its turn by itself, and its reasoning may hold any words.
    return () if arguments.path == AskPath.CHAT.value else (_unescaped(DEFAULT_STOP),)


def _unescaped(text: str) -> str:
    meaning = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
    out, rest = [], iter(text)
    for character in rest:
        if character != "\\":
            out.append(character)
            continue
        following = next(rest, "")
        out.append(meaning.get(following, f"\\{following}"))
    return "".join(out)


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def _count_or_zero(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is not 0 or more")
    return value


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1 (0.92 is 92%)")
    return value


def _positive(text: str) -> float:
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def _not_negative(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not 0 or more")
    return value


def _json_object(text: str) -> str:
    if not text:
        return ""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"{text} is not a JSON object")
    return json.dumps(value, sort_keys=True)

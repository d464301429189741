"""Questions as an engine wants them, and its answers in one form."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.harness.data.problems import Problem
from generator.harness.evaluate.prompts import conversation, raw_prompt
from generator.harness.evaluate.protocol import AskPath, Protocol
from generator.harness.serve.engines import CompletionForm, Engine

_CHAT_PATH = "/v1/chat/completions"
_REASONING_FIELDS = ("reasoning_content", "reasoning")
_EVIDENCE_FIELDS = ("usage", "timings", "meta_info", "metrics", "metadata", "system_fingerprint")


class UnreadableAnswerError(Exception):
    """A status 200 with something else than an answer in it."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a server answered.

    Attributes:
        text: the answer as received.
        reasoning: what it put into a field of its own for thinking.
        finish_reason: `stop`, `length` or what else it says.
        completion_tokens: as the server counts; -1 when it does not say.
        evidence: the server's own counters of this answer, untouched.
    """

    text: str
    reasoning: str
    finish_reason: str
    completion_tokens: int
    evidence: Mapping[str, Any]


def request_path(engine: Engine, protocol: Protocol) -> str:
    """The path that questions are posted to."""
    return _CHAT_PATH if protocol.path is AskPath.CHAT else engine.completion.value


def request_body(
    engine: Engine, protocol: Protocol, model: str, shots: Sequence[Problem], problem: Problem
) -> bytes:
    """The JSON of one question."""
    if protocol.path is AskPath.CHAT:
        body = _chat_body(protocol, model, conversation(shots, problem))
    elif engine.completion is CompletionForm.GENERATE:
        body = {
            "text": raw_prompt(shots, problem),
            "sampling_params": {
                "temperature": protocol.temperature,
                "max_new_tokens": protocol.max_new_tokens,
                "stop": list(protocol.stops),
            },
        }
    else:
        body = {
            "model": model,
            "prompt": raw_prompt(shots, problem),
            "temperature": protocol.temperature,
            "max_tokens": protocol.max_new_tokens,
            "stop": list(protocol.stops),
        }
    return json.dumps(body, ensure_ascii=False).encode("utf-8", errors="replace")


def _chat_body(protocol: Protocol, model: str, messages: list[dict[str, str]]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": model,
        "messages": messages,
        "temperature": protocol.temperature,
        "max_tokens": protocol.max_new_tokens,
    }
    if protocol.stops:
        body["stop"] = list(protocol.stops)
    if protocol.chat_template_arguments:
        body["chat_template_kwargs"] = json.loads(protocol.chat_template_arguments)
    return body


def read_answer(body: bytes) -> Answer:
    """The answer in the JSON of any engine.

    Raises:
        UnreadableAnswerError: it is not JSON, or of another shape.
    """
    try:
        record = json.loads(body)
        return _from_generate(record) if "meta_info" in record else _from_openai(record)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as problem:
        shown = body[:200].decode("utf-8", errors="replace")
        raise UnreadableAnswerError(f"{type(problem).__name__}: {problem} in {shown!r}") from problem


def _text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"text expected, got {value!r}")
    return value


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _evidence(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in _EVIDENCE_FIELDS if record.get(name) is not None}


def _from_generate(record: Mapping[str, Any]) -> Answer:
    meta = record["meta_info"]
    finish = meta.get("finish_reason")
    return Answer(
        text=_text(record["text"]),
        reasoning="",
        finish_reason=str(finish.get("type", "")) if isinstance(finish, dict) else str(finish or ""),
        completion_tokens=_count(meta.get("completion_tokens")),
        evidence=_evidence(record),
    )


def _from_openai(record: Mapping[str, Any]) -> Answer:
    choice = record["choices"][0]
    message = choice.get("message")
    if message is None:
        text, reasoning = _text(choice["text"]), ""
    else:
        text = _text(message.get("content"))
        reasoning = next((_text(message[name]) for name in _REASONING_FIELDS if message.get(name)), "")
    usage = record.get("usage") or {}
    return Answer(
        text=text,
        reasoning=reasoning,
        finish_reason=str(choice.get("finish_reason") or ""),
        completion_tokens=_count(usage.get("completion_tokens")),
        evidence=_evidence(record),
    )

"""Control questions to a server: is it ready, which version is it, what is its model called."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests

from generator.harness.serve.engines import CompletionForm, Engine

_TIMEOUT_S = 10.0
_LOCAL = frozenset({"127.0.0.1", "localhost", "::1", "0.0.0.0"})  # noqa: S104 compared with, not bound to


class NoAnswerError(Exception):
    """A server did not answer, or not with what was asked for; the text says what it did."""


@dataclass(frozen=True, kw_only=True)
class ServerFacts:
    """What a server says of itself; a text is empty where it says nothing."""

    version: str
    served_model: str


def _session(url: str) -> requests.Session:
    session = requests.Session()
    # A proxy of the environment must not stand between the harness and its own machine.
    session.trust_env = urlsplit(url).hostname not in _LOCAL
    return session


def _get(url: str, path: str) -> requests.Response:
    try:
        with _session(url) as session:
            return session.get(f"{url}{path}", timeout=_TIMEOUT_S)
    except requests.RequestException as problem:
        raise NoAnswerError(f"GET {path}: {type(problem).__name__}") from problem


def get_json(url: str, path: str) -> Any:  # noqa: ANN401 a server's JSON may be anything
    """The JSON at a path of the server.

    Raises:
        NoAnswerError: no connection, a status other than 200, or no JSON.
    """
    response = _get(url, path)
    if response.status_code != 200:
        raise NoAnswerError(f"GET {path}: status {response.status_code}")
    try:
        return response.json()
    except ValueError as problem:
        raise NoAnswerError(f"GET {path}: not JSON") from problem


def get_text(url: str, path: str) -> str:
    """The text at a path of the server.

    Raises:
        NoAnswerError: no connection, or a status other than 200.
    """
    response = _get(url, path)
    if response.status_code != 200:
        raise NoAnswerError(f"GET {path}: status {response.status_code}")
    return response.text


def is_healthy(url: str, engine: Engine) -> bool:
    """Whether the server says that it is ready; that alone is no proof that it answers."""
    for path in engine.health_paths:
        try:
            status = _get(url, path).status_code
        except NoAnswerError:
            return False
        if status != 404:
            return status == 200
    return False


def prove_life(url: str, engine: Engine, served_model: str, timeout_s: float) -> None:
    """Have the server make one token: a hang behind a healthy health page is a known state of engines.

    Raises:
        NoAnswerError: it did not, within the time.
    """
    if engine.completion is CompletionForm.GENERATE:
        body: dict[str, Any] = {"text": "1", "sampling_params": {"max_new_tokens": 1, "temperature": 0}}
    else:
        body = {"model": served_model, "prompt": "1", "max_tokens": 1, "temperature": 0}
    try:
        with _session(url) as session:
            response = session.post(f"{url}{engine.completion.value}", json=body, timeout=timeout_s)
    except requests.RequestException as problem:
        raise NoAnswerError(f"POST {engine.completion.value}: {type(problem).__name__}") from problem
    if response.status_code != 200:
        raise NoAnswerError(f"POST {engine.completion.value}: {response.status_code} {response.text[:300]}")


def _version(url: str, engine: Engine) -> str:
    for path in engine.version_paths:
        try:
            answer = get_json(url, path)
        except NoAnswerError:
            continue
        for key in engine.version_keys:
            if isinstance(answer, dict) and answer.get(key):
                return str(answer[key])
    return ""


def _served_model(url: str) -> str:
    try:
        answer = get_json(url, "/v1/models")
        return str(answer["data"][0]["id"])
    except (NoAnswerError, KeyError, IndexError, TypeError):
        return ""


def facts(url: str, engine: Engine) -> ServerFacts:
    """Version and model name, as far as the server tells."""
    return ServerFacts(version=_version(url, engine), served_model=_served_model(url))

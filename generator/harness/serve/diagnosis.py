"""Why a server died: the likely reason, from the end of its log and its exit code."""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """A likely reason.

    Attributes:
        reason: a few words.
        evidence: the line of the log that it stands on; empty when it stands on the exit code.
        help: what a person can do.
    """

    reason: str
    evidence: str
    help: str


@dataclass(frozen=True, kw_only=True)
class _Rule:
    reason: str
    pattern: re.Pattern[str]
    help: str


def _rule(reason: str, pattern: str, help_: str) -> _Rule:
    return _Rule(reason=reason, pattern=re.compile(pattern, re.IGNORECASE), help=help_)


# The order decides where two rules fit: a full disk also makes files "not found", and an engine that has
# run out of memory reports a lot of other trouble after it.
_RULES: tuple[_Rule, ...] = (
    _rule(
        "disk full",
        r"no space left on device|errno 28\b|disk quota exceeded",
        "Free space where the checkpoint, the cache and the temporary files lie (df -h).",
    ),
    _rule(
        "port in use",
        r"address already in use|errno 98\b|couldn't bind|only one usage of each socket address",
        "Another process holds the port: stop it (`serve stop`), or give another --port.",
    ),
    _rule(
        "unknown argument",
        r"unrecognized arguments?|error: invalid argument"
        r"|error: argument .*(invalid choice|expected|not allowed)"
        r"|error while handling argument|no such option|unexpected argument",
        "The server of this version does not know an argument behind `--`: compare with its --help.",
    ),
    _rule(
        "quantization not supported here",
        r"(unknown|unsupported|invalid) quantization|quantization[^\n]{0,80}(not supported|unsupported)"
        r"|(mxfp4|mxfp8|fp4|fp8|nvfp4|int4|awq|gptq)\b[^\n]{0,80}(not supported|unsupported|requires)"
        r"|no kernel image is available|invalid device function|not supported for the current (gpu|platform)",
        "These weights do not run on this GPU: choose another quantization or other hardware in the matrix.",
    ),
    _rule(
        "out of memory",
        r"out of ?memory|hiperroroutofmemory|cudaerrormemoryallocation|erroroutofdevicememory"
        r"|not enough memory|no available memory for the cache|less than desired gpu memory utilization"
        r"|failed to allocate|unable to allocate|insufficient memory|cannot allocate memory|\bbad_alloc\b",
        "Is memory of an earlier job still held (rocm-smi, nvidia-smi)? Otherwise less context, a smaller "
        "memory share or more GPUs.",
    ),
    _rule(
        "program or module missing",
        r"no module named|importerror|command not found|cannot open shared object file",
        "The image lacks something: is it the right one, and the right line of it?",
    ),
    _rule(
        "checkpoint missing",
        r"failed to open gguf|repository not found|repositorynotfounderror|gatedrepoerror"
        r"|is not a (local folder|valid model identifier)|does not appear to have a file named"
        r"|(401|403|404) client error|can't load (the configuration|tokenizer)|failed to load model from"
        r"|safetensors?[^\n]{0,80}(no such file|not found)|no such file or directory[^\n]{0,200}"
        r"(config\.json|\.safetensors|\.gguf)|cannot find (any )?model weights",
        "Is the model's name right, is it in the cache, and may this machine's token read it?",
    ),
)


_ERROR = re.compile(r"\b(\w*Error|\w*Exception|error|fatal|panic)\b", re.IGNORECASE)


def diagnose(lines: Sequence[str], exit_code: int) -> Diagnosis:
    """The likely reason of a death; `exit_code` is negative for a signal, as `subprocess` says it."""
    for rule in _RULES:
        for line in lines:
            if rule.pattern.search(line):
                return Diagnosis(reason=rule.reason, evidence=line.strip()[:300], help=rule.help)
    if exit_code in (-9, 137):
        return Diagnosis(
            reason="killed from outside",
            evidence="",
            help="The kernel kills for want of main memory (dmesg, the container's limit), or a person did.",
        )
    if exit_code in (-4, 132):
        return Diagnosis(
            reason="built for another processor",
            evidence="",
            help="The program used an instruction that this processor lacks: take another build of it.",
        )
    if exit_code in (-11, 139, -6, 134):
        return Diagnosis(reason="crashed", evidence="", help="The last lines of the log say where.")
    last_error = next((line.strip() for line in reversed(lines) if _ERROR.search(line)), "")
    return Diagnosis(reason="unknown", evidence=last_error[:300], help="Read the end of the server's log.")


def ending(exit_code: int) -> str:
    """An exit code in words."""
    return f"by signal {-exit_code}" if exit_code < 0 else f"with exit code {exit_code}"

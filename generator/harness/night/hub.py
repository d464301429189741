"""Whether the models of the night can be reached on the Hugging Face hub.

HF_ENDPOINT, where set, is asked instead of the hub itself; HF_TOKEN is used where set and never shown.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import quote

from generator.harness.night.http import Answer, Asker, Question, Silence, Wanted

HUB = "https://huggingface.co"
AT_ONCE = 8


@dataclass(frozen=True, kw_only=True)
class Reachable:
    """The model can be had; `note` is empty or a warning."""

    note: str = ""


@dataclass(frozen=True, kw_only=True)
class OutOfReach:
    """The hub says that the model cannot be had."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """The hub did not say; the look-up only saves machine time, so the job runs."""

    why: str


class Hub:
    """The hub, asked with the token of this job where it has one."""

    def __init__(self, asker: Asker) -> None:
        environment = asker.world.environment
        self.asker = asker
        self.address = (environment.get("HF_ENDPOINT", "").strip() or HUB).rstrip("/")
        self.token = environment.get("HF_TOKEN", "").strip()

    def look_up(self, models: Iterable[str]) -> dict[str, Reachable | OutOfReach | Unknown]:
        """What the hub says of each model, several at a time."""
        names = tuple(dict.fromkeys(models))
        with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
            return dict(zip(names, pool.map(self.look_up_one, names), strict=True))

    def look_up_one(self, model: str) -> Reachable | OutOfReach | Unknown:
        """What the hub says of one model; a path on the machine's own disk is not asked about."""
        if model.startswith(("/", ".", "~")):
            return Reachable(note=f"{model} is a path on the machine and was not looked up")
        answer = self.get(model, self.token)
        if isinstance(answer, Answer) and answer.status == 401 and self.token:
            return self.without_token(model)
        return self.judge(model, answer)

    def without_token(self, model: str) -> Reachable | OutOfReach | Unknown:
        """The token was refused; an expired one must not block the models that everyone can have."""
        verdict = self.judge(model, self.get(model, ""))
        if isinstance(verdict, Reachable):
            return Reachable(note="the hub refuses HF_TOKEN: it has expired or is wrong")
        return verdict

    def get(self, model: str, token: str) -> Answer | Silence:
        """Ask about a model."""
        return self.asker.ask(
            Question(url=f"{self.address}/api/models/{quote(model)}", headers=signed(token))
        )

    def judge(self, model: str, answer: Answer | Silence) -> Reachable | OutOfReach | Unknown:
        """What an answer about a model means."""
        if isinstance(answer, Silence):
            return Unknown(why=f"the model hub did not answer: {answer.why}")
        if answer.status in {401, 404}:
            return OutOfReach(why=f"{model}: no such model repository, or it is private ({answer.status})")
        if answer.status == 403:
            return OutOfReach(why=f"{model}: no access to the model repository (403)")
        if answer.status >= 300 or not isinstance(answer.body, dict):
            return Unknown(why=f"{model}: the model hub answered {answer.status}, which says nothing")
        if answer.body.get("disabled") is True:
            return OutOfReach(why=f"{model}: the hub has disabled the model repository")
        return self.behind_gate(model) if answer.body.get("gated") else Reachable()

    def behind_gate(self, model: str) -> Reachable | OutOfReach | Unknown:
        """Whether this token opens a model whose licence has to be accepted first."""
        if not self.token:
            return OutOfReach(why=f"{model}: the model is gated, and preflight has no HF_TOKEN that opens it")
        url = f"{self.address}/api/models/{quote(model)}/auth-check"
        answer = self.asker.ask(Question(url=url, wanted=Wanted.STATUS, headers=signed(self.token)))
        if isinstance(answer, Silence):
            return Unknown(why=f"the model hub did not answer: {answer.why}")
        if answer.status in {401, 403}:
            return OutOfReach(why=f"{model}: the model is gated, and HF_TOKEN's account has not been let in")
        if answer.status >= 300:
            return Unknown(
                why=f"{model}: the model is gated, and the hub does not say whether HF_TOKEN opens it"
            )
        return Reachable()


def signed(token: str) -> tuple[tuple[str, str], ...]:
    """The header that holds the token; none for one that is no header, as the error would show it."""
    usable = bool(token) and token.isascii() and token.isprintable()
    return (("Authorization", f"Bearer {token}"),) if usable else ()

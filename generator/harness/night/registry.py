"""The tags of an image repository, from Docker Hub or any other OCI registry.

NIGHTGRID_REGISTRY, where set, is the address that is asked instead of the repository's own registry: a mirror
(`https://mirror.example`), or a test's server. The names of images stay as they are in the matrix.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlencode, urljoin

from generator.harness.night.http import Answer, Asker, Question, Silence, Wanted, host_of
from generator.harness.night.text import one_line

DOCKER_HUB = "https://registry-1.docker.io"
PAGES_LIMIT = 2000
PAGE_TAGS = 1000
TAG = re.compile(r"\w[\w.-]{0,127}", re.ASCII)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
CHALLENGE = re.compile(r'(\w+)="([^"]*)"')
NEXT_PAGE = re.compile(r'<([^>]*)>\s*;[^,]*\brel="?next"?', re.IGNORECASE)
MANIFESTS = (
    "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, "
    "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json"
)


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A definite no."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Repository:
    """Where a repository is asked for: the registry's address, and its name there."""

    address: str
    name: str


def locate(repository: str, override: str) -> Repository:
    """The registry behind a name as in `docker pull`."""
    first, slash, rest = repository.partition("/")
    has_host = bool(slash) and (first == "localhost" or "." in first or ":" in first)
    host, name = (first, rest) if has_host else ("docker.io", repository)
    if host in {"docker.io", "index.docker.io"}:
        address = DOCKER_HUB
        name = name if "/" in name else f"library/{name}"
    else:
        address = f"http://{host}" if host.split(":")[0] == "localhost" else f"https://{host}"
    return Repository(address=(override or address).rstrip("/"), name=name)


class Registry:
    """One repository, and the token that it was opened with."""

    def __init__(self, asker: Asker, repository: Repository) -> None:
        self.asker = asker
        self.repository = repository
        self.token = ""

    def tags(self) -> tuple[str, ...] | Refusal | Silence:
        """All tags, over as many pages as the registry makes of them."""
        start = f"{self.repository.address}/v2/{quote(self.repository.name)}/tags/list"
        page = f"{start}?{urlencode({'n': PAGE_TAGS})}"
        tags: list[str] = []
        seen: set[str] = set()
        while page and page not in seen and len(seen) < PAGES_LIMIT:
            seen.add(page)
            answer = self.ask(Question(url=page))
            if not isinstance(answer, Answer):
                return answer
            found = answer.body.get("tags") if isinstance(answer.body, dict) else ()
            if not isinstance(found, list | None):
                return Silence(why=f"{host_of(page)}: its answer holds no list of tags")
            tags += [tag for tag in found or () if isinstance(tag, str) and TAG.fullmatch(tag)]
            page = next_page(answer, page)
        return tuple(dict.fromkeys(tags))

    def digest(self, tag: str) -> str | Refusal | Silence:
        """The digest that the tag points to now."""
        url = f"{self.repository.address}/v2/{quote(self.repository.name)}/manifests/{quote(tag)}"
        answer = self.ask(Question(url=url, wanted=Wanted.HEADERS, headers=(("Accept", MANIFESTS),)))
        if not isinstance(answer, Answer):
            return answer
        digest = answer.headers.get("docker-content-digest", "")
        if DIGEST.fullmatch(digest):
            return digest
        return Silence(why=f"{host_of(url)}: it names no digest for {tag}")

    def ask(self, question: Question) -> Answer | Refusal | Silence:
        """A good answer, after a token where one is asked for."""
        answer = self.asker.ask(self.signed(question))
        if isinstance(answer, Answer) and answer.status == 401:
            problem = self.fetch_token(answer)
            if problem:
                return problem[0]
            answer = self.asker.ask(self.signed(question))
        if not isinstance(answer, Answer) or answer.status < 300:
            return answer
        where = f"{host_of(question.url)} answered {answer.status} for {self.repository.name}"
        if answer.status in {401, 403}:
            return Refusal(why=f"{where}: no such repository, or no access to it without a login")
        if answer.status == 404:
            return Refusal(why=f"{where}: no such repository or tag")
        return Refusal(why=where)

    def signed(self, question: Question) -> Question:
        """The question with the token, when there is one."""
        if not self.token:
            return question
        sign = ("Authorization", f"Bearer {self.token}")
        return Question(url=question.url, wanted=question.wanted, headers=(*question.headers, sign))

    def fetch_token(self, challenge: Answer) -> tuple[Refusal | Silence, ...]:
        """Get an anonymous token from where the registry sends us; what went wrong, or nothing."""
        header = challenge.headers.get("www-authenticate", "")
        parts = {name.lower(): value for name, value in CHALLENGE.findall(header)}
        realm = parts.get("realm", "")
        if not header.lower().startswith("bearer") or not realm:
            return (
                Refusal(why=f"{host_of(self.repository.address)} wants a login for {self.repository.name}"),
            )
        query = {"scope": parts.get("scope") or f"repository:{self.repository.name}:pull"}
        if "service" in parts:
            query["service"] = parts["service"]
        answer = self.asker.ask(Question(url=f"{realm}{'&' if '?' in realm else '?'}{urlencode(query)}"))
        if isinstance(answer, Silence):
            return (answer,)
        token = token_of(answer.body)
        if answer.status >= 300 or not token:
            where = f"{host_of(realm)} answered {answer.status} and gave no token for {self.repository.name}"
            return (Refusal(why=one_line(where)),)
        self.token = token
        return ()


def token_of(body: object) -> str:
    """The token in an answer, under either of its two names."""
    if not isinstance(body, dict):
        return ""
    token = body.get("token") or body.get("access_token")
    return token if isinstance(token, str) and token.isascii() and token.isprintable() else ""


def next_page(answer: Answer, page: str) -> str:
    """The address of the next page, on the same host; empty on the last one."""
    link = NEXT_PAGE.search(answer.headers.get("link", ""))
    address = urljoin(page, link[1]) if link else ""
    return address if host_of(address) == host_of(page) else ""

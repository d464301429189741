"""Where GSM8K comes from: a given folder, the cache, the package or a download, and always by checksum."""

import gzip
import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib import resources
from pathlib import Path

import requests

from generator.harness.data.problems import DataSet, parse
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.serve.state import write_bytes_atomically

_DOWNLOAD_TIMEOUT_S = 30.0
_ATTEMPTS = 4
_PASSING_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})


class Split(str, Enum):
    """The two files of GSM8K."""

    TEST = "test"
    TRAIN = "train"


@dataclass(frozen=True, kw_only=True)
class Published:
    """A file as it was published."""

    sha256: str
    url: str


_REPOSITORY = "https://raw.githubusercontent.com/openai/grade-school-math/master/grade_school_math/data"

GSM8K: dict[Split, Published] = {
    Split.TEST: Published(
        sha256="3730d312f6e3440559ace48831e51066acaca737f6eabec99bccb9e4b3c39d14",
        url=f"{_REPOSITORY}/test.jsonl",
    ),
    Split.TRAIN: Published(
        sha256="17f347dc51477c50d4efb83959dbb7c56297aba886e5544ee2aaed3024813465",
        url=f"{_REPOSITORY}/train.jsonl",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where to look.

    Attributes:
        given: a folder that the caller names; the empty path for none. Nothing else is looked at then.
        cache: a folder that downloads are kept in.
        package: the folder of the packed files.
        say: where a person reads.
        sleep: waits for so many seconds.
        published: what each file must be.
    """

    given: str
    cache: Path
    package: Path
    say: Callable[[str], None]
    sleep: Callable[[float], None] = time.sleep
    published: Mapping[Split, Published] = field(default_factory=lambda: GSM8K)


def package_folder() -> Path:
    """Where the packed files lie in this package."""
    return Path(str(resources.files("generator.harness.data")))


def cache_folder(environment: Mapping[str, str]) -> Path:
    """The folder for downloads: `$NIGHTGRID_CACHE`, or as the XDG specification says."""
    if own := environment.get("NIGHTGRID_CACHE"):
        return Path(own)
    base = environment.get("XDG_CACHE_HOME") or str(Path(environment.get("HOME", "/tmp")) / ".cache")  # noqa: S108
    return Path(base) / "nightgrid"


def _matches(data: bytes, published: Published) -> bool:
    return hashlib.sha256(data).hexdigest() == published.sha256


def _from_given(split: Split, places: Places) -> bytes:
    path = Path(places.given) / f"{split.value}.jsonl"
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise HarnessError(
            Outcome.INVALID,
            f"{path} cannot be read: {problem.strerror}",
            "--data-folder must hold both splits.",
        ) from None
    if not _matches(data, places.published[split]):
        raise HarnessError(
            Outcome.INVALID,
            f"{path} is not GSM8K as published: its SHA-256 is {hashlib.sha256(data).hexdigest()}",
            "For data of your own give its path as --data; results then carry its name.",
        )
    return data


def _from_cache(split: Split, places: Places) -> bytes:
    path = places.cache / f"gsm8k-{split.value}.jsonl"
    try:
        data = path.read_bytes()
    except OSError:
        return b""
    if _matches(data, places.published[split]):
        return data
    places.say(f"{path} is damaged and is fetched again")
    return b""


def _from_package(split: Split, places: Places) -> bytes:
    path = places.package / f"gsm8k-{split.value}.jsonl.gz"
    try:
        data = gzip.decompress(path.read_bytes())
    except (OSError, EOFError):
        return b""
    return data if _matches(data, places.published[split]) else b""


def _download_once(url: str) -> tuple[bytes, str]:
    """The bytes and what went wrong, one of them empty; what cannot pass raises."""
    try:
        response = requests.get(url, timeout=_DOWNLOAD_TIMEOUT_S)
    except requests.RequestException as problem:
        return b"", type(problem).__name__
    if response.status_code == 200:
        return response.content, ""
    if response.status_code in _PASSING_STATUS:
        return b"", f"status {response.status_code}"
    raise HarnessError(
        Outcome.OUTSIDE,
        f"{url}: status {response.status_code}",
        "Give the files by hand: --data-folder FOLDER",
    )


def _from_download(split: Split, places: Places) -> bytes:
    published = places.published[split]
    trouble = ""
    for attempt in range(_ATTEMPTS):
        if attempt:
            places.say(f"{published.url}: {trouble}; trying again")
            places.sleep(2.0**attempt)
        data, trouble = _download_once(published.url)
        if data and _matches(data, published):
            _keep(data, places.cache / f"gsm8k-{split.value}.jsonl", places)
            return data
        if data:
            trouble = f"other bytes than published (SHA-256 {hashlib.sha256(data).hexdigest()})"
    raise HarnessError(
        Outcome.OUTSIDE,
        f"{published.url} could not be fetched in {_ATTEMPTS} attempts: {trouble}",
        "Give the files by hand: --data-folder FOLDER",
    )


def _keep(data: bytes, path: Path, places: Places) -> None:
    try:
        write_bytes_atomically(path, data)
    except OSError as problem:
        places.say(f"{path} could not be kept: {problem.strerror}")


def gsm8k(split: Split, places: Places) -> DataSet:
    """A split of GSM8K, exactly as published.

    Raises:
        HarnessError: it cannot be had, or the given file is another.
    """
    if places.given:
        data = _from_given(split, places)
    else:
        data = _from_package(split, places) or _from_cache(split, places) or _from_download(split, places)
    return parse(data, f"gsm8k/{split.value}", f"gsm8k/{split.value}")

"""What git knows of a repository: its root, a file at an earlier commit, where a branch began.

Nothing here changes the repository, asks a person or reaches the network.
"""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from generator.outside.problem import OutsideError

_TIMEOUT_S = 30
# Without the rest: in a hook git sets GIT_DIR and GIT_INDEX_FILE, and they would point elsewhere.
_KEPT = ("PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "XDG_CONFIG_HOME")
_KEPT_PREFIX = "GIT_CONFIG_"  # how a CI runner says that it trusts a folder
_SET = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
_MAIN_BRANCHES = ("origin/main", "origin/master", "main", "master")


class GitReason(Enum):
    """Why git has no answer."""

    NOT_INSTALLED = "not installed"
    NO_REPOSITORY = "no repository"
    NOT_TRUSTED = "not trusted"
    UNKNOWN_REF = "unknown ref"
    NO_SUCH_FILE = "no such file"
    SHALLOW = "shallow"
    UNRELATED = "unrelated"
    FAILED = "failed"


class GitError(OutsideError):
    """Git has no answer, and why; a caller that can do without one looks at the reason."""

    def __init__(self, reason: GitReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A folder in a repository, and the environment that git is started from."""

    folder: Path
    environment: Mapping[str, str]


def repository_root(repository: Repository) -> Path:
    """The top folder of the work tree that the folder is in.

    Raises:
        GitError: see `GitReason`.
    """
    return Path(_said(_git(repository, "rev-parse", "--show-toplevel"), repository))


def commit_of(repository: Repository, ref: str) -> str:
    """The full hash of the commit that a branch, a tag or a hash stands for.

    Raises:
        GitError: see `GitReason`.
    """
    repository_root(repository)
    asked = _look_up(repository, ref)
    if asked.returncode:
        hint = "; this clone is shallow: check out with `fetch-depth: 0`" if _is_shallow(repository) else ""
        raise GitError(GitReason.UNKNOWN_REF, f"git knows no commit {ref!r}{hint or '; fetch it first'}")
    return asked.stdout.decode().strip()


def file_at(repository: Repository, ref: str, path: str) -> bytes:
    """The bytes of a file as a commit holds them.

    Args:
        repository: any folder of it.
        ref: a branch, a tag or a hash.
        path: from the root of the repository, with forward slashes.

    Raises:
        GitError: see `GitReason`.
    """
    commit = commit_of(repository, ref)
    if "\n" in path:
        raise GitError(GitReason.NO_SUCH_FILE, f"no file {path!r} at {ref}")
    asked = _git(
        repository, "cat-file", "--batch", given=f"{commit}:{path}\n".encode("utf-8", "surrogateescape")
    )
    head, _, rest = asked.stdout.partition(b"\n")
    words = head.split()
    if asked.returncode or len(words) != 3 or words[1] != b"blob":
        raise GitError(GitReason.NO_SUCH_FILE, f"there is no file {path!r} at {ref} ({commit[:12]})")
    return rest[: int(words[2])]


def merge_base(repository: Repository, ref: str, main: str) -> str:
    """The full hash of the commit at which a branch left another.

    Raises:
        GitError: see `GitReason`.
    """
    commits = [commit_of(repository, name) for name in (ref, main)]
    asked = _git(repository, "merge-base", *commits)
    if asked.returncode == 0:
        return asked.stdout.decode().split()[0]
    if _is_shallow(repository):
        raise GitError(
            GitReason.SHALLOW,
            f"this clone is too shallow to know where {ref} left {main}; check out with `fetch-depth: 0`",
        )
    raise GitError(GitReason.UNRELATED, f"{ref} and {main} have no commit in common")


def main_branch(repository: Repository) -> str:
    """The branch that others start from: what the remote says, else `main` or `master`.

    Raises:
        GitError: see `GitReason`.
    """
    repository_root(repository)
    asked = _git(repository, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    said = [asked.stdout.decode().strip()] if asked.returncode == 0 else []
    for name in (*said, *_MAIN_BRANCHES):
        if _look_up(repository, name).returncode == 0:
            return name
    raise GitError(
        GitReason.UNKNOWN_REF, f"git knows none of {', '.join(_MAIN_BRANCHES)}; fetch one, or name the branch"
    )


def _look_up(repository: Repository, ref: str) -> subprocess.CompletedProcess[bytes]:
    return _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")


def _is_shallow(repository: Repository) -> bool:
    return _git(repository, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


def _git(repository: Repository, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    kept = {
        name: value
        for name, value in repository.environment.items()
        if name in _KEPT or name.startswith(_KEPT_PREFIX)
    }
    try:
        return subprocess.run(
            ["git", "-C", str(repository.folder), *arguments],  # noqa: S607 - the one on the caller's PATH
            input=given,
            capture_output=True,
            check=False,
            env={**kept, **_SET},
            timeout=_TIMEOUT_S,
        )
    except FileNotFoundError as problem:
        raise GitError(GitReason.NOT_INSTALLED, "git is not installed, or not on PATH") from problem
    except subprocess.TimeoutExpired as problem:
        raise GitError(GitReason.FAILED, f"git {arguments[0]} did not answer in {_TIMEOUT_S} s") from problem
    except (OSError, ValueError) as problem:
        raise GitError(GitReason.FAILED, f"git {arguments[0]}: {problem}") from problem


def _said(asked: subprocess.CompletedProcess[bytes], repository: Repository) -> str:
    if asked.returncode == 0:
        return asked.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")
    errors = asked.stderr.decode("utf-8", "replace").strip()
    folder = repository.folder
    if "dubious ownership" in errors:
        advice = f"git config --global --add safe.directory {folder.absolute()}"
        raise GitError(
            GitReason.NOT_TRUSTED, f"git does not trust {folder}, which somebody else owns: {advice}"
        )
    if "not a git repository" in errors or "must be run in a work tree" in errors:
        raise GitError(GitReason.NO_REPOSITORY, f"{folder} is in no work tree of a git repository")
    raise GitError(GitReason.FAILED, f"git in {folder}: {errors or 'no answer'}")

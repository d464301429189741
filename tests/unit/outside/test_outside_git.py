import os
import subprocess
from pathlib import Path
from time import monotonic

import pytest

from generator.outside.git import (
    GitError,
    GitReason,
    Repository,
    commit_of,
    file_at,
    main_branch,
    merge_base,
    repository_root,
)
from generator.outside.problem import OutsideError

ODD = "folder/caf\u00e9 a:b*.yaml"


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, path: str, data: bytes) -> str:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(data)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", path)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository: two commits on `main`, then one more there and one on `swap`."""
    made = tmp_path / "repository"
    made.mkdir()
    git(made, "init", "-q")
    commit(made, "matrix.yaml", b"one\r\n")
    commit(made, ODD, b"\x00\xff\n")
    git(made, "branch", "swap")
    commit(made, "matrix.yaml", b"two\n")
    git(made, "checkout", "-q", "swap")
    commit(made, "matrix.yaml", b"three\n")
    return made


def of(folder: Path, **environment: str) -> Repository:
    return Repository(folder=folder, environment={**os.environ, **environment})


def reason(error: pytest.ExceptionInfo[GitError]) -> GitReason:
    assert isinstance(error.value, OutsideError)
    assert str(error.value)
    return error.value.reason


def test_the_root_is_found_from_any_folder_of_it(folder: Path) -> None:
    assert repository_root(of(folder / "folder")).samefile(folder)


def test_a_file_comes_as_the_bytes_of_a_commit(folder: Path) -> None:
    (folder / "matrix.yaml").write_bytes(b"not committed\n")
    assert file_at(of(folder), "HEAD", "matrix.yaml") == b"three\n"
    assert file_at(of(folder / "folder"), "main", "matrix.yaml") == b"two\n"
    assert file_at(of(folder), "main~1", "matrix.yaml") == b"one\r\n"
    assert file_at(of(folder), git(folder, "rev-parse", "main"), ODD) == b"\x00\xff\n"


@pytest.mark.parametrize("path", ["missing.yaml", "folder", "matrix.yaml\nx", "", "../matrix.yaml"])
def test_a_path_that_is_no_file_there_says_so(folder: Path, path: str) -> None:
    with pytest.raises(GitError) as error:
        file_at(of(folder), "main", path)
    assert reason(error) is GitReason.NO_SUCH_FILE


@pytest.mark.parametrize("ref", ["missing", "", "--help", "main:matrix.yaml", "main\nswap", "0" * 40])
def test_a_ref_that_is_no_commit_says_so(folder: Path, ref: str) -> None:
    for asked in (commit_of, lambda repository, name: file_at(repository, name, "matrix.yaml")):
        with pytest.raises(GitError, match=r"git knows no commit .*; fetch it first") as error:
            asked(of(folder), ref)
        assert reason(error) is GitReason.UNKNOWN_REF


def test_a_branch_began_where_it_left_the_other(folder: Path) -> None:
    assert merge_base(of(folder), "swap", "main") == git(folder, "rev-parse", "main~1")
    assert merge_base(of(folder), "main", "main") == git(folder, "rev-parse", "main")


def test_branches_without_a_common_commit_say_so(folder: Path) -> None:
    git(folder, "checkout", "-q", "--orphan", "alone")
    git(folder, "commit", "-qm", "alone")
    with pytest.raises(GitError, match="swap and alone have no commit in common") as error:
        merge_base(of(folder), "swap", "alone")
    assert reason(error) is GitReason.UNRELATED


def test_a_shallow_clone_says_how_to_get_the_rest(folder: Path, tmp_path: Path) -> None:
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", f"file://{folder}", str(shallow))
    with pytest.raises(GitError, match=r"too shallow .* `fetch-depth: 0`") as error:
        merge_base(of(shallow), "HEAD", "origin/main")
    assert reason(error) is GitReason.SHALLOW
    with pytest.raises(GitError, match=r"this clone is shallow: .* `fetch-depth: 0`") as error:
        commit_of(of(shallow), "HEAD~1")
    assert reason(error) is GitReason.UNKNOWN_REF
    assert file_at(of(shallow), "origin/main", "matrix.yaml") == b"two\n"


def test_the_main_branch_is_what_the_remote_says(folder: Path, tmp_path: Path) -> None:
    assert main_branch(of(folder)) == "main"
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", f"file://{folder}", str(clone))
    assert main_branch(of(clone)) == "origin/swap"
    git(clone, "remote", "set-head", "origin", "--delete")
    assert main_branch(of(clone)) == "origin/main"


def test_without_a_main_branch_it_has_to_be_named(folder: Path) -> None:
    git(folder, "branch", "-qm", "main", "trunk")
    with pytest.raises(GitError, match=r"git knows none of origin/main, .* name the branch") as error:
        main_branch(of(folder))
    assert reason(error) is GitReason.UNKNOWN_REF


def test_a_folder_without_git_says_so(tmp_path: Path) -> None:
    fence = str(tmp_path.parent)
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(GitError) as error:
            repository_root(of(folder, GIT_CEILING_DIRECTORIES=fence))
        assert reason(error) in {GitReason.NO_REPOSITORY, GitReason.FAILED}
    with pytest.raises(GitError, match="is in no work tree of a git repository") as error:
        commit_of(of(tmp_path), "HEAD")
    assert reason(error) is GitReason.NO_REPOSITORY


def test_a_repository_without_a_commit_knows_no_ref(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(GitError) as error:
        commit_of(of(tmp_path), "HEAD")
    assert reason(error) is GitReason.UNKNOWN_REF


def test_a_missing_git_says_so(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(GitError, match="git is not installed, or not on PATH") as error:
        repository_root(of(folder, PATH=str(tmp_path)))
    assert reason(error) is GitReason.NOT_INSTALLED


def test_a_hook_that_points_git_elsewhere_is_not_listened_to(folder: Path, tmp_path: Path) -> None:
    other = {"GIT_DIR": str(tmp_path), "GIT_INDEX_FILE": "/dev/null", "GIT_WORK_TREE": str(tmp_path)}
    assert file_at(of(folder, **other), "main", "matrix.yaml") == b"two\n"


def fake_git(folder: Path, script: str) -> str:
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    (folder / "git").chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_a_repository_of_somebody_else_says_how_to_trust_it(folder: Path, tmp_path: Path) -> None:
    path = fake_git(tmp_path / "bin", 'echo "fatal: detected dubious ownership in repository" >&2; exit 128')
    with pytest.raises(GitError, match=r"git config --global --add safe\.directory /.*repository") as error:
        commit_of(of(folder, PATH=path), "main")
    assert reason(error) is GitReason.NOT_TRUSTED


def test_git_sees_what_it_needs_and_nothing_that_leads_it_astray(folder: Path, tmp_path: Path) -> None:
    path = fake_git(tmp_path / "bin", f"env > '{tmp_path}/seen'; echo {folder}")
    trust = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    astray = {"GIT_DIR": "/", "GIT_EXTERNAL_DIFF": "x", "TOKEN": "x", "LC_ALL": "de_DE.UTF-8"}
    repository_root(Repository(folder=folder, environment={"PATH": path, "HOME": "/h", **trust, **astray}))
    lines = (tmp_path / "seen").read_text("utf-8").splitlines()
    seen = dict(
        line.split("=", 1) for line in lines if not line.startswith(("PWD=", "_=", "SHLVL=", "OLDPWD="))
    )
    assert seen == {
        "PATH": path,
        "HOME": "/h",
        **trust,
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
    }


def test_a_git_that_hangs_is_given_up(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.outside.git._TIMEOUT_S", 0.2)
    path = fake_git(tmp_path / "bin", "exec sleep 60")
    start_s = monotonic()
    with pytest.raises(GitError, match=r"git rev-parse did not answer in 0\.2 s") as error:
        repository_root(of(folder, PATH=path))
    assert monotonic() - start_s < 15
    assert reason(error) is GitReason.FAILED


def test_a_large_file_comes_whole(folder: Path) -> None:
    data = bytes(range(256)) * 40_000
    commit(folder, "large", data)
    assert file_at(of(folder), "HEAD", "large") == data

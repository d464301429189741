import errno
from pathlib import Path

import pytest

from generator.outside.problem import OutsideError
from generator.outside.workspace import read_lock, read_workflows

FOLDER = ".github/workflows"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "repository" / FOLDER
    made.mkdir(parents=True)
    return made


@pytest.fixture
def root(folder: Path) -> Path:
    return folder.parents[1]


def test_workflows_are_read_as_bytes_in_the_order_of_their_names(root: Path, folder: Path) -> None:
    for name in ("b.yml", "a.yaml", "c.txt", ".d.yml.1.nightgrid-draft"):
        (folder / name).write_bytes(name.encode() + b"\r\n\xff")
    (folder / "folder.yml").mkdir()
    assert list(read_workflows(root).items()) == [
        (f"{FOLDER}/a.yaml", b"a.yaml\r\n\xff"),
        (f"{FOLDER}/b.yml", b"b.yml\r\n\xff"),
    ]


def test_a_repository_without_workflows_has_none(tmp_path: Path) -> None:
    assert read_workflows(tmp_path) == {}
    assert read_workflows(tmp_path / "missing") == {}
    (tmp_path / ".github").write_text("", "utf-8")
    assert read_workflows(tmp_path) == {}
    assert read_lock(tmp_path) == b""


def test_a_file_that_goes_away_while_others_are_read_takes_none_with_it(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.yml", "b.yml"):
        (folder / name).write_bytes(b"x")
    read = Path.read_bytes

    def and_b_goes_away(self: Path) -> bytes:
        (folder / "b.yml").unlink(missing_ok=True)
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", and_b_goes_away)
    assert read_workflows(root) == {f"{FOLDER}/a.yml": b"x"}


def test_a_link_inside_is_read_and_a_dangling_one_is_no_file(root: Path, folder: Path) -> None:
    (root / "a.yml").write_bytes(b"x")
    (folder / "a.yml").symlink_to("../../a.yml")
    (folder / "b.yml").symlink_to("missing.yml")
    assert read_workflows(root) == {f"{FOLDER}/a.yml": b"x"}


def test_a_link_out_of_the_repository_is_not_followed(root: Path, folder: Path) -> None:
    (root.parent / "secret.yml").write_bytes(b"x")
    (folder / "a.yml").symlink_to(root.parent / "secret.yml")
    with pytest.raises(OutsideError, match=r"a\.yml leads to .*secret\.yml, out of "):
        read_workflows(root)


def test_what_cannot_be_read_is_an_error_and_not_an_empty_folder(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.yml").write_bytes(b"x")
    (folder / "actions.lock").write_bytes(b"lock")
    assert read_lock(root) == b"lock"

    def denied(_: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(OutsideError, match=r"a\.yml: permission denied; give yourself the right"):
        read_workflows(root)
    with pytest.raises(OutsideError, match=r"actions\.lock: permission denied"):
        read_lock(root)
    monkeypatch.setattr(Path, "iterdir", denied)
    with pytest.raises(OutsideError, match="workflows: permission denied"):
        read_workflows(root)

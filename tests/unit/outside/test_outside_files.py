import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.outside.files import Change, write_all
from generator.outside.problem import OutsideError

FOLDER = ".github/workflows"


def write(path: str, new: bytes = b"new\n") -> Change:
    return Change(verb="write", path=path, old=b"", new=new)


def change(path: str, old: bytes = b"old\n", new: bytes = b"new\n") -> Change:
    return Change(verb="change", path=path, old=old, new=new)


def remove(path: str, old: bytes = b"old\n") -> Change:
    return Change(verb="remove", path=path, old=old, new=b"")


def files(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    for name in ("a.yml", "b.yml"):
        (folder / name).write_bytes(b"old\n")
    return folder


def refused(root: Path, *changes: Change) -> str:
    with pytest.raises(OutsideError) as caught:
        write_all(root, changes)
    return str(caught.value)


def test_files_are_written_changed_and_removed(root: Path) -> None:
    write_all(root, [remove("b.yml"), write(f"{FOLDER}/c.yml"), change("a.yml", new=b"a\r\n")])
    assert files(root) == {f"{FOLDER}/c.yml": b"new\n", "a.yml": b"a\r\n"}


def test_nothing_to_do_touches_nothing(tmp_path: Path) -> None:
    write_all(tmp_path / "missing", [])
    assert not (tmp_path / "missing").exists()


def test_a_root_that_is_not_there_is_made(tmp_path: Path) -> None:
    write_all(tmp_path / "x/y", [write("a.yml")])
    assert files(tmp_path) == {"x/y/a.yml": b"new\n"}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (change("a.yml", old=b"other\n"), "a.yml was changed since it was read"),
        (remove("a.yml", old=b"other\n"), "a.yml was changed since it was read"),
        (write("a.yml"), "a.yml was made by somebody else meanwhile"),
        (change("c.yml"), "c.yml was removed since it was read"),
    ],
)
def test_a_file_that_is_not_what_was_read_stops_everything(root: Path, changed: Change, said: str) -> None:
    before = files(root)
    message = refused(root, change("b.yml"), changed)
    assert said in message
    assert "run the command again" in message
    assert files(root) == before


def test_what_is_there_already_is_no_conflict(root: Path) -> None:
    write_all(root, [write("a.yml", new=b"old\n"), remove("c.yml")])
    assert files(root) == {"a.yml": b"old\n", "b.yml": b"old\n"}


def test_permission_bits_are_kept_and_new_files_get_the_usual_ones(root: Path) -> None:
    (root / "a.yml").chmod(0o750)
    before = os.umask(0o027)
    try:
        write_all(root, [change("a.yml"), write("c.yml")])
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((root / name).stat().st_mode) for name in ("a.yml", "c.yml")]
    assert modes == [0o750, 0o640]


def test_a_failure_in_the_middle_says_what_was_done(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Path.replace

    def full_at_b(self: Path, target: Path) -> Path:
        if target.name == "b.yml":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full_at_b)
    (root / "d.yml").write_bytes(b"old\n")
    assert refused(root, remove("d.yml"), change("a.yml"), change("b.yml"), write("c.yml")) == (
        "b.yml: no space left on device; make room and run it again\n"
        "Changed before that: a.yml. Not changed: b.yml, c.yml, d.yml."
    )
    assert files(root) == {"a.yml": b"new\n", "b.yml": b"old\n", "d.yml": b"old\n"}


def test_a_file_that_changes_while_others_are_written_is_left_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def and_somebody_edits_b(self: Path, target: Path) -> Path:
        (root / "b.yml").write_bytes(b"edited\n")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", and_somebody_edits_b)
    assert "b.yml was changed since it was read" in refused(root, change("a.yml"), change("b.yml"))
    assert files(root) == {"a.yml": b"new\n", "b.yml": b"edited\n"}


def in_another_process(code: str, *arguments: str) -> "subprocess.Popen[str]":
    text = f"import sys, time\nfrom pathlib import Path\nroot = Path(sys.argv[1])\n{code}"
    return subprocess.Popen(
        [sys.executable, "-c", text, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_a_disk_that_fills_up_leaves_every_file_as_it_was(root: Path) -> None:
    before = files(root)
    process = in_another_process(
        "import resource\n"
        "from generator.outside.files import Change, write_all\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "small = Change(verb='change', path='a.yml', old=b'old\\n', new=b'new\\n')\n"
        "large = Change(verb='change', path='b.yml', old=b'old\\n', new=b'x' * 200_000)\n"
        "write_all(root, [small, large])\n",
        str(root),
    )
    _, errors = process.communicate(timeout=60)
    assert "OutsideError: b.yml: file too large\nNothing was changed." in errors
    assert files(root) == before


LOOP = (
    "from generator.outside.files import Change, write_all\n"
    "contents = [letter * 3_000_000 for letter in (b'a', b'b')]\n"
    "print('ready', flush=True)\n"
    "while True:\n"
    "    for new in contents:\n"
    "        old = [(root / name).read_bytes() for name in ('a.yml', 'b.yml')]\n"
    "        write_all(root, [Change(verb='change', path=name, old=was, new=new)\n"
    "                         for name, was in zip(('a.yml', 'b.yml'), old)])\n"
)


@pytest.mark.parametrize("after_s", [0.011, 0.023, 0.037, 0.052, 0.068])
def test_a_kill_leaves_every_file_whole_and_the_next_run_tidies_up(root: Path, after_s: float) -> None:
    process = in_another_process(LOOP, str(root))
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(after_s)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    found = {name: (root / name).read_bytes() for name in ("a.yml", "b.yml")}
    for data in found.values():
        assert data == b"old\n" or (len(data) == 3_000_000 and len(set(data)) == 1)
    write_all(root, [change("a.yml", old=found["a.yml"])])
    assert sorted(path.name for path in root.iterdir()) == ["a.yml", "b.yml"]


def test_a_draft_of_a_killed_writer_is_swept_and_nothing_else(root: Path) -> None:
    for name in (".a.yml.0123abcd.nightgrid-draft", ".a.yml.swp", "nightgrid-draft"):
        (root / name).write_bytes(b"half")
    write_all(root, [change("a.yml")])
    assert sorted(files(root)) == [".a.yml.swp", "a.yml", "b.yml", "nightgrid-draft"]


def test_two_writers_come_one_after_the_other(root: Path) -> None:
    holder = in_another_process(
        "from generator.outside.lock import only_writer\n"
        "with only_writer(root, 1):\n    print('held', flush=True)\n    time.sleep(60)\n",
        str(root),
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    try:
        with pytest.raises(OutsideError, match=r"another nightgrid still writes there after 0\.1 s"):
            write_all(root, [change("a.yml")], wait_s=0.1)
        assert files(root)["a.yml"] == b"old\n"
    finally:
        holder.kill()
        holder.communicate()
    write_all(root, [change("a.yml")], wait_s=5)
    assert files(root) == {"a.yml": b"new\n", "b.yml": b"old\n"}


def link_file(root: Path) -> Change:
    (root / "c.yml").symlink_to("a.yml")
    return change("c.yml")


def link_folder(root: Path) -> Change:
    (root.parent / "elsewhere").mkdir()
    (root / ".github").symlink_to(root.parent / "elsewhere")
    return write(f"{FOLDER}/c.yml")


def link_to_nothing(root: Path) -> Change:
    (root / "c.yml").symlink_to(root.parent / "elsewhere.yml")
    return write("c.yml")


def link_to_itself(root: Path) -> Change:
    (root / ".github").symlink_to(".github")
    return write(f"{FOLDER}/c.yml")


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (link_file, "c.yml is a symbolic link to a.yml; put a file in its place"),
        (link_folder, f"{FOLDER}/c.yml leads to "),
        (link_to_nothing, "c.yml is a symbolic link to "),
        (link_to_itself, f"{FOLDER}/c.yml: "),
        (lambda _: write("../c.yml"), "'../c.yml' leads out of "),
        (lambda root: write(f"{root.parent}/c.yml"), "/c.yml' leads out of "),
        (lambda _: write(""), "'' leads out of "),
        (lambda _: write("a\x00.yml"), r"'a\x00.yml' leads out of "),
    ],
)
def test_no_link_and_no_path_leads_out(root: Path, prepare: Callable[[Path], Change], said: str) -> None:
    changed = prepare(root)
    before = files(root.parent)
    assert said in refused(root, change("b.yml"), changed)
    assert files(root.parent) == before


def test_a_link_that_stays_inside_is_followed_to_a_folder(root: Path) -> None:
    (root / "shared").mkdir()
    (root / ".github").symlink_to("shared")
    write_all(root, [write(f"{FOLDER}/c.yml")])
    assert files(root)["shared/workflows/c.yml"] == b"new\n"


def test_what_is_in_the_way_is_named(root: Path) -> None:
    (root / "folder.yml").mkdir()
    assert "folder.yml: is a directory; move the folder away" in refused(root, change("folder.yml"))
    assert "a.yml/b.yml: not a directory; a folder belongs" in refused(root, write("a.yml/b.yml"))
    assert "file name too long; shorten the name" in refused(root, write("x" * 300))


def test_changes_that_make_no_sense_are_the_callers_mistake(root: Path) -> None:
    with pytest.raises(ValueError, match="unknown verb 'rewrite'"):
        Change(verb="rewrite", path="a.yml", old=b"", new=b"")
    with pytest.raises(ValueError, match="two changes of one file"):
        write_all(root, [change("a.yml"), remove("a.yml")])


def test_an_interrupt_leaves_no_draft(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_all(root, [change("a.yml"), change("b.yml")])
    assert files(root) == {"a.yml": b"old\n", "b.yml": b"old\n"}


def test_bytes_are_on_the_disk_before_a_file_is_replaced(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(handle: int) -> None:
        calls.append("fsync")
        fsync(handle)

    def noted_replace(self: Path, target: Path) -> Path:
        calls.append("replace")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    write_all(root, [change("a.yml"), change("b.yml")])
    assert calls == ["fsync", "fsync", "replace", "replace", "fsync"]


def test_many_files_need_no_more_than_a_few_open_at_once(root: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(64, hard), hard))
    try:
        write_all(root, [write(f"{FOLDER}/{number}.yml") for number in range(200)])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(files(root)) == 202

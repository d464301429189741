"""What is no matrix, through the real command line: exit code 2, and a message with a place."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("nightgrid"))
MB = 1_000_000


def checked(matrix: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [PROGRAM, "check", "--matrix", matrix]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def check(matrix: Path) -> subprocess.CompletedProcess[str]:
    return checked(matrix.name, matrix.parent)


def started(folder: Path) -> str:
    subprocess.run([PROGRAM, "init", str(folder)], check=True, capture_output=True)
    return (folder / "matrix.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "m.yaml:1:1: error[file-unreadable]: the file is empty"),
        (b"\n\n# no more\n", "m.yaml:1:1: error[file-unreadable]: the file holds no data, only comments"),
        (b"a: b\n\x00\x01", "m.yaml:2:1: error[file-unreadable]: this is not a text: it holds NUL bytes"),
        (b"a: \xff\n", "m.yaml:1:4: error[file-unreadable]: the byte 0xff is not UTF-8"),
        (b"\xff\xfea\x00", "m.yaml: error[file-unreadable]: the file is UTF-16"),
        (b"a: &a [*a]\n", "m.yaml:1:8: error[yaml-alias]: the alias `*a` stands inside its own anchor"),
        (b"cells: *c\n", "m.yaml:1:8: error[yaml-alias]: "),
        (b"a: b: c\n", "m.yaml:1:5: error[yaml-syntax]: "),
        (b"[1, 2]\n", "m.yaml:1:1: error[wrong-type]: "),
        (b"7\n", "m.yaml:1:1: error[wrong-type]: "),
        (b"nightgrid: 0.1\nnightgrid: 0.2\n", "m.yaml:2:1: error[duplicate-key]: "),
        (b"a: !!python/name:os.system\n", "m.yaml:1:4: error[yaml-tag]: "),
        (b"--- {}\n--- {}\n", "m.yaml:2:1: error[yaml-syntax]: "),
    ],
)
def test_what_is_no_matrix(tmp_path: Path, data: bytes, says: str) -> None:
    file = tmp_path / "m.yaml"
    file.write_bytes(data)

    done = check(file)

    assert done.returncode == 2
    assert says in done.stdout
    assert done.stderr == ""


def test_fifty_megabytes_are_not_read(tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    with file.open("wb") as stream:
        stream.truncate(50 * MB)

    done = check(file)

    assert done.returncode == 2
    assert (
        "m.yaml: error[file-unreadable]: the file is too large: 50.0 MB, and the limit is 10.0 MB"
        in done.stdout
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = check(tmp_path / "m.yaml")

    assert done.returncode == 2
    assert "m.yaml: error[file-unreadable]: there is no such file" in done.stdout


@pytest.mark.parametrize("name", ["folder", "."])
def test_a_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()

    done = checked(name, tmp_path)

    assert done.returncode == 2
    assert f"{name}: error[file-unreadable]: this is a folder, not a file" in done.stdout


def test_a_version_without_quotes_is_named_as_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(started(tmp_path).replace('"7.2"', "7.20"), encoding="utf-8")

    done = check(file)

    assert done.returncode == 2
    assert (
        "error[float-version]: `rocm` needs a text, and 7.20 without quotes is the number 7.2" in done.stdout
    )
    assert 'help: write "7.20"' in done.stdout


def test_carriage_returns_in_the_matrix_change_nothing(tmp_path: Path) -> None:
    text = started(tmp_path)
    subprocess.run([PROGRAM, "render", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / "matrix.yaml").write_bytes(text.replace("\n", "\r\n").encode())

    assert check(tmp_path / "matrix.yaml").returncode == 0


def test_a_mark_at_the_beginning_changes_nothing(tmp_path: Path) -> None:
    text = started(tmp_path)
    subprocess.run([PROGRAM, "render", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / "matrix.yaml").write_text("\ufeff" + text, encoding="utf-8")

    assert check(tmp_path / "matrix.yaml").returncode == 0

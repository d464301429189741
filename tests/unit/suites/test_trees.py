"""Other people's source trees: what is read of them, and where reading ends."""

from pathlib import Path

import pytest

from generator.outside.problem import OutsideError
from generator.outside.trees import Bounds, files_below

PYTHON = frozenset({".py"})


def below(root: Path, bounds: Bounds | None = None) -> list[str]:
    return [path for path, _ in files_below(root, "t", PYTHON, bounds or Bounds())]


def tree(root: Path, *names: str) -> Path:
    for name in names:
        (root / "t" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "t" / name).write_text("x = 1\n")
    return root


def test_files_come_in_the_order_of_names_with_their_path_from_the_root(tmp_path: Path) -> None:
    names = ["b.py", "a.py", "c/d.py", "c.txt", ".git/e.py", "node_modules/f.py"]

    assert below(tree(tmp_path, *names)) == ["t/a.py", "t/b.py", "t/c/d.py"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.py")
    (root / "outside.py").write_text("secret = 1\n")
    (root / "t/link.py").symlink_to(root / "outside.py")
    (root / "t/circle").symlink_to(root / "t")

    assert below(root) == ["t/a.py"]


def test_a_file_that_is_too_large_is_passed_over(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.py", "b.py")
    (root / "t/b.py").write_bytes(b"#" * 7)

    assert below(root, Bounds(bytes_per_file=6)) == ["t/a.py"]
    assert below(root, Bounds(bytes_per_file=7)) == ["t/a.py", "t/b.py"]


def test_too_many_files_are_refused_and_just_enough_are_not(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.py", "b.py")

    assert len(below(root, Bounds(files=2))) == 2
    with pytest.raises(OutsideError, match="more than 1 source files; name a smaller folder"):
        below(root, Bounds(files=1))

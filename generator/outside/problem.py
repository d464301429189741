"""What the world outside answered instead of what was wanted."""

import errno


class OutsideError(Exception):
    """A file, a program or a server failed; the message says which, how, and what to do. Exit code 4."""


_ADVICE = {
    errno.ENOSPC: "make room and run it again",
    errno.EDQUOT: "make room and run it again",
    errno.EACCES: "give yourself the right to read and write it",
    errno.EPERM: "give yourself the right to read and write it",
    errno.EROFS: "mount it so that it can be written",
    errno.EISDIR: "move the folder away; a file belongs there",
    errno.ENOTDIR: "a folder belongs where a file lies on the way to it",
    errno.ENAMETOOLONG: "shorten the name",
}


def failed(path: str, problem: OSError) -> OutsideError:
    """The error of a file, in the system's own words, and what to do where that is known."""
    said = (problem.strerror or str(problem)).lower()
    advice = _ADVICE.get(problem.errno or 0)
    return OutsideError(f"{path}: {said}; {advice}" if advice else f"{path}: {said}")

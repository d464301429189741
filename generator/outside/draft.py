"""A file's next bytes, written beside it under a name that nobody reads."""

import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

# Neither GitHub nor nightgrid takes such a name for a workflow.
_SUFFIX = ".nightgrid-draft"


@dataclass(frozen=True, slots=True)
class Draft:
    """Bytes on the disk that are not in their place yet."""

    place: Path
    path: Path

    @classmethod
    def write(cls, place: Path, data: bytes) -> "Draft":
        """Every byte, on the disk, with the permission bits of the file that is there or the usual ones.

        Raises:
            OSError: it could not be written; then nothing of it is left.
        """
        draft = cls(place, place.with_name(f".{place.name}.{secrets.token_hex(4)}{_SUFFIX}"))
        try:
            handle = os.open(draft.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if place.exists():
                draft.path.chmod(stat.S_IMODE(place.stat().st_mode))
        except BaseException:
            draft.discard()
            raise
        return draft

    def replace(self) -> None:
        """Put it in its place, at one stroke.

        Raises:
            OSError: it could not be.
        """
        self.path.replace(self.place)

    def discard(self) -> None:
        """Leave nothing behind; a draft in its place is no draft any more."""
        self.path.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove what a killed writer left; only for one who is alone in the folder."""
    for path in folder.glob(f".*{_SUFFIX}"):
        path.unlink(missing_ok=True)

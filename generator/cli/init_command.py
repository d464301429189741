"""nightgrid init: a small matrix to start from."""

from generator.cli.session import Session
from generator.cli.version import __version__
from generator.config.matrix_file import schema_text
from generator.domain.exit_code import ExitCode
from generator.domain.finding import error
from generator.domain.location import Location
from generator.outside.files import Change, write_all
from generator.render.text import starting_matrix

_ATTRIBUTES = """\
# Generated workflows keep their line ends, and are folded in reviews.
.github/workflows/*.yml text eol=lf
"""


def init(session: Session) -> ExitCode:
    """Write a matrix, its schema and, where there is none, .gitattributes."""
    files = {
        session.matrix.name: starting_matrix(__version__),
        "matrix.schema.json": schema_text(),
    }
    for name in files:
        if (session.root / name).exists():
            session.show(
                [error("file-exists", Location(name), "the file is there already, and is left as it is")]
            )
            return ExitCode.INVALID
    if not (session.root / ".gitattributes").exists():
        files[".gitattributes"] = _ATTRIBUTES
    write_all(
        session.root,
        [Change(verb="write", path=name, old=b"", new=text.encode()) for name, text in files.items()],
    )
    for name in files:
        session.say(f"wrote {name}")
    session.say(f"Next: put your runner labels and models into {session.matrix.name}, then nightgrid render")
    return ExitCode.FINE

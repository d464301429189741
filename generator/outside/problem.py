"""What the world outside answered instead of what was wanted."""


class OutsideError(Exception):
    """A file, a program or a server failed; the message says which, how, and what to do. Exit code 4."""

"""A template that does not lay out what was planned."""


class LayoutError(Exception):
    """The template lost or changed something; the message says what, in the workflow that it names."""

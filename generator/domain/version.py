"""Versions of a software stack, compared number by number: 7.2.4 is newer than 7.2, and 10 than 7."""


def version_order(text: str) -> tuple[int, ...]:
    """The numbers of a dotted version, for comparing; missing places count as 0 only when compared.

    Raises:
        ValueError: a part is no number.
    """
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)

"""Made-up word problems in GSM8K's form: six patterns, small numbers, each with its worked answer."""

import json
import random

NAMES = [
    *("Amy", "Ann", "Ben", "Dan", "Eva", "Ivy", "Joe", "Kim"),
    *("Leo", "Max", "Mia", "Ray", "Sam", "Sue", "Tom", "Zoe"),
]
THINGS = ["apples", "books", "cards", "coins", "cookies", "marbles", "pens", "shells", "stamps", "stickers"]

Pair = tuple[str, str]


def step(a: int, sign: str, b: int) -> tuple[str, int]:
    """One calculation as GSM8K annotates it, and its value."""
    value = {"+": a + b, "-": a - b, "*": a * b}[sign]
    return f"{a}{sign}{b}=<<{a}{sign}{b}={value}>>{value}", value


def compare(dice: random.Random, who: str, other: str, what: str) -> Pair:
    a, b, c = dice.randint(2, 18), dice.randint(2, 20), dice.randint(2, 9)
    first, total = step(a, "+", b)
    second, end = step(total, "+", c)
    return (
        (
            f"{who} has {a} {what}. {other} has {b} more {what} than {who}. "
            f"How many {what} does {other} have after finding {c} more?"
        ),
        f"{other} has {first} {what}.\n{other} has {second} {what} after finding more.\n#### {end}",
    )


def buys(dice: random.Random, who: str, _other: str, what: str) -> Pair:
    a, b = dice.randint(2, 9), dice.randint(2, 9)
    first, total = step(a, "*", b)
    return (
        f"{who} buys {a} boxes with {b} {what} in each box. How many {what} does {who} buy?",
        f"{who} buys {first} {what}.\n#### {total}",
    )


def buys_and_gives(dice: random.Random, who: str, other: str, what: str) -> Pair:
    a, b = dice.randint(2, 9), dice.randint(2, 9)
    first, total = step(a, "*", b)
    second, left = step(total, "-", dice.randint(2, total - 2))
    given = total - left
    return (
        (
            f"{who} buys {a} boxes with {b} {what} in each box. {who} gives {given} {what} to {other}. "
            f"How many {what} does {who} have left?"
        ),
        f"{who} buys {first} {what}.\n{who} has {second} {what} left.\n#### {left}",
    )


def gives(dice: random.Random, who: str, other: str, what: str) -> Pair:
    a = dice.randint(8, 30)
    b = dice.randint(2, a - 2)
    first, left = step(a, "-", b)
    return (
        f"{who} has {a} {what}. {who} gives {b} {what} to {other}. How many {what} does {who} have left?",
        f"{who} has {first} {what} left.\n#### {left}",
    )


def gets(dice: random.Random, who: str, other: str, what: str) -> Pair:
    a, b = dice.randint(2, 20), dice.randint(2, 20)
    first, total = step(a, "+", b)
    return (
        f"{who} has {a} {what}. {other} gives {who} {b} more {what}. How many {what} does {who} have now?",
        f"{who} has {first} {what}.\n#### {total}",
    )


def sells(dice: random.Random, who: str, _other: str, what: str) -> Pair:
    a, b, price = dice.randint(2, 9), dice.randint(2, 9), dice.randint(2, 5)
    first, total = step(a, "+", b)
    second, money = step(total, "*", price)
    return (
        (
            f"{who} sells {a} {what} in May and {b} {what} in June for ${price} each. "
            f"How many dollars does {who} make?"
        ),
        f"{who} sells {first} {what}.\n{who} makes ${second}.\n#### {money}",
    )


PATTERNS = (compare, buys, buys_and_gives, gives, gets, sells)


def problem(dice: random.Random) -> Pair:
    """A question and its worked answer."""
    who, other = dice.sample(NAMES, 2)
    return dice.choice(PATTERNS)(dice, who, other, dice.choice(THINGS))


def distinct(dice: random.Random, count: int, unlike: frozenset[str]) -> list[Pair]:
    """So many problems, no question twice and none of `unlike`."""
    found: dict[str, str] = {}
    while len(found) < count:
        question, answer = problem(dice)
        if question not in unlike:
            found.setdefault(question, answer)
    return list(found.items())


def as_lines(pairs: list[Pair]) -> str:
    """JSON lines with question and answer."""
    return "".join(json.dumps({"question": question, "answer": answer}) + "\n" for question, answer in pairs)


def shown(pair: Pair) -> str:
    """A problem as the models see it."""
    return f"Question: {pair[0]}\nAnswer: {pair[1]}\n\n"

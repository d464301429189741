"""The words around a question. A change here changes `protocol.TEMPLATE`."""

from collections.abc import Sequence

from generator.harness.data.problems import Problem

_INSTRUCTION = "Think step by step. End with one line that holds the answer alone, in the form: #### number"


def raw_prompt(shots: Sequence[Problem], problem: Problem) -> str:
    """Worked examples and then the question, for a model to go on with."""
    examples = "".join(f"Question: {shot.question}\nAnswer: {shot.answer}\n\n" for shot in shots)
    return f"{examples}Question: {problem.question}\nAnswer:"


def conversation(shots: Sequence[Problem], problem: Problem) -> list[dict[str, str]]:
    """Worked examples as earlier turns, and the question as the last."""
    messages = []
    for shot in shots:
        messages.append({"role": "user", "content": _turn(shot)})
        messages.append({"role": "assistant", "content": shot.answer})
    messages.append({"role": "user", "content": _turn(problem)})
    return messages


def _turn(problem: Problem) -> str:
    return f"{problem.question}\n\n{_INSTRUCTION}"

import io
from pathlib import Path

import pytest

from generator.harness import cli
from generator.harness.outcome import Outcome
from generator.harness.world import World


class Broken:
    def add_arguments(self, _parser: object) -> None:
        return

    def run(self, _arguments: object, _world: object) -> Outcome:
        raise self.error

    def __init__(self, error: BaseException) -> None:
        self.error = error


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (ZeroDivisionError("x"), 3, "a fault of the harness itself"),
        (OSError(28, "No space left on device"), 4, "No space left on device"),
        (KeyboardInterrupt(), 4, "interrupted"),
    ],
)
def test_only_a_regression_is_code_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: BaseException, code: int, words: str
) -> None:
    monkeypatch.setattr(cli, "load", lambda _name: Broken(error))
    out = io.StringIO()
    assert cli.main(["verdict"], World(folder=tmp_path, out=out, environment={})) == code
    assert words in out.getvalue()


def test_every_command_can_be_loaded_and_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for name, _, help_ in cli.COMMANDS:
        with pytest.raises(SystemExit) as ended:
            cli.main([name, "--help"], World())
        assert ended.value.code == 0
        assert help_.split(" ")[0] in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["bogus"], ["accuracy"], ["serve"], ["serve", "restart"], ["verdict"]])
def test_wrong_usage_is_code_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(words, World())
    assert ended.value.code == 2


@pytest.mark.parametrize(
    "option",
    [
        ("--gate", "92"), ("--gate", "nan"), ("--gate", "x"), ("--questions", "0"), ("--shots", "-1"),
        ("--concurrency", "0"), ("--deadline-minutes", "0"), ("--temperature", "-1"), ("--path", "pigeon"),
        ("--chat-template-arguments", "[]"), ("--chat-template-arguments", "{"), ("--url", "http://x"),
    ],
)  # fmt: skip
def test_a_value_out_of_range_is_wrong_usage(option: tuple[str, str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["accuracy", "--server", "s", "--gate", "0.9", *option], World())
    assert ended.value.code == 2

import io
import json
import os
import xml.etree.ElementTree as ET
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from generator.harness.cli import main
from generator.harness.evaluate.journal import lock
from generator.harness.world import World
from unit.harness.asking import Ran, accuracy, question_of, right, write_problems
from unit.harness.fake_peer import HANG, Asked, Script, answer, chat, completion, healthy, peer


def answers_right(asked: Asked) -> bytes:
    return completion(right(asked))


def run(folder: Path, script: Script, *options: str, questions: int = 40, engine: str = "openai") -> Ran:
    with peer(healthy(script)) as server:
        return accuracy(folder, server.url, *options, questions=questions, engine=engine)


def valid(ran: Ran) -> dict[str, object]:
    schema = json.loads((resources.files("generator.harness.reports") / "results.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(ran.results, schema)
    return ran.results


def test_all_right_passes_and_leaves_every_file(tmp_path: Path) -> None:
    ran = run(tmp_path, answers_right)
    assert ran.code == 0
    results = valid(ran)
    assert results["verdict"] == "passed"
    assert results["accuracy"] == 1
    assert results["interval_95"] == [0.912378, 1.0]
    assert len(ran.samples) == 40
    assert {sample["index"] for sample in ran.samples} == set(range(40))
    assert "passed: accuracy 1.0000 (40 of 40" in ran.text
    assert {path.name for path in ran.folder.iterdir()} >= {
        "results.json", "samples.jsonl", "summary.md", "junit.xml", "report.html", "run.json"
    }  # fmt: skip


def test_an_accuracy_equal_to_the_gate_passes_and_one_below_regresses(tmp_path: Path) -> None:
    def wrong_for(count: int) -> Script:
        return lambda asked: (
            completion("#### 1") if question_of(asked) < 100 + count else answers_right(asked)
        )

    assert run(tmp_path, wrong_for(4)).code == 0
    worse = run(tmp_path, wrong_for(5))
    assert worse.code == 1
    results = valid(worse)
    assert results["verdict"] == "regressed"
    assert "accuracy 0.8750 against ≥ 0.9" in str(results["summary"])
    tree = ET.fromstring((worse.folder / "junit.xml").read_text())  # noqa: S314 our own file
    assert tree.attrib["failures"] == "1"
    assert "read 1, right is 200" in (worse.folder / "summary.md").read_text()


def test_the_invalid_rate_and_the_cut_off_rate_have_gates_too(tmp_path: Path) -> None:
    def some_say_nothing(asked: Asked) -> bytes:
        return (
            completion(" I do not know.") if question_of(asked) in {101, 111, 121} else answers_right(asked)
        )

    ran = run(tmp_path, some_say_nothing)
    assert ran.code == 1
    assert "invalid rate 0.0750 against ≤ 0.05" in ran.text
    assert run(tmp_path, some_say_nothing, "--gate-invalid-rate", "0.1").code == 0

    def some_are_cut_off(asked: Asked) -> bytes:
        return completion(right(asked), finish="length" if question_of(asked) % 2 else "stop")

    ran = run(tmp_path, some_are_cut_off, "--gate-cut-off-rate", "0.4")
    assert ran.code == 1
    assert "cut-off rate 0.5000 against ≤ 0.4" in ran.text
    assert "note: 20 of 40 answers ran into the limit" in ran.text


def test_a_stop_that_the_server_ignores_is_cut_counted_and_told(tmp_path: Path) -> None:
    ran = run(
        tmp_path, lambda asked: completion(f"{right(asked)}\n\nQuestion: What is 1 plus 1?\nAnswer: #### 2")
    )
    assert ran.code == 0
    assert ran.results["counts"]["ran_past_stop"] == 40
    assert "ran past the stop in 40 of 40 answers" in ran.text
    assert ran.samples[0]["useful_tokens"] < ran.samples[0]["completion_tokens"]
    assert "Question" in ran.samples[0]["text"]


def test_the_bare_word_question_is_no_stop(tmp_path: Path) -> None:
    ran = run(tmp_path, lambda asked: completion(f" Let me identify the Question first.{right(asked)}"))
    assert ran.code == 0
    assert ran.results["counts"]["ran_past_stop"] == 0


def test_the_raw_prompt_is_the_shots_and_then_the_question(tmp_path: Path) -> None:
    with peer(healthy(answers_right)) as server:
        accuracy(tmp_path, server.url, "--concurrency", "1", questions=1)
        body = server.posts[0].body
    assert server.posts[0].path == "/v1/completions"
    assert body == {
        "model": "tiny",
        "prompt": "Question: What is 0 plus 0?\nAnswer: It is 0+0=<<0+0=0>>0.\n#### 0\n\n"
        "Question: What is 1 plus 1?\nAnswer: It is 1+1=<<1+1=2>>2.\n#### 2\n\n"
        "Question: What is 100 plus 100?\nAnswer:",
        "temperature": 0.0,
        "max_tokens": 512,
        "stop": ["\n\nQuestion"],
    }


def test_sglang_is_asked_by_its_own_interface(tmp_path: Path) -> None:
    meta = {
        "finish_reason": {"type": "stop", "matched": "Question"},
        "completion_tokens": 9,
        "spec_verify_ct": 3,
    }

    def script(asked: Asked) -> bytes:
        return answer({"text": right(asked), "meta_info": meta})

    with peer(healthy(script)) as server:
        ran = accuracy(tmp_path, server.url, engine="sglang", questions=20)
    assert ran.code == 0
    assert server.posts[0].path == "/generate"
    assert server.posts[0].body["sampling_params"] == {
        "temperature": 0.0, "max_new_tokens": 512, "stop": ["\n\nQuestion"]
    }  # fmt: skip
    assert ran.samples[0]["evidence"]["meta_info"] == meta
    assert ran.samples[0]["completion_tokens"] == 9


def test_chat_sends_turns_and_reads_the_content(tmp_path: Path) -> None:
    with peer(healthy(lambda asked: chat(right(asked), reasoning="so 1, or 2"))) as server:
        ran = accuracy(
            tmp_path, server.url, "--path", "chat", "--chat-template-arguments", '{"enable_thinking": false}'
        )
    assert ran.code == 0
    body = server.posts[0].body
    assert [message["role"] for message in body["messages"]] == ["user", "assistant"] * 2 + ["user"]
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert "stop" not in body
    assert server.posts[0].path == "/v1/chat/completions"
    assert ran.samples[0]["reasoning"] == "so 1, or 2"


@pytest.mark.parametrize(
    ("script", "end", "words"),
    [
        (
            lambda _: chat(None, reasoning="It is 5", finish="length"),
            "answers in the reasoning field",
            "--max-new",
        ),
        (lambda _: chat("Let me think about 5", finish="length"), "all answers cut off", "--max-new-tokens"),
        (lambda _: chat("I cannot say."), "no answer readable", "--path"),
        (lambda _: chat("<think>it is 5"), "no answer readable", "--path"),
        (lambda _: chat(""), "no answer readable", "--path"),
    ],
)
def test_what_is_wrong_with_all_first_answers_ends_the_run_at_once(
    tmp_path: Path, script: Script, end: str, words: str
) -> None:
    with peer(healthy(script)) as server:
        ran = accuracy(tmp_path, server.url, "--path", "chat", questions=500)
        assert len(server.posts) < 40
    assert ran.code == 3
    results = valid(ran)
    assert results["verdict"] == "not measured"
    assert results["end"] == end
    assert words in str(results["help"])


def test_few_questions_are_looked_at_too(tmp_path: Path) -> None:
    assert run(tmp_path, lambda _: completion("none"), questions=3).code == 3


def test_a_failed_request_is_no_wrong_answer(tmp_path: Path) -> None:
    def one_fails(asked: Asked) -> bytes:
        return answer({}, status=500) if question_of(asked) == 105 else answers_right(asked)

    ran = run(tmp_path, one_fails, "--allowed-failed-share", "0.05")
    assert ran.code == 0
    assert ran.results["counts"] | {} == {
        "planned": 40, "answered": 39, "correct": 39, "invalid": 0, "cut_off": 0, "ran_past_stop": 0,
        "failed": 1, "pending": 0,
    }  # fmt: skip
    assert "1 requests failed" in ran.text
    strict = run(tmp_path, one_fails, "--allowed-failed-share", "0.01")
    assert strict.code == 4
    assert valid(strict)["verdict"] == "not measured"


@pytest.mark.parametrize(
    "body", [b"nonsense", b"{}", b'{"choices": []}', b'{"choices": [{"text": 5}]}', b"[]", b"1"]
)
def test_an_unreadable_answer_is_a_failed_request(tmp_path: Path, body: bytes) -> None:
    reply = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    ran = run(tmp_path, lambda asked: reply if question_of(asked) == 105 else answers_right(asked))
    assert ran.code == 4
    assert "answer unreadable" in json.dumps(ran.samples)


def test_a_request_that_is_refused_is_not_sent_a_thousand_times(tmp_path: Path) -> None:
    refusal = answer({"error": {"message": "max_new_tokens must be at least 0"}}, status=400)
    with peer(healthy(lambda _: refusal)) as server:
        ran = accuracy(tmp_path, server.url, questions=500)
        assert len(server.posts) < 8
    assert ran.code == 4
    assert "max_new_tokens must be at least 0" in ran.text


def test_failures_here_and_there_do_not_end_a_run(tmp_path: Path) -> None:
    def every_third(asked: Asked) -> bytes:
        return answer({}, status=500) if question_of(asked) % 3 == 0 else answers_right(asked)

    ran = run(tmp_path, every_third, "--allowed-failed-share", "0.5", "--concurrency", "1", questions=90)
    assert ran.code == 0
    assert ran.results["counts"]["failed"] == 30


def test_a_server_that_stops_answering_ends_the_run(tmp_path: Path) -> None:
    def dies(asked: Asked) -> bytes:
        return answers_right(asked) if asked.number < 60 else answer({"error": "engine dead"}, status=500)

    with peer(healthy(dies)) as server:
        ran = accuracy(tmp_path, server.url, questions=500)
        assert len(server.posts) < 100
    assert ran.code == 4
    assert valid(ran)["end"] == "server not answering"
    assert "engine dead" in ran.text


def test_a_hanging_server_is_ended_by_the_deadline_and_the_run_gone_on_with(tmp_path: Path) -> None:
    def hangs(asked: Asked) -> bytes:
        return HANG if question_of(asked) >= 130 else answers_right(asked)

    ran = run(tmp_path, hangs, "--deadline-minutes", "0.02")
    assert ran.code == 3
    results = valid(ran)
    assert results["end"] == "deadline"
    assert results["timing"]["wall_s"] < 6  # type: ignore[index]
    assert "--resume" in ran.text
    with peer(healthy(answers_right)) as server:
        again = accuracy(tmp_path, server.url, "--resume")
        assert len(server.posts) == 10
    assert again.code == 0
    assert again.results["timing"]["resumed"] == 30
    assert again.results["counts"]["answered"] == 40


def test_a_run_is_gone_on_with_after_a_half_written_line(tmp_path: Path) -> None:
    run(tmp_path, answers_right)
    path = tmp_path / "out" / "samples.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:25]) + lines[25][:40])
    with peer(healthy(answers_right)) as server:
        again = accuracy(tmp_path, server.url, "--resume")
        assert len(server.posts) == 15
    assert again.code == 0
    assert "1 half-written" in again.text
    assert len(again.samples) == 40


def test_failed_requests_are_asked_again_on_resume(tmp_path: Path) -> None:
    run(tmp_path, lambda asked: answer({}, status=500) if question_of(asked) == 105 else answers_right(asked))
    with peer(healthy(answers_right)) as server:
        again = accuracy(tmp_path, server.url, "--resume")
        assert [question_of(asked) for asked in server.posts] == [105]
    assert again.code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--max-new-tokens", "96"), "max_new_tokens: 512 → 96"),
        (("--shots", "1"), "shots: 2 → 1"),
        (("--extraction", "strict"), "extraction: 'flexible' → 'strict'"),
        (("--questions", "39"), "questions: 40 → 39"),
        (("--stop", "###"), "stops"),
        (("--model", "other"), "model: 'tiny' → 'other'"),
    ],
)
def test_another_run_is_not_gone_on_with(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    run(tmp_path, answers_right)
    before = (tmp_path / "out" / "samples.jsonl").read_bytes()
    ran = run(tmp_path, answers_right, "--resume", *options)
    assert ran.code == 2
    assert words in ran.text
    assert (tmp_path / "out" / "samples.jsonl").read_bytes() == before


def test_resume_without_an_earlier_run_begins_one_and_without_its_header_refuses(tmp_path: Path) -> None:
    assert run(tmp_path, answers_right, "--resume").code == 0
    (tmp_path / "out" / "run.json").write_text('{"schema"')
    assert run(tmp_path, answers_right, "--resume").code == 2


def test_a_second_run_keeps_the_answers_of_the_first(tmp_path: Path) -> None:
    run(tmp_path, answers_right)
    ran = run(tmp_path, lambda _: completion("#### 1"))
    assert ran.code == 1
    assert "samples.earlier-1.jsonl" in ran.text
    assert len((tmp_path / "out" / "samples.earlier-1.jsonl").read_text().splitlines()) == 40


def test_early_stop_is_off_unless_asked_for_and_then_recorded(tmp_path: Path) -> None:
    def wrong(_: Asked) -> bytes:
        return completion("#### 1")

    with peer(healthy(wrong)) as server:
        assert accuracy(tmp_path, server.url, questions=200).code == 1
        assert len(server.posts) == 200
    with peer(healthy(wrong)) as server:
        ran = accuracy(tmp_path, server.url, "--early-stop", "--gate", "0.9")
        assert len(server.posts) < 40
    assert ran.code == 1
    assert valid(ran)["end"] == "gate certain"
    assert "cannot change that" in ran.text
    with peer(healthy(answers_right)) as server:
        ran = accuracy(tmp_path, server.url, "--early-stop", "--gate", "0.5")
        assert len(server.posts) < 120
    assert ran.code == 0


def test_what_passes_later_is_waited_for(tmp_path: Path) -> None:
    seen: set[int] = set()

    def busy_first(asked: Asked) -> bytes:
        if question_of(asked) in {101, 102} and question_of(asked) not in seen:
            seen.add(question_of(asked))
            return answer({}, status=503)
        return answers_right(asked)

    ran = run(tmp_path, busy_first)
    assert ran.code == 0
    assert sorted(sample["attempts"] for sample in ran.samples)[-2:] == [2, 2]


def test_a_shown_question_is_not_scored_unless_asked_for_by_name(tmp_path: Path) -> None:
    write_problems(tmp_path / "shots.jsonl", 2, first=101)
    ran = run(tmp_path, answers_right)
    assert ran.code == 2
    assert "question 0 of shots.jsonl is shown as an example and scored" in ran.text
    ran = run(tmp_path, answers_right, "--shots-from", "test")
    assert ran.code == 0
    assert "2 of the questions are shown as examples" in ran.text
    assert ran.results["protocol"]["shots_from"] == "problems.jsonl"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--shots-from", "train"), "has no train split"),
        (("--questions", "41"), "41 questions asked for, the data has 40"),
        (("--shots", "3"), "3 shots asked for, the data has 2"),
        (("--data", "nowhere.jsonl"), "nowhere.jsonl cannot be read"),
        (("--api-key-variable", "NO_KEY"), "NO_KEY holds no key"),
    ],
)
def test_wrong_usage_says_what_to_do(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    ran = run(tmp_path, answers_right, *options)
    assert ran.code == 2
    assert words in ran.text
    assert "help: " in ran.text
    assert words in str(valid(ran)["summary"])


def test_an_older_verdict_does_not_outlive_a_command_that_failed(tmp_path: Path) -> None:
    run(tmp_path, answers_right)
    ran = run(tmp_path, answers_right, "--resume", "--shots", "1")
    assert ran.code == 2
    assert valid(ran)["verdict"] == "not measured"
    assert not (ran.folder / "junit.xml").exists()
    assert len(ran.samples) == 40


def test_an_url_without_a_server_is_the_worlds_fault(tmp_path: Path) -> None:
    with peer(healthy(answers_right)) as server:
        url = server.url
    assert accuracy(tmp_path, url).code == 4


def test_a_full_disk_ends_the_run_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def full(descriptor: int, data: bytes) -> int:
        if b"question_id" in data:
            raise OSError(28, "No space left on device")
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", full)
    ran = run(tmp_path, answers_right)
    assert ran.code == 4
    assert "No space left on device" in ran.text
    assert "Free space" in ran.text


def test_two_runs_in_one_folder_do_not_mix(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with lock(tmp_path / "out"):
        ran = run(tmp_path, answers_right)
    assert ran.code == 2
    assert "another run writes" in ran.text


def test_a_key_from_the_environment_is_sent_and_not_told(tmp_path: Path) -> None:
    write_problems(tmp_path / "p.jsonl", 1)
    out = io.StringIO()
    with peer(healthy(answers_right)) as server:
        world = World(folder=tmp_path, out=out, environment={"KEY": "s3cret", "HOME": str(tmp_path)})
        options = "--engine openai --data p.jsonl --shots 0 --gate 1 --api-key-variable KEY"
        assert main(["accuracy", "--url", server.url, *options.split()], world) == 0
        assert "Authorization: Bearer s3cret" in server.posts[0].headers
    told = out.getvalue() + "".join(
        path.read_text() for path in (tmp_path / "results" / "accuracy").iterdir() if path.is_file()
    )
    assert "s3cret" not in told

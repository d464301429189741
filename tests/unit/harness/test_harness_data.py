import gzip
import hashlib
import json
from pathlib import Path

import pytest

from generator.harness.data.problems import parse, read
from generator.harness.data.sources import (
    GSM8K,
    Places,
    Published,
    Split,
    cache_folder,
    gsm8k,
    package_folder,
)
from generator.harness.outcome import HarnessError, Outcome
from unit.harness.fake_peer import Asked, peer

LINE = '{"question": "2+2?", "answer": "It is 4.\\n#### 4"}'


def places(folder: Path, **changes: object) -> Places:
    said: list[str] = []
    values = {
        "given": "",
        "cache": folder / "cache",
        "package": folder / "package",
        "say": said.append,
    } | changes
    return Places(sleep=lambda _: None, **values)  # type: ignore[arg-type]


def published(url: str, data: bytes) -> dict[Split, Published]:
    one = Published(sha256=hashlib.sha256(data).hexdigest(), url=url)
    return {Split.TEST: one, Split.TRAIN: one}


def served(data: bytes, status: int = 200) -> bytes:
    return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s" % (status, len(data), data)


@pytest.mark.parametrize(("split", "count"), [(Split.TEST, 1319), (Split.TRAIN, 7473)])
def test_the_package_holds_gsm8k_as_published(tmp_path: Path, split: Split, count: int) -> None:
    data = gsm8k(split, places(tmp_path, package=package_folder()))
    assert len(data.problems) == count
    assert data.sha256 == GSM8K[split].sha256


def test_test_and_train_share_no_question(tmp_path: Path) -> None:
    ids = [
        {problem.id for problem in gsm8k(split, places(tmp_path, package=package_folder())).problems}
        for split in Split
    ]
    assert not ids[0] & ids[1]


def test_a_given_folder_must_hold_the_published_files(tmp_path: Path) -> None:
    data = gzip.decompress((package_folder() / "gsm8k-test.jsonl.gz").read_bytes())
    (tmp_path / "test.jsonl").write_bytes(data)
    assert len(gsm8k(Split.TEST, places(tmp_path, given=str(tmp_path))).problems) == 1319
    (tmp_path / "test.jsonl").write_bytes(data.replace(b"\n", b"\r\n"))
    with pytest.raises(HarnessError, match="is not GSM8K as published") as refused:
        gsm8k(Split.TEST, places(tmp_path, given=str(tmp_path)))
    assert refused.value.outcome is Outcome.INVALID
    with pytest.raises(HarnessError, match=r"train\.jsonl cannot be read"):
        gsm8k(Split.TRAIN, places(tmp_path, given=str(tmp_path)))


def test_a_download_is_tried_again_checked_and_kept(tmp_path: Path) -> None:
    data = f"{LINE}\n".encode()

    def script(asked: Asked) -> bytes:
        return [served(b"", 503), served(data[:10]), served(data)][min(asked.number, 3) - 1]

    with peer(script) as server:
        where = places(tmp_path, published=published(server.url, data))
        assert len(gsm8k(Split.TEST, where).problems) == 1
        assert len(server.asked) == 3
        assert len(gsm8k(Split.TEST, where).problems) == 1
        assert len(server.asked) == 3, "the second time comes from the cache"
        cached = tmp_path / "cache" / "gsm8k-test.jsonl"
        cached.write_bytes(data[:5])
        assert len(gsm8k(Split.TEST, where).problems) == 1
        assert cached.read_bytes() == data


def test_other_bytes_are_never_taken(tmp_path: Path) -> None:
    with peer(lambda _: served(b"something else")) as server:
        where = places(tmp_path, published=published(server.url, LINE.encode()))
        with pytest.raises(HarnessError, match="other bytes than published") as refused:
            gsm8k(Split.TEST, where)
    assert refused.value.outcome is Outcome.OUTSIDE
    assert not (tmp_path / "cache").exists()


def test_what_is_not_there_is_asked_for_once(tmp_path: Path) -> None:
    with peer(lambda _: served(b"", 404)) as server:
        with pytest.raises(HarnessError, match="status 404"):
            gsm8k(Split.TEST, places(tmp_path, published=published(server.url, b"")))
        assert len(server.asked) == 1


def test_a_damaged_package_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    whole = (package_folder() / "gsm8k-test.jsonl.gz").read_bytes()
    for damaged in (whole[:1000], b"", gzip.compress(b"other"), b"no gzip"):
        (tmp_path / "package" / "gsm8k-test.jsonl.gz").write_bytes(damaged)
        with peer(lambda _: served(b"", 404)) as server, pytest.raises(HarnessError, match="status 404"):
            gsm8k(Split.TEST, places(tmp_path, published=published(server.url, b"x")))


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    data = f"{LINE}\n".encode()
    with peer(lambda _: served(data)) as server:
        assert len(gsm8k(Split.TEST, places(tmp_path, published=published(server.url, data))).problems) == 1


def test_the_cache_folder_follows_the_environment() -> None:
    assert cache_folder({"NIGHTGRID_CACHE": "/a"}) == Path("/a")
    assert cache_folder({"XDG_CACHE_HOME": "/b"}) == Path("/b/nightgrid")
    assert cache_folder({"HOME": "/c"}) == Path("/c/.cache/nightgrid")


def test_windows_line_ends_a_byte_order_mark_and_blank_lines_are_read() -> None:
    data = parse(b"\xef\xbb\xbf" + f"{LINE}\r\n\r\n{LINE}".encode(), "x", "x")
    assert [problem.index for problem in data.problems] == [0, 1]
    assert data.problems[0].expected == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "holds no question"),
        (b"\n\n", "holds no question"),
        (b"{", "x:1: not JSON"),
        (f"{LINE}\n[]".encode(), "x:2: no question and answer"),
        (b'{"question": "a", "answer": 4}', "no question and answer"),
        (b'{"question": " ", "answer": "#### 4"}', "no question and answer"),
        (b'{"question": "a", "answer": "4"}', "does not end in"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_what_is_no_data_says_where(text: bytes, words: str) -> None:
    with pytest.raises(HarnessError) as refused:
        parse(text, "x", "x")
    assert words in refused.value.message
    assert refused.value.outcome is Outcome.INVALID


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="cannot be read"):
        read(tmp_path / "none.jsonl", "none")
    with pytest.raises(HarnessError, match="cannot be read"):
        read(tmp_path, "folder")


def test_a_question_keeps_its_id_wherever_it_stands() -> None:
    one = parse(LINE.encode(), "a", "a").problems[0]
    two = parse(f"{json.dumps({'question': ' 2+2? ', 'answer': '#### 5'})}\n".encode(), "b", "b").problems[0]
    assert one.id == two.id
    assert len(one.id) == 12

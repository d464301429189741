import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from generator.harness.night.http import Asker
from generator.harness.night.images import Found, Missing, Undecided, find_images, natural, newest_tag
from generator.harness.night.night_file import FixedImage, ImageRule, Lookup
from generator.harness.night.registry import Repository, locate
from unit.harness.night.night_fakes import Asked, Bench, Reply, bench, reply_json, serving

TODAY = date(2026, 11, 30)
PATTERN = re.compile(r"v\S+-rocm700-mi30x-(?P<date>\d{8})")
DIGEST = "sha256:" + "ab" * 32
GOOD = "v0.5.10-rocm700-mi30x-20261129"


def rule(**more: object) -> ImageRule:
    fields = {"repository": "rocm/sgl-dev", "tag": PATTERN, "max_age_days": 7.0, **more}
    return ImageRule(**fields)  # type: ignore[arg-type]


def find(here: Bench, address: str, *rules: ImageRule) -> list[Found | Missing | Undecided]:
    world = here.world
    environment = {**world.environment, "NIGHTGRID_REGISTRY": address}
    asker = Asker(bench(here.folder, environment).world, Lookup(timeout_s=0.3, attempts=2))
    named = {str(index): entry for index, entry in enumerate(rules)}
    return list(find_images(named, named, asker).values())


def registry(*pages: list[str], digest: str = DIGEST) -> Callable[[Asked], Reply]:
    """Docker Hub's ways: a token first, tags over several pages, digests by HEAD."""

    def respond(asked: Asked) -> Reply:
        if asked.path == "/token":
            assert asked.query == {"service": "hub", "scope": "repository:rocm/sgl-dev:pull"}
            return reply_json({"token": "t0k"})
        if asked.headers.get("authorization") != "Bearer t0k":
            realm = f'Bearer realm="http://{asked.headers["host"]}/token",service="hub"'
            return Reply(status=401, headers={"WWW-Authenticate": realm})
        if "/manifests/" in asked.path:
            assert "image.index" in asked.headers["accept"]
            return Reply(headers={"Docker-Content-Digest": digest} if digest else {})
        number = int(asked.query.get("page", "0"))
        link = {"Link": f'</v2/rocm/sgl-dev/tags/list?page={number + 1}>; rel="next"'}
        return Reply(
            body=reply_json({"name": "rocm/sgl-dev", "tags": pages[number]}).body,
            headers=link if number + 1 < len(pages) else {},
        )

    return respond


def test_the_newest_day_wins_over_pages_and_a_token(tmp_path: Path) -> None:
    pages = (["latest", "v0.5.9-rocm700-mi30x-20261128"], [GOOD], ["v0.5.9-rocm720-mi30x-20261130"])
    with serving(registry(*pages)) as server:
        found = find(bench(tmp_path, {}), server.address, rule())
    assert found == [Found(reference=f"rocm/sgl-dev@{DIGEST}", tag=GOOD, note="1 day old")]


def test_a_repository_is_listed_once_for_all_keys(tmp_path: Path) -> None:
    mi35x = rule(tag=re.compile(r"v\S+-rocm700-mi35x-(?P<date>\d{8})"))
    with serving(registry([GOOD, "v0.5.10-rocm700-mi35x-20261130"])) as server:
        found = find(bench(tmp_path, {}), server.address, rule(), mi35x)
        assert (
            sum(asked.path.endswith("/tags/list") for asked in server.asked) == 2
        )  # 401, then with the token
    assert [entry.tag for entry in found if isinstance(entry, Found)] == [
        GOOD,
        "v0.5.10-rocm700-mi35x-20261130",
    ]


def test_an_old_image_is_refused_with_its_age(tmp_path: Path) -> None:
    with serving(registry(["v0.5.6-rocm700-mi30x-20261101"])) as server:
        found = find(bench(tmp_path, {}), server.address, rule())
    why = "rocm/sgl-dev: the newest image v0.5.6-rocm700-mi30x-20261101 is 29 days old, 7 allowed"
    assert found == [Missing(why=why)]


@pytest.mark.parametrize(("day", "kind"), [("20261123", Found), ("20261122", Missing)])
def test_the_last_allowed_day_is_allowed(tmp_path: Path, day: str, kind: type) -> None:
    with serving(registry([f"v1-rocm700-mi30x-{day}"])) as server:
        assert isinstance(find(bench(tmp_path, {}), server.address, rule())[0], kind)


@pytest.mark.parametrize("digest", ["", "sha256:short", "sha256:" + "AB" * 32])
def test_without_a_digest_the_tag_is_handed_on_and_it_is_said(tmp_path: Path, digest: str) -> None:
    with serving(registry([GOOD], digest=digest)) as server:
        found = find(bench(tmp_path, {}), server.address, rule())[0]
    assert isinstance(found, Found)
    assert found.reference == f"rocm/sgl-dev:{GOOD}"
    assert "1 day old; by tag, as" in found.note


def failing_manifest(status: int) -> Callable[[Asked], Reply]:
    def respond(asked: Asked) -> Reply:
        return Reply(status=status) if "/manifests/" in asked.path else reply_json({"tags": [GOOD]})

    return respond


def test_a_tag_without_a_manifest_is_no_image(tmp_path: Path) -> None:
    with serving(failing_manifest(404)) as server:
        found = find(bench(tmp_path, {}), server.address, rule())[0]
    assert isinstance(found, Missing)
    assert f"rocm/sgl-dev:{GOOD} is listed but cannot be had" in found.why


def test_a_digest_that_is_rationed_does_not_stop_the_night(tmp_path: Path) -> None:
    other = rule(repository="rocm/other")
    with serving(failing_manifest(429)) as server:
        found = find(bench(tmp_path, {}), server.address, rule(), other)
    assert [isinstance(entry, Found) for entry in found] == [True, True]


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=500),
        Reply(way="hang"),
        Reply(way="close"),
        Reply(body=b"<html>"),
        reply_json([]),
        reply_json({"tags": "x"}),
    ],
)
def test_a_broken_registry_leaves_the_image_undecided(tmp_path: Path, reply: Reply) -> None:
    with serving(lambda _: reply) as server:
        found = find(bench(tmp_path, {}), server.address, rule())[0]
    assert isinstance(found, Undecided)
    assert found.why.startswith(f"the image registry did not answer: {server.address}: ")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(status=404), "answered 404 for rocm/sgl-dev: no such repository or tag"),
        (Reply(status=403), "answered 403 for rocm/sgl-dev: no such repository, or no access to it"),
        (Reply(status=401), "wants a login for rocm/sgl-dev"),
        (
            Reply(status=401, headers={"WWW-Authenticate": 'Basic realm="x"'}),
            "wants a login for rocm/sgl-dev",
        ),
        (Reply(status=418), "answered 418 for rocm/sgl-dev"),
        (reply_json({"tags": None}), "none of 0 tags matches"),
        (reply_json({"tags": [1, "a b", "x/../y"]}), "none of 0 tags matches"),
    ],
)
def test_a_definite_no_blocks(tmp_path: Path, reply: Reply, why: str) -> None:
    with serving(lambda _: reply) as server:
        found = find(bench(tmp_path, {}), server.address, rule())[0]
    assert isinstance(found, Missing)
    assert why in found.why


@pytest.mark.parametrize("token", [{}, {"token": 1}, {"token": "a\r\nb"}, []])
def test_a_token_that_is_none_blocks(tmp_path: Path, token: object) -> None:
    def respond(asked: Asked) -> Reply:
        if asked.path == "/token":
            return reply_json(token)
        realm = f'Bearer realm="http://{asked.headers["host"]}/token"'
        return Reply(status=401, headers={"WWW-Authenticate": realm})

    with serving(respond) as server:
        found = find(bench(tmp_path, {}), server.address, rule())[0]
    assert isinstance(found, Missing)
    assert "gave no token for rocm/sgl-dev" in found.why


@pytest.mark.parametrize(
    "link", ["/v2/rocm/sgl-dev/tags/list?n=1000", "?page=1", "http://elsewhere.invalid/x", ":"]
)
def test_pages_that_go_in_a_circle_or_elsewhere_come_to_an_end(tmp_path: Path, link: str) -> None:
    def respond(asked: Asked) -> Reply:
        if "/manifests/" in asked.path:
            return Reply(headers={"Docker-Content-Digest": DIGEST})
        return Reply(body=reply_json({"tags": [GOOD]}).body, headers={"Link": f'<{link}>; rel="next"'})

    with serving(respond) as server:
        assert isinstance(find(bench(tmp_path, {}), server.address, rule())[0], Found)
        assert len(server.asked) <= 3


def test_a_fixed_image_asks_nobody(tmp_path: Path) -> None:
    asker = Asker(bench(tmp_path, {}).world, Lookup(timeout_s=0.1, attempts=1))
    found = find_images({"k": FixedImage(reference="repo:tag")}, ["k"], asker)
    assert found == {"k": Found(reference="repo:tag", tag="repo:tag", note="fixed in the matrix")}


def newest(*tags: str) -> str:
    found = newest_tag(PATTERN, tags, TODAY)
    return found.why if isinstance(found, Missing) else found.tag


def test_on_one_day_the_greater_version_wins_as_people_count() -> None:
    assert newest("v0.5.9-rocm700-mi30x-20261129", GOOD) == GOOD
    assert natural("v0.5.10") > natural("v0.5.9") > natural("v0.5") > natural("v0")


def test_the_whole_tag_must_match() -> None:
    why = newest(f"fork-{GOOD}", f"{GOOD}-dbg")
    assert why.startswith("none of 2 tags matches")
    assert why.endswith(f"2 tags hold it only in part, such as fork-{GOOD}")


def test_an_older_exact_match_goes_before_a_newer_partial_one() -> None:
    assert newest(GOOD, "v9-rocm700-mi30x-20261130-branch") == GOOD


@pytest.mark.parametrize("day", ["20261399", "20260230", "00000000", "20261202", "20991231"])
def test_a_date_that_is_none_or_not_yet_never_wins(day: str) -> None:
    assert newest(GOOD, f"v9-rocm700-mi30x-{day}") == GOOD
    assert newest(f"v9-rocm700-mi30x-{day}").startswith("1 tag match, none with a real day")


def test_tomorrow_may_already_be_there() -> None:
    assert newest(GOOD, "v1-rocm700-mi30x-20261201") == "v1-rocm700-mi30x-20261201"


def test_a_date_with_dashes_and_a_group_that_took_no_part() -> None:
    pattern = re.compile(r"v(?:-(?P<date>\d{4}-\d\d-\d\d))?")
    found = newest_tag(pattern, ["v", "v-2026-11-28"], TODAY)
    assert not isinstance(found, Missing)
    assert found.day == date(2026, 11, 28)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("rocm/sgl-dev", Repository(address="https://registry-1.docker.io", name="rocm/sgl-dev")),
        ("docker.io/rocm/sgl-dev", Repository(address="https://registry-1.docker.io", name="rocm/sgl-dev")),
        ("ubuntu", Repository(address="https://registry-1.docker.io", name="library/ubuntu")),
        ("ghcr.io/o/r/x", Repository(address="https://ghcr.io", name="o/r/x")),
        ("localhost:5000/x", Repository(address="http://localhost:5000", name="x")),
        ("reg.example:8443/x", Repository(address="https://reg.example:8443", name="x")),
    ],
)
def test_a_name_as_in_docker_pull_leads_to_its_registry(name: str, place: Repository) -> None:
    assert locate(name, "") == place


def test_a_mirror_is_asked_in_the_registrys_place() -> None:
    assert locate("rocm/x", "http://mirror/") == Repository(address="http://mirror", name="rocm/x")


def test_a_token_server_that_does_not_answer_leaves_the_image_undecided(tmp_path: Path) -> None:
    def respond(asked: Asked) -> Reply:
        realm = f'Bearer realm="http://{asked.headers["host"]}/token"'
        return (
            Reply(status=503)
            if asked.path == "/token"
            else Reply(status=401, headers={"WWW-Authenticate": realm})
        )

    with serving(respond) as server:
        assert isinstance(find(bench(tmp_path, {}), server.address, rule())[0], Undecided)

"""Tonight's image for each kind of machine: the newest that matches exactly, and no older than allowed."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone

from generator.harness.night.http import Asker, Silence
from generator.harness.night.night_file import FixedImage, ImageRule
from generator.harness.night.registry import Refusal, Registry, locate
from generator.harness.night.text import count

# A build machine ahead of UTC may already have tomorrow's date; a tag of a later day is a misprint.
FUTURE_DAYS = 1


@dataclass(frozen=True, kw_only=True)
class Found:
    """The image that all jobs of this night use.

    Attributes:
        reference: as for `docker pull`; with a digest where the registry named one.
        tag: for a person.
        note: its age, and what could not be done.
    """

    reference: str
    tag: str
    note: str


@dataclass(frozen=True, kw_only=True)
class Missing:
    """There is no image that may be used, for a reason that will still hold in an hour."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Undecided:
    """The registry did not answer, so nobody knows."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Dated:
    """A tag that matches, and its day."""

    tag: str
    day: date


def find_images(
    rules: Mapping[str, FixedImage | ImageRule], keys: Iterable[str], asker: Asker
) -> dict[str, Found | Missing | Undecided]:
    """The image behind each key; a repository is listed once, however many keys look into it."""
    environment = asker.world.environment
    today = datetime.fromtimestamp(asker.world.now(), timezone.utc).date()
    listed: dict[str, tuple[Registry, tuple[str, ...] | Refusal | Silence]] = {}
    found: dict[str, Found | Missing | Undecided] = {}
    for key in keys:
        rule = rules[key]
        if isinstance(rule, FixedImage):
            found[key] = Found(reference=rule.reference, tag=rule.reference, note="fixed in the matrix")
            continue
        if rule.repository not in listed:
            place = locate(rule.repository, environment.get("NIGHTGRID_REGISTRY", ""))
            registry = Registry(asker, place)
            listed[rule.repository] = (registry, registry.tags())
        registry, tags = listed[rule.repository]
        found[key] = find_image(rule, tags, registry, today)
    return found


def find_image(
    rule: ImageRule, tags: tuple[str, ...] | Refusal | Silence, registry: Registry, today: date
) -> Found | Missing | Undecided:
    """Tonight's image by one rule."""
    if isinstance(tags, Refusal):
        return Missing(why=tags.why)
    if isinstance(tags, Silence):
        return Undecided(why=f"the image registry did not answer: {tags.why}")
    newest = newest_tag(rule.tag, tags, today)
    if isinstance(newest, Missing):
        return Missing(why=f"{rule.repository}: {newest.why}")
    age_days = (today - newest.day).days
    if age_days > rule.max_age_days:
        return Missing(
            why=f"{rule.repository}: the newest image {newest.tag} is {count(age_days, 'day')} old, "
            f"{rule.max_age_days:g} allowed"
        )
    return with_digest(rule.repository, newest.tag, registry, f"{count(max(age_days, 0), 'day')} old")


def with_digest(repository: str, tag: str, registry: Registry, note: str) -> Found | Missing:
    """The tag as a digest: a tag that is pushed again in the night would give one night two images."""
    digest = registry.digest(tag)
    if isinstance(digest, Refusal):
        return Missing(why=f"{repository}:{tag} is listed but cannot be had: {digest.why}")
    if isinstance(digest, Silence):
        return Found(reference=f"{repository}:{tag}", tag=tag, note=f"{note}; by tag, as {digest.why}")
    return Found(reference=f"{repository}@{digest}", tag=tag, note=note)


def newest_tag(pattern: re.Pattern[str], tags: Iterable[str], today: date) -> Dated | Missing:
    """The tag of the newest day among those that match as a whole; of one day, the greatest by natural order.

    A tag that holds the pattern only in part is of another branch, and is named in the reason, never used.
    """
    all_tags = tuple(tags)
    matches = [(tag, match) for tag in all_tags if (match := pattern.fullmatch(tag))]
    dated = [
        Dated(tag=tag, day=day)
        for tag, match in matches
        for day in days_of(match["date"])
        if day <= today + timedelta(days=FUTURE_DAYS)
    ]
    if dated:
        return max(dated, key=lambda entry: (entry.day, natural(entry.tag)))
    if matches:
        return Missing(
            why=f"{count(len(matches), 'tag')} match, none with a real day as its date ({matches[0][0]})"
        )
    near = [tag for tag in all_tags if pattern.search(tag)]
    partly = f"; {count(len(near), 'tag')} hold it only in part, such as {near[0]}" if near else ""
    return Missing(why=f"none of {count(len(all_tags), 'tag')} matches {pattern.pattern}{partly}")


def days_of(text: str | None) -> tuple[date, ...]:
    """The day in a date group (`20261130`, `2026-11-30`), or nothing when it is no day."""
    digits = re.sub(r"[-._]", "", text or "")
    if not re.fullmatch(r"\d{8}", digits, re.ASCII):
        return ()
    try:
        return (date(int(digits[:4]), int(digits[4:6]), int(digits[6:])),)
    except ValueError:
        return ()


def natural(tag: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which v0.5.10 comes after v0.5.9."""
    return tuple(
        (1, int(part), "") if part.isdecimal() else (0, 0, part) for part in re.findall(r"\d+|\D+", tag)
    )

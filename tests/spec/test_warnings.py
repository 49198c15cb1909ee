"""What a second reading of the designs found about warnings, shares of the budget, chunks and unused sessions: t25."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from service_tools import serving, session_path
from talk_tools import ranges, talk

from onrecord import Context, Memory, Session
from onrecord.profiles import PROFILES

LATER = "What did Ana repair in Porto?"
RANGE = re.compile(
    r"(?:Message (\d+) is|Messages (\d+) to (\d+) are|([\d,]+) of the messages (\d+) to (\d+) are) neither"
)


def opened(profile: str, summarize: str, **more: Any) -> Memory:
    return Memory(":memory:", profile=profile, summarize=summarize, embedder=None, **more)


def seen(chat: Session, context: Context) -> set[int]:
    """Numbers of the messages that a prompt shows in any way, or that summaries of the plan stand for."""
    numbers = {message.seq for message in context.recent}
    for one in context.manifest:
        if one.included and one.kind in ("message", "question") and not one.session:
            numbers |= set(range(one.first, one.last + 1))
    return numbers


def told(context: Context) -> tuple[int, int, int] | None:
    """How many messages a warning says are missing, the first and the last."""
    found = [match for warning in context.warnings if (match := RANGE.match(warning))]
    if not found:
        return None
    (match,) = found
    one, first, last, many, begin, end = (int(part.replace(",", "")) if part else 0 for part in match.groups())
    return (1, one, one) if one else (last - first + 1, first, last) if first else (many, begin, end)


# Reserves and shares


@pytest.mark.parametrize("tokens", [None, 12_800])
def test_t25_reserves_and_shares_of_the_budget_are_readable(tokens: int | None) -> None:
    with opened("tiered", "inline") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 30))
        context = chat.context(LATER, tokens=tokens)
        limits = {section.name: section.limit for section in context.sections if section.limit}
        whole = {"system": 2_000, "question": 8_000, "recent": 70_800, "recalled": 47_200}
        assert limits == {name: share * context.budget // 128_000 for name, share in whole.items()}
        assert sum(limits.values()) == context.budget
        parts = {part["name"]: part.get("limit", 0) for part in context.in_short()["sections"]}
        assert {name: limit for name, limit in parts.items() if limit} == limits


# Warnings


@pytest.mark.parametrize("count", [12, 30, 130])
@pytest.mark.parametrize("summarize", ["manual", "inline"])
@pytest.mark.parametrize("profile", PROFILES)
def test_t25_a_warning_counts_what_is_missing_and_advises_what_helps(profile: str, summarize: str, count: int) -> None:
    with opened(profile, summarize) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, count))
        chat.forget(count - 5)  # in the window, where no prompt could show it
        for tokens in (300, 1_000, 4_000):
            context = chat.context(LATER, tokens=tokens)
            covered = max((last for _, last in ranges(chat)), default=0)
            missing = set(range(covered + 1, count + 1)) - seen(chat, context) - {count - 5}
            assert told(context) == ((len(missing), min(missing), max(missing)) if missing else None)
            warning = next((one for one in context.warnings if "neither shown" in one), "")
            due = {seq for first, last in chat.due() for seq in range(first, last + 1)}
            assert ("summarize()" in warning) == bool(due & missing)
            if "more tokens" in warning:
                more = told(chat.context(LATER, tokens=20 * tokens))
                assert more is None or more[0] < len(missing)
            if "summarize()" in warning:
                chat.summarize()
                after = told(chat.context(LATER, tokens=tokens))
                assert after is None or after[0] < len(missing)
                return  # from here on it is what it is in the other mode


@pytest.mark.parametrize("asked", [None, "What is it? " * 100])
@pytest.mark.parametrize("profile", PROFILES)
def test_t25_the_least_budget_that_a_warning_names_is_enough(profile: str, asked: str | None) -> None:
    with opened(profile, "inline") as memory:
        memory.session("other").add("user", "What is it?")
        chat = memory.session("s")
        chat.update(system="You are patient. " * 20)
        chat.add_many(talk(1, 40))
        chat.add("user", "A long line of a log. " * 300)
        (warning,) = (one for one in chat.context(asked, tokens=200).warnings if "was shortened" in one)
        least = int(re.findall(r"at least ([\d,]+) tokens", warning)[0].replace(",", ""))
        enough = chat.context(asked, tokens=least)
        assert not any("was shortened" in one for one in enough.warnings)
        must = [
            one for one in enough.manifest if one.section in ("system", "question") or one.reason == "among the newest"
        ]
        assert must
        assert all(one.included for one in must)
        # What is long goes without its middle in the window of balanced, whatever the budget.
        assert not any(one.shortened for one in must if profile != "balanced" or one.section == "question")


# Chunks


def test_t25_the_chunks_of_a_conversation_follow_merges() -> None:
    with opened("tiered", "inline", options={"most": 3}) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 91))
        found = chat.conversation().chunks
        assert [(one.first, one.last) for one in found] == [(1, 60), (61, 70), (71, 80)]
        assert found[0].text.startswith("Earlier: ")
        assert [message.seq for message in chat.conversation().recent] == list(range(81, 92))


@pytest.mark.parametrize("profile", PROFILES)
def test_t25_chunks_and_recent_messages_are_the_conversation_once(profile: str) -> None:
    with opened(profile, "inline") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 200))
        found = chat.conversation()
        covered = [seq for chunk in found.chunks for seq in range(chunk.first, chunk.last + 1)]
        assert covered + [message.seq for message in found.recent] == list(range(1, 201))


# Sessions that were never used


def test_t25_a_session_that_was_never_used_has_no_start() -> None:
    with Memory(":memory:") as memory:
        chat = memory.session("never")
        assert chat.info().created is None
        assert chat.conversation().started is None
        chat.context("Hello?")  # which only looks
        assert chat.info().created is None
        chat.add("user", "Hello.")
        assert chat.info().created is not None
        assert chat.conversation().started == chat.info().created


@pytest.mark.embedded
def test_t25_a_session_that_was_never_used_is_not_found_over_http(tmp_path: Path) -> None:
    with serving(tmp_path / "memory.db") as served:
        served.fails(404, "NotFound", "GET", session_path("never"))
        assert "started" not in served.ok("GET", session_path("never", "/conversation"))
        with Memory(served.url) as memory:
            assert memory.session("never").info().created is None
            memory.session("never").add("user", "Hello.")
            assert memory.session("never").info().created is not None
        assert served.ok("GET", session_path("never"))["last_seq"] == 1

"""A prompt in pieces: joined they are what is sent, and each says where it comes from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from onrecord import Memory, Session
from onrecord.context.pieces import pieces_of, unchanged
from onrecord.profiles import PROFILES


@pytest.fixture(scope="module")
def chat() -> Iterator[Session]:
    with Memory(":memory:", embedder=None, summarize="inline") as memory:
        memory.session("other").add("user", "The tram museum in Porto opens at nine.", name="Ana")
        chat = memory.session("trip")
        chat.update(system="You plan journeys.\n\n<memory>\nNot ours.\n</memory>")
        chat.add("user", "I'm allergic to penicillin. My name is Ana and I live in Berlin.")
        turns = (f"Stop {n}: the tram to museum {n} costs {n} euros.\n\nSecond line." for n in range(240))
        chat.add_many([("user" if n % 2 else "assistant", text) for n, text in enumerate(turns)])
        chat.pin("Window seats only", importance=0.9)
        for profile in PROFILES:
            chat.summarize(profile=profile)
        yield chat


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("tokens", [30, 200, 1_500, 100_000])
def test_joined_they_are_exactly_what_is_sent(chat: Session, profile: str, tokens: int) -> None:
    for question in (None, "When does the tram museum open?"):
        context = chat.context(question, tokens=tokens, profile=profile)
        joined = ["".join(piece.text for piece in pieces) for pieces in pieces_of(context)]
        assert joined == [message["content"] for message in context.messages()]


def test_every_piece_says_what_it_is_and_where_it_comes_from(chat: Session) -> None:
    context = chat.context("When does the tram museum in Porto open?", tokens=1_500)
    pieces = [piece for message in pieces_of(context) for piece in message]
    named = {section.name for section in context.sections if section.tokens}
    assert {piece.section for piece in pieces} == named
    assert {"system", "pins", "summaries", "recent", "recalled", "question", "frame"} <= named
    (pin,) = [piece for piece in pieces if piece.kind == "pin" and "Window" in piece.text]
    assert (pin.section, pin.text) == ("pins", "- Window seats only\n")
    assert any(piece.session == "other" and piece.first == 1 for piece in pieces if piece.section == "recalled")
    first = next(piece for piece in pieces if piece.section == "summaries")
    assert (first.first, first.kind) == (1, "summary")
    assert "<memory>\nNot ours." in next(piece.text for piece in pieces if piece.section == "system")


def test_a_prompt_begins_as_the_last_one_did(chat: Session) -> None:
    now = chat.info().last_seq
    earlier = chat.context(before=now - 1, tokens=1_500)
    context = chat.context(before=now + 1, tokens=1_500)
    same = unchanged(context, earlier)
    pieces = [piece for message in pieces_of(context) for piece in message]
    before = [piece for message in pieces_of(earlier) for piece in message]
    assert [one.text for one in pieces[: same.pieces]] == [one.text for one in before[: same.pieces]]
    assert 0 < same.pieces < len(pieces)
    assert 0 < same.share < 1
    assert 0 < same.tokens < context.tokens


def test_a_system_prompt_stays_the_beginning_when_a_block_comes_behind_it() -> None:
    with Memory(":memory:", embedder=None) as memory:
        chat = memory.session("trip")
        chat.update(system="You plan journeys.")
        chat.add("user", "Hello.")
        earlier = chat.context()
        chat.pin("Window seats only")
        same = unchanged(chat.context(), earlier)
        assert (same.pieces, same.share > 0.05) == (1, True)


def test_the_same_prompt_is_unchanged_and_another_system_prompt_changes_all(chat: Session) -> None:
    context = chat.context(tokens=1_500)
    assert unchanged(context, context).share == 1.0
    usual = chat.info().system
    chat.update(system="Something else.")
    assert unchanged(chat.context(tokens=1_500), context).pieces == 0
    chat.update(system=usual)

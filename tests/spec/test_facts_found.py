"""A fact is found by a search right after the message that states it, whoever asked before: t24."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from service_tools import serving

from onrecord import AsyncMemory, Memory
from onrecord.derive.learner import Learner
from onrecord.errors import Outrun
from onrecord.profiles import PROFILES

MODES = ("background", "inline", "manual")
PLACES = ("Porto", "Ghent", "Oslo", "Graz")


def opened(path: str | Path = ":memory:", **more: Any) -> Memory:
    return Memory(path, embedder=None, **more)


def found(memory: Memory, asked: str = "What is the user allergic to?") -> list[str]:
    return [hit.text for hit in memory.search(asked, kinds="fact")]


@pytest.mark.parametrize("summarize", MODES)
@pytest.mark.parametrize("profile", PROFILES)
def test_t24_a_fact_is_found_right_after_it_was_said(profile: str, summarize: str) -> None:
    with opened(profile=profile, summarize=summarize) as memory:
        chat = memory.session("s")
        chat.add("user", "I'm allergic to penicillin.")
        assert any("penicillin" in text for text in found(memory))
        assert memory.facts()
        chat.context("What is the user allergic to?")  # now all is at hand
        chat.add("user", "I'm allergic to walnuts.")
        assert any("walnuts" in text for text in found(memory))
        assert any(
            "walnuts" in hit.text for hit in chat.search("What is the user allergic to?", kinds=["fact", "episode"])
        )


@pytest.mark.parametrize("summarize", MODES)
def test_t24_whoever_said_it_and_whoever_asked_before(tmp_path: Path, summarize: str) -> None:
    path = tmp_path / "memory.db"
    with opened(path, summarize=summarize) as one, opened(path, summarize="manual") as other:
        assert found(one) == found(other) == []
        one.session("s").add("user", "I'm allergic to penicillin.")
        assert any("penicillin" in text for text in found(other))
        other.session("t").add_many([("user", "Hello."), ("user", "I'm allergic to walnuts.")])
        assert any("walnuts" in text for text in found(one))

        async def ask() -> list[str]:
            async with AsyncMemory(path, embedder=None, summarize=summarize) as memory:
                await memory.session("u").add("user", "I'm allergic to latex.")
                return [hit.text for hit in await memory.search("What is the user allergic to?", kinds="fact")]

        assert any("latex" in text for text in asyncio.run(ask()))


@pytest.mark.parametrize("summarize", MODES)
def test_t24_while_many_speak_and_ask(tmp_path: Path, summarize: str) -> None:
    with opened(tmp_path / "memory.db", summarize=summarize, debounce=0.0) as memory:

        def tell(at: int) -> bool:
            for place in PLACES:
                text = f"I'm allergic to {place}er nuts number {at}."
                memory.session(f"s{at % 2}").add("user", text)
                if not any(f"{place}er nuts number {at}" in one for one in found(memory, text)):
                    return False
            return True

        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(tell, range(4)))


def test_t24_what_others_kept_from_being_learned_is_learned_by_the_next_search(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(summarize="manual") as memory:
        memory.session("s").add("user", "I'm allergic to penicillin.")

        def outrun(learner: Learner, *_: Any) -> None:
            raise Outrun("Others were quicker.", "Try again.")

        with monkeypatch.context() as patch:
            patch.setattr(Learner, "_commit", outrun)
            assert found(memory) == []
        assert any("penicillin" in text for text in found(memory))


@pytest.mark.embedded
@pytest.mark.parametrize("summarize", MODES)
def test_t24_over_http(tmp_path: Path, summarize: str) -> None:
    with (
        serving(tmp_path / "memory.db", memory={"summarize": summarize}) as served,
        Memory(served.url) as memory,
    ):
        assert found(memory) == []
        memory.session("s").add("user", "I'm allergic to penicillin.")
        assert any("penicillin" in text for text in found(memory))

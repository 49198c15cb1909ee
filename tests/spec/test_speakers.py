"""SPEC.md g02: only names and roles of the session are speakers of a summary that goes on or merges."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from onrecord import Memory

SAID = (
    "https: was missing from the address of the harbour office in Bergen, so 40 ferries were late.",
    "Status: the timetable of the 12 islands was approved on 5 May by the county of Vestland.",
    "Note to all: the quay of Lerwick closes on 9 June because of the regatta with 300 boats.",
    "Result: the pump of the ferry Aurora was replaced for 4200 euros in Stavanger on 3 July.",
)
OPTIONS = {
    "rolling": {},
    "progressive": {"over": 300, "keep": 100, "kept_floor": 0.0},
    "tiered": {},
}


@pytest.mark.parametrize("profile", ["rolling", "progressive", "balanced"])
@pytest.mark.parametrize("name", ["Mara", None])
def test_g02_no_word_with_a_colon_becomes_a_speaker(profile: str, name: str | None) -> None:
    with Memory(":memory:", profile=profile, summarize="inline", options=OPTIONS.get(profile, {})) as memory:
        chat = memory.session("s")
        for turn in range(120):
            chat.add("user", f"{SAID[turn % 4]} It was day {turn} of the season.", name=name)
            chat.add("assistant", f"Noted: number {turn} is in the log of the harbour.")
        chat.flush()
        found = [one.text for one in chat.summaries(plan="all")]
    assert len(found) > 1
    for text in found:  # a speaker is named where another one spoke before, and nowhere else
        named = re.findall(r"\b(Mara|user|assistant): ", text)
        assert all(one != following for one, following in pairwise(named)), text


def test_g02_an_earlier_summary_keeps_its_speakers_alone() -> None:
    from onrecord.derive.spoken import SpokenPiece, read

    text = "Mara: The quay closes on 9 June. Status: the pump was replaced. https: was missing. assistant: It is noted."
    found = [(one.who, one.text) for one in read([SpokenPiece("", text, frozenset({"Mara"}))])]
    assert [who for who, _ in found] == ["Mara", "Mara", "Mara", "assistant"]
    assert found[1][1].startswith("Status:")
    nobody = [one.who for one in read([SpokenPiece("", text.removeprefix("Mara: "), frozenset({"Mara"}))])]
    assert nobody[0] == ""

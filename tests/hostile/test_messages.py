"""One message, however hostile, changes nothing for the others, and nothing of its space fails for it."""

import pytest
from model_tools import Scripted

from onrecord import Memory
from onrecord.profiles import PROFILES

GOOD = "They move to Porto in September and rent Mrs. Almeida's flat for 950 euros a month."


def test_a_short_form_of_nothing_is_read() -> None:
    with Memory(":memory:") as memory:
        one, other = memory.session("a"), memory.session("b")
        one.add("user", "n't is a token. I love green tea.")
        other.add("user", "I live in Porto.")
        assert [fact.session for fact in memory.facts()] == ["a", "b"]
        assert memory.episodes() == []
        memory.consolidate()
        assert one.flush()
        one.summarize()
        assert other.arc().beginning
        memory.rebuild()


@pytest.mark.parametrize("profile", PROFILES)
def test_a_number_without_end_is_no_number(profile: str) -> None:
    with Memory(":memory:", profile=profile, model=Scripted(GOOD)) as memory:
        session = memory.session("s")
        session.add("user", "hundred " * 6000)
        for number in range(60):
            session.add("user" if number % 2 else "assistant", f"{GOOD} ({number})")
        session.summarize()
        assert session.flush()
        memory.rebuild()

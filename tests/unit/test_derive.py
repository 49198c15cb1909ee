"""What is derived under odd conditions: nothing loops, nothing forgotten comes back, corrections reach the prompt."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from benchmarks.texts import messages
from onrecord import InvalidInput, InvalidSetting, Memory, Session
from onrecord.profiles import PROFILES
from onrecord.records import Query

SECRET = "The secret word is quicksilver, and I prefer quicksilver."


@pytest.fixture(params=PROFILES)
def memory(request: pytest.FixtureRequest) -> Iterator[Memory]:
    with Memory(":memory:", profile=request.param) as memory:
        yield memory


def talked(chat: Session, count: int) -> Session:
    chat.add_many(islice(messages(), count))
    return chat


@pytest.mark.parametrize(
    ("profile", "options"),
    [
        ("progressive", {"over": 200_000}),
        ("hybrid", {"every": 1000}),
        ("rolling", {"from_messages": 5000, "from_tokens": 9_000_000}),
        ("tiered", {"over": 1000}),
        ("balanced", {"units": 2000, "topics": False}),
    ],
)
def test_a_long_way_to_the_next_node_ends(profile: str, options: dict[str, int]) -> None:
    with Memory(":memory:", profile=profile, options=options, summarize="manual") as memory:
        chat = talked(memory.session("s"), 950)
        assert chat.summarize().made == ()
        assert chat.rebuild() == 0
        chat.add("user", "One more.")
        assert chat.due() == []


def test_a_node_that_no_tool_call_lets_end_is_waited_for() -> None:
    with Memory(":memory:") as memory:
        chat = memory.session("s")
        chat.add_many([("tool", f"result {number}") for number in range(900)])
        assert chat.summarize().made == ()


def test_options_that_plan_beyond_the_journal_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="size"):
        Memory(":memory:", profile="tiered", options={"over": 5, "size": 10})


Act = Callable[[Session, str], object]


@pytest.mark.parametrize(
    "act",
    [
        lambda chat, id: chat.lock_summary(id),
        lambda chat, id: chat.edit_summary(id, "Corrected."),
        lambda chat, id: chat.summarize(1, 20),
        lambda chat, id: chat.rebuild(),
    ],
)
def test_what_is_forgotten_meanwhile_does_not_come_back(act: Act, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(":memory:", profile="hybrid") as memory:
        chat = memory.session("s")
        chat.add("user", SECRET)
        talked(chat, 40)
        id = next(chat.summaries()).id
        commit = memory._store.commit
        met: list[Any] = []

        def forgetting(batch: Any) -> Any:
            if (batch.records or batch.drops) and not met:
                met.append(batch)
                memory.space("default").session("s").forget(1)
            return commit(batch)

        monkeypatch.setattr(memory._store, "commit", forgetting)
        act(chat, id)
        assert met
        told = [str(one.to_dict()) for one in chat.summaries()] + [str(chat.important().to_dict()), str(chat.context())]
        assert not any("quicksilver" in text for text in told)


def test_a_correction_is_not_lost_to_a_rebuild_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(":memory:", profile="hybrid") as memory:
        chat = talked(memory.session("s"), 40)
        id = next(chat.summaries()).id
        commit = memory._store.commit
        met: list[Any] = []

        def correcting(batch: Any) -> Any:
            if batch.drops and not met:
                met.append(batch)
                chat.edit_summary(id, "Corrected.")
            return commit(batch)

        monkeypatch.setattr(memory._store, "commit", correcting)
        chat.rebuild()
        assert [one.text for one in chat.summaries() if one.id == id] == ["Corrected."]


def test_pins_that_differ_in_one_word_are_both_there(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add("user", "Hello")
    for text in (
        "Do not call before 9 in the morning",
        "Do call before 9 in the morning",
        "do NOT call before 9, in the morning",
    ):
        chat.pin(text)
    pins = [(one.included, one.text) for one in chat.context("And?").manifest if one.kind == "pin"]
    assert sum(included for included, _ in pins) == 2
    assert len(pins) == 3


def test_pins_may_have_all_the_room_that_nobody_else_needs(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add("user", "Hello")
    for number in range(5):
        chat.pin(f"Pin {number}: " + "a long and important thing to keep in mind at all times " * 5)
    context = chat.context("And?", tokens=1500)
    assert sum(one.included for one in context.manifest if one.kind == "pin") == 5


def test_important_data_set_by_hand_are_in_every_prompt(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add("user", "Hello")
    chat.set_important({"key_decisions": ["We use PostgreSQL"]})
    assert "We use PostgreSQL" in str(chat.context("And?"))
    with pytest.raises(InvalidInput):
        chat.set_important({"key_decisions": "one"})


@pytest.mark.parametrize("profile", ["balanced", "progressive"])
def test_cleared_important_data_stay_cleared(profile: str) -> None:
    with Memory(":memory:", profile=profile) as memory:
        chat = memory.session("s")
        chat.add("user", "See https://example.com/old for it.")
        talked(chat, 200)
        chat.set_important({})
        talked(chat, 400)
        assert chat.important().source_urls == ()
        assert not any("example.com/old" in one.text for one in chat.context("And?").manifest if one.kind == "fact")


@pytest.mark.parametrize("profile", ["rolling", "progressive", "tiered", "balanced"])
def test_a_late_correction_reaches_what_was_built_on_it(profile: str) -> None:
    options = {"most": 3} if profile == "tiered" else {}
    with Memory(":memory:", profile=profile, options=options) as memory:
        chat = talked(memory.session("s"), 300)
        first = next(chat.summaries(level=1))
        chat.edit_summary(first.id, "Ana is allergic to penicillin.")
        before = [(one.plan, one.level, one.first, one.last, one.text) for one in chat.summaries()]
        assert "penicillin" in str(chat.context("And?", tokens=6000))
        chat.rebuild()
        assert [(one.plan, one.level, one.first, one.last, one.text) for one in chat.summaries()] == before


def test_a_node_that_waits_is_stood_in_for_and_said() -> None:
    with Memory(":memory:", summarize="manual") as memory:
        chat = talked(memory.session("s"), 400)
        chat.summarize()
        chat.edit_summary(next(chat.summaries(level=1)).id, "Ana is allergic to penicillin.")
        context = chat.context("And?", tokens=3000)
        assert "penicillin" in str(context)
        chat.forget(30)
        assert any("missing" in warning for warning in chat.context("And?", tokens=30_000).warnings) or chat.due()


def test_a_rebuild_leaves_other_profiles_alone(tmp_path: Any) -> None:
    path = tmp_path / "m.db"
    for profile in ("balanced", "rolling"):
        with Memory(path, profile=profile) as memory:
            talked(memory.session("s"), 100)
    with Memory(path, profile="rolling") as memory:
        chat = memory.session("s")
        chat.edit_summary(list(chat.summaries())[2].id, "Corrected.")
        chat.rebuild()
    with Memory(path, profile="balanced") as memory:
        assert len(list(memory.session("s").summaries())) >= 8
        marks = memory._store.records("default", "s", Query(kind="mark"))
        assert len([mark for mark in marks if mark.plan != "learned"]) == 2


def test_a_small_budget_first_does_not_spoil_a_large_one() -> None:
    with Memory(":memory:") as memory:
        chat = talked(memory.session("s"), 1500)
        chat.context("And?", tokens=200)
        after = chat.context("And?", tokens=20_000)
        chat.refresh()
        assert chat.context("And?", tokens=20_000).messages() == after.messages()
        assert after.warnings == ()


def test_an_empty_session_and_no_room_at_all() -> None:
    with Memory(":memory:") as memory, pytest.raises(InvalidInput, match="Give at least"):
        memory.session("s").context(tokens=2)

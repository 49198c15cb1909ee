"""What the tiered design says of the long memory, in every profile that has one: t04 to t09, t17, t18, t20."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from longterm_tools import Hands, chatter, claim, day, opened, tell, texts, values_of, write, writes
from recall_tools import Toy

from onrecord import InvalidInput, Memory, NotFound
from onrecord.profiles import PROFILES, options_of
from onrecord.records import FACT_KINDS, RELATION_TYPES, Fact, FactKind, RelationType
from onrecord.settings import ProfileName

HOME = {"subject": "Ana", "attribute": "home"}


def at_home(memory: Memory, value: str, **more: Any) -> Fact:
    given: dict[str, Any] = HOME | more
    return memory.add_fact(f"Ana lives in {value}.", value=value, **given)


# t04: kinds


@pytest.mark.parametrize(
    ("kind", "importance"),
    [
        ("fact", 0.5),
        ("decision", 0.7),
        ("preference", 0.6),
        ("entity", 0.5),
        ("procedure", 0.5),
        ("constraint", 0.6),
        ("goal", 0.8),
    ],
)
def test_t04_kinds_and_what_they_are_worth(kind: FactKind, importance: float) -> None:
    with opened() as memory:
        added = memory.add_fact("Ships sail at noon.", kind=kind)
        assert (added.kind, added.importance) == (kind, importance)
        assert [fact.id for fact in memory.facts(kind=kind)] == [added.id]
        others = [other for other in FACT_KINDS if other != kind]
        assert memory.facts(kind=others) == []
        assert memory.add_fact("Ships sail at ten.", kind=kind, importance=0.33).importance == 0.33


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I live in Lisbon.", "fact"),
        ("We decided to use SQLite for the journal.", "decision"),
        ("I prefer dark mode.", "preference"),
        ("I'm allergic to penicillin.", "constraint"),
        ("My goal is to run a marathon.", "goal"),
    ],
)
def test_t04_what_is_said_has_its_kind(said: str, kind: FactKind) -> None:
    with opened() as memory:
        tell(memory.session("s"), said)
        assert {fact.kind for fact in memory.facts()} == {kind}


# t05: what is kept of each


def test_t05_the_fields_of_a_fact_that_was_said(tmp_path: Path) -> None:
    clock = Hands(day(3))
    with opened(tmp_path / "m.db", clock) as memory:
        chat = memory.session("s")
        chatter(chat, 2)
        tell(chat, "I live in Lisbon.")
        clock.on(1)
        memory.search("Lisbon", kinds="fact")
    with opened(tmp_path / "m.db", clock) as memory:
        (fact,) = memory.facts()
        assert (fact.session, fact.sources, fact.text) == ("s", (3,), "I live in Lisbon.")
        assert (fact.subject, fact.attribute, fact.value) == ("user", "home", "Lisbon")
        assert (fact.valid_from, fact.valid_until, fact.said, fact.extracted) == (day(3), None, day(3), day(3))
        assert (fact.access_count, fact.last_access) == (1, day(4))
        assert (fact.origin, fact.speaker, fact.method) == ("user", "user", "rules")
        assert 0 < fact.tokens <= 8
        assert fact.decay == 1.0
        assert fact.category
        assert isinstance(fact.tags, tuple)
        assert fact.id.startswith("fact_")
        assert memory.fact(fact.id) == fact


def test_t05_the_fields_of_a_fact_that_was_told() -> None:
    with opened(clock=Hands(day(9))) as memory:
        fact = at_home(
            memory,
            "Porto",
            category="home",
            tags=["north", "sea"],
            confidence=0.9,
            valid_from=day(1),
            valid_until="2026-12-24",
        )
        assert (fact.category, fact.tags, fact.confidence) == ("home", ("north", "sea"), 0.9)
        assert (fact.valid_from, fact.valid_until) == (day(1), day(357))
        assert (fact.session, fact.method, fact.origin) == ("facts", "hand", "hand")
        found = memory.facts(tags="sea", categories="home", confidence=0.9, subject="ana", attribute="HOME")
        assert found == [fact]
        assert memory.facts(tags="south") == memory.facts(categories="work") == memory.facts(confidence=0.91) == []


def test_t05_relations_are_found_with_type_strength_and_since() -> None:
    with opened(clock=Hands(day(9))) as memory:
        one, other = at_home(memory, "Porto"), memory.add_fact("The rent is 900 euros.")
        made = memory.relate(other.id, "depends_on", one.id, strength=0.4)
        (found,) = memory.relations(one.id)
        assert found == made
        assert (found.target, found.type, found.strength, found.since) == (one.id, "depends_on", 0.4, day(9))


def test_t05_facts_have_vectors() -> None:
    toy = Toy()
    with opened(embedder=toy) as memory:
        memory.add_fact("The cats sleep here.")
        hits = memory.search("catnip", kinds="fact")
        assert "The cats sleep here." in toy.embedded
        assert hits[0].parts["meaning"] > 0
        memory.flush()
        assert memory._store.plans("default")


# t06: decay


@pytest.mark.parametrize(("days", "times", "left"), [(0, 0, 1.0), (30, 0, 0.5), (45, 0, 0.3536), (30, 3, 0.8)])
def test_t06_a_fact_fades(days: float, times: int, left: float) -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        fact = at_home(memory, "Porto")
        for _ in range(times):
            memory.search("Porto", kinds="fact")
        clock.on(days)
        assert memory.fact(fact.id).decay == memory.facts()[0].decay == left


def test_t06_said_again_it_is_present_again() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        at_home(memory, "Porto")
        clock.on(60)
        assert memory.facts()[0].decay == 0.25
        at_home(memory, "Porto")
        assert memory.facts()[0].decay == 1.0


# t07: accesses (more of it in tests/unit/test_accesses.py)


def test_t07_a_prompt_that_recalls_a_fact_counts_and_writes_nothing() -> None:
    clock = Hands()
    with opened(clock=clock, profile="tiered") as memory:
        fact = at_home(memory, "Porto")
        chat = memory.session("s")
        chatter(chat, 2)
        memory.search("boats")
        with writes(memory) as written:
            assert "Porto" in str(chat.context("Where does Ana live, in Porto?"))
        assert not written
        assert memory.fact(fact.id).access_count == 1
        memory.flush()
        assert memory._store.tally("default", "taken ") == {f"taken {fact.id}": 1}


def test_t07_what_is_not_found_is_not_counted() -> None:
    with opened(profile="tiered") as memory:
        at_home(memory, "Porto")
        other = memory.add_fact("The harbour closes at noon.")
        memory.search("Where does Ana live, in Porto?", kinds="fact")
        assert memory.fact(other.id).access_count == 0


# t08: time travel


def test_t08_facts_at_a_moment() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        for value in ("Lisbon", "Porto", "Faro"):
            at_home(memory, value)
            clock.on(10)
        assert [values_of(memory, as_of=day(at)) for at in (0, 9, 10, 25, 99)] == [
            ["Lisbon"],
            ["Lisbon"],
            ["Porto"],
            ["Faro"],
            ["Faro"],
        ]
        assert [fact.status for fact in memory.facts(as_of=day(15), status=None)] == ["superseded", "active", "pending"]
        assert memory.facts(as_of=day(15))[0].status == "active"


def test_t08_search_at_a_moment() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        at_home(memory, "Lisbon")
        clock.on(10)
        at_home(memory, "Porto")
        now = {hit.text for hit in memory.search("Where does Ana live?", kinds="fact")}
        then = {hit.text for hit in memory.search("Where does Ana live?", kinds="fact", as_of=day(5))}
        assert (now, then) == ({"Ana lives in Porto."}, {"Ana lives in Lisbon."})
        assert list(memory.search("Where does Ana live?", kinds="fact", as_of=day(-1))) == []


@pytest.mark.parametrize("profile", ["balanced", "tiered"])
def test_t08_a_prompt_of_a_moment(profile: str) -> None:
    clock = Hands()
    with opened(clock=clock, profile=profile) as memory:
        chat = memory.session("s")
        tell(chat, "Good morning to all of you.")
        at_home(memory, "Lisbon")
        clock.on(10)
        at_home(memory, "Porto")
        tell(chat, "What a lovely day it is.")
        then = str(chat.context("Where does Ana live: Lisbon, Porto?", as_of=day(5)))
        now = str(chat.context("Where does Ana live: Lisbon, Porto?"))
        assert ("lives in Lisbon" in then, "lives in Porto" in then, "lovely" in then) == (True, False, False)
        assert ("lives in Lisbon" in now, "lives in Porto" in now, "lovely" in now) == (False, True, True)


def test_t08_pins_at_a_moment() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        clock.on(1)
        tell(chat, "I'm allergic to penicillin.")
        clock.on(1)
        chat.pin("Call the doctor.")
        assert [pin.text for pin in chat.pins(as_of=day(0.5))] == []
        assert [pin.text for pin in chat.pins(as_of=day(1.5))] == ["I'm allergic to penicillin."]
        assert len(chat.pins(as_of=day(9))) == len(chat.pins()) == 2


def test_t08_summaries_and_episodes_at_a_moment() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        for number in range(1, 5):
            chat.add("user", f"The boat number {number} is green.")
            clock.on(1)
        for first, last in ((1, 2), (3, 4)):
            chat.summarize(first, last)
            chat.add_episode(f"boats {first}", first=first, last=last)
        assert [one.last for one in chat.summaries(as_of=day(2.5))] == [2]
        assert [one.last for one in chat.summaries(as_of=day(0.5))] == []
        assert [one.last for one in chat.summaries(as_of=day(90))] == [2, 4]
        assert [one.last for one in memory.episodes(as_of=day(2.5))] == [2]
        assert [one.last for one in memory.episodes(as_of=day(90))] == [2, 4]


def test_t08_relations_at_a_moment() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        old = at_home(memory, "Lisbon")
        clock.on(10)
        new = at_home(memory, "Porto")
        clock.on(10)
        made = memory.relate(old.id, "caused_by", new.id)
        assert memory.relations(as_of=day(5)) == []
        assert [one.type for one in memory.relations(as_of=day(15))] == ["supersedes"]
        assert [one.type for one in memory.relations(as_of=day(25))] == ["supersedes", "caused_by"]
        assert memory.relations(type="caused_by") == [made]


# t09: relations


@pytest.mark.parametrize("type", RELATION_TYPES)
def test_t09_each_type_in_both_directions(type: RelationType) -> None:
    with opened() as memory:
        one, other, third = (memory.add_fact(f"Ship {number} is green.") for number in range(3))
        made = memory.relate(one.id, type, other.id, strength=0.7)
        assert memory.relations(one.id) == memory.relations(other.id) == memory.relations(type=type) == [made]
        assert memory.relations(third.id) == []
        memory.unrelate(made.id)
        assert memory.relations() == []


def test_t09_episodes_too() -> None:
    with opened() as memory:
        fact = memory.add_fact("The ship is green.")
        episode = memory.session("s").add_episode("Painted the ship")
        made = memory.relate(fact.id, "caused_by", episode.id)
        assert memory.relations(episode.id) == [made]


def test_t09_those_that_follow_from_the_facts() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        old = at_home(memory, "Lisbon")
        clock.on(10)
        new = at_home(memory, "Porto")
        unsure = at_home(memory, "Faro", confidence=0.4)
        derived = [(one.source, one.type, one.target, one.derived) for one in memory.relations(new.id)]
        assert (new.id, "supersedes", old.id, True) in derived
        pair = tuple(sorted((new.id, unsure.id)))
        assert (pair[0], "contradicts", pair[1], True) in derived


def test_t09_what_leads_nowhere_vanishes() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "I live in Lisbon.")
        (said,) = memory.facts()
        told = memory.add_fact("The rent is 900 euros.")
        memory.relate(told.id, "depends_on", said.id)
        memory.relate(said.id, "related_to", told.id)
        chat.forget(1)
        assert memory.relations() == memory.relations(told.id) == []
        assert memory.fact(told.id).status == "active"


def test_t09_what_depends_on_what_no_longer_holds_is_suspect() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        home = at_home(memory, "Lisbon")
        school = memory.add_fact("The school is around the corner.")
        route = memory.add_fact("The way to school takes five minutes.")
        memory.relate(school.id, "depends_on", home.id)
        memory.relate(route.id, "depends_on", school.id)
        clock.on(10)
        moved = at_home(memory, "Porto")
        assert {fact.id for fact in memory.facts(status="suspect")} == {school.id, route.id}
        assert values_of(memory) == ["Porto"]
        assert {fact.id for fact in memory.facts(as_of=day(5))} == {home.id, school.id, route.id}
        memory.forget(fact=moved.id)
        assert memory.facts(status="suspect") == []


# t17: how a fact comes to count


def test_t17_one_that_is_not_sure_waits() -> None:
    with opened(clock=Hands(day(2))) as memory:
        chat = memory.session("s")
        chatter(chat, 1)
        tell(chat, "I think I live in Porto.")
        assert memory.facts() == []
        (fact,) = memory.facts(status="pending")
        assert (fact.sources, fact.confidence, fact.extracted, fact.promoted) == ((2,), 0.5, day(2), False)


def test_t17_promoted_by_hand_and_rejected() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        old = at_home(memory, "Lisbon")
        clock.on(1)
        unsure = at_home(memory, "Porto", confidence=0.5)
        assert (unsure.status, unsure.promoted) == ("pending", False)
        clock.on(1)
        assert (memory.promote_fact(unsure.id).promoted, values_of(memory)) == (True, ["Porto"])
        assert memory.fact(unsure.id).history[-1] == {
            "status": "active",
            "time": day(2).isoformat(),
            "why": "promoted",
            "by": "hand",
        }
        assert memory.fact(old.id).status == "superseded"
        memory.reject_fact(unsure.id)
        assert (values_of(memory), memory.fact(unsure.id).status) == (["Lisbon"], "rejected")
        memory.restore(unsure.id)
        assert values_of(memory) == ["Porto"]


def test_t17_said_twice_it_counts() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        tell(memory.session("s"), "I think I live in Porto.")
        clock.on(1)
        tell(memory.session("t"), "I think I live in Porto.")
        (fact,) = memory.facts()
        assert (fact.promoted, fact.confidence, len(fact.confirmed)) == (True, 0.75, 1)
        memory.forget(session="t", messages=1)
        assert memory.facts() == []


@pytest.mark.parametrize(("promoted_at", "status"), [(0.4, "active"), (0.5, "active"), (0.6, "pending")])
def test_t17_the_threshold_is_an_option(promoted_at: float, status: str) -> None:
    with opened(options={"promoted_at": promoted_at}) as memory:
        assert at_home(memory, "Porto", confidence=0.5).status == status


@pytest.mark.parametrize(
    "said", ["I'd like to thank you.", "Thanks, I'd love that!", "I'd love to hear from you soon."]
)
def test_t17_politeness_is_no_preference(said: str) -> None:
    with opened() as memory:
        tell(memory.session("s"), said)
        assert memory.facts(status=None) == []


def test_t17_a_correction_stands_beside_what_was_said() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        tell(memory.session("s"), "I live in Lisbon.")
        (said,) = memory.facts()
        clock.on(1)
        edited = memory.edit_fact(said.id, "I live in Lisboa.", value="Lisboa", importance=0.9, tags=["home"])
        assert (edited.text, edited.value, edited.importance, edited.tags) == (
            "I live in Lisboa.",
            "Lisboa",
            0.9,
            ("home",),
        )
        assert edited.sources == (1,)
        assert texts(memory, known_at=day(0.5)) == ["I live in Lisbon."]
        assert [hit.text for hit in memory.search("Lisboa", kinds="fact")] == ["I live in Lisboa."]
        memory.session("s").rebuild()
        assert texts(memory) == ["I live in Lisboa."]


def test_t17_a_forgotten_fact_is_not_found_again() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "I live in Lisbon.")
        (said,) = memory.facts()
        memory.forget(fact=said.id)
        assert memory.facts(status=None) == []
        chat.rebuild()
        assert memory.facts(status=None) == []
        assert [message.text for message in chat.history()] == ["I live in Lisbon."]
        assert list(memory.search("Lisbon", kinds="fact")) == []
        with pytest.raises(NotFound):
            memory.fact(said.id)


def test_t17_nothing_is_learned_from_memory_that_was_put_into_a_message() -> None:
    with opened() as memory:
        tell(memory.session("s"), "I live in Lisbon.", "I'm allergic to penicillin.")
        chat = memory.session("t")
        block = str(chat.context("Good morning!")).partition("</memory>")[0] + "</memory>"
        assert "I live in Lisbon." in block
        tell(chat, block, f"{block}\nGood morning!")
        chat.flush()
        assert {(fact.session, fact.confirmed) for fact in memory.facts()} == {("s", ())}


# t18: consolidation by itself (its rules in tests/unit/test_consolidation.py)


def test_t18_once_a_day_in_the_background() -> None:
    clock = Hands(day(60))
    with opened(clock=clock, profile="tiered", summarize="background", debounce=1.0) as memory:
        runs = watch(memory)
        old = replace(claim("Porto", 0, id="fact_old"), importance=0.5, sources=())
        write(memory, "s", old.record("rules"))
        chat = memory.session("s")
        for days, done in ((0, 1), (0.2, 1), (1, 2), (0.1, 2), (3, 3)):
            clock.on(days)
            tell(chat, "We sail to the island of Texel.")
            clock.on(seconds=2)
            memory._parts.deriving.look()
            settled(memory)
            assert runs() == done
        assert memory.fact("fact_old").status == "archived"
        assert memory.fact("fact_old").history[-1]["by"] == "consolidation"


def watch(memory: Memory) -> Any:
    """How often a memory was consolidated."""
    store, done = memory._store, [0]
    count = store.count

    def counted(space: str, changes: Any, at_least: Any = None) -> None:
        done[0] += "consolidated" in (at_least or {})
        count(space, changes, at_least)

    store.count = counted  # type: ignore[method-assign]
    return lambda: done[0]


def settled(memory: Memory) -> None:
    """Wait until the background has nothing to do."""
    worker = memory._parts.deriving
    with worker._news:
        assert worker._news.wait_for(lambda: not worker._current and not worker._asked, timeout=30)


def test_t18_two_memories_consolidate_once_a_day(tmp_path: Path) -> None:
    clock = Hands(day(60))
    with opened(tmp_path / "m.db", clock) as one, opened(tmp_path / "m.db", clock) as other:
        tell(one.session("s"), "We sail to the island of Texel.")
        first, second = (memory._parts.knowing.consolidator for memory in (one, other))
        assert first.due("default")
        first.run("default")
        assert not second.due("default")
        clock.on(1)
        assert second.due("default")


def test_t18_searches_and_prompts_do_without_what_is_archived() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        fact = at_home(memory, "Porto")
        memory.archive(fact.id)
        assert list(memory.search("Porto", kinds="fact")) == []
        assert "Porto" not in str(memory.session("s").context("Where does Ana live?"))
        memory.restore(fact.id)
        assert memory.search("Porto", kinds="fact")[0].id == fact.id
        assert "Porto" in str(memory.session("s").context("Where does Ana live?"))


# t20: the whole of it


def test_t20_start_add_context_search_end_flush(tmp_path: Path) -> None:
    clock = Hands()
    with opened(tmp_path / "m.db", clock, profile="tiered") as memory:
        first = memory.session("first")
        tell(first, "I'm allergic to penicillin.", "We decided to use SQLite for the journal.")
        closing = first.end()
        assert closing is not None
        assert closing.text
        assert memory.flush()
    clock.on(1)
    with opened(tmp_path / "m.db", clock, profile="tiered") as memory:
        second = memory.session("second")
        tell(second, "Good morning!")
        context = second.context("Which penicillin may the doctor give me?")
        recalled = [one for one in context.manifest if one.section == "recalled" and one.included]
        assert any(one.kind == "fact" and "allergic to penicillin" in one.text for one in recalled)
        assert "allergic to penicillin" in str(context)
        assert memory.search("penicillin", kinds="fact")[0].text == "I'm allergic to penicillin."
        assert first.id in {info.id for info in memory.sessions() if info.status == "ended"}
        facts = {fact.id for fact in memory.facts()}
        assert set(memory.session("first").conversation().facts) == facts


def test_t20_every_setting_of_the_table_has_its_default() -> None:
    options = options_of(PROFILES["tiered"])
    assert {
        "maxContextTokens": options["tokens"],
        "workingMemoryTokens": options["working_reserve"],
        "systemPromptTokens": options["system_reserve"],
        "chunkSize": options["size"],
        "maxRecentMessages": options["over"],
        "consolidationThresholdDays": options["archive_days"],
        "maxEpisodicMemories": options["episodes"],
        "retrievalTopK": options["recalled"],
        "shortTermRetentionTurns": options["retention"],
        "relevanceThreshold": options["relevance"],
        "recencyWeight": options["recency_weight"],
        "importanceWeight": options["importance_weight"],
    } == {
        "maxContextTokens": 128_000,
        "workingMemoryTokens": 8_000,
        "systemPromptTokens": 2_000,
        "chunkSize": 10,
        "maxRecentMessages": 20,
        "consolidationThresholdDays": 30,
        "maxEpisodicMemories": 100,
        "retrievalTopK": 10,
        "shortTermRetentionTurns": 50,
        "relevanceThreshold": 0.3,
        "recencyWeight": 0.2,  # the scoring section's, which the table contradicts
        "importanceWeight": 0.1,
    }


# Scope


@pytest.mark.parametrize(
    ("profile", "shared"),
    [("balanced", True), ("tiered", True), ("hybrid", False), ("progressive", False), ("rolling", False)],
)
def test_facts_are_shared_by_the_sessions_of_a_space_or_not(profile: ProfileName, shared: bool) -> None:
    clock = Hands()
    with opened(clock=clock, profile=profile) as memory:
        tell(memory.session("one"), "I live in Lisbon.")
        clock.on(1)
        tell(memory.session("other"), "I live in Porto.")
        homes = values_of(memory, attribute="home")
        assert homes == (["Porto"] if shared else ["Lisbon", "Porto"])
        assert [fact.value for fact in memory.session("one").facts()] == ([] if shared else ["Lisbon"])


@pytest.mark.parametrize("profile", PROFILES)
def test_spaces_never_see_each_other(profile: ProfileName) -> None:
    clock = Hands()
    with opened(clock=clock, profile=profile, space="ana") as ana:
        bob = ana.space("bob")
        tell(ana.session("s"), "I'm allergic to penicillin.", "I live in Lisbon.")
        ana.session("s").add_episode("Went to the doctor in Lisbon")
        secret = at_home(ana, "Setubal")
        clock.on(1)
        tell(bob.session("s"), "I live in Porto.")
        assert bob.facts(status=None, attribute="home")[0].value == "Porto"
        assert len(bob.facts(status=None)) == 1
        assert "Lisbon" in values_of(ana)
        assert bob.episodes(status=None) == []
        assert bob.relations() == []
        assert list(bob.search("penicillin Lisbon Setubal", kinds=["fact", "episode"])) == [
            hit for hit in bob.search("penicillin Lisbon Setubal", kinds="fact") if hit.text == "I live in Porto."
        ]
        prompt = str(bob.session("s").context("Where does Ana live, Lisbon or Setubal? And the penicillin?"))
        assert "allergic" not in prompt
        assert "I live in Lisbon" not in prompt
        assert bob.session("s").pins() == []
        for name in ("fact", "promote_fact", "reject_fact", "archive", "restore"):
            with pytest.raises(NotFound):
                getattr(bob, name)(secret.id)
        with pytest.raises(NotFound):
            bob.forget(fact=secret.id)
        with pytest.raises(NotFound):
            bob.relate(secret.id, "related_to", bob.facts()[0].id)
        assert ana.fact(secret.id).status == "active"


# What comes in

BROKEN = "a\ud800b"
HUGE = "x" * 600
NO_KIND: tuple[Any, ...] = ("nonsense", 7, ["fact", "x"], BROKEN)
NO_STATUS: tuple[Any, ...] = ("nonsense", 7, [3])
NO_TIME: tuple[Any, ...] = ("once", 5, [], BROKEN)
BAD: list[tuple[str, dict[str, Any]]] = [
    *[("facts", {"kind": one}) for one in NO_KIND],
    *[("facts", {"status": one}) for one in NO_STATUS],
    *[("facts", {name: one}) for name in ("as_of", "known_at", "since", "until") for one in NO_TIME],
    *[("facts", {name: one}) for name in ("session", "subject", "attribute") for one in ("", 5, HUGE, BROKEN)],
    *[("facts", {name: one}) for name in ("categories", "tags") for one in (5, [5], [""], [HUGE], BROKEN)],
    *[("facts", {name: one}) for name in ("importance", "confidence") for one in ("high", None, True, float("nan"))],
    *[("facts", {"limit": one}) for one in (-1, "all", 1.5, True, 10**30)],
    *[(name, {"id": one}) for name in ("fact", "promote_fact", "reject_fact") for one in ("", 5, None, HUGE, BROKEN)],
    *[(name, {"id": one}) for name in ("archive", "restore", "unrelate") for one in ("", 5, None, HUGE, BROKEN)],
    *[("add_fact", {"text": one}) for one in ("", "  \n", 5, None, b"x", BROKEN, "nul\0")],
    *[("add_fact", {"text": "x", "kind": one}) for one in ("", "nonsense", None, 5)],
    *[
        ("add_fact", {"text": "x", name: 5})
        for name in ("subject", "attribute", "value", "category", "tags", "session")
    ],
    *[("add_fact", {"text": "x", name: HUGE}) for name in ("subject", "attribute", "value", "category", "session")],
    *[("add_fact", {"text": "x", name: BROKEN}) for name in ("subject", "attribute", "value", "category", "session")],
    *[("add_fact", {"text": "x", name: "much"}) for name in ("confidence", "importance", "valid_from", "valid_until")],
    ("add_fact", {"text": "x", "tags": [""]}),
    ("edit_fact", {"id": "fact_1"}),
    ("edit_fact", {"id": "fact_1", "text": ""}),
    ("edit_fact", {"id": "fact_1", "status": "active"}),
    ("edit_fact", {"id": "fact_1", "nonsense": 5}),
    ("edit_fact", {"id": "fact_1", "valid_from": None}),
    ("edit_fact", {"id": "fact_1", "kind": "nonsense"}),
    ("edit_fact", {"id": "fact_1", "tags": [HUGE]}),
    ("edit_fact", {"id": 5, "text": "x"}),
    ("relate", {"source": "a", "type": "nonsense", "target": "b"}),
    ("relate", {"source": 5, "type": "part_of", "target": "b"}),
    ("relate", {"source": "a", "type": "part_of", "target": BROKEN}),
    ("relate", {"source": "a", "type": "part_of", "target": "b", "strength": "strong"}),
    ("relations", {"id": ""}),
    ("relations", {"type": "nonsense"}),
    ("relations", {"as_of": "once"}),
    *[("episodes", {"kind": one}) for one in ("nonsense", 7, [3])],
    *[("episodes", {"status": one}) for one in ("nonsense", 7)],
    ("episodes", {"session": ""}),
    ("episodes", {"significance": "much"}),
    ("episodes", {"as_of": "once"}),
    ("forget", {"fact": ""}),
    ("forget", {"fact": 5}),
    ("forget", {"fact": "fact_1", "session": "s"}),
    ("forget", {"fact": "fact_1", "messages": 1}),
]
UNKNOWN: list[tuple[str, dict[str, Any]]] = [
    *[(name, {"id": "fact_1"}) for name in ("fact", "promote_fact", "reject_fact", "archive", "restore", "unrelate")],
    *[(name, {"id": "episode_1"}) for name in ("archive", "restore")],
    ("edit_fact", {"id": "fact_1", "text": "x"}),
    ("relate", {"source": "a", "type": "part_of", "target": "b"}),
    ("forget", {"fact": "fact_1"}),
]


@pytest.mark.parametrize(("method", "given"), BAD)
def test_what_cannot_be_is_refused_with_a_hint(method: str, given: dict[str, Any]) -> None:
    with opened() as memory:
        with pytest.raises(InvalidInput) as refused:
            getattr(memory, method)(**given)
        assert refused.value.hint
        assert memory.facts(status=None) == []
        assert list(memory.sessions()) == []


@pytest.mark.parametrize(("method", "given"), UNKNOWN)
def test_what_is_not_there_is_said_with_a_hint(method: str, given: dict[str, Any]) -> None:
    with opened() as memory:
        with pytest.raises(NotFound) as missing:
            getattr(memory, method)(**given)
        assert missing.value.hint


def test_every_script_and_a_long_text() -> None:
    with opened() as memory:
        for text in ("安娜住在里斯本。", "🦑 lives 🪆", "ʼn ﷺ ‮reversed", "line\none\ttwo", "word " * 20_000):
            fact = memory.add_fact(text, subject="ä🦑", attribute="里", value="ﷺ")
            assert fact.text == text
            assert memory.forget(fact=fact.id).records == 1
        assert memory.facts(status=None) == []


# At once


def test_threads_that_add_and_decide_lose_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", summarize="manual") as memory:
        shared = memory.add_fact("The shared ship is green.")
        failed: list[BaseException] = []

        def work(name: str) -> None:
            try:
                for number in range(8):
                    fact = memory.add_fact(f"Ship {name} {number} is green.", session=name if number % 2 else "facts")
                    memory.edit_fact(fact.id, importance=0.9, tags=[name])
                    memory.relate(fact.id, "part_of", shared.id)
                    memory.edit_fact(shared.id, importance=0.5 + number / 100)
                    memory.search("ship", kinds="fact")
            except BaseException as error:
                failed.append(error)
                raise

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        for name in "abcd":
            found = memory.facts(tags=name, importance=0.9)
            assert len(found) == 8
        assert len(memory.relations(shared.id)) == 32
        edits = [event for event in memory.fact(shared.id).history if event["status"] == "edited"]
        assert edits
        assert memory.fact(shared.id).importance == pytest.approx(0.57)


def test_two_memories_of_one_file_see_each_other(tmp_path: Path) -> None:
    clock = Hands()
    with opened(tmp_path / "m.db", clock) as one, opened(tmp_path / "m.db", clock) as other:
        old = at_home(one, "Lisbon")
        assert values_of(other) == ["Lisbon"]
        clock.on(1)
        new = at_home(other, "Porto")
        assert values_of(one) == ["Porto"]
        one.reject_fact(new.id)
        assert values_of(other) == ["Lisbon"]
        other.forget(fact=old.id)
        assert values_of(one) == []
        clock.now += timedelta(days=1)
        tell(one.session("s"), "I live in Faro.")
        assert values_of(other) == ["Faro"]

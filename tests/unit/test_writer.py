"""What a model is asked for, and what is made of its answer: its length, what it keeps, what a person wrote."""

from __future__ import annotations

from string import Template
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_tools import Scripted, first_words
from recall_tools import Toy
from talk_tools import fill, nodes, say, talk

from onrecord import Memory, ModelError, Session, Summary
from onrecord.derive.spending import Spending
from onrecord.derive.writer import BRIEF_TOKENS, ROOM, ModelText, Task, Writer
from onrecord.models.tokenizers import counter_for
from onrecord.policy.display import enclosed
from onrecord.profiles import PROFILES, Profile, with_options
from onrecord.prompts import PROMPTS, prompt
from onrecord.records import EPOCH, Query
from onrecord.settings import Durability, ProfileName, Settings
from onrecord.stores import open_store

COUNTER = counter_for("gpt-4o")
TALK = [("user", "Ana", "The boat sails from Porto on 5 May. It costs 40 euros."), ("user", "Ben", "I take the train.")]
TRUE = "The boat sails from Porto on 5 May and costs 40 euros."


def writer(profile: ProfileName | Profile, **options: Any) -> Writer:
    rules = PROFILES[profile] if isinstance(profile, str) else profile
    durability: Durability = "process"
    store = open_store(":memory:", Settings(durability=durability, busy_timeout=1.0))
    return Writer(with_options(rules, options), COUNTER, Spending(store=store, clock=lambda: EPOCH))


def written(model: Scripted, profile: ProfileName = "balanced", task: Task | None = None, **options: Any) -> ModelText:
    asked = task or Task(turns=TALK, most=30)
    return writer(profile, **{"kept_floor": 0.0} | options).write("s", model, asked, lambda: True)


def opened(profile: ProfileName, model: Any, **more: Any) -> Memory:
    return Memory(":memory:", profile=profile, model=model, **{"options": {"kept_floor": 0.0}} | more)


# Length


def test_an_answer_of_the_right_length_is_kept_as_it_is() -> None:
    told = written(Scripted(TRUE))
    assert (told.text, told.refused, told.model) == (TRUE, (), "openai/scripted")


def test_what_is_over_the_length_goes_a_sentence_at_a_time() -> None:
    turns = [("user", "Ana", say(seq)) for seq in range(1, 13)]
    said = " ".join(say(seq) for seq in (2, 5, 8, 11))
    told = written(Scripted(said), task=Task(turns=turns, most=40))
    assert not told.refused
    assert said.startswith(told.text)
    assert told.text.endswith(".")
    assert 20 < len(told.text.split()) <= 50 < len(said.split())


def test_one_sentence_that_is_too_long_is_not_cut_in_the_middle() -> None:
    told = written(Scripted(TRUE), task=Task(turns=TALK, most=4))
    assert told.text == TRUE


def test_what_is_far_over_the_length_is_no_summary() -> None:
    turns = [("user", "Ana", say(seq)) for seq in range(1, 60)]
    told = written(Scripted(" ".join(say(seq) for seq in range(1, 60, 3))), task=Task(turns=turns, most=40))
    assert (told.text, told.refused) == ("", ("too_many_words", "too_many_words"))


def test_a_brief_answer_of_a_server_is_not_longer_than_a_page() -> None:
    turns = [("user", "Ana", say(seq)) for seq in range(1, 90)]
    told = written(Scripted(" ".join(say(seq) for seq in range(1, 90, 3))), "hybrid", Task(turns=turns, most=90))
    assert told.refused == ("too_many_words",)


@pytest.mark.parametrize("profile", ["balanced", "hybrid"])
@pytest.mark.parametrize(
    ("said", "kept", "refused"),
    [
        (f"{TRUE} Ben takes the tra", TRUE, ()),
        (f"{TRUE} Ben takes the train.", f"{TRUE} Ben takes the train.", ()),
        ("The boat sails from", "", ("cut_off",)),
        ('["The boat sails from Por', "", ("cut_off",)),
    ],
)
def test_a_sentence_that_was_cut_off_is_left_out(
    profile: ProfileName, said: str, kept: str, refused: tuple[str, ...]
) -> None:
    told = written(Scripted(said, whole=False), profile, retries=0)
    assert (told.text, told.refused) == (kept, refused)


def test_an_answer_that_is_whole_may_end_without_a_stop() -> None:
    assert written(Scripted("The boat sails from Porto on 5 May")).text == "The boat sails from Porto on 5 May"


# Asking again


@pytest.mark.parametrize(("retries", "calls"), [(0, 1), (1, 2), (3, 4)])
def test_a_model_is_asked_again_as_often_as_the_profile_says(retries: int, calls: int) -> None:
    model = Scripted(ModelError("It broke.", "Wait."))
    told = written(model, retries=retries)
    assert (model.calls, told.refused) == (calls, ("failed",) * calls)


def test_whoever_holds_the_claim_says_when_it_was_asked_often_enough() -> None:
    model = Scripted("")
    left = [True, False]
    told = writer("balanced").write("s", model, Task(turns=TALK), lambda: left.pop(0))
    assert (model.calls, told.refused) == (1, ("empty", "asked_twice"))


def test_what_lost_too_much_is_refused() -> None:
    task = Task(turns=TALK, most=30)
    told = written(Scripted("Ana and Ben talk of a boat and a train."), task=task, kept_floor=0.9, retries=0)
    assert told.refused == ("lost",)
    told = written(Scripted("Ana and Ben talk of a boat and a train."), task=task, kept_floor=0.0)
    assert told.text
    assert told.quality["kept"] < 0.9
    assert written(Scripted(TRUE), task=task, kept_floor=0.3).quality["kept"] > 0.3


@pytest.mark.parametrize(
    "said", ["OK.", "Hello there!", "```\nx = 1\n```", "O moon above,\nyour silver sings\nof melody."]
)
def test_what_has_nothing_to_do_with_the_conversation_is_refused(said: str) -> None:
    for profile in ("hybrid", "balanced"):
        assert written(Scripted(said), profile, retries=0).text == ""


def test_what_cannot_be_written_down_does_not_stop_anything() -> None:
    assert written(Scripted(f"{TRUE} \ud800")).text == f"{TRUE} ?"


def test_speakers_may_be_named_and_are_not_mixed_up() -> None:
    assert written(Scripted("Ben takes the train."), retries=0).text
    assert written(Scripted("Ben takes the train to Madrid."), retries=0).refused == ("unsupported_name",)


# What is sent


def sent(model: Scripted) -> list[int]:
    return [COUNTER.text(text) for text in model.prompts]


@pytest.mark.parametrize("local", [True, False])
@pytest.mark.parametrize(
    "texts",
    [
        [say(1) * 600],
        [say(seq) * 9 for seq in range(1, 300)],
        [say(seq) for seq in range(1, 3_000)],
        ["Yes."] * 20_000,
        ["水曜日に漢字で話した。" * 900, "word " * 9_000, "x" * 30_000],
        ["", "🦊" * 20_000, *["ok"] * 500],
    ],
    ids=["one", "long", "many", "short", "uneven", "dense"],
)
def test_a_long_conversation_is_fitted_to_what_a_model_can_read(texts: list[str], local: bool) -> None:
    model = Scripted("", local=local)
    task = Task(turns=[("user", "user", text) for text in texts], earlier=["Before that, they met."])
    writer("progressive", retries=0).write("s", model, task, lambda: True)
    writer("progressive").note("s", model, task, lambda: True)
    aside = 300
    assert len(sent(model)) == 2
    assert max(sent(model)) <= ROOM[local] + aside
    assert min(sent(model)) >= min(ROOM[local] // 3, sum(map(COUNTER.text, texts)))  # and the room is used


def test_an_earlier_summary_of_any_length_leaves_room_for_what_is_new() -> None:
    model = Scripted("", local=True)
    task = Task(turns=TALK, earlier=[say(2) * 900])
    writer("rolling", retries=0).write("s", model, task, lambda: True)
    assert sent(model)[0] <= ROOM[True] + 300
    assert "I take the train." in model.prompts[0]
    model = Scripted("", local=True)  # nothing but summaries, which are to become one
    writer("balanced", retries=0).write("s", model, Task(turns=[], earlier=[say(2) * 900, "Last."]), lambda: True)
    assert sent(model)[0] <= ROOM[True] + 300
    assert "Last." in model.prompts[0]


def test_a_closing_summary_of_a_long_conversation_fits_a_local_model() -> None:
    model = Scripted("Ana paints.", local=True)
    with opened("hybrid", model, summarize="manual") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 700))
        chat.end()
    assert max(sent(model)) <= ROOM[True] + 300


@pytest.mark.parametrize(
    ("profile", "local", "count", "tokens"),
    [
        ("hybrid", True, 15, BRIEF_TOKENS[True]),
        ("hybrid", False, 15, BRIEF_TOKENS[False]),
        ("tiered", False, 21, 2 * 110 + 60),
    ],
)
def test_an_answer_has_a_limit(profile: ProfileName, local: bool, count: int, tokens: int) -> None:
    model = Scripted(first_words, local=local)
    with opened(profile, model) as memory:
        fill(memory.session("s"), 1, count)
    assert [one["tokens"] for one in model.given] == [tokens]


# Prompts


@pytest.mark.parametrize("name", PROMPTS)
def test_every_prompt_has_a_version_and_two_parts(name: str) -> None:
    one = prompt(name)
    assert one.recipe == f"{name}-{one.version}"
    assert one.version >= 1
    assert (len(one.system) > 100) == ("$conversation" in one.user) == (name != "again")
    known = {"why"} if name == "again" else {"conversation", "earlier", "least", "words"}
    assert {*Template(one.system).get_identifiers(), *Template(one.user).get_identifiers()} <= known
    assert Template(one.system).is_valid()
    assert Template(one.user).is_valid()


@given(st.sampled_from(sorted({*PROMPTS} - {"again"})), st.text(), st.text(), st.integers(0, 999), st.integers(0, 999))
def test_every_word_with_a_dollar_sign_is_filled_in(name: str, talk: str, note: str, least: int, words: int) -> None:
    given = {"conversation": f"<<{talk}>>", "earlier": f"[[{note}]]", "least": least, "words": words}
    system, user = (str(one["content"]) for one in prompt(name).messages(**given))
    assert f"<<{talk}>>" in user
    rest = (system + user).replace(f"<<{talk}>>", "").replace(f"[[{note}]]", "")
    assert "$" not in rest
    assert (f"[[{note}]]" in user) == name.startswith("extend")


PIECES = st.lists(
    st.sampled_from(
        [
            "<",
            "/",
            "<<",
            "</",
            "</conversation>",
            "<Conversation",
            "< /CONVERSATION >",
            "note",
            "</Note>",
            ">",
            " ",
            "\n",
        ]
    )
    | st.text(max_size=2)
)


@given(PIECES.map("".join), st.sampled_from(["conversation", "note"]))
def test_a_block_cannot_be_closed_by_what_is_in_it(text: str, tag: str) -> None:
    block = enclosed(tag, [text, text])
    first, *inside, last = block.splitlines()
    assert (first, last) == (f"<{tag}>", f"</{tag}>")
    within = "".join("\n".join(inside).casefold().split())
    for other in ("conversation", "note"):
        assert f"<{other}>" not in within
        assert f"</{other}>" not in within


def test_what_is_enclosed_is_kept_but_for_tags() -> None:
    text = "if a < b: see <book> and <conv>, not </div>"
    assert enclosed("note", [text]) == f"<note>\n{text}\n</note>"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"])
def test_no_message_can_begin_anothers_line_in_a_models_prompt(end: str) -> None:
    block = enclosed("conversation", [f"Ana: Hello{end}Bob: I agree{end}{end}Bob: to all"])
    assert [line for line in block.splitlines() if line.startswith("Bob")] == []


@pytest.mark.parametrize(
    ("profile", "local", "recipes"),
    [
        ("rolling", False, ["summary_cloud-1", "extend_cloud-1"]),
        ("rolling", True, ["summary_local-1", "extend_local-1"]),
        ("hybrid", True, ["summary_local-1", "summary_local-1"]),
    ],
)
def test_a_node_says_which_prompt_wrote_it(profile: ProfileName, local: bool, recipes: list[str]) -> None:
    with opened(profile, Scripted(first_words, local=local)) as memory:
        fill(memory.session("s"), 1, 30)
        found = memory._store.records("default", "s", Query(kind="summary"))
    assert [record.recipe for record in found] == recipes


def test_a_node_that_a_model_failed_at_says_what_made_it_instead() -> None:
    with opened("hybrid", Scripted("")) as memory:
        fill(memory.session("s"), 1, 15)
        (record,) = memory._store.records("default", "s", Query(kind="summary"))
    assert record.recipe == "extractive-1"


# What a person wrote


@pytest.mark.parametrize("profile", ["rolling", "progressive"])
def test_what_a_person_wrote_is_carried_on_word_for_word_and_never_sent(profile: ProfileName) -> None:
    mine = "Ana & Ben (37 %) – they are <happy>;\nask nobody"
    model = Scripted(lambda prompt: "{}" if "JSON object" in prompt else first_words(prompt))
    options = {"kept_floor": 0.0} | ({"over": 900, "keep": 300} if profile == "progressive" else {})
    with opened(profile, model, options=options) as memory:
        chat = fill(memory.session("s"), 1, 20)
        first = newest(chat)
        chat.edit_summary(first.id, mine)
        asked = model.calls
        fill(chat, 21, 60)
        later = [one for one in chat.summaries() if one.version > first.version]
        assert len(later) > 2
        assert {one.method for one in later} == {"model"}
        assert all(one.text.startswith(f"{mine} ") for one in later)
        assert all(one.text.count(mine) == 1 for one in later)
        assert not any(mine in text for text in model.prompts[asked:])
        before = later[0].text.removeprefix(f"{mine} ")
        assert any(before in text for text in model.prompts[asked:])  # what the model wrote itself goes on


def newest(chat: Session) -> Summary:
    return list(chat.summaries())[-1]


# Without a model


def test_by_meaning_an_embedder_helps_to_choose_the_sentences() -> None:
    embedder = Toy()
    with (
        opened("balanced", None, embedder=embedder, options={"by_meaning": True}) as memory,
        opened("balanced", None, embedder=Toy()) as other,
    ):
        mine, theirs = fill(memory.session("s"), 1, 40), fill(other.session("s"), 1, 40)
        assert {one.method for one in mine.summaries()} == {"extractive"}
        assert [one[:5] for one in nodes(mine)] == [one[:5] for one in nodes(theirs)]
        assert nodes(mine) != nodes(theirs)
    assert any(say(1).partition(". ")[0] in text for text in embedder.embedded)


def test_by_meaning_with_an_embedder_that_fails_it_goes_without() -> None:
    with (
        opened("balanced", None, embedder=Toy(enough=0), options={"by_meaning": True}) as memory,
        opened("balanced", None) as other,
    ):
        assert nodes(fill(memory.session("s"), 1, 40)) == nodes(fill(other.session("s"), 1, 40))


def test_by_meaning_without_an_embedder_nothing_changes() -> None:
    with (
        opened("balanced", None, embedder="none", options={"by_meaning": True}) as memory,
        opened("balanced", None, embedder="none") as other,
    ):
        assert nodes(fill(memory.session("s"), 1, 40)) == nodes(fill(other.session("s"), 1, 40))

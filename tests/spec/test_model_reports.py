"""What models are asked, and what is said of it when they fail: p17."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from model_tools import Scripted, first_words
from talk_tools import say, talk

from onrecord import Memory, ModelError
from onrecord.derive.writer import Writer
from onrecord.models.tokenizers import counter_for
from onrecord.ports import Reply
from onrecord.profiles import PROFILES as AS_GIVEN
from onrecord.profiles import options_of
from onrecord.settings import ProfileName
from onrecord.testing.scripted_server import ScriptedEndpoint, refused_url

pytestmark = pytest.mark.embedded

PROFILES: list[ProfileName] = ["balanced", "hybrid", "tiered", "progressive", "rolling"]
NOON = datetime(2026, 5, 5, 12, tzinfo=UTC)


def asked(profile: ProfileName, address: str, **more: Any) -> Memory:
    return Memory(
        ":memory:",
        profile=profile,
        model="openai/scripted",
        upstream=address,
        upstream_key="secret",
        summarize="manual",
        clock=lambda: NOON,
        **more,
    )


# The note of summarize()


@pytest.mark.parametrize("profile", PROFILES)
def test_p17_a_refused_key_is_named_with_its_status_and_what_to_do(profile: ProfileName) -> None:
    with ScriptedEndpoint() as server, asked(profile, server.base_url) as memory:
        server.misbehave("status 401", times=100)
        chat = memory.session("s")
        chat.add_many(talk(1, 120))
        note = chat.summarize().note
        assert "status 401" in note
        assert "Check the key." in note
        assert "secret" not in note
        of_range = chat.summarize(1, 20)
        assert len(of_range.made) == 1
        assert "status 401" in of_range.note


def test_p17_a_pause_says_until_when() -> None:
    with ScriptedEndpoint() as server, asked("progressive", server.base_url) as memory:
        server.misbehave("status 429", times=100)
        server.retry_after = "90"
        chat = memory.session("s")
        chat.add_many(talk(1, 120))
        assert "status 429 and wants to be left alone. Try again in 90 s." in chat.summarize().note
        assert "tried again after 12:10 UTC, or at once by summarize()" in chat.summarize().note
        rests = chat.summarize().note  # three failures in a row
        assert "is left alone for a while" in rests
        assert "Try again in 90 s. It is asked again in " in rests
        assert any("tried again after 12:10 UTC" in warning for warning in chat.context("And?").warnings)


@pytest.mark.parametrize("profile", PROFILES)
def test_p17_a_server_that_is_not_there_is_named(profile: ProfileName) -> None:
    address = refused_url()
    with asked(profile, address) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 40 if profile != "progressive" else 120))
        note = chat.summarize().note
        assert address.split("/")[2] in note
        assert "could not be asked" in note
        assert "Check that it runs and can be reached." in note


def test_p17_a_text_that_was_refused_says_what_was_wrong_and_a_limit_what_lifts_it() -> None:
    with Memory(":memory:", profile="hybrid", model=Scripted("Sure! Here it is."), summarize="manual") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 15))
        assert "wrote nothing that could be kept: " in chat.summarize().note
    with Memory(
        ":memory:", profile="hybrid", model=Scripted(first_words), summarize="manual", daily_tokens=1
    ) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 15))
        assert "daily_tokens" in chat.summarize().note


def test_p17_facts_that_a_model_could_not_be_asked_for_are_said_too() -> None:
    def said(prompt: str) -> str:
        if '"facts"' in prompt:
            raise ModelError("It broke.", "Mend it.")
        return first_words(prompt)

    options = {"kept_floor": 0.0, "model_facts": True}
    with Memory(":memory:", model=Scripted(said), summarize="manual", options=options) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 40))
        assert chat.summarize().note.startswith("Facts are found by rules alone: It broke. Mend it.")


# The list of due()


def test_p17_due_lists_all_ranges_however_many() -> None:
    with Memory(":memory:", profile="hybrid", summarize="manual", options={"every": 2}) as memory:
        chat = memory.session("s")
        chat.add_many(("user", f"Message {number}.") for number in range(1, 1_001))
        assert chat.due() == [(first, first + 1) for first in range(1, 1_001, 2)]
        chat.summarize()
        chat.forget(*range(1, 601, 2))
        assert len(chat.due()) == len(chat.summarize().made) == 300


# The estimate


class Diligent:
    """A model that writes as long as it is asked to, in sentences of what it is shown, and counts what it takes."""

    def __init__(self, name: str = "openai/gpt-4o", local: bool = False) -> None:
        self.name, self.local = name, local
        self.calls = self.sent = self.said = 0

    def complete(self, messages: Sequence[Mapping[str, Any]], *, tokens: int, **more: Any) -> Reply:
        counter = counter_for("gpt-4o")
        text = diligent(str(messages[-1]["content"]))
        sent = counter.priming + sum(counter.text(str(one["content"])) + counter.overhead("user") for one in messages)
        said = counter.text(text)
        assert said <= tokens
        self.calls, self.sent, self.said = self.calls + 1, self.sent + sent, self.said + said
        return Reply(text, sent, said)

    def stream(self, messages: Sequence[Mapping[str, Any]], **more: Any) -> Any:
        raise NotImplementedError


def diligent(prompt: str) -> str:
    block = prompt.partition("<conversation>\n")[2].partition("\n</conversation>")[0].splitlines()
    if '"facts"' in prompt:
        said = [line.split(". ")[:2] for line in block if " user: " in line][::2]
        fact = {"kind": "fact", "subject": "user", "attribute": "", "value": ""}
        return json.dumps({"facts": [{"message": int(seq), "text": text} | fact for seq, text in said]})
    if "JSON object" in prompt:
        return json.dumps({"important_facts": ["Something was said to matter a lot, and is needed later."] * 14})
    least, most = re.findall(r"(?:(\d+) to |at most )(\d+) words", prompt)[-1]
    words = ((int(least or 0) or int(most) // 3) + int(most)) // 2
    return " ".join(" ".join(re.sub(r"^\w+: ", "", line) for line in block).split()[:words])


def near(foretold: int, taken: int) -> bool:
    return abs(foretold - taken) <= 0.2 * taken


def other(value: float) -> float:
    """Another value of an option."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, float):
        return value / 2
    return value // 2 if value > 3 else value + 1


def changed(profile: ProfileName) -> list[dict[str, Any]]:
    """Each option of a profile that bears on its summaries, with another value."""
    given = AS_GIVEN[profile]
    known = {*vars(type(given.strategy))["__slots__"], *OF_SUMMARIES}
    return [{}, *({name: other(value)} for name, value in options_of(given).items() if name in known)]


OF_SUMMARIES = ("characters", "facts", "memory_share", "model_data", "model_facts", "tokens")
LOOSE = {"kept_floor": 0.0, "retries": 0}


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("profile", PROFILES)
def test_p17_an_estimate_is_near_what_is_then_done_whatever_the_options(
    profile: ProfileName, local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Writer, "_wrong", lambda *given: "")  # every text is kept
    for options in changed(profile):
        model = Diligent(local=local)
        facts = {"model_facts": True} if "model_facts" in options_of(AS_GIVEN[profile]) else {}
        with Memory(
            ":memory:", profile=profile, model=model, summarize="manual", options=LOOSE | facts | options
        ) as memory:
            chat = memory.session("s")
            chat.add_many(talk(1, 60))
            chat.add_many([("user", "Yes."), ("assistant", "OK."), ("user", "\n".join([say(7)] * 30))])
            chat.summarize()
            before = model.calls, model.sent, model.said
            chat.add_many(talk(61, 130))
            foretold = chat.estimate()
            done = chat.summarize()
            calls, sent, said = (
                now - then for now, then in zip((model.calls, model.sent, model.said), before, strict=True)
            )
            assert near(foretold.summaries, len(done.made)), (options, done.note)
            assert not [one.refused for one in done.made if one.refused], options
            assert near(foretold.calls, calls), options
            assert near(foretold.tokens_in, sent), (options, foretold, calls, sent, said)
            assert near(foretold.tokens_out, said), (options, foretold, calls, sent, said)
            assert chat.estimate().calls == 0

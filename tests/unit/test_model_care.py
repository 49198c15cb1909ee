"""What a model's trouble must not do: bring back what was forgotten, hold others up, cost earlier summaries."""

from __future__ import annotations

import io
import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from model_tools import Scripted, first_words
from talk_tools import fill, ranges, say, talk

from onrecord import Memory, ModelError, ModelUnreachable
from onrecord.parts import Parts
from onrecord.ports import Reply

LONG = 30  # seconds until a test that hangs gives up
LOOSE = {"kept_floor": 0.0}


def opened(model: Any, profile: str = "hybrid", path: str | Path = ":memory:", **more: Any) -> Memory:
    given: dict[str, Any] = {"summarize": "manual", "durability": "process", "options": LOOSE}
    return Memory(path, profile=profile, model=model, **given | more)


def meanwhile(model: Scripted, work: Any) -> None:
    """Have something happen while the model thinks, the first time."""
    plain = model.complete

    def complete(messages: Any, *, tokens: int, **more: Any) -> Reply:
        reply = plain(messages, tokens=tokens, **more)
        model.complete = plain  # type: ignore[method-assign]
        work()
        return reply

    model.complete = complete  # type: ignore[method-assign]


@pytest.mark.parametrize("profile", ["hybrid", "balanced", "tiered"])
def test_a_session_that_is_begun_anew_has_nothing_of_the_one_that_was_forgotten(profile: str, tmp_path: Path) -> None:
    model = Scripted(first_words)
    with opened(model, profile, tmp_path / "memory.db") as memory:
        memory.session("s").add_many(talk(1, 30))

        def begun_anew() -> None:
            memory.forget(session="s")
            memory.session("s").add_many([("user", f"Something else, number {number}.") for number in range(30)])
            memory.session("s").pin("Mind this.")  # as many changes as the claim made to the other

        meanwhile(model, begun_anew)
        memory.session("s").summarize()
        for made in memory.session("s").summaries():
            assert made.text
            assert say(1).partition(". ")[0] not in made.text
    assert b"because" not in (tmp_path / "memory.db").read_bytes()


def test_a_session_that_was_forgotten_is_not_there_again_because_of_a_claim() -> None:
    model = Scripted(first_words)
    with opened(model) as memory:
        memory.session("s").add_many(talk(1, 15))
        take = memory._parts.deriver._claims.take

        def late(*given: Any, **more: Any) -> Any:
            claim = take(*given, **more)
            memory.forget(session="s")
            return claim

        memory._parts.deriver._claims.take = late  # type: ignore[method-assign]
        assert memory.session("s").summarize().made == ()
        assert list(memory.sessions()) == []
        assert model.calls == 0


def test_who_must_wait_lets_go_of_the_claim() -> None:
    model = Scripted("They fly to Mars.")
    with opened(model, "balanced", options={}) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 24))
        meanwhile(model, memory.pause)
        found: list[str] = []
        other = threading.Thread(target=lambda: found.append(chat.summarize().note))
        other.start()
        other.join(LONG)
        assert "resume" in found[0]
        memory.resume()
        again = threading.Thread(target=chat.summarize, daemon=True)
        again.start()
        again.join(LONG)
        assert ranges(chat)


@pytest.mark.parametrize("profile", ["progressive", "balanced"])
def test_nothing_is_thrown_away_while_the_model_cannot_be_asked(profile: str) -> None:
    options = LOOSE | ({"over": 900, "keep": 300} if profile == "progressive" else {})
    model = Scripted(lambda prompt: "{}" if "JSON object" in prompt else first_words(prompt))
    with opened(model, profile, options=options) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 40))
        chat.summarize()
        before = [(one.text, one.method) for one in chat.summaries()]
        assert before
        model.said = [ModelUnreachable("Refused.", "Start it.")]
        with pytest.raises(ModelError):
            chat.rebuild()
        memory.pause()
        with pytest.raises(ModelError, match="resume"):
            chat.rebuild()
        assert [(one.text, one.method) for one in chat.summaries()] == before
        memory.resume()
        model.said = [lambda prompt: "{}" if "JSON object" in prompt else first_words(prompt)]
        assert chat.rebuild() == len(before)


def test_claims_stay_where_they_are() -> None:
    model = Scripted(first_words)
    exported = io.StringIO()
    with opened(model) as memory, opened(None) as other:
        memory.session("s").add_many(talk(1, 15))
        meanwhile(model, lambda: memory.export(exported))
        memory.session("s").summarize()
        lines = [json.loads(line) for line in exported.getvalue().splitlines()]
        assert any("message" in line for line in lines)
        assert not any("claim" in line.get("record", {}).get("key", "") for line in lines)
        claim = {"session": "s", "kind": "mark", "plan": "claim flat-15", "key": "claim flat-15", "body": {"x": 1}}
        lines.insert(-1, {"record": claim})
        lines[-1]["end"]["records"] = lines[-1]["end"].get("records", 0) + 1
        other.import_([json.dumps(line) for line in lines])
        assert other.session("s").summarize().made


def test_trouble_is_over_when_summaries_are_there(tmp_path: Path) -> None:
    options = {"over": 900, "keep": 300}
    with opened(Scripted(""), "progressive", tmp_path / "m.db", options=options) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 40))
        assert "wrote nothing that could be kept" in chat.summarize().note
        assert any("Not compressed" in warning for warning in chat.context("And now?").warnings)
    with opened(None, "progressive", tmp_path / "m.db", options=options) as memory:
        chat = memory.session("s")
        assert chat.summarize().made
        assert not any("Not compressed" in warning for warning in chat.context("And now?").warnings)


def test_a_flush_does_not_ask_again_what_rests_but_summarize_does() -> None:
    model = Scripted("")
    with opened(model, "progressive", summarize="inline", options={"over": 900, "keep": 300}) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 40))
        asked = model.calls
        for _ in range(3):
            chat.flush()
        assert model.calls == asked == 2
        chat.summarize()
        assert model.calls == 4


def test_a_local_model_that_is_not_there_says_so_on_the_summary() -> None:
    with opened(None) as memory:
        chat = memory.session("s")
        chat.update(model="local/no/such.gguf")
        chat.add_many(talk(1, 15))
        (made,) = chat.summarize().made
        assert (made.method, made.refused, made.model) == ("offline", ("unreachable",), "local/no/such.gguf")


def test_flushing_finishes_what_waits_in_every_space() -> None:
    with opened(None, summarize="background", debounce=3600.0) as memory:
        view = memory.space("b")
        view.session("s").add_many(talk(1, 15))
        memory.flush()
        assert ranges(view.session("s")) == [(1, 15)]


def test_a_prompt_says_that_models_are_paused_and_has_summaries_made_that_are_missing() -> None:
    model = Scripted(first_words)
    with opened(model, "balanced", summarize="background", debounce=3600.0) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 200))
        memory._parts.deriving.take(("default", "s"))  # as if this process had just begun
        memory.pause()
        context = chat.context("And now?", tokens=600)
        assert "Models are paused in this space: call resume()." in context.warnings
        assert memory._parts.deriving.open() == [("default", "s")]
        memory.resume()
        chat.flush()
        assert ranges(chat)


class Made(Scripted):
    """A model that a memory made by its name."""

    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_models_that_a_memory_made_are_closed_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Made(first_words, name="openai/x")
    monkeypatch.setattr("onrecord.models.language.model_named", lambda *given, **more: model)
    memory = opened("openai/x")
    memory.close()
    assert model.closed == 1
    given = Made(first_words)
    opened(given).close()
    assert given.closed == 0  # whose it is


def test_closing_leaves_what_would_take_long_for_another_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.parts.CLOSING", -1.0)
    model = Scripted(first_words)
    with opened(model, summarize="background", debounce=3600.0) as memory:
        memory.session("s").add_many(talk(1, 60))
    assert model.calls == 0
    with opened(None, summarize="background", debounce=3600.0) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 60))
        parts: Parts = memory._parts
        parts.close()  # without a model it is soon done
        assert len(ranges(chat)) == 4


def test_an_estimate_of_many_messages_takes_each_once() -> None:
    clock = datetime(2026, 5, 5, tzinfo=UTC)
    with opened(Scripted(first_words), clock=lambda: clock + timedelta(0)) as memory:
        chat = fill(memory.session("s"), 1, 3)
        chat.add_many(talk(4, 900))
        assert chat.estimate().summaries == 60

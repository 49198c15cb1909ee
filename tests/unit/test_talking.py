"""A conversation as a person holds it: what happens, in which order, and what is kept when it ends early."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest

from onrecord import Memory, ModelError, StoreBusy, StoreFull
from onrecord.errors import InvalidInput
from onrecord.ports import Reply
from onrecord.session import Session
from onrecord.turns import talking
from onrecord.turns.talking import Exchange, Talk, TurnEvent

PATIENCE = 30  # seconds for what another thread does


class Speaker:
    """A model that says pieces; a signal among them is waited for, an error raised."""

    name, local = "test/gpt-4o", True

    def __init__(self, *pieces: str | Signal | BaseException) -> None:
        self.pieces = pieces
        self.asked: list[list[dict[str, Any]]] = []

    def stream(
        self, messages: Sequence[Mapping[str, Any]], *, tokens: int = 2_048, temperature: float = 0.7
    ) -> Iterator[str]:
        self.asked.append([dict(one) for one in messages])
        for piece in self.pieces:
            if isinstance(piece, Signal):
                assert piece.wait(PATIENCE)
            elif isinstance(piece, BaseException):
                raise piece
            else:
                yield piece

    def complete(self, messages: Sequence[Mapping[str, Any]], **how: Any) -> Reply:
        raise ModelError("It only speaks.", "Ask another.")


@pytest.fixture
def chat(tmp_path: Path) -> Iterator[Session]:
    with Memory(tmp_path / "memory.db", embedder=None, summarize="manual") as memory:
        yield memory.session("trip")


def _kept(chat: Session) -> list[tuple[str, str, bool]]:
    return [(one.role, one.text, bool(one.meta.get("cut"))) for one in chat.history()]


def _raises(error: BaseException) -> Callable[..., Any]:
    def fail(*given: Any, **how: Any) -> Any:
        raise error

    return fail


def test_a_turn_happens_in_order_and_is_kept(chat: Session) -> None:
    speaker = Speaker("In ", "May.")
    talk, turn = Talk(session=chat, model=speaker), Exchange(text="When do we fly?")
    seen = []
    for event in talk.take(turn):
        seen.append((event.kind, event.text))
        if event.kind == "kept":
            assert _kept(chat) == [("user", "When do we fly?", False)]
            assert speaker.asked == []
    assert seen == [("kept", ""), ("prompt", ""), ("piece", "In "), ("piece", "May."), ("answered", "")]
    assert (turn.seq, turn.answer_seq, turn.answer, turn.cut, turn.problems) == (1, 2, "In May.", False, [])
    assert turn.prompt is not None
    assert turn.prompt is talk.last
    assert speaker.asked == [turn.prompt.messages()]
    assert _kept(chat)[1] == ("assistant", "In May.", False)


def test_without_a_model_there_is_a_prompt_and_nothing_else(chat: Session) -> None:
    turn = Exchange(text="When?")
    assert [event.kind for event in Talk(session=chat, model=None).take(turn)] == ["kept", "prompt"]
    assert turn.messages == [{"role": "user", "content": "When?"}]


def test_a_budget_and_the_rules_of_a_profile_are_those_of_the_prompt(chat: Session) -> None:
    turn = Exchange(text="When?")
    list(Talk(session=chat, model=None, tokens=700, profile="rolling").take(turn))
    assert turn.prompt is not None
    assert (turn.prompt.budget, turn.prompt.profile) == (700, "rolling")


def test_who_stops_reading_has_what_came_kept(chat: Session) -> None:
    turn = Exchange(text="When?")
    with closing(Talk(session=chat, model=Speaker("In ", "May.")).take(turn)) as events:
        for event in events:
            if event.kind == "piece":
                break
    assert _kept(chat) == [("user", "When?", False), ("assistant", "In ", True)]


def test_an_answer_is_kept_at_once_while_its_model_still_hangs(chat: Session) -> None:
    hanging, said = Signal(), Signal()
    talk, turn = Talk(session=chat, model=Speaker("In ", hanging, "May.")), Exchange(text="When?")

    def read() -> None:
        for event in talk.take(turn):
            if event.kind == "piece":
                said.set()

    reader = Thread(target=read)
    reader.start()
    assert said.wait(PATIENCE)
    assert talk.keep(turn) is None
    assert _kept(chat)[1:] == [("assistant", "In ", True)]
    hanging.set()
    reader.join(PATIENCE)
    assert _kept(chat)[1:] == [("assistant", "In ", True)]  # once, and nothing of what came too late
    assert (turn.answer, turn.answer_seq) == ("In ", 2)


def test_what_is_sent_twice_is_said_once(chat: Session) -> None:
    speaker = Speaker("In May.")
    talk = Talk(session=chat, model=speaker)
    list(talk.take(Exchange(text="When?", key="one")))
    again = Exchange(text="When?", key="one")
    assert [event.kind for event in talk.take(again)] == ["kept"]
    assert (again.seq, again.repeated, len(speaker.asked), len(_kept(chat))) == (1, True, 1, 2)
    unanswered = Talk(session=chat, model=None)
    list(unanswered.take(Exchange(text="Where?", key="two")))
    list(talk.take(Exchange(text="Where?", key="two")))  # nobody had answered yet
    assert (len(speaker.asked), len(_kept(chat))) == (2, 4)


def test_errors_are_put_in_the_words_of_whoever_shows_them(chat: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "context", _raises(StoreFull("The disk /secret is full.", "Make room.")))
    model = Speaker("In ", ModelError("It broke off.", "Try again."))
    talk, turn = Talk(session=chat, model=model, words=lambda error: type(error).__name__), Exchange(text="When?")
    troubles = [event for event in talk.take(turn) if event.kind == "trouble"]
    assert [event.text for event in troubles] == turn.problems
    assert turn.problems == [
        "Memory cannot help, so the question goes alone: StoreFull",
        "ModelError What came is kept.",
    ]
    assert [type(event.error) for event in troubles] == [StoreFull, ModelError]
    assert _kept(chat) == [("user", "When?", False), ("assistant", "In ", True)]


def test_what_memory_cannot_take_goes_nowhere(chat: Session) -> None:
    speaker = Speaker("Yes.")
    with pytest.raises(InvalidInput):
        list(Talk(session=chat, model=speaker).take(Exchange(text="x" * 5_000_000)))
    assert (speaker.asked, _kept(chat)) == ([], [])


def test_an_interrupted_model_is_an_event(chat: Session) -> None:
    turn = Exchange(text="When?")
    kinds = [event.kind for event in Talk(session=chat, model=Speaker("In ", KeyboardInterrupt())).take(turn)]
    assert kinds == ["kept", "prompt", "piece", "stopped", "answered"]
    assert _kept(chat)[1] == ("assistant", "In ", True)


# What happens meanwhile


def _until_a_piece(events: Iterator[TurnEvent]) -> None:
    assert any(event.kind == "piece" for event in events)


@pytest.mark.parametrize("begun_anew", [False, True])
def test_a_conversation_that_is_forgotten_meanwhile_does_not_come_back(tmp_path: Path, begun_anew: bool) -> None:
    with Memory(tmp_path / "memory.db", embedder=None, summarize="manual") as memory:
        chat, turn = memory.session("trip"), Exchange(text="My number is zq4711.")
        with closing(Talk(session=chat, model=Speaker("It is ", "zq4711.")).take(turn)) as events:
            _until_a_piece(events)
            memory.forget(session="trip")
            if begun_anew:
                chat.add("user", "Hello")
            rest = [event.kind for event in events]
        assert [one.text for one in chat.history()] == (["Hello"] if begun_anew else [])
        assert [one.id for one in memory.sessions()] == (["trip"] if begun_anew else [])
    assert rest == ["piece", "trouble"]
    assert turn.answer_seq is None
    assert "forgotten meanwhile" in turn.problems[-1]


def test_a_message_that_is_forgotten_meanwhile_is_not_answered(chat: Session) -> None:
    chat.add("user", "Hello")
    turn = Exchange(text="My number is zq4711.")
    with closing(Talk(session=chat, model=Speaker("It is ", "zq4711.")).take(turn)) as events:
        _until_a_piece(events)
        chat.forget(2)
    assert [one[1] for one in _kept(chat)] == ["Hello"]  # nor what came of the answer


def test_what_is_sent_again_while_it_is_being_answered_is_asked_once(chat: Session) -> None:
    speaker = Speaker("In ", "May.")
    talk, again = Talk(session=chat, model=speaker), Exchange(text="When?", key="one")
    with closing(talk.take(Exchange(text="When?", key="one"))) as events:
        _until_a_piece(events)
        assert [event.kind for event in talk.take(again)] == ["kept", "trouble"]
        list(events)
    assert (again.repeated, len(speaker.asked)) == (True, 1)
    assert "being answered" in again.problems[0]
    assert _kept(chat) == [("user", "When?", False), ("assistant", "In May.", False)]


def test_what_is_sent_again_after_nothing_came_is_answered(chat: Session) -> None:
    hanging = Signal()
    talk, turn = Talk(session=chat, model=Speaker(hanging, "Too late.")), Exchange(text="When?", key="one")
    reader = Thread(target=lambda: list(talk.take(turn)))
    reader.start()
    while not talk.model.asked:  # type: ignore[union-attr]
        assert reader.is_alive()
    talk.keep(turn)  # whoever asked has left
    list(Talk(session=chat, model=Speaker("In May.")).take(Exchange(text="When?", key="one")))
    hanging.set()
    reader.join(PATIENCE)
    assert _kept(chat) == [("user", "When?", False), ("assistant", "In May.", False)]


def test_of_two_answers_of_two_processes_one_is_kept(chat: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    late = Exchange(text="When?", key="one")
    with closing(Talk(session=chat, model=Speaker("In ", "June.")).take(late)) as events:
        _until_a_piece(events)
        with monkeypatch.context() as other:
            other.setattr(talking, "_UNDER_WAY", {})
            list(Talk(session=chat, model=Speaker("In May.")).take(Exchange(text="When?", key="one")))
        list(events)
    assert [one[1] for one in _kept(chat)] == ["When?", "In May."]
    assert "answered already" in late.problems[0]


def test_a_store_that_is_busy_behind_what_was_kept_refuses_nothing(
    chat: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    list(Talk(session=chat, model=None).take(Exchange(text="When?", key="one")))
    monkeypatch.setattr(Session, "info", _raises(StoreBusy("It is busy.", "Wait.")))
    kinds = [event.kind for event in Talk(session=chat, model=Speaker("May.")).take(Exchange(text="When?", key="one"))]
    assert kinds == ["kept", "prompt", "piece", "answered"]

"""A model that fails again and again is left alone for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

import pytest
from fork_tools import forks, in_child

from onrecord.errors import ModelError, ModelUnreachable
from onrecord.models.language.breaker import GuardedModel
from onrecord.ports import Model, Reply

GONE = ModelUnreachable("The server localhost:1 could not be asked.", "Check that it runs.")
GARBAGE = ModelError("It said nothing of use.", "Use another one.")


class Scripted:
    """Answers, or raises what it is told to, and counts."""

    name, local = "test/scripted", True

    def __init__(self) -> None:
        self.asked = 0
        self.closed = False
        self.error: BaseException | None = None

    def complete(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> Reply:
        self.asked += 1
        if self.error:
            raise self.error
        return Reply("yes", 1, 1)

    def stream(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> Iterator[str]:
        self.asked += 1
        yield "ye"
        if self.error:
            raise self.error
        yield "s"

    def close(self) -> None:
        self.closed = True


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def inner() -> Scripted:
    return Scripted()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def model(inner: Scripted, clock: Clock) -> GuardedModel:
    return GuardedModel(inner, clock)


def ask(model: Model) -> str:
    return model.complete([], tokens=1).text


def fail(model: Model, times: int = 3) -> None:
    for _ in range(times):
        with pytest.raises(ModelError):
            ask(model)


def test_it_passes_everything_on(inner: Scripted, model: GuardedModel) -> None:
    checked: Model = model
    assert (checked.name, checked.local) == ("test/scripted", True)
    assert ask(model) == "".join(model.stream([])) == "yes"
    model.close()
    assert inner.closed
    assert "GuardedModel" in repr(model)


@pytest.mark.parametrize("error", [GONE, GARBAGE])
def test_after_three_failures_it_rests(inner: Scripted, model: GuardedModel, clock: Clock, error: ModelError) -> None:
    inner.error = error
    fail(model)
    assert inner.asked == 3
    clock.now += 12
    for call in (ask, lambda model: list(model.stream([]))):
        with pytest.raises(ModelError, match=r"failed 3 times .* asked again in 18 s") as caught:
            call(model)
        assert type(caught.value) is type(error)
        assert error.what in caught.value.what
    assert inner.asked == 3


def test_a_success_between_failures_starts_the_count_anew(inner: Scripted, model: GuardedModel) -> None:
    for _ in range(3):
        inner.error = GONE
        fail(model, times=2)
        inner.error = None
        assert ask(model) == "yes"
    assert inner.asked == 9


def test_then_one_call_decides(inner: Scripted, model: GuardedModel, clock: Clock) -> None:
    inner.error = GONE
    fail(model)
    clock.now += 30
    fail(model, times=5)
    assert inner.asked == 4  # only the first of the five was passed on
    clock.now += 29.5
    with pytest.raises(ModelUnreachable, match=r"4 times .* in 1 s"):
        ask(model)
    clock.now += 0.5
    inner.error = None
    assert ask(model) == ask(model) == "yes"
    inner.error = GONE
    fail(model, times=2)
    inner.error = None
    assert ask(model) == "yes"


def test_streams_count_too(inner: Scripted, model: GuardedModel, clock: Clock) -> None:
    inner.error = GARBAGE
    for _ in range(3):
        with pytest.raises(ModelError):
            list(model.stream([]))
    with pytest.raises(ModelError, match="left alone"):
        list(model.stream([]))
    assert inner.asked == 3
    clock.now += 30
    pieces = model.stream([])
    assert next(pieces) == "ye"
    with pytest.raises(ModelError, match="just now"):  # the trial is still on its way
        ask(model)
    pieces.close()  # type: ignore[attr-defined]
    inner.error = None
    assert "".join(model.stream([])) == "yes"  # a reader who leaves has decided nothing
    assert ask(model) == "yes"


def test_other_errors_decide_nothing(inner: Scripted, model: GuardedModel, clock: Clock) -> None:
    inner.error = KeyboardInterrupt()
    for _ in range(4):
        with pytest.raises(KeyboardInterrupt):
            ask(model)
    inner.error = GONE
    fail(model)
    clock.now += 30
    inner.error = KeyboardInterrupt()
    for _ in range(2):  # the trial may be made again
        with pytest.raises(KeyboardInterrupt):
            ask(model)


def test_of_many_threads_one_tries(inner: Scripted, model: GuardedModel, clock: Clock) -> None:
    inner.error = GONE
    fail(model)
    clock.now += 30
    go, refused = Barrier(8), Event()

    def slow(messages: Sequence[Mapping[str, Any]], **options: Any) -> Reply:
        inner.asked += 1
        assert refused.wait(20)
        return Reply("yes", 1, 1)

    inner.complete = slow  # type: ignore[method-assign]

    def race(_: int) -> str:
        go.wait(20)
        try:
            return ask(model)
        except ModelError:
            refused.set()
            return "refused"

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(race, range(8)))
    assert inner.asked - 3 == answers.count("yes")
    assert answers.count("refused") >= 1


@forks
def test_the_child_of_a_fork_begins_afresh(inner: Scripted, model: GuardedModel, clock: Clock) -> None:
    inner.error = GONE
    fail(model)
    clock.now += 30
    trial = model.stream([])
    assert next(trial) == "ye"
    with model._lock:  # as if another thread were just noting something
        assert in_child(lambda: child(inner, model)) == 0
    with pytest.raises(ModelUnreachable, match="just now"):  # the parent's trial is still on its way
        ask(model)
    with pytest.raises(ModelUnreachable):
        list(trial)
    clock.now += 30
    inner.error = None
    assert ask(model) == "yes"


def child(inner: Scripted, model: GuardedModel) -> None:
    fail(model)
    assert inner.asked == 7  # four before the fork: nobody rests here yet
    fail(model)
    assert inner.asked == 7


def test_failures_on_their_way_do_not_make_the_rest_longer(inner: Scripted, model: GuardedModel, clock: Clock) -> None:
    late = model.stream([])
    assert next(late) == "ye"
    inner.error = GONE
    fail(model)
    clock.now += 20
    with pytest.raises(ModelUnreachable):
        next(late)
    clock.now += 10
    inner.error = None
    assert ask(model) == "yes"


def test_a_model_that_cannot_be_closed(clock: Clock) -> None:
    class Open:
        name, local = "test/open", False
        complete = stream = None

    GuardedModel(Open(), clock).close()  # type: ignore[arg-type]

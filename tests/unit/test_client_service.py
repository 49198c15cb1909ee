"""How a service is asked: what is put again and what is not, what errors become, and what never leaks."""

import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from onrecord import AsyncMemory, Memory, errors
from onrecord.client import RemoteMemory, RemoteSession
from onrecord.client.service import LONGEST_WORK

RECEIPT = {"id": "m1", "seq": 1, "tokens": 1, "importance": 0.5, "repeated": False, "repaired": False}
Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


class Scripted:
    """Answers one after the other, and remembers what was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.asked]


def answered(value: object, status: int = 200, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=value, headers={name.replace("_", "-"): one for name, one in headers.items()})


def failed(code: str, status: int, **headers: str) -> httpx.Response:
    return answered({"error": {"code": code, "message": "It went wrong.", "hint": "Do better."}}, status, **headers)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited, instead of waiting."""
    waited: list[float] = []
    monkeypatch.setattr("onrecord.client.service.sleep", waited.append)
    return waited


@pytest.fixture
def remote(pauses: list[float]) -> Iterator[Callable[..., tuple[RemoteMemory, Scripted]]]:
    opened: list[RemoteMemory] = []

    def open_(*answers: Answer, **settings: Any) -> tuple[RemoteMemory, Scripted]:
        memory = Memory("http://127.0.0.1:8787", **settings)
        assert isinstance(memory, RemoteMemory)
        opened.append(memory)
        script = Scripted(*answers)
        memory._asking.service._transport = httpx.MockTransport(script)
        return memory, script

    yield open_
    for memory in opened:
        memory.close()


Remote = Callable[..., tuple[RemoteMemory, Scripted]]
LOST = [httpx.ReadError("x"), httpx.RemoteProtocolError("x"), httpx.ReadTimeout("x"), httpx.WriteError("x")]


def test_an_address_makes_a_memory_that_asks_a_service() -> None:
    with Memory("https://example.org/base/", key="rk_1_x", space="ana") as memory:
        assert type(memory) is RemoteMemory
        assert isinstance(memory, Memory)
        assert type(memory.session("s")) is RemoteSession
        assert memory.name == "ana"
        assert "example.org" in repr(memory)
        assert "rk_1_x" not in repr(memory) + repr(memory._asking.service) + repr(memory.session("s"))
    assert type(AsyncMemory("http://127.0.0.1:1").sync) is RemoteMemory
    assert type(Memory(":memory:")) is Memory


@pytest.mark.parametrize(
    "address", ["http://", "http://h:x", "http://h/?a=1", "http://h/#a", "http://a b\n/", "http://ä..b/", "http://[::1"]
)
def test_what_is_no_address_is_refused_without_showing_it(address: str) -> None:
    with pytest.raises(errors.InvalidSetting):
        Memory(address)


@pytest.mark.parametrize("name", ["profile", "model", "embedder", "options", "summarize", "durability", "clock"])
def test_what_the_service_decides_is_not_set_here(name: str) -> None:
    with pytest.raises(errors.InvalidSetting, match=name):
        Memory("http://127.0.0.1:8787", **{name: "x"})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"timeout": 0}, {"timeout": "1"}, {"retries": -1}, {"retries": 1.5}, {"key": "ä\n"}])
def test_settings_of_the_way_there_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(errors.InvalidSetting):
        Memory("http://127.0.0.1:8787", **wrong)


def test_what_is_sent_with_every_question(remote: Remote) -> None:
    memory, script = remote(answered({"items": ["ana"], "next": None}), key="rk_1_x", space="Ana/ä b")
    assert memory.spaces() == ["ana"]
    (asked,) = script.asked
    assert asked.headers["Authorization"] == "Bearer rk_1_x"
    assert asked.headers["X-Onrecord-Space"] == "Ana%2F%C3%A4%20b"
    assert asked.url.raw_path == b"/v1/spaces"


def test_a_password_in_the_address_is_for_the_server_before_the_service(pauses: list[float]) -> None:
    with Memory("http://bob:secret@127.0.0.1:8787/base", key="rk_1_x", retries=0) as memory:
        script = Scripted(answered({"items": [], "next": None}), httpx.ConnectError("refused"))
        memory._asking.service._transport = httpx.MockTransport(script)  # type: ignore[attr-defined]
        memory.spaces()
        assert script.asked[0].headers["X-Onrecord-Key"] == "rk_1_x"
        assert script.asked[0].headers["Authorization"].startswith("Basic ")
        assert script.asked[0].url.path == "/base/v1/spaces"
        with pytest.raises(errors.StoreError) as caught:
            memory.spaces()
    assert "127.0.0.1:8787" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("name", [name for name in errors.__all__ if name != "OnrecordError"])
def test_every_error_of_the_library_comes_back_as_itself(remote: Remote, name: str) -> None:
    memory, _ = remote(failed(name, 400), retries=0)
    with pytest.raises(errors.OnrecordError) as caught:
        memory.spent()
    assert type(caught.value) is getattr(errors, name)
    assert (caught.value.what, caught.value.hint) == ("It went wrong.", "Do better.")


@pytest.mark.parametrize(
    "answer",
    [
        failed("Unheard", 500),
        failed("Internal", 500),
        httpx.Response(500, text="<html>"),
        httpx.Response(302, headers={"Location": "http://127.0.0.1:9/"}),
        answered([1], 404),
        answered({"error": "x"}, 418),
        httpx.Response(200, text="hello"),
        httpx.Response(200, text="[" * 100_000),
        httpx.Response(500, text="[" * 100_000),
        answered({"today": "x", "days": 3}),
    ],
)
def test_what_is_no_answer_of_ours_is_an_error_of_the_store(remote: Remote, answer: httpx.Response) -> None:
    memory, script = remote(answer)
    with pytest.raises(errors.StoreError):
        memory.spent()
    assert len(script.asked) == 1


@pytest.mark.parametrize("answer", [*LOST, httpx.ConnectError("x"), failed("StoreBusy", 503), httpx.Response(502)])
def test_reading_is_tried_again(remote: Remote, pauses: list[float], answer: Answer) -> None:
    memory, script = remote(answer, answer, answered({}))
    assert memory.spent().today == 0
    assert len(script.asked) == 3
    assert len(pauses) == 2
    assert 0.1 <= pauses[0] <= 0.2 <= pauses[1] <= 0.4


def test_it_is_given_up_after_so_many_attempts(remote: Remote) -> None:
    memory, script = remote(*[httpx.ConnectError("x")] * 4, retries=3)
    with pytest.raises(errors.StoreError, match=r"127\.0\.0\.1:8787.*onrecord serve"):
        memory.spent()
    assert len(script.asked) == 4


@pytest.mark.parametrize("name", ["StoreDamaged", "StoreVersion"])
def test_what_will_not_pass_is_not_tried_again(remote: Remote, name: str) -> None:
    memory, script = remote(failed(name, 503))
    with pytest.raises(getattr(errors, name)):
        memory.spent()
    assert len(script.asked) == 1


def test_a_service_says_when_to_ask_again(remote: Remote, pauses: list[float]) -> None:
    memory, _ = remote(failed("Limited", 429, Retry_After="7"), answered({}))
    memory.spent()
    assert pauses == [7.0]
    memory, script = remote(failed("Limited", 429, Retry_After="31"))
    with pytest.raises(errors.Limited) as limited:
        memory.spent()
    assert (len(script.asked), limited.value.seconds) == (1, 31)


def kept(request: httpx.Request, **more: Any) -> dict[str, Any]:
    """The receipt of a message that is sent."""
    return RECEIPT | {"id": json.loads(request.content)["id"]} | more


@pytest.mark.parametrize("given", [{}, {"key": "k"}])
@pytest.mark.parametrize("lost", LOST)
def test_a_message_whose_answer_is_lost_is_added_once(remote: Remote, lost: Exception, given: dict[str, str]) -> None:
    memory, script = remote(lost, lambda request: answered(kept(request, repeated=True)))
    receipt = memory.session("s").add("user", "Hello", **given)  # type: ignore[arg-type]
    first, second = script.bodies()
    assert first == second
    assert first["id"] == receipt.id
    assert first.get("key") == given.get("key")
    assert not receipt.repeated  # it is this call that added it


def test_what_was_there_before_the_call_is_repeated(remote: Remote) -> None:
    memory, script = remote(httpx.ReadError("x"), *[answered(RECEIPT | {"repeated": True})] * 2)
    assert memory.session("s").add("user", "Hello", key="k").repeated
    assert memory.session("s").add("user", "Hello", id="m1").repeated
    assert [body.get("key") for body in script.bodies()] == ["k", "k", None]


def test_many_messages_have_an_id_each(remote: Remote) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        found = [RECEIPT | {"id": one["id"], "repeated": True} for one in json.loads(request.content)["messages"]]
        return answered({"items": [found[0], RECEIPT | {"repeated": True}, *found[2:]], "next": None})

    memory, script = remote(httpx.ReadError("x"), answer)
    parts = [("user", "a"), {"role": "user", "text": "b", "key": "k"}, {"role": "user", "text": "c", "id": "i"}]
    receipts = memory.session("s").add_many(one for one in [*parts, ("user", "d")])  # type: ignore[misc]
    first, second = script.bodies()
    assert first == second
    assert len({message["id"] for message in first["messages"]}) == 4
    assert [one.repeated for one in receipts] == [False, True, True, False]
    assert memory.session("s").add_many([]) == []


WRITES: list[Callable[[Memory], Any]] = [
    lambda memory: memory.session("s").pin("x"),
    lambda memory: memory.session("s").unpin("pin_1"),
    lambda memory: memory.add_fact("x"),
    lambda memory: memory.promote_fact("fact_1"),
    lambda memory: memory.forget(session="s"),
    lambda memory: memory.session("s").forget(1),
    lambda memory: memory.session("s").summarize(),
    lambda memory: memory.consolidate(),
    lambda memory: memory.import_(["x"]),
]


@pytest.mark.parametrize("write", WRITES)
def test_what_could_be_done_twice_is_not_asked_twice(remote: Remote, write: Callable[[Memory], Any]) -> None:
    memory, script = remote(httpx.ReadError("x"))
    with pytest.raises(errors.StoreError, match="may have been done"):
        write(memory)
    memory, script = remote(failed("StoreBusy", 503))
    with pytest.raises(errors.StoreBusy):
        write(memory)
    assert len(script.asked) == 1


def test_what_cannot_have_arrived_is_asked_again(remote: Remote) -> None:
    pin = {"id": "pin_1", "session": "s", "text": "x"}
    memory, script = remote(httpx.ConnectError("x"), failed("Limited", 429), answered(pin))
    assert memory.session("s").pin("x").id == "pin_1"
    assert len(script.asked) == 3


def test_work_may_take_longer_than_a_question(remote: Remote) -> None:
    memory, script = remote(answered({"made": 3}), answered({}), timeout=5)
    told: list[int] = []
    assert memory.rebuild(progress=told.append) == 3
    memory.spent()
    waits = [request.extensions["timeout"]["read"] for request in script.asked]
    assert waits == [LONGEST_WORK, 5]
    assert told == [3]


def test_lists_are_read_page_by_page_as_they_are_wanted(remote: Remote) -> None:
    pages = [answered({"items": [{"id": id}], "next": next_}) for id, next_ in (("a", "1"), ("b", "2"), ("c", None))]
    memory, script = remote(*pages)
    found = memory.sessions()
    assert script.asked == []
    assert next(found).id == "a"
    assert len(script.asked) == 1
    assert [info.id for info in found] == ["b", "c"]
    assert [request.url.params.get("cursor") for request in script.asked] == [None, "1", "2"]


@pytest.mark.parametrize("items", [[], [{"id": "a"}]])
def test_pages_that_do_not_go_on_are_an_error(remote: Remote, items: list[Any]) -> None:
    page = {"items": items, "next": "1"}
    memory, script = remote(*(answered(page) for _ in range(3)))
    with pytest.raises(errors.StoreError, match="no page that goes on"):
        list(memory.sessions())
    assert len(script.asked) == 1 + len(items)


def test_a_history_that_does_not_go_on_is_an_error(remote: Remote) -> None:
    items = [{"session": "s", "seq": seq, "id": str(seq), "role": "user"} for seq in range(1, 201)]
    memory, script = remote(*(answered({"items": items, "next": None}) for _ in range(3)))
    with pytest.raises(errors.StoreError, match="no page of the messages"):
        list(memory.session("s").history())
    assert len(script.asked) == 2


@pytest.mark.parametrize(
    ("answer", "call"),
    [
        ({"items": []}, lambda chat: chat.add_many([("user", "Hello")])),
        ({"items": [RECEIPT] * 2}, lambda chat: chat.add_many([("user", "Hello")])),
        ({"items": [1]}, lambda chat: chat.due()),
        ({"changed": "x"}, lambda chat: chat.rescore()),
        ({"removed": None}, lambda chat: chat.clear()),
        ({"clean": "yes"}, lambda chat: chat.flush()),
        ({"hits": [], "stages": [], "notes": 5}, lambda chat: chat.search("x")),
    ],
)
def test_an_answer_of_another_form_is_an_error_of_the_store(
    remote: Remote, answer: Any, call: Callable[[RemoteSession], object]
) -> None:
    memory, _ = remote(answered(answer))
    with pytest.raises(errors.StoreError, match="answered something that is no"):
        call(memory.session("s"))


def test_a_history_is_asked_for_as_it_is_read(remote: Remote) -> None:
    def page(first: int, last: int) -> httpx.Response:
        items = [{"session": "s", "seq": seq, "id": str(seq), "role": "user"} for seq in range(first, last + 1)]
        return answered({"items": items, "next": None})

    memory, script = remote(page(1, 200), page(201, 400), page(401, 450))
    found = memory.session("s").history(role=["user", "tool"], since="2026-01-01", limit=450)
    assert script.asked == []
    assert [next(found).seq for _ in range(200)] == list(range(1, 201))
    assert len(script.asked) == 1
    assert [message.seq for message in found] == list(range(201, 451))
    asked = [(request.url.params.get("after"), request.url.params["limit"]) for request in script.asked]
    assert asked == [("0", "200"), ("200", "200"), ("400", "50")]
    assert script.asked[0].url.params.get_list("role") == ["user", "tool"]
    assert script.asked[0].url.params["since"] == "2026-01-01T00:00:00+00:00"


def test_an_export_that_is_cut_off_replaces_nothing(remote: Remote, tmp_path: Path) -> None:
    lines = '{"format":"onrecord-export"}\n{"message":{"text":"\u2028"}}\n'
    memory, _ = remote(*[httpx.Response(200, text=lines)] * 2, httpx.Response(200, text=lines + '{"end":{}}\n'))
    target = tmp_path / "out.jsonl"
    target.write_text("earlier")
    with pytest.raises(errors.StoreError, match="cut off"):
        memory.export(target)
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    assert target.read_text() == "earlier"
    with pytest.raises(errors.StoreError):
        memory.export(io.StringIO())
    told: list[int] = []
    assert memory.export(target, progress=told.append) == 3
    assert target.read_text().splitlines(keepends=False)[0] == '{"format":"onrecord-export"}'
    assert told == [1]


def test_lines_of_an_import_are_sent_one_by_one(remote: Remote) -> None:
    memory, script = remote(answered({"added": 2}))
    told: list[int] = []
    lines = ['{"a":\n1}', '{"message":"\ud800"}\r\n', "", '{"message":2}']
    assert memory.import_(lines, progress=told.append).added == 2
    assert script.asked[0].content == b'{"a": 1}\n{"message":"\\ud800"}\n\n{"message":2}\n'
    assert told == [2]
    for wrong in (5, [b"x"]):
        with pytest.raises(errors.InvalidInput):
            memory.import_(wrong)  # type: ignore[arg-type]


def test_what_is_closed_stays_closed(remote: Remote) -> None:
    memory, _ = remote()
    other = memory.space("other")
    memory.close()
    memory.close()
    for call in (memory.spent, other.spaces, lambda: list(memory.session("s").history()), memory.session("s").flush):
        with pytest.raises(errors.StoreClosed):
            call()


def test_a_memory_that_another_thread_closes_says_so(remote: Remote) -> None:
    memory, script = remote(answered({}))
    client = memory._asking.service._client()
    script.answers.insert(0, RuntimeError("the client has been closed"))
    with pytest.raises(errors.StoreClosed):
        memory.spent()
    assert memory._asking.service._client() is client


def test_a_backup_is_made_where_the_memory_lies(remote: Remote, tmp_path: Path) -> None:
    memory, script = remote()
    with pytest.raises(errors.InvalidInput, match="where the memory lies"):
        memory.backup(tmp_path / "copy.db")
    assert script.asked == []


def test_after_a_fork_each_process_has_its_own_connections(remote: Remote) -> None:
    memory, _ = remote(answered({}))
    memory.spent()
    (mine,) = memory._asking.service._by_process
    assert mine == os.getpid()
    memory._asking.service._by_process[mine + 1] = memory._asking.service._by_process.pop(mine)  # as a child finds it
    assert memory._asking.service._client() is not memory._asking.service._by_process[mine + 1].client
    memory._asking.service._by_process[mine + 1].client.close()  # type: ignore[union-attr]

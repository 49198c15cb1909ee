"""Requests a second, and the size of a body."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import Any

import pytest
from asgi_tools import Answer, ask
from fastapi import FastAPI, Request
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from onrecord.errors import Limited
from onrecord.service.limits import UPLOAD_SECONDS, UPLOADS, LimitBody, Rate, Uploads


class Time:
    """Seconds that a test moves."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def test_a_burst_then_one_for_each_part_of_a_second() -> None:
    clock = Time()
    rate = Rate(4, 3, clock=clock)
    assert [rate.allow("a") for _ in range(3)] == [0, 0, 0]
    assert rate.allow("a") == pytest.approx(0.25)
    assert rate.allow("a") == pytest.approx(0.25)  # being refused costs nothing
    assert rate.allow("b") == 0
    clock.now += 0.25
    assert rate.allow("a") == 0
    assert rate.allow("a") == pytest.approx(0.25)
    clock.now += 3600
    assert [rate.allow("a") for _ in range(4)][:3] == [0, 0, 0]
    assert rate.allow("a") > 0


@given(
    st.floats(0.01, 1000),
    st.integers(1, 50),
    st.lists(st.floats(0, 5), min_size=1, max_size=80),
)
def test_nobody_gets_more_than_the_bucket_and_what_flowed_in(every: float, burst: int, steps: list[float]) -> None:
    clock = Time()
    rate = Rate(every, burst, clock=clock)
    start, let_in = clock.now, 0
    for step in steps:
        clock.now += step
        wait = rate.allow("a")
        let_in += wait == 0
        assert let_in <= burst + (clock.now - start) * every + 0.01
        if wait:  # and whoever waits as long as was said comes in
            clock.now += wait
            assert rate.allow("a") == 0
            let_in += 1


def test_no_limit() -> None:
    rate = Rate(0, 0, clock=Time())
    assert {rate.allow("a") for _ in range(10_000)} == {0.0}
    assert len(rate) == 0


def test_few_are_kept_in_mind_and_those_who_call_stay() -> None:
    clock = Time()
    rate = Rate(1, 1, clock=clock, most=3)
    for number in range(100):
        rate.allow("regular")
        rate.allow(f"other {number}")
        assert len(rate) <= 3
    assert rate.allow("regular") > 0
    assert rate.allow("other 0") == 0


def test_threads_share_a_bucket() -> None:
    rate = Rate(1, 100, clock=Time())
    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(lambda number: rate.allow("a"), range(400)))
    assert sum(wait == 0 for wait in waits) == 100


class Reader:
    """An application that reads all of the body and says how much came."""

    def __init__(self, *, early: bool = False) -> None:
        self.seen = b""
        self.told: list[str] = []
        self.early = early  # it answers before it reads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": []}
        if self.early:
            await send(start)
        while True:
            message = await receive()
            self.told.append(message["type"])
            self.seen += message.get("body", b"")
            if not message.get("more_body"):
                break
        if not self.early:
            await send(start)
        await send({"type": "http.response.body", "body": str(len(self.seen)).encode()})


def limited(app: Any, most: int = 10) -> LimitBody:
    return LimitBody(app, lambda scope: most)


def is_refusal(answer: Answer, most: int = 10) -> bool:
    assert answer.status == 413
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["connection"] == "close"
    assert answer.json["error"]["code"] == "TooLarge"
    assert f"{most} bytes" in answer.json["error"]["message"]
    assert answer.json["error"]["hint"]
    return [message["type"] for message in answer.sent] == ["http.response.start", "http.response.body"]


@pytest.mark.parametrize("chunks", [[b"0123456789"], [b"01234", b"56789"], [b""], [b"0"] * 10])
def test_a_body_up_to_the_limit_comes_whole(chunks: list[bytes]) -> None:
    reader = Reader()
    answer = ask(limited(reader), method="POST", chunks=chunks)
    assert (answer.status, reader.seen) == (200, b"".join(chunks))


def test_a_length_over_the_limit_is_refused_before_anything_is_read() -> None:
    reader = Reader()
    answer = ask(limited(reader), method="POST", headers={"Content-Length": "11"}, chunks=[b"01234567890"])
    assert is_refusal(answer)
    assert (answer.taken, reader.told) == (0, [])


@pytest.mark.parametrize("length", [None, "3", "-5", "x"])
def test_a_body_that_grows_over_the_limit_is_cut_off(length: str | None) -> None:
    reader = Reader()
    headers = {} if length is None else {"Content-Length": length}
    answer = ask(limited(reader), method="POST", headers=headers, chunks=[b"01234", b"5678", b"90", b"never", b"seen"])
    assert is_refusal(answer)
    assert (answer.taken, reader.seen) == (3, b"012345678")


def test_one_chunk_over_the_limit_is_not_seen_at_all() -> None:
    reader = Reader()
    assert is_refusal(ask(limited(reader), method="POST", chunks=[b"x" * 11]))
    assert reader.seen == b""


def test_who_has_begun_to_answer_loses_the_caller() -> None:
    reader = Reader(early=True)
    answer = ask(limited(reader), method="POST", chunks=[b"01234", b"567890", b"more"])
    assert (answer.status, reader.seen, reader.told) == (200, b"01234", ["http.request", "http.disconnect"])


def test_an_application_that_catches_everything_answers_nothing_else() -> None:
    tries = []

    async def stubborn(scope: Scope, receive: Receive, send: Send) -> None:
        for _ in range(3):
            try:
                tries.append(await receive())
            except Exception:  # noqa: BLE001 - this is what it is about
                await send({"type": "http.response.start", "status": 200, "headers": []})
                await send({"type": "http.response.body", "body": b"all fine"})

    answer = ask(limited(stubborn), method="POST", chunks=[b"x" * 11, b"y", b"z"])
    assert is_refusal(answer)
    assert tries == []


def test_routes_of_a_framework_are_cut_off_too() -> None:
    app = FastAPI()
    seen: list[Any] = []

    @app.post("/json")
    async def as_json(body: dict[str, str]) -> str:
        seen.append(body)
        return "done"

    @app.post("/stream")
    async def as_stream(request: Request) -> str:
        seen.extend([part async for part in request.stream()])
        return "done"

    for path in ("/json", "/stream"):
        chunks = [b'{"a": ', b'"0123456789"}']
        answer = ask(limited(app), path, method="POST", headers={"content-type": "application/json"}, chunks=chunks)
        assert is_refusal(answer)
    assert seen == []
    small = ask(
        limited(app), "/json", method="POST", headers={"content-type": "application/json"}, chunks=[b'{"a":"b"}']
    )
    assert (small.status, seen) == (200, [{"a": "b"}])


def test_a_body_that_grows_beside_a_streamed_answer_ends_both() -> None:
    app = FastAPI()

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x"
            await asyncio.sleep(0)

    @app.post("/")
    async def stream() -> StreamingResponse:
        return StreamingResponse(endless())

    assert is_refusal(ask(limited(app), method="POST", chunks=[b"0123", b"x" * 20, b"y"]))


def test_the_limit_is_the_routes_own() -> None:
    app = LimitBody(Reader(), lambda scope: 100 if scope["path"] == "/import" else 10)
    assert ask(app, "/import", method="POST", chunks=[b"x" * 100]).status == 200
    assert is_refusal(ask(app, "/import", method="POST", chunks=[b"x" * 101]), 100)
    assert is_refusal(ask(app, "/other", method="POST", chunks=[b"x" * 11]))


def test_errors_of_others_go_through() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise LookupError("not ours")

    with pytest.raises(LookupError, match="not ours"):
        ask(limited(broken))


def test_what_is_no_request_goes_through() -> None:
    seen: list[Message] = []

    async def life(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(await receive())

    ask(limited(life, 0), chunks=[b"long enough to be refused"], scope={"type": "lifespan"})
    assert len(seen) == 1


# Imports on their way in


async def pieces(*given: bytes) -> AsyncIterator[bytes]:
    for piece in given:
        yield piece


async def taken(uploads: Uploads, tenant: str, *given: bytes) -> bytes:
    async with uploads.received(tenant, pieces(*given)) as file:
        file.seek(0)
        return file.read()


def test_a_tenant_has_few_imports_under_way_at_once() -> None:
    async def run() -> None:
        uploads = Uploads(100)
        async with AsyncExitStack() as stack:
            for _ in range(UPLOADS):
                await stack.enter_async_context(uploads.received("evil", pieces(b"x")))
            with pytest.raises(Limited, match="under way"):
                await taken(uploads, "evil", b"x")
            assert await taken(uploads, "good", b"one ", b"two") == b"one two"
        assert await taken(uploads, "evil", b"again") == b"again"

    asyncio.run(run())


def test_imports_under_way_have_a_size_together() -> None:
    async def run() -> None:
        uploads = Uploads(100)
        async with uploads.received("evil", pieces(b"x" * 60)):
            with pytest.raises(Limited, match="more than 100 bytes together"):
                await taken(uploads, "evil", b"x" * 30, b"x" * 11)
            assert len(await taken(uploads, "good", b"x" * 100)) == 100
            assert len(await taken(uploads, "evil", b"x" * 40)) == 40
        assert len(await taken(uploads, "evil", b"x" * 100)) == 100

    asyncio.run(run())


def test_an_import_must_come_within_its_time() -> None:
    clock = Time()

    async def slowly() -> AsyncIterator[bytes]:
        while True:
            clock.now += UPLOAD_SECONDS / 3
            yield b"x"

    async def run() -> None:
        uploads = Uploads(100, clock=clock)
        with pytest.raises(Limited, match="did not come within 3,600 s"):
            async with uploads.received("slow", slowly()):
                pass
        assert await taken(uploads, "slow", b"x") == b"x"

    asyncio.run(run())

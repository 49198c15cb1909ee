"""Requests: whatever is sent is answered with what was wrong, and with nothing of another tenant's."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from starlette.types import ASGIApp

from onrecord import Memory
from onrecord.service.keys import RESERVED, SCOPES, Keys
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app
from tests.hostile.requests import Answer, Request, requests, send
from tests.hostile.trial import LONG, Trial

__all__ = ["FOREIGN", "OWN", "WEIGHT", "case", "fill", "ids", "known", "login"]

WEIGHT = 0.15
REQUESTS = 150
OWN, FOREIGN = "zqanaqz", "zqbenqz"  # words that nobody else says
EVIL = (b"http://evil.example", b"null", b"http://127.0.0.1.evil.example", b"https://127.0.0.1:1", b"//127.0.0.1")

Known = list[tuple[object, ...]]


def case(trial: Trial) -> None:
    """Requests of one tenant beside another; or of anybody where no keys are needed."""
    logging.disable(logging.CRITICAL)
    path = str(trial.folder / "memory.db")
    memory = Memory(path, embedder=None, summarize="inline", durability="process")
    keyed = trial.random.random() < 0.7
    keys = Keys(memory._store, memory._clock)
    key = keys.create(scopes=SCOPES, tenant="ana")[0] if keyed else ""
    fill(memory.space("ana/default") if keyed else memory, OWN)
    foreign = memory.space("ben/default") if keyed else memory.space("ben")
    fill(foreign, FOREIGN)
    before, names = known(foreign), ids(foreign)
    app = create_app(memory, Serving(db=path, rate=0.0))
    cookie = login(app, key) if keyed else b""
    answers = send(app, _timed(trial, _signed(trial, key, cookie, names)))
    for answer in answers:
        trial.refused += answer.status >= 400
        trial.ensure(answer.is_typed, f"status {answer.status}: {_shown(answer)}")
        if keyed:
            told = answer.body + repr(answer.headers).encode()
            trial.ensure(FOREIGN.encode() not in told, f"a foreign text: {_shown(answer)}")
            trial.ensure(not _went_through(answer.request) or answer.status >= 400, f"from elsewhere: {_shown(answer)}")
    if keyed:
        trial.ensure(known(foreign) == before, "what another tenant has was changed")
    trial.ensure(memory.check().ok, "the memory is damaged")
    for threads in app.state.desk.threads.values():
        threads.close()
    memory.close()


def fill(memory: Memory, word: str) -> None:
    for name in "stu":
        memory.session(name).add_many([("user", f"I live in {word}town, at number {number}.") for number in range(12)])
    memory.session("s").pin(f"The word is {word}.")
    memory.add_fact(f"The codeword is {word}.", subject=word)
    memory.session("s").update(title=word, system=f"Say {word}.")


def known(memory: Memory) -> Known:
    """All that a space holds."""
    said: Known = [
        (info.id, info.title, info.system, *(message.text for message in memory.session(info.id).history()))
        for info in memory.sessions()
    ]
    pins = sorted(pin.text for pin in memory.session("s").pins())
    return [*said, tuple(sorted(fact.text for fact in memory.facts(status=None))), tuple(pins)]


def ids(memory: Memory) -> list[str]:
    chat = memory.session("s")
    ids = [one.id for some in (memory.facts(), chat.pins(), chat.history(), chat.summaries()) for one in some]
    return [*ids, "ben", "ben/default", "ben%2Fdefault", "..%2Fben%2Fdefault", "default", RESERVED]


def login(app: ASGIApp, key: str) -> bytes:
    """What the browser of a person keeps who has typed the key."""
    headers = ((b"host", b"127.0.0.1"), (b"content-type", b"application/x-www-form-urlencoded"))
    (answer,) = send(app, [Request("POST", "/ui/enter", headers, f"key={key}".encode())])
    return answer.headers["set-cookie"].partition(";")[0].encode()


def _signed(trial: Trial, key: str, cookie: bytes, names: Sequence[str]) -> Iterator[Request]:
    """Requests with a key as one sends it, foreign ids in them, and from pages of other origins."""
    random = trial.random
    for request in islice(requests(random.randrange(2**60)), REQUESTS):
        path, headers, body = request.path, list(request.headers), request.body
        if random.random() < 0.3:
            start, _, end = path.rpartition("/")
            path = f"{start}/{random.choice(names)}{end[len(end.split('?')[0]) :]}"
        if random.random() < 0.2:
            headers.append((b"x-onrecord-space", random.choice(names).encode()))
        if random.random() < 0.2 and body:
            at = random.randrange(len(body))
            body = body[:at] + random.choice((b"", b"\x00", b"\xff", b'"', b"{", b"9" * 30)) + body[at + 1 :]
        if key and random.random() < 0.9:
            headers = [pair for pair in headers if pair[0] not in (b"authorization", b"cookie")]
            headers.append(random.choice(((b"cookie", cookie), (b"authorization", f"Bearer {key}".encode()))))
        if random.random() < 0.15:
            headers = [pair for pair in headers if pair[0] != b"origin"] + [(b"origin", random.choice(EVIL))]
        yield replace(request, path=path, headers=tuple(headers), body=body)


def _went_through(request: Request) -> bool:
    """Whether a browser would have sent it from a page of another origin, with the key that it keeps."""
    headers = dict(request.headers)
    asks = request.method not in ("GET", "HEAD", "OPTIONS") or request.path.startswith("/v1/")
    return asks and headers.get(b"origin") in EVIL and b"cookie" in headers and b"authorization" not in headers


def _timed(trial: Trial, some: Iterator[Request]) -> Iterator[Request]:
    """The requests, each of which may take a second of computing."""
    for request in some:
        trial.inputs += 1
        began = time.process_time()
        yield request
        taken = time.process_time() - began
        trial.ensure(taken < LONG, f"{taken:.1f} s for {request.method} {request.path[:200]!r} {request.body[:200]!r}")


def _shown(answer: Answer) -> str:
    request = answer.request
    sent = f"{request.method} {request.path[:300]!r} {request.headers!r:.600} {request.body[:300]!r}"
    return f"{sent} -> {answer.body[:300]!r}"

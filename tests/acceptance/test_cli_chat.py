"""`onrecord chat`: through `main` in this process, with a model that a test has taught, and through a terminal."""

from __future__ import annotations

import codecs
import fcntl
import io
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from cli_tools import Cli, Outcome

from onrecord import Memory, ModelError, StoreDamaged, StoreFull
from onrecord.cli import main
from onrecord.cli.chat import COMMANDS
from onrecord.cli.options import CommandRequest
from onrecord.ports import Reply
from onrecord.records import Message
from onrecord.session import Session
from onrecord.testing.scripted_server import ScriptedEndpoint

PAGE = Path(__file__).parents[2] / "docs" / "chat.md"
PATIENCE = 60  # seconds after which a terminal that stays silent fails the test
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")
CUT = ModelError("The server broke off in the middle of its answer.", "Try again.")


class Parrot:
    """A model that gives the answers it was taught, piece by piece; a piece that is an error is raised."""

    name = "test/gpt-4o"  # whose tokens can be counted
    local = True

    def __init__(self, *answers: Sequence[str | BaseException]) -> None:
        self.answers = list(answers)
        self.asked: list[list[dict[str, Any]]] = []
        self.closed = False

    def stream(
        self, messages: Sequence[Mapping[str, Any]], *, tokens: int = 2_048, temperature: float = 0.7
    ) -> Iterator[str]:
        self.asked.append([dict(message) for message in messages])
        for piece in self.answers.pop(0) if self.answers else ["I see."]:
            if isinstance(piece, BaseException):
                raise piece
            yield piece

    def complete(self, messages: Sequence[Mapping[str, Any]], **how: Any) -> Reply:
        raise ModelError("A parrot writes no summaries.", "Ask someone else.")

    def close(self) -> None:
        self.closed = True


Teach = Callable[..., Parrot]
Person = Callable[..., str]


@pytest.fixture
def teach(monkeypatch: pytest.MonkeyPatch) -> Teach:
    """Let a parrot be the model."""

    def taught(*answers: Sequence[str | BaseException]) -> Parrot:
        parrot = Parrot(*answers)
        monkeypatch.setattr(CommandRequest, "language_model", lambda self: parrot)
        return parrot

    return taught


class Typing(io.StringIO):
    """A terminal's input; what is typed is seen, as a terminal shows it."""

    def isatty(self) -> bool:
        return True

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # the two bases do not agree either
        line = super().readline()
        sys.stdout.write(line)
        return line


@pytest.fixture
def person(db: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Person:
    """Somebody who types lines into a terminal without colours, and sees what comes."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")

    def talk(*lines: str, options: Sequence[object] = ("trip",)) -> str:
        monkeypatch.setattr(sys, "stdin", Typing("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stderr", sys.stdout)  # a terminal shows both
        code = main(["chat", *map(str, options)])
        shown = capsys.readouterr().out
        assert code == 0
        # Tables are bold and dim even without colours.
        return ESCAPES.sub("", shown) if "NO_COLOR" in os.environ else shown

    return talk


def _kept(db: Path, session: str = "trip") -> list[Message]:
    with Memory(db) as memory:
        return list(memory.session(session).history())


def _texts(db: Path, session: str = "trip") -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in _kept(db, session)]


# Scripts


def test_a_script_gets_the_answers_and_all_is_kept(cli: Cli, db: Path, teach: Teach) -> None:
    parrot = teach(["In ", "May", "."], ["To Lisbon."])
    done = cli("chat", "trip", stdin=b"When do we fly?\n\nAnd where to?\r\n")
    assert (done.code, done.out, done.err) == (0, "In May.\nTo Lisbon.\n", "")
    assert [(one.seq, one.role, one.text, one.model) for one in _kept(db)] == [
        (1, "user", "When do we fly?", None),
        (2, "assistant", "In May.", "test/gpt-4o"),
        (3, "user", "And where to?", None),
        (4, "assistant", "To Lisbon.", "test/gpt-4o"),
    ]
    assert parrot.asked[1] == [
        {"role": "user", "content": "When do we fly?"},
        {"role": "assistant", "content": "In May."},
        {"role": "user", "content": "And where to?"},
    ]
    assert parrot.closed


def test_the_session_has_a_name_of_its_own_and_the_system_prompt_stays(cli: Cli, db: Path, teach: Teach) -> None:
    parrot = teach()
    assert cli("chat", "--system", "Be brief.", stdin=b"Hello").code == 0
    assert cli("chat", stdin=b"Again").code == 0
    assert len(_texts(db, "chat")) == 4
    assert [asked[0] for asked in parrot.asked] == [{"role": "system", "content": "Be brief."}] * 2


def test_what_is_said_is_on_disk_before_the_model_is_asked(cli: Cli, db: Path, teach: Teach) -> None:
    seen = []

    class Looks(Parrot):
        def stream(self, *given: Any, **how: Any) -> Iterator[str]:
            seen.extend(_texts(db))
            return super().stream(*given, **how)

    parrot = teach()
    parrot.__class__ = Looks
    cli("chat", "trip", stdin=b"Hello")
    assert seen == [("user", "Hello")]


def test_lines_that_go_on_and_slashes_that_are_meant(cli: Cli, db: Path, teach: Teach) -> None:
    teach()
    cli("chat", "trip", stdin=b"one\\\ntwo\\\n\nthree\n//help\nfour\\")
    assert [text for role, text in _texts(db) if role == "user"] == ["one\ntwo\n", "three", "/help", "four"]


def test_nothing_said_nothing_answered(cli: Cli, teach: Teach, monkeypatch: pytest.MonkeyPatch) -> None:
    parrot = teach()
    assert cli("chat", stdin=b"") == Outcome(0, "", "")
    assert cli("chat", stdin=b" \n\n") == Outcome(0, "", "")
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["chat"]) == 0
    assert parrot.asked == []


def test_answers_are_safe_for_terminals_and_kept_as_they_are(cli: Cli, db: Path, teach: Teach) -> None:
    said = "\x1b[31mred\x1b[0m \u202egnp.exe\r\nnext"
    teach([said[:4], said[4:]])
    done = cli("chat", "trip", stdin=b"Hello")
    assert done.out == "\\x1b[31mred\\x1b[0m \\u202egnp.exe\nnext\n"
    assert _texts(db)[1] == ("assistant", said)


def test_bytes_that_are_no_text_reach_the_model_readable(
    cli: Cli, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    parrot = teach()
    assert cli("chat", "trip", stdin=b"caf\xe9").code == 0
    monkeypatch.setattr(Session, "context", _raises(StoreDamaged("Bad.", "Run doctor.")))
    cli("chat", "trip", stdin=b"caf\xe9")
    for asked in parrot.asked:
        asked[-1]["content"].encode()


# No model


def test_without_a_model_the_prompt_is_shown_and_a_model_is_asked_for_once(cli: Cli, db: Path) -> None:
    done = cli("chat", "trip", "--system", "Be brief.", stdin=b"When do we fly?\nAnd where to?\n")
    first = "Be brief.\n\nUser: When do we fly?\n"
    assert (done.code, done.out) == (0, f"{first}{first}\nUser: And where to?\n")
    assert done.err == "No model is named, so you see what would be sent. Name one: --model ollama/llama3.2\n"
    assert [role for role, _ in _texts(db)] == ["user", "user"]


def test_a_model_that_is_only_a_name_is_not_asked(cli: Cli) -> None:
    done = cli("chat", "trip", "--model", "gpt-4o", stdin=b"Hello")
    assert done.err.startswith("gpt-4o names no provider that can be asked, so you see ")
    assert done.out == "User: Hello\n"


def test_programs_are_sent_to_the_library(cli: Cli) -> None:
    done = cli("chat", "trip", "--json", stdin=b"Hello")
    assert (done.code, done.out) == (2, "")
    assert "A chat has no JSON form." in done.err


# Trouble


def _raises(error: BaseException) -> Callable[..., Any]:
    def fail(*given: Any, **how: Any) -> Any:
        raise error

    return fail


def test_an_answer_that_breaks_off_is_kept_as_far_as_it_came(cli: Cli, db: Path, teach: Teach) -> None:
    parrot = teach(["In ", "M", CUT], ["In May."])
    done = cli("chat", "trip", stdin=b"When?\nWhen, please?\n")
    assert (done.code, done.out) == (3, "In M\nIn May.\n")
    assert done.err == "The server broke off in the middle of its answer. Try again. What came is kept.\n"
    assert [(one.text, one.meta) for one in _kept(db)] == [
        ("When?", {}),
        ("In M", {"cut": True}),
        ("When, please?", {}),
        ("In May.", {}),
    ]
    assert len(parrot.asked) == 2


def test_an_answer_of_which_nothing_came_is_not_kept(cli: Cli, db: Path, teach: Teach) -> None:
    teach([CUT], [], ["\n", CUT])
    done = cli("chat", "trip", stdin=b"One\nTwo\nThree\n")
    broke = "The server broke off in the middle of its answer. Try again."
    nothing = "test/gpt-4o answered nothing. Say it again, or in other words."
    assert done.err.splitlines() == [broke, nothing, broke]
    assert [role for role, _ in _texts(db)] == ["user"] * 3
    assert done.code == 3


def test_memory_that_cannot_help_leaves_the_question_alone(
    cli: Cli, db: Path, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    parrot = teach()
    cli("chat", "trip", stdin=b"We fly in May.")
    with monkeypatch.context() as patch:
        patch.setattr(Session, "context", _raises(StoreDamaged("The file is damaged.", "Run doctor.")))
        done = cli("chat", "trip", stdin=b"When?")
    assert (done.code, done.out) == (3, "I see.\n")
    assert done.err == "Memory cannot help, so the question goes alone: The file is damaged. Run doctor.\n"
    assert parrot.asked[1] == [{"role": "user", "content": "When?"}]
    assert len(_kept(db)) == 4


def test_a_turn_that_cannot_be_kept_is_answered_all_the_same(
    cli: Cli, db: Path, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    parrot = teach()
    cli("chat", "trip", stdin=b"We fly in May.")
    full = StoreFull("The disk is full.", "Make room.")
    with monkeypatch.context() as patch:
        patch.setattr(Session, "add", _raises(full))
        done = cli("chat", "trip", stdin=b"When?")
        patch.setattr(Session, "context", _raises(full))
        alone = cli("chat", "trip", stdin=b"When?")
    assert (done.code, done.out, done.err) == (3, "I see.\n", "This turn is not kept: The disk is full. Make room.\n")
    assert len(parrot.asked[1]) == 3
    assert (alone.out, alone.err) == (done.out, done.err)  # the same trouble is said once
    assert len(_kept(db)) == 2


def test_an_answer_that_cannot_be_kept_is_said(
    cli: Cli, db: Path, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach()
    add = Session.add

    def full(self: Session, role: Any, text: str, **more: Any) -> Any:
        if role == "assistant":
            raise StoreFull("The disk is full.", "Make room.")
        return add(self, role, text, **more)

    monkeypatch.setattr(Session, "add", full)
    done = cli("chat", "trip", stdin=b"When?")
    assert (done.code, done.out, done.err) == (3, "I see.\n", "The answer is not kept: The disk is full. Make room.\n")


def test_what_memory_cannot_take_no_model_gets(cli: Cli, teach: Teach) -> None:
    parrot = teach()
    big = b"x" * 5_000_000
    done = cli("chat", "trip", stdin=big + b"\nHello\n")
    assert done.code == 2
    assert "bytes" in done.err
    assert [asked[-1]["content"] for asked in parrot.asked] == ["Hello"]


def test_a_budget_that_is_too_small_is_said(cli: Cli, teach: Teach) -> None:
    teach()
    done = cli("chat", "trip", "--tokens", 1, stdin=b"Hello")
    assert (done.code, done.out) == (2, "I see.\n")
    assert done.err.startswith("Memory cannot help, so the question goes alone: ")


def test_a_reader_who_leaves_and_an_interrupted_script_keep_what_came(
    cli: Cli, db: Path, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach(["In ", KeyboardInterrupt()], ["In ", "May."])
    done = cli("chat", "trip", stdin=b"When?\nAgain\n")
    assert (done.code, done.out) == (130, "In \n")
    monkeypatch.setattr("onrecord.cli.chat.TerminalChat._show", _raises(BrokenPipeError()))
    assert cli("chat", "trip", stdin=b"And now?").code == 141
    assert [(one.text, one.meta) for one in _kept(db)] == [
        ("When?", {}),
        ("In ", {"cut": True}),
        ("And now?", {}),
    ]


def test_a_model_that_cannot_be_used_and_a_place_that_is_none_end_it_at_once(cli: Cli, tmp_path: Path) -> None:
    assert cli("chat", "--model", "openai/gpt-4.1-mini", stdin=b"Hello").code == 2
    assert cli("chat", "--embedder", "nobody", stdin=b"Hello").code == 2
    (tmp_path / "letter.db").write_bytes(b"Dear Ana, " * 1000)
    assert cli("chat", "--db", tmp_path / "letter.db", stdin=b"Hello").code == 3
    assert cli("chat", "--tokens", 0, stdin=b"Hello").code == 2


class Deaf:
    """An embedder that fails whenever it is needed."""

    name, dimension = "test/deaf", 4

    def __init__(self) -> None:
        self.asked = 0

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked += 1
        raise ModelError("The encoder cannot be loaded.", "Install it again.")


def test_the_embedder_is_asked_only_where_there_is_something_to_recall_and_may_fail(
    cli: Cli, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach()
    deaf = Deaf()
    monkeypatch.setattr(CommandRequest, "embedder", lambda self: deaf)
    assert cli("chat", "trip", stdin=b"We fly in May.\nWhen?\n") == Outcome(0, "I see.\nI see.\n", "")
    assert deaf.asked == 0
    done = cli("chat", "home", stdin=b"When do we fly?")
    assert (done.code, done.out) == (0, "I see.\n")
    assert done.err.startswith("Warning: ")
    assert "The encoder cannot be loaded." in done.err
    assert deaf.asked > 0


def test_warnings_of_a_prompt_are_said_while_they_are_new(
    cli: Cli, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach()
    monkeypatch.setattr(Parrot, "name", "someone/unknown")
    done = cli("chat", "trip", stdin=b"One\nTwo\n")
    assert done.err == "Warning: Tokens are an upper estimate: the model's own tokenizer is not known.\n"


# A person


def test_a_person_without_a_model_sees_the_prompts(person: Person) -> None:
    shown = person("Hello")
    assert shown.count("No model is named, so you see what would be sent. Name one: --model ollama/llama3.2\n") == 1
    assert "> Hello\nUser: Hello\n" in shown


def test_ctrl_c_stops_an_answer_and_the_conversation_goes_on(person: Person, db: Path, teach: Teach) -> None:
    teach(["In ", KeyboardInterrupt()], ["Lisbon."])
    shown = person("When?", "Where?")
    assert "> When?\nIn \n(stopped)\n" in shown
    assert "> Where?\nLisbon.\n" in shown
    assert [(one.text, one.meta) for one in _kept(db)][1] == ("In ", {"cut": True})


def test_ctrl_c_before_an_answer_stops_the_turn(
    person: Person, db: Path, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    parrot = teach()
    monkeypatch.setattr(Session, "context", _raises(KeyboardInterrupt()))
    assert "> When?\n(stopped)\n" in person("When?")
    assert (parrot.asked, _texts(db)) == ([], [("user", "When?")])


def test_ctrl_c_at_the_prompt_leaves_and_recalled_nothing_half_typed(
    person: Person, db: Path, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    parrot = teach()
    lines = iter(["Do not \\"])

    def typed(prompt: str = "") -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", typed)
    person()
    assert (parrot.asked, _texts(db)) == ([], [])


def test_trouble_is_one_line_and_the_conversation_goes_on(person: Person, db: Path, teach: Teach) -> None:
    teach(["In M", CUT], ["In May."])
    shown = person("When?", "When, please?")
    assert "> When?\nIn M\nThe server broke off in the middle of its answer. Try again. What came is kept.\n" in shown
    assert "> When, please?\nIn May.\n" in shown


# Commands


def test_help_lists_every_command(person: Person) -> None:
    shown = person("/HELP")
    for command in COMMANDS.values():
        usage, told = re.split(r"  +", str(command.__doc__))
        assert f"\n{usage} " in f"\n{shown}"
        assert f"| `{usage}` | {told}" in PAGE.read_text(encoding="utf-8")


def test_pin_keeps_a_text_or_what_was_said_last(person: Person, db: Path, teach: Teach) -> None:
    parrot = teach()
    shown = person("/pin", "I am allergic to penicillin.", "/pin", "/pin  No \x1b[31mshellfish", "What now?")
    assert "There is no message to pin yet. Say something, or give the text: /pin TEXT\n" in shown
    assert "Pinned, so it is in every prompt: I am allergic to penicillin.\n" in shown
    assert "Pinned, so it is in every prompt: No \\x1b[31mshellfish\n" in shown
    assert "No " in parrot.asked[-1][0]["content"]
    with Memory(db) as memory:
        assert {(pin.text, pin.source) for pin in memory.session("trip").pins()} == {
            ("I am allergic to penicillin.", 1),
            ("No \x1b[31mshellfish", None),
        }


def test_context_shows_what_would_be_sent_and_what_it_takes(person: Person, db: Path) -> None:
    shown = person("/context", "We fly in May.", "/context When do we fly?")
    assert "> /context\n3 of 4,000 tokens" in shown
    last = shown[shown.index("> /context When do we fly?") :]
    assert "User: We fly in May.\n\nUser: When do we fly?\n\n" in last
    assert re.search(r"\n\d+ of [\d,]+ tokens \(o200k_base\), profile balanced", last)
    assert len(_texts(db)) == 1


def test_why_explains_the_last_prompt_as_explain_does(person: Person, cli: Cli, teach: Teach) -> None:
    teach()
    shown = person("/why", "We fly in May.", "/why", "/forget 1", "/why")
    assert shown.count("No prompt was built yet. Say something first; /context shows what would be sent.\n") == 2
    table = shown[shown.index("> /why", shown.index("fly in May")) :]
    assert re.search(r"\nin  question  1 +\d+ +1.00 +the newest turn +We fly in May\.\n", table)


def test_search_finds_in_all_conversations(person: Person, cli: Cli) -> None:
    cli("add", "home", "The felines knocked over the vase.")
    shown = person("/search the vase", "/search", "/search", "Hello")
    assert re.search(r"\n +\d+%  [-\d]+ [:\d]+  user  home 1\n    The felines knocked over the vase\.\n", shown)
    assert "/search needs to know what to find. Type, for example: /search penicillin\n" in shown
    assert "Nothing was found.\n" in person("/search anything", options=["--space", "empty"])


def test_forget_erases_messages(person: Person, db: Path, teach: Teach) -> None:
    teach()
    shown = person("The code is 4417.", "/pin", "/forget 1 2", "/forget 1", "/forget", "/forget 99999999999999999999")
    assert "Forgotten: 2 messages.\n" in shown
    assert "There was nothing to forget: no message 1 is there." in shown
    assert "/forget needs the number of a message. /search shows numbers: /forget 3\n" in shown
    assert "Numbers have at most 18 digits." in shown
    assert _texts(db) == []


def test_forget_says_when_bytes_may_linger(
    person: Person, db: Path, teach: Teach, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from onrecord.records import Erased

    monkeypatch.setattr(Session, "forget", lambda self, *numbers: Erased(messages=1, pending=True))
    monkeypatch.setattr(sys, "stdin", Typing("/forget 1\n"))
    assert main(["chat", "trip"]) == 0
    assert f"run: onrecord doctor --db {db}\n" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["/x", "/exit now", "/", "/usr/bin/env python"])
def test_an_unknown_command_gets_a_hint(person: Person, db: Path, line: str) -> None:
    shown = person(line)
    assert f"There is no command {line.split(' ')[0]}. /help lists them." in shown
    assert f"To say it to the model, type two slashes: /{line}\n" in shown
    assert _texts(db) == []


def test_a_script_hears_of_a_wrong_command(cli: Cli, teach: Teach) -> None:
    teach()
    done = cli("chat", stdin=b"/x\nHello\n")
    assert (done.code, done.out) == (2, "I see.\n")
    assert done.err.startswith("There is no command /x.")


# Servers


def _served(server: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONRECORD_UPSTREAM", server.base_url)
    monkeypatch.setenv("ONRECORD_MODEL", "openai/gpt-4o")


def test_a_server_answers(cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedEndpoint() as server:
        _served(server, monkeypatch)
        server.answers = ["In May, to Lisbon."]
        done = cli("chat", "trip", stdin=b"When do we fly?")
    assert (done.code, done.out, done.err) == (0, "In May, to Lisbon.\n", "")
    assert [(one.role, one.model) for one in _kept(db)] == [("user", None), ("assistant", "openai/gpt-4o")]


def test_one_model_talks_and_writes(cli: Cli, teach: Teach, monkeypatch: pytest.MonkeyPatch) -> None:
    parrot, seen = teach(), []
    real = Memory.__init__

    def opened(self: Memory, *given: Any, **how: Any) -> None:
        seen.append(how["model"])
        real(self, *given, **how)

    monkeypatch.setattr(Memory, "__init__", opened)
    assert cli("chat", "trip", stdin=b"Hello").code == 0
    assert seen == [parrot]  # a file of gigabytes is loaded once


def test_a_server_that_fails_is_said_and_the_conversation_goes_on(
    cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedEndpoint() as server:
        _served(server, monkeypatch)
        server.answers = ["In May, to Lisbon, for five nights."] * 2
        server.misbehave("status 400")
        server.misbehave("cut stream")
        done = cli("chat", "trip", stdin=b"One\nTwo\nThree\n")
    refused, cut = done.err.splitlines()
    assert "status 400" in refused
    assert "broke off" in cut
    assert done.out.endswith("In May, to Lisbon, for five nights.\n")
    assert [one.text for one in _kept(db) if one.role == "user"] == ["One", "Two", "Three"]
    assert done.code == 3


# A real terminal

PROGRAM = """
import fcntl, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # the terminal is ours: Ctrl-C in it reaches us
from onrecord.cli import main
from onrecord.cli.options import CommandRequest

class Slow:
    name, local = "test/gpt-4o", True

    def stream(self, messages, **how):
        yield "One moment, "
        if messages[-1]["content"] == "Wait":
            signal.pause()
        yield f"please: {messages[-1]['content']!r}."

CommandRequest.language_model = lambda self: Slow()
sys.exit(main())
"""


class Screen:
    """A program in a terminal of its own."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm"} | environment,
        )
        os.close(slave)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def until(self, text: str) -> str:
        """What is shown up to this text, without colours; it is taken off."""
        while text not in ESCAPES.sub("", self.raw):
            assert select.select([self.master], [], [], PATIENCE)[0], f"no {text!r} in {self.raw!r}"
            if not self._more():
                raise AssertionError(f"it ended without {text!r}: {self.raw!r}")
        before, _, after = ESCAPES.sub("", self.raw).partition(text)
        self.raw = after
        return before + text

    def _more(self) -> bool:
        try:
            found = os.read(self.master, 65536)
        except OSError:  # how Linux says that the other side is closed
            return False
        self.raw += self._decoder.decode(found)  # a letter may come in two parts
        return bool(found)

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def end(self, key: str = "") -> tuple[int, str]:
        """How it ended, and what it showed last; a key that comes while no line is read is typed again."""
        for _ in range(PATIENCE):
            self.type(key)
            while select.select([self.master], [], [], 1)[0]:
                if not self._more():
                    os.close(self.master)
                    return self.process.wait(PATIENCE), ESCAPES.sub("", self.raw)
        raise AssertionError(f"it goes on: {self.raw!r}")


def test_in_a_terminal(db: Path, tmp_path: Path) -> None:
    screen = Screen("chat", "trip", HOME=str(tmp_path))
    head = screen.until("\n> ")
    assert head.startswith(
        f"trip: 0 messages in {db}\ntest/gpt-4o answers. /help lists what you can do; Ctrl-D leaves.\n"
    )
    screen.type("Hello\r")
    assert "Hello\nOne moment, please: 'Hello'.\n" in screen.until("tokens\n\n> ")
    screen.type("Wait\r")
    screen.until("One moment, ")
    screen.type("\x03")
    screen.until("(stopped)\n")
    screen.until("tokens\n\n> ")
    screen.type("two\\\r")
    screen.until("> ")
    screen.type("lines\r")
    screen.until("please: 'two\\nlines'.\n")
    screen.until("> ")
    screen.type("\x1b[A")  # the line before, from the history
    screen.until("lines")
    screen.type("\x15/help\r")
    screen.until("//text says /text to the model.\n\n> ")
    screen.type("\x04")
    code, rest = screen.end()
    assert (code, rest.strip()) == (0, "")
    assert [(one.text, one.meta) for one in _kept(db)][:4] == [
        ("Hello", {}),
        ("One moment, please: 'Hello'.", {}),
        ("Wait", {}),
        ("One moment, ", {"cut": True}),
    ]
    assert [path.name for path in tmp_path.iterdir() if "memory.db" not in path.name] == [], "a history file"


def test_in_a_terminal_ctrl_c_leaves_what_is_half_typed(db: Path) -> None:
    screen = Screen("chat", "trip")
    screen.until("\n> ")
    screen.type("first\n")
    screen.until("tokens\n\n> ")
    screen.type("half a line")
    screen.until("half a line")  # the line is being read now
    code, _ = screen.end("\x03")
    assert code == 0
    assert [text for role, text in _texts(db) if role == "user"] == ["first"]


# The page


def test_the_page_shows_what_is_seen(person: Person, teach: Teach, monkeypatch: pytest.MonkeyPatch) -> None:
    """The transcript of docs/chat.md is played again: what stands after the prompt is typed."""
    (shown,) = re.findall(r"```text\n(trip: .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    typed = [line.removeprefix("> ") for line in shown.splitlines() if line.startswith("> ")]
    parrot = teach(
        ["Noted: 5 May, Lisbon, and no penicillin. ", "Shall I look for a flat in Alfama?"],
        ["Your allergy to penicillin: say so before anything is prescribed."],
    )
    monkeypatch.setattr(Parrot, "name", "ollama/llama3.2")
    seen = person(*typed, options=["trip", "--db", "memory.db", "--model", "ollama/llama3.2"])
    assert "\n".join(line.rstrip() for line in seen.splitlines()) == shown.rstrip("\n")
    assert len(parrot.asked) == 2
    assert json.dumps(parrot.asked[1]).count("penicillin") == 3

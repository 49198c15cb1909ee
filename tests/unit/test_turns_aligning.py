"""Which messages of a request are new: every rule, and clients of each style over random conversations."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord import Memory
from onrecord.records import Message, Role
from onrecord.turns import begin_turn
from onrecord.turns.aligning import Aligned, align, visible
from onrecord.turns.saying import read_request

Text = str | tuple[str, dict[str, Any]]
_ROLES: dict[str, Role] = {"u": "user", "a": "assistant", "t": "tool", "s": "system"}


def view(*lines: str, **metas: dict[str, Any]) -> list[Message]:
    """Messages from lines such as "u hello"; `m2={…}` is the meta of the second."""
    return [
        Message(
            session="s",
            seq=number,
            id=str(number),
            role=_ROLES[line[0]],
            text=line[2:],
            tool_call_id=line[2:] if line[0] == "t" else None,
            meta=metas.get(f"m{number}", {}),
        )
        for number, line in enumerate(lines, 1)
    ]


def request(*lines: str) -> list[dict[str, Any]]:
    return [
        {"role": _ROLES[line[0]], "content": line[2:], **({"tool_call_id": line[2:]} if line[0] == "t" else {})}
        for line in lines
    ]


def aligned(held: Sequence[Message], *lines: str, derived: bool = False, whole: bool = True) -> Aligned:
    asked = read_request(request(*lines))
    return align(visible(held), asked.said, whole=whole, derived=derived, begun=bool(asked.begun))


def outcome(found: Aligned) -> tuple[str, int, tuple[int, int] | None, int | None]:
    return found.kind, found.new, found.replaces, found.before


HELD = view("u one", "a two", "u three", "a four")


def test_of_a_whole_history_only_the_new_end_is_added() -> None:
    assert outcome(aligned(HELD, "u one", "a two", "u three", "a four", "u five")) == ("added", 4, None, None)
    assert outcome(aligned([], "u one")) == ("added", 0, None, None)
    assert outcome(aligned(view("u one"), "u one", "a lost", "u more")) == ("added", 1, None, None)


def test_the_newest_message_alone_is_added_also_if_it_was_said_before() -> None:
    assert outcome(aligned(HELD, "u five")) == ("added", 0, None, None)
    assert outcome(aligned(HELD, "u three")) == ("added", 0, None, None)
    assert outcome(aligned(view("u yes", "a ok"), "u yes")) == ("added", 0, None, None)


def test_an_unanswered_message_sent_again_is_not_added_again() -> None:
    held = view("u one", "a two", "u three")
    assert outcome(aligned(held, "u one", "a two", "u three")) == ("retried", 3, None, None)
    assert outcome(aligned(held, "u three")) == ("retried", 1, None, None)
    assert outcome(aligned(held, "a two", "u three")) == ("retried", 2, None, None)


def test_an_edited_message_replaces_all_from_the_old_one_on() -> None:
    assert outcome(aligned(HELD, "u one", "a two", "u 3")) == ("edited", 2, (3, 4), None)
    assert outcome(aligned(HELD, "u one", "a two!", "u three", "a four", "u five")) == ("edited", 1, (2, 4), None)
    assert outcome(aligned(HELD, "u 1", "a two", "u three", "a four", "u five")) == ("edited", 0, (1, 4), None)


def test_a_question_that_was_answered_is_answered_again() -> None:
    assert outcome(aligned(HELD, "u one", "a two", "u three")) == ("again", 3, (4, 4), 4)
    assert outcome(aligned(HELD, "u one", derived=True)) == ("again", 1, (2, 4), 2)


def test_a_beginning_that_the_client_leaves_out_does_not_matter() -> None:
    assert outcome(aligned(HELD, "u three", "a four", "u five")) == ("added", 2, None, None)
    assert outcome(aligned(HELD, "a four", "u five")) == ("added", 1, None, None)
    long = view("u 1", "a 2", "u 3", "a 4", "u 5", "a 6")
    assert outcome(aligned(long, "u 3", "a 4", "u 5")) == ("again", 3, (6, 6), 6)
    assert outcome(aligned(long, "u 3", "a 4", "u other")) == ("edited", 2, (5, 6), None)


def test_something_else_may_stand_for_the_beginning() -> None:
    long = view("u 1", "a 2", "u 3", "a 4", "u 5", "a 6")
    assert outcome(aligned(long, "u In short: much was said.", "u 5", "a 6", "u 7")) == ("added", 3, None, None)
    assert outcome(aligned(long, "u 1", "a In short.", "u 5", "a 6", "u 7")) == ("added", 4, None, None)


def test_equal_messages_in_a_row_are_several() -> None:
    held = view("u yes", "a ok", "u yes", "a ok")
    assert outcome(aligned(held, "u yes", "a ok", "u yes", "a ok", "u yes")) == ("added", 4, None, None)
    assert outcome(aligned(view("u yes", "u yes"), "u yes", "u yes")) == ("retried", 2, None, None)
    assert outcome(aligned(view("u yes"), "u yes", "u yes")) == ("added", 1, None, None)
    assert outcome(aligned([], "u yes", "u yes")) == ("added", 0, None, None)


def test_space_around_a_text_and_thoughts_before_it_do_not_matter() -> None:
    held = view("u one ", "a <think>Hm.</think>\n\ntwo")
    assert outcome(aligned(held, "u  one", "a two\n", "u three")) == ("added", 2, None, None)


def test_an_answer_that_broke_off_is_known_by_its_beginning() -> None:
    held = view("u one", "a Once upon", m2={"cut": True})
    for answer in ("Once", "Once upon a time", "Once upon"):
        assert outcome(aligned(held, "u one", f"a {answer}", "u on")) == ("added", 2, None, None)
    assert aligned(held, "u one", "a Twice", "u on").kind == "edited"
    assert aligned(view("u one", "a Once upon"), "u one", "a Once", "u on").kind == "edited"
    assert outcome(aligned(held, "u one", "u on")) == ("edited", 1, (2, 2), None)  # the client let go of it


def test_the_beginning_of_an_answer_is_not_taken_for_another() -> None:
    held = view("u 1", "a answer 2", "u 3", "a answer 4", "u 5", "a answer", m6={"cut": True})
    assert outcome(aligned(held, "a answer 2", "u 3", "a answer 4", "u other")) == ("edited", 3, (5, 6), None)


def test_an_answer_that_is_to_go_on_is_asked_for_again() -> None:
    held = view("u one", "a two", "u three", "a Once", m4={"cut": True})
    assert outcome(aligned(held, "u one", "a two", "u three", "a Once")) == ("again", 3, (4, 4), 4)
    assert outcome(aligned(held, "u three", "a Once")) == ("again", 1, (4, 4), 4)


def test_calls_and_results_are_known_by_their_ids() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    sent: list[dict[str, Any]] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call, call | {"id": "c2"}]},
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
        {"role": "tool", "tool_call_id": "c2", "content": "2"},
    ]
    with Memory(":memory:", embedder=None, summarize="manual") as memory:
        chat = memory.session("s")
        for upto in (1, 2, 3, 4):
            asked = read_request(sent)
            found = align(visible(list(chat.history())), asked.said, whole=True)
            assert found.new == chat.info().last_seq == upto - 1
            chat.add_many([asked.said[upto - 1].draft()])
        shorter = [*sent[:2], sent[2] | {"content": "[left out]"}, sent[3], {"role": "user", "content": "and?"}]
        found = align(visible(list(chat.history())), read_request(shorter).said, whole=True)
        assert outcome(found) == ("added", 4, None, None)
        results = align(visible(list(chat.history())), read_request(sent[2:]).said, whole=True)
        assert results.kind == "retried"


def test_no_relation_means_that_all_is_new() -> None:
    assert outcome(aligned(HELD, "u other", "a things", "u entirely")) == ("added", 0, None, None)
    assert outcome(aligned(HELD, "t c1", "t c2")) == ("added", 0, None, None)


def test_more_is_read_only_where_that_could_change_something() -> None:
    end = HELD[2:]
    assert aligned(end, "u one", "a two", "u three", "a four", "u five", whole=False).sure
    assert aligned(end, "a four", "u five", whole=False).sure
    assert aligned(end, "u five", whole=False).sure
    assert not aligned(end, "u one", "a two", "u 3", whole=False).sure
    assert not aligned(end, "u one", "a two", "u three", whole=False).sure


def test_what_was_replaced_or_is_an_instruction_is_not_compared() -> None:
    held = view("s Be kind.", "u one", "a two", "a 2", "u three", m4={"replaces": [3, 3]})
    assert [message.text for message in visible(held)] == ["one", "2", "three"]


# Clients


@dataclass
class Client:
    """A program with a conversation, and what a journal of it should hold."""

    memory: Memory
    style: str
    keeps: int = 6  # messages that it sends, where it leaves the beginning out
    history: list[dict[str, Any]] = field(default_factory=list)
    journal: list[tuple[str, str]] = field(default_factory=list)
    pending: bool = False  # whether the last message waits for an answer

    def say(self, text: str) -> None:
        self.history.append({"role": "user", "content": text})
        self.journal.append(("user", text))
        self.pending = True

    def edit(self, at: int, text: str) -> None:
        """Change the user's message at or before that place, and drop what came after it."""
        while self.history[at]["role"] != "user":
            at -= 1
        if at:
            del self.history[at:]
            self.say(text)

    def again(self, at: int) -> None:
        """Drop the answer to a user's message and what came after it."""
        while self.history[at]["role"] != "user":
            at -= 1
        if at + 1 < len(self.history) and at:
            del self.history[at + 1 :]
            self.pending = True

    def send(self, answer: str | None, cut: int | None = None) -> None:
        """Ask; `answer` None: the server fails; `cut`: the client sees only so many letters more or less."""
        if not self.pending:
            return
        messages = {"whole": self.history, "end": self.history[-self.keeps :], "newest": self.history[-1:]}[self.style]
        turn = begin_turn(self.memory, {"model": "gpt-4o", "messages": list(messages)}, session="s", budget=2000)
        assert turn.body["messages"][-1]["content"] == self.history[-1]["content"]
        if answer is None:
            return
        self.pending = False
        kept = answer if cut is None else answer[: max(1, len(answer) - cut)]
        turn.finish({"role": "assistant", "content": kept}, cut=cut is not None)
        self.journal.append(("assistant", kept))
        self.history.append({"role": "assistant", "content": answer})

    def check(self) -> None:
        messages = list(self.memory.session("s").history())
        assert [(message.role, message.text) for message in messages] == self.journal
        seen = [(message.role, message.text) for message in visible(messages)]
        shown = [(one["role"], one["content"]) for one in self.history]
        assert len(seen) == len(shown)
        assert all(one[0] == other[0] and other[1].startswith(one[1]) for one, other in zip(seen, shown, strict=True))


texts = st.sampled_from(["yes", "no", "go on", " yes", "1"])
steps = st.lists(
    st.tuples(st.sampled_from(["say", "say", "say", "fail", "edit", "again", "cut"]), st.integers(0, 40), texts),
    max_size=14,
)


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, summarize="manual") as memory:
        yield memory


@settings(max_examples=60)
@given(steps=steps, style=st.sampled_from(["whole", "end", "newest"]))
def test_a_client_of_any_style_ends_with_the_right_journal(
    memory: Memory, steps: list[tuple[str, int, str]], style: str
) -> None:
    space = memory.space(style)
    if space.session("s").info().last_seq:
        space.forget(session="s")
    client = Client(space, style)
    for number, (what, at, text) in enumerate(steps):
        once = f"{text} {number}"  # nothing else can be taken for it
        said = once if style == "end" else text
        if what in ("edit", "again") and client.history and style != "newest":
            if what == "edit":
                client.edit(at % len(client.history), once)
            else:
                client.again(at % len(client.history))
        elif not client.pending:
            client.say(said)
        answer = f"answer {number}" if style == "end" else f"answer {at % 3}"
        client.send(None if what == "fail" else answer, cut=at % 4 if what == "cut" else None)
        client.check()


def test_a_long_conversation_is_read_only_as_far_as_needed(memory: Memory) -> None:
    client = Client(memory.space("long"), "whole")
    for number in range(150):
        client.say(f"question {number}")
        client.send(f"answer {number}")
    client.check()
    client.again(201)
    client.send("another answer")
    client.check()
    client.edit(4, "from the beginning")
    client.send("a new life")
    client.check()

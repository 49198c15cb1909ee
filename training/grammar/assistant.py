"""What only a user and an assistant do: standing orders, which later requests must find, and long answers.

A request does not mention the order that bears on it; its gold is the turn in which the order was given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from training.grammar import answers_home, answers_world, orders_form, orders_life, orders_more
from training.grammar.draft import Draft, Line
from training.grammar.fill import Binding, fill
from training.grammar.kinds import Kind, read

__all__ = ["ANSWERS", "ORDERS", "add"]

ORDERS: list[Kind] = [kind for table in (orders_form, orders_life, orders_more) for kind in read(table.TABLE)]


@dataclass(slots=True)
class Answer:
    """A topic: how it is asked for, and sentences with the questions on their details."""

    name: str
    opens: list[str] = field(default_factory=list)
    sentences: list[tuple[str, list[str]]] = field(default_factory=list)


def _answers(table: str) -> Iterator[Answer]:
    answer = Answer("")
    for line in table.strip().splitlines():
        mark, text = line[0], line[2:]
        if mark == "=":
            if answer.name:
                yield answer
            answer = Answer(text)
        elif mark == "!":
            answer.opens.append(text)
        elif mark == "+":
            answer.sentences.append((text, []))
        else:
            answer.sentences[-1][1].append(text)
    yield answer


ANSWERS: list[Answer] = [answer for table in (answers_home, answers_world) for answer in _answers(table.TABLE)]

NODS = """
Understood, I'll do that from now on.|Got it.|Sure, I'll keep that in mind.|Noted, thanks for letting me know.
Of course.
Will do!|Okay, I'll remember that.|Thanks, that's helpful to know.|Absolutely, I'll bear that in mind.|No problem.
Noted.
Sure thing. Anything else?|All right, I'll keep to that.|Thanks for telling me. How can I help today?
I'll make sure of it.
"""
OPENERS = """
Sure!|Good question.|Of course.|Happy to help.|Here's a short overview.|Here is what I'd suggest.|Certainly.||||
Great topic.|Let me walk you through it.|There are a few things to know.|In short:|
"""
CLOSERS = """
Let me know if you'd like more detail on any of this.|Would you like me to go deeper?|I hope that helps!
Shall I make a checklist of it?
Tell me more about your situation and I can be more specific.|Good luck with it!
If you like, I can turn this into a plan.||||
"""
FRAMES = """
According to the assistant,|You told me once:|From your explanation:|We talked about this before:|As you said,
"""
TASKS = """
|||||||||First something general.|Before we start:|One more thing.|Quick note for the future:
Hi!|Please remember this:|By the way:|Okay, thanks. Something else:|Before I forget:|For all our chats:
"""


def add(draft: Draft) -> None:
    """An order or a long answer."""
    if draft.rng.random() < 0.6:
        _order(draft)
    else:
        _answer(draft)


def _order(draft: Draft) -> None:
    rng = draft.rng
    kind = rng.choice(ORDERS)
    if kind.group in draft.groups:
        return
    draft.groups.add(kind.group)
    binding = Binding(rng, kind.values)
    lead = _maybe(rng, TASKS)
    line = Line(0, f"{lead} {fill(rng.choice(kind.says), binding)}".strip())
    draft.put([line, Line(1, draft.word(NODS))])
    requests = [ask for ask in kind.asks[""] if all(slot in binding.bound for slot in ask.needs)]
    for ask in rng.sample(requests, min(rng.choice((1, 2, 2, 3)), len(requests))):
        draft.ask(fill(ask.text, binding), [line], True)
    direct = kind.asks.get("d", [])
    if direct and rng.random() < 0.35:
        form = rng.choice(direct).text
        draft.ask(fill(form, binding, draft.person(0, form)), [line])


def _answer(draft: Draft) -> None:
    """A question by the user, a long answer, and later questions on its details."""
    rng = draft.rng
    answer = rng.choice(ANSWERS)
    if answer.name in draft.groups:
        return
    draft.groups.add(answer.name)
    binding = Binding(rng, {})
    chosen = _sentences(rng, answer.sentences)
    parts = [_maybe(rng, OPENERS), *(fill(text, binding) for text, _ in chosen), _maybe(rng, CLOSERS)]
    line = Line(1, rng.choice((" ", " ", " ", "\n")).join(part for part in parts if part))
    draft.put([Line(0, fill(rng.choice(answer.opens), binding)), line])
    asked = [rng.choice(questions) for _, questions in chosen if questions]
    for question in rng.sample(asked, min(rng.choice((1, 2, 2, 3)), len(asked))):
        text = fill(question, binding)
        if rng.random() < 0.2:
            text = _maybe(rng, FRAMES) + " " + text[0].lower() + text[1:]
        draft.ask(text, [line])


def _maybe(rng: Random, table: str) -> str:
    """A piece of a table, or nothing."""
    return rng.choice([part for line in table.strip("\n").splitlines() for part in line.split("|")])


def _sentences(rng: Random, all_: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Some sentences in their order, 60 to 140 words together."""
    order = list(range(len(all_)))
    rng.shuffle(order)
    target, words = rng.randint(65, 120), 0
    kept: list[int] = []
    for place in order:
        length = len(all_[place][0].split())
        if words >= target or words + length > 135:
            break
        kept.append(place)
        words += length
    return [all_[place] for place in sorted(kept)]

"""Putting talks together: facts, what stands near them, and the questions, in an order drawn at random.

A talk is planned as blocks of lines that stay together; a question points at lines, and learns their turn numbers when
the blocks have been laid out.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from training.grammar import assistant, facts
from training.grammar.chat import ACKS, BRIDGES, BYES, GREETS, JOINTS, REPLIES, SMALL, USER_SMALL
from training.grammar.draft import Draft, Line, pick
from training.grammar.names import MEN, WOMEN
from training.grammar.style import OPEN, PLAIN, ask_style, manner
from training.talks import Question, Talk, Turn

__all__ = ["talks"]


def talks(seed: int, count: int) -> Iterator[Talk]:
    """Made conversations; the same for the same seed."""
    for number in range(count):
        yield _talk(Random(f"{seed}/{number}"))


def _talk(rng: Random) -> Talk:
    while True:
        draft = _draft(rng)
        low, high = rng.randint(16, 22), 30
        target = rng.randint(6, 14)
        tries = 0
        while (len(draft.asks) < target or draft.size() < low - 4) and draft.size() < high - 8 and tries < 40:
            tries += 1
            if draft.user and rng.random() < 0.55:
                assistant.add(draft)
            else:
                facts.add(draft)
        for _ in range(rng.choice((0, 0, 1, 2))):
            draft.put(_small(draft))
        while draft.size() < low:
            draft.put(_small(draft))
        _ends(draft)
        turns = _lay(draft)
        questions = _questions(draft, target)
        if 16 <= len(turns) <= 30 and len(questions) >= 6:
            return Talk("grammar", draft.names, tuple(turns), tuple(questions))


def _draft(rng: Random) -> Draft:
    if rng.random() < 0.25:
        return Draft(rng, ("user", "assistant"), ("", ""), (manner(rng, True), PLAIN), True)
    genders = (rng.choice("fm"), rng.choice("fm"))
    names: list[str] = []
    while len(set(names)) < 2:
        names = [rng.choice(WOMEN if gender == "f" else MEN) for gender in genders]
    return Draft(rng, (names[0], names[1]), genders, (manner(rng), manner(rng)), False)


def _small(draft: Draft) -> list[Line]:
    rng = draft.rng
    table = USER_SMALL if draft.user else SMALL
    chosen = rng.choice([text for text in table if text not in draft.forms])
    draft.forms.add(chosen)
    first, _, second = chosen.partition(" // ")
    who = 0 if draft.user else rng.randint(0, 1)
    return [Line(who, first), Line(1 - who, second, True)]


def _ends(draft: Draft) -> None:
    """A greeting and a farewell, in some talks."""
    rng = draft.rng
    if draft.user:
        return
    for table, place in ((GREETS, -1.0), (BYES, 2.0)):
        if rng.random() < 0.35:
            first, _, second = rng.choice(table).partition(" // ")
            who = rng.randint(0, 1)
            draft.put([Line(who, first.replace("{M}", draft.names[1 - who])), Line(1 - who, second, True)], place)


def _lay(draft: Draft) -> list[Turn]:
    """The blocks in their order; where one would speak twice, lines are joined or the other puts in a word."""
    rng = draft.rng
    turns: list[tuple[int, str]] = []
    reply = False  # whether the last line only replied to one before
    for _, _, block in sorted(draft.blocks, key=lambda entry: entry[:2]):
        for place, line in enumerate(block):
            if turns and turns[-1][0] == line.who:
                draw = rng.random()
                short = len(turns[-1][1]) + len(line.text) < 300
                if place or (short and (draw < 0.35 or (line.who == 1 and draft.user))):
                    turns[-1] = (line.who, _join(rng, turns[-1][1], line.text))
                    line.turn = len(turns) - 1
                    continue
                if draw < 0.9 and len(turns) < 27:
                    turns.append((1 - line.who, _word(draft, 1 - line.who, reply)))
            turns.append((line.who, line.text))
            line.turn = len(turns) - 1
        reply = block[-1].reply
    return [Turn(draft.names[who], draft.manners[who].write(text, rng)) for who, text in turns]


def _join(rng: Random, first: str, second: str) -> str:
    """Two lines as one, with a word between where one fits."""
    if OPEN.match(second) and rng.random() < 0.5:
        small = second if second.startswith("I") and not second.startswith("It") else second[0].lower() + second[1:]
        second = pick(rng, JOINTS) + " " + small
    return f"{first}{'' if first[-1] in '.?!…' else '.'} {second}"


def _word(draft: Draft, who: int, replied: bool) -> str:
    """A word put in between: to what was told, or, after a mere reply, to go on."""
    if draft.user and who == 1:
        return draft.word(ACKS)
    if draft.user:
        return draft.rng.choice(("Thanks.", "Great, thank you.", "Ok.", "Perfect.", "Makes sense.", "I see, thanks!"))
    return draft.word(BRIDGES if replied else REPLIES["."])


def _questions(draft: Draft, target: int) -> list[Question]:
    rng = draft.rng
    rng.shuffle(draft.asks)
    questions: list[Question] = []
    seen: set[str] = set()
    for text, lines, order in draft.asks[:target]:
        gold = tuple(sorted({line.turn for line in lines}))
        if text.lower() not in seen and gold:
            seen.add(text.lower())
            questions.append(Question(text if order else ask_style(text, rng), gold))
    return questions

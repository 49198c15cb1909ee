"""Facts in a talk: said once, by both, changed, listed or shared, with look-alikes near them."""

from __future__ import annotations

from random import Random

from training.grammar import (
    facts_also,
    facts_body,
    facts_events,
    facts_home,
    facts_infer,
    facts_life,
    facts_money,
    facts_more,
    facts_people,
    facts_taste,
    facts_work,
    facts_yet,
)
from training.grammar.asides import ASIDES, ECHOES
from training.grammar.chat import ACKS, ASKS, LEADINS, PROMPTS, REPLIES, REQUESTS, TAILS
from training.grammar.dates import MAKERS
from training.grammar.draft import Draft, Line
from training.grammar.fill import Binding, choose, fill
from training.grammar.kinds import Ask, Kind, merge, read, slots

__all__ = ["KINDS", "add"]

# the last four add to the kinds of the others
_TABLES = (
    facts_home,
    facts_work,
    facts_people,
    facts_body,
    facts_taste,
    facts_life,
    facts_events,
    facts_money,
    facts_more,
    facts_yet,
    facts_infer,
    facts_also,
)
KINDS: list[Kind] = merge(kind for table in _TABLES for kind in read(table.TABLE))


class Said:
    """A fact as said: its lines, and which slots each of them holds."""

    def __init__(self, binding: Binding, who: int) -> None:
        """`who`: whose fact it is."""
        self.who = who
        self.binding = binding
        self.block: list[Line] = []
        self.parts: list[tuple[Line, frozenset[str]]] = []
        self.place = 0.0

    def holds(self) -> frozenset[str]:
        """All slots that were said."""
        return frozenset[str]().union(*(held for _, held in self.parts))

    def gold(self, needs: frozenset[str]) -> list[Line]:
        """The lines that answer a question with these needs."""
        found = [line for line, held in self.parts if held & needs]
        # the other's question alone answers nothing
        return found if any(line.who == self.who for line in found) else [line for line, _ in self.parts]


def add(draft: Draft) -> None:
    """One more kind of fact in a talk."""
    rng = draft.rng
    kind = rng.choice(KINDS)
    if kind.group in draft.groups:
        return
    draft.groups.add(kind.group)
    modes = ["plain"] * 3 + ["change"] * 3 * bool(kind.changes) + ["list"] * 3 * ("*" in kind.asks)
    if not draft.user:
        modes += ["mirror"] * 3 + ["common"] * 2 * ("=" in kind.asks)
    ways = {"plain": _plain, "change": _change, "list": _list, "mirror": _mirror, "common": _common}
    ways[rng.choice(modes)](draft, kind)
    if kind.thirds and rng.random() < 0.35:
        _third(draft, kind)
    if kind.others and rng.random() < 0.25:
        _other(draft, kind)


def _who(draft: Draft) -> int:
    return 0 if draft.user else draft.rng.randint(0, 1)


def _say(draft: Draft, kind: Kind, who: int, binding: Binding, forms: list[str], place: float | None = None) -> Said:
    """Says a fact in one of its forms, with what goes before and after it."""
    rng = draft.rng
    chosen = rng.choice([form for form in forms if form not in draft.forms] or forms)
    draft.forms.add(chosen)
    form = choose(rng, chosen)
    said = Said(binding, who)
    first, answer, last = form.partition(" // ")
    if not answer:
        first, answer, last = form.partition(" ++ ")
    if answer == " // ":
        asked, told = Line(1 - who, fill(first, binding)), Line(who, fill(last, binding))
        said.block = [asked, told]
        said.parts = [(told, slots(last))]
        if len(told.text.split()) < 7 or told.text.startswith(("Because", "Well")):  # not understood alone
            said.parts.append((asked, slots(form)))
    elif answer:
        one, two = Line(who, fill(first, binding)), Line(who, fill(last, binding))
        said.block = [one, Line(1 - who, draft.word(ASKS if draft.user else PROMPTS)), two]
        said.parts = [(one, slots(first)), (two, slots(last))]
    else:
        mood = "." if forms is kind.changes else kind.mood
        line = Line(who, _dressed(draft, who, fill(form, binding), mood))
        said.block = [line]
        said.parts = [(line, slots(form))]
    _reply(draft, kind, who, said, forms is kind.changes)
    said.place = draft.put(said.block, place)
    draft.last = (who, dict(binding.bound))
    return said


def _dressed(draft: Draft, who: int, text: str, mood: str = ".") -> str:
    """A fact with a filler before it or something more after it."""
    rng = draft.rng
    plain, text = text, draft.manners[who].dress(text, rng)
    draw = rng.random() if text == plain else 1.0  # one filler is enough
    if rng.random() < 0.22 and text[-1] in ".!" and not draft.user:
        more = draft.word(ASIDES[mood])
        return f"{text} {more}" if rng.random() < 0.7 else f"{more} {plain}"
    if draw < 0.06 and not draft.user:
        return f"{draft.word(LEADINS)} {text}"
    if draw < 0.12 and text[-1] in ".!" and not draft.user:
        return f"{text} {draft.word(TAILS)}"
    return text


def _reply(draft: Draft, kind: Kind, who: int, said: Said, changed: bool = False) -> None:
    """What the other says to it; replies written for the first fact may not fit what became of it."""
    rng = draft.rng
    if draft.user:
        if len(said.block) == 1 and rng.random() < 0.35:  # a fact told in passing, before a request
            request, _, told = rng.choice([text for text in REQUESTS if text not in draft.forms]).partition(" // ")
            draft.forms.add(f"{request} // {told}")
            said.block[0].text += f" {request}"
            said.block.append(Line(1, told, True))
        elif rng.random() < 0.75:
            said.block.append(Line(1, draft.word(ACKS), True))
    elif kind.replies and not changed and rng.random() < 0.4:
        said.block.append(Line(1 - who, fill(rng.choice(kind.replies), said.binding), True))
    elif rng.random() < 0.5:
        table = ECHOES if rng.random() < 0.2 else REPLIES
        said.block.append(Line(1 - who, draft.word(table["." if changed else kind.mood]), True))


def _binding(rng: Random, kind: Kind, taken: frozenset[str] = frozenset()) -> Binding:
    return Binding(rng, kind.values, taken)


def _fitting(draft: Draft, asks: list[Ask], holds: frozenset[str]) -> list[Ask]:
    return [ask for ask in asks if ask.needs <= holds and not (draft.user and "{M" in ask.text)]


def _ask(draft: Draft, said: Said, who: int, asks: list[Ask], most: int) -> None:
    """Some of the questions that a fact answers."""
    fitting = _fitting(draft, asks, said.holds())
    for ask in draft.rng.sample(fitting, min(most, len(fitting))):
        draft.ask(fill(ask.text, said.binding, draft.person(who, ask.text)), said.gold(ask.needs))


def _ask_who(draft: Draft, kind: Kind, said: Said) -> None:
    """Sometimes, which of the two it was; the names in either order, lest the first be always the answer."""
    if draft.user or draft.rng.random() > 0.3:
        return
    fitting = _fitting(draft, kind.asks.get("w", []), said.holds())
    if fitting:
        ask = draft.rng.choice(fitting)
        person = draft.person(draft.rng.randint(0, 1), ask.text)
        person.words["his"] = draft.person(said.who, "").words["his"]
        draft.ask(fill(ask.text, said.binding, person), said.gold(ask.needs))


def _plain(draft: Draft, kind: Kind) -> None:
    who = _who(draft)
    said = _say(draft, kind, who, _binding(draft.rng, kind), kind.says)
    _ask(draft, said, who, kind.asks[""], draft.rng.choice((1, 2, 2, 3)))
    _ask_who(draft, kind, said)


def _mirror(draft: Draft, kind: Kind) -> None:
    """The same kind of fact about both."""
    who, rng = _who(draft), draft.rng
    first = _say(draft, kind, who, _binding(rng, kind), kind.says)
    binding = _binding(rng, kind, frozenset(first.binding.bound.values()))
    near = first.place + 1e-6 if rng.random() < 0.5 else None
    second = _say(draft, kind, 1 - who, binding, kind.says, near)
    _ask(draft, first, who, kind.asks[""], rng.choice((1, 1, 2)))
    _ask(draft, second, 1 - who, kind.asks[""], rng.choice((1, 1, 2)))
    _ask_who(draft, kind, rng.choice((first, second)))


def _change(draft: Draft, kind: Kind) -> None:
    """A fact, and later what became of it."""
    who, rng = _who(draft), draft.rng
    binding = _binding(rng, kind)
    before = _say(draft, kind, who, binding, kind.says, rng.uniform(0, 0.5))
    later = _binding(rng, kind)
    # what stays is the matter; times are drawn anew
    later.bound = {slot: value for slot, value in binding.bound.items() if slot.rstrip("0123456789") not in MAKERS}
    after = _say(draft, kind, who, later, kind.changes, rng.uniform(0.55, 1))
    _ask(draft, after, who, kind.asks["n"], rng.choice((1, 2)))
    _ask(draft, before, who, kind.asks.get("b", []), 1)
    if "h" in kind.asks:
        form, both = rng.choice(kind.asks["h"]).text, before.gold(frozenset()) + after.gold(frozenset())
        draft.ask(fill(form, later, draft.person(who, form)), both)


def _list(draft: Draft, kind: Kind) -> None:
    """Several facts of a kind, asked for together and one by one."""
    who, rng = _who(draft), draft.rng
    told: list[Said] = []
    taken: frozenset[str] = frozenset()
    forms = kind.says[:]
    for _ in range(rng.choice((2, 2, 3, 3, 4))):
        form = rng.choice(forms)
        forms.remove(form)
        told.append(_say(draft, kind, who, _binding(rng, kind, taken), [form]))
        taken |= frozenset(told[-1].binding.bound.values())
    asks = kind.asks["*"]
    for ask in rng.sample(asks, min(rng.choice((1, 2)), len(asks))):
        lines = [line for said in told for line in said.gold(ask.needs)]
        draft.ask(fill(ask.text, told[0].binding, draft.person(who, ask.text)), lines)
    # a general word would fit more than one of them
    named = [ask for ask in kind.asks[""] if slots(ask.text) and "^" not in ask.text]
    if named and rng.random() < 0.5:
        _ask(draft, rng.choice(told), who, named, 1)


def _common(draft: Draft, kind: Kind) -> None:
    """The same value for both."""
    who, rng = _who(draft), draft.rng
    ask = rng.choice(kind.asks["="])
    forms = [form for form in kind.says if ask.needs <= slots(form) and "[" not in form]
    if len(forms) < 2:
        return
    one, two = rng.sample(forms, 2)
    first = _say(draft, kind, who, _binding(rng, kind), [one])
    binding = _binding(rng, kind)
    binding.bound = {slot: value for slot, value in first.binding.bound.items() if slot in ask.needs}
    second = _say(draft, kind, 1 - who, binding, [two])
    lines = first.gold(ask.needs) + second.gold(ask.needs)
    draft.ask(fill(ask.text, binding, draft.person(who, ask.text)), lines)
    if "common" not in draft.groups and rng.random() < 0.5:
        draft.groups.add("common")
        person = draft.person(who, "")
        form = "[What do {N} and {M} have in common|What do {N} and {M} share|How are {N} and {M} alike]?"
        draft.ask(fill(form, binding, person), lines)


def _third(draft: Draft, kind: Kind) -> None:
    """The same about somebody else."""
    who, rng = _who(draft), draft.rng
    binding = _binding(rng, kind, frozenset(draft.last[1].values()))
    form = choose(rng, rng.choice(kind.thirds))
    said = Said(binding, who)
    line = Line(who, _dressed(draft, who, fill(form, binding)))
    said.block, said.parts = [line], [(line, slots(form))]
    _reply(draft, kind, who, said, True)
    draft.put(said.block)
    if rng.random() < 0.5:
        _ask(draft, said, who, kind.asks.get("-", []), 1)


def _other(draft: Draft, kind: Kind) -> None:
    """The same words with another meaning."""
    who, rng = _who(draft), draft.rng
    binding = _binding(rng, kind)
    if not draft.user and rng.random() < 0.6:  # the very words of the fact, but by the other, lest they gainsay it
        who = 1 - draft.last[0]
        binding.bound = dict(draft.last[1])
    text = fill(rng.choice(kind.others), binding)
    draft.put([Line(who, text)])

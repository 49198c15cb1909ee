"""What stands in the memory block, line by line: pins, summaries, important data, older messages. Each is made and
counted once, and kept on the session's shelf."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from onrecord.context.head import Counted, Line
from onrecord.context.shelf import Shelf
from onrecord.context.text import clipped, condensed, one_line
from onrecord.context.units import Unit
from onrecord.policy import important
from onrecord.policy.automatic import automatic_data
from onrecord.policy.trust import HAND, TRUST, origin_of
from onrecord.policy.unasked_facts import beside
from onrecord.policy.validity import folded
from onrecord.profiles import Profile
from onrecord.records import Fact, ImportantData, KnownFacts, Record, Summary

__all__ = ["LineMaker", "ShownMessages", "falling", "falling_values"]

_WORDS = re.compile(r"[^\W_]+")
SET_BY_HAND = 20  # lines of important data that were set by hand, in profiles that show no others
LONGEST_LINE = 2_000  # characters of a pin or summary in a prompt
LONGEST_OLDER = 240  # characters of an older message that is shown shortened
FALL = 0.4  # of its value that the oldest has lost, where value falls with age
OLDER = 40  # older messages that compete for what is left
WISHES = "The user's own lasting wishes, to be followed:"
TELLING = 4  # words that are no coincidence
NOTHING = KnownFacts()


class ShownMessages(NamedTuple):
    """Which messages are shown as they were said."""

    since: int  # from this one on
    cut: Collection[int] = ()  # but not these

    def whole(self, seq: int) -> bool:
        """Whether this one is."""
        return seq >= self.since and seq not in self.cut


class LineMaker:
    """Makes the lines of one profile."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def pins(self, shelf: Shelf, counted: Counted, known: KnownFacts, shown: ShownMessages) -> list[Line]:
        """Pins; not those that pinned themselves and come from a message that is shown as it was said."""
        hidden = (pin for pin in beside(shelf.pins, known.pins) if not (pin.source and shown.whole(pin.source)))
        auto = list(islice(hidden, self._profile.auto_pins))
        key = ("pins", known.stamp, tuple(pin.id for pin in auto))
        if key not in shelf.memo:
            lines = [
                _line(
                    counted,
                    Line(
                        kind="pin",
                        id=pin.id,
                        text=clipped(pin.text, LONGEST_LINE),
                        value=pin.importance,
                        parts=(("importance", pin.importance),),
                        first=pin.source or 0,
                        last=pin.source or 0,
                        origin=pin.origin,
                        trust=pin.trust,
                        session="" if pin.session == shelf.info.id else pin.session,
                        group=WISHES if pin.id in known.wishes else "",
                        at=float(pin.id in known.wishes),  # they stand last
                        unasked=pin.type == "auto" and pin in known.pins,
                    ),
                )
                for pin in (*shelf.pins, *auto)  # what a person pinned comes first
            ]
            for old in [one for one in shelf.memo if isinstance(one, tuple) and one[0] == "pins"]:
                del shelf.memo[old]
            shelf.memo[key] = _with_twins(lines, [])
        found: list[Line] = shelf.memo[key]
        return found

    def nodes(self, shelf: Shelf, counted: Counted, nodes: Sequence[Record]) -> list[Line]:
        known: dict[str, Line] = shelf.memo.setdefault("nodes", {})
        shown = [node for node in nodes if (node.body or {}).get("text")]
        for node in shown:
            if node.key not in known:
                known[node.key] = _line(counted, self._node_line(Summary.of(node)))
        return [known[node.key] for node in shown]

    def _node_line(self, summary: Summary) -> Line:
        single = self._profile.strategy.extends
        days = summary.began if summary.began == summary.ended else f"{summary.began} to {summary.ended}"
        place = f"[{days}] " if single else f"[{summary.first}-{summary.last}, {days}] "
        return Line(
            kind="summary",
            id=summary.id,
            text=place + clipped(summary.text, LONGEST_LINE if not single else 3 * LONGEST_LINE),
            value=summary.importance,
            parts=(("importance", summary.importance), ("level", float(summary.level))),
            first=summary.first,
            last=summary.last,
            origin=", ".join(summary.origins),
            trust=summary.trust,
        )

    def known(
        self, shelf: Shelf, counted: Counted, known: KnownFacts, shown: ShownMessages, pins: Sequence[Line]
    ) -> list[Line]:
        """Facts in force, the most valuable first; not those that are pinned, nor those that a message says which is
        shown as it was said."""
        here = shelf.info.id
        pinned = {line.id.removeprefix("pin_") for line in pins}
        by_hand = {pin.source for pin in shelf.pins if pin.source}  # somebody pinned what that message says
        made: dict[str, Line] = shelf.memo.setdefault("known", {})
        lines = []
        for fact, value in known.facts:
            sources = fact.sources if fact.session == here else ()
            said = sources and (shown.whole(sources[-1]) or sources[0] in by_hand)
            if said or fact.id in pinned:
                continue
            text = _fact_text(fact)
            if fact.id not in made or made[fact.id].text != text:
                made[fact.id] = _line(counted, _fact_line(fact, text, value, here))
            lines.append(made[fact.id])
        return lines

    def facts(
        self,
        shelf: Shelf,
        counted: Counted,
        nodes: Sequence[Record],
        pins: Sequence[Line],
        facts: Sequence[Line] = (),
        known: KnownFacts = NOTHING,
    ) -> list[Line]:
        """Facts in force, then important data of what the prompt does not show as it was said, the most valuable first;
        and in every profile those that were set by hand. What facts say too, or what holds no more, is left out."""
        shown = nodes if self._profile.facts else ()
        data = self._important(shelf, counted, shown) if shown or shelf.override is not None else []
        if shelf.override is None:
            data = self._untold(shelf, data, known)
        ranked = sorted(data, key=lambda line: (-line.value, line.cost))
        return _with_twins([*facts, *ranked], pins)

    def _untold(self, shelf: Shelf, data: list[Line], known: KnownFacts) -> list[Line]:
        """Important data without what facts say too, and what does not hold any more; the same until something of it
        changes."""
        made = shelf.memo.get("untold")
        if made is None or made[0] is not data or made[1] != known.stamp:
            left = [line for line in data if not _is_told(line, known)]
            made = shelf.memo["untold"] = data, known.stamp, left
        found: list[Line] = made[2]
        return found

    def _important(self, shelf: Shelf, counted: Counted, shown: Sequence[Record]) -> list[Line]:
        key = ("facts", shown[-1].key if shown else "", len(shown))
        if key not in shelf.memo:
            shelf.memo[key] = self._facts(shelf, counted, shown)
        found: list[Line] = shelf.memo[key]
        return found

    def _facts(self, shelf: Shelf, counted: Counted, nodes: Sequence[Record]) -> list[Line]:
        data = important.cap(_important_of(nodes, shelf.override), self._profile.facts or SET_BY_HAND)
        first, last = (nodes[0].first, nodes[-1].last) if nodes else (0, 0)
        trust = min((float((node.body or {}).get("trust", 1.0)) for node in nodes), default=TRUST[HAND])
        return [
            _line(
                counted,
                Line(
                    kind="fact",
                    id=label,
                    text=clipped(f"{label}: {text}", LONGEST_LINE),
                    value=value,
                    parts=(("kind", value),),
                    first=first,
                    last=last,
                    origin="derived",
                    trust=trust,
                    unasked=shelf.override is None,
                ),
            )
            for label, text, value in important.lines(data)
        ]

    def older(self, shelf: Shelf, counted: Counted, units: Sequence[Unit]) -> list[Line]:
        """The most important of older messages."""
        if not units:
            return []
        key = units[0].seq, units[-1].seq, len(units)
        if shelf.memo.get("ranked", (None,))[0] != key:
            shelf.memo["ranked"] = key, self._ranked(shelf, counted, units)
        lines: list[Line] = shelf.memo["ranked"][1]
        return lines

    def _ranked(self, shelf: Shelf, counted: Counted, units: Sequence[Unit]) -> list[Line]:
        ranked = sorted(units, key=lambda unit: (-unit.messages[0].importance, -unit.seq))
        found: dict[str, Unit] = {}
        for unit in ranked:
            if unit.messages[0].role == "system":
                continue  # an instruction is none any more among data
            found.setdefault(unit.messages[0].text.casefold(), unit)  # what was said twice is shown once
            if len(found) == OLDER:
                break
        return [self.older_line(shelf, counted, unit) for unit in found.values()]

    def older_line(self, shelf: Shelf, counted: Counted, unit: Unit) -> Line:
        known: dict[int, Line] = shelf.memo.setdefault("older", {})
        if unit.seq not in known:
            known[unit.seq] = _line(counted, _older_line(unit))
        return known[unit.seq]


def _with_twins(lines: Sequence[Line], others: Sequence[Line]) -> list[Line]:
    """The lines, those marked that say word for word the same as another before them. A single word may be a negation,
    a name or a figure, so nothing less will do."""
    seen = {_said(line) for line in others}
    found = []
    for line in lines:
        found.append(line._replace(twin=_said(line) in seen))
        seen.add(_said(line))
    return found


def _said(line: Line) -> tuple[str, ...]:
    """The words of a line, without the label that a fact has."""
    return _words(line.text.partition(": ")[2] if line.kind == "fact" else line.text)


@lru_cache(maxsize=4_096)  # the same lines stand in prompt after prompt
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(text.casefold()))


def falling(lines: list[Line], value: float) -> list[Line]:
    """Lines whose value falls with age, where the profile says so."""
    count = len(lines)
    return (
        [
            line._replace(
                value=round(value * (1 - FALL * (count - 1 - at) / count), 4), parts=(("age", float(count - at)),)
            )
            for at, line in enumerate(lines)
        ]
        if value
        else lines
    )


def falling_values(units: Sequence[Unit], value: float) -> dict[int, float]:
    """The value of each message, falling with age, where the profile says so."""
    count = len(units)
    fall = [round(value * (1 - FALL * (count - 1 - at) / count), 4) for at in range(count)] if value else []
    return {unit.seq: one for unit, one in zip(units, fall, strict=False)}


def _important_of(nodes: Sequence[Record], override: Record | None) -> ImportantData:
    """What must not be lost, from nodes and from what was set by hand: that replaces all that came before it."""
    body = {} if override is None else dict(override.body or {})
    at = int(body.get("at", 0))
    parts = [ImportantData.from_dict((node.body or {}).get("data", {})) for node in nodes if node.last > at]
    return important.merge_all([ImportantData.from_dict(body.get("data", {})), *map(automatic_data, parts)])


def _is_told(line: Line, known: KnownFacts) -> bool:
    """Whether a line of important data says what facts say too, or what does not hold any more."""
    said = folded(line.text.partition(": ")[2])
    if said in known.held:
        return True
    long = len(said.split()) >= TELLING
    return any(
        said == one or (long and said in one) or (len(one.split()) >= TELLING and one in said) for one in known.gone
    )


def _fact_text(fact: Fact) -> str:
    """A fact as a line: what kind, who said it and when, and if another says otherwise."""
    doubt = ", in doubt" if fact.contradicts else ""
    return clipped(f"{fact.kind} ({fact.speaker}, {fact.said:%Y-%m-%d}{doubt}): {fact.text}", LONGEST_LINE)


def _fact_line(fact: Fact, text: str, value: float, session: str) -> Line:
    here = fact.session == session
    return Line(
        kind="fact",
        id=fact.id,
        text=text,
        value=round(value, 4),
        parts=(("worth", round(value, 4)), ("confidence", fact.confidence)),
        first=min(fact.sources, default=0),
        last=max(fact.sources, default=0),
        origin=fact.origin,
        trust=fact.trust,
        session="" if here else fact.session,
        at=fact.said.timestamp(),
        unasked=True,
    )


def _line(counted: Counted, line: Line) -> Line:
    return line._replace(cost=counted(f"- {line.text}\n"))


def _older_line(unit: Unit) -> Line:
    message = unit.messages[0]
    who = one_line(message.name or message.role)
    said = " ".join(part.text for part in unit.messages if part.text)
    return Line(
        kind="message",
        id=message.id,
        text=f"{who} ({unit.seq}, {message.time:%Y-%m-%d}): {condensed(said.removeprefix(f'{who}: '), LONGEST_OLDER)}",
        value=message.importance,
        parts=(("importance", message.importance),),
        first=unit.seq,
        last=unit.messages[-1].seq,
        origin=origin_of(message),
        trust=TRUST.get(origin_of(message), 0.0),
    )

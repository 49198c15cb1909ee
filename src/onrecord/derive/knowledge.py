"""What is known for long, as the two ways out need it: what belongs into prompts unasked, what a search may find."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping

from onrecord.derive.accesses import Accesses
from onrecord.derive.book import Book
from onrecord.policy.unasked_facts import chosen, worth
from onrecord.policy.validity import folded
from onrecord.ports import Clock
from onrecord.profiles import Profile
from onrecord.records import MANUAL, NOW, Fact, KnownFacts, Past, Pin, Record, SearchRequest

__all__ = ["PREFIX", "CurrentKnowledge", "Knowledge", "auto_pin"]

MOST_GONE = 500  # of it that prompts are kept clear of
SPARE = 3  # times as many as a prompt shows: those whose messages it shows do not count
SPACES = 64  # of which it is remembered what stands
KEPT = 256  # sessions for which the choice is remembered
PREFIX = "pin_"


class Knowledge:
    """Chooses from the book by a profile's rules."""

    def __init__(self, book: Book, profile: Profile, clock: Clock) -> None:
        self._book = book
        self._clock = clock
        self._profile = profile
        self._held: OrderedDict[tuple[str, str], KnownFacts] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, space: str, session: str, past: Past = NOW) -> KnownFacts:
        """What is known for a session, now or at another moment."""
        if not self._profile.auto_pins and not self._profile.facts:
            return KnownFacts()
        scope = "" if self._profile.shared else session
        with self._book.locked():
            pages = self._book.open(space)
            pages, now = pages.at_hand(past), past.moment or self._clock()
            standing = pages.in_force(scope, now)
            with self._lock:
                held = self._held.get((space, session))
            if held is not None and held.stamp == standing.stamp and not past:
                return held
            unpinned = [id for id, changes in pages.changes.items() if any("unpinned" in one.values for one in changes)]
            found = chosen(standing.facts, SPARE * self._profile.auto_pins, SPARE * self._profile.facts, unpinned)
            over = [fact for fact in pages.over(now) if not scope or fact.session == scope]
        over.sort(key=lambda fact: (fact.said, fact.id))
        holding = frozenset(folded(words) for fact in standing.facts for words in _worded(fact))
        gone = tuple(text for fact in over[-MOST_GONE:] if (text := folded(fact.text)) not in holding)
        known = KnownFacts(
            standing.stamp,
            tuple(auto_pin(fact, session) for fact in found.pins),
            frozenset(f"{PREFIX}{fact.id}" for fact in found.pins if _is_wish(fact)),
            tuple((fact, worth(fact)) for fact in found.lines),
            holding,
            gone,
        )
        if not past and pages.revision.exists:
            self._keep(space, session, known)
        return known

    def _keep(self, space: str, session: str, known: KnownFacts) -> None:
        with self._lock:
            self._held[space, session] = known
            while len(self._held) > KEPT:
                self._held.popitem(last=False)


def _is_wish(fact: Fact) -> bool:
    """Whether it is an instruction that lasts, from the user's own mouth: nobody else may give any."""
    return "standing" in fact.tags and fact.origin in ("user", "hand")


def _worded(fact: Fact) -> tuple[str, ...]:
    """What a fact says, as important data may word it."""
    about = (f"{fact.attribute}: {fact.value}", f"{fact.value} {fact.attribute}") if fact.attribute else ()
    verb, _, rest = fact.text.removeprefix("I ").partition(" ")
    return (fact.text, f"{verb}s {rest}", *about)  # "I prefer tea" is "prefers tea" there


def auto_pin(fact: Fact, session: str) -> Pin:
    """A fact as a pin. Its id leads back to the fact."""
    here = fact.session == session
    return Pin(
        id=f"{PREFIX}{fact.id}",
        session=fact.session,
        text=fact.text if fact.speaker in ("user", "hand") else f"{fact.speaker}: {fact.text}",
        source=fact.sources[0] if fact.sources and here else None,
        importance=round(max(fact.importance, worth(fact)), 4),
        type="auto",
        tokens=fact.tokens,
        origin=fact.origin,
        trust=fact.trust,
        time=fact.said,
    )


class CurrentKnowledge:
    """What searches may find of the book."""

    def __init__(self, book: Book, accesses: Accesses, clock: Clock) -> None:
        self._book = book
        self._accesses = accesses
        self._clock = clock
        self._known: OrderedDict[str, tuple[object, dict[str, Fact], set[str], dict[str, str]]] = OrderedDict()

    def view(self, space: str, asked: SearchRequest) -> tuple[object, Callable[[Record], Record | None]]:
        """A stamp, and what a record is as it stands."""
        with self._book.locked():
            book = self._book.open(space)
            pages = book.at_hand(asked.past)
            held = pages.in_force("", asked.past.moment or self._clock())
            known = self._known.get(space)
            if known is None or known[0] != held.stamp or asked.past:
                then = pages if asked.past.said is None else book.known_at(asked.past.said)
                facts = {fact.id: fact for fact in (*held.facts, *held.doubtful)}
                texted = {id: change for id in pages.changes if (change := pages.texted(id))}
                known = (held.stamp, facts, {id for id in then.episodes if then.in_use(id)}, texted)
            if not asked.past and pages.revision.exists:
                self._known[space] = known
                while len(self._known) > SPACES:
                    self._known.popitem(last=False)
        stamp, facts, episodes, texted = known

        def now(record: Record) -> Record | None:
            if record.kind == "episode":
                return record if record.key in episodes else None
            fact = facts.get(record.key if record.kind == "fact" else str((record.body or {}).get("of", "")))
            if fact is None or texted.get(fact.id, "") != (record.key if record.kind == "change" else ""):
                return None  # it does not stand, or somebody corrected it since
            same = record.kind == "fact" and (record.body or {}).get("kind") == fact.kind
            return record if same else fact.record(MANUAL)

        return stamp, now

    def taken(self, space: str) -> Mapping[str, int]:
        """How often facts and episodes were found before."""
        return {id: access.times for id, access in self._accesses.of(space).items()}

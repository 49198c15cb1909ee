"""From a question to a prompt: gathers what could be in it, has it packed, and says what stayed the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, takewhile
from typing import Any

from onrecord.context.head import Counted, Line, with_breaks
from onrecord.context.lines import LineMaker, ShownMessages, falling, falling_values
from onrecord.context.must import within
from onrecord.context.pack import Packing
from onrecord.context.prompt import Context
from onrecord.context.recalled import Finder, nothing_line, recalled_lines
from onrecord.context.replacing import is_replaced
from onrecord.context.shelf import LAST, POOL, Shelf, Shelves
from onrecord.context.stock import Packed, Stock
from onrecord.context.titles import Titles
from onrecord.context.units import Unit, cost_of, units_of
from onrecord.errors import InvalidInput, ModelError, StoreError
from onrecord.policy.artefacts import artefact, choose, refers_back
from onrecord.policy.plans import Flat, Pyramid
from onrecord.policy.windows import longest_shown, window_start
from onrecord.ports import Clock, Counter, Store
from onrecord.profiles import Profile
from onrecord.records import MANUAL, NOW, FoundItem, KnownFacts, Message, Past, Record, SearchRequest, SessionInfo

__all__ = ["ContextBuilder"]

CONTEXT = 3  # messages that say, beside the question, what facts are looked for


@dataclass(frozen=True, slots=True)
class _Previous:
    """What the last prompt for a session was, to tell what stayed the same."""

    parts: list[Any]
    since: int  # number of the question then, or of the first message after it


@dataclass(frozen=True, slots=True)
class _PromptInputs:
    """What one prompt is built from."""

    space: str
    shelf: Shelf
    counted: Counted
    question: Message | None
    budget: int
    past: Past  # the moment it is built for, if that is not now
    recalled: int | None  # at most so many recalled lines


class ContextBuilder:
    """Builds contexts from one store by one profile."""

    def __init__(
        self,
        store: Store,
        profile: Profile,
        counter: Callable[[SessionInfo], Counter],
        clock: Clock,
        find: Finder,
        behind: Callable[[str, str], str] = lambda space, session: "",
        due: Callable[[str, str], Iterable[tuple[int, int]]] = lambda space, session: (),
        known: Callable[[str, str, Past], KnownFacts] = lambda space, session, past: KnownFacts(),
    ) -> None:
        self._store = store
        self._profile = profile
        self._find = find
        self._behind = behind  # is told where summaries are missing, and says why
        self._due = due  # the ranges of a session that `summarize` would cover
        self._known = known  # what belongs into a prompt unasked, now or as it was at another moment
        self._counter = counter
        self._clock = clock
        self._shelves = Shelves(store, profile)
        self._lines = LineMaker(profile)
        self._titles = Titles(store)
        self._counted: dict[str, Counted] = {}

    def build(
        self,
        space: str,
        session: str,
        question: str | None,
        tokens: int | None,
        past: Past = NOW,
        before: int | None = None,
        recalled: int | None = None,
        *,
        looking: bool = False,
    ) -> Context:
        """The prompt for a question; `past`: as it would have been at another moment; `before`: as if message `before`
        had not been said yet; `recalled`: with at most so many recalled lines; `looking`: it is not sent, so the next
        one is not compared with it."""
        if recalled is not None and not self._profile.recalled:
            raise InvalidInput(
                f"recalled={recalled}: the profile {self._profile.name} recalls nothing for a question.",
                "Leave it out.",
            )
        budget = self._profile.tokens if tokens is None else tokens
        if past or before is not None:
            shelf = self._shelves.past(space, session, self._counter, budget, past.said, before)
            return self._built(space, shelf, question, budget, past, recalled, kept=False)
        shelf = self._shelves.take(space, session, self._counter, budget)
        try:
            return self._built(space, shelf, question, budget, recalled=recalled, looking=looking)
        finally:
            self._shelves.give_back(space, session, shelf)

    def _built(
        self,
        space: str,
        shelf: Shelf,
        question: str | None,
        budget: int,
        past: Past = NOW,
        recalled: int | None = None,
        *,
        kept: bool = True,
        looking: bool = False,
    ) -> Context:
        counter = self._counter(shelf.info)
        counted = self._counted.setdefault(counter.encoding, Counted(counter))
        asked = self._asked(space, shelf, question, past)
        stock = self._stock(_PromptInputs(space, shelf, counted, asked, budget, past, recalled))
        packed = Packing(self._profile, stock, budget, counted).pack()
        unseen = _unseen(shelf, packed, stock)
        why = self._behind(space, shelf.info.id) if unseen and kept else ""
        packed.warnings += self._missing(space, shelf, packed, unseen) + _warnings(shelf, counter)
        packed.warnings += [why] * bool(why) + stock.notes
        context = Context(
            packed,
            budget=budget,
            profile=self._profile.name,
            letters=self._profile.letters,
            encoding=counter.encoding,
            exact=counter.exact,
            stable=_stable_share(shelf, packed, counted),
        )
        if not looking:
            since = 0 if stock.question is None else stock.question.seq
            shelf.prompt = _Previous(context.parts, since or shelf.info.last_seq + 1)
        return context

    def drop(self, space: str, session: str) -> None:
        """Forget what is at hand of a session."""
        self._shelves.drop(space, session)

    def _asked(self, space: str, shelf: Shelf, question: str | None, past: Past) -> Message | None:
        """The question as a message: the newest user message, if nothing answers it yet and it is the same or none was
        given; otherwise a new one."""
        newest = self._shelves.newest_user(space, shelf)
        waiting = None if newest is None or _is_answered(shelf, newest) else newest
        if question is None or (waiting is not None and waiting.text == question):
            return waiting
        now = past.moment or self._clock()
        return Message(session=shelf.info.id, seq=0, id="", role="user", text=question, time=now)

    def _stock(self, turn: _PromptInputs) -> Stock:
        shelf, question = turn.shelf, turn.question
        seq = 0 if question is None else question.seq
        after = _after(shelf.units, seq)
        last = after[0].seq if after else shelf.info.last_seq + 1
        first = 0 if shelf.opening is None else shelf.opening.seq
        units = [unit for unit in shelf.units if first < unit.seq < last and unit.seq != seq and not unit.orphan]
        orphans = [unit for unit in shelf.units if unit.orphan]
        stock = Stock(system=_system(shelf), question=question, after=after, orphans=orphans)
        try:
            if not shelf.failed:
                known = self._known(turn.space, shelf.info.id, turn.past)
                fill = self._pyramid if isinstance(self._profile.strategy, Pyramid) else self._by_plan
                fill(turn, stock, units, known)
        except StoreError as error:
            shelf.failed = error.what
        if shelf.failed:
            return Stock(system=stock.system, question=question, after=after, orphans=orphans, recent=units[-LAST:])
        if self._profile.recalled and question is not None and turn.recalled != 0:
            stock.most_recalled = turn.recalled
            self._recall(turn, stock, question)
        return stock

    def _recall(self, turn: _PromptInputs, stock: Stock, question: Message) -> None:
        """What was said about the question, if there is anything that the prompt does not hold anyway."""
        session = turn.shelf.info.id
        asked = SearchRequest(
            text=question.text,
            context=_context(stock) if "fact" in self._profile.recalls else "",
            kinds=frozenset(self._profile.recalls),
            limit=min(self._profile.recalled, 16 + turn.budget // 24),
            past=turn.past,
            now=question.time,
        )
        try:
            if _holds_all(turn.shelf, stock, question) and self._alone(turn.space, session):
                return
            outcome = self._find(turn.space, asked)
        except (StoreError, ModelError) as error:
            stock.notes = [f"Nothing could be recalled: {error.what}"]
            return
        stock.notes, stock.confidence = list(outcome.notes), outcome.confidence
        said = self._bring(turn, stock, _sayable(outcome.found, turn.shelf, question.seq))
        title = cache(partial(self._titles.of, turn.space))
        stock.recalled = recalled_lines(
            said, outcome.confidence, session, turn.counted, stock.shown, title, by_length=turn.recalled is None
        )
        if self._profile.recalled_nothing and outcome.missed and not stock.refers:
            stock.recalled = [nothing_line(turn.counted)]

    def _missing(self, space: str, shelf: Shelf, packed: Packed, unseen: Sequence[int]) -> list[str]:
        """What is to be said of messages that the prompt neither shows nor stands for, with what helps."""
        held = [seq for seq in unseen if any(node.first <= seq <= node.last for node in shelf.nodes)]
        rest = sorted(set(unseen).difference(held))
        found = []
        if rest:
            due = any(first <= seq <= last for first, last in self._due(space, shelf.info.id) for seq in rest)
            helps = ["call summarize()"] * due + ["give more tokens"] * (not _left_out(packed).isdisjoint(rest))
            found.append(f"{_spelled(rest)} neither shown nor summarised yet{': ' * bool(helps)}{', or '.join(helps)}.")
        if held and isinstance(self._profile.strategy, Pyramid):
            why = "the summary that covers them is also about messages that are shown"
            found.append(f"{_spelled(held)} not shown, and {why}: give more tokens.")
        return found

    def _alone(self, space: str, session: str) -> bool:
        """Whether there is no other conversation in the space."""
        return all(one.id == session for one in self._store.sessions(space, limit=2))

    # Windows

    def _by_plan(self, turn: _PromptInputs, stock: Stock, units: Sequence[Unit], known: KnownFacts) -> None:
        """Recent messages: those that no node covers, or so many as the profile says."""
        shelf, counted = turn.shelf, turn.counted
        nodes = shelf.nodes
        flat = isinstance(self._profile.strategy, Flat)
        covered = 0 if flat or not nodes else nodes[-1].last
        recent = [unit for unit in units if unit.seq > covered]
        most = self._profile.recent or (self._profile.retention if shelf.info.status == "ended" else 0)
        stock.recent = recent[-most:] if most else recent
        stock.summaries = (falling(self._lines.nodes(shelf, counted, nodes), self._profile.summary_value),)
        stock.values = falling_values(stock.recent, self._profile.recent_value)
        stock.covered = max((node.last for node in nodes if node.plan != MANUAL), default=0)
        sure = stock.recent[-self._profile.always :]
        shown = ShownMessages(sure[0].seq if sure else shelf.info.last_seq + 1)
        stock.pins = self._lines.pins(shelf, counted, known, shown)
        stock.facts = self._lines.facts(shelf, counted, nodes, stock.pins)
        if self._profile.refill:
            pool = [unit for unit in units if unit.seq > shelf.info.last_seq - POOL]
            stock.older = self._lines.older(shelf, counted, pool[: -self._profile.always])

    def _pyramid(self, turn: _PromptInputs, stock: Stock, units: Sequence[Unit], known: KnownFacts) -> None:
        """All messages if they fit; otherwise those of a window that moves in steps, and nodes for what is before."""
        shelf, counted, budget = turn.shelf, turn.counted, turn.budget
        stock.recent = units
        if not units or (shelf.reaches == 1 and shelf.tokens < budget):
            self._remember(turn, stock, known, ShownMessages(1), ())
            if not units or self._all_fit(turn, stock):
                self._find_asked(stock, units)
                return
        room = int(self._profile.recent_share * (budget - counted.counter.priming - counted(stock.system)))
        stock.longest = longest = longest_shown(room)
        costs = [(unit.seq, min(unit.cost, longest)) for unit in shelf.units]
        newest = units[-min(self._profile.always, len(units))].seq
        start = min(newest, window_start(shelf.edges, costs, room))
        window = [unit for unit in units if unit.seq >= start]
        cut = {message.seq for unit in window if unit.cost > longest for message in unit.messages}
        # More may be at hand, but what is shown must not depend on that.
        oldest = _oldest(shelf.units, budget, self._shelves.longest(budget))
        near = [unit for unit in units if unit.seq >= oldest]
        stock.recent = [_at_most(unit, longest, shelf, counted) for unit in window]
        self._find_asked(stock, near)
        before = [unit for unit in near if unit.seq < start and unit is not stock.asked]
        edge = max((one.last + 1 for one in shelf.edges if one.last < start), default=1)
        ways = self._shelves.cover(turn.space, shelf, edge)
        stock.summaries = [self._lines.nodes(shelf, counted, way) for way in ways] or ((),)
        self._remember(turn, stock, known, ShownMessages(start, cut), ways[0] if ways else [])
        stock.gap = [self._lines.older_line(shelf, counted, unit) for unit in before if unit.seq >= edge]
        stock.covered = edge - 1

    def _find_asked(self, stock: Stock, near: Sequence[Unit]) -> None:
        """The message that the question asks for, where it is not shown as it was said: it comes in whole."""
        if stock.question is None:
            return
        if (wanted := artefact(stock.question.text)) is not None:
            said = [unit for unit in near if len(unit.messages) == 1]
            at = choose(wanted, [(unit.messages[0].role, unit.messages[0].text) for unit in said])
            unit = None if at is None else said[at]
            stock.refers = at is not None
            stock.wanted = wanted if at is None else None
        else:
            unit = near[-1] if near and refers_back(stock.question.text) else None
        if unit is None or any(unit is shown for shown in stock.recent):
            return
        stock.recent = [shown for shown in stock.recent if shown.seq != unit.seq]
        if unit is near[-1]:  # it is always there
            stock.recent = [*stock.recent, unit]
        else:
            stock.asked = unit

    def _bring(self, turn: _PromptInputs, stock: Stock, found: list[FoundItem]) -> list[FoundItem]:
        """Of what was found, what the question asks for comes in whole: if this conversation has it as a turn, else as
        the first line of the others."""
        hits = sorted(((hit, hit.item) for hit in found if isinstance(hit.item, Message)), key=lambda hit: hit[1].time)
        said = [(message.role, message.text) for _, message in hits]
        at = None if stock.wanted is None else choose(stock.wanted, said)
        if at is None:
            return found
        stock.refers, (hit, message) = True, hits[at]
        if message.session == turn.shelf.info.id:
            stock.asked = next(iter(units_of([message], cost_of(turn.counted.counter))), None)
        else:
            whole = hit._replace(spans=(), probability=None)  # it is asked for, however likely it is
            title = partial(self._titles.of, turn.space)
            lines = recalled_lines([whole], None, turn.shelf.info.id, turn.counted, title=title)
            stock.brought = next((with_breaks(line, message, turn.counted) for line in lines), None)
        return [other for other in found if other is not hit]

    def _remember(
        self, turn: _PromptInputs, stock: Stock, known: KnownFacts, shown: ShownMessages, nodes: Sequence[Record]
    ) -> None:
        """Pins, and what is known of what is not shown as it was said."""
        shelf, counted = turn.shelf, turn.counted
        stock.pins = self._lines.pins(shelf, counted, known, shown)
        facts = self._lines.known(shelf, counted, known, shown, stock.pins)
        stock.facts = self._lines.facts(shelf, counted, nodes, stock.pins, facts, known)

    def _all_fit(self, turn: _PromptInputs, stock: Stock) -> bool:
        """Whether everything that was said fits, beside what is pinned and known."""
        shelf, counted = turn.shelf, turn.counted
        fixed = counted.counter.priming + 64 + (counted(stock.system) + 8 if stock.system else 0)
        asked = 0 if stock.question is None or stock.question.seq else counted(stock.question.text) + 8
        lines = sum(line.cost for line in [*stock.pins, *stock.facts])
        return fixed + asked + shelf.tokens + lines <= turn.budget


def _context(stock: Stock) -> str:
    """The newest messages, where facts are looked for by all that was said last."""
    return "\n".join(unit.messages[0].text for unit in stock.recent[-CONTEXT:])


def _sayable(found: Sequence[FoundItem], shelf: Shelf, question: int) -> list[FoundItem]:
    """Without messages of this conversation that were replaced, or said after what the prompt is for, and without the
    question: nothing is as near to that as itself, so it would make all else look like something else."""
    here, last, replaced = shelf.info.id, shelf.info.last_seq, shelf.replaced
    return [
        one
        for one in found
        if (item := one.item).session != here
        or not isinstance(item, Message)
        or (question != item.seq <= last and not (replaced and is_replaced(replaced, item.seq)))
    ]


def _holds_all(shelf: Shelf, stock: Stock, question: Message) -> bool:
    """Whether the prompt has room for everything that was said in the session."""
    held = {unit.seq for unit in [*stock.recent, *stock.after] if not unit.cut} | {question.seq}
    if shelf.opening is not None:
        held.add(shelf.opening.seq)
    return shelf.reaches == 1 and all(unit.seq in held or unit.orphan for unit in shelf.units)


def _at_most(unit: Unit, tokens: int, shelf: Shelf, counted: Counted) -> Unit:
    """Return the unit, without its middle if it is longer; made once."""
    if unit.cost <= tokens:
        return unit
    made: dict[int, tuple[tuple[Unit, int], Unit]] = shelf.memo.setdefault("cut", {})
    if unit.seq not in made or made[unit.seq][0] != (unit, tokens):
        made[unit.seq] = (unit, tokens), within([unit], tokens, counted)[0]
    return made[unit.seq][1]


def _oldest(units: Sequence[Unit], tokens: int, longest: int) -> int:
    """Number of the oldest message that so many tokens reach back to, where none takes more than `longest`."""
    for unit in reversed(units):
        tokens -= min(unit.cost, longest)
        if tokens < 0:
            return unit.seq
    return 0


def _system(shelf: Shelf) -> str:
    """The system prompt: the session's own, and what the journal begins with."""
    opening = "" if shelf.opening is None else shelf.opening.text
    return "\n\n".join(part for part in (shelf.info.system, opening) if part)


def _is_answered(shelf: Shelf, question: Message) -> bool:
    """Whether the assistant has said something since; words beside a call of tools are not the answer yet."""
    since = takewhile(lambda message: message.seq > question.seq, reversed(shelf.messages))
    return any(message.role == "assistant" and message.text and not message.tool_calls for message in since)


def _after(units: Sequence[Unit], question: int) -> list[Unit]:
    """What tools were asked and said since the question: it stays behind it, or no provider would understand it."""
    return [unit for unit in units if unit.seq > question and not unit.orphan] if question else []


def _unseen(shelf: Shelf, packed: Packed, stock: Stock) -> list[int]:
    """Numbers of messages that the prompt does not show and that no summary before them stands for."""
    if shelf.failed:
        return []  # which there are is not known
    shown = {message.seq for unit in [*packed.turns, *packed.after] for message in unit.messages}
    shown |= {message.seq for unit in stock.orphans for message in unit.messages}
    shown |= {part.seq for part in (packed.question, shelf.opening) if part is not None}
    for line in chain.from_iterable(packed.lines.values()):
        if line.kind == "message" and not line.session:
            shown |= set(range(line.first, line.last + 1))
    there = chain(range(stock.covered + 1, shelf.reaches), (message.seq for message in shelf.messages))
    return [seq for seq in there if seq > stock.covered and seq not in shown]


def _left_out(packed: Packed) -> set[int]:
    """Numbers of messages that had no room in the prompt."""
    out = [choice.item for choice in packed.choices if not choice.included and choice.section in ("recent", "earlier")]
    return {item.seq if isinstance(item, Unit) else item.first for item in out if isinstance(item, (Unit, Line))}


def _spelled(seqs: Sequence[int]) -> str:
    """Messages by their numbers, with the verb."""
    first, last = seqs[0], seqs[-1]
    if first == last:
        return f"Message {first} is"
    if last - first + 1 == len(seqs):
        return f"Messages {first} to {last} are"
    return f"{len(seqs):,} of the messages {first} to {last} are"


def _warnings(shelf: Shelf, counter: Counter) -> list[str]:
    found = []
    if shelf.trouble:
        found.append(f"Not compressed: {shelf.trouble} Messages stand as they were said, as far as they fit.")
    if shelf.missing:
        found.append("Some summaries are missing or damaged: call summarize(), or rebuild().")
    if shelf.failed:
        found.append(f"Summaries and pins could not be read ({shelf.failed}) The newest {LAST} messages stand alone.")
    if shelf.damaged:
        found.append(f"{shelf.damaged} damaged messages were left out; run `onrecord doctor`.")
    if not counter.exact:
        found.append("Tokens are an upper estimate: the model's own tokenizer is not known.")
    if not shelf.messages:
        found.append("The session has no messages yet.")
    return found


def _stable_share(shelf: Shelf, packed: Packed, counted: Counted) -> float | None:
    """How much of the prompt before the newest turn (the last question and what came since) is, from its first token
    on, what the last prompt began with."""
    previous = shelf.prompt
    if not isinstance(previous, _Previous):
        return None
    parts: list[Any] = [("head", packed.head)] if packed.head else []
    costs = [counted(packed.head)] if packed.head else []
    for unit in packed.turns:
        if unit.seq < previous.since:
            parts += [("turn", message) for message in unit.messages]
            costs += [unit.cost, *[0] * (len(unit.messages) - 1)]
    same = 0
    for part, old, cost in zip(parts, previous.parts, costs, strict=False):
        if part != old and not (part[0] == old[0] and part[1] == old[1]):
            same += _common(part, old, counted)
            break
        same += cost
    return round(same / max(1, sum(costs)), 4)


def _common(part: Any, old: Any, counted: Counted) -> int:
    """Tokens of the whole lines with which two heads begin alike."""
    if part[0] != "head" or old[0] != "head":
        return 0
    lines = []
    for mine, theirs in zip(part[1].split("\n"), old[1].split("\n"), strict=False):
        if mine != theirs:
            break
        lines.append(mine)
    return counted.counter.text("\n".join(lines))

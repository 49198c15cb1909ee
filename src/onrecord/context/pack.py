"""Fits what could be in a prompt into its budget.

What must be there comes first, shortened if need be; then the sections in the profile's order, each up to its share;
then what is left is filled. Every decision is noted with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import ceil

from onrecord.context.formats import turns_of
from onrecord.context.head import HEADINGS, Counted, Line, head_text, recalled_text
from onrecord.context.must import FLOORS, Must, check_least, question_cost, squeezed, turn_cost, within
from onrecord.context.stock import Choice, Packed, Stock
from onrecord.context.text import short_summary, shortened
from onrecord.context.units import Unit
from onrecord.guard import attempt
from onrecord.policy.brevity import share_of_recall
from onrecord.policy.estimates import three_quarters
from onrecord.policy.secrets import asked_kinds, kinds_of, redacted
from onrecord.policy.sentences import GONE
from onrecord.profiles import Profile

__all__ = ["Packing"]

LEAST_LINE = 36  # tokens that a summary is not cut below
LINE_FRAME = 3  # tokens around a line's text
MISSES = 16  # recalled lines that do not fit until no more are tried
UNLIKELY = 16  # lines too unlikely to be recalled after which no more are tried
POSTPONED = 8  # recalled lines over their share until the others have theirs


class Packing:
    """One prompt on its way."""

    def __init__(self, profile: Profile, stock: Stock, budget: int, counted: Counted) -> None:
        self.profile = profile
        self.stock = stock
        self.budget = budget
        self.counted = counted
        self.counter = counted.counter
        lines: dict[str, list[Line]] = {name: [] for name in HEADINGS[profile.layout]}
        self.out = Packed(stock.system, lines, [], stock.question, [], counted, stock.values)
        self.out.confidence = stock.confidence
        self.used = self.counter.priming
        self.estimated = 0  # by the design's own estimate
        self.added: list[Line] = []  # in the order in which they were chosen
        self.over_share: list[tuple[str, Line]] = []  # sections and lines that may be tried again
        self.groups: set[str] = set()  # what stands above lines already
        self.recalled: Iterator[Line] | None = iter(stock.recalled) if stock.recalled else None
        self.reserves: dict[str, int] = {}  # tokens set aside, by section
        self.postponed: list[Line] = []  # recalled lines that were over their share
        self.recalled_cost = 0
        self.unlikely = 0  # recalled lines that were left out as such
        self.asked = asked_kinds(stock.question.text if stock.question else "")  # kinds of secrets

    def pack(self) -> Packed:
        self._must()
        for unit in self.stock.orphans:
            self._left_out(unit, "the call that it answers is not there")
        total = self._room_of_sections()
        caps = {"recent": self._recent_cap(total), "memory": int(self.profile.memory_share * total)}
        caps["known"] = int(self.profile.known_share * total)
        shares = {"recent": caps["recent"], "recalled": int(self.profile.recalled_share * total)}
        shares |= dict.fromkeys(("pins", "facts"), caps["memory"])
        self.out.limits = self.reserves | {name: share for name, share in shares.items() if share < total}
        order = self.profile.order
        for section in order if "facts" in order or not self.stock.facts else ("facts", *order):
            if section == "recent":
                self._recent(caps["recent"])
            elif section in ("pins", "facts"):
                lines = self.stock.pins if section == "pins" else self.stock.facts
                most = self.profile.pins if section == "pins" else self.profile.facts or len(lines)
                self._lines(section, lines, caps, most)
            elif section == "summaries":
                self._summaries(total, caps["recent"])
            elif section == "recalled":
                self._bring()
                self._recalled(int(self.profile.recalled_share * total))
            else:
                self._refill()
        self._recalled_again()
        self._again()
        return self._finished()

    # What must be there

    def _must(self) -> None:
        stock, counted = self.stock, self.counted
        newest = list(stock.recent[-self.profile.always :])
        check_least(stock.question, newest, stock.system, self.budget, counted)
        if self.recalled is not None:  # however long the newest message is, something else must have room beside it
            newest = within(newest, int((1 - self.profile.recalled_share) * self.budget), counted)
        wanted = Must(stock.system, newest, stock.question, list(stock.after))
        must = wanted
        if wanted.cost(counted) > self._left():
            self.out.warnings.append(
                "The budget is too small for what must be in the prompt: it was shortened. "
                f"Give at least {self._whole(wanted):,} tokens to have it whole."
            )
            must = squeezed(wanted, self._left(), counted)
        must.newest = [*self._asked(must), *must.newest]
        self.used += must.cost(counted)
        self.out.system, self.out.turns = must.system, must.newest
        self.out.question, self.out.after = must.question, must.after
        if self.profile.estimate:
            self.estimated += sum(three_quarters(unit.messages[0].text) for unit in must.newest)
        self._note_must(must)

    def _asked(self, must: Must) -> list[Unit]:
        """The message that the question asks for, without its middle if it does not fit whole beside what must be
        there."""
        if self.stock.asked is None:
            return []
        room = int((1 - self.profile.recalled_share) * (self._left() - must.cost(self.counted)))
        return [unit for unit in within([self.stock.asked], room, self.counted) if unit.cost <= room]

    def _whole(self, wanted: Must) -> int:
        """The least budget in which nothing that must be there is shortened."""
        newest = self.stock.recent[-self.profile.always :]
        units = sum(unit.cost for unit in newest)
        least = self.counter.priming + replace(wanted, newest=list(newest)).cost(self.counted)
        least += self.counter.overhead("user") + self.counted(GONE)  # where an assistant speaks first
        return max(least, ceil(units / (1 - self.profile.recalled_share))) if self.profile.recalled else least

    def _note_must(self, must: Must) -> None:
        note, short = self.out.choices.append, must.system != self.stock.system
        if self.stock.system:
            there = bool(must.system)
            reason = "always there" if there else "no room beside the question"
            note(Choice(must.system or self.stock.system, "system", there, reason, short))
        asked = [] if self.stock.asked is None else [self.stock.asked]
        for units, kept, reason in (
            (asked, must.newest, "asked for"),
            (self.stock.recent[-self.profile.always :], must.newest, "among the newest"),
            (self.stock.after, must.after, "since the question"),
        ):
            there_are = {unit.seq: unit for unit in kept}
            for unit in units:
                if unit.seq in there_are:
                    now = there_are[unit.seq]
                    note(Choice(now, "recent", True, reason, now.cut))
                else:
                    self._left_out(unit, "no room beside what must be there")

    # Sections

    def _room_of_sections(self) -> int:
        """What the sections share: the budget without the system prompt, or without what the profile sets aside."""
        profile = self.profile
        if profile.system_reserve or profile.working_reserve:
            part = self.budget / max(1, profile.tokens)
            system, question = int(profile.system_reserve * part), int(profile.working_reserve * part)
            self.reserves = {"system": system, "question": question}
            if self.counted(self.out.system) > system:
                self.out.warnings.append(f"The system prompt is longer than the {system:,} tokens set aside for it.")
            return self.budget - system - question
        return self.budget - self.counter.priming - (self.counted(self.out.system) if self.out.system else 0)

    def _recent_cap(self, total: int) -> int:
        """What recent messages may take, the question and what must be there included."""
        return int(self.profile.recent_share * total)

    def _recent(self, cap: int) -> None:
        rest = list(self.stock.recent[: -self.profile.always])
        asked = 0 if self.stock.asked is None else self.stock.asked.seq
        there = [unit.cost for unit in [*self.out.turns, *self.out.after] if unit.seq != asked]
        spent, left = self._spent([*there, question_cost(self.out.question, self.counted)]), self._left()
        if self.profile.estimate and self._over_estimate(rest):
            self._pool(rest)
            return
        whole = self._fits_whole(rest)
        if self.stock.longest and self.recalled is not None and not whole:
            left -= int(self.profile.recalled_share * left)
        taken: list[Unit] = []
        while rest:
            unit = rest[-1]
            if unit.cost > left or (not whole and spent + unit.cost > cap):
                break
            taken.append(rest.pop())
            spent += unit.cost
            left -= unit.cost
            self.used += unit.cost
            self.out.choices.append(Choice(unit, "recent", True, "recent", unit.cut))
        if self.profile.estimate:
            self.estimated += sum(three_quarters(unit.messages[0].text) for unit in taken)
        self.out.turns = sorted([*taken, *self.out.turns], key=lambda unit: unit.seq)
        for unit in rest:
            self._left_out(unit, "before the window")

    def _spent(self, costs: Sequence[int]) -> int:
        """What the newest messages take of the window: long ones no more than any other would."""
        return sum(min(cost, self.stock.longest or cost) for cost in costs)

    def _fits_whole(self, rest: Sequence[Unit]) -> bool:
        """Whether shares do not matter, since all messages and pins fit."""
        wanted = sum(unit.cost for unit in rest) + sum(line.cost for line in self.stock.pins)
        return not any(self.stock.summaries) and wanted <= self._left()

    def _over_estimate(self, rest: Sequence[Unit]) -> bool:
        """Whether everything together is over the budget by the design's own estimate, or in truth."""
        lines = [*self.stock.pins[: self.profile.pins], *self.stock.summaries[0]]
        texts = sum(three_quarters(unit.messages[0].text) for unit in rest)
        guess = self.estimated + texts + sum(three_quarters(line.text) for line in lines)
        true = sum(unit.cost for unit in rest) + sum(line.cost for line in lines)
        return guess > self.budget or true > self._left()

    def _pool(self, rest: Sequence[Unit]) -> None:
        """Recent messages that have to compete with older ones."""
        seqs = {line.first for line in self.stock.older}
        for unit in rest:
            if unit.seq not in seqs:
                self._left_out(unit, "over the budget")

    def _lines(self, section: str, lines: Sequence[Line], caps: dict[str, int], most: int) -> None:
        """Lines of a section, as they come, as many as fit; what they take goes off the caps. The frame around them is
        everybody's: it does not count as theirs, or in a small prompt it alone would be over their share."""
        tried = 0
        for line in lines:
            if line.twin:
                self._skipped(line, section, "said already")
            elif tried >= most:
                self._skipped(line, section, "behind the others")
            else:
                tried += 1
                if line.cost > (min(caps["memory"], caps["known"]) if line.unasked else caps["memory"]):
                    if not line.unasked:
                        self.over_share.append((section, line))
                    self._skipped(line, section, "no room in its share")
                elif self._try(section, line):
                    caps["memory"] -= line.cost
                    caps["known"] -= line.cost * line.unasked

    def _again(self) -> None:
        """Pins and important data that were over their share, now that everyone else has had theirs."""
        over, self.over_share = self.over_share, []
        for section, line in over:
            self.out.choices = [choice for choice in self.out.choices if choice.item is not line]
            self._try(section, line)
        for section, lines in (("pins", self.stock.pins), ("facts", self.stock.facts)):
            order = {line.id + line.text: number for number, line in enumerate(lines)}
            # Facts stand in the order in which they were said: what comes new changes nothing before it.
            self.out.lines[section].sort(key=lambda line: (line.at, order[line.id + line.text]))

    def _try(self, section: str, line: Line, cap: int | None = None) -> bool:
        cost = line.cost + self._frame(section)
        if line.group and line.group not in self.groups:
            cost += self.counted(line.group + "\n")
        guess = three_quarters(line.text) if self.profile.estimate else 0
        secrets = self._secrets(line) if section in ("recalled", "earlier") else frozenset()
        if secrets is None:
            return self._skipped(line._replace(text=""), section, "it cannot be looked through for secrets")
        if not secrets <= self.asked:
            return self._skipped(line._replace(text=redacted(line.text)), section, "a secret that was not asked for")
        if section == "recalled" and self._recalled_enough():
            return self._skipped(line, section, "more than the call allows")
        if cost > self._left():
            return self._skipped(line, section, "no room in the budget")
        if cap is not None and cost > cap:
            return self._skipped(line, section, "no room in its share")
        if self.profile.estimate and self.estimated + guess >= self.budget:
            return self._skipped(line, section, "no room by the estimate")
        self.used += cost
        self.groups.add(line.group)
        self.estimated += guess
        self.out.lines[section].append(line)
        self.added.append(line)
        likely = "" if line.probability is None else f" ({_share(line.probability)})"
        self.out.choices.append(Choice(line, section, True, _WHY[section] + likely, line.cut))
        return True

    def _secrets(self, line: Line) -> frozenset[str] | None:
        """The kinds of secrets in a line; None: it cannot be read."""
        text = line.text
        return self.counted.remembered(("secrets", text), lambda: attempt(len(text), lambda: kinds_of(text)).result)

    def _frame(self, section: str) -> int:
        """What the first line of a section costs more: the heading, and the block itself with the first of all."""
        if self.out.lines[section]:
            return 0
        heading = HEADINGS[self.profile.layout][section]
        cost = self.counted(heading + "\n")
        beside = section == "recalled"
        if beside or not any(found for name, found in self.out.lines.items() if name != "recalled"):
            cost = (
                self.counted.remembered((self.profile.layout, section), lambda: self.counted(self._bare(section))) + 2
            )
            cost += self.counter.overhead("system") if not beside and not self.out.system else 0
        return cost

    def _bare(self, section: str) -> str:
        """The block with an empty line in this section alone."""
        lines, layout = [Line("", "", "")], self.profile.layout
        return recalled_text(lines, layout) if section == "recalled" else head_text("", {section: lines}, layout, True)

    def _summaries(self, total: int, recent: int) -> None:
        """The finest of the ways that fits; of the coarsest, the newest nodes that fit."""
        order = self.profile.order
        room = self._left() // (2 if order.index("summaries") < order.index("recent") else 1)
        if self.profile.recent_share < 1 and "refill" in self.profile.order:
            memory = sum(line.cost for line in self.added)
            room = min(room, total - recent - memory - int(self.profile.recalled_share * total))
        for way in self.stock.summaries:
            cost = sum(line.cost for line in way) + (self._frame("summaries") if way else 0)
            if cost <= room and way:
                break
        else:
            way = self._shorter_lines(way, room)
        limit = self.used + room
        for line in reversed(way):
            self._try("summaries", line, limit - self.used)
        self.out.lines["summaries"].sort(key=lambda line: (line.last, line.first))

    def _shorter_lines(self, way: Sequence[Line], room: int) -> Sequence[Line]:
        """Summaries that do not fit together, each cut to its share of the room: old times stay in the prompt."""
        room -= self._frame("summaries")
        many = min(len(way), room // LEAST_LINE)
        if not self.profile.shorten or many < 1:
            return way
        share = room // many
        newest = [line if line.cost <= share else self._shorter(line, share) for line in way[-many:]]
        return [*way[:-many], *newest]

    def _shorter(self, line: Line, tokens: int) -> Line:
        text = self.counted.remembered(
            (line.text, tokens), lambda: short_summary(line.text, tokens - LINE_FRAME, self.counted)
        )
        return line._replace(text=text, cost=self.counted(f"- {text}\n"), cut=True)

    def _bring(self) -> None:
        """What the question asks for from another conversation, without its middle if it does not fit whole."""
        if (line := self.stock.brought) is None:
            return
        room = self._left() - self._frame("recalled") - self.counted(line.group + "\n")
        if LEAST_LINE <= room < line.cost:
            text = shortened(line.text, room - LINE_FRAME, self.counter)
            line = line._replace(text=text, cost=self.counted(f"- {text}\n"), cut=True)
        self._try("recalled", line)

    def _recalled(self, cap: int) -> None:
        """What was said about the question, up to a share of the room; what is over it may be tried again."""
        start = self.used
        for line in self._likely():
            if line.cost + self._frame("recalled") > cap - (self.used - start):
                self.postponed.append(line)
            else:
                self._try_recalled(line)
            if len(self.postponed) == POSTPONED or self._recalled_enough():
                break

    def _recalled_enough(self) -> bool:
        """Whether as many lines are recalled as the call allows."""
        most = self.stock.most_recalled
        return most is not None and len(self.out.lines["recalled"]) >= most

    def _recalled_again(self) -> None:
        """More of it, now that everyone else has had their share; all in the order in which it was said."""
        misses = 0
        earlier = {line.first for line in self.out.lines["earlier"]}
        postponed = [line for line in self.postponed if line.session or line.first not in earlier]
        for line in chain(postponed, self._likely()):
            misses += not self._try_recalled(line)
            if misses == MISSES:
                break
        began: dict[str, float] = {}  # when the first line of each day and conversation was said
        for line in self.out.lines["recalled"]:
            began[line.group] = min(line.at, began.get(line.group, line.at))
        self.out.lines["recalled"].sort(key=lambda line: (began[line.group], line.group, line.at, line.first))

    def _try_recalled(self, line: Line) -> bool:
        most = (self.profile.recalled_tokens or self.budget) * share_of_recall(self.stock.confidence)
        if line.probability is not None and self.recalled_cost and self.recalled_cost + line.cost > most:
            return self._skipped(line, "recalled", "enough is recalled")
        there = self._try("recalled", line)
        self.recalled_cost += line.cost * there
        return there

    def _likely(self) -> Iterator[Line]:
        """Recalled lines that are likely enough, until too many were not."""
        for line in self._unseen():
            if not line.unlikely:
                yield line
            else:
                self.unlikely += 1
                self._skipped(line, "recalled", f"too unlikely ({_share(line.probability)})")
                if self.unlikely >= UNLIKELY:
                    return

    def _unseen(self) -> Iterator[Line]:
        """Recalled lines of messages that are not in the prompt anyway."""
        if self.recalled is None or self.out.question is None:
            return
        self.stock.shown.clear()
        turns = [*self.out.turns, *self.out.after]
        self.stock.shown |= {unit.seq for unit in turns if not unit.cut} | {self.out.question.seq}
        self.stock.shown |= {line.first for line in self.out.lines["earlier"]}
        yield from islice(self.recalled, None)  # without it, whoever stops here would end them for the next round, too

    def _refill(self) -> None:
        """What is left goes to older messages: those that no summary covers, the newest first, then the important."""
        if not self.profile.refill:
            return
        recalled = {line.first for line in self.out.lines["recalled"] if not line.session}
        for line in reversed(self.stock.gap):
            if line.first not in recalled:
                self._try("earlier", line)
        shown = {line.first for line in self.stock.gap} | {unit.seq for unit in self.out.turns}
        for line in self.stock.older:
            if line.first not in shown:
                self._try("earlier", line)
        self.out.lines["earlier"].sort(key=lambda line: line.first)

    # Ending

    def _finished(self) -> Packed:
        """The texts whole, counted as they will be sent; lines go again while that is over the budget."""
        out, profile = self.out, self.profile
        while True:
            out.head = head_text(out.system, out.lines, profile.layout, bool(out.turns))
            out.recalled = recalled_text(out.lines["recalled"], profile.layout)
            out.tokens = self._counted_whole()
            out.estimated = self.estimated
            if out.tokens <= self.budget:
                return out
            self._give_way()

    def _counted_whole(self) -> int:
        return self.counter.priming + sum(turn_cost(turn, self.counted) for turn in turns_of(self.out.parts))

    def _give_way(self) -> None:
        """Take the last line out again, or the oldest message, or shorten what must be there a little more."""
        out = self.out
        if self.added:
            line = self.added.pop()
            next(lines for lines in out.lines.values() if line in lines).remove(line)
            self._forget_choice(line)
        elif len(out.turns) > (out.question is None):
            self._shorten_turn(out.turns[0], out.tokens - self.budget)
        elif out.after:
            out.after.pop(0)
        elif out.system:
            excess = out.tokens - self.budget
            out.system = shortened(out.system, self.counted(out.system) - excess, self.counter)
        elif out.question is None:
            self._shorten_turn(out.turns[0], out.tokens - self.budget, floor=1)
        else:
            excess = out.tokens - self.budget
            have = self.counted(out.question.text)
            assert have, (out.tokens, self.budget)
            out.question = replace(out.question, text=shortened(out.question.text, have - excess, self.counter))

    def _shorten_turn(self, unit: Unit, excess: int, floor: int = FLOORS[0]) -> None:
        """Take some of the oldest message, or all of it if little is left."""
        (short,) = within([unit], unit.cost - excess, self.counted, floor)
        if short.cost >= unit.cost:
            self.out.turns.remove(unit)
            self._forget_choice(unit)
            return
        self.out.turns[0] = short
        for number, choice in enumerate(self.out.choices):
            if choice.item is unit:
                self.out.choices[number] = choice._replace(item=short, shortened=True)

    def _forget_choice(self, item: Line | Unit) -> None:
        for number, choice in enumerate(self.out.choices):
            if choice.item is item:
                self.out.choices[number] = choice._replace(included=False, reason="no room once all was counted")

    def _left(self) -> int:
        return self.budget - self.used

    def _left_out(self, unit: Unit, reason: str) -> None:
        self.out.choices.append(Choice(unit, "recent", False, reason))

    def _skipped(self, line: Line, section: str, reason: str) -> bool:
        self.out.choices.append(Choice(line, section, False, reason))
        return False


_WHY = {
    "pins": "pinned",
    "facts": "must not be lost",
    "summaries": "stands for older messages",
    "earlier": "older, and room was left",
    "recalled": "about the question",
}


def _share(probability: float | None) -> str:
    """A probability as manifests have it: ".82"."""
    return f"{probability or 0.0:.2f}".removeprefix("0")

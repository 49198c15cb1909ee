"""Session: one conversation. It wires the journal, the derive path and the context, and has no logic of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

from onrecord.errors import InvalidInput, NotFound, shown
from onrecord.journal.asking import clean_asked, only_known
from onrecord.journal.clean import (
    clean_count,
    clean_importance,
    clean_mapping,
    clean_name,
    clean_past,
    clean_text,
    clean_time,
)
from onrecord.journal.journal import Journal
from onrecord.longterm import SessionLongTerm
from onrecord.parts import Parts, kept_whatever_happens
from onrecord.policy.plans import Chunks
from onrecord.ports import Batch, Progress, Target
from onrecord.records import (
    MANUAL,
    Compression,
    Conversation,
    Erased,
    Estimate,
    ImportantData,
    Message,
    Receipt,
    Role,
    SessionInfo,
    Summaries,
    Summary,
    just_after,
)
from onrecord.under import under

if TYPE_CHECKING:
    from onrecord.context.prompt import Context
    from onrecord.recall.hits import Hits

__all__ = ["Session", "preview"]

PAGE = 500
MOST_TOKENS = 10_000_000


class Session(SessionLongTerm, AbstractContextManager["Session"]):
    """One conversation: its journal, and what is known of it."""

    def __init__(self, parts: Parts, space: str, id: str) -> None:
        self._parts = parts
        self._space = space
        self._id = id
        self._journal = Journal(parts.store, parts.drafter, space, id)

    @property
    def id(self) -> str:
        """The id you gave it."""
        return self._id

    def add(
        self,
        role: Role,
        text: str | None,
        *,
        name: str | None = None,
        time: datetime | str | None = None,
        id: str | None = None,
        key: str | None = None,
        tool_calls: Iterable[Any] | None = None,
        tool_call_id: str | None = None,
        model: str | None = None,
        importance: float | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Receipt:
        """Append a message; when this returns, it is on disk.

        A `time` without a zone is taken as UTC. The same `key` (or your own `id`) with the same content answers the
        first receipt again; with other content it raises Conflict.
        """
        receipt = self._journal.add(
            role,
            text,
            name=name,
            time=time,
            id=id,
            key=key,
            tool_calls=tool_calls,
            tool_call_id=tool_call_id,
            model=model,
            importance=importance,
            meta=meta,
        )
        if not receipt.repeated:
            with kept_whatever_happens():
                self._parts.added(self._space, 1)
            with kept_whatever_happens():
                self._parts.noticed(self._space, self._id, role, receipt.seq, receipt.tokens, text or "")
        return receipt

    def add_many(self, messages: Iterable[Mapping[str, Any] | tuple[Role, str]]) -> list[Receipt]:
        """Append many at once, all or none: (role, text) pairs, or dicts with the keywords of `add`
        (`content` may stand for `text`)."""
        receipts = self._journal.add_many(messages)
        with kept_whatever_happens():
            self._parts.added(self._space, len(receipts))
        with kept_whatever_happens():
            self._parts.noticed_many(self._space, self._id, len(receipts))
        return receipts

    def history(
        self,
        *,
        limit: int | None = None,
        after: int | None = None,
        before: int | None = None,
        last: int | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        role: Role | Iterable[Role] | None = None,
        forgotten: bool = False,
    ) -> Iterator[Message]:
        """The messages, oldest first, in constant memory. `after`, `before`: numbers, both exclusive; `since`: from
        that moment on, `until`: before it; `limit`: so many from the oldest, `last`: so many from the newest."""
        return self._journal.read(
            limit=limit,
            after=after,
            before=before,
            last=last,
            since=since,
            until=until,
            role=role,
            forgotten=forgotten,
        )

    def info(self) -> SessionInfo:
        """What is known of the session: title, status, model, system prompt, meta, number of its newest message;
        `created` is None until something is written to it."""
        found = self._parts.store.session(self._space, self._id)
        return SessionInfo(id=self._id) if found is None else found

    def update(self, **changes: Any) -> SessionInfo:
        """Set title, status ("active", "paused", "ended"), model, system or meta; answers what is known now."""
        self._journal.update(changes)
        self._parts.upkeep.forget(self._space, self._id)
        return self.info()

    def context(
        self,
        question: str | None = None,
        *,
        tokens: int | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        before: int | None = None,
        profile: str | None = None,
        recalled: int | None = None,
    ) -> Context:
        """The best prompt for a question that fits `tokens` (the profile's default if left out), and why; `as_of`: with
        what was said and true at that moment, for all that is known today; `known_at`: as it would have been then;
        `before`: as if the message of that number and later ones had not been said
        yet, to answer an earlier one again; `profile`: by another profile's rules and its summaries, as far as these
        were made (see `summarize`); `recalled`: with at most so many recalled messages, 0 for none.

        If the newest user message has the same text and is not answered yet, it is the question; otherwise the question
        is a last turn that is not saved. Left out, the prompt is the conversation in its order; a user message at its
        end that is not answered yet is the question."""
        return self._built(question, tokens, as_of, known_at, before, profile, recalled)

    def _built(
        self,
        question: str | None,
        tokens: int | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        before: int | None = None,
        profile: str | None = None,
        recalled: int | None = None,
        *,
        looking: bool = False,
    ) -> Context:
        past = clean_past(as_of, known_at)
        asked = None if question is None else clean_text(question)[0]
        if asked is not None and not asked.strip():
            raise InvalidInput("The question is empty.", "Leave it out to go on with the conversation.")
        budget = None if tokens is None else clean_count(tokens, "tokens", least=1, most=MOST_TOKENS)
        end = None if before is None else clean_count(before, "before", least=1)
        most = None if recalled is None else clean_count(recalled, "recalled")
        builder = under(self._parts, profile).builder
        return builder.build(self._space, self._id, asked, budget, past, end, most, looking=looking)

    def search(self, text: str, **asked: Any) -> Hits:
        """Find what this conversation holds about a text: `Memory.search` within it."""
        only_known(asked, clean_asked, "search")
        now = self._parts.drafter.now()
        return self._parts.search(self._space, clean_asked(text, now=now, **asked | {"sessions": self._id}))

    def summarize(
        self,
        first: int | None = None,
        last: int | None = None,
        *,
        profile: str | None = None,
        progress: Progress | None = None,
    ) -> Summaries:
        """Make every summary that is due; or, with numbers, one of that range, which nothing replaces. `profile`: those
        that another profile has, to see its prompts."""
        parts = under(self._parts, profile)
        if first is None and last is None:
            made, waits, trouble = parts.caught_up(self._space, self._id, progress, insist=True)
            return Summaries(made=tuple(made), note=waits or trouble or ("" if made else self._waiting(parts)))
        start = clean_count(1 if first is None else first, "first", least=1)
        end = clean_count(self.info().last_seq if last is None else last, "last")
        _refuse_empty(start, end)
        summary, trouble = parts.notes.of_range(self._space, self._id, start, end)
        return Summaries(made=(summary,), note=trouble)

    def estimate(self) -> Estimate:
        """What `summarize` would take now: how many summaries, and about how many tokens of which model."""
        return self._parts.estimate(self._space, [self._id])

    def due(self) -> list[tuple[int, int]]:
        """All ranges of messages for which a summary is due and not made yet; of one that extends, the next."""
        return list(self._parts.deriver.due(self._space, self._id))

    def summaries(
        self, *, plan: str | None = None, level: int | None = None, as_of: datetime | str | None = None
    ) -> Iterator[Summary]:
        """The summaries of this profile's plan and those that were asked for; `plan="all"`: of every plan; `as_of`:
        only of what had been said at that moment."""
        if as_of is not None:
            past = next(iter(self.history(until=just_after(clean_time(as_of, "as_of")), last=1)), None)
            said = 0 if past is None else past.seq
            yield from (one for one in self.summaries(plan=plan, level=level) if one.last <= said)
            return
        level, notes = None if level is None else clean_count(level, "level"), self._parts.notes
        if plan == "all":
            yield from notes.summaries(self._space, self._id, None, level)
            return
        for name in (self._parts.profile.strategy.plan, MANUAL) if plan is None else (plan,):
            yield from notes.summaries(self._space, self._id, clean_name(name, "plan"), level)

    def add_summary(
        self,
        text: str,
        last: int,
        *,
        first: int = 1,
        important: ImportantData | Mapping[str, Any] | None = None,
    ) -> Summary:
        """Store a summary of the messages from `first` to `last` that was made elsewhere, with what is important of
        them. Where one summary extends (`rolling`, `progressive`) it is the newest, and later ones build on it."""
        from onrecord.policy.important import check_data

        start, end = clean_count(first, "first", least=1), clean_count(last, "last")
        _refuse_empty(start, end)
        data = check_data(important or {})
        added = self._parts.notes.add(self._space, self._id, start, end, _summary_text(text), data)
        self._gone_on()
        return added

    def edit_summary(self, id: str, text: str) -> Summary:
        """Correct a summary. That locks it: it is never overwritten, and later ones build on it."""
        edited = self._parts.notes.edit(self._space, self._id, clean_name(id, "id"), _summary_text(text))
        self._gone_on()
        return edited

    def _gone_on(self) -> None:
        """Make what is due after a summary came from outside."""
        self._parts.upkeep.forget(self._space, self._id)
        if self._parts.derives:
            with kept_whatever_happens():
                self._parts.summarize(self._space, self._id)

    def lock_summary(self, id: str, locked: bool = True) -> Summary:
        """Keep a summary as it is, whatever is made again; or let go of it."""
        return self._parts.notes.lock(self._space, self._id, clean_name(id, "id"), bool(locked))

    def important(self) -> ImportantData:
        """What must not be lost of the conversation, as far as it is summarised: nothing left out."""
        return self._parts.notes.important(self._space, self._id, self._parts.profile.strategy.plan)

    def set_important(self, data: ImportantData | Mapping[str, Any]) -> ImportantData:
        """Replace what is known so far by this; what later messages bring is merged into it."""
        from onrecord.policy.important import check_data

        self._parts.notes.set_important(self._space, self._id, check_data(data))
        return self.important()

    def compression(self) -> Compression | None:
        """What stands for the messages that the prompt no longer shows; None while there is nothing."""
        newest = self._parts.notes.newest(self._space, self._id, self._parts.profile.strategy.plan)
        if newest is None:
            return None
        return Compression(
            summary=newest.text,
            version=newest.version,
            important=self.important(),
            summarized=newest.last,
            keep_from=newest.last + 1,
            time=newest.time,
        )

    def conversation(self) -> Conversation:
        """The conversation at a glance: when, how long, what is recent, what is in short."""
        info, strategy = self.info(), self._parts.profile.strategy
        covered = self._parts.deriver.covered(self._space, self._id)
        return Conversation(
            id=self._id,
            project=self._space,
            started=info.created,
            ended=info.ended,
            status=info.status,
            turns=info.last_seq,
            recent=tuple(self.history(after=covered)),
            chunks=_standing(self.summaries(plan=strategy.plan, level=None if isinstance(strategy, Chunks) else 1)),
            facts=tuple(fact.id for fact in self.facts()),
            milestones=tuple(episode.id for episode in self.episodes()),
        )

    def end(self, summary: str | None = None) -> Summary | None:
        """End the conversation with a closing summary: yours, or one that is made; None if nothing was said."""
        self.update(status="ended")
        self._parts.knowing.learn(self._space, self._id)
        last = self.info().last_seq
        if not any(True for _ in self.history(last=1)):
            return None
        (made,) = self.summarize(1, last).made
        closing = made if summary is None else self.edit_summary(made.id, summary)
        self._parts.store.settle()
        return closing

    def rescore(self, importance: Mapping[int, float] | None = None) -> int:
        """Score every message again by the profile's rules, or give scores by number (clamped to 0 to 1); answers how
        many changed."""
        if importance is not None:
            given = clean_mapping(importance, "importance").items()
            return self._score({self._source(seq): clean_importance(one) for seq, one in given})
        rule, changed = self._parts.profile.importance, 0
        page: dict[int, float] = {}
        for message in self.history():
            if (score := rule(message.role, message.text)) != message.importance:
                page[message.seq] = score
            if len(page) == PAGE:
                changed, page = changed + self._score(page), {}
        return changed + self._score(page)

    def refresh(self) -> None:
        """Forget what is kept at hand of the session; the next context reads all of it anew."""
        self._parts.builder.drop(self._space, self._id)
        self._parts.upkeep.forget(self._space, self._id)

    def clear(self) -> int:
        """Throw every summary of this profile's plan and all important data away, corrections included; messages, pins
        and other summaries stay. Answers how many went. What is due is made again with the next message."""
        return self._parts.upkeep.clear(self._space, self._id)

    def rebuild(self, *, progress: Progress | None = None) -> int:
        """Throw every derived record away, but for hand-made and locked ones, and make it again from the messages;
        answers how many summaries were made. If the model that would write them cannot be asked, nothing happens but a
        ModelError."""
        self._parts.try_model(self._space, self._id)
        self._parts.knowing.rebuild(self._space, self._id)
        return self._parts.upkeep.rebuild(self._space, self._id, progress or (lambda done: None))

    def forget(self, *messages: int | str) -> Erased:
        """Erase messages by number or id, and what was derived from them. (A whole session:
        `memory.forget(session=…)`.)"""
        if not messages:
            raise InvalidInput("forget needs to know which messages.", "Pass their numbers or ids.")
        info = self._parts.store.session(self._space, self._id)
        if info is None:
            raise NotFound(f"There is no session {self._id!r} in space {self._space!r}.", "See sessions().")
        seqs = tuple(self._number(item) for item in messages)
        now = self._parts.drafter.now()
        erased = self._parts.store.erase(Target(space=self._space, session=self._id, seqs=seqs, time=now))
        if not erased.messages and min(seqs) > info.last_seq:
            raise NotFound(f"There is no message {min(seqs)} in session {self._id!r}.", "Give its number or its id.")
        self._parts.upkeep.forget(self._space, self._id)
        if self._parts.derives and erased.records:
            with kept_whatever_happens():
                self._parts.summarize(self._space, self._id)
        return erased

    def flush(self) -> bool:
        """Finish what is under way: summaries that are due, vectors that are missing, and the disk; see
        Memory.flush."""
        if self._parts.derives:
            self._parts.caught_up(self._space, self._id)
        self._parts.finish(self._space)
        return self._parts.store.settle()

    def _waiting(self, parts: Parts) -> str:
        """Why nothing was due."""
        waiting = self.info().last_seq - parts.deriver.covered(self._space, self._id)
        many = "1 message is" if waiting == 1 else f"{waiting} messages are"
        return f"Nothing is due: {many} not summarised yet, which is below the threshold."

    def _number(self, item: int | str) -> int:
        if isinstance(item, str):
            found = self._parts.store.find(self._space, self._id, clean_name(item, "id"))
            if found is None:
                raise NotFound(f"There is no message {item!r} in session {self._id!r}.", "Give its number or its id.")
            return found.seq
        if isinstance(item, bool) or not isinstance(item, int) or not 0 < item < 2**62:
            raise InvalidInput(f"{shown(item)} is no message's number.", "Pass a number from 1, or an id.")
        return item

    def _score(self, scores: Mapping[int, float]) -> int:
        if scores:
            now = self._parts.drafter.now()
            self._parts.store.commit(Batch(space=self._space, session=self._id, scores=scores, time=now))
        return len(scores)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.flush()

    def __repr__(self) -> str:
        return f"Session({self._id!r})"


def preview(session: Session, question: str | None = None, **options: Any) -> Context:
    """Return what `session.context` would return, for a person to look at: the prompt is not counted as sent, so the
    next one is still compared with the last that was. `options`: those of `context`."""
    return session._built(question, **options, looking=True)


def _standing(summaries: Iterable[Summary]) -> tuple[Summary, ...]:
    """Of summaries that cover the same messages, the one that stands for most of them; in order."""
    found: list[Summary] = []
    for summary in sorted(summaries, key=lambda summary: (summary.last, -summary.first), reverse=True):
        if not found or summary.last < found[-1].first:
            found.append(summary)
    return tuple(reversed(found))


def _summary_text(text: str) -> str:
    kept, _ = clean_text(text)
    if not kept.strip():
        raise InvalidInput("The summary would be empty.", "Give it a text.")
    return kept


def _refuse_empty(first: int, last: int) -> None:
    if last < first:
        raise InvalidInput(f"The range from {first} to {last} is empty.", "Give first and last, first not over last.")

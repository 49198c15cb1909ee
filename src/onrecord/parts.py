"""Parts: what a memory is made of. Each is made when it is first taken, so that nobody loads what they do not use."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, cast

from onrecord.choosing import Choosing, ModelServer
from onrecord.errors import ModelError, StoreError, StoreReadOnly
from onrecord.journal.drafting import Drafter
from onrecord.knowing import Knowing
from onrecord.ports import Counter, Embedder, Model, Progress, Reranker, SharedStore, Store
from onrecord.profiles import Profile
from onrecord.records import Estimate, Record, Role, SearchOutcome, SearchRequest, SessionInfo
from onrecord.settings import OverLimit, Summarize

if TYPE_CHECKING:
    from onrecord.context.engine import ContextBuilder
    from onrecord.derive.deriver import Deriver
    from onrecord.derive.nodes import NodeMaker
    from onrecord.derive.notes import Notes
    from onrecord.derive.spending import Spending
    from onrecord.derive.upkeep import Caught, Upkeep
    from onrecord.derive.writer import Writer
    from onrecord.jobs.background import Worker
    from onrecord.recall.hits import Hits
    from onrecord.recall.recaller import Recall

__all__ = ["Parts", "kept_whatever_happens"]

PAUSE = 0.1  # seconds that the background waits for more to come
ENOUGH = 64  # messages that are worth making vectors of, in the background
CLOSING = 30.0  # seconds after which closing begins with no other text of a model
TRIED = 8  # tokens of an answer that only shows that there is somebody
LONGEST = 15  # pauses after which summaries are begun although messages still come
MOST_DUE = 400  # ranges that a prompt looks at, to say what would help where messages are left out
PAGE = 500  # messages of a batch that one round of summaries is for
COUNTED = ("fact", "episode")  # kinds of which it is known how often they were found
_Answer = TypeVar("_Answer")


class Parts:
    """What a memory is made of: its store, and the paths through it, each made when it is first taken."""

    def __init__(
        self,
        store: Store,
        drafter: Drafter,
        profile: Profile,
        counter: Callable[[SessionInfo], Counter],
        *,
        summarize: Summarize,
        debounce: float,
        model: str | Model | None,
        embedder: str | Embedder | None,
        upstream: ModelServer,
        reranker: Reranker | None,
        index_bytes: int,
        daily_tokens: int,
        over_limit: OverLimit,
    ) -> None:
        self.store = store
        self.drafter = drafter
        self.profile = profile
        self.derives = summarize != "manual"  # whether derived records are kept up to date by themselves
        self._background = summarize == "background"
        self._elsewhere = summarize == "worker"  # by processes that the store tells what is due
        self._debounce = debounce
        self._counter = counter
        self.choosing = Choosing(model, upstream)
        self.knowing = self._knowing()
        self._embedder = embedder
        self._reranker = reranker
        self._index_bytes = index_bytes
        self._limits: dict[str, Any] = {"daily_tokens": daily_tokens, "over_limit": over_limit}
        self._added: dict[str, int] = {}  # messages since the index of a space was last seen to
        self._process = os.getpid()
        self._closed = False
        self.others: dict[str, Parts] = {}  # the same under other profiles, by name, as far as they were asked for

    def _knowing(self) -> Knowing:
        return Knowing(self.store, self.drafter, self.profile, self.model_for, lambda: self.spending)

    @cached_property
    def deriver(self) -> Deriver:
        from onrecord.derive.deriver import Deriver

        return Deriver(self.store, self.profile, self.drafter.now, lambda: (self.maker, self.writer), self.model_for)

    def estimate(self, space: str, sessions: Iterable[str]) -> Estimate:
        """What making everything that is due in some sessions would take."""
        from onrecord.derive.forecast import Forecast
        from onrecord.derive.spending import Bill

        tools = (self.maker, self.writer)
        forecast = Forecast(self.store, self.profile, self.drafter.now, lambda: tools, self.model_for)
        bill = Bill(self.spending, space)
        readings, summaries = 0, 0
        models: list[str | None] = []
        for session in sessions:
            readings += self.knowing.readings(space, session, bill)
            model, count = forecast.summaries(space, session, bill)
            models, summaries = [*models, model], summaries + count
        return Estimate(
            model=next(filter(None, models), None),
            summaries=summaries,
            readings=readings,
            calls=bill.calls,
            tokens_in=bill.tokens_in,
            tokens_out=bill.tokens_out,
        )

    @cached_property
    def upkeep(self) -> Upkeep:
        from onrecord.derive.upkeep import Upkeep

        return Upkeep(self.store, self.deriver, self.profile.strategy, self.drafter.now)

    @cached_property
    def maker(self) -> NodeMaker:
        from onrecord.derive.nodes import NodeMaker

        central = self._central if self.profile.by_meaning and self.embedder is not None else None
        return NodeMaker(profile=self.profile, counter=self.drafter.counter, central=central)

    @cached_property
    def spending(self) -> Spending:
        from onrecord.derive.spending import Spending

        return Spending(store=self.store, clock=self.drafter.now, **self._limits)

    @cached_property
    def writer(self) -> Writer:
        from onrecord.derive.writer import Writer

        return Writer(self.profile, self.drafter.counter, self.spending)

    @cached_property
    def notes(self) -> Notes:
        from onrecord.derive.notes import Notes

        return Notes(
            store=self.store,
            maker=self.maker,
            ids=self.drafter.ids,
            clock=self.drafter.now,
            writer=lambda: self.writer,
            models=self.model_for,
        )

    @property
    def model(self) -> Model | None:
        """The model that the memory was given, if its name says where it runs."""
        return self.choosing.model

    def model_for(self, info: SessionInfo) -> Model | None:
        """Which model writes for a session."""
        return self.choosing.model_for(info)

    def try_model(self, space: str, session: str) -> None:
        """Raise if the model that would write for a session cannot be asked now: before anything is thrown away."""
        from onrecord.derive.spending import Waits

        model = self.model_for(self.store.session(space, session) or SessionInfo(id=session))
        if model is None:
            return
        try:
            if self.spending.allows(space, TRIED):
                reply = model.complete([{"role": "user", "content": "Say yes."}], tokens=TRIED)
                self.spending.record(space, model.name, reply)
        except Waits as waits:
            raise ModelError(f"Nothing was made again. {waits.why}", "Then try again.") from None

    @cached_property
    def embedder(self) -> Embedder | None:
        from onrecord.models.embedders import embedder_named

        given = self._embedder
        if given is None or not isinstance(given, str):
            return given
        address, key = self.choosing.upstream.of(given)
        return embedder_named(given, base_url=address, key=key)

    def _central(self, texts: Sequence[str]) -> Sequence[float]:
        """How near each sentence is to what all are about; if the embedder fails, none is nearer than another."""
        from onrecord.recall.central import central

        assert self.embedder is not None
        try:
            return central(self.embedder, texts)
        except ModelError:
            return [0.0] * len(texts)

    @cached_property
    def recall(self) -> Recall:
        from onrecord.models.embedders import earlier_embedder
        from onrecord.recall.recaller import Recall
        from onrecord.recall.tiered import tiers_of

        return Recall(
            self.store,
            self.embedder,
            most_bytes=self._index_bytes,
            tiers=tiers_of(self.profile),
            reranker=self._reranker,
            stands=self.knowing.standing,
            count=self.drafter.counter.text,
            earlier=earlier_embedder,
        )

    @cached_property
    def worker(self) -> Worker[str]:
        """Makes vectors."""
        from onrecord.jobs.background import Worker

        recall = self.recall  # made here: a process that forks while another thread imports would hang in its child
        return Worker(recall.keep_up, PAUSE)

    @cached_property
    def deriving(self) -> Worker[tuple[str, str]]:
        """Learns facts and makes summaries, of a space and session at a time; once a day it consolidates the space."""
        from onrecord.jobs.background import Worker

        upkeep, knowing = self.upkeep, self.knowing
        # Imported here, for the same reason.
        self.maker, self.writer, knowing.learner, knowing.reader, knowing.consolidator  # noqa: B018

        def work(what: tuple[str, str], going: Callable[[], bool]) -> None:
            knowing.learn(*what, going=going)
            upkeep.catch_up(*what, going=going)
            if self.profile.shared and going() and knowing.consolidator.due(what[0]):
                knowing.consolidator.run(what[0])

        clock = self.drafter.now
        return Worker(work, self._debounce, LONGEST * self._debounce, lambda: clock().timestamp())

    @cached_property
    def builder(self) -> ContextBuilder:
        from onrecord.context.engine import ContextBuilder

        return ContextBuilder(
            self.store,
            self.profile,
            self._counter,
            self.drafter.now,
            self.found,
            self.behind,
            lambda space, session: islice(self.deriver.due(space, session), MOST_DUE),
            self.knowing.known,
        )

    def search(self, space: str, asked: SearchRequest) -> Hits:
        """What a space holds about something, for people. Where facts or episodes are asked for by their kind, what was
        just said is read for them first."""
        if not asked.kinds.isdisjoint(COUNTED):
            self.learned(space)
        hits = self._after_a_look(space, self.own().recall.search(space, asked))
        self.knowing.taken(space, (hit.id for hit in hits if hit.kind in COUNTED), self._note)
        return hits

    def found(self, space: str, asked: SearchRequest) -> SearchOutcome:
        """What a space holds about something, for a prompt."""
        outcome = self._after_a_look(space, self.own().recall.outcome(space, asked))
        if not asked.past and not asked.kinds.isdisjoint(COUNTED):  # a look at the past is no access
            records = (found.item for found in outcome.found if isinstance(found.item, Record))
            self.knowing.taken(space, (record.key for record in records if record.kind in COUNTED), self._note)
        return outcome

    def _note(self, space: str) -> None:
        """Enough was found to write how often: not now, when somebody waits."""
        self.own().noting.wake(space)

    @cached_property
    def noting(self) -> Worker[str]:
        """Writes how often facts were found."""
        from onrecord.jobs.background import Worker

        accesses = self.knowing.accesses
        return Worker(lambda space, going: accesses.write(space), PAUSE)

    def added(self, space: str, count: int) -> None:
        """Have vectors made in the background once enough messages came."""
        if self._elsewhere:
            return
        waiting = self._added[space] = self._added.get(space, 0) + count
        enough = waiting >= ENOUGH or ("recall" in vars(self) and self.own().recall.at_hand(space))
        if enough and self.embedder is not None:
            self._added[space] = 0
            self.own().worker.wake(space)

    def noticed(self, space: str, session: str, role: Role, seq: int, tokens: int, text: str) -> None:
        """A message was added: have facts learned and summaries made that are due, now or soon."""
        if not self.derives or self._elsewhere:
            return
        if self.upkeep.noticed(space, session, role, seq, tokens, len(text)):
            self.summarize(space, session, rounds=1)
        elif self.profile.learns and self._tells(role, text):
            self.learn(space, session)

    @cached_property
    def _tells(self) -> Callable[[Role, str], bool]:
        from onrecord.policy.fact_rules import tells

        return tells

    def noticed_many(self, space: str, session: str, count: int) -> None:
        """The same for a batch."""
        if self.derives and count and not self._elsewhere:
            self.summarize(space, session, rounds=None if self._background else self._rounds(space, session, count))

    def _rounds(self, space: str, session: str, count: int) -> int:
        """How many so many messages need: one makes one text of a model, or all that is due without one."""
        alone = self.model_for(self.store.session(space, session) or SessionInfo(id=session)) is None
        return 2 + count // (PAGE if alone else 1)

    def summarize(self, space: str, session: str, rounds: int | None = None) -> None:
        """Have what is due made: at once, in the background, or by a worker."""
        if self._elsewhere:
            cast(SharedStore, self.store).make_due(space, session)
        elif self._background:
            self.own().deriving.wake((space, session))
        else:
            self.knowing.learn(space, session, rounds=rounds)
            self.upkeep.catch_up(space, session, rounds=rounds)

    def learn(self, space: str, session: str) -> None:
        """Have facts learned: at once, or in the background."""
        if self._background:
            self.own().deriving.wake((space, session))
        else:
            self.knowing.learn(space, session, rounds=1)

    def learned(self, space: str) -> Knowing:
        """What is known, with everything that was said so far; without what cannot be written down now, such as on a
        full disk."""
        knowing = self.own().knowing
        if self.profile.learns:
            try:
                knowing.learner.sweep(space)
            except StoreReadOnly:
                pass
            except StoreError as error:
                logging.getLogger("onrecord").warning("New facts are left out: %s.", type(error).__name__)
        return knowing

    def behind(self, space: str, session: str) -> str:
        """A prompt found that summaries are missing: have them made, if that is anybody's task; answers why they are
        not there, if something is in their way."""
        if self.derives and self._background:
            self.summarize(space, session)
        paused = self.choosing.given is not None and self.spending.spent(space).paused
        return "Models are paused in this space: call resume()." if paused else ""

    def caught_up(self, space: str, session: str, progress: Progress | None = None, *, insist: bool = False) -> Caught:
        """Everything that is due, now, whoever waits for it; `insist`: also what a model failed at a moment ago."""
        if "deriving" in vars(self.own()):
            self.deriving.take((space, session))
        unread = self.knowing.learn(space, session, insist=insist)
        caught = self.upkeep.catch_up(space, session, progress=progress, wait=True, insist=insist)
        return caught._replace(trouble=caught.trouble or unread)

    def index(self, space: str, progress: Progress | None = None) -> int:
        """Make every vector that is missing, and write the index; answers how many parts of it were written."""
        return self.own().recall.catch_up(space, progress) if self.embedder is not None else 0

    def finish(self, space: str) -> None:
        """What waits in the background, whatever its space, and every vector of this one, now. A failing model is no
        reason to fail: what is missing is made another time."""
        if "deriving" in vars(self.own()):
            for where, session in self.deriving.open():
                with kept_whatever_happens():
                    self.caught_up(where, session)
        with kept_whatever_happens():
            self.knowing.write()
        with kept_whatever_happens():
            self.index(space)

    def _after_a_look(self, space: str, answer: _Answer) -> _Answer:
        """What a search found not to be written yet is written in the background."""
        if self.recall.worth_writing(space) and not self._elsewhere:
            self.worker.wake(space)
        return answer

    def own(self) -> Parts:
        """The same; in a process that was forked, without the threads and locks of its parent."""
        if self._process != os.getpid():
            self._process = os.getpid()
            for name in ("recall", "worker", "deriving", "noting", "builder", "upkeep", "deriver"):
                vars(self).pop(name, None)
            self.knowing = self._knowing()
            self.others = {}
        return self

    def close(self, *, finish: bool = True) -> None:
        """End what runs in the background, and write what is known of the indexes. `finish`: make the summaries that
        are due; otherwise they are made another time."""
        if self._process != os.getpid() or self._closed:
            return  # they are the parent's, or all was done
        self._closed = True
        if "deriving" in vars(self):
            end = monotonic() + CLOSING
            for space, session in self.deriving.stop():
                if finish:
                    with kept_whatever_happens():
                        alone = self.model_for(self.store.session(space, session) or SessionInfo(id=session)) is None
                        # What another is at, what had trouble, and what a model takes long for, can wait.
                        going = always if alone else lambda: monotonic() < end
                        self.knowing.learn(space, session, going=going)
                        self.upkeep.catch_up(space, session, going=going)
        self.choosing.close()
        for name in ("worker", "noting"):
            if name in vars(self):
                getattr(self, name).stop()
        with kept_whatever_happens():
            self.knowing.write()
        if "recall" in vars(self):
            with kept_whatever_happens():
                self.recall.close()


def always() -> bool:
    """Goes on until there is nothing more to do."""
    return True


@contextmanager
def kept_whatever_happens() -> Iterator[None]:
    """Around what follows a write that is on disk: an error here must not look as if it were not, or it would be done
    again. What was not derived now is derived with a later message, or by `summarize`."""
    try:
        yield
    except StoreReadOnly:
        pass
    except Exception as error:  # noqa: BLE001 - whatever it is, the caller's message is kept
        # Only the kind: what an error says may quote the conversation, and a log is no place for that.
        logging.getLogger("onrecord").warning("Nothing was derived: %s.", type(error).__name__)

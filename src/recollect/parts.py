"""Parts: what a memory is made of. Each is made when it is first taken, so that nobody loads what they do not use."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from recollect.errors import InvalidSetting, ModelError, RecollectError
from recollect.journal.drafting import Drafter
from recollect.ports import Counter, Embedder, Model, Progress, Reranker, Store
from recollect.profiles import Profile
from recollect.records import Asked, Found, Role, SessionInfo
from recollect.settings import OverLimit, Summarize

if TYPE_CHECKING:
    from recollect.context.engine import ContextBuilder
    from recollect.derive.deriver import Deriver
    from recollect.derive.nodes import NodeMaker
    from recollect.derive.notes import Notes
    from recollect.derive.spending import Spending
    from recollect.derive.upkeep import Caught, Upkeep
    from recollect.derive.writer import Writer
    from recollect.jobs.worker import Worker
    from recollect.recall.hits import Hits
    from recollect.recall.recall import Recall

__all__ = ["Parts", "Upstream", "kept_whatever_happens"]

PAUSE = 0.1  # seconds that the background waits for more to come
ENOUGH = 64  # messages that are worth making vectors of, in the background
CLOSING = 30.0  # seconds after which closing begins with no other text of a model
TRIED = 8  # tokens of an answer that only shows that there is somebody
LONGEST = 15  # pauses after which summaries are begun although messages still come
PAGE = 500  # messages of a batch that one round of summaries is for
_Answer = TypeVar("_Answer")


class Upstream(NamedTuple):
    """The server that models and embedders named `openai/…` run on."""

    address: str | None
    key: str | None

    def check(self, *names: object) -> None:
        """Raise if an address or a key is given and nothing is named that would use it."""
        used = any(isinstance(name, str) and name.startswith("openai/") for name in names)
        if (self.address or self.key) and not used:
            raise InvalidSetting(
                "upstream and upstream_key are for models and embedders named openai/…, and none is.",
                'Name one, as in model="openai/gpt-4.1-mini".',
            )

    def of(self, name: str) -> tuple[str | None, str | None]:
        """Address and key for the model of this name: nobody else's models are asked there."""
        return (self.address, self.key) if name.startswith("openai/") else (None, None)

    def __repr__(self) -> str:
        return f"Upstream(address={self.address!r})"  # a key is for nobody's eyes


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
        upstream: Upstream,
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
        self._debounce = debounce
        self._counter = counter
        self._model = model
        self._embedder = embedder
        self._upstream = upstream
        self._reranker = reranker
        self._index_bytes = index_bytes
        self._limits: dict[str, Any] = {"daily_tokens": daily_tokens, "over_limit": over_limit}
        self._models: dict[str, Model | None] = {}  # by name
        self._made: list[Any] = []  # models that are ours to close
        self._added: dict[str, int] = {}  # messages since the index of a space was last seen to
        self._process = os.getpid()

    @cached_property
    def deriver(self) -> Deriver:
        from recollect.derive.deriver import Deriver

        return Deriver(self.store, self.profile, self.drafter.now, lambda: (self.maker, self.writer), self.model_for)

    @cached_property
    def upkeep(self) -> Upkeep:
        from recollect.derive.upkeep import Upkeep

        return Upkeep(self.store, self.deriver, self.profile.strategy, self.drafter.now)

    @cached_property
    def maker(self) -> NodeMaker:
        from recollect.derive.nodes import NodeMaker

        central = self._central if self.profile.by_meaning and self.embedder is not None else None
        return NodeMaker(profile=self.profile, counter=self.drafter.counter, central=central)

    @cached_property
    def spending(self) -> Spending:
        from recollect.derive.spending import Spending

        return Spending(store=self.store, clock=self.drafter.now, **self._limits)

    @cached_property
    def writer(self) -> Writer:
        from recollect.derive.writer import Writer

        return Writer(self.profile, self.drafter.counter, self.spending)

    @cached_property
    def notes(self) -> Notes:
        from recollect.derive.notes import Notes

        return Notes(
            store=self.store,
            maker=self.maker,
            ids=self.drafter.ids,
            clock=self.drafter.now,
            writer=lambda: self.writer,
            models=self.model_for,
        )

    @cached_property
    def model(self) -> Model | None:
        """The model that the memory was given, if its name says where it runs."""
        given = self._model
        return self._named(given) if given is None or isinstance(given, str) else given

    def model_for(self, info: SessionInfo) -> Model | None:
        """Which model writes for a session: its own if that runs on this machine, so that what is private stays there;
        otherwise the memory's."""
        if info.model is None:
            return self.model
        from recollect.models.language import is_local

        if not is_local(info.model):
            return self.model
        if info.model not in self._models:
            try:
                self._models[info.model] = self._named(info.model)
            except RecollectError as error:  # nothing of the conversation goes elsewhere; it may be there another time
                from recollect.models.language.absent import AbsentModel

                return AbsentModel(info.model, error.what)
        return self._models[info.model]

    def _named(self, name: str | None) -> Model | None:
        if name is None or "/" not in name:
            return None
        from recollect.models.language import PROVIDERS, model_named

        address, key = self._upstream.of(name)
        found = model_named(name, upstream=address, key=key)
        if found is not None:
            self._made.append(found)
            return found
        provider, _, model = name.partition("/")
        if near := get_close_matches(provider.lower(), PROVIDERS, n=1, cutoff=0.75):
            raise InvalidSetting(f"There is no provider {provider!r}.", f"Did you mean {near[0]}/{model}?")
        return None  # a name that only serves to count tokens

    def try_model(self, space: str, session: str) -> None:
        """Raise if the model that would write for a session cannot be asked now: before anything is thrown away."""
        from recollect.derive.spending import Waits

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
        from recollect.models.embedders import embedder_named

        given = self._embedder
        if given is None or not isinstance(given, str):
            return given
        address, key = self._upstream.of(given)
        return embedder_named(given, base_url=address, key=key)

    def _central(self, texts: Sequence[str]) -> Sequence[float]:
        """How near each sentence is to what all are about; if the embedder fails, none is nearer than another."""
        from recollect.recall.central import central

        assert self.embedder is not None
        try:
            return central(self.embedder, texts)
        except ModelError:
            return [0.0] * len(texts)

    @cached_property
    def recall(self) -> Recall:
        from recollect.models.embedders import earlier_embedder
        from recollect.recall.recall import Recall

        return Recall(
            self.store,
            self.embedder,
            most_bytes=self._index_bytes,
            tiered=self.profile.name == "tiered",
            reranker=self._reranker,
            earlier=earlier_embedder,
        )

    @cached_property
    def worker(self) -> Worker[str]:
        """Makes vectors."""
        from recollect.jobs.worker import Worker

        recall = self.recall  # made here: a process that forks while another thread imports would hang in its child
        return Worker(recall.keep_up, PAUSE)

    @cached_property
    def deriving(self) -> Worker[tuple[str, str]]:
        """Makes summaries, of a space and session at a time."""
        from recollect.jobs.worker import Worker

        upkeep = self.upkeep
        self.maker, self.writer  # noqa: B018 - imported here, for the same reason

        def work(what: tuple[str, str], going: Callable[[], bool]) -> None:
            upkeep.catch_up(*what, going=going)

        clock = self.drafter.now
        return Worker(work, self._debounce, LONGEST * self._debounce, lambda: clock().timestamp())

    @cached_property
    def builder(self) -> ContextBuilder:
        from recollect.context.engine import ContextBuilder

        return ContextBuilder(self.store, self.profile, self._counter, self.drafter.now, self.found, self.behind)

    def search(self, space: str, asked: Asked) -> Hits:
        """What a space holds about something, for people."""
        return self._after_a_look(space, self.own().recall.search(space, asked))

    def found(self, space: str, asked: Asked) -> tuple[list[Found], list[str]]:
        """What a space holds about something, for a prompt, and what could not be done as usual."""
        return self._after_a_look(space, self.own().recall.found(space, asked))

    def added(self, space: str, count: int) -> None:
        """Have vectors made in the background once enough messages came."""
        waiting = self._added[space] = self._added.get(space, 0) + count
        enough = waiting >= ENOUGH or ("recall" in vars(self) and self.own().recall.at_hand(space))
        if enough and self.embedder is not None:
            self._added[space] = 0
            self.own().worker.wake(space)

    def noticed(self, space: str, session: str, role: Role, seq: int, tokens: int, length: int) -> None:
        """A message was added: have summaries made that are due, now or soon."""
        if self.derives and self.upkeep.noticed(space, session, role, seq, tokens, length):
            self.summarize(space, session, rounds=1)

    def noticed_many(self, space: str, session: str, count: int) -> None:
        """The same for a batch."""
        if self.derives and count:
            # A round makes one text of a model, or all that so many messages need without one.
            alone = self.model_for(self.store.session(space, session) or SessionInfo(id=session)) is None
            self.summarize(space, session, rounds=2 + count // (PAGE if alone else 1))

    def summarize(self, space: str, session: str, rounds: int | None = None) -> None:
        """Have what is due made: at once, or in the background."""
        if self._background:
            self.own().deriving.wake((space, session))
        else:
            self.upkeep.catch_up(space, session, rounds=rounds)

    def behind(self, space: str, session: str) -> str:
        """A prompt found that summaries are missing: have them made, if that is anybody's task; answers why they are
        not there, if something is in their way."""
        if self.derives and self._background:
            self.summarize(space, session)
        paused = self._model is not None and self.spending.spent(space).paused
        return "Models are paused in this space: call resume()." if paused else ""

    def caught_up(self, space: str, session: str, progress: Progress | None = None, *, insist: bool = False) -> Caught:
        """Everything that is due, now, whoever waits for it; `insist`: also what a model failed at a moment ago."""
        if "deriving" in vars(self):
            self.own().deriving.take((space, session))
        return self.upkeep.catch_up(space, session, progress=progress, wait=True, insist=insist)

    def index(self, space: str, progress: Progress | None = None) -> int:
        """Make every vector that is missing, and write the index; answers how many parts of it were written."""
        return self.own().recall.catch_up(space, progress) if self.embedder is not None else 0

    def finish(self, space: str) -> None:
        """What waits in the background, whatever its space, and every vector of this one, now. A failing model is no
        reason to fail: what is missing is made another time."""
        if "deriving" in vars(self):
            for where, session in self.own().deriving.open():
                with kept_whatever_happens():
                    self.caught_up(where, session)
        with kept_whatever_happens():
            self.index(space)

    def _after_a_look(self, space: str, answer: _Answer) -> _Answer:
        """What a search found not to be written yet is written in the background."""
        if self.recall.worth_writing(space):
            self.worker.wake(space)
        return answer

    def own(self) -> Parts:
        """The same; in a process that was forked, without the threads and locks of its parent."""
        if self._process != os.getpid():
            self._process = os.getpid()
            for name in ("recall", "worker", "deriving", "builder", "upkeep", "deriver"):
                vars(self).pop(name, None)
        return self

    def close(self, *, finish: bool = True) -> None:
        """End what runs in the background, and write what is known of the indexes. `finish`: make the summaries that
        are due; otherwise they are made another time."""
        if self._process != os.getpid():
            return  # they are the parent's
        if "deriving" in vars(self):
            end = monotonic() + CLOSING
            for space, session in self.deriving.stop():
                if finish:
                    with kept_whatever_happens():
                        alone = self.model_for(self.store.session(space, session) or SessionInfo(id=session)) is None
                        # What another is at, what had trouble, and what a model takes long for, can wait.
                        going = always if alone else lambda: monotonic() < end
                        self.upkeep.catch_up(space, session, going=going)
        for model in self._made:
            model.close()
        if "worker" in vars(self):
            self.worker.stop()
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
    except Exception as error:  # noqa: BLE001 - whatever it is, the caller's message is kept
        # Only the kind: what an error says may quote the conversation, and a log is no place for that.
        logging.getLogger("recollect").warning("Nothing was derived: %s.", type(error).__name__)
